//! Overlaps whose answer can be worked out by hand, one or more for each pair of shapes.

use fender_contact::PointOverlap;
use fender_geom::narrow::{overlaps, supported};
use fender_geom::{Overlaps, Polyhedron, Shape};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};
use std::sync::Arc;

const BALL: Shape = Shape::Sphere { radius: 0.5 };
const BOX: Shape = Shape::Box { half: Vec3::new(1.0, 2.0, 0.5) };
const CYLINDER: Shape = Shape::Cylinder { radius: 0.5, half_height: 1.0 };
const CAPSULE: Shape = Shape::Capsule { radius: 0.25, half_height: 1.0 };

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { translation: Vec3::new(x, y, z), rotation: Quat::IDENTITY }
}

fn turned(x: f64, y: f64, z: f64, axis: Vec3, angle: f64) -> Pose {
    Pose { translation: Vec3::new(x, y, z), rotation: rotation::from_axis_angle(axis, angle) }
}

/// The one point of an overlap.
fn single(found: &Overlaps) -> PointOverlap {
    assert_eq!(found.points().len(), 1, "{found:?}");
    found.points()[0]
}

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).length() < 1e-9
}

fn check(p: &PointOverlap, point: Vec3, normal: Vec3, depth: f64, curvature: f64) {
    assert!(near(p.point, point), "point {p:?}");
    assert!(near(p.normal, normal), "normal {p:?}");
    assert!((p.depth - depth).abs() < 1e-9, "depth {p:?}");
    assert!((p.curvature - curvature).abs() < 1e-9, "curvature {p:?}");
}

/// Points of an even contact: all of one depth and normal, with these shares, and at these places in any order.
fn check_even(found: &Overlaps, normal: Vec3, depth: f64, share: f64, places: &[Vec3]) {
    assert_eq!(found.points().len(), places.len(), "{found:?}");
    for place in places {
        let p = found.points().iter().find(|p| near(p.point, *place));
        let p = p.unwrap_or_else(|| panic!("no point at {place}: {found:?}"));
        assert!(near(p.normal, normal) && (p.depth - depth).abs() < 1e-9, "{p:?}");
        assert!((p.share - share).abs() < 1e-6, "{p:?}");
    }
}

#[test]
fn every_pair_is_supported_or_refused() {
    let all = [
        BALL,
        Shape::HalfSpace,
        BOX,
        CYLINDER,
        CAPSULE,
        Shape::Ellipsoid { radii: Vec3::new(0.5, 0.6, 0.7) },
        Shape::Cone { radius: 0.5, half_height: 1.0 },
        Shape::Bore { radius: 0.6, half_height: 1.0 },
        Shape::Funnel { radius: 0.5, half_height: 1.0 },
        Shape::Edge { half_angle: FRAC_PI_4 },
    ];
    let polyhedron = Polyhedron::hull(&[Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE]).unwrap();
    let mut all = all.to_vec();
    all.insert(7, Shape::Polyhedron(Arc::new(polyhedron)));
    for (i, a) in all.iter().enumerate() {
        for (k, b) in all.iter().enumerate() {
            let (first, second) = (i.min(k), i.max(k));
            // The table on the narrow phase's page: a sphere meets all, a half-space all solids, and solids each other.
            let expected = first == 0 || first == 1 && (2..8).contains(&second) || first > 1 && second < 8;
            assert_eq!(supported(a, b), expected, "{a:?} {b:?}");
            assert_eq!(supported(b, a), expected);
            let found = overlaps(a, &at(0.0, 0.0, 0.1), b, &at(0.0, 0.15, 0.0));
            assert_eq!(found.points().is_empty(), !expected, "{a:?} {b:?}");
            // A body that has gone astray touches nothing and stops nobody.
            assert!(overlaps(a, &at(f64::NAN, 0.0, f64::NAN), b, &at(0.0, 0.0, 0.0)).points().is_empty());
        }
    }
}

#[test]
fn sphere_sphere() {
    let small = Shape::Sphere { radius: 0.25 };
    let p = single(&overlaps(&BALL, &at(0.0, 0.0, 0.7), &small, &at(0.0, 0.0, 0.0)));
    check(&p, Vec3::Z * 0.225, Vec3::Z, 0.05, 6.0);
    assert_eq!(p.share, 1.0);
    assert!(overlaps(&BALL, &at(0.0, 0.0, 0.76), &small, &at(0.0, 0.0, 0.0)).points().is_empty());
    let p = single(&overlaps(&BALL, &at(1.0, 0.0, 0.0), &small, &at(1.0, 0.0, 0.0)));
    check(&p, Vec3::new(1.0, 0.0, -0.125), Vec3::Z, 0.75, 6.0);
}

#[test]
fn sphere_half_space() {
    let slope = turned(0.0, 0.0, 1.0, Vec3::Y, FRAC_PI_4);
    let n = Vec3::new(1.0, 0.0, 1.0) / SQRT_2;
    let center = Vec3::Z + n * 0.4 + Vec3::Y * 3.0;
    let pose = Pose { translation: center, rotation: Quat::IDENTITY };
    let p = single(&overlaps(&BALL, &pose, &Shape::HalfSpace, &slope));
    check(&p, center - n * 0.5, n, 0.1, 2.0);
    let p = single(&overlaps(&Shape::HalfSpace, &slope, &BALL, &pose));
    check(&p, center - n * 0.5, -n, 0.1, 2.0);
}

#[test]
fn sphere_box() {
    let b = at(0.0, 0.0, 0.0);
    // On a face, at an edge, at a corner, with the centre inside.
    let p = single(&overlaps(&BALL, &at(0.3, 1.0, 0.9), &BOX, &b));
    check(&p, Vec3::new(0.3, 1.0, 0.45), Vec3::Z, 0.1, 2.0);
    let p = single(&overlaps(&BALL, &at(1.3, 0.0, 0.8), &BOX, &b));
    let n = Vec3::new(1.0, 0.0, 1.0) / SQRT_2;
    let depth = 0.5 - 0.3 * SQRT_2;
    check(&p, Vec3::new(1.0, 0.0, 0.5) - n * (0.5 * depth), n, depth, 2.0);
    let p = single(&overlaps(&BALL, &at(1.2, 2.2, -0.7), &BOX, &b));
    assert!(near(p.normal, Vec3::new(1.0, 1.0, -1.0).normalize()));
    let p = single(&overlaps(&BALL, &at(-0.9, 0.0, 0.1), &BOX, &b));
    check(&p, Vec3::new(-0.7, 0.0, 0.1), -Vec3::X, 0.6, 2.0);
    assert!(overlaps(&BALL, &at(1.36, 0.0, 0.86), &BOX, &b).points().is_empty());
}

#[test]
fn sphere_cylinder() {
    let c = turned(0.0, 0.0, 0.0, Vec3::Y, FRAC_PI_2);
    // The axis is along x: side, cap, rim, inside near the side, on the axis near a cap.
    let p = single(&overlaps(&BALL, &at(0.2, 0.0, 0.9), &CYLINDER, &c));
    check(&p, Vec3::new(0.2, 0.0, 0.45), Vec3::Z, 0.1, 3.0);
    let p = single(&overlaps(&BALL, &at(1.4, 0.2, 0.0), &CYLINDER, &c));
    check(&p, Vec3::new(0.95, 0.2, 0.0), Vec3::X, 0.1, 2.0);
    let p = single(&overlaps(&BALL, &at(1.3, 0.0, 0.8), &CYLINDER, &c));
    let depth = 0.5 - 0.3 * SQRT_2;
    let n = Vec3::new(1.0, 0.0, 1.0) / SQRT_2;
    check(&p, Vec3::new(1.0, 0.0, 0.5) - n * (0.5 * depth), n, depth, 2.5);
    let p = single(&overlaps(&BALL, &at(0.0, 0.4, 0.0), &CYLINDER, &c));
    check(&p, Vec3::new(0.0, 0.2, 0.0), Vec3::Y, 0.6, 3.0);
    let p = single(&overlaps(&BALL, &at(-0.9, 0.0, 0.0), &CYLINDER, &c));
    check(&p, Vec3::new(-0.7, 0.0, 0.0), -Vec3::X, 0.6, 2.0);
}

#[test]
fn sphere_capsule() {
    let c = at(0.0, 0.0, 0.0);
    let p = single(&overlaps(&BALL, &at(0.7, 0.0, 0.5), &CAPSULE, &c));
    check(&p, Vec3::new(0.225, 0.0, 0.5), Vec3::X, 0.05, 4.0);
    let p = single(&overlaps(&BALL, &at(0.0, 0.0, 1.65), &CAPSULE, &c));
    check(&p, Vec3::Z * 1.2, Vec3::Z, 0.1, 6.0);
    let p = single(&overlaps(&BALL, &at(0.0, 0.0, 0.3), &CAPSULE, &c));
    assert!(p.normal.z.abs() < 1e-12 && (p.depth - 0.75).abs() < 1e-12, "out across the axis: {p:?}");
}

#[test]
fn capsule_half_space() {
    let ground = at(0.0, 0.0, 0.0);
    let lying = overlaps(&CAPSULE, &turned(0.0, 0.0, 0.2, Vec3::Y, FRAC_PI_2), &Shape::HalfSpace, &ground);
    check_even(&lying, Vec3::Z, 0.05, 0.5, &[Vec3::new(1.0, 0.0, -0.05), Vec3::new(-1.0, 0.0, -0.05)]);
    let upright = overlaps(&CAPSULE, &at(0.0, 0.0, 1.2), &Shape::HalfSpace, &ground);
    check(&single(&upright), Vec3::Z * -0.05, Vec3::Z, 0.05, 4.0);
}

#[test]
fn box_half_space() {
    let ground = at(0.0, 0.0, 0.0);
    let flat = overlaps(&BOX, &at(0.0, 0.0, 0.4), &Shape::HalfSpace, &ground);
    let corners = [(1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0)].map(|(x, y)| Vec3::new(x, y, -0.1));
    check_even(&flat, Vec3::Z, 0.1, 0.25, &corners);
    // On its long edge: two corners.
    let high = 0.75 * SQRT_2 - 0.1;
    let tilted = overlaps(&BOX, &turned(0.0, 0.0, high, Vec3::Y, FRAC_PI_4), &Shape::HalfSpace, &ground);
    assert_eq!(tilted.points().len(), 2);
    assert!(tilted.points().iter().all(|p| (p.depth - 0.1).abs() < 1e-12 && p.share == 0.25));
    assert!(overlaps(&BOX, &at(0.0, 0.0, 0.51), &Shape::HalfSpace, &ground).points().is_empty());
}

#[test]
fn cylinder_half_space() {
    let ground = at(0.0, 0.0, 0.0);
    let flat = overlaps(&CYLINDER, &at(0.0, 0.0, 0.9), &Shape::HalfSpace, &ground);
    let rim = [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y].map(|d| d * 0.5 - Vec3::Z * 0.1);
    check_even(&flat, Vec3::Z, 0.1, 0.25, &rim);
    let lying = overlaps(&CYLINDER, &turned(0.0, 0.0, 0.4, Vec3::Y, FRAC_PI_2), &Shape::HalfSpace, &ground);
    check_even(&lying, Vec3::Z, 0.1, 0.5, &[Vec3::new(1.0, 0.0, -0.1), Vec3::new(-1.0, 0.0, -0.1)]);
    assert!(lying.points().iter().all(|p| (p.curvature - 2.0).abs() < 1e-12));
    // On its rim, tilted by 45°: one point, right below the axis' lower end and beyond.
    let high = 1.5 / SQRT_2 - 0.1;
    let rim =
        single(&overlaps(&CYLINDER, &turned(0.0, 0.0, high, Vec3::Y, FRAC_PI_4), &Shape::HalfSpace, &ground));
    // Its force acts beyond, by ½·w′/w·d with w = ¼·(1 + h), h = x²·(3 − 2x) and x = (sin 45° − 0.2)/0.8.
    let x = (1.0 / SQRT_2 - 0.2) / 0.8;
    let (h, slope) = (x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / 0.8 / SQRT_2);
    assert!((rim.share - 0.25 * (1.0 + h)).abs() < 1e-12);
    let aside = 0.5 * slope / (1.0 + h) * 0.1;
    check(&rim, Vec3::new(-0.5 / SQRT_2 + aside, 0.0, -0.1), Vec3::Z, 0.1, 1.0);
}

/// Forces are gradients of the energy, however the shares of a solid change that leans.
#[test]
fn solids_on_a_half_space_have_a_potential() {
    let energy = |shape: &Shape, pose: &Pose| {
        let found = overlaps(shape, pose, &Shape::HalfSpace, &Pose::IDENTITY);
        found.points().iter().map(|p| 0.5 * p.share * p.depth * p.depth).sum::<f64>()
    };
    for shape in [CYLINDER, CAPSULE, Shape::Cone { radius: 0.4, half_height: 0.6 }, BOX] {
        for i in 0..400 {
            let angle = f64::from(i) * 0.0173;
            let axis = Vec3::new(1.0, (7.0 * angle).sin(), (3.0 * angle).cos()).normalize();
            let turn = rotation::from_axis_angle(axis, angle);
            let high = Pose { translation: Vec3::Z * 3.0, rotation: turn };
            let low = (0..4).map(|k| f64::from(k) * 0.02 + 0.003);
            for sink in low {
                // As deep as said below where it would just touch.
                let gap = fender_geom::distance::closest(&shape, &high, &Shape::HalfSpace, &Pose::IDENTITY)
                    .map(|[p, q]| p.distance(q))
                    .unwrap();
                let pose = Pose { translation: Vec3::Z * (3.0 - gap - sink), rotation: turn };
                let found = overlaps(&shape, &pose, &Shape::HalfSpace, &Pose::IDENTITY);
                let force = |p: &PointOverlap| p.normal * (p.share * p.depth);
                let sum: Vec3 = found.points().iter().map(force).sum();
                let moment: Vec3 =
                    found.points().iter().map(|p| (p.point - pose.translation).cross(force(p))).sum();
                let small = 1e-6;
                let moved = |by: f64| Pose { translation: pose.translation + Vec3::Z * by, ..pose };
                let up = (energy(&shape, &moved(-small)) - energy(&shape, &moved(small))) / (2.0 * small);
                assert!((up - sum.z).abs() < 1e-7, "{shape:?} {angle} {sink}: {up} {sum}");
                for about in [Vec3::X, Vec3::Y] {
                    let turned =
                        |by: f64| Pose { rotation: rotation::from_axis_angle(about, by) * turn, ..pose };
                    let slope =
                        (energy(&shape, &turned(-small)) - energy(&shape, &turned(small))) / (2.0 * small);
                    assert!(
                        (slope - moment.dot(about)).abs() < 1e-6,
                        "{shape:?} {angle} {sink}: {slope} {moment}"
                    );
                }
            }
        }
    }
}

/// Faces, sides, edges, rims and corners: the least translation that parts two solids.
#[test]
fn solids_part_by_the_least_translation() {
    let origin = at(0.0, 0.0, 0.0);
    let lying = |x: f64, y: f64, z: f64| turned(x, y, z, Vec3::X, FRAC_PI_2);
    let cube = Shape::Box { half: Vec3::splat(0.5) };
    let slant = Vec3::new(1.0, 0.0, 1.0) / SQRT_2;
    let edge = Vec3::new(1.0, 0.0, 0.5);
    let across = |place: Vec3, up: f64| Pose {
        translation: place + slant * up,
        rotation: rotation::between(Vec3::Z, Vec3::new(1.0, 0.0, -1.0)),
    };
    let on_corner = |down: Vec3| rotation::between(-Vec3::ONE, down);
    let half_diagonal = 0.5 * 3.0_f64.sqrt();
    let cases = [
        ("box on box", &BOX, at(1.5, 0.0, 0.9), &BOX, origin, Vec3::Z, 0.1),
        (
            "edge on edge",
            &cube,
            turned(0.0, 0.0, SQRT_2 - 0.1, Vec3::Y, FRAC_PI_4),
            &cube,
            turned(0.0, 0.0, 0.0, Vec3::X, FRAC_PI_4),
            Vec3::Z,
            0.1,
        ),
        (
            "corner in a face",
            &cube,
            Pose { translation: Vec3::new(0.1, 0.2, 0.45 + half_diagonal), rotation: on_corner(-Vec3::Z) },
            &BOX,
            origin,
            Vec3::Z,
            0.05,
        ),
        ("standing capsule", &CAPSULE, at(0.3, 0.4, 1.65), &BOX, origin, Vec3::Z, 0.1),
        ("lying capsule", &CAPSULE, lying(0.0, 1.5, 0.65), &BOX, origin, Vec3::Z, 0.1),
        ("capsule over an edge", &CAPSULE, across(edge, 0.2), &BOX, origin, slant, 0.05),
        (
            "crossed capsules",
            &CAPSULE,
            turned(0.3, 0.2, 0.4, Vec3::Y, FRAC_PI_2),
            &CAPSULE,
            lying(0.0, 0.0, 0.0),
            Vec3::Z,
            0.1,
        ),
        ("capsule on a cap", &CAPSULE, at(0.1, 0.2, 2.15), &CYLINDER, origin, Vec3::Z, 0.1),
        (
            "capsule over a rim",
            &CAPSULE,
            across(Vec3::new(0.5, 0.0, 1.0), 0.2),
            &CYLINDER,
            origin,
            slant,
            0.05,
        ),
        ("stacked cans", &CYLINDER, at(0.0, 0.0, 1.9), &CYLINDER, origin, Vec3::Z, 0.1),
        ("cans side by side", &CYLINDER, at(0.9, 0.0, 0.5), &CYLINDER, origin, Vec3::X, 0.1),
        ("crossed cans", &CYLINDER, lying(0.9, 0.1, 0.2), &CYLINDER, origin, Vec3::X, 0.1),
        ("standing can", &CYLINDER, at(0.2, 0.3, 1.4), &BOX, origin, Vec3::Z, 0.1),
        (
            "can on a corner",
            &CYLINDER,
            turned(0.2, 0.0, half_diagonal + 0.45, Vec3::Y, FRAC_PI_2),
            &cube,
            Pose { translation: Vec3::ZERO, rotation: on_corner(-Vec3::Z) },
            Vec3::Z,
            0.05,
        ),
    ];
    for (name, a, pose_a, b, pose_b, normal, depth) in cases {
        let p = single(&overlaps(a, &pose_a, b, &pose_b));
        assert!(near(p.normal, normal) && (p.depth - depth).abs() < 1e-9 && p.share == 1.0, "{name}: {p:?}");
    }
}
