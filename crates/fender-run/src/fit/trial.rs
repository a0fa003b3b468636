//! One run at trial values, sampled at the measured times.

use super::data::Data;
use crate::clock::Clock;
use crate::error::RunError;
use crate::sampler::Sampler;
use crate::scenario::Scenario;
use crate::signal::Catalogue;
use fender_engine::World;
use std::sync::atomic::{AtomicI32, Ordering};

/// Why a run gives no values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failed {
    /// It diverged, or a signal is not defined, in words.
    Bad(String),
    /// A signal stopped it.
    Interrupted(i32),
}

/// Runs a scenario up to the last measured time and gives the values of the signals at the measured times, signal by
/// signal. With a fixed step, times between two steps are interpolated; error control stops at them.
pub(super) fn run(scenario: Scenario, data: &Data, interrupt: &AtomicI32) -> Result<Vec<f64>, Failed> {
    let catalogue = Catalogue::new(&scenario.model);
    let signals = data.signals.iter().map(|s| catalogue.one(&s.name));
    let signals = signals.collect::<Result<Vec<_>, _>>().map_err(|e| Failed::Bad(e.to_string()))?;
    let integrator = scenario.run.integrator.build();
    let fixed = integrator.fixed_step();
    let clock = Clock::at(&data.times, fixed);
    let samples = match &clock {
        Clock::Steps(steps) => steps.len(),
        Clock::Times(times) => times.len(),
        Clock::EverySteps(_) | Clock::EverySeconds(_) => 0,
    };
    let mut sampler = Sampler::new(signals, scenario.model.bodies.len());
    let mut world = World::new(scenario.model);
    let mut rows = Rows { times: Vec::with_capacity(samples), columns: vec![Vec::new(); data.signals.len()] };
    let mut taken = 0;
    loop {
        if clock.due(taken, world.state.step, world.state.time) {
            world.refresh();
            rows.times.push(world.state.time);
            sampler.sample(&world, |_| true, |i, value| rows.columns[i].push(value));
            while clock.due(taken, world.state.step, world.state.time) {
                taken += 1;
            }
        }
        if taken >= samples as u64 {
            break;
        }
        let signal = interrupt.load(Ordering::Relaxed);
        if signal != 0 {
            return Err(Failed::Interrupted(signal));
        }
        let step = world.step(&*integrator, clock.next_time(taken));
        step.map_err(|e| Failed::Bad(e.to_string()))?;
        world.events.clear();
    }
    let mut values = Vec::with_capacity(data.times.len() * data.signals.len());
    for (column, measured) in rows.columns.iter().zip(&data.signals) {
        for t in &data.times {
            let value = at(&rows.times, column, *t);
            if !value.is_finite() {
                return Err(Failed::Bad(format!("`{}` is not defined at {t} s", measured.name)));
            }
            values.push(value);
        }
    }
    Ok(values)
}

/// Loads and runs. What the loader refuses at trial values (a static friction below the sliding one, say) is a bad trial; a
/// file that cannot be read is an error.
pub(super) fn load_and_run(
    loaded: Result<Scenario, RunError>,
    data: &Data,
    interrupt: &AtomicI32,
) -> Result<Result<Vec<f64>, Failed>, RunError> {
    match loaded {
        Ok(scenario) => Ok(run(scenario, data, interrupt)),
        Err(error) if error.exit_code() == 2 => Ok(Err(Failed::Bad(error.to_string()))),
        Err(error) => Err(error),
    }
}

struct Rows {
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

/// Value at a time, interpolated between the samples around it.
fn at(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|s| *s < t);
    let value = |i: usize| values.get(i).copied().unwrap_or(f64::NAN);
    match (after.checked_sub(1), times.get(after)) {
        (None, _) => value(0),
        (Some(before), None) => value(before),
        (Some(before), Some(next)) => {
            let part = (t - times[before]) / (next - times[before]);
            // At a sample its own value counts, whatever the other is.
            if part == 1.0 { value(after) } else { value(before) * (1.0 - part) + value(after) * part }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_samples_are_interpolated() {
        let (times, values) = ([0.0, 1.0, 3.0], [5.0, 7.0, f64::NAN]);
        assert_eq!(at(&times, &values, 0.0), 5.0);
        assert_eq!(at(&times, &values, 0.25), 5.5);
        assert_eq!(at(&times, &values, 1.0), 7.0);
        assert!(at(&times, &values, 2.0).is_nan());
        assert_eq!(at(&times[..2], &values, 1.0 + 1e-12), 7.0);
    }
}
