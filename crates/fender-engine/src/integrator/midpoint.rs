//! The implicit midpoint rule with a fixed step, and with forces of cables that keep energy.
//!
//! q₁ = q₀ + h v̄, v₁ = v₀ + h a(q̄, v̄) with the means q̄, v̄ of both ends. It damps nothing, and keeps quadratic invariants: linear and
//! angular momentum, and the energy of what is linear (bending, weight). Stretched cables are not linear; their tension is taken as
//! T̄ = 2ΔU/Δ(l²)·l̄ (Simo & Tarnow 1992; Gonzalez 1996), whose work over the step is exactly −ΔU: so a cable without damping keeps
//! its energy at any step, however stiff it is.

use super::runge_kutta::{accept, combine, first_stage, implicit_stages, latch};
use super::{Adaptive, Integrator, StepError, finish, next_time, tableau};
use crate::evaluate::Treatment;
use crate::{Control, Data, Model, State};

/// How exactly the middle is solved: relative, and [m/s, rad/s].
const CLOSE: f64 = 1e-8;

/// The implicit midpoint rule.
#[derive(Clone, Copy, Debug)]
pub struct Midpoint {
    /// Step [s].
    pub step: f64,
    /// How often a step that does not converge may be halved.
    pub halvings: u32,
}

impl Integrator for Midpoint {
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
        while !self.parts(model, control, state, data, 1 << halvings) {
            state.copy_from(&start);
            data.invalidate();
            if halvings == self.halvings {
                data.start = start;
                let what = model.mover(data.left_at).to_owned();
                return Err(StepError::NotConverged { time: state.time, what, change: data.left, halvings });
            }
            halvings += 1;
            state.integrator.effort.rejected += 1;
            start.integrator.effort.rejected += 1;
        }
        state.time = end;
        let result = finish(model, state, data, |contact| latch(model, &start, contact));
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

impl Midpoint {
    /// Takes the step in equal parts; `false` if one of them did not converge.
    fn parts(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        count: u32,
    ) -> bool {
        let h = self.step / f64::from(count);
        let settings = Adaptive { relative: CLOSE, absolute: CLOSE, max_step: h };
        for _ in 0..count {
            first_stage(&tableau::MIDPOINT, model, control, state, data, Treatment::Instant);
            if !implicit_stages(&tableau::MIDPOINT, model, control, state, data, h, &settings, |_, _, _| true)
            {
                return false;
            }
            combine(&tableau::MIDPOINT, model, state, data, h);
            accept(&tableau::MIDPOINT, state, data, h);
            data.invalidate();
        }
        true
    }
}
