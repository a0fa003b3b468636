//! No friction.
//!
//! # Models
//! Surfaces that slide freely.
//!
//! # Equation
//! f = 0.
//!
//! # Parameters
//! None.
//!
//! # Valid when
//! Lubricated contact, or when only the normal direction is studied.
//!
//! # Limits
//! Nothing ever sticks.
//!
//! # References
//! None needed.

use crate::{FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion};
use fender_math::{Mat3, Vec3};

/// No friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frictionless;

impl FrictionLaw for Frictionless {
    fn name(&self) -> &'static str {
        "none"
    }

    #[inline]
    fn rate(&self, _normal_force: f64, _normal: Vec3, _motion: &Motion, _memory: &Memory) -> FrictionForce {
        FrictionForce::default()
    }

    #[inline]
    fn update(
        &self,
        _normal_force: f64,
        _normal: Vec3,
        _motion: &Motion,
        memory: &Memory,
        _dt: f64,
    ) -> FrictionUpdate {
        FrictionUpdate {
            force: FrictionForce::default(),
            memory: *memory,
            by_slip: Mat3::ZERO,
            by_normal: Vec3::ZERO,
        }
    }

    #[inline]
    fn solve(
        &self,
        _normal_force: f64,
        _normal: Vec3,
        _free_slip: Vec3,
        _response: f64,
        _memory: &Memory,
        _dt: f64,
    ) -> FrictionForce {
        FrictionForce::default()
    }

    #[inline]
    fn bound(&self, _normal_force: f64, _slip_speed: f64) -> f64 {
        0.0
    }

    /// Zero: the contact never counts as sticking.
    #[inline]
    fn sticking_speed(&self) -> f64 {
        0.0
    }
}
