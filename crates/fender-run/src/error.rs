//! What can go wrong in a run, and the exit code each maps to.

use crate::summary::Summary;
use std::path::{Path, PathBuf};

/// Why a run, a resume, an export or a sweep did not end well. Where a run had started, everything recorded up to then is
/// in its results folder and readable, and the error carries its summary.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scenario cannot be loaded, or records or expects a signal that does not exist.
    #[error(transparent)]
    Scenario(#[from] fender_scenario::ScenarioError),
    /// No position of rest was found.
    #[error(transparent)]
    Statics(#[from] fender_engine::balance::StaticsError),
    /// The out folder is not empty.
    #[error("the folder '{}' is not empty: choose another or use --force", .0.display())]
    NotEmpty(PathBuf),
    /// Files in the out folder that Fender did not write have names that it would write.
    #[error(
        "the folder '{}' holds files that this would replace and that are not known to be Fender's: {}. Move them away or \
         choose another folder; --force replaces only what {} names.",
        dir.display(), files.join(", "), crate::manifest::MANIFEST
    )]
    InTheWay {
        /// Folder.
        dir: PathBuf,
        /// Their names.
        files: Vec<String>,
    },
    /// Another process writes into the folder.
    #[error(
        "another fender{} is writing into '{}': wait for its end or stop it, or choose another folder",
        process.as_ref().map(|id| format!(" (process {id})")).unwrap_or_default(), dir.display()
    )]
    Locked {
        /// Folder.
        dir: PathBuf,
        /// Number of the process, if it is known.
        process: Option<String>,
    },
    /// A file of the results has changed since it was written, or was cut.
    #[error("'{}' is damaged: {why}", path.display())]
    Damaged {
        /// File.
        path: PathBuf,
        /// How it shows, and what can be done.
        why: String,
    },
    /// The folder holds no run that could be continued or exported.
    #[error("'{}' holds no run: {why}", dir.display())]
    NoRun {
        /// Folder.
        dir: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The run is complete; there is nothing to continue.
    #[error("the run in '{}' is complete: there is nothing to resume", .0.display())]
    Complete(PathBuf),
    /// A checkpoint is damaged, of another version or of another scenario.
    #[error("'{}': {why}", path.display())]
    Checkpoint {
        /// File.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A frames file is damaged, of another version or something else.
    #[error("'{}': {why}", path.display())]
    Stream {
        /// File.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A sweep's axis or a validation case is not well formed.
    #[error("{0}")]
    BadInput(String),
    /// The motion diverged.
    #[error("{message}")]
    Diverged {
        /// Time [s], body and speed, in words.
        message: String,
        /// How far it came.
        summary: Box<Summary>,
    },
    /// A fit cannot begin: there is no motion at the values it starts from.
    #[error("the run fails at the start values: {0}")]
    NoStart(String),
    /// Stopped by a signal while the parts of a run were read.
    #[error("interrupted while the parts of the run were read; nothing is lost, `resume` begins again")]
    InterruptedReading(i32),
    /// A fit was stopped by a signal before anything could be kept.
    #[error("interrupted before the first run was done")]
    InterruptedFit(i32),
    /// Stopped by a signal or by the caller.
    #[error("interrupted at t = {:.6} s: `resume` continues from here", summary.time)]
    Interrupted {
        /// Signal number: 2 for Ctrl-C, 15 for a polite kill.
        signal: i32,
        /// How far it came.
        summary: Box<Summary>,
    },
    /// A file could not be read or written: full disk, no permission, no such file.
    #[error("'{}': {message}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        message: String,
        /// How far the run came, if one was under way.
        summary: Option<Box<Summary>>,
    },
}

impl RunError {
    /// Wraps what the system said about a path.
    pub fn io(path: &Path, error: impl std::fmt::Display) -> Self {
        Self::Io { path: path.to_owned(), message: error.to_string(), summary: None }
    }

    /// Exit code of the command: 2 bad input, 3 diverged, 4 input/output, 130 and 143 interrupted. (0 is fine and 1 is
    /// a missed expectation: those runs end well and give a [`Summary`].)
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Scenario(e) if e.kind() == fender_scenario::ErrorKind::Unreadable => 4,
            Self::Scenario(_)
            | Self::NotEmpty(_)
            | Self::InTheWay { .. }
            | Self::NoRun { .. }
            | Self::Complete(_)
            | Self::Checkpoint { .. }
            | Self::Stream { .. }
            | Self::BadInput(_) => 2,
            Self::Diverged { .. } | Self::Statics(_) | Self::NoStart(_) => 3,
            Self::Io { .. } | Self::Locked { .. } | Self::Damaged { .. } => 4,
            Self::Interrupted { signal, .. }
            | Self::InterruptedReading(signal)
            | Self::InterruptedFit(signal) => 128 + signal,
        }
    }

    /// Summary of the run that ended this way, if one had started.
    pub fn summary(&self) -> Option<&Summary> {
        match self {
            Self::Diverged { summary, .. } | Self::Interrupted { summary, .. } => Some(summary),
            Self::Io { summary, .. } => summary.as_deref(),
            _ => None,
        }
    }
}
