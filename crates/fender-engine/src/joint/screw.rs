//! Screw: turning about z and sliding along it in proportion.

use super::{Coordinate, Joint, JointMotion, about_z};
use fender_math::{Pose, Twist, Vec3};

/// Turning about z, sliding along it by `lead` [m] per turn.
#[derive(Clone, Copy, Debug)]
pub struct Screw {
    /// Distance per turn [m].
    pub lead: f64,
}

impl Joint for Screw {
    fn name(&self) -> &'static str {
        "screw"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle("angle")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let rise = self.lead / std::f64::consts::TAU;
        let pose = Pose { rotation: about_z(q[0]), translation: Vec3::Z * (rise * q[0]) };
        JointMotion::still(pose).moving(&[Twist { linear: Vec3::Z * rise, angular: Vec3::Z }], v)
    }
}
