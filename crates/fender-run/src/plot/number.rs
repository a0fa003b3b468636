//! Numbers and texts for people.

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number for people: six significant digits, no trailing zeros.
pub fn number(value: f64) -> String {
    digits(value, 6)
}

/// A figure for people: three significant digits, no trailing zeros.
pub fn figure(value: f64) -> String {
    digits(value, 3)
}

/// A difference for people: two significant digits, no trailing zeros.
pub fn rough(value: f64) -> String {
    digits(value, 2)
}

fn digits(value: f64, significant: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return "–".into();
    }
    // Digits after rounding decide the form: 999999.7 is 1e6.
    let scientific = format!("{value:.*e}", significant - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trim = |s: &str| {
        if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s.to_owned() }
    };
    if (-4..6).contains(&exponent) {
        let decimals = i32::try_from(significant).unwrap_or(6) - 1 - exponent;
        trim(&format!("{value:.*}", usize::try_from(decimals).unwrap_or(0)))
    } else {
        format!("{}e{exponent}", trim(mantissa))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.3"),
            (999_999.7, "1e6"),
            (123_456.0, "123456"),
            (1.5e-9, "1.5e-9"),
            (0.000_12, "0.00012"),
            (6.02e23, "6.02e23"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(
            [64.1176, 0.046_789, 12_345.6, -9.017e-4, 2.5e-9].map(figure),
            ["64.1", "0.0468", "12346", "-0.000902", "2.5e-9"]
        );
    }
}
