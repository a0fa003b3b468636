//! Named parameters: `[parameter] drop_height = "2 m"`, used anywhere as `"$drop_height"` or `"-$drop_height"`.
//!
//! A use is a whole value and takes the parameter's value, whatever that is (a number, a text with a unit, a list). A text
//! that really starts with a dollar is written `"$$…"`.

use crate::error::{ErrorKind, Problem};
use crate::suggest;
use crate::tree::{Node, Path, Step, Value};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Replaces every use; answers with the names of the parameters that were used.
pub(crate) fn substitute(tree: &mut Node) -> Result<BTreeSet<String>, Problem> {
    let Some(definitions) = tree.get("parameter").cloned() else {
        walk(tree, &Path::root(), &Definitions::new(None), &mut BTreeSet::new(), &mut Vec::new())?;
        return Ok(BTreeSet::new());
    };
    if !matches!(definitions.value, Value::Table(_)) {
        let message = format!("expected a table of parameters, got {}", definitions.value.words());
        return Err(Problem::new(ErrorKind::Value, Path::root().key("parameter"), message));
    }
    for entry in definitions.entries() {
        if matches!(entry.node.value, Value::Table(_) | Value::Datetime(_) | Value::Boolean(_)) {
            let path = Path::root().key("parameter").key(&entry.key);
            let message =
                format!("a parameter is a number, a text or a list, and not {}", entry.node.value.words());
            return Err(Problem::new(ErrorKind::Value, path, message));
        }
    }
    let mut used = BTreeSet::new();
    walk(tree, &Path::root(), &Definitions::new(Some(&definitions)), &mut used, &mut Vec::new())?;
    Ok(used)
}

struct Definitions<'a> {
    nodes: Option<&'a Node>,
    /// How many more uses are replaced: lists of lists of parameters could grow without end.
    budget: Cell<u32>,
}

impl<'a> Definitions<'a> {
    fn new(nodes: Option<&'a Node>) -> Self {
        Self { nodes, budget: Cell::new(100_000) }
    }
}

/// `stack` holds the parameters that are being replaced, to find circles.
fn walk(
    node: &mut Node,
    path: &Path,
    definitions: &Definitions<'_>,
    used: &mut BTreeSet<String>,
    stack: &mut Vec<String>,
) -> Result<(), Problem> {
    match &mut node.value {
        Value::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                walk(item, &path.index(i), definitions, used, stack)?;
            }
        }
        Value::Table(entries) => {
            for entry in entries {
                // A parameter's own value counts as a use only where the parameter is used itself.
                let own = matches!(path.steps(), [Step::Key(top)] if top == "parameter") && stack.is_empty();
                let mut unused = BTreeSet::new();
                let used = if own { &mut unused } else { &mut *used };
                walk(&mut entry.node, &path.key(&entry.key), definitions, used, stack)?;
            }
        }
        Value::String(text) => {
            if let Some(literal) = text.strip_prefix("$$") {
                *text = format!("${literal}");
                return Ok(());
            }
            let (negative, name) = match (text.strip_prefix('$'), text.strip_prefix("-$")) {
                (Some(name), _) => (false, name.to_owned()),
                (_, Some(name)) => (true, name.to_owned()),
                _ => return Ok(()),
            };
            let Some(definition) = definitions.nodes.and_then(|d| d.get(&name)) else {
                let known = definitions.nodes.map(Node::entries).unwrap_or_default();
                let help = suggest::help(&name, known.iter().map(|e| e.key.as_str()), "parameters");
                let message = format!("there is no parameter `{name}`");
                return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
            };
            if stack.contains(&name) {
                let message = format!("the parameter `{name}` is defined by itself");
                return Err(Problem::new(ErrorKind::Value, path.clone(), message));
            }
            let Some(budget) = definitions.budget.get().checked_sub(1) else {
                let message = "parameters are used more than 100000 times";
                return Err(Problem::new(ErrorKind::Value, path.clone(), message));
            };
            definitions.budget.set(budget);
            used.insert(name.clone());
            let mut value = definition.clone();
            stack.push(name.clone());
            walk(&mut value, path, definitions, used, stack)?;
            stack.pop();
            if negative && !negate(&mut value.value) {
                let message =
                    format!("the parameter `{name}` is {}, which has no negative", value.value.words());
                return Err(Problem::new(ErrorKind::Value, path.clone(), message));
            }
            node.value = value.value;
            node.via = Some(definition.place.clone());
        }
        _ => {}
    }
    Ok(())
}

fn negate(value: &mut Value) -> bool {
    match value {
        Value::Integer(i) => match i.checked_neg() {
            Some(n) => *i = n,
            None => return false,
        },
        Value::Float(x) => *x = -*x,
        Value::String(text) => {
            let trimmed = text.trim_start();
            if !trimmed.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
                return false;
            }
            *text = match trimmed.strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{}", trimmed.strip_prefix('+').unwrap_or(trimmed)),
            };
        }
        Value::Array(items) => return items.iter_mut().all(|item| negate(&mut item.value)),
        _ => return false,
    }
    true
}
