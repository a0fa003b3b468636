//! What is wrong with a scenario, where, what was expected, and what to do.

use crate::overrides::Override;
use crate::tree::{Node, Path, Place};
use miette::{LabeledSpan, NamedSource, SourceCode};
use std::fmt;
use std::ops::Range;

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The file itself cannot be read.
    Unreadable,
    /// Not TOML, or not XML where that is imported.
    Syntax,
    /// An unknown, missing or doubled key.
    Key,
    /// A value of the wrong type, unit or size.
    Value,
    /// A name that stands for nothing.
    Reference,
    /// An asset that is missing or damaged.
    Asset,
    /// An override that does not fit the file.
    Override,
    /// Every value is fine by itself, and together they make no model.
    Model,
}

impl ErrorKind {
    fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "scenario::unreadable",
            Self::Syntax => "scenario::syntax",
            Self::Key => "scenario::key",
            Self::Value => "scenario::value",
            Self::Reference => "scenario::reference",
            Self::Asset => "scenario::asset",
            Self::Override => "scenario::override",
            Self::Model => "scenario::model",
        }
    }
}

/// Why a scenario cannot be loaded. `Display` is one line: place, key, message; as a `miette::Diagnostic` it also has
/// the source with the place underlined and the help.
#[derive(Debug)]
pub struct ScenarioError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    key: Option<String>,
    help: Option<String>,
    source_name: String,
    source: Option<NamedSource<String>>,
    labels: Vec<(Range<usize>, &'static str)>,
    position: Option<(usize, usize)>,
}

impl ScenarioError {
    /// An error about a whole file.
    pub(crate) fn file(kind: ErrorKind, name: &str, message: String, help: Option<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message,
            key: None,
            help,
            source_name: name.into(),
            source: None,
            labels: Vec::new(),
            position: None,
        }))
    }

    /// An error at a place of a text.
    pub(crate) fn spot(
        kind: ErrorKind,
        name: &str,
        text: &str,
        labels: Vec<(Range<usize>, &'static str)>,
        message: String,
        help: Option<String>,
    ) -> Self {
        let mut error = Self::file(kind, name, message, help);
        error.0.position = labels.first().map(|(span, _)| line_and_column(text, span.start));
        error.0.source = Some(NamedSource::new(name, text.to_owned()));
        error.0.labels = labels;
        error
    }

    fn with_key(mut self, key: &Path) -> Self {
        if !key.steps().is_empty() {
            self.0.key = Some(key.to_string());
        }
        self
    }

    /// What kind of mistake it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Path of the key, such as `body.ball.mass`.
    pub fn key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// Name of the file (or `--set`) that is wrong.
    pub fn source_name(&self) -> &str {
        &self.0.source_name
    }

    /// Line and column, counted from 1.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.0.position
    }

    /// What to do about it.
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

/// Line and column of a byte, counted from 1; columns in characters.
pub(crate) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// Line of a byte of what is not text, counted from 1.
pub(crate) fn line_of_byte(bytes: &[u8], byte: usize) -> usize {
    bytes[..byte].split(|b| *b == b'\n').count()
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.source_name)?;
        if let Some((line, column)) = self.0.position {
            write!(f, ":{line}:{column}")?;
        }
        f.write_str(": ")?;
        if let Some(key) = &self.0.key {
            write!(f, "`{key}`: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for ScenarioError {}

impl miette::Diagnostic for ScenarioError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.kind.code()))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |(span, text): &(Range<usize>, &'static str)| {
            LabeledSpan::new((!text.is_empty()).then(|| (*text).to_owned()), span.start, span.len())
        };
        Some(Box::new(self.0.labels.iter().map(label)))
    }
}

/// A mistake at a path of the file, before its place is looked up.
#[derive(Debug)]
pub(crate) struct Problem {
    pub kind: ErrorKind,
    pub path: Path,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(kind: ErrorKind, path: Path, message: impl Into<String>) -> Self {
        Self { kind, path, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }
}

/// The texts that values come from.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// Name of the scenario file as the user knows it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The overrides.
    pub overrides: Vec<Override>,
}

impl Sources {
    /// The error for a problem, with the place looked up in the tree.
    pub fn problem(&self, tree: &Node, problem: Problem) -> ScenarioError {
        let (place, via) = tree.locate(&problem.path);
        self.at(problem.kind, &problem.path, &place, via.as_ref(), problem.message, problem.help)
    }

    /// An error at a place.
    pub fn at(
        &self,
        kind: ErrorKind,
        key: &Path,
        place: &Place,
        via: Option<&Place>,
        message: String,
        mut help: Option<String>,
    ) -> ScenarioError {
        match place {
            Place::File(span) => {
                let mut labels = vec![(span.clone(), "here")];
                match via {
                    Some(Place::File(span)) => labels.push((span.clone(), "the parameter's value")),
                    Some(Place::Override(i)) => {
                        let source = format!("the value comes from --set {}", self.overrides[*i]);
                        help = Some(help.map_or_else(|| source.clone(), |h| format!("{h}\n{source}")));
                    }
                    None => {}
                }
                ScenarioError::spot(kind, &self.name, &self.text, labels, message, help).with_key(key)
            }
            Place::Override(i) => {
                let text = self.overrides[*i].to_string();
                let labels = vec![(0..text.len(), "here")];
                ScenarioError::spot(kind, "--set", &text, labels, message, help).with_key(key)
            }
        }
    }
}
