//! Nearest place of a mesh to a point, and which side the point is on.

use super::TriMesh;
use super::adjacency::{EdgeKind, NONE};
use super::triangle::{self, Region};
use fender_math::{Vec3, float};

/// Normals that differ by less than this are one.
const FLAT: f64 = 1e-9;

/// Part of a mesh, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Inside of a triangle.
    Face(u32),
    /// Inside of an edge.
    Edge(u32),
    /// A vertex.
    Vertex(u32),
}

/// Nearest place of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The place [m].
    pub point: Vec3,
    /// How far it is [m].
    pub distance: f64,
    /// What it is on.
    pub feature: Feature,
    /// A triangle that has it.
    pub triangle: u32,
}

impl TriMesh {
    /// Nearest place to `p` [m]; `None` if `p` is not finite.
    pub fn closest(&self, p: Vec3) -> Option<Closest> {
        self.closest_within(p, f64::INFINITY)
    }

    /// Nearest place to `p` [m], if there is one within `limit` [m].
    pub fn closest_within(&self, p: Vec3, limit: f64) -> Option<Closest> {
        self.closest_of(p, limit, |_| true)
    }

    /// Nearest place to `p` [m] of the triangles that count, if there is one within `limit` [m].
    pub(crate) fn closest_of(&self, p: Vec3, limit: f64, counts: impl Fn(u32) -> bool) -> Option<Closest> {
        if !p.is_finite() {
            return None;
        }
        let from_middle = p - self.tree.center();
        let mut best: Option<(Vec3, Region, u32)> = None;
        self.tree.search(
            limit * limit,
            |node| node.distance_squared(from_middle),
            |range, mut least| {
                for f in range {
                    let (point, region) = triangle::nearest(p, self.corners(f as u32));
                    let sq = p.distance_squared(point);
                    if (sq < least || best.is_none() && sq == least) && counts(f as u32) {
                        (best, least) = (Some((point, region, f as u32)), sq);
                    }
                }
                least
            },
        );
        best.map(|(point, region, triangle)| self.describe(p, point, region, triangle))
    }

    /// Nearest place to `p` [m] if there is one within `limit` [m], or if a closed mesh holds `p`: then however far it is.
    pub(crate) fn closest_or_out(&self, p: Vec3, limit: f64) -> Option<Closest> {
        let near = self.closest_within(p, limit);
        if near.is_some() || !self.is_closed() {
            return near;
        }
        // Far from a plain many triangles are about as near, and a ray is found much faster than the nearest of them. To the nearest side of the box, a little
        // aside of edges that lie along the axes.
        let (below, above) = (p - self.low, self.high - p);
        let room = below.min(above);
        // Written so that what is not a number ends here.
        let is_in_box = room.min_element() >= 0.0;
        if !is_in_box {
            return None;
        }
        let i = (1..3).fold(0, |best, i| if room[i] < room[best] { i } else { best });
        let mut way = Vec3::new(0.61e-3, 0.74e-3, 0.28e-3);
        way[i] = if below[i] < above[i] { -1.0 } else { 1.0 };
        let is_inside = self.cast(p, way, f64::INFINITY).is_some_and(|hit| !hit.from_outside);
        if is_inside { self.closest(p) } else { None }
    }

    /// Nearest place to `p` [m] of some triangles.
    pub(crate) fn closest_among(&self, p: Vec3, triangles: &[u32]) -> Option<Closest> {
        let mut best: Option<(f64, Vec3, Region, u32)> = None;
        for f in triangles {
            let (point, region) = triangle::nearest(p, self.corners(*f));
            let sq = p.distance_squared(point);
            if best.is_none_or(|best| sq < best.0) {
                best = Some((sq, point, region, *f));
            }
        }
        best.map(|(_, point, region, triangle)| self.describe(p, point, region, triangle))
    }

    /// Gives the triangles to `visit` whose boxes are within `limit` [m] of `p` [m], as long as it wants more.
    pub(crate) fn around(&self, p: Vec3, limit: f64, mut visit: impl FnMut(u32) -> bool) {
        let from_middle = p - self.tree.center();
        self.tree.search(
            limit * limit,
            |node| node.distance_squared(from_middle),
            |range, limit| {
                let wants_more = range.into_iter().all(|f| visit(f as u32));
                if wants_more { limit } else { -1.0 }
            },
        );
    }

    pub(crate) fn describe(&self, p: Vec3, point: Vec3, region: Region, triangle: u32) -> Closest {
        let feature = self.part(triangle, region);
        let (point, distance) = if region == Region::Face {
            // By the plane, which is more accurate than the place in it.
            let height = self.normal(triangle).dot(p - self.corners(triangle)[0]);
            (p - self.normal(triangle) * height, height.abs())
        } else {
            (point, p.distance(point))
        };
        Closest { point, distance, feature, triangle }
    }

    /// Part of the mesh that a part of a triangle is.
    pub(crate) fn part(&self, triangle: u32, region: Region) -> Feature {
        match region {
            Region::Face => Feature::Face(triangle),
            Region::Edge(k) => Feature::Edge(self.edges_of(triangle)[k]),
            Region::Corner(k) => Feature::Vertex(self.triangles[triangle as usize][k]),
        }
    }

    /// Distance from the surface of a closed mesh, negative inside [m]; `None` for an open mesh and if `p` is not finite.
    pub fn signed_distance(&self, p: Vec3) -> Option<f64> {
        let closest = self.closest(p).filter(|_| self.is_closed())?;
        Some(if self.is_behind(p, &closest) { -closest.distance } else { closest.distance })
    }

    /// Whether a closed mesh holds `p` [m]; `None` for an open mesh and if `p` is not finite.
    pub fn holds(&self, p: Vec3) -> Option<bool> {
        if self.is_closed() && p.is_finite() && !(p.cmpge(self.low).all() && p.cmple(self.high).all()) {
            return Some(false);
        }
        self.signed_distance(p).map(|distance| distance < 0.0)
    }

    /// Whether `p` [m] is behind the surface as seen from its nearest place. For a closed mesh that does not cut itself this is
    /// exact on edges and vertices too (Baerentzen and Aanaes 2005, "Signed distance computation using the angle weighted
    /// pseudonormal").
    pub fn is_behind(&self, p: Vec3, closest: &Closest) -> bool {
        self.outward(closest.feature).dot(p - closest.point) < 0.0
    }

    /// Direction away from the surface, not a unit vector on edges and vertices: the sum of the normals there, weighted by the
    /// angles of the triangles. Zero where they cancel.
    pub fn outward(&self, feature: Feature) -> Vec3 {
        self.outward_seen(feature, |f| self.normal(f), |f| self.corners(f))
    }

    /// The same in another space, in which triangles have these normals and corners.
    pub(crate) fn outward_seen(
        &self,
        feature: Feature,
        normal: impl Fn(u32) -> Vec3,
        corners: impl Fn(u32) -> [Vec3; 3],
    ) -> Vec3 {
        match feature {
            Feature::Face(f) => normal(f),
            Feature::Edge(e) => self.around_edge(e).map(normal).sum(),
            Feature::Vertex(v) => {
                let weighted = |f: u32| {
                    let k = self.corner_of(f, v);
                    let corners = corners(f);
                    let (a, b) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
                    normal(f) * float::atan2(a.cross(b).length(), a.dot(b))
                };
                self.fan(v).iter().map(|f| weighted(*f)).sum()
            }
        }
    }

    /// Whether something holds for every other triangle at a part of one.
    pub(crate) fn others_at(&self, triangle: u32, region: Region, holds: impl Fn(u32) -> bool) -> bool {
        let holds = |f: u32| f == triangle || holds(f);
        match self.part(triangle, region) {
            Feature::Face(_) => true,
            Feature::Edge(e) => self.around_edge(e).all(holds),
            Feature::Vertex(v) => self.fan(v).iter().all(|f| holds(*f)),
        }
    }

    /// Normal of the triangles at a part of the mesh if they are in one plane: more accurate than the way to it, when that is short.
    pub(crate) fn plane(&self, feature: Feature) -> Option<Vec3> {
        let first = match feature {
            Feature::Face(f) => return Some(self.normal(f)),
            Feature::Edge(e) => self.normal(self.edges()[e as usize].faces[0]),
            Feature::Vertex(v) => self.normal(self.fan(v)[0]),
        };
        let is_same = |f: u32| self.normal(f).distance_squared(first) < FLAT * FLAT;
        let is_flat = match feature {
            Feature::Edge(e) => self.around_edge(e).count() == 2 && self.around_edge(e).all(is_same),
            Feature::Vertex(v) => !self.is_on_border(v) && self.fan(v).iter().all(|f| is_same(*f)),
            Feature::Face(_) => true,
        };
        is_flat.then_some(first)
    }

    /// Whether the surface ends at a vertex.
    pub(crate) fn is_on_border(&self, v: u32) -> bool {
        let edges = self.fan(v).iter().flat_map(|f| self.edges_of(*f));
        edges
            .map(|e| &self.edges()[e as usize])
            .any(|e| e.vertices.contains(&v) && e.kind == EdgeKind::Boundary)
    }

    /// Which corner of a triangle a vertex is.
    pub(crate) fn corner_of(&self, triangle: u32, vertex: u32) -> usize {
        self.triangles[triangle as usize].iter().position(|v| *v == vertex).unwrap_or(0)
    }

    /// Triangles at an edge.
    pub(crate) fn around_edge(&self, edge: u32) -> impl Iterator<Item = u32> + '_ {
        let edge = &self.adjacency.edges[edge as usize];
        let [from, to] = edge.vertices;
        let many = edge.kind == EdgeKind::NonManifold;
        let listed = if many { &[] } else { &edge.faces[..] };
        let fan = if many { self.fan(from) } else { &[] };
        let others = fan.iter().filter(move |f| self.triangles[**f as usize].contains(&to));
        listed.iter().filter(|f| **f != NONE).chain(others).copied()
    }
}
