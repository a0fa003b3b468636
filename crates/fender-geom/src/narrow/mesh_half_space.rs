//! A triangle mesh against a half-space: its convex hull, of which alone a plane can touch anything first (`polyhedron_half_space.rs`). So a box
//! of triangles, however finely divided, is a box, and one with a hollow is held at the corners around it.
//!
//! A mesh without volume has no hull: up to four of its vertices that are below the surface stand for it, the deepest and those that are
//! farthest around it, with a quarter of the stiffness each.

use super::half_space::{QUARTER, Surface};
use super::{Overlaps, polyhedron_half_space};
use crate::TriMesh;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Overlaps of a mesh with a half-space; normals point to the mesh.
pub fn overlaps(mesh: &TriMesh, pose_wm: &Pose, surface: &Surface) -> Overlaps {
    if let Some(hull) = mesh.hull() {
        return polyhedron_half_space::solid(hull, pose_wm, surface);
    }
    let down = pose_wm.rotation.inverse() * -surface.normal;
    let level = down.dot(pose_wm.inverse_transform_point(surface.origin));
    let below = Below { mesh, down, level };
    let mut found = Overlaps::none();
    for p in below.corners().into_iter().flatten() {
        let depth = down.dot(p) - level;
        found.push(PointOverlap {
            point: pose_wm.transform_point(p),
            normal: surface.normal,
            depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: QUARTER,
        });
    }
    found
}

struct Below<'a> {
    mesh: &'a TriMesh,
    /// Unit direction into the half-space, in the mesh's frame.
    down: Vec3,
    /// How far along it the surface is [m].
    level: f64,
}

impl Below<'_> {
    fn corners(&self) -> [Option<Vec3>; 4] {
        let across = |v: Vec3| v - self.down * self.down.dot(v);
        // A tie between the corners of a level face is decided by the frame of the mesh, and moves with it.
        let aside = self.down.any_orthonormal_vector() * 1e-9;
        let Some(first) = self.most(f64::NEG_INFINITY, |p| self.down.dot(p) + aside.dot(p)) else {
            return [None; 4];
        };
        let near = 1e-9 * self.mesh.size();
        let Some(second) = self.most(near * near, |p| across(p - first).length_squared()) else {
            return [Some(first), None, None, None];
        };
        let beside = self.down.cross(second - first).normalize_or_zero();
        // Of those as far beside, the middle one would do as well: take the one farthest along.
        let along = across(second - first).normalize_or_zero() * 1e-6;
        let left = self.most(near, |p| (beside + along).dot(p - first));
        let right = self.most(near, |p| (along - beside).dot(p - first));
        let is_new = |p: &Vec3| beside.dot(*p - first).abs() > near;
        [Some(first), Some(second), left.filter(is_new), right.filter(is_new)]
    }

    /// The vertex below the surface with the largest `value`, if that is above `least`. The first one, if several are.
    fn most(&self, least: f64, value: impl Fn(Vec3) -> f64) -> Option<Vec3> {
        let (mesh, down) = (self.mesh, self.down);
        let middle = down.dot(mesh.tree.center());
        let (mut best, mut most) = (None, least);
        mesh.tree.search(
            0.0,
            |node| {
                let (low, high) = node.corners();
                let lowest = down.max(Vec3::ZERO).dot(high) + down.min(Vec3::ZERO).dot(low) + middle;
                if lowest > self.level { 0.0 } else { f64::INFINITY }
            },
            |range, limit| {
                for p in range.flat_map(|f| mesh.corners(f as u32)) {
                    if down.dot(p) > self.level {
                        let found = value(p);
                        if found > most {
                            (best, most) = (Some(p), found);
                        }
                    }
                }
                limit
            },
        );
        best
    }
}
