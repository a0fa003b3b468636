//! From TOML text to the tree.

use super::{Entry, Node, Place, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// Reads a file.
pub fn parse_document(text: &str) -> Result<Node, Error> {
    let table = DeTable::parse(text)?;
    // The root's place is the first line: there is no key to point at.
    let first_line = text.find('\n').unwrap_or(text.len());
    let place = Place::File(0..first_line);
    let root = Converter { place: &Place::File }.table(table.into_inner());
    root.map(|value| Node::new(value, place))
}

/// Reads the value of the override with this index.
pub fn parse_value(text: &str, index: usize) -> Result<Node, Error> {
    Converter { place: &|_| Place::Override(index) }.node(DeValue::parse(text)?)
}

struct Converter<'a> {
    place: &'a dyn Fn(Range<usize>) -> Place,
}

impl Converter<'_> {
    fn node(&self, value: Spanned<DeValue<'_>>) -> Result<Node, Error> {
        let span = value.span();
        let value = match value.into_inner() {
            DeValue::String(s) => Value::String(s.into_owned()),
            DeValue::Integer(i) => {
                // A number beyond 64 bits is still a number.
                match i64::from_str_radix(i.as_str(), i.radix()) {
                    Ok(value) => Value::Integer(value),
                    Err(_) => Value::Float(i.as_str().parse().unwrap_or(f64::NAN)),
                }
            }
            DeValue::Float(x) => Value::Float(x.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(b) => Value::Boolean(b),
            DeValue::Datetime(d) => Value::Datetime(d.to_string()),
            DeValue::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.node(item)).collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => self.table(table)?,
        };
        Ok(Node::new(value, (self.place)(span)))
    }

    fn table(&self, table: DeTable<'_>) -> Result<Value, Error> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, node) in table {
            let start = key.span().start;
            let key_place = (self.place)(key.span());
            entries.push((
                start,
                Entry { key: key.into_inner().into_owned(), key_place, node: self.node(node)? },
            ));
        }
        // The parser sorts keys by name; people expect the order of the file.
        entries.sort_by_key(|(start, _)| *start);
        Ok(Value::Table(entries.into_iter().map(|(_, entry)| entry).collect()))
    }
}
