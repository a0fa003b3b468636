//! Two convex solids that move a little, standing, lying or tilted over faces and edges: whether force and moment jump.

use crate::pairs::Chance;
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Polyhedron, Shape, distance};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::fmt::Write;
use std::sync::Arc;

/// Kinds of two bodies, and how many jumps there may be on a thousand paths at a depth of 1 mm and of 10 mm.
struct Allowed {
    kinds: [&'static str; 2],
    jumps: [u32; 2],
}

/// Somewhat more than were seen on 20 000 paths (of the cylinder and the cone on the box at 1 mm, 2.7 and 1.8 in a thousand). What is left has not been looked into.
const ALLOWED: [Allowed; 6] = [
    Allowed { kinds: ["box", "box"], jumps: [1, 3] },
    Allowed { kinds: ["polyhedron", "box"], jumps: [1, 3] },
    Allowed { kinds: ["cylinder", "box"], jumps: [4, 6] },
    Allowed { kinds: ["cone", "box"], jumps: [3, 2] },
    Allowed { kinds: ["cylinder", "cylinder"], jumps: [2, 8] },
    Allowed { kinds: ["capsule", "capsule"], jumps: [0, 0] },
];

fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (20_000, 2) } else { (1000, 1) }
}

/// A body of 0.1 to 0.3 m.
fn shape(kind: &str, chance: &mut Chance) -> Shape {
    let mut size = || chance.between(0.05, 0.15);
    match kind {
        "box" => Shape::Box { half: Vec3::new(size(), size(), size()) },
        "cylinder" => Shape::Cylinder { radius: size(), half_height: size() },
        "capsule" => Shape::Capsule { radius: size(), half_height: size() },
        "cone" => Shape::Cone { radius: size(), half_height: size() },
        _ => {
            // A prism with three to ten sides that is narrower above.
            let (radius, half, narrow) = (size(), size(), 0.5 + 3.0 * size());
            let sides = 3 + (chance.unit() * 8.0) as u32;
            let corner = |i: u32| {
                let (sin, cos) = (TAU * f64::from(i / 2) / f64::from(sides)).sin_cos();
                let (r, z) = if i.is_multiple_of(2) { (radius, -half) } else { (narrow * radius, half) };
                Vec3::new(r * cos, r * sin, z)
            };
            let points: Vec<Vec3> = (0..2 * sides).map(corner).collect();
            Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()))
        }
    }
}

/// Two bodies, the first above the second and moving.
struct Path {
    shapes: [Shape; 2],
    below: Pose,
    start: Pose,
    /// [m]
    way: Vec3,
    turn: Vec3,
}

impl Path {
    /// From a random place, as deep as `sink` [m].
    fn random(kinds: [&str; 2], sink: f64, chance: &mut Chance) -> Self {
        let shapes = kinds.map(|kind| shape(kind, chance));
        // A face or side of each up, turned about the vertical, and nearly level.
        let level = |chance: &mut Chance| {
            let base = match (chance.unit() * 4.0) as u32 {
                0 | 1 => Quat::IDENTITY,
                2 => rotation::from_axis_angle(Vec3::Y, FRAC_PI_2),
                _ => rotation::from_axis_angle(Vec3::X, PI),
            };
            rotation::from_axis_angle(Vec3::Z, chance.between(0.0, TAU)) * base
        };
        let below = Pose { translation: Vec3::ZERO, rotation: level(chance) };
        loop {
            let tilt = chance.direction() * (0.3 * chance.unit().powi(3));
            let rotation = if chance.unit() < 0.2 {
                chance.turn()
            } else {
                rotation::from_rotation_vector(tilt) * level(chance)
            };
            let at = chance.vector() * 0.3;
            let mut start = Pose { translation: Vec3::new(at.x, at.y, 0.8), rotation };
            while let Some([p, q]) = distance::closest(&shapes[0], &start, &shapes[1], &below) {
                let gap = p.distance(q);
                if gap < 1e-9 || start.translation.z < 0.0 {
                    break;
                }
                start.translation.z -= gap;
            }
            if start.translation.z > 0.0 {
                start.translation.z -= sink;
                let way = chance.vector() * Vec3::new(0.01, 0.01, 0.3 * sink);
                return Self { shapes, below, start, way, turn: chance.vector() * (20.0 * sink) };
            }
        }
    }

    fn pose(&self, t: f64) -> Pose {
        Pose {
            translation: self.start.translation + self.way * t,
            rotation: rotation::from_rotation_vector(self.turn * t) * self.start.rotation,
        }
    }

    fn points(&self, t: f64) -> Vec<PointOverlap> {
        overlaps(&self.shapes[0], &self.pose(t), &self.shapes[1], &self.below).points().to_vec()
    }

    fn at(&self, t: f64) -> Wrench {
        let middle = self.pose(t).translation;
        let mut wrench = Wrench::default();
        for p in self.points(t) {
            let f = p.normal * (p.share * p.depth);
            wrench.force += f;
            wrench.moment += (p.point - middle).cross(f) * 10.0;
            wrench.normal = p.normal;
            wrench.depth = p.depth.max(wrench.depth);
        }
        wrench
    }
}

/// What a contact of stiffness 1 N/m does.
#[derive(Clone, Copy, Debug, Default)]
struct Wrench {
    /// [N]
    force: Vec3,
    /// About the first body's middle, over a lever of 0.1 m [N].
    moment: Vec3,
    normal: Vec3,
    /// Of the deepest point [m].
    depth: f64,
}

impl Wrench {
    fn apart(&self, other: &Self) -> f64 {
        (self.force - other.force).length().max((self.moment - other.moment).length())
    }
}

impl Path {
    /// Largest jump of the wrench between two times, and what the wrench is before and after it.
    fn jump(&self, (mut s, mut t): (f64, f64), least: f64) -> Option<(f64, [Wrench; 2])> {
        let (mut before, mut after) = (self.at(s), self.at(t));
        // Into the half that changes more.
        while t - s > 1e-10 && before.apart(&after) > least {
            let middle = 0.5 * (s + t);
            let found = self.at(middle);
            if found.apart(&before) > after.apart(&found) {
                (t, after) = (middle, found);
            } else {
                (s, before) = (middle, found);
            }
        }
        (before.apart(&after) > least).then_some((s, [before, after]))
    }
}

/// Where another direction becomes the one of least overlap, the normal turns at once and the depth has a kink: that is how bodies with edges are. But along one normal nothing may jump, where it turns
/// little nothing may jump more than it turns, and the depth never.
#[test]
fn force_and_moment_do_not_jump_along_one_normal() {
    const STEPS: u32 = 10;
    let (count, seed) = cases();
    let mut report = String::new();
    for allowed in &ALLOWED {
        for (sink, bound) in [1e-3, 1e-2].into_iter().zip(allowed.jumps) {
            let chance = &mut Chance(seed);
            let (mut jumps, mut kinks, mut first) = (0, 0, None);
            for i in 0..count {
                let path = Path::random(allowed.kinds, sink, chance);
                for k in 0..STEPS {
                    let span = (f64::from(k) / f64::from(STEPS), f64::from(k + 1) / f64::from(STEPS));
                    let least = 0.01 * sink;
                    let Some((at, [before, after])) = path.jump(span, least) else { continue };
                    let turned = (before.normal - after.normal).length();
                    let is_kink = turned > 0.1 || before.apart(&after) < least + 5.0 * turned * sink;
                    if is_kink && (before.depth - after.depth).abs() < 1e-3 * sink {
                        kinks += 1;
                    } else {
                        jumps += 1;
                        first.get_or_insert_with(|| {
                            format!(
                                "path {i} at {at}: {:?} {:?}, {before:?} {after:?}",
                                path.shapes,
                                path.pose(at)
                            )
                        });
                    }
                }
            }
            println!("{:?} {sink} m deep: {jumps} jumps and {kinks} kinks on {count} paths", allowed.kinds);
            if 1000 * jumps > bound * count {
                writeln!(
                    report,
                    "{:?} {sink} m deep: {jumps} on {count} paths, the first: {first:?}",
                    allowed.kinds
                )
                .unwrap();
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}
