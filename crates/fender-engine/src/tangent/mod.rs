//! Tangents: how the generalised forces Q change with coordinates and velocities.
//!
//! Implicit methods solve with S = m·M − c·∂Q/∂v − k·∂Q/∂q, statics and modes with parts of it. Force elements, contacts and
//! closures say how their forces change with the relative displacement and velocity of their points ([`TangentSink`]); this
//! module carries that over to the coordinates of free bodies and trees. Forces also do so by themselves when the
//! points they act on are turned by the coordinates: a pendulum's stiffness is that of its weight. What is left out is
//! the change of the inertia forces (velocities squared) and of the normals of contacts: Newton's method bears both, as
//! residuals are exact.

mod patch;
mod plan;

pub(crate) use plan::TangentPlan;

use crate::cable::{CableData, CableState, CableSystem, Carried, PortKind, force_on};
use crate::closure::Instant;
use crate::contact::{Contact, laws};
use crate::data::BodyKinematics;
use crate::evaluate::Treatment;
use crate::joint::Coordinate;
use crate::model::JointAction;
use crate::tree::{self, Carrier, LinkData};
use crate::{Activity, BodyId, Data, ForceId, Model, State};
use fender_contact::{Memory, PointOverlap, RELAXED};
use fender_math::tridiagonal::applied;
use fender_math::{Mat3, Skyline, Vec3};

/// Factors of the mass matrix, of damping and of stiffness in S = m·M + c·C + k·K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) mass: f64,
    pub(crate) damping: f64,
    pub(crate) stiffness: f64,
}

/// Motion of a body's point with one velocity.
#[derive(Clone, Copy, Debug)]
struct Column {
    unknown: usize,
    angular: Vec3,
    /// Of the point.
    linear: Vec3,
    /// Link (or body, beyond the links), and whether it is a component of an angular velocity there.
    link: usize,
    spin: bool,
}

/// How a force and a torque change with a displacement (or velocity) and a turning (or angular velocity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrenchChange {
    /// Force by displacement.
    pub(crate) force_linear: Mat3,
    /// Force by turning.
    pub(crate) force_angular: Mat3,
    /// Torque by displacement.
    pub(crate) torque_linear: Mat3,
    /// Torque by turning.
    pub(crate) torque_angular: Mat3,
}

impl WrenchChange {
    /// A torque that changes with the turning (or angular velocity) only.
    pub(crate) fn of_turning(torque_angular: Mat3) -> Self {
        Self {
            force_linear: Mat3::ZERO,
            force_angular: Mat3::ZERO,
            torque_linear: Mat3::ZERO,
            torque_angular,
        }
    }

    /// Force and torque `row` times the change of one number, which is `column` dotted with displacement and turning.
    pub(crate) fn outer(row: (Vec3, Vec3), column: (Vec3, Vec3)) -> Self {
        Self {
            force_linear: outer(row.0, column.0),
            force_angular: outer(row.0, column.1),
            torque_linear: outer(row.1, column.0),
            torque_angular: outer(row.1, column.1),
        }
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self {
            force_linear: self.force_linear * factor,
            force_angular: self.force_angular * factor,
            torque_linear: self.torque_linear * factor,
            torque_angular: self.torque_angular * factor,
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            force_linear: self.force_linear + other.force_linear,
            force_angular: self.force_angular + other.force_angular,
            torque_linear: self.torque_linear + other.torque_linear,
            torque_angular: self.torque_angular + other.torque_angular,
        }
    }

    /// Force and torque for a displacement and a turning.
    pub(crate) fn times(&self, linear: Vec3, angular: Vec3) -> (Vec3, Vec3) {
        (
            self.force_linear * linear + self.force_angular * angular,
            self.torque_linear * linear + self.torque_angular * angular,
        )
    }
}

/// Where force elements put their tangents.
#[derive(Debug)]
pub struct TangentSink<'a> {
    model: &'a Model,
    activity: &'a Activity,
    bodies: &'a [BodyKinematics],
    links: &'a [LinkData],
    plan: &'a TangentPlan,
    weights: Weights,
    matrix: &'a mut Skyline,
    columns: &'a mut Vec<Column>,
}

impl TangentSink<'_> {
    /// A force on `a` at the point `pa`, and its opposite on `b` at `pb`, changes with the displacement [N/m] and the
    /// velocity [N·s/m] of the first point relative to the second. `None` is a place that does not move.
    pub fn relative(
        &mut self,
        (a, pa): (Option<BodyId>, Vec3),
        (b, pb): (Option<BodyId>, Vec3),
        by_displacement: Mat3,
        by_velocity: Mat3,
    ) {
        self.columns.clear();
        self.collect(a, pa);
        let first = self.columns.len();
        self.collect(b, pb);
        for column in &mut self.columns[first..] {
            column.linear = -column.linear;
        }
        let change = by_displacement * self.weights.stiffness + by_velocity * self.weights.damping;
        for i in &*self.columns {
            for j in &*self.columns {
                self.matrix.add(i.unknown, j.unknown, -i.linear.dot(change * j.linear));
            }
        }
    }

    /// A force and a torque about `point` on `a`, and their opposites on `b`, change with the relative displacement and turning there,
    /// and with their rates. The point is at rest in `b`, so that the first body moves away under the `fixed` part of the force [N].
    pub(crate) fn relative_wrench(
        &mut self,
        (a, b): (BodyId, BodyId),
        point: Vec3,
        by_displacement: &WrenchChange,
        by_velocity: &WrenchChange,
        fixed: Vec3,
    ) {
        self.columns.clear();
        self.collect(Some(a), point);
        let first = self.columns.len();
        self.collect(Some(b), point);
        for column in &mut self.columns[first..] {
            (column.linear, column.angular) = (-column.linear, -column.angular);
        }
        let (k, c) = (self.weights.stiffness, self.weights.damping);
        let change = by_displacement.scaled(k).plus(&by_velocity.scaled(c));
        for (row, i) in self.columns.iter().enumerate() {
            for j in &*self.columns {
                let (force, torque) = change.times(j.linear, j.angular);
                let torque = if row < first { torque - j.linear.cross(fixed) * k } else { torque };
                self.matrix.add(i.unknown, j.unknown, -(i.linear.dot(force) + i.angular.dot(torque)));
            }
        }
    }

    /// A torque on `a`, and its opposite on `b`, changes with the relative turning [N·m/rad] and angular velocity.
    pub fn turning(&mut self, a: Option<BodyId>, b: Option<BodyId>, by_angle: Mat3, by_velocity: Mat3) {
        self.columns.clear();
        self.collect(a, Vec3::ZERO);
        let first = self.columns.len();
        self.collect(b, Vec3::ZERO);
        for column in &mut self.columns[first..] {
            column.angular = -column.angular;
        }
        let change = by_angle * self.weights.stiffness + by_velocity * self.weights.damping;
        for i in &*self.columns {
            for j in &*self.columns {
                self.matrix.add(i.unknown, j.unknown, -i.angular.dot(change * j.angular));
            }
        }
    }

    /// A force [N] that keeps its direction acts on a point of a body: coordinates turn the point's motion under it.
    pub fn dead(&mut self, body: BodyId, point: Vec3, force: Vec3) {
        self.columns.clear();
        self.collect(Some(body), point);
        let k = self.weights.stiffness;
        for (n, i) in self.columns.iter().enumerate() {
            for j in &self.columns[..=n] {
                // `j` is nearer to the body: `i` turns it, and it does not turn `i`. Within one angular velocity, whose
                // axes go with the body, each turns the other.
                let change = i.angular.dot(j.linear.cross(force));
                if i.spin && j.spin && i.link == j.link && i.unknown != j.unknown {
                    self.matrix.add(j.unknown, i.unknown, -k * change);
                    let other = j.angular.dot(i.linear.cross(force));
                    self.matrix.add(i.unknown, j.unknown, -k * other);
                } else {
                    self.matrix.add_both(i.unknown, j.unknown, -k * change);
                }
            }
        }
    }

    /// A torque [N·m] that keeps its direction acts on a body: coordinates turn the axes of those nearer to it.
    pub fn dead_torque(&mut self, body: BodyId, torque: Vec3) {
        self.columns.clear();
        self.collect(Some(body), Vec3::ZERO);
        let k = self.weights.stiffness;
        for (n, i) in self.columns.iter().enumerate() {
            for j in &self.columns[..n] {
                let change = torque.dot(i.angular.cross(j.angular));
                self.matrix.add(j.unknown, i.unknown, -k * change);
                if i.spin && j.spin && i.link == j.link {
                    self.matrix.add(i.unknown, j.unknown, k * change);
                }
            }
        }
    }

    /// A force [N] and a torque [N·m] that turn with a body act on it at a point.
    pub fn following(&mut self, body: BodyId, point: Vec3, force: Vec3, torque: Vec3) {
        self.columns.clear();
        self.collect(Some(body), point);
        let k = self.weights.stiffness;
        for i in &*self.columns {
            for j in &*self.columns {
                let change = i.linear.dot(j.angular.cross(force)) + i.angular.dot(j.angular.cross(torque));
                self.matrix.add(i.unknown, j.unknown, -k * change);
            }
        }
    }

    /// A force [N] and a torque [N·m] on `a` at a point, and their opposites on `b`, turn with `b`.
    pub(crate) fn following_pair(
        &mut self,
        (a, b): (BodyId, BodyId),
        point: Vec3,
        force: Vec3,
        torque: Vec3,
    ) {
        self.columns.clear();
        self.collect(Some(b), point);
        let of_b = self.columns.len();
        self.collect(Some(a), point);
        let k = self.weights.stiffness;
        for (row, i) in self.columns.iter().enumerate() {
            let k = if row < of_b { k } else { -k };
            for j in &self.columns[..of_b] {
                let change = i.linear.dot(j.angular.cross(force)) + i.angular.dot(j.angular.cross(torque));
                self.matrix.add(i.unknown, j.unknown, k * change);
            }
        }
    }

    /// Columns of a body's point, from the body to its root.
    fn collect(&mut self, body: Option<BodyId>, point: Vec3) {
        let Some(body) = body.filter(|body| !self.activity.is_idle(*body)) else { return };
        if let Some(link) = self.model.bodies[body.index()].link {
            let mut at = Some(link);
            while let Some(i) = at {
                let (link, d) = (&self.model.links[i], &self.links[i]);
                let arm = point - self.bodies[link.body.index()].center;
                let motions = tree::columns(link, d, self.bodies);
                // Later coordinates of a joint are nearer to the body.
                for k in (0..link.nv).rev() {
                    let spin = match &link.carrier {
                        Carrier::Nothing(_) => k >= 3,
                        Carrier::Joint { joint, .. } => {
                            matches!(joint.coordinates()[k], Coordinate::Spin(_))
                        }
                    };
                    let (linear, angular) = (motions[k].at(arm), motions[k].angular);
                    let unknown = self.plan.unknown(link.v + k);
                    self.columns.push(Column { unknown, angular, linear, link: i, spin });
                }
                at = link.parent();
            }
        } else if let Some(free) = &self.model.bodies[body.index()].free {
            let k = &self.bodies[body.index()];
            let arm = point - k.center;
            let rotation = k.pose.rotation * free.pose_bc.rotation;
            let link = usize::MAX;
            for (i, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let angular = rotation * axis;
                let unknown = self.plan.unknown(free.v + 3 + i);
                self.columns.push(Column { unknown, angular, linear: angular.cross(arm), link, spin: true });
            }
            for (i, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let unknown = self.plan.unknown(free.v + i);
                self.columns.push(Column { unknown, angular: Vec3::ZERO, linear: axis, link, spin: false });
            }
        }
    }
}

/// How the coordinates of a body move a port of a cable on it.
#[derive(Clone, Debug, Default)]
struct PortColumns {
    cable: usize,
    port: usize,
    columns: Vec<Column>,
}

/// Scratch of the tangent.
#[derive(Debug, Default)]
pub(crate) struct Tangent {
    pub(crate) plan: TangentPlan,
    /// The mass matrix.
    pub(crate) mass: Skyline,
    /// c·C + k·K.
    pub(crate) stiff: Skyline,
    /// S with the penalty of the loops, or its factors.
    pub(crate) matrix: Skyline,
    /// The systems of the cables, which of them are stepped now, and whether those could all be solved.
    pub(crate) cables: Vec<CableSystem>,
    stepped: Vec<bool>,
    sound: bool,
    motions: Vec<Vec3>,
    ports: Vec<PortColumns>,
    columns: Vec<Column>,
    composite: Vec<tree::ArticulatedInertia>,
    links: Vec<usize>,
    residual: Vec<f64>,
    product: Vec<f64>,
}

impl Tangent {
    /// Writes the mass matrix of all coordinates; forces must have been evaluated, as their contacts tell the profile.
    pub(crate) fn write_mass(
        &mut self,
        model: &Model,
        bodies: &[BodyKinematics],
        links: &[LinkData],
        carried: &[Carried],
    ) {
        if self.mass.len() != self.plan.profile.len() || self.mass.first() != self.plan.profile {
            self.mass = Skyline::new(self.plan.profile.clone());
            self.matrix = self.mass.clone();
            self.stiff = self.mass.clone();
        }
        self.mass.clear();
        for free in model.free.iter().filter(|free| !free.root) {
            for i in 0..3 {
                let (linear, angular) = (self.plan.unknown(free.v + i), self.plan.unknown(free.v + 3 + i));
                self.mass.add(linear, linear, free.mass);
                self.mass.add(angular, angular, free.inertia[i]);
            }
        }
        for Carried { body, inertia, .. } in carried {
            let Some(free) = &model.bodies[body.index()].free else { continue };
            // Angular velocities are along the principal axes.
            let rotation = bodies[body.index()].pose.rotation * free.pose_bc.rotation;
            let axis = |k: usize| -> [f64; 6] {
                let a = rotation * Vec3::AXES[k % 3];
                std::array::from_fn(|i| match (k < 3, i < 3) {
                    (true, true) => f64::from(u8::from(i == k)),
                    (false, false) => a[i - 3],
                    _ => 0.0,
                })
            };
            for i in 0..6 {
                let pushed = applied(inertia, &axis(i));
                for j in 0..=i {
                    let value: f64 = axis(j).iter().zip(&pushed).map(|(a, b)| a * b).sum();
                    let (i, j) = (self.plan.unknown(free.v + i), self.plan.unknown(free.v + j));
                    self.mass.add_both(i, j, value);
                }
            }
        }
        self.links.clear();
        self.links.extend(0..model.links.len());
        let (mass, plan) = (&mut self.mass, &self.plan);
        tree::mass_entries(&model.links, &self.links, bodies, links, &mut self.composite, |i, j, value| {
            mass.add_both(plan.unknown(i), plan.unknown(j), value);
        });
    }

    /// Replaces S by its factors; `false` if it has none.
    pub(crate) fn factor(&mut self) -> bool {
        self.sound && self.matrix.factor()
    }

    /// x ← M·x, in the places of `State::v`.
    pub(crate) fn times_mass(&mut self, model: &Model, x: &mut [f64]) {
        for ((cable, system), stepped) in model.cables.iter().zip(&self.cables).zip(&self.stepped) {
            let own = &mut x[cable.v..cable.v + cable.coordinates()];
            if *stepped { system.times_mass(cable, own) } else { own.fill(0.0) }
        }
        Self::times(&self.mass, &self.plan, &mut self.residual, &mut self.product, x);
    }

    /// x ← (c·C + k·K)·x, in the places of `State::v`.
    pub(crate) fn times_stiff(&mut self, x: &mut [f64]) {
        Self::times(&self.stiff, &self.plan, &mut self.residual, &mut self.product, x);
    }

    fn times(
        matrix: &Skyline,
        plan: &TangentPlan,
        sorted: &mut Vec<f64>,
        product: &mut Vec<f64>,
        x: &mut [f64],
    ) {
        sorted.clear();
        sorted.extend(plan.unknowns.iter().map(|v| x[*v]));
        product.resize(plan.unknowns.len(), 0.0);
        matrix.multiply(sorted, product);
        for (value, v) in product.iter().zip(&plan.unknowns) {
            x[*v] = *value;
        }
    }

    /// Solves with the factors of S in place, in the places of `State::v`: cables first, then bodies, then what the bodies do to the
    /// cables.
    pub(crate) fn solve(&mut self, model: &Model, cables: &[CableState], data: &[CableData], x: &mut [f64]) {
        self.residual.clear();
        self.residual.extend(self.plan.unknowns.iter().map(|v| x[*v]));
        for (i, cable) in model.cables.iter().enumerate().filter(|(i, _)| self.stepped[*i]) {
            let system = &mut self.cables[i];
            system.solve_own(cable, &cables[i], &data[i], &x[cable.v..cable.v + cable.coordinates()]);
        }
        for PortColumns { cable, port, columns } in &self.ports {
            let (port, forced) = (&self.cables[*cable].ports[*port], self.cables[*cable].forced[*port]);
            for column in columns {
                self.residual[column.unknown] -= port.motion(column.linear, column.angular).dot(forced);
            }
        }
        self.matrix.solve(&mut self.residual);
        for (i, cable) in model.cables.iter().enumerate().filter(|(i, _)| self.stepped[*i]) {
            self.motions.clear();
            for PortColumns { port, columns, .. } in self.ports.iter().filter(|port| port.cable == i) {
                let port = &self.cables[i].ports[*port];
                let moved = |column: &Column| {
                    port.motion(column.linear, column.angular) * self.residual[column.unknown]
                };
                self.motions.push(columns.iter().map(moved).sum());
            }
            let own = cable.v..cable.v + cable.coordinates();
            self.cables[i].finish(cable, &cables[i], &self.motions, &mut x[own]);
        }
        for (value, v) in self.residual.iter().zip(&self.plan.unknowns) {
            x[*v] = *value;
        }
    }
}

/// Writes M and S for the state that `data` has been evaluated for, with the penalty of the loops (see
/// `closure::penalties`) times `penalty`.
pub(crate) fn write(model: &Model, state: &State, data: &mut Data, weights: Weights, penalty: f64) {
    let mut tangent = std::mem::take(&mut data.tangent);
    tangent.plan.update(model, data);
    tangent.write_mass(model, &data.bodies, &data.links, &data.carried);
    tangent.stiff.clear();
    for JointAction { joint, coordinate, action } in &model.actions {
        let link = &model.links[model.joints[joint.index()].link];
        let (q, v) = (link.q + coordinate, link.v + coordinate);
        let answer = action.apply(state.time, state.q[q], state.v[v]);
        let change = weights.damping * answer.by_rate + weights.stiffness * answer.by_position;
        let unknown = tangent.plan.unknown(v);
        tangent.stiff.add(unknown, unknown, -change);
    }
    let Tangent { plan, stiff, columns, .. } = &mut tangent;
    let mut sink = TangentSink {
        model,
        activity: &state.activity,
        bodies: &data.bodies,
        links: &data.links,
        plan,
        weights,
        matrix: stiff,
        columns,
    };
    for (i, (_, force)) in model.forces.iter().enumerate() {
        if !state.activity.is_off(ForceId(i as u32)) {
            force.tangent(state.time, &data.bodies, &mut sink);
        }
    }
    for (controller, output) in model.controllers.iter().zip(&state.outputs) {
        controller.drive.tangent(*output, &data.bodies, &mut sink);
    }
    for link in &model.links {
        let weight = model.gravity * link.mass;
        if weights.stiffness != 0.0 && weight != Vec3::ZERO {
            sink.dead(link.body, data.bodies[link.body.index()].center, weight);
        }
    }
    for (l, closed) in model.loops.iter().enumerate() {
        let at = Instant { time: state.time, q: &state.q, bodies: &data.bodies, state: &state.loops[l] };
        closed.closure.tangent(&at, data.closures.multipliers_of(l), &mut sink);
    }
    for (contact, patch) in data.contacts.with_patches().filter(|(contact, _)| contact.bears(model)) {
        match patch {
            Some(patch) => patch::write(model, state, contact, patch, data.evaluated, &mut sink),
            None => contact_tangent(model, state, contact, data.evaluated, &mut sink),
        }
    }
    let Tangent { plan, mass, stiff, matrix, .. } = &mut tangent;
    matrix.copy_from(stiff);
    matrix.add_scaled(mass, weights.mass);
    if penalty > 0.0 {
        data.closures.add_penalties(model, |i, j, value| {
            matrix.add_both(plan.unknown(i), plan.unknown(j), penalty * value);
        });
    }
    tangent.sound = true;
    if !model.cables.is_empty() {
        cables(model, state, data, weights, &mut tangent);
    }
    data.tangent = tangent;
}

/// Writes the systems of the cables, and into S what bodies feel of each other and of themselves through them.
fn cables(model: &Model, state: &State, data: &Data, weights: Weights, tangent: &mut Tangent) {
    let mut systems = std::mem::take(&mut tangent.cables);
    let mut ports = std::mem::take(&mut tangent.ports);
    systems.resize_with(model.cables.len(), CableSystem::default);
    tangent.stepped.clear();
    let stepped =
        |(i, cable): (usize, &crate::Cable)| cable.pace.is_none() && data.islands.counts_cable(model, i);
    tangent.stepped.extend(model.cables.iter().enumerate().map(stepped));
    let mut used = 0;
    let Tangent { plan, matrix, columns, .. } = tangent;
    let mut sink = TangentSink {
        model,
        activity: &state.activity,
        bodies: &data.bodies,
        links: &data.links,
        plan,
        weights,
        matrix,
        columns,
    };
    for (i, (cable, system)) in model.cables.iter().zip(&mut systems).enumerate() {
        if !tangent.stepped[i] {
            continue;
        }
        let seen = (&data.cables[i], data.bodies.as_slice());
        if !system.write(cable, model, state, i, seen, weights) {
            // It has no answers at its ports, and `factor` refuses the whole.
            tangent.sound = false;
            continue;
        }
        let first = used;
        for (k, port) in system.ports.iter().enumerate() {
            sink.columns.clear();
            sink.collect(Some(port.body), port.at);
            if ports.len() == used {
                ports.push(PortColumns::default());
            }
            (ports[used].cable, ports[used].port) = (i, k);
            ports[used].columns.clone_from(sink.columns);
            used += 1;
        }
        let n = system.ports.len();
        for (a, from) in system.ports.iter().enumerate() {
            for (b, to) in system.ports.iter().enumerate() {
                let block = system.between[a * n + b];
                for row in &ports[first + a].columns {
                    let push = from.motion(row.linear, row.angular);
                    for column in &ports[first + b].columns {
                        let moved = to.motion(column.linear, column.angular);
                        sink.matrix.add(row.unknown, column.unknown, push.dot(block * moved));
                    }
                }
            }
        }
        // Forces that keep their direction while the bodies turn under them, and those on directions that turn with the bodies.
        for port in system.ports.iter().filter(|_| weights.stiffness != 0.0) {
            let (force, t) = (force_on(&data.cables[i], port), port.along);
            match port.kind {
                PortKind::Place(_) | PortKind::Guide(_) => sink.dead(port.body, port.at, force),
                PortKind::Direction(_) => {
                    sink.dead_torque(port.body, t.cross(force));
                    let by_angle = outer(t, force) - Mat3::IDENTITY * t.dot(force);
                    sink.turning(Some(port.body), None, by_angle, Mat3::ZERO);
                }
                PortKind::Turn(_) => sink.following(port.body, port.at, Vec3::ZERO, force),
            }
        }
    }
    ports.truncate(used);
    (tangent.cables, tangent.ports) = (systems, ports);
}

/// Force on the first body: n·F(depth, approach) + friction(slip, F), with depth' = approach = −n·u̇ for the motion u of the
/// first point relative to the second.
fn contact_tangent(
    model: &Model,
    state: &State,
    contact: &Contact,
    treatment: Option<Treatment>,
    sink: &mut TangentSink<'_>,
) {
    let rule = &model.rules[contact.rule.index()];
    let mut scratch = Memory::default();
    let memory = contact.memory(model, &state.slots, &mut scratch);
    let (n, point) = (contact.overlap.normal, contact.overlap.point);
    let depth = contact.overlap.depth - memory.flow[RELAXED];
    let normal = rule.normal.rate(&PointOverlap { depth, ..contact.overlap }, &contact.motion, memory);
    let law = rule.friction.as_ref();
    let friction = match treatment {
        Some(Treatment::Implicit(dt) | Treatment::Middle(dt)) if model.flows => {
            let spin = laws::spin(contact, sink.bodies);
            laws::end_of_step(law, normal.force, n, &contact.motion, memory, spin, dt).0
        }
        _ => law.update(normal.force, n, &contact.motion, memory, 0.0),
    };
    let along = outer(n + friction.by_normal, n);
    let across = friction.by_slip * (Mat3::IDENTITY - outer(n, n));
    let by_displacement = along * -normal.stiffness;
    let by_velocity = along * -normal.damping + across;
    let (a, b) = (contact.body_a, contact.body_b);
    sink.relative((Some(a), point), (Some(b), point), by_displacement, by_velocity);
    sink.dead(a, point, contact.force());
    sink.dead(b, point, -contact.force());
}

/// a bᵀ.
pub(crate) fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}
