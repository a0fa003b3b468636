//! `cargo xtask test`: all checks, one line and the time per step.

use crate::workspace::{capture, cargo};
use crate::{book, docs, fuzz, runner, viewer};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// One step: what it is, and what it does. It answers its output, or what went wrong.
type Step = (&'static str, fn(bool) -> Result<String, String>);

/// Lints first, because they are the quickest to say no; everything that needs the built command last.
const STEPS: [Step; 10] = [
    ("format", |_| capture(&mut cargo(&["fmt", "--all", "--check"]))),
    ("lints", |_| {
        let lints =
            ["clippy", "--release", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        capture(&mut cargo(&lints))
    }),
    ("tests", runner::run),
    ("doctests", |_| capture(&mut cargo(&["test", "--release", "--workspace", "--doc", "--no-fail-fast"]))),
    ("api documentation", |_| {
        let mut doc = cargo(&["doc", "--release", "--no-deps", "--quiet"]);
        capture(doc.env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("documentation", |_| docs::check()),
    ("viewer is fresh", |_| viewer::is_fresh()),
    ("viewer", |_| viewer::unit_tests()),
    ("browser", |_| viewer::browser_tests()),
    ("book", |_| book::build()),
];
/// Only with `--long`: it finds something else every time.
const FUZZING: Step = ("fuzzing", |_| fuzz::run(fuzz::USUAL));

/// Runs every step, also after a failure: one look then shows all that is wrong.
pub fn all(long: bool) -> ExitCode {
    let start = Instant::now();
    let mut total = Count::default();
    for (name, step) in STEPS.into_iter().chain(long.then_some(FUZZING)) {
        print!("{name:<20}");
        // A line that does not appear at once is a nuisance, not an error.
        let _ = std::io::stdout().flush();
        let begin = Instant::now();
        let result = step(long);
        let seconds = begin.elapsed().as_secs_f64();
        let text = match &result {
            Ok(text) | Err(text) => text,
        };
        let count = Count::of(text).unwrap_or(Count::one(result.is_ok())).failing_if(result.is_err());
        total.passed += count.passed;
        total.failed += count.failed;
        match &result {
            Ok(text) => {
                println!("ok      {seconds:7.1} s  {count}");
                // Which tests to make quicker is worth knowing while all is well.
                print!("{}", text.find(runner::SLOWEST).map_or("", |at| &text[at..]));
            }
            Err(output) => println!("FAILED  {seconds:7.1} s  {count}\n{output}"),
        }
    }
    println!("all steps           {:>15.1} s", start.elapsed().as_secs_f64());
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many tests passed and failed; a step that is not made of tests counts as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    passed: usize,
    failed: usize,
}

impl Count {
    fn one(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed) }
    }

    /// Sums the result lines of the test harnesses (cargo's, Vitest's, Playwright's); `None` if there are none.
    fn of(output: &str) -> Option<Self> {
        let mut count = None;
        for line in output.lines().map(str::trim_start) {
            // Playwright: "12 passed (30.1s)" and "1 failed", each on a line of its own.
            let bare = line.split_once(' ').is_some_and(|(number, rest)| {
                let word = rest.split(' ').next();
                number.parse::<usize>().is_ok() && matches!(word, Some("passed" | "failed" | "flaky"))
            });
            // Vitest: "Tests  1 failed | 33 passed (34)".
            if !(line.starts_with("test result: ") || line.starts_with("Tests ") || bare) {
                continue;
            }
            let number = |word: &str| {
                let before = line.split_once(word).unwrap_or_default().0;
                before.rsplit(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or_default()
            };
            let sum: &mut Self = count.get_or_insert_default();
            sum.passed += number(" passed") + number(" flaky");
            sum.failed += number(" failed");
        }
        count
    }

    /// A failed step (for instance one that does not compile) has at least one failure.
    fn failing_if(mut self, failed: bool) -> Self {
        if failed {
            self.failed = self.failed.max(1);
        }
        self
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn result_lines_are_summed() {
        let output = "running 2 tests\n\
            test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Count::of(output), Some(Count { passed: 15, failed: 2 }));
        assert_eq!(Count::of(" Tests  1 failed | 33 passed (34)\n"), Some(Count { passed: 33, failed: 1 }));
        let playwright =
            "Running 14 tests using 1 worker\n\n  2 failed\n    report.spec.ts:7:1\n  12 passed (30.1s)\n";
        assert_eq!(Count::of(playwright), Some(Count { passed: 12, failed: 2 }));
        assert_eq!(Count::of("nothing was tested"), None);
    }

    #[test]
    fn a_failed_step_without_result_lines_counts() {
        assert_eq!(Count::one(false).failing_if(true), Count { passed: 0, failed: 1 });
        assert_eq!(Count { passed: 4, failed: 0 }.failing_if(true), Count { passed: 4, failed: 1 });
    }
}
