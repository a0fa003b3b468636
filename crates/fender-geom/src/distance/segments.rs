//! Nearest points of two segments.

use fender_math::Vec3;

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
