//! Pages of validation cases. The test of a case keeps its page (`crates/fender-cli/tests/all/validation.rs`), so
//! that a case that the tests have run with this very program need not be run again for the documentation and the
//! book.

use crate::fender::Fender;
use crate::workspace::{capture, read, root, target, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Pages of all cases that ship, each met when its test ran the program as it is now.
pub struct Kept {
    folder: PathBuf,
    names: Vec<String>,
}

impl Kept {
    /// `None` if a case has no page, or has one of an older program.
    pub fn find(fender: &Fender) -> Result<Option<Self>, String> {
        let list = fender.output(&["list", "--json"])?;
        let list: Value = serde_json::from_str(&list).map_err(|e| format!("the list is not JSON: {e}"))?;
        let cases = list["validation"].as_array().ok_or("the list has no validation cases")?;
        let names: Vec<_> = cases.iter().filter_map(|case| case["name"].as_str().map(String::from)).collect();
        let folder = target().join("tmp/validation");
        let built = modified(fender.path()).ok_or("the program has no time of its making")?;
        let is_kept = |name: &String| modified(&page(&folder, name)).is_some_and(|kept| kept > built);
        Ok((!names.is_empty() && names.iter().all(is_kept)).then_some(Self { folder, names }))
    }

    /// The quickest way to see that the command itself works: one of the cases.
    pub fn first(&self) -> &str {
        &self.names[0]
    }

    /// Writes what `fender validate --page` writes for all cases.
    fn copy(&self, to: &Path) -> Result<(), String> {
        let mut index = String::new();
        for name in &self.names {
            let from = self.folder.join(name);
            for entry in fs::read_dir(&from).map_err(|e| format!("{}: {e}", from.display()))? {
                let path = entry.map_err(|e| e.to_string())?.path();
                let Some(file) = path.file_name().filter(|file| *file != "index.md") else { continue };
                let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                fs::write(to.join(file), bytes).map_err(|e| format!("{}: {e}", to.display()))?;
            }
            add_row(&mut index, &read(&from.join("index.md"))?);
        }
        write(&to.join("index.md"), &index)
    }
}

/// Writes the pages of all cases into a folder; a case that is missed is an error.
pub fn pages(fender: &Fender, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    match Kept::find(fender)? {
        Some(kept) => kept.copy(folder),
        None => capture(fender.command(&root()).arg("validate").arg("--page").arg(folder)).map(|_| ()),
    }
}

/// The page of a case in the folder of kept ones.
fn page(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join(format!("{name}.md"))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// Adds an index of one case to that of those before it: the heading of the first, the last row of each.
fn add_row(index: &mut String, one: &str) {
    if index.is_empty() {
        *index += one;
    } else if let Some(row) = one.lines().last() {
        *index += &format!("{row}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_single_cases_become_one() {
        let one = |name: &str| format!("# Validation\n\n| Case |\n|---|\n| {name} |\n");
        let mut index = String::new();
        add_row(&mut index, &one("a"));
        add_row(&mut index, &one("b"));
        assert_eq!(index, one("a |\n| b"));
    }
}
