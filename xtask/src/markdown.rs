//! The little of Markdown that the checks need: fenced blocks, links and paths.

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The word after the fence, for instance `console`.
    pub language: &'a str,
    /// The line after the fence, from 1.
    pub line: usize,
    /// What is in it.
    pub lines: Vec<&'a str>,
}

/// All fenced blocks.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                open = Some(Block { language: language.trim(), line: number + 2, lines: Vec::new() });
            }
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Lines outside fenced blocks, with their numbers from 1.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((number + 1, line))
    })
}

/// Targets of the links and pictures in a line, without anchors; addresses on the web are left out.
pub fn links(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|t| !t.contains("://") && !t.starts_with("mailto:"));
    local.map(|t| t.split('#').next().unwrap_or_default()).filter(|t| !t.is_empty()).collect()
}

/// Words between backticks in a line.
pub fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "See `crates/a/src/lib.rs` and [the guide](guide/run.md#out).\n\
        ```console\n$ fender list\n[x](not-a-link.md)\n```\n![p](p.svg) [w](https://a.b/c)\n";

    #[test]
    fn blocks_have_their_language_and_lines() {
        let expected =
            Block { language: "console", line: 3, lines: vec!["$ fender list", "[x](not-a-link.md)"] };
        assert_eq!(blocks(PAGE), [expected]);
    }

    #[test]
    fn links_are_found_outside_blocks_only() {
        let found: Vec<_> =
            prose(PAGE).flat_map(|(n, line)| links(line).into_iter().map(move |l| (n, l))).collect();
        assert_eq!(found, [(1, "guide/run.md"), (6, "p.svg")]);
    }

    #[test]
    fn code_words_are_found() {
        assert_eq!(code("a `b` c `d/e`").collect::<Vec<_>>(), ["b", "d/e"]);
    }
}
