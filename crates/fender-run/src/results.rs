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

use crate::atomic;
use crate::error::RunError;
use crate::parquet_file::{self, Metadata};
use crate::summary::Summary;
use crate::table::Table;
use std::fs;
use std::io::ErrorKind;
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

/// Files and folders that a run makes.
const OWN: [&str; 11] = [
    "scenario.toml",
    "assets",
    "signals",
    "signals.parquet",
    "contacts",
    "contacts.parquet",
    "frames.bin",
    "events.json",
    "summary.json",
    "checkpoint",
    "report.html",
];

impl Folder {
    /// Makes an empty results folder.
    pub fn create(out: &Out, name: &str) -> Result<Self, RunError> {
        match out {
            Out::Next(root) => {
                fs::create_dir_all(root).map_err(|e| RunError::io(root, e))?;
                // Making the folder is what takes the number, so that two runs at once get two.
                for n in 1_u32.. {
                    let path = root.join(format!("{name}-{n}"));
                    match fs::create_dir(&path) {
                        Ok(()) => return Ok(Self { path }),
                        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                        Err(e) => return Err(RunError::io(&path, e)),
                    }
                }
                Err(RunError::io(root, "no free number for a results folder"))
            }
            Out::Folder { path, force } => {
                fs::create_dir_all(path).map_err(|e| RunError::io(path, e))?;
                let empty = fs::read_dir(path).map_err(|e| RunError::io(path, e))?.next().is_none();
                if !empty && !force {
                    return Err(RunError::NotEmpty(path.clone()));
                }
                let folder = Self { path: path.clone() };
                for name in OWN {
                    remove(&folder.file(name))?;
                }
                Ok(folder)
            }
        }
    }

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
        let parts = self.file(table);
        let entries = fs::read_dir(&parts).map_err(|_| RunError::NoRun {
            dir: self.path.clone(),
            why: format!("it has neither {table}.parquet nor parts of it"),
        })?;
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "parquet"))
            .collect();
        files.sort();
        Ok(files)
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

/// Removes a file or a folder if it is there.
pub fn remove(path: &Path) -> Result<(), RunError> {
    let result =
        if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match result {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(RunError::io(path, e)),
        _ => Ok(()),
    }
}

/// Closed parts of a table that is still growing.
#[derive(Debug)]
pub struct Parts {
    folder: Folder,
    table: &'static str,
    count: u32,
    metadata: Metadata,
}

impl Parts {
    /// Parts of a table, of which `count` are closed. Parts beyond that, from after the checkpoint, are removed.
    pub fn open(
        folder: &Folder,
        table: &'static str,
        count: u32,
        metadata: Metadata,
    ) -> Result<Self, RunError> {
        let parts = Self { folder: folder.clone(), table, count, metadata };
        let dir = folder.file(table);
        fs::create_dir_all(&dir).map_err(|e| RunError::io(&dir, e))?;
        for entry in fs::read_dir(&dir).map_err(|e| RunError::io(&dir, e))? {
            let path = entry.map_err(|e| RunError::io(&dir, e))?.path();
            if !(1..=count).any(|n| path == parts.path(n)) {
                remove(&path)?;
            }
        }
        Ok(parts)
    }

    /// Number of closed parts.
    pub fn count(&self) -> u32 {
        self.count
    }

    fn path(&self, n: u32) -> PathBuf {
        self.folder.file(self.table).join(format!("part-{n:05}.parquet"))
    }

    /// Writes the rows as the next part and takes them from the table; nothing if there are none.
    pub fn close(&mut self, rows: &mut Table) -> Result<(), RunError> {
        if rows.rows() == 0 {
            return Ok(());
        }
        parquet_file::write(&self.path(self.count + 1), rows, &self.metadata)?;
        self.count += 1;
        rows.clear();
        Ok(())
    }

    /// Merges the parts into `<table>.parquet` and removes them. `columns` gives the columns of a table without rows.
    pub fn merge(&self, columns: &Table) -> Result<(), RunError> {
        let merged = self.folder.file(&format!("{}.parquet", self.table));
        // A merged file that is there already was finished before the process was stopped.
        if !merged.exists() {
            let parts: Vec<PathBuf> = (1..=self.count).map(|n| self.path(n)).collect();
            parquet_file::merge(&parts, columns, &merged, &self.metadata)?;
        }
        remove(&self.folder.file(self.table))
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
        "# {name} — expanded by fender {}, scenario hash {hash:016x}, results format {RESULTS_FORMAT}\n{expanded}",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Kind};

    fn rows(values: &[f64]) -> Table {
        let mut column = Column::new("time", "s", "Time", Kind::Real);
        column.values = values.to_vec();
        Table { columns: vec![column], texts: vec![] }
    }

    #[test]
    fn the_next_free_number_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let out = Out::Next(dir.path().join("results"));
        let names: Vec<_> = (0..3)
            .map(|_| Folder::create(&out, "ball").unwrap().path.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["ball-1", "ball-2", "ball-3"]);
    }

    #[test]
    fn a_folder_with_something_in_it_needs_force_and_keeps_what_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        fs::write(dir.path().join("summary.json"), "{}").unwrap();
        let out = |force| Out::Folder { path: dir.path().to_owned(), force };
        let error = Folder::create(&out(false), "ball").unwrap_err();
        assert!(matches!(error, RunError::NotEmpty(_)));
        assert_eq!(error.exit_code(), 2);
        Folder::create(&out(true), "ball").unwrap();
        assert!(dir.path().join("notes.txt").exists());
        assert!(!dir.path().join("summary.json").exists());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_input_output_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "x").unwrap();
        let error =
            Folder::create(&Out::Folder { path: file.join("below"), force: false }, "ball").unwrap_err();
        assert_eq!(error.exit_code(), 4);
    }

    #[test]
    fn parts_are_closed_cut_back_and_merged() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let mut parts = Parts::open(&folder, "signals", 0, vec![]).unwrap();
        for i in 0..3 {
            parts.close(&mut rows(&[f64::from(i)])).unwrap();
        }
        parts.close(&mut rows(&[])).unwrap();
        assert_eq!((parts.count(), folder.table("signals").unwrap().rows()), (3, 3));
        // As after a kill: the checkpoint knows of two, the third is forgotten.
        fs::write(folder.file("signals").join("part-00004.parquet.tmp"), "half").unwrap();
        let mut parts = Parts::open(&folder, "signals", 2, vec![]).unwrap();
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [0.0, 1.0]);
        parts.close(&mut rows(&[9.0])).unwrap();
        parts.merge(&rows(&[])).unwrap();
        assert!(!folder.file("signals").exists());
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [0.0, 1.0, 9.0]);
        assert_eq!(folder.table_files("signals").unwrap(), [folder.file("signals.parquet")]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_the_closed_parts_readable() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let mut parts = Parts::open(&folder, "signals", 0, vec![]).unwrap();
        parts.close(&mut rows(&[1.0])).unwrap();
        let next = folder.file("signals").join("part-00002.parquet.tmp");
        std::os::unix::fs::symlink("/dev/full", next).unwrap();
        let mut pending = rows(&[2.0]);
        let error = parts.close(&mut pending).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().to_lowercase().contains("no space left"), "{error}");
        assert_eq!((parts.count(), pending.rows()), (1, 1));
        assert_eq!(folder.table("signals").unwrap().columns[0].values, [1.0]);
    }
}
