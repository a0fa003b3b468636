//! How a rim pushes against a mesh, given the depth along it.
//!
//! Every greatest depth M along the rim has a quarter of the stiffness, and if all of the rim is in the mesh the least depth m has one too (`mesh_rim.rs`).
//!
//! Where a greatest depth is at a ridge, below which the nearest place changes from one face to the other, the depth changes with a mean of both normals that is
//! across the rim. In its direction the ridge itself is away by the depth over the length of that mean, and that is the depth of the point.
//!
//! Where the rim is level, as that of a can that stands over the edge of a table, an arc is as deep everywhere, and which of its places is the deepest is up to rounding. So what is in
//! one plane with the deepest place, up to [`UNEVEN`] of the depth, shares its force: all of it if that is level, nothing once it is shallower by [`LEVEL`] of the depth in the mean. The
//! force then moves along the arc as the solid is tilted, and does not jump. A point for every sector of the rim, fixed to the solid, lets friction and damping act where the force does.
//!
//! Two greatest depths M₁ and M₂ with S between them may become one: then S has come up to the shallower one, which must have gone. So of the two S² is taken,
//! from each the more, the less it sticks out beyond S. Apart, with the rim out of the mesh between them, each counts fully.

use super::groove::{Way, Ways};
use super::half_space::QUARTER;
use super::lean::leaning;
use super::mesh_rim::Rim;
use crate::trimesh::NONE;
use fender_contact::PointOverlap;
use fender_math::{Vec3, float};
use std::f64::consts::{PI, TAU};

/// Part of the depth by which what shares its force is shallower in the mean.
const LEVEL: f64 = 1.0 / 16.0;
/// Part of the depth by which it is off the plane.
const UNEVEN: f64 = 1.0 / 32.0;
/// Depths that differ by less than this part are the same.
const SAME: f64 = 1e-9;
/// Sines of half angles of edges below this are not told apart: the edge of a sheet has none.
const SHARP: f64 = 0.1;
/// Parts of a rim that are one point each. With two greatest depths and three points around the centre no two need to be made one.
const SECTORS: usize = 3;

/// A plane to which places of the rim are nearest.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Along the normal, from the origin [m].
    pub height: f64,
    pub normal: Vec3,
    pub triangle: u32,
}

/// A place of the rim where a span begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub angle: f64,
    pub p: Vec3,
    /// Negative outside the mesh [m].
    pub depth: f64,
    /// Whether the rim is lowest below a triangle there: of places as deep this one is taken.
    pub is_low: bool,
}

/// A part of the rim, and the planes at its ends: one, or between two that are not told apart any further something that bends from one to the other.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub ends: [End; 2],
    pub planes: [Plane; 2],
}

/// What is around a greatest depth, or the least.
#[derive(Clone, Copy, Debug)]
struct Lobe {
    /// The span that begins at it.
    span: usize,
    depth: f64,
    /// Least depth between the lobe before and this one [m].
    pass: f64,
}

/// Place of a contact, in part.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    part: f64,
    /// Times the part.
    place: Vec3,
}

/// The depth along a rim, around from the angle 0: spans on which it only rises or only falls.
#[derive(Default)]
pub struct Spans {
    spans: Vec<Span>,
    lobes: Vec<Lobe>,
}

impl Plane {
    pub fn depth(&self, p: Vec3) -> f64 {
        self.height - self.normal.dot(p)
    }
}

impl Span {
    /// Depth at a place of it.
    pub fn depth(&self, angle: f64, p: Vec3) -> f64 {
        let [from, to] = self.ends.map(|end| end.angle);
        let t = (angle - from) / (to - from);
        let t = t * t * (3.0 - 2.0 * t);
        self.planes[0].depth(p) * (1.0 - t) + self.planes[1].depth(p) * t
    }

    /// How much of it is in a plane, up to `uneven` [m], and where, from 0 to 1 along it. What is off by half of that counts half.
    fn in_plane(&self, plane: &Plane, uneven: f64) -> (f64, f64) {
        let [a, b] = self.ends.map(|end| (end.depth - plane.depth(end.p)) / uneven);
        // It leaves the plane where it is off by one.
        let place = |off: f64| ((off - a) / (b - a)).clamp(0.0, 1.0);
        let [mut from, mut to] = [0.0, 1.0];
        if a.abs() >= 1.0 {
            from = place(a.signum());
        }
        if b.abs() >= 1.0 {
            to = place(b.signum());
        }
        let part = |t: f64| (1.0 - (a + (b - a) * t).abs()).max(0.0);
        let (first, last) = (part(from), part(to));
        let length = to - from;
        // Written so that what is off by as much on both sides ends here.
        if length > 0.0 && first + last > 0.0 {
            let middle = (first + 2.0 * last) / (3.0 * (first + last));
            (0.5 * (first + last) * length, from + length * middle)
        } else {
            (0.0, 0.5)
        }
    }
}

impl Spans {
    pub fn clear(&mut self) {
        self.spans.clear();
        self.lobes.clear();
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Adds the next part of the rim.
    pub fn add(&mut self, rim: &Rim, span: &Span) {
        let [mut from, to] = span.ends;
        if span.planes[0].normal == span.planes[1].normal {
            // The depth turns at the lowest place of the plane and opposite to it.
            let [cos, sin] = rim.tilt(&span.planes[0]);
            let lowest = float::atan2(sin, cos);
            let angle = lowest + PI * ((from.angle - lowest) / PI).ceil();
            if angle > from.angle && angle < to.angle {
                let p = rim.at(angle);
                let turn = End { angle, p, depth: span.planes[0].depth(p), is_low: false };
                self.spans.push(Span { ends: [from, turn], ..*span });
                from = turn;
            }
        }
        self.spans.push(Span { ends: [from, to], ..*span });
    }

    /// Adds a part of the rim that is out of the mesh.
    pub fn add_gap(&mut self, span: &Span) {
        self.spans.push(*span);
    }

    /// Gives the points of contact: with each the triangles that are nearest to its greatest depth, and the depth up to which it counts for what is beside it.
    /// `ways` are those out of the mesh at a place, for a normal and a depth [m].
    pub fn points(
        &mut self,
        rim: &Rim,
        ways: impl Fn(Vec3, Vec3, f64) -> Ways,
        mut add: impl FnMut([u32; 2], f64, PointOverlap),
    ) {
        let least = self.find_lobes();
        for i in 0..self.lobes.len() {
            let part = self.part(i);
            self.around(rim, &self.lobes[i], false, &ways, |triangles, point| {
                let share = point.share * part;
                if share > 0.0 {
                    add(triangles, point.depth * part.sqrt(), PointOverlap { share, ..point });
                }
            });
        }
        if least.depth > 0.0 {
            self.around(rim, &least, true, &ways, |_, point| add([NONE; 2], 0.0, point));
        }
    }

    /// Whether the rim is in the mesh anywhere.
    pub fn is_in_play(&self) -> bool {
        !self.lobes.is_empty()
    }

    /// Around the rim from its least depth on: where the depth has sunk and rises again the next lobe begins. Gives the least.
    fn find_lobes(&mut self) -> Lobe {
        let count = self.spans.len();
        let depth = |span: usize| self.spans[span % count].ends[0].depth.max(0.0);
        let is_low = |span: usize| self.spans[span % count].ends[0].is_low;
        let start = (0..count).fold(0, |a, b| if depth(b) < depth(a) { b } else { a });
        let least = Lobe { span: start, depth: depth(start), pass: 0.0 };
        let (mut lobe, mut dip, mut sinks) = (Lobe { pass: least.depth, ..least }, least.depth, false);
        for i in start + 1..=start + count {
            if sinks && depth(i) > dip * (1.0 + SAME) {
                self.lobes.push(lobe);
                lobe = Lobe { span: i % count, depth: depth(i), pass: dip };
                sinks = false;
            } else if sinks || depth(i) < lobe.depth * (1.0 - SAME) {
                dip = if sinks { dip.min(depth(i)) } else { depth(i) };
                sinks = true;
            } else if depth(i) > lobe.depth && !is_low(lobe.span)
                || depth(i) > lobe.depth * (1.0 + SAME)
                || is_low(i) && !is_low(lobe.span)
            {
                lobe = Lobe { span: i % count, depth: depth(i), ..lobe };
            }
        }
        if lobe.depth > 0.0 {
            self.lobes.push(lobe);
        }
        least
    }

    /// What a lobe has left beside the others.
    fn part(&self, i: usize) -> f64 {
        let Lobe { depth, .. } = self.lobes[i];
        let mut taken = 0.0;
        for (k, other) in self.lobes.iter().enumerate().filter(|(k, _)| *k != i) {
            let pass = self.pass(i, k);
            let (own, their) = ((depth - pass).max(0.0), (other.depth - pass).max(0.0));
            // Two of no height are one.
            let part = if own + their > 0.0 { their / (own + their) } else { 0.5 };
            let part = part * (pass / depth).powi(2).min(1.0);
            // Of several alike each takes as much: beside one, 1 − part is left.
            taken += part / (1.0 - part);
        }
        1.0 / (1.0 + taken)
    }

    /// Least depth on the better way between two lobes [m].
    fn pass(&self, one: usize, other: usize) -> f64 {
        let (low, high) = (one.min(other), one.max(other));
        let least = |lobes: &[Lobe]| lobes.iter().map(|lobe| lobe.pass).fold(f64::INFINITY, f64::min);
        let around = least(&self.lobes[..=low]).min(least(&self.lobes[high + 1..]));
        least(&self.lobes[low + 1..=high]).max(around)
    }

    /// The points of a lobe, with all of its share.
    fn around(
        &self,
        rim: &Rim,
        lobe: &Lobe,
        is_least: bool,
        ways: &impl Fn(Vec3, Vec3, f64) -> Ways,
        mut add: impl FnMut([u32; 2], PointOverlap),
    ) {
        let count = self.spans.len();
        let (before, after) = (&self.spans[(lobe.span + count - 1) % count], &self.spans[lobe.span]);
        let (planes, place) = ([before.planes[1], after.planes[0]], after.ends[0].p);
        let slopes = planes.map(|plane| rim.slope(&plane, place).abs());
        // At a kink as much of each normal as makes the mean one be across the rim.
        let is_kink = planes[0].normal != planes[1].normal && slopes[0] + slopes[1] > 0.0;
        let first = if is_kink { slopes[1] / (slopes[0] + slopes[1]) } else { 1.0 };
        let mean = planes[0].normal * first + planes[1].normal * (1.0 - first);
        let Some(normal) = mean.try_normalize() else { return };
        // Shorter than a unit vector at a ridge: that far along it is the edge of the mesh.
        let depth = if is_least { lobe.depth } else { lobe.depth / mean.length().clamp(SHARP, 1.0) };
        let triangles = planes.map(|plane| plane.triangle);
        let found = ways(place, normal, depth);
        if found.iter().any(|way| way.normal != normal) {
            // In a groove each of its faces has a depth of its own.
            for Way { normal, depth, part } in found.iter() {
                let plane = Plane { height: depth + normal.dot(place), normal, triangle: triangles[0] };
                let deepest = rim.overlap(place, normal, depth, part * QUARTER);
                self.lay(rim, [(plane, 1.0), (plane, 0.0)], depth, triangles, &deepest, &mut add);
            }
        } else {
            let parts = [(planes[0], first), (planes[1], 1.0 - first)];
            let deepest = rim.overlap(place, normal, depth, QUARTER);
            self.lay(rim, parts, lobe.depth, triangles, &deepest, &mut add);
        }
    }

    /// Gives the `deepest` point of a lobe, and of its force as much to what is in these planes with it, by their parts, as that is level up to this depth [m].
    fn lay(
        &self,
        rim: &Rim,
        planes: [(Plane, f64); 2],
        depth: f64,
        triangles: [u32; 2],
        deepest: &PointOverlap,
        add: &mut impl FnMut([u32; 2], PointOverlap),
    ) {
        let mut push = |triangles: [u32; 2], normal: Vec3, place: Vec3, part: f64| {
            if part > 0.0 {
                let point = leaning(rim.axis, rim.overlap(place, normal, deepest.depth, deepest.share));
                add(triangles, PointOverlap { share: point.share * part, ..point });
            }
        };
        let mut left = 1.0;
        for (plane, part) in planes.iter().filter(|(_, part)| *part > 0.0) {
            let mut pieces = [Piece::default(); SECTORS];
            let level = part * self.level(depth, plane, &mut pieces);
            left -= level;
            for piece in pieces.iter().filter(|piece| piece.part > 0.0) {
                push([plane.triangle, NONE], plane.normal, piece.place / piece.part, level * piece.part);
            }
        }
        push(triangles, deepest.normal, deepest.point, left);
    }

    /// What is in one plane with a greatest or the least depth [m], in parts of the whole by sectors, and how level it is: up to 1.
    fn level(&self, depth: f64, plane: &Plane, pieces: &mut [Piece; SECTORS]) -> f64 {
        let (mut length, mut drop) = (0.0, 0.0);
        for span in &self.spans {
            let [a, b] = span.ends;
            let (part, at) = span.in_plane(plane, UNEVEN * depth);
            let part = part * (b.angle - a.angle);
            if part > 0.0 {
                let place = a.p.lerp(b.p, at);
                let sector = (0.5 * (a.angle + b.angle) / TAU * SECTORS as f64) as usize;
                let piece = &mut pieces[sector.min(SECTORS - 1)];
                length += part;
                drop += part * (plane.depth(place) - depth).abs();
                piece.part += part;
                piece.place += place * part;
            }
        }
        if length > 0.0 {
            for piece in pieces.iter_mut() {
                piece.part /= length;
                piece.place /= length;
            }
            (1.0 - drop / length / (LEVEL * depth)).max(0.0)
        } else {
            0.0
        }
    }
}
