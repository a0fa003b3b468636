//! Side-by-side runs: prints steps per second, real-time factors, rest and restitution.
//!
//! `cargo run --release -p fender-bench` for Fender alone; with `-- --peers` Rapier runs the same scenes in between
//! (it is built on the way, from `bench/rapier`). `s1`, `s2`, `s3` or `curve` run that part only.

use fender_bench::shared::{BOX, BOX_MASS};
use fender_bench::{fender, patches};
use fender_engine::{IntegratorSpec, World};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Step of S2 [s]: about ten steps in a contact of two balls.
const STEP: f64 = 6e-4;

fn main() {
    if fender_bench::help::is_asked(
        "Steps per second, real-time factors, rest and restitution of three scenes.\n\n  --peers  with Rapier in the same run",
    ) {
        return;
    }
    let peers = std::env::args().any(|a| a == "--peers");
    let parts = ["s1", "s2", "s3", "curve"];
    let all = !std::env::args().any(|a| parts.contains(&a.as_str()));
    let wanted = |part: &str| all || std::env::args().any(|a| a == part);
    if wanted("s1") {
        s1(peers);
    }
    if wanted("s2") {
        s2(peers);
    }
    if wanted("s3") {
        s3(peers);
    }
    if wanted("curve") {
        curve();
    }
}

/// The peer's programs: in doubles and in single precision.
const RAPIER: [(&str, &str); 2] =
    [("rapier, f64", "fender-bench-rapier"), ("rapier, f32", "fender-bench-rapier-single")];

/// Runs a program of the peer and returns the numbers it prints.
fn rapier(program: &str, args: &[&str]) -> Vec<f64> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/rapier/Cargo.toml");
    let output = Command::new("cargo")
        .args(["run", "--release", "--quiet", "--manifest-path", manifest, "--bin", program, "--"])
        .args(args)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|w| w.parse().ok()).collect()
}

/// Steps `count` times and returns steps per second.
fn rate(count: usize, mut step: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..count).for_each(|_| step());
    count as f64 / start.elapsed().as_secs_f64()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

fn advance(world: &mut World, integrator: &dyn fender_engine::Integrator) {
    world.step(integrator, f64::INFINITY).expect("the scene does not diverge");
    world.events.clear();
}

fn s1(peers: bool) {
    println!("S1: one ball, 1 ms, one thread, steps per second (best of 5, alternating)");
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build();
    let (mut ours, mut theirs) = (0.0_f64, [0.0_f64; 2]);
    for _ in 0..5 {
        pool(1).install(|| {
            let mut world = fender::s1();
            ours = ours.max(rate(1_000_000, || advance(&mut world, &*integrator)));
        });
        if peers {
            for (best, (_, program)) in theirs.iter_mut().zip(RAPIER) {
                *best = best.max(rapier(program, &["s1", "0.001", "300000"])[0]);
            }
        }
    }
    println!("  fender {ours:.0}");
    if peers {
        for (theirs, (name, _)) in theirs.iter().zip(RAPIER) {
            println!("  {name} {theirs:.0}   ratio {:.2}", ours / theirs);
        }
    }
}

fn s2(peers: bool) {
    println!("S2: 1000 balls, 5 s, k = {:.2e} N/m, e = 0.5, mu = 0.5", fender::STIFFNESS);
    let mut one = 0.0;
    for threads in [1, 2] {
        let factor = pool(threads).install(|| fender_s2(threads));
        if threads == 1 {
            one = factor;
        } else {
            println!("  fender: the second core gains {:.2}x", factor / one);
        }
    }
    for speed in [0.5, 1.0, 2.0] {
        let integrator = IntegratorSpec::SemiImplicitEuler { step: STEP }.build();
        let mut world = fender::impact(speed);
        (0..(0.1 / STEP) as usize).for_each(|_| advance(&mut world, &*integrator));
        world.refresh();
        let v = |i| world.twist(fender_engine::BodyId(i)).linear.x;
        println!("  fender: restitution at {speed} m/s and {STEP} s: {:.4}", (v(1) - v(0)) / speed);
    }
    if !peers {
        return;
    }
    for (name, program) in RAPIER {
        for dt in ["0.001", "0.0005"] {
            if let [factor, energy, deepest] = rapier(program, &["s2", dt, "10", "5"])[..] {
                println!(
                    "  {name} at {dt} s: {factor:.3}x real time over 5 s, ratio {:.2}; at the end at most {:.4} mJ per ball, \
                     deepest {:.3} mm",
                    one / factor,
                    energy * 1e3,
                    deepest * 1e3
                );
            }
            for speed in ["0.5", "1", "2"] {
                println!(
                    "  {name}: restitution at {speed} m/s and {dt} s: {:.4}",
                    rapier(program, &["impact", dt, speed])[0]
                );
            }
        }
    }
}

/// The whole of S2; returns the real-time factor.
fn fender_s2(threads: usize) -> f64 {
    let integrator = IntegratorSpec::SemiImplicitEuler { step: STEP }.build();
    let mut world = fender::s2(10);
    let (steps, last) = ((5.0 / STEP) as usize, (0.5 / STEP) as usize);
    let start = Instant::now();
    (0..steps - last).for_each(|_| advance(&mut world, &*integrator));
    let mut seconds = start.elapsed().as_secs_f64();
    // The last half second: timed too, but watched in between.
    let (mut energy, mut mean, mut deepest) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..last {
        let start = Instant::now();
        advance(&mut world, &*integrator);
        seconds += start.elapsed().as_secs_f64();
        world.refresh();
        for free in &world.model.free {
            let twist = world.twist(free.body);
            let spin = 0.4 * 0.01 * twist.angular.length_squared();
            energy = energy.max(0.5 * (twist.linear.length_squared() + spin));
        }
        mean = mean.max(world.energy().kinetic / world.model.free.len() as f64);
        deepest = world.contacts().map(|c| c.overlap.depth).fold(deepest, f64::max);
    }
    let factor = 5.0 / seconds;
    println!(
        "  fender at {STEP} s, {threads} thread(s): {factor:.2}x real time over 5 s, {} contacts; in the last 0.5 s at most \
         {:.4} mJ per ball in the mean, {:.4} mJ in one ball, deepest {:.3} mm; energy residual {:.1e}",
        world.contacts().count(),
        mean * 1e3,
        energy * 1e3,
        deepest * 1e3,
        world.energy().relative_residual
    );
    factor
}

/// Processor time of this thread [s].
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn s3(peers: bool) {
    println!(
        "S3: 1000 boxes, 5 s, k = {:.0e} N/m3, e = 0.5, mu = 0.5, processor time",
        patches::BIN_STIFFNESS
    );
    let factor = pool(1).install(fender_s3);
    if !peers {
        return;
    }
    for (name, program) in RAPIER {
        for dt in ["0.001", "0.0005"] {
            if let [theirs, most, mean, deepest, height] = rapier(program, &["s3", dt, "10", "5"])[..] {
                println!(
                    "  {name} at {dt} s: {theirs:.3}x real time over 5 s, ratio {:.2}; at the end at most {:.4} mJ per box, {:.4} mJ \
                     in the mean, deepest {:.3} mm, height {height:.4} m in the mean",
                    factor / theirs,
                    most * 1e3,
                    mean * 1e3,
                    deepest * 1e3
                );
            }
        }
    }
}

/// The whole of S3 at 1 ms; returns the real-time factor.
fn fender_s3() -> f64 {
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build();
    let mut world = patches::pile(10);
    let mut seconds = 0.0;
    for second in 1..=5 {
        let start = clock();
        for _ in 0..1000 {
            if let Err(error) = world.step(&*integrator, f64::INFINITY) {
                println!("  fender fails at {} s: {error}", world.state.time);
                return f64::NAN;
            }
            world.events.clear();
        }
        seconds += clock() - start;
        world.refresh();
        let (mut most, mut height) = (0.0_f64, 0.0);
        let inertia = BOX_MASS * BOX * BOX / 6.0;
        for free in &world.model.free {
            let twist = world.twist(free.body);
            let energy =
                0.5 * (BOX_MASS * twist.linear.length_squared() + inertia * twist.angular.length_squared());
            most = most.max(energy);
            height += world.pose(free.body).translation.z;
        }
        let (count, energy) = (world.model.free.len() as f64, world.energy());
        println!(
            "  fender at 1 ms, {second} s: {:.3}x real time so far, {} contacts; at most {:.4} mJ per box, {:.4} mJ in the mean, \
             deepest {:.3} mm, height {:.4} m in the mean; residual {:.1e}",
            f64::from(second) / seconds,
            world.contacts().count(),
            most * 1e3,
            energy.kinetic / count * 1e3,
            world.contacts().map(|c| c.overlap.depth).fold(0.0, f64::max) * 1e3,
            height / count,
            energy.relative_residual
        );
    }
    5.0 / seconds
}

fn curve() {
    println!("Cost per step of S2 against the number of balls, after 1.8 s, one thread, best of 5");
    let integrator = IntegratorSpec::SemiImplicitEuler { step: STEP }.build();
    pool(1).install(|| {
        let mut first = None;
        for n in [5_u32, 7, 10, 15, 22] {
            let count = f64::from(n.pow(3));
            let before = resident();
            let mut world = fender::s2(n);
            (0..3000).for_each(|_| advance(&mut world, &*integrator));
            // The best of five: the machine is not ours alone.
            let rates = (0..5).map(|_| rate(40, || advance(&mut world, &*integrator)));
            let per_second = rates.fold(0.0, f64::max);
            let memory = resident().saturating_sub(before) as f64 / count;
            let cost = 1e6 / per_second;
            let unit = cost / (count * count.ln());
            let reference = *first.get_or_insert(unit);
            world.refresh();
            let contacts = world.contacts().count() as f64;
            println!(
                "  {count:>6} balls: {cost:>9.1} us/step, {:.2} of n log n, {:.2} contacts/ball, {:.0} ns/contact, {memory:.0} \
                 bytes/ball",
                unit / reference,
                contacts / count,
                cost * 1e3 / contacts
            );
        }
    });
}

/// Resident memory of this process [bytes]; 0 where the system does not tell.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok())
        .map_or(0, |pages| pages * 4096)
}
