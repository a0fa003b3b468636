//! Newton's iteration of the generalized-α methods, for whatever they move: everything, or one cable at its own rate.
//!
//! (1 − α_m) ā₁ + α_m ā₀ = (1 − α_f) a₁ + α_f a₀ ties the algorithmic acceleration ā to the true one a; positions and velocities at the end follow
//! from ā. The unknown is a₁, which must be what the equations of motion say of the end.

use super::generalized_alpha::Coefficients;
use crate::tangent::Weights;

/// A velocity's change at which the iteration ends [m/s or rad/s], and relative to the largest velocity.
const CLOSE: f64 = 1e-10;
/// A change below which rounding may keep it from falling further, as in singular positions of loops: then it ends too.
const ROUNDING: f64 = 1e-7;

/// What a step moves.
pub(crate) trait Equations {
    /// Goes to velocities `v`, by a displacement `by` from the start of the step, and finds the accelerations there.
    fn go(&mut self, v: &[f64], by: &[f64]);

    /// Accelerations that the equations of motion give there.
    fn accelerations(&self) -> &[f64];

    /// Writes S = m·M + c·C + k·K there; `false` if it cannot be solved.
    fn factor(&mut self, weights: Weights) -> bool;

    /// Whether S costs little and is all of the derivative: then it is written anew as long as that helps, and steps shrink ever faster. Multipliers
    /// of loops follow from step to step, and do not.
    fn quick(&self) -> bool;

    /// x ← S⁻¹ M x.
    fn solve(&mut self, x: &mut [f64]);

    /// Whether loops are closed there.
    fn closed(&self) -> bool {
        true
    }
}

/// Accelerations at both ends of a step, true and algorithmic, and what is at its end.
#[derive(Debug, Default)]
pub(crate) struct AlphaScratch {
    pub(crate) true_start: Vec<f64>,
    pub(crate) true_end: Vec<f64>,
    pub(crate) start: Vec<f64>,
    pub(crate) end: Vec<f64>,
    v: Vec<f64>,
    change: Vec<f64>,
}

/// Finds the end of a step of `h` [s] that starts with velocities `v`. Otherwise says how much the velocities still changed.
pub(crate) fn newton(
    coefficients: &Coefficients,
    h: f64,
    iterations: u32,
    v: &[f64],
    work: &mut AlphaScratch,
    equations: &mut impl Equations,
) -> Result<(), f64> {
    let Coefficients { mass, force, gamma, beta } = *coefficients;
    let weights = coefficients.weights(h);
    let (mut before, mut fresh, mut relax) = (f64::INFINITY, false, 1.0_f64);
    let AlphaScratch { true_start, true_end, start, end, v: trial, change } = work;
    let (n, quick) = (v.len(), equations.quick());
    for list in [&mut *end, &mut *trial, &mut *change] {
        list.resize(n, 0.0);
    }
    for _ in 0..iterations {
        for i in 0..n {
            let lagging = (1.0 - force) * true_end[i] + force * true_start[i];
            end[i] = (lagging - mass * start[i]) / (1.0 - mass);
            trial[i] = v[i] + h * ((1.0 - gamma) * start[i] + gamma * end[i]);
            change[i] = h * v[i] + h * h * ((0.5 - beta) * start[i] + beta * end[i]);
        }
        equations.go(trial, change);
        if !fresh && !equations.factor(weights) {
            return Err(f64::NAN);
        }
        for ((change, there), here) in change.iter_mut().zip(equations.accelerations()).zip(&*true_end) {
            *change = there - here;
        }
        equations.solve(change);
        let (mut size, mut fastest) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            true_end[i] += relax * change[i];
            let change = (weights.damping * change[i]).abs();
            size = if change > size || change.is_nan() { change } else { size };
            fastest = fastest.max(trial[i].abs());
        }
        if size.is_nan() {
            return Err(size);
        }
        // What the next step would still change.
        let left = if quick && before.is_finite() { size * (size / before).min(1.0) } else { size };
        let stalled = size > 0.5 * before && size <= ROUNDING * (1.0 + fastest);
        if equations.closed() && (left <= CLOSE * (1.0 + fastest) || stalled) {
            return Ok(());
        }
        // Contacts that open and close can make it run in circles: smaller steps lead out.
        relax = if size > 0.9 * before { (0.5 * relax).max(0.125) } else { (2.0 * relax).min(1.0) };
        fresh = size < if quick { 0.03 } else { 0.3 } * before;
        before = size;
    }
    Err(before)
}
