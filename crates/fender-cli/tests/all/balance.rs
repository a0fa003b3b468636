//! `fender statics` and `fender modes`.

use crate::common::{fender, folder, run};
use fender_run::{report, stream};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let output = fender(folder().path()).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn a_mass_hangs_on_its_spring() {
    // 1 kg on 100 N/m: 9.81 cm below the spring's free end at −0.5 m.
    let (code, text) = run(folder().path(), &["statics", "spring-mass"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("at rest after") && text.contains("mass.position (0, 0, "), "{text}");
    let all = json(&["statics", "spring-mass", "mass.position", "--json"]);
    let modes = json(&["modes", "spring-mass", "--json"]);
    let z = all["signals"]["mass.position.z"].as_f64().expect("a number");
    assert!((z + 0.5981).abs() < 1e-9, "{z}");
    // It swings along the spring with ω² = k/m, and sideways twice as a pendulum of that length: g/0.5981.
    let list = modes.as_array().expect("a list");
    let number = |i: usize, key: &str| list[i][key].as_f64().expect("a number");
    for (i, square) in [(3, 9.81 / 0.5981), (4, 9.81 / 0.5981), (5, 100.0)] {
        assert!((number(i, "square") - square).abs() < 1e-6 * square, "{i}: {modes}");
    }
    assert!((number(5, "damping") - 0.1).abs() < 1e-9, "{modes}");
}

#[test]
fn modes_move_on_a_page() {
    let dir = folder();
    let (code, text) = run(dir.path(), &["modes", "double-pendulum", "--out", "modes.html"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("0.463778 Hz") && text.contains("1.08284 Hz"), "{text}");
    let html = std::fs::read_to_string(dir.path().join("modes.html")).expect("it was written");
    let streams = report::streams_in(&html);
    let run = stream::read(&streams[0].1).expect("a stream");
    // Two modes of three seconds, 25 frames each second; both bars move, and differently in each.
    assert_eq!(run.frames.len(), 150);
    let modes: Vec<f32> = run.series("mode").expect("a signal").iter().map(|(_, x)| *x).collect();
    assert_eq!((modes[0], modes[149]), (1.0, 2.0));
    let far = |from: usize, body: usize| {
        let rest = &run.frames[from].poses[body];
        let moved = run.frames[from..from + 75].iter().map(|f| (f.poses[body][0] - rest[0]).abs());
        moved.fold(0.0, f64::max)
    };
    for body in 0..2 {
        assert!(far(0, body) > 0.005 && far(75, body) > 0.005, "{body}");
    }
}

#[test]
fn what_is_not_held_is_named() {
    let dir = folder();
    let text =
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[body.stone]\nmass = 1\ninertia = [1, 1, 1]\n";
    std::fs::write(dir.path().join("fall.toml"), text).expect("it can be written");
    for verb in ["statics", "modes"] {
        let (code, text) = run(dir.path(), &[verb, "fall.toml"]);
        assert_eq!(code, 3, "{text}");
        assert!(text.contains("'stone'") && text.contains("no position of rest"), "{text}");
    }
    let (code, text) = run(dir.path(), &["statics", "spring-mass", "mass.positoin"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("mass.position"), "{text}");
}
