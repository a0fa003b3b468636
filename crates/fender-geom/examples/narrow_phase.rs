//! Time of one overlap for each pair of shapes: `cargo run --release -p fender-geom --example narrow_phase`.

use fender_geom::{Shape, overlaps};
use fender_math::{Pose, Vec3, rotation};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let shapes = [
        Shape::Sphere { radius: 0.1 },
        Shape::Capsule { radius: 0.1, half_height: 0.1 },
        Shape::Cylinder { radius: 0.1, half_height: 0.1 },
        Shape::Box { half: Vec3::splat(0.1) },
        Shape::HalfSpace,
    ];
    println!("{:<24} {:>14} {:>14}", "pair", "touching [ns]", "apart [ns]");
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            if fender_geom::narrow::supported(a, b) {
                let reach = |s: &Shape| if *s == Shape::HalfSpace { 0.0 } else { 0.099 };
                let near = time(a, b, reach(a) + reach(b));
                let far = time(a, b, 1.5 * (reach(a) + reach(b)));
                println!("{:<24} {near:>14.1} {far:>14.1}", format!("{} - {}", a.name(), b.name()));
            }
        }
    }
}

/// Mean time for many slightly different poses, so that nothing is foreseen [ns].
fn time(a: &Shape, b: &Shape, height: f64) -> f64 {
    let poses: Vec<Pose> = (0..1000_u32)
        .map(|i| {
            let wobble = f64::from(i * 7919 % 1000) / 1000.0 - 0.5;
            Pose {
                translation: Vec3::new(0.02 * wobble, 0.01, height * (1.0 + 0.004 * wobble)),
                rotation: rotation::from_rotation_vector(Vec3::new(0.02 * wobble, 0.01, 3.0 * wobble)),
            }
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let start = Instant::now();
        for pose in &poses {
            let mut sum = 0.0;
            for p in overlaps(black_box(a), black_box(pose), black_box(b), &Pose::IDENTITY).points() {
                sum += p.depth * p.share + p.point.x;
            }
            black_box(sum);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / poses.len() as f64
}
