//! Cables at their own rate.
//!
//! A cable whose pull the bodies hardly notice within its step need not be stepped with them. The bodies go ahead under the wrenches that it put on
//! them at the ends of its last two steps, extrapolated linearly. As soon as they are a step of the cable ahead, it follows with generalized-α,
//! its ends where the bodies have gone: at the end of its step if that is the longer one, on a cubic between both ends of theirs otherwise. So nothing of
//! the cable's motion is guessed. What the bodies got too much or too little of its pull is made good during the next step, so that
//! momentum is kept, with a delay. A cable on bodies that forces do not move loses nothing at all.
//!
//! The work that the bodies get and the work that the cable gives differ by what was guessed: it is booked as `coupling`, so that the account still
//! closes, and shows what own rates cost. Between its steps a cable is told as it was at the end of the last.

use super::balance::MADE;
use super::evaluate::{CableData, Powers};
use super::system::{CableSystem, PortKind};
use super::{Cable, CableError, CableState, DAMPING, FINE, FLUID, MESH, PAYOUT, SEABED, SOURCES};
use crate::data::BodyKinematics;
use crate::evaluate::{ground, kinematics};
use crate::integrator::{AlphaMethod, AlphaScratch, Equations, Patience, Unsolved, newton};
use crate::state::Account;
use crate::tangent::Weights;
use crate::{BodyId, CableId, Data, Model, State, StepError, World};
use fender_math::{Pose, Twist, Vec3, Wrench};
use serde::{Deserialize, Serialize};

/// Newton steps at most, and how often a step that does not converge or makes energy may be halved.
const ITERATIONS: u32 = 30;
const HALVINGS: u32 = 6;
/// Largest mass, as part of a body's own, that a cable at its own rate may be worth at the body within a step. A mass on a taut rope without
/// damping gains energy from about here on; with damping it bears several times as much.
const LOOSE: f64 = 0.02;

/// The source of what was guessed, after a cable's other sources.
pub(crate) const COUPLING: usize = SOURCES.len();

/// A rate of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Step [s], at most.
    pub step: f64,
    /// Spectral radius of generalized-α at infinite frequency: 1 damps nothing.
    pub radius: f64,
}

/// What a cable at its own rate remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaceState {
    /// Its own time [s].
    pub time: f64,
    /// How what holds and guides it moved then, and what the cable put on it then and a step before.
    pub(crate) held: Vec<Held>,
    /// Length of that step, and how far the bodies were ahead of the cable before it followed them last [s].
    pub(crate) span: f64,
    ahead: f64,
    /// Accelerations then: algorithmic and true.
    algorithmic: Vec<f64>,
    accelerations: Vec<f64>,
    /// Energies and powers then.
    pub(crate) now: Now,
    /// Energy that went to and fro between it and its bodies so far [J].
    exchanged: f64,
}

/// Energies [J] and powers [W] of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Now {
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
    pub(crate) powers: Powers,
}

impl Now {
    fn energy(&self) -> f64 {
        self.kinetic + self.potential + self.powers.stored
    }
}

/// A body that holds or guides a cable, at the cable's own time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub(crate) body: BodyId,
    pose: Pose,
    center: Vec3,
    twist: Twist,
    /// Of its centre.
    acceleration: Twist,
    /// About its centre.
    wrench: Wrench,
    before: Wrench,
    /// What it should have got of the cable so far, less what it got [N·s, N·m·s].
    owed: Wrench,
}

impl PaceState {
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self { time, held, span, ahead, algorithmic, accelerations, now, exchanged } = other;
        self.held.clone_from(held);
        self.algorithmic.clone_from(algorithmic);
        self.accelerations.clone_from(accelerations);
        (self.time, self.span, self.ahead) = (*time, *span, *ahead);
        (self.now, self.exchanged) = (*now, *exchanged);
    }

    /// What the cable puts on the bodies now, by what it did.
    pub(crate) fn wrenches(&self, time: f64) -> impl Iterator<Item = (BodyId, Wrench)> {
        let ahead = if self.span > 0.0 { (time - self.time) / self.span } else { 0.0 };
        let rate = if self.ahead > 0.0 { 1.0 / self.ahead } else { 0.0 };
        self.held.iter().map(move |held| {
            let grown = scaled(held.wrench - held.before, ahead);
            (held.body, held.wrench + grown + scaled(held.owed, rate))
        })
    }

    /// Bodies have gone ahead by a time [s] under these wrenches: what they got is no longer owed.
    fn settle_up(&mut self, time: f64) {
        let grown = if self.span > 0.0 { 0.5 * time * time / self.span } else { 0.0 };
        let part = if self.ahead > 0.0 { time / self.ahead } else { 0.0 };
        for held in &mut self.held {
            let got = scaled(held.wrench, time)
                + scaled(held.wrench - held.before, grown)
                + scaled(held.owed, part);
            held.owed = held.owed - got;
        }
        self.ahead = time;
    }

    /// The cable has put its wrenches on the bodies for a time [s].
    fn owe(&mut self, time: f64) {
        for held in &mut self.held {
            held.owed += scaled(held.wrench, time);
        }
    }

    /// Power that its bodies gave it at its own time [W].
    fn given(&self) -> f64 {
        -self.held.iter().map(|held| held.wrench.power(&held.twist)).sum::<f64>()
    }
}

fn scaled(wrench: Wrench, by: f64) -> Wrench {
    Wrench { force: wrench.force * by, torque: wrench.torque * by }
}

/// Scratch of a cable at its own rate.
#[derive(Debug, Default)]
pub(crate) struct PaceData {
    /// Bodies as the cable sees them at its own time.
    pub(crate) bodies: Vec<BodyKinematics>,
    /// Whether the cable's own scratch is that of its own time.
    pub(crate) fresh: bool,
    wrenches: Vec<Wrench>,
    now: Now,
    place: Vec<f64>,
    velocity: Vec<f64>,
    rates: Vec<f64>,
    system: CableSystem,
    work: AlphaScratch,
    /// Where its step started.
    start: CableState,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// One step of a cable.
struct Alone<'a> {
    model: &'a Model,
    cable: &'a Cable,
    own: &'a CableState,
    time: f64,
    q: &'a [f64],
    bodies: &'a [BodyKinematics],
    place: &'a mut Vec<f64>,
    velocity: &'a mut Vec<f64>,
    data: &'a mut CableData,
    rates: &'a mut [f64],
    system: &'a mut CableSystem,
}

impl Equations for Alone<'_> {
    fn go(&mut self, v: &[f64], by: &[f64]) {
        let Self { model, cable, own, time, q, bodies, place, velocity, data, rates, .. } = self;
        velocity.clear();
        velocity.extend_from_slice(v);
        place.clear();
        place.extend(q.iter().zip(by).map(|(q, by)| q + by));
        cable.set(own, *time, (place, velocity), bodies, data);
        cable.within(own, model, *time, (place, velocity), None, bodies, data, rates);
    }

    fn accelerations(&self) -> &[f64] {
        self.rates
    }

    fn factor(&mut self, weights: Weights) -> bool {
        self.system.write_held(self.cable, self.own, self.data, weights)
    }

    fn quick(&self) -> bool {
        true
    }

    fn times_mass(&mut self, x: &mut [f64]) {
        self.system.times_mass(self.cable, x);
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.system.solve_own(self.cable, self.own, self.data, x);
        self.system.finish(self.cable, self.own, &[], x);
    }
}

/// Lets all cables with a rate of their own begin. Kinematics of the bodies must be up to date.
pub(crate) fn begin(model: &Model, state: &mut State, data: &mut Data) {
    for i in (0..model.cables.len()).filter(|i| model.cables[*i].pace.is_some()) {
        let bodies = model.cables[i].bodies();
        let held = bodies.into_iter().map(|body| Held::new(model, state.time, body, &data.bodies)).collect();
        state.cables[i].pace = Some(PaceState { time: state.time, held, ..PaceState::default() });
        renew(model, state, data, i);
    }
    data.invalidate();
}

/// Forces, energies and accelerations of a cable that was changed by hand are those of what it is now; it remembers nothing else.
pub(crate) fn renew(model: &Model, state: &mut State, data: &mut Data, index: usize) {
    refresh(model, state, data, index);
    let Some(pace) = &mut state.cables[index].pace else { return };
    let PaceData { rates, wrenches, now, .. } = &data.paces[index];
    pace.algorithmic.clone_from(rates);
    pace.accelerations.clone_from(rates);
    (pace.now, pace.span, pace.ahead) = (*now, 0.0, 0.0);
    for held in &mut pace.held {
        held.wrench = wrenches[held.body.index()];
        (held.before, held.owed) = (held.wrench, Wrench::default());
    }
}

/// Brings a cable's scratch up to date with its own time.
pub(crate) fn refresh(model: &Model, state: &State, data: &mut Data, index: usize) {
    data.paces.resize_with(model.cables.len(), PaceData::default);
    let (cable, own) = (&model.cables[index], &state.cables[index]);
    let Some(pace) = &own.pace else { return };
    let Data { cables, bodies, paces, .. } = data;
    let scratch = &mut paces[index];
    scratch.bodies.clone_from(bodies);
    for held in &pace.held {
        let b = &mut scratch.bodies[held.body.index()];
        (b.pose, b.center, b.twist) = (held.pose, held.center, held.twist);
    }
    cable.look_alone(own, model, cable.own(state), pace, &mut cables[index], scratch);
}

/// Lets the cables follow that the bodies are a step ahead of; or all of them, up to the bodies.
pub(crate) fn keep_up(model: &Model, state: &mut State, data: &mut Data, all: bool) -> Result<(), StepError> {
    for (index, cable) in model.cables.iter().enumerate() {
        let (Some(rate), Some(pace)) = (&cable.pace, &state.cables[index].pace) else { continue };
        let ahead = state.time - pace.time;
        if ahead <= 0.0 || !all && ahead < rate.step * (1.0 - 1e-9) {
            continue;
        }
        if !data.detected {
            kinematics(model, state, data);
        }
        follow(model, state, data, index, rate)?;
        data.invalidate();
    }
    Ok(())
}

/// Takes a cable to the bodies' time.
fn follow(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    index: usize,
    rate: &Pace,
) -> Result<(), StepError> {
    let cable = &model.cables[index];
    let place = cable.v..cable.v + cable.coordinates();
    let at = cable.q..cable.q + cable.coordinates();
    let scratch = &mut data.paces[index];
    scratch.start.copy_from(&state.cables[index]);
    scratch.q.clear();
    scratch.q.extend_from_slice(&state.q[at.clone()]);
    scratch.v.clear();
    scratch.v.extend_from_slice(&state.v[place.clone()]);
    let ahead = state.time - scratch.start.pace.as_ref().map_or(state.time, |pace| pace.time);
    let steps = (ahead / rate.step - 1e-9).ceil().max(1.0) as u32;
    // More where it has become taut fast.
    let fine = state.cable_statistics.get(index).is_some_and(|figures| figures.is_fine(state.time - ahead));
    let steps = if fine { FINE * steps } else { steps };
    for halvings in 0..=HALVINGS {
        let mut booked = Booked::default();
        if let Some(pace) = &mut state.cables[index].pace {
            pace.settle_up(ahead);
        }
        let count = steps << halvings;
        let mut left = Ok(());
        for part in 0..count {
            left = step(model, state, data, index, (part, count), &mut booked);
            if left.is_err() {
                break;
            }
        }
        let (before, after) = (&data.paces[index].start.pace, &state.cables[index].pace);
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        let made = after.now.energy() - before.now.energy() + booked.lost();
        let makes = made > MADE * (after.now.kinetic + after.now.powers.stored);
        match left {
            Ok(()) if !makes || halvings == HALVINGS => {
                booked.write(cable, &mut state.account);
                if let Some(figures) = state.cable_statistics.get_mut(index) {
                    figures.parts = count;
                }
                if let Some(pace) = &mut state.cables[index].pace {
                    pace.exchanged += booked.exchanged;
                }
                return Ok(());
            }
            Err(Unsolved { change, .. }) if halvings == HALVINGS => {
                let (time, cable) = (before.time, cable.name.clone());
                return Err(StepError::CableNotConverged { time, cable, change, halvings });
            }
            _ => {}
        }
        let scratch = &data.paces[index];
        state.cables[index].copy_from(&scratch.start);
        state.q[at.clone()].copy_from_slice(&scratch.q);
        state.v[place.clone()].copy_from_slice(&scratch.v);
    }
    Ok(())
}

/// One of equal steps to the bodies' time; otherwise says how much velocities still changed.
fn step(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    index: usize,
    (part, count): (u32, u32),
    booked: &mut Booked,
) -> Result<(), Unsolved> {
    let cable = &model.cables[index];
    let Data { cables, bodies, paces, .. } = data;
    let (scratch, data) = (&mut paces[index], &mut cables[index]);
    let radius = cable.pace.map_or(1.0, |pace| pace.radius);
    let coefficients = AlphaMethod::GeneralizedAlpha { radius }.coefficients();
    let (at, place) = (cable.q..cable.q + cable.coordinates(), cable.v..cable.v + cable.coordinates());
    let (Some(start), end) = (&scratch.start.pace, state.time) else { return Ok(()) };
    let whole = end - start.time;
    let done = f64::from(part + 1) / f64::from(count);
    let time = if part + 1 == count { end } else { start.time + done * whole };
    let own = &mut state.cables[index];
    let Some(pace) = &mut own.pace else { return Ok(()) };
    let h = time - pace.time;
    booked.add(pace, 0.5 * h);
    pace.owe(0.5 * h);
    // Where the bodies are at the end of this part.
    for (held, first) in pace.held.iter_mut().zip(&start.held) {
        let last = &bodies[held.body.index()];
        let twist = held.twist;
        first.on_the_way_to(last, whole, done, held);
        held.accelerate(model, time, &twist, h);
        let b = &mut scratch.bodies[held.body.index()];
        (b.pose, b.center, b.twist) = (held.pose, held.center, held.twist);
    }
    let mut work = std::mem::take(&mut scratch.work);
    work.true_start.clone_from(&pace.accelerations);
    work.true_end.clone_from(&pace.accelerations);
    work.start.clone_from(&pace.algorithmic);
    let mut alone = Alone {
        model,
        cable,
        own,
        // Something that starts or stops exactly at the end of the step belongs to the next one.
        time: time.next_down(),
        q: &state.q[at.clone()],
        bodies: &scratch.bodies,
        place: &mut scratch.place,
        velocity: &mut scratch.velocity,
        rates: &mut scratch.rates,
        data,
        system: &mut scratch.system,
    };
    let patience = Patience { iterations: ITERATIONS, accepted: 0.0 };
    let solved = newton(&coefficients, h, patience, (&state.v[place.clone()], &[]), &mut work, &mut alone);
    if solved.is_ok() {
        state.q[at.clone()].copy_from_slice(&scratch.place);
        state.v[place.clone()].copy_from_slice(&scratch.velocity);
        let own = &mut state.cables[index];
        let coordinates = (&state.q[at], &state.v[place]);
        booked.dissipated[SEABED] += cable.end_step(own, model, time, coordinates, &scratch.bodies, data);
        let Some(pace) = &mut own.pace else { return Ok(()) };
        pace.algorithmic.clone_from(&work.end);
        pace.accelerations.clone_from(&work.true_end);
        (pace.time, pace.span) = (time, h);
        let mut pace = own.pace.take().unwrap_or_default();
        cable.look_alone(own, model, coordinates, &pace, data, scratch);
        pace.now = scratch.now;
        for held in &mut pace.held {
            (held.before, held.wrench) = (held.wrench, scratch.wrenches[held.body.index()]);
        }
        booked.add(&pace, 0.5 * h);
        pace.owe(0.5 * h);
        own.pace = Some(pace);
    }
    scratch.work = work;
    solved
}

impl Held {
    fn new(model: &Model, time: f64, body: BodyId, bodies: &[BodyKinematics]) -> Self {
        let BodyKinematics { pose, center, twist, .. } = bodies[body.index()];
        let none = Wrench::default();
        let acceleration = ground(model, time, body);
        Self { body, pose, center, twist, acceleration, wrench: none, before: none, owed: none }
    }

    /// Where and how fast a body is at a part of its way of `whole` seconds from here to `last`.
    fn on_the_way_to(&self, last: &BodyKinematics, whole: f64, part: f64, to: &mut Self) {
        if part >= 1.0 {
            (to.pose, to.center, to.twist) = (last.pose, last.center, last.twist);
            return;
        }
        let (s, rest) = (part, 1.0 - part);
        // Hermite's cubic, and its derivative.
        let (a, b) = (self.center, last.center);
        let (va, vb) = (self.twist.linear, last.twist.linear);
        let way = b - a;
        to.center = a * (rest * rest * (1.0 + 2.0 * s))
            + b * (s * s * (3.0 - 2.0 * s))
            + (va * (rest * rest * s) - vb * (s * s * rest)) * whole;
        to.twist.linear =
            way * (6.0 * s * rest / whole) + va * (rest * (1.0 - 3.0 * s)) - vb * (s * (2.0 - 3.0 * s));
        to.twist.angular = self.twist.angular.lerp(last.twist.angular, s);
        let (p, q) = (self.pose.rotation, last.pose.rotation);
        to.pose.rotation = (p * rest + if p.dot(q) < 0.0 { -q } else { q } * s).normalize();
        let arm = last.pose.rotation.conjugate() * (last.pose.translation - last.center);
        to.pose.translation = to.center + to.pose.rotation * arm;
    }

    /// Its acceleration: known where a motion is prescribed, else by what its velocity changed within the step.
    fn accelerate(&mut self, model: &Model, time: f64, before: &Twist, h: f64) {
        self.acceleration = if model.bodies[self.body.index()].yields() {
            Twist {
                linear: (self.twist.linear - before.linear) / h,
                angular: (self.twist.angular - before.angular) / h,
            }
        } else {
            ground(model, time, self.body)
        };
    }

    /// Acceleration of its point that is at a place.
    fn acceleration_at(&self, place: Vec3) -> Vec3 {
        let (r, omega) = (place - self.center, self.twist.angular);
        self.acceleration.at(r) + omega.cross(omega.cross(r))
    }
}

impl Cable {
    /// Everything that can be said of it at its own time, into its scratch.
    fn look_alone(
        &self,
        own: &CableState,
        model: &Model,
        coordinates: (&[f64], &[f64]),
        pace: &PaceState,
        data: &mut CableData,
        scratch: &mut PaceData,
    ) {
        let PaceData { bodies, wrenches, rates, fresh, now, .. } = scratch;
        rates.resize(self.coordinates(), 0.0);
        wrenches.resize(bodies.len(), Wrench::default());
        for held in &pace.held {
            wrenches[held.body.index()] = Wrench::default();
        }
        self.set(own, pace.time, coordinates, bodies, data);
        let mut powers = self.within(own, model, pace.time, coordinates, None, bodies, data, rates);
        for i in 0..own.nodes.len() {
            let Some(tie) = own.holds(i) else { continue };
            let body = self.ties[tie].1.point.body;
            let Some(held) = pace.held.iter().find(|held| Some(held.body) == body) else { continue };
            data.hold_back(i, held.acceleration_at(data.position[i]), &mut powers);
        }
        self.on_bodies(own, bodies, data, wrenches);
        let (kinetic, potential) = self.energies(own, model.gravity, coordinates.1, data, |_| true);
        (*now, *fresh) = (Now { kinetic, potential, powers }, true);
    }
}

/// Powers of a cable's steps, times how long [J].
#[derive(Clone, Copy, Debug, Default)]
struct Booked {
    dissipated: [f64; COUPLING + 1],
    work: [f64; COUPLING + 1],
    exchanged: f64,
}

impl Booked {
    fn add(&mut self, pace: &PaceState, time: f64) {
        let powers = &pace.now.powers;
        self.dissipated[DAMPING] += time * powers.dissipated;
        self.dissipated[FLUID] += time * powers.drag;
        self.dissipated[SEABED] += time * powers.seabed;
        self.work[FLUID] += time * powers.fluid;
        self.work[PAYOUT] += time * powers.payout;
        self.work[MESH] += time * powers.flow;
        self.work[COUPLING] += time * pace.given();
        self.exchanged += time * pace.given().abs();
    }

    /// Energy lost less work done.
    fn lost(&self) -> f64 {
        self.dissipated.iter().sum::<f64>() - self.work.iter().sum::<f64>()
    }

    fn write(&self, cable: &Cable, account: &mut Account) {
        for i in 0..=COUPLING {
            account.dissipated[cable.source + i] += self.dissipated[i];
            account.work[cable.source + i] += self.work[i];
        }
    }
}

impl World {
    /// What a rate of its own made of the energy that a cable and its bodies exchanged so far, and all of that [J]; nothing for one without, and
    /// for one on bodies that no force moves, which loses nothing.
    pub fn coupling(&self, cable: CableId) -> Option<(f64, f64)> {
        let (cable, own) = (&self.model.cables[cable.index()], &self.state.cables[cable.index()]);
        let felt = cable.bodies().iter().any(|body| self.model.bodies[body.index()].yields());
        let pace = own.pace.as_ref().filter(|_| felt)?;
        Some((self.state.account.work[cable.source + COUPLING], pace.exchanged))
    }
}

/// Whether bodies would notice a cable with a rate of its own within its step: a body that is pushed feels the cable as a mass. `data` must be up to date
/// with the cable as one that goes with the bodies.
pub(crate) fn check(
    model: &Model,
    state: &State,
    data: &Data,
    index: usize,
    pace: &Pace,
) -> Result<(), CableError> {
    let cable = &model.cables[index];
    let weights = AlphaMethod::GeneralizedAlpha { radius: pace.radius }.coefficients().weights(pace.step);
    let mut system = CableSystem::default();
    if !system.write(cable, model, state, index, (&data.cables[index], &data.bodies), weights) {
        return Ok(());
    }
    let n = system.ports.len();
    for (i, port) in system.ports.iter().enumerate() {
        if !matches!(port.kind, PortKind::Place(_) | PortKind::Guide(_)) {
            continue;
        }
        let block = system.between[i * n + i];
        let felt = (0..3).map(|k| block.col(k).length()).fold(0.0, f64::max);
        let mass = 1.0 / data.bodies[port.body.index()].inverse_mass;
        if felt > LOOSE * mass {
            let body = model.bodies[port.body.index()].name.clone();
            return Err(CableError::TooTight { body, felt, mass, step: pace.step });
        }
    }
    Ok(())
}
