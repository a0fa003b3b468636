//! Bounds of a shape in the world, for the pair search.

use fender_math::Vec3;

/// Simple region that holds a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// Axis-aligned box.
    Box {
        /// Lower corner [m].
        min: Vec3,
        /// Upper corner [m].
        max: Vec3,
    },
    /// All points p with normal·p ≤ offset.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
        /// Distance of the surface from the world's origin along the normal [m].
        offset: f64,
    },
}
