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

use super::newton::{AlphaScratch, Equations, newton};
use super::runge_kutta::latch;
use super::{Integrator, StepError, finish, next_time};
use crate::closure::displace_all;
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{ContactSlot, Control, Data, Effort, Energy, Model, State};
use fender_contact::FLOW;

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

impl Coefficients {
    /// Factors of the mass, damping and stiffness matrices in the system of a step of `h` [s] for accelerations.
    pub(crate) fn weights(&self, h: f64) -> Weights {
        let part = (1.0 - self.force) / (1.0 - self.mass);
        Weights { mass: 1.0, damping: h * self.gamma * part, stiffness: h * h * self.beta * part }
    }
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
        evaluate(model, control, state, data, Treatment::Instant);
        let (before, told) = (Energy::of(state, data).residual, data.events.len());
        let mut start = std::mem::take(&mut data.start);
        start.copy_from(state);
        let mut halvings = 0;
        let result = loop {
            let solved = self.parts(model, control, state, data, 1 << halvings);
            if solved.is_ok() {
                state.time = end;
                let result = self.end(model, control, &start, state, data, halvings);
                if halvings == self.halvings || result.is_err() || !makes_energy(model, before, state, data) {
                    break result;
                }
            }
            start.integrator.effort = state.integrator.effort;
            state.copy_from(&start);
            data.invalidate();
            data.events.truncate(told);
            if let (Err(change), true) = (solved, halvings == self.halvings) {
                break Err(StepError::NotConverged { time: state.time, change, halvings });
            }
            halvings += 1;
            state.integrator.effort.rejected += 1;
        };
        data.start = start;
        result
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

/// Whether cables that went slack or taut within the step have made energy: then it was too long. `before` is the residual of the account
/// at its start [J].
fn makes_energy(model: &Model, before: f64, state: &State, data: &Data) -> bool {
    let after = Energy::of(state, data);
    !model.cables.is_empty() && after.residual - before > MADE * (after.kinetic + after.stored)
}

impl GeneralizedAlpha {
    /// Ends a step. The powers at its end are those of the projected state; the next one starts from the same evaluation.
    fn end(
        &self,
        model: &Model,
        control: &Control,
        start: &State,
        state: &mut State,
        data: &mut Data,
        halvings: u32,
    ) -> Result<(), StepError> {
        finish(model, state, data, |contact| latch(model, start, contact))?;
        evaluate(model, control, state, data, Treatment::Instant);
        book(state, data, 0.5 * self.step / f64::from(1_u32 << halvings));
        Ok(())
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
            state.integrator.effort.evaluations += 1;
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
            work.effort = Effort::default();
            let result = self.solve(model, control, state, &mut trial, data, &mut work, h);
            state.integrator.effort += work.effort;
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

    /// Finds the end of a step of `h` [s] that starts at `state`.
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
        // Something that starts or stops exactly at the end of the step belongs to the next one.
        trial.time = (state.time + h).next_down();
        // Flowing memory by the trapezoidal rule: what the start says, and then an implicit half step.
        flow(&mut trial.slots, &data.rates.flow, 0.5 * h);
        let coefficients = self.method.coefficients();
        data.closures.stiffen(1.0 / coefficients.weights(h).stiffness);
        let mut all = All { model, control, state, trial, data, half: 0.5 * h };
        newton(&coefficients, h, self.iterations, &state.v, work, &mut all)?;
        let All { trial, data, .. } = all;
        flow(&mut trial.slots, &data.rates.flow, 0.5 * h);
        Ok(())
    }
}

/// Everything there is, from `state` to `trial`.
struct All<'a> {
    model: &'a Model,
    control: &'a Control,
    state: &'a State,
    trial: &'a mut State,
    data: &'a mut Data,
    /// Half the step [s].
    half: f64,
}

impl Equations for All<'_> {
    fn go(&mut self, v: &[f64], by: &[f64]) {
        let Self { model, control, state, trial, data, half } = self;
        trial.v.copy_from_slice(v);
        trial.q.copy_from_slice(&state.q);
        displace_all(model, &mut trial.q, by);
        data.invalidate();
        evaluate(model, control, trial, data, Treatment::Implicit(*half));
    }

    fn accelerations(&self) -> &[f64] {
        &self.data.rates.v
    }

    fn factor(&mut self, weights: Weights) -> bool {
        tangent::write(self.model, self.trial, self.data, weights, 1.0);
        self.data.tangent.factor()
    }

    fn quick(&self) -> bool {
        !self.model.cables.is_empty() && self.model.loops.is_empty()
    }

    fn times_mass(&mut self, x: &mut [f64]) {
        self.data.tangent.times_mass(self.model, x);
    }

    fn solve(&mut self, x: &mut [f64]) {
        let Data { tangent, cables, .. } = &mut *self.data;
        tangent.solve(self.model, &self.trial.cables, cables, x);
    }

    fn closed(&self) -> bool {
        self.data.closures.worst().0 <= CLOSED
    }
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
