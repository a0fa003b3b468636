//! Sweeps: all combinations of chosen values, each a run of its own, and one table of how they went.
//!
//! `--over k=a,b,c` lists values, `--over k=from..to:n` spreads n of them evenly. Each variant runs on one core into
//! `runs/0001`, …; a variant that is complete there with the same scenario is not run again, so that a sweep that was
//! stopped goes on.

use crate::cable_summary::{CableSummary, ExtremeSummary};
use crate::driver::{Flow, Progress, RunOptions, resume_scenario, run};
use crate::error::RunError;
use crate::expect::answer;
use crate::export::table_to_csv;
use crate::measure::{measure, number_and_unit, si_unit};
use crate::opening;
use crate::parquet_file;
use crate::plot;
use crate::recorder::Plan;
use crate::results::{Folder, Out};
use crate::scenario::{Override, Scenario, Statistic, When};
use crate::signal::Signal;
use crate::summary::{Ended, Summary};
use crate::table::{Column, Kind, Table};
use crate::workers;
use fender_scenario::units::Dimension;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// A key and the values it takes, as text for an override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Path of the key, or name of a parameter.
    pub key: String,
    /// Values.
    pub values: Vec<String>,
}

/// Most variants of one sweep: more is almost certainly a slip of the hand.
const MAX_VARIANTS: usize = 100_000;

impl Axis {
    /// Reads `k=a,b,c` or `k=from..to:n`; the ends of a range may have a unit (`1 m..3 m:5`), the same for both.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        let bad =
            |why: &str| RunError::BadInput(format!("'{text}': {why}; write key=a,b,c or key=from..to:count"));
        let (key, values) = text.split_once('=').ok_or_else(|| bad("there is no '='"))?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() {
            return Err(bad("there is no key"));
        }
        if values.is_empty() {
            return Err(bad("there is no value"));
        }
        let values = match values.split_once("..") {
            Some((from, rest)) => {
                let (to, count) = rest.rsplit_once(':').ok_or_else(|| bad("a range needs ':count'"))?;
                let count: usize =
                    count.trim().parse().map_err(|_| bad("the count is not a whole number"))?;
                if !(2..=MAX_VARIANTS).contains(&count) {
                    return Err(bad("the count must be at least 2"));
                }
                spread(from, to, count).ok_or_else(|| bad("the ends are not numbers in one unit"))?
            }
            None => split_list(values),
        };
        if values.iter().any(String::is_empty) {
            return Err(bad("a value is empty"));
        }
        Ok(Self { key: key.to_owned(), values })
    }
}

impl Axis {
    /// The SI unit of the values, empty for plain numbers; `None` if they are not all numbers of one dimension. A plain
    /// number among others is in SI, as it is in a scenario.
    fn si_unit(&self) -> Option<&'static str> {
        let plain = Dimension::default();
        let mut dimension = plain;
        for value in &self.values {
            let own = measure(value)?.dimension;
            if dimension == plain {
                dimension = own;
            } else if own != plain && own != dimension {
                return None;
            }
        }
        si_unit(dimension)
    }
}

/// Values between commas that are not inside brackets or quotes: `[0,0,1],[0,0,2]` are two.
fn split_list(text: &str) -> Vec<String> {
    let (mut depth, mut quoted) = (0_i32, false);
    let mut values = vec![String::new()];
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = values.last_mut() {
            last.push(c);
        }
    }
    values.iter().map(|v| v.trim().to_owned()).collect()
}

fn spread(from: &str, to: &str, count: usize) -> Option<Vec<String>> {
    let (a, unit_a) = number_and_unit(from)?;
    let (b, unit_b) = number_and_unit(to)?;
    let unit = if unit_a.is_empty() { unit_b } else { unit_a };
    if !unit_a.is_empty() && unit_a != unit_b {
        return None;
    }
    let last = count - 1;
    let value = |i: usize| {
        // Both ends are exact; between them the one rounding of the quotient leaves whole values whole.
        let x = match i {
            0 => a,
            _ if i == last => b,
            _ => without_noise((a * (last - i) as f64 + b * i as f64) / last as f64, a.abs().max(b.abs())),
        };
        if unit.is_empty() { format!("{x}") } else { format!("{x} {unit}") }
    };
    Some((0..count).map(value).collect())
}

/// A number without what rounding left in its last digits: 0.3 instead of 0.30000000000000004. `scale` is the size of the
/// numbers that it was made of.
fn without_noise(x: f64, scale: f64) -> f64 {
    let short = format!("{x:.11e}").parse().unwrap_or(x);
    if (short - x).abs() <= 2.0 * f64::EPSILON * scale { short } else { x }
}

/// All combinations; the last axis varies fastest.
pub fn combinations(axes: &[Axis]) -> Result<Vec<Vec<Override>>, RunError> {
    let count = axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(axis.values.len()));
    if count.is_none_or(|n| n > MAX_VARIANTS) {
        return Err(RunError::BadInput(format!("a sweep has at most {MAX_VARIANTS} variants")));
    }
    let mut all = vec![Vec::new()];
    for axis in axes {
        all = all
            .iter()
            .flat_map(|variant: &Vec<Override>| {
                axis.values.iter().map(move |value| {
                    let mut variant = variant.clone();
                    variant.push(Override::new(&axis.key, value));
                    variant
                })
            })
            .collect();
    }
    Ok(all)
}

/// The variants of a sweep, all of which load.
#[derive(Clone, Debug)]
pub struct Variants {
    axes: Vec<Axis>,
    all: Vec<Vec<Override>>,
    /// Signals whose extremes and mean are in the table.
    signals: Vec<String>,
}

impl Variants {
    /// Loads every variant once: a mistake in a key or a value is told before anything runs. Of several mistakes, that of
    /// the first variant is told.
    pub fn check(axes: Vec<Axis>, signals: &[String], load: &Load) -> Result<Self, RunError> {
        let all = combinations(&axes)?;
        let refused = |variant: &Vec<Override>| {
            let scenario = load(variant).and_then(|s| crate::driver::check(&s).map(|()| s));
            scenario.and_then(|s| check_recorded(&s, signals)).err()
        };
        match all.par_iter().find_map_first(refused) {
            Some(error) => Err(error),
            None => Ok(Self { axes, all, signals: signals.to_vec() }),
        }
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }
}

/// Checks that a scenario records the signals that patterns name.
fn check_recorded(scenario: &Scenario, patterns: &[String]) -> Result<(), RunError> {
    if patterns.is_empty() {
        return Ok(());
    }
    let fixed = scenario.run.integrator.build().fixed_step();
    let records = opening::records(scenario);
    let plan = Plan::new(&scenario.model, scenario.run.duration, fixed, &records, &scenario.expects);
    let plan = plan.map_err(|error| RunError::BadInput(error.to_string()))?;
    let columns = plan.signals.iter().map(Signal::column).collect();
    plot::select(&Table { columns, texts: Vec::new() }, patterns).map(|_| ())
}

/// Makes the scenario for a list of overrides.
pub type Load<'a> = dyn Fn(&[Override]) -> Result<Scenario, RunError> + Sync + 'a;

/// A warning of some runs of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepWarning {
    /// The warning as the first of these runs gave it; those of the others may differ in numbers.
    pub text: String,
    /// Folder name of that run.
    pub first: String,
    /// Runs that gave it.
    pub runs: usize,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepProgress {
    /// Variants done, those of an earlier time included.
    pub done: usize,
    /// Variants in all.
    pub total: usize,
}

/// What a sweep gives.
#[derive(Debug)]
pub struct SweepResult {
    /// The table: one row per variant.
    pub table: Table,
    /// Where it is.
    pub files: [PathBuf; 2],
    /// Variants by how they ended.
    pub complete: usize,
    /// Complete variants that missed an expectation.
    pub missed: usize,
    /// Variants that diverged or failed.
    pub failed: usize,
    /// What the runs warned of.
    pub warnings: Vec<SweepWarning>,
}

/// How one variant went: its summary, or the error that kept it from starting.
struct Variant {
    settings: Vec<Override>,
    folder: PathBuf,
    summary: Result<Summary, String>,
}

impl Variant {
    fn name(&self) -> String {
        self.folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// Runs a sweep into `dir`. `load` is the one that the variants were checked with; `interrupt` stops all variants, each with
/// its checkpoint.
pub fn sweep(
    variants: &Variants,
    dir: &Path,
    load: &Load,
    interrupt: &Arc<AtomicI32>,
    progress: &(dyn Fn(SweepProgress) + Sync),
) -> Result<SweepResult, RunError> {
    let results = run_all(&variants.all, dir, load, interrupt, progress)?;
    let mut table = tabulate(&variants.axes, &results);
    for (row, variant) in results.iter().enumerate().filter(|(_, v)| v.summary.is_ok()) {
        put_signals(&mut table, row, variant, &variants.signals)?;
    }
    let files = [dir.join("sweep.parquet"), dir.join("sweep.csv")];
    parquet_file::write(
        &files[0],
        &table,
        &vec![("fender.version".into(), env!("CARGO_PKG_VERSION").into())],
    )?;
    table_to_csv(&table, &files[1])?;
    let count =
        |f: &dyn Fn(&Summary) -> bool| results.iter().filter(|v| v.summary.as_ref().is_ok_and(f)).count();
    let complete = count(&|s| s.ended == Ended::Complete);
    Ok(SweepResult {
        complete,
        missed: count(&|s| s.ended == Ended::Complete && s.exit_code() != 0),
        failed: results.len() - complete,
        warnings: gather_warnings(&results),
        table,
        files,
    })
}

/// A warning without its numbers, which differ from run to run.
fn without_numbers(warning: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if bare.parse::<f64>().is_ok() { "#".to_owned() } else { word.to_owned() }
    };
    warning.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Every warning once, with the number of runs that gave it.
fn gather_warnings(variants: &[Variant]) -> Vec<SweepWarning> {
    let mut all: Vec<(String, SweepWarning)> = Vec::new();
    for variant in variants {
        let mut own = BTreeSet::new();
        for text in variant.summary.iter().flat_map(|s| &s.warnings) {
            let key = without_numbers(text);
            if !own.insert(key.clone()) {
                continue;
            }
            match all.iter_mut().find(|(k, _)| *k == key) {
                Some((_, warning)) => warning.runs += 1,
                None => all.push((key, SweepWarning { text: text.clone(), first: variant.name(), runs: 1 })),
            }
        }
    }
    all.into_iter().map(|(_, warning)| warning).collect()
}

/// Runs all variants, as many at once as the caller's thread pool has threads, each on one thread.
fn run_all(
    variants: &[Vec<Override>],
    dir: &Path,
    load: &Load,
    interrupt: &Arc<AtomicI32>,
    progress: &(dyn Fn(SweepProgress) + Sync),
) -> Result<Vec<Variant>, RunError> {
    let total = variants.len();
    let done = AtomicUsize::new(0);
    workers::each(total, |i| {
        let settings = variants[i].clone();
        let folder = dir.join("runs").join(format!("{:04}", i + 1));
        let summary = one(&settings, &folder, load, interrupt)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(SweepProgress { done, total });
        Ok(Variant { settings, folder, summary })
    })
}

/// Runs, continues or skips one variant. An error of the variant alone (it diverged, its values are impossible) goes into
/// the table; an interruption or a full disk ends the sweep.
fn one(
    settings: &[Override],
    folder: &Path,
    load: &Load,
    interrupt: &Arc<AtomicI32>,
) -> Result<Result<Summary, String>, RunError> {
    let scenario = match load(settings) {
        Ok(scenario) => scenario,
        Err(e) if e.exit_code() == 2 => return Ok(Err(e.to_string())),
        Err(e) => return Err(e),
    };
    let mut options = RunOptions::new(Out::Folder { path: folder.to_owned(), force: true });
    options.interrupt = Arc::clone(interrupt);
    let hash = format!("{:016x}", scenario.hash);
    let before = Folder { path: folder.to_owned() }.summary().filter(|s| s.hash == hash);
    let mut quiet = |_: Progress| Flow::Continue;
    if let Some(summary) = before.as_ref().filter(|s| matches!(s.ended, Ended::Complete | Ended::Diverged)) {
        return Ok(Ok(summary.clone()));
    }
    let continues = before.is_some() && folder.join("checkpoint").exists();
    let result = if continues {
        resume_scenario(scenario, folder, &options, &mut quiet)
    } else {
        run(scenario, &options, &mut quiet)
    };
    match result {
        Ok(summary) => Ok(Ok(summary)),
        Err(RunError::Diverged { summary, .. }) => Ok(Ok(*summary)),
        Err(e) if e.exit_code() == 2 => Ok(Err(e.to_string())),
        Err(e) => Err(e),
    }
}

/// One row per variant: its settings, how it ended, the figures of its summary and the value of each expectation.
fn tabulate(axes: &[Axis], variants: &[Variant]) -> Table {
    let mut table = Table::default();
    let real = |name: &str, unit: &str, words: &str| Column::new(name, unit, words, Kind::Real);
    table.columns.push(Column::new("run", "", "Folder of the variant", Kind::Text));
    for axis in axes {
        let (kind, unit) = axis.si_unit().map_or((Kind::Text, ""), |unit| (Kind::Real, unit));
        table.columns.push(Column::new(&axis.key, unit, "Setting of the variant", kind));
    }
    table.columns.extend([
        Column::new("ended", "", "How the run ended", Kind::Text),
        Column::new("message", "", "What stopped it", Kind::Text),
        real("time", "s", "Simulated time reached"),
        Column::new("steps", "1", "Accepted steps", Kind::Whole),
        real("wall_time", "s", "Wall time"),
        real("largest_tension", "N", "Largest tension of a cable"),
        real("utilisation", "1", "Largest part of a cable's breaking load"),
        real("smallest_clearance", "m", "Smallest clearance that a sensor showed"),
        real("largest_contact_force", "N", "Largest recorded contact force"),
        real("deepest_penetration", "m", "Deepest penetration"),
        real("energy_residual", "J", "Energy that the integration made or lost"),
        real("relative_energy_residual", "1", "The same, relative to the energies turned over"),
        Column::new("expectations", "1", "Number of expectations", Kind::Whole),
        Column::new("met", "1", "Expectations met", Kind::Whole),
        Column::new("warnings", "1", "Number of warnings", Kind::Whole),
    ]);
    let fixed = table.columns.len();
    for variant in variants {
        push_variant(&mut table, axes, variant, fixed);
    }
    // Columns that appeared later have no values for the first rows and vice versa.
    table
}

/// Adds extremes and mean of signals of a variant to its row.
fn put_signals(
    table: &mut Table,
    row: usize,
    variant: &Variant,
    patterns: &[String],
) -> Result<(), RunError> {
    if patterns.is_empty() {
        return Ok(());
    }
    let recorded = Folder { path: variant.folder.clone() }.table("signals")?;
    for column in plot::select(&recorded, patterns)? {
        for (word, of) in [("max", Statistic::Max), ("min", Statistic::Min), ("mean", Statistic::Mean)] {
            let when = When::Over { of, from: 0.0, until: f64::INFINITY };
            let value = answer(&recorded, &column.name, when).unwrap_or(f64::NAN);
            let name = format!("{}:{word}", column.name);
            let i = table.columns.iter().position(|c| c.name == name).unwrap_or_else(|| {
                let mut new = Column::new(&name, &column.unit, &column.description, Kind::Real);
                new.values.resize(table.rows(), f64::NAN);
                table.columns.push(new);
                table.columns.len() - 1
            });
            table.columns[i].values[row] = value;
        }
    }
    Ok(())
}

fn push_variant(table: &mut Table, axes: &[Axis], variant: &Variant, fixed: usize) {
    let rows = table.rows();
    let mut row = vec![table.intern(&variant.name())];
    for (i, axis) in axes.iter().enumerate() {
        let value = variant.settings.get(i).map_or("", |s| s.value.as_str());
        let numeric = table.column(&axis.key).is_some_and(|c| c.kind == Kind::Real);
        row.push(if numeric { measure(value).map_or(f64::NAN, |m| m.value) } else { table.intern(value) });
    }
    match &variant.summary {
        Ok(s) => {
            row.push(table.intern(s.ended.name()));
            row.push(s.message.as_ref().map_or(f64::NAN, |m| table.intern(m)));
            row.extend([s.time, s.steps as f64, s.wall_time]);
            let most = |of: fn(&CableSummary) -> Option<&ExtremeSummary>| {
                s.cables.iter().filter_map(of).map(|e| e.value).reduce(f64::max)
            };
            let figures = [
                most(|cable| cable.largest_tension.as_ref()),
                most(|cable| cable.utilisation.as_ref()),
                s.smallest_clearance.as_ref().map(|e| e.value),
                s.largest_contact_force.as_ref().map(|e| e.value),
                s.deepest_penetration,
                s.energy_residual,
                s.relative_energy_residual,
            ];
            row.extend(figures.map(|f| f.unwrap_or(f64::NAN)));
            row.extend([s.expectations.len() as f64, s.met() as f64, s.warnings.len() as f64]);
        }
        Err(message) => {
            row.push(table.intern("refused"));
            row.push(table.intern(message));
            row.resize(fixed, f64::NAN);
        }
    }
    for (column, value) in table.columns.iter_mut().zip(&row) {
        column.values.push(*value);
    }
    for outcome in variant.summary.iter().flat_map(|s| &s.expectations) {
        let i = table.columns.iter().position(|c| c.name == outcome.what).unwrap_or_else(|| {
            let mut column = Column::new(&outcome.what, &outcome.unit, &outcome.why, Kind::Real);
            column.values.resize(rows, f64::NAN);
            table.columns.push(column);
            table.columns.len() - 1
        });
        // Two expectations may ask the same question; the answer is the same.
        if table.columns[i].values.len() == rows {
            table.columns[i].values.push(outcome.got.unwrap_or(f64::NAN));
        }
    }
    for column in &mut table.columns {
        column.values.resize(rows + 1, f64::NAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Axis::parse(text).unwrap().values
    }

    #[test]
    fn axes_are_lists_or_ranges() {
        assert_eq!(values("speed=1,2,5"), ["1", "2", "5"]);
        assert_eq!(values("height = 1 m .. 2 m : 3"), ["1 m", "1.5 m", "2 m"]);
        assert_eq!(values("height=1..2 m:2"), ["1 m", "2 m"]);
        assert_eq!(values("e=0.1..1:10").last().unwrap(), "1");
        assert_eq!(values("body.a.position=[0,0,1],[0,0,2]"), ["[0,0,1]", "[0,0,2]"]);
        assert_eq!(values("k=-1e3..1e3:3"), ["-1000", "0", "1000"]);
    }

    #[test]
    fn whole_values_of_a_range_are_whole_and_decimals_short() {
        let whole: Vec<String> = (1..=100).map(|i| i.to_string()).collect();
        assert_eq!(values("n=1..100:100"), whole);
        let tenths = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"];
        assert_eq!(values("e=0.1..1:10"), tenths);
        assert_eq!(values("x=-0.3..0.3:3"), ["-0.3", "0", "0.3"]);
        // What has no short form keeps all its digits.
        assert_eq!(values("x=0..1:4"), ["0", "0.3333333333333333", "0.6666666666666666", "1"]);
    }

    #[test]
    fn malformed_axes_say_what_is_wrong() {
        for (text, word) in [
            ("speed", "'='"),
            ("=1,2", "key"),
            ("speed=", "value"),
            ("speed=1,,2", "empty"),
            ("speed=1..2", "count"),
            ("speed=1..2:x", "whole number"),
            ("speed=1..2:1", "at least 2"),
            ("speed=a..b:3", "numbers"),
            ("speed=1 m..2 s:3", "one unit"),
        ] {
            let error = Axis::parse(text).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn warnings_that_differ_in_numbers_are_one() {
        let text = |x: f64| {
            without_numbers(&format!("lost {x} J, {x} % (limit {x:.1e} s): of 'b1' a step of {x:.1e} s"))
        };
        assert_eq!(text(1.5), text(-22.0));
        assert!(text(1.0).contains("'b1'") && text(1.0).contains("a step of # s"), "{}", text(1.0));
    }

    #[test]
    fn settings_with_units_are_si_numbers() {
        let unit = |text: &str| Axis::parse(text).unwrap().si_unit();
        assert_eq!(unit("tether=10 kN/m..40 kN/m:4"), Some("N/m"));
        assert_eq!(unit("angle=30 deg,\"1 rad\",0.5"), Some("rad"));
        assert_eq!(unit("speed=1,2"), Some(""));
        assert_eq!(unit("x=1 m,2 s"), None);
        assert_eq!(unit("x=rk4,2"), None);
    }

    #[test]
    fn all_combinations_the_last_fastest() {
        let axes = [Axis::parse("a=1,2").unwrap(), Axis::parse("b=x,y,z").unwrap()];
        let all: Vec<String> = combinations(&axes)
            .unwrap()
            .iter()
            .map(|v| v.iter().map(|o| o.value.as_str()).collect::<Vec<_>>().join(""))
            .collect();
        assert_eq!(all, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        let huge = [Axis::parse("a=0..1:1000").unwrap(), Axis::parse("b=0..1:1000").unwrap()];
        assert_eq!(combinations(&huge).unwrap_err().exit_code(), 2);
    }
}
