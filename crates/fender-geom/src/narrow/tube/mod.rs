//! Tubes (tori, half tori, chain links) against everything. The normal points to the tube.
//!
//! A tube is a ball swept along its spine, so it touches wherever the spine has a place of its own that is nearest to the other shape, nearer
//! than the bar's radius ([`search`]). Luaces 2013 (section 4.6.4) looks for the nearest place of each triangle to the circle instead, by a
//! nonlinear program that is not convex and whose starting point it leaves open; along the spine nothing can be missed, and any shape will do to
//! which points have a distance. Above a mesh the lowest places are known by formulas ([`features`]), and searched for only where the spine goes into it.
//!
//! # Shares
//! A bar that lies on a face, or a ring on another, touches along a line, which the lowest place alone would not hold: it runs to the other end with
//! the least tilt. So *stations* are looked at too: the joints of a link, the ends and the middle of a half torus, and on a torus the
//! lowest place and those a quarter turn apart from it. Those that touch on the same side take over its stiffness, in
//! proportion to the fourth power of their depth, and wholly when they are as deep; so do those up to which the tube touches all the way. A station near to a lowest place is part of it, so
//! that a tube that rolls over a station does not feel it, unless others far away touch too.
//!
//! Several lowest places share the stiffness if their normals are nearly the same ([`alike`]), in proportion to their depths. One that is about to merge with
//! a deeper one, because the ground between them rises above it by less than half of its depth, has faded by then.

mod features;
mod field;
mod half_space;
mod mesh;
mod mesh_lows;
mod part;
mod search;

use field::Surroundings;
pub(crate) use field::{Course, Field};
pub(crate) use search::lows;

use super::bend::Bend;
use super::half_space::Surface;
use super::touch::alike;
use super::{MAX_POINTS, Overlaps};
use crate::Shape;
use crate::tube::{Form, Place, Tube};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use std::cell::Cell;

/// Touches that are looked at, before the deepest are taken.
const MOST: usize = 2 * MAX_POINTS;
/// Places nearer to each other than this part of the bar's radius are one.
const SAME: f64 = 1e-6;
/// A share below this is none.
const NOTHING: f64 = 1e-9;
/// Most stations of two tubes.
const STATIONS: usize = 8;

/// A place where a tube touches, in the frame of the other shape.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// Place on the spine, and where along it [m].
    center: Vec3,
    s: f64,
    /// Outward unit normal of the other shape.
    normal: Vec3,
    depth: f64,
    bend: Bend,
    /// Whether it is a nearest place rather than a station.
    is_low: bool,
    /// Part of it that counts beside other touches of the same ball.
    part: f64,
}

impl Touch {
    /// How far it is on the same side as another.
    fn likeness(&self, other: &Self) -> f64 {
        alike(self.normal.dot(other.normal))
    }
}

/// How far a touch has become one of its own.
#[derive(Clone, Copy)]
struct Growth {
    part: f64,
    /// How far no other touch is on its side.
    alone: f64,
}

impl Growth {
    const WHOLE: Self = Self { part: 1.0, alone: 1.0 };
}

/// Overlaps of a tube at `pose_wa` with another shape; normals point to the tube.
pub fn overlaps(tube: &Tube, pose_wa: &Pose, other: &Shape, pose_wb: &Pose) -> Overlaps {
    if matches!(other, Shape::HalfSpace) && tube.form != Form::Half {
        return half_space::overlaps(tube, pose_wa, &Surface::of(pose_wb));
    }
    let pose = pose_wb.inverse() * *pose_wa;
    let course = Course::new(tube, &pose);
    let field = Field::of(other);
    let mut touches =
        Touches { course: &course, field: &field, found: [None; MOST], len: 0, is_outside: false };
    let is_done = if let Field::Mesh(mesh) = field {
        touches.is_outside = mesh_lows::lows_outside(&course, mesh, tube.bar, |s| touches.see(s, 0, true));
        touches.is_outside
    } else {
        let reach = tube.spine_reach() + tube.bar;
        // Written so that what is not a number ends here.
        let may_touch = field.distance(pose.translation, reach) < reach;
        !may_touch
    };
    if !is_done {
        lows(&course, &field, tube.bar, |low| touches.see(low.s, low.part, true));
    }
    let Some(deepest) = touches.deepest() else { return Overlaps::none() };
    touches.see_stations(&pose, &deepest);
    // On the tube itself where the other is a face or hollow, else midway (the page above says why).
    let on_tube = !matches!(field, Field::Tube(_))
        && !matches!(
            other,
            Shape::Sphere { .. }
                | Shape::Ellipsoid { .. }
                | Shape::Capsule { .. }
                | Shape::Box { .. }
                | Shape::Cylinder { .. }
                | Shape::Polyhedron(_)
        );
    let mut found = Overlaps::none();
    touches.shared(|touch, share| {
        let down = if on_tube { tube.bar } else { tube.bar - 0.5 * touch.depth };
        let bend = along_line(touch.bend, touch.depth, tube);
        found.push(PointOverlap {
            point: pose_wb.transform_point(touch.center - touch.normal * down),
            normal: pose_wb.rotation * touch.normal,
            depth: touch.depth,
            curvature: bend.mean,
            elongation: pose_wb.rotation * bend.elongation,
            share,
        });
    });
    found
}

/// A contact that would be longer than an eighth of the spine either way is the more of a line, the longer: then the curvature across it counts whole, as for
/// the side of a cylinder.
fn along_line(bend: Bend, depth: f64, tube: &Tube) -> Bend {
    // A hollow that is narrower than the bar counts as just wide enough.
    let across = bend.elongation.length();
    let mean = bend.mean.max(across);
    let least = 0.5 * (mean - across);
    let part = ((least / depth).sqrt() * (0.125 * tube.length())).min(1.0);
    let line = mean + across;
    Bend { mean: line + part * (mean - line), elongation: bend.elongation * part }
}

/// Touches while they are collected.
struct Touches<'a> {
    course: &'a Course,
    field: &'a Field<'a>,
    found: [Option<Touch>; MOST],
    len: usize,
    /// Whether the spine is known to be outside of a mesh, where nothing that is farther than the bar's radius matters.
    is_outside: bool,
}

impl Touches<'_> {
    fn bar(&self) -> f64 {
        self.course.tube.bar
    }

    /// Looks at the place at the length `s` [m], toward a part of the other shape.
    fn see(&mut self, s: f64, part: usize, is_low: bool) {
        if let Field::Mesh(mesh) = *self.field {
            self.see_mesh(mesh, s, is_low);
            return;
        }
        let place = self.course.at(s);
        let Some(near) = self.field.near(part, place.point, self.bar()) else { return };
        let depth = self.bar() - near.distance;
        // A station is no more than a place: what its ball touches ahead of it, the spine beside it touches deeper.
        if depth > 0.0 && near.is_own {
            let normal = self.normal(&near, &place, part);
            let own = field::tube_bend(&self.course.tube, &place, -normal);
            let bend = own.plus(&self.field.bend(part, place.point, normal), normal);
            self.add(Touch { center: place.point, s, normal, depth, bend, is_low, part: 1.0 });
        }
    }

    /// Looks at a station of the other tube, whose nearest place on this one is at the length `s` [m].
    fn see_station_of_other(&mut self, other: &Tube, station: &Place, s: f64) {
        let place = self.course.at(s);
        let out = place.point - station.point;
        let far = out.length();
        let depth = self.bar() + other.bar - far;
        if depth > 0.0 && far > SAME * other.bar {
            let normal = out / far;
            let own = field::tube_bend(&self.course.tube, &place, -normal);
            let bend = own.plus(&field::tube_bend(other, station, normal), normal);
            self.add(Touch { center: place.point, s, normal, depth, bend, is_low: false, part: 1.0 });
        }
    }

    /// The normal; where two spines cross it is across both, to the side on which the tube's middle is.
    fn normal(&self, near: &field::Near, place: &Place, part: usize) -> Vec3 {
        let Field::Tube(other) = *self.field else { return near.normal };
        if near.distance + other.bar > 1e-9 * other.bar {
            return near.normal;
        }
        let along = other.at(other.length_at(other.nearest(part, place.point).point)).tangent;
        let across = place.tangent.cross(along).try_normalize();
        let across = across.unwrap_or_else(|| place.tangent.any_orthonormal_vector());
        if across.dot(self.course.origin()) < 0.0 { -across } else { across }
    }

    /// Adds a touch, unless it is there; when all room is taken, the shallowest gives way.
    fn add(&mut self, touch: Touch) {
        let near = SAME * self.bar();
        let same = |t: &&Touch| {
            t.is_low == touch.is_low
                && t.center.distance_squared(touch.center) <= near * near
                && t.normal.dot(touch.normal) > 1.0 - SAME
                && (t.depth - touch.depth).abs() <= near
        };
        if self.found[..self.len].iter().flatten().any(|t| same(&t)) {
            return;
        }
        if self.len < MOST {
            self.found[self.len] = Some(touch);
            self.len += 1;
            return;
        }
        let shallowest = self.found.iter_mut().flatten().reduce(|a, b| if b.depth < a.depth { b } else { a });
        if let Some(taken) = shallowest.filter(|t| t.depth < touch.depth) {
            *taken = touch;
        }
    }

    fn deepest(&self) -> Option<Touch> {
        self.found[..self.len].iter().flatten().copied().reduce(|a, b| if b.depth > a.depth { b } else { a })
    }

    /// Looks at the stations of both tubes.
    fn see_stations(&mut self, pose: &Pose, deepest: &Touch) {
        let tube = self.course.tube;
        for s in stations(&tube, deepest.s).into_iter().flatten() {
            let p = self.course.at(s).point;
            let is_near = self.field.distance_in(p, tube.bar, &self.within(tube.bar)) < tube.bar;
            if !is_near {
                continue;
            }
            for part in 0..self.field.parts() {
                self.see(s, part, false);
            }
        }
        if let Field::Tube(other) = *self.field {
            // The other's, from the nearest place of this one.
            let foot = other.length_at(other.nearest_of_all(deepest.center));
            for s in stations(&other, foot).into_iter().flatten() {
                let place = other.at(s);
                let own = pose.inverse_transform_point(place.point);
                if tube.distance(own) >= tube.bar + other.bar {
                    continue;
                }
                self.see_station_of_other(&other, &place, tube.length_at(tube.nearest_of_all(own)));
            }
        }
    }

    /// Gives the touches with their shares to `visit`.
    fn shared(&self, mut visit: impl FnMut(&Touch, f64)) {
        let found = &self.found[..self.len];
        let each = || found.iter().flatten().enumerate();
        let lows = || each().filter(|(_, t)| t.is_low);
        let stations = || each().filter(|(_, t)| !t.is_low);
        if self.len == 1 {
            each().for_each(|(_, touch)| visit(touch, touch.part));
            return;
        }
        // How far the tube touches all the way between each two, once it is asked for.
        let between = [const { [const { Cell::new(None) }; MOST] }; MOST];
        let joined = |(i, a): (usize, &Touch), (k, b): (usize, &Touch)| {
            let known: &Cell<Option<f64>> = &between[i][k];
            let part = known.get().unwrap_or_else(|| self.joined(a, b));
            known.set(Some(part));
            part
        };
        let is_mesh = matches!(self.field, Field::Mesh(_));
        // Which of the lowest places each belongs to, and how far it does.
        let mut owner = [(0.0, 0); MOST];
        for (i, touch) in each() {
            let belongs = |(k, low): (usize, &Touch)| {
                let likeness = touch.likeness(low);
                // As far as it is on the same side, or the tube touches all the way.
                let is_clear = touch.is_low || likeness == 1.0 || touch.s == low.s;
                (if is_clear { likeness } else { likeness.max(joined((i, touch), (k, low))) }, k)
            };
            // A station at a lowest place is that one's, also if others are on the same side, as on facets that are nearly level. (On one plane lowest places
            // are equally deep, and which of them it is must not change with the least tilt.)
            let is_at = |k: usize| is_mesh && found[k].is_some_and(|low| low.s == touch.s);
            let is_more =
                |a: (f64, usize), b: (f64, usize)| b.0 > a.0 || b.0 == a.0 && is_at(b.1) && !is_at(a.1);
            let best = lows().map(belongs).reduce(|a, b| if is_more(a, b) { b } else { a });
            owner[i] = if touch.is_low { (1.0, i) } else { best.unwrap_or((0.0, i)) };
        }
        let one = |i: usize, k: usize| if owner[i].1 == owner[k].1 { owner[i].0 * owner[k].0 } else { 0.0 };
        let likeness = |(i, a): (usize, &Touch), (k, b): (usize, &Touch)| a.likeness(b).max(one(i, k));
        // Weights, and what each lacks to be a contact of its own.
        let (mut weights, mut lacks) = ([0.0; MOST], [0.0; MOST]);
        let (mut grown, mut even) = ([0.0; MOST], [0.0; MOST]);
        let scale = 0.5 * self.course.tube.radius;
        for (i, low) in lows() {
            let Growth { part, alone } = self.growth(i, low);
            let deepest = lows().map(|(_, t)| low.likeness(t) * t.depth).fold(low.depth, f64::max);
            let whole = low.depth / deepest * low.part;
            // What holds another lowest place on the same side, with air between, does not hold this one.
            let is_held =
                |(k, t): (usize, &Touch)| if lows().count() > 1 { joined((k, t), (i, low)) } else { 1.0 };
            let beside = |k: usize, t: &Touch| {
                let like = likeness((i, low), (k, t)) * fourth((t.depth / low.depth).min(1.0));
                if like > 0.0 { like * is_held((k, t)) } else { 0.0 }
            };
            let far = |t: &Touch| (low.center.distance(t.center) / scale - 1.0).clamp(0.0, 1.0);
            // Evenly as far as stations far from it are as deep. What stations carry, it need not.
            even[i] = stations().map(|(k, t)| beside(k, t) * far(t)).fold(0.0, f64::max);
            let held = stations().map(|(k, t)| beside(k, t)).fold(0.0, f64::max);
            grown[i] = part;
            weights[i] = whole * part * (1.0 - held);
            lacks[i] = whole * (1.0 - part) * alone;
        }
        for (j, station) in stations() {
            let (belonging, by) = owner[j];
            let Some(low) = found[by].filter(|_| belonging > 0.0) else { continue };
            let whole = fourth((station.depth / low.depth).min(1.0)) * station.part;
            // A station near to the lowest place of a contact that is not even is part of it.
            let near = (2.0 - 2.0 * low.center.distance(station.center) / scale).clamp(0.0, 1.0);
            let taken = near * grown[by] * (1.0 - even[by]) * belonging;
            weights[by] += whole * belonging * taken;
            weights[j] += whole * belonging * (1.0 - taken);
            lacks[j] = whole * (1.0 - belonging);
        }
        for (i, touch) in each() {
            let others = each().filter(|(k, _)| *k != i);
            let sum: f64 = others.map(|(k, other)| likeness((i, touch), (k, other)) * weights[k]).sum();
            let share = weights[i] / (weights[i] + sum + lacks[i]) * touch.part;
            if share > NOTHING {
                visit(touch, share);
            }
        }
    }

    /// How far the tube touches all the way between two places.
    fn joined(&self, a: &Touch, b: &Touch) -> f64 {
        if a.s == b.s {
            return 1.0;
        }
        let depth = a.depth.min(b.depth);
        let least = self.bar() - self.ridge(a.s, b.s, self.bar() - depth, self.bar());
        (least / depth).clamp(0.0, 1.0)
    }

    /// How far a lowest place is one of its own beside deeper ones: not at all where it is about to merge with one.
    fn growth(&self, i: usize, touch: &Touch) -> Growth {
        let mut growth = Growth::WHOLE;
        for (j, deeper) in self.found[..self.len].iter().flatten().enumerate() {
            let is_deeper = deeper.depth > touch.depth || deeper.depth == touch.depth && j < i;
            if j != i && is_deeper && deeper.is_low {
                let whole = self.bar() - 0.5 * touch.depth;
                let rise =
                    touch.depth - self.bar() + self.ridge(touch.s, deeper.s, self.bar() - touch.depth, whole);
                growth.part = growth.part.min((2.0 * rise / touch.depth).clamp(0.0, 1.0));
                growth.alone = growth.alone.min(1.0 - touch.likeness(deeper));
            }
        }
        growth
    }

    /// The largest distance on the way along the spine from one place to another, the lower way around; or any that is more than `enough`, or less than `low`, if it is
    /// so [m].
    fn ridge(&self, from: f64, to: f64, low: f64, enough: f64) -> f64 {
        let straight = self.highest(from, to - from, enough);
        if self.course.tube.is_closed() && straight > low {
            let way = to - from;
            straight.min(self.highest(from, way - self.course.tube.length().copysign(way), enough))
        } else {
            straight
        }
    }

    /// So that nothing is looked for that is farther than `distance` [m], if that is no matter.
    fn within(&self, distance: f64) -> Surroundings {
        if self.is_outside { Surroundings::within(distance) } else { Surroundings::unknown() }
    }

    /// The largest distance on a way along the spine [m], or any that is more than `enough` [m].
    fn highest(&self, from: f64, way: f64, enough: f64) -> f64 {
        // In twelfths of the way. The middle first: if the tube is off anywhere, it is there most often.
        const STEPS: [f64; 11] = [6.0, 3.0, 9.0, 1.0, 11.0, 2.0, 4.0, 5.0, 7.0, 8.0, 10.0];
        let length = self.course.tube.length();
        let known = self.within(enough);
        let mut highest = f64::NEG_INFINITY;
        for step in STEPS {
            let s = from + way * (step / 12.0);
            // The end of an open spine is not its start.
            let s = if self.course.tube.is_closed() { s.rem_euclid(length) } else { s };
            highest = self.field.distance_in(self.course.at(s).point, f64::INFINITY, &known).max(highest);
            if highest > enough {
                break;
            }
        }
        highest
    }
}

fn fourth(x: f64) -> f64 {
    x * x * x * x
}

/// Stations of a tube whose lowest place is at `low` [m].
fn stations(tube: &Tube, low: f64) -> [Option<f64>; STATIONS / 2] {
    let length = tube.length();
    match tube.form {
        Form::Ring => [0.0, 0.25, 0.5, 0.75].map(|turn| Some((low + turn * length).rem_euclid(length))),
        Form::Half => [Some(0.0), Some(0.5 * length), Some(length), None],
        Form::Link => {
            let half = 0.5 * length;
            let arc = half - 2.0 * tube.straight;
            [Some(0.0), Some(arc), Some(half), Some(half + arc)]
        }
    }
}
