//! A scenario as a tree of values that know where they were written.
//!
//! Everything that happens before deserialising (overrides, parameters) and after it (errors that point at a key,
//! writing the file back) works on this tree, so no structure of the file format has to carry positions.

mod parse;
mod path;
mod write;

pub use parse::{parse_document, parse_value};
pub use path::{Path, Step};
pub use write::{overlay, write};

use std::ops::Range;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the scenario file.
    File(Range<usize>),
    /// The override with this index.
    Override(usize),
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub place: Place,
    /// Where its content comes from, if it was written as `$parameter`.
    pub via: Option<Place>,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `"…"`
    String(String),
    /// `1`
    Integer(i64),
    /// `1.0`
    Float(f64),
    /// `true`
    Boolean(bool),
    /// A date, which no scenario key takes.
    Datetime(String),
    /// `[…]`
    Array(Vec<Node>),
    /// `{…}` or `[…]` header, in the order of the file.
    Table(Vec<Entry>),
}

/// One line of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Key.
    pub key: String,
    /// Where the key was written.
    pub key_place: Place,
    /// Value.
    pub node: Node,
}

impl Node {
    /// A value without parameters behind it.
    pub fn new(value: Value, place: Place) -> Self {
        Self { value, place, via: None }
    }

    /// The lines of a table.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// The value at `path`.
    pub fn find(&self, path: &Path) -> Option<&Node> {
        path.steps().iter().try_fold(self, |node, step| match (step, &node.value) {
            (Step::Key(key), _) => node.get(key),
            (Step::Index(index), Value::Array(items)) => items.get(*index),
            (Step::Index(_), _) => None,
        })
    }

    /// The place of the deepest step of `path` that was written. For a value that is its own place, for something that
    /// was left out it is the key of the table in which it is missing.
    pub fn locate(&self, path: &Path) -> (Place, Option<Place>) {
        let mut node = self;
        let mut place = (self.place.clone(), None);
        let steps = path.steps();
        for (i, step) in steps.iter().enumerate() {
            let last = i + 1 == steps.len();
            match step {
                Step::Key(key) => {
                    let Some(entry) = node.entries().iter().find(|e| e.key == *key) else { break };
                    node = &entry.node;
                    let table = matches!(node.value, Value::Table(_));
                    place.0 = if last && !table { node.place.clone() } else { entry.key_place.clone() };
                }
                Step::Index(index) => {
                    let Value::Array(items) = &node.value else { break };
                    let Some(item) = items.get(*index) else { break };
                    node = item;
                    place.0 = node.place.clone();
                }
            }
            if node.via.is_some() {
                place = (node.place.clone(), node.via.clone());
            }
        }
        place
    }
}

impl Value {
    /// What it is, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            Self::String(_) => "a text",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::Datetime(_) => "a date",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}
