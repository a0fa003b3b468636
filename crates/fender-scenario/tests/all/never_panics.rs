//! Thousands of damaged files and overrides: each is loaded or refused, and every refusal can be shown.

use fender_scenario::{Assets, Override, load_str};
use miette::Diagnostic as _;

const FILES: [&str; 5] = [
    include_str!("../data/ball-on-incline.toml"),
    include_str!("../data/everything.toml"),
    include_str!("../data/shapes.toml"),
    include_str!("../data/changes.toml"),
    include_str!("../data/cables.toml"),
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

fn assets() -> Assets {
    Assets::Embedded(vec![
        ("arm.csv".into(), include_bytes!("../data/arm.csv")),
        ("gust.csv".into(), include_bytes!("../data/gust.csv")),
        ("tip.stl".into(), include_bytes!("../data/tip.stl")),
        ("meshes/wedge.obj".into(), include_bytes!("../data/meshes/wedge.obj")),
        ("meshes/wedge.mtl".into(), include_bytes!("../data/meshes/wedge.mtl")),
    ])
}

fn load(text: &str, overrides: &[Override]) -> bool {
    match load_str("t", text, &assets(), overrides) {
        Ok(scenario) => {
            let again = load_str("t", &scenario.expanded, &assets(), &[]);
            let again = again.unwrap_or_else(|e| panic!("{e}\n{text}\n{}", scenario.expanded));
            assert_eq!(again.hash, scenario.hash, "{text}");
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if let Some(source) = error.source_code() {
                for label in error.labels().into_iter().flatten() {
                    assert!(source.read_span(label.inner(), 1, 1).is_ok(), "{error}\n{text}");
                }
            }
            false
        }
    }
}

/// Pieces that are likely to upset a reader.
const PIECES: [&str; 34] = [
    "",
    " ",
    "\n",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "-",
    "0",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "\"$\"",
    "\"-$g\"",
    "\"$size\"",
    "\"1 m\"",
    "\"1 kg\"",
    "\"µ\"",
    "é",
    "[]",
    "{}",
    "true",
    "99999999999999999999",
    "[[",
    "]]",
    "1979-05-27",
    "\u{feff}",
];

#[test]
fn damaged_files() {
    let mut random = Random(0x5eed);
    let mut fine = 0;
    for round in 0..4_000 {
        let mut text = FILES[round % FILES.len()].to_owned();
        for _ in 0..=random.below(3) {
            let boundaries: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            if boundaries.is_empty() {
                break;
            }
            let from = boundaries[random.below(boundaries.len())];
            let rest = text[from..].char_indices().map(|(i, c)| from + i + c.len_utf8());
            let to = rest.take(random.below(8)).last().unwrap_or(from);
            text.replace_range(from..to, PIECES[random.below(PIECES.len())]);
        }
        fine += usize::from(load(&text, &[]));
    }
    assert!(
        fine > 30,
        "the damage must leave some files whole, or nothing behind the parser is tried: {fine}"
    );
}

/// Values are replaced whole, so that the files stay TOML and the later stages get the trouble.
#[test]
fn damaged_values() {
    let mut random = Random(0xfeed);
    let mut fine = 0;
    for round in 0..4_000 {
        let mut lines: Vec<String> = FILES[round % FILES.len()].lines().map(String::from).collect();
        for _ in 0..=random.below(2) {
            let at = random.below(lines.len());
            match random.below(4) {
                0 => {
                    lines.remove(at);
                }
                1 => {
                    let copy = lines[random.below(lines.len())].clone();
                    lines.insert(at, copy);
                }
                _ => {
                    if let Some((key, value)) = lines[at].clone().split_once('=') {
                        // One of the numbers, or all of the value.
                        let piece = PIECES[random.below(PIECES.len())];
                        let digits: Vec<usize> =
                            value.match_indices(|c: char| c.is_ascii_digit()).map(|(i, _)| i).collect();
                        let value = match digits.get(random.below(digits.len())) {
                            Some(i) if random.below(3) > 0 => {
                                format!("{}{piece}{}", &value[..*i], &value[i + 1..])
                            }
                            _ => piece.to_string(),
                        };
                        lines[at] = format!("{key}={value}");
                    }
                }
            }
        }
        fine += usize::from(load(&lines.join("\n"), &[]));
    }
    assert!(fine > 300, "{fine}");
}

#[test]
fn odd_overrides() {
    let mut random = Random(0xbeef);
    let paths = [
        "run",
        "run.duration",
        "body",
        "body.ball",
        "body.ball.shape",
        "body.crate.position[1]",
        "contact[0]",
        "contact.0.normal",
        "parameter",
        "parameter.size",
        "g",
        "format",
        "title",
        "expect[0].at",
        "x",
        "a[",
        "[0]",
        "",
        "body.ball.array.grid.count",
        "record[0].signals[0]",
        "frames.off",
        "force.rope.spring.between",
        "body..x",
        "$schema",
        "body.floor.fixed",
        "ignore[1]",
        "view.above.eye",
        "view.cab",
        "frames.gaps",
        "frames.gaps[0][1]",
        "body.crate.visual",
        "body.crate.visual[1].scale",
        "body.ball.colour",
    ];
    for _ in 0..3_000 {
        let text = FILES[random.below(FILES.len())];
        let set = Override::new(paths[random.below(paths.len())], PIECES[random.below(PIECES.len())]);
        load(text, &[set]);
    }
}

#[test]
fn deep_nesting() {
    load(&format!("format = 1\nx = {}", "[".repeat(100_000)), &[]);
    load(&format!("format = 1\nx = {}1{}", "[".repeat(100_000), "]".repeat(100_000)), &[]);
    load(&format!("format = 1\n{}x = 1", "a.".repeat(50_000)), &[]);
    load(FILES[0], &[Override::new("body.ball.position", "[".repeat(100_000))]);
    load(FILES[0], &[Override::new(format!("run{}", ".a".repeat(100_000)), "1")]);
}
