//! Inertia of a body with everything that hangs on it.

use super::Symmetric;
use fender_math::{Mat3, Twist, Vec3, Wrench};
use std::ops::AddAssign;

/// A symmetric 6 × 6 matrix from accelerations (of a point, and angular) to force and torque about that point, in blocks
/// [[linear, coupling], [couplingᵀ, angular]].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia {
    /// Force per acceleration [kg].
    pub linear: Symmetric,
    /// Force per angular acceleration [kg·m].
    pub coupling: Mat3,
    /// Torque per angular acceleration [kg·m²].
    pub angular: Symmetric,
}

/// a bᵀ.
#[inline]
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl ArticulatedInertia {
    /// No inertia.
    pub const ZERO: Self = Self { linear: Symmetric::ZERO, coupling: Mat3::ZERO, angular: Symmetric::ZERO };

    /// A rigid body about its centre of mass.
    #[inline]
    pub fn rigid(mass: f64, inertia: Symmetric) -> Self {
        Self { linear: Symmetric::from_diagonal(Vec3::splat(mass)), coupling: Mat3::ZERO, angular: inertia }
    }

    /// Force and torque for an acceleration.
    #[inline]
    pub fn times(&self, a: &Twist) -> Wrench {
        let c = &self.coupling;
        let turned = Vec3::new(c.x_axis.dot(a.linear), c.y_axis.dot(a.linear), c.z_axis.dot(a.linear));
        Wrench {
            force: self.linear * a.linear + self.coupling * a.angular,
            torque: turned + self.angular * a.angular,
        }
    }

    /// Takes away a bᵀ, which is symmetric or part of a symmetric sum.
    #[inline]
    pub fn subtract_outer(&mut self, a: &Wrench, b: &Wrench) {
        self.linear -= Symmetric::outer(a.force, b.force);
        self.coupling -= outer(a.force, b.torque);
        self.angular -= Symmetric::outer(a.torque, b.torque);
    }

    /// The same inertia about the point from which this one's is at `r` [m], both fixed to each other: with
    /// a = a' + α × r the force is the same and the torque grows by r × force.
    #[inline]
    pub fn moved(&self, r: Vec3) -> Self {
        // a = a' − r × α, so with the matrix x of r × coupling' = coupling − linear·x, and
        // angular' = angular + x·coupling' + (x·coupling)ᵀ.
        let (d, o, c) = (self.linear.diagonal, self.linear.beside, &self.coupling);
        let (rows_x, rows_y, rows_z) =
            (Vec3::new(d.x, o.z, o.y), Vec3::new(o.z, d.y, o.x), Vec3::new(o.y, o.x, d.z));
        let n = Mat3::from_cols(
            c.x_axis - (rows_y * r.z - rows_z * r.y),
            c.y_axis - (rows_z * r.x - rows_x * r.z),
            c.z_axis - (rows_x * r.y - rows_y * r.x),
        );
        let diagonal = Vec3::new(
            r.y * (n.x_axis.z + c.x_axis.z) - r.z * (n.x_axis.y + c.x_axis.y),
            r.z * (n.y_axis.x + c.y_axis.x) - r.x * (n.y_axis.z + c.y_axis.z),
            r.x * (n.z_axis.y + c.z_axis.y) - r.y * (n.z_axis.x + c.z_axis.x),
        );
        // Entry (i, j) is (r × n_j) along i plus (r × c_i) along j.
        let beside = Vec3::new(
            r.z * n.z_axis.x - r.x * n.z_axis.z + r.x * c.y_axis.y - r.y * c.y_axis.x,
            r.x * n.x_axis.y - r.y * n.x_axis.x + r.y * c.z_axis.z - r.z * c.z_axis.y,
            r.y * n.y_axis.z - r.z * n.y_axis.y + r.z * c.x_axis.x - r.x * c.x_axis.z,
        );
        let mut angular = self.angular;
        angular += Symmetric { diagonal, beside };
        Self { linear: self.linear, coupling: n, angular }
    }

    /// The acceleration under a wrench: solves the 6 × 6 system by the block elimination that positive definite matrices
    /// allow. `None` if there is no inertia in some direction.
    pub fn solve(&self, w: &Wrench) -> Option<Twist> {
        let inverse = invert(self.linear.full())?;
        let schur = self.angular.full() - self.coupling.transpose() * inverse * self.coupling;
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
        let mut inertia = ArticulatedInertia::rigid(3.0, Symmetric::from_diagonal(Vec3::new(1.0, 2.0, 2.5)));
        inertia += ArticulatedInertia::rigid(2.0, Symmetric::from_diagonal(Vec3::ONE))
            .moved(Vec3::new(0.3, -0.2, 0.7));
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
