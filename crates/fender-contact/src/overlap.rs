//! What geometry tells a law.

use fender_math::{Mat3, Vec3};

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

/// Two solids overlapping in a volume: integrals of the geometry, without any stiffness.
///
/// `moment` M = ∫ d dV over the overlap, with the depth d of each place below the surface of one of the two solids (the soft one), and
/// `volume` V are functions of the relative pose. `push`, `turn` and `section`, `section_turn` are their negative gradients: when the
/// first body moves by u and turns by θ about `point`, dM = −push·u − turn·θ and dV = −section·u − section_turn·θ. A
/// law that is a function of M and V has therefore a potential, whatever the shapes (Elandt, Drumwright, Sherman and Ruina 2019;
/// Gonthier 2007, chapter 4, for a single flat face).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchOverlap {
    /// Centroid of the overlap, in the world [m].
    pub point: Vec3,
    /// First moment of depth M [m⁴].
    pub moment: f64,
    /// Volume V [m³].
    pub volume: f64,
    /// −∂M/∂(displacement of the first body) [m³]: sum over the soft solid's cells of their volume times the outward normal of
    /// their face, turned so that it pushes the first body away from the second.
    pub push: Vec3,
    /// −∂M/∂(rotation of the first body about `point`) [m⁴].
    pub turn: Vec3,
    /// −∂V/∂(displacement) [m²].
    pub section: Vec3,
    /// −∂V/∂(rotation about `point`) [m³].
    pub section_turn: Vec3,
    /// Second moments ∫ρρᵀdV about `point`, in the world [m⁵].
    pub second: Mat3,
}

/// Relative motion of the two bodies at the point of action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Rate at which the depth grows [m/s]: positive while approaching.
    pub approach: f64,
    /// Velocity of the first body relative to the second, perpendicular to the normal [m/s].
    pub slip: Vec3,
}
