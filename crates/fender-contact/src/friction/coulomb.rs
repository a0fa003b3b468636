//! Coulomb friction, regularised.
//!
//! # Models
//! Dry sliding: a force against the slip, in proportion to the normal force and independent of the slip speed. Sticking
//! is replaced by creep slower than a chosen speed.
//!
//! # Equation
//! `f = −μ·f_n·φ(|v|/v_ε)·v/|v|` with `φ(r) = r(3 − r²)/2` below r = 1 and 1 above: magnitude and slope are continuous,
//! no transcendental function is needed, and below `v_ε` no square root either.
//!
//! # Parameters
//! - `coefficient` μ ≥ 0
//! - `v_eps`, `v_ε` above [m/s]: slip speed at which friction is fully developed
//!
//! # Valid when
//! Creep slower than `v_ε` does not matter over the time studied. For tangential forces F well below `μ·f_n` the creep
//! speed is about `2/3·v_ε·F/(μ·f_n)`, and always below `v_ε` while F is below `μ·f_n`.
//!
//! # Limits
//! No true stiction, no break-away peak, no Stribeck effect: a block on a slope creeps. The slope `3/2·μ·f_n/v_ε` is stiff
//! for small `v_ε` and wants an implicit treatment.
//!
//! # References
//! Coulomb 1785, Théorie des machines simples; Kikuuwe, Takesue, Sano, Mochiyama and Fujimoto 2005, IEEE/RSJ IROS, on
//! replacing the jump at zero slip by a steep curve, and its price.

use super::direction::Direction;
use crate::parameter::{ParameterError, not_negative, within};
use crate::{FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion};
use fender_math::{Mat3, Vec3};

/// Coulomb friction, regularised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    coefficient: f64,
    v_eps: f64,
    /// `1/v_ε` [s/m].
    inverse_v_eps: f64,
}

impl Coulomb {
    /// Slip speed of full friction, unless told otherwise [m/s].
    pub const DEFAULT_V_EPS: f64 = 1e-3;

    /// A law with the given coefficient and slip speed of full friction [m/s].
    pub fn new(coefficient: f64, v_eps: f64) -> Result<Self, ParameterError> {
        let coefficient = not_negative("friction coefficient", "zero or positive", coefficient)?;
        let accepted = v_eps >= 1e-9 && v_eps.is_finite();
        let v_eps = within(accepted, "v_eps", "a finite speed of at least 1e-9 m/s", v_eps)?;
        Ok(Self { coefficient, v_eps, inverse_v_eps: 1.0 / v_eps })
    }

    /// Coefficient of friction.
    pub fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// Slip speed of full friction [m/s].
    pub fn v_eps(&self) -> f64 {
        self.v_eps
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            Self::new(0.5, Self::DEFAULT_V_EPS)?,
            Self::new(1.2, 1e-2)?,
            Self::new(0.05, 1e-5)?,
            Self::new(0.0, Self::DEFAULT_V_EPS)?,
        ])
    }

    /// The law at an instant.
    #[inline]
    fn at(&self, normal_force: f64, slip: Vec3) -> Instant {
        let limit = self.coefficient * normal_force.max(0.0);
        let speed2 = slip.length_squared();
        let Direction { secant, curl } = Direction::new(speed2, self.inverse_v_eps);
        Instant { limit, secant, curl, speed2 }
    }
}

/// Friction at an instant: force = −limit·secant·slip.
struct Instant {
    /// `μ·f_n` [N].
    limit: f64,
    /// φ/|v| [s/m].
    secant: f64,
    /// −(1/|v|)·d(φ/|v|)/d|v| [s³/m³].
    curl: f64,
    /// |v|² [m²/s²].
    speed2: f64,
}

impl Instant {
    #[inline]
    fn force(&self, slip: Vec3) -> FrictionForce {
        let scale = self.limit * self.secant;
        FrictionForce { force: slip * -scale, dissipated: scale * self.speed2, ..FrictionForce::default() }
    }
}

impl FrictionLaw for Coulomb {
    fn name(&self) -> &'static str {
        "coulomb"
    }

    #[inline]
    fn rate(&self, normal_force: f64, _normal: Vec3, motion: &Motion, _memory: &Memory) -> FrictionForce {
        self.at(normal_force, motion.slip).force(motion.slip)
    }

    /// `by_slip` acts on the tangent plane only: a change of velocity along the normal changes nothing.
    #[inline]
    fn update(
        &self,
        normal_force: f64,
        normal: Vec3,
        motion: &Motion,
        memory: &Memory,
        _dt: f64,
    ) -> FrictionUpdate {
        let slip = motion.slip;
        let now = self.at(normal_force, slip);
        // −limit·(secant·(I − n nᵀ) − curl·v vᵀ), column by column.
        let (scale, along) = (-now.limit * now.secant, slip * (now.limit * now.curl));
        let across = normal * -scale;
        let by_slip = Mat3::from_cols(
            Vec3::new(scale, 0.0, 0.0) + across * normal.x + along * slip.x,
            Vec3::new(0.0, scale, 0.0) + across * normal.y + along * slip.y,
            Vec3::new(0.0, 0.0, scale) + across * normal.z + along * slip.z,
        );
        FrictionUpdate {
            force: now.force(slip),
            memory: *memory,
            by_slip,
            by_normal: slip * (-self.coefficient * now.secant),
        }
    }

    /// In closed form while sliding, and nearly so while creeping.
    #[inline]
    fn solve(
        &self,
        normal_force: f64,
        _normal: Vec3,
        free_slip: Vec3,
        response: f64,
        _memory: &Memory,
        _dt: f64,
    ) -> FrictionForce {
        let limit = self.coefficient * normal_force.max(0.0);
        let size2 = free_slip.length_squared();
        if size2 == 0.0 || limit == 0.0 {
            return FrictionForce::default();
        }
        let size = size2.sqrt();
        let direction = free_slip * (-limit / size);
        // In units of v_ε: r + p φ(r) = s.
        let (p, s) = (response * limit * self.inverse_v_eps, size * self.inverse_v_eps);
        if s >= 1.0 + p {
            let dissipated = limit * (s - p) * self.v_eps;
            return FrictionForce { force: direction, dissipated, ..FrictionForce::default() };
        }
        // Creep: a r − b r³ = u with a − b = 1, so that u = 1 at r = 1. A polynomial with the right ends and slope at
        // zero, then one step of Halley's method: within half a percent of the limit, and only four divisions.
        let inverse = 1.0 / (1.0 + p);
        let (u, b) = (s * inverse, 0.5 * p * inverse);
        let a = 1.0 + b;
        let start = 1.0 / a;
        let u3 = u * u * u;
        let r = u * start + (1.0 - start) * u3 * (0.4 + 0.6 * u3 * u3);
        let (value, slope, bend) = (r * (a - b * r * r) - u, a - 3.0 * b * r * r, -6.0 * b * r);
        let r = (r - 2.0 * value * slope / (2.0 * slope * slope - value * bend)).clamp(0.0, 1.0);
        let phi = r * (1.5 - 0.5 * r * r);
        FrictionForce {
            force: direction * phi,
            dissipated: limit * phi * r * self.v_eps,
            ..FrictionForce::default()
        }
    }

    #[inline]
    fn bound(&self, normal_force: f64, _slip_speed: f64) -> f64 {
        self.coefficient * normal_force.max(0.0)
    }

    #[inline]
    fn sticking_speed(&self) -> f64 {
        self.v_eps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn magnitude(law: &Coulomb, speed: f64) -> f64 {
        let motion = Motion { approach: 0.0, slip: Vec3::X * speed };
        -law.rate(10.0, Vec3::Z, &motion, &Memory::default()).force.x
    }

    #[test]
    fn rises_monotonically_to_the_coulomb_limit_without_a_kink() {
        let law = Coulomb::new(0.5, 1e-3).unwrap();
        let mut last = 0.0;
        for i in 1..=2000 {
            let force = magnitude(&law, f64::from(i) * 1e-6);
            assert!(force >= last * (1.0 - 1e-15) && force <= 5.0 * (1.0 + 1e-15));
            last = force;
        }
        assert!((magnitude(&law, 1e-3) - 5.0).abs() < 1e-14);
        assert!((magnitude(&law, 5e-4) - 5.0 * 0.6875).abs() < 1e-14);
        assert!((magnitude(&law, 30.0) - 5.0).abs() < 1e-14);
        // Slope on both sides of v_ε: zero in the limit.
        let below = (magnitude(&law, 1e-3) - magnitude(&law, 1e-3 - 1e-8)) / 1e-8;
        assert!(below.abs() < 5.0 * 1.5e-5 / 1e-3 * 1.1, "{below}");
    }

    #[test]
    fn the_force_of_a_step_is_the_law_at_the_slip_it_leaves() {
        let law = Coulomb::new(0.5, 1e-3).unwrap();
        for response in [1e-7, 1e-4, 1e-2, 3.0] {
            for speed in [1e-7, 3e-4, 9e-4, 1.2e-3, 0.1, 20.0] {
                let free = Vec3::new(0.6, 0.8, 0.0) * speed;
                let force = law.solve(10.0, Vec3::Z, free, response, &Memory::default(), 1e-3).force;
                let left = free + force * response;
                let motion = Motion { approach: 0.0, slip: left };
                let expected = law.rate(10.0, Vec3::Z, &motion, &Memory::default()).force;
                assert!((force - expected).length() < 5.0 * 5e-3, "{response} {speed}: {force} {expected}");
                assert!(left.dot(free) >= 0.0, "friction must not reverse the slip");
            }
        }
    }

    #[test]
    fn bad_parameters_are_errors_that_name_them() {
        let make = |mu: f64, v: f64| Coulomb::new(mu, v).unwrap_err().to_string();
        assert_eq!(make(-0.1, 1e-3), "friction coefficient must be zero or positive, got -0.1");
        assert_eq!(make(0.5, 0.0), "v_eps must be a finite speed of at least 1e-9 m/s, got 0");
        assert!(make(f64::NAN, 1e-3).contains("NaN"));
    }
}
