//! Places at which a ball touches a mesh, while they are collected.

use super::MAX_POINTS;
use super::basins::{self, Peak};
use crate::TriMesh;
use crate::trimesh::{CREASE, Feature};
use fender_math::Vec3;

/// Cosine of the angle between normals up to which contacts are one: 15°. From 30° on they are two ([`CREASE`]).
const ONE: f64 = 0.965_925_826_289_068_3;
/// Contacts that are looked at, before the deepest are taken.
const MOST: usize = 2 * MAX_POINTS;

/// Nearest place of the surface.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub place: Vec3,
    pub normal: Vec3,
    /// Of the centre, along the normal: negative if it is behind.
    pub distance: f64,
    pub feature: Feature,
    /// One that has the place.
    pub triangle: u32,
}

/// What was found so far.
#[derive(Default)]
pub struct Touches {
    found: [Option<Touch>; MOST],
    len: usize,
}

impl Touches {
    /// Adds a place, unless there is one within `near`; when all room is taken, the farthest gives way.
    pub fn add(&mut self, touch: Touch, near: f64) {
        let known = &mut self.found[..self.len];
        let same = |t: &&mut Touch| t.place.distance_squared(touch.place) <= near * near;
        let taken = if let Some(same) = known.iter_mut().flatten().find(same) {
            Some(same)
        } else if self.len == MOST {
            known.iter_mut().flatten().reduce(|a, b| if b.distance > a.distance { b } else { a })
        } else {
            self.found[self.len] = Some(touch);
            self.len += 1;
            None
        };
        if let Some(taken) = taken.filter(|t| touch.distance < t.distance) {
            *taken = touch;
        }
    }

    /// The touches, nearest first, with their shares of a ball of this `radius`. The triangles in it are within `reach` [m] of `center` [m], and `distance` is that of the
    /// nearest place of an edge.
    pub fn shared(
        &mut self,
        mesh: &TriMesh,
        (center, reach): (Vec3, f64),
        radius: f64,
        distance: impl Fn(u32) -> f64,
    ) -> impl Iterator<Item = (Touch, f64)> + '_ {
        let found = &mut self.found[..self.len];
        found.sort_by(|a, b| match (a, b) {
            (Some(a), Some(b)) => a.distance.total_cmp(&b.distance),
            _ => std::cmp::Ordering::Equal,
        });
        let mut peaks = [Peak::NONE; MOST];
        if found.len() > 1 {
            for (peak, touch) in peaks.iter_mut().zip(found.iter().flatten()) {
                *peak = Peak { triangle: touch.triangle, depth: radius - touch.distance, ..Peak::NONE };
            }
            let peaks = &mut peaks[..found.len()];
            basins::share(mesh, (center, reach), peaks, |e| radius - distance(e));
        }
        // What has not begun yet is none.
        let whole = found.iter().flatten().zip(peaks).filter(|(_, peak)| peak.share > 0.0);
        whole.map(|(touch, peak)| (*touch, peak.share))
    }
}

/// How far two contacts with this cosine between their normals are one.
pub fn alike(cos: f64) -> f64 {
    let t = ((cos - CREASE) / (ONE - CREASE)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
