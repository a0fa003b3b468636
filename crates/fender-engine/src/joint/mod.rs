//! Joints: how one body can move relative to another.
//!
//! A joint sits between a frame on the parent and a frame on the child. It says where the child's frame is in the
//! parent's for given coordinates `q`, how it moves for given velocities `v`, and how it is accelerated when `v` does not
//! change. One joint, one file, one registration line in [`samples`]; the contract test in `tests/all/joints.rs` holds all
//! of them to finite differences.

mod curve;
mod cylindrical;
mod fixed;
mod free;
mod planar;
mod prismatic;
mod revolute;
mod screw;
mod spherical;
mod universal;

pub use curve::Curve;
pub use cylindrical::Cylindrical;
pub use fixed::Fixed;
pub use free::Free;
pub use planar::Planar;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use screw::Screw;
pub use spherical::Spherical;
pub use universal::Universal;

use fender_math::{Pose, Quat, Twist, Vec3, float, rotation};
use std::fmt::Debug;

/// Most degrees of freedom that a joint has.
pub const MAX_DOF: usize = 6;

/// Motion of the child's frame relative to the parent's, in the axes of the parent's.
#[derive(Clone, Copy, Debug)]
pub struct JointMotion {
    /// Pose of the child's frame.
    pub pose: Pose,
    /// Velocity of its origin and angular velocity per unit of each velocity coordinate.
    pub subspace: [Twist; MAX_DOF],
    /// Velocity of its origin and angular velocity.
    pub twist: Twist,
    /// Their rates of change while the velocity coordinates stay the same.
    pub bias: Twist,
}

impl JointMotion {
    /// A frame at rest, to be moved.
    fn still(pose: Pose) -> Self {
        let zero = Twist::default();
        Self { pose, subspace: [zero; MAX_DOF], twist: zero, bias: zero }
    }

    /// Sets the subspace, and the twist that follows from it.
    fn moving(mut self, subspace: &[Twist], v: &[f64]) -> Self {
        for (i, (column, speed)) in subspace.iter().zip(v).enumerate() {
            self.subspace[i] = *column;
            self.twist.linear += column.linear * *speed;
            self.twist.angular += column.angular * *speed;
        }
        self
    }
}

/// The simplest joints: turning about z and sliding along it, both in proportion to one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongZ {
    /// Angle per unit of the coordinate [rad/rad or rad/m].
    pub turn: f64,
    /// Distance per unit of the coordinate [m/rad or m/m].
    pub rise: f64,
}

impl AlongZ {
    /// Orientation of the child's frame for a coordinate.
    #[inline]
    pub fn rotation(&self, q: f64) -> Quat {
        if self.turn == 0.0 { Quat::IDENTITY } else { about_z(self.turn * q) }
    }

    /// What [`Joint::motion`] says.
    fn motion(&self, q: f64, v: &[f64]) -> JointMotion {
        let pose = Pose { rotation: self.rotation(q), translation: Vec3::Z * (self.rise * q) };
        let column = Twist { linear: Vec3::Z * self.rise, angular: Vec3::Z * self.turn };
        JointMotion::still(pose).moving(&[column], v)
    }
}

/// A coordinate of velocity, as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// An angle [rad] and its rate.
    Angle(&'static str),
    /// A distance [m] and its rate.
    Distance(&'static str),
    /// A component of an angular velocity, without an angle of its own.
    Spin(&'static str),
}

/// How one body can move relative to another.
pub trait Joint: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// The velocity coordinates, in order.
    fn coordinates(&self) -> &'static [Coordinate];

    /// How many coordinates of position there are.
    fn nq(&self) -> usize {
        self.coordinates().len()
    }

    /// How many degrees of freedom there are.
    fn nv(&self) -> usize {
        self.coordinates().len()
    }

    /// Coordinates for which the two frames coincide.
    fn neutral(&self, q: &mut [f64]) {
        q.fill(0.0);
    }

    /// Its motion in short, if it is one of the simplest; [`Joint::motion`] must say the same.
    fn along_z(&self) -> Option<AlongZ> {
        None
    }

    /// Where the child's frame is and how it moves.
    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion;

    /// Rates of the coordinates.
    fn rates(&self, _q: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }

    /// Moves the coordinates for a time `h` [s] with constant velocities.
    fn advance(&self, q: &mut [f64], v: &[f64], h: f64) {
        for (x, rate) in q.iter_mut().zip(v) {
            *x += h * rate;
        }
    }

    /// Makes quaternions among the coordinates unit again.
    fn normalize(&self, _q: &mut [f64]) {}
}

/// The quaternion in four coordinates x y z w.
fn quaternion(q: &[f64]) -> Quat {
    Quat::from_xyzw(q[0], q[1], q[2], q[3])
}

fn put_quaternion(q: &mut [f64], r: Quat) {
    q.copy_from_slice(&[r.x, r.y, r.z, r.w]);
}

/// Turns the quaternion in four coordinates for a time `h` [s] with the angular velocity `omega` in the turned frame.
fn turn(q: &mut [f64], omega: Vec3, h: f64) {
    let turned = quaternion(q) * rotation::from_rotation_vector(omega * h);
    put_quaternion(q, turned.normalize());
}

/// Rotation about z.
#[inline]
fn about_z(angle: f64) -> Quat {
    let (s, c) = float::sin_cos(0.5 * angle);
    Quat::from_xyzw(0.0, 0.0, s, c)
}

/// Turning about an axis through the frame's origin.
fn turning(axis: Vec3) -> Twist {
    Twist { linear: Vec3::ZERO, angular: axis }
}

/// Sliding along an axis.
fn sliding(axis: Vec3) -> Twist {
    Twist { linear: axis, angular: Vec3::ZERO }
}

/// One of each, for the contract test.
pub fn samples() -> Vec<Box<dyn Joint>> {
    vec![
        Box::new(Fixed),
        Box::new(Revolute),
        Box::new(Prismatic),
        Box::new(Cylindrical),
        Box::new(Universal),
        Box::new(Spherical),
        Box::new(Planar),
        Box::new(Free),
        Box::new(Screw { lead: 0.02 }),
        Box::new(Curve::sample()),
    ]
}
