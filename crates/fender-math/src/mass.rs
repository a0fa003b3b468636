//! Mass, centre of mass and inertia of a rigid body; principal axes; what is physically possible.

use crate::{Mat3, Pose, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Mass properties of a rigid body in its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body's frame [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, along the body's axes [kg·m²].
    pub inertia: Mat3,
}

/// Why mass properties are impossible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassError {
    /// The mass is not a positive finite number [kg].
    Mass(f64),
    /// The inertia has an entry that is not finite.
    NotFinite,
    /// The inertia is not symmetric.
    NotSymmetric,
    /// A principal moment is not positive: the three moments [kg·m²].
    NotPositive(Vec3),
    /// The largest principal moment exceeds the sum of the others: the three moments [kg·m²].
    Triangle(Vec3),
}

impl std::fmt::Display for MassError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mass(m) => write!(f, "the mass must be positive and finite, and is {m} kg"),
            Self::NotFinite => write!(f, "the inertia has an entry that is not a finite number"),
            Self::NotSymmetric => write!(f, "the inertia matrix is not symmetric"),
            Self::NotPositive(i) => write!(
                f,
                "every principal moment of inertia must be positive; they are {}, {} and {} kg·m²",
                i.x, i.y, i.z
            ),
            Self::Triangle(i) => write!(
                f,
                "no body has this inertia: its principal moments {}, {} and {} kg·m² break the triangle \
                 inequality (the largest must not exceed the sum of the other two)",
                i.x, i.y, i.z
            ),
        }
    }
}

impl std::error::Error for MassError {}

impl MassProperties {
    /// Solid sphere of `mass` [kg] and `radius` [m].
    pub fn solid_sphere(mass: f64, radius: f64) -> Self {
        let i = 0.4 * mass * radius * radius;
        Self { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(i)) }
    }

    /// The same body seen from another frame: `pose` maps this frame to the new one.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let r = Mat3::from_quat(pose.rotation);
        Self {
            mass: self.mass,
            center: pose.transform_point(self.center),
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// The same shape with another mass [kg] (inertia scales along).
    pub fn with_mass(&self, mass: f64) -> Self {
        Self { mass, center: self.center, inertia: self.inertia * (mass / self.mass) }
    }

    /// Mass properties of several parts, given in one frame.
    pub fn sum(parts: impl Iterator<Item = Self> + Clone) -> Option<Self> {
        let mass: f64 = parts.clone().map(|p| p.mass).sum();
        if mass <= 0.0 {
            return None;
        }
        let center = parts.clone().map(|p| p.center * p.mass).sum::<Vec3>() / mass;
        let mut inertia = Mat3::ZERO;
        for part in parts {
            inertia += part.inertia + point_inertia(part.mass, part.center - center);
        }
        Some(Self { mass, center, inertia })
    }

    /// Checks that a body with these properties can exist.
    pub fn check(&self) -> Result<(), MassError> {
        if !(self.mass.is_finite() && self.mass > 0.0) {
            return Err(MassError::Mass(self.mass));
        }
        if !self.inertia.is_finite() || !self.center.is_finite() {
            return Err(MassError::NotFinite);
        }
        let largest = self.inertia.x_axis.abs().max(self.inertia.y_axis.abs()).max(self.inertia.z_axis.abs());
        let scale = largest.max_element();
        let skew = self.inertia - self.inertia.transpose();
        let skew = skew.x_axis.abs().max(skew.y_axis.abs()).max(skew.z_axis.abs()).max_element();
        if skew > 1e-9 * scale {
            return Err(MassError::NotSymmetric);
        }
        let (moments, _) = self.principal();
        if moments.min_element() <= 0.0 {
            return Err(MassError::NotPositive(moments));
        }
        let sum = moments.x + moments.y + moments.z;
        // A flat plate meets the inequality with equality: allow for rounding in what was typed.
        if moments.max_element() > (sum - moments.max_element()) * (1.0 + 1e-6) {
            return Err(MassError::Triangle(moments));
        }
        Ok(())
    }

    /// Principal moments [kg·m²] and the rotation from principal axes to the body's axes.
    /// A diagonal inertia keeps the body's own axes, in their order.
    pub fn principal(&self) -> (Vec3, Quat) {
        let (moments, axes) = symmetric_eigen(self.inertia);
        (moments, Quat::from_mat3(&axes).normalize())
    }
}

/// Inertia of a point mass [kg·m²] at `r` [m] about the origin.
pub fn point_inertia(mass: f64, r: Vec3) -> Mat3 {
    let outer = Mat3::from_cols(r * r.x, r * r.y, r * r.z);
    (Mat3::from_diagonal(Vec3::splat(r.length_squared())) - outer) * mass
}

/// Eigenvalues of a symmetric matrix and a right-handed set of eigenvectors (columns), by Jacobi rotations:
/// accurate to rounding also for equal eigenvalues, and the identity for a diagonal matrix.
pub fn symmetric_eigen(m: Mat3) -> (Vec3, Mat3) {
    let mut a = m.to_cols_array_2d();
    let mut v = Mat3::IDENTITY.to_cols_array_2d();
    for _ in 0..50 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        let diagonal = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
        if off <= f64::EPSILON * 0.5 * diagonal {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (akp, akq) = (a[k][p], a[k][q]);
                a[k][p] = c * akp - s * akq;
                a[k][q] = s * akp + c * akq;
            }
            for k in 0..3 {
                let (apk, aqk) = (a[p][k], a[q][k]);
                a[p][k] = c * apk - s * aqk;
                a[q][k] = s * apk + c * aqk;
            }
            // Columns of `v` are eigenvectors; `v` is stored by columns, so rotate its columns p and q.
            for k in 0..3 {
                let (vp, vq) = (v[p][k], v[q][k]);
                v[p][k] = c * vp - s * vq;
                v[q][k] = s * vp + c * vq;
            }
        }
    }
    let values = Vec3::new(a[0][0], a[1][1], a[2][2]);
    let vectors = Mat3::from_cols_array_2d(&v);
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_rebuild_the_matrix_and_are_right_handed() {
        let r = Mat3::from_quat(crate::rotation::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), 1.1));
        for d in [Vec3::new(3.0, 1.0, 2.0), Vec3::new(2.0, 2.0, 1.0), Vec3::new(1.0, 1.0 + 1e-9, 1.0)] {
            let m = r * Mat3::from_diagonal(d) * r.transpose();
            let (values, vectors) = symmetric_eigen(m);
            let rebuilt = vectors * Mat3::from_diagonal(values) * vectors.transpose();
            assert!(rebuilt.abs_diff_eq(m, 1e-14));
            assert!((vectors.determinant() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn diagonal_inertia_keeps_its_axes() {
        let body = MassProperties {
            mass: 1.0,
            center: Vec3::ZERO,
            inertia: Mat3::from_diagonal(Vec3::new(3.0, 1.0, 2.5)),
        };
        let (moments, axes) = body.principal();
        assert_eq!(moments, Vec3::new(3.0, 1.0, 2.5));
        assert_eq!(axes, Quat::IDENTITY);
    }

    #[test]
    fn impossible_inertia_is_refused() {
        let with =
            |d: Vec3| MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Mat3::from_diagonal(d) };
        assert!(with(Vec3::new(1.0, 1.0, 2.0)).check().is_ok());
        assert!(matches!(with(Vec3::new(1.0, 1.0, 2.1)).check(), Err(MassError::Triangle(_))));
        assert!(matches!(with(Vec3::new(1.0, 0.0, 1.0)).check(), Err(MassError::NotPositive(_))));
        assert!(matches!(MassProperties::solid_sphere(-1.0, 1.0).check(), Err(MassError::Mass(_))));
        assert!(matches!(MassProperties::solid_sphere(f64::NAN, 1.0).check(), Err(MassError::Mass(_))));
    }

    #[test]
    fn parts_add_up() {
        // Two half rods make a rod: m l²/12 about the middle.
        let half = |x: f64| MassProperties {
            mass: 1.0,
            center: Vec3::new(x, 0.0, 0.0),
            inertia: Mat3::from_diagonal(Vec3::new(0.0, 1.0 / 12.0, 1.0 / 12.0)),
        };
        let rod = MassProperties::sum([half(-0.5), half(0.5)].into_iter()).unwrap();
        assert!((rod.inertia.y_axis.y - 2.0 * 4.0 / 12.0).abs() < 1e-14);
        assert_eq!(rod.center, Vec3::ZERO);
    }
}
