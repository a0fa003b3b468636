//! Force elements, one file each.

use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::TangentSink;
use fender_math::{Vec3, Wrench};
use std::fmt::Debug;

mod drag;
mod load;
mod spring;

pub use drag::Drag;
pub use load::{Load, LoadCurve};
pub use spring::Spring;

/// A force that acts on bodies and accounts for its energy.
pub trait Force: Debug + Send + Sync {
    /// Adds the forces and the energies of this instant.
    fn apply(&self, time: f64, bodies: &[BodyKinematics], sink: &mut ForceSink<'_>);

    /// How the forces change with positions and velocities.
    fn tangent(&self, time: f64, bodies: &[BodyKinematics], sink: &mut TangentSink<'_>);

    /// Times at which the force starts, stops or has a kink [s].
    fn time_events(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Bodies it acts on.
    fn bodies(&self) -> Vec<BodyId>;
}

/// Where force elements put their answers.
#[derive(Debug)]
pub struct ForceSink<'a> {
    pub(crate) bodies: &'a [BodyKinematics],
    /// Wrench on each body about its centre of mass.
    pub(crate) wrenches: &'a mut [Wrench],
    /// Energy stored [J].
    pub stored: f64,
    /// Power lost [W].
    pub dissipated: f64,
    /// Power delivered to the scene [W].
    pub work: f64,
}

impl ForceSink<'_> {
    /// A force [N] on a body at a point in the world [m].
    #[inline]
    pub fn force_at(&mut self, body: BodyId, force: Vec3, point: Vec3) {
        let r = point - self.bodies[body.index()].center;
        self.wrenches[body.index()] += Wrench::from_force_at(force, r);
    }

    /// A pure torque [N·m] on a body.
    #[inline]
    pub fn torque(&mut self, body: BodyId, torque: Vec3) {
        self.wrenches[body.index()].torque += torque;
    }
}
