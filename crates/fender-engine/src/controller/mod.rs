//! Controllers: from what sensors show to what acts on the machine.
//!
//! A controller acts at the ends of accepted steps only (see `sampling`), at 0, T, 2T, … or at every step, and holds its
//! output in between. Its law is one file; what it remembers is part of the `State`.

mod drive;
mod feedback;
mod pid;

pub use drive::Drive;
pub use feedback::{StateFeedback, Term};
pub use pid::Pid;

use crate::sampling;
use crate::{Model, SensorId};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A number that a controller looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Sensor.
    pub sensor: SensorId,
    /// Which of its components.
    pub component: usize,
}

/// What a law knows of the moment it acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time [s].
    pub time: f64,
    /// Time since it last acted [s]; `None` the first time.
    pub elapsed: Option<f64>,
    /// Least output that the drive can give.
    pub low: f64,
    /// Greatest output that the drive can give.
    pub high: f64,
}

/// From readings to an output.
pub trait ControlLaw: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// What it looks at.
    fn inputs(&self) -> Vec<Input>;

    /// How many numbers it remembers; they are zero at the start.
    fn memory(&self) -> usize {
        0
    }

    /// Whether all its numbers are finite and make sense; else what is wrong.
    fn check(&self) -> Result<(), String>;

    /// The output that it asks for. The limits of `moment` are kept by the controller; a law that adds up needs to know them.
    fn act(&self, moment: &Moment, read: &dyn Fn(Input) -> f64, memory: &mut [f64]) -> f64;
}

/// A controller.
#[derive(Debug)]
pub struct Controller {
    /// Unique name.
    pub name: String,
    /// From readings to an output.
    pub law: Box<dyn ControlLaw>,
    /// What the output is.
    pub drive: Drive,
    /// Time between actions [s]; 0 for every step.
    pub period: f64,
    /// Least output [N or N·m].
    pub low: f64,
    /// Greatest output [N or N·m].
    pub high: f64,
}

impl Controller {
    /// Why it is impossible in this model, if so.
    pub(crate) fn check(&self, model: &Model) -> Result<(), String> {
        sampling::check_period(self.period)?;
        // Written so that a NaN fails.
        if !matches!(self.low.partial_cmp(&self.high), Some(std::cmp::Ordering::Less)) {
            let (low, high) = (self.low, self.high);
            return Err(format!("its limits are reversed: low is {low} and high is {high}"));
        }
        for input in self.law.inputs() {
            let Some(sensor) = model.sensors.get(input.sensor.index()) else {
                return Err(format!("there is no sensor {}", input.sensor.0));
            };
            if input.component >= sensor.measure.width() {
                return Err(format!("sensor '{}' has no component {}", sensor.name, input.component));
            }
        }
        self.law.check()?;
        self.drive.check(model)
    }
}

/// What a controller remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ControllerMemory {
    /// Number of its next action.
    pub next: u64,
    /// When it last acted [s].
    pub last: f64,
    /// What its law remembers.
    pub law: Vec<f64>,
}
