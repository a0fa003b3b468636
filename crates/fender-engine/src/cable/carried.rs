//! What is at a node that a body holds goes with the body: half an element's mass, and the water about it.
//!
//! A free body's inertia is increased by it, exactly. On links of trees its weight and drag act, but its inertia is left out: half an
//! element is little beside a machine. A driven body's motion is known, so that the force on it has the inertia too.

use super::loads::FluidLoad;
use super::{CableData, FLUID};
use crate::data::BodyKinematics;
use crate::evaluate::ground;
use crate::tangent::outer;
use crate::{Body, BodyId, BodyMotion, Data, FreeBody, Model, State};
use fender_math::tridiagonal::{applied, inverse};
use fender_math::{Mat3, Twist, Vec3, Wrench};

/// Inertia that cables add to a free body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub(crate) body: BodyId,
    /// By linear and angular acceleration, along the world's axes, about the body's centre.
    pub(crate) inertia: [[f64; 6]; 6],
    /// What velocities ask for.
    pub(crate) bias: Wrench,
}

/// How a held node's inertia is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A free body that is in no tree.
    Free,
    /// A link of a tree.
    Link,
    /// The world, a fixed or a driven body.
    Ground,
}

pub(super) fn holder(model: &Model, body: Option<BodyId>) -> Holder {
    let Some(body) = body else { return Holder::Ground };
    match &model.bodies[body.index()] {
        Body { link: Some(_), .. } => Holder::Link,
        Body { motion: BodyMotion::Free { .. }, .. } => Holder::Free,
        _ => Holder::Ground,
    }
}

impl CableData {
    /// Mass of a node with the water that goes with it [kg].
    #[inline]
    pub(crate) fn inertia(&self, node: usize) -> Mat3 {
        let FluidLoad { across, along } = self.fluid[node];
        let t = self.tangent[node];
        Mat3::from_diagonal(Vec3::splat(self.loads[node].mass + across)) + outer(t, t) * (along - across)
    }
}

/// Acceleration of a point of a body that forces do not move.
pub(super) fn known_acceleration(
    model: &Model,
    time: f64,
    body: Option<BodyId>,
    at: Vec3,
    bodies: &[BodyKinematics],
) -> Vec3 {
    let Some(body) = body else { return Vec3::ZERO };
    let Twist { linear, angular } = ground(model, time, body);
    let b = &bodies[body.index()];
    let (r, omega) = (at - b.center, b.twist.angular);
    linear + angular.cross(r) + omega.cross(omega.cross(r))
}

impl Carried {
    pub(super) fn new(body: BodyId) -> Self {
        Self { body, inertia: [[0.0; 6]; 6], bias: Wrench::default() }
    }

    /// Adds a node's inertia at an arm from the centre of a body that turns with ω.
    pub(super) fn add(&mut self, inertia: Mat3, arm: Vec3, omega: Vec3) {
        // Acceleration of the node: a + α × r + ω × (ω × r); its columns are the unit vectors and e × r.
        let column = |k: usize| if k < 3 { Vec3::AXES[k] } else { Vec3::AXES[k - 3].cross(arm) };
        for (i, row) in self.inertia.iter_mut().enumerate() {
            for (j, x) in row.iter_mut().enumerate() {
                *x += column(i).dot(inertia * column(j));
            }
        }
        self.bias += Wrench::from_force_at(inertia * omega.cross(omega.cross(arm)), arm);
    }
}

impl Carried {
    /// Velocity or acceleration of the body, with what it carries, by an impulse or a wrench about its centre: linear in the world,
    /// angular along its principal axes.
    pub(crate) fn give_way(&self, free: &FreeBody, body: &BodyKinematics, to: &Wrench) -> Option<[f64; 6]> {
        let rotation = Mat3::from_quat(body.pose.rotation * free.pose_bc.rotation);
        let own = rotation * Mat3::from_diagonal(free.inertia) * rotation.transpose();
        let mut inertia = self.inertia;
        for i in 0..3 {
            inertia[i][i] += free.mass;
            for j in 0..3 {
                inertia[3 + i][3 + j] += own.col(j)[i];
            }
        }
        let Wrench { force: f, torque: t } = to;
        let a = applied(&inverse(&inertia)?, &[f.x, f.y, f.z, t.x, t.y, t.z]);
        let angular = rotation.transpose() * Vec3::new(a[3], a[4], a[5]);
        Some([a[0], a[1], a[2], angular.x, angular.y, angular.z])
    }
}

/// What the water about carried nodes takes of their acceleration, once that is known.
pub(crate) fn carried_work(model: &Model, state: &State, data: &mut Data) {
    for (i, cable) in model.cables.iter().enumerate().filter(|(_, cable)| cable.pace.is_none()) {
        if !data.islands.counts_cable(model, i) {
            continue;
        }
        let own = &state.cables[i];
        for node in 0..own.nodes.len() {
            let Some(tie) = own.holds(node) else { continue };
            let body = cable.ties[tie].1.point.body;
            let Some(body) = body.filter(|_| holder(model, body) == Holder::Free) else { continue };
            let FluidLoad { across, along } = data.cables[i].fluid[node];
            if across == 0.0 && along == 0.0 {
                continue;
            }
            let (t, v) = (data.cables[i].tangent[node], data.cables[i].velocity[node]);
            let Twist { linear, angular } = crate::evaluate::acceleration(model, state, data, body);
            let b = &data.bodies[body.index()];
            let (r, omega) = (data.cables[i].position[node] - b.pose.translation, b.twist.angular);
            let a = linear + angular.cross(r) + omega.cross(omega.cross(r));
            let taken = (a - t * a.dot(t)) * across + t * (a.dot(t) * along);
            data.rates.work[cable.source + FLUID] -= taken.dot(v);
        }
    }
}
