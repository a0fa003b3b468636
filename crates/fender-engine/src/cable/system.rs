//! The linear system of an implicit step for a cable: S = m·M + c·C + k·K, block-tridiagonal, solved node by node.
//!
//! Unknowns of a node are its place and, if the cable bends, the moment there, which keeps the system banded (see
//! `bending`). Nodes that are held follow the bodies that hold them: a *port* is a place, a direction, a turn or a guide through which a body
//! that can move and the cable feel each other. For each the answer of the whole cable to a unit motion is found once; the bodies' own
//! system then contains the cable as a stiffness between its ports, and what the bodies do comes back to the nodes. So bodies and
//! cable are solved together, at the cost of a few more solutions of the chain.
//!
//! Left out, and made good by Newton's iteration, whose residual is exact: changes of torque with direction, of drag with what is wet, of initial
//! curvature, and of the shares at guides.

use super::evaluate::CableData;
use super::loads::slant;
use super::place::moved;
use super::state::NONE;
use super::{Cable, CableState, Guide};
use crate::data::BodyKinematics;
use crate::tangent::{Weights, outer};
use crate::{BodyId, Model, State};
use fender_math::{BlockTridiagonal, Mat3, Vec3};

/// What a body and a cable feel each other through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PortKind {
    /// The place of a node.
    Place(usize),
    /// The direction of a clamped end.
    Direction(usize),
    /// The turn of a clamped end about its direction.
    Turn(usize),
    /// The place of a guide that an element goes through.
    Guide(usize),
}

/// A port.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub(crate) kind: PortKind,
    pub(crate) body: BodyId,
    /// Where it is on the body, in the world [m].
    pub(crate) at: Vec3,
    /// Direction of a clamp.
    pub(crate) along: Vec3,
}

impl Port {
    /// How many numbers its motion has.
    fn width(&self) -> usize {
        if matches!(self.kind, PortKind::Turn(_)) { 1 } else { 3 }
    }

    /// Its motion when its body's point moves and the body turns.
    pub(crate) fn motion(&self, linear: Vec3, angular: Vec3) -> Vec3 {
        match self.kind {
            PortKind::Place(_) | PortKind::Guide(_) => linear,
            PortKind::Direction(_) => angular.cross(self.along),
            PortKind::Turn(_) => Vec3::new(angular.dot(self.along), 0.0, 0.0),
        }
    }
}

/// Stiffness of an element between its nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Bond {
    aa: Mat3,
    ab: Mat3,
    ba: Mat3,
    bb: Mat3,
}

/// The system with unknowns of N numbers per node.
#[derive(Clone, Debug, Default)]
struct Chain<const N: usize> {
    matrix: BlockTridiagonal<N>,
    x: Vec<[f64; N]>,
    /// Answer of the chain to each component of each port's motion.
    answers: Vec<Vec<[f64; N]>>,
}

/// Scratch of a cable's system.
#[derive(Clone, Debug, Default)]
pub(crate) struct CableSystem {
    bare: Chain<3>,
    bent: Chain<6>,
    twist: Chain<1>,
    bonds: Vec<Bond>,
    /// How a node's force and inertia change with the direction there, and how an element's direction does with its nodes; none
    /// without a fluid.
    lean: Vec<Mat3>,
    turn: Vec<Mat3>,
    /// m·M + load slopes per node, and M itself.
    own: Vec<Mat3>,
    mass: Vec<Mat3>,
    /// Inertia of each element about its axis.
    inertia: Vec<f64>,
    /// (k + τ c)/L of each element's bending.
    slopes: Vec<f64>,
    /// k·stiffness + c·damping of the twist at each node.
    turning: Vec<f64>,
    held: Vec<bool>,
    pub(crate) ports: Vec<Port>,
    /// For each pair of ports: minus the force on the first by a unit motion of the second.
    pub(crate) between: Vec<Mat3>,
    /// What the chain's own residual puts on each port.
    pub(crate) forced: Vec<Vec3>,
}

impl CableSystem {
    /// Writes and factors the system for the state that `data` was evaluated for; `false` if it cannot be solved.
    pub(crate) fn write(
        &mut self,
        cable: &Cable,
        model: &Model,
        state: &State,
        index: usize,
        (data, bodies): (&CableData, &[BodyKinematics]),
        weights: Weights,
    ) -> bool {
        let own = &state.cables[index];
        self.find_ports(cable, own, model, state, data, bodies);
        self.fill(cable, own, data, weights)
    }

    /// The same with everything that holds the cable at rest.
    pub(crate) fn write_held(
        &mut self,
        cable: &Cable,
        own: &CableState,
        data: &CableData,
        weights: Weights,
    ) -> bool {
        self.ports.clear();
        self.fill(cable, own, data, weights)
    }

    fn fill(&mut self, cable: &Cable, own: &CableState, data: &CableData, weights: Weights) -> bool {
        self.stiffnesses(cable, own, data, weights);
        if cable.bends {
            self.fill_bent(cable, own, data);
            if !self.bent.matrix.factor() {
                return false;
            }
        } else {
            self.fill_bare();
            if !self.bare.matrix.factor() {
                return false;
            }
        }
        if cable.twists {
            self.fill_twist(own, weights);
            if !self.twist.matrix.factor() {
                return false;
            }
        }
        self.answer_ports(cable, own, data);
        true
    }

    fn find_ports(
        &mut self,
        cable: &Cable,
        own: &CableState,
        model: &Model,
        state: &State,
        data: &CableData,
        bodies: &[BodyKinematics],
    ) {
        self.ports.clear();
        let yields = |body: Option<BodyId>| {
            body.filter(|b| model.bodies[b.index()].yields() && !state.activity.is_idle(*b))
        };
        for i in 0..own.nodes.len() {
            let Some(tie) = own.holds(i) else { continue };
            let Some(body) = yields(cable.ties[tie].1.point.body) else { continue };
            let at = data.position[i];
            self.ports.push(Port { kind: PortKind::Place(i), body, at, along: Vec3::ZERO });
            if tie < 2 && cable.ties[tie].1.clamp.is_some() {
                let (true, Some(along)) = (cable.bends, data.bending.clamps[tie]) else { continue };
                let node = if tie == 0 { 0 } else { own.nodes.len() - 1 };
                if !data.bending.natural[node] {
                    self.ports.push(Port { kind: PortKind::Direction(tie), body, at, along });
                }
                if cable.twists && data.torsion.stiffness[node] > 0.0 {
                    self.ports.push(Port { kind: PortKind::Turn(tie), body, at, along });
                }
            }
        }
        for (e, element) in own.elements.iter().enumerate().filter(|(_, e)| e.guide != NONE) {
            let guide = &cable.guides[element.guide as usize].1;
            if let Some(body) = yields(guide.body()) {
                let (Guide::Ring(point) | Guide::Sheave { center: point, .. }) = guide;
                let at = moved(point, point.at, bodies).0;
                self.ports.push(Port { kind: PortKind::Guide(e), body, at, along: Vec3::ZERO });
            }
        }
    }

    fn stiffnesses(&mut self, cable: &Cable, own: &CableState, data: &CableData, weights: Weights) {
        let n = own.nodes.len();
        self.held.clone_from(&data.held);
        self.bonds.clear();
        self.slopes.clear();
        self.inertia.clear();
        let Weights { mass, damping, stiffness } = weights;
        for (e, element) in own.elements.iter().enumerate() {
            let (course, stretch) = (&data.course[e], &data.stretch[e]);
            let (ga, gb) = (course.by_a, course.by_b);
            let ratio = |side: f64| stiffness * stretch.tension / side.max(1e-3 * data.length[e]);
            let straight = element.guide == NONE
                || course.around.is_none()
                    && matches!(cable.guides[element.guide as usize].1, Guide::Sheave { .. });
            self.bonds.push(if straight {
                // T/l across, dT/dl along; also off a wheel that it does not touch.
                let ratio = ratio(course.length);
                let rest = stretch.toward * (stiffness * stretch.by_length - ratio)
                    + gb * (damping * stretch.by_speed);
                let bond = Mat3::from_diagonal(Vec3::splat(ratio)) + outer(gb, rest);
                Bond { aa: bond, ab: -bond, ba: -bond, bb: bond }
            } else {
                let axial = stiffness * stretch.by_length + damping * stretch.by_speed;
                let across = |g: Vec3, side: f64| (Mat3::IDENTITY - outer(g, g)) * ratio(side);
                // It turns about where it leaves the guide.
                Bond {
                    aa: across(ga, course.free[0]) + outer(ga, ga) * axial,
                    ab: outer(ga, gb) * axial,
                    ba: outer(gb, ga) * axial,
                    bb: across(gb, course.free[1]) + outer(gb, gb) * axial,
                }
            });
            let line = &cable.lines[element.line as usize];
            let tau = if line.bending > 0.0 { line.bending_damping / line.bending } else { 0.0 };
            self.slopes.push((stiffness + tau * damping) / data.length[e]);
            self.inertia.push(line.inertia * data.length[e]);
        }
        self.leaning(own, data, stiffness);
        self.own.clear();
        self.mass.clear();
        self.turning.clear();
        for i in 0..n {
            let (t, fluid) = (data.tangent[i], &data.fluid[i]);
            let along = outer(t, t);
            let m =
                Mat3::IDENTITY * (data.loads[i].mass + fluid.across) + along * (fluid.along - fluid.across);
            // What a held node's mass is worth is in the mass matrix of its body.
            let inert = if data.held[i] { Mat3::ZERO } else { m * mass };
            self.own.push(inert - data.by_velocity[i] * damping - data.by_place[i] * stiffness);
            self.mass.push(m);
            if cable.twists {
                let torsion = &data.torsion;
                self.turning.push(stiffness * torsion.stiffness[i] + damping * torsion.damping[i]);
            }
        }
    }

    /// Directions of nodes are the means of the elements' beside them.
    fn leaning(&mut self, own: &CableState, data: &CableData, stiffness: f64) {
        self.lean.clear();
        self.turn.clear();
        let still = |i: &Mat3| *i == Mat3::ZERO;
        if data.by_direction.iter().all(still) && data.fluid.iter().all(|f| f.across == f.along) {
            return;
        }
        for (element, course) in own.elements.iter().zip(&data.course) {
            let d = course.by_b;
            let across = (Mat3::IDENTITY - outer(d, d)) / course.length.max(1e-12);
            self.turn.push(if element.guide == NONE { across } else { Mat3::ZERO });
        }
        for i in 0..own.nodes.len() {
            let t = data.tangent[i];
            let before = if i > 0 { data.course[i - 1].by_b } else { Vec3::ZERO };
            let after = data.course.get(i).map_or(Vec3::ZERO, |c| -c.by_a);
            let size = (before + after).length().max(1e-6);
            let fluid = &data.fluid[i];
            let change = data.by_direction[i] - slant(t, data.acceleration[i]) * (fluid.along - fluid.across);
            self.lean.push(change * (Mat3::IDENTITY - outer(t, t)) * (stiffness / size));
        }
    }

    /// Block row of a node's place in the chain, as if it were free: before, at, after.
    fn row(&self, i: usize) -> [Mat3; 3] {
        let n = self.own.len();
        let mut row = [Mat3::ZERO, self.own[i], Mat3::ZERO];
        if i > 0 {
            row[1] += self.bonds[i - 1].bb;
            row[0] = self.bonds[i - 1].ba;
        }
        if i + 1 < n {
            row[1] += self.bonds[i].aa;
            row[2] = self.bonds[i].ab;
        }
        if let Some(lean) = self.lean.get(i) {
            if i > 0 {
                let change = *lean * self.turn[i - 1];
                row[0] += change;
                row[1] -= change;
            }
            if i + 1 < n {
                let change = *lean * self.turn[i];
                row[1] += change;
                row[2] -= change;
            }
        }
        row
    }

    fn fill_bare(&mut self) {
        let n = self.own.len();
        let mut matrix = std::mem::take(&mut self.bare.matrix);
        matrix.reset(n);
        for i in 0..n {
            let row = if self.held[i] { [Mat3::ZERO, Mat3::IDENTITY, Mat3::ZERO] } else { self.row(i) };
            for (part, block) in
                [&mut matrix.lower[i], &mut matrix.diagonal[i], &mut matrix.upper[i]].into_iter().zip(row)
            {
                put(part, &block);
            }
        }
        self.bare.matrix = matrix;
    }

    fn fill_bent(&mut self, cable: &Cable, own: &CableState, data: &CableData) {
        let n = self.own.len();
        let mut matrix = std::mem::take(&mut self.bent.matrix);
        matrix.reset(n);
        let bending = &data.bending;
        for i in 0..n {
            let row = if self.held[i] { [Mat3::ZERO, Mat3::IDENTITY, Mat3::ZERO] } else { self.row(i) };
            put(&mut matrix.lower[i], &row[0]);
            put(&mut matrix.diagonal[i], &row[1]);
            put(&mut matrix.upper[i], &row[2]);
            for k in 3..6 {
                matrix.diagonal[i][k][k] = bending.diagonal[i];
            }
        }
        for e in (0..n - 1).filter(|e| cable.bends_in(own, *e)) {
            let (l, slope) = (data.length[e], self.slopes[e]);
            let (first, second) = (!bending.natural[e], !bending.natural[e + 1]);
            for k in 0..3 {
                // Moments: A y − D x = 0.
                if first {
                    matrix.diagonal[e][3 + k][k] += slope;
                    matrix.upper[e][3 + k][k] -= slope;
                }
                if second {
                    matrix.diagonal[e + 1][3 + k][k] += slope;
                    matrix.lower[e + 1][3 + k][k] -= slope;
                }
                if first && second {
                    matrix.upper[e][3 + k][3 + k] = bending.upper[e];
                    matrix.lower[e + 1][3 + k][3 + k] = bending.upper[e];
                }
                // Forces: + Dᵀ y.
                if !self.held[e] {
                    matrix.diagonal[e][k][3 + k] -= 1.0 / l;
                    matrix.upper[e][k][3 + k] += 1.0 / l;
                }
                if !self.held[e + 1] {
                    matrix.lower[e + 1][k][3 + k] += 1.0 / l;
                    matrix.diagonal[e + 1][k][3 + k] -= 1.0 / l;
                }
            }
        }
        self.bent.matrix = matrix;
    }

    fn fill_twist(&mut self, own: &CableState, weights: Weights) {
        let n = own.elements.len();
        let matrix = &mut self.twist.matrix;
        matrix.reset(n);
        for e in 0..n {
            let inertia = self.inertia[e];
            matrix.diagonal[e][0][0] = if inertia > 0.0 { weights.mass * inertia } else { 1.0 };
            matrix.diagonal[e][0][0] += self.turning[e] + self.turning[e + 1];
            if e > 0 && self.turning[e] > 0.0 {
                matrix.lower[e][0][0] = -self.turning[e];
                matrix.upper[e - 1][0][0] = -self.turning[e];
            }
            if matrix.diagonal[e][0][0] == 0.0 {
                matrix.diagonal[e][0][0] = 1.0;
            }
        }
    }

    /// Motion of all unknowns when one port moves by a unit and nothing else is done.
    fn answer_ports(&mut self, cable: &Cable, own: &CableState, data: &CableData) {
        let count: usize = self.ports.iter().map(Port::width).sum();
        self.bare.answers.resize(count, Vec::new());
        self.bent.answers.resize(count, Vec::new());
        self.twist.answers.resize(count, Vec::new());
        let mut column = 0;
        for p in 0..self.ports.len() {
            for k in 0..self.ports[p].width() {
                self.answer(cable, own, data, p, k, column);
                column += 1;
            }
        }
        let n = self.ports.len();
        self.between.clear();
        for i in 0..n {
            let mut column = 0;
            for j in 0..n {
                let mut block = Mat3::ZERO;
                for k in 0..self.ports[j].width() {
                    *block.col_mut(k) = self
                        .resistance(cable, own, data, i, |s, node| s.answered(cable, column, node))
                        + self.direct(i, j, k);
                    column += 1;
                }
                self.between.push(block);
            }
        }
    }

    fn answer(
        &mut self,
        cable: &Cable,
        own: &CableState,
        data: &CableData,
        port: usize,
        k: usize,
        column: usize,
    ) {
        let n = own.nodes.len();
        let unit = Vec3::AXES[k];
        let (bare, bent) = (&mut self.bare.answers[column], &mut self.bent.answers[column]);
        let turns = &mut self.twist.answers[column];
        bare.clear();
        bent.clear();
        turns.clear();
        if cable.bends {
            bent.resize(n, [0.0; 6]);
        } else {
            bare.resize(n, [0.0; 3]);
        }
        turns.resize(if cable.twists { own.elements.len() } else { 0 }, [0.0]);
        let mut place = |i: usize, to: Vec3| {
            if cable.bends {
                bent[i][..3].copy_from_slice(&to.to_array());
            } else {
                bare[i] = to.to_array();
            }
        };
        match self.ports[port].kind {
            PortKind::Place(i) => place(i, unit),
            PortKind::Direction(end) => {
                let (i, e, sign) = if end == 0 { (0, 0, -1.0) } else { (n - 1, n - 2, 1.0) };
                bent[i][3..].copy_from_slice(&(unit * (sign * self.slopes[e] * data.length[e])).to_array());
            }
            PortKind::Turn(end) => {
                let (e, node) = if end == 0 { (0, 0) } else { (n - 2, n - 1) };
                turns[e] = [self.turning[node]];
            }
            PortKind::Guide(e) => {
                let Bond { aa, ab, ba, bb } = self.bonds[e];
                if !self.held[e] {
                    place(e, (aa + ab) * unit);
                }
                if !self.held[e + 1] {
                    place(e + 1, (ba + bb) * unit);
                }
            }
        }
        if cable.bends {
            self.bent.matrix.solve(bent);
        } else {
            self.bare.matrix.solve(bare);
        }
        if cable.twists {
            self.twist.matrix.solve(turns);
        }
    }

    /// What an answer says of a node: its place's and its moment's motion, and the turn of the element after it.
    fn answered(&self, cable: &Cable, column: usize, node: usize) -> (Vec3, Vec3, f64) {
        let turn = self.twist.answers[column].get(node).map_or(0.0, |x| x[0]);
        if cable.bends {
            let x = &self.bent.answers[column][node];
            (Vec3::from_slice(&x[..3]), Vec3::from_slice(&x[3..]), turn)
        } else {
            (Vec3::from_array(self.bare.answers[column][node]), Vec3::ZERO, turn)
        }
    }

    /// Minus the force on a port when the nodes move as told.
    fn resistance(
        &self,
        cable: &Cable,
        own: &CableState,
        data: &CableData,
        port: usize,
        moves: impl Fn(&Self, usize) -> (Vec3, Vec3, f64),
    ) -> Vec3 {
        let n = own.nodes.len();
        match self.ports[port].kind {
            PortKind::Place(i) => {
                let row = self.row(i);
                let (here, moment, _) = moves(self, i);
                let mut sum = row[1] * here;
                if i > 0 {
                    let (place, other, _) = moves(self, i - 1);
                    sum += row[0] * place;
                    if cable.bends && cable.bends_in(own, i - 1) {
                        sum += (other - moment) / data.length[i - 1];
                    }
                }
                if i + 1 < n {
                    let (place, other, _) = moves(self, i + 1);
                    sum += row[2] * place;
                    if cable.bends && cable.bends_in(own, i) {
                        sum += (other - moment) / data.length[i];
                    }
                }
                sum
            }
            PortKind::Direction(end) => {
                let (i, sign) = if end == 0 { (0, -1.0) } else { (n - 1, 1.0) };
                moves(self, i).1 * sign
            }
            PortKind::Turn(end) => {
                let (e, node) = if end == 0 { (0, 0) } else { (n - 2, n - 1) };
                Vec3::new(-self.turning[node] * moves(self, e).2, 0.0, 0.0)
            }
            PortKind::Guide(e) => {
                let Bond { aa, ab, ba, bb } = self.bonds[e];
                -(aa + ba) * moves(self, e).0 - (ab + bb) * moves(self, e + 1).0
            }
        }
    }

    /// The part of a port's resistance to its own motion that does not go through the nodes.
    fn direct(&self, i: usize, j: usize, k: usize) -> Vec3 {
        if i != j {
            return Vec3::ZERO;
        }
        match self.ports[i].kind {
            PortKind::Turn(end) => {
                let node = if end == 0 { 0 } else { self.turning.len() - 1 };
                Vec3::new(self.turning[node], 0.0, 0.0)
            }
            PortKind::Guide(e) => {
                let Bond { aa, ab, ba, bb } = self.bonds[e];
                (aa + ab + ba + bb) * Vec3::AXES[k]
            }
            _ => Vec3::ZERO,
        }
    }

    /// x ← M·x for the cable's own velocities.
    pub(crate) fn times_mass(&self, cable: &Cable, x: &mut [f64]) {
        for (i, mass) in self.mass.iter().enumerate() {
            let place = 3 * i..3 * i + 3;
            let y = if self.held[i] { Vec3::ZERO } else { *mass * Vec3::from_slice(&x[place.clone()]) };
            x[place].copy_from_slice(&y.to_array());
        }
        if cable.twists {
            for (e, inertia) in self.inertia.iter().enumerate() {
                x[cable.angle(e)] *= inertia;
            }
        }
    }

    /// Solves for the cable's own right-hand side with all ports at rest; what that puts on the ports is in `forced`.
    pub(crate) fn solve_own(&mut self, cable: &Cable, own: &CableState, data: &CableData, x: &[f64]) {
        let n = own.nodes.len();
        let place = |i: usize, held: &[bool]| {
            if held[i] { [0.0; 3] } else { [x[3 * i], x[3 * i + 1], x[3 * i + 2]] }
        };
        if cable.bends {
            self.bent.x.clear();
            for i in 0..n {
                let [a, b, c] = place(i, &self.held);
                self.bent.x.push([a, b, c, 0.0, 0.0, 0.0]);
            }
            self.bent.matrix.solve(&mut self.bent.x);
        } else {
            self.bare.x.clear();
            for i in 0..n {
                self.bare.x.push(place(i, &self.held));
            }
            self.bare.matrix.solve(&mut self.bare.x);
        }
        if cable.twists {
            self.twist.x.clear();
            self.twist.x.extend((0..own.elements.len()).map(|e| [x[cable.angle(e)]]));
            self.twist.matrix.solve(&mut self.twist.x);
        }
        let mut forced = std::mem::take(&mut self.forced);
        forced.clear();
        for port in 0..self.ports.len() {
            forced.push(self.resistance(cable, own, data, port, |s, i| s.solved(cable, i)));
        }
        self.forced = forced;
    }

    fn solved(&self, cable: &Cable, i: usize) -> (Vec3, Vec3, f64) {
        let turn = if cable.twists { self.twist.x.get(i).map_or(0.0, |x| x[0]) } else { 0.0 };
        if cable.bends {
            let x = &self.bent.x[i];
            (Vec3::from_slice(&x[..3]), Vec3::from_slice(&x[3..]), turn)
        } else {
            (Vec3::from_array(self.bare.x[i]), Vec3::ZERO, turn)
        }
    }

    /// Writes the solution when the ports move as given.
    pub(crate) fn finish(&self, cable: &Cable, own: &CableState, motions: &[Vec3], x: &mut [f64]) {
        x.fill(0.0);
        for i in 0..own.nodes.len() {
            if !self.held[i] {
                x[3 * i..3 * i + 3].copy_from_slice(&self.solved(cable, i).0.to_array());
            }
        }
        for e in 0..own.elements.len() {
            if cable.twists {
                x[cable.angle(e)] = self.twist.x[e][0];
            }
        }
        let mut column = 0;
        for (port, motion) in self.ports.iter().zip(motions) {
            for k in 0..port.width() {
                let amount = motion[k];
                for i in (0..own.nodes.len()).filter(|_| amount != 0.0) {
                    let (place, _, turn) = self.answered(cable, column, i);
                    if !self.held[i] {
                        x[3 * i] += place.x * amount;
                        x[3 * i + 1] += place.y * amount;
                        x[3 * i + 2] += place.z * amount;
                    }
                    if cable.twists && i < own.elements.len() {
                        x[cable.angle(i)] += turn * amount;
                    }
                }
                column += 1;
            }
        }
    }
}

/// What a cable does to a port: force on its place [N] or its direction [N·m], torque of its turn [N·m].
pub(crate) fn force_on(data: &CableData, port: &Port) -> Vec3 {
    match port.kind {
        PortKind::Place(i) => data.force[i],
        PortKind::Guide(e) => {
            let course = &data.course[e];
            (course.by_a + course.by_b) * data.stretch[e].tension
        }
        PortKind::Direction(0) => data.bending.moment[0],
        PortKind::Direction(_) => -data.bending.moment[data.bending.moment.len() - 1],
        PortKind::Turn(end) => data.torsion.on_clamps[end],
    }
}

fn put<const N: usize>(to: &mut [[f64; N]; N], block: &Mat3) {
    for (r, row) in to.iter_mut().take(3).enumerate() {
        for (c, x) in row.iter_mut().take(3).enumerate() {
            *x = block.col(c)[r];
        }
    }
}
