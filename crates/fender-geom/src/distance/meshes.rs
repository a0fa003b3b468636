//! Two meshes: how they lie to each other, by both trees.
//!
//! A pair of nodes is put off by the distance of their boxes, and passed over for good by a plane: along any direction, what lies
//! between the two slabs is a lower bound of the distance. The direction of the nearest points so far is best, because that of the
//! nearest of all is near to it.

use super::core::Triangle;
use super::gjk::{EXACT, Gap, gjk};
use super::mesh::UNIT;
use crate::TriMesh;
use crate::trimesh::Node;
use fender_math::{Mat3, Pose, Vec3};

/// Pairs of nodes that wait in a search through two trees: one for each level of either.
const STACK: usize = 160;
/// Trips between the surfaces before the search, as long as each brings them nearer by this factor.
const TRIPS: usize = 8;
const WORTH: f64 = 0.99;

/// Two meshes in the frame of the first.
struct Meshes<'a> {
    a: &'a TriMesh,
    b: &'a TriMesh,
    pose: Pose,
    turn: Mat3,
    /// Absolute values of the rotation, by columns.
    size: [Vec3; 3],
    /// From the middle of the first tree to that of the second [m].
    offset: Vec3,
}

/// How two meshes lie to each other, in the world; `None` if a pose is not finite.
pub(super) fn gap(a: &TriMesh, pose_wa: &Pose, b: &TriMesh, pose_wb: &Pose, limit: f64) -> Option<Gap> {
    let pose = pose_wa.inverse() * *pose_wb;
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return None;
    }
    let turn = Mat3::from_quat(pose.rotation);
    let size = [turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()];
    let offset = turn * b.tree.center() + pose.translation - a.tree.center();
    let meshes = Meshes { a, b, pose, turn, size, offset };
    let found = if limit > 0.0 { meshes.nearest(limit) } else { meshes.crossing() };
    let found = if matches!(found, Gap::Meet(_)) { found } else { meshes.enclosed().unwrap_or(found) };
    Some(found.moved(pose_wa))
}

/// What is known of the nearest points so far.
struct Best {
    gap: Gap,
    limit: f64,
    /// From the first mesh to the second, in either frame.
    n: Vec3,
    n_b: Vec3,
}

impl Best {
    /// Takes points that are nearer.
    fn take(&mut self, [p, q]: [Vec3; 2], meshes: &Meshes) {
        let apart = q - p;
        let distance = apart.length();
        // Points that coincide tell no direction.
        if distance < self.limit && distance > 0.0 {
            self.n = apart / distance;
            self.n_b = meshes.to_b(self.n);
            (self.gap, self.limit) = (Gap::Apart([p, q]), distance);
        }
    }
}

impl Meshes<'_> {
    fn corners_b(&self, triangle: u32) -> [Vec3; 3] {
        self.b.corners(triangle).map(|p| self.turn * p + self.pose.translation)
    }

    /// In the frame of the second.
    fn to_b(&self, n: Vec3) -> Vec3 {
        Vec3::new(self.turn.x_axis.dot(n), self.turn.y_axis.dot(n), self.turn.z_axis.dot(n))
    }

    /// Middle and half lengths of the box along the first mesh's axes around a node of the second, about the first tree's middle [m].
    #[inline]
    fn boxed(&self, node: &Node) -> (Vec3, Vec3) {
        let (low, high) = node.corners();
        let half = 0.5 * (high - low);
        let middle = self.offset + self.turn * (0.5 * (low + high));
        (middle, self.size[0] * half.x + self.size[1] * half.y + self.size[2] * half.z)
    }

    /// Square of the distance of the boxes of two nodes, and of their middles, which decides between equals [m²].
    #[inline]
    fn apart(&self, i: u32, k: u32) -> (f64, f64) {
        let (low, high) = self.a.tree.node(i).corners();
        let (middle, half) = self.boxed(self.b.tree.node(k));
        let between = (low - middle - half).max(middle - half - high).max(Vec3::ZERO);
        (between.length_squared(), (0.5 * (low + high)).distance_squared(middle))
    }

    /// How far two nodes are apart along the direction of the nearest points so far [m].
    #[inline]
    fn between_slabs(&self, i: u32, k: u32, best: &Best) -> f64 {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let (_, above) = a.slab(i).range(a.node(i), best.n);
        let (below, _) = b.slab(k).range(b.node(k), best.n_b);
        below + best.n.dot(self.offset) - above
    }

    /// How far two nodes are apart along the normal of either slab [m], where surfaces face each other in another direction than the
    /// nearest points so far.
    #[inline]
    fn beside_slabs(&self, i: u32, k: u32) -> f64 {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let n = a.slab(i).normal();
        let (below, _) = b.slab(k).range(b.node(k), self.to_b(n));
        let over_a = below + n.dot(self.offset) - a.slab(i).own_range().1;
        let n_b = b.slab(k).normal();
        let n = self.turn * n_b;
        let (below, _) = a.slab(i).range(a.node(i), n);
        let over_b = below - n.dot(self.offset) - b.slab(k).own_range().1;
        UNIT * over_a.max(over_b)
    }

    /// Which of two nodes to open: the larger one that has children.
    #[inline]
    fn opens_first(node_a: &Node, node_b: &Node) -> bool {
        let extent = |node: &Node| {
            let (low, high) = node.corners();
            (high - low).length_squared()
        };
        node_b.leaf().is_some() || node_a.leaf().is_none() && extent(node_a) > extent(node_b)
    }

    fn nearest(&self, limit: f64) -> Gap {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let n = self.offset.normalize_or(Vec3::Z);
        let mut best = Best { gap: Gap::Beyond, limit: limit.min(1e150), n, n_b: self.to_b(n) };
        if self.seed(&mut best) {
            return best.gap;
        }
        let mut stack = [(0_u32, 0_u32, 0.0_f64); STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (i, k, least) = stack[top];
            if least > best.limit * best.limit
                || self.between_slabs(i, k, &best) >= best.limit
                || self.beside_slabs(i, k) >= best.limit
            {
                continue;
            }
            let (node_a, node_b) = (a.node(i), b.node(k));
            if let (Some(of_a), Some(of_b)) = (node_a.leaf(), node_b.leaf()) {
                if self.leaves(of_a, of_b, &mut best) {
                    break;
                }
                continue;
            }
            let pairs = if Self::opens_first(node_a, node_b) {
                node_a.children().map(|i| (i, k, self.apart(i, k)))
            } else {
                node_b.children().map(|k| (i, k, self.apart(i, k)))
            };
            // The nearer one comes first off the stack.
            let [first, second] = pairs;
            let pairs = if first.2 < second.2 { [second, first] } else { [first, second] };
            for (i, k, (least, _)) in pairs {
                if least <= best.limit * best.limit && top < STACK {
                    stack[top] = (i, k, least);
                    top += 1;
                }
            }
        }
        best.gap
    }

    /// Finds points that are likely to be near to each other, so that the search passes over most of the trees from the start: down to the
    /// leaves whose middles are nearest, then to and fro between the surfaces. Whether the meshes were found to meet.
    fn seed(&self, best: &mut Best) -> bool {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let (mut i, mut k) = (0, 0);
        loop {
            let (node_a, node_b) = (a.node(i), b.node(k));
            if let (Some(of_a), Some(of_b)) = (node_a.leaf(), node_b.leaf()) {
                if self.leaves(of_a, of_b, best) {
                    return true;
                }
                break;
            }
            let nearer =
                |[x, y]: [u32; 2], apart: &dyn Fn(u32) -> f64| if apart(y) < apart(x) { y } else { x };
            if Self::opens_first(node_a, node_b) {
                i = nearer(node_a.children(), &|i| self.apart(i, k).1);
            } else {
                k = nearer(node_b.children(), &|k| self.apart(i, k).1);
            }
        }
        for _ in 0..TRIPS {
            let Gap::Apart([p, _]) = best.gap else { break };
            let before = best.limit;
            let own = self.to_b(p - self.pose.translation);
            let Some(on_b) = self.b.closest_within(own, best.limit) else { break };
            let q = self.turn * on_b.point + self.pose.translation;
            let Some(on_a) = self.a.closest_within(q, on_b.distance) else { break };
            best.take([on_a.point, q], self);
            if best.limit > WORTH * before {
                break;
            }
        }
        false
    }

    /// Tries all pairs of triangles of two leaves; whether they meet.
    fn leaves(&self, of_a: std::ops::Range<usize>, of_b: std::ops::Range<usize>, best: &mut Best) -> bool {
        for g in of_b {
            let other = self.corners_b(g as u32);
            for f in of_a.clone() {
                let own = self.a.corners(f as u32);
                let (x, y) = (own.map(|p| best.n.dot(p)), other.map(|p| best.n.dot(p)));
                if y[0].min(y[1]).min(y[2]) - x[0].max(x[1]).max(x[2]) >= best.limit {
                    continue;
                }
                match gjk(&Triangle(own), &Triangle(other), -best.n, best.limit, EXACT) {
                    Gap::Apart(points) => best.take(points, self),
                    Gap::Meet(p) => {
                        best.gap = Gap::Meet(p);
                        return true;
                    }
                    Gap::Beyond => {}
                }
            }
        }
        false
    }

    /// Whether the surfaces cross, and where.
    fn crossing(&self) -> Gap {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let mut stack = [(0_u32, 0_u32); STACK];
        let mut top = usize::from(self.may_cross(0, 0));
        while top > 0 {
            top -= 1;
            let (i, k) = stack[top];
            let (node_a, node_b) = (a.node(i), b.node(k));
            if let (Some(of_a), Some(of_b)) = (node_a.leaf(), node_b.leaf()) {
                for g in of_b {
                    let other = self.corners_b(g as u32);
                    for f in of_a.clone() {
                        if let Some(p) = self.triangles_cross(f as u32, g as u32, other) {
                            return Gap::Meet(p);
                        }
                    }
                }
                continue;
            }
            let pairs = if Self::opens_first(node_a, node_b) {
                node_a.children().map(|i| (i, k))
            } else {
                node_b.children().map(|k| (i, k))
            };
            for (i, k) in pairs {
                if top < STACK && self.may_cross(i, k) {
                    stack[top] = (i, k);
                    top += 1;
                }
            }
        }
        Gap::Beyond
    }

    /// Whether no axis of the boxes and no normal of the slabs of two nodes parts them.
    #[inline]
    fn may_cross(&self, i: u32, k: u32) -> bool {
        let (a, b) = (&self.a.tree, &self.b.tree);
        let (node_a, node_b) = (a.node(i), b.node(k));
        let (low, high) = node_a.corners();
        let (middle, half) = self.boxed(node_b);
        if !(low.cmple(middle + half).all() && (middle - half).cmple(high).all()) {
            return false;
        }
        // The same seen along the axes of the second.
        let middle_a = self.to_b(0.5 * (low + high) - self.offset);
        let half_a = 0.5 * (high - low);
        let half_a = Vec3::new(self.size[0].dot(half_a), self.size[1].dot(half_a), self.size[2].dot(half_a));
        let (low, high) = node_b.corners();
        if !(low.cmple(middle_a + half_a).all() && (middle_a - half_a).cmple(high).all()) {
            return false;
        }
        let meet = |(low, high): (f64, f64), (below, above): (f64, f64)| low <= above && below <= high;
        let n = a.slab(i).normal();
        let shift = n.dot(self.offset);
        let (below, above) = b.slab(k).range(node_b, self.to_b(n));
        if !meet(a.slab(i).own_range(), (below + shift, above + shift)) {
            return false;
        }
        let n_b = b.slab(k).normal();
        let n = self.turn * n_b;
        let shift = n.dot(self.offset);
        let (below, above) = a.slab(i).range(node_a, n);
        meet(b.slab(k).own_range(), (below - shift, above - shift))
    }

    /// A common point of two triangles, the second with corners in the frame of the first.
    fn triangles_cross(&self, f: u32, g: u32, other: [Vec3; 3]) -> Option<Vec3> {
        let own = self.a.corners(f);
        // All of one on one side of the other's plane.
        let beside = |n: Vec3, on: Vec3, corners: [Vec3; 3]| {
            let [x, y, z] = corners.map(|p| n.dot(p - on));
            x > 0.0 && y > 0.0 && z > 0.0 || x < 0.0 && y < 0.0 && z < 0.0
        };
        if beside(self.a.normal(f), own[0], other) || beside(self.turn * self.b.normal(g), other[0], own) {
            return None;
        }
        match gjk(&Triangle(own), &Triangle(other), own[0] - other[0], 0.0, EXACT) {
            Gap::Meet(p) => Some(p),
            _ => None,
        }
    }

    /// Surfaces that do not cross: all of one, or nothing of it, is inside the other.
    fn enclosed(&self) -> Option<Gap> {
        let (on_a, on_b) = (self.a.vertices()[0], self.b.vertices()[0]);
        if self.b.holds(self.pose.inverse_transform_point(on_a)) == Some(true) {
            return Some(Gap::Meet(on_a));
        }
        let on_b = self.pose.transform_point(on_b);
        (self.a.holds(on_b) == Some(true)).then_some(Gap::Meet(on_b))
    }
}
