//! Time series in CSV files: a header with the names of the columns, then one row per sample, all in SI units.

use crate::error::{ErrorKind, ScenarioError, line_of_byte};
use crate::suggest;
use fender_math::series::SeriesError;
use std::ops::Range;

/// Columns of a file, in the order they were asked for.
#[derive(Debug)]
pub(crate) struct SeriesFile {
    name: String,
    text: String,
    /// Bytes of each row.
    spans: Vec<Range<usize>>,
    /// First column: time [s].
    pub times: Vec<f64>,
    /// The other columns: the required ones, then the optional ones if they are there.
    pub rows: Vec<Vec<f64>>,
}

/// Reads a file with a `time` column, the `required` columns and all or none of the `optional` ones.
pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    required: &[&str],
    optional: &[&str],
) -> Result<SeriesFile, ScenarioError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}'),
        Err(error) => {
            let line = line_of_byte(bytes, error.valid_up_to());
            let message = format!("line {line} is not UTF-8 text: this is no CSV file");
            return Err(ScenarioError::file(ErrorKind::Asset, name, message, None));
        }
    };
    let fail = |span: Range<usize>, message: String, help: Option<String>| {
        ScenarioError::spot(ErrorKind::Asset, name, text, vec![(span, "here")], message, help)
    };
    let header_help = || {
        let optional =
            if optional.is_empty() { String::new() } else { format!(" and {}", optional.join(",")) };
        Some(format!("the first line names the columns: time,{}{optional}", required.join(",")))
    };

    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    // The text is UTF-8 and rows may have any length: reading from memory has nothing left to fail at.
    let mut next = || records.next().and_then(Result::ok);
    let Some(header) = next() else {
        let message = "the file is empty".to_string();
        return Err(ScenarioError::file(ErrorKind::Asset, name, message, header_help()));
    };

    let known = || std::iter::once("time").chain(required.iter().copied()).chain(optional.iter().copied());
    let header_start = start(&header);
    for (i, column) in header.iter().enumerate() {
        if !known().any(|k| k == column) {
            let help = suggest::nearest(column, known())
                .map(|n| format!("did you mean `{n}`?"))
                .or_else(header_help);
            let number = i + 1;
            let message = if column.parse::<f64>().is_ok() {
                format!(
                    "line {}, column {number}: expected the name of a column, got the number {column}",
                    line(&header)
                )
            } else {
                format!("line {}, column {number}: unknown column `{column}`", line(&header))
            };
            return Err(fail(field_span(text, header_start, i), message, help));
        }
    }
    let find = |column: &str| header.iter().position(|h| h == column);
    let has_optional = optional.iter().any(|c| find(c).is_some());
    let wanted: Vec<&str> = std::iter::once("time")
        .chain(required.iter().copied())
        .chain(optional.iter().copied().filter(|_| has_optional))
        .collect();
    let mut columns = Vec::new();
    for column in &wanted {
        let Some(position) = find(column) else {
            let message = format!("line {}: the column `{column}` is missing", line(&header));
            return Err(fail(line_span(text, header_start), message, header_help()));
        };
        columns.push(position);
    }

    let mut file = SeriesFile {
        name: name.into(),
        text: text.into(),
        spans: Vec::new(),
        times: Vec::new(),
        rows: Vec::new(),
    };
    while let Some(record) = next() {
        let at = start(&record);
        if record.len() != header.len() {
            let message =
                format!("line {}: expected {} columns, got {}", line(&record), header.len(), record.len());
            return Err(fail(line_span(text, at), message, None));
        }
        let mut row = Vec::with_capacity(columns.len());
        for (column, name) in columns.iter().zip(&wanted) {
            let cell = record.get(*column).unwrap_or_default();
            match cell.parse::<f64>() {
                Ok(value) if value.is_finite() => row.push(value),
                _ => {
                    let message = format!(
                        "line {}, column {} (`{name}`): expected a finite number, got \"{cell}\"",
                        line(&record),
                        column + 1
                    );
                    return Err(fail(field_span(text, at, *column), message, None));
                }
            }
        }
        file.spans.push(line_span(text, at));
        file.times.push(row[0]);
        file.rows.push(row.split_off(1));
    }
    Ok(file)
}

impl SeriesFile {
    /// The error for samples that make no series.
    pub fn error(&self, error: &SeriesError) -> ScenarioError {
        let (SeriesError::NotIncreasing(i) | SeriesError::NotFinite(i)) = error else {
            return ScenarioError::file(ErrorKind::Asset, &self.name, error.to_string(), None);
        };
        let Some(span) = self.spans.get(*i).cloned() else {
            return ScenarioError::file(ErrorKind::Asset, &self.name, error.to_string(), None);
        };
        let (line, _) = crate::error::line_and_column(&self.text, span.start);
        let message = format!("line {line}: {error}");
        ScenarioError::spot(ErrorKind::Asset, &self.name, &self.text, vec![(span, "here")], message, None)
    }
}

fn start(record: &csv::StringRecord) -> usize {
    record.position().map_or(0, |p| p.byte() as usize)
}

fn line(record: &csv::StringRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

fn line_span(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// Bytes of a cell of the row at `start`.
fn field_span(text: &str, start: usize, field: usize) -> Range<usize> {
    let row = line_span(text, start);
    let mut quoted = false;
    let mut separators = Vec::new();
    for (i, byte) in text.as_bytes()[row.clone()].iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => separators.push(row.start + i),
            _ => {}
        }
    }
    let from = if field == 0 { row.start } else { separators.get(field - 1).map_or(row.start, |s| s + 1) };
    let to = separators.get(field).copied().unwrap_or(row.end);
    from..to.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<SeriesFile, ScenarioError> {
        read("m.csv", text.as_bytes(), &["x"], &["q"])
    }

    #[test]
    fn columns_come_in_the_order_asked_for() {
        let file = load("# a comment\nx, time\n1.5, 0\n2.5,1e0\n").unwrap();
        assert_eq!(file.times, [0.0, 1.0]);
        assert_eq!(file.rows, [[1.5], [2.5]]);
        assert_eq!(load("q,time,x\n2,0,1\n").unwrap().rows, [[1.0, 2.0]]);
    }

    #[test]
    fn mistakes_are_located() {
        let message = |text: &str| load(text).unwrap_err().to_string();
        assert_eq!(
            message("time,x\n0,1\n1,abc\n"),
            "m.csv:3:3: line 3, column 2 (`x`): expected a finite number, got \"abc\""
        );
        assert_eq!(
            message("time,x\n0,nan\n"),
            "m.csv:2:3: line 2, column 2 (`x`): expected a finite number, got \"nan\""
        );
        assert_eq!(message("time,x\n0\n"), "m.csv:2:1: line 2: expected 2 columns, got 1");
        assert_eq!(message("time,y\n0,1\n"), "m.csv:1:6: line 1, column 2: unknown column `y`");
        assert_eq!(message("time\n0\n"), "m.csv:1:1: line 1: the column `x` is missing");
        assert_eq!(message(""), "m.csv: the file is empty");
        assert_eq!(
            message("0,1\n"),
            "m.csv:1:1: line 1, column 1: expected the name of a column, got the number 0"
        );
        let bytes = read("m.csv", b"time,x\n0,\xff\n", &["x"], &[]).unwrap_err();
        assert_eq!(bytes.to_string(), "m.csv: line 2 is not UTF-8 text: this is no CSV file");
    }
}
