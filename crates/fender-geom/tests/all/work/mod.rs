//! Work of a contact along a path.

use fender_contact::PointOverlap;
use fender_geom::Shape;
use fender_geom::narrow::overlaps;
use fender_math::{Pose, Vec3};

/// Force of a contact of stiffness 1 N/m on the first body, and its moment about `p`.
pub fn wrench(points: &[PointOverlap], about: Vec3) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::ZERO, Vec3::ZERO), |(force, moment), p| {
        let f = p.normal * (p.depth * p.share);
        (force + f, moment + (p.point - about).cross(f))
    })
}

/// What such a contact does to a body that goes around a closed path, given for 0 to 1, beside one at rest at the origin: the work that is left, which is none if the
/// contact has a potential, and all that was done to and fro [J].
pub fn around(body: &Shape, pose: impl Fn(f64) -> Pose, other: &Shape, count: u32) -> (f64, f64) {
    let at = |pose: &Pose| wrench(overlaps(body, pose, other, &Pose::IDENTITY).points(), pose.translation);
    let (mut work, mut turned) = (0.0, 0.0);
    let mut last = pose(0.0);
    let mut before = at(&last);
    for i in 1..=count {
        let now = pose(f64::from(i) / f64::from(count));
        let after = at(&now);
        let way = now.translation - last.translation;
        let angle = (now.rotation * last.rotation.inverse()).to_scaled_axis();
        let part = 0.5 * ((before.0 + after.0).dot(way) + (before.1 + after.1).dot(angle));
        work += part;
        turned += part.abs();
        (last, before) = (now, after);
    }
    (work, turned)
}
