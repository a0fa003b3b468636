//! Plots of odd and of long data, on every canvas.

use super::axis::Axis;
use super::canvas::Canvas;
use super::signals::MOST_LINES;
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
fn texts_are_escaped() {
    let svg = plot(vec![(0.0, 0.0), (1.0, 1.0)]).svg();
    assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y"));
}

#[test]
fn marks_have_the_colour_of_their_line() {
    let line = |look| Line { label: "a".into(), points: vec![(0.0, 1.0)], look };
    let lines = [Look::Line, Look::Marks, Look::Line, Look::Marks, Look::Dashed].map(line).to_vec();
    let plot = Plot { lines, ..plot(vec![]) };
    let colours: Vec<usize> = draw::pens(&plot).iter().map(|pen| pen.colour).collect();
    assert_eq!(colours, [0, 0, 1, 1, 2]);
}

/// Of one run, or of two.
#[test]
fn lines_of_one_colour_differ_in_their_dashes() {
    for looks in [[Look::Line, Look::Line], [Look::Line, Look::Dashed]] {
        let line = |i: usize| Line {
            label: format!("signal {i}"),
            points: vec![(0.0, 1.0), (1.0, 2.0)],
            look: looks[i % 2],
        };
        let plot = Plot { lines: (0..MOST_LINES).map(line).collect(), ..plot(vec![]) };
        let pens = draw::pens(&plot);
        for (i, pen) in pens.iter().enumerate() {
            let same = pens.iter().filter(|p| p.colour == pen.colour && p.dash.lengths == pen.dash.lengths);
            assert_eq!(same.count(), 1, "{i}: {pen:?}");
            assert_eq!(
                pens.iter().filter(|p| p.colour == pen.colour && p.dash.key == pen.dash.key).count(),
                1
            );
        }
        // Each has its pattern in the plot and in the legend, on a page as in a file.
        let figure = Figure { plots: vec![plot.clone()] };
        for svg in [plot.svg(), figure.svg(figure.usual_size(), Theme::LIGHT).unwrap()] {
            for pen in pens.iter().filter(|pen| !pen.dash.lengths.is_empty()) {
                let lengths: Vec<String> = pen.dash.lengths.iter().map(f64::to_string).collect();
                let attribute = format!("stroke-dasharray=\"{}\"", lengths.join(" "));
                let alike = pens.iter().filter(|p| p.dash == pen.dash).count();
                assert_eq!(svg.matches(&attribute).count(), 2 * alike, "{attribute}");
            }
        }
        let text = figure.text(Screen { width: 80, rows: 12, colour: false });
        assert!(text.contains("i ·· signal 8") && text.contains("q ─· signal 16"), "{text}");
    }
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
    let axis = Axis::new(plot.lines[0].points.iter().map(|p| p.0), 70.0, 586.0, false, 7.0);
    let thinned = draw::thin(&plot.lines[0].points, &axis);
    assert!(thinned.len() < 3000);
    assert!(thinned.contains(&(54_321.0, 9.0)));
    assert!(plot.svg().len() < 60_000);
}

fn figure() -> Figure {
    let wave =
        |a: f64| (0..200).map(|i| (f64::from(i) * 0.01, a * (f64::from(i) * 0.1).sin())).collect::<Vec<_>>();
    let mut two = plot(wave(1.0));
    two.lines.push(Line { label: "dashed".into(), points: wave(0.5), look: Look::Dashed });
    let below = Plot { title: String::new(), y_label: "[N]".into(), ..plot(wave(1e5)) };
    Figure { plots: vec![two, below] }
}

#[test]
fn a_file_for_papers_has_its_colours_in_it() {
    let svg = figure().svg((800, 600), Theme::LIGHT).unwrap();
    assert!(
        svg.starts_with("<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 480\"")
    );
    assert!(
        svg.contains("stroke=\"#0072b2\"")
            && svg.contains("stroke-dasharray=\"5 4\"")
            && !svg.contains("var(")
    );
    // The axis that is shared has its numbers once.
    assert_eq!(svg.matches("time [s]").count(), 1);
    assert!(figure().svg((800, 600), Theme::DARK).unwrap().contains("fill=\"#12161c\""));
}

/// The picture, and how many of its pixels have a colour.
fn pixels(size: (u32, u32), theme: Theme, rgb: u32) -> (tiny_skia::Pixmap, usize) {
    let bytes = figure().png(size, theme).unwrap();
    let picture = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
    let [_, r, g, b] = rgb.to_be_bytes();
    let count = picture.pixels().iter().filter(|p| (p.red(), p.green(), p.blue()) == (r, g, b)).count();
    (picture, count)
}

#[test]
fn a_picture_has_lines_and_text_in_the_colours_of_its_theme() {
    for theme in [Theme::LIGHT, Theme::DARK] {
        let (picture, line) = pixels((1280, 1040), theme, theme.series[0]);
        assert_eq!((picture.width(), picture.height()), (1280, 1040));
        assert!(line > 2000, "{line}");
        let (_, dashed) = pixels((1280, 1040), theme, theme.series[1]);
        assert!(dashed > 300 && dashed < line, "{dashed}");
        let (_, paper) = pixels((1280, 1040), theme, theme.paper);
        assert!(paper > 1_000_000, "{paper}");
        let (_, text) = pixels((1280, 1040), theme, theme.soft);
        assert!(text > 3000, "{text}");
    }
    // The same bytes each time.
    assert_eq!(figure().png((640, 480), Theme::LIGHT), figure().png((640, 480), Theme::LIGHT));
}

#[test]
fn odd_sizes_are_refused_or_drawn() {
    for size in [(0, 10), (10, 0), (1_000_000, 1_000_000), (1, 1), (4000, 20)] {
        assert!(figure().png(size, Theme::LIGHT).is_err(), "{size:?}");
        assert!(figure().svg(size, Theme::LIGHT).is_err(), "{size:?}");
    }
    for points in [vec![], vec![(0.0, 5.0)], vec![(0.0, -1e300), (1.0, 1e300)], vec![(0.0, f64::NAN)]] {
        Figure { plots: vec![plot(points)] }.png((300, 200), Theme::LIGHT).unwrap();
    }
}

/// Long labels of y axes would reach into each other, many lines would leave no room below their legend.
#[test]
fn a_picture_has_room_for_labels_and_legends() {
    let label = "angular velocity [rad/s]";
    let tall = Plot { y_label: label.into(), ..plot(vec![(0.0, 0.0), (1.0, 1.0)]) };
    let line = |i: usize| Line { label: format!("a signal with a long name {i}"), ..tall.lines[0].clone() };
    let many = Plot { lines: (0..MOST_LINES).map(line).collect(), ..tall.clone() };
    for plots in [vec![tall.clone(), tall.clone(), tall], vec![many]] {
        let figure = Figure { plots };
        let refusal = figure.svg((640, 200), Theme::LIGHT).unwrap_err();
        let least: u32 =
            refusal.split_once("take 640x").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert!(figure.svg((640, least - 1), Theme::LIGHT).is_err(), "{refusal}");
        let svg = figure.svg((640, least), Theme::LIGHT).unwrap();
        // The middles of the labels, at the left: `translate(13.0 y)`.
        let middles: Vec<f64> = svg
            .split("translate(13.0 ")
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap().parse().unwrap())
            .collect();
        let half = 0.5 * font::width(label, canvas::LABEL_SIZE);
        let ends = middles.iter().flat_map(|middle| [middle - half, middle + half]);
        let ends: Vec<f64> = std::iter::once(0.0).chain(ends).chain([f64::from(least)]).collect();
        assert!(ends.is_sorted(), "{ends:?}");
        let usual = figure.usual_size();
        assert!(figure.png(usual, Theme::LIGHT).is_ok(), "{usual:?}");
    }
}

#[test]
fn a_terminal_shows_dots_numbers_and_letters() {
    let screen = Screen { width: 60, rows: 8, colour: false };
    let text = figure().text(screen);
    assert!(!text.contains('\x1b'));
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    assert!(text.contains("a ── x & y   b ╌╌ dashed"), "{text}");
    assert!(
        text.contains("time [s]") && text.contains(" 100 ┤") && text.contains("[kN]") && text.contains("└"),
        "{text}"
    );
    let dots = text.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).count();
    assert!(dots > 100, "{text}");
    let coloured = figure().text(Screen { colour: true, ..screen });
    assert!(coloured.contains("\x1b[38;5;32m") && coloured.contains("\x1b[38;5;208mb ╌╌ dashed\x1b[0m"));
}

#[test]
fn odd_data_on_a_terminal() {
    for points in
        [vec![], vec![(0.0, 5.0)], vec![(0.0, -1e300), (1.0, 1e300)], vec![(0.0, f64::NAN), (1.0, 1.0)]]
    {
        for width in [0, 10, 200] {
            let text =
                Figure { plots: vec![plot(points.clone())] }.text(Screen { width, rows: 0, colour: true });
            assert!(text.contains("time [s]"));
        }
    }
}

#[test]
fn a_straight_line_is_straight_in_dots() {
    let text = Figure { plots: vec![plot(vec![(0.0, 0.0), (1.0, 1.0)])] }.text(Screen {
        width: 34,
        rows: 5,
        colour: false,
    });
    let rows: Vec<&str> = text.lines().filter(|l| l.contains('│') || l.contains('┤')).collect();
    let starts: Vec<usize> = rows
        .iter()
        .map(|r| r.chars().position(|c| ('\u{2801}'..='\u{28ff}').contains(&c)).unwrap())
        .collect();
    assert_eq!(rows.len(), 5);
    assert!(starts.windows(2).all(|pair| pair[0] > pair[1]), "{text}");
}

/// Labels of an SVG with their places, and by how much they are long.
fn labels(svg: &str) -> Vec<(f64, String, String)> {
    let one = |text: &str| {
        let (tag, rest) = text.split_once('>')?;
        let x = tag.split("x=\"").nth(1)?.split('"').next()?.parse().ok()?;
        Some((x, tag.to_owned(), rest.split('<').next()?.to_owned()))
    };
    svg.split("<text").skip(1).filter_map(one).collect()
}

#[test]
fn large_quantities_have_units_with_prefixes() {
    let mut force = plot(vec![(0.0, 0.0), (1.0, 3.1e6)]);
    force.y_label = "force [N]".into();
    let figure = Figure { plots: vec![force] };
    let svg = figure.svg(figure.usual_size(), Theme::LIGHT).unwrap();
    assert!(svg.contains("force [MN]") && svg.contains(">3<") && !svg.contains("e6"), "{svg}");
    let text = figure.text(Screen { width: 80, rows: 12, colour: false });
    assert!(text.contains("force [MN]") && !text.contains("e6"), "{text}");
}

#[test]
fn no_text_is_cut_and_numbers_keep_off_the_label() {
    let name = "contact.floor-a_body_with_a_very_long_name.".repeat(4);
    let mut odd = plot(vec![(0.0, -0.000_123_457), (123_456.0, -0.000_123_456)]);
    odd.lines[0].label.clone_from(&name);
    let figure = Figure { plots: vec![odd] };
    let canvas = svg::Svg::new(Some(Theme::LIGHT));
    let picture = figure.svg((640, 320), Theme::LIGHT).unwrap();
    for (x, tag, text) in labels(&picture) {
        let width = canvas.label_width(&text);
        let (from, to) = match () {
            () if tag.contains("middle") => (x - 0.5 * width, x + 0.5 * width),
            () if tag.contains("end") => (x - width, x),
            () => (x, x + width),
        };
        // The label of the y axis is turned, at the left edge.
        let least = if tag.contains("rotate") { continue } else { 18.0 };
        assert!(from >= least && to <= 640.0, "{text}: {from} to {to}");
    }
    assert!(picture.contains('…'));
}

#[test]
fn a_thinned_line_leaves_each_column_where_it_enters_the_next() {
    let points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), (f64::from(i) * 0.7).sin())).collect();
    let axis = Axis::new(points.iter().map(|p| p.0), 70.0, 586.0, false, 7.0);
    let thinned = draw::thin(&points, &axis);
    // 1032 half points: of each the first and the last are kept.
    let across = thinned.windows(2).filter(|w| w[1].0 - w[0].0 == 1.0).count();
    assert!(thinned.len() < 5000 && across >= 1000, "{} {across}", thinned.len());
}
