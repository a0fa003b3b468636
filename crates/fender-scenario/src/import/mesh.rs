//! Mesh files of a robot: found, checked, and copied beside the scenario.

use super::source::{Result, Source, Spot};
use crate::assets::Assets;
use crate::error::ErrorKind;
use fender_geom::Polyhedron;
use fender_geom::mesh::{self, MeshProblem};
use fender_math::Vec3;
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
    /// What became of a file, or why its format cannot be read.
    known: BTreeMap<PathBuf, Known>,
}

/// A mesh that comes along, or why it does not.
type Known = std::result::Result<Kept, String>;

/// A mesh that comes along.
#[derive(Clone)]
pub(super) struct Kept {
    /// Path of the copy below the scenario's folder.
    pub asset: String,
    /// Whether its convex hull has a volume, so that it can stand for it.
    pub has_hull: bool,
}

impl<'a> Meshes<'a> {
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, files: Vec::new(), known: BTreeMap::new() }
    }

    /// What becomes of a mesh; or why its format cannot be read, which is no error because a robot is of use without.
    pub fn add(&mut self, source: &mut Source, file: &str, spot: &Spot) -> Result<Known> {
        let path = self.find(source, file, spot)?;
        if let Some(known) = self.known.get(&path) {
            return Ok(known.clone());
        }
        let known = self.read(source, file, &path, spot)?;
        self.known.insert(path, known.clone());
        Ok(known)
    }

    fn read(&mut self, source: &mut Source, file: &str, path: &Path, spot: &Spot) -> Result<Known> {
        let unreadable = |source: &Source, error: &dyn std::fmt::Display| {
            source.error(ErrorKind::Asset, spot, format!("cannot read the mesh `{file}`: {error}"), None)
        };
        let bytes = crate::assets::read_file(path).map_err(|error| unreadable(source, &error))?;
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
            Ok(mesh) => {
                let wide = |p: &[f32; 3]| Vec3::from_array(p.map(f64::from));
                let points: Vec<Vec3> = mesh.positions.iter().map(wide).collect();
                let has_hull = Polyhedron::hull(&points).is_ok();
                Ok(Ok(Kept { asset: self.keep(&name, &files), has_hull }))
            }
            Err(error) if matches!(error.problem, MeshProblem::Ending(_)) => {
                Ok(Err(error.problem.to_string()))
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
        // A single place that the message names already says nothing.
        let looked = (listed != [file]).then_some(looked);
        let help: Vec<String> = near.into_iter().chain(looked).collect();
        Err(source.error(ErrorKind::Asset, spot, message, (!help.is_empty()).then(|| help.join("\n"))))
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
