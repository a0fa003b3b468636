//! Overlaps of round solids with each other: against closed forms and sums, as gradients of their own
//! potential, along closed paths.

use crate::pairs::Chance;
use crate::patch_flat::{Loops, Potential, push_about, section_about, tangent_error, work_left};
use crate::patch_round::{assert_near, at, is_finite, on, turned};
use fender_geom::Shape;
use fender_geom::pair::patch::{Soft, inradius, overlap, soft, supported, tangent};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::f64::consts::{FRAC_PI_2, PI};

const CAN: Shape = Shape::Cylinder { radius: 0.1, half_height: 0.12 };

fn rounds(chance: &mut Chance) -> [Shape; 4] {
    let mut length = || chance.between(0.05, 0.25);
    [
        Shape::Sphere { radius: length() },
        Shape::Cylinder { radius: length(), half_height: length() },
        Shape::Cone { radius: length(), half_height: length() },
        Shape::Capsule { radius: length(), half_height: length() },
    ]
}

/// A pose of the first of two solids in which it is up to 0.3 of the smaller inradius deep in the second one,
/// which is at the origin: a third of them turned by quarters and a little, or about one axis.
fn touching(a: &Shape, b: &Shape, chance: &mut Chance) -> Pose {
    let quarters = |chance: &mut Chance| {
        let mut quarter = || FRAC_PI_2 * (4.0 * chance.unit()).floor();
        Quat::from_rotation_x(quarter()) * Quat::from_rotation_y(quarter())
    };
    let rotation = match (3.0 * chance.unit()) as u32 {
        0 => chance.turn(),
        1 => {
            let way = chance.direction();
            rotation::from_axis_angle(way, chance.between(0.0, 0.02)) * quarters(chance)
        }
        _ => {
            let way = [Vec3::X, Vec3::Y, Vec3::Z][(3.0 * chance.unit()) as usize];
            rotation::from_axis_angle(way, chance.between(0.0, PI)) * quarters(chance)
        }
    };
    let way = chance.direction();
    let start = chance.vector() * 0.05;
    let pose = |distance: f64| Pose { translation: start + way * distance, rotation };
    let is_touching = |distance: f64| on(a, &pose(distance), b).is_some();
    let least = inradius(a).unwrap().min(inradius(b).unwrap());
    let mut outside = 1.0;
    assert!(!is_touching(outside));
    while !is_touching(outside - 0.2 * least) {
        outside -= 0.2 * least;
    }
    let mut inside = outside - 0.2 * least;
    for _ in 0..16 {
        let middle = 0.5 * (inside + outside);
        *(if is_touching(middle) { &mut inside } else { &mut outside }) = middle;
    }
    pose(inside - 0.3 * least * chance.between(0.02, 1.0))
}

/// Random placements of each pair: seeds are fixed, and others in the long run.
fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (100_000, 2) } else { (1000, 1) }
}

const NAMES: [&str; 4] = ["ball", "cylinder", "cone", "capsule"];

/// All pairs.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..16).map(|k| (k / 4, k % 4))
}

/// M and V at a place of a path, and what push and section do there per length of the path.
#[derive(Clone, Copy)]
struct PathPoint {
    place: f64,
    potentials: [f64; 2],
    rates: [f64; 2],
}

/// By how much M and V change along a straight path of the first solid beyond the work of push and section:
/// the integral over the path by Gauss' rule, in halves as long as it is not right. So nothing is asked of
/// push and section but that they can be integrated.
fn work_error(
    at: &impl Fn(f64) -> PathPoint,
    ends: [PathPoint; 2],
    limits: [f64; 2],
    halvings: u32,
) -> [f64; 2] {
    let [from, to] = ends;
    let length = to.place - from.place;
    let gauss = [(0.5 - 0.15_f64.sqrt(), 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + 0.15_f64.sqrt(), 5.0 / 18.0)]
        .map(|(fraction, weight)| (at(from.place + length * fraction), weight));
    let error = [0, 1].map(|i| {
        let work: f64 = gauss.iter().map(|(point, weight)| point.rates[i] * weight * length).sum();
        to.potentials[i] - from.potentials[i] + work
    });
    if halvings == 0 || (error[0].abs() <= limits[0] && error[1].abs() <= limits[1]) {
        return error;
    }
    let middle = gauss[1].0;
    let [one, two] = [[from, middle], [middle, to]].map(|ends| work_error(at, ends, limits, halvings - 1));
    [one[0] + two[0], one[1] + two[1]]
}

/// The larger one of these errors of M and V on a path through a pose in a random direction of all six
/// coordinates, in parts of what push and section could do at most. `part` is the path's length in depths.
fn path_error(a: &Shape, pose: &Pose, b: &Shape, part: f64, chance: &mut Chance) -> f64 {
    let found = on(a, pose, b).unwrap();
    let length = part * 2.0 * found.moment / found.volume;
    let norm = std::f64::consts::SQRT_2;
    let shift = chance.direction() / norm;
    let turn = chance.direction() / (norm * a.bounding_radius());
    let at = |place: f64| {
        let moved = crate::patch_flat::moved(pose, found.point, shift * place, turn * place);
        let about = found.point + shift * place;
        on(a, &moved, b).map_or(PathPoint { place, potentials: [0.0; 2], rates: [0.0; 2] }, |o| {
            let rate = |[force, couple]: [Vec3; 2]| force.dot(shift) + couple.dot(turn);
            let rates = [rate(push_about(&o, about)), rate(section_about(&o, about))];
            PathPoint { place, potentials: [o.moment, o.volume], rates }
        })
    };
    let most = [found.push.length() * length, found.section.length() * length];
    let ends = [at(-0.5 * length), at(0.5 * length)];
    let error = work_error(&at, ends, most.map(|most| 1e-6 * most), 12);
    (error[0] / most[0]).abs().max((error[1] / most[1]).abs())
}

/// Push and section are the gradients of M and V, at every pose.
#[test]
fn pushes_and_sections_are_gradients() {
    let (count, seed) = cases();
    let mut report = String::new();
    for (i, j) in pairs() {
        let chance = &mut Chance(seed << 32 | (i * 4 + j) as u64);
        let (mut worst, mut text, mut failed) = (0.0, String::new(), 0);
        for _ in 0..count {
            let (a, b) = (rounds(chance)[i].clone(), rounds(chance)[j].clone());
            let pose = touching(&a, &b, chance);
            let mut ways = Chance(chance.0);
            let error = [1e-2, 1e-1].map(|part| path_error(&a, &pose, &b, part, &mut ways));
            let error = if error[0].is_nan() { error[0] } else { error[1].max(error[0]) };
            failed += u32::from(error.is_nan() || error > 1e-5);
            if error.is_nan() || error > worst {
                (worst, text) = (error, format!("{a:?} in {b:?} at {pose:?}"));
            }
        }
        println!("{} in {}: {worst:.1e}, {failed} above 1e-5", NAMES[i], NAMES[j]);
        if failed > 0 {
            report += &format!("{failed} of {count}, worst {worst:e}: {text}\n");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// The lens of two balls: V = π(R + r − d)²·(d² + 2d(R + r) − 3(R − r)²)/(12 d).
#[test]
fn two_balls_are_a_lens() {
    let (r, big) = (0.1, 0.25);
    let ball = |radius: f64| Shape::Sphere { radius };
    let capsule = Shape::Capsule { radius: big, half_height: 0.2 };
    for depth in [1e-6, 1e-4, 0.01, 0.03, 0.08] {
        let d = r + big - depth;
        let exact =
            PI * depth * depth * (d * d + 2.0 * d * (r + big) - 3.0 * (r - big) * (r - big)) / (12.0 * d);
        let way = Vec3::new(0.3, -0.4, 0.8).normalize();
        let found = on(&ball(r), &at(way * d), &ball(big)).unwrap();
        assert_near(found.volume, exact, 1e-8, "V of two balls");
        let found = on(&ball(r), &at(way * d + Vec3::Z * 0.2), &capsule).unwrap();
        assert_near(found.volume, exact, 1e-8, "V of a ball in the end of a capsule");
        assert!(found.push.normalize().distance(way) < 1e-7);
        // Rings of the small ball's surface: M is its volume in layers of the large one.
        let layers = 20_000;
        let sum: f64 = (0..layers)
            .map(|k| {
                let s = depth * (f64::from(k) + 0.5) / f64::from(layers);
                let inner = big - s;
                let e = r + inner - d;
                let lens = PI * e * e * (d * d + 2.0 * d * (r + inner) - 3.0 * (r - inner) * (r - inner))
                    / (12.0 * d);
                lens * depth / f64::from(layers)
            })
            .sum();
        assert_near(found.moment, sum, 2e-8, "M of a ball in the end of a capsule");
    }
}

/// Cap on cap: area times depth.
#[test]
fn cap_on_cap() {
    let coin = Shape::Cylinder { radius: 0.2, half_height: 0.05 };
    let rod = Shape::Cylinder { radius: 0.05, half_height: 0.2 };
    for (a, b, radius, reach) in [
        (&CAN, &CAN, 0.1, 0.24),
        (&coin, &coin, 0.2, 0.1),
        (&rod, &rod, 0.05, 0.4),
        (&rod, &CAN, 0.05, 0.32),
        (&coin, &CAN, 0.1, 0.17),
    ] {
        for depth in [1e-6, 1e-3, 0.01] {
            let found = on(a, &at(Vec3::Z * (reach - depth)), b).unwrap();
            let area = PI * radius * radius;
            assert_near(found.volume, area * depth, 5e-9, "V");
            assert_near(found.section.z, area, 1e-7, "section");
            assert!(
                found.turn.length() < 1e-7 * found.volume && found.section.truncate().length() < 1e-7 * area
            );
        }
    }
}

/// Parallel cylinders that touch along a line: the area of a lens times the length.
#[test]
fn parallel_cylinders() {
    let (r, big) = (0.1_f64, 0.18_f64);
    let thin = Shape::Cylinder { radius: r, half_height: 0.3 };
    let thick = Shape::Cylinder { radius: big, half_height: 0.5 };
    for (a, b, r, big) in [(&thin, &thick, r, big), (&CAN, &CAN, 0.1, 0.1)] {
        for depth in [1e-6, 1e-3, 0.02] {
            let d = r + big - depth;
            let length = 2.0 * if a == b { 0.12 } else { 0.3 };
            // Segments of both circles, by their half angles.
            let segment = |r: f64, other: f64| {
                let x = (d * d + r * r - other * other) / (2.0 * d);
                let h = r - x;
                let half = 2.0 * (h / (2.0 * r)).sqrt().asin();
                if half < 1e-2 {
                    r * r * half.powi(3) * (2.0 / 3.0 - half * half * 2.0 / 15.0 + half.powi(4) * 4.0 / 315.0)
                } else {
                    r * r * (half - half.sin() * half.cos())
                }
            };
            let exact = (segment(r, big) + segment(big, r)) * length;
            for angle in [0.0, PI, 0.3] {
                let axis = if angle == PI { Vec3::X } else { Vec3::Z };
                let found = on(a, &turned(Vec3::new(0.6 * d, 0.8 * d, 0.0), axis, angle), b).unwrap();
                assert_near(found.volume, exact, 1e-8, &format!("V, depth {depth}"));
            }
        }
    }
}

/// A ball in the middle of a face of a can: the cap that a plane cuts off.
#[test]
fn ball_on_a_cap_and_in_a_side() {
    let ball = Shape::Sphere { radius: 0.05 };
    for depth in [1e-6, 1e-4, 0.01] {
        let part = 5e-9 + 1e-15 / depth;
        for x in [0.0, 1e-9, 0.01, 0.03] {
            let found = on(&ball, &at(Vec3::new(x, 0.0, 0.17 - depth)), &CAN).unwrap();
            let exact = PI * depth * depth * (0.15 - depth) / 3.0;
            assert_near(found.volume, exact, part, "V");
            // Where the cap is nearer than the side.
            if x + 0.04 < 0.1 - depth {
                assert_near(found.moment, PI * depth.powi(3) * (0.2 - depth) / 12.0, 10.0 * part, "M");
                assert_near(found.push.z, exact, part, "push");
            }
        }
        // In a side, the depth is a function of the distance from the axis.
        let found = on(&ball, &at(Vec3::new(0.09, 0.12, 0.0) * ((0.15 - depth) / 0.15)), &CAN).unwrap();
        assert!(found.push.normalize().distance(Vec3::new(0.6, 0.8, 0.0)) < 1e-9);
    }
}

/// Two cylinders of one radius, crossed at right angles: by rows across both axes.
#[test]
fn crossed_cylinders() {
    let r = 0.1_f64;
    let rod = Shape::Cylinder { radius: r, half_height: 0.4 };
    for depth in [1e-5, 1e-3, 0.03] {
        let found = on(&rod, &turned(Vec3::X * (2.0 * r - depth), Vec3::X, FRAC_PI_2), &rod).unwrap();
        // Rows at x: both are strips there, of half widths √(r² − x²) and √(r² − (D − x)²).
        let count = 100_000;
        let (middle, half) = (r - 0.5 * depth, 0.5 * depth);
        let sum: f64 = (0..count)
            .map(|k| {
                let angle = PI * (f64::from(k) + 0.5) / f64::from(count);
                let x = half * angle.cos();
                let (up, down) = (middle + x, middle - x);
                let wide = |x: f64| ((r - x) * (r + x)).sqrt();
                4.0 * wide(up) * wide(down) * half * angle.sin() * PI / f64::from(count)
            })
            .sum();
        assert_near(found.volume, sum, 1e-8, "V");
    }
}

fn scenes() -> Vec<(&'static str, [Shape; 2], Pose, Vec3, Vec3)> {
    let mm = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * 1e-3;
    let big = Shape::Cylinder { radius: 0.3, half_height: 0.3 };
    let capsule = Shape::Capsule { radius: 0.1, half_height: 0.12 };
    let fat = Shape::Capsule { radius: 0.15, half_height: 0.2 };
    let cone = Shape::Cone { radius: 0.1, half_height: 0.12 };
    let tilt = Vec3::splat(0.008);
    let free = Vec3::splat(0.05);
    vec![
        (
            "can over the rim of a can",
            [CAN, big.clone()],
            at(Vec3::new(0.28, 0.02, 0.4184)),
            mm(60.0, 60.0, 1.0),
            tilt,
        ),
        (
            "can on a can's side",
            [CAN, big.clone()],
            turned(Vec3::new(0.4184, 0.02, 0.0), Vec3::Y, FRAC_PI_2),
            mm(1.0, 30.0, 30.0),
            tilt,
        ),
        (
            "capsule over a capsule's end",
            [capsule.clone(), fat],
            turned(Vec3::new(0.03, 0.0, 0.448), Vec3::Y, 1.3),
            mm(30.0, 20.0, 1.0),
            free,
        ),
        (
            "capsule over the rim of a can",
            [capsule, big.clone()],
            turned(Vec3::new(0.3, 0.0, 0.398), Vec3::Y, 1.5),
            mm(30.0, 20.0, 1.0),
            tilt,
        ),
        (
            "cone's tip over the rim of a can",
            [cone, big],
            turned(Vec3::new(0.3, 0.0, 0.416), Vec3::X, PI),
            mm(3.0, 20.0, 1.0),
            free,
        ),
    ]
}

/// The rest is that of the midpoint rule: it falls with the square of the interval, down to the error of the
/// integrals.
#[test]
fn closed_paths_do_no_work() {
    let mut report = String::new();
    let is_long = std::env::var_os("FENDER_LONG").is_some();
    for (potential, share) in [(Potential::Moment, 1.0), (Potential::Depth, 4.0)] {
        let (count, limit) = if is_long { (16_000, 1e-6 * share) } else { (1000, 256e-6 * share) };
        for (k, (name, [a, b], middle, shift, turn)) in scenes().into_iter().enumerate() {
            let chance = &mut Chance(k as u64 + 1);
            let (mut rough, mut fine) = (0.0_f64, 0.0_f64);
            for _ in 0..if is_long { 4 } else { 1 } {
                let loops = Loops::new(middle, shift, turn, chance);
                let left = |count| work_left(potential, [&a, &b], &Pose::IDENTITY, &|t| loops.pose(t), count);
                rough = rough.max(left(count));
                fine = fine.max(left(2 * count));
            }
            println!("{potential:?}, {name}: {rough:.1e}, {fine:.1e} at twice as many");
            if rough > limit || fine > 0.4 * rough && fine > 3e-6 {
                report += &format!("{potential:?}, {name}: {rough:e}, {fine:e} at twice as many\n");
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// The largest change of the push between two places of a path falls with their distance.
#[test]
fn pushes_are_continuous() {
    for (k, (name, [a, b], middle, shift, turn)) in scenes().into_iter().enumerate() {
        let loops = Loops::new(middle, shift, turn, &mut Chance(k as u64 + 50));
        let steps = |count: u32| {
            let push = |i: u32| {
                let found = on(&a, &loops.pose(f64::from(i) / f64::from(count)), &b);
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
        let (rough, fine) = (steps(300), steps(1200));
        assert!(fine < 0.35 * rough, "{name}: {rough}, {fine} at four times as many");
    }
}

#[test]
fn a_common_motion_and_an_exchange_change_nothing() {
    for (i, j) in pairs() {
        let chance = &mut Chance(77 + (i * 4 + j) as u64);
        for _ in 0..25 {
            let (a, b) = (rounds(chance)[i].clone(), rounds(chance)[j].clone());
            assert!(supported(&a, &b).is_ok());
            let pose = touching(&a, &b, chance);
            let found = on(&a, &pose, &b).unwrap();
            assert!(is_finite(&found));
            let motion = Pose { translation: chance.vector() * 3.0, rotation: chance.turn() };
            let moved = overlap(&a, &(motion * pose), &b, &motion).unwrap();
            let turned = overlap(&b, &motion, &a, &(motion * pose)).unwrap();
            // Rounding of coordinates of a few metres, and the error of the integrals.
            let part = 1e-7 + 1e-13 * found.volume / found.moment;
            assert_near(moved.volume, found.volume, part, "V");
            assert_near(moved.moment, found.moment, part, "M");
            let near = |a: Vec3, b: Vec3, size: f64| {
                assert!((a - b).length() < part * size, "{i} {j} {pose:?}: {a} {b}");
            };
            near(moved.push, motion.rotation * found.push, found.volume);
            assert_near(turned.volume, moved.volume, 1e-14, "V");
            assert!((turned.push + moved.push).length() < 1e-14 * found.volume);
            assert!((turned.turn + moved.turn).length() < 1e-14 * found.volume);
        }
    }
}

/// The tangents of the push are the derivatives of the wrench about a point that is at rest. Those of the
/// section are told only: see the tangent's own comment.
#[test]
fn tangents_are_derivatives() {
    let mut report = String::new();
    let count = if std::env::var_os("FENDER_LONG").is_some() { 1000 } else { 15 };
    for (i, j) in pairs() {
        let chance = &mut Chance(9 << 32 | (i * 4 + j) as u64);
        let (mut worst, mut above) = ([0.0_f64; 2], [0; 2]);
        for _ in 0..count {
            let (a, b) = (rounds(chance)[i].clone(), rounds(chance)[j].clone());
            let soft_pose = Pose { translation: chance.vector(), rotation: chance.turn() };
            let pose = soft_pose * touching(&a, &b, chance);
            let Some(found) = overlap(&a, &pose, &b, &soft_pose) else { continue };
            let about = found.point + 0.05 * chance.vector();
            let tangent = tangent(&a, &pose, &b, &soft_pose, about).unwrap();
            let depth = 2.0 * found.moment / found.volume;
            for (kind, tangent) in [tangent.push, tangent.section].into_iter().enumerate() {
                let error = |step: f64| {
                    tangent_error(&tangent, step, |shift, turn| {
                        let moved = crate::patch_flat::moved(&pose, about, shift, turn);
                        overlap(&a, &moved, &b, &soft_pose).map_or([Vec3::ZERO; 2], |o| {
                            [push_about(&o, about), section_about(&o, about)][kind]
                        })
                    })
                };
                let least = [1e-2, 1e-3, 1e-4]
                    .map(|part| error(part * depth))
                    .into_iter()
                    .fold(f64::INFINITY, f64::min);
                above[kind] += u32::from(least.is_nan() || least > [1e-4, 1e-3][kind]);
                worst[kind] = worst[kind].max(least);
            }
        }
        println!(
            "{} in {}: push {:.1e}, section {:.1e}, above {above:?}",
            NAMES[i], NAMES[j], worst[0], worst[1]
        );
        if above[0] > 0 {
            report += &format!("{} in {}: {worst:?}\n", NAMES[i], NAMES[j]);
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn the_larger_one_is_soft() {
    let ball = |radius: f64| Shape::Sphere { radius };
    assert_eq!(soft(&ball(0.1), &CAN), Ok(Soft::Both(0.5)));
    assert_eq!(soft(&ball(0.3), &CAN), Ok(Soft::First));
    assert_eq!(soft(&ball(0.05), &CAN), Ok(Soft::Second));
    let egg = Shape::Ellipsoid { radii: Vec3::new(0.1, 0.2, 0.3) };
    assert!(supported(&egg, &CAN).is_err());
}
