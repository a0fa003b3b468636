//! Bristle friction with stiction, Stribeck transition and dwell (Gonthier's seven parameters).
//!
//! # Models
//! Dry or lubricated surfaces that stick: asperities bend like bristles before they let go. Pre-sliding displacement, a
//! break-away force above that of sliding which grows with the time at rest, the fall of friction with speed, and a viscous part.
//! One law in three dimensions: a contact cannot stick in one direction and slide in another.
//!
//! # Equation
//! Per load, with the deflection z across the normal (3.28 to 3.42):
//!
//! ```text
//! s     = exp(−v²/v_S²)                                     how much sticks
//! ż     = s v + (1 − s) (μ_C dir(v) − σ₀ z)/σ₁              follows the slip, or relaxes to sliding
//! b     = σ₀ z + σ₁ ż = s (σ₀ z + σ₁ v) + (1 − s) μ_C dir(v)
//! μ_max = μ_C + (μ_S − μ_C) s_dw
//! if |b| > μ_max:  b ← μ_max b/|b|,  ż = (b − σ₀ z)/σ₁
//! ṡ_dw  = (s − s_dw)/τ_dw  while s ≥ s_dw, else (s − s_dw)/τ_br,   τ_br = σ₁/σ₀
//! f     = −N (b + σ₂ v)
//! ```
//!
//! With fixed bristles σ₀, σ₁, σ₂ do not grow with N, and μ_C N, μ_max N stand for the coefficients. `dir` is the direction
//! of v, smooth below `v_ε`. Stored energy: N σ₀ z²/2. A step of length dt takes z and s_dw by backward Euler with the s
//! of its end.
//!
//! # Parameters
//! - `fixed` μ_S ≥ `sliding` μ_C ≥ 0; equal ones switch the break-away peak and stick–slip off
//! - [`Bristles`]: σ₀, σ₁, σ₂, per load or fixed
//! - `stribeck_speed` v_S [m/s]: slip speed at which 37 % still stick
//! - `dwell_time` τ_dw [s] in which stiction builds up; 0 switches the memory of rest off: s_dw = s
//! - `v_eps` [m/s], numerical: at most v_S/10
//!
//! # Valid when
//! Creep and micro-slip within the patch do not matter; the load changes slowly against τ_br.
//!
//! # Limits
//! At constant load the law creates no energy if `v_S ≥ μ_C N/(2σ₁)` (N = 1 per load). Derivation: the power lost is
//! `s σ₁v² + (1 − s)(y² − μ_C φ y + μ_C φ σ₁ v)/σ₁` with y = σ₀z along the slip, which is least for y = μ_C φ/2; with
//! κ = μ_C/(2σ₁v_S) and x = v/v_S it is not negative if (exp(x²) − 1)(κ² − 2κx) ≤ x², which holds for all x exactly when
//! κ ≤ 1. The saturated branch never creates any. The set published with v_S = 1 mm/s has κ = 1.6 and does. With bristles per
//! load, a load that changes while they are bent does work on them, up to μ_S²ΔN/(2σ₀) per cycle: it has its own line
//! in the energy account. At creep speeds well below v_S the deflection winds up and the force lags behind a reversal.
//!
//! # References
//! Gonthier, McPhee, Lange and Piedbœuf 2004, Multibody System Dynamics 11, 209–233; Gonthier 2007, doctoral thesis, University
//! of Waterloo, section 3.2.2.

use super::bristles::{Bristles, answer, check_coefficients, deflection, over_step, passive_stribeck_speed};
use super::direction::{Direction, across, creep, outer};
use crate::parameter::{ParameterError, not_negative, positive, within};
use crate::{DWELL, FLOW, FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion, Promises};
use fender_math::{Mat3, Vec3, float};

/// Bristle friction with stiction, Stribeck transition and dwell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    fixed: f64,
    sliding: f64,
    bristles: Bristles,
    stribeck_speed: f64,
    dwell_time: f64,
    v_eps: f64,
}

/// How exactly the stick function of a step is found, as a part of the largest force.
const STICK_TOLERANCE: f64 = 1e-3;

impl Bristle {
    /// A law with the coefficients of static and sliding friction, the bristles, the Stribeck speed [m/s], the dwell time
    /// [s] (0: none) and the speed below which directions are smoothed [m/s].
    pub fn new(
        fixed: f64,
        sliding: f64,
        bristles: Bristles,
        stribeck_speed: f64,
        dwell_time: f64,
        v_eps: f64,
    ) -> Result<Self, ParameterError> {
        check_coefficients(fixed, sliding)?;
        let bristles = bristles.check()?;
        let stribeck_speed = positive("Stribeck speed", "a positive speed [m/s]", stribeck_speed)?;
        let dwell_time = not_negative("dwell time", "zero or positive [s]", dwell_time)?;
        let fits = v_eps >= 1e-9 && v_eps <= 0.5 * stribeck_speed;
        within(fits, "tolerance speed", "at least 1e-9 m/s and at most half of the Stribeck speed", v_eps)?;
        Ok(Self { fixed, sliding, bristles, stribeck_speed, dwell_time, v_eps })
    }

    /// Coefficient of static friction μ_S.
    pub fn fixed(&self) -> f64 {
        self.fixed
    }

    /// Coefficient of sliding friction μ_C.
    pub fn sliding(&self) -> f64 {
        self.sliding
    }

    /// The bristles.
    pub fn bristles(&self) -> Bristles {
        self.bristles
    }

    /// Stribeck speed [m/s].
    pub fn stribeck_speed(&self) -> f64 {
        self.stribeck_speed
    }

    /// Dwell time [s]; 0 for none.
    pub fn dwell_time(&self) -> f64 {
        self.dwell_time
    }

    /// Speed below which directions are smoothed [m/s].
    pub fn v_eps(&self) -> f64 {
        self.v_eps
    }

    /// Largest load [N] up to which the law creates no energy; infinite or 0 when the bristles are per load.
    pub fn passive_load(&self) -> f64 {
        if self.sliding == 0.0 {
            return f64::INFINITY;
        }
        let most = self.stribeck_speed / passive_stribeck_speed(self.sliding, self.bristles.damping, 1.0);
        match self.bristles.per_load {
            false => most,
            true if most >= 1.0 => f64::INFINITY,
            true => 0.0,
        }
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            // Ball and double pendulum of Gonthier 2007, tables 5.2 and 5.3.
            Self::new(0.45, 0.4, Bristles::per_load(1e5, 1e4, 0.0), 0.1, 0.01, 1e-3)?,
            Self::new(0.15, 0.12, Bristles::per_load(1e5, 1e5_f64.sqrt(), 0.0), 0.1, 0.75, 1e-3)?,
            // Without dwell, without a peak, with viscosity.
            Self::new(0.8, 0.5, Bristles::per_load(1e4, 60.0, 0.2), 5e-3, 0.0, 5e-5)?,
            Self::new(0.3, 0.3, Bristles::per_load(3e3, 35.0, 0.0), 1e-2, 1.0, 1e-4)?,
            // Not passive near the Stribeck speed: the classic set.
            Self::new(0.15, 0.1, Bristles::per_load(1e4, 31.62, 0.04), 1e-3, 2.0, 1e-5)?,
            // Robot experiment, table 5.4, and the tether's set.
            Self::new(0.16, 0.1, Bristles::fixed(1e5, 1e4, 0.0), 0.1, 0.01, 1e-3)?,
            Self::new(0.15, 0.1, Bristles::fixed(1e5, 316.2, 0.1), 1e-3, 2.0, 1e-5)?,
        ])
    }

    /// How much sticks at a slip with the square `speed2`.
    #[inline]
    fn stick(&self, speed2: f64) -> f64 {
        float::exp(-speed2 / (self.stribeck_speed * self.stribeck_speed))
    }

    /// Dwell state at the end of a step, and how much of a change in s it takes up.
    #[inline]
    fn dwell(&self, s: f64, before: f64, dt: f64) -> (f64, f64) {
        if self.dwell_time == 0.0 {
            return (s, 1.0);
        }
        let ratio = dt / self.dwell_rate(s, before);
        ((before + ratio * s) / (1.0 + ratio), ratio / (1.0 + ratio))
    }

    /// Time constant of the dwell state [s].
    #[inline]
    fn dwell_rate(&self, s: f64, before: f64) -> f64 {
        if s >= before { self.dwell_time } else { self.bristles.time() }
    }

    /// The law at the end of a step of `dt`, for the stick function `s`; an instant is a step of zero.
    #[inline]
    fn end(&self, load: f64, s: f64, slip: Vec3, direction: Vec3, start: &Start, dt: f64) -> End {
        let Bristles { stiffness, damping, .. } = self.bristles;
        let limit_of_sliding = self.sliding * load;
        let relaxing = dt / self.bristles.time();
        let sliding_rate = direction * (limit_of_sliding / damping);
        let free_z = (start.z + (slip * s + sliding_rate * (1.0 - s)) * dt) / (1.0 + (1.0 - s) * relaxing);
        let free = (free_z * stiffness + slip * damping) * s + direction * ((1.0 - s) * limit_of_sliding);
        let (dwell, dwell_change) = self.dwell(s, start.dwell, dt);
        let most = self.sliding + (self.fixed - self.sliding) * dwell;
        let limit = load * most;
        let size = free.length();
        let saturated = size > limit || limit == 0.0;
        let (mut held, mut z) = (free, free_z);
        if saturated {
            held = free.normalize_or_zero() * limit;
            z = (start.z + held * (dt / damping)) / (1.0 + relaxing);
        }
        let rate = (held - z * stiffness) / damping;
        End { z, rate, dwell, dwell_change, free_z, free, held, most, limit, saturated }
    }

    /// The end of a step at a slip.
    #[inline]
    fn at(&self, load: f64, slip: Vec3, start: &Start, dt: f64) -> (f64, Direction, End) {
        let speed2 = slip.length_squared();
        let (s, direction) = (self.stick(speed2), Direction::new(speed2, 1.0 / self.v_eps));
        let end = self.end(load, s, slip, slip * direction.secant, start, dt);
        (s, direction, end)
    }

    /// Answer of the law.
    #[inline]
    fn answer(
        &self,
        (load, factor): (f64, f64),
        slip: Vec3,
        s: f64,
        start: &Start,
        end: &End,
    ) -> FrictionForce {
        let (stiffness, viscosity) = (self.bristles.stiffness, self.bristles.viscosity_under(load));
        let force = (end.held + slip * viscosity) * -factor;
        let mut answer = answer(force, slip, end.z, end.rate, factor * stiffness);
        if self.dwell_time > 0.0 {
            answer.flow[DWELL] = (s - end.dwell) / self.dwell_rate(s, start.dwell);
        }
        answer
    }

    /// Slip at the end of a step for a given stick function: v + r (b(v) + σ₂ v) = free.
    fn slip_for(&self, load: f64, s: f64, step: &Free, start: &Start) -> Vec3 {
        let Bristles { stiffness, damping, viscosity, .. } = self.bristles;
        let limit_of_sliding = self.sliding * load;
        // b = γ z₀ + α v + β dir(v), so that v is along free − r γ z₀.
        let share = s / (1.0 + (1.0 - s) * step.dt / self.bristles.time());
        let gamma = share * stiffness;
        let alpha = s * damping + share * s * stiffness * step.dt;
        let beta = (1.0 - s) * limit_of_sliding * (1.0 + share * stiffness * step.dt / damping);
        let w = step.slip - start.z * (step.response * gamma);
        let size = w.length();
        if size == 0.0 {
            return Vec3::ZERO;
        }
        let a = 1.0 + step.response * (alpha + viscosity);
        let slip = w * (creep(a, step.response * beta, size, self.v_eps) / size);
        let bristles = |slip: Vec3| {
            let direction = Direction::new(slip.length_squared(), 1.0 / self.v_eps);
            let end = self.end(load, s, slip, slip * direction.secant, start, step.dt);
            (direction, end)
        };
        let (_, end) = bristles(slip);
        if !end.saturated {
            return slip;
        }
        // Saturated: Newton on v (1 + r σ₂) + r·sat(b(v)) = free, with the same b.
        let a = 1.0 + step.response * viscosity;
        let left = |slip: Vec3, end: &End| slip * a + end.held * step.response - step.slip;
        let mut slip = (step.slip - end.held * step.response) / a;
        let (mut direction, mut end) = bristles(slip);
        let mut residual = left(slip, &end);
        for _ in 0..12 {
            if residual.length_squared() <= 1e-12 * (step.response * end.limit) * (step.response * end.limit)
            {
                break;
            }
            let by_slip = Mat3::from_diagonal(Vec3::splat(alpha)) + direction.by_slip(slip) * beta;
            let tangent = Mat3::from_diagonal(Vec3::splat(a)) + end.saturate(by_slip) * step.response;
            let change = tangent.inverse() * -residual;
            let mut part = 1.0;
            loop {
                let there = slip + change * part;
                let (d, e) = bristles(there);
                let r = left(there, &e);
                if r.length_squared() < residual.length_squared() || part < 1e-2 {
                    (slip, direction, end, residual) = (there, d, e, r);
                    break;
                }
                part *= 0.5;
            }
        }
        slip
    }

    /// Slip at the end of a step, with the stick function that goes with it: the stuck end where there is one.
    fn end_slip(&self, load: f64, step: &Free, start: &Start) -> (f64, Vec3) {
        let next = |s: f64| {
            let slip = self.slip_for(load, s, step, start);
            (self.stick(slip.length_squared()), slip)
        };
        // What an error in s does to b, against the least that b is held with.
        let enough = |error: f64, slip: Vec3| {
            let Bristles { stiffness, damping, .. } = self.bristles;
            let lever = slip.length() * damping + start.z.length() * stiffness + self.sliding * load;
            error.abs() * lever * (1.0 + step.dt / self.bristles.time())
                <= STICK_TOLERANCE * self.fixed * load
        };
        for from in [1.0, 0.0] {
            let (mut s, mut tries) = (from, 0);
            loop {
                let (there, slip) = next(s);
                if enough(there - s, slip) {
                    return (s, slip);
                }
                // Two looks at each end: elsewhere the end of the step is between sticking and sliding.
                if tries == 2 {
                    break;
                }
                (s, tries) = (there, tries + 1);
            }
        }
        // s(v(s)) − s goes from above zero at 0 to below zero at 1.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let (there, slip) = next(middle);
            if enough(there - middle, slip) {
                return (middle, slip);
            }
            if there > middle { low = middle } else { high = middle }
        }
        (low, next(low).1)
    }
}

/// What a step begins with.
struct Start {
    /// Deflection across the normal [m].
    z: Vec3,
    /// Dwell state.
    dwell: f64,
}

impl Start {
    #[inline]
    fn of(memory: &Memory, normal: Vec3) -> Self {
        Self { z: deflection(memory, normal), dwell: memory.flow[DWELL] }
    }
}

/// A step without friction.
struct Free {
    /// Slip that there would be [m/s].
    slip: Vec3,
    /// Effect of a unit of b on the slip [m/s].
    response: f64,
    dt: f64,
}

/// What a step ends with, per load or in newtons.
struct End {
    z: Vec3,
    /// ż [m/s].
    rate: Vec3,
    dwell: f64,
    /// ∂dwell/∂s.
    dwell_change: f64,
    /// Deflection before saturation [m].
    free_z: Vec3,
    /// b before saturation.
    free: Vec3,
    /// b after it.
    held: Vec3,
    /// μ_max.
    most: f64,
    /// |b| at most.
    limit: f64,
    saturated: bool,
}

impl End {
    /// Saturated b over b; 0 where there is none, as only without load that counts as saturated.
    #[inline]
    fn shrink(&self) -> f64 {
        let size = self.free.length();
        if size > 0.0 { self.limit / size } else { 0.0 }
    }

    /// What saturation leaves of a change of b, at a constant limit.
    #[inline]
    fn saturate(&self, change: Mat3) -> Mat3 {
        if !self.saturated {
            return change;
        }
        across(self.free.normalize_or_zero()) * change * self.shrink()
    }
}

impl FrictionLaw for Bristle {
    fn name(&self) -> &'static str {
        "bristle"
    }

    fn flows(&self) -> usize {
        if self.dwell_time > 0.0 { 4 } else { 3 }
    }

    fn scales(&self, normal_force: f64) -> [f64; FLOW] {
        let deflection = self.fixed.max(1e-3) * self.bristles.split(normal_force).0 / self.bristles.stiffness;
        [deflection, deflection, deflection, 1.0, 1.0, 1.0]
    }

    fn rate(&self, normal_force: f64, normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce {
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        let start = Start::of(memory, normal);
        let (s, _, end) = self.at(load, motion.slip, &start, 0.0);
        self.answer((load, factor), motion.slip, s, &start, &end)
    }

    fn update(
        &self,
        normal_force: f64,
        normal: Vec3,
        motion: &Motion,
        memory: &Memory,
        dt: f64,
    ) -> FrictionUpdate {
        let Bristles { stiffness, damping, per_load, .. } = self.bristles;
        let slip = motion.slip;
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        let viscosity = self.bristles.viscosity_under(load);
        let start = Start::of(memory, normal);
        let (s, direction, end) = self.at(load, slip, &start, dt);
        let mut after = *memory;
        after.flow[..3].copy_from_slice(&end.z.to_array());
        if self.dwell_time > 0.0 {
            after.flow[DWELL] = end.dwell;
        }
        // Derivatives of b before saturation.
        let unit = slip * direction.secant;
        let limit_of_sliding = self.sliding * load;
        let s_by_slip = slip * (-2.0 * s / (self.stribeck_speed * self.stribeck_speed));
        let turning = direction.by_slip(slip);
        let relaxed = 1.0 + (1.0 - s) * dt / self.bristles.time();
        let z_by_slip = (Mat3::from_diagonal(Vec3::splat(s * dt))
            + turning * ((1.0 - s) * limit_of_sliding / damping * dt)
            + outer(
                (slip - unit * (limit_of_sliding / damping) + end.free_z / self.bristles.time()) * dt,
                s_by_slip,
            ))
            * (1.0 / relaxed);
        let free_by_slip = z_by_slip * (s * stiffness)
            + Mat3::from_diagonal(Vec3::splat(s * damping))
            + outer(end.free_z * stiffness + slip * damping - unit * limit_of_sliding, s_by_slip)
            + turning * ((1.0 - s) * limit_of_sliding);
        let mut held_by_slip = end.saturate(free_by_slip);
        let mut held_by_load =
            unit * ((1.0 - s) * self.sliding * (1.0 + s * stiffness * dt / damping / relaxed));
        if end.saturated {
            let along = end.free.normalize_or_zero();
            let limit_by_s = load * (self.fixed - self.sliding) * end.dwell_change;
            held_by_slip += outer(along * limit_by_s, s_by_slip);
            held_by_load = across(along) * held_by_load * end.shrink() + along * end.most;
        }
        let tangential = across(normal);
        let by_slip = (held_by_slip + Mat3::from_diagonal(Vec3::splat(viscosity))) * tangential * -factor;
        let by_normal = if per_load { -(end.held + slip * viscosity) } else { -held_by_load };
        let force = self.answer((load, factor), slip, s, &start, &end);
        FrictionUpdate { force, memory: after, by_slip, by_normal }
    }

    fn solve(
        &self,
        normal_force: f64,
        normal: Vec3,
        free_slip: Vec3,
        response: f64,
        memory: &Memory,
        dt: f64,
    ) -> FrictionForce {
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        let start = Start::of(memory, normal);
        let step = Free { slip: free_slip, response: response * factor, dt };
        let (s, slip) = if normal_force > 0.0 {
            self.end_slip(load, &step, &start)
        } else {
            (self.stick(free_slip.length_squared()), free_slip)
        };
        let direction = Direction::new(slip.length_squared(), 1.0 / self.v_eps);
        let end = self.end(load, s, slip, slip * direction.secant, &start, dt);
        let force = self.answer((load, factor), slip, s, &start, &end);
        let stiffness = factor * self.bristles.stiffness;
        let mut force = over_step(force, memory, (start.z, end.z), stiffness, dt);
        if self.dwell_time > 0.0 {
            force.flow[DWELL] = (end.dwell - start.dwell) / dt;
        }
        force
    }

    fn bound(&self, normal_force: f64, slip_speed: f64) -> f64 {
        let (load, factor) = self.bristles.split(normal_force.max(0.0));
        factor * (self.fixed * load + self.bristles.viscosity * slip_speed)
    }

    fn sticking_speed(&self) -> f64 {
        self.stribeck_speed
    }

    fn promises(&self) -> Promises {
        let passive = if self.passive_load() == f64::INFINITY {
            Ok(())
        } else {
            Err(
                "the Stribeck speed is below μ_C·N/(2σ₁): near it, relaxing bristles give back more than was put in",
            )
        };
        Promises { passive, ..Promises::ALL }
    }
}
