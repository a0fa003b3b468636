//! Laws: from overlaps to forces.
//!
//! Contact damping is stiff when a contact comes to rest (c = f·y/v_small), and so is the slope of friction at zero
//! slip. Methods with error control take the laws as they are. For fixed steps, forces are found in two passes:
//!
//! 1. the conservative forces of all contacts, which give each body a *predicted* velocity at the end of the step;
//! 2. damping and friction of each contact from that prediction, implicitly in the contact's own relative velocity.
//!
//! In the second pass every contact must allow for the others on the same bodies. Each body's mass is split evenly over
//! its contacts (a body with four contacts answers each as a quarter of its mass would), so that all of them together
//! cannot reverse a motion that each alone would only stop: unconditionally stable, whatever the number of contacts.
//! Because the prediction holds gravity and the other loads, a body at rest stays at the depth the law says; because it
//! also holds last step's damping, friction and rolling resistance (kept in the slot), a body held by friction creeps no
//! faster than the law says, and slow motions of many contacts together, as the sway of a stack, are damped as the law
//! says: what a contact cannot know of the bodies beyond its own two, it finds step by step.

use super::detect::for_chunks;
use super::patch::{self, Yielding};
use super::{Arms, Chunk, Contact, ContactSlot, Jointed, Oblique, PatchContact, StepForces};
use crate::data::BodyKinematics;
use crate::evaluate::{Treatment, accelerate_trees, ground};
use crate::tree::{self, Carrier, LinkData};
use crate::{BodyId, Data, Model, ShapeId, State};
use fender_contact::{
    FLOW, FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion, PatchGradient, PointOverlap, RELAXED,
};
use fender_geom::Shape;
use fender_math::{Twist, Vec3, Wrench, rotation};

/// Normal laws: force and energy. For `Instant` also friction, and then everything is done.
pub(crate) fn conservative(model: &Model, state: &State, data: &mut Data, treatment: Treatment) {
    let Data { contacts, pairs, bodies, wrenches, loads, touching, .. } = data;
    loads.clone_from(wrenches);
    touching.clear();
    touching.resize(model.bodies.len(), 0);
    let work = |_, chunk: &mut Chunk| {
        chunk.flows.clear();
        let mut scratch = Memory::default();
        let Chunk { contacts, patches, flows, .. } = chunk;
        for contact in contacts {
            let spin = if model.flows { spin(contact, bodies) } else { Vec3::ZERO };
            let patch = patch_of(contact, patches);
            if let Some(flow) = normal_law(model, &state.slots, contact, patch, treatment, spin, &mut scratch)
            {
                flows.push(flow);
            }
        }
    };
    for_chunks(&mut contacts.chunks, pairs.pairs.len(), work, |chunk| {
        for contact in &chunk.contacts {
            touching[contact.body_a.index()] += 1;
            touching[contact.body_b.index()] += 1;
            apply(contact, chunk.patch(contact), bodies, wrenches);
        }
    });
    if let Treatment::Instant | Treatment::Implicit(_) | Treatment::Middle(_) = treatment {
        book(model, state, data, treatment);
    }
}

/// Damping and friction for fixed steps.
pub(crate) fn dissipative(model: &Model, state: &State, data: &mut Data, treatment: Treatment) {
    let dt = match treatment {
        Treatment::Instant | Treatment::Implicit(_) | Treatment::Middle(_) => return,
        Treatment::Stage(dt) | Treatment::Step(dt) => dt,
    };
    predict(model, state, data, dt);
    let Data { contacts, pairs, bodies, wrenches, loads, touching, predicted, links, .. } = data;
    let slots = &state.slots;
    // From the start again: what the first pass applied of damping, friction and rolling was only a guess.
    wrenches.clone_from(loads);
    let work = |_, chunk: &mut Chunk| {
        let mut scratch = Memory::default();
        let Chunk { contacts, patches, flows, .. } = chunk;
        for contact in contacts {
            if !contact.bears(model) {
                if model.flows {
                    flows.push([0.0; FLOW]);
                }
                continue;
            }
            let local = Local::new(contact, bodies, predicted, touching, (treatment, dt));
            let friction = if let Some(patch) = patch_of(contact, patches) {
                let arms = jointed(model, links, bodies, contact);
                let arms = arms.unwrap_or(Jointed { arms: oblique(contact, bodies), a: None, b: None });
                local.solve_patch(arms, model, slots, contact, patch, &mut scratch)
            } else if let Some(arms) = jointed(model, links, bodies, contact) {
                local.solve(arms, model, slots, contact, &mut scratch)
            } else if let Some(arms) = contact.radial {
                local.solve(arms, model, slots, contact, &mut scratch)
            } else {
                let carried = local.carried(model, contact);
                local.solve_with(oblique(contact, bodies), carried, model, slots, contact, &mut scratch)
            };
            if model.flows {
                flows.push(friction.flow);
            }
        }
    };
    for_chunks(&mut contacts.chunks, pairs.pairs.len(), work, |chunk| {
        for contact in &chunk.contacts {
            apply(contact, chunk.patch(contact), bodies, wrenches);
        }
    });
    book(model, state, data, treatment);
}

/// Arms of a contact on a link.
#[inline]
fn jointed<'a>(
    model: &Model,
    links: &'a [LinkData],
    bodies: &[BodyKinematics],
    contact: &Contact,
) -> Option<Jointed<'a>> {
    if links.is_empty() {
        return None;
    }
    let mobility = |body: BodyId| model.bodies[body.index()].link.map(|link| &links[link].mobility);
    let (a, b) = (mobility(contact.body_a), mobility(contact.body_b));
    (a.is_some() || b.is_some()).then(|| Jointed { arms: oblique(contact, bodies), a, b })
}

/// Books the contacts' energies, powers, friction forces and memory rates.
///
/// The powers of a whole step are those of the forces found, on the mean of the motion at its start and at its end: what
/// they take from the kinetic energy is then exactly what is booked.
fn book(model: &Model, state: &State, data: &mut Data, treatment: Treatment) {
    if let Treatment::Step(dt) = treatment {
        predict(model, state, data, dt);
    }
    let Data { contacts, pairs, bodies, predicted, rates, stored, bent, step_forces, .. } = data;
    step_forces.clear();
    step_forces.resize(state.slots.len(), StepForces::default());
    if model.flows {
        rates.flow.clear();
        rates.flow.resize(state.slots.len(), [0.0; FLOW]);
        bent.clear();
        bent.resize(model.rules.len(), 0.0);
    }
    let work = |_, chunk: &mut Chunk| {
        if !matches!(treatment, Treatment::Step(_)) {
            return;
        }
        let Chunk { contacts, patches, .. } = chunk;
        for contact in contacts {
            let ends = (&predicted[contact.body_a.index()], &predicted[contact.body_b.index()]);
            if let Some(patch) = patch_of(contact, patches) {
                let ks = (&bodies[contact.body_a.index()], &bodies[contact.body_b.index()]);
                book_patch(contact, patch, ends, ks);
                continue;
            }
            let n = contact.overlap.normal;
            let end = match contact.radial {
                Some(arms) => arms.relative_velocity(n, ends.0, ends.1),
                None => oblique(contact, bodies).relative_velocity(n, ends.0, ends.1),
            };
            let approach = 0.5 * (contact.motion.approach - n.dot(end));
            contact.damping_power = (contact.normal_force - contact.elastic) * approach;
            // Friction lies in the tangent plane: what of `end` is along the normal does no work on it.
            contact.friction_power -= 0.5 * contact.friction.dot(contact.motion.slip + end);
        }
    };
    for_chunks(&mut contacts.chunks, pairs.pairs.len(), work, |chunk| {
        for (i, contact) in chunk.contacts.iter().enumerate() {
            *stored += contact.stored;
            let source = model.damping_source(contact.rule);
            rates.dissipated[source] += contact.damping_power;
            let rule = &model.rules[contact.rule.index()];
            let patch = chunk.patch(contact);
            if let (Some(patch), Some(rolling)) = (patch, rule.rolling_source) {
                let drilled = contact.friction_power * patch.drilling_part;
                rates.dissipated[source + 1] += contact.friction_power - drilled;
                rates.dissipated[rolling] += patch.rolling_power;
                rates.dissipated[rolling + 1] += drilled;
            } else {
                rates.dissipated[source + 1] += contact.friction_power;
            }
            if model.flows {
                bent[contact.rule.index()] += contact.bent;
                if let Some(load) = rule.load_source {
                    rates.dissipated[load] += contact.storing;
                }
                if let (Some(source), Some(slot)) = (rule.relaxation_source, contact.slot()) {
                    // The depth that does not count shrinks and lets the rest grow: that is work on the contact.
                    let hidden = state.slots[slot as usize].memory.flow[RELAXED];
                    rates.work[source] += contact.elastic * hidden / rule.relaxation.unwrap_or(f64::INFINITY);
                }
            }
            if let Some(slot) = contact.slot() {
                step_forces[slot as usize] = StepForces {
                    friction: patch.map_or(contact.friction, |patch| patch.whole_friction(contact)),
                    damping: contact.normal_force - contact.elastic,
                    rolling: patch.map_or(Vec3::ZERO, |patch| patch.rolling),
                };
                if model.flows {
                    rates.flow[slot as usize] = chunk.flows[i];
                }
            }
        }
    });
}

/// The arms of a contact that are not along its normal.
#[inline]
fn oblique(contact: &Contact, bodies: &[BodyKinematics]) -> Oblique {
    let (a, b) = (contact.body_a.index(), contact.body_b.index());
    Oblique::to(contact.overlap.point, &bodies[a], &bodies[b])
}

/// Adds the contact's force to the wrenches on its bodies.
#[inline]
fn apply(
    contact: &Contact,
    patch: Option<&PatchContact>,
    bodies: &[BodyKinematics],
    wrenches: &mut [Wrench],
) {
    let (n, force) = (contact.overlap.normal, contact.force());
    let (first, second) = match (contact.radial, patch) {
        (Some(arms), _) => arms.wrenches(n, force),
        (None, None) => oblique(contact, bodies).wrenches(n, force),
        (None, Some(patch)) => patch::wrenches(contact, patch, oblique(contact, bodies)),
    };
    wrenches[contact.body_a.index()] += first;
    wrenches[contact.body_b.index()] += second;
}

/// The patch of a contact, if it has one.
#[inline]
fn patch_of<'a>(contact: &Contact, patches: &'a mut [PatchContact]) -> Option<&'a mut PatchContact> {
    contact.patch.map(|i| &mut patches[i as usize])
}

/// Which part of the power lost to friction at a slip is that of drilling, the part of the slip along the normal.
fn drilling_part(contact: &Contact, patch: &PatchContact, slip: Vec3) -> f64 {
    let along = patch.drilling * patch.gradient.normal.dot(slip);
    let all = contact.friction.dot(slip) + along;
    if all == 0.0 { 0.0 } else { along / all }
}

/// The powers of a whole step at a patch, on the mean of the motion at its start and at its end.
#[inline(never)]
fn book_patch(
    contact: &mut Contact,
    patch: &mut PatchContact,
    ends: (&Twist, &Twist),
    ks: (&BodyKinematics, &BodyKinematics),
) {
    let end = patch.motion(ends, ks);
    let approach = 0.5 * (contact.motion.approach + end.approach);
    contact.damping_power = (contact.normal_force - contact.elastic) * approach;
    let slip = (contact.motion.slip + end.slip) * 0.5;
    contact.friction_power -= patch.whole_friction(contact).dot(slip);
    patch.drilling_part = drilling_part(contact, patch, slip);
    let turning = patch.turning + ends.0.angular - ends.1.angular;
    patch.rolling_power = -0.5 * patch.rolling.dot(turning);
}

/// Normal force of one contact; also friction, and its flow if any, when the laws are taken as they are.
#[inline]
fn normal_law(
    model: &Model,
    slots: &[ContactSlot],
    contact: &mut Contact,
    mut patch: Option<&mut PatchContact>,
    treatment: Treatment,
    spin: Vec3,
    scratch: &mut Memory,
) -> Option<[f64; FLOW]> {
    if !contact.bears(model) {
        // Fixed steps that find friction in a second pass write it there.
        let done = !matches!(treatment, Treatment::Stage(_) | Treatment::Step(_));
        return (done && model.flows).then_some([0.0; FLOW]);
    }
    let rule = &model.rules[contact.rule.index()];
    let memory = contact.memory(model, slots, scratch);
    let growth = patch.as_ref().map_or(1.0, |patch| patch.gradient.growth) * contact.motion.approach.abs();
    let depth = match treatment {
        _ if rule.relaxation.is_some() => relaxed(contact, memory),
        Treatment::Step(dt) if contact.overlap.depth < growth * dt => {
            mean_depth(contact.overlap.depth, growth * dt)
        }
        _ => contact.overlap.depth,
    };
    let normal = match &patch {
        Some(p) => rule.normal.rate_on_patch(&p.overlap, &p.gradient, depth, &contact.motion, memory),
        None => rule.normal.rate(&PointOverlap { depth, ..contact.overlap }, &contact.motion, memory),
    };
    contact.elastic = normal.elastic;
    contact.viscosity = normal.viscosity;
    contact.stored = normal.stored;
    let n = contact.overlap.normal;
    // On a patch the slip, the deflection and the force have a part along the normal, as any other.
    let whole = || match &patch {
        Some(patch) => (Vec3::ZERO, patch.whole_memory(memory)),
        None => (n, *memory),
    };
    let friction = match treatment {
        Treatment::Instant => {
            let (across, whole) = whole();
            let mut friction = rule.friction.rate(normal.force, across, &contact.motion, &whole);
            if model.flows {
                let turning = spin.cross(vector(&memory.flow));
                add_vector(&mut friction.flow, turning);
            }
            Some(friction)
        }
        Treatment::Implicit(dt) | Treatment::Middle(dt) => {
            let (across, whole) = whole();
            let law = rule.friction.as_ref();
            Some(end_of_step(law, normal.force, across, &contact.motion, &whole, spin, dt).1)
        }
        Treatment::Stage(_) | Treatment::Step(_) => None,
    };
    if let Some(mut friction) = friction {
        contact.normal_force = normal.force;
        contact.damping_power = normal.dissipated;
        if let Some(patch) = &mut patch {
            patch.split(&mut friction);
            patch.rolling = patch.resistance(normal.viscosity, normal.force).torque(patch.turning);
            patch.rolling_power = -patch.rolling.dot(patch.turning);
        }
        contact.set_friction(&friction);
        contact.friction_power = friction.dissipated;
        if let Some(patch) = patch {
            patch.drilling_part = drilling_part(contact, patch, contact.motion.slip);
        }
        contact.sticking = is_sticking(rule.friction.sticking_speed(), contact.motion.slip);
        relax(rule.relaxation, memory, &mut friction.flow);
        return model.flows.then_some(friction.flow);
    }
    // The first pass applies what is known: the conservative part, and damping, friction and rolling of the
    // last step as far as the present load allows them. The second finds the rest.
    let last = contact.last_forces(slots);
    contact.normal_force = (normal.elastic + last.damping).max(0.0);
    let guess = if patch.is_some() { last.friction } else { last.friction - n * n.dot(last.friction) };
    let bound = rule.friction.bound(contact.normal_force, 0.0);
    let size2 = guess.length_squared();
    contact.friction = if size2 > bound * bound { guess * (bound / size2.sqrt()) } else { guess };
    if let Some(patch) = patch {
        patch.drilling = n.dot(contact.friction);
        contact.friction -= n * patch.drilling;
        (patch.rolling, patch.rolling_power) = (last.rolling, 0.0);
    }
    None
}

/// The depth that counts already (Gonthier 2007, eq. 3.44): none in the step that sees the contact first.
fn relaxed(contact: &Contact, memory: &Memory) -> f64 {
    let known = contact.remembered().is_some();
    if known { contact.overlap.depth - memory.flow[RELAXED] } else { 0.0 }
}

/// The depth that does not count yet fades within the time constant [s] (eq. 3.45).
#[inline]
fn relax(time: Option<f64>, memory: &Memory, flow: &mut [f64; FLOW]) {
    if let Some(time) = time {
        flow[RELAXED] = -memory.flow[RELAXED] / time;
    }
}

/// How fast the deflection at a contact turns about its normal [rad/s]: as the two bodies do in the mean.
#[inline]
pub(crate) fn spin(contact: &Contact, bodies: &[BodyKinematics]) -> Vec3 {
    let (a, b) = (&bodies[contact.body_a.index()], &bodies[contact.body_b.index()]);
    let n = contact.overlap.normal;
    n * (0.5 * n.dot(a.twist.angular + b.twist.angular))
}

/// The vector among the flowing numbers.
#[inline]
fn vector(flow: &[f64; FLOW]) -> Vec3 {
    Vec3::new(flow[0], flow[1], flow[2])
}

#[inline]
fn add_vector(flow: &mut [f64; FLOW], v: Vec3) {
    flow[0] += v.x;
    flow[1] += v.y;
    flow[2] += v.z;
}

/// A memory whose vector has turned with the contact for a time [s].
fn turned(memory: &Memory, spin: Vec3, dt: f64) -> Memory {
    let z = rotation::from_rotation_vector(spin * dt) * vector(&memory.flow);
    let mut turned = *memory;
    turned.flow[..3].copy_from_slice(&z.to_array());
    turned
}

/// Friction at the end of an implicit step that the memory takes too, with the mean rates of the memory.
pub(crate) fn end_of_step(
    law: &dyn FrictionLaw,
    load: f64,
    normal: Vec3,
    motion: &Motion,
    memory: &Memory,
    spin: Vec3,
    dt: f64,
) -> (FrictionUpdate, FrictionForce) {
    let update = law.update(load, normal, motion, &turned(memory, spin, dt), dt);
    let mut friction = update.force;
    for (i, rate) in friction.flow.iter_mut().enumerate() {
        *rate = (update.memory.flow[i] - memory.flow[i]) / dt;
    }
    (update, friction)
}

/// Depth that stands for a whole step in the first and the last step of a contact, where δ < u.
///
/// A kick at depth δ stands for the half steps before and after it, and near the surface part of those is outside. With
/// u = |approach|·dt, the mean of the depth over the time inside, and over the half step that the neighbouring kick
/// outside does not see, is (δ + u/2)²/(2u). Without this, restitution depends on where the steps happen to fall, by up
/// to (ωh)²/16 of the momentum.
#[inline]
fn mean_depth(depth: f64, u: f64) -> f64 {
    (depth + 0.5 * u) * (depth + 0.5 * u) / (2.0 * u)
}

#[inline]
fn is_sticking(speed: f64, slip: Vec3) -> bool {
    slip.length_squared() < speed * speed
}

/// Velocity of each body at the end of the step under what is known so far.
fn predict(model: &Model, state: &State, data: &mut Data, dt: f64) {
    // Fixed bodies stay as they are: at rest.
    data.predicted.resize(data.bodies.len(), Twist::default());
    for free in &model.free {
        let (body, wrench) = (&data.bodies[free.body.index()], &data.wrenches[free.body.index()]);
        let acceleration = model.gravity + wrench.force * body.inverse_mass;
        data.predicted[free.body.index()] = Twist {
            linear: body.twist.linear + acceleration * dt,
            angular: body.twist.angular + body.inverse_inertia * (wrench.torque + body.gyroscopic) * dt,
        };
    }
    for id in &model.driven {
        let (twist, change) = (data.bodies[id.index()].twist, ground(model, state.time, *id));
        data.predicted[id.index()] =
            Twist { linear: twist.linear + change.linear * dt, angular: twist.angular + change.angular * dt };
    }
    predict_trees(model, state, data, dt);
    for id in &state.activity.idle {
        data.predicted[id.index()] = Twist::default();
    }
}

/// The same for trees: their coordinates' velocities at the end of the step, in the present pose.
fn predict_trees(model: &Model, state: &State, data: &mut Data, dt: f64) {
    if model.links.is_empty() {
        return;
    }
    accelerate_trees(model, state, data);
    tree::mobilities(&model.links, &mut data.links);
    for link in state.activity.idle.iter().filter_map(|id| model.bodies[id.index()].link) {
        data.links[link].mobility = tree::Mobility::NONE;
    }
    let Data { ends, rates, links, predicted, bodies, .. } = data;
    ends.clear();
    ends.extend(state.v.iter().zip(&rates.v).map(|(v, a)| v + a * dt));
    for link in &model.links {
        if let Carrier::Nothing(free) = &link.carrier {
            let (linear, omega) = free.velocity(ends);
            let rotation = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
            predicted[link.body.index()] = Twist { linear, angular: rotation * omega };
        }
    }
    tree::velocities(&model.links, links, ends, predicted);
}

/// What one contact needs for its own implicit step.
struct Local<'a> {
    ka: &'a BodyKinematics,
    kb: &'a BodyKinematics,
    /// Contacts that share each body's mass.
    na: f64,
    nb: f64,
    /// Motions predicted for the end of the step.
    ends: (&'a Twist, &'a Twist),
    treatment: Treatment,
    dt: f64,
}

// Compiled once for each kind of arms, into the loop over contacts.
#[allow(clippy::inline_always)]
impl<'a> Local<'a> {
    #[inline]
    fn new(
        contact: &Contact,
        bodies: &'a [BodyKinematics],
        predicted: &'a [Twist],
        touching: &[u32],
        (treatment, dt): (Treatment, f64),
    ) -> Self {
        let (a, b) = (contact.body_a.index(), contact.body_b.index());
        let (na, nb) = (f64::from(touching[a]), f64::from(touching[b]));
        let ends = (&predicted[a], &predicted[b]);
        Self { ka: &bodies[a], kb: &bodies[b], na, nb, ends, treatment, dt }
    }

    /// What turning bodies add to the slip at the end of the step, as they carry the contact along [m/s].
    ///
    /// The velocity that a body has at the contact changes with the place too, by ω × (ṗ − v) with the velocity ṗ of the
    /// contact: without it what is stuck on a turning deck would creep by ω²·r·dt. The contact goes with the centre of a
    /// ball, and otherwise with the surfaces, in the mean of both.
    fn carried(&self, model: &Model, contact: &Contact) -> Vec3 {
        let (wa, wb) = (self.ka.twist.angular, self.kb.twist.angular);
        if wa == Vec3::ZERO && wb == Vec3::ZERO {
            return Vec3::ZERO;
        }
        let round = |shape: ShapeId| matches!(model.shapes[shape.index()].shape, Shape::Sphere { .. });
        let place = if round(contact.a) {
            self.ka.twist.linear
        } else if round(contact.b) {
            self.kb.twist.linear
        } else {
            let point = contact.overlap.point;
            (self.ka.velocity_at(point) + self.kb.velocity_at(point)) * 0.5
        };
        let change = wa.cross(place - self.ka.twist.linear) - wb.cross(place - self.kb.twist.linear);
        let n = contact.overlap.normal;
        (change - n * n.dot(change)) * self.dt
    }

    /// Damping and friction of the contact.
    #[inline(always)]
    fn solve(
        &self,
        arms: impl Arms,
        model: &Model,
        slots: &[ContactSlot],
        contact: &mut Contact,
        scratch: &mut Memory,
    ) -> FrictionForce {
        self.solve_with(arms, Vec3::ZERO, model, slots, contact, scratch)
    }

    /// The same with a change of the slip that the bodies' velocities do not tell.
    #[inline(always)]
    fn solve_with(
        &self,
        arms: impl Arms,
        carried: Vec3,
        model: &Model,
        slots: &[ContactSlot],
        contact: &mut Contact,
        scratch: &mut Memory,
    ) -> FrictionForce {
        let n = contact.overlap.normal;
        let relative = arms.relative_velocity(n, self.ends.0, self.ends.1);
        let approach = -n.dot(relative);
        let predicted = Motion { approach, slip: relative + n * approach + carried };
        self.solve_normal(arms, predicted.approach, contact);
        let memory = contact.memory(model, slots, scratch);
        let friction = self.solve_friction(arms, predicted.slip, model, contact, memory);
        contact.set_friction(&friction);
        friction
    }

    /// Damping, friction and rolling resistance of a patch, each with the others before it taken into account (Gauss and Seidel).
    ///
    /// Not a part of the loop over contacts: with it there, a pile of balls took a fifth longer.
    #[inline(never)]
    fn solve_patch(
        &self,
        arms: Jointed<'_>,
        model: &Model,
        slots: &[ContactSlot],
        contact: &mut Contact,
        patch: &mut PatchContact,
        scratch: &mut Memory,
    ) -> FrictionForce {
        let rule = &model.rules[contact.rule.index()];
        let law = rule.friction.as_ref();
        let memory = *contact.memory(model, slots, scratch);
        let PatchGradient { normal: n, lever, .. } = patch.gradient;
        let gyration = patch.spread.gyration;
        let yielding = Yielding::both(arms, self.ka, self.kb);
        let inverse_mass = |force: Vec3, couple: Vec3| {
            self.response((yielding[0].inverse_mass(force, couple), yielding[1].inverse_mass(force, couple)))
        };
        let mut ends = (*self.ends.0, *self.ends.1);
        let push = |ends: &mut (Twist, Twist), force: Vec3, couple: Vec3| {
            let (a, b) = (yielding[0].answer(force, couple), yielding[1].answer(force, couple));
            let (da, db) = (self.dt * self.na, self.dt * self.nb);
            ends.0.linear += a.linear * da;
            ends.0.angular += a.angular * da;
            ends.1.linear -= b.linear * db;
            ends.1.angular -= b.angular * db;
        };
        let carried = self.carried(model, contact);
        let predicted = patch.motion((&ends.0, &ends.1), (self.ka, self.kb));
        let damping = self.solve_normal_with(inverse_mass(n, lever), predicted.approach, contact);
        push(&mut ends, n * damping, lever * damping);
        // Friction; that of the last step is in the prediction and has to go.
        let guess = patch.whole_friction(contact);
        let slip = contact.motion.slip;
        contact.sticking = is_sticking(law.sticking_speed(), slip);
        let whole = patch.whole_memory(&memory);
        let across = |slip: Vec3| {
            let direction = slip / slip.length_squared().sqrt().max(f64::MIN_POSITIVE);
            let along = n.dot(direction);
            inverse_mass(direction - n * along, n * (gyration * along))
        };
        let is_stage = matches!(self.treatment, Treatment::Stage(_));
        let now = is_stage && !law.flows_with_slip();
        let explicit = now.then(|| law.rate(contact.normal_force, Vec3::ZERO, &contact.motion, &whole));
        let explicit = explicit.filter(|now| now.force.length() * across(now.force) < slip.length());
        let mut friction = if let Some(mut now) = explicit {
            contact.friction_power = now.dissipated;
            if model.flows {
                add_vector(&mut now.flow, self.spin(n).cross(vector(&memory.flow)));
            }
            now
        } else {
            let predicted = patch.motion((&ends.0, &ends.1), (self.ka, self.kb)).slip + carried;
            // The same number takes out and puts in, so that what holds goes on holding.
            let response = across(predicted - guess * self.dt);
            let free_slip = predicted - guess * response;
            let there = turned(&whole, self.spin(n), self.dt);
            let mut friction =
                law.solve(contact.normal_force, Vec3::ZERO, free_slip, response, &there, self.dt);
            if model.flows {
                add_vector(&mut friction.flow, (vector(&there.flow) - vector(&whole.flow)) / self.dt);
            }
            contact.friction_power = match self.treatment {
                Treatment::Step(_) => -friction.storing,
                _ => -friction.force.dot(slip) - friction.storing,
            };
            friction
        };
        patch.split(&mut friction);
        relax(rule.relaxation, &memory, &mut friction.flow);
        let change = patch.whole_friction_of(friction.force) - guess;
        push(&mut ends, change - n * n.dot(change), n * (gyration * n.dot(change)));
        // Rolling.
        let resistance = patch.resistance(contact.viscosity, contact.normal_force);
        let response = yielding[0].angular * (self.dt * self.na) + yielding[1].angular * (self.dt * self.nb);
        let free = ends.0.angular - ends.1.angular - response * patch.rolling;
        patch.rolling = resistance.solve(free, response);
        patch.rolling_power = -patch.rolling.dot(patch.turning);
        contact.set_friction(&friction);
        patch.drilling_part = drilling_part(contact, patch, slip);
        friction
    }

    /// As [`spin`].
    #[inline]
    fn spin(&self, normal: Vec3) -> Vec3 {
        normal * (0.5 * normal.dot(self.ka.twist.angular + self.kb.twist.angular))
    }

    /// Step / (this contact's share of mass) [s/kg], for the bodies' inverse masses in some direction.
    #[inline(always)]
    fn response(&self, (a, b): (f64, f64)) -> f64 {
        self.dt * (self.na * a + self.nb * b)
    }

    /// Damping force f_d = c v at the approach speed v of the step's θ-point: v = (1−θ) v₀ + θ v₁, with
    /// v₁ = (predicted) − (dt/m) f_d. θ = ½ is second order; θ = 1 − 1/z (z = c dt/m > 2) stops without overshoot.
    #[inline(always)]
    fn solve_normal(&self, arms: impl Arms, predicted: f64, contact: &mut Contact) {
        let response = self.response(arms.inverse_masses(contact.overlap.normal, self.ka, self.kb));
        self.solve_normal_with(response, predicted, contact);
    }

    /// The same with the step over the contact's share of mass [s/kg].
    ///
    /// The prediction contains last step's damping, which is taken out as this contact's share of mass sees it.
    /// Returns by how much the force differs from the one in the prediction [N].
    #[inline(always)]
    fn solve_normal_with(&self, response: f64, predicted: f64, contact: &mut Contact) -> f64 {
        let now = contact.motion.approach;
        let guess = contact.normal_force;
        let predicted = predicted + (guess - contact.elastic) * response;
        let z = contact.viscosity * response;
        let theta = if z <= 2.0 { 0.5 } else { 1.0 - 1.0 / z };
        let weight = match self.treatment {
            Treatment::Stage(_) => (z - 1.0).clamp(0.0, 1.0),
            _ => 1.0,
        };
        let middle = now + theta * (predicted - now);
        let explicit = contact.viscosity * now;
        let implicit = contact.viscosity * middle / (1.0 + theta * z);
        contact.normal_force = (contact.elastic + explicit + weight * (implicit - explicit)).max(0.0);
        // In a stage, the power of this instant: the method's own weights make work of it. That of a whole step is booked
        // when its end is known.
        contact.damping_power = (contact.normal_force - contact.elastic) * now;
        contact.normal_force - guess
    }

    /// Friction at the slip that it leaves at the end of the step.
    #[inline(always)]
    fn solve_friction(
        &self,
        arms: impl Arms,
        predicted: Vec3,
        model: &Model,
        contact: &mut Contact,
        memory: &Memory,
    ) -> FrictionForce {
        let rule = &model.rules[contact.rule.index()];
        let law = &rule.friction;
        let n = contact.overlap.normal;
        let across = |slip: Vec3| self.response(arms.inverse_masses_across(slip, self.ka, self.kb));
        let slip = contact.motion.slip;
        contact.sticking = is_sticking(law.sticking_speed(), slip);
        if matches!(self.treatment, Treatment::Stage(_)) && !law.flows_with_slip() {
            let mut now = law.rate(contact.normal_force, n, &contact.motion, memory);
            if now.force.length() * across(now.force) < slip.length() {
                contact.friction_power = now.dissipated;
                if model.flows {
                    add_vector(&mut now.flow, self.spin(n).cross(vector(&memory.flow)));
                    relax(rule.relaxation, memory, &mut now.flow);
                }
                return now;
            }
        }
        // The prediction holds last step's friction: take it out, as this contact's share of mass sees it.
        let guess = contact.friction;
        let response = across(predicted - guess * self.dt);
        let free_slip = predicted - guess * response;
        let mut friction = if model.flows {
            let there = turned(memory, self.spin(n), self.dt);
            let mut friction = law.solve(contact.normal_force, n, free_slip, response, &there, self.dt);
            add_vector(&mut friction.flow, (vector(&there.flow) - vector(&memory.flow)) / self.dt);
            friction
        } else {
            law.solve(contact.normal_force, n, free_slip, response, memory, self.dt)
        };
        // Of the work, what the memory takes up is stored, not lost. As for damping: the rest is booked when the end of the
        // step is known.
        contact.friction_power = match self.treatment {
            Treatment::Step(_) => -friction.storing,
            _ => -friction.force.dot(slip) - friction.storing,
        };
        relax(rule.relaxation, memory, &mut friction.flow);
        friction
    }
}

/// Step limit of the stiffest contact: the contact, the largest step that resolves it and one that would do [s].
///
/// Alone with its two bodies a contact has the rate ω₁ = √(k/m); beyond ω₁h = 1 its impacts are not resolved. With all
/// contacts of its bodies pulling the same way the rate is at most ω = √(k Σ n/m); beyond ωh = 2 a step may be unstable.
pub(crate) fn step_limit(model: &Model, data: &Data) -> Option<(Contact, f64, f64)> {
    let mut worst: Option<(Contact, f64, f64)> = None;
    for (contact, patch) in data.contacts.with_patches() {
        let (a, b) = (contact.body_a.index(), contact.body_b.index());
        let arms = oblique(contact, &data.bodies);
        let (ia, ib) = arms.inverse_masses(contact.overlap.normal, &data.bodies[a], &data.bodies[b]);
        let (na, nb) = (f64::from(data.touching[a]), f64::from(data.touching[b]));
        let law = &model.rules[contact.rule.index()].normal;
        let stiffness = patch.map_or_else(
            || law.stiffness_bound(&contact.overlap),
            |patch| law.stiffness_bound_on_patch(&patch.overlap, &patch.gradient),
        );
        let alone = (stiffness * (ia + ib)).sqrt();
        let together = (stiffness * (na * ia + nb * ib)).sqrt();
        let limit = (1.0 / alone).min(2.0 / together);
        if worst.as_ref().is_none_or(|(_, least, _)| limit < *least) {
            worst = Some((*contact, limit, (0.25 / alone).min(1.0 / together)));
        }
    }
    worst
}
