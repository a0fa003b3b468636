//! Pages of the book's reference: the command line from `--help`, the scenario file from its schema.

use crate::fender::Fender;
use serde_json::{Map, Value};
use std::fmt::Write;

/// The command line, from its own help.
pub fn command_line(fender: &Fender) -> Result<String, String> {
    let help = fender.output(&["--help"])?;
    let mut page =
        format!("# Command line\n\nGenerated from `fender --help`.\n\n```text\n{}\n```\n", help.trim());
    for verb in verbs(&help) {
        let help = fender.output(&[verb, "--help"])?;
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## fender {verb}\n\n```text\n{}\n```\n", help.trim());
    }
    Ok(page)
}

/// Verbs in the `Commands:` section of the help.
fn verbs(help: &str) -> impl Iterator<Item = &str> {
    let section = help.lines().skip_while(|line| line.trim() != "Commands:").skip(1);
    let section = section.take_while(|line| !line.trim().is_empty());
    // Verbs are indented by two; deeper lines continue a description.
    let lines = section.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help")
}

/// The scenario file, from its JSON schema: one section per table.
pub fn scenario_file(schema: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(schema).map_err(|e| format!("the schema is not JSON: {e}"))?;
    let mut page = String::from(
        "# Scenario file\n\nGenerated from the JSON schema that `fender schema` prints. Numbers are in SI units; a text \
         with a unit (`\"12 kN\"`, `\"30 deg\"`) is allowed wherever a quantity is.\n",
    );
    section(&mut page, "The file", &schema);
    if let Some(definitions) = schema.get("$defs").and_then(Value::as_object) {
        let mut names: Vec<_> = definitions.keys().collect();
        names.sort();
        for name in names {
            section(&mut page, name, &definitions[name]);
        }
    }
    Ok(page)
}

/// Writes one definition.
fn section(page: &mut String, name: &str, schema: &Value) {
    let _ = write!(page, "\n## {name}\n\n{}\n", description(schema));
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        table(page, properties, schema);
    }
    let variants = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(*key)).and_then(Value::as_array);
    let variants = variants.into_iter().flatten();
    let mut begun = false;
    for variant in variants {
        let rows: Vec<_> = match (variant.get("properties").and_then(Value::as_object), constants(variant)) {
            (Some(properties), _) => {
                properties.iter().map(|(k, v)| (k.clone(), kind(v), describe(variant, v))).collect()
            }
            (None, names) if !names.is_empty() => {
                names.into_iter().map(|n| (n, "word".to_string(), description(variant).to_string())).collect()
            }
            _ => continue,
        };
        if !begun {
            page.push_str("\nOne of:\n\n| Key | Value | Meaning |\n|---|---|---|\n");
            begun = true;
        }
        for (key, kind, text) in rows {
            let _ = writeln!(page, "| `{key}` | {kind} | {} |", cell(&text));
        }
    }
}

fn table(page: &mut String, properties: &Map<String, Value>, schema: &Value) {
    if properties.is_empty() {
        return;
    }
    let required = schema.get("required").and_then(Value::as_array);
    page.push_str("\n| Key | Value | Default | Meaning |\n|---|---|---|---|\n");
    for (key, value) in properties {
        let needed = required.is_some_and(|keys| keys.iter().any(|k| k == key));
        let default = match value.get("default") {
            _ if needed => "required".to_string(),
            None | Some(Value::Null) => String::new(),
            Some(default) => format!("`{default}`"),
        };
        let _ = writeln!(
            page,
            "| `{key}` | {} | {} | {} |",
            kind(value),
            cell(&default),
            cell(description(value))
        );
    }
}

/// The values a variant without properties allows.
fn constants(variant: &Value) -> Vec<String> {
    let one = variant.get("const").and_then(Value::as_str).map(String::from);
    let many = variant.get("enum").and_then(Value::as_array).into_iter().flatten();
    one.into_iter().chain(many.filter_map(Value::as_str).map(String::from)).collect()
}

fn description(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn describe(variant: &Value, value: &Value) -> String {
    let own = description(variant);
    if own.is_empty() { description(value).to_string() } else { own.to_string() }
}

/// What a value is, with a link to the section that says more.
fn kind(value: &Value) -> String {
    if let Some(name) = value.get("$ref").and_then(Value::as_str).and_then(|r| r.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(options) = value.get(key).and_then(Value::as_array) {
            let words: Vec<_> = options.iter().map(kind).filter(|word| word != "null").collect();
            return words.join(" or ");
        }
    }
    match value.get("type") {
        Some(Value::String(word)) => named(word, value),
        Some(Value::Array(words)) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).filter(|w| *w != "null").collect();
            words.iter().map(|word| named(word, value)).collect::<Vec<_>>().join(" or ")
        }
        _ => "any".into(),
    }
}

fn named(word: &str, value: &Value) -> String {
    match word {
        "array" => format!("list of {}", value.get("items").map_or("any".into(), kind)),
        "object" => match value.get("additionalProperties") {
            Some(inner) if inner.is_object() => format!("named {}", kind(inner)),
            _ => "table".into(),
        },
        "string" => "text".into(),
        "boolean" => "true or false".into(),
        other => other.into(),
    }
}

/// Text that stays within one cell of a table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_read_from_the_help() {
        let help = "About\n\nCommands:\n  run    Run it\n  check  Check it,\n         thoroughly\n  help   Help\n\nOptions:\n  -h  x\n";
        assert_eq!(verbs(help).collect::<Vec<_>>(), ["run", "check"]);
    }

    #[test]
    fn a_schema_becomes_tables() {
        let schema = r##"{
            "description": "All.", "required": ["run"],
            "properties": {
                "run": { "$ref": "#/$defs/Run", "description": "How" },
                "title": { "type": ["string", "null"], "default": "a|b" } },
            "$defs": { "Run": { "oneOf": [
                { "description": "Fourth order.", "properties": { "rk4": { "type": "object" } } },
                { "const": "none" } ] } }
        }"##;
        let page = scenario_file(schema).expect("it is valid");
        assert!(page.contains("| `run` | [Run](#run) | required | How |"), "{page}");
        assert!(page.contains("| `title` | text | `\"a\\|b\"` |  |"), "{page}");
        assert!(page.contains("## Run\n") && page.contains("| `rk4` | table | Fourth order. |"), "{page}");
        assert!(page.contains("| `none` | word |  |"), "{page}");
    }
}
