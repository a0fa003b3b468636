//! Each crate may use only those before it, and only two of them name the geometry libraries, so that a change in those
//! libraries stays in two places.

use serde_json::Value;
use std::process::Command;

/// The crates, from the ground up.
const ORDER: [&str; 8] = [
    "fender-math",
    "fender-contact",
    "fender-geom",
    "fender-engine",
    "fender-marine",
    "fender-scenario",
    "fender-run",
    "fender-cli",
];

/// Libraries that only one crate may name.
const OWNERS: [(&str, &str); 2] = [("glamx", "fender-math"), ("parry3d-f64", "fender-geom")];

/// Packages of the workspace with the names of what they depend on, for building and for tests.
fn packages() -> Vec<(String, Vec<String>)> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let name = |value: &Value| value["name"].as_str().expect("it has a name").to_string();
    let list = |value: &Value| value.as_array().expect("it is a list").clone();
    let packages = list(&metadata["packages"]);
    packages.iter().map(|p| (name(p), list(&p["dependencies"]).iter().map(name).collect())).collect()
}

#[test]
fn crates_use_only_those_before_them() {
    for (package, dependencies) in packages() {
        let Some(place) = ORDER.iter().position(|name| *name == package) else { continue };
        for dependency in dependencies.iter().filter(|d| d.starts_with("fender-")) {
            assert!(
                ORDER[..place].contains(&dependency.as_str()),
                "{package} may use {:?}, not {dependency}",
                &ORDER[..place]
            );
        }
    }
}

#[test]
fn every_crate_has_a_place_in_the_order() {
    let packages = packages();
    for (package, _) in packages.iter().filter(|(name, _)| name.starts_with("fender-")) {
        assert!(
            ORDER.contains(&package.as_str()) || package == "fender-bench",
            "{package} has no place in the order"
        );
    }
    for name in ORDER {
        assert!(packages.iter().any(|(package, _)| package == name), "{name} does not exist");
    }
}

#[test]
fn geometry_libraries_have_one_owner_each() {
    for (package, dependencies) in packages() {
        for (library, owner) in OWNERS {
            let named = dependencies.iter().any(|d| d == library);
            assert!(!named || package == owner, "{package} names {library}, which only {owner} may");
        }
    }
}
