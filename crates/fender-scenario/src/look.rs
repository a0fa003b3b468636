//! What a scenario says about how it is looked at. Nothing here has an effect on the motion.

use fender_engine::BodyId;
use fender_math::{Pose, Vec3};

/// A mesh that shows a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visual {
    /// Body.
    pub body: BodyId,
    /// Index in [`crate::Scenario::meshes`].
    pub mesh: u32,
    /// Pose of the scaled mesh in the body's frame.
    pub pose: Pose,
    /// Factors along the mesh's axes: from its unit to metres.
    pub scale: Vec3,
}

/// A place to look from.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Name.
    pub name: String,
    /// Where the eye is [m]: in the world, or in the frame of the body `from`.
    pub eye: Vec3,
    /// What it looks at [m], likewise.
    pub target: Vec3,
    /// Body that eye and target move with, without turning.
    pub follow: Option<BodyId>,
    /// Body that the eye is fixed to.
    pub from: Option<BodyId>,
}
