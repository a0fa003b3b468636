//! Line plots as SVG, light and dark, in colours that colour-blind eyes can tell apart.

use crate::clock::nice;
use std::fmt::Write;

/// Colours and text styles as CSS variables, light and dark. The hues follow Okabe and Ito (2008), darkened or lightened
/// until each has enough contrast with its background.
pub const STYLE: &str = "
:root{--paper:#ffffff;--card:#fbfbfc;--ink:#1c2430;--soft:#5b6675;--rule:#dde2e8;--good:#0a7d4f;--bad:#c2410c;
--c0:#0072b2;--c1:#d55e00;--c2:#00896a;--c3:#b5558c;--c4:#b98000;--c5:#3a9bd8;--c6:#6b7280;--c7:#7c5cbf}
@media(prefers-color-scheme:dark){:root{--paper:#12161c;--card:#181d25;--ink:#e6e9ee;--soft:#9aa5b4;--rule:#2c343f;
--good:#4ade9c;--bad:#ff8a5c;--c0:#56b4e9;--c1:#ff8a4c;--c2:#3ccb9d;--c3:#e79bcb;--c4:#f0b93a;--c5:#9fd6f7;--c6:#a8b0bb;--c7:#b79df0}}
.plot text{font:11px system-ui,sans-serif;fill:var(--soft)}.plot .title{font-size:13px;font-weight:600;fill:var(--ink)}
.plot .grid{stroke:var(--rule);stroke-width:1}.plot .axis{stroke:var(--soft);stroke-width:1}
.plot .line{fill:none;stroke-width:1.6;stroke-linejoin:round}.plot .dash{stroke-dasharray:5 4}
.plot .s0{stroke:var(--c0)}.plot .s1{stroke:var(--c1)}.plot .s2{stroke:var(--c2)}.plot .s3{stroke:var(--c3)}
.plot .s4{stroke:var(--c4)}.plot .s5{stroke:var(--c5)}.plot .s6{stroke:var(--c6)}.plot .s7{stroke:var(--c7)}
.plot .mark{fill:var(--paper);stroke-width:1.6}
";

/// Colours there are; more lines than this repeat them.
const COLOURS: usize = 8;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line.
    Line,
    /// A dashed line.
    Dashed,
    /// A circle at each point, in the colour of the line before.
    Marks,
}

/// A line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub label: String,
    /// Points in order of x.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub look: Look,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Label of the x axis with its unit.
    pub x_label: String,
    /// Label of the y axis with its unit.
    pub y_label: String,
    /// Lines.
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// An axis: what part of the numbers maps to what part of the picture.
struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    step: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, start: f64, end: f64, pad: bool) -> Self {
        let (mut from, mut to) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        // A constant still needs an axis around it.
        let least = (1e-9 * from.abs().max(to.abs())).max(1e-300);
        if to - from < least {
            let around = if from == 0.0 { 1.0 } else { 0.1 * from.abs() };
            (from, to) = (from - around, to + around);
        } else if pad {
            let margin = 0.05 * (to - from);
            (from, to) = (from - margin, to + margin);
        }
        let ticks = if (end - start).abs() > 400.0 { 7.0 } else { 5.0 };
        Self { from, to, start, end, step: nice((to - from) / ticks * 1.6) }
    }

    fn place(&self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    fn ticks(&self) -> Vec<f64> {
        let first = (self.from / self.step).ceil() as i64;
        let last = (self.to / self.step).floor() as i64;
        // Whole multiples, so that zero is zero; the cap only guards against numbers without resolution.
        (first..=last.min(first + 20)).map(|i| i as f64 * self.step).collect()
    }
}

impl Plot {
    /// The plot as an SVG element for a page that has [`STYLE`].
    pub fn svg(&self) -> String {
        self.draw("")
    }

    /// The plot as an SVG file of its own.
    pub fn svg_file(&self) -> String {
        let background =
            format!("<style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>");
        self.draw(&background)
    }

    fn draw(&self, extra: &str) -> String {
        let legend = self.legend();
        let top = 34.0 + 16.0 * legend.len() as f64;
        let height = HEIGHT + 16.0 * legend.len().saturating_sub(1) as f64;
        let points = || self.lines.iter().flat_map(|l| &l.points);
        let x = Axis::new(points().map(|p| p.0), LEFT, WIDTH - RIGHT, false);
        let y = Axis::new(points().map(|p| p.1), height - BOTTOM, top, true);
        let mut svg = format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">{extra}\
             <title>{t}</title><text class=\"title\" x=\"{LEFT}\" y=\"18\">{t}</text>",
            t = escape(&self.title)
        );
        self.draw_axes(&mut svg, &x, &y, height);
        let colours = self.colours();
        for (line, colour) in self.lines.iter().zip(&colours) {
            draw_line(&mut svg, line, *colour, &x, &y);
        }
        for (row, items) in legend.iter().enumerate() {
            for (i, at) in items {
                draw_key(&mut svg, &self.lines[*i], colours[*i], *at, 34.0 + 16.0 * row as f64);
            }
        }
        svg.push_str("</svg>");
        svg
    }

    /// A colour for each line; marks share that of the line before them.
    fn colours(&self) -> Vec<usize> {
        let mut colours: Vec<usize> = Vec::with_capacity(self.lines.len());
        let mut next = 0;
        for line in &self.lines {
            match colours.last() {
                Some(&last) if line.look == Look::Marks => colours.push(last),
                _ => {
                    colours.push(next % COLOURS);
                    next += 1;
                }
            }
        }
        colours
    }

    /// Rows of the legend: which line stands where. None for a single line without a name.
    fn legend(&self) -> Vec<Vec<(usize, f64)>> {
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        let mut at = WIDTH;
        for (i, line) in self.lines.iter().enumerate() {
            if line.label.is_empty() {
                continue;
            }
            let width = 34.0 + 6.3 * line.label.chars().count() as f64;
            if at + width > WIDTH {
                rows.push(Vec::new());
                at = LEFT;
            }
            if let Some(row) = rows.last_mut() {
                row.push((i, at));
            }
            at += width;
        }
        rows
    }

    // Writing to a `String` cannot fail: the results of `write!` are dropped below.
    fn draw_axes(&self, svg: &mut String, x: &Axis, y: &Axis, height: f64) {
        let (bottom, right, top) = (height - BOTTOM, WIDTH - RIGHT, y.end);
        for tick in x.ticks() {
            let at = x.place(tick);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {top:.1}V{bottom:.1}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 15.0,
                number(tick)
            );
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                number(tick)
            );
        }
        let middle = f64::midpoint(top, bottom);
        let _ = write!(
            svg,
            "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {top:.1}V{bottom:.1}H{right:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(13 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, right),
            height - 8.0,
            escape(&self.x_label),
            escape(&self.y_label)
        );
    }
}

fn draw_line(svg: &mut String, line: &Line, colour: usize, x: &Axis, y: &Axis) {
    if line.look == Look::Marks {
        for (px, py) in line.points.iter().filter(|p| p.1.is_finite()) {
            let _ = write!(
                svg,
                "<circle class=\"mark s{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\"/>",
                x.place(*px),
                y.place(*py)
            );
        }
        return;
    }
    let dash = if line.look == Look::Dashed { " dash" } else { "" };
    let _ = write!(svg, "<path class=\"line s{colour}{dash}\" d=\"");
    let mut pen_down = false;
    for (px, py) in thin(&line.points, x) {
        if !py.is_finite() {
            pen_down = false;
            continue;
        }
        let _ = write!(svg, "{}{:.1} {:.1}", if pen_down { 'L' } else { 'M' }, x.place(px), y.place(py));
        pen_down = true;
    }
    let _ = write!(svg, "\"><title>{}</title></path>", escape(&line.label));
}

fn draw_key(svg: &mut String, line: &Line, colour: usize, at: f64, y: f64) {
    let dash = if line.look == Look::Dashed { " dash" } else { "" };
    let _ = if line.look == Look::Marks {
        write!(
            svg,
            "<circle class=\"mark s{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\"/>",
            at + 9.0,
            y - 4.0
        )
    } else {
        write!(svg, "<path class=\"line s{colour}{dash}\" d=\"M{at:.1} {:.1}h18\"/>", y - 4.0)
    };
    let _ = write!(svg, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", at + 23.0, escape(&line.label));
}

/// Keeps the lowest and the highest point of each half pixel: the picture stays, the file stays small.
fn thin(points: &[(f64, f64)], x: &Axis) -> Vec<(f64, f64)> {
    if points.len() < 2 * WIDTH as usize {
        return points.to_vec();
    }
    let column = |p: &(f64, f64)| (x.place(p.0) * 2.0) as i64;
    let mut kept = Vec::new();
    for bucket in points.chunk_by(|a, b| column(a) == column(b)) {
        let order = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (low, high) = (bucket.iter().min_by(order), bucket.iter().max_by(order));
        if let (Some(low), Some(high)) = (low, high) {
            kept.extend(if low.0 <= high.0 { [*low, *high] } else { [*high, *low] });
        }
    }
    kept
}

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number for people: six significant digits, no trailing zeros.
pub fn number(value: f64) -> String {
    digits(value, 6)
}

/// A figure for people: three significant digits, no trailing zeros.
pub fn figure(value: f64) -> String {
    digits(value, 3)
}

/// A difference for people: two significant digits, no trailing zeros.
pub fn rough(value: f64) -> String {
    digits(value, 2)
}

fn digits(value: f64, significant: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return "–".into();
    }
    // Digits after rounding decide the form: 999999.7 is 1e6.
    let scientific = format!("{value:.*e}", significant - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trim = |s: &str| {
        if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s.to_owned() }
    };
    if (-4..6).contains(&exponent) {
        let decimals = i32::try_from(significant).unwrap_or(6) - 1 - exponent;
        trim(&format!("{value:.*}", usize::try_from(decimals).unwrap_or(0)))
    } else {
        format!("{}e{exponent}", trim(mantissa))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        Plot {
            title: "a < b".into(),
            x_label: "time [s]".into(),
            y_label: "m".into(),
            lines: vec![Line { label: "x & y".into(), points, look: Look::Line }],
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.3"),
            (999_999.7, "1e6"),
            (123_456.0, "123456"),
            (1.5e-9, "1.5e-9"),
            (0.000_12, "0.00012"),
            (6.02e23, "6.02e23"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(
            [64.1176, 0.046_789, 12_345.6, -9.017e-4, 2.5e-9].map(figure),
            ["64.1", "0.0468", "12346", "-0.000902", "2.5e-9"]
        );
    }

    #[test]
    fn texts_are_escaped() {
        let svg = plot(vec![(0.0, 0.0), (1.0, 1.0)]).svg();
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y"));
    }

    #[test]
    fn marks_have_the_colour_of_their_line() {
        let line = |look| Line { label: "a".into(), points: vec![(0.0, 1.0)], look };
        let lines = [Look::Line, Look::Marks, Look::Line, Look::Marks, Look::Dashed].map(line).to_vec();
        let plot = Plot { lines, ..plot(vec![]) };
        assert_eq!(plot.colours(), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn odd_data_makes_a_picture_without_nan() {
        for points in [
            vec![],
            vec![(0.0, 5.0)],
            vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 1.0)],
            vec![(0.0, -1e300), (1.0, 1e300)],
        ] {
            let svg = plot(points).svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn a_long_series_keeps_its_peaks_and_loses_its_weight() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 9.0;
        let plot = plot(points);
        let axis = Axis::new(plot.lines[0].points.iter().map(|p| p.0), LEFT, WIDTH - RIGHT, false);
        let thinned = thin(&plot.lines[0].points, &axis);
        assert!(thinned.len() < 3000);
        assert!(thinned.contains(&(54_321.0, 9.0)));
        assert!(plot.svg().len() < 60_000);
    }

    #[test]
    fn ticks_are_few_and_round() {
        let axis = Axis::new([0.0, 3.0].into_iter(), LEFT, WIDTH - RIGHT, false);
        let ticks = axis.ticks();
        assert!((4..=10).contains(&ticks.len()), "{ticks:?}");
        assert!(ticks.contains(&0.0) && ticks.contains(&2.0));
    }
}
