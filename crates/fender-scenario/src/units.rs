//! Unit strings: `"12 kN"`, `"30 deg"`, `"1100 kg/m^3"`, `"5 N*m"`, `"0.1 ms"`.
//!
//! A text is a number followed by a unit: symbols with SI prefixes, joined by `*`, `·`, a space or `/`, raised with `^`
//! (or `²`, `³`; halves as in `N/m^1.5`), grouped by parentheses. A quotient takes one factor at a time, from the left: `J/kg*m` is (J/kg)·m.

use crate::expression::FUNCTIONS;
use std::f64::consts::{PI, TAU};
use std::fmt;

/// Exponents of metre, kilogram, second and radian, counted in halves: Hertz' stiffness is in N/m^1.5.
///
/// The radian is kept apart although SI counts it as 1: `"10 Hz"` for an angular velocity, or `"2 rad"` for a
/// coefficient of friction, is a mistake worth telling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    length: i8,
    mass: i8,
    time: i8,
    angle: i8,
}

/// Largest power that a unit may have, in halves: beyond any quantity of mechanics, and small enough to add up safely.
const MAX_POWER: i8 = 24;
/// Deepest nesting of parentheses.
const MAX_DEPTH: usize = 8;

impl Dimension {
    /// A dimension from whole exponents.
    pub const fn new(length: i8, mass: i8, time: i8, angle: i8) -> Self {
        Self { length: 2 * length, mass: 2 * mass, time: 2 * time, angle: 2 * angle }
    }

    /// A dimension from exponents counted in halves.
    pub const fn halves(length: i8, mass: i8, time: i8, angle: i8) -> Self {
        Self { length, mass, time, angle }
    }

    /// The same, per radian.
    pub const fn per_radian(self) -> Self {
        Self { angle: self.angle - 2, ..self }
    }

    /// The dimension of a product; `None` where a power grows too large.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        self.combine(other, 1)
    }

    /// The dimension of a quotient; `None` where a power grows too large.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        self.combine(other, -1)
    }

    fn combine(self, other: Self, sign: i8) -> Option<Self> {
        let add = |a: i8, b: i8| {
            let sum = a.checked_add(b.checked_mul(sign)?)?;
            (sum.abs() <= MAX_POWER).then_some(sum)
        };
        Some(Self {
            length: add(self.length, other.length)?,
            mass: add(self.mass, other.mass)?,
            time: add(self.time, other.time)?,
            angle: add(self.angle, other.angle)?,
        })
    }

    /// The dimension to the power of `n` halves; `None` where that leaves quarters, or grows too large.
    pub(crate) fn power(self, n: i8) -> Option<Self> {
        let scale = |a: i8| {
            let quarters = i16::from(a) * i16::from(n);
            let halves = i8::try_from(quarters / 2).ok()?;
            (quarters % 2 == 0 && halves.abs() <= MAX_POWER).then_some(halves)
        };
        Some(Self {
            length: scale(self.length)?,
            mass: scale(self.mass)?,
            time: scale(self.time)?,
            angle: scale(self.angle)?,
        })
    }
}

/// Dimensions that have a name, with their SI units.
const NAMED: [(&str, &str, Dimension); 22] = [
    ("a plain number", "", Dimension::new(0, 0, 0, 0)),
    ("a length", "m", Dimension::new(1, 0, 0, 0)),
    ("an area", "m^2", Dimension::new(2, 0, 0, 0)),
    ("a volume", "m^3", Dimension::new(3, 0, 0, 0)),
    ("a mass", "kg", Dimension::new(0, 1, 0, 0)),
    ("a time", "s", Dimension::new(0, 0, 1, 0)),
    ("an angle", "rad", Dimension::new(0, 0, 0, 1)),
    ("a frequency", "Hz", Dimension::new(0, 0, -1, 0)),
    ("a velocity", "m/s", Dimension::new(1, 0, -1, 0)),
    ("an acceleration", "m/s^2", Dimension::new(1, 0, -2, 0)),
    ("an angular velocity", "rad/s", Dimension::new(0, 0, -1, 1)),
    ("an angular acceleration", "rad/s^2", Dimension::new(0, 0, -2, 1)),
    ("a density", "kg/m^3", Dimension::new(-3, 1, 0, 0)),
    ("a force", "N", Dimension::new(1, 1, -2, 0)),
    ("a torque or energy", "N*m", Dimension::new(2, 1, -2, 0)),
    ("a power", "W", Dimension::new(2, 1, -3, 0)),
    ("a pressure", "Pa", Dimension::new(-1, 1, -2, 0)),
    ("a stiffness", "N/m", Dimension::new(0, 1, -2, 0)),
    ("a damping", "N*s/m", Dimension::new(0, 1, -1, 0)),
    ("a moment of inertia", "kg*m^2", Dimension::new(2, 1, 0, 0)),
    ("a mass per length", "kg/m", Dimension::new(-1, 1, 0, 0)),
    ("a bending stiffness", "N*m^2", Dimension::new(3, 1, -2, 0)),
];

impl Dimension {
    fn named(self) -> Option<(&'static str, &'static str)> {
        NAMED.iter().find(|(.., d)| *d == self).map(|(name, unit, _)| (*name, *unit))
    }

    /// The SI unit, such as `N`, or its base units; empty for a plain number.
    pub fn si_unit(self) -> String {
        if let Some((_, unit)) = self.named() {
            return unit.into();
        }
        let parts = [("kg", self.mass), ("m", self.length), ("s", self.time), ("rad", self.angle)];
        let symbols = parts.into_iter().filter(|(_, power)| *power != 0).map(|(symbol, power)| match power {
            2 => symbol.to_owned(),
            _ => format!("{symbol}^{}", f64::from(power) / 2.0),
        });
        symbols.collect::<Vec<_>>().join("*")
    }
}

impl fmt::Display for Dimension {
    /// "a length", or base units where there is no word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.named() {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "a quantity in {}", self.si_unit()),
        }
    }
}

/// Units that take SI prefixes: symbol, value in SI, dimension.
const PREFIXED: [(&str, f64, Dimension); 9] = [
    ("m", 1.0, Dimension::new(1, 0, 0, 0)),
    ("g", 1e-3, Dimension::new(0, 1, 0, 0)),
    ("s", 1.0, Dimension::new(0, 0, 1, 0)),
    ("rad", 1.0, Dimension::new(0, 0, 0, 1)),
    ("N", 1.0, Dimension::new(1, 1, -2, 0)),
    ("Pa", 1.0, Dimension::new(-1, 1, -2, 0)),
    ("J", 1.0, Dimension::new(2, 1, -2, 0)),
    ("W", 1.0, Dimension::new(2, 1, -3, 0)),
    ("Hz", 1.0, Dimension::new(0, 0, -1, 0)),
];

/// Units that stand as they are.
const PLAIN: [(&str, f64, Dimension); 11] = [
    ("1", 1.0, Dimension::new(0, 0, 0, 0)),
    ("%", 0.01, Dimension::new(0, 0, 0, 0)),
    ("deg", PI / 180.0, Dimension::new(0, 0, 0, 1)),
    ("°", PI / 180.0, Dimension::new(0, 0, 0, 1)),
    ("rev", TAU, Dimension::new(0, 0, 0, 1)),
    ("rpm", TAU / 60.0, Dimension::new(0, 0, -1, 1)),
    ("min", 60.0, Dimension::new(0, 0, 1, 0)),
    ("h", 3600.0, Dimension::new(0, 0, 1, 0)),
    ("t", 1e3, Dimension::new(0, 1, 0, 0)),
    ("bar", 1e5, Dimension::new(-1, 1, -2, 0)),
    ("knot", 1852.0 / 3600.0, Dimension::new(1, 0, -1, 0)),
];

/// SI prefixes as (symbol, power of ten). `m` is milli and `M` mega.
const PREFIXES: [(&str, i32); 11] = [
    ("p", -12),
    ("n", -9),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("k", 3),
    ("M", 6),
    ("G", 9),
];

/// A number with its dimension, in SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Value in SI units.
    pub value: f64,
    /// Dimension.
    pub dimension: Dimension,
}

impl Measure {
    /// Value, unit and what it is: "2 m (a length)".
    pub(crate) fn words(&self) -> String {
        format!("{self} ({})", self.dimension)
    }
}

impl fmt::Display for Measure {
    /// Value and SI unit, as [`parse`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.dimension.si_unit();
        if unit.is_empty() { write!(f, "{}", self.value) } else { write!(f, "{} {unit}", self.value) }
    }
}

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// No number at the start.
    #[error("\"{0}\" does not start with a number")]
    NoNumber(String),
    /// A comma in a number; the text with a point in its place.
    #[error("a number has a point for its fraction, not a comma (did you mean \"{0}\"?)")]
    Comma(String),
    /// A symbol that is not a unit.
    #[error("\"{symbol}\" is not a unit{}", hint(suggestion.as_deref()))]
    UnknownUnit {
        /// The symbol.
        symbol: String,
        /// A unit that looks like it.
        suggestion: Option<String>,
    },
    /// The unit cannot be read.
    #[error("the unit \"{0}\" cannot be read")]
    Malformed(String),
}

fn hint(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |s| format!(" (did you mean \"{s}\"?)"))
}

/// Reads a text such as `"12 kN"`.
pub fn parse(text: &str) -> Result<Measure, UnitError> {
    let text = text.trim();
    let end = number_length(text);
    let number: f64 = text[..end].parse().map_err(|_| UnitError::NoNumber(text.into()))?;
    let unit = text[end..].trim();
    if unit.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(UnitError::Comma(text.replacen(',', ".", 1)));
    }
    if unit.is_empty() {
        return Ok(Measure { value: number, dimension: Dimension::default() });
    }
    let mut reader = Reader { rest: unit, whole: unit, open: false };
    let Unit { factor, tens, dimension } = reader.product(0)?;
    if !reader.rest.is_empty() {
        return Err(reader.malformed());
    }
    Ok(Measure { value: scale_by_tens(number * factor, tens), dimension })
}

/// Reads the number at the start of an expression and the unit after it, as far as that goes: of `"2 m/s*$t"` it takes `2 m/s`.
/// Answers also whether the number has no unit, and with what follows.
pub(crate) fn parse_start(text: &str) -> Result<(Measure, bool, &str), UnitError> {
    let end = number_length(text);
    let number: f64 = text[..end].parse().map_err(|_| UnitError::NoNumber(text.into()))?;
    let after = text[end..].trim_start();
    let mut reader = Reader { rest: after, whole: after, open: true };
    if !(after.starts_with("1/") || reader.starts_factor(0)) {
        return Ok((Measure { value: number, dimension: Dimension::default() }, true, &text[end..]));
    }
    let Unit { factor, tens, dimension } = reader.product(0)?;
    Ok((Measure { value: scale_by_tens(number * factor, tens), dimension }, false, reader.rest))
}

/// Multiplies by a power of ten so that `"0.1 ms"` is the float nearest to 1e-4: dividing by an exact 10ⁿ rounds once,
/// multiplying by an inexact 10⁻ⁿ would round twice.
fn scale_by_tens(value: f64, tens: i32) -> f64 {
    let power = |n: i32| (0..n).fold(1.0, |p: f64, _| p * 10.0);
    if tens >= 0 { value * power(tens) } else { value / power(-tens) }
}

/// Length of the number at the start of a text: sign, digits, fraction, exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i
    };
    let sign = |i: usize| i + usize::from(matches!(bytes.get(i), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = sign(end + 1);
        if digits(start) > start {
            end = digits(start);
        }
    }
    end
}

/// A unit: value = factor · 10^tens in SI.
#[derive(Clone, Copy)]
struct Unit {
    factor: f64,
    tens: i32,
    dimension: Dimension,
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
    /// The unit may end before the text does, as in an expression.
    open: bool,
}

impl<'a> Reader<'a> {
    fn malformed(&self) -> UnitError {
        UnitError::Malformed(self.whole.into())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest.strip_prefix(c);
        if let Some(rest) = found {
            self.rest = rest;
        }
        found.is_some()
    }

    /// Whether a unit begins here, and not a number, a parameter or a function.
    fn starts_factor(&self, depth: usize) -> bool {
        if self.rest.starts_with('(') {
            return Reader { ..*self }.factor(depth).is_ok();
        }
        let end = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let calls = rest.trim_start().starts_with('(') && FUNCTIONS.iter().any(|(name, ..)| *name == word);
        self.rest.starts_with(['%', '°']) || !(word.is_empty() || word == "pi" || calls)
    }

    fn product(&mut self, depth: usize) -> Result<Unit, UnitError> {
        let mut unit = self.factor(depth)?;
        loop {
            let end = self.rest;
            self.skip_space();
            let sign = if self.take('/') {
                -1
            } else if self.take('*') || self.take('·') {
                1
            } else if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(unit);
            } else {
                1 // juxtaposition: "N m"
            };
            self.skip_space();
            if self.open && !self.starts_factor(depth) {
                self.rest = end;
                return Ok(unit);
            }
            let next = self.factor(depth)?;
            unit.dimension = unit.dimension.combine(next.dimension, sign).ok_or_else(|| self.malformed())?;
            unit.factor = if sign > 0 { unit.factor * next.factor } else { unit.factor / next.factor };
            unit.tens += next.tens * i32::from(sign);
        }
    }

    fn factor(&mut self, depth: usize) -> Result<Unit, UnitError> {
        if depth > MAX_DEPTH {
            return Err(self.malformed());
        }
        let base = if self.take('(') {
            let inner = self.product(depth + 1)?;
            if !self.take(')') {
                return Err(self.malformed());
            }
            inner
        } else {
            lookup(self.symbol()?)?
        };
        let halves = self.exponent()?;
        let dimension = base.dimension.power(halves).ok_or_else(|| self.malformed())?;
        let power = |x: f64, n: i8| {
            let p = (0..n.unsigned_abs()).fold(1.0, |p, _| p * x);
            if n < 0 { 1.0 / p } else { p }
        };
        if halves % 2 == 0 {
            let n = halves / 2;
            return Ok(Unit { factor: power(base.factor, n), tens: base.tens * i32::from(n), dimension });
        }
        let root = scale_by_tens(base.factor, base.tens).sqrt();
        Ok(Unit { factor: power(root, halves), tens: 0, dimension })
    }

    fn symbol(&mut self) -> Result<&'a str, UnitError> {
        if let Some(rest) = self.rest.strip_prefix('1') {
            self.rest = rest;
            return Ok("1");
        }
        let end =
            self.rest.find(|c: char| !(c.is_alphabetic() || c == '%' || c == '°')).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.malformed());
        }
        let (symbol, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(symbol)
    }

    /// The exponent after a symbol, in halves.
    fn exponent(&mut self) -> Result<i8, UnitError> {
        for (c, halves) in [('²', 4), ('³', 6)] {
            if self.take(c) {
                return Ok(halves);
            }
        }
        if !self.take('^') {
            return Ok(2);
        }
        let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let digits = digits.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (number, rest) = self.rest.split_at(self.rest.len() - digits.len());
        self.rest = rest;
        let halves = number.parse().map_or(f64::NAN, |n: f64| 2.0 * n);
        if halves.fract() == 0.0 && halves.abs() <= f64::from(MAX_POWER) {
            return Ok(halves as i8);
        }
        Err(self.malformed())
    }
}

fn lookup(symbol: &str) -> Result<Unit, UnitError> {
    if let Some((_, factor, dimension)) = PLAIN.iter().find(|(name, ..)| *name == symbol) {
        return Ok(Unit { factor: *factor, tens: 0, dimension: *dimension });
    }
    for (name, factor, dimension) in PREFIXED {
        let Some(prefix) = symbol.strip_suffix(name) else { continue };
        let tens = if prefix.is_empty() {
            Some(0)
        } else {
            PREFIXES.iter().find(|(p, _)| *p == prefix).map(|(_, tens)| *tens)
        };
        if let Some(tens) = tens {
            // The gram is the one base unit that is not SI by itself; its factor goes with the tens to stay exact.
            let (factor, tens) = if name == "g" { (1.0, tens - 3) } else { (factor, tens) };
            return Ok(Unit { factor, tens, dimension });
        }
    }
    // Short symbols are near to everything: only a difference in case, or a spelt-out name, is worth a suggestion.
    let spelt = [
        ("meter", "m"),
        ("metre", "m"),
        ("second", "s"),
        ("sec", "s"),
        ("kilogram", "kg"),
        ("newton", "N"),
        ("degree", "deg"),
        ("radian", "rad"),
        ("hour", "h"),
        ("minute", "min"),
        ("tonne", "t"),
        ("ton", "t"),
        ("pascal", "Pa"),
    ];
    let lower = symbol.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let common =
        ["kg", "N", "kN", "Pa", "MPa", "GPa", "J", "W", "Hz", "mm", "ms", "s", "m", "rad", "deg", "rpm"];
    let suggestion = spelt
        .iter()
        .find(|(name, _)| *name == singular)
        .map(|(_, unit)| *unit)
        .or_else(|| common.into_iter().find(|unit| unit.to_lowercase() == lower))
        .map(String::from);
    Err(UnitError::UnknownUnit { symbol: symbol.into(), suggestion })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn si(text: &str) -> f64 {
        parse(text).unwrap().value
    }

    #[test]
    fn prefixes_products_quotients_and_powers() {
        assert_eq!(si("12 kN"), 12e3);
        assert_eq!(si("0.1 ms"), 1e-4);
        assert_eq!(si("40ms"), 0.04);
        assert_eq!(si("2 GPa"), 2e9);
        assert_eq!(si("1100 kg/m^3"), 1100.0);
        assert_eq!(si("1.1 g/cm³"), 1100.0);
        assert_eq!(si("5 N*m"), 5.0);
        assert_eq!(si("5 N m"), 5.0);
        assert_eq!(si("-3e2 mm"), -0.3);
        assert_eq!(si("36 km/h"), 10.0);
        assert_eq!(si("1 kN/(m*s^-1)"), 1000.0);
        assert_eq!(si("50 %"), 0.5);
        assert_eq!(si("3 µm"), 3e-6);
        assert_eq!(si("7"), 7.0);
        assert_eq!(si("3 N/m^1.5"), 3.0);
        assert!((si("1 N/mm^1.5") - 1e4_f64.powf(1.125)).abs() < 1e-9);
        assert!((si("30 deg") - PI / 6.0).abs() < 1e-16);
        assert!((si("10 rpm") - TAU / 6.0).abs() < 1e-15);
    }

    #[test]
    fn dimensions_follow() {
        assert_eq!(parse("1 N").unwrap().dimension, parse("1 kg*m/s^2").unwrap().dimension);
        assert_eq!(parse("1 rpm").unwrap().dimension, parse("1 deg/s").unwrap().dimension);
        assert_ne!(parse("1 Hz").unwrap().dimension, parse("1 rad/s").unwrap().dimension);
        assert_eq!(parse("1 N/m").unwrap().dimension.to_string(), "a stiffness");
        assert_eq!(parse("1 N/m^3").unwrap().dimension.to_string(), "a quantity in kg*m^-2*s^-2");
        assert_eq!(parse("1 N/m^1.5").unwrap().dimension.to_string(), "a quantity in kg*m^-0.5*s^-2");
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(matches!(parse("m"), Err(UnitError::NoNumber(_))));
        assert!(matches!(parse(""), Err(UnitError::NoNumber(_))));
        assert!(matches!(parse("1 m^"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 (m"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 m^99"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 m^0.3"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 (m^0.5)^0.5"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 m^1-2"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 m^9*m^9"), Err(UnitError::Malformed(_))));
        assert!(matches!(parse("1 m)"), Err(UnitError::Malformed(_))));
        assert!(parse(&format!("1 {}m", "(".repeat(10_000))).is_err());
        assert_eq!(
            parse("2 meters").unwrap_err().to_string(),
            "\"meters\" is not a unit (did you mean \"m\"?)"
        );
        assert_eq!(parse("2 KG").unwrap_err().to_string(), "\"KG\" is not a unit (did you mean \"kg\"?)");
    }
}
