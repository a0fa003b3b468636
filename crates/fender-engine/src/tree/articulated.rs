//! Articulated-body algorithm: accelerations from forces, in one pass inward and one outward.

use super::{Carrier, Link, LinkData, carried, dot, shifted};
use crate::data::BodyKinematics;
use crate::joint::MAX_DOF;
use crate::tree::ArticulatedInertia;
use fender_math::{Twist, Vec3, Wrench};

/// Accelerations of all links under the wrenches on their bodies (about the centres), gravity [m/s²] and the coordinates'
/// own forces; their rates go to `out`, in the places of `State::v`. `ground` is the acceleration of bodies that carry
/// trees and are not moved by forces.
pub fn accelerations(
    links: &[Link],
    bodies: &[BodyKinematics],
    wrenches: &[Wrench],
    gravity: Vec3,
    ground: impl Fn(crate::BodyId) -> Twist,
    data: &mut [LinkData],
    out: &mut [f64],
) {
    for (link, d) in links.iter().zip(data.iter_mut()) {
        let wrench = &wrenches[link.body.index()];
        d.articulated = ArticulatedInertia::rigid(link.mass, d.inertia);
        d.needed = Wrench {
            force: -(wrench.force + d.closing.force + gravity * link.mass),
            torque: d.gyroscopic - wrench.torque - d.closing.torque,
        };
    }
    for i in (0..links.len()).rev() {
        let n = links[i].nv;
        let d = &mut data[i];
        if matches!(links[i].carrier, Carrier::Nothing(_)) {
            continue;
        }
        let Some(parent) = links[i].parent() else {
            yielding(n, d);
            continue;
        };
        // What the parent feels: the inertia that the joint does not yield to, and the force that it passes on.
        let (mut passed, mut force) = (d.articulated, d.needed);
        if n == 1 {
            // The same as below, for the joints that are most.
            let s = &d.subspace[0];
            let column = d.articulated.times(s);
            let inverse = 1.0 / dot(&column, s);
            let left = d.force[0] + d.closing_force[0] - dot(&d.needed, s);
            (d.columns[0], d.inverse[0][0], d.left[0]) = (column, inverse, left);
            passed.subtract_outer(&column, &scaled(&column, inverse));
            force += scaled(&column, inverse * left);
        } else {
            yielding(n, d);
            for k in 0..n {
                let (mut column, mut share) = (Wrench::default(), 0.0);
                for l in 0..n {
                    column += scaled(&d.columns[l], d.inverse[k][l]);
                    share += d.inverse[k][l] * d.left[l];
                }
                passed.subtract_outer(&d.columns[k], &column);
                force += scaled(&d.columns[k], share);
            }
        }
        force += passed.times(&d.bias);
        let r = d.r;
        data[parent].articulated += passed.moved(r);
        data[parent].needed += shifted(&force, r);
    }
    for (i, link) in links.iter().enumerate() {
        let base = match &link.carrier {
            Carrier::Nothing(free) => {
                let d = &mut data[i];
                // Every link has mass, so this cannot fail; a state that is not finite is found by the caller.
                let fall = d.articulated.solve(&scaled(&d.needed, -1.0)).unwrap_or_default();
                d.acceleration = fall;
                let rotation = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
                let angular = rotation.conjugate() * fall.angular;
                let (a, w) = (fall.linear, angular);
                out[free.v..free.v + 6].copy_from_slice(&[a.x, a.y, a.z, w.x, w.y, w.z]);
                continue;
            }
            Carrier::Joint { link: Some(parent), .. } => data[*parent].acceleration,
            Carrier::Joint { body: Some(body), .. } => ground(*body),
            Carrier::Joint { .. } => Twist::default(),
        };
        let d = &mut data[i];
        let mut a = carried(&base, d.r);
        a.linear += d.bias.linear;
        a.angular += d.bias.angular;
        let mut rest = [0.0; MAX_DOF];
        for (k, rest) in rest.iter_mut().enumerate().take(link.nv) {
            *rest = d.left[k] - dot(&d.columns[k], &a);
        }
        for k in 0..link.nv {
            let rate: f64 = d.inverse[k].iter().zip(&rest).take(link.nv).map(|(x, y)| x * y).sum();
            a.linear += d.subspace[k].linear * rate;
            a.angular += d.subspace[k].angular * rate;
            out[link.v + k] = rate;
        }
        d.acceleration = a;
    }
}

/// Velocities of all links for other velocities of the coordinates, in the present pose. `twists` holds those of the
/// bodies that are not in a tree, and of floating roots.
pub fn velocities(links: &[Link], data: &[LinkData], v: &[f64], twists: &mut [Twist]) {
    for (link, d) in links.iter().zip(data) {
        if let Carrier::Joint { body, guide, .. } = &link.carrier {
            let base = body.map_or(Twist::default(), |id| twists[id.index()]);
            let mut twist = carried(&base, d.r);
            if guide.is_some() {
                twist.linear += d.relative.linear;
                twist.angular += d.relative.angular;
            }
            for (column, speed) in d.subspace[..link.nv].iter().zip(&v[link.v..link.v + link.nv]) {
                twist.linear += column.linear * *speed;
                twist.angular += column.angular * *speed;
            }
            twists[link.body.index()] = twist;
        }
    }
}

#[inline]
pub(crate) fn scaled(w: &Wrench, s: f64) -> Wrench {
    Wrench { force: w.force * s, torque: w.torque * s }
}

/// How a joint yields: columns, the force that is left for its coordinates, and the inverse of their inertia.
fn yielding(n: usize, d: &mut LinkData) {
    for k in 0..n {
        d.columns[k] = d.articulated.times(&d.subspace[k]);
        d.left[k] = d.force[k] + d.closing_force[k] - dot(&d.needed, &d.subspace[k]);
    }
    invert(n, d);
}

/// Inverse of the symmetric positive definite n × n matrix Sᵀ·(columns), by elimination without pivots.
#[inline]
pub(super) fn invert(n: usize, d: &mut LinkData) {
    if n == 1 {
        d.inverse[0][0] = 1.0 / dot(&d.columns[0], &d.subspace[0]);
        return;
    }
    let mut m = [[0.0; MAX_DOF]; MAX_DOF];
    let mut inverse = [[0.0; MAX_DOF]; MAX_DOF];
    for i in 0..n {
        for j in 0..n {
            m[i][j] = dot(&d.columns[j], &d.subspace[i]);
        }
        inverse[i][i] = 1.0;
    }
    for i in 0..n {
        let pivot = 1.0 / m[i][i];
        for j in 0..n {
            m[i][j] *= pivot;
            inverse[i][j] *= pivot;
        }
        for k in 0..n {
            if k != i {
                let factor = m[k][i];
                for j in 0..n {
                    m[k][j] -= factor * m[i][j];
                    inverse[k][j] -= factor * inverse[i][j];
                }
            }
        }
    }
    d.inverse = inverse;
}
