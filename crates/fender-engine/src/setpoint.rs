//! What a motor or a controller aims at, over time.

use fender_math::series::{Series, SeriesError};

/// A number over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Setpoint {
    /// The same at all times.
    Constant(f64),
    /// Each value from its time [s] on, the first one also before; times increase.
    Steps(Vec<(f64, f64)>),
    /// Samples joined by a cubic spline, at rest before and after.
    Series(Series<1>),
}

impl Setpoint {
    /// Values that hold from their times [s] on.
    pub fn steps(steps: Vec<(f64, f64)>) -> Result<Self, SeriesError> {
        if steps.is_empty() {
            return Err(SeriesError::TooShort);
        }
        for (i, (time, value)) in steps.iter().enumerate() {
            if !(time.is_finite() && value.is_finite()) {
                return Err(SeriesError::NotFinite(i));
            }
            if i > 0 && *time <= steps[i - 1].0 {
                return Err(SeriesError::NotIncreasing(i));
            }
        }
        Ok(Self::Steps(steps))
    }

    /// Value and rate of change at a time [s].
    pub fn sample(&self, time: f64) -> [f64; 2] {
        match self {
            Self::Constant(value) => [*value, 0.0],
            Self::Steps(steps) => {
                let next = steps.partition_point(|(t, _)| *t <= time);
                [steps.get(next.saturating_sub(1)).map_or(0.0, |(_, value)| *value), 0.0]
            }
            Self::Series(series) => {
                let sample = series.sample(time);
                [sample.value[0], sample.rate[0]]
            }
        }
    }

    /// Times at which it jumps or has a kink [s].
    pub fn time_events(&self) -> Vec<f64> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Steps(steps) => steps.iter().skip(1).map(|(time, _)| *time).collect(),
            Self::Series(series) => vec![series.span().0, series.span().1],
        }
    }
}

impl From<f64> for Setpoint {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_and_a_series_has_a_rate() {
        let steps = Setpoint::steps(vec![(1.0, 5.0), (2.0, 7.0)]).unwrap();
        for (time, value) in [(-3.0, 5.0), (1.0, 5.0), (1.999, 5.0), (2.0, 7.0), (9.0, 7.0)] {
            assert_eq!(steps.sample(time), [value, 0.0], "{time}");
        }
        assert_eq!(steps.time_events(), [2.0]);
        let line = Setpoint::Series(Series::new(vec![0.0, 2.0], vec![[0.0], [6.0]]).unwrap());
        assert_eq!(line.sample(1.0), [3.0, 3.0]);
        assert_eq!(line.time_events(), [0.0, 2.0]);
        assert_eq!(Setpoint::steps(Vec::new()), Err(SeriesError::TooShort));
        assert_eq!(Setpoint::steps(vec![(1.0, 0.0), (1.0, 2.0)]), Err(SeriesError::NotIncreasing(1)));
        assert_eq!(Setpoint::steps(vec![(1.0, f64::NAN)]), Err(SeriesError::NotFinite(0)));
    }
}
