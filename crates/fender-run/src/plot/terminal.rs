//! Plots as text for terminals, in braille dots: two across and four down in each character.

use super::axis::Axis;
use super::draw::pens;
use super::engineering::scaled_label;
use super::number::figure;
use super::theme::ANSI;
use super::{Look, Plot};

/// How a plot is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Characters in a line.
    pub width: usize,
    /// Lines that each plot takes for its data.
    pub rows: usize,
    /// Whether colours can be shown.
    pub colour: bool,
}

/// Dots for each point of a pattern of dashes: two in three, so that they are short.
const DOTS: f64 = 2.0 / 3.0;
/// Characters for the numbers beside the y axis.
const NUMBERS: usize = 10;

/// Dots of one plot.
struct Grid {
    columns: usize,
    rows: usize,
    dots: Vec<u8>,
    /// Line that was drawn last in each character.
    owner: Vec<Option<usize>>,
}

impl Grid {
    fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, dots: vec![0; columns * rows], owner: vec![None; columns * rows] }
    }

    fn dot(&mut self, x: i64, y: i64, line: usize) {
        // Bits of U+2800: 1 2 3 7 down the left column, 4 5 6 8 down the right.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= 2 * self.columns || y >= 4 * self.rows {
            return;
        }
        let cell = y / 4 * self.columns + x / 2;
        self.dots[cell] |= BITS[y % 4][x % 2];
        self.owner[cell] = Some(line);
    }

    /// A straight piece, a dot for each step along its longer side.
    fn segment(&mut self, from: (f64, f64), to: (f64, f64), line: usize) {
        let longest = (to.0 - from.0).abs().max((to.1 - from.1).abs()).min(1e5);
        let steps = longest.ceil().max(1.0) as i64;
        for i in 0..=steps {
            let t = i as f64 / steps as f64;
            let at = |a: f64, b: f64| (a + (b - a) * t).round() as i64;
            self.dot(at(from.0, to.0), at(from.1, to.1), line);
        }
    }
}

/// The plots one above the other, over one x axis.
pub(super) fn text(plots: &[Plot], screen: Screen) -> String {
    let xs = plots.iter().flat_map(|p| &p.lines).flat_map(|l| &l.points).map(|p| p.0);
    let columns = screen.width.saturating_sub(NUMBERS + 4).max(20);
    let ticks = (columns as f64 / 10.0).clamp(3.0, 12.0);
    let x = Axis::new(xs, 0.0, (2 * columns - 1) as f64, false, ticks);
    let mut out = String::new();
    for (i, plot) in plots.iter().enumerate() {
        if !plot.title.is_empty() {
            out += &format!("{}\n", plot.title);
        }
        panel(&mut out, plot, &x, columns, screen);
        if i + 1 == plots.len() {
            out += &x_axis(&x, columns, &plot.x_label);
        }
        legend(&mut out, plot, screen);
    }
    out
}

/// A letter for each line, to tell them apart without colours.
fn letter(line: usize) -> char {
    char::from(b'a' + (line % 26) as u8)
}

fn panel(out: &mut String, plot: &Plot, x: &Axis, columns: usize, screen: Screen) {
    let rows = screen.rows.max(4);
    let ys = plot.lines.iter().flat_map(|l| &l.points).map(|p| p.1);
    let y = Axis::new(ys, (4 * rows - 1) as f64, 0.0, true, (rows as f64 / 2.0).clamp(3.0, 8.0));
    let mut grid = Grid::new(columns, rows);
    // Where each line ends gets its letter.
    let mut ends: Vec<Option<usize>> = vec![None; rows];
    let pens = pens(plot);
    for (k, line) in plot.lines.iter().enumerate() {
        let mut last: Option<(f64, f64)> = None;
        for (n, point) in line.points.iter().enumerate() {
            let place = point.1.is_finite().then(|| (x.place(point.0), y.place(point.1)));
            let is_gap = place.is_some_and(|p| pens[k].dash.is_gap(p.0 / DOTS));
            match (place, last) {
                (Some(to), Some(from)) if line.look != Look::Marks && !is_gap => grid.segment(from, to, k),
                (Some(to), None) => grid.segment(to, to, k),
                (Some(to), _) if line.look == Look::Marks => grid.segment(to, to, k),
                _ => {}
            }
            if n + 1 == line.points.len()
                && let Some((_, at)) = place
            {
                let row = (at / 4.0).max(0.0) as usize;
                if let Some(end) = ends.get_mut(row.min(rows - 1)).filter(|end| end.is_none()) {
                    *end = Some(k);
                }
            }
            last = place;
        }
    }

    let (factor, label) = scaled_label(&plot.y_label, y.from.abs().max(y.to.abs()));
    let marks: Vec<(usize, String)> =
        y.ticks().into_iter().map(|t| ((y.place(t) / 4.0) as usize, figure(t / factor))).collect();
    out.push_str(&format!("{label:>NUMBERS$}\n"));
    for row in 0..rows {
        match marks.iter().find(|(at, _)| *at == row) {
            Some((_, number)) => out.push_str(&format!("{number:>NUMBERS$} ┤")),
            None => out.push_str(&format!("{:>NUMBERS$} │", "")),
        }
        let mut current = None;
        let mut line = String::new();
        for column in 0..columns {
            let cell = row * columns + column;
            let owner = grid.owner[cell].filter(|_| screen.colour).map(|k| pens[k].colour);
            switch(&mut line, &mut current, owner);
            let dots = grid.dots[cell];
            line.push(if dots == 0 { ' ' } else { char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ') });
        }
        switch(&mut line, &mut current, None);
        if let Some(k) = ends[row].filter(|_| plot.lines.len() > 1) {
            switch(&mut line, &mut current, screen.colour.then(|| pens[k].colour));
            line.push(letter(k));
            switch(&mut line, &mut current, None);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Changes the colour if it is another.
fn switch(line: &mut String, current: &mut Option<usize>, to: Option<usize>) {
    if *current != to {
        match to {
            Some(colour) => line.push_str(&format!("\x1b[38;5;{}m", ANSI[colour])),
            None => line.push_str("\x1b[0m"),
        }
        *current = to;
    }
}

fn x_axis(x: &Axis, columns: usize, label: &str) -> String {
    let mut line = vec!['─'; columns];
    let mut numbers = vec![' '; NUMBERS + 2 + columns + 2];
    let mut free = 0;
    for tick in x.ticks() {
        let column = ((x.place(tick) / 2.0) as usize).min(columns - 1);
        line[column] = '┬';
        let text: Vec<char> = figure(tick).chars().collect();
        let start = (NUMBERS + 2 + column).saturating_sub(text.len() / 2);
        if start >= free && start + text.len() <= numbers.len() {
            numbers[start..start + text.len()].copy_from_slice(&text);
            free = start + text.len() + 1;
        }
    }
    let line: String = line.into_iter().collect();
    let numbers: String = numbers.into_iter().collect();
    let middle = NUMBERS + 2 + columns / 2 + label.chars().count() / 2;
    format!("{:>NUMBERS$} └{line}\n{}\n{label:>middle$}\n", "", numbers.trim_end())
}

fn legend(out: &mut String, plot: &Plot, screen: Screen) {
    let pens = pens(plot);
    let mut used = 0;
    for (k, line) in plot.lines.iter().enumerate().filter(|(_, line)| !line.label.is_empty()) {
        let key = if line.look == Look::Marks { "••" } else { pens[k].dash.key };
        let name = if plot.lines.len() > 1 {
            format!("{} {key} {}", letter(k), line.label)
        } else {
            format!("{key} {}", line.label)
        };
        let length = name.chars().count() + 3;
        if used + length > screen.width.saturating_sub(NUMBERS) && used > 0 {
            out.push('\n');
            used = 0;
        }
        out.push_str(&" ".repeat(if used == 0 { NUMBERS + 2 } else { 3 }));
        if screen.colour {
            out.push_str(&format!("\x1b[38;5;{}m{name}\x1b[0m", ANSI[pens[k].colour]));
        } else {
            out.push_str(&name);
        }
        used += length;
    }
    if used > 0 {
        out.push('\n');
    }
}
