//! What a plot needs of the thing it is drawn on. Lengths are in points, x to the right, y down.

use super::dash::Dash;

/// Size of labels.
pub(super) const LABEL_SIZE: f64 = 11.0;
/// Size of titles.
pub(super) const TITLE_SIZE: f64 = 13.0;
/// Width of lines of data.
pub(super) const LINE_WIDTH: f64 = 1.6;
/// Radius of marks.
pub(super) const MARK_RADIUS: f64 = 3.2;

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) type Point = (f64, f64);

/// What a line of data is drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    /// Index of the colour.
    pub colour: usize,
    /// Pattern.
    pub dash: Dash,
}

/// Something to draw on.
pub(super) trait Canvas {
    /// Width of a label.
    fn label_width(&self, text: &str) -> f64;
    /// A title whose base line starts at `at`.
    fn title(&mut self, text: &str, at: Point);
    /// A label on its base line.
    fn label(&mut self, text: &str, at: Point, anchor: Anchor);
    /// A label that runs upward, in the middle of its base line at `at`.
    fn label_up(&mut self, text: &str, at: Point);
    /// A line of the grid.
    fn grid(&mut self, from: Point, to: Point);
    /// The axes, as one line.
    fn axes(&mut self, points: &[Point]);
    /// A line of data in pieces.
    fn curve(&mut self, name: &str, pen: Pen, pieces: &[Vec<Point>]);
    /// A mark in the colour with this index.
    fn mark(&mut self, colour: usize, at: Point);
}
