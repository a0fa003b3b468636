//! A solid with flat faces against a triangle mesh.
//!
//! Two kinds of points make up a contact:
//! - corners of the solid that are in the mesh, or through it if it is open, as deep as the nearest place of the mesh is far;
//! - edges of the mesh that stick out, along their part in the solid. The depth of a place in the solid is that of the nearest face
//!   above it; along a straight line this is a chain of straight pieces, one per face. Its kinks, and ends of the edge in the
//!   solid, are the points.
//!
//! At a kink the edge of the mesh crosses, seen along the way out, the edge of the solid between two of its faces. If the depth rises towards it on both
//! sides, the way out is across both edges: along m = α·n₁ + β·n₂, perpendicular to the mesh's edge, where the
//! depth is (α + β)·d for the unit normals n₁ and n₂ at the distance d. Else it is through the face that is more level.
//!
//! All of this is continuous: points come and go with no depth, kinks meet where they are as deep, and what is close together with one
//! normal shares one stiffness. So the contact has a potential but for the turning of shares, and nothing is thrown.

use super::groove::{self, Way};
use super::half_space::QUARTER;
use super::mesh_convex::{Found, Level, Ridge, Search};
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// Points with one normal that are nearer than this many times their depth share their stiffness.
const CLOSE: f64 = 2.0;
/// Directions across the edge of two faces are looked for where they are not nearly one face.
const LEVEL: f64 = 1e-9;
/// Two edges in one line but for rounding: the cosine.
pub const STRAIGHT: f64 = 1.0 - 1e-9;

/// Sine from which on a direction is too far beyond the normals of an edge's or corner's triangles: 12°.
const TILT: f64 = 0.2;

/// Faces that are steeper than this to an edge of the mesh (the sine of the normal's angle with it) are no way out of it.
const ACROSS: f64 = 0.5;

/// Ways out of an edge of the mesh that are up to this many times longer than the shortest one count fully.
const FAR: f64 = 4.0;

/// What is left of an edge or a corner that would leave the solid by this sine beyond the normals of its triangles. Contact of faces is never quite
/// level, so it must be more than none.
pub fn leads_out(beyond: f64) -> f64 {
    1.0 - (beyond / TILT).clamp(0.0, 1.0)
}

/// What is left of a place that leaves the solid through one face, at this `depth` [m], while the nearest is only `least` deep: it is about to leave there, and nothing once the way
/// is twice as long.
pub fn stays(least: f64, depth: f64) -> f64 {
    // By rounding it may have left already.
    if least > 0.0 { (2.0 - depth / least).clamp(0.0, 1.0) } else { 0.0 }
}

/// A solid with flat faces, in its own frame.
pub struct Flat<'a> {
    /// Corners [m].
    pub corners: &'a [Vec3],
    /// Outward unit normals of the faces.
    pub normals: &'a [Vec3],
    /// Distance of a face's plane from the origin [m].
    pub offset: &'a dyn Fn(usize) -> f64,
    /// Share of a corner.
    pub share: f64,
}

impl Search<'_> {
    /// Collects the points of a solid with flat faces.
    pub fn flat(&mut self, solid: &Flat) {
        for corner in solid.corners {
            self.add_corner(self.pose.transform_point(*corner), solid.share, |point| point);
        }
        let mesh = self.mesh;
        self.for_triangles(|search, f| {
            for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                if let Some(ridge) = search.ridge(e) {
                    search.ridge_in_flat(solid, &ridge);
                }
            }
            for v in mesh.triangles()[f as usize].into_iter().filter(|v| mesh.fan(*v)[0] == f) {
                search.corner_in_flat(solid, v);
            }
        });
        self.divide_what_is_close();
    }

    /// Adds a corner of the solid if it is in the mesh, with a point for each way out, made ready by `finish`.
    pub fn add_corner(&mut self, p: Vec3, share: f64, finish: impl Fn(PointOverlap) -> PointOverlap) {
        let mesh = self.mesh;
        let (low, high) = mesh.extent();
        let may_be_in = if mesh.is_closed() {
            p.cmpge(low).all() && p.cmple(high).all()
        } else {
            mesh.cast(self.origin(), p - self.origin(), 1.0).is_some()
        };
        let level = may_be_in.then(|| self.level(p, f64::INFINITY)).flatten();
        if let Some(Level { depth, normal, feature, .. }) = level.filter(|level| level.depth > 0.0) {
            for Way { normal, depth, part } in groove::ways(mesh, p, feature, normal, depth).iter() {
                let (curvature, elongation, share) = (0.0, Vec3::ZERO, share * part);
                self.add(finish(PointOverlap { point: p, normal, depth, curvature, elongation, share }));
            }
        }
    }

    /// A corner of the mesh, if it sticks out into the solid: it leaves through the nearest of the faces to which it sticks out. What is nearer to a
    /// face to which it does not counts less.
    fn corner_in_flat(&mut self, solid: &Flat, v: u32) {
        let p = self.pose.inverse_transform_point(self.mesh.vertices()[v as usize]);
        let depth = |face: usize| (solid.offset)(face) - solid.normals[face].dot(p);
        let least = (0..solid.normals.len()).map(depth).fold(f64::INFINITY, f64::min);
        if least <= 0.0 || !self.is_corner(v, STRAIGHT) {
            return;
        }
        let mut found: Option<(usize, f64)> = None;
        for face in 0..solid.normals.len() {
            let part = leads_out(-self.room_at_corner(v, self.pose.rotation * -solid.normals[face]));
            if part > 0.0 && found.is_none_or(|(best, _)| depth(face) < depth(best)) {
                found = Some((face, part));
            }
        }
        if let Some((face, part)) = found {
            let part = part * stays(least, depth(face));
            self.add_ridge_point(solid, p, solid.normals[face], depth(face), part);
        }
    }

    /// An edge of the mesh that sticks out.
    fn ridge_in_flat(&mut self, solid: &Flat, ridge: &Ridge) {
        let [a, b] = ridge.ends.map(|p| self.pose.inverse_transform_point(p));
        let d = b - a;
        // Depth below each face along the edge: height + slope·t, for t from 0 to 1.
        let line = |face: usize| {
            let n = solid.normals[face];
            ((solid.offset)(face) - n.dot(a), -n.dot(d))
        };
        let count = solid.normals.len();
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (height, slope) in (0..count).map(line) {
            if slope > 0.0 {
                from = from.max(-height / slope);
            } else if slope < 0.0 {
                to = to.min(-height / slope);
            } else if height <= 0.0 {
                return;
            }
        }
        // Written so that what is not a number ends here.
        let crosses = from < to;
        if !crosses {
            return;
        }
        let at = |face: usize, t: f64| {
            let (height, slope) = line(face);
            height + slope * t
        };
        let slope = |face: usize| line(face).1;
        // The lowest piece at the start, of those as low the one that stays lowest.
        let lower = |x: usize, y: usize| (at(y, from), slope(y)) < (at(x, from), slope(x));
        let Some(mut face) = (0..count).reduce(|x, y| if lower(x, y) { y } else { x }) else {
            return;
        };
        let mut t = from;
        for _ in 0..count {
            // The first piece that gets below this one.
            let mut next: Option<(f64, usize)> = None;
            for other in (0..count).filter(|o| slope(*o) < slope(face)) {
                let crossing = t + ((at(other, t) - at(face, t)) / (slope(face) - slope(other))).max(0.0);
                let is_first = next.is_none_or(|(s, k)| (crossing, slope(other)) < (s, slope(k)));
                if crossing < to && is_first {
                    next = Some((crossing, other));
                }
            }
            let Some((crossing, other)) = next else { break };
            let (depth, rise, fall) = (at(face, crossing), slope(face), -slope(other));
            let (n, m) = (solid.normals[face], solid.normals[other]);
            let (out, depth) = if rise > LEVEL * d.length() && fall > LEVEL * d.length() {
                // α·n + β·m is perpendicular to d for α : β = fall : rise.
                let across = n * fall + m * rise;
                let length = across.length();
                (across / length, depth * (fall + rise) / length)
            } else if rise > LEVEL * d.length() {
                (m, depth)
            } else {
                (n, depth)
            };
            let part = leads_out(ridge.beyond(self.pose.rotation * -out));
            let place = a + d * crossing;
            self.add_ridge_point(solid, place, out, depth, part);
            if part < 1.0 {
                self.other_way_out(solid, ridge, place, depth, 1.0 - part);
            }
            (t, face) = (crossing, other);
        }
    }

    /// What a place of an edge, `least` [m] deep, has left of its share if the shortest way out is none that its triangles lead away from: it goes to the nearest face that is one, across the
    /// edge. So a ridge that comes to cross only the sides of a corner goes on to push against its bottom.
    fn other_way_out(&mut self, solid: &Flat, ridge: &Ridge, p: Vec3, least: f64, rest: f64) {
        let along = self.pose.rotation.inverse() * ridge.along;
        let mut best: Option<(Vec3, f64, f64)> = None;
        for (face, normal) in solid.normals.iter().enumerate() {
            let across = *normal - along * along.dot(*normal);
            let length = across.length();
            if length < ACROSS {
                continue;
            }
            let (out, depth) = (across / length, ((solid.offset)(face) - normal.dot(p)) / length);
            let part = leads_out(ridge.beyond(self.pose.rotation * -out));
            if part > 0.0 && best.is_none_or(|b| depth < b.1) {
                best = Some((out, depth, part));
            }
        }
        if let Some((out, depth, part)) = best {
            self.add_ridge_point(solid, p, out, depth, rest * part * stays(FAR * least, depth));
        }
    }

    /// A point of the mesh at `p` in the solid, which leaves it along `out`, both in the solid's frame; with a part of its share.
    fn add_ridge_point(&mut self, solid: &Flat, p: Vec3, out: Vec3, depth: f64, part: f64) {
        // Opposite faces, between which an edge cannot be, give no direction.
        if !(part > 0.0 && depth > 0.0 && depth.is_finite() && out.is_finite()) {
            return;
        }
        let point = self.pose.transform_point(p + out * (0.5 * depth));
        let normal = self.pose.rotation * -out;
        // The ends of edges are there several times.
        if !self.has(point, normal) {
            let (curvature, elongation) = (0.0, Vec3::ZERO);
            self.add_on_ridge(PointOverlap {
                point,
                normal,
                depth,
                curvature,
                elongation,
                share: solid.share * part,
            });
        }
    }

    /// Lets points with one normal that are close together have one stiffness, each counted as far as it is as deep and has a share.
    pub fn divide_what_is_close(&mut self) {
        let mut shares = [0.0; super::mesh_convex::MOST];
        let found = self.points_mut();
        for (i, (share, one)) in shares.iter_mut().zip(&*found).enumerate() {
            let p = &one.overlap;
            let part = |(k, other): (usize, &Found)| {
                let q = &other.overlap;
                // Corners of the solid are never one.
                if k == i || !(one.on_ridge || other.on_ridge) {
                    return 0.0;
                }
                let reach = CLOSE * p.depth.max(q.depth);
                let close = (1.0 - q.point.distance(p.point) / reach).max(0.0);
                let whole = (q.share / QUARTER).min(1.0);
                whole * close * (q.depth / p.depth).min(1.0)
            };
            *share = p.share / (1.0 + found.iter().enumerate().map(part).sum::<f64>());
        }
        found.iter_mut().zip(shares).for_each(|(one, share)| one.overlap.share = share);
    }
}
