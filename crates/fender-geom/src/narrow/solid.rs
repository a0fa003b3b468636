//! Convex solids against each other: the least translation that parts them.
//!
//! It is the contact of ellipsoids, which touch at one point; of solids with faces, edges or rims, whose forces come from patches
//! (`pair/patch`), it is a measure of how deep they are in each other.

use super::bend::Bend;
use super::least::Least;
use super::placed::{Kind, Placed};
use super::{Overlaps, ellipsoid};
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// A direction is one of a cone's side if its sine to the axis is off by less than this, the accuracy of the search for it.
const ALONG: f64 = 1e-7;
/// Projections to and fro for a place where two faces or edges meet.
const PROJECTIONS: usize = 32;

/// Overlap of two solids; the normal points to `a`.
pub fn solids(a: &Placed, b: &Placed) -> Overlaps {
    Overlaps::one(least(a, b).map(|least| deepest_point(a, b, &least)))
}

/// Faces first, then what is around the best of them, then all directions, until it is certain that no other is better. `None` if
/// the solids are apart.
fn least<'a>(a: &'a Placed<'a>, b: &'a Placed<'a>) -> Option<Least<'a>> {
    let mut least = Least::start(a, b)?;
    let is_certain = |least: &Least| {
        let point = if a.has_one_support(-least.normal) {
            a.center + a.support(-least.normal)
        } else if b.has_one_support(least.normal) {
            b.center + b.support(least.normal)
        } else {
            return false;
        };
        is_proof(a, b, point, least.normal, least.depth())
    };
    if is_certain(&least) {
        return Some(least);
    }
    // Where both have edges only, nothing is certain.
    if a.is_round_toward(-least.normal) || b.is_round_toward(least.normal) {
        least = least.around()?;
        if is_certain(&least) {
            return Some(least);
        }
    }
    least.of_all()
}

/// Whether an overlap along `n` that has its full `depth` [m] at `point` is surely the least one: two balls, one inside each body, that touch
/// the surfaces there overlap by the same depth along the same normal, and they have to be parted too.
fn is_proof(a: &Placed, b: &Placed, point: Vec3, n: Vec3, depth: f64) -> bool {
    let rounding = 1e-12 * (a.size() + b.size());
    let in_a = a.inner_radius(point - a.center, -n);
    let in_b = b.inner_radius(point - b.center, n);
    in_a.min(in_b) >= -rounding
        && in_a + in_b >= depth
        && a.is_farthest_over(point - a.center, -n)
        && b.is_farthest_over(point - b.center, n)
}

/// A point where the overlap has its full depth, midway between the two surfaces.
fn deepest_point(a: &Placed, b: &Placed, least: &Least) -> PointOverlap {
    let (n, depth) = (least.normal, least.depth());
    let lowest_a = a.center - b.center + a.support(-n);
    let highest_b = b.support(n);
    let beside = if a.has_one_support(-n) {
        lowest_a
    } else if b.has_one_support(n) {
        highest_b
    } else {
        meeting_point(a, b, n * depth)
    };
    let height = 0.5 * (n.dot(lowest_a) - a.border + n.dot(highest_b) + b.border);
    let from_b = beside + n * (height - n.dot(beside));
    let at = b.center + from_b;
    let bend = bend(a, -n, at).plus(&bend(b, n, at), n);
    PointOverlap {
        point: at,
        normal: n,
        depth,
        curvature: bend.mean,
        elongation: bend.elongation,
        share: 1.0,
    }
}

/// A point common to both when `a` is moved by `apart` [m] so that they just touch, by projecting to and fro.
fn meeting_point(a: &Placed, b: &Placed, apart: Vec3) -> Vec3 {
    let parted = Placed { center: a.center + apart, ..*a };
    let mut p = b.center;
    for _ in 0..PROJECTIONS {
        p = b.nearest(parted.nearest(p));
    }
    p - b.center
}

/// How a solid is bent where it touches at `at` [m] with the outward normal `n`: the rules are on the module's page.
fn bend(solid: &Placed, n: Vec3, at: Vec3) -> Bend {
    let tangent = solid.axis().cross(n);
    let out = tangent.length();
    match solid.kind {
        Kind::Ellipsoid => {
            let bend = ellipsoid::bend(solid.half, solid.in_own_axes(n), solid.reach(n));
            Bend { elongation: solid.in_world_axes(bend.elongation), ..bend }
        }
        Kind::Cone => cone_bend(solid, n, at),
        _ if solid.is_flat() => Bend::FLAT,
        _ if solid.is_capsule() && solid.axis().dot(n).abs() >= ALONG => Bend::ball(solid.border),
        // sin² of the angle between normal and axis: 1 on the side of a cylinder, 0 on its cap.
        _ => {
            let tangent = tangent.normalize_or_zero();
            Bend::single(out * out / solid.radius(), tangent, tangent.cross(n))
        }
    }
}

/// A cone is bent on its side across the axis at that place, on its rim by the circle's curvature along the normal. Its tip and base are not bent.
fn cone_bend(solid: &Placed, n: Vec3, at: Vec3) -> Bend {
    let tangent = solid.axis().cross(n);
    let out = tangent.length();
    let Some(tangent) = tangent.try_normalize() else { return Bend::FLAT };
    let over = solid.axis().dot(n) - solid.side_cos();
    if over > ALONG {
        return Bend::FLAT;
    }
    if over < -ALONG {
        return Bend::single(out / solid.round, tangent, tangent.cross(n));
    }
    let from_axis = solid.axis().cross(at - solid.center).length();
    // Near its tip it is taken to be blunt, as for a sphere.
    Bend::single(out / from_axis.clamp(1e-6 * solid.round, solid.round), tangent, tangent.cross(n))
}
