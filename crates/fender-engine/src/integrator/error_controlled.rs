//! Embedded Runge–Kutta pairs, explicit or implicit: the step follows an error estimate, and steps end where contacts begin or end.
//!
//! A trial step that ends inside a new overlap is shortened to the touch, by Newton on depth(t); one that ends beyond
//! the loss of a contact is shortened to just before it. So the approach speed that a contact remembers is that of the
//! touch itself, and results do not depend on where the steps happen to fall.
//!
//! Two bodies that touch at several points may come to touch at others from one instant to the next: points of a face are chosen anew where it
//! comes over an edge. What appears or goes deeper than motion could have made it is such a change, not a touch, and has no instant to be found.

use super::runge_kutta::{accept, combine, first_stage, implicit_stages, later_stages};
use super::tableau::Tableau;
use super::{Adaptive, Integrator, StepError, finish};
use crate::evaluate::{Treatment, detect_contacts, evaluate};
use crate::trigger;
use crate::{ContactSlot, Control, Data, Model, ShapeId, State};
use fender_math::float;

/// A new contact may be this deep when it is opened [m].
const TOUCH_DEPTH: f64 = 1e-12;
/// A contact may be this deep in the last step before it is lost [m].
const RELEASE_DEPTH: f64 = 1e-12;
/// A point that is this many times deeper than its speed makes in the step was put there by another choice of points.
const JUMP: f64 = 2.0;
/// Shortenings for one event before the step is taken as it is.
const MAX_TRIES: u32 = 60;
/// Accepted steps after which the time must have advanced by `STALL_ADVANCE` of the largest step, or the run is given up: with the default largest
/// step of 10 ms these are mean steps below 1 ns, by which a second takes 10⁹ steps.
const STALL_STEPS: u64 = 10_000;
const STALL_ADVANCE: f64 = 1e-3;

/// What keeps a step from being longer.
#[derive(Clone, Copy, Debug)]
enum StepCause {
    /// The error of a place in `State::q`.
    Coordinate(usize),
    /// The error of a place in `State::v`.
    Velocity(usize),
    /// The error of what a contact remembers.
    Memory([ShapeId; 2]),
    /// A touch, or the loss of a contact.
    Contact([ShapeId; 2]),
    /// The speed of the fastest body.
    Speed,
    /// A loop that is about to break.
    Load,
    /// Implicit stages that do not converge.
    Stages,
}

impl StepCause {
    /// In words, with names.
    fn words(self, model: &Model) -> String {
        let names = |pair: [ShapeId; 2]| {
            pair.map(|shape| &model.bodies[model.shapes[shape.index()].body.index()].name)
        };
        match self {
            Self::Coordinate(place) => {
                format!("the position of '{}' changes too fast for longer steps", model.positioned(place))
            }
            Self::Velocity(place) => {
                format!("the velocity of '{}' changes too fast for longer steps", model.mover(place))
            }
            Self::Memory(pair) => {
                let [a, b] = names(pair);
                format!("the friction between '{a}' and '{b}' changes too fast for longer steps")
            }
            Self::Contact(pair) => {
                let [a, b] = names(pair);
                format!("steps end where '{a}' and '{b}' touch or part, which they do all the time")
            }
            Self::Speed => "in longer steps the fastest body would pass through the smallest shape".into(),
            Self::Load => "steps end where a loop breaks, and its load stays at its limit".into(),
            Self::Stages => "Newton's iteration does not converge in longer steps".into(),
        }
    }
}

/// An embedded pair with error control and location of events.
#[derive(Clone, Copy, Debug)]
pub struct ErrorControlled {
    tableau: &'static Tableau,
    settings: Adaptive,
}

impl ErrorControlled {
    /// The pair of a tableau with its tolerances.
    pub fn new(tableau: &'static Tableau, settings: Adaptive) -> Self {
        Self { tableau, settings }
    }

    /// Largest error in units of the tolerance, and where it is.
    fn error(&self, model: &Model, state: &State, data: &Data, h: f64) -> (f64, StepCause) {
        let mut worst = (0.0, StepCause::Velocity(0));
        let mut judge = |[old, new]: [&[f64]; 2],
                         rate: &dyn Fn(usize, usize) -> f64,
                         cause: fn(usize) -> StepCause| {
            for i in 0..old.len() {
                let error: f64 = self.tableau.error.iter().enumerate().map(|(s, e)| e * rate(s, i)).sum();
                let scale = self.settings.absolute + self.settings.relative * old[i].abs().max(new[i].abs());
                worse(&mut worst, (h * error).abs() / scale, || cause(i));
            }
        };
        judge([&state.q, &data.trial.q], &|s, i| data.stages[s].q[i], StepCause::Coordinate);
        judge([&state.v, &data.trial.v], &|s, i| data.stages[s].v[i], StepCause::Velocity);
        if model.flows {
            self.memory_error(model, state, data, h, &mut worst);
        }
        worst
    }

    /// The same of what contacts remember, relative to the size that it has.
    fn memory_error(&self, model: &Model, state: &State, data: &Data, h: f64, worst: &mut (f64, StepCause)) {
        for (i, (old, new)) in state.slots.iter().zip(&data.trial.slots).enumerate() {
            let material = |shape: ShapeId| model.shapes[shape.index()].material;
            let Some(rule) = model.rule(material(old.a), material(old.b)) else { continue };
            let law = &model.rules[rule.index()].friction;
            let scales = law.scales(1.0);
            for k in 0..law.flows() {
                let error: f64 =
                    self.tableau.error.iter().enumerate().map(|(s, e)| e * data.stages[s].flow[i][k]).sum();
                let size = old.memory.flow[k].abs().max(new.memory.flow[k].abs()).max(scales[k]);
                let ratio = (h * error).abs() / (self.settings.relative * size);
                worse(worst, ratio, || StepCause::Memory([old.a, old.b]));
            }
        }
    }

    /// Gives a run up that hardly goes on, and says what keeps its steps short.
    fn check_progress(&self, model: &Model, state: &mut State, cause: StepCause) -> Result<(), StepError> {
        let (time, memory) = (state.time, &mut state.integrator);
        memory.steps_since += 1;
        if memory.steps_since < STALL_STEPS {
            return Ok(());
        }
        let advance = time - memory.time_then;
        (memory.steps_since, memory.time_then) = (0, time);
        if advance >= STALL_ADVANCE * self.settings.max_step {
            return Ok(());
        }
        Err(StepError::Stalled { time, advance, steps: STALL_STEPS, cause: cause.words(model) })
    }

    /// Shorter step if the state that `data` was computed for, a time `h` into the step, is beyond a touch or a
    /// loss of contact, and who touches or parts.
    fn locate(model: &Model, slots: &[ContactSlot], data: &mut Data, h: f64) -> Option<(f64, StepCause)> {
        let mut shortest: Option<(f64, StepCause)> = None;
        let mut propose = |step: f64, pair: [ShapeId; 2]| {
            if shortest.is_none_or(|(shortest, _)| step < shortest) {
                shortest = Some((step, StepCause::Contact(pair)));
            }
        };
        data.slot_used.clear();
        data.slot_used.resize(slots.len(), false);
        for (contact, patch) in data.contacts.with_patches() {
            if let Some(slot) = contact.slot() {
                data.slot_used[slot as usize] = true;
                continue;
            }
            let depth = contact.depth_along(patch);
            // Bodies that part after an impact have no slot, and need none.
            let parts = contact.motion.approach < 0.0 && contact.passes(model);
            let chosen = jumps(depth, contact.motion.approach, h) && is_open(slots, contact.a, contact.b);
            if depth > TOUCH_DEPTH && !parts && !chosen {
                let speed = contact.motion.approach;
                let newton = h - (depth - 0.5 * TOUCH_DEPTH) / speed;
                // Newton from inside stays inside for a convex approach; fall back to halving where it makes no sense.
                let step = if speed > 0.0 && newton > 0.0 && newton < h { newton } else { 0.5 * h };
                propose(step, [contact.a, contact.b]);
            }
        }
        for (slot, used) in slots.iter().zip(&data.slot_used) {
            // A contact at its very end may go; one that has just begun must not have come and gone within the step.
            if *used || (slot.depth <= RELEASE_DEPTH && slot.approach <= 0.0) {
                continue;
            }
            let touches = || data.contacts.iter().any(|c| (c.a, c.b) == (slot.a, slot.b));
            if jumps(slot.depth, slot.approach, h) && touches() {
                continue;
            }
            // Leaves a fiftieth of the depth each time: a few steps lead to the very end of the contact.
            let left = if slot.approach < 0.0 { 0.98 * slot.depth / -slot.approach } else { f64::INFINITY };
            propose(left.min(0.5 * h), [slot.a, slot.b]);
        }
        shortest
    }
}

/// Keeps the greater error; one that is not a number is the greatest.
fn worse(worst: &mut (f64, StepCause), ratio: f64, cause: impl FnOnce() -> StepCause) {
    // `max` would drop a NaN.
    if ratio > worst.0 || ratio.is_nan() {
        *worst = (ratio, cause());
    }
}

/// Whether a depth is more than the approach speed makes or takes away in the time `h` [s].
fn jumps(depth: f64, approach: f64, h: f64) -> bool {
    depth > TOUCH_DEPTH && depth > JUMP * approach.abs() * h
}

/// Whether two shapes touch already.
fn is_open(slots: &[ContactSlot], a: ShapeId, b: ShapeId) -> bool {
    let first = slots.partition_point(|slot| (slot.a, slot.b) < (a, b));
    slots.get(first).is_some_and(|slot| (slot.a, slot.b) == (a, b))
}

/// Shorter step if a loop bears more at the end of the trial step than it can; `before` is the load at the start.
fn overload(model: &Model, control: &Control, data: &mut Data, h: f64, before: f64) -> Option<f64> {
    let trial = std::mem::take(&mut data.trial);
    evaluate(model, control, &trial, data, Treatment::Instant);
    let load = trigger::heaviest(model, &trial, data);
    data.trial = trial;
    if load <= 1.0 + trigger::OVERLOAD || before >= 1.0 {
        return None;
    }
    // By the secant to just above the limit; a tenth at least, where the load has a bend.
    Some(h * ((1.0 + 0.1 * trigger::OVERLOAD - before) / (load - before)).clamp(0.1, 0.999))
}

impl Integrator for ErrorControlled {
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        limit: f64,
    ) -> Result<(), StepError> {
        first_stage(self.tableau, model, control, state, data, Treatment::Instant);
        let next = model.time_events.partition_point(|t| *t <= state.time);
        let stop = model.time_events.get(next).map_or(limit, |t| t.min(limit));
        let smallest = 1e-15 * state.time.abs().max(1.0);
        let proposed = if state.integrator.proposed > 0.0 { state.integrator.proposed } else { 1e-4 };
        let fastest = data.bodies.iter().map(|b| b.twist.linear.length_squared()).fold(0.0, f64::max).sqrt();
        // Nothing may pass through a contact between two stages.
        let careful = if fastest > 0.0 { 0.5 * model.smallest / fastest } else { f64::INFINITY };
        let careful = careful.min(trigger::careful_step(model, state, fastest));
        let load = if model.changes.breaks { trigger::heaviest(model, state, data) } else { 0.0 };
        let mut h = proposed.min(self.settings.max_step).min(careful);
        let mut cause = (h == careful).then_some(StepCause::Speed);
        let mut tries = 0;
        loop {
            // Land on the stop exactly, and leave no sliver before it.
            let left = stop - state.time;
            let lands = h >= left * (1.0 - 1e-9);
            if lands {
                h = left;
            } else if h > 0.5 * left {
                h = 0.5 * left;
            }
            if h < smallest && !lands {
                let cause = cause.map_or_else(String::new, |cause| cause.words(model));
                return Err(StepError::StepTooSmall { time: state.time, step: h, cause });
            }
            // Some stages have no weight in the error estimate: a contact that only they see must not pass unnoticed.
            let mut shorter = None;
            let watch = |slots: &[ContactSlot], data: &mut Data, time: f64| {
                if tries < MAX_TRIES {
                    shorter = Self::locate(model, slots, data, time).filter(|(h, _)| *h > smallest);
                }
                shorter.is_none()
            };
            let converged = if self.tableau.diagonal > 0.0 {
                implicit_stages(self.tableau, model, control, state, data, h, &self.settings, watch)
            } else {
                later_stages(self.tableau, model, control, state, data, h, Treatment::Instant, watch);
                true
            };
            if !converged {
                state.integrator.effort.rejected += 1;
                cause = Some(StepCause::Stages);
                h *= 0.25;
                continue;
            }
            if let Some((shorter, touch)) = shorter {
                tries += 1;
                (h, cause) = (shorter, Some(touch));
                continue;
            }
            combine(self.tableau, model, state, data, h);
            let (error, worst) = self.error(model, state, data, h);
            if !error.is_finite() {
                state.integrator.effort.rejected += 1;
                cause = Some(worst);
                h *= 0.1;
                continue;
            }
            data.invalidate();
            let trial = std::mem::take(&mut data.trial);
            detect_contacts(model, &trial, data);
            data.trial = trial;
            if tries < MAX_TRIES
                && let Some((shorter, touch)) = Self::locate(model, &state.slots, data, h)
                && shorter > smallest
            {
                tries += 1;
                (h, cause) = (shorter, Some(touch));
                continue;
            }
            let factor = 0.9 * float::pow(error.max(1e-10), -1.0 / f64::from(self.tableau.order));
            if error > 1.0 {
                state.integrator.effort.rejected += 1;
                cause = Some(worst);
                h *= factor.clamp(0.1, 0.9);
                continue;
            }
            if model.changes.breaks
                && tries < MAX_TRIES
                && let Some(shorter) = overload(model, control, data, h, load)
                && shorter > smallest
            {
                tries += 1;
                (h, cause) = (shorter, Some(StepCause::Load));
                continue;
            }
            accept(self.tableau, state, data, h);
            if lands {
                state.time = stop;
            }
            let grown = h * factor.clamp(0.2, 5.0);
            // A step cut short by a stop says little about the next one.
            state.integrator.proposed = if lands { grown.max(proposed) } else { grown };
            self.check_progress(model, state, cause.unwrap_or(worst))?;
            return finish(model, state, data, |contact| contact.motion.approach.max(0.0));
        }
    }

    fn fixed_step(&self) -> Option<f64> {
        None
    }

    fn treatment(&self) -> Treatment {
        Treatment::Instant
    }
}
