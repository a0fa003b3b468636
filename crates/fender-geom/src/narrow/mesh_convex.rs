//! A convex solid against a triangle mesh: what boxes and polyhedra (`mesh_flat.rs`), cylinders and cones (`mesh_round.rs`) and capsules (`mesh_capsule.rs`) share.
//!
//! Edges between triangles in one plane, and grooves, have no normals of their own: a triangle pushes along its own normal only, an edge between those of
//! its two triangles, a corner where it sticks out. Triangles count from the side on which the solid's origin is. A solid that cuts a mesh with neither
//! corners nor edges in each other, as a plate through a bar, is pushed out along the mean normal of the triangles in it.
//!
//! # Shares
//! As against a half-space. Where
//! the points with nearly one normal would add up to more than one and a half times all, they share that, each counted with the part that its depth is of the deepest, so that
//! a point that appears changes nothing; those of a polyhedron as on a half-space too.

use super::half_space::{self, Surface};
use super::mesh_flat::Flat;
use super::polyhedron_shares::Shares;
use super::touch::alike;
use super::{MAX_POINTS, Overlaps, convex, gather};
use crate::distance::mesh::common;
use crate::trimesh::{EdgeKind, Feature, NONE};
use crate::{Bounds, Polyhedron, Shape, TriMesh};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Points that are looked at, before some are made one: room for all corners of a prism of 24 sides. It costs time where the ground is uneven, so others have less.
pub(super) const MOST: usize = 64;
const USUAL: usize = 32;
/// Two edges in one line: the cosine.
pub(super) const STRAIGHT: f64 = 0.995;
/// Share of a corner.
const QUARTER: f64 = 0.25;
/// What is in a solid stays in it when it is moved away from its middle by this part of the way.
const INSIDE: f64 = 1e-9;
/// A point of a contact.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub overlap: PointOverlap,
    /// Whether it is on an edge or a corner of the mesh.
    pub on_ridge: bool,
    /// The triangles that are nearest to it, where that matters, and the depth up to which it counts for places of the mesh beside it [m].
    pub triangles: [u32; 2],
    pub counted: f64,
}

/// A place in a list that is not used yet.
const NOTHING: Found = Found {
    overlap: PointOverlap {
        point: Vec3::ZERO,
        normal: Vec3::Z,
        depth: 0.0,
        curvature: 0.0,
        elongation: Vec3::ZERO,
        share: 0.0,
    },
    on_ridge: false,
    triangles: [NONE; 2],
    counted: 0.0,
};

/// How many times the stiffness points with one normal may have together: that of a box that stands on six, as where it is turned over an edge or a corner of a table. Up to there each keeps its share, and the contact its energy.
const MOST_STIFF: f64 = 1.5;

/// Overlaps of a convex solid with a mesh; normals point to the solid.
pub fn overlaps(shape: &Shape, pose_wc: &Pose, mesh: &TriMesh, pose_wm: &Pose) -> Overlaps {
    let mut found = Overlaps::none();
    let Some(mut search) = Search::new(shape, pose_wm.inverse() * *pose_wc, mesh) else {
        return found;
    };
    search.run();
    for Found { overlap: point, .. } in search.shared() {
        found.push(PointOverlap {
            point: pose_wm.transform_point(point.point),
            normal: pose_wm.rotation * point.normal,
            elongation: pose_wm.rotation * point.elongation,
            ..*point
        });
    }
    found
}

/// Points of a contact while they are collected, in the mesh's frame.
pub(super) struct Search<'a> {
    pub shape: &'a Shape,
    pub pose: Pose,
    pub mesh: &'a TriMesh,
    /// What rounding can do to a place [m].
    pub near: f64,
    low: Vec3,
    high: Vec3,
    found: [Found; MOST],
    len: usize,
    room: usize,
}

/// How deep a place is in the mesh: negative outside.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub depth: f64,
    /// Unit way out.
    pub normal: Vec3,
    /// What it is nearest to, and a triangle that has that.
    pub feature: Feature,
    pub triangle: u32,
}

/// An edge that sticks out, seen from the side of the solid.
pub(super) struct Ridge {
    pub ends: [Vec3; 2],
    /// Unit vector along it.
    pub along: Vec3,
    /// Normals of its triangles.
    normals: [Vec3; 2],
    /// Unit vectors into its triangles, away from it.
    into: [Vec3; 2],
}

impl<'a> Search<'a> {
    /// `None` if the solid is away from the mesh, or its pose is not finite.
    pub fn new(shape: &'a Shape, pose: Pose, mesh: &'a TriMesh) -> Option<Self> {
        let Bounds::Box { min: low, max: high } = shape.bounds(&pose) else { return None };
        let (mesh_low, mesh_high) = mesh.extent();
        // Written so that what is not a number ends here.
        let meets = low.cmple(mesh_high).all() && mesh_low.cmple(high).all();
        let near = 1e-9 * shape.bounding_radius() + 1e-14 * pose.translation.length();
        let room = match shape {
            Shape::Polyhedron(hull) => (hull.vertices().len() + MAX_POINTS).clamp(USUAL, MOST),
            _ => USUAL,
        };
        meets.then_some(Self { shape, pose, mesh, near, low, high, found: [NOTHING; MOST], len: 0, room })
    }

    fn run(&mut self) {
        match self.shape {
            Shape::Box { half } => {
                let side = |i: usize, bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
                let corners: [Vec3; 8] =
                    std::array::from_fn(|i| Vec3::new(side(i, 1), side(i, 2), side(i, 4)) * *half);
                let normals = convex::faces(self.shape);
                let offset = |face: usize| normals[face].abs().dot(*half);
                self.flat(&Flat { corners: &corners, normals, offset: &offset, share: QUARTER });
            }
            Shape::Polyhedron(polyhedron) => {
                let offset = |face: usize| -polyhedron.height(face as u32, Vec3::ZERO);
                let (corners, normals) = (polyhedron.vertices(), polyhedron.normals());
                self.flat(&Flat { corners, normals, offset: &offset, share: QUARTER });
            }
            Shape::Cylinder { .. } | Shape::Cone { .. } => self.round(),
            _ => self.capsule(),
        }
        if self.len == 0 {
            self.push_from_all();
        }
    }

    /// The points that were found so far.
    pub(super) fn points(&self) -> &[Found] {
        &self.found[..self.len]
    }

    /// The same, to be changed.
    pub(super) fn points_mut(&mut self) -> &mut [Found] {
        &mut self.found[..self.len]
    }

    /// Visits every triangle whose box meets that of the solid.
    pub(super) fn for_triangles(&mut self, visit: impl FnMut(&mut Self, u32)) {
        self.for_triangles_within(0.0, visit);
    }

    /// Visits every triangle whose box is nearer to that of the solid than this [m].
    pub(super) fn for_triangles_within(&mut self, reach: f64, mut visit: impl FnMut(&mut Self, u32)) {
        let mesh = self.mesh;
        let middle = mesh.tree.center();
        let (lowest, highest) = (self.low - reach, self.high + reach);
        let (low, high) = (lowest - middle, highest - middle);
        mesh.tree.search(
            0.0,
            |node| if node.meets(low, high) { 0.0 } else { f64::INFINITY },
            |range, limit| {
                for f in range.map(|f| f as u32) {
                    let [a, b, c] = mesh.corners(f);
                    if a.min(b).min(c).cmple(highest).all() && lowest.cmple(a.max(b).max(c)).all() {
                        visit(self, f);
                    }
                }
                limit
            },
        );
    }

    pub fn origin(&self) -> Vec3 {
        self.pose.translation
    }

    /// How deep a place is in the mesh, seen from the solid's origin if the mesh is open; `None` if it is not finite, or farther from
    /// the surface than `limit` [m].
    pub fn level(&self, p: Vec3, limit: f64) -> Option<Level> {
        let mesh = self.mesh;
        let closest = mesh.closest_within(p, limit + self.near)?;
        let is_inside = if mesh.is_closed() {
            mesh.is_behind(p, &closest)
        } else {
            mesh.cast(self.origin(), p - self.origin(), 1.0).is_some()
        };
        let (depth, way) = if is_inside {
            (closest.distance, closest.point - p)
        } else {
            (-closest.distance, p - closest.point)
        };
        let normal = if let Some(normal) = mesh.plane(closest.feature) {
            // More accurate than the way, which may be short; a closed mesh has one side only.
            let is_turned = !mesh.is_closed() && normal.dot(self.origin() - closest.point) < 0.0;
            if is_turned { -normal } else { normal }
        } else if closest.distance > self.near {
            way / closest.distance
        } else {
            mesh.outward(closest.feature).normalize_or(Vec3::Z)
        };
        Some(Level { depth, normal, feature: closest.feature, triangle: closest.triangle })
    }

    /// A direction of the mesh's frame in that of the solid.
    fn own(&self, v: Vec3) -> Vec3 {
        self.pose.rotation.inverse() * v
    }

    /// A place well in the solid, in its frame.
    fn middle(&self) -> Vec3 {
        match self.shape {
            Shape::Polyhedron(hull) => hull.vertices().iter().sum::<Vec3>() / hull.vertices().len() as f64,
            _ => Vec3::ZERO,
        }
    }

    /// Where no feature has a way out of its own, as when the axis of a capsule is in a ridge: out along the mean normal of the triangles
    /// in the solid, from the plane through their middle. Or out of the plane of one of them, if that is nearer: what only just touches is not thrown.
    fn push_from_all(&mut self) {
        let (mut outward, mut middle, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        let mut nearest: Option<(f64, Surface)> = None;
        let mesh = self.mesh;
        let inner = self.pose.transform_point(self.middle());
        self.for_triangles(|search, f| {
            let corners = mesh.corners(f);
            let normal = mesh.normal(f);
            let height = normal.dot(search.origin() - corners[0]);
            let side = if mesh.is_closed() || height > 0.0 { 1.0 } else { -1.0 };
            let reach = convex::reach(search.shape, search.own(normal * -height.signum()));
            if height.abs() >= reach {
                return;
            }
            // A little farther away, so that what only touches is not in the solid.
            let aside = corners.map(|p| p + (p - inner) * INSIDE);
            if let Some(p) = common(search.shape, &search.pose, aside) {
                let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
                let surface = Surface { origin: corners[0], normal: normal * side };
                let depth = search.depth_below(&surface);
                if nearest.is_none_or(|(least, _)| depth < least) {
                    nearest = Some((depth, surface));
                }
                outward += normal * (area * side);
                middle += p * area;
                sum += area;
            }
        });
        if sum > 0.0 {
            let middle = middle / sum;
            let away = (self.origin() - middle).normalize_or(Vec3::Z);
            let surface = Surface { origin: middle, normal: outward.try_normalize().unwrap_or(away) };
            let depth = self.depth_below(&surface);
            let surface = nearest.filter(|(least, _)| *least < depth).map_or(surface, |(_, nearest)| nearest);
            for point in half_space::solid(self.shape, &self.pose, &surface).points() {
                // How a face stands is in their shares already.
                self.add_on_ridge(*point);
            }
        }
    }

    /// How deep the solid reaches below a plane [m].
    fn depth_below(&self, surface: &Surface) -> f64 {
        convex::reach(self.shape, self.own(-surface.normal)) + surface.depth(self.origin())
    }

    /// Whether a vertex sticks out: it is at an edge that does, and not in the middle of two that are `straight` (a cosine).
    pub fn is_corner(&self, v: u32, straight: f64) -> bool {
        let mesh = self.mesh;
        let at = mesh.vertices()[v as usize];
        let side = self.side(at, || self.away(v));
        let mut directions = [Vec3::ZERO; 2];
        let mut count = 0;
        for f in mesh.fan(v) {
            for e in mesh.edges_of(*f) {
                let edge = &mesh.edges()[e as usize];
                let is_first = edge.faces[0] == *f;
                if !edge.vertices.contains(&v) || !is_first || !sticks_out(edge.kind, side) {
                    continue;
                }
                let other = edge.vertices[usize::from(edge.vertices[0] == v)];
                if count < 2 {
                    directions[count] = (mesh.vertices()[other as usize] - at).normalize_or_zero();
                }
                count += 1;
            }
        }
        count > 2 || count == 2 && directions[0].dot(directions[1]) > -straight
    }

    /// Whether everything at a vertex leads away from a plane across `normal`, up to a sine.
    pub fn sticks_out(&self, v: u32, normal: Vec3, tilt: f64) -> bool {
        let mesh = self.mesh;
        let at = mesh.vertices()[v as usize];
        let leads_away =
            |f: &u32| mesh.corners(*f).into_iter().all(|p| normal.dot((p - at).normalize_or_zero()) <= tilt);
        mesh.fan(v).iter().all(leads_away) && self.away(v).dot(normal) * self.side(at, || self.away(v)) >= 0.0
    }

    /// Sine by which everything at a vertex leads away from a plane across `normal`, at the least: negative if something does not.
    pub fn room_at_corner(&self, v: u32, normal: Vec3) -> f64 {
        let mesh = self.mesh;
        let at = mesh.vertices()[v as usize];
        let corners = mesh.fan(v).iter().flat_map(|f| mesh.corners(*f)).filter(|p| *p != at);
        -corners.map(|p| normal.dot((p - at).normalize_or_zero())).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Direction away from the surface at a vertex: the sum of the normals there, which is enough to tell the sides.
    fn away(&self, v: u32) -> Vec3 {
        self.mesh.fan(v).iter().map(|f| self.mesh.normal(*f)).sum()
    }

    /// Side of the mesh from which the solid touches it at `p`: minus one behind an open one.
    pub fn side(&self, p: Vec3, outward: impl Fn() -> Vec3) -> f64 {
        if !self.mesh.is_closed() && outward().dot(self.origin() - p) < 0.0 { -1.0 } else { 1.0 }
    }

    /// The edge `e`, if it sticks out to the side of the solid.
    pub fn ridge(&self, e: u32) -> Option<Ridge> {
        let mesh = self.mesh;
        let edge = &mesh.edges()[e as usize];
        let ends = edge.vertices.map(|v| mesh.vertices()[v as usize]);
        let along = (ends[1] - ends[0]).try_normalize()?;
        let side = self.side(ends[0], || mesh.outward(Feature::Edge(e)));
        if !sticks_out(edge.kind, side) || !edge.is_balanced && edge.faces[1] != NONE {
            return None;
        }
        let first = mesh.normal(edge.faces[0]);
        let into = first.cross(along);
        if edge.faces[1] == NONE {
            // The rim of a sheet goes round to its back.
            return Some(Ridge { ends, along, normals: [first, -first], into: [into, into] });
        }
        let second = mesh.normal(edge.faces[1]);
        let normals = [first * side, second * side];
        Some(Ridge { ends, along, normals, into: [into, along.cross(second)] })
    }

    /// Adds a point of an edge or a corner of the mesh.
    pub fn add_on_ridge(&mut self, point: PointOverlap) {
        self.add(point);
        self.found[self.len - 1].on_ridge = true;
    }

    /// Whether a point is there already, but for rounding.
    pub fn has(&self, p: Vec3, normal: Vec3) -> bool {
        let same = |q: &PointOverlap| {
            q.point.distance_squared(p) <= self.near * self.near && alike(q.normal.dot(normal)) > 0.0
        };
        self.found[..self.len].iter().any(|f| same(&f.overlap))
    }

    /// Adds a point; when all places are taken, two are made one.
    pub fn add(&mut self, point: PointOverlap) {
        self.add_at([NONE; 2], 0.0, point);
    }

    /// Adds a point to which these triangles are nearest, and which counts up to this depth for places of the mesh beside it.
    pub fn add_at(&mut self, triangles: [u32; 2], counted: f64, point: PointOverlap) {
        if self.len == self.room {
            self.len = gather::merge(&mut self.found[..self.room], self.shape.bounding_radius());
        }
        self.found[self.len] = Found { overlap: point, on_ridge: false, triangles, counted };
        self.len += 1;
    }

    /// Takes away all other points.
    pub fn keep(&mut self, is_kept: impl Fn(&Found) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            if is_kept(&self.found[i]) {
                self.found[kept] = self.found[i];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Divides the stiffness among the points and gives at most as many as there is room for.
    fn shared(&mut self) -> &[Found] {
        if let Shape::Polyhedron(polyhedron) = self.shape {
            self.share_corners(polyhedron);
        } else {
            self.share_others();
        }
        let has_corners = matches!(self.shape, Shape::Box { .. } | Shape::Polyhedron(_));
        if self.len > MAX_POINTS && has_corners {
            let (pose, middle) = (self.pose, self.middle());
            self.len = gather::in_quarters(&mut self.found[..self.len], &pose, middle);
        }
        self.len = gather::two_by_two(&mut self.found[..self.len], self.shape.bounding_radius());
        &self.found[..self.len]
    }

    /// As on a half-space, with the normal of each point (`polyhedron_shares.rs`). How a face stands matters to its corners, not to edges of the mesh
    /// that it lies on.
    fn share_corners(&mut self, polyhedron: &Polyhedron) {
        let mut stands = [(1.0, Vec3::ZERO); MOST];
        for (stand, one) in stands.iter_mut().zip(&self.found[..self.len]).filter(|(_, one)| !one.on_ridge) {
            let down = self.pose.rotation.inverse() * -one.overlap.normal;
            *stand = polyhedron.standing(polyhedron.farthest(down), down);
        }
        let found = &mut self.found[..self.len];
        let deepest = found.iter().map(|f| f.overlap.depth).fold(0.0, f64::max);
        let mut changes = [(0.0, Vec3::ZERO); MOST];
        for (i, change) in changes[..found.len()].iter_mut().enumerate() {
            let (p, (factor, slope)) = (&found[i].overlap, stands[i]);
            let corner = |(Found { overlap: q, .. }, (factor, _)): (&Found, &(f64, Vec3))| {
                (alike(p.normal.dot(q.normal)) * q.share * factor, q.depth)
            };
            let shares = Shares::new(deepest, found.iter().zip(&stands).map(corner));
            *change = (factor * shares.part(p.depth), shares.aside(self.pose.rotation * slope, -p.normal));
        }
        for (Found { overlap: p, .. }, (part, aside)) in found.iter_mut().zip(changes) {
            p.share *= part;
            p.point += aside;
        }
    }

    /// Each counted with the part that its depth is of the deepest.
    fn share_others(&mut self) {
        let found = &mut self.found[..self.len];
        let deepest = found.iter().map(|f| f.overlap.depth).fold(0.0, f64::max);
        let mut sums = [0.0; MOST];
        for (sum, Found { overlap: p, .. }) in sums.iter_mut().zip(&*found) {
            let part = |Found { overlap: q, .. }: &Found| {
                alike(p.normal.dot(q.normal)) * q.share * (q.depth / deepest)
            };
            *sum = found.iter().map(part).sum();
        }
        for (one, sum) in found.iter_mut().zip(sums) {
            one.overlap.share /= f64::max(sum / MOST_STIFF, 1.0);
        }
    }
}

/// Whether an edge sticks out to a side of the mesh.
fn sticks_out(kind: EdgeKind, side: f64) -> bool {
    match kind {
        EdgeKind::Boundary => true,
        EdgeKind::Convex => side > 0.0,
        EdgeKind::Concave => side < 0.0,
        EdgeKind::Flat | EdgeKind::NonManifold => false,
    }
}

impl Ridge {
    /// Whether both triangles lead away from a plane across `normal`, up to a sine.
    pub fn holds(&self, normal: Vec3, tilt: f64) -> bool {
        self.into.iter().all(|into| into.dot(normal) <= tilt)
            && normal.dot(self.normals[0] + self.normals[1] - self.into[0] - self.into[1]) > 0.0
    }

    /// Sine by which a triangle leads to the side of `normal`, at the most: up to 0 between the normals of its triangles.
    pub fn beyond(&self, normal: Vec3) -> f64 {
        // Between the normals, and not on the opposite side.
        if self.holds(normal, 1.0) {
            self.into.iter().map(|into| into.dot(normal)).fold(f64::NEG_INFINITY, f64::max)
        } else {
            1.0
        }
    }
}
