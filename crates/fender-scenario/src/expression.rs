//! Arithmetic in texts: `"$height + 0.1 m"`, `"2*$radius"`, `"sqrt(2) * 3 m"`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "·" | "/") signed }
//! signed  = ("-" | "+") signed | power
//! power   = operand [ "^" signed ]
//! operand = number [unit] | "$" parameter | "pi" | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! A number and its unit belong together: `6 m / 2 s` is (6 m)/(2 s). Every operation checks units and refuses results that are
//! not finite.

use crate::error::Problem;
use crate::units::{self, Dimension, Measure};
use fender_math::float;

/// Deepest nesting of parentheses, signs and powers.
const MAX_DEPTH: usize = 32;

/// Functions and how many operands they take at least and at most.
pub(crate) const FUNCTIONS: [(&str, usize, usize); 7] = [
    ("sqrt", 1, 1),
    ("sin", 1, 1),
    ("cos", 1, 1),
    ("tan", 1, 1),
    ("abs", 1, 1),
    ("min", 2, 16),
    ("max", 2, 16),
];

/// Why a text has no value.
#[derive(Debug)]
pub(crate) enum ExpressionError {
    /// It cannot be read.
    Syntax(String),
    /// It can be read, but not be calculated: what is wrong, and a remedy.
    Value(String, Option<String>),
    /// A parameter in it is wrong.
    Parameter(Box<Problem>),
}

/// A value with what is known of its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Operand {
    pub measure: Measure,
    /// Only numbers without a unit went into it: as a number in the file, it is in SI units wherever it is used.
    pub bare: bool,
}

impl Operand {
    /// A number without a unit.
    pub fn bare(value: f64) -> Self {
        Self { measure: Measure { value, dimension: Dimension::default() }, bare: true }
    }
}

/// Finds the parameter at the start of what follows a `$`: the length of its name, and its value.
pub(crate) type Lookup<'a> = dyn FnMut(&str) -> Result<(usize, Operand), Box<Problem>> + 'a;

/// Whether a text with parameters in it is to be calculated: others, such as a sentence with a price, stay as they are.
pub(crate) fn is_expression(text: &str) -> bool {
    let starts_name = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let text = text.trim_start();
    let opens = text.starts_with(|c: char| c.is_ascii_digit() || "$+-.(".contains(c))
        || text.strip_prefix("pi").is_some_and(|rest| !starts_name(rest))
        || FUNCTIONS
            .iter()
            .any(|(f, ..)| text.strip_prefix(f).is_some_and(|r| r.trim_start().starts_with('(')));
    opens && text.match_indices('$').any(|(i, _)| starts_name(&text[i + 1..]))
}

/// The value of a quantity: a number with a unit, or arithmetic of such. The error is that of the unit unless it can be read as
/// arithmetic.
pub(crate) fn measure(text: &str) -> Result<Measure, String> {
    let unit_error = match units::parse(text) {
        Ok(measure) => return Ok(measure),
        Err(error) => error,
    };
    let mut none = |_: &str| Ok((0, Operand::bare(f64::NAN)));
    match evaluate(text, &mut none) {
        _ if text.contains('$') => Err(unit_error.to_string()),
        Ok(operand) => Ok(operand.measure),
        Err(ExpressionError::Value(message, help)) => {
            Err(help.map_or_else(|| message.clone(), |help| format!("{message} ({help})")))
        }
        Err(_) => Err(unit_error.to_string()),
    }
}

/// Calculates a text.
pub(crate) fn evaluate(text: &str, lookup: &mut Lookup<'_>) -> Result<Operand, ExpressionError> {
    let mut parser = Parser { rest: text.trim_start(), lookup, depth: 0 };
    let value = parser.sum()?;
    if !parser.rest.is_empty() {
        return Err(parser.unexpected("an operator such as `+` or `*`"));
    }
    Ok(value)
}

struct Parser<'a, 'l> {
    rest: &'a str,
    lookup: &'l mut Lookup<'l>,
    depth: usize,
}

impl Parser<'_, '_> {
    fn unexpected(&self, wanted: &str) -> ExpressionError {
        let got = if self.rest.is_empty() { "the end".into() } else { format!("\"{}\"", self.rest) };
        ExpressionError::Syntax(format!("expected {wanted}, got {got}"))
    }

    /// Takes a sign or parenthesis, and the space after it.
    fn take(&mut self, c: char) -> bool {
        let found = self.rest.strip_prefix(c);
        if let Some(rest) = found {
            self.rest = rest.trim_start();
        }
        found.is_some()
    }

    fn sum(&mut self) -> Result<Operand, ExpressionError> {
        let mut left = self.product()?;
        loop {
            let sign = if self.take('+') {
                1.0
            } else if self.take('-') {
                -1.0
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            let words = if sign > 0.0 { ["add", "and"] } else { ["subtract from", ""] };
            same_unit(left, right, |a, b| match words {
                ["add", and] => format!("cannot add {a} {and} {b}"),
                _ => format!("cannot subtract {b} from {a}"),
            })?;
            let value = left.measure.value + sign * right.measure.value;
            left = finite(value, left.measure.dimension, left.bare && right.bare)?;
        }
    }

    fn product(&mut self) -> Result<Operand, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let divides = if self.take('/') {
                true
            } else if self.take('*') || self.take('·') {
                false
            } else {
                return Ok(left);
            };
            let right = self.signed()?;
            let (a, b) = (left.measure, right.measure);
            if divides && b.value == 0.0 {
                return Err(refused(format!("cannot divide {a} by zero")));
            }
            let dimension =
                if divides { a.dimension.over(b.dimension) } else { a.dimension.times(b.dimension) };
            let dimension = dimension.ok_or_else(|| refused("the unit has too high a power"))?;
            let value = if divides { a.value / b.value } else { a.value * b.value };
            left = finite(value, dimension, left.bare && right.bare)?;
        }
    }

    fn signed(&mut self) -> Result<Operand, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::Syntax(format!("the expression is nested deeper than {MAX_DEPTH}")));
        }
        let value = if self.take('-') {
            let mut operand = self.signed()?;
            operand.measure.value = -operand.measure.value;
            operand
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Operand, ExpressionError> {
        let base = self.operand()?;
        if !self.take('^') {
            return Ok(base);
        }
        let exponent = self.signed()?;
        let plain = Dimension::default();
        let (value, power) = (base.measure.value, exponent.measure.value);
        if exponent.measure.dimension != plain {
            return Err(refused(format!(
                "an exponent is a plain number, and not {}",
                exponent.measure.words()
            )));
        }
        let dimension = if base.measure.dimension == plain {
            plain
        } else {
            let halves = 2.0 * power;
            let halves =
                if halves.fract() == 0.0 && halves.abs() < 100.0 { Some(halves as i8) } else { None };
            halves.and_then(|n| base.measure.dimension.power(n)).ok_or_else(|| {
                refused(format!("{} to the power of {power} has no unit that is known", base.measure.words()))
            })?
        };
        let value = if power == 2.0 { value * value } else { float::pow(value, power) };
        finite(value, dimension, base.bare && exponent.bare)
    }

    fn operand(&mut self) -> Result<Operand, ExpressionError> {
        if self.take('(') {
            return self.closed();
        }
        if let Some(rest) = self.rest.strip_prefix('$') {
            let (length, value) = (self.lookup)(rest).map_err(ExpressionError::Parameter)?;
            self.rest = rest[length..].trim_start();
            return Ok(value);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            let (measure, bare, rest) =
                units::parse_start(self.rest).map_err(|e| ExpressionError::Syntax(e.to_string()))?;
            self.rest = rest.trim_start();
            return finite(measure.value, measure.dimension, bare);
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word == "pi" {
            self.rest = rest.trim_start();
            return Ok(Operand::bare(std::f64::consts::PI));
        }
        let Some((name, least, most)) = FUNCTIONS.into_iter().find(|(name, ..)| *name == word) else {
            return Err(self.unexpected("a number, a `$parameter`, `pi`, `(` or a function such as `sqrt(`"));
        };
        self.rest = rest.trim_start();
        if !self.take('(') {
            return Err(self.unexpected(&format!("`(` after `{name}`")));
        }
        let mut operands = vec![self.sum()?];
        while self.take(',') {
            operands.push(self.sum()?);
        }
        if !self.take(')') {
            return Err(self.unexpected("`)`"));
        }
        if !(least..=most).contains(&operands.len()) {
            let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            let message = format!("`{name}` takes {wanted} operands, got {}", operands.len());
            return Err(ExpressionError::Syntax(message));
        }
        call(name, &operands)
    }

    /// What is left of a parenthesis that was opened.
    fn closed(&mut self) -> Result<Operand, ExpressionError> {
        let value = self.sum()?;
        if self.take(')') { Ok(value) } else { Err(self.unexpected("`)`")) }
    }
}

fn call(name: &str, operands: &[Operand]) -> Result<Operand, ExpressionError> {
    let first = operands[0];
    let Measure { value, dimension } = first.measure;
    let plain = Dimension::default();
    match name {
        "abs" => finite(value.abs(), dimension, first.bare),
        "sqrt" if value < 0.0 => Err(refused(format!("{} has no square root", first.measure))),
        "sqrt" => {
            let dimension = dimension.power(1).ok_or_else(|| {
                refused(format!("the square root of {} has no unit", first.measure.words()))
            })?;
            finite(value.sqrt(), dimension, first.bare)
        }
        "min" | "max" => {
            let mut best = first;
            for other in &operands[1..] {
                same_unit(best, *other, |a, b| format!("`{name}` cannot compare {a} and {b}"))?;
                let (a, b) = (best.measure.value, other.measure.value);
                best.measure.value = if name == "min" { a.min(b) } else { a.max(b) };
                best.bare &= other.bare;
            }
            Ok(best)
        }
        _ if dimension != plain && dimension != Dimension::new(0, 0, 0, 1) => Err(refused(format!(
            "`{name}` takes an angle or a plain number, and not {}",
            first.measure.words()
        ))),
        _ => {
            let (sin, cos) = float::sin_cos(value);
            let value = match name {
                "sin" => sin,
                "cos" => cos,
                _ => sin / cos,
            };
            finite(value, plain, first.bare)
        }
    }
}

fn refused(message: impl Into<String>) -> ExpressionError {
    ExpressionError::Value(message.into(), None)
}

fn same_unit(
    a: Operand,
    b: Operand,
    message: impl Fn(String, String) -> String,
) -> Result<(), ExpressionError> {
    if a.measure.dimension == b.measure.dimension {
        return Ok(());
    }
    let hint = |bare: Operand, other: Operand| {
        let unit = other.measure.dimension.si_unit();
        format!("give the number its unit, such as \"{} {unit}\"", bare.measure.value)
    };
    let help = match (a.bare, b.bare) {
        (true, false) => Some(hint(a, b)),
        (false, true) => Some(hint(b, a)),
        _ => None,
    };
    Err(ExpressionError::Value(message(a.measure.words(), b.measure.words()), help))
}

fn finite(value: f64, dimension: Dimension, bare: bool) -> Result<Operand, ExpressionError> {
    if !value.is_finite() {
        return Err(refused("the result is not a finite number"));
    }
    Ok(Operand { measure: Measure { value, dimension }, bare })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn si(text: &str) -> String {
        match evaluate(text, &mut |rest: &str| {
            let names = [("height", "2 m"), ("t", "3 s"), ("n", "4")];
            let (name, value) = names.into_iter().find(|(name, _)| rest.starts_with(name)).unwrap();
            let bare = name == "n";
            Ok((name.len(), Operand { measure: units::parse(value).unwrap(), bare }))
        }) {
            Ok(operand) if operand.bare => format!("bare {}", operand.measure),
            Ok(operand) => operand.measure.to_string(),
            Err(ExpressionError::Syntax(message)) => format!("syntax: {message}"),
            Err(ExpressionError::Value(message, help)) => {
                format!("{message}{}", help.map(|h| format!("; {h}")).unwrap_or_default())
            }
            Err(ExpressionError::Parameter(_)) => unreachable!(),
        }
    }

    #[test]
    fn values_and_units_come_out_right() {
        for (text, value) in [
            ("$height + 0.5 m", "2.5 m"),
            ("$height/$t", "0.6666666666666666 m/s"),
            ("2*$n", "bare 8"),
            ("$height / 50 cm", "4"),
            ("-$height^2", "-4 m^2"),
            ("2^-1^2", "bare 0.5"),
            ("2^3^2", "bare 512"),
            ("6 m / 2 s", "3 m/s"),
            ("6 m/s * 2 s", "12 m"),
            ("1 - 2 - 3", "bare -4"),
            ("8 / 4 / 2", "bare 1"),
            ("2 kN*(1 + 0.5)", "3000 N"),
            ("5 N*m + 2 J", "7 N*m"),
            ("2 m^2-1 m^2", "1 m^2"),
            ("sqrt(16 m^2) + max(1 m, 30 cm, $height)", "6 m"),
            ("min(2 min, 1 h)", "120 s"),
            ("sin(30 deg) + cos(0) + tan(0 rad)", "1.5"),
            ("abs(-3 kg)", "3 kg"),
            ("2*pi*1 rad", "6.283185307179586 rad"),
            ("sqrt(1 N/m / 4 kg)", "0.5 Hz"),
            ("3 1/m * 2 m", "6"),
            ("1 J/(kg*m)*2", "2 m/s^2"),
            ("1e3 N/(2 m)", "500 N/m"),
        ] {
            assert_eq!(si(text), value, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_calculated_says_why() {
        for (text, message) in [
            ("$height + $t", "cannot add 2 m (a length) and 3 s (a time)"),
            ("$height - 1 s", "cannot subtract 1 s (a time) from 2 m (a length)"),
            (
                "$n + 0.5 m",
                "cannot add 4 (a plain number) and 0.5 m (a length); give the number its unit, such as \"4 m\"",
            ),
            ("max(1 m, 1 kg)", "`max` cannot compare 1 m (a length) and 1 kg (a mass)"),
            ("1 m / ($n - 4)", "cannot divide 1 m by zero"),
            ("0/0", "cannot divide 0 by zero"),
            ("1e300*1e300", "the result is not a finite number"),
            ("10^400", "the result is not a finite number"),
            ("0^-1", "the result is not a finite number"),
            ("(-8)^0.5", "the result is not a finite number"),
            ("1e999 m", "the result is not a finite number"),
            ("sqrt(-4)", "-4 has no square root"),
            ("sqrt(1 s^0.5)", "the square root of 1 s^0.5 (a quantity in s^0.5) has no unit"),
            ("2^(1 m)", "an exponent is a plain number, and not 1 m (a length)"),
            ("$height^0.3", "2 m (a length) to the power of 0.3 has no unit that is known"),
            ("(1 m)^99", "1 m (a length) to the power of 99 has no unit that is known"),
            ("sin(1 m)", "`sin` takes an angle or a plain number, and not 1 m (a length)"),
            ("(1 m^12)*(1 m)", "the unit has too high a power"),
            (
                "2 *",
                "syntax: expected a number, a `$parameter`, `pi`, `(` or a function such as `sqrt(`, got the end",
            ),
            ("(1 + 2", "syntax: expected `)`, got the end"),
            ("1 + 2)", "syntax: expected an operator such as `+` or `*`, got \")\""),
            ("$n 2", "syntax: expected an operator such as `+` or `*`, got \"2\""),
            ("sqrt 2", "syntax: expected `(` after `sqrt`, got \"2\""),
            ("min(1)", "syntax: `min` takes 2 to 16 operands, got 1"),
            ("sin(1, 2)", "syntax: `sin` takes 1 operands, got 2"),
            ("2 metre + $height", "syntax: \"metre\" is not a unit (did you mean \"m\"?)"),
        ] {
            assert_eq!(si(text), message, "{text}");
        }
        for deep in ["(", "-", "2^", "sqrt("] {
            assert!(si(&deep.repeat(100_000)).contains("nested deeper"), "{deep}");
        }
    }

    #[test]
    fn sentences_are_left_alone() {
        for text in ["$a", "-$a + 1 m", "2*$a", "(1 m + $a)", "sqrt($a)", "pi*$a", " .5 m + $_b"] {
            assert!(is_expression(text), "{text}");
        }
        for text in ["costs 5 $", "5 $ each", "a $b", "sine $a", "2 m", "", "pins of $a", "5 $9"] {
            assert!(!is_expression(text), "{text}");
        }
    }

    #[test]
    fn quantities_may_be_arithmetic() {
        assert_eq!(measure("2 m + 3 cm").unwrap().to_string(), "2.03 m");
        assert_eq!(measure("12 kN").unwrap().value, 12e3);
        assert_eq!(measure("2 m + 3 s").unwrap_err(), "cannot add 2 m (a length) and 3 s (a time)");
        assert_eq!(measure("2 m +").unwrap_err(), units::parse("2 m +").unwrap_err().to_string());
        assert_eq!(measure("2,5 m").unwrap_err(), units::parse("2,5 m").unwrap_err().to_string());
    }
}
