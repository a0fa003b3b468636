//! Every shipped scenario meets its own expectations, as a user would run it.

use crate::common::{fender, folder, run};

/// The one that takes seconds: it has a test of its own, so that the others run beside it.
const LARGE: &str = "pile";

fn names() -> Vec<String> {
    let dir = folder();
    let list = fender(dir.path()).args(["list", "--json"]).output().expect("it runs");
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).expect("it is JSON");
    let scenarios = list["scenarios"].as_array().expect("it is a list");
    scenarios.iter().map(|s| s["name"].as_str().expect("it has a name").to_string()).collect()
}

fn meets_its_expectations(name: &str) {
    let dir = folder();
    let (code, text) = run(dir.path(), &["run", name]);
    assert_eq!(code, 0, "{name}: {text}");
    assert!(text.contains("expectations met"), "{name} expects nothing: {text}");
}

#[test]
fn small_scenarios_meet_their_expectations() {
    let names = names();
    assert!(names.len() >= 8, "{names:?}");
    for name in names.iter().filter(|name| *name != LARGE) {
        meets_its_expectations(name);
    }
}

#[test]
fn the_pile_meets_its_expectations() {
    meets_its_expectations(LARGE);
}
