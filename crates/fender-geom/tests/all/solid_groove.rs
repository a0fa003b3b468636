//! Corners and rims in grooves of meshes, and contacts of more points than there is room for.

use crate::meshes::{Soup, cuboid, sheet};
use crate::work;
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Polyhedron, Shape};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The corner of a room: the parts of a floor and two walls around the origin, each cut finely; open.
fn room() -> Shape {
    let side = |q: Quat| sheet(8, 8, |_, _| 0.0).mapped(|p| q * (p + Vec3::new(1.0, 1.0, 0.0)));
    let turn = |axis: Vec3| rotation::from_axis_angle(axis.normalize(), TAU / 3.0);
    let soup = side(Quat::IDENTITY).plus(&side(turn(Vec3::ONE))).plus(&side(turn(-Vec3::ONE)));
    Shape::Mesh(Arc::new(joined(&soup).mesh()))
}

/// With the vertices that are at one place made one.
fn joined(soup: &Soup) -> Soup {
    let at = |p: Vec3| soup.0.iter().position(|q| q.distance(p) < 1e-9).unwrap() as u32;
    let vertices = soup.0.clone();
    let triangles = soup.1.iter().map(|t| t.map(|v| at(vertices[v as usize]))).collect();
    Soup(vertices, triangles)
}

/// A prism of regular polygons, 0.2 m wide and high.
fn prism(sides: u32) -> Shape {
    let ring = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(sides)).sin_cos();
        [-0.1, 0.1].map(|z| Vec3::new(0.1 * cos, 0.1 * sin, z))
    };
    let points: Vec<Vec3> = (0..sides).flat_map(ring).collect();
    Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()))
}

fn touch(shape: &Shape, pose: &Pose, mesh: &Shape) -> Vec<PointOverlap> {
    overlaps(shape, pose, mesh, &Pose::IDENTITY).points().to_vec()
}

/// Force of a contact of stiffness 1 N/m, its moment about the origin, and its energy.
fn wrench(points: &[PointOverlap]) -> [Vec3; 3] {
    points.iter().fold([Vec3::ZERO; 3], |[force, moment, energy], p| {
        let f = p.normal * (p.share * p.depth);
        [force + f, moment + p.point.cross(f), energy + Vec3::X * (0.5 * p.share * p.depth * p.depth)]
    })
}

/// The points with this normal, all together.
fn along(points: &[PointOverlap], normal: Vec3) -> Vec<PointOverlap> {
    points.iter().filter(|p| p.normal.distance(normal) < 1e-9).copied().collect()
}

#[test]
fn each_wall_of_a_room_is_a_half_space() {
    let depths = Vec3::new(2e-6, 3e-6, 1e-6);
    for (shape, depths) in [
        (Shape::Box { half: Vec3::splat(0.1) }, depths),
        (prism(16), depths),
        (Shape::Cylinder { radius: 0.1, half_height: 0.1 }, depths),
        (Shape::Cone { radius: 0.1, half_height: 0.1 }, depths),
    ] {
        let pose = Pose::from_translation(Vec3::splat(0.1) - depths);
        let found = touch(&shape, &pose, &room());
        for (normal, depth) in Vec3::AXES.into_iter().zip(depths.to_array()) {
            let plane = Pose { translation: Vec3::ZERO, rotation: rotation::between(Vec3::Z, normal) };
            let alone = overlaps(&shape, &pose, &Shape::HalfSpace, &plane);
            let [here, wanted] = [wrench(&along(&found, normal)), wrench(alone.points())];
            for (here, wanted) in here.iter().zip(wanted) {
                assert!(
                    here.distance(wanted) < 1e-9 * depth.abs(),
                    "{shape:?} {normal}: {here}, not {wanted}: {found:#?}"
                );
            }
        }
    }
}

/// A can that stands on the floor touches the wall with both rims at once, wherever that is between the places that are looked at.
#[test]
fn both_rims_of_a_can_meet_a_wall() {
    let can = Shape::Cylinder { radius: 0.05, half_height: 0.04 };
    let room = room();
    for i in 0..50 {
        let turn = rotation::from_axis_angle(Vec3::Z, 0.037 * f64::from(i));
        for floor in [6e-6, 1e-9, -1e-9] {
            // As little as when an impact is solved.
            for wall in [1e-5, 1e-7, 1e-9, 1e-12] {
                let pose = Pose { translation: Vec3::new(0.05 - wall, 0.3, 0.04 - floor), rotation: turn };
                let found = along(&touch(&can, &pose, &room), Vec3::X);
                let is_at = |z: f64| {
                    found.iter().any(|p| {
                        (p.point.z - pose.translation.z - z).abs() < 1e-9
                            && (p.depth - wall).abs() < 1e-3 * wall
                    })
                };
                assert!(is_at(-0.04) && is_at(0.04), "{i}, {floor}, {wall}: {found:#?}");
            }
        }
    }
}

/// Contacts begin and end with no depth where the nearest place changes from a face to the groove, whatever the angle between the faces.
#[test]
fn forces_do_not_jump_on_the_way_through_a_groove() {
    // The tip of a pyramid that is narrower than all grooves.
    let side = |i: u32, bit: u32| if i & bit == 0 { -0.01 } else { 0.01 };
    let points: Vec<Vec3> =
        (0..4).map(|i| Vec3::new(side(i, 1), side(i, 2), 0.1)).chain([Vec3::Z * -0.2]).collect();
    let pyramid = Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()));
    for slope in [0.2, 0.8, 1.0, 2.0, 5.0] {
        let groove = Shape::Mesh(Arc::new(sheet(4, 4, |x, _| slope * x.abs()).mesh()));
        let steps = 20_000;
        let mut last: Option<Vec3> = None;
        for i in 0..=steps {
            let t = 4.0 * f64::from(i) / f64::from(steps) - 2.0;
            let place = Vec3::new(1e-3 * t, 0.1, 0.2 - 1e-3);
            let [force, ..] = wrench(&touch(&pyramid, &Pose::from_translation(place), &groove));
            // No faster than the corner moves, for one contact of a quarter of the stiffness with each face.
            if let Some(last) = last {
                assert!((force - last).length() < 4e-3 / f64::from(steps), "{slope}, {t}: {last} {force}");
            }
            last = Some(force);
        }
    }
}

/// More corners than points: the same ones count together, and what they make is kept.
#[test]
fn corners_that_count_together_stay_together() {
    let floor = Shape::Mesh(Arc::new(cuboid(Vec3::new(1.0, 1.0, 0.5), 6).mesh()));
    for sides in [9, 16, 24, 31] {
        let prism = prism(sides);
        let pose = |tilt: Vec3| Pose {
            translation: Vec3::new(0.013, 0.007, 0.6 - 1e-5),
            rotation: rotation::from_rotation_vector(tilt),
        };
        let level = touch(&prism, &pose(Vec3::ZERO), &floor);
        assert!(level.len() == 4, "{sides}: {level:#?}");
        let plane = Pose::from_translation(Vec3::Z * 0.5);
        for i in 0..100 {
            let tilt = rotation::from_axis_angle(Vec3::Z, f64::from(i)) * Vec3::X * 1e-7;
            let found = touch(&prism, &pose(tilt), &floor);
            let half_space = overlaps(&prism, &pose(tilt), &Shape::HalfSpace, &plane);
            for (a, b) in wrench(&found).into_iter().zip(wrench(half_space.points())) {
                assert!(a.distance(b) < 1e-12, "{sides}, {i}: {a} {b}");
            }
            for p in &level {
                // Tilted by a thousandth of what lifts them: forces, and the places between them, change by as much.
                let near = found.iter().map(|q| q.point.distance(p.point)).fold(f64::INFINITY, f64::min);
                assert!(near < 1e-3 * 0.1, "{sides}, {i}: {near}");
            }
        }
    }
}

#[test]
fn a_closed_path_in_a_groove_takes_no_work() {
    let walls = [
        ("90", room(), 0.0),
        ("120", Shape::Mesh(Arc::new(sheet(20, 20, |x, _| x.max(0.0) * 3.0_f64.sqrt()).mesh())), 1.0),
    ];
    for shape in [
        Shape::Box { half: Vec3::splat(0.1) },
        Shape::Cylinder { radius: 0.1, half_height: 0.1 },
        Shape::Cone { radius: 0.1, half_height: 0.1 },
        prism(6),
        prism(16),
    ] {
        for (name, wall, side) in &walls {
            let pose = |s: f64| {
                let (a, b) = (TAU * s, 2.0 * TAU * s);
                let depths = [2e-3 + 3e-3 * b.cos(), 2e-3 + 3e-3 * (a + 1.0).cos()];
                let turn = Vec3::new(0.03 * a.sin(), 0.02 * b.sin(), 0.03 * a.cos());
                let x = if *side > 0.0 { depths[0] - 0.1 } else { 0.1 - depths[0] };
                let at = Vec3::new(x, 0.4 + 0.05 * a.sin(), 0.1 - depths[1]);
                Pose { translation: at, rotation: rotation::from_rotation_vector(turn) }
            };
            let (work, turned) = work::around(&shape, pose, wall, 20_000);
            // What is left is the error of the sum, of the second order in its steps; with one normal for both faces up to a tenth was.
            assert!(turned > 1e-5 && work.abs() < 1e-7 * turned, "{name} {shape:?}: {work:e} of {turned:e}");
        }
    }
}

/// A can that is put into a pocket which is too narrow: floor and four walls, each as a half-space.
#[test]
fn a_can_in_a_pocket_touches_floor_and_walls() {
    // Sides of a box around the origin, with the outside in; open above.
    let inside_out = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
    let Soup(vertices, triangles) = cuboid(Vec3::new(0.1 - 2e-5, 0.1 - 3e-5, 0.2), 4).mapped(inside_out);
    let is_lid = |t: &[u32; 3]| t.iter().all(|v| vertices[*v as usize].z > 0.1999);
    let walls = triangles.iter().copied().filter(|t| !is_lid(t)).collect();
    let pocket = Shape::Mesh(Arc::new(Soup(vertices.clone(), walls).mesh()));
    for shape in [
        Shape::Cylinder { radius: 0.1, half_height: 0.1 },
        Shape::Cone { radius: 0.1, half_height: 0.1 },
        Shape::Box { half: Vec3::splat(0.1) },
        prism(8),
    ] {
        let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.1 - 1e-5));
        let found = touch(&shape, &pose, &pocket);
        let sum = |normal: Vec3| along(&found, normal).iter().map(|p| p.share * p.depth).sum::<f64>();
        for (normal, offset) in [
            (Vec3::X, 0.1 - 2e-5),
            (-Vec3::X, 0.1 - 2e-5),
            (Vec3::Y, 0.1 - 3e-5),
            (-Vec3::Y, 0.1 - 3e-5),
            (Vec3::Z, 0.2),
        ] {
            let plane = Pose { translation: normal * -offset, rotation: rotation::between(Vec3::Z, normal) };
            let alone = overlaps(&shape, &pose, &Shape::HalfSpace, &plane);
            let wanted = alone.points().iter().map(|p| p.share * p.depth).sum::<f64>();
            assert!(
                (sum(normal) - wanted).abs() < 1e-9 * wanted,
                "{shape:?} {normal}: {} {wanted}",
                sum(normal)
            );
        }
    }
}
