//! How trees answer impulses on one or two of their links: M⁻¹Jᵀp in O(n), without the mass matrix.
//!
//! The articulated inertias are found once. Then impulses pass inward through the joints, which yield, and come back
//! outward as jumps of velocity (Mirtich 1996, with Featherstone's articulated inertias). For the collision matrix the inward
//! passes of three unit impulses are enough; the outward one follows once, when the impulse is known.

use super::articulated::invert;
use super::mobility::{passed, taken, yielding};
use super::{ArticulatedInertia, Carrier, Link, LinkData, carried, columns, dot, scaled, shifted};
use crate::data::BodyKinematics;
use crate::joint::MAX_DOF;
use fender_math::{Mat3, Twist, Vec3, Wrench};

/// Articulated inertias of the links `which` (whole trees, parents first), and how their joints yield.
pub fn articulate(links: &[Link], which: &[usize], data: &mut [LinkData]) {
    for &i in which {
        data[i].articulated = ArticulatedInertia::rigid(links[i].mass, data[i].inertia);
    }
    for &i in which.iter().rev() {
        let (n, d) = (links[i].nv, &mut data[i]);
        if matches!(links[i].carrier, Carrier::Nothing(_)) {
            continue;
        }
        for k in 0..n {
            d.columns[k] = d.articulated.times(&d.subspace[k]);
        }
        invert(n, d);
        let Some(parent) = links[i].parent() else { continue };
        let mut felt = d.articulated;
        if n == 1 {
            // The same as below, for the joints that are most.
            felt.subtract_outer(&d.columns[0], &scaled(&d.columns[0], d.inverse[0][0]));
        } else {
            for k in 0..n {
                let mut column = Wrench::default();
                for l in 0..n {
                    column += scaled(&d.columns[l], d.inverse[k][l]);
                }
                felt.subtract_outer(&d.columns[k], &column);
            }
        }
        let r = d.r;
        data[parent].articulated += felt.moved(r);
    }
}

/// Scratch for the answers to impulses along three axes, on one or two links.
#[derive(Debug, Default)]
pub struct Push {
    /// Impulses about the links' centres, per axis.
    wrenches: Vec<[Wrench; 3]>,
    /// What the coordinates take of them, per axis.
    shares: Vec<[[f64; MAX_DOF]; 3]>,
    motions: Vec<Twist>,
    /// Links between the struck ones and their roots, those included, parents first.
    way: Vec<usize>,
}

impl Push {
    /// Lets unit impulses along three axes act on the links: J M⁻¹ Jᵀ of these axes [1/kg]. Each side is a link with the impulses
    /// about its centre; trees that are struck must be articulated.
    ///
    /// With the articulated inertias M⁻¹ is a product of a triangular matrix, D⁻¹ and the transpose: the inward pass alone gives
    /// the matrix, as the sum over the joints on the way of (what reaches the joint)ᵀ D⁻¹ (what reaches the joint).
    pub fn press(
        &mut self,
        links: &[Link],
        data: &[LinkData],
        sides: impl Iterator<Item = (usize, [Wrench; 3])> + Clone,
    ) -> Mat3 {
        self.wrenches.resize(links.len(), [Wrench::default(); 3]);
        self.shares.resize(links.len(), [[0.0; MAX_DOF]; 3]);
        self.motions.resize(links.len(), Twist::default());
        self.way.clear();
        for (link, _) in sides.clone() {
            self.way.extend(std::iter::successors(Some(link), |i| links[*i].parent()));
        }
        self.way.sort_unstable();
        self.way.dedup();
        for &i in &self.way {
            self.wrenches[i] = [Wrench::default(); 3];
        }
        for (link, impulses) in sides {
            for (sum, impulse) in self.wrenches[link].iter_mut().zip(&impulses) {
                *sum += *impulse;
            }
        }
        let mut columns = [Vec3::ZERO; 3];
        for &i in self.way.iter().rev() {
            let (link, d) = (&links[i], &data[i]);
            let on = self.wrenches[i];
            if matches!(link.carrier, Carrier::Nothing(_)) {
                for (column, wrench) in columns.iter_mut().zip(&on) {
                    let motion = d.articulated.solve(wrench).unwrap_or_default();
                    *column += Vec3::from_array(on.map(|w| dot(&w, &motion)));
                }
                continue;
            }
            let mut parent = link.parent().map(|p| &mut self.wrenches[p]);
            if link.nv == 1 {
                // The same as below, for the joints that are most.
                let reaching = Vec3::from_array(on.map(|w| dot(&w, &d.subspace[0])));
                let share = reaching * d.inverse[0][0];
                for (k, part) in share.to_array().into_iter().enumerate() {
                    self.shares[i][k][0] = part;
                    columns[k] += reaching * part;
                    if let Some(parent) = &mut parent {
                        let mut rest = on[k];
                        rest += scaled(&d.columns[0], -part);
                        parent[k] += shifted(&rest, d.r);
                    }
                }
                continue;
            }
            for k in 0..3 {
                let share = taken(link, d, &on[k]);
                self.shares[i][k] = share;
                for (column, share) in d.subspace[..link.nv].iter().zip(share) {
                    columns[k] += Vec3::from_array(on.map(|w| dot(&w, column))) * share;
                }
                if let Some(parent) = &mut parent {
                    parent[k] += passed(link, d, &on[k], &share);
                }
            }
        }
        Mat3::from_cols(columns[0], columns[1], columns[2])
    }

    /// Jumps of all coordinates of the links `which` (whole trees, parents first) under an impulse with these parts along the
    /// axes of [`Push::press`], in the places of `State::v`; only trees that were pressed move.
    pub fn spread(
        &mut self,
        links: &[Link],
        which: &[usize],
        bodies: &[BodyKinematics],
        data: &[LinkData],
        impulse: Vec3,
        out: &mut [f64],
    ) {
        let parts = impulse.to_array();
        let mut way = self.way.iter().peekable();
        for &i in which {
            while way.next_if(|next| **next < i).is_some() {}
            let pressed = way.peek() == Some(&&i);
            let link = &links[i];
            match &link.carrier {
                Carrier::Nothing(free) => {
                    let mut on = Wrench::default();
                    if pressed {
                        for (wrench, part) in self.wrenches[i].iter().zip(parts) {
                            on += scaled(wrench, part);
                        }
                    }
                    let motion = data[i].articulated.solve(&on).unwrap_or_default();
                    self.motions[i] = motion;
                    let rotation = bodies[link.body.index()].pose.rotation * free.pose_bc.rotation;
                    let (a, w) = (motion.linear, rotation.conjugate() * motion.angular);
                    out[free.v..free.v + 6].copy_from_slice(&[a.x, a.y, a.z, w.x, w.y, w.z]);
                }
                Carrier::Joint { link: parent, .. } => {
                    let base = parent.map_or(Twist::default(), |p| self.motions[p]);
                    if link.nv == 1 {
                        // The same as below, for the joints that are most.
                        let d = &data[i];
                        let of = self.shares[i];
                        let taken = Vec3::new(of[0][0], of[1][0], of[2][0]).dot(impulse);
                        let mut a = carried(&base, d.r);
                        let rate =
                            if pressed { taken } else { 0.0 } - d.inverse[0][0] * dot(&d.columns[0], &a);
                        a.linear += d.subspace[0].linear * rate;
                        a.angular += d.subspace[0].angular * rate;
                        out[link.v] = rate;
                        self.motions[i] = a;
                        continue;
                    }
                    let mut share = [0.0; MAX_DOF];
                    if pressed {
                        for (of, part) in self.shares[i].iter().zip(parts) {
                            for (sum, x) in share[..link.nv].iter_mut().zip(of) {
                                *sum += part * x;
                            }
                        }
                    }
                    let (rates, a) = yielding(link, &data[i], &base, &share);
                    out[link.v..link.v + link.nv].copy_from_slice(&rates[..link.nv]);
                    self.motions[i] = a;
                }
            }
        }
    }

    /// Jump of a link's velocity, after [`Push::spread`] or [`Push::follow`].
    pub fn motion(&self, link: usize) -> Twist {
        self.motions[link]
    }

    /// Takes the jumps of the coordinates of the links `which` (whole trees, parents first) as given, and finds those of the
    /// links.
    pub fn follow(
        &mut self,
        links: &[Link],
        which: &[usize],
        bodies: &[BodyKinematics],
        data: &[LinkData],
        jumps: &[f64],
    ) {
        self.motions.resize(links.len(), Twist::default());
        for &i in which {
            let link = &links[i];
            let mut motion = link.parent().map_or(Twist::default(), |p| carried(&self.motions[p], data[i].r));
            let columns = columns(link, &data[i], bodies);
            for (column, jump) in columns[..link.nv].iter().zip(&jumps[link.v..link.v + link.nv]) {
                motion.linear += column.linear * *jump;
                motion.angular += column.angular * *jump;
            }
            self.motions[i] = motion;
        }
    }
}

/// Adds what an impulse (about the link's centre) is on the coordinates between the link and its root: Jᵀp.
pub(crate) fn add_generalised(
    links: &[Link],
    bodies: &[BodyKinematics],
    data: &[LinkData],
    link: usize,
    impulse: &Wrench,
    mut add: impl FnMut(usize, f64),
) {
    let mut impulse = *impulse;
    let mut at = Some(link);
    while let Some(i) = at {
        let columns = columns(&links[i], &data[i], bodies);
        for (k, column) in columns[..links[i].nv].iter().enumerate() {
            add(links[i].v + k, impulse.power(column));
        }
        let r: Vec3 = data[i].r;
        impulse = shifted(&impulse, r);
        at = links[i].parent();
    }
}
