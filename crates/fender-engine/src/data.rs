//! Scratch of a step: never saved, and history-free. Clearing it at any time changes no bit of the motion.

use crate::Contact;
use fender_math::{Pose, Twist, Vec3};

/// Where a body is and how it moves, for one instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyKinematics {
    /// Pose of the body's frame.
    pub pose: Pose,
    /// Centre of mass in the world [m] (the frame's origin for bodies that are not free).
    pub center: Vec3,
    /// Velocity of the centre of mass and angular velocity, in the world.
    pub twist: Twist,
}

impl BodyKinematics {
    /// Velocity of the body's point that is now at `point` in the world [m/s].
    #[inline]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.twist.at(point - self.center)
    }
}

/// Scratch of a step, grouped by the stage that computes it.
#[derive(Debug, Default)]
pub struct Data {
    /// Kinematics of each body [stage: kinematics].
    pub bodies: Vec<BodyKinematics>,
    /// Contacts at this instant, ordered by (pair of shapes, point) [stages: detect, laws].
    pub contacts: Vec<Contact>,
}
