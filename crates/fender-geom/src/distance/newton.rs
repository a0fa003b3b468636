//! Nearest points of two solids that are smooth, or a corner, where they are nearest: by Newton's method for the direction between
//! them.
//!
//! The farthest points of both along the direction n, from the second to the first, differ by v(n), and at the end v = d·n with the
//! distance d. When n turns by δ, the farthest points move by their bends (the second derivatives of how far a solid reaches), so that
//! the component of v across n vanishes for (d + bend of both)·δ = v across n. The digits double with every round. Where an edge or a
//! face is nearest there is no bend, and the rounds do not converge: then `project.rs` takes over.

use super::core::{Core, Moved};
use super::gjk::Convex;
use fender_math::Vec3;

/// A round has to leave less than this part of the error.
const GAIN: f64 = 0.3;
const ROUNDS: usize = 8;

/// How the farthest point moves as the direction turns, in two directions across it [m].
#[derive(Clone, Copy, Default)]
struct Bend {
    uu: f64,
    uv: f64,
    vv: f64,
}

/// Of a core in its own frame, along the unit vector `n` with `u` and `v` across it. Zero at a corner.
#[inline]
fn bend(core: &Core, n: Vec3, u: Vec3, v: Vec3) -> Bend {
    let rim = |radius: f64| {
        let across = (n.x * n.x + n.y * n.y).sqrt();
        let scale = radius / (across * across * across);
        let (s, t) = (n.x * u.y - n.y * u.x, n.x * v.y - n.y * v.x);
        Bend { uu: scale * s * s, uv: scale * s * t, vv: scale * t * t }
    };
    match *core {
        Core::Ellipsoid(radii) => {
            let sq = radii * radii;
            let reach = (radii * n).length();
            let (mu, mv) = (sq * u, sq * v);
            let (s, t) = (mu.dot(n) / reach, mv.dot(n) / reach);
            let part = |x: f64| x / reach;
            Bend { uu: part(mu.dot(u) - s * s), uv: part(mu.dot(v) - s * t), vv: part(mv.dot(v) - t * t) }
        }
        Core::Cylinder { radius, .. } => rim(radius),
        Core::Cone { radius, half_height } => {
            let is_tip = core.support(n).z == half_height;
            if is_tip { Bend::default() } else { rim(radius) }
        }
        Core::Point | Core::Segment(_) | Core::Box(_) => Bend::default(),
    }
}

/// Nearest points, from about the direction `n` from the second solid to the first; `None` if that does not converge.
pub(super) fn nearest(a: &Core, b: &Moved, n: Vec3) -> Option<[Vec3; 2]> {
    let mut n = n.try_normalize()?;
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (p, q) = (a.support(-n), b.support(n));
        let apart = p - q;
        let distance = n.dot(apart);
        let (u, v) = n.any_orthonormal_pair();
        let (x, y) = (u.dot(apart), v.dot(apart));
        let error = x.abs() + y.abs();
        // Rounding leaves this much of points of that size.
        if error <= 1e-15 * (p.abs().max_element() + q.abs().max_element()) {
            return (distance > 0.0).then_some([p, q]);
        }
        let gains = error < GAIN * last && distance > 0.0;
        if !gains {
            return None;
        }
        last = error;
        let of_a = bend(a, -n, u, v);
        let of_b = bend(b.core, b.in_own(n), b.in_own(u), b.in_own(v));
        let (uu, uv, vv) = (of_a.uu + of_b.uu + distance, of_a.uv + of_b.uv, of_a.vv + of_b.vv + distance);
        let det = uu * vv - uv * uv;
        n = (n + u * ((x * vv - y * uv) / det) + v * ((y * uu - x * uv) / det)).normalize();
    }
    None
}
