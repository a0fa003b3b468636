//! `[water]`, `[wind]` and `[seabed]`.

use super::profile::ProfileSpec;
use crate::quantity::{
    Angle, BedDamping, BedStiffness, Density, Length, NonNegative, Number, Positive, Quantity, Time, Vector,
    Velocity,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Water with a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaterSpec {
    /// Density; by default that of sea water.
    #[serde(default = "sea_water")]
    pub density: Quantity<Density, Positive>,
    /// Height of the still surface.
    #[serde(default)]
    pub surface: Quantity<Length>,
    /// Depth below the still surface; by default it is deep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Quantity<Length, Positive>>,
    /// Velocity of the water.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentSpec>,
    /// A wave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<WaveSpec>,
    /// Several waves, which are added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waves: Option<Vec<WaveSpec>>,
    /// How waves go on above the still surface.
    #[serde(default)]
    pub stretching: StretchingSpec,
}

fn sea_water() -> Quantity<Density, Positive> {
    Quantity::new(fender_marine::Water::DENSITY)
}

/// Velocity of the water: the same everywhere, or by height; steady, or times a factor that changes over time. In a file a velocity, or
/// a table.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentSpec {
    /// Where it flows.
    pub flow: FlowSpec,
    /// Factor of all velocities over time.
    pub factor: ProfileSpec<Number>,
}

/// Where the water flows.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowSpec {
    /// The same everywhere.
    Uniform(Vector<Velocity>),
    /// Rows of height and velocity; linear between, constant beyond.
    Profile(Vec<(Quantity<Length>, Vector<Velocity>)>),
}

/// A current that is a table.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CurrentTable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    velocity: Option<Vector<Velocity>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<(Quantity<Length>, Vector<Velocity>)>>,
    #[serde(default = "unchanged")]
    factor: ProfileSpec<Number>,
}

fn unchanged() -> ProfileSpec<Number> {
    ProfileSpec::Constant(Quantity::new(1.0))
}

struct CurrentVisitor;

impl<'de> Visitor<'de> for CurrentVisitor {
    type Value = CurrentSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a velocity such as [0.5, 0, 0], or a table with `velocity` or `profile`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        let velocity = Vector::deserialize(de::value::SeqAccessDeserializer::new(seq))?;
        Ok(CurrentSpec { flow: FlowSpec::Uniform(velocity), factor: unchanged() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let table = CurrentTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
        let flow = match (table.velocity, table.profile) {
            (Some(velocity), None) => FlowSpec::Uniform(velocity),
            (None, Some(rows)) => FlowSpec::Profile(rows),
            (Some(_), Some(_)) => return Err(de::Error::custom("give either `velocity` or `profile`")),
            (None, None) => return Err(de::Error::custom("the key `velocity` or `profile` is missing")),
        };
        Ok(CurrentSpec { flow, factor: table.factor })
    }
}

impl<'de> Deserialize<'de> for CurrentSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CurrentVisitor)
    }
}

impl Serialize for CurrentSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steady = self.factor == unchanged();
        match &self.flow {
            FlowSpec::Uniform(velocity) if steady => velocity.serialize(serializer),
            FlowSpec::Profile(rows) if steady => serializer.collect_map([("profile", rows)]),
            FlowSpec::Uniform(velocity) => {
                let factor = self.factor.clone();
                CurrentTable { velocity: Some(*velocity), profile: None, factor }.serialize(serializer)
            }
            FlowSpec::Profile(rows) => {
                let (profile, factor) = (Some(rows.clone()), self.factor.clone());
                CurrentTable { velocity: None, profile, factor }.serialize(serializer)
            }
        }
    }
}

impl JsonSchema for CurrentSpec {
    fn schema_name() -> Cow<'static, str> {
        "CurrentSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let uniform = generator.subschema_for::<Vector<Velocity>>();
        let rows = generator.subschema_for::<Vec<(Quantity<Length>, Vector<Velocity>)>>();
        let factor = generator.subschema_for::<ProfileSpec<Number>>();
        let way = |key: &str, words: &str, schema: &Schema| {
            json_schema!({
                "description": words, "type": "object", "properties": { key: schema, "factor": factor }, "required": [key],
                "additionalProperties": false
            })
        };
        let by_height =
            way("profile", "Rows of height and velocity; linear between, constant beyond.", &rows);
        let everywhere = way("velocity", "The same everywhere, times a factor over time.", &uniform);
        json_schema!({
            "description": "Velocity of the water: the same everywhere, or by height; steady, or times a factor over time.",
            "anyOf": [uniform, everywhere, by_height]
        })
    }
}

/// A wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WaveSpec {
    /// A regular wave of linear theory: elevation = height/2 · cos(k x − 2π t/period + phase).
    Airy(AirySpec),
}

/// A regular wave of linear theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AirySpec {
    /// Height from trough to crest.
    pub height: Quantity<Length, NonNegative>,
    /// Period.
    pub period: Quantity<Time, Positive>,
    /// Where it goes, from +x towards +y.
    #[serde(default)]
    pub direction: Quantity<Angle>,
    /// Phase: with 0 a crest is at the origin at time 0.
    #[serde(default)]
    pub phase: Quantity<Angle>,
    /// Time over which it builds up smoothly; by default it is there from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Quantity<Time, NonNegative>>,
    /// When it starts to build up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Quantity<Time>>,
    /// Take the water for deep, whatever its depth.
    #[serde(default)]
    pub deep: bool,
}

/// How waves go on above the still surface, where linear theory says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StretchingSpec {
    /// As at the still surface.
    #[default]
    Constant,
    /// Wheeler's: the momentary surface has what linear theory has at the still one.
    Wheeler,
}

/// Air above the water, or everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindSpec {
    /// Density; by default that of air at sea level.
    #[serde(default = "air")]
    pub density: Quantity<Density, Positive>,
    /// Velocity.
    #[serde(default)]
    pub velocity: Vector<Velocity>,
}

fn air() -> Quantity<Density, Positive> {
    Quantity::new(fender_marine::Wind::DENSITY)
}

/// A flat bottom that carries cables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeabedSpec {
    /// Height; by default the bottom of the water, from its `surface` and `depth`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<Quantity<Length>>,
    /// Pressure per depth of penetration; the force per length of a cable is that times its diameter.
    #[serde(default = "bed_stiffness")]
    pub stiffness: Quantity<BedStiffness, Positive>,
    /// Pressure per speed of penetration.
    #[serde(default = "bed_damping")]
    pub damping: Quantity<BedDamping, NonNegative>,
    /// Coefficient of friction.
    #[serde(default)]
    pub friction: Quantity<Number, NonNegative>,
    /// Shear stress per displacement before it slips; by default as `stiffness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_stiffness: Option<Quantity<BedStiffness, Positive>>,
}

fn bed_stiffness() -> Quantity<BedStiffness, Positive> {
    Quantity::new(1e5)
}

fn bed_damping() -> Quantity<BedDamping, NonNegative> {
    Quantity::new(1e4)
}
