//! From what the user wrote to a model: references, mass properties, laws and everything that only makes sense together.

mod body;
mod cable;
mod cable_step;
mod catenary;
mod closure;
mod contact;
mod controller;
mod convex;
mod coordinate;
mod course;
mod event;
mod force;
mod friction;
mod joint;
mod lasting;
mod lay;
mod line;
mod look;
mod mass;
mod mesh;
mod motion;
mod orientation;
mod payout;
mod profile;
mod run;
mod sensor;
mod start;
mod tie;
mod units;
mod water;

use crate::assets::Assets;
use crate::error::{ErrorKind, Problem, ScenarioError};
use crate::library;
use crate::look::{View, Visual};
use crate::scenario::{Expect, Record, RunSettings};
use crate::spec::ScenarioSpec;
use crate::step_limit::StepLimit;
use crate::suggest;
use crate::tree::Path;
pub(crate) use cable::short;
use fender_engine::joint::Coordinate;
use fender_engine::sensor::Measure;
use fender_engine::{BodyId, MaterialId, Model, ModelBuilder, ModelError, World};
use fender_geom::{Polyhedron, TriMesh, VisualMesh};
use fender_math::Pose;
use look::Looks;
pub use start::passing_cables;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use tie::Ties;
pub(crate) use units::UnitCheck;

/// A mistake, with its place known or still to be looked up.
#[derive(Debug)]
pub(crate) enum BuildError {
    Problem(Problem),
    Located(Box<ScenarioError>),
}

impl From<Problem> for BuildError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<ScenarioError> for BuildError {
    fn from(error: ScenarioError) -> Self {
        Self::Located(Box::new(error))
    }
}

/// Everything a scenario consists of.
#[derive(Debug)]
pub(crate) struct Built {
    pub model: Model,
    pub run: RunSettings,
    pub records: Vec<Record>,
    pub plots: Vec<Vec<String>>,
    pub frames: Option<f64>,
    pub expects: Vec<Expect>,
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
    pub deep_starts: Vec<[String; 2]>,
    pub cables_pass: bool,
    /// Numbers that were not given, with the rule that chose them.
    pub chosen: Vec<String>,
    pub meshes: Vec<VisualMesh>,
    pub visuals: Vec<Visual>,
    pub colours: Vec<Option<[u8; 3]>>,
    pub views: Vec<View>,
    pub gaps: Vec<[BodyId; 2]>,
    /// Units that quantities of the file should have.
    pub units: Vec<UnitCheck>,
    pub parameters: Vec<(String, String)>,
    /// Files that were read.
    pub assets: Vec<(String, Vec<u8>)>,
}

/// Poses of all bodies at the start of the run, if joints or loops may have moved them away from the drawing and there are cables
/// that must know; otherwise none.
fn starting_poses(spec: &ScenarioSpec, assets: &Assets) -> Result<Vec<Pose>, BuildError> {
    if spec.cable.0.is_empty() || spec.joint.0.is_empty() && spec.closed_loop.0.is_empty() {
        return Ok(Vec::new());
    }
    let mut alone = spec.clone();
    (alone.cable, alone.sensor, alone.controller) = Default::default();
    (alone.event, alone.expect, alone.record) = Default::default();
    let world = World::new(build(&alone, assets)?.model);
    Ok((0..world.model.bodies.len() as u32).map(|i| world.pose(BodyId(i))).collect())
}

/// Builds the model of a scenario.
pub(crate) fn build(spec: &ScenarioSpec, assets: &Assets) -> Result<Built, BuildError> {
    let mut build = Build {
        start: starting_poses(spec, assets)?,
        spec,
        assets,
        builder: ModelBuilder::new(),
        bodies: Bodies::default(),
        joints: Vec::new(),
        groups: BTreeMap::new(),
        measures: Vec::new(),
        ties: Vec::new(),
        looks: Looks::default(),
        meshes: BTreeMap::new(),
        convex: BTreeMap::new(),
        materials_used: vec![false; spec.material.0.len()],
        read: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        noted: BTreeSet::new(),
        chosen: Vec::new(),
    };
    build.builder.gravity(crate::quantity::vec3(&spec.world.gravity));
    build.materials()?;
    build.bodies()?;
    build.bodies_in_water()?;
    build.contacts()?;
    build.ignores()?;
    build.initial_contacts()?;
    build.forces()?;
    build.joints()?;
    build.loops()?;
    let run = run::settings(spec)?;
    let heights = build.surroundings()?;
    build.cables(&heights, &run)?;
    build.sensors()?;
    build.controllers()?;
    build.warn_of_short_periods(run.integrator.build().fixed_step());
    build.fences()?;
    build.events(run.duration)?;
    let records =
        spec.record.iter().map(|r| Record { signals: r.signals.clone(), every: r.every.value }).collect();
    let expects = run::expects(spec, run.duration)?;

    for (used, name) in build.materials_used.iter().zip(spec.material.names()) {
        if !used {
            build.warnings.push(format!("the material `{name}` is not used"));
        }
    }
    let views = build.views()?;
    let builder = std::mem::take(&mut build.builder);
    let model = builder.build().map_err(|error| model_problem(spec, &build.bodies, &error))?;
    if let Some(step) = run.integrator.build().fixed_step() {
        for (id, way) in model.leaps(step) {
            let name = &model.bodies[id.index()].name;
            build.warnings.push(format!(
                "`{name}` goes {way:.3e} m in a step, further than it is thick, and may pass through what is thin: `fast = true` in its table finds what it hits"
            ));
        }
    }
    build.warnings.extend(start::doubtful_rest(&model));
    build.warnings.extend(start::driven_jumps(&model, run.duration));
    build.warnings.extend(StepLimit::warning(&model, &run.integrator));
    build.notes.extend(start::unused_rules(&model));
    let (model, first) = start::look_around(model);
    build.warnings.extend(first.warnings);
    let gaps = look::gaps(&build, &model)?;
    let units = units::checks(spec, &model);
    let parameters = look::parameters(&build);
    let frames = (!spec.frames.off).then_some(spec.frames.every.value);
    let Build { read, warnings, notes, chosen, looks, .. } = build;
    let Looks { meshes, visuals, colours, .. } = looks;
    Ok(Built {
        model,
        run,
        records,
        plots: spec.report.plots.iter().map(|plot| plot.0.clone()).collect(),
        frames,
        expects,
        warnings,
        notes,
        deep_starts: first.deep,
        cables_pass: first.cables_pass,
        chosen,
        meshes,
        visuals,
        colours,
        views,
        gaps,
        units,
        parameters,
        assets: read,
    })
}

struct Build<'a> {
    spec: &'a ScenarioSpec,
    assets: &'a Assets,
    builder: ModelBuilder,
    bodies: Bodies,
    /// Poses of the bodies at the start, if they differ from the drawing.
    start: Vec<Pose>,
    /// Coordinates of each joint.
    joints: Vec<&'static [Coordinate]>,
    /// Ids of the groups that bodies belong to; 0 is that of bodies without one.
    groups: BTreeMap<String, u32>,
    /// What each sensor measures.
    measures: Vec<Measure>,
    /// Names of each cable's ties.
    ties: Vec<Ties>,
    looks: Looks,
    /// Meshes to be touched, by file and bits of the scale.
    meshes: BTreeMap<(String, [u64; 3]), Arc<TriMesh>>,
    /// Convex solids in place of meshes, by file, bits of the scale and what was asked for.
    convex: BTreeMap<(String, u64, String), Vec<Arc<Polyhedron>>>,
    materials_used: Vec<bool>,
    read: Vec<(String, Vec<u8>)>,
    warnings: Vec<String>,
    notes: Vec<String>,
    /// Files of meshes of which there is a note.
    noted: BTreeSet<String>,
    chosen: Vec<String>,
}

/// The bodies that exist, by name.
#[derive(Default)]
struct Bodies {
    ids: BTreeMap<String, BodyId>,
    /// Bodies of each array.
    arrays: BTreeMap<String, Range<u32>>,
    /// Key in the file and pose at the start of each body.
    list: Vec<(String, Pose)>,
}

impl Bodies {
    /// The body with this name.
    fn find(&self, name: &str, path: &Path) -> Result<BodyId, Problem> {
        if let Some(id) = self.ids.get(name) {
            return Ok(*id);
        }
        let path = path.clone();
        if let Some(range) = self.arrays.get(name) {
            let message = format!("`{name}` is an array of {} bodies, and one is needed", range.len());
            let help = format!("name one of them, such as `{name}-0-0-0`");
            return Err(Problem::new(ErrorKind::Reference, path, message).help(help));
        }
        Err(self.unknown(name, path))
    }

    /// The body, or all bodies of the array, with this name.
    fn find_all(&self, name: &str, path: &Path) -> Result<Vec<BodyId>, Problem> {
        match (self.ids.get(name), self.arrays.get(name)) {
            (Some(id), _) => Ok(vec![*id]),
            (_, Some(range)) => Ok(range.clone().map(BodyId).collect()),
            _ => Err(self.unknown(name, path.clone())),
        }
    }

    fn unknown(&self, name: &str, path: Path) -> Problem {
        let known = self.ids.keys().chain(self.arrays.keys()).map(String::as_str);
        let help = suggest::help(name, known, "bodies");
        Problem::new(ErrorKind::Reference, path, format!("there is no body `{name}`")).help(help)
    }

    /// Path of a body in the file.
    fn path(&self, name: &str) -> Path {
        let key = self.ids.get(name).and_then(|id| self.list.get(id.index()));
        let body = Path::root().key("body");
        key.map_or(body.clone(), |(key, _)| body.key(key))
    }
}

impl Build<'_> {
    fn materials(&mut self) -> Result<(), Problem> {
        for (name, material) in self.spec.material.iter() {
            let path = Path::root().key("material").key(name);
            check_name(name, &path)?;
            if let Some(like) = material.like.as_deref().filter(|like| library::material(like).is_none()) {
                let names = library::MATERIALS.iter().map(|m| m.name);
                let help = suggest::help(like, names, "materials of the library");
                let message = format!("the library has no material `{like}`");
                return Err(Problem::new(ErrorKind::Reference, path.key("like"), message).help(help));
            }
            self.builder.material(name);
        }
        Ok(())
    }

    /// The material with this name.
    fn material(&mut self, name: &str, path: &Path) -> Result<MaterialId, Problem> {
        let Some(index) = self.spec.material.position(name) else {
            let help = suggest::help(name, self.spec.material.names(), "materials");
            let message = format!("there is no material `{name}`");
            return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
        };
        Ok(MaterialId(index as u32))
    }

    /// Reads a file that `path` refers to, and remembers it for the results.
    fn asset(&mut self, name: &str, path: &Path) -> Result<Vec<u8>, Problem> {
        match self.assets.read(name) {
            Ok(bytes) => {
                self.remember(name, bytes.clone());
                Ok(bytes)
            }
            Err(error) => {
                let message = format!("cannot read the file `{name}`: {error}");
                Err(Problem::new(ErrorKind::Asset, path.clone(), message).help(self.assets.near(name)))
            }
        }
    }
}

impl Build<'_> {
    /// Samples that fall between two ends of steps are not taken.
    fn warn_of_short_periods(&mut self, step: Option<f64>) {
        let Some(step) = step else { return };
        let sensors = self.spec.sensor.iter().map(|(name, s)| ("sensor", name, s.period.value));
        let controllers = self.spec.controller.iter().map(|(name, c)| ("controller", name, c.period.value));
        for (table, name, period) in sensors.chain(controllers) {
            if period > 0.0 && period < step * (1.0 - 1e-9) {
                self.warnings.push(format!(
                    "`{table}.{name}.period` is shorter than the step of {step} s: it will be as long as the step"
                ));
            }
        }
    }

    /// Keeps what was read for the results, once.
    fn remember(&mut self, name: &str, bytes: Vec<u8>) {
        if !self.read.iter().any(|(n, _)| n == name) {
            self.read.push((name.into(), bytes));
        }
    }
}

/// Names are parts of signal names, so they must be words.
fn check_name(name: &str, path: &Path) -> Result<(), Problem> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!("\"{name}\" cannot be a name: signals are called by it");
    let help = "use letters, digits, `_` and `-`".to_string();
    Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help))
}

/// Whether a text can be a name.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// What can be done so that a body with this shape meets another; `None` if the shape is not one that meets little.
fn what_meets(body: &str, shape: &str, other: &str) -> Option<String> {
    if shape == "edge" {
        return Some(format!(
            "an edge meets an ellipsoid by `normal.foundation`, and no mesh: change the law between `{body}` and `{other}`"
        ));
    }
    matches!(shape, "bore" | "funnel").then(|| {
        format!(
            "`{shape}` meets only `sphere`, `torus`, `half_torus` and `link`: make `{other}` of these (`shapes` takes several), or give `{body}` a `mesh` of the \
             same surface, which meets all solids"
        )
    })
}

/// Says in the file's terms what the engine says of the model.
fn model_problem(spec: &ScenarioSpec, bodies: &Bodies, error: &ModelError) -> Problem {
    let (path, help) = match error {
        ModelError::NoRule { a, material_a, material_b, .. } => (
            bodies.path(a),
            Some(format!(
                "add a rule:\n[[contact]]\nbetween = [\"{material_a}\", \"{material_b}\"]\nnormal.hertz = {{ stiffness \
                 = 1e6, restitution = 0.5 }}\nor let them pass: [[ignore]] bodies = [\"…\", \"…\"]"
            )),
        ),
        ModelError::FlatHertz { a, b, .. } | ModelError::NoPatch { a, b, .. } => {
            (contact::unfit_rule(spec, bodies, a, b).unwrap_or_else(|| bodies.path(a)), None)
        }
        ModelError::UnsupportedPair { a, b, shape_a, shape_b } => {
            let pass = format!("let them pass: [[ignore]] bodies = [\"{a}\", \"{b}\"]");
            let instead = what_meets(a, shape_a, b).or_else(|| what_meets(b, shape_b, a));
            (bodies.path(a), Some(instead.map_or(pass.clone(), |instead| format!("{instead}; or {pass}"))))
        }
        ModelError::Joint { joint, .. } => (Path::root().key("joint").key(joint), None),
        ModelError::Loop { name, .. } | ModelError::OverDriven { name } => {
            (Path::root().key("loop").key(name), None)
        }
        ModelError::LoopOpen { name, .. } | ModelError::LoopTorn { name, .. } => (
            Path::root().key("loop").key(name),
            Some(
                "start nearer to a closed position (`start` of the joints), let a joint with `keep` move, or check lengths \
                 and points"
                    .into(),
            ),
        ),
        ModelError::Cable { name, source } => cable::place(spec, name, source),
        ModelError::Sensor { sensor, .. } => (Path::root().key("sensor").key(sensor), None),
        ModelError::Controller { controller, .. } => (Path::root().key("controller").key(controller), None),
        ModelError::Change { name, .. } => (event::path(spec, bodies, name), None),
        ModelError::Mass { body, .. }
        | ModelError::Shape { body, .. }
        | ModelError::FreeEndless { body, .. }
        | ModelError::Fast { body, .. }
        | ModelError::TooLarge { sphere: body, .. } => (bodies.path(body), None),
        ModelError::DuplicateName(name) | ModelError::NotFinite { name, .. } => (bodies.path(name), None),
    };
    Problem::new(ErrorKind::Model, path, error.to_string()).help(help)
}
