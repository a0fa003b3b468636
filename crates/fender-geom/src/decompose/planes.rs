//! Exact convex pieces of a mesh with few planes, such as a bracket.
//!
//! The hull of the mesh is cut in two along the plane of a face that goes through it, and again, until no face goes through any cell. Each cell is then
//! convex, and inside the mesh or outside of it as a whole. Of the planes through a cell that one is taken which leaves the fewest planes through both
//! halves; then that with the largest faces. An L gives two pieces, a U three, with the volume of the mesh.

use crate::{Polyhedron, TriMesh};
use fender_math::Vec3;

/// Most planes that are tried: a surface that is round has more, and would be cut to splinters.
const MOST_PLANES: usize = 64;
/// Most triangles, for the time that it takes.
const MOST_TRIANGLES: usize = 10_000;
/// Most cells, inside and outside.
const MOST_CELLS: usize = 256;
/// What is within this part of the mesh's size of a plane is on it: what single precision does to coordinates, and ten times that.
const LEVEL: f64 = 1e-6;
/// Sine of the angle up to which planes are one.
const PARALLEL: f64 = 1e-5;

/// A plane that faces of the mesh lie in.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Plane {
    fn height(&self, p: Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}

/// The part of a face that is in a cell.
struct Piece {
    /// Index of its plane.
    plane: usize,
    corners: Vec<Vec3>,
}

/// A convex part of space, and the faces that go through it.
struct Cell {
    solid: Polyhedron,
    faces: Vec<Piece>,
}

/// Convex pieces that together are the mesh; `None` if it has too many planes, or would have more cells than are tried.
pub(super) fn cut(mesh: &TriMesh, hull: &Polyhedron) -> Option<Vec<Polyhedron>> {
    if mesh.triangles().len() > MOST_TRIANGLES {
        return None;
    }
    let level = LEVEL * mesh.size();
    let (planes, faces) = faces(mesh, hull, level)?;
    let mut waiting = vec![Cell { solid: hull.clone(), faces }];
    let (mut inside, mut count) = (Vec::new(), 1);
    while let Some(cell) = waiting.pop() {
        let Some(best) = cell.best(&planes, level) else {
            if mesh.holds(cell.solid.vertices().iter().sum::<Vec3>() / cell.solid.vertices().len() as f64)? {
                inside.push(cell.solid);
            }
            continue;
        };
        count += 1;
        if count > MOST_CELLS {
            return None;
        }
        waiting.extend(cell.halves(&planes[best], best, level));
    }
    Some(inside)
}

/// The planes of the faces that go through the hull, and these faces.
fn faces(mesh: &TriMesh, hull: &Polyhedron, level: f64) -> Option<(Vec<Plane>, Vec<Piece>)> {
    let (mut planes, mut faces): (Vec<Plane>, Vec<Piece>) = (Vec::new(), Vec::new());
    for f in 0..mesh.triangles().len() as u32 {
        let corners = mesh.corners(f).to_vec();
        if !goes_through(&corners, hull, level) {
            continue;
        }
        let normal = mesh.normal(f);
        let is_same = |plane: &Plane| {
            plane.normal.cross(normal).length() < PARALLEL
                && corners.iter().all(|p| plane.height(*p).abs() <= level)
        };
        let plane = planes.iter().position(is_same).unwrap_or_else(|| {
            planes.push(Plane { normal, offset: normal.dot(corners[0]) });
            planes.len() - 1
        });
        if planes.len() > MOST_PLANES {
            return None;
        }
        faces.push(Piece { plane, corners });
    }
    Some((planes, faces))
}

impl Cell {
    /// The plane to cut along; `None` if no face goes through.
    fn best(&self, planes: &[Plane], level: f64) -> Option<usize> {
        let mut areas = vec![0.0; planes.len()];
        for face in &self.faces {
            areas[face.plane] += area(&face.corners);
        }
        let used = || (0..planes.len()).filter(|i| areas[*i] > 0.0);
        // Planes that would still go through one half or the other.
        let left = |i: usize| {
            let mut through = [vec![false; planes.len()], vec![false; planes.len()]];
            for face in self.faces.iter().filter(|face| face.plane != i) {
                let heights = || face.corners.iter().map(|p| planes[i].height(*p));
                through[0][face.plane] |= heights().any(|h| h < -level);
                through[1][face.plane] |= heights().any(|h| h > level);
            }
            through.iter().flatten().filter(|is_through| **is_through).count()
        };
        used()
            .map(|i| (left(i), i))
            .min_by(|(a, i), (b, k)| a.cmp(b).then(areas[*k].total_cmp(&areas[*i])))
            .map(|(_, i)| i)
    }

    /// Both sides of a plane that goes through.
    fn halves(&self, plane: &Plane, name: usize, level: f64) -> impl Iterator<Item = Self> {
        let vertices = self.solid.vertices();
        let heights: Vec<f64> = vertices.iter().map(|p| plane.height(*p)).collect();
        let crossing = self.solid.edges().iter().filter_map(|edge| {
            let [a, b] = edge.vertices.map(|v| v as usize);
            let (h, k) = (heights[a], heights[b]);
            (h.abs() > level && k.abs() > level && (h > 0.0) != (k > 0.0))
                .then(|| vertices[a].lerp(vertices[b], h / (h - k)))
        });
        let crossing: Vec<Vec3> = crossing.collect();
        let halves = [-1.0, 1.0].into_iter().filter_map(|side| {
            let own = vertices.iter().zip(&heights).filter(|(_, h)| side * **h >= -level).map(|(p, _)| *p);
            let points: Vec<Vec3> = own.chain(crossing.iter().copied()).collect();
            // What is flat holds nothing.
            let solid = Polyhedron::hull(&points).ok()?;
            let on_side = self.faces.iter().filter(|face| face.plane != name).filter_map(|face| {
                let corners = clip(&face.corners, |p| side * plane.height(p));
                goes_through(&corners, &solid, level).then_some(Piece { plane: face.plane, corners })
            });
            let faces = on_side.collect();
            Some(Self { solid, faces })
        });
        halves.collect::<Vec<_>>().into_iter()
    }
}

/// Whether a part of a polygon is inside a solid, deeper than `level` [m].
fn goes_through(corners: &[Vec3], solid: &Polyhedron, level: f64) -> bool {
    let mut left = corners.to_vec();
    for face in 0..solid.normals().len() as u32 {
        left = clip(&left, |p| -solid.height(face, p) - level);
        if left.len() < 3 {
            return false;
        }
    }
    // A sliver as wide as that is on an edge.
    area(&left) > level * level
}

/// The part of a convex polygon where a linear function is not negative.
fn clip(corners: &[Vec3], height: impl Fn(Vec3) -> f64) -> Vec<Vec3> {
    let mut left = Vec::with_capacity(corners.len() + 1);
    for (i, p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let (h, k) = (height(*p), height(q));
        if h >= 0.0 {
            left.push(*p);
        }
        if (h >= 0.0) != (k >= 0.0) {
            left.push(p.lerp(q, h / (h - k)));
        }
    }
    left
}

fn area(corners: &[Vec3]) -> f64 {
    let twice: Vec3 = corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0])).sum();
    0.5 * twice.length()
}
