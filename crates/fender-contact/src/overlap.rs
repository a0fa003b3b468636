//! What geometry tells a law.

use fender_math::Vec3;

/// Two surfaces overlapping at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOverlap {
    /// Point of action, on one of the two surfaces or between them, in the world [m].
    pub point: Vec3,
    /// Unit normal from the second body to the first, in the world.
    pub normal: Vec3,
    /// Depth of the overlap along the normal, positive when overlapping [m].
    pub depth: f64,
    /// Relative curvature at the point, zero for flat on flat [1/m]: half the sum of the principal curvatures of both
    /// surfaces, for balls `1/R_a + 1/R_b`. With A ≤ B of Hertz' gap A·x² + B·y² it is A + B.
    pub curvature: f64,
    /// How far from round the contact is [1/m]: along the direction of least relative curvature (the long axis of the
    /// patch, either way), of the length B − A. Zero for balls, and where the contact is a line or a face.
    pub elongation: Vec3,
    /// Part of the pair's stiffness that this point carries, between 0 and 1. Against a half-space it is such that
    /// the contact has a potential: 1 for a sphere, 1/2 for each end of a capsule, 1/4 for each corner of a box and
    /// each of the rim points that stand for a cylinder; a face pressed evenly adds up to 1, an edge or the side of a
    /// cylinder to 1/2. Of a polyhedron with many corners it changes with their depths. Between other shapes the shares go with the depths of the points and always add up to 1.
    pub share: f64,
}

/// Relative motion of the two bodies at the point of action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Rate at which the depth grows [m/s]: positive while approaching.
    pub approach: f64,
    /// Velocity of the first body relative to the second, perpendicular to the normal [m/s].
    pub slip: Vec3,
}
