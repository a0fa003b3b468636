//! Ties that are made and let go during a run.
//!
//! A place is tied where it is: nothing is moved. Node and body go on with one velocity, that of a plastic impact (momentum stays), and what
//! that costs is lost. When it is let go nothing jumps: the node keeps the velocity it had on the body.

use super::Cable;
use super::carried::{Carried, Holder, holder};
use crate::data::BodyKinematics;
use crate::{BodyId, CableId, Data, Model, State};
use fender_math::{Mat3, Vec3, Wrench};

/// Ties or unties a place of a cable; `false` if it is so already. Kinematics must be up to date.
pub(crate) fn switch(
    model: &Model,
    state: &mut State,
    data: &Data,
    id: CableId,
    tie: usize,
    on: bool,
) -> bool {
    let cable = &model.cables[id.index()];
    let own = &state.cables[id.index()];
    let Some(node) = own.nodes.iter().position(|n| n.tie as usize == tie) else { return false };
    if own.ties[tie].active == on {
        return false;
    }
    let (place, velocity) = (data.cables[id.index()].position[node], data.cables[id.index()].velocity[node]);
    let own = &mut state.cables[id.index()];
    own.ties[tie].active = on;
    if on {
        own.ties[tie].at = cable.in_body(tie, place, &data.bodies);
        write(cable, state, node, Vec3::ZERO, Vec3::ZERO);
        if let Some(body) = cable.ties[tie].1.point.body {
            let kinematics = &data.bodies[body.index()];
            let arm = place - kinematics.center;
            let hit = data.cables[id.index()].inertia(node) * (velocity - kinematics.velocity_at(place));
            push(model, state, data, body, (data.cables[id.index()].inertia(node), arm), hit);
        }
    } else {
        write(cable, state, node, place, velocity);
    }
    true
}

/// A free body takes an impulse [N·s] at an arm from its centre, with a mass that sticks to it there.
fn push(
    model: &Model,
    state: &mut State,
    data: &Data,
    body: BodyId,
    (mass, arm): (Mat3, Vec3),
    impulse: Vec3,
) {
    if holder(model, Some(body)) != Holder::Free || state.activity.is_idle(body) {
        return;
    }
    let Some(free) = &model.bodies[body.index()].free else { return };
    let mut laden = Carried::new(body);
    laden.add(mass, arm, Vec3::ZERO);
    let hit = Wrench::from_force_at(impulse, arm);
    let Some(change) = laden.give_way(free, &data.bodies[body.index()], &hit) else { return };
    for (x, by) in state.v[free.v..].iter_mut().zip(change) {
        *x += by;
    }
}

fn write(cable: &Cable, state: &mut State, node: usize, place: Vec3, velocity: Vec3) {
    let at = 3 * node..3 * node + 3;
    state.q[cable.q..][at.clone()].copy_from_slice(&place.to_array());
    state.v[cable.v..][at].copy_from_slice(&velocity.to_array());
}

impl Cable {
    /// A place in the frame of the body that a tie holds it to [m].
    fn in_body(&self, tie: usize, place: Vec3, bodies: &[BodyKinematics]) -> Vec3 {
        match self.ties[tie].1.point.body {
            None => place,
            Some(body) => bodies[body.index()].pose.inverse().transform_point(place),
        }
    }

    /// Whether a state can be one of this cable's.
    pub(crate) fn fits(&self, own: &super::CableState) -> bool {
        let below = |i: u32, n: usize| i == super::state::NONE || (i as usize) < n;
        own.nodes.len() >= 2
            && own.nodes.len() <= self.capacity
            && own.elements.len() + 1 == own.nodes.len()
            && own.ties.len() == self.ties.len()
            && own.pace.is_some() == self.pace.is_some()
            && own.nodes.iter().all(|n| below(n.tie, self.ties.len()) && below(n.lump, self.lumps.len()))
            && own
                .elements
                .iter()
                .all(|e| (e.line as usize) < self.lines.len() && below(e.guide, self.guides.len()))
    }

    /// The tie of a name.
    pub fn tie(&self, name: &str) -> Option<u32> {
        self.ties.iter().position(|(n, _)| n == name).map(|i| i as u32)
    }
}
