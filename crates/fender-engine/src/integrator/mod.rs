//! Integrators behind one trait.

use crate::cable;
use crate::closure;
use crate::contact::slots;
use crate::evaluate::{Treatment, detect_contacts};
use crate::{Activity, Contact, Control, Data, Model, State};
use fender_math::Vec3;
use std::fmt::Debug;

mod diverged;
mod error_controlled;
mod free_rotation;
mod generalized_alpha;
mod implicit;
mod midpoint;
mod newton;
mod parts;
mod runge_kutta;
mod semi_implicit_euler;
pub mod tableau;

pub use error_controlled::ErrorControlled;
pub use generalized_alpha::{AlphaMethod, GeneralizedAlpha};
pub use midpoint::Midpoint;
pub(crate) use newton::{AlphaScratch, Equations, Patience, Unsolved, newton};
pub(crate) use parts::{NONE, in_parts};
pub use runge_kutta::RungeKutta;
pub use semi_implicit_euler::SemiImplicitEuler;

/// Advances a state in time.
pub trait Integrator: Debug + Send + Sync {
    /// Takes one accepted step. Error control never steps past `limit` [s]; fixed steps keep their length.
    fn advance(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        limit: f64,
    ) -> Result<(), StepError>;

    /// Takes one step of another length [s]. For methods with a fixed step, whose steps are cut where impacts are; error
    /// control stops there itself.
    fn advance_by(
        &self,
        model: &Model,
        control: &Control,
        state: &mut State,
        data: &mut Data,
        step: f64,
    ) -> Result<(), StepError> {
        self.advance(model, control, state, data, state.time + step)
    }

    /// Length of the step if it is fixed [s].
    fn fixed_step(&self) -> Option<f64>;

    /// How it takes contact damping and friction.
    fn treatment(&self) -> Treatment;
}

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A body's motion is no longer finite, or absurdly fast.
    #[error(
        "the simulation diverged at t = {time:.6} s: body '{body}' is at ({:.3e}, {:.3e}, {:.3e}) m with a speed of {speed:.3e} m/s, turning at \
         {spin:.3e} rad/s",
        position.x, position.y, position.z
    )]
    Diverged {
        /// Time [s].
        time: f64,
        /// Name of the body.
        body: String,
        /// Its position [m].
        position: Vec3,
        /// Its speed [m/s].
        speed: f64,
        /// Its angular speed [rad/s].
        spin: f64,
    },
    /// A body turns absurdly fast, or not at a finite speed, while its place and speed are still sane.
    #[error(
        "the simulation diverged at t = {time:.6} s: the angular velocity of body '{body}' is ({:.3e}, {:.3e}, {:.3e}) rad/s, in the axes of its \
         moments of inertia",
        spin.x, spin.y, spin.z
    )]
    SpinDiverged {
        /// Time [s].
        time: f64,
        /// Name of the body.
        body: String,
        /// Its angular velocity, in its central frame [rad/s].
        spin: Vec3,
    },
    /// A joint's coordinate is no longer finite, or absurdly fast.
    #[error(
        "the simulation diverged at t = {time:.6} s: coordinate '{coordinate}' of joint '{joint}', which carries body '{body}', changes by {rate:.3e} \
         {unit} per second"
    )]
    JointDiverged {
        /// Time [s].
        time: f64,
        /// Name of the joint.
        joint: String,
        /// Name of the body it carries.
        body: String,
        /// Which of its coordinates.
        coordinate: &'static str,
        /// Its rate [m/s or rad/s].
        rate: f64,
        /// Unit of the coordinate.
        unit: &'static str,
    },
    /// A cable's motion is no longer finite, or absurdly fast.
    #[error(
        "the simulation diverged at t = {time:.6} s: node {node} of cable '{cable}' is at ({:.3e}, {:.3e}, {:.3e}) m with a speed of \
         {speed:.3e} m/s",
        place.x, place.y, place.z
    )]
    CableDiverged {
        /// Time [s].
        time: f64,
        /// Name of the cable.
        cable: String,
        /// Which of its nodes, from its start.
        node: usize,
        /// Its place [m].
        place: Vec3,
        /// Its speed [m/s].
        speed: f64,
    },
    /// Error control asks for a step below what a float can resolve.
    #[error(
        "error control needs a step below {step:.3e} s at t = {time:.6} s: {cause}. Take an implicit method (`sdirk4`, \
         `generalized_alpha`), or less stiffness or damping there"
    )]
    StepTooSmall {
        /// Time [s].
        time: f64,
        /// Step [s].
        step: f64,
        /// What forces it, in words.
        cause: String,
    },
    /// Error control takes very many steps for next to no time.
    #[error(
        "error control makes no progress at t = {time:.6} s: {steps} steps took {advance:.3e} s, because {cause}. Take an implicit method \
         (`sdirk4`, `generalized_alpha`), or less stiffness or damping there"
    )]
    Stalled {
        /// Time [s].
        time: f64,
        /// Time that the last steps took together [s].
        advance: f64,
        /// How many they were.
        steps: u64,
        /// What forces them, in words.
        cause: String,
    },
    /// Newton's method found no end of the step.
    #[error(
        "the implicit step at t = {time:.6} s did not converge: '{what}' still changed by {change:.3e} m/s (or rad/s) after {halvings} halvings. \
         Take a smaller `step`, or more damping (of the line or contact, or by a smaller `radius`)"
    )]
    NotConverged {
        /// Time [s].
        time: f64,
        /// Name of the body or cable that changed most.
        what: String,
        /// Largest change of a velocity in the last iteration [m/s or rad/s].
        change: f64,
        /// How often the step was halved.
        halvings: u32,
    },
    /// Something on a cable came to a guide that it cannot go through, and the motion could not go on.
    #[error(
        "cable '{cable}' cannot go on at t = {time:.6} s: {what} has come to '{guide}', and does not go through. End the run before, make the \
         cable longer, or stop its motion (`minimum` of its payout, a stop, a contact)"
    )]
    AtGuide {
        /// Time [s].
        time: f64,
        /// Name of the cable.
        cable: String,
        /// Name of the guide.
        guide: String,
        /// What came there.
        what: &'static str,
    },
    /// A cable at its own rate found no end of its step.
    #[error(
        "the step of cable '{cable}' at its own rate at t = {time:.6} s did not converge (last change {change:.3e} m/s), also after halving it \
         {halvings} times: a smaller own step may help"
    )]
    CableNotConverged {
        /// Time [s].
        time: f64,
        /// Name of the cable.
        cable: String,
        /// Largest change of a velocity in the last iteration [m/s].
        change: f64,
        /// How often the step was halved.
        halvings: u32,
    },
    /// A loop came apart and could not be closed again.
    #[error(
        "loop '{name}' is open by {gap:.3e} m (or rad) at t = {time:.6} s and cannot be closed from there: what is prescribed may be out of \
         reach, or the step too large"
    )]
    LoopOpen {
        /// Time [s].
        time: f64,
        /// Name of the loop.
        name: String,
        /// What is left open [m or rad].
        gap: f64,
    },
}

/// Which integrator, with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntegratorSpec {
    /// Explicit Euler, order 1.
    ExplicitEuler {
        /// Step [s].
        step: f64,
    },
    /// Semi-implicit (symplectic) Euler.
    SemiImplicitEuler {
        /// Step [s].
        step: f64,
    },
    /// Bogacki–Shampine, order 3.
    Rk3 {
        /// Step [s].
        step: f64,
    },
    /// Classical Runge–Kutta, order 4.
    Rk4 {
        /// Step [s].
        step: f64,
    },
    /// The fifth-order result of Dormand and Prince.
    Rk5 {
        /// Step [s].
        step: f64,
    },
    /// Implicit, of order 2, with loops closed in the same Newton iteration: Newmark, HHT or generalized-α.
    Alpha {
        /// Step [s].
        step: f64,
        /// Which of the three.
        method: AlphaMethod,
        /// Newton steps at most.
        iterations: u32,
        /// How often a step that does not converge may be halved.
        halvings: u32,
        /// Whether a last iterate that is near enough is accepted instead.
        real_time: bool,
    },
    /// The implicit midpoint rule, which keeps the energy of cables.
    Midpoint {
        /// Step [s].
        step: f64,
        /// How often a step that does not converge may be halved.
        halvings: u32,
    },
    /// SDIRK 4(3), L-stable, with error control.
    Sdirk4(Adaptive),
    /// Runge–Kutta–Fehlberg 4(5) with error control.
    Rk45(Adaptive),
    /// Dormand–Prince 5(4) with error control.
    DormandPrince(Adaptive),
}

/// Settings of error control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Relative tolerance.
    pub relative: f64,
    /// Absolute tolerance [m, m/s, rad/s].
    pub absolute: f64,
    /// Largest step [s].
    pub max_step: f64,
}

impl IntegratorSpec {
    /// Name as written in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ExplicitEuler { .. } => "explicit_euler",
            Self::SemiImplicitEuler { .. } => "semi_implicit_euler",
            Self::Rk3 { .. } => "rk3",
            Self::Rk4 { .. } => "rk4",
            Self::Rk5 { .. } => "rk5",
            Self::Alpha { method: AlphaMethod::Newmark, .. } => "newmark",
            Self::Alpha { method: AlphaMethod::Hht { .. }, .. } => "hht",
            Self::Alpha { method: AlphaMethod::GeneralizedAlpha { .. }, .. } => "generalized_alpha",
            Self::Midpoint { .. } => "midpoint",
            Self::Sdirk4(_) => "sdirk4",
            Self::Rk45(_) => "rk45",
            Self::DormandPrince(_) => "dormand_prince",
        }
    }

    /// Its step [s], if that is fixed.
    pub fn fixed_step(&self) -> Option<f64> {
        match *self {
            Self::ExplicitEuler { step }
            | Self::SemiImplicitEuler { step }
            | Self::Rk3 { step }
            | Self::Rk4 { step }
            | Self::Rk5 { step }
            | Self::Alpha { step, .. }
            | Self::Midpoint { step, .. } => Some(step),
            Self::Sdirk4(_) | Self::Rk45(_) | Self::DormandPrince(_) => None,
        }
    }

    /// Settings of its error control, if it has any.
    pub fn error_control(&self) -> Option<&Adaptive> {
        match self {
            Self::Sdirk4(settings) | Self::Rk45(settings) | Self::DormandPrince(settings) => Some(settings),
            _ => None,
        }
    }

    /// The integrator.
    pub fn build(&self) -> Box<dyn Integrator> {
        match *self {
            Self::ExplicitEuler { step } => Box::new(RungeKutta::new(&tableau::EULER, step)),
            Self::SemiImplicitEuler { step } => Box::new(SemiImplicitEuler { step }),
            Self::Rk3 { step } => Box::new(RungeKutta::new(&tableau::BOGACKI_SHAMPINE, step)),
            Self::Rk4 { step } => Box::new(RungeKutta::new(&tableau::CLASSICAL, step)),
            Self::Rk5 { step } => Box::new(RungeKutta::new(&tableau::DORMAND_PRINCE, step)),
            Self::Alpha { step, method, iterations, halvings, real_time } => {
                Box::new(GeneralizedAlpha { step, method, iterations, halvings, real_time })
            }
            Self::Midpoint { step, halvings } => Box::new(Midpoint { step, halvings }),
            Self::Sdirk4(settings) => Box::new(ErrorControlled::new(&tableau::SDIRK4, settings)),
            Self::Rk45(settings) => Box::new(ErrorControlled::new(&tableau::FEHLBERG, settings)),
            Self::DormandPrince(settings) => {
                Box::new(ErrorControlled::new(&tableau::DORMAND_PRINCE, settings))
            }
        }
    }
}

/// Time after a fixed step: a multiple of the step as long as it has been the only one, so that rounding does not add up.
fn next_time(state: &State, step: f64) -> f64 {
    let counted = state.step as f64 * step;
    if (state.time - counted).abs() <= 1e-6 * step {
        (state.step + 1) as f64 * step
    } else {
        state.time + step
    }
}

/// What every method does once its step is accepted and `state` holds the new coordinates: checks them, looks for
/// contacts, opens and closes slots, follows the range of energy.
fn finish(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    latch: impl Fn(&Contact) -> f64,
) -> Result<(), StepError> {
    diverged::check(model, state)?;
    closure::project(model, state, data)?;
    state.step += 1;
    data.invalidate();
    detect_contacts(model, state, data);
    cable::after_step(model, state, data);
    slots::update(model, state, data, latch);
    state.account.kinetic.include(data.kinetic);
    state.account.potential.include(data.potential);
    Ok(())
}

/// Makes the quaternions of `q` unit again; what is idle stays as it is.
fn normalize(model: &Model, activity: &Activity, q: &mut [f64]) {
    for free in model.free.iter().filter(|free| !activity.is_idle(free.body)) {
        let r = free.pose_wc(q).rotation.normalize();
        q[free.q + 3..free.q + 7].copy_from_slice(&[r.x, r.y, r.z, r.w]);
    }
    for (joint, link) in model.moving_joints().filter(|(_, link)| !activity.is_idle(link.body)) {
        joint.normalize(&mut q[link.q..link.q + joint.nq()]);
    }
}
