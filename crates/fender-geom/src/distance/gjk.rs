//! Nearest points of two convex solids by the algorithm of Gilbert, Johnson and Keerthi (1988), with the subalgorithm of
//! `simplex.rs`.
//!
//! parry's stops too early for distances (at 1e-7 of them on round shapes); this one goes on as long as the digits last, in the
//! frame of one of the solids, where its farthest points take no rotation.

use super::simplex::{Simplex, Vertex};
use fender_math::{Pose, Vec3};
use std::cmp::Ordering;

/// A convex solid.
pub(crate) trait Convex {
    /// Farthest point along `n`, of any length but zero [m]; one of them if there are several.
    fn support(&self, n: Vec3) -> Vec3;
}

/// How two solids lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gap {
    /// Points of either that are nearest to each other [m].
    Apart([Vec3; 2]),
    /// A point of both [m].
    Meet(Vec3),
    /// Farther apart than was asked for.
    Beyond,
}

impl Gap {
    /// With the roles of the solids exchanged.
    #[inline]
    pub fn swapped(self) -> Self {
        if let Self::Apart([p, q]) = self { Self::Apart([q, p]) } else { self }
    }

    /// In the frame in which the present one is at `pose`.
    #[inline]
    pub fn moved(self, pose: &Pose) -> Self {
        match self {
            Self::Apart(points) => Self::Apart(points.map(|p| pose.transform_point(p))),
            Self::Meet(p) => Self::Meet(pose.transform_point(p)),
            Self::Beyond => self,
        }
    }
}

/// The distance is known when its bounds are this near to each other, as a part of the size of the difference of the solids.
pub(crate) const EXACT: f64 = 2e-15;
/// Boxes and triangles take less than ten rounds; round solids as many as there are digits.
const ROUNDS: usize = 100;

/// Nearest points of two solids. `start` is about where the first is as seen from the second. Looks no further once it knows that the
/// distance is more than `limit` [m]; stops when the distance is known to `tolerance`, as a part of the size of both.
#[inline]
pub(crate) fn gjk(a: &impl Convex, b: &impl Convex, start: Vec3, limit: f64, tolerance: f64) -> Gap {
    if !start.is_finite() {
        return Gap::Beyond;
    }
    let limit = limit * limit;
    let toward = |v: Vec3| {
        let on_a = a.support(-v);
        Vertex { w: on_a - b.support(v), on_a }
    };
    let is_beyond = |along: f64, sq: f64| along > 0.0 && along * along > limit * sq;
    let start = if start == Vec3::ZERO { Vec3::X } else { start };
    let first = toward(start);
    if is_beyond(start.dot(first.w), start.length_squared()) {
        return Gap::Beyond;
    }
    let mut simplex = Simplex::new(first);
    let mut v = first.w;
    let mut sq = v.length_squared();
    let mut size = sq;
    for _ in 0..ROUNDS {
        // What is not a number goes on, and ends below.
        if sq <= (1e-15 * 1e-15) * size {
            return Gap::Meet(simplex.on_a());
        }
        let next = toward(v);
        let along = v.dot(next.w);
        if is_beyond(along, sq) {
            return Gap::Beyond;
        }
        size = size.max(next.w.length_squared());
        let rest = sq - along;
        if rest <= 0.0 || rest * rest <= tolerance * tolerance * size * sq || simplex.has(next.w) {
            break;
        }
        let Some(near) = simplex.with(next) else {
            return Gap::Meet(simplex.common());
        };
        // Rounding has the last word.
        let nearer = near.v.length_squared();
        if nearer.partial_cmp(&sq) != Some(Ordering::Less) {
            break;
        }
        simplex.keep(&near);
        (v, sq) = (near.v, nearer);
    }
    let p = simplex.on_a();
    Gap::Apart([p, p - v])
}
