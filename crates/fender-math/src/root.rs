//! Roots of a function of one variable.

/// Root of `f` in [`a`, `b`] by bisection, to the last bit or `tolerance`, whichever comes first.
/// `f(a)` and `f(b)` must not have the same sign; otherwise `None`.
pub fn bisect(mut a: f64, mut b: f64, tolerance: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let fa = f(a);
    if fa == 0.0 {
        return Some(a);
    }
    if fa * f(b) > 0.0 {
        return None;
    }
    loop {
        let middle = 0.5 * (a + b);
        if (b - a).abs() <= tolerance || middle == a || middle == b {
            return Some(middle);
        }
        let fm = f(middle);
        if fm == 0.0 {
            return Some(middle);
        }
        if (fm > 0.0) == (fa > 0.0) {
            a = middle;
        } else {
            b = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_square_root_of_two_and_refuses_a_bad_bracket() {
        let root = bisect(0.0, 2.0, 0.0, |x| x * x - 2.0).unwrap();
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert!(bisect(2.0, 3.0, 0.0, |x| x * x - 2.0).is_none());
    }
}
