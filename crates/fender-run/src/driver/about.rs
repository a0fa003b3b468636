//! What a run remembers of its scenario.

use crate::error::RunError;
use crate::manifest::{Manifest, RUN_FILES};
use crate::opening;
use crate::parquet_file::Metadata;
use crate::results::{Folder, RESULTS_FORMAT, write_scenario};
use crate::scenario::{Expect, RunSettings, Scenario, When};
use crate::simulation::Recording;
use fender_engine::Model;

/// What a run remembers of its scenario once the model is in the world.
pub(super) struct About {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) expanded: String,
    pub(super) assets: Vec<(String, Vec<u8>)>,
    pub(super) hash: u64,
    pub(super) warnings: Vec<String>,
    pub(super) deep_starts: Vec<[String; 2]>,
    pub(super) cables_pass: bool,
    pub(super) expects: Vec<Expect>,
}

impl About {
    pub(super) fn take(mut scenario: Scenario) -> (Self, Model, RunSettings, Recording) {
        for expect in &mut scenario.expects {
            // A span up to the end of the run is better without an end: the last step may lie just behind it.
            if let When::Over { until, .. } = &mut expect.when
                && *until >= scenario.run.duration
            {
                *until = f64::INFINITY;
            }
        }
        let records = opening::records(&scenario);
        let recording = Recording {
            expects: scenario.expects.clone(),
            contacts: true,
            frames: scenario.frames,
            gaps: scenario.gaps,
            records,
        };
        let about = Self {
            name: scenario.name,
            title: scenario.title,
            expanded: scenario.expanded,
            assets: scenario.assets,
            hash: scenario.hash,
            warnings: scenario.warnings,
            deep_starts: scenario.deep_starts,
            cables_pass: scenario.cables_pass,
            expects: scenario.expects,
        };
        (about, scenario.model, scenario.run, recording)
    }

    pub(super) fn metadata(&self) -> Metadata {
        vec![
            ("fender.version".into(), env!("CARGO_PKG_VERSION").into()),
            ("fender.results_format".into(), RESULTS_FORMAT.to_string()),
            ("fender.scenario".into(), self.name.clone()),
            ("fender.hash".into(), format!("{:016x}", self.hash)),
        ]
    }

    /// Writes the manifest and the scenario with its assets.
    pub(super) fn write_scenario(&self, folder: &Folder) -> Result<(), RunError> {
        Manifest::new(&RUN_FILES, &self.assets).write(folder)?;
        write_scenario(folder, &self.name, &self.expanded, &self.assets, self.hash)
    }
}
