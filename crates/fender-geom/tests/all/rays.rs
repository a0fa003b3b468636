//! Where rays meet shapes, and which points are inside, against marching along the ray.

use crate::inside::holds;
use crate::meshes::{potato, sheet};
use crate::pairs::Chance;
use crate::random_cases::random_cases;
use fender_geom::ray::{cast, inside as is_inside};
use fender_geom::{Polyhedron, Shape, TriMesh};
use fender_math::{Pose, Vec3, float, rotation};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

fn lump() -> Arc<TriMesh> {
    static LUMP: OnceLock<Arc<TriMesh>> = OnceLock::new();
    LUMP.get_or_init(|| Arc::new(potato(4).mesh())).clone()
}

/// Corners of a solid with faces of three, four and five sides.
fn wedge(size: Vec3) -> Vec<Vec3> {
    let corners = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 0), (-1, 1, 1)];
    corners.map(|(x, y, z)| Vec3::new(x.into(), y.into(), z.into()) * size).to_vec()
}

fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. })
}

/// One shape of each kind, of these sizes [m]; the mesh has its own.
fn shapes(size: Vec3) -> [Shape; 16] {
    let (radius, half_height) = (size.x, size.y);
    [
        Shape::Sphere { radius },
        Shape::HalfSpace,
        Shape::Box { half: size },
        Shape::Cylinder { radius, half_height },
        Shape::Capsule { radius, half_height },
        Shape::Ellipsoid { radii: size },
        Shape::Cone { radius, half_height },
        Shape::Bore { radius, half_height },
        Shape::Bore { radius, half_height: f64::INFINITY },
        Shape::Funnel { radius, half_height },
        Shape::Edge { half_angle: 0.1 + 1.4 * size.x / (size.x + size.y) },
        Shape::Mesh(lump()),
        Shape::Torus { radius: size.x + size.y, tube: size.x },
        Shape::HalfTorus { radius: size.x + size.y, tube: size.x },
        Shape::Link { radius: size.x + size.y, half_straight: size.z, tube: size.x },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&wedge(size)).unwrap())),
    ]
}

fn sizes() -> impl Strategy<Value = Vec3> {
    (0.2..1.0_f64, 0.2..1.0_f64, 0.2..1.0_f64).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(0.5), vector(3.0))
        .prop_map(|(translation, turn)| Pose { translation, rotation: rotation::from_rotation_vector(turn) })
}

proptest! {
    #![proptest_config(random_cases(1000))]

    /// For each kind of shape.
    #[test]
    fn the_first_crossing_is_found(
        size in sizes(), pose in pose(), origin in vector(2.5), aim in vector(1.0), e in -4.0..4.0_f64,
    ) {
        let scale = float::pow(10.0, e);
        for shape in shapes(size * scale) {
            let scale = if matches!(shape, Shape::Mesh(_)) { 1.0 } else { scale };
            let pose = Pose { translation: pose.translation * scale, ..pose };
            first_crossing(&shape, &pose, origin * scale, (aim - origin) * scale, scale)?;
            if !shape.is_endless() && is_convex(&shape) {
                there_and_back(&shape, &pose, origin * scale, (aim - origin).normalize() * scale, scale)?;
            }
        }
    }
}

/// Between the origin and the hit nothing changes from outside to inside or back; at the hit it does, and the normal points outside.
fn first_crossing(
    shape: &Shape,
    pose: &Pose,
    origin: Vec3,
    direction: Vec3,
    scale: f64,
) -> Result<(), TestCaseError> {
    const STEPS: u32 = 64;
    let begins_inside = holds(shape, pose, origin);
    prop_assert_eq!(is_inside(shape, pose, origin), begins_inside);
    let hit = cast(shape, pose, origin, direction, 4.0);
    let end = hit.map_or(4.0, |hit| hit.distance);
    for i in 0..STEPS {
        let t = (f64::from(i) + 0.5) / f64::from(STEPS) * (end - 1e-9);
        let is_in = holds(shape, pose, origin + direction * t);
        prop_assert_eq!(is_in, begins_inside, "{:?}: {:?} {}", shape, hit, t);
    }
    let Some(hit) = hit else { return Ok(()) };
    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-12);
    prop_assert!((hit.point - (origin + direction * hit.distance)).length() <= 1e-12 * scale);
    prop_assert_eq!(hit.from_outside, !begins_inside);
    let along = direction.normalize();
    let steep = hit.normal.dot(along);
    prop_assert!(if hit.from_outside { steep < 1e-9 } else { steep > -1e-9 }, "{:?}: {:?}", shape, hit);
    if steep.abs() > 1e-3 {
        let step = 1e-7 * scale;
        // Past the surface it is the other way; at an edge perhaps for less than a step.
        let changes = [1.0, 1e-3]
            .iter()
            .any(|part| holds(shape, pose, hit.point + along * (part * step)) != begins_inside);
        prop_assert!(changes, "{:?}: {:?}", shape, hit);
        prop_assert!(!holds(shape, pose, hit.point + hit.normal * step), "{:?}: {:?}", shape, hit);
    }
    Ok(())
}

/// A convex shape is left where it is entered on the way back, and what lies between is inside.
fn there_and_back(
    shape: &Shape,
    pose: &Pose,
    origin: Vec3,
    direction: Vec3,
    scale: f64,
) -> Result<(), TestCaseError> {
    if holds(shape, pose, origin) {
        return Ok(());
    }
    let there = cast(shape, pose, origin, direction, 10.0);
    let back = cast(shape, pose, origin + direction * 10.0, -direction, 10.0);
    // A ray that just grazes may meet it one way only.
    let (Some(there), Some(back)) = (there, back) else {
        let tangent = there.or(back).is_none_or(|hit| hit.normal.dot(direction).abs() < 1e-5 * scale);
        prop_assert!(tangent, "{:?}: {:?} {:?}", shape, there, back);
        return Ok(());
    };
    prop_assert!(there.from_outside && back.from_outside);
    let (enter, leave) = (there.distance, 10.0 - back.distance);
    prop_assert!(enter <= leave + 1e-9);
    if leave - enter > 1e-6 {
        let middle = origin + direction * (0.5 * (enter + leave));
        prop_assert!(is_inside(shape, pose, middle));
        let out = cast(shape, pose, middle, direction, 10.0).expect("a solid has an end");
        prop_assert!(!out.from_outside, "{:?}: {:?}", shape, out);
        prop_assert!(out.point.distance(back.point) < 1e-9 * scale, "{:?}: {:?} {:?}", shape, out, back);
    }
    Ok(())
}

#[test]
fn no_ray_slips_through_a_seam() {
    let shapes = [
        Shape::Cylinder { radius: 0.3, half_height: 0.7 },
        Shape::Cone { radius: 0.3, half_height: 0.7 },
        Shape::Capsule { radius: 0.3, half_height: 0.7 },
    ];
    let mut chance = Chance(5);
    for shape in &shapes {
        let pose = Pose { translation: chance.vector(), rotation: chance.turn() };
        for _ in 0..20_000 {
            // Just inside of the rim.
            let (sin, cos) = float::sin_cos(chance.between(0.0, 7.0));
            let rim = Vec3::new(0.3 * cos, 0.3 * sin, -0.7) * (1.0 - 1e-14);
            let origin = chance.direction() * 3.0;
            let hit = cast(shape, &pose, pose.transform_point(origin), pose.rotation * (rim - origin), 2.0);
            let hit = hit.expect("a point of the solid is on the ray");
            assert!(hit.distance < 1.0 + 1e-6, "{hit:?}");
        }
    }
}

#[test]
fn known_hits() {
    let down = |shape: &Shape, x: f64| {
        cast(shape, &Pose::IDENTITY, Vec3::new(x, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0), f64::INFINITY)
    };
    let hit = down(&Shape::Sphere { radius: 1.0 }, 0.6).expect("met");
    assert!((hit.distance - 2.1).abs() < 1e-15 && hit.normal.distance(Vec3::new(0.6, 0.0, 0.8)) < 1e-15);
    assert_eq!(down(&Shape::Sphere { radius: 1.0 }, 1.01), None);
    // Through the hole of a bore, onto the side of a funnel, onto its tip.
    let bore = Shape::Bore { radius: 0.5, half_height: 1.0 };
    assert_eq!(down(&bore, 0.4), None);
    assert!((down(&bore, 0.6).expect("met").distance - 2.0).abs() < 1e-15);
    let funnel = Shape::Funnel { radius: 1.0, half_height: 0.5 };
    let wall = down(&funnel, 0.25).expect("met");
    assert!((wall.point.z + 0.25).abs() < 1e-15 && wall.normal.x < 0.0 && wall.normal.z > 0.0, "{wall:?}");
    assert!((down(&funnel, 0.0).expect("met").point.z + 0.5).abs() < 1e-15);
    // From inside.
    let cube = Shape::Box { half: Vec3::ONE };
    let out = cast(&cube, &Pose::IDENTITY, Vec3::new(0.5, 0.0, 0.0), Vec3::X, 1.0).expect("left");
    assert!(!out.from_outside && out.distance == 0.5 && out.normal == Vec3::X);
    assert_eq!(cast(&cube, &Pose::IDENTITY, Vec3::new(0.5, 0.0, 0.0), Vec3::X, 0.4), None);
    // A sheet is met from both sides and has no inside.
    let sheet = Shape::Mesh(Arc::new(sheet(3, 3, |_, _| 0.0).mesh()));
    for side in [-1.0, 1.0] {
        let hit =
            cast(&sheet, &Pose::IDENTITY, Vec3::new(0.1, 0.2, side), -Vec3::Z * side, 9.0).expect("met");
        assert_eq!((hit.normal, hit.from_outside), (Vec3::Z, side > 0.0));
    }
    assert!(!is_inside(&sheet, &Pose::IDENTITY, Vec3::ZERO));
    // From far away, onto something small.
    let grain = Shape::Sphere { radius: 1e-4 };
    let hit = cast(&grain, &Pose::IDENTITY, Vec3::new(0.0, 5e-5, 1e4), -Vec3::Z, f64::INFINITY).expect("met");
    assert!((hit.point.z - 1e-4 * 0.75_f64.sqrt()).abs() < 1e-11, "{hit:?}");
}

#[test]
fn what_is_not_a_number_meets_nothing() {
    let bad = Vec3::new(f64::NAN, 0.0, 0.0);
    let far = Vec3::new(f64::INFINITY, 0.0, 0.0);
    let all = [
        Shape::Sphere { radius: 0.4 },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::ONE },
        Shape::Cylinder { radius: 0.3, half_height: 0.5 },
        Shape::Capsule { radius: 0.3, half_height: 0.5 },
        Shape::Ellipsoid { radii: Vec3::ONE },
        Shape::Cone { radius: 0.3, half_height: 0.5 },
        Shape::Bore { radius: 0.3, half_height: 0.5 },
        Shape::Funnel { radius: 0.3, half_height: 0.5 },
        Shape::Edge { half_angle: 0.6 },
        Shape::Mesh(lump()),
    ];
    for shape in &all {
        for (origin, direction) in
            [(bad, Vec3::X), (Vec3::ZERO, bad), (far, Vec3::X), (Vec3::ZERO, Vec3::ZERO), (Vec3::ZERO, far)]
        {
            assert_eq!(cast(shape, &Pose::IDENTITY, origin, direction, f64::INFINITY), None, "{shape:?}");
        }
        assert_eq!(
            cast(shape, &Pose::IDENTITY, Vec3::new(0.1, 0.2, 3.0), -Vec3::Z, f64::NAN),
            None,
            "{shape:?}"
        );
        assert!(!is_inside(shape, &Pose::IDENTITY, bad));
    }
}
