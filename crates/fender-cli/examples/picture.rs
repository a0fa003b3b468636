//! Draws the picture of the README from the results of the scenario `ball-on-incline`: the ball every 50 ms, with its
//! path and the slope.
//!
//! `cargo run --release -p fender-cli --example picture -- results/ball-on-incline-1 book/src/ball-on-incline.svg`

use fender_run::Folder;
use std::fmt::Write;

/// Slope of the scenario: unit normal and distance of the plane from the origin [m].
const NORMAL: (f64, f64) = (0.342_020_143_325_668_7, 0.939_692_620_785_908_4);
const OFFSET: f64 = 0.4;
const RADIUS: f64 = 0.1;
/// Time between two pictures of the ball [s].
const FLASH: f64 = 0.05;
/// Pixels per metre.
const SCALE: f64 = 100.0;
/// What is shown [m].
const LEFT: f64 = -0.9;
const RIGHT: f64 = 5.6;
const TOP: f64 = 2.2;
const BOTTOM: f64 = -1.9;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [results, picture] = arguments.as_slice() else {
        return Err("usage: picture RESULTS_FOLDER SVG_FILE".into());
    };
    let table = Folder { path: results.into() }.table("signals").map_err(|e| e.to_string())?;
    let series = |name: &str| table.series(name).ok_or_else(|| format!("{results} has no signal {name}"));
    let (x, z) = (series("ball.position.x")?, series("ball.position.z")?);
    let points: Vec<(f64, f64, f64)> = x.iter().zip(&z).map(|((t, x), (_, z))| (*t, *x, *z)).collect();
    std::fs::write(picture, draw(&points)).map_err(|e| format!("{picture}: {e}"))
}

fn draw(points: &[(f64, f64, f64)]) -> String {
    let px = |x: f64| (x - LEFT) * SCALE;
    let py = |z: f64| (TOP - z) * SCALE;
    let (width, height) = (px(RIGHT), py(BOTTOM));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         aria-label=\"A ball is thrown against a slope, bounces and rolls away\">\n<style>\n\
         .paper{{fill:#fff}}.slope{{fill:#e4e8ed;stroke:#5b6675}}.path{{fill:none;stroke:#0072b2;stroke-width:1.5}}\
         .ball{{fill:#0072b2;fill-opacity:.16;stroke:#0072b2;stroke-width:1}}.text{{font:13px system-ui,sans-serif;fill:#1c2430}}\n\
         @media(prefers-color-scheme:dark){{.paper{{fill:#12161c}}.slope{{fill:#232a34;stroke:#9aa5b4}}\
         .path,.ball{{stroke:#56b4e9}}.ball{{fill:#56b4e9}}.text{{fill:#e6e9ee}}}}\n</style>\n\
         <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n"
    );
    // The slope, down to the bottom of the picture.
    let surface = |x: f64| (OFFSET - NORMAL.0 * x) / NORMAL.1;
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<path class=\"slope\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {height:.1}L{:.1} {height:.1}Z\"/>",
        px(LEFT),
        py(surface(LEFT)),
        px(RIGHT),
        py(surface(RIGHT)),
        px(RIGHT),
        px(LEFT)
    );
    let shown = || points.iter().filter(|(_, x, _)| *x < RIGHT + RADIUS);
    let mut flash = 0.0;
    for (t, x, z) in shown() {
        if *t >= flash - 1e-9 {
            let _ = writeln!(
                svg,
                "<circle class=\"ball\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"/>",
                px(*x),
                py(*z),
                RADIUS * SCALE
            );
            flash += FLASH;
        }
    }
    let path: Vec<String> = shown().map(|(_, x, z)| format!("{:.1} {:.1}", px(*x), py(*z))).collect();
    let _ = writeln!(svg, "<path class=\"path\" d=\"M{}\"/>", path.join("L"));
    let _ = writeln!(
        svg,
        "<text class=\"text\" x=\"16\" y=\"{:.0}\">ball-on-incline: every 50 ms; e = 0.5, μ = 0.4, slope 20°</text>\n</svg>",
        height - 16.0
    );
    svg
}
