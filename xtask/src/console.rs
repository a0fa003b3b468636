//! Runs the `console` blocks of a page.
//!
//! A line that begins with `$ ` is a command; `? N` after it says that it ends with exit code N (0 otherwise); any other
//! lines are output, which must appear in this order. In them `[..]` stands for anything within a line, and a line with
//! only `...` for any lines. All commands of a page run one after the other in one empty folder, so a page reads as one
//! session. `cargo run --release --` stands for the command itself; `cargo xtask` is not run, because this is it.

use crate::fender::Fender;
use crate::markdown::{Block, blocks};
use crate::validation::Kept;
use std::path::{Path, PathBuf};

/// A command and what the page says of it.
#[derive(Debug, PartialEq, Eq)]
struct Command<'a> {
    line: usize,
    text: &'a str,
    exit: i32,
    output: Vec<&'a str>,
}

/// Runs every command of a page and answers how many.
pub fn check(page: &Path, text: &str, wrong: &mut Vec<String>) -> Result<usize, String> {
    let found = blocks(text);
    let consoles = found.iter().filter(|block| block.language == "console");
    let commands: Vec<_> = consoles.flat_map(commands).collect();
    if commands.is_empty() {
        return Ok(0);
    }
    let fender = Fender::build()?;
    let folder = Session::open(page)?;
    for command in &commands {
        if let Err(message) = run(command, &fender, &folder.0) {
            wrong.push(format!("{}:{}: $ {}\n{message}", page.display(), command.line, command.text));
        }
    }
    Ok(commands.len())
}

/// A folder that is empty at the start and gone at the end.
struct Session(PathBuf);

impl Session {
    fn open(page: &Path) -> Result<Self, String> {
        let name = page.to_string_lossy().replace(['/', '\\', '.', ':'], "-");
        let folder = std::env::temp_dir().join(format!("fender-docs-{}{name}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A folder left behind in the system's temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn commands<'a>(block: &Block<'a>) -> Vec<Command<'a>> {
    let mut commands: Vec<Command<'a>> = Vec::new();
    for (offset, line) in block.lines.iter().enumerate() {
        if let Some(text) = line.strip_prefix("$ ") {
            commands.push(Command { line: block.line + offset, text, exit: 0, output: Vec::new() });
        } else if let Some(last) = commands.last_mut() {
            match line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
                Some(code) => last.exit = code,
                None => last.output.push(line),
            }
        }
    }
    commands
}

fn run(command: &Command<'_>, fender: &Fender, folder: &Path) -> Result<(), String> {
    let words = words(command.text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match words.as_slice() {
        ["cargo", "xtask", "test" | "book" | "docs", ..] => return Ok(()),
        ["cargo", "run", "--release", "--", arguments @ ..] | ["fender", arguments @ ..] => arguments,
        ["cd", name] => return Err(format!("`cd {name}` does not carry over: name the path instead")),
        _ => return Err("only fender and cargo commands can be checked".into()),
    };
    let mut program = fender.command(folder);
    program.args(arguments);
    // The tests have just run every validation case, each by its name: one of them shows that the command works.
    if arguments == ["validate"] && command.output.is_empty() {
        program.args(Kept::find(fender)?.map(|kept| kept.first().to_string()));
    }
    let done = program.output();
    let done = done.map_err(|e| format!("cannot be started: {e}"))?;
    let text = [done.stdout.as_slice(), done.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    if done.status.code() != Some(command.exit) {
        return Err(format!("ended with {}, not with exit code {}:\n{text}", done.status, command.exit));
    }
    match missing(&command.output, &text) {
        None => Ok(()),
        Some(line) => Err(format!("the output has no line (in this place)\n{line}\nbut is\n{text}")),
    }
}

/// Words of a command, as a shell would split them: quotes hold words together and go away.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The first expected line that the output does not have after the ones before it.
fn missing<'a>(expected: &[&'a str], output: &str) -> Option<&'a str> {
    let mut lines = output.lines();
    let expected = expected.iter().filter(|line| !line.trim().is_empty() && line.trim() != "...");
    expected.copied().find(|wanted| !lines.any(|line| matches(wanted, line)))
}

/// Whether a line fits a pattern in which `[..]` stands for anything. Spaces at the ends do not count.
fn matches(pattern: &str, line: &str) -> bool {
    let (pattern, mut rest) = (pattern.trim(), line.trim());
    let mut parts = pattern.split("[..]").peekable();
    let mut first = true;
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let place = match (first, last) {
            (true, true) => (rest == part).then_some(0),
            (true, false) => rest.starts_with(part).then_some(0),
            (false, true) => rest.ends_with(part).then(|| rest.len() - part.len()),
            (false, false) => rest.find(part),
        };
        let Some(place) = place else { return false };
        rest = &rest[place + part.len()..];
        first = false;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_split_into_commands() {
        let block = Block {
            language: "console",
            line: 7,
            lines: vec!["$ fender list", "pile  [..]", "$ fender check x.toml", "? 2", "error"],
        };
        let list = Command { line: 7, text: "fender list", exit: 0, output: vec!["pile  [..]"] };
        let check = Command { line: 9, text: "fender check x.toml", exit: 2, output: vec!["error"] };
        assert_eq!(commands(&block), [list, check]);
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words(r#"run a --set h="2 m"  --set 'b=[1, 2]' "" "#),
            ["run", "a", "--set", "h=2 m", "--set", "b=[1, 2]", ""]
        );
    }

    #[test]
    fn patterns_match_whole_lines() {
        assert!(matches("steps  [..]", "steps  300"));
        assert!(matches("[..]: no such file", "a.toml: no such file"));
        assert!(matches("t [..] s, [..] left", "t 1.5 s, 3 s left"));
        assert!(!matches("steps", "steps  300"));
        assert!(!matches("t [..] s", "t 1.5 min"));
    }

    #[test]
    fn expected_lines_must_come_in_order() {
        assert_eq!(missing(&["a", "...", "c"], "a\nb\nc"), None);
        assert_eq!(missing(&["c", "a"], "a\nb\nc"), Some("a"));
    }
}
