//! `fender validate`: holds the program to published numbers.

use crate::args::Validate;
use crate::catalog::{self, Source};
use crate::failure::{Failure, MISSED};
use crate::table::columns;
use crate::{load, threads};
use fender_run::expect::Outcome;
use fender_run::plot::{figure, number, rough};
use fender_run::validate::{Case, CaseReport, Row, markdown, markdown_index, run_case};
use fender_run::{RunError, atomic};
use fender_scenario::{Assets, Override, Scenario};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Runs the cases and tells asked, got, tolerance and verdict.
pub fn perform(args: &Validate) -> Result<(), Failure> {
    let cases = cases(&args.cases)?;
    let mut reports = Vec::new();
    for case in &cases {
        let report = threads::within(None, || run_case(case, &shipped))?.map_err(Failure::run)?;
        if !args.json {
            let all = args.verbose || !args.cases.is_empty();
            let text = if all { describe(&report) } else { line(&report) };
            std::io::stdout().write_all(text.as_bytes())?;
        }
        reports.push(report);
    }
    let met = reports.iter().filter(|report| report.met).count();
    let text = if args.json {
        format!("{:#}\n", json!({ "met": met, "cases": reports }))
    } else {
        format!("{met} of {} cases met\n", reports.len())
    };
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(dir) = &args.page {
        pages(&reports, dir).map_err(Failure::run)?;
    }
    if met == reports.len() { Ok(()) } else { Err(Failure::silent(MISSED)) }
}

fn cases(names: &[String]) -> Result<Vec<Case>, Failure> {
    let sources: Vec<Source> = if names.is_empty() {
        catalog::cases().into_iter().map(Source::Shipped).collect()
    } else {
        names.iter().map(|name| Source::case(name)).collect::<Result<_, _>>()?
    };
    let load = |source: Source| match source {
        Source::Shipped(case) => Case::parse(case.name, case.text(), Assets::Embedded(case.files())),
        Source::File(path) => Case::load(path.parent().unwrap_or(Path::new("."))),
    };
    sources.into_iter().map(|source| load(source).map_err(Failure::run)).collect()
}

/// A scenario that a case names.
fn shipped(name: &str, overrides: &[Override]) -> Result<Scenario, RunError> {
    let found = catalog::scenarios().into_iter().find(|shipped| shipped.name == name);
    let found =
        found.ok_or_else(|| RunError::BadInput(format!("no scenario '{name}' ships with this program")))?;
    Ok(load::with_overrides(&Source::Shipped(found), overrides)?)
}

/// One line, and the rows that are missed.
fn line(report: &CaseReport) -> String {
    let met = report.rows.iter().filter(|row| row.outcome.met).count();
    let ratio = |outcome: &Outcome| match (outcome.got, outcome.asked, outcome.tolerance) {
        (Some(got), Some(asked), Some(tolerance)) if tolerance > 0.0 => Some((got - asked).abs() / tolerance),
        _ => None,
    };
    let worst = report.rows.iter().filter_map(|row| ratio(&row.outcome)).reduce(f64::max);
    let worst = worst.map_or(String::new(), |w| format!(", worst error {} of its tolerance", rough(w)));
    let verdict = if report.met { "met   " } else { "MISSED" };
    let mut text = format!("{verdict}  {}: {met} of {} checks met{worst}\n", report.name, report.rows.len());
    if met < report.rows.len() {
        text += &rows(report.rows.iter().filter(|row| !row.outcome.met));
    }
    text
}

/// The case with all its rows.
fn describe(report: &CaseReport) -> String {
    format!("{}: {}\n{}\n{}\n", report.name, report.title, report.source, rows(report.rows.iter()))
}

fn rows<'a>(chosen: impl Iterator<Item = &'a Row>) -> String {
    let head = ["what", "settings", "asked", "tolerance", "got", "off by", "verdict"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for row in chosen {
        let outcome = &row.outcome;
        let shown = |value: Option<f64>, how: fn(f64) -> String| value.map_or("–".to_string(), how);
        rows.push(vec![
            outcome.what.clone(),
            row.settings.clone(),
            shown(outcome.asked, number),
            shown(outcome.tolerance, figure),
            shown(outcome.got, number),
            outcome.off_text(),
            if outcome.met { "met".into() } else { "MISSED".into() },
        ]);
    }
    columns(&rows, &[2, 3, 4, 5])
}

/// Pages for the book: an index, and a page with a plot per case.
fn pages(reports: &[CaseReport], dir: &Path) -> Result<(), RunError> {
    std::fs::create_dir_all(dir).map_err(|error| RunError::io(dir, error))?;
    let write = |name: &str, text: &str| atomic::replace_bytes(&dir.join(name), text.as_bytes());
    for report in reports {
        let picture = format!("{}.svg", report.name);
        if let Some(plot) = &report.plot {
            write(&picture, &plot.svg_file())?;
        }
        let picture = report.plot.as_ref().map(|_| picture.as_str());
        write(&format!("{}.md", report.name), &markdown(report, picture))?;
    }
    write("index.md", &markdown_index(reports))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests run each case by its name; a call without names runs all of them.
    #[test]
    fn no_names_mean_every_case_that_ships() {
        let names: Vec<_> = cases(&[]).expect("all can be read").into_iter().map(|case| case.name).collect();
        let shipped: Vec<_> = catalog::cases().into_iter().map(|case| case.name.to_string()).collect();
        assert!(shipped.len() > 80, "{shipped:?}");
        assert_eq!(names, shipped);
    }

    #[test]
    fn a_case_that_is_met_is_a_line() {
        let [case] = &cases(&["galilei_1638_projectile".into()]).expect("it can be read")[..] else {
            panic!("one was asked for")
        };
        let text = line(&run_case(case, &shipped).expect("it runs"));
        assert!(text.starts_with("met     galilei_1638_projectile: "), "{text}");
        assert!(text.ends_with(" of its tolerance\n") && text.contains(", worst error "), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
