//! Expectations: questions put to recorded signals, and whether the answers are as they should be.

use crate::plot::number;
use crate::summary::finite;
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// How a signal is reduced to one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Mean over time, by the trapezoidal rule.
    Mean,
    /// Last value.
    Final,
    /// Largest minus smallest value.
    Range,
}

impl Reduction {
    /// Name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::Mean => "mean",
            Self::Final => "final",
            Self::Range => "range",
        }
    }
}

/// When a signal is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// At a time [s].
    At(f64),
    /// Over a span of time.
    Over {
        /// How it is reduced.
        of: Reduction,
        /// Start [s].
        from: f64,
        /// End [s].
        until: f64,
    },
}

/// A question to a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Signal; it must name exactly one column.
    pub signal: String,
    /// When.
    pub when: When,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.when {
            When::At(time) => write!(f, "{} at {time} s", self.signal),
            When::Over { of, from, until } => {
                write!(f, "{} of {}", of.name(), self.signal)?;
                if from > 0.0 {
                    write!(f, " from {from} s")?;
                }
                if until.is_finite() {
                    write!(f, " until {until} s")?;
                }
                Ok(())
            }
        }
    }
}

/// What the answer must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A value, to within a tolerance; both in the signal's unit.
    Near {
        /// Value asked for.
        value: f64,
        /// Largest difference that is still met.
        tolerance: f64,
    },
    /// Between two bounds, in the signal's unit; infinite where there is none.
    Between {
        /// Lower bound.
        above: f64,
        /// Upper bound.
        below: f64,
    },
}

impl Target {
    /// Whether a value meets it.
    pub fn meets(&self, got: f64) -> bool {
        match *self {
            Self::Near { value, tolerance } => (got - value).abs() <= tolerance,
            Self::Between { above, below } => got > above && got < below,
        }
    }
}

/// A question with the answer that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The question.
    pub question: Question,
    /// What the answer must be.
    pub target: Target,
    /// The reason for the value, or for the tolerance.
    pub why: String,
}

/// How an expectation came out. Of `asked` with `tolerance` and of `above` and `below`, those that were given are there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The question, in words.
    pub what: String,
    /// The signal's unit.
    pub unit: String,
    /// Value asked for.
    pub asked: Option<f64>,
    /// Largest difference that is still met.
    pub tolerance: Option<f64>,
    /// Lower bound.
    pub above: Option<f64>,
    /// Upper bound.
    pub below: Option<f64>,
    /// Value obtained; `None` if the recording has no answer.
    pub got: Option<f64>,
    /// Whether it is met.
    pub met: bool,
    /// The reason for the value.
    pub why: String,
}

impl Outcome {
    /// Compares a value with a target.
    pub fn new(what: String, unit: &str, target: Target, got: Option<f64>, why: &str) -> Self {
        let mut outcome = Self {
            what,
            unit: unit.to_owned(),
            asked: None,
            tolerance: None,
            above: None,
            below: None,
            got,
            met: got.is_some_and(|v| target.meets(v)),
            why: why.to_owned(),
        };
        match target {
            Target::Near { value, tolerance } => {
                outcome.asked = Some(value);
                outcome.tolerance = Some(tolerance);
            }
            Target::Between { above, below } => {
                outcome.above = finite(above);
                outcome.below = finite(below);
            }
        }
        outcome
    }

    /// What was asked, in words: `0.5 ± 0.01 m`, `below 3 N`.
    pub fn asked_text(&self) -> String {
        let mut parts = Vec::new();
        if let Some(asked) = self.asked {
            parts.push(number(asked));
        }
        if let Some(tolerance) = self.tolerance {
            parts.push(format!("± {}", number(tolerance)));
        }
        if let Some(above) = self.above {
            parts.push(format!("above {}", number(above)));
        }
        if self.above.is_some() && self.below.is_some() {
            parts.push("and".to_owned());
        }
        if let Some(below) = self.below {
            parts.push(format!("below {}", number(below)));
        }
        if !self.unit.is_empty() && self.unit != "1" {
            parts.push(self.unit.clone());
        }
        parts.join(" ")
    }

    /// What came out, in words.
    pub fn got_text(&self) -> String {
        self.got.map_or_else(|| "nothing".to_owned(), number)
    }
}

impl Expectation {
    /// Puts the question to a recording.
    pub fn evaluate(&self, table: &Table) -> Outcome {
        let got = self.question.answer(table);
        let unit = table.column(&self.question.signal).map(|c| c.unit.clone()).unwrap_or_default();
        Outcome::new(self.question.to_string(), &unit, self.target, got, &self.why)
    }
}

impl Question {
    /// The recording's answer; `None` if the signal was never defined when it is asked about.
    pub fn answer(&self, table: &Table) -> Option<f64> {
        let series = table.series(&self.signal)?;
        match self.when {
            When::At(time) => interpolate(&series, time),
            When::Over { of, from, until } => {
                // Samples taken at the ends of the span count, whatever their rounding.
                let slack = 1e-9 * (1.0 + from.abs());
                let within: Vec<(f64, f64)> =
                    series.into_iter().filter(|(t, _)| *t >= from - slack && *t <= until + slack).collect();
                reduce(&within, of)
            }
        }
    }
}

/// Value at a time [s]: between the two samples around it, linearly; outside the samples by no more than their spacing,
/// the nearest one.
fn interpolate(series: &[(f64, f64)], time: f64) -> Option<f64> {
    let after = series.partition_point(|(t, _)| *t < time);
    match (after.checked_sub(1).map(|i| series[i]), series.get(after)) {
        (_, Some((t, v))) if *t - time <= 1e-9 * (1.0 + time.abs()) => Some(*v),
        (Some((t0, v0)), Some((t1, v1))) => Some(v0 + (v1 - v0) * (time - t0) / (t1 - t0)),
        (None, Some((t, v))) => (*t - time <= spacing(series)).then_some(*v),
        (Some((t, v)), None) => (time - t <= spacing(series)).then_some(v),
        (None, None) => None,
    }
}

fn spacing(series: &[(f64, f64)]) -> f64 {
    match series {
        [(first, _), .., (last, _)] => 0.5 * (last - first) / (series.len() - 1) as f64,
        _ => 0.0,
    }
}

fn reduce(series: &[(f64, f64)], of: Reduction) -> Option<f64> {
    let values = || series.iter().map(|(_, v)| *v);
    let (last_time, last) = *series.last()?;
    let max = values().fold(f64::NEG_INFINITY, f64::max);
    let min = values().fold(f64::INFINITY, f64::min);
    Some(match of {
        Reduction::Max => max,
        Reduction::Min => min,
        Reduction::Final => last,
        Reduction::Range => max - min,
        Reduction::Mean => {
            let span = last_time - series[0].0;
            if span > 0.0 {
                let area: f64 = series.windows(2).map(|w| 0.5 * (w[0].1 + w[1].1) * (w[1].0 - w[0].0)).sum();
                area / span
            } else {
                last
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Kind};

    fn table() -> Table {
        let mut table = Table {
            columns: vec![
                Column::new("time", "s", "", Kind::Real),
                Column::new("a.position.x", "m", "", Kind::Real),
            ],
            texts: vec![],
        };
        table.columns[0].values = vec![0.0, 1.0, 2.0, 3.0];
        table.columns[1].values = vec![0.0, 2.0, f64::NAN, -1.0];
        table
    }

    fn ask(when: When) -> Option<f64> {
        Question { signal: "a.position.x".into(), when }.answer(&table())
    }

    fn over(of: Reduction, from: f64, until: f64) -> Option<f64> {
        ask(When::Over { of, from, until })
    }

    #[test]
    fn samples_are_reduced() {
        let all = f64::INFINITY;
        assert_eq!(over(Reduction::Max, 0.0, all), Some(2.0));
        assert_eq!(over(Reduction::Min, 0.0, all), Some(-1.0));
        assert_eq!(over(Reduction::Final, 0.0, all), Some(-1.0));
        assert_eq!(over(Reduction::Range, 0.0, all), Some(3.0));
        // 1 m·s up to 1 s, then (2 − 1)/2·2 s = 1 m·s, over 3 s.
        assert!((over(Reduction::Mean, 0.0, all).unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(over(Reduction::Max, 2.5, all), Some(-1.0));
        assert_eq!(over(Reduction::Max, 1.5, 2.5), None);
    }

    #[test]
    fn a_time_between_samples_is_interpolated() {
        assert_eq!(ask(When::At(0.5)), Some(1.0));
        assert_eq!(ask(When::At(1.0)), Some(2.0));
        assert_eq!(ask(When::At(2.0)), Some(0.5));
        assert_eq!(ask(When::At(3.1)), Some(-1.0));
        assert_eq!(ask(When::At(9.0)), None);
    }

    #[test]
    fn an_expectation_can_be_missed() {
        let expectation = |value, tolerance| Expectation {
            question: Question { signal: "a.position.x".into(), when: When::At(1.0) },
            target: Target::Near { value, tolerance },
            why: "because".into(),
        };
        assert!(expectation(2.05, 0.1).evaluate(&table()).met);
        let missed = expectation(2.2, 0.1).evaluate(&table());
        assert!(!missed.met);
        assert_eq!((missed.got, missed.unit.as_str()), (Some(2.0), "m"));
        assert_eq!(missed.what, "a.position.x at 1 s");
        assert_eq!(missed.asked_text(), "2.2 ± 0.1 m");
    }

    #[test]
    fn bounds_are_strict_and_may_be_open() {
        let between = |above, below| Target::Between { above, below };
        assert!(between(1.0, f64::INFINITY).meets(1.5));
        assert!(!between(1.0, f64::INFINITY).meets(1.0));
        assert!(!between(f64::NEG_INFINITY, 0.5).meets(1.0));
        let outcome = Outcome::new("x".into(), "N", between(f64::NEG_INFINITY, 0.5), Some(1.0), "");
        assert_eq!((outcome.asked_text().as_str(), outcome.met), ("below 0.5 N", false));
    }

    #[test]
    fn what_was_not_recorded_is_missed() {
        let expectation = Expectation {
            question: Question { signal: "b".into(), when: When::At(1.0) },
            target: Target::Near { value: 0.0, tolerance: 1e9 },
            why: String::new(),
        };
        let outcome = expectation.evaluate(&table());
        assert_eq!((outcome.got, outcome.met), (None, false));
    }
}
