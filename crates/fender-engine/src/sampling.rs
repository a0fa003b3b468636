//! The instants at which sensors take samples and controllers act: at the start and at ends of accepted steps, never inside
//! a step.
//!
//! At one instant all sensors come first, then all controllers: a controller sees what is measured now, and a sensor of
//! forces or accelerations sees what controllers have held until now. So there is never a loop to be solved.

use crate::controller::Moment;
use crate::evaluate::{Treatment, detect_contacts, evaluate};
use crate::{Control, Data, Model, State};

/// Shortest period [s]: below it, rounding of the time would be felt.
const SHORTEST: f64 = 1e-9;

/// Why a period is impossible, if so.
pub(crate) fn check_period(period: f64) -> Result<(), String> {
    if period == 0.0 || (period.is_finite() && period >= SHORTEST) {
        return Ok(());
    }
    Err(format!("its period must be 0 (every step) or at least {SHORTEST} s, and is {period} s"))
}

/// Whether an instant has come [s], but for rounding.
pub(crate) fn reached(instant: f64, time: f64) -> bool {
    instant <= time + 1e-12 * (1.0 + time.abs())
}

/// Time of the instant with this number [s].
pub(crate) fn instant(period: f64, number: u64) -> f64 {
    number as f64 * period
}

/// Whether the instant with this number has come; without a period every step is one.
pub(crate) fn due(period: f64, number: u64, time: f64) -> bool {
    period == 0.0 || reached(instant(period, number), time)
}

/// Number of the first instant to come. A step longer than the period passes several at once: they count as one.
pub(crate) fn after(period: f64, number: u64, time: f64) -> u64 {
    let mut next = number + 1;
    if period > 0.0 {
        next = next.max((time / period) as u64);
        while due(period, next, time) {
            next += 1;
        }
    }
    next
}

/// The next instant that falls between the steps of its own accord [s]: error control stops there.
pub(crate) fn next_instant(model: &Model, state: &State) -> f64 {
    let sensors = model.sensors.iter().zip(&state.sensors).map(|(s, memory)| memory.next_instant(s));
    let controllers = model
        .controllers
        .iter()
        .zip(&state.controllers)
        .map(|(c, memory)| if c.period > 0.0 { instant(c.period, memory.next) } else { f64::INFINITY });
    sensors.chain(controllers).fold(f64::INFINITY, f64::min)
}

/// Lets sensors measure and controllers act, those that are due.
pub(crate) fn update(
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    treatment: Treatment,
) {
    sense(model, control, state, data, treatment);
    act(model, state, data);
}

fn sense(model: &Model, control: &Control, state: &mut State, data: &mut Data, treatment: Treatment) {
    let time = state.time;
    for (i, sensor) in model.sensors.iter().enumerate() {
        if state.sensors[i].due(sensor, time) {
            if sensor.measure.needs_forces() {
                evaluate(model, control, state, data, treatment);
            } else {
                detect_contacts(model, state, data);
            }
            let value = sensor.measure.read(model, state, data);
            state.sensors[i].take(sensor, value, time);
        }
        state.sensors[i].arrive(sensor, time);
    }
}

fn act(model: &Model, state: &mut State, data: &mut Data) {
    let State { time, sensors, controllers, outputs, integrator, .. } = state;
    for (i, (controller, memory)) in model.controllers.iter().zip(controllers).enumerate() {
        if !due(controller.period, memory.next, *time) {
            continue;
        }
        let elapsed = (memory.next > 0).then_some(*time - memory.last);
        let moment = Moment { time: *time, elapsed, low: controller.low, high: controller.high };
        let read = |input: crate::controller::Input| sensors[input.sensor.index()].reading[input.component];
        let output =
            controller.law.act(&moment, &read, &mut memory.law).clamp(controller.low, controller.high);
        memory.next = after(controller.period, memory.next, *time);
        memory.last = *time;
        if output != outputs[i] {
            outputs[i] = output;
            // Forces and accelerations are no longer what they were, and no method may go on from the old ones.
            data.evaluated = None;
            integrator.algorithmic.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_met_within_rounding_and_passed_ones_count_once() {
        // 0.1 + 0.1 + 0.1 is not 0.3: the third instant is still met there.
        assert!(due(0.1, 3, 0.1 + 0.1 + 0.1) && due(0.3, 1, 0.1 + 0.2));
        assert!(!due(0.1, 3, 0.2999));
        assert_eq!(after(0.1, 3, 0.3), 4);
        assert_eq!(after(1e-3, 0, 0.0105), 11);
        assert_eq!(after(0.0, 7, 123.0), 8);
    }

    #[test]
    fn the_next_instant_is_always_ahead() {
        for period in [1e-9, 3e-7, 0.1, 7.0] {
            let (mut next, mut time) = (0, 0.0);
            for i in 0..2000 {
                assert!(instant(period, next) <= time || i > 0);
                next = after(period, next, time);
                assert!(instant(period, next) > time, "{period} {time}");
                time += period * f64::from(i % 7);
            }
        }
    }

    #[test]
    fn a_bad_period_is_refused() {
        for period in [-1.0, 1e-10, f64::NAN, f64::INFINITY] {
            assert!(check_period(period).is_err(), "{period}");
        }
        assert!(check_period(0.0).is_ok() && check_period(1e-3).is_ok());
    }
}
