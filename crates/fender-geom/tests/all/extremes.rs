//! Every pair of shapes where numbers get hard: sizes from 1e-4 to 1e4 m against each other, far from the origin, one within the
//! other, with the same centre and axes. Whatever is asked has a defined answer. And a mesh of a million triangles.

use crate::meshes::{cuboid, potato, sheet};
use crate::pairs::Chance;
use fender_geom::distance::{closest, has_distance};
use fender_geom::narrow::{overlaps, supported};
use fender_geom::{Polyhedron, Shape, TriMesh, ray};
use fender_math::{Pose, Vec3};
use std::sync::Arc;

const SIZES: [f64; 5] = [1e-4, 1e-2, 1.0, 1e2, 1e4];
/// How far from the world's origin [m].
const PLACES: [f64; 3] = [0.0, 1e4, 1e7];

/// One shape of each kind, of about this size [m].
fn shapes(size: f64) -> Vec<Shape> {
    let (radius, half_height, tube) = (0.4 * size, 0.5 * size, 0.1 * size);
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE].map(|p| p * (0.5 * size));
    let mesh = |mesh: TriMesh| Shape::Mesh(Arc::new(mesh));
    vec![
        Shape::Sphere { radius },
        Shape::Ellipsoid { radii: Vec3::new(0.5, 0.3, 0.2) * size },
        Shape::Capsule { radius, half_height },
        Shape::Cylinder { radius, half_height },
        Shape::Cone { radius, half_height },
        Shape::Box { half: Vec3::new(0.5, 0.3, 0.2) * size },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners).unwrap())),
        mesh(cuboid(Vec3::new(0.5, 0.3, 0.2) * size, 2).mesh()),
        mesh(potato(3).mapped(|p| p * size).mesh()),
        mesh(sheet(4, 4, |x, y| 0.2 * x * y).mapped(|p| p * (0.5 * size)).mesh()),
        Shape::Torus { radius, tube },
        Shape::HalfTorus { radius, tube },
        Shape::Link { radius: 0.3 * size, half_straight: 0.3 * size, tube },
        Shape::HalfSpace,
        Shape::Bore { radius, half_height },
        Shape::Funnel { radius, half_height },
        Shape::Edge { half_angle: 0.6 },
    ]
}

fn reach(shape: &Shape) -> f64 {
    if shape.is_endless() { 0.0 } else { shape.bounding_radius() }
}

/// Everything that can be asked of two shapes.
fn ask(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) {
    let story = || format!("{a:?} at {pose_a:?}, {b:?} at {pose_b:?}");
    let found = overlaps(a, pose_a, b, pose_b);
    for p in found.points() {
        assert!(p.point.is_finite() && p.depth.is_finite() && p.depth > 0.0, "{p:?} {}", story());
        assert!((p.normal.length() - 1.0).abs() < 1e-9, "{p:?} {}", story());
        assert!(p.share >= 0.0 && p.share <= 1.0 + 1e-9, "{p:?} {}", story());
        assert!(p.curvature.is_finite() && p.elongation.is_finite(), "{p:?} {}", story());
    }
    let near = closest(a, pose_a, b, pose_b);
    assert_eq!(near.is_some(), has_distance(a, b), "{}", story());
    assert!(near.is_none_or(|[p, q]| p.is_finite() && q.is_finite()), "{near:?} {}", story());
    let origin = pose_a.translation;
    ray::inside(b, pose_b, origin);
    for direction in [Vec3::X, pose_b.translation - origin, pose_a.rotation * Vec3::Z] {
        if let Some(hit) = ray::cast(b, pose_b, origin, direction, f64::INFINITY) {
            assert!(hit.distance >= 0.0 && hit.point.is_finite(), "{hit:?} {}", story());
            assert!((hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?} {}", story());
        }
    }
}

#[test]
fn every_pair_of_every_size_has_a_defined_answer() {
    let all: Vec<Vec<Shape>> = SIZES.iter().map(|size| shapes(*size)).collect();
    let mut chance = Chance(7);
    let mut asked = 0;
    for (i, first) in all.iter().enumerate() {
        for second in &all[i..] {
            for a in first {
                for b in second.iter().filter(|b| supported(a, b)) {
                    // Depth in parts of the smaller one, from just touching to the middle of the larger.
                    let (ra, rb) = (reach(a), reach(b));
                    let smaller = if ra == 0.0 || rb == 0.0 { ra.max(rb) } else { ra.min(rb) };
                    for place in PLACES {
                        let at = chance.direction() * place;
                        let same = Pose { translation: at, rotation: chance.turn() };
                        ask(a, &same, b, &same);
                        for distance in
                            [0.0, 1e-9 * smaller, 0.5 * smaller, ra + rb - 0.3 * smaller, 2.0 * (ra + rb)]
                        {
                            let moved = Pose {
                                translation: at + chance.direction() * distance,
                                rotation: chance.turn(),
                            };
                            ask(a, &moved, b, &same);
                            asked += 1;
                        }
                    }
                }
            }
        }
    }
    // 15 pairs of sizes, 3 places, 5 distances, and 17 shapes with what they can touch.
    assert!(asked > 15 * 3 * 5 * 17 * 9, "{asked}");
}

/// A polyhedron with the corners of a box is touched by rings and links where the box is, as deep.
#[test]
fn tubes_touch_a_polyhedron_as_they_touch_a_box() {
    let half = Vec3::new(0.5, 0.3, 0.2);
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] })))
        .collect();
    let solid = Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners).unwrap()));
    let tubes = [
        Shape::Torus { radius: 0.4, tube: 0.1 },
        Shape::HalfTorus { radius: 0.4, tube: 0.1 },
        Shape::Link { radius: 0.3, half_straight: 0.3, tube: 0.1 },
    ];
    let mut chance = Chance(3);
    let mut touched = 0;
    for _ in 0..300 {
        let pose =
            Pose { translation: chance.direction() * chance.between(0.3, 1.2), rotation: chance.turn() };
        for tube in &tubes {
            let deepest = |other: &Shape| {
                let found = overlaps(tube, &pose, other, &Pose::IDENTITY);
                found.points().iter().map(|p| p.depth).fold(0.0, f64::max)
            };
            let (found, expected) = (deepest(&solid), deepest(&Shape::Box { half }));
            assert!((found - expected).abs() < 1e-9, "{tube:?} {pose:?}: {found} {expected}");
            touched += usize::from(found > 0.0);
            let apart = |other: &Shape| {
                let [p, q] = closest(tube, &pose, other, &Pose::IDENTITY).unwrap();
                p.distance(q)
            };
            assert!((apart(&solid) - apart(&Shape::Box { half })).abs() < 1e-9, "{tube:?} {pose:?}");
        }
    }
    assert!(touched > 200, "{touched}");
}

/// A potato of 1 002 252 triangles against one whose nearest places are known, or looked for one by one.
#[test]
fn a_million_triangles() {
    let soup = potato(289);
    let mesh = soup.mesh();
    assert_eq!(mesh.triangles().len(), 12 * 289 * 289);
    assert!(mesh.is_closed() && mesh.diagnostics().is_clean(), "{}", mesh.diagnostics());
    // What the same ball of fewer triangles holds, and its sagitta: the volume differs by the square of the cells' size.
    let coarse = potato(72).mesh().volume().unwrap();
    let volume = mesh.volume().unwrap();
    assert!(
        (volume / coarse - 1.0).abs() < 1e-3 && mesh.bytes() < 160 * mesh.triangles().len(),
        "{volume} {coarse}"
    );

    let mut chance = Chance(11);
    for _ in 0..20 {
        let p = chance.vector();
        let found = mesh.closest(p).unwrap();
        assert!((found.distance - soup.distance(p)).abs() < 1e-12, "{p}");
        let is_inside = soup.winding(p).round() == 1.0;
        assert_eq!(mesh.holds(p), Some(is_inside), "{p}");
        // From inside every ray leaves; where it does the surface is.
        let inside = Vec3::ZERO;
        let hit = mesh.cast(inside, chance.direction(), f64::INFINITY).unwrap();
        assert!(!hit.from_outside && mesh.closest(hit.point).unwrap().distance < 1e-12);
    }

    // A ball, a box and a copy of itself, dipping in: the depth is what the nearest places say.
    let top = mesh.cast(Vec3::Z * 5.0, Vec3::NEG_Z, f64::INFINITY).unwrap();
    let mesh = Shape::Mesh(Arc::new(mesh));
    let radius = 0.01;
    let ball = Shape::Sphere { radius };
    let at = Pose::from_translation(top.point + Vec3::Z * (0.5 * radius));
    let found = overlaps(&ball, &at, &mesh, &Pose::IDENTITY);
    let deepest = found.points().iter().map(|p| p.depth).fold(0.0, f64::max);
    let center = soup.distance(at.translation);
    assert!((deepest - (radius - center)).abs() < 1e-12, "{deepest} {center}");
    let half = Vec3::splat(0.02);
    let at = Pose::from_translation(top.point + Vec3::Z * 0.019);
    ask(&Shape::Box { half }, &at, &mesh, &Pose::IDENTITY);
    assert!(!overlaps(&Shape::Box { half }, &at, &mesh, &Pose::IDENTITY).points().is_empty());
    let aside = Pose::from_translation(Vec3::X * 1.3);
    ask(&mesh, &aside, &mesh, &Pose::IDENTITY);
}
