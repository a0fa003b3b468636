//! What is wrong with a mesh file, and where.

use std::fmt;

/// Why a mesh cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct MeshError {
    /// File that is wrong: the mesh, or one that it names.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    pub problem: MeshProblem,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole file.
    File,
    /// A line of a text, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// An object of a glTF file, such as `accessors[3]`.
    Item(String),
}

/// What is wrong with a mesh file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshProblem {
    /// The name does not tell a format.
    #[error("a mesh is a .stl, .obj, .gltf or .glb file, and this is {}", ending_words(.0))]
    Ending(String),
    /// The file ends before what it announces.
    #[error("the file is cut short: {what} needs {needs} bytes, and there are {has}")]
    Truncated {
        /// What does not fit.
        what: &'static str,
        /// Bytes it needs.
        needs: u64,
        /// Bytes that are there.
        has: u64,
    },
    /// It is not what its format says.
    #[error("{0}")]
    Malformed(String),
    /// A number that refers to something points outside of it.
    #[error("{what} {index} does not exist: there are {count}")]
    Index {
        /// What is referred to.
        what: &'static str,
        /// As it stands in the file.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// A coordinate is infinite, or not a number.
    #[error("a coordinate is not a finite number")]
    NotFinite,
    /// A coordinate is a number, but beyond [`super::LARGEST`].
    #[error("the coordinate {0:e} is too large: they go up to {limit:e}", limit = super::LARGEST)]
    TooFar(f64),
    /// There is no triangle with an area; what there is instead.
    #[error("there are no triangles in it: {0}")]
    Empty(String),
    /// More than [`super::MAX_SIZE`].
    #[error("it has more than {} million vertices or triangles", super::MAX_SIZE / 1_000_000)]
    TooLarge,
    /// Part of the format, but not read here.
    #[error("{0} cannot be read")]
    Unsupported(String),
    /// A file that it names is not there.
    #[error("it needs the file `{name}`: {why}")]
    Companion {
        /// Name as it stands in the file.
        name: String,
        /// Why it cannot be had.
        why: String,
    },
}

fn ending_words(ending: &str) -> String {
    if ending.is_empty() { "a name without an ending".into() } else { format!("a .{ending} file") }
}

impl MeshError {
    pub(super) fn new(place: Place, problem: MeshProblem) -> Self {
        Self { file: String::new(), place, problem }
    }

    pub(super) fn line(line: usize, message: impl Into<String>) -> Self {
        Self::new(Place::Line(line), MeshProblem::Malformed(message.into()))
    }

    /// The same error, of `file` unless it is already known to be of another.
    pub(super) fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            self.file = file.into();
        }
        self
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match &self.place {
            Place::File => {}
            Place::Line(line) => write!(f, ", line {line}")?,
            Place::Byte(byte) => write!(f, ", byte {byte}")?,
            Place::Item(item) => write!(f, ", {item}")?,
        }
        write!(f, ": {}", self.problem)
    }
}
