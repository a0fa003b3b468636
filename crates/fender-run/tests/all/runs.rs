//! Whole runs into results folders: what is there at the end, after a stop, after a kill, after a full disk.

use fender_engine::{BodyMotion, World};
use fender_run::results::Folder;
use fender_run::stream::{self, Stream};
use fender_run::{Ended, Flow, Out, Progress, RunError, RunOptions, Summary};
use fender_scenario::{Assets, Override, Scenario, load_str};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// A mass on a spring with a damper, hung from a fixed anchor; `rk4` with a fixed step.
const SPRING: &str = r#"
format = 1
title = "Mass on a spring"

[parameter]
stretch = 0.1

[run]
duration = 2
integrator.rk4 = { step = 1e-4 }

[world]
gravity = [0, 0, 0]

[body.anchor]
fixed = true

[body.mass]
mass = 2
inertia = [0.01, 0.01, 0.01]
position = ["$stretch", 0, 0]

[force.spring.spring]
between = ["anchor", "mass"]
stiffness = 200
damping = 1
rest_length = 0

[[record]]
signals = ["mass.position", "mass.velocity.x"]
every = "10 ms"

[[record]]
signals = ["mass.acceleration.x"]
every = "100 ms"

[[expect]]
signal = "energy.relative_residual"
of = "max"
below = 1e-6
why = "RK4 at this step"
"#;

fn scenario(text: &str, set: &[Override]) -> Scenario {
    load_str("spring", text, &Assets::none(), set).unwrap_or_else(|e| panic!("{e}"))
}

fn options(path: &Path) -> RunOptions {
    RunOptions::new(Out::Folder { path: path.to_owned(), force: false })
}

fn go(text: &str, path: &Path) -> Result<Summary, RunError> {
    fender_run::run(scenario(text, &[]), &options(path), &mut |_| Flow::Continue)
}

/// Options for a run that is watched at every step and saved often.
fn watched(path: &Path) -> RunOptions {
    let mut options = options(path);
    options.progress_every = Duration::ZERO;
    options.checkpoint_every = Duration::from_millis(2);
    options
}

/// Stops a run once it has passed a simulated time.
fn stop_after(text: &str, path: &Path, time: f64, signal: i32) -> RunError {
    let mut options = watched(path);
    let interrupt = Arc::new(AtomicI32::new(0));
    options.interrupt = Arc::clone(&interrupt);
    let mut progress = |p: Progress| {
        if p.time > time {
            interrupt.store(signal, Ordering::Relaxed);
        }
        Flow::Continue
    };
    fender_run::run(scenario(text, &[]), &options, &mut progress).unwrap_err()
}

/// A duration for which a stop in the middle is certain.
fn long() -> String {
    SPRING.replace("duration = 2", "duration = 20").replace("every = \"10 ms\"", "every = \"1 ms\"")
}

#[test]
fn a_run_leaves_a_folder_that_a_person_wants_to_open() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let summary = go(SPRING, &out).unwrap();
    assert_eq!(summary.ended, Ended::Complete);
    assert_eq!((summary.met(), summary.expectations.len(), summary.exit_code()), (1, 1, 0));
    assert_eq!(summary.steps, 20_000);
    let mut names: Vec<String> =
        fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(
        names,
        [
            ".lock",
            "checkpoint",
            "contacts.parquet",
            "events.json",
            "frames.bin",
            "manifest.json",
            "report.html",
            "scenario.toml",
            "signals.parquet",
            "summary.json"
        ]
    );
    let head = fs::read_to_string(out.join("scenario.toml")).unwrap();
    assert!(head.starts_with("# spring — expanded by fender "), "{head}");
    assert!(head.contains(&summary.hash));
    assert_eq!(Folder { path: out }.summary().unwrap(), summary);
}

#[test]
fn the_recorded_motion_is_that_of_a_damped_oscillator() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    go(SPRING, &out).unwrap();
    let table = Folder { path: out }.table("signals").unwrap();
    let series = table.series("mass.position.x").unwrap();
    assert_eq!(series.len(), 201);
    let (decay, omega) = (0.25, (100.0_f64 - 0.0625).sqrt());
    for (i, (t, x)) in series.iter().enumerate() {
        assert!((t - 0.01 * i as f64).abs() < 1e-9);
        let exact = 0.1 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
        assert!((x - exact).abs() < 1e-9, "{x} is not {exact} at {t}");
    }
    // The slower record has its own samples and is null elsewhere.
    assert_eq!(table.series("mass.acceleration.x").unwrap().len(), 21);
    assert_eq!(table.rows(), 201);
    assert_eq!(table.column("mass.velocity.x").unwrap().unit, "m/s");
}

#[test]
fn error_control_stops_at_every_sample() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let text = SPRING.replace("integrator.rk4 = { step = 1e-4 }", "integrator.dormand_prince = {}");
    go(&text, &out).unwrap();
    let series = Folder { path: out }.table("signals").unwrap().series("mass.position.x").unwrap();
    assert_eq!(series.len(), 201);
    for (i, (t, _)) in series.iter().enumerate() {
        assert!((t - 0.01 * i as f64).abs() < 1e-12, "{t}");
    }
}

#[test]
fn a_stopped_run_is_readable_and_resumes_bit_by_bit() {
    for (method, signal) in [("rk4 = { step = 1e-4 }", 2), ("dormand_prince = {}", 15)] {
        let text = long().replace("rk4 = { step = 1e-4 }", method);
        let dir = tempfile::tempdir().unwrap();
        let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
        let reference = go(&text, &whole).unwrap();

        let error = stop_after(&text, &cut, 5.0, signal);
        assert_eq!(error.exit_code(), 128 + signal);
        let stopped = error.summary().unwrap();
        assert_eq!(stopped.ended, Ended::Interrupted);
        assert!(stopped.time > 5.0 && stopped.time < 20.0);
        // Everything up to here is readable.
        let rows = Folder { path: cut.clone() }.table("signals").unwrap().rows();
        assert!(rows > 4000, "{rows}");
        assert!(cut.join("report.html").exists());
        let files = fender_run::export_csv(&cut).unwrap();
        assert_eq!(fs::read_to_string(&files[0]).unwrap().lines().count(), rows + 1);
        assert!(!cut.join("signals.parquet").exists());

        let options = RunOptions::new(Out::Folder { path: cut.clone(), force: false });
        let summary = fender_run::resume(&cut, &options, &mut |_| Flow::Continue).unwrap();
        assert_eq!(summary.state_hash, reference.state_hash);
        assert_eq!(summary.expectations, reference.expectations);
        for file in ["signals.parquet", "contacts.parquet", "frames.bin", "events.json"] {
            assert!(
                fs::read(whole.join(file)).unwrap() == fs::read(cut.join(file)).unwrap(),
                "{file} differs"
            );
        }
        let again = fender_run::resume(&cut, &options, &mut |_| Flow::Continue).unwrap_err();
        assert!(matches!(again, RunError::Complete(_)), "{again}");
    }
}

/// As after SIGKILL: the folder is copied while the run goes on, without its summary, with rubbish after the checkpoint.
#[test]
fn a_killed_run_resumes_bit_by_bit() {
    let text = long();
    let dir = tempfile::tempdir().unwrap();
    let (whole, live, cut) = (dir.path().join("whole"), dir.path().join("live"), dir.path().join("cut"));
    go(&text, &whole).unwrap();
    let options = watched(&live);
    let mut copied = false;
    let mut progress = |p: Progress| {
        if p.time > 3.0 && !copied {
            copied = true;
            copy(&live, &cut);
        }
        Flow::Continue
    };
    fender_run::run(scenario(&text, &[]), &options, &mut progress).unwrap();
    assert!(copied && !cut.join("summary.json").exists());
    fs::write(cut.join("signals/part-09999.parquet.tmp"), "half a part").unwrap();
    let mut frames = fs::read(cut.join("frames.bin")).unwrap();
    frames.extend([7; 33]);
    fs::write(cut.join("frames.bin"), frames).unwrap();

    let options = RunOptions::new(Out::Folder { path: cut.clone(), force: false });
    fender_run::resume(&cut, &options, &mut |_| Flow::Continue).unwrap();
    for file in ["signals.parquet", "frames.bin"] {
        assert!(fs::read(whole.join(file)).unwrap() == fs::read(cut.join(file)).unwrap(), "{file} differs");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(|_| ()).unwrap() }
    }
}

#[test]
fn a_changed_scenario_is_not_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let cut = dir.path().join("cut");
    stop_after(&long(), &cut, 1.0, 2);
    let path = cut.join("scenario.toml");
    let text = fs::read_to_string(&path).unwrap().replace("stiffness = 200", "stiffness = 201");
    fs::write(&path, text).unwrap();
    let options = RunOptions::new(Out::Folder { path: cut.clone(), force: false });
    let error = fender_run::resume(&cut, &options, &mut |_| Flow::Continue).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("another scenario"), "{error}");
}

#[test]
fn a_folder_without_a_run_cannot_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let options = options(dir.path());
    let error = fender_run::resume(dir.path(), &options, &mut |_| Flow::Continue).unwrap_err();
    assert!(matches!(error, RunError::NoRun { .. }) && error.exit_code() == 2, "{error}");
}

#[test]
fn a_missed_expectation_is_told_and_the_results_stay() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let summary = go(&SPRING.replace("below = 1e-6", "below = -1"), &out).unwrap();
    assert_eq!((summary.met(), summary.exit_code()), (0, 1));
    let shown = shown(&out).summary.unwrap();
    assert_eq!((&shown["expectations"][0]["met"], &shown["ended"]), (&false.into(), &"complete".into()));
}

#[test]
fn an_unknown_signal_is_bad_input_and_makes_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let error = go(&SPRING.replace("mass.velocity.x", "mass.velocty.x"), &out).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let message = error.to_string();
    assert!(message.contains("record[0].signals[1]"), "{message}");
    assert!(message.contains("did you mean 'mass.velocity.x'?"), "{message}");
    assert!(!out.exists());
}

/// A box that nothing acts on, turning over and over at 100 rad/s.
const RACKET: &str = r#"
format = 1
title = "Tennis racket"

[run]
duration = 2
integrator.rk4 = { step = 1e-3 }

[world]
gravity = [0, 0, 0]

[material.wood]
density = 500

[body.racket]
shape.box = { size = [0.1, 0.2, 0.3] }
material = "wood"
angular_velocity = [1, 100, 1]
"#;

#[test]
fn free_rotation_warns_of_a_drift_of_its_energy_and_not_of_rounding() {
    let dir = tempfile::tempdir().unwrap();
    let warned = |text: &str, name: &str| go(text, &dir.path().join(name)).unwrap().warnings;
    // Nothing is turned over: the few 1e-8 that rk4 loses of the kinetic energy were 100 % of their own change.
    assert_eq!(warned(RACKET, "rk4"), Vec::<String>::new());
    assert_eq!(warned(&RACKET.replace("rk4", "semi_implicit_euler"), "semi"), Vec::<String>::new());
    let warnings = warned(&RACKET.replace("rk4", "explicit_euler"), "euler");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("the energy account does not close: the run made"), "{warnings:?}");
}

/// Where meshes touch, the step may not be what is wrong, and the warning says so.
#[test]
fn a_residual_with_meshes_names_both_causes() {
    let pebble = r#"
[[contact]]
between = ["wood", "wood"]
normal.linear = { stiffness = 100, restitution = 0.5 }
friction.coulomb = { coefficient = 0.4 }

[body.ground]
fixed = true
material = "wood"
position = [0, 0, -2]
shape.heightfield = { heights = [[0, 0], [0, 0]], spacing = [1, 1] }

[body.pebble]
material = "wood"
shape.sphere = { radius = 0.1 }
position = [0, 0, -1.901]
"#;
    let dir = tempfile::tempdir().unwrap();
    let text = format!("{}{pebble}", RACKET.replace("rk4", "explicit_euler"));
    let warnings = go(&text, &dir.path().join("mesh")).unwrap().warnings;
    let told = warnings.iter().find(|w| w.contains("the energy account does not close")).unwrap();
    assert!(told.contains("smaller step") && told.contains("edges and corners on meshes"), "{told}");
    assert!(!told.contains("start deep"), "{told}");
    // Apart from the ground nothing of it is touched.
    let apart = text.replace("-1.901", "-1.5");
    let warnings = go(&apart, &dir.path().join("apart")).unwrap().warnings;
    assert!(warnings.iter().all(|w| !w.contains("meshes")), "{warnings:?}");
}

/// A block that starts deep in the floor is what the energy account is told to suffer from.
#[test]
fn a_residual_after_a_deep_start_names_it() {
    let block = r#"
[[contact]]
between = ["wood", "wood"]
normal.linear = { stiffness = 1e5, restitution = 0.5 }
friction.coulomb = { coefficient = 0.4 }

[body.ground]
fixed = true
material = "wood"
shape.half_space = { normal = [0, 0, 1], offset = -2 }

[body.block]
material = "wood"
shape.box = { size = [0.1, 0.1, 0.1] }
position = [0, 0, -1.97]
"#;
    let dir = tempfile::tempdir().unwrap();
    let text = format!("{}{block}", RACKET.replace("rk4", "explicit_euler"));
    let told = |text: &str, name: &str| {
        let warnings = go(text, &dir.path().join(name)).unwrap().warnings;
        warnings.into_iter().find(|w| w.contains("the energy account does not close")).unwrap()
    };
    let deep = told(&text, "deep");
    assert!(deep.contains("which start deep in each other") && deep.contains("`block`"), "{deep}");
    let parted = told(&text.replace("-1.97", "-1.5"), "parted");
    assert!(!parted.contains("start deep"), "{parted}");
}

/// A spring far too stiff for the step.
#[test]
fn a_diverged_run_says_when_and_who_and_keeps_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let text = SPRING.replace("rk4 = { step = 1e-4 }", "explicit_euler = { step = 0.01 }");
    let text = text.replace("damping = 1", "damping = 0").replace("stiffness = 200", "stiffness = 1e6");
    let error = go(&text, &out).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let message = error.to_string();
    assert!(message.contains("diverged at t = ") && message.contains("'mass'"), "{message}");
    let folder = Folder { path: out.clone() };
    let summary = folder.summary().unwrap();
    assert_eq!(summary.ended, Ended::Diverged);
    assert_eq!(summary.message.as_deref(), Some(message.as_str()));
    let table = folder.table("signals").unwrap();
    assert!(table.rows() > 0);
    assert!(table.column("mass.position.x").unwrap().values.iter().all(|v| v.is_finite()));
    let options = RunOptions::new(Out::Folder { path: out.clone(), force: false });
    let error = fender_run::resume(&out, &options, &mut |_| Flow::Continue).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_readable_parts_and_a_resumable_folder() {
    let text = long();
    let dir = tempfile::tempdir().unwrap();
    let (whole, out) = (dir.path().join("whole"), dir.path().join("a"));
    go(&text, &whole).unwrap();
    let options = watched(&out);
    // The next part will find the disk full.
    let mut full = false;
    let mut progress = |p: Progress| {
        if p.time > 3.0 && !full {
            full = true;
            let parts = fs::read_dir(out.join("signals")).unwrap().count();
            let next = out.join(format!("signals/part-{:05}.parquet.tmp", parts + 1));
            std::os::unix::fs::symlink("/dev/full", next).unwrap();
        }
        Flow::Continue
    };
    let error = fender_run::run(scenario(&text, &[]), &options, &mut progress).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().to_lowercase().contains("no space left"), "{error}");
    assert_eq!(error.summary().unwrap().ended, Ended::Failed);
    assert!(Folder { path: out.clone() }.table("signals").unwrap().rows() > 0);
    // With space again, the run goes on and ends as if nothing had been.
    let options = RunOptions::new(Out::Folder { path: out.clone(), force: false });
    fender_run::resume(&out, &options, &mut |_| Flow::Continue).unwrap();
    let file = "signals.parquet";
    assert!(fs::read(whole.join(file)).unwrap() == fs::read(out.join(file)).unwrap());
}

#[test]
fn frames_hold_every_body_at_the_asked_rate() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    go(SPRING, &out).unwrap();
    let stream = stream::read(&fs::read(out.join("frames.bin")).unwrap()).unwrap();
    assert_eq!(stream.head.bodies[1].name, "mass");
    assert_eq!((stream.frames.len(), stream.frames[0].poses.len()), (51, 2));
    assert!((stream.frames[0].poses[1][0] - 0.1).abs() <= 0.5 * stream.head.resolution.length);
    let off = dir.path().join("b");
    go(&format!("{SPRING}\n[frames]\noff = true\n"), &off).unwrap();
    assert!(!off.join("frames.bin").exists());
    // The report has no motion then, but everything else.
    let shown = shown(&off);
    assert_eq!((shown.frames.len(), shown.head.bodies[1].name.as_str()), (0, "mass"));
    assert_eq!(shown.series("mass.position.x").unwrap().len(), 201);
}

/// What the report of a run shows.
fn shown(out: &Path) -> Stream {
    let html = fs::read_to_string(out.join("report.html")).unwrap();
    let streams = fender_run::report::streams_in(&html);
    assert_eq!(streams.len(), 1);
    stream::read(&streams[0].1).unwrap()
}

#[test]
fn the_report_shows_what_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let summary = go(SPRING, &out).unwrap();
    let shown = shown(&out);
    assert_eq!((shown.head.name.as_str(), shown.head.integrator.as_str()), ("spring", "rk4, 0.1 ms"));
    assert_eq!(shown.head.hash, summary.hash);
    assert_eq!(shown.frames, stream::read(&fs::read(out.join("frames.bin")).unwrap()).unwrap().frames);
    assert_eq!(shown.summary.as_ref().unwrap()["state_hash"], summary.state_hash.as_str());
    let table = Folder { path: out.clone() }.table("signals").unwrap();
    for name in ["mass.position.x", "mass.acceleration.x", "energy.kinetic"] {
        let recorded = table.series(name).unwrap();
        let told = shown.series(name).unwrap();
        assert_eq!(told.len(), recorded.len());
        assert!(told.iter().zip(&recorded).all(|(a, b)| a.0 == b.0 && a.1 == b.1 as f32), "{name}");
    }
    // The same page can be made again from the folder, and several side by side.
    let html = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(fender_run::report::page(&[&out], &[]).unwrap() == html);
    let both = fender_run::report::page(&[&out, &out], &[]).unwrap();
    assert_eq!(fender_run::report::streams_in(&both).len(), 2);
}

#[test]
fn the_report_begins_with_what_the_scenario_chooses() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let text =
        format!("{SPRING}\n[report]\nplots = [[\"mass.velocity\", \"mass.position.x\"], \"energy\"]\n");
    go(&text, &out).unwrap();
    let chosen = ["mass.velocity.x", "mass.velocity.y", "mass.velocity.z", "mass.position.x"];
    assert_eq!(shown(&out).head.plots, [chosen.to_vec(), vec!["energy"]]);
    // Another page of the same run begins with what it is asked for.
    let html = fender_run::report::page(&[&out], &["energy.kinetic".to_owned()]).unwrap();
    let other = stream::read(&fender_run::report::streams_in(&html)[0].1).unwrap();
    assert_eq!(other.head.plots, [["energy.kinetic"]]);
    // What is expected comes first without a choice.
    let out = dir.path().join("b");
    let expect =
        "[[expect]]\nsignal = \"mass.acceleration.x\"\nof = \"max\"\nabove = 0\nwhy = \"it swings\"\n";
    go(&format!("{SPRING}\n{expect}"), &out).unwrap();
    assert_eq!(shown(&out).head.plots, [["mass.acceleration.x"], ["energy"]]);
}

#[test]
fn a_plot_of_a_signal_that_is_not_there_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (plots, key) in [
        ("[\"mass.positon.x\"]", "report.plots[0]"),
        ("[\"energy\", [\"mass.velocity\", \"mass.positon.x\"]]", "report.plots[1][1]"),
    ] {
        let text = format!("{SPRING}\n[report]\nplots = {plots}\n");
        let error = go(&text, &dir.path().join("a")).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.contains(key) && text.contains("did you mean 'mass.position.x'?"), "{text}");
    }
}

#[test]
fn a_run_that_was_killed_can_be_shown() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    stop_after(&long(), &out, 5.0, 2);
    fs::remove_file(out.join("summary.json")).unwrap();
    let mut frames = fs::read(out.join("frames.bin")).unwrap();
    frames.extend([b'F', 1, 0, 0, 99, 0, 0, 0, 1, 2]);
    fs::write(out.join("frames.bin"), frames).unwrap();
    let html = fender_run::report::page(&[&out], &[]).unwrap();
    let shown = stream::read(&fender_run::report::streams_in(&html)[0].1).unwrap();
    assert!(shown.summary.is_none() && shown.frames.len() > 100);
    assert!(shown.series("mass.position.x").unwrap().len() > 4000);
}

#[test]
fn a_page_of_what_is_no_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = fender_run::report::page(&[dir.path()], &[]).unwrap_err();
    assert!(matches!(error, RunError::NoRun { .. }), "{error}");
    let out = dir.path().join("a");
    go(SPRING, &out).unwrap();
    for (bytes, why) in [(&b"FENDERFR\x01\0\0\0"[..], "format 1"), (b"GIF89a", "not a Fender stream")] {
        fs::write(out.join("frames.bin"), bytes).unwrap();
        let error = fender_run::report::page(&[&out], &[]).unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains(why), "{error}");
        assert!(error.to_string().contains("frames.bin"), "{error}");
    }
}

#[test]
fn the_scenario_in_the_results_is_the_scenario() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a");
    let first = scenario(SPRING, &[Override::new("stretch", "0.2")]);
    let hash = first.hash;
    fender_run::run(first, &options(&out), &mut |_| Flow::Continue).unwrap();
    let again = fender_scenario::load(&out, &[]).unwrap();
    assert_eq!(again.hash, hash);
    let world = World::new(again.model);
    let mass = world.model.bodies.iter().find(|b| matches!(b.motion, BodyMotion::Free { .. })).unwrap();
    assert_eq!(mass.pose.translation.x, 0.2);
}
