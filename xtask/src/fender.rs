//! The `fender` command, built once and then called directly.

use crate::workspace::{capture, cargo, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Path of the built command.
pub struct Fender(PathBuf);

/// Where the tests step has left the command, once it has.
static TESTED: OnceLock<PathBuf> = OnceLock::new();

impl Fender {
    /// Notes that the tests have just built the command and run it.
    pub fn is_tested(path: PathBuf) {
        // Noted twice, it would be the same path.
        let _ = TESTED.set(path);
    }

    /// The command that the tests have run; else builds it if it is not up to date.
    pub fn build() -> Result<Self, String> {
        // Building it apart from the tests selects other features of shared dependencies: most crates would be
        // compiled again, and what is checked would not be what was tested.
        if let Some(path) = TESTED.get() {
            return Ok(Self(path.clone()));
        }
        capture(&mut cargo(&["build", "--release", "--quiet", "--workspace", "--bin", "fender"]))?;
        let name = format!("fender{}", std::env::consts::EXE_SUFFIX);
        Ok(Self(target().join("release").join(name)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The command in a folder, with arguments to be added.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.0);
        command.current_dir(folder).stdin(Stdio::null());
        command
    }

    /// What the command prints.
    pub fn output(&self, arguments: &[&str]) -> Result<String, String> {
        capture(self.command(&crate::workspace::root()).args(arguments))
    }
}
