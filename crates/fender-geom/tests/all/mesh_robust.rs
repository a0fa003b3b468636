//! Meshes that are not meant to be: whatever the triangles are, every query has a finite answer.

use crate::meshes::{cuboid, sheet};
use crate::random_cases::random_cases;
use fender_contact::PointOverlap;
use fender_geom::distance::closest;
use fender_geom::narrow::overlaps;
use fender_geom::{Polyhedron, Shape, TriMesh};
use fender_math::{Pose, Quat, Vec3, float, rotation};
use proptest::prelude::*;
use std::sync::Arc;

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Places on a coarse grid: many coincide, lie in a line or in a plane.
fn place() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        3 => (-2..3_i32, -2..3_i32, -2..3_i32).prop_map(|(x, y, z)| Vec3::new(x.into(), y.into(), z.into()) * 0.5),
        1 => vector(1.0),
    ]
}

fn soup() -> impl Strategy<Value = (Vec<Vec3>, Vec<[u32; 3]>)> {
    let triangle = (0..12_u32, 0..12_u32, 0..12_u32).prop_map(|(a, b, c)| [a, b, c]);
    (proptest::collection::vec(place(), 12), proptest::collection::vec(triangle, 1..30))
}

fn solids(size: f64) -> [Shape; 8] {
    [
        Shape::Sphere { radius: 0.4 * size },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::new(0.3, 0.5, 0.2) * size },
        Shape::Cylinder { radius: 0.3 * size, half_height: 0.5 * size },
        Shape::Capsule { radius: 0.3 * size, half_height: 0.5 * size },
        Shape::Ellipsoid { radii: Vec3::new(0.3, 0.5, 0.2) * size },
        Shape::Cone { radius: 0.3 * size, half_height: 0.5 * size },
        Shape::Polyhedron(Arc::new(
            Polyhedron::hull(&[Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE].map(|p| p * (0.4 * size))).unwrap(),
        )),
    ]
}

fn check(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<(), TestCaseError> {
    for p in overlaps(a, pose_a, b, pose_b).points() {
        prop_assert!(p.point.is_finite() && p.depth.is_finite() && p.depth > 0.0, "{a:?} {p:?}");
        prop_assert!((p.normal.length() - 1.0).abs() < 1e-9, "{a:?} {p:?}");
        prop_assert!(p.share >= 0.0 && p.share <= 1.0 + 1e-9 && p.curvature.is_finite(), "{a:?} {p:?}");
        prop_assert!(p.elongation.is_finite());
    }
    let [p, q] = closest(a, pose_a, b, pose_b).unwrap();
    prop_assert!(p.is_finite() && q.is_finite());
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(1000))]

    #[test]
    fn any_triangles_will_do(
        (vertices, triangles) in soup(), (others, more) in soup(), at in place(), turn in place(), e in -4.0..4.0_f64,
    ) {
        let size = float::pow(10.0, e);
        let made = |vertices: &[Vec3], triangles: &[[u32; 3]]| {
            let scaled: Vec<Vec3> = vertices.iter().map(|v| *v * size).collect();
            TriMesh::new(&scaled, triangles).ok()
        };
        let (Some(mesh), Some(other)) = (made(&vertices, &triangles), made(&others, &more)) else { return Ok(()) };
        let found = mesh.closest(at * size).unwrap();
        prop_assert!(found.point.is_finite() && found.distance.is_finite());
        prop_assert!(mesh.outward(found.feature).is_finite());
        if let Some(hit) = mesh.cast(at * size, turn, f64::INFINITY) {
            prop_assert!(hit.point.is_finite() && hit.distance >= 0.0);
        }
        prop_assert!(mesh.mass_properties(1000.0).is_none_or(|m| m.mass > 0.0 && m.center.is_finite()));
        let pose = Pose { translation: at * size, rotation: rotation::from_rotation_vector(turn) };
        let (mesh, other) = (Shape::Mesh(Arc::new(mesh)), Shape::Mesh(Arc::new(other)));
        for solid in solids(size) {
            check(&solid, &pose, &mesh, &Pose::IDENTITY)?;
        }
        check(&other, &pose, &mesh, &Pose::IDENTITY)?;
        check(&mesh, &Pose::IDENTITY, &mesh, &Pose::IDENTITY)?;
    }

    /// A grain on a mountain and a mountain on a grain.
    #[test]
    fn sizes_may_differ(at in vector(0.5), turn in vector(3.0), k in 0..8_usize) {
        let pose = |size: f64| Pose { translation: at * size, rotation: rotation::from_rotation_vector(turn) };
        for (large, small) in [(1e4, 1e-4), (1.0, 1e-4), (1e4, 1.0)] {
            let mesh = Shape::Mesh(Arc::new(cuboid(Vec3::splat(0.5 * large), 2).mesh()));
            // Just dipping in from above.
            let mut on_top = pose(small);
            on_top.translation += Vec3::new(0.13 * large, 0.07 * large, 0.5 * large);
            check(&solids(small)[k], &on_top, &mesh, &Pose::IDENTITY)?;
            let mesh = Shape::Mesh(Arc::new(cuboid(Vec3::splat(0.5 * small), 2).mesh()));
            check(&solids(large)[k], &pose(large), &mesh, &Pose::IDENTITY)?;
        }
    }
}

/// A solid that stands exactly on a table and over its edge only touches it: nothing pushes it aside.
#[test]
fn what_stands_exactly_on_an_edge_is_not_in_the_mesh() {
    let table = Shape::Mesh(Arc::new(cuboid(Vec3::new(0.5, 0.5, 0.25), 4).mesh()));
    let hull = |half: Vec3| {
        let signs = [-1.0, 1.0];
        let corners = signs.iter().flat_map(|x| signs.iter().map(move |y| (x, y)));
        let corners = corners.flat_map(|(x, y)| signs.map(|z| Vec3::new(*x, *y, z) * half));
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners.collect::<Vec<_>>()).unwrap()))
    };
    let half = Vec3::new(0.04, 0.04, 0.06);
    let solids = [
        Shape::Box { half },
        hull(half),
        Shape::Cylinder { radius: 0.04, half_height: 0.06 },
        Shape::Cone { radius: 0.04, half_height: 0.06 },
        Shape::Capsule { radius: 0.02, half_height: 0.04 },
    ];
    for x in [0.3, 0.462, 0.48, 0.498, 0.5, 0.52] {
        let on =
            |height: f64| Pose { translation: Vec3::new(x, -0.4, 0.25 + height), rotation: Quat::IDENTITY };
        for solid in &solids {
            let deepest = |pose: &Pose| {
                let found = overlaps(solid, pose, &table, &Pose::IDENTITY);
                found.points().iter().map(|p| p.depth).fold(0.0, f64::max)
            };
            assert_eq!(deepest(&on(0.06)), 0.0, "{solid:?} at {x}");
            let low = deepest(&on(0.06 - 1e-4));
            assert!(x > 0.5 || (low - 1e-4).abs() < 1e-12, "{solid:?} at {x}: {low}");
        }
    }
}

/// The same with tables that are turned and rounded, so that the end of a can may be in them or not, by the last digit.
#[test]
fn what_stands_on_an_edge_but_for_rounding_is_not_in_the_mesh() {
    let (half_height, radius) = (0.0575, 0.033);
    let table = cuboid(Vec3::new(0.15, 0.1, 0.05), 4).mesh();
    for k in 0..200 {
        let turn = Quat::from_rotation_z(0.1 * f64::from(k));
        let rounded = |p: &Vec3| {
            let p = turn * (*p - Vec3::Z * 0.05);
            Vec3::from_array(p.to_array().map(|x| f64::from(x as f32)))
        };
        let vertices: Vec<Vec3> = table.vertices().iter().map(rounded).collect();
        let mesh = Shape::Mesh(Arc::new(TriMesh::new(&vertices, table.triangles()).unwrap()));
        for can in [Shape::Cylinder { radius, half_height }, Shape::Cone { radius, half_height }] {
            for x in [0.12, 0.147, 0.153] {
                let translation = turn * Vec3::new(x, 0.02, 0.0) + Vec3::Z * half_height;
                let pose = Pose { translation, rotation: Quat::IDENTITY };
                let found = overlaps(&can, &pose, &mesh, &Pose::IDENTITY);
                let deepest = found.points().iter().map(|p| p.depth).fold(0.0, f64::max);
                assert!(deepest < 1e-12, "{can:?} at {x}, turned by {k}: {deepest}");
            }
        }
    }
}

/// A can on a block that is smaller than its cap rests on the block's corners, and one over a corner of a table on that too: they can carry it wherever its middle is over them.
#[test]
fn a_cap_rests_on_corners() {
    let can = Shape::Cylinder { radius: 0.04, half_height: 0.06 };
    let depth = 1e-5;
    for (half, [x, y]) in
        [(0.02, [0.005, 0.003]), (0.02, [0.017, -0.01]), (0.5, [0.49, 0.49]), (0.5, [0.48, -0.495])]
    {
        let block = Shape::Mesh(Arc::new(cuboid(Vec3::new(half, half, 0.25), 1).mesh()));
        let translation = Vec3::new(x, y, 0.31 - depth);
        let tipped =
            |rotation: Quat| overlaps(&can, &Pose { translation, rotation }, &block, &Pose::IDENTITY);
        let found = tipped(Quat::IDENTITY);
        assert!(found.points().iter().all(|p| p.normal.z > 0.999 && p.depth < 1.01 * depth), "{found:?}");
        // In whatever direction it tips, by half of its depth at the rim, something is in the way.
        for k in 0..36 {
            let direction = Quat::from_rotation_z(f64::from(k) * 10.0_f64.to_radians()) * Vec3::X;
            let found = tipped(Quat::from_axis_angle(Vec3::Z.cross(direction), 0.5 * depth / 0.04));
            let lever = |p: &PointOverlap| p.share * direction.dot(p.point - translation);
            let most = found.points().iter().map(lever).fold(0.0, f64::max);
            assert!(most > 1e-4, "at {x}, {y}: nothing towards {direction}: {found:?}");
        }
    }
}

/// A can that stands level over an edge or a corner pushes with all of its arc: a tilt that is nothing beside its depth, or a turn about its axis, moves nothing.
#[test]
fn a_level_can_over_an_edge_pushes_with_its_arc() {
    let table = Shape::Mesh(Arc::new(cuboid(Vec3::new(0.5, 0.5, 0.25), 4).mesh()));
    let depth = 1e-5;
    for can in
        [Shape::Cylinder { radius: 0.04, half_height: 0.06 }, Shape::Cone { radius: 0.04, half_height: 0.06 }]
    {
        for [x, y] in [[0.462, -0.4], [0.48, -0.4], [0.498, -0.41], [0.49, -0.48], [0.499, -0.499]] {
            let wrench = |turn: Vec3, height: f64| {
                let translation = Vec3::new(x, y, 0.31 - depth + height);
                let pose = Pose { translation, rotation: rotation::from_rotation_vector(turn) };
                let found = overlaps(&can, &pose, &table, &Pose::IDENTITY);
                found.points().iter().fold([Vec3::ZERO; 2], |[force, moment], p| {
                    // Beside the table there is nothing to push against.
                    assert!(p.point.x < 0.5 + 1e-9 && p.point.y > -0.5 - 1e-9, "{can:?} at {x}, {y}: {p:?}");
                    let f = p.normal * (p.share * p.depth);
                    [force + f, moment + (p.point - translation).cross(f)]
                })
            };
            let level = wrench(Vec3::ZERO, 0.0);
            assert!(level[0].z > 0.25 * depth, "{can:?} at {x}, {y}: {level:?}");
            let turns = [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)].map(|turn| turn * 1e-10);
            let turns =
                turns.into_iter().flat_map(|turn| [turn, -turn]).chain([Vec3::Z * 0.3, Vec3::Z * 2.0]);
            for turn in turns {
                let [force, moment] = wrench(turn, 1e-3 * depth * turn.x.signum());
                let off = (force - level[0]).length().max((moment - level[1]).length() / 0.04);
                assert!(off < 0.01 * level[0].length(), "{can:?} at {x}, {y} turned by {turn}: {off}");
            }
        }
    }
}

/// An ellipsoid whose distance from a triangle is its own size but for the last digit (found by the long run): no contact has no depth.
#[test]
fn what_touches_by_rounding_has_depth_or_is_apart() {
    let size = float::pow(10.0, -1.4716142627586146);
    let corners = [Vec3::new(1.0, -0.5, -0.5), Vec3::ZERO, Vec3::new(-1.0, -1.0, 0.5)].map(|p| p * size);
    let mesh = Shape::Mesh(Arc::new(TriMesh::new(&corners, &[[0, 1, 2]]).unwrap()));
    let turn = rotation::from_rotation_vector(Vec3::new(-0.5, 0.0, -1.0));
    let pose = Pose { translation: Vec3::new(0.5, -0.5, -0.5) * size, rotation: turn };
    for solid in solids(size) {
        check(&solid, &pose, &mesh, &Pose::IDENTITY).unwrap();
    }
}

/// A box slides over a floor of triangles, and a lying cylinder rolls: as on a half-space all the way, to rounding.
#[test]
fn sliding_and_rolling_over_triangles_is_smooth() {
    let floor = Shape::Mesh(Arc::new(sheet(50, 50, |_, _| 0.0).mesh()));
    let lying = rotation::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2);
    let force = |points: &[fender_contact::PointOverlap]| -> Vec3 {
        points.iter().map(|p| p.normal * (p.depth * p.share)).sum()
    };
    for i in 0..4000 {
        let x = f64::from(i) * 3e-4 - 0.6;
        let slide = Pose {
            translation: Vec3::new(x, 0.3 * x, 0.0995),
            rotation: rotation::from_axis_angle(Vec3::Z, x),
        };
        let roll = Pose {
            translation: Vec3::new(x, 0.1, 0.0995),
            rotation: rotation::from_axis_angle(Vec3::Y, x / 0.1) * lying,
        };
        for (shape, pose) in [
            (Shape::Box { half: Vec3::new(0.2, 0.15, 0.1) }, slide),
            (Shape::Cylinder { radius: 0.1, half_height: 0.2 }, roll),
            (Shape::Capsule { radius: 0.1, half_height: 0.2 }, roll),
        ] {
            let found = overlaps(&shape, &pose, &floor, &Pose::IDENTITY);
            let exact = overlaps(&shape, &pose, &Shape::HalfSpace, &Pose::IDENTITY);
            assert_eq!(found.points().len(), exact.points().len(), "{shape:?} {x}");
            assert!((force(found.points()) - force(exact.points())).length() < 1e-12, "{shape:?} {x}");
        }
    }
}
