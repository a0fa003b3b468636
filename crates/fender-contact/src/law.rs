//! The contract between laws and solvers.

use crate::{FLOW, Memory, Motion, PointOverlap};
use fender_math::{Mat3, Vec3};
use std::fmt::Debug;

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
    /// Power lost [W].
    pub dissipated: f64,
    /// Rates of the memory's flowing quantities [1/s].
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

    /// Largest force the law gives under the normal force and slip speed [m/s] [N].
    fn bound(&self, normal_force: f64, slip_speed: f64) -> f64;

    /// Slip speed below which the contact counts as sticking [m/s].
    fn sticking_speed(&self) -> f64;

    /// What the law promises.
    fn promises(&self) -> Promises {
        Promises::ALL
    }
}
