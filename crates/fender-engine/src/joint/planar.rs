//! Planar: sliding in the plane of x and y, and turning about z.

use super::{Coordinate, Joint, JointMotion, about_z, sliding, turning};
use fender_math::{Pose, Vec3};

/// Sliding in the plane of x and y, and turning about z.
#[derive(Clone, Copy, Debug)]
pub struct Planar;

impl Joint for Planar {
    fn name(&self) -> &'static str {
        "planar"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance("x"), Coordinate::Distance("y"), Coordinate::Angle("angle")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let pose = Pose { rotation: about_z(q[2]), translation: Vec3::new(q[0], q[1], 0.0) };
        JointMotion::still(pose).moving(&[sliding(Vec3::X), sliding(Vec3::Y), turning(Vec3::Z)], v)
    }
}
