//! `case.toml` and the files beside it.

use crate::error::RunError;
use crate::scenario::{Check, Statistic, When};
use fender_scenario::Assets;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// `case.toml` as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseSpec {
    /// What is held to what.
    pub title: String,
    /// Publication, section, table or figure.
    pub source: String,
    /// What to keep in mind when reading the numbers.
    #[serde(default)]
    pub note: String,
    /// Name of a shipped scenario; without it, `scenario.toml` in the case's folder.
    #[serde(default)]
    pub scenario: Option<String>,
    /// What the picture shows; by default the tables or formulas, asked and got, or else the first signal over time.
    #[serde(default)]
    pub plot: Option<PlotSpec>,
    /// Single numbers.
    #[serde(default)]
    pub check: Vec<CheckSpec>,
    /// One run per row of a file.
    #[serde(default)]
    pub table: Vec<TableSpec>,
    /// Formulas.
    #[serde(default)]
    pub formula: Vec<FormulaSpec>,
}

/// A picture of the runs themselves: one line each.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlotSpec {
    /// Signal along x; by default time.
    #[serde(default)]
    pub x: Option<String>,
    /// Signal along y.
    pub y: String,
}

/// One number of one run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSpec {
    /// What is checked, in words.
    #[serde(default)]
    pub name: Option<String>,
    /// Overrides.
    #[serde(default)]
    pub set: BTreeMap<String, toml::Value>,
    /// Signal.
    pub signal: String,
    /// Time [s].
    #[serde(default)]
    pub at: Option<f64>,
    /// Statistic over a span.
    #[serde(default)]
    pub of: Option<Statistic>,
    /// Start of the span [s].
    #[serde(default)]
    pub from: Option<f64>,
    /// End of the span [s].
    #[serde(default)]
    pub until: Option<f64>,
    /// Value asked for, in the signal's unit.
    pub value: f64,
    /// Largest difference, in the signal's unit.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Largest difference, as a part of the value.
    #[serde(default)]
    pub relative_tolerance: Option<f64>,
    /// Where value and tolerance come from.
    pub why: String,
}

/// One run per row of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// CSV file with a line of names.
    pub file: String,
    /// Columns that are overrides.
    #[serde(default)]
    pub set: Vec<String>,
    /// Overrides for all rows.
    #[serde(default)]
    pub with: BTreeMap<String, toml::Value>,
    /// Column along the x axis of the picture; by default the first that is an override.
    #[serde(default)]
    pub x: Option<String>,
    /// What the x axis is called; by default that column.
    #[serde(default)]
    pub x_label: Option<String>,
    /// Columns that name the runs in a picture of them; by default the one along the x axis.
    #[serde(default)]
    pub label: Vec<String>,
    /// What is checked of each run.
    pub check: Vec<TableCheckSpec>,
}

/// One number of each run of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCheckSpec {
    /// What is checked, in words.
    #[serde(default)]
    pub name: Option<String>,
    /// Column with the value asked for.
    pub column: String,
    /// Signal.
    pub signal: String,
    /// Time [s], or the column that holds it.
    #[serde(default)]
    pub at: Option<TimeSpec>,
    /// Statistic over a span.
    #[serde(default)]
    pub of: Option<Statistic>,
    /// Start of the span [s].
    #[serde(default)]
    pub from: Option<f64>,
    /// End of the span [s].
    #[serde(default)]
    pub until: Option<f64>,
    /// The signal is multiplied by this.
    #[serde(default)]
    pub scale: Option<f64>,
    /// The signal is divided by this column.
    #[serde(default)]
    pub per: Option<String>,
    /// Largest difference, in the column's unit.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Largest difference, as a part of the value.
    #[serde(default)]
    pub relative_tolerance: Option<f64>,
    /// Where value and tolerance come from.
    pub why: String,
}

/// A time in a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum TimeSpec {
    /// The same for all rows [s].
    Same(f64),
    /// The column that holds it.
    Column(String),
}

/// A formula, once or by row of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaSpec {
    /// Registered name (see [`super::formulas`]).
    pub name: String,
    /// What is checked, in words; by default that name.
    #[serde(default)]
    pub what: Option<String>,
    /// CSV file whose columns are arguments, by name.
    #[serde(default)]
    pub file: Option<String>,
    /// Arguments that are the same everywhere.
    #[serde(default)]
    pub with: BTreeMap<String, f64>,
    /// Column with the value asked for.
    #[serde(default)]
    pub column: Option<String>,
    /// Value asked for, without a file.
    #[serde(default)]
    pub value: Option<f64>,
    /// Largest difference.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// Largest difference, as a part of the value.
    #[serde(default)]
    pub relative_tolerance: Option<f64>,
    /// Where value and tolerance come from.
    pub why: String,
}

/// A reference file: names and rows of numbers; an empty cell is NaN.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Reference {
    pub fn value(&self, row: usize, name: &str) -> Option<f64> {
        let column = self.names.iter().position(|n| n == name)?;
        self.rows.get(row)?.get(column).copied()
    }
}

/// A validation case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of its folder.
    pub name: String,
    /// What `case.toml` says.
    pub spec: CaseSpec,
    /// The files beside it.
    pub assets: Assets,
}

impl Case {
    /// Loads the case in a folder.
    pub fn load(dir: &Path) -> Result<Self, RunError> {
        let path = dir.join("case.toml");
        let text = std::fs::read_to_string(&path).map_err(|e| RunError::io(&path, e))?;
        let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let name = absolute.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        Self::parse(&name, &text, Assets::Dir(dir.to_owned()))
    }

    /// A case from its text and the files beside it.
    pub fn parse(name: &str, text: &str, assets: Assets) -> Result<Self, RunError> {
        let spec = toml::from_str(text).map_err(|e| RunError::BadInput(format!("case '{name}': {e}")))?;
        Ok(Self { name: name.to_owned(), spec, assets })
    }

    pub(super) fn bad(&self, why: impl std::fmt::Display) -> RunError {
        RunError::BadInput(format!("case '{}': {why}", self.name))
    }

    /// Reads a reference file; lines that start with `#` are comments.
    pub(super) fn reference(&self, file: &str) -> Result<Reference, RunError> {
        let bytes = self.assets.read(file).map_err(|e| RunError::io(Path::new(file), e))?;
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(bytes.as_slice());
        let names: Vec<String> =
            reader.headers().map_err(|e| self.bad(e))?.iter().map(ToOwned::to_owned).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| self.bad(e))?;
            let number = |cell: &str| match cell {
                "" => Ok(f64::NAN),
                cell => cell.parse().map_err(|_| self.bad(format!("'{file}': '{cell}' is not a number"))),
            };
            rows.push(record.iter().map(number).collect::<Result<Vec<f64>, _>>()?);
        }
        Ok(Reference { names, rows })
    }

    /// When a check looks.
    pub(super) fn when(
        &self,
        at: Option<f64>,
        of: Option<Statistic>,
        from: Option<f64>,
        until: Option<f64>,
    ) -> Result<When, RunError> {
        match (at, of) {
            (Some(time), None) => Ok(When::At(time)),
            (None, Some(of)) => {
                Ok(When::Over { of, from: from.unwrap_or(0.0), until: until.unwrap_or(f64::INFINITY) })
            }
            _ => Err(self.bad("a check needs either `at` or `of`")),
        }
    }

    /// What a value must be.
    pub(super) fn target(
        &self,
        value: f64,
        tolerance: Option<f64>,
        relative: Option<f64>,
    ) -> Result<Check, RunError> {
        let tolerance = match (tolerance, relative) {
            (None, None) => return Err(self.bad("a check needs `tolerance` or `relative_tolerance`")),
            (a, r) => a.unwrap_or(0.0).max(r.unwrap_or(0.0) * value.abs()),
        };
        Ok(Check::Near { value, tolerance })
    }
}
