//! How far two shapes are apart, and where they are nearest.
//!
//! | Pair | Method |
//! |---|---|
//! | sphere with anything | nearest point of the other to the centre, by formulas (an ellipsoid's by Newton's method) |
//! | half-space with a solid or mesh | its farthest point |
//! | two capsules | nearest points of two segments, by formulas |
//! | box, polyhedron, cylinder, capsule, cone, ellipsoid | Gilbert, Johnson and Keerthi 1988 (`gjk.rs`), then, if something is round, projections (`project.rs`) |
//! | mesh with a solid | the tree, and the same for each triangle that may be nearest |
//! | two meshes | both trees, and formulas for two triangles |
//! | torus, half torus, chain link with anything that they touch | least distance along the spine (`tube.rs`) |
//! | bore, funnel, edge with anything else but a sphere; two half-spaces | none |

mod core;
pub(crate) mod gjk;
pub(crate) mod mesh;
mod meshes;
mod newton;
mod project;
mod round;
pub(crate) mod segments;
mod simplex;
mod tube;

use self::core::{Core, Moved};
use crate::Shape;
use crate::narrow::sphere;
use crate::narrow::{overlaps, supported};
use crate::tube::Tube;
use fender_math::{Mat3, Pose, Vec3};
use gjk::{EXACT, Gap, gjk};
use segments::{Segment, between_segments};

/// Components of a direction below this count as zero, so that the middle of a face is taken rather than a corner.
const PARALLEL: f64 = 1e-9;

/// Points of `a` and of `b` that are nearest to each other, in the world [m]. Where the shapes overlap, both are the place where
/// they do so deepest, or any common place if that is not known for such a pair. Where many points are equally near, as between parallel
/// faces, one pair of them. `None` for pairs that have no distance (see [`has_distance`]), and for poses that are not finite.
///
/// Distances are exact but for rounding, about 1e-15 of the size of the shapes. So are the points, but on a round surface: there, a
/// small distance tells less well where it is.
#[inline]
pub fn closest(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<[Vec3; 2]> {
    // Pairs that take less time than a call and the copies of its answer do are decided here, inlined at the caller.
    if let Some((cores, borders)) = near(a, pose_wa, b, pose_wb)
        && let Gap::Apart(points) = between(cores, borders)
    {
        return finite(points);
    }
    other_closest(a, pose_wa, b, pose_wb)
}

#[inline(never)]
fn other_closest(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<[Vec3; 2]> {
    let points = match gap(a, pose_wa, b, pose_wb, f64::MAX)? {
        Gap::Apart(points) => points,
        Gap::Meet(common) => [deepest(a, pose_wa, b, pose_wb).unwrap_or(common); 2],
        Gap::Beyond => return None,
    };
    finite(points)
}

#[inline]
fn finite(points: [Vec3; 2]) -> Option<[Vec3; 2]> {
    // Zero times anything else is not a number; fewer instructions than six tests.
    let zero = points[0] * 0.0 + points[1] * 0.0;
    (zero.x + zero.y + zero.z == 0.0).then_some(points)
}

/// Whether two shapes touch or overlap, which is found faster than how far apart they are. Never for pairs that have no distance (see
/// [`has_distance`]). A closed mesh is a solid: what is inside of it meets it.
#[inline]
pub fn meet(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> bool {
    if let Some(([p, q], borders)) = near(a, pose_wa, b, pose_wb) {
        return p.distance(q) <= borders[0] + borders[1];
    }
    other_meet(a, pose_wa, b, pose_wb)
}

#[inline(never)]
fn other_meet(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> bool {
    matches!(gap(a, pose_wa, b, pose_wb, 0.0), Some(Gap::Meet(_)))
}

/// Whether [`closest`] knows the distance of two such shapes: of all that have an end, of a half-space to those, and of spheres to
/// everything.
pub fn has_distance(a: &Shape, b: &Shape) -> bool {
    if Tube::of(a).is_some() || Tube::of(b).is_some() {
        return supported(a, b);
    }
    let (first, second) = if rank(a) > rank(b) { (b, a) } else { (a, b) };
    matches!(first, Shape::Sphere { .. })
        || !first.is_endless() && (!second.is_endless() || matches!(second, Shape::HalfSpace))
}

/// How two shapes lie to each other, in the world; does not look for points if they are farther apart than `limit` [m]. `None` if they
/// have no distance.
#[inline]
fn gap(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose, limit: f64) -> Option<Gap> {
    if let Some(tube) = Tube::of(a) {
        return around(&tube, a, pose_wa, b, pose_wb);
    }
    if let Some(tube) = Tube::of(b) {
        return around(&tube, b, pose_wb, a, pose_wa).map(Gap::swapped);
    }
    // Each pair is written once.
    if rank(a) > rank(b) {
        ordered(b, pose_wb, a, pose_wa, limit).map(Gap::swapped)
    } else {
        ordered(a, pose_wa, b, pose_wb, limit)
    }
}

/// A tube with anything.
fn around(tube: &Tube, a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<Gap> {
    if !supported(a, b) {
        return None;
    }
    if let Some(common) = deepest(a, pose_wa, b, pose_wb) {
        return Some(Gap::Meet(common));
    }
    tube::closest(tube, pose_wa, b, pose_wb).map(Gap::Apart)
}

fn ordered(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose, limit: f64) -> Option<Gap> {
    if let Some((cores, borders)) = near(a, pose_wa, b, pose_wb) {
        return Some(between(cores, borders));
    }
    if let Shape::Sphere { radius } = a {
        return ball(pose_wa.translation, *radius, b, pose_wb, limit);
    }
    Some(match (a, b) {
        (_, Shape::HalfSpace) if !a.is_endless() => {
            let down = pose_wb.rotation * Vec3::NEG_Z;
            over_plane(farthest(a, pose_wa, down), 0.0, pose_wb)
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => meshes::gap(a, pose_wa, b, pose_wb, limit)?,
        (_, Shape::Mesh(mesh)) => mesh::to_solid(a, pose_wa, mesh, pose_wb, limit)?,
        _ => between_solids(a, pose_wa, b, pose_wb, limit)?,
    })
}

/// A sphere with anything that is not in [`near`].
fn ball(center: Vec3, radius: f64, b: &Shape, pose_wb: &Pose, limit: f64) -> Option<Gap> {
    let core = match *b {
        Shape::HalfSpace => return Some(over_plane(center, radius, pose_wb)),
        Shape::Mesh(ref mesh) => return mesh::to_ball(center, radius, mesh, pose_wb, limit),
        Shape::Cone { radius, half_height } => Core::Cone { radius, half_height },
        Shape::Ellipsoid { radii } => Core::Ellipsoid(radii),
        Shape::Polyhedron(ref polyhedron) => Core::Polyhedron(polyhedron),
        Shape::Bore { .. } | Shape::Funnel { .. } | Shape::Edge { .. } => {
            let nearest = sphere::nearest(b, pose_wb.inverse_transform_point(center))?;
            let inside = nearest.distance <= 0.0;
            let surface = if inside { center } else { pose_wb.transform_point(nearest.surface) };
            return Some(between([center, surface], [radius, 0.0]));
        }
        // Tubes, and what `near` knows.
        _ => return None,
    };
    let solid = Moved { core: &core, turn: Mat3::from_quat(pose_wb.rotation), at: pose_wb.translation };
    Some(between([center, solid.nearest_to(center)], [radius, 0.0]))
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere { .. } => 0,
        Shape::Mesh(_) => 2,
        _ if shape.is_endless() => 3,
        _ => 1,
    }
}

/// Two convex solids.
fn between_solids(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose, limit: f64) -> Option<Gap> {
    let ((core_a, border_a), (core_b, border_b)) = (Core::of(a)?, Core::of(b)?);
    // In the frame of the first.
    let pose = pose_wa.inverse() * *pose_wb;
    let moved = Moved::new(&core_b, &pose);
    let (start, limit) = (-pose.translation, limit + border_a + border_b);
    let found = if core_a.is_curved() || core_b.is_curved() {
        let size = core_a.half().max_element() + core_b.half().max_element();
        round::gap(&core_a, &moved, start, limit, size, |n, error| newton::nearest(&core_a, &moved, n, error))
    } else {
        gjk(&core_a, &moved, start, limit, EXACT)
    };
    let found = match found {
        Gap::Apart(points) => between(points, [border_a, border_b]),
        other => other,
    };
    Some(found.moved(pose_wa))
}

/// Points on cores shifted by the borders around them, toward each other.
#[inline]
fn between([p, q]: [Vec3; 2], borders: [f64; 2]) -> Gap {
    let apart = q - p;
    let distance = apart.length();
    if distance <= borders[0] + borders[1] {
        // Midway between the two surfaces, if there is a direction.
        let toward = if distance > 0.0 { apart / distance } else { Vec3::ZERO };
        return Gap::Meet(p + toward * (0.5 * (distance + borders[0] - borders[1])));
    }
    // One division for all.
    let toward = apart * (1.0 / distance);
    Gap::Apart([p + toward * borders[0], q - toward * borders[1]])
}

/// Nearest points of the cores of two solids and the widths of the borders around them [m], for pairs that short formulas answer.
// Copying the answer of a call takes as long as finding it.
#[allow(clippy::inline_always)]
#[inline(always)]
fn near(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<([Vec3; 2], [f64; 2])> {
    let (p, q) = (pose_wa.translation, pose_wb.translation);
    Some(match (a, b) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => ([p, q], [*ra, *rb]),
        (Shape::Sphere { radius: ra }, Shape::Capsule { radius: rb, half_height }) => {
            let axis = axis(pose_wb);
            let along = axis.dot(p - q).max(-half_height).min(*half_height);
            ([p, q + axis * along], [*ra, *rb])
        }
        (Shape::Sphere { radius }, Shape::Cylinder { radius: round, half_height }) => {
            // Only the axis counts.
            let axis = axis(pose_wb);
            let along = axis.dot(p - q);
            let across = p - q - axis * along;
            // Without a branch that nobody can foresee; on the axis this is infinite and 1 is taken.
            let scale = (round / across.length()).min(1.0);
            let core = across * scale + axis * along.max(-half_height).min(*half_height);
            ([p, q + core], [*radius, 0.0])
        }
        (Shape::Sphere { radius }, Shape::Box { half }) => {
            let turn = Mat3::from_quat(pose_wb.rotation);
            // A side at a time, without branches that nobody can foresee.
            let within = |axis: Vec3, half: f64| axis * axis.dot(p - q).max(-half).min(half);
            let core =
                within(turn.x_axis, half.x) + within(turn.y_axis, half.y) + within(turn.z_axis, half.z);
            ([p, q + core], [*radius, 0.0])
        }
        (
            Shape::Capsule { radius: ra, half_height: half_a },
            Shape::Capsule { radius: rb, half_height: half_b },
        ) => {
            let a = Segment { middle: p, axis: axis(pose_wa), half: *half_a };
            let b = Segment { middle: q, axis: axis(pose_wb), half: *half_b };
            (between_segments(&a, &b), [*ra, *rb])
        }
        _ => return None,
    })
}

/// The z axis of a frame: a third of the work of turning a vector.
#[inline]
fn axis(pose: &Pose) -> Vec3 {
    let q = pose.rotation;
    let (x, y) = (q.x + q.x, q.y + q.y);
    Vec3::new(x * q.z + y * q.w, y * q.z - x * q.w, 1.0 - (x * q.x + y * q.y))
}

/// A ball of `radius` [m], or the lowest point of something, over a half-space.
fn over_plane(p: Vec3, radius: f64, pose_wh: &Pose) -> Gap {
    let normal = pose_wh.rotation * Vec3::Z;
    let height = normal.dot(p - pose_wh.translation);
    let lowest = p - normal * radius;
    if height <= radius { Gap::Meet(lowest) } else { Gap::Apart([lowest, p - normal * height]) }
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
        // The others do not meet half-spaces, or are dealt with elsewhere.
        _ => Vec3::ZERO,
    };
    pose_ws.translation + pose_ws.rotation * point
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
