//! parry's algorithm of Gilbert, Johnson and Keerthi (1988), started as it wants to be: from an empty simplex it takes everything for
//! overlapping.

use fender_math::Vec3;
use parry3d_f64::math::Pose;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};
use parry3d_f64::shape::SupportMap;

/// Nearest points of two convex solids, the second at `offset` [m] from the first, if they are within `reach` [m]. `offset` has to be
/// finite. Sizes should be about 1, as parry's tolerances are lengths.
pub fn nearest(a: &impl SupportMap, b: &impl SupportMap, offset: Vec3, reach: f64) -> GJKResult {
    let pose_ab = Pose::from_translation(offset);
    let mut simplex = VoronoiSimplex::new();
    let start = (-offset).try_normalize().unwrap_or(Vec3::X);
    simplex.reset(CsoPoint::from_shapes(&pose_ab, a, b, start));
    closest_points(&pose_ab, a, b, reach, true, &mut simplex)
}
