//! From a state to its derivatives: the list of stages.

use crate::activity::velocities_of;
use crate::body::BodyMotion;
use crate::cable;
use crate::closure;
use crate::contact::{detect, laws};
use crate::data::BodyKinematics;
use crate::joint::MAX_DOF;
use crate::model::JointAction;
use crate::tree::{self, Carrier, LinkData};
use crate::{BodyId, Control, ControllerId, Data, ForceId, ForceSink, Model, State};
use fender_math::{Mat3, Pose, Twist, Vec3, Wrench, rotation};

/// How contact damping and friction are evaluated.
///
/// Both are stiff when a contact comes to rest. Error control can follow that with small steps; a fixed step cannot,
/// so fixed-step methods treat them implicitly, contact by contact (see `contact::laws`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Treatment {
    /// As the laws say for this instant.
    Instant,
    /// At the end of an implicit step of this length [s], which the contacts' memory takes too: the state's memory is that of
    /// its start.
    Implicit(f64),
    /// In the middle of a step, this time [s] after its start and before its end, both of which follow from the state and its
    /// velocity: forces of cables are then such that they keep the energy of the whole step. Contacts as in `Implicit`.
    Middle(f64),
    /// For a stage of a method with this step [s]: as the laws say where that is stable, implicit where it is not.
    Stage(f64),
    /// Over a whole step of this length [s]: implicit midpoint, turning into backward Euler where stiff.
    Step(f64),
}

/// Computes everything that follows from a state: kinematics, contacts, forces, accelerations, powers.
pub fn evaluate(model: &Model, control: &Control, state: &State, data: &mut Data, treatment: Treatment) {
    if data.evaluated == Some(treatment) && data.control == *control {
        return;
    }
    data.control.push.clone_from(&control.push);
    detect_contacts(model, state, data);
    forces(model, control, state, data);
    actions(model, state, data);
    controllers(model, state, data);
    if !model.cables.is_empty() {
        cable::forces(model, state, data, treatment);
    }
    laws::conservative(model, state, data, treatment);
    laws::dissipative(model, state, data, treatment);
    accelerate(model, state, data);
    if !data.carried.is_empty() {
        cable::carried_work(model, state, data);
    }
    joint_reactions(model, data);
    closure::on_carriers(model, data);
    driver_work(model, data);
    data.evaluated = Some(treatment);
}

/// The stages that depend on positions and velocities only, without forces.
pub fn detect_contacts(model: &Model, state: &State, data: &mut Data) {
    if data.detected {
        return;
    }
    kinematics(model, state, data);
    detect::pairs(model, state, data);
    detect::overlaps(model, state, data);
    data.islands.mark(model, state, &mut data.contacts);
    data.detected = true;
}

/// Pose, velocity, inverse mass and energy of every body.
pub(crate) fn kinematics(model: &Model, state: &State, data: &mut Data) {
    if data.bodies.len() != model.bodies.len() {
        data.bodies.clear();
        data.bodies.extend(model.bodies.iter().map(BodyKinematics::at_start));
        data.centers.clear();
        data.centers.extend(data.bodies.iter().map(|b| b.center));
    }
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for free in &model.free {
        let mut pose_wc = free.pose_wc(&state.q);
        // Between the stages of a step the quaternion is not quite unit; at accepted states it is, and stays as it is.
        let excess = pose_wc.rotation.length_squared() - 1.0;
        if excess.abs() > 4.0 * f64::EPSILON {
            pose_wc.rotation = pose_wc.rotation.normalize();
        }
        let (linear, omega) = free.velocity(&state.v);
        let k = &mut data.bodies[free.body.index()];
        k.center = pose_wc.translation;
        k.pose = if free.central { pose_wc } else { pose_wc * free.pose_cb };
        if !free.isotropic {
            let r = Mat3::from_quat(pose_wc.rotation);
            k.inverse_inertia = r * Mat3::from_diagonal(free.inverse_inertia) * r.transpose();
            k.gyroscopic = r * (free.inertia * omega).cross(omega);
        }
        k.twist = Twist { linear, angular: pose_wc.rotation * omega };
        if data.islands.counts(free.body) {
            kinetic += 0.5 * (free.mass * linear.length_squared() + omega.dot(free.inertia * omega));
            potential -= free.mass * model.gravity.dot(k.center);
        }
        data.centers[free.body.index()] = k.pose.translation;
    }
    for id in &model.driven {
        if let BodyMotion::Driven { series } = &model.bodies[id.index()].motion {
            let sample = series.sample(state.time);
            let k = &mut data.bodies[id.index()];
            (k.pose, k.center, k.twist) = (sample.pose, sample.pose.translation, sample.twist);
            data.centers[id.index()] = k.center;
        }
    }
    let Data { bodies, links, centers, islands, .. } = data;
    links.resize(model.links.len(), LinkData::default());
    tree::kinematics(&model.links, state.time, &state.q, &state.v, bodies, links);
    for (link, d) in model.links.iter().zip(links) {
        let k = &bodies[link.body.index()];
        centers[link.body.index()] = k.pose.translation;
        if matches!(link.carrier, Carrier::Joint { .. }) && islands.counts(link.body) {
            let spin = k.twist.angular.dot(d.inertia * k.twist.angular);
            kinetic += 0.5 * (link.mass * k.twist.linear.length_squared() + spin);
            potential -= link.mass * model.gravity.dot(k.center);
        }
    }
    // What is idle does not give way.
    for id in &state.activity.idle {
        let k = &mut data.bodies[id.index()];
        (k.inverse_mass, k.inverse_inertia) = (0.0, Mat3::ZERO);
    }
    if !model.cables.is_empty() {
        let (of_motion, of_height) = cable::kinematics(model, state, data);
        kinetic += of_motion;
        potential += of_height;
    }
    (data.kinetic, data.potential) = (kinetic, potential);
}

/// Forces that are not contacts: the control's pushes and the force elements. Gravity joins in `accelerate`.
fn forces(model: &Model, control: &Control, state: &State, data: &mut Data) {
    data.wrenches.clear();
    data.wrenches.resize(model.bodies.len(), Wrench::default());
    let rates = &mut data.rates;
    for powers in [&mut rates.dissipated, &mut rates.work] {
        powers.clear();
        powers.resize(model.sources.len(), 0.0);
    }
    data.stored = 0.0;
    for (body, push) in control.push.iter().filter(|(body, _)| data.islands.counts(*body)) {
        data.wrenches[body.index()] += *push;
        rates.work[Model::CONTROL_SOURCE] += push.power(&data.bodies[body.index()].twist);
    }
    for (i, (_, force)) in model.forces.iter().enumerate() {
        let id = ForceId(i as u32);
        if state.activity.is_off(id) || !data.islands.counts_force(id) {
            continue;
        }
        let mut sink = ForceSink {
            bodies: &data.bodies,
            wrenches: &mut data.wrenches,
            stored: 0.0,
            dissipated: 0.0,
            work: 0.0,
        };
        force.apply(state.time, &data.bodies, &mut sink);
        let source = model.force_source(id);
        data.stored += sink.stored;
        rates.dissipated[source] += sink.dissipated;
        rates.work[source] += sink.work;
    }
}

/// What acts on the joints' coordinates.
fn actions(model: &Model, state: &State, data: &mut Data) {
    for d in &mut data.links {
        d.force = [0.0; MAX_DOF];
    }
    for (i, JointAction { joint, coordinate, action }) in model.actions.iter().enumerate() {
        let at = model.joints[joint.index()].link;
        let link = &model.links[at];
        if !data.islands.counts(link.body) {
            continue;
        }
        let answer = action.apply(state.time, state.q[link.q + coordinate], state.v[link.v + coordinate]);
        data.links[at].force[*coordinate] += answer.force;
        data.stored += answer.stored;
        let source = model.action_source(i);
        data.rates.dissipated[source] += answer.dissipated;
        data.rates.work[source] += answer.work;
    }
}

/// What controllers hold.
fn controllers(model: &Model, state: &State, data: &mut Data) {
    for (i, controller) in model.controllers.iter().enumerate() {
        let id = ControllerId(i as u32);
        if data.islands.counts_controller(model, id) {
            let power = controller.drive.apply(state.outputs[i], model, state, data);
            data.rates.work[model.controller_source(id)] += power;
        }
    }
}

/// Newton and Euler for every free body, in its central frame; the articulated-body algorithm for trees.
fn accelerate(model: &Model, state: &State, data: &mut Data) {
    data.rates.v.resize(model.nv, 0.0);
    for free in model.free.iter().filter(|free| !free.root) {
        let (wrench, body) = (&data.wrenches[free.body.index()], &data.bodies[free.body.index()]);
        let linear = model.gravity + wrench.force * body.inverse_mass;
        let turned = body.pose.rotation;
        let rotation = if free.central { turned } else { turned * free.pose_bc.rotation };
        let torque = rotation.conjugate() * wrench.torque;
        let (_, omega) = free.velocity(&state.v);
        // I ω̇ = τ − ω × I ω.
        let angular = (torque - omega.cross(free.inertia * omega)) * free.inverse_inertia;
        let out = &mut data.rates.v[free.v..free.v + 6];
        out.copy_from_slice(&[linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]);
    }
    for i in 0..data.carried.len() {
        accelerate_laden(model, data, i);
    }
    accelerate_trees(model, state, data);
    for id in &state.activity.idle {
        data.rates.v[velocities_of(model, *id)].fill(0.0);
    }
}

/// A free body with cables on it: (M + carried)·a = wrench − what velocities ask for.
fn accelerate_laden(model: &Model, data: &mut Data, index: usize) {
    let carried = &data.carried[index];
    let body = carried.body;
    let Some(free) = &model.bodies[body.index()].free else { return };
    let (wrench, b) = (&data.wrenches[body.index()], &data.bodies[body.index()]);
    let gyroscopic = {
        let rotation = b.pose.rotation * free.pose_bc.rotation;
        let omega = rotation.conjugate() * b.twist.angular;
        rotation * omega.cross(free.inertia * omega)
    };
    let left = Wrench {
        force: model.gravity * free.mass + wrench.force - carried.bias.force,
        torque: wrench.torque - gyroscopic - carried.bias.torque,
    };
    // A mass matrix can be inverted.
    if let Some(a) = carried.give_way(free, b, &left) {
        data.rates.v[free.v..free.v + 6].copy_from_slice(&a);
    }
}

/// Acceleration of a body that forces do not move; a driven body's frame has its origin in its centre.
pub(crate) fn ground(model: &Model, time: f64, body: BodyId) -> Twist {
    match &model.bodies[body.index()].motion {
        BodyMotion::Driven { series } => series.sample(time).acceleration,
        _ => Twist::default(),
    }
}

/// Accelerations of the trees under the wrenches on their bodies, with their loops closed.
pub(crate) fn accelerate_trees(model: &Model, state: &State, data: &mut Data) {
    if model.links.is_empty() {
        return;
    }
    if !model.loops.is_empty() {
        closure::forces(model, state, data);
    }
    let Data { bodies, wrenches, links, rates, .. } = data;
    rates.v.resize(model.nv, 0.0);
    let carrying = |body: BodyId| ground(model, state.time, body);
    tree::accelerations(&model.links, bodies, wrenches, model.gravity, carrying, links, &mut rates.v);
    for link in state.activity.idle.iter().filter_map(|id| model.bodies[id.index()].link) {
        let (link, d) = (&model.links[link], &mut links[link]);
        rates.v[link.v..link.v + link.nv].fill(0.0);
        d.set_idle();
    }
}

/// What the joints put on the driven bodies that carry trees, and the work of guides.
fn joint_reactions(model: &Model, data: &mut Data) {
    for joint in &model.joints {
        let (link, d) = (&model.links[joint.link], &data.links[joint.link]);
        let Carrier::Joint { link: parent, body, .. } = &link.carrier else { continue };
        if !data.islands.counts(link.body) {
            continue;
        }
        if let (None, Some(body)) = (parent, body) {
            let Wrench { force, torque } = d.reaction();
            let on_parent = Wrench { force: -force, torque: -torque - d.r.cross(force) };
            data.wrenches[body.index()] += on_parent;
        }
        if let Some(guide) = joint.guide {
            data.rates.work[model.guide_source(guide)] += d.reaction().power(&d.relative);
        }
    }
}

/// Power that driven bodies put into the scene: minus the power of the forces on them.
fn driver_work(model: &Model, data: &mut Data) {
    for id in &model.driven {
        let power = data.wrenches[id.index()].power(&data.bodies[id.index()].twist);
        data.rates.work[Model::DRIVER_SOURCE] -= power;
    }
}

/// Derivatives of the coordinates: ẋ = v, q̇ = ½ q ω.
pub(crate) fn coordinate_rates(model: &Model, state: &State, rates: &mut Vec<f64>) {
    rates.resize(model.nq, 0.0);
    for free in &model.free {
        let (v, omega) = free.velocity(&state.v);
        let q = rotation::rate_body(free.pose_wc(&state.q).rotation, omega);
        rates[free.q..free.q + 7].copy_from_slice(&[v.x, v.y, v.z, q.x, q.y, q.z, q.w]);
    }
    for (joint, link) in model.moving_joints() {
        let n = link.q..link.q + joint.nq();
        joint.rates(&state.q[n.clone()], &state.v[link.v..link.v + link.nv], &mut rates[n]);
    }
    for cable in &model.cables {
        let own = &mut rates[cable.q..cable.q + cable.coordinates()];
        if cable.pace.is_some() {
            own.fill(0.0);
        } else {
            own.copy_from_slice(&state.v[cable.v..cable.v + cable.coordinates()]);
        }
    }
}

/// Acceleration of a body frame's origin and angular acceleration, in the world; `data` must be up to date.
pub(crate) fn acceleration(model: &Model, state: &State, data: &Data, body: BodyId) -> Twist {
    let b = &model.bodies[body.index()];
    let kinematics = &data.bodies[body.index()];
    match (&b.motion, &b.free) {
        (BodyMotion::Driven { series }, _) => series.sample(state.time).acceleration,
        (_, None) if b.link.is_some_and(|i| i < data.links.len()) => {
            let d = &data.links[b.link.unwrap_or_default()].acceleration;
            let r = kinematics.pose.translation - kinematics.center;
            let omega = kinematics.twist.angular;
            Twist { linear: d.at(r) + omega.cross(omega.cross(r)), angular: d.angular }
        }
        (_, Some(free)) => {
            let a = &data.rates.v[free.v..free.v + 6];
            let rotation = (kinematics.pose * free.pose_bc).rotation;
            // ω̇ has the same components in both frames' derivatives: d(Rω)/dt = R ω̇ since ω × ω = 0.
            let angular = rotation * Vec3::new(a[3], a[4], a[5]);
            let r = kinematics.pose.translation - kinematics.center;
            let omega = kinematics.twist.angular;
            let linear = Vec3::new(a[0], a[1], a[2]) + angular.cross(r) + omega.cross(omega.cross(r));
            Twist { linear, angular }
        }
        _ => Twist::default(),
    }
}

/// Pose of a shape in the world.
#[inline]
pub(crate) fn shape_pose(data_pose: &Pose, pose_bs: &Pose, central: bool) -> Pose {
    if central { *data_pose } else { *data_pose * *pose_bs }
}
