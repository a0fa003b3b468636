//! Hertz' ellipse: how a contact that is not round spreads.
//!
//! Two surfaces with the gap A·x² + B·y² (A ≤ B) touch over an ellipse with the half axes a ≥ b. With q = b/a, the eccentricity
//! ε² = 1 − q² and the complete elliptic integrals K(ε), E(ε):
//!
//! A/(A + B) = q²(K − E)/(ε²E), a² = E·δ/(K·q²·(A + B)), F = 4/3·E*·δ^1.5/√(A + B)·g, g = π/(2·K·q)·√(E/K)
//!
//! (Johnson 1985, Contact Mechanics, section 4.2, with the pressure eliminated). Round contacts have q = g = 1.

use crate::PointOverlap;
use crate::cubic::Cubic;
use fender_math::float;
use std::f64::consts::PI;
use std::sync::LazyLock;

/// Longest ellipse that is told from a line: relative difference of the curvatures at most.
const LONGEST: f64 = 1.0 - 1e-9;

/// Places of the table per unit of −ln(1 − d²), with d = (B − A)/(B + A).
const PER_LOGARITHM: f64 = 100.0;

/// g·√(1 − d²) over −ln(1 − d²): almost straight, also towards the line.
static STIFFNESS: LazyLock<Cubic> = LazyLock::new(|| {
    let longest = -float::ln(1.0 - LONGEST * LONGEST);
    let count = (longest * PER_LOGARITHM).ceil();
    Cubic::new(count as usize, |i| {
        let rest = float::exp(-i / PER_LOGARITHM);
        Ellipse::new((1.0 - rest).sqrt()).stiffness * rest.sqrt()
    })
});

/// Shape of an elliptic contact; it does not depend on the load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// Short half axis over long one, q.
    pub ratio: f64,
    /// Stiffness over that of a round contact of the same curvature A + B, g.
    pub stiffness: f64,
    /// E/K.
    integrals: f64,
}

/// Patch of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Patch {
    /// Long half axis [m].
    pub long: f64,
    /// Short half axis [m].
    pub short: f64,
    /// Pressure in the middle [Pa].
    pub pressure: f64,
}

impl Ellipse {
    /// The round one.
    pub const ROUND: Self = Self { ratio: 1.0, stiffness: 1.0, integrals: 1.0 };

    /// Of a contact.
    #[inline]
    pub fn of(overlap: &PointOverlap) -> Self {
        let length2 = overlap.elongation.length_squared();
        if length2 == 0.0 || overlap.curvature <= 0.0 {
            return Self::ROUND;
        }
        Self::new(length2.sqrt() / overlap.curvature)
    }

    /// Stiffness of a contact over that of a round one, g, from a table: within 1e-8 of its value.
    #[inline]
    pub fn stiffness_of(overlap: &PointOverlap) -> f64 {
        let length2 = overlap.elongation.length_squared();
        if length2 == 0.0 || overlap.curvature <= 0.0 {
            return 1.0;
        }
        let difference2 = (length2 / (overlap.curvature * overlap.curvature)).min(LONGEST * LONGEST);
        let rest = 1.0 - difference2;
        STIFFNESS.at(-float::ln(rest) * PER_LOGARITHM) / rest.sqrt()
    }

    /// From (B − A)/(B + A), between 0 for a round contact and 1 for a line, which is cut off just before.
    pub fn new(difference: f64) -> Self {
        let difference = difference.clamp(0.0, LONGEST);
        if difference < 1e-8 {
            return Self::ROUND;
        }
        // ln(A/B) is almost linear in ln q, with a slope of about 1.6 (Hamrock and Brewe 1983): secants converge quickly.
        let target = float::ln((1.0 - difference) / (1.0 + difference));
        let (mut last, mut x) = (0.7 * target, 0.64 * target);
        let mut last_value = Integrals::at(float::exp(last)).log_ratio() - target;
        for _ in 0..20 {
            let value = Integrals::at(float::exp(x)).log_ratio() - target;
            if value.abs() <= 1e-14 * (1.0 - target) || value == last_value {
                break;
            }
            let next = x - value * (x - last) / (value - last_value);
            (last, last_value, x) = (x, value, next.min(-1e-16));
        }
        let ratio = float::exp(x);
        let Integrals { k, e, .. } = Integrals::at(ratio);
        Self { ratio, stiffness: PI / (2.0 * k * ratio) * (e / k).sqrt(), integrals: e / k }
    }

    /// The patch at a depth [m] under an elastic force [N].
    pub fn patch(&self, overlap: &PointOverlap, elastic: f64) -> Patch {
        if overlap.curvature <= 0.0 || overlap.depth <= 0.0 {
            return Patch::default();
        }
        let long = (self.integrals * overlap.depth / overlap.curvature).sqrt() / self.ratio;
        let short = long * self.ratio;
        Patch { long, short, pressure: 1.5 * elastic / (PI * long * short) }
    }
}

/// Complete elliptic integrals of the modulus √(1 − q²).
struct Integrals {
    k: f64,
    e: f64,
    /// (K − E)/K, without cancellation.
    lack: f64,
    /// q²
    ratio2: f64,
}

impl Integrals {
    /// By the arithmetic–geometric mean.
    fn at(ratio: f64) -> Self {
        let (mut a, mut g) = (1.0, ratio);
        let mut sum = 0.5 * (1.0 - ratio) * (1.0 + ratio);
        let mut weight = 1.0;
        while a - g > 1e-16 * a {
            let c = 0.5 * (a - g);
            (a, g) = (0.5 * (a + g), (a * g).sqrt());
            sum += weight * c * c;
            weight *= 2.0;
            if weight > 1e3 {
                break;
            }
        }
        let k = PI / (2.0 * a);
        Self { k, e: k * (1.0 - sum), lack: sum, ratio2: ratio * ratio }
    }

    /// ln(A/B).
    fn log_ratio(&self) -> f64 {
        let part = self.ratio2 * self.lack * self.k / ((1.0 - self.ratio2) * self.e);
        float::ln(part / (1.0 - part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::Vec3;

    /// Half axes in units of (3F/(4E*(A + B)))^(1/3) over the angle of Hertz' table, arccos((B − A)/(A + B)), to the digits of
    /// an independent integration of K and E (the table printed in Norton 2006 is off by up to 2.6 % at 10° and 20°).
    #[test]
    fn half_axes_are_those_of_the_elliptic_integrals() {
        for (degrees, long, short) in [
            (10.0_f64, 6.612, 0.3110),
            (20.0, 3.816, 0.4121),
            (30.0, 2.731, 0.4931),
            (40.0, 2.136, 0.5673),
            (50.0, 1.754, 0.6407),
            (60.0, 1.486, 0.7171),
            (70.0, 1.285, 0.7999),
            (80.0, 1.128, 0.8927),
            (90.0, 1.0, 1.0),
        ] {
            let ellipse = Ellipse::new(degrees.to_radians().cos());
            let e = Integrals::at(ellipse.ratio).e;
            let k_a = (2.0 * e / (PI * ellipse.ratio * ellipse.ratio)).cbrt();
            assert!((k_a - long).abs() < 6e-4, "{degrees}: {k_a} {long}");
            assert!((k_a * ellipse.ratio - short).abs() < 6e-5, "{degrees}: {} {short}", k_a * ellipse.ratio);
        }
    }

    /// Equation A/(A + B) = q²(K − E)/(ε²E), with K and E by Simpson's rule.
    #[test]
    fn the_ratio_solves_the_equation_at_every_elongation() {
        for i in 1..=160 {
            let difference = 1.0 - 10.0_f64.powf(-f64::from(i) * 0.03);
            let q = Ellipse::new(difference).ratio;
            let n = 20_000;
            let (mut k, mut e) = (0.0, 0.0);
            for j in 0..=n {
                let weight = if j == 0 || j == n {
                    1.0
                } else if j % 2 == 1 {
                    4.0
                } else {
                    2.0
                };
                let cos = (f64::from(j) / f64::from(n) * 0.5 * PI).cos();
                let root = (cos * cos + q * q * (1.0 - cos * cos)).sqrt();
                k += weight / root;
                e += weight * root;
            }
            let found = q * q * (k - e) / ((1.0 - q * q) * e);
            let expected = 0.5 * (1.0 - difference);
            assert!((found / expected - 1.0).abs() < 1e-7, "{difference}: q = {q}, {found} {expected}");
        }
    }

    #[test]
    fn the_table_is_within_its_error() {
        for i in 0..16_000 {
            let difference = 1.0 - 10.0_f64.powf(-f64::from(i) * 4.4e-4);
            let overlap = PointOverlap {
                point: Vec3::ZERO,
                normal: Vec3::Z,
                depth: 1.0,
                curvature: 3.0,
                elongation: Vec3::X * (3.0 * difference),
                share: 1.0,
            };
            let (quick, exact) = (Ellipse::stiffness_of(&overlap), Ellipse::new(difference).stiffness);
            assert!((quick / exact - 1.0).abs() < 1e-8, "{difference}: {quick} {exact}");
        }
    }

    #[test]
    fn round_contacts_are_round_and_long_ones_finite() {
        assert_eq!(Ellipse::new(0.0), Ellipse::ROUND);
        let nearly = Ellipse::new(1e-7);
        assert!((nearly.ratio - 1.0).abs() < 1e-6 && (nearly.stiffness - 1.0).abs() < 1e-12);
        let line = Ellipse::new(1.0);
        assert!(line.ratio > 0.0 && line.ratio < 1e-4 && line.stiffness.is_finite());
        // Stiffer than round with the same A + B: along one direction the surfaces hardly part.
        let mut last = 1.0;
        for i in 1..100 {
            let stiffness = Ellipse::new(f64::from(i) * 0.01).stiffness;
            assert!(stiffness.is_finite() && stiffness > last, "{i}: {stiffness}");
            last = stiffness;
        }
    }

    /// A ball of 10 mm on a flat: a = √(R δ), and the mean pressure is two thirds of that in the middle.
    #[test]
    fn patch_of_a_ball() {
        let overlap = PointOverlap {
            point: Vec3::ZERO,
            normal: Vec3::Z,
            depth: 1e-6,
            curvature: 100.0,
            elongation: Vec3::ZERO,
            share: 1.0,
        };
        let patch = Ellipse::of(&overlap).patch(&overlap, 10.0);
        assert!((patch.long - 1e-4).abs() < 1e-16 && patch.long == patch.short);
        assert!((patch.pressure - 1.5 * 10.0 / (PI * 1e-8)).abs() < 1.0);
    }
}
