//! Statics: from a start, the nearest position in which everything rests.
//!
//! A step solves (μ M + K) δ = Q along the loops, Newton's for μ = 0. It is shortened until the forces at its end do less work against it than those at its
//! start do along it, which for potential forces means downhill: so stable positions are found and unstable ones left. μ shrinks while that goes well and
//! grows where it does not (Levenberg & Marquardt, with the mass as the metric). Tensions of stiff cables are unknowns of their own (`cable/augmented.rs`).
//! Velocities are zero throughout: dampers and regularised friction, which needs slip, give nothing.

use crate::cable::{Augmented, hidden_length, to_guides};
use crate::closure;
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{BodyId, Data, Model, State, World};

/// Steps at most.
const STEPS: usize = 2000;
/// Accelerations at which everything counts as resting [m/s² or rad/s²], per the largest when it began, and at least.
const RELATIVE: f64 = 1e-10;
const ABSOLUTE: f64 = 1e-9;
/// The furthest that a step may go [m or rad].
const FURTHEST: f64 = 0.3;
/// How often a step is shortened at most, and to which part of itself each time, at least and at most.
const SHORTENED: usize = 6;
const SHORTER: [f64; 2] = [0.1, 0.5];
/// Multipliers of cables change when the forces left are this part of what they lack.
const SETTLED: f64 = 0.1;

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
    let mut first = None;
    let mut augmented = false;
    let mut change = vec![0.0; model.nv];
    loop {
        evaluate(model, control, state, data, Treatment::Instant);
        if step < STEPS && slide(model, state, data) {
            (step, tries) = (step + 1, 0);
            continue;
        }
        let worst = worst_of(&data.rates.v);
        let goal = (RELATIVE * *first.get_or_insert(worst.0)).max(ABSOLUTE);
        let weights = Weights { mass: damping, damping: 0.0, stiffness: 1.0 };
        tangent::write(model, state, data, weights, damping.max(1.0));
        let mut force = data.rates.v.clone();
        data.tangent.times_mass(model, &mut force);
        let resting = rests(model, state, data, &force, goal);
        let lacking = mismatch(model, state, data);
        if resting && lacking.is_none() {
            return Ok(Rest { steps: step, acceleration: worst.0 });
        }
        if let Some(lacking) = lacking
            && (resting || worst_of(&force).0 <= SETTLED * lacking)
            && step < STEPS
        {
            // At rest with these multipliers: with the law itself too, or are better ones needed?
            let laws: Vec<Augmented> = take_laws(data);
            evaluate(model, control, state, data, Treatment::Instant);
            let mut exact = data.rates.v.clone();
            data.tangent.times_mass(model, &mut exact);
            let met = laws.iter().enumerate().all(|(i, law)| {
                let own = &data.cables[i];
                law.is_met(&model.cables[i], &state.cables[i], own, (hidden_length(own), 0.0))
            });
            if resting && met && rests(model, state, data, &exact, goal) {
                return Ok(Rest { steps: step, acceleration: worst_of(&data.rates.v).0 });
            }
            improve(model, state, data, laws);
            (step, tries) = (step + 1, 0);
            continue;
        }
        if step == STEPS || tries > 60 || worst.0.is_nan() {
            let body = name_of(model, worst.1);
            return Err(StaticsError::Restless { steps: step, body, acceleration: worst.0 });
        }
        change.copy_from_slice(&force);
        let solvable = data.tangent.factor();
        if solvable {
            data.tangent.solve(model, &state.cables, &data.cables, &mut change);
        }
        let downhill = dot(&change, &force);
        let (largest, _) = worst_of(&change);
        if lacking.is_none() && solvable && downhill > 0.0 && largest <= resolution(state) {
            // A step of Newton's that coordinates cannot tell from none: what is left is their rounding.
            let mut held_back = change.clone();
            data.tangent.times_mass(model, &mut held_back);
            if damping * dot(&change, &held_back) <= 0.1 * downhill {
                return Ok(Rest { steps: step, acceleration: worst.0 });
            }
        }
        if !augmented {
            augment(model, state, data);
            augmented = true;
            continue;
        }
        let mut whole = (furthest / largest).min(1.0);
        for (i, cable) in model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none()) {
            let by = &change[cable.v..cable.v + cable.coordinates()];
            whole = whole.min(to_guides(&state.cables[i], &data.cables[i], by));
        }
        let (before, mut part, mut accepted) = (state.q.clone(), whole, false);
        for _ in 0..if solvable && downhill > 0.0 { SHORTENED } else { 0 } {
            let by: Vec<f64> = change.iter().map(|x| part * x).collect();
            closure::displace_all(model, &mut state.q, &by);
            closure::project(model, state, data).map_err(StaticsError::Loop)?;
            state.v.fill(0.0);
            data.invalidate();
            evaluate(model, control, state, data, Treatment::Instant);
            tangent::write(model, state, data, weights, 1.0);
            let mut after = data.rates.v.clone();
            data.tangent.times_mass(model, &mut after);
            let there = dot(&change, &after);
            accepted = there >= -(1.0 + 1e-12) * downhill && worst_of(&data.rates.v).0.is_finite();
            if accepted {
                break;
            }
            state.q.clone_from(&before);
            let to = downhill / (downhill - there);
            part *= if to.is_finite() { to.clamp(SHORTER[0], SHORTER[1]) } else { SHORTER[0] };
        }
        if accepted {
            damping *= match part {
                1.0 => 0.1,
                _ if part == whole => 1.0,
                _ => 2.0,
            };
            (step, tries) = (step + 1, 0);
        } else {
            state.q = before;
            damping *= 10.0;
            tries += 1;
            data.invalidate();
        }
    }
}

/// Whether all forces are nothing beside what cables bear and what `goal` [m/s² or rad/s²] asks for, or no more than rounding makes them.
fn rests(model: &Model, state: &State, data: &Data, forces: &[f64], goal: f64) -> bool {
    let gravity = model.gravity.length().max(1e-3);
    let (mut cables, mut noise) = (true, 0.0);
    let mut in_cables = vec![false; model.nv];
    for (i, cable) in model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none()) {
        let at = cable.v..cable.v + cable.coordinates();
        in_cables[at.clone()].fill(true);
        let list = cable.rounding(model, &state.cables[i], &data.cables[i]);
        cables &= cable.rests(&data.cables[i], &forces[at], &list, gravity);
        // Bodies feel it where they hold or guide the cable, also as a torque.
        let own = &state.cables[i];
        for (node, n) in list.iter().enumerate() {
            let arm = own.holds(node).map(|tie| cable.ties[tie].1.point.at.length());
            noise += arm.map_or(0.0, |arm| n * (1.0 + arm));
        }
        for (e, _) in own.elements.iter().enumerate().filter(|(_, e)| e.is_guided()) {
            noise += list[e] + list[e + 1];
        }
    }
    let at_rest = |v: usize| data.rates.v[v].abs() <= goal || forces[v].abs() <= noise;
    let bodies = (0..model.nv).filter(|v| !in_cables[*v]).all(at_rest);
    cables && bodies
}

/// Lets tensions of stiff cables be unknowns of their own, for as much as the weight of everything.
fn augment(model: &Model, state: &State, data: &mut Data) {
    let bodies: f64 = data.bodies.iter().filter(|b| b.inverse_mass > 0.0).map(|b| 1.0 / b.inverse_mass).sum();
    let cables: f64 = data.cables.iter().flat_map(|c| &c.loads).map(|l| l.mass).sum();
    let borne = model.gravity.length().max(1e-3) * (bodies + cables);
    for (i, cable) in model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none()) {
        data.cables[i].augmented = Augmented::new(cable, &state.cables[i], borne);
    }
    data.invalidate();
}

/// Takes nodes that came to guides past them; whether there were any.
fn slide(model: &Model, state: &mut State, data: &mut Data) -> bool {
    for (i, cable) in
        model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none() && !c.guides.is_empty())
    {
        if cable.slide(state, data, i, model) {
            data.cables[i].augmented.reset(state.cables[i].elements.len());
            data.invalidate();
            return true;
        }
    }
    false
}

/// The largest change that a multiplier of a cable needs [N]; `None` if there are none.
fn mismatch(model: &Model, state: &State, data: &Data) -> Option<f64> {
    let cables = model.cables.iter().zip(&state.cables).zip(&data.cables);
    let open = cables.filter(|(_, data)| !data.augmented.is_exact());
    open.map(|((cable, own), data)| data.augmented.mismatch(cable, own, data)).reduce(f64::max)
}

/// Lets the laws of the cables act. Returns what took their place.
fn take_laws(data: &mut Data) -> Vec<Augmented> {
    data.invalidate();
    data.cables.iter_mut().map(|cable| std::mem::take(&mut cable.augmented)).collect()
}

/// Takes the tensions as multipliers.
fn improve(model: &Model, state: &State, data: &mut Data, laws: Vec<Augmented>) {
    for (i, mut law) in laws.into_iter().enumerate().filter(|(_, law)| !law.is_exact()) {
        law.update(&model.cables[i], &state.cables[i], &data.cables[i]);
        data.cables[i].augmented = law;
    }
    data.invalidate();
}

/// The displacement that rounding of the coordinates hides [m or rad]: that of each, added up along a chain of all.
fn resolution(state: &State) -> f64 {
    let size = state.q.iter().fold(1.0_f64, |a, q| a.max(q.abs()));
    f64::EPSILON * size * state.v.len() as f64
}

/// Who moves with a velocity's coordinate.
pub(super) fn name_of(model: &Model, v: usize) -> String {
    if let Some(cable) = model.cables.iter().find(|c| (c.v..c.v + c.coordinates()).contains(&v)) {
        return cable.name.clone();
    }
    let body = model.bodies.iter().position(|b| {
        let link = b.link.map(|i| (model.links[i].v, model.links[i].nv));
        let own = link.or(b.free.map(|free| (free.v, 6)));
        own.is_some_and(|(first, n)| (first..first + n).contains(&v))
    });
    model.bodies[BodyId(body.unwrap_or_default() as u32).index()].name.clone()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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
