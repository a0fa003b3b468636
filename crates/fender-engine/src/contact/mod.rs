//! Contacts: overlap + law + memory + force.

use crate::{BodyId, RuleId, ShapeId};
use fender_contact::{FLOW, FrictionForce, Memory, Motion, PointOverlap};
use fender_math::Vec3;
use serde::{Deserialize, Serialize};

pub(crate) mod arms;
pub(crate) mod detect;
pub(crate) mod laws;
pub(crate) mod pairs;
pub(crate) mod slots;

pub(crate) use arms::Arms;
pub(crate) use pairs::PairCache;

/// Place of an open contact in `State`: it keeps the contact's memory from step to step.
///
/// Identity is (ordered pair of shapes, slot). When a pair touches at several points, each overlap takes the slot whose
/// last place on the first body is nearest. An overlap without a slot opens a new one: with a copy of the memory of a slot
/// of the pair that is close by (within a tenth of the smaller shape), else with fresh memory. A slot without an overlap
/// closes and forgets. So when a contact splits, both parts remember, and when two merge, the memory of the nearer one
/// stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSlot {
    /// First shape (the smaller id).
    pub a: ShapeId,
    /// Second shape.
    pub b: ShapeId,
    /// Slot of the pair.
    pub slot: u32,
    /// Point of action in the first body's frame, at the last accepted step [m].
    pub anchor: Vec3,
    /// Depth at the last accepted step [m].
    pub depth: f64,
    /// Approach speed at the last accepted step [m/s].
    pub approach: f64,
    /// What the laws remember.
    pub memory: Memory,
    /// Friction force of the last step [N]: where fixed-step methods start from.
    pub friction: Vec3,
}

/// A contact at this instant.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// First shape: forces and normal are with respect to it.
    pub a: ShapeId,
    /// Second shape.
    pub b: ShapeId,
    /// Body of the first shape.
    pub body_a: BodyId,
    /// Body of the second shape.
    pub body_b: BodyId,
    /// Rule that gives the laws.
    pub rule: RuleId,
    /// Index into `State::slots`; `None` until the contact is opened at the end of a step.
    pub slot: Option<u32>,
    /// Slot that a contact without one has split from: it remembers the same.
    pub(crate) split_from: Option<u32>,
    /// Geometric fact.
    pub overlap: PointOverlap,
    /// Relative motion at the point of action.
    pub motion: Motion,
    /// Approach speed that the contact remembers [m/s].
    pub impact_speed: f64,
    /// Normal force on the first body [N].
    pub normal_force: f64,
    /// Friction force on the first body, in the world [N].
    pub friction: Vec3,
    /// Energy stored [J].
    pub stored: f64,
    /// Power lost in the normal direction [W].
    pub damping_power: f64,
    /// Power lost to friction [W].
    pub friction_power: f64,
    /// Whether the slip speed is below the friction law's sticking speed.
    pub sticking: bool,
    /// Arms from the bodies' centres.
    pub(crate) arms: Arms,
    /// Friction force of the last step, bounded by the present load [N].
    pub(crate) guess: Vec3,
    /// Conservative part of the normal force [N].
    pub(crate) elastic: f64,
    /// Velocity-dependent part of the normal force per approach speed [N·s/m].
    pub(crate) viscosity: f64,
}

impl Contact {
    /// Force on the first body, in the world [N].
    pub fn force(&self) -> Vec3 {
        self.overlap.normal * self.normal_force + self.friction
    }

    /// Takes a slot's memory over.
    #[inline]
    fn take(&mut self, index: usize, slot: &ContactSlot) {
        self.slot = Some(index as u32);
        self.impact_speed = slot.memory.impact_speed;
        self.guess = slot.friction;
    }

    /// Memory of a contact that has none in a slot.
    #[inline]
    fn fresh_memory(&self) -> Memory {
        Memory { impact_speed: self.impact_speed, ..Memory::default() }
    }

    /// What the laws remember.
    #[inline]
    fn memory<'a>(&self, slots: &'a [ContactSlot], fresh: &'a Memory) -> &'a Memory {
        self.slot.or(self.split_from).map_or(fresh, |slot| &slots[slot as usize].memory)
    }

    #[inline]
    fn set_friction(&mut self, friction: &FrictionForce) {
        self.friction = friction.force;
        self.stored += friction.stored;
    }
}

/// The contacts of one instant in chunks, one per chunk of candidate pairs: threads fill chunks independently, and the
/// order over all chunks does not depend on who filled them.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) chunks: Vec<Chunk>,
}

/// Contacts of one chunk of candidate pairs.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) contacts: Vec<Contact>,
    /// Rates of each contact's flowing memory [1/s]; empty when no law has any.
    pub(crate) flows: Vec<[f64; FLOW]>,
}

impl Contacts {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Contact> {
        self.chunks.iter().flat_map(|chunk| &chunk.contacts)
    }
}
