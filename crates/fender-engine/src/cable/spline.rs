//! The centre line between the nodes: a cubic in each element, by the second derivatives at its ends.
//!
//! Where the cable bends it is the spline of its bending energy (`bending`), r″ = m/EI + κ₀. A chain has none: through its nodes goes the natural
//! spline, broken where something is tied to it, hangs on it or guides it, as a chain has kinks there.
//!
//! Curvature is how fast the direction turns per unstretched length, |r′ × r″|/|r′|². The chord of an element that has buckled is shorter than the
//! cable in it: |r′| counts as a half at least, so that a heap of chain does not seem to be infinitely curved.

use super::evaluate::CableData;
use super::state::NONE;
use super::{Cable, CableState};
use fender_math::Vec3;

/// Arc lengths and second derivatives of a cable's centre line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spline {
    /// Unstretched arc length of each node, from the start [m].
    pub(crate) arc: Vec<f64>,
    /// Second derivative by arc length at both ends of each element [1/m].
    pub(crate) second: Vec<[Vec3; 2]>,
    /// Scratch: pivots and right-hand sides at nodes.
    pivot: Vec<f64>,
    right: Vec<Vec3>,
}

impl Spline {
    /// Lays it along a cable whose bending moments are up to date.
    pub(crate) fn lay(&mut self, cable: &Cable, own: &CableState, data: &CableData) {
        self.arc.clear();
        let mut s = 0.0;
        self.arc.push(s);
        for length in &data.length {
            s += length;
            self.arc.push(s);
        }
        let count = own.elements.len();
        self.second.clear();
        self.second.resize(count, [Vec3::ZERO; 2]);
        let mut first = 0;
        while first < count {
            if own.elements[first].guide != NONE {
                first += 1;
                continue;
            }
            if cable.bends_in(own, first) {
                let stiffness = cable.lines[own.elements[first].line as usize].bending;
                let bending = &data.bending;
                self.second[first] = [first, first + 1].map(|i| {
                    bending.elastic[i] / stiffness + bending.initial.get(i).copied().unwrap_or(Vec3::ZERO)
                });
                first += 1;
                continue;
            }
            let smooth = |node: usize| !data.held[node] && own.nodes[node].lump == NONE;
            let plain = |e: usize| own.elements[e].guide == NONE && !cable.bends_in(own, e);
            let mut end = first + 1;
            while end < count && plain(end) && smooth(end) {
                end += 1;
            }
            self.chain(first, end, data);
            first = end;
        }
    }

    /// The natural spline through the nodes from `first` to `end`.
    fn chain(&mut self, first: usize, end: usize, data: &CableData) {
        let slope = |e: usize| (data.position[e + 1] - data.position[e]) / data.length[e];
        self.pivot.clear();
        self.right.clear();
        for i in first + 1..end {
            let (before, after) = (data.length[i - 1], data.length[i]);
            let mut pivot = (before + after) / 3.0;
            let mut right = slope(i) - slope(i - 1);
            if let (Some(p), Some(r)) = (self.pivot.last(), self.right.last()) {
                let factor = before / 6.0 / p;
                pivot -= factor * before / 6.0;
                right -= *r * factor;
            }
            self.pivot.push(pivot);
            self.right.push(right);
        }
        let mut next = Vec3::ZERO;
        for i in (first + 1..end).rev() {
            let k = i - first - 1;
            let here = (self.right[k] - next * (data.length[i] / 6.0)) / self.pivot[k];
            self.second[i][0] = here;
            self.second[i - 1][1] = here;
            next = here;
        }
    }

    /// Place in an element [m], at a part of it from 0 to 1.
    pub(crate) fn place(&self, data: &CableData, e: usize, part: f64) -> Vec3 {
        let (a, b) = (1.0 - part, part);
        let [first, second] = self.second[e];
        let sixth = data.length[e] * data.length[e] / 6.0;
        data.position[e] * a
            + data.position[e + 1] * b
            + first * ((a * a * a - a) * sixth)
            + second * ((b * b * b - b) * sixth)
    }

    /// Derivative by arc length there.
    pub(crate) fn slope(&self, data: &CableData, e: usize, part: f64) -> Vec3 {
        let (a, b) = (1.0 - part, part);
        let ([first, second], l) = (self.second[e], data.length[e]);
        (data.position[e + 1] - data.position[e]) / l + first * ((1.0 - 3.0 * a * a) * l / 6.0)
            - second * ((1.0 - 3.0 * b * b) * l / 6.0)
    }

    /// Curvature there [1/m].
    pub(crate) fn curvature(&self, data: &CableData, e: usize, part: f64) -> f64 {
        let [first, second] = self.second[e];
        let slope = self.slope(data, e, part);
        slope.cross(first * (1.0 - part) + second * part).length() / slope.length_squared().max(0.25)
    }
}
