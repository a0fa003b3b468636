//! Rolling resistance that comes with the damping of a patch.
//!
//! # Models
//! A rolling body presses one half of the patch in and lets the other half out. What the normal law loses in both directions is a
//! torque against the rolling, without a parameter of its own.
//!
//! # Equation
//! `τ = −c·T·ω·σ` with the viscosity c of the normal law, `T = ∫(ρ×n)(ρ×n)ᵀdV/V` and the relative angular velocity ω (Gonthier 2007,
//! eq. 4.67, with the plate's second moments J_t in place of J_v, which are exact for a Winkler foundation).
//! `σ = 1/√(1 + (c·w/f)²)` with the speed `w = √(ωᵀTω)` at which rolling closes the patch in the mean keeps the torque below what the
//! load f can carry in each direction of the patch; the thesis has no bound. The torque is the slope of a convex potential.
//!
//! # References
//! Gonthier 2007, doctoral thesis, University of Waterloo, section 4.2.3.

use super::Spread;
use fender_math::{Mat3, Vec3};

/// Newton steps for the rolling of a step at most.
const MAX_NEWTON: usize = 30;
/// Part of the free angular velocity to which it is found.
const ENOUGH: f64 = 1e-9;

/// Rolling resistance of a patch under a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling {
    /// Torque per angular velocity before the bound [N·m·s].
    resistance: Mat3,
    /// Viscosity over the square of the load [s/(N·m)].
    bound: f64,
}

impl Rolling {
    /// From the velocity-dependent part of the normal force per approach speed [N·s/m], the spread of the patch and the
    /// normal force [N].
    #[inline]
    pub fn new(viscosity: f64, spread: &Spread, load: f64) -> Self {
        let bound = viscosity / (load * load);
        // Without a load there is nothing to lose.
        let viscosity = if load > 0.0 && bound.is_finite() { viscosity } else { 0.0 };
        Self { resistance: spread.tilting * viscosity, bound: if viscosity > 0.0 { bound } else { 0.0 } }
    }

    /// Torque before the bound, and how much of it acts, between 0 and 1.
    #[inline]
    fn unbounded(&self, spin: Vec3) -> (Vec3, f64) {
        let torque = self.resistance * -spin;
        // (c·w/f)² = c/f²·(ωᵀ c T ω).
        (torque, 1.0 / (1.0 - self.bound * spin.dot(torque)).sqrt())
    }

    /// Torque on the first body [N·m] at a relative angular velocity [rad/s].
    #[inline]
    pub fn torque(&self, spin: Vec3) -> Vec3 {
        let (torque, part) = self.unbounded(spin);
        torque * part
    }

    /// Torque over a step when it acts back on the motion, at the angular velocity `free` + `response`·torque, where `response` is the
    /// step times the inverse inertia [rad/s per N·m].
    pub fn solve(&self, free: Vec3, response: Mat3) -> Vec3 {
        let left = |spin: Vec3| spin - free - response * self.torque(spin);
        let mut spin = free;
        let mut residual = left(spin);
        for _ in 0..MAX_NEWTON {
            if residual.length_squared() <= ENOUGH * ENOUGH * free.length_squared() {
                break;
            }
            let change = (Mat3::IDENTITY - response * self.by_spin(spin)).inverse() * -residual;
            let mut part = 1.0;
            let mut next = left(spin + change);
            while next.length_squared() >= residual.length_squared() && part > 1e-3 {
                part *= 0.5;
                next = left(spin + change * part);
            }
            if next.length_squared() >= residual.length_squared() {
                break;
            }
            (spin, residual) = (spin + change * part, next);
        }
        self.torque(spin)
    }

    /// ∂torque/∂(relative angular velocity) [N·m·s] at a relative angular velocity.
    #[inline]
    pub fn by_spin(&self, spin: Vec3) -> Mat3 {
        let (torque, part) = self.unbounded(spin);
        // ∂(−Kω·σ) = −σ·K + σ³·(bound)·(Kω)(Kω)ᵀ.
        let along = torque * (self.bound * part * part * part);
        let outer = Mat3::from_cols(along * torque.x, along * torque.y, along * torque.z);
        outer - self.resistance * part
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
            assert!(torque.dot(spin) < 0.0 && torque.length() < 10.0 * 0.04 / 12.0_f64.sqrt());
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
    fn a_long_patch_that_rolls_across_has_the_bound_of_its_width() {
        let rolling = Rolling::new(1e9, &plate(), 10.0);
        // Turning about x presses along y, where the plate has 2 cm.
        assert!((rolling.torque(Vec3::X).length() / (10.0 * 0.02 / 12.0_f64.sqrt()) - 1.0).abs() < 1e-6);
        // A step that is long against the damping stops no more than the bound allows.
        let response = Mat3::IDENTITY * 0.1;
        let torque = rolling.solve(Vec3::X * 3.0, response);
        assert!((torque.length() / (10.0 * 0.02 / 12.0_f64.sqrt()) - 1.0).abs() < 1e-6);
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
