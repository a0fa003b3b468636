//! The book's page of scenarios: their own READMEs, each with the picture that the browser tests made of its report.

use crate::workspace::{read, root};

/// The page, in Markdown.
pub fn page() -> Result<String, String> {
    let folder = root().join("scenarios");
    let entries: Result<Vec<_>, _> = std::fs::read_dir(&folder).and_then(Iterator::collect);
    let entries = entries.map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> =
        entries.iter().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let mut page = "# Scenarios that ship\n\nEach runs with `fender run NAME` and carries its expectations. The pictures are of their reports.\n".to_owned();
    for name in names {
        let picture = format!("pictures/{name}.png");
        if !root().join("book/src").join(&picture).exists() {
            return Err(format!(
                "book/src/{picture} is missing: add {name} to viewer/tests/pictures.spec.ts"
            ));
        }
        page += &section(&name, &picture, &read(&folder.join(&name).join("README.md"))?);
    }
    Ok(page)
}

/// A README as a section: its title one level down, with the name to run and the picture below it.
fn section(name: &str, picture: &str, readme: &str) -> String {
    let (title, text) = readme.split_once('\n').unwrap_or((readme, ""));
    let title = title.trim_start_matches(['#', ' ']);
    format!("\n## {title}\n\n`fender run {name}`\n\n![{title}]({picture})\n{text}\n")
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_readme_becomes_a_section_with_its_picture() {
        let made = section("pile", "pictures/pile.png", "# A pile\n\n**Purpose.** Rest.\n");
        assert_eq!(
            made,
            "\n## A pile\n\n`fender run pile`\n\n![A pile](pictures/pile.png)\n\n**Purpose.** Rest.\n\n"
        );
    }
}
