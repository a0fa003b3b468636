//! What stands at a path of a loaded scenario.

use crate::expression;
use crate::scenario::Scenario;
use crate::tree::{Node, Path, Step, Value, parse_document};
use crate::units::{self, Measure};

/// What stands at a path that `--set` could change.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A number, in SI; without a unit if it was written without, or is a default.
    Number(Measure),
    /// A use of the parameter of this name.
    Parameter(String),
    /// Something else, in words.
    Other(&'static str),
    /// Nothing: the key is optional, or does not exist.
    Nothing,
}

impl Scenario {
    /// What stands at a path, or in a parameter; overrides and defaults count.
    pub fn find(&self, path: &str) -> Found {
        let (Some(path), Ok(tree)) = (Path::parse(path), parse_document(&self.expanded)) else {
            return Found::Nothing;
        };
        let parameter = match path.steps() {
            [Step::Key(name)] => tree.get("parameter").and_then(|table| table.get(name)),
            _ => None,
        };
        match parameter.or_else(|| descend(&tree, path.steps())) {
            Some(node) => read(&node.value),
            None => Found::Nothing,
        }
    }
}

fn descend<'t>(tree: &'t Node, steps: &[Step]) -> Option<&'t Node> {
    steps.iter().try_fold(tree, |node, step| match (step, &node.value) {
        (Step::Index(index), Value::Array(items)) => items.get(*index),
        // `contact.0` means `contact[0]`.
        (Step::Key(key), Value::Array(items)) => items.get(key.parse::<usize>().ok()?),
        (Step::Key(key), _) => node.get(key),
        (Step::Index(_), _) => None,
    })
}

fn read(value: &Value) -> Found {
    let plain = |value: f64| Found::Number(Measure { value, dimension: units::Dimension::default() });
    match value {
        Value::Integer(i) => plain(*i as f64),
        Value::Float(x) => plain(*x),
        Value::String(text) => {
            let used = text.strip_prefix('-').unwrap_or(text).strip_prefix('$');
            match (used, expression::measure(text)) {
                _ if used.is_none_or(|name| name.contains(['$', ' ', '*', '/', '^', '+', '(']))
                    && expression::is_expression(text) =>
                {
                    Found::Other("calculated from parameters")
                }
                (Some(name), _) if !name.starts_with('$') => Found::Parameter(name.to_owned()),
                (_, Ok(measure)) => Found::Number(measure),
                _ => Found::Other("a text"),
            }
        }
        other => Found::Other(other.words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assets, Override, load_str};

    const TEXT: &str = r#"
format = 1
title = "Ball"
[parameter]
height = "2 m"
[run]
duration = "1 s"
[material.steel]
density = "7.8 t/m^3"
[body.ball]
shape.sphere = { radius = "5 cm" }
material = "steel"
position = [0, 0, "$height"]
[[contact]]
between = ["steel", "steel"]
normal.hertz = { stiffness = "1 MN/m^1.5", restitution = 0.5 }
"#;

    #[test]
    fn numbers_are_found_by_path_and_by_name() {
        let scenario = load_str("ball", TEXT, &Assets::none(), &[Override::new("height", "3 m")]).unwrap();
        let number = |path: &str| match scenario.find(path) {
            Found::Number(measure) => measure.value,
            other => panic!("{path}: {other:?}"),
        };
        assert_eq!(number("height"), 3.0);
        assert_eq!(number("parameter.height"), 3.0);
        assert_eq!(number("contact.0.normal.hertz.stiffness"), 1e6);
        assert_eq!(number("contact[0].normal.hertz.restitution"), 0.5);
        assert_eq!(number("contact[0].normal.hertz.small_speed"), 1e-3);
        assert_eq!(number("body.ball.position.1"), 0.0);
        assert_eq!(scenario.find("body.ball.position[2]"), Found::Parameter("height".into()));
        assert_eq!(scenario.find("body.ball.material"), Found::Other("a text"));
        assert!(matches!(scenario.find("body.ball.shape"), Found::Other(_)));
        for nothing in ["body.ball.mass", "bdy", "contact[7].normal", "title[0]", "a[", "height.x"] {
            assert_eq!(scenario.find(nothing), Found::Nothing, "{nothing}");
        }
    }
}
