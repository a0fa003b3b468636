//! Everything whose history can change a later bit.

use crate::BodyId;
use crate::activity::Activity;
use crate::cable::{CableState, CableStatistics};
use crate::closure::LoopState;
use crate::contact::{ContactSlot, Side};
use crate::controller::ControllerMemory;
use crate::sensor::SensorMemory;
use fender_math::StateHasher;
use serde::{Deserialize, Serialize};

/// The state of a simulation: together with the `Model` and the `Control`s to come it determines the future, bit by bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time [s].
    pub time: f64,
    /// Accepted steps so far.
    pub step: u64,
    /// Coordinates; the model says what is where (see `FreeBody`).
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Open contacts with their memory, ordered by (pair of shapes, slot).
    pub slots: Vec<ContactSlot>,
    /// The sides that fast bodies came from, ordered by pair of shapes.
    pub sides: Vec<Side>,
    /// What each loop remembers.
    pub loops: Vec<LoopState>,
    /// How each cable is divided and held.
    pub cables: Vec<CableState>,
    /// Figures of each cable over the whole run, for the summary.
    pub cable_statistics: Vec<CableStatistics>,
    /// Which bodies and forces take part.
    pub activity: Activity,
    /// Integrals of the energy account.
    pub account: Account,
    /// The integrator's own history.
    pub integrator: IntegratorMemory,
    /// What each sensor shows and remembers.
    pub sensors: Vec<SensorMemory>,
    /// What each controller remembers.
    pub controllers: Vec<ControllerMemory>,
    /// Output of each controller, held until it acts again [N or N·m].
    pub outputs: Vec<f64>,
    /// How many samples each recorder has taken.
    pub samples: Vec<u64>,
    /// Figures over the whole run, for the summary.
    pub statistics: Statistics,
}

/// Time integrals of the energy account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Energy lost by each of `Model::sources` [J].
    pub dissipated: Vec<f64>,
    /// Work done on the scene by each of `Model::sources` [J].
    pub work: Vec<f64>,
    /// Kinetic + potential + stored energy at the start [J].
    pub initial: f64,
    /// Kinetic energy so far [J].
    pub kinetic: Range,
    /// Potential energy so far [J].
    pub potential: Range,
}

impl Account {
    fn copy_from(&mut self, other: &Self) {
        let Self { dissipated, work, initial, kinetic, potential } = other;
        self.dissipated.clone_from(dissipated);
        self.work.clone_from(work);
        (self.initial, self.kinetic, self.potential) = (*initial, *kinetic, *potential);
    }
}

/// Least and greatest value of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Least.
    pub lowest: f64,
    /// Greatest.
    pub highest: f64,
}

impl Range {
    /// One value.
    pub fn of(value: f64) -> Self {
        Self { lowest: value, highest: value }
    }

    /// Takes another value in.
    pub fn include(&mut self, value: f64) {
        self.lowest = self.lowest.min(value);
        self.highest = self.highest.max(value);
    }

    /// Greatest minus least.
    pub fn width(&self) -> f64 {
        self.highest - self.lowest
    }
}

/// What integrators remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IntegratorMemory {
    /// Step proposed by error control for the next step [s]; 0 before the first.
    pub proposed: f64,
    /// Steps since error control last looked whether time goes on...
    pub steps_since: u64,
    /// ...and the time then [s].
    pub time_then: f64,
    /// Algorithmic acceleration of generalized-α methods at the end of the last step; empty before the first.
    pub algorithmic: Vec<f64>,
    /// True acceleration that the last step of a generalized-α method ended with, of cables' coordinates only: evaluated anew it would be
    /// mostly rounding, as light nodes hang on stiff elements. Empty without cables and before the first step.
    pub accelerations: Vec<f64>,
    /// What the steps so far have taken.
    pub effort: Effort,
    /// How many steps, or parts of steps, each body and then each cable has been taken through by generalized-α methods. Empty with others, and
    /// before the first step.
    pub taken: Vec<u64>,
}

/// What steps take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Steps that were rejected, by error control or because they did not converge.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Iterations of implicit methods.
    pub iterations: u64,
    /// Tangent matrices that were written and factored.
    pub factorisations: u64,
    /// Steps, or parts of steps, whose last iterate was accepted although the iteration had not come to its end.
    pub unconverged: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.unconverged += other.unconverged;
    }
}

/// Figures over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Deepest penetration so far [m].
    pub deepest: f64,
    /// When it happened [s].
    pub deepest_time: f64,
    /// Whether the warning about too large a step has been given.
    pub step_warned: bool,
    /// Pairs of bodies whose overlap was deeper than their patch is valid for, the first few of a run.
    pub too_deep: Vec<(BodyId, BodyId)>,
}

/// Why a saved state cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The bytes are not a state of this version.
    #[error("the saved state is damaged or was written by another version")]
    Damaged,
    /// The state belongs to another model.
    #[error("the saved state belongs to another model: {0}")]
    OtherModel(&'static str),
}

impl State {
    /// Takes over what an integrator looks at or changes, without new memory where there is enough (what `derive` writes would
    /// allocate). Sensors, controllers and figures of cables change between steps
    /// only.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self {
            time,
            step,
            q,
            v,
            slots,
            sides,
            loops,
            cables,
            activity,
            account,
            integrator,
            samples,
            statistics,
            outputs,
            ..
        } = other;
        (self.time, self.step) = (*time, *step);
        self.q.clone_from(q);
        self.v.clone_from(v);
        self.slots.clone_from(slots);
        self.sides.clone_from(sides);
        self.loops.clone_from(loops);
        copy_cables(&mut self.cables, cables);
        self.activity.copy_from(activity);
        self.account.copy_from(account);
        self.integrator.algorithmic.clone_from(&integrator.algorithmic);
        self.integrator.accelerations.clone_from(&integrator.accelerations);
        self.integrator.proposed = integrator.proposed;
        self.integrator.steps_since = integrator.steps_since;
        self.integrator.time_then = integrator.time_then;
        self.integrator.effort = integrator.effort;
        self.integrator.taken.clone_from(&integrator.taken);
        self.outputs.clone_from(outputs);
        self.samples.clone_from(samples);
        self.statistics = statistics.clone();
    }

    /// Bytes from which [`State::restore`] gives the same state, bit by bit.
    pub fn save(&self) -> Vec<u8> {
        // The writer is a growing vector and every field is plain data: this cannot fail.
        postcard::to_allocvec(self).expect("a state is plain data")
    }

    /// The state that was saved.
    pub fn restore(bytes: &[u8]) -> Result<Self, StateError> {
        match postcard::take_from_bytes(bytes) {
            Ok((state, [])) => Ok(state),
            _ => Err(StateError::Damaged),
        }
    }

    /// Hash of every bit of the state.
    pub fn hash(&self) -> u64 {
        let mut hasher = StateHasher::default();
        hasher.bytes(&self.save());
        hasher.finish()
    }
}

/// Takes the cables of another state over without new memory where there is enough.
pub(crate) fn copy_cables(to: &mut Vec<CableState>, from: &[CableState]) {
    to.resize_with(from.len(), CableState::default);
    for (to, from) in to.iter_mut().zip(from) {
        to.copy_from(from);
    }
}
