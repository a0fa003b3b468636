//! Meshes in the grooves of meshes: each face of a groove pushes as a mesh of its own would.

use crate::meshes::{Soup, cuboid};
use crate::random_cases::random_cases;
use crate::work::{self, wrench};
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Vec3, rotation};
use proptest::prelude::*;
use std::f64::consts::PI;
use std::sync::Arc;

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn touch(a: &Arc<TriMesh>, pose_a: &Pose, b: &Arc<TriMesh>, pose_b: &Pose) -> Vec<PointOverlap> {
    overlaps(&Shape::Mesh(a.clone()), pose_a, &Shape::Mesh(b.clone()), pose_b).points().to_vec()
}

fn made(soup: &Soup) -> Arc<TriMesh> {
    Arc::new(soup.mesh())
}

/// A floor up to x = 0 and a wall from there that leans by `lean` [m] at its height of 0.6 m, from y = −1 to 1 m.
fn corner(lean: f64) -> Arc<TriMesh> {
    let profile = [(-1.0, -0.5), (1.0, -0.5), (1.0 + lean, 0.6), (lean, 0.6), (0.0, 0.0), (-1.0, 0.0)];
    let points = [-1.0, 1.0].into_iter().flat_map(|y| profile.map(|(x, z)| Vec3::new(x, y, z)));
    let mut triangles = Vec::new();
    for k in 0..6_u32 {
        let next = (k + 1) % 6;
        triangles.extend([[k, k + 6, next + 6], [k, next + 6, next]]);
    }
    // Ends from the corner of the groove, which sees all of them.
    for (p, q) in [(5, 0), (0, 1), (1, 2), (2, 3)] {
        triangles.extend([[4, p, q], [10, q + 6, p + 6]]);
    }
    made(&Soup(points.collect(), triangles))
}

/// Its floor and its wall as plates of their own, each far beyond the other.
fn plates(lean: f64) -> [Arc<TriMesh>; 2] {
    let floor = cuboid(Vec3::new(3.0, 3.0, 0.25), 1).mapped(|p| p - Vec3::Z * 0.25);
    let turn = rotation::from_axis_angle(Vec3::Y, (lean / 0.6).atan());
    let wall = cuboid(Vec3::new(0.25, 3.0, 3.0), 1).mapped(|p| turn * (p + Vec3::X * 0.25));
    [made(&floor), made(&wall)]
}

/// Places a cube of 0.2 m so that its deepest corners are that deep [m] below the floor and behind the wall.
fn placed(turn: Vec3, lean: f64, y: f64, [below, behind]: [f64; 2]) -> Pose {
    let rotation = rotation::from_rotation_vector(turn);
    let into_wall = Vec3::new(0.6, 0.0, -lean).normalize();
    let corners = || {
        (0..8).map(move |i| {
            let side = |bit: i32| if i & bit == 0 { -0.1 } else { 0.1 };
            rotation * Vec3::new(side(1), side(2), side(4))
        })
    };
    let lowest = corners().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let z = -lowest - below;
    let farthest = corners().map(|p| into_wall.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    let x = (behind - farthest - into_wall.z * z) / into_wall.x;
    Pose { translation: Vec3::new(x, y, z), rotation }
}

#[test]
fn a_corner_is_closed() {
    for lean in [-0.2, 0.0, 0.6] {
        assert!(corner(lean).is_closed());
    }
}

proptest! {
    #![proptest_config(random_cases(500))]

    /// Force and moment are those of two plates, whichever mesh has the groove and however the cube is divided, in grooves of 90° and less.
    #[test]
    fn faces_push_as_plates_of_their_own(
        turn in vector(0.1), n in 1..4_u32, lean in prop_oneof![Just(0.0), -0.2..0.0_f64], y in -0.5..0.5_f64, below in 1e-5..5e-3_f64, ratio in 0.4..2.5_f64,
    ) {
        // Deep enough behind the wall to be there above the floor too: where it is only below the floor, the corner has no wall.
        let behind = ratio * below;
        let cube = made(&cuboid(Vec3::splat(0.1), n));
        let corner = corner(lean);
        let pose = placed(turn, lean, y, [below, behind]);
        let parts = plates(lean).map(|plate| wrench(&touch(&cube, &pose, &plate, &Pose::IDENTITY), pose.translation));
        let (f, m) = (parts[0].0 + parts[1].0, parts[0].1 + parts[1].1);
        let largest = below.max(behind);
        let found = touch(&cube, &pose, &corner, &Pose::IDENTITY);
        let (g, l) = wrench(&found, pose.translation);
        prop_assert!((f - g).length() < 1e-5 * largest && (m - l).length() < 1e-5 * largest, "{f} {g}, {m} {l}: {found:#?}");
        let back = touch(&corner, &Pose::IDENTITY, &cube, &pose);
        let (g, l) = wrench(&back, pose.translation);
        prop_assert!((f + g).length() < 1e-5 * largest && (m + l).length() < 1e-5 * largest, "{f} {g}, {m} {l}: {back:#?}");
    }
}

/// On the floor it comes to the wall, goes along it and over the end of the groove, turning a little: force and moment change in small steps.
#[test]
fn forces_do_not_jump() {
    for lean in [0.0, 0.3, 0.5] {
        let corner = corner(lean);
        let cube = made(&cuboid(Vec3::splat(0.1), 2));
        let step = 2e-5;
        let mut last: Option<(Vec3, Vec3)> = None;
        let mut largest = 0.0_f64;
        for i in 0..10_000 {
            let s = f64::from(i) / 10_000.0;
            let turn =
                Vec3::new(0.03 * (5.0 * s).sin(), 0.02 * (7.0 * s).cos(), 0.05 + 0.03 * (6.0 * s).sin());
            let depths = [2e-3 + 1e-3 * (20.0 * s).sin(), 3e-3 * (15.0 * s - 0.5).sin()];
            let pose = placed(turn, lean, 0.95 + step * f64::from(i), depths);
            let now = wrench(&touch(&cube, &pose, &corner, &Pose::IDENTITY), pose.translation);
            if let Some(last) = last {
                let jump = (now.0 - last.0).length().max((now.1 - last.1).length());
                largest = largest.max(jump);
            }
            last = Some(now);
        }
        // No more than the depths change.
        assert!(largest < step, "{lean}: {largest}");
    }
}

/// Moved around in a closed path, turning, in the corner of a room: the contact gives back what it took, as two plates do. In a groove wider than 90° what a cell
/// leaves to the other one is no part of a potential; it is as small as the depth is against the width of the contact.
#[test]
fn a_closed_path_takes_no_work() {
    for (lean, part_left) in [(0.0, 2e-5), (0.4, 3e-3)] {
        let (cube, corner) = (made(&cuboid(Vec3::splat(0.1), 2)), corner(lean));
        let pose = |s: f64| {
            let (a, b) = (2.0 * PI * s, 4.0 * PI * s);
            let turn = Vec3::new(0.1 * a.sin(), 0.08 * b.sin(), 0.12 * a.cos());
            placed(turn, lean, 0.05 * a.sin(), [2e-3 + 3e-3 * b.cos(), 2e-3 + 3e-3 * (a + 1.0).cos()])
        };
        let (work, turned) = work::around(&Shape::Mesh(cube), pose, &Shape::Mesh(corner), 40_000);
        assert!(turned > 1e-5 && work.abs() < part_left * turned, "{lean}: {work} of {turned}");
    }
}

/// Up to four faces have a place in the answer, and points that share a face share its stiffness.
#[test]
fn a_cube_in_the_corner_of_a_room() {
    // A block with a hollow of 1 m, open above; the cube is at two of its sides and at the bottom.
    let depths = Vec3::new(1e-3, 2e-3, 3e-3);
    let hollow = cuboid(Vec3::splat(0.5), 1);
    let inward = Soup(hollow.0, hollow.1.into_iter().map(|[p, q, r]| [p, r, q]).collect());
    let room = made(&cuboid(Vec3::splat(0.8), 1).plus(&inward));
    let cube = made(&cuboid(Vec3::splat(0.1), 2));
    let pose = Pose::from_translation(Vec3::splat(-0.4) - depths);
    let points = touch(&cube, &pose, &room, &Pose::IDENTITY);
    assert_eq!(points.len(), 6, "{points:#?}");
    let (f, m) = wrench(&points, pose.translation);
    assert!((f - depths).length() < 1e-9, "{f} {points:#?}");
    // Half-way between the surfaces in depth, in the middle across.
    assert!(m.length() < 1e-9, "{m} {points:#?}");
}

/// Rings of `sides` corners at radii and heights [m], joined one after the other from a middle to a middle.
fn turned(sides: u32, rings: &[(f64, f64)], ends: [f64; 2]) -> Arc<TriMesh> {
    let mut soup = Soup(ends.map(|z| Vec3::Z * z).to_vec(), Vec::new());
    for (r, z) in rings {
        soup.0.extend((0..sides).map(|k| {
            let angle = (f64::from(k) - 0.5) * 2.0 * PI / f64::from(sides);
            Vec3::new(r * angle.cos(), r * angle.sin(), *z)
        }));
    }
    let last = 2 + sides * (rings.len() as u32 - 1);
    for k in 0..sides {
        let next = (k + 1) % sides;
        soup.1.extend([[0, 2 + next, 2 + k], [1, last + k, last + next]]);
        for ring in 0..rings.len() as u32 - 1 {
            let (p, q) = (2 + ring * sides + k, 2 + ring * sides + next);
            soup.1.extend([[p, q, q + sides], [p, q + sides, p + sides]]);
        }
    }
    made(&soup)
}

/// A round peg goes around in a round hole with room for it, on its bottom and along its side, which is not flat.
#[test]
fn a_round_peg_in_a_round_hole() {
    for (sides, radius) in [(16, 0.08), (24, 0.08)] {
        let peg = turned(sides, &[(radius, 0.0), (radius, 0.3)], [0.0, 0.3]);
        let hole = turned(sides, &[(0.2, -0.1), (0.2, 0.2), (0.1, 0.2), (0.1, 0.0)], [-0.1, 0.0]);
        assert!(peg.is_closed() && hole.is_closed());
        let clearance = 0.1 - radius;
        let mut last: Option<(Vec3, Vec3)> = None;
        let (mut largest, mut force) = (0.0_f64, Vec3::ZERO);
        for i in 0..10_000 {
            let s = f64::from(i) * 1e-4;
            let rotation = rotation::from_rotation_vector(Vec3::new(
                0.002 * (9.0 * s).sin(),
                0.002 * (7.0 * s).cos(),
                0.3 * s,
            ));
            let out = clearance + 2e-4 * (11.0 * s).sin();
            let translation =
                Vec3::new(out * (2.0 * s).cos(), out * (2.0 * s).sin(), -2e-4 + 1e-4 * (5.0 * s).sin());
            let now =
                wrench(&touch(&peg, &Pose { translation, rotation }, &hole, &Pose::IDENTITY), translation);
            if let Some(last) = last {
                let jump = (now.0 - last.0).length().max((now.1 - last.1).length());
                largest = largest.max(jump);
            }
            force = force.max(now.0.abs());
            last = Some(now);
        }
        // By a few tenths of a millimetre, as it is pressed in; with one normal for side and bottom it was 0.1 m. It does jump, where another side begins to be touched.
        assert!(largest < 2e-4 && force.max_element() < 2e-3, "{sides}: {largest} {force}");
    }
}
