//! A capsule against a triangle mesh: its two ends as spheres with half the stiffness each, and edges and corners of the mesh that stick
//! out to its side between them, as far as the ends do not count them already (`mesh_lows.rs`).

use super::bend::Bend;
use super::half_space::{self, Surface};
use super::mesh_convex::{Found, Ridge, STRAIGHT, Search};
use super::mesh_lies::LIES;
use super::mesh_lows::{Low, Lows};
use super::mesh_sphere;
use crate::Shape;
use crate::distance::segments::{Segment, between_segments};
use crate::trimesh::{Feature, NONE};
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
        let mut lows = Lows::default();
        self.for_triangles(|search, f| {
            for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                let Some(ridge) = search.ridge(e) else { continue };
                let Some(overlap) = search.edge_of_capsule(&ridge) else { continue };
                let whole = search.lies_to(e, &ridge, &overlap);
                let is_low = ridge.holds(overlap.normal, 0.0);
                if is_low || whole > 0.0 && ridge.holds(overlap.normal, LIES[1]) {
                    search.weaken_ends_on(&ridge, 1.0 - search.cuts(e, &ridge));
                    lows.add(Low { triangle: f, overlap, whole, rest: f64::from(is_low) }, search.near);
                }
            }
            for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                let Some(overlap) = search.corner_of_capsule(v) else { continue };
                let whole = search.lies_to_corner(v, &overlap);
                let is_low = search.sticks_out(v, overlap.normal, 0.0);
                if is_low || whole > 0.0 && search.sticks_out(v, overlap.normal, LIES[1]) {
                    lows.add(Low { triangle: f, overlap, whole, rest: f64::from(is_low) }, search.near);
                }
            }
        });
        let Some((low, high, radius)) = self.segment() else { return };
        self.add_lows(&mut lows, |_, e| {
            let [a, b] = mesh.edges()[e as usize].vertices.map(|v| mesh.vertices()[v as usize]);
            let [p, q] = between_segments(&Segment::between(low, high), &Segment::between(a, b));
            radius - p.distance(q)
        });
        self.keep(|found| found.overlap.share > 0.0);
    }

    fn capsule_ends(&mut self) {
        let Some((low, high, radius)) = self.segment() else { return };
        let mesh = self.mesh;
        for end in [low, high] {
            mesh_sphere::contacts_from(self.origin(), end, radius, mesh, &Pose::IDENTITY, |contact| {
                let share = HALF * contact.overlap.share;
                let triangle = match contact.feature {
                    Feature::Face(f) => f,
                    Feature::Edge(e) => mesh.edges()[e as usize].faces[0],
                    Feature::Vertex(v) => mesh.fan(v)[0],
                };
                let counted = contact.overlap.depth * contact.overlap.share.sqrt();
                self.add_at([triangle, NONE], counted, PointOverlap { share, ..contact.overlap });
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

    /// Leaves a part of the points of ends that are beyond an edge and touch it aslant: between the ends it is deeper.
    fn weaken_ends_on(&mut self, ridge: &Ridge, part: f64) {
        for i in 0..self.points().len() {
            let Found { overlap, on_ridge, .. } = self.points()[i];
            if !on_ridge && self.is_on(ridge, &overlap, 0.0) {
                let found = &mut self.points_mut()[i];
                found.overlap.share *= part;
                found.counted *= part.sqrt();
            }
        }
    }

    /// An edge of the mesh, where it is nearest to the axis between its ends.
    fn edge_of_capsule(&self, ridge: &Ridge) -> Option<PointOverlap> {
        let (low, high, radius) = self.segment()?;
        let (d, u, w) = (high - low, ridge.along, low - ridge.ends[0]);
        // Nearest places of two lines (Ericson 2005, section 5.1.8).
        let (dd, du) = (d.dot(d), d.dot(u));
        let det = dd - du * du;
        if det <= 1e-12 * dd {
            return None;
        }
        let s = (du * u.dot(w) - d.dot(w)) / det;
        let t = u.dot(w) + du * s;
        // With its ends: the next edge of a straight ridge begins there.
        let length = ridge.ends[0].distance(ridge.ends[1]);
        let is_between = s > 0.0 && s < 1.0 && t >= -self.near && t <= length + self.near;
        self.beside(low + d * s, ridge.ends[0] + u * t, radius, d).filter(|_| is_between)
    }

    fn corner_of_capsule(&self, v: u32) -> Option<PointOverlap> {
        let (low, high, radius) = self.segment()?;
        let p = self.mesh.vertices()[v as usize];
        let d = high - low;
        let s = d.dot(p - low) / d.dot(d);
        let is_between = s > 0.0 && s < 1.0;
        let point = self.beside(low + d * s, p, radius, d).filter(|_| is_between)?;
        self.is_corner(v, STRAIGHT).then_some(point)
    }

    fn beside(&self, on_axis: Vec3, p: Vec3, radius: f64, d: Vec3) -> Option<PointOverlap> {
        let way = on_axis - p;
        let distance = way.length();
        if distance >= radius || distance <= self.near {
            return None;
        }
        let normal = way / distance;
        let axis = d.normalize();
        let bend = Bend::single(1.0 / radius, axis.cross(normal), axis);
        Some(PointOverlap {
            point: on_axis - normal * radius,
            normal,
            depth: radius - distance,
            curvature: bend.mean,
            elongation: bend.elongation,
            share: HALF,
        })
    }
}
