//! How far meshes are from other shapes, and where they are nearest.

use crate::inside::holds;
use crate::meshes::{Soup, cuboid, potato, segment_distance, torus, triangle_distance};
use crate::random_cases::random_cases;
use fender_geom::distance::closest;
use fender_geom::narrow::{Method, method, supported};
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Vec3, rotation};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn pose(r: f64) -> impl Strategy<Value = Pose> {
    (vector(r), vector(3.0))
        .prop_map(|(translation, turn)| Pose { translation, rotation: rotation::from_rotation_vector(turn) })
}

fn solid() -> impl Strategy<Value = Shape> {
    let size = || 0.1..0.8_f64;
    prop_oneof![
        size().prop_map(|radius| Shape::Sphere { radius }),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
    ]
}

const HALF: Vec3 = Vec3::new(0.6, 0.3, 0.4);

fn boxed() -> &'static Shape {
    static BOXED: OnceLock<Shape> = OnceLock::new();
    BOXED.get_or_init(|| shape(&cuboid(HALF, 3)))
}

fn shape(soup: &Soup) -> Shape {
    Shape::Mesh(Arc::new(soup.mesh()))
}

proptest! {
    #![proptest_config(random_cases(2000))]

    /// A box of triangles is as far from everything as a box.
    #[test]
    fn a_box_of_triangles_is_as_far_as_a_box(a in solid(), pose_a in pose(2.5), pose_b in pose(0.5)) {
        let cuboid = Shape::Box { half: HALF };
        let [p, q] = closest(&a, &pose_a, boxed(), &pose_b).unwrap();
        let [r, s] = closest(boxed(), &pose_b, &a, &pose_a).unwrap();
        prop_assert!((p.distance(q) - r.distance(s)).abs() < 1e-9);
        if p.distance(q) > 1e-3 {
            // A point of each, and a plane through each that has the other beyond it: nothing is nearer.
            let grown = |pose: &Pose, to: Vec3| Pose { translation: pose.translation + (to - pose.translation) * 1e-7, ..*pose };
            prop_assert!(holds(&a, &grown(&pose_a, p), p), "{a:?} {p}");
            prop_assert!(holds(&cuboid, &grown(&pose_b, q), q), "{q}");
            let n = (q - p).normalize();
            let beyond = boxed_reach(&pose_b, -n) + n.dot(q);
            // The direction is known to half the digits of the distance.
            prop_assert!(beyond.abs() < 1e-5, "{beyond}");
        }
        if supported(&a, &cuboid) {
            let [r, s] = closest(&a, &pose_a, &cuboid, &pose_b).unwrap();
            let apart = r.distance(s);
            prop_assert!((p.distance(q) - apart).abs() < 1e-8 || apart < 1e-6, "{} {}", p.distance(q), apart);
        }
    }

    #[test]
    fn half_spaces_see_the_lowest_vertex(pose_a in pose(1.0), up in 1.1..2.0_f64) {
        let mut pose_a = pose_a;
        pose_a.translation.z += up;
        let [p, q] = closest(boxed(), &pose_a, &Shape::HalfSpace, &Pose::IDENTITY).unwrap();
        let lowest = -boxed_reach(&pose_a, -Vec3::Z);
        if lowest > 0.0 {
            prop_assert!((p.z - lowest).abs() < 1e-12 && q.z.abs() < 1e-12 && p.truncate() == q.truncate());
        }
    }

    #[test]
    fn two_boxes_of_triangles(pose_a in pose(1.8), pose_b in pose(0.3)) {
        let cuboid = Shape::Box { half: HALF };
        let [p, q] = closest(boxed(), &pose_a, boxed(), &pose_b).unwrap();
        let [r, s] = closest(&cuboid, &pose_a, &cuboid, &pose_b).unwrap();
        // Where they overlap the points are one.
        prop_assert!((p.distance(q) - r.distance(s)).abs() < 1e-8, "{} {}", p.distance(q), r.distance(s));
    }
}

/// How far the box reaches along `n`, from the world's origin.
fn boxed_reach(pose: &Pose, n: Vec3) -> f64 {
    n.dot(pose.translation) + (pose.rotation.inverse() * n).abs().dot(HALF)
}

#[test]
fn hollow_meshes_against_all_pairs_of_triangles() {
    let (ring, lump) = (torus(0.7, 0.2, 10, 6), potato(2));
    let (a, b) = (shape(&ring), shape(&lump));
    for i in 0..6 {
        let t = f64::from(i);
        let pose = Pose {
            translation: Vec3::new(1.5 * t.sin(), 1.6 * (2.0 * t).cos(), 1.2 + 0.1 * t),
            rotation: rotation::from_rotation_vector(Vec3::new(t, 1.0, -t)),
        };
        let moved = lump.clone().moved(&pose);
        let mut least = f64::INFINITY;
        for s in ring.corners() {
            for t in moved.corners() {
                for k in 0..3 {
                    least = least.min(triangle_distance(s[k], t)).min(triangle_distance(t[k], s));
                    for j in 0..3 {
                        least = least.min(between_segments(s[k], s[(k + 1) % 3], t[j], t[(j + 1) % 3]));
                    }
                }
            }
        }
        let [p, q] = closest(&a, &Pose::IDENTITY, &b, &pose).unwrap();
        assert!((p.distance(q) - least).abs() < 1e-9, "{i}: {} {least}", p.distance(q));
        assert!(ring.distance(p) < 1e-12 && moved.distance(q) < 1e-12);
    }
}

/// The distance to a segment is convex along another.
fn between_segments(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let at = |t: f64| segment_distance(a.lerp(b, t), c, d);
    for _ in 0..60 {
        let (s, t) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(s) < at(t) { high = t } else { low = s }
    }
    at(0.5 * (low + high))
}

#[test]
fn every_pair_has_a_method_or_an_error_that_names_it() {
    let mesh: Arc<TriMesh> = Arc::new(potato(2).mesh());
    let all = [
        Shape::Sphere { radius: 0.4 },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::new(0.3, 0.5, 0.2) },
        Shape::Cylinder { radius: 0.3, half_height: 0.5 },
        Shape::Capsule { radius: 0.3, half_height: 0.5 },
        Shape::Ellipsoid { radii: Vec3::new(0.3, 0.5, 0.2) },
        Shape::Cone { radius: 0.3, half_height: 0.5 },
        Shape::Bore { radius: 0.3, half_height: 0.5 },
        Shape::Funnel { radius: 0.3, half_height: 0.5 },
        Shape::Edge { half_angle: 0.6 },
        Shape::Mesh(mesh),
    ];
    for a in &all {
        for b in &all {
            assert_eq!(method(a, b).is_ok(), supported(a, b));
            assert_eq!(method(a, b).ok(), method(b, a).ok());
            if let Err(error) = method(a, b) {
                assert_eq!(
                    error.to_string(),
                    format!("contact between {} and {} is not supported", a.noun(), b.noun())
                );
            }
        }
        let with_mesh = method(a, &all[10]);
        let endless = matches!(a.name(), "bore" | "funnel" | "edge");
        assert_eq!(with_mesh.is_err(), endless, "{a:?}");
        if a.name() == "mesh" {
            assert_eq!(with_mesh, Ok(Method::ContactRegions));
        }
    }
    assert_eq!(method(&all[0], &all[1]), Ok(Method::Formula));
    assert_eq!(method(&all[2], &all[3]), Ok(Method::LeastOverlap));
}
