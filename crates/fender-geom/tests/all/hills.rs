//! Solids on hills of triangles: whether force and moment are the gradient of an energy, whether they or the energy jump, and what work is
//! done around closed paths.

use crate::meshes::sheet;
use crate::pairs::Chance;
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Shape, distance};
use fender_math::{Pose, Vec3, rotation};
use std::sync::Arc;

/// How many in a thousand may be otherwise.
struct Allowed {
    shapes: &'static [Shape],
    /// At a depth of 0.1 mm, 2 mm and 10 mm: force or moment off the gradient by more than 1 %, and by more than 20 %.
    off: [[u32; 2]; 3],
    /// On paths at a depth of 1 mm and 10 mm: jumps by more than 1 % of the force at that depth.
    jumps: [u32; 2],
    /// Steps of the energy by more than 1 % of what a corner has at that depth.
    steps: [u32; 2],
    /// Closed paths at a depth of 1 mm and 10 mm: work around half and nine tenths of them, as a part of what is turned over on the way.
    work: [[f64; 2]; 2],
}

/// About half as many again as were seen. Balls and ellipsoids jump only where three passes between contacts are equally deep (of 20 000 paths of ellipsoids at 10 mm 27 had a step of energy).
const ALLOWED: [Allowed; 6] = [
    Allowed {
        shapes: &[Shape::Sphere { radius: 0.1 }],
        off: [[15, 1], [80, 1], [250, 5]],
        jumps: [1, 6],
        steps: [1, 1],
        work: [[1e-4, 1e-3], [1e-3, 0.05]],
    },
    Allowed {
        shapes: &[
            Shape::Ellipsoid { radii: Vec3::new(0.15, 0.1, 0.08) },
            Shape::Ellipsoid { radii: Vec3::new(0.2, 0.08, 0.08) },
            Shape::Ellipsoid { radii: Vec3::new(0.15, 0.15, 0.05) },
        ],
        off: [[20, 1], [220, 1], [550, 30]],
        jumps: [1, 6],
        steps: [1, 2],
        work: [[1e-4, 1e-2], [1e-2, 0.08]],
    },
    Allowed {
        shapes: &[Shape::Capsule { radius: 0.1, half_height: 0.1 }],
        off: [[20, 3], [150, 30], [380, 95]],
        jumps: [12, 25],
        steps: [1, 6],
        work: [[1e-4, 1e-3], [1e-3, 0.07]],
    },
    Allowed {
        shapes: &[Shape::Box { half: Vec3::new(0.15, 0.1, 0.08) }],
        off: [[10, 1], [300, 40], [700, 180]],
        jumps: [190, 350],
        steps: [35, 110],
        work: [[1e-4, 6e-3], [0.015, 0.19]],
    },
    Allowed {
        shapes: &[
            Shape::Cylinder { radius: 0.1, half_height: 0.2 },
            Shape::Cylinder { radius: 0.15, half_height: 0.04 },
        ],
        off: [[20, 4], [140, 30], [450, 100]],
        jumps: [65, 140],
        steps: [45, 100],
        work: [[1e-4, 6e-3], [2e-3, 0.1]],
    },
    Allowed {
        shapes: &[Shape::Cone { radius: 0.15, half_height: 0.12 }],
        off: [[14, 2], [80, 20], [390, 75]],
        jumps: [90, 165],
        steps: [60, 120],
        work: [[1e-4, 3e-3], [2e-3, 0.1]],
    },
];

fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (20_000, 2) } else { (1000, 1) }
}

fn hills() -> Shape {
    let soup = sheet(16, 16, |x, y| 0.06 * (9.0 * x).sin() * (7.0 * y + 2.0 * x).cos());
    Shape::Mesh(Arc::new(soup.mesh()))
}

fn touch(a: &Shape, pose: &Pose, ground: &Shape) -> Vec<PointOverlap> {
    overlaps(a, pose, ground, &Pose::IDENTITY).points().to_vec()
}

/// Force of a contact of stiffness 1 N/m [N], and its moment about the body's middle over a lever of 0.1 m [N].
fn wrench(a: &Shape, pose: &Pose, ground: &Shape) -> [Vec3; 2] {
    touch(a, pose, ground).iter().fold([Vec3::ZERO; 2], |[force, moment], p| {
        let f = p.normal * (p.share * p.depth);
        [force + f, moment + (p.point - pose.translation).cross(f) * 10.0]
    })
}

fn apart([f, m]: [Vec3; 2], [g, n]: [Vec3; 2]) -> f64 {
    (f - g).length().max((m - n).length())
}

fn energy(a: &Shape, pose: &Pose, ground: &Shape) -> f64 {
    touch(a, pose, ground).iter().map(|p| 0.5 * p.share * p.depth * p.depth).sum()
}

/// A random pose, `sink` [m] below where the body would touch.
fn lowered(a: &Shape, ground: &Shape, sink: f64, chance: &mut Chance) -> Pose {
    let at = chance.vector() * 0.5;
    let mut pose = Pose { translation: Vec3::new(at.x, at.y, 1.0), rotation: chance.turn() };
    let gap = |pose: &Pose| {
        let [p, q] = distance::closest(a, pose, ground, &Pose::IDENTITY)?;
        Some(p.distance(q)).filter(|gap| *gap > 1e-9)
    };
    while let Some(gap) = gap(&pose) {
        pose.translation.z -= gap;
    }
    pose.translation.z -= sink;
    pose
}

/// Turned by `turn` and moved by `way` [m].
fn moved(pose: &Pose, way: Vec3, turn: Vec3) -> Pose {
    Pose {
        translation: pose.translation + way,
        rotation: rotation::from_rotation_vector(turn) * pose.rotation,
    }
}

#[test]
fn forces_are_gradients() {
    let ground = hills();
    let (count, seed) = cases();
    let mut failures = Vec::new();
    for allowed in &ALLOWED {
        for (sink, bounds) in [1e-4, 2e-3, 1e-2].into_iter().zip(allowed.off) {
            let chance = &mut Chance(seed);
            let mut counts = [0_u32; 2];
            for i in 0..count as usize {
                let a = &allowed.shapes[i % allowed.shapes.len()];
                let pose = lowered(a, &ground, sink, chance);
                let small = 1e-7;
                let slope = |way: Vec3, turn: Vec3| {
                    let at = |by: f64| energy(a, &moved(&pose, way * by, turn * by), &ground);
                    (at(-small) - at(small)) / (2.0 * small)
                };
                let force = Vec3::from_array(Vec3::AXES.map(|d| slope(d, Vec3::ZERO)));
                let moment = Vec3::from_array(Vec3::AXES.map(|d| slope(Vec3::ZERO, d * 10.0)));
                let found = wrench(a, &pose, &ground);
                let off = apart(found, [force, moment]) / found[0].length();
                counts[0] += u32::from(off > 0.01);
                counts[1] += u32::from(off > 0.2);
            }
            if counts.into_iter().zip(bounds).any(|(seen, bound)| 1000 * seen > bound * count) {
                failures.push(format!("{:?} at {sink}: {counts:?} of {count}", allowed.shapes));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Goes into the half of the way from `s` to `t` in which `f` changes more, as long as it changes by more than `least`; whether it then still does.
fn jumps<T: Copy>(
    (mut s, mut t): (f64, f64),
    least: f64,
    f: impl Fn(f64) -> T,
    apart: impl Fn(T, T) -> f64,
) -> bool {
    let (mut before, mut after) = (f(s), f(t));
    while t - s > 1e-10 && apart(before, after) > least {
        let middle = 0.5 * (s + t);
        let found = f(middle);
        if apart(found, before) > apart(after, found) {
            (t, after) = (middle, found);
        } else {
            (s, before) = (middle, found);
        }
    }
    apart(before, after) > least
}

#[test]
fn forces_and_energies_do_not_jump() {
    let ground = hills();
    let (count, seed) = cases();
    let mut failures = Vec::new();
    for allowed in &ALLOWED {
        for (i, sink) in [1e-3, 1e-2].into_iter().enumerate() {
            let chance = &mut Chance(seed + 10);
            let mut counts = [0_u32; 2];
            for i in 0..count as usize {
                let a = &allowed.shapes[i % allowed.shapes.len()];
                let start = lowered(a, &ground, sink, chance);
                let (velocity, spin) = (chance.direction() * 0.5 * sink, chance.direction() * 0.1);
                let pose = |t: f64| moved(&start, velocity * t, spin * t);
                for k in 0..10 {
                    let span = (f64::from(k) / 10.0, f64::from(k + 1) / 10.0);
                    let jumps_in_force = jumps(span, 0.01 * sink, |t| wrench(a, &pose(t), &ground), apart);
                    let of_a_corner = 0.125 * sink * sink;
                    let has_step = jumps(
                        span,
                        0.01 * of_a_corner,
                        |t| energy(a, &pose(t), &ground),
                        |e: f64, f| (e - f).abs(),
                    );
                    counts[0] += u32::from(jumps_in_force);
                    counts[1] += u32::from(has_step);
                }
            }
            let bounds = [allowed.jumps[i], allowed.steps[i]];
            if counts.into_iter().zip(bounds).any(|(seen, bound)| 1000 * seen > bound * count) {
                failures.push(format!(
                    "{:?} at {sink}: {counts:?} jumps and steps on {count} paths",
                    allowed.shapes
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A body that is moved and turned, and comes back, has gained as much as it lost.
#[test]
fn closed_paths_take_no_work() {
    let ground = hills();
    let (count, seed) = cases();
    let mut failures = Vec::new();
    for allowed in &ALLOWED {
        for (sink, bounds) in [1e-3, 1e-2].into_iter().zip(allowed.work) {
            let chance = &mut Chance(seed + 20);
            let mut works = Vec::new();
            for i in 0..count as usize / 5 {
                let a = &allowed.shapes[i % allowed.shapes.len()];
                let start = lowered(a, &ground, sink, chance);
                let [u, v, p, q]: [Vec3; 4] = std::array::from_fn(|_| chance.direction());
                let at = |part: f64| {
                    let (sin, cos) = (std::f64::consts::TAU * part).sin_cos();
                    let way = (u * (cos - 1.0) + v * sin) * (0.5 * sink);
                    moved(&start, way, (p * (cos - 1.0) + q * sin) * (3.0 * sink))
                };
                let steps = 400;
                let (mut net, mut turned) = (0.0, 0.0);
                for k in 0..steps {
                    let [from, middle, to] =
                        [0.0, 0.5, 1.0].map(|x| at((f64::from(k) + x) / f64::from(steps)));
                    let [force, moment] = wrench(a, &middle, &ground);
                    // Of a small turn the vector part is half.
                    let small = to.rotation * from.rotation.inverse();
                    let turn = Vec3::new(small.x, small.y, small.z) * (2.0 * small.w.signum());
                    let work = force.dot(to.translation - from.translation) + 0.1 * moment.dot(turn);
                    net += work;
                    turned += 0.5 * work.abs();
                }
                // A path may be out of touch.
                if turned > 0.0 {
                    works.push((net / turned).abs());
                }
            }
            works.sort_by(f64::total_cmp);
            let seen = [works[works.len() / 2], works[works.len() * 9 / 10]];
            if seen[0] > bounds[0] || seen[1] > bounds[1] {
                failures.push(format!("{:?} at {sink}: {seen:?}", allowed.shapes));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
