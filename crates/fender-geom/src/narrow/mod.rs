//! Narrow phase: where and how deep two shapes overlap.

use crate::Shape;
use fender_contact::PointOverlap;
use fender_math::Pose;

/// Most points one pair of shapes can touch at.
pub const MAX_POINTS: usize = 8;

/// Overlaps of one pair, without allocation.
#[derive(Clone, Copy, Debug)]
pub struct Overlaps {
    points: [PointOverlap; MAX_POINTS],
    len: usize,
}

impl Overlaps {
    /// The points, in an order that depends on the geometry only.
    pub fn points(&self) -> &[PointOverlap] {
        &self.points[..self.len]
    }
}

/// Whether the pair of shapes is supported by [`overlaps`].
pub fn supported(_a: &Shape, _b: &Shape) -> bool {
    panic!("being written")
}

/// Overlaps of `a` (the first body: normals point to it) and `b`; empty when they are apart.
/// Pure: no memory of earlier calls.
pub fn overlaps(_a: &Shape, _pose_wa: &Pose, _b: &Shape, _pose_wb: &Pose) -> Overlaps {
    panic!("being written")
}
