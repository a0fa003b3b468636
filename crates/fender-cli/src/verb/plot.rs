//! `fender plot`: signals of a results folder as a picture, or as text in the terminal.

use crate::args::Plot;
use crate::failure::Failure;
use fender_run::compare::folder_name;
use fender_run::plot::{self, Run, Screen, Theme};
use fender_run::{Folder, atomic};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Lines of a single plot in the terminal, of each of several, and the fewest there can be.
const ROWS: [usize; 3] = [18, 10, 6];

/// Reads the signals and draws them.
pub fn perform(args: &Plot) -> Result<(), Failure> {
    let format = args.out.as_deref().map(format).transpose()?;
    let runs: Vec<Run> =
        std::iter::once(&args.dir).chain(&args.with).map(|dir| read(dir)).collect::<Result<_, _>>()?;
    let title = title(&args.dir);
    let figure = plot::of_signals(&title, &runs, &args.signals, args.from, args.to).map_err(Failure::run)?;
    let (Some(path), Some(format)) = (&args.out, format) else {
        return Ok(std::io::stdout().write_all(figure.text(screen(figure.plots.len())).as_bytes())?);
    };
    let size = args.size.unwrap_or_else(|| figure.usual_size());
    let theme = if args.dark { Theme::DARK } else { Theme::LIGHT };
    let bytes = match format {
        Format::Svg => figure.svg(size, theme).map(String::into_bytes),
        Format::Png => figure.png(size, theme),
    }
    .map_err(Failure::bad_input)?;
    atomic::replace_bytes(path, &bytes).map_err(Failure::run)?;
    Ok(writeln!(std::io::stdout(), "wrote {}", path.display())?)
}

#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

fn format(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ => {
            let path = path.display();
            Err(Failure::bad_input(format!(
                "'{path}': a plot is written as .svg or .png: choose one of these endings"
            )))
        }
    }
}

/// The signals of a results folder, by the name of the folder.
fn read(dir: &Path) -> Result<Run, Failure> {
    let signals = Folder { path: dir.to_owned() }.table("signals").map_err(Failure::run)?;
    Ok(Run { name: folder_name(dir), signals })
}

/// What was run, or the folder's name if the run has not come to a summary.
fn title(dir: &Path) -> String {
    let folder = Folder { path: dir.to_owned() };
    folder.summary().map_or_else(|| folder_name(dir), |summary| summary.title)
}

/// What the terminal can show. Colours are for people at a terminal who have not said no (no-color.org).
fn screen(plots: usize) -> Screen {
    let is_terminal = std::io::stdout().is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let size = if is_terminal { terminal_size::terminal_size() } else { None };
    let (width, height) = size.map_or((80, None), |(w, h)| (usize::from(w.0), Some(usize::from(h.0))));
    let [alone, several, least] = ROWS;
    let usual = if plots > 1 { several } else { alone };
    // Axis, labels and legend need some lines as well.
    let room = height.map_or(usual, |height| (height.saturating_sub(6) / plots.max(1)).saturating_sub(2));
    Screen { width: width.clamp(40, 400), rows: usual.min(room).max(least), colour: is_terminal && !no_color }
}
