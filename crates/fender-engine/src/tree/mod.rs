//! Trees: bodies joined to each other, in the coordinates of their joints.
//!
//! Every link is a body and the joint that carries it; a link's parent comes before it. All vectors are along the
//! world's axes and about the bodies' centres of mass, so that going from link to link is a shift without a rotation, a
//! body's own inertia has no coupling, and contact forces enter as they are.
//!
//! With the classical accelerations of the centres (not the spatial ones), a link's acceleration is
//! `a = a_parent + α_parent × r + bias + S·q̈`, where the bias holds everything that goes with velocities. Featherstone
//! 2008, Rigid Body Dynamics Algorithms, chapters 5–7, in these coordinates.

mod articulated;
mod composite;
mod impulse;
mod inertia;
mod kinematics;
mod mobility;
mod symmetric;

pub(crate) use articulated::scaled;
pub use articulated::{accelerations, velocities};
pub(crate) use composite::{columns, mass_entries};
pub use composite::{inverse_dynamics, jacobian, mass_matrix};
pub(crate) use impulse::add_generalised;
pub use impulse::{Push, articulate};
pub use inertia::ArticulatedInertia;
pub use kinematics::kinematics;
pub use mobility::{Mobility, mobilities, response};
pub use symmetric::Symmetric;

use crate::joint::{AlongZ, Joint, MAX_DOF};
use crate::{BodyId, FreeBody};
use fender_math::{Mat3, Pose, Profile, Twist, Vec3, Wrench};
use std::sync::Arc;

/// What carries a link.
#[derive(Clone, Debug)]
pub enum Carrier {
    /// Nothing: the root of a tree that floats. Its coordinates are those of the free body.
    Nothing(FreeBody),
    /// A joint.
    Joint {
        /// The joint.
        joint: Arc<dyn Joint>,
        /// What it says of itself, if it is one of the simplest.
        along_z: Option<AlongZ>,
        /// Index of the parent link; `None` if the parent is not moved by forces.
        link: Option<usize>,
        /// Body of the parent; `None` for the world.
        body: Option<BodyId>,
        /// Joint frame in the parent body's frame (or in the world).
        pose_pj: Pose,
        /// Child body's frame in the joint frame that goes with the child.
        pose_jb: Pose,
        /// Coordinates over time, if they are prescribed: the link then has no degrees of freedom.
        guide: Option<Vec<Profile>>,
    },
}

/// A body in a tree.
#[derive(Clone, Debug)]
pub struct Link {
    /// The body.
    pub body: BodyId,
    /// What carries it.
    pub carrier: Carrier,
    /// Index of its first coordinate in `State::q`.
    pub q: usize,
    /// Index of its first velocity in `State::v`.
    pub v: usize,
    /// Degrees of freedom.
    pub nv: usize,
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments [kg·m²].
    pub inertia: Vec3,
    /// Central frame (centre of mass, principal axes) in the body's frame.
    pub pose_bc: Pose,
    /// From the joint frame that goes with the body to the centre of mass, along the body's axes [m].
    pub arm: Vec3,
    /// The principal axes in the body's frame, as columns.
    pub axes: Mat3,
    /// Contacts or loops may ask for its inverse inertia.
    pub reached: bool,
}

impl Link {
    /// Index of the parent link.
    #[inline]
    pub fn parent(&self) -> Option<usize> {
        match self.carrier {
            Carrier::Nothing(_) => None,
            Carrier::Joint { link, .. } => link,
        }
    }
}

/// What the algorithms know of a link at one instant.
#[derive(Clone, Copy, Debug)]
pub struct LinkData {
    /// From the parent's centre to this one's [m] (from the world's origin if the parent is the world).
    pub r: Vec3,
    /// Motion of the centre per unit of each velocity coordinate.
    pub subspace: [Twist; MAX_DOF],
    /// Motion of the centre relative to the parent's body.
    pub relative: Twist,
    /// Acceleration of the centre that goes with velocities and prescribed motion alone, relative to the parent's.
    pub bias: Twist,
    /// Inertia of the body in the world's axes [kg·m²].
    pub inertia: Symmetric,
    /// Torque that the turning of its inertia asks for, ω × Iω [N·m].
    pub gyroscopic: Vec3,
    /// Generalised force on each coordinate, by springs, motors and the like [N, N·m].
    pub force: [f64; MAX_DOF],
    /// Wrench by closed loops on the body, about its centre [N, N·m].
    pub(crate) closing: Wrench,
    /// Generalised force by closed loops on each coordinate [N, N·m].
    pub(crate) closing_force: [f64; MAX_DOF],
    /// Inertia of the link with everything it carries.
    articulated: ArticulatedInertia,
    /// Wrench that the link with everything it carries needs at zero acceleration.
    needed: Wrench,
    /// Articulated inertia times the subspace.
    columns: [Wrench; MAX_DOF],
    /// Inverse of Sᵀ·(articulated inertia)·S.
    inverse: [[f64; MAX_DOF]; MAX_DOF],
    /// Force that is left for the coordinates.
    left: [f64; MAX_DOF],
    /// How it gives way to a wrench, where contacts need to know.
    pub mobility: Mobility,
    /// Acceleration of the centre and angular acceleration.
    pub acceleration: Twist,
}

impl LinkData {
    /// Wrench by the joint on the body, about its centre [N, N·m].
    pub fn reaction(&self) -> Wrench {
        let mut reaction = self.articulated.times(&self.acceleration);
        reaction += self.needed;
        reaction
    }

    /// Nothing moves it, and nothing holds it: it is not part of the motion now.
    pub(crate) fn set_idle(&mut self) {
        (self.acceleration, self.needed) = (Twist::default(), Wrench::default());
    }
}

impl Default for LinkData {
    fn default() -> Self {
        Self {
            r: Vec3::ZERO,
            subspace: [Twist::default(); MAX_DOF],
            relative: Twist::default(),
            bias: Twist::default(),
            inertia: Symmetric::ZERO,
            gyroscopic: Vec3::ZERO,
            force: [0.0; MAX_DOF],
            closing: Wrench::default(),
            closing_force: [0.0; MAX_DOF],
            articulated: ArticulatedInertia::ZERO,
            needed: Wrench::default(),
            columns: [Wrench::default(); MAX_DOF],
            inverse: [[0.0; MAX_DOF]; MAX_DOF],
            left: [0.0; MAX_DOF],
            mobility: Mobility::NONE,
            acceleration: Twist::default(),
        }
    }
}

/// Power of a wrench on a motion, both about one point.
#[inline]
fn dot(w: &Wrench, t: &Twist) -> f64 {
    w.power(t)
}

/// A wrench about the parent's centre instead of the child's, at `r` from it.
#[inline]
pub(crate) fn shifted(w: &Wrench, r: Vec3) -> Wrench {
    Wrench { force: w.force, torque: w.torque + r.cross(w.force) }
}

/// The motion of the child's centre, at `r` from the parent's, when it moves with the parent.
#[inline]
pub(crate) fn carried(t: &Twist, r: Vec3) -> Twist {
    Twist { linear: t.at(r), angular: t.angular }
}
