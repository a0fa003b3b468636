//! What a run needs of a scenario.

use fender_engine::{IntegratorSpec, Model};

/// A scenario, ready to run.
#[derive(Debug)]
pub struct Scenario {
    /// Short name, for folders.
    pub name: String,
    /// Title.
    pub title: String,
    /// What it shows.
    pub description: String,
    /// The model.
    pub model: Model,
    /// How to run it.
    pub run: RunSettings,
    /// What to record.
    pub records: Vec<RecordSpec>,
    /// Period of the frames [s]; `None` for none.
    pub frames: Option<f64>,
    /// What must come out.
    pub expects: Vec<Expectation>,
    /// What the author should know.
    pub warnings: Vec<String>,
    /// The scenario with every default written out.
    pub expanded: String,
    /// Files it needs, by path relative to it.
    pub assets: Vec<(String, Vec<u8>)>,
    /// Hash of it.
    pub hash: u64,
}

/// How to run a scenario.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// Duration [s].
    pub duration: f64,
    /// Integrator.
    pub integrator: IntegratorSpec,
}

/// Signals and how often.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// Patterns.
    pub signals: Vec<String>,
    /// Interval [s].
    pub every: f64,
}

pub use crate::expect::Expectation;

/// Loads a scenario file with overrides.
pub fn load(path: &std::path::Path, _set: &[(String, String)]) -> Result<Scenario, crate::error::RunError> {
    Err(crate::error::RunError::Scenario(path.display().to_string()))
}

/// The expectations of a scenario.
pub fn expectations(scenario: &Scenario) -> Vec<Expectation> {
    scenario.expects.clone()
}
