//! Part of a face or line that lies over another face, seen along the contact normal.

use super::feature::{Corners, Feature};
use fender_math::Vec3;
use smallvec::SmallVec;

/// Clips `subject` by the sides of `face`, extended along `n` (Sutherland and Hodgman 1974). Points up to `tolerance` [m]
/// outside are kept, so that features that meet exactly at a side do not miss each other.
pub fn clip(subject: &Feature, face: &Feature, n: Vec3, tolerance: f64) -> Corners {
    let mut result: Corners = subject.points().into();
    let mut from = Corners::new();
    let mut inside: SmallVec<[f64; 16]> = SmallVec::new();
    let corners = face.points();
    let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
    for (i, corner) in corners.iter().enumerate() {
        let side = corners[(i + 1) % corners.len()] - *corner;
        let mut inward = n.cross(side).normalize_or_zero();
        if inward.dot(middle - *corner) < 0.0 {
            inward = -inward;
        }
        inside.clear();
        inside.extend(result.iter().map(|p| inward.dot(*p - *corner)));
        if inside.iter().all(|d| *d >= -tolerance) {
            continue;
        }
        std::mem::swap(&mut from, &mut result);
        result.clear();
        // A line is open: its end does not lead back to its start.
        let last = if subject.is_line() { from.len().saturating_sub(1) } else { from.len() };
        for (k, p) in from.iter().enumerate() {
            let d = inside[k];
            if d >= -tolerance {
                result.push(*p);
            }
            if k < last {
                let next = (k + 1) % from.len();
                let e = inside[next];
                if (d >= -tolerance) != (e >= -tolerance) {
                    result.push(p.lerp(from[next], (d / (d - e)).clamp(0.0, 1.0)));
                }
            }
        }
    }
    result
}

/// For each corner, half the length of the boundary next to it, seen along `n` [m]. A corner that splits into two
/// shares its length between them, so that nothing jumps when it does.
pub fn tributary_length(points: &[Vec3], n: Vec3, i: usize) -> f64 {
    let seen = |p: Vec3, q: Vec3| {
        let d = p - q;
        (d - n * n.dot(d)).length()
    };
    let count = points.len();
    let (before, after) = (points[(i + count - 1) % count], points[(i + 1) % count]);
    0.5 * (seen(points[i], before) + seen(points[i], after))
}
