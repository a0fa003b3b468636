//! `[report]`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What the report and the live page begin with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportSpec {
    /// The plots, from the top. Their signals are recorded. By default what is expected, then recorded loads, then the energy
    /// account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<PlotSpec>,
}

impl ReportSpec {
    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.plots.is_empty()
    }
}

/// A plot: names of signals, one of them as a text alone. `*` stands for any text, the name of a vector for its components, and
/// `energy` alone for the energy account.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlotSpec(pub Vec<String>);

struct PlotVisitor;

impl<'de> Visitor<'de> for PlotVisitor {
    type Value = PlotSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a signal, or a list of names")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<PlotSpec, E> {
        Ok(PlotSpec(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<PlotSpec, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = items.next_element()? {
            names.push(name);
        }
        Ok(PlotSpec(names))
    }
}

impl<'de> Deserialize<'de> for PlotSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlotVisitor)
    }
}

impl JsonSchema for PlotSpec {
    fn schema_name() -> Cow<'static, str> {
        "PlotSpec".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A plot: names of signals, one of them as a text alone. `*` stands for any text, the name of a vector for \
                its components, and \"energy\" alone for the energy account.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 1 }]
        })
    }
}
