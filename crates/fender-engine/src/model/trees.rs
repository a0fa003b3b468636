//! From joints to trees: who carries whom, in which order.

use super::{BodySpec, JointAction, JointSpec, LoopKind, LoopSpec, Model, ModelError, ModelJoint};
use crate::body::BodyMotion;
use crate::tree::{Carrier, Link};
use crate::{BodyId, JointId};
use fender_math::{Mat3, Vec3};

/// A body's place in the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In no tree.
    Alone,
    /// It floats and carries others.
    Root,
    /// A joint carries it.
    Carried,
}

/// Places of all bodies, and the joints in an order in which parents come first.
pub(super) struct Plan {
    pub(super) places: Vec<Place>,
    order: Vec<usize>,
    /// Some of them are closed to loops.
    loops: bool,
}

fn refuse(joint: &JointSpec, why: impl Into<String>) -> ModelError {
    ModelError::Joint { joint: joint.name.clone(), why: why.into() }
}

pub(super) fn plan(
    bodies: &[BodySpec],
    joints: &[JointSpec],
    loops: &[LoopSpec],
) -> Result<Plan, ModelError> {
    let mut places = vec![Place::Alone; bodies.len()];
    let mut carrier: Vec<Option<usize>> = vec![None; bodies.len()];
    for (i, joint) in joints.iter().enumerate() {
        check(joint, bodies)?;
        if joints[..i].iter().any(|other| other.name == joint.name) {
            return Err(ModelError::DuplicateName(joint.name.clone()));
        }
        let child = joint.child.index();
        if let Some(other) = carrier[child] {
            let (body, other) = (&bodies[child].name, &joints[other].name);
            return Err(refuse(
                joint,
                format!(
                    "'{body}' is already carried by joint '{other}', and a body has one joint that carries it: make \
                     this one a loop, such as [loop.{}] close.hinge",
                    joint.name
                ),
            ));
        }
        carrier[child] = Some(i);
        places[child] = Place::Carried;
    }
    // Parents first: take the joints whose parent is not waiting for another.
    let mut order: Vec<usize> = Vec::with_capacity(joints.len());
    let mut placed = vec![false; joints.len()];
    while order.len() < joints.len() {
        let before = order.len();
        for (i, joint) in joints.iter().enumerate() {
            let waits = joint.parent.and_then(|p| carrier[p.index()]).is_some_and(|j| !placed[j]);
            if !placed[i] && !waits {
                placed[i] = true;
                order.push(i);
            }
        }
        if order.len() == before {
            let stuck = placed.iter().position(|p| !p).unwrap_or_default();
            return Err(refuse(&joints[stuck], "it and its parents carry each other in a ring"));
        }
    }
    let closed = loops.iter().flat_map(|l| match &l.kind {
        LoopKind::Bodies(closure) => closure.bodies(),
        LoopKind::Coupling { .. } => Vec::new(),
    });
    // A free body that carries others, or that a loop holds, is a tree of its own.
    for body in joints.iter().map(|joint| joint.parent).chain(closed).flatten() {
        let free = matches!(bodies[body.index()].motion, BodyMotion::Free { .. });
        if free && places[body.index()] == Place::Alone {
            places[body.index()] = Place::Root;
        }
    }
    Ok(Plan { places, order, loops: !loops.is_empty() })
}

fn check(joint: &JointSpec, bodies: &[BodySpec]) -> Result<(), ModelError> {
    if joint.parent == Some(joint.child) {
        return Err(refuse(joint, "a body cannot carry itself"));
    }
    let child = &bodies[joint.child.index()];
    if !matches!(child.motion, BodyMotion::Free { .. }) {
        return Err(refuse(joint, format!("'{}' is fixed or driven, and cannot be carried", child.name)));
    }
    let n = joint.joint.nv();
    if joint.start.len() != n || joint.rates.len() != n {
        return Err(refuse(joint, format!("a {} joint has {n} degrees of freedom", joint.joint.name())));
    }
    let numbers = joint.start.iter().chain(&joint.rates);
    if !joint.frame.is_finite() || numbers.clone().any(|x| !x.is_finite()) {
        return Err(ModelError::NotFinite { what: "frame, start or rate", name: joint.name.clone() });
    }
    if let Some(guide) = &joint.guide {
        if guide.len() != n || joint.joint.nq() != n {
            return Err(refuse(
                joint,
                "only joints with angles and distances can be guided, all of them together",
            ));
        }
        if !joint.actions.is_empty() {
            return Err(refuse(joint, "a guided joint moves as prescribed: nothing can act on it"));
        }
    }
    for (coordinate, action) in &joint.actions {
        let Some(kind) = joint.joint.coordinates().get(*coordinate) else {
            return Err(refuse(joint, format!("it has no coordinate {coordinate}")));
        };
        if action.needs_position() && matches!(kind, crate::joint::Coordinate::Spin(_)) {
            return Err(refuse(joint, format!("a {} needs an angle or a distance", action.name())));
        }
    }
    Ok(())
}

/// Makes the links and joints of the model.
pub(super) fn add(model: &mut Model, joints: Vec<JointSpec>, plan: &Plan) -> Result<(), ModelError> {
    for i in 0..model.bodies.len() {
        if let Some(free) = model.bodies[i].free.filter(|free| free.root) {
            model.bodies[i].link = Some(model.links.len());
            model.links.push(Link {
                body: free.body,
                carrier: Carrier::Nothing(free),
                q: free.q,
                v: free.v,
                nv: 6,
                mass: free.mass,
                inertia: free.inertia,
                pose_bc: free.pose_bc,
                arm: Vec3::ZERO,
                axes: Mat3::from_quat(free.pose_bc.rotation),
                reached: true,
            });
        }
    }
    let mut links = vec![0; joints.len()];
    for &i in &plan.order {
        let spec = &joints[i];
        links[i] = model.links.len();
        let link = link(model, spec, plan.loops)?;
        model.bodies[spec.child.index()].link = Some(model.links.len());
        model.links.push(link);
    }
    for (i, spec) in joints.into_iter().enumerate() {
        let joint = JointId(i as u32);
        for (coordinate, action) in spec.actions {
            model.actions.push(JointAction { joint, coordinate, action });
        }
        let guide = spec.guide.is_some().then(|| model.guides());
        let (name, start, rates, keep) = (spec.name, spec.start, spec.rates, spec.keep);
        model.joints.push(ModelJoint { name, link: links[i], start, rates, guide, keep });
    }
    Ok(())
}

fn link(model: &mut Model, spec: &JointSpec, loops: bool) -> Result<Link, ModelError> {
    let pose = |body: BodyId| model.bodies[body.index()].pose;
    let child = &model.bodies[spec.child.index()];
    let BodyMotion::Free { mass } = &child.motion else { return Err(refuse(spec, "its child is not free")) };
    let (inertia, axes) = mass.principal();
    let pose_jb = spec.frame.inverse() * child.pose;
    let carrier = Carrier::Joint {
        joint: spec.joint.clone(),
        along_z: spec.joint.along_z(),
        link: spec.parent.and_then(|p| model.bodies[p.index()].link),
        body: spec.parent,
        pose_pj: spec.parent.map_or(spec.frame, |p| pose(p).inverse() * spec.frame),
        pose_jb,
        guide: spec.guide.clone(),
    };
    let (nq, nv) = if spec.guide.is_some() { (0, 0) } else { (spec.joint.nq(), spec.joint.nv()) };
    let pose_bc = fender_math::Pose { rotation: axes, translation: mass.center };
    let link = Link {
        body: spec.child,
        carrier,
        q: model.nq,
        v: model.nv,
        nv,
        mass: mass.mass,
        inertia,
        pose_bc,
        arm: mass.center - pose_jb.inverse().translation,
        axes: Mat3::from_quat(axes),
        reached: !child.shapes.is_empty() || loops,
    };
    model.nq += nq;
    model.nv += nv;
    Ok(link)
}
