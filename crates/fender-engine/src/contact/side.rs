//! The sides that a fast body came from.
//!
//! Geometry alone pushes a body out of another by the shortest way, and finds nothing once it is through: right as long as
//! overlaps are shallow. A fast body (see `sweep`) may be pressed in deeper than a plate is thick. So for its pairs the state
//! remembers how deep and along which normals they were at the last accepted step: one of a plate, two of a mesh on whose floor a ball hits a wall.
//! Overlaps are then looked for with the first shape lifted out along these normals, until it is as shallow as can be trusted, and what it was
//! lifted by is added to the depths. By the same reasoning at every step the normals are always those of the sides where the touch began.

use super::{Contact, Pair, sweep};
use crate::{Data, Model, ShapeId, State};
use fender_contact::{PatchOverlap, PointOverlap};
use fender_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

/// Cosine of 60°: normals that are nearer are of one side, and those that are nearer to its opposite are of its back.
const ALIKE: f64 = 0.5;

/// How a pair with a fast body overlapped at the last accepted step, on one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// First shape (the smaller id).
    pub a: ShapeId,
    /// Second shape.
    pub b: ShapeId,
    /// Normal of its deepest point, to the first body, in the world.
    pub normal: Vec3,
    /// Depth there [m].
    pub depth: f64,
}

/// The sides of a pair, none if it does not touch. `sides` has the pairs' order.
pub(super) fn of(sides: &[Side], pair: (ShapeId, ShapeId)) -> &[Side] {
    let begin = sides.partition_point(|side| (side.a, side.b) < pair);
    let rest = &sides[begin..];
    &rest[..rest.iter().take_while(|side| (side.a, side.b) == pair).count()]
}

/// How far the first shape of a pair is lifted until it is nowhere deeper than `depth` [m]; zero if it is not.
pub(super) fn lift(sides: &[Side], depth: f64) -> Vec3 {
    sides.iter().fold(Vec3::ZERO, |lift, side| {
        lift + side.normal * (side.depth - depth - side.normal.dot(lift)).max(0.0)
    })
}

/// How far the fast shape of each pair reaches back from where it is [m], if that is `shape`.
pub(super) fn lifts_of<'a>(
    model: &'a Model,
    sides: &'a [Side],
    shape: ShapeId,
) -> impl Iterator<Item = Vec3> + 'a {
    let is_fast = |id: ShapeId| model.is_fast(model.shapes[id.index()].body);
    sides.chunk_by(|x, y| (x.a, x.b) == (y.a, y.b)).filter_map(move |sides| {
        let Side { a, b, .. } = sides[0];
        // What is lifted out of the other may as well stay, and the other be lowered.
        let way = match (shape == a && is_fast(a), shape == b && !is_fast(a)) {
            (true, _) => 1.0,
            (_, true) => -1.0,
            _ => return None,
        };
        Some(lift(sides, sweep::trusted_depth(model, a, b)) * way)
    })
}

/// The first shape of a pair, moved out of the second along the sides that it came from.
pub(super) struct Lifted<'a> {
    sides: &'a [Side],
    /// By how much [m].
    lift: Vec3,
    /// Depth up to which the shortest way out is the right one [m].
    trusted: f64,
}

impl<'a> Lifted<'a> {
    /// Not moved, unless the pair has sides.
    pub(super) fn new(model: &Model, state: &'a State, pair: &Pair) -> Self {
        let sides = of(&state.sides, (pair.a, pair.b));
        let trusted = if sides.is_empty() { 0.0 } else { sweep::trusted_depth(model, pair.a, pair.b) };
        Self { sides, lift: lift(sides, trusted), trusted }
    }

    /// Where the first shape is looked for.
    pub(super) fn pose(&self, pose: &Pose) -> Pose {
        Pose { translation: pose.translation + self.lift, ..*pose }
    }

    /// A point found after lifting as it is without; `None` if there is none, or if it is on the back of what was touched.
    pub(super) fn lowered(&self, mut overlap: PointOverlap) -> Option<PointOverlap> {
        if self.sides.is_empty() {
            return Some(overlap);
        }
        overlap.depth += overlap.normal.dot(self.lift);
        // The first shape's surface goes down again, the second's has stayed.
        overlap.point -= 0.5 * self.lift;
        self.is_valid(overlap.normal, overlap.depth).then_some(overlap)
    }

    /// The same for a patch: its section is taken to stay the same on the way down.
    pub(super) fn lowered_patch(&self, overlap: PatchOverlap) -> Option<PatchOverlap> {
        if self.sides.is_empty() {
            return Some(overlap);
        }
        let normal = overlap.push.try_normalize()?;
        let down = normal.dot(self.lift);
        let area = normal.dot(overlap.section);
        let volume = overlap.volume + area * down;
        let moment = overlap.moment + (normal.dot(overlap.push) + 0.5 * area * down) * down;
        if !(volume > 0.0 && moment > 0.0 && self.is_valid(normal, 2.0 * moment / volume)) {
            return None;
        }
        Some(PatchOverlap {
            point: overlap.point - 0.5 * self.lift,
            moment,
            volume,
            push: overlap.push + overlap.section * down,
            turn: overlap.turn + overlap.section_turn * down,
            second: overlap.second * (volume / overlap.volume),
            ..overlap
        })
    }

    /// Whether an overlap is one of the sides that were touched. One that is no deeper than what is trusted may be another: it is what
    /// touches next, as the roof above a floor.
    fn is_valid(&self, normal: Vec3, depth: f64) -> bool {
        let along = |side: &Side| normal.dot(side.normal);
        let is_back = self.sides.iter().any(|side| along(side) < -ALIKE)
            && self.sides.iter().all(|side| along(side) < ALIKE);
        depth > 0.0 && !(is_back && depth > self.trusted)
    }
}

/// Remembers the pairs with a fast body that `data` holds contacts of.
pub(super) fn update(model: &Model, state: &mut State, data: &Data) {
    if model.fast.is_empty() {
        return;
    }
    state.sides.clear();
    let is_fast = |contact: &&Contact| model.is_fast_pair(contact.a, contact.b);
    for Contact { a, b, overlap, .. } in data.contacts.iter().filter(is_fast) {
        let (normal, depth) = (overlap.normal, overlap.depth);
        let is_alike = |side: &&mut Side| side.normal.dot(normal) > ALIKE;
        match state.sides.iter_mut().rev().take_while(|s| (s.a, s.b) == (*a, *b)).find(is_alike) {
            Some(side) if depth > side.depth => (side.normal, side.depth) = (normal, depth),
            Some(_) => {}
            None => state.sides.push(Side { a: *a, b: *b, normal, depth }),
        }
    }
}
