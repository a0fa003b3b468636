//! Integrators behind one trait.

use crate::{BodyId, Control, Data, Model, State};
use fender_math::Vec3;
use std::fmt::Debug;

/// Advances a state in time.
pub trait Integrator: Debug + Send + Sync {
    /// Takes one accepted step. Error control never steps past `limit` [s]; fixed steps keep their length.
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        limit: f64,
    ) -> Result<(), StepError>;

    /// Length of the step if it is fixed [s].
    fn fixed_step(&self) -> Option<f64>;
}

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A body's motion is no longer finite, or absurdly fast.
    #[error(
        "the simulation diverged at t = {time:.6} s: body {body:?} is at ({:.3e}, {:.3e}, {:.3e}) m with a speed of {speed:.3e} m/s",
        position.x, position.y, position.z
    )]
    Diverged {
        /// Time [s].
        time: f64,
        /// Body.
        body: BodyId,
        /// Its position [m].
        position: Vec3,
        /// Its speed [m/s].
        speed: f64,
    },
    /// Error control asks for a step below what a float can resolve.
    #[error(
        "error control needs a step below {step:.3e} s at t = {time:.6} s: the scene is too stiff for this method"
    )]
    StepTooSmall {
        /// Time [s].
        time: f64,
        /// Step [s].
        step: f64,
    },
}

/// Which integrator, with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntegratorSpec {
    /// Explicit Euler, order 1.
    ExplicitEuler {
        /// Step [s].
        step: f64,
    },
    /// Semi-implicit (symplectic) Euler.
    SemiImplicitEuler {
        /// Step [s].
        step: f64,
    },
    /// Bogacki–Shampine, order 3.
    Rk3 {
        /// Step [s].
        step: f64,
    },
    /// Classical Runge–Kutta, order 4.
    Rk4 {
        /// Step [s].
        step: f64,
    },
    /// Runge–Kutta–Fehlberg 4(5) with error control.
    Rk45(Adaptive),
    /// Dormand–Prince 5(4) with error control.
    DormandPrince(Adaptive),
}

/// Settings of error control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Relative tolerance.
    pub relative: f64,
    /// Absolute tolerance [m, m/s, rad/s].
    pub absolute: f64,
    /// Largest step [s].
    pub max_step: f64,
}

impl IntegratorSpec {
    /// The integrator.
    pub fn build(&self) -> Box<dyn Integrator> {
        unimplemented!()
    }
}
