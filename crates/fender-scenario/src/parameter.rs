//! Named parameters: `[parameter] drop_height = "2 m"`, used anywhere as `"$drop_height"` or `"-$drop_height"`, and in arithmetic:
//! `"2*$drop_height + 10 cm"`.
//!
//! A use by itself takes the parameter's value, whatever that is (a number, a text with a unit, a list). Arithmetic takes numbers.
//! A text that really starts with a dollar is written `"$$…"`.

use crate::error::{ErrorKind, Problem};
use crate::expression::{self, ExpressionError, Operand};
use crate::tree::{Node, Path, Place, Step, Value};
use crate::{suggest, units};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// What was replaced.
#[derive(Debug, Default)]
pub(crate) struct Substituted {
    /// Names of the parameters that were used.
    pub used: BTreeSet<String>,
    /// Expressions, as written, and their values.
    pub values: BTreeMap<String, String>,
}

/// Replaces every use.
pub(crate) fn substitute(tree: &mut Node) -> Result<Substituted, Problem> {
    let Some(definitions) = tree.get("parameter").cloned() else {
        walk(tree, &Path::root(), &Definitions::new(None), &mut BTreeSet::new(), &mut Vec::new())?;
        return Ok(Substituted::default());
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
    let definitions = Definitions::new(Some(&definitions));
    walk(tree, &Path::root(), &definitions, &mut used, &mut Vec::new())?;
    Ok(Substituted { used, values: definitions.values.into_inner() })
}

struct Definitions<'a> {
    nodes: Option<&'a Node>,
    /// How many more uses are replaced: lists of lists of parameters could grow without end.
    budget: Cell<u32>,
    /// Expressions and their values.
    values: RefCell<BTreeMap<String, String>>,
}

impl<'a> Definitions<'a> {
    fn new(nodes: Option<&'a Node>) -> Self {
        Self { nodes, budget: Cell::new(100_000), values: RefCell::default() }
    }

    fn get(&self, name: &str) -> Option<&'a Node> {
        self.nodes.and_then(|nodes| nodes.get(name))
    }

    /// The name of a parameter at the start of a text: the longest that is defined, or what looks like a name.
    fn name_at<'t>(&self, text: &'t str) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let ends = |name: &str| text[name.len()..].chars().next().is_none_or(|c| !is_part(c));
        let defined = self.nodes.map(Node::entries).unwrap_or_default().iter().map(|e| e.key.as_str());
        let longest = defined.filter(|name| text.starts_with(name) && ends(name)).map(str::len).max();
        &text[..longest.unwrap_or_else(|| text.find(|c| !is_part(c)).unwrap_or(text.len()))]
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
                (Some(name), _) => (false, name),
                (_, Some(name)) => (true, name),
                _ if expression::is_expression(text) => (false, ""),
                _ => return Ok(()),
            };
            let alone = definitions.get(name).is_some() || definitions.name_at(name) == name;
            if name.is_empty() || !alone {
                let text = text.clone();
                node.value = calculate(&text, path, definitions, used, stack)?;
                return Ok(());
            }
            let name = name.to_owned();
            let (mut value, definition) = resolve(&name, path, definitions, used, stack)?;
            if negative && !negate(&mut value.value) {
                let message =
                    format!("the parameter `{name}` is {}, which has no negative", value.value.words());
                return Err(Problem::new(ErrorKind::Value, path.clone(), message));
            }
            node.value = value.value;
            node.via = Some(definition);
        }
        _ => {}
    }
    Ok(())
}

/// The value of a parameter, with everything in it replaced, and where it is defined.
fn resolve(
    name: &str,
    path: &Path,
    definitions: &Definitions<'_>,
    used: &mut BTreeSet<String>,
    stack: &mut Vec<String>,
) -> Result<(Node, Place), Problem> {
    let Some(definition) = definitions.get(name) else {
        let known = definitions.nodes.map(Node::entries).unwrap_or_default();
        let help = suggest::help(name, known.iter().map(|e| e.key.as_str()), "parameters");
        let message = format!("there is no parameter `{name}`");
        return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
    };
    if let Some(first) = stack.iter().position(|n| n == name) {
        let chain: Vec<String> =
            stack[first..].iter().map(String::as_str).chain([name]).map(|n| format!("`{n}`")).collect();
        let message = format!("the parameter `{name}` is defined by itself: {}", chain.join(" → "));
        return Err(Problem::new(ErrorKind::Value, path.clone(), message));
    }
    let Some(budget) = definitions.budget.get().checked_sub(1) else {
        let message = "parameters are used more than 100000 times";
        return Err(Problem::new(ErrorKind::Value, path.clone(), message));
    };
    definitions.budget.set(budget);
    used.insert(name.to_owned());
    let mut value = definition.clone();
    stack.push(name.to_owned());
    walk(&mut value, path, definitions, used, stack)?;
    stack.pop();
    Ok((value, definition.place.clone()))
}

/// The value of an expression, as it would be written.
fn calculate(
    text: &str,
    path: &Path,
    definitions: &Definitions<'_>,
    used: &mut BTreeSet<String>,
    stack: &mut Vec<String>,
) -> Result<Value, Problem> {
    let wrong = |message: String| Problem::new(ErrorKind::Value, path.clone(), message);
    let mut lookup = |rest: &str| {
        let name = definitions.name_at(rest);
        let (node, _) = resolve(name, path, definitions, used, stack)?;
        let operand = match &node.value {
            Value::Integer(i) => Operand::bare(*i as f64),
            Value::Float(x) => Operand::bare(*x),
            Value::String(text) => match expression::measure(text) {
                Ok(measure) => Operand { measure, bare: false },
                Err(error) => {
                    let message = format!("the parameter `{name}` is no number: {error}");
                    return Err(Box::new(wrong(message)));
                }
            },
            other => {
                let message = format!("the parameter `{name}` is {}, and not a number", other.words());
                return Err(Box::new(wrong(message)));
            }
        };
        Ok((name.len(), operand))
    };
    let operand = expression::evaluate(text, &mut lookup).map_err(|error| match error {
        ExpressionError::Syntax(message) => wrong(format!("the expression \"{text}\" cannot be read: {message}"))
            .help("such as \"$a + 0.1 m\", \"2*$a\" or \"sqrt($a/$b)\"; a text that starts with a dollar is written \"$$…\"".to_owned()),
        ExpressionError::Value(message, help) => wrong(format!("\"{text}\": {message}")).help(help),
        ExpressionError::Parameter(problem) => *problem,
    })?;
    definitions.values.borrow_mut().insert(text.to_owned(), operand.measure.to_string());
    Ok(if operand.bare {
        Value::Float(operand.measure.value)
    } else {
        Value::String(operand.measure.to_string())
    })
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
            if units::parse(trimmed).is_err() {
                *text = format!("-({trimmed})"); // arithmetic
                return true;
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
