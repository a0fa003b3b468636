//! Part of a face or line that lies over another face, seen along the contact normal.

use super::feature::Feature;
use fender_math::Vec3;

/// Most corners of the result: four, and one more for each side of the clipping face, with room for the slivers that
/// rounding may add.
const CAPACITY: usize = 16;

/// Corners in order; two for a line.
#[derive(Clone, Copy, Debug)]
pub struct Polygon {
    points: [Vec3; CAPACITY],
    len: usize,
}

impl Polygon {
    pub fn points(&self) -> &[Vec3] {
        &self.points[..self.len]
    }

    fn push(&mut self, p: Vec3) {
        if self.len < CAPACITY {
            self.points[self.len] = p;
            self.len += 1;
        }
    }
}

/// Clips `subject` by the sides of `face`, extended along `n` (Sutherland and Hodgman 1974). Points up to `tolerance` [m]
/// outside are kept, so that features that meet exactly at a side do not miss each other.
pub fn clip(subject: &Feature, face: &Feature, n: Vec3, tolerance: f64) -> Polygon {
    let mut result = Polygon { points: [Vec3::ZERO; CAPACITY], len: 0 };
    for p in subject.points() {
        result.push(*p);
    }
    let corners = face.points();
    for (i, corner) in corners.iter().enumerate() {
        let side = corners[(i + 1) % corners.len()] - *corner;
        // Inward: the corner opposite is on the inner side.
        let mut inward = n.cross(side).normalize_or_zero();
        if inward.dot(corners[(i + 2) % corners.len()] - *corner) < 0.0 {
            inward = -inward;
        }
        let inside = |p: Vec3| inward.dot(p - *corner);
        let from = result;
        result.len = 0;
        // A line is open: its end does not lead back to its start.
        let last = if subject.is_line() { from.len.saturating_sub(1) } else { from.len };
        for k in 0..from.len {
            let p = from.points[k];
            let d = inside(p);
            if d >= -tolerance {
                result.push(p);
            }
            if k < last {
                let q = from.points[(k + 1) % from.len];
                let e = inside(q);
                if (d >= -tolerance) != (e >= -tolerance) {
                    result.push(p.lerp(q, (d / (d - e)).clamp(0.0, 1.0)));
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
