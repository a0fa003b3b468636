//! Sweeps: all variants, one table, and going on after a stop.

use fender_run::sweep::{Axis, SweepResult, Variants, sweep};
use fender_run::{RunError, parquet_file};
use fender_scenario::{Assets, Override, Scenario, load_str};
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::SystemTime;

const THROW: &str = r#"
format = 1
title = "A throw"

[parameter]
speed = 10
gravity = -10

[run]
duration = 1
integrator.rk4 = { step = "1 ms" }

[world]
gravity = [0, 0, "$gravity"]

[body.ball]
mass = 1
inertia = [0.01, 0.01, 0.01]
velocity = [0, 0, "$speed"]

[[expect]]
signal = "ball.position.z"
at = 1
value = 5
tolerance = 1e-6
why = "v t + g t²/2 for the default values"
"#;

fn load(set: &[Override]) -> Result<Scenario, RunError> {
    Ok(load_str("throw", THROW, &Assets::none(), set)?)
}

fn go(dir: &Path, over: &[&str]) -> Result<SweepResult, RunError> {
    go_with(dir, over, &[])
}

fn go_with(dir: &Path, over: &[&str], signals: &[String]) -> Result<SweepResult, RunError> {
    let axes: Vec<Axis> = over.iter().map(|o| Axis::parse(o).unwrap()).collect();
    sweep(&Variants::check(axes, signals, &load)?, dir, &load, &Arc::default(), &|_| {})
}

#[test]
fn every_combination_is_run_and_tabulated() {
    let dir = tempfile::tempdir().unwrap();
    let result = go(dir.path(), &["speed=10..20:3", "gravity=-10,-20"]).unwrap();
    assert_eq!((result.complete, result.missed, result.failed), (6, 4, 0));
    let table = parquet_file::read(&dir.path().join("sweep.parquet")).unwrap();
    assert_eq!(table.rows(), 6);
    let (speed, gravity) = (table.column("speed").unwrap(), table.column("gravity").unwrap());
    let height = table.column("ball.position.z at 1 s").unwrap();
    for row in 0..6 {
        let exact = speed.values[row] + 0.5 * gravity.values[row];
        assert!((height.values[row] - exact).abs() < 1e-9);
    }
    let csv = std::fs::read_to_string(dir.path().join("sweep.csv")).unwrap();
    assert!(csv.starts_with("run,speed,gravity,ended,"), "{csv}");
    assert!(dir.path().join("runs/0006/report.html").exists());
}

#[test]
fn signals_that_are_asked_for_are_in_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let signals = ["ball.velocity.z".to_owned()];
    let result = go_with(dir.path(), &["speed=10,20"], &signals).unwrap();
    // From v to v − 10 m/s in 1 s.
    for (row, speed) in [10.0, 20.0].into_iter().enumerate() {
        for (word, exact) in [("max", speed), ("min", speed - 10.0), ("mean", speed - 5.0)] {
            let column = result.table.column(&format!("ball.velocity.z:{word}")).unwrap();
            assert_eq!(column.unit, "m/s");
            assert!((column.values[row] - exact).abs() < 1e-9, "{word}: {:?}", column.values);
        }
    }
    let other = tempfile::tempdir().unwrap();
    let error = go_with(other.path(), &["speed=10,20"], &["ball.velocty.z".to_owned()]).unwrap_err();
    assert!(
        error.exit_code() == 2 && error.to_string().contains("did you mean `ball.velocity.z`?"),
        "{error}"
    );
    assert!(!other.path().join("runs").exists());
}

/// A ball that rests on a floor presses on it with its weight.
const REST: &str = r#"
format = 1
title = "Rest"
run = { duration = 1, integrator.rk4 = { step = "1 ms" } }
world.gravity = [0, 0, -10]

[material.steel]

[[contact]]
between = ["steel", "steel"]
normal.linear = { stiffness = "10 kN/m", restitution = 0.5 }

[body.floor]
shape.half_space = { normal = [0, 0, 1] }
material = "steel"
fixed = true

[body.ball]
shape.sphere = { radius = 0.1 }
material = "steel"
mass = 1
position = [0, 0, 0.099]

[sensor.gap]
measure.clearance = { between = ["ball", "floor"] }
"#;

#[test]
fn headline_figures_of_the_runs_are_in_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let load = |set: &[Override]| Ok(load_str("rest", REST, &Assets::none(), set)?);
    let axes = vec![Axis::parse("body.ball.mass=1,1.0001").unwrap()];
    let variants = Variants::check(axes, &[], &load).unwrap();
    let result = sweep(&variants, dir.path(), &load, &Arc::default(), &|_| {}).unwrap();
    let value = |name: &str| result.table.column(name).unwrap().value(0);
    assert!(
        (value("largest_contact_force").unwrap() - 10.0).abs() < 1e-9,
        "{:?}",
        value("largest_contact_force")
    );
    assert!(value("smallest_clearance").unwrap() <= 0.0, "{:?}", value("smallest_clearance"));
    assert_eq!((value("largest_tension"), value("utilisation")), (None, None));
}

#[test]
fn values_with_units_are_numbers_in_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let result = go(dir.path(), &["body.ball.mass=500 g,2 kg"]).unwrap();
    let mass = result.table.column("body.ball.mass").unwrap();
    assert_eq!((mass.unit.as_str(), mass.values.as_slice()), ("kg", [0.5, 2.0].as_slice()));
    let csv = std::fs::read_to_string(dir.path().join("sweep.csv")).unwrap();
    assert!(csv.starts_with("run,body.ball.mass [kg],ended,") && csv.contains("\n0001,0.5,"), "{csv}");
}

fn written(path: &Path) -> SystemTime {
    std::fs::metadata(path.join("summary.json")).unwrap().modified().unwrap()
}

#[test]
fn a_sweep_goes_on_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    go(dir.path(), &["speed=1,2"]).unwrap();
    let first = dir.path().join("runs/0001");
    let second = dir.path().join("runs/0002");
    let before = (written(&first), written(&second));
    std::fs::remove_file(second.join("summary.json")).unwrap();
    // The third value is new; the first is complete; the second has to be run again.
    let result = go(dir.path(), &["speed=1,2,3"]).unwrap();
    assert_eq!(result.complete, 3);
    assert_eq!(written(&first), before.0);
    assert_ne!(written(&second), before.1);
    // Other settings in the same place: run again.
    go(dir.path(), &["speed=7,2,3"]).unwrap();
    assert_ne!(written(&first), before.0);
}

#[test]
fn a_value_that_cannot_be_is_told_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let error = go(dir.path(), &["body.ball.mass=1,-1,2"]).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("must be positive"), "{error}");
    assert!(!dir.path().join("runs").exists());
}

#[test]
fn warnings_of_the_runs_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    // Explicit Euler with a coarse step makes energy; the fourth-order method does not.
    let euler = "run.integrator={explicit_euler={step=0.05}},{rk4={step=0.05}}";
    let result = go(dir.path(), &["speed=0,1", euler]).unwrap();
    let [warning] = result.warnings.as_slice() else { panic!("{:?}", result.warnings) };
    assert_eq!((warning.runs, warning.first.as_str()), (2, "0001"));
    assert!(warning.text.contains("energy account"), "{}", warning.text);
    assert_eq!(result.table.column("warnings").unwrap().values, [1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_key_that_does_not_exist_is_told_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let error = go(dir.path(), &["sped=1,2"]).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(!dir.path().join("runs").exists());
}

#[test]
fn progress_counts_to_the_end_and_a_signal_stops_all() {
    let dir = tempfile::tempdir().unwrap();
    let seen = Mutex::new(Vec::new());
    let variants = Variants::check(vec![Axis::parse("speed=1..9:9").unwrap()], &[], &load).unwrap();
    sweep(&variants, dir.path(), &load, &Arc::default(), &|p| seen.lock().unwrap().push(p.done)).unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert_eq!(seen, (1..=9).collect::<Vec<_>>());

    let other = tempfile::tempdir().unwrap();
    let interrupt = Arc::new(AtomicI32::new(0));
    let error =
        sweep(&variants, other.path(), &load, &interrupt, &|_| interrupt.store(15, Ordering::Relaxed))
            .unwrap_err();
    assert_eq!(error.exit_code(), 143);
    // What was done stays done.
    assert_eq!(go(other.path(), &["speed=1..9:9"]).unwrap().complete, 9);
}
