//! The `fender` command.
//!
//! `args.rs` says what can be typed; each verb has a file in `verb/`. Exit codes are in `failure.rs` and in `--help`.

mod args;
mod catalog;
mod failure;
mod load;
mod progress;
mod signals;
mod table;
mod threads;
mod verb;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match verb::perform(cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(report) = failure.report {
                eprintln!("{report:?}");
            }
            ExitCode::from(failure.code)
        }
    }
}
