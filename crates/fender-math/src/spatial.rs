//! Twist and wrench: the two kinds of spatial vector, kept apart as types.

use crate::Vec3;
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Neg, Sub};

/// Velocity of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the reference point [m/s].
    pub linear: Vec3,
    /// Angular velocity [rad/s].
    pub angular: Vec3,
}

impl Twist {
    /// Velocity [m/s] of the body's point at `r` [m] from the reference point.
    #[inline]
    pub fn at(&self, r: Vec3) -> Vec3 {
        self.linear + self.angular.cross(r)
    }
}

/// Force and torque on a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrench {
    /// Force [N].
    pub force: Vec3,
    /// Torque about the reference point [N·m].
    pub torque: Vec3,
}

impl Wrench {
    /// A force acting at `r` [m] from the reference point.
    #[inline]
    pub fn from_force_at(force: Vec3, r: Vec3) -> Self {
        Self { force, torque: r.cross(force) }
    }

    /// Power delivered to a body that moves with `twist` about the same reference point [W].
    #[inline]
    pub fn power(&self, twist: &Twist) -> f64 {
        self.force.dot(twist.linear) + self.torque.dot(twist.angular)
    }
}

macro_rules! vector_space {
    ($type:ident, $first:ident, $second:ident) => {
        impl Add for $type {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }
        impl Sub for $type {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }
        impl AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl Neg for $type {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }
    };
}

vector_space!(Twist, linear, angular);
vector_space!(Wrench, force, torque);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_does_not_depend_on_the_reference_point() {
        let force = Vec3::new(1.0, -2.0, 0.5);
        let r = Vec3::new(0.3, 0.1, -0.7);
        let twist = Twist { linear: Vec3::new(0.2, 0.4, -0.1), angular: Vec3::new(3.0, -1.0, 2.0) };
        let at_origin = Wrench::from_force_at(force, r).power(&twist);
        let at_point = force.dot(twist.at(r));
        assert!((at_origin - at_point).abs() < 1e-14);
    }
}
