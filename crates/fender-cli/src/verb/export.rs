//! `fender export`: tables of a results folder in other formats.

use crate::args::Export;
use crate::failure::Failure;
use std::io::Write;

/// Writes CSV files next to the Parquet ones.
pub fn perform(args: &Export) -> Result<(), Failure> {
    let written = fender_run::export::csv(&args.dir).map_err(Failure::run)?;
    for path in written {
        writeln!(std::io::stdout(), "wrote {}", path.display())?;
    }
    Ok(())
}
