//! What takes part now: bodies come and go, forces are switched on and off, the timeline moves on.
//!
//! Everything that can come and go is in the model from the start; here is only whether it counts. A loop's own activity
//! is in its `LoopState`.

use crate::state::copy_cables;
use crate::{BodyId, ForceId, Model, State};
use serde::{Deserialize, Serialize};

/// Which bodies and forces take part, and how far the timeline is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    /// Bodies that are out of the dynamics, in order: each stays where it is, as if fixed, until it enters.
    pub idle: Vec<BodyId>,
    /// Force elements that are switched off, in order.
    pub off: Vec<ForceId>,
    /// How many changes of the timeline have been made.
    pub done: u64,
    /// Since when each fence has been still [s]; infinite while it is not.
    pub still: Vec<f64>,
}

impl Activity {
    /// Takes another over without new memory where there is enough.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self { idle, off, done, still } = other;
        self.idle.clone_from(idle);
        self.off.clone_from(off);
        self.done = *done;
        self.still.clone_from(still);
    }

    /// Whether a body is out of the dynamics.
    #[inline]
    pub fn is_idle(&self, body: BodyId) -> bool {
        !self.idle.is_empty() && self.idle.binary_search(&body).is_ok()
    }

    /// Whether a force element is switched off.
    #[inline]
    pub fn is_off(&self, force: ForceId) -> bool {
        !self.off.is_empty() && self.off.binary_search(&force).is_ok()
    }
}

impl State {
    /// Whether a loop has equations now: it is attached, and its bodies are in the dynamics (they enter and leave
    /// together, so that one tells for all).
    pub(crate) fn holds(&self, model: &Model, index: usize) -> bool {
        let members = &model.loops[index].members;
        self.loops[index].active
            && (self.activity.idle.is_empty() || !members.iter().any(|body| self.activity.is_idle(*body)))
    }

    /// Whether two bodies that could touch cannot now: nothing moves either of them, or a loop joins them.
    #[inline]
    pub(crate) fn parts(&self, model: &Model, a: BodyId, b: BodyId) -> bool {
        let stays = |body: BodyId| !model.bodies[body.index()].yields() || self.activity.is_idle(body);
        if !self.activity.idle.is_empty() && stays(a) && stays(b) {
            return true;
        }
        model.changes.joined(a, b).any(|index| self.loops[index].active)
    }

    /// Takes over from another state what changes only between steps, for the stages within one.
    pub(crate) fn take_discrete(&mut self, from: &Self) {
        self.loops.clone_from(&from.loops);
        copy_cables(&mut self.cables, &from.cables);
        self.activity.copy_from(&from.activity);
        self.outputs.clone_from(&from.outputs);
    }
}

/// Bodies that move together with some, now: the rest of their trees, and what attached loops tie to them. In order.
pub(crate) fn tied(model: &Model, state: &State, from: impl IntoIterator<Item = BodyId>) -> Vec<BodyId> {
    let mut found: Vec<BodyId> = Vec::new();
    let mut waiting: Vec<BodyId> =
        from.into_iter().filter(|body| model.bodies[body.index()].yields()).collect();
    while let Some(body) = waiting.pop() {
        let Err(place) = found.binary_search(&body) else { continue };
        found.insert(place, body);
        if let Some(link) = model.bodies[body.index()].link {
            let root = model.root(link);
            waiting.extend(
                (0..model.links.len()).filter(|i| model.root(*i) == root).map(|i| model.links[i].body),
            );
        }
        let attached = model.loops.iter().zip(&state.loops).filter(|(_, of)| of.active);
        waiting.extend(attached.filter(|(l, _)| l.members.contains(&body)).flat_map(|(l, _)| &l.members));
    }
    found
}

/// Places in `State::v` that belong to a body.
pub(crate) fn velocities_of(model: &Model, body: BodyId) -> std::ops::Range<usize> {
    let body = &model.bodies[body.index()];
    match (body.link, body.free) {
        (Some(link), _) => model.links[link].v..model.links[link].v + model.links[link].nv,
        (None, Some(free)) => free.v..free.v + crate::FreeBody::NV,
        (None, None) => 0..0,
    }
}
