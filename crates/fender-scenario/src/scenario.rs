//! A loaded scenario, and how it is loaded.

use crate::assets::Assets;
use crate::build::{self, BuildError, Built};
use crate::error::{ErrorKind, Problem, ScenarioError, Sources, line_of_byte};
use crate::look::{View, Visual};
use crate::overrides::{self, Override};
use crate::parameter::Substituted;
use crate::spec::{FORMAT, ScenarioSpec, Statistic};
use crate::suits::Suited;
use crate::tree::{Node, Path, Value, overlay, parse_document, write};
use crate::{de, expression, parameter, syntax};
use fender_engine::{BodyId, IntegratorSpec, Model};
use fender_geom::VisualMesh;
use fender_math::StateHasher;

/// Everything a run needs.
#[derive(Debug)]
pub struct Scenario {
    /// Short name: that of the file, or of the folder of a `scenario.toml`.
    pub name: String,
    /// One line that says what is shown.
    pub title: String,
    /// What to look at, and why.
    pub description: Option<String>,
    /// The model.
    pub model: Model,
    /// How long and by which method.
    pub run: RunSettings,
    /// Which signals are recorded; empty for the default.
    pub records: Vec<Record>,
    /// Signals of the plots that a report begins with; empty for the default.
    pub plots: Vec<Vec<String>>,
    /// Time between frames [s], if they are kept.
    pub frames: Option<f64>,
    /// Meshes that bodies are shown with.
    pub meshes: Vec<VisualMesh>,
    /// Which body is shown with which mesh.
    pub visuals: Vec<Visual>,
    /// Colour of each body, if it was given: red, green, blue (sRGB).
    pub colours: Vec<Option<[u8; 3]>>,
    /// Places to look from.
    pub views: Vec<View>,
    /// Pairs of bodies whose nearest points are kept with each frame.
    pub gaps: Vec<[BodyId; 2]>,
    /// Parameters with their values as they were written or overridden.
    pub parameters: Vec<(String, String)>,
    /// What must come out.
    pub expects: Vec<Expect>,
    /// What is not wrong but probably not meant.
    pub warnings: Vec<String>,
    /// What is right as often as not, and may not be meant.
    pub notes: Vec<String>,
    /// Names of bodies that begin deep in each other, of which `warnings` tell.
    pub deep_starts: Vec<[String; 2]>,
    /// Whether cables pass through bodies at the start, of which `warnings` tell.
    pub cables_pass: bool,
    /// A method that suits the scene, whichever the file names.
    pub suited: Suited,
    /// Numbers that the file does not give, with the rule that chose them.
    pub chosen: Vec<String>,
    /// The file with every default and with the overrides, as TOML that loads to the same scenario. Parameters are kept,
    /// so that they can be overridden again.
    pub expanded: String,
    /// Hash of `expanded` and of the contents of `assets`.
    pub hash: u64,
    /// The files that were read: path relative to the scenario, and contents.
    pub assets: Vec<(String, Vec<u8>)>,
    sources: Sources,
    tree: Node,
}

/// How long and by which method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// Simulated time [s].
    pub duration: f64,
    /// Method that advances the motion.
    pub integrator: IntegratorSpec,
}

/// Signals that are recorded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Names of signals; `*` stands for any text.
    pub signals: Vec<String>,
    /// Time between samples [s].
    pub every: f64,
}

/// Something that must come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Name of the signal.
    pub signal: String,
    /// When it is looked at.
    pub when: When,
    /// What it must be.
    pub check: Check,
    /// Where the number comes from.
    pub why: String,
}

/// When a signal is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// At a time [s].
    At(f64),
    /// Over a part of the run.
    Over {
        /// Which figure.
        of: Statistic,
        /// Start of the part [s].
        from: f64,
        /// End of the part [s].
        until: f64,
    },
}

/// What a number must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// Near a value.
    Near {
        /// Value, in the signal's SI unit.
        value: f64,
        /// Largest difference, in the same unit.
        tolerance: f64,
    },
    /// Between limits, at least one of them given.
    Within {
        /// It must be above this.
        above: Option<f64>,
        /// It must be below this.
        below: Option<f64>,
    },
}

/// Loads a scenario file; a folder stands for the `scenario.toml` in it. Assets are relative to the file.
pub fn load(path: &std::path::Path, overrides: &[Override]) -> Result<Scenario, ScenarioError> {
    let path = if path.is_dir() { path.join("scenario.toml") } else { path.to_path_buf() };
    let shown = path.display().to_string();
    let bytes = crate::assets::read_text_file(&path).map_err(|error| {
        ScenarioError::file(ErrorKind::Unreadable, &shown, format!("cannot be read: {error}"), None)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = line_of_byte(error.as_bytes(), error.utf8_error().valid_up_to());
        ScenarioError::file(ErrorKind::Syntax, &shown, format!("line {line} is not UTF-8 text"), None)
    })?;
    let folder = path.parent().unwrap_or(std::path::Path::new("")).to_path_buf();
    load_named(&name_of(&path), shown, text, &Assets::Dir(folder), overrides)
}

/// Loads a scenario from its text.
pub fn load_str(
    name: &str,
    text: &str,
    assets: &Assets,
    overrides: &[Override],
) -> Result<Scenario, ScenarioError> {
    load_named(name, format!("{name}/scenario.toml"), text.to_owned(), assets, overrides)
}

/// A file called `scenario.toml` is known by its folder.
fn name_of(path: &std::path::Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if stem != "scenario" {
        return stem;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = absolute.parent().and_then(std::path::Path::file_name);
    folder.map_or(stem, |folder| folder.to_string_lossy().into_owned())
}

fn load_named(
    name: &str,
    shown: String,
    text: String,
    assets: &Assets,
    overrides: &[Override],
) -> Result<Scenario, ScenarioError> {
    let sources = Sources { name: shown, text, overrides: overrides.to_vec() };
    let mut written = parse_document(&sources.text).map_err(|e| syntax::error(&sources, &e))?;
    check_format(&written).map_err(|p| sources.problem(&written, p))?;
    overrides::apply(&mut written, &sources)?;

    let mut tree = written.clone();
    let Substituted { used, values } =
        parameter::substitute(&mut tree).map_err(|p| sources.problem(&written, p))?;
    let mut spec: ScenarioSpec = de::from_node(&tree).map_err(|e| {
        let (place, via) = e.place.map_or((tree.place.clone(), None), |place| *place);
        sources.at(e.kind, &e.path, &place, via.as_ref(), e.message, e.help)
    })?;
    // An override may have changed it.
    check_format(&tree).map_err(|p| sources.problem(&tree, p))?;

    let mut built = build::build(&spec, assets).map_err(|error| match error {
        BuildError::Problem(problem) => sources.problem(&tree, problem),
        BuildError::Located(error) => *error,
    })?;
    for check in &built.units {
        if let Some(problem) = wrong_unit(&tree, &check.path, &check.units, check.whose) {
            return Err(sources.problem(&tree, problem));
        }
    }
    for parameter in spec.parameter.names().filter(|p| !used.contains(*p)) {
        built.warnings.push(format!("the parameter `{parameter}` is not used"));
    }

    let Built {
        model,
        run,
        records,
        plots,
        frames,
        expects,
        warnings,
        notes,
        deep_starts,
        cables_pass,
        chosen,
        meshes,
        visuals,
        colours,
        views,
        gaps,
        units: _,
        parameters,
        assets,
    } = built;
    let suited = spec.suited(model.free.len());
    spec.write_out_defaults();
    // Every structure of the format is made of names, numbers and texts, which JSON can hold.
    let full = serde_json::to_value(&spec).unwrap_or_default();
    let expanded = overlay(full, Some(&written)).map_or_else(String::new, |tree| write(&tree, &values));
    let mut hasher = StateHasher::default();
    hasher.bytes(expanded.as_bytes());
    for (name, contents) in &assets {
        hasher.bytes(name.as_bytes());
        hasher.bytes(contents);
    }
    Ok(Scenario {
        name: name.into(),
        title: spec.title,
        description: spec.description,
        model,
        run,
        records,
        plots,
        frames,
        meshes,
        visuals,
        colours,
        views,
        gaps,
        parameters,
        expects,
        warnings,
        notes,
        deep_starts,
        cables_pass,
        suited,
        chosen,
        expanded,
        hash: hasher.finish(),
        assets,
        sources,
        tree,
    })
}

/// A file of another format is told apart before anything in it is called wrong.
fn check_format(tree: &Node) -> Result<(), Problem> {
    let path = Path::root().key("format");
    match tree.get("format").map(|node| &node.value) {
        Some(Value::Integer(n)) if *n == i64::from(FORMAT) => Ok(()),
        Some(Value::Integer(n)) => {
            let message = format!("this file has format {n}, and this program reads format {FORMAT}");
            let help = (*n > i64::from(FORMAT)).then(|| "a newer version of fender may read it".to_string());
            Err(Problem::new(ErrorKind::Value, path, message).help(help))
        }
        Some(other) => {
            let message = format!("expected the number {FORMAT}, got {}", other.words());
            Err(Problem::new(ErrorKind::Value, path, message))
        }
        None => {
            let help = format!("start the file with format = {FORMAT}");
            Err(Problem::new(ErrorKind::Key, Path::root(), "the key `format` is missing").help(help))
        }
    }
}

impl Scenario {
    /// An error about the key at `path` (such as `record[0].signals[1]`), with its place in the file: for those who find
    /// out later that a signal does not exist.
    pub fn error_at(&self, path: &str, message: impl Into<String>, help: Option<String>) -> ScenarioError {
        let path = Path::parse(path).unwrap_or_default();
        let problem = Problem::new(ErrorKind::Reference, path, message).help(help);
        self.sources.problem(&self.tree, problem)
    }

    /// Checks that the quantity at `path` (such as `expect[0].value`) has the dimension of `unit`: for those who find out
    /// later what is measured. A number without quotes is in SI units and fits everything, as does what is not there.
    pub fn check_unit(&self, path: &str, unit: &str) -> Result<(), ScenarioError> {
        let path = Path::parse(path).unwrap_or_default();
        match wrong_unit(&self.tree, &path, &[unit.into()], "the signal") {
            None => Ok(()),
            Some(problem) => Err(self.sources.problem(&self.tree, problem)),
        }
    }
}

/// What is wrong with the quantity at `path` if it should be in one of `units`; `whose` they are is for the message. A number
/// without quotes is in SI units and fits everything, as does what is not there.
fn wrong_unit(tree: &Node, path: &Path, units: &[String], whose: &str) -> Option<Problem> {
    let Value::String(text) = &tree.find(path)?.value else { return None };
    let dimension = |text: &str| expression::measure(text).map(|measure| measure.dimension).ok();
    let got = dimension(text)?;
    let asked = |unit: &String| dimension(&format!("1 {unit}"));
    let unit = units.first()?;
    let first = asked(unit)?;
    if units.iter().any(|unit| asked(unit) == Some(got)) {
        return None;
    }
    let message = format!("expected {first}, got {got} (\"{text}\")");
    let help = match unit.as_str() {
        "1" => format!("{whose} has no unit"),
        _ => format!("{whose} is in {unit}, and so is a number without quotes"),
    };
    Some(Problem::new(ErrorKind::Value, path.clone(), message).help(help))
}
