//! Shapes and what geometry tells physics: mass properties, bounds, candidate pairs, overlaps, distances and rays; meshes to
//! collide with ([`trimesh`]) and meshes that bodies are shown with ([`mesh`]).
//!
//! `parry` is an implementation detail of this crate and appears in no public signature.

pub mod bounds;
pub mod broad;
pub mod decompose;
pub mod distance;
pub mod feature;
pub mod mesh;
pub mod narrow;
pub mod pair;
pub mod parts;
pub mod polyhedron;
pub mod ray;
pub mod shape;
pub mod trimesh;
mod tube;

pub use bounds::Bounds;
pub use broad::BroadPhase;
pub use decompose::{Decomposition, decompose};
pub use feature::Feature;
pub use mesh::{MeshPart, VisualMesh};
pub use narrow::{Overlaps, overlaps};
pub use polyhedron::{Polyhedron, PolyhedronError};
pub use ray::RayHit;
pub use shape::{Shape, ShapeError};
pub use trimesh::TriMesh;

#[cfg(test)]
#[path = "../tests/all/random_cases/mod.rs"]
mod random_cases;
