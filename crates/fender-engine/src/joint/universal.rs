//! Universal: turning about the parent's x, then about the child's y.

use super::{Coordinate, Joint, JointMotion, turning};
use fender_math::{Pose, Vec3, rotation};

/// Turning about the parent's x, then about the child's y: cardan shafts, gimbals.
#[derive(Clone, Copy, Debug)]
pub struct Universal;

impl Joint for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle("first"), Coordinate::Angle("second")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let first = rotation::from_axis_angle(Vec3::X, q[0]);
        let second = rotation::from_axis_angle(Vec3::Y, q[1]);
        let axis = first * Vec3::Y;
        let pose = Pose { rotation: first * second, translation: Vec3::ZERO };
        let mut motion = JointMotion::still(pose).moving(&[turning(Vec3::X), turning(axis)], v);
        // The second axis is carried round by the first.
        motion.bias.angular = (Vec3::X * v[0]).cross(axis * v[1]);
        motion
    }
}
