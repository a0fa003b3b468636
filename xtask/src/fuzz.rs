//! `cargo xtask fuzz`: contents that a fuzzer invents for mesh files, from the kept corpus on.
//!
//! What is checked is in `crates/fender-geom/tests/all/any_file/check.rs`, which the ordinary tests call with the corpus. An input that
//! fails is kept in `fuzz/artifacts`; once mended it belongs into `fuzz/corpus`, with a name that says what it is.

use crate::workspace::{capture, cargo, root, target};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "mesh_files";
/// The version that this was written for.
const CARGO_FUZZ: &str = "0.13.2";
/// Seconds, unless told.
pub const USUAL: u32 = 60;
/// Most bytes of an input: room for a mesh, and quick.
const LONGEST: &str = "-max_len=8192";
/// An input that takes longer [s] or more memory [MB] than this is a failure.
const LIMITS: [&str; 3] = ["-timeout=10", "-rss_limit_mb=1500", "-malloc_limit_mb=800"];

/// Fuzzes for so many seconds and answers how many inputs were tried.
pub fn run(seconds: u32) -> Result<String, String> {
    let program = cargo_fuzz()?;
    let found = target().join("fuzz/corpus").join(TARGET);
    std::fs::create_dir_all(&found).map_err(|e| format!("{}: {e}", found.display()))?;
    let kept = root().join("fuzz/corpus").join(TARGET);
    let mut fuzz = cargo_fuzz_command(&program, "run");
    // New inputs go into the first folder, below `target`; the kept corpus is only read.
    fuzz.arg(TARGET).arg(&found).arg(&kept).arg("--").arg(LONGEST).args(LIMITS);
    fuzz.args([format!("-max_total_time={seconds}"), "-print_final_stats=1".into()]);
    let output = capture(&mut fuzz)?;
    let number = |key: &str| {
        let line = output.lines().rev().find_map(|line| line.trim().strip_prefix(key));
        line.map_or("?", str::trim).to_owned()
    };
    let (tried, memory) = (number("stat::number_of_executed_units:"), number("stat::peak_rss_mb:"));
    Ok(format!("{tried} inputs in {seconds} s, none of which fails; at most {memory} MB of memory"))
}

/// `cargo fuzz` in the folder `fuzz`. It needs the compiler's instruments, which stable releases have but do not promise.
fn cargo_fuzz_command(program: &Path, verb: &str) -> Command {
    let mut command = Command::new(program);
    // Without an address sanitizer: nothing that reads files is unsafe code, and it is twice as fast.
    command.args(["fuzz", verb, "--fuzz-dir"]).arg(root().join("fuzz")).args(["--sanitizer", "none"]);
    command.current_dir(root()).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", target().join("fuzz"));
    command.stdin(std::process::Stdio::null());
    command
}

/// The program, installed below `target` if the machine has none.
fn cargo_fuzz() -> Result<PathBuf, String> {
    let works = |path: &Path| capture(Command::new(path).args(["fuzz", "--version"])).is_ok();
    let place = target().join("tools");
    let own = place.join("bin/cargo-fuzz");
    for program in [PathBuf::from("cargo-fuzz"), own.clone()] {
        if works(&program) {
            return Ok(program);
        }
    }
    let mut install = cargo(&["install", "--locked", "--version", CARGO_FUZZ, "cargo-fuzz", "--root"]);
    capture(install.arg(&place))?;
    Ok(own)
}
