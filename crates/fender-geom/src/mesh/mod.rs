//! Meshes that are only looked at: what a body shows in a viewer, whatever shapes it collides with.
//!
//! | File | Read | Not read |
//! |---|---|---|
//! | STL, binary and text | triangles, with flat shading | colours in attribute bytes |
//! | OBJ with MTL | polygons as fans, normals, `Kd`, `d`, `Tr`, `Ns`, `Pr`, `Pm` | textures, curves, lines, smoothing groups |
//! | glTF 2.0, text and binary | the nodes of the scene, triangles, strips and fans, factors of the materials | textures, vertex colours, skins, morph targets, animations, sparse and compressed accessors |
//!
//! Coordinates are taken as they are: a glTF file usually has y up and a drawing millimetres, and whoever uses the mesh
//! turns and scales it. What a file asks for and is not shown is listed in [`VisualMesh::warnings`].
//!
//! Files are not trusted: a count is compared with the bytes that are there before memory is taken for it, and a damaged
//! file is an error with its place, never a panic.

mod assemble;
mod error;
mod gltf;
mod look;
mod mtl;
mod normals;
mod obj;
mod solid;
mod stl;
mod sweep;

pub use error::{MeshError, MeshProblem, Place};

/// Most vertices and most triangles a mesh may have. A small file can name the same data many times.
pub const MAX_SIZE: usize = 20_000_000;

/// Largest coordinate, in the file's unit: what single precision holds, in which meshes are kept.
pub const LARGEST: f64 = 3.4e38;

/// Triangles with normals and colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualMesh {
    /// Vertices, in the file's unit.
    pub positions: Vec<[f32; 3]>,
    /// Unit normal of each vertex.
    pub normals: Vec<[f32; 3]>,
    /// Indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Runs of triangles of one colour, in order, that make up all of them.
    pub parts: Vec<MeshPart>,
    /// What the file has and is not shown.
    pub warnings: Vec<String>,
}

/// Triangles that look alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPart {
    /// First triangle.
    pub first: u32,
    /// Number of triangles.
    pub count: u32,
    /// Red, green, blue (sRGB) and opacity.
    pub colour: [u8; 4],
    /// 0 for a dielectric such as paint, 1 for bare metal.
    pub metallic: f32,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f32,
    /// Whether the file says so; what has no material takes the colour of its body.
    pub own_colour: bool,
}

impl VisualMesh {
    /// Gives what has no material of its own a colour.
    pub fn paint(&mut self, colour: [u8; 3]) {
        let [r, g, b] = colour;
        for part in self.parts.iter_mut().filter(|p| !p.own_colour) {
            part.colour = [r, g, b, 255];
        }
    }

    /// Smallest box that holds the vertices: its lowest and highest corner, in the file's unit.
    pub fn extent(&self) -> ([f32; 3], [f32; 3]) {
        let start = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        self.positions.iter().fold(start, |(low, high), p| {
            (std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i])))
        })
    }
}

/// Reads a mesh from the contents of the file `name`, whose ending tells the format. `load` gives the contents of the files
/// that it names (`.mtl`, `.bin`), by their path relative to it, or says why there is none.
pub fn read(
    name: &str,
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<VisualMesh, MeshError> {
    let ending =
        name.rsplit(['/', '\\']).next().and_then(|file| file.rsplit_once('.')).map_or("", |(_, e)| e);
    let result = match ending.to_ascii_lowercase().as_str() {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes, load),
        "gltf" => gltf::read_text(bytes, load),
        "glb" => gltf::read_binary(bytes, load),
        _ => Err(MeshError::new(Place::File, MeshProblem::Ending(ending.into()))),
    };
    // A companion's error has its own name already.
    result.map_err(|error| error.in_file(name))
}

#[cfg(test)]
mod tests;
