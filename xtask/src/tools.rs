//! Programs beyond Rust that the viewer's checks need. What is missing is installed by package name, where that is possible.

use crate::workspace::{capture, read, root, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `npm` in a folder, run by the Node version that the viewer is pinned to.
pub fn npm(folder: &Path) -> Result<Command, String> {
    if !answers("npm") {
        install(&["nodejs", "npm"])?;
    }
    let mut command = Command::new("npm");
    command.current_dir(folder).stdin(Stdio::null());
    // Plain text: it is read by people in logs, and counted here.
    command.env("NO_COLOR", "1").env("FORCE_COLOR", "0").env("CI", "true");
    if let Some(bin) = pinned_node()? {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(paths).map_err(|e| e.to_string())?);
    }
    Ok(command)
}

/// Folder of the pinned Node, from its npm package, if the machine's own is of another major version.
fn pinned_node() -> Result<Option<PathBuf>, String> {
    let pinned = read(&root().join("viewer/.node-version"))?;
    let pinned = pinned.trim();
    let major = |version: &str| version.trim_start_matches('v').split('.').next().map(str::to_owned);
    let own = capture(Command::new("node").arg("--version")).unwrap_or_default();
    if major(own.trim()) == major(pinned) {
        return Ok(None);
    }
    let place = target().join("node");
    let bin = place.join("node_modules/node/bin");
    if capture(Command::new(bin.join("node")).arg("--version"))
        .is_ok_and(|v| v.trim() == format!("v{pinned}"))
    {
        return Ok(Some(bin));
    }
    std::fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    let mut fetch = Command::new("npm");
    fetch.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(&place);
    capture(fetch.arg(format!("node@{pinned}")).stdin(Stdio::null()))?;
    Ok(Some(bin))
}

/// Path of Chromium: `CHROMIUM`, or where Debian and others put it.
pub fn chromium() -> Result<PathBuf, String> {
    let find = || {
        let given = std::env::var_os("CHROMIUM").map(PathBuf::from);
        let known =
            ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
        given.into_iter().chain(known).find(|path| path.exists())
    };
    if let Some(path) = find() {
        return Ok(path);
    }
    install(&["chromium"])?;
    find().ok_or_else(|| "no Chromium: install it, or set CHROMIUM to its path".into())
}

fn answers(program: &str) -> bool {
    capture(Command::new(program).arg("--version").stdin(Stdio::null())).is_ok()
}

/// Installs Debian packages; elsewhere says what is missing.
fn install(packages: &[&str]) -> Result<(), String> {
    let list = packages.join(" and ");
    if !answers("apt-get") {
        return Err(format!("{list} must be installed: this machine has no apt-get to do it with"));
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        capture(&mut command)
    };
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&["update"])
        .and_then(|_| apt(&arguments))
        .map(|_| ())
        .map_err(|e| format!("{list} cannot be installed (does that need root?): {e}"))
}
