//! Contacts: overlap + law + memory + force.

use crate::data::BodyKinematics;
use crate::{BodyId, Model, RuleId, ShapeId};
use fender_contact::{FLOW, FrictionForce, Memory, Motion, PointOverlap};
use fender_math::Vec3;
use serde::{Deserialize, Serialize};
use std::ops::Range;

pub(crate) mod arms;
mod deep;
pub(crate) mod detect;
pub(crate) mod laws;
pub(crate) mod layout;
mod matching;
pub(crate) mod pairs;
pub(crate) mod patch;
#[cfg(test)]
mod random;
pub mod side;
pub(crate) mod slots;
pub(crate) mod sweep;

pub(crate) use arms::{Arms, Jointed, Oblique, Radial};
pub use deep::DeepStart;
pub use matching::Mark;
pub(crate) use pairs::{Pair, PairCache};
pub use patch::PatchContact;
pub use side::Side;

/// Place of an open contact in `State`: it keeps the contact's memory from step to step.
///
/// Identity is (ordered pair of shapes, slot). Each overlap takes the slot that agrees best with its place and normal on the
/// two bodies (see `matching`), but none whose normal is another one. An overlap without a slot opens a new one: with a copy
/// of the memory of a slot of the pair that is close by (within a tenth of the smaller shape) and has a normal alike, else
/// with fresh memory. A slot without an overlap closes and forgets. So when a contact splits, both parts remember, and when
/// two merge, the memory of the nearer one stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSlot {
    /// First shape (the smaller id).
    pub a: ShapeId,
    /// Second shape.
    pub b: ShapeId,
    /// Slot of the pair.
    pub slot: u32,
    /// Whether it sticks; one that slides sticks again when its slip is below half of the law's sticking speed.
    pub sticking: bool,
    /// Where it was on its two bodies at the last accepted step; unset for two balls, which touch at one point.
    pub marks: [Mark; 2],
    /// Depth at the last accepted step [m].
    pub depth: f64,
    /// Approach speed at the last accepted step [m/s].
    pub approach: f64,
    /// Greatest approach speed [m/s] and depth [m] since the bodies last began to approach each other.
    pub peak_approach: f64,
    /// See `peak_approach`.
    pub peak_depth: f64,
    /// What the laws remember.
    pub memory: Memory,
    /// What the last step of a fixed-step method found: where the next one starts from.
    pub last: StepForces,
}

impl ContactSlot {
    /// Takes depth and approach of the contact at an accepted step.
    fn follow(&mut self, contact: &Contact) {
        let (depth, approach) = (contact.overlap.depth, contact.motion.approach);
        if self.approach <= 0.0 && approach > 0.0 {
            (self.peak_approach, self.peak_depth) = (0.0, 0.0);
        }
        self.peak_approach = self.peak_approach.max(approach);
        self.peak_depth = self.peak_depth.max(depth);
        (self.depth, self.approach) = (depth, approach);
    }
}

/// Velocity-dependent forces of a contact over a whole step: on the first body, in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepForces {
    /// Friction force [N]; on a patch with a part along the normal, which times the radius of gyration is the drilling torque.
    pub friction: Vec3,
    /// Damping along the normal [N].
    pub damping: f64,
    /// Torque of rolling resistance [N·m].
    pub rolling: Vec3,
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
    /// Where its memory is.
    pub(crate) place: Place,
    /// Geometric fact.
    pub overlap: PointOverlap,
    /// Relative motion at the point of action.
    pub motion: Motion,
    /// Approach speed that the contact remembers [m/s].
    pub impact_speed: f64,
    /// Normal force on the first body [N].
    pub normal_force: f64,
    /// Friction force on the first body, in the world [N]. Until a fixed step has found it, that of the last step, bounded
    /// by the present load.
    pub friction: Vec3,
    /// Energy stored [J].
    pub stored: f64,
    /// Power lost in the normal direction [W].
    pub damping_power: f64,
    /// Power lost to friction [W].
    pub friction_power: f64,
    /// Whether the slip speed is below the friction law's sticking speed.
    pub sticking: bool,
    /// Arms from the bodies' centres, if they are along the normal.
    pub(crate) radial: Option<Radial>,
    /// Conservative part of the normal force [N].
    pub(crate) elastic: f64,
    /// Velocity-dependent part of the normal force per approach speed [N·s/m].
    pub(crate) viscosity: f64,
    /// What of the stored energy is the friction law's [J].
    pub(crate) bent: f64,
    /// Power that goes into it at constant load [W].
    pub(crate) storing: f64,
    /// Whether it is between bodies that are not stepped now.
    pub(crate) aside: bool,
    /// Its patch in the chunk, if it has one.
    pub(crate) patch: Option<u32>,
}

/// Where a contact's memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nowhere yet: a slot opens at the end of the step.
    New,
    /// In the slot of this index in `State::slots`.
    Slot(u32),
    /// It has split from the contact in this slot and remembers the same; a slot of its own opens at the end of the step.
    SplitFrom(u32),
}

impl Contact {
    /// A contact of a pair with the relative velocity at the point of action [m/s], without memory and before the laws.
    #[inline]
    fn new(pair: &Pair, overlap: PointOverlap, radial: Option<Radial>, relative: Vec3) -> Self {
        let n = overlap.normal;
        let approach = -n.dot(relative);
        Self::moving(pair, overlap, radial, Motion { approach, slip: relative + n * approach })
    }

    /// The same with the motion.
    #[inline]
    fn moving(pair: &Pair, overlap: PointOverlap, radial: Option<Radial>, motion: Motion) -> Self {
        Self {
            a: pair.a,
            b: pair.b,
            body_a: pair.body_a,
            body_b: pair.body_b,
            rule: pair.rule,
            place: Place::New,
            overlap,
            motion,
            // Until the contact is opened it behaves as if it had touched with the present speed.
            impact_speed: motion.approach.max(0.0),
            normal_force: 0.0,
            friction: Vec3::ZERO,
            stored: 0.0,
            damping_power: 0.0,
            friction_power: 0.0,
            sticking: false,
            radial,
            elastic: 0.0,
            viscosity: 0.0,
            bent: 0.0,
            storing: 0.0,
            aside: false,
            patch: None,
        }
    }

    /// Index into `State::slots`; `None` until the contact is opened at the end of a step.
    #[inline]
    pub fn slot(&self) -> Option<u32> {
        match self.place {
            Place::Slot(slot) => Some(slot),
            Place::New | Place::SplitFrom(_) => None,
        }
    }

    /// The slot whose memory it has.
    #[inline]
    fn remembered(&self) -> Option<u32> {
        match self.place {
            Place::Slot(slot) | Place::SplitFrom(slot) => Some(slot),
            Place::New => None,
        }
    }

    /// Whether it has a memory, as contacts have that last.
    #[inline]
    pub(crate) fn lasts(&self) -> bool {
        self.remembered().is_some()
    }

    /// How far the first body has to move against the approach until they part [m], of a patch as far as it keeps its form.
    #[inline]
    pub(crate) fn depth_along(&self, patch: Option<&PatchContact>) -> f64 {
        let growth = patch.map_or(1.0, |patch| patch.gradient.growth);
        if growth > 0.0 { self.overlap.depth / growth } else { self.overlap.depth }
    }

    /// Force on the first body, in the world [N].
    #[inline]
    pub fn force(&self) -> Vec3 {
        self.overlap.normal * self.normal_force + self.friction
    }

    /// Takes a slot's memory over.
    #[inline]
    fn take(
        &mut self,
        model: &Model,
        (index, slot): (usize, &ContactSlot),
        bodies: [&BodyKinematics; 2],
        patch: Option<&PatchContact>,
    ) {
        self.place = Place::Slot(index as u32);
        self.impact_speed = slot.memory.impact_speed;
        let has_loaded = slot.peak_approach > 0.0;
        if has_loaded && slot.approach <= 0.0 && self.motion.approach > 0.0 {
            self.load_again(model, slot, bodies, patch);
        }
    }

    /// Lowers the impact speed of a contact that, after a loading and an unloading, loads again.
    ///
    /// Damping for the speed of an impact hardly acts on the small motions that the impact leaves in a contact that lasts.
    /// The speed becomes the greatest approach of the last cycle, but not less than the one with which the damping of the
    /// two bodies alone would be critical at the mean depth of that cycle. The approach is zero at the change, so that no
    /// force jumps.
    #[inline(never)]
    fn load_again(
        &mut self,
        model: &Model,
        slot: &ContactSlot,
        [ka, kb]: [&BodyKinematics; 2],
        patch: Option<&PatchContact>,
    ) {
        let law = &model.rules[self.rule.index()].normal;
        let rest = Motion::default();
        let memory = Memory { impact_speed: self.impact_speed, ..Memory::default() };
        let depth = 0.5 * (self.overlap.depth + slot.peak_depth);
        let normal = match patch {
            Some(p) => law.rate_on_patch(&p.overlap, &p.gradient, depth, &rest, &memory),
            None => law.rate(&PointOverlap { depth, ..self.overlap }, &rest, &memory),
        };
        // The viscosity goes with the inverse of the speed.
        let critical = 2.0 * (normal.stiffness / (ka.inverse_mass + kb.inverse_mass)).sqrt();
        let least = self.impact_speed * (normal.viscosity / critical);
        self.impact_speed = self.impact_speed.min(slot.peak_approach.max(least));
    }

    /// What the laws remember, in `scratch`. Without flowing quantities that is the impact speed only, which the contact has itself.
    #[inline]
    pub(crate) fn memory<'a>(
        &self,
        model: &Model,
        slots: &[ContactSlot],
        scratch: &'a mut Memory,
    ) -> &'a Memory {
        if model.flows {
            scratch.flow = self.remembered().map_or([0.0; FLOW], |slot| slots[slot as usize].memory.flow);
        }
        scratch.impact_speed = self.impact_speed;
        scratch
    }

    /// Velocity-dependent forces of the last step; zero for a contact that has just begun.
    #[inline]
    fn last_forces(&self, slots: &[ContactSlot]) -> StepForces {
        self.slot().map_or_else(StepForces::default, |slot| slots[slot as usize].last)
    }

    #[inline]
    fn set_friction(&mut self, friction: &FrictionForce) {
        self.friction = friction.force;
        self.stored += friction.stored;
        (self.bent, self.storing) = (friction.stored, friction.storing);
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
    /// Patches of those that have one.
    pub(crate) patches: Vec<PatchContact>,
    /// The state's slots of the chunk's pairs, and of pairs between this chunk's first and the next one's.
    pub(crate) slots: Range<usize>,
    /// Rates of each contact's flowing memory [1/s]; empty when no law has any.
    pub(crate) flows: Vec<[f64; FLOW]>,
}

impl Chunk {
    /// The patch of one of its contacts.
    #[inline]
    pub(crate) fn patch(&self, contact: &Contact) -> Option<&PatchContact> {
        contact.patch.map(|i| &self.patches[i as usize])
    }
}

impl Contacts {
    /// All contacts with their patches.
    pub(crate) fn with_patches(&self) -> impl Iterator<Item = (&Contact, Option<&PatchContact>)> {
        self.chunks.iter().flat_map(|chunk| chunk.contacts.iter().map(|c| (c, chunk.patch(c))))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Contact> {
        self.chunks.iter().flat_map(|chunk| &chunk.contacts)
    }
}
