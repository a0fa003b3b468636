//! Shapes of bodies.

use super::body::OrientationSpec;
use crate::quantity::{Length, Number, Positive, Quantity, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A solid about the origin of its frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeSpec {
    /// Ball.
    Sphere {
        /// Radius.
        radius: Quantity<Length, Positive>,
    },
    /// Box with edges along the axes.
    Box {
        /// Lengths of the edges.
        size: [Quantity<Length, Positive>; 3],
    },
    /// Cylinder along z.
    Cylinder {
        /// Radius.
        radius: Quantity<Length, Positive>,
        /// Height.
        height: Quantity<Length, Positive>,
    },
    /// Cylinder along z with half a ball on each end.
    Capsule {
        /// Radius.
        radius: Quantity<Length, Positive>,
        /// Height of the cylindrical part.
        height: Quantity<Length, Positive>,
    },
    /// Everything on one side of a plane: the points p with normal·p ≤ offset (normal taken as a unit vector).
    HalfSpace {
        /// Outward normal, of any length.
        normal: Vector<Number>,
        /// Distance of the plane from the origin, along the normal.
        #[serde(default)]
        offset: Quantity<Length>,
    },
}

/// One shape of a compound body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartSpec {
    /// Shape.
    pub shape: ShapeSpec,
    /// Position of its frame in the body's.
    #[serde(default)]
    pub position: Vector<Length>,
    /// Orientation of its frame in the body's.
    #[serde(default)]
    pub orientation: OrientationSpec,
    /// Material, if it is not the body's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
}
