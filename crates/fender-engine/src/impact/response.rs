//! How bodies answer an impulse at a contact: the collision matrix W = J M⁻¹ Jᵀ, and the jump of all velocities.
//!
//! A free body answers by its mass and inertia, a tree by its articulated inertias in O(n), a tree with loops by the loops'
//! own system of equations, so that what is closed stays closed through the impact. Both bodies may be of one tree.

use super::{Touch, relative};
use crate::data::BodyKinematics;
use crate::tree::{self, Link, Push};
use crate::{BodyId, Data, Model, State};
use fender_contact::impact::Coupling;
use fender_math::{Mat3, Twist, Vec3, Wrench};

/// Scratch, and what has been found out for the present configuration.
#[derive(Debug, Default)]
pub(crate) struct Response {
    push: Push,
    /// Links of the trees without loops, parents first; those with loops are in the model's plan.
    plain: Vec<usize>,
    /// Whether a link's tree has loops.
    looped: Vec<bool>,
    articulated: bool,
    factored: bool,
    /// Jumps of the velocities, in the places of `State::v`.
    jumps: Vec<f64>,
    /// Links that do not take part now.
    idle: Vec<bool>,
    /// Velocities that are put back after unit impulses.
    twists: Vec<Twist>,
    v: Vec<f64>,
}

impl Response {
    /// Begins with a configuration; kinematics must be up to date, and loops are written when they are needed.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, data: &mut Data) {
        (self.articulated, self.factored) = (false, false);
        if self.looped.len() != model.links.len() {
            self.looped.clear();
            self.looped.resize(model.links.len(), false);
            for i in &model.plan.links {
                self.looped[*i] = true;
            }
            self.plain.clear();
            self.plain.extend((0..model.links.len()).filter(|i| !self.looped[*i]));
        }
        self.idle.clear();
        self.idle.resize(model.links.len(), false);
        for link in state.activity.idle.iter().filter_map(|id| model.bodies[id.index()].link) {
            self.idle[link] = true;
        }
        self.jumps.clear();
        self.jumps.resize(model.nv, 0.0);
        if !model.loops.is_empty() {
            data.closures.begin_impulses(model, state, &data.bodies);
        }
    }

    /// The link of a body that gives way.
    fn link(&self, model: &Model, body: BodyId) -> Option<usize> {
        model.bodies[body.index()].link.filter(|link| !self.idle[*link])
    }

    /// Velocity per impulse at a contact, in its axes (the columns of `axes`) [1/kg].
    pub(crate) fn matrix(
        &mut self,
        model: &Model,
        data: &mut Data,
        bodies: (BodyId, BodyId),
        point: Vec3,
        axes: &Mat3,
    ) -> Mat3 {
        let sides = self.sides(model, data, bodies, point, axes);
        let mut w = Mat3::ZERO;
        for body in [bodies.0, bodies.1].into_iter().filter(|body| model.bodies[body.index()].link.is_none())
        {
            let k = &data.bodies[body.index()];
            let arm = point - k.center;
            let column = |axis: Vec3| {
                let jump = free_answer(k, arm, axis);
                axes.transpose() * jump.at(arm)
            };
            w += Mat3::from_cols(column(axes.x_axis), column(axes.y_axis), column(axes.z_axis));
        }
        let plain = sides.into_iter().flatten().filter(|(link, _)| !self.looped[*link]);
        if plain.clone().next().is_some() {
            if !self.articulated {
                tree::articulate(&model.links, &self.plain, &mut data.links);
                self.articulated = true;
            }
            w += self.push.press(&model.links, &data.links, plain);
        }
        let looped = sides.into_iter().flatten().filter(|(link, _)| self.looped[*link]);
        if looped.clone().next().is_some() {
            if !self.factored {
                data.closures.factor_impulses(model, &data.bodies, &data.links);
                self.factored = true;
            }
            let Data { closures, bodies, links, .. } = data;
            let mut column = |k: usize| {
                let impulses = looped.clone().map(|(link, on)| (link, on[k]));
                closures.impulse(model, bodies, links, impulses, &mut self.jumps);
                self.push.follow(&model.links, &model.plan.links, bodies, links, &self.jumps);
                let mut sum = Vec3::ZERO;
                for (link, on) in looped.clone() {
                    let motion = self.push.motion(link);
                    sum += Vec3::from_array(on.map(|w| w.power(&motion)));
                }
                sum
            };
            w += Mat3::from_cols(column(0), column(1), column(2));
        }
        // Symmetric but for rounding.
        (w + w.transpose()) * 0.5
    }

    /// Velocities at contacts per impulses at contacts, where they are not zero [1/kg]; those of a contact by itself are known.
    pub(crate) fn couple(
        &mut self,
        model: &Model,
        state: &mut State,
        data: &mut Data,
        contacts: &[Touch],
        out: &mut Vec<Coupling>,
    ) {
        // From rest a unit impulse gives the velocities themselves, without the rounding of a difference.
        self.v.clone_from(&state.v);
        self.twists.clear();
        self.twists.extend(data.bodies.iter().map(|k| k.twist));
        out.clear();
        for (by, contact) in contacts.iter().enumerate() {
            out.push(Coupling { at: by, by, w: contact.w });
            self.matrix(model, data, contact.bodies, contact.point, &contact.axes);
            let first = out.len();
            for (k, unit) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                for k in &mut data.bodies {
                    k.twist = Twist::default();
                }
                self.apply(model, state, data, contact.bodies, contact.point, (&contact.axes, unit));
                for (at, other) in contacts.iter().enumerate().filter(|(at, _)| *at != by) {
                    let column = other.axes.transpose() * relative(data, other.bodies, other.point);
                    if column == Vec3::ZERO {
                        continue;
                    }
                    let known = out[first..].iter().position(|c| c.at == at);
                    let place = known.map_or(out.len(), |i| first + i);
                    if place == out.len() {
                        out.push(Coupling { at, by, w: Mat3::ZERO });
                    }
                    *out[place].w.col_mut(k) = column;
                }
            }
        }
        for (k, twist) in data.bodies.iter_mut().zip(&self.twists) {
            k.twist = *twist;
        }
        state.v.clone_from(&self.v);
    }

    /// Lets an impulse with these parts along the axes act on the first body, and its opposite on the second, at the contact
    /// that [`Response::matrix`] was last asked about.
    pub(crate) fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        data: &mut Data,
        bodies: (BodyId, BodyId),
        point: Vec3,
        (axes, impulse): (&Mat3, Vec3),
    ) {
        let world = *axes * impulse;
        for (body, impulse) in [(bodies.0, world), (bodies.1, -world)] {
            let Some(free) = model.bodies[body.index()].free.filter(|free| !free.root) else { continue };
            let k = &mut data.bodies[body.index()];
            let jump = free_answer(k, point - k.center, impulse);
            k.twist.linear += jump.linear;
            k.twist.angular += jump.angular;
            let turned = k.pose.rotation * free.pose_bc.rotation;
            let w = turned.conjugate() * jump.angular;
            let out = &mut state.v[free.v..free.v + 6];
            for (v, change) in out.iter_mut().zip(jump.linear.to_array().into_iter().chain(w.to_array())) {
                *v += change;
            }
        }
        let sides = self.sides(model, data, bodies, point, axes);
        let reaches =
            |with_loops: bool| sides.iter().flatten().any(|(link, _)| self.looped[*link] == with_loops);
        if reaches(false) {
            self.push.spread(&model.links, &self.plain, &data.bodies, &data.links, impulse, &mut self.jumps);
            self.add(&model.links, &self.plain, state, data);
        }
        if reaches(true) {
            let looped = sides.into_iter().flatten().filter(|(link, _)| self.looped[*link]);
            let Data { closures, bodies, links, .. } = &mut *data;
            let whole = looped.map(|(link, on)| {
                let mut sum = Wrench::default();
                for (wrench, part) in on.iter().zip(impulse.to_array()) {
                    sum += tree::scaled(wrench, part);
                }
                (link, sum)
            });
            closures.impulse(model, bodies, links, whole, &mut self.jumps);
            self.push.follow(&model.links, &model.plan.links, bodies, links, &self.jumps);
            self.add(&model.links, &model.plan.links, state, data);
        }
    }

    /// Adds the jumps of some links to the state and to the bodies' velocities.
    fn add(&self, links: &[Link], which: &[usize], state: &mut State, data: &mut Data) {
        for &i in which {
            let motion = self.push.motion(i);
            // What does not move keeps its bits.
            if motion == Twist::default() {
                continue;
            }
            for v in links[i].v..links[i].v + links[i].nv {
                state.v[v] += self.jumps[v];
            }
            let twist = &mut data.bodies[links[i].body.index()].twist;
            twist.linear += motion.linear;
            twist.angular += motion.angular;
        }
    }

    /// The links at a contact that give way, with unit impulses along its axes on the first and their opposites on the second.
    fn sides(
        &self,
        model: &Model,
        data: &Data,
        bodies: (BodyId, BodyId),
        point: Vec3,
        axes: &Mat3,
    ) -> [Option<(usize, [Wrench; 3])>; 2] {
        [(bodies.0, 1.0), (bodies.1, -1.0)].map(|(body, sign)| {
            let arm = point - data.bodies[body.index()].center;
            let link = self.link(model, body)?;
            let impulses =
                [axes.x_axis, axes.y_axis, axes.z_axis].map(|a| Wrench::from_force_at(a * sign, arm));
            Some((link, impulses))
        })
    }
}

/// Jump of a free body's velocity under an impulse at an arm from its centre.
fn free_answer(k: &BodyKinematics, arm: Vec3, impulse: Vec3) -> Twist {
    let wrench = Wrench::from_force_at(impulse, arm);
    Twist { linear: wrench.force * k.inverse_mass, angular: k.inverse_inertia * wrench.torque }
}
