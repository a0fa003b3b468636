//! Runs that end on their own: what they print, what they leave, and their exit codes.

use crate::common::{self, code, fender, flat, folder, json, run, scenario, write};
use std::io::Read;
use std::process::Stdio;

const EXPECT: &str = "[[expect]]\nsignal = \"ball.position.z\"\nof = \"min\"\nvalue = VALUE\ntolerance = 0.02\nwhy = \"the ball touches the floor\"\n\n[[contact]]";

#[test]
fn a_run_leaves_a_results_folder() {
    let dir = folder();
    scenario(dir.path(), &[("[[contact]]", &EXPECT.replace("VALUE", "0.1"))]);
    let (code, text) = run(dir.path(), &["run", "ball.toml"]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "steps",
        "wall time",
        "real-time factor",
        "deepest penetration",
        "residual",
        "expectations met 1 of 1",
    ] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let out = dir.path().join("results/ball-1");
    for file in [
        "scenario.toml",
        "signals.parquet",
        "contacts.parquet",
        "frames.bin",
        "events.json",
        "summary.json",
        "checkpoint",
        "report.html",
    ] {
        let size = std::fs::metadata(out.join(file)).unwrap_or_else(|e| panic!("{file}: {e}")).len();
        assert!(size > 0, "{file} is empty");
    }
    // The expanded scenario runs to the same bits.
    let (code, text) = run(&out, &["run", "scenario.toml", "--out", "again", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    let hash = |path: &str| json(&out.join(path))["state_hash"].clone();
    assert_eq!(hash("summary.json"), hash("again/summary.json"));
    // The next run takes the next number.
    assert_eq!(run(dir.path(), &["run", "ball.toml", "--quiet"]).0, 0);
    assert!(dir.path().join("results/ball-2").exists());
}

#[test]
fn meshes_are_copied_with_what_they_need() {
    let dir = folder();
    let visual = "mass = \"2 kg\"\nvisual = [{ mesh = \"meshes/hull.obj\", scale = 0.1 }]";
    scenario(dir.path(), &[("mass = \"2 kg\"", visual)]);
    std::fs::create_dir(dir.path().join("meshes")).expect("it can be made");
    let hull = "mtllib hull.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    write(&dir.path().join("meshes/hull.obj"), hull);
    write(&dir.path().join("meshes/hull.mtl"), "newmtl red\nKd 1 0 0\n");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--quiet"]);
    assert_eq!((code, text.as_str()), (0, ""));
    let out = dir.path().join("results/ball-1");
    assert!(out.join("meshes/hull.obj").exists() && out.join("meshes/hull.mtl").exists());
    assert_eq!(run(&out, &["check", "scenario.toml"]).0, 0);
    let (_, expanded) = run(dir.path(), &["check", "ball.toml", "--expand"]);
    assert!(
        expanded.contains("mesh = \"meshes/hull.obj\", scale = 0.1, position = [0.0, 0.0, 0.0]"),
        "{expanded}"
    );
}

#[test]
fn a_missed_expectation_is_exit_code_1() {
    let dir = folder();
    scenario(dir.path(), &[("[[contact]]", &EXPECT.replace("VALUE", "0.3"))]);
    let (code, text) = run(dir.path(), &["run", "ball.toml"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("expectations met 0 of 1"), "{text}");
    assert!(text.contains("missed: min of ball.position.z"), "{text}");
    assert!(text.contains("the ball touches the floor"), "{text}");
}

#[test]
fn an_energy_account_that_does_not_close_is_a_warning() {
    let dir = folder();
    // A fall by explicit Euler, 25 steps, without a contact: half a step late, 2 % of what the fall turned over.
    scenario(
        dir.path(),
        &[("\"0.5 m\"", "\"10 m\""), ("rk4", "explicit_euler"), ("\"0.1 ms\"", "\"20 ms\"")],
    );
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("the energy account does not close").count(), 1, "{text}");
    assert!(text.contains("smaller step, or a method with error control"), "{text}");
    let out = dir.path().join("results/ball-1");
    let warnings = json(&out.join("summary.json"))["warnings"].to_string();
    assert!(warnings.contains("does not close"), "{warnings}");
    let shown = common::shown(&out).summary.expect("the report has it");
    assert!(shown["warnings"].to_string().contains("does not close"), "{shown}");
}

#[test]
fn quiet_says_nothing_and_json_is_json() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let output = fender(dir.path()).args(["run", "ball.toml", "--quiet"]).output().expect("it runs");
    assert_eq!((code(&output), flat(&output).as_str()), (0, ""));
    let output =
        fender(dir.path()).args(["run", "ball.toml", "--quiet", "--json"]).output().expect("it runs");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert_eq!(summary["ended"], "complete");
    assert_eq!(summary["time"], 0.5);
    assert_eq!(summary["steps"], 5000);
}

#[test]
fn overrides_and_threads() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let hash = |name: &str, extra: &[&str]| {
        let mut arguments = vec!["run", "ball.toml", "--quiet", "--out", name];
        arguments.extend(extra);
        let (code, text) = run(dir.path(), &arguments);
        assert_eq!(code, 0, "{text}");
        json(&dir.path().join(name).join("summary.json"))["state_hash"].clone()
    };
    let plain = hash("plain", &[]);
    assert_eq!(plain, hash("one", &["--threads", "1"]));
    assert_eq!(plain, hash("eight", &["--threads", "8"]));
    assert_ne!(plain, hash("high", &["--set", "height=0.6 m"]));
}

#[test]
fn a_step_that_is_too_large_is_one_warning() {
    let dir = folder();
    scenario(dir.path(), &[("\"0.1 ms\"", "\"20 ms\""), ("1e6", "1e8")]);
    let (_, text) = run(dir.path(), &["run", "ball.toml"]);
    assert_eq!(text.matches("is too large for the contact of").count(), 1, "{text}");
    for part in ["'ball'", "'floor'", "limit", "would do"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

#[test]
fn divergence_is_exit_code_3_and_leaves_what_was_recorded() {
    let dir = folder();
    let spring =
        "[force.stiff]\nspring = { between = [\"floor\", \"ball\"], stiffness = 1e9 }\n\n[[contact]]";
    scenario(dir.path(), &[("[[contact]]", spring), ("rk4", "explicit_euler"), ("\"0.1 ms\"", "\"5 ms\"")]);
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "out"]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("diverged at t =") && text.contains("'ball'"), "{text}");
    assert_eq!(json(&dir.path().join("out/summary.json"))["ended"], "diverged");
    let (code, text) = run(dir.path(), &["export", "out", "--csv"]);
    assert_eq!(code, 0, "{text}");
    let csv = std::fs::read_to_string(dir.path().join("out/signals.csv")).expect("it was exported");
    assert!(csv.lines().count() >= 2, "{csv}");
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 2, "{text}");
}

/// A sheet is no mistake; a file that was cut off looks like one.
#[test]
fn a_mesh_with_open_edges_is_noted() {
    let dir = folder();
    common::write(&dir.path().join("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    let text = "format = 1\ntitle = \"t\"\n[run]\nduration = 0.01\n[material.steel]\ndensity = 7800\n\
        [body.part]\nfixed = true\nmaterial = \"steel\"\nshape.mesh = { file = \"sheet.obj\" }\n";
    common::write(&dir.path().join("sheet.toml"), text);
    for verb in [&["check", "sheet.toml"][..], &["run", "sheet.toml"]] {
        let (code, text) = run(dir.path(), verb);
        assert_eq!(code, 0, "{text}");
        let note =
            "note: `body.part.shape.mesh.file`: sheet.obj is not closed (open, 4 edges around 1 hole or rim";
        assert_eq!((text.matches(note).count(), text.matches("warning:").count()), (1, 0), "{text}");
    }
    let (_, text) = run(dir.path(), &["run", "sheet.toml", "--quiet"]);
    assert!(!text.contains("note:"), "{text}");
}

#[test]
fn a_complete_run_cannot_be_resumed() {
    let dir = folder();
    scenario(dir.path(), &[]);
    assert_eq!(run(dir.path(), &["run", "ball.toml", "--out", "out"]).0, 0);
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("nothing to resume"), "{text}");
}

#[test]
fn the_starter_and_every_copy_of_a_shipped_scenario_load() {
    let dir = folder();
    assert_eq!(run(dir.path(), &["new", "mine"]).0, 0);
    let (code, text) = run(dir.path(), &["run", "mine"]);
    assert_eq!(code, 0, "{text}");
    assert!(dir.path().join("results/mine-1/report.html").exists());
    let list = fender(dir.path()).args(["list", "--json"]).output().expect("it runs");
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).expect("it is JSON");
    for shipped in list["scenarios"].as_array().expect("it is a list") {
        let name = shipped["name"].as_str().expect("it has a name");
        let copy = format!("copy-of-{name}");
        assert_eq!(run(dir.path(), &["new", &copy, "--from", name]).0, 0);
        let (code, text) = run(dir.path(), &["check", &copy]);
        assert_eq!(code, 0, "{name}: {text}");
        // Published numbers are kept where they break a rule, and the README says so.
        let published = match name {
            "stick-slip" => Some("the bristles create energy near the Stribeck speed"),
            "ball-in-cylinder" | "robot-probe" => Some("is less than 10 times that of the bristles"),
            _ => None,
        };
        let warnings = text.matches("warning:").count();
        assert_eq!(warnings, usize::from(published.is_some()), "{name}: {text}");
        assert!(published.is_none_or(|words| text.contains(words)), "{name}: {text}");
    }
}

#[test]
fn expand_prints_a_scenario_that_loads_to_itself() {
    let dir = folder();
    let expand = |name: &str| {
        let output = fender(dir.path()).args(["check", "--expand", name]).output().expect("it runs");
        assert_eq!(code(&output), 0, "{}", flat(&output));
        String::from_utf8(output.stdout).expect("it is text")
    };
    assert_eq!(run(dir.path(), &["new", "plate", "--from", "driven-plate"]).0, 0);
    let once = expand("plate");
    assert!(once.contains("gravity = "), "defaults are written out: {once}");
    common::write(&dir.path().join("plate/scenario.toml"), &once);
    assert_eq!(expand("plate"), once);
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    let dir = folder();
    let mut child = fender(dir.path())
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Dropping the pipe before the command writes is what `| head -0` does.
    drop(child.stdout.take());
    let mut text = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut text).expect("it is text");
    assert_eq!((child.wait().expect("it ends").code(), text.as_str()), (Some(0), ""));
}

#[test]
fn completions_for_every_shell() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, text) = run(dir.path(), &["completions", shell]);
        assert_eq!(code, 0, "{shell}");
        assert!(text.contains("fender") && text.contains("sweep"), "{shell}");
    }
}

/// What is in the folder and is not Fender's stays, or is told to be in the way.
#[test]
fn force_leaves_the_users_files_alone() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let path = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(path("own/assets")).expect("a folder can be made");
    common::write(&path("own/scenario.toml"), common::BALL);
    common::write(&path("own/assets/logo.svg"), "logo");
    // The scenario's own folder, by whatever name.
    for (scenario, out) in [("own", "own"), ("own/scenario.toml", "own/../own")] {
        let (code, text) = run(dir.path(), &["run", scenario, "--out", out, "--force", "--quiet"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("folder of the scenario itself"), "{text}");
    }
    // Another scenario into a folder with a scenario.
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "own", "--force", "--quiet"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("scenario.toml") && text.contains("not known to be Fender's"), "{text}");
    assert_eq!(std::fs::read_to_string(path("own/scenario.toml")).expect("it is there"), common::BALL);
    // Folders with names that Fender uses too.
    for name in ["out/assets/logo.svg", "out/signals/measured.csv", "out/contacts/mine.parquet"] {
        std::fs::create_dir_all(path(name).parent().expect("it has one")).expect("a folder can be made");
        common::write(&path(name), "mine");
    }
    for _ in 0..2 {
        let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "out", "--force", "--quiet"]);
        assert_eq!(code, 0, "{text}");
        for name in ["out/assets/logo.svg", "out/signals/measured.csv", "out/contacts/mine.parquet"] {
            assert_eq!(std::fs::read_to_string(path(name)).expect("it is there"), "mine");
        }
    }
    // A sweep does not take a folder of runs that it has not made.
    std::fs::create_dir_all(path("other/runs/0001")).expect("a folder can be made");
    common::write(&path("other/runs/0001/signals.parquet"), "mine");
    let sweep = ["sweep", "ball.toml", "--over", "height=0.4,0.5", "--out", "other", "--force", "--quiet"];
    run(dir.path(), &sweep);
    assert_eq!(
        std::fs::read_to_string(path("other/runs/0001/signals.parquet")).expect("it is there"),
        "mine"
    );
}
