//! Time of one pair search in piles of 10² to 10⁴ spheres: `cargo run --release -p fender-geom --example broad_phase`.

use fender_geom::{Bounds, BroadPhase};
use fender_math::Vec3;
use std::time::Instant;

fn main() {
    println!("{:>7} {:>12} {:>12} {:>9}", "n", "time [us]", "per n [ns]", "pairs");
    for n in [100_u32, 316, 1000, 3162, 10_000] {
        let bounds = pile(n);
        let mut broad = BroadPhase::default();
        let mut pairs = Vec::new();
        let mut best = f64::INFINITY;
        for _ in 0..200 {
            let start = Instant::now();
            broad.find(&bounds, 0.005, |_, _| false, &mut pairs);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{n:>7} {:>12.1} {:>12.1} {:>9}", best * 1e6, best * 1e9 / f64::from(n), pairs.len());
    }
}

/// Spheres of radius 0.1 m packed in a pit about as wide as high (2.3 m for 1000), with some disorder, and its
/// floor and four walls.
fn pile(n: u32) -> Vec<Bounds> {
    let wide = f64::from(n).cbrt().ceil() as u32;
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut bounds: Vec<Bounds> = (0..n)
        .map(|i| {
            let at = Vec3::new(f64::from(i % wide), f64::from(i / wide % wide), f64::from(i / wide / wide));
            let jitter = Vec3::new(random(), random(), random()) * 0.06;
            Bounds::around(at * 0.195 + jitter, Vec3::splat(0.1))
        })
        .collect();
    let width = f64::from(wide) * 0.195;
    for (normal, offset) in
        [(Vec3::Z, -0.1), (Vec3::X, -0.1), (Vec3::Y, -0.1), (-Vec3::X, -width), (-Vec3::Y, -width)]
    {
        bounds.push(Bounds::HalfSpace { normal, offset });
    }
    bounds
}
