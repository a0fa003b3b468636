//! What of a shape a contact is on: a face, an edge, a vertex, or a round side.
//!
//! It is told from where the contact is, not kept while it is sought: laws do not ask for it, and people ask for few contacts.

use crate::narrow::convex;
use crate::narrow::lean::STANDS;
use crate::trimesh::EdgeKind;
pub use crate::trimesh::Feature;
use crate::{Shape, TriMesh};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use std::fmt;

/// A place is on all faces whose planes are nearer to it than this part of the shape's size.
const NEAR: f64 = 1e-6;

/// What of `shape`, the first (else the second) of two that touch, `contact` is on; `None` for a round side.
///
/// Faces are numbered from 0: of a box −z, +z, +x, −x, +y, −y, of a cylinder its lower and upper cap, of a polyhedron as it lists them, of a mesh as the triangles
/// in its file. So are edges (of a cylinder its two rims, of a cone the one of its base) and vertices (of a box with one bit for each positive coordinate). Edges and vertices of a
/// mesh in the middle of a flat surface are part of its faces.
pub fn touched(shape: &Shape, pose: &Pose, contact: &PointOverlap, is_first: bool) -> Option<Feature> {
    // The point of action is on either surface, or between them. A body's surface is against the normal that points to it.
    let inward = if is_first { contact.normal } else { -contact.normal };
    let inward = pose.rotation.inverse() * inward;
    let p = pose.inverse_transform_point(contact.point);
    let places = [0.0, -0.5, 0.5, -1.0, 1.0].map(|part| p + inward * (part * contact.depth));
    match shape {
        Shape::HalfSpace => Some(Feature::Face(0)),
        Shape::Edge { .. } => Some(Feature::Edge(0)),
        Shape::Mesh(mesh) => {
            let found = places.into_iter().filter_map(|p| mesh.closest(p));
            let found = found.reduce(|a, b| if b.distance < a.distance { b } else { a })?;
            Some(of_mesh(mesh, found.feature, found.triangle))
        }
        _ => {
            // The force of a rim that leans acts up to half its depth aside (`narrow/lean.rs`), which is less than its depth off both
            // sides. On a cap nothing does: what touches its middle deeply is still not at the rim.
            let leans = inward.truncate().length() > STANDS;
            let aside = if leans && above_side(shape, p).is_some() { contact.depth } else { 0.0 };
            let near = (NEAR * shape.bounding_radius()).max(aside);
            let off = |p: Vec3| highest(shape, p).abs();
            let least = places.into_iter().map(off).fold(f64::INFINITY, f64::min) + near;
            // Along a side of the solid all are on its surface: then a vertex rather than an edge, and that rather than a face.
            let on_surface =
                places.into_iter().filter(|p| off(*p) <= least).map(|p| of_solid(shape, p, near));
            on_surface.max().flatten()
        }
    }
}

/// How far a place is above the round side of a shape with flat faces [m].
fn above_side(shape: &Shape, p: Vec3) -> Option<f64> {
    let rho = p.truncate().length();
    match *shape {
        Shape::Cylinder { radius, .. } => Some(rho - radius),
        Shape::Cone { radius, half_height } => {
            let (up, out) = (radius, 2.0 * half_height);
            Some((rho * out + (p.z - half_height) * up) / up.hypot(out))
        }
        _ => None,
    }
}

fn above_faces(shape: &Shape, p: Vec3) -> impl Iterator<Item = f64> + '_ {
    convex::faces(shape).iter().map(move |n| n.dot(p) - convex::reach(shape, *n))
}

/// How far a place is above the surface, less than zero inside, seen along the normals [m].
fn highest(shape: &Shape, p: Vec3) -> f64 {
    above_faces(shape, p).chain(above_side(shape, p)).fold(f64::NEG_INFINITY, f64::max)
}

/// What the place `p` is on, or nearer to than `near` [m].
fn of_solid(shape: &Shape, p: Vec3, near: f64) -> Option<Feature> {
    let level = highest(shape, p) - near;
    let mut faces = above_faces(shape, p).enumerate().filter(|(_, h)| *h >= level).map(|(f, _)| f as u32);
    let is_beside = above_side(shape, p).is_some_and(|h| h >= level);
    let (first, second, third) = (faces.next(), faces.next(), faces.next());
    if is_beside {
        // The side of a cone ends at its tip, that of a cylinder at its rims.
        let is_tip = matches!(*shape, Shape::Cone { half_height, .. } if p.distance(Vec3::Z * half_height) <= 2.0 * near);
        return if is_tip { Some(Feature::Vertex(0)) } else { first.map(Feature::Edge) };
    }
    match (first, second, third) {
        (Some(face), None, _) => Some(Feature::Face(face)),
        (Some(face), Some(other), None) => edge_between(shape, p, [face, other]).map(Feature::Edge),
        (Some(_), Some(_), Some(_)) => nearest_vertex(shape, p).map(Feature::Vertex),
        (None, ..) => None,
    }
}

/// The edge between two faces. Of a box there are four along each axis, counted by the signs of the other two coordinates.
fn edge_between(shape: &Shape, p: Vec3, faces: [u32; 2]) -> Option<u32> {
    if let Shape::Polyhedron(polyhedron) = shape {
        let is_it = |e: &crate::polyhedron::Edge| faces.iter().all(|f| e.faces.contains(f));
        return polyhedron.edges().iter().position(is_it).map(|e| e as u32);
    }
    let normals = faces.map(|f| convex::faces(shape)[f as usize]);
    let along = normals[0].cross(normals[1]).abs();
    let (axis, signs) = match () {
        () if along.x > 0.5 => (0, [p.y, p.z]),
        () if along.y > 0.5 => (1, [p.x, p.z]),
        () => (2, [p.x, p.y]),
    };
    Some(4 * axis + u32::from(signs[0] > 0.0) + 2 * u32::from(signs[1] > 0.0))
}

fn nearest_vertex(shape: &Shape, p: Vec3) -> Option<u32> {
    match shape {
        Shape::Polyhedron(polyhedron) => {
            let far = |v: &usize| polyhedron.vertices()[*v].distance_squared(p);
            (0..polyhedron.vertices().len()).min_by(|v, w| far(v).total_cmp(&far(w))).map(|v| v as u32)
        }
        _ => Some(u32::from(p.x > 0.0) + 2 * u32::from(p.y > 0.0) + 4 * u32::from(p.z > 0.0)),
    }
}

fn of_mesh(mesh: &TriMesh, feature: Feature, triangle: u32) -> Feature {
    let is_flat = |e: u32| mesh.edges()[e as usize].kind == EdgeKind::Flat;
    let is_face = match feature {
        Feature::Face(_) => true,
        Feature::Edge(e) => is_flat(e),
        Feature::Vertex(v) => {
            let edges = mesh.fan(v).iter().flat_map(|f| mesh.edges_of(*f));
            edges.filter(|e| mesh.edges()[*e as usize].vertices.contains(&v)).all(is_flat)
        }
    };
    if is_face { Feature::Face(mesh.source(triangle)) } else { feature }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Face(i) => write!(f, "face {i}"),
            Self::Edge(i) => write!(f, "edge {i}"),
            Self::Vertex(i) => write!(f, "vertex {i}"),
        }
    }
}
