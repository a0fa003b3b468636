//! Prismatic: sliding along z.

use super::{Coordinate, Joint, JointMotion, sliding};
use fender_math::{Pose, Vec3};

/// Sliding along z: cylinders, telescopes, slides.
#[derive(Clone, Copy, Debug)]
pub struct Prismatic;

impl Joint for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance("distance")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        JointMotion::still(Pose::from_translation(Vec3::Z * q[0])).moving(&[sliding(Vec3::Z)], v)
    }
}
