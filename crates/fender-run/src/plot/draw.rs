//! How plots are laid out and drawn, whatever on.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Pen, Point};
use super::dash::Dash;
use super::engineering::scaled_label;
use super::number::number;
use super::theme::COLOURS;
use super::{Line, Look, Plot};

/// Width of a plot on a page.
pub(super) const WIDTH: f64 = 600.0;
/// Height of a plot on a page, with a legend of one row.
pub(super) const HEIGHT: f64 = 270.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 40.0;
/// Between plots that share an axis.
const BETWEEN: f64 = 14.0;
const ROW: f64 = 16.0;
const KEY: f64 = 18.0;
/// Between an axis and its numbers, and from the edge to behind the label of a y axis.
const GAP: f64 = 6.0;
const LABEL_ROOM: f64 = 22.0;
/// Least height of what the lines are drawn in, and the most that is left for the label of its axis.
const AREA: [f64; 2] = [30.0, 160.0];

/// Rows of the legend: which line stands where. None for lines without a name.
type Legend = Vec<Vec<(usize, f64)>>;

/// Height of a single plot that is `width` wide.
pub(super) fn usual_height(plot: &Plot, canvas: &dyn Canvas, width: f64) -> f64 {
    HEIGHT + ROW * legend(plot, canvas, width).len().saturating_sub(1) as f64
}

/// Least height of plots one above the other that are `width` wide: labels of their y axes do not reach into each other.
pub(super) fn least_height(plots: &[Plot], canvas: &dyn Canvas, width: f64) -> f64 {
    let around = around(plots, &legends(plots, canvas, width));
    // A label is in the middle of its area; between areas there is more than a row.
    let labels = plots.iter().map(|plot| canvas.label_width(&plot.y_label) - ROW);
    around + plots.len() as f64 * labels.fold(AREA[0], f64::max).min(AREA[1])
}

/// Height of what stands above a plot: its title and its legend.
fn head(plot: &Plot, legend: &Legend) -> f64 {
    let title = if plot.title.is_empty() { 0.0 } else { 18.0 };
    title + ROW * legend.len() as f64 + ROW
}

/// Height of all that stands above, between and below the areas of plots.
fn around(plots: &[Plot], legends: &[Legend]) -> f64 {
    let heads: f64 = plots.iter().zip(legends).map(|(plot, legend)| head(plot, legend)).sum();
    heads + BOTTOM + BETWEEN * (plots.len() as f64 - 1.0)
}

/// Draws plots one above the other over one x axis.
pub(super) fn draw(plots: &[Plot], canvas: &mut dyn Canvas, width: f64, height: f64) {
    let legends = legends(plots, canvas, width);
    let area = ((height - around(plots, &legends)) / plots.len() as f64).max(AREA[0]);

    let xs = plots.iter().flat_map(|p| &p.lines).flat_map(|l| &l.points).map(|p| p.0);
    let ys: Vec<YAxis> = plots.iter().map(|plot| YAxis::new(plot, area)).collect();
    let (left, right) = (left_of(&ys, canvas), width - RIGHT);
    let mut x = Axis::new(xs, left, right, false, Axis::suitable_ticks(right - left));
    // Half of the last number may stand out of the axis, not of the picture.
    let ends = x.ticks().into_iter().map(|tick| x.place(tick) + 0.5 * canvas.label_width(&number(tick)));
    x.end -= (ends.fold(0.0, f64::max) + 1.0 - width).max(0.0);
    let mut at = 0.0;
    for (i, (plot, legend)) in plots.iter().zip(&legends).enumerate() {
        let is_last = i + 1 == plots.len();
        let top = at + head(plot, legend);
        let bottom = top + area;
        let mut y = ys[i].clone();
        (y.axis.start, y.axis.end) = (bottom, top);
        if !plot.title.is_empty() {
            canvas.title(&plot.title, (LEFT, at + 18.0));
        }
        draw_axes(plot, canvas, &x, &y, is_last);
        let y = y.axis;
        let pens = pens(plot);
        for (line, pen) in plot.lines.iter().zip(&pens) {
            draw_line(canvas, line, *pen, &x, &y);
        }
        let first_row = top - ROW * legend.len() as f64;
        for (row, items) in legend.iter().enumerate() {
            for (k, from) in items {
                draw_key(canvas, &plot.lines[*k], pens[*k], (*from, first_row + ROW * row as f64), width);
            }
        }
        at = bottom + BETWEEN;
    }
}

/// A pen for each line; marks share that of the line before them.
pub(super) fn pens(plot: &Plot) -> Vec<Pen> {
    let mut pens: Vec<Pen> = Vec::with_capacity(plot.lines.len());
    let mut next = 0;
    for line in &plot.lines {
        match pens.last() {
            Some(&last) if line.look == Look::Marks => pens.push(last),
            _ => {
                pens.push(Pen { colour: next % COLOURS, dash: Dash::of(line.look, next) });
                next += 1;
            }
        }
    }
    pens
}

fn legends(plots: &[Plot], canvas: &dyn Canvas, width: f64) -> Vec<Legend> {
    plots.iter().map(|plot| legend(plot, canvas, width)).collect()
}

fn legend(plot: &Plot, canvas: &dyn Canvas, width: f64) -> Legend {
    let mut rows: Legend = Vec::new();
    let mut at = width;
    for (i, line) in plot.lines.iter().enumerate() {
        if line.label.is_empty() {
            continue;
        }
        let item = KEY + 16.0 + canvas.label_width(&line.label);
        if at + item > width {
            rows.push(Vec::new());
            at = LEFT;
        }
        if let Some(row) = rows.last_mut() {
            row.push((i, at));
        }
        at += item;
    }
    rows
}

/// A y axis with the unit that its numbers read best in.
#[derive(Clone, Debug)]
struct YAxis {
    axis: Axis,
    /// What its numbers are divided by.
    factor: f64,
    label: String,
}

impl YAxis {
    fn new(plot: &Plot, area: f64) -> Self {
        let ys = plot.lines.iter().flat_map(|l| &l.points).map(|p| p.1);
        let axis = Axis::new(ys, area, 0.0, true, Axis::suitable_ticks(area));
        let (factor, label) = scaled_label(&plot.y_label, axis.from.abs().max(axis.to.abs()));
        Self { axis, factor, label }
    }

    fn text(&self, tick: f64) -> String {
        number(tick / self.factor)
    }
}

/// Where the areas begin: the numbers of their y axes keep off the labels.
fn left_of(ys: &[YAxis], canvas: &dyn Canvas) -> f64 {
    let numbers = ys.iter().flat_map(|y| y.axis.ticks().into_iter().map(|tick| y.text(tick)));
    numbers.map(|text| canvas.label_width(&text) + GAP + LABEL_ROOM).fold(LEFT, f64::max)
}

fn draw_axes(plot: &Plot, canvas: &mut dyn Canvas, x: &Axis, y: &YAxis, is_last: bool) {
    let (left, right, top, bottom) = (x.start, x.end, y.axis.end, y.axis.start);
    for tick in x.ticks() {
        let at = x.place(tick);
        canvas.grid((at, top), (at, bottom));
        if is_last {
            canvas.label(&number(tick), (at, bottom + 15.0), Anchor::Middle);
        }
    }
    for tick in y.axis.ticks() {
        let at = y.axis.place(tick);
        canvas.grid((left, at), (right, at));
        canvas.label(&y.text(tick), (left - GAP, at + 4.0), Anchor::End);
    }
    canvas.axes(&[(left, top), (left, bottom), (right, bottom)]);
    if is_last {
        canvas.label(&plot.x_label, (f64::midpoint(left, right), bottom + BOTTOM - 8.0), Anchor::Middle);
    }
    canvas.label_up(&y.label, (13.0, f64::midpoint(top, bottom)));
}

fn draw_line(canvas: &mut dyn Canvas, line: &Line, pen: Pen, x: &Axis, y: &Axis) {
    let place = |(px, py): (f64, f64)| (x.place(px), y.place(py));
    if line.look == Look::Marks {
        for point in line.points.iter().filter(|p| p.1.is_finite()) {
            canvas.mark(pen.colour, place(*point));
        }
        return;
    }
    // A value that is not defined breaks the line.
    let pieces: Vec<Vec<Point>> = line
        .points
        .split(|p| !p.1.is_finite())
        .filter(|piece| !piece.is_empty())
        .map(|piece| thin(piece, x).into_iter().map(place).collect())
        .collect();
    canvas.curve(&line.label, pen, &pieces);
}

fn draw_key(canvas: &mut dyn Canvas, line: &Line, pen: Pen, (at, y): Point, width: f64) {
    if line.look == Look::Marks {
        canvas.mark(pen.colour, (at + KEY / 2.0, y - 4.0));
    } else {
        let key = vec![(at, y - 4.0), (at + KEY, y - 4.0)];
        canvas.curve("", pen, &[key]);
    }
    let from = at + KEY + 5.0;
    canvas.label(&shortened(&line.label, canvas, width - from - 2.0), (from, y), Anchor::Start);
}

/// A label without its middle, where it is too long for its room.
fn shortened(label: &str, canvas: &dyn Canvas, room: f64) -> String {
    let letters: Vec<char> = label.chars().collect();
    let cut = |kept: usize| {
        let (front, back) = (kept.div_ceil(2), letters.len() - kept / 2);
        letters[..front].iter().chain(&['…']).chain(&letters[back..]).collect::<String>()
    };
    if canvas.label_width(label) <= room {
        return label.to_owned();
    }
    let fits = (0..letters.len()).rev().map(cut).find(|text| canvas.label_width(text) <= room);
    fits.unwrap_or_default()
}

/// Keeps the first, lowest, highest and last of the points in each half of a point of the axis: the line enters and leaves it where
/// it does in truth, so the picture stays, and the file stays small.
pub(super) fn thin(points: &[(f64, f64)], x: &Axis) -> Vec<(f64, f64)> {
    let column = |p: &(f64, f64)| (x.place(p.0) * 2.0) as i64;
    let mut kept = Vec::new();
    for bucket in points.chunk_by(|a, b| column(a) == column(b)) {
        let order = |a: &usize, b: &usize| bucket[*a].1.total_cmp(&bucket[*b].1);
        let low = (0..bucket.len()).min_by(order).unwrap_or(0);
        let high = (0..bucket.len()).max_by(order).unwrap_or(0);
        let mut chosen = [0, low.min(high), low.max(high), bucket.len() - 1].to_vec();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| bucket[i]));
    }
    kept
}
