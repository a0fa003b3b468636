//! Runs that are compared.

use crate::common::{fender, folder, run, scenario};
use std::path::Path;

const EXPECT: &str = "[[expect]]\nsignal = \"ball.position.z\"\nat = \"50 ms\"\nvalue = 0.4877\ntolerance = 0.001\nwhy = \"it falls\"\n\n[[contact]]";

/// Runs of the ball from several heights, in `results/ball-1`, `-2`, …
fn with_runs(heights: &[&str]) -> tempfile::TempDir {
    let dir = folder();
    scenario(dir.path(), &[("[[contact]]", EXPECT)]);
    for height in heights {
        let (code, text) =
            run(dir.path(), &["run", "ball.toml", "--quiet", "--set", &format!("height={height}")]);
        assert!(code <= 1, "{text}");
    }
    dir
}

fn page(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let html = std::fs::read_to_string(folder.join("compare.html")).expect("it was written");
    fender_run::report::streams_in(&html)
}

#[test]
fn what_differs_is_told_and_shown() {
    let dir = with_runs(&["0.5 m", "0.6 m", "0.5 m"]);
    let (code, text) = run(dir.path(), &["compare", "results/ball-1", "results/ball-2", "results/ball-3"]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "a results/ball-1 Ball on a floor complete, 0.5 s b results/ball-2",
        "ends in the same state as a, bit by bit",
        "parameter.height 0.5 m 0.6 m 0.5 m",
        "Signals of b that differ most from a",
        "ball.position.z [m]",
        "that c has in common with a are the same",
        "[m] met: 0.48773",
        "missed: 0.58773",
        "wrote compare.html",
    ] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let names: Vec<String> = page(dir.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["ball-1", "ball-2", "ball-3"]);
}

#[test]
fn figures_for_programs() {
    let dir = with_runs(&["0.5 m", "0.6 m"]);
    let output = fender(dir.path())
        .args([
            "compare",
            "results/ball-1",
            "results/ball-2",
            "--json",
            "--out",
            "c.html",
            "--signal",
            "ball.position",
        ])
        .output()
        .expect("it runs");
    assert!(output.status.success());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    assert_eq!(json["settings"][0]["key"], "parameter.height");
    let signals = json["signals"][0]["signals"].as_array().expect("it is a list");
    assert_eq!(signals.len(), 3);
    assert_eq!(signals[0]["signal"], "ball.position.z");
    // Until the lower one lands they fall side by side, 0.1 m apart; then the other way.
    let largest = signals[0]["largest"].as_f64().expect("it is a number");
    assert!(largest.abs() >= 0.1 - 1e-9, "{largest}");
    assert_eq!(signals[1]["largest"], 0.0);
    // The page begins with what was asked for.
    let html = std::fs::read_to_string(dir.path().join("c.html")).expect("it was written");
    let (_, bytes) = &fender_run::report::streams_in(&html)[0];
    let head = fender_run::stream::read(bytes).expect("it can be read").head;
    assert_eq!(head.plots, [["x", "y", "z"].map(|k| format!("ball.position.{k}"))]);
    assert!(dir.path().join("c.html").exists() && !dir.path().join("compare.html").exists());
}

#[test]
fn what_is_wrong_is_said() {
    let dir = with_runs(&["0.5 m"]);
    for (arguments, part) in [
        (&["results/ball-1"][..], "2 values required"),
        (&["results/ball-1", "nowhere"], "'nowhere' holds no run"),
        (
            &["results/ball-1", "results/ball-1", "--signal", "bal.speed"],
            "no signal `bal.speed` was recorded",
        ),
    ] {
        let (code, text) = run(dir.path(), &[&["compare"], arguments].concat());
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    assert!(!dir.path().join("compare.html").exists());
    let (code, text) =
        run(dir.path(), &["compare", "results/ball-1", "results/ball-1", "--out", "no/such/c.html"]);
    assert_eq!(code, 4, "{text}");
}
