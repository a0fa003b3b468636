//! `fender list`: what ships with the program.

use crate::args::List;
use crate::catalog::{self, Shipped};
use crate::failure::Failure;
use crate::table::columns;
use std::io::Write;

/// Prints names and titles.
pub fn perform(args: &List) -> Result<(), Failure> {
    let (scenarios, cases) = (catalog::scenarios(), catalog::cases());
    let text = if args.json {
        let list = |all: &[Shipped]| -> serde_json::Value {
            all.iter().map(|s| serde_json::json!({ "name": s.name, "title": s.title() })).collect()
        };
        format!("{:#}\n", serde_json::json!({ "scenarios": list(&scenarios), "validation": list(&cases) }))
    } else {
        let rows = |all: &[Shipped]| {
            all.iter().map(|s| vec![format!("  {}", s.name), s.title().into()]).collect::<Vec<_>>()
        };
        format!(
            "Scenarios (fender run NAME):\n{}\nValidation cases (fender validate NAME):\n{}",
            columns(&rows(&scenarios), &[]),
            columns(&rows(&cases), &[])
        )
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
