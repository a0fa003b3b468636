//! From recorded signals to plots.

use super::{Figure, Line, Look, Plot};
use crate::error::RunError;
use crate::signal;
use crate::table::{Column, Kind, Table};
use fender_scenario::suggest;

/// Most lines that one figure can show.
pub(super) const MOST_LINES: usize = 40;

/// A run whose signals are shown.
#[derive(Clone, Debug)]
pub struct Run {
    /// Name that tells it apart from others.
    pub name: String,
    /// Recorded signals.
    pub signals: Table,
}

/// Columns that the patterns name, in their order and each once. A pattern is a name in which `*` stands for any text; the name of
/// a vector stands for its components.
pub fn select<'t>(table: &'t Table, patterns: &[String]) -> Result<Vec<&'t Column>, RunError> {
    let signals = || table.columns.iter().filter(|c| c.name != "time" && c.kind != Kind::Text);
    let mut chosen: Vec<&Column> = Vec::new();
    for pattern in patterns {
        let is_meant = |c: &&Column| {
            signal::matches(pattern, &c.name)
                || signal::vector(&c.name).is_some_and(|vector| signal::matches(pattern, vector))
        };
        let mut found = signals().filter(is_meant).peekable();
        if found.peek().is_none() {
            let help = suggest::help(pattern, signals().map(|c| c.name.as_str()), "recorded signals");
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            return Err(RunError::BadInput(format!("no signal `{pattern}` was recorded{help}")));
        }
        for column in found {
            if !chosen.iter().any(|c| c.name == column.name) {
                chosen.push(column);
            }
        }
    }
    Ok(chosen)
}

/// Signals of a run over time, and dashed those of others that they also have: one plot for each unit.
pub fn of_signals(
    title: &str,
    runs: &[Run],
    patterns: &[String],
    from: Option<f64>,
    to: Option<f64>,
) -> Result<Figure, RunError> {
    let Some(first) = runs.first() else { return Ok(Figure { plots: Vec::new() }) };
    let chosen = select(&first.signals, patterns)?;
    let count = chosen.len() * runs.len();
    if count > MOST_LINES {
        let message =
            format!("{count} lines cannot be told apart: choose signals, at most {MOST_LINES} lines in all");
        return Err(RunError::BadInput(message));
    }
    let is_asked = |t: f64| from.is_none_or(|from| t >= from) && to.is_none_or(|to| t <= to);
    let mut plots: Vec<(String, Plot)> = Vec::new();
    let mut any = false;
    for column in chosen {
        let place = plots.iter().position(|(unit, _)| *unit == column.unit).unwrap_or_else(|| {
            let (title, x_label, y_label) = (String::new(), "time [s]".into(), axis_label(column));
            let plot = Plot { title, x_label, y_label, lines: Vec::new() };
            plots.push((column.unit.clone(), plot));
            plots.len() - 1
        });
        if plots[place].1.y_label != axis_label(column) {
            plots[place].1.y_label = common_label(column);
        }
        for (k, run) in runs.iter().enumerate() {
            let Some(mut points) = run.signals.series(&column.name) else { continue };
            points.retain(|p| is_asked(p.0));
            any |= !points.is_empty();
            let label =
                if runs.len() == 1 { column.name.clone() } else { format!("{} ({})", column.name, run.name) };
            let look = if k == 0 { Look::Line } else { Look::Dashed };
            plots[place].1.lines.push(Line { label, points, look });
        }
    }
    if !any {
        let message = "there are no samples of these signals in this span of time";
        return Err(RunError::BadInput(message.into()));
    }
    let mut plots: Vec<Plot> = plots.into_iter().map(|(_, plot)| plot).collect();
    if let Some(plot) = plots.first_mut() {
        title.clone_into(&mut plot.title);
    }
    Ok(Figure { plots })
}

/// What is measured and its unit: `position [m]` of `ball.position.z`.
fn axis_label(column: &Column) -> String {
    let name = signal::vector(&column.name).unwrap_or(&column.name);
    let quantity = name.rsplit('.').next().unwrap_or_default().replace('_', " ");
    format!("{quantity} {}", unit(column)).trim_end().to_owned()
}

/// What several quantities of one unit have in common: `energy [J]`.
fn common_label(column: &Column) -> String {
    let kind = match column.unit.as_str() {
        "J" => "energy",
        "N" => "force",
        "W" => "power",
        "m" => "length",
        "m/s" => "speed",
        "m/s²" => "acceleration",
        "rad" => "angle",
        "rad/s" => "angular speed",
        // Of N·m, say, not known: torque or moment.
        _ => "",
    };
    format!("{kind} {}", unit(column)).trim().to_owned()
}

fn unit(column: &Column) -> String {
    if column.unit == "1" { String::new() } else { format!("[{}]", column.unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let column = |name: &str, unit: &str, values: &[f64]| {
            let mut column = Column::new(name, unit, "", Kind::Real);
            column.values = values.to_vec();
            column
        };
        Table {
            columns: vec![
                column("time", "s", &[0.0, 1.0, 2.0]),
                column("ball.position.x", "m", &[0.0, 1.0, 2.0]),
                column("ball.position.z", "m", &[5.0, f64::NAN, 3.0]),
                column("ball.speed", "m/s", &[1.0, 1.0, 1.0]),
            ],
            texts: Vec::new(),
        }
    }

    fn names(patterns: &[&str]) -> Result<Vec<String>, String> {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        let table = table();
        let chosen = select(&table, &patterns).map_err(|e| e.to_string())?;
        Ok(chosen.iter().map(|c| c.name.clone()).collect())
    }

    fn run(name: &str) -> Run {
        Run { name: name.into(), signals: table() }
    }

    #[test]
    fn names_stars_and_vectors_choose_signals() {
        assert_eq!(names(&["ball.speed"]).unwrap(), ["ball.speed"]);
        assert_eq!(names(&["ball.position"]).unwrap(), ["ball.position.x", "ball.position.z"]);
        assert_eq!(names(&["*.z", "ball.*"]).unwrap(), ["ball.position.z", "ball.position.x", "ball.speed"]);
        assert_eq!(
            names(&["ball.sped"]).unwrap_err(),
            "no signal `ball.sped` was recorded; did you mean `ball.speed`?"
        );
        assert_eq!(
            names(&["time"]).unwrap_err(),
            "no signal `time` was recorded; recorded signals: `ball.position.x`, `ball.position.z`, `ball.speed`"
        );
    }

    #[test]
    fn quantities_of_one_unit_are_told_by_what_they_are() {
        let label = |names: &[&str], unit: &str| {
            let column = |name: &str, unit: &str| {
                let mut column = Column::new(name, unit, "", Kind::Real);
                column.values = vec![0.0, 1.0];
                column
            };
            let mut columns = vec![column("time", "s")];
            columns.extend(names.iter().map(|name| column(name, unit)));
            let run = Run { name: "a".into(), signals: Table { columns, texts: Vec::new() } };
            let figure = of_signals("t", &[run], &["*".to_owned()], None, None).unwrap();
            figure.plots[0].y_label.clone()
        };
        assert_eq!(label(&["energy.kinetic"], "J"), "kinetic [J]");
        assert_eq!(label(&["energy.kinetic", "energy.potential", "energy.stored"], "J"), "energy [J]");
        assert_eq!(label(&["ball.position.z", "ball.contact.depth"], "m"), "length [m]");
        assert_eq!(label(&["a.utilisation", "b.count"], "1"), "");
    }

    #[test]
    fn each_unit_has_a_plot_and_each_run_a_line() {
        let patterns = ["ball.position".to_string(), "ball.speed".to_string()];
        let figure = of_signals("t", &[run("a"), run("b")], &patterns, Some(0.5), None).unwrap();
        let labels: Vec<_> =
            figure.plots.iter().map(|p| (p.title.as_str(), p.y_label.as_str(), p.lines.len())).collect();
        assert_eq!(labels, [("t", "position [m]", 4), ("", "speed [m/s]", 2)]);
        let line = &figure.plots[0].lines[3];
        assert_eq!((line.label.as_str(), line.look), ("ball.position.z (b)", Look::Dashed));
        assert_eq!(line.points, [(2.0, 3.0)]);
        let error = of_signals("t", &[run("a")], &patterns, Some(7.0), None).unwrap_err();
        assert_eq!(error.exit_code(), 2);
    }
}
