//! The contract between laws and solvers.

use crate::{FLOW, Memory, Motion, Patch, PointOverlap};
use fender_math::{Mat3, Vec3};
use std::fmt::Debug;

/// Newton steps for the friction of a step at most.
const MAX_NEWTON: usize = 30;

/// Answer of a normal law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalForce {
    /// Force on the first body along the normal, never negative [N].
    pub force: f64,
    /// Conservative part of it: the derivative of `stored` by depth [N].
    pub elastic: f64,
    /// Energy stored [J].
    pub stored: f64,
    /// Power lost: (`force` − `elastic`)·approach, never negative [W].
    pub dissipated: f64,
    /// ∂force/∂depth [N/m].
    pub stiffness: f64,
    /// ∂force/∂approach [N·s/m].
    pub damping: f64,
    /// Velocity-dependent part per approach speed before the force is cut off at zero [N·s/m]:
    /// force = max(0, elastic + viscosity·approach). Solvers need it where `damping` is zero because of the cut.
    pub viscosity: f64,
}

/// Answer of a normal law at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalUpdate {
    /// Force, energies and tangents at the end of the step.
    pub force: NormalForce,
    /// Memory at the end of the step.
    pub memory: Memory,
}

/// Answer of a friction law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionForce {
    /// Force on the first body, perpendicular to the normal [N].
    pub force: Vec3,
    /// Energy stored in the law's memory [J].
    pub stored: f64,
    /// Power that goes into the memory [W]: rate of `stored` at constant load. −force·slip = storing + dissipated.
    pub storing: f64,
    /// Power lost [W].
    pub dissipated: f64,
    /// Rates of the memory's flowing quantities [1/s]. The first three are the rate of a vector in the world, across the normal:
    /// solvers turn it with the bodies. The others are numbers.
    pub flow: [f64; FLOW],
}

/// Answer of a friction law at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionUpdate {
    /// Force and energies at the end of the step.
    pub force: FrictionForce,
    /// Memory at the end of the step.
    pub memory: Memory,
    /// ∂force/∂slip [N·s/m].
    pub by_slip: Mat3,
    /// ∂force/∂(normal force).
    pub by_normal: Vec3,
}

/// What a law promises. The contract test holds it to this; what is not promised is said with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// The force is zero at zero depth, whatever the approach speed; else the reason why it is not.
    pub continuous_at_touch: Result<(), &'static str>,
    /// Energy is never created; else the reason.
    pub passive: Result<(), &'static str>,
}

impl Promises {
    /// Everything the contract asks for.
    pub const ALL: Self = Self { continuous_at_touch: Ok(()), passive: Ok(()) };
}

/// A constitutive formula for the force along the normal.
pub trait NormalLaw: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// Force for a given instant.
    fn rate(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory) -> NormalForce;

    /// Force at the end of a step of `dt` [s], given the overlap and motion there and the memory at its start.
    fn update(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory, _dt: f64) -> NormalUpdate {
        NormalUpdate { force: self.rate(overlap, motion, memory), memory: *memory }
    }

    /// Upper bound of ∂(elastic force)/∂depth for depths up to that of `overlap` [N/m].
    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64;

    /// Whether the stiffness comes from the curvature of the surfaces, so that flat faces cannot be served.
    fn needs_curvature(&self) -> bool {
        false
    }

    /// Patch over which the elastic part of the force is spread, if the law knows.
    fn patch(&self, _overlap: &PointOverlap) -> Option<Patch> {
        None
    }

    /// What the law promises.
    fn promises(&self) -> Promises {
        Promises::ALL
    }
}

/// A constitutive formula for the force across the normal.
pub trait FrictionLaw: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// How many of the memory's flowing quantities the law uses.
    fn flows(&self) -> usize {
        0
    }

    /// Whether what flows does so faster the faster the slip, so that fixed steps must take it implicitly also while sliding.
    fn flows_with_slip(&self) -> bool {
        false
    }

    /// Size that each flowing quantity has under a normal force [N]: error control takes errors relative to it.
    fn scales(&self, _normal_force: f64) -> [f64; FLOW] {
        [1.0; FLOW]
    }

    /// Force for a given instant under the normal force [N].
    fn rate(&self, normal_force: f64, normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce;

    /// Force at the end of a step of `dt` [s], given the normal force and motion there and the memory at its start.
    fn update(
        &self,
        normal_force: f64,
        normal: Vec3,
        motion: &Motion,
        memory: &Memory,
        dt: f64,
    ) -> FrictionUpdate;

    /// Force over a step of `dt` [s] when it acts back on the slip: f = law(slip) with slip = `free_slip` + `response`·f,
    /// where `free_slip` [m/s] is the slip that there would be without it and `response` [m/s/N] its effect on the slip.
    /// `stored` is that of the memory at the start; `storing` and the flow rates are means over the step.
    ///
    /// The default is Newton's method with the law's own tangent.
    fn solve(
        &self,
        normal_force: f64,
        normal: Vec3,
        free_slip: Vec3,
        response: f64,
        memory: &Memory,
        dt: f64,
    ) -> FrictionForce {
        // From rest, and if that does not lead to the end, from the slip without friction.
        let guesses: [&dyn Fn() -> Vec3; 2] = [&|| Vec3::ZERO, &|| free_slip];
        newton(self, normal_force, normal, (free_slip, response), memory, dt, &guesses)
    }

    /// Largest force the law gives under the normal force and slip speed [m/s] [N].
    fn bound(&self, normal_force: f64, slip_speed: f64) -> f64;

    /// Slip speed below which the contact counts as sticking [m/s].
    fn sticking_speed(&self) -> f64;

    /// What the law promises.
    fn promises(&self) -> Promises {
        Promises::ALL
    }
}

/// Friction of a step ([`FrictionLaw::solve`]) by Newton's method with the law's own tangent, from each guess of the slip [m/s] in
/// turn until one leads to the end.
pub(crate) fn newton<L: FrictionLaw + ?Sized>(
    law: &L,
    load: f64,
    normal: Vec3,
    (free_slip, response): (Vec3, f64),
    memory: &Memory,
    dt: f64,
    guesses: &[&dyn Fn() -> Vec3],
) -> FrictionForce {
    let at = |slip: Vec3| {
        let update = law.update(load, normal, &Motion { approach: 0.0, slip }, memory, dt);
        ((slip - free_slip - update.force.force * response).length(), slip, update)
    };
    let enough = 1e-6 * response * law.bound(load, free_slip.length());
    let mut best: Option<(f64, Vec3, FrictionUpdate)> = None;
    for guess in guesses {
        let mut here = at(guess());
        for _ in 0..MAX_NEWTON {
            if here.0 <= enough {
                break;
            }
            let residual = here.1 - free_slip - here.2.force.force * response;
            let change = (Mat3::IDENTITY - here.2.by_slip * response).inverse() * -residual;
            let change = change - normal * normal.dot(change);
            // Kinks and steep curves: no step may leave more than it found.
            let mut part = 1.0;
            let mut there = at(here.1 + change);
            let better = |there: &(f64, Vec3, FrictionUpdate)| there.0 < here.0;
            while part > 1e-6 && !better(&there) {
                part *= 0.5;
                there = at(here.1 + change * part);
            }
            if !better(&there) {
                break;
            }
            here = there;
        }
        if best.as_ref().is_none_or(|best| here.0 < best.0) {
            best = Some(here);
        }
        if here.0 <= enough {
            break;
        }
    }
    let (_, slip, update) = best.unwrap_or_else(|| at(free_slip));
    let before = law.rate(load, normal, &Motion { approach: 0.0, slip }, memory);
    let mut force = update.force;
    force.storing = (update.force.stored - before.stored) / dt;
    force.stored = before.stored;
    for (i, rate) in force.flow.iter_mut().enumerate() {
        *rate = (update.memory.flow[i] - memory.flow[i]) / dt;
    }
    force
}
