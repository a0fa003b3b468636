//! What differs between runs: their settings, their signals, what they were expected to do.

mod difference;
mod settings;

pub use difference::{Difference, difference};
pub use settings::{Setting, differing_settings};

use crate::error::RunError;
use crate::plot;
use crate::results::Folder;
use crate::summary::{Ended, Summary};
use crate::table::Table;
use serde::Serialize;
use std::path::Path;

/// What differs between the first run and each of the others.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The runs, in the order they were given.
    pub runs: Vec<Compared>,
    /// Settings that are not the same in all runs.
    pub settings: Vec<Setting>,
    /// Signals of each run but the first, compared with it; those that differ most come first.
    pub signals: Vec<Against>,
    /// What was expected of any of them.
    pub expectations: Vec<Expected>,
}

/// A run that is compared.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Name of its folder.
    pub name: String,
    /// Folder.
    pub folder: String,
    /// Title of its scenario.
    pub title: String,
    /// How it ended; none if that is not known.
    pub ended: Option<Ended>,
    /// Time it reached [s].
    pub time: Option<f64>,
    /// Hash of the last state: equal for runs that are equal bit by bit.
    pub state_hash: Option<String>,
}

/// A run against the first.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// Name of its folder.
    pub name: String,
    /// Signals that both have.
    pub signals: Vec<Difference>,
    /// Signals that only one of them has.
    pub unshared: usize,
}

/// An expectation, and how it came out in each run.
#[derive(Clone, Debug, Serialize)]
pub struct Expected {
    /// The question, in words.
    pub what: String,
    /// The signal's unit.
    pub unit: String,
    /// In each run, if it was asked there: the value, and `met`, `missed` or `not reached`.
    pub outcomes: Vec<Option<(Option<f64>, &'static str)>>,
}

/// Compares runs with the first of them. `patterns` choose signals; none stand for all.
pub fn compare(folders: &[&Path], patterns: &[String]) -> Result<Comparison, RunError> {
    let mut runs = Vec::new();
    let mut texts = Vec::new();
    let mut summaries = Vec::new();
    let mut tables = Vec::new();
    for dir in folders {
        let folder = Folder { path: (*dir).to_owned() };
        tables.push(folder.table("signals")?);
        let path = folder.file("scenario.toml");
        texts.push(std::fs::read_to_string(&path).map_err(|e| RunError::io(&path, e))?);
        let summary = folder.summary();
        runs.push(compared(dir, summary.as_ref()));
        summaries.push(summary);
    }
    let mut signals = Vec::new();
    if let Some((first, others)) = tables.split_first() {
        for (table, run) in others.iter().zip(runs.iter().skip(1)) {
            signals.push(against(first, table, &run.name, patterns)?);
        }
    }
    Ok(Comparison {
        runs,
        settings: differing_settings(&texts)?,
        signals,
        expectations: expectations(&summaries),
    })
}

fn compared(dir: &Path, summary: Option<&Summary>) -> Compared {
    Compared {
        name: folder_name(dir),
        folder: dir.display().to_string(),
        title: summary.map(|s| s.title.clone()).unwrap_or_default(),
        ended: summary.map(|s| s.ended),
        time: summary.map(|s| s.time),
        state_hash: summary.map(|s| s.state_hash.clone()),
    }
}

/// The folder's own name, also of `.`.
pub fn folder_name(dir: &Path) -> String {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    absolute.file_name().map_or_else(|| dir.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn against(first: &Table, other: &Table, name: &str, patterns: &[String]) -> Result<Against, RunError> {
    let all = ["*".to_string()];
    let of_all = patterns.is_empty();
    let patterns = if of_all { &all } else { patterns };
    let columns = match plot::select(first, patterns) {
        // A run that recorded nothing has nothing in common with others.
        Err(_) if of_all => Vec::new(),
        other => other?,
    };
    let mut signals: Vec<Difference> =
        columns.iter().filter_map(|column| difference(first, other, column)).collect();
    signals.sort_by(|a, b| b.part.total_cmp(&a.part));
    let unshared = |a: &Table, b: &Table| a.columns.iter().filter(|c| b.column(&c.name).is_none()).count();
    let unshared =
        if of_all { unshared(first, other) + unshared(other, first) } else { columns.len() - signals.len() };
    Ok(Against { name: name.to_owned(), signals, unshared })
}

fn expectations(summaries: &[Option<Summary>]) -> Vec<Expected> {
    let outcomes = |s: &Option<Summary>| s.as_ref().map_or(Vec::new(), |s| s.expectations.clone());
    let all: Vec<Vec<_>> = summaries.iter().map(outcomes).collect();
    let mut expected: Vec<Expected> = Vec::new();
    for (run, outcomes) in all.iter().enumerate() {
        for outcome in outcomes {
            let found = expected.iter().position(|e| e.what == outcome.what && e.outcomes[run].is_none());
            let place = found.unwrap_or_else(|| {
                let (what, unit) = (outcome.what.clone(), outcome.unit.clone());
                expected.push(Expected { what, unit, outcomes: vec![None; all.len()] });
                expected.len() - 1
            });
            expected[place].outcomes[run] = Some((outcome.got, outcome.verdict()));
        }
    }
    expected
}
