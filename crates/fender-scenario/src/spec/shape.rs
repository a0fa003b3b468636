//! Shapes of bodies.

use super::body::OrientationSpec;
use super::visual::ScaleSpec;
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
        /// Height of the cylinder, without the round ends: from end to end the capsule is higher by two radii.
        height: Quantity<Length, Positive>,
    },
    /// Ellipsoid.
    Ellipsoid {
        /// Half axes along x, y and z.
        radii: [Quantity<Length, Positive>; 3],
    },
    /// Cone along z, with its tip at half the height above the origin and its base as far below.
    Cone {
        /// Radius of the base.
        radius: Quantity<Length, Positive>,
        /// Height.
        height: Quantity<Length, Positive>,
    },
    /// Everything around a round hole along z: a plate without end to the sides. It meets spheres, which must be smaller than the
    /// hole.
    Bore {
        /// Radius of the hole.
        radius: Quantity<Length, Positive>,
        /// Length of the hole, half of it above the origin: the thickness of the plate. Without it the hole has no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<Quantity<Length, Positive>>,
    },
    /// Everything around a conical hole along z that opens upwards, with its tip at half the height below the origin and its mouth as
    /// far above, in a plane without end. It meets spheres.
    Funnel {
        /// Radius of the mouth.
        radius: Quantity<Length, Positive>,
        /// Height of the mouth above the tip.
        height: Quantity<Length, Positive>,
    },
    /// Everything below two planes that meet in a line through the origin: a wedge without end. It meets spheres.
    Edge {
        /// Outward normals of the two faces, of any length.
        normals: [Vector<Number>; 2],
    },
    /// Ring about z: what a ball of radius `tube` sweeps along a circle in the x–y plane.
    Torus {
        /// Radius of the circle, from the middle of the ring to the middle of its bar.
        radius: Quantity<Length, Positive>,
        /// Radius of the bar, less than that of the circle.
        tube: Quantity<Length, Positive>,
    },
    /// Half of a ring, with y ≥ 0, and half a ball on each end.
    HalfTorus {
        /// Radius of the half circle, from the middle of the ring to the middle of its bar.
        radius: Quantity<Length, Positive>,
        /// Radius of the bar, less than that of the circle.
        tube: Quantity<Length, Positive>,
    },
    /// Chain link of round bar in the x–y plane, long along x: two half rings joined by straights. Sizes are those of chain tables.
    Link {
        /// Diameter of the bar.
        diameter: Quantity<Length, Positive>,
        /// Inner length, also called pitch: how far the next link is from this one when the chain is taut.
        length: Quantity<Length, Positive>,
        /// Inner width, less than the inner length.
        width: Quantity<Length, Positive>,
    },
    /// Triangles of a file: a solid if they are closed, else a sheet that is touched from both sides.
    Mesh {
        /// STL, OBJ, glTF or GLB file beside the scenario.
        file: String,
        /// Factor by which it grows: one number, or one for each axis of the file. 0.001 for a file in millimetres.
        #[serde(default)]
        scale: ScaleSpec,
        /// What is touched instead of the triangles: something convex, which is faster. Without it the triangles themselves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        convex: Option<ConvexSpec>,
    },
    /// The smallest convex solid around some points.
    Polyhedron {
        /// The points; those that are no corners have no effect.
        points: Vec<Vector<Length>>,
    },
    /// Ground over a grid of heights, about the origin of the x–y plane, with solid below.
    Heightfield {
        /// File beside the scenario: CSV with a row of heights along x per line, the lowest y first, or an ASCII grid (.asc).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// Rows of heights along x, the lowest y first, in place of a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heights: Option<Vec<Vec<Quantity<Length>>>>,
        /// Distance of the points along x and y. An ASCII grid has its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spacing: Option<[Quantity<Length, Positive>; 2]>,
        /// Thickness of the ground below the lowest point; by default the length of the shorter side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<Quantity<Length, Positive>>,
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

/// Convex solids in place of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ConvexSpec {
    /// The smallest convex solid around the whole mesh.
    Hull,
    /// Several that together fill about what a closed mesh encloses. They are kept in a file beside the mesh, NAME.HASH.convex, so
    /// that they are found once; if that cannot be written, they are found every time.
    Pieces {
        /// Most of them, up to 256.
        #[serde(default = "pieces")]
        most: u32,
        /// Small cubes along the longest side with which the inside is measured, 4 to 256. Hollows narrower than a cube fill up.
        #[serde(default = "resolution")]
        resolution: u32,
    },
}

fn pieces() -> u32 {
    16
}

fn resolution() -> u32 {
    64
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
