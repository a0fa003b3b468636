//! `fender sweep`: all combinations of some values.

use crate::args::Sweep;
use crate::catalog::Source;
use crate::failure::{DIVERGED, Failure, MISSED};
use crate::over;
use crate::table::columns;
use crate::{load, signals, threads};
use fender_run::manifest::{Manifest, SWEEP_FILES};
use fender_run::plot::{number, scaled_unit};
use fender_run::sweep::{Axis, SweepResult, Variants, sweep};
use fender_run::table::{Column, Kind, Table};
use fender_run::{Claim, Folder, RunError};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Says which sweep a folder belongs to.
const MARKER: &str = "sweep.json";
/// Rows that are printed; the files have all.
const MOST_ROWS: usize = 40;
/// Columns that are printed besides the axes and the signals asked for, where any run has a value; the files have all.
const PRINTED: [&str; 9] = [
    "ended",
    "largest_tension",
    "utilisation",
    "smallest_clearance",
    "largest_contact_force",
    "deepest_penetration",
    "relative_energy_residual",
    "met",
    "expectations",
];

/// Runs, or continues, a sweep.
pub fn perform(args: &Sweep) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let sets = load::overrides(&args.set)?;
    let axes: Vec<Axis> =
        args.over.iter().map(|text| Axis::parse(text)).collect::<Result<_, _>>().map_err(Failure::run)?;
    let load = |variant: &[fender_scenario::Override]| {
        let all = [&sets, variant].concat();
        Ok(load::with_overrides(&source, &all)?)
    };
    // A mistake is told before a folder is made.
    let checked =
        threads::within(args.manner.threads, || Variants::check(axes.clone(), &args.signal, &load))?;
    let variants = checked.map_err(|error| over::failure(error, &axes))?;
    let claim = claim(args, &source)?;
    let dir = claim.folder().path.clone();

    let interrupt = signals::listen()?;
    let quiet = args.manner.quiet;
    let tell = |progress: fender_run::sweep::SweepProgress| {
        if !quiet {
            crate::tell!("{} of {}", progress.done, progress.total);
        }
    };
    let result = threads::within(args.manner.threads, || sweep(&variants, &dir, &load, &interrupt, &tell))?;
    let result = result.map_err(|error| stopped(error, &dir))?;
    for warning in &result.warnings {
        let (runs, all, first) = (warning.runs, result.table.rows(), &warning.first);
        crate::tell!("warning in {runs} of {all} runs (first in runs/{first}): {}", warning.text);
    }
    report(&result, &axes, args, &dir)?;
    match (result.failed, result.missed) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::silent(MISSED)),
        _ => Err(Failure::silent(DIVERGED)),
    }
}

/// The sweep's folder: new, emptied by force, or that of the same sweep, which then goes on.
fn claim(args: &Sweep, source: &Source) -> Result<Claim, Failure> {
    let marker = json!({ "scenario": source.name(), "over": args.over, "set": args.set });
    if let Some(dir) = args.out.as_ref().filter(|_| !args.force) {
        let before = std::fs::read(dir.join(MARKER)).ok();
        let before = before.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
        if before.as_ref() == Some(&marker) {
            return Claim::of(&Folder { path: dir.clone() }).map_err(Failure::run);
        }
    }
    let out = source.out(args.out.as_deref(), args.force)?;
    let mut claim = Claim::new(&out, &format!("{}-sweep", source.name())).map_err(Failure::run)?;
    let begun = claim.folder();
    Manifest::new(&SWEEP_FILES, &[]).write(begun).map_err(Failure::run)?;
    fender_run::results::write_json(&begun.file(MARKER), &marker).map_err(Failure::run)?;
    claim.replace_old().map_err(Failure::run)?;
    Ok(claim)
}

/// An interrupted sweep is continued by the same command, not by `fender resume`.
fn stopped(error: RunError, dir: &Path) -> Failure {
    let code = error.exit_code();
    match error {
        RunError::Interrupted { .. } | RunError::Io { .. } => {
            let help = format!("continue with the same command and --out {}", dir.display());
            let report =
                miette::MietteDiagnostic::new(format!("the sweep was stopped: {error}")).with_help(help);
            Failure { report: Some(report.into()), code: u8::try_from(code).unwrap_or(u8::MAX) }
        }
        other => Failure::run(other),
    }
}

fn report(result: &SweepResult, axes: &[Axis], args: &Sweep, dir: &Path) -> Result<(), Failure> {
    let files: Vec<String> = result.files.iter().map(|file| file.display().to_string()).collect();
    let text = if args.manner.json {
        let value = json!({
            "folder": dir.display().to_string(), "files": files, "runs": result.table.rows(),
            "complete": result.complete, "missed": result.missed, "failed": result.failed,
            "warnings": result.warnings.iter().map(|w| json!({
                "runs": w.runs, "first": w.first, "text": w.text
            })).collect::<Vec<_>>()
        });
        format!("{value:#}\n")
    } else if args.manner.quiet {
        String::new()
    } else {
        let mut text = rows(&result.table, axes);
        if result.table.rows() > MOST_ROWS {
            text += &format!("… and {} more\n", result.table.rows() - MOST_ROWS);
        }
        text += &format!(
            "\n{} complete, {} missed an expectation, {} did not reach the end\nwrote {}\n",
            result.complete,
            result.missed,
            result.failed,
            files.join(" and ")
        );
        text
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn rows(table: &Table, axes: &[Axis]) -> String {
    let of_signals = [":max", ":min", ":mean"];
    let asked = table.columns.iter().map(|column| column.name.as_str());
    let asked = asked.filter(|name| of_signals.iter().any(|end| name.ends_with(end)));
    let names = axes.iter().map(|axis| axis.key.as_str()).chain(PRINTED).chain(asked);
    let has_values = |column: &&Column| column.values.iter().any(|v| v.is_finite());
    let chosen: Vec<_> = names.filter_map(|name| table.column(name)).filter(has_values).collect();
    let mut lines = vec![chosen.iter().map(|column| column.name.replace('_', " ")).collect::<Vec<_>>()];
    for row in 0..table.rows().min(MOST_ROWS) {
        let cells = chosen.iter().map(|column| match column.value(row) {
            None => "–".to_string(),
            Some(value) => match column.kind {
                Kind::Text => table.texts.get(value as usize).cloned().unwrap_or_default(),
                _ => cell(value, &column.unit),
            },
        });
        lines.push(cells.collect());
    }
    columns(&lines, &(0..chosen.len()).collect::<Vec<_>>())
}

/// A value with the unit that it reads best in.
fn cell(value: f64, unit: &str) -> String {
    let (factor, unit) = scaled_unit(unit, value.abs());
    format!("{} {}", number(value / factor), unit.trim_matches('1')).trim_end().to_string()
}
