//! Statics: from a start, the nearest position in which everything rests.
//!
//! A step solves (μ M + K) δ = Q along the loops, Newton's for μ = 0. It is taken if the forces do work on it, which for
//! potential forces means downhill: so stable positions are found and unstable ones left. μ shrinks while that goes well and
//! grows where it does not (Levenberg & Marquardt, with the mass as the metric). Velocities are zero throughout: dampers
//! and regularised friction, which needs slip, give nothing.

use crate::closure;
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{BodyId, Data, Model, World};

/// Steps at most.
const STEPS: usize = 2000;
/// Accelerations at which everything counts as resting [m/s² or rad/s²], per the largest when it began, and at least.
const RELATIVE: f64 = 1e-10;
const ABSOLUTE: f64 = 1e-9;
/// The furthest that a step may go [m or rad].
const FURTHEST: f64 = 0.3;

/// A position of rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Steps it took.
    pub steps: usize,
    /// Largest acceleration that is left [m/s² or rad/s²].
    pub acceleration: f64,
}

/// Why no position of rest was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StaticsError {
    /// Something keeps moving.
    #[error(
        "no position of rest was found in {steps} steps: '{body}' would still be accelerated with {acceleration:.3e} m/s² (or \
         rad/s²). Is it held by something?"
    )]
    Restless {
        /// Steps taken.
        steps: usize,
        /// Name of the body that is farthest from rest.
        body: String,
        /// Its acceleration.
        acceleration: f64,
    },
    /// A loop came apart.
    #[error("{0}")]
    Loop(crate::StepError),
}

/// Moves the world to a position of rest, with all velocities zero. Contacts are those of the new position.
pub fn rest(world: &mut World) -> Result<Rest, StaticsError> {
    world.join_cables();
    let World { model, control, state, data, .. } = world;
    state.v.fill(0.0);
    data.clear();
    // Cables go farther than machines.
    let longest = state.cables.iter().map(crate::cable::CableState::length).fold(0.0, f64::max);
    let furthest = FURTHEST.max(0.1 * longest);
    let mut damping = 1e-3;
    let (mut step, mut tries) = (0, 0);
    let mut change = vec![0.0; model.nv];
    let mut first = None;
    loop {
        evaluate(model, control, state, data, Treatment::Instant);
        let worst = worst_of(&data.rates.v);
        let goal = (RELATIVE * *first.get_or_insert(worst.0)).max(ABSOLUTE);
        if worst.0 <= goal || step > 0 && cables_rest(model, data, goal) {
            return Ok(Rest { steps: step, acceleration: worst.0 });
        }
        let body = model.bodies.iter().position(|b| {
            let link = b.link.map(|i| (model.links[i].v, model.links[i].nv));
            let own = link.or(b.free.map(|free| (free.v, 6)));
            own.is_some_and(|(v, n)| (v..v + n).contains(&worst.1))
        });
        let cable = model.cables.iter().find(|c| (c.v..c.v + c.coordinates()).contains(&worst.1));
        let body = BodyId(body.unwrap_or_default() as u32);
        if step == STEPS || tries > 60 || worst.0.is_nan() {
            let body = cable.map_or_else(|| model.bodies[body.index()].name.clone(), |c| c.name.clone());
            return Err(StaticsError::Restless { steps: step, body, acceleration: worst.0 });
        }
        let weights = Weights { mass: damping, damping: 0.0, stiffness: 1.0 };
        tangent::write(model, state, data, weights, damping.max(1.0));
        let mut force = data.rates.v.clone();
        data.tangent.times_mass(model, &mut force);
        change.copy_from_slice(&force);
        let solvable = data.tangent.factor();
        if solvable {
            data.tangent.solve(model, &state.cables, &data.cables, &mut change);
        }
        let (largest, _) = worst_of(&change);
        let part = (furthest / largest).min(1.0);
        for x in &mut change {
            *x *= part;
        }
        let downhill: f64 = change.iter().zip(&force).map(|(x, f)| x * f).sum();
        let before = (state.q.clone(), damping);
        let mut accepted = false;
        if solvable && downhill > 0.0 {
            closure::displace_all(model, &mut state.q, &change);
            closure::project(model, state, data).map_err(StaticsError::Loop)?;
            state.v.fill(0.0);
            data.invalidate();
            evaluate(model, control, state, data, Treatment::Instant);
            tangent::write(model, state, data, weights, 1.0);
            let mut after = data.rates.v.clone();
            data.tangent.times_mass(model, &mut after);
            let work: f64 = change.iter().zip(force.iter().zip(&after)).map(|(x, (f, g))| x * (f + g)).sum();
            accepted = work >= -1e-12 * downhill.abs() && worst_of(&data.rates.v).0.is_finite();
        }
        if accepted {
            damping *= 0.1;
            (step, tries) = (step + 1, 0);
        } else {
            state.q = before.0;
            damping *= 10.0;
            tries += 1;
            data.invalidate();
        }
    }
}

/// The largest number and where it is; a NaN wins.
fn worst_of(list: &[f64]) -> (f64, usize) {
    let mut worst = (0.0, 0);
    for (i, x) in list.iter().enumerate() {
        if x.is_nan() || x.abs() > worst.0 {
            worst = (x.abs(), i);
        }
    }
    worst
}

/// Force left on a node of a cable that rests, of the largest tension: light nodes are accelerated by rounding alone.
const LEFT: f64 = 1e-9;

/// Whether only nodes of cables are still accelerated, and those by forces that are nothing beside the tension.
fn cables_rest(model: &Model, data: &Data, goal: f64) -> bool {
    let own = |v: &usize| model.cables.iter().any(|c| (c.v..c.v + c.coordinates()).contains(v));
    let bodies = (0..model.nv).filter(|v| !own(v)).all(|v| data.rates.v[v].abs() <= goal.max(1e-7));
    !model.cables.is_empty() && bodies && data.cables.iter().all(|cable| cable.rests(LEFT))
}
