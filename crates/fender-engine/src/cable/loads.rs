//! Loads on the nodes: weight, water, wind, seabed.
//!
//! Water after Morison et al. 1950 with the independence principle: across, ½ρ d C_n |u_n| u_n; along, ½ρ π d C_t |u_t| u_t; inertia
//! ρV a_w + ρV C_a (a_w − a), with u and a_w the velocity relative to the node and the acceleration of the undisturbed water; buoyancy −ρV g. A
//! node near the surface is wet in part: as much of the piece of cable about it as is below.
//!
//! Seabed: pressure k·depth + c·speed on diameter times length, never pulling. Friction is elastic until it slips: shear stiffness times the
//! displacement from where the node came to lie, at most μN; a node that slips drags that place along. It works on the centre line.

use super::CableState;
use super::evaluate::{CableData, Powers};
use crate::tangent::outer;
use crate::{Fluid, FluidMotion, Seabed, Surroundings};
use fender_math::{Mat3, Vec3};

/// Loads on all nodes, and how they change.
pub(super) fn load(
    own: &CableState,
    surroundings: &Surroundings,
    gravity: Vec3,
    time: f64,
    data: &mut CableData,
    powers: &mut Powers,
) {
    let n = data.position.len();
    data.by_velocity.clear();
    data.by_velocity.resize(n, Mat3::ZERO);
    data.by_place.clear();
    data.by_place.resize(n, Mat3::ZERO);
    data.by_direction.clear();
    data.by_direction.resize(n, Mat3::ZERO);
    data.fluid.clear();
    data.fluid.resize(n, FluidLoad::default());
    for i in 0..n {
        let (p, v, load) = (data.position[i], data.velocity[i], data.loads[i]);
        data.force[i] += gravity * load.mass;
        let mut wet = 0.0;
        if let Some(water) = &surroundings.water {
            let by_height;
            (wet, by_height) = submerged(water.as_ref(), time, data, i);
            if wet > 0.0 {
                let motion = water.motion(p, time);
                let density = wet * water.density();
                drag(data, i, density, &motion, powers);
                let t = data.tangent[i];
                // ρ(V + A) a_w, and the weight of the water that is not there.
                let along = t * t.dot(motion.acceleration);
                let carried = motion.acceleration * (load.volume + load.added_n)
                    + along * (load.added_t - load.added_n);
                let lump = motion.acceleration * (wet * load.added);
                let other = density * (load.added_t - load.added_n);
                data.by_direction[i] += slant(t, motion.acceleration) * other;
                let push = (carried - gravity * load.volume) * density + lump;
                data.force[i] += push;
                data.by_place[i] -= outer(gravity, Vec3::Z) * (load.volume * water.density() * by_height);
                powers.fluid += push.dot(v);
                data.fluid[i] = FluidLoad {
                    across: density * load.added_n + wet * load.added,
                    along: density * load.added_t + wet * load.added,
                };
            }
        }
        if let (Some(air), true) = (&surroundings.air, wet < 1.0) {
            let motion = air.motion(p, time);
            drag(data, i, (1.0 - wet) * air.density(), &motion, powers);
        }
        if let Some(seabed) = surroundings.seabed.as_ref().filter(|_| !data.held[i]) {
            lie(data, i, own.nodes[i].grip, seabed, powers);
        }
    }
}

/// How much of the piece of cable about a node is under water, and how that changes as the piece rises [1/m].
fn submerged(water: &dyn Fluid, time: f64, data: &CableData, i: usize) -> (f64, f64) {
    let p = data.position[i];
    let surface = water.surface(p.x, p.y, time);
    let least = 0.5 * data.loads[i].diameter.max(2e-9);
    // Each half element beside the node, from it to the element's middle.
    let (mut wet, mut by_height, mut whole) = (0.0, 0.0, 0.0);
    let mut piece = |other: usize, length: f64| {
        let end = 0.5 * (p.z + data.position[other].z);
        let (middle, half) = (0.5 * (p.z + end), (0.5 * (p.z - end).abs()).max(least));
        let part = 0.5 + 0.5 * (surface - middle) / half;
        wet += length * part.clamp(0.0, 1.0);
        by_height -= if (0.0..1.0).contains(&part) { 0.5 * length / half } else { 0.0 };
        whole += length;
    };
    if i > 0 {
        piece(i - 1, data.length[i - 1]);
    }
    if i + 1 < data.position.len() {
        piece(i + 1, data.length[i]);
    }
    (wet / whole, by_height / whole)
}

/// Added mass of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FluidLoad {
    /// Across the cable [kg].
    pub(crate) across: f64,
    /// Along it [kg].
    pub(crate) along: f64,
}

/// How t(t·a) changes with t.
#[inline]
pub(super) fn slant(t: Vec3, a: Vec3) -> Mat3 {
    Mat3::from_diagonal(Vec3::splat(t.dot(a))) + outer(t, a)
}

#[inline]
fn drag(data: &mut CableData, i: usize, density: f64, motion: &FluidMotion, powers: &mut Powers) {
    let (v, t, load) = (data.velocity[i], data.tangent[i], &data.loads[i]);
    let u = motion.velocity - v;
    let ut = t * u.dot(t);
    let un = u - ut;
    let (sn, st, s) = (un.length(), ut.length(), u.length());
    let half = 0.5 * density;
    let force = (un * (load.drag_n * sn) + ut * (load.drag_t * st) + u * (load.drag * s)) * half;
    data.force[i] += force;
    let mut slope = Mat3::ZERO;
    if sn > 0.0 {
        slope += (Mat3::IDENTITY - outer(t, t)) * (load.drag_n * sn) + outer(un, un) * (load.drag_n / sn);
    }
    slope += outer(t, t) * (2.0 * load.drag_t * st);
    if load.drag > 0.0 && s > 0.0 {
        slope += Mat3::IDENTITY * (load.drag * s) + outer(u, u) * (load.drag / s);
    }
    data.by_velocity[i] -= slope * half;
    // With the direction t of the cable u_n = u − t(t·u) and u_t = t(t·u) change.
    let across =
        if sn > 0.0 { Mat3::from_diagonal(Vec3::splat(sn)) + outer(un, un) / sn } else { Mat3::ZERO };
    let along = u.dot(t);
    let turned = outer(t, u) * (2.0 * st) + Mat3::from_diagonal(Vec3::splat(st * along));
    data.by_direction[i] += (turned * load.drag_t - across * slant(t, u) * load.drag_n) * half;
    powers.drag += force.dot(u);
    powers.fluid += force.dot(motion.velocity);
}

fn lie(data: &mut CableData, i: usize, grip: Option<[f64; 2]>, seabed: &Seabed, powers: &mut Powers) {
    let depth = seabed.height - data.position[i].z;
    let load = &data.loads[i];
    if depth <= 0.0 || load.footprint == 0.0 {
        return;
    }
    let v = data.velocity[i];
    let spring = seabed.stiffness * depth * load.footprint;
    let normal = spring - seabed.damping * v.z * load.footprint;
    powers.stored += 0.5 * spring * depth;
    if normal <= 0.0 {
        // It leaves faster than the ground follows.
        powers.seabed += spring * v.z;
        return;
    }
    data.force[i] += Vec3::Z * normal;
    powers.seabed += (spring - normal) * v.z;
    data.by_place[i] -= outer(Vec3::Z, Vec3::Z) * (seabed.stiffness * load.footprint);
    data.by_velocity[i] -= outer(Vec3::Z, Vec3::Z) * (seabed.damping * load.footprint);
    let Some(from) = grip.filter(|_| seabed.friction > 0.0) else { return };
    let shear = seabed.shear * load.footprint;
    let away = Vec3::new(data.position[i].x - from[0], data.position[i].y - from[1], 0.0);
    let (pull, most) = (shear * away.length(), seabed.friction * normal);
    let flat = Mat3::from_diagonal(Vec3::new(1.0, 1.0, 0.0));
    if pull <= most {
        data.force[i] -= away * shear;
        powers.stored += 0.5 * pull * away.length();
        data.by_place[i] -= flat * shear;
    } else {
        let u = away / away.length();
        data.force[i] -= u * most;
        // What slip loses is booked at the end of the step, when the node drags its grip along (`Seabed::drag`).
        powers.stored += 0.5 * most * most / shear;
        data.by_place[i] -= (flat - outer(u, u)) * (most / away.length());
    }
}

/// Where friction holds a node at the end of a step, and what it lost in that step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Grip {
    /// Place on the bed that the node is held to [m], if it lies there.
    pub(crate) place: Option<[f64; 2]>,
    /// Energy that slip has lost [J].
    pub(crate) lost: f64,
}

impl Seabed {
    /// Drags the grip of a node of a footprint [m²] along: it stays as far behind the node as friction can pull. Slip loses the limit
    /// of friction times the distance that the grip moved, whatever the method and its step (return mapping, Simo and Hughes 1998, 1.4).
    pub(crate) fn drag(&self, node: Vec3, footprint: f64, grip: Option<[f64; 2]>) -> Grip {
        let depth = self.height - node.z;
        if depth <= 0.0 || footprint == 0.0 || self.friction == 0.0 {
            // The load went to zero before the node left, and the stored energy with it.
            return Grip::default();
        }
        let Some(from) = grip else { return Grip { place: Some([node.x, node.y]), lost: 0.0 } };
        let away = Vec3::new(node.x - from[0], node.y - from[1], 0.0);
        let limit = self.friction * self.stiffness * depth * footprint;
        let most = limit / (self.shear * footprint);
        let slip = away.length() - most;
        if slip <= 0.0 {
            return Grip { place: grip, lost: 0.0 };
        }
        let held = node - away * (most / away.length());
        Grip { place: Some([held.x, held.y]), lost: limit * slip }
    }
}
