//! Numbers with units, as they are typed.

use fender_scenario::units::{self, Dimension, Measure};

/// SI units that numbers are told in.
const SI_UNITS: [&str; 23] = [
    "m",
    "kg",
    "s",
    "rad",
    "Hz",
    "m/s",
    "m/s^2",
    "rad/s",
    "rad/s^2",
    "kg/m^3",
    "kg*m^2",
    "N",
    "N*m",
    "Pa",
    "N/m",
    "N/m^1.5",
    "N*s/m",
    "1/m",
    "s/m",
    "N*s^2/m^2",
    "N*m*s",
    "N*m/rad",
    "N*m*s/rad",
];

/// A number with its unit, in SI; with or without the quotes of TOML.
pub fn measure(value: &str) -> Option<Measure> {
    units::parse(value.trim_matches('"')).ok().filter(|m| m.value.is_finite())
}

/// The SI unit of a dimension, empty for plain numbers; `None` if it has no name here.
pub fn si_unit(dimension: Dimension) -> Option<&'static str> {
    if dimension == Dimension::default() {
        return Some("");
    }
    let is_unit = |unit: &&str| measure(&format!("1 {unit}")).is_some_and(|m| m.dimension == dimension);
    SI_UNITS.into_iter().find(is_unit)
}

/// The number at the start of a text and what follows it: `1e3 m`, `2.5mm`.
pub fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    // The longest beginning that is a number.
    (1..=text.len()).rev().filter(|&i| text.is_char_boundary(i)).find_map(|i| {
        let number: f64 = text[..i].trim().parse().ok()?;
        number.is_finite().then_some((number, text[i..].trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_unit_is_one_in_si() {
        for unit in SI_UNITS {
            let one = measure(&format!("1 {unit}")).unwrap();
            assert!((one.value - 1.0).abs() < 1e-15, "{unit}");
            assert_eq!(si_unit(one.dimension), Some(unit));
        }
    }
}
