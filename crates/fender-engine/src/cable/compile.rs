//! From what a user says of a cable to its first mesh.

use super::state::{ElementState, NONE, NodeState, TieState};
use super::torsion::carry;
use super::{AlongKind, Cable, CableError, CableSpec, CableState, Pace, Settled, Tie};
use fender_math::Vec3;
use std::sync::Arc;

/// Something that needs a node of its own.
#[derive(Clone, Copy)]
struct Break {
    at: f64,
    tie: u32,
    lump: u32,
    /// The element after it goes through a guide.
    guide: u32,
}

/// Part of an element that is left free on each side of a guide, if there is room.
const ROOM: f64 = 0.5;

impl Cable {
    /// Checks a cable and divides it.
    pub(crate) fn new(spec: CableSpec) -> Result<Self, CableError> {
        for (i, section) in spec.sections.iter().enumerate() {
            section.line.check()?;
            if !(section.length > 0.0 && section.length.is_finite() && section.elements > 0) {
                return Err(CableError::NoLength { section: i + 1, length: section.length });
            }
        }
        let length: f64 = spec.sections.iter().map(|s| s.length).sum();
        let mut ties: Vec<(String, Tie)> = Vec::new();
        let nothing =
            Tie { point: super::Point { body: None, at: Vec3::ZERO }, clamp: None, attached: false };
        for (name, tie) in ["start", "end"].iter().zip(spec.ends) {
            ties.push(((*name).to_string(), tie.unwrap_or(nothing)));
        }
        let (mut guides, mut lumps) = (Vec::new(), Vec::new());
        let mut breaks = vec![Break { at: 0.0, tie: 0, lump: NONE, guide: NONE }];
        let mut border = 0.0;
        for section in &spec.sections[..spec.sections.len().saturating_sub(1)] {
            border += section.length;
            breaks.push(Break { at: border, tie: NONE, lump: NONE, guide: NONE });
        }
        breaks.push(Break { at: length, tie: 1, lump: NONE, guide: NONE });
        for (i, along) in spec.along.iter().enumerate() {
            if !(along.at >= 0.0 && along.at <= length) {
                return Err(CableError::Beyond { at: along.at, length });
            }
            let mut new = Break { at: along.at, tie: NONE, lump: NONE, guide: NONE };
            match &along.what {
                AlongKind::Lump(lump) => {
                    new.lump = lumps.len() as u32;
                    lumps.push(*lump);
                }
                AlongKind::Tie { name, tie } => {
                    new.tie = ties.len() as u32;
                    ties.push((name.clone(), Tie { clamp: None, ..*tie }));
                }
                AlongKind::Guide { name, guide, .. } => {
                    let id = guides.len() as u32;
                    guides.push((name.clone(), *guide));
                    let [before, after] = Self::room(&spec, i, length)?;
                    breaks.push(Break { at: before, guide: id, ..new });
                    breaks.push(Break { at: after, ..new });
                    continue;
                }
            }
            // What stands at a border or an end shares its node.
            match breaks.iter_mut().find(|b| (b.at - new.at).abs() < 1e-9 * length) {
                Some(old) => {
                    old.lump = if new.lump == NONE { old.lump } else { new.lump };
                    old.tie = if new.tie == NONE { old.tie } else { new.tie };
                }
                None => breaks.push(new),
            }
        }
        breaks.sort_by(|a, b| a.at.total_cmp(&b.at));
        let state = Self::divide(&spec, &breaks, &ties);
        let lines: Vec<_> =
            spec.sections.iter().map(|s| Arc::new(s.line.rounded(s.length / s.elements as f64))).collect();
        let mut cable = Self {
            bends: lines.iter().any(|l| l.bending > 0.0),
            twists: lines.iter().any(|l| l.torsion > 0.0),
            capacity: state.nodes.len(),
            name: spec.name,
            lines,
            ties,
            guides,
            lumps,
            payout: spec.payout,
            resolution: spec.resolution,
            pace: spec.pace,
            settle: spec.settle,
            settled: None,
            q: 0,
            v: 0,
            source: 0,
            places: Vec::new(),
            velocity: spec.velocity,
            angles: Vec::new(),
            start: state,
        };
        if let Some((name, _)) = cable.ties.iter().find(|(_, tie)| tie.clamp.is_some() && !tie.attached) {
            return Err(CableError::LateClamp { name: name.clone() });
        }
        if cable.settle && !cable.ties.iter().any(|(_, tie)| tie.attached) {
            return Err(CableError::NotHeld);
        }
        cable.check_payout(length)?;
        if let Some(Pace { step, radius }) = cable.pace
            && !(step > 0.0 && step.is_finite() && radius > 0.0 && radius <= 1.0)
        {
            return Err(CableError::BadPace { step, radius });
        }
        cable.capacity = cable.capacity.max(cable.most_nodes(length));
        cable.lay(&spec.shape)?;
        Ok(cable)
    }

    /// Arc lengths before and after a guide along the cable between which one element goes through it [m]: off the rim, and not beyond
    /// half of the way to what is next.
    fn room(spec: &CableSpec, index: usize, length: f64) -> Result<[f64; 2], CableError> {
        let rim = |along: &super::Along| match &along.what {
            AlongKind::Guide { rim, .. } => 0.5 * rim,
            _ => 0.0,
        };
        let (own, size) = (&spec.along[index], Self::size_at(spec, spec.along[index].at));
        let (mut low, mut high) = (0.0_f64, length);
        let mut end = 0.0;
        for section in &spec.sections {
            end += section.length;
            if end <= own.at {
                low = end;
            } else {
                high = high.min(end);
            }
        }
        for (i, other) in spec.along.iter().enumerate().filter(|(i, _)| *i != index) {
            if other.at < own.at || other.at == own.at && i < index {
                low = low.max(other.at + rim(other));
            } else {
                high = high.min(other.at - rim(other));
            }
        }
        let AlongKind::Guide { name, .. } = &own.what else { return Ok([own.at; 2]) };
        let (first, last) = (own.at - rim(own), own.at + rim(own));
        let gaps = [first - low, high - last];
        if !gaps.iter().all(|gap| *gap > 1e-6 * length) {
            return Err(CableError::NoRoom {
                name: name.clone(),
                low: first,
                high: last,
                from: low,
                to: high,
            });
        }
        // A third of the way to another guide leaves room for that one.
        let [before, after] = gaps.map(|gap| (ROOM * size).min(gap / 3.0));
        Ok([first - before, last + after])
    }

    /// Length of the elements around an arc length [m].
    fn size_at(spec: &CableSpec, at: f64) -> f64 {
        let mut end = 0.0;
        let mut size = 0.0;
        for section in &spec.sections {
            end += section.length;
            size = section.length / section.elements as f64;
            if at <= end {
                break;
            }
        }
        size
    }

    fn divide(spec: &CableSpec, breaks: &[Break], ties: &[(String, Tie)]) -> CableState {
        let mut state = CableState::default();
        let node = |b: &Break| NodeState { tie: b.tie, lump: b.lump, offset: 0.0, grip: None };
        let plain = NodeState { tie: NONE, lump: NONE, offset: 0.0, grip: None };
        let mut ends = Vec::new();
        let mut end = 0.0;
        for section in &spec.sections {
            end += section.length;
            ends.push(end);
        }
        for pair in breaks.windows(2) {
            state.nodes.push(node(&pair[0]));
            let (middle, gap) = (0.5 * (pair[0].at + pair[1].at), pair[1].at - pair[0].at);
            let line = ends.iter().position(|e| middle <= *e).unwrap_or(ends.len() - 1);
            let target = spec.sections[line].length / spec.sections[line].elements as f64;
            let guide = pair[0].guide;
            let parts = if guide == NONE { (gap / target).round().max(1.0) as usize } else { 1 };
            for part in 0..parts {
                if part > 0 {
                    state.nodes.push(plain);
                }
                let length = gap / parts as f64;
                let (along, across) = (Vec3::X, Vec3::Y);
                let line = line as u32;
                state.elements.push(ElementState { length, target, line, guide, along, across });
            }
        }
        if let Some(last) = breaks.last() {
            state.nodes.push(node(last));
        }
        state.ties = ties
            .iter()
            .map(|(_, tie)| TieState { active: tie.attached, at: tie.point.at, turned: 0.0 })
            .collect();
        state
    }

    fn check_payout(&self, length: f64) -> Result<(), CableError> {
        let Some(payout) = &self.payout else { return Ok(()) };
        let (shortest, longest) = (payout.shortest, payout.longest);
        if !(shortest > 0.0 && shortest <= length && length <= longest) {
            return Err(CableError::PayoutBounds { shortest, longest, length });
        }
        if !self.ties[payout.end].1.attached {
            return Err(CableError::PayoutFree { end: ["start", "end"][payout.end] });
        }
        Ok(())
    }

    /// How many nodes it may come to have.
    fn most_nodes(&self, length: f64) -> usize {
        let mut most = self.start.nodes.len();
        if let (Some(payout), false) = (&self.payout, self.start.elements.is_empty()) {
            let at = if payout.end == 0 { 0 } else { self.start.elements.len() - 1 };
            let target = self.start.elements[at].target;
            most += ((payout.longest - length) / (0.5 * target)).ceil().clamp(0.0, 1e6) as usize + 2;
        }
        // Guides make elements on one side as they take them from the other.
        most += 4 * self.guides.len();
        if let Some(resolution) = &self.resolution {
            most = most.max(resolution.most);
        }
        most
    }

    /// Puts the nodes where the shape says.
    fn lay(&mut self, shape: &[(f64, Vec3)]) -> Result<(), CableError> {
        let sane = shape.windows(2).all(|p| p[1].0 > p[0].0)
            && shape.iter().all(|(s, p)| s.is_finite() && p.is_finite());
        if shape.len() < 2 || !sane {
            return Err(CableError::NoShape);
        }
        let mut s = 0.0;
        for i in 0..self.start.nodes.len() {
            let at = shape.partition_point(|(x, _)| *x <= s).clamp(1, shape.len() - 1);
            let ((s0, p0), (s1, p1)) = (shape[at - 1], shape[at]);
            self.places.push(p0 + (p1 - p0) * ((s - s0) / (s1 - s0)));
            s += self.start.elements.get(i).map_or(0.0, |e| e.length);
        }
        Ok(())
    }

    /// Bodies it is or may be tied to, or guided by.
    pub(crate) fn bodies(&self) -> Vec<crate::BodyId> {
        let ties = self.ties.iter().filter_map(|(_, tie)| tie.point.body);
        let guides = self.guides.iter().filter_map(|(_, guide)| guide.body());
        let mut all: Vec<_> = ties.chain(guides).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Cable {
    /// Writes its first mesh, places and velocities into a state.
    pub(crate) fn write_start(&self, model: &crate::Model, state: &mut crate::State) {
        let mut own = self.start.clone();
        for (i, (place, node)) in self.places.iter().zip(&own.nodes).enumerate() {
            let held = node.tie != NONE && own.ties[node.tie as usize].active;
            // What is held has no coordinates of its own; zeros keep the state the same whatever was drawn.
            let (place, velocity) = if held { (Vec3::ZERO, Vec3::ZERO) } else { (*place, self.velocity) };
            state.q[self.q + 3 * i..self.q + 3 * i + 3].copy_from_slice(&place.to_array());
            state.v[self.v + 3 * i..self.v + 3 * i + 3].copy_from_slice(&velocity.to_array());
        }
        if self.settled.is_some() {
            for (e, angle) in self.angles.iter().enumerate() {
                state.q[self.q + self.angle(e)] = *angle;
            }
        } else if self.twists {
            self.untwist(model, &mut own);
        }
        state.cables.push(own);
    }

    /// Makes a state in which it rests its start.
    pub(crate) fn begin_at(&mut self, state: &crate::State, index: usize, settled: Settled) {
        let (q, _) = self.own(state);
        let own = &state.cables[index];
        // The mesh may be another where it slid through guides; what is tied stays where it is.
        let tied: Vec<(u32, Vec3)> =
            self.start.nodes.iter().map(|node| node.tie).zip(self.places.iter().copied()).collect();
        self.places.clear();
        for (i, node) in own.nodes.iter().enumerate() {
            let kept = tied.iter().find(|(tie, _)| own.holds(i).is_some() && *tie == node.tie);
            self.places.push(kept.map_or_else(|| Vec3::from_slice(&q[3 * i..]), |(_, place)| *place));
        }
        if self.twists {
            self.angles = q[3 * self.capacity..][..own.elements.len()].to_vec();
        }
        (self.start, self.settled) = (own.clone(), Some(settled));
    }

    /// Chooses the directions across so that there is no twist as it lies.
    fn untwist(&self, model: &crate::Model, own: &mut CableState) {
        let pose = |tie: usize| {
            let body = &model.bodies[self.ties[tie].1.point.body?.index()];
            Some(match &body.motion {
                crate::BodyMotion::Driven { series } => series.sample(0.0).pose.rotation,
                _ => body.pose.rotation,
            })
        };
        let held = |tie: usize| own.ties[tie].active;
        let direction = |tie: usize| {
            let clamp = self.ties[tie].1.clamp.filter(|_| held(tie))?;
            let across = clamp.any_orthonormal_vector();
            Some(pose(tie).map_or((clamp, across), |r| (r * clamp, r * across)))
        };
        let (first, last) = (direction(0), direction(1));
        let mut carried = first;
        for e in 0..own.elements.len() {
            let d = (self.places[e + 1] - self.places[e]).normalize_or(Vec3::X);
            let across = carried.map_or_else(|| d.any_orthonormal_vector(), |(t, u)| carry(u, t, d));
            let element = &mut own.elements[e];
            (element.along, element.across) = (d, across.normalize_or(Vec3::Y));
            carried = Some((d, element.across));
        }
        if let (Some((d, u)), Some((t, across))) = (carried, last) {
            let arrived = carry(u, d, t);
            own.ties[1].turned = fender_math::float::atan2(across.cross(arrived).dot(t), across.dot(arrived));
        }
    }
}
