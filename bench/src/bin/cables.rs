//! Cables side by side with MoorDyn, PyElastica and Exudyn.
//!
//! `cargo run --release -p fender-bench --bin cables` for Fender alone: the largest step of each method that meets the error, with its
//! time; cost per node; statics. With `-- --peers VENV` the peers that are installed in a Python environment (see
//! `bench/README.md`) run in between, each with the step found for it there. Times are processor time.

use fender_bench::cables::{Case, SAMPLE, alpha, error, run, soft};
use fender_engine::cable::Pace;
use fender_engine::integrator::AlphaMethod;
use fender_engine::{IntegratorSpec, World};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// How many of the largest steps that meet the error are timed.
const LOOKED_AT: usize = 3;

/// Processor time of this thread [s]; the machine is not ours alone.
fn clock() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// What a peer's script prints last.
fn peer(environment: &str, script: &str, args: &[&str]) -> Option<Value> {
    let python = Path::new(environment).join("bin/python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let output = Command::new(python).arg("-Wignore").arg(script).args(args).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().rev().find_map(|line| serde_json::from_str(line).ok())
}

fn methods(step: f64) -> Vec<(&'static str, IntegratorSpec)> {
    let newmark = IntegratorSpec::Alpha {
        step,
        method: AlphaMethod::Newmark,
        iterations: 30,
        halvings: 6,
        real_time: false,
    };
    vec![
        ("generalized-α 0.9", alpha(step, 0.9)),
        ("generalized-α 0.5", alpha(step, 0.5)),
        ("newmark", newmark),
        ("midpoint", IntegratorSpec::Midpoint { step, halvings: 6 }),
    ]
}

fn main() {
    if fender_bench::help::is_asked(
        "Cables beside MoorDyn, PyElastica and Exudyn.\n\n  --peers VENV  with those of a Python environment",
    ) {
        return;
    }
    let args: Vec<String> = std::env::args().collect();
    let peers = args.iter().position(|a| a == "--peers").and_then(|i| args.get(i + 1)).map(String::as_str);
    let parts = ["soft20", "soft100", "stiff50", "rod50", "cost", "statics", "own"];
    let all = !args.iter().any(|a| parts.contains(&a.as_str()));
    let wanted = |part: &str| all || args.iter().any(|a| a == part);
    for (name, case, elements, allowed) in [
        ("soft20", Case::Soft, 20, 1e-2),
        ("soft100", Case::Soft, 100, 1e-2),
        ("stiff50", Case::Stiff, 50, 1e-2),
        ("rod50", Case::Rod, 50, 1e-3),
    ] {
        if wanted(name) {
            race(name, case, elements, allowed, peers);
        }
    }
    if wanted("statics") {
        statics(peers);
    }
    if wanted("cost") {
        cost();
    }
    if wanted("own") {
        own_rate();
    }
}

/// The step of each method that meets the error soonest, and its time.
fn race(name: &str, case: Case, elements: usize, allowed: f64, peers: Option<&str>) {
    println!("{name}");
    let steps: &[f64] = if case == Case::Rod {
        &[0.05, 0.025, 0.0125, 0.01, 0.005, 0.0025, 0.00125, 0.000_625]
    } else {
        &[0.5, 0.25, 0.2, 0.1, 0.05, 0.025, 0.0125, 0.01, 0.005, 0.0025]
    };
    let start = World::new(case.model(elements)).state;
    let fresh = || World::resume(case.model(elements), start.clone()).expect("it is its own state");
    let mut best = f64::INFINITY;
    for m in 0..methods(1.0).len() {
        let (mut missed, mut met) = (None, Vec::new());
        for step in steps {
            let (label, method) = methods(*step).swap_remove(m);
            let (_, twentieth) = methods(step / 20.0).swap_remove(m);
            let Some(samples) = run(case, &mut fresh(), &method) else { continue };
            let Some(fine) = run(case, &mut fresh(), &twentieth) else { continue };
            let every = (step / SAMPLE).round().max(1.0) as usize;
            let error = error(case, &samples, &fine, every);
            if error > allowed {
                missed = Some((label, *step, error));
                continue;
            }
            let mut seconds = f64::INFINITY;
            for _ in 0..5 {
                let mut world = fresh();
                let begin = clock();
                run(case, &mut world, &method);
                seconds = seconds.min(clock() - begin);
            }
            met.push((seconds, label, *step, error));
            if met.len() == LOOKED_AT {
                break;
            }
        }
        // A long step that had to be halved can take longer than a shorter one.
        met.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((seconds, label, step, error)) = met.first() {
            println!("  Fender {label}: step {step} s, error {error:.2e}, {seconds:.5} s");
            best = best.min(*seconds);
        } else if let Some((label, step, error)) = missed {
            println!("  Fender {label}: not met, {error:.2e} at {step} s");
        }
    }
    let Some(environment) = peers else { return };
    let runs: &[(&str, &str, &[&str], f64)] = match name {
        "soft20" => &[("MoorDyn RK4", "moordyn/cables.py", &["run", "soft20", "RK4", "1e-2"], 1.0)],
        "soft100" => &[("MoorDyn RK4", "moordyn/cables.py", &["run", "soft100", "RK4", "2e-3"], 1.0)],
        // A tenth of the time stands for all of it: minutes otherwise.
        "stiff50" => &[
            ("MoorDyn RK2", "moordyn/cables.py", &["run", "stiff50", "RK2", "3.5e-6", "6"], 10.0),
            ("Exudyn trapezoidal", "exudyn/cables.py", &["run", "stiff", "0.25", "trapezoidal"], 1.0),
        ],
        _ => &[
            ("PyElastica", "pyelastica/cables.py", &["run", "PositionVerlet", "7e-5"], 1.0),
            ("Exudyn generalized-α", "exudyn/cables.py", &["run", "rod", "3e-3", "0.9"], 1.0),
        ],
    };
    for (label, script, args, times) in runs {
        let seconds = (0..2)
            .filter_map(|_| peer(environment, script, args)?.get("seconds")?.as_f64())
            .fold(f64::INFINITY, f64::min)
            * times;
        println!("  {label}: {seconds:.4} s, {:.1} times Fender's best", seconds / best);
    }
}

/// What it saves to let the soft line follow bodies that take steps of a millisecond at its own rate.
fn own_rate() {
    println!("soft line of 100 elements, 10 s, bodies in steps of 1 ms");
    let rates = [None, Some(0.01), Some(0.05), Some(0.1)];
    for step in rates {
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            let pace = step.map(|step| Pace { step, radius: 0.8 });
            let (mut world, integrator) = (World::new(soft(100, pace)), alpha(1e-3, 0.8).build());
            let begin = clock();
            for _ in 0..10_000 {
                world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
            }
            seconds = seconds.min(clock() - begin);
        }
        let rate = step.map_or("with the bodies".into(), |step| format!("every {step} s"));
        println!("  {rate}: {seconds:.4} s");
    }
}

fn statics(peers: Option<&str>) {
    println!("statics of the soft line");
    let mut best = f64::INFINITY;
    for elements in [20, 100, 1000, 10_000] {
        let mut seconds = f64::INFINITY;
        let mut said = None;
        for _ in 0..3 {
            let begin = clock();
            let model = Case::Soft.model(elements);
            seconds = seconds.min(clock() - begin);
            said = model.cables[0].settled;
        }
        best = if elements == 100 { seconds } else { best };
        println!("  Fender, {elements} elements: {seconds:.5} s, {said:?}");
    }
    let Some(environment) = peers else { return };
    if let Some(list) =
        peer(environment, "moordyn/cables.py", &["statics"]).and_then(|v| v["statics"].as_array().cloned())
    {
        for way in list {
            let seconds = way["seconds"].as_f64().unwrap_or(f64::NAN);
            println!(
                "  MoorDyn {} {}: {seconds:.3} s, {:.0} times Fender's",
                way["way"],
                way["scheme"],
                seconds / best
            );
        }
    }
}

/// Time of a step per node.
fn cost() {
    println!("cost of a step");
    for elements in [10, 30, 100, 300, 1000, 3000, 10_000] {
        let mut line = format!("  {elements} elements:");
        for (label, case) in [("soft", Case::Soft), ("rod", Case::Rod)] {
            let mut world = World::new(case.model(elements));
            let step = if case == Case::Rod { 1e-3 } else { 0.02 };
            let integrator = alpha(step, 0.9).build();
            let steps = (20_000 / elements).clamp(5, 500);
            for _ in 0..5 {
                world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
            }
            let begin = clock();
            for _ in 0..steps {
                world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
            }
            let each = (clock() - begin) / steps as f64;
            line +=
                &format!(" {label} {:.2} µs, {:.3} µs per node", each * 1e6, each * 1e6 / elements as f64);
        }
        println!("{line}");
    }
}
