//! A URDF file as text: attributes with their types, and errors and warnings with their places.

use crate::error::{ErrorKind, ScenarioError, line_and_column};
use crate::suggest;
use fender_math::{Pose, Vec3, rotation};
use roxmltree::Node;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes of the file.
pub(super) type Spot = Range<usize>;

pub(super) type Result<T> = std::result::Result<T, ScenarioError>;

/// The file that is read, and what is to be said of it.
pub(super) struct Source<'a> {
    /// Name as the user knows it.
    pub name: &'a str,
    /// Contents.
    pub text: &'a str,
    /// What is not wrong but did not come along, or probably was not meant.
    pub warnings: Vec<String>,
    /// Elements that mean nothing here, with how often they occur.
    skipped: BTreeMap<String, usize>,
}

impl<'a> Source<'a> {
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, warnings: Vec::new(), skipped: BTreeMap::new() }
    }

    /// An error at a place.
    pub fn error(
        &self,
        kind: ErrorKind,
        spot: &Spot,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) -> ScenarioError {
        self.error_at(kind, vec![(spot.clone(), "here")], message, help)
    }

    /// An error at several places, the first of which is the one that is told.
    pub fn error_at(
        &self,
        kind: ErrorKind,
        labels: Vec<(Spot, &'static str)>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) -> ScenarioError {
        ScenarioError::spot(kind, self.name, self.text, labels, message.into(), help.into())
    }

    /// A warning at a place.
    pub fn warn(&mut self, spot: &Spot, message: impl AsRef<str>) {
        let (line, column) = line_and_column(self.text, spot.start);
        self.warnings.push(format!("{}:{line}:{column}: {}", self.name, message.as_ref()));
    }

    /// Notes an element that means nothing here.
    pub fn skip(&mut self, node: Node) {
        *self.skipped.entry(node.tag_name().name().to_owned()).or_default() += 1;
    }

    /// One warning for all elements that were skipped.
    pub fn warn_of_skipped(&mut self) {
        if self.skipped.is_empty() {
            return;
        }
        let times = |n: usize| if n == 1 { String::new() } else { format!(" ({n} times)") };
        let all: Vec<_> = self.skipped.iter().map(|(name, n)| format!("<{name}>{}", times(*n))).collect();
        self.warnings.push(format!("{}: left out: {}", self.name, all.join(", ")));
    }

    /// Warns of attributes that an element does not have: a misspelt one would otherwise be taken for one left out.
    pub fn check_attributes(&mut self, node: Node, known: &[&'static str]) {
        for attribute in node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_none() && !known.contains(&name) {
                let help = suggest::help(name, known.iter().copied(), "attributes").unwrap_or_default();
                let message = format!("<{}> has no attribute `{name}`; {help}", node.tag_name().name());
                self.warn(&attribute.range_qname(), message);
            }
        }
    }

    /// An attribute that must be there, and not empty.
    pub fn required<'n>(&self, node: Node<'n, '_>, key: &str) -> Result<(&'n str, Spot)> {
        match optional(node, key) {
            Some((text, spot)) if text.trim().is_empty() => {
                Err(self.error(ErrorKind::Value, &spot, format!("the attribute `{key}` is empty"), None))
            }
            Some(found) => Ok(found),
            None => {
                let tag = node.tag_name().name();
                let message = format!("the attribute `{key}` of <{tag}> is missing");
                Err(self.error(ErrorKind::Key, &opening(self.text, node), message, None))
            }
        }
    }

    /// A number that may be left out.
    pub fn number(&self, node: Node, key: &str) -> Result<Option<(f64, Spot)>> {
        let Some((text, spot)) = optional(node, key) else { return Ok(None) };
        let value = self.parse(key, text, &spot)?;
        Ok(Some((value, spot)))
    }

    /// A number that must be there.
    pub fn required_number(&self, node: Node, key: &str) -> Result<(f64, Spot)> {
        let (text, spot) = self.required(node, key)?;
        let value = self.parse(key, text, &spot)?;
        Ok((value, spot))
    }

    /// A length that must be there and be positive [m].
    pub fn length(&self, node: Node, key: &str) -> Result<f64> {
        let (value, spot) = self.required_number(node, key)?;
        self.positive(value, key, &spot)
    }

    fn positive(&self, value: f64, key: &str, spot: &Spot) -> Result<f64> {
        if value > 0.0 {
            return Ok(value);
        }
        let message = format!("the attribute `{key}` must be positive, and is {value}");
        Err(self.error(ErrorKind::Value, spot, message, None))
    }

    /// Three positive lengths that must be there [m].
    pub fn lengths(&self, node: Node, key: &str) -> Result<Vec3> {
        let (text, spot) = self.required(node, key)?;
        let value = self.parse_vector(key, text, &spot)?;
        self.positive(value.min_element(), key, &spot)?;
        Ok(value)
    }

    /// Three numbers that may be left out.
    pub fn vector(&self, node: Node, key: &str) -> Result<Option<(Vec3, Spot)>> {
        let Some((text, spot)) = optional(node, key) else { return Ok(None) };
        let value = self.parse_vector(key, text, &spot)?;
        Ok(Some((value, spot)))
    }

    fn parse_vector(&self, key: &str, text: &str, spot: &Spot) -> Result<Vec3> {
        let numbers = self.list(key, text, spot)?;
        let [x, y, z] = numbers[..] else {
            let message = format!("the attribute `{key}` takes three numbers, and has {}", numbers.len());
            return Err(self.error(ErrorKind::Value, spot, message, None));
        };
        Ok(Vec3::new(x, y, z))
    }

    /// Numbers with blanks between them.
    pub fn list(&self, key: &str, text: &str, spot: &Spot) -> Result<Vec<f64>> {
        text.split_whitespace().map(|word| self.parse(key, word, spot)).collect()
    }

    fn parse(&self, key: &str, text: &str, spot: &Spot) -> Result<f64> {
        let wrong = |message: String| Err(self.error(ErrorKind::Value, spot, message, None));
        match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => wrong(format!("the attribute `{key}` must be finite, and is {}", text.trim())),
            Err(_) => wrong(format!("the attribute `{key}` takes numbers, and \"{}\" is none", text.trim())),
        }
    }

    /// Where an element says its `<origin>` is: turned by roll about x, pitch about y and yaw about z of the outer frame.
    pub fn origin(&mut self, node: Node) -> Result<Pose> {
        let Some(origin) = child(node, "origin") else { return Ok(Pose::IDENTITY) };
        self.check_attributes(origin, &["xyz", "rpy"]);
        let translation = self.vector(origin, "xyz")?.map_or(Vec3::ZERO, |(xyz, _)| xyz);
        let rpy = self.vector(origin, "rpy")?.map_or(Vec3::ZERO, |(rpy, _)| rpy);
        Ok(Pose { rotation: turned(rpy), translation })
    }
}

/// Rotation by roll, pitch and yaw [rad].
pub(super) fn turned(rpy: Vec3) -> fender_math::Quat {
    let about = rotation::from_axis_angle;
    about(Vec3::Z, rpy.z) * about(Vec3::Y, rpy.y) * about(Vec3::X, rpy.x)
}

/// The inner elements.
pub(super) fn elements<'n, 'd>(node: Node<'n, 'd>) -> impl Iterator<Item = Node<'n, 'd>> {
    node.children().filter(Node::is_element)
}

/// The first inner element of this name.
pub(super) fn child<'n, 'd>(node: Node<'n, 'd>, name: &str) -> Option<Node<'n, 'd>> {
    elements(node).find(|inner| inner.tag_name().name() == name)
}

/// An attribute with its place.
pub(super) fn optional<'n>(node: Node<'n, '_>, key: &str) -> Option<(&'n str, Spot)> {
    node.attribute_node(key).map(|attribute| (attribute.value(), attribute.range_value()))
}

/// Place of an element: the beginning of its tag.
pub(super) fn opening(text: &str, node: Node) -> Spot {
    let start = node.range().start;
    let tag = text.get(start..).unwrap_or_default();
    let end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(tag.len());
    start..start + end
}
