//! Mechanisms side by side with peers: correctness and speed of trees against Pinocchio, loops against Exudyn.
//!
//! `cargo run --release -p fender-bench --bin mechanisms` for Fender alone; with `-- --peers VENV` the peers that are
//! installed in a Python environment (see `bench/README.md`) run in between. `agreement`, `trees`, `loops` or `curves` run
//! that part only. Times of runs are processor time.

use fender_bench::mechanisms::{self, Case};
use fender_bench::trees::{self, Answer, Branching, Kind, Tree, difference};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{Adaptive, IntegratorSpec, World, tree};
use fender_math::Twist;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

fn main() {
    if fender_bench::help::is_asked(
        "Trees beside Pinocchio and loops beside Exudyn.\n\n  --peers VENV  with those of a Python environment",
    ) {
        return;
    }
    let args: Vec<String> = std::env::args().collect();
    let peers = args.iter().position(|a| a == "--peers").and_then(|i| args.get(i + 1)).map(Peers::new);
    if let Some(i) = args.iter().position(|a| a == "--reference") {
        reference(&peers.expect("a reference needs --peers"), Path::new(&args[i + 1]));
        return;
    }
    let parts = ["agreement", "trees", "loops", "curves"];
    let all = !args.iter().any(|a| parts.contains(&a.as_str()));
    let wanted = |part: &str| all || args.iter().any(|a| a == part);
    if let Some(peers) = peers.as_ref().filter(|_| wanted("agreement")) {
        agreement(peers);
    }
    if wanted("trees") {
        forward_dynamics(peers.as_ref());
    }
    if wanted("loops") {
        loops(peers.as_ref());
    }
    if wanted("curves") {
        curves();
    }
}

/// Processor time of this thread [s]; the machine is not ours alone.
fn clock() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split_whitespace().next().and_then(|w| w.parse().ok()).unwrap_or(f64::NAN);
    nanoseconds * 1e-9
}

/// Peers in a Python environment.
struct Peers {
    python: PathBuf,
    /// Headers and libraries of Pinocchio.
    prefix: PathBuf,
    /// For files that programs exchange.
    place: PathBuf,
}

impl Peers {
    fn new(environment: &String) -> Self {
        let lib = Path::new(environment).join("lib");
        let prefix = std::fs::read_dir(&lib)
            .ok()
            .and_then(|mut list| list.find_map(Result::ok))
            .map(|version| version.path().join("site-packages/cmeel.prefix"))
            .expect("a Python environment has a folder lib/python3.x");
        let place = std::env::temp_dir().join("fender-bench");
        std::fs::create_dir_all(&place).expect("a folder for files");
        Self { python: Path::new(environment).join("bin/python"), prefix, place }
    }

    fn python(&self, script: &str, args: &[&str]) -> Option<String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let output =
            Command::new(&self.python).arg("-Wignore").arg(script).args(args).output().expect("Python runs");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Pinocchio's answers to trees.
    fn answers(&self, list: &[Tree]) -> Value {
        let (trees, answers) = (self.place.join("trees.json"), self.place.join("answers.json"));
        write(&trees, list);
        self.python("pinocchio/trees.py", &[&trees.to_string_lossy(), &answers.to_string_lossy()])
            .expect("Pinocchio answers");
        let text = std::fs::read_to_string(answers).expect("answers are written");
        serde_json::from_str(&text).expect("answers are JSON")
    }

    /// Builds the C++ loop around Pinocchio's aba, against the library of the wheel.
    fn aba(&self) -> PathBuf {
        let program = self.place.join("aba");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("pinocchio/aba.cpp");
        let include = |folder: &str| format!("-I{}", self.prefix.join(folder).display());
        let lib = self.prefix.join("lib");
        // The definitions are those of the wheel's CMake targets.
        let status = Command::new("g++")
            .args(["-w", "-std=c++17", "-O3", "-DNDEBUG", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION"])
            .args(["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30"])
            .args(["-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"])
            .args([include("include"), include("include/eigen3")])
            .args([source.as_os_str(), "-o".as_ref(), program.as_os_str()])
            .arg(format!("-L{}", lib.display()))
            .arg("-lpinocchio_default")
            .arg(format!("-Wl,-rpath,{}", lib.display()))
            .status();
        assert!(status.is_ok_and(|s| s.success()), "g++ builds the loop around Pinocchio");
        program
    }
}

fn write<T: serde::Serialize + ?Sized>(path: &Path, value: &T) {
    std::fs::write(path, serde_json::to_string(value).expect("plain data")).expect("the file can be written");
}

/// Writes trees with Pinocchio's answers, for the test that runs without it.
fn reference(peers: &Peers, path: &Path) {
    let list = trees::comparison(20);
    let mut found = peers.answers(&list);
    let answers: Vec<Answer> = serde_json::from_value(found["answers"].take()).expect("answers");
    let trees: Vec<Value> = list
        .iter()
        .zip(&answers)
        .map(|(tree, answer)| {
            serde_json::json!({ "tree": tree, "accelerations": answer.accelerations, "efforts": answer.efforts })
        })
        .collect();
    write(path, &serde_json::json!({ "pinocchio": found["pinocchio"], "trees": trees }));
}

fn agreement(peers: &Peers) {
    let list = trees::comparison(240);
    let found = peers.answers(&list);
    println!(
        "240 random trees of 1 to 60 joints, largest relative difference to Pinocchio {}",
        found["pinocchio"]
    );
    let mut worst = [0.0_f64; 4];
    let mut beyond = 0;
    for (tree, theirs) in list.iter().zip(found["answers"].as_array().expect("a list")) {
        let ours = tree.answer();
        let aba: Vec<f64> = serde_json::from_value(theirs["aba"].clone()).expect("numbers");
        let theirs: Answer = serde_json::from_value(theirs.clone()).expect("an answer");
        let apart = [
            difference(&ours.accelerations, &aba),
            difference(&ours.accelerations, &theirs.accelerations),
            difference(&ours.mass.concat(), &theirs.mass.concat()),
            difference(&ours.efforts, &theirs.efforts),
        ];
        beyond += usize::from(apart[0] > 1e-10);
        for (worst, apart) in worst.iter_mut().zip(apart) {
            *worst = worst.max(apart);
        }
    }
    println!("  accelerations, its aba                     {:.1e} ({beyond} trees beyond 1e-10)", worst[0]);
    println!("  accelerations, its aba improved by its rnea {:.1e}", worst[1]);
    println!("  mass matrix, its crba                      {:.1e}", worst[2]);
    println!("  inverse dynamics, its rnea                 {:.1e}", worst[3]);
}

/// Kinematics and accelerations of a tree, as a step does them.
fn accelerate(world: &mut World, out: &mut [f64]) {
    let (model, data) = (&world.model, &mut world.data);
    tree::kinematics(&model.links, 0.0, &world.state.q, &world.state.v, &mut data.bodies, &mut data.links);
    let still = |_| Twist::default();
    tree::accelerations(
        &model.links,
        &data.bodies,
        &data.wrenches,
        model.gravity,
        still,
        &mut data.links,
        out,
    );
}

fn forward_dynamics(peers: Option<&Peers>) {
    println!("Forward dynamics of trees of revolute joints, ns per call, best of many windows");
    let mut list = Vec::new();
    for n in [7, 30, 100] {
        for (name, branching) in [("chain", Branching::Serial), ("tree", Branching::Random)] {
            let mut tree = Tree::random(7, n, &[Kind::Revolute], branching, false);
            tree.bodies.iter_mut().for_each(|body| body.wrench = [0.0; 6]);
            list.push((format!("{name} of {n}"), tree));
        }
    }
    let program = peers.map(|peers| {
        let file = peers.place.join("timed.json");
        write(&file, &list.iter().map(|(_, tree)| tree).collect::<Vec<_>>());
        (peers.aba(), file)
    });
    let mut ours = vec![f64::INFINITY; list.len()];
    let mut theirs = vec![[f64::INFINITY; 2]; list.len()];
    let mut first = vec![0.0; list.len()];
    // In turns, so that both meet the same machine.
    for _ in 0..2 {
        for (i, (_, tree)) in list.iter().enumerate() {
            let mut world = tree.world();
            let n = world.model.nv;
            // Short windows: some of them are not interrupted.
            let calls = 20_000 / n;
            let (mut out, mut sum) = (vec![0.0; n], 0.0);
            for _ in 0..250 {
                let start = Instant::now();
                for call in 0..calls {
                    world.state.q[call % n] += 1e-9;
                    accelerate(&mut world, &mut out);
                    sum += out[0];
                }
                ours[i] = ours[i].min(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
            }
            first[i] = sum / (250 * calls) as f64;
        }
        if let Some((program, file)) = &program {
            let output = Command::new(program).arg(file).output().expect("the loop runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            for (i, line) in text.lines().enumerate() {
                let numbers: Vec<f64> = line.split_whitespace().filter_map(|w| w.parse().ok()).collect();
                theirs[i] = [theirs[i][0].min(numbers[0]), theirs[i][1].min(numbers[1])];
                // Both drift a little while they are timed, one longer than the other.
                assert!((numbers[2] - first[i]).abs() < 1e-2 * first[i].abs(), "the same tree");
            }
        }
    }
    for (i, (name, _)) in list.iter().enumerate() {
        let [local, world] = theirs[i];
        println!(
            "  {name:>12}: fender {:>7.0}, pinocchio {local:>7.0} (local) {world:>7.0} (world), ratio {:.2}",
            ours[i],
            local.min(world) / ours[i]
        );
    }
}

fn loops(peers: Option<&Peers>) {
    for case in mechanisms::cases() {
        println!("{}: processor seconds for the error of the first angle [rad]", case.name);
        fender_loops(&case);
        let Some(peers) = peers else { continue };
        for solver in ["generalized_alpha", "trapezoidal"] {
            for steps in case.peer_steps {
                let found =
                    peers.python("exudyn/mechanisms.py", &[case.argument, &steps.to_string(), solver]);
                let found: Option<Value> =
                    found.and_then(|text| serde_json::from_str(text.lines().last()?).ok());
                match found {
                    Some(found) => println!(
                        "  exudyn {}, {solver}, {steps} steps: {:.4} s, error {:.1e}",
                        found["exudyn"].as_str().unwrap_or_default(),
                        found["seconds"].as_f64().unwrap_or(f64::NAN),
                        found["error"].as_f64().unwrap_or(f64::NAN)
                    ),
                    None => println!("  exudyn, {solver}, {steps} steps: did not converge"),
                }
            }
        }
    }
}

fn fender_loops(case: &Case) {
    let mut list: Vec<(String, IntegratorSpec)> = Vec::new();
    for digits in 3..=10 {
        let relative = 10_f64.powi(-digits);
        let adaptive = Adaptive { relative, absolute: 0.1 * relative, max_step: 1.0 };
        list.push((format!("dormand_prince, 1e-{digits}"), IntegratorSpec::DormandPrince(adaptive)));
    }
    for digits in [4, 6] {
        let relative = 10_f64.powi(-digits);
        let adaptive = Adaptive { relative, absolute: 0.1 * relative, max_step: 1.0 };
        list.push((format!("sdirk4, 1e-{digits}"), IntegratorSpec::Sdirk4(adaptive)));
    }
    for steps in [300, 1000, 3000] {
        let step = case.end() / f64::from(steps);
        list.push((format!("rk4, {steps} steps"), IntegratorSpec::Rk4 { step }));
        let method = AlphaMethod::GeneralizedAlpha { radius: 1.0 };
        let spec = IntegratorSpec::Alpha { step, method, iterations: 20, halvings: 4, real_time: false };
        list.push((format!("generalized_alpha, {steps} steps"), spec));
    }
    for (name, spec) in list {
        let integrator = spec.build();
        // The clock ticks every few milliseconds: the mean of as many runs as fill half a second.
        let (start, mut runs) = (clock(), 0.0);
        let last = loop {
            let run = mechanisms::run(case, &*integrator);
            runs += 1.0;
            if run.is_err() || clock() - start > 0.5 {
                break run;
            }
        };
        let seconds = (clock() - start) / runs;
        match last {
            Ok((error, steps)) => {
                println!("  fender {name}: {seconds:.4} s, error {error:.1e}, {steps} steps");
            }
            Err(error) => println!("  fender {name}: {error}"),
        }
    }
}

/// Time of one step [s], the best of some windows.
fn step_time(world: &mut World, step: f64, count: usize) -> f64 {
    let integrator = IntegratorSpec::Rk4 { step }.build();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = clock();
        for _ in 0..count {
            world.step(&*integrator, f64::INFINITY).expect("the mechanism does not diverge");
            world.events.clear();
        }
        best = best.min((clock() - start) / count as f64);
    }
    best
}

fn curves() {
    println!("Cost of a step of rk4 against the number of links");
    for n in [7, 30, 100, 300, 1000] {
        let time = step_time(&mut mechanisms::chain(n), 1e-4, (20_000 / n).max(5)) * 1e6;
        println!("  chain of {n:>4}: {time:>8.1} us/step, {:.3} us/link", time / n as f64);
    }
    for n in [1, 2, 5, 10, 20, 40, 100, 200] {
        let time = step_time(&mut mechanisms::four_bar(n), 1e-3, (400 / n).max(3)) * 1e6;
        println!("  {n:>3} four-bar windows: {time:>8.1} us/step, {:.2} us/window", time / n as f64);
    }
}
