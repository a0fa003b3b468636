//! A capsule against a triangle mesh: its two ends as spheres with half the stiffness each, and edges and corners of the mesh that stick
//! out to its side between them.

use super::bend::Bend;
use super::half_space::{self, Surface};
use super::mesh_convex::{STRAIGHT, Search};
use super::mesh_sphere;
use crate::Shape;
use crate::trimesh::Feature;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Share of an end, and of a place on the side.
const HALF: f64 = 0.5;

impl Search<'_> {
    fn segment(&self) -> Option<(Vec3, Vec3, f64)> {
        let Shape::Capsule { radius, half_height } = *self.shape else { return None };
        let axis = self.pose.rotation * Vec3::Z;
        Some((self.origin() - axis * half_height, self.origin() + axis * half_height, radius))
    }

    /// Collects the points of a capsule.
    pub fn capsule(&mut self) {
        if self.mesh.holds(self.origin()) == Some(true) {
            self.push_out();
            return;
        }
        self.capsule_ends();
        let mesh = self.mesh;
        self.for_triangles(|search, f| {
            for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                search.edge_of_capsule(e);
            }
            for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                search.corner_of_capsule(v);
            }
        });
    }

    fn capsule_ends(&mut self) {
        let Some((low, high, radius)) = self.segment() else { return };
        let mesh = self.mesh;
        for (end, other) in [(low, high), (high, low)] {
            mesh_sphere::contacts_from(self.origin(), end, radius, mesh, &Pose::IDENTITY, |contact| {
                // What sticks out beside the segment is nearer to it than to its end.
                let inward = -contact.overlap.normal.dot(other - end);
                if inward <= self.near || !self.is_ridge(contact.feature) {
                    let share = HALF * contact.overlap.share;
                    self.add(PointOverlap { share, ..contact.overlap });
                }
            });
        }
    }

    /// Out to the place nearest to its middle, which is inside.
    fn push_out(&mut self) {
        if let Some(closest) = self.mesh.closest(self.origin()) {
            let way = (closest.point - self.origin()).try_normalize();
            let outward = self.mesh.outward(closest.feature).normalize_or(Vec3::Z);
            let normal = way.filter(|_| closest.distance > self.near).unwrap_or(outward);
            let surface = Surface { origin: closest.point, normal };
            for point in half_space::solid(self.shape, &self.pose, &surface).points() {
                self.add(*point);
            }
        }
    }

    /// Whether a part of the mesh is an edge that sticks out, or at one.
    fn is_ridge(&self, feature: Feature) -> bool {
        match feature {
            Feature::Face(_) => false,
            Feature::Edge(e) => self.ridge(e).is_some(),
            Feature::Vertex(v) => {
                let edges = self.mesh.fan(v).iter().flat_map(|f| self.mesh.edges_of(*f));
                let mut own = edges.filter(|e| self.mesh.edges()[*e as usize].vertices.contains(&v));
                own.any(|e| self.ridge(e).is_some())
            }
        }
    }

    fn edge_of_capsule(&mut self, e: u32) {
        let (Some((low, high, radius)), Some(ridge)) = (self.segment(), self.ridge(e)) else { return };
        let (d, u, w) = (high - low, ridge.along, low - ridge.ends[0]);
        // Nearest places of two lines (Ericson 2005, section 5.1.8).
        let (dd, du) = (d.dot(d), d.dot(u));
        let det = dd - du * du;
        if det <= 1e-12 * dd {
            return;
        }
        let s = (du * u.dot(w) - d.dot(w)) / det;
        let t = u.dot(w) + du * s;
        // With its ends: the next edge of a straight ridge begins there.
        let length = ridge.ends[0].distance(ridge.ends[1]);
        if s > 0.0 && s < 1.0 && t >= -self.near && t <= length + self.near {
            let (on_axis, on_edge) = (low + d * s, ridge.ends[0] + u * t);
            self.beside(on_axis, on_edge, radius, d, |n, _| ridge.holds(n, 0.0));
        }
    }

    fn corner_of_capsule(&mut self, v: u32) {
        let Some((low, high, radius)) = self.segment() else { return };
        let p = self.mesh.vertices()[v as usize];
        let d = high - low;
        let s = d.dot(p - low) / d.dot(d);
        if s > 0.0
            && s < 1.0
            && p.distance_squared(low + d * s) < radius * radius
            && self.is_corner(v, STRAIGHT)
        {
            self.beside(low + d * s, p, radius, d, |n, search| search.sticks_out(v, n, 0.0));
        }
    }

    fn beside(&mut self, on_axis: Vec3, p: Vec3, radius: f64, d: Vec3, holds: impl Fn(Vec3, &Self) -> bool) {
        let way = on_axis - p;
        let distance = way.length();
        if distance >= radius || distance <= self.near {
            return;
        }
        let normal = way / distance;
        if holds(normal, self) {
            let axis = d.normalize();
            let bend = Bend::single(1.0 / radius, axis.cross(normal), axis);
            let point = on_axis - normal * radius;
            if self.has(point, normal) {
                return;
            }
            self.add(PointOverlap {
                point,
                normal,
                depth: radius - distance,
                curvature: bend.mean,
                elongation: bend.elongation,
                share: HALF,
            });
        }
    }
}
