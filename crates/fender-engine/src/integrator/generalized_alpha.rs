//! Newmark, HHT and generalized-α: implicit methods of order two with a fixed step, for real time.
//!
//! Positions and velocities follow from an algorithmic acceleration ā,
//!
//! q₁ = q₀ ⊕ (h v₀ + h²[(½ − β) ā₀ + β ā₁]),  v₁ = v₀ + h[(1 − γ) ā₀ + γ ā₁],
//!
//! which lags behind the true one, (1 − α_m) ā₁ + α_m ā₀ = (1 − α_f) a₁ + α_f a₀ (Chung & Hulbert 1993, in the form of Arnold &
//! Brüls 2007, which also fits mass matrices that change). The true acceleration satisfies the equations of motion with
//! loops at the level of positions (index 3): M a₁ = Q₁ − Jᵀ(λ + α φ), λ ← λ + α φ, all in one Newton iteration.
//! Afterwards positions and velocities are projected, and accelerations are those of the projected state (Luaces 2013,
//! §2.3; the multipliers found there start the next step).

use super::runge_kutta::latch;
use super::{Integrator, StepError, finish, next_time};
use crate::closure::displace_all;
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{ContactSlot, Control, Data, Model, State};
use fender_contact::FLOW;

/// A velocity's change at which Newton's iteration ends [m/s or rad/s], and relative to the largest velocity.
const CLOSE: f64 = 1e-10;
/// A change below which rounding may keep it from falling further, as in singular positions of loops: then it ends too.
const ROUNDING: f64 = 1e-7;
/// Energy that a step with cables may make, of their kinetic and stored energy.
const MADE: f64 = 0.01;
/// A loop's violation at which it ends [m or rad].
const CLOSED: f64 = 1e-9;

/// Which of the methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMethod {
    /// Newmark's with β = ¼, γ = ½: the trapezoidal rule, without numerical damping.
    Newmark,
    /// Hilber, Hughes & Taylor (1977).
    Hht {
        /// δ from 0 to ⅓: numerical damping.
        damping: f64,
    },
    /// Chung & Hulbert (1993).
    GeneralizedAlpha {
        /// Spectral radius at infinite frequency, above 0 and up to 1: 1 damps nothing, small ones much.
        radius: f64,
    },
}

/// The four numbers of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// α_m.
    pub mass: f64,
    /// α_f.
    pub force: f64,
    /// γ.
    pub gamma: f64,
    /// β.
    pub beta: f64,
}

impl AlphaMethod {
    /// Its coefficients.
    pub fn coefficients(&self) -> Coefficients {
        let (mass, force) = match *self {
            Self::Newmark => (0.0, 0.0),
            Self::Hht { damping } => (0.0, damping),
            Self::GeneralizedAlpha { radius } => {
                ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0))
            }
        };
        let shift = force - mass;
        Coefficients { mass, force, gamma: 0.5 + shift, beta: 0.25 * (1.0 + shift) * (1.0 + shift) }
    }
}

/// An implicit method with a fixed step.
#[derive(Clone, Copy, Debug)]
pub struct GeneralizedAlpha {
    /// Step [s].
    pub step: f64,
    /// Which of the methods.
    pub method: AlphaMethod,
    /// Newton steps at most.
    pub iterations: u32,
    /// How often a step that does not converge may be halved.
    pub halvings: u32,
}

impl Integrator for GeneralizedAlpha {
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        _limit: f64,
    ) -> Result<(), StepError> {
        let end = next_time(state, self.step);
        let mut start = std::mem::take(&mut data.start);
        start.copy_from(state);
        let mut halvings = 0;
        loop {
            let result = self.parts(model, control, state, data, 1 << halvings);
            let makes = result.is_ok() && self.makes_energy(model, control, &start, state, data, halvings);
            match result {
                Ok(()) if !makes || halvings == self.halvings => break,
                Err(change) if halvings == self.halvings => {
                    state.copy_from(&start);
                    data.invalidate();
                    data.start = start;
                    return Err(StepError::NotConverged { time: state.time, change, halvings });
                }
                _ => {}
            }
            state.copy_from(&start);
            data.invalidate();
            halvings += 1;
            state.integrator.rejected += 1;
            start.integrator.rejected += 1;
        }
        state.time = end;
        let result = finish(model, state, data, |contact| latch(model, &start, contact));
        data.start = start;
        result?;
        // The powers at the end are those of the projected state; the next step starts from the same evaluation.
        evaluate(model, control, state, data, Treatment::Instant);
        book(state, data, 0.5 * self.step / f64::from(1_u32 << halvings));
        Ok(())
    }

    fn advance_by(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        step: f64,
    ) -> Result<(), StepError> {
        Self { step, ..*self }.advance(model, control, state, data, f64::INFINITY)
    }

    fn fixed_step(&self) -> Option<f64> {
        Some(self.step)
    }

    fn treatment(&self) -> Treatment {
        Treatment::Instant
    }
}

impl GeneralizedAlpha {
    /// Whether cables that went slack or taut within the step have made energy: then it was too long. Leaves `data` up to date with
    /// the step's end.
    fn makes_energy(
        &self,
        model: &Model,
        control: &Control,
        start: &State,
        state: &State,
        data: &mut Data,
        halvings: u32,
    ) -> bool {
        if model.cables.is_empty() {
            return false;
        }
        let half = 0.5 * self.step / f64::from(1_u32 << halvings);
        let sum = |list: &[f64]| list.iter().sum::<f64>();
        let booked = |state: &State| sum(&state.account.work) - sum(&state.account.dissipated);
        evaluate(model, control, state, data, Treatment::Instant);
        let at_end = half * (sum(&data.rates.work) - sum(&data.rates.dissipated));
        let motion = data.kinetic + data.stored;
        let after = motion + data.potential - booked(state) - at_end;
        data.invalidate();
        evaluate(model, control, start, data, Treatment::Instant);
        let before = data.kinetic + data.stored + data.potential - booked(start);
        data.invalidate();
        after - before > MADE * motion
    }

    /// Takes the step in equal parts. Otherwise says how much the velocities still changed.
    fn parts(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        count: u32,
    ) -> Result<(), f64> {
        let h = self.step / f64::from(count);
        for part in 0..count {
            evaluate(model, control, state, data, Treatment::Instant);
            state.integrator.evaluations += 1;
            // By the trapezoidal rule: the start of this part, and the end of the one before.
            book(state, data, if part == 0 { 0.5 * h } else { h });
            let mut work = std::mem::take(&mut data.alpha);
            work.true_start.clone_from(&data.rates.v);
            if state.integrator.accelerations.len() == model.nv {
                for cable in &model.cables {
                    let own = cable.v..cable.v + cable.coordinates();
                    work.true_start[own.clone()].copy_from_slice(&state.integrator.accelerations[own]);
                }
            }
            work.true_end.clone_from(&work.true_start);
            let known = state.integrator.algorithmic.len() == model.nv;
            work.start.clone_from(if known { &state.integrator.algorithmic } else { &data.rates.v });
            let mut trial = std::mem::take(&mut data.trial);
            trial.copy_from(state);
            data.closures.hold(model);
            let result = self.solve(model, control, state, &mut trial, data, &mut work, h);
            data.closures.release();
            if result.is_ok() {
                std::mem::swap(&mut state.q, &mut trial.q);
                std::mem::swap(&mut state.v, &mut trial.v);
                state.integrator.algorithmic.clone_from(&work.end);
                if !model.cables.is_empty() {
                    state.integrator.accelerations.clone_from(&work.true_end);
                }
                state.time += h;
                std::mem::swap(&mut state.slots, &mut trial.slots);
                data.invalidate();
            }
            data.trial = trial;
            data.alpha = work;
            result?;
        }
        Ok(())
    }

    /// Newton's iteration for the end of a step of `h` [s] that starts at `state`.
    #[allow(clippy::too_many_arguments)] // the four of every step, and where the answer goes
    fn solve(
        &self,
        model: &Model,
        control: &Control,
        state: &State,
        trial: &mut State,
        data: &mut Data,
        work: &mut AlphaScratch,
        h: f64,
    ) -> Result<(), f64> {
        let Coefficients { mass, force, gamma, beta } = self.method.coefficients();
        let part = (1.0 - force) / (1.0 - mass);
        let (by_velocity, by_position) = (h * gamma * part, h * h * beta * part);
        let (mut before, mut fresh, mut relax) = (f64::INFINITY, false, 1.0_f64);
        // Something that starts or stops exactly at the end of the step belongs to the next one.
        trial.time = (state.time + h).next_down();
        // Flowing memory by the trapezoidal rule: what the start says, and then an implicit half step.
        flow(&mut trial.slots, &data.rates.flow, 0.5 * h);
        for _ in 0..self.iterations {
            work.end.resize(model.nv, 0.0);
            work.change.resize(model.nv, 0.0);
            for i in 0..model.nv {
                let lagging = (1.0 - force) * work.true_end[i] + force * work.true_start[i];
                work.end[i] = (lagging - mass * work.start[i]) / (1.0 - mass);
                trial.v[i] = state.v[i] + h * ((1.0 - gamma) * work.start[i] + gamma * work.end[i]);
                work.change[i] = h * state.v[i] + h * h * ((0.5 - beta) * work.start[i] + beta * work.end[i]);
            }
            trial.q.copy_from_slice(&state.q);
            displace_all(model, &mut trial.q, &work.change);
            data.closures.stiffen(1.0 / by_position);
            data.invalidate();
            evaluate(model, control, trial, data, Treatment::Implicit(0.5 * h));
            if !fresh {
                let weights = Weights { mass: 1.0, damping: by_velocity, stiffness: by_position };
                tangent::write(model, trial, data, weights, 1.0);
                if !data.tangent.factor() {
                    return Err(f64::NAN);
                }
            }
            for i in 0..model.nv {
                work.change[i] = data.rates.v[i] - work.true_end[i];
            }
            data.tangent.times_mass(model, &mut work.change);
            data.tangent.solve(model, &trial.cables, &data.cables, &mut work.change);
            let (mut size, mut fastest) = (0.0_f64, 0.0_f64);
            for i in 0..model.nv {
                work.true_end[i] += relax * work.change[i];
                let change = (by_velocity * work.change[i]).abs();
                size = if change > size || change.is_nan() { change } else { size };
                fastest = fastest.max(trial.v[i].abs());
            }
            if size.is_nan() {
                return Err(size);
            }
            let closed = data.closures.worst().0 <= CLOSED;
            let stalled = size > 0.5 * before && size <= ROUNDING * (1.0 + fastest);
            if closed && (size <= CLOSE * (1.0 + fastest) || stalled) {
                flow(&mut trial.slots, &data.rates.flow, 0.5 * h);
                return Ok(());
            }
            // Contacts that open and close can make it run in circles: smaller steps lead out.
            relax = if size > 0.9 * before { (0.5 * relax).max(0.125) } else { (2.0 * relax).min(1.0) };
            fresh = size < 0.3 * before;
            before = size;
        }
        Err(before)
    }
}

/// Scratch of the method: accelerations at both ends.
#[derive(Debug, Default)]
pub(crate) struct AlphaScratch {
    true_start: Vec<f64>,
    true_end: Vec<f64>,
    start: Vec<f64>,
    end: Vec<f64>,
    change: Vec<f64>,
}

/// Lets the contacts' memory flow for a time [s].
fn flow(slots: &mut [ContactSlot], rates: &[[f64; FLOW]], time: f64) {
    for (slot, rate) in slots.iter_mut().zip(rates) {
        for (x, rate) in slot.memory.flow.iter_mut().zip(rate) {
            *x += time * rate;
        }
    }
}

/// Books the powers of this instant for a time [s].
fn book(state: &mut State, data: &Data, time: f64) {
    for (sum, power) in state.account.dissipated.iter_mut().zip(&data.rates.dissipated) {
        *sum += time * power;
    }
    for (sum, power) in state.account.work.iter_mut().zip(&data.rates.work) {
        *sum += time * power;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_have_their_known_values() {
        // ρ∞: α_m, α_f, γ, β by the formulas of Chung & Hulbert.
        let rows = [
            (1.0, 0.5, 0.5, 0.5, 0.25),
            (0.8, 1.0 / 3.0, 4.0 / 9.0, 11.0 / 18.0, 25.0 / 81.0),
            (0.5, 0.0, 1.0 / 3.0, 5.0 / 6.0, 4.0 / 9.0),
            (0.2, -0.5, 1.0 / 6.0, 7.0 / 6.0, 25.0 / 36.0),
        ];
        for (radius, mass, force, gamma, beta) in rows {
            let found = AlphaMethod::GeneralizedAlpha { radius }.coefficients();
            for (a, b) in [(found.mass, mass), (found.force, force), (found.gamma, gamma), (found.beta, beta)]
            {
                assert!((a - b).abs() < 1e-15, "{radius}: {a} {b}");
            }
        }
        let hht = AlphaMethod::Hht { damping: 0.3 }.coefficients();
        assert!((hht.gamma - 0.8).abs() < 1e-15 && (hht.beta - 0.4225).abs() < 1e-15);
    }
}
