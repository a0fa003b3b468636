//! Where a capsule, cylinder or cone that lies on a face of a mesh goes beyond its edge.
//!
//! On a plane such a solid lies along a line and has a point at both ends of it. Where the face ends between them, as a table does, the line goes from the solid's own end to the edge, and has a point there too,
//! whose share does not depend on how deep it is: so the contact has a potential, whatever way the solid rocks and slides. That holds for sharp edges across the line. One that goes along with it is touched with both ends of the solid, or with one
//! and the corner where the edge ends; and one that is blunt, as on round ground, shares with what is beside it (`mesh_lows.rs`); between the two it is mixed.

use super::half_space::{self, Surface};
use super::mesh_convex::{Found, Ridge, Search};
use super::mesh_rim::Rim;
use super::touch::alike;
use crate::Shape;
use crate::trimesh::{CREASE, NONE};
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// Sine of the angle with a face up to which a solid lies on it: wholly, and still a little.
pub const LIES: [f64; 2] = [0.2, 0.3];
/// Sine of the angle with a line from which an edge is across it: a little, and wholly.
const ACROSS: [f64; 2] = [0.2, 0.5];
/// Cosine of the angle between normals of surfaces that look the same way.
const SAME_WAY: f64 = 0.5;
/// Cosine of the angle by which an edge bends, up to which it is sharp, and from which it is not: 60° and 30°.
const BLUNT: [f64; 2] = [0.5, CREASE];

impl Search<'_> {
    /// How far a place on an edge of the mesh ends a face on which the solid lies, with one of its ends and not with the other.
    pub fn lies_to(&self, e: u32, ridge: &Ridge, at: &PointOverlap) -> f64 {
        let sharpness = self.sharpness(e);
        if sharpness == 0.0 {
            return 0.0;
        }
        let faces = self.mesh.edges()[e as usize].faces.into_iter().filter(|f| *f != NONE);
        let lies = faces.map(|f| {
            let (normal, corner) = (self.mesh.normal(f), self.mesh.corners(f)[0]);
            let line = self.line_beside(normal);
            let flat = 1.0 - step(line.dot(normal).abs(), LIES);
            // On the face, or on an edge or a corner of it beside this one.
            let [low, high] = self.ends_in_line_with(at, normal, |p, place| {
                normal.dot(place - corner).abs() < 0.1 * p.depth + 1e3 * self.near
                    && !self.is_on(ridge, p, 0.0)
            });
            sharpness * across(line, ridge) * flat * (low - high).abs()
        });
        lies.fold(0.0, f64::max)
    }

    /// How far a corner ends a face or an edge on which the solid lies. Past the corner of a face the line goes beyond the end of the edge that is across it.
    pub fn lies_to_corner(&self, v: u32, at: &PointOverlap) -> f64 {
        let mesh = self.mesh;
        let mut lies: f64 = 0.0;
        for f in mesh.fan(v) {
            for e in mesh.edges_of(*f) {
                let edge = &mesh.edges()[e as usize];
                let sharpness = self.sharpness(e);
                if edge.faces[0] != *f || !edge.vertices.contains(&v) || sharpness == 0.0 {
                    continue;
                }
                let Some(ridge) = self.ridge(e) else { continue };
                let along = if edge.vertices[0] == v { ridge.along } else { -ridge.along };
                if along.dot(at.normal) <= 0.0 {
                    lies = lies.max(self.lies_to(e, &ridge, at));
                }
                let line = self.line_beside(at.normal);
                // A rim that is in the mesh beside the edge has its nearest place there.
                let has_rims = !matches!(self.shape, Shape::Capsule { .. });
                let is_there =
                    |p: &PointOverlap, _| self.is_on(&ridge, p, if has_rims { p.depth } else { 0.0 });
                let [low, high] = self.ends_in_line_with(at, at.normal, is_there);
                lies = lies.max(sharpness * (1.0 - across(line, &ridge)) * (low - high).abs());
            }
        }
        lies
    }

    /// How far an edge is sharp, and across the axis.
    pub fn cuts(&self, e: u32, ridge: &Ridge) -> f64 {
        self.sharpness(e) * across(self.pose.rotation * Vec3::Z, ridge)
    }

    fn sharpness(&self, e: u32) -> f64 {
        let [one, other] = self.mesh.edges()[e as usize].faces;
        let cos = if other == NONE { -1.0 } else { self.mesh.normal(one).dot(self.mesh.normal(other)) };
        1.0 - step(cos, BLUNT)
    }

    /// Puts a rim that is nearer to a side of the mesh which looks the same way as the rim's cap than to the face on which the solid lies with its other end on that face too: a cap cannot be pushed the way it looks.
    pub fn lay(&mut self, rim: &Rim) {
        let cap = rim.axis * rim.end.signum();
        let (origin, pose) = (self.origin(), self.pose);
        let is_here = |found: &Found| cap.dot(found.overlap.point - origin) > 0.0;
        if !self.points().iter().any(|found| is_here(found) && cap.dot(found.overlap.normal) > SAME_WAY) {
            return;
        }
        let lies = |found: &&Found| !is_here(found) && cap.dot(found.overlap.normal).abs() < LIES[0];
        let deeper = |a: Found, b: &Found| if b.overlap.depth > a.overlap.depth { *b } else { a };
        let mut others = self.points().iter().filter(lies);
        let Some(Found { overlap: p, triangles, .. }) = others.next().map(|f| others.fold(*f, deeper)) else {
            return;
        };
        let surface = Surface { origin: p.point + p.normal * p.depth, normal: p.normal };
        let (mesh, near) = (self.mesh, 1e3 * self.near);
        let mut is_over_face = false;
        half_space::cap(rim.radius, rim.end, &pose, &surface, |point| {
            is_over_face |= mesh.closest_within(point.point + point.normal * point.depth, near).is_some();
        });
        if is_over_face {
            self.keep(|found| !is_here(found));
            half_space::cap(rim.radius, rim.end, &pose, &surface, |point| {
                self.add_at(triangles, point.depth, point);
            });
        }
    }

    /// Whether a point is one with the line of an edge, up to a distance [m].
    pub fn is_on(&self, ridge: &Ridge, p: &PointOverlap, up_to: f64) -> bool {
        let at = p.point + p.normal * p.depth - ridge.ends[0];
        at.cross(ridge.along).length() <= self.near + up_to
    }

    /// Direction of the line with which the solid would lie on a plane with this normal.
    fn line_beside(&self, normal: Vec3) -> Vec3 {
        let axis = self.pose.rotation * Vec3::Z;
        let Shape::Cone { radius, half_height } = *self.shape else { return axis };
        let out = (axis * axis.dot(normal) - normal).normalize_or_zero();
        (axis * (2.0 * half_height) - out * radius).normalize_or(axis)
    }

    /// How far the solid's lower and upper end have points with this normal, of those with their place of the mesh that `is_there` takes, and from which the side goes on to `at`.
    fn ends_in_line_with(
        &self,
        at: &PointOverlap,
        normal: Vec3,
        is_there: impl Fn(&PointOverlap, Vec3) -> bool,
    ) -> [f64; 2] {
        let axis = self.pose.rotation * Vec3::Z;
        let mut ends = [0.0_f64; 2];
        for Found { overlap: p, .. } in self.points().iter().filter(|found| !found.on_ridge) {
            let rise = (at.depth - p.depth).abs();
            let goes_on = rise <= LIES[1] * at.point.distance(p.point) + 1e3 * self.near;
            if goes_on && is_there(p, p.point + p.normal * p.depth) {
                let end = &mut ends[usize::from(axis.dot(p.point - self.origin()) > 0.0)];
                *end = end.max(alike(p.normal.dot(normal).abs()));
            }
        }
        ends
    }
}

/// How far an edge is across a line.
fn across(line: Vec3, ridge: &Ridge) -> f64 {
    step(line.cross(ridge.along).length(), ACROSS)
}

/// From 0 to 1, without a bend.
fn step(x: f64, [from, to]: [f64; 2]) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
