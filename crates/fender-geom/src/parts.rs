//! The solids that one closed mesh is made of, and whether some volume counts twice.
//!
//! The volume of a mesh is a sum over its triangles: it counts each place as often as surfaces go around it. That is once in a solid, never in
//! a cavity (a surface seen from inside, within another), twice where two solids overlap, and less than never within a cavity that sticks out.

use crate::TriMesh;
use crate::narrow::mesh_cut::{Pair, Segment};
use crate::trimesh::{EdgeKind, NONE};
use fender_math::{Pose, Vec3};

/// What is within this part of the mesh's size of a surface is on it: solids that stand on each other, with what rounding in files does.
const TOUCHING: f64 = 1e-5;
/// Triangles of a part that are tried for being inside of others: of parts that do not cross, one is as good as all unless they lie on each other.
const TRIED: usize = 1000;

/// Two parts that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubled {
    /// A triangle of each, by its number in what the mesh was made of, counted from 0.
    pub triangles: [u32; 2],
    /// Where [m].
    pub point: Vec3,
    /// Closed parts of the mesh.
    pub parts: usize,
}

/// A part of a mesh.
struct Part {
    mesh: TriMesh,
    /// Triangles of the whole mesh, by their order in what `mesh` was made of.
    faces: Vec<u32>,
    /// 1 for a solid, −1 for a cavity.
    sense: i32,
}

/// Where two closed parts of a closed mesh overlap first, so that its volume counts a place twice or a cavity sticks out; `None` if nowhere. Surfaces that
/// cross are found wherever they do, parts inside of each other by the middles of up to a thousand triangles.
pub fn doubled(mesh: &TriMesh) -> Option<Doubled> {
    if !mesh.is_closed() {
        return None;
    }
    let parts = closed_parts(mesh);
    let beside = neighbours(&parts);
    let near = TOUCHING * mesh.size();
    let found = |faces: [(usize, u32); 2], point: Vec3| Doubled {
        triangles: faces.map(|(part, face)| mesh.source(parts[part].whole(face))),
        point,
        parts: parts.len(),
    };
    let mut segments = Vec::new();
    for (i, others) in beside.iter().enumerate() {
        for k in others.iter().copied().filter(|k| *k > i) {
            let pair = Pair { a: &parts[i].mesh, b: &parts[k].mesh, pose: Pose::IDENTITY };
            pair.cut(&mut segments);
            if let Some(s) = segments.iter().find(|s| is_through(&pair, s, near)) {
                return Some(found([(i, s.faces[0]), (k, s.faces[1])], s.ends[0].midpoint(s.ends[1])));
            }
        }
    }
    // What does not cross is inside, outside, or lies on the other's surface.
    for (k, part) in parts.iter().enumerate().filter(|(k, _)| !beside[*k].is_empty()) {
        let count = part.mesh.triangles().len();
        for g in (0..count as u32).step_by(count.div_ceil(TRIED)) {
            let p = part.mesh.corners(g).iter().sum::<Vec3>() / 3.0;
            let heights: Vec<(usize, f64)> =
                beside[k].iter().filter_map(|i| Some((*i, parts[*i].mesh.signed_distance(p)?))).collect();
            if heights.iter().any(|(_, height)| height.abs() <= near) {
                continue;
            }
            let around = || heights.iter().filter(|(_, height)| *height < 0.0).map(|(i, _)| *i);
            let times: i32 = around().map(|i| parts[i].sense).sum();
            // On both sides of the triangle.
            let is_right = [times, times + part.sense].iter().all(|n| (0..=1).contains(n));
            if let Some(i) = around().next().filter(|_| !is_right) {
                let face = parts[i].mesh.closest(p).map_or(0, |closest| closest.triangle);
                return Some(found([(i, face), (k, g)], p));
            }
        }
    }
    None
}

/// Triangles that hang together over edges of two: so boxes that stand on each other, corner on corner, are two. What is not closed by itself is left
/// out; nothing if there is one part only.
fn closed_parts(mesh: &TriMesh) -> Vec<Part> {
    let count = mesh.triangles().len();
    let mut is_taken = vec![false; count];
    let mut groups = Vec::new();
    let mut waiting = Vec::new();
    for first in 0..count as u32 {
        if std::mem::replace(&mut is_taken[first as usize], true) {
            continue;
        }
        let mut faces = Vec::new();
        waiting.push(first);
        while let Some(f) = waiting.pop() {
            faces.push(f);
            let edges = mesh.edges_of(f).map(|e| &mesh.edges()[e as usize]);
            for edge in edges.into_iter().filter(|e| e.kind != EdgeKind::NonManifold) {
                for other in edge.faces.into_iter().filter(|other| *other != NONE) {
                    if !std::mem::replace(&mut is_taken[other as usize], true) {
                        waiting.push(other);
                    }
                }
            }
        }
        groups.push(faces);
    }
    if groups.len() < 2 { Vec::new() } else { groups.into_iter().filter_map(|f| Part::of(mesh, f)).collect() }
}

/// For each part those whose boxes meet its own.
fn neighbours(parts: &[Part]) -> Vec<Vec<usize>> {
    let boxes: Vec<(Vec3, Vec3)> = parts.iter().map(|part| part.mesh.extent()).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|i, k| boxes[*i].0.x.total_cmp(&boxes[*k].0.x));
    let mut beside = vec![Vec::new(); parts.len()];
    for (at, i) in order.iter().copied().enumerate() {
        let (low, high) = boxes[i];
        for k in order[at + 1..].iter().copied().take_while(|k| boxes[*k].0.x <= high.x) {
            if low.cmple(boxes[k].1).all() && boxes[k].0.cmple(high).all() {
                beside[i].push(k);
                beside[k].push(i);
            }
        }
    }
    beside
}

impl Part {
    /// `None` if the triangles are not closed.
    fn of(whole: &TriMesh, faces: Vec<u32>) -> Option<Self> {
        // A tetrahedron is the least.
        if faces.len() < 4 {
            return None;
        }
        let vertices: Vec<Vec3> = faces.iter().flat_map(|f| whole.corners(*f)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..faces.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = TriMesh::new(&vertices, &triangles).ok().filter(TriMesh::is_closed)?;
        let sense = if mesh.diagnostics().turned { -1 } else { 1 };
        Some(Self { mesh, faces, sense })
    }

    /// A triangle of the whole mesh by one of this part.
    fn whole(&self, face: u32) -> u32 {
        self.faces[self.mesh.source(face) as usize]
    }
}

/// Whether two triangles of meshes in one frame go through each other by more than `near` [m], so that they do not only touch.
fn is_through(pair: &Pair, segment: &Segment, near: f64) -> bool {
    let [f, g] = segment.faces;
    let (p, q) = (pair.a.corners(f), pair.b.corners(g));
    let straddles = |points: [Vec3; 3], n: Vec3, origin: Vec3| {
        let heights = points.map(|v| n.dot(v - origin));
        heights.iter().any(|h| *h > near) && heights.iter().any(|h| *h < -near)
    };
    segment.ends[0].distance(segment.ends[1]) > near
        && straddles(p, pair.b.normal(g), q[0])
        && straddles(q, pair.a.normal(f), p[0])
}
