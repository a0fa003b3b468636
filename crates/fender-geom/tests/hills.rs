//! Solids on hills of triangles: whether force and moment are the gradient of an energy, and whether they jump.

mod meshes;
mod pairs;

use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Shape, distance};
use fender_math::{Pose, Vec3, rotation};
use meshes::sheet;
use pairs::Chance;
use std::sync::Arc;

/// How many in a thousand may be otherwise.
struct Allowed {
    shapes: &'static [Shape],
    /// At a depth of 0.1 mm, 2 mm and 10 mm: force or moment off the gradient by more than 1 %, and by more than 20 %.
    off: [[u32; 2]; 3],
    /// On paths at a depth of 1 mm and 10 mm: jumps by more than 1 % of the force at that depth.
    jumps: [u32; 2],
}

/// About half as many again as were seen. Balls and ellipsoids jump only where three passes between contacts are equally deep.
const ALLOWED: [Allowed; 6] = [
    Allowed { shapes: &[Shape::Sphere { radius: 0.1 }], off: [[15, 1], [80, 1], [250, 5]], jumps: [0, 6] },
    Allowed {
        shapes: &[
            Shape::Ellipsoid { radii: Vec3::new(0.15, 0.1, 0.08) },
            Shape::Ellipsoid { radii: Vec3::new(0.2, 0.08, 0.08) },
            Shape::Ellipsoid { radii: Vec3::new(0.15, 0.15, 0.05) },
        ],
        off: [[20, 1], [220, 1], [550, 30]],
        jumps: [0, 6],
    },
    Allowed {
        shapes: &[Shape::Capsule { radius: 0.1, half_height: 0.1 }],
        off: [[15, 1], [100, 5], [260, 12]],
        jumps: [25, 70],
    },
    Allowed {
        shapes: &[Shape::Box { half: Vec3::new(0.15, 0.1, 0.08) }],
        off: [[10, 1], [300, 40], [700, 180]],
        jumps: [190, 350],
    },
    Allowed {
        shapes: &[
            Shape::Cylinder { radius: 0.1, half_height: 0.2 },
            Shape::Cylinder { radius: 0.15, half_height: 0.04 },
        ],
        off: [[50, 5], [130, 40], [350, 120]],
        jumps: [80, 160],
    },
    Allowed {
        shapes: &[Shape::Cone { radius: 0.15, half_height: 0.12 }],
        off: [[50, 5], [100, 45], [310, 120]],
        jumps: [120, 160],
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
            for (seen, bound) in counts.into_iter().zip(bounds) {
                assert!(
                    1000 * seen <= bound * count,
                    "{:?} at {sink}: {counts:?} of {count}",
                    allowed.shapes
                );
            }
        }
    }
}

#[test]
fn forces_do_not_jump() {
    let ground = hills();
    let (count, seed) = cases();
    for allowed in &ALLOWED {
        for (sink, bound) in [1e-3, 1e-2].into_iter().zip(allowed.jumps) {
            let chance = &mut Chance(seed + 10);
            let mut jumps = 0;
            for i in 0..count as usize {
                let a = &allowed.shapes[i % allowed.shapes.len()];
                let start = lowered(a, &ground, sink, chance);
                let (velocity, spin) = (chance.direction() * 0.5 * sink, chance.direction() * 0.1);
                let at = |t: f64| wrench(a, &moved(&start, velocity * t, spin * t), &ground);
                let steps = 10;
                for k in 0..steps {
                    let [mut s, mut t] = [k, k + 1].map(|k| f64::from(k) / f64::from(steps));
                    let (mut before, mut after) = (at(s), at(t));
                    let least = 0.01 * sink;
                    // Into the half that changes more.
                    while t - s > 1e-10 && apart(before, after) > least {
                        let middle = 0.5 * (s + t);
                        let found = at(middle);
                        if apart(found, before) > apart(after, found) {
                            (t, after) = (middle, found);
                        } else {
                            (s, before) = (middle, found);
                        }
                    }
                    jumps += u32::from(apart(before, after) > least);
                }
            }
            assert!(
                1000 * jumps <= bound * count,
                "{:?} at {sink}: {jumps} on {count} paths",
                allowed.shapes
            );
        }
    }
}
