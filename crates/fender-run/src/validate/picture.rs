//! The picture of a case.

use super::case::Case;
use super::run::{Job, Row};
use crate::error::RunError;
use crate::expect::Outcome;
use crate::plot::{Line, Look, Plot};
use crate::scenario::{Check, When};
use crate::table::Table;

/// Curves that can be told apart by colour.
const MOST_CURVES: usize = 8;
/// More pairs of lines and marks than this cannot be told apart.
const MOST_SERIES: usize = 4;

/// Each run as a line: a signal over another one, or over time with what is asked as marks.
pub(super) fn curves(
    case: &Case,
    jobs: &[Job],
    tables: &[Table],
    x: Option<&str>,
    y: &str,
) -> Result<Plot, RunError> {
    let mut plot = Plot {
        title: case.spec.title.clone(),
        x_label: "time [s]".into(),
        y_label: String::new(),
        lines: Vec::new(),
    };
    let mut marked = false;
    for (job, table) in jobs.iter().zip(tables).take(MOST_CURVES) {
        let missing =
            |name: &str| case.bad(format!("the picture needs the signal '{name}', which is not recorded"));
        let axis = |name: &str| {
            table.column(name).map(|c| axis_label(&c.name, &c.unit)).ok_or_else(|| missing(name))
        };
        let over_time = table.series(y).ok_or_else(|| missing(y))?;
        plot.y_label = axis(y)?;
        let points = match x {
            None => over_time,
            Some(x) => {
                plot.x_label = axis(x)?;
                let across = table.series(x).ok_or_else(|| missing(x))?;
                let pairs = across.iter().zip(&over_time).filter(|(a, b)| a.0 == b.0);
                pairs.map(|(a, b)| (a.1, b.1)).collect()
            }
        };
        // A run as the scenario has it says in the axis what it is.
        let label = if job.label.is_empty() { "computed".to_owned() } else { job.label.clone() };
        plot.lines.push(Line { label, points, look: Look::Line });
        let asked = job.asks.iter().filter(|ask| x.is_none() && ask.signal == y);
        let marks: Vec<(f64, f64)> = asked
            .filter_map(|ask| match (ask.when, ask.check) {
                (When::At(time), Check::Near { value, .. }) => {
                    Some((time, value / ask.factor.unwrap_or(1.0)))
                }
                _ => None,
            })
            .collect();
        if !marks.is_empty() {
            plot.lines.push(reference(marks, &mut marked));
        }
    }
    Ok(plot)
}

/// What was asked as marks and what came out as lines, over the first setting of the tables. Only what has the setting
/// and the unit of the first row: one axis cannot show two.
pub(super) fn asked_and_got(case: &Case, rows: &[Row]) -> Option<Plot> {
    let first = rows.iter().find(|r| r.x.is_some())?;
    let unit = first.outcome.unit.as_str();
    let fits = |r: &&Row| r.x.is_some() && r.x_name == first.x_name && r.outcome.unit == unit;
    let shown: Vec<&Row> = rows.iter().filter(fits).collect();
    let mut series: Vec<usize> = shown.iter().map(|r| r.series).collect();
    series.sort_unstable();
    series.dedup();
    series.truncate(MOST_SERIES);
    let mut lines = Vec::new();
    let mut marked = false;
    for s in series {
        let of = |value: &dyn Fn(&Outcome) -> Option<f64>| {
            let own = shown.iter().filter(|r| r.series == s);
            let mut points: Vec<(f64, f64)> = own.filter_map(|r| Some((r.x?, value(&r.outcome)?))).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points
        };
        let name = shown.iter().find(|r| r.series == s).map_or("", |r| r.outcome.what.as_str());
        lines.push(Line { label: name.to_owned(), points: of(&|o| o.got), look: Look::Line });
        lines.push(reference(of(&|o| o.asked), &mut marked));
    }
    Some(Plot {
        title: case.spec.title.clone(),
        x_label: first.x_name.clone(),
        y_label: if unit == "1" { String::new() } else { unit.to_owned() },
        lines,
    })
}

/// Marks for what is asked, named in the legend once.
fn reference(points: Vec<(f64, f64)>, named: &mut bool) -> Line {
    let label = if std::mem::replace(named, true) { "" } else { "reference" };
    Line { label: label.to_owned(), points, look: Look::Marks }
}

fn axis_label(name: &str, unit: &str) -> String {
    if unit == "1" { name.to_owned() } else { format!("{name} [{unit}]") }
}
