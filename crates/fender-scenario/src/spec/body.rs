//! `[body.NAME]`.

use super::event::IdleSpec;
use super::profile::ProfileSpec;
use super::shape::{PartSpec, ShapeSpec};
use super::visual::{Colour, VisualSpec};
use crate::quantity::{
    Angle, AngularVelocity, Inertia, Length, Mass, NonNegative, Number, Positive, Quantity, Time, Vector,
    Velocity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rigid body: free unless it is fixed or driven.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeSpec>,
    /// Its shapes, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shapes: Option<Vec<PartSpec>>,
    /// Material of its shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// It never moves.
    #[serde(default)]
    pub fixed: bool,
    /// It moves as prescribed, whatever the forces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driven: Option<DrivenSpec>,
    /// Mass; by default from shapes and densities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Quantity<Mass, Positive>>,
    /// Inertia about the centre of mass along the body's axes; by default from shapes and mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<InertiaSpec>,
    /// Centre of mass in the body's frame; by default from the shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center_of_mass: Option<Vector<Length>>,
    /// Position of its frame at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vector<Length>>,
    /// Orientation of its frame at the start.
    #[serde(default)]
    pub orientation: OrientationSpec,
    /// Velocity of its frame's origin at the start, in the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector<Velocity>>,
    /// Angular velocity at the start, in the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector<AngularVelocity>>,
    /// It waits, as if fixed, until others come near, and stays where it comes to rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleSpec>,
    /// What it would hit on its way is found however far it goes in a step, and steps are divided while it hits. For small bodies that
    /// move further than their own size in a step; only free bodies without joints can be fast.
    #[serde(default)]
    pub fast: bool,
    /// What the water of [water] does to it. A free body in a scene with water must say so: no body floats yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water: Option<BodyWaterSpec>,
    /// Collision group, for [[ignore]].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Colour of its shapes and of meshes without materials, in the viewer; by default one is chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
    /// Meshes and shapes that the viewer shows in place of its `shapes`; they have no effect on the motion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visual: Vec<VisualSpec>,
    /// Many bodies like this one, named NAME-i-j-k.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<ArraySpec>,
}

/// What water does to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyWaterSpec {
    /// Nothing: neither buoyancy nor drag nor added mass act on it, but for what [force.NAME] gives it.
    Ignored,
}

/// Prescribed motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrivenSpec {
    /// CSV file beside the scenario with the columns time, x, y, z and optionally qw, qx, qy, qz, joined by a cubic spline; at rest
    /// before the first and after the last time.
    File(String),
    /// Rows of time, x, y, z, joined by a cubic spline; at rest before the first and after the last time.
    Points(Vec<PointSpec>),
    /// Six degrees of freedom about the body's position and orientation, each by itself.
    Motion(Box<SixDegreesSpec>),
}

/// Motion about the body's `position` and `orientation`, along and about the axes that it has there; roll turns first, then pitch, then yaw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SixDegreesSpec {
    /// Along x.
    #[serde(default)]
    pub surge: ProfileSpec<Length>,
    /// Along y.
    #[serde(default)]
    pub sway: ProfileSpec<Length>,
    /// Along z.
    #[serde(default)]
    pub heave: ProfileSpec<Length>,
    /// About x.
    #[serde(default)]
    pub roll: ProfileSpec<Angle>,
    /// About y.
    #[serde(default)]
    pub pitch: ProfileSpec<Angle>,
    /// About z.
    #[serde(default)]
    pub yaw: ProfileSpec<Angle>,
}

/// Time, x, y, z.
pub type PointSpec = (Quantity<Time>, Quantity<Length>, Quantity<Length>, Quantity<Length>);

/// Inertia about the centre of mass along the body's axes: three moments, or a table with all six entries.
#[derive(Clone, Debug, PartialEq)]
pub struct InertiaSpec {
    /// Moments xx, yy, zz [kg·m²].
    pub moments: Vector<Inertia>,
    /// Entries xy, xz, yz of the matrix (minus the products of inertia integrals) [kg·m²], if they were given.
    pub products: Option<Vector<Inertia>>,
}

/// Orientation of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum OrientationSpec {
    /// Unit quaternion (normalised if it is not).
    Quaternion {
        /// Scalar part.
        w: Quantity<Number>,
        /// Vector part along x.
        x: Quantity<Number>,
        /// Vector part along y.
        y: Quantity<Number>,
        /// Vector part along z.
        z: Quantity<Number>,
    },
    /// Turn about an axis.
    AxisAngle {
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Angle.
        angle: Quantity<Angle>,
    },
    /// Yaw about z, then pitch about the new y, then roll about the new x.
    Euler {
        /// About x, last.
        #[serde(default)]
        roll: Quantity<Angle>,
        /// About y, second.
        #[serde(default)]
        pitch: Quantity<Angle>,
        /// About z, first.
        #[serde(default)]
        yaw: Quantity<Angle>,
    },
}

impl Default for OrientationSpec {
    fn default() -> Self {
        let zero = Quantity::new(0.0);
        Self::Quaternion { w: Quantity::new(1.0), x: zero, y: zero, z: zero }
    }
}

/// Many bodies like one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ArraySpec {
    /// Rows, columns and layers.
    Grid(GridSpec),
}

/// Rows, columns and layers; the first body is at `position`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridSpec {
    /// How many along x, y and z.
    pub count: [u32; 3],
    /// Distances between neighbours along x, y and z.
    pub spacing: Vector<Length>,
    /// Largest random displacement along x, y and z, to either side.
    #[serde(default)]
    pub jitter: [Quantity<Length, NonNegative>; 3],
    /// Seed of the random displacements: same seed, same scene.
    #[serde(default = "seed")]
    pub seed: u32,
}

fn seed() -> u32 {
    1
}

mod inertia {
    //! A list of three or a table of six: the one place besides scalars where two forms are worth it.

    use super::{Inertia, InertiaSpec, Quantity};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
    use serde::{Serialize, Serializer};
    use std::borrow::Cow;
    use std::fmt;

    #[derive(Serialize, serde::Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Full {
        xx: Quantity<Inertia>,
        yy: Quantity<Inertia>,
        zz: Quantity<Inertia>,
        #[serde(default)]
        xy: Quantity<Inertia>,
        #[serde(default)]
        xz: Quantity<Inertia>,
        #[serde(default)]
        yz: Quantity<Inertia>,
    }

    struct InertiaVisitor;

    impl<'de> Visitor<'de> for InertiaVisitor {
        type Value = InertiaSpec;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("three moments of inertia, or a table with xx, yy, zz, xy, xz and yz")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            let moments = Deserialize::deserialize(SeqAccessDeserializer::new(seq))?;
            Ok(InertiaSpec { moments, products: None })
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            let full = Full::deserialize(MapAccessDeserializer::new(map))?;
            Ok(InertiaSpec {
                moments: [full.xx, full.yy, full.zz],
                products: Some([full.xy, full.xz, full.yz]),
            })
        }
    }

    impl<'de> Deserialize<'de> for InertiaSpec {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(InertiaVisitor)
        }
    }

    impl Serialize for InertiaSpec {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let [xx, yy, zz] = self.moments;
            match self.products {
                None => self.moments.serialize(serializer),
                Some([xy, xz, yz]) => Full { xx, yy, zz, xy, xz, yz }.serialize(serializer),
            }
        }
    }

    impl JsonSchema for InertiaSpec {
        fn schema_name() -> Cow<'static, str> {
            "InertiaSpec".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let list = generator.subschema_for::<[Quantity<Inertia>; 3]>();
            let table = generator.subschema_for::<Full>();
            json_schema!({
                "description": "Three moments about the centre of mass along the body's axes, or all six entries.",
                "anyOf": [list, table],
            })
        }
    }
}
