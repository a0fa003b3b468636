//! Semi-implicit (symplectic) Euler.
//!
//! v₁ = v₀ + h a(x₀), x₁ = x₀ + h v₁: one evaluation per step. Positions follow the leapfrog scheme, so trajectories
//! under conservative forces are second order, and where inertia is constant energy does not drift; velocities are those of the middle of the
//! last step. Contact damping is taken at the implicit midpoint, which keeps restitution second order as well.
//!
//! Inertia is not constant in a body that turns and has unequal moments: its axes turn with it. For a body that is in no tree the step is therefore
//! split: torques kick its angular velocity, and then it turns as a body that is left alone (`free_rotation`), which keeps energy and angular
//! momentum. In trees, and where cables pull, gyroscopic torques are part of a(x₀, v₀), explicit and of order 1.

use super::free_rotation::turn;
use super::{Integrator, StepError, finish, next_time};
use crate::cable::Carried;
use crate::contact::slots;
use crate::evaluate::{Treatment, evaluate};
use crate::{Control, Data, FreeBody, Model, State};
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
        state.integrator.effort.evaluations += 1;
        slots::check_step(model, state, data, h);
        slots::keep_forces(state, data);
        leave_turning(model, state, data);
        let Data { rates, carried, .. } = data;
        for (v, a) in state.v.iter_mut().zip(&rates.v) {
            *v += h * a;
        }
        for free in model.free.iter().filter(|free| !state.activity.is_idle(free.body)) {
            let (v, omega) = free.velocity(&state.v);
            let pose = free.pose_wc(&state.q);
            let p: Vec3 = pose.translation + v * h;
            let turned = if turns_alone(free, carried) {
                let (turned, after) = turn(free.inertia, free.inverse_inertia, omega, h);
                state.v[free.v + 3..free.v + 6].copy_from_slice(&after.to_array());
                turned
            } else {
                rotation::from_rotation_vector(omega * h)
            };
            let r = (pose.rotation * turned).normalize();
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

/// Whether a body's own turning changes its angular velocity, and nothing else has part in that inertia.
fn turns_alone(free: &FreeBody, carried: &[Carried]) -> bool {
    !free.isotropic && !free.root && carried.iter().all(|carried| carried.body != free.body)
}

/// Takes the gyroscopic part out of the angular accelerations of bodies that turn alone: their rotation accounts for it.
fn leave_turning(model: &Model, state: &State, data: &mut Data) {
    let Data { rates, carried, .. } = data;
    let moving = |free: &&FreeBody| turns_alone(free, carried) && !state.activity.is_idle(free.body);
    for free in model.free.iter().filter(moving) {
        let (_, omega) = free.velocity(&state.v);
        // As `evaluate` puts it in, so that without torques the sum is nothing, to the bit.
        let gyroscopic = omega.cross(free.inertia * omega) * free.inverse_inertia;
        for (a, g) in rates.v[free.v + 3..free.v + 6].iter_mut().zip(gyroscopic.to_array()) {
            *a += g;
        }
    }
}
