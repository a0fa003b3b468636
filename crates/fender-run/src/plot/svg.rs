//! Plots as SVG: for pages that have [`super::STYLE`], or as files that any program can show.

use super::canvas::{Anchor, Canvas, LABEL_SIZE, LINE_WIDTH, MARK_RADIUS, Pen, Point, TITLE_SIZE};
use super::font;
use super::number::escape;
use super::theme::Theme;
use std::fmt::Write;

/// An SVG element that grows. Writing to a `String` cannot fail: the results of `write!` are dropped.
pub(super) struct Svg {
    body: String,
    /// Colours written into each element; by default classes of the style sheet. Few programs but browsers know style
    /// sheets with variables.
    theme: Option<Theme>,
}

impl Svg {
    pub fn new(theme: Option<Theme>) -> Self {
        Self { body: String::new(), theme }
    }

    /// The whole element, with `extra` before the drawing.
    pub fn finish(self, title: &str, width: f64, height: f64, extra: &str) -> String {
        let mut head = format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\""
        );
        if let Some(theme) = self.theme {
            let paper = theme.paper;
            let _ = write!(
                head,
                " font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"{LABEL_SIZE}\"><title>{}</title>\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"#{paper:06x}\"/>",
                escape(title)
            );
        } else {
            let _ = write!(head, ">{extra}<title>{}</title>", escape(title));
        }
        head + &self.body + "</svg>"
    }

    /// Attributes of an element: a class, or those of the theme.
    fn style(&self, class: &str, own: impl FnOnce(&Theme) -> String) -> String {
        self.theme.as_ref().map_or_else(|| format!("class=\"{class}\""), own)
    }

    fn text_style(&self) -> String {
        self.theme.as_ref().map_or_else(String::new, |t| format!(" fill=\"#{:06x}\"", t.soft))
    }
}

fn path(points: &[Point]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
    }
    d
}

impl Canvas for Svg {
    fn label_width(&self, text: &str) -> f64 {
        match self.theme {
            // The reader's own font: about this wide.
            None => 6.3 * text.chars().count() as f64,
            Some(_) => font::width(text, LABEL_SIZE),
        }
    }

    fn title(&mut self, text: &str, (x, y): Point) {
        let style = self.style("title", |t| {
            format!("font-size=\"{TITLE_SIZE}\" font-weight=\"bold\" fill=\"#{:06x}\"", t.ink)
        });
        let _ = write!(self.body, "<text {style} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text));
    }

    fn label(&mut self, text: &str, (x, y): Point, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let style = self.text_style();
        let _ = write!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor}{style}>{}</text>", escape(text));
    }

    fn label_up(&mut self, text: &str, (x, y): Point) {
        let style = self.text_style();
        let _ = write!(
            self.body,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\"{style}>{}</text>",
            escape(text)
        );
    }

    fn grid(&mut self, from: Point, to: Point) {
        let style = self.style("grid", |t| format!("stroke=\"#{:06x}\"", t.rule));
        let _ = write!(self.body, "<path {style} d=\"{}\"/>", path(&[from, to]));
    }

    fn axes(&mut self, points: &[Point]) {
        let style = self.style("axis", |t| format!("stroke=\"#{:06x}\"", t.soft));
        let _ = write!(self.body, "<path {style} fill=\"none\" d=\"{}\"/>", path(points));
    }

    fn curve(&mut self, name: &str, Pen { colour, dash }: Pen, pieces: &[Vec<Point>]) {
        let mut style = self.style(&format!("line s{colour}"), |t| {
            format!(
                "fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{LINE_WIDTH}\" stroke-linejoin=\"round\"",
                t.series[colour]
            )
        });
        let lengths: Vec<String> = dash.lengths.iter().map(f64::to_string).collect();
        if !lengths.is_empty() {
            let _ = write!(style, " stroke-dasharray=\"{}\"", lengths.join(" "));
        }
        let d: String = pieces.iter().map(|piece| path(piece)).collect();
        let _ = if name.is_empty() {
            write!(self.body, "<path {style} d=\"{d}\"/>")
        } else {
            write!(self.body, "<path {style} d=\"{d}\"><title>{}</title></path>", escape(name))
        };
    }

    fn mark(&mut self, colour: usize, (x, y): Point) {
        let style = self.style(&format!("mark s{colour}"), |t| {
            format!(
                "fill=\"#{:06x}\" stroke=\"#{:06x}\" stroke-width=\"{LINE_WIDTH}\"",
                t.paper, t.series[colour]
            )
        });
        let _ = write!(self.body, "<circle {style} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{MARK_RADIUS}\"/>");
    }
}
