//! A box, cylinder, cone, ellipsoid or capsule against a triangle mesh.
//!
//! Three kinds of points make up a contact, as between two polyhedra:
//! - points of the solid that are behind a triangle, as against the half-space of that triangle: corners, rim points, the lowest
//!   point. So a solid on a floor of triangles touches as on a half-space, however the floor is divided;
//! - corners of the mesh in the solid, which leave it through a face or the round side;
//! - edges of the mesh that stick out and cross the solid: the ends of the part inside if they lie on a face of it, else one point,
//!   along the direction in which the way out is shortest.
//!
//! Edges between triangles in one plane, and grooves, have no normals of their own: a triangle pushes along its own normal only, an edge between those of
//! its two triangles, a corner where it sticks out. Triangles count from the side on which the solid's origin is. Behind a triangle is
//! what the way from the origin to the point passes through the mesh for. A solid whose origin is inside a closed mesh is pushed out to
//! the place nearest to it.
//!
//! # Shares
//! As against a half-space: a quarter for each point, a half for the ends of a capsule, all for an ellipsoid. Where
//! the points with nearly one normal would add up to more than all, they share it, each counted with the part that its depth is of the deepest, so that
//! a point that appears changes nothing.

use super::half_space::{self, Surface};
use super::mesh_sphere::alike;
use super::{Overlaps, convex};
use crate::trimesh::{EdgeKind, Feature, NONE};
use crate::{Bounds, Shape, TriMesh};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Points that are looked at, before the deepest are taken.
const MOST: usize = 24;
/// A face of the solid is taken for the way out of an edge or corner if it is off by up to this sine: 12°. Contact of faces is never
/// quite level.
const TILT: f64 = 0.2;
/// Two edges in one line: the cosine.
const STRAIGHT: f64 = 0.995;
/// Share of a corner.
const QUARTER: f64 = 0.25;

/// Overlaps of a convex solid with a mesh; normals point to the solid.
pub fn overlaps(shape: &Shape, pose_wc: &Pose, mesh: &TriMesh, pose_wm: &Pose) -> Overlaps {
    let mut found = Overlaps::none();
    let Some(mut search) = Search::new(shape, pose_wm.inverse() * *pose_wc, mesh) else {
        return found;
    };
    search.run();
    for point in search.shared() {
        found.push(PointOverlap {
            point: pose_wm.transform_point(point.point),
            normal: pose_wm.rotation * point.normal,
            elongation: pose_wm.rotation * point.elongation,
            ..point
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
    found: [Option<PointOverlap>; MOST],
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
        meets.then_some(Self { shape, pose, mesh, near, low, high, found: [None; MOST] })
    }

    fn run(&mut self) {
        if self.mesh.holds(self.pose.translation) == Some(true) {
            self.push_out();
            return;
        }
        let is_capsule = matches!(self.shape, Shape::Capsule { .. });
        if is_capsule {
            self.capsule_ends();
        }
        let mesh = self.mesh;
        self.for_triangles(|search, f| {
            if is_capsule {
                for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                    search.edge_of_capsule(e);
                }
                for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                    search.corner_of_capsule(v);
                }
                return;
            }
            search.face(f);
            for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                search.edge(e);
            }
            for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                search.corner(v);
            }
        });
    }

    /// Visits every triangle whose box meets that of the solid.
    fn for_triangles(&mut self, mut visit: impl FnMut(&mut Self, u32)) {
        let mesh = self.mesh;
        let middle = mesh.tree.center();
        let (low, high) = (self.low - middle, self.high - middle);
        mesh.tree.search(
            0.0,
            |node| if node.meets(low, high) { 0.0 } else { f64::INFINITY },
            |range, limit| {
                for f in range.map(|f| f as u32) {
                    let [a, b, c] = mesh.corners(f);
                    if a.min(b).min(c).cmple(self.high).all() && self.low.cmple(a.max(b).max(c)).all() {
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

    /// A direction of the mesh's frame in that of the solid.
    fn own(&self, v: Vec3) -> Vec3 {
        self.pose.rotation.inverse() * v
    }

    fn push_out(&mut self) {
        if let Some(closest) = self.mesh.closest(self.origin()) {
            let way = (closest.point - self.origin()).try_normalize();
            let outward = self.mesh.outward(closest.feature).normalize_or(Vec3::Z);
            let normal = way.filter(|_| closest.distance > self.near).unwrap_or(outward);
            let surface = Surface { origin: closest.point, normal };
            for point in half_space::solid(self.shape, &self.pose, &surface).points() {
                self.add(*point);
            }
        }
    }

    /// Points of the solid behind a triangle.
    fn face(&mut self, f: u32) {
        let corners = self.mesh.corners(f);
        let mut normal = self.mesh.normal(f);
        let height = normal.dot(self.origin() - corners[0]);
        if height < 0.0 {
            if self.mesh.is_closed() {
                return;
            }
            normal = -normal;
        }
        if convex::reach(self.shape, self.own(-normal)) <= height.abs() {
            return;
        }
        let surface = Surface { origin: corners[0], normal };
        for point in half_space::solid(self.shape, &self.pose, &surface).points() {
            if let Some(beyond) = self.is_over(f, normal, point)
                && self.is_hidden(point.point)
            {
                self.add_face_point(*point, beyond);
            }
        }
    }

    /// Whether a point behind a triangle is over it, or else, beyond a groove at its side, behind its neighbour too: then `true`.
    fn is_over(&self, f: u32, normal: Vec3, point: &PointOverlap) -> Option<bool> {
        let corners = self.mesh.corners(f);
        let side = self.mesh.normal(f).dot(normal);
        let foot = point.point + normal * point.depth;
        let mut beyond = false;
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let inward = self.mesh.normal(f).cross(b - a).normalize_or_zero();
            let inside = inward.dot(foot - a);
            if inside >= -self.near {
                continue;
            }
            let edge = &self.mesh.edges()[self.mesh.edges_of(f)[k] as usize];
            let groove = if side > 0.0 { EdgeKind::Concave } else { EdgeKind::Convex };
            if edge.kind != groove || !edge.is_balanced {
                return None;
            }
            let other = if edge.faces[0] == f { edge.faces[1] } else { edge.faces[0] };
            let across = self.mesh.normal(other) * side;
            let behind = across.dot(a - point.point);
            // Behind both planes, it is no farther beyond the groove than this.
            if behind < 0.0 || -inside * normal.cross(across).length() > behind + point.depth + self.near {
                return None;
            }
            beyond = true;
        }
        Some(beyond)
    }

    /// Whether the mesh is between the origin and a point of the solid.
    fn is_hidden(&self, p: Vec3) -> bool {
        self.mesh.cast(self.origin(), p - self.origin(), 1.0).is_some()
    }

    /// Of points at one place, which leave through a ridge, the shallowest counts; of those beyond a groove all with different
    /// normals, and the deepest of those with nearly the same.
    fn add_face_point(&mut self, point: PointOverlap, beyond: bool) {
        let near = self.near;
        let same = |p: &&mut PointOverlap| {
            p.point.distance_squared(point.point) <= near * near
                && (!beyond || alike(p.normal.dot(point.normal)) > 0.0)
        };
        if let Some(known) = self.found.iter_mut().flatten().find(same) {
            if (point.depth > known.depth) == beyond {
                *known = point;
            }
            return;
        }
        self.add(point);
    }

    /// A corner of the mesh that is in the solid.
    fn corner(&mut self, v: u32) {
        let p = self.mesh.vertices()[v as usize];
        let own = self.pose.inverse_transform_point(p);
        if !convex::holds(self.shape, own) || !self.is_corner(v) {
            return;
        }
        let mut best: Option<(Vec3, f64)> = None;
        let round = convex::round_normal(self.shape, own);
        for out in convex::faces(self.shape).iter().chain(&round) {
            let depth = convex::reach(self.shape, *out) - out.dot(own);
            let normal = self.pose.rotation * -*out;
            if best.is_none_or(|b| depth < b.1) && self.sticks_out(v, normal, TILT) {
                best = Some((normal, depth));
            }
        }
        if let Some((normal, depth)) = best {
            self.add_mesh_point(p, normal, depth);
        }
    }

    /// Whether a vertex sticks out: it is at an edge that does, and not in the middle of a straight one.
    fn is_corner(&self, v: u32) -> bool {
        let mesh = self.mesh;
        let at = mesh.vertices()[v as usize];
        let side = self.side(at, mesh.outward(Feature::Vertex(v)));
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
        count > 2 || count == 2 && directions[0].dot(directions[1]) > -STRAIGHT
    }

    /// Whether everything at a vertex leads away from a plane across `normal`, up to a sine.
    pub fn sticks_out(&self, v: u32, normal: Vec3, tilt: f64) -> bool {
        let mesh = self.mesh;
        let at = mesh.vertices()[v as usize];
        let outward = mesh.outward(Feature::Vertex(v));
        let leads_away = |f: &u32| {
            mesh.corners(*f).into_iter().all(|p| normal.dot((p - at).normalize_or_zero()) <= tilt)
        };
        outward.dot(normal) * self.side(at, outward) >= 0.0 && mesh.fan(v).iter().all(leads_away)
    }

    /// Side of the mesh from which the solid touches it at `p`: minus one behind an open one.
    fn side(&self, p: Vec3, outward: Vec3) -> f64 {
        if !self.mesh.is_closed() && outward.dot(self.origin() - p) < 0.0 { -1.0 } else { 1.0 }
    }

    /// The edge `e`, if it sticks out to the side of the solid.
    pub fn ridge(&self, e: u32) -> Option<Ridge> {
        let mesh = self.mesh;
        let edge = &mesh.edges()[e as usize];
        let ends = edge.vertices.map(|v| mesh.vertices()[v as usize]);
        let along = (ends[1] - ends[0]).try_normalize()?;
        let outward = mesh.outward(Feature::Edge(e));
        let side = self.side(ends[0], outward);
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

    fn edge(&mut self, e: u32) {
        let Some(ridge) = self.ridge(e) else { return };
        let [a, b] = ridge.ends.map(|p| self.pose.inverse_transform_point(p));
        let Some((from, to)) = convex::inside(self.shape, a, b) else { return };
        // Out through a face.
        let depth_at = |out: Vec3, t: f64| convex::reach(self.shape, out) - out.dot(a.lerp(b, t));
        let mut best: Option<(Vec3, f64)> = None;
        for out in convex::faces(self.shape) {
            let normal = self.pose.rotation * -*out;
            let depth = depth_at(*out, from).max(depth_at(*out, to));
            let is_level = normal.dot(ridge.along).abs() <= TILT;
            if is_level && ridge.holds(normal, TILT) && best.is_none_or(|b| depth < b.1) {
                best = Some((*out, depth));
            }
        }
        // Or across the edge.
        let clearly = best.map_or(f64::INFINITY, |b| b.1 * (1.0 - 1e-6));
        if let Some((normal, depth)) = self.out_across(&ridge, a).filter(|found| found.1 < clearly) {
            let middle = ridge.ends[0].lerp(ridge.ends[1], 0.5 * (from + to));
            self.add_mesh_point(middle, normal, depth);
        } else if let Some((out, _)) = best {
            let normal = self.pose.rotation * -out;
            // Ends of the edge are corners.
            for t in [from, to].into_iter().filter(|t| *t > 0.0 && *t < 1.0) {
                self.add_mesh_point(ridge.ends[0].lerp(ridge.ends[1], t), normal, depth_at(out, t));
            }
        }
    }

    /// The direction across an edge, between the normals of its triangles, in which the way out of the solid is shortest; `start` is
    /// one end of the edge in the solid's frame.
    fn out_across(&self, ridge: &Ridge, start: Vec3) -> Option<(Vec3, f64)> {
        let depth = |n: Vec3| {
            let own = self.own(n);
            own.dot(start) + convex::reach(self.shape, -own)
        };
        let mut best: Option<(Vec3, f64)> = None;
        let mut take = |n: Vec3| {
            let found = depth(n);
            if best.is_none_or(|b| found < b.1) {
                best = Some((n, found));
            }
        };
        if matches!(self.shape, Shape::Box { .. }) {
            // Between two corners of a box the way is longest in the middle, so it is shortest across an edge.
            for axis in Vec3::AXES {
                let across = ridge.along.cross(self.pose.rotation * axis);
                if let Some(n) = across.try_normalize().filter(|_| across.length() > 1e-6) {
                    for n in [n, -n].into_iter().filter(|n| ridge.holds(*n, 0.0)) {
                        take(n);
                    }
                }
            }
        } else {
            const LOOKS: u32 = 16;
            let at = |k: u32| ridge.between(f64::from(k) / f64::from(LOOKS));
            let least = (0..=LOOKS).reduce(|i, k| if depth(at(k)) < depth(at(i)) { k } else { i })?;
            // At the ends of the range it is a triangle that pushes.
            if least > 0 && least < LOOKS {
                let step = |k: u32| f64::from(k) / f64::from(LOOKS);
                take(ridge.between(golden(step(least - 1), step(least + 1), |t| depth(ridge.between(t)))));
            }
        }
        best.filter(|b| b.1 > 0.0)
    }

    /// A point of the mesh in the solid, which leaves it against `normal`.
    fn add_mesh_point(&mut self, p: Vec3, normal: Vec3, depth: f64) {
        if depth <= 0.0 {
            return;
        }
        let mut point = PointOverlap {
            point: p - normal * (0.5 * depth),
            normal,
            depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: QUARTER,
        };
        if matches!(self.shape, Shape::Ellipsoid { .. }) {
            // Round: how it bends is known, and it has one point.
            let surface = Surface { origin: p, normal };
            if let Some(touch) = half_space::solid(self.shape, &self.pose, &surface).points().first() {
                point = PointOverlap { point: touch.point, ..*touch };
            }
        }
        let near = self.near;
        let same = |q: &PointOverlap| {
            q.point.distance_squared(point.point) <= near * near && alike(q.normal.dot(normal)) > 0.0
        };
        if !self.found.iter().flatten().any(same) {
            self.add(point);
        }
    }

    /// Adds a point; when all places are taken, the shallowest gives way.
    pub fn add(&mut self, point: PointOverlap) {
        if let Some(place) = self.found.iter_mut().find(|p| p.is_none()) {
            *place = Some(point);
            return;
        }
        let shallowest = self.found.iter_mut().flatten().reduce(|a, b| if b.depth < a.depth { b } else { a });
        if let Some(shallowest) = shallowest.filter(|p| p.depth < point.depth) {
            *shallowest = point;
        }
    }

    /// The points with their final shares.
    fn shared(&self) -> impl Iterator<Item = PointOverlap> + '_ {
        let all = || self.found.iter().flatten();
        all().map(move |p| {
            let deepest = all().map(|q| q.depth).fold(p.depth, f64::max);
            let sum: f64 = all().map(|q| alike(p.normal.dot(q.normal)) * q.share * (q.depth / deepest)).sum();
            PointOverlap { share: p.share / sum.max(1.0), ..*p }
        })
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

    /// Unit direction from the normal of the first triangle at 0 to that of the second at 1.
    fn between(&self, t: f64) -> Vec3 {
        // Away from both triangles; a rim's normals are opposite.
        let middle = (-self.into[0] - self.into[1]).normalize_or(self.normals[0]);
        let (from, to, part) = if t < 0.5 {
            (self.normals[0], middle, 2.0 * t)
        } else {
            (middle, self.normals[1], 2.0 * t - 1.0)
        };
        from.lerp(to, part).normalize_or(middle)
    }
}

/// Where `f` is least between `low` and `high`, by golden sections.
fn golden(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (high - PART * (high - low), low + PART * (high - low));
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..40 {
        if fa < fb {
            (high, b, fb) = (b, a, fa);
            a = high - PART * (high - low);
            fa = f(a);
        } else {
            (low, a, fa) = (a, b, fb);
            b = low + PART * (high - low);
            fb = f(b);
        }
    }
    0.5 * (low + high)
}
