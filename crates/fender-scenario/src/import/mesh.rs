//! Mesh files of a robot: found, checked, and copied beside the scenario.

use super::source::{Result, Source, Spot};
use crate::assets::Assets;
use crate::error::ErrorKind;
use fender_geom::mesh::{self, MeshProblem};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where meshes are put, below the scenario's folder.
const FOLDER: &str = "meshes";
/// Places that a message lists.
const MOST_LISTED: usize = 6;

/// The files that come along.
pub(super) struct Meshes<'a> {
    /// Folder of the URDF file.
    folder: &'a Path,
    /// Path below the scenario's folder, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// What became of a file: its path below the scenario's folder, or nothing if it cannot be shown.
    known: BTreeMap<PathBuf, Option<String>>,
}

impl<'a> Meshes<'a> {
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, files: Vec::new(), known: BTreeMap::new() }
    }

    /// Path of the copy of a mesh below the scenario's folder; nothing, with a warning, if its format cannot be read.
    pub fn add(&mut self, source: &mut Source, file: &str, spot: &Spot) -> Result<Option<String>> {
        let path = self.find(source, file, spot)?;
        if let Some(known) = self.known.get(&path) {
            return Ok(known.clone());
        }
        let asset = self.read(source, file, &path, spot)?;
        self.known.insert(path, asset.clone());
        Ok(asset)
    }

    fn read(&mut self, source: &mut Source, file: &str, path: &Path, spot: &Spot) -> Result<Option<String>> {
        let unreadable = |source: &Source, error: &dyn std::fmt::Display| {
            source.error(ErrorKind::Asset, spot, format!("cannot read the mesh `{file}`: {error}"), None)
        };
        let bytes = std::fs::read(path).map_err(|error| unreadable(source, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // What a mesh names is beside it or below.
        let beside = Assets::Dir(path.parent().unwrap_or(Path::new("")).to_path_buf());
        let mut files = vec![(name.clone(), bytes.clone())];
        let read = mesh::read(&name, &bytes, &mut |companion| {
            let bytes = beside.read(companion).map_err(|error| error.to_string())?;
            files.push((companion.to_owned(), bytes.clone()));
            Ok(bytes)
        });
        match read {
            Ok(_) => Ok(Some(self.keep(&name, &files))),
            Err(error) if matches!(error.problem, MeshProblem::Ending(_)) => {
                source.warn(spot, format!("the mesh `{file}` is not shown: {}", error.problem));
                Ok(None)
            }
            Err(error) => Err(unreadable(source, &error)),
        }
    }

    /// Puts a mesh and the files it names into the first folder where nothing else has their names.
    fn keep(&mut self, name: &str, files: &[(String, Vec<u8>)]) -> String {
        let mut folder = FOLDER.to_string();
        let mut number = 1;
        loop {
            let place = |(name, bytes): &(String, Vec<u8>)| (format!("{folder}/{name}"), bytes.clone());
            let there: Vec<(String, Vec<u8>)> = files.iter().map(place).collect();
            let clash = |(name, bytes): &(String, Vec<u8>)| {
                self.files.iter().any(|(other, contents)| other == name && contents != bytes)
            };
            if !there.iter().any(clash) {
                for file in there {
                    if !self.files.contains(&file) {
                        self.files.push(file);
                    }
                }
                return format!("{folder}/{name}");
            }
            number += 1;
            folder = format!("{FOLDER}-{number}");
        }
    }

    /// The file that a name in the URDF stands for.
    pub fn find(&self, source: &Source, file: &str, spot: &Spot) -> Result<PathBuf> {
        let candidates = self.candidates(file);
        if let Some(found) = candidates.iter().find(|path| path.is_file()) {
            return Ok(found.clone());
        }
        let message = format!("the mesh `{file}` does not exist");
        if candidates.is_empty() {
            let help = "a mesh is a file beside the URDF, or package://NAME/FILE".to_string();
            return Err(source.error(ErrorKind::Asset, spot, message, help));
        }
        let near = candidates.iter().find_map(|path| {
            let name = path.file_name()?.to_str()?;
            Assets::Dir(path.parent()?.to_path_buf()).near(name)
        });
        let listed: Vec<_> =
            candidates.iter().take(MOST_LISTED).map(|path| path.display().to_string()).collect();
        let more = if candidates.len() > MOST_LISTED { ", …" } else { "" };
        let looked = format!("looked for {}{more}", listed.join(", "));
        let help = near.map_or_else(|| looked.clone(), |near| format!("{near}\n{looked}"));
        Err(source.error(ErrorKind::Asset, spot, message, help))
    }

    /// Where a file may be. A package is a folder of that name: one that the URDF is in, or one beside those.
    fn candidates(&self, file: &str) -> Vec<PathBuf> {
        let package = file.strip_prefix("package://").or_else(|| file.strip_prefix("model://"));
        let Some(inside) = package else {
            let plain = file.strip_prefix("file://").unwrap_or(file);
            let readable = !plain.is_empty() && !plain.contains("://");
            return readable.then(|| self.folder.join(plain)).into_iter().collect();
        };
        let Some((name, rest)) =
            inside.split_once('/').filter(|(name, rest)| !name.is_empty() && !rest.is_empty())
        else {
            return Vec::new();
        };
        let folder = std::path::absolute(self.folder).unwrap_or_else(|_| self.folder.to_path_buf());
        let mut candidates = Vec::new();
        for outer in folder.ancestors() {
            if outer.file_name().is_some_and(|folder| folder == name) {
                candidates.push(outer.join(rest));
            }
            candidates.push(outer.join(name).join(rest));
        }
        // A URDF that was taken out of its package, with its meshes.
        candidates.insert(candidates.len().min(2), folder.join(rest));
        candidates
    }
}
