//! Detection: candidate pairs → overlaps, matched with the open slots.

use super::matching::Matching;
use super::pairs::{Pair, PairKind};
use super::side::Lifted;
use super::{Arms, Chunk, Contact, ContactSlot, Oblique, PatchContact, Radial};
use crate::data::BodyKinematics;
use crate::evaluate::shape_pose;
use crate::{Data, Model, ShapeId, State};
use fender_geom::narrow;
use fender_geom::pair::patch;
use rayon::prelude::*;

/// Candidate pairs per chunk: the unit of parallel work.
const CHUNK: usize = 128;
/// Below this many pairs, starting threads costs more than it saves.
const PARALLEL_PAIRS: usize = 4 * CHUNK;

/// Brings the candidate pairs up to date.
pub(crate) fn pairs(model: &Model, state: &State, data: &mut Data) {
    if !data.pairs.holds(model, &data.bodies) {
        data.pairs.find(model, state, &data.bodies);
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
    // At least one, to hold the slots when no pair is left.
    let count = pairs.len().div_ceil(CHUNK).max(1);
    // Room for every pair, so that a shifting pile does not make chunks grow one by one.
    let fresh = || Chunk { contacts: Vec::with_capacity(CHUNK), ..Chunk::default() };
    chunks.resize_with(count.max(chunks.len()), fresh);
    for chunk in &mut chunks[count..] {
        chunk.contacts.clear();
        chunk.slots = 0..0;
    }
    let (bodies, centers, reach) = (&data.bodies, &data.centers, &model.layout.reach);
    let slots_before = |pair: usize| {
        let all = state.slots.len();
        pairs.get(pair).map_or(all, |p| state.slots.partition_point(|s| (s.a, s.b) < (p.a, p.b)))
    };
    let find = |i: usize, chunk: &mut Chunk| {
        chunk.contacts.clear();
        chunk.patches.clear();
        chunk.slots = if i == 0 { 0 } else { slots_before(i * CHUNK) }..slots_before((i + 1) * CHUNK);
        let mut slots = SlotCursor { slots: &state.slots[..chunk.slots.end], next: chunk.slots.start };
        for pair in &pairs[i * CHUNK..pairs.len().min((i + 1) * CHUNK)] {
            // Bounding spheres first: most candidates are apart.
            let (a, b) = (centers[pair.body_a.index()], centers[pair.body_b.index()]);
            if (a - b).length_squared() < pair.reach2 {
                match pair.kind {
                    PairKind::Balls => {
                        let (ra, rb) = (reach[pair.a.index()], reach[pair.b.index()]);
                        ball_overlap(model, bodies, pair, (ra, rb), &mut slots, &mut chunk.contacts);
                    }
                    PairKind::Patch => patch_overlap(model, state, bodies, pair, &mut slots, chunk),
                    PairKind::Radial | PairKind::Any => {
                        pair_overlaps(model, state, bodies, pair, &mut slots, &mut chunk.contacts);
                    }
                }
            }
        }
    };
    for_chunks(&mut chunks[..count], pairs.len(), find, |_| ());
}

/// Overlap of two balls, the pair that fills large scenes.
#[inline]
fn ball_overlap(
    model: &Model,
    bodies: &[BodyKinematics],
    pair: &Pair,
    (ra, rb): (f64, f64),
    slots: &mut SlotCursor<'_>,
    contacts: &mut Vec<Contact>,
) {
    let (ka, kb) = (&bodies[pair.body_a.index()], &bodies[pair.body_b.index()]);
    if let Some(overlap) = narrow::sphere_sphere(ka.center, ra, kb.center, rb) {
        // The point of action is midway in the overlap.
        let arms = Radial { a: ra - 0.5 * overlap.depth, b: rb - 0.5 * overlap.depth };
        let relative = arms.relative_velocity(overlap.normal, &ka.twist, &kb.twist);
        let mut contact = Contact::new(pair, overlap, Some(arms), relative);
        if let [slot] = slots.of((pair.a, pair.b)) {
            contact.take(model, (slots.next, slot), [ka, kb], None);
        }
        contacts.push(contact);
    }
}

/// Overlap of a pair of solids in a volume: one contact.
#[inline(never)]
fn patch_overlap(
    model: &Model,
    state: &State,
    bodies: &[BodyKinematics],
    pair: &Pair,
    slots: &mut SlotCursor<'_>,
    chunk: &mut Chunk,
) {
    let (sa, sb) = (&model.shapes[pair.a.index()], &model.shapes[pair.b.index()]);
    let (ka, kb) = (&bodies[pair.body_a.index()], &bodies[pair.body_b.index()]);
    let pose_a = shape_pose(&ka.pose, &sa.pose_bs, sa.central);
    let pose_b = shape_pose(&kb.pose, &sb.pose_bs, sb.central);
    let lifted = Lifted::new(model, state, pair);
    let Some(overlap) = patch::overlap(&sa.shape, &lifted.pose(&pose_a), &sb.shape, &pose_b) else { return };
    let Some(overlap) = lifted.lowered_patch(overlap) else { return };
    let law = &model.rules[pair.rule.index()].normal;
    let (patch, point, motion) = PatchContact::new(law, overlap, ka, kb);
    let mut contact = Contact::moving(pair, point, None, motion);
    contact.patch = Some(chunk.patches.len() as u32);
    if let [slot] = slots.of((pair.a, pair.b)) {
        contact.take(model, (slots.next, slot), [ka, kb], Some(&patch));
    }
    chunk.patches.push(patch);
    chunk.contacts.push(contact);
}

/// Overlaps of one pair.
#[inline(never)]
fn pair_overlaps(
    model: &Model,
    state: &State,
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
    let lifted = Lifted::new(model, state, pair);
    let found = narrow::overlaps(&sa.shape, &lifted.pose(&pose_a), &sb.shape, &pose_b);
    for overlap in found.points() {
        let Some(overlap) = lifted.lowered(*overlap) else { continue };
        let (n, point) = (overlap.normal, overlap.point);
        let along = || Radial { a: -n.dot(point - ka.center), b: n.dot(point - kb.center) };
        let radial = (pair.kind != PairKind::Any).then(along);
        let relative = Oblique::to(point, ka, kb).relative_velocity(n, &ka.twist, &kb.twist);
        contacts.push(Contact::new(pair, overlap, radial, relative));
    }
    if contacts.len() > first {
        let known = slots.of((pair.a, pair.b));
        Matching::new(model, (pair.a, pair.b), [ka, kb], known, slots.next).assign(&mut contacts[first..]);
    }
}

/// Walks the state's slots, which have the pairs' order.
struct SlotCursor<'a> {
    slots: &'a [ContactSlot],
    next: usize,
}

impl<'a> SlotCursor<'a> {
    /// The slots of a pair, from `next` on.
    #[inline]
    fn of(&mut self, pair: (ShapeId, ShapeId)) -> &'a [ContactSlot] {
        while self.slots.get(self.next).is_some_and(|s| (s.a, s.b) < pair) {
            self.next += 1;
        }
        let rest = &self.slots[self.next..];
        &rest[..rest.iter().take_while(|s| (s.a, s.b) == pair).count()]
    }
}
