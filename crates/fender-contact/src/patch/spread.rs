//! How far a patch reaches around its point, in the plane across the normal.

use crate::PatchOverlap;
use fender_math::{Mat3, Vec3};

/// Spread of a patch, each place weighted with the depth of the overlap there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Radius of gyration about the normal [m]: at this distance the slip of a spin counts (Gonthier 2007, eq. 4.201).
    pub gyration: f64,
    /// ∫(ρ × n)(ρ × n)ᵀ dV over V [m²]: how rolling moves the surfaces towards each other.
    pub tilting: Mat3,
    /// Root of its greatest eigenvalue [m]: what bounds the torque of rolling.
    pub tilting_radius: f64,
}

impl Spread {
    /// Spread of a patch across a unit normal.
    #[inline]
    pub fn new(patch: &PatchOverlap, n: Vec3) -> Self {
        let q = patch.second * (1.0 / patch.volume);
        let trace = q.x_axis.x + q.y_axis.y + q.z_axis.z;
        // Rounding must not make it negative: a patch that has only just begun has no spread.
        let gyration = (trace - n.dot(q * n)).max(0.0).sqrt();
        let cross =
            Mat3::from_cols(Vec3::new(0.0, n.z, -n.y), Vec3::new(-n.z, 0.0, n.x), Vec3::new(n.y, -n.x, 0.0));
        let tilting = cross * q * cross.transpose();
        // One eigenvalue is zero, along the normal: the others follow from the trace and the sum of the principal minors.
        let t = tilting;
        let (xx, yy, zz) = (t.x_axis.x, t.y_axis.y, t.z_axis.z);
        let (xy, xz, yz) = (t.y_axis.x, t.z_axis.x, t.z_axis.y);
        let minors = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz;
        let half = 0.5 * (xx + yy + zz);
        let greatest = half + (half * half - minors).max(0.0).sqrt();
        Self { gyration, tilting, tilting_radius: greatest.max(0.0).sqrt() }
    }
}
