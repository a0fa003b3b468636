//! URDF files to scenarios.
//!
//! The way of a file: XML → `robot` (links and joints, with their places) → `tree` (which carries which) → `body` (which links
//! make a body) → text that a person could have written, and the meshes beside it.
//!
//! | In the URDF | In the scenario |
//! |---|---|
//! | link | body with the link's frame; one without a mass joins what it is fixed to |
//! | inertial | mass, centre and the inertia about it, turned to the body's axes |
//! | collision box, sphere, cylinder, capsule | shape |
//! | collision mesh | shape: the convex hull of its copy; one that cannot be read is left out with a warning |
//! | visual | visual, unless it is the same as the shapes |
//! | joint | joint; a floating one is none: the body is free |
//! | limit | stops; effort and velocity as a comment |
//! | dynamics | friction, viscous and dry |
//! | mimic | a loop that couples the two coordinates |

mod body;
mod mesh;
mod names;
mod read;
mod read_joint;
mod robot;
mod source;
mod text;
mod tree;
mod write;

use crate::error::{ErrorKind, ScenarioError, line_of_byte};
use body::Bodies;
use mesh::Meshes;
use source::Source;
use std::path::Path;
use tree::Tree;

/// How the robot's root is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// It never moves.
    #[default]
    Fixed,
    /// By nothing.
    Free,
}

/// A scenario made of a URDF file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Text of the scenario file.
    pub scenario: String,
    /// Files beside it: path relative to it, and contents.
    pub assets: Vec<(String, Vec<u8>)>,
    /// What did not come along, and what probably was not meant.
    pub warnings: Vec<String>,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of joints.
    pub joints: usize,
    /// Number of joints that mimic another.
    pub loops: usize,
}

/// Makes a scenario of a URDF file. Meshes are looked for beside it.
pub fn urdf(path: &Path, base: Base) -> Result<Imported, ScenarioError> {
    let shown = path.display().to_string();
    let bytes = crate::assets::read_text_file(path).map_err(|error| {
        ScenarioError::file(ErrorKind::Unreadable, &shown, format!("cannot be read: {error}"), None)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = line_of_byte(error.as_bytes(), error.utf8_error().valid_up_to());
        ScenarioError::file(ErrorKind::Syntax, &shown, format!("line {line} is not UTF-8 text"), None)
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    urdf_text(&shown, &text, folder, base)
}

/// Makes a scenario of the text of a URDF file, called `name` in messages. Meshes are looked for in `folder`.
pub fn urdf_text(name: &str, text: &str, folder: &Path, base: Base) -> Result<Imported, ScenarioError> {
    let mut source = Source::new(name, text);
    let robot = read::robot(&mut source)?;
    let tree = Tree::new(&source, &robot)?;
    let bodies = Bodies::new(&source, &robot, &tree, base)?;
    let mut meshes = Meshes::new(folder);
    let written = write::scenario(&mut source, &robot, &tree, &bodies, &mut meshes)?;
    Ok(Imported {
        scenario: written.text,
        assets: meshes.files,
        warnings: source.warnings,
        bodies: bodies.list.len(),
        joints: written.joints,
        loops: written.loops,
    })
}
