//! The font of pictures: DejaVu Sans, which ships with the program, so that a plot looks the same everywhere.

use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

static REGULAR: LazyLock<Face<'static>> =
    LazyLock::new(|| face(include_bytes!("../../assets/DejaVuSans.ttf")));
static BOLD: LazyLock<Face<'static>> =
    LazyLock::new(|| face(include_bytes!("../../assets/DejaVuSans-Bold.ttf")));

fn face(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the font is part of the program, and a test reads it")
}

fn glyph(face: &Face<'_>, c: char) -> GlyphId {
    // What the font lacks is shown as its replacement sign.
    face.glyph_index(c).or_else(|| face.glyph_index('\u{fffd}')).unwrap_or_default()
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> f64 {
    face.glyph_hor_advance(glyph).map_or(0.0, f64::from)
}

/// Width of a text of this size in the regular face.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let face = &*REGULAR;
    let units: f64 = text.chars().map(|c| advance(face, glyph(face, c))).sum();
    units * size / f64::from(face.units_per_em())
}

/// Hands each character's outline to `draw`: with its distance from the start of the text, and the factor by which the outline, y
/// up, has to be scaled.
pub(super) fn outlines<B: OutlineBuilder + Default>(
    text: &str,
    size: f64,
    is_bold: bool,
    mut draw: impl FnMut(B, f64, f64),
) {
    let face = if is_bold { &*BOLD } else { &*REGULAR };
    let scale = size / f64::from(face.units_per_em());
    let mut at = 0.0;
    for c in text.chars() {
        let glyph = glyph(face, c);
        let mut outline = B::default();
        if face.outline_glyph(glyph, &mut outline).is_some() {
            draw(outline, at, scale);
        }
        at += advance(face, glyph) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_plots_need() {
        for c in "aZ09 [m/s²] µ·×°−±≤≥≈√∞ΔΩαω…–é".chars() {
            assert!(REGULAR.glyph_index(c).is_some(), "{c}");
            assert!(BOLD.glyph_index(c).is_some(), "{c}");
        }
        assert!(width("wide", 11.0) > 2.0 * width("ll", 11.0));
        // A sign that is not there still takes room.
        assert!(width("漢", 11.0) > 5.0);
    }
}
