//! One process at a time writes into a folder.
//!
//! The lock is the operating system's, on the file `.lock` in the folder: it ends with the process, however that ends. Only
//! writers take it, so that a folder can be read while a run is under way. The file stays: if it were removed, two
//! processes could lock two files of that name.

use crate::error::RunError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Name of the file that is locked.
pub const LOCK: &str = ".lock";

/// A lock on a folder, until it is dropped or the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a folder, or says which process has.
    pub fn take(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(LOCK);
        let mut open = OpenOptions::new();
        let mut file =
            open.write(true).create(true).truncate(false).open(&path).map_err(|e| RunError::io(&path, e))?;
        match file.try_lock() {
            Ok(()) => {
                // For the message to others; without it the lock is as good.
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
            }
            Err(TryLockError::WouldBlock) => {
                let process = std::fs::read_to_string(&path).ok().filter(|id| !id.is_empty());
                return Err(RunError::Locked { dir: folder.to_owned(), process });
            }
            // A file system without locks, such as some network drives: the run is worth more than the lock.
            Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(RunError::io(&path, e)),
        }
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_until_the_first_has_gone() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path()).unwrap();
        let error = Lock::take(dir.path()).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, RunError::Locked { .. }) && error.exit_code() == 4, "{text}");
        let process = format!("(process {})", std::process::id());
        assert!(text.contains(&dir.path().display().to_string()) && text.contains(&process), "{text}");
        drop(first);
        Lock::take(dir.path()).unwrap();
    }
}
