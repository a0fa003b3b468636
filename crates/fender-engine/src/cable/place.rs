//! Where the nodes are, how long the elements should be, and what mass goes with which node.

use super::evaluate::{CableData, NodeLoad};
use super::state::NONE;
use super::{Cable, CableState, Guide, Point, guide};
use crate::data::BodyKinematics;
use fender_math::Vec3;

/// Place and velocity of a point of a body.
#[inline]
pub(crate) fn moved(point: &Point, at: Vec3, bodies: &[BodyKinematics]) -> (Vec3, Vec3) {
    match point.body {
        None => (at, Vec3::ZERO),
        Some(body) => {
            let body = &bodies[body.index()];
            let place = body.pose.transform_point(at);
            (place, body.velocity_at(place))
        }
    }
}

/// A direction fixed in a body, in the world, and how fast it turns.
pub(super) fn turned(point: &Point, direction: Vec3, bodies: &[BodyKinematics]) -> (Vec3, Vec3) {
    match point.body {
        None => (direction, Vec3::ZERO),
        Some(body) => {
            let body = &bodies[body.index()];
            let d = body.pose.rotation * direction;
            (d, body.twist.angular.cross(d))
        }
    }
}

impl Cable {
    /// Places, velocities, unstretched lengths.
    pub(super) fn place(
        &self,
        state: &CableState,
        time: f64,
        (q, v): (&[f64], &[f64]),
        bodies: &[BodyKinematics],
        data: &mut CableData,
    ) {
        let n = state.nodes.len();
        data.position.clear();
        data.velocity.clear();
        data.held.clear();
        for i in 0..n {
            let (place, velocity) = match state.holds(i) {
                Some(tie) => moved(&self.ties[tie].1.point, state.ties[tie].at, bodies),
                None => (Vec3::from_slice(&q[3 * i..]), Vec3::from_slice(&v[3 * i..])),
            };
            data.held.push(state.holds(i).is_some());
            data.position.push(place);
            data.velocity.push(velocity);
        }
        data.length.clear();
        data.length.extend(state.elements.iter().map(|e| e.length));
        let (speed, paid) = self.paid(state, time);
        data.speed = speed;
        if let Some(end) = self.paying(state) {
            data.length[end] += paid;
        }
    }

    /// The element that payout lengthens.
    pub(crate) fn paying(&self, state: &CableState) -> Option<usize> {
        let payout = self.payout.as_ref()?;
        Some(if payout.end == 0 { 0 } else { state.elements.len() - 1 })
    }

    /// Where a cable is in the middle of a guide: a ring, or the middle of what lies on a wheel.
    pub(super) fn middle_of_guide(&self, bodies: &[BodyKinematics], guide: u32, nodes: [Vec3; 2]) -> Vec3 {
        match &self.guides[guide as usize].1 {
            Guide::Ring(point) => moved(point, point.at, bodies).0,
            Guide::Sheave { center, axis, radius } => {
                let (c, _) = moved(center, center.at, bodies);
                let (n, _) = turned(center, *axis, bodies);
                guide::rim(nodes, c, n, *radius, 3).nth(1).unwrap_or(c)
            }
        }
    }

    /// Course of each element.
    pub(super) fn courses(&self, state: &CableState, bodies: &[BodyKinematics], data: &mut CableData) {
        data.course.clear();
        data.lengthening.clear();
        for (e, element) in state.elements.iter().enumerate() {
            let (a, b) = (data.position[e], data.position[e + 1]);
            let (mut va, mut vb) = (data.velocity[e], data.velocity[e + 1]);
            let course = if element.guide == NONE {
                guide::straight(a, b)
            } else {
                let guide = &self.guides[element.guide as usize].1;
                if let Some(body) = guide.body() {
                    // The length depends on places relative to the guide alone.
                    let body = &bodies[body.index()];
                    (va, vb) = (va - body.velocity_at(a), vb - body.velocity_at(b));
                }
                match guide {
                    Guide::Ring(point) => guide::ring(a, b, moved(point, point.at, bodies).0),
                    Guide::Sheave { center, axis, radius } => {
                        let (c, _) = moved(center, center.at, bodies);
                        let (n, _) = turned(center, *axis, bodies);
                        guide::sheave(a, b, c, n, *radius)
                    }
                }
            };
            data.lengthening.push(course.by_a.dot(va) + course.by_b.dot(vb));
            data.course.push(course);
        }
    }

    /// What of the cable's mass, volume and surface is at each node: half of each element beside it; of an element through a guide
    /// what is on its side.
    pub(super) fn shares(&self, state: &CableState, data: &mut CableData) {
        let n = state.nodes.len();
        data.loads.clear();
        data.loads.resize(n, NodeLoad::default());
        for (e, element) in state.elements.iter().enumerate() {
            let line = &self.lines[element.line as usize];
            let part = if element.guide == NONE {
                0.5
            } else {
                let [a, b] = data.course[e].sides;
                a / (a + b)
            };
            let length = data.length[e];
            data.loads[e].add(line, part * length);
            data.loads[e + 1].add(line, (1.0 - part) * length);
        }
        for (node, load) in state.nodes.iter().zip(&mut data.loads) {
            if node.lump != NONE {
                let lump = &self.lumps[node.lump as usize];
                load.mass += lump.mass;
                load.volume += lump.volume;
                load.drag += lump.drag_area;
                load.added += lump.added_mass;
            }
        }
        // Directions of the cable at its nodes: the mean of the elements beside.
        data.tangent.clear();
        for i in 0..n {
            let before = if i > 0 { data.course[i - 1].by_b } else { Vec3::ZERO };
            let after = data.course.get(i).map_or(Vec3::ZERO, |c| -c.by_a);
            data.tangent.push((before + after).normalize_or(Vec3::X));
        }
    }
}
