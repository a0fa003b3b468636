//! How a tree gives way to a wrench on one of its links: columns of M⁻¹Jᵀ in O(n), and the mobility of every link in O(n).
//!
//! With the articulated inertias known (`articulated.rs`), a wrench on a link passes inward through the joints, which
//! yield, and comes back outward as accelerations. Kreutz-Delgado, Jain & Rodriguez 1992; Featherstone 2008, §7.2. Closed
//! loops are not seen: they only stiffen.

use super::{Carrier, Link, LinkData, carried, dot, scaled, shifted};
use crate::data::BodyKinematics;
use crate::joint::MAX_DOF;
use fender_math::{Mat3, Twist, Vec3, Wrench};

/// From a wrench on a body (about its centre) to the body's acceleration, when nothing else acts: symmetric, in blocks
/// [[linear, coupling], [couplingᵀ, angular]].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mobility {
    /// Acceleration per force [1/kg].
    pub linear: Mat3,
    /// Acceleration per torque [1/(kg·m)].
    pub coupling: Mat3,
    /// Angular acceleration per torque [1/(kg·m²)].
    pub angular: Mat3,
}

impl Mobility {
    /// A body that does not give way.
    pub const NONE: Self = Self { linear: Mat3::ZERO, coupling: Mat3::ZERO, angular: Mat3::ZERO };

    /// Acceleration under a wrench.
    #[inline]
    pub fn times(&self, w: &Wrench) -> Twist {
        Twist {
            linear: self.linear * w.force + self.coupling * w.torque,
            angular: self.coupling.transpose() * w.force + self.angular * w.torque,
        }
    }

    /// How much a unit impulse along `direction`, at `arm` from the centre, changes the velocity there [1/kg].
    #[inline]
    pub fn inverse_mass_at(&self, arm: Vec3, direction: Vec3) -> f64 {
        let wrench = Wrench::from_force_at(direction, arm);
        wrench.power(&self.times(&wrench))
    }

    /// The six answers to unit forces along and unit torques about the world's axes.
    fn of(answer: impl Fn(&Wrench) -> Twist) -> Self {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let forces = axes.map(|axis| answer(&Wrench { force: axis, torque: Vec3::ZERO }).linear);
        let torques = axes.map(|axis| answer(&Wrench { force: Vec3::ZERO, torque: axis }));
        let columns = |v: [Vec3; 3]| Mat3::from_cols(v[0], v[1], v[2]);
        Self {
            linear: columns(forces),
            coupling: columns(torques.map(|t| t.linear)),
            angular: columns(torques.map(|t| t.angular)),
        }
    }
}

/// What the coordinates take of a wrench on their link: D⁻¹ Sᵀ w.
#[inline]
pub(super) fn taken(link: &Link, d: &LinkData, wrench: &Wrench) -> [f64; MAX_DOF] {
    let mut along = [0.0; MAX_DOF];
    for (along, column) in along.iter_mut().zip(&d.subspace[..link.nv]) {
        *along = dot(wrench, column);
    }
    solved(link, d, &along)
}

/// D⁻¹ x.
#[inline]
fn solved(link: &Link, d: &LinkData, x: &[f64; MAX_DOF]) -> [f64; MAX_DOF] {
    let mut out = [0.0; MAX_DOF];
    for (out, row) in out.iter_mut().zip(&d.inverse[..link.nv]) {
        *out = row[..link.nv].iter().zip(x).map(|(a, b)| a * b).sum();
    }
    out
}

/// The wrench that the parent feels, about its centre.
#[inline]
pub(super) fn passed(link: &Link, d: &LinkData, wrench: &Wrench, taken: &[f64; MAX_DOF]) -> Wrench {
    let mut rest = *wrench;
    for (column, share) in d.columns[..link.nv].iter().zip(taken) {
        rest += scaled(column, -share);
    }
    shifted(&rest, d.r)
}

/// Rates of a link's coordinates, and its acceleration, for its parent's acceleration and what the coordinates took of a
/// wrench.
#[inline]
pub(super) fn yielding(
    link: &Link,
    d: &LinkData,
    parent: &Twist,
    taken: &[f64; MAX_DOF],
) -> ([f64; MAX_DOF], Twist) {
    let mut a = carried(parent, d.r);
    let mut held = [0.0; MAX_DOF];
    for (held, column) in held.iter_mut().zip(&d.columns[..link.nv]) {
        *held = dot(column, &a);
    }
    let held = solved(link, d, &held);
    let mut rates = [0.0; MAX_DOF];
    for k in 0..link.nv {
        rates[k] = taken[k] - held[k];
        a.linear += d.subspace[k].linear * rates[k];
        a.angular += d.subspace[k].angular * rates[k];
    }
    (rates, a)
}

/// Mobilities of all links, after [`accelerations`](super::accelerations).
pub fn mobilities(links: &[Link], data: &mut [LinkData]) {
    for i in 0..links.len() {
        let d = &data[i];
        let mobility = if matches!(links[i].carrier, Carrier::Nothing(_)) {
            Mobility::of(|wrench| d.articulated.solve(wrench).unwrap_or_default())
        } else {
            let parent = links[i].parent().map_or(Mobility::NONE, |p| data[p].mobility);
            Mobility::of(|wrench| {
                let taken = taken(&links[i], d, wrench);
                let base = parent.times(&passed(&links[i], d, wrench, &taken));
                yielding(&links[i], d, &base, &taken).1
            })
        };
        data[i].mobility = mobility;
    }
}

/// Rates of all coordinates (in the places of `State::v`) under a wrench on one link about its centre, when nothing else acts:
/// M⁻¹Jᵀw. After [`accelerations`](super::accelerations).
pub fn response(
    links: &[Link],
    bodies: &[BodyKinematics],
    data: &[LinkData],
    link: usize,
    wrench: &Wrench,
    out: &mut [f64],
) {
    let mut shares = vec![[0.0; MAX_DOF]; links.len()];
    let mut accelerations = vec![Twist::default(); links.len()];
    let mut wrench = *wrench;
    let mut at = Some(link);
    let mut root = None;
    while let Some(i) = at {
        if matches!(links[i].carrier, Carrier::Nothing(_)) {
            root = Some(i);
            break;
        }
        shares[i] = taken(&links[i], &data[i], &wrench);
        wrench = passed(&links[i], &data[i], &wrench, &shares[i]);
        at = links[i].parent();
    }
    for (i, link) in links.iter().enumerate() {
        match &link.carrier {
            Carrier::Nothing(free) => {
                if root == Some(i) {
                    accelerations[i] = data[i].articulated.solve(&wrench).unwrap_or_default();
                }
                let Twist { linear: a, angular } = accelerations[i];
                let rotation = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
                let w = rotation.conjugate() * angular;
                out[free.v..free.v + 6].copy_from_slice(&[a.x, a.y, a.z, w.x, w.y, w.z]);
            }
            Carrier::Joint { link: parent, .. } => {
                let base = parent.map_or(Twist::default(), |p| accelerations[p]);
                let (rates, a) = yielding(link, &data[i], &base, &shares[i]);
                out[link.v..link.v + link.nv].copy_from_slice(&rates[..link.nv]);
                accelerations[i] = a;
            }
        }
    }
}
