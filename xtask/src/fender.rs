//! The `fender` command, built once and then called directly.

use crate::workspace::{capture, cargo, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Path of the built command.
pub struct Fender(PathBuf);

impl Fender {
    /// Builds the command if it is not up to date.
    pub fn build() -> Result<Self, String> {
        // With the whole workspace in view, as in the tests: another selection of packages would mean other features of
        // shared dependencies, and compiling them again.
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
