//! Cylindrical: sliding along z and turning about it.

use super::{Coordinate, Joint, JointMotion, about_z, sliding, turning};
use fender_math::{Pose, Vec3};

/// Sliding along z and turning about it, independently.
#[derive(Clone, Copy, Debug)]
pub struct Cylindrical;

impl Joint for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance("distance"), Coordinate::Angle("angle")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let pose = Pose { rotation: about_z(q[1]), translation: Vec3::Z * q[0] };
        JointMotion::still(pose).moving(&[sliding(Vec3::Z), turning(Vec3::Z)], v)
    }
}
