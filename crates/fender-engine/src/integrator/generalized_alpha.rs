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

use super::newton::{AlphaScratch, Equations, Patience, Unsolved, newton};
use super::runge_kutta::latch;
use super::{Integrator, StepError, finish, next_time};
use crate::cable::{self, balance};
use crate::closure::displace_all;
use crate::evaluate::{Treatment, detect_contacts, evaluate};
use crate::tangent::{self, Weights};
use crate::{ContactSlot, Control, Data, Effort, Energy, Model, State};
use fender_contact::FLOW;

/// A velocity's change that is accepted after the last halving [m/s or rad/s], and relative to the largest velocity: where forces jump, as at edges of
/// meshes, an iteration ends nowhere.
const LOOSE: f64 = 1e-5;
/// The same at any halving in real time. Much more would let the stiff direction of cables make energy without end.
const NEARLY: f64 = 1e-3;
/// Newton steps after the last halving in real time, at least.
const PATIENT: u32 = 50;
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
    /// Whether a last iterate that is near enough is accepted after that many Newton steps, instead of halving the step.
    pub real_time: bool,
}

/// Why a group of islands could not be taken through a step.
enum Trouble {
    /// Its iteration did not come to its end.
    Unsolved(Unsolved),
    /// It touched another group.
    Touched,
    Step(StepError),
}

/// Where a step of a group starts: everything at the start of the step, and at the start of the group's.
#[derive(Clone, Copy)]
struct Start<'a> {
    step: &'a State,
    group: &'a State,
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
        data.choose_group(model, None);
        detect_contacts(model, state, data);
        let groups = data.islands.find(model, state, &data.contacts);
        let mut start = std::mem::take(&mut data.start);
        start.copy_from(state);
        let together = Start { step: &start, group: &start };
        let mut result;
        if groups <= 1 {
            let splits = data.islands.splits(model, 0);
            let halvings = if splits { 0 } else { self.halvings };
            result = self.group(model, control, together, state, data, (halvings, true));
            if let (true, Err(Trouble::Unsolved(_))) = (splits, &result) {
                data.islands.split(model, 0);
                result = self.one_by_one(model, control, &start, state, data);
            }
        } else {
            result = self.one_by_one(model, control, &start, state, data);
        }
        if let Err(Trouble::Touched) = result {
            restore(state, &start, data);
            data.choose_group(model, None);
            result = self.group(model, control, together, state, data, (self.halvings, true));
        }
        data.choose_group(model, None);
        let time = start.time;
        data.start = start;
        result.map_err(|trouble| {
            let Unsolved { change, place } = match trouble {
                Trouble::Step(error) => return error,
                Trouble::Unsolved(unsolved) => unsolved,
                // All islands together have nothing to touch.
                Trouble::Touched => Unsolved { change: 0.0, place: 0 },
            };
            let what = model.mover(place).to_owned();
            StepError::NotConverged { time, what, change, halvings: self.halvings }
        })
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

/// Takes a state back; what it took to come there is still counted.
fn restore(state: &mut State, to: &State, data: &mut Data) {
    let effort = state.integrator.effort;
    state.copy_from(to);
    state.integrator.effort = effort;
    data.invalidate();
}

/// Takes a list over for what takes part.
fn keep(list: &mut Vec<f64>, from: &[f64], moves: &[bool]) {
    list.resize(from.len(), 0.0);
    if moves.is_empty() {
        list.copy_from_slice(from);
    }
    for (i, _) in moves.iter().enumerate().filter(|(_, moves)| **moves) {
        list[i] = from[i];
    }
}

impl GeneralizedAlpha {
    /// Takes the groups of islands through a step one after the other.
    fn one_by_one(
        &self,
        model: &Model,
        control: &Control,
        start: &State,
        state: &mut State,
        data: &mut Data,
    ) -> Result<(), Trouble> {
        let mut from = std::mem::take(&mut data.base);
        let mut group = 0;
        let result = loop {
            data.choose_group(model, Some(group));
            state.time = start.time;
            from.copy_from(state);
            let splits = data.islands.splits(model, group);
            let halvings = if splits { 0 } else { self.halvings };
            let last = group + 1 == data.islands.groups();
            let at = Start { step: start, group: &from };
            match self.group(model, control, at, state, data, (halvings, last)) {
                Ok(()) if last => break Ok(()),
                Ok(()) => group += 1,
                Err(Trouble::Unsolved(_)) if splits => data.islands.split(model, group),
                Err(trouble) => break Err(trouble),
            }
        };
        data.base = from;
        result
    }

    /// Takes the group that is chosen through a step, in as many equal parts as it needs, and ends the step if it is the `last`.
    fn group(
        &self,
        model: &Model,
        control: &Control,
        start: Start<'_>,
        state: &mut State,
        data: &mut Data,
        (most, last): (u32, bool),
    ) -> Result<(), Trouble> {
        let end = next_time(start.step, self.step);
        evaluate(model, control, state, data, Treatment::Instant);
        let (before, told) = (Energy::of(state, data).residual, data.events.len());
        let division = self.division(model, state, data);
        let has_cables = data.islands.members(model).any(|member| member >= model.bodies.len());
        let mut halvings = 0;
        balance::begin(data);
        loop {
            let count = division << halvings;
            // Where halving is of no use any more, nearly there is good enough.
            let accepted = match halvings {
                _ if self.real_time => NEARLY,
                halvings if halvings == self.halvings => LOOSE,
                _ => 0.0,
            };
            let solved = self.parts(model, control, start.step, state, data, (count, accepted));
            let touched = data.islands.has_touched();
            if solved.is_ok() && !touched {
                state.time = end;
                self.end(model, control, start.step, state, data, (count, last)).map_err(Trouble::Step)?;
                // Cables that went slack or taut within the step may have made energy: then it was too long.
                let after = Energy::of(state, data);
                let makes = has_cables
                    && after.residual - before > balance::MADE * (after.kinetic + after.stored)
                    || balance::makes_energy(model, data);
                if halvings == most || !makes {
                    return Ok(());
                }
            }
            restore(state, start.group, data);
            balance::begin_again(data);
            data.events.truncate(told);
            if touched {
                return Err(Trouble::Touched);
            }
            if let (Err(unsolved), true) = (solved, halvings == most) {
                return Err(Trouble::Unsolved(unsolved));
            }
            halvings += 1;
            state.integrator.effort.rejected += 1;
        }
    }

    /// In how many parts a step is taken at first: more where a cable has become taut fast.
    fn division(&self, model: &Model, state: &State, data: &Data) -> u32 {
        let mut cables =
            data.islands.members(model).filter_map(|member| member.checked_sub(model.bodies.len()));
        let fine = !self.real_time && cables.any(|i| state.cable_statistics[i].is_fine(state.time));
        if fine { cable::FINE } else { 1 }
    }

    /// Ends a group's step. The powers at its end are those of the projected state if it is the last; with a single group the next step starts
    /// from the same evaluation.
    fn end(
        &self,
        model: &Model,
        control: &Control,
        start: &State,
        state: &mut State,
        data: &mut Data,
        (count, last): (u32, bool),
    ) -> Result<(), StepError> {
        state.integrator.taken.resize(model.bodies.len() + model.cables.len(), 0);
        for member in data.islands.members(model) {
            state.integrator.taken[member] += u64::from(count);
            if let Some(cable) = member.checked_sub(model.bodies.len()) {
                state.cable_statistics[cable].parts = count;
            }
        }
        if last {
            let group = data.islands.chosen();
            data.choose_group(model, None);
            finish(model, state, data, |contact| latch(model, start, contact))?;
            data.choose_group(model, group);
        }
        evaluate(model, control, state, data, Treatment::Instant);
        book(state, data, 0.5 * self.step / f64::from(count));
        Ok(())
    }

    /// Takes the step in equal parts.
    fn parts(
        &self,
        model: &Model,
        control: &Control,
        start: &State,
        state: &mut State,
        data: &mut Data,
        (count, accepted): (u32, f64),
    ) -> Result<(), Unsolved> {
        let h = self.step / f64::from(count);
        for part in 0..count {
            evaluate(model, control, state, data, Treatment::Instant);
            state.integrator.effort.evaluations += 1;
            // By the trapezoidal rule: the start of this part, and the end of the one before.
            book(state, data, if part == 0 { 0.5 * h } else { h });
            let mut work = std::mem::take(&mut data.alpha);
            work.true_start.clone_from(&data.rates.v);
            if part > 0 || start.integrator.accelerations.len() == model.nv {
                for cable in &model.cables {
                    let own = cable.v..cable.v + cable.coordinates();
                    work.true_start[own.clone()].copy_from_slice(&state.integrator.accelerations[own]);
                }
            }
            work.true_end.clone_from(&work.true_start);
            let known = part > 0 || start.integrator.algorithmic.len() == model.nv;
            work.start.clone_from(if known { &state.integrator.algorithmic } else { &data.rates.v });
            let mut trial = std::mem::take(&mut data.trial);
            trial.copy_from(state);
            data.closures.hold(model);
            work.effort = Effort::default();
            let result = self.solve(model, control, state, &mut trial, data, &mut work, (h, accepted));
            state.integrator.effort += work.effort;
            data.closures.release();
            if result.is_ok() {
                std::mem::swap(&mut state.q, &mut trial.q);
                std::mem::swap(&mut state.v, &mut trial.v);
                keep(&mut state.integrator.algorithmic, &work.end, data.islands.moves());
                if !model.cables.is_empty() {
                    keep(&mut state.integrator.accelerations, &work.true_end, data.islands.moves());
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
        (h, accepted): (f64, f64),
    ) -> Result<(), Unsolved> {
        // Something that starts or stops exactly at the end of the step belongs to the next one.
        trial.time = (state.time + h).next_down();
        // Flowing memory by the trapezoidal rule: what the start says, and then an implicit half step.
        flow(&mut trial.slots, &data.rates.flow, 0.5 * h);
        let coefficients = self.method.coefficients();
        data.closures.stiffen(1.0 / coefficients.weights(h).stiffness);
        // The list of what takes part is the equations' too: it goes out and comes back.
        let moves = data.islands.take_moves();
        let mut all = All { model, control, state, trial, data, half: 0.5 * h };
        // The last halving has the patience that real time does not have.
        let last = self.halvings > 0 && h < 1.5 * self.step / f64::from(1_u32 << self.halvings);
        let iterations = if self.real_time && last { self.iterations.max(PATIENT) } else { self.iterations };
        let patience = Patience { iterations, accepted };
        let solved = newton(&coefficients, h, patience, (&state.v, &moves), work, &mut all);
        let All { trial, data, .. } = all;
        data.islands.give_moves(moves);
        solved?;
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

    fn keep(&mut self) {
        self.data.closures.keep();
    }

    fn take_back(&mut self) {
        self.data.closures.take_back();
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
fn book(state: &mut State, data: &mut Data, time: f64) {
    balance::count(data, time);
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
