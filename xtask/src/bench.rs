//! Runs the commands of the benchmarks that a page shows, as far as their help: that they exist, build and start.
//!
//! They are code words or lines of blocks that begin with `cargo run --release -p` or `cargo bench -p`. What comes after ` -- ` is left
//! out (another engine, say, that is not here), as is a comment after `#`.

use crate::markdown::{blocks, code, prose};
use crate::workspace::{capture, cargo};
use std::path::Path;

const BEGINNINGS: [&str; 2] = ["cargo run --release -p ", "cargo bench -p "];

/// Runs every such command of a page and answers how many.
pub fn check(page: &Path, text: &str, wrong: &mut Vec<String>) -> usize {
    let commands = commands(text);
    for (line, command) in &commands {
        let words: Vec<&str> = command.split_whitespace().skip(1).chain(["--", "--help"]).collect();
        if let Err(message) = capture(&mut cargo(&words)) {
            wrong.push(format!("{}:{line}: {command}\n{message}", page.display()));
        }
    }
    commands.len()
}

/// The commands of a page with their lines, each once.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let fenced = blocks(text);
    let in_blocks =
        fenced.iter().flat_map(|b| b.lines.iter().enumerate().map(|(i, line)| (b.line + i, *line)));
    let in_prose = prose(text).flat_map(|(line, words)| code(words).map(move |word| (line, word)));
    for (line, text) in in_blocks.chain(in_prose) {
        let text = text.trim().trim_start_matches("$ ");
        if BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) {
            let text = text.split(" #").next().unwrap_or_default().split(" -- ").next().unwrap_or_default();
            if found.iter().all(|(_, other)| other != text.trim()) {
                found.push((line, text.trim().to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{read, root};

    #[test]
    fn commands_are_found_in_blocks_and_in_prose() {
        let page = "`cargo run --release -p a --bin b -- --peers VENV` or `cargo test`\n```text\n\
            cargo bench -p a   # criterion\ncargo run --release -p a --bin b\n```\n";
        let expected = [(3, "cargo bench -p a"), (4, "cargo run --release -p a --bin b")];
        assert_eq!(commands(page), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn a_program_that_is_gone_is_found() {
        let mut wrong = Vec::new();
        let page = "`cargo run --release -p xtask --example gone`\n";
        assert_eq!(check(Path::new("page.md"), page, &mut wrong), 1);
        assert!(wrong[0].starts_with("page.md:1: cargo run --release -p xtask --example gone"), "{wrong:?}");
    }

    /// Without running them: each names a program that there is.
    #[test]
    fn the_benchmarks_page_names_programs() {
        let page = read(&root().join("bench/README.md")).expect("it is there");
        for (line, command) in commands(&page) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let after = |flag: &str| words.iter().position(|w| *w == flag).and_then(|i| words.get(i + 1));
            let package = after("-p").expect("a package");
            let folder = match *package {
                "fender-bench" => root().join("bench"),
                other => root().join("crates").join(other),
            };
            let file = match (after("--bin"), after("--example"), after("--bench")) {
                (Some(bin), _, _) => folder.join("src/bin").join(format!("{bin}.rs")),
                (_, Some(example), _) => folder.join("examples").join(format!("{example}.rs")),
                (_, _, Some(bench)) => folder.join("benches").join(format!("{bench}.rs")),
                _ => folder.join("Cargo.toml"),
            };
            assert!(file.exists(), "bench/README.md:{line}: {command}: no {}", file.display());
        }
    }
}
