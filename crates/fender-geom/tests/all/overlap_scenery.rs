//! Spheres against cones, bores, funnels and edges (Gonthier 2007, appendix A.2, with his normals corrected), and ellipsoids: cases worked out by hand,
//! and random ones against the bare question whether a point is inside.

use crate::inside::holds;
use crate::random_cases::random_cases;
use fender_contact::PointOverlap;
use fender_geom::{Shape, distance, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { translation: Vec3::new(x, y, z), rotation: Quat::IDENTITY }
}

fn touch(radius: f64, center: Vec3, shape: &Shape) -> PointOverlap {
    let pose = Pose { translation: center, rotation: Quat::IDENTITY };
    let found = overlaps(&Shape::Sphere { radius }, &pose, shape, &Pose::IDENTITY);
    assert_eq!(found.points().len(), 1, "{found:?}");
    found.points()[0]
}

/// Normal, depth, A + B and B − A along a direction; the point is on the sphere.
#[track_caller]
fn check(
    radius: f64,
    center: Vec3,
    shape: &Shape,
    normal: Vec3,
    depth: f64,
    curvature: f64,
    elongation: Vec3,
) {
    let p = touch(radius, center, shape);
    assert!((p.normal - normal).length() < 1e-12, "normal {p:?}");
    assert!((p.depth - depth).abs() < 1e-12, "depth {p:?}");
    assert!((p.curvature - curvature).abs() < 1e-9, "curvature {p:?}");
    let same = (p.elongation - elongation).length().min((p.elongation + elongation).length());
    assert!(same < 1e-9, "elongation {p:?}");
    assert!((p.point - (center - normal * radius)).length() < 1e-12, "point {p:?}");
}

#[test]
fn sphere_in_a_bore() {
    let bore = Shape::Bore { radius: 0.5, half_height: 1.0 };
    // The wall at +x pushes to −x; A = ½·(1/0.2 − 1/0.5), B = ½·(1/0.2), longer around the axis.
    check(0.2, Vec3::new(0.31, 0.0, 0.4), &bore, -Vec3::X, 0.01, 5.0 - 1.0, Vec3::Y);
    // Centre in the material, behind the wall.
    check(0.2, Vec3::new(0.0, 0.6, 0.4), &bore, -Vec3::Y, 0.3, 4.0, Vec3::X);
    // On the plate beside the hole, under it, and on the mouth's rim at 45°: there the circle curves by −sin 45°/0.5.
    check(0.2, Vec3::new(0.7, 0.0, 1.1), &bore, Vec3::Z, 0.1, 5.0, Vec3::ZERO);
    check(0.2, Vec3::new(0.0, 0.7, -1.1), &bore, -Vec3::Z, 0.1, 5.0, Vec3::ZERO);
    let n = Vec3::new(-1.0, 0.0, 1.0) / SQRT_2;
    let rim = Vec3::new(0.5, 0.0, 1.0);
    check(0.2, rim + n * 0.15, &bore, n, 0.05, 5.0 - 1.0 / SQRT_2, Vec3::Y / SQRT_2);
    // On the axis it touches nothing; without end there is no mouth.
    let ball = Shape::Sphere { radius: 0.2 };
    assert!(overlaps(&ball, &at(0.0, 0.0, 0.3), &bore, &Pose::IDENTITY).points().is_empty());
    let endless = Shape::Bore { radius: 0.5, half_height: f64::INFINITY };
    check(0.2, Vec3::new(0.31, 0.0, 1e6), &endless, -Vec3::X, 0.01, 4.0, Vec3::Y);
    // One that does not fit is refused by the engine; here it is finite, on the axis too.
    let p = touch(0.6, Vec3::ZERO, &endless);
    assert!(
        (p.depth - 0.1).abs() < 1e-12 && p.normal.is_finite() && p.curvature > 0.0 && p.curvature.is_finite()
    );
    assert!(p.elongation.length() < p.curvature);
}

#[test]
fn sphere_on_a_cone() {
    // Half angle with tan = 3/4: sin 0.6, cos 0.8, slant 1.25. Tip at z = 0.5.
    let cone = Shape::Cone { radius: 0.75, half_height: 0.5 };
    let n = Vec3::new(0.8, 0.0, 0.6);
    // Halfway down the side, 0.375 from the axis: it curves by 0.8/0.375 around.
    let side = Vec3::new(0.375, 0.0, 0.0);
    let around = 0.8 / 0.375;
    let down = Vec3::new(0.6, 0.0, -0.8);
    check(0.2, side + n * 0.19, &cone, n, 0.01, 5.0 + 0.5 * around, down * (0.5 * around));
    // Over the tip, beside it, and under the base.
    check(0.2, Vec3::Z * 0.69, &cone, Vec3::Z, 0.01, 5.0, Vec3::ZERO);
    let beside = Vec3::new(0.28, 0.0, 0.96);
    check(0.2, Vec3::Z * 0.5 + beside * 0.19, &cone, beside, 0.01, 5.0, Vec3::ZERO);
    check(0.2, Vec3::new(0.1, 0.2, -0.69), &cone, -Vec3::Z, 0.01, 5.0, Vec3::ZERO);
    // On the rim straight outwards: the circle's own curvature.
    check(0.2, Vec3::new(0.94, 0.0, -0.5), &cone, Vec3::X, 0.01, 5.0 + 0.5 / 0.75, Vec3::Z * (0.5 / 0.75));
    // Inside on the axis every side is as near: one of them, or the base.
    let p = touch(0.2, Vec3::Z * 0.2, &cone);
    assert!((p.depth - (0.2 + 0.3 * 0.6)).abs() < 1e-12 && (p.normal.z - 0.6).abs() < 1e-12, "{p:?}");
    let p = touch(0.2, Vec3::Z * -0.45, &cone);
    assert!((p.depth - 0.25).abs() < 1e-12 && p.normal == -Vec3::Z, "{p:?}");
    // Near the tip the curvature grows, and stays finite at it.
    let p = touch(0.2, Vec3::Z * 0.5 + n * 0.19, &cone);
    assert!(p.curvature.is_finite() && p.curvature > 1e4, "{p:?}");
}

#[test]
fn sphere_in_a_funnel() {
    // The same angles upside down: tip at z = −0.5, mouth at z = 0.5.
    let funnel = Shape::Funnel { radius: 0.75, half_height: 0.5 };
    let n = Vec3::new(-0.8, 0.0, 0.6);
    let wall = Vec3::new(0.375, 0.0, 0.0);
    let around = -0.8 / 0.375;
    check(0.2, wall + n * 0.19, &funnel, n, 0.01, 5.0 + 0.5 * around, Vec3::Y * (0.5 * around));
    // On the plane beside the mouth, on its rim, and in the material under the tip.
    check(0.2, Vec3::new(1.0, 0.0, 0.69), &funnel, Vec3::Z, 0.01, 5.0, Vec3::ZERO);
    let over = Vec3::new(0.75, 0.0, 0.5) + Vec3::new(-0.28, 0.0, 0.96) * 0.19;
    let n = Vec3::new(-0.28, 0.0, 0.96);
    check(0.2, over, &funnel, n, 0.01, 5.0 - 0.5 * 0.28 / 0.75, Vec3::Y * (0.5 * 0.28 / 0.75));
    let p = touch(0.2, Vec3::Z * -0.6, &funnel);
    assert!((p.depth - 0.3).abs() < 1e-12 && (p.normal - Vec3::Z).length() < 1e-12, "{p:?}");
    // On the axis: as deep as on all sides, and one of the normals. Tighter than the ball, the hollow counts as just fitting.
    let p = touch(0.2, Vec3::Z * -0.2, &funnel);
    assert!((p.depth - (0.2 - 0.3 * 0.6)).abs() < 1e-12 && (p.normal.z - 0.6).abs() < 1e-12, "{p:?}");
    assert!(p.curvature > 2.5 && p.elongation.length() < p.curvature, "{p:?}");
}

#[test]
fn sphere_on_an_edge() {
    let edge = Shape::Edge { half_angle: FRAC_PI_4 };
    let face = Vec3::new(1.0, 0.0, 1.0) / SQRT_2;
    let down = Vec3::new(1.0, 0.0, -1.0) / SQRT_2;
    // On one face, on the other, over the edge, and anywhere along it.
    check(0.2, down * 0.5 + face * 0.15 + Vec3::Y * 7.0, &edge, face, 0.05, 5.0, Vec3::ZERO);
    let other = Vec3::new(-face.x, 0.0, face.z);
    check(0.2, other * 0.15 - Vec3::new(down.x, 0.0, -down.z), &edge, other, 0.05, 5.0, Vec3::ZERO);
    let n = Vec3::new(-0.28, 0.0, 0.96);
    check(0.2, n * 0.15 + Vec3::Y * 3.0, &edge, n, 0.05, 5.0, Vec3::ZERO);
    // Centre inside: out through the nearer face; on the edge itself through one of them.
    check(0.2, down * 0.5 - face * 0.1, &edge, face, 0.3, 5.0, Vec3::ZERO);
    let p = touch(0.2, Vec3::ZERO, &edge);
    assert!((p.depth - 0.2).abs() < 1e-15 && (p.normal.length() - 1.0).abs() < 1e-12);
    // Flat, it is a half-space.
    let flat = Shape::Edge { half_angle: FRAC_PI_2 };
    check(0.2, Vec3::new(0.3, -0.4, 0.15), &flat, Vec3::Z, 0.05, 5.0, Vec3::ZERO);
}

#[test]
fn ellipsoids() {
    let egg = Shape::Ellipsoid { radii: Vec3::new(0.3, 0.2, 0.1) };
    // Flat on the ground the curvatures are c/a² and c/b²; on its tip a/b² and a/c².
    let found = overlaps(&egg, &at(1.0, 2.0, 0.09), &Shape::HalfSpace, &Pose::IDENTITY);
    let p = found.points()[0];
    assert!((p.depth - 0.01).abs() < 1e-15 && (p.point - Vec3::new(1.0, 2.0, -0.01)).length() < 1e-15);
    let (a, b) = (0.1 / 0.09, 0.1 / 0.04);
    assert!((p.curvature - 0.5 * (a + b)).abs() < 1e-12, "{p:?}");
    assert!((p.elongation.abs() - Vec3::X * (0.5 * (b - a))).length() < 1e-12, "{p:?}");
    let upright =
        Pose { translation: Vec3::Z * 0.29, rotation: rotation::from_axis_angle(Vec3::Y, FRAC_PI_2) };
    let p = overlaps(&egg, &upright, &Shape::HalfSpace, &Pose::IDENTITY).points()[0];
    let (b, c) = (0.3 / 0.04, 0.3 / 0.01);
    assert!((p.curvature - 0.5 * (b + c)).abs() < 1e-10 && (p.depth - 0.01).abs() < 1e-12, "{p:?}");
    assert!((p.elongation.abs() - Vec3::Y * (0.5 * (c - b))).length() < 1e-10, "{p:?}");
    // A ball on its flat side, midway between the surfaces.
    let p = overlaps(&Shape::Sphere { radius: 0.5 }, &at(0.0, 0.0, 0.58), &egg, &Pose::IDENTITY).points()[0];
    assert!((p.point - Vec3::Z * 0.09).length() < 1e-12 && (p.depth - 0.02).abs() < 1e-12, "{p:?}");
    let (a, b) = (0.1 / 0.09, 0.1 / 0.04);
    assert!((p.curvature - (2.0 + 0.5 * (a + b))).abs() < 1e-10, "{p:?}");
    // Equal radii make a ball.
    let round = Shape::Ellipsoid { radii: Vec3::splat(0.25) };
    let p = overlaps(&round, &at(0.0, 0.0, 0.24), &Shape::HalfSpace, &Pose::IDENTITY).points()[0];
    assert!((p.curvature - 4.0).abs() < 1e-12 && p.elongation.length() < 1e-12);
}

/// Stands on four points of its rim, on its tip, and on its side with the tip and one point of the rim.
#[test]
fn cone_on_a_half_space() {
    let cone = Shape::Cone { radius: 0.75, half_height: 0.5 };
    let on = |z: f64, rotation: Quat| {
        overlaps(&cone, &Pose { translation: Vec3::Z * z, rotation }, &Shape::HalfSpace, &Pose::IDENTITY)
    };
    let stands = on(0.49, Quat::IDENTITY);
    assert_eq!(stands.points().len(), 4);
    for p in stands.points() {
        assert!(
            (p.depth - 0.01).abs() < 1e-12
                && p.share == 0.25
                && (p.point.truncate().length() - 0.75).abs() < 1e-12
        );
    }
    let tip = on(0.49, rotation::from_axis_angle(Vec3::X, std::f64::consts::PI));
    assert_eq!(tip.points().len(), 1);
    assert!((tip.points()[0].point - Vec3::Z * -0.01).length() < 1e-12);
    // The side is at the angle with tan = 3/4 to the axis; the middle of it is 0.375·0.8 = 0.3 from the origin.
    let lying = on(0.29, rotation::from_axis_angle(Vec3::Y, FRAC_PI_2 + 0.75_f64.atan()));
    assert_eq!(lying.points().len(), 2, "{lying:?}");
    assert!(lying.points().iter().all(|p| (p.depth - 0.01).abs() < 1e-12));
}

/// Largest turn of the normal and change of the depth between neighbours on a path, relative to the distance between them.
fn roughness(shape: &Shape, radius: f64, path: impl Fn(f64) -> Vec3) -> (f64, f64) {
    let steps = 20_000;
    let (mut turn, mut depth) = (0.0_f64, 0.0_f64);
    let mut last: Option<(PointOverlap, Vec3)> = None;
    for i in 0..=steps {
        let center = path(f64::from(i) / f64::from(steps));
        let p = touch(radius, center, shape);
        if let Some((before, from)) = last {
            let moved = center.distance(from);
            turn = turn.max((p.normal - before.normal).length() / moved);
            depth = depth.max((p.depth - before.depth).abs() / moved);
        }
        last = Some((p, center));
    }
    (turn, depth)
}

/// From faces over edges and tips the depth changes by no more than the way, and the normal turns as about a corner.
#[test]
fn from_face_to_edge_to_tip_nothing_jumps() {
    // Around a corner the normal turns by the way over the distance from it, here no less than 0.15 m.
    let circle = |middle: Vec3| {
        move |t: f64| middle + Vec3::new((6.0 * t - 3.0).sin(), 0.05, (6.0 * t - 3.0).cos()) * 0.17
    };
    let line = |from: Vec3, to: Vec3| move |t: f64| from.lerp(to, t);
    let edge = Shape::Edge { half_angle: 0.6 };
    let (sin, cos) = 0.6_f64.sin_cos();
    let beside = |side: f64| Vec3::new(side * (0.5 * sin + 0.18 * cos), 0.0, 0.18 * sin - 0.5 * cos);
    let over = |t: f64| {
        // Down one face, around the edge, down the other, 0.18 m above it.
        let (start, end) = (beside(-1.0), beside(1.0));
        let turn = std::f64::consts::PI - 1.2;
        let phase = (t * 3.0).clamp(1.0, 2.0) - 1.5;
        let corner = Vec3::new((turn * phase).sin(), 0.0, (turn * phase).cos()) * 0.18;
        let first = Vec3::new(-cos, 0.0, sin) * 0.18;
        let second = Vec3::new(cos, 0.0, sin) * 0.18;
        if t < 1.0 / 3.0 {
            start.lerp(first, 3.0 * t)
        } else if t < 2.0 / 3.0 {
            corner
        } else {
            second.lerp(end, 3.0 * t - 2.0)
        }
    };
    let cone = Shape::Cone { radius: 0.75, half_height: 0.5 };
    let bore = Shape::Bore { radius: 0.5, half_height: 1.0 };
    let funnel = Shape::Funnel { radius: 0.75, half_height: 0.5 };
    let rims = [
        ("edge", roughness(&edge, 0.2, over)),
        ("cone's tip", roughness(&cone, 0.2, |t| circle(Vec3::Z * 0.5)(0.25 + 0.5 * t))),
        ("cone's rim", roughness(&cone, 0.2, |t| circle(Vec3::new(0.75, 0.0, -0.5))(0.6 + 0.3 * t))),
        ("bore's mouth", roughness(&bore, 0.2, |t| circle(Vec3::new(0.5, 0.0, 1.0))(0.22 + 0.28 * t))),
        ("down a bore", roughness(&bore, 0.2, line(Vec3::new(0.31, 0.0, 0.9), Vec3::new(0.31, 0.0, 0.2)))),
        ("funnel's mouth", roughness(&funnel, 0.2, |t| circle(Vec3::new(0.75, 0.0, 0.5))(0.4 + 0.12 * t))),
    ];
    for (name, (turn, depth)) in rims {
        assert!(turn < 1.0 / 0.14 && depth < 1.001, "{name}: {turn} {depth}");
    }
}

#[test]
fn distances_from_scenery() {
    let ball = Shape::Sphere { radius: 0.1 };
    let is = |shape: &Shape, center: Pose, on_ball: Vec3, on_shape: Vec3| {
        for swap in [false, true] {
            let found = if swap {
                distance::closest(shape, &Pose::IDENTITY, &ball, &center).map(|[p, q]| [q, p])
            } else {
                distance::closest(&ball, &center, shape, &Pose::IDENTITY)
            };
            let [p, q] = found.expect("supported");
            assert!(p.distance(on_ball) < 1e-12 && q.distance(on_shape) < 1e-12, "{shape:?}: {p} {q}");
        }
    };
    let bore = Shape::Bore { radius: 0.5, half_height: 1.0 };
    is(&bore, at(0.3, 0.0, 0.2), Vec3::new(0.4, 0.0, 0.2), Vec3::new(0.5, 0.0, 0.2));
    is(&Shape::Edge { half_angle: FRAC_PI_4 }, at(0.0, 1.0, 0.5), Vec3::new(0.0, 1.0, 0.4), Vec3::Y);
    let cone = Shape::Cone { radius: 0.75, half_height: 0.5 };
    is(&cone, at(0.0, 0.0, 1.0), Vec3::Z * 0.9, Vec3::Z * 0.5);
    let egg = Shape::Ellipsoid { radii: Vec3::new(0.3, 0.2, 0.1) };
    is(&egg, at(0.0, 0.0, 0.5), Vec3::Z * 0.4, Vec3::Z * 0.1);
    // Against the ground, and what is not supported.
    let over =
        |shape: &Shape| distance::closest(shape, &at(0.0, 0.0, 2.0), &Shape::HalfSpace, &Pose::IDENTITY);
    assert!(over(&egg).unwrap()[0].distance(Vec3::Z * 1.9) < 1e-12);
    assert!(over(&cone).unwrap()[0].distance(Vec3::Z * 1.5) < 1e-12);
    let [p, q] = distance::closest(&egg, &at(0.0, 0.0, 2.0), &egg, &Pose::IDENTITY).unwrap();
    assert!(p.distance(Vec3::Z * 1.9) < 1e-12 && q.distance(Vec3::Z * 0.1) < 1e-12, "{p} {q}");
    assert_eq!(distance::closest(&bore, &at(0.0, 0.0, 2.0), &Shape::HalfSpace, &Pose::IDENTITY), None);
}

fn scenery() -> impl Strategy<Value = Shape> {
    let size = || 0.2..1.0_f64;
    prop_oneof![
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Bore { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Funnel { radius, half_height }),
        (0.1..1.57_f64).prop_map(|half_angle| Shape::Edge { half_angle }),
    ]
}

/// Evenly over the sphere.
fn directions() -> impl Iterator<Item = Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..500).map(move |i| {
        let up = 1.0 - 2.0 * (f64::from(i) + 0.5) / 500.0;
        let (sin, cos) = (golden * f64::from(i)).sin_cos();
        let out = (1.0 - up * up).sqrt();
        Vec3::new(out * cos, out * sin, up)
    })
}

proptest! {
    #![proptest_config(random_cases(2000))]

    /// The nearest surface is where the overlap says, and in a ball about the centre up to there all points are alike: outside if
    /// the centre is, inside if the centre is.
    #[test]
    fn depth_is_the_distance_to_the_surface(
        shape in scenery(), x in -1.5..1.5_f64, y in -1.5..1.5_f64, z in -1.5..1.5_f64,
        turn in (-3.0..3.0_f64, -3.0..3.0_f64, -3.0..3.0_f64),
    ) {
        let rotation = rotation::from_rotation_vector(Vec3::new(turn.0, turn.1, turn.2));
        let pose = Pose { translation: Vec3::new(0.4, -0.3, 0.2), rotation };
        let center = Vec3::new(x, y, z);
        // Large enough to reach any surface here; too large for the hole, which the depth does not mind.
        let radius = 10.0;
        let found = overlaps(&Shape::Sphere { radius }, &Pose::from_translation(center), &shape, &pose);
        let p = found.points()[0];
        let distance = radius - p.depth;
        let near = 1e-7;
        let surface = center - p.normal * distance;
        // Around it there is inside and outside; a tip is so thin that one has to look along its axis too.
        let axis = rotation * Vec3::Z;
        let around: Vec<_> = directions().chain([axis, -axis]).map(|n| holds(&shape, &pose, surface + n * near)).collect();
        prop_assert!(around.contains(&true) && around.contains(&false), "{shape:?}: no surface at {surface}");
        let inside = distance < 0.0;
        prop_assert_eq!(holds(&shape, &pose, center), inside);
        for direction in directions() {
            for part in [0.5, 1.0] {
                let q = center + direction * (part * (distance.abs() - near).max(0.0));
                prop_assert_eq!(holds(&shape, &pose, q), inside, "{:?}: {} is nearer", &shape, q);
            }
        }
    }
}
