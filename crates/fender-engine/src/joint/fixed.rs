//! Fixed: the child moves with the parent.

use super::{Coordinate, Joint, JointMotion};
use fender_math::Pose;

/// No motion.
#[derive(Clone, Copy, Debug)]
pub struct Fixed;

impl Joint for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[]
    }

    fn motion(&self, _q: &[f64], _v: &[f64]) -> JointMotion {
        JointMotion::still(Pose::IDENTITY)
    }
}
