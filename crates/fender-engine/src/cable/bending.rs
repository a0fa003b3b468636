//! Bending: the cable's centre line is a cubic spline with continuous slope, in which the bending moment is linear along each element
//! and continuous.
//!
//! With r″ = m/EI linear in every element, continuity of r′ at node i is
//!
//! L₋/(6EI₋) m_{i−1} + (L₋/(3EI₋) + L₊/(3EI₊)) m_i + L₊/(6EI₊) m_{i+1} = (P_{i+1} − P_i)/L₊ − (P_i − P_{i−1})/L₋,
//!
//! in short A m = D P. The energy ½∫ m²/EI ds is ½ mᵀ A m exactly, so that the forces are −Dᵀ m. Where EI is the same on both
//! sides the spline is twice continuously differentiable. Ends: m = 0 (free or pinned), or the given direction t in place of the
//! missing chord (clamped). Damping adds τ·Ṗ to P, with τ = (bending damping)/EI. Initial curvature κ₀ is taken off: A m = D P − B κ₀,
//! with B as A for EI = 1.

use super::evaluate::{CableData, Powers};
use super::place::turned;
use super::state::NONE;
use super::{Cable, CableState};
use crate::data::BodyKinematics;
use fender_math::Vec3;

/// Scratch of bending.
#[derive(Clone, Debug, Default)]
pub(crate) struct BendingData {
    /// Moment at each node, as EI·r″ (a vector across the cable) [N·m], with damping.
    pub(crate) moment: Vec<Vec3>,
    /// The same without damping.
    pub(super) elastic: Vec<Vec3>,
    /// Diagonal and upper off-diagonal of A [1/(N·m)·m].
    pub(crate) diagonal: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pivot: Vec<f64>,
    /// Nodes whose moment is zero by themselves.
    pub(crate) natural: Vec<bool>,
    /// Initial curvature at each node, in the world [1/m].
    pub(crate) initial: Vec<Vec3>,
    /// Directions of clamped ends.
    pub(crate) clamps: [Option<Vec3>; 2],
}

impl Cable {
    /// Whether an element resists bending.
    #[inline]
    pub(crate) fn bends_in(&self, state: &CableState, element: usize) -> bool {
        state.elements[element].guide == NONE
            && self.lines[state.elements[element].line as usize].bending > 0.0
    }

    /// Directions of clamped ends, in the world, and how fast they turn.
    pub(super) fn clamps(&self, state: &CableState, bodies: &[BodyKinematics]) -> [Option<(Vec3, Vec3)>; 2] {
        [0, 1].map(|end| {
            let tie = &self.ties[end].1;
            let clamp = tie.clamp.filter(|_| state.ties[end].active)?;
            Some(turned(&tie.point, clamp, bodies))
        })
    }

    /// Forces of bending on the nodes, moments at the nodes.
    pub(super) fn bend(
        &self,
        state: &CableState,
        bodies: &[BodyKinematics],
        data: &mut CableData,
        powers: &mut Powers,
    ) {
        let n = state.nodes.len();
        let clamps = self.clamps(state, bodies);
        let CableData { bending, position, velocity, length, .. } = data;
        bending.clamps = clamps.map(|c| c.map(|(t, _)| t));
        bending.moment.clear();
        bending.moment.resize(n, Vec3::ZERO);
        bending.elastic.clear();
        bending.elastic.resize(n, Vec3::ZERO);
        for list in [&mut bending.diagonal, &mut bending.upper] {
            list.clear();
            list.resize(n, 0.0);
        }
        bending.natural.clear();
        bending.natural.resize(n, false);
        let mut damped = false;
        for e in 0..n - 1 {
            if !self.bends_in(state, e) {
                continue;
            }
            let line = &self.lines[state.elements[e].line as usize];
            let (l, tau) = (length[e], line.bending_damping / line.bending);
            damped |= tau > 0.0;
            let slope = (position[e + 1] - position[e]) / l;
            let total = slope + (velocity[e + 1] - velocity[e]) * (tau / l);
            bending.diagonal[e] += l / (3.0 * line.bending);
            bending.diagonal[e + 1] += l / (3.0 * line.bending);
            bending.upper[e] = l / (6.0 * line.bending);
            bending.elastic[e] += slope;
            bending.elastic[e + 1] -= slope;
            bending.moment[e] += total;
            bending.moment[e + 1] -= total;
            if let Some((a, b)) = bending.initial.get(e).zip(bending.initial.get(e + 1)) {
                let (to_a, to_b) = ((*a * 2.0 + *b) * (l / 6.0), (*a + *b * 2.0) * (l / 6.0));
                for m in [&mut bending.elastic, &mut bending.moment] {
                    m[e] -= to_a;
                    m[e + 1] -= to_b;
                }
            }
        }
        for i in 0..n {
            let before = i > 0 && self.bends_in(state, i - 1);
            let after = i + 1 < n && self.bends_in(state, i);
            let end = if i == 0 {
                Some(0)
            } else if i + 1 == n {
                Some(1)
            } else {
                None
            };
            let clamp = end.and_then(|end| clamps[end].map(|c| (end, c)));
            if before && after {
                continue;
            }
            if let (Some((end, (t, rate))), true) = (clamp, before || after) {
                let e = if end == 0 { 0 } else { n - 2 };
                let line = &self.lines[state.elements[e].line as usize];
                let tau = line.bending_damping / line.bending;
                let sign = if end == 0 { -1.0 } else { 1.0 };
                bending.elastic[i] += t * sign;
                bending.moment[i] += (t + rate * tau) * sign;
            } else {
                bending.natural[i] = true;
                bending.diagonal[i] = 1.0;
                (bending.elastic[i], bending.moment[i]) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
        solve(bending, damped);
        if !damped {
            bending.elastic.copy_from_slice(&bending.moment);
        }
        for e in 0..n - 1 {
            if !self.bends_in(state, e) {
                continue;
            }
            let (a, b) = (bending.moment[e], bending.moment[e + 1]);
            let pull = (a - b) / length[e];
            data.force[e] += pull;
            data.force[e + 1] -= pull;
            let (ea, eb) = (bending.elastic[e], bending.elastic[e + 1]);
            let line = &self.lines[state.elements[e].line as usize];
            let square = ea.length_squared() + ea.dot(eb) + eb.length_squared();
            powers.stored += square * length[e] / (6.0 * line.bending);
            if damped {
                let spread = (velocity[e + 1] - velocity[e]) / length[e];
                powers.dissipated += (a - b - (ea - eb)).dot(spread);
            }
            if self.paying(state) == Some(e) {
                let chord = position[e + 1] - position[e];
                let by_length =
                    -(ea - eb).dot(chord) / (length[e] * length[e]) - square / (6.0 * line.bending);
                powers.payout += data.speed * by_length;
            }
        }
        if damped {
            for (end, clamp) in clamps.iter().enumerate() {
                let i = if end == 0 { 0 } else { n - 1 };
                if let (Some((_, rate)), false) = (clamp, bending.natural[i]) {
                    let sign = if end == 0 { -1.0 } else { 1.0 };
                    powers.dissipated += (bending.moment[i] - bending.elastic[i]).dot(*rate) * sign;
                }
            }
        }
    }
}

/// Solves A m = b for both right-hand sides. A falls into pieces where nothing bends.
fn solve(bending: &mut BendingData, both: bool) {
    let BendingData { moment, elastic, diagonal, upper, pivot, natural, .. } = bending;
    let n = moment.len();
    pivot.clear();
    pivot.push(diagonal[0]);
    // A natural end couples with nothing: its row says m = 0, and what it adds to its neighbour's is zero.
    let joined = |i: usize| if natural[i] || natural[i + 1] { 0.0 } else { upper[i] };
    for i in 1..n {
        let factor = joined(i - 1) / pivot[i - 1];
        pivot.push(diagonal[i] - factor * joined(i - 1));
        moment[i] = moment[i] - moment[i - 1] * factor;
        if both {
            elastic[i] = elastic[i] - elastic[i - 1] * factor;
        }
    }
    for i in (0..n).rev() {
        let link = if i + 1 < n { joined(i) } else { 0.0 };
        let next = if i + 1 < n { moment[i + 1] } else { Vec3::ZERO };
        moment[i] = (moment[i] - next * link) / pivot[i];
        if both {
            let next = if i + 1 < n { elastic[i + 1] } else { Vec3::ZERO };
            elastic[i] = (elastic[i] - next * link) / pivot[i];
        }
    }
}
