//! How well least squares determine parameters: covariance, intervals, correlation.
//!
//! With residuals r and their derivatives J by the parameters, the covariance of the parameters is (JᵀJ)⁻¹ (Σ s_j² J_jᵀJ_j) (JᵀJ)⁻¹, where J_j are the rows
//! of one signal and s_j² is the variance of its residuals; for a single signal that is the usual s² (JᵀJ)⁻¹. Signals may
//! so be noisy to different degrees, whatever their weights. Noise is taken to be independent from row to row.

use nalgebra::{DMatrix, DVector};

/// Ratio of the smallest to the largest singular value, of columns of unit length, below which a direction counts as not determined.
pub const SINGULAR: f64 = 1e-8;
/// Part that a parameter has in such a direction, at least, to be named.
const NAMED: f64 = 0.1;

/// What the residuals and their derivatives say about the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Standard deviation of each parameter; infinite if the data do not determine it.
    pub deviations: Vec<f64>,
    /// Correlation of each pair; NaN with a parameter that is not determined.
    pub correlation: DMatrix<f64>,
    /// Parameters that the residuals do not depend on.
    pub without_effect: Vec<usize>,
    /// Sets of parameters of which only combinations are determined.
    pub combined: Vec<Vec<usize>>,
    /// Number of values beyond that of parameters.
    pub freedom: usize,
}

impl Statistics {
    /// From residuals and their derivatives, with the signals one after the other, each of `rows` rows.
    pub fn new(jacobian: &DMatrix<f64>, residuals: &DVector<f64>, rows: usize) -> Self {
        let (m, n) = jacobian.shape();
        let norms: Vec<f64> = jacobian.column_iter().map(|c| c.norm()).collect();
        let largest = norms.iter().copied().fold(0.0, f64::max);
        let (with, without): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|&i| norms[i] > SINGULAR * largest && norms[i].is_finite());
        let mut scaled = jacobian.select_columns(&with);
        for (mut column, &i) in scaled.column_iter_mut().zip(&with) {
            column /= norms[i];
        }
        let freedom = m.saturating_sub(n);
        let mut answer = Self {
            deviations: vec![f64::INFINITY; n],
            correlation: DMatrix::from_element(n, n, f64::NAN),
            without_effect: without,
            combined: Vec::new(),
            freedom,
        };
        if with.is_empty() || freedom == 0 {
            return answer;
        }

        // Directions that the data determine, and those they do not.
        let svd = scaled.clone().qr().r().svd(false, true);
        let Some(directions) = svd.v_t else { return answer };
        let top = svd.singular_values.max();
        let mut lost = vec![false; with.len()];
        let mut inverse = DMatrix::zeros(with.len(), with.len());
        for (sigma, direction) in svd.singular_values.iter().zip(directions.row_iter()) {
            if *sigma > SINGULAR * top {
                inverse += direction.tr_mul(&direction) / (sigma * sigma);
                continue;
            }
            let named: Vec<usize> = (0..with.len()).filter(|&k| direction[k].abs() > NAMED).collect();
            for &k in &named {
                lost[k] = true;
            }
            answer.combined.push(named.into_iter().map(|k| with[k]).collect());
        }

        let mut middle = DMatrix::zeros(with.len(), with.len());
        let rows = rows.clamp(1, m);
        for start in (0..m).step_by(rows) {
            let count = rows.min(m - start);
            let part = scaled.rows(start, count);
            let own = residuals.rows(start, count).norm_squared();
            // Each signal gives up its share of the degrees of freedom.
            let variance = own / (count as f64 * freedom as f64 / m as f64);
            middle += part.tr_mul(&part) * variance;
        }
        let covariance = &inverse * middle * &inverse;
        for (a, &i) in with.iter().enumerate().filter(|(a, _)| !lost[*a]) {
            answer.deviations[i] = covariance[(a, a)].max(0.0).sqrt() / norms[i];
            for (b, &j) in with.iter().enumerate().filter(|(b, _)| !lost[*b]) {
                let both = (covariance[(a, a)] * covariance[(b, b)]).sqrt();
                let own = if both > 0.0 { (covariance[(a, b)] / both).clamp(-1.0, 1.0) } else { 0.0 };
                answer.correlation[(i, j)] = if a == b { 1.0 } else { own };
            }
        }
        answer
    }
}

/// Student's t for a two-sided interval of 95 %: exact for one and two degrees of freedom, beyond by Cornish and Fisher's
/// expansion (Abramowitz and Stegun 1964, 26.7.5), within 0.2 % for three and better for more.
pub fn student_t95(freedom: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706_204_736_432_1,
        2 => 4.302_652_729_911_28,
        _ => {
            let nu = freedom as f64;
            let z2 = Z * Z;
            let terms = [
                (z2 + 1.0) / 4.0,
                ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
                (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
                ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0,
            ];
            Z * (1.0 + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / nu))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight line through x = 0, 1, …, 9.
    fn line() -> DMatrix<f64> {
        DMatrix::from_fn(10, 2, |i, j| if j == 0 { 1.0 } else { i as f64 })
    }

    #[test]
    fn a_line_has_the_covariance_of_the_textbook() {
        // Residuals with a sum of squares of 8 on 8 degrees of freedom: s² = 1.
        let residuals =
            DVector::from_fn(10, |i, _| if i % 2 == 0 { 0.8_f64.sqrt() } else { -0.8_f64.sqrt() });
        let s = Statistics::new(&line(), &residuals, 10);
        // Var(a) = s² Σx²/(n Σx² − (Σx)²) = 285/825, Var(b) = n/825, Cov = −45/825.
        assert_eq!(s.freedom, 8);
        assert!((s.deviations[0] - (285.0_f64 / 825.0).sqrt()).abs() < 1e-12, "{s:?}");
        assert!((s.deviations[1] - (10.0_f64 / 825.0).sqrt()).abs() < 1e-12, "{s:?}");
        assert!((s.correlation[(0, 1)] + 45.0 / (285.0_f64 * 10.0).sqrt()).abs() < 1e-12, "{s:?}");
        assert!(s.without_effect.is_empty() && s.combined.is_empty());
    }

    #[test]
    fn each_signal_has_its_own_noise() {
        // Two means: the first parameter is seen by a quiet signal only, the second by a noisy one.
        let jacobian = DMatrix::from_fn(20, 2, |i, j| f64::from(u8::from((i < 10) == (j == 0))));
        let residuals = DVector::from_fn(20, |i, _| {
            let size = if i < 10 { 0.01 } else { 3.0 };
            if i % 2 == 0 { size } else { -size }
        });
        let s = Statistics::new(&jacobian, &residuals, 10);
        // s_j²/10, with 9 of 10 degrees of freedom left to each.
        assert!((s.deviations[0] - 0.01 / 3.0).abs() < 1e-12, "{s:?}");
        assert!((s.deviations[1] - 1.0).abs() < 1e-12, "{s:?}");
    }

    #[test]
    fn what_is_not_determined_is_named() {
        let line = line();
        // A third parameter does nothing, a fourth does what the second does.
        let jacobian = DMatrix::from_fn(10, 4, |i, j| match j {
            2 => 0.0,
            3 => 5.0 * line[(i, 1)],
            _ => line[(i, j)],
        });
        let s = Statistics::new(&jacobian, &DVector::from_element(10, 0.1), 10);
        assert_eq!((s.without_effect, s.combined), (vec![2], vec![vec![1, 3]]));
        assert!(s.deviations[0].is_finite());
        assert!(s.deviations[1..].iter().all(|d| d.is_infinite()));
        assert!(s.correlation[(0, 1)].is_nan() && s.correlation[(0, 0)] == 1.0);
    }

    #[test]
    fn student_t_is_that_of_the_tables() {
        for (freedom, t) in [(1, 12.7062), (2, 4.3027), (4, 2.7764), (8, 2.3060), (30, 2.0423), (120, 1.9799)]
        {
            assert!((student_t95(freedom) / t - 1.0).abs() < 5e-4, "{freedom}: {}", student_t95(freedom));
        }
        assert!((student_t95(3) / 3.1824 - 1.0).abs() < 2e-3);
        assert!((student_t95(1_000_000) - 1.95997).abs() < 1e-4);
    }
}
