//! Stages of diagonally implicit Runge–Kutta methods: Y = y_base + hγ f(Y), by Newton.
//!
//! With F(V) = V − v_base − hγ a(Q(V), V), where the positions Q follow from V by the same equation, a Newton step solves
//! S δ = −M F with S = M + hγ C + (hγ)² K. S is factored once and used for all stages as long as they converge. Across
//! loops accelerations are prescribed and nothing is stiff, so there δ = −F. With δ = e − F, S e = (S − M) F, and a penalty
//! Jᵀα J in the factors keeps e along the loops.

use crate::evaluate::{Treatment, coordinate_rates, evaluate};
use crate::tangent::{self, Weights};
use crate::{ContactSlot, Control, Data, Model, State};

/// Newton steps for a stage at most.
const ITERATIONS: usize = 12;
/// The same where cables go slack and taut.
const CABLE_ITERATIONS: usize = 30;

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
    let most = if model.cables.is_empty() { ITERATIONS } else { CABLE_ITERATIONS };
    for iteration in 0..most {
        place(stage, model, trial, data);
        data.invalidate();
        evaluate(model, control, trial, data, stage.treatment());
        if !*fresh {
            let weights = Weights { mass: 1.0, damping: stage.step, stiffness: stage.step * stage.step };
            tangent::write(model, trial, data, weights, 1.0);
            if !data.tangent.factor() {
                return false;
            }
            *fresh = true;
        }
        for i in 0..model.nv {
            data.residual[i] = trial.v[i] - stage.v[i] - stage.step * data.rates.v[i];
        }
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
        let mut size = 0.0_f64;
        for (v, change) in trial.v.iter_mut().zip(&*change) {
            *v += change;
            let ratio = change.abs() / (stage.absolute + stage.relative * v.abs());
            size = if ratio > size || ratio.is_nan() { ratio } else { size };
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
            place(stage, model, trial, data);
            data.invalidate();
            evaluate(model, control, trial, data, stage.treatment());
            // The stage's derivative is what the equation says it is: in stiff directions more exact than a(Y).
            for i in 0..model.nv {
                data.rates.v[i] = (trial.v[i] - stage.v[i]) / stage.step;
            }
            return true;
        }
        data.left = size * stage.absolute;
        if iteration > 0 && size > 0.3 * before {
            *fresh = false;
        }
        if iteration > 2 && size > 2.0 * before && model.cables.is_empty() {
            return false;
        }
        before = size;
    }
    false
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
