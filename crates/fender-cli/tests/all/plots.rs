//! Plots of results folders: in the terminal, as SVG and as PNG.

use crate::common::{fender, folder, run, scenario};
use std::path::Path;

/// A folder with a run in `results/ball-1`.
fn with_run() -> tempfile::TempDir {
    let dir = folder();
    scenario(dir.path(), &[]);
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    dir
}

const RUN: &str = "results/ball-1";

/// Standard output as it is.
fn plot(folder: &Path, arguments: &[&str]) -> String {
    let output = fender(folder).arg("plot").args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

#[test]
fn a_plot_in_the_terminal() {
    let dir = with_run();
    let text = plot(dir.path(), &[RUN, "ball.position.z", "energy.kinetic"]);
    for part in ["Ball on a floor", "position [m]", "0.5 ┤", "kinetic [J]", "time [s]", "── ball.position.z"]
    {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    // Not a terminal: 80 characters and no colours, whatever NO_COLOR says.
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let output = fender(dir.path()).env_remove("NO_COLOR").args(["plot", RUN, "ball.position"]).output();
    assert!(!output.expect("it runs").stdout.contains(&0x1b));
}

#[test]
fn pictures() {
    let dir = with_run();
    let png = |name: &str, more: &[&str]| {
        let arguments = [&[RUN, "ball.position", "ball.velocity.z", "--out", name], more].concat();
        assert!(plot(dir.path(), &arguments).contains(&format!("wrote {name}")));
        std::fs::read(dir.path().join(name)).expect("it was written")
    };
    let size = |png: &[u8]| {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        [16, 20].map(|at| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]))
    };
    let light = png("a.png", &[]);
    assert_eq!(size(&light), [1280, 1040]);
    assert_eq!(size(&png("b.PNG", &["--size", "800x600"])), [800, 600]);
    assert_ne!(png("c.png", &["--dark"]), light);
    assert_eq!(png("d.png", &[]), light, "the same bytes each time");
    let svg = String::from_utf8(png("e.svg", &["--size", "640x400"])).expect("it is text");
    assert!(
        svg.starts_with("<svg") && svg.contains("viewBox=\"0 0 640 400\"") && svg.contains("velocity [m/s]")
    );
    assert!(!dir.path().join("a.png.tmp").exists());
}

#[test]
fn a_span_of_time_and_another_run() {
    let dir = with_run();
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--quiet", "--set", "height=0.6 m"]);
    assert_eq!(code, 0, "{text}");
    let text = plot(
        dir.path(),
        &[RUN, "ball.position.z", "--with", "results/ball-2", "--from", "100 ms", "--to", "0.2"],
    );
    assert!(
        text.contains("a ── ball.position.z (ball-1)") && text.contains("b ╌╌ ball.position.z (ball-2)"),
        "{text}"
    );
    let axis =
        text.lines().find(|line| line.trim_start().starts_with("0.1")).unwrap_or_else(|| panic!("{text}"));
    assert!(axis.trim_end().ends_with("0.2"), "{text}");
}

#[test]
fn an_unfinished_run_can_be_plotted() {
    let dir = with_run();
    let folder = dir.path().join(RUN);
    // As a run that was cut leaves it.
    std::fs::create_dir(folder.join("signals")).expect("it can be made");
    std::fs::rename(folder.join("signals.parquet"), folder.join("signals/part-00001.parquet"))
        .expect("it can be moved");
    std::fs::remove_file(folder.join("summary.json")).expect("it can be removed");
    let text = plot(dir.path(), &[RUN, "ball.position.z"]);
    assert!(text.starts_with("ball-1\n"), "{text}");
}

#[test]
fn what_is_wrong_is_said() {
    let dir = with_run();
    for (arguments, parts) in [
        (
            &[RUN, "ball.positon.z"][..],
            &["no signal `ball.positon.z` was recorded", "did you mean `ball.position.z`?"][..],
        ),
        (&[RUN, "*.mass"], &["no signal `*.mass` was recorded", "recorded signals:"]),
        (&[RUN, "ball.*", "--out", "x.pdf"], &["x.pdf", ".svg or .png"]),
        (&[RUN, "ball.*", "--out", "x"], &["'x'", ".svg or .png"]),
        (&[RUN, "ball.*", "--from", "9"], &["no samples", "span of time"]),
        (&[RUN, "ball.*", "--from", "1 kg"], &["expected a time"]),
        (&[RUN, "ball.*", "--out", "x.png", "--size", "12"], &["1280x640"]),
        (&[RUN, "ball.*", "--out", "x.png", "--size", "99999x10"], &["at least 100"]),
        (&["results", "ball.*"], &["'results' holds no run"]),
        (&["nowhere", "ball.*"], &["'nowhere' holds no run"]),
        (&[RUN], &["<SIGNAL>"]),
    ] {
        let (code, text) = run(dir.path(), &[&["plot"], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{arguments:?}: no '{part}' in: {text}");
        }
    }
    let (code, text) = run(dir.path(), &["plot", RUN, "ball.*", "--out", "no/such/x.png"]);
    assert_eq!(code, 4, "{text}");
}
