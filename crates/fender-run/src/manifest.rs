//! What Fender wrote into a folder: `manifest.json`. By it `--force` knows what it may remove.
//!
//! A folder of a version without manifests is known by its files: a `scenario.toml` that begins with the line that
//! [`write_scenario`](crate::results::write_scenario) writes makes the usual files of a run or a fit Fender's, a `sweep.json`
//! those of a sweep. The assets in it are not removed, because nothing says whose they are.

use crate::atomic;
use crate::error::RunError;
use crate::lock::LOCK;
use crate::parts;
use crate::results::{Folder, write_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

/// Name of the file.
pub const MANIFEST: &str = "manifest.json";
/// How the first line of an expanded `scenario.toml` goes on after the scenario's name.
pub const EXPANDED_BY: &str = " — expanded by fender ";

/// Files of a run.
pub const RUN_FILES: [&str; 10] = [
    "scenario.toml",
    "signals/part-*.parquet",
    "signals.parquet",
    "contacts/part-*.parquet",
    "contacts.parquet",
    "frames.bin",
    "events.json",
    "summary.json",
    "checkpoint",
    "report.html",
];
/// Files of a fit.
pub const FIT_FILES: [&str; 3] = ["scenario.toml", "fit.svg", "fit.json"];
/// Files of a sweep; each of its runs has a folder with a manifest of its own.
pub const SWEEP_FILES: [&str; 4] = ["sweep.json", "sweep.parquet", "sweep.csv", "runs/*"];

/// Names of the files that Fender wrote, or will write, into a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of Fender.
    pub version: String,
    /// Paths relative to the folder. `part-*.parquet` stands for all parts of a table, `runs/*` for the runs of a sweep.
    pub files: Vec<String>,
}

impl Manifest {
    /// A manifest of these files, the assets and itself.
    pub fn new(files: &[&str], assets: &[(String, Vec<u8>)]) -> Self {
        let own = [MANIFEST].iter().chain(files).map(|name| (*name).to_owned());
        let files = own.chain(assets.iter().map(|(name, _)| name.clone())).collect();
        Self { version: env!("CARGO_PKG_VERSION").into(), files }
    }

    /// Writes it.
    pub fn write(&self, folder: &Folder) -> Result<(), RunError> {
        write_json(&folder.file(MANIFEST), self)
    }

    /// The manifest of a folder, or what it would be for a folder of an earlier version.
    pub fn of(folder: &Path) -> Self {
        let json = |name: &str| fs::read(folder.join(name)).ok();
        if let Some(manifest) = json(MANIFEST).and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return manifest;
        }
        let mut names: Vec<&str> = Vec::new();
        if is_expanded(&folder.join("scenario.toml")) {
            names.extend(RUN_FILES.iter().chain(&FIT_FILES));
        }
        let sweep: Option<Value> = json("sweep.json").and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if sweep.is_some_and(|s| ["scenario", "over", "set"].iter().all(|key| s.get(key).is_some())) {
            names.extend(SWEEP_FILES);
        }
        Self { version: String::new(), files: names.into_iter().map(String::from).collect() }
    }

    /// Files in a folder that it names; with `temporary` also what was to become one of them.
    pub fn present(&self, folder: &Path, temporary: bool) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        for name in self.files.iter().filter(|name| is_below(name)) {
            if let Some(table) = name.strip_suffix("/part-*.parquet") {
                let entries = entries(&folder.join(table));
                files.extend(entries.filter(|path| parts::number_of(path, temporary).is_some()));
            } else if name == "runs/*" {
                let numbered = |path: &PathBuf| {
                    let name = path.file_name().and_then(|name| name.to_str());
                    name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit())) && path.is_dir()
                };
                for run in entries(&folder.join("runs")).filter(numbered) {
                    let own = owned(&run);
                    files.extend(Some(run.join(LOCK)).filter(|lock| lock.exists() && !own.is_empty()));
                    files.extend(own);
                }
            } else {
                let path = folder.join(name);
                files.extend(temporary.then(|| atomic::temporary(&path)).filter(|path| is_file(path)));
                files.extend(Some(path).filter(|path| is_file(path)));
            }
        }
        files
    }
}

/// Files in a folder that Fender wrote.
pub fn owned(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = Manifest::of(folder).present(folder, true);
    // The user may have put a scenario in the place of the expanded one.
    files.retain(|path| path != &folder.join("scenario.toml") || is_expanded(path));
    // The first file of all, of a process that came no further.
    files.extend(Some(atomic::temporary(&folder.join(MANIFEST))).filter(|path| is_file(path)));
    files
}

/// Removes files, and the folders they were in as far as these are empty then.
pub fn remove(folder: &Path, files: &BTreeSet<PathBuf>) -> Result<(), RunError> {
    let mut folders = BTreeSet::new();
    for file in files {
        atomic::remove(file)?;
        folders.extend(file.ancestors().skip(1).take_while(|path| *path != folder).map(Path::to_owned));
    }
    // Those inside come after those they are in.
    folders.iter().rev().try_for_each(|inner| atomic::remove_if_empty(inner))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

fn is_file(path: &Path) -> bool {
    path.is_symlink() || (path.exists() && !path.is_dir())
}

fn is_below(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a `scenario.toml` was written by Fender.
fn is_expanded(path: &Path) -> bool {
    let mut line = String::new();
    let read = fs::File::open(path).and_then(|file| BufReader::new(file).read_line(&mut line));
    read.is_ok() && line.starts_with("# ") && line.contains(EXPANDED_BY)
}
