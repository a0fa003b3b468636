//! What happens to cables at the end of an accepted step.

use super::evaluate::Powers;
use crate::{Data, Model, State};

/// Writes the lengths that payout made, the directions from which twist is counted, and where friction holds the nodes. Kinematics must be up to date.
pub(crate) fn after_step(model: &Model, state: &mut State, data: &mut Data) {
    for (i, cable) in model.cables.iter().enumerate() {
        if cable.twists {
            let mut powers = Powers::default();
            let own = &mut data.cables[i];
            own.force.clear();
            own.force.resize(state.cables[i].nodes.len(), fender_math::Vec3::ZERO);
            cable.twist(&state.cables[i], cable.own(state), &data.bodies, own, &mut powers);
            let to = &mut state.cables[i];
            for (e, element) in to.elements.iter_mut().enumerate() {
                (element.along, element.across) = (own.course[e].by_b, own.torsion.across[e]);
            }
            for (node, offset) in to.nodes.iter_mut().zip(&own.torsion.offset) {
                node.offset = *offset;
            }
        }
        let to = &mut state.cables[i];
        if let Some(seabed) = &model.surroundings.seabed {
            let own = &data.cables[i];
            for (k, node) in to.nodes.iter_mut().enumerate() {
                node.grip = seabed.drag(own.position[k], own.loads[k].footprint, node.grip);
            }
        }
        let (_, paid) = cable.paid(to, state.time);
        if let Some(e) = cable.paying(to) {
            to.elements[e].length += paid;
            to.paid += paid;
        }
        to.since = state.time;
    }
}
