//! What the tests of the command share.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command, in a folder.
pub fn fender(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fender"));
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
    command
}

/// Runs the command and gives its exit code and all that it wrote, with the lines joined: messages are wrapped.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = fender(folder).args(arguments).output().expect("the command can be started");
    (code(&output), flat(&output))
}

/// Exit code; −1 after a signal.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// Standard output and error with frames and line breaks removed.
pub fn flat(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text).replace(['│', '├', '╰', '╭', '─', '▶'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An empty folder that is gone at the end.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// Writes a file.
pub fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Reads a JSON file.
pub fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", path.display()))
}

/// What the report in a results folder shows.
pub fn shown(out: &Path) -> fender_run::stream::Stream {
    let html = std::fs::read_to_string(out.join("report.html")).expect("the report was written");
    let streams = fender_run::report::streams_in(&html);
    assert_eq!(streams.len(), 1, "one run is in the page");
    fender_run::stream::read(&streams[0].1).expect("it is a stream")
}

/// A small scenario that runs.
pub const BALL: &str = r#"format = 1
title = "Ball on a floor"

[parameter]
height = "0.5 m"

[run]
duration = "0.5 s"
integrator.rk4 = { step = "0.1 ms" }

[material.rubber]
density = "1100 kg/m^3"

[body.ball]
shape.sphere = { radius = "0.1 m" }
mass = "2 kg"
material = "rubber"
position = [0, 0, "$height"]

[body.floor]
fixed = true
shape.half_space = { normal = [0, 0, 1] }
material = "rubber"

[[contact]]
between = ["rubber", "rubber"]
normal.hertz = { stiffness = 1e6, restitution = 0.5 }
friction.coulomb = { coefficient = 0.4 }
"#;

/// Writes the small scenario with some text replaced; the text must be there.
pub fn scenario(folder: &Path, changes: &[(&str, &str)]) -> PathBuf {
    let mut text = BALL.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "the scenario has no {from}");
        text = text.replacen(from, to, 1);
    }
    let path = folder.join("ball.toml");
    write(&path, &text);
    path
}
