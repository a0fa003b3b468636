//! Friction with a stiction point that is dragged along (Luaces).
//!
//! # Models
//! Coulomb and viscous friction while sliding; a spring and damper to the place where the contact stuck while sticking. Made for
//! fixed steps of real-time simulators: the few parameters follow from the step and the mass.
//!
//! # Equation
//! With d from the stiction point to the contact and κ = exp(−v²/v_s²) (3.6 to 3.15):
//!
//! ```text
//! f       = κ f_stick − (1 − κ) μ_C N v/|v| − c_v v
//! f_stick = −(k |d| + c d·v/|d|) d/|d|,  at most μ_S N
//! ḋ       = v;  when f_stick is at its limit, d → η μ_S N/k v/|v| within the time c/k
//! ```
//!
//! The source moves the stiction point at once, at the end of the step in which the limit was passed; here it is dragged
//! within c/k, so that the law does not depend on the step (with the rules below c/k is 2N steps). At d = 0 the damper acts along the slip.
//! Stored energy: k d²/2. A step takes d by backward Euler.
//!
//! # Parameters
//! - `fixed` μ_S ≥ `sliding` μ_C ≥ 0
//! - `stiffness` k [N/m], `damping` c [N·s/m], `viscosity` c_v [N·s/m]
//! - `transition_speed` v_s [m/s]
//! - `drag` η in (0, 1]: how far behind the contact the stiction point is dragged
//!
//! [`LuacesRule`] makes them from the number of steps in which a mass is to be stopped.
//!
//! # Valid when
//! The contact carries about the mass that the parameters were made for.
//!
//! # Limits
//! No dwell. Not passive: while κ falls from 1 to 0, the spring has been loaded in full but gives back κ of its force only in part; the
//! difference can have either sign. Sticking is damped along d only.
//!
//! # References
//! Luaces Fernández 2013, doctoral thesis, Universidade da Coruña, sections 3.2 and 3.3. The tangents printed there (3.16 to
//! 3.22) leave out ∂(ḋ)/∂d and all of the saturated branch, and print s for κ in one place; these here are complete.

use super::bristles::{answer, check_coefficients, deflection};
use super::direction::{across, outer};
use crate::law::newton;
use crate::parameter::{ParameterError, not_negative, positive, within};
use crate::{FLOW, FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion, Promises};
use fender_math::{Mat3, Vec3, float, root::bisect};

/// Rounds for the direction of d in a step at most.
const MAX_ROUNDS: usize = 6;

/// Friction with a stiction point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luaces {
    fixed: f64,
    sliding: f64,
    stiffness: f64,
    damping: f64,
    viscosity: f64,
    transition_speed: f64,
    drag: f64,
}

/// Numbers for [`Luaces`] from a step and a mass (section 3.3.1): stuck, the mass stops within `steps` of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuacesRule {
    /// Steps in which the mass is stopped; 5 in the source, fewer cause trouble.
    pub steps: f64,
    /// Step [s].
    pub step: f64,
    /// Mass that one contact carries [kg].
    pub mass: f64,
    /// Gravity, or another acceleration that presses it down [m/s²].
    pub gravity: f64,
}

impl LuacesRule {
    /// v_s = N μ g h [m/s].
    pub fn transition_speed(&self, coefficient: f64) -> f64 {
        self.steps * coefficient * self.gravity * self.step
    }

    /// k = m/(N h)² [N/m].
    pub fn stiffness(&self) -> f64 {
        let time = self.steps * self.step;
        self.mass / (time * time)
    }

    /// c = 2√(k m) [N·s/m].
    pub fn damping(&self) -> f64 {
        2.0 * (self.stiffness() * self.mass).sqrt()
    }
}

impl Luaces {
    /// A law with the coefficients of static and sliding friction, stiffness [N/m], damping [N·s/m], viscosity [N·s/m],
    /// transition speed [m/s] and drag in (0, 1].
    pub fn new(
        (fixed, sliding): (f64, f64),
        stiffness: f64,
        damping: f64,
        viscosity: f64,
        transition_speed: f64,
        drag: f64,
    ) -> Result<Self, ParameterError> {
        check_coefficients(fixed, sliding)?;
        let stiffness = positive("stiffness", "a positive stiffness [N/m]", stiffness)?;
        let damping = positive("damping", "positive [N·s/m]", damping)?;
        let viscosity = not_negative("viscosity", "zero or positive [N·s/m]", viscosity)?;
        let transition_speed = positive("transition speed", "a positive speed [m/s]", transition_speed)?;
        let drag = within(drag > 0.0 && drag <= 1.0, "drag", "above 0 and at most 1", drag)?;
        Ok(Self { fixed, sliding, stiffness, damping, viscosity, transition_speed, drag })
    }

    /// Samples for the contract test.
    pub(super) fn samples() -> Result<Vec<Self>, ParameterError> {
        Ok(vec![
            Self::new((0.02, 0.02), 400.0, 40.0, 0.0, 9.81e-3, 1.0)?,
            Self::new((0.15, 0.1), 1e5, 316.2, 0.1, 1e-3, 1.0)?,
            Self::new((0.8, 0.5), 1e6, 3e3, 0.0, 1e-2, 0.9)?,
        ])
    }

    /// κ at a slip with the square `speed2`.
    #[inline]
    fn stick(&self, speed2: f64) -> f64 {
        float::exp(-speed2 / (self.transition_speed * self.transition_speed))
    }

    /// The law at the end of a step of `dt`; an instant is a step of zero.
    fn end(&self, load: f64, slip: Vec3, start: Vec3, dt: f64) -> End {
        let d = start + slip * dt;
        let size = d.length();
        let along = if size > 0.0 { d / size } else { slip.normalize_or_zero() };
        let pull = self.stiffness * size + self.damping * along.dot(slip);
        let limit = self.fixed * load;
        let saturated = pull.abs() > limit || limit == 0.0;
        let held = if saturated { limit.copysign(pull) } else { pull };
        let (mut z, mut rate) = (d, slip);
        if saturated {
            let behind = if slip == Vec3::ZERO { along } else { slip.normalize_or_zero() };
            let target = behind * (self.drag * limit / self.stiffness);
            let part = dt * self.stiffness / self.damping;
            z = (start + target * part) / (1.0 + part);
            rate = (target - z) * (self.stiffness / self.damping);
        }
        let stick = self.stick(slip.length_squared());
        End { z, rate, along, size, held, saturated, stick }
    }

    /// Slip at the end of a step of `dt`, nearly: for a given slip speed and direction of d the law is linear but for its limit, so
    /// that the slip follows; one equation for the speed, and a few rounds for the direction.
    fn end_slip(&self, load: f64, start: Vec3, (free_slip, response): (Vec3, f64), dt: f64) -> Vec3 {
        let viscosity = if load > 0.0 { self.viscosity } else { 0.0 };
        let (limit, sliding) = (self.fixed * load, self.sliding * load);
        let mut slip = free_slip;
        for _ in 0..MAX_ROUNDS {
            let along = (start + slip * dt).try_normalize().unwrap_or_else(|| slip.normalize_or_zero());
            let slip_at = |speed: f64| {
                let stick = self.stick(speed * speed);
                // (1 − κ)/|v| → |v|/v_s² near rest.
                let falling = if speed > 0.0 { (1.0 - stick) / speed } else { 0.0 };
                let a = 1.0 + response * (viscosity + falling * sliding);
                let free = free_slip.dot(along);
                let across = (free_slip - along * free) / a;
                // a u + r κ (k (d₀ + dt u) + c u) = free, with the bracket within its limit.
                let gain = response * stick;
                let (still, per_speed) =
                    (self.stiffness * start.dot(along), self.stiffness * dt + self.damping);
                let inside = (free - gain * still) / (a + gain * per_speed);
                let pull = (still + per_speed * inside).clamp(-limit, limit);
                across + along * ((free - gain * pull) / a)
            };
            let most = free_slip.length() + response * limit;
            let speed = bisect(0.0, most, 0.0, |x| x - slip_at(x).length()).unwrap_or(0.0);
            let before = slip;
            slip = slip_at(speed);
            if (slip - before).length() <= 1e-6 * most {
                break;
            }
        }
        slip
    }

    fn answer(&self, load: f64, slip: Vec3, end: &End) -> FrictionForce {
        let viscosity = if load > 0.0 { self.viscosity } else { 0.0 };
        let sliding = slip.normalize_or_zero() * (self.sliding * load);
        let force = -(end.along * (end.held * end.stick) + sliding * (1.0 - end.stick) + slip * viscosity);
        answer(force, slip, end.z, end.rate, self.stiffness)
    }
}

struct End {
    z: Vec3,
    /// ḋ [m/s].
    rate: Vec3,
    /// Direction of d before it is dragged.
    along: Vec3,
    /// Its length [m].
    size: f64,
    /// Force against it [N].
    held: f64,
    saturated: bool,
    /// κ.
    stick: f64,
}

impl FrictionLaw for Luaces {
    fn name(&self) -> &'static str {
        "luaces"
    }

    fn flows(&self) -> usize {
        3
    }

    fn scales(&self, normal_force: f64) -> [f64; FLOW] {
        let deflection = self.fixed.max(1e-3) * normal_force / self.stiffness;
        [deflection, deflection, deflection, 1.0, 1.0, 1.0]
    }

    fn rate(&self, normal_force: f64, normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce {
        let load = normal_force.max(0.0);
        let end = self.end(load, motion.slip, deflection(memory, normal), 0.0);
        self.answer(load, motion.slip, &end)
    }

    fn update(
        &self,
        normal_force: f64,
        normal: Vec3,
        motion: &Motion,
        memory: &Memory,
        dt: f64,
    ) -> FrictionUpdate {
        let (load, slip) = (normal_force.max(0.0), motion.slip);
        let end = self.end(load, slip, deflection(memory, normal), dt);
        let mut after = *memory;
        after.flow[..3].copy_from_slice(&end.z.to_array());
        // Where d comes from this step's slip alone, so does its direction.
        let speed = slip.length();
        let turning = |size: f64, by: f64| {
            if size > 0.0 { across(end.along) * (by / size) } else { Mat3::ZERO }
        };
        let along_by_slip = if end.size > 0.0 { turning(end.size, dt) } else { turning(speed, 1.0) };
        let held_by_slip = if end.saturated {
            Vec3::ZERO
        } else {
            end.along * (self.stiffness * dt + self.damping) + along_by_slip.transpose() * slip * self.damping
        };
        let stuck_by_slip = if end.size == 0.0 && speed == 0.0 && !end.saturated {
            // From rest at the stiction point both act along whatever slip there will be.
            Mat3::from_diagonal(Vec3::splat(self.stiffness * dt + self.damping))
        } else {
            outer(end.along, held_by_slip) + along_by_slip * end.held
        };
        let limit = self.sliding * load;
        let unit = slip.normalize_or_zero();
        let stick_by_slip = slip * (-2.0 * end.stick / (self.transition_speed * self.transition_speed));
        let sliding_by_slip =
            if speed > 0.0 { across(unit) * ((1.0 - end.stick) * limit / speed) } else { Mat3::ZERO };
        let viscosity = if load > 0.0 { self.viscosity } else { 0.0 };
        let total = stuck_by_slip * end.stick
            + outer(end.along * end.held - unit * limit, stick_by_slip)
            + sliding_by_slip
            + Mat3::from_diagonal(Vec3::splat(viscosity));
        let held_by_load = if end.saturated { self.fixed.copysign(end.held) } else { 0.0 };
        FrictionUpdate {
            force: self.answer(load, slip, &end),
            memory: after,
            by_slip: total * across(normal) * -1.0,
            by_normal: -(end.along * (end.stick * held_by_load) + unit * ((1.0 - end.stick) * self.sliding)),
        }
    }

    /// Newton's method; where that does not lead to the end, it starts anew from where the law is nearly linear.
    fn solve(
        &self,
        normal_force: f64,
        normal: Vec3,
        free_slip: Vec3,
        response: f64,
        memory: &Memory,
        dt: f64,
    ) -> FrictionForce {
        let (load, start) = (normal_force.max(0.0), deflection(memory, normal));
        let found = || self.end_slip(load, start, (free_slip, response), dt);
        let guesses: [&dyn Fn() -> Vec3; 4] = [&|| Vec3::ZERO, &|| free_slip, &found, &|| start / -dt];
        newton(self, load, normal, (free_slip, response), memory, dt, &guesses)
    }

    fn bound(&self, normal_force: f64, slip_speed: f64) -> f64 {
        let load = normal_force.max(0.0);
        let viscosity = if load > 0.0 { self.viscosity } else { 0.0 };
        self.fixed * load + viscosity * slip_speed
    }

    fn sticking_speed(&self) -> f64 {
        self.transition_speed
    }

    fn promises(&self) -> Promises {
        Promises {
            passive: Err(
                "between sticking and sliding only a part of the spring's force acts, but all of it was loaded",
            ),
            ..Promises::ALL
        }
    }
}
