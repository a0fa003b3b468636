//! Loads on the nodes: weight, water, wind, seabed.
//!
//! Water after Morison et al. 1950 with the independence principle: across, ½ρ d C_n |u_n| u_n; along, ½ρ π d C_t |u_t| u_t; inertia
//! ρV a_w + ρV C_a (a_w − a), with u and a_w the velocity relative to the node and the acceleration of the undisturbed water; buoyancy −ρV g. A
//! node near the surface is wet in part: as much of the piece of cable about it as is below.
//!
//! Seabed: pressure k·depth + c·speed on diameter times length, never pulling; friction μ N u/√(u² + u₀²) against sliding. It works on the
//! centre line.

use super::Cable;
use super::evaluate::{CableData, Powers};
use crate::tangent::outer;
use crate::{Fluid, FluidMotion, Seabed, Surroundings};
use fender_math::{Mat3, Vec3};

impl Cable {
    /// Loads on all nodes, and how they change.
    pub(super) fn load(
        &self,
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
        data.by_place.resize(n, 0.0);
        data.fluid.clear();
        data.fluid.resize(n, FluidLoad::default());
        for i in 0..n {
            let (p, v, load) = (data.position[i], data.velocity[i], data.loads[i]);
            data.force[i] += gravity * load.mass;
            let mut wet = 0.0;
            if let Some(water) = &surroundings.water {
                wet = self.wet(water.as_ref(), time, data, i);
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
                    let push = (carried - gravity * load.volume) * density + lump;
                    data.force[i] += push;
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
                lie(data, i, seabed, powers);
            }
        }
    }

    /// How much of the piece of cable about a node is under water.
    fn wet(&self, water: &dyn Fluid, time: f64, data: &CableData, i: usize) -> f64 {
        let p = data.position[i];
        let depth = water.surface(p.x, p.y, time) - p.z;
        let half = |e: usize| 0.5 * (data.position[e + 1].z - data.position[e].z).abs();
        let mut height = 0.0_f64;
        if i > 0 {
            height = height.max(half(i - 1));
        }
        if i + 1 < data.position.len() {
            height = height.max(half(i));
        }
        let height = height.max(0.5 * data.loads[i].diameter).max(1e-9);
        (0.5 + 0.5 * depth / height).clamp(0.0, 1.0)
    }
}

/// Added mass of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FluidLoad {
    /// Across the cable [kg].
    pub(crate) across: f64,
    /// Along it [kg].
    pub(crate) along: f64,
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
    powers.drag += force.dot(u);
    powers.fluid += force.dot(motion.velocity);
}

fn lie(data: &mut CableData, i: usize, seabed: &Seabed, powers: &mut Powers) {
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
    let slip = Vec3::new(v.x, v.y, 0.0);
    let root = (slip.length_squared() + seabed.slip_speed * seabed.slip_speed).sqrt();
    let friction = slip * (-seabed.friction * normal / root);
    data.force[i] += friction + Vec3::Z * normal;
    powers.seabed += (spring - normal) * v.z - friction.dot(slip);
    data.by_place[i] -= seabed.stiffness * load.footprint;
    let flat = Mat3::from_diagonal(Vec3::new(1.0, 1.0, 0.0));
    let slope = flat * (seabed.friction * normal / root)
        - outer(slip, slip) * (seabed.friction * normal / (root * root * root));
    data.by_velocity[i] -= slope + outer(Vec3::Z, Vec3::Z) * (seabed.damping * load.footprint);
}
