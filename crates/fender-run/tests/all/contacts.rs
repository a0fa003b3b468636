//! What a run records of contacts: signals, the long table, events, frames, warnings.

use fender_run::results::Folder;
use fender_run::{Flow, Out, Progress, RunError, RunOptions, Summary};
use fender_scenario::{Assets, Override, load_str};
use std::path::Path;
use std::time::Duration;

const DROP: &str = r#"
format = 1
title = "A ball that comes to rest"

[run]
duration = 2
integrator.semi_implicit_euler = { step = "0.1 ms" }

[world]
gravity = [0, 0, -10]

[material.rubber]

[body.floor]
fixed = true
shape.half_space = { normal = [0, 0, 1] }
material = "rubber"

[body.ball]
shape.sphere = { radius = 0.1 }
mass = 1
material = "rubber"
position = [0, 0, 0.2]

[[contact]]
between = ["rubber", "rubber"]
normal.linear = { stiffness = 1e5, restitution = 0.3 }
friction.coulomb = { coefficient = 0.5 }

[[record]]
signals = ["ball.position.z", "*.contact.*", "contact.floor-ball.*", "contact.ball-floor.force"]
every = "1 ms"
"#;

fn go(dir: &Path, set: &[Override]) -> (Summary, Vec<String>) {
    go_with(DROP, dir, set)
}

fn go_with(text: &str, dir: &Path, set: &[Override]) -> (Summary, Vec<String>) {
    let scenario = load_str("drop", text, &Assets::none(), set).unwrap_or_else(|e| panic!("{e}"));
    let options = RunOptions::new(Out::Folder { path: dir.to_owned(), force: true });
    let mut warnings = Vec::new();
    let mut progress = |p: Progress| {
        warnings.extend(p.warnings);
        Flow::Continue
    };
    let summary = fender_run::run(scenario, &options, &mut progress).unwrap_or_else(|e| panic!("{e}"));
    (summary, warnings)
}

#[test]
fn a_resting_ball_weighs_what_it_weighs_in_every_record() {
    let dir = tempfile::tempdir().unwrap();
    let (summary, _) = go(dir.path(), &[]);
    let folder = Folder { path: dir.path().to_owned() };
    let table = folder.table("signals").unwrap();
    let last = |name: &str| {
        let series = table.series(name).unwrap_or_else(|| panic!("no {name}"));
        series.last().unwrap().1
    };
    let near = |name: &str, value: f64| assert!((last(name) - value).abs() < 1e-3, "{name} = {}", last(name));
    near("ball.contact.force.z", 10.0);
    near("floor.contact.force.z", -10.0);
    near("contact.floor-ball.force.z", -10.0);
    // Named the other way round it is the force on the other body.
    near("contact.ball-floor.force.z", 10.0);
    near("contact.floor-ball.normal_force", 10.0);
    near("contact.floor-ball.friction_force", 0.0);
    near("contact.floor-ball.count", 1.0);
    assert!((last("contact.floor-ball.depth") - 1e-4).abs() < 1e-6);
    // In the air nothing touches.
    assert_eq!(table.series("ball.contact.count").unwrap()[0].1, 0.0);
    assert_eq!(table.series("ball.contact.force.z").unwrap()[0].1, 0.0);
    assert!(summary.deepest_penetration.unwrap() > 1e-4);

    let contacts = folder.table("contacts").unwrap();
    let row = contacts.rows() - 1;
    let text = |name: &str| contacts.texts[contacts.column(name).unwrap().values[row] as usize].as_str();
    assert_eq!((text("body_a"), text("body_b")), ("floor", "ball"));
    assert!((contacts.column("normal_force").unwrap().values[row] - 10.0).abs() < 1e-3);
    assert_eq!(contacts.column("normal.z").unwrap().values[row].abs(), 1.0);
    assert_eq!(contacts.column("slot").unwrap().value(row), Some(0.0));
    assert_eq!((text("part_a"), text("part_b")), ("face", "round"));
    let number = |name: &str| contacts.column(name).unwrap().value(row);
    assert_eq!((number("part_a.number"), number("part_b.number")), (Some(0.0), None));
    // One row per recorded instant in contact.
    let touching = table.series("ball.contact.count").unwrap().iter().filter(|(_, n)| *n > 0.0).count();
    assert_eq!(contacts.rows(), touching);

    let events: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("events.json")).unwrap()).unwrap();
    let first = &events["events"][0];
    assert_eq!((first["kind"].as_str(), first["b"].as_str()), (Some("touch"), Some("ball")));
    // Free fall through 0.1 m.
    assert!((first["time"].as_f64().unwrap() - 0.02_f64.sqrt()).abs() < 2e-4);
    assert!((first["speed"].as_f64().unwrap() - 2.0_f64.sqrt()).abs() < 5e-3);

    let html = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    let shown = fender_run::stream::read(&fender_run::report::streams_in(&html)[0].1).unwrap();
    assert_eq!(shown.events[0]["label"], "ball touches floor");
    let contact = &shown.frames.last().unwrap().contacts[0];
    assert_eq!((contact.bodies, contact.sliding), ([0, 1], false));
    assert!((contact.normal[2] + 10.0).abs() < 1e-2 && contact.friction == [0.0; 3]);
    // A sphere on a plane: a² = depth·radius.
    assert!(contact.depth > 0.0 && (contact.patch.powi(2) - contact.depth * 0.1).abs() < 1e-6, "{contact:?}");
}

#[test]
fn a_step_that_is_too_large_is_told_once_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let set = [Override::new("run.integrator.semi_implicit_euler.step", "20 ms")];
    let (summary, all) = go(dir.path(), &set);
    // Such a step does not keep the energy either; that is another warning.
    let warnings: Vec<_> = all.iter().filter(|w| w.contains("too large")).collect();
    assert_eq!(warnings.len(), 1, "{all:?}");
    assert!(warnings[0].contains("'floor'") && warnings[0].contains("'ball'"), "{}", warnings[0]);
    assert!(warnings[0].contains("would do"), "{}", warnings[0]);
    assert_eq!(summary.warnings, all);
}

#[test]
fn a_patch_deeper_than_it_is_valid_for_is_told_once_with_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let block = DROP
        .replace("shape.sphere = { radius = 0.1 }", "shape.box = { size = [0.2, 0.2, 0.2] }")
        .replace("normal.linear = { stiffness = 1e5,", "normal.foundation = { stiffness = \"8 kN/m^3\",");
    // 10 N on 0.04 m² of 8 kN/m³ is 31 mm at rest, and 0.3 of half an edge is 30 mm.
    let (summary, all) = go_with(&block, dir.path(), &[]);
    let warnings: Vec<_> = all.iter().filter(|w| w.contains("up to which their contact is valid")).collect();
    assert_eq!(warnings.len(), 1, "{all:?}");
    for part in ["`floor` and `ball`", "0.03 m", "stiffer"] {
        assert!(warnings[0].contains(part), "no {part}: {}", warnings[0]);
    }
    assert_eq!(summary.warnings, all);
    let (_, all) = go_with(&block.replace("8 kN/m^3", "80 kN/m^3"), dir.path(), &[]);
    assert!(!all.iter().any(|w| w.contains("valid")), "{all:?}");
}

/// Contacts carry memory: a stop in the middle of a pile must not change a bit of what follows.
#[test]
fn a_pile_that_is_stopped_resumes_bit_by_bit() {
    let pile = DROP
        .replace(
            "position = [0, 0, 0.2]",
            "position = [0, 0, 0.2]\narray.grid = { count = [2, 2, 5], spacing = [0.19, 0.21, 0.21] }",
        )
        .replace("[[record]]", "[[record]]\nevery = \"5 ms\"\nsignals = [\"energy.*\"]\n\n[[record]]")
        .replace(", \"contact.floor-ball.*\", \"contact.ball-floor.force\"", "")
        .replace("ball.position.z", "ball-*.position");
    let scenario = || load_str("pile", &pile, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"));
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    let options = |path: &Path| {
        let mut options = RunOptions::new(Out::Folder { path: path.to_owned(), force: false });
        options.progress_every = Duration::ZERO;
        options.checkpoint_every = Duration::from_millis(20);
        options
    };
    let reference = fender_run::run(scenario(), &options(&whole), &mut |_| Flow::Continue).unwrap();
    let mut stop = |p: Progress| if p.time < 0.5 { Flow::Continue } else { Flow::Stop };
    let stopped = fender_run::run(scenario(), &options(&cut), &mut stop).unwrap_err();
    assert!(matches!(stopped, RunError::Interrupted { signal: 2, .. }), "{stopped}");
    let summary = fender_run::resume(&cut, &options(&cut), &mut |_| Flow::Continue).unwrap();
    assert_eq!(summary.state_hash, reference.state_hash);
    for file in ["signals.parquet", "contacts.parquet", "frames.bin", "events.json"] {
        assert!(
            std::fs::read(whole.join(file)).unwrap() == std::fs::read(cut.join(file)).unwrap(),
            "{file} differs"
        );
    }
    assert!(Folder { path: whole }.table("contacts").unwrap().rows() > 1000);
}
