//! Fewer points for a contact of a solid with a mesh that has more than there is room for.
//!
//! Which points count together must not be up to rounding: a point whose force moves from one place to another between two steps loses what friction remembers of it, and what
//! should stick creeps. So the corners of a solid with one normal are gathered in its quarters, seen along that normal, which move with it; in its halves if it touches more than two planes.
//! What is left over, as on uneven ground, where no two normals are the same, is made one by two that are most alike. Rims have sectors of their own (`rim_lobes.rs`).

use super::MAX_POINTS;
use super::mesh_convex::Found;
use super::together::{Together, quarter};
use super::touch::alike;
use fender_math::{Pose, Vec3};

/// Normals that differ by less than this are one.
const FLAT: f64 = 1e-6;
/// Planes that are looked at.
const MOST_PLANES: usize = MAX_POINTS;
/// What is nearer by less than this is as near.
const TIE: f64 = 0.99;

/// Leaves at most [`MAX_POINTS`] points of a solid of this size [m]; gives how many.
pub fn two_by_two(points: &mut [Found], size: f64) -> usize {
    let mut len = points.len();
    while len > MAX_POINTS {
        len = merge(&mut points[..len], size);
    }
    len
}

/// Gathers the points of each plane for a solid with this pose and middle, in its frame; gives how many are left.
pub fn in_quarters(points: &mut [Found], pose: &Pose, middle: Vec3) -> usize {
    let mut normals = [Vec3::ZERO; MOST_PLANES];
    let mut planes = 0;
    for f in &*points {
        let normal = f.overlap.normal;
        if !normals[..planes].iter().any(|n| n.distance_squared(normal) < FLAT * FLAT) {
            if planes == MOST_PLANES {
                return points.len();
            }
            normals[planes] = normal;
            planes += 1;
        }
    }
    let mut len = points.len();
    for normal in &normals[..planes] {
        let own = pose.rotation.inverse() * *normal;
        // Axes of the solid across that which the normal is nearest to.
        let along = own.abs().max_position();
        let part = |p: Vec3| {
            let p = (pose.inverse_transform_point(p) - middle).to_array();
            let quarter = quarter(p[(along + 1) % 3], p[(along + 2) % 3]);
            if planes > 2 { quarter % 2 } else { quarter }
        };
        len = gather_plane(&mut points[..len], *normal, part);
    }
    len
}

/// Makes the points of one normal one for each part of the solid; gives how many are left.
fn gather_plane(points: &mut [Found], normal: Vec3, part: impl Fn(Vec3) -> usize) -> usize {
    let mut first = [None; 4];
    let mut sums = [Together::default(); 4];
    let mut len = 0;
    for i in 0..points.len() {
        let found = points[i];
        let is_here = found.overlap.normal.distance_squared(normal) < FLAT * FLAT;
        let part = part(found.overlap.point);
        if is_here {
            sums[part].add(&Together::one(&found.overlap));
        }
        match first[part].filter(|_| is_here) {
            None => {
                points[len] = found;
                if is_here {
                    first[part] = Some(len);
                }
                len += 1;
            }
            // Of the deepest are curvature and feature.
            Some(at) if found.overlap.depth > points[at].overlap.depth => points[at] = found,
            Some(_) => {}
        }
    }
    for (at, sum) in first.into_iter().zip(&sums) {
        if let Some(at) = at {
            put(&mut points[at], sum, normal);
        }
    }
    len
}

/// Gives a point the place, depth and share of several; no share is larger than one.
fn put(found: &mut Found, sum: &Together, normal: Vec3) {
    if sum.is_empty() {
        return;
    }
    let (place, depth) = sum.place();
    let share = sum.share();
    found.overlap.point = place;
    found.overlap.normal = normal;
    found.overlap.share = share.min(1.0);
    found.overlap.depth = depth * share.max(1.0);
}

/// Makes one of the two points that are most alike, with the same force and moment if their normals are the same; gives how many are
/// left.
pub fn merge(points: &mut [Found], size: f64) -> usize {
    let (mut pair, mut least) = ((0, 1), f64::INFINITY);
    for i in 0..points.len() {
        let p = &points[i].overlap;
        for (k, Found { overlap: q, .. }) in points.iter().enumerate().skip(i + 1) {
            // Of several that are as near, the first: that must not be up to rounding.
            let limit = TIE * least;
            let apart2 = p.point.distance_squared(q.point);
            if apart2 >= limit * limit {
                continue;
            }
            // A turn of the normal counts as a way as long as the lever that it has; and normals of two contacts are kept as long as there are others.
            let (cos, lever) = (p.normal.dot(q.normal), 100.0 * p.depth.max(q.depth));
            let turn = p.normal.distance(q.normal) * lever + 2.0 * size * (1.0 - alike(cos));
            let far = apart2.sqrt() + turn;
            if far < limit {
                (pair, least) = ((i, k), far);
            }
        }
    }
    let (p, q) = (points[pair.0].overlap, points[pair.1].overlap);
    let part = p.share * p.depth / (p.share * p.depth + q.share * q.depth);
    let normal = (p.normal * part + q.normal * (1.0 - part)).normalize_or(p.normal);
    let mut sum = Together::one(&p);
    sum.add(&Together::one(&q));
    if q.depth > p.depth {
        points[pair.0] = points[pair.1];
    }
    put(&mut points[pair.0], &sum, normal);
    let last = points.len() - 1;
    points.swap(pair.1, last);
    last
}
