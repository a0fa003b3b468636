//! The tests step: builds every test program, then runs each test as a process of its own, as many at a time as
//! there are cores. So all cores are busy to the end whatever program a test is in, and the time of each test is
//! known.

use crate::fender::Fender;
use crate::workspace::{capture, cargo, read, target, write};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What the list of the slowest tests begins with. It is shown also when all of them pass.
pub const SLOWEST: &str = "slowest tests:";
/// How many of them are listed.
const LISTED: usize = 20;

/// A test program that cargo has built.
struct Program {
    /// Package and kind of target: `fender-geom all`.
    name: String,
    executable: PathBuf,
    /// Where cargo would run it: the folder of its package.
    folder: PathBuf,
}

/// One test of a program.
struct Test<'a> {
    program: &'a Program,
    name: String,
}

impl Test<'_> {
    /// Name for people, and under which its time is noted.
    fn full_name(&self) -> String {
        format!("{} {}", self.program.name, self.name)
    }
}

/// How one test ended.
struct Outcome {
    verdict: Verdict,
    seconds: f64,
    output: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Ignored,
}

/// Runs all tests. The answer has a result line like that of a test program, and the slowest tests.
pub fn run(long: bool) -> Result<String, String> {
    let programs = build()?;
    let mut tests = Vec::new();
    for program in &programs {
        let listed = capture(program.command().args(["--list", "--format", "terse"]))?;
        tests.extend(names(&listed).map(|name| Test { program, name }));
    }
    // The longest of the last run first, so that none is left over while other cores are idle.
    let noted = target().join("test-times.json");
    let known: BTreeMap<String, f64> =
        read(&noted).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let expected = |test: &Test<'_>| known.get(&test.full_name()).copied().unwrap_or(f64::INFINITY);
    tests.sort_by(|a, b| expected(b).total_cmp(&expected(a)));

    let begin = Instant::now();
    let outcomes = run_all(&tests, long);
    let seconds = begin.elapsed().as_secs_f64();
    if !long {
        let times: BTreeMap<_, _> =
            tests.iter().zip(&outcomes).map(|(test, outcome)| (test.full_name(), outcome.seconds)).collect();
        let text = serde_json::to_string_pretty(&times).map_err(|e| e.to_string())?;
        write(&noted, &text)?;
    }
    let text = report(&tests, &outcomes, seconds);
    if outcomes.iter().any(|outcome| outcome.verdict == Verdict::Failed) { Err(text) } else { Ok(text) }
}

/// Builds the test programs and says where they are.
fn build() -> Result<Vec<Program>, String> {
    let mut build = cargo(&["test", "--release", "--workspace", "--lib", "--bins", "--tests", "--no-run"]);
    // Messages of the compiler for people go to the other stream.
    let output = build.arg("--message-format=json-render-diagnostics").output();
    let output = output.map_err(|e| format!("{build:?} cannot be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("{build:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    if let Some(path) = messages.lines().find_map(command) {
        Fender::is_tested(path);
    }
    let programs: Vec<_> = messages.lines().filter_map(program).collect();
    if programs.is_empty() { Err("cargo has built no test program".into()) } else { Ok(programs) }
}

/// Path of the `fender` command, from the message of cargo that tells of it.
fn command(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_it = message["reason"] == "compiler-artifact"
        && message["profile"]["test"] == false
        && message["target"]["name"] == "fender"
        && message["target"]["kind"][0] == "bin";
    if is_it { message["executable"].as_str().map(PathBuf::from) } else { None }
}

/// The test program that a message of cargo tells of.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let executable = PathBuf::from(message["executable"].as_str()?);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = message["target"]["name"].as_str()?;
    let kind = message["target"]["kind"][0].as_str()?;
    let name = match kind {
        "test" if target == "all" => package,
        "test" => format!("{package} {target}"),
        kind => format!("{package} {kind} {target}"),
    };
    Some(Program { name, executable, folder })
}

impl Program {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }
}

/// Names of tests in a list that `--list --format terse` printed: `module::name: test`.
fn names(listed: &str) -> impl Iterator<Item = String> {
    listed.lines().filter_map(|line| line.strip_suffix(": test").map(String::from))
}

/// Runs the tests in order, as many at a time as there are cores.
fn run_all(tests: &[Test<'_>], long: bool) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(tests.iter().map(|_| None).collect());
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(place) else { break };
            let outcome = run_one(test, long);
            if let Ok(mut outcomes) = outcomes.lock() {
                outcomes[place] = Some(outcome);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let lost =
        || Outcome { verdict: Verdict::Failed, seconds: 0.0, output: "the test runner has failed".into() };
    let outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(lost)).collect()
}

fn run_one(test: &Test<'_>, long: bool) -> Outcome {
    let mut command = test.program.command();
    command.args(["--exact", &test.name]).env("NO_COLOR", "1");
    if long {
        command.env("FENDER_LONG", "1");
    }
    let begin = Instant::now();
    let done = capture(&mut command);
    let seconds = begin.elapsed().as_secs_f64();
    let verdict = verdict(&done);
    let (Ok(output) | Err(output)) = done;
    Outcome { verdict, seconds, output }
}

/// Passed only if the program says that the one test has run: a name that matches none is no success.
fn verdict(done: &Result<String, String>) -> Verdict {
    match done {
        Ok(output) if output.contains("test result: ok. 1 passed") => Verdict::Passed,
        Ok(output) if output.contains("test result: ok. 0 passed; 0 failed; 1 ignored") => Verdict::Ignored,
        _ => Verdict::Failed,
    }
}

/// Output of the tests that failed, one result line for all of them, and the slowest.
fn report(tests: &[Test<'_>], outcomes: &[Outcome], seconds: f64) -> String {
    let mut text = String::new();
    let counted = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    for (test, outcome) in tests.iter().zip(outcomes) {
        if outcome.verdict == Verdict::Failed {
            // Result lines of single tests are left out: they would be counted again.
            let lines = outcome.output.lines().filter(|line| !line.starts_with("test result: "));
            let lines: Vec<_> = lines.collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "---- {} ----\n{}\n", test.full_name(), lines.join("\n"));
        }
    }
    let failed = counted(Verdict::Failed);
    let _ = writeln!(
        text,
        "test result: {}. {} passed; {failed} failed; {} ignored; finished in {seconds:.1} s",
        if failed == 0 { "ok" } else { "FAILED" },
        counted(Verdict::Passed),
        counted(Verdict::Ignored),
    );
    let mut slowest: Vec<_> = tests.iter().zip(outcomes).collect();
    slowest.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
    let sum: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    let _ = writeln!(text, "{SLOWEST} (all together {sum:.1} s)");
    for (test, outcome) in slowest.into_iter().take(LISTED) {
        let _ = writeln!(text, "  {:7.1} s  {}", outcome.seconds, test.full_name());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Program {
        Program { name: "fender-x".into(), executable: "x".into(), folder: ".".into() }
    }

    #[test]
    fn programs_are_found_in_messages_of_cargo() {
        let message = r#"{"reason":"compiler-artifact","manifest_path":"/w/crates/fender-x/Cargo.toml",
            "target":{"kind":["test"],"name":"all"},"profile":{"test":true},"executable":"/w/target/all-1"}"#;
        let found = program(message).expect("it is one");
        assert_eq!(found.name, "fender-x");
        assert_eq!(found.folder, Path::new("/w/crates/fender-x"));
        assert!(program(&message.replace("\"test\":true", "\"test\":false")).is_none());
        assert!(program(&message.replace("\"/w/target/all-1\"", "null")).is_none());
        assert!(command(message).is_none());
        let bin = r#"{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"fender"},
            "profile":{"test":false},"executable":"/w/target/release/fender"}"#;
        assert_eq!(command(bin), Some("/w/target/release/fender".into()));
    }

    #[test]
    fn a_test_passes_only_if_it_has_run() {
        let said = |text: &str| verdict(&Ok(text.into()));
        assert_eq!(said("test result: ok. 1 passed; 0 failed; 0 ignored"), Verdict::Passed);
        assert_eq!(said("test result: ok. 0 passed; 0 failed; 1 ignored"), Verdict::Ignored);
        assert_eq!(said("test result: ok. 0 passed; 0 failed; 0 ignored"), Verdict::Failed);
        assert_eq!(verdict(&Err("test result: FAILED. 0 passed; 1 failed".into())), Verdict::Failed);
        assert_eq!(names("a::b: test\nc: benchmark\n\n").collect::<Vec<_>>(), ["a::b"]);
    }

    #[test]
    fn a_report_shows_failures_and_counts_each_test_once() {
        let program = sample();
        let tests = ["a", "b", "c"].map(|name| Test { program: &program, name: name.into() });
        let outcome = |verdict, seconds, output: &str| Outcome { verdict, seconds, output: output.into() };
        let outcomes = [
            outcome(Verdict::Passed, 1.0, "test result: ok. 1 passed"),
            outcome(Verdict::Failed, 3.0, "a reason\ntest result: FAILED. 0 passed; 1 failed"),
            outcome(Verdict::Ignored, 0.0, ""),
        ];
        let text = report(&tests, &outcomes, 2.0);
        assert!(text.starts_with("---- fender-x b ----\na reason\n\n"), "{text}");
        assert!(text.contains("test result: FAILED. 1 passed; 1 failed; 1 ignored"), "{text}");
        assert_eq!(text.matches("test result: ").count(), 1, "{text}");
        let list = &text[text.find(SLOWEST).expect("it is there")..];
        assert!(list.find("fender-x b") < list.find("fender-x a"), "{text}");
    }
}
