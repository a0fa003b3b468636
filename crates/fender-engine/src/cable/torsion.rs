//! Twist: an angle θ_e per element, counted from a direction across it that goes along without twist in time (Bergou et al. 2010,
//! discrete viscous threads).
//!
//! Twist at node i between elements e−1 and e is m_i = θ_e − θ_{e−1} + ψ_i, where ψ_i is the angle from the direction of e−1, carried to e without
//! twist, to that of e. The energy is ½ GJ m_i²/L̄ with L̄ half the length of both elements (of one at a clamp, whose frame is the
//! body's). Moving the nodes changes ψ: δψ_i = b·(δd_{e−1} + δd_e), b = d_{e−1} × d_e/(1 + d_{e−1}·d_e). Guides let twist through freely: no
//! torque across them.

use super::evaluate::{CableData, Powers};
use super::place::turned;
use super::state::NONE;
use super::{Cable, CableState};
use crate::data::BodyKinematics;
use fender_math::{Vec3, Wrench, float};
use std::f64::consts::{PI, TAU};

/// Scratch of torsion.
#[derive(Clone, Debug, Default)]
pub(crate) struct TorsionData {
    /// Torque at each node [N·m].
    pub(crate) torque: Vec<f64>,
    /// Twist at each node [rad], and the length over which it is [m].
    pub(crate) twist: Vec<f64>,
    /// Stiffness and damping of the torque at each node [N·m/rad, N·m·s/rad].
    pub(crate) stiffness: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    /// Generalised force on each element's angle [N·m].
    pub(crate) force: Vec<f64>,
    /// Direction across each element from which its angle is counted, now.
    pub(crate) across: Vec<Vec3>,
    /// Angle ψ at each node, with full turns [rad].
    pub(crate) offset: Vec<f64>,
    /// Torque of the clamps on what holds the ends [N·m].
    pub(crate) on_clamps: [Vec3; 2],
}

/// Carries a vector across `from` to one across `to` without twist.
pub(crate) fn carry(v: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let c = from.dot(to);
    let axis = from.cross(to);
    if c < -0.999_999 {
        // Turned right around within a step: any half turn will do.
        return -v;
    }
    v * c + axis.cross(v) + axis * (axis.dot(v) / (1.0 + c))
}

/// How a vector that is carried from `from` to `to` spins about `to` as that moves: s in (spin) = s·δ(to). Zero at `from` itself.
fn carried_spin(from: Vec3, to: Vec3) -> Vec3 {
    from.cross(to) / -(1.0 + from.dot(to)).max(1e-9)
}

/// Angle from `a` to `b` about `axis`, all unit, both across it.
fn angle(a: Vec3, b: Vec3, axis: Vec3) -> f64 {
    float::atan2(a.cross(b).dot(axis), a.dot(b))
}

/// The angle nearest to `last` that is `raw` but for full turns.
fn unwound(raw: f64, last: f64) -> f64 {
    let mut change = (raw - last) % TAU;
    if change > PI {
        change -= TAU;
    } else if change < -PI {
        change += TAU;
    }
    last + change
}

/// One side of a node: direction, how fast it turns, direction across.
#[derive(Clone, Copy)]
struct Side {
    along: Vec3,
    rate: Vec3,
    across: Vec3,
    angle: f64,
    spin: f64,
}

impl Cable {
    /// Direction across a clamp, fixed in the body, in the world.
    fn clamp_across(&self, end: usize, clamp: Vec3, turn: f64, bodies: &[BodyKinematics]) -> Vec3 {
        let u = clamp.any_orthonormal_vector();
        let (sin, cos) = float::sin_cos(turn);
        let across = u * cos + clamp.cross(u) * sin;
        turned(&self.ties[end].1.point, across, bodies).0
    }

    /// The frame of a clamped end as a side of its node.
    fn clamp_side(&self, state: &CableState, end: usize, bodies: &[BodyKinematics]) -> Option<Side> {
        let tie = &self.ties[end].1;
        let clamp = tie.clamp.filter(|_| state.ties[end].active)?;
        let (along, rate) = turned(&tie.point, clamp, bodies);
        let across = self.clamp_across(end, clamp, state.ties[end].turned, bodies);
        let omega = tie.point.body.map_or(Vec3::ZERO, |b| bodies[b.index()].twist.angular);
        Some(Side { along, rate, across, angle: 0.0, spin: omega.dot(along) })
    }

    /// Torques, and their forces on nodes and angles.
    pub(super) fn twist(
        &self,
        state: &CableState,
        (q, v): (&[f64], &[f64]),
        bodies: &[BodyKinematics],
        data: &mut CableData,
        powers: &mut Powers,
    ) {
        let n = state.nodes.len();
        let torsion = &mut data.torsion;
        torsion.across.clear();
        for (element, course) in state.elements.iter().zip(&data.course) {
            torsion.across.push(carry(element.across, element.along, course.by_b).normalize_or(Vec3::X));
        }
        for list in [
            &mut torsion.torque,
            &mut torsion.twist,
            &mut torsion.stiffness,
            &mut torsion.damping,
            &mut torsion.force,
            &mut torsion.offset,
        ] {
            list.clear();
            list.resize(n, 0.0);
        }
        torsion.on_clamps = [Vec3::ZERO; 2];
        for i in 0..n {
            let side = |e: usize| {
                let element = &state.elements[e];
                let line = &self.lines[element.line as usize];
                if element.guide != NONE || line.torsion == 0.0 {
                    return None;
                }
                let course = &data.course[e];
                let d = course.by_b;
                let spread = (data.velocity[e + 1] - data.velocity[e]) / course.length;
                let rate = spread - d * d.dot(spread);
                let at = self.angle(e);
                let spin = v[at] + carried_spin(element.along, d).dot(rate);
                Some((Side { along: d, rate, across: torsion.across[e], angle: q[at], spin }, line, e))
            };
            let before = if i == 0 { None } else { side(i - 1) };
            let after = if i + 1 == n { None } else { side(i) };
            // Compliances in series over the halves of the elements beside.
            let mut compliance = 0.0;
            let (mut lost, mut halves) = (0.0, 0);
            for (_, line, e) in before.iter().chain(&after) {
                compliance += 0.5 * data.length[*e] / line.torsion;
                lost += line.torsion_damping / line.torsion;
                halves += 1;
            }
            let clamp = match (i, &before, &after) {
                (0, None, Some(_)) => self.clamp_side(state, 0, bodies),
                (_, Some(_), None) if i + 1 == n => self.clamp_side(state, 1, bodies),
                _ => None,
            };
            let pair = match (before.map(|b| b.0), after.map(|a| a.0), clamp) {
                (Some(a), Some(b), _) | (Some(a), None, Some(b)) | (None, Some(b), Some(a)) => Some((a, b)),
                _ => None,
            };
            let Some((first, second)) = pair else { continue };
            let raw = angle(carry(first.across, first.along, second.along), second.across, second.along);
            let offset = unwound(raw, state.nodes[i].offset);
            let b = first.along.cross(second.along) / (1.0 + first.along.dot(second.along)).max(1e-9);
            let twist = second.angle - first.angle + offset;
            let rate = second.spin - first.spin + b.dot(first.rate + second.rate);
            let stiffness = 1.0 / compliance;
            let damping = stiffness * lost / f64::from(halves);
            let torque = stiffness * twist + damping * rate;
            powers.stored += 0.5 * stiffness * twist * twist;
            powers.dissipated += damping * rate * rate;
            (torsion.torque[i], torsion.twist[i], torsion.offset[i]) = (torque, twist, offset);
            (torsion.stiffness[i], torsion.damping[i]) = (stiffness, damping);
            for (side, sign) in [(&before, 1.0), (&after, -1.0)] {
                if let Some((_, _, e)) = side {
                    torsion.force[*e] += sign * torque;
                    let pull = b * (torque / data.course[*e].length);
                    data.force[*e] += pull;
                    data.force[*e + 1] -= pull;
                    if self.paying(state) == Some(*e) {
                        let line = &self.lines[state.elements[*e].line as usize];
                        let by_length = 0.5 / line.torsion * stiffness * stiffness * twist * twist * 0.5;
                        powers.payout -= data.speed * by_length;
                    }
                }
            }
            if clamp.is_some() {
                let (end, t) = if i == 0 { (0, first.along) } else { (1, second.along) };
                let sign = if end == 0 { 1.0 } else { -1.0 };
                torsion.on_clamps[end] = (t * sign - t.cross(b)) * torque;
            }
        }
    }

    /// Weight of an element's initial curvature at one of its nodes: half, or all where the cable does not bend beyond.
    fn curvature_weight(&self, state: &CableState, node: usize) -> f64 {
        let bends = |e: Option<usize>| e.is_some_and(|e| e < state.elements.len() && self.bends_in(state, e));
        if bends(node.checked_sub(1)) && bends(Some(node)) { 0.5 } else { 1.0 }
    }

    /// Initial curvature at the nodes, turned with the cable.
    pub(super) fn initial_curvature(&self, state: &CableState, q: &[f64], data: &mut CableData) {
        data.bending.initial.clear();
        if self.lines.iter().all(|l| l.curvature == [0.0; 2]) {
            return;
        }
        data.bending.initial.resize(state.nodes.len(), Vec3::ZERO);
        for e in (0..state.elements.len()).filter(|e| self.bends_in(state, *e)) {
            let curvature = self.element_curvature(state, q, data, e);
            for i in [e, e + 1] {
                data.bending.initial[i] += curvature * self.curvature_weight(state, i);
            }
        }
    }

    /// Initial curvature of an element in the world [1/m].
    fn element_curvature(&self, state: &CableState, q: &[f64], data: &CableData, e: usize) -> Vec3 {
        let element = &state.elements[e];
        let [c1, c2] = self.lines[element.line as usize].curvature;
        let d = data.course[e].by_b;
        let u = carry(element.across, element.along, d);
        let (sin, cos) = float::sin_cos(q[self.angle(e)]);
        let first = u * cos + d.cross(u) * sin;
        first * c1 + d.cross(first) * c2
    }

    /// What initial curvature does to the elements it turns with: a moment κ₀ × g on each, g = B m weighted as κ₀ is.
    pub(super) fn turn_initial(&self, state: &CableState, q: &[f64], data: &mut CableData) {
        if data.bending.initial.is_empty() {
            return;
        }
        let n = state.nodes.len();
        for e in (0..n - 1).filter(|e| self.bends_in(state, *e)) {
            let curvature = self.element_curvature(state, q, data, e);
            let mut g = Vec3::ZERO;
            for i in [e, e + 1] {
                let m = &data.bending.elastic;
                let mut at = Vec3::ZERO;
                if i > 0 && self.bends_in(state, i - 1) {
                    at += (m[i - 1] + m[i] * 2.0) * (data.length[i - 1] / 6.0);
                }
                if i + 1 < n && self.bends_in(state, i) {
                    at += (m[i] * 2.0 + m[i + 1]) * (data.length[i] / 6.0);
                }
                g += at * self.curvature_weight(state, i);
            }
            let moment = curvature.cross(g);
            let (d, l) = (data.course[e].by_b, data.course[e].length);
            data.torsion.force[e] += moment.dot(d);
            let pull = moment.cross(d) / l;
            data.force[e + 1] += pull;
            data.force[e] -= pull;
        }
    }

    /// Wrench of bending and torsion on what holds a clamped end, beside the node's force.
    pub(super) fn clamp_torque(&self, data: &CableData, end: usize) -> Wrench {
        let mut torque = Vec3::ZERO;
        if let (true, Some(t)) = (self.bends, data.bending.clamps[end]) {
            let i = if end == 0 { 0 } else { data.position.len() - 1 };
            let sign = if end == 0 { 1.0 } else { -1.0 };
            torque += t.cross(data.bending.moment[i]) * sign;
        }
        if self.twists {
            torque += data.torsion.on_clamps[end];
        }
        Wrench { force: Vec3::ZERO, torque }
    }
}

/// Directions across are carried from where they were when the step began, and spin a little as the elements turn: what acts on
/// their angles acts on their directions too.
pub(super) fn turn_across(state: &CableState, data: &mut CableData) {
    for (e, element) in state.elements.iter().enumerate() {
        let course = &data.course[e];
        let pull = carried_spin(element.along, course.by_b) * (data.torsion.force[e] / course.length);
        data.force[e + 1] += pull;
        data.force[e] -= pull;
    }
}
