//! `fender schema`: the JSON schema of scenario files.

use crate::failure::Failure;
use std::io::Write;

/// Prints the schema.
pub fn perform() -> Result<(), Failure> {
    let schema = fender_scenario::schema_text();
    Ok(std::io::stdout().write_all(schema.as_bytes())?)
}
