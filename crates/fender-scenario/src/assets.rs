//! Files that a scenario refers to, by their path relative to it.

use crate::suggest;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Where the files beside a scenario are.
#[derive(Clone, Debug)]
pub enum Assets {
    /// In a folder.
    Dir(PathBuf),
    /// In the program: path relative to the scenario, and contents.
    Embedded(Vec<(PathBuf, &'static [u8])>),
}

/// Size up to which text that is parsed as a whole is read [bytes]: far beyond what a person or a program writes, and little enough for memory.
const MAX_TEXT: u64 = 64 << 20;

/// Contents of a scenario or a robot description: a regular file of a sensible size.
pub(crate) fn read_text_file(path: &Path) -> io::Result<Vec<u8>> {
    match std::fs::metadata(path)?.len() {
        size if size > MAX_TEXT => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "it has {} MB, and at most {} MB are read; put tables and meshes into files of their own",
                size >> 20,
                MAX_TEXT >> 20
            ),
        )),
        _ => read_file(path),
    }
}

/// Contents of a regular file. A pipe would be waited for without end, and a device may never end.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let message = "this is a pipe, a socket or a device; copy what it gives into a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    std::fs::read(path)
}

impl Assets {
    /// No files at all.
    pub fn none() -> Self {
        Self::Embedded(Vec::new())
    }

    /// Contents of a file. Results keep a copy of every file that was read, under the same relative path, so a path
    /// must stay below the scenario's folder.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = Path::new(name);
        if !is_below(name) {
            let message = "the path must be relative and below the scenario's folder";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        match self {
            Self::Dir(dir) => read_file(&dir.join(path)),
            Self::Embedded(files) => files
                .iter()
                .find(|(p, _)| p.components().eq(path.components().filter(|c| *c != Component::CurDir)))
                .map(|(_, contents)| contents.to_vec())
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such file")),
        }
    }

    /// Contents of a file that an earlier run may have kept beside the scenario.
    pub(crate) fn kept(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            Self::Dir(_) => self.read(name).ok(),
            Self::Embedded(_) => None,
        }
    }

    /// Keeps a file beside the scenario for later runs. Where that is not possible nothing happens, because it only saves time.
    pub(crate) fn keep(&self, name: &str, bytes: &[u8]) {
        let Self::Dir(dir) = self else { return };
        // Under another name until it is whole: others may read it at the same time.
        let path = dir.join(name);
        let part = dir.join(format!("{name}.{}.tmp", std::process::id()));
        if std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, &path)).is_err() {
            let _ = std::fs::remove_file(&part);
        }
    }

    /// A file with a name like this one.
    pub(crate) fn near(&self, name: &str) -> Option<String> {
        if !is_below(name) {
            // What cannot be read from where it is has to be in the scenario's folder, and may be there already.
            let file = Path::new(name).file_name()?.to_str()?;
            let there = self.read(file).is_ok();
            let copy = || format!("copy it beside the file that names it and write `{file}`");
            return Some(if there { format!("did you mean `{file}`?") } else { copy() });
        }
        let names = self.beside(name);
        let file = Path::new(name).file_name();
        let elsewhere = names.iter().map(String::as_str).find(|other| Path::new(other).file_name() == file);
        if let Some(near) = elsewhere.or_else(|| suggest::nearest(name, names.iter().map(String::as_str))) {
            return Some(format!("did you mean `{near}`?"));
        }
        // Nothing is called like it: what could be meant has the same ending.
        let ending = |name: &str| Path::new(name).extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let alike = names.iter().map(String::as_str).filter(|other| ending(other) == ending(name));
        let what = match Path::new(name).extension().and_then(std::ffi::OsStr::to_str) {
            Some(ending) => format!(".{ending} files there"),
            None => "files without an ending there".into(),
        };
        suggest::help(name, alike, &what)
    }

    /// Files in the folder where a file was looked for, and those of the same name in the folders below it; in order.
    fn beside(&self, name: &str) -> Vec<String> {
        let Self::Dir(dir) = self else {
            let Self::Embedded(files) = self else { return Vec::new() };
            return files.iter().map(|(p, _)| p.display().to_string()).collect();
        };
        let below = Path::new(name).parent().unwrap_or(Path::new(""));
        let file = Path::new(name).file_name().unwrap_or_default();
        let mut names = Vec::new();
        // The folder of a scenario that is named without one is empty, and reads as none.
        let folder = Path::new(".").join(dir).join(below);
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let there = below.join(entry.file_name());
            if dir.join(&there).is_file() {
                names.extend(there.to_str().map(str::to_owned));
            } else if dir.join(&there).join(file).is_file() {
                names.extend(there.join(file).to_str().map(str::to_owned));
            }
        }
        names.sort();
        names
    }
}

/// Whether a path cannot lead out of the scenario's folder.
fn is_below(name: &str) -> bool {
    let inside = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
    !name.is_empty() && Path::new(name).components().all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_named_without_a_folder_has_files_beside_it() {
        // Tests run in the crate's folder.
        let here = Assets::Dir(std::path::PathBuf::new());
        assert_eq!(here.near("Cargo.tml").as_deref(), Some("did you mean `Cargo.toml`?"));
    }
}
