//! From a cable's state to the accelerations of its nodes and the forces on what holds it: the list of stages.

use super::augmented::Augmented;
use super::axial::Stretch;
use super::balance::EnergyBalance;
use super::bending::BendingData;
use super::carried::{Carried, Holder, holder, known_acceleration};
use super::guide::Course;
use super::loads::{FluidLoad, load};
use super::spline::Spline;
use super::torsion::{TorsionData, turn_across};
use super::{Cable, CableState, DAMPING, FLUID, Guide, Line, MESH, PAYOUT, SEABED, pace};
use crate::data::BodyKinematics;
use crate::evaluate::Treatment;
use crate::{BodyId, Data, Model, State};
use fender_math::{Mat3, Vec3, Wrench};
use serde::{Deserialize, Serialize};

/// What is at a node: sums over the pieces of cable about it, and what it carries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeLoad {
    /// Mass [kg].
    pub(crate) mass: f64,
    /// Displaced volume [m³].
    pub(crate) volume: f64,
    /// Drag coefficient times area, across and along the cable, and of a lump in any direction [m²].
    pub(crate) drag_n: f64,
    pub(crate) drag_t: f64,
    pub(crate) drag: f64,
    /// Added mass coefficient times volume, across and along [m³], and added mass of a lump [kg].
    pub(crate) added_n: f64,
    pub(crate) added_t: f64,
    pub(crate) added: f64,
    /// Diameter times length [m²].
    pub(crate) footprint: f64,
    /// Largest diameter [m].
    pub(crate) diameter: f64,
}

impl NodeLoad {
    /// Adds a piece of line of a length [m].
    #[inline]
    pub(super) fn add(&mut self, line: &Line, length: f64) {
        self.mass += line.mass * length;
        self.volume += line.volume * length;
        self.footprint += line.diameter * length;
        self.drag_n += line.drag_normal * line.diameter * length;
        self.drag_t += line.drag_tangential * std::f64::consts::PI * line.diameter * length;
        self.added_n += line.added_normal * line.volume * length;
        self.added_t += line.added_tangential * line.volume * length;
        self.diameter = self.diameter.max(line.diameter);
    }
}

/// Energies [J] and powers [W] of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Powers {
    pub(crate) stored: f64,
    /// Lost inside the cable.
    pub(crate) dissipated: f64,
    /// Lost to drag.
    pub(crate) drag: f64,
    /// Work of water and wind that move, and of added mass.
    pub(crate) fluid: f64,
    /// Lost on the seabed.
    pub(crate) seabed: f64,
    /// Work of payout.
    pub(crate) payout: f64,
    /// Work of mass that goes from node to node.
    pub(crate) flow: f64,
}

/// Scratch of a cable, for one instant.
#[derive(Clone, Debug, Default)]
pub struct CableData {
    pub(crate) position: Vec<Vec3>,
    pub(crate) velocity: Vec<Vec3>,
    pub(crate) held: Vec<bool>,
    pub(crate) length: Vec<f64>,
    pub(crate) speed: f64,
    pub(crate) course: Vec<Course>,
    pub(crate) lengthening: Vec<f64>,
    /// What takes the place of the axial law, in the search for equilibrium alone.
    pub(crate) augmented: Augmented,
    pub(crate) stretch: Vec<Stretch>,
    pub(crate) loads: Vec<NodeLoad>,
    pub(crate) tangent: Vec<Vec3>,
    pub(crate) fluid: Vec<FluidLoad>,
    pub(crate) by_velocity: Vec<Mat3>,
    pub(crate) by_place: Vec<Mat3>,
    /// Change of a node's force with the direction of the cable there.
    pub(crate) by_direction: Vec<Mat3>,
    pub(crate) acceleration: Vec<Vec3>,
    pub(crate) bending: BendingData,
    pub(crate) torsion: TorsionData,
    pub(crate) force: Vec<Vec3>,
    /// Weight of elements through guides: element, what of it is on its nodes, all of it [N].
    pub(crate) guided: Vec<(usize, [Vec3; 2], Vec3)>,
    /// Torque of each end on what clamps it [N·m].
    pub(crate) clamp_torque: [Vec3; 2],
    /// The centre line and forces that statistics look at.
    pub(crate) spline: Spline,
    pub(crate) spare: Vec<Vec3>,
    /// Power that it puts into the bodies that hold and guide it [W].
    pub(crate) given: f64,
    /// Its energies and what goes into it; at the ends of steps and of their parts alone.
    pub(crate) balance: EnergyBalance,
}

impl CableData {
    /// Inertia of a held node whose acceleration is known [m/s²] joins its force.
    pub(super) fn hold_back(&mut self, node: usize, acceleration: Vec3, powers: &mut Powers) {
        let taken = self.inertia(node) * acceleration;
        self.force[node] -= taken;
        powers.fluid -= (taken - acceleration * self.loads[node].mass).dot(self.velocity[node]);
    }
}

/// Where all cables are, how long their elements, what mass is where; kinetic and potential energy [J].
pub(crate) fn kinematics(model: &Model, state: &State, data: &mut Data) -> (f64, f64) {
    data.cables.resize_with(model.cables.len(), CableData::default);
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (i, (cable, own)) in model.cables.iter().zip(&state.cables).enumerate() {
        if !data.islands.counts_cable(model, i) {
            continue;
        }
        let energies = if let Some(pace) = &own.pace {
            if !data.paces.get(i).is_some_and(|scratch| scratch.fresh) {
                pace::refresh(model, state, data, i);
            }
            (pace.now.kinetic, pace.now.potential)
        } else {
            let (coordinates, data, bodies) = (cable.own(state), &mut data.cables[i], &data.bodies);
            cable.set(own, state.time, coordinates, bodies, data);
            let counts = |body: Option<BodyId>| holder(model, body) != Holder::Link;
            cable.energies(own, model.gravity, coordinates.1, data, counts)
        };
        kinetic += energies.0;
        potential += energies.1;
    }
    (kinetic, potential)
}

/// Forces, accelerations and powers of all cables; their forces on bodies join the wrenches. Kinematics must be up to date.
pub(crate) fn forces(model: &Model, state: &State, data: &mut Data, treatment: Treatment) {
    let half = if let Treatment::Middle(half) = treatment { Some(half) } else { None };
    data.rates.v.resize(model.nv, 0.0);
    data.carried.clear();
    for (i, cable) in model.cables.iter().enumerate() {
        let own = &state.cables[i];
        if let Some(pace) = &own.pace {
            data.rates.v[cable.v..cable.v + cable.coordinates()].fill(0.0);
            if data.islands.counts_cable(model, i) {
                data.stored += pace.now.powers.stored;
            }
            for (body, wrench) in pace.wrenches(state.time) {
                if !data.islands.counts(body) {
                    continue;
                }
                data.wrenches[body.index()] += wrench;
                let power = wrench.power(&data.bodies[body.index()].twist);
                data.rates.work[cable.source + pace::COUPLING] += power;
            }
            continue;
        }
        if !data.islands.counts_cable(model, i) {
            continue;
        }
        let powers = cable.evaluate(own, model, state, (i, half), data);
        if treatment == Treatment::Instant {
            let balance = cable.balance(own, model, cable.own(state).1, &powers, &data.cables[i]);
            data.cables[i].balance = balance;
        }
        let rates = &mut data.rates;
        data.stored += powers.stored;
        rates.dissipated[cable.source + DAMPING] += powers.dissipated;
        rates.dissipated[cable.source + FLUID] += powers.drag;
        rates.work[cable.source + FLUID] += powers.fluid;
        rates.dissipated[cable.source + SEABED] += powers.seabed;
        rates.work[cable.source + PAYOUT] += powers.payout;
        rates.work[cable.source + MESH] += powers.flow;
    }
}

impl Cable {
    /// Its own coordinates and velocities.
    pub(crate) fn own<'a>(&self, state: &'a State) -> (&'a [f64], &'a [f64]) {
        let count = self.coordinates();
        (&state.q[self.q..self.q + count], &state.v[self.v..self.v + count])
    }

    /// Places, lengths, courses, and what mass is where.
    pub(super) fn set(
        &self,
        own: &CableState,
        time: f64,
        coordinates: (&[f64], &[f64]),
        bodies: &[BodyKinematics],
        data: &mut CableData,
    ) {
        self.place(own, time, coordinates, bodies, data);
        self.courses(own, bodies, data);
        self.shares(own, data);
    }

    /// Kinetic and potential energy [J]; that of held nodes counts if what holds them does.
    pub(super) fn energies(
        &self,
        own: &CableState,
        gravity: Vec3,
        v: &[f64],
        data: &CableData,
        counts: impl Fn(Option<BodyId>) -> bool,
    ) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for i in 0..own.nodes.len() {
            let counted = own.holds(i).is_none_or(|tie| counts(self.ties[tie].1.point.body));
            let mass = data.loads[i].mass;
            kinetic += if counted { 0.5 * mass * data.velocity[i].length_squared() } else { 0.0 };
            potential -= mass * gravity.dot(data.position[i]);
        }
        potential += self.at_guides(own, gravity, data);
        for (e, element) in own.elements.iter().enumerate().filter(|_| self.twists) {
            let inertia = self.lines[element.line as usize].inertia * data.length[e];
            let spin = v[self.angle(e)];
            kinetic += 0.5 * inertia * spin * spin;
        }
        (kinetic, potential)
    }

    fn evaluate(
        &self,
        own: &CableState,
        model: &Model,
        state: &State,
        (index, half): (usize, Option<f64>),
        data: &mut Data,
    ) -> Powers {
        let Data { cables, bodies, wrenches, rates, carried, .. } = data;
        let data = &mut cables[index];
        let rates = &mut rates.v[self.v..self.v + self.coordinates()];
        let mut powers = self.within(own, model, state.time, self.own(state), half, bodies, data, rates);
        self.carry(own, model, state.time, bodies, data, carried, &mut powers);
        self.on_bodies(own, bodies, data, wrenches);
        powers
    }

    /// Forces on its nodes and their accelerations; inertia of held nodes is not among the forces yet.
    #[allow(clippy::too_many_arguments)] // the list of a stage
    pub(super) fn within(
        &self,
        own: &CableState,
        model: &Model,
        time: f64,
        coordinates: (&[f64], &[f64]),
        half: Option<f64>,
        bodies: &[BodyKinematics],
        data: &mut CableData,
        rates: &mut [f64],
    ) -> Powers {
        let mut powers = Powers::default();
        data.force.clear();
        data.force.resize(own.nodes.len(), Vec3::ZERO);
        self.stretch(own, data, half, &mut powers);
        self.entering(own, model.gravity, data, &mut powers);
        if self.twists {
            self.twist(own, coordinates, bodies, data, &mut powers);
            self.initial_curvature(own, coordinates.0, data);
        }
        if self.bends {
            self.bend(own, bodies, data, &mut powers);
        }
        if self.twists {
            self.turn_initial(own, coordinates.0, data);
            turn_across(own, data);
        }
        load(own, &model.surroundings, model.gravity, time, data, &mut powers);
        self.through_guides(own, model.gravity, bodies, data, &mut powers);
        self.accelerate(own, data, rates, &mut powers);
        powers
    }

    /// What the potential energy of elements through guides is more than that of their mass at the nodes [J]: it is that of their whole
    /// course.
    fn at_guides(&self, own: &CableState, gravity: Vec3, data: &CableData) -> f64 {
        let mut more = 0.0;
        for (e, element) in own.elements.iter().enumerate().filter(|(_, e)| e.is_guided()) {
            let mass = self.lines[element.line as usize].mass * data.length[e];
            let [a, b] = data.course[e].sides;
            let mean = (data.position[e] * a + data.position[e + 1] * b) / (a + b);
            more += mass * gravity.dot(mean - data.course[e].middle);
        }
        more
    }

    /// The weight of an element through a guide acts where it is, so that its energy is that of its whole course: with U = m·V/l and V = −∫g·r ds, ∂V/∂P is
    /// −g·P along the cable, where it is lengthened, and −½ l_side g across, where it turns about the guide. The rest is on the guide. As the
    /// cable slides, mass goes from one side to the other, and its kinetic energy goes with it.
    fn through_guides(
        &self,
        own: &CableState,
        gravity: Vec3,
        bodies: &[BodyKinematics],
        data: &mut CableData,
        powers: &mut Powers,
    ) {
        data.guided.clear();
        for (e, element) in own.elements.iter().enumerate() {
            if element.guide == super::state::NONE {
                continue;
            }
            let (course, line) = (data.course[e], &self.lines[element.line as usize]);
            let [la, lb] = course.sides;
            let (whole, mass) = (la + lb, line.mass * data.length[e]);
            let weight = |p: Vec3, by: Vec3, free: f64| {
                let across = gravity - by * by.dot(gravity);
                (across * (0.5 * free) + by * gravity.dot(p - course.middle)) * (mass / course.length)
            };
            let off = course.around.is_none()
                && matches!(self.guides[element.guide as usize].1, Guide::Sheave { .. });
            let on = if off {
                [gravity * (0.5 * mass); 2]
            } else {
                let [a, b] = [data.position[e], data.position[e + 1]];
                [weight(a, course.by_a, course.free[0]), weight(b, course.by_b, course.free[1])]
            };
            // All of it is at the nodes already.
            data.force[e] += on[0] - gravity * (mass * la / whole);
            data.force[e + 1] += on[1] - gravity * (mass * lb / whole);
            data.guided.push((e, on, gravity * mass));
            let (by_la, by_lb) = (lb / (whole * whole), -la / (whole * whole));
            let (va, vb) = (data.velocity[e], data.velocity[e + 1]);
            let (mut ra, mut rb) = (va, vb);
            if let Some(body) = self.guides[element.guide as usize].1.body() {
                let body = &bodies[body.index()];
                (ra, rb) =
                    (ra - body.velocity_at(data.position[e]), rb - body.velocity_at(data.position[e + 1]));
            }
            let flow = by_la * course.by_a.dot(ra) + by_lb * course.by_b.dot(rb);
            powers.flow += mass * flow * 0.5 * (va.length_squared() - vb.length_squared());
        }
    }

    fn accelerate(&self, own: &CableState, data: &mut CableData, rates: &mut [f64], powers: &mut Powers) {
        rates.fill(0.0);
        data.acceleration.clear();
        data.acceleration.resize(own.nodes.len(), Vec3::ZERO);
        for i in 0..own.nodes.len() {
            if data.held[i] {
                continue;
            }
            let (t, force, mass) = (data.tangent[i], data.force[i], data.loads[i].mass);
            let FluidLoad { across, along } = data.fluid[i];
            let pull = t * force.dot(t);
            let acceleration = (force - pull) / (mass + across) + pull / (mass + along);
            // Added mass takes part in the acceleration: what it takes, the water does.
            let taken = (acceleration - t * acceleration.dot(t)) * across + t * (acceleration.dot(t) * along);
            powers.fluid -= taken.dot(data.velocity[i]);
            data.acceleration[i] = acceleration;
            rates[3 * i..3 * i + 3].copy_from_slice(&acceleration.to_array());
        }
        if self.twists {
            for (e, element) in own.elements.iter().enumerate() {
                let inertia = self.lines[element.line as usize].inertia * data.length[e];
                let at = self.angle(e);
                if inertia > 0.0 {
                    rates[at] = data.torsion.force[e] / inertia;
                }
            }
        }
    }

    /// Inertia at held nodes.
    #[allow(clippy::too_many_arguments)] // the list of a stage
    fn carry(
        &self,
        own: &CableState,
        model: &Model,
        time: f64,
        bodies: &[BodyKinematics],
        data: &mut CableData,
        carried: &mut Vec<Carried>,
        powers: &mut Powers,
    ) {
        for i in 0..own.nodes.len() {
            let Some(tie) = own.holds(i) else { continue };
            let body = self.ties[tie].1.point.body;
            let inertia = data.inertia(i);
            match (holder(model, body), body) {
                (Holder::Free, Some(body)) => {
                    let b = &bodies[body.index()];
                    let place = carried.iter().position(|c| c.body == body).unwrap_or_else(|| {
                        carried.push(Carried::new(body));
                        carried.len() - 1
                    });
                    carried[place].add(inertia, data.position[i] - b.center, b.twist.angular);
                }
                (Holder::Ground, _) => {
                    let a = known_acceleration(model, time, body, data.position[i], bodies);
                    data.hold_back(i, a, powers);
                }
                _ => {}
            }
        }
    }

    /// What the cable puts on the bodies that hold and guide it.
    pub(super) fn on_bodies(
        &self,
        own: &CableState,
        bodies: &[BodyKinematics],
        data: &mut CableData,
        wrenches: &mut [Wrench],
    ) {
        for end in 0..2 {
            data.clamp_torque[end] = self.clamp_torque(data, end).torque;
        }
        let mut given = 0.0;
        let mut put = |body: Option<crate::BodyId>, force: Vec3, at: Vec3, torque: Vec3| {
            if let Some(body) = body {
                let r = at - bodies[body.index()].center;
                let mut wrench = Wrench::from_force_at(force, r);
                wrench.torque += torque;
                wrenches[body.index()] += wrench;
                given += wrench.power(&bodies[body.index()].twist);
            }
        };
        for i in 0..own.nodes.len() {
            if let Some(tie) = own.holds(i) {
                let torque = if tie < 2 { data.clamp_torque[tie] } else { Vec3::ZERO };
                put(self.ties[tie].1.point.body, data.force[i], data.position[i], torque);
            }
        }
        for (e, element) in own.elements.iter().enumerate() {
            if element.guide == super::state::NONE {
                continue;
            }
            let body = self.guides[element.guide as usize].1.body();
            let tension = data.stretch[e].tension;
            put(body, data.course[e].by_a * tension, data.position[e], Vec3::ZERO);
            put(body, data.course[e].by_b * tension, data.position[e + 1], Vec3::ZERO);
        }
        for (e, on, weight) in &data.guided {
            let body = self.guides[own.elements[*e].guide as usize].1.body();
            put(body, -on[0], data.position[*e], Vec3::ZERO);
            put(body, -on[1], data.position[*e + 1], Vec3::ZERO);
            put(body, *weight, data.course[*e].middle, Vec3::ZERO);
        }
        data.given = given;
    }
}
