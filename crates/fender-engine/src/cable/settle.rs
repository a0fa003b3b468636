//! Equilibrium of cables, with everything that holds them where it is.
//!
//! Newton's steps (μM + K) δ = F, where μ shrinks while the forces do work on the steps and grows where they do not (Levenberg &
//! Marquardt): for large μ that is dynamic relaxation, for μ = 0 Newton's method. Each step costs as much as one of an implicit
//! integrator.

use super::system::CableSystem;
use super::{Cable, CableError};
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::Weights;
use crate::{Control, Data, Model, State};
use fender_math::Vec3;

/// Steps at most.
const STEPS: usize = 3000;
/// Force left on a node, as part of the largest tension or the weight, at which a cable counts as resting.
const CLOSE: f64 = 1e-10;
/// Where rounding may keep it from falling further.
const ROUNDING: f64 = 1e-7;
/// Longest step, as part of the cable's length.
const FURTHEST: f64 = 0.1;

/// How a cable came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Steps it took.
    pub steps: usize,
    /// Force that is left on a node [N].
    pub force: f64,
}

/// Moves a cable of a state to its equilibrium, all else as it is, and says how.
pub(crate) fn settle(model: &Model, state: &mut State, index: usize) -> Result<Settled, CableError> {
    let cable = &model.cables[index];
    let mut data = Data::default();
    let (at, count) = (cable.q, cable.coordinates());
    state.v[cable.v..cable.v + count].fill(0.0);
    let length = state.cables[index].length();
    let mut system = CableSystem::default();
    let mut forces = cable.residual(model, state, &mut data, index);
    let gravity = model.gravity.length().max(1e-3);
    let mut damping = gravity / (FURTHEST * length);
    let (mut tries, mut before) = (0, f64::INFINITY);
    for steps in 0..STEPS {
        let (left, node) = worst(&forces, cable);
        let scale = cable.scale(&data.cables[index], gravity);
        let stalled = left <= ROUNDING * scale && left > 0.5 * before && damping < 1e-6;
        if left <= CLOSE * scale || stalled {
            super::after_step(model, state, &mut data);
            return Ok(Settled { steps, force: left });
        }
        if tries > 40 || !left.is_finite() {
            return Err(CableError::Restless { steps, node, force: left });
        }
        before = left;
        let weights = Weights { mass: damping, damping: 0.0, stiffness: 1.0 };
        let mut change = forces.clone();
        let own = &state.cables[index];
        let solvable = system.write_held(cable, own, &data.cables[index], weights);
        if solvable {
            system.solve_own(cable, own, &data.cables[index], &change);
            system.finish(cable, own, &[], &mut change);
        }
        let largest = change[..3 * cable.capacity].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let part = (FURTHEST * length / largest).min(1.0);
        let start = state.q[at..at + count].to_vec();
        for (q, change) in state.q[at..at + count].iter_mut().zip(&change) {
            *q += part * change;
        }
        let after = cable.residual(model, state, &mut data, index);
        let work: f64 = change.iter().zip(forces.iter().zip(&after)).map(|(x, (f, g))| x * (f + g)).sum();
        if solvable && work >= 0.0 && after.iter().all(|f| f.is_finite()) {
            forces = after;
            damping *= if part < 1.0 { 1.0 } else { 0.2 };
            tries = 0;
        } else {
            state.q[at..at + count].copy_from_slice(&start);
            forces = cable.residual(model, state, &mut data, index);
            damping = (damping * 10.0).max(1e-9 * gravity / length);
            (tries, before) = (tries + 1, f64::INFINITY);
        }
    }
    let (force, node) = worst(&forces, cable);
    Err(CableError::Restless { steps: STEPS, node, force })
}

/// The largest force on a node, and which.
fn worst(forces: &[f64], cable: &Cable) -> (f64, usize) {
    let mut worst = (0.0, 0);
    for i in 0..cable.capacity {
        let force = Vec3::from_slice(&forces[3 * i..]).length();
        if force > worst.0 || force.is_nan() {
            worst = (force, i);
        }
    }
    worst
}

impl Cable {
    /// Forces on all its coordinates [N, N·m].
    fn residual(&self, model: &Model, state: &State, data: &mut Data, index: usize) -> Vec<f64> {
        data.invalidate();
        evaluate(model, &Control::default(), state, data, Treatment::Instant);
        let own = &data.cables[index];
        let mut forces = vec![0.0; self.coordinates()];
        for (i, force) in own.force.iter().enumerate().filter(|(i, _)| !own.held[*i]) {
            forces[3 * i..3 * i + 3].copy_from_slice(&force.to_array());
        }
        if self.twists {
            for e in 0..state.cables[index].elements.len() {
                forces[self.angle(e)] = own.torsion.force[e];
            }
        }
        forces
    }

    /// A force that is large for this cable [N].
    fn scale(&self, data: &super::CableData, gravity: f64) -> f64 {
        let tension = data.stretch.iter().fold(0.0_f64, |a, s| a.max(s.tension.abs()));
        let mass: f64 = data.loads.iter().map(|l| l.mass).sum();
        tension.max(mass * gravity)
    }
}
