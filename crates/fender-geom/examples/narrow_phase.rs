//! Time of one overlap for each pair of shapes: `cargo run --release -p fender-geom --example narrow_phase`.

use fender_geom::{Polyhedron, Shape, overlaps};
use fender_math::{Pose, Vec3, rotation};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let shapes = [
        Shape::Sphere { radius: 0.1 },
        Shape::Capsule { radius: 0.1, half_height: 0.1 },
        Shape::Cylinder { radius: 0.1, half_height: 0.1 },
        Shape::Box { half: Vec3::splat(0.1) },
        Shape::Cone { radius: 0.1, half_height: 0.1 },
        Shape::Ellipsoid { radii: Vec3::new(0.1, 0.12, 0.1) },
        Shape::HalfSpace,
    ];
    let prism = |corners: u32| {
        let points = (0..2 * corners).map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i / 2) / f64::from(corners);
            Vec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), if i % 2 == 0 { -0.1 } else { 0.1 })
        });
        Polyhedron::hull(&points.collect::<Vec<_>>()).map(|p| Shape::Polyhedron(Arc::new(p)))
    };
    let shapes: Vec<Shape> = shapes.into_iter().chain([4, 32].into_iter().flat_map(prism)).collect();
    println!("{:<24} {:>14} {:>14}", "pair", "touching [ns]", "apart [ns]");
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            if fender_geom::narrow::supported(a, b) {
                let reach = |s: &Shape| if *s == Shape::HalfSpace { 0.0 } else { 0.099 };
                let near = time(a, b, reach(a) + reach(b));
                let far = time(a, b, 1.5 * (reach(a) + reach(b)));
                println!("{:<24} {near:>14.1} {far:>14.1}", format!("{} - {}", name(a), name(b)));
            }
        }
    }
}

fn name(shape: &Shape) -> String {
    match shape {
        Shape::Polyhedron(p) => format!("{}-hedron", p.normals().len()),
        _ => shape.name().into(),
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
