//! Arms from the bodies' centres to the point of action: what turns velocities into slip and forces into torques.

use crate::data::BodyKinematics;
use fender_math::{Twist, Vec3, Wrench};

/// The two arms of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arms {
    /// Along the normal: −a·n on the first body, b·n on the second [m]; both have equal moments or do not move. So it is
    /// for balls and fixed bodies, where it saves half of the arithmetic.
    Radial { a: f64, b: f64 },
    /// Any [m].
    Any { a: Vec3, b: Vec3 },
}

impl Arms {
    /// Velocity of the first body relative to the second at the point of action [m/s].
    #[inline]
    pub(crate) fn relative_velocity(&self, normal: Vec3, first: &Twist, second: &Twist) -> Vec3 {
        match self {
            Self::Radial { a, b } => {
                first.linear - second.linear + normal.cross(first.angular * *a + second.angular * *b)
            }
            Self::Any { a, b } => first.at(*a) - second.at(*b),
        }
    }

    /// Wrenches on the first body, by `force` [N], and on the second, by its opposite.
    #[inline]
    pub(crate) fn wrenches(&self, normal: Vec3, force: Vec3) -> (Wrench, Wrench) {
        match self {
            Self::Radial { a, b } => {
                let turning = force.cross(normal);
                (Wrench { force, torque: turning * *a }, Wrench { force: -force, torque: turning * *b })
            }
            Self::Any { a, b } => (Wrench::from_force_at(force, *a), Wrench::from_force_at(-force, *b)),
        }
    }

    /// How much a unit impulse along the normal changes each body's velocity there [1/kg].
    #[inline]
    pub(crate) fn inverse_masses(
        &self,
        normal: Vec3,
        ka: &BodyKinematics,
        kb: &BodyKinematics,
    ) -> (f64, f64) {
        match self {
            Self::Radial { .. } => (ka.inverse_mass, kb.inverse_mass),
            Self::Any { a, b } => (ka.inverse_mass_at(*a, normal), kb.inverse_mass_at(*b, normal)),
        }
    }

    /// The same along a slip of any length.
    #[inline]
    pub(crate) fn inverse_masses_across(
        &self,
        slip: Vec3,
        ka: &BodyKinematics,
        kb: &BodyKinematics,
    ) -> (f64, f64) {
        match self {
            Self::Radial { a, b } => {
                let across =
                    |k: &BodyKinematics, arm: f64| k.inverse_mass + arm * arm * k.inverse_inertia.x_axis.x;
                (across(ka, *a), across(kb, *b))
            }
            Self::Any { a, b } => {
                let direction = slip / slip.length_squared().sqrt().max(f64::MIN_POSITIVE);
                (ka.inverse_mass_at(*a, direction), kb.inverse_mass_at(*b, direction))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::Mat3;

    #[test]
    fn radial_arms_are_arms_along_the_normal() {
        let n = Vec3::new(0.6, 0.0, 0.8);
        let (radial, any) = (Arms::Radial { a: 0.3, b: 0.2 }, Arms::Any { a: n * -0.3, b: n * 0.2 });
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
