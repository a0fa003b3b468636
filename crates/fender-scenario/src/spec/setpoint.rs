//! A quantity that is a number, or changes over time.

use crate::quantity::{Kind, Quantity, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A quantity that is a number, or changes over time.
#[derive(Clone, Debug, PartialEq)]
pub enum SetpointSpec<K: Kind> {
    /// The same at all times.
    Constant(Quantity<K>),
    /// Rows of time and value, joined by a cubic spline; at rest before and after.
    Points(Vec<(Quantity<Time>, Quantity<K>)>),
    /// Rows of time and value; each value holds from its time on, the first one also before.
    Steps(Vec<(Quantity<Time>, Quantity<K>)>),
    /// CSV file beside the scenario with the columns time and value, joined by a cubic spline.
    File(String),
}

impl<K: Kind> Default for SetpointSpec<K> {
    fn default() -> Self {
        Self::Constant(Quantity::default())
    }
}

/// The ways in which it can change.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    Points,
    Steps,
    File,
}

struct SetpointVisitor<K>(PhantomData<fn() -> K>);

impl<'de, K: Kind> Visitor<'de> for SetpointVisitor<K> {
    type Value = SetpointSpec<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if matches!(K::UNIT, "1" | "SI") { "" } else { K::EXAMPLE };
        let example = if unit.is_empty() { String::new() } else { format!(" such as \"{unit}\"") };
        write!(f, "{}{example}, or one of `points`, `steps`, `file`", K::NAME)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Quantity::deserialize(de::value::F64Deserializer::new(value)).map(SetpointSpec::Constant)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Quantity::deserialize(de::value::StrDeserializer::new(text)).map(SetpointSpec::Constant)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        const ONE: &str = "expected exactly one of `points`, `steps`, `file`";
        let course = match map.next_key()? {
            Some(Way::Points) => SetpointSpec::Points(map.next_value()?),
            Some(Way::Steps) => SetpointSpec::Steps(map.next_value()?),
            Some(Way::File) => SetpointSpec::File(map.next_value()?),
            None => return Err(de::Error::custom(ONE)),
        };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(course),
            Some(_) => Err(de::Error::custom(ONE)),
        }
    }
}

impl<'de, K: Kind> Deserialize<'de> for SetpointSpec<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SetpointVisitor(PhantomData))
    }
}

impl<K: Kind> Serialize for SetpointSpec<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => value.serialize(serializer),
            Self::Points(rows) => serializer.collect_map([("points", rows)]),
            Self::Steps(rows) => serializer.collect_map([("steps", rows)]),
            Self::File(name) => serializer.collect_map([("file", name)]),
        }
    }
}

impl<K: Kind> JsonSchema for SetpointSpec<K> {
    fn schema_name() -> Cow<'static, str> {
        format!("SetpointOf{}", Quantity::<K>::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Quantity<K>>();
        let rows = generator.subschema_for::<Vec<(Quantity<Time>, Quantity<K>)>>();
        let way = |key: &str, words: &str, schema: Schema| {
            json_schema!({
                "description": words, "type": "object", "properties": { key: schema }, "required": [key],
                "additionalProperties": false
            })
        };
        let points = way(
            "points",
            "Rows of time and value, joined by a cubic spline; at rest before and after.",
            rows.clone(),
        );
        let steps = "Rows of time and value; each value holds from its time on, the first one also before.";
        let steps = way("steps", steps, rows);
        let file = "CSV file beside the scenario with the columns time and value, joined by a cubic spline.";
        let file = way("file", file, json_schema!({ "type": "string" }));
        json_schema!({
            "description": format!("{}, or how it changes over time", K::NAME),
            "anyOf": [value, points, steps, file]
        })
    }
}
