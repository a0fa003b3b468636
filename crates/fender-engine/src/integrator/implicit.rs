//! Stages of diagonally implicit Runge–Kutta methods: Y = y_base + hγ f(Y), by Newton.
//!
//! With F(V) = V − v_base − hγ a(Q(V), V), where the positions Q follow from V by the same equation, a Newton step solves
//! S δ = −M F with S = M + hγ C + (hγ)² K. S is factored once and used for all stages as long as they converge. Across
//! loops accelerations are prescribed and nothing is stiff, so there δ = −F. With δ = e − F, S e = (S − M) F, and a penalty
//! Jᵀα J in the factors keeps e along the loops. Where forces have kinks each step is halved until it comes nearer (line search).

use super::newton::{ENOUGH, SHORTENED};
use crate::evaluate::{Treatment, coordinate_rates, evaluate};
use crate::tangent::{self, Weights};
use crate::{ContactSlot, Control, Data, Model, State};

/// Newton steps for a stage at most.
const ITERATIONS: usize = 12;
/// The same where cables go slack and taut.
const CABLE_ITERATIONS: usize = 50;

/// What a stage starts from, and how exactly it is solved.
pub(super) struct Stage<'a> {
    /// hγ [s].
    pub(super) step: f64,
    /// Coordinates y_base.
    pub(super) q: &'a [f64],
    /// Velocities y_base.
    pub(super) v: &'a [f64],
    /// Contacts' memory y_base.
    pub(super) slots: &'a [ContactSlot],
    /// Tolerances of error control: the iteration stops well below.
    pub(super) relative: f64,
    pub(super) absolute: f64,
    /// Whether it is the middle of a step.
    pub(super) middle: bool,
}

impl Stage<'_> {
    fn treatment(&self) -> Treatment {
        if self.middle { Treatment::Middle(self.step) } else { Treatment::Implicit(self.step) }
    }
}

/// Solves a stage for `trial`, whose velocities are the guess; `data` is then up to date with it, and its rates are the
/// stage's. `fresh` tells whether S has been factored for this step. `false` if it did not converge.
pub(super) fn solve(
    stage: &Stage<'_>,
    model: &Model,
    control: &Control,
    trial: &mut State,
    data: &mut Data,
    fresh: &mut bool,
) -> bool {
    let mut change = std::mem::take(&mut data.ends);
    change.resize(model.nv, 0.0);
    let converged = iterate(stage, model, control, trial, data, fresh, &mut change);
    data.ends = change;
    converged
}

fn iterate(
    stage: &Stage<'_>,
    model: &Model,
    control: &Control,
    trial: &mut State,
    data: &mut Data,
    fresh: &mut bool,
    change: &mut [f64],
) -> bool {
    let mut before = f64::INFINITY;
    data.residual.resize(model.nv, 0.0);
    for (slot, base) in trial.slots.iter_mut().zip(stage.slots) {
        slot.memory = base.memory;
    }
    go(stage, model, control, trial, data);
    let most = if model.cables.is_empty() { ITERATIONS } else { CABLE_ITERATIONS };
    for iteration in 0..most {
        if !*fresh {
            let weights = Weights { mass: 1.0, damping: stage.step, stiffness: stage.step * stage.step };
            tangent::write(model, trial, data, weights, 1.0);
            if !data.tangent.factor() {
                return false;
            }
            *fresh = true;
        }
        newton_step(model, trial, data, change);
        let mut size = 0.0_f64;
        for (i, (v, change)) in trial.v.iter().zip(&*change).enumerate() {
            let ratio = change.abs() / (stage.absolute + stage.relative * (v + change).abs());
            if ratio > size || ratio.is_nan() {
                (size, data.left_at) = (ratio, i);
            }
        }
        if size.is_nan() {
            return false;
        }
        // Well below the tolerance, also counting what the next steps would still change.
        let contraction = if before.is_finite() { (size / before).min(0.99) } else { 0.5 };
        let done = size * contraction / (1.0 - contraction) < 1e-2 || size < 1e-6;
        // Rounding may keep it from falling further.
        let stalled = stage.middle && iteration > 2 && size < 1.0 && size > 0.5 * before;
        if done || stalled {
            move_by(trial, change, 1.0);
            go(stage, model, control, trial, data);
            // The stage's derivative is what the equation says it is: in stiff directions more exact than a(Y).
            for i in 0..model.nv {
                data.rates.v[i] = (trial.v[i] - stage.v[i]) / stage.step;
            }
            return true;
        }
        data.left = size * stage.absolute;
        // Where forces have kinks, a whole step may lead away: cables that go slack, contacts that open, close, stick and slip.
        let has_kinks = !model.cables.is_empty() || data.contacts().next().is_some();
        let part = if has_kinks {
            search(stage, model, control, trial, data, change)
        } else {
            move_by(trial, change, 1.0);
            go(stage, model, control, trial, data);
            1.0
        };
        if part < 1.0 || iteration > 0 && size > 0.3 * before {
            *fresh = false;
        }
        if iteration > 2 && size > 2.0 * before && !has_kinks {
            return false;
        }
        before = if part < 1.0 { f64::INFINITY } else { size };
    }
    false
}

/// Goes where the trial's velocities lead: evaluates there, and writes F(V).
fn go(stage: &Stage<'_>, model: &Model, control: &Control, trial: &mut State, data: &mut Data) {
    place(stage, model, trial, data);
    data.invalidate();
    evaluate(model, control, trial, data, stage.treatment());
    for i in 0..model.nv {
        data.residual[i] = trial.v[i] - stage.v[i] - stage.step * data.rates.v[i];
    }
}

fn move_by(trial: &mut State, change: &[f64], part: f64) {
    for (v, change) in trial.v.iter_mut().zip(change) {
        *v += part * change;
    }
}

/// The Newton step for the residual, with the factors of S that there are.
fn newton_step(model: &Model, trial: &State, data: &mut Data, change: &mut [f64]) {
    change.copy_from_slice(&data.residual);
    if model.cables.is_empty() {
        data.tangent.times_stiff(change);
    } else {
        // The same with (S + P) δ = −(M + P) F, P the penalty: that of cables is not written out as a matrix.
        data.tangent.times_mass(model, change);
        data.closures.add_penalties(model, |i, j, value| {
            change[i] += value * data.residual[j];
            if i != j {
                change[j] += value * data.residual[i];
            }
        });
        for x in change.iter_mut() {
            *x = -*x;
        }
    }
    data.tangent.solve(model, &trial.cables, &data.cables, change);
    for (change, residual) in change.iter_mut().zip(&data.residual).filter(|_| model.cables.is_empty()) {
        *change -= residual;
    }
}

/// Energy norm of the residual, squared: −δ·M F, twice the work that the forces left over do on the Newton step δ that they ask for.
fn merit(model: &Model, data: &mut Data, change: &[f64]) -> f64 {
    let mut force = std::mem::take(&mut data.merit);
    force.clear();
    force.extend_from_slice(&data.residual);
    data.tangent.times_mass(model, &mut force);
    let merit: f64 = change.iter().zip(&force).map(|(change, force)| change * force).sum();
    data.merit = force;
    merit.abs()
}

/// Halves the Newton step until the merit falls; which part of it was taken. If none makes it fall, the shortest.
fn search(
    stage: &Stage<'_>,
    model: &Model,
    control: &Control,
    trial: &mut State,
    data: &mut Data,
    change: &[f64],
) -> f64 {
    let start = merit(model, data, change);
    let mut next = std::mem::take(&mut data.next);
    next.resize(model.nv, 0.0);
    let mut part = 1.0;
    move_by(trial, change, part);
    go(stage, model, control, trial, data);
    for _ in 0..SHORTENED {
        newton_step(model, trial, data, &mut next);
        if merit(model, data, &next) <= (1.0 - ENOUGH * part) * start {
            break;
        }
        part *= 0.5;
        move_by(trial, change, -part);
        go(stage, model, control, trial, data);
    }
    data.next = next;
    part
}

/// Coordinates that go with the trial's velocities: Q = q_base + hγ·N(Q)·V, where N only matters for quaternions.
fn place(stage: &Stage<'_>, model: &Model, trial: &mut State, data: &mut Data) {
    for _ in 0..4 {
        coordinate_rates(model, trial, &mut data.rates.q);
        for ((q, base), rate) in trial.q.iter_mut().zip(stage.q).zip(&data.rates.q) {
            *q = base + stage.step * rate;
        }
        if model.nq == model.nv {
            break;
        }
    }
}
