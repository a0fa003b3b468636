//! Reads the values of chosen signals off a world.

use crate::cable_signal::Views;
use crate::signal::{
    BodyQuantity, ContactQuantity, EnergyQuantity, JointQuantity, LoopQuantity, Signal, Source,
};
use fender_contact::Patch;
use fender_engine::{BodyId, Contact, Energy, JointId, LoopId, PatchContact, World};
use fender_math::Vec3;
use std::collections::HashMap;

/// What the contacts of one body, or of one pair, add up to.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    force: Vec3,
    friction: Vec3,
    normal_force: f64,
    depth: f64,
    count: u32,
    /// Of the patches: area [m²], volume of overlap [m³] and torque about their points [N·m].
    area: f64,
    volume: f64,
    couple: Vec3,
    /// Of the deepest point.
    point: Point,
}

/// What is told of one point of contact.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    slip: f64,
    deflection: f64,
    dwell: f64,
    patch: Patch,
    /// Radius of gyration of the overlap in a volume [m].
    radius: f64,
}

impl Point {
    fn of(world: &World, contact: &Contact, patch: Option<&PatchContact>) -> Self {
        let memory = world.contact_memory(contact);
        let [x, y, z, dwell, ..] = memory.flow;
        let rule = &world.model.rules[contact.rule.index()];
        Self {
            slip: contact.motion.slip.length(),
            deflection: Vec3::new(x, y, z).length(),
            dwell,
            patch: rule.normal.patch(&contact.overlap).unwrap_or_default(),
            radius: patch.map_or(0.0, |patch| patch.spread.gyration),
        }
    }
}

impl Total {
    /// Adds a contact; `sign` is −1 for the second body.
    fn add(&mut self, contact: &Contact, patch: Option<&PatchContact>, sign: f64) {
        if let Some(patch) = patch {
            self.area += patch.overlap.section.length();
            self.volume += patch.overlap.volume;
            self.couple += patch.couple(contact.normal_force) * sign;
        }
        self.force += contact.force() * sign;
        self.friction += contact.friction * sign;
        self.normal_force += contact.normal_force;
        self.depth = self.depth.max(contact.overlap.depth);
        self.count += 1;
    }

    fn value(&self, quantity: ContactQuantity, component: usize) -> f64 {
        match quantity {
            ContactQuantity::Force => self.force[component],
            ContactQuantity::NormalForce => self.normal_force,
            ContactQuantity::FrictionForce => self.friction.length(),
            ContactQuantity::Depth => self.depth,
            ContactQuantity::SlipSpeed => self.point.slip,
            ContactQuantity::Deflection => self.point.deflection,
            ContactQuantity::Dwell => self.point.dwell,
            ContactQuantity::PatchLong => self.point.patch.long,
            ContactQuantity::PatchShort => self.point.patch.short,
            ContactQuantity::PeakPressure => self.point.patch.pressure,
            ContactQuantity::PatchArea => self.area,
            ContactQuantity::PatchVolume => self.volume,
            ContactQuantity::PatchRadius => self.point.radius,
            ContactQuantity::Couple => self.couple[component],
            ContactQuantity::Count => f64::from(self.count),
        }
    }
}

/// Reads chosen signals. All memory is taken when it is built.
#[derive(Debug)]
pub struct Sampler {
    signals: Vec<Signal>,
    /// Totals by body; empty if no signal needs them.
    bodies: Vec<Total>,
    /// Totals by pair (first body, second body), as named.
    pairs: HashMap<(BodyId, BodyId), Total>,
    needs_energy: bool,
}

impl Sampler {
    /// A sampler for signals of a model with so many bodies.
    pub fn new(signals: Vec<Signal>, bodies: usize) -> Self {
        let needs_bodies = signals.iter().any(|s| matches!(s.source, Source::BodyContact(..)));
        let pairs = signals.iter().filter_map(|s| match s.source {
            Source::Pair(a, b, ..) => Some(((a, b), Total::default())),
            _ => None,
        });
        Self {
            bodies: if needs_bodies { vec![Total::default(); bodies] } else { Vec::new() },
            pairs: pairs.collect(),
            needs_energy: signals.iter().any(|s| matches!(s.source, Source::Energy(_))),
            signals,
        }
    }

    /// The signals.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// Calls `put(signal, value)` for each signal that `wanted` says yes to. The world must have been refreshed. A value
    /// that is not defined is NaN.
    pub fn sample(&mut self, world: &World, wanted: impl Fn(usize) -> bool, mut put: impl FnMut(usize, f64)) {
        self.add_up(world);
        let energy = self.needs_energy.then(|| world.energy());
        let mut cables = Views::default();
        for (i, signal) in self.signals.iter().enumerate() {
            if wanted(i) {
                let value = self.value(world, energy.as_ref(), &mut cables, signal.source);
                put(i, if value.is_finite() { value } else { f64::NAN });
            }
        }
    }

    fn add_up(&mut self, world: &World) {
        self.bodies.fill(Total::default());
        for total in self.pairs.values_mut() {
            *total = Total::default();
        }
        for (contact, patch) in world.contacts_with_patches() {
            let (a, b) = (contact.body_a, contact.body_b);
            if !self.bodies.is_empty() {
                self.bodies[a.index()].add(contact, patch, 1.0);
                self.bodies[b.index()].add(contact, patch, -1.0);
            }
            if !self.pairs.is_empty() {
                for (pair, sign) in [((a, b), 1.0), ((b, a), -1.0)] {
                    if let Some(total) = self.pairs.get_mut(&pair) {
                        if contact.overlap.depth > total.depth {
                            total.point = Point::of(world, contact, patch);
                        }
                        total.add(contact, patch, sign);
                    }
                }
            }
        }
    }

    fn value<'w>(
        &self,
        world: &'w World,
        energy: Option<&Energy>,
        cables: &mut Views<'w>,
        source: Source,
    ) -> f64 {
        match source {
            Source::Body(body, quantity, i) => body_value(world, body, quantity, i),
            Source::BodyContact(body, quantity, i) => self.bodies[body.index()].value(quantity, i),
            Source::Pair(a, b, quantity, i) => self.pairs[&(a, b)].value(quantity, i),
            Source::Joint(joint, quantity, i) => joint_value(world, joint, quantity, i),
            Source::Loop(closed, quantity, i) => loop_value(world, closed, quantity, i),
            Source::Cable(cable, quantity, i) => cables.value(world, cable, quantity, i),
            Source::Sensor(sensor, i) => world.reading(sensor).get(i).copied().unwrap_or(f64::NAN),
            Source::Controller(controller) => world.output(controller),
            Source::Energy(quantity) => energy.map_or(f64::NAN, |e| energy_value(world, e, quantity)),
        }
    }
}

fn body_value(world: &World, body: BodyId, quantity: BodyQuantity, i: usize) -> f64 {
    match quantity {
        BodyQuantity::Position => world.pose(body).translation[i],
        BodyQuantity::Orientation => {
            let q = world.pose(body).rotation;
            [q.w, q.x, q.y, q.z][i]
        }
        BodyQuantity::Velocity => world.twist(body).linear[i],
        BodyQuantity::AngularVelocity => world.twist(body).angular[i],
        BodyQuantity::Acceleration => world.acceleration(body).linear[i],
        BodyQuantity::AngularAcceleration => world.acceleration(body).angular[i],
        BodyQuantity::AngularMomentum => angular_momentum(world, body)[i],
    }
}

fn loop_value(world: &World, closed: LoopId, quantity: LoopQuantity, i: usize) -> f64 {
    match quantity {
        LoopQuantity::Force => world.loop_reaction(closed).force[i],
        LoopQuantity::Torque => world.loop_reaction(closed).torque[i],
        LoopQuantity::Effort => world.loop_effort(closed),
        LoopQuantity::Violation => world.loop_violation(closed),
    }
}

fn joint_value(world: &World, joint: JointId, quantity: JointQuantity, i: usize) -> f64 {
    match quantity {
        JointQuantity::Position => world.joint_position(joint, i),
        JointQuantity::Rate => world.joint_rate(joint, i),
        JointQuantity::Effort => world.joint_effort(joint, i),
        JointQuantity::Power => world.joint_effort(joint, i) * world.joint_rate(joint, i),
        JointQuantity::Force => world.joint_reaction(joint).force[i],
        JointQuantity::Torque => world.joint_reaction(joint).torque[i],
    }
}

/// About the centre of mass, in the world [kg·m²/s].
fn angular_momentum(world: &World, body: BodyId) -> Vec3 {
    let b = &world.model.bodies[body.index()];
    let (inertia, pose_bc) = match (&b.free, b.link) {
        (Some(free), _) => (free.inertia, free.pose_bc),
        (None, Some(link)) => (world.model.links[link].inertia, world.model.links[link].pose_bc),
        (None, None) => return Vec3::NAN,
    };
    let to_world = (world.pose(body) * pose_bc).rotation;
    to_world * (inertia * (to_world.inverse() * world.twist(body).angular))
}

fn energy_value(world: &World, energy: &Energy, quantity: EnergyQuantity) -> f64 {
    match quantity {
        EnergyQuantity::Kinetic => energy.kinetic,
        EnergyQuantity::Potential => energy.potential,
        EnergyQuantity::Stored => energy.stored,
        EnergyQuantity::Dissipated => energy.dissipated,
        EnergyQuantity::Work => energy.work,
        EnergyQuantity::Residual => energy.residual,
        EnergyQuantity::RelativeResidual => energy.relative_residual,
        EnergyQuantity::DissipatedBy(i) => world.dissipated_by(i),
        EnergyQuantity::WorkOf(i) => world.state.account.work[i],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_engine::{BodyMotion, ModelBuilder};
    use fender_math::{MassProperties, Mat3, Quat};

    #[test]
    fn angular_momentum_is_inertia_times_angular_velocity_in_the_world() {
        // Off its principal axes, turned, and with the centre away from the frame's origin.
        let inertia = Mat3::from_cols_array(&[2.0, 0.3, 0.1, 0.3, 3.0, -0.2, 0.1, -0.2, 4.0]);
        let mass = MassProperties { mass: 1.5, center: Vec3::new(0.1, 0.2, 0.3), inertia };
        let mut body = crate::testing::ball("body", Vec3::X, Vec3::Y);
        body.motion = BodyMotion::Free { mass };
        body.pose.rotation = Quat::from_xyzw(0.5, -0.5, 0.1, 0.7).normalize();
        body.twist.angular = Vec3::new(1.0, -2.0, 0.5);
        let turn = Mat3::from_quat(body.pose.rotation);
        let expected = turn * inertia * turn.transpose() * body.twist.angular;
        let mut builder = ModelBuilder::new();
        let id = builder.body(body);
        let world = World::new(builder.build().unwrap());
        assert!((angular_momentum(&world, id) - expected).length() < 1e-13);
    }
}
