//! Meshes and other shapes: their gaps, by trees.

use super::between;
use super::core::{Core, Moved, Triangle};
use super::gjk::{Convex, EXACT, Gap, gjk};
use super::round;
use crate::trimesh::triangle::nearest;
use crate::{Shape, TriMesh};
use fender_math::{Pose, Vec3};

/// Nodes that wait in a search: one for each level.
const STACK: usize = 70;
/// Normals of slabs are unit vectors to single precision.
pub(super) const UNIT: f64 = 1.0 - 1e-6;

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
    if core.is_curved() {
        let size = core.half().max_element() + corners[0].distance(corners[1]);
        round::gap(core, &Triangle(corners), -middle, limit, size, |_, _| None)
    } else {
        gjk(core, &Triangle(corners), -middle, limit, EXACT)
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
pub(super) fn to_solid(
    shape: &Shape,
    pose_wc: &Pose,
    mesh: &TriMesh,
    pose_wm: &Pose,
    limit: f64,
) -> Option<Gap> {
    let (core, border) = Core::of(shape)?;
    // Of the solid in the frame of the mesh.
    let pose = pose_wm.inverse() * *pose_wc;
    let solid = Moved::new(&core, &pose);
    if !solid.at.is_finite() || !solid.turn.is_finite() {
        return None;
    }
    let half = core.half();
    let size = [solid.turn.x_axis.abs(), solid.turn.y_axis.abs(), solid.turn.z_axis.abs()];
    let reach = size[0] * half.x + size[1] * half.y + size[2] * half.z;
    let mut search = Search {
        mesh,
        solid,
        half,
        size,
        reach,
        middle: solid.at - mesh.tree.center(),
        border,
        best: Gap::Beyond,
        limit: (limit + border).min(1e150),
        n: None,
    };
    search.run();
    let found = match search.best {
        Gap::Apart(points) => between(points, [border, 0.0]),
        other => other,
    };
    if !matches!(found, Gap::Meet(_)) && mesh.holds(solid.at) == Some(true) {
        return Some(Gap::Meet(pose_wc.translation));
    }
    Some(found.moved(pose_wc))
}

/// The search for the triangle that is nearest to a solid.
struct Search<'a> {
    mesh: &'a TriMesh,
    /// In the frame of the mesh.
    solid: Moved<'a>,
    /// Half lengths of the box around the solid in its own frame [m].
    half: Vec3,
    /// Absolute values of its rotation, by columns.
    size: [Vec3; 3],
    /// Half lengths of the box around it in the frame of the mesh, and its place about the middle of the tree [m].
    reach: Vec3,
    middle: Vec3,
    border: f64,
    /// In the frame of the solid.
    best: Gap,
    limit: f64,
    /// Direction of the nearest points so far from the solid to the mesh, in the frame of the mesh, and how far the solid reaches along it
    /// from the middle of the tree [m].
    n: Option<(Vec3, f64)>,
}

impl Search<'_> {
    fn run(&mut self) {
        let tree = &self.mesh.tree;
        let mut stack = [(0_u32, 0.0_f64); STACK];
        let mut top = usize::from(self.apart(0).0 <= self.limit * self.limit);
        while top > 0 {
            top -= 1;
            let (i, least) = stack[top];
            if least > self.limit * self.limit || self.is_beyond(i) {
                continue;
            }
            let node = tree.node(i);
            if let Some(range) = node.leaf() {
                if self.leaf(range) {
                    return;
                }
                continue;
            }
            // The nearer one comes first off the stack.
            let [first, second] = node.children().map(|i| (i, self.apart(i)));
            let pairs = if first.1 < second.1 { [second, first] } else { [first, second] };
            for (i, (least, _)) in pairs {
                if least <= self.limit * self.limit && top < STACK {
                    stack[top] = (i, least);
                    top += 1;
                }
            }
        }
    }

    /// Square of a lower bound of the distance of the solid and a node's box, and of their middles, which decides between equals [m²].
    #[inline]
    fn apart(&self, i: u32) -> (f64, f64) {
        let (low, high) = self.mesh.tree.node(i).corners();
        let (middle, half) = (0.5 * (low + high) - self.middle, 0.5 * (high - low));
        // Along the axes of the mesh, and along those of the solid.
        let one = (middle.abs() - half - self.reach).max(Vec3::ZERO).length_squared();
        let own = self.solid.in_own(middle).abs();
        let around = Vec3::new(self.size[0].dot(half), self.size[1].dot(half), self.size[2].dot(half));
        let other = (own - around - self.half).max(Vec3::ZERO).length_squared();
        (one.max(other), middle.length_squared())
    }

    /// Whether a plane shows that a node is too far away.
    #[inline]
    fn is_beyond(&self, i: u32) -> bool {
        let tree = &self.mesh.tree;
        let (node, slab) = (tree.node(i), tree.slab(i));
        if let Some((n, reach)) = self.n {
            let (below, _) = slab.range(node, n);
            if below - reach > self.limit {
                return true;
            }
        }
        // The solid is above the outer side of the slab.
        let n = slab.normal();
        let lowest = n.dot(self.solid.support(-n) - tree.center());
        (lowest - slab.own_range().1) * UNIT > self.limit
    }

    /// Tries the triangles of a leaf; whether it is over.
    fn leaf(&mut self, range: std::ops::Range<usize>) -> bool {
        for f in range {
            let corners = self.mesh.corners(f as u32).map(|p| self.solid.in_own(p - self.solid.at));
            let low = corners[0].min(corners[1]).min(corners[2]);
            let high = corners[0].max(corners[1]).max(corners[2]);
            let between = (low - self.half).max(-self.half - high).max(Vec3::ZERO);
            if between.length_squared() > self.limit * self.limit {
                continue;
            }
            match to_triangle(self.solid.core, corners, self.limit) {
                Gap::Apart([p, q]) => {
                    let distance = p.distance(q);
                    if distance < self.limit || self.best == Gap::Beyond && distance <= self.limit {
                        (self.best, self.limit) = (Gap::Apart([p, q]), distance);
                        if distance <= self.border {
                            return true;
                        }
                        let n = self.solid.turn * ((q - p) / distance);
                        self.n = Some((n, n.dot(self.solid.support(n) - self.mesh.tree.center())));
                    }
                }
                Gap::Meet(p) => {
                    self.best = Gap::Meet(p);
                    return true;
                }
                Gap::Beyond => {}
            }
        }
        false
    }
}
