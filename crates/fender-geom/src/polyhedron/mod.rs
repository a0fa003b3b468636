//! Convex polyhedra: the hulls of points, with polygons for faces. Made once, then shared and never changed.
//!
//! Faces, edges and vertices know their neighbours, so that the farthest vertex along a direction is found by climbing from vertex to
//! vertex (a convex body has no hill that is not the highest).

mod hull;
mod mass;
mod merge;
mod query;
mod stand;

use crate::pair::patch::cells::{LazyCells, PolyhedronCells};
use fender_math::Vec3;
use std::fmt;

/// A convex polyhedron. Usually in an [`std::sync::Arc`].
#[derive(Clone, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<Vec3>,
    /// Corners of all faces, one face after another.
    corners: Vec<u32>,
    faces: Vec<Face>,
    /// Outward unit normals of the faces: apart, for those who go through them all.
    normals: Vec<Vec3>,
    edges: Vec<Edge>,
    around: Around,
    /// How the faces stand on a half-space.
    stands: Vec<stand::Stand>,
    /// Its division for contacts in which it is soft.
    cells: LazyCells,
    low: Vec3,
    high: Vec3,
    reach: f64,
}

/// A face: a polygon in a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Face {
    /// Where its corners are in the list of all.
    start: u32,
    len: u32,
    /// Distance of its plane from the origin along the normal [m].
    offset: f64,
}

/// An edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends, counter-clockwise around the first face.
    pub vertices: [u32; 2],
    /// The faces on its left and right.
    pub faces: [u32; 2],
}

/// What is around each vertex, in lists one after another: `starts[v]..starts[v + 1]`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Around {
    starts: Vec<u32>,
    /// The vertices at the other ends of its edges.
    vertices: Vec<u32>,
    /// Its edges.
    edges: Vec<u32>,
    /// Its faces.
    faces: Vec<u32>,
}

/// Why points span no polyhedron.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolyhedronError {
    /// Fewer than four points.
    #[error("a polyhedron needs at least four points, and there are {count}")]
    TooFew {
        /// Points that are there.
        count: usize,
    },
    /// A coordinate is infinite, or not a number.
    #[error("point {point} has a coordinate that is not a finite number")]
    NotFinite {
        /// Number of the point, from 0.
        point: usize,
    },
    /// A coordinate is larger than 1e15 m.
    #[error("point {point} has the coordinate {value:e} m, which is too large: they go up to {LARGEST:e} m")]
    TooFar {
        /// Number of the point, from 0.
        point: usize,
        /// The coordinate [m].
        value: f64,
    },
    /// More than [`crate::mesh::MAX_SIZE`] points.
    #[error("there are more than {} million points", crate::mesh::MAX_SIZE / 1_000_000)]
    TooMany,
    /// All points are at one place.
    #[error("all points are at one place")]
    OnePlace,
    /// All points are in one line.
    #[error("all points are in one line, or nearer to it than 1e-8 of their extent")]
    Collinear,
    /// All points are in one plane.
    #[error("all points are in one plane, or nearer to it than 1e-8 of their extent")]
    Coplanar,
}

/// Largest coordinate [m], as for triangle meshes.
const LARGEST: f64 = 1e15;
/// Points that are farther from a plane than this part of the extent never belong to it.
const MOST_LEVEL: f64 = 1e-6;
/// Smallest extent [m]: squares of lengths must not vanish.
const SMALLEST: f64 = 1e-100;

impl Polyhedron {
    /// The smallest convex polyhedron that holds `points` [m]. Corners are some of the points; those within about 1e-9 of the extent of a face or an
    /// edge are not.
    pub fn hull(points: &[Vec3]) -> Result<Self, PolyhedronError> {
        if points.len() > crate::mesh::MAX_SIZE {
            return Err(PolyhedronError::TooMany);
        }
        if let Some(point) = points.iter().position(|p| !p.is_finite() || p.abs().max_element() > LARGEST) {
            let value = points[point].to_array().into_iter().find(|x| x.abs() > LARGEST);
            return Err(match value {
                Some(value) if points[point].is_finite() => PolyhedronError::TooFar { point, value },
                _ => PolyhedronError::NotFinite { point },
            });
        }
        if points.len() < 4 {
            return Err(PolyhedronError::TooFew { count: points.len() });
        }
        let (low, high) = extent(points);
        if (high - low).max_element() < SMALLEST {
            return Err(PolyhedronError::OnePlace);
        }
        let size = (high - low).max_element();
        let mut points = crate::trimesh::weld(points, merge::SAME * size).vertices;
        let mut level = merge::LEVEL * size;
        loop {
            let triangles = hull::hull(&points)?;
            match merge::polygons(&points, &triangles, level) {
                Ok(loops) => return Ok(Self::of_loops(&points, &loops)),
                // Points almost in a plane or line are in the way: without them, or with more patience.
                Err(corners) if level < MOST_LEVEL * size => {
                    if corners.len() >= 4 {
                        points = corners.iter().map(|v| points[*v as usize]).collect();
                    }
                    level *= 4.0;
                }
                Err(_) => {
                    let loops: Vec<Vec<u32>> = triangles.iter().map(|t| t.to_vec()).collect();
                    return Ok(Self::of_loops(&points, &loops));
                }
            }
        }
    }

    /// From faces whose edges fit together.
    fn of_loops(points: &[Vec3], loops: &[Vec<u32>]) -> Self {
        // Vertices in the order in which they were given, without those that are no corners.
        let mut to = vec![u32::MAX; points.len()];
        for v in loops.iter().flatten() {
            to[*v as usize] = 0;
        }
        let mut vertices = Vec::new();
        for (i, p) in points.iter().enumerate().filter(|(i, _)| to[*i] == 0).collect::<Vec<_>>() {
            to[i] = vertices.len() as u32;
            vertices.push(*p);
        }
        let (low, high) = extent(&vertices);
        let middle = 0.5 * (low + high);
        let (mut corners, mut faces, mut normals) = (Vec::new(), Vec::new(), Vec::new());
        for face in loops {
            let start = corners.len() as u32;
            corners.extend(face.iter().map(|v| to[*v as usize]));
            let at = |k: usize| vertices[to[face[k % face.len()] as usize] as usize] - middle;
            // The vector area (Newell) is the normal also where corners are not quite in one plane.
            let area: Vec3 = (0..face.len()).map(|k| at(k).cross(at(k + 1))).sum();
            let normal = area.normalize_or(Vec3::Z);
            let height = (0..face.len()).map(|k| normal.dot(at(k))).sum::<f64>() / face.len() as f64;
            faces.push(Face { start, len: face.len() as u32, offset: height + normal.dot(middle) });
            normals.push(normal);
        }
        let reach = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let mut polyhedron = Self {
            vertices,
            corners,
            faces,
            normals,
            edges: Vec::new(),
            around: Around::default(),
            stands: Vec::new(),
            cells: LazyCells::default(),
            low,
            high,
            reach,
        };
        polyhedron.connect();
        polyhedron.stands = polyhedron.stands();
        polyhedron
    }

    /// Writes down who is beside whom.
    fn connect(&mut self) {
        let mut open = std::collections::HashMap::new();
        for f in 0..self.faces.len() as u32 {
            let corners = self.corners(f);
            for (k, v) in corners.iter().enumerate() {
                open.insert([*v, corners[(k + 1) % corners.len()]], f);
            }
        }
        for f in 0..self.faces.len() as u32 {
            for k in 0..self.corners(f).len() {
                let corners = self.corners(f);
                let (v, w) = (corners[k], corners[(k + 1) % corners.len()]);
                // Each edge once, from its lower end; every side has another face, as `merge` made sure.
                if let Some(other) = open.get(&[w, v]).filter(|_| v < w) {
                    self.edges.push(Edge { vertices: [v, w], faces: [f, *other] });
                }
            }
        }
        let count = self.vertices.len();
        let mut of_vertex = vec![(Vec::new(), Vec::new(), Vec::new()); count];
        for (e, edge) in self.edges.iter().enumerate() {
            let [v, w] = edge.vertices;
            for (v, w) in [(v, w), (w, v)] {
                of_vertex[v as usize].0.push(w);
                of_vertex[v as usize].1.push(e as u32);
            }
        }
        for f in 0..self.faces.len() as u32 {
            for v in self.corners(f) {
                of_vertex[*v as usize].2.push(f);
            }
        }
        self.around.starts.push(0);
        for (vertices, edges, faces) in of_vertex {
            self.around.vertices.extend(vertices);
            self.around.edges.extend(edges);
            self.around.faces.extend(faces);
            self.around.starts.push(self.around.vertices.len() as u32);
        }
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Outward unit normals of the faces.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Corners of a face, counter-clockwise seen from outside.
    pub fn corners(&self, face: u32) -> &[u32] {
        let Face { start, len, .. } = self.faces[face as usize];
        &self.corners[start as usize..(start + len) as usize]
    }

    /// Edges, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Vertices at the other ends of the edges of a vertex.
    pub fn beside(&self, vertex: u32) -> &[u32] {
        &self.around.vertices[self.around_of(vertex)]
    }

    /// Edges of a vertex.
    pub fn edges_at(&self, vertex: u32) -> &[u32] {
        &self.around.edges[self.around_of(vertex)]
    }

    /// Faces around a vertex.
    pub fn faces_at(&self, vertex: u32) -> &[u32] {
        &self.around.faces[self.around_of(vertex)]
    }

    /// As many faces as edges meet at a vertex.
    fn around_of(&self, vertex: u32) -> std::ops::Range<usize> {
        self.around.starts[vertex as usize] as usize..self.around.starts[vertex as usize + 1] as usize
    }

    /// Places inside by the nearest face; made at the first call.
    pub(crate) fn cells(&self) -> &PolyhedronCells {
        self.cells.of(self)
    }

    /// Triangles that its faces are made of, to be looked at.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for f in 0..self.faces.len() as u32 {
            let corners = self.corners(f);
            triangles.extend((1..corners.len() - 1).map(|k| [corners[0], corners[k], corners[k + 1]]));
        }
        triangles
    }

    /// Lowest and highest corner of the smallest box along the axes that holds it [m].
    pub fn extent(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// Middle of that box [m].
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Half the length of its diagonal [m], for tolerances.
    pub fn size(&self) -> f64 {
        0.5 * (self.high - self.low).length()
    }

    /// Radius about the frame's origin that holds it [m].
    pub fn bounding_radius(&self) -> f64 {
        self.reach
    }
}

fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)))
}

/// Not all of its numbers.
impl fmt::Debug for Polyhedron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Polyhedron")
            .field("vertices", &self.vertices.len())
            .field("faces", &self.faces.len())
            .field("low", &self.low)
            .field("high", &self.high)
            .finish_non_exhaustive()
    }
}
