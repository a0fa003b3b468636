//! Hertz contact with hysteretic damping.
//!
//! # Models
//! Two smooth, curved, elastic bodies that touch over a small patch, with energy lost to waves and small plastic
//! deformation lumped into a damping that gives a chosen coefficient of restitution.
//!
//! # Equation
//! `f = k·share·δ^1.5·(1 + a·approach)`, never below zero, with `a = y/max(impact speed, v_small)` and y from the
//! restitution ([`crate::damping`]). Stored energy: `2/5·k·share·δ^2.5`. The stiffness k is given, or
//! `k = 4/3·E*·√R·g` with 1/R = A + B the relative curvature, g from the ellipse ([`super::ellipse`], 1 for balls) and
//! `1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b`.
//!
//! # Parameters
//! - `stiffness`: k [N/m^1.5], or the effective modulus E* [Pa]
//! - `restitution` e in (0, 1]: separation speed over approach speed of a free impact, constant or falling with the speed
//!   of the impact ([`Restitution`])
//! - `damping`: how y follows from e; `Exact` gives what was asked
//! - `v_small` [m/s]: slower touches are damped as if they came at this speed, so that contacts come to rest
//!
//! # Valid when
//! The patch is small against the radii, strains are elastic, the impact is slow against the speed of sound in the
//! bodies, and no edge or flat face takes part (with a modulus; a given k serves any shape).
//!
//! # Limits
//! While the axes of an ellipse turn about the normal, the energy that changes with them is not given back as a torque. A
//! constant force during the impact (gravity) lowers the restitution that is observed. No adhesion.
//!
//! # References
//! Hertz 1881, J. reine angew. Math. 92; Hunt and Crossley 1975, J. Appl. Mech. 42; Lankarani and Nikravesh 1990,
//! J. Mech. Des. 112; Gonthier 2007, doctoral thesis, University of Waterloo, sections 2.2.1, 3.2.1 and 3.3.1.

use super::ellipse::{Ellipse, Patch};
use super::hysteresis::Hysteresis;
use crate::parameter::{ParameterError, positive, within};
use crate::{
    Damping, Memory, Motion, NormalForce, NormalLaw, PointOverlap, Restitution, damping::DEFAULT_V_SMALL,
};

/// Elastic constants of one body's material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Young's modulus E [Pa]; infinite for a rigid body.
    pub young: f64,
    /// Poisson's ratio ν, from −1 (excluded) to 0.5.
    pub poisson: f64,
}

impl Elasticity {
    /// (1 − ν²)/E [1/Pa].
    fn compliance(self) -> Result<f64, ParameterError> {
        let Self { young, poisson } = self;
        within(young > 0.0, "Young's modulus", "positive [Pa]", young)?;
        within(poisson > -1.0 && poisson <= 0.5, "Poisson's ratio", "above -1 and at most 0.5", poisson)?;
        Ok((1.0 - poisson * poisson) / young)
    }

    /// Effective modulus E* of two materials: 1/E* = Σ (1 − ν²)/E [Pa].
    pub fn effective_modulus(a: Self, b: Self) -> Result<f64, ParameterError> {
        let e_star = 1.0 / (a.compliance()? + b.compliance()?);
        positive("effective modulus", "a positive, finite modulus [Pa]", e_star)
    }
}

/// Where the stiffness comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HertzStiffness {
    /// k of the pair [N/m^1.5].
    Given(f64),
    /// From the materials; the curvature comes with each overlap.
    Material {
        /// Effective modulus E* [Pa].
        e_star: f64,
    },
}

impl HertzStiffness {
    /// Stiffness from the two materials: `1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b` (Gonthier 2007, eqs. 2.2 and 2.3).
    pub fn of_materials(a: Elasticity, b: Elasticity) -> Result<Self, ParameterError> {
        Ok(Self::Material { e_star: Elasticity::effective_modulus(a, b)? })
    }
}

/// Hertz contact with hysteretic damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hertz {
    stiffness: HertzStiffness,
    hysteresis: Hysteresis,
}

impl Hertz {
    /// A law with the given stiffness, restitution in (0, 1], damping form and threshold of lasting contact [m/s].
    pub fn new(
        stiffness: HertzStiffness,
        restitution: impl Into<Restitution>,
        damping: Damping,
        v_small: f64,
    ) -> Result<Self, ParameterError> {
        match stiffness {
            HertzStiffness::Given(k) => positive("stiffness", "a positive stiffness [N/m^1.5]", k)?,
            HertzStiffness::Material { e_star } => {
                positive("effective modulus", "a positive, finite modulus [Pa]", e_star)?
            }
        };
        Ok(Self { stiffness, hysteresis: Hysteresis::new(restitution.into(), damping, v_small)? })
    }

    /// Where the stiffness comes from.
    pub fn stiffness(&self) -> HertzStiffness {
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
        let steel = Elasticity { young: 210e9, poisson: 0.3 };
        let rubber = Elasticity { young: 5e6, poisson: 0.49 };
        let rigid = Elasticity { young: f64::INFINITY, poisson: 0.0 };
        let falling = Restitution::Falling { at_rest: 1.0, slope: 0.2 };
        Ok(vec![
            Self::new(HertzStiffness::Given(1e6), 0.5, Exact, DEFAULT_V_SMALL)?,
            Self::new(HertzStiffness::Given(3.4e10), 0.01, Exact, DEFAULT_V_SMALL)?,
            Self::new(HertzStiffness::Given(1e8), 1.0, Exact, DEFAULT_V_SMALL)?,
            Self::new(HertzStiffness::Given(1e6), 0.2, HuntCrossley, 1e-2)?,
            Self::new(HertzStiffness::Given(1e6), 0.8, LankaraniNikravesh, 1e-4)?,
            Self::new(HertzStiffness::of_materials(steel, steel)?, 0.9, Exact, DEFAULT_V_SMALL)?,
            Self::new(HertzStiffness::of_materials(rubber, rigid)?, 0.3, Exact, DEFAULT_V_SMALL)?,
            Self::new(HertzStiffness::Given(3.4e10), falling, Exact, DEFAULT_V_SMALL)?,
        ])
    }

    /// Elastic force over depth [N/m], for a positive depth.
    #[inline]
    fn secant(&self, overlap: &PointOverlap) -> f64 {
        match self.stiffness {
            HertzStiffness::Given(k) => k * overlap.share * overlap.depth.sqrt(),
            // One root for both √δ and √R.
            HertzStiffness::Material { e_star } => {
                let round = 4.0 / 3.0 * e_star * overlap.share * (overlap.depth / overlap.curvature).sqrt();
                round * Ellipse::stiffness_of(overlap)
            }
        }
    }
}

impl NormalLaw for Hertz {
    fn name(&self) -> &'static str {
        "hertz"
    }

    #[inline]
    fn rate(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory) -> NormalForce {
        if overlap.depth <= 0.0 {
            return NormalForce::default();
        }
        let secant = self.secant(overlap);
        let elastic = secant * overlap.depth;
        self.hysteresis.damp(elastic, 0.4 * elastic * overlap.depth, 1.5 * secant, motion, memory)
    }

    #[inline]
    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        if overlap.depth <= 0.0 { 0.0 } else { 1.5 * self.secant(overlap) }
    }

    /// From the depth and the curvatures; of a given stiffness only the force is known, and the pressure follows from it.
    fn patch(&self, overlap: &PointOverlap) -> Option<Patch> {
        let elastic = if overlap.depth > 0.0 { self.secant(overlap) * overlap.depth } else { 0.0 };
        (overlap.curvature > 0.0).then(|| Ellipse::of(overlap).patch(overlap, elastic))
    }

    fn needs_curvature(&self) -> bool {
        matches!(self.stiffness, HertzStiffness::Material { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::Vec3;

    fn overlap(depth: f64, curvature: f64) -> PointOverlap {
        PointOverlap {
            point: Vec3::ZERO,
            normal: Vec3::Z,
            depth,
            curvature,
            elongation: Vec3::ZERO,
            share: 1.0,
        }
    }

    /// Hertz 1881 through the contact radius instead of the stiffness: a² = R·δ and F = 4 E* a³/(3 R).
    #[test]
    fn materials_give_the_force_of_the_contact_radius() {
        let aluminium = Elasticity { young: 70e9, poisson: 0.33 };
        let (radius, depth) = (0.05_f64, 1e-6_f64);
        let e_star = 70e9 / (2.0 * (1.0 - 0.33 * 0.33));
        let a = (radius * depth).sqrt();
        let expected = 4.0 * e_star * a.powi(3) / (3.0 * radius);
        let stiffness = HertzStiffness::of_materials(aluminium, aluminium).unwrap();
        let law = Hertz::new(stiffness, 1.0, Damping::Exact, 1e-3).unwrap();
        let force = law.rate(&overlap(depth, 1.0 / radius), &Motion::default(), &Memory::default()).force;
        assert!((force / expected - 1.0).abs() < 1e-14, "{force} against {expected}");
        assert!(law.needs_curvature());
        // The same with the stiffness given.
        let k = 4.0 / 3.0 * e_star * radius.sqrt();
        let given = Hertz::new(HertzStiffness::Given(k), 1.0, Damping::Exact, 1e-3).unwrap();
        let same = given.rate(&overlap(depth, 0.0), &Motion::default(), &Memory::default()).force;
        assert!((force / same - 1.0).abs() < 1e-14);
        assert!(!given.needs_curvature());
    }

    #[test]
    fn bad_parameters_are_errors_that_name_them() {
        let make = |k: f64, e: f64, v: f64| {
            Hertz::new(HertzStiffness::Given(k), e, Damping::Exact, v).unwrap_err().to_string()
        };
        assert_eq!(make(-1.0, 0.5, 1e-3), "stiffness must be a positive stiffness [N/m^1.5], got -1");
        assert!(make(1.0, 0.0, 1e-3).contains("restitution must be above 0 and at most 1, got 0"));
        assert!(make(1.0, 0.5, f64::NAN).contains("v_small"));
        let rigid = Elasticity { young: f64::INFINITY, poisson: 0.3 };
        assert!(HertzStiffness::of_materials(rigid, rigid).unwrap_err().to_string().contains("modulus"));
        let odd = Elasticity { young: 1e9, poisson: 0.7 };
        assert!(HertzStiffness::of_materials(odd, rigid).unwrap_err().to_string().contains("0.5, got 0.7"));
    }
}
