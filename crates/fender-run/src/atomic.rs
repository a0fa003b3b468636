//! Files that are either the old one or the new one, whole, whenever the process or the machine stops.

use crate::error::RunError;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where a file is written before it takes its name.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    path.with_file_name(name)
}

/// Writes a file through a temporary one: write, sync, rename, sync the folder. On failure the temporary file is removed,
/// so that a full disk gets its space back, and the old file stays.
pub fn replace(path: &Path, write: impl FnOnce(File) -> Result<File, RunError>) -> Result<(), RunError> {
    let temporary = temporary(path);
    let io = |e: std::io::Error| RunError::io(path, e);
    let attempt = || {
        before_change(path)?;
        let mut open = OpenOptions::new();
        let file = open.read(true).write(true).create(true).truncate(true).open(&temporary).map_err(io)?;
        sync(&write(file)?).map_err(io)?;
        rename(&temporary, path)
    };
    if let Err(error) = attempt() {
        // Best effort: the error that counts is the first one.
        let _ = remove(&temporary);
        return Err(error);
    }
    sync_folder(path)
}

/// Writes bytes through a temporary file.
pub fn replace_bytes(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    replace(path, |mut file| {
        file.write_all(bytes).map_err(|e| RunError::io(path, e))?;
        Ok(file)
    })
}

/// Gives a file another name; a file that had it is replaced.
pub fn rename(from: &Path, to: &Path) -> Result<(), RunError> {
    before_change(to)?;
    fs::rename(from, to).map_err(|e| RunError::io(to, e))
}

/// Removes a file if it is there.
pub fn remove(path: &Path) -> Result<(), RunError> {
    before_change(path)?;
    match fs::remove_file(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(RunError::io(path, e)),
        _ => Ok(()),
    }
}

/// Removes a folder if it is there and empty.
pub fn remove_if_empty(folder: &Path) -> Result<(), RunError> {
    before_change(folder)?;
    match fs::remove_dir(folder) {
        Err(e) if ![ErrorKind::NotFound, ErrorKind::DirectoryNotEmpty].contains(&e.kind()) => {
            Err(RunError::io(folder, e))
        }
        _ => Ok(()),
    }
}

/// Makes what was written survive a power cut. Unit tests, which cut none, make too many changes to wait for each.
pub fn sync(file: &File) -> std::io::Result<()> {
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}

/// Makes a rename in the file's folder survive a power cut.
pub fn sync_folder(path: &Path) -> Result<(), RunError> {
    // Only Unix lets a folder be opened and synced; elsewhere the file's own sync has to do.
    if cfg!(unix) {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(parent).and_then(|f| sync(&f)).map_err(|e| RunError::io(parent, e))?;
    }
    Ok(())
}

/// Called before every change to a results folder. Tests stop the program at any of them (see [`stop_at`]).
#[cfg(not(test))]
pub fn before_change(_: &Path) -> Result<(), RunError> {
    Ok(())
}

#[cfg(test)]
pub use stop_at::before_change;

/// A program that is killed before its n-th change: that change and all later ones of this thread fail.
#[cfg(test)]
pub mod stop_at {
    use super::{Path, RunError};
    use std::cell::Cell;

    thread_local!(static LEFT: Cell<Option<usize>> = const { Cell::new(None) });

    /// Lets this thread make so many changes and no more; `None`: any number.
    pub fn allow(changes: Option<usize>) {
        LEFT.set(changes);
    }

    /// Counts a change.
    pub fn before_change(path: &Path) -> Result<(), RunError> {
        match LEFT.get() {
            Some(0) => return Err(RunError::io(path, "stopped by a test")),
            left => LEFT.set(left.map(|n| n - 1)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_temporary() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bin");
        replace_bytes(&path, b"old").unwrap();
        let error = replace(&path, |_| Err(RunError::io(&path, "no space left on device"))).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains("no space left"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(!temporary(&path).exists());
    }
}
