//! A world with its integrator, its clocks and what it records, all in memory.

use crate::clock::Clock;
use crate::recorder::{Plan, PlanError, SignalRecorder, contact_period, contact_table, sample_contacts};
use crate::scenario::{Expect, Record, RunSettings};
use crate::stream::{DEFAULT_PERIOD, FrameRecorder};
use crate::table::Table;
use fender_engine::{BodyId, Integrator, Model, State, StateError, StepError, World};

/// What a simulation records.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Signals; empty for the default.
    pub records: Vec<Record>,
    /// What the signals will be asked.
    pub expects: Vec<Expect>,
    /// Whether the contact table is kept.
    pub contacts: bool,
    /// Interval of the frames [s]; `None` for none.
    pub frames: Option<f64>,
    /// Pairs of bodies whose closest points are in the frames.
    pub gaps: Vec<[BodyId; 2]>,
}

/// Why a simulation cannot start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartError {
    /// A signal does not exist.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The saved state does not fit the model.
    #[error(transparent)]
    State(#[from] StateError),
}

/// A world that moves and is recorded.
#[derive(Debug)]
pub struct Simulation {
    /// The world.
    pub world: World,
    /// Signals sampled and not yet taken.
    pub signals: SignalRecorder,
    /// Contacts sampled and not yet taken; `None` if they are not recorded.
    pub contacts: Option<Table>,
    /// Frames sampled and not yet taken; `None` if they are not recorded.
    pub frames: Option<FrameRecorder>,
    integrator: Box<dyn Integrator>,
    duration: f64,
    /// Clocks of the signals, then of the contacts, then of the frames; `State::samples` counts along.
    clocks: Vec<Clock>,
    signal_clocks: usize,
    due: Vec<bool>,
}

impl Simulation {
    /// A simulation at its start, with the first samples taken.
    pub fn start(model: Model, run: &RunSettings, recording: &Recording) -> Result<Self, StartError> {
        let mut simulation = Self::build(model, run, recording, None)?;
        simulation.world.state.samples = vec![0; simulation.clocks.len()];
        simulation.sample(false);
        Ok(simulation)
    }

    /// A simulation that goes on from a saved state, recorded as before.
    pub fn resume(
        model: Model,
        run: &RunSettings,
        recording: &Recording,
        state: State,
    ) -> Result<Self, StartError> {
        let simulation = Self::build(model, run, recording, Some(state))?;
        if simulation.world.state.samples.len() != simulation.clocks.len() {
            return Err(StateError::OtherModel("it has other recorders").into());
        }
        Ok(simulation)
    }

    fn build(
        model: Model,
        run: &RunSettings,
        recording: &Recording,
        state: Option<State>,
    ) -> Result<Self, StartError> {
        let integrator = run.integrator.build();
        let fixed = integrator.fixed_step();
        let plan = Plan::new(&model, run.duration, fixed, &recording.records, &recording.expects)?;
        let mut clocks = plan.clocks.clone();
        let signal_clocks = clocks.len();
        clocks.push(Clock::every(contact_period(&model, plan.shortest), fixed));
        clocks.push(Clock::every(recording.frames.unwrap_or(DEFAULT_PERIOD), fixed));
        let frames = recording.frames.map(|_| FrameRecorder::new(&model, recording.gaps.clone()));
        let contacts = recording.contacts.then(|| contact_table(&model));
        let signals = SignalRecorder::new(plan, &model);
        let world = match state {
            None => World::new(model),
            Some(state) => World::resume(model, state)?,
        };
        Ok(Self {
            world,
            signals,
            contacts,
            frames,
            integrator,
            duration: run.duration,
            due: vec![false; clocks.len()],
            signal_clocks,
            clocks,
        })
    }

    /// Whether the duration has been reached.
    pub fn finished(&self) -> bool {
        // Steps add up with rounding: a last step of a few ulps would be one too many.
        let slack = match self.integrator.fixed_step() {
            Some(step) => 1e-6 * step,
            None => 1e-12 * self.duration,
        };
        self.world.state.time >= self.duration - slack
    }

    /// Simulated time asked for [s].
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Step of a method without error control [s].
    pub fn fixed_step(&self) -> Option<f64> {
        self.integrator.fixed_step()
    }

    /// Takes one step and whatever samples are due then. The last step is sampled by every clock.
    pub fn step(&mut self) -> Result<(), StepError> {
        let samples = &self.world.state.samples;
        let next = self.clocks.iter().zip(samples).map(|(clock, taken)| clock.next_time(*taken));
        let limit = next.fold(self.duration, f64::min);
        self.world.step(&*self.integrator, limit)?;
        self.sample(self.finished());
        Ok(())
    }

    /// Bytes held by samples that have not been taken, about.
    pub fn buffered(&self) -> usize {
        let table = |t: &Table| t.rows() * t.columns.len() * size_of::<f64>();
        table(&self.signals.table)
            + self.contacts.as_ref().map_or(0, table)
            + self.frames.as_ref().map_or(0, FrameRecorder::buffered)
    }

    fn sample(&mut self, all: bool) {
        let state = &mut self.world.state;
        let mut any = false;
        for (i, clock) in self.clocks.iter().enumerate() {
            let taken = &mut state.samples[i];
            let due = clock.due(*taken, state.step, state.time);
            while clock.due(*taken, state.step, state.time) {
                *taken += 1;
            }
            self.due[i] = due || all;
            any |= self.due[i];
        }
        if !any {
            return;
        }
        self.world.refresh();
        if self.due[..self.signal_clocks].contains(&true) {
            self.signals.sample(&self.world, &self.due);
        }
        if let Some(contacts) = self.contacts.as_mut().filter(|_| self.due[self.signal_clocks]) {
            sample_contacts(contacts, &self.world);
        }
        if let Some(frames) = self.frames.as_mut().filter(|_| self.due[self.signal_clocks + 1]) {
            frames.sample(&self.world);
        }
    }
}
