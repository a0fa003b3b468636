//! What a run of a cable leaves behind: signals, events, figures, pictures, cycles.

use crate::common::{fender, folder, json, run, shown, write};
use std::path::Path;

/// A weight on a rope of 2 m that falls 0.8 m and is caught, over a seabed, in still air.
const CAUGHT: &str = r#"format = 1
title = "Weight caught by a rope"

[run]
duration = "0.8 s"
integrator.rk4 = { step = "0.1 ms" }

[seabed]
height = -4

[body.weight]
shape.sphere = { radius = "5 cm" }
mass = "5 kg"
material = "steel"
position = [0, 0, -1.2]

[material.steel]
density = "7850 kg/m^3"

[line.rope]
mass = "50 g/m"
diameter = "1 cm"
axial.linear = { stiffness = "100 kN", damping = "10 N*s" }
breaking_load = "20 kN"
bend_radius = "5 cm"

[cable.rope]
line = "rope"
length = "2 m"
elements = 8
start = { fixed = [0, 0, 0] }
end = { body = "weight", at = [0, 0, -1.2] }
shape.through = [[0, 0, 0], [0.8, 0, -0.6], [0, 0, -1.2]]

[frames]
every = "5 ms"

[[record]]
signals = ["cable.rope.*", "cable.rope.at.1", "cable.rope.at.end.position", "weight.position.z"]
every = "1 ms"
"#;

const RUN: &str = "results/caught-1";

fn with_run() -> tempfile::TempDir {
    let dir = folder();
    write(&dir.path().join("caught.toml"), CAUGHT);
    let (code, text) = run(dir.path(), &["run", "caught.toml"]);
    assert_eq!(code, 0, "{text}");
    for part in ["rope: tension", "rope: utilisation", "% of the breaking load at", "rope: slack"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    dir
}

/// Largest finite value of a recorded signal.
fn largest(out: &Path, name: &str) -> f64 {
    let table = fender_run::Folder { path: out.to_owned() }.table("signals").expect("it was recorded");
    let column = table.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}"));
    column.values.iter().copied().filter(|v| v.is_finite()).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn figures_events_and_signals_tell_the_same() {
    let dir = with_run();
    let out = dir.path().join(RUN);
    let summary = json(&out.join("summary.json"));
    let rope = &summary["cables"][0];
    let most = &rope["largest_tension"];
    let (tension, time) = (most["value"].as_f64().unwrap(), most["time"].as_f64().unwrap());
    // 0.8 m of fall take 0.404 s and end with 3.96 m/s: v √(EA/L m) = 3.96 √(5e4·5) = 1980 N, and the weight; waves add to it.
    assert!(time > 0.40 && time < 0.43 && tension > 1900.0 && tension < 2700.0, "{tension} {time}");
    assert!((rope["utilisation"]["value"].as_f64().unwrap() - tension / 2e4).abs() < 1e-9);
    assert!(rope["dynamic_amplification"].is_null() && rope["snaps"].as_u64().unwrap() >= 1, "{rope}");
    assert!(rope["slack_share"].as_f64().unwrap() > 0.4, "{rope}");
    // Samples are every tenth step.
    let sampled = largest(&out, "cable.rope.tension.max");
    assert!(sampled <= tension && sampled > 0.9 * tension, "{sampled} {tension}");
    assert!((largest(&out, "cable.rope.utilisation") - sampled / 2e4).abs() < 1e-9);
    let lowest = largest(&out, "cable.rope.at.end.position.z");
    assert!((lowest - largest(&out, "weight.position.z")).abs() < 1e-9, "{lowest}");
    let events = json(&out.join("events.json"));
    let told = events["events"].as_array().unwrap();
    // The rope flies ahead of the weight and is stretched by its own inertia before it catches it.
    let before = |e: &&serde_json::Value| e["kind"] == "taut" && e["time"].as_f64().unwrap() < 0.41;
    let taut = told.iter().rfind(before).unwrap_or_else(|| panic!("{told:?}"));
    assert_eq!(taut["cable"], "rope");
    assert!(taut["strain_rate"].as_f64().unwrap() > 0.0, "{taut}");
    // It rebounds off the end of its fall: slack once more, and caught again.
    assert!(told.iter().any(|e| e["kind"] == "slack" && e["time"].as_f64().unwrap() > time), "{told:?}");
    assert!(told.len() < 30, "{}", told.len());
}

#[test]
fn the_page_shows_the_cable_and_the_seabed() {
    let dir = with_run();
    let stream = shown(&dir.path().join(RUN));
    assert_eq!((stream.head.curves[0].name.as_str(), stream.head.curves[0].radius), ("rope", 0.005));
    assert_eq!(stream.head.fields[0].kind, "terrain");
    let last = stream.frames.last().expect("there are frames");
    let (first, end) = (last.curves[0].first().unwrap(), last.curves[0].last().unwrap());
    assert_eq!(first.position, [0.0; 3]);
    // Where the weight is, to the frames' resolution.
    assert!((end.position[2] - last.poses[0][2]).abs() < 2.0 * stream.head.resolution.length);
    assert_eq!(last.fields[0], [-4.0; 4]);
    assert!(stream.frames.iter().any(|f| f.curves[0].iter().any(|node| node.tension > 500.0)));
    assert!(stream.events.iter().any(|e| e["label"] == "rope is taut again"));
}

#[test]
fn cycles_are_counted_and_told() {
    let dir = with_run();
    let (code, text) = run(dir.path(), &["cycles", RUN, "cable.rope.tension.end", "--classes", "5"]);
    assert_eq!(code, 0, "{text}");
    for part in ["cable.rope.tension.end [N]:", "range from to mean cycles", "with slope 3:"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let output = fender(dir.path())
        .args(["cycles", RUN, "weight.position.z", "--json", "--to", "300 ms", "--cycles", "0.5"])
        .output()
        .expect("it runs");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    // It only falls: half a cycle from the start to there.
    let fall = 0.5 * 9.80665 * 0.3 * 0.3;
    let cycles = told[0]["cycles"].as_array().unwrap();
    assert_eq!((cycles.len(), cycles[0]["count"].as_f64()), (1, Some(0.5)));
    assert!((cycles[0]["range"].as_f64().unwrap() - fall).abs() < 0.01, "{told}");
    assert_eq!(told[0]["equivalent_range"], cycles[0]["range"]);
}

#[test]
fn bad_input_is_refused_in_words() {
    let dir = with_run();
    for (arguments, part) in [
        (&["cycles", RUN, "cable.rope.tension.ennd"][..], "no signal `cable.rope.tension.ennd` was recorded"),
        (&["cycles", RUN, "weight.position.z", "--slope", "0"], "expected a number from 1 to 50"),
        (&["cycles", RUN, "weight.position.z", "--cycles", "0"], "expected a positive number"),
        (&["cycles", "nowhere", "weight.position.z"], "nowhere"),
    ] {
        let (code, text) = run(dir.path(), arguments);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    let beyond = CAUGHT.replace("cable.rope.at.1\"", "cable.rope.at.3.tension\"");
    write(&dir.path().join("beyond.toml"), &beyond);
    let (code, text) = run(dir.path(), &["check", "beyond.toml"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("cable 'rope' is 2 m long"), "{text}");
}

/// A load of 300 kg on a wire over a sheave, hauled in until it is there.
const HOIST: &str = r#"format = 1
title = "Hoist"

[run]
duration = "9 s"
integrator.generalized_alpha = { step = "5 ms", radius = 0.7 }

[body.load]
mass = "300 kg"
inertia = [20, 20, 20]
position = [3.3, 0, 7]

[line.wire]
mass = "0.5 kg/m"
diameter = "12 mm"
axial.linear = { stiffness = "5 MN", damping = "50 kN*s" }
bend_radius = "60 cm"
breaking_load = "100 kN"

[cable.hoist]
line = "wire"
length = "14.29 m"
start = { fixed = [0, 0, 0] }
end = { body = "load", at = [3.3, 0, 7] }
along = [{ name = "top", sheave = { center = [3, 0, 10], axis = [0, 1, 0], radius = "0.3 m" } }]
payout = { speed.points = [[0, 0], [1, "-0.5 m/s"]] }
"#;

#[test]
fn a_hoist_tells_what_is_on_both_sides_of_its_sheave_and_where_it_stops() {
    let dir = folder();
    write(&dir.path().join("hoist.toml"), HOIST);
    let (code, text) = run(dir.path(), &["check", "hoist.toml"]);
    assert_eq!(code, 0, "{text}");
    // The tangent to the wheel is √(3² + 10² − 0.3²) = 10.436 m; the sag moves it by 1 mm. 3 m down on the other side.
    assert!(text.contains("hoist top 10.43") && text.contains("3.000 m"), "{text}");
    let out = dir.path().join("out");
    let (code, text) = run(dir.path(), &["run", "hoist.toml", "--out", "out"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("hauling in of cable `hoist` stopped at") && text.contains("has come to `top`"),
        "{text}"
    );
    let events = json(&out.join("events.json"));
    let stop = events["events"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|e| e["kind"] == "payout_stopped")
        .expect("it stops");
    assert_eq!((stop["why"].as_str(), stop["guide"].as_str()), (Some("guide"), Some("top")));
    let summary = json(&out.join("summary.json"));
    let curvature = &summary["cables"][0]["largest_curvature"]["value"];
    assert!((curvature.as_f64().expect("there is one") - 1.0 / 0.3).abs() < 1e-6, "{curvature}");
}

/// A rod that is pushed together during the run by far more than its Euler load, in elements too long to show how it buckles, and a soft one that is stretched by
/// more than its bending is made for: both are said at the end, once.
#[test]
fn compression_and_stretch_that_the_model_does_not_show_are_warned_of_at_the_end() {
    let dir = folder();
    let hand = "time,x,y,z\n0,0,0,0\n1,-0.03,0,0\n2,-0.03,0,0\n";
    write(&dir.path().join("hand.csv"), hand);
    let text = r#"format = 1
title = "Rods"
[run]
duration = "1.2 s"
integrator.generalized_alpha = { step = "5 ms", radius = 0.6 }
[world]
gravity = [0, 0, 0]
[body.hand]
driven.file = "hand.csv"
[line.rod]
mass = "1 kg/m"
axial.linear = { stiffness = "10 kN" }
bending = { stiffness = "1 N*m^2", damping = "0.1 N*m^2*s" }
slack = false
[cable.pushed]
line = "rod"
length = "2 m"
elements = 20
start = { fixed = [-2, 0, 0] }
end = { body = "hand", at = [0, 0, 0] }
shape.straight = true
[cable.stretched]
line = "rod"
length = "1 m"
elements = 20
start = { fixed = [1, 0, 0], clamp = [-1, 0, 0] }
end = { body = "hand", at = [0, 0, 0] }
shape.straight = true
"#;
    write(&dir.path().join("rods.toml"), text);
    let (code, text) = run(dir.path(), &["run", "rods.toml"]);
    assert_eq!(code, 0, "{text}");
    for part in ["`cable.pushed` was in compression at ", "`cable.stretched` was, at ", "stretched by 3."] {
        assert_eq!(text.matches(part).count(), 1, "'{part}' in: {text}");
    }
    assert!(!text.contains("`cable.stretched` was in compression"), "{text}");
}
