//! How a mesh is made of vertices and triangles.

use super::adjacency::{Adjacency, EdgeKind, NONE};
use super::diagnose::{Diagnostics, Finding, Place, Sets};
use super::mass::Integrals;
use super::weld::weld;
use super::{Hull, Tree, TriMesh, triangle};
use fender_math::Vec3;

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TriMeshError {
    /// No triangle has three corners at different places.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle has a corner that is not there.
    #[error("triangle {triangle} of the mesh has the vertex {vertex}, and there are {count}")]
    Index {
        /// Number of the triangle, from 0.
        triangle: usize,
        /// Number of the vertex, from 0.
        vertex: u32,
        /// Vertices that are there.
        count: usize,
    },
    /// A coordinate is infinite, or not a number.
    #[error("vertex {vertex} of the mesh has a coordinate that is not a finite number")]
    NotFinite {
        /// Number of the vertex, from 0.
        vertex: usize,
    },
    /// A coordinate is larger than 1e15 m.
    #[error(
        "vertex {vertex} of the mesh has the coordinate {value:e} m, which is too large: they go up to {LARGEST:e} m"
    )]
    TooFar {
        /// Number of the vertex, from 0.
        vertex: usize,
        /// The coordinate [m].
        value: f64,
    },
    /// More than [`crate::mesh::MAX_SIZE`].
    #[error("the mesh has more than {} million vertices or triangles", crate::mesh::MAX_SIZE / 1_000_000)]
    TooLarge,
}

/// Largest coordinate [m]: squares of it, and volumes, must be finite in single precision too.
const LARGEST: f64 = 1e15;
/// Vertices that are nearer than this part of the mesh's size are one: what rounding can do to a corner.
const SAME: f64 = 1e-12;
/// A closed mesh holds at least this part of the volume of its box; less is two sheets back to back.
const SOLID: f64 = 1e-9;

impl TriMesh {
    /// Mesh of triangles with corners in `vertices` [m], counter-clockwise seen from outside.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, TriMeshError> {
        Self::welded(vertices, triangles, 0.0)
    }

    /// Like [`TriMesh::new`]; makes one of vertices that are within `tolerance` [m], for files with corners that do not quite meet.
    pub fn welded(vertices: &[Vec3], triangles: &[[u32; 3]], tolerance: f64) -> Result<Self, TriMeshError> {
        check(vertices, triangles)?;
        let used = || triangles.iter().flatten().map(|v| vertices[*v as usize]);
        let (low, high) =
            used().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        let tolerance = tolerance.max(SAME * (high - low).length());
        let merged = weld(vertices, tolerance);
        let mut degenerate = Vec::new();
        let (mut kept, mut sources) = (Vec::new(), Vec::new());
        for (i, t) in triangles.iter().enumerate() {
            let [a, b, c] = t.map(|v| merged.to[v as usize]);
            if a == b || b == c || c == a {
                let corners = t.map(|v| vertices[v as usize]);
                degenerate.push(Place { triangle: i as u32, point: middle(&corners) });
            } else {
                kept.push([a, b, c]);
                sources.push(i as u32);
            }
        }
        if kept.is_empty() {
            return Err(TriMeshError::Empty);
        }
        let center = 0.5 * (low + high);
        let (mut tree, order) = Tree::build(&merged.vertices, &kept, center);
        let sources = order.iter().map(|i| sources[*i as usize]).collect();
        let triangles = order.iter().map(|i| kept[*i as usize]).collect();
        let (vertices, triangles) = in_order_of_use(&merged.vertices, triangles);
        tree.fit_slabs(&vertices, &triangles);
        let adjacency = Adjacency::of(vertices.len(), &triangles);
        let reach = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let duplicates = merged.to.len() - merged.vertices.len();
        let mut mesh = Self {
            normals: Vec::new(),
            is_closed: false,
            is_creased: false,
            diagnostics: Diagnostics::default(),
            hull: Hull::default(),
            vertices,
            triangles,
            sources,
            adjacency,
            tree,
            low,
            high,
            reach,
        };
        mesh.close();
        mesh.normals(&mut degenerate);
        mesh.adjacency.bend(&mesh.vertices, &mesh.normals);
        mesh.is_creased = (0..mesh.edges().len()).any(|e| mesh.is_crease(e as u32));
        mesh.diagnose(degenerate, duplicates);
        Ok(mesh)
    }

    /// Finds out whether there is an inside, and turns everything that is seen from there.
    fn close(&mut self) {
        let middle = self.tree.center();
        let corners = (0..self.triangles.len() as u32).map(|f| self.corners(f).map(|v| v - middle));
        let volume = Integrals::of(corners).volume;
        let extent = self.high - self.low;
        let is_balanced = self.adjacency.edges.iter().all(|e| e.is_balanced);
        self.is_closed = is_balanced && volume.abs() > SOLID * extent.x * extent.y * extent.z;
        if self.is_closed && volume < 0.0 {
            self.diagnostics.turned = true;
            for t in &mut self.triangles {
                *t = [t[0], t[2], t[1]];
            }
            // The first triangle of each edge now goes the other way.
            for e in &mut self.adjacency.edges {
                e.vertices.reverse();
            }
            for e in &mut self.adjacency.of_face {
                *e = [e[2], e[1], e[0]];
            }
        }
    }

    /// Normals of all triangles. Those without area take that of the neighbour along their longest side, which they lie on.
    fn normals(&mut self, degenerate: &mut Vec<Place>) {
        let mut without = Vec::new();
        for f in 0..self.triangles.len() as u32 {
            let corners = self.corners(f);
            let normal = triangle::normal(corners);
            if normal.is_none() {
                without.push(f);
                degenerate.push(Place { triangle: self.sources[f as usize], point: middle(&corners) });
            }
            self.normals.push(normal.unwrap_or(Vec3::ZERO));
        }
        // One that lies on another without area takes what that one takes: along the chain to the first that has a normal. A chain that
        // ends nowhere or in a circle takes any direction. Every triangle is walked over once, however long the chains are.
        let mut walked = vec![false; if without.is_empty() { 0 } else { self.triangles.len() }];
        let mut in_vain = Vec::new();
        let mut chain = Vec::new();
        for first in without {
            let mut at = first;
            let mut end = None;
            while !std::mem::replace(&mut walked[at as usize], true) {
                let beside = self.beside(at);
                chain.push((at, beside.map_or(1.0, |(_, sign)| sign)));
                let Some((other, _)) = beside else { break };
                at = other;
                if self.normals[at as usize] != Vec3::ZERO {
                    end = Some(self.normals[at as usize]);
                    break;
                }
            }
            for (f, sign) in chain.drain(..).rev() {
                if let Some(normal) = &mut end {
                    *normal *= sign;
                    self.normals[f as usize] = *normal;
                } else {
                    in_vain.push(f);
                }
            }
        }
        for f in in_vain {
            self.normals[f as usize] = Vec3::Z;
        }
    }

    /// The triangle along the longest side of one without area, which it lies on, and whether that has the same outside (1) or the other (−1).
    fn beside(&self, f: u32) -> Option<(u32, f64)> {
        let length = |e: u32| {
            let [a, b] = self.adjacency.edges[e as usize].vertices.map(|v| self.vertices[v as usize]);
            a.distance_squared(b)
        };
        let sides = self.adjacency.of_face[f as usize];
        let longest = sides.into_iter().reduce(|a, b| if length(b) > length(a) { b } else { a })?;
        let edge = &self.adjacency.edges[longest as usize];
        let other = if edge.faces[0] == f { edge.faces[1] } else { edge.faces[0] };
        (other != NONE).then_some((other, if edge.is_balanced { 1.0 } else { -1.0 }))
    }

    fn diagnose(&mut self, degenerate: Vec<Place>, duplicate_vertices: usize) {
        let (mut boundary, mut flipped, mut non_manifold) = (Vec::new(), Vec::new(), Vec::new());
        let mut rims = Sets::of(self.vertices.len());
        let mut parts = Sets::of(self.vertices.len());
        let mut on_rim = vec![false; self.vertices.len()];
        for edge in &self.adjacency.edges {
            let ends = edge.vertices.map(|v| self.vertices[v as usize]);
            let place = Place { triangle: self.sources[edge.faces[0] as usize], point: middle(&ends) };
            let [a, b] = edge.vertices;
            parts.join(a, b);
            match edge.kind {
                EdgeKind::Boundary => {
                    boundary.push(place);
                    rims.join(a, b);
                    (on_rim[a as usize], on_rim[b as usize]) = (true, true);
                }
                EdgeKind::NonManifold => non_manifold.push(place),
                _ if !edge.is_balanced => flipped.push(place),
                _ => {}
            }
        }
        self.diagnostics = Diagnostics {
            boundary: Finding::of(boundary),
            holes: rims.count(|v| on_rim[v as usize]),
            flipped: Finding::of(flipped),
            non_manifold: Finding::of(non_manifold),
            degenerate: Finding::of(degenerate),
            duplicate_vertices,
            parts: parts.count(|_| true),
            turned: self.diagnostics.turned,
        };
    }
}

fn check(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), TriMeshError> {
    let most = crate::mesh::MAX_SIZE;
    if vertices.len() > 3 * most || triangles.len() > most {
        return Err(TriMeshError::TooLarge);
    }
    // Written so that what is not a number is found too.
    if let Some(vertex) = vertices.iter().position(|v| !v.abs().cmple(Vec3::splat(LARGEST)).all()) {
        let value = vertices[vertex].to_array().into_iter().find(|x| x.abs() > LARGEST);
        return Err(match value {
            Some(value) if vertices[vertex].is_finite() => TriMeshError::TooFar { vertex, value },
            _ => TriMeshError::NotFinite { vertex },
        });
    }
    let count = vertices.len();
    for (triangle, t) in triangles.iter().enumerate() {
        if let Some(vertex) = t.iter().copied().find(|v| *v as usize >= count) {
            return Err(TriMeshError::Index { triangle, vertex, count });
        }
    }
    Ok(())
}

/// Vertices in the order in which the triangles use them, without those that none uses.
fn in_order_of_use(from: &[Vec3], mut triangles: Vec<[u32; 3]>) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut to = vec![NONE; from.len()];
    let mut vertices = Vec::new();
    for v in triangles.iter_mut().flatten() {
        let place = &mut to[*v as usize];
        if *place == NONE {
            *place = vertices.len() as u32;
            vertices.push(from[*v as usize]);
        }
        *v = *place;
    }
    (vertices, triangles)
}

fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as f64
}
