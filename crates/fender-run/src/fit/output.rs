//! What a fit leaves behind: the fitted scenario, a picture and the numbers.

use super::{Data, Fit};
use crate::atomic;
use crate::error::RunError;
use crate::plot::{Figure, Line, Look, Plot, Theme};
use crate::results::{Folder, write_json, write_scenario};
use crate::scenario::Scenario;
use std::path::PathBuf;

/// Marks that can be told apart in a plot.
const MOST_MARKS: usize = 150;
/// Signals that one picture shows.
const MOST_PLOTS: usize = 12;

/// Writes `scenario.toml` (the fitted scenario, with its assets), `fit.svg` and `fit.json`; gives the paths.
pub fn write(folder: &Folder, fitted: &Scenario, data: &Data, fit: &Fit) -> Result<[PathBuf; 3], RunError> {
    let paths = ["scenario.toml", "fit.svg", "fit.json"].map(|name| folder.file(name));
    write_scenario(folder, &fitted.name, &fitted.expanded, &fitted.assets, fitted.hash)?;
    let figure = figure(&fitted.title, data, fit);
    let svg = figure.svg(figure.usual_size(), Theme::LIGHT).map_err(|e| RunError::io(&paths[1], e))?;
    atomic::replace_bytes(&paths[1], svg.as_bytes())?;
    let json = serde_json::to_value(fit).map_err(|e| RunError::io(&paths[2], e))?;
    write_json(&paths[2], &json)?;
    Ok(paths)
}

/// Measured values over the fitted signals, one plot for each, and dashed the signals at the start values.
pub fn figure(title: &str, data: &Data, fit: &Fit) -> Figure {
    let over_time =
        |values: &[f64]| data.times.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
    let stride = data.times.len().div_ceil(MOST_MARKS).max(1);
    let curves = data.signals.iter().zip(&fit.at_best).zip(&fit.at_start).take(MOST_PLOTS);
    let plots = curves.enumerate().map(|(i, ((measured, best), start))| Plot {
        title: if i == 0 { title.to_owned() } else { String::new() },
        x_label: "time [s]".into(),
        y_label: if measured.unit == "1" {
            measured.name.clone()
        } else {
            format!("{} [{}]", measured.name, measured.unit)
        },
        lines: vec![
            Line { label: "fitted".into(), points: over_time(best), look: Look::Line },
            Line {
                label: "measured".into(),
                points: over_time(&measured.values).into_iter().step_by(stride).collect(),
                look: Look::Marks,
            },
            Line { label: "start".into(), points: over_time(start), look: Look::Dashed },
        ],
    });
    Figure { plots: plots.collect() }
}
