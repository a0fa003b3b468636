//! The viewer: is its built page up to date, and does it work in a real browser?
//!
//! The page is committed in built form, so that users need nothing but cargo. It carries a hash of what it was built from.
//! What the checks need beyond Rust (Node, the viewer's packages, a browser) is installed here.

use crate::fender::Fender;
use crate::tools;
use crate::workspace::{capture, read, root};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders the built page depends on, inside `viewer/`.
const SOURCES: [&str; 6] =
    ["index.html", "package-lock.json", "package.json", "src", "tsconfig.json", "vite.config.ts"];
const MARK: &str = "<meta name=\"fender-bundle\" content=\"";

fn folder() -> PathBuf {
    root().join("viewer")
}

/// Builds the page.
pub fn build() -> Result<String, String> {
    packages()?;
    capture(tools::npm(&folder())?.args(["run", "build"]))?;
    match (carried()?, hash()?) {
        (carried, hash) if carried == hash => Ok(format!("viewer/dist/index.html, {hash}")),
        (carried, hash) => Err(format!("the built page carries the hash {carried}, its sources have {hash}")),
    }
}

/// Whether the committed page was built from the committed sources; if not it is built anew, and that is an error.
pub fn is_fresh() -> Result<String, String> {
    let (carried, hash) = (carried().unwrap_or_default(), hash()?);
    if carried == hash {
        return Ok(format!("viewer/dist/index.html is built from {hash}"));
    }
    build()?;
    Err("viewer/dist/index.html was older than its sources. It has been built anew: look at it and commit it"
        .into())
}

/// The viewer's own tests, without a browser.
pub fn unit_tests() -> Result<String, String> {
    packages()?;
    capture(tools::npm(&folder())?.args(["test"]))
}

/// The page in a real browser, with reports and a live server of the command just built. Makes the book's pictures.
pub fn browser_tests() -> Result<String, String> {
    packages()?;
    let chromium = tools::chromium()?;
    let fender = Fender::build()?;
    let mut e2e = tools::npm(&folder())?;
    e2e.args(["run", "e2e"]).env("FENDER_BIN", fender.path()).env("CHROMIUM", chromium);
    capture(&mut e2e)
}

/// Installs the viewer's packages if they are not those of the lock file.
fn packages() -> Result<(), String> {
    let lock = read(&folder().join("package-lock.json"))?;
    // npm changes its own copy of the lock file, so what was installed is noted beside it.
    let note = folder().join("node_modules/.fender-lock");
    if fs::read_to_string(&note).is_ok_and(|noted| noted == lock) {
        return Ok(());
    }
    let mut install = tools::npm(&folder())?;
    // The browser is Debian's; a test tool's own would be downloaded from elsewhere.
    install.args(["ci", "--no-audit", "--no-fund"]).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    capture(&mut install)?;
    crate::workspace::write(&note, &lock)
}

/// The hash that the built page carries.
fn carried() -> Result<String, String> {
    let page = read(&folder().join("dist/index.html"))?;
    let after = page.split_once(MARK).ok_or("viewer/dist/index.html carries no hash")?.1;
    Ok(after.split('"').next().unwrap_or_default().to_owned())
}

/// Hash of the sources: for each file in the order of its path, the path, a zero, its bytes, a zero.
fn hash() -> Result<String, String> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(&folder().join(source), &mut files)?;
    }
    let mut named = Vec::new();
    for file in files {
        let inside = file.strip_prefix(folder()).map_err(|e| e.to_string())?;
        let parts: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        named.push((parts.join("/"), file));
    }
    named.sort();
    let mut hasher = Sha256::new();
    for (name, file) in named {
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        hasher.update(name.as_bytes());
        hasher.update([0]);
        hasher.update(&bytes);
        hasher.update([0]);
    }
    Ok(hasher.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let error = |e: std::io::Error| format!("{}: {e}", path.display());
    for entry in fs::read_dir(path).map_err(error)? {
        collect(&entry.map_err(error)?.path(), files)?;
    }
    Ok(())
}
