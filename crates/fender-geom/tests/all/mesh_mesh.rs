//! Meshes on meshes: regions of contact, and what pushes there.

use crate::meshes::{Soup, ball, cuboid, potato, sheet, torus};
use crate::random_cases::random_cases;
use crate::work::{self, wrench};
use fender_contact::PointOverlap;
use fender_geom::narrow::{ContactRegion, mesh_regions, overlaps};
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::f64::consts::PI;
use std::sync::{Arc, OnceLock};

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn turn() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(rotation::from_rotation_vector)
}

fn regions(a: &TriMesh, pose_a: &Pose, b: &TriMesh, pose_b: &Pose) -> Vec<ContactRegion> {
    let mut found = Vec::new();
    mesh_regions(a, pose_a, b, pose_b, |region| found.push(region));
    found
}

fn touch(a: &Arc<TriMesh>, pose_a: &Pose, b: &Arc<TriMesh>, pose_b: &Pose) -> Vec<PointOverlap> {
    overlaps(&Shape::Mesh(a.clone()), pose_a, &Shape::Mesh(b.clone()), pose_b).points().to_vec()
}

fn made(soup: &Soup) -> Arc<TriMesh> {
    Arc::new(soup.mesh())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// A box on a box, wherever it stands: depth, normal, area and centre are those of the overlap of their faces.
#[test]
fn a_box_on_a_box() {
    let depth = 1e-3;
    for n in [1, 2, 5] {
        let top = made(&cuboid(Vec3::new(0.2, 0.1, 0.15), n));
        let table = made(&cuboid(Vec3::new(1.0, 1.0, 0.5), 4));
        // In the middle, over an edge, over a corner; places that are not special.
        for (x, y, wide, long) in
            [(0.013, 0.027, 0.4, 0.2), (0.95, 0.027, 0.25, 0.2), (0.95, 0.97, 0.25, 0.13)]
        {
            let pose = at(x, y, 0.65 - depth);
            let found = regions(&top, &pose, &table, &Pose::IDENTITY);
            assert_eq!(found.len(), 1, "{found:?}");
            let middle = Vec3::new(x - 0.2 + 0.5 * wide, y - 0.1 + 0.5 * long, 0.5);
            // Over an edge a strip of the side is inside too, and leans the normal by depth over width.
            let lean = if wide < 0.4 { depth / wide + depth / long } else { 1e-9 };
            assert!((found[0].normal - Vec3::Z).length() < lean, "{found:?}");
            assert!(
                (found[0].area / (wide * long) - 1.0).abs() < lean
                    && (found[0].depth / depth - 1.0).abs() < 2.0 * lean,
                "{found:?}"
            );
            assert!((found[0].centroid - middle).truncate().length() < lean * wide, "{found:?} {middle}");
            let points = touch(&top, &pose, &table, &Pose::IDENTITY);
            let (f, m) = wrench(&points, middle);
            assert!((f - Vec3::Z * depth).length() < 2.0 * lean * depth, "{points:#?}");
            assert!(points.len() >= 4 && m.length() < 0.05 * depth * wide, "{m} {points:#?}");
            assert!(points.iter().all(|p| (p.depth / depth - 1.0).abs() < 2.0 * lean), "{points:#?}");
        }
    }
}

#[test]
fn a_table_has_four_regions_that_share() {
    let leg =
        |x: f64, y: f64| cuboid(Vec3::new(0.05, 0.05, 0.3), 2).mapped(move |p| p + Vec3::new(x, y, -0.3));
    let table = leg(0.5, 0.4).plus(&leg(-0.5, 0.4)).plus(&leg(0.5, -0.4)).plus(&leg(-0.5, -0.4));
    let table = made(&table.plus(&cuboid(Vec3::new(0.6, 0.5, 0.05), 3).mapped(|p| p + Vec3::Z * 0.06)));
    let floor = made(&sheet(9, 7, |_, _| 0.0));
    let pose = at(0.01, 0.02, 0.6 - 2e-3);
    let found = regions(&table, &pose, &floor, &Pose::IDENTITY);
    assert_eq!(found.len(), 4, "{found:?}");
    for r in &found {
        assert!(
            (r.area - 0.01).abs() < 1e-9
                && (r.normal - Vec3::Z).length() < 1e-9
                && (r.depth - 2e-3).abs() < 1e-9
        );
    }
    let points = touch(&table, &pose, &floor, &Pose::IDENTITY);
    let (f, m) = wrench(&points, pose.translation);
    assert!((f - Vec3::Z * 2e-3).length() < 1e-9 && m.length() < 2e-3 * 0.06, "{m} {points:#?}");
    assert_eq!(points.len(), 8);
}

#[test]
fn a_ring_is_one_region_and_balls_meet_in_a_lens() {
    // A torus lying on a plate: two curves, one region, the ring between them.
    let ring = made(&torus(0.6, 0.2, 96, 48));
    let plate = made(&cuboid(Vec3::new(1.0, 1.0, 0.1), 5));
    let pose = at(0.003, 0.002, 0.3 - 0.01);
    let found = regions(&ring, &pose, &plate, &Pose::IDENTITY);
    assert_eq!(found.len(), 1, "{found:?}");
    let half_width = (0.2_f64 * 0.2 - 0.19 * 0.19).sqrt();
    let area = 2.0 * PI * 0.6 * 2.0 * half_width;
    assert!(
        (found[0].area / area - 1.0).abs() < 0.05 && (found[0].normal - Vec3::Z).length() < 1e-6,
        "{found:?} {area}"
    );
    assert!(
        (found[0].deepest - 0.01).abs() < 1e-3
            && (found[0].centroid - pose.translation).truncate().length() < 2e-3
    );
    // Two balls.
    let a = made(&ball(24, |_| 0.5));
    let direction = Vec3::new(0.3, -0.5, 0.8).normalize();
    let pose = Pose { translation: direction * 0.9, rotation: rotation::from_axis_angle(Vec3::X, 0.4) };
    let found = regions(&a, &pose, &a, &Pose::IDENTITY);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].normal.dot(direction) > 0.9999 && (found[0].deepest - 0.1).abs() < 3e-3, "{found:?}");
    assert!((found[0].area / (PI * (0.25 - 0.2025)) - 1.0).abs() < 0.05);
    assert!((found[0].centroid - direction * 0.45).length() < 2e-3);
}

#[test]
fn a_small_mesh_inside_a_large_one_is_pushed_out() {
    let (small, large) = (made(&cuboid(Vec3::splat(0.1), 2)), made(&cuboid(Vec3::ONE, 3)));
    let pose = at(0.1, 0.2, 0.7);
    let found = touch(&small, &pose, &large, &Pose::IDENTITY);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].normal - Vec3::Z).length() < 1e-12 && (found[0].depth - 0.4).abs() < 1e-12);
    let back = touch(&large, &Pose::IDENTITY, &small, &pose);
    assert!((back[0].normal + Vec3::Z).length() < 1e-12 && (back[0].depth - 0.4).abs() < 1e-12);
    assert!(touch(&small, &at(5.0, 0.0, 0.0), &large, &Pose::IDENTITY).is_empty());
    assert!(touch(&small, &Pose::from_translation(Vec3::NAN), &large, &Pose::IDENTITY).is_empty());
}

/// Faces that lie exactly on each other, vertex on vertex: something defined, and no panic.
#[test]
fn coincident_faces_give_finite_answers() {
    let block = made(&cuboid(Vec3::ONE, 3));
    for pose in
        [at(0.0, 0.0, 2.0), at(0.0, 0.0, 0.0), at(2.0, 2.0, 2.0), at(0.0, 0.0, 1.0), at(1.0 / 3.0, 0.0, 1.9)]
    {
        for p in touch(&block, &pose, &block, &Pose::IDENTITY) {
            assert!(p.point.is_finite() && p.depth.is_finite() && p.depth > 0.0 && p.share.is_finite());
            assert!((p.normal.length() - 1.0).abs() < 1e-9);
        }
    }
}

fn zoo() -> &'static [(Soup, Arc<TriMesh>)] {
    static ZOO: OnceLock<Vec<(Soup, Arc<TriMesh>)>> = OnceLock::new();
    ZOO.get_or_init(|| {
        [cuboid(Vec3::new(0.5, 0.3, 0.4), 2), torus(0.45, 0.15, 20, 10), potato(5)]
            .into_iter()
            .map(|soup| (soup.clone(), made(&soup)))
            .collect()
    })
}

proptest! {
    #![proptest_config(random_cases(1000))]

    /// Regions are there where points of one are inside the other; their push parts the bodies; nothing depends on the frame or on
    /// who is first.
    #[test]
    fn regions_are_sound(i in 0..3_usize, k in 0..3_usize, q in turn(), p in vector(0.8), q_frame in turn(), away in vector(2.0)) {
        let ((soup, a), (_, b)) = (&zoo()[i], &zoo()[k]);
        let pose = Pose { translation: p, rotation: q };
        let found = regions(a, &pose, b, &Pose::IDENTITY);
        let deepest = soup.0.iter().map(|v| -b.signed_distance(pose.transform_point(*v)).unwrap()).fold(0.0, f64::max);
        prop_assert!(deepest < 1e-9 || !found.is_empty(), "{deepest}");
        for r in &found {
            prop_assert!((r.normal.length() - 1.0).abs() < 1e-9 && r.area >= 0.0 && r.depth >= 0.0);
            prop_assert!(r.centroid.is_finite() && r.depth < 3.0, "{r:?}");
        }
        // Some place is at least as deep as the nearest way out of the deepest vertex, in one region or another.
        let depth = found.iter().map(|r| r.deepest).fold(0.0, f64::max);
        prop_assert!(depth >= 0.3 * deepest, "{depth} {deepest} {found:?}");
        let points = touch(a, &pose, b, &Pose::IDENTITY);
        prop_assert_eq!(points.is_empty(), found.is_empty());
        // Moved together.
        let frame = Pose { translation: away, rotation: q_frame };
        let moved = regions(a, &(frame * pose), b, &frame);
        prop_assert_eq!(moved.len(), found.len());
        for (r, s) in found.iter().zip(&moved) {
            prop_assert!((q_frame * r.normal - s.normal).length() < 1e-6 && (r.area - s.area).abs() < 1e-9, "{r:?} {s:?}");
            prop_assert!((frame.transform_point(r.centroid) - s.centroid).length() < 1e-6 * (1.0 + 1.0 / r.area.max(1e-9)).min(10.0));
        }
        // Exchanged.
        let back = regions(b, &Pose::IDENTITY, a, &pose);
        prop_assert_eq!(back.len(), found.len());
        for (r, s) in found.iter().zip(&back) {
            prop_assert!((r.normal + s.normal).length() < 1e-6 && (r.area - s.area).abs() < 1e-9, "{r:?} {s:?}");
        }
    }
}

/// As a ball of triangles sinks into a plate, area and depth grow without jumps.
#[test]
fn area_and_depth_are_continuous() {
    let (a, plate) = (made(&ball(8, |_| 0.3)), made(&cuboid(Vec3::new(1.0, 1.0, 0.2), 3)));
    let tilt = rotation::from_rotation_vector(Vec3::new(0.3, 0.5, 0.1));
    let mut last: Option<ContactRegion> = None;
    for i in 0..2000 {
        let z = 0.495 - f64::from(i) * 1e-4 * 0.5;
        let pose = Pose { translation: Vec3::new(0.11, 0.07, z), rotation: tilt };
        let found = regions(&a, &pose, &plate, &Pose::IDENTITY);
        let Some(region) = found.first() else { continue };
        assert_eq!(found.len(), 1);
        assert!((region.normal - Vec3::Z).length() < 1e-6, "{region:?}");
        if let Some(last) = last {
            assert!(
                (region.area - last.area).abs() < 1e-3 && (region.depth - last.depth).abs() < 1e-4,
                "{last:?} {region:?}"
            );
        }
        last = Some(*region);
    }
    let last = last.unwrap();
    assert!(last.area > 0.1 && last.deepest > 0.08 && last.depth > 0.05, "{last:?}");
}

/// A cube on its face, edge and corner in a plate: closed forms of the force ½·k·d/dz (∫t²/∫t)², which acts at the edge and the corner.
#[test]
fn faces_edges_and_corners_are_as_stiff_as_the_rule_says() {
    let plate = made(&cuboid(Vec3::new(1.0, 1.0, 0.5), 3));
    let cube = made(&cuboid(Vec3::splat(0.1), 2));
    let edge = rotation::from_axis_angle(Vec3::X, 0.3);
    let corner = rotation::from_axis_angle(Vec3::Y, (1.0 / 2.0_f64.sqrt()).atan())
        * rotation::from_axis_angle(Vec3::X, PI / 4.0);
    let depth = 1e-3;
    for (turn, part, at_lowest) in
        [(Quat::IDENTITY, 1.0, false), (edge, 4.0 / 9.0, true), (corner, 0.25, true)]
    {
        let corners = (0..8).map(|i| {
            let side = |bit: i32| if i & bit == 0 { -0.1 } else { 0.1 };
            turn * Vec3::new(side(1), side(2), side(4))
        });
        let lowest = corners.reduce(|p, q| if q.z < p.z { q } else { p }).unwrap();
        let pose = Pose { translation: Vec3::new(0.013, 0.027, 0.5 - lowest.z - depth), rotation: turn };
        let points = touch(&cube, &pose, &plate, &Pose::IDENTITY);
        let (f, _) = wrench(&points, Vec3::ZERO);
        assert!((f - Vec3::Z * (depth * part)).length() < 1e-6 * depth, "{turn} {f} {points:#?}");
        let middle = points.iter().map(|p| p.point).sum::<Vec3>() / points.len() as f64;
        if at_lowest {
            // At the corner itself, or in the middle of the edge.
            let mut off = middle - (pose.translation + lowest);
            off.x = if part > 0.4 { middle.x - pose.translation.x } else { off.x };
            assert!(off.truncate().length() < 1e-6, "{off}");
        }
    }
}

/// Plates of one width, in one plane at their sides to the last bit: as deep as elsewhere, and as it slides along nothing happens.
#[test]
fn faces_in_one_plane() {
    let plate = made(&cuboid(Vec3::new(1.0, 0.25, 0.5), 3));
    let block = made(&cuboid(Vec3::new(0.2, 0.25, 0.1), 2));
    let depth = 1e-3;
    for i in 0..50 {
        let pose = at(0.02 * f64::from(i) - 0.5, 0.0, 0.6 - depth);
        let points = touch(&block, &pose, &plate, &Pose::IDENTITY);
        let (f, m) = wrench(&points, pose.translation - Vec3::Z * 0.1);
        assert!((f - Vec3::Z * depth).length() < 2.0 * depth * depth / 0.25, "{i} {f} {points:#?}");
        assert!(m.length() < 0.01 * depth * 0.2, "{i} {m}");
    }
    // Cubes of one size, one on the other.
    let cube = made(&cuboid(Vec3::splat(0.5), 3));
    let points = touch(&cube, &at(0.0, 0.0, 1.0 - depth), &cube, &Pose::IDENTITY);
    let (f, _) = wrench(&points, Vec3::ZERO);
    assert!((f - Vec3::Z * depth).length() < 3.0 * depth * depth, "{f} {points:#?}");
}

/// Along a random path of small steps, force and moment of bumpy bodies change in small steps.
#[test]
fn forces_do_not_jump() {
    let ground = made(&sheet(40, 40, |x, y| 0.02 * (9.0 * x).sin() * (7.0 * y).cos()));
    let body = made(&potato(5));
    let legs = made(
        &cuboid(Vec3::new(0.3, 0.05, 0.1), 3)
            .plus(&cuboid(Vec3::new(0.3, 0.05, 0.1), 3).mapped(|p| p + Vec3::Y * 0.3)),
    );
    for (mesh, low) in [(&body, -0.35), (&legs, -0.1)] {
        let step = 4e-5;
        let mut last: Option<(Vec3, Vec3)> = None;
        let mut largest = 0.0_f64;
        for i in 0..5_000 {
            let s = f64::from(i) * step;
            let turn = rotation::from_rotation_vector(Vec3::new(0.3 * s, 0.5 * (3.0 * s).sin(), s));
            let pose = Pose { translation: Vec3::new(0.1 - s, 0.5 * s, -low - 0.01), rotation: turn };
            let now = wrench(&touch(mesh, &pose, &ground, &Pose::IDENTITY), pose.translation);
            if let Some(last) = last {
                let jump = (now.0 - last.0).length().max((now.1 - last.1).length());
                largest = largest.max(jump);
            }
            last = Some(now);
        }
        assert!(largest < 20.0 * step, "{largest}");
    }
}

/// A body is moved around in a closed path, turning, while it is pressed into a plate with its face, edges and corners: the contact gives back what it
/// took.
#[test]
fn a_closed_path_takes_no_work() {
    let plate = made(&cuboid(Vec3::new(1.0, 1.0, 0.5), 3));
    for mesh in [made(&cuboid(Vec3::splat(0.1), 2)), made(&ball(6, |_| 0.12))] {
        let pose = |s: f64| {
            let (a, b) = (2.0 * PI * s, 4.0 * PI * s);
            let turn =
                rotation::from_rotation_vector(Vec3::new(0.15 * a.sin(), 0.12 * b.sin(), 0.1 * a.cos()));
            let at = Vec3::new(0.05 * a.sin(), 0.03 * b.cos(), 0.6 + 0.004 * a.cos() + 0.002 * b.sin());
            Pose { translation: at, rotation: turn }
        };
        let (work, turned) = work::around(&Shape::Mesh(mesh), pose, &Shape::Mesh(plate.clone()), 20_000);
        assert!(turned > 1e-5 && work.abs() < 1e-4 * turned, "{work} of {turned}");
    }
}

/// Two cubes with a corner in each other (Luaces 2013, section 4.7): one closed curve of six sides around the diagonal. By symmetry its plane is across the
/// diagonal and its middle halfway between the cubes.
#[test]
fn corners_of_two_cubes_in_each_other() {
    for n in [1, 2, 5] {
        let cube = made(&cuboid(Vec3::splat(0.5), n));
        let pose = at(0.8, 0.8, 0.8);
        let found = regions(&cube, &pose, &cube, &Pose::IDENTITY);
        let [region] = found[..] else { panic!("{found:?}") };
        assert!((region.normal - Vec3::ONE.normalize()).length() < 1e-9, "{region:?}");
        assert!((region.centroid - Vec3::splat(0.4)).length() < 1e-9, "{region:?}");
        // A cube of sides 0.2 seen along its diagonal.
        assert!((region.area - 3.0_f64.sqrt() * 0.2 * 0.2).abs() < 1e-9, "{region:?}");
        assert!((region.volume - 0.2_f64.powi(3)).abs() < 1e-9, "{region:?}");
    }
}

/// Triangles that cross, lie in one plane, or in two that are parallel.
#[test]
fn single_triangles() {
    let one = |z: f64| {
        made(&Soup(
            vec![Vec3::new(-1.0, -1.0, z), Vec3::new(1.0, -1.0, z), Vec3::new(0.0, 1.0, z)],
            vec![[0, 1, 2]],
        ))
    };
    let flat = one(0.0);
    let touches = |pose: &Pose| touch(&flat, pose, &flat, &Pose::IDENTITY);
    let across = rotation::from_axis_angle(Vec3::X, 1.3);
    for p in touches(&Pose { translation: Vec3::new(0.1, 0.05, 0.02), rotation: across }) {
        assert!(p.point.is_finite() && p.normal.is_normalized() && p.depth >= 0.0 && p.depth < 2.0, "{p:?}");
    }
    assert!(touches(&at(0.2, 0.1, 0.01)).is_empty(), "parallel");
    assert!(touches(&Pose { translation: Vec3::new(0.0, 3.0, 0.0), rotation: across }).is_empty(), "apart");
    // In one plane there is no depth.
    assert!(
        touches(&at(0.2, 0.1, 0.0)).iter().all(|p| p.depth < 1e-9 && p.point.is_finite()),
        "in one plane"
    );
}
