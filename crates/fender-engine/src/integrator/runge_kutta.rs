//! Explicit Runge–Kutta methods with a fixed step, and the stages that all Runge–Kutta methods share.

use super::implicit::{self, Stage};
use super::tableau::{self, Tableau};
use super::{Adaptive, Integrator, StepError, finish, next_time, normalize};
use crate::contact::slots;
use crate::data::Rates;
use crate::evaluate::{Treatment, coordinate_rates, evaluate};
use crate::{BodyId, BodyMotion, Contact, ContactSlot, Control, Data, Model, State};
use fender_math::{Twist, Vec3};

/// An explicit Runge–Kutta method with a fixed step.
#[derive(Clone, Copy, Debug)]
pub struct RungeKutta {
    tableau: &'static Tableau,
    step: f64,
}

impl RungeKutta {
    /// The method of a tableau with a step [s].
    pub fn new(tableau: &'static Tableau, step: f64) -> Self {
        Self { tableau, step }
    }
}

impl Integrator for RungeKutta {
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        _limit: f64,
    ) -> Result<(), StepError> {
        let h = self.step;
        first_stage(self.tableau, model, control, state, data, self.treatment());
        slots::check_step(model, state, data, h);
        slots::keep_forces(state, data);
        later_stages(self.tableau, model, control, state, data, h, self.treatment(), |_, _, _| true);
        combine(self.tableau, model, state, data, h);
        let time = next_time(state, h);
        accept(self.tableau, state, data, h);
        state.time = time;
        let start = std::mem::take(&mut data.trial);
        let result = finish(model, state, data, |contact| latch(model, &start, contact));
        data.trial = start;
        result
    }

    fn advance_by(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        step: f64,
    ) -> Result<(), StepError> {
        Self { step, ..*self }.advance(model, control, state, data, f64::INFINITY)
    }

    fn fixed_step(&self) -> Option<f64> {
        Some(self.step)
    }

    fn treatment(&self) -> Treatment {
        Treatment::Stage(self.step)
    }
}

/// A contact that appeared during the step has already felt some force; its speed at the start of the step is nearer to
/// the speed of touch, unless it was slower (falling).
pub(super) fn latch(model: &Model, start: &State, contact: &Contact) -> f64 {
    let in_tree = |body: BodyId| model.bodies[body.index()].link.is_some();
    if in_tree(contact.body_a) || in_tree(contact.body_b) {
        // Going back would need the whole tree's kinematics at the start of the step.
        return contact.motion.approach.max(0.0);
    }
    let velocity = |body: BodyId| {
        let body = &model.bodies[body.index()];
        match (&body.motion, &body.free) {
            (_, Some(free)) => {
                let pose = free.pose_wc(&start.q);
                let (linear, omega) = free.velocity(&start.v);
                let twist = Twist { linear, angular: pose.rotation * omega };
                twist.at(contact.overlap.point - pose.translation)
            }
            (BodyMotion::Driven { series }, _) => {
                let sample = series.sample(start.time);
                sample.twist.at(contact.overlap.point - sample.pose.translation)
            }
            _ => Vec3::ZERO,
        }
    };
    let before = contact.overlap.normal.dot(velocity(contact.body_b) - velocity(contact.body_a));
    contact.motion.approach.max(before).max(0.0)
}

/// Evaluates at the start of the step, into stage 0.
pub(super) fn first_stage(
    tableau: &Tableau,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    treatment: Treatment,
) {
    if data.stages.len() < tableau.b.len() {
        data.stages.resize_with(tableau.b.len(), Rates::default);
    }
    evaluate(model, control, state, data, treatment);
    store_stage(model, state, data, 0);
    state.integrator.effort.evaluations += 1;
}

/// Moves the rates just computed into a stage.
fn store_stage(model: &Model, at: &State, data: &mut Data, stage: usize) {
    coordinate_rates(model, at, &mut data.rates.q);
    let Data { rates, stages, .. } = data;
    std::mem::swap(rates, &mut stages[stage]);
    data.evaluated = None;
}

/// Solves the stages of an implicit method, as `later_stages` evaluates those of an explicit one. `false` if one of them
/// did not converge.
#[allow(clippy::too_many_arguments)] // the four of every step, the method, and what to do
pub(super) fn implicit_stages(
    tableau: &Tableau,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    h: f64,
    settings: &Adaptive,
    mut watch: impl FnMut(&[ContactSlot], &mut Data, f64) -> bool,
) -> bool {
    let mut trial = std::mem::take(&mut data.trial);
    let mut base = std::mem::take(&mut data.base);
    prepare(&mut trial, model, state);
    prepare(&mut base, model, state);
    let (mut fresh, mut converged) = (false, true);
    let step = tableau.diagonal * h;
    for i in 0..tableau.b.len() {
        place(tableau.a[i], state, &data.stages, h, &mut base);
        trial.q.copy_from_slice(&base.q);
        // The guess: as accelerated as in the stage before, or at the start.
        let last = &data.stages[i.saturating_sub(1)].v;
        for ((v, base), a) in trial.v.iter_mut().zip(&base.v).zip(last) {
            *v = base + step * a;
        }
        if i == 0 {
            // What light nodes on stiff elements would do at an instant is mostly rounding: they go on as they did.
            for own in model.cables.iter().map(|cable| cable.v..cable.v + cable.coordinates()) {
                trial.v[own.clone()].copy_from_slice(&base.v[own]);
            }
        }
        trial.time = (state.time + tableau.c[i] * h).min((state.time + h).next_down());
        let stage = Stage {
            step,
            q: &base.q,
            v: &base.v,
            slots: &base.slots,
            relative: settings.relative,
            absolute: settings.absolute,
            middle: tableau.c == tableau::MIDPOINT.c,
        };
        converged = implicit::solve(&stage, model, control, &mut trial, data, &mut fresh);
        if !converged {
            break;
        }
        store_stage(model, &trial, data, i);
        state.integrator.effort.evaluations += 1;
        if !watch(&state.slots, data, tableau.c[i] * h) {
            break;
        }
    }
    data.trial = trial;
    data.base = base;
    converged
}

/// Evaluates the other stages. `watch` sees each one, with its time into the step, and may stop it all by saying no.
#[allow(clippy::too_many_arguments)] // the four of every step, the method, and what to do
pub(super) fn later_stages(
    tableau: &Tableau,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    h: f64,
    treatment: Treatment,
    mut watch: impl FnMut(&[ContactSlot], &mut Data, f64) -> bool,
) {
    let mut trial = std::mem::take(&mut data.trial);
    prepare(&mut trial, model, state);
    for i in 1..tableau.b.len() {
        place(tableau.a[i], state, &data.stages, h, &mut trial);
        // Something that starts or stops exactly at the end of the step belongs to the next one.
        trial.time = (state.time + tableau.c[i] * h).min((state.time + h).next_down());
        data.invalidate();
        evaluate(model, control, &trial, data, treatment);
        store_stage(model, &trial, data, i);
        state.integrator.effort.evaluations += 1;
        if !watch(&state.slots, data, tableau.c[i] * h) {
            break;
        }
    }
    data.trial = trial;
}

/// Gives a trial state room for coordinates and velocities, and everything that stays as it is during a step.
fn prepare(trial: &mut State, model: &Model, state: &State) {
    trial.q.resize(model.nq, 0.0);
    trial.v.resize(model.nv, 0.0);
    trial.slots.clone_from(&state.slots);
    trial.take_discrete(state);
}

/// trial = state + h Σ w_j k_j, for coordinates, velocities and flowing memory.
fn place(weights: &[f64], state: &State, stages: &[Rates], h: f64, trial: &mut State) {
    trial.q.copy_from_slice(&state.q);
    trial.v.copy_from_slice(&state.v);
    for (slot, from) in trial.slots.iter_mut().zip(&state.slots) {
        slot.memory = from.memory;
    }
    for (weight, stage) in weights.iter().zip(stages) {
        let w = weight * h;
        if w == 0.0 {
            continue;
        }
        for (x, rate) in trial.q.iter_mut().zip(&stage.q) {
            *x += w * rate;
        }
        for (x, rate) in trial.v.iter_mut().zip(&stage.v) {
            *x += w * rate;
        }
        for (slot, flow) in trial.slots.iter_mut().zip(&stage.flow) {
            for (x, rate) in slot.memory.flow.iter_mut().zip(flow) {
                *x += w * rate;
            }
        }
    }
}

/// The result of the step, into the trial state.
pub(super) fn combine(tableau: &Tableau, model: &Model, state: &State, data: &mut Data, h: f64) {
    let Data { trial, stages, .. } = data;
    trial.q.resize(model.nq, 0.0);
    trial.v.resize(model.nv, 0.0);
    trial.slots.clone_from(&state.slots);
    place(tableau.b, state, stages, h, trial);
    normalize(model, &state.activity, &mut trial.q);
    trial.time = state.time + h;
}

/// Takes the trial state's coordinates over, leaving the old ones and their time there, and books the energies.
pub(super) fn accept(tableau: &Tableau, state: &mut State, data: &mut Data, h: f64) {
    data.trial.time = state.time;
    std::mem::swap(&mut state.q, &mut data.trial.q);
    std::mem::swap(&mut state.v, &mut data.trial.v);
    std::mem::swap(&mut state.slots, &mut data.trial.slots);
    for (weight, stage) in tableau.b.iter().zip(&data.stages) {
        for (sum, power) in state.account.dissipated.iter_mut().zip(&stage.dissipated) {
            *sum += h * weight * power;
        }
        for (sum, power) in state.account.work.iter_mut().zip(&stage.work) {
            *sum += h * weight * power;
        }
    }
    state.time += h;
}
