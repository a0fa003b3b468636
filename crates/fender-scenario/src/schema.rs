//! The JSON schema of scenario files, for editors and for the reference pages.

use crate::spec::ScenarioSpec;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON schema (draft 2020-12) of scenario files.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<ScenarioSpec>().into();
    without_null(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        for definition in definitions.values_mut() {
            with_parameters(definition);
        }
    }
    schema
}

/// The schema as the text of the committed file `schema/scenario.schema.json`.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}

/// TOML has no null: what may be left out is simply not required.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(without_null),
        Value::Object(map) => {
            map.values_mut().for_each(without_null);
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|t| t != "null");
                if let [only] = types.as_slice() {
                    map["type"] = only.clone();
                }
            }
            if let Some(Value::Array(options)) = map.get_mut("anyOf") {
                options.retain(|option| *option != json!({ "type": "null" }));
                if let [Value::Object(only)] = options.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    // The reference first, then what is said of this use of it.
                    let rest = std::mem::take(map);
                    map.extend(only.into_iter().chain(rest));
                }
            }
        }
        _ => {}
    }
}

/// A list of numbers, a count or a switch may also be written "$parameter", a count as "2*$parameter".
fn with_parameters(schema: &mut Value) {
    let variants = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    variants.into_iter().flatten().for_each(with_parameters);
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for property in properties.values_mut() {
        let Some(map) = property.as_object_mut() else { continue };
        if let Some(kind) = map.get("type").and_then(Value::as_str)
            && takes_parameter(kind, map)
        {
            let types = json!([kind, "string"]);
            map.insert("type".into(), types);
            map.insert("pattern".into(), "\\$".into());
        }
        with_parameters(property);
    }
}

fn takes_parameter(kind: &str, schema: &Map<String, Value>) -> bool {
    let of_tables = || {
        let item = schema.get("items").and_then(|items| items.get("$ref")).and_then(Value::as_str);
        item.is_some_and(|name| name.ends_with("Spec"))
    };
    match kind {
        "integer" | "boolean" => true,
        "array" => !of_tables(),
        _ => false,
    }
}
