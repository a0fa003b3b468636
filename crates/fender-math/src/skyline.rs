//! Linear systems whose matrix is full only near its diagonal: skyline (envelope) storage and factors.
//!
//! Row i of the lower triangle, and column i of the upper one, are kept from their first entry to the diagonal. Factors
//! fill nothing outside of that, so a chain of n small blocks is factored in O(n). Values may be unsymmetric, the
//! profile is not: friction and gyroscopic terms are unsymmetric, who couples with whom is mutual. There is no
//! pivoting: matrices here are mass matrices with positive additions.

/// A square matrix in skyline storage, or its factors L·U (L with unit diagonal).
#[derive(Clone, Debug, Default)]
pub struct Skyline {
    /// First column kept of each row.
    first: Vec<usize>,
    /// Where each row's entries left of the diagonal begin.
    start: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Skyline {
    /// A zero matrix with the first column of each row's entries (as large as its own index for a row without any).
    pub fn new(first: Vec<usize>) -> Self {
        let mut start = Vec::with_capacity(first.len());
        let mut kept = 0;
        for (i, first) in first.iter().enumerate() {
            start.push(kept);
            kept += i - first.min(&i);
        }
        let n = first.len();
        Self { first, start, lower: vec![0.0; kept], upper: vec![0.0; kept], diagonal: vec![0.0; n] }
    }

    /// The profile that holds all of these couplings of `n` unknowns.
    pub fn profile(n: usize, couplings: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
        let mut first: Vec<usize> = (0..n).collect();
        for (i, j) in couplings {
            let (low, high) = (i.min(j), i.max(j));
            first[high] = first[high].min(low);
        }
        first
    }

    /// First column kept of each row.
    pub fn first(&self) -> &[usize] {
        &self.first
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Numbers kept off the diagonal, on each side.
    pub fn kept(&self) -> usize {
        self.lower.len()
    }

    /// Makes every entry zero.
    pub fn clear(&mut self) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        self.diagonal.fill(0.0);
    }

    /// Takes the values of a matrix with the same profile.
    pub fn copy_from(&mut self, other: &Self) {
        self.lower.copy_from_slice(&other.lower);
        self.upper.copy_from_slice(&other.upper);
        self.diagonal.copy_from_slice(&other.diagonal);
    }

    /// Adds a multiple of a matrix with the same profile.
    pub fn add_scaled(&mut self, other: &Self, by: f64) {
        let mine = self.lower.iter_mut().chain(&mut self.upper).chain(&mut self.diagonal);
        for (x, y) in mine.zip(other.lower.iter().chain(&other.upper).chain(&other.diagonal)) {
            *x += by * y;
        }
    }

    /// Multiplies every entry.
    pub fn scale(&mut self, by: f64) {
        for x in self.lower.iter_mut().chain(&mut self.upper).chain(&mut self.diagonal) {
            *x *= by;
        }
    }

    /// Adds to the entry in row `i` and column `j`, which must be within the profile.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        match i.cmp(&j) {
            std::cmp::Ordering::Equal => self.diagonal[i] += value,
            std::cmp::Ordering::Greater => self.lower[self.start[i] + j - self.first[i]] += value,
            std::cmp::Ordering::Less => self.upper[self.start[j] + i - self.first[j]] += value,
        }
    }

    /// Adds to the entries (i, j) and (j, i), or once to the diagonal.
    #[inline]
    pub fn add_both(&mut self, i: usize, j: usize, value: f64) {
        let (i, j) = (i.max(j), i.min(j));
        if i == j {
            self.diagonal[i] += value;
        } else {
            let at = self.start[i] + j - self.first[i];
            self.lower[at] += value;
            self.upper[at] += value;
        }
    }

    /// The entry in row `i` and column `j`; zero outside the profile.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (high, low) = (i.max(j), i.min(j));
        if i == j {
            self.diagonal[i]
        } else if low < self.first[high] {
            0.0
        } else {
            let at = self.start[high] + low - self.first[high];
            if i > j { self.lower[at] } else { self.upper[at] }
        }
    }

    /// Diagonal entries.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn span(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i]..self.start[i] + i - self.first[i]
    }

    /// out = matrix · x.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        for i in 0..self.len() {
            out[i] = self.diagonal[i] * x[i];
        }
        for i in 0..self.len() {
            let (span, columns) = (self.span(i), self.first[i]..i);
            out[i] += dot(&self.lower[span.clone()], &x[columns.clone()]);
            for (value, out) in self.upper[span].iter().zip(&mut out[columns]) {
                *out += value * x[i];
            }
        }
    }

    /// Replaces the matrix by its factors; `false` if a pivot vanished or is not finite.
    pub fn factor(&mut self) -> bool {
        let Self { first, start, lower, upper, diagonal } = self;
        for i in 0..first.len() {
            let (fi, si) = (first[i], start[i]);
            for j in fi..i {
                let (fj, sj) = (first[j], start[j]);
                let from = fi.max(fj);
                let mut l = lower[si + j - fi];
                let mut u = upper[si + j - fi];
                if from < j {
                    let (mine, theirs, n) = (si + from - fi, sj + from - fj, j - from);
                    l -= dot(&lower[mine..mine + n], &upper[theirs..theirs + n]);
                    u -= dot(&lower[theirs..theirs + n], &upper[mine..mine + n]);
                }
                lower[si + j - fi] = l / diagonal[j];
                upper[si + j - fi] = u;
            }
            let n = i - fi;
            diagonal[i] -= dot(&lower[si..si + n], &upper[si..si + n]);
            // Written so that a NaN fails.
            if !(diagonal[i].abs() > 0.0 && diagonal[i].is_finite()) {
                return false;
            }
        }
        true
    }

    /// Solves for a right-hand side in place, after [`Skyline::factor`].
    pub fn solve(&self, x: &mut [f64]) {
        for i in 0..self.len() {
            let sum = dot(&self.lower[self.span(i)], &x[self.first[i]..i]);
            x[i] -= sum;
        }
        for i in (0..self.len()).rev() {
            x[i] /= self.diagonal[i];
            let (done, rest) = x.split_at_mut(i);
            for (value, x) in self.upper[self.span(i)].iter().zip(&mut done[self.first[i]..]) {
                *x -= value * rest[0];
            }
        }
    }
}

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// An order of unknowns that keeps couplings near the diagonal: Cuthill & McKee (1969), reversed.
///
/// `neighbours[i]` lists the unknowns that `i` couples with. The answer lists the unknowns in their new order.
pub fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let n = neighbours.len();
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    let mut roots: Vec<usize> = (0..n).collect();
    roots.sort_by_key(|i| neighbours[*i].len());
    for root in roots {
        if seen[root] {
            continue;
        }
        let root = far_end(root, neighbours);
        let mut next = order.len();
        seen[root] = true;
        order.push(root);
        while next < order.len() {
            let mut new: Vec<usize> = Vec::new();
            for &j in &neighbours[order[next]] {
                if !seen[j] {
                    seen[j] = true;
                    new.push(j);
                }
            }
            new.sort_by_key(|j| (neighbours[*j].len(), *j));
            order.extend(new);
            next += 1;
        }
    }
    order.reverse();
    order
}

/// An unknown at the end of the part that `from` belongs to: the last one of two searches outward.
fn far_end(from: usize, neighbours: &[Vec<usize>]) -> usize {
    let mut end = from;
    for _ in 0..2 {
        let mut seen = vec![false; neighbours.len()];
        let mut order = vec![end];
        seen[end] = true;
        let mut next = 0;
        while next < order.len() {
            for &j in &neighbours[order[next]] {
                if !seen[j] {
                    seen[j] = true;
                    order.push(j);
                }
            }
            next += 1;
        }
        end = order[order.len() - 1];
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    #[test]
    fn solutions_satisfy_unsymmetric_systems() {
        let mut seed = 7;
        for n in [1, 2, 5, 17, 40] {
            let first: Vec<usize> =
                (0..n).map(|i| i - ((number(&mut seed) + 1.0) * 0.5 * i as f64) as usize).collect();
            let mut matrix = Skyline::new(first.clone());
            for i in 0..n {
                matrix.add(i, i, n as f64);
                for j in first[i]..i {
                    matrix.add(i, j, number(&mut seed));
                    matrix.add(j, i, number(&mut seed));
                }
            }
            let x: Vec<f64> = (0..n).map(|_| number(&mut seed)).collect();
            let mut b = vec![0.0; n];
            matrix.multiply(&x, &mut b);
            for i in 0..n {
                let row: f64 = (0..n).map(|j| matrix.get(i, j) * x[j]).sum();
                assert!((row - b[i]).abs() < 1e-12);
            }
            assert!(matrix.factor());
            matrix.solve(&mut b);
            for (b, x) in b.iter().zip(&x) {
                assert!((b - x).abs() < 1e-12, "{n}");
            }
        }
    }

    #[test]
    fn a_vanishing_pivot_is_told() {
        let mut matrix = Skyline::new(vec![0, 0]);
        matrix.add_both(0, 1, 1.0);
        assert!(!matrix.factor());
    }

    #[test]
    fn reordering_makes_a_shuffled_chain_narrow() {
        let n = 60;
        let place = |i: usize| i * 37 % n;
        let mut neighbours = vec![Vec::new(); n];
        for i in 1..n {
            neighbours[place(i)].push(place(i - 1));
            neighbours[place(i - 1)].push(place(i));
        }
        let order = reverse_cuthill_mckee(&neighbours);
        let mut new = vec![0; n];
        for (i, old) in order.iter().enumerate() {
            new[*old] = i;
        }
        let couplings = (1..n).map(|i| (new[place(i)], new[place(i - 1)]));
        let matrix = Skyline::new(Skyline::profile(n, couplings));
        assert_eq!(matrix.kept(), n - 1);
    }
}
