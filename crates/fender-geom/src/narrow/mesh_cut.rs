//! Where the surfaces of two meshes cross: segments between pairs of triangles, joined to contours.
//!
//! An end of a segment is where an edge of one mesh passes through a triangle of the other. Both are named, and whether they meet is decided
//! in the same way for all triangles at the edge and around the triangle: so segments join by name, whatever rounding does (Luaces
//! 2013, section 4.7, joins them by neighbours and merges nearby points).

use crate::TriMesh;
use fender_math::{Mat3, Pose, Vec3};

/// Pairs of nodes that wait in a search through two trees.
const STACK: usize = 160;

/// Piece of a contour.
#[derive(Clone, Copy)]
pub struct Segment {
    /// Names of the ends.
    pub keys: [u64; 2],
    /// Their places [m].
    pub ends: [Vec3; 2],
    /// The triangles that cross.
    pub faces: [u32; 2],
}

/// Two meshes in the frame of the first.
pub struct Pair<'a> {
    pub a: &'a TriMesh,
    pub b: &'a TriMesh,
    /// Pose of the second.
    pub pose: Pose,
}

/// A mesh in the frame of the first.
#[derive(Clone, Copy)]
struct Side<'a> {
    mesh: &'a TriMesh,
    pose: Option<&'a Pose>,
    /// Distinguishes names.
    bit: u64,
}

impl Side<'_> {
    fn vertex(&self, v: u32) -> Vec3 {
        let p = self.mesh.vertices()[v as usize];
        self.pose.map_or(p, |pose| pose.transform_point(p))
    }

    fn normal(&self, f: u32) -> Vec3 {
        let n = self.mesh.normal(f);
        self.pose.map_or(n, |pose| pose.rotation * n)
    }

    /// Where an edge passes through a triangle of the other mesh, and the name of that.
    fn crossing(&self, edge: u32, other: &Self, face: u32) -> Option<(u64, Vec3)> {
        // Always from the lower vertex to the higher, and for all triangles alike.
        let ordered = |[v, w]: [u32; 2]| if v < w { [v, w] } else { [w, v] };
        let [p, q] = ordered(self.mesh.edges()[edge as usize].vertices).map(|v| self.vertex(v));
        let triangle = other.mesh.triangles()[face as usize];
        let n = other.normal(face);
        let origin = other.vertex(triangle[0]);
        let (above, below) = (n.dot(p - origin), n.dot(q - origin));
        if (above > 0.0) == (below > 0.0) {
            return None;
        }
        let side = |k: usize| {
            let ends = [triangle[k], triangle[(k + 1) % 3]];
            let [s, t] = ordered(ends).map(|v| other.vertex(v));
            let is_left = (q - p).dot((s - p).cross(t - p)) > 0.0;
            is_left != (ends[0] > ends[1])
        };
        let first = side(0);
        if side(1) != first || side(2) != first {
            return None;
        }
        let place = p.lerp(q, (above / (above - below)).clamp(0.0, 1.0));
        Some((self.bit << 63 | u64::from(edge) << 32 | u64::from(face), place))
    }
}

impl Pair<'_> {
    fn sides(&self) -> [Side<'_>; 2] {
        [Side { mesh: self.a, pose: None, bit: 0 }, Side { mesh: self.b, pose: Some(&self.pose), bit: 1 }]
    }

    /// Normal of a triangle of the second mesh.
    pub fn normal_b(&self, f: u32) -> Vec3 {
        self.pose.rotation * self.b.normal(f)
    }

    /// First corner and normal of a triangle of mesh `side`: 0 for the first, 1 for the second.
    pub fn corner(&self, side: usize, f: u32) -> (Vec3, Vec3) {
        if side == 0 {
            (self.a.corners(f)[0], self.a.normal(f))
        } else {
            (self.pose.transform_point(self.b.corners(f)[0]), self.normal_b(f))
        }
    }

    /// Finds all segments.
    pub fn cut(&self, segments: &mut Vec<Segment>) {
        segments.clear();
        let (a, b, pose) = (self.a, self.b, &self.pose);
        let turn = Mat3::from_quat(pose.rotation);
        let size = [turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()];
        let center_b = pose.transform_point(b.tree.center()) - a.tree.center();
        let around = |k: u32| {
            let (low, high) = b.tree.node(k).corners();
            let (half, middle) = (0.5 * (high - low), center_b + turn * (0.5 * (low + high)));
            let half = size[0] * half.x + size[1] * half.y + size[2] * half.z;
            (middle - half, middle + half)
        };
        let meets = |i: u32, k: u32| {
            let (low, high) = around(k);
            a.tree.node(i).meets(low, high)
        };
        let mut stack = [(0_u32, 0_u32); STACK];
        let mut top = usize::from(meets(0, 0));
        while top > 0 {
            top -= 1;
            let (i, k) = stack[top];
            let (node_a, node_b) = (a.tree.node(i), b.tree.node(k));
            if let (Some(of_a), Some(of_b)) = (node_a.leaf(), node_b.leaf()) {
                for f in of_a {
                    for g in of_b.clone() {
                        segments.extend(self.between(f as u32, g as u32));
                    }
                }
                continue;
            }
            // The larger of the two is opened (Luaces 2013, section 4.6.1).
            let ((low_a, high_a), (low_b, high_b)) = (node_a.corners(), node_b.corners());
            let a_is_larger = high_a.distance_squared(low_a) > high_b.distance_squared(low_b);
            let open_a = node_b.leaf().is_some() || node_a.leaf().is_none() && a_is_larger;
            let pairs =
                if open_a { node_a.children().map(|i| (i, k)) } else { node_b.children().map(|k| (i, k)) };
            for (i, k) in pairs {
                if meets(i, k) && top < STACK {
                    stack[top] = (i, k);
                    top += 1;
                }
            }
        }
    }

    /// Where two triangles cross.
    fn between(&self, f: u32, g: u32) -> Option<Segment> {
        let [a, b] = self.sides();
        let p = self.a.corners(f);
        let q = self.b.triangles()[g as usize].map(|v| b.vertex(v));
        let low = |t: [Vec3; 3]| t[0].min(t[1]).min(t[2]);
        let high = |t: [Vec3; 3]| t[0].max(t[1]).max(t[2]);
        if !(low(p).cmple(high(q)).all() && low(q).cmple(high(p)).all()) {
            return None;
        }
        // On one side of the other's plane, as most are: the same test as for the edges, so that it decides the same.
        let is_split = |t: [Vec3; 3], n: Vec3, origin: Vec3| {
            let above = t.map(|p| n.dot(p - origin) > 0.0);
            above[0] != above[1] || above[0] != above[2]
        };
        if !(is_split(p, b.normal(g), q[0]) && is_split(q, a.normal(f), p[0])) {
            return None;
        }
        let mut ends = [(0, Vec3::ZERO); 2];
        let mut count = 0;
        let of_a = self.a.edges_of(f).map(|e| a.crossing(e, &b, g));
        let of_b = self.b.edges_of(g).map(|e| b.crossing(e, &a, f));
        for end in of_a.into_iter().chain(of_b).flatten() {
            // More than two only where rounding contradicts itself; what is left is still a segment.
            if count < 2 {
                ends[count] = end;
            }
            count += 1;
        }
        (count >= 2).then(|| {
            // With the first mesh's inner part on one side all the way round.
            let along = self.a.normal(f).cross(self.normal_b(g));
            if along.dot(ends[1].1 - ends[0].1) < 0.0 {
                ends.swap(0, 1);
            }
            Segment { keys: ends.map(|e| e.0), ends: ends.map(|e| e.1), faces: [f, g] }
        })
    }
}

/// Puts segments that hang together one behind the other and gives where each contour ends. `ends` and `used` are scratch.
pub fn chain(segments: &mut Vec<Segment>, scratch: &mut ChainScratch, contours: &mut Vec<usize>) {
    let ChainScratch { ends, used, ordered } = scratch;
    ends.clear();
    used.clear();
    used.resize(segments.len(), false);
    ordered.clear();
    contours.clear();
    for (i, s) in segments.iter().enumerate() {
        ends.extend(s.keys.map(|key| (key, i as u32)));
    }
    ends.sort_unstable();
    for start in 0..segments.len() {
        if used[start] {
            continue;
        }
        let mut at = start;
        // Along the ends until it closes, or no segment goes on.
        loop {
            used[at] = true;
            ordered.push(segments[at]);
            let key = segments[at].keys[1];
            let from = ends.partition_point(|e| e.0 < key);
            let next = ends[from..].iter().take_while(|e| e.0 == key).find(|e| !used[e.1 as usize]);
            let Some((_, next)) = next else { break };
            at = *next as usize;
            // A short one may have been turned by rounding.
            if segments[at].keys[0] != key {
                segments[at].keys.reverse();
                segments[at].ends.reverse();
            }
        }
        contours.push(ordered.len());
    }
    std::mem::swap(segments, ordered);
}

/// Lists that [`chain`] fills and empties.
#[derive(Default)]
pub struct ChainScratch {
    ends: Vec<(u64, u32)>,
    used: Vec<bool>,
    ordered: Vec<Segment>,
}
