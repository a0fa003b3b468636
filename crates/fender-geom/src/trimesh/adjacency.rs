//! Which triangles meet at an edge and at a vertex, built once.

use fender_math::Vec3;

/// No triangle.
pub const NONE: u32 = u32::MAX;

/// Faces that meet at less than this angle are one plane: the sine. Coordinates in single precision make planes that are
/// turned in space uneven by about 1e-5.
const FLAT: f64 = 1e-4;

/// How the surface bends at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// One triangle only: the surface ends.
    Boundary,
    /// Two triangles in one plane.
    Flat,
    /// Sticks out.
    Convex,
    /// A groove.
    Concave,
    /// More than two triangles.
    NonManifold,
}

/// A side of one or more triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its ends, in the direction in which the first triangle goes around.
    pub vertices: [u32; 2],
    /// The first two triangles, or [`NONE`].
    pub faces: [u32; 2],
    /// How the surface bends.
    pub kind: EdgeKind,
    /// Whether the directions of all triangles there cancel, as they do on a surface with one outside.
    pub is_balanced: bool,
}

/// Edges, and the triangles around vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adjacency {
    pub edges: Vec<Edge>,
    /// For each triangle, the edges from its corners 0 to 1, 1 to 2 and 2 to 0.
    pub of_face: Vec<[u32; 3]>,
    /// Where the triangles of each vertex begin in `fans`.
    pub starts: Vec<u32>,
    pub fans: Vec<u32>,
}

impl Adjacency {
    /// Edges have no kind yet but how many triangles they have.
    pub fn of(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut halves: Vec<(u64, u32)> = Vec::with_capacity(3 * triangles.len());
        for (f, t) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                halves.push((u64::from(a.min(b)) << 32 | u64::from(a.max(b)), (3 * f + k) as u32));
            }
        }
        halves.sort_unstable();
        let mut edges = Vec::with_capacity(halves.len() / 2);
        let mut of_face = vec![[NONE; 3]; triangles.len()];
        for group in halves.chunk_by(|a, b| a.0 == b.0) {
            let corner = |half: u32| (half as usize / 3, half as usize % 3);
            let start = |half: u32| {
                let (f, k) = corner(half);
                triangles[f][k]
            };
            let ends = [start(group[0].1), {
                let (f, k) = corner(group[0].1);
                triangles[f][(k + 1) % 3]
            }];
            let forward = group.iter().filter(|g| start(g.1) == ends[0]).count();
            let id = edges.len() as u32;
            for (_, half) in group {
                let (f, k) = corner(*half);
                of_face[f][k] = id;
            }
            edges.push(Edge {
                vertices: ends,
                faces: [group[0].1 / 3, group.get(1).map_or(NONE, |g| g.1 / 3)],
                kind: match group.len() {
                    1 => EdgeKind::Boundary,
                    2 => EdgeKind::Flat,
                    _ => EdgeKind::NonManifold,
                },
                is_balanced: 2 * forward == group.len(),
            });
        }
        edges.shrink_to_fit();
        let (starts, fans) = fans(vertices, triangles);
        Self { edges, of_face, starts, fans }
    }

    /// Says of the edges between two triangles how the surface bends there; zero normals count as flat.
    pub fn bend(&mut self, vertices: &[Vec3], normals: &[Vec3]) {
        for edge in self.edges.iter_mut().filter(|e| e.kind == EdgeKind::Flat) {
            let [a, b] = edge.vertices.map(|v| vertices[v as usize]);
            let [own, other] = edge.faces.map(|f| f as usize);
            let along = (b - a).normalize_or_zero();
            // Across the edge into the other triangle: by its normal, because a triangle without area has taken that of a neighbour.
            let across = along.cross(normals[other]) * if edge.is_balanced { 1.0 } else { -1.0 };
            let up = normals[own].dot(across);
            edge.kind = if up > FLAT {
                EdgeKind::Concave
            } else if up < -FLAT {
                EdgeKind::Convex
            } else {
                EdgeKind::Flat
            };
        }
    }

    /// Triangles around a vertex.
    #[inline]
    pub fn fan(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.fans[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

fn fans(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; vertices + 1];
    for v in triangles.iter().flatten() {
        starts[*v as usize + 1] += 1;
    }
    for i in 0..vertices {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut fans = vec![0; 3 * triangles.len()];
    for (f, t) in triangles.iter().enumerate() {
        for v in t {
            let place = &mut next[*v as usize];
            fans[*place as usize] = f as u32;
            *place += 1;
        }
    }
    (starts, fans)
}
