//! Files that are either the old one or the new one, whole, whenever the process or the machine stops.

use crate::error::RunError;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a file is written before it takes its name.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    path.with_file_name(name)
}

/// Writes a file through a temporary one: write, sync, rename, sync the folder. On failure the temporary file is removed,
/// so that a full disk gets its space back, and the old file stays.
pub fn replace(path: &Path, write: impl FnOnce(File) -> Result<File, String>) -> Result<(), RunError> {
    let temporary = temporary(path);
    let attempt = || -> Result<(), String> {
        let file = File::create(&temporary).map_err(|e| e.to_string())?;
        let file = write(file)?;
        file.sync_all().map_err(|e| e.to_string())?;
        fs::rename(&temporary, path).map_err(|e| e.to_string())
    };
    if let Err(message) = attempt() {
        // Best effort: the error that counts is the first one.
        let _ = fs::remove_file(&temporary);
        return Err(RunError::io(path, message));
    }
    sync_folder(path)
}

/// Writes bytes through a temporary file.
pub fn replace_bytes(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    replace(path, |mut file| {
        file.write_all(bytes).map_err(|e| e.to_string())?;
        Ok(file)
    })
}

/// Makes a rename in the file's folder survive a power cut.
fn sync_folder(path: &Path) -> Result<(), RunError> {
    // Only Unix lets a folder be opened and synced; elsewhere the file's own sync has to do.
    if cfg!(unix) {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(parent).and_then(|f| f.sync_all()).map_err(|e| RunError::io(parent, e))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_temporary() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.bin");
        replace_bytes(&path, b"old").unwrap();
        let error = replace(&path, |_| Err("no space left on device".into())).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(error.to_string().contains("no space left"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(!temporary(&path).exists());
    }
}
