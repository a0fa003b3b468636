//! What searches ask of a polyhedron, in its frame.

use super::Polyhedron;
use fender_math::Vec3;
use smallvec::SmallVec;

/// Up to this many vertices all are looked at: that takes less time than finding the way.
const FEW: usize = 24;

/// Sine of the angle below which a direction counts as across an edge.
const PARALLEL: f64 = 1e-7;

/// Place of the surface that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub struct NearestPlace {
    /// The place [m].
    pub point: Vec3,
    /// Outward unit direction there: from the place to a point outside, or the normal of the face.
    pub normal: Vec3,
    /// Distance from it, negative inside [m].
    pub distance: f64,
}

/// Place of a face that is nearest to a point.
#[derive(Clone, Copy)]
struct OfFace {
    point: Vec3,
    /// Of the distance [m²].
    square: f64,
    /// If it is on a side, the end of that side that is nearer.
    beside: Option<u32>,
}

impl Polyhedron {
    /// The vertex that is farthest along `n` (any length); one of them if there are several.
    pub fn farthest(&self, n: Vec3) -> u32 {
        let far = |v: u32| n.dot(self.vertices[v as usize]);
        let count = self.vertices.len() as u32;
        let mut best = 0;
        let mut most = far(0);
        if self.vertices.len() <= FEW {
            for v in 1..count {
                let found = far(v);
                if found > most {
                    (best, most) = (v, found);
                }
            }
            return best;
        }
        // Begin at the best of a few.
        let step = (count / 8).max(1);
        for v in (step..count).step_by(step as usize) {
            let found = far(v);
            if found > most {
                (best, most) = (v, found);
            }
        }
        loop {
            let from = best;
            for v in self.beside(from) {
                let found = far(*v);
                if found > most {
                    (best, most) = (*v, found);
                }
            }
            if best == from {
                return best;
            }
        }
    }

    /// The farthest vertex along the unit direction `n`, and those beside it that are as far.
    pub fn level_with(&self, n: Vec3) -> (u32, SmallVec<[u32; 8]>) {
        let at = |v: u32| self.vertices[v as usize];
        let v = self.farthest(n);
        let is_level = |w: &&u32| {
            let down = at(v) - at(**w);
            n.dot(down) <= PARALLEL * down.length()
        };
        (v, self.beside(v).iter().filter(is_level).copied().collect())
    }

    /// Of the faces that have all the farthest points along the unit direction `n`, the one that looks that way most. A tie goes to the earlier also
    /// when rounding says otherwise.
    pub fn facing(&self, n: Vec3) -> u32 {
        let (v, level) = self.level_with(n);
        let has_all = |f: &&u32| level.iter().all(|w| self.corners(**f).contains(w));
        let looks = |f: u32| self.normals[f as usize].dot(n);
        let better = |best: u32, f: u32| {
            let more = looks(f) - looks(best);
            if more > 1e-12 || more > -1e-12 && f < best { f } else { best }
        };
        let faces = self.faces_at(v);
        let best = faces.iter().filter(has_all).copied().reduce(better);
        best.or_else(|| faces.iter().copied().reduce(better)).unwrap_or_default()
    }

    /// How far it reaches from its origin along `n` [m].
    pub fn reach(&self, n: Vec3) -> f64 {
        n.dot(self.vertices[self.farthest(n) as usize])
    }

    /// Outward unit normal of a face, and the distance of its plane from the origin along it [m].
    pub fn plane(&self, face: u32) -> (Vec3, f64) {
        (self.normals[face as usize], self.faces[face as usize].offset)
    }

    /// How far `p` [m] is in front of a face [m].
    pub fn height(&self, face: u32, p: Vec3) -> f64 {
        self.normals[face as usize].dot(p) - self.faces[face as usize].offset
    }

    /// Whether it holds `p` [m]: it is behind all faces (and the first that says no is enough).
    pub fn holds(&self, p: Vec3) -> bool {
        (0..self.faces.len() as u32).all(|f| self.height(f, p) <= 0.0)
    }

    /// The part of the segment from `a` to `b` that is in it, as fractions of it; `None` if none is.
    pub fn inside(&self, a: Vec3, b: Vec3) -> Option<(f64, f64)> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for f in 0..self.faces.len() as u32 {
            let (start, end) = (self.height(f, a), self.height(f, b));
            if start > 0.0 && end > 0.0 {
                return None;
            }
            if start > 0.0 {
                from = from.max(start / (start - end));
            } else if end > 0.0 {
                to = to.min(start / (start - end));
            }
        }
        (from < to).then_some((from, to))
    }

    /// Face that `p` [m] is highest above, or least below, and how far [m]. Earlier ones keep a tie.
    pub fn highest_face(&self, p: Vec3) -> (u32, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for f in 0..self.faces.len() as u32 {
            let height = self.height(f, p);
            if height > best.1 {
                best = (f, height);
            }
        }
        best
    }

    /// Nearest place of the surface to `p` [m].
    pub fn nearest(&self, p: Vec3) -> NearestPlace {
        let (face, height) = self.highest_face(p);
        let normal = self.normals[face as usize];
        if height <= 0.0 || self.is_over(face, p) {
            return NearestPlace { point: p - normal * height, normal, distance: height };
        }
        // From face to face, as long as one beside is nearer: what is nearest of its surroundings on a convex body is nearest of all.
        let mut best = self.nearest_of_face(face, p);
        while let Some(vertex) = best.beside {
            let others = self.faces_at(vertex).iter().map(|f| self.nearest_of_face(*f, p));
            let found = others.fold(best, |a, b| if b.square < a.square { b } else { a });
            if found.square >= best.square {
                break;
            }
            best = found;
        }
        let distance = best.square.sqrt();
        // So near to an edge that rounding has no direction for it: that of the face.
        let normal = if distance > 1e-14 * self.size() { (p - best.point) / distance } else { normal };
        NearestPlace { point: best.point, normal, distance }
    }

    fn nearest_of_face(&self, face: u32, p: Vec3) -> OfFace {
        if self.is_over(face, p) {
            let height = self.height(face, p);
            let point = p - self.normals[face as usize] * height;
            return OfFace { point, square: height * height, beside: None };
        }
        let corners = self.corners(face);
        let mut best = OfFace { point: p, square: f64::INFINITY, beside: None };
        let mut from = corners[corners.len() - 1];
        for to in corners.iter().copied() {
            let [a, b] = [from, to].map(|v| self.vertices[v as usize]);
            let (along, way) = (b - a, p - a);
            let part = (along.dot(way) / along.length_squared()).clamp(0.0, 1.0);
            let square = (way - along * part).length_squared();
            if square < best.square {
                let vertex = if part > 0.5 { to } else { from };
                best = OfFace { point: a + along * part, square, beside: Some(vertex) };
            }
            from = to;
        }
        best
    }

    /// Whether `p` [m] is over a face, seen along its normal.
    fn is_over(&self, face: u32, p: Vec3) -> bool {
        let corners = self.corners(face);
        let normal = self.normals[face as usize];
        let at = |k: usize| self.vertices[corners[k % corners.len()] as usize];
        (0..corners.len()).all(|k| normal.cross(at(k + 1) - at(k)).dot(p - at(k)) >= 0.0)
    }
}
