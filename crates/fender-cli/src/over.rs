//! Mistakes in the values of `--over`. The loader knows overrides only, which elsewhere come from `--set`: where it blames
//! that, the message is made to name what was typed.

use crate::failure::{BAD_INPUT, Failure};
use fender_run::RunError;
use fender_run::sweep::Axis;
use fender_scenario::ScenarioError;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use std::fmt;

const SET: &str = "--set";
const OVER: &str = "--over";

/// A failure that names `--over` if one of the axes' values is to blame.
pub fn failure(error: RunError, axes: &[Axis]) -> Failure {
    let RunError::Scenario(error) = error else { return Failure::run(error) };
    let settings: Vec<String> =
        axes.iter().flat_map(|a| a.values.iter().map(move |v| format!("{}={v}", a.key))).collect();
    let place = error.source_name() == SET && settings.iter().any(|s| source_is(&error, s));
    let help = error.advice().map(|help| rename(help, &settings));
    if !place && help.as_deref() == error.advice() {
        return Failure::scenario(error);
    }
    Failure { report: Some(Over { error, place, help }.into()), code: BAD_INPUT }
}

/// Whether the text that an error underlines is this one.
fn source_is(error: &ScenarioError, text: &str) -> bool {
    let span = SourceSpan::from((0, text.len()));
    let contents = error.source_code().and_then(|source| source.read_span(&span, 1, 1).ok());
    contents.is_some_and(|contents| contents.data() == text.as_bytes())
}

/// A help text, where it says that a value comes from `--set`.
fn rename(help: &str, settings: &[String]) -> String {
    let line = |line: &str| match line.split_once("--set ") {
        Some((before, setting)) if settings.iter().any(|s| s == setting) => {
            format!("{before}{OVER} {setting}")
        }
        _ => line.to_owned(),
    };
    help.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// An error of the loader in other words.
#[derive(Debug)]
struct Over {
    error: ScenarioError,
    /// Whether its place is the value of an axis.
    place: bool,
    help: Option<String>,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.error.to_string();
        match text.strip_prefix(SET) {
            Some(rest) if self.place => write!(f, "{OVER}{rest}"),
            _ => f.write_str(&text),
        }
    }
}

impl std::error::Error for Over {}

impl Diagnostic for Over {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.error.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        if self.place { Some(self) } else { self.error.source_code() }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.error.labels()
    }
}

impl SourceCode for Over {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let source = self.error.source_code().ok_or(MietteError::OutOfBounds)?;
        let c = source.read_span(span, before, after)?;
        let named = MietteSpanContents::new_named(
            OVER.into(),
            c.data(),
            *c.span(),
            c.line(),
            c.column(),
            c.line_count(),
        );
        Ok(Box::new(named))
    }
}
