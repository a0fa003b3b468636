//! Hunt and Crossley's force with a given damping.
//!
//! # Models
//! Contacts of which the damping is known (or chosen) instead of a restitution, such as a cable on a deck: the restitution
//! follows from it and falls with the speed of the impact.
//!
//! # Equation
//! `f = share·(k·δ^n + a·k·δ^p·|approach|^q·sign(approach))`, never below zero (Roy, Steinke and Nicoll 2013, eq. 5 with λ = a·k; eq. 6 with
//! p = n and q = 1 is `k·δ^n·(1 + a·approach)`). Stored energy: `k·share·δ^(n+1)/(n + 1)`.
//!
//! With p = n and q = 1 a free impact at the speed v has the restitution e with `a·v·(1 + e) = ln((1 + a·v)/(1 − a·e·v))`, whatever
//! k, n and the masses are ([`crate::damping::restitution_of_factor`]), and the depth of [`crate::damping::peak_depth`].
//!
//! # Parameters
//! - `stiffness` k of the pair [N/m^n]
//! - `damping` a [s/m with p = n and q = 1, else s^q/m^(p + q − n)], not negative
//! - `exponent` n of the depth, at least 1; `depth_exponent` p of the depth in the damping, above 0; `speed_exponent` q of the
//!   speed, at least 1
//!
//! # Valid when
//! The impact is slow against the speed of sound in the bodies. n = 3/2 is that of balls.
//!
//! # Limits
//! The source does not say what happens when the bodies part so fast that the force would pull (above 1/a): here they let go.
//! No adhesion.
//!
//! # References
//! Hunt and Crossley 1975, J. Appl. Mech. 42, 440–445; Roy, Steinke and Nicoll 2013, contract report DRDC Atlantic CR 2013-136,
//! section 6.

use crate::parameter::{ParameterError, not_negative, positive, within};
use crate::{Memory, Motion, NormalForce, NormalLaw, PointOverlap, Promises};
use fender_math::float;

/// Hunt and Crossley's force with a given damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    stiffness: f64,
    damping: f64,
    exponent: f64,
    depth_exponent: f64,
    speed_exponent: f64,
}

impl HuntCrossley {
    /// Exponent of the depth unless told otherwise: that of balls.
    pub const DEFAULT_EXPONENT: f64 = 1.5;

    /// A law with stiffness k [N/m^n] and damping a, whose exponents are n, of the depth, p, of the depth in the damping, and q, of
    /// the speed.
    pub fn new(stiffness: f64, damping: f64, [n, p, q]: [f64; 3]) -> Result<Self, ParameterError> {
        Ok(Self {
            stiffness: positive("stiffness", "a positive stiffness [N/m^n]", stiffness)?,
            damping: not_negative("damping", "zero or positive [s/m]", damping)?,
            exponent: within((1.0..=MOST).contains(&n), "exponent", "from 1 to 10", n)?,
            depth_exponent: within(p > 0.0 && p <= MOST, "depth_exponent", "above 0 and at most 10", p)?,
            speed_exponent: within((1.0..=MOST).contains(&q), "speed_exponent", "from 1 to 10", q)?,
        })
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            Self::new(1e5, 0.7, [1.5, 1.5, 1.0])?,
            Self::new(1e7, 0.0, [1.5, 1.5, 1.0])?,
            Self::new(1e5, 2.0, [1.0, 1.0, 1.0])?,
            Self::new(1e6, 0.1, [1.5, 0.5, 1.0])?,
            Self::new(1e6, 0.3, [2.0, 1.0, 1.0])?,
        ])
    }
}

/// Largest exponent: beyond it the force is a wall, and powers overflow.
const MOST: f64 = 10.0;

impl NormalLaw for HuntCrossley {
    fn name(&self) -> &'static str {
        "hunt_crossley"
    }

    #[inline]
    fn rate(&self, overlap: &PointOverlap, motion: &Motion, _memory: &Memory) -> NormalForce {
        let depth = overlap.depth;
        if depth <= 0.0 {
            return NormalForce::default();
        }
        let (n, p, q) = (self.exponent, self.depth_exponent, self.speed_exponent);
        let k = self.stiffness * overlap.share;
        let elastic = k * float::pow(depth, n);
        let stored = elastic * depth / (n + 1.0);
        let damping = self.damping * k * if p == n { elastic / k } else { float::pow(depth, p) };
        let approach = motion.approach;
        let viscosity = if q == 1.0 { damping } else { damping * float::pow(approach.abs(), q - 1.0) };
        let force = elastic + viscosity * approach;
        // Parting so fast that it would pull: the surfaces let go, and what is stored is lost.
        if force <= 0.0 {
            let dissipated = -elastic * approach;
            return NormalForce { elastic, stored, dissipated, viscosity, ..NormalForce::default() };
        }
        NormalForce {
            force,
            elastic,
            stored,
            dissipated: viscosity * approach * approach,
            stiffness: (n * elastic + p * viscosity * approach) / depth,
            damping: q * viscosity,
            viscosity,
        }
    }

    fn promises(&self) -> Promises {
        let steep = "with a depth exponent below 1 the damping rises from zero with an infinite slope";
        let continuous_at_touch = if self.depth_exponent < 1.0 { Err(steep) } else { Ok(()) };
        Promises { continuous_at_touch, ..Promises::ALL }
    }

    #[inline]
    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        self.exponent
            * self.stiffness
            * overlap.share
            * float::pow(overlap.depth.max(0.0), self.exponent - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_parameters_are_errors_that_name_them() {
        let make = |k, a, exponents| HuntCrossley::new(k, a, exponents).unwrap_err().to_string();
        assert_eq!(make(0.0, 0.7, [1.5; 3]), "stiffness must be a positive stiffness [N/m^n], got 0");
        assert!(make(1.0, -0.7, [1.5; 3]).contains("damping must be zero or positive"));
        assert!(make(1.0, 0.7, [0.5, 1.0, 1.0]).contains("exponent must be from 1 to 10, got 0.5"));
        assert!(make(1.0, 0.7, [1.5, 0.0, 1.0]).contains("depth_exponent must be above 0"));
        assert!(make(1.0, 0.7, [1.5, 1.5, f64::NAN]).contains("speed_exponent must be from 1 to 10"));
    }
}
