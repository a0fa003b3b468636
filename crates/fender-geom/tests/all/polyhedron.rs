//! Convex polyhedra: how hulls are made, what they weigh, and what searches ask of them.

use crate::random_cases::random_cases;
use fender_geom::{Polyhedron, PolyhedronError, Shape, TriMesh, overlaps};
use fender_math::{Pose, Vec3, rotation};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

fn cuboid(half: Vec3) -> Vec<Vec3> {
    (0..8).map(|i| half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn sign(i: u32, bit: u32) -> f64 {
    if i >> bit & 1 == 0 { -1.0 } else { 1.0 }
}

/// Faces are flat polygons around everything, every edge is between two of them, and Euler's sum is right.
fn check(polyhedron: &Polyhedron, points: &[Vec3]) {
    let near = 1e-8 * polyhedron.size();
    for p in points {
        let (face, height) = polyhedron.highest_face(*p);
        assert!(height < near, "{p} is {height} above face {face}");
    }
    let mut sides = HashSet::new();
    for (f, normal) in polyhedron.normals().iter().enumerate() {
        let corners = polyhedron.corners(f as u32);
        assert!(corners.len() >= 3 && (normal.length() - 1.0).abs() < 1e-12);
        for (k, v) in corners.iter().enumerate() {
            assert!(polyhedron.height(f as u32, polyhedron.vertices()[*v as usize]).abs() < near);
            assert!(sides.insert([*v, corners[(k + 1) % corners.len()]]));
        }
    }
    assert!(sides.iter().all(|[v, w]| sides.contains(&[*w, *v])));
    assert_eq!(sides.len(), 2 * polyhedron.edges().len());
    assert_eq!(polyhedron.vertices().len() + polyhedron.normals().len(), polyhedron.edges().len() + 2);
    for (e, edge) in polyhedron.edges().iter().enumerate() {
        for v in edge.vertices {
            assert!(polyhedron.edges_at(v).contains(&(e as u32)));
            assert!(edge.faces.iter().all(|f| polyhedron.faces_at(v).contains(f)));
        }
        assert!(polyhedron.beside(edge.vertices[0]).contains(&edge.vertices[1]));
    }
}

#[test]
fn a_cube_has_six_squares_whatever_is_in_it() {
    let half = Vec3::new(1.0, 2.0, 0.5);
    let mut points = cuboid(half);
    let turn = rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7);
    let expect = |points: &[Vec3], vertices: usize, faces: usize| {
        for scale in [1e-4, 1.0, 1e4] {
            for shift in [0.0, 100.0] {
                let placed: Vec<Vec3> =
                    points.iter().map(|p| (turn * *p + Vec3::splat(shift)) * scale).collect();
                let polyhedron = Polyhedron::hull(&placed).unwrap();
                check(&polyhedron, &placed);
                let found = (polyhedron.vertices().len(), polyhedron.normals().len());
                assert_eq!(found, (vertices, faces), "{scale} {shift}");
            }
        }
    };
    expect(&points, 8, 6);
    // Points inside, on faces, on edges, and corners given twice.
    points.extend([Vec3::ZERO, half * 0.3]);
    points.extend([Vec3::new(1.0, 0.3, 0.2), Vec3::new(1.0, -0.7, 0.1), Vec3::new(0.2, 2.0, 0.1)]);
    points.extend([Vec3::new(1.0, 2.0, 0.1), Vec3::new(1.0, 2.0, -0.3), Vec3::new(-1.0, 0.0, 0.5)]);
    points.extend(cuboid(half));
    expect(&points, 8, 6);
    // A grid, nearly all of it in planes and lines.
    let grid: Vec<Vec3> =
        (0..1000).map(|i| Vec3::new(f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100))).collect();
    expect(&grid, 8, 6);
    // A prism with 100 sides, and a ball.
    let around = |i: u32| f64::from(i) * std::f64::consts::TAU / 100.0;
    let prism: Vec<Vec3> =
        (0..200).map(|i| Vec3::new(around(i / 2).cos(), around(i / 2).sin(), sign(i, 0))).collect();
    expect(&prism, 200, 102);
}

#[test]
fn many_points_on_a_ball() {
    let count = 20_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * (golden * f64::from(i)).cos(), r * (golden * f64::from(i)).sin(), z)
        })
        .collect();
    let ball = Polyhedron::hull(&points).unwrap();
    check(&ball, &points);
    assert_eq!(ball.vertices().len(), count as usize);
    let volume = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((ball.volume() / volume - 1.0).abs() < 1e-3);
    for n in [Vec3::X, Vec3::new(0.3, -0.2, 0.9).normalize(), Vec3::new(-1.0, 1.0, 0.1).normalize()] {
        let most = points.iter().map(|p| n.dot(*p)).fold(f64::MIN, f64::max);
        assert_eq!(n.dot(ball.vertices()[ball.farthest(n) as usize]), most);
    }
}

#[test]
fn points_without_a_solid_are_refused() {
    use PolyhedronError::*;
    let error = |points: &[Vec3]| Polyhedron::hull(points).unwrap_err();
    assert_eq!(error(&[]), TooFew { count: 0 });
    assert_eq!(error(&[Vec3::X, Vec3::Y, Vec3::Z]), TooFew { count: 3 });
    assert_eq!(error(&[Vec3::X, Vec3::Y, Vec3::Z, Vec3::NAN]), NotFinite { point: 3 });
    assert_eq!(error(&[Vec3::X, Vec3::splat(1e16), Vec3::Z, Vec3::Y]), TooFar { point: 1, value: 1e16 });
    assert_eq!(error(&[Vec3::ONE; 9]), OnePlace);
    let line: Vec<Vec3> = (0..7).map(|i| Vec3::new(1.0, 2.0, -1.0) * f64::from(i) + Vec3::X).collect();
    assert_eq!(error(&line), Collinear);
    let turn = rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7);
    let plane: Vec<Vec3> =
        (0..20).map(|i| turn * Vec3::new(f64::from(i % 5), f64::from(i * i % 7), 3.0)).collect();
    assert_eq!(error(&plane), Coplanar);
    assert_eq!(error(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 1e-12)]), Coplanar);
    assert_eq!(
        error(&plane).to_string(),
        "all points are in one plane, or nearer to it than 1e-8 of their extent"
    );
    // A thin plate is a solid.
    let plate = Polyhedron::hull(&cuboid(Vec3::new(1.0, 1.0, 1e-6))).unwrap();
    assert!((plate.volume() / 8e-6 - 1.0).abs() < 1e-9);
}

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Points anywhere, on a coarse grid, or on a ball: in planes and lines, or none of them.
fn points() -> impl Strategy<Value = Vec<Vec3>> {
    prop_oneof![
        proptest::collection::vec(vector(1.0), 4..60),
        proptest::collection::vec(vector(2.5).prop_map(Vec3::round), 8..60),
        proptest::collection::vec(vector(1.0).prop_map(|p| p.normalize_or(Vec3::X)), 6..60),
        proptest::collection::vec(vector(1.0).prop_map(|p| p * Vec3::new(1.0, 1e-3, 1.0)), 6..40),
    ]
}

proptest! {
    #![proptest_config(random_cases(1500))]

    #[test]
    fn hulls_hold_their_points(points in points(), turn in vector(3.0), size in -4.0..4.0_f64) {
        let turn = rotation::from_rotation_vector(turn);
        let points: Vec<Vec3> = points.iter().map(|p| turn * *p * 10.0_f64.powf(size)).collect();
        if let Ok(polyhedron) = Polyhedron::hull(&points) {
            check(&polyhedron, &points);
        }
    }

    #[test]
    fn mass_is_that_of_the_closed_mesh_of_its_faces(points in points()) {
        let Ok(polyhedron) = Polyhedron::hull(&points) else { return Ok(()) };
        let mesh = TriMesh::new(polyhedron.vertices(), &polyhedron.triangles()).unwrap();
        let (p, m) = (polyhedron.mass_properties(700.0), mesh.mass_properties(700.0).unwrap());
        prop_assert!(p.check().is_ok());
        prop_assert!((p.mass / m.mass - 1.0).abs() < 1e-9 && p.center.distance(m.center) < 1e-9);
        prop_assert!((p.inertia.x_axis - m.inertia.x_axis).length() < 1e-9 * m.inertia.x_axis.length());
    }

    #[test]
    fn places_are_nearest(points in points(), p in vector(3.0), n in vector(1.0)) {
        let Ok(polyhedron) = Polyhedron::hull(&points) else { return Ok(()) };
        let most = polyhedron.vertices().iter().map(|v| n.dot(*v)).fold(f64::MIN, f64::max);
        prop_assert!((polyhedron.reach(n) - most).abs() < 1e-14);
        let found = polyhedron.nearest(p);
        prop_assert!(polyhedron.highest_face(found.point).1 < 1e-8);
        prop_assert!((found.point + found.normal * found.distance - p).length() < 1e-8);
        prop_assert_eq!(found.distance <= 0.0, polyhedron.holds(p));
        // Brute force: the nearest of all triangles.
        let mesh = TriMesh::new(polyhedron.vertices(), &polyhedron.triangles()).unwrap();
        let closest = mesh.closest(p).unwrap();
        prop_assert!((found.distance.abs() - closest.distance).abs() < 1e-8, "{found:?} {closest:?}");
        // What of a segment is inside.
        let (a, b) = (p, p - n * 6.0);
        let within = |t: f64| polyhedron.highest_face(a.lerp(b, t)).1;
        match polyhedron.inside(a, b) {
            Some((from, to)) => {
                prop_assert!(within(0.5 * (from + to)) <= 1e-12);
                prop_assert!(from == 0.0 || within(from - 1e-6) > 0.0);
                prop_assert!(to == 1.0 || within(to + 1e-6) > 0.0);
            }
            None => prop_assert!((0..50).all(|i| within(f64::from(i) / 49.0) > -1e-12)),
        }
    }

    /// The same solid as a box and as a polyhedron meets everything the same way, but for how a half-space's and a mesh's force is shared.
    #[test]
    fn a_box_of_points_is_a_box(
        half in (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64), kind in 0..6, other in (0.1..1.0_f64, 0.1..1.0_f64, 0.1..1.0_f64),
        turn in vector(3.0), at in vector(1.0), scale in -4.0..4.0_f64,
    ) {
        let scale = 10.0_f64.powf(scale);
        let half = Vec3::new(half.0, half.1, half.2) * scale;
        let (radius, half_height) = (other.0 * scale, other.1 * scale);
        let other = match kind {
            0 => Shape::Sphere { radius },
            1 => Shape::Capsule { radius, half_height },
            2 => Shape::Cylinder { radius, half_height },
            3 => Shape::Cone { radius, half_height },
            4 => Shape::Ellipsoid { radii: Vec3::new(other.0, other.1, other.2) * scale },
            _ => Shape::Box { half: Vec3::new(other.0, other.1, other.2) * scale },
        };
        let cube = Shape::Box { half };
        let points = Shape::Polyhedron(Arc::new(Polyhedron::hull(&cuboid(half)).unwrap()));
        let pose = Pose { translation: at * (1.5 * scale), rotation: rotation::from_rotation_vector(turn) };
        let deepest = |shape: &Shape| {
            let found = overlaps(&other, &pose, shape, &Pose::IDENTITY);
            found.points().iter().map(|p| p.depth / scale).fold(0.0, f64::max)
        };
        let (p, q) = (deepest(&cube), deepest(&points));
        // A cylinder deep in a box may have been given another direction (see the narrow phase's page); never a shallower one here.
        let tolerance = if kind == 2 && p > 0.05 { 0.02 * p } else { 1e-9 };
        prop_assert!(q <= p + 1e-9 && q >= p - tolerance, "{p} {q}");
    }
}
