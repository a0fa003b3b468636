//! How far two shapes are apart, and where they are nearest.

pub(crate) mod mesh;

use crate::Shape;
use crate::narrow::gjk;
use crate::narrow::placed::Placed;
use crate::narrow::sphere::nearest;
use crate::narrow::{overlaps, supported};
use fender_math::{Pose, Vec3};
use parry3d_f64::query::gjk::GJKResult;

/// Components of a direction below this count as zero, so that the middle of a face is taken rather than a corner.
const PARALLEL: f64 = 1e-9;

/// Points of `a` and of `b` that are nearest to each other, in the world [m]. Where the shapes overlap, both are the place where
/// they do so deepest. Where many points are equally near, as between parallel faces, one pair of them. `None` for pairs
/// that are not [`supported`] (such as two half-spaces), and for poses that are not finite.
///
/// Exact between spheres and anything, between meshes and with a half-space; elsewhere to about 1e-9 of the size of the shapes (by the
/// algorithm of Gilbert, Johnson and Keerthi 1988, then alternating projections).
pub fn closest(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<[Vec3; 2]> {
    let swapped = || closest(b, pose_wb, a, pose_wa).map(|[q, p]| [p, q]);
    if let Some(point) = deepest(a, pose_wa, b, pose_wb) {
        return Some([point, point]);
    }
    let points = match (a, b) {
        _ if !supported(a, b) => return None,
        (Shape::HalfSpace, _) => return swapped(),
        (Shape::Mesh(a), Shape::Mesh(b)) => mesh::to_mesh(a, pose_wa, b, pose_wb)?,
        (_, Shape::HalfSpace) => {
            let normal = pose_wb.rotation * Vec3::Z;
            let lowest = farthest(a, pose_wa, -normal);
            [lowest, lowest - normal * normal.dot(lowest - pose_wb.translation)]
        }
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            between([pose_wa.translation, pose_wb.translation], [*ra, *rb])
        }
        (_, Shape::Sphere { .. }) | (Shape::Mesh(_), _) => return swapped(),
        (Shape::Sphere { radius }, Shape::Mesh(mesh)) => {
            let center = pose_wa.translation;
            let nearest = mesh.closest(pose_wb.inverse_transform_point(center))?;
            between([center, pose_wb.transform_point(nearest.point)], [*radius, 0.0])
        }
        (_, Shape::Mesh(mesh)) => mesh::to_solid(a, pose_wa, mesh, pose_wb)?,
        (Shape::Sphere { radius }, _) => {
            let center = pose_wa.translation;
            let (core, border) = if let Some(solid) = Placed::new(b, pose_wb) {
                (solid.nearest(center), solid.border)
            } else {
                let nearest = nearest(b, pose_wb.inverse_transform_point(center))?;
                (pose_wb.transform_point(nearest.surface), 0.0)
            };
            between([center, core], [*radius, border])
        }
        _ => {
            let (a, b) = (Placed::new(a, pose_wa)?, Placed::new(b, pose_wb)?);
            between(cores(&a, &b), [a.border, b.border])
        }
    };
    points.iter().all(|p| p.is_finite()).then_some(points)
}

/// The nearest points of two groups of shapes, such as those of two bodies; `None` if there are none.
pub fn closest_between(a: &[(&Shape, Pose)], b: &[(&Shape, Pose)]) -> Option<[Vec3; 2]> {
    let mut best: Option<[Vec3; 2]> = None;
    for (shape_a, pose_wa) in a {
        for (shape_b, pose_wb) in b {
            let found = closest(shape_a, pose_wa, shape_b, pose_wb);
            let nearer = |[p, q]: &[Vec3; 2]| best.is_none_or(|[r, s]| p.distance(*q) < r.distance(s));
            best = found.filter(nearer).or(best);
        }
    }
    best
}

/// Where two shapes overlap deepest.
fn deepest(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<Vec3> {
    let overlaps = overlaps(a, pose_wa, b, pose_wb);
    let points = overlaps.points();
    let depth = points.iter().map(|p| p.depth).fold(f64::NEG_INFINITY, f64::max);
    // Of a face that lies on another all points are as deep: the middle of them.
    let as_deep = || points.iter().filter(|p| p.depth >= 0.999 * depth);
    let sum: Vec3 = as_deep().map(|p| p.point).sum();
    (!points.is_empty()).then(|| sum / as_deep().count() as f64)
}

/// Shifts points on cores by the borders around them, toward each other.
fn between([p, q]: [Vec3; 2], borders: [f64; 2]) -> [Vec3; 2] {
    let toward = (q - p).normalize_or_zero();
    let [p, q] = [p + toward * borders[0], q - toward * borders[1]];
    // Borders that just touch: rounding must not swap them.
    if (q - p).dot(toward) < 0.0 { [p.midpoint(q); 2] } else { [p, q] }
}

/// The farthest point of a solid along the unit direction `n`; the middle of them if there are several.
fn farthest(shape: &Shape, pose_ws: &Pose, n: Vec3) -> Vec3 {
    let local = pose_ws.rotation.inverse() * n;
    let side = |x: f64| if x.abs() < PARALLEL { 0.0 } else { x.signum() };
    let disc = |radius: f64| {
        let across = Vec3::new(local.x, local.y, 0.0);
        if across.length() < PARALLEL { Vec3::ZERO } else { across.normalize() * radius }
    };
    let point = match *shape {
        Shape::Sphere { radius } => local * radius,
        Shape::Box { half } => Vec3::new(side(local.x), side(local.y), side(local.z)) * half,
        Shape::Cylinder { radius, half_height } => disc(radius) + Vec3::Z * (side(local.z) * half_height),
        Shape::Capsule { radius, half_height } => local * radius + Vec3::Z * (side(local.z) * half_height),
        Shape::Ellipsoid { radii } => radii * radii * local / (radii * local).length(),
        Shape::Cone { radius, half_height } => {
            // Level with the side the middle of it, which the sum of its ends' places is.
            let (tip, rim) = (Vec3::Z * half_height, disc(radius) - Vec3::Z * half_height);
            match side(local.dot(tip - rim) / half_height) {
                s if s > 0.0 => tip,
                s if s < 0.0 => rim,
                _ => tip.midpoint(rim),
            }
        }
        Shape::Mesh(ref mesh) => mesh::farthest(mesh, local),
        Shape::Polyhedron(ref polyhedron) => {
            let vertices = polyhedron.vertices();
            let reach = polyhedron.reach(local) - PARALLEL * polyhedron.size();
            // Of a face or edge that is level all corners are as far: the middle of them.
            let level = || vertices.iter().filter(|v| local.dot(**v) >= reach);
            level().sum::<Vec3>() / level().count() as f64
        }
        Shape::HalfSpace | Shape::Bore { .. } | Shape::Funnel { .. } | Shape::Edge { .. } => Vec3::ZERO,
    };
    pose_ws.translation + pose_ws.rotation * point
}

/// Nearest points of two cores that are apart.
fn cores(a: &Placed, b: &Placed) -> [Vec3; 2] {
    let offset = b.center - a.center;
    if !offset.is_finite() {
        return [Vec3::NAN; 2];
    }
    let start = match gjk::nearest(a, b, offset, f64::MAX) {
        GJKResult::ClosestPoints(p, _, _) if p.is_finite() => a.center + p,
        _ => a.nearest(b.center),
    };
    project(a.nearest(start), |q| a.nearest(q), |p| b.nearest(p), a.size() + b.size())
}

/// Nearest points of two convex solids, from a point of the first, by going to the nearest point of either in turn. parry stops early on
/// round shapes; here each projection shortens the distance, and only the nearest pair stays where it is (Cheney and Goldstein
/// 1959). The steps shrink by a nearly constant factor, so that now and then the sum of all that would follow is tried.
fn project(start: Vec3, on_a: impl Fn(Vec3) -> Vec3, on_b: impl Fn(Vec3) -> Vec3, size: f64) -> [Vec3; 2] {
    let near = 1e-13 * size;
    let mut p = start;
    let mut q = on_b(p);
    let mut last = f64::INFINITY;
    for i in 1..1000 {
        let next = on_a(q);
        let step = next - p;
        let moved = step.length();
        p = next;
        q = on_b(p);
        if moved <= near {
            break;
        }
        let factor = moved / last;
        last = moved;
        if i % 8 == 0 && factor < 1.0 {
            let ahead = on_a(p + step * (factor / (1.0 - factor)));
            let beside = on_b(ahead);
            if ahead.distance_squared(beside) < p.distance_squared(q) {
                (p, q, last) = (ahead, beside, f64::INFINITY);
            }
        }
    }
    [p, q]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polyhedron;
    use crate::random_cases::random_cases;
    use fender_math::rotation::from_axis_angle;
    use proptest::prelude::*;
    use std::sync::Arc;

    const SPHERE: Shape = Shape::Sphere { radius: 0.5 };
    const CUBE: Shape = Shape::Box { half: Vec3::splat(1.0) };
    const CYLINDER: Shape = Shape::Cylinder { radius: 0.5, half_height: 1.0 };
    const CAPSULE: Shape = Shape::Capsule { radius: 0.5, half_height: 1.0 };

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z))
    }

    fn turned(mut pose: Pose, axis: Vec3, angle: f64) -> Pose {
        pose.rotation = from_axis_angle(axis, angle);
        pose
    }

    #[track_caller]
    fn is(found: Option<[Vec3; 2]>, expected: [[f64; 3]; 2]) {
        let [p, q] = found.unwrap();
        let [ep, eq] = expected.map(Vec3::from_array);
        assert!(p.distance(ep) < 1e-12 && q.distance(eq) < 1e-12, "{p} {q}");
    }

    #[test]
    fn formulas() {
        is(
            closest(&SPHERE, &at(0.0, 0.0, 0.0), &SPHERE, &at(3.0, 0.0, 0.0)),
            [[0.5, 0.0, 0.0], [2.5, 0.0, 0.0]],
        );
        is(
            closest(&SPHERE, &at(1.0, 2.0, 3.0), &Shape::HalfSpace, &at(0.0, 0.0, 1.0)),
            [[1.0, 2.0, 2.5], [1.0, 2.0, 1.0]],
        );
        // The same the other way round.
        is(
            closest(&Shape::HalfSpace, &at(0.0, 0.0, 1.0), &SPHERE, &at(1.0, 2.0, 3.0)),
            [[1.0, 2.0, 1.0], [1.0, 2.0, 2.5]],
        );
        is(
            closest(&CUBE, &at(0.0, 0.0, 0.0), &SPHERE, &at(0.5, 0.0, 3.0)),
            [[0.5, 0.0, 1.0], [0.5, 0.0, 2.5]],
        );
        // A face that is parallel to the floor counts with its middle, an edge with its.
        is(
            closest(&CUBE, &at(0.0, 0.0, 3.0), &Shape::HalfSpace, &at(0.0, 0.0, 0.0)),
            [[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]],
        );
        let on_edge = turned(at(0.0, 0.0, 3.0), Vec3::Y, std::f64::consts::FRAC_PI_4);
        is(
            closest(&CUBE, &on_edge, &Shape::HalfSpace, &at(0.0, 0.0, 0.0)),
            [[0.0, 0.0, 3.0 - 2.0_f64.sqrt()], [0.0, 0.0, 0.0]],
        );
        let lying = turned(at(0.0, 0.0, 2.0), Vec3::Y, std::f64::consts::FRAC_PI_2);
        is(
            closest(&CYLINDER, &lying, &Shape::HalfSpace, &at(0.0, 0.0, 0.0)),
            [[0.0, 0.0, 1.5], [0.0, 0.0, 0.0]],
        );
        is(
            closest(&CAPSULE, &at(0.0, 0.0, 4.0), &Shape::HalfSpace, &at(0.0, 0.0, 0.0)),
            [[0.0, 0.0, 2.5], [0.0, 0.0, 0.0]],
        );
        // Crossed capsules, and a corner over a cap.
        is(
            closest(&CAPSULE, &at(0.0, 2.0, 0.0), &CAPSULE, &turned(at(0.0, 0.0, 0.0), Vec3::Y, 1.5)),
            [[0.0, 1.5, 0.0], [0.0, 0.5, 0.0]],
        );
        let corner = at(3.0, 4.0, 2.5);
        is(
            closest(&CUBE, &corner, &CYLINDER, &at(0.0, 0.0, 0.0)),
            [[2.0, 3.0, 1.5], {
                let r = 0.5 / 13.0_f64.sqrt();
                [2.0 * r, 3.0 * r, 1.0]
            }],
        );
    }

    #[test]
    fn touching_shapes_have_one_point() {
        let [p, q] = closest(&CUBE, &at(0.0, 0.0, 0.9), &Shape::HalfSpace, &at(0.0, 0.0, 0.0)).unwrap();
        assert_eq!(p, q);
        assert!(p.distance(Vec3::new(0.0, 0.0, -0.1)) < 1e-12, "{p}");
        let [p, q] = closest(&SPHERE, &at(0.0, 0.0, 0.0), &SPHERE, &at(0.9, 0.0, 0.0)).unwrap();
        assert_eq!(p, q);
        assert!(p.distance(Vec3::new(0.45, 0.0, 0.0)) < 1e-12, "{p}");
    }

    #[test]
    fn what_has_no_answer_gives_none() {
        assert_eq!(
            closest(&Shape::HalfSpace, &at(0.0, 0.0, 0.0), &Shape::HalfSpace, &at(0.0, 0.0, 1.0)),
            None
        );
        assert_eq!(closest(&SPHERE, &at(f64::NAN, 0.0, 0.0), &CUBE, &at(0.0, 0.0, 1.0)), None);
        assert_eq!(closest(&CYLINDER, &at(f64::NAN, 0.0, 0.0), &CUBE, &at(0.0, 0.0, 1.0)), None);
        assert_eq!(closest_between(&[], &[(&CUBE, at(0.0, 0.0, 0.0))]), None);
    }

    #[test]
    fn of_two_groups_the_nearest_pair_counts() {
        let dumbbell = [(&SPHERE, at(-2.0, 0.0, 2.0)), (&SPHERE, at(2.0, 0.0, 1.0))];
        let floor = [(&Shape::HalfSpace, at(0.0, 0.0, 0.0))];
        is(closest_between(&dumbbell, &floor), [[2.0, 0.0, 0.5], [2.0, 0.0, 0.0]]);
    }

    fn shape() -> impl Strategy<Value = Shape> {
        let length = || 0.1..2.0_f64;
        prop_oneof![
            length().prop_map(|radius| Shape::Sphere { radius }),
            (length(), length(), length()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
            (length(), length()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
            (length(), length()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
            (length(), length()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
            (length(), length(), length())
                .prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
            proptest::collection::vec((length(), length(), length()), 4..30).prop_filter_map("flat", |p| {
                let points: Vec<Vec3> = p.iter().map(|(x, y, z)| Vec3::new(*x, *y, *z)).collect();
                Polyhedron::hull(&points).ok().map(|p| Shape::Polyhedron(Arc::new(p)))
            }),
        ]
    }

    fn pose() -> impl Strategy<Value = Pose> {
        let unit = || -1.0..1.0_f64;
        ((unit(), unit(), unit()), (unit(), unit(), unit()), -3.0..3.0_f64).prop_map(|(p, axis, angle)| {
            let axis = Vec3::new(axis.0, axis.1, axis.2 + 1.5).normalize();
            let translation = Vec3::new(p.0, p.1, p.2) * 6.0;
            Pose { rotation: from_axis_angle(axis, angle), translation }
        })
    }

    /// How far a shape reaches along `n`, written down apart from the code under test.
    fn reach(shape: &Shape, pose: &Pose, n: Vec3) -> f64 {
        let l = pose.rotation.inverse() * n;
        let own = match *shape {
            Shape::Sphere { radius } => radius,
            Shape::Box { half } => l.abs().dot(half),
            Shape::Cylinder { radius, half_height } => radius * l.x.hypot(l.y) + half_height * l.z.abs(),
            Shape::Capsule { radius, half_height } => radius + half_height * l.z.abs(),
            Shape::Cone { radius, half_height } => {
                (half_height * l.z).max(radius * l.x.hypot(l.y) - half_height * l.z)
            }
            Shape::Ellipsoid { radii } => (radii * l).length(),
            Shape::Polyhedron(ref p) => p.vertices().iter().map(|v| l.dot(*v)).fold(f64::MIN, f64::max),
            _ => unreachable!("not drawn"),
        };
        n.dot(pose.translation) + own
    }

    fn holds(shape: &Shape, pose: &Pose, p: Vec3) -> bool {
        let near = 1e-9;
        let l = pose.rotation.inverse() * (p - pose.translation);
        match *shape {
            Shape::Sphere { radius } => l.length() <= radius + near,
            Shape::Box { half } => l.abs().cmple(half + Vec3::splat(near)).all(),
            Shape::Cylinder { radius, half_height } => {
                l.x.hypot(l.y) <= radius + near && l.z.abs() <= half_height + near
            }
            Shape::Capsule { radius, half_height } => {
                (l - Vec3::Z * l.z.clamp(-half_height, half_height)).length() <= radius + near
            }
            Shape::Cone { radius, half_height } => {
                l.z >= -half_height - near
                    && l.x.hypot(l.y) <= radius * (half_height - l.z) / (2.0 * half_height) + 20.0 * near
            }
            Shape::Ellipsoid { radii } => (l / radii).length() <= 1.0 + 10.0 * near,
            Shape::Polyhedron(ref p) => p.highest_face(l).1 <= near,
            _ => unreachable!("not drawn"),
        }
    }

    proptest! {
        #![proptest_config(random_cases(2000))]

        /// Points of the solids, with planes through them that have the solids on either side: nothing can be nearer.
        #[test]
        fn no_other_points_are_nearer(a in shape(), pose_a in pose(), b in shape(), pose_b in pose()) {
            let [p, q] = closest(&a, &pose_a, &b, &pose_b).unwrap();
            let distance = p.distance(q);
            if distance > 1e-3 {
                prop_assert!(holds(&a, &pose_a, p) && holds(&b, &pose_b, q));
                let n = (q - p) / distance;
                let gap = -reach(&b, &pose_b, -n) - reach(&a, &pose_a, n);
                prop_assert!((gap - distance).abs() < 1e-7, "{gap} {distance}");
            }
        }
    }
}
