//! Contact over patches beside Drake's hydroelastic contact: pairs of solids, and a hundred boxes in a bin.
//!
//! `cargo run --release -p fender-bench --bin patches` for Fender alone; with `-- --peers VENV` Drake runs the same scenes
//! from a Python environment (see `bench/README.md`). `pairs` or `bin` run that part only, `--only TEXT` the pairs with that text in
//! their name. Times are processor time.

use fender_bench::patches::{self, PAIR_STIFFNESS, PairScene};
use fender_contact::{Damping, Foundation, Memory, Motion, Normal, PatchOverlap, Spread};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{BodyId, IntegratorSpec, World};
use fender_geom::{Polyhedron, Shape, pair::patch};
use fender_math::{Pose, Vec3, Wrench};
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Restitution of the boxes in the bin, and what gives a box that falls on its face the same in Drake: time of relaxation [s] of
/// each body with SAP, dissipation [s/m] with the lagged approximation.
const RESTITUTION: f64 = 0.3;
const RELAXATION: f64 = 1.37e-3;
const DISSIPATION: f64 = 2.5;

fn main() {
    if fender_bench::help::is_asked(
        "Contact over patches: pairs of solids, a hundred boxes in a bin.\n\n  --peers VENV  with Drake of a Python environment\n  --only TEXT   pairs with that text in their name",
    ) {
        return;
    }
    let args: Vec<String> = std::env::args().collect();
    let peer = args
        .iter()
        .position(|a| a == "--peers")
        .and_then(|i| args.get(i + 1))
        .map(|venv| PathBuf::from(venv).join("bin/python"));
    let only = args.iter().position(|a| a == "--only").and_then(|i| args.get(i + 1));
    let all = !args.iter().any(|a| a == "pairs" || a == "bin");
    let wanted = |part: &str| all || args.iter().any(|a| a == part);
    if wanted("pairs") {
        pairs(peer.as_ref(), only.map_or("", |text| text));
    }
    if wanted("bin") {
        bin(peer.as_ref());
    }
}

/// Processor time of this thread [s].
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs the peer's script with a scene and returns the lines of JSON that it prints.
fn drake(python: &PathBuf, work: &Value) -> Vec<Value> {
    let file = std::env::temp_dir().join(format!("fender-patches-{}.json", std::process::id()));
    std::fs::write(&file, work.to_string()).expect("the temporary directory can be written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/drake/patches.py");
    let output =
        Command::new(python).arg(script).arg(&file).stderr(Stdio::inherit()).output().expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::remove_file(&file).ok();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Seconds per call, the best of many windows, with the first pose moved a little each time.
fn time<T>(pose: Pose, mut call: impl FnMut(&Pose) -> T) -> f64 {
    let mut pose = pose;
    let mut window = |count: u32| {
        let start = clock();
        for _ in 0..count {
            pose.translation.x += 1e-9;
            black_box(call(black_box(&pose)));
        }
        (clock() - start) / f64::from(count)
    };
    let once = window(100);
    let count = (5e-4 / once).clamp(10.0, 2e4) as u32;
    (0..400).map(|_| window(count)).fold(once, f64::min)
}

/// What a foundation makes of an overlap: the wrench on the first body about the patch, with damping and the spread.
fn wrench(law: &Normal, overlap: &PatchOverlap) -> (Wrench, Spread) {
    let gradient = law.gradient(overlap);
    let spread = Spread::new(overlap, gradient.normal);
    let motion = Motion { approach: 0.0, slip: Vec3::ZERO };
    let force = law.rate_on_patch(overlap, &gradient, gradient.depth, &motion, &Memory::default()).force;
    (Wrench { force: gradient.normal * force, torque: gradient.lever * force }, spread)
}

fn pairs(python: Option<&PathBuf>, only: &str) {
    println!("Pairs, ns of processor time per call, best of many windows");
    let law = Foundation::new(PAIR_STIFFNESS, 0.5, Damping::Exact, 1e-3).expect("valid restitution");
    let law = Normal::from(law);
    for scene in patches::pairs().into_iter().filter(|scene| scene.name.contains(only)) {
        let [(a, pose_a), (b, pose_b)] = [&scene.a, &scene.b];
        let found = patch::overlap(a, pose_a, b, pose_b);
        let force = found.map_or(Vec3::ZERO, |o| wrench(&law, &o).0.force);
        let measure = || {
            let overlap = time(*pose_a, |pose| patch::overlap(a, pose, b, pose_b));
            let with_law = time(*pose_a, |pose| patch::overlap(a, pose, b, pose_b).map(|o| wrench(&law, &o)));
            (overlap, with_law)
        };
        let mut best = measure();
        let fold = |best: &mut (f64, f64)| {
            let again = measure();
            *best = (best.0.min(again.0), best.1.min(again.1));
        };
        let theirs = python.map(|python| {
            let lines = drake(python, &json!({ "pairs": [scene.value()] }));
            fold(&mut best);
            lines
        });
        if theirs.is_none() {
            fold(&mut best);
        }
        let (overlap, with_law) = best;
        let error = prism_error(&scene, &law, force);
        println!(
            "{}: fender overlap {:.0}, with law {:.0}; {:.4} N{error}",
            scene.name,
            overlap * 1e9,
            with_law * 1e9,
            force.length()
        );
        for line in theirs.into_iter().flatten() {
            let number = |key: &str| line[key].as_f64().unwrap_or(f64::NAN);
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            let their_force: Vec<f64> =
                line["force"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let size = their_force.iter().map(|c| c * c).sum::<f64>().sqrt();
            println!(
                "  drake {:>9}, {:>9}: surface {:>8.0} ({:>5.1}), with forces {:>8.0} ({:>5.1}); edge {:.2} mm, {} faces, error \
                 {:.2} %, {size:.4} N ({:+.2} %); apart {:.0} and {:.0}",
                text("kind"),
                text("representation"),
                number("surface") * 1e9,
                number("surface") / overlap,
                number("results") * 1e9,
                number("results") / with_law,
                number("hint") * 1e3,
                number("faces"),
                number("error") * 100.0,
                (size / force.length() - 1.0) * 100.0,
                line["apart"][0].as_f64().unwrap_or(f64::NAN) * 1e9,
                line["apart"][1].as_f64().unwrap_or(f64::NAN) * 1e9,
            );
        }
    }
}

/// For a can: the difference to prisms with very many sides, which take another way through the code.
fn prism_error(scene: &PairScene, law: &Normal, force: Vec3) -> String {
    let Shape::Cylinder { radius, half_height } = scene.a.0 else { return String::new() };
    let of_sides = |count: u32| {
        let corners: Vec<Vec3> = (0..2 * count)
            .map(|i| {
                let angle = std::f64::consts::TAU * (f64::from(i / 2) + 0.3) / f64::from(count);
                let z = if i % 2 == 0 { half_height } else { -half_height };
                Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
            })
            .collect();
        let prism = Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners).expect("not flat")));
        patch::overlap(&prism, &scene.a.1, &scene.b.0, &scene.b.1)
            .map_or(Vec3::ZERO, |o| wrench(law, &o).0.force)
    };
    // Their error goes with the square of the number of sides.
    let (coarse, fine) = (of_sides(500), of_sides(1000));
    let limit = fine + (fine - coarse) / 3.0;
    format!(
        ", {:.1e} from prisms of 500 and 1000 sides, extrapolated",
        (limit - force).length() / force.length()
    )
}

fn bin(python: Option<&PathBuf>) {
    println!("100 boxes in a bin, 5 s, foundation with {:.0e} N/m³", patches::BIN_STIFFNESS);
    let euler = IntegratorSpec::SemiImplicitEuler { step: 1e-3 };
    let alpha = IntegratorSpec::Alpha {
        step: 5e-3,
        method: AlphaMethod::GeneralizedAlpha { radius: 0.8 },
        iterations: 50,
        halvings: 10,
        real_time: false,
    };
    println!(
        "  restitution of one box on its face: fender, semi-implicit Euler, 1 ms: {:.3}",
        restitution(&euler)
    );
    for (name, spec) in [("semi-implicit Euler, 1 ms", &euler), ("generalized-alpha, 5 ms", &alpha)] {
        let mut world = patches::bin(RESTITUTION);
        // One run is enough: its windows are long.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| run_bin(name, &mut world, spec));
    }
    let Some(python) = python else { return };
    for approximation in ["kSap", "kLagged"] {
        let scene = patches::bin_value(1e-3, approximation, RELAXATION, DISSIPATION);
        let mut alone = scene.clone();
        alone["boxes"] = json!([[0.0, 0.0, 0.05 + 0.5 / 9.81, 1.0, 0.0, 0.0, 0.0]]);
        alone["seconds"] = json!(0.5);
        alone["rebound"] = json!(true);
        if let Some(line) = drake(python, &json!({ "bin": alone })).first() {
            println!("  restitution of one box on its face: drake, {approximation}: {}", line["rebound"]);
        }
        for line in drake(python, &json!({ "bin": scene })) {
            let number = |key: &str| line[key].as_f64().unwrap_or(f64::NAN);
            println!(
                "  drake, {approximation}, 1 ms: {:.3}x real time ({:.1} s of processor, {:.1} s by the clock); at the end {:.3e} J, \
                 {:.3e} m/s, {:.3e} rad/s, {} contacts, {} faces, heights {:.4} m in the mean, {:.4} m at least",
                5.0 / number("seconds"),
                number("seconds"),
                number("wall"),
                number("energy"),
                number("speed"),
                number("spin"),
                number("contacts"),
                number("faces"),
                number("mean_height"),
                number("lowest"),
            );
            for row in line["rows"].as_array().into_iter().flatten() {
                println!("    {row}");
            }
        }
    }
}

/// Rebound of one box that falls on its face with 1 m/s.
fn restitution(spec: &IntegratorSpec) -> f64 {
    let mut world = patches::drop(RESTITUTION);
    let method = spec.build();
    let mut fastest = 0.0_f64;
    while world.state.time < 0.5 {
        world.step(&*method, f64::INFINITY).expect("a box falls");
        world.events.clear();
        fastest = fastest.max(world.twist(BodyId(1)).linear.z);
    }
    fastest
}

fn run_bin(name: &str, world: &mut World, spec: &IntegratorSpec) {
    let method = spec.build();
    let (mut seconds, mut steps, mut deepest, mut next) = (0.0, 0_u32, 0.0_f64, 0.5);
    let mut rows = Vec::new();
    while world.state.time < 5.0 - 1e-9 {
        let start = clock();
        while world.state.time < next - 1e-9 {
            if let Err(error) = world.step(&*method, f64::INFINITY) {
                println!("  fender, {name}: fails at {} s: {error}", world.state.time);
                return;
            }
            world.events.clear();
            steps += 1;
        }
        seconds += clock() - start;
        next += 0.5;
        world.refresh();
        deepest = deepest.max(world.contacts().map(|c| c.overlap.depth).fold(0.0, f64::max));
        let (speed, spin) = fastest(world);
        rows.push((world.state.time, seconds, world.energy().kinetic, speed, spin));
    }
    let (speed, spin) = fastest(world);
    let energy = world.energy();
    let heights: Vec<f64> = world.model.free.iter().map(|f| world.pose(f.body).translation.z).collect();
    println!(
        "  fender, {name}: {:.3}x real time ({seconds:.2} s, {steps} steps); at the end {:.3e} J, {speed:.3e} m/s, {spin:.3e} \
         rad/s, {} contacts, deepest {:.3} mm, heights {:.4} m in the mean, {:.4} m at least; residual {:.1e}",
        5.0 / seconds,
        energy.kinetic,
        world.contacts().count(),
        deepest * 1e3,
        heights.iter().sum::<f64>() / heights.len() as f64,
        heights.iter().copied().fold(f64::INFINITY, f64::min),
        energy.relative_residual
    );
    for (time, seconds, energy, speed, spin) in rows {
        println!("    [{time:.1},{seconds:.3},{energy:.3e},{speed:.3e},{spin:.3e}]");
    }
}

/// Largest speed of a box [m/s] and its angular one [rad/s].
fn fastest(world: &World) -> (f64, f64) {
    world.model.free.iter().fold((0.0, 0.0), |(speed, spin): (f64, f64), free| {
        let twist = world.twist(free.body);
        (speed.max(twist.linear.length()), spin.max(twist.angular.length()))
    })
}
