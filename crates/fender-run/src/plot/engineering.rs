//! Units with prefixes, as engineers write them (kN, MJ, µm), and values that are only rounding. The same rules as in the viewer
//! (`viewer/src/ui/engineering.ts` and `format.ts`).

/// Units that go with large and small prefixes.
const BOTH: [&str; 8] = ["N", "J", "W", "Pa", "N·m", "N/m", "N·s", "N·s/m"];
/// Units that go with small prefixes only: nobody writes Mm or ks.
const SMALL: [&str; 3] = ["m", "s", "m/s"];

/// Below this part of what there is in a run a value is rounding: doubles have 16 digits, and sums of thousands of steps lose
/// some of them.
const KNOWN: f64 = 1e-10;

/// The unit in which a quantity of a size in an SI unit reads best, and what one of it is in that SI unit. From a thousandth up to
/// a thousand it stays as it is.
pub fn scaled_unit(unit: &str, size: f64) -> (f64, String) {
    let prefixes: &[(f64, &str)] = match size {
        s if !s.is_finite() => &[],
        s if s >= 1.0 && BOTH.contains(&unit) => &[(1e9, "G"), (1e6, "M"), (1e3, "k")],
        s if s > 0.0 && s < 1e-3 && (BOTH.contains(&unit) || SMALL.contains(&unit)) => {
            &[(1e-6, "µ"), (1e-9, "n")]
        }
        _ => &[],
    };
    let found = prefixes.iter().find(|(factor, _)| size >= *factor);
    found.map_or_else(|| (1.0, unit.to_owned()), |(factor, prefix)| (*factor, format!("{prefix}{unit}")))
}

/// A value in an SI unit for people, with three digits and the unit that it reads best in.
pub fn quantity(value: f64, unit: &str) -> String {
    let (factor, unit) = scaled_unit(unit, value.abs());
    let text = super::figure(value / factor);
    if unit.is_empty() || unit == "1" { text } else { format!("{text} {unit}") }
}

/// A value without what is only rounding beside the scale of its run.
pub fn known(value: f64, scale: f64) -> f64 {
    if value.abs() < KNOWN * scale { 0.0 } else { value }
}

/// An axis' label with the prefix for values up to a size, and what they are divided by: `force [N]` becomes `force [kN]`.
pub(super) fn scaled_label(label: &str, size: f64) -> (f64, String) {
    let Some((words, unit)) = label.strip_suffix(']').and_then(|l| l.rsplit_once('[')) else {
        return (1.0, label.to_owned());
    };
    let (factor, unit) = scaled_unit(unit, size);
    (factor, format!("{words}[{unit}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_get_prefixes_where_numbers_are_large_or_small() {
        for (value, unit, text) in [
            (196_200.0, "N", "196 kN"),
            (-4.5591e8, "J", "-456 MJ"),
            (3e9, "Pa", "3 GPa"),
            (999.0, "N", "999 N"),
            (2e7, "N·m", "20 MN·m"),
            (0.0392, "m", "0.0392 m"),
            (2.45e-4, "m", "245 µm"),
            (2500.0, "m", "2500 m"),
            (1500.0, "kg", "1500 kg"),
            (12.0, "1", "12"),
        ] {
            assert_eq!(quantity(value, unit), text);
        }
        assert_eq!(scaled_label("normal force [N]", 2e5), (1e3, "normal force [kN]".into()));
        assert_eq!(scaled_label("utilisation", 2e5), (1.0, "utilisation".into()));
    }

    #[test]
    fn rounding_beside_the_scale_is_zero() {
        assert_eq!([known(1e-11, 10.0), known(1e-26, 1.0), known(1e-3, 1e6)], [0.0, 0.0, 1e-3]);
    }
}
