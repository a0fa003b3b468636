//! Files of a folder that is being made.

use crate::failure::Failure;
use std::path::Path;

/// Writes a file, with the folders it is in.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let done =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, contents));
    done.map_err(|error| Failure::io(format!("cannot write '{}': {error}", path.display())))
}
