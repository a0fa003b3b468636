//! What can be read off a cable at one instant.

use super::evaluate::CableData;
use super::place::{moved, turned};
use super::spline::Spline;
use super::state::NONE;
use super::{Cable, CableState, Guide, guide};
use crate::data::BodyKinematics;
use crate::evaluate::{Treatment, evaluate};
use crate::{CableId, Control, Data, Model, World};
use fender_math::{Vec3, Wrench};

/// Points on the rim of a wheel that a curve goes through.
const RIM: usize = 13;
/// Points that a short cable's curve has, about.
const SMOOTH: usize = 120;
/// Most pieces that the curve of an element has.
const MOST_PIECES: usize = 6;

/// A cable at one instant. Arc lengths are unstretched, from the start.
#[derive(Debug)]
pub struct CableView<'w> {
    cable: &'w Cable,
    own: &'w CableState,
    data: &'w CableData,
    bodies: &'w [BodyKinematics],
    spline: Spline,
}

/// A place of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Station {
    /// Place in the world [m].
    pub position: Vec3,
    /// Velocity in the world [m/s].
    pub velocity: Vec3,
    /// Tension [N].
    pub tension: f64,
    /// Strain.
    pub strain: f64,
    /// Curvature [1/m].
    pub curvature: f64,
    /// Bending moment, damping included [N·m].
    pub moment: f64,
    /// Twist per length [rad/m].
    pub twist: f64,
    /// Torque, damping included [N·m].
    pub torque: f64,
}

/// A value and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The value.
    pub value: f64,
    /// Arc length [m].
    pub at: f64,
}

/// Extremes along a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Largest tension [N].
    pub largest: Found,
    /// Smallest tension [N].
    pub smallest: Found,
    /// Largest curvature [1/m].
    pub curvature: Found,
    /// Largest part of the breaking load; 0 where none is given.
    pub utilisation: Found,
    /// Largest product of curvature and smallest bend radius; 0 where none is given.
    pub bend_utilisation: Found,
}

/// How a cable goes through a guide, and what is on both sides of it, up to the next guide or to what holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Name of the guide.
    pub guide: String,
    /// Angle by which it lies around a wheel [rad]; 0 for a ring, and where it does not touch the wheel.
    pub angle: f64,
    /// Straight distance to what is next, before and after [m].
    pub spans: [f64; 2],
    /// Unstretched length of the cable there [m].
    pub lengths: [f64; 2],
    /// Tension in it [N].
    pub tension: f64,
}

/// A point of a cable's curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurvePoint {
    /// Place in the world [m].
    pub position: Vec3,
    /// Tension [N].
    pub tension: f64,
}

impl Cable {
    /// Unstretched length at the start [m].
    pub fn length(&self) -> f64 {
        self.start.length()
    }

    /// Elements at the start.
    pub fn elements(&self) -> usize {
        self.start.elements.len()
    }

    /// Where its nodes are drawn at the start [m].
    pub fn places(&self) -> &[Vec3] {
        &self.places
    }
}

impl Model {
    /// How a cable goes through its guides at the start.
    pub fn passages(&self, cable: CableId) -> Vec<Passage> {
        let (i, state, mut data) = (cable.index(), self.initial_state(), Data::default());
        evaluate(self, &Control::default(), &state, &mut data, Treatment::Instant);
        let (cable, own, bodies) = (&self.cables[i], &state.cables[i], &data.bodies);
        let spline = Spline::default();
        CableView { cable, own, data: &data.cables[i], bodies, spline }.passages()
    }
}

impl World {
    /// A cable as it is now. [`World::refresh`] first.
    pub fn cable(&self, cable: CableId) -> CableView<'_> {
        let i = cable.index();
        let (cable, own, data) = (&self.model.cables[i], &self.state.cables[i], &self.data.cables[i]);
        let mut spline = Spline::default();
        spline.lay(cable, own, data);
        let bodies = if cable.pace.is_some() { &self.data.paces[i].bodies } else { &self.data.bodies };
        CableView { cable, own, data, bodies, spline }
    }
}

impl CableView<'_> {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.own.nodes.len()
    }

    /// Unstretched length [m].
    pub fn length(&self) -> f64 {
        self.data.length.iter().sum()
    }

    /// Unstretched length paid out since the beginning [m].
    pub fn paid(&self) -> f64 {
        let written = self.own.length();
        self.own.paid + (self.length() - written)
    }

    /// Speed of payout [m/s].
    pub fn payout_speed(&self) -> f64 {
        self.data.speed
    }

    /// Force [N] and moment [N·m] of an end (0 start, 1 end) on what holds it, at that point, in the world; zero if nothing does.
    pub fn on_holder(&self, end: usize) -> Wrench {
        let node = if end == 0 { 0 } else { self.nodes() - 1 };
        if !self.data.held[node] {
            return Wrench::default();
        }
        Wrench { force: self.data.force[node], torque: self.data.clamp_torque[end] }
    }

    /// Tension at an end [N]: of its force on what holds it, which has the weight and the drag of the last half element; of its
    /// element if nothing does.
    pub fn end_tension(&self, end: usize) -> f64 {
        let (node, element) = if end == 0 { (0, 0) } else { (self.nodes() - 1, self.nodes() - 2) };
        let tension = self.data.stretch[element].tension;
        if self.data.held[node] { self.data.force[node].length().copysign(tension) } else { tension }
    }

    /// Tension of an element, counted from the start [N].
    pub fn element_tension(&self, element: usize) -> f64 {
        self.data.stretch[element].tension
    }

    /// Place of a node, counted from the start [m].
    pub fn node(&self, node: usize) -> Vec3 {
        self.data.position[node]
    }

    /// What there is at an arc length [m]; beyond the cable: as at its end.
    pub fn at(&self, s: f64) -> Station {
        let arc = &self.spline.arc;
        let e = arc.partition_point(|a| *a <= s).clamp(1, arc.len() - 1) - 1;
        let part = ((s - arc[e]) / self.data.length[e]).clamp(0.0, 1.0);
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let ends = |of: &dyn Fn(usize) -> f64| {
            let [a, b] = self.ends(e, of);
            mix(a, b)
        };
        let (mut twist, mut torque) = (0.0, 0.0);
        let line = &self.cable.lines[self.own.elements[e].line as usize];
        if self.cable.twists && line.torsion > 0.0 && self.own.elements[e].guide == NONE {
            let torsion = &self.data.torsion;
            let turned = |i: usize| torsion.stiffness[i] * torsion.twist[i] / line.torsion;
            twist = mix(turned(e), turned(e + 1));
            torque = mix(torsion.torque[e], torsion.torque[e + 1]);
        }
        let mut moment = 0.0;
        if self.cable.bends_in(self.own, e) {
            let m = &self.data.bending.moment;
            let along = self.spline.slope(self.data, e, part).normalize_or(Vec3::ZERO);
            moment = along.cross(m[e] + (m[e + 1] - m[e]) * part).length();
        }
        let v = &self.data.velocity;
        Station {
            position: self.place(e, part),
            velocity: v[e] + (v[e + 1] - v[e]) * part,
            tension: self.tension(e, part),
            strain: ends(&|e| self.data.stretch[e].strain),
            curvature: match self.cable.rim(self.own, self.data, e) {
                Some(rim) if (rim.parts[0]..=rim.parts[1]).contains(&part) => 1.0 / rim.radius,
                _ => self.spline.curvature(self.data, e, part),
            },
            moment,
            twist,
            torque,
        }
    }

    /// Values of what elements have at the ends of one: means with the neighbours', its own where the cable ends or where
    /// something is tied to it or hangs on it.
    fn ends(&self, e: usize, of: &dyn Fn(usize) -> f64) -> [f64; 2] {
        let smooth = |node: usize| !self.data.held[node] && self.own.nodes[node].lump == NONE;
        let own = of(e);
        let before = if e > 0 && smooth(e) { of(e - 1) } else { own };
        let after = if e + 1 < self.own.elements.len() && smooth(e + 1) { of(e + 1) } else { own };
        [0.5 * (before + own), 0.5 * (own + after)]
    }

    /// Tension at a part (0 to 1) of an element: its own in the middle, that of the force on the holder at an end that is held.
    fn tension(&self, e: usize, part: f64) -> f64 {
        let own = self.cable.axial(self.own, self.data, e);
        let [mut a, mut b] = self.ends(e, &|e| self.cable.axial(self.own, self.data, e));
        let last = self.own.elements.len();
        if e == 0 && self.data.held[0] {
            a = self.end_tension(0);
        }
        if e + 1 == last && self.data.held[last] {
            b = self.end_tension(1);
        }
        if part < 0.5 { a + (own - a) * 2.0 * part } else { own + (b - own) * (2.0 * part - 1.0) }
    }

    /// Place of a part (0 to 1) of an element.
    fn place(&self, e: usize, part: f64) -> Vec3 {
        let mut way = Vec::new();
        self.way(e, &mut way);
        if way.is_empty() {
            return self.spline.place(self.data, e, part);
        }
        way.insert(0, self.data.position[e]);
        way.push(self.data.position[e + 1]);
        let whole: f64 = way.windows(2).map(|p| (p[1] - p[0]).length()).sum();
        let mut left = part * whole;
        for pair in way.windows(2) {
            let step = (pair[1] - pair[0]).length();
            if left <= step && step > 0.0 {
                return pair[0] + (pair[1] - pair[0]) * (left / step);
            }
            left -= step;
        }
        self.data.position[e + 1]
    }

    /// Points that an element goes through between its nodes because something guides it.
    fn way(&self, e: usize, to: &mut Vec<Vec3>) {
        let guide = self.own.elements[e].guide;
        if guide == NONE {
            return;
        }
        match &self.cable.guides[guide as usize].1 {
            Guide::Ring(point) => to.push(moved(point, point.at, self.bodies).0),
            Guide::Sheave { center, axis, radius } => {
                let (c, _) = moved(center, center.at, self.bodies);
                let (n, _) = turned(center, *axis, self.bodies);
                let nodes = [self.data.position[e], self.data.position[e + 1]];
                to.extend(guide::rim(nodes, c, n, *radius, RIM));
            }
        }
    }

    /// How it goes through its guides, from the start on.
    pub fn passages(&self) -> Vec<Passage> {
        let (elements, data) = (&self.own.elements, self.data);
        let guided = |e: usize| elements[e].guide != NONE;
        let touch = |e: usize, side: usize| {
            let mut way = Vec::new();
            self.way(e, &mut way);
            let place = if side == 0 { way.first() } else { way.last() };
            place.copied().unwrap_or(data.position[e + side])
        };
        let beside = |e: usize, side: usize| {
            let course = &data.course[e];
            let mut length = data.length[e] * course.free[side] / course.length;
            let mut node = e + side;
            // On from node to node until something holds it, or another guide.
            loop {
                let next = if side == 0 { node.checked_sub(1) } else { Some(node) };
                let Some(next) = next.filter(|next| *next < elements.len() && !data.held[node]) else {
                    break;
                };
                if guided(next) {
                    let course = &data.course[next];
                    length += data.length[next] * course.free[1 - side] / course.length;
                    return (length, (touch(next, 1 - side) - touch(e, side)).length());
                }
                length += data.length[next];
                node = if side == 0 { next } else { next + 1 };
            }
            (length, (data.position[node] - touch(e, side)).length())
        };
        let passage = |e: usize| {
            let [before, after] = [0, 1].map(|side| beside(e, side));
            Passage {
                guide: self.cable.guides[elements[e].guide as usize].0.clone(),
                angle: data.course[e].around.unwrap_or(0.0),
                spans: [before.1, after.1],
                lengths: [before.0, after.0],
                tension: data.stretch[e].tension,
            }
        };
        (0..elements.len()).filter(|e| guided(*e)).map(passage).collect()
    }

    /// The extremes along it.
    pub fn extremes(&self) -> Extremes {
        extremes(self.cable, self.own, self.data, &self.spline)
    }

    /// Its curve, for a viewer: the nodes, with points of the spline between if they are few. The number of points depends on
    /// the division alone.
    pub fn curve(&self) -> Vec<CurvePoint> {
        let count = self.own.elements.len();
        let pieces = SMOOTH.div_ceil(count).min(MOST_PIECES);
        let (mut points, mut way) = (Vec::with_capacity(pieces * count + 1), Vec::new());
        for e in 0..count {
            let [a, b] = self.ends(e, &|e| self.cable.axial(self.own, self.data, e));
            points.push(CurvePoint { position: self.data.position[e], tension: a });
            way.clear();
            self.way(e, &mut way);
            let tension = self.cable.axial(self.own, self.data, e);
            points.extend(way.iter().map(|position| CurvePoint { position: *position, tension }));
            for k in 1..if way.is_empty() { pieces } else { 0 } {
                let part = k as f64 / pieces as f64;
                let position = self.spline.place(self.data, e, part);
                points.push(CurvePoint { position, tension: a + (b - a) * part });
            }
        }
        points.push(CurvePoint { position: self.data.position[count], tension: self.end_tension(1) });
        points
    }
}

/// What of an element lies on a wheel.
pub(super) struct Rim {
    /// Of the wheel [m].
    radius: f64,
    /// Parts of the element at which it begins and ends, from 0 to 1.
    parts: [f64; 2],
}

impl Cable {
    /// What of an element lies on a wheel, if any of it does.
    pub(super) fn rim(&self, own: &CableState, data: &CableData, e: usize) -> Option<Rim> {
        let guide = own.elements[e].guide;
        let (course, Guide::Sheave { radius, .. }) = (&data.course[e], &self.guides.get(guide as usize)?.1)
        else {
            return None;
        };
        course.around.filter(|angle| *angle > 0.0)?;
        let parts = [course.free[0], course.length - course.free[1]].map(|way| way / course.length);
        Some(Rim { radius: *radius, parts })
    }

    /// Force along an element [N]: the tension of its chord, and what bending pulls along a curve, EI κ².
    pub(super) fn axial(&self, own: &CableState, data: &CableData, e: usize) -> f64 {
        let tension = data.stretch[e].tension;
        if !self.bends_in(own, e) {
            return tension;
        }
        let m = &data.bending.moment;
        let stiffness = self.lines[own.elements[e].line as usize].bending;
        tension + 0.5 * (m[e].length_squared() + m[e + 1].length_squared()) / stiffness
    }
}

/// The extremes along a cable whose tensions and bending moments are up to date.
pub(super) fn extremes(cable: &Cable, own: &CableState, data: &CableData, spline: &Spline) -> Extremes {
    let zero = Found { value: 0.0, at: 0.0 };
    let mut found = Extremes {
        largest: Found { value: f64::NEG_INFINITY, at: 0.0 },
        smallest: Found { value: f64::INFINITY, at: 0.0 },
        curvature: zero,
        utilisation: zero,
        bend_utilisation: zero,
    };
    let more = |of: &mut Found, value: f64, at: f64| {
        if value > of.value {
            *of = Found { value, at };
        }
    };
    let last = own.elements.len() - 1;
    for (e, element) in own.elements.iter().enumerate() {
        let line = &cable.lines[element.line as usize];
        let mut tension = cable.axial(own, data, e);
        // An end's tension is that of the force on what holds it, if that is more.
        for (end, node) in [(0, 0), (last, last + 1)] {
            if e == end && data.held[node] && tension > 0.0 {
                tension = tension.max(data.force[node].length());
            }
        }
        let at = match e {
            0 => 0.0,
            e if e == last => spline.arc[last + 1],
            e => 0.5 * (spline.arc[e] + spline.arc[e + 1]),
        };
        more(&mut found.largest, tension, at);
        if tension < found.smallest.value {
            found.smallest = Found { value: tension, at };
        }
        if let Some(load) = line.breaking_load {
            more(&mut found.utilisation, tension / load, at);
        }
        let mut curve = |curvature: f64, at: f64| {
            more(&mut found.curvature, curvature, at);
            if let Some(radius) = line.bend_radius {
                more(&mut found.bend_utilisation, radius * curvature, at);
            }
        };
        for end in 0..2 {
            curve(spline.curvature(data, e, end as f64), spline.arc[e + end]);
        }
        if let Some(rim) = cable.rim(own, data, e) {
            curve(1.0 / rim.radius, spline.arc[e] + 0.5 * (rim.parts[0] + rim.parts[1]) * data.length[e]);
        }
    }
    found
}
