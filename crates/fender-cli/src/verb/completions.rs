//! `fender completions`: the completion script of a shell.

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

/// Prints the script.
pub fn perform(args: &Completions) -> Result<(), Failure> {
    // Made in memory first: the generator panics when its writer fails, as a closed pipe does.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fender", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
