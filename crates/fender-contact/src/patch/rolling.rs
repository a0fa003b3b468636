//! Rolling resistance that comes with the damping of a patch.
//!
//! # Models
//! A rolling body presses one half of the patch in and lets the other half out. What the normal law loses in both directions is a
//! torque against the rolling, without a parameter of its own.
//!
//! # Equation
//! `τ = −c·V·T·ω·σ` with the viscosity per volume c/V of the normal law, `T = ∫(ρ×n)(ρ×n)ᵀdV/V` and the relative angular
//! velocity ω (Gonthier 2007, eq. 4.67, with the plate's second moments J_t in place of J_v, which are exact for a Winkler
//! foundation). `σ = 1/√(1 + (|τ|/(f·r))²)` keeps the torque below what the load f can carry over the patch, r being the root of the
//! greatest eigenvalue of T; the thesis has no bound.
//!
//! # References
//! Gonthier 2007, doctoral thesis, University of Waterloo, section 4.2.3.

use super::Spread;
use fender_math::{Mat3, Vec3};

/// Rolling resistance of a patch under a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling {
    /// Torque per angular velocity before the bound [N·m·s].
    resistance: Mat3,
    /// Largest torque [N·m].
    bound: f64,
}

impl Rolling {
    /// From the velocity-dependent part of the normal force per approach speed [N·s/m], the spread of the patch and the
    /// normal force [N].
    #[inline]
    pub fn new(viscosity: f64, spread: &Spread, load: f64) -> Self {
        Self { resistance: spread.tilting * viscosity, bound: load.max(0.0) * spread.tilting_radius }
    }

    /// How much of the unbounded torque acts, between 0 and 1.
    #[inline]
    fn part(&self, torque: Vec3) -> f64 {
        let size = torque.length();
        if self.bound > 0.0 { 1.0 / (1.0 + (size / self.bound) * (size / self.bound)).sqrt() } else { 0.0 }
    }

    /// Torque on the first body [N·m] at a relative angular velocity [rad/s].
    #[inline]
    pub fn torque(&self, spin: Vec3) -> Vec3 {
        let torque = self.resistance * -spin;
        torque * self.part(torque)
    }

    /// Torque over a step when it acts back on the motion: at `free` + `response`·torque, where `response` is the step times the
    /// inverse inertia [rad/s per N·m].
    #[inline]
    pub fn solve(&self, free: Vec3, response: Mat3) -> Vec3 {
        let at = |resistance: Mat3| resistance * -((Mat3::IDENTITY + response * resistance).inverse() * free);
        let torque = at(self.resistance);
        at(self.resistance * self.part(torque))
    }

    /// ∂torque/∂(relative angular velocity) [N·m·s] at a relative angular velocity.
    #[inline]
    pub fn by_spin(&self, spin: Vec3) -> Mat3 {
        let torque = self.resistance * -spin;
        let part = self.part(torque);
        if part == 0.0 {
            return Mat3::ZERO;
        }
        // ∂(τσ)/∂ω = σ·∂τ − σ³·τ(τ·∂τ)/bound².
        let along = torque * (part * part / (self.bound * self.bound));
        let outer = Mat3::from_cols(along * torque.x, along * torque.y, along * torque.z);
        (Mat3::IDENTITY - outer) * self.resistance * -part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatchOverlap;

    /// A plate of 4 × 2 cm, pressed 1 mm deep.
    fn plate() -> Spread {
        let (a, b, h) = (0.04, 0.02, 1e-3);
        let volume = a * b * h;
        let patch = PatchOverlap {
            point: Vec3::ZERO,
            moment: 0.5 * h * volume,
            volume,
            push: Vec3::Z * volume,
            turn: Vec3::ZERO,
            section: Vec3::Z * (a * b),
            section_turn: Vec3::ZERO,
            second: Mat3::from_diagonal(Vec3::new(a * a, b * b, h * h) * (volume / 12.0)),
        };
        Spread::new(&patch, Vec3::Z)
    }

    #[test]
    fn the_spread_of_a_plate_is_that_of_its_sides() {
        let spread = plate();
        assert!((spread.gyration * spread.gyration - (16e-4 + 4e-4) / 12.0).abs() < 1e-18);
        assert!((spread.tilting_radius * spread.tilting_radius - 16e-4 / 12.0).abs() < 1e-18);
        // Turning about x presses along y.
        assert!((spread.tilting.x_axis.x - 4e-4 / 12.0).abs() < 1e-18);
    }

    #[test]
    fn the_torque_loses_energy_and_has_a_bound() {
        let spread = plate();
        let rolling = Rolling::new(2e3, &spread, 10.0);
        for size in [1e-4, 0.1, 3.0, 1e3] {
            let spin = Vec3::new(0.6, -0.8, 0.5) * size;
            let torque = rolling.torque(spin);
            assert!(torque.dot(spin) < 0.0 && torque.length() < 10.0 * spread.tilting_radius);
            assert!(torque.z.abs() < 1e-15 * torque.length(), "a spin rolls nothing");
            let step = size * 1e-5;
            for axis in Vec3::AXES {
                let by =
                    (rolling.torque(spin + axis * step) - rolling.torque(spin - axis * step)) / (2.0 * step);
                let error = (by - rolling.by_spin(spin) * axis).length();
                assert!(error < 1e-8 * rolling.by_spin(Vec3::ZERO).x_axis.length(), "{size}: {error}");
            }
        }
    }

    #[test]
    fn a_step_does_not_reverse_the_rolling() {
        let rolling = Rolling::new(1e6, &plate(), 1e3);
        let response = Mat3::from_diagonal(Vec3::new(10.0, 20.0, 30.0));
        let free = Vec3::new(0.3, -0.2, 0.0);
        let left = free + response * rolling.solve(free, response);
        assert!(left.x * free.x >= 0.0 && left.y * free.y >= 0.0 && left.length() < 0.5 * free.length());
    }
}
