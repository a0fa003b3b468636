//! What of two shapes touches: faces, edges, vertices and round sides by name.

use crate::meshes::cuboid;
use fender_geom::feature::{Feature, touched};
use fender_geom::{Polyhedron, Shape, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

const HALF: Vec3 = Vec3::new(0.3, 0.2, 0.1);

fn at(z: f64, rotation: Quat) -> Pose {
    Pose { translation: Vec3::new(0.011, 0.017, z), rotation }
}

/// Parts of both that touch, without doubles.
fn parts(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<[Option<Feature>; 2]> {
    let found = overlaps(a, pose_a, b, pose_b);
    let part = |p| [touched(a, pose_a, p, true), touched(b, pose_b, p, false)];
    let mut parts: Vec<_> = found.points().iter().map(part).collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

fn floors() -> [(Shape, Pose, Feature); 3] {
    let plate = Vec3::new(2.0, 2.0, 0.5);
    [
        (Shape::HalfSpace, Pose::IDENTITY, Feature::Face(0)),
        (Shape::Box { half: plate }, Pose::from_translation(Vec3::Z * -0.5), Feature::Face(1)),
        (
            Shape::Mesh(Arc::new(cuboid(plate, 1).mesh())),
            Pose::from_translation(Vec3::Z * -0.5),
            // Which of the two triangles of its upper side depends on the place.
            Feature::Face(u32::MAX),
        ),
    ]
}

/// A box and the same as a polyhedron, on its face, an edge and a corner.
#[test]
fn corners_of_a_box_touch_a_floor() {
    let points: Vec<Vec3> =
        (0..8_u32).map(|i| HALF * Vec3::new(sign(i), sign(i >> 1), sign(i >> 2))).collect();
    let polyhedron = Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()));
    let deep = 1e-3;
    // Two boxes have a patch, and a place of their deepest overlap only.
    for (floor, pose_floor, face) in floors().into_iter().filter(|(floor, ..)| floor.name() != "box") {
        for (shape, is_box) in [(Shape::Box { half: HALF }, true), (polyhedron.clone(), false)] {
            for (turn, corners) in [
                (Quat::IDENTITY, vec![0, 1, 2, 3]),
                (rotation::from_axis_angle(Vec3::X, 0.4), vec![0, 1]),
                (rotation::from_axis_angle(Vec3::Y, 0.3) * rotation::from_axis_angle(Vec3::X, 0.4), vec![1]),
            ] {
                let lowest = points.iter().map(|p| (turn * *p).z).fold(f64::INFINITY, f64::min);
                let pose = at(-lowest - deep, turn);
                let found = parts(&shape, &pose, &floor, &pose_floor);
                let own: Vec<_> = found.iter().filter_map(|p| p[0]).collect();
                let expected: Vec<_> = corners.iter().map(|i| Feature::Vertex(*i)).collect();
                // Between two boxes an edge is touched where its ends are not points of the contact.
                let is_right = |f: &Feature| match f {
                    Feature::Vertex(i) if is_box => expected.contains(&Feature::Vertex(*i)),
                    Feature::Vertex(_) => true,
                    _ => false,
                };
                assert!(
                    !own.is_empty() && own.iter().all(is_right),
                    "{} {} {turn}: {found:?}",
                    shape.name(),
                    floor.name()
                );
                assert!(own.len() == corners.len(), "{} {} {turn}: {found:?}", shape.name(), floor.name());
                let is_floor = |f: Option<Feature>| match (f, face) {
                    (Some(Feature::Face(_)), Feature::Face(u32::MAX)) => true,
                    (found, face) => found == Some(face),
                };
                assert!(found.iter().all(|p| is_floor(p[1])), "{} {}: {found:?}", shape.name(), floor.name());
            }
        }
    }
}

fn sign(bit: u32) -> f64 {
    if bit & 1 == 0 { -1.0 } else { 1.0 }
}

/// Crossed edges, a ball on a face, an edge and a corner, and a cylinder's and a cone's parts.
#[test]
fn edges_rims_and_round_sides() {
    let cube = Shape::Box { half: Vec3::splat(0.5) };
    let ball = Shape::Sphere { radius: 0.2 };
    for (place, part) in [
        (Vec3::new(0.1, 0.0, 0.69), Feature::Face(1)),
        (Vec3::new(0.64, 0.1, 0.63), Feature::Edge(4 + 3)),
        (Vec3::new(0.61, -0.6, 0.6), Feature::Vertex(1 + 4)),
    ] {
        let found = parts(&ball, &Pose::from_translation(place), &cube, &Pose::IDENTITY);
        assert_eq!(found, [[None, Some(part)]]);
        let back = parts(&cube, &Pose::IDENTITY, &ball, &Pose::from_translation(place));
        assert_eq!(back, [[Some(part), None]]);
    }
    // An edge along x on top of one along y.
    let upper = at(2.0_f64.sqrt() - 1e-3, rotation::from_axis_angle(Vec3::X, FRAC_PI_4));
    let lower = Pose { translation: Vec3::ZERO, rotation: rotation::from_axis_angle(Vec3::Y, FRAC_PI_4) };
    let found = parts(&cube, &upper, &cube, &lower);
    assert!(matches!(found[..], [[Some(Feature::Edge(0..4)), Some(Feature::Edge(4..8))]]), "{found:?}");
    let roller = Shape::Cylinder { radius: 0.2, half_height: 0.3 };
    let (lying, tilted) =
        (rotation::from_axis_angle(Vec3::X, FRAC_PI_2), rotation::from_axis_angle(Vec3::X, 0.5));
    let lowest = 0.3 * 0.5_f64.cos() + 0.2 * 0.5_f64.sin();
    for (pose, part) in
        [(at(0.299, Quat::IDENTITY), 0), (at(lowest - 1e-3, tilted), 0), (at(0.199, lying), 1)]
    {
        let found = parts(&roller, &pose, &Shape::HalfSpace, &Pose::IDENTITY);
        // Its points are on the rims.
        assert!(found.iter().all(|p| matches!(p[0], Some(Feature::Edge(i)) if i <= part)), "{found:?}");
    }
    let beside = Pose::from_translation(Vec3::new(0.39, 0.0, 0.1));
    assert_eq!(parts(&ball, &beside, &roller, &Pose::IDENTITY), [[None, None]]);
    let above = Pose::from_translation(Vec3::new(0.1, 0.0, 0.49));
    assert_eq!(parts(&ball, &above, &roller, &Pose::IDENTITY), [[None, Some(Feature::Face(1))]]);
    // Also on a thin one, deeper than its cap is wide: what presses its middle is not at the rim.
    let pin = Shape::Cylinder { radius: 0.02, half_height: 0.3 };
    for depth in [0.001, 0.01, 0.03] {
        let above = Pose::from_translation(Vec3::new(0.003, 0.0, 0.5 - depth));
        assert_eq!(parts(&ball, &above, &pin, &Pose::IDENTITY), [[None, Some(Feature::Face(1))]]);
    }
    // Its rim is touched where it stands on a floor, upright or leaning a little.
    for (floor, pose_floor, _) in floors() {
        for angle in [0.0, 1e-3, 0.1, 0.19, 0.21, 0.3] {
            let lowest = 0.3 * f64::cos(angle) + 0.02 * f64::sin(angle);
            let pose = at(lowest - 0.01, rotation::from_axis_angle(Vec3::X, angle));
            let found = parts(&pin, &pose, &floor, &pose_floor);
            let is_rim = |p: &[Option<Feature>; 2]| p[0] == Some(Feature::Edge(0));
            assert!(!found.is_empty() && found.iter().all(is_rim), "{} {angle}: {found:?}", floor.name());
        }
    }
    let cone = Shape::Cone { radius: 0.2, half_height: 0.3 };
    let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.49));
    assert_eq!(parts(&ball, &above, &cone, &Pose::IDENTITY), [[None, Some(Feature::Vertex(0))]]);
    let beside = Pose::from_translation(Vec3::new(0.29, 0.0, 0.0));
    assert_eq!(parts(&ball, &beside, &cone, &Pose::IDENTITY), [[None, None]]);
}

/// On a mesh the numbers of triangles are those of the file, and edges that do not stick out belong to faces.
#[test]
fn meshes() {
    let soup = cuboid(Vec3::splat(0.5), 2);
    let mesh = Shape::Mesh(Arc::new(soup.mesh()));
    let ball = Shape::Sphere { radius: 0.2 };
    let place = Vec3::new(0.2, 0.31, 0.69);
    let found = parts(&ball, &Pose::from_translation(place), &mesh, &Pose::IDENTITY);
    let [[None, Some(Feature::Face(f))]] = found[..] else { panic!("{found:?}") };
    let [a, b, c] = soup.corners().nth(f as usize).unwrap();
    let inside = |p: Vec3, q: Vec3| (q - p).cross(place - p).z > 0.0;
    assert!(inside(a, b) && inside(b, c) && inside(c, a) && a.z == 0.5 && b.z == 0.5 && c.z == 0.5);
    // In the middle of the side, where vertices and edges are flat.
    let found = parts(&ball, &Pose::from_translation(Vec3::new(0.0, 0.0, 0.69)), &mesh, &Pose::IDENTITY);
    assert!(matches!(found[..], [[None, Some(Feature::Face(_))]]), "{found:?}");
    let found = parts(&ball, &Pose::from_translation(Vec3::new(0.6, 0.1, 0.61)), &mesh, &Pose::IDENTITY);
    assert!(matches!(found[..], [[None, Some(Feature::Edge(_))]]), "{found:?}");
    let found = parts(&ball, &Pose::from_translation(Vec3::new(0.6, 0.61, 0.6)), &mesh, &Pose::IDENTITY);
    assert!(matches!(found[..], [[None, Some(Feature::Vertex(_))]]), "{found:?}");
}
