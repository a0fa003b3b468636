//! World: model, state, data and control in one hand.

use crate::cable;
use crate::change::Place;
use crate::closure;
use crate::contact::{PatchContact, slots, sweep};
use crate::evaluate::{Treatment, acceleration, detect_contacts, evaluate, kinematics};
use crate::impact;
use crate::model::ContactRule;
use crate::state::Range;
use crate::trigger;
use crate::{
    BodyId, Contact, Control, ControllerId, Data, Energy, Event, Integrator, JointId, LoopId, Model,
    SensorId, State, StateError, StepError,
};
use crate::{observe, sampling};
use fender_contact::{DWELL, Memory, RELAXED};
use fender_geom::feature::{self, Feature};
use fender_math::{Pose, Twist, Wrench};

/// A simulation.
#[derive(Debug)]
pub struct World {
    /// What there is.
    pub model: Model,
    /// How it is now. After changing it by hand call [`Data::clear`].
    pub state: State,
    /// Inputs of the next step.
    pub control: Control,
    /// Scratch.
    pub data: Data,
    /// What happened since the caller last took the events.
    pub events: Vec<Event>,
    treatment: Treatment,
}

impl World {
    /// A world at its start, with the contacts that exist there opened.
    pub fn new(model: Model) -> Self {
        let state = model.initial_state();
        let mut world = Self::bundle(model, state);
        let World { model, state, data, .. } = &mut world;
        kinematics(model, state, data);
        cable::begin_paces(model, state, data);
        detect_contacts(model, state, data);
        slots::update(model, state, data, |contact| {
            let pair = (contact.body_a, contact.body_b);
            let given = model.initial_contacts.iter().find(|c| c.is_between(pair));
            given.map_or(contact.motion.approach.max(0.0), |c| c.impact_speed)
        });
        for slot in &mut state.slots {
            let pair = (model.shapes[slot.a.index()].body, model.shapes[slot.b.index()].body);
            let given = model.initial_contacts.iter().find(|c| c.is_between(pair));
            slot.memory.flow[DWELL] = given.map_or(0.0, |c| c.dwell);
            // What overlaps at the start has done so for long.
            slot.memory.flow[RELAXED] = 0.0;
        }
        world.refresh();
        world.state.account.initial = world.data.kinetic + world.data.potential + world.data.stored;
        world.state.account.kinetic = Range::of(world.data.kinetic);
        world.state.account.potential = Range::of(world.data.potential);
        let World { model, state, data, .. } = &mut world;
        cable::begin_statistics(model, state, data);
        world.trigger();
        world.events.append(&mut world.data.events);
        world.sample();
        world.refresh();
        world
    }

    /// A world that continues from a saved state.
    pub fn resume(model: Model, state: State) -> Result<Self, StateError> {
        if state.q.len() != model.nq || state.v.len() != model.nv {
            return Err(StateError::OtherModel("it has another number of coordinates"));
        }
        if state.account.work.len() != model.sources.len() {
            return Err(StateError::OtherModel("it has another list of energy sources"));
        }
        let fits = |(cable, own): (&crate::Cable, &crate::cable::CableState)| cable.fits(own);
        let counts = [state.cables.len(), state.cable_statistics.len()];
        if counts != [model.cables.len(); 2] || !model.cables.iter().zip(&state.cables).all(fits) {
            return Err(StateError::OtherModel("it has other cables"));
        }
        if state.loops.len() != model.loops.len() {
            return Err(StateError::OtherModel("it has other loops"));
        }
        let laws = model.controllers.iter().map(|c| c.law.memory());
        if state.sensors.len() != model.sensors.len()
            || state.outputs.len() != model.controllers.len()
            || !state.controllers.iter().map(|c| c.law.len()).eq(laws)
        {
            return Err(StateError::OtherModel("it has other sensors or controllers"));
        }
        if !model.changes.fit(&model, &state.activity) {
            return Err(StateError::OtherModel("other things come and go in it"));
        }
        let shapes = model.shapes.len() as u32;
        if state.slots.iter().any(|s| s.a.0 >= shapes || s.b.0 >= shapes) {
            return Err(StateError::OtherModel("it has other shapes"));
        }
        let mut world = Self::bundle(model, state);
        world.refresh();
        Ok(world)
    }

    fn bundle(model: Model, state: State) -> Self {
        Self {
            model,
            state,
            control: Control::default(),
            data: Data::default(),
            events: Vec::new(),
            treatment: Treatment::Instant,
        }
    }

    /// Lets cables with a rate of their own go with the bodies from now on.
    pub fn join_cables(&mut self) {
        for (cable, own) in self.model.cables.iter_mut().zip(&mut self.state.cables) {
            (cable.pace, own.pace) = (None, None);
        }
        self.data.clear_keeping_events();
    }

    /// Takes one step (see [`Integrator::advance`]).
    pub fn step(&mut self, integrator: &dyn Integrator, limit: f64) -> Result<(), StepError> {
        self.treatment = integrator.treatment();
        let limit = limit.min(sampling::next_instant(&self.model, &self.state));
        self.make_changes();
        let Self { model, control, state, data, .. } = self;
        let before = state.time;
        let result = if model.impacts {
            impact::advance(integrator, model, control, state, data, limit)
        } else if !model.fast.is_empty() {
            sweep::advance(integrator, model, control, state, data, limit)
        } else {
            integrator.advance(model, control, state, data, limit)
        };
        let result = result.and_then(|()| cable::keep_up(model, state, data, false));
        let mut arrived = None;
        if result.is_ok() {
            cable::watch(model, state, data, state.time - before);
            arrived = cable::arrived(model, state, data, state.time - before);
            self.trigger();
            cable::remesh(&mut self.place());
        }
        self.events.append(&mut self.data.events);
        let at_guide =
            |(cable, guide, what)| StepError::AtGuide { time: self.state.time, cable, guide, what };
        if let Some(arrived) = arrived {
            return Err(at_guide(arrived));
        }
        // What fails because something is at a guide is told as that.
        if let Err(error) = result {
            return Err(cable::stuck(&self.model, &self.state, &mut self.data).map_or(error, at_guide));
        }
        self.sample();
        Ok(())
    }

    /// Lets sensors measure and controllers act.
    fn sample(&mut self) {
        let World { model, control, state, data, treatment, .. } = self;
        sampling::update(model, control, state, data, *treatment);
    }

    /// Makes the changes that the control asks for now; [`World::step`] does so before it steps.
    pub fn make_changes(&mut self) {
        for (cable, speed) in &self.control.payout {
            self.state.cables[cable.index()].ordered = *speed;
        }
        if !self.control.changes.is_empty() {
            let changes = std::mem::take(&mut self.control.changes);
            for change in changes {
                self.place().make(change, None);
            }
            self.events.append(&mut self.data.events);
        }
    }

    /// Makes the changes that are due: by the timeline, by loads, by what comes near or lies still.
    fn trigger(&mut self) {
        trigger::after_step(&mut self.place());
    }

    fn place(&mut self) -> Place<'_> {
        let Self { model, state, control, data, treatment, .. } = self;
        Place { model, control, state, data, treatment: *treatment }
    }

    /// Brings `data` (kinematics, contacts, forces, accelerations) up to date with `state`; cheap if it already is.
    pub fn refresh(&mut self) {
        evaluate(&self.model, &self.control, &self.state, &mut self.data, self.treatment);
    }

    /// Pose of a body's frame. Call [`World::refresh`] after a step first; so for all below.
    pub fn pose(&self, body: BodyId) -> Pose {
        self.data.bodies[body.index()].pose
    }

    /// Velocity of the body frame's origin and angular velocity, in the world.
    pub fn twist(&self, body: BodyId) -> Twist {
        let b = &self.data.bodies[body.index()];
        Twist { linear: b.velocity_at(b.pose.translation), angular: b.twist.angular }
    }

    /// Acceleration of the body frame's origin and angular acceleration, in the world.
    pub fn acceleration(&self, body: BodyId) -> Twist {
        acceleration(&self.model, &self.state, &self.data, body)
    }

    /// A joint's coordinate [rad or m]; NaN for one without a position.
    pub fn joint_position(&self, joint: JointId, coordinate: usize) -> f64 {
        self.joint_coordinate(joint, coordinate).map_or(f64::NAN, |c| c[0])
    }

    /// Rate of a joint's coordinate [rad/s or m/s].
    pub fn joint_rate(&self, joint: JointId, coordinate: usize) -> f64 {
        self.joint_coordinate(joint, coordinate).map_or(f64::NAN, |c| c[1])
    }

    /// Position and rate of a joint's coordinate.
    fn joint_coordinate(&self, joint: JointId, i: usize) -> Option<[f64; 2]> {
        observe::joint_coordinate(&self.model, &self.state, joint, i)
    }

    /// Generalised force along a joint's coordinate, by what acts on it or by its guide [N·m or N].
    pub fn joint_effort(&self, joint: JointId, coordinate: usize) -> f64 {
        observe::joint_effort(&self.model, &self.data, joint, coordinate)
    }

    /// Force and torque by a joint on its child, at the joint's point on the child, in the world.
    pub fn joint_reaction(&self, joint: JointId) -> Wrench {
        observe::joint_reaction(&self.model, &self.data, joint)
    }

    /// What a sensor shows, one number per component.
    pub fn reading(&self, sensor: SensorId) -> &[f64] {
        let width = self.model.sensors[sensor.index()].measure.width();
        &self.state.sensors[sensor.index()].reading[..width]
    }

    /// What a controller puts out [N or N·m].
    pub fn output(&self, controller: ControllerId) -> f64 {
        self.state.outputs[controller.index()]
    }

    /// Force and torque by a loop on the last of its bodies, at its point there, in the world; zero for loops between
    /// coordinates.
    pub fn loop_reaction(&self, closed: LoopId) -> Wrench {
        closure::reaction(&self.model, &self.state, &self.data, closed.index())
    }

    /// Tension of a distance or a rope, force of a coupling on its first coordinate [N or N·m]; NaN for other loops.
    pub fn loop_effort(&self, closed: LoopId) -> f64 {
        let multiplier = self.data.closures.multiplier(closed.index());
        self.model.loops[closed.index()].closure.effort(multiplier)
    }

    /// How far a loop is from closed [m, rad].
    pub fn loop_violation(&self, closed: LoopId) -> f64 {
        self.data.closures.violation(closed.index())
    }

    /// Contacts at this instant with their patches, if they have any, in the same order.
    pub fn contacts_with_patches(&self) -> impl Iterator<Item = (&Contact, Option<&PatchContact>)> {
        self.data.contacts.with_patches()
    }

    /// Contacts at this instant, ordered by (pair of shapes, point).
    pub fn contacts(&self) -> impl Iterator<Item = &Contact> {
        self.data.contacts()
    }

    /// What of its two shapes a contact of this world is on; `None` for a round side.
    pub fn parts(&self, contact: &Contact) -> [Option<Feature>; 2] {
        [(contact.a, true), (contact.b, false)].map(|(id, is_first)| {
            let shape = &self.model.shapes[id.index()];
            let pose = self.pose(shape.body) * shape.pose_bs;
            feature::touched(&shape.shape, &pose, &contact.overlap, is_first)
        })
    }

    /// What a contact of this world remembers.
    pub fn contact_memory(&self, contact: &Contact) -> Memory {
        let mut scratch = Memory::default();
        *contact.memory(&self.model, &self.state.slots, &mut scratch)
    }

    /// Energy that a source of the account has lost so far [J].
    pub fn dissipated_by(&self, source: usize) -> f64 {
        let bent = |(rule, bent): (&ContactRule, &f64)| (rule.load_source == Some(source)).then_some(*bent);
        let bent: f64 = self.model.rules.iter().zip(&self.data.bent).filter_map(bent).sum();
        self.state.account.dissipated[source] - bent
    }

    /// The energy account.
    pub fn energy(&self) -> Energy {
        Energy::of(&self.state, &self.data)
    }
}
