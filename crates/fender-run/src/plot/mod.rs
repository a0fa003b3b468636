//! Line plots for pages, papers and terminals, in colours that colour-blind eyes can tell apart.
//!
//! How a plot is laid out and drawn is written once (`draw.rs`), on a canvas that is an SVG element (`svg.rs`) or pixels
//! (`png.rs`); a terminal has too few places for that and has its own (`terminal.rs`).

mod axis;
mod canvas;
mod dash;
mod draw;
mod engineering;
mod font;
mod number;
mod png;
mod signals;
mod svg;
mod terminal;
mod theme;

pub use engineering::{known, quantity, scaled_unit};
pub use number::{escape, figure, number, rough};
pub use signals::{Run, of_signals, select};
pub use terminal::Screen;
pub use theme::{STYLE, Theme};

use svg::Svg;

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

impl Plot {
    /// The plot as an SVG element for a page that has [`STYLE`].
    pub fn svg(&self) -> String {
        self.on_page("")
    }

    /// The plot as an SVG file of its own, light or dark as its reader likes it.
    pub fn svg_file(&self) -> String {
        self.on_page(&format!(
            "<style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>"
        ))
    }

    fn on_page(&self, extra: &str) -> String {
        let mut svg = Svg::new(None);
        let height = draw::usual_height(self, &svg, draw::WIDTH);
        draw::draw(std::slice::from_ref(self), &mut svg, draw::WIDTH, height);
        svg.finish(&self.title, draw::WIDTH, height, extra)
    }
}

/// Plots one above the other that share their x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// From top to bottom; the title of the first is that of all, and the label of the x axis is that of the last.
    pub plots: Vec<Plot>,
}

/// Largest width and height of a picture [pixels].
pub const MAX_SIZE: u32 = 16_384;

impl Figure {
    /// Width and height that suit it [pixels].
    pub fn usual_size(&self) -> (u32, u32) {
        let more = self.plots.len().saturating_sub(1) as u32;
        let width = 1280;
        (width, (640 + 400 * more).max(self.least_height(width)).min(MAX_SIZE))
    }

    /// Height [pixels] below which a picture of this width has no room for its plots.
    fn least_height(&self, width: u32) -> u32 {
        let (points, _, scale) = Self::points((width, 1));
        // Measured as it is written: by the font of the program.
        let least = draw::least_height(&self.plots, &Svg::new(Some(Theme::LIGHT)), points);
        (least * scale).ceil() as u32
    }

    /// A picture must have room for its plots, and its pixels room in memory.
    fn check_size(&self, (width, height): (u32, u32)) -> Result<(), String> {
        if ![width, height].iter().all(|n| (1..=MAX_SIZE).contains(n)) {
            return Err(format!("a picture of {width} x {height} pixels cannot be made"));
        }
        let least = self.least_height(width);
        if height < least {
            let plots = self.plots.len();
            let which = if plots == 1 {
                "a plot with its legend".to_owned()
            } else {
                format!("{plots} plots one above the other")
            };
            return Err(format!(
                "a picture of {width} x {height} pixels has no room for {which}: take {width}x{least} or more, or fewer signals"
            ));
        }
        Ok(())
    }

    /// Points that fit into pixels, and pixels per point: a larger picture is sharper, up to what a 4K screen needs, and then has more
    /// room.
    fn points((width, height): (u32, u32)) -> (f64, f64, f64) {
        let scale = (f64::from(width) / 640.0).clamp(1.0, 4.0);
        (f64::from(width) / scale, f64::from(height) / scale, scale)
    }

    /// As an SVG file in fixed colours.
    pub fn svg(&self, size: (u32, u32), theme: Theme) -> Result<String, String> {
        self.check_size(size)?;
        let mut svg = Svg::new(Some(theme));
        let (width, height, _) = Self::points(size);
        draw::draw(&self.plots, &mut svg, width, height);
        let title = self.plots.first().map_or("", |plot| plot.title.as_str());
        let mut file = svg.finish(title, width, height, "");
        file.push('\n');
        Ok(file)
    }

    /// As a PNG file.
    pub fn png(&self, size: (u32, u32), theme: Theme) -> Result<Vec<u8>, String> {
        self.check_size(size)?;
        let (width, height, scale) = Self::points(size);
        let no_memory = || format!("a picture of {} x {} pixels cannot be made", size.0, size.1);
        let mut png = png::Png::new(size.0, size.1, scale, theme).ok_or_else(no_memory)?;
        draw::draw(&self.plots, &mut png, width, height);
        png.finish()
    }

    /// As lines of text.
    pub fn text(&self, screen: Screen) -> String {
        terminal::text(&self.plots, screen)
    }
}

#[cfg(test)]
mod tests;
