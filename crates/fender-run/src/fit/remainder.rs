//! What is left between the data and the best run: noise, if the model is right.

use super::data::{Data, spread};
use nalgebra::DVector;

/// A signal with differences beyond this part of its spread is not met.
const NOT_MET: f64 = 0.5;
/// Below this part of the spread, what is left is rounding and interpolation rather than noise.
const EXACT: f64 = 1e-4;
/// Correlation from row to row beyond which what is left is no noise.
const NOT_NOISE: f64 = 0.5;
/// Rows for which such a correlation means something.
const ENOUGH_ROWS: usize = 20;

/// Signals that are not met, and those where what is left is not noise.
pub(super) fn warnings(data: &Data, residuals: &DVector<f64>) -> Vec<String> {
    let rows = data.times.len();
    let signals = data.signals.iter().enumerate();
    signals
        .filter_map(|(i, signal)| {
            let left: Vec<f64> = residuals.rows(i * rows, rows).iter().map(|r| r * signal.scale).collect();
            let rms = (left.iter().map(|x| x * x).sum::<f64>() / rows as f64).sqrt();
            let part = rms / spread(&signal.values);
            let name = &signal.name;
            let correlation = row_to_row(&left);
            // A signal that hardly changes may be nothing but noise: only what goes on from row to row is told.
            if rows < ENOUGH_ROWS || part < EXACT || correlation < NOT_NOISE {
                None
            } else if part > NOT_MET {
                Some(format!(
                    "`{name}` is not met: what is left is {:.0} % of its spread; there may be a better minimum elsewhere (see --start), or the scenario lacks something",
                    100.0 * part
                ))
            } else {
                Some(format!(
                    "what is left of `{name}` is not noise (its correlation from row to row is {correlation:.2}): the scenario lacks something, or the data are filtered, and intervals are too narrow"
                ))
            }
        })
        .collect()
}

/// Correlation of each value with the next.
fn row_to_row(values: &[f64]) -> f64 {
    let squares: f64 = values.iter().map(|x| x * x).sum();
    let products: f64 = values.iter().zip(values.iter().skip(1)).map(|(a, b)| a * b).sum();
    if squares > 0.0 { products / squares } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Measured;

    #[test]
    fn noise_is_told_from_what_the_model_lacks() {
        let n = 50;
        let values: Vec<f64> = (0..n).map(|i| f64::from(i) / 10.0).collect();
        let (unit, scale) = ("m".to_owned(), 0.5);
        let signal = Measured { name: "a".into(), unit, scale, values: values.clone() };
        let data = Data { times: values, signals: vec![signal] };
        let told = |f: &dyn Fn(u32) -> f64| {
            warnings(&data, &DVector::from_iterator(n as usize, (0..n).map(f))).join(" ")
        };
        let alternating = |i: u32| if i.is_multiple_of(2) { 0.1 } else { -0.1 };
        assert_eq!(told(&alternating), "");
        assert_eq!(told(&|i| 30.0 * alternating(i)), "");
        assert!(told(&|i| 0.1 * (f64::from(i) / 10.0).sin()).contains("is not noise"));
        assert!(told(&|i| 5.0 * (f64::from(i) / 10.0).sin()).contains("`a` is not met: what is left is 1"));
        assert_eq!(told(&|i| 1e-5 * (f64::from(i) / 10.0).sin()), "");
    }
}
