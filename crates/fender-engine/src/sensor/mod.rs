//! Sensors: what a machine knows of itself. A sensor takes samples of a [`Measure`] at its own pace, adds its noise, and
//! shows each one a while later.
//!
//! Samples are taken at the ends of accepted steps only. A sensor with a period takes them at 0, T, 2T, … (with a fixed
//! step: at the first end of a step that is not before; error control stops there), and holds its reading in between.
//! What it remembers is part of the `State`.

mod clearance;
mod measure;
mod noise;

pub use measure::{Axes, Measure, Reading, WIDTH};
pub use noise::{Noise, key};

use crate::Model;
use crate::sampling;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Unique name.
    pub name: String,
    /// What it looks at.
    pub measure: Measure,
    /// What it adds to each component of each sample.
    pub noise: Noise,
    /// Age of what it shows [s].
    pub delay: f64,
    /// Time between samples [s]; 0 for every step.
    pub period: f64,
}

impl Sensor {
    /// A sensor that shows what there is, at every step.
    pub fn ideal(name: impl Into<String>, measure: Measure) -> Self {
        Self { name: name.into(), measure, noise: Noise::default(), delay: 0.0, period: 0.0 }
    }

    /// Why it is impossible in this model, if so.
    pub(crate) fn check(&self, model: &Model) -> Result<(), String> {
        sampling::check_period(self.period)?;
        let sane = |x: f64| x.is_finite() && x >= 0.0;
        if !sane(self.delay) {
            return Err("its delay must be zero or positive".into());
        }
        if !sane(self.noise.deviation) {
            return Err("the deviation of its noise must be zero or positive".into());
        }
        self.measure.check(model)
    }

    /// Makes a sample of a measured value.
    fn disturbed(&self, mut value: Reading, number: u64) -> Reading {
        if self.noise.deviation > 0.0 {
            let key = key(&self.name);
            for (i, x) in value.iter_mut().enumerate().take(self.measure.width()) {
                *x += self.noise.draw(key, number, i);
            }
        }
        value
    }
}

/// What a sensor remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SensorMemory {
    /// Number of the next sample.
    pub next: u64,
    /// What it shows. Until the first sample has arrived: that sample.
    pub reading: Reading,
    /// Samples on their way, with the times [s] at which they were taken.
    pub queue: VecDeque<(f64, Reading)>,
}

impl SensorMemory {
    /// Whether a sample is due.
    pub(crate) fn due(&self, sensor: &Sensor, time: f64) -> bool {
        sampling::due(sensor.period, self.next, time)
    }

    /// Takes a sample of a measured value.
    pub(crate) fn take(&mut self, sensor: &Sensor, value: Reading, time: f64) {
        let first = self.next == 0;
        let sample = sensor.disturbed(value, self.next);
        self.next = sampling::after(sensor.period, self.next, time);
        if sensor.delay > 0.0 {
            self.queue.push_back((time, sample));
        }
        if first || sensor.delay == 0.0 {
            self.reading = sample;
        }
    }

    /// Shows what has arrived.
    pub(crate) fn arrive(&mut self, sensor: &Sensor, time: f64) {
        while let Some((taken, sample)) = self.queue.front()
            && sampling::reached(taken + sensor.delay, time)
        {
            self.reading = *sample;
            self.queue.pop_front();
        }
    }

    /// When something happens next [s]. Without a period every step is an instant, and error control goes where it likes.
    pub(crate) fn next_instant(&self, sensor: &Sensor) -> f64 {
        if sensor.period == 0.0 {
            return f64::INFINITY;
        }
        let arrival = self.queue.front().map_or(f64::INFINITY, |(taken, _)| taken + sensor.delay);
        sampling::instant(sensor.period, self.next).min(arrival)
    }
}
