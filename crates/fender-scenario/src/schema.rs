//! The JSON schema of scenario files, for editors and for the reference pages.

use crate::spec::ScenarioSpec;
use schemars::generate::SchemaSettings;

/// The JSON schema (draft 2020-12) of scenario files.
pub fn schema() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<ScenarioSpec>().into()
}

/// The schema as the text of the committed file `schema/scenario.schema.json`.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
