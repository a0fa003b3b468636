//! Mass matrix by composite bodies, inverse dynamics by recursion, Jacobians of points.
//!
//! None of these is needed for a step; they answer questions about a mechanism, and hold the articulated-body algorithm
//! to the equations of motion.

use super::{ArticulatedInertia, Carrier, Link, LinkData, carried, dot, shifted};
use crate::data::BodyKinematics;
use fender_math::{Quat, Twist, Vec3, Wrench};

/// The six unit motions of a floating root, in the order of its velocities: along the world's axes, about its own.
fn columns(link: &Link, d: &LinkData, bodies: &[BodyKinematics]) -> Vec<Twist> {
    match &link.carrier {
        Carrier::Nothing(free) => {
            let rotation: Quat = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
            let axes = [Vec3::X, Vec3::Y, Vec3::Z];
            let along = axes.map(|axis| Twist { linear: axis, angular: Vec3::ZERO });
            let about = axes.map(|axis| Twist { linear: Vec3::ZERO, angular: rotation * axis });
            along.into_iter().chain(about).collect()
        }
        Carrier::Joint { .. } => d.subspace[..link.nv].to_vec(),
    }
}

/// The mass matrix of the trees' coordinates, row by row; `nv` is the number of all velocities, and rows of those that are
/// not in a tree are zero.
pub fn mass_matrix(links: &[Link], bodies: &[BodyKinematics], data: &[LinkData], nv: usize) -> Vec<Vec<f64>> {
    let mut composite: Vec<ArticulatedInertia> =
        links.iter().zip(data).map(|(link, d)| ArticulatedInertia::rigid(link.mass, d.inertia)).collect();
    for i in (0..links.len()).rev() {
        if let Some(parent) = links[i].parent() {
            let moved = composite[i].moved(data[i].r);
            composite[parent] += moved;
        }
    }
    let mut matrix = vec![vec![0.0; nv]; nv];
    for (i, link) in links.iter().enumerate() {
        for (k, column) in columns(link, &data[i], bodies).iter().enumerate() {
            // The force that moves everything this link carries, felt by every joint on the way to the root.
            let mut force = composite[i].times(column);
            let mut at = i;
            loop {
                for (l, row) in columns(&links[at], &data[at], bodies).iter().enumerate() {
                    let value = dot(&force, row);
                    matrix[links[at].v + l][link.v + k] = value;
                    matrix[link.v + k][links[at].v + l] = value;
                }
                let Some(parent) = links[at].parent() else { break };
                force = shifted(&force, data[at].r);
                at = parent;
            }
        }
    }
    matrix
}

/// Generalised forces that give the accelerations `rates` (in the places of `State::v`) under the wrenches on the bodies
/// and gravity [m/s²]: Newton and Euler link by link, outward for accelerations and inward for forces.
pub fn inverse_dynamics(
    links: &[Link],
    bodies: &[BodyKinematics],
    data: &[LinkData],
    wrenches: &[Wrench],
    gravity: Vec3,
    rates: &[f64],
) -> Vec<f64> {
    let mut accelerations: Vec<Twist> = Vec::with_capacity(links.len());
    for (link, d) in links.iter().zip(data) {
        let mut a = link.parent().map_or(Twist::default(), |p| carried(&accelerations[p], d.r));
        a.linear += d.bias.linear;
        a.angular += d.bias.angular;
        for (column, rate) in columns(link, d, bodies).iter().zip(&rates[link.v..]) {
            a.linear += column.linear * *rate;
            a.angular += column.angular * *rate;
        }
        accelerations.push(a);
    }
    let mut forces: Vec<Wrench> = Vec::with_capacity(links.len());
    for ((link, d), a) in links.iter().zip(data).zip(&accelerations) {
        let wrench = &wrenches[link.body.index()];
        forces.push(Wrench {
            force: (a.linear - gravity) * link.mass - wrench.force,
            torque: d.inertia * a.angular + d.gyroscopic - wrench.torque,
        });
    }
    let mut out = vec![0.0; rates.len()];
    for i in (0..links.len()).rev() {
        for (k, column) in columns(&links[i], &data[i], bodies).iter().enumerate() {
            out[links[i].v + k] = dot(&forces[i], column);
        }
        if let Some(parent) = links[i].parent() {
            let force = shifted(&forces[i], data[i].r);
            forces[parent] += force;
        }
    }
    out
}

/// Velocity of the point of a link's body that is now at `point` in the world [m], per unit of each velocity: a column
/// for each of the `nv` velocities.
pub fn jacobian(
    links: &[Link],
    bodies: &[BodyKinematics],
    data: &[LinkData],
    link: usize,
    point: Vec3,
    nv: usize,
) -> Vec<Twist> {
    let mut out = vec![Twist::default(); nv];
    let mut at = Some(link);
    while let Some(i) = at {
        let arm = point - bodies[links[i].body.index()].center;
        for (k, column) in columns(&links[i], &data[i], bodies).iter().enumerate() {
            out[links[i].v + k] = carried(column, arm);
        }
        at = links[i].parent();
    }
    out
}
