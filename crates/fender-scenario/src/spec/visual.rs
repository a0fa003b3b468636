//! How things look: `visual` and `colour` of a body, and `[view.NAME]`.

use super::body::OrientationSpec;
use super::shape::ShapeSpec;
use crate::quantity::{Length, Number, Positive, Quantity, Vector};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{F64Deserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A mesh or a shape that is shown in place of the shapes that a body collides with. It has no effect on the motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisualSpec {
    /// STL, OBJ, glTF or GLB file beside the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// A shape, in place of a mesh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeSpec>,
    /// Factor by which it grows: one number, or one for each axis of the file. 0.001 for a file in millimetres.
    #[serde(default)]
    pub scale: ScaleSpec,
    /// Position of its origin in the body's frame.
    #[serde(default)]
    pub position: Vector<Length>,
    /// Orientation of its axes in the body's frame. Files with y up need euler = { roll = "90 deg" }.
    #[serde(default)]
    pub orientation: OrientationSpec,
    /// Its colour, if it has no materials of its own; by default the body's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
}

/// A factor, or one for each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScaleSpec {
    /// The same for all axes.
    Uniform(Quantity<Number, Positive>),
    /// Along x, y and z.
    Each([Quantity<Number, Positive>; 3]),
}

impl ScaleSpec {
    /// Factors along x, y and z.
    pub fn factors(&self) -> fender_math::Vec3 {
        match self {
            Self::Uniform(factor) => fender_math::Vec3::splat(factor.value),
            Self::Each(factors) => crate::quantity::vec3(factors),
        }
    }
}

impl Default for ScaleSpec {
    fn default() -> Self {
        Self::Uniform(Quantity::new(1.0))
    }
}

struct ScaleVisitor;

impl<'de> Visitor<'de> for ScaleVisitor {
    type Value = ScaleSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain number, or a list of 3")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<ScaleSpec, E> {
        Quantity::deserialize(F64Deserializer::new(value)).map(ScaleSpec::Uniform)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<ScaleSpec, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ScaleSpec, E> {
        Quantity::deserialize(StrDeserializer::new(text)).map(ScaleSpec::Uniform)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<ScaleSpec, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map(ScaleSpec::Each)
    }
}

impl<'de> Deserialize<'de> for ScaleSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScaleVisitor)
    }
}

impl Serialize for ScaleSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Uniform(factor) => factor.serialize(serializer),
            Self::Each(factors) => factors.serialize(serializer),
        }
    }
}

impl JsonSchema for ScaleSpec {
    fn schema_name() -> Cow<'static, str> {
        "ScaleSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Quantity<Number, Positive>>();
        let each = generator.subschema_for::<[Quantity<Number, Positive>; 3]>();
        json_schema!({ "description": "A factor, or one for each axis.", "anyOf": [one, each] })
    }
}

/// A colour, written "#rrggbb" in hexadecimal as on the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    fn parse(text: &str) -> Option<Self> {
        let digits =
            text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, r, g, b] = number.to_be_bytes();
        Some(Self([r, g, b]))
    }
}

struct ColourVisitor;

impl Visitor<'_> for ColourVisitor {
    type Value = Colour;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour such as \"#3b7ddd\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Colour, E> {
        Colour::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ColourVisitor)
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [r, g, b] = self.0;
        serializer.collect_str(&format_args!("#{r:02x}{g:02x}{b:02x}"))
    }
}

impl JsonSchema for Colour {
    fn schema_name() -> Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A colour such as \"#3b7ddd\", or \"$parameter\".",
            "type": "string",
            "pattern": "^(#[0-9a-fA-F]{6}|\\$.+)$",
        })
    }
}

/// A place to look from, to choose in the viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewSpec {
    /// Where the eye is.
    pub eye: Vector<Length>,
    /// What it looks at.
    #[serde(default)]
    pub target: Vector<Length>,
    /// Body that eye and target move with, without turning; they are given in the world, as at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
    /// Body that the eye is fixed to: eye and target are given in its frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}
