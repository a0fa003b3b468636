//! Fits from the command line.

use crate::common::{self, flat, folder, json, run, scenario, write};

/// Positions of the ball as it was run with other values than the scenario has.
fn measured(dir: &std::path::Path) {
    scenario(dir, &[]);
    let truth = ["--set", "height=0.45 m", "--set", "contact.0.normal.hertz.restitution=0.7"];
    let (code, text) = run(dir, &[&["run", "ball.toml", "--out", "truth"], truth.as_slice()].concat());
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(dir, &["export", "truth", "--csv"]);
    assert_eq!(code, 0, "{text}");
}

const FIT: [&str; 10] = [
    "fit",
    "ball.toml",
    "--data",
    "truth/signals.csv",
    "--signal",
    "ball.position.z",
    "--adjust",
    "height=0.2 m..1 m",
    "--adjust",
    "contact.0.normal.hertz.restitution=0.1..0.95",
];

#[test]
fn a_fit_tells_values_and_writes_the_fitted_scenario() {
    let dir = folder();
    measured(dir.path());
    let (code, text) = run(dir.path(), &[&FIT[..], &["--out", "fit"]].concat());
    assert_eq!(code, 0, "{text}");
    for part in ["converged after", "height 0.5 0.45 ±", "Correlation", "ball.position.z", "Student's t"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let fit = json(&dir.path().join("fit/fit.json"));
    let value = |i: usize| fit["parameters"][i]["value"].as_f64().expect("it is a number");
    assert!((value(0) - 0.45).abs() < 1e-6 && (value(1) - 0.7).abs() < 1e-5, "{fit:#}");
    assert_eq!(fit["ended"], "converged");
    let svg = std::fs::read_to_string(dir.path().join("fit/fit.svg")).expect("it was written");
    assert!(svg.contains("ball.position.z [m]"), "{svg}");
    let (code, text) = run(dir.path(), &["check", "fit/scenario.toml", "--expand"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(&format!("restitution = {:?}", value(1))), "{text}");

    // The folder is taken now; by force it is replaced, and another number of threads gives the same bits.
    let (code, text) = run(dir.path(), &[&FIT[..], &["--out", "fit"]].concat());
    assert_eq!(code, 2, "{text}");
    let (code, _) =
        run(dir.path(), &[&FIT[..], &["--out", "fit", "--force", "--threads", "1", "-q"]].concat());
    assert_eq!((code, json(&dir.path().join("fit/fit.json"))), (0, fit));
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let dir = folder();
    measured(dir.path());
    write(&dir.path().join("gap.csv"), "time,ball.position.z\n0,0.5\n0.1,\n");
    write(&dir.path().join("names.csv"), "time,ball.postion.z\n0,0.5\n0.1,0.4\n0.2,0.3\n");
    let data = "truth/signals.csv";
    for (data, signal, adjust, part) in [
        (data, "ball.position.z", "hight=0.2..1", "did you mean `height`?"),
        (data, "ball.position.z", "height=1..0.2", "the lower bound is not below the upper one"),
        (data, "ball.position.z", "height=0.6..1", "starts from 0.5 m, outside its bounds"),
        (data, "ball.position.z", "title=0.6..1", "`title` is a text, and not a number"),
        (data, "ball.postion.z", "height=0.2..1", "did you mean `ball.position.z`?"),
        ("gap.csv", "ball.position.z", "height=0.2..1", "line 3: `ball.position.z` is empty"),
        ("names.csv", "ball.postion.z", "height=0.2..1", "did you mean 'ball.position.z'"),
    ] {
        let arguments =
            ["fit", "ball.toml", "--data", data, "--signal", signal, "--adjust", adjust, "--out", "f"];
        let (code, text) = run(dir.path(), &arguments);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part), "no '{part}' in: {text}");
        assert!(!dir.path().join("f").exists(), "{adjust}: a folder was made");
    }
    let (code, text) = run(dir.path(), &["fit", "ball.toml", "--data", data]);
    assert!(code == 2 && text.contains("--adjust"), "{text}");
    let (code, _) = run(dir.path(), &["fit", "ball.toml", "--data", "none.csv", "--adjust", "height=0.2..1"]);
    assert_eq!(code, 4);
}

/// Ctrl-C keeps the best so far.
#[test]
#[cfg(unix)]
fn an_interrupted_fit_keeps_the_best_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let dir = folder();
    let changes = [
        ("\"0.5 s\"", "\"40 s\""),
        ("\"0.1 ms\"", "\"50 us\""),
        ("restitution = 0.5", "restitution = 0.999"),
    ];
    scenario(dir.path(), &changes);
    // Made up: nothing fits, and the search goes on for long.
    let rows: Vec<String> = (0..400).map(|i| format!("{},{}\n", f64::from(i) * 0.1, i % 7)).collect();
    write(&dir.path().join("data.csv"), &format!("time,ball.position.z\n{}", rows.concat()));
    let mut command = common::fender(dir.path());
    command.args(["fit", "ball.toml", "--data", "data.csv", "--adjust", "height=0.2..1", "--out", "fit"]);
    command.args(["--adjust", "contact.0.normal.hertz.stiffness=1e5..1e7", "--iterations", "10"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // A line is told once there is something to keep.
    let mut told = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    errors.read_line(&mut told).expect("it can be read");
    assert!(told.contains("iteration") && told.contains("misfit"), "{told}");
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh is there").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(common::code(&output), 130, "{}", flat(&output));
    assert!(flat(&output).contains("interrupted after"), "{}", flat(&output));
    assert!(json(&dir.path().join("fit/fit.json"))["ended"]["interrupted"] == 2);
    assert!(dir.path().join("fit/scenario.toml").exists());
}
