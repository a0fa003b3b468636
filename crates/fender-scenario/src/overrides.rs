//! `--set path=value`.

use crate::error::{ErrorKind, ScenarioError, Sources};
use crate::spec::{NAMED_TABLES, TOP_LEVEL};
use crate::suggest;
use crate::tree::{Entry, Node, Path, Place, Step, Value, parse_value};
use std::fmt;

/// A value that replaces one of the file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Path such as `body.ball.mass`, `contact[0].friction.coulomb.coefficient`, or just the name of a parameter.
    pub path: String,
    /// A TOML value; whatever is none is a text, so that `height=3 m` needs no quotes.
    pub value: String,
}

impl Override {
    /// An override from its two halves.
    pub fn new(path: impl Into<String>, value: impl Into<String>) -> Self {
        Self { path: path.into(), value: value.into() }
    }

    /// Reads `path=value`.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        match text.split_once('=') {
            Some((path, value)) if Path::parse(path).is_some() => Ok(Self::new(path.trim(), value.trim())),
            _ => Err(ScenarioError::spot(
                ErrorKind::Override,
                "--set",
                text,
                vec![(0..text.len(), "here")],
                format!("expected path=value, got \"{text}\""),
                Some("for instance --set body.ball.mass=3 or --set run.duration=\"2 s\"".into()),
            )),
        }
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, self.value)
    }
}

/// Puts every override into the tree.
pub(crate) fn apply(tree: &mut Node, sources: &Sources) -> Result<(), ScenarioError> {
    for (i, over) in sources.overrides.iter().enumerate() {
        let value = parse_value(&over.value, i)
            .unwrap_or_else(|_| Node::new(Value::String(over.value.clone()), Place::Override(i)));
        set(tree, sources, i, value)?;
    }
    Ok(())
}

fn set(tree: &mut Node, sources: &Sources, i: usize, value: Node) -> Result<(), ScenarioError> {
    let over = &sources.overrides[i];
    let fail = |path: &Path, message: String, help: Option<String>| {
        Err(sources.at(ErrorKind::Override, path, &Place::Override(i), None, message, help))
    };
    let Some(mut path) = Path::parse(&over.path) else {
        return fail(&Path::root(), format!("\"{}\" is not a path", over.path), None);
    };

    // A single name that is no key of the format is a parameter.
    if let [Step::Key(name)] = path.steps()
        && !TOP_LEVEL.contains(&name.as_str())
    {
        let parameters = tree.get("parameter").map(Node::entries).unwrap_or_default();
        if !parameters.iter().any(|e| e.key == *name) {
            let known = parameters.iter().map(|e| e.key.as_str()).chain(TOP_LEVEL);
            let help = suggest::help(name, known, "parameters and keys");
            return fail(&path, format!("there is no parameter or key `{name}`"), help);
        }
        path = Path::root().key("parameter").key(name);
    }

    let mut node = tree;
    let mut here = Path::root();
    for (depth, step) in path.steps().iter().enumerate() {
        let parent = here.clone();
        // `contact.0` means `contact[0]`.
        let step = match (step, &node.value) {
            (Step::Key(key), Value::Array(_)) => match key.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => {
                    return fail(&path, format!("`{parent}` is a list: `{parent}[0]` is its first"), None);
                }
            },
            (step, _) => step.clone(),
        };
        match (step, &mut node.value) {
            (Step::Index(index), Value::Array(items)) => {
                here = here.index(index);
                let count = items.len();
                let Some(item) = items.get_mut(index) else {
                    return fail(&path, format!("`{parent}` has {count} entries, counted from 0"), None);
                };
                node = item;
            }
            (Step::Key(key), Value::Table(entries)) => {
                here = here.key(&key);
                let position = entries.iter().position(|e| e.key == key);
                let named =
                    matches!(parent.steps(), [Step::Key(top)] if NAMED_TABLES.contains(&top.as_str()));
                if position.is_none() && named {
                    // Names are the user's: a new one here would be a body that nobody described.
                    let help = suggest::help(&key, entries.iter().map(|e| e.key.as_str()), "names there");
                    return fail(&path, format!("there is no `{here}` in the file"), help);
                }
                if position.is_none() && depth == 0 && !TOP_LEVEL.contains(&key.as_str()) {
                    let help = suggest::help(&key, TOP_LEVEL, "keys");
                    return fail(&path, format!("there is no `{key}` in a scenario"), help);
                }
                let position = position.unwrap_or_else(|| {
                    let place = Place::Override(i);
                    let empty = Node::new(Value::Table(Vec::new()), place.clone());
                    entries.push(Entry { key, key_place: place, node: empty });
                    entries.len() - 1
                });
                node = &mut entries[position].node;
            }
            (_, other) => {
                let words = other.words();
                return fail(&path, format!("`{parent}` is {words}, so nothing below it can be set"), None);
            }
        }
    }
    *node = value;
    Ok(())
}
