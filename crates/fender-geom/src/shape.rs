//! Shapes a body can have.

use fender_math::{MassProperties, Pose, Vec3};

/// A solid in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Ball about the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// Everything below z = 0; the surface is the x–y plane and the outward normal is +z.
    HalfSpace,
    /// Box about the origin, edges along the axes.
    Box {
        /// Half of each edge [m].
        half: Vec3,
    },
    /// Cylinder about the origin, axis along z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half of the height [m].
        half_height: f64,
    },
    /// Capsule about the origin: all points within `radius` of a segment along z.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half of the segment's length [m].
        half_height: f64,
    },
}

/// Why a shape is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is zero, negative or not finite.
    #[error("{what} of a {shape} must be positive and finite, and is {value} m")]
    Size {
        /// Shape's name.
        shape: &'static str,
        /// Which length.
        what: &'static str,
        /// Its value [m].
        value: f64,
    },
}

impl Shape {
    /// Name as written in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::HalfSpace => "half_space",
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
        }
    }

    /// Checks that every length is positive and finite.
    pub fn check(&self) -> Result<(), ShapeError> {
        unimplemented!()
    }

    /// Mass properties for a density [kg/m³]; `None` for a shape without a volume of its own (half-space).
    pub fn mass_properties(&self, _density: f64) -> Option<MassProperties> {
        unimplemented!()
    }

    /// Whether two such shapes can meet face on face, so that Hertz' theory has no radius to work with.
    pub fn can_meet_flat(&self, _other: &Shape) -> bool {
        unimplemented!()
    }

    /// Radius about the frame's origin that holds the whole shape [m]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        unimplemented!()
    }

    /// What the pair search needs to know of the shape at `pose_ws`.
    pub fn bounds(&self, _pose_ws: &Pose) -> crate::Bounds {
        unimplemented!()
    }
}
