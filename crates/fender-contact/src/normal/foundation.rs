//! Elastic foundation: stiffness per volume of overlap, with hysteretic damping.
//!
//! # Models
//! Contact of solids whose patch follows from their geometry: faces, edges, corners, round sides. The pressure at a place is in
//! proportion to its depth, as in a bed of springs (Winkler), so that a face is stiffer than an edge and an edge than a corner.
//!
//! # Equation
//! `W = k·M`, `f = k·|P|·(1 + a·u)` with the moment of depth M, its gradient P (the volume times the normal, cell by cell) and the
//! approach speed u that does work on it; `a = y/max(impact speed, v_small)`, y from the restitution
//! ([`crate::damping`]). Over a flat face M = A·δ²/2 and |P| = A·δ.
//!
//! # Parameters
//! - `stiffness` k of the pair [N/m³]: of two foundations in series, 1/k = 1/k_a + 1/k_b (eq. 4.132)
//! - `restitution`, `damping`, `v_small` as for the other laws
//!
//! # Valid when
//! The layer that yields is thin beside the patch, or k is matched to the load at hand.
//!
//! # Limits
//! Places do not feel their neighbours: the pressure under a rigid punch is even. A ball's force grows with δ² instead of
//! Hertz' δ^1.5. Sharp corners are soft.
//!
//! # References
//! Gonthier 2007, doctoral thesis, University of Waterloo, chapter 4; Elandt, Drumwright, Sherman and Ruina 2019, IEEE/RSJ IROS,
//! on pressure fields; Johnson 1985, *Contact Mechanics*, section 4.3.

use super::hysteresis::Hysteresis;
use crate::parameter::{ParameterError, positive};
use crate::{Damping, Memory, Motion, NormalForce, PatchGradient, PatchOverlap, Restitution};

/// Elastic foundation with hysteretic damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foundation {
    stiffness: f64,
    hysteresis: Hysteresis,
}

impl Foundation {
    /// Name as written in scenario files.
    pub const NAME: &'static str = "foundation";

    /// A law with the given stiffness per volume [N/m³], restitution in (0, 1], damping form and threshold of lasting contact [m/s].
    pub fn new(
        stiffness: f64,
        restitution: impl Into<Restitution>,
        damping: Damping,
        v_small: f64,
    ) -> Result<Self, ParameterError> {
        let stiffness = positive("stiffness", "a positive stiffness [N/m³]", stiffness)?;
        Ok(Self { stiffness, hysteresis: Hysteresis::new(restitution.into(), damping, v_small)? })
    }

    /// Stiffness per volume of the pair [N/m³].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Requested restitution.
    pub fn restitution(&self) -> Restitution {
        self.hysteresis.restitution
    }

    /// Dimensionless damping factor y = a·v, of the slowest impacts if the restitution falls.
    pub fn factor(&self) -> f64 {
        self.hysteresis.factor
    }

    /// Force along the gradient of a patch. `depth` [m] is that of the gradient, or what of it counts: the overlap is taken as if it were
    /// as much thinner.
    #[inline]
    pub fn rate(
        &self,
        patch: &PatchOverlap,
        gradient: &PatchGradient,
        depth: f64,
        motion: &Motion,
        memory: &Memory,
    ) -> NormalForce {
        if depth <= 0.0 {
            return NormalForce::default();
        }
        let part = depth / gradient.depth;
        let elastic = self.stiffness * gradient.size * part;
        let stored = self.stiffness * patch.moment * part * part;
        // Along the normal the patch does not grow, but for the places where the section is wider.
        let area = patch.section.dot(gradient.normal);
        self.hysteresis.damp(elastic, stored, self.stiffness * area.max(0.0), motion, memory)
    }

    /// Upper bound of the stiffness along the normal, for a patch of the given area [m²]: [N/m].
    pub fn stiffness_bound(&self, area: f64) -> f64 {
        self.stiffness * area
    }
}
