//! What happens to cables at the end of an accepted step.

use super::evaluate::{CableData, Powers};
use super::{Cable, CableState, SEABED};
use crate::data::BodyKinematics;
use crate::{Data, Model, State};

/// Ends the step of all cables that go with the bodies. Kinematics must be up to date.
pub(crate) fn after_step(model: &Model, state: &mut State, data: &mut Data) {
    let State { cables, q, v, time, account, .. } = state;
    for (i, cable) in model.cables.iter().enumerate() {
        if cables[i].pace.is_some() {
            continue;
        }
        let n = cable.coordinates();
        let coordinates = (&q[cable.q..cable.q + n], &v[cable.v..cable.v + n]);
        let lost =
            cable.end_step(&mut cables[i], model, *time, coordinates, &data.bodies, &mut data.cables[i]);
        account.dissipated[cable.source + SEABED] += lost;
    }
}

impl Cable {
    /// Writes the lengths that payout made, the directions from which twist is counted, and where friction holds the nodes;
    /// answers what slip on the seabed lost in the step [J].
    pub(super) fn end_step(
        &self,
        own: &mut CableState,
        model: &Model,
        time: f64,
        coordinates: (&[f64], &[f64]),
        bodies: &[BodyKinematics],
        data: &mut CableData,
    ) -> f64 {
        let mut lost = 0.0;
        if self.twists {
            let mut powers = Powers::default();
            data.force.clear();
            data.force.resize(own.nodes.len(), fender_math::Vec3::ZERO);
            self.twist(own, coordinates, bodies, data, &mut powers);
            for (e, element) in own.elements.iter_mut().enumerate() {
                (element.along, element.across) = (data.course[e].by_b, data.torsion.across[e]);
            }
            for (node, offset) in own.nodes.iter_mut().zip(&data.torsion.offset) {
                node.offset = *offset;
            }
        }
        if let Some(seabed) = &model.surroundings.seabed {
            // What holds a node carries it too: the bed does not touch it.
            for (k, node) in own.nodes.iter_mut().enumerate().filter(|(k, _)| !data.held[*k]) {
                let grip = seabed.drag(data.position[k], data.loads[k].footprint, node.grip);
                node.grip = grip.place;
                lost += grip.lost;
            }
        }
        let (_, paid) = self.paid(own, time);
        if let Some(e) = self.paying(own) {
            own.elements[e].length += paid;
            own.paid += paid;
        }
        own.since = time;
        lost
    }
}
