//! How a command fails: a message for people and an exit code for scripts.

use fender_run::RunError;
use fender_scenario::{ErrorKind, ScenarioError};
use std::fmt;
use std::io;

/// Exit code: ran to the end, but an expectation was missed.
pub const MISSED: u8 = 1;
/// Exit code: bad input.
pub const BAD_INPUT: u8 = 2;
/// Exit code: the motion diverged, or in a sweep a run did not reach its end.
pub const DIVERGED: u8 = 3;
/// Exit code: input or output failed.
pub const IO: u8 = 4;

/// Why a command failed, with its exit code.
#[derive(Debug)]
pub struct Failure {
    /// What is told to the user; nothing if all has been said.
    pub report: Option<miette::Report>,
    /// Exit code.
    pub code: u8,
}

impl Failure {
    /// Bad input, in words.
    pub fn bad_input(message: impl fmt::Display) -> Self {
        Self { report: Some(miette::Report::msg(message.to_string())), code: BAD_INPUT }
    }

    /// Input or output failed, in words.
    pub fn io(message: impl fmt::Display) -> Self {
        Self { report: Some(miette::Report::msg(message.to_string())), code: IO }
    }

    /// A scenario that cannot be loaded: the place is underlined.
    pub fn scenario(error: ScenarioError) -> Self {
        let code = if error.kind() == ErrorKind::Unreadable { IO } else { BAD_INPUT };
        Self { report: Some(error.into()), code }
    }

    /// A run, resume, export, validation or sweep that did not end well.
    pub fn run(error: RunError) -> Self {
        if let RunError::Scenario(error) = error {
            return Self::scenario(error);
        }
        let mut report = miette::MietteDiagnostic::new(error.to_string());
        if let RunError::Interrupted { summary, .. } = &error {
            report = report.with_help(format!("continue with: fender resume {}", summary.folder));
        }
        // The codes are those of `--help`; one out of range would be a programming error that still must not read as success.
        Self { report: Some(report.into()), code: u8::try_from(error.exit_code()).unwrap_or(u8::MAX) }
    }

    /// An exit code for which all has been said already.
    pub fn silent(code: u8) -> Self {
        Self { report: None, code }
    }
}

/// Standard output that fails: a reader that has read enough (`fender list | head -1`) is no error.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::silent(0)
        } else {
            Self::io(format!("cannot write to standard output: {error}"))
        }
    }
}
