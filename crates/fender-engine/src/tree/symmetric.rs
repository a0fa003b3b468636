//! Symmetric 3 × 3 matrices by their six numbers.
//!
//! Not only for speed: in the recursion of the articulated-body algorithm, rounding that breaks the symmetry grows from
//! link to link. Here there is nothing that could become unsymmetric.

use fender_math::{Mat3, Vec3};
use std::ops::{AddAssign, Mul, SubAssign};

/// A symmetric matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric {
    /// The diagonal: xx, yy, zz.
    pub diagonal: Vec3,
    /// Beside it: yz, zx, xy.
    pub beside: Vec3,
}

impl Symmetric {
    /// Nothing.
    pub const ZERO: Self = Self { diagonal: Vec3::ZERO, beside: Vec3::ZERO };

    /// A diagonal matrix.
    #[inline]
    pub fn from_diagonal(diagonal: Vec3) -> Self {
        Self { diagonal, beside: Vec3::ZERO }
    }

    /// The matrix with given eigenvalues along the columns of `axes`.
    #[inline]
    pub fn turned(axes: &Mat3, values: Vec3) -> Self {
        let (a, b, c) = (axes.x_axis, axes.y_axis, axes.z_axis);
        let mut sum = Self::outer(a, a * values.x);
        sum += Self::outer(b, b * values.y);
        sum += Self::outer(c, c * values.z);
        sum
    }

    /// a bᵀ, for b along a or in a sum that is symmetric.
    #[inline]
    pub fn outer(a: Vec3, b: Vec3) -> Self {
        Self { diagonal: a * b, beside: Vec3::new(a.y * b.z, a.z * b.x, a.x * b.y) }
    }

    /// All nine numbers.
    #[inline]
    pub fn full(&self) -> Mat3 {
        let (d, o) = (self.diagonal, self.beside);
        Mat3::from_cols(Vec3::new(d.x, o.z, o.y), Vec3::new(o.z, d.y, o.x), Vec3::new(o.y, o.x, d.z))
    }
}

impl Mul<Vec3> for Symmetric {
    type Output = Vec3;

    #[inline]
    fn mul(self, v: Vec3) -> Vec3 {
        let (d, o) = (self.diagonal, self.beside);
        Vec3::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }
}

impl AddAssign for Symmetric {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.diagonal += other.diagonal;
        self.beside += other.beside;
    }
}

impl SubAssign for Symmetric {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.diagonal -= other.diagonal;
        self.beside -= other.beside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::rotation;

    #[test]
    fn it_is_the_matrix_it_stands_for() {
        let axes = Mat3::from_quat(rotation::from_rotation_vector(Vec3::new(0.3, -0.8, 1.1)));
        let values = Vec3::new(1.0, 2.0, 2.5);
        let full = axes * Mat3::from_diagonal(values) * axes.transpose();
        let matrix = Symmetric::turned(&axes, values);
        assert!(matrix.full().abs_diff_eq(full, 1e-15));
        let v = Vec3::new(0.7, -0.2, 0.4);
        assert!((matrix * v - full * v).length() < 1e-15);
    }
}
