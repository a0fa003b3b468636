//! A cylinder or a cone against a triangle mesh.
//!
//! As for solids with flat faces (`mesh_flat.rs`) two kinds of points make up a contact: those of the solid in the mesh, which here are on its rims
//! (`mesh_rim.rs`) and at the tip, and those of the mesh in the solid: corners, and edges that stick out, each where it is deepest below the
//! round side. These share by the passes between them, and with the rims (`mesh_lows.rs`). What is about to leave beside the place where it would be pushed out counts less and less; the rims then
//! have the say.
//!
//! Luaces (2013, section 4.6.3) finds the place of a triangle that is nearest to the axis by a quadratic program. That place is on an edge of the triangle, unless the triangle
//! cuts the axis or is parallel to it, where it is as good as one at the solid's rims; so edges and rims are all that has to be looked at, and caps and their normals are included.

use super::bend::Bend;
use super::lean::leaning;
use super::mesh_convex::{Ridge, Search};
use super::mesh_flat::{STRAIGHT, leads_out, stays};
use super::mesh_lies::LIES;
use super::mesh_lows::{Low, Lows};
use super::mesh_rim::Rim;
use super::{convex, half_space};
use crate::Shape;
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// An edge has its ends, but for this part of its length.
const END: f64 = 1e-12;
/// Steps to the deepest place of an edge near a rim, which leave it no longer than 10⁻⁹ of itself.
const TRIES: usize = 51;

/// A cylinder, or a cone with its base at the lower end.
#[derive(Clone, Copy)]
struct Round {
    radius: f64,
    half_height: f64,
    is_cone: bool,
}

/// A part of the solid's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    /// At the lower (−1) or upper (1) end.
    Cap(f64),
    Round,
}

impl Round {
    fn of(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Cylinder { radius, half_height } => Some(Self { radius, half_height, is_cone: false }),
            Shape::Cone { radius, half_height } => Some(Self { radius, half_height, is_cone: true }),
            _ => None,
        }
    }

    fn sides(&self) -> &'static [Side] {
        const ALL: [Side; 3] = [Side::Round, Side::Cap(-1.0), Side::Cap(1.0)];
        if self.is_cone { &ALL[..2] } else { &ALL }
    }

    /// How much the radius shrinks per unit of height, and the length of that slope.
    fn taper(&self) -> (f64, f64) {
        let taper = if self.is_cone { 0.5 * self.radius / self.half_height } else { 0.0 };
        (taper, 1.0_f64.hypot(taper))
    }

    /// Radius at the height of a place.
    fn radius_at(&self, p: Vec3) -> f64 {
        if self.is_cone { self.taper().0 * (self.half_height - p.z) } else { self.radius }
    }

    /// Depth of a place below a side [m].
    fn depth(&self, side: Side, p: Vec3) -> f64 {
        match side {
            Side::Cap(end) => self.half_height - end * p.z,
            Side::Round => (self.radius_at(p) - p.truncate().length()) / self.taper().1,
        }
    }

    fn nearest(&self, p: Vec3) -> Side {
        let sides = self.sides();
        sides
            .iter()
            .copied()
            .fold(Side::Round, |a, b| if self.depth(b, p) < self.depth(a, p) { b } else { a })
    }

    /// Outward unit normal of a side at a place.
    fn normal(&self, side: Side, p: Vec3) -> Vec3 {
        match side {
            Side::Cap(end) => Vec3::Z * end,
            Side::Round => {
                let out = Vec3::new(p.x, p.y, 0.0).normalize_or(Vec3::X);
                let (taper, length) = self.taper();
                (out + Vec3::Z * taper) / length
            }
        }
    }

    /// Greatest depth in the solid between two places in it [m].
    fn deepest_between(&self, a: Vec3, b: Vec3) -> f64 {
        let depth = |t: f64| {
            let p = a.lerp(b, t);
            self.depth(self.nearest(p), p)
        };
        if let Some(t) = self.deepest(a, b - a) {
            let p = a.lerp(b, t.clamp(0.0, 1.0));
            if self.nearest(p) == Side::Round {
                return self.depth(Side::Round, p);
            }
        }
        // The least of what sinks away on both sides does so too.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..TRIES {
            let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if depth(u) < depth(v) { low = u } else { high = v }
        }
        depth(0.5 * (low + high))
    }

    /// Where along a + d·t the line is deepest below the round side.
    fn deepest(&self, a: Vec3, d: Vec3) -> Option<f64> {
        let (u, v) = (a.truncate(), d.truncate());
        let (speed, shrinks) = (v.length(), self.taper().0 * d.z);
        // ρ′ = −shrinks, where ρ² = ρ₀² + v²·(t − t₀)²; along a line that is steeper than the side it is at an end.
        let near = -u.dot(v) / v.dot(v);
        let least = (u + v * near).length();
        let root = (speed * speed - shrinks * shrinks).sqrt();
        (speed > shrinks.abs()).then(|| near - shrinks * least / (speed * root))
    }
}

impl Search<'_> {
    /// Collects the points of a cylinder or a cone.
    pub fn round(&mut self) {
        let Some(solid) = Round::of(self.shape) else { return };
        let pose = self.pose;
        let rims = solid.sides().iter().filter_map(|side| match side {
            Side::Cap(end) => Some(Rim::new(&pose, solid.radius, end * solid.half_height)),
            Side::Round => None,
        });
        rims.clone().for_each(|rim| self.rim(&rim));
        if solid.is_cone {
            let tip = pose.transform_point(Vec3::Z * solid.half_height);
            self.add_corner(tip, half_space::QUARTER, |point| leaning(pose.rotation * Vec3::Z, point));
        }
        rims.for_each(|rim| self.lay(&rim));
        let mesh = self.mesh;
        let mut lows = Lows::default();
        self.for_triangles(|search, f| {
            for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                let Some(ridge) = search.ridge(e) else { continue };
                let Some(out) = search.ridge_in_round(solid, &ridge) else { continue };
                let overlap = search.overlap_of(&out);
                let whole = search.lies_to(e, &ridge, &overlap);
                let is_low = ridge.holds(overlap.normal, 0.0);
                if is_low || whole > 0.0 && ridge.holds(overlap.normal, LIES[1]) {
                    let rest = f64::from(is_low) * out.stays;
                    lows.add(Low { triangle: f, overlap, whole, rest }, search.near);
                }
            }
            for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                if let Some((overlap, whole, rest)) = search.corner_in_round(solid, v) {
                    lows.add(Low { triangle: f, overlap, whole, rest }, search.near);
                }
            }
        });
        self.add_lows(&mut lows, |search, e| {
            let ends = mesh.edges()[e as usize].vertices.map(|v| mesh.vertices()[v as usize]);
            let [a, b] = ends.map(|p| search.pose.inverse_transform_point(p));
            let inside = convex::inside(search.shape, a, b);
            inside.map_or(-1.0, |(from, to)| solid.deepest_between(a.lerp(b, from), a.lerp(b, to)))
        });
        self.divide_what_is_close();
    }

    /// A corner of the mesh, if it sticks out into the solid: it leaves through the nearest of the sides to which it sticks out. What is nearer to a
    /// side to which it does not is about to leave the solid beside its rim, and counts less.
    fn corner_in_round(&mut self, solid: Round, v: u32) -> Option<(PointOverlap, f64, f64)> {
        let p = self.pose.inverse_transform_point(self.mesh.vertices()[v as usize]);
        if !convex::holds(self.shape, p) || !self.is_corner(v, STRAIGHT) {
            return None;
        }
        let out = solid.beside(Side::Round, p);
        let overlap = self.overlap_of(&out);
        let whole = self.lies_to_corner(v, &overlap);
        let is_low = self.sticks_out(v, overlap.normal, 0.0);
        let is_end = is_low || whole > 0.0 && self.sticks_out(v, overlap.normal, LIES[1]);
        let mut found: Option<(Out, f64)> = None;
        for side in &solid.sides()[1..] {
            let out = solid.beside(*side, p);
            let part = leads_out(-self.room_at_corner(v, self.pose.rotation * -out.direction));
            if part > 0.0 && found.as_ref().is_none_or(|(best, _)| out.depth < best.depth) {
                found = Some((out, part));
            }
        }
        if let Some((out, part)) = found.filter(|(cap, _)| !is_end || cap.depth < out.depth) {
            let point = self.overlap_of(&out);
            let share = point.share * part * out.stays;
            if share > 0.0 && out.depth > 0.0 && !self.has(point.point, point.normal) {
                self.add_on_ridge(PointOverlap { share, ..point });
            }
            return None;
        }
        is_end.then_some((overlap, whole, f64::from(is_low) * out.stays))
    }

    /// An edge of the mesh that sticks out, where it is deepest below the round side. Below a cap the rims have the say, so it counts less where a cap is nearer.
    fn ridge_in_round(&self, solid: Round, ridge: &Ridge) -> Option<Out> {
        let [a, b] = ridge.ends.map(|p| self.pose.inverse_transform_point(p));
        let (from, to) = convex::inside(self.shape, a, b)?;
        // With its ends: the next edge of a straight ridge begins there.
        let t = solid.deepest(a, b - a).filter(|t| *t >= from - END && *t <= to + END)?;
        Some(solid.beside(Side::Round, a.lerp(b, t)))
    }

    /// A place of the mesh in the solid as a point of contact.
    fn overlap_of(&self, out: &Out) -> PointOverlap {
        let Out { p, direction, depth, part, curvature, .. } = *out;
        let axis = self.pose.rotation * Vec3::Z;
        let normal = self.pose.rotation * -direction;
        let point = self.pose.transform_point(p + direction * (depth * part));
        let straight = (axis - normal * axis.dot(normal)).normalize_or_zero();
        let bend = Bend::single(curvature, straight.cross(normal), straight);
        let (curvature, elongation) = (bend.mean, bend.elongation);
        let share = half_space::QUARTER;
        let overlap = PointOverlap { point, normal, depth, curvature, elongation, share };
        // The normal turns with the solid, so that its lean never changes and asks for no moment.
        PointOverlap { share: leaning(axis, overlap).share, ..overlap }
    }
}

/// A place of the mesh in the solid, and its way out, in the solid's frame.
#[derive(Clone, Copy)]
struct Out {
    p: Vec3,
    /// Unit vector.
    direction: Vec3,
    depth: f64,
    /// Where on the way the force acts.
    part: f64,
    curvature: f64,
    /// What is left of it where it is about to leave through another side.
    stays: f64,
}

impl Round {
    /// Through a side.
    fn beside(&self, side: Side, p: Vec3) -> Out {
        let (direction, depth) = (self.normal(side, p), self.depth(side, p));
        // A round side rolls on its radius, as on a plane.
        let (part, curvature) = match side {
            Side::Round => (1.0, 1.0 / (self.radius_at(p) * self.taper().1).max(1e-3 * self.radius)),
            Side::Cap(_) => (0.5, 0.0),
        };
        let stays = stays(self.depth(self.nearest(p), p), depth);
        Out { p, direction, depth, part, curvature, stays }
    }
}
