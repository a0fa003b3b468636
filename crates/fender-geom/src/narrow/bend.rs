//! How surfaces bend at the point where they touch, as Hertz' gap sees it.
//!
//! Each surface adds its own curvatures to the gap. Their means simply add up; what makes the contact longer one way than the
//! other adds up like vectors at twice their angles, because it turns into its opposite after a quarter turn.

use fender_math::Vec3;

/// Bend of a surface, or of two together, at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Half the sum of the principal curvatures [1/m], positive where the surface is convex.
    pub mean: f64,
    /// Along the direction of least curvature, of half the difference of the two [1/m].
    pub elongation: Vec3,
}

impl Bend {
    pub const FLAT: Self = Self { mean: 0.0, elongation: Vec3::ZERO };

    /// A ball of `radius` [m].
    pub fn ball(radius: f64) -> Self {
        Self { mean: 1.0 / radius, elongation: Vec3::ZERO }
    }

    /// A surface that is straight along the unit tangent `straight` and has the `curvature` [1/m] along `curved`, across it.
    pub fn single(curvature: f64, curved: Vec3, straight: Vec3) -> Self {
        let along = if curvature < 0.0 { curved } else { straight };
        Self { mean: 0.5 * curvature, elongation: along * (0.5 * curvature.abs()) }
    }

    /// A surface with the second fundamental form [[uu, uv], [uv, vv]] [1/m] in the tangents `u` and `v`.
    pub fn of_form(uu: f64, uv: f64, vv: f64, u: Vec3, v: Vec3) -> Self {
        Self { mean: 0.5 * (uu + vv), elongation: at_half_angle(0.5 * (vv - uu), -uv, u, v) }
    }

    /// Both surfaces together; `normal` is their common one.
    pub fn plus(&self, other: &Self, normal: Vec3) -> Self {
        let mean = self.mean + other.mean;
        let (length, other_length) = (self.elongation.length(), other.elongation.length());
        if length == 0.0 || other_length == 0.0 {
            return Self { mean, elongation: self.elongation + other.elongation };
        }
        let u = self.elongation / length;
        let v = normal.cross(u);
        let (cos, sin) = (other.elongation.dot(u) / other_length, other.elongation.dot(v) / other_length);
        let x = length + other_length * (cos * cos - sin * sin);
        let y = 2.0 * other_length * cos * sin;
        Self { mean, elongation: at_half_angle(x, y, u, v) }
    }
}

/// The vector x·u + y·v with its angle from u halved.
fn at_half_angle(x: f64, y: f64, u: Vec3, v: Vec3) -> Vec3 {
    let length = (x * x + y * y).sqrt();
    if length == 0.0 {
        return Vec3::ZERO;
    }
    // The half that does not cancel first.
    let large = (0.5 * (length + x.abs()) * length).sqrt();
    let small = 0.5 * y * length / large;
    if x >= 0.0 { u * large + v * small } else { u * small + v * large }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossed_cylinders_as_in_textbooks() {
        // Norton, Machine Design, general Hertz contact: B − A = ½·√(1/R₁² + 1/R₂² + 2·cos 2α/(R₁·R₂)).
        for (ra, rb, angle) in [(0.5, 0.2, 0.3), (0.5, 0.5, 1.1), (0.1, 0.7, 1.5), (0.3, 0.4, 2.9)] {
            let (sin, cos) = f64::sin_cos(angle);
            let axis = Vec3::new(cos, sin, 0.0);
            let a = Bend::single(1.0 / ra, Vec3::Y, Vec3::X);
            let b = Bend::single(1.0 / rb, Vec3::Z.cross(axis), axis);
            let sum = a.plus(&b, Vec3::Z);
            let (ka, kb) = (1.0 / ra, 1.0 / rb);
            let exact = 0.5 * (ka * ka + kb * kb + 2.0 * ka * kb * f64::cos(2.0 * angle)).sqrt();
            assert!((sum.mean - 0.5 * (ka + kb)).abs() < 1e-14);
            assert!((sum.elongation.length() - exact).abs() < 1e-13 * exact, "{sum:?} {exact}");
            // Along it the gap grows with A, half of the curvatures' sum less half of their difference.
            let u = sum.elongation.normalize();
            let bend = |k: f64, axis: Vec3| k * (1.0 - axis.dot(u).powi(2));
            let least = 0.5 * (bend(ka, Vec3::X) + bend(kb, axis));
            assert!((least - 0.5 * (sum.mean - exact)).abs() < 1e-12);
            let other = b.plus(&a, Vec3::Z).elongation;
            assert!(other.cross(sum.elongation).length() < 1e-10 && (other.length() - exact).abs() < 1e-12);
        }
        // Equal ones at a right angle touch in a circle.
        let a = Bend::single(2.0, Vec3::Y, Vec3::X);
        let b = Bend::single(2.0, Vec3::X, Vec3::Y);
        assert_eq!(a.plus(&b, Vec3::Z).elongation, Vec3::ZERO);
    }

    #[test]
    fn a_form_has_its_least_curvature_along_the_elongation() {
        for (uu, uv, vv) in [(3.0, 0.5, 1.0), (1.0, -0.7, 3.0), (2.0, 1e-9, 1.0), (0.0, 2.0, 0.0)] {
            let bend = Bend::of_form(uu, uv, vv, Vec3::X, Vec3::Y);
            let e = bend.elongation.normalize();
            let least = uu * e.x * e.x + 2.0 * uv * e.x * e.y + vv * e.y * e.y;
            assert!((least - (bend.mean - bend.elongation.length())).abs() < 1e-14, "{bend:?}");
        }
        assert_eq!(Bend::of_form(2.0, 0.0, 2.0, Vec3::X, Vec3::Y).elongation, Vec3::ZERO);
    }
}
