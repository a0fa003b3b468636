//! Time of one pair search in piles of 10² to 10⁴ spheres: `cargo run --release -p fender-geom --example broad_phase`.

use fender_geom::Bounds;
use fender_geom::broad::{BroadPhase, Mover, Scene, Scenery};
use fender_math::Vec3;
use std::time::Instant;

fn main() {
    println!("{:>7} {:>12} {:>12} {:>9}", "n", "time [us]", "per n [ns]", "pairs");
    for n in [100_u32, 316, 1000, 3162, 10_000] {
        let pile = Pile::new(n);
        let mut broad = BroadPhase::default();
        let mut pairs = Vec::new();
        let mut best = f64::INFINITY;
        for _ in 0..200 {
            let start = Instant::now();
            broad.find(&pile, 0.005, &mut pairs);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{n:>7} {:>12.1} {:>12.1} {:>9}", best * 1e6, best * 1e9 / f64::from(n), pairs.len());
    }
}

/// Spheres of radius 0.1 m packed in a pit about as wide as high (2.3 m for 1000), with some disorder, and its
/// floor and four walls.
struct Pile {
    balls: Vec<Bounds>,
    walls: Scenery,
}

impl Pile {
    fn new(n: u32) -> Self {
        let wide = f64::from(n).cbrt().ceil() as u32;
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let balls: Vec<Bounds> = (0..n)
            .map(|i| {
                let at =
                    Vec3::new(f64::from(i % wide), f64::from(i / wide % wide), f64::from(i / wide / wide));
                let jitter = Vec3::new(random(), random(), random()) * 0.06;
                Bounds::around(at * 0.195 + jitter, Vec3::splat(0.1))
            })
            .collect();
        let width = f64::from(wide) * 0.195;
        let planes =
            [(Vec3::Z, -0.1), (Vec3::X, -0.1), (Vec3::Y, -0.1), (-Vec3::X, -width), (-Vec3::Y, -width)];
        let walls = planes
            .into_iter()
            .zip(n..)
            .map(|((normal, offset), i)| (i, Bounds::HalfSpace { normal, offset }));
        Self { balls, walls: Scenery::new(walls) }
    }
}

impl Scene for Pile {
    fn shapes(&self) -> usize {
        self.balls.len() + 5
    }
    fn scenery(&self) -> &Scenery {
        &self.walls
    }
    fn movers(&self) -> usize {
        self.balls.len()
    }
    fn mover(&self, index: usize) -> Mover<'_> {
        Mover { shapes: index as u32..index as u32 + 1, many: None }
    }
    fn bounds(&self, shape: u32) -> Bounds {
        self.balls[shape as usize]
    }
    fn skips(&self, _: u32, _: u32) -> bool {
        false
    }
}
