//! Semi-implicit (symplectic) Euler.
//!
//! v₁ = v₀ + h a(x₀), x₁ = x₀ + h v₁: one evaluation per step. Positions follow the leapfrog scheme, so trajectories
//! under conservative forces are second order, and where inertia is constant energy does not drift; velocities are those of the middle of the
//! last step. Contact damping is taken at the implicit midpoint, which keeps restitution second order as well.

use super::{Integrator, StepError, finish, next_time};
use crate::contact::slots;
use crate::evaluate::{Treatment, evaluate};
use crate::{Control, Data, Model, State};
use fender_math::{Vec3, rotation};

/// Semi-implicit Euler with a fixed step.
#[derive(Clone, Copy, Debug)]
pub struct SemiImplicitEuler {
    /// Step [s].
    pub step: f64,
}

impl Integrator for SemiImplicitEuler {
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        _limit: f64,
    ) -> Result<(), StepError> {
        let h = self.step;
        evaluate(model, control, state, data, self.treatment());
        state.integrator.evaluations += 1;
        slots::check_step(model, state, data, h);
        slots::keep_friction(state, data);
        let rates = &data.rates;
        for (v, a) in state.v.iter_mut().zip(&rates.v) {
            *v += h * a;
        }
        for free in model.free.iter().filter(|free| !state.activity.is_idle(free.body)) {
            let (v, omega) = free.velocity(&state.v);
            let pose = free.pose_wc(&state.q);
            let p: Vec3 = pose.translation + v * h;
            let r = (pose.rotation * rotation::from_rotation_vector(omega * h)).normalize();
            state.q[free.q..free.q + 7].copy_from_slice(&[p.x, p.y, p.z, r.x, r.y, r.z, r.w]);
        }
        for (joint, link) in model.moving_joints().filter(|(_, link)| !state.activity.is_idle(link.body)) {
            let (q, v) = (&mut state.q[link.q..link.q + joint.nq()], &state.v[link.v..link.v + link.nv]);
            joint.advance(q, v, h);
        }
        for cable in model.joined_cables() {
            let (q, v) = (&mut state.q[cable.q..], &state.v[cable.v..]);
            for (q, v) in q.iter_mut().zip(v).take(cable.coordinates()) {
                *q += h * v;
            }
        }
        for (slot, flow) in state.slots.iter_mut().zip(&rates.flow) {
            for (x, rate) in slot.memory.flow.iter_mut().zip(flow) {
                *x += h * rate;
            }
        }
        for (sum, power) in state.account.dissipated.iter_mut().zip(&rates.dissipated) {
            *sum += h * power;
        }
        for (sum, power) in state.account.work.iter_mut().zip(&rates.work) {
            *sum += h * power;
        }
        state.time = next_time(state, h);
        // A contact seen for the first time has had no force yet: its present speed is the speed of touch.
        finish(model, state, data, |contact| contact.motion.approach.max(0.0))
    }

    fn advance_by(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        step: f64,
    ) -> Result<(), StepError> {
        Self { step }.advance(model, control, state, data, f64::INFINITY)
    }

    fn fixed_step(&self) -> Option<f64> {
        Some(self.step)
    }

    fn treatment(&self) -> Treatment {
        Treatment::Step(self.step)
    }
}
