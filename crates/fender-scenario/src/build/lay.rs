//! How a cable lies at the start: catenaries, straight lines, points.

use super::catenary::{self, Span};
use super::course::{self, Beside, Kind, Station, Stop};
use super::water::Heights;
use fender_engine::cable::{Along, AlongKind, Section};
use fender_math::Vec3;

/// Rounds in which catenaries and the places where they come to wheels are brought together.
const ROUNDS: usize = 12;

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
    /// Catenaries between what holds and leads it; free ends hang down. They come to wheels and leave them along the rim. `None` if nothing
    /// says where it is.
    pub fn catenaries(&self, stations: &[Station], stops: &[Stop]) -> Option<Shape> {
        let mut shape = self.hang(stops)?;
        if !stations.iter().any(|s| matches!(s.kind, Kind::Sheave(_))) {
            return ordered(shape);
        }
        let ats: Vec<Station> =
            stations.iter().zip(stops).map(|(s, stop)| Station { at: Some(stop.at), ..*s }).collect();
        for _ in 0..ROUNDS {
            let beside: Beside = stops.iter().map(|stop| beside(&shape, stop)).collect();
            let Ok(next) = course::find(&ats, &beside, self.length, false) else { break };
            // A wheel that such a shape would leave, or go around too far, is left as it was.
            if next.iter().zip(stops).any(|(next, stop)| next.arc.len() != stop.arc.len()) {
                break;
            }
            shape = self.hang(&next)?;
        }
        ordered(shape)
    }

    fn hang(&self, stops: &[Stop]) -> Option<Shape> {
        let (first, last) = (stops.first()?, stops.last()?);
        let towards = |from: Vec3| {
            let to = stops.iter().map(|s| s.arrives() - from).find(|d| d.length() > 0.0);
            to.unwrap_or(Vec3::X)
        };
        let mut shape: Shape = Vec::new();
        let begins = first.at - 0.5 * first.rim;
        if begins > 0.0 {
            let place = first.arrives();
            let hanging = self.span(0.0, begins, place, place);
            let points = catenary::dangling(&hanging, -towards(place), self.count(begins));
            shape.extend(points.into_iter().rev().map(|(s, p)| (begins - s, p)));
        }
        for (i, stop) in stops.iter().enumerate() {
            shape.extend(on(stop));
            let Some(next) = stops.get(i + 1) else { break };
            let (s0, s1) = (stop.at + 0.5 * stop.rim, next.at - 0.5 * next.rim);
            if s1 > s0 {
                let span = self.span(s0, s1, stop.leaves(), next.arrives());
                let points = catenary::hanging(&span, self.count(s1 - s0));
                shape.extend(points.into_iter().skip(1).map(|(s, p)| (s0 + s, p)));
            }
        }
        let ends = last.at + 0.5 * last.rim;
        if ends < self.length {
            let place = last.leaves();
            let hanging = self.span(ends, self.length, place, place);
            let points = catenary::dangling(&hanging, -towards(place), self.count(self.length - ends));
            shape.extend(points.into_iter().skip(1).map(|(s, p)| (ends + s, p)));
        }
        Some(shape)
    }

    /// Straight between what holds and leads it, stretched or pushed together as that needs.
    pub fn straight(&self, stops: &[Stop]) -> Option<Shape> {
        let (first, last) = (stops.first()?, stops.last()?);
        (first.at <= 0.0 && last.at >= self.length)
            .then(|| ordered(stops.iter().flat_map(on).collect()))
            .flatten()
    }

    /// Along a line of points, evenly stretched.
    pub fn through(&self, stops: &[Stop], points: &[Vec3]) -> Option<Shape> {
        let near = |a: Option<&Vec3>, b: Vec3| a.is_some_and(|a| (*a - b).length() <= 1e-9 * self.length);
        let start = stops.first().filter(|s| s.along.is_none() && s.at <= 0.0).map(Stop::leaves);
        let end = stops.last().filter(|s| s.along.is_none() && s.at >= self.length).map(Stop::arrives);
        let start = start.filter(|p| !near(points.first(), *p));
        let end = end.filter(|p| !near(points.last(), *p));
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
    pub fn pieces(&self, stops: &[Stop], holds: [bool; 2], led: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut from, mut way): (Option<f64>, f64) = (None, 0.0);
        for (i, stop) in stops.iter().enumerate() {
            if i > 0 {
                way += (stop.arrives() - stops[i - 1].leaves()).length() + 0.5 * stop.way();
            }
            let held = match stop.along {
                None => (stop.at <= 0.0 && holds[0]) || (stop.at >= self.length && holds[1]),
                Some(_) => stop.holds || led,
            };
            if held {
                if let Some(from) = from {
                    pieces.push(Piece { from, length: stop.at - from, way });
                }
                (from, way) = (Some(stop.at), 0.0);
            }
            way += 0.5 * stop.way();
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

/// Arc lengths and places on a stop.
fn on(stop: &Stop) -> Shape {
    let scale = if stop.way() > 0.0 { stop.rim / stop.way() } else { 0.0 };
    let begins = stop.at - 0.5 * stop.rim;
    stop.arc.iter().map(|(s, p)| (begins + scale * s, *p)).collect()
}

/// Where a shape comes from before a stop and goes to after it, as seen from there: far away along its tangents.
fn beside(shape: &[(f64, Vec3)], stop: &Stop) -> [Vec3; 2] {
    let far = 1e3 * (stop.way() + 1.0);
    let (first, last) = (stop.at - 0.5 * stop.rim, stop.at + 0.5 * stop.rim);
    let small = 1e-9 * (1.0 + last.abs());
    let before = shape.iter().rev().find(|(s, _)| *s < first - small);
    let after = shape.iter().find(|(s, _)| *s > last + small);
    let toward = |at: Vec3, to: Option<&(f64, Vec3)>| {
        to.map_or(at, |(_, p)| at + (*p - at).normalize_or(Vec3::NEG_Z) * far)
    };
    [toward(stop.arrives(), before), toward(stop.leaves(), after)]
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
