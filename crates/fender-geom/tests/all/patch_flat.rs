//! Overlaps in a volume of solids with flat faces: potential, symmetries, positions that belong to two cases,
//! derivatives.

use crate::pairs::Chance;
use fender_contact::PatchOverlap;
use fender_geom::pair::patch::cells::{Cells, WallRoom};
use fender_geom::pair::patch::{self, Soft, WrenchTangent, inradius, soft};
use fender_geom::{Polyhedron, Shape};
use fender_math::{Mat3, Pose, Quat, Vec3, rotation::from_axis_angle};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use std::sync::Arc;

/// A hundred times as many random poses in the long run, of another seed.
fn poses(usual: u32) -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (100 * usual, 2) } else { (usual, 1) }
}

fn box_of(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half: 0.5 * Vec3::new(x, y, z) }
}

/// Box of 20 × 16 × 12 cm.
fn crate_box() -> Shape {
    box_of(0.2, 0.16, 0.12)
}

/// A table top, which is soft beside the box.
fn table() -> Shape {
    box_of(1.0, 0.8, 0.4)
}

fn hull(points: &[Vec3]) -> Shape {
    Shape::Polyhedron(Arc::new(Polyhedron::hull(points).expect("not flat")))
}

/// The twenty corners of a dodecahedron on a ball of a radius [m].
fn dodecahedron(radius: f64) -> Shape {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for signs in 0..8 {
        let sign = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
        points.push(Vec3::new(sign(0), sign(1), sign(2)));
        if signs < 4 {
            let (a, b) = (sign(0) / golden, sign(1) * golden);
            points.extend([Vec3::new(0.0, a, b), Vec3::new(a, b, 0.0), Vec3::new(b, 0.0, a)]);
        }
    }
    let points: Vec<Vec3> = points.iter().map(|p| *p * (radius / 3.0_f64.sqrt())).collect();
    hull(&points)
}

/// A polyhedron with this many corners on a ball.
fn stone(count: u32, radius: f64, seed: u64) -> Shape {
    let chance = &mut Chance(seed);
    let points: Vec<Vec3> = (0..count).map(|_| chance.direction() * radius).collect();
    hull(&points)
}

/// A body moved by `shift` and turned by the vector `turn` about a point.
pub fn moved(pose: &Pose, about: Vec3, shift: Vec3, turn: Vec3) -> Pose {
    let rotation = Quat::from_scaled_axis(turn);
    Pose {
        translation: about + rotation * (pose.translation - about) + shift,
        rotation: (rotation * pose.rotation).normalize(),
    }
}

pub fn at(translation: Vec3, rotation: Quat) -> Pose {
    Pose { translation, rotation }
}

/// The push and its moment about a point.
pub fn push_about(overlap: &PatchOverlap, about: Vec3) -> [Vec3; 2] {
    [overlap.push, overlap.turn + (overlap.point - about).cross(overlap.push)]
}

pub fn section_about(overlap: &PatchOverlap, about: Vec3) -> [Vec3; 2] {
    [overlap.section, overlap.section_turn + (overlap.point - about).cross(overlap.section)]
}

/// Mean depth D = 2M/V, and half its square's gradient D·G about a point.
fn depth_force(overlap: &PatchOverlap, about: Vec3) -> (f64, [Vec3; 2]) {
    let PatchOverlap { moment, volume, .. } = *overlap;
    let depth = 2.0 * moment / volume;
    let (push, section) = (push_about(overlap, about), section_about(overlap, about));
    let gradient = |k: usize| (push[k] * 2.0 - section[k] * depth) / volume;
    (depth, [gradient(0) * depth, gradient(1) * depth])
}

/// Which potential does work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Potential {
    /// M.
    Moment,
    /// D²/2.
    Depth,
}

/// Work that is left on a closed path over what is turned over, with the midpoint rule.
pub fn work_left(
    potential: Potential,
    [a, b]: [&Shape; 2],
    pose_b: &Pose,
    path: &dyn Fn(f64) -> Pose,
    intervals: u32,
) -> f64 {
    let (mut left, mut turned) = (0.0, 0.0);
    for i in 0..intervals {
        let time = |part: f64| (f64::from(i) + part) / f64::from(intervals);
        let [before, middle, after] = [0.0, 0.5, 1.0].map(|part| path(time(part)));
        let Some(overlap) = patch::overlap(a, &middle, b, pose_b) else { continue };
        let [force, moment] = match potential {
            Potential::Moment => push_about(&overlap, middle.translation),
            Potential::Depth => depth_force(&overlap, middle.translation).1,
        };
        // `to_scaled_axis` takes angles below 2e-8 for none; and the error of this is of third order.
        let Quat { x, y, z, w } = after.rotation * before.rotation.inverse();
        let turn = Vec3::new(x, y, z) * (2.0 * w.signum());
        let work = force.dot(after.translation - before.translation) + moment.dot(turn);
        left += work;
        turned += work.abs();
    }
    assert!(turned > 0.0, "the path touches nothing");
    (left / turned).abs()
}

/// A closed path about a pose: random loops in all six coordinates.
pub struct Loops {
    middle: Pose,
    /// Amplitudes of displacement [m] and of rotation [rad].
    size: [Vec3; 2],
    /// By coordinate: weights and phases of the first two harmonics.
    waves: [[(f64, f64); 2]; 6],
}

impl Loops {
    pub fn new(middle: Pose, shift: Vec3, turn: Vec3, chance: &mut Chance) -> Self {
        let waves = std::array::from_fn(|_| {
            let first = chance.between(0.5, 0.8);
            [(first, chance.between(0.0, TAU)), (1.0 - first, chance.between(0.0, TAU))]
        });
        Self { middle, size: [shift, turn], waves }
    }

    pub fn pose(&self, time: f64) -> Pose {
        let wave = |k: usize| {
            let [(a, p), (b, q)] = self.waves[k];
            a * (TAU * time + p).sin() + b * (2.0 * TAU * time + q).sin()
        };
        let [shift, turn] = self.size;
        let shift = shift * Vec3::new(wave(0), wave(1), wave(2));
        let turn = turn * Vec3::new(wave(3), wave(4), wave(5));
        moved(&self.middle, self.middle.translation, shift, turn)
    }
}

/// Scenes of the closed paths: name, bodies, the first one's pose, amplitudes of displacement [m] and
/// rotation [rad]. The second one is at the origin.
fn scenes() -> Vec<(&'static str, [Shape; 2], Pose, Vec3, Vec3)> {
    let mm = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * 1e-3;
    let top = 0.2;
    let upright = Quat::from_rotation_z(0.3);
    // A corner, or an edge, straight down.
    let on_corner = Quat::from_rotation_arc(Vec3::new(0.1, 0.08, 0.06).normalize(), -Vec3::Z);
    let reach = Vec3::new(0.1, 0.08, 0.06).length();
    let on_edge = from_axis_angle(Vec3::X, 0.7);
    let edge_reach = 0.08 * 0.7_f64.sin() + 0.06 * 0.7_f64.cos();
    let across = Quat::from_rotation_z(0.9) * on_edge;
    let wedge = Shape::Edge { half_angle: FRAC_PI_4 };
    let level = |x: f64, y: f64| at(Vec3::new(x, y, top + 0.06 - 0.00165), upright);
    let corner = |x: f64| at(Vec3::new(x, 0.1, top + reach - 0.00165), on_corner);
    let tilt = Vec3::splat(0.008);
    let free = Vec3::splat(0.3);
    vec![
        ("corner near an edge", [crate_box(), table()], corner(0.498), mm(3.0, 3.0, 1.3), 0.1 * free),
        (
            "level over an edge",
            [crate_box(), table()],
            level(0.47, 0.0),
            mm(60.0, 60.0, 1.0),
            tilt * Vec3::new(1.0, 1.0, 30.0),
        ),
        (
            "level over a corner",
            [crate_box(), table()],
            level(0.48, 0.39),
            mm(40.0, 40.0, 1.0),
            tilt * Vec3::new(1.0, 1.0, 30.0),
        ),
        (
            "rigid table's corner in a box",
            [table(), crate_box()],
            at(-Vec3::new(0.55, 0.45, 0.2585), Quat::IDENTITY),
            mm(20.0, 20.0, 1.0),
            tilt,
        ),
        (
            "edge on edge",
            [crate_box(), wedge],
            at(Vec3::new(0.0, 0.0, edge_reach - 0.0017), across),
            mm(2.0, 20.0, 1.3),
            mm(20.0, 20.0, 100.0),
        ),
        (
            "deep",
            [crate_box(), table()],
            at(Vec3::new(0.5, 0.3, 0.2), Quat::IDENTITY),
            Vec3::splat(0.05),
            2.0 * free,
        ),
        (
            "equal boxes, edge on edge",
            [crate_box(), crate_box()],
            at(Vec3::new(0.01, 0.02, 0.06 + edge_reach - 0.002), Quat::from_rotation_z(0.4) * on_edge),
            mm(60.0, 60.0, 1.0),
            mm(30.0, 30.0, 300.0),
        ),
        (
            "two dodecahedra",
            [dodecahedron(0.1), dodecahedron(0.11)],
            at(Vec3::new(0.01, 0.02, 0.165), Quat::IDENTITY),
            mm(20.0, 20.0, 5.0),
            free,
        ),
        (
            "stone on a stone with many faces",
            [stone(12, 0.06, 3), stone(40, 0.1, 4)],
            at(Vec3::new(0.01, 0.02, 0.115), Quat::IDENTITY),
            mm(20.0, 20.0, 5.0),
            free,
        ),
    ]
}

/// The rest is that of the midpoint rule: it falls with the square of the interval.
#[test]
fn closed_paths_do_no_work() {
    let mut report = String::new();
    let is_long = std::env::var_os("FENDER_LONG").is_some();
    for potential in [Potential::Moment, Potential::Depth] {
        // 1e-6 at 16 000 intervals, for the depth at 32 000; and as much more at fewer of them.
        let (count, limit) = match (potential, is_long) {
            (Potential::Moment, true) => (16_000, 1e-6),
            (Potential::Depth, true) => (32_000, 1e-6),
            (Potential::Moment, false) => (2000, 64e-6),
            (Potential::Depth, false) => (2000, 256e-6),
        };
        for (k, (name, [a, b], middle, shift, turn)) in scenes().into_iter().enumerate() {
            let chance = &mut Chance(k as u64 + 1);
            let (mut rough, mut fine) = (0.0_f64, 0.0_f64);
            for _ in 0..4 {
                let loops = Loops::new(middle, shift, turn, chance);
                let path = |time: f64| loops.pose(time);
                let left = |count| work_left(potential, [&a, &b], &Pose::IDENTITY, &path, count);
                rough = rough.max(left(count));
                fine = fine.max(left(2 * count));
            }
            println!("{potential:?}, {name}: {rough:.1e}, {fine:.1e} at twice as many");
            if rough > limit || fine > 0.4 * rough && fine > 1e-6 {
                report += &format!("{potential:?}, {name}: {rough:e}, {fine:e} at twice as many\n");
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Pairs of shapes for random poses: soft are the second, the first, both alike, both with other weights.
fn pairs() -> Vec<(&'static str, [Shape; 2])> {
    vec![
        ("box, half-space", [crate_box(), Shape::HalfSpace]),
        ("half-space, box", [Shape::HalfSpace, crate_box()]),
        ("box, edge", [crate_box(), Shape::Edge { half_angle: 0.6 }]),
        ("stone, edge", [stone(15, 0.1, 1), Shape::Edge { half_angle: 1.2 }]),
        ("box, table", [crate_box(), table()]),
        ("table, box", [table(), crate_box()]),
        ("equal boxes", [crate_box(), crate_box()]),
        ("boxes of like size", [crate_box(), box_of(0.3, 0.25, 0.14)]),
        ("dodecahedron, box", [dodecahedron(0.1), box_of(0.4, 0.3, 0.3)]),
        ("box, dodecahedron", [crate_box(), dodecahedron(0.2)]),
        ("dodecahedra", [dodecahedron(0.1), dodecahedron(0.11)]),
        ("stones", [stone(10, 0.1, 5), stone(14, 0.12, 6)]),
        ("stone, stone with many faces", [stone(9, 0.06, 7), stone(60, 0.15, 8)]),
    ]
}

/// Two bodies that overlap at random: face, edge or corner first, to a depth of up to 0.3 of the smaller
/// inradius.
fn touching([a, b]: [&Shape; 2], chance: &mut Chance) -> [Pose; 2] {
    let is_endless_first = inradius(a) == Some(f64::INFINITY);
    if is_endless_first {
        let [second, first] = touching([b, a], chance);
        return [first, second];
    }
    // A frame that is not the world's.
    let pose_b = at(chance.vector(), chance.turn());
    let aligned = |chance: &mut Chance| {
        let quarter = |chance: &mut Chance| FRAC_PI_2 * (4.0 * chance.unit()).floor();
        Quat::from_rotation_x(quarter(chance))
            * Quat::from_rotation_y(quarter(chance))
            * Quat::from_rotation_z(quarter(chance))
    };
    let rotation = match (3.0 * chance.unit()) as u32 {
        0 => chance.turn(),
        1 => {
            let way = chance.direction();
            from_axis_angle(way, chance.between(0.0, 0.02)) * aligned(chance)
        }
        _ => {
            let way = [Vec3::X, Vec3::Y, Vec3::Z][(3.0 * chance.unit()) as usize];
            from_axis_angle(way, chance.between(0.0, PI)) * aligned(chance)
        }
    };
    let mut way = chance.direction();
    if inradius(b) == Some(f64::INFINITY) {
        way.z = way.z.abs() + 0.5;
        way = way.normalize();
    }
    let start = chance.vector() * 0.05;
    let apart = 3.0;
    let pose = |distance: f64| pose_b * at(start + way * distance, rotation);
    let is_touching = |distance: f64| patch::overlap(a, &pose(distance), b, &pose_b).is_some();
    let (mut inside, mut outside) = (0.0, apart);
    while !is_touching(inside) {
        inside -= 0.01;
    }
    assert!(!is_touching(outside));
    for _ in 0..32 {
        let middle = 0.5 * (inside + outside);
        if is_touching(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    let least = [a, b].into_iter().filter_map(inradius).fold(f64::INFINITY, f64::min);
    let depth = 0.3 * least * chance.between(0.02, 1.0);
    [pose(inside - depth), pose_b]
}

/// A number of random poses of each pair.
fn for_random_poses(
    usual: u32,
    mut check: impl FnMut(&str, [&Shape; 2], [Pose; 2], &mut Chance) -> Result<(), String>,
) {
    let (count, seed) = poses(usual);
    let mut report = String::new();
    for (k, (name, [a, b])) in pairs().iter().enumerate() {
        let chance = &mut Chance(seed << 32 | k as u64);
        for i in 0..count {
            let poses = touching([a, b], chance);
            if let Err(why) = check(name, [a, b], poses, chance) {
                report += &format!("{name}, pose {i}: {why}\n");
                break;
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// By differences: pushes and sections are the negative gradients of M and V.
#[test]
fn wrenches_are_gradients() {
    for_random_poses(1000, |_, [a, b], [pose_a, pose_b], chance| {
        let found = patch::overlap(a, &pose_a, b, &pose_b).ok_or("apart")?;
        let about = found.point + 0.05 * chance.vector();
        let step = 1e-4 * 2.0 * found.moment / found.volume;
        let length = 0.1;
        let [push, turn] = push_about(&found, about);
        let [section, section_turn] = section_about(&found, about);
        for k in 0..6 {
            let mut way = [Vec3::ZERO; 2];
            way[k / 3][k % 3] = if k < 3 { 1.0 } else { 1.0 / length };
            let value = |sign: f64| {
                let pose = moved(&pose_a, about, way[0] * (sign * step), way[1] * (sign * step));
                patch::overlap(a, &pose, b, &pose_b).map_or((0.0, 0.0), |o| (o.moment, o.volume))
            };
            let (up, down) = (value(1.0), value(-1.0));
            let by_difference = (down.0 - up.0) / (2.0 * step);
            let by_formula = push.dot(way[0]) + turn.dot(way[1]);
            // The error of the differences is of the order (step/depth)².
            if (by_difference - by_formula).abs() > 1e-6 * push.length() {
                return Err(format!("push along {k}: {by_difference}, formula {by_formula}"));
            }
            let by_difference = (down.1 - up.1) / (2.0 * step);
            let by_formula = section.dot(way[0]) + section_turn.dot(way[1]);
            // Areas of V change in kinks, so that the difference is of first order: step times a length.
            if (by_difference - by_formula).abs() > 1e-6 * section.length() + 10.0 * step * length {
                return Err(format!("section along {k}: {by_difference}, formula {by_formula}"));
            }
        }
        Ok(())
    });
}

fn close(a: Vec3, b: Vec3, error: f64) -> bool {
    (a - b).length() <= error
}

#[test]
fn exchange_of_the_bodies_turns_the_push_round() {
    for_random_poses(300, |_, [a, b], [pose_a, pose_b], _| {
        let p = patch::overlap(a, &pose_a, b, &pose_b).ok_or("apart")?;
        let q = patch::overlap(b, &pose_b, a, &pose_a).ok_or("apart when exchanged")?;
        let error = 1e-14 * p.push.length();
        let same = close(p.push, -q.push, error)
            && close(p.turn, -q.turn, error)
            && close(p.section, -q.section, 1e-14 * p.section.length())
            && close(p.point, q.point, 1e-14)
            && (p.moment - q.moment).abs() <= 1e-14 * p.moment;
        if same { Ok(()) } else { Err(format!("{p:?}, {q:?}")) }
    });
}

#[test]
fn a_common_motion_changes_nothing() {
    for_random_poses(300, |_, [a, b], [pose_a, pose_b], chance| {
        let p = patch::overlap(a, &pose_a, b, &pose_b).ok_or("apart")?;
        let motion = at(chance.vector() * 3.0, chance.turn());
        let q = patch::overlap(a, &(motion * pose_a), b, &(motion * pose_b)).ok_or("apart when moved")?;
        // Rounding of coordinates of some metres, 1e-15 m, over the depth of the overlap.
        let error = 1e-14 * (1.0 + 0.1 / (p.moment / p.volume));
        let turn = |v: Vec3| motion.rotation * v;
        let second = Mat3::from_quat(motion.rotation);
        let second = second * p.second * second.transpose() - q.second;
        let same = close(turn(p.push), q.push, error * p.push.length())
            && close(turn(p.turn), q.turn, error * p.push.length())
            && close(turn(p.section), q.section, error * p.section.length() + 1e-15)
            && close(motion * p.point, q.point, error)
            && (p.moment - q.moment).abs() <= error * p.moment
            && second.x_axis.length() + second.y_axis.length() + second.z_axis.length()
                <= error * 10.0 * p.volume;
        if same { Ok(()) } else { Err(format!("{p:?}, {q:?}")) }
    });
}

/// Volume and centroid, without any formula.
#[test]
fn volumes_are_those_of_counting() {
    let chance = &mut Chance(11);
    let small = dodecahedron(0.1);
    for scale in [0.5, 0.9, 1.0, 1.1, 2.0] {
        let other = dodecahedron(0.1 * scale);
        for _ in 0..30 {
            let [pose_a, pose_b] = touching([&small, &other], chance);
            let found = patch::overlap(&small, &pose_a, &other, &pose_b).unwrap();
            let (volume, centroid) = grid(&small, &pose_a, &other, &pose_b, &found, 48);
            assert!((volume / found.volume - 1.0).abs() < 0.05, "{volume} {found:?}");
            assert!((centroid - found.point).length() < 0.005 * scale.min(1.0), "{centroid} {found:?}");
        }
    }
}

/// Volume and centroid of an overlap by counting places on a grid about it.
fn grid(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, found: &PatchOverlap, n: u32) -> (f64, Vec3) {
    let holds = |shape: &Shape, p: Vec3| match shape {
        Shape::Polyhedron(polyhedron) => polyhedron.holds(p),
        _ => false,
    };
    // What is farther from the centroid than four times the root of its mean square is little.
    let second = found.second * (1.0 / found.volume);
    let [x, y, z] = principal_axes(second);
    let step = 8.0 / f64::from(n);
    let coordinate = |i: u32| (f64::from(i) + 0.5) * step - 4.0;
    let (mut count, mut first) = (0.0, Vec3::ZERO);
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                let p = found.point + x * coordinate(i) + y * coordinate(j) + z * coordinate(k);
                if holds(a, pose_a.inverse_transform_point(p)) && holds(b, pose_b.inverse_transform_point(p))
                {
                    count += 1.0;
                    first += p;
                }
            }
        }
    }
    let cell = x.dot(y.cross(z)).abs() * step * step * step;
    (count * cell, first / count)
}

/// Columns of a square root of a symmetric matrix (Cholesky).
fn principal_axes(m: Mat3) -> [Vec3; 3] {
    let a = m.x_axis.x.sqrt();
    let (b, c) = (m.x_axis.y / a, m.x_axis.z / a);
    let d = (m.y_axis.y - b * b).sqrt();
    let e = (m.y_axis.z - b * c) / d;
    let f = (m.z_axis.z - c * c - e * e).sqrt();
    [Vec3::new(a, b, c), Vec3::new(0.0, d, e), Vec3::new(0.0, 0.0, f)]
}

/// Faces, edges and corners of two equal cubes in common, or 1e-16 apart.
#[test]
fn cubes_in_aligned_positions() {
    let cube = box_of(1.0, 1.0, 1.0);
    let mut cases = 0;
    let chance = &mut Chance(5);
    for code in 0..12_u32.pow(3) {
        let offset = |k: u32| {
            let digit = code / 12_u32.pow(k) % 12;
            let rest = [0.0, 1e-16, -1e-16][(digit % 3) as usize];
            f64::from(digit / 3) * 0.5 - 0.5 + rest
        };
        let offset = Vec3::new(offset(0), offset(1), offset(2));
        for turn in 0..9 {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][turn % 3];
            let rotation = match turn / 3 {
                0 => from_axis_angle(axis, FRAC_PI_2),
                1 => from_axis_angle(axis, FRAC_PI_4),
                _ => Quat::IDENTITY,
            };
            if turn > 6 {
                continue;
            }
            cases += 1;
            let frame = if code % 2 == 0 { Quat::IDENTITY } else { chance.turn() };
            let place = at(Vec3::ZERO, frame);
            let pose = |offset: Vec3| place * at(offset, rotation);
            let volume = |offset: Vec3| {
                let found = patch::overlap(&cube, &pose(offset), &cube, &place);
                if let Some(o) = found {
                    assert!(
                        o.push.is_finite()
                            && o.turn.is_finite()
                            && o.section.is_finite()
                            && o.section_turn.is_finite()
                            && o.point.is_finite()
                            && o.second.is_finite()
                            && o.moment > 0.0,
                        "{offset} {rotation} {o:?}"
                    );
                }
                if let Some(t) = patch::tangent(&cube, &pose(offset), &cube, &place, Vec3::ZERO) {
                    assert!(t.push.force_by_shift.is_finite() && t.push.moment_by_turn.is_finite());
                    assert!(t.section.force_by_shift.is_finite() && t.section.moment_by_turn.is_finite());
                }
                found.map_or(0.0, |o| o.volume)
            };
            let found = volume(offset);
            if turn / 3 == 1 {
                // Not known beforehand, but hardly changed by a small shift: at most by that times the
                // surface.
                let shift = 1e-9 * chance.vector();
                let error = (found - volume(offset + shift)).abs();
                assert!(error < 6.0 * shift.length(), "{offset} {rotation}: {found}, {error}");
            } else {
                let common = (1.0 - offset.abs()).max(Vec3::ZERO);
                let exact = common.x * common.y * common.z;
                assert!((found - exact).abs() < 2e-15, "{offset} {rotation}: {found}, not {exact}");
            }
        }
    }
    assert!(cases > 10_000);
}

/// Archimedes: what a half-space pushes with is the displaced volume, up through its centroid.
#[test]
fn a_half_space_is_archimedes() {
    let chance = &mut Chance(7);
    for shape in [crate_box(), dodecahedron(0.1), stone(20, 0.1, 2)] {
        for _ in 0..300 {
            let [pose_a, pose_b] = touching([&shape, &Shape::HalfSpace], chance);
            let found = patch::overlap(&shape, &pose_a, &Shape::HalfSpace, &pose_b).unwrap();
            let up = pose_b.rotation * Vec3::Z;
            assert!(close(found.push, up * found.volume, 1e-14 * found.volume));
            assert!(found.turn.length() < 1e-15 * found.volume.max(1e-3));
            let depth = -up.dot(found.point - pose_b.translation);
            assert!((found.moment - depth * found.volume).abs() < 1e-12 * found.moment + 1e-17);
        }
    }
    // All of it: weight and mass properties.
    let sunk = at(Vec3::new(0.1, 0.2, -1.0), chance.turn());
    let found = patch::overlap(&crate_box(), &sunk, &Shape::HalfSpace, &Pose::IDENTITY).unwrap();
    assert!((found.volume / (0.2 * 0.16 * 0.12) - 1.0).abs() < 1e-14);
    assert!((found.moment / found.volume - 1.0).abs() < 1e-14 && close(found.point, sunk.translation, 1e-15));
    assert!(found.section.length() == 0.0);
    let axes = Mat3::from_quat(sunk.rotation);
    let second = axes.transpose() * found.second * axes * (1.0 / found.volume);
    let exact = Vec3::new(0.1 * 0.1, 0.08 * 0.08, 0.06 * 0.06) / 3.0;
    // About the surface first, which is 1 m away.
    assert!(close(Vec3::new(second.x_axis.x, second.y_axis.y, second.z_axis.z), exact, 1e-14));
}

/// Closed forms: M = A·h²/2 on a face, b·d³/3·… on an edge, d⁴/… at a corner; and the size of the gradient of
/// D.
#[test]
fn faces_edges_and_corners_have_closed_forms() {
    let gradient = |found: &PatchOverlap| {
        let (depth, [force, _]) = depth_force(found, found.point);
        force.length() / depth
    };
    let shape = crate_box();
    for soft in [Shape::HalfSpace, table()] {
        let top = if soft == Shape::HalfSpace { 0.0 } else { 0.2 };
        for depth in [1e-6, 1e-3, 1e-2] {
            // Coordinates are rounded to 3e-17 m.
            let error = 1e-14 + 3e-16 / depth;
            let find = |rotation: Quat, reach: f64| {
                let pose = at(Vec3::new(0.0, 0.0, top + reach - depth), rotation);
                patch::overlap(&shape, &pose, &soft, &Pose::IDENTITY).unwrap()
            };
            let is = |value: f64, exact: f64| {
                assert!((value / exact - 1.0).abs() < 10.0 * error, "{soft:?} {depth}: {value}, not {exact}");
            };
            let face = find(Quat::from_rotation_z(0.3), 0.06);
            is(face.volume, 0.2 * 0.16 * depth);
            is(face.moment, 0.5 * 0.2 * 0.16 * depth * depth);
            is(face.section.z, 0.2 * 0.16);
            is(gradient(&face), 1.0);
            // An edge along x, with faces at 45°: the section is a triangle of height d and base 2d.
            let edge = find(Quat::from_rotation_x(FRAC_PI_4), (0.08 + 0.06) * 0.5_f64.sqrt());
            is(edge.volume, 0.2 * depth * depth);
            is(edge.moment, 0.2 * depth * depth * depth / 3.0);
            is(gradient(&edge), 2.0 / 3.0);
            // A corner with all edges at the same slope: each is d·√3 long, and V = (d·√3)³/6.
            let way = Vec3::ONE.normalize();
            let reach = way.dot(Vec3::new(0.1, 0.08, 0.06));
            let corner = find(Quat::from_rotation_arc(way, -Vec3::Z), reach);
            let volume = 27.0_f64.sqrt() / 6.0 * depth * depth * depth;
            is(corner.volume, volume);
            is(corner.moment, 0.25 * volume * depth);
            is(gradient(&corner), 0.5);
        }
    }
}

/// The push shrinks with the depth, down to nothing at the touch, and has no steps along a way across all
/// features.
#[test]
fn pushes_are_continuous() {
    for_random_poses(30, |_, [a, b], [pose_a, pose_b], chance| {
        let (way, axis) = (chance.direction(), chance.direction());
        let at = |part: f64| moved(&pose_a, pose_a.translation, way * (0.05 * part), axis * (0.3 * part));
        let about = pose_b.translation;
        let wrench = |part: f64| {
            patch::overlap(a, &at(part), b, &pose_b).map_or([Vec3::ZERO; 2], |o| push_about(&o, about))
        };
        let steps = |count: u32| {
            let mut largest = 0.0_f64;
            let mut last = wrench(-1.0);
            for i in 1..=count {
                let now = wrench(2.0 * f64::from(i) / f64::from(count) - 1.0);
                largest = largest.max((now[0] - last[0]).length() + (now[1] - last[1]).length());
                last = now;
            }
            largest
        };
        let (rough, fine) = (steps(500), steps(2000));
        if fine < 0.35 * rough { Ok(()) } else { Err(format!("{rough}, {fine} at four times as many")) }
    });
}

/// The tangents are the derivatives of the wrenches about a point that is at rest.
#[test]
fn tangents_are_derivatives() {
    let mut worst = [0.0_f64; 2];
    for_random_poses(500, |_, [a, b], [pose_a, pose_b], chance| {
        let found = patch::overlap(a, &pose_a, b, &pose_b).ok_or("apart")?;
        let about = found.point + 0.05 * chance.vector();
        let tangent = patch::tangent(a, &pose_a, b, &pose_b, about).ok_or("no tangent")?;
        let depth = 2.0 * found.moment / found.volume;
        for (kind, tangent) in [tangent.push, tangent.section].into_iter().enumerate() {
            let error = |step: f64| {
                let wrench = |pose: Pose| {
                    let found = patch::overlap(a, &pose, b, &pose_b);
                    found.map_or([Vec3::ZERO; 2], |o| [push_about(&o, about), section_about(&o, about)][kind])
                };
                tangent_error(&tangent, step, |shift, turn| wrench(moved(&pose_a, about, shift, turn)))
            };
            // Rounding of coordinates grows with a smaller step, and the chance of a kink within it with a
            // larger one.
            let least = error(1e-5 * depth).min(error(1e-6 * depth));
            worst[kind] = worst[kind].max(least);
            if least > 1e-6 {
                return Err(format!("{}: {least:e} of the largest", ["push", "section"][kind]));
            }
        }
        Ok(())
    });
    println!("largest errors: push {:.1e}, section {:.1e}", worst[0], worst[1]);
}

/// Difference of a tangent from central differences over a step [m], over its largest entry. Angles count
/// times 0.1 m.
pub fn tangent_error(tangent: &WrenchTangent, step: f64, wrench: impl Fn(Vec3, Vec3) -> [Vec3; 2]) -> f64 {
    let length = 0.1;
    let (mut largest, mut error) = (0.0_f64, 0.0_f64);
    for k in 0..6 {
        let mut way = [Vec3::ZERO; 2];
        way[k / 3][k % 3] = if k < 3 { 1.0 } else { 1.0 / length };
        let (up, down) = (wrench(way[0] * step, way[1] * step), wrench(way[0] * -step, way[1] * -step));
        let force = tangent.force_by_shift * way[0] + tangent.force_by_turn * way[1];
        let moment = tangent.moment_by_shift * way[0] + tangent.moment_by_turn * way[1];
        for (i, (formula, scale)) in [(force, 1.0), (moment, length)].into_iter().enumerate() {
            let difference = (up[i] - down[i]) / (2.0 * step);
            largest = largest.max(formula.abs().max_element() / scale);
            error = error.max((formula - difference).abs().max_element() / scale);
        }
    }
    error / largest
}

#[test]
fn the_soft_one_is_chosen_by_shape() {
    let (small, large) = (crate_box(), table());
    let round = Shape::Cylinder { radius: 2.0, half_height: 2.0 };
    for endless in [Shape::HalfSpace, Shape::Edge { half_angle: 1.0 }] {
        for solid in [&small, &large, &round] {
            assert_eq!(soft(&endless, solid), Ok(Soft::First));
            assert_eq!(soft(solid, &endless), Ok(Soft::Second));
        }
    }
    assert_eq!(soft(&small, &large), Ok(Soft::Second));
    assert_eq!(soft(&large, &small), Ok(Soft::First));
    assert_eq!(soft(&round, &small), Ok(Soft::Second));
    assert_eq!(soft(&small, &small), Ok(Soft::Both(0.5)));
    // A wide plate is thin.
    assert_eq!(soft(&small, &box_of(3.0, 3.0, 0.02)), Ok(Soft::First));
    let mut last = -1e-9;
    for k in 0..=1000 {
        let other = box_of(0.2, 0.16, 0.12 * 0.01_f64.powf(0.5 - f64::from(k) / 1000.0));
        let weight = |a: &Shape, b: &Shape| match soft(a, b).unwrap() {
            Soft::First => 0.0,
            Soft::Second => 1.0,
            Soft::Both(weight) => weight,
        };
        let (found, back) = (weight(&small, &other), weight(&other, &small));
        assert!((found + back - 1.0).abs() < 1e-15 && found >= last - 1e-15 && found < last + 0.02);
        last = found;
    }
    let shapes = [Shape::HalfSpace, Shape::Edge { half_angle: 1.0 }];
    assert!(soft(&shapes[0], &shapes[1]).is_err());
    assert_eq!(soft(&round, &round), Ok(Soft::Both(0.5)));
    assert!(patch::supported(&small, &large).is_ok() && patch::supported(&shapes[0], &shapes[1]).is_err());
}

/// Cells fill the solid: each place is in the cell of its nearest face.
#[test]
fn places_are_in_the_cell_of_the_nearest_face() {
    let shapes = [
        crate_box(),
        box_of(1.0, 1.0, 1.0),
        dodecahedron(0.1),
        stone(8, 0.1, 1),
        stone(60, 0.1, 2),
        Shape::HalfSpace,
        Shape::Edge { half_angle: 0.5 },
    ];
    let chance = &mut Chance(17);
    for shape in &shapes {
        let cells = Cells::of(shape).unwrap();
        let mut room = WallRoom::default();
        let mut deepest = 0.0_f64;
        for _ in 0..3000 {
            let p = chance.vector() * if shape.is_endless() { 1.0 } else { shape.bounding_radius() };
            let depth = |number: usize| {
                let face = cells.face(number);
                face.offset - face.normal.dot(p)
            };
            let least = (0..cells.count()).map(depth).fold(f64::INFINITY, f64::min);
            if least <= 0.0 {
                continue;
            }
            deepest = deepest.max(least);
            for number in 0..cells.count() {
                let cell = cells.cell(number, &mut room);
                let is_in = cell.walls.iter().all(|wall| wall.plane.normal.dot(p) <= wall.plane.offset);
                let lead = depth(number) - least;
                assert!(if is_in { lead < 1e-12 } else { lead > -1e-12 }, "{shape:?} {p} {number} {lead}");
                for wall in cell.walls {
                    let across = wall.plane.normal.dot(p) - wall.plane.offset;
                    let exact = depth(number) - depth(wall.behind as usize);
                    assert!((across * wall.turn - exact).abs() < 1e-14);
                }
            }
        }
        let radius = inradius(shape).unwrap();
        assert!(shape.is_endless() || deepest < radius && deepest > 0.8 * radius, "{deepest} {radius}");
    }
}
