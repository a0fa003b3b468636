//! The documentation check: every path it names exists, and every command it shows runs.

use crate::workspace::{read, root};
use crate::{bench, console, markdown};
use std::path::{Path, PathBuf};

/// Checks every page and answers how much was checked, or everything that is wrong.
pub fn check() -> Result<String, String> {
    let pages = pages()?;
    let mut wrong = Vec::new();
    let mut paths = 0;
    let mut commands = 0;
    for page in &pages {
        let text = read(page)?;
        paths += check_paths(page, &text, &mut wrong);
        commands += console::check(page, &text, &mut wrong)?;
        commands += bench::check(page, &text, &mut wrong);
    }
    if wrong.is_empty() {
        Ok(format!("{} pages, {paths} paths, {commands} commands", pages.len()))
    } else {
        Err(wrong.join("\n"))
    }
}

/// The pages at the root, of the benchmarks, of the book, and of every scenario and validation case.
fn pages() -> Result<Vec<PathBuf>, String> {
    let mut pages: Vec<_> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"]
            .map(|page| root().join(page))
            .into();
    for folder in ["book/src", "scenarios", "validation"] {
        collect(&root().join(folder), &mut pages)?;
    }
    Ok(pages)
}

/// Adds every Markdown file below a folder, in order of name.
fn collect(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).map_err(named)?.collect();
    let mut paths: Vec<_> = entries.map_err(named)?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Checks links (relative to the page) and code words that look like paths of the repository.
fn check_paths(page: &Path, text: &str, wrong: &mut Vec<String>) -> usize {
    let folder = page.parent().unwrap_or(Path::new(""));
    let mut count = 0;
    for (line, prose) in markdown::prose(text) {
        for link in markdown::links(prose) {
            count += 1;
            if !folder.join(link).exists() && !is_generated(&folder.join(link)) {
                wrong.push(format!("{}:{line}: the link {link} leads nowhere", page.display()));
            }
        }
        for path in markdown::code(prose).filter(|word| is_path(word)) {
            count += 1;
            if !root().join(path).exists() {
                wrong.push(format!("{}:{line}: there is no {path}", page.display()));
            }
        }
    }
    count
}

/// Pages that `cargo xtask book` writes.
fn is_generated(path: &Path) -> bool {
    crate::book::GENERATED.iter().any(|page| path.ends_with(page))
}

/// A code word that begins with one of the repository's top folders, and is not a pattern.
fn is_path(word: &str) -> bool {
    const TOP: [&str; 9] =
        ["crates/", "bench/", "book/", "xtask/", "fuzz/", "scenarios/", "validation/", "schema/", ".ci/"];
    TOP.iter().any(|top| word.starts_with(top)) && !word.contains(['<', '*', '…', ' ', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_paths_and_links_are_found() {
        let page = root().join("README.md");
        let text = "`xtask/src/docs.rs` is here, `crates/fender-nothing/src/lib.rs` is not.\n\
            [here](xtask/Cargo.toml) [gone](xtask/gone.md), `scenarios/<name>/` is a pattern.\n";
        let mut wrong = Vec::new();
        assert_eq!(check_paths(&page, text, &mut wrong), 4);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains(":1: there is no crates/fender-nothing/src/lib.rs"), "{}", wrong[0]);
        assert!(wrong[1].contains(":2: the link xtask/gone.md leads nowhere"), "{}", wrong[1]);
    }
}
