//! What is adjusted: a number of the scenario between two bounds.

use crate::error::RunError;
use crate::measure::{measure, number_and_unit, si_unit};
use crate::scenario::{Override, Scenario};
use crate::sweep::Load;
use fender_math::float;
use fender_scenario::units::Dimension;
use fender_scenario::{ErrorKind, Found};

/// A range this many times its positive lower bound is searched by its logarithm: what may be 1e7 or 1e10 is as likely to
/// be tripled as to be a third.
const DECADES: f64 = 100.0;

/// A key with its bounds, as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjust {
    /// Path of the key, or name of a parameter.
    pub key: String,
    /// Lower bound, in SI.
    pub lower: f64,
    /// Upper bound, in SI.
    pub upper: f64,
    dimension: Dimension,
}

/// A key with its start value, as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Path of the key, or name of a parameter.
    pub key: String,
    /// Value, in SI.
    pub value: f64,
    dimension: Dimension,
}

impl Adjust {
    /// Reads `key=lower..upper`; the bounds may have a unit, the same for both (`1 N/m..3 N/m`, `1..3 N/m`).
    pub fn parse(text: &str) -> Result<Self, RunError> {
        let bad = |why: &str| RunError::BadInput(format!("--adjust '{text}': {why}; write key=lower..upper"));
        let (key, range) = split(text).map_err(bad)?;
        let (lower, upper) = range.split_once("..").ok_or_else(|| bad("there is no '..'"))?;
        let numbers = || {
            let ((_, unit), (_, last)) = (number_and_unit(lower)?, number_and_unit(upper)?);
            let lower = if unit.is_empty() { measure(&format!("{lower} {last}"))? } else { measure(lower)? };
            let upper = measure(upper)?;
            (lower.dimension == upper.dimension).then_some((lower, upper))
        };
        let (lower, upper) = numbers().ok_or_else(|| bad("the bounds are not numbers in one unit"))?;
        if lower.value >= upper.value {
            return Err(bad("the lower bound is not below the upper one"));
        }
        Ok(Self { key: key.to_owned(), lower: lower.value, upper: upper.value, dimension: lower.dimension })
    }
}

impl Start {
    /// Reads `key=value`.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        let bad = |why: &str| RunError::BadInput(format!("--start '{text}': {why}; write key=value"));
        let (key, value) = split(text).map_err(bad)?;
        let value = measure(value).ok_or_else(|| bad("the value is not a number"))?;
        Ok(Self { key: key.to_owned(), value: value.value, dimension: value.dimension })
    }
}

fn split(text: &str) -> Result<(&str, &str), &'static str> {
    let (key, rest) = text.split_once('=').ok_or("there is no '='")?;
    match (key.trim(), rest.trim()) {
        ("", _) => Err("there is no key"),
        (_, "") => Err("there is no value"),
        both => Ok(both),
    }
}

/// A number that is adjusted. Its place between the bounds is told by a coordinate from 0 to 1, even in the value or, for
/// ranges of decades, in its logarithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Path of the key, or name of a parameter.
    pub key: String,
    /// SI unit; empty if it has none or none is known.
    pub unit: &'static str,
    /// Lower bound, in SI.
    pub lower: f64,
    /// Upper bound, in SI.
    pub upper: f64,
    /// Value it starts from, in SI.
    pub start: f64,
    /// Whether its logarithm is what is searched.
    pub logarithmic: bool,
}

impl Parameter {
    fn new(adjust: &Adjust, start: f64, dimension: Dimension) -> Result<Self, RunError> {
        let Adjust { key, lower, upper, .. } = adjust;
        // A dimension without a name is left to the scenario, where a plain number is in SI.
        let unit = si_unit(dimension).unwrap_or_default();
        if !(*lower..=*upper).contains(&start) {
            return Err(RunError::BadInput(format!(
                "`{key}` starts from {start} {unit}, outside its bounds {lower} to {upper} {unit}: give another value with --start '{key}=…' or other bounds"
            )));
        }
        Ok(Self {
            key: key.clone(),
            unit,
            lower: *lower,
            upper: *upper,
            start,
            logarithmic: *lower > 0.0 && upper / lower >= DECADES,
        })
    }

    /// Value at a place between the bounds, in SI.
    pub fn value(&self, place: f64) -> f64 {
        let value = if self.logarithmic {
            self.lower * float::exp(place * float::ln(self.upper / self.lower))
        } else {
            self.lower + place * (self.upper - self.lower)
        };
        // Rounding must not leave the bounds.
        value.clamp(self.lower, self.upper)
    }

    /// Place of a value between the bounds.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.logarithmic {
            float::ln(value / self.lower) / float::ln(self.upper / self.lower)
        } else {
            (value - self.lower) / (self.upper - self.lower)
        };
        place.clamp(0.0, 1.0)
    }

    /// Change of the value with its place, in SI.
    pub fn slope(&self, place: f64) -> f64 {
        if self.logarithmic {
            self.value(place) * float::ln(self.upper / self.lower)
        } else {
            self.upper - self.lower
        }
    }

    /// The override that sets a value.
    pub fn setting(&self, value: f64) -> Override {
        let text =
            if self.unit.is_empty() { format!("{value:?}") } else { format!("{value:?} {}", self.unit) };
        Override::new(&self.key, text)
    }
}

/// Looks up in the scenario what is to be adjusted, and where it starts.
pub fn resolve(
    adjusts: &[Adjust],
    starts: &[Start],
    scenario: &Scenario,
    load: &Load,
) -> Result<Vec<Parameter>, RunError> {
    let bad = |message: String| Err(RunError::BadInput(message));
    if adjusts.is_empty() {
        return bad("there is nothing to adjust: name a parameter with --adjust key=lower..upper".into());
    }
    for (i, adjust) in adjusts.iter().enumerate() {
        if adjusts[..i].iter().any(|other| other.key == adjust.key) {
            return bad(format!("`{}` is adjusted twice", adjust.key));
        }
    }
    if let Some(start) = starts.iter().find(|s| !adjusts.iter().any(|a| a.key == s.key)) {
        let keys: Vec<String> = adjusts.iter().map(|a| format!("`{}`", a.key)).collect();
        return bad(format!("--start: `{}` is not adjusted; adjusted: {}", start.key, keys.join(", ")));
    }
    adjusts.iter().map(|adjust| one(adjust, starts, scenario, load)).collect()
}

fn one(adjust: &Adjust, starts: &[Start], scenario: &Scenario, load: &Load) -> Result<Parameter, RunError> {
    let key = &adjust.key;
    let bad = |message: String| Err(RunError::BadInput(message));
    let given = starts.iter().rev().find(|s| s.key == *key);
    let plain = Dimension::default();
    let (found, written) = match (scenario.find(key), given) {
        (Found::Parameter(name), _) => {
            return bad(format!("`{key}` is set by the parameter `{name}`: adjust that"));
        }
        (Found::Other(words), _) => return bad(format!("`{key}` is {words}, and not a number")),
        (Found::Number(measure), _) => (Some(measure.value), measure.dimension),
        (Found::Nothing, _) => (None, plain),
    };
    let dimensions = [written, adjust.dimension, given.map_or(plain, |g| g.dimension)];
    let mut dimension = plain;
    for own in dimensions.into_iter().filter(|d| *d != plain) {
        if dimension != plain && own != dimension {
            return bad(format!("`{key}` is {dimension}, but its bounds or its start are {own}"));
        }
        dimension = own;
    }
    if let Some(start) = given.map(|g| g.value).or(found) {
        return Parameter::new(adjust, start, dimension);
    }
    // The loader knows whether there could be a number, and what was meant if not.
    let parameter = Parameter::new(adjust, adjust.lower, dimension)?;
    match load(&[parameter.setting(parameter.value(0.5))]) {
        // The value is none that was typed: the error is told without its place.
        Err(RunError::Scenario(e)) if e.kind() != ErrorKind::Unreadable => {
            let help = e.advice().map(|help| format!("; {help}")).unwrap_or_default();
            bad(format!("--adjust '{key}': {}{help}", e.message()))
        }
        Err(error) => Err(error),
        Ok(_) => {
            bad(format!("the scenario gives `{key}` no value: say where to start with --start '{key}=…'"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str, start: f64) -> Parameter {
        Parameter::new(&Adjust::parse(text).unwrap(), start, Dimension::default()).unwrap()
    }

    #[test]
    fn bounds_are_read_with_units() {
        let read = |text: &str| Adjust::parse(text).map(|a| (a.key, a.lower, a.upper)).unwrap();
        assert_eq!(read("k=1e7..1e10"), ("k".into(), 1e7, 1e10));
        assert_eq!(read("a.b[0] = 1 kN/m .. 2 MN/m"), ("a.b[0]".into(), 1e3, 2e6));
        assert_eq!(read("z=-3..4 mm"), ("z".into(), -3e-3, 4e-3));
    }

    #[test]
    fn malformed_bounds_say_what_is_wrong() {
        for (text, word) in [
            ("k", "there is no '='"),
            ("=1..2", "no key"),
            ("k=", "no value"),
            ("k=1", "no '..'"),
            ("k=a..2", "not numbers"),
            ("k=1 m..2 s", "one unit"),
            ("k=1 m..2", "one unit"),
            ("k=2..2", "not below"),
            ("k=3..2", "not below"),
            ("k=nan..2", "not numbers"),
        ] {
            let error = Adjust::parse(text).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
        for (text, word) in [("k", "'='"), ("k=x", "not a number")] {
            assert!(Start::parse(text).unwrap_err().to_string().contains(word));
        }
    }

    #[test]
    fn places_and_values_are_inverse_and_the_slope_is_the_derivative() {
        for (parameter, logarithmic) in [
            (parameter("k=1e7..1e10", 1e8), true),
            (parameter("e=0.1..1", 0.5), false),
            (parameter("z=-1..1e3", 0.0), false),
        ] {
            assert_eq!(parameter.logarithmic, logarithmic);
            for i in 0..=10 {
                let place = f64::from(i) / 10.0;
                let value = parameter.value(place);
                assert!((parameter.place(value) - place).abs() < 1e-12);
                let h = 1e-6;
                let slope = (parameter.value(place + h) - parameter.value(place - h)) / (2.0 * h);
                if (1..10).contains(&i) {
                    assert!((slope / parameter.slope(place) - 1.0).abs() < 1e-6, "{parameter:?}");
                }
            }
        }
    }

    #[test]
    fn a_start_outside_the_bounds_is_refused() {
        let adjust = Adjust::parse("k=1..2").unwrap();
        let error = Parameter::new(&adjust, 2.5, Dimension::default()).unwrap_err();
        assert!(error.to_string().contains("outside its bounds"), "{error}");
    }
}
