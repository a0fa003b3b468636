//! A quantity that is a number, or changes over time.

use crate::quantity::{Angle, NonNegative, Positive, Quantity, Time, Timed};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A quantity that is a number, or changes over time.
#[derive(Clone, Debug, PartialEq)]
pub enum ProfileSpec<K: Timed> {
    /// The same at all times.
    Constant(Quantity<K>),
    /// Rows of time and value, joined by a cubic spline; at rest before and after.
    Points(Vec<(Quantity<Time>, Quantity<K>)>),
    /// Rows of time and value; each value holds from its time on, the first one also before.
    Steps(Vec<(Quantity<Time>, Quantity<K>)>),
    /// CSV file beside the scenario with the columns time and value, joined by a cubic spline.
    File(String),
    /// To and fro.
    Sine(SineProfileSpec<K>),
    /// Smoothly from one value to another.
    Ramp(RampProfileSpec<K>),
    /// At a constant rate.
    Rate(RateProfileSpec<K>),
}

/// mean + amplitude · sin(2π (t − start)/period + phase).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct SineProfileSpec<K: Timed> {
    /// Amplitude.
    pub amplitude: Quantity<K>,
    /// Period.
    pub period: Quantity<Time, Positive>,
    /// Phase at the start.
    #[serde(default)]
    pub phase: Quantity<Angle>,
    /// Mean value.
    #[serde(default)]
    pub mean: Quantity<K>,
    /// When it starts; it rests before. By default it has always been there or, with a ramp, starts at 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Quantity<Time>>,
    /// Time over which it builds up smoothly.
    #[serde(default)]
    pub ramp: Quantity<Time, NonNegative>,
}

/// Smoothly from one value to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct RampProfileSpec<K: Timed> {
    /// Value before.
    #[serde(default)]
    pub from: Quantity<K>,
    /// Value after.
    pub to: Quantity<K>,
    /// When it starts.
    #[serde(default)]
    pub start: Quantity<Time>,
    /// How long it takes.
    pub duration: Quantity<Time, Positive>,
}

/// At a constant rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct RateProfileSpec<K: Timed> {
    /// Rate.
    pub rate: Quantity<K::Rate>,
    /// Value at the start.
    #[serde(default)]
    pub from: Quantity<K>,
    /// When it starts; it rests before. By default it has always moved or, with a ramp or a duration, starts at 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Quantity<Time>>,
    /// Time over which the rate builds up smoothly, and dies away at the end.
    #[serde(default)]
    pub ramp: Quantity<Time, NonNegative>,
    /// Time from the start until the rate begins to die away: all in all it goes rate · duration. By default it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<Quantity<Time, Positive>>,
}

impl<K: Timed> Default for ProfileSpec<K> {
    fn default() -> Self {
        Self::Constant(Quantity::default())
    }
}

/// The ways in which it can change.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    Constant,
    Points,
    Steps,
    File,
    Sine,
    Ramp,
    Rate,
}

const WAYS: &str = "one of `constant`, `points`, `steps`, `file`, `sine`, `ramp`, `rate`";

struct ProfileVisitor<K>(PhantomData<fn() -> K>);

impl<'de, K: Timed> Visitor<'de> for ProfileVisitor<K> {
    type Value = ProfileSpec<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if matches!(K::UNIT, "1" | "SI") { "" } else { K::EXAMPLE };
        let example = if unit.is_empty() { String::new() } else { format!(" such as \"{unit}\"") };
        write!(f, "{}{example}, or {WAYS}", K::NAME)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Quantity::deserialize(de::value::F64Deserializer::new(value)).map(ProfileSpec::Constant)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Quantity::deserialize(de::value::StrDeserializer::new(text)).map(ProfileSpec::Constant)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let one = || de::Error::custom(format_args!("expected exactly {WAYS}"));
        let profile = match map.next_key()? {
            Some(Way::Constant) => ProfileSpec::Constant(map.next_value()?),
            Some(Way::Points) => ProfileSpec::Points(map.next_value()?),
            Some(Way::Steps) => ProfileSpec::Steps(map.next_value()?),
            Some(Way::File) => ProfileSpec::File(map.next_value()?),
            Some(Way::Sine) => ProfileSpec::Sine(map.next_value()?),
            Some(Way::Ramp) => ProfileSpec::Ramp(map.next_value()?),
            Some(Way::Rate) => ProfileSpec::Rate(map.next_value()?),
            None => return Err(one()),
        };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(profile),
            Some(_) => Err(one()),
        }
    }
}

impl<'de, K: Timed> Deserialize<'de> for ProfileSpec<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ProfileVisitor(PhantomData))
    }
}

impl<K: Timed> Serialize for ProfileSpec<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => value.serialize(serializer),
            Self::Points(rows) => serializer.collect_map([("points", rows)]),
            Self::Steps(rows) => serializer.collect_map([("steps", rows)]),
            Self::File(name) => serializer.collect_map([("file", name)]),
            Self::Sine(sine) => serializer.collect_map([("sine", sine)]),
            Self::Ramp(ramp) => serializer.collect_map([("ramp", ramp)]),
            Self::Rate(rate) => serializer.collect_map([("rate", rate)]),
        }
    }
}

impl<K: Timed> JsonSchema for ProfileSpec<K> {
    fn schema_name() -> Cow<'static, str> {
        format!("ProfileOf{}", Quantity::<K>::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<Quantity<K>>();
        let rate = generator.subschema_for::<Quantity<K::Rate>>();
        let time = generator.subschema_for::<Quantity<Time>>();
        let some_time = generator.subschema_for::<Quantity<Time, NonNegative>>();
        let long_time = generator.subschema_for::<Quantity<Time, Positive>>();
        let angle = generator.subschema_for::<Quantity<Angle>>();
        let rows = generator.subschema_for::<Vec<(Quantity<Time>, Quantity<K>)>>();
        let described = |schema: &Schema, words: &str| {
            let mut schema = schema.clone();
            schema.insert("description".into(), words.into());
            schema
        };
        let way = |key: &str, words: &str, schema: Schema| {
            json_schema!({
                "description": words, "type": "object", "properties": { key: schema }, "required": [key],
                "additionalProperties": false
            })
        };
        let table = |required: &[&str], properties: &[(&str, &Schema, &str)]| {
            let properties: serde_json::Map<String, serde_json::Value> = properties
                .iter()
                .map(|(key, schema, words)| ((*key).to_owned(), described(schema, words).to_value()))
                .collect();
            json_schema!({
                "type": "object", "properties": properties, "required": required, "additionalProperties": false
            })
        };
        let starts = "When it starts; it rests before. By default it has always been there or, with a ramp, starts at 0.";
        let sine = table(
            &["amplitude", "period"],
            &[
                ("amplitude", &value, "Amplitude."),
                ("period", &long_time, "Period."),
                ("phase", &angle, "Phase at the start."),
                ("mean", &value, "Mean value."),
                ("start", &time, starts),
                ("ramp", &some_time, "Time over which it builds up smoothly."),
            ],
        );
        let ramp = table(
            &["to", "duration"],
            &[
                ("from", &value, "Value before."),
                ("to", &value, "Value after."),
                ("start", &time, "When it starts."),
                ("duration", &long_time, "How long it takes."),
            ],
        );
        let steady = table(
            &["rate"],
            &[
                ("rate", &rate, "Rate."),
                ("from", &value, "Value at the start."),
                ("start", &time, starts),
                (
                    "ramp",
                    &some_time,
                    "Time over which the rate builds up smoothly, and dies away at the end.",
                ),
                (
                    "duration",
                    &long_time,
                    "Time from the start until the rate begins to die away; by default it never ends.",
                ),
            ],
        );
        let points = "Rows of time and value, joined by a cubic spline; at rest before and after.";
        let steps = "Rows of time and value; each value holds from its time on, the first one also before.";
        let file = "CSV file beside the scenario with the columns time and value, joined by a cubic spline.";
        let ways = [
            way("constant", "The same at all times.", value.clone()),
            way("points", points, rows.clone()),
            way("steps", steps, rows),
            way("file", file, json_schema!({ "type": "string" })),
            way("sine", "mean + amplitude * sin(2 pi (t - start)/period + phase), built up over ramp.", sine),
            way(
                "ramp",
                "Smoothly from one value to another, at rest before and after: from, to, start, duration.",
                ramp,
            ),
            way("rate", "At a constant rate: rate, from, start, ramp, duration.", steady),
        ];
        let any: Vec<Schema> = std::iter::once(value).chain(ways).collect();
        json_schema!({ "description": format!("{}, or how it changes over time", K::NAME), "anyOf": any })
    }
}
