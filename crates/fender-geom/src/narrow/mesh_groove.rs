//! A region of two meshes that lies in a groove, as one contact for each face of the groove.
//!
//! A region has one normal. Where it goes around a groove, as that of a cube on a floor and against a wall of the same mesh, that would be the mean of two faces, which neither of them
//! has. Edges of the region that bend in by more than 30° therefore divide it: the planes of the triangles at these edges, those with nearly one normal taken together, are the *faces* of the groove.
//! What is below a face's plane is the *cell* of that face, with normal, depth and place as of any region. In the groove itself a place is below both
//! planes and counts in both cells: so flat faces push as half-spaces do, exactly, and a face that begins to be touched has a depth that begins at 0. For that, in a groove wider than 90°,
//! what is straight below one face is left out of the other's cell: it is there before the other face is touched.
//!
//! # Where faces are not flat
//! The plane of a face is lifted to the highest place of the region's part of it, if that is not more than the region is deep below the plane. One of the faces, the least flat one, may rise further, as the side of a
//! round hole: what is above all planes is in its cell too. Where two faces rise further than that, or most of the surface looks elsewhere, the region stays
//! as it is. In between both answers are mixed, so that nothing jumps.
//!
//! If there are grooves of both meshes in one region, that mesh counts that has the longer ones.

use super::mesh_cut::Pair;
use super::mesh_patch::{Between, Patch, Piece, Plane};
use super::touch::alike;
use crate::TriMesh;
use crate::trimesh::{CREASE, EdgeKind};
use fender_math::Vec3;

/// Most faces of a groove; with more the region stays as it is. The inner corner of a box has three.
pub const MOST_FACES: usize = 4;
/// Part of the grooved surface that must look as one of the faces does, to be divided at all and wholly.
const FACING: [f64; 2] = [0.5, 0.8];
/// How high a face may rise above its plane, as a part of how deep the region is below it, to be wholly a face of its own, and to be none.
const RISE: [f64; 2] = [0.5, 1.0];
/// How far planes are lifted so that rounding does not decide what of a flat face is below it, as a part of the size of the meshes.
const LIFT: f64 = 1e-13;
/// Cosine between the normals of a groove that is wider than 90°. Not 0, or two planes that are one would cut each other.
const WIDER: f64 = 1e-6;
/// A cell with less than this part of the region's volume has not begun.
const BEGUN: f64 = 1e-9;
/// Cosine of the largest angle between a face and the normal of its cell: 60°.
const LEAN: f64 = 0.5;
/// A cell whose surface is open by more than this part has not been found whole.
const WHOLE: f64 = 1e-3;

/// A part of a sharp concave edge that is inside the other mesh, in the frame of the first mesh.
#[derive(Clone, Copy)]
pub struct Groove {
    /// The mesh that has it.
    pub side: usize,
    pub faces: [u32; 2],
    pub ends: [Vec3; 2],
    /// The contour by which it is known.
    pub contour: u32,
}

impl Groove {
    /// `None` if the edge is no groove, or one of less than 30°.
    pub fn of(mesh: &TriMesh, edge: u32, piece: &Piece) -> Option<Self> {
        let is_sharp = mesh.is_crease(edge);
        let edge = &mesh.edges()[edge as usize];
        (is_sharp && edge.kind == EdgeKind::Concave).then_some(Self {
            side: piece.side,
            faces: edge.faces,
            ends: piece.ends,
            contour: piece.contour,
        })
    }

    fn length(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }
}

/// A plane at a groove, while it is collected and then as it is.
#[derive(Clone, Copy, Default)]
struct Face {
    /// Outwards, a unit vector in the end.
    normal: Vec3,
    /// In the plane.
    origin: Vec3,
    /// Of the edges [m].
    length: f64,
    /// How far the surface rises above the plane, and how far the other mesh is below it [m].
    rise: f64,
    depth: f64,
}

impl Face {
    /// Depth of a place below the plane [m].
    fn below(&self, p: Vec3) -> f64 {
        self.normal.dot(self.origin - p)
    }

    /// How far it is not flat: 1 where it rises as far above the plane as the other mesh is below.
    fn roughness(&self) -> f64 {
        if self.rise <= 0.0 { 0.0 } else { self.rise / self.depth.max(f64::MIN_POSITIVE) }
    }
}

/// What is kept of a surface: places p with normal·(p − origin) ≥ 0.
#[derive(Clone, Copy)]
struct Cut {
    normal: Vec3,
    origin: Vec3,
}

/// A triangle of the surface of a cell, negative if it goes round against its normal.
#[derive(Clone, Copy)]
pub struct Facet {
    side: usize,
    normal: Vec3,
    corners: [Vec3; 3],
}

impl Facet {
    /// What a piece encloses with the first end of another one of its triangle.
    fn of(pair: &Pair, first: &Piece, piece: &Piece) -> Self {
        let (_, normal) = pair.corner(piece.side, piece.face);
        Self { side: piece.side, normal, corners: [first.ends[0], piece.ends[0], piece.ends[1]] }
    }

    /// Area with its sign [m²].
    fn size(&self) -> f64 {
        let [p, q, r] = self.corners;
        0.5 * self.normal.dot((q - p).cross(r - p))
    }

    /// Gives the part that is kept, and what closes it in the plane, which is counted to the surface of `side`.
    fn cut(&self, cut: &Cut, side: usize, mut keep: impl FnMut(Self)) {
        let heights = self.corners.map(|p| cut.normal.dot(p - cut.origin));
        let inside = heights.map(|h| h >= 0.0);
        match inside.iter().filter(|is| **is).count() {
            0 => return,
            3 => return keep(*self),
            _ => {}
        }
        // One corner is on the other side than the two that follow it.
        let Some(lone) =
            (0..3).find(|k| inside[(k + 1) % 3] != inside[*k] && inside[(k + 2) % 3] != inside[*k])
        else {
            return;
        };
        let [i, k, m] = [lone, (lone + 1) % 3, (lone + 2) % 3];
        let between = |from: usize, to: usize| {
            let part = (heights[from] / (heights[from] - heights[to])).clamp(0.0, 1.0);
            self.corners[from].lerp(self.corners[to], part)
        };
        let (first, last) = (between(i, k), between(i, m));
        let [p, q, r] = [self.corners[i], self.corners[k], self.corners[m]];
        // Along the cut the kept part goes from one end to the other; what closes it goes back.
        let back = if inside[i] {
            keep(Self { corners: [p, first, last], ..*self });
            [last, first]
        } else {
            keep(Self { corners: [first, q, r], ..*self });
            keep(Self { corners: [first, r, last], ..*self });
            [first, last]
        };
        keep(Self { side, normal: -cut.normal, corners: [cut.origin, back[0], back[1]] });
    }
}

/// A region to be divided, and lists that keep their room.
#[derive(Default)]
pub struct GrooveScratch {
    /// Borders of its patches.
    pub pieces: Vec<Piece>,
    /// Its grooves.
    pub grooves: Vec<Groove>,
    /// All of the region's surface.
    whole: Vec<Facet>,
    cell: Vec<Facet>,
    waiting: Vec<Facet>,
    cut: Vec<Facet>,
}

/// Of a region in a groove.
#[derive(Clone, Copy)]
pub struct Cell {
    pub plane: Plane,
    pub between: Between,
}

/// The surface of a cell is not closed, or lies over itself.
struct NotFound;

/// Cells of a region's grooves, and how far they stand for it: from 0 to 1.
pub struct Cells {
    pub weight: f64,
    pub cells: [Option<Cell>; MOST_FACES],
}

/// Divides the region in `scratch` with this volume [m³]; `None` if it stays as it is.
pub fn divide(pair: &Pair, volume: f64, scratch: &mut GrooveScratch) -> Option<Cells> {
    let mut lengths = [0.0; 2];
    for groove in &scratch.grooves {
        lengths[groove.side] += groove.length();
    }
    let side = usize::from(lengths[1] > lengths[0]);
    // By triangles, from one of their own corners each, so that little is lost by rounding.
    let place = |p: Vec3| p.to_array().map(f64::to_bits);
    scratch.pieces.sort_unstable_by_key(|p| (p.side, p.face, place(p.ends[0]), place(p.ends[1])));
    scratch.whole.clear();
    for of_face in scratch.pieces.chunk_by(|p, q| (p.side, p.face) == (q.side, q.face)) {
        scratch.whole.extend(of_face.iter().map(|piece| Facet::of(pair, &of_face[0], piece)));
    }
    let (mut faces, count) = faces(pair, &scratch.grooves, side)?;
    let faces = &mut faces[..count];
    let facing = measure(&scratch.whole, side, faces);
    // The least flat one may be as it likes.
    let by_roughness = |i: &usize, k: &usize| faces[*i].roughness().total_cmp(&faces[*k].roughness());
    let roughest = (0..count).max_by(by_roughness)?;
    let second = (0..count).filter(|i| *i != roughest).map(|i| faces[i].roughness()).fold(0.0, f64::max);
    let weight = fade(facing, FACING) * (1.0 - fade(second, RISE));
    if weight.is_nan() || weight <= 0.0 {
        return None;
    }
    let lift = LIFT * (pair.a.size() + pair.b.size());
    for face in faces.iter_mut() {
        face.origin += face.normal * (face.rise.min(face.depth).max(0.0) + lift);
    }
    let mut cells = [None; MOST_FACES];
    for i in 0..count {
        scratch.cell.clear();
        let below = Cut { normal: -faces[i].normal, origin: faces[i].origin };
        for facet in &scratch.whole {
            facet.cut(&below, side, |kept| scratch.cell.push(kept));
        }
        for j in (0..count).filter(|j| *j != i) {
            scratch.leave(&faces[i], &faces[j], side);
        }
        if i == roughest {
            scratch.above_all(faces, side);
        }
        let toward = if side == 0 { -faces[i].normal } else { faces[i].normal };
        cells[i] = scratch.close(volume, toward).ok()?;
    }
    cells.iter().any(Option::is_some).then_some(Cells { weight, cells })
}

/// The planes of the grooves of one mesh, and how many there are; `None` if there are too many.
fn faces(pair: &Pair, grooves: &[Groove], side: usize) -> Option<([Face; MOST_FACES], usize)> {
    let mut faces = [Face::default(); MOST_FACES];
    let mut count = 0;
    for groove in grooves.iter().filter(|g| g.side == side) {
        let length = groove.length();
        for f in groove.faces {
            let (_, normal) = pair.corner(side, f);
            let cos = |face: &Face| face.normal.normalize_or_zero().dot(normal);
            let alike = faces[..count].iter_mut().max_by(|p, q| cos(p).total_cmp(&cos(q)));
            let face = match alike.filter(|face| cos(face) > CREASE) {
                Some(face) => face,
                None if count < MOST_FACES => {
                    count += 1;
                    &mut faces[count - 1]
                }
                None => return None,
            };
            face.normal += normal * length;
            face.origin += groove.ends[0].midpoint(groove.ends[1]) * length;
            face.length += length;
        }
    }
    for face in &mut faces[..count] {
        face.normal = face.normal.try_normalize()?;
        face.origin /= face.length;
    }
    (count > 1).then_some((faces, count))
}

/// Finds how far the surface rises above the faces' planes and how deep the other mesh is below, and gives the part of the surface that looks as one of them does.
fn measure(facets: &[Facet], side: usize, faces: &mut [Face]) -> f64 {
    let (mut facing, mut all) = (0.0, 0.0);
    for facet in facets {
        if facet.side != side {
            for face in faces.iter_mut() {
                face.depth = facet.corners.iter().map(|p| face.below(*p)).fold(face.depth, f64::max);
            }
            continue;
        }
        let cos = |face: &Face| face.normal.dot(facet.normal);
        let nearest = (0..faces.len()).max_by(|i, k| cos(&faces[*i]).total_cmp(&cos(&faces[*k])));
        let Some(nearest) = nearest else { continue };
        let part = alike(cos(&faces[nearest]));
        // What is nearer to another plane, as the rim of a hole to its side, is in that cell.
        let above = |p: &Vec3| {
            let others = faces.iter().enumerate().filter(|(i, _)| *i != nearest);
            let least = others.map(|(_, face)| -face.below(*p)).fold(f64::INFINITY, f64::min);
            let own = -faces[nearest].below(*p);
            own.min(least - own)
        };
        let rise = facet.corners.iter().map(above).fold(0.0, f64::max) * part;
        faces[nearest].rise = faces[nearest].rise.max(rise);
        facing += part * facet.size();
        all += facet.size();
    }
    facing / all
}

/// 0 up to the first limit, 1 from the second on.
fn fade(x: f64, [low, high]: [f64; 2]) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

impl GrooveScratch {
    /// Takes away from the cell of a face what is straight below another one, in a groove wider than 90°.
    fn leave(&mut self, face: &Face, other: &Face, side: usize) {
        if face.normal.dot(other.normal) <= WIDER {
            return;
        }
        // Along the other face, away from the groove.
        let Some(away) = face.normal.reject_from_normalized(other.normal).try_normalize() else { return };
        let to_groove = face.normal.dot(face.origin - other.origin) / face.normal.dot(away);
        let above = Cut { normal: other.normal, origin: other.origin };
        let below = Cut { normal: -other.normal, origin: other.origin };
        let beyond = Cut { normal: -away, origin: other.origin + away * to_groove };
        let Self { cell, waiting, cut, .. } = self;
        waiting.clear();
        cut.clear();
        for facet in cell.iter() {
            facet.cut(&above, side, |kept| waiting.push(kept));
            facet.cut(&below, side, |kept| cut.push(kept));
        }
        for facet in cut.iter() {
            facet.cut(&beyond, side, |kept| waiting.push(kept));
        }
        std::mem::swap(cell, waiting);
    }

    /// Adds what is above all planes to the cell.
    fn above_all(&mut self, faces: &[Face], side: usize) {
        let Self { whole, cell, waiting, cut, .. } = self;
        waiting.clear();
        waiting.extend(whole.iter());
        for face in faces {
            let above = Cut { normal: face.normal, origin: face.origin };
            cut.clear();
            for facet in waiting.iter() {
                facet.cut(&above, side, |kept| cut.push(kept));
            }
            std::mem::swap(waiting, cut);
        }
        cell.extend(waiting.iter());
    }

    /// Finds normal, depth and place of the cell, with the normal about `toward`, of a region with the volume `whole` [m³]; none if it has not begun, an error if its surface says nothing.
    fn close(&self, whole: f64, toward: Vec3) -> Result<Option<Cell>, NotFound> {
        let mut areas = [Vec3::ZERO; 2];
        for facet in &self.cell {
            areas[facet.side] += facet.normal * facet.size();
        }
        let area = 0.5 * (areas[1] - areas[0]);
        let is_whole = (areas[0] + areas[1]).length() <= WHOLE * area.length();
        let Some(normal) = area.try_normalize() else { return Ok(None) };
        let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
        let mut volume = 0.0;
        let origin = self.cell[0].corners[0];
        for facet in &self.cell {
            let [p, q, r] = facet.corners.map(|p| p - origin);
            let outward = facet.normal.dot(normal) * facet.size();
            let seen = if facet.side == 0 { -outward } else { outward };
            sum += (p + q + r) * (seen / 3.0);
            weight += seen;
            volume += outward * normal.dot(p + q + r) / 3.0;
        }
        // One that looks elsewhere has little more than what is straight below another face.
        if volume.is_nan() || volume <= BEGUN * whole || normal.dot(toward) < LEAN {
            return Ok(None);
        }
        if !is_whole || weight <= 0.0 {
            return Err(NotFound);
        }
        let centroid = origin + sum / weight;
        let plane = Plane::new(centroid, normal, |u, v| {
            let mut sums = [0.0; 3];
            for facet in &self.cell {
                let [p, q, r] = facet.corners.map(|p| p - centroid);
                let all = p + q + r;
                let outward = facet.normal.dot(normal) * facet.size() / (12.0 * weight);
                let part = if facet.side == 0 { -outward } else { outward };
                for (sum, (d, e)) in sums.iter_mut().zip([(u, u), (u, v), (v, v)]) {
                    let corners: f64 = [p, q, r, all].iter().map(|p| d.dot(*p) * e.dot(*p)).sum();
                    *sum += part * corners;
                }
            }
            sums
        });
        let mut patches = [Patch::default(); 2];
        for facet in &self.cell {
            patches[facet.side].add_triangle(&plane, facet.side, facet.corners, facet.normal, facet.size());
        }
        let extent = plane.extent(self.cell.iter().flat_map(|facet| facet.corners)).ok_or(NotFound)?;
        let between = Between::of(&plane, &patches[0], &patches[1], extent).ok_or(NotFound)?;
        Ok(Some(Cell { plane, between }))
    }
}
