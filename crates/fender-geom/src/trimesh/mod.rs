//! Triangle meshes to collide with: made once, then shared and never changed.
//!
//! A mesh is *closed* if the directions of its triangles cancel at every edge and it holds a volume. Then it is a solid with an
//! outside, where its normals point. Any other mesh is *open*: a sheet without thickness that is touched from both sides.
//!
//! Vertices at one place are made one, triangles are put in the order of the tree, and who meets whom at edges and vertices is
//! written down. What looks wrong is counted in [`Diagnostics`], with the first few places; nothing of it is an error, because every
//! query has a defined answer for it: triangles without area count with their sides and take the normal of the neighbour along
//! the longest.

mod adjacency;
mod build;
mod bvh;
mod closest;
mod diagnose;
mod heightfield;
mod heights;
mod import;
mod mass;
mod ray;
mod slab;
pub(crate) mod triangle;
mod weld;

pub use adjacency::{Edge, EdgeKind, NONE};
pub use build::TriMeshError;
pub use closest::{Closest, Feature};
pub use diagnose::{Diagnostics, Finding, Place};
pub use heightfield::Heightfield;
pub use heights::HeightsError;
pub use ray::Hit;

use crate::Polyhedron;
use adjacency::Adjacency;
pub(crate) use bvh::{Node, Tree};
use fender_math::Vec3;
pub(crate) use mass::Integrals;
use std::fmt;
use std::sync::OnceLock;
pub(crate) use weld::weld;

/// Cosine of 30°, from which on faces are two.
pub(crate) const CREASE: f64 = 0.866_025_403_784_438_6;

/// Triangles, with their neighbours and a tree for searches. Usually in an [`std::sync::Arc`].
#[derive(Clone, PartialEq)]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Unit normals; those of triangles without area are their neighbours'.
    normals: Vec<Vec3>,
    /// Numbers of the triangles in what the mesh was made of.
    sources: Vec<u32>,
    adjacency: Adjacency,
    pub(crate) tree: Tree,
    low: Vec3,
    high: Vec3,
    /// Largest distance of a vertex from the frame's origin [m].
    reach: f64,
    is_closed: bool,
    is_creased: bool,
    diagnostics: Diagnostics,
    /// Made when it is first asked for.
    hull: Hull,
}

/// What follows from the rest of the mesh, made once.
#[derive(Clone, Default)]
struct Hull(OnceLock<Option<Polyhedron>>);

impl PartialEq for Hull {
    /// Meshes are the same whether or not somebody has asked for it.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl TriMesh {
    /// The smallest convex polyhedron that holds it; `None` if it has no volume.
    pub fn hull(&self) -> Option<&Polyhedron> {
        self.hull.0.get_or_init(|| Polyhedron::hull(&self.vertices).ok()).as_ref()
    }

    /// Vertices [m], without doubles.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Corners of the triangles, counter-clockwise seen from outside, in the order of the tree.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Edges, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.adjacency.edges
    }

    /// Edges of a triangle: from its corners 0 to 1, 1 to 2 and 2 to 0.
    pub fn edges_of(&self, triangle: u32) -> [u32; 3] {
        self.adjacency.of_face[triangle as usize]
    }

    /// Whether two triangles meet at more than 30° in an edge: there a body touches two faces, not one that is bent.
    pub fn is_crease(&self, edge: u32) -> bool {
        let Edge { faces: [a, b], kind, .. } = self.edges()[edge as usize];
        matches!(kind, EdgeKind::Convex | EdgeKind::Concave) && self.normal(a).dot(self.normal(b)) < CREASE
    }

    /// Whether it has any such edge.
    pub fn is_creased(&self) -> bool {
        self.is_creased
    }

    /// Triangles around a vertex.
    pub fn fan(&self, vertex: u32) -> &[u32] {
        self.adjacency.fan(vertex)
    }

    /// Number of a triangle in what the mesh was made of.
    pub fn source(&self, triangle: u32) -> u32 {
        self.sources[triangle as usize]
    }

    /// Outward unit normal of a triangle.
    #[inline]
    pub fn normal(&self, triangle: u32) -> Vec3 {
        self.normals[triangle as usize]
    }

    /// Places of the corners of a triangle [m].
    #[inline]
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// Whether it is the surface of a solid.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// What was found when it was made.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Lowest and highest corner of the smallest box along the axes that holds it [m].
    pub fn extent(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// Radius about the frame's origin that holds it [m].
    pub fn bounding_radius(&self) -> f64 {
        self.reach
    }

    /// Length of the diagonal of its box [m], for tolerances.
    pub fn size(&self) -> f64 {
        (self.high - self.low).length()
    }

    /// Memory that it takes [bytes].
    pub fn bytes(&self) -> usize {
        let adjacency = &self.adjacency;
        self.vertices.len() * size_of::<Vec3>()
            + self.triangles.len() * (2 * size_of::<[u32; 3]>() + size_of::<Vec3>() + size_of::<u32>())
            + adjacency.edges.len() * size_of::<Edge>()
            + (adjacency.starts.len() + adjacency.fans.len()) * size_of::<u32>()
            + self.tree.bytes()
    }
}

/// Not all of its numbers.
impl fmt::Debug for TriMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TriMesh")
            .field("vertices", &self.vertices.len())
            .field("triangles", &self.triangles.len())
            .field("is_closed", &self.is_closed)
            .field("low", &self.low)
            .field("high", &self.high)
            .finish_non_exhaustive()
    }
}
