//! Free: every motion, relative to a parent that may move.

use super::{Coordinate, Joint, JointMotion, Spherical, quaternion, sliding, turn, turning};
use fender_math::{Pose, Vec3};

/// Every motion: x y z and a quaternion; the velocities are those of the origin in the parent's axes, and the angular
/// velocity in the child's.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl Joint for Free {
    fn name(&self) -> &'static str {
        "free"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        const COORDINATES: [Coordinate; 6] = [
            Coordinate::Distance("x"),
            Coordinate::Distance("y"),
            Coordinate::Distance("z"),
            Coordinate::Spin("spin_x"),
            Coordinate::Spin("spin_y"),
            Coordinate::Spin("spin_z"),
        ];
        &COORDINATES
    }

    fn nq(&self) -> usize {
        7
    }

    fn neutral(&self, q: &mut [f64]) {
        q[..3].fill(0.0);
        Spherical.neutral(&mut q[3..]);
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let rotation = quaternion(&q[3..]).normalize();
        let pose = Pose { rotation, translation: Vec3::new(q[0], q[1], q[2]) };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let [x, y, z] = axes.map(sliding);
        let [a, b, c] = axes.map(|axis| turning(rotation * axis));
        JointMotion::still(pose).moving(&[x, y, z, a, b, c], v)
    }

    fn rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        out[..3].copy_from_slice(&v[..3]);
        Spherical.rates(&q[3..], &v[3..], &mut out[3..]);
    }

    fn advance(&self, q: &mut [f64], v: &[f64], h: f64) {
        for (x, rate) in q.iter_mut().zip(&v[..3]) {
            *x += h * rate;
        }
        turn(&mut q[3..], Vec3::new(v[3], v[4], v[5]), h);
    }

    fn normalize(&self, q: &mut [f64]) {
        Spherical.normalize(&mut q[3..]);
    }
}
