//! Places of a mesh that are deepest of their surroundings in a solid, and how they share the stiffness with each other and with the solid's own points.
//!
//! A mesh pushes against the round side of a capsule, cylinder or cone where an edge or a corner of it is deeper below that side than all around it. Such places
//! come and go where the surface has a pass as deep as they are, and share by their passes (`basins.rs`). The solid's own points, at its ends and rims, keep their shares. What they
//! count already, as far as the pass to them leads, is taken from the places of the mesh: so a ridge that slides along a cylinder to its end becomes one with the rim there.
//!
//! An edge up to which the solid lies on a face (`mesh_lies.rs`) has its whole share instead.

use super::basins::{self, Peak};
use super::mesh_convex::{Found, Search};
use crate::trimesh::NONE;
use fender_contact::PointOverlap;

/// Places that are looked at.
const MOST: usize = 32;
/// Cosine of the angle between normals that are one.
const ONE: f64 = 1.0 - 1e-9;

/// An edge or corner of a mesh in a solid.
#[derive(Clone, Copy)]
pub struct Low {
    pub triangle: u32,
    pub overlap: PointOverlap,
    /// The part of its share that it has whatever is beside it.
    pub whole: f64,
    /// The part of the rest that it has at the most, none if something beside it is deeper.
    pub rest: f64,
}

/// What was found so far.
pub struct Lows {
    places: [Option<Low>; MOST],
    /// One for each, then those of the solid's own points.
    peaks: [Peak; 2 * MOST],
    len: usize,
}

impl Default for Lows {
    fn default() -> Self {
        Self { places: [None; MOST], peaks: [Peak::NONE; 2 * MOST], len: 0 }
    }
}

impl Lows {
    /// Adds a place, unless there is one within `near` [m], as where two edges of a straight ridge meet; when all room is taken, the shallowest gives way.
    pub fn add(&mut self, place: Low, near: f64) {
        let point = &place.overlap;
        // Written so that what is not a number ends here.
        let is_deep = point.depth > 0.0;
        let is_there = |Low { overlap: p, .. }: &Low| {
            p.point.distance_squared(point.point) <= near * near && p.normal.dot(point.normal) > ONE
        };
        if !is_deep || self.places[..self.len].iter().flatten().any(is_there) {
            return;
        }
        let mut i = self.len;
        if i == MOST {
            let shallowest =
                (0..MOST).reduce(|a, b| if self.peaks[b].depth < self.peaks[a].depth { b } else { a });
            i = shallowest.unwrap_or_default();
            if self.peaks[i].depth >= point.depth {
                return;
            }
        } else {
            self.len += 1;
        }
        let depth = if place.rest > 0.0 { point.depth } else { 0.0 };
        self.places[i] = Some(place);
        self.peaks[i] = Peak { triangle: place.triangle, depth, ..Peak::NONE };
    }
}

impl Search<'_> {
    /// Adds the places to the solid's own points. `depth` is the greatest of an edge of the mesh: negative outside.
    pub fn add_lows(&mut self, lows: &mut Lows, depth: impl Fn(&Self, u32) -> f64) {
        let (count, mut len) = (lows.len, lows.len);
        if count == 0 {
            return;
        }
        for Found { triangles, counted: depth, .. } in self.points() {
            for triangle in triangles.iter().filter(|f| **f != NONE).take(2 * MOST - len) {
                lows.peaks[len] = Peak { triangle: *triangle, depth: *depth, share: 1.0, is_fixed: true };
                len += 1;
            }
        }
        let peaks = &mut lows.peaks[..len];
        if len > 1 {
            basins::share(self.mesh, (self.origin(), self.shape.bounding_radius()), peaks, |e| {
                depth(self, e)
            });
        }
        for (place, peak) in lows.places[..count].iter().flatten().zip(&*peaks) {
            let Low { overlap: point, whole, rest, .. } = *place;
            let share = point.share * (whole + (1.0 - whole) * rest * peak.share);
            if share > 0.0 && !self.has(point.point, point.normal) {
                self.add_on_ridge(PointOverlap { share, ..point });
            }
        }
    }
}
