//! Sweeps and validation from the command line.

use crate::common::{fender, flat, folder, json, run, scenario, write};

#[test]
fn a_sweep_runs_all_combinations_and_goes_on() {
    let dir = folder();
    scenario(dir.path(), &[("\"0.5 s\"", "\"0.1 s\"")]);
    let sweep = [
        "sweep",
        "ball.toml",
        "--over",
        "height=0.3 m,0.4 m",
        "--over",
        "body.ball.mass=1..3:3",
        "--out",
        "s",
    ];
    let (code, text) = run(dir.path(), &sweep);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("6 complete, 0 missed an expectation, 0 did not reach the end"), "{text}");
    let csv = std::fs::read_to_string(dir.path().join("s/sweep.csv")).expect("it was written");
    assert_eq!(csv.lines().count(), 7, "{csv}");
    assert!(dir.path().join("s/sweep.parquet").exists());

    // As if it had been stopped: one run is gone, the others are not run again.
    let written = |n: &str| {
        std::fs::metadata(dir.path().join(format!("s/runs/{n}/summary.json"))).and_then(|m| m.modified())
    };
    let before = written("0001").expect("it is there");
    std::fs::remove_dir_all(dir.path().join("s/runs/0003")).expect("it can be removed");
    let (code, text) = run(dir.path(), &sweep);
    assert_eq!(code, 0, "{text}");
    assert_eq!(written("0001").expect("it is there"), before, "a complete run was run again");
    assert!(written("0003").is_ok(), "the missing run was not run");

    // Another sweep does not get mixed into it.
    let other = ["sweep", "ball.toml", "--over", "height=0.3 m", "--out", "s"];
    let (code, text) = run(dir.path(), &other);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("is not empty"), "{text}");
}

#[test]
fn a_sweep_tells_mistakes_before_it_makes_a_folder() {
    let dir = folder();
    scenario(dir.path(), &[]);
    for (over, part) in [
        ("hight=1,2", "height"),
        ("height", "there is no '='"),
        ("height=1..2", "':count'"),
        ("height=1 kg,2 kg", "length"),
        ("height=1 m,2 kg", "the value comes from --over height=2 kg"),
        ("body.ball.mass=1,-1", "--over:1:1: `body.ball.mass`: must be positive"),
    ] {
        let (code, text) = run(dir.path(), &["sweep", "ball.toml", "--over", over]);
        assert_eq!(code, 2, "{over}: {text}");
        assert!(text.contains(part), "{over}: no '{part}' in: {text}");
        assert!(!text.contains("--set"), "{over}: {text}");
    }
    // What comes from --set is still said to.
    let both = ["sweep", "ball.toml", "--over", "height=1,2", "--set", "body.ball.mass=-1"];
    let (code, text) = run(dir.path(), &both);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("--set:1:1: `body.ball.mass`"), "{text}");
    assert!(!dir.path().join("results").exists());
}

#[test]
fn a_run_that_diverges_in_a_sweep_is_exit_code_3_and_the_others_are_done() {
    let dir = folder();
    let spring = "[force.s]\nspring = { between = [\"floor\", \"ball\"], stiffness = 1 }\n\n[[contact]]";
    scenario(dir.path(), &[("[[contact]]", spring), ("rk4", "explicit_euler"), ("\"0.1 ms\"", "\"5 ms\"")]);
    let (code, text) =
        run(dir.path(), &["sweep", "ball.toml", "--over", "force.s.spring.stiffness=1,1e9", "--json"]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("\"complete\": 1") && text.contains("\"failed\": 1"), "{text}");
}

#[test]
fn warnings_of_the_runs_are_told_even_when_quiet() {
    let dir = folder();
    scenario(dir.path(), &[("rk4", "explicit_euler"), ("\"0.1 ms\"", "\"20 ms\"")]);
    let (code, text) = run(dir.path(), &["sweep", "ball.toml", "--over", "height=10,11,12", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    let told = "warning in 3 of 3 runs (first in runs/0001): ";
    assert!(text.starts_with(&format!("{told}the step of 20 ms")), "{text}");
    assert!(text.contains(&format!("{told}the energy account")), "{text}");
    assert_eq!(text.matches("warning").count(), 2, "{text}");
    let csv =
        std::fs::read_to_string(dir.path().join("results/ball-sweep-1/sweep.csv")).expect("it is there");
    assert!(csv.lines().next().is_some_and(|head| head.contains(",warnings")), "{csv}");
}

/// All cases are run in `validation.rs`, each by its name.
#[test]
fn several_cases_have_a_page_each_and_an_index() {
    let names = ["galilei_1638_projectile", "galilei_1638_release"];
    let dir = folder();
    let mut command = fender(dir.path());
    let output =
        command.args(["validate", "--json", "--page", "page"]).args(names).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", flat(&output));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(result["met"].as_u64(), Some(2));
    let index = std::fs::read_to_string(dir.path().join("page/index.md")).expect("it was written");
    for name in names {
        assert!(index.contains(&format!("({name}.md)")), "{index}");
        assert!(dir.path().join(format!("page/{name}.md")).exists(), "{name} has no page");
    }
}

#[test]
fn a_case_of_ones_own_can_be_missed() {
    let dir = folder();
    scenario(dir.path(), &[("\"0.5 m\"", "\"10 m\"")]);
    let case = dir.path().join("mine");
    std::fs::create_dir(&case).expect("a folder can be made");
    std::fs::rename(dir.path().join("ball.toml"), case.join("scenario.toml")).expect("it can be moved");
    let text = |value: f64| {
        format!(
            "title = \"Fall\"\nsource = \"Newton 1687\"\n[[check]]\nsignal = \"ball.velocity.z\"\nat = 0.5\n\
             value = {value}\ntolerance = 1e-6\nwhy = \"g t\"\n"
        )
    };
    write(&case.join("case.toml"), &text(-4.905));
    let (code, out) = run(dir.path(), &["validate", "mine"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("ball.velocity.z at 0.5 s") && out.contains("1 of 1 cases met"), "{out}");
    write(&case.join("case.toml"), &text(-5.0));
    let (code, out) = run(dir.path(), &["validate", "mine"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("MISSED") && out.contains("0 of 1 cases met"), "{out}");
    let (code, out) = run(dir.path(), &["validate", "no-such-case"]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("no validation case 'no-such-case'"), "{out}");
}

#[test]
fn summaries_of_a_sweep_are_results_folders() {
    let dir = folder();
    scenario(dir.path(), &[("\"0.5 s\"", "\"0.05 s\"")]);
    assert_eq!(run(dir.path(), &["sweep", "ball.toml", "--over", "height=0.3 m,0.4 m", "--quiet"]).0, 0);
    let first = dir.path().join("results/ball-sweep-1/runs/0001");
    assert_eq!(json(&first.join("summary.json"))["ended"], "complete");
    assert!(first.join("report.html").exists());
}
