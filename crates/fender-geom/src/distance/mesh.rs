//! Nearest points of triangle meshes and other shapes, by their trees.

use crate::narrow::{convex, gjk, sphere};
use crate::trimesh::triangle::nearest;
use crate::{Bounds, Shape, TriMesh};
use fender_math::{Mat3, Pose, Vec3};
use parry3d_f64::query::gjk::GJKResult;
use parry3d_f64::shape::SupportMap;

/// Pairs of nodes that wait in a search through two trees: one for each level of either.
const STACK: usize = 160;

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

/// A solid among triangles, about its own origin; of a capsule only the segment.
struct Solid<'a> {
    shape: &'a Shape,
    pose: Pose,
}

impl SupportMap for Solid<'_> {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        let own = (self.pose.rotation.inverse() * dir).normalize_or(Vec3::Z);
        let farthest = match *self.shape {
            Shape::Capsule { half_height, .. } => Vec3::Z * half_height.copysign(own.z),
            _ => convex::support(self.shape, own),
        };
        self.pose.rotation * farthest
    }
}

struct Triangle([Vec3; 3]);

impl SupportMap for Triangle {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        let [a, b, c] = self.0;
        let farther = |p: Vec3, q: Vec3| if dir.dot(q) > dir.dot(p) { q } else { p };
        farther(farther(a, b), c)
    }
}

impl Solid<'_> {
    /// Nearest point of the solid to `p`, which is itself if it is inside.
    fn nearest(&self, p: Vec3) -> Vec3 {
        let own = self.pose.inverse_transform_point(p);
        let flat = Vec3::new(own.x, own.y, 0.0);
        let found = match *self.shape {
            _ if convex::holds(self.shape, own) => return p,
            Shape::Box { half } => own.clamp(-half, half),
            Shape::Cylinder { radius, half_height } => {
                flat.clamp_length_max(radius) + Vec3::Z * own.z.clamp(-half_height, half_height)
            }
            Shape::Capsule { half_height, .. } => Vec3::Z * own.z.clamp(-half_height, half_height),
            Shape::Polyhedron(ref polyhedron) => polyhedron.nearest(own).point,
            _ => sphere::nearest(self.shape, own).map_or(own, |nearest| nearest.surface),
        };
        self.pose.transform_point(found)
    }

    /// Nearest points of the solid and a triangle; the same if they meet.
    fn to_triangle(&self, corners: [Vec3; 3]) -> [Vec3; 2] {
        let origin = self.pose.translation;
        // About a corner, so that the two have a direction to begin with.
        let triangle = Triangle(corners.map(|p| p - corners[0]));
        let start = match gjk::nearest(self, &triangle, corners[0] - origin, f64::MAX) {
            GJKResult::Intersection => {
                let p = self.nearest(nearest(origin, corners).0);
                return [p, p];
            }
            GJKResult::ClosestPoints(_, q, _) if q.is_finite() => q + corners[0],
            _ => nearest(origin, corners).0,
        };
        let size = self.shape.bounding_radius() + corners[0].distance(corners[1]);
        let [q, p] =
            super::project(nearest(start, corners).0, |p| nearest(p, corners).0, |q| self.nearest(q), size);
        [p, q]
    }
}

/// A place where a triangle is in the solid, if there is one.
pub(crate) fn common(shape: &Shape, pose: &Pose, corners: [Vec3; 3]) -> Option<Vec3> {
    let border = if let Shape::Capsule { radius, .. } = *shape { radius } else { 0.0 };
    let [p, q] = Solid { shape, pose: *pose }.to_triangle(corners);
    (p.distance(q) <= border).then_some(q)
}

/// Nearest points of a convex solid and a mesh at `pose_wm`, in the world; `None` if a pose is not finite.
pub(super) fn to_solid(shape: &Shape, pose_wc: &Pose, mesh: &TriMesh, pose_wm: &Pose) -> Option<[Vec3; 2]> {
    let solid = Solid { shape, pose: pose_wm.inverse() * *pose_wc };
    let Bounds::Box { min, max } = shape.bounds(&solid.pose) else { return None };
    if !min.is_finite() || !max.is_finite() {
        return None;
    }
    let middle = mesh.tree.center();
    let (low, high) = (min - middle, max - middle);
    let mut best = None;
    mesh.tree.search(
        f64::MAX,
        |node| {
            let (a, b) = node.corners();
            (a - high).max(low - b).max(Vec3::ZERO).length_squared()
        },
        |range, mut limit| {
            for f in range {
                let corners = mesh.corners(f as u32);
                let (lowest, highest) =
                    (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
                if (lowest - max).max(min - highest).max(Vec3::ZERO).length_squared() <= limit {
                    let [p, q] = solid.to_triangle(corners);
                    if p.distance_squared(q) < limit {
                        (best, limit) = (Some([p, q]), p.distance_squared(q));
                    }
                }
            }
            limit
        },
    );
    let border = if let Shape::Capsule { radius, .. } = *shape { radius } else { 0.0 };
    best.map(|points| super::between(points.map(|p| pose_wm.transform_point(p)), [border, 0.0]))
}

/// Nearest points of two meshes, in the world; `None` if a pose is not finite.
pub(super) fn to_mesh(a: &TriMesh, pose_wa: &Pose, b: &TriMesh, pose_wb: &Pose) -> Option<[Vec3; 2]> {
    // Everything in the frame of the first.
    let pose = pose_wa.inverse() * *pose_wb;
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return None;
    }
    let turn = Mat3::from_quat(pose.rotation);
    let size = [turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()];
    let center_b = pose.transform_point(b.tree.center()) - a.tree.center();
    let bound = |i: u32, k: u32| {
        let (low_a, high_a) = a.tree.node(i).corners();
        let (low, high) = b.tree.node(k).corners();
        let (half, middle) = (0.5 * (high - low), center_b + turn * (0.5 * (low + high)));
        let half = size[0] * half.x + size[1] * half.y + size[2] * half.z;
        let apart = (low_a - middle - half).max(middle - half - high_a).max(Vec3::ZERO);
        apart.length_squared()
    };
    let extent = |low: Vec3, high: Vec3| (high - low).length_squared();
    let mut best: Option<[Vec3; 2]> = None;
    let mut limit = f64::MAX;
    let mut stack = [(0_u32, 0_u32, 0.0_f64); STACK];
    let mut top = 1;
    while top > 0 {
        top -= 1;
        let (i, k, least) = stack[top];
        if least > limit || least == limit && best.is_some() {
            continue;
        }
        let (node_a, node_b) = (a.tree.node(i), b.tree.node(k));
        match (node_a.leaf(), node_b.leaf()) {
            (Some(of_a), Some(of_b)) => {
                for g in of_b {
                    let other = b.corners(g as u32).map(|p| pose.transform_point(p));
                    for f in of_a.clone() {
                        let [p, q] = between_triangles(a.corners(f as u32), other);
                        if p.distance_squared(q) < limit {
                            (best, limit) = (Some([p, q]), p.distance_squared(q));
                        }
                    }
                }
            }
            (leaf_a, leaf_b) => {
                // The larger of the two is opened; the nearer half is looked at first.
                let ((low_a, high_a), (low_b, high_b)) = (node_a.corners(), node_b.corners());
                let first =
                    leaf_b.is_some() || leaf_a.is_none() && extent(low_a, high_a) > extent(low_b, high_b);
                let mut pairs = if first {
                    node_a.children().map(|i| (i, k, bound(i, k)))
                } else {
                    node_b.children().map(|k| (i, k, bound(i, k)))
                };
                if pairs[0].2 < pairs[1].2 {
                    pairs.swap(0, 1);
                }
                for pair in pairs {
                    if top < STACK {
                        stack[top] = pair;
                        top += 1;
                    }
                }
            }
        }
    }
    best.map(|points| points.map(|p| pose_wa.transform_point(p)))
}

/// Nearest points of two triangles; the same if they meet. Either is at a corner of one, or on sides of both, unless a side of one
/// passes through the other.
fn between_triangles(a: [Vec3; 3], b: [Vec3; 3]) -> [Vec3; 2] {
    let mut best = [a[0], b[0]];
    let mut least = f64::INFINITY;
    let mut take = |p: Vec3, q: Vec3| {
        let sq = p.distance_squared(q);
        if sq < least {
            (best, least) = ([p, q], sq);
        }
    };
    for k in 0..3 {
        take(a[k], nearest(a[k], b).0);
        take(nearest(b[k], a).0, b[k]);
        for i in 0..3 {
            let [p, q] = between_segments([a[k], a[(k + 1) % 3]], [b[i], b[(i + 1) % 3]]);
            take(p, q);
        }
    }
    for k in 0..3 {
        for (from, to, other) in [(a[k], a[(k + 1) % 3], b), (b[k], b[(k + 1) % 3], a)] {
            if let Some(p) = crossing(from, to, other) {
                return [p, p];
            }
        }
    }
    best
}

/// Where a segment passes through a triangle.
fn crossing(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let n = (b - a).cross(c - a);
    let (above, below) = (n.dot(from - a), n.dot(to - a));
    if above * below > 0.0 || above == below {
        return None;
    }
    let p = from.lerp(to, above / (above - below));
    let inside = |s: Vec3, t: Vec3| n.dot((t - s).cross(p - s)) >= 0.0;
    (inside(a, b) && inside(b, c) && inside(c, a)).then_some(p)
}

/// Nearest points of two segments (Ericson 2005, section 5.1.9).
fn between_segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv, uw, vw) = (u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w));
    let unit = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    let det = uu * vv - uv * uv;
    let s = if det > 1e-14 * uu * vv { unit((uv * vw - uw * vv) / det) } else { 0.0 };
    let t = unit((uv * s + vw) / vv);
    let s = unit((uv * t - uw) / uu);
    [a + u * s, c + v * t]
}
