//! Meshes and other shapes: their gaps, by trees.

use super::between;
use super::core::{Core, Moved, Triangle};
use super::gjk::{EXACT, Gap, gjk};
use super::project::project;
use crate::trimesh::triangle::nearest;
use crate::{Shape, TriMesh};
use fender_math::{Pose, Vec3};

/// Vertex of a mesh that is farthest along `n` [m], in its frame.
pub(super) fn farthest(mesh: &TriMesh, n: Vec3) -> Vec3 {
    let mut best = mesh.vertices()[0];
    let middle = mesh.tree.center();
    mesh.tree.search(
        f64::MAX,
        |node| {
            let (low, high) = node.corners();
            -(n.max(Vec3::ZERO).dot(high) + n.min(Vec3::ZERO).dot(low) + n.dot(middle))
        },
        |range, mut limit| {
            for p in range.flat_map(|f| mesh.corners(f as u32)) {
                if -n.dot(p) < limit {
                    (best, limit) = (p, -n.dot(p));
                }
            }
            limit
        },
    );
    best
}

/// How a solid in its own frame lies to a triangle there; the first point is the solid's.
fn to_triangle(core: &Core, corners: [Vec3; 3], limit: f64) -> Gap {
    let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
    let tolerance = if core.is_curved() { super::ROUND } else { EXACT };
    match gjk(core, &Triangle(corners), -middle, limit, tolerance) {
        Gap::Apart(points) if core.is_curved() => {
            let near = 1e-13 * (core.half().max_element() + corners[0].distance(corners[1]));
            Gap::Apart(project(points, |p| core.nearest(p), |q| nearest(q, corners).0, near))
        }
        found => found,
    }
}

/// A place where a triangle is in the solid, if there is one.
pub(crate) fn common(shape: &Shape, pose: &Pose, corners: [Vec3; 3]) -> Option<Vec3> {
    let (core, border) = Core::of(shape)?;
    let own = corners.map(|p| pose.inverse_transform_point(p));
    let found = match to_triangle(&core, own, border) {
        Gap::Apart([p, q]) => (p.distance(q) <= border).then_some(q),
        Gap::Meet(p) => Some(nearest(p, own).0),
        Gap::Beyond => None,
    };
    found.map(|p| pose.transform_point(p))
}

/// How a ball lies to a mesh at `pose_wm`, in the world; `None` if a number is not finite.
pub(super) fn to_ball(center: Vec3, radius: f64, mesh: &TriMesh, pose_wm: &Pose, limit: f64) -> Option<Gap> {
    let own = pose_wm.inverse_transform_point(center);
    if !own.is_finite() {
        return None;
    }
    let Some(closest) = mesh.closest_within(own, limit + radius) else {
        // Too far from the surface, unless it is deep inside.
        return Some(if mesh.holds(own) == Some(true) { Gap::Meet(center) } else { Gap::Beyond });
    };
    if closest.distance > radius && mesh.is_closed() && mesh.is_behind(own, &closest) {
        return Some(Gap::Meet(center));
    }
    Some(between([center, pose_wm.transform_point(closest.point)], [radius, 0.0]))
}

/// How a convex solid lies to a mesh at `pose_wm`, in the world; `None` if a pose is not finite.
pub(super) fn to_solid(shape: &Shape, pose_wc: &Pose, mesh: &TriMesh, pose_wm: &Pose, limit: f64) -> Option<Gap> {
    let (core, border) = Core::of(shape)?;
    // Of the solid in the frame of the mesh.
    let pose = pose_wm.inverse() * *pose_wc;
    let solid = Moved::new(&core, &pose);
    if !solid.at.is_finite() || !solid.turn.is_finite() {
        return None;
    }
    let half = core.half();
    let reach = solid.turn.x_axis.abs() * half.x + solid.turn.y_axis.abs() * half.y + solid.turn.z_axis.abs() * half.z;
    let middle = solid.at - mesh.tree.center();
    let (low, high) = (middle - reach, middle + reach);
    let mut best = Gap::Beyond;
    let limit = limit + border;
    mesh.tree.search(
        limit * limit,
        |node| {
            let (a, b) = node.corners();
            (a - high).max(low - b).max(Vec3::ZERO).length_squared()
        },
        |range, mut least| {
            for f in range {
                let corners = mesh.corners(f as u32).map(|p| solid.to_own(p - solid.at));
                let (lowest, highest) =
                    (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
                if (lowest - half).max(-half - highest).max(Vec3::ZERO).length_squared() > least {
                    continue;
                }
                match to_triangle(&core, corners, least.sqrt()) {
                    Gap::Apart([p, q]) => {
                        let sq = p.distance_squared(q);
                        if sq < least {
                            (best, least) = (Gap::Apart([p, q]), sq);
                        }
                    }
                    Gap::Meet(p) => {
                        best = Gap::Meet(p);
                        return f64::NEG_INFINITY;
                    }
                    Gap::Beyond => {}
                }
            }
            least
        },
    );
    let found = match best {
        Gap::Apart(points) => between(points, [border, 0.0]),
        other => other,
    };
    if !matches!(found, Gap::Meet(_)) && mesh.holds(solid.at) == Some(true) {
        return Some(Gap::Meet(pose_wc.translation));
    }
    Some(found.moved(pose_wc))
}
