//! Shares of the points: what a contact of stiffness 1 N/m does must change smoothly as the bodies move, and against a
//! half-space it must be the gradient of its energy.

use crate::random_cases::random_cases;
use fender_geom::{Polyhedron, Shape, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::sync::Arc;

/// Force and moment about `about` of a contact of stiffness 1 N/m on the first body, and its energy.
fn wrench(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, about: Vec3) -> (Vec3, Vec3, f64) {
    let (mut force, mut moment, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for p in overlaps(a, pose_a, b, pose_b).points() {
        let f = p.normal * (p.share * p.depth);
        force += f;
        moment += (p.point - about).cross(f);
        energy += 0.5 * p.share * p.depth * p.depth;
    }
    (force, moment, energy)
}

/// Largest change of force and moment from one of `steps` poses to the next along the path.
fn largest_jump(a: &Shape, b: &Shape, path: impl Fn(f64) -> Pose, steps: u32) -> f64 {
    let at = |i: u32| {
        let pose = path(f64::from(i) / f64::from(steps));
        let (force, moment, _) = wrench(a, &pose, b, &Pose::IDENTITY, pose.translation);
        (force, moment)
    };
    let mut last = at(0);
    let mut largest = 0.0_f64;
    for i in 1..=steps {
        let next = at(i);
        largest = largest.max((next.0 - last.0).length() + (next.1 - last.1).length());
        last = next;
    }
    largest
}

/// A path is smooth if finer steps make the largest change smaller in proportion.
fn assert_smooth(name: &str, a: &Shape, b: &Shape, path: impl Fn(f64) -> Pose + Copy) {
    let (coarse, fine) = (largest_jump(a, b, path, 500), largest_jump(a, b, path, 20_000));
    assert!(coarse > 0.0, "{name}: no contact on the path");
    // A wheel that rolls feels no change at all.
    assert!(
        fine < coarse / 10.0 || coarse < 1e-12,
        "{name}: the wrench jumps by {fine} ({coarse} in coarse steps)"
    );
}

fn rocking(height: f64, axis: Vec3, base: Quat, amount: f64) -> impl Fn(f64) -> Pose + Copy {
    move |t: f64| Pose {
        translation: Vec3::new(0.03, 0.02, height),
        rotation: rotation::from_axis_angle(axis, amount * (t - 0.47)) * base,
    }
}

#[test]
fn tilting_on_a_half_space_has_no_jumps() {
    let lying = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
    let cuboid = Shape::Box { half: Vec3::new(0.5, 0.4, 0.3) };
    let cylinder = Shape::Cylinder { radius: 0.4, half_height: 0.3 };
    let capsule = Shape::Capsule { radius: 0.2, half_height: 0.4 };
    let axis = Vec3::new(1.0, 0.4, 0.1);
    assert_smooth("box", &cuboid, &Shape::HalfSpace, rocking(0.27, axis, Quat::IDENTITY, 3.0));
    assert_smooth("cylinder", &cylinder, &Shape::HalfSpace, rocking(0.27, axis, Quat::IDENTITY, 3.0));
    assert_smooth("lying cylinder", &cylinder, &Shape::HalfSpace, rocking(0.37, Vec3::Y, lying, 1.0));
    assert_smooth("lying capsule", &capsule, &Shape::HalfSpace, rocking(0.18, Vec3::Y, lying, 2.0));
    for (name, tube) in tubes() {
        assert_smooth(name, &tube, &Shape::HalfSpace, rocking(0.08, axis, Quat::IDENTITY, 3.0));
        assert_smooth(name, &tube, &Shape::HalfSpace, rocking(0.098, axis, Quat::IDENTITY, 0.1));
        let standing = rotation::from_axis_angle(Vec3::X, -std::f64::consts::FRAC_PI_2);
        assert_smooth(name, &tube, &Shape::HalfSpace, rocking(0.38, Vec3::Y, standing, 1.0));
        assert_smooth(name, &tube, &Shape::HalfSpace, rocking(0.49, Vec3::Y, standing, 0.1));
    }
    for sides in [3, 4, 5, 12, 24, 100] {
        let prism = prism(sides, 0.4, 0.3);
        assert_smooth("prism", &prism, &Shape::HalfSpace, rocking(0.27, axis, Quat::IDENTITY, 3.0));
        assert_smooth(
            "prism on its face",
            &prism,
            &Shape::HalfSpace,
            rocking(0.29, axis, Quat::IDENTITY, 0.5),
        );
    }
    let ellipsoid = Shape::Ellipsoid { radii: Vec3::new(0.4, 0.3, 0.2) };
    assert_smooth("ellipsoid", &ellipsoid, &Shape::HalfSpace, rocking(0.18, axis, Quat::IDENTITY, 3.0));
}

fn tubes() -> [(&'static str, Shape); 3] {
    [
        ("torus", Shape::Torus { radius: 0.4, tube: 0.1 }),
        ("half torus", Shape::HalfTorus { radius: 0.4, tube: 0.1 }),
        ("link", Shape::Link { radius: 0.4, half_straight: 0.3, tube: 0.1 }),
    ]
}

/// A prism with so many sides, of radius `r` and half height `h` [m].
fn prism(sides: u32, r: f64, h: f64) -> Shape {
    let around = |i: u32| f64::from(i / 2) * std::f64::consts::TAU / f64::from(sides);
    let points: Vec<Vec3> = (0..2 * sides)
        .map(|i| Vec3::new(r * around(i).cos(), r * around(i).sin(), if i % 2 == 0 { -h } else { h }))
        .collect();
    Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()))
}

#[test]
fn a_lying_cylinder_rolls_without_bumps() {
    // Level, and with the axis tilted so far that one end is off the ground.
    let cylinder = Shape::Cylinder { radius: 0.4, half_height: 0.3 };
    let grounds = [(Shape::HalfSpace, Pose::IDENTITY)];
    for (ground, pose) in &grounds {
        for tilt in [0.0, 1e-9, 0.01, 0.2] {
            let lying = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2 - tilt);
            let at = |angle: f64| {
                let rotation = lying * rotation::from_axis_angle(Vec3::Z, angle);
                let place = Pose { translation: Vec3::new(0.1, -0.2, 0.38), rotation };
                wrench(&cylinder, &place, ground, pose, place.translation)
            };
            let (force, moment, energy) = at(0.0);
            assert!(force.z > 0.005, "{ground:?}: the ground carries the cylinder");
            // No resistance to rolling, which a moment about the axis would be.
            assert!(moment.dot(lying * Vec3::Z).abs() < 1e-15, "{ground:?} {tilt}: {moment}");
            for i in 1..200 {
                let (f, m, e) = at(0.0314 * f64::from(i));
                assert!(
                    (f - force).length() < 1e-12 && (e - energy).abs() < 1e-12,
                    "{ground:?} {tilt}: {f} {force}"
                );
                assert!((m - moment).length() < 1e-12, "{ground:?} {tilt}: {m} {moment}");
            }
        }
    }
}

fn solid() -> impl Strategy<Value = Shape> {
    let size = || 0.1..1.0_f64;
    prop_oneof![
        size().prop_map(|radius| Shape::Sphere { radius }),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
        (size(), 0.1..0.9_f64).prop_map(|(radius, part)| Shape::Torus { radius, tube: part * radius }),
        (size(), size(), 0.1..0.9_f64).prop_map(|(radius, half_straight, part)| {
            Shape::Link { radius, half_straight, tube: part * radius }
        }),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #![proptest_config(random_cases(4000))]

    #[test]
    fn on_a_half_space_the_force_is_the_gradient_of_the_energy(
        shape in solid(), turn in vector(), height in 0.0..1.2_f64, v in vector(), omega in vector(),
    ) {
        let h = 1e-6;
        let ground = Pose {
            translation: Vec3::new(0.1, -0.2, 0.3),
            rotation: rotation::from_rotation_vector(turn * 0.7),
        };
        let up = ground.rotation * Vec3::Z;
        let moved = |t: f64| Pose {
            translation: ground.translation + up * (height * shape.bounding_radius()) + v * t,
            rotation: rotation::from_rotation_vector(omega * t) * rotation::from_rotation_vector(turn * 2.0),
        };
        let of = |t: f64| wrench(&shape, &moved(t), &Shape::HalfSpace, &ground, moved(t).translation);
        let (force, moment, _) = of(0.0);
        let work = force.dot(v) + moment.dot(omega);
        let lost = -(of(h).2 - of(-h).2) / (2.0 * h);
        prop_assert!((work - lost).abs() < 1e-6, "{work} {lost}");
    }
}

fn hull(points: &[Vec3]) -> Shape {
    Shape::Polyhedron(Arc::new(Polyhedron::hull(points).unwrap()))
}

/// Of any kind: few corners, prisms whose faces have from three corners to many, and nearly round.
fn polyhedron() -> impl Strategy<Value = Shape> {
    let corners = |count| proptest::collection::vec(vector(), count);
    let is_thick = |points: &Vec<Vec3>| Polyhedron::hull(points).is_ok();
    prop_oneof![
        corners(4..40).prop_filter("no solid", is_thick).prop_map(|points| hull(&points)),
        (3..60_u32, 0.1..1.0_f64, 0.1..1.0_f64).prop_map(|(sides, r, h)| prism(sides, r, h)),
        corners(100..400)
            .prop_map(|points| hull(&points.iter().map(|p| p.normalize_or(Vec3::X)).collect::<Vec<_>>())),
    ]
}

proptest! {
    #![proptest_config(random_cases(4000))]

    /// Anyhow, and with a face nearly level.
    #[test]
    fn a_polyhedron_on_a_half_space_has_a_potential(
        shape in polyhedron(), turn in vector(), face in any::<prop::sample::Index>(), tilt in -4.0..1.0_f64, sink in -4.0..0.0_f64,
        v in vector(), omega in vector(),
    ) {
        let Shape::Polyhedron(polyhedron) = &shape else { unreachable!() };
        let normal = *face.get(polyhedron.normals());
        let level = Quat::from_rotation_arc(normal, -Vec3::Z);
        let turn = rotation::from_rotation_vector(turn * 10.0_f64.powf(tilt)) * level;
        let lowest = polyhedron.reach(turn.inverse() * -Vec3::Z);
        let size = polyhedron.size();
        // Smaller than anything that bends, and still 1e-9 in what rounding leaves of the difference.
        let h = 1e-7;
        let moved = |t: f64| Pose {
            translation: Vec3::Z * (lowest - size * 10.0_f64.powf(sink)) + v * (t * size),
            rotation: rotation::from_rotation_vector(omega * t) * turn,
        };
        let of = |t: f64| wrench(&shape, &moved(t), &Shape::HalfSpace, &Pose::IDENTITY, moved(t).translation);
        let (force, moment, energy) = of(0.0);
        let work = force.dot(v) * size + moment.dot(omega);
        let lost = -(of(h).2 - of(-h).2) / (2.0 * h);
        prop_assert!((work - lost).abs() < 1e-6 * (force.length() * size + moment.length()), "{work} {lost}");
        // T at its largest: all corners as deep as the deepest, with a half each at the very most.
        let deepest = lowest - moved(0.0).translation.z;
        let most = 1.25 * (0.5 * polyhedron.vertices().len() as f64).powf(0.25);
        prop_assert!(energy <= 0.5 * most * deepest * deepest && force.z > 0.0, "{energy} {deepest}");
    }
}

/// Shares add up to 1 on a face, whatever the number of its corners.
#[test]
fn every_face_of_a_polyhedron_has_the_whole_stiffness() {
    let stiffness = |shape: &Shape, face: usize| {
        let Shape::Polyhedron(polyhedron) = shape else { unreachable!() };
        let rotation = Quat::from_rotation_arc(polyhedron.normals()[face], -Vec3::Z);
        let lowest = polyhedron.reach(polyhedron.normals()[face]);
        let depth = 1e-7;
        let pose = Pose { translation: Vec3::Z * (lowest - depth), rotation };
        wrench(shape, &pose, &Shape::HalfSpace, &Pose::IDENTITY, Vec3::ZERO).0.z / depth
    };
    for sides in 3..60 {
        let prism = prism(sides, 0.4, 0.3);
        for face in 0..sides as usize + 2 {
            let found = stiffness(&prism, face);
            // The corners are level to 1e-16, of a depth of 1e-7.
            assert!((found - 1.0).abs() < 1e-8, "{sides} {face}: {found}");
        }
    }
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for [x, y] in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
        points.extend([Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)]);
        let (x, y) = (x / golden, y * golden);
        points.extend([Vec3::new(0.0, x, y), Vec3::new(x, y, 0.0), Vec3::new(y, 0.0, x)]);
    }
    let dodecahedron = hull(&points);
    for face in 0..12 {
        let found = stiffness(&dodecahedron, face);
        assert!((found - 1.0).abs() < 1e-8, "{face}: {found}");
    }
}

/// On a corner a quarter, on an edge half, as a box; a ball of many corners is never much stiffer than a ball.
#[test]
fn few_corners_have_a_quarter_each_and_many_not_much_more_than_all() {
    let prism = prism(24, 0.4, 0.3);
    let on_edge = rotation::from_axis_angle(Vec3::Y, 0.25 * std::f64::consts::TAU);
    let found = |shape: &Shape, rotation: Quat, height: f64| {
        let pose = Pose { translation: Vec3::Z * height, rotation };
        overlaps(shape, &pose, &Shape::HalfSpace, &Pose::IDENTITY).points().to_vec()
    };
    let edge = found(&prism, on_edge, 0.4 - 1e-4);
    assert!(edge.len() == 2 && edge.iter().all(|p| p.share == 0.25), "{edge:?}");
    let tilt = rotation::from_axis_angle(Vec3::Y, 0.25);
    let corner = found(&prism, tilt, 0.4 * 0.25_f64.sin() + 0.3 * 0.25_f64.cos() - 1e-4);
    assert!(corner.len() == 1 && corner[0].share == 0.25, "{corner:?}");
    // Points of a spiral, evenly on the sphere.
    let count = 2000;
    let spiral = |i: u32| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
        let (sin, cos) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        Vec3::new(cos * (1.0 - z * z).sqrt(), sin * (1.0 - z * z).sqrt(), z)
    };
    let ball = hull(&(0..count).map(spiral).collect::<Vec<_>>());
    for (depth, least, most) in [(0.002, 0.249, 1.0), (0.01, 0.5, 1.4), (0.1, 0.8, 1.9)] {
        for i in 0..200 {
            let turn = rotation::from_axis_angle(Vec3::new(1.0, 0.3, 0.2).normalize(), 0.03 * f64::from(i));
            let force: f64 = found(&ball, turn, 1.0 - depth).iter().map(|p| p.share * p.depth).sum();
            let lowest = (0..count).map(|j| -(turn * spiral(j)).z).fold(0.0, f64::max);
            let stiffness = force / (lowest - 1.0 + depth);
            assert!(stiffness > least && stiffness < most, "{depth}: {stiffness}");
        }
    }
}
