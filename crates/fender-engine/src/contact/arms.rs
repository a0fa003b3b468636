//! Arms from the bodies' centres to the point of action: what turns velocities into slip and forces into torques.

use crate::data::BodyKinematics;
use crate::tree::Mobility;
use fender_math::{Twist, Vec3, Wrench};

/// The two arms of a contact. What is computed with them is compiled for each kind, so that the many contacts of balls
/// need no more than their own arithmetic.
pub(crate) trait Arms: Copy {
    /// Velocity of the first body relative to the second at the point of action [m/s].
    fn relative_velocity(&self, normal: Vec3, first: &Twist, second: &Twist) -> Vec3;

    /// Wrenches on the first body, by `force` [N], and on the second, by its opposite.
    fn wrenches(&self, normal: Vec3, force: Vec3) -> (Wrench, Wrench);

    /// How much a unit impulse along the normal changes each body's velocity there [1/kg].
    fn inverse_masses(&self, normal: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64);

    /// The same along a slip of any length.
    fn inverse_masses_across(&self, slip: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64);
}

/// Arms along the normal: −a·n on the first body, b·n on the second [m]; both have equal moments or do not move. So it is
/// for balls and fixed bodies, where it saves half of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Radial {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

// Called through two levels of generic functions, each a few instructions: a call would cost as much as they do.
#[allow(clippy::inline_always)]
impl Arms for Radial {
    #[inline(always)]
    fn relative_velocity(&self, normal: Vec3, first: &Twist, second: &Twist) -> Vec3 {
        first.linear - second.linear + normal.cross(first.angular * self.a + second.angular * self.b)
    }

    #[inline(always)]
    fn wrenches(&self, normal: Vec3, force: Vec3) -> (Wrench, Wrench) {
        let turning = force.cross(normal);
        (Wrench { force, torque: turning * self.a }, Wrench { force: -force, torque: turning * self.b })
    }

    #[inline(always)]
    fn inverse_masses(&self, _normal: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        (ka.inverse_mass, kb.inverse_mass)
    }

    #[inline(always)]
    fn inverse_masses_across(&self, _slip: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        let across = |k: &BodyKinematics, arm: f64| k.inverse_mass + arm * arm * k.inverse_inertia.x_axis.x;
        (across(ka, self.a), across(kb, self.b))
    }
}

/// Any arms [m].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oblique {
    a: Vec3,
    b: Vec3,
}

impl Oblique {
    /// From the bodies' centres to `point` in the world [m].
    #[inline]
    pub(crate) fn to(point: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> Self {
        Self { a: point - ka.center, b: point - kb.center }
    }

    /// Both arms.
    #[inline]
    pub(crate) fn arms(&self) -> (Vec3, Vec3) {
        (self.a, self.b)
    }
}

impl Arms for Oblique {
    #[inline]
    fn relative_velocity(&self, _normal: Vec3, first: &Twist, second: &Twist) -> Vec3 {
        first.at(self.a) - second.at(self.b)
    }

    #[inline]
    fn wrenches(&self, _normal: Vec3, force: Vec3) -> (Wrench, Wrench) {
        (Wrench::from_force_at(force, self.a), Wrench::from_force_at(-force, self.b))
    }

    #[inline]
    fn inverse_masses(&self, normal: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        (ka.inverse_mass_at(self.a, normal), kb.inverse_mass_at(self.b, normal))
    }

    #[inline]
    fn inverse_masses_across(&self, slip: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        let direction = slip / slip.length_squared().sqrt().max(f64::MIN_POSITIVE);
        (ka.inverse_mass_at(self.a, direction), kb.inverse_mass_at(self.b, direction))
    }
}

/// Any arms, of bodies of which one at least is in a tree: it gives way as its joints let it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jointed<'a> {
    pub(crate) arms: Oblique,
    pub(crate) a: Option<&'a Mobility>,
    pub(crate) b: Option<&'a Mobility>,
}

impl Arms for Jointed<'_> {
    #[inline]
    fn relative_velocity(&self, normal: Vec3, first: &Twist, second: &Twist) -> Vec3 {
        self.arms.relative_velocity(normal, first, second)
    }

    #[inline]
    fn wrenches(&self, normal: Vec3, force: Vec3) -> (Wrench, Wrench) {
        self.arms.wrenches(normal, force)
    }

    #[inline]
    fn inverse_masses(&self, normal: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        let one = |link: Option<&Mobility>, body: &BodyKinematics, arm: Vec3| {
            link.map_or_else(|| body.inverse_mass_at(arm, normal), |m| m.inverse_mass_at(arm, normal))
        };
        (one(self.a, ka, self.arms.a), one(self.b, kb, self.arms.b))
    }

    #[inline]
    fn inverse_masses_across(&self, slip: Vec3, ka: &BodyKinematics, kb: &BodyKinematics) -> (f64, f64) {
        self.inverse_masses(slip / slip.length_squared().sqrt().max(f64::MIN_POSITIVE), ka, kb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::Mat3;

    #[test]
    fn radial_arms_are_arms_along_the_normal() {
        let n = Vec3::new(0.6, 0.0, 0.8);
        let (radial, any) = (Radial { a: 0.3, b: 0.2 }, Oblique { a: n * -0.3, b: n * 0.2 });
        let first = Twist { linear: Vec3::new(1.0, -2.0, 0.5), angular: Vec3::new(0.2, 3.0, -1.0) };
        let second = Twist { linear: Vec3::new(0.1, 0.4, 0.0), angular: Vec3::new(-2.0, 0.5, 1.5) };
        let difference =
            radial.relative_velocity(n, &first, &second) - any.relative_velocity(n, &first, &second);
        assert!(difference.length() < 1e-15);
        let force = Vec3::new(5.0, 1.0, -3.0);
        let ((ra, rb), (aa, ab)) = (radial.wrenches(n, force), any.wrenches(n, force));
        assert!((ra.torque - aa.torque).length() + (rb.torque - ab.torque).length() < 1e-15);
        let body = |m: f64, i: f64| BodyKinematics {
            inverse_mass: m,
            inverse_inertia: Mat3::from_diagonal(Vec3::splat(i)),
            ..BodyKinematics::default()
        };
        let (ka, kb) = (body(2.0, 30.0), body(0.0, 0.0));
        let close = |x: (f64, f64), y: (f64, f64)| (x.0 - y.0).abs() + (x.1 - y.1).abs() < 1e-14;
        assert!(close(radial.inverse_masses(n, &ka, &kb), any.inverse_masses(n, &ka, &kb)));
        let slip = Vec3::new(0.0, 7.0, 0.0);
        assert!(close(
            radial.inverse_masses_across(slip, &ka, &kb),
            any.inverse_masses_across(slip, &ka, &kb)
        ));
    }
}
