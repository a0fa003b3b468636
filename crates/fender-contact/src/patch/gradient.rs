//! The generalised depth of a patch and the direction in which it grows.

use crate::PatchOverlap;
use fender_math::Vec3;

/// What a normal law is a function of on a patch. The elastic force on the first body is `normal`·f with the couple `lever`·f about the
/// patch's point, whatever its magnitude f; the rate of approach that does work on it is −(`normal`·v + `lever`·ω).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchGradient {
    /// Depth D = 2M/V [m]: the depth of a flat face, two thirds of the greatest depth of an edge, half of that of a corner.
    pub depth: f64,
    /// Unit direction of the force on the first body.
    pub normal: Vec3,
    /// Couple per force [m].
    pub lever: Vec3,
    /// Magnitude of the gradient: of D for a depth law [1], where it is 1 on a face, 2/3 on an edge and 1/2 on a corner; of the moment
    /// of depth for a foundation [m³].
    pub size: f64,
    /// How fast the depth D grows per approach speed [1].
    pub growth: f64,
}

impl PatchGradient {
    /// Of D, for laws that are functions of a depth: W = Φ(D), so that the force is Φ′(D)·∂D.
    #[inline]
    pub fn of_depth(patch: &PatchOverlap) -> Self {
        let depth = 2.0 * patch.moment / patch.volume;
        let (by_moment, by_volume) = (2.0 / patch.volume, depth / patch.volume);
        let force = patch.push * by_moment - patch.section * by_volume;
        let torque = patch.turn * by_moment - patch.section_turn * by_volume;
        let gradient = Self::new(depth, force, torque);
        Self { growth: gradient.size, ..gradient }
    }

    /// Of the moment of depth M, for an elastic foundation: W = k·M, so that the force is k times the push.
    #[inline]
    pub fn of_moment(patch: &PatchOverlap) -> Self {
        let depth = 2.0 * patch.moment / patch.volume;
        let gradient = Self::new(depth, patch.push, patch.turn);
        let growth = (2.0 * gradient.size - depth * patch.section.dot(gradient.normal)) / patch.volume;
        Self { growth: growth.max(0.0), ..gradient }
    }

    #[inline]
    fn new(depth: f64, force: Vec3, torque: Vec3) -> Self {
        let size = force.length();
        if size > 0.0 {
            Self { depth, normal: force / size, lever: torque / size, size, growth: 0.0 }
        } else {
            // A body that is pushed from all sides alike has no direction: nothing acts on it.
            Self { depth, normal: Vec3::Z, ..Self::default() }
        }
    }
}
