//! Tangent of a contact over a patch.

use super::{TangentSink, WrenchChange, outer};
use crate::contact::{Contact, PatchContact, laws};
use crate::evaluate::{Treatment, shape_pose};
use crate::{Model, ShapeId, State};
use fender_contact::{Memory, Normal, NormalForce, RELAXED};
use fender_geom::pair::patch::{self, WrenchTangent};
use fender_math::{Mat3, Vec3};

/// Force and torque about the patch's point: the elastic part by the geometry, damping along the gradient, friction by the slip with
/// the spin, rolling by the angular velocity.
pub(super) fn write(
    model: &Model,
    state: &State,
    contact: &Contact,
    patch: &PatchContact,
    treatment: Option<Treatment>,
    sink: &mut TangentSink<'_>,
) {
    let rule = &model.rules[contact.rule.index()];
    let mut scratch = Memory::default();
    let memory = contact.memory(model, &state.slots, &mut scratch);
    let depth = contact.overlap.depth - memory.flow[RELAXED];
    let normal = rule.normal.rate_on_patch(&patch.overlap, &patch.gradient, depth, &contact.motion, memory);
    let law = rule.friction.as_ref();
    let whole = patch.whole_memory(memory);
    let friction = match treatment {
        Some(Treatment::Implicit(dt) | Treatment::Middle(dt)) if model.flows => {
            let spin = laws::spin(contact, sink.bodies);
            laws::end_of_step(law, normal.force, Vec3::ZERO, &contact.motion, &whole, spin, dt).0
        }
        _ => law.update(normal.force, Vec3::ZERO, &contact.motion, &whole, 0.0),
    };
    let (n, lever, gyration) = (patch.gradient.normal, patch.gradient.lever, patch.spread.gyration);
    let along = outer(n, n);
    let across = Mat3::IDENTITY - along;
    // Friction of three components: what of it is along the normal is a torque about it.
    let spinning = |f: Mat3| WrenchChange {
        force_linear: across * f * across,
        force_angular: across * f * along * gyration,
        torque_linear: along * f * across * gyration,
        torque_angular: along * f * along * (gyration * gyration),
    };
    let by_load = (across * friction.by_normal, along * friction.by_normal * gyration);
    // What a change of the normal wrench does to friction.
    let with_friction = |change: WrenchChange| {
        let load = (change.force_linear.transpose() * n, change.force_angular.transpose() * n);
        change.plus(&WrenchChange::outer(by_load, load))
    };
    let damped = WrenchChange::outer((n, lever), (n, lever)).scaled(-normal.damping);
    let rolling = patch.resistance(normal.viscosity, normal.force).by_spin(patch.turning);
    let by_velocity =
        with_friction(damped).plus(&spinning(friction.by_slip)).plus(&WrenchChange::of_turning(rolling));
    let elastic = by_pose(model, contact, patch, &normal, sink);
    let (a, b, point) = (contact.body_a, contact.body_b, contact.overlap.point);
    // The pressure on the first body is fixed in the second one, friction in neither.
    let (force, torque) = (n * normal.force, lever * normal.force);
    sink.relative_wrench((a, b), point, &with_friction(elastic), &by_velocity, force);
    let rest = patch.couple(normal.force) - torque;
    sink.dead(a, point, force + contact.friction);
    sink.dead_torque(a, torque + rest);
    sink.dead(b, point, -force - contact.friction);
    sink.dead_torque(b, -torque - rest);
    sink.following_pair((a, b), point, force, torque);
}

/// How the normal force and its couple change with the pose: F·∂G for the gradient G of the depth (or of the moment of depth), and
/// ∂F·G.
fn by_pose(
    model: &Model,
    contact: &Contact,
    patch: &PatchContact,
    normal: &NormalForce,
    sink: &TangentSink<'_>,
) -> WrenchChange {
    let gradient = &patch.gradient;
    let towards = (gradient.normal, gradient.lever);
    let of_depth = WrenchChange::outer(towards, towards).scaled(-normal.stiffness);
    let place = |id: ShapeId| {
        let shape = &model.shapes[id.index()];
        (&shape.shape, shape_pose(&sink.bodies[shape.body.index()].pose, &shape.pose_bs, shape.central))
    };
    let ((shape_a, pose_a), (shape_b, pose_b)) = (place(contact.a), place(contact.b));
    let known = patch::tangent(shape_a, &pose_a, shape_b, &pose_b, contact.overlap.point);
    let Some(known) = known.filter(|_| gradient.size > 0.0) else { return of_depth };
    let per_gradient = normal.force / gradient.size;
    if matches!(model.rules[contact.rule.index()].normal, Normal::Foundation(_)) {
        return change(&known.push).scaled(per_gradient);
    }
    let o = &patch.overlap;
    let (push, section) = ((o.push, o.turn), (o.section, o.section_turn));
    let (by_push, by_section) = (2.0 / o.volume, 2.0 * o.moment / (o.volume * o.volume));
    let mixed = 2.0 / (o.volume * o.volume);
    let turned = change(&known.push)
        .scaled(by_push)
        .plus(&change(&known.section).scaled(-by_section))
        .plus(&WrenchChange::outer(push, section).scaled(mixed))
        .plus(&WrenchChange::outer(section, push).scaled(mixed))
        .plus(&WrenchChange::outer(section, section).scaled(-2.0 * by_section / o.volume));
    of_depth.plus(&turned.scaled(per_gradient))
}

fn change(of: &WrenchTangent) -> WrenchChange {
    WrenchChange {
        force_linear: of.force_by_shift,
        force_angular: of.force_by_turn,
        torque_linear: of.moment_by_shift,
        torque_angular: of.moment_by_turn,
    }
}
