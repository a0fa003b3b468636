//! How a cable lies at the start: catenaries, straight lines, points.

use super::catenary::{self, Span};
use super::water::Heights;
use fender_engine::cable::{Along, AlongKind, Section};
use fender_math::{Quat, Vec3, float};
use std::f64::consts::TAU;

/// Something that holds or leads a cable, at an arc length.
#[derive(Clone, Copy, Debug)]
pub(super) enum Station {
    Tie { at: f64, place: Vec3 },
    Ring { at: f64, place: Vec3 },
    Sheave { at: f64, center: Vec3, axis: Vec3, radius: f64 },
}

impl Station {
    fn at(&self) -> f64 {
        match self {
            Self::Tie { at, .. } | Self::Ring { at, .. } | Self::Sheave { at, .. } => *at,
        }
    }

    fn place(&self) -> Vec3 {
        match self {
            Self::Tie { place, .. } | Self::Ring { place, .. } => *place,
            Self::Sheave { center, .. } => *center,
        }
    }
}

/// Where a cable is held and led, at the start of the run.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub start: Option<Vec3>,
    pub end: Option<Vec3>,
    pub stations: Vec<Station>,
}

/// What laying needs to know of a cable.
pub(super) struct Cable<'a> {
    pub sections: &'a [Section],
    pub along: &'a [Along],
    pub gravity: Vec3,
    pub heights: Heights,
    pub length: f64,
}

/// A part of a cable between two places that hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Arc length at which it begins [m].
    pub from: f64,
    /// Unstretched length [m].
    pub length: f64,
    /// What it must span, around what leads it [m].
    pub way: f64,
}

/// A shape: arc lengths and places.
type Shape = Vec<(f64, Vec3)>;

impl Cable<'_> {
    /// Catenaries between what holds and leads it; free ends hang down. `None` if nothing says where it is.
    pub fn catenaries(&self, held: &Held) -> Option<Shape> {
        let knots = self.knots(held)?;
        let towards =
            |from: Vec3| knots.iter().map(|(_, p)| *p - from).find(|d| d.length() > 0.0).unwrap_or(Vec3::X);
        let mut shape: Shape = Vec::new();
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        if first.0 > 0.0 {
            let hanging = self.span(0.0, first.0, first.1, first.1);
            let points = catenary::dangling(&hanging, -towards(first.1), self.count(first.0));
            shape.extend(points.into_iter().rev().map(|(s, p)| (first.0 - s, p)));
        } else {
            shape.push(first);
        }
        for pair in knots.windows(2) {
            let ((s0, p0), (s1, p1)) = (pair[0], pair[1]);
            let points = catenary::hanging(&self.span(s0, s1, p0, p1), self.count(s1 - s0));
            shape.extend(points.into_iter().skip(1).map(|(s, p)| (s0 + s, p)));
        }
        if last.0 < self.length {
            let hanging = self.span(last.0, self.length, last.1, last.1);
            let points = catenary::dangling(&hanging, -towards(last.1), self.count(self.length - last.0));
            shape.extend(points.into_iter().skip(1).map(|(s, p)| (last.0 + s, p)));
        }
        ordered(shape)
    }

    /// Straight between what holds and leads it, stretched or pushed together as that needs.
    pub fn straight(&self, held: &Held) -> Option<Shape> {
        let knots = self.knots(held)?;
        (knots[0].0 <= 0.0 && knots[knots.len() - 1].0 >= self.length).then(|| ordered(knots)).flatten()
    }

    /// Along a line of points, evenly stretched.
    pub fn through(&self, held: &Held, points: &[Vec3]) -> Option<Shape> {
        let near = |a: Option<&Vec3>, b: Vec3| a.is_some_and(|a| (*a - b).length() <= 1e-9 * self.length);
        let start = held.start.filter(|p| !near(points.first(), *p));
        let end = held.end.filter(|p| !near(points.last(), *p));
        let line: Vec<Vec3> = start.into_iter().chain(points.iter().copied()).chain(end).collect();
        let mut way = 0.0;
        let mut shape = Vec::new();
        for (i, p) in line.iter().enumerate() {
            if i > 0 {
                way += (*p - line[i - 1]).length();
            }
            shape.push((way, *p));
        }
        if !(way > 0.0 && way.is_finite()) {
            return None;
        }
        ordered(shape.into_iter().map(|(s, p)| (s / way * self.length, p)).collect())
    }

    /// The parts between places that hold it, with what each must span; or, if what leads it counts too, between any two places that
    /// are known.
    pub fn pieces(&self, held: &Held, holds: [bool; 2], led: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let Some(knots) = self.knots(held) else { return pieces };
        let tied = |s: f64| held.stations.iter().any(|t| matches!(t, Station::Tie { at, .. } if *at == s));
        let inside = |s: f64| s > 0.0 && s < self.length;
        let (mut from, mut way): (Option<f64>, f64) = (None, 0.0);
        for (i, (s, p)) in knots.iter().enumerate() {
            if i > 0 {
                way += (*p - knots[i - 1].1).length();
            }
            let is_end = (*s <= 0.0 && holds[0]) || (*s >= self.length && holds[1]);
            if is_end || tied(*s) || led && inside(*s) {
                if let Some(from) = from {
                    pieces.push(Piece { from, length: s - from, way });
                }
                (from, way) = (Some(*s), 0.0);
            }
        }
        pieces
    }

    /// Tension that stretches a piece to what it must span [N].
    pub fn tension(&self, piece: &Piece) -> f64 {
        let stretch = |tension: f64| -> f64 {
            let part = |section: &Section, length: f64| length * section.line.axial.strain(tension);
            self.parts(piece.from, piece.from + piece.length)
                .map(|(section, length)| part(section, length))
                .sum()
        };
        let wanted = piece.way - piece.length;
        let mut high = 1.0;
        while stretch(high) < wanted && high < 1e300 {
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            *(if stretch(middle) < wanted { &mut low } else { &mut high }) = middle;
        }
        high
    }

    /// Arc lengths and places that are known, in order: ends, ties, rings, and the way around sheaves.
    fn knots(&self, held: &Held) -> Option<Shape> {
        let mut stations: Vec<Station> = Vec::new();
        stations.extend(held.start.map(|place| Station::Tie { at: 0.0, place }));
        stations.extend(held.stations.iter().copied());
        stations.extend(held.end.map(|place| Station::Tie { at: self.length, place }));
        let mut knots: Shape = Vec::new();
        for (i, station) in stations.iter().enumerate() {
            let Station::Sheave { at, center, axis, radius } = *station else {
                knots.push((station.at(), station.place()));
                continue;
            };
            let down = self.gravity.normalize_or(Vec3::NEG_Z) * 1e3 * radius;
            let beside = |other: Option<&Station>| other.map_or(center + down, Station::place);
            let before = beside(i.checked_sub(1).and_then(|i| stations.get(i)));
            let after = beside(stations.get(i + 1));
            let arc = around(before, after, center, axis, radius);
            let length = arc.last().map_or(0.0, |(s, _)| *s);
            // It must not reach over what is beside it.
            let room = |other: Option<&Station>, border: f64| (at - other.map_or(border, Station::at)).abs();
            let room = room(i.checked_sub(1).and_then(|i| stations.get(i)), 0.0)
                .min(room(stations.get(i + 1), self.length));
            let scale = if length > 0.0 { (0.9 * 2.0 * room / length).min(1.0) } else { 1.0 };
            knots.extend(arc.into_iter().map(|(s, p)| (at + scale * (s - 0.5 * length), p)));
        }
        (!knots.is_empty()).then_some(knots)
    }

    /// Sections between two arc lengths, with how much of each.
    fn parts(&self, from: f64, to: f64) -> impl Iterator<Item = (&Section, f64)> {
        let mut start = 0.0;
        self.sections.iter().filter_map(move |section| {
            let end = start + section.length;
            let length = end.min(to) - start.max(from);
            start = end;
            (length > 0.0).then_some((section, length))
        })
    }

    /// What hangs between two arc lengths, as one line with its mean weight.
    fn span(&self, from: f64, to: f64, p0: Vec3, p1: Vec3) -> Span {
        let length = to - from;
        let (mut mass, mut volume, mut give) = (0.0, 0.0, 0.0);
        for (section, length) in self.parts(from, to) {
            mass += section.line.mass * length;
            volume += section.line.volume * length;
            give += length / section.line.axial.stiffness();
        }
        for along in self.along.iter().filter(|a| a.at >= from && a.at <= to) {
            if let AlongKind::Lump(lump) = &along.what {
                mass += lump.mass;
                volume += lump.volume;
            }
        }
        let lower = p0.z.min(p1.z) - 0.25 * length;
        let upper = p0.z.max(p1.z);
        let (density, surface) = self.heights.water.unwrap_or((0.0, 0.0));
        let wet = ((surface - lower) / (upper - lower)).clamp(0.0, 1.0);
        let weight = self.gravity * ((mass - density * wet * volume) / length);
        Span {
            from: p0,
            to: p1,
            length,
            weight,
            stiffness: length / give,
            bottom: self.heights.bottom.filter(|_| self.heights.carries),
            // What floats lies on the surface.
            top: self.heights.water.map(|w| w.1).filter(|_| weight.dot(self.gravity) < 0.0),
        }
    }

    /// Points that are enough for a length: several per element.
    fn count(&self, length: f64) -> usize {
        let elements: usize = self.sections.iter().map(|s| s.elements).sum();
        let part = 4.0 * elements as f64 * length / self.length;
        (part.ceil() as usize).clamp(50, 400_000)
    }
}

/// The way around a wheel from one point to another, by the right-hand rule about the axis: lengths from its beginning,
/// and places.
fn around(before: Vec3, after: Vec3, center: Vec3, axis: Vec3, radius: f64) -> Shape {
    const PARTS: usize = 24;
    let flat = |p: Vec3| {
        let d = p - center;
        d - axis * d.dot(axis)
    };
    // Where the tangent from a point touches: ahead of it for the one it comes from, behind for the one it goes to.
    let touch = |p: Vec3, sign: f64| {
        let d = flat(p);
        let distance = d.length();
        let toward = d.normalize_or(axis.any_orthonormal_vector());
        let ratio = (radius / distance.max(radius)).min(1.0);
        let turn = float::atan2((1.0 - ratio * ratio).sqrt(), ratio);
        Quat::from_axis_angle(axis, sign * turn) * toward
    };
    let (first, last) = (touch(before, 1.0), touch(after, -1.0));
    let angle = float::atan2(first.cross(last).dot(axis), first.dot(last));
    let angle = if angle < 0.0 { angle + TAU } else { angle };
    let place = |i: usize| {
        let turn = angle * i as f64 / PARTS as f64;
        let (sin, cos) = float::sin_cos(turn);
        (radius * turn, center + radius * (first * cos + axis.cross(first) * sin))
    };
    (0..=PARTS).map(place).collect()
}

/// Only points whose arc length grows.
fn ordered(shape: Shape) -> Option<Shape> {
    let mut kept: Shape = Vec::new();
    for (s, p) in shape {
        match kept.last_mut() {
            Some(last) if s <= last.0 => *last = (last.0, p),
            _ => kept.push((s, p)),
        }
    }
    (kept.len() >= 2).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_around_a_wheel_is_tangent_at_both_ends() {
        let (center, axis) = (Vec3::new(0.0, 0.0, 5.0), Vec3::Y);
        let (before, after) = (Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 1.0));
        // By the right-hand rule about +y: up on the left, over the top to +x, down on the right.
        let arc = around(before, after, center, axis, 0.5);
        assert!((arc[0].1 - Vec3::new(-0.5, 0.0, 5.0)).length() < 1e-12, "{:?}", arc[0]);
        assert!((arc[12].1 - Vec3::new(0.0, 0.0, 5.5)).length() < 1e-12);
        assert!((arc[24].1 - Vec3::new(0.5, 0.0, 5.0)).length() < 1e-12);
        assert!((arc[24].0 - 0.5 * std::f64::consts::PI).abs() < 1e-12);
        // From farther away, off the plane.
        let (before, after) = (Vec3::new(-3.0, 0.2, 1.0), Vec3::new(4.0, -0.1, 2.0));
        let arc = around(before, after, center, axis, 0.5);
        for (point, touch, sign) in [(before, arc[0].1, 1.0), (after, arc[24].1, -1.0)] {
            let line = (touch - point) * Vec3::new(1.0, 0.0, 1.0);
            let radial = touch - center;
            assert!(line.dot(radial).abs() < 1e-12);
            assert!(sign * line.dot(axis.cross(radial)) > 0.0);
        }
    }
}
