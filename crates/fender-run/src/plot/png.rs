//! Plots as PNG files.

use super::canvas::{Anchor, Canvas, LABEL_SIZE, LINE_WIDTH, MARK_RADIUS, Pen, Point, TITLE_SIZE};
use super::font;
use super::theme::Theme;
use tiny_skia::{Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// A picture in pixels.
pub(super) struct Png {
    pixmap: Pixmap,
    theme: Theme,
    /// Pixels per point.
    scale: f32,
}

impl Png {
    /// An empty picture; `None` if it has no size or is too large.
    pub fn new(width: u32, height: u32, scale: f64, theme: Theme) -> Option<Self> {
        let mut pixmap = Pixmap::new(width, height)?;
        pixmap.fill(colour(theme.paper));
        Some(Self { pixmap, theme, scale: scale as f32 })
    }

    /// The file's contents.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        self.pixmap.encode_png().map_err(|error| error.to_string())
    }

    fn view(&self) -> Transform {
        Transform::from_scale(self.scale, self.scale)
    }

    fn stroke(&mut self, path: Option<Path>, ink: u32, width: f64, dash: Option<StrokeDash>) {
        let stroke = Stroke { width: width as f32, line_join: LineJoin::Round, dash, ..Stroke::default() };
        if let Some(path) = path {
            self.pixmap.stroke_path(&path, &paint(ink), &stroke, self.view(), None);
        }
    }

    /// A text from the place and in the direction of the transform.
    fn text(&mut self, text: &str, size: f64, is_bold: bool, ink: u32, from: Transform) {
        let paint = paint(ink);
        let pixmap = &mut self.pixmap;
        font::outlines(text, size, is_bold, |outline: Outline, at, scale| {
            // Outlines have y up.
            let place = from.pre_translate(at as f32, 0.0).pre_scale(scale as f32, -(scale as f32));
            if let Some(path) = outline.0.finish() {
                pixmap.fill_path(&path, &paint, FillRule::Winding, place, None);
            }
        });
    }
}

fn colour(rgb: u32) -> Color {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color::from_rgba8(r, g, b, 255)
}

fn paint(rgb: u32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(rgb));
    paint
}

fn polyline(pieces: &[&[Point]]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for piece in pieces {
        for (i, (x, y)) in piece.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
    }
    builder.finish()
}

impl Canvas for Png {
    fn label_width(&self, text: &str) -> f64 {
        font::width(text, LABEL_SIZE)
    }

    fn title(&mut self, text: &str, (x, y): Point) {
        let from = self.view().pre_translate(x as f32, y as f32);
        self.text(text, TITLE_SIZE, true, self.theme.ink, from);
    }

    fn label(&mut self, text: &str, (x, y): Point, anchor: Anchor) {
        let shift = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let x = x - shift * self.label_width(text);
        let from = self.view().pre_translate(x as f32, y as f32);
        self.text(text, LABEL_SIZE, false, self.theme.soft, from);
    }

    fn label_up(&mut self, text: &str, (x, y): Point) {
        let half = 0.5 * self.label_width(text);
        let from = self.view().pre_translate(x as f32, (y + half) as f32).pre_rotate(-90.0);
        self.text(text, LABEL_SIZE, false, self.theme.soft, from);
    }

    fn grid(&mut self, from: Point, to: Point) {
        self.stroke(polyline(&[&[from, to]]), self.theme.rule, 1.0, None);
    }

    fn axes(&mut self, points: &[Point]) {
        self.stroke(polyline(&[points]), self.theme.soft, 1.0, None);
    }

    fn curve(&mut self, _: &str, Pen { colour, dash }: Pen, pieces: &[Vec<Point>]) {
        // None without lengths: a line without gaps.
        let dash = StrokeDash::new(dash.lengths.iter().map(|d| *d as f32).collect(), 0.0);
        let pieces: Vec<&[Point]> = pieces.iter().map(Vec::as_slice).collect();
        self.stroke(polyline(&pieces), self.theme.series[colour], LINE_WIDTH, dash);
    }

    fn mark(&mut self, colour: usize, (x, y): Point) {
        let circle = PathBuilder::from_circle(x as f32, y as f32, MARK_RADIUS as f32);
        if let Some(circle) = &circle {
            let paper = paint(self.theme.paper);
            self.pixmap.fill_path(circle, &paper, FillRule::Winding, self.view(), None);
        }
        self.stroke(circle, self.theme.series[colour], LINE_WIDTH, None);
    }
}

#[derive(Default)]
struct Outline(PathBuilder);

impl ttf_parser::OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
