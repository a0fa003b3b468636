//! Fits: known values come back out of noisy data, and what the data do not determine is told.

use fender_run::fit::{
    Adjust, Bound, Data, Fit, FitEnd, FitOptions, Sigma, Start, figure, fit, resolve, student_t95, write,
};
use fender_run::{Claim, Folder, Out, RunError, RunOptions};
use fender_scenario::{Assets, Override, Scenario, load_str};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Stiffness [N/m^1.5], restitution, static and sliding friction of a steel half-sphere on an aluminium plate.
const TRUTH: [f64; 4] = [2.5413e8, 0.85, 0.16, 0.10];
const KEYS: [&str; 4] = [
    "contact.0.normal.hertz.stiffness",
    "contact.0.normal.hertz.restitution",
    "contact.0.friction.bristle.static_coefficient",
    "contact.0.friction.bristle.coefficient",
];
const NORMAL: &str = "contact.tip-plate.normal_force";
const ACROSS: &str = "contact.tip-plate.force.x";
/// Noise of the two signals, one standard deviation [N].
const NOISE: [f64; 2] = [1.0, 0.3];

/// The path of the tip, across and up, in rows of time and distance: down at 2 mm/s, 0.1 mm into the plate; across it with up
/// to 0.4 m/s, and back to rest; up at 1 mm/s.
fn path() -> [String; 2] {
    let across = |t: f64| {
        // A speed of 0.2·(1 − cos 2π·phase) m/s.
        let phase = ((t - 0.08) / 0.1).clamp(0.0, 1.0);
        0.02 * (phase - (std::f64::consts::TAU * phase).sin() / std::f64::consts::TAU)
    };
    let up = |t: f64| 1e-3 * (t - 0.2).max(0.0) - 2e-3 * t.min(0.06);
    let rows = |f: &dyn Fn(f64) -> f64| {
        let row = |i: u32| format!("[{}, {}]", f64::from(i) * 1e-3, f(f64::from(i) * 1e-3));
        (0..=310).map(row).collect::<Vec<_>>().join(", ")
    };
    [rows(&across), rows(&up)]
}

fn press() -> String {
    let [across, up] = path();
    format!(
        r#"
format = 1
title = "A half-sphere pressed on a plate and dragged"

[run]
duration = "0.31 s"
integrator.rk4 = {{ step = "0.1 ms" }}

[material.steel]
[material.aluminium]

[body.carriage]
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
position = [0, 0, "10.02 mm"]

[joint.across]
parent = "world"
child = "carriage"
motion.prismatic = {{ axis = [1, 0, 0], distance.guide.points = [{across}] }}

[body.tip]
shape.sphere = {{ radius = "10 mm" }}
mass = "1 kg"
material = "steel"
position = [0, 0, "10.02 mm"]

[joint.up]
parent = "carriage"
child = "tip"
motion.prismatic = {{ axis = [0, 0, 1], distance.guide.points = [{up}] }}

[body.plate]
fixed = true
shape.half_space = {{ normal = [0, 0, 1] }}
material = "aluminium"

[[contact]]
between = ["steel", "aluminium"]
normal.hertz = {{ stiffness = "1e8 N/m^1.5", restitution = 0.6 }}
friction.bristle = {{ static_coefficient = 0.3, coefficient = 0.2, fixed_stiffness = "1e5 N/m", fixed_damping = "1e4 N*s/m", stribeck_speed = "0.1 m/s", dwell_time = "0.01 s" }}
"#
    )
}

fn loader(text: &str) -> impl Fn(&[Override]) -> Result<Scenario, RunError> + Sync + '_ {
    |set| Ok(load_str("press", text, &Assets::none(), set)?)
}

/// Normal deviates from a seed: twelve uniform numbers of splitmix64 (Steele et al. 2014) make one.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Runs a scenario at known values and writes its signals, with noise, as a file of measurements.
fn measure(
    dir: &Path,
    scenario: Scenario,
    signals: &[&str],
    noise: &[f64],
    span: (f64, f64),
) -> std::path::PathBuf {
    let out = Out::Folder { path: dir.join("truth"), force: true };
    let options = RunOptions { report: false, ..RunOptions::new(out) };
    fender_run::run(scenario, &options, &mut |_| fender_run::Flow::Continue).unwrap();
    let table = Folder { path: dir.join("truth") }.table("signals").unwrap();
    let mut random = Noise(7);
    let mut text = format!("time,{}\n", signals.join(","));
    for row in 0..table.rows() {
        let time = table.column("time").unwrap().values[row];
        let values = signals.iter().zip(noise).map(|(name, noise)| {
            format!("{}", table.column(name).unwrap().values[row] + noise * random.normal())
        });
        let values: Vec<String> = values.collect();
        if (span.0..span.1).contains(&time) {
            text += &format!("{time},{}\n", values.join(","));
        }
    }
    let path = dir.join("measured.csv");
    std::fs::write(&path, text).unwrap();
    path
}

fn press_data(dir: &Path, span: (f64, f64)) -> std::path::PathBuf {
    let text = press() + &format!("\n[[record]]\nsignals = [\"{NORMAL}\", \"{ACROSS}\"]\nevery = \"1 ms\"\n");
    let truth: Vec<Override> =
        KEYS.iter().zip(TRUTH).map(|(key, value)| Override::new(*key, format!("{value:?}"))).collect();
    measure(dir, loader(&text)(&truth).unwrap(), &[NORMAL, ACROSS], &NOISE, span)
}

fn options() -> FitOptions {
    FitOptions { iterations: 40, interrupt: Arc::default() }
}

fn go(
    text: &str,
    file: &Path,
    adjusts: &[&str],
    starts: &[&str],
    sigmas: &[&str],
    options: &FitOptions,
) -> Result<(Data, Fit), RunError> {
    let load = loader(text);
    let scenario = load(&[])?;
    let adjusts: Vec<Adjust> = adjusts.iter().map(|a| Adjust::parse(a)).collect::<Result<_, _>>()?;
    let starts: Vec<Start> = starts.iter().map(|s| Start::parse(s)).collect::<Result<_, _>>()?;
    let sigmas: Vec<Sigma> = sigmas.iter().map(|s| Sigma::parse(s)).collect::<Result<_, _>>()?;
    let parameters = resolve(&adjusts, &starts, &scenario, &load)?;
    let mut data = Data::read(file, &[])?;
    data.settle(&scenario, &sigmas, parameters.len())?;
    let fit = fit(&parameters, &data, &load, options, &|_| {})?;
    Ok((data, fit))
}

fn press_adjusts() -> Vec<String> {
    let bounds = ["1e7..1e10", "0.1..1", "0.01..1", "0.01..1"];
    KEYS.iter().zip(bounds).map(|(key, bounds)| format!("{key}={bounds}")).collect()
}

fn fit_press(file: &Path) -> (Data, Fit) {
    let adjusts = press_adjusts();
    let adjusts: Vec<&str> = adjusts.iter().map(String::as_str).collect();
    go(&press(), file, &adjusts, &[], &[], &options()).unwrap()
}

#[test]
fn known_values_come_back_from_noisy_data() {
    let dir = tempfile::tempdir().unwrap();
    let file = press_data(dir.path(), (0.0, 1.0));
    let (data, fit) = fit_press(&file);
    println!("{fit:#?}");
    assert_eq!(fit.ended, FitEnd::Converged);
    assert!(fit.warnings.is_empty(), "{:?}", fit.warnings);
    for (fitted, truth) in fit.parameters.iter().zip(TRUTH) {
        let half = fitted.half_width.unwrap();
        let off = (fitted.value - truth).abs();
        // Four intervals of 95 % miss one in five times; twice their width is four standard deviations.
        assert!(off < 2.0 * half, "{}: {} ± {half}, {truth}", fitted.key, fitted.value);
        assert!(half < 0.02 * truth && off < 0.01 * truth, "{}: {} ± {half}", fitted.key, fitted.value);
    }
    for (agreement, noise) in fit.signals.iter().zip(NOISE) {
        assert!((agreement.rms / noise - 1.0).abs() < 0.1, "what is left is the noise: {agreement:?}");
        assert!(agreement.rms_start > 10.0 * agreement.rms, "{agreement:?}");
    }

    // The fitted scenario loads, with the fitted values, and gives what the fit says.
    let text = press();
    let fitted = loader(&text)(&fit.settings).unwrap();
    let out = Out::Folder { path: dir.path().join("fit"), force: false };
    let files = write(&mut Claim::new(&out, "").unwrap(), &fitted, &data, &fit).unwrap();
    let again = fender_scenario::load(&files[0], &[]).unwrap();
    assert_eq!(again.hash, fitted.hash);
    for parameter in &fit.parameters {
        let fender_scenario::Found::Number(number) = again.find(&parameter.key) else { panic!("no number") };
        assert_eq!(number.value, parameter.value);
    }
    let svg = std::fs::read_to_string(&files[1]).unwrap();
    assert!(svg.contains(NORMAL) && svg.contains("measured") && svg.contains("fitted"));
    assert_eq!(figure("", &data, &fit).plots.len(), 2);
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&files[2]).unwrap()).unwrap();
    assert_eq!(json["parameters"][0]["value"], fit.parameters[0].value);
    assert_eq!(json["parameters"][0]["unit"], "N/m^1.5");
}

#[test]
fn threads_do_not_change_the_result() {
    let dir = tempfile::tempdir().unwrap();
    let file = press_data(dir.path(), (0.0, 1.0));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit_press(&file).1)
    };
    assert_eq!(with(1), with(3));
}

/// While it is held, nothing tells restitution.
#[test]
fn restitution_is_not_determined_by_pressing_without_motion() {
    let dir = tempfile::tempdir().unwrap();
    let file = press_data(dir.path(), (0.07, 0.19));
    let (_, fit) = fit_press(&file);
    let text = fit.warnings.join("\n");
    assert!(text.contains("determine `contact.0.normal.hertz.restitution`"), "{text}");
    assert_eq!(fit.warnings.len(), 1, "{text}");
    for (fitted, truth) in fit.parameters.iter().zip(TRUTH).filter(|(f, _)| !f.key.ends_with("restitution")) {
        assert!((fitted.value / truth - 1.0).abs() < 0.01, "{fitted:?}");
    }
}

const THROW: &str = r#"
format = 1
title = "A throw"

[parameter]
speed = "10 m/s"
mass = "1 kg"
name = "ball"
lost = "$speed"

[run]
duration = 1
integrator.rk4 = { step = "1 ms" }

[world]
gravity = [0, 0, -10]

[body.ball]
mass = "$mass"
inertia = [0.01, 0.01, 0.01]
velocity = [0, 0, "$speed"]
"#;

/// Heights of a throw at 12 m/s, at times that are no steps.
fn throw(dir: &Path) -> std::path::PathBuf {
    let mut random = Noise(1);
    let mut text = "time [ms],ball.position.z [cm]\n".to_owned();
    for i in 0..40 {
        let t = 0.0234567 * f64::from(i);
        text += &format!("{},{}\n", 1e3 * t, 100.0 * (12.0 * t - 5.0 * t * t + 1e-3 * random.normal()));
    }
    let file = dir.join("throw.csv");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_linear_problem_has_the_interval_of_the_textbook() {
    let dir = tempfile::tempdir().unwrap();
    let (data, fit) = go(THROW, &throw(dir.path()), &["speed=1..50"], &[], &[], &options()).unwrap();
    // z + 5t² = v·t: v = Σtz/Σt², s² = RSS/39, half width t₃₉ s/√Σt².
    let (mut tz, mut tt) = (0.0, 0.0);
    for (t, z) in data.times.iter().zip(&data.signals[0].values) {
        tz += t * (z + 5.0 * t * t);
        tt += t * t;
    }
    let speed = tz / tt;
    let squares = data.times.iter().zip(&data.signals[0].values);
    let rss: f64 = squares.map(|(t, z)| (z + 5.0 * t * t - speed * t) * (z + 5.0 * t * t - speed * t)).sum();
    let half = student_t95(39) * (rss / 39.0 / tt).sqrt();
    let fitted = &fit.parameters[0];
    // Between steps of 1 ms the height is interpolated, to about 1 µm.
    assert!((fitted.value - speed).abs() < 5e-3 * half, "{fitted:?} {speed}");
    assert!((fitted.half_width.unwrap() / half - 1.0).abs() < 1e-3, "{fitted:?} {half}");
    assert_eq!(fitted.unit, "m/s");

    // A single signal is fitted the same way whatever its weight, and its noise is taken from what is left.
    let sigma = ["ball.position.z=3 mm"];
    let (data, weighted) = go(THROW, &throw(dir.path()), &["speed=1..50"], &[], &sigma, &options()).unwrap();
    assert_eq!(data.signals[0].scale, 3e-3);
    let other = &weighted.parameters[0];
    assert!((other.value - fitted.value).abs() < 1e-3 * half, "{other:?}");
    assert!((other.half_width.unwrap() / half - 1.0).abs() < 1e-3, "{other:?}");
}

/// Two signals contradict each other: the one with the smaller standard deviation wins.
#[test]
fn signals_with_less_noise_count_for_more() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.csv");
    let row = |i: u32| {
        let t = 0.02 * f64::from(i);
        // Heights as of 12 m/s, velocities as of 14 m/s.
        format!("{t},{},{}\n", 12.0 * t - 5.0 * t * t, 14.0 - 10.0 * t)
    };
    let rows: Vec<String> = (0..40).map(row).collect();
    std::fs::write(&file, format!("time,ball.position.z,ball.velocity.z\n{}", rows.concat())).unwrap();
    let speed = |sigmas: &[&str]| {
        go(THROW, &file, &["speed=1..50"], &[], sigmas, &options()).unwrap().1.parameters[0].value
    };
    assert!((speed(&["ball.position.z=1e-6", "ball.velocity.z=1"]) - 12.0).abs() < 1e-4);
    assert!((speed(&["ball.position.z=1", "ball.velocity.z=1e-6"]) - 14.0).abs() < 1e-4);
    let between = speed(&[]);
    assert!((12.1..13.9).contains(&between), "{between}");
}

#[test]
fn bounds_are_kept_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let file = throw(dir.path());
    // The best, 12 m/s, is outside; the start is on the other bound.
    let (_, fit) = go(THROW, &file, &["speed=5..11"], &["speed=5 m/s"], &[], &options()).unwrap();
    let fitted = &fit.parameters[0];
    assert_eq!((fitted.at_bound, fitted.half_width), (Some(Bound::Upper), None));
    assert!((fitted.value - 11.0).abs() < 0.02 && fitted.value <= 11.0, "{fitted:?}");
    assert!(fit.warnings[0].contains("`speed` came to its upper bound"), "{:?}", fit.warnings);

    // The mass of what is thrown has no effect, and stays where it started.
    let (_, fit) = go(THROW, &file, &["speed=5..20", "mass=0.1..10"], &[], &[], &options()).unwrap();
    assert!(fit.warnings[0].contains("do not determine `mass`: it has no effect"), "{:?}", fit.warnings);
    assert!((fit.parameters[1].value - 1.0).abs() < 1e-9, "{:?}", fit.parameters);
    assert!((fit.parameters[0].value - 12.0).abs() < 0.01, "{:?}", fit.parameters);
    assert_eq!(fit.correlation[1], [None, None]);
}

#[test]
fn bad_input_says_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let file = throw(dir.path());
    let few = dir.path().join("few.csv");
    std::fs::write(&few, "time,ball.position.z\n0.5,1\n").unwrap();
    let other = dir.path().join("other.csv");
    std::fs::write(&other, "time,ball.postion.z\n0,0\n0.5,1\n").unwrap();
    let late = dir.path().join("late.csv");
    std::fs::write(&late, "time,ball.position.z\n0,0\n1.5,1\n").unwrap();
    let units = dir.path().join("units.csv");
    std::fs::write(&units, "time,ball.position.z [kg]\n0,0\n0.5,1\n").unwrap();
    let gap = dir.path().join("gap.csv");
    std::fs::write(&gap, "time,ball.position.z\n0,0\n0.5,\n").unwrap();
    let none: &[&str] = &[];
    for (file, adjust, start, sigma, said) in [
        (&file, "sped=1..50", none, none, "did you mean `speed`?"),
        (&file, "body.ball.mas=1..50", none, none, "mas"),
        (&file, "body.ball.mass=1..50", none, none, "is set by the parameter `mass`: adjust that"),
        (&file, "lost=1..50", none, none, "is set by the parameter `speed`"),
        (&file, "name=1..50", none, none, "`name` is a text, and not a number"),
        (&file, "body.ball.velocity=1..50", none, none, "and not a number"),
        (&file, "body.ball.center_of_mass.0=1..50", none, none, "center_of_mass"),
        (&file, "speed=50..1", none, none, "not below"),
        (&file, "speed=1 kg..50 kg", none, none, "is a velocity, but its bounds or its start are a mass"),
        (&file, "speed=20..50", none, none, "starts from 10 m/s, outside its bounds 20 to 50 m/s"),
        (&file, "speed=1..50", &["speed=60"], none, "starts from 60 m/s, outside its bounds"),
        (&file, "speed=1..50", &["mass=2"], none, "`mass` is not adjusted; adjusted: `speed`"),
        (&file, "speed=1..50", none, &["ball.position.x=1"], "did you mean `ball.position.z`?"),
        (&file, "speed=1..50", none, &["ball.position.z=1 kg"], "the signal is in m"),
        (&few, "speed=1..50", none, none, "1 rows of 1 signals are too few for 1 parameters"),
        (&other, "speed=1..50", none, none, "did you mean 'ball.position.z'"),
        (&late, "speed=1..50", none, none, "the data end at 1.5 s, after the run does at 1 s"),
        (&units, "speed=1..50", none, none, "is in kg, the signal in m"),
        (&gap, "speed=1..50", none, none, "gap.csv', line 3: `ball.position.z` is empty"),
    ] {
        let error = go(THROW, file, &[adjust], start, sigma, &options()).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{adjust}: {error}");
        let text = error.to_string();
        assert!(text.contains(said), "{adjust}: {text}");
    }
    let error =
        go(THROW, &dir.path().join("none.csv"), &["speed=1..50"], none, none, &options()).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    let twice = go(THROW, &file, &["speed=1..50", "speed=1..5"], none, none, &options()).unwrap_err();
    assert!(twice.to_string().contains("`speed` is adjusted twice"), "{twice}");
}

/// A mass on a spring that the step cannot follow beyond some stiffness.
const SPRING: &str = r#"
format = 1
title = "A mass on a spring"

[parameter]
stiffness = "100 N/m"
mass = "1 kg"

[run]
duration = "2 s"
integrator.rk4 = { step = "10 ms" }

[world]
gravity = [0, 0, 0]

[body.mass]
mass = "$mass"
inertia = [0.01, 0.01, 0.01]
position = [1, 0, 0]

[body.anchor]
fixed = true
position = [-5, 0, 0]

[force.spring]
spring = { between = ["anchor", "mass"], stiffness = "$stiffness", rest_length = "5 m" }
"#;

/// Half a swing of 1 kg on 100 N/m.
fn swing(dir: &Path) -> std::path::PathBuf {
    let mut text = "time,mass.position.x\n".to_owned();
    for i in 0..30 {
        let t = 0.01 * f64::from(i);
        text += &format!("{t},{}\n", (10.0 * t).cos());
    }
    let file = dir.join("swing.csv");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_trial_that_fails_is_a_bad_trial_and_a_start_that_fails_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = swing(dir.path());
    // From 8 kg, the straight way to 1 kg overshoots to masses that there are not.
    let adjust = ["mass=-10 kg..10 kg"];
    let (_, fit) = go(SPRING, &file, &adjust, &["mass=8"], &[], &options()).unwrap();
    println!("{} of {} runs failed", fit.failed_runs, fit.runs);
    assert_eq!(fit.ended, FitEnd::Converged);
    assert!(fit.failed_runs > 0 && (fit.parameters[0].value - 1.0).abs() < 1e-4, "{fit:?}");
    let error = go(SPRING, &file, &adjust, &["mass=-1"], &[], &options()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("must be positive"), "{error}");

    // What diverges is no worse than what is refused, except where it starts.
    let adjust = ["stiffness=1 N/m..1e9 N/m"];
    let (_, fit) = go(SPRING, &file, &adjust, &["stiffness=330"], &[], &options()).unwrap();
    assert!((fit.parameters[0].value / 100.0 - 1.0).abs() < 1e-3, "{fit:?}");
    let error = go(SPRING, &file, &adjust, &["stiffness=1e8"], &[], &options()).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("fails at the start values"), "{error}");
    assert!(error.to_string().contains("'mass'"), "{error}");
}

#[test]
fn a_signal_keeps_the_best_so_far() {
    let dir = tempfile::tempdir().unwrap();
    let file = throw(dir.path());
    let load = loader(THROW);
    let scenario = load(&[]).unwrap();
    let parameters = resolve(&[Adjust::parse("speed=1..500").unwrap()], &[], &scenario, &load).unwrap();
    let mut data = Data::read(&file, &[]).unwrap();
    data.settle(&scenario, &[], 1).unwrap();
    let interrupt = Arc::new(AtomicI32::new(0));
    let options = FitOptions { iterations: 40, interrupt: Arc::clone(&interrupt) };
    // Stopped once the first step has been tried.
    let stop = |progress: fender_run::fit::FitProgress| {
        if progress.runs >= 4 {
            interrupt.store(2, Ordering::Relaxed);
        }
    };
    let stopped = fit(&parameters, &data, &load, &options, &stop).unwrap();
    assert_eq!(stopped.ended, FitEnd::Interrupted(2));
    assert!(stopped.signals[0].rms <= stopped.signals[0].rms_start);
    assert!(stopped.warnings[0].contains("best values so far"), "{:?}", stopped.warnings);
    // Before anything was run there is nothing to keep.
    let error = fit(&parameters, &data, &load, &options, &|_| {}).unwrap_err();
    assert_eq!(error.exit_code(), 130);

    let one = FitOptions { iterations: 1, interrupt: Arc::default() };
    let (_, short) = go(THROW, &file, &["speed=1..500"], &[], &[], &one).unwrap();
    assert_eq!((short.ended, short.iterations), (FitEnd::Iterations, 1));
    assert!(short.signals[0].rms < short.signals[0].rms_start);
}
