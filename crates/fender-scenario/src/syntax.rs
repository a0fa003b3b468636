//! TOML's own complaints, in words of ours.

use crate::error::{ErrorKind, ScenarioError, Sources};
use std::ops::Range;

/// The error for a file that is not TOML.
pub(crate) fn error(sources: &Sources, error: &toml::de::Error) -> ScenarioError {
    let text = &sources.text;
    let span = error.span().unwrap_or(0..0);
    if let Some((number, right)) = bare_point(text, span.start) {
        let message = format!("`{}` needs a digit on both sides of its point", &text[number.clone()]);
        let help = Some(format!("write `{right}`"));
        let labels = vec![(number, "here")];
        return ScenarioError::spot(ErrorKind::Syntax, &sources.name, text, labels, message, help);
    }
    if error.message() != "duplicate key" {
        let message = error.message().trim().replace('\n', ", ");
        return ScenarioError::spot(
            ErrorKind::Syntax,
            &sources.name,
            text,
            vec![(span, "here")],
            message,
            None,
        );
    }
    let name = text.get(span.clone()).unwrap_or_default().to_owned();
    let mut labels = vec![(span.clone(), "a second time here")];
    labels.extend(first_definition(text, &span).map(|first| (first, "first here")));
    let message = format!("the name `{name}` is defined twice");
    let help = Some("give one of them another name, or join the two".to_string());
    ScenarioError::spot(ErrorKind::Key, &sources.name, text, labels, message, help)
}

/// The number at a place that begins or ends with its point, and how TOML writes it.
fn bare_point(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '_' | 'e' | 'E');
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    let start = before.trim_end_matches(is_part).len();
    let end = at + after.find(|c| !is_part(c)).unwrap_or(after.len());
    let number = text.get(start..end)?;
    let (whole, fraction) = number.split_once('.')?;
    let is_digit = |c: char| c.is_ascii_digit();
    let (left, right) = (!whole.ends_with(is_digit), !fraction.starts_with(is_digit));
    let is_number = number.contains(is_digit) && !fraction.contains('.');
    let zero = |lacks: bool| if lacks { "0" } else { "" };
    (is_number && (left || right))
        .then(|| (start..end, format!("{whole}{}.{}{fraction}", zero(left), zero(right))))
}

/// Where the doubled key at `span` was defined first: the same header further up, or the same key in the same section.
fn first_definition(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..span.start)?;
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = text.get(line_start..)?.lines().next()?.trim();
    let key = text.get(span.clone())?;
    let is_header = line.starts_with('[');
    let mut found = None;
    let mut start = 0;
    for earlier in text.get(..line_start)?.split_inclusive('\n') {
        let trimmed = earlier.trim();
        let indent = earlier.len() - earlier.trim_start().len();
        if is_header {
            if trimmed == line {
                found = found.or(Some(start + indent..start + indent + trimmed.len()));
            }
        } else if trimmed.starts_with('[') {
            found = None; // another section
        } else if let Some(rest) = trimmed.strip_prefix(key)
            && rest.trim_start().starts_with(['=', '.'])
        {
            found = Some(start + indent..start + indent + key.len());
        }
        start += earlier.len();
    }
    found
}
