//! Overlaps of round solids with soft ones that have flat faces: against closed forms and sums, as gradients
//! of their own potential, along closed paths, and where planes, rims and axes fall together.

use crate::pairs::Chance;
use crate::patch_flat::{Loops, Potential, push_about, section_about, tangent_error, work_left};
use fender_contact::PatchOverlap;
use fender_geom::pair::patch::cells::{Cells, WallRoom};
use fender_geom::pair::patch::{inradius, overlap, tangent};
use fender_geom::{Polyhedron, Shape};
use fender_math::{Mat3, Pose, Quat, Vec3, rotation};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

const TABLE: Shape = Shape::Box { half: Vec3::new(0.5, 0.4, 0.3) };
const BALL: Shape = Shape::Sphere { radius: 0.1 };
const CAN: Shape = Shape::Cylinder { radius: 0.1, half_height: 0.12 };

pub fn at(translation: Vec3) -> Pose {
    Pose { translation, rotation: Quat::IDENTITY }
}

pub fn turned(translation: Vec3, axis: Vec3, angle: f64) -> Pose {
    Pose { translation, rotation: rotation::from_axis_angle(axis, angle) }
}

/// The round solid on a soft one in the world's frame.
pub fn on(round: &Shape, pose: &Pose, soft: &Shape) -> Option<PatchOverlap> {
    overlap(round, pose, soft, &Pose::IDENTITY)
}

pub fn assert_near(found: f64, exact: f64, part: f64, what: &str) {
    assert!(
        (found - exact).abs() <= part * exact.abs(),
        "{what}: {found}, not {exact}: {:e}",
        found / exact - 1.0
    );
}

fn polyhedron(chance: &mut Chance) -> Shape {
    loop {
        let count = 6 + (chance.unit() * 14.0) as usize;
        let points: Vec<Vec3> = (0..count).map(|_| chance.direction() * chance.between(0.3, 0.45)).collect();
        if let Ok(hull) = Polyhedron::hull(&points)
            && hull.volume() > 0.06
        {
            return Shape::Polyhedron(Arc::new(hull));
        }
    }
}

fn rounds(chance: &mut Chance) -> [Shape; 5] {
    let mut length = || chance.between(0.05, 0.25);
    [
        Shape::Sphere { radius: length() },
        Shape::Cylinder { radius: length(), half_height: length() },
        Shape::Cone { radius: length(), half_height: length() },
        Shape::Capsule { radius: length(), half_height: length() },
        Shape::Ellipsoid { radii: Vec3::new(length(), length(), length()) },
    ]
}

fn softs(chance: &mut Chance) -> [Shape; 4] {
    let mut length = || chance.between(0.2, 0.5);
    [
        Shape::HalfSpace,
        Shape::Edge { half_angle: 1.0 },
        Shape::Box { half: Vec3::new(length(), length(), length()) },
        polyhedron(chance),
    ]
}

/// Depth of a place below the surface of the soft solid [m], negative outside.
fn depth(cells: &Cells<'_>, place: Vec3) -> f64 {
    (0..cells.count())
        .map(|c| cells.face(c))
        .map(|f| f.offset - f.normal.dot(place))
        .fold(f64::INFINITY, f64::min)
}

/// A pose at which the round solid is less than 0.3 of its inradius deep in the soft one: a point of it is
/// put at a place near the surface, and then it is moved back until it is not too deep.
fn touching(round: &Shape, soft: &Shape, chance: &mut Chance) -> Pose {
    let cells = Cells::of(soft).unwrap();
    let limit = 0.3 * inradius(round).unwrap().min(inradius(soft).unwrap()) * chance.unit();
    loop {
        let pose = Pose { translation: chance.vector() * 0.9, rotation: chance.turn() };
        let Some(first) = on(round, &pose, soft) else { continue };
        // Out along the push; the depth is that of the potential, which is less than that of the deepest
        // place.
        let out = first.push.normalize_or(Vec3::Z);
        let moved = |way: f64| Pose { translation: pose.translation + out * way, ..pose };
        let mean = |way: f64| on(round, &moved(way), soft).map_or(0.0, |o| 2.0 * o.moment / o.volume);
        let (mut low, mut high) = (0.0, 2.0);
        if mean(low) < limit {
            return pose;
        }
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if mean(middle) > 0.5 * limit {
                low = middle;
            } else {
                high = middle;
            }
        }
        let found = moved(low);
        if depth(&cells, found.translation) < 0.0 && on(round, &found, soft).is_some() {
            return found;
        }
    }
}

/// Where the line from `place` along `along` is inside of the shape, in its frame.
pub fn chord(shape: &Shape, place: Vec3, along: Vec3) -> Option<(f64, f64)> {
    let quadratic = |a: f64, b: f64, c: f64| {
        let root = (b * b - a * c).sqrt();
        (root >= 0.0).then(|| ((-b - root) / a, (-b + root) / a))
    };
    let ball = |p: Vec3, v: Vec3| quadratic(v.dot(v), p.dot(v), p.dot(p) - 1.0);
    let within = |low: f64, high: f64| {
        let ends = [(low - place.z) / along.z, (high - place.z) / along.z];
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    };
    let both = |a: (f64, f64), b: (f64, f64)| (a.0.max(b.0), a.1.min(b.1));
    let (p, v) = (place.truncate(), along.truncate());
    let round = |radius: f64| quadratic(v.dot(v), p.dot(v), p.dot(p) - radius * radius);
    let span = match *shape {
        Shape::Sphere { radius } => ball(place / radius, along / radius)?,
        Shape::Ellipsoid { radii } => ball(place / radii, along / radii)?,
        Shape::Cylinder { radius, half_height } => both(round(radius)?, within(-half_height, half_height)),
        Shape::Capsule { radius, half_height } => {
            let ends =
                [-half_height, half_height].map(|z| ball((place - Vec3::Z * z) / radius, along / radius));
            let side = round(radius).map(|side| both(side, within(-half_height, half_height)));
            let all = [ends[0], ends[1], side];
            let parts = all.iter().flatten().filter(|(a, b)| a < b);
            parts.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (c, d)| (a.min(*c), b.max(*d)))
        }
        Shape::Cone { radius, half_height } => {
            let k = radius / (2.0 * half_height);
            let (k, z) = (k * k, place.z - half_height);
            let a = v.dot(v) - k * along.z * along.z;
            let (one, two) = quadratic(a, p.dot(v) - k * z * along.z, p.dot(p) - k * z * z)?;
            let cone = if a > 0.0 {
                (one, two)
            } else if along.z > 0.0 {
                (f64::NEG_INFINITY, one.min(two))
            } else {
                (one.max(two), f64::INFINITY)
            };
            both(cone, within(-half_height, half_height))
        }
        _ => panic!("{shape:?} is not round"),
    };
    (span.0 < span.1).then_some(span)
}

/// Lines in each row of the sum below.
const STEPS: u32 = 800;

/// Integrals over the overlap by lines in rows: V, M, ∫x.
fn summed(round: &Shape, pose: &Pose, soft: &Shape, count: u32) -> (f64, f64, Vec3) {
    let cells = Cells::of(soft).unwrap();
    let found = on(round, pose, soft).unwrap();
    // A direction that is nothing special.
    let along = (found.push.normalize() + Vec3::new(0.21, -0.13, 0.17)).normalize();
    // The long axis of the overlap, seen along the lines.
    let across = |v: Vec3| v - along * v.dot(along);
    let x = (0..50).fold(along.any_orthonormal_vector(), |x, _| across(found.second * x).normalize());
    let y = along.cross(x);
    let mut room = WallRoom::default();
    let mut planes = Vec::new();
    for number in 0..cells.count() {
        let cell = cells.cell(number, &mut room);
        let walls = cell.walls.iter().map(|w| w.plane);
        planes.push((cell.face, std::iter::once(cell.face).chain(walls).collect::<Vec<_>>()));
    }
    let inside = |a: f64, b: f64| -> Vec<(f64, f64, usize)> {
        let place = found.point + x * a + y * b;
        let local = pose.inverse_transform_point(place);
        let Some((from, to)) = chord(round, local, pose.rotation.inverse() * along) else {
            return Vec::new();
        };
        let mut spans = Vec::new();
        for (number, (_, planes)) in planes.iter().enumerate() {
            let (mut from, mut to) = (from, to);
            for plane in planes {
                let (slope, depth) = (plane.normal.dot(along), plane.offset - plane.normal.dot(place));
                if slope > 0.0 {
                    to = to.min(depth / slope);
                } else {
                    from = from.max(depth / slope);
                }
            }
            if from < to {
                spans.push((from, to, number));
            }
        }
        spans
    };
    // A convex solid reaches at most four of its standard deviations from its centroid.
    let [wide, high] = [x, y].map(|v| 4.1 * (v.dot(found.second * v) / found.volume).sqrt());
    let is_hit = |a: f64, b: f64| !inside(a, b).is_empty();
    let (mut volume, mut moment, mut first) = (0.0, 0.0, Vec3::ZERO);
    for row in 0..count {
        let b = high * ((f64::from(row) + 0.5) / f64::from(count) * 2.0 - 1.0);
        let grid = |i: u32| wide * (f64::from(i) / 50.0 - 1.0);
        let Some(hit) = (0..=100).find(|i| is_hit(grid(*i), b)).map(grid) else { continue };
        let end = |mut out: f64| {
            let mut into = hit;
            for _ in 0..45 {
                let middle = 0.5 * (into + out);
                *(if is_hit(middle, b) { &mut into } else { &mut out }) = middle;
            }
            out
        };
        // Midpoints after a substitution that is smooth where the overlap ends like a root.
        let (from, to) = (end(-wide), end(wide));
        for i in 0..STEPS {
            let angle = PI * ((f64::from(i) + 0.5) / f64::from(STEPS) - 0.5);
            let a = 0.5 * (from + to) + 0.5 * (to - from) * angle.sin();
            let area =
                0.5 * (to - from) * angle.cos() * PI / f64::from(STEPS) * 2.0 * high / f64::from(count);
            for (from, to, number) in inside(a, b) {
                let middle = found.point + x * a + y * b + along * (0.5 * (from + to));
                let part = (to - from) * area;
                let face = planes[number].0;
                volume += part;
                moment += part * (face.offset - face.normal.dot(middle));
                first += middle * part;
            }
        }
    }
    (volume, moment, first)
}

/// A ball on a face: cap of height h, M = πh³(4R − h)/12.
#[test]
fn ball_on_a_face() {
    for depth in [1e-7, 1e-4, 0.03, 0.15, 0.19] {
        let found = on(&BALL, &at(Vec3::new(0.2, -0.1, 0.1 - depth)), &Shape::HalfSpace).unwrap();
        let r = 0.1;
        // The height is right to 1e-17 m.
        let part = 1e-14 + 1e-16 / depth;
        assert_near(found.volume, PI * depth * depth * (3.0 * r - depth) / 3.0, part, "V");
        assert_near(found.moment, PI * depth.powi(3) * (4.0 * r - depth) / 12.0, part, "M");
        assert_near(found.push.z, found.volume, 1e-15, "push");
        assert_near(found.section.z, PI * depth * (2.0 * r - depth), part, "section");
        let flat = PI * depth.powi(3) * (r * r / 3.0 - depth * r / 4.0 + depth * depth / 20.0);
        assert_near(found.second.x_axis.x, flat, part, "second moment");
        assert!((found.turn.length() + found.section_turn.length()) < 1e-16);
    }
    // Wholly below.
    let deep = on(&BALL, &at(Vec3::new(0.0, 0.0, -0.3)), &Shape::HalfSpace).unwrap();
    assert_near(deep.volume, 4.0 / 3.0 * PI * 1e-3, 1e-14, "V");
    assert_near(deep.moment, 0.3 * deep.volume, 1e-14, "M");
    assert_eq!(deep.section, Vec3::ZERO);
    assert!(on(&BALL, &at(Vec3::new(0.0, 0.0, 0.1)), &Shape::HalfSpace).is_none());
}

/// An ellipsoid is a stretched ball: V of the cap by its height in parts of the extent.
#[test]
fn ellipsoid_on_a_face() {
    let radii = Vec3::new(0.1, 0.25, 0.07);
    let shape = Shape::Ellipsoid { radii };
    let chance = &mut Chance(5);
    for _ in 0..100 {
        let rotation = chance.turn();
        let normal = rotation.inverse() * Vec3::Z;
        let extent = (normal * radii).length();
        let depth = extent * chance.between(0.0, 2.0);
        let pose = Pose { translation: Vec3::new(0.3, 0.1, extent - depth), rotation };
        let found = on(&shape, &pose, &Shape::HalfSpace).unwrap();
        let h = depth / extent;
        let scale = radii.x * radii.y * radii.z;
        assert_near(found.volume, PI * h * h * (3.0 - h) / 3.0 * scale, 1e-13, "V");
        assert_near(found.moment, PI * h.powi(3) * (4.0 - h) / 12.0 * scale * extent, 1e-13, "M");
        assert_near(found.section.z, PI * h * (2.0 - h) * scale / extent, 1e-13, "section");
    }
}

#[test]
fn cylinder_standing_and_lying() {
    let (r, half) = (0.1_f64, 0.12);
    for depth in [1e-9, 1e-4, 0.03, 0.15] {
        let part = 1e-13 + 1e-16 / depth;
        let found = on(&CAN, &at(Vec3::new(0.1, 0.0, half - depth)), &Shape::HalfSpace).unwrap();
        assert_near(found.volume, PI * r * r * depth, part, "V standing");
        assert_near(found.moment, PI * r * r * depth * depth / 2.0, part, "M standing");
        assert_near(found.section.z, PI * r * r, part, "section standing");
        let pose = turned(Vec3::new(0.1, 0.0, r - depth), Vec3::new(1.0, 2.0, 0.0).normalize(), FRAC_PI_2);
        let found = on(&CAN, &pose, &Shape::HalfSpace).unwrap();
        let angle = 2.0 * (depth / (2.0 * r)).sqrt().asin();
        // The closed form loses digits at small angles: its leading term there.
        let area = if angle < 1e-3 {
            r * r * angle.powi(3) * (2.0 / 3.0 - angle * angle * 2.0 / 15.0)
        } else {
            r * r * (angle - angle.sin() * angle.cos())
        };
        assert_near(found.volume, 2.0 * half * area, 1e-12 + 2e-16 / depth, "V lying");
        assert_near(found.section.z, 4.0 * half * r * angle.sin(), 1e-12 + 2e-16 / depth, "section lying");
    }
}

/// Tip downwards: a smaller cone. Tip upwards: a frustum.
#[test]
fn cone_on_its_tip_and_base() {
    let (radius, half) = (0.2, 0.15);
    let cone = Shape::Cone { radius, half_height: half };
    for depth in [1e-6_f64, 1e-3, 0.1] {
        let part = 1e-13 + 1e-15 / depth;
        let found = on(&cone, &turned(Vec3::Z * (half - depth), Vec3::X, PI), &Shape::HalfSpace).unwrap();
        let wide = radius * depth / (2.0 * half);
        assert_near(found.volume, PI * wide * wide * depth / 3.0, part, "V tip");
        assert_near(found.moment, PI * wide * wide * depth * depth / 12.0, part, "M tip");
        assert_near(found.section.z, PI * wide * wide, part, "section tip");
        let found = on(&cone, &at(Vec3::Z * (half - depth)), &Shape::HalfSpace).unwrap();
        let top = radius * (1.0 - depth / (2.0 * half));
        assert_near(
            found.volume,
            PI * depth * (radius * radius + radius * top + top * top) / 3.0,
            part,
            "V base",
        );
        assert_near(found.section.z, PI * top * top, part, "section base");
    }
}

/// On one face, divided among the cells of a box: the sum of the cells' volumes is that of the solid when it
/// is wholly inside.
#[test]
fn cells_divide_a_solid_without_rest() {
    let chance = &mut Chance(11);
    for i in 0..400 {
        let round = rounds(chance)[i % 5].clone();
        let soft = [Shape::Box { half: Vec3::new(0.9, 0.8, 1.0) }, polyhedron(chance)]
            [usize::from(i % 7 == 0)]
        .clone();
        let cells = Cells::of(&soft).unwrap();
        let pose = Pose { translation: chance.vector() * 0.6, rotation: chance.turn() };
        let reach = round.bounding_radius();
        if depth(&cells, pose.translation) < reach {
            continue;
        }
        let found = on(&round, &pose, &soft).unwrap();
        let exact = round.mass_properties(1.0).unwrap();
        let center = pose.transform_point(exact.center);
        let worst = (found.volume / exact.mass - 1.0).abs().max((found.point - center).length() / reach);
        assert!(worst < 1e-9, "{round:?} in {soft:?} at {pose:?}: {worst:e}");
        assert!(found.section.length() < 1e-9 * reach * reach);
        let central =
            Mat3::from_quat(pose.rotation).transpose() * found.second * Mat3::from_quat(pose.rotation);
        let trace = central.x_axis.x + central.y_axis.y + central.z_axis.z;
        let inertia = exact.inertia;
        let exact = 0.5 * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
        assert_near(trace, exact, 1e-8, "second moments");
    }
}

#[test]
fn integrals_are_those_of_a_sum_over_lines() {
    let chance = &mut Chance(23);
    for i in 0..40 {
        let round = rounds(chance)[i % 5].clone();
        let soft = softs(chance)[i / 5 % 4].clone();
        let pose = touching(&round, &soft, chance);
        let found = on(&round, &pose, &soft).unwrap();
        let (volume, moment, first) = summed(&round, &pose, &soft, 2000);
        // The sum over lines is right to about 1e-6, as sums of more lines show.
        assert_near(found.volume, volume, 3e-6, &format!("V of {round:?} in {soft:?} at {pose:?}"));
        assert_near(found.moment, moment, 3e-6, &format!("M of {round:?} in {soft:?} at {pose:?}"));
        let m = found.second;
        let size = ((m.x_axis.x + m.y_axis.y + m.z_axis.z) / volume).sqrt();
        let error = (found.point - first / volume).length() / size;
        assert!(error < 1e-5, "centroid of {round:?} in {soft:?} at {pose:?}: {error:e}");
    }
}

/// Random placements of each pair: seeds are fixed, and others in the long run.
fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (100_000, 2) } else { (1000, 1) }
}

/// Differences of M and V over steps that are a part of the depth, against push, turn and sections; parts of
/// the largest entry.
fn gradient_error(round: &Shape, pose: &Pose, soft: &Shape, part: f64) -> f64 {
    let Some(found) = on(round, pose, soft) else { return 0.0 };
    let depth = 2.0 * found.moment / found.volume;
    let step = part * depth;
    let size = round.bounding_radius();
    let moved = |way: Vec3, turn: Vec3| {
        let rotation = rotation::from_rotation_vector(turn);
        let arm = pose.translation - found.point;
        let moved =
            Pose { translation: found.point + rotation * arm + way, rotation: rotation * pose.rotation };
        on(round, &moved, soft).map_or([0.0; 2], |o| [o.moment, o.volume])
    };
    let mut worst = 0.0_f64;
    let scale = [found.push.length(), found.section.length()];
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (is_turn, own) in [
            (false, [found.push.dot(axis), found.section.dot(axis)]),
            (true, [found.turn.dot(axis) / size, found.section_turn.dot(axis) / size]),
        ] {
            let at = |k: f64| {
                if is_turn {
                    moved(Vec3::ZERO, axis * (k * step / size))
                } else {
                    moved(axis * (k * step), Vec3::ZERO)
                }
            };
            let (a, b, c, d) = (at(2.0), at(1.0), at(-1.0), at(-2.0));
            for i in 0..2 {
                let slope = (8.0 * (b[i] - c[i]) - (a[i] - d[i])) / (12.0 * step);
                worst = worst.max((slope + own[i]).abs() / scale[i]);
            }
        }
    }
    worst
}

#[test]
fn push_and_sections_are_gradients() {
    let (count, seed) = cases();
    let mut report = String::new();
    for (i, j) in (0..20).map(|k| (k / 4, k % 4)) {
        let chance = &mut Chance(seed << 32 | (i * 4 + j) as u64);
        let (mut worst, mut text, mut failed) = (0.0, String::new(), 0);
        for _ in 0..count {
            let (round, soft) = (rounds(chance)[i].clone(), softs(chance)[j].clone());
            let pose = touching(&round, &soft, chance);
            let error = gradient_error(&round, &pose, &soft, 1e-3);
            failed += u32::from(error.is_nan() || error > 1e-5);
            if error.is_nan() || error > worst {
                (worst, text) = (error, format!("{round:?} in {soft:?} at {pose:?}"));
            }
        }
        println!("{i} {j}: {worst:.1e}");
        if failed > 0 {
            report += &format!("{failed} of {count}, worst {worst:e}: {text}\n");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// The tangents are the derivatives of the wrenches about a point that is at rest.
#[test]
fn tangents_are_derivatives() {
    let (count, seed) = cases();
    let mut report = String::new();
    for (i, j) in (0..20).map(|k| (k / 4, k % 4)) {
        let chance = &mut Chance((seed + 8) << 32 | (i * 4 + j) as u64);
        let mut worst = [0.0_f64; 2];
        for _ in 0..count / 2 {
            let (round, soft) = (rounds(chance)[i].clone(), softs(chance)[j].clone());
            let pose = touching(&round, &soft, chance);
            let soft_pose = Pose { translation: chance.vector(), rotation: chance.turn() };
            let pose = soft_pose * pose;
            let is_first = chance.unit() < 0.5;
            // The first body is moved.
            let found = |pose: &Pose, other: &Pose| {
                if is_first {
                    overlap(&round, pose, &soft, other)
                } else {
                    overlap(&soft, other, &round, pose)
                }
            };
            let Some(overlap) = found(&pose, &soft_pose) else { continue };
            let about = overlap.point + 0.05 * chance.vector();
            let tangent = if is_first {
                tangent(&round, &pose, &soft, &soft_pose, about).unwrap()
            } else {
                tangent(&soft, &soft_pose, &round, &pose, about).unwrap()
            };
            let depth = 2.0 * overlap.moment / overlap.volume;
            for (kind, tangent) in [tangent.push, tangent.section].into_iter().enumerate() {
                let error = |step: f64| {
                    tangent_error(&tangent, step, |shift, turn| {
                        let moved = |pose: &Pose| crate::patch_flat::moved(pose, about, shift, turn);
                        let found = if is_first {
                            found(&moved(&pose), &soft_pose)
                        } else {
                            found(&pose, &moved(&soft_pose))
                        };
                        found.map_or([Vec3::ZERO; 2], |o| {
                            [push_about(&o, about), section_about(&o, about)][kind]
                        })
                    })
                };
                // Of the quadrature's error with a small step, and of kinks within a large one.
                let least = [1e-3, 1e-4, 1e-5]
                    .map(|part| error(part * depth))
                    .into_iter()
                    .fold(f64::INFINITY, f64::min);
                let limit = [1e-5, 1e-3][kind];
                if least.is_nan() || least > limit {
                    report += &format!("{kind}: {least:e} {is_first} {round:?} in {soft:?} at {pose:?}\n");
                }
                worst[kind] = worst[kind].max(least);
            }
        }
        println!("{i} {j}: push {:.1e}, section {:.1e}", worst[0], worst[1]);
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Scenes of the closed paths: name, body, its pose on or beside the table, amplitudes of displacement [m]
/// and rotation [rad].
fn scenes() -> Vec<(&'static str, Shape, Pose, Vec3, Vec3)> {
    let mm = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * 1e-3;
    let cone = Shape::Cone { radius: 0.1, half_height: 0.12 };
    let capsule = Shape::Capsule { radius: 0.1, half_height: 0.12 };
    let egg = Shape::Ellipsoid { radii: Vec3::new(0.1, 0.13, 0.08) };
    let level = |x: f64| at(Vec3::new(x, 0.05, 0.42 - 0.0016));
    let tilt = Vec3::splat(0.008);
    let free = Vec3::splat(0.3);
    // Axis along y, turned about z.
    let lying = |x: f64, y: f64, angle: f64| {
        let rotation =
            rotation::from_axis_angle(Vec3::Z, angle) * rotation::from_axis_angle(Vec3::X, FRAC_PI_2);
        Pose { translation: Vec3::new(x, y, 0.4 - 0.0016), rotation }
    };
    vec![
        ("can level over an edge", CAN, level(0.47), mm(60.0, 60.0, 1.0), tilt),
        ("can lying across an edge", CAN, lying(0.03, 0.38, 0.0), mm(60.0, 60.0, 1.0), tilt),
        ("can lying 10 degrees along an edge", CAN, lying(0.5, 0.03, 0.17), mm(10.0, 60.0, 1.0), tilt),
        ("capsule over an edge", capsule, lying(0.03, 0.38, 0.3), mm(60.0, 60.0, 1.0), tilt),
        (
            "cone's rim beside an edge",
            cone.clone(),
            turned(Vec3::new(0.44, 0.05, 0.437), Vec3::Y, 0.3),
            mm(20.0, 20.0, 1.0),
            0.1 * free,
        ),
        ("cone over a corner", cone, at(Vec3::new(0.47, 0.38, 0.42 - 0.0016)), mm(60.0, 60.0, 1.0), tilt),
        ("ball on the edge", BALL, at(Vec3::new(0.5, 0.05, 0.4 - 0.0016)), mm(3.0, 3.0, 1.3), free),
        ("ball past a corner", BALL, at(Vec3::new(0.5, 0.4, 0.4 - 0.0016)), mm(3.0, 3.0, 1.3), free),
        ("egg over an edge", egg, at(Vec3::new(0.5, 0.05, 0.38 - 0.0016)), mm(5.0, 20.0, 1.3), 0.1 * free),
    ]
}

/// The rest is that of the midpoint rule: it falls with the square of the interval, down to the error of the
/// integrals.
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
        for (k, (name, round, middle, shift, turn)) in scenes().into_iter().enumerate() {
            let chance = &mut Chance(k as u64 + 1);
            let (mut rough, mut fine) = (0.0_f64, 0.0_f64);
            for _ in 0..if is_long { 4 } else { 2 } {
                let loops = Loops::new(middle, shift, turn, chance);
                let path = |time: f64| loops.pose(time);
                let left = |count| work_left(potential, [&round, &TABLE], &Pose::IDENTITY, &path, count);
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

pub fn is_finite(o: &PatchOverlap) -> bool {
    let vectors = [
        o.point,
        o.push,
        o.turn,
        o.section,
        o.section_turn,
        o.second.x_axis,
        o.second.y_axis,
        o.second.z_axis,
    ];
    o.moment.is_finite() && o.volume.is_finite() && vectors.iter().all(|v| v.is_finite())
}

/// Axes exactly along or across faces and edges, or 1e-16 beside it; rims and walls that touch: the same as a
/// hair beside it.
#[test]
fn aligned_positions_are_nothing_special() {
    let length = 0.25;
    let shapes = [
        Shape::Sphere { radius: length },
        Shape::Cylinder { radius: length, half_height: length },
        Shape::Cone { radius: length, half_height: length },
        Shape::Capsule { radius: length, half_height: length },
        Shape::Ellipsoid { radii: Vec3::new(length, 2.0 * length, 0.5 * length) },
    ];
    let cube: Vec<Vec3> =
        (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - 0.5).collect();
    let softs = [
        Shape::Box { half: Vec3::splat(0.5) },
        Shape::Box { half: Vec3::new(0.5, 0.25, 0.75) },
        Shape::HalfSpace,
        Shape::Edge { half_angle: 0.25 * PI },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&cube).unwrap())),
    ];
    let quarter = |axis: Vec3, k: i32| rotation::from_axis_angle(axis, f64::from(k) * 0.25 * PI);
    let mut seen = 0;
    for (shape, soft) in shapes.iter().flat_map(|shape| softs.iter().map(move |soft| (shape, soft))) {
        for k in 0..4 * 4 * 125 {
            let (a, b, place) = (k % 4, k / 4 % 4, k / 16);
            let grid = Vec3::new(f64::from(place % 5), f64::from(place / 5 % 5), f64::from(place / 25)) - 2.0;
            let rotation = quarter(Vec3::X, a) * quarter(Vec3::Z, b) * quarter(Vec3::Y, a * b);
            let pose = Pose { translation: grid * length, rotation };
            let volume = |pose: &Pose| {
                let found = on(shape, pose, soft);
                assert!(found.as_ref().is_none_or(is_finite), "{shape:?} in {soft:?} at {pose:?}: {found:?}");
                if let Some(found) = found {
                    let tangent = tangent(shape, pose, soft, &Pose::IDENTITY, found.point).unwrap();
                    assert!(tangent.push.moment_by_turn.is_finite(), "{shape:?} in {soft:?} at {pose:?}");
                }
                found.map_or([0.0; 3], |o| [o.volume, o.moment, 0.0])
            };
            let exact = volume(&pose);
            seen += u32::from(exact[0] > 0.0);
            for shift in [1e-16, 1e-12, 1e-9] {
                let way = Vec3::new(0.6, -0.48, 0.64) * shift;
                let beside = Pose {
                    translation: pose.translation + way,
                    rotation: rotation::from_rotation_vector(Vec3::new(way.z, way.x, way.y)) * pose.rotation,
                };
                let beside = volume(&beside);
                for i in 0..2 {
                    let most = 2e-9 * exact[i] + 1e-12 + 10.0 * shift;
                    assert!(
                        (beside[i] - exact[i]).abs() < most,
                        "{shape:?} in {soft:?} at {pose:?}: {exact:?} {beside:?}"
                    );
                }
            }
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn a_common_motion_and_an_exchange_change_nothing() {
    let chance = &mut Chance(77);
    for i in 0..400 {
        let round = rounds(chance)[i % 5].clone();
        let soft = softs(chance)[i / 5 % 4].clone();
        let pose = touching(&round, &soft, chance);
        let found = on(&round, &pose, &soft).unwrap();
        let motion = Pose { translation: chance.vector() * 3.0, rotation: chance.turn() };
        let moved = overlap(&round, &(motion * pose), &soft, &motion).unwrap();
        let turned = overlap(&soft, &motion, &round, &(motion * pose)).unwrap();
        let depth = 2.0 * found.moment / found.volume;
        // Rounding of coordinates of a few metres.
        let part = 1e-9 + 1e-13 / depth;
        assert_near(moved.volume, found.volume, part, "V");
        assert_near(moved.moment, found.moment, part, "M");
        let near = |a: Vec3, b: Vec3, size: f64| {
            assert!((a - b).length() < part * size, "{round:?} in {soft:?} at {pose:?}: {a} {b}");
        };
        near(moved.push, motion.rotation * found.push, found.volume);
        near(moved.section, motion.rotation * found.section, 10.0 * found.section.length());
        near(turned.push, -moved.push, found.volume);
        near(turned.turn, -moved.turn, found.volume);
        assert!(moved.point.distance(motion.transform_point(found.point)) < 1e-6);
        assert_near(turned.volume, moved.volume, 1e-15, "V");
    }
}

/// The largest change of the push between two places of a path falls with their distance.
#[test]
fn pushes_are_continuous() {
    for (k, (name, round, middle, shift, turn)) in scenes().into_iter().enumerate() {
        let loops = Loops::new(middle, shift, turn, &mut Chance(k as u64 + 50));
        let steps = |count: u32| {
            let push = |i: u32| {
                let found = on(&round, &loops.pose(f64::from(i) / f64::from(count)), &TABLE);
                found.map_or([Vec3::ZERO; 2], |o| [o.push, o.turn])
            };
            let mut last = push(0);
            let mut largest = 0.0_f64;
            for i in 1..=count {
                let now = push(i);
                largest = largest.max((now[0] - last[0]).length() + (now[1] - last[1]).length());
                last = now;
            }
            largest
        };
        let (rough, fine) = (steps(500), steps(2000));
        assert!(fine < 0.35 * rough, "{name}: {rough}, {fine} at four times as many");
    }
}
