//! Clearance between two bodies, range along a ray, and whether a point is inside.

use crate::{BodyId, Data, Model};
use fender_geom::distance::closest;
use fender_geom::narrow::overlaps;
use fender_geom::ray;
use fender_math::Vec3;

/// Least distance between the shapes of two bodies [m]; where they overlap, minus the greatest depth. Infinite if there is
/// no pair of shapes that has a distance (none at all, or only half-spaces).
pub(super) fn clearance(model: &Model, data: &Data, a: BodyId, b: BodyId) -> f64 {
    let mut least = f64::INFINITY;
    let shapes = |body: BodyId| {
        let pose = data.bodies[body.index()].pose;
        let range = model.bodies[body.index()].shapes.clone();
        model.shapes[range.start as usize..range.end as usize]
            .iter()
            .map(move |s| (&s.shape, pose * s.pose_bs))
    };
    for (shape_a, pose_wa) in shapes(a) {
        for (shape_b, pose_wb) in shapes(b) {
            let found = overlaps(shape_a, &pose_wa, shape_b, &pose_wb);
            let depth = found.points().iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max);
            let distance = if depth > f64::NEG_INFINITY {
                -depth
            } else {
                closest(shape_a, &pose_wa, shape_b, &pose_wb).map_or(f64::INFINITY, |[p, q]| p.distance(q))
            };
            least = least.min(distance);
        }
    }
    least
}

/// Distance from `origin` [m] along the unit `direction` to the first surface of another body than `from`, at most `maximum` [m]. Inside
/// a shape it is zero.
pub(super) fn range(
    model: &Model,
    data: &Data,
    from: BodyId,
    origin: Vec3,
    direction: Vec3,
    maximum: f64,
) -> f64 {
    let mut least = maximum;
    for s in model.shapes.iter().filter(|s| s.body != from) {
        let pose = data.bodies[s.body.index()].pose * s.pose_bs;
        if let Some(hit) = ray::cast(&s.shape, &pose, origin, direction, least) {
            least = if hit.from_outside { hit.distance } else { 0.0 };
        }
    }
    least
}

/// Whether a shape of a body holds the point `p` [m] of the world.
pub(super) fn is_inside(model: &Model, data: &Data, p: Vec3, of: BodyId) -> bool {
    let (pose, range) = (data.bodies[of.index()].pose, model.bodies[of.index()].shapes.clone());
    let mut shapes = model.shapes[range.start as usize..range.end as usize].iter();
    shapes.any(|s| ray::inside(&s.shape, &(pose * s.pose_bs), p))
}
