//! Spring and damper side by side, clamped at zero.
//!
//! # Models
//! The classic linear contact of discrete-element codes and of fenders with a separate damper: the contact ends when the
//! force, not the depth, has come back to zero, so the surfaces never pull.
//!
//! # Equation
//! `f = max(0, share·(k·δ + c·approach))` while δ > 0. Stored energy: `1/2·k·share·δ²`.
//!
//! With the damping ratio `ζ = c/(2√(k·m))` of a free impact of the reduced mass m, the motion up to the instant at which
//! the force vanishes gives the restitution of the clamped law in closed form:
//!
//! `e = exp(−2ζ·arccos(ζ)/√(1 − ζ²))` for ζ < 1, `exp(−2)` at 1, `exp(−2ζ·arcosh(ζ)/√(ζ² − 1))` above.
//!
//! Derivation: for ζ < 1, `δ = (v/ω)·exp(−βt)·sin ωt` with `β = ζ·ω₀`, `ω = ω₀√(1 − ζ²)`. The force vanishes at
//! `tan ωt = −2βω/(ω² − β²)`, a double angle, hence `ωt = π − 2·arcsin ζ = 2·arccos ζ`; there
//! `dδ/dt = v·exp(−βt)·(cos ωt − (β/ω)·sin ωt) = −v·exp(−βt)`. The other branch is its analytic continuation.
//!
//! # Parameters
//! - `stiffness` k of the pair [N/m]
//! - `damping` c of the pair [N·s/m], or a restitution e in (0, 1] with the `reduced_mass` m [kg] it is meant for
//!
//! # Valid when
//! The masses that meet are about the one the damping was made for; other masses bounce with another restitution.
//!
//! # Limits
//! The force jumps to c·approach at touch, and so does the power. Restitution depends on the masses, not on the speed.
//! A constant force during the impact (gravity) lowers the restitution that is observed.
//!
//! # References
//! Schwager and Pöschel 2007, Granular Matter 9, 465–469, who give the same restitution in three branches.

use crate::parameter::{ParameterError, not_negative, positive};
use crate::{Memory, Motion, NormalForce, NormalLaw, PointOverlap, Promises, RestitutionError};
use fender_math::{float, root::bisect};

/// Spring and damper side by side, clamped at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KelvinVoigt {
    stiffness: f64,
    damping: f64,
}

impl KelvinVoigt {
    /// A law with the given stiffness [N/m] and damping [N·s/m].
    pub fn new(stiffness: f64, damping: f64) -> Result<Self, ParameterError> {
        let stiffness = positive("stiffness", "a positive stiffness [N/m]", stiffness)?;
        let damping = not_negative("damping", "zero or positive [N·s/m]", damping)?;
        Ok(Self { stiffness, damping })
    }

    /// A law with the given stiffness [N/m] whose damping gives the restitution, in (0, 1], to bodies with the given
    /// reduced mass `1/(1/m_a + 1/m_b)` [kg].
    pub fn with_restitution(
        stiffness: f64,
        restitution: f64,
        reduced_mass: f64,
    ) -> Result<Self, ParameterError> {
        let stiffness = positive("stiffness", "a positive stiffness [N/m]", stiffness)?;
        let mass = positive("reduced mass", "a positive mass [kg]", reduced_mass)?;
        Self::new(stiffness, 2.0 * damping_ratio(restitution)? * (stiffness * mass).sqrt())
    }

    /// Stiffness of the pair [N/m].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Damping of the pair [N·s/m].
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Restitution that bodies with the given reduced mass [kg] get.
    pub fn restitution(&self, reduced_mass: f64) -> f64 {
        float::exp(-2.0 * decay(0.5 * self.damping / (self.stiffness * reduced_mass).sqrt()))
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            Self::with_restitution(1e5, 0.5, 1.0)?,
            Self::with_restitution(1e7, 0.05, 20.0)?,
            Self::with_restitution(1e3, 1.0, 0.1)?,
            Self::new(1e5, 3e3)?,
        ])
    }
}

impl NormalLaw for KelvinVoigt {
    fn name(&self) -> &'static str {
        "kelvin_voigt"
    }

    #[inline]
    fn rate(&self, overlap: &PointOverlap, motion: &Motion, _memory: &Memory) -> NormalForce {
        if overlap.depth <= 0.0 {
            return NormalForce::default();
        }
        let (k, c) = (self.stiffness * overlap.share, self.damping * overlap.share);
        let elastic = k * overlap.depth;
        let stored = 0.5 * elastic * overlap.depth;
        let force = elastic + c * motion.approach;
        // The damper holds the surfaces back more than the spring pushes: they let go, and what is stored is lost.
        if force <= 0.0 {
            return NormalForce {
                elastic,
                stored,
                dissipated: -elastic * motion.approach,
                viscosity: c,
                ..NormalForce::default()
            };
        }
        let dissipated = c * motion.approach * motion.approach;
        NormalForce { force, elastic, stored, dissipated, stiffness: k, damping: c, viscosity: c }
    }

    #[inline]
    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        self.stiffness * overlap.share
    }

    fn promises(&self) -> Promises {
        Promises {
            continuous_at_touch: Err(
                "the damper acts in full from the first touch: the force jumps to c·approach",
            ),
            ..Promises::ALL
        }
    }
}

/// Damping ratio ζ = c/(2√(k·m)) that gives the restitution `e` under the clamped law.
pub fn damping_ratio(e: f64) -> Result<f64, RestitutionError> {
    let e = RestitutionError::check(e)?;
    let target = -0.5 * float::ln(e);
    // decay(ζ) ≥ arcosh ζ ≥ ln ζ above 1, so the root is at most e^(−1/2).
    let upper = 1.0 / e.sqrt();
    Ok(bisect(0.0, upper, 0.0, |zeta| decay(zeta) - target).unwrap_or(upper))
}

/// −½ ln e of the clamped law: `ζ·arccos(ζ)/√(1 − ζ²)` and its continuation beyond ζ = 1. Grows with ζ.
fn decay(zeta: f64) -> f64 {
    let root = ((1.0 - zeta).abs() * (1.0 + zeta)).sqrt();
    if root == 0.0 {
        1.0
    } else if zeta < 1.0 {
        zeta * float::atan2(root, zeta) / root
    } else {
        // arcosh ζ = ln(1 + root + (ζ − 1)), accurate near 1 too.
        zeta * float::ln_1p(root + (zeta - 1.0)) / root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Schwager and Pöschel 2007 with the double angle not simplified, on each of their branches.
    #[test]
    fn restitution_agrees_with_the_published_branches() {
        for i in 1..400 {
            let zeta = f64::from(i) * 0.005 + 1e-4;
            let beta = zeta;
            let expected = if zeta < 1.0 {
                let omega = (1.0 - beta * beta).sqrt();
                let angle = (2.0 * beta * omega / (omega * omega - beta * beta)).atan();
                let turn = if zeta < 0.5_f64.sqrt() { std::f64::consts::PI - angle } else { -angle };
                (-beta / omega * turn).exp()
            } else {
                let omega = (beta * beta - 1.0).sqrt();
                (-beta / omega * ((beta + omega) / (beta - omega)).ln()).exp()
            };
            let e = KelvinVoigt::new(4.0, 2.0 * zeta * 6.0).unwrap().restitution(9.0);
            assert!((e - expected).abs() < 1e-12, "ζ = {zeta}: {e} against {expected}");
        }
    }

    #[test]
    fn damping_ratio_is_the_inverse_for_every_restitution() {
        for i in 1..=1000 {
            let e = f64::from(i) * 1e-3;
            let back = KelvinVoigt::with_restitution(1e4, e, 0.3).unwrap().restitution(0.3);
            assert!((back - e).abs() < 1e-13, "{e} came back as {back}");
        }
        assert_eq!(damping_ratio(1.0).unwrap(), 0.0);
        // Critical damping.
        assert!((damping_ratio((-2.0_f64).exp()).unwrap() - 1.0).abs() < 1e-12);
        assert!(damping_ratio(0.0).is_err() && damping_ratio(f64::NAN).is_err());
        assert!(damping_ratio(f64::MIN_POSITIVE).unwrap().is_finite());
    }

    #[test]
    fn bad_parameters_are_errors_that_name_them() {
        let error = KelvinVoigt::with_restitution(1.0, 0.5, 0.0).unwrap_err().to_string();
        assert_eq!(error, "reduced mass must be a positive mass [kg], got 0");
        assert!(
            KelvinVoigt::new(1.0, -1.0).unwrap_err().to_string().contains("damping must be zero or positive")
        );
        assert!(KelvinVoigt::new(0.0, 1.0).unwrap_err().to_string().contains("stiffness"));
        assert!(
            KelvinVoigt::with_restitution(1.0, 0.0, 1.0).unwrap_err().to_string().contains("restitution")
        );
    }
}
