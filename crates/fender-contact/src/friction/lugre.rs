//! The LuGre model in its original form, for comparison.
//!
//! # Models
//! The mean deflection of bristles between two surfaces: pre-sliding displacement, Stribeck curve, frictional lag.
//!
//! # Equation
//! Per load, with the deflection z across the normal:
//!
//! ```text
//! g(v) = μ_C + (μ_S − μ_C) exp(−v²/v_S²)
//! ż    = v − σ₀ |v| z/g(v)
//! f    = −N (σ₀ z + σ₁ ż + σ₂ v)
//! ```
//!
//! With fixed bristles σ₀, σ₁, σ₂ do not grow with N, and g N stands for g. Stored energy: N σ₀ z²/2. A step takes z by
//! backward Euler. The vector form is the one that keeps the direction of steady sliding.
//!
//! # Parameters
//! As [`super::Bristle`], without dwell.
//!
//! # Valid when
//! As [`super::Bristle`]; slip speeds stay below μ_S²/(σ₁(μ_S − μ_C)), see below.
//!
//! # Limits
//! The time constant g/(σ₀|v|) of the bristles falls with the slip speed: stiff for explicit methods. There is no saturation: while z
//! moves, σ₁ż adds to the force, up to σ₁v after a jump of the slip. Not passive when μ_S > μ_C: bristles bent by stiction that are
//! suddenly carried faster than μ_S²/(σ₁(μ_S − μ_C)) give back more than they hold. Drift under small changing loads.
//!
//! # References
//! Canudas de Wit, Olsson, Åström and Lischinsky 1995, IEEE Trans. Automatic Control 40, 419–425; Barabanov and Ortega 2000,
//! IEEE Trans. Automatic Control 45, on its passivity.

use super::bristles::{Bristles, answer, check_coefficients, deflection, over_step};
use super::direction::{across, outer};
use crate::parameter::{ParameterError, positive};
use crate::{FLOW, FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion, Promises};
use fender_math::{Mat3, Vec3, float, root::bisect};

/// The LuGre model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGre {
    fixed: f64,
    sliding: f64,
    bristles: Bristles,
    stribeck_speed: f64,
}

impl LuGre {
    /// A law with the coefficients of static and sliding friction, the bristles and the Stribeck speed [m/s].
    pub fn new(
        fixed: f64,
        sliding: f64,
        bristles: Bristles,
        stribeck_speed: f64,
    ) -> Result<Self, ParameterError> {
        check_coefficients(fixed, sliding)?;
        positive(
            "friction coefficient",
            "positive: without friction there is nothing to bend bristles",
            sliding,
        )?;
        let stribeck_speed = positive("Stribeck speed", "a positive speed [m/s]", stribeck_speed)?;
        Ok(Self { fixed, sliding, bristles: bristles.check()?, stribeck_speed })
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            Self::new(0.15, 0.1, Bristles::per_load(1e4, 31.62, 0.04), 1e-3)?,
            Self::new(0.5, 0.5, Bristles::per_load(1e4, 60.0, 0.0), 1e-2)?,
            Self::new(0.15, 0.1, Bristles::fixed(1e5, 316.2, 0.4), 1e-3)?,
        ])
    }

    /// The law at the end of a step of `dt` that begins with the deflection `start`; an instant is a step of zero.
    #[inline]
    fn end(&self, load: f64, slip: Vec3, start: Vec3, dt: f64) -> End {
        let speed2 = slip.length_squared();
        let stick = float::exp(-speed2 / (self.stribeck_speed * self.stribeck_speed));
        let limit = load * (self.sliding + (self.fixed - self.sliding) * stick);
        let speed = speed2.sqrt();
        // Without load nothing is bent: what is left relaxes at once.
        let pull = if limit > 0.0 { self.bristles.stiffness * speed / limit } else { 0.0 };
        let z = if limit > 0.0 { (start + slip * dt) / (1.0 + dt * pull) } else { Vec3::ZERO };
        End { z, rate: slip - z * pull, stick, limit, speed, pull }
    }

    fn answer(&self, (load, factor): (f64, f64), slip: Vec3, end: &End) -> FrictionForce {
        let Bristles { stiffness, damping, .. } = self.bristles;
        if load == 0.0 {
            return FrictionForce::default();
        }
        let held = end.z * stiffness + end.rate * damping + slip * self.bristles.viscosity;
        answer(held * -factor, slip, end.z, end.rate, factor * stiffness)
    }
}

struct End {
    z: Vec3,
    /// ż [m/s].
    rate: Vec3,
    /// exp(−v²/v_S²).
    stick: f64,
    /// g·load.
    limit: f64,
    speed: f64,
    /// σ₀|v|/g [1/s].
    pull: f64,
}

impl FrictionLaw for LuGre {
    fn name(&self) -> &'static str {
        "lugre"
    }

    fn flows(&self) -> usize {
        3
    }

    fn flows_with_slip(&self) -> bool {
        true
    }

    /// Three quarters of the largest deflection.
    fn scales(&self, normal_force: f64) -> [f64; FLOW] {
        let deflection = 0.75 * self.fixed * self.bristles.split(normal_force).0 / self.bristles.stiffness;
        [deflection, deflection, deflection, 1.0, 1.0, 1.0]
    }

    fn rate(&self, normal_force: f64, normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce {
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        let end = self.end(load, motion.slip, deflection(memory, normal), 0.0);
        self.answer((load, factor), motion.slip, &end)
    }

    fn update(
        &self,
        normal_force: f64,
        normal: Vec3,
        motion: &Motion,
        memory: &Memory,
        dt: f64,
    ) -> FrictionUpdate {
        let Bristles { stiffness, damping, viscosity, per_load } = self.bristles;
        let slip = motion.slip;
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        let end = self.end(load, slip, deflection(memory, normal), dt);
        let force = self.answer((load, factor), slip, &end);
        if load == 0.0 {
            let (by_slip, by_normal) = (Mat3::ZERO, Vec3::ZERO);
            return FrictionUpdate { force, memory: *memory, by_slip, by_normal };
        }
        let mut after = *memory;
        after.flow[..3].copy_from_slice(&end.z.to_array());
        // pull = σ₀|v|/g: ∂pull/∂v = σ₀ v̂/g − pull·(∂g/∂v)/g.
        let along = slip / end.speed.max(f64::MIN_POSITIVE);
        let falling = load * (self.fixed - self.sliding) * end.stick * 2.0
            / (self.stribeck_speed * self.stribeck_speed);
        let pull_by_slip = along * (stiffness / end.limit) + slip * (end.pull * falling / end.limit);
        let relaxed = 1.0 / (1.0 + dt * end.pull);
        let z_by_slip = (Mat3::from_diagonal(Vec3::splat(dt)) - outer(end.z * dt, pull_by_slip)) * relaxed;
        let rate_by_slip = Mat3::IDENTITY - z_by_slip * end.pull - outer(end.z, pull_by_slip);
        let held_by_slip =
            z_by_slip * stiffness + rate_by_slip * damping + Mat3::from_diagonal(Vec3::splat(viscosity));
        // A higher load of fixed bristles lowers the pull in proportion.
        let z_by_load = end.z * (dt * end.pull / load * relaxed);
        let rate_by_load = end.z * (end.pull / load) - z_by_load * end.pull;
        let by_normal = if per_load {
            -(end.z * stiffness + end.rate * damping + slip * viscosity)
        } else {
            -(z_by_load * stiffness + rate_by_load * damping)
        };
        FrictionUpdate { force, memory: after, by_slip: held_by_slip * across(normal) * -factor, by_normal }
    }

    /// For a given speed the law is linear, b = A z₀ + B v, so that v = (free − r A z₀)/(1 + r B): one equation for the speed.
    fn solve(
        &self,
        normal_force: f64,
        normal: Vec3,
        free_slip: Vec3,
        response: f64,
        memory: &Memory,
        dt: f64,
    ) -> FrictionForce {
        let Bristles { stiffness, damping, viscosity, .. } = self.bristles;
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        if load == 0.0 {
            return FrictionForce::default();
        }
        let (start, r) = (deflection(memory, normal), response * factor);
        let slip_at = |speed: f64| {
            let pull = self.end(load, Vec3::X * speed, Vec3::ZERO, 0.0).pull;
            let relaxed = 1.0 / (1.0 + dt * pull);
            let (a, b) =
                ((stiffness - damping * pull) * relaxed, (stiffness * dt + damping) * relaxed + viscosity);
            (free_slip - start * (r * a)) / (1.0 + r * b)
        };
        let most = free_slip.length() + r * start.length() * (stiffness + damping / dt);
        let speed = bisect(0.0, most, 0.0, |x| x - slip_at(x).length()).unwrap_or(0.0);
        let slip = slip_at(speed);
        let end = self.end(load, slip, start, dt);
        let force = self.answer((load, factor), slip, &end);
        over_step(force, memory, (start, end.z), factor * stiffness, dt)
    }

    fn bound(&self, normal_force: f64, slip_speed: f64) -> f64 {
        let Bristles { damping, viscosity, .. } = self.bristles;
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        if load == 0.0 {
            return 0.0;
        }
        let jump = damping * (1.0 + self.fixed / self.sliding) + viscosity;
        factor * (self.fixed * load + jump * slip_speed)
    }

    fn sticking_speed(&self) -> f64 {
        self.stribeck_speed
    }

    fn promises(&self) -> Promises {
        let passive = if self.fixed > self.sliding {
            Err(
                "bristles bent by stiction give back more than they hold when they are suddenly carried faster than \
                 μ_S²/(σ₁(μ_S − μ_C))",
            )
        } else {
            Ok(())
        };
        Promises { passive, ..Promises::ALL }
    }
}
