//! Detection: candidate pairs → overlaps, matched with the open slots.

use super::pairs::Pair;
use super::{Arms, Chunk, Contact, ContactSlot};
use crate::data::BodyKinematics;
use crate::evaluate::shape_pose;
use crate::{Data, Model, State};
use fender_contact::Motion;
use fender_geom::narrow;
use fender_math::Vec3;
use rayon::prelude::*;

/// Candidate pairs per chunk: the unit of parallel work.
const CHUNK: usize = 128;
/// Below this many pairs, starting threads costs more than it saves.
const PARALLEL_PAIRS: usize = 4 * CHUNK;

/// Brings the candidate pairs up to date.
pub(crate) fn pairs(model: &Model, data: &mut Data) {
    if !data.pairs.holds(&data.bodies) {
        data.pairs.find(model, &data.bodies);
    }
}

/// Runs `work` on every chunk of contacts, in parallel if that pays, and `gather` on one after the other, in order.
/// `work` must not look at other chunks; so it makes no difference that without threads each chunk is gathered while it
/// is still in the cache.
pub(crate) fn for_chunks(
    chunks: &mut [Chunk],
    pairs: usize,
    work: impl Fn(usize, &mut Chunk) + Send + Sync,
    mut gather: impl FnMut(&Chunk),
) {
    if pairs >= PARALLEL_PAIRS && rayon::current_num_threads() > 1 {
        chunks.par_iter_mut().enumerate().for_each(|(i, chunk)| work(i, chunk));
        chunks.iter().for_each(gather);
    } else {
        for (i, chunk) in chunks.iter_mut().enumerate() {
            work(i, chunk);
            gather(chunk);
        }
    }
}

/// Overlaps of all pairs, with relative motion and memory.
pub(crate) fn overlaps(model: &Model, state: &State, data: &mut Data) {
    let pairs = &data.pairs.pairs;
    let chunks = &mut data.contacts.chunks;
    for chunk in chunks.iter_mut() {
        chunk.contacts.clear();
    }
    let count = pairs.len().div_ceil(CHUNK);
    if chunks.len() < count {
        // Room for every pair, so that a shifting pile does not make chunks grow one by one.
        chunks.resize_with(count, || Chunk { contacts: Vec::with_capacity(CHUNK), flows: Vec::new() });
    }
    let (bodies, centers) = (&data.bodies, &data.centers);
    let find = |i: usize, chunk: &mut Chunk| {
        let pairs = &pairs[i * CHUNK..pairs.len().min((i + 1) * CHUNK)];
        let mut slots = SlotCursor::new(&state.slots, &pairs[0]);
        for pair in pairs {
            // Bounding spheres first: most candidates are apart.
            let apart = centers[pair.body_a.index()] - centers[pair.body_b.index()];
            if apart.length_squared() < pair.reach2 {
                pair_overlaps(model, bodies, pair, &mut slots, &mut chunk.contacts);
            }
        }
    };
    for_chunks(&mut chunks[..count], pairs.len(), find, |_| ());
}

/// Overlaps of one pair.
fn pair_overlaps(
    model: &Model,
    bodies: &[BodyKinematics],
    pair: &Pair,
    slots: &mut SlotCursor<'_>,
    contacts: &mut Vec<Contact>,
) {
    let (sa, sb) = (&model.shapes[pair.a.index()], &model.shapes[pair.b.index()]);
    let (ka, kb) = (&bodies[pair.body_a.index()], &bodies[pair.body_b.index()]);
    let pose_a = shape_pose(&ka.pose, &sa.pose_bs, sa.central);
    let pose_b = shape_pose(&kb.pose, &sb.pose_bs, sb.central);
    let first = contacts.len();
    let found = narrow::overlaps(&sa.shape, &pose_a, &sb.shape, &pose_b);
    for overlap in found.points() {
        let n = overlap.normal;
        let (arm_a, arm_b) = (overlap.point - ka.center, overlap.point - kb.center);
        let arms = if pair.radial {
            Arms::Radial { a: -n.dot(arm_a), b: n.dot(arm_b) }
        } else {
            Arms::Any { a: arm_a, b: arm_b }
        };
        let relative = arms.relative_velocity(n, &ka.twist, &kb.twist);
        let approach = -n.dot(relative);
        contacts.push(Contact {
            a: pair.a,
            b: pair.b,
            body_a: pair.body_a,
            body_b: pair.body_b,
            rule: pair.rule,
            slot: None,
            split_from: None,
            overlap: *overlap,
            motion: Motion { approach, slip: relative + n * approach },
            // Until the contact is opened it behaves as if it had touched with the present speed.
            impact_speed: approach.max(0.0),
            normal_force: 0.0,
            friction: Vec3::ZERO,
            stored: 0.0,
            damping_power: 0.0,
            friction_power: 0.0,
            sticking: false,
            arms,
            guess: Vec3::ZERO,
            elastic: 0.0,
            viscosity: 0.0,
        });
    }
    if contacts.len() > first {
        let near = 0.1 * sa.shape.bounding_radius().min(sb.shape.bounding_radius());
        slots.assign(ka, &mut contacts[first..], near);
    }
}

/// Walks the state's slots, which have the pairs' order.
struct SlotCursor<'a> {
    slots: &'a [ContactSlot],
    next: usize,
}

impl<'a> SlotCursor<'a> {
    fn new(slots: &'a [ContactSlot], first: &Pair) -> Self {
        Self { slots, next: slots.partition_point(|s| (s.a, s.b) < (first.a, first.b)) }
    }

    /// Gives the contacts of one pair their slots: repeatedly the nearest free couple, ties by index. One that gets none has
    /// split from the nearest slot, if that is `near` [m].
    fn assign(&mut self, ka: &BodyKinematics, contacts: &mut [Contact], near: f64) {
        let pair = (contacts[0].a, contacts[0].b);
        while self.next < self.slots.len() && (self.slots[self.next].a, self.slots[self.next].b) < pair {
            self.next += 1;
        }
        let begin = self.next;
        let end = begin + self.slots[begin..].iter().take_while(|s| (s.a, s.b) == pair).count();
        if let ([contact], [slot]) = (&mut *contacts, &self.slots[begin..end]) {
            contact.take(begin, slot);
            return;
        }
        let mut taken: u64 = 0;
        for _ in 0..contacts.len().min(end - begin) {
            let mut best: Option<(f64, usize, usize)> = None;
            for (c, contact) in contacts.iter().enumerate().filter(|(_, c)| c.slot.is_none()) {
                let anchor = ka.pose.inverse_transform_point(contact.overlap.point);
                for (s, slot) in self.slots[begin..end].iter().enumerate() {
                    if taken & (1 << (s % 64)) != 0 {
                        continue;
                    }
                    let distance = slot.anchor.distance_squared(anchor);
                    if best.is_none_or(|(least, ..)| distance < least) {
                        best = Some((distance, c, s));
                    }
                }
            }
            let Some((_, c, s)) = best else { break };
            taken |= 1 << (s % 64);
            contacts[c].take(begin + s, &self.slots[begin + s]);
        }
        for contact in contacts.iter_mut().filter(|c| c.slot.is_none()) {
            let anchor = ka.pose.inverse_transform_point(contact.overlap.point);
            let distances = self.slots[begin..end].iter().map(|slot| slot.anchor.distance_squared(anchor));
            let nearest = distances.enumerate().min_by(|x, y| x.1.total_cmp(&y.1));
            if let Some((s, _)) = nearest.filter(|(_, distance)| *distance < near * near) {
                contact.split_from = Some((begin + s) as u32);
                contact.impact_speed = self.slots[begin + s].memory.impact_speed;
            }
        }
    }
}
