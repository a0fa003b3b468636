//! A results folder that this process alone writes into, and how new results take the place of old ones.
//!
//! New results that replace others begin in a folder inside (`.new`). Once they stand, the old ones are removed and the
//! new ones moved up: a disk that is full, or a file that is in the way, leaves the old results as they were.

use crate::atomic;
use crate::error::RunError;
use crate::lock::{LOCK, Lock};
use crate::manifest::{self, Manifest};
use crate::results::{Folder, Out};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder in which new results begin.
const NEW: &str = ".new";

/// A folder that is locked for this process.
#[derive(Debug)]
pub struct Claim {
    folder: Folder,
    /// Where new results begin, until they have replaced the old ones.
    begun: Option<Folder>,
    _lock: Lock,
}

impl Claim {
    /// Claims a folder for new results.
    pub fn new(out: &Out, name: &str) -> Result<Self, RunError> {
        match out {
            Out::Next(root) => {
                fs::create_dir_all(root).map_err(|e| RunError::io(root, e))?;
                // Making the folder is what takes the number, so that two runs at once get two.
                for n in 1_u32.. {
                    let path = root.join(format!("{name}-{n}"));
                    match fs::create_dir(&path) {
                        Ok(()) => return Self::of(&Folder { path }),
                        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                        Err(e) => return Err(RunError::io(&path, e)),
                    }
                }
                Err(RunError::io(root, "no free number for a results folder"))
            }
            Out::Folder { path, force } => {
                fs::create_dir_all(path).map_err(|e| RunError::io(path, e))?;
                let check = || match is_empty(path)? {
                    false if !force => Err(RunError::NotEmpty(path.clone())),
                    empty => Ok(empty),
                };
                // Before, because a folder that is not to be used gets no lock; after, because another may have filled it.
                check()?;
                let mut claim = Self::of(&Folder { path: path.clone() })?;
                if !check()? {
                    claim.begin_inside()?;
                }
                Ok(claim)
            }
        }
    }

    /// Claims a folder in which results are, to go on with them.
    pub fn of(folder: &Folder) -> Result<Self, RunError> {
        let lock = Lock::take(&folder.path)?;
        Ok(Self { folder: folder.clone(), begun: None, _lock: lock })
    }

    fn begin_inside(&mut self) -> Result<(), RunError> {
        let path = self.folder.file(NEW);
        // Left by a process that was killed.
        remove_begun(&path)?;
        fs::create_dir(&path).map_err(|e| RunError::io(&path, e))?;
        self.begun = Some(Folder { path });
        Ok(())
    }

    /// Where to write now.
    pub fn folder(&self) -> &Folder {
        self.begun.as_ref().unwrap_or(&self.folder)
    }

    /// Whether old results are still there.
    pub fn has_old(&self) -> bool {
        self.begun.is_some()
    }

    /// Puts the new results in the place of the old ones; gives the folder where they are from then on. Nothing is changed
    /// if a file that Fender did not write is in the way, now or of what the manifest says will be written later.
    pub fn replace_old(&mut self) -> Result<&Folder, RunError> {
        let Some(begun) = self.begun.as_ref().map(|folder| folder.path.clone()) else {
            return Ok(&self.folder);
        };
        let target = &self.folder.path;
        let old = manifest::owned(target);
        let mut new = Manifest::of(&begun);
        let mut in_the_way = Vec::new();
        for path in new.present(target, false).difference(&old) {
            let name = path.strip_prefix(target).unwrap_or(path);
            if same_contents(path, &begun.join(name)) {
                // The user has the same file there, and keeps it.
                atomic::remove(&begun.join(name))?;
                new.files.retain(|file| Path::new(file) != name);
            } else {
                in_the_way.push(name.display().to_string());
            }
        }
        for path in entries(&begun)? {
            let name = path.file_name().unwrap_or_default();
            if target.join(name).exists() && target.join(name).is_dir() != path.is_dir() {
                in_the_way.push(name.display().to_string());
            }
        }
        if !in_the_way.is_empty() {
            return Err(RunError::InTheWay { dir: target.clone(), files: in_the_way });
        }
        new.write(&Folder { path: begun.clone() })?;
        manifest::remove(target, &old)?;
        move_up(&begun, target)?;
        remove_begun(&begun)?;
        self.begun = None;
        Ok(&self.folder)
    }

    /// Gives up a folder into which nothing was written; it is removed if nothing else is in it.
    pub fn abandon(self) {
        // Best effort: an empty folder does no harm.
        let _ = fs::remove_file(self.folder.file(LOCK)).and_then(|()| fs::remove_dir(&self.folder.path));
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(begun) = &self.begun {
            // Best effort: what is left is removed the next time.
            let _ = remove_begun(&begun.path);
        }
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let entries = fs::read_dir(folder).map_err(|e| RunError::io(folder, e))?;
    entries.map(|entry| Ok(entry.map_err(|e| RunError::io(folder, e))?.path())).collect()
}

fn is_empty(folder: &Path) -> Result<bool, RunError> {
    Ok(entries(folder)?.iter().all(|path| path.ends_with(LOCK) || path.ends_with(NEW)))
}

fn same_contents(a: &Path, b: &Path) -> bool {
    matches!((fs::read(a), fs::read(b)), (Ok(a), Ok(b)) if a == b)
}

fn remove_begun(path: &Path) -> Result<(), RunError> {
    atomic::before_change(path)?;
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(RunError::io(path, e)),
        _ => Ok(()),
    }
}

/// Moves all files up, with the folders they are in. The checkpoint comes last: where it is, everything is.
fn move_up(from: &Path, to: &Path) -> Result<(), RunError> {
    let mut paths = entries(from)?;
    paths.sort_by_key(|path| path.ends_with("checkpoint"));
    for path in paths {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            fs::create_dir_all(&target).map_err(|e| RunError::io(&target, e))?;
            move_up(&path, &target)?;
        } else {
            atomic::rename(&path, &target)?;
        }
    }
    atomic::sync_folder(&to.join(NEW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::RUN_FILES;
    use crate::results::write_scenario;

    fn forced(path: &Path) -> Out {
        Out::Folder { path: path.to_owned(), force: true }
    }

    /// Begins results as a run does.
    fn begin(out: &Out, assets: &[(String, Vec<u8>)]) -> Result<Claim, RunError> {
        let mut claim = Claim::new(out, "ball")?;
        Manifest::new(&RUN_FILES, assets).write(claim.folder())?;
        write_scenario(claim.folder(), "ball", "format = 1\n", assets, 7)?;
        for name in ["signals/part-00001.parquet", "checkpoint"] {
            let path = claim.folder().file(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            atomic::replace_bytes(&path, b"new")?;
        }
        claim.replace_old()?;
        Ok(claim)
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                all.extend(files(&path).iter().map(|inner| format!("{name}/{inner}")));
            } else {
                all.push(name);
            }
        }
        all.sort();
        all
    }

    #[test]
    fn the_next_free_number_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let out = Out::Next(dir.path().join("results"));
        let names: Vec<_> = (0..3)
            .map(|_| Claim::new(&out, "ball").unwrap().folder().path.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["ball-1", "ball-2", "ball-3"]);
    }

    #[test]
    fn force_removes_what_the_manifest_names_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let asset = |name: &str| (format!("assets/{name}"), b"mesh".to_vec());
        drop(begin(&forced(&path), &[asset("a.stl"), asset("b.stl")]).unwrap());
        for mine in ["notes.txt", "assets/logo.svg", "signals/measured.csv"] {
            fs::write(path.join(mine), "mine").unwrap();
        }
        fs::write(path.join("summary.json"), "{}").unwrap();
        let error = Claim::new(&Out::Folder { path: path.clone(), force: false }, "ball").unwrap_err();
        assert!(matches!(error, RunError::NotEmpty(_)) && error.exit_code() == 2);
        drop(begin(&forced(&path), &[asset("b.stl")]).unwrap());
        let expected = [
            ".lock",
            "assets/b.stl",
            "assets/logo.svg",
            "checkpoint",
            "manifest.json",
            "notes.txt",
            "scenario.toml",
            "signals/measured.csv",
            "signals/part-00001.parquet",
        ];
        assert_eq!(files(&path), expected);
    }

    #[test]
    fn a_file_that_is_not_known_to_be_ours_is_not_replaced() {
        for name in ["scenario.toml", "report.html", "assets/a.stl", "signals/part-00004.parquet", "signals"]
        {
            let dir = tempfile::tempdir().unwrap();
            let mine = dir.path().join(name);
            fs::create_dir_all(mine.parent().unwrap()).unwrap();
            fs::write(&mine, "mine").unwrap();
            let error = begin(&forced(dir.path()), &[("assets/a.stl".into(), b"mesh".to_vec())]).unwrap_err();
            assert!(matches!(error, RunError::InTheWay { .. }) && error.exit_code() == 2, "{error}");
            assert!(error.to_string().contains(name), "{error}");
            assert_eq!(files(dir.path()), [".lock", name]);
            assert_eq!(fs::read(&mine).unwrap(), b"mine");
        }
    }

    #[test]
    fn a_scenario_that_the_user_put_in_the_place_of_ours_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        drop(begin(&forced(dir.path()), &[]).unwrap());
        fs::write(dir.path().join("scenario.toml"), "# my own\n").unwrap();
        let error = begin(&forced(dir.path()), &[]).unwrap_err();
        assert!(error.to_string().contains("scenario.toml"), "{error}");
        assert_eq!(fs::read(dir.path().join("scenario.toml")).unwrap(), b"# my own\n");
    }

    /// Folders of versions without manifests: the usual files go, assets stay.
    #[test]
    fn a_folder_without_a_manifest_is_known_by_its_scenario() {
        let dir = tempfile::tempdir().unwrap();
        let asset = [("assets/a.stl".to_owned(), b"mesh".to_vec())];
        drop(begin(&forced(dir.path()), &asset).unwrap());
        fs::remove_file(dir.path().join("manifest.json")).unwrap();
        fs::write(dir.path().join("summary.json"), "{}").unwrap();
        fs::write(dir.path().join("assets/old.stl"), "mesh").unwrap();
        drop(begin(&forced(dir.path()), &asset).unwrap());
        assert_eq!(
            files(dir.path()),
            [
                ".lock",
                "assets/a.stl",
                "assets/old.stl",
                "checkpoint",
                "manifest.json",
                "scenario.toml",
                "signals/part-00001.parquet"
            ]
        );
        // It was there with the same contents and is not Fender's for that.
        let manifest = Manifest::of(dir.path());
        assert!(!manifest.files.iter().any(|name| name.contains("a.stl")), "{manifest:?}");
    }

    #[test]
    fn a_manifest_cannot_name_what_is_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let (inside, outside) = (dir.path().join("out"), dir.path().join("mine.txt"));
        fs::create_dir(&inside).unwrap();
        fs::write(&outside, "mine").unwrap();
        let absolute = outside.display().to_string();
        let manifest = Manifest { files: vec!["../mine.txt".into(), absolute], ..Manifest::default() };
        assert!(manifest.present(&inside, true).is_empty());
    }

    /// Wherever the process is killed, or the disk is full, there are the old results or the new ones, and never neither.
    #[test]
    fn old_results_go_only_when_the_new_ones_stand() {
        for changes in 0.. {
            let dir = tempfile::tempdir().unwrap();
            drop(begin(&forced(dir.path()), &[]).unwrap());
            fs::write(dir.path().join("checkpoint"), "old").unwrap();
            atomic::stop_at::allow(Some(changes));
            let result = begin(&forced(dir.path()), &[]).map(drop);
            atomic::stop_at::allow(None);
            let old = fs::read(dir.path().join("checkpoint")).is_ok_and(|bytes| bytes == b"old");
            let new = ["", NEW].iter().any(|at| {
                fs::read(dir.path().join(at).join("checkpoint")).is_ok_and(|bytes| bytes == b"new")
            });
            assert!(old || new, "stopped after {changes} changes: {:?}", files(dir.path()));
            // The next attempt finds its way.
            drop(begin(&forced(dir.path()), &[]).unwrap());
            if result.is_ok() {
                assert!(changes > 10, "{changes}");
                break;
            }
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_input_output_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "x").unwrap();
        let error = Claim::new(&Out::Folder { path: file.join("below"), force: false }, "ball").unwrap_err();
        assert_eq!(error.exit_code(), 4);
    }

    #[test]
    fn two_at_once_are_not_let_into_one_folder() {
        let dir = tempfile::tempdir().unwrap();
        let first = begin(&forced(dir.path()), &[]).unwrap();
        assert!(matches!(Claim::new(&forced(dir.path()), "ball"), Err(RunError::Locked { .. })));
        assert!(matches!(Claim::of(first.folder()), Err(RunError::Locked { .. })));
        drop(first);
        Claim::new(&forced(dir.path()), "ball").unwrap();
    }
}
