//! The direction of least overlap of two convex bodies by expanding a polytope (van den Bergen 2001).
//!
//! Two bodies overlap where the set of all differences of their points has the origin in it, and the nearest place of that set's surface says how to
//! part them. A polytope of farthest points of the set grows where its face is nearest to the origin, until no face can get nearer. Every face that
//! was looked at gives a depth that is possible, every face that is there one that cannot be undercut, so that no decision hangs on rounding:
//! triangles without area are left out, and the best of what was seen is the answer.

use fender_math::Vec3;
use smallvec::SmallVec;

/// Faces whose farthest point is less than this in front of them are at the surface of the set, as a part of its size.
const AT_SURFACE: f64 = 1e-13;
/// The answer is known when it can be better by this part of the size at most; what is around it says the rest.
const KNOWN: f64 = 1e-8;
/// Most faces that are expanded: round bodies need some dozens.
const MOST: usize = 200;

struct Face {
    corners: [u32; 3],
    normal: Vec3,
    /// Distance from the origin along the normal, infinite if it need not be looked at.
    distance: f64,
}

struct Polytope {
    points: SmallVec<[Vec3; 32]>,
    faces: SmallVec<[Face; 64]>,
    /// Sides of the faces that give way.
    outline: SmallVec<[[u32; 2]; 32]>,
}

/// Unit direction n with the least `farthest(n)·n`, where `farthest` gives the farthest point of a convex set along a direction, which
/// has the size `size` [m]. If the set does not hold the origin, one for which it is negative. `guess` and `axes` are directions to begin with.
pub fn least(farthest: impl Fn(Vec3) -> Vec3, guess: Vec3, axes: &[Vec3; 3], size: f64) -> Option<Vec3> {
    let mut best: Option<(f64, Vec3)> = None;
    let mut look = |n: Vec3| {
        let point = farthest(n);
        let depth = n.dot(point);
        if best.is_none_or(|b| depth < b.0) {
            best = Some((depth, n));
        }
        (point, depth, best.map_or(depth, |b| b.0))
    };
    let mut polytope = Polytope::start(|n| look(n).0, guess, axes)?;
    for _ in 0..MOST {
        let nearest = (0..polytope.faces.len())
            .reduce(|i, k| if polytope.faces[k].distance < polytope.faces[i].distance { k } else { i })?;
        let Face { normal, distance, .. } = polytope.faces[nearest];
        let (point, depth, least) = look(normal);
        if depth - distance <= AT_SURFACE * size {
            polytope.faces[nearest].distance = f64::INFINITY;
        } else {
            polytope.grow(point, AT_SURFACE * size);
        }
        if least < 0.0 || least - polytope.nearest() <= KNOWN * size {
            break;
        }
    }
    best.map(|b| b.1)
}

impl Polytope {
    /// A tetrahedron of points that are far from each other; `None` if the set is flat.
    fn start(mut farthest: impl FnMut(Vec3) -> Vec3, guess: Vec3, axes: &[Vec3; 3]) -> Option<Self> {
        let (a, b) = (farthest(guess), farthest(-guess));
        let along = (b - a).try_normalize()?;
        let off_line = |p: &Vec3| (*p - a).cross(along).length_squared();
        let far =
            |p: Vec3, q: Vec3, measure: &dyn Fn(&Vec3) -> f64| if measure(&q) > measure(&p) { q } else { p };
        // Across the line, by the axis that it is least along.
        let across = |axis: &Vec3| axis.dot(along).abs();
        let side = axes.iter().copied().reduce(|p, q| if across(&q) < across(&p) { q } else { p })?;
        let side = (side - along * along.dot(side)).try_normalize()?;
        let c = far(farthest(side), farthest(-side), &off_line);
        let normal = (b - a).cross(c - a).try_normalize()?;
        let off_plane = |p: &Vec3| (*p - a).dot(normal).abs();
        let d = far(farthest(normal), farthest(-normal), &off_plane);
        let [b, c] = if normal.dot(d - a) > 0.0 { [c, b] } else { [b, c] };
        let mut polytope = Self { points: SmallVec::new(), faces: SmallVec::new(), outline: SmallVec::new() };
        polytope.points.extend([a, b, c, d]);
        for corners in [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]] {
            polytope.add(corners);
        }
        Some(polytope)
    }

    /// Smallest distance of a face from the origin that may still shrink [m].
    fn nearest(&self) -> f64 {
        self.faces.iter().map(|f| f.distance).fold(f64::INFINITY, f64::min)
    }

    fn add(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let across = (b - a).cross(c - a);
        let normal = across.normalize_or_zero();
        let distance = if normal == Vec3::ZERO { f64::INFINITY } else { normal.dot(a) };
        self.faces.push(Face { corners, normal, distance });
    }

    /// Takes a point in: the faces that it is in front of give way to new ones from their outline to it.
    fn grow(&mut self, point: Vec3, near: f64) {
        self.outline.clear();
        let mut i = 0;
        while i < self.faces.len() {
            let Face { corners, normal, .. } = self.faces[i];
            if normal.dot(point - self.points[corners[0] as usize]) <= near {
                i += 1;
                continue;
            }
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                // A side between two of them is not on the outline.
                if let Some(known) = self.outline.iter().position(|side| *side == [to, from]) {
                    self.outline.swap_remove(known);
                } else {
                    self.outline.push([from, to]);
                }
            }
            self.faces.swap_remove(i);
        }
        let new = self.points.len() as u32;
        self.points.push(point);
        for [from, to] in std::mem::take(&mut self.outline) {
            self.add([from, to, new]);
        }
    }
}
