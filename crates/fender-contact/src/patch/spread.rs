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
        Self { gyration, tilting }
    }
}
