//! The `fender` command.
//!
//! `args.rs` says what can be typed; each verb has a file in `verb/`. Exit codes are in `failure.rs` and in `--help`.

/// A line on standard error. A reader that has read enough (`2>&1 | head -1`) is no reason to fail.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}
pub(crate) use tell;

mod args;
mod browser;
mod catalog;
mod failure;
mod folder;
mod load;
mod over;
mod progress;
mod signals;
mod table;
mod threads;
mod verb;

use clap::Parser;
use std::process::ExitCode;

/// Columns of messages: paths and numbers should not be torn apart.
const WIDTH: usize = 110;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    // Only fails if a handler is set already, and this is the first thing that happens.
    let _ = miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().width(WIDTH).build())));
    match verb::perform(cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(report) = failure.report {
                tell!("{report:?}");
            }
            ExitCode::from(failure.code)
        }
    }
}
