//! Every shipped scenario meets its own expectations, as a user would run it, each in a test of its own.

use crate::common::{fender, folder, run};
use std::collections::BTreeSet;

fn meets_its_expectations(name: &str) {
    let dir = folder();
    let (code, text) = run(dir.path(), &["run", name]);
    assert_eq!(code, 0, "{name}: {text}");
    assert!(text.contains("expectations met"), "{name} expects nothing: {text}");
}

/// A test per scenario. Its name has `_` where the scenario's has `-`.
macro_rules! scenarios {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                meets_its_expectations(&stringify!($name).replace('_', "-"));
            }
        )*
    };
}

scenarios! {
    andrews
    balanced_pendulum
    ball_in_cylinder
    ball_on_incline
    boom_crane
    bouncing_ball
    box_drop
    bricard
    cable_pendulum
    catenary
    crates
    cubes_on_terrain
    double_pendulum
    double_pendulum_floor
    driven_plate
    fence_push
    flyball_governor
    four_bar
    gear_mesh_contact
    hanging_chain
    marbles_on_mesh
    mock_lift
    mooring_line
    newtons_cradle
    painleve_rod
    peg_in_hole
    pendulum_impact
    pick_and_place
    pile
    rattleback
    robot_arm
    robot_probe
    sheave
    slider_crank
    spinning_top
    spring_mass
    stewart_platform
    stick_slip
    towed_cable
    twist_to_loop
    umbilical
    whip
    winch_lift
}

#[test]
fn every_scenario_that_ships_has_a_test() {
    let dir = folder();
    let output = fender(dir.path()).args(["list", "--json"]).output().expect("it runs");
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let scenarios = list["scenarios"].as_array().expect("it is a list");
    let shipped: BTreeSet<_> =
        scenarios.iter().filter_map(|s| s["name"].as_str()).map(|name| name.replace('-', "_")).collect();
    assert_eq!(shipped, NAMES.iter().map(ToString::to_string).collect());
}
