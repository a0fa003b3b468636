//! Mass matrix by composite bodies, inverse dynamics by recursion, Jacobians of points.
//!
//! None of these is needed for a step; they answer questions about a mechanism, and hold the articulated-body algorithm
//! to the equations of motion.

use super::{ArticulatedInertia, Carrier, Link, LinkData, carried, dot, shifted};
use crate::data::BodyKinematics;
use crate::joint::MAX_DOF;
use fender_math::{Quat, Twist, Vec3, Wrench};

/// Motions of a link's centre per unit of its velocities: of a joint its subspace, of a floating root along the world's
/// axes and about its own.
pub(crate) fn columns(link: &Link, d: &LinkData, bodies: &[BodyKinematics]) -> [Twist; MAX_DOF] {
    match &link.carrier {
        Carrier::Nothing(free) => {
            let rotation: Quat = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
            let along = |axis: Vec3| Twist { linear: axis, angular: Vec3::ZERO };
            let about = |axis: Vec3| Twist { linear: Vec3::ZERO, angular: rotation * axis };
            [along(Vec3::X), along(Vec3::Y), along(Vec3::Z), about(Vec3::X), about(Vec3::Y), about(Vec3::Z)]
        }
        Carrier::Joint { .. } => d.subspace,
    }
}

/// The entries of the mass matrix of the trees made of the links `which` (whole trees, parents first): every pair of
/// places in `State::v` once.
pub(crate) fn mass_entries(
    links: &[Link],
    which: &[usize],
    bodies: &[BodyKinematics],
    data: &[LinkData],
    composite: &mut Vec<ArticulatedInertia>,
    mut add: impl FnMut(usize, usize, f64),
) {
    composite.resize(links.len(), ArticulatedInertia::ZERO);
    for &i in which {
        composite[i] = ArticulatedInertia::rigid(links[i].mass, data[i].inertia);
    }
    for &i in which.iter().rev() {
        if let Some(parent) = links[i].parent() {
            let moved = composite[i].moved(data[i].r);
            composite[parent] += moved;
        }
    }
    for &i in which {
        let own = columns(&links[i], &data[i], bodies);
        for k in 0..links[i].nv {
            // The force that moves everything this link carries, felt by every joint on the way to the root.
            let mut force = composite[i].times(&own[k]);
            for (l, row) in own.iter().enumerate().take(k + 1) {
                add(links[i].v + k, links[i].v + l, dot(&force, row));
            }
            let mut at = i;
            while let Some(parent) = links[at].parent() {
                force = shifted(&force, data[at].r);
                at = parent;
                let rows = columns(&links[at], &data[at], bodies);
                for (l, row) in rows.iter().enumerate().take(links[at].nv) {
                    add(links[i].v + k, links[at].v + l, dot(&force, row));
                }
            }
        }
    }
}

/// The mass matrix of the trees' coordinates, row by row; `nv` is the number of all velocities, and rows of those that are
/// not in a tree are zero.
pub fn mass_matrix(links: &[Link], bodies: &[BodyKinematics], data: &[LinkData], nv: usize) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; nv]; nv];
    let all: Vec<usize> = (0..links.len()).collect();
    mass_entries(links, &all, bodies, data, &mut Vec::new(), |i, j, value| {
        matrix[i][j] = value;
        matrix[j][i] = value;
    });
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
        for (column, rate) in columns(link, d, bodies).iter().zip(&rates[link.v..link.v + link.nv]) {
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
        for (k, column) in columns(&links[i], &data[i], bodies).iter().enumerate().take(links[i].nv) {
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
        for (k, column) in columns(&links[i], &data[i], bodies).iter().enumerate().take(links[i].nv) {
            out[links[i].v + k] = carried(column, arm);
        }
        at = links[i].parent();
    }
    out
}
