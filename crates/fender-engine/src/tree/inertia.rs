//! Inertia of a body with everything that hangs on it.

use fender_math::{Mat3, Twist, Vec3, Wrench};
use std::ops::AddAssign;

/// A symmetric 6 × 6 matrix from accelerations (of a point, and angular) to force and torque about that point, in blocks
/// [[linear, coupling], [couplingᵀ, angular]].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArticulatedInertia {
    /// Force per acceleration [kg].
    pub linear: Mat3,
    /// Force per angular acceleration [kg·m].
    pub coupling: Mat3,
    /// Torque per angular acceleration [kg·m²].
    pub angular: Mat3,
}

/// The matrix of r ×.
#[inline]
fn cross_matrix(r: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, r.z, -r.y), Vec3::new(-r.z, 0.0, r.x), Vec3::new(r.y, -r.x, 0.0))
}

/// a bᵀ.
#[inline]
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl ArticulatedInertia {
    /// No inertia.
    pub const ZERO: Self = Self { linear: Mat3::ZERO, coupling: Mat3::ZERO, angular: Mat3::ZERO };

    /// A rigid body about its centre of mass.
    #[inline]
    pub fn rigid(mass: f64, inertia: Mat3) -> Self {
        Self { linear: Mat3::from_diagonal(Vec3::splat(mass)), coupling: Mat3::ZERO, angular: inertia }
    }

    /// Force and torque for an acceleration.
    #[inline]
    pub fn times(&self, a: &Twist) -> Wrench {
        Wrench {
            force: self.linear * a.linear + self.coupling * a.angular,
            torque: self.coupling.transpose() * a.linear + self.angular * a.angular,
        }
    }

    /// Takes away scale·w wᵀ.
    #[inline]
    pub fn subtract_outer(&mut self, a: &Wrench, b: &Wrench) {
        self.linear -= outer(a.force, b.force);
        self.coupling -= outer(a.force, b.torque);
        self.angular -= outer(a.torque, b.torque);
    }

    /// The same inertia about the point from which this one's is at `r` [m], both fixed to each other: with
    /// a = a' + α × r the force is the same and the torque grows by r × force.
    #[inline]
    pub fn moved(&self, r: Vec3) -> Self {
        let x = cross_matrix(r);
        // a = a' − r × α, so coupling' = coupling − linear·x, and angular' = angular + x·coupling' − couplingᵀ·x.
        let coupling = self.coupling - self.linear * x;
        let angular = self.angular + x * coupling - self.coupling.transpose() * x;
        Self { linear: self.linear, coupling, angular }
    }

    /// The acceleration under a wrench: solves the 6 × 6 system by the block elimination that positive definite matrices
    /// allow. `None` if there is no inertia in some direction.
    pub fn solve(&self, w: &Wrench) -> Option<Twist> {
        let inverse = invert(self.linear)?;
        let schur = self.angular - self.coupling.transpose() * inverse * self.coupling;
        let angular = invert(schur)? * (w.torque - self.coupling.transpose() * (inverse * w.force));
        Some(Twist { linear: inverse * (w.force - self.coupling * angular), angular })
    }
}

fn invert(m: Mat3) -> Option<Mat3> {
    let determinant = m.determinant();
    (determinant.is_finite() && determinant > 0.0).then(|| m.inverse())
}

impl AddAssign for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.coupling += other.coupling;
        self.angular += other.angular;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ArticulatedInertia {
        let mut inertia = ArticulatedInertia::rigid(3.0, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5)));
        inertia +=
            ArticulatedInertia::rigid(2.0, Mat3::from_diagonal(Vec3::ONE)).moved(Vec3::new(0.3, -0.2, 0.7));
        inertia
    }

    #[test]
    fn moving_the_point_changes_neither_force_nor_motion() {
        let (inertia, r) = (sample(), Vec3::new(0.4, 0.9, -0.1));
        let a = Twist { linear: Vec3::new(1.0, 2.0, -0.5), angular: Vec3::new(-0.3, 0.6, 1.1) };
        let there = Twist { linear: a.at(r), angular: a.angular };
        let (here, moved) = (inertia.moved(r).times(&a), inertia.times(&there));
        assert!((here.force - moved.force).length() < 1e-14);
        assert!((here.torque - (moved.torque + r.cross(moved.force))).length() < 1e-14);
    }

    #[test]
    fn solving_undoes_multiplying() {
        let a = Twist { linear: Vec3::new(1.0, 2.0, -0.5), angular: Vec3::new(-0.3, 0.6, 1.1) };
        let back = sample().solve(&sample().times(&a)).unwrap();
        assert!((back.linear - a.linear).length() + (back.angular - a.angular).length() < 1e-13);
        assert_eq!(ArticulatedInertia::ZERO.solve(&Wrench::default()), None);
    }
}
