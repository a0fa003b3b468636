//! Heights at which the picture in the slices of a solid changes.

use super::cut::Cut;
use super::revolution::{Profile, Revolution};
use fender_math::float;
use smallvec::SmallVec;

/// How far outside of a plane a place still counts as inside, in parts of the solid's size. A height too many
/// costs time only; one that is missing would cost accuracy, as the picture would change between the ends of
/// a slab.
const SLACK: f64 = 1e-9;

/// Distances of a pole from a slab, in parts of its thickness, between which the slab is divided: without
/// that, volumes would be wrong by up to 1e-6, outside of them by 1e-10.
const NEAREST_APEX: f64 = 1e-7;
const FARTHEST_APEX: f64 = 1.0;

/// What the integration over the heights has to know.
#[derive(Clone, Debug, Default)]
pub(super) struct Heights {
    /// Ends of the slabs in which the picture stays the same, in ascending order [m].
    pub ends: SmallVec<[f64; 24]>,
    /// Heights near which the moments of the slices behave like a square root [m], inside or outside of the
    /// solid.
    pub branches: SmallVec<[f64; 24]>,
}

impl Heights {
    /// Of the part of a solid that is below all planes. Level planes limit the solid's own heights already.
    pub fn new(solid: &Revolution, cuts: &[Cut]) -> Self {
        let slack = SLACK * solid.size();
        let mut heights = Self::default();
        heights.ends.extend([solid.low, solid.high]);
        let is_between = |z: f64| z > solid.low && z < solid.high;
        match solid.profile {
            Profile::Cylinder { .. } => {}
            Profile::Cone { tip, .. } => heights.branches.push(tip),
            Profile::Ball { south, north } => heights.branches.extend([south, north]),
        }
        for (i, cut) in cuts.iter().enumerate() {
            for place in solid.tangencies(cut) {
                if !place.is_finite() {
                    continue;
                }
                heights.branches.push(place.z);
                let is_in = |(k, other): (usize, &Cut)| k == i || other.depth(place) >= -slack;
                if is_between(place.z) && cuts.iter().enumerate().all(is_in) {
                    heights.ends.push(place.z);
                }
            }
            for (j, other) in cuts.iter().enumerate().skip(i + 1) {
                heights.add_line(solid, cuts, [(i, cut), (j, other)], slack);
            }
        }
        heights.ends.retain(|z| *z == solid.low || *z == solid.high || (*z > solid.low && *z < solid.high));
        heights.ends.sort_unstable_by(f64::total_cmp);
        // The same place found twice, apart by rounding.
        heights.ends.dedup_by(|b, a| (*b - *a).abs() <= 1e-15 * a.abs().max(b.abs()));
        heights
    }

    /// Adds the ends of the line of two planes: where it leaves the solid or, found once for each corner,
    /// passes a third plane.
    fn add_line(&mut self, solid: &Revolution, cuts: &[Cut], pair: [(usize, &Cut); 2], slack: f64) {
        let [(i, one), (j, two)] = pair;
        let cross = one.normal.cross(two.normal);
        let square = cross.length_squared();
        if square == 0.0 {
            return;
        }
        let along = cross / square.sqrt();
        let place = (two.normal.cross(cross) * one.offset + cross.cross(one.normal) * two.offset) / square;
        let Some((mut from, mut to)) = solid.span(place, along) else { return };
        let mut ends = [Some(from), Some(to)];
        for (k, other) in cuts.iter().enumerate() {
            if k == i || k == j {
                continue;
            }
            let (slope, depth) = (other.normal.dot(along), other.depth(place));
            let found = (k > j).then_some(depth / slope);
            let limit = (depth + slack) / slope;
            if slope > 0.0 {
                if limit < to {
                    (to, ends[1]) = (limit, found);
                }
            } else if slope < 0.0 {
                if limit > from {
                    (from, ends[0]) = (limit, found);
                }
            } else if depth < -slack {
                return;
            }
        }
        if from <= to {
            // By the plane that is more nearly level: the digits of small heights are in its slope.
            let level = if one.sine < two.sine { one } else { two };
            let height = |end: f64| {
                let place = place + along * end;
                if level.sine < 0.5 {
                    (level.offset - level.normal.truncate().dot(place.truncate())) / level.normal.z
                } else {
                    place.z
                }
            };
            self.ends.extend(ends.into_iter().flatten().map(height).filter(|z| z.is_finite()));
        }
    }

    /// The branch heights that are nearest to a slab from outside, at most twice its thickness away.
    pub fn branches_beside(&self, low: f64, high: f64) -> (f64, f64) {
        let thickness = high - low;
        // Ends that were found twice may be apart from their branch by rounding.
        let slack = 1e-9 * thickness;
        let (mut below, mut above) = (low - 2.0 * thickness, high + 2.0 * thickness);
        for &branch in &self.branches {
            if branch <= low + slack {
                below = below.max(branch.min(low));
            } else if branch >= high - slack {
                above = above.min(branch.max(high));
            }
        }
        (below, above)
    }
}

/// Divides a slab further if a pole or the tip is a little beyond one of its ends. There the angle of an arc
/// has a logarithm, which no substitution for roots removes; its part falls as the square of the distance.
pub(super) fn refine(solid: &Revolution, ends: &mut SmallVec<[f64; 8]>) {
    let [Some(low), Some(high)] = [ends.first().copied(), ends.last().copied()] else { return };
    let thickness = high - low;
    let mut divide = |apex: f64, is_above: bool| {
        let distance = if is_above { apex - high } else { low - apex };
        if !(distance > NEAREST_APEX * thickness && distance < FARTHEST_APEX * thickness) {
            return;
        }
        // Distances from the apex in a geometric progression.
        let ratio = 1.0 + thickness / distance;
        let pieces = if ratio < 5.0 { 2 } else { 3 };
        let step = float::pow(ratio, 1.0 / f64::from(pieces));
        let mut reach = distance;
        for _ in 1..pieces {
            reach *= step;
            ends.push(if is_above { apex - reach } else { apex + reach });
        }
    };
    match solid.profile {
        Profile::Cylinder { .. } => {}
        Profile::Cone { tip, .. } => divide(tip, true),
        Profile::Ball { south, north } => {
            divide(south, false);
            divide(north, true);
        }
    }
    ends.sort_unstable_by(f64::total_cmp);
}
