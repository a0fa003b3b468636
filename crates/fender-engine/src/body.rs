//! Bodies as the model holds them.

use crate::{BodyId, MaterialId};
use fender_geom::Shape;
use fender_math::series::PoseSeries;
use fender_math::{MassProperties, Pose, Quat, Twist, Vec3};
use std::ops::Range;

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyMotion {
    /// By Newton and Euler: six degrees of freedom.
    Free {
        /// Mass, centre and inertia in the body's frame.
        mass: MassProperties,
    },
    /// Never.
    Fixed,
    /// As prescribed, whatever the forces.
    Driven {
        /// Pose of the body's frame over time.
        series: PoseSeries,
    },
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: BodyMotion,
    /// Pose of its frame at the start.
    pub pose: Pose,
    /// Velocity of its frame's origin and angular velocity at the start, in the world.
    pub twist: Twist,
    /// Its shapes: a range of `Model::shapes`.
    pub shapes: Range<u32>,
    /// For a free body: what the equations of motion need, else `None`.
    pub free: Option<FreeBody>,
    /// For a body in a tree: index into `Model::links`, else `None`.
    pub link: Option<usize>,
}

impl Body {
    /// Its mass [kg], if forces move it.
    pub fn mass(&self) -> Option<f64> {
        match &self.motion {
            BodyMotion::Free { mass } => Some(mass.mass),
            BodyMotion::Fixed | BodyMotion::Driven { .. } => None,
        }
    }

    /// Whether forces move it: it is free, or carried by a joint.
    pub fn yields(&self) -> bool {
        matches!(self.motion, BodyMotion::Free { .. })
    }
}

/// A free body's part in the equations of motion. Its coordinates are those of the *central frame*: origin in the
/// centre of mass, axes along the principal axes, so that translation and rotation decouple and inertia is diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeBody {
    /// Which body it is.
    pub body: BodyId,
    /// Index of its first coordinate in `State::q`: position of the centre of mass (x y z), then the central frame's
    /// orientation (quaternion x y z w).
    pub q: usize,
    /// Index of its first velocity in `State::v`: velocity of the centre in the world, then angular velocity in the
    /// central frame.
    pub v: usize,
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments [kg·m²].
    pub inertia: Vec3,
    /// Their inverses [1/(kg·m²)].
    pub inverse_inertia: Vec3,
    /// Central frame in the body's frame.
    pub pose_bc: Pose,
    /// Body's frame in the central frame.
    pub pose_cb: Pose,
    /// The central frame is the body's frame.
    pub central: bool,
    /// All principal moments are equal.
    pub isotropic: bool,
    /// It carries joints: its acceleration is that of the root of a tree.
    pub root: bool,
}

impl FreeBody {
    /// Numbers in `State::q` per free body.
    pub const NQ: usize = 7;
    /// Numbers in `State::v` per free body.
    pub const NV: usize = 6;

    /// Pose of the central frame.
    #[inline]
    pub fn pose_wc(&self, q: &[f64]) -> Pose {
        let q = &q[self.q..self.q + Self::NQ];
        Pose { rotation: Quat::from_xyzw(q[3], q[4], q[5], q[6]), translation: Vec3::new(q[0], q[1], q[2]) }
    }

    /// Velocity of the centre (world) and angular velocity (central frame).
    #[inline]
    pub fn velocity(&self, v: &[f64]) -> (Vec3, Vec3) {
        let v = &v[self.v..self.v + Self::NV];
        (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]))
    }
}

/// A shape of a body.
#[derive(Clone, Debug)]
pub struct BodyShape {
    /// Body it belongs to.
    pub body: BodyId,
    /// Geometry in the shape's frame.
    pub shape: Shape,
    /// Shape's frame in the body's frame.
    pub pose_bs: Pose,
    /// Shape's frame is the body's frame.
    pub central: bool,
    /// Material of its surface.
    pub material: MaterialId,
    /// Collision group; groups of two shapes must not be on the model's ignore list.
    pub group: u32,
}
