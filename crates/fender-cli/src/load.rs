//! From a name or a file to a scenario.

use crate::catalog::Source;
use crate::failure::Failure;
use fender_scenario::{Assets, Override, Scenario, ScenarioError};

/// Reads `--set` arguments.
pub fn overrides(sets: &[String]) -> Result<Vec<Override>, Failure> {
    sets.iter().map(|text| Override::parse(text).map_err(Failure::scenario)).collect()
}

/// Loads a scenario with `--set` arguments.
pub fn scenario(source: &Source, sets: &[String]) -> Result<Scenario, Failure> {
    with_overrides(source, &overrides(sets)?).map_err(Failure::scenario)
}

/// Tells what may not be meant.
pub fn tell_notes(scenario: &Scenario) {
    for note in &scenario.notes {
        crate::tell!("note: {note}");
    }
}

/// Loads a scenario with overrides.
pub fn with_overrides(source: &Source, overrides: &[Override]) -> Result<Scenario, ScenarioError> {
    match source {
        Source::File(path) => fender_scenario::load(path, overrides),
        Source::Shipped(shipped) => {
            let assets = Assets::Embedded(shipped.files());
            fender_scenario::load_str(shipped.name, shipped.text(), &assets, overrides)
        }
    }
}
