//! Everything a scenario can contain, fixed during a run.

use crate::action::Action;
use crate::body::{Body, BodyMotion, BodyShape, FreeBody};
use crate::closure::{Assembly, LoopPlan, LoopSettings, LoopState, assemble};
use crate::contact::layout::Layout;
use crate::controller::ControllerMemory;
use crate::joint::Joint;
use crate::sensor::SensorMemory;
use crate::tree::{Carrier, Link};
use crate::{
    BodyId, Cable, CableId, CableSpec, Controller, ControllerId, Force, ForceId, ImpactRule, JointId, LoopId,
    MaterialId, RuleId, Sensor, SensorId, State, Surroundings,
};
use fender_contact::{FrictionLaw, Normal};
use fender_geom::Shape;
use fender_geom::pair::patch;
use fender_math::{Pose, Profile, Twist, Vec3};
use std::collections::BTreeSet;
use std::sync::Arc;

mod cables;
mod changes;
mod control;
mod error;
mod fast;
mod loops;
mod pairs;
mod sources;
mod trees;

use changes::ChangeSpecs;
pub use changes::{Changes, Fence, Limit};
pub use error::ModelError;
pub use loops::{LoopKind, LoopSpec, ModelLoop};

/// Everything a scenario can contain. Built once by a [`ModelBuilder`].
#[derive(Debug)]
pub struct Model {
    /// Acceleration of gravity [m/s²].
    pub gravity: Vec3,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Shapes of all bodies, body by body.
    pub shapes: Vec<BodyShape>,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Contact rules.
    pub rules: Vec<ContactRule>,
    /// Force elements with their names.
    pub forces: Vec<(String, Box<dyn Force>)>,
    /// Names of the energy account's sources: `gravity` is not one (it is potential); first `control` and `drivers`,
    /// then one per force element, then `contact.<a>-<b>.damping` and `contact.<a>-<b>.friction` per rule, then one per
    /// controller, last those of changes, and per rule `contact.<a>-<b>.load` with bristles, `….relaxation`, and `….impact` and
    /// `….impact_friction` with impacts.
    pub sources: Vec<String>,
    /// Times at which something starts, stops or has a kink [s], increasing: adaptive integrators stop there.
    pub time_events: Vec<f64>,
    /// Numbers in `State::q`.
    pub nq: usize,
    /// Numbers in `State::v`.
    pub nv: usize,
    /// Free bodies, in order of their coordinates: what `Body::free` says of each, packed for the loops over all of them.
    pub free: Vec<FreeBody>,
    /// Driven bodies.
    pub driven: Vec<BodyId>,
    /// Bodies in trees, parents before children.
    pub links: Vec<Link>,
    /// Joints.
    pub joints: Vec<ModelJoint>,
    /// What acts on the joints' coordinates.
    pub actions: Vec<JointAction>,
    /// Loops.
    pub loops: Vec<ModelLoop>,
    /// How loops are closed.
    pub loop_settings: LoopSettings,
    /// The equations of the loops.
    pub(crate) plan: LoopPlan,
    /// The start, if there are loops.
    pub assembly: Option<Assembly>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Controllers.
    pub controllers: Vec<Controller>,
    /// Cables.
    pub cables: Vec<Cable>,
    /// Water, air and seabed.
    pub surroundings: Surroundings,
    /// What comes and goes, and when.
    pub changes: Changes,
    /// Whether any friction law in use has flowing memory.
    pub flows: bool,
    /// Whether any rule makes events of touches.
    pub impacts: bool,
    /// Bodies whose touches are looked for along their way (see `contact::sweep`), in order.
    pub fast: Vec<BodyId>,
    /// Half of each shape's thickness [m], if there are fast bodies.
    pub(crate) thin: Vec<f64>,
    /// Radius of the largest ball inside each shape [m]; infinite for one without end and for a mesh.
    pub(crate) inradii: Vec<f64>,
    /// What the pair search knows before anything moves.
    pub(crate) layout: Layout,
    /// Smallest bounding radius of a free body's shape [m]; infinite when nothing can touch.
    pub smallest: f64,
    /// Contact memory given by the scenario for contacts that exist at the start.
    pub initial_contacts: Vec<InitialContact>,
    rule_of: Vec<Option<RuleId>>,
    ignored_bodies: BTreeSet<(u32, u32)>,
    ignored_groups: BTreeSet<(u32, u32)>,
}

/// Which law acts between two materials.
#[derive(Debug)]
pub struct ContactRule {
    /// The two materials.
    pub between: (MaterialId, MaterialId),
    /// Force along the normal.
    pub normal: Normal,
    /// Force across it.
    pub friction: Box<dyn FrictionLaw>,
    /// Time in which the depth at which a fixed step sees a contact first comes to count [s], if it does not at once.
    pub relaxation: Option<f64>,
    /// Account source of changes of the load on bent bristles, for laws that have them.
    pub(crate) load_source: Option<usize>,
    /// Account source of the relaxation's work.
    pub(crate) relaxation_source: Option<usize>,
    /// Account source of rolling resistance, for laws that take patches; drilling friction is the next.
    pub(crate) rolling_source: Option<usize>,
    /// Fast touches as events.
    pub impact: Option<ImpactRule>,
    /// Account source of what impacts lose along the normal; what they lose to friction is the next.
    pub(crate) impact_source: Option<usize>,
}

/// A joint in the model.
#[derive(Debug)]
pub struct ModelJoint {
    /// Unique name.
    pub name: String,
    /// The link it carries: index into `Model::links`.
    pub link: usize,
    /// Displacement from the drawn position at the start, per degree of freedom [rad or m].
    pub start: Vec<f64>,
    /// Rates at the start [rad/s or m/s].
    pub rates: Vec<f64>,
    /// If it is guided, its place among the joints that are.
    pub guide: Option<usize>,
    /// Whether assembly leaves its start and rates as they are.
    pub keep: bool,
}

/// Something that acts on a joint's coordinate.
#[derive(Debug)]
pub struct JointAction {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// What acts.
    pub action: Box<dyn Action>,
}

/// What a user says of a joint. The bodies' poses and the joint's frame are those of the mechanism as drawn, where the
/// joint's coordinates are zero.
#[derive(Debug)]
pub struct JointSpec {
    /// Unique name.
    pub name: String,
    /// Body that carries; `None` for the world.
    pub parent: Option<BodyId>,
    /// Body that is carried.
    pub child: BodyId,
    /// How it can move.
    pub joint: Arc<dyn Joint>,
    /// Frame of the joint in the world, as drawn.
    pub frame: Pose,
    /// Displacement from the drawn position at the start, per degree of freedom [rad or m].
    pub start: Vec<f64>,
    /// Rates at the start [rad/s or m/s].
    pub rates: Vec<f64>,
    /// Coordinates over time, if they are prescribed.
    pub guide: Option<Vec<Profile>>,
    /// What acts on its coordinates.
    pub actions: Vec<(usize, Box<dyn Action>)>,
    /// Whether assembly leaves its start and rates as they are, and moves others to close the loops.
    pub keep: bool,
}

/// Memory of a contact that exists at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialContact {
    /// The two bodies, in any order.
    pub between: (BodyId, BodyId),
    /// Latched approach speed [m/s].
    pub impact_speed: f64,
    /// How far stiction has built up, from 0 to 1.
    pub dwell: f64,
}

impl InitialContact {
    /// Whether it is that of a pair of bodies.
    pub(crate) fn is_between(&self, pair: (BodyId, BodyId)) -> bool {
        self.between == pair || self.between == (pair.1, pair.0)
    }
}

/// What a user says of a body.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: BodyMotion,
    /// Pose of its frame at the start (ignored for driven bodies).
    pub pose: Pose,
    /// Velocity of its frame's origin and angular velocity at the start, in the world (free bodies only).
    pub twist: Twist,
    /// Shapes: geometry, frame in the body, material.
    pub shapes: Vec<(Shape, Pose, MaterialId)>,
    /// Collision group.
    pub group: u32,
}

/// Collects what a model contains and checks it.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    gravity: Vec3,
    bodies: Vec<BodySpec>,
    materials: Vec<String>,
    rules: Vec<ContactRule>,
    forces: Vec<(String, Box<dyn Force>)>,
    joints: Vec<JointSpec>,
    loops: Vec<LoopSpec>,
    loop_settings: LoopSettings,
    sensors: Vec<Sensor>,
    controllers: Vec<Controller>,
    ignored_bodies: BTreeSet<(u32, u32)>,
    ignored_groups: BTreeSet<(u32, u32)>,
    fast: BTreeSet<BodyId>,
    initial_contacts: Vec<InitialContact>,
    changes: ChangeSpecs,
    cables: Vec<CableSpec>,
    surroundings: Surroundings,
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl ModelBuilder {
    /// A model with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the acceleration of gravity [m/s²].
    pub fn gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
    }

    /// Adds a material.
    pub fn material(&mut self, name: impl Into<String>) -> MaterialId {
        self.materials.push(name.into());
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Adds a body.
    pub fn body(&mut self, spec: BodySpec) -> BodyId {
        self.bodies.push(spec);
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// The bodies so far.
    pub fn bodies(&self) -> &[BodySpec] {
        &self.bodies
    }

    /// Says which laws act between two materials; the last word on a pair counts.
    pub fn contact(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        normal: impl Into<Normal>,
        friction: Box<dyn FrictionLaw>,
    ) -> RuleId {
        self.rules.push(ContactRule {
            between: (a, b),
            normal: normal.into(),
            friction,
            relaxation: None,
            load_source: None,
            relaxation_source: None,
            rolling_source: None,
            impact: None,
            impact_source: None,
        });
        RuleId(self.rules.len() as u32 - 1)
    }

    /// Lets the depth at which a fixed step sees a contact first come to count within a time [s] (Gonthier 2007, eqs. 3.44 and
    /// 3.45): no energy is gained from it, for a while at the price of the place.
    pub fn relaxation(&mut self, rule: RuleId, time: f64) {
        self.rules[rule.index()].relaxation = Some(time);
    }

    /// Makes events of the fast touches of a rule; its laws are then for contacts that last.
    pub fn impact(&mut self, rule: RuleId, impact: ImpactRule) {
        self.rules[rule.index()].impact = Some(impact);
    }

    /// Adds a force element.
    pub fn force(&mut self, name: impl Into<String>, force: Box<dyn Force>) -> ForceId {
        self.forces.push((name.into(), force));
        ForceId(self.forces.len() as u32 - 1)
    }

    /// Adds a joint. The two bodies it joins pass through each other.
    pub fn joint(&mut self, spec: JointSpec) -> JointId {
        if let Some(parent) = spec.parent {
            self.ignore(parent, spec.child);
        }
        self.joints.push(spec);
        JointId(self.joints.len() as u32 - 1)
    }

    /// Adds a loop.
    pub fn closed_loop(&mut self, spec: LoopSpec) -> LoopId {
        self.loops.push(spec);
        LoopId(self.loops.len() as u32 - 1)
    }

    /// Says how loops are closed.
    pub fn loop_settings(&mut self, settings: LoopSettings) {
        self.loop_settings = settings;
    }

    /// Adds a sensor.
    pub fn sensor(&mut self, sensor: Sensor) -> SensorId {
        self.sensors.push(sensor);
        SensorId(self.sensors.len() as u32 - 1)
    }

    /// Adds a controller.
    pub fn controller(&mut self, controller: Controller) -> ControllerId {
        self.controllers.push(controller);
        ControllerId(self.controllers.len() as u32 - 1)
    }

    /// Adds a cable.
    pub fn cable(&mut self, spec: CableSpec) -> CableId {
        self.cables.push(spec);
        CableId(self.cables.len() as u32 - 1)
    }

    /// Says what surrounds the scene.
    pub fn surroundings(&mut self, surroundings: Surroundings) {
        self.surroundings = surroundings;
    }

    /// Two bodies pass through each other.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        self.ignored_bodies.insert(ordered(a.0, b.0));
    }

    /// What a free body would hit on its way is found however fast it is, and steps are divided while it hits.
    pub fn fast(&mut self, body: BodyId) {
        self.fast.insert(body);
    }

    /// Bodies of two collision groups pass through each other (`a` may be `b`).
    pub fn ignore_groups(&mut self, a: u32, b: u32) {
        self.ignored_groups.insert(ordered(a, b));
    }

    /// Gives the memory of a contact that exists at the start.
    pub fn initial_contact(&mut self, contact: InitialContact) {
        self.initial_contacts.push(contact);
    }

    /// Checks everything and makes the model.
    pub fn build(self) -> Result<Model, ModelError> {
        if !self.gravity.is_finite() {
            return Err(ModelError::NotFinite { what: "gravity", name: "world".into() });
        }
        let mut names = BTreeSet::new();
        for name in self.bodies.iter().map(|b| &b.name) {
            if !names.insert(name.clone()) {
                return Err(ModelError::DuplicateName(name.clone()));
            }
        }
        let mut force_names = BTreeSet::new();
        for (name, _) in &self.forces {
            if !force_names.insert(name.clone()) {
                return Err(ModelError::DuplicateName(name.clone()));
            }
        }

        let plan = trees::plan(&self.bodies, &self.joints, &self.loops)?;
        let mut model = Model {
            gravity: self.gravity,
            bodies: Vec::new(),
            shapes: Vec::new(),
            materials: self.materials,
            rules: self.rules,
            forces: self.forces,
            sources: Vec::new(),
            time_events: Vec::new(),
            nq: 0,
            nv: 0,
            free: Vec::new(),
            driven: Vec::new(),
            links: Vec::new(),
            joints: Vec::new(),
            actions: Vec::new(),
            loops: Vec::new(),
            loop_settings: self.loop_settings,
            plan: LoopPlan::default(),
            assembly: None,
            sensors: self.sensors,
            controllers: self.controllers,
            cables: Vec::new(),
            surroundings: self.surroundings,
            changes: Changes::default(),
            flows: false,
            impacts: false,
            fast: self.fast.into_iter().collect(),
            thin: Vec::new(),
            inradii: Vec::new(),
            layout: Layout::default(),
            smallest: f64::INFINITY,
            initial_contacts: self.initial_contacts,
            rule_of: Vec::new(),
            ignored_bodies: self.ignored_bodies,
            ignored_groups: self.ignored_groups,
        };
        for (spec, place) in self.bodies.into_iter().zip(&plan.places) {
            model.add_body(spec, *place)?;
        }
        trees::add(&mut model, self.joints, &plan)?;
        model.add_loops(self.loops)?;
        model.add_cables(self.cables)?;
        model.add_changes(self.changes)?;
        model.flows = model.rules.iter().any(|r| r.friction.flows() > 0 || r.relaxation.is_some());
        model.impacts = model.rules.iter().any(|rule| rule.impact.is_some());
        model.index_rules();
        model.check_pairs()?;
        model.measure_thickness()?;
        model.inradii =
            model.shapes.iter().map(|s| patch::inradius(&s.shape).unwrap_or(f64::INFINITY)).collect();
        model.layout = Layout::new(&model);
        model.check_control()?;
        model.name_sources();
        model.collect_time_events();
        if !model.loops.is_empty() {
            model.assembly = Some(assemble(&model)?);
        }
        model.settle_cables()?;
        model.check_paces()?;
        model.check_start()?;
        Ok(model)
    }
}

impl Model {
    fn add_body(&mut self, spec: BodySpec, place: trees::Place) -> Result<(), ModelError> {
        let id = BodyId(self.bodies.len() as u32);
        let finite = spec.pose.is_finite() && spec.twist.linear.is_finite() && spec.twist.angular.is_finite();
        if !finite {
            return Err(ModelError::NotFinite { what: "position or velocity", name: spec.name });
        }
        let first_shape = self.shapes.len() as u32;
        for (shape, pose_bs, material) in spec.shapes {
            if let Err(source) = shape.check() {
                return Err(ModelError::Shape { body: spec.name, source });
            }
            if shape.is_endless() && matches!(spec.motion, BodyMotion::Free { .. }) {
                return Err(ModelError::FreeEndless { body: spec.name, shape: shape.noun() });
            }
            let central = pose_bs == Pose::IDENTITY;
            if matches!(spec.motion, BodyMotion::Free { .. }) {
                self.smallest = self.smallest.min(shape.bounding_radius());
            }
            self.shapes.push(BodyShape { body: id, shape, pose_bs, central, material, group: spec.group });
        }
        let free = match &spec.motion {
            BodyMotion::Free { mass } => {
                if let Err(source) = mass.check() {
                    return Err(ModelError::Mass { body: spec.name, source });
                }
                if place == trees::Place::Carried {
                    None
                } else {
                    let (inertia, axes) = mass.principal();
                    let pose_bc = Pose { rotation: axes, translation: mass.center };
                    let free = FreeBody {
                        body: id,
                        q: self.nq,
                        v: self.nv,
                        mass: mass.mass,
                        inertia,
                        inverse_inertia: inertia.recip(),
                        pose_bc,
                        pose_cb: pose_bc.inverse(),
                        central: pose_bc == Pose::IDENTITY,
                        isotropic: inertia.x == inertia.y && inertia.y == inertia.z,
                        root: place == trees::Place::Root,
                    };
                    self.nq += FreeBody::NQ;
                    self.nv += FreeBody::NV;
                    self.free.push(free);
                    Some(free)
                }
            }
            _ => None,
        };
        if matches!(spec.motion, BodyMotion::Driven { .. }) {
            self.driven.push(id);
        }
        self.bodies.push(Body {
            name: spec.name,
            motion: spec.motion,
            pose: spec.pose,
            twist: spec.twist,
            shapes: first_shape..self.shapes.len() as u32,
            free,
            link: None,
        });
        Ok(())
    }

    /// Whether a joint or a loop prescribes a motion.
    pub(crate) fn prescribes(&self) -> bool {
        self.guides() > 0 || self.loops.iter().any(|l| l.drive.is_some())
    }

    fn collect_time_events(&mut self) {
        let mut times: Vec<f64> = self.forces.iter().flat_map(|(_, force)| force.time_events()).collect();
        times.extend(self.actions.iter().flat_map(|a| a.action.time_events()));
        times.extend(self.loops.iter().flat_map(|l| l.closure.time_events()));
        times
            .extend(self.cables.iter().filter_map(|c| c.payout.as_ref()).flat_map(|p| p.speed.time_events()));
        let Surroundings { water, air, .. } = &self.surroundings;
        times.extend(water.iter().chain(air).flat_map(|fluid| fluid.time_events()));
        for link in &self.links {
            if let Carrier::Joint { guide: Some(guide), .. } = &link.carrier {
                times.extend(guide.iter().flat_map(Profile::time_events));
            }
        }
        for body in &self.bodies {
            if let BodyMotion::Driven { series } = &body.motion {
                times.extend(series.time_events());
            }
        }
        times.extend(self.changes.timeline.iter().map(|(time, _)| *time));
        times.sort_by(f64::total_cmp);
        times.dedup();
        self.time_events = times;
    }

    /// Joints with degrees of freedom of their own, and the links they carry.
    pub(crate) fn moving_joints(&self) -> impl Iterator<Item = (&dyn Joint, &Link)> {
        self.links.iter().filter_map(|link| match &link.carrier {
            Carrier::Joint { joint, guide: None, .. } => Some((joint.as_ref(), link)),
            _ => None,
        })
    }

    /// Body by name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|b| b.name == name).map(|i| BodyId(i as u32))
    }

    /// The state at the start, before contacts are looked for (see [`World::new`](crate::World::new)).
    pub fn initial_state(&self) -> State {
        let mut state = State { q: vec![0.0; self.nq], v: vec![0.0; self.nv], ..State::default() };
        for body in &self.bodies {
            let Some(free) = body.free else { continue };
            let pose_wc = body.pose * free.pose_bc;
            let p = pose_wc.translation;
            let r = pose_wc.rotation.normalize();
            state.q[free.q..free.q + FreeBody::NQ].copy_from_slice(&[p.x, p.y, p.z, r.x, r.y, r.z, r.w]);
            let v = body.twist.at(p - body.pose.translation);
            let w = r.conjugate() * body.twist.angular;
            state.v[free.v..free.v + FreeBody::NV].copy_from_slice(&[v.x, v.y, v.z, w.x, w.y, w.z]);
        }
        for joint in &self.joints {
            let link = &self.links[joint.link];
            if let Carrier::Joint { joint: kind, guide: None, .. } = &link.carrier {
                let q = &mut state.q[link.q..link.q + kind.nq()];
                kind.neutral(q);
                kind.advance(q, &joint.start, 1.0);
                state.v[link.v..link.v + link.nv].copy_from_slice(&joint.rates);
            }
        }
        state.loops =
            self.loops.iter().map(|l| LoopState { active: l.attached, ..LoopState::HOLDS }).collect();
        self.start_activity(&mut state);
        if let Some(assembly) = &self.assembly {
            state.q.clone_from(&assembly.q);
            state.v.clone_from(&assembly.v);
        }
        for cable in &self.cables {
            cable.write_start(self, &mut state);
        }
        state.sensors = vec![SensorMemory::default(); self.sensors.len()];
        let memory = |c: &Controller| ControllerMemory {
            law: vec![0.0; c.law.memory()],
            ..ControllerMemory::default()
        };
        state.controllers = self.controllers.iter().map(memory).collect();
        state.outputs = vec![0.0; self.controllers.len()];
        state.account.dissipated = vec![0.0; self.sources.len()];
        state.account.work = vec![0.0; self.sources.len()];
        state
    }
}
