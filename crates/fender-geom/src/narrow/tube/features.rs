//! Places of a spine that are nearest to a triangle, edge or vertex of a mesh.
//!
//! Wherever the distance of the spine from the mesh has a lowest place, outside, that is one of the distance from a triangle too, because the
//! mesh is as near as the nearest of its triangles. And the place of the mesh that is nearest there is nearer to the spine than those
//! beside it on the same triangle, edge, or both. So one way down the tree gives all triangles that the bar may touch, and each is asked by formulas: the lowest place above its plane, the
//! nearest places of its edges, and its corners (Luaces 2013, section 4.6.4, has the same three, and a nonlinear program for them).

use super::field::Course;
use super::part::{Beside, Part, Segment};
use crate::TriMesh;
use crate::trimesh::EdgeKind;
use crate::trimesh::triangle::nearest;
use fender_math::Vec3;
use smallvec::SmallVec;

/// Normals that differ by less than this are those of one plane, whose inner edges and vertices are nothing of their own.
const ONE_PLANE: f64 = 1e-14;
/// Rounding of distances, as a part of the sizes.
const ROUNDING: f64 = 1e-12;

/// How far beside a face, as a part of the bar's radius, a place in it is taken.
const ASIDE: f64 = 1e-9;

/// A place that may be a lowest one: it is, if the mesh is nowhere nearer.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// On the spine [m].
    pub s: f64,
    /// From the part of the mesh [m].
    pub distance: f64,
    /// What rounding may have changed in that [m].
    pub rounding: f64,
    /// Whether it is a face. The formula for it does not hold for level places, and those of edges and vertices do.
    pub is_face: bool,
}

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Whether the spine goes through a face.
    pub goes_through: bool,
    /// Whether a straight is level beside a face or edge.
    pub is_level: bool,
}

/// Adds all places of the spine within `reach` [m] that may be lowest ones.
pub fn candidates(course: &Course, mesh: &TriMesh, reach: f64, found: &mut Vec<Candidate>) -> Seen {
    let tube = course.tube;
    let frame = course.frame();
    let mut search = Search {
        course,
        mesh,
        reach,
        frame,
        rounding: ROUNDING * (course.origin().length() + tube.spine_reach() + tube.bar),
        parts: Part::of(&tube),
        found,
        seen: Seen::default(),
    };
    let middle = mesh.tree.center();
    mesh.tree.search(
        reach,
        |node| {
            let (low, high) = node.corners();
            let half = 0.5 * (high - low);
            let own = search_frame(&frame, 0.5 * (low + high) + middle - course.origin());
            // Across the plane of the spine, and toward it.
            let across = own.z.abs() - frame[2].abs().dot(half);
            let toward = |out: Vec3| {
                let out = frame[0] * out.x + frame[1] * out.y + frame[2] * out.z;
                out.abs().dot(half)
            };
            across.max(tube.at_least(own, half.length(), toward))
        },
        |range, limit| {
            range.for_each(|f| search.look(f as u32));
            limit
        },
    );
    search.seen
}

/// `v` along the axes of the tube.
#[inline]
fn search_frame(frame: &[Vec3; 3], v: Vec3) -> Vec3 {
    Vec3::new(frame[0].dot(v), frame[1].dot(v), frame[2].dot(v))
}

struct Search<'a> {
    course: &'a Course,
    mesh: &'a TriMesh,
    reach: f64,
    /// Axes of the tube in the mesh's frame.
    frame: [Vec3; 3],
    rounding: f64,
    parts: SmallVec<[Part; 4]>,
    found: &'a mut Vec<Candidate>,
    seen: Seen,
}

/// A triangle in the tube's frame.
struct Triangle {
    index: u32,
    corners: [Vec3; 3],
    normal: Vec3,
    /// Height of the origin above its plane [m].
    height: f64,
    rounding: f64,
}

impl Search<'_> {
    fn own(&self, p: Vec3) -> Vec3 {
        search_frame(&self.frame, p - self.course.origin())
    }

    fn look(&mut self, f: u32) {
        let corners = self.mesh.corners(f).map(|p| self.own(p));
        let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
        let size = corners.iter().map(|c| c.distance_squared(middle)).fold(0.0, f64::max).sqrt();
        // Written so that what is not a number ends here.
        let toward = |out: Vec3| {
            let height = |c: &Vec3| out.dot(middle - *c);
            height(&corners[0]).max(height(&corners[1])).max(height(&corners[2]))
        };
        let is_near = self.course.tube.at_least(middle, size, toward) < self.reach;
        if !is_near {
            return;
        }
        let normal = search_frame(&self.frame, self.mesh.normal(f));
        let height = -normal.dot(corners[0]);
        let rounding = self.rounding + 1e-14 * size;
        let triangle = Triangle { index: f, corners, normal, height, rounding };
        for i in 0..self.parts.len() {
            let part = self.parts[i];
            let is_near = part.distance(middle) - size < self.reach;
            if is_near && !part.is_far_off(normal, height, self.reach) {
                self.face(&triangle, &part);
                (0..3).for_each(|k| self.edge(&triangle, k, &part));
                (0..3).for_each(|k| self.corner(&triangle, k, &part));
            }
        }
    }

    /// Adds the foot of a place at this distance [m].
    fn add(&mut self, foot: Vec3, distance: f64, rounding: f64, is_face: bool) {
        let s = self.course.tube.length_at(foot);
        self.found.push(Candidate { s, distance, rounding, is_face });
    }

    fn face(&mut self, triangle: &Triangle, part: &Part) {
        let is_on = |p: Vec3, height: f64| {
            let far = p.distance(nearest(p, triangle.corners).0);
            (far - height).abs() <= triangle.rounding
        };
        match part.beside(triangle.normal, triangle.height) {
            Beside::Nearest(p, height) => {
                let is_behind = height < 0.0 && self.mesh.is_closed();
                let height = height.abs();
                if !is_behind && height < self.reach && is_on(p, height) {
                    self.add(p, height, triangle.rounding, true);
                }
            }
            Beside::Through(places) => {
                for p in places.into_iter().flatten().filter(|p| is_on(*p, 0.0)) {
                    self.seen.goes_through = true;
                    self.through(triangle, p);
                }
            }
            Beside::Level => self.seen.is_level |= matches!(part, Part::Straight { .. }),
            Beside::None => {}
        }
    }

    /// Adds a place where the spine goes through a face. A sheet pushes to the side on which the place is, which would be left to rounding; so it is taken a little to the side on which
    /// the tube's middle is.
    fn through(&mut self, triangle: &Triangle, p: Vec3) {
        let tube = self.course.tube;
        let (s, length) = (tube.length_at(p), tube.length());
        let is_rising = triangle.normal.dot(tube.at(s).tangent) >= 0.0;
        let aside = ASIDE * tube.bar;
        let s = if is_rising == (triangle.height >= 0.0) { s + aside } else { s - aside };
        let s = if tube.is_closed() { s.rem_euclid(length) } else { s.clamp(0.0, length) };
        let rounding = triangle.rounding + 2.0 * aside;
        self.found.push(Candidate { s, distance: 0.0, rounding, is_face: true });
    }

    fn edge(&mut self, triangle: &Triangle, k: usize, part: &Part) {
        let mesh = self.mesh;
        let edge = &mesh.edges()[mesh.edges_of(triangle.index)[k] as usize];
        // Each is looked at once, from its first triangle: if it is near, so is that. From outside a groove has no edge.
        let is_hidden = edge.kind == EdgeKind::Concave && mesh.is_closed();
        if edge.faces[0] != triangle.index || is_hidden {
            return;
        }
        let is_inner = edge.kind == EdgeKind::Flat && {
            let normals = edge.faces.map(|f| mesh.normal(f));
            normals[0].distance_squared(normals[1]) < ONE_PLANE * ONE_PLANE
        };
        let (a, b) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
        // The distance changes by no more than the way along the edge.
        let least = 0.5 * (part.distance(a) + part.distance(b) - a.distance(b));
        if is_inner || least >= self.reach {
            return;
        }
        let lies = part.nearest_of_segment(a, b, |q| {
            if let Some(foot) = part.foot(q) {
                self.see(triangle, q, foot);
            }
        });
        self.seen.is_level |= lies == Segment::Along;
    }

    fn corner(&mut self, triangle: &Triangle, k: usize, part: &Part) {
        let mesh = self.mesh;
        let v = mesh.triangles()[triangle.index as usize][k];
        let q = triangle.corners[k];
        let fan = mesh.fan(v);
        if fan[0] != triangle.index || part.distance(q) >= self.reach {
            return;
        }
        let Some(foot) = part.foot(q) else { return };
        let normal = mesh.normal(triangle.index);
        let is_same = |f: &u32| mesh.normal(*f).distance_squared(normal) < ONE_PLANE * ONE_PLANE;
        let is_inner = fan.iter().all(is_same) && !mesh.is_on_border(v);
        if is_inner {
            return;
        }
        // Nothing of the triangles around it is nearer.
        let far = q.distance(foot) - triangle.rounding;
        let is_farther = |f: &u32| {
            let corners = mesh.corners(*f).map(|p| self.own(p));
            foot.distance_squared(nearest(foot, corners).0) >= far * far
        };
        if far <= 0.0 || fan.iter().all(is_farther) {
            self.see(triangle, q, foot);
        }
    }

    /// Adds the foot of a place of an edge or corner of the triangle, unless the triangle is nearer elsewhere.
    fn see(&mut self, triangle: &Triangle, q: Vec3, foot: Vec3) {
        let distance = q.distance(foot);
        let is_nearest = foot.distance(nearest(foot, triangle.corners).0) >= distance - triangle.rounding;
        if distance < self.reach && is_nearest {
            self.add(foot, distance, triangle.rounding, false);
        }
    }
}
