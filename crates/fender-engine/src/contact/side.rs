//! The side that a fast body came from.
//!
//! Geometry alone pushes a body out of another by the shortest way, and finds nothing once it is through: right as long as
//! overlaps are shallow. A fast body (see `sweep`) may be pressed in deeper than a plate is thick. So for its pairs the state
//! remembers how deep and along which normal they were at the last accepted step. The overlap is then looked for with the first shape lifted
//! out along that normal, until it is as shallow as can be trusted, and what it was lifted by is added to the depth.
//! By the same reasoning at every step the normal is always that of the side where the touch began.

use super::{Contact, sweep};
use crate::{Data, Model, ShapeId, State};
use fender_contact::PointOverlap;
use fender_math::Vec3;
use serde::{Deserialize, Serialize};

/// How a pair with a fast body overlapped at the last accepted step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// First shape (the smaller id).
    pub a: ShapeId,
    /// Second shape.
    pub b: ShapeId,
    /// Normal of the deepest point, to the first body, in the world.
    pub normal: Vec3,
    /// Its depth [m].
    pub depth: f64,
}

/// The side of a pair, if it touches. `sides` has the pairs' order.
pub(super) fn of(sides: &[Side], pair: (ShapeId, ShapeId)) -> Option<&Side> {
    sides.binary_search_by_key(&pair, |side| (side.a, side.b)).ok().map(|i| &sides[i])
}

impl Side {
    /// How far the first shape is lifted before the overlap is looked for [m]; zero while it is shallow.
    pub(super) fn lift(&self, model: &Model) -> Vec3 {
        let trusted = sweep::trusted_depth(model, self.a, self.b);
        self.normal * (self.depth - trusted).max(0.0)
    }

    /// How far the fast shape of the pair reaches back from where it is [m]; `None` for another shape.
    pub(super) fn lift_of(&self, model: &Model, shape: ShapeId) -> Option<Vec3> {
        let is_fast = |id: ShapeId| model.is_fast(model.shapes[id.index()].body);
        // What is lifted out of the other may as well stay, and the other be lowered.
        if shape == self.a && is_fast(self.a) {
            Some(self.lift(model))
        } else if shape == self.b && !is_fast(self.a) {
            Some(-self.lift(model))
        } else {
            None
        }
    }

    /// An overlap found after lifting as it is without; `None` if it is on another side.
    pub(super) fn lowered(&self, mut overlap: PointOverlap, lift: Vec3) -> Option<PointOverlap> {
        if overlap.normal.dot(self.normal) <= 0.0 {
            return None;
        }
        overlap.depth += overlap.normal.dot(lift);
        // The first shape's surface goes down again, the second's has stayed.
        overlap.point -= 0.5 * lift;
        Some(overlap)
    }
}

/// Remembers the pairs with a fast body that `data` holds contacts of.
pub(super) fn update(model: &Model, state: &mut State, data: &Data) {
    if model.fast.is_empty() {
        return;
    }
    state.sides.clear();
    let is_fast = |contact: &&Contact| model.is_fast_pair(contact.a, contact.b);
    for contact in data.contacts.iter().filter(is_fast) {
        let (normal, depth) = (contact.overlap.normal, contact.overlap.depth);
        match state.sides.last_mut() {
            Some(last) if (last.a, last.b) == (contact.a, contact.b) => {
                if depth > last.depth {
                    (last.normal, last.depth) = (normal, depth);
                }
            }
            _ => state.sides.push(Side { a: contact.a, b: contact.b, normal, depth }),
        }
    }
}
