//! A convex solid cut by planes, and its integrals.
//!
//! Each face is a set of directed edges, counter-clockwise seen from outside, in no particular order. A plane
//! decides once for each point on which side it is, the point in which an edge crosses the plane is computed
//! from its inner end for both faces that share the edge, and the cut face is made of the edges that close
//! the other faces. So the surface stays closed for any pattern of signs, also where rounding decides: faces
//! in one plane need no tolerance, and what rounding changes in an integral is of the order of rounding.

use super::cells::Plane;
use super::{CellMoments, SectionMoments};
use fender_math::{Mat3, Vec3};
use smallvec::SmallVec;

/// What a face of a cut solid belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaceSource {
    /// A face of the solid that is cut, by its number.
    Rigid(u32),
    /// The face of the cell.
    Top,
    /// A wall of the cell, by its number in the cell's list.
    Wall(u32),
}

/// A directed edge of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutEdge {
    /// Numbers of its ends.
    pub ends: [u32; 2],
    /// The face beyond it, where a cut has made the edge.
    pub beyond: Option<FaceSource>,
}

/// A face: edges up to `end` in the list of all, from where those of the face before it end.
#[derive(Clone, Copy, Debug)]
struct CutFace {
    source: FaceSource,
    end: u32,
}

/// A convex solid that planes have cut.
#[derive(Debug, Default)]
pub(super) struct CutSolid {
    points: SmallVec<[Vec3; 64]>,
    edges: SmallVec<[CutEdge; 128]>,
    faces: SmallVec<[CutFace; 16]>,
}

/// Lists that a cut works with; kept so that they need not be made for each cut.
#[derive(Debug, Default)]
pub(super) struct CutScratch {
    /// Heights of the points above the plane [m].
    heights: SmallVec<[f64; 64]>,
    /// New number of each point that is kept.
    renumbered: SmallVec<[u32; 64]>,
    /// Edges that cross the plane: inner end, outer end, number of the crossing.
    crossings: SmallVec<[[u32; 3]; MAX_KNOWN]>,
    /// Edges of the cut face.
    cap: SmallVec<[CutEdge; 32]>,
}

/// Up to this many crossings are looked up for the second face of an edge; beyond, a point is computed again,
/// with the same bits.
const MAX_KNOWN: usize = 32;

/// A point that has no new number yet.
const NOT_KEPT: u32 = u32::MAX;

/// A symmetric matrix.
#[derive(Clone, Copy, Default)]
struct Symmetric {
    /// xx, yy, zz.
    diagonal: Vec3,
    /// xy, yz, zx.
    beside: Vec3,
}

impl Symmetric {
    /// Adds w·v vᵀ.
    #[inline]
    fn add_square(&mut self, v: Vec3, weight: f64) {
        let scaled = v * weight;
        self.diagonal += scaled * v;
        self.beside += scaled * Vec3::new(v.y, v.z, v.x);
    }

    fn matrix(&self) -> Mat3 {
        let (d, b) = (self.diagonal, self.beside);
        Mat3::from_cols(Vec3::new(d.x, b.x, b.z), Vec3::new(b.x, d.y, b.y), Vec3::new(b.z, b.y, d.z))
    }
}

/// The cut of one solid into another.
struct Cutter<'a> {
    points: &'a [Vec3],
    /// Heights of the points above the plane [m].
    heights: &'a [f64],
    /// New numbers of the points that are kept.
    renumbered: &'a [u32],
    by: FaceSource,
    crossings: &'a mut SmallVec<[[u32; 3]; MAX_KNOWN]>,
    cap: &'a mut SmallVec<[CutEdge; 32]>,
    into: &'a mut CutSolid,
}

impl Cutter<'_> {
    /// Number of the point in which an edge crosses the plane, always computed from the inner end: both faces
    /// that share the edge get the same bits.
    #[inline]
    fn cross(&mut self, inner: u32, outer: u32) -> u32 {
        for known in self.crossings.iter() {
            if known[0] == inner && known[1] == outer {
                return known[2];
            }
        }
        let (below, above) = (self.heights[inner as usize], self.heights[outer as usize]);
        let (from, to) = (self.points[inner as usize], self.points[outer as usize]);
        let number = self.into.points.len() as u32;
        self.into.points.push(from + (to - from) * (below / (below - above)));
        if self.crossings.len() < MAX_KNOWN {
            self.crossings.push([inner, outer, number]);
        }
        number
    }

    /// Cuts a face that is given by its edges.
    #[inline]
    fn cut_face(&mut self, source: FaceSource, edges: impl Iterator<Item = CutEdge>) {
        let start = self.into.edges.len();
        // A point in which the face has been left, or entered, but not yet entered or left.
        let mut open = None;
        let mut others = SmallVec::<[(u32, bool); 4]>::new();
        for CutEdge { ends: [a, b], beyond } in edges {
            let kept = [a, b].map(|point| self.renumbered[point as usize]);
            let (crossing, is_left) = match kept.map(|number| number != NOT_KEPT) {
                [false, false] => continue,
                [true, true] => {
                    self.into.edges.push(CutEdge { ends: kept, beyond });
                    continue;
                }
                [true, false] => {
                    let crossing = self.cross(a, b);
                    self.into.edges.push(CutEdge { ends: [kept[0], crossing], beyond });
                    (crossing, true)
                }
                [false, true] => {
                    let crossing = self.cross(b, a);
                    self.into.edges.push(CutEdge { ends: [crossing, kept[1]], beyond });
                    (crossing, false)
                }
            };
            // Leaving and entering take turns but for rounding; each pair is closed by an edge in the plane.
            match open {
                None => open = Some((crossing, is_left)),
                Some((other, was_left)) if was_left != is_left => {
                    let (left, entered) = if is_left { (crossing, other) } else { (other, crossing) };
                    self.into.edges.push(CutEdge { ends: [left, entered], beyond: Some(self.by) });
                    self.cap.push(CutEdge { ends: [entered, left], beyond: Some(source) });
                    open = others.pop();
                }
                Some(_) => others.push((crossing, is_left)),
            }
        }
        let end = self.into.edges.len();
        if end > start {
            self.into.faces.push(CutFace { source, end: end as u32 });
        }
    }

    /// Adds the cut face.
    fn finish(&mut self) {
        if !self.cap.is_empty() {
            self.into.edges.extend_from_slice(self.cap);
            self.into.faces.push(CutFace { source: self.by, end: self.into.edges.len() as u32 });
        }
    }
}

impl CutScratch {
    /// Takes the heights of a solid's points above a plane [m]. Returns whether one of them is above it.
    #[inline]
    fn set_heights(&mut self, heights: impl Iterator<Item = f64>) -> bool {
        self.heights.clear();
        self.heights.extend(heights);
        self.heights.iter().any(|height| *height > 0.0)
    }

    /// Begins to cut a solid with `points`, whose heights have been set.
    #[inline]
    fn begin<'a>(&'a mut self, points: &'a [Vec3], by: FaceSource, into: &'a mut CutSolid) -> Cutter<'a> {
        self.renumbered.clear();
        self.crossings.clear();
        self.cap.clear();
        into.clear();
        for (point, height) in points.iter().zip(&self.heights) {
            let is_kept = *height <= 0.0;
            self.renumbered.push(if is_kept { into.points.len() as u32 } else { NOT_KEPT });
            if is_kept {
                into.points.push(*point);
            }
        }
        let (heights, renumbered) = (self.heights.as_slice(), self.renumbered.as_slice());
        Cutter { points, heights, renumbered, by, crossings: &mut self.crossings, cap: &mut self.cap, into }
    }
}

impl CutSolid {
    fn clear(&mut self) {
        self.points.clear();
        self.edges.clear();
        self.faces.clear();
    }

    /// Becomes the part of a solid that is below the top plane. The solid has `points` with their `depths`
    /// below the plane, and faces with the numbers of their corners.
    pub fn set_below_top<'f>(
        &mut self,
        points: &[Vec3],
        depths: impl Iterator<Item = f64>,
        faces: impl Iterator<Item = &'f [u32]>,
        scratch: &mut CutScratch,
    ) {
        scratch.set_heights(depths.map(|depth| -depth));
        let mut cutter = scratch.begin(points, FaceSource::Top, self);
        for (number, corners) in faces.enumerate() {
            let Some(last) = corners.last() else { continue };
            let mut from = *last;
            let edges = corners.iter().map(|to| {
                let ends = [from, *to];
                from = *to;
                CutEdge { ends, beyond: None }
            });
            cutter.cut_face(FaceSource::Rigid(number as u32), edges);
        }
        cutter.finish();
    }

    /// Cuts off what is above a plane, with the result in `into`. Returns whether there was anything to be
    /// cut off; if not, `into` is left alone.
    pub fn cut_into(&self, plane: &Plane, by: FaceSource, into: &mut Self, scratch: &mut CutScratch) -> bool {
        if !scratch.set_heights(self.points.iter().map(|p| plane.normal.dot(*p) - plane.offset)) {
            return false;
        }
        let mut cutter = scratch.begin(&self.points, by, into);
        for (source, edges) in self.faces() {
            cutter.cut_face(source, edges.iter().copied());
        }
        cutter.finish();
        true
    }

    /// Its points [m].
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Its faces: to whom they belong, and their edges.
    pub fn faces(&self) -> impl Iterator<Item = (FaceSource, &[CutEdge])> {
        let mut start = 0;
        self.faces.iter().map(move |face| {
            let edges = &self.edges[start..face.end as usize];
            start = face.end as usize;
            (face.source, edges)
        })
    }

    /// Moves the origin to a point [m].
    pub fn move_origin(&mut self, origin: Vec3) {
        for point in &mut self.points {
            *point -= origin;
        }
    }

    /// Ends of an edge [m].
    #[inline]
    pub fn ends(&self, edge: &CutEdge) -> [Vec3; 2] {
        edge.ends.map(|point| self.points[point as usize])
    }

    /// Integrals over the solid about the origin, which is in the plane of the top: pyramids over the
    /// triangles of all other faces.
    pub fn moments(&self) -> CellMoments {
        let mut volume = 0.0;
        let mut first = Vec3::ZERO;
        let mut second = Symmetric::default();
        for (source, edges) in self.faces() {
            let Some(CutEdge { ends: [apex, _], .. }) = edges.first().filter(|_| source != FaceSource::Top)
            else {
                continue;
            };
            let corner = self.points[*apex as usize];
            for edge in edges {
                if edge.ends.contains(apex) {
                    continue;
                }
                let [a, b] = self.ends(edge);
                // Six times the volume of the pyramid.
                let pyramid = corner.dot(a.cross(b));
                let sum = corner + a + b;
                volume += pyramid;
                first += sum * pyramid;
                second.add_square(sum, pyramid);
                second.add_square(corner, pyramid);
                second.add_square(a, pyramid);
                second.add_square(b, pyramid);
            }
        }
        CellMoments { volume: volume / 6.0, first: first / 24.0, second: second.matrix() * (1.0 / 120.0) }
    }

    /// Area and first moment of a face with a unit normal, about the origin.
    pub fn section(&self, edges: &[CutEdge], normal: Vec3) -> SectionMoments {
        let Some(CutEdge { ends: [apex, _], .. }) = edges.first() else {
            return SectionMoments::default();
        };
        let corner = self.points[*apex as usize];
        let (mut area, mut first) = (0.0, Vec3::ZERO);
        for edge in edges {
            if edge.ends.contains(apex) {
                continue;
            }
            let [a, b] = self.ends(edge);
            let twice = normal.dot((a - corner).cross(b - corner));
            area += twice;
            first += (corner + a + b) * twice;
        }
        SectionMoments { area: 0.5 * area, first: first / 6.0 }
    }

    /// ∫xxᵀ dA over a face with a unit normal, about the origin [m⁴].
    pub fn section_second(&self, edges: &[CutEdge], normal: Vec3) -> Mat3 {
        let Some(CutEdge { ends: [apex, _], .. }) = edges.first() else {
            return Mat3::ZERO;
        };
        let corner = self.points[*apex as usize];
        let mut second = Symmetric::default();
        for edge in edges {
            let [a, b] = self.ends(edge);
            let twice = normal.dot((a - corner).cross(b - corner));
            for v in [corner + a + b, corner, a, b] {
                second.add_square(v, twice);
            }
        }
        second.matrix() * (1.0 / 24.0)
    }
}
