//! Which contact of the step before an overlap continues.
//!
//! A contact is known by its place and by its normal, on both bodies: what rolls moves on both, what slides on one, and what
//! tips over an edge has a normal that turns on one. An overlap whose normal is another one on both bodies is another
//! contact, though it may be of the same pair: the wall of a mesh on whose floor a ball lies.

use super::{Contact, ContactSlot, Place};
use crate::data::BodyKinematics;
use crate::{Model, ShapeId};
use fender_contact::PointOverlap;
use fender_geom::Shape;
use fender_math::Vec3;
use serde::{Deserialize, Serialize};

/// A normal that has turned by more than 30° is another one: squared distance of the unit vectors.
const ANOTHER: f64 = 0.268;
/// A contact of a round shape is another one this far away, in parts of the smaller shape's radius: round shapes touch
/// at places that move steadily. Points of faces may jump.
const FAR: f64 = 0.5;
/// What is this near may have split from a contact, in parts of the smaller shape's radius.
const NEAR: f64 = 0.1;
/// A normal turns on the spot if it turns by more than rounding [rad], and as about a radius of less than `NEAR`. With more than rounding here, error control would
/// take steps in which it turns by less.
const TURNED: f64 = 1e-9;

/// Where a contact is on a body, in the body's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Point of action [m].
    pub place: Vec3,
    /// Normal of the contact.
    pub normal: Vec3,
}

impl Mark {
    fn new(body: &BodyKinematics, overlap: &PointOverlap) -> Self {
        Self {
            place: body.pose.inverse_transform_point(overlap.point),
            normal: body.pose.rotation.inverse() * overlap.normal,
        }
    }
}

/// Whether a pair touches at one point at most that is always the same contact, so that it needs no marks: two balls.
fn is_single(model: &Model, a: ShapeId, b: ShapeId) -> bool {
    let is_ball = |id: ShapeId| matches!(model.shapes[id.index()].shape, Shape::Sphere { .. });
    is_ball(a) && is_ball(b)
}

/// The marks of a contact on its two bodies.
pub(super) fn marks(model: &Model, contact: &Contact, bodies: &[BodyKinematics]) -> [Mark; 2] {
    if is_single(model, contact.a, contact.b) {
        return [Mark::default(); 2];
    }
    [contact.body_a, contact.body_b].map(|body| Mark::new(&bodies[body.index()], &contact.overlap))
}

/// How an overlap differs from a contact of the step before.
struct Change {
    /// Squared distance of the places on the body where they are nearer [m²].
    near2: f64,
    /// The same on the other body [m²].
    far2: f64,
    /// Squared distance of the normals on the body where they are nearer.
    turn2: f64,
}

impl Change {
    fn new(now: &[Mark; 2], then: &[Mark; 2]) -> Self {
        let place2 = |i: usize| now[i].place.distance_squared(then[i].place);
        let turn2 = |i: usize| now[i].normal.distance_squared(then[i].normal);
        let (a, b) = (place2(0), place2(1));
        Self { near2: a.min(b), far2: a.max(b), turn2: turn2(0).min(turn2(1)) }
    }
}

/// Matches the contacts of one pair with its slots of the step before.
pub(super) struct Matching<'a> {
    model: &'a Model,
    pub(super) bodies: [&'a BodyKinematics; 2],
    pub(super) slots: &'a [ContactSlot],
    /// Index of the first of them in the state.
    pub(super) begin: usize,
    /// Radius of the smaller shape [m].
    size: f64,
    /// How far the place of a contact may move [m].
    reach: f64,
    is_single: bool,
}

impl<'a> Matching<'a> {
    pub(super) fn new(
        model: &'a Model,
        (a, b): (ShapeId, ShapeId),
        bodies: [&'a BodyKinematics; 2],
        slots: &'a [ContactSlot],
        begin: usize,
    ) -> Self {
        let [sa, sb] = [a, b].map(|id| &model.shapes[id.index()].shape);
        let size = sa.bounding_radius().min(sb.bounding_radius());
        let reach = if sa.is_round() || sb.is_round() { FAR * size } else { f64::INFINITY };
        Self { model, bodies, slots, begin, size, reach, is_single: is_single(model, a, b) }
    }

    /// Gives the contacts their slots: repeatedly the couple that agrees best, ties by index. One that gets none has split from
    /// the nearest slot, if that is near and its normal alike.
    pub(super) fn assign(&self, contacts: &mut [Contact]) {
        if self.slots.is_empty() {
            return;
        }
        if let ([contact], [slot], true) = (&mut *contacts, self.slots, self.is_single) {
            contact.take(self.model, (self.begin, slot), self.bodies, None);
            return;
        }
        let mut taken: u64 = 0;
        for _ in 0..contacts.len().min(self.slots.len()) {
            let mut best: Option<(f64, usize, usize)> = None;
            for (c, contact) in contacts.iter().enumerate().filter(|(_, c)| c.place == Place::New) {
                let marks = self.marks(contact);
                for (s, slot) in self.slots.iter().enumerate().filter(|(s, _)| taken & (1 << (s % 64)) == 0) {
                    let Some(change) = self.same(&marks, slot) else { continue };
                    let apart = change.near2 + self.size * self.size * change.turn2;
                    if best.is_none_or(|(least, ..)| apart < least) {
                        best = Some((apart, c, s));
                    }
                }
            }
            let Some((_, c, s)) = best else { break };
            taken |= 1 << (s % 64);
            contacts[c].take(self.model, (self.begin + s, &self.slots[s]), self.bodies, None);
            self.turn(&mut contacts[c], s);
        }
        for contact in contacts.iter_mut().filter(|c| c.place == Place::New) {
            let marks = self.marks(contact);
            let same = |(s, slot): (usize, &ContactSlot)| self.same(&marks, slot).map(|c| (s, c.near2));
            let nearest = self.slots.iter().enumerate().filter_map(same).min_by(|x, y| x.1.total_cmp(&y.1));
            let near = NEAR * self.size;
            if let Some((s, _)) = nearest.filter(|(_, distance2)| *distance2 < near * near) {
                contact.place = Place::SplitFrom((self.begin + s) as u32);
                contact.impact_speed = self.slots[s].memory.impact_speed;
                self.turn(contact, s);
            }
        }
    }

    fn marks(&self, contact: &Contact) -> [Mark; 2] {
        self.bodies.map(|body| Mark::new(body, &contact.overlap))
    }

    /// How a contact has changed since it was in a slot; `None` if it is another one.
    fn same(&self, marks: &[Mark; 2], slot: &ContactSlot) -> Option<Change> {
        let change = Change::new(marks, &slot.marks);
        (change.turn2 <= ANOTHER && change.near2 <= self.reach * self.reach).then_some(change)
    }

    /// A normal that turns on the spot, as that of a corner which is pushed along a floor against a wall, meets with another speed
    /// than the one that is remembered: the contact touches anew, as fast as it ever does while it turns.
    fn turn(&self, contact: &mut Contact, slot: usize) {
        let Change { far2, turn2, .. } = Change::new(&self.marks(contact), &self.slots[slot].marks);
        let near = NEAR * self.size;
        if turn2 > TURNED * TURNED && turn2 * near * near > far2 {
            contact.impact_speed = contact.impact_speed.max(contact.motion.approach);
        }
    }
}
