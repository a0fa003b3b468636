//! Builds the book: the written pages, and those generated from the command itself.

use crate::fender::Fender;
use crate::workspace::{read, root, target, write};
use crate::{gallery, reference, validation};
use mdbook_driver::MDBook;
use std::path::Path;

/// Pages that are generated, below `book/src`. They cannot be stale, because they are never kept.
pub const GENERATED: [&str; 5] = [
    "gallery.md",
    "reference/command-line.md",
    "reference/scenario-file.md",
    "validation/index.md",
    "contributing/recipes.md",
];

/// Builds the book into `target/book` and answers where it is.
pub fn build() -> Result<String, String> {
    let source = target().join("book-source");
    let built = target().join("book");
    for folder in [&source, &built] {
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
    }
    copy(&root().join("book"), &source)?;
    let pages = source.join("src");
    generate(&pages)?;
    list_cases(&pages)?;

    let mut book = MDBook::load(&source).map_err(|e| format!("the book cannot be read: {e:#}"))?;
    book.config.build.build_dir.clone_from(&built);
    book.build().map_err(|e| format!("the book cannot be built: {e:#}"))?;
    Ok(format!("{}", built.join("index.html").display()))
}

/// Writes the generated pages.
fn generate(pages: &Path) -> Result<(), String> {
    let fender = Fender::build()?;
    let [gallery, command_line, scenario, cases, recipes] = GENERATED.map(|page| pages.join(page));
    write(&gallery, &gallery::page()?)?;
    write(&command_line, &reference::command_line(&fender)?)?;
    write(&scenario, &reference::scenario_file(&fender.output(&["schema"])?)?)?;
    // The page and its plots are written by the command; a case that fails fails the book.
    validation::pages(&fender, cases.parent().unwrap_or(pages))?;
    let contributing = read(&root().join("CONTRIBUTING.md"))?;
    write(&recipes, &contributing)
}

/// Adds a line for each validation case to the summary: mdBook renders only what is listed there.
fn list_cases(pages: &Path) -> Result<(), String> {
    let folder = pages.join("validation");
    let entries: Result<Vec<_>, _> = std::fs::read_dir(&folder).and_then(Iterator::collect);
    let entries = entries.map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "md") && !path.ends_with("index.md"));
    let mut names: Vec<_> = paths.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    names.sort_unstable();
    let path = pages.join("SUMMARY.md");
    let mut lines = String::new();
    for name in names {
        let text = read(&folder.join(name))?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        lines += &format!("  - [{title}](validation/{name})\n");
    }
    let index = "- [Cases](validation/index.md)\n";
    write(&path, &read(&path)?.replace(index, &format!("{index}{lines}")))
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let named = |e: std::io::Error| format!("{}: {e}", from.display());
    std::fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    for entry in std::fs::read_dir(from).map_err(named)? {
        let (source, target) = entry.map(|e| (e.path(), to.join(e.file_name()))).map_err(named)?;
        if source.is_dir() {
            copy(&source, &target)?;
        } else {
            std::fs::copy(&source, &target).map_err(|e| format!("{}: {e}", source.display()))?;
        }
    }
    Ok(())
}
