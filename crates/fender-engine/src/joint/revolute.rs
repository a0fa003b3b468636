//! Revolute: turning about z.

use super::{Coordinate, Joint, JointMotion, about_z, turning};
use fender_math::{Pose, Vec3};

/// Turning about z: hinges, slewing rings, elbows.
#[derive(Clone, Copy, Debug)]
pub struct Revolute;

impl Joint for Revolute {
    fn name(&self) -> &'static str {
        "revolute"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle("angle")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        JointMotion::still(Pose { rotation: about_z(q[0]), translation: Vec3::ZERO })
            .moving(&[turning(Vec3::Z)], v)
    }
}
