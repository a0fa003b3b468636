//! Scratch of a step: never saved, and history-free. Clearing it at any time changes no bit of the motion.
//!
//! Grouped by the stage of [`evaluate`](crate::evaluate::evaluate) that fills it.

use crate::cable::balance::StepBalance;
use crate::cable::{CableData, Carried, PaceData};
use crate::closure::ClosureData;
use crate::contact::sweep::Ways;
use crate::contact::{Contact, ContactSlot, Contacts, PairCache, StepForces};
use crate::evaluate::Treatment;
use crate::impact::ImpactData;
use crate::integrator::AlphaScratch;
use crate::island::Islands;
use crate::tangent::Tangent;
use crate::tree::LinkData;
use crate::{Body, BodyMotion, Control, Event, State};
use fender_contact::FLOW;
use fender_math::{Mat3, Pose, Twist, Vec3, Wrench};

/// Where a body is and how it moves, for one instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyKinematics {
    /// Pose of the body's frame.
    pub pose: Pose,
    /// Centre of mass in the world [m] (the frame's origin for bodies that are not free).
    pub center: Vec3,
    /// Velocity of the centre of mass and angular velocity, in the world.
    pub twist: Twist,
    /// Gyroscopic torque −ω × Iω, in the world [N·m].
    pub gyroscopic: Vec3,
    /// 1/mass [1/kg]; 0 for bodies that no force moves.
    pub inverse_mass: f64,
    /// Inverse inertia along the world's axes [1/(kg·m²)]; 0 for bodies that no force moves.
    pub inverse_inertia: Mat3,
}

impl BodyKinematics {
    /// What stays as it is when a body does not move, and what stays when it does.
    pub(crate) fn at_start(body: &Body) -> Self {
        // Not the default of a matrix, which is the identity: a body that is not free must not give way.
        let inverse_inertia = Mat3::ZERO;
        let mut kinematics =
            Self { pose: body.pose, center: body.pose.translation, inverse_inertia, ..Self::default() };
        if let BodyMotion::Free { mass } = &body.motion {
            kinematics.inverse_mass = 1.0 / mass.mass;
        }
        if let Some(free) = &body.free {
            kinematics.inverse_inertia = Mat3::from_diagonal(free.inverse_inertia);
        }
        kinematics
    }

    /// Velocity of the body's point that is now at `point` in the world [m/s].
    #[inline]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.twist.at(point - self.center)
    }

    /// How much a unit impulse along `direction`, at `arm` from the centre, changes the velocity there [1/kg].
    #[inline]
    pub fn inverse_mass_at(&self, arm: Vec3, direction: Vec3) -> f64 {
        let turning = arm.cross(direction);
        self.inverse_mass + turning.dot(self.inverse_inertia * turning)
    }
}

/// Time derivatives of everything that flows.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// Of `State::q`.
    pub q: Vec<f64>,
    /// Of `State::v`.
    pub v: Vec<f64>,
    /// Of each open contact's flowing memory; empty when no law in the model uses any.
    pub flow: Vec<[f64; FLOW]>,
    /// Power lost by each source [W].
    pub dissipated: Vec<f64>,
    /// Power delivered by each source [W].
    pub work: Vec<f64>,
}

/// Scratch of a step.
#[derive(Debug, Default)]
pub struct Data {
    /// Kinematics of each body [stage: kinematics].
    pub bodies: Vec<BodyKinematics>,
    /// Origin of each body's frame [m], packed for the first test of candidate pairs [stage: kinematics].
    pub(crate) centers: Vec<Vec3>,
    /// What is known of each link of the trees [stages: kinematics, forces, accelerate].
    pub links: Vec<LinkData>,
    /// Kinetic energy of the bodies that forces move [J] [stage: kinematics].
    pub kinetic: f64,
    /// Potential energy in the field of gravity [J] [stage: kinematics].
    pub potential: f64,

    /// Which bodies and cables are stepped together.
    pub(crate) islands: Islands,

    /// Candidate pairs, a superset of the overlaps [stage: detect].
    pub(crate) pairs: PairCache,
    /// What is near the ways of fast bodies, before a step.
    pub(crate) ways: Ways,
    /// Contacts at this instant [stages: detect, laws].
    pub(crate) contacts: Contacts,

    /// Energy stored in springs and contacts [J] [stages: forces, laws].
    pub stored: f64,
    /// Wrench on each body that can move, about its centre of mass, in the world [stages: forces, laws].
    pub wrenches: Vec<Wrench>,
    /// The same without contacts [stage: laws].
    pub(crate) loads: Vec<Wrench>,
    /// Contact points on each body [stage: laws].
    pub(crate) touching: Vec<u32>,
    /// Velocity each body would have at the end of the step without friction and contact damping [stage: laws].
    pub(crate) predicted: Vec<Twist>,

    /// Velocities of the trees' coordinates at the end of the step [stage: laws].
    pub(crate) ends: Vec<f64>,

    /// Energy stored by each rule's friction law [J]; empty when no law in the model remembers [stage: laws].
    pub(crate) bent: Vec<f64>,

    /// Velocity-dependent forces in each of the state's slots [stage: laws].
    pub(crate) step_forces: Vec<StepForces>,

    /// What is known of the loops [stage: accelerate].
    pub(crate) closures: ClosureData,

    /// What implicit methods know of the forces' changes.
    pub(crate) tangent: Tangent,

    /// What is known of each cable [stage: cables].
    pub(crate) cables: Vec<CableData>,
    /// What cables at their own rate need; all entries are there if any is.
    pub(crate) paces: Vec<PaceData>,
    /// Inertia that cables add to free bodies [stage: cables].
    pub(crate) carried: Vec<Carried>,

    /// Derivatives of the state [stage: accelerate].
    pub rates: Rates,

    /// How `contacts` and everything before it was computed for the present state: detection is up to date.
    pub(crate) detected: bool,
    /// The control in use.
    pub(crate) control: Control,
    /// For which treatment everything is up to date with the present state.
    pub(crate) evaluated: Option<Treatment>,

    /// Stage derivatives of the integrator.
    pub(crate) stages: Vec<Rates>,
    /// The integrator's trial state.
    pub(crate) trial: State,
    /// What an implicit stage starts from.
    pub(crate) base: State,
    /// Residual of an implicit stage.
    pub(crate) residual: Vec<f64>,
    /// Forces left over, and the Newton step after a trial, of the line search.
    pub(crate) merit: Vec<f64>,
    pub(crate) next: Vec<f64>,
    /// By how much a stage that did not converge still changed velocities [m/s or rad/s].
    pub(crate) left: f64,
    /// Which of them it changed most.
    pub(crate) left_at: usize,
    /// Where an implicit step started.
    pub(crate) start: State,
    /// Accelerations of an implicit step.
    pub(crate) alpha: AlphaScratch,
    /// Energy balances of the cables over a step.
    pub(crate) balances: Vec<StepBalance>,
    /// What impacts need.
    pub(crate) impact: ImpactData,
    /// New list of slots, swapped with the state's.
    pub(crate) slots: Vec<ContactSlot>,
    /// Which slots a trial state still uses.
    pub(crate) slot_used: Vec<bool>,
    /// What happened in the last step.
    pub(crate) events: Vec<Event>,
    /// Touches and releases of the step whose slips are still being told.
    pub(crate) touches: Vec<Event>,
}

impl Data {
    /// Contacts at this instant, ordered by (pair of shapes, point).
    pub fn contacts(&self) -> impl Iterator<Item = &Contact> {
        self.contacts.iter()
    }

    /// Forgets everything. Needed after changing a state by hand; never changes the motion.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets everything but what is still to be told.
    pub(crate) fn clear_keeping_events(&mut self) {
        let events = std::mem::take(&mut self.events);
        self.clear();
        self.events = events;
    }

    /// The state has changed: nothing is up to date any more.
    pub fn invalidate(&mut self) {
        self.detected = false;
        self.evaluated = None;
    }

    /// Lets candidate pairs be found anew, to measure what that takes.
    pub fn forget_pairs(&mut self) {
        self.pairs.forget();
        self.invalidate();
    }

    /// How often candidate pairs have been found since the scratch was last cleared.
    pub fn pair_searches(&self) -> u64 {
        self.pairs.searches
    }

    /// How many candidate pairs there are.
    pub fn candidate_pairs(&self) -> usize {
        self.pairs.pairs.len()
    }
}
