//! World: model, state, data and control in one hand.

use crate::{BodyId, Control, Data, Energy, Event, Integrator, Model, State, StateError, StepError};
use fender_math::{Pose, Twist};

/// A simulation.
#[derive(Debug)]
pub struct World {
    /// What there is.
    pub model: Model,
    /// How it is now.
    pub state: State,
    /// Inputs of the next step.
    pub control: Control,
    /// Scratch.
    pub data: Data,
    /// What happened since the caller last took the events.
    pub events: Vec<Event>,
}

impl World {
    /// A world at its start, with the contacts that exist there opened.
    pub fn new(_model: Model) -> Self {
        unimplemented!()
    }

    /// A world that continues from a saved state.
    pub fn resume(_model: Model, _state: State) -> Result<Self, StateError> {
        unimplemented!()
    }

    /// Takes one step (see [`Integrator::advance`]).
    pub fn step(&mut self, _integrator: &dyn Integrator, _limit: f64) -> Result<(), StepError> {
        unimplemented!()
    }

    /// Brings `data` (kinematics, contacts, forces, accelerations) up to date with `state`; cheap if it already is.
    pub fn refresh(&mut self) {
        unimplemented!()
    }

    /// Pose of a body's frame. Call [`World::refresh`] after a step first; so for all below.
    pub fn pose(&self, body: BodyId) -> Pose {
        self.data.bodies[body.index()].pose
    }

    /// Velocity of the body frame's origin and angular velocity, in the world.
    pub fn twist(&self, body: BodyId) -> Twist {
        let b = &self.data.bodies[body.index()];
        Twist { linear: b.velocity_at(b.pose.translation), angular: b.twist.angular }
    }

    /// Acceleration of the body frame's origin and angular acceleration, in the world.
    pub fn acceleration(&self, _body: BodyId) -> Twist {
        unimplemented!()
    }

    /// The energy account.
    pub fn energy(&self) -> Energy {
        unimplemented!()
    }
}
