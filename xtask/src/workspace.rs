//! Where things are, and how other programs are called.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where generated things go: the folder cargo builds into.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// `cargo` with arguments, from the root.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command and gives what it wrote (both streams); an error if it fails.
pub fn capture(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?} cannot be started: {e}"))?;
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{command:?}: {}\n{text}", output.status)) }
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a text file and the folders above it; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let done =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    done.map_err(|e| format!("{}: {e}", path.display()))
}
