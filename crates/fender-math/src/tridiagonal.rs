//! Block-tridiagonal systems: chains, solved in a time that grows with their length alone.

/// A square block.
pub type Block<const N: usize> = [[f64; N]; N];

/// A block-tridiagonal matrix, or its factors.
///
/// No rows are exchanged: right for matrices whose leading blocks can all be inverted, such as those of a chain of masses and
/// springs.
#[derive(Clone, Debug, Default)]
pub struct BlockTridiagonal<const N: usize> {
    /// Blocks left of the diagonal; the first is not used. Factored: times the inverse of the pivot before.
    pub lower: Vec<Block<N>>,
    /// Blocks on the diagonal. Factored: the inverses of the pivots.
    pub diagonal: Vec<Block<N>>,
    /// Blocks right of the diagonal; the last is not used.
    pub upper: Vec<Block<N>>,
}

impl<const N: usize> BlockTridiagonal<N> {
    /// Makes it a matrix of `blocks` rows of blocks, all zero.
    pub fn reset(&mut self, blocks: usize) {
        for part in [&mut self.lower, &mut self.diagonal, &mut self.upper] {
            part.clear();
            part.resize(blocks, [[0.0; N]; N]);
        }
    }

    /// Rows of blocks.
    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.diagonal.is_empty()
    }

    /// Replaces the matrix by its factors; `false` if a pivot cannot be inverted.
    pub fn factor(&mut self) -> bool {
        for i in 0..self.diagonal.len() {
            if i > 0 {
                let factor = product(&self.lower[i], &self.diagonal[i - 1]);
                subtract_product(&mut self.diagonal[i], &factor, &self.upper[i - 1]);
                self.lower[i] = factor;
            }
            let Some(inverse) = inverse(&self.diagonal[i]) else { return false };
            self.diagonal[i] = inverse;
        }
        true
    }

    /// Solves with the factors, in place.
    pub fn solve(&self, x: &mut [[f64; N]]) {
        let n = self.diagonal.len();
        for i in 1..n {
            let (before, here) = x.split_at_mut(i);
            subtract_applied(&mut here[0], &self.lower[i], &before[i - 1]);
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                let (here, after) = x.split_at_mut(i + 1);
                subtract_applied(&mut here[i], &self.upper[i], &after[0]);
            }
            x[i] = applied(&self.diagonal[i], &x[i]);
        }
    }
}

/// a·x.
#[inline]
pub fn applied<const N: usize>(a: &Block<N>, x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for (y, row) in y.iter_mut().zip(a) {
        for (a, x) in row.iter().zip(x) {
            *y += a * x;
        }
    }
    y
}

#[inline]
fn subtract_applied<const N: usize>(y: &mut [f64; N], a: &Block<N>, x: &[f64; N]) {
    for (y, row) in y.iter_mut().zip(a) {
        for (a, x) in row.iter().zip(x) {
            *y -= a * x;
        }
    }
}

#[inline]
fn product<const N: usize>(a: &Block<N>, b: &Block<N>) -> Block<N> {
    let mut c = [[0.0; N]; N];
    for (c, a) in c.iter_mut().zip(a) {
        for (a, b) in a.iter().zip(b) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
    c
}

#[inline]
fn subtract_product<const N: usize>(c: &mut Block<N>, a: &Block<N>, b: &Block<N>) {
    for (c, a) in c.iter_mut().zip(a) {
        for (a, b) in a.iter().zip(b) {
            for (c, b) in c.iter_mut().zip(b) {
                *c -= a * b;
            }
        }
    }
}

/// The inverse of a block, by Gauss and Jordan with row exchanges; `None` if it has none.
#[inline]
pub fn inverse<const N: usize>(block: &Block<N>) -> Option<Block<N>> {
    let mut a = *block;
    let mut inverse = [[0.0; N]; N];
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for k in 0..N {
        let mut pivot = k;
        for i in k + 1..N {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        let size = a[pivot][k];
        if size == 0.0 || !size.is_finite() {
            return None;
        }
        a.swap(k, pivot);
        inverse.swap(k, pivot);
        let scale = 1.0 / size;
        for j in 0..N {
            a[k][j] *= scale;
            inverse[k][j] *= scale;
        }
        let (row, inverse_row) = (a[k], inverse[k]);
        for i in (0..N).filter(|i| *i != k) {
            let factor = a[i][k];
            for j in 0..N {
                a[i][j] -= factor * row[j];
                inverse[i][j] -= factor * inverse_row[j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    fn solves<const N: usize>() {
        let mut seed = 1;
        for blocks in [1, 2, 7, 40] {
            let mut matrix = BlockTridiagonal::<N>::default();
            matrix.reset(blocks);
            for i in 0..blocks {
                for r in 0..N {
                    for c in 0..N {
                        matrix.lower[i][r][c] = random(&mut seed);
                        matrix.upper[i][r][c] = random(&mut seed);
                        matrix.diagonal[i][r][c] = random(&mut seed) + f64::from(u8::from(r == c)) * 4.0;
                    }
                }
            }
            let x: Vec<[f64; N]> = (0..blocks).map(|_| std::array::from_fn(|_| random(&mut seed))).collect();
            let mut y: Vec<[f64; N]> = (0..blocks).map(|i| applied(&matrix.diagonal[i], &x[i])).collect();
            for i in 0..blocks {
                for r in 0..N {
                    if i > 0 {
                        y[i][r] += applied(&matrix.lower[i], &x[i - 1])[r];
                    }
                    if i + 1 < blocks {
                        y[i][r] += applied(&matrix.upper[i], &x[i + 1])[r];
                    }
                }
            }
            assert!(matrix.factor());
            matrix.solve(&mut y);
            for (x, y) in x.iter().flatten().zip(y.iter().flatten()) {
                assert!((x - y).abs() < 1e-12, "{blocks} blocks of {N}: {x} {y}");
            }
        }
    }

    #[test]
    fn solves_what_it_was_multiplied_from() {
        solves::<1>();
        solves::<3>();
        solves::<6>();
    }

    #[test]
    fn says_when_a_pivot_has_no_inverse() {
        let mut matrix = BlockTridiagonal::<3>::default();
        matrix.reset(2);
        matrix.diagonal[0] = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 1.0]];
        assert!(!matrix.factor());
    }
}
