//! From the tree back to TOML text, and the file with every default filled in.

use super::{Entry, Node, Place, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Tables whose entries are named by the user: each entry gets its own header.
const NAMED: [&str; 6] = ["material", "body", "force", "line", "cable", "view"];

/// `written` with everything that only `full` has added. What the user wrote stays as it was (units, parameters); the
/// order of keys is that of `full`, which is the order of the format.
pub fn overlay(full: serde_json::Value, written: Option<&Node>) -> Option<Node> {
    let made = |value| Some(Node::new(value, Place::File(0..0)));
    match (full, written.map(|w| (w, &w.value))) {
        (serde_json::Value::Object(map), Some((_, Value::Table(entries)))) => {
            let mut merged = Vec::new();
            for (key, value) in map {
                let written = entries.iter().find(|e| e.key == key).map(|e| &e.node);
                merged.extend(overlay(value, written).map(|node| entry(key, node)));
            }
            made(Value::Table(merged))
        }
        (serde_json::Value::Array(items), Some((_, Value::Array(nodes)))) if items.len() == nodes.len() => {
            let items = items.into_iter().zip(nodes).filter_map(|(item, node)| overlay(item, Some(node)));
            made(Value::Array(items.collect()))
        }
        (_, Some((node, _))) => Some(node.clone()),
        (serde_json::Value::Object(map), None) => {
            let entries = map.into_iter().filter_map(|(k, v)| Some(entry(k, overlay(v, None)?)));
            made(Value::Table(entries.collect()))
        }
        (serde_json::Value::Array(items), None) => {
            made(Value::Array(items.into_iter().filter_map(|item| overlay(item, None)).collect()))
        }
        (serde_json::Value::Null, None) => None,
        (serde_json::Value::Bool(b), None) => made(Value::Boolean(b)),
        (serde_json::Value::String(s), None) => made(Value::String(s)),
        (serde_json::Value::Number(n), None) => match n.as_i64() {
            Some(i) => made(Value::Integer(i)),
            None => made(Value::Float(n.as_f64()?)),
        },
    }
}

fn entry(key: String, node: Node) -> Entry {
    Entry { key, key_place: Place::File(0..0), node }
}

/// The tree as TOML text: plain values first, then a header per section, with everything below a section in dotted keys
/// and inline tables. Lines with expressions have their `values` as a comment.
pub fn write(root: &Node, values: &BTreeMap<String, String>) -> String {
    let text = write_plain(root);
    if values.is_empty() {
        return text;
    }
    let quoted: Vec<(String, String)> = values
        .iter()
        .map(|(expression, value)| {
            let mut key = String::new();
            quote(&mut key, expression);
            (key, format!("{expression} = {value}"))
        })
        .collect();
    let mut out = String::new();
    for line in text.lines() {
        let found = quoted.iter().filter(|(key, _)| line.contains(key)).map(|(_, words)| words.as_str());
        let found: Vec<&str> = found.collect();
        let comment = if found.is_empty() { String::new() } else { format!("    # {}", found.join(", ")) };
        push(&mut out, format_args!("{line}{comment}\n"));
    }
    out
}

fn write_plain(root: &Node) -> String {
    let mut out = String::new();
    let is_section = |node: &Node| match &node.value {
        Value::Table(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Table(_)))
        }
        _ => false,
    };
    for e in root.entries().iter().filter(|e| !is_section(&e.node)) {
        line(&mut out, &key(&e.key), &e.node);
    }
    for e in root.entries().iter().filter(|e| is_section(&e.node)) {
        match &e.node.value {
            Value::Table(entries) if NAMED.contains(&e.key.as_str()) => {
                for named in entries {
                    section(&mut out, &format!("[{}.{}]", key(&e.key), key(&named.key)), &named.node);
                }
            }
            Value::Array(items) => {
                for item in items {
                    section(&mut out, &format!("[[{}]]", key(&e.key)), item);
                }
            }
            _ if e.node.entries().is_empty() => {}
            _ => section(&mut out, &format!("[{}]", key(&e.key)), &e.node),
        }
    }
    out
}

fn section(out: &mut String, header: &str, node: &Node) {
    out.push('\n');
    out.push_str(header);
    out.push('\n');
    for e in node.entries() {
        line(out, &key(&e.key), &e.node);
    }
}

/// One line; a table with a single key is a choice, which reads better as a dotted key.
fn line(out: &mut String, name: &str, node: &Node) {
    if let [only] = node.entries() {
        line(out, &format!("{name}.{}", key(&only.key)), &only.node);
        return;
    }
    out.push_str(name);
    out.push_str(" = ");
    inline(out, node);
    out.push('\n');
}

fn inline(out: &mut String, node: &Node) {
    match &node.value {
        Value::String(s) => quote(out, s),
        Value::Integer(i) => push(out, format_args!("{i}")),
        Value::Float(x) if x.is_nan() => out.push_str("nan"),
        Value::Float(x) if x.is_infinite() => out.push_str(if *x > 0.0 { "inf" } else { "-inf" }),
        Value::Float(x) => push(out, format_args!("{x:?}")),
        Value::Boolean(b) => push(out, format_args!("{b}")),
        Value::Datetime(d) => out.push_str(d),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                inline(out, item);
            }
            out.push(']');
        }
        Value::Table(entries) if entries.is_empty() => out.push_str("{}"),
        Value::Table(entries) => {
            out.push_str("{ ");
            for (i, e) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&key(&e.key));
                out.push_str(" = ");
                inline(out, &e.node);
            }
            out.push_str(" }");
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        return name.into();
    }
    let mut out = String::new();
    quote(&mut out, name);
    out
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => push(out, format_args!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::parse_document;
    use super::*;

    /// The tree without places.
    fn plain(node: &Node) -> String {
        let mut out = String::new();
        inline(&mut out, node);
        out
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = "a = \"q\\\"\\u0007\\n\\\\\"\nx = [1, 2.5e300, -inf, [1979-05-27]]\n[body.\"b c\"]\nshape.box = {}\n\
                    e = {a = 1, b = {c = 2}}\n[[contact]]\nz = true\n[[contact]]\n";
        let tree = parse_document(text).unwrap();
        let again = parse_document(&write_plain(&tree)).unwrap();
        assert_eq!(plain(&tree), plain(&again));
        assert_eq!(write_plain(&tree), write_plain(&again));
    }

    #[test]
    fn defaults_are_added_and_what_was_written_stays() {
        let tree = parse_document("a = \"2 m\"\nlist = [{x = \"$p\"}]").unwrap();
        let full = serde_json::json!({ "b": 1.5, "a": 2.0, "n": null, "list": [{ "x": 3.0, "y": 4 }] });
        let merged = overlay(full, Some(&tree)).unwrap();
        assert_eq!(write_plain(&merged), "b = 1.5\na = \"2 m\"\n\n[[list]]\nx = \"$p\"\ny = 4\n");
    }
}
