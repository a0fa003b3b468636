//! `[cable.NAME]`.

use super::ProfileSpec;
use crate::quantity::{
    Angle, Area, Length, Mass, NonNegative, Number, Positive, Quantity, Time, Vector, Velocity, Volume,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A cable, from its start to its end. Places are in the world, as drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableSpec {
    /// The line it is made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Unstretched length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Quantity<Length, Positive>>,
    /// Elements it is divided into; by default 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u32>,
    /// Pieces of different lines, from its start on, instead of `line`, `length` and `elements`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<Vec<SectionSpec>>,
    /// What holds its start; free if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<EndSpec>,
    /// What holds its end; free if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<EndSpec>,
    /// What is along it: weights, floats, ties, rings, sheaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<AlongSpec>,
    /// How it lies at the start.
    #[serde(default)]
    pub shape: CableShapeSpec,
    /// Velocity of all of it that nothing holds, at the start.
    #[serde(default)]
    pub velocity: Vector<Velocity>,
    /// Payout and haul-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout: Option<PayoutSpec>,
    /// Where nodes are added and removed during the run; by default they stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<ResolutionSpec>,
    /// A rate of its own, for a cable whose pull its bodies hardly notice within a step; by default it goes with the bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_rate: Option<OwnRateSpec>,
}

/// A piece of one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionSpec {
    /// The line it is made of.
    pub line: String,
    /// Unstretched length.
    pub length: Quantity<Length, Positive>,
    /// Elements it is divided into.
    #[serde(default = "elements")]
    pub elements: u32,
}

fn elements() -> u32 {
    20
}

/// What holds an end of a cable: exactly one of `fixed`, `body` and `free`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndSpec {
    /// It is fixed in the world, here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<Vector<Length>>,
    /// It is tied to a body, which may be driven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where on the body, in the world, as the body is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vector<Length>>,
    /// Where on the body, in the body's frame; instead of `at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_point: Option<Vector<Length>>,
    /// It is free, and here at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Vector<Length>>,
    /// Direction of the cable there, from its start to its end, if it is clamped: then its twist is held too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clamp: Option<Vector<Number>>,
    /// Whether it is held at the start; otherwise an event attaches it, where it is then.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub attached: bool,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_yes(value: &bool) -> bool {
    *value
}

/// Something along a cable: a weight or float (`mass`, `volume`, `drag_area`, `added_mass`), a tie to a body (`body`,
/// `point`), a `ring` or a `sheave`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlongSpec {
    /// Unstretched length of cable from its start to there; of a sheave, to the middle of what lies on it. Rings and sheaves do
    /// without: then it follows from the way of the cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Quantity<Length, NonNegative>>,
    /// Name, for events; ties, rings and sheaves need one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Mass of something that goes with the cable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Quantity<Mass, NonNegative>>,
    /// Volume that it displaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Quantity<Volume, NonNegative>>,
    /// Its drag coefficient times area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag_area: Option<Quantity<Area, NonNegative>>,
    /// Its added mass under water.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_mass: Option<Quantity<Mass, NonNegative>>,
    /// Body that the cable is tied to there, or "world".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where on the body, in the world, as the body is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vector<Length>>,
    /// Where on the body, in the body's frame; instead of `point`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_point: Option<Vector<Length>>,
    /// Whether the tie holds at the start; otherwise an event attaches it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub attached: bool,
    /// A ring that the cable slides through, without friction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ring: Option<RingSpec>,
    /// A sheave that the cable runs over, without friction and inertia.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheave: Option<SheaveSpec>,
}

/// A ring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingSpec {
    /// Body it is on, or "world".
    #[serde(default = "world")]
    pub body: String,
    /// Where, in the world, as the body is drawn.
    pub point: Vector<Length>,
}

fn world() -> String {
    "world".into()
}

/// A sheave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SheaveSpec {
    /// Body it is on, or "world".
    #[serde(default = "world")]
    pub body: String,
    /// Its centre, in the world, as the body is drawn.
    pub center: Vector<Length>,
    /// Its axis, in the world, as the body is drawn: the cable goes around it by the right-hand rule, from start to end.
    pub axis: Vector<Number>,
    /// Radius of the cable's centre line on it.
    pub radius: Quantity<Length, Positive>,
    /// The cable goes around it by more than half a turn, although the other way would be shorter.
    #[serde(default, skip_serializing_if = "is_no")]
    pub long_way: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_no(value: &bool) -> bool {
    !*value
}

/// How a cable lies at the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CableShapeSpec {
    /// At rest, in equilibrium.
    #[default]
    Rest,
    /// As a catenary between what holds it, which is near to equilibrium.
    Catenary,
    /// Straight between what holds it.
    Straight,
    /// Through points, from start to end.
    Through(Vec<Vector<Length>>),
}

/// The ways in which it can lie.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    Rest,
    Catenary,
    Straight,
    Through,
}

const WAYS: [&str; 4] = ["rest", "catenary", "straight", "through"];

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = CableShapeSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of \"rest\", \"catenary\", \"straight\" or `through`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        match text {
            "rest" => Ok(CableShapeSpec::Rest),
            "catenary" => Ok(CableShapeSpec::Catenary),
            "straight" => Ok(CableShapeSpec::Straight),
            "through" => Err(E::custom("`through` needs points: write shape.through = [[0, 0, 0], …]")),
            other => Err(E::unknown_variant(other, &WAYS)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        const ONE: &str = "expected exactly one of `rest`, `catenary`, `straight`, `through`";
        let word = |shape: CableShapeSpec, map: &mut A| {
            if map.next_value()? { Ok(shape) } else { Err(de::Error::custom("choose another shape instead")) }
        };
        let shape = match map.next_key()? {
            Some(Way::Rest) => word(CableShapeSpec::Rest, &mut map)?,
            Some(Way::Catenary) => word(CableShapeSpec::Catenary, &mut map)?,
            Some(Way::Straight) => word(CableShapeSpec::Straight, &mut map)?,
            Some(Way::Through) => CableShapeSpec::Through(map.next_value()?),
            None => return Err(de::Error::custom(ONE)),
        };
        if map.next_key::<Way>()?.is_some() {
            return Err(de::Error::custom(ONE));
        }
        Ok(shape)
    }
}

impl<'de> Deserialize<'de> for CableShapeSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

impl Serialize for CableShapeSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rest => serializer.serialize_str("rest"),
            Self::Catenary => serializer.serialize_str("catenary"),
            Self::Straight => serializer.serialize_str("straight"),
            Self::Through(points) => serializer.collect_map([("through", points)]),
        }
    }
}

impl JsonSchema for CableShapeSpec {
    fn schema_name() -> Cow<'static, str> {
        "CableShapeSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let points = generator.subschema_for::<Vec<Vector<Length>>>();
        let word = |word: &str, words: &str| {
            json_schema!({
                "description": words,
                "anyOf": [
                    { "const": word },
                    { "type": "object", "properties": { word: { "const": true } }, "required": [word],
                      "additionalProperties": false }
                ]
            })
        };
        json_schema!({
            "description": "How a cable lies at the start.",
            "anyOf": [
                word("rest", "At rest, in equilibrium."),
                word("catenary", "As a catenary between what holds it, which is near to equilibrium."),
                word("straight", "Straight between what holds it."),
                {
                    "description": "Through points, from start to end.",
                    "type": "object", "properties": { "through": points }, "required": ["through"],
                    "additionalProperties": false
                }
            ]
        })
    }
}

/// Payout and haul-in at an end: a winch there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PayoutSpec {
    /// At which end.
    #[serde(default)]
    pub at: CableEndSpec,
    /// Speed, positive out.
    #[serde(default)]
    pub speed: ProfileSpec<Velocity>,
    /// Length at which it stops hauling in; by default two elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Quantity<Length, Positive>>,
    /// Length at which it stops paying out; by default what the speed pays out during the run, and as much again as the
    /// cable is long for what a controller may order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Quantity<Length, Positive>>,
}

/// An end of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CableEndSpec {
    /// Its start.
    #[default]
    Start,
    /// Its end.
    End,
}

/// Where nodes are added and removed during the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolutionSpec {
    /// Angle between neighbouring elements above which they are split; below a quarter of it they are merged.
    #[serde(default = "angle")]
    pub angle: Quantity<Angle, Positive>,
    /// Force that is not in balance within an element because curvature changes along it, as part of the cable's largest tension, above which it
    /// is split; below a sixteenth of it they are merged. By default only the angle counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual: Option<Quantity<Number, Positive>>,
    /// Shortest element; by default a quarter of the shortest there is at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Quantity<Length, Positive>>,
    /// Longest element; by default the longest there is at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<Quantity<Length, Positive>>,
    /// Nodes at most; by default four times those of the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
}

/// A rate of its own, by the generalized-α method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnRateSpec {
    /// Step, at most; longer or shorter than that of the bodies.
    pub step: Quantity<Time, Positive>,
    /// Spectral radius at infinite frequency, above 0 and up to 1: 1 damps nothing, small ones much.
    #[serde(default = "own_radius")]
    pub radius: Quantity<Number, Positive>,
}

/// Much damping: a line that goes slack and taut makes energy by more radius.
fn own_radius() -> Quantity<Number, Positive> {
    Quantity::new(0.5)
}

fn angle() -> Quantity<Angle, Positive> {
    Quantity::new(std::f64::consts::PI / 12.0)
}
