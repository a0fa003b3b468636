//! Time of one pair search in piles of 10² to 10⁴ spheres, and among 100 bodies of some spheres each: `cargo run --release -p fender-geom --example broad_phase`.

use fender_geom::Bounds;
use fender_geom::broad::{Ball, BroadPhase, Hierarchy, Mover, Scene, Scenery};
use fender_math::rotation::from_axis_angle;
use fender_math::{Pose, Vec3};
use std::time::Instant;

fn main() {
    println!("{:>7} {:>12} {:>12} {:>9}", "n", "time [us]", "per n [ns]", "pairs");
    for n in [100_u32, 316, 1000, 3162, 10_000] {
        let pile = Pile::new(n);
        let (best, pairs) = search(&pile);
        println!("{n:>7} {:>12.1} {:>12.1} {:>9}", best * 1e6, best * 1e9 / f64::from(n), pairs);
    }
    println!(
        "\n{:>7} {:>12} {:>12} {:>12} {:>12}   [us]",
        "shapes", "apart", "as a whole", "in a pile", "as a whole"
    );
    for parts in [2, 3, 4, 6, 8, 12, 16, 50] {
        print!("{parts:>7}");
        for step in [0.5, 0.19] {
            for as_a_whole in [false, true] {
                print!(" {:>12.1}", 1e6 * search(&Compounds::new(parts, step, as_a_whole)).0);
            }
        }
        println!();
    }
}

/// Time of one search [s], the best of many, and how many pairs there are.
fn search(scene: &impl Scene) -> (f64, usize) {
    let mut broad = BroadPhase::default();
    let mut pairs = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        broad.find(scene, 0.005, &mut pairs);
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, pairs.len())
}

/// A hundred bodies of radius 0.1 m, each of small spheres on its surface.
struct Compounds {
    parts: u32,
    /// In a body's frame.
    balls: Vec<Ball>,
    hierarchy: Option<Hierarchy>,
    poses: Vec<Pose>,
    nothing: Scenery,
}

impl Compounds {
    /// With `step` [m] between the bodies.
    fn new(parts: u32, step: f64, as_a_whole: bool) -> Self {
        let radius = 0.1 / f64::from(parts).sqrt();
        let balls: Vec<Ball> = (0..parts)
            .map(|i| {
                // Places on a ball by the golden angle, π·(3 − √5).
                let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(parts);
                let (turn, across) = (2.399_963_229_728_653 * f64::from(i), (1.0 - z * z).sqrt());
                let out = Vec3::new(across * turn.cos(), across * turn.sin(), z);
                Ball { center: out * (0.1 - radius), radius }
            })
            .collect();
        let place = |i: u32| step * Vec3::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25));
        let pose = |i: u32| Pose {
            translation: place(i),
            rotation: from_axis_angle(Vec3::new(0.3, 1.0, -0.4), f64::from(i)),
        };
        let hierarchy = if as_a_whole { Hierarchy::new(&balls) } else { None };
        let poses = (0..100).map(pose).collect();
        Self { parts, balls, hierarchy, poses, nothing: Scenery::default() }
    }
}

impl Scene for Compounds {
    fn shapes(&self) -> usize {
        self.poses.len() * self.balls.len()
    }
    fn scenery(&self) -> &Scenery {
        &self.nothing
    }
    fn movers(&self) -> usize {
        self.poses.len()
    }
    fn mover(&self, index: usize) -> Mover<'_> {
        let first = index as u32 * self.parts;
        let many = self.hierarchy.as_ref().map(|h| (h, self.poses[index]));
        Mover { shapes: first..first + self.parts, many }
    }
    fn bounds(&self, shape: u32) -> Bounds {
        let ball = self.balls[(shape % self.parts) as usize];
        let pose = &self.poses[(shape / self.parts) as usize];
        Bounds::around(pose.transform_point(ball.center), Vec3::splat(ball.radius))
    }
    fn skips(&self, a: u32, b: u32) -> bool {
        a / self.parts == b / self.parts
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
