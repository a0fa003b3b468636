//! The results folder: who it belongs to, what is in it, and how it is read while a run is unfinished.
//!
//! | File | |
//! |---|---|
//! | `scenario.toml` | the scenario with every default, version and hash |
//! | `signals.parquet` | recorded signals; while the run is unfinished, `signals/part-00001.parquet`, … |
//! | `contacts.parquet` | contacts, one row per point and instant; likewise `contacts/part-…` |
//! | `frames.bin` | poses and contacts for a viewer (see [`crate::stream`]) |
//! | `events.json`, `summary.json`, `report.html` | for people and programs |
//! | `checkpoint` | what `resume` needs |
//! | `manifest.json` | what of all this Fender wrote (see [`crate::manifest`]) |
//! | `.lock` | who writes (see [`crate::lock`]) |

use crate::atomic;
use crate::error::RunError;
use crate::manifest::EXPANDED_BY;
use crate::parquet_file;
use crate::parts;
use crate::summary::Summary;
use crate::table::Table;
use std::fs;
use std::path::{Path, PathBuf};

/// Version of the layout and the files of a results folder. Readers of one version read all files of that version; a
/// change that would break them makes a new one.
pub const RESULTS_FORMAT: u32 = 2;

/// Where results go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out {
    /// Into the next free `NAME-<n>` below a folder.
    Next(PathBuf),
    /// Into this folder.
    Folder {
        /// Folder.
        path: PathBuf,
        /// Whether results of an earlier run may be replaced.
        force: bool,
    },
}

/// A results folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
}

impl Folder {
    /// Path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether a run has written into it, finished or not.
    pub fn holds_run(&self) -> bool {
        let written = ["frames.bin", "signals", "signals.parquet", "summary.json", "checkpoint"];
        self.file("scenario.toml").exists() && written.iter().any(|name| self.file(name).exists())
    }

    /// The summary that is there, if it can be read.
    pub fn summary(&self) -> Option<Summary> {
        serde_json::from_slice(&fs::read(self.file("summary.json")).ok()?).ok()
    }

    /// Files that hold a table (`signals` or `contacts`), in order: the merged file, or the parts of an unfinished run.
    pub fn table_files(&self, table: &str) -> Result<Vec<PathBuf>, RunError> {
        let merged = self.file(&format!("{table}.parquet"));
        if merged.exists() {
            return Ok(vec![merged]);
        }
        let entries = fs::read_dir(self.file(table)).map_err(|_| RunError::NoRun {
            dir: self.path.clone(),
            why: format!("it has neither {table}.parquet nor parts of it"),
        })?;
        let entries = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut files: Vec<(u32, PathBuf)> =
            entries.filter_map(|path| Some((parts::number_of(&path, false)?, path))).collect();
        // By number: as text, part-100000 comes before part-99999.
        files.sort_unstable();
        Ok(files.into_iter().map(|(_, path)| path).collect())
    }

    /// Reads a whole table.
    pub fn table(&self, table: &str) -> Result<Table, RunError> {
        let mut whole: Option<Table> = None;
        for file in self.table_files(table)? {
            let part = parquet_file::read(&file)?;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => whole.append(&part),
            }
        }
        Ok(whole.unwrap_or_default())
    }
}

/// Writes a value as JSON, atomically.
pub fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), RunError> {
    let mut text = serde_json::to_string_pretty(value).map_err(|e| RunError::io(path, e))?;
    text.push('\n');
    atomic::replace_bytes(path, text.as_bytes())
}

/// Writes `scenario.toml` with the files it needs: as it was expanded, below a line that says by what.
pub fn write_scenario(
    folder: &Folder,
    name: &str,
    expanded: &str,
    assets: &[(String, Vec<u8>)],
    hash: u64,
) -> Result<(), RunError> {
    let text = format!(
        "# {name}{EXPANDED_BY}{}, scenario hash {hash:016x}, results format {RESULTS_FORMAT}\n{expanded}",
        env!("CARGO_PKG_VERSION"),
    );
    for (name, bytes) in assets {
        let path = folder.file(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| RunError::io(parent, e))?;
        }
        atomic::replace_bytes(&path, bytes)?;
    }
    atomic::replace_bytes(&folder.file("scenario.toml"), text.as_bytes())
}
