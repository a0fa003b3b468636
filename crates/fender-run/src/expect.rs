//! Expectations: questions put to recorded signals, and whether the answers are as they should be.

use crate::plot::{figure, number, rough};
use crate::scenario::{Check, Expect, Scenario, Statistic, When};
use crate::signal::Catalogue;
use crate::table::Table;
use fender_scenario::ScenarioError;
use serde::{Deserialize, Serialize};

/// Name of a statistic, as written in files.
fn statistic_name(of: Statistic) -> &'static str {
    match of {
        Statistic::Max => "max",
        Statistic::Min => "min",
        Statistic::Mean => "mean",
        Statistic::Final => "final",
        Statistic::Range => "range",
    }
}

/// What is asked, in words: `ball.position.z at 3 s`, `max of ball.position.z from 1 s`.
pub fn question(signal: &str, when: When) -> String {
    match when {
        When::At(time) => format!("{signal} at {} s", number(time)),
        When::Over { of, from, until } => {
            let start = if from > 0.0 { format!(" from {} s", number(from)) } else { String::new() };
            let end = if until.is_finite() { format!(" until {} s", number(until)) } else { String::new() };
            format!("{} of {signal}{start}{end}", statistic_name(of))
        }
    }
}

/// Checks that what a scenario's expectations ask for has the dimension of their signals; signals that do not exist are
/// for others to refuse.
pub fn check_units(scenario: &Scenario) -> Result<(), ScenarioError> {
    let catalogue = Catalogue::new(&scenario.model);
    for (i, expect) in scenario.expects.iter().enumerate() {
        let Ok(signal) = catalogue.one(&expect.signal) else { continue };
        for key in ["value", "tolerance", "above", "below"] {
            scenario.check_unit(&format!("expect[{i}].{key}"), signal.unit)?;
        }
    }
    Ok(())
}

/// Whether a value is as it must be.
fn meets(check: Check, got: f64) -> bool {
    match check {
        Check::Near { value, tolerance } => (got - value).abs() <= tolerance,
        Check::Within { above, below } => above.is_none_or(|a| got > a) && below.is_none_or(|b| got < b),
    }
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
    /// Whether the run came to the end of what is asked about; if not, it is neither met nor missed.
    #[serde(default = "yes")]
    pub reached: bool,
    /// The reason for the value.
    pub why: String,
}

/// Summaries from before there was the key are of runs that came to their ends.
fn yes() -> bool {
    true
}

impl Outcome {
    /// Compares a value with what it must be.
    pub fn new(what: String, unit: &str, check: Check, got: Option<f64>, why: &str) -> Self {
        let (asked, tolerance, above, below) = match check {
            Check::Near { value, tolerance } => (Some(value), Some(tolerance), None, None),
            Check::Within { above, below } => (None, None, above, below),
        };
        Self {
            what,
            unit: unit.to_owned(),
            asked,
            tolerance,
            above,
            below,
            got,
            met: got.is_some_and(|v| meets(check, v)),
            reached: true,
            why: why.to_owned(),
        }
    }

    /// The same for a run that stopped before the end of the question.
    fn not_reached(self) -> Self {
        Self { met: false, reached: false, ..self }
    }

    /// `met`, `missed` or `not reached`.
    pub fn verdict(&self) -> &'static str {
        match (self.reached, self.met) {
            (false, _) => "not reached",
            (true, true) => "met",
            (true, false) => "missed",
        }
    }

    /// What was asked, in words: `0.5 ± 0.01 m`, `below 3 N`.
    pub fn asked_text(&self) -> String {
        let mut parts = Vec::new();
        if let Some(asked) = self.asked {
            parts.push(number(asked));
        }
        if let Some(tolerance) = self.tolerance {
            parts.push(format!("± {}", figure(tolerance)));
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

    /// How far what came out is from what was asked, to two digits; `–` where there is no such difference.
    pub fn off_text(&self) -> String {
        let off = self.got.zip(self.asked).map(|(got, asked)| got - asked);
        off.map_or_else(|| "–".to_owned(), rough)
    }

    /// What came out, in words.
    pub fn got_text(&self) -> String {
        self.got.map_or_else(|| "nothing".to_owned(), number)
    }
}

/// Holds a recording to an expectation.
pub fn evaluate(expect: &Expect, table: &Table) -> Outcome {
    let got = answer(table, &expect.signal, expect.when);
    let unit = table.column(&expect.signal).map(|c| c.unit.clone()).unwrap_or_default();
    Outcome::new(question(&expect.signal, expect.when), &unit, expect.check, got, &expect.why)
}

/// Holds a recording that stopped short at a time [s] to an expectation: what is asked about later times is open.
pub fn evaluate_until(expect: &Expect, table: &Table, time: f64) -> Outcome {
    let outcome = evaluate(expect, table);
    let due = match expect.when {
        When::At(at) => at,
        When::Over { until, .. } => until,
    };
    if due > time { outcome.not_reached() } else { outcome }
}

/// What a recording says of a signal; `None` if it was never defined when it is asked about.
pub fn answer(table: &Table, signal: &str, when: When) -> Option<f64> {
    let series = table.series(signal)?;
    match when {
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

fn reduce(series: &[(f64, f64)], of: Statistic) -> Option<f64> {
    let values = || series.iter().map(|(_, v)| *v);
    let (last_time, last) = *series.last()?;
    let max = values().fold(f64::NEG_INFINITY, f64::max);
    let min = values().fold(f64::INFINITY, f64::min);
    Some(match of {
        Statistic::Max => max,
        Statistic::Min => min,
        Statistic::Final => last,
        Statistic::Range => max - min,
        Statistic::Mean => {
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
        answer(&table(), "a.position.x", when)
    }

    fn over(of: Statistic, from: f64, until: f64) -> Option<f64> {
        ask(When::Over { of, from, until })
    }

    #[test]
    fn samples_are_reduced() {
        let all = f64::INFINITY;
        assert_eq!(over(Statistic::Max, 0.0, all), Some(2.0));
        assert_eq!(over(Statistic::Min, 0.0, all), Some(-1.0));
        assert_eq!(over(Statistic::Final, 0.0, all), Some(-1.0));
        assert_eq!(over(Statistic::Range, 0.0, all), Some(3.0));
        // 1 m·s up to 1 s, then (2 − 1)/2·2 s = 1 m·s, over 3 s.
        assert!((over(Statistic::Mean, 0.0, all).unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(over(Statistic::Max, 2.5, all), Some(-1.0));
        assert_eq!(over(Statistic::Max, 1.5, 2.5), None);
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
        let expect = |value, tolerance| Expect {
            signal: "a.position.x".into(),
            when: When::At(1.0),
            check: Check::Near { value, tolerance },
            why: "because".into(),
        };
        assert!(evaluate(&expect(2.05, 0.1), &table()).met);
        let missed = evaluate(&expect(2.2, 0.1), &table());
        assert!(!missed.met);
        assert_eq!((missed.got, missed.unit.as_str()), (Some(2.0), "m"));
        assert_eq!(missed.what, "a.position.x at 1 s");
        assert_eq!(missed.asked_text(), "2.2 ± 0.1 m");
    }

    #[test]
    fn what_was_not_due_yet_is_not_missed() {
        let expect = |when| Expect {
            signal: "a.position.x".into(),
            when,
            check: Check::Near { value: 9.0, tolerance: 0.1 },
            why: String::new(),
        };
        let verdict = |when| evaluate_until(&expect(when), &table(), 3.0).verdict();
        assert_eq!(verdict(When::At(1.0)), "missed");
        assert_eq!(verdict(When::At(7.0)), "not reached");
        let over = |until| When::Over { of: Statistic::Max, from: 0.0, until };
        assert_eq!(verdict(over(2.0)), "missed");
        assert_eq!(verdict(over(f64::INFINITY)), "not reached");
    }

    #[test]
    fn bounds_are_strict_and_may_be_open() {
        let within = |above, below| Check::Within { above, below };
        assert!(meets(within(Some(1.0), None), 1.5));
        assert!(!meets(within(Some(1.0), None), 1.0));
        assert!(!meets(within(None, Some(0.5)), 1.0));
        let outcome = Outcome::new("x".into(), "N", within(None, Some(0.5)), Some(1.0), "");
        assert_eq!((outcome.asked_text().as_str(), outcome.met), ("below 0.5 N", false));
    }

    #[test]
    fn what_was_not_recorded_is_missed() {
        let expect = Expect {
            signal: "b".into(),
            when: When::At(1.0),
            check: Check::Near { value: 0.0, tolerance: 1e9 },
            why: String::new(),
        };
        let outcome = evaluate(&expect, &table());
        assert_eq!((outcome.got, outcome.met), (None, false));
    }

    /// A ball without contacts, and one expectation.
    fn unit_error(signal: &str, check: &str) -> Option<String> {
        let text = format!(
            "format = 1\ntitle = \"t\"\n[parameter]\np = \"3 kg\"\n[run]\nduration = 1\n[body.a]\nmass = \"$p\"\n\
             inertia = [1, 1, 1]\n[[expect]]\nsignal = \"{signal}\"\nat = \"end\"\n{check}\nwhy = \"\"\n"
        );
        let scenario = fender_scenario::load_str("t", &text, &fender_scenario::Assets::none(), &[]).unwrap();
        check_units(&scenario).err().map(|e| format!("{} {}", e.key().unwrap_or_default(), e.message()))
    }

    #[test]
    fn a_unit_of_another_kind_is_refused() {
        for (signal, check, error) in [
            (
                "a.contact.force.z",
                "value = \"1962 kg\"\ntolerance = 1",
                "expect[0].value expected a force, got a mass (\"1962 kg\")",
            ),
            (
                "a.contact.force.z",
                "value = 1962\ntolerance = \"1 %\"",
                "expect[0].tolerance expected a force, got a plain number (\"1 %\")",
            ),
            (
                "a.velocity.x",
                "below = \"5 mm\"",
                "expect[0].below expected a velocity, got a length (\"5 mm\")",
            ),
            (
                "a.acceleration.x",
                "above = \"$p\"",
                "expect[0].above expected an acceleration, got a mass (\"3 kg\")",
            ),
            (
                "a.orientation.w",
                "above = \"30 deg\"",
                "expect[0].above expected a plain number, got an angle (\"30 deg\")",
            ),
        ] {
            assert_eq!(unit_error(signal, check).as_deref(), Some(error));
        }
    }

    #[test]
    fn units_of_the_signals_kind_and_plain_numbers_are_taken() {
        for (signal, check) in [
            ("a.contact.force.z", "value = \"2 kN\"\ntolerance = \"1 N\""),
            ("a.contact.force.z", "value = 2000\nrelative_tolerance = \"1 %\""),
            ("a.acceleration.x", "below = \"5 mm/s^2\""),
            ("a.angular_velocity.x", "below = \"10 rpm\""),
            ("a.angular_momentum.x", "below = \"1 N*m*s\""),
            ("energy.relative_residual", "below = \"1e-6\""),
            ("energy.kinetic", "below = \"1 mJ\""),
        ] {
            assert_eq!(unit_error(signal, check), None, "{signal} {check}");
        }
    }
}
