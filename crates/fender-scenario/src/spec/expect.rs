//! `[[expect]]`: what must come out.

use crate::quantity::{AnyKind, NonNegative, Number, Quantity, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// What must come out. Exactly one of `at` and `of` says when; `value` with a tolerance, or `above` and `below`, say what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectSpec {
    /// Name of a signal.
    pub signal: String,
    /// A time, or "end".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
    /// A figure over the run, or over the part between `from` and `until`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Statistic>,
    /// Start of the part that `of` looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Quantity<Time>>,
    /// End of the part that `of` looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Quantity<Time>>,
    /// Expected value, in the signal's SI unit or with a unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity<AnyKind>>,
    /// Largest difference from `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Quantity<AnyKind, NonNegative>>,
    /// Largest difference from `value`, as a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_tolerance: Option<Quantity<Number, NonNegative>>,
    /// The signal must be above this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Quantity<AnyKind>>,
    /// The signal must be below this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Quantity<AnyKind>>,
    /// Where the number comes from.
    pub why: String,
}

/// A figure over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Mean over time.
    Mean,
    /// Last value.
    Final,
    /// Largest minus smallest.
    Range,
}

/// A time, or the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// A time.
    Time(Quantity<Time>),
    /// The end of the run.
    End,
}

struct AtVisitor;

impl Visitor<'_> for AtVisitor {
    type Value = At;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time such as \"3 s\", or \"end\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<At, E> {
        Quantity::deserialize(de::value::F64Deserializer::new(value)).map(At::Time)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<At, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<At, E> {
        if text == "end" {
            return Ok(At::End);
        }
        Quantity::deserialize(de::value::StrDeserializer::new(text)).map(At::Time)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AtVisitor)
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Time(time) => time.serialize(serializer),
            Self::End => serializer.serialize_str("end"),
        }
    }
}

impl JsonSchema for At {
    fn schema_name() -> Cow<'static, str> {
        "At".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let time = generator.subschema_for::<Quantity<Time>>();
        json_schema!({ "description": "A time such as \"3 s\", or \"end\".", "anyOf": [time, { "const": "end" }] })
    }
}
