//! What can be read off a joint at one instant. Sensors and [`World`](crate::World) both look through here; `data` must be
//! up to date with `state`.

use crate::joint::Coordinate;
use crate::tree::Carrier;
use crate::{Data, JointId, Model, State};
use fender_math::Wrench;

/// Position [rad or m] and rate of a joint's coordinate; the position of a spin is NaN. `None` if there is no such coordinate.
pub fn joint_coordinate(model: &Model, state: &State, joint: JointId, i: usize) -> Option<[f64; 2]> {
    let link = &model.links[model.joints[joint.index()].link];
    let Carrier::Joint { joint, guide, .. } = &link.carrier else { return None };
    if let Some(series) = guide.as_ref().and_then(|g| g.get(i)) {
        let sample = series.sample(state.time);
        return Some([sample[0], sample[1]]);
    }
    let rate = *state.v[link.v..link.v + link.nv].get(i)?;
    let spin = matches!(joint.coordinates().get(i), Some(Coordinate::Spin(_)));
    Some([if spin { f64::NAN } else { state.q[link.q + i] }, rate])
}

/// Generalised force along a joint's coordinate, by what acts on it or by its guide [N·m or N].
pub fn joint_effort(model: &Model, data: &Data, joint: JointId, coordinate: usize) -> f64 {
    let d = &data.links[model.joints[joint.index()].link];
    d.reaction().power(&d.subspace[coordinate])
}

/// Force and torque by a joint on its child, at the joint's point on the child, in the world.
pub fn joint_reaction(model: &Model, data: &Data, joint: JointId) -> Wrench {
    let at = model.joints[joint.index()].link;
    let (link, d) = (&model.links[at], &data.links[at]);
    let body = &data.bodies[link.body.index()];
    let Carrier::Joint { pose_jb, .. } = &link.carrier else { return Wrench::default() };
    let point = (body.pose * pose_jb.inverse()).translation;
    let Wrench { force, torque } = d.reaction();
    Wrench { force, torque: torque + (body.center - point).cross(force) }
}
