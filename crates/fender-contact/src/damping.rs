//! Damping factors that turn a coefficient of restitution into the damping of a hysteretic law.
//!
//! The laws f = k δ^p (1 + a·approach) lose energy through the damping factor `a` [s/m]. The dimensionless
//! y = a·v, with v the speed of the impact, alone decides the restitution e: mass, stiffness and exponent cancel
//! (Gonthier 2007, section 3.2.1). For a free impact, separating m·dw/dt = −k δ^p (1 + a·w) gives
//!
//! ∫ w dw/(1 + a·w) = −(k/m) ∫ δ^p dδ,
//!
//! and since the depth is zero at both ends, h(y) = h(−e·y) with h(x) = x − ln(1 + x): eq. 3.22. With d = e·y it
//! is eq. 3.23, (1 + d/e)/(1 − d) = exp(d(1 + 1/e)), where d = 0 is always a spurious root.
//!
//! Everything here is solved with s(x) = h(x)/x² instead, which removes the spurious root and the cancellation
//! near e = 1, and with u = −ln(1 − d) as the unknown, which keeps 1 − d alive where d itself rounds to 1.

use crate::cubic::Cubic;
use fender_math::{float, root::bisect};
use std::sync::LazyLock;

/// Impact speed below which a touch counts as lasting contact, unless told otherwise [m/s]
/// (Gonthier 2007, section 3.3.1).
pub const DEFAULT_V_SMALL: f64 = 1e-3;

/// A coefficient of restitution that no damping can give.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "restitution must be above 0 and at most 1, got {0}; exactly 0 would need infinite damping, 0.01 is as good as it"
)]
pub struct RestitutionError(
    /// The value that was given.
    pub f64,
);

impl RestitutionError {
    /// `e`, if it is a restitution that a law can give. Subnormal numbers are refused: their inverse overflows.
    pub fn check(e: f64) -> Result<f64, Self> {
        if e.is_normal() && e > 0.0 && e <= 1.0 { Ok(e) } else { Err(Self(e)) }
    }
}

/// How the damping follows from the restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Damping {
    /// The requested restitution is the one obtained (Gonthier 2007, eq. 3.23).
    #[default]
    Exact,
    /// y = 3/2 (1 − e), good near e = 1 only (Hunt and Crossley 1975).
    HuntCrossley,
    /// y = 3/4 (1 − e²), good near e = 1 only (Lankarani and Nikravesh 1990).
    LankaraniNikravesh,
}

impl Damping {
    /// Dimensionless damping factor y = a·v for the restitution `e`: the damping of the law, times the impact speed.
    pub fn factor(self, e: f64) -> Result<f64, RestitutionError> {
        let e = RestitutionError::check(e)?;
        Ok(match self {
            Self::Exact => exact_factor(e),
            Self::HuntCrossley => 1.5 * (1.0 - e),
            Self::LankaraniNikravesh => 0.75 * (1.0 - e) * (1.0 + e),
        })
    }

    /// The same for a possible restitution, fast: the exact factor from a table, within 1e-10 of d = e·y.
    #[inline]
    pub fn quick_factor(self, e: f64) -> f64 {
        match self {
            Self::Exact => TABLE_OF_D.at(e * INTERVALS as f64) / e,
            Self::HuntCrossley => 1.5 * (1.0 - e),
            Self::LankaraniNikravesh => 0.75 * (1.0 - e) * (1.0 + e),
        }
    }
}

/// Intervals of the table of d(e).
const INTERVALS: usize = 2048;

/// d over e·[`INTERVALS`]; at e = 0 it is 1, and 1 − d vanishes there with all of its derivatives.
static TABLE_OF_D: LazyLock<Cubic> = LazyLock::new(|| {
    Cubic::new(INTERVALS, |i| {
        let e = i / INTERVALS as f64;
        if e > 0.0 { e * exact_factor(e) } else { 1.0 }
    })
});

/// Restitution that the dimensionless damping factor `y` ≥ 0 gives: the inverse of [`Damping::Exact`].
/// Negative factors count as zero; NaN gives NaN.
pub fn restitution_of_factor(y: f64) -> f64 {
    if y <= 0.0 {
        return 1.0;
    }
    if y.is_nan() || y.is_infinite() {
        return if y.is_nan() { y } else { 0.0 };
    }
    // h(−d) = h(y), divided by y² so that small factors keep their digits. As h(−d) = u − d and 0 ≤ d ≤ 1, the root
    // is below h(y) + 1.
    let s = log_defect(y);
    let upper = s * y * y + 1.0;
    let difference = |u: f64| {
        let release = Release::at(u);
        let ratio = release.d / y;
        ratio * ratio * release.s - s
    };
    let u = bisect(0.0, upper, 0.0, difference).unwrap_or(upper);
    Release::at(u).d / y
}

/// Deepest overlap of a free impact under f = k δ^p (1 + a·approach) with y = a·`speed` [m]
/// (Gonthier 2007, eq. 3.21 integrated up to the turning point).
///
/// `mass` is the reduced mass of the pair [kg], `stiffness` is k [N/m^p], `speed` that of the impact [m/s].
pub fn peak_depth(mass: f64, stiffness: f64, exponent: f64, speed: f64, y: f64) -> f64 {
    let q = exponent + 1.0;
    float::pow(q * mass / stiffness * speed * speed * log_defect(y), 1.0 / q)
}

fn exact_factor(e: f64) -> f64 {
    // From here on 1 − d ≈ (1 + 1/e) exp(−1 − 1/e) is below the rounding of d.
    if e < 0.025 {
        return 1.0 / e;
    }
    // u − d = h(d/e) ≤ h(1/e) < 1/e bounds the root.
    let upper = 1.0 + 1.0 / e;
    let difference = |u: f64| {
        let release = Release::at(u);
        log_defect(release.d / e) - e * e * release.s
    };
    let u = bisect(0.0, upper, 0.0, difference).unwrap_or(upper);
    Release::at(u).d / e
}

/// The end of an impact, where the damping has reduced the elastic force to its part 1 − d.
struct Release {
    /// d = e·y = 1 − exp(−u).
    d: f64,
    /// s(−d) = (u − d)/d².
    s: f64,
}

impl Release {
    fn at(u: f64) -> Self {
        let d = -float::exp_m1(-u);
        let s = if d < SERIES { log_defect(-d) } else { (u - d) / (d * d) };
        Self { d, s }
    }
}

/// Below this size of its argument, s(x) comes from its series.
const SERIES: f64 = 0.1;

/// s(x) = (x − ln(1 + x))/x² for x > −1; s(0) = ½.
fn log_defect(x: f64) -> f64 {
    if x.abs() < SERIES {
        // Σ (−x)ⁿ/(n + 2): the term left out is below 1e-18.
        (0..17).rev().fold(0.0, |sum, n| 1.0 / f64::from(n + 2) - x * sum)
    } else {
        (x - float::ln_1p(x)) / (x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// d(e) from the logarithm of eq. 3.23, bisected in decimal arithmetic with 50 digits.
    const TABLE: [(f64, f64); 13] = [
        (0.05, 0.999_999_984_076_618),
        (0.1, 0.999_815_939_749_567),
        (0.2, 0.983_833_343_158_157),
        (0.3, 0.926_124_594_338_887),
        (0.4, 0.832_999_265_658_803),
        (0.5, 0.716_375_266_635_688),
        (0.6, 0.584_923_026_487_959),
        (0.7, 0.444_379_796_886_492),
        (0.8, 0.298_516_962_692_043),
        (0.85, 0.224_407_995_170_898),
        (0.9, 0.149_833_755_616_777),
        (0.95, 0.074_980_275_023_044),
        (0.99, 0.014_999_848_488_347),
    ];

    #[test]
    fn exact_factor_matches_the_table() {
        for (e, d) in TABLE {
            let y = Damping::Exact.factor(e).unwrap();
            assert!((e * y - d).abs() < 1e-14, "e = {e}: d = {}, table {d}", e * y);
        }
    }

    #[test]
    fn exact_factor_solves_the_equation_and_falls_from_one_over_e_to_zero() {
        let mut last = f64::INFINITY;
        for i in 1..=1000 {
            let e = f64::from(i) * 1e-3;
            let y = Damping::Exact.factor(e).unwrap();
            let d = e * y;
            assert!((0.0..=1.0).contains(&d) && y < last, "e = {e}: d = {d}");
            last = y;
            // Equation 3.23 as printed, in logarithms; only where d is not rounded to 1.
            if e > 0.1 {
                let residual = (y.ln_1p() - (-d).ln_1p()) - d * (1.0 + 1.0 / e);
                assert!(residual.abs() < 1e-11, "e = {e}: {residual}");
            }
        }
        assert_eq!(Damping::Exact.factor(1.0).unwrap(), 0.0);
        assert!((Damping::Exact.factor(0.01).unwrap() - 100.0).abs() < 1e-9);
    }

    /// The fast path against the exact root, at 40 000 values between the table's own.
    #[test]
    fn the_table_is_within_its_error() {
        for i in 1..=40_000 {
            let e = f64::from(i) / 40_000.0;
            let (quick, exact) = (Damping::Exact.quick_factor(e), Damping::Exact.factor(e).unwrap());
            assert!((e * (quick - exact)).abs() < 1e-10, "e = {e}: {quick} {exact}");
        }
    }

    #[test]
    fn limits_near_one_and_near_zero() {
        for gap in [1e-3, 1e-6, 1e-9] {
            let d = (1.0 - gap) * Damping::Exact.factor(1.0 - gap).unwrap();
            assert!((d / (1.5 * gap) - 1.0).abs() < 2.0 * gap + 1e-7, "1 − e = {gap}: {d}");
        }
        // The two branches of the solver meet.
        let (below, above) =
            (Damping::Exact.factor(0.025 - 1e-12).unwrap(), Damping::Exact.factor(0.025).unwrap());
        assert!((below / above - 1.0).abs() < 1e-9);
    }

    #[test]
    fn restitution_is_the_inverse_of_the_factor() {
        for i in 1..=1000 {
            let e = f64::from(i) * 1e-3;
            let back = restitution_of_factor(Damping::Exact.factor(e).unwrap());
            assert!((back - e).abs() < 1e-12, "{e} came back as {back}");
        }
        // e → 1 − 2y/3 for small factors.
        assert!((1.0 - restitution_of_factor(1e-6) - 2e-6 / 3.0).abs() < 1e-12);
        assert_eq!(restitution_of_factor(0.0), 1.0);
        assert_eq!(restitution_of_factor(f64::INFINITY), 0.0);
        assert!(restitution_of_factor(f64::NAN).is_nan());
    }

    /// Gonthier 2007, Fig. 3.4: near e = 1 the Hunt–Crossley form is the closer of the two old ones.
    #[test]
    fn old_forms_return_too_much() {
        for i in 1..100 {
            let e = f64::from(i) * 0.01;
            let exact = Damping::Exact.factor(e).unwrap();
            let hunt = Damping::HuntCrossley.factor(e).unwrap();
            let lankarani = Damping::LankaraniNikravesh.factor(e).unwrap();
            assert!(lankarani < hunt && hunt < exact, "e = {e}");
            assert!(
                restitution_of_factor(lankarani) > restitution_of_factor(hunt)
                    && restitution_of_factor(hunt) > e
            );
        }
        assert!((Damping::HuntCrossley.factor(0.6).unwrap() * 0.6 - 0.36).abs() < 1e-15);
        assert!((Damping::LankaraniNikravesh.factor(0.6).unwrap() * 0.6 - 0.288).abs() < 1e-15);
    }

    #[test]
    fn impossible_restitution_is_an_error_that_says_so() {
        for e in [0.0, -0.5, 1.000_001, f64::NAN, f64::INFINITY, 1e-310] {
            for damping in [Damping::Exact, Damping::HuntCrossley, Damping::LankaraniNikravesh] {
                let error = damping.factor(e).unwrap_err().to_string();
                assert!(error.contains("above 0 and at most 1") && error.contains("0.01"), "{error}");
            }
        }
    }
}
