//! Bristles between two surfaces: what the laws with a deflection share, and rules to choose their numbers.

use crate::parameter::{ParameterError, not_negative, positive};
use crate::{FLOW, FrictionForce, Memory};
use fender_math::Vec3;

/// Standard gravity, for rules that need one where a scene has none [m/s²].
pub const STANDARD_GRAVITY: f64 = 9.806_65;

/// Stiffness, damping and viscosity of the bristles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristles {
    /// σ₀: [1/m] per load, or [N/m].
    pub stiffness: f64,
    /// σ₁: [s/m] per load, or [N·s/m].
    pub damping: f64,
    /// σ₂, against the slip itself: [s/m] per load, or [N·s/m].
    pub viscosity: f64,
    /// Whether all three grow with the normal force, as the true area of contact does.
    pub per_load: bool,
}

impl Bristles {
    /// Bristles in proportion to the load: σ₀ [1/m], σ₁ [s/m], σ₂ [s/m] (Gonthier 2007, eqs. 3.28 and 3.42).
    pub fn per_load(stiffness: f64, damping: f64, viscosity: f64) -> Self {
        Self { stiffness, damping, viscosity, per_load: true }
    }

    /// Bristles that are the same at every load: σ₀ [N/m], σ₁ [N·s/m], σ₂ [N·s/m].
    pub fn fixed(stiffness: f64, damping: f64, viscosity: f64) -> Self {
        Self { stiffness, damping, viscosity, per_load: false }
    }

    /// Time in which a deflection relaxes, τ_br = σ₁/σ₀ [s].
    pub fn time(&self) -> f64 {
        self.damping / self.stiffness
    }

    /// Load for which the law is computed, and factor of its forces: (1, load), or (load, 1) for fixed bristles.
    #[inline]
    pub(super) fn split(&self, load: f64) -> (f64, f64) {
        if self.per_load { (1.0, load) } else { (load, 1.0) }
    }

    /// σ₂ under a load. Nothing holds surfaces that are not pressed together, be their viscosity per load or not.
    #[inline]
    pub(super) fn viscosity_under(&self, load: f64) -> f64 {
        if load > 0.0 { self.viscosity } else { 0.0 }
    }

    pub(super) fn check(self) -> Result<Self, ParameterError> {
        positive("bristle stiffness", "positive [1/m per load, or N/m]", self.stiffness)?;
        positive("bristle damping", "positive [s/m per load, or N·s/m]", self.damping)?;
        not_negative("viscosity", "zero or positive [s/m per load, or N·s/m]", self.viscosity)?;
        Ok(self)
    }
}

/// σ₀ = μ_S/δz [1/m] from the slip allowed before break-away [m] (Gonthier 2007, eq. 3.46).
pub fn stiffness_for(static_coefficient: f64, pre_slip: f64) -> f64 {
    static_coefficient / pre_slip
}

/// σ₁ = 2√(σ₀/g) [s/m]: a block held by its bristles under its own weight is critically damped (Gonthier 2007,
/// eq. 3.51).
pub fn critical_damping(stiffness: f64, gravity: f64) -> f64 {
    2.0 * (stiffness / gravity).sqrt()
}

/// Least Stribeck speed [m/s] for which [`super::Bristle`] creates no energy: v_S ≥ μ_C·N/(2σ₁) under the load N, with
/// N = 1 if σ₁ is per load.
pub fn passive_stribeck_speed(coefficient: f64, damping: f64, load: f64) -> f64 {
    0.5 * coefficient * load / damping
}

/// Deflection in a memory. The normal may have turned since: what is along it now is no deflection.
#[inline]
pub(super) fn deflection(memory: &Memory, normal: Vec3) -> Vec3 {
    let z = Vec3::new(memory.flow[0], memory.flow[1], memory.flow[2]);
    z - normal * normal.dot(z)
}

/// Answer of a law that holds with `force` [N] at a deflection that changes at `rate` [m/s], with bristles of `stiffness` [N/m].
#[inline]
pub(super) fn answer(force: Vec3, slip: Vec3, z: Vec3, rate: Vec3, stiffness: f64) -> FrictionForce {
    let storing = stiffness * z.dot(rate);
    let mut flow = [0.0; FLOW];
    flow[..3].copy_from_slice(&rate.to_array());
    let stored = 0.5 * stiffness * z.length_squared();
    FrictionForce { force, stored, storing, dissipated: -force.dot(slip) - storing, flow }
}

/// The answer for the end of a step of `dt` [s] as that for the step: stored at its start, means over it.
pub(super) fn over_step(
    mut end: FrictionForce,
    memory: &Memory,
    (from, to): (Vec3, Vec3),
    stiffness: f64,
    dt: f64,
) -> FrictionForce {
    let stored = 0.5 * stiffness * from.length_squared();
    end.storing = (end.stored - stored) / dt;
    end.stored = stored;
    let z = Vec3::new(memory.flow[0], memory.flow[1], memory.flow[2]);
    end.flow[..3].copy_from_slice(&((to - z) / dt).to_array());
    end
}

/// Coefficients of static and sliding friction: sliding from zero up, static not below it.
pub(super) fn check_coefficients(fixed: f64, sliding: f64) -> Result<(), ParameterError> {
    not_negative("friction coefficient", "zero or positive", sliding)?;
    if fixed >= sliding && fixed.is_finite() {
        return Ok(());
    }
    Err(ParameterError::Static { fixed, sliding })
}
