//! A convex solid against a triangle mesh: what all share, and ellipsoids.
//!
//! Boxes and polyhedra are in `mesh_flat.rs`, cylinders and cones in `mesh_round.rs`, capsules in `mesh_capsule.rs`. An ellipsoid touches with
//! - its lowest point behind a triangle, as against the half-space of that triangle;
//! - corners of the mesh in it, which leave it by the shortest way;
//! - edges of the mesh that stick out and cross it, at one point, along the direction in which the way out is shortest.
//!
//! Edges between triangles in one plane, and grooves, have no normals of their own: a triangle pushes along its own normal only, an edge between those of
//! its two triangles, a corner where it sticks out. Triangles count from the side on which the solid's origin is. Behind a triangle is
//! what the way from the origin to the point passes through the mesh for. An ellipsoid whose centre is inside a closed mesh is pushed out to
//! the place nearest to it. A solid that cuts a mesh with neither corners nor edges in each other, as a plate through a bar, is pushed out along the mean normal of the
//! triangles in it.
//!
//! # Shares
//! As against a half-space. Where
//! the points with nearly one normal would add up to more than all, they share it, each counted with the part that its depth is of the deepest, so that
//! a point that appears changes nothing.

use super::half_space::{self, Surface};
use super::mesh_flat::Flat;
use super::mesh_sphere::alike;
use super::{MAX_POINTS, Overlaps, convex};
use crate::distance::mesh::common;
use crate::trimesh::{EdgeKind, Feature, NONE};
use crate::{Bounds, Shape, TriMesh};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3, float};

/// Points that are looked at, before the deepest are taken.
pub(super) const MOST: usize = 32;
/// A face of the solid is taken for the way out of an edge or corner if it is off by up to this sine: 12°. Contact of faces is never
/// quite level.
const TILT: f64 = 0.2;
/// Two edges in one line: the cosine.
pub(super) const STRAIGHT: f64 = 0.995;
/// Edges and corners nearer than this many times the depth touch as one.
const NEARBY: f64 = 3.0;
/// Directions across an edge that are looked at first.
const LOOKS: u32 = 16;
/// Share of a corner.
const QUARTER: f64 = 0.25;
/// A point of a contact.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub overlap: PointOverlap,
    /// Whether it is on an edge or a corner of the mesh.
    pub on_ridge: bool,
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
};

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
}

/// How deep a place is in the mesh: negative outside.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub depth: f64,
    /// Unit way out.
    pub normal: Vec3,
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
        meets.then_some(Self { shape, pose, mesh, near, low, high, found: [NOTHING; MOST], len: 0 })
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
            _ => self.smooth(),
        }
        if self.len == 0 {
            self.push_from_all();
        }
    }

    /// Collects the points of an ellipsoid or a capsule.
    fn smooth(&mut self) {
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
        self.settle();
    }

    /// The points that were found so far.
    pub(super) fn points_mut(&mut self) -> &mut [Found] {
        &mut self.found[..self.len]
    }

    /// Visits every triangle whose box meets that of the solid.
    pub(super) fn for_triangles(&mut self, mut visit: impl FnMut(&mut Self, u32)) {
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
        Some(Level { depth, normal })
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

    /// Where no feature has a way out of its own, as when the axis of a capsule is in a ridge: out along the mean normal of the triangles
    /// in the solid, from the plane through their middle.
    fn push_from_all(&mut self) {
        let (mut outward, mut middle, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        let mesh = self.mesh;
        self.for_triangles(|search, f| {
            let corners = mesh.corners(f);
            let normal = mesh.normal(f);
            let height = normal.dot(search.origin() - corners[0]);
            let side = if mesh.is_closed() || height > 0.0 { 1.0 } else { -1.0 };
            let reach = convex::reach(search.shape, search.own(normal * -height.signum()));
            if height.abs() >= reach {
                return;
            }
            if let Some(p) = common(search.shape, &search.pose, corners) {
                let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
                outward += normal * (area * side);
                middle += p * area;
                sum += area;
            }
        });
        if sum > 0.0 {
            let middle = middle / sum;
            let away = (self.origin() - middle).normalize_or(Vec3::Z);
            let surface = Surface { origin: middle, normal: outward.try_normalize().unwrap_or(away) };
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
        if let Some(known) = self.found[..self.len].iter_mut().map(|f| &mut f.overlap).find(same) {
            if (point.depth > known.depth) == beyond {
                *known = point;
            }
            return;
        }
        self.add(point);
    }

    /// A corner of the mesh that is in the solid.
    fn corner(&mut self, v: u32) {
        if let Some((normal, depth)) = self.way_out(v) {
            self.add_mesh_point(self.mesh.vertices()[v as usize], normal, depth);
        }
    }

    /// Normal and depth of the shortest way out of the solid of a corner that is in it.
    fn way_out(&self, v: u32) -> Option<(Vec3, f64)> {
        let own = self.pose.inverse_transform_point(self.mesh.vertices()[v as usize]);
        if !convex::holds(self.shape, own) || !self.is_corner(v, STRAIGHT) {
            return None;
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
        best
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

    /// Unit direction away from the surface at a vertex, to the side of the solid.
    pub fn away_from(&self, v: u32) -> Vec3 {
        let away = self.away(v);
        let at = self.mesh.vertices()[v as usize];
        (away * self.side(at, || away)).normalize_or(Vec3::Z)
    }

    /// Direction away from the surface at a vertex: the sum of the normals there, which is enough to tell the sides.
    fn away(&self, v: u32) -> Vec3 {
        self.mesh.fan(v).iter().map(|f| self.mesh.normal(*f)).sum()
    }

    /// Side of the mesh from which the solid touches it at `p`: minus one behind an open one.
    fn side(&self, p: Vec3, outward: impl Fn() -> Vec3) -> f64 {
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

    /// The part of an edge that is in the solid.
    fn edge(&mut self, e: u32) {
        let Some(ridge) = self.ridge(e) else { return };
        let [a, b] = ridge.ends.map(|p| self.pose.inverse_transform_point(p));
        let Some((from, to)) = convex::inside(self.shape, a, b) else { return };
        let along = Along { a, b, from, to };
        // A corner of the mesh that is inside has the say.
        let ends = self.mesh.edges()[e as usize].vertices;
        let inside = [(from == 0.0).then_some(ends[0]), (to == 1.0).then_some(ends[1])];
        let corner = inside.into_iter().flatten().find_map(|v| self.way_out(v));
        let across = self.out_across(&ridge, a);
        // An edge that is wholly inside has its ends for what touches, unless the solid crosses it.
        if from == 0.0 && to == 1.0 && across.is_none() {
            return;
        }
        let depth_of = |normal: Vec3| along.deepest(self.shape, self.own(normal)).1;
        let shorter = across.filter(|n| corner.is_some_and(|c| depth_of(*n) < c.1 * (1.0 - 1e-6)));
        let best = if let Some((normal, _)) = corner.filter(|_| shorter.is_none()) {
            (ridge.holds(normal, TILT)).then_some(normal)
        } else if shorter.is_some() {
            shorter
        } else {
            // Through a face of the solid, across the edge, or along the normal of a triangle: the shortest way, those first
            // if they are as short.
            let mut best: Option<(Vec3, f64)> = None;
            let faces = convex::faces(self.shape).iter().map(|out| self.pose.rotation * -*out);
            let level = faces.filter(|n| n.dot(ridge.along).abs() <= TILT && ridge.holds(*n, TILT));
            for normal in level.chain(across).chain(ridge.normals) {
                // Most are not worth a closer look.
                if best.is_some_and(|b| along.about(self.shape, self.own(normal)) >= b.1) {
                    continue;
                }
                let depth = depth_of(normal);
                if best.is_none_or(|b| depth < b.1 * (1.0 - 1e-6)) {
                    best = Some((normal, depth));
                }
            }
            best.map(|b| b.0)
        };
        let Some(normal) = best else { return };
        let own = self.own(normal);
        let at = |t: f64| ridge.ends[0].lerp(ridge.ends[1], t);
        let (t, most) = along.deepest(self.shape, own);
        let [start, end] = [from, to].map(|t| (t, along.depth(self.shape, own, t)));
        if most > 1.01 * start.1.max(end.1) {
            if corner.is_none() || shorter.is_some() {
                self.add_mesh_point(at(t), normal, most);
            }
            return;
        }
        // Ends of the edge are for corners.
        for (t, depth) in [start, end].into_iter().filter(|(t, _)| *t > 0.0 && *t < 1.0) {
            self.add_mesh_point(at(t), normal, depth);
        }
    }

    /// The direction across an edge, strictly between the normals of its triangles, in which the way out of the solid is shortest;
    /// `start` is one end of the edge in the solid's frame.
    fn out_across(&self, ridge: &Ridge, start: Vec3) -> Option<Vec3> {
        let along = self.own(ridge.along);
        let length = ridge.ends[0].distance(ridge.ends[1]);
        let depth = |own: Vec3| own.dot(start) + convex::reach(self.shape, -own);
        let mut best: Option<(Vec3, f64)> = None;
        let mut take = |own: Vec3, t: f64| {
            let found = depth(own);
            if found > 0.0 && t >= 0.0 && t <= length && best.is_none_or(|b| found < b.1) {
                best = Some((own, found));
            }
        };
        let own = |t: f64| self.own(ridge.between(t));
        let at = |k: u32| depth(own(f64::from(k) / f64::from(LOOKS)));
        let least = (0..=LOOKS).reduce(|i, k| if at(k) < at(i) { k } else { i })?;
        // At the ends of the range it is a triangle that pushes.
        if least > 0 && least < LOOKS {
            let step = |k: u32| f64::from(k) / f64::from(LOOKS);
            let n = own(golden(step(least - 1), step(least + 1), |t| depth(own(t))));
            take(n, along.dot(convex::support(self.shape, -n) - start));
        }
        best.map(|b| self.pose.rotation * b.0)
    }

    /// A point of the mesh in the solid, which leaves it against `normal`.
    fn add_mesh_point(&mut self, p: Vec3, normal: Vec3, depth: f64) {
        if depth <= self.near {
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
        if !self.has(point.point, normal) {
            self.add_on_ridge(point);
        }
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

    /// Where edges and corners of the mesh that are near each other leave the solid in different directions, the shortest way is the
    /// way of all.
    fn settle(&mut self) {
        let all = self.found;
        let all = &all[..self.len];
        self.len = 0;
        for p in all {
            let gives_way_to = |q: &Found| {
                q.on_ridge
                    && q.overlap.depth < p.overlap.depth * (1.0 - 1e-6)
                    && q.overlap.point.distance(p.overlap.point) < NEARBY * p.overlap.depth
                    && q.overlap.normal.dot(p.overlap.normal) < 0.999
            };
            if !(p.on_ridge && all.iter().any(gives_way_to)) {
                self.found[self.len] = *p;
                self.len += 1;
            }
        }
    }

    /// Adds a point; when all places are taken, two are made one.
    pub fn add(&mut self, point: PointOverlap) {
        if self.len == MOST {
            self.len = merge(&mut self.found);
        }
        self.found[self.len] = Found { overlap: point, on_ridge: false };
        self.len += 1;
    }

    /// Divides the stiffness among the points and gives at most as many as there is room for.
    fn shared(&mut self) -> &[Found] {
        let all = self.found.map(|f| f.overlap);
        let all = &all[..self.len];
        let deepest = all.iter().map(|p| p.depth).fold(0.0, f64::max);
        for Found { overlap: p, .. } in &mut self.found[..self.len] {
            let part = |q: &PointOverlap| alike(p.normal.dot(q.normal)) * q.share * (q.depth / deepest);
            p.share /= all.iter().map(part).sum::<f64>().max(1.0);
        }
        while self.len > MAX_POINTS {
            self.len = merge(&mut self.found[..self.len]);
        }
        &self.found[..self.len]
    }
}

/// Makes one of the two points that are most alike, with the same force and moment if their normals are the same; gives how many are
/// left.
fn merge(points: &mut [Found]) -> usize {
    let (mut pair, mut least) = ((0, 1), f64::INFINITY);
    for i in 0..points.len() {
        for k in i + 1..points.len() {
            let (p, q) = (&points[i].overlap, &points[k].overlap);
            // A turn of the normal counts as a way as long as the lever that it has.
            let turn = p.depth.max(q.depth) * p.normal.distance(q.normal) * 100.0;
            let far = p.point.distance(q.point) + turn;
            if far < least {
                (pair, least) = ((i, k), far);
            }
        }
    }
    let (p, q) = (points[pair.0].overlap, points[pair.1].overlap);
    let (share, force) = ((p.share + q.share).min(1.0), p.share * p.depth + q.share * q.depth);
    let part = p.share * p.depth / force;
    let mean = |a: Vec3, b: Vec3| a * part + b * (1.0 - part);
    points[pair.0].overlap = PointOverlap {
        point: mean(p.point, q.point),
        normal: mean(p.normal, q.normal).normalize_or(p.normal),
        depth: force / share,
        share,
        ..if p.depth > q.depth { p } else { q }
    };
    let last = points.len() - 1;
    points.swap(pair.1, last);
    last
}

/// The part of a segment that is in a solid, in its frame.
struct Along {
    a: Vec3,
    b: Vec3,
    from: f64,
    to: f64,
}

impl Along {
    /// How far the solid reaches against `normal` from the place at `t` [m].
    fn depth(&self, shape: &Shape, normal: Vec3, t: f64) -> f64 {
        // The ends are on the surface, where rounding says whether a way along it is inside.
        let room = 1e-7 * (self.to - self.from);
        let p = self.a.lerp(self.b, t.clamp(self.from + room, self.to - room));
        let far = 2.0 * shape.bounding_radius();
        convex::inside(shape, p, p - normal * far).map_or(0.0, |(_, end)| end * far)
    }

    /// About the most of it: at the ends and in the middle [m].
    fn about(&self, shape: &Shape, normal: Vec3) -> f64 {
        let depth = |t: f64| self.depth(shape, normal, t);
        depth(self.from).max(depth(self.to)).max(depth(0.5 * (self.from + self.to)))
    }

    /// Where that is most, and how much. It is concave along the segment, because the solid is convex.
    fn deepest(&self, shape: &Shape, normal: Vec3) -> (f64, f64) {
        let depth = |t: f64| self.depth(shape, normal, t);
        let middle = 0.5 * (self.from + self.to);
        let level = depth(self.from).max(depth(self.to));
        // Level or falling from an end, it is most there.
        let t = if depth(middle) > level { golden(self.from, self.to, |t| -depth(t)) } else { middle };
        [self.from, self.to].into_iter().fold((t, depth(t)), |best, t| {
            let found = depth(t);
            if found > best.1 { (t, found) } else { best }
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

    /// How far it pushes along `normal`, across it: not at all outside the normals of its triangles, where these push, and wholly in the middle half between them.
    pub fn part(&self, normal: Vec3) -> f64 {
        if !self.holds(normal, 0.0) {
            return 0.0;
        }
        let [first, second] =
            self.normals.map(|n| float::atan2(n.cross(normal).dot(self.along).abs(), n.dot(normal)));
        (4.0 * first.min(second) / (first + second)).min(1.0)
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
