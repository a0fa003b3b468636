//! Nearest points of two triangles, and of two segments.

use crate::trimesh::triangle::nearest;
use fender_math::Vec3;

/// Nearest points of two triangles; the same if they meet. Either is at a corner of one, or on sides of both, unless a side of one
/// passes through the other.
pub(super) fn between_triangles(a: [Vec3; 3], b: [Vec3; 3]) -> [Vec3; 2] {
    let mut best = [a[0], b[0]];
    let mut least = f64::INFINITY;
    let mut take = |p: Vec3, q: Vec3| {
        let sq = p.distance_squared(q);
        if sq < least {
            (best, least) = ([p, q], sq);
        }
    };
    for k in 0..3 {
        take(a[k], nearest(a[k], b).0);
        take(nearest(b[k], a).0, b[k]);
        for i in 0..3 {
            let [p, q] = between_segments([a[k], a[(k + 1) % 3]], [b[i], b[(i + 1) % 3]]);
            take(p, q);
        }
    }
    for k in 0..3 {
        for (from, to, other) in [(a[k], a[(k + 1) % 3], b), (b[k], b[(k + 1) % 3], a)] {
            if let Some(p) = crossing(from, to, other) {
                return [p, p];
            }
        }
    }
    best
}

/// Where a segment passes through a triangle.
fn crossing(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let n = (b - a).cross(c - a);
    let (above, below) = (n.dot(from - a), n.dot(to - a));
    if above * below > 0.0 || above == below {
        return None;
    }
    let p = from.lerp(to, above / (above - below));
    let inside = |s: Vec3, t: Vec3| n.dot((t - s).cross(p - s)) >= 0.0;
    (inside(a, b) && inside(b, c) && inside(c, a)).then_some(p)
}

/// Nearest points of two segments (Ericson 2005, section 5.1.9).
pub(super) fn between_segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv, uw, vw) = (u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w));
    let unit = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    let det = uu * vv - uv * uv;
    let s = if det > 1e-14 * uu * vv { unit((uv * vw - uw * vv) / det) } else { 0.0 };
    let t = unit((uv * s + vw) / vv);
    let s = unit((uv * t - uw) / uu);
    [a + u * s, c + v * t]
}
