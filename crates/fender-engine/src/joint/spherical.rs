//! Spherical: turning about a point.

use super::{Coordinate, Joint, JointMotion, put_quaternion, quaternion, turn, turning};
use fender_math::{Pose, Quat, Vec3, rotation};

/// Turning about a point: ball joints, hooks. A quaternion, so that no orientation is singular; the velocities are the
/// angular velocity in the child's frame.
#[derive(Clone, Copy, Debug)]
pub struct Spherical;

impl Joint for Spherical {
    fn name(&self) -> &'static str {
        "spherical"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Spin("x"), Coordinate::Spin("y"), Coordinate::Spin("z")]
    }

    fn nq(&self) -> usize {
        4
    }

    fn neutral(&self, q: &mut [f64]) {
        put_quaternion(q, Quat::IDENTITY);
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let rotation = quaternion(q).normalize();
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| turning(rotation * axis));
        // d(Rω)/dt = R(ω × ω) = 0 for constant ω: no bias.
        JointMotion::still(Pose { rotation, translation: Vec3::ZERO }).moving(&axes, v)
    }

    fn rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        put_quaternion(out, rotation::rate_body(quaternion(q), Vec3::new(v[0], v[1], v[2])));
    }

    fn advance(&self, q: &mut [f64], v: &[f64], h: f64) {
        turn(q, Vec3::new(v[0], v[1], v[2]), h);
    }

    fn normalize(&self, q: &mut [f64]) {
        put_quaternion(q, quaternion(q).normalize());
    }
}
