//! Linear spring with hysteretic damping.
//!
//! # Models
//! Contact over a patch that does not grow with the load (flat faces, coatings, bristles of a fender), or any contact
//! for which only a stiffness is known, with a damping that gives a chosen coefficient of restitution.
//!
//! # Equation
//! `f = k·share·δ·(1 + a·approach)`, never below zero, with `a = y/max(impact speed, v_small)` and y from the
//! restitution ([`crate::damping`]). The factor is the same as for Hertz: the exponent of the depth cancels. Stored
//! energy: `1/2·k·share·δ²`.
//!
//! # Parameters
//! - `stiffness` k of the pair [N/m]
//! - `restitution` e in (0, 1]: separation speed over approach speed of a free impact
//! - `damping`: how y follows from e; `Exact` gives what was asked
//! - `v_small` [m/s]: slower touches are damped as if they came at this speed, so that contacts come to rest
//!
//! # Valid when
//! The area of contact is about constant, or the stiffness is tuned to the load at hand.
//!
//! # Limits
//! The stiffness jumps at touch (the force does not). Restitution does not depend on speed. A constant force during
//! the impact (gravity) lowers the restitution that is observed. No adhesion.
//!
//! # References
//! Hunt and Crossley 1975, J. Appl. Mech. 42; Gonthier 2007, doctoral thesis, University of Waterloo, sections 3.2.1
//! and 3.3.1.

use super::hysteresis::Hysteresis;
use crate::parameter::{ParameterError, positive};
use crate::{
    Damping, Memory, Motion, NormalForce, NormalLaw, PointOverlap, Restitution, damping::DEFAULT_V_SMALL,
};

/// Linear spring with hysteretic damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    stiffness: f64,
    hysteresis: Hysteresis,
}

impl Linear {
    /// A law with the given stiffness [N/m], restitution in (0, 1], damping form and threshold of lasting contact [m/s].
    pub fn new(
        stiffness: f64,
        restitution: impl Into<Restitution>,
        damping: Damping,
        v_small: f64,
    ) -> Result<Self, ParameterError> {
        let stiffness = positive("stiffness", "a positive stiffness [N/m]", stiffness)?;
        Ok(Self { stiffness, hysteresis: Hysteresis::new(restitution.into(), damping, v_small)? })
    }

    /// Stiffness of the pair [N/m].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Requested restitution.
    pub fn restitution(&self) -> Restitution {
        self.hysteresis.restitution
    }

    /// Damping form.
    pub fn damping(&self) -> Damping {
        self.hysteresis.damping
    }

    /// Least impact speed that the damping is made for [m/s].
    pub fn v_small(&self) -> f64 {
        self.hysteresis.v_small
    }

    /// Dimensionless damping factor y = a·v, of the slowest impacts if the restitution falls.
    pub fn factor(&self) -> f64 {
        self.hysteresis.factor
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        use Damping::{Exact, HuntCrossley, LankaraniNikravesh};
        Ok(vec![
            Self::new(1e5, 0.5, Exact, DEFAULT_V_SMALL)?,
            Self::new(1e8, 0.05, Exact, 1e-2)?,
            Self::new(1e3, 1.0, Exact, DEFAULT_V_SMALL)?,
            Self::new(1e5, 0.7, HuntCrossley, DEFAULT_V_SMALL)?,
            Self::new(1e5, 0.3, LankaraniNikravesh, DEFAULT_V_SMALL)?,
            Self::new(1e5, Restitution::Falling { at_rest: 0.8, slope: 0.1 }, HuntCrossley, DEFAULT_V_SMALL)?,
        ])
    }
}

impl NormalLaw for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    #[inline]
    fn rate(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory) -> NormalForce {
        if overlap.depth <= 0.0 {
            return NormalForce::default();
        }
        let k = self.stiffness * overlap.share;
        let elastic = k * overlap.depth;
        self.hysteresis.damp(elastic, 0.5 * elastic * overlap.depth, k, motion, memory)
    }

    #[inline]
    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        self.stiffness * overlap.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_parameters_are_errors_that_name_them() {
        let make = |k: f64, e: f64, v: f64| Linear::new(k, e, Damping::Exact, v).unwrap_err().to_string();
        assert_eq!(make(f64::NAN, 0.5, 1e-3), "stiffness must be a positive stiffness [N/m], got NaN");
        assert!(make(1.0, 1.5, 1e-3).contains("restitution must be above 0 and at most 1, got 1.5"));
        assert!(make(1.0, 0.5, 0.0).contains("v_small must be a positive speed [m/s], got 0"));
    }
}
