//! Nearest points of a tube and another shape.

use crate::Shape;
use crate::narrow::tube::{Course, Field, lows};
use crate::tube::Tube;
use fender_math::{Pose, Vec3};

/// Places at which the search begins.
const SAMPLES: u32 = 16;

/// Nearest points of a tube at `pose_wa` and a shape that is apart from it, in the world; `None` if a pose is not finite.
pub(super) fn closest(tube: &Tube, pose_wa: &Pose, other: &Shape, pose_wb: &Pose) -> Option<[Vec3; 2]> {
    let course = Course::new(tube, &(pose_wb.inverse() * *pose_wa));
    let field = Field::of(other);
    let length = tube.length();
    let mut best = (f64::INFINITY, 0.0);
    let look = |best: &mut (f64, f64), s: f64| {
        let distance = field.distance(course.at(s).point, best.0.max(tube.bar));
        if distance < best.0 {
            *best = (distance, s);
        }
    };
    for k in 0..=SAMPLES {
        look(&mut best, length * f64::from(k) / f64::from(SAMPLES));
    }
    // What is not a number has found nothing.
    if best.0 == f64::INFINITY {
        return None;
    }
    let reach = best.0 + 1e-12 * (best.0.abs() + tube.bar);
    lows(&course, &field, reach, |low| look(&mut best, low.s));
    let p = course.at(best.1).point;
    let near = (0..field.parts())
        .filter_map(|part| field.near(part, p, f64::INFINITY))
        .reduce(|a, b| if b.distance < a.distance { b } else { a })?;
    // Just touching: rounding must not swap them.
    let gap = (near.distance - tube.bar).max(0.0);
    let on_tube = p - near.normal * tube.bar;
    let points = [on_tube, on_tube - near.normal * gap].map(|q| pose_wb.transform_point(q));
    points.iter().all(|q| q.is_finite()).then_some(points)
}
