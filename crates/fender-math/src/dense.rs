//! Small full matrices: Cholesky factors and the eigenvalues of symmetric matrices.

/// A matrix as rows.
pub type Rows = Vec<Vec<f64>>;

/// Lower factor L of a symmetric positive definite matrix A = L·Lᵀ; `None` if it is not positive definite.
pub fn cholesky(a: &[Vec<f64>]) -> Option<Rows> {
    let n = a.len();
    let mut l: Rows = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = a[i][j] - sum;
            if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                l[i][i] = rest.sqrt();
            } else {
                l[i][j] = rest / l[j][j];
            }
        }
    }
    Some(l)
}

/// Solves L·x = b in place.
pub fn solve_lower(l: &[Vec<f64>], x: &mut [f64]) {
    for i in 0..x.len() {
        let sum: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
}

/// Solves Lᵀ·x = b in place.
pub fn solve_lower_transposed(l: &[Vec<f64>], x: &mut [f64]) {
    for i in (0..x.len()).rev() {
        let sum: f64 = (i + 1..x.len()).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
}

/// Eigenvalues of a symmetric matrix, increasing, and its eigenvectors as rows: the cyclic method of Jacobi (1846).
pub fn symmetric_eigen(a: &[Vec<f64>]) -> (Vec<f64>, Rows) {
    let n = a.len();
    let mut a: Rows = a.to_vec();
    let mut vectors: Rows = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..60 {
        let off: f64 = (0..n).map(|i| (0..i).map(|j| a[i][j] * a[i][j]).sum::<f64>()).sum();
        let all: f64 = (0..n).map(|i| a[i][i] * a[i][i]).sum();
        if off <= 1e-30 * all || off == 0.0 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] != 0.0 {
                    rotate(&mut a, &mut vectors, p, q);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a[*i][*i].total_cmp(&a[*j][*j]));
    let values = order.iter().map(|i| a[*i][*i]).collect();
    let vectors = order.iter().map(|i| vectors[*i].clone()).collect();
    (values, vectors)
}

/// Turns rows and columns p and q such that the entry (p, q) vanishes.
fn rotate(a: &mut Rows, vectors: &mut Rows, p: usize, q: usize) {
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    for rows in [&mut *a, vectors] {
        for k in 0..rows[p].len() {
            let (x, y) = (rows[p][k], rows[q][k]);
            rows[p][k] = c * x - s * y;
            rows[q][k] = s * x + c * y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(n: usize) -> Rows {
        let mut a: Rows = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                a[i][j] = 1.0 / (1.0 + i as f64 + j as f64) + if i == j { 0.3 * i as f64 } else { 0.0 };
            }
        }
        a
    }

    #[test]
    fn eigenvectors_diagonalise() {
        let a = sample(7);
        let (values, vectors) = symmetric_eigen(&a);
        for (value, x) in values.iter().zip(&vectors) {
            for (row, x_i) in a.iter().zip(x) {
                let product: f64 = row.iter().zip(x).map(|(m, y)| m * y).sum();
                assert!((product - value * x_i).abs() < 1e-13);
            }
        }
        assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn factors_solve() {
        let a = sample(6);
        let l = cholesky(&a).unwrap();
        let mut x: Vec<f64> = (0..6).map(f64::from).collect();
        solve_lower(&l, &mut x);
        solve_lower_transposed(&l, &mut x);
        for (i, row) in a.iter().enumerate() {
            let product: f64 = row.iter().zip(&x).map(|(m, y)| m * y).sum();
            assert!((product - i as f64).abs() < 1e-10);
        }
        assert!(cholesky(&[vec![1.0, 2.0], vec![2.0, 1.0]]).is_none());
    }
}
