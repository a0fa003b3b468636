//! What a fit leaves behind: the fitted scenario, a picture and the numbers.

use super::{Data, Fit};
use crate::atomic;
use crate::claim::Claim;
use crate::error::RunError;
use crate::manifest::{FIT_FILES, Manifest};
use crate::plot::{Figure, Line, Look, Plot, Theme};
use crate::results::{write_json, write_scenario};
use crate::scenario::Scenario;
use std::path::PathBuf;

/// Marks that can be told apart in a plot.
const MOST_MARKS: usize = 150;
/// Signals that one picture shows.
const MOST_PLOTS: usize = 12;

/// Writes `scenario.toml` (the fitted scenario, with its assets), `fit.svg` and `fit.json`; gives the paths.
pub fn write(claim: &mut Claim, fitted: &Scenario, data: &Data, fit: &Fit) -> Result<[PathBuf; 3], RunError> {
    let folder = claim.folder();
    Manifest::new(&FIT_FILES, &fitted.assets).write(folder)?;
    write_scenario(folder, &fitted.name, &fitted.expanded, &fitted.assets, fitted.hash)?;
    let figure = figure(&fitted.title, data, fit);
    let path = folder.file("fit.svg");
    let svg = figure.svg(figure.usual_size(), Theme::LIGHT).map_err(|e| RunError::io(&path, e))?;
    atomic::replace_bytes(&path, svg.as_bytes())?;
    let path = folder.file("fit.json");
    write_json(&path, &serde_json::to_value(fit).map_err(|e| RunError::io(&path, e))?)?;
    let folder = claim.replace_old()?;
    Ok(FIT_FILES.map(|name| folder.file(name)))
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
