//! Part of a face or line that lies over another face, seen along the contact normal.

use super::feature::{Corners, Feature};
use fender_math::Vec3;
use smallvec::SmallVec;

/// Corners of the result nearer than this many tolerances are one.
const SAME: f64 = 100.0;

/// Clips `subject` by the sides of `face`, extended along `n` (Sutherland and Hodgman 1974). Points up to `tolerance` [m]
/// outside are kept, so that features that meet exactly at a side do not miss each other.
pub fn clip(subject: &Feature, face: &Feature, n: Vec3, tolerance: f64) -> Corners {
    let mut result: Corners = subject.points().into();
    let mut from = Corners::new();
    let mut is_cut = false;
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
        is_cut = true;
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
    // Sides that all but coincide cut slivers off: corners at one place are one, so that what trembles keeps its points.
    let near = |p: Vec3, q: Vec3| p.distance_squared(q) < SAME * SAME * tolerance * tolerance;
    let mut kept = 0;
    for k in 0..result.len() {
        let p = result[k];
        if kept == 0 || !near(p, result[kept - 1]) {
            result[kept] = p;
            kept += 1;
        }
    }
    if kept > 2 && near(result[kept - 1], result[0]) {
        kept -= 1;
    }
    result.truncate(kept);
    // Begin where the subject does, whichever corner was cut off first.
    if is_cut && !subject.is_line() && !result.is_empty() {
        let first = subject.points()[0];
        let far = |k: usize| result[k].distance_squared(first);
        let start = (1..result.len()).fold(0, |best, k| if far(k) < far(best) { k } else { best });
        result.rotate_left(start);
    }
    result
}

/// Part of a line or point over a cap, extended along `n`; up to `tolerance` [m] outside.
pub fn clip_by_cap(subject: &Feature, cap: &Feature, n: Vec3, tolerance: f64) -> Corners {
    let points = subject.points();
    let middle = 0.5 * (cap.points()[0] + cap.points()[2]);
    let seen = |p: Vec3| {
        let from = p - middle;
        from - n * (cap.normal.dot(from) / cap.normal.dot(n))
    };
    let (p, q) = (seen(points[0]), seen(points[points.len() - 1]));
    let d = q - p;
    let room = |at: Vec3, radius: f64| radius * radius - at.length_squared();
    let wide = cap.round + tolerance;
    let (is_in, stays_in) = (room(p, wide) >= 0.0, room(q, wide) >= 0.0);
    if is_in && stays_in {
        return points.into();
    }
    let (a, b) = (d.length_squared(), p.dot(d));
    if a == 0.0 || b * b + a * room(p, wide) < 0.0 {
        return Corners::new();
    }
    let root = (b * b + a * room(p, cap.round)).max(0.0).sqrt();
    let enters = if is_in { 0.0 } else { (-b - root) / a };
    let leaves = if stays_in { 1.0 } else { (root - b) / a };
    let (low, high) = (enters.max(0.0), leaves.min(1.0));
    if low > high {
        return Corners::new();
    }
    [low, high].iter().map(|t| points[0].lerp(points[1], *t)).collect()
}

/// For each corner, half the length of the boundary next to it, seen along `n` [m]. A corner that splits into two
/// shares its length between them, so that nothing jumps when it does.
pub fn tributary_lengths(points: &[Vec3], n: Vec3) -> SmallVec<[f64; 16]> {
    let half_side = |i: usize| {
        let d = points[(i + 1) % points.len()] - points[i];
        0.5 * (d - n * n.dot(d)).length()
    };
    let mut lengths: SmallVec<[f64; 16]> = (0..points.len()).map(half_side).collect();
    let mut before = lengths.last().copied().unwrap_or_default();
    for length in &mut lengths {
        (before, *length) = (*length, *length + before);
    }
    lengths
}
