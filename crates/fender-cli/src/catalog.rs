//! The scenarios and validation cases that are part of the program.

use crate::failure::Failure;
use fender_run::Out;
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};

static SCENARIOS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../scenarios");
static CASES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../validation");

/// Name of the file that makes a folder a scenario.
pub const SCENARIO_FILE: &str = "scenario.toml";
/// Name of the file that makes a folder a validation case.
pub const CASE_FILE: &str = "case.toml";

/// A scenario or case that ships: a folder inside the program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    main: &'static str,
    dir: &'static Dir<'static>,
}

/// Shipped scenarios, in order of name.
pub fn scenarios() -> Vec<Shipped> {
    shipped(&SCENARIOS, SCENARIO_FILE)
}

/// Shipped validation cases, in order of name.
pub fn cases() -> Vec<Shipped> {
    shipped(&CASES, CASE_FILE)
}

fn shipped(root: &'static Dir<'static>, main: &'static str) -> Vec<Shipped> {
    let folders = root.dirs().filter(|dir| dir.contains(dir.path().join(main)));
    let named =
        folders.filter_map(|dir| Some(Shipped { name: dir.path().file_name()?.to_str()?, main, dir }));
    let mut all: Vec<_> = named.collect();
    all.sort_by_key(|shipped| shipped.name);
    all
}

impl Shipped {
    /// Text of its scenario or case file.
    pub fn text(&self) -> &'static str {
        let file = self.dir.get_file(self.dir.path().join(self.main));
        file.and_then(include_dir::File::contents_utf8).unwrap_or_default()
    }

    /// The title its file gives.
    pub fn title(&self) -> &'static str {
        let lines = self.text().lines().map_while(|line| (!line.starts_with('[')).then_some(line));
        let mut values = lines.filter_map(|line| line.strip_prefix("title"));
        values.find_map(|rest| rest.split('"').nth(1)).unwrap_or_default()
    }

    /// Files of its folder: path in the folder and contents.
    pub fn files(&self) -> Vec<(PathBuf, &'static [u8])> {
        let mut files = Vec::new();
        collect(self.dir, self.dir.path(), &mut files);
        files
    }
}

fn collect(dir: &'static Dir<'static>, base: &Path, files: &mut Vec<(PathBuf, &'static [u8])>) {
    for file in dir.files() {
        let path = file.path().strip_prefix(base).unwrap_or(file.path());
        files.push((path.to_path_buf(), file.contents()));
    }
    for inner in dir.dirs() {
        collect(inner, base, files);
    }
}

/// What a name on the command line stands for.
#[derive(Clone, Debug)]
pub enum Source {
    /// Part of the program.
    Shipped(Shipped),
    /// A file.
    File(PathBuf),
}

impl Source {
    /// Finds a scenario: a name of a shipped one, a file, or a folder with a scenario.
    pub fn scenario(text: &str) -> Result<Self, Failure> {
        find(text, &scenarios(), SCENARIO_FILE, "scenario")
    }

    /// Finds a validation case in the same way.
    pub fn case(text: &str) -> Result<Self, Failure> {
        find(text, &cases(), CASE_FILE, "validation case")
    }

    /// Where results go: into `out`, or into the next free folder in `results`. The folder of the scenario itself is refused.
    pub fn out(&self, out: Option<&Path>, force: bool) -> Result<Out, Failure> {
        let Some(path) = out else { return Ok(Out::Next(PathBuf::from("results"))) };
        if let Self::File(file) = self {
            let beside = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let same = matches!((path.canonicalize(), beside.canonicalize()), (Ok(a), Ok(b)) if a == b);
            // Without force the folder is refused anyway, because it is not empty.
            if same && force {
                return Err(Failure::bad_input(format!(
                    "'{}' is the folder of the scenario itself: choose another with --out",
                    path.display()
                )));
            }
        }
        Ok(Out::Folder { path: path.to_owned(), force })
    }

    /// Name for results folders and messages.
    pub fn name(&self) -> String {
        match self {
            Self::Shipped(shipped) => shipped.name.to_string(),
            Self::File(path) => {
                // A file called scenario.toml is known by its folder.
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let main = path.file_name().is_some_and(|n| n == SCENARIO_FILE || n == CASE_FILE);
                let absolute = std::path::absolute(path).unwrap_or_default();
                let folder = absolute.parent().and_then(Path::file_name);
                match folder {
                    Some(folder) if main => folder.to_string_lossy().into_owned(),
                    _ => stem,
                }
            }
        }
    }
}

fn find(text: &str, all: &[Shipped], main: &str, what: &str) -> Result<Source, Failure> {
    let path = Path::new(text);
    if path.is_dir() && path.join(main).exists() {
        return Ok(Source::File(path.join(main)));
    }
    // A name without separators and ending is a shipped one first: a stray file of that name must not hide it.
    if let Some(shipped) = all.iter().find(|shipped| shipped.name == text) {
        return Ok(Source::Shipped(*shipped));
    }
    if path.is_dir() {
        return Err(Failure::bad_input(format!("the folder '{text}' has no {main}")));
    }
    if path.exists() || text.contains(['/', '\\']) || path.extension().is_some() {
        return Ok(Source::File(path.to_path_buf()));
    }
    let names = || all.iter().map(|shipped| shipped.name);
    let advice = match fender_scenario::suggest::nearest(text, names()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::bad_input(format!("there is no {what} '{text}', and no file of that name; {advice}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(shipped: &Shipped, file: &str) -> bool {
        shipped.files().iter().any(|(path, _)| path == Path::new(file))
    }

    #[test]
    fn every_shipped_scenario_has_a_title_and_a_readme() {
        let all = scenarios();
        assert!(all.len() >= 8, "{all:?}");
        for shipped in all {
            assert!(!shipped.title().is_empty(), "{} has no title", shipped.name);
            assert!(has(&shipped, "README.md"), "{} has no README.md", shipped.name);
        }
    }

    #[test]
    fn every_shipped_case_has_a_source() {
        for shipped in cases() {
            assert!(has(&shipped, "SOURCE.md"), "{} has no SOURCE.md", shipped.name);
        }
    }

    #[test]
    fn a_scenario_file_is_known_by_its_folder() {
        assert_eq!(Source::File("a/lift/scenario.toml".into()).name(), "lift");
        assert_eq!(Source::File("a/lift.toml".into()).name(), "lift");
    }

    #[test]
    fn a_wrong_name_suggests_the_near_one() {
        let failure = Source::scenario("bouncing-bal").expect_err("there is no such scenario");
        assert_eq!(failure.code, crate::failure::BAD_INPUT);
        let text = failure.report.expect("it says why").to_string();
        assert!(text.contains("did you mean 'bouncing-ball'?"), "{text}");
    }
}
