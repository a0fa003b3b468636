//! From the best values and the derivatives there to intervals, correlations and warnings.

use super::parameter::Parameter;
use super::statistics::{Statistics, student_t95};
use super::{Bound, Fitted};
use nalgebra::{DMatrix, DVector};

/// Nearer to a bound than this part of its range, a parameter is held by it.
const AT_BOUND: f64 = 2e-3;
/// A pair with a correlation beyond this is told.
const CORRELATED: f64 = 0.98;

pub(super) struct Judged {
    pub(super) parameters: Vec<Fitted>,
    pub(super) correlation: Vec<Vec<Option<f64>>>,
    pub(super) warnings: Vec<String>,
}

/// Judges the values at `places`. A parameter that is held by a bound is taken as known, which makes the intervals of the others
/// those at that bound.
pub(super) fn judge(
    parameters: &[Parameter],
    places: &[f64],
    residuals: &DVector<f64>,
    jacobian: Option<&DMatrix<f64>>,
    rows: usize,
) -> Judged {
    let n = parameters.len();
    let bounds: Vec<Option<Bound>> = places.iter().map(|w| bound(*w)).collect();
    let free: Vec<usize> = (0..n).filter(|&i| bounds[i].is_none()).collect();
    let mut judged =
        Judged { parameters: Vec::new(), correlation: vec![vec![None; n]; n], warnings: Vec::new() };
    let statistics = jacobian.map(|j| Statistics::new(&j.select_columns(&free), residuals, rows));
    // As if there were no bounds: tells a parameter that is pressed against its bound from one that just drifted there.
    let everywhere = jacobian.map(|j| Statistics::new(j, residuals, rows));
    for (i, parameter) in parameters.iter().enumerate() {
        let value = parameter.value(places[i]);
        let deviation =
            free.iter().position(|&f| f == i).and_then(|k| Some(statistics.as_ref()?.deviations[k]));
        let factor = statistics.as_ref().map_or(f64::NAN, |s| student_t95(s.freedom));
        let half_width = deviation.map(|d| factor * d * parameter.slope(places[i])).filter(|h| h.is_finite());
        judged.parameters.push(Fitted {
            key: parameter.key.clone(),
            unit: parameter.unit.to_owned(),
            lower: parameter.lower,
            upper: parameter.upper,
            start: parameter.start,
            value,
            half_width,
            at_bound: bounds[i],
        });
        if let Some(bound) = bounds[i] {
            judged.warnings.push(held(
                parameter,
                bound,
                everywhere.as_ref().map(|s| factor * s.deviations[i]),
            ));
        }
    }
    let Some(statistics) = statistics else {
        judged
            .warnings
            .push("there are no intervals: the derivatives at the best values are not known".into());
        return judged;
    };
    for (a, &i) in free.iter().enumerate() {
        for (b, &j) in free.iter().enumerate() {
            judged.correlation[i][j] = Some(statistics.correlation[(a, b)]).filter(|c| c.is_finite());
        }
    }
    warn(&mut judged, &statistics, &free);
    judged
}

/// Warning of a parameter at a bound, given half of its interval as a part of its range.
fn held(parameter: &Parameter, bound: Bound, half: Option<f64>) -> String {
    let Parameter { key, unit, lower, upper, .. } = parameter;
    let (which, value) = match bound {
        Bound::Lower => ("lower", lower),
        Bound::Upper => ("upper", upper),
    };
    let value = format!("{value:?} {unit}");
    let value = value.trim_end();
    if half.is_some_and(|half| half >= 1.0) {
        format!(
            "the data do not determine `{key}`: it came to its {which} bound {value}, and its interval is wider than its range"
        )
    } else {
        format!("`{key}` came to its {which} bound {value}: the best value may be beyond")
    }
}

fn bound(place: f64) -> Option<Bound> {
    if place < AT_BOUND {
        Some(Bound::Lower)
    } else if place > 1.0 - AT_BOUND {
        Some(Bound::Upper)
    } else {
        None
    }
}

/// What the data do not determine.
fn warn(judged: &mut Judged, statistics: &Statistics, free: &[usize]) {
    let key = |i: usize| format!("`{}`", judged.parameters[i].key);
    let mut warnings = Vec::new();
    for &k in &statistics.without_effect {
        warnings.push(format!("the data do not determine {}: it has no effect on them", key(free[k])));
    }
    for set in &statistics.combined {
        let names: Vec<String> = set.iter().map(|&k| key(free[k])).collect();
        warnings
            .push(format!("the data do not determine {}, only a combination of them", names.join(" and ")));
    }
    for (i, parameter) in judged.parameters.iter().enumerate() {
        if let Some(half) = parameter.half_width
            && half > parameter.value.abs()
        {
            warnings.push(format!("the data hardly determine {}: its interval is wider than ±100 %", key(i)));
        }
    }
    for i in 0..judged.parameters.len() {
        for j in i + 1..judged.parameters.len() {
            if let Some(c) = judged.correlation[i][j].filter(|c| c.abs() > CORRELATED) {
                let (a, b) = (key(i), key(j));
                warnings.push(format!("the data hardly tell {a} from {b}: their correlation is {c:.4}"));
            }
        }
    }
    judged.warnings.extend(warnings);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(key: &str, upper: f64) -> Parameter {
        let key = key.to_owned();
        Parameter { key, unit: "m", lower: 0.0, upper, start: 0.5, logarithmic: false }
    }

    #[test]
    fn intervals_are_in_the_units_of_the_parameters() {
        // The mean of ten values, searched between 0 and 4.
        let jacobian = DMatrix::from_element(10, 1, 4.0);
        let residuals = DVector::from_fn(10, |i, _| if i % 2 == 0 { 0.3 } else { -0.3 });
        let judged = judge(&[parameter("a", 4.0)], &[0.25], &residuals, Some(&jacobian), 10);
        let fitted = &judged.parameters[0];
        // t₉ s/√n, with s² = 10·0.09/9.
        let expected = student_t95(9) * (0.1_f64 / 10.0).sqrt();
        assert_eq!(fitted.value, 1.0);
        assert!((fitted.half_width.unwrap() - expected).abs() < 1e-12, "{fitted:?}");
        assert!(judged.warnings.is_empty(), "{:?}", judged.warnings);
    }

    #[test]
    fn what_is_not_determined_is_told() {
        let all = ["held", "idle", "a", "b", "vague"].map(|key| parameter(key, 1.0));
        let wave = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let jacobian = DMatrix::from_fn(40, 5, |i, j| match j {
            1 => 0.0,
            2 => 1.0,
            // Nearly the same as the one before.
            3 => 1.0 + 0.01 * wave(i / 2),
            4 => 1e-4 * wave(i / 4),
            _ => i as f64,
        });
        let residuals = DVector::from_fn(40, |i, _| 0.01 * wave(i));
        let judged = judge(&all, &[1.0, 0.5, 0.5, 0.5, 0.5], &residuals, Some(&jacobian), 40);
        let text = judged.warnings.join("\n");
        for part in [
            "`held` came to its upper bound 1.0 m",
            "do not determine `idle`",
            "`vague`: its interval is wider",
            "hardly tell `a` from `b`",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(judged.warnings.len(), 4, "{text}");
        assert_eq!((judged.correlation[0][2], judged.correlation[2][2]), (None, Some(1.0)));
        assert_eq!(judged.parameters[1].half_width, None);
    }
}
