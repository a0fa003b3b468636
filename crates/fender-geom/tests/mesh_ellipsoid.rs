//! Ellipsoids on meshes: on uneven ground, however deep.

mod meshes;
mod pairs;

use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Shape, distance};
use fender_math::{Pose, Vec3, rotation};
use meshes::{Soup, sheet};
use pairs::Chance;
use std::sync::Arc;

const RADII: [Vec3; 3] =
    [Vec3::new(0.15, 0.1, 0.08), Vec3::new(0.2, 0.08, 0.08), Vec3::new(0.15, 0.15, 0.05)];

fn solid(i: u32) -> Shape {
    match std::env::var("KIND").as_deref() {
        Ok("sphere") => return Shape::Sphere { radius: 0.1 },
        Ok("capsule") => return Shape::Capsule { radius: 0.1, half_height: 0.1 },
        Ok("box") => return Shape::Box { half: Vec3::new(0.15, 0.1, 0.08) },
        Ok("cylinder") => return Shape::Cylinder { radius: 0.1, half_height: 0.1 },
        Ok("cone") => return Shape::Cone { radius: 0.15, half_height: 0.12 },
        Ok("torus") => return Shape::Torus { radius: 0.15, tube: 0.05 },
        Ok("mesh") => return made(&meshes::potato(5).mapped(|p| p * 0.3)),
        _ => {}
    }
    Shape::Ellipsoid { radii: RADII[i as usize % 3] }
}

fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (100_000, 2) } else { (1000, 1) }
}

fn made(soup: &Soup) -> Shape {
    Shape::Mesh(Arc::new(soup.mesh()))
}

fn hills() -> Shape {
    made(&sheet(16, 16, |x, y| 0.06 * (9.0 * x).sin() * (7.0 * y + 2.0 * x).cos()))
}

fn touch(a: &Shape, pose: &Pose, ground: &Shape) -> Vec<PointOverlap> {
    overlaps(a, pose, ground, &Pose::IDENTITY).points().to_vec()
}

/// Force of a contact of stiffness 1 N/m and its moment about the body's middle.
fn wrench(a: &Shape, pose: &Pose, ground: &Shape) -> [Vec3; 2] {
    touch(a, pose, ground).iter().fold([Vec3::ZERO; 2], |[force, moment], p| {
        let f = p.normal * (p.share * p.depth);
        [force + f, moment + (p.point - pose.translation).cross(f)]
    })
}

fn energy(a: &Shape, pose: &Pose, ground: &Shape) -> f64 {
    touch(a, pose, ground).iter().map(|p| 0.5 * p.share * p.depth * p.depth).sum()
}

/// A random pose with the body `sink` [m] below where it would touch.
fn lowered(a: &Shape, ground: &Shape, sink: f64, chance: &mut Chance) -> Pose {
    let at = chance.vector() * 0.5;
    let mut pose = Pose { translation: Vec3::new(at.x, at.y, 1.0), rotation: chance.turn() };
    while let Some([p, q]) =
        distance::closest(a, &pose, ground, &Pose::IDENTITY).filter(|[p, q]| p.distance(*q) > 1e-9)
    {
        pose.translation.z -= p.distance(q);
    }
    pose.translation.z -= sink;
    pose
}

/// On hills of triangles force and moment are the gradient of the energy.
#[test]
fn hills_have_a_potential() {
    let ground = hills();
    for (sink, bounds) in [(1e-4, [0, 0]), (2e-3, [0, 0]), (1e-2, [0, 0])] {
        let (count, seed) = cases();
        let chance = &mut Chance(seed);
        let mut counts = [0_u32; 2];
        for i in 0..count {
            let a = solid(i);
            let pose = lowered(&a, &ground, sink, chance);
            let [f, m] = wrench(&a, &pose, &ground);
            let small = 1e-7;
            let slope = |moved: &dyn Fn(f64) -> Pose| {
                (energy(&a, &moved(-small), &ground) - energy(&a, &moved(small), &ground)) / (2.0 * small)
            };
            let along = |d: Vec3| slope(&|by| Pose { translation: pose.translation + d * by, ..pose });
            let about = |d: Vec3| {
                slope(&|by| Pose { rotation: rotation::from_rotation_vector(d * by) * pose.rotation, ..pose })
            };
            let off_f = (f - Vec3::from_array(Vec3::AXES.map(along))).length();
            let off_m = (m - Vec3::from_array(Vec3::AXES.map(about))).length() / 0.1;
            let off = off_f.max(off_m) / f.length();
            counts[0] += u32::from(off > 0.01);
            counts[1] += u32::from(off > 0.2);
        }
        println!("sink {sink}: {counts:?} of {count}, bounds {bounds:?}");
    }
}

/// Along a path of small steps force and moment change in small steps.
#[test]
fn forces_do_not_jump() {
    let ground = hills();
    let (count, seed) = cases();
    let chance = &mut Chance(seed + 10);
    for sink in [1e-3, 1e-2, 3e-2] {
        let (mut jumps, mut most) = (0, 0.0_f64);
        for i in 0..count {
            let a = solid(i);
            let start = lowered(&a, &ground, sink, chance);
            let (velocity, spin) = (chance.direction() * 0.5 * sink, chance.direction() * 0.1);
            let at = |t: f64| Pose {
                translation: start.translation + velocity * t,
                rotation: rotation::from_rotation_vector(spin * t) * start.rotation,
            };
            let force = |t: f64| wrench(&a, &at(t), &ground);
            let size = |x: [Vec3; 2], y: [Vec3; 2]| (x[0] - y[0]).length().max((x[1] - y[1]).length() / 0.1);
            let steps = 10;
            for k in 0..steps {
                let (mut s, mut t) = (f64::from(k) / f64::from(steps), f64::from(k + 1) / f64::from(steps));
                let (mut fs, mut ft) = (force(s), force(t));
                let least = 0.01 * sink;
                while t - s > 1e-10 && size(fs, ft) > least {
                    let middle = 0.5 * (s + t);
                    let f = force(middle);
                    if size(f, fs) > size(ft, f) { (t, ft) = (middle, f) } else { (s, fs) = (middle, f) }
                }
                if size(fs, ft) > least {
                    jumps += 1;
                    most = most.max(size(fs, ft) / sink);
                    if jumps < 3 && std::env::var_os("SHOW").is_some() {
                        println!("{s} {:?}\n{:?}\n", touch(&a, &at(s), &ground), touch(&a, &at(t), &ground));
                    }
                }
            }
        }
        println!("sink {sink}: {jumps} jumps on {} paths, the largest {most}", count);
    }
}
