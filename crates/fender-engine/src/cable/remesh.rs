//! Nodes that come and go: at payout, at guides, where the cable curves.
//!
//! An element is split at a point of its chord: strain, tension, weight and momentum stay as they are, and a little kinetic energy is
//! lost if its ends move differently. Two elements become one by leaving out the node between: its mass and momentum go to its neighbours. That
//! shortens the way, so it is done only where the cable is straight enough for the tension to stay (see [`STRAIGHT`]). What a change of the
//! mesh costs or gives is booked.

use super::place::moved;
use super::state::{ElementState, NONE, NodeState};
use super::torsion::carry;
use super::{Cable, CableState, Guide, renew};
use crate::change::Place;
use crate::evaluate::kinematics;
use crate::{CableId, Data, Event, EventKind, Model, State};
use fender_math::Vec3;

/// An element at payout is split above and merged below these parts of the length it should have.
const LONG: f64 = 1.5;
const SHORT: f64 = 0.4;
/// The same for the free length on each side of a guide, and what is left of it when it is split.
const FAR: f64 = 1.25;
const NEAR: f64 = 0.2;
const LEFT: f64 = 0.5;
/// What cannot go through a guide is there at this part of the wheel's radius.
pub(super) const THERE: f64 = 0.05;
/// Two elements may become one if that changes their strain by less than this part of it.
const STRAIGHT: f64 = 0.02;

/// Changes the meshes that have to be.
pub(crate) fn remesh(place: &mut Place<'_>) {
    for index in 0..place.model.cables.len() {
        let cable = &place.model.cables[index];
        if cable.payout.is_none() && cable.guides.is_empty() && cable.resolution.is_none() {
            continue;
        }
        let alone = place.state.cables[index].pace.as_ref().map(|pace| pace.time);
        if alone.is_some_and(|time| time < place.state.time) {
            continue;
        }
        // One change at a time; each brings the mesh nearer to what it should be.
        for _ in 0..cable.capacity {
            kinematics_of(place.model, place.state, place.data);
            let Some(change) = cable.due(&place.state.cables[index], place.data, index) else { break };
            if let MeshChange::Leave(e) = change {
                let guide = place.state.cables[index].elements[e].guide;
                let kind = EventKind::SlidOut { cable: CableId(index as u32), guide };
                place.data.events.push(Event { time: place.state.time, kind });
            }
            let before = place.energy();
            cable.make(place.state, place.data, index, change);
            place.data.clear_keeping_events();
            if alone.is_some() {
                kinematics(place.model, place.state, place.data);
                renew(place.model, place.state, place.data, index);
                place.data.invalidate();
            }
            let lost = before - place.energy();
            place.state.account.dissipated[cable.source + super::MESH] += lost;
            let own = cable.v..cable.v + cable.coordinates();
            let memory = &mut place.state.integrator;
            for list in [&mut memory.algorithmic, &mut memory.accelerations] {
                if list.len() == place.model.nv {
                    list[own.clone()].copy_from_slice(&place.data.rates.v[own.clone()]);
                }
            }
        }
    }
}

/// A cable that something keeps from going through a guide: its name, that of the guide, and what it is.
type Stuck = (String, String, &'static str);

/// The first cable on which something comes to a guide within a time [s]. Kinematics must be up to date.
pub(crate) fn arrived(model: &Model, state: &State, data: &Data, time: f64) -> Option<Stuck> {
    model.cables.iter().enumerate().filter(|(_, cable)| !cable.guides.is_empty()).find_map(|(i, cable)| {
        let (own, cables) = (&state.cables[i], &data.cables[i]);
        let (guide, node, ..) = cable.obstacles(own, cables, false).find(|(guide, node, free, size)| {
            let (Guide::Ring(point) | Guide::Sheave { center: point, .. }) = &cable.guides[*guide as usize].1;
            let (place, velocity) = moved(point, point.at, &data.bodies);
            let node = *node as usize;
            let toward = (place - cables.position[node]).normalize_or(Vec3::ZERO);
            // What is near, and stays where it is, does no harm.
            let approach = toward.dot(cables.velocity[node] - velocity);
            approach > 1e-3 * size && free - time * approach < THERE * size
        })?;
        Some(cable.stuck(own, guide, node))
    })
}

/// The first cable on which something is near a guide, after a step that failed.
pub(crate) fn stuck(model: &Model, state: &State, data: &mut Data) -> Option<Stuck> {
    if model.cables.iter().all(|cable| cable.guides.is_empty()) {
        return None;
    }
    data.invalidate();
    kinematics(model, state, data);
    model.cables.iter().enumerate().find_map(|(i, cable)| {
        let own = &state.cables[i];
        let (guide, node) = cable.blocked(own, &data.cables[i], 10.0 * THERE)?;
        Some(cable.stuck(own, guide, node))
    })
}

fn kinematics_of(model: &Model, state: &State, data: &mut Data) {
    if !data.detected {
        kinematics(model, state, data);
    }
}

/// A change of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MeshChange {
    /// An element is split at a part of its length from its first node.
    Split(usize, f64),
    /// A node is left out.
    Merge(usize),
    /// The first (0) or second (1) side of an element through a guide gets a node, at a distance from the guide [m].
    SplitSide(usize, usize, f64),
    /// An element leaves its guide.
    Leave(usize),
}

impl Cable {
    /// The next change that is due.
    fn due(&self, own: &CableState, data: &Data, index: usize) -> Option<MeshChange> {
        let full = own.nodes.len() >= self.capacity;
        let data = &data.cables[index];
        if let Some(e) = self.paying(own).filter(|e| own.elements[*e].guide == NONE) {
            let (length, target) = (own.elements[e].length, own.elements[e].target);
            if length > LONG * target && !full {
                let part = target / length;
                return Some(MeshChange::Split(e, if e == 0 { 1.0 - part } else { part }));
            }
            let inner = if e == 0 { 1 } else { e };
            if length < SHORT * target && self.can_merge(own, data, inner) {
                return Some(MeshChange::Merge(inner));
            }
        }
        self.due_at_guides(own, data, full)
            .or_else(|| running_out(own, data))
            .or_else(|| self.refinement(own, data, full))
    }

    /// What the sliding through guides asks for.
    fn due_at_guides(&self, own: &CableState, data: &super::CableData, full: bool) -> Option<MeshChange> {
        for (e, _) in own.elements.iter().enumerate().filter(|(_, e)| e.guide != NONE) {
            for side in 0..2 {
                let (free, target) = (data.course[e].free[side], side_length(own, data, e, side));
                if free > FAR * target && !full {
                    return Some(MeshChange::SplitSide(e, side, LEFT * target));
                }
                if free < NEAR * target {
                    if self.can_merge(own, data, e + side) {
                        return Some(MeshChange::Merge(e + side));
                    }
                    // The only node between two guides: another takes its place first.
                    let (other, far) = if side == 0 { (e.wrapping_sub(1), 1) } else { (e + 1, 0) };
                    if own.elements.get(other).is_some_and(|o| o.guide != NONE)
                        && !full
                        && own.nodes[e + side] == (NodeState { offset: own.nodes[e + side].offset, ..FREE })
                        && data.course[other].free[far] > LEFT * target
                    {
                        return Some(MeshChange::SplitSide(other, far, LEFT * target));
                    }
                }
            }
        }
        None
    }

    /// Brings the mesh at guides to what it should be, for statics: nothing moves. Whether anything changed.
    pub(crate) fn slide(&self, state: &mut State, data: &mut Data, index: usize, model: &Model) -> bool {
        let mut changed = false;
        for _ in 0..self.capacity {
            kinematics_of(model, state, data);
            let own = &state.cables[index];
            let full = own.nodes.len() >= self.capacity;
            let Some(change) = self.due_at_guides(own, &data.cables[index], full) else { break };
            self.make(state, data, index, change);
            data.invalidate();
            changed = true;
        }
        changed
    }

    /// Splits one element that curvature or its change asks to; whether there was one. Forces must be up to date.
    pub(super) fn split_one(&self, state: &mut State, data: &Data, index: usize) -> bool {
        let own = &state.cables[index];
        let full = own.nodes.len() >= self.capacity;
        match self.refinement(own, &data.cables[index], full) {
            Some(change @ MeshChange::Split(..)) => {
                self.make(state, data, index, change);
                true
            }
            _ => false,
        }
    }

    /// What cannot go through the guide beside it: the guide, the node, how far it is [m], and the wheel's radius or a part of the element's
    /// length, beside which that is far or near [m]. Ends that nothing holds or hangs on slide out, unless they shall count.
    fn obstacles(
        &self,
        own: &CableState,
        data: &super::CableData,
        free_ends: bool,
    ) -> impl Iterator<Item = (u32, u32, f64, f64)> {
        let guided = own.elements.iter().enumerate().filter(|(_, e)| e.guide != NONE);
        guided.flat_map(move |(e, element)| {
            let size = match &self.guides[element.guide as usize].1 {
                Guide::Sheave { radius, .. } => *radius,
                Guide::Ring(_) => 0.2 * element.target.min(data.length[e]),
            };
            [0, 1].into_iter().filter_map(move |side| {
                let node = e + side;
                let end = node == 0 || node + 1 == own.nodes.len();
                let plain = NodeState { offset: own.nodes[node].offset, grip: own.nodes[node].grip, ..FREE };
                // Two lines meet at a node, or something is on it.
                let border = !end && own.elements[node - 1].line != own.elements[node].line;
                let bare = end && own.holds(node).is_none() && own.nodes[node].lump == NONE;
                let stays = if bare { free_ends } else { end || border || own.nodes[node] != plain };
                stays.then(|| (element.guide, node as u32, data.course[e].free[side], size))
            })
        })
    }

    /// What came to a guide and cannot go through, nearer than a part of the wheel's radius: the guide, and the node.
    pub(super) fn blocked(&self, own: &CableState, data: &super::CableData, part: f64) -> Option<(u32, u32)> {
        let found = self.obstacles(own, data, true).find(|(_, _, free, size)| *free < part * size);
        found.map(|(guide, node, ..)| (guide, node))
    }

    /// How far it can be hauled in until something is at a part of the wheel's radius [m], with that guide and node.
    pub(super) fn room_to_guides(
        &self,
        own: &CableState,
        data: &super::CableData,
        part: f64,
    ) -> Option<(f64, (u32, u32))> {
        let rooms = self
            .obstacles(own, data, false)
            .map(|(guide, node, free, size)| (free - part * size, (guide, node)));
        rooms.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn stuck(&self, own: &CableState, guide: u32, node: u32) -> Stuck {
        (self.name.clone(), self.guides[guide as usize].0.clone(), at_node(own, node))
    }

    /// Where curvature, or its change, asks for a node or does without one.
    ///
    /// Between its nodes the element should be in balance: Tκ = q across, with the load q per length. Nodes are; in between κ goes from the curvature
    /// at one to that at the other while the lumped load does not, which leaves ½ T |Δκ| L.
    fn refinement(&self, own: &CableState, data: &super::CableData, full: bool) -> Option<MeshChange> {
        let resolution = self.resolution.as_ref()?;
        let n = own.nodes.len();
        let straight = |e: usize| own.elements[e].guide == NONE;
        let turn = |i: usize| {
            if i == 0 || i + 1 >= n || !straight(i - 1) || !straight(i) {
                return 0.0;
            }
            let (a, b) = (data.course[i - 1].by_b, data.course[i].by_b);
            fender_math::float::atan2(a.cross(b).length(), a.dot(b))
        };
        let curvature = |i: usize| {
            if i == 0 || i + 1 >= n || !straight(i - 1) || !straight(i) {
                return None;
            }
            let change = data.course[i].by_b - data.course[i - 1].by_b;
            Some(change * (2.0 / (own.elements[i - 1].length + own.elements[i].length)))
        };
        let largest = data.stretch.iter().fold(0.0_f64, |most, s| most.max(s.tension));
        let residual = |e: usize| {
            let (Some(a), Some(b)) = (curvature(e), curvature(e + 1)) else { return 0.0 };
            let tension = data.stretch.get(e).map_or(0.0, |s| s.tension.max(0.0));
            0.5 * tension * (b - a).length() * own.elements[e].length / largest.max(1e-300)
        };
        if !full && n < resolution.most {
            for e in (0..n - 1).filter(|e| straight(*e)) {
                let length = own.elements[e].length;
                let sharp = turn(e).max(turn(e + 1)) > resolution.angle || residual(e) > resolution.residual;
                if sharp && length >= 2.0 * resolution.shortest || length > resolution.longest {
                    return Some(MeshChange::Split(e, 0.5));
                }
            }
        }
        for i in 1..n.saturating_sub(1) {
            if !straight(i - 1) || !straight(i) || !self.can_merge(own, data, i) {
                continue;
            }
            let length = own.elements[i - 1].length + own.elements[i].length;
            let calm = [i - 1, i, i + 1].iter().all(|i| turn(*i) < 0.25 * resolution.angle)
                && residual(i - 1).max(residual(i)) < resolution.residual / 16.0;
            if calm
                && length
                    <= resolution.longest.min(own.elements[i].target.max(own.elements[i - 1].target) * 1.001)
            {
                return Some(MeshChange::Merge(i));
            }
        }
        None
    }

    /// Whether a node can be left out: nothing is there, the line is the same on both sides, and the tension stays.
    fn can_merge(&self, own: &CableState, data: &super::CableData, i: usize) -> bool {
        let n = own.nodes.len();
        if i == 0
            || i + 1 >= n
            || own.nodes[i] != (NodeState { offset: own.nodes[i].offset, grip: own.nodes[i].grip, ..FREE })
        {
            return false;
        }
        let (a, b) = (&own.elements[i - 1], &own.elements[i]);
        if a.line != b.line || (a.guide != NONE && b.guide != NONE) {
            return false;
        }
        // A node with mass must be left between places that are held.
        let held = |i: usize| data.held[i];
        if held(i - 1) && held(i + 1) {
            return false;
        }
        let whole = data.course[i - 1].length + data.course[i].length;
        let shortened = if a.guide == NONE && b.guide == NONE {
            whole - (data.position[i + 1] - data.position[i - 1]).length()
        } else {
            0.0
        };
        let strain = data.stretch.get(i).map_or(0.0, |s| s.strain.max(0.0));
        let slack = data.stretch.get(i).is_some_and(|s| s.tension <= 0.0);
        // Bending makes up for as much as would buckle the element.
        let line = &self.lines[a.line as usize];
        let buckling = 0.5 * (std::f64::consts::PI / whole).powi(2) * line.bending;
        slack
            || line.bending > 0.0 && line.axial.stiffness() * shortened <= buckling * whole
            || shortened <= STRAIGHT * strain.max(1e-9) * whole
            || self.paying(own).is_some_and(|e| e == i || e + 1 == i)
    }

    fn make(&self, state: &mut State, data: &Data, index: usize, change: MeshChange) {
        let own = &mut state.cables[index];
        let paying = self.paying(own);
        let mut places: Vec<Vec3> = data.cables[index].position.clone();
        let mut speeds: Vec<Vec3> = data.cables[index].velocity.clone();
        let angles = |x: &[f64], at: usize| -> Vec<f64> {
            if self.twists { x[at + self.angle(0)..][..own.elements.len()].to_vec() } else { Vec::new() }
        };
        let (mut turns, mut spins) = (angles(&state.q, self.q), angles(&state.v, self.v));
        let data = &data.cables[index];
        match change {
            MeshChange::Split(e, part) => {
                let element = own.elements[e];
                own.nodes.insert(e + 1, FREE);
                own.elements.insert(e + 1, ElementState { length: (1.0 - part) * element.length, ..element });
                own.elements[e].length = part * element.length;
                places.insert(e + 1, places[e].lerp(places[e + 1], part));
                // At payout the cable itself moves where its end is held.
                let (mut from, mut to) = (speeds[e], speeds[e + 1]);
                if let (Some(payout), true) = (&self.payout, paying == Some(e)) {
                    if payout.end == 0 {
                        from += data.course[e].by_b * data.speed;
                    } else {
                        to += data.course[e].by_a * data.speed;
                    }
                }
                speeds.insert(e + 1, from.lerp(to, part));
                for list in [&mut turns, &mut spins].into_iter().filter(|l| !l.is_empty()) {
                    list.insert(e + 1, list[e]);
                }
            }
            MeshChange::Leave(e) => own.elements[e].guide = NONE,
            MeshChange::SplitSide(e, side, left) => {
                let element = own.elements[e];
                let course = &data.course[e];
                let far = (course.free[side] - left).max(0.0);
                let length = element.length * far / course.length;
                let (node, toward) = if side == 0 { (e, -course.by_a) } else { (e + 1, -course.by_b) };
                let new = ElementState { length, guide: NONE, along: course.by_b, ..element };
                own.nodes.insert(e + 1, FREE);
                own.elements[e].length -= length;
                own.elements.insert(if side == 0 { e } else { e + 1 }, new);
                let (place, speed) = (places[node] + toward * far, speeds[node]);
                // What is across follows the guide more and more; what is along is the same for the whole side.
                let along = toward * toward.dot(speed);
                let across = (speed - along) * (left / course.free[side].max(left));
                places.insert(e + 1, place);
                speeds.insert(e + 1, along + across);
                for list in [&mut turns, &mut spins].into_iter().filter(|l| !l.is_empty()) {
                    list.insert(e + 1, list[e]);
                }
            }
            MeshChange::Merge(i) => {
                let (a, b) = (own.elements[i - 1], own.elements[i]);
                let length = a.length + b.length;
                // Mass at the node goes to its neighbours: half of the element beyond it to each.
                let masses = |i: usize| data.loads[i].mass;
                let mass = self.lines[a.line as usize].mass;
                for (j, gained) in [(i - 1, 0.5 * mass * b.length), (i + 1, 0.5 * mass * a.length)] {
                    // Through a guide the mass turns, and goes on as fast.
                    if !data.held[j] && a.guide == NONE && b.guide == NONE {
                        speeds[j] = (speeds[j] * masses(j) + speeds[i] * gained) / (masses(j) + gained);
                    }
                }
                if self.twists {
                    let second = turns[i] + own.nodes[i].offset;
                    turns[i - 1] = (turns[i - 1] * a.length + second * b.length) / length;
                    spins[i - 1] = (spins[i - 1] * a.length + spins[i] * b.length) / length;
                    turns.remove(i);
                    spins.remove(i);
                }
                let guide = if a.guide == NONE { b.guide } else { a.guide };
                let along = (places[i + 1] - places[i - 1]).normalize_or(a.along);
                let across = carry(a.across, a.along, along);
                let target = a.target.max(b.target);
                own.elements[i - 1] = ElementState { length, target, guide, along, across, ..a };
                own.elements.remove(i);
                own.nodes.remove(i);
                places.remove(i);
                speeds.remove(i);
            }
        }
        let own = &state.cables[index];
        let count = self.coordinates();
        let mut q = vec![0.0; count];
        let mut v = vec![0.0; count];
        for i in 0..own.nodes.len() {
            if own.holds(i).is_none() {
                q[3 * i..3 * i + 3].copy_from_slice(&places[i].to_array());
                v[3 * i..3 * i + 3].copy_from_slice(&speeds[i].to_array());
            }
        }
        for (e, (turn, spin)) in turns.iter().zip(&spins).enumerate() {
            q[self.angle(e)] = *turn;
            v[self.angle(e)] = *spin;
        }
        state.q[self.q..self.q + count].copy_from_slice(&q);
        state.v[self.v..self.v + count].copy_from_slice(&v);
    }
}

/// Length that elements beside a guide should have [m]: what they were given, or what there is to the next guide.
fn side_length(own: &CableState, data: &super::CableData, e: usize, side: usize) -> f64 {
    let target = own.elements[e].target;
    let mut way = data.course[e].free[side];
    let mut other = e;
    while way < target {
        let next = if side == 0 { other.checked_sub(1) } else { Some(other + 1) };
        let Some(next) = next.filter(|next| *next < own.elements.len()) else { return target };
        if own.elements[next].guide != NONE {
            return target.min(way + data.course[next].free[1 - side]);
        }
        way += data.course[next].length;
        other = next;
    }
    target
}

/// A free end that comes to a guide goes through and leaves it.
fn running_out(own: &CableState, data: &super::CableData) -> Option<MeshChange> {
    let last = own.nodes.len() - 1;
    for (e, element) in own.elements.iter().enumerate().filter(|(_, e)| e.guide != NONE) {
        for (side, node) in [(0, 0), (1, last)] {
            let free = own.holds(node).is_none() && own.nodes[node].lump == NONE;
            if e + side == node && free && data.course[e].free[side] < 0.5 * NEAR * element.target {
                return Some(MeshChange::Leave(e));
            }
        }
    }
    None
}

/// What is at a node, in words.
pub(super) fn at_node(own: &CableState, node: u32) -> &'static str {
    match node as usize {
        0 => "its start",
        node if node + 1 == own.nodes.len() => "its end",
        node if own.nodes[node].tie != NONE => "a tie",
        node if own.nodes[node].lump != NONE => "a weight",
        _ => "another section",
    }
}

/// A node with nothing special.
const FREE: NodeState = NodeState { tie: NONE, lump: NONE, offset: 0.0, grip: None };
