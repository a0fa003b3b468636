//! Time of one overlap of a ring, half torus or link that rests on a mesh: `cargo run --release -p fender-geom --example tubes_on_meshes`.
//!
//! With a number, each case is asked that often and no clock is looked at: for `valgrind --tool=callgrind`, which counts instructions, where the
//! machine is too busy for clocks. Words behind it choose the cases that have them in their name: `30 link settled`.

use fender_geom::trimesh::Heightfield;
use fender_geom::{Shape, TriMesh, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Slightly different poses of each case.
const POSES: u32 = 32;

fn main() {
    let given = std::env::args().nth(1);
    let repeats: Option<u32> = given.as_ref().and_then(|text| text.parse().ok());
    let tubes = [
        ("ring", Shape::Torus { radius: 0.2, tube: 0.05 }),
        ("half torus", Shape::HalfTorus { radius: 0.2, tube: 0.05 }),
        ("link", Shape::Link { radius: 0.15, half_straight: 0.12, tube: 0.05 }),
    ];
    let grounds = [
        ("hills 100×100", hills(100, 0.1)),
        ("hills 400×400", hills(400, 0.025)),
        ("flat 100×100", flat(100, 0.1)),
        ("closed, 20 000", ball(71, 140)),
    ];
    // Lying, settled as things rest on hills, far tilted, upright.
    let tilts = [("flat", 0.0), ("settled", 0.08), ("tilted", 0.6), ("upright", std::f64::consts::FRAC_PI_2)];
    println!("{:<16} {:<12} {:<8} {:>10} {:>8}", "ground", "tube", "how", "[µs]", "points");
    for (ground_name, ground) in &grounds {
        for (name, tube) in &tubes {
            for (how, tilt) in tilts {
                let title = format!("{ground_name:<16} {name:<12} {how:<8}");
                if !std::env::args().skip(2).all(|word| title.contains(&word)) {
                    continue;
                }
                let pose = |i: u32| {
                    let pose = resting(tube, tilt, i, ground);
                    if how == "settled" { settled(tube, pose, ground) } else { pose }
                };
                let poses: Vec<Pose> = (0..POSES).map(pose).collect();
                let mut best = f64::INFINITY;
                let mut points = 0;
                for _ in 0..repeats.unwrap_or(30) {
                    let start = Instant::now();
                    points = 0;
                    for pose in &poses {
                        let found =
                            overlaps(black_box(tube), black_box(pose), black_box(ground), &Pose::IDENTITY);
                        points += black_box(found).points().len();
                    }
                    best = best.min(start.elapsed().as_secs_f64());
                }
                let each = f64::from(POSES);
                let time = if repeats.is_some() { f64::NAN } else { best * 1e6 / each };
                println!("{title} {time:>10.1} {:>8.1}", points as f64 / each);
            }
        }
    }
}

/// A place somewhere on the ground, with the tube sunk in by a hundredth of its bar.
fn resting(tube: &Shape, tilt: f64, i: u32, ground: &Shape) -> Pose {
    let wobble = |k: u32| f64::from(i * k % 1009) / 1009.0 - 0.5;
    let spin = rotation::from_axis_angle(Vec3::Z, 6.0 * wobble(613));
    let lean = rotation::from_axis_angle(Vec3::X, tilt * (1.0 + 0.05 * wobble(389)));
    let rotation: Quat = spin * lean;
    let at = |z: f64| Pose { translation: Vec3::new(2.0 * wobble(7919), 2.0 * wobble(5003), z), rotation };
    let depth = |z: f64| {
        overlaps(tube, &at(z), ground, &Pose::IDENTITY).points().iter().map(|p| p.depth).fold(0.0, f64::max)
    };
    // From above, down to where it is deep enough.
    let mut high = 3.0;
    while depth(high) == 0.0 {
        high -= 0.02;
    }
    let (mut low, mut high) = (high, high + 0.02);
    for _ in 0..30 {
        let z = 0.5 * (low + high);
        if depth(z) > 0.01 * 0.05 { low = z } else { high = z }
    }
    at(low)
}

/// Sunk until it is held: down with its weight, and after the force and moment of what it touches.
fn settled(tube: &Shape, mut pose: Pose, ground: &Shape) -> Pose {
    for _ in 0..400 {
        let (mut force, mut moment) = (-Vec3::Z, Vec3::ZERO);
        for p in overlaps(tube, &pose, ground, &Pose::IDENTITY).points() {
            // The weight is held at a hundredth of the bar.
            let push = p.normal * (p.depth * p.share / (0.01 * 0.05));
            force += push;
            moment += (p.point - pose.translation).cross(push);
        }
        pose.translation.z += 1e-4 * force.z;
        pose.rotation = rotation::from_rotation_vector(moment * 2e-3) * pose.rotation;
    }
    pose
}

/// Ground of about 10 m by 10 m with hills.
fn hills(n: usize, spacing: f64) -> Shape {
    let height = |i: usize, j: usize| {
        let (x, y) = (spacing * i as f64, spacing * j as f64);
        0.2 * (1.3 * x).sin() * (1.1 * y).cos() + 0.02 * (9.0 * x).sin() * (8.0 * y).sin()
    };
    field(n, spacing, height)
}

fn flat(n: usize, spacing: f64) -> Shape {
    field(n, spacing, |_, _| 0.0)
}

fn field(n: usize, spacing: f64, height: impl Fn(usize, usize) -> f64) -> Shape {
    let heights = (0..n * n).map(|k| height(k % n, k / n)).collect();
    let field = Heightfield { columns: n, heights, spacing: [spacing; 2] };
    Shape::Mesh(Arc::new(field.solid(1.0).expect("a grid of finite heights")))
}

/// A bumpy closed surface of 2 m.
fn ball(rows: usize, columns: usize) -> Shape {
    let mut vertices = vec![Vec3::Z, -Vec3::Z];
    let mut triangles = Vec::new();
    let at = |i: usize, j: usize| (2 + i * columns + j % columns) as u32;
    for i in 0..rows {
        let polar = std::f64::consts::PI * (i + 1) as f64 / (rows + 1) as f64;
        for j in 0..columns {
            let around = std::f64::consts::TAU * j as f64 / columns as f64;
            let out = Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
            let r = 1.0 + 0.1 * (3.0 * out.x).sin() * (4.0 * out.y).cos() + 0.02 * (20.0 * out.z).sin();
            vertices.push(out * (1.5 * r));
            let next = j + 1;
            if i == 0 {
                triangles.push([0, at(0, j), at(0, next)]);
            } else {
                let [a, b, c, d] = [at(i - 1, j), at(i, j), at(i, next), at(i - 1, next)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
            if i + 1 == rows {
                triangles.push([at(i, j), 1, at(i, next)]);
            }
        }
    }
    Shape::Mesh(Arc::new(TriMesh::new(&vertices, &triangles).expect("a surface of finite places")))
}
