//! Nearest points of solids that are round somewhere: first roughly, then to the last digits by the quickest way that gets there.

use super::gjk::{Convex, EXACT, Gap, gjk};
use super::project::project;
use fender_math::Vec3;

/// How well the distance has to be known before points are improved, as a part of the size of both.
const ROUGH: f64 = 1e-3;
/// Bounds of the distance that are this near to each other prove it, as a part of the size of both. They are as far apart as the direction
/// is wrong, and the distance is wrong by the square of that.
const PROOF: f64 = 1e-9;

/// A convex solid that knows its nearest point to another.
pub(super) trait Solid: Convex {
    /// Nearest point of it to `p` [m], which is `p` itself inside.
    fn nearest(&self, p: Vec3) -> Vec3;
}

/// As [`gjk`], with `refine` tried first: it is given the direction from the second solid to the first, and how
/// well the distance is known [m].
pub(super) fn gap<A: Solid, B: Solid>(
    a: &A,
    b: &B,
    start: Vec3,
    limit: f64,
    size: f64,
    refine: impl Fn(Vec3, f64) -> Option<[Vec3; 2]>,
) -> Gap {
    let rough = match gjk(a, b, start, limit, ROUGH) {
        Gap::Apart(points) => points,
        other => return other,
    };
    if let Some(points) = refine(rough[0] - rough[1], 2.0 * ROUGH * size) {
        return Gap::Apart(points);
    }
    let improve = |p: Vec3| project(p, |p| a.nearest(p), |p| b.nearest(p), 1e-13 * size);
    let (points, is_still) = improve(rough[0]);
    let apart = points[0] - points[1];
    let distance = apart.length();
    // The planes through both points, across the line between them, must have nothing of the solids between them.
    let clear = apart.dot(a.support(-apart) - b.support(apart)) / distance;
    if is_still && distance - clear <= PROOF * size {
        return Gap::Apart(points);
    }
    // Projections are slow where sides are nearly parallel.
    match gjk(a, b, apart, limit, EXACT) {
        Gap::Apart([p, q]) => {
            let nearer = |x: [Vec3; 2], y: [Vec3; 2]| {
                if y[0].distance_squared(y[1]) < x[0].distance_squared(x[1]) { y } else { x }
            };
            Gap::Apart(nearer(nearer(points, [p, q]), improve(p).0))
        }
        other => other,
    }
}
