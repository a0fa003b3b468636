//! Changes: loops are attached and detached, forces switched on and off, bodies enter and leave the dynamics.
//!
//! A change is made between two steps. It touches what it concerns and nothing else: a loop that is attached holds its
//! bodies where they are and takes their relative velocity away at once, as a plastic impact (momentum stays, see
//! `closure::project_island`); a loop that is detached takes nothing with it; a body that leaves stops. Whatever energy
//! that costs or gives is booked.

use crate::activity::{tied, velocities_of};
use crate::cable;
use crate::closure::{self, Instant, LoopState};
use crate::contact::slots;
use crate::evaluate::{Treatment, detect_contacts, evaluate, kinematics};
use crate::{BodyId, CableId, Control, Data, Event, EventKind, ForceId, LoopId, Model, State};
use serde::{Deserialize, Serialize};

/// Something that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A loop holds from now on, everything where it is.
    Attach(LoopId),
    /// A loop no longer holds.
    Detach(LoopId),
    /// A force element acts.
    Enable(ForceId),
    /// A force element no longer acts.
    Disable(ForceId),
    /// A body enters the dynamics, with its tree and what is attached to it.
    Enter(BodyId),
    /// A body stops and leaves the dynamics, with its tree and what is attached to it.
    Leave(BodyId),
    /// A place of a cable is tied where it is: which of the cable's ties.
    Tie(CableId, u32),
    /// A place of a cable is let go.
    Untie(CableId, u32),
}

impl Change {
    /// How it is told, with the energy it took [J].
    fn event(self, lost: f64) -> EventKind {
        match self {
            Self::Attach(closed) => EventKind::Attached { closed, lost },
            Self::Detach(closed) => EventKind::Detached { closed },
            Self::Enable(force) => EventKind::Enabled { force },
            Self::Disable(force) => EventKind::Disabled { force },
            Self::Enter(body) => EventKind::Entered { body },
            Self::Leave(body) => EventKind::Left { body },
            Self::Tie(cable, tie) => EventKind::Tied { cable, tie, lost },
            Self::Untie(cable, tie) => EventKind::Untied { cable, tie },
        }
    }
}

/// What every change needs.
pub(crate) struct Place<'a> {
    pub(crate) model: &'a Model,
    pub(crate) control: &'a Control,
    pub(crate) state: &'a mut State,
    pub(crate) data: &'a mut Data,
    pub(crate) treatment: Treatment,
}

impl Place<'_> {
    /// Makes a change, unless it changes nothing. It may be `told` in other words than its own.
    pub(crate) fn make(&mut self, change: Change, told: Option<EventKind>) {
        let before = self.energy();
        let Some(concerned) = self.switch(change) else { return };
        // Who takes part has changed: nothing that was found out before holds.
        self.data.clear_keeping_events();
        let place = self.data.events.len();
        detect_contacts(self.model, self.state, self.data);
        slots::update(self.model, self.state, self.data, |contact| contact.motion.approach.max(0.0));
        let lost = before - self.energy();
        self.book(change, lost);
        let kind = told.unwrap_or_else(|| change.event(lost));
        self.data.events.insert(place, Event { time: self.state.time, kind });
        self.restart(&concerned);
    }

    /// Kinetic, potential and stored energy now [J].
    pub(crate) fn energy(&mut self) -> f64 {
        evaluate(self.model, self.control, self.state, self.data, self.treatment);
        self.data.kinetic + self.data.potential + self.data.stored
    }

    fn book(&mut self, change: Change, lost: f64) {
        let source = self.model.change_source(change);
        // What an attach takes is lost. A spring that is switched on, or a contact that is let in, brings its energy along.
        if lost >= 0.0 || matches!(change, Change::Attach(_) | Change::Tie(..) | Change::Untie(..)) {
            self.state.account.dissipated[source] += lost;
        } else {
            self.state.account.work[source] -= lost;
        }
    }

    /// Makes a change; the bodies it concerns, or nothing if it is already so or cannot be.
    fn switch(&mut self, change: Change) -> Option<Vec<BodyId>> {
        match change {
            Change::Attach(id) => {
                if self.state.loops[id.index()].active {
                    return None;
                }
                let members = self.model.loops[id.index()].members.clone();
                let woken = tied(self.model, self.state, members.iter().copied());
                self.wake(&woken);
                self.attach(id);
                Some(tied(self.model, self.state, members))
            }
            Change::Detach(id) => {
                if !self.state.loops[id.index()].active {
                    return None;
                }
                let concerned = tied(self.model, self.state, self.model.loops[id.index()].members.clone());
                self.state.loops[id.index()] = LoopState { active: false, ..LoopState::HOLDS };
                Some(concerned)
            }
            Change::Enable(id) => {
                let off = &mut self.state.activity.off;
                off.remove(off.binary_search(&id).ok()?);
                Some(tied(self.model, self.state, self.model.forces[id.index()].1.bodies()))
            }
            Change::Disable(id) => {
                let off = &mut self.state.activity.off;
                off.insert(off.binary_search(&id).err()?, id);
                Some(tied(self.model, self.state, self.model.forces[id.index()].1.bodies()))
            }
            Change::Tie(id, tie) | Change::Untie(id, tie) => {
                let on = matches!(change, Change::Tie(..));
                let (model, state, data) = (self.model, &mut *self.state, &mut *self.data);
                kinematics(model, state, data);
                // What is tied must be of one time. A step that fails here fails again where it is told.
                let _ = cable::keep_up(model, state, data, true);
                let bodies = model.cables[id.index()].bodies();
                let switched = cable::switch(model, state, data, id, tie as usize, on);
                if switched && model.cables[id.index()].pace.is_some() {
                    cable::renew(model, state, data, id.index());
                }
                switched.then(|| tied(model, state, bodies))
            }
            Change::Enter(body) => {
                let concerned = tied(self.model, self.state, [body]);
                self.wake(&concerned).then_some(concerned)
            }
            Change::Leave(body) => {
                let concerned = tied(self.model, self.state, [body]);
                let already = self.state.activity.is_idle(body);
                if already || concerned.is_empty() || concerned.iter().any(|b| self.model.idles(*b).is_err())
                {
                    return None;
                }
                for body in &concerned {
                    self.state.v[velocities_of(self.model, *body)].fill(0.0);
                }
                self.state.activity.idle.extend(&concerned);
                self.state.activity.idle.sort_unstable();
                self.state.activity.idle.dedup();
                self.rest(&concerned);
                Some(concerned)
            }
        }
    }

    /// Brings bodies into the dynamics; whether any was out of it.
    fn wake(&mut self, bodies: &[BodyId]) -> bool {
        let idle = &mut self.state.activity.idle;
        let before = idle.len();
        idle.retain(|body| bodies.binary_search(body).is_err());
        let woken = idle.len() < before;
        if woken {
            self.rest(bodies);
        }
        woken
    }

    /// Fences among some bodies begin to count anew how long they have been still.
    fn rest(&mut self, bodies: &[BodyId]) {
        for (fence, still) in self.model.changes.fences.iter().zip(&mut self.state.activity.still) {
            if bodies.binary_search(&fence.body).is_ok() {
                *still = f64::INFINITY;
            }
        }
    }

    fn attach(&mut self, id: LoopId) {
        let (model, state) = (self.model, &mut *self.state);
        self.data.clear_keeping_events();
        kinematics(model, state, self.data);
        let at =
            Instant { time: state.time, q: &state.q, bodies: &self.data.bodies, state: &LoopState::HOLDS };
        state.loops[id.index()] = model.loops[id.index()].closure.hold(&at);
        closure::project_island(model, state, self.data, id.index());
    }

    /// Methods that remember accelerations must not remember those of before the change.
    fn restart(&mut self, concerned: &[BodyId]) {
        if self.state.integrator.algorithmic.len() != self.model.nv {
            return;
        }
        for cable in self.model.joined_cables() {
            let place = cable.v..cable.v + cable.coordinates();
            for list in [&mut self.state.integrator.algorithmic, &mut self.state.integrator.accelerations] {
                if list.len() == self.model.nv {
                    list[place.clone()].copy_from_slice(&self.data.rates.v[place.clone()]);
                }
            }
        }
        for body in concerned {
            let place = velocities_of(self.model, *body);
            self.state.integrator.algorithmic[place.clone()].copy_from_slice(&self.data.rates.v[place]);
        }
    }
}
