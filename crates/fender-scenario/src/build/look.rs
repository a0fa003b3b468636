//! Meshes, colours, views and gaps: what is only looked at.

use super::Build;
use super::orientation::orientation;
use crate::error::{ErrorKind, Problem};
use crate::look::{View, Visual};
use crate::quantity::vec3;
use crate::spec::{BodySpec, ShapeSpec};
use crate::tree::Path;
use fender_engine::{BodyId, Model};
use fender_geom::narrow::supported;
use fender_geom::{Shape, VisualMesh};
use fender_math::{Pose, Vec3};
use std::collections::BTreeMap;

/// What bodies look like.
#[derive(Default)]
pub(super) struct Looks {
    pub meshes: Vec<VisualMesh>,
    pub visuals: Vec<Visual>,
    /// Of each body.
    pub colours: Vec<Option<[u8; 3]>>,
    /// Index of the mesh of a file or a shape, painted in a colour if it has none of its own.
    known: BTreeMap<(String, Option<[u8; 3]>), u32>,
}

impl Build<'_> {
    /// The looks of a body, or of all bodies of an array, that have just been added.
    pub(super) fn look(
        &mut self,
        name: &str,
        spec: &BodySpec,
        bodies: std::ops::Range<usize>,
        path: &Path,
    ) -> Result<(), Problem> {
        let colour = spec.colour.map(|colour| colour.0);
        self.looks.colours.resize(bodies.end, colour);
        if spec.visual.is_empty() {
            self.show_meshes(name, spec, colour, bodies.clone(), path)?;
        }
        for (i, visual) in spec.visual.iter().enumerate() {
            let path = path.key("visual").index(i);
            let colour = visual.colour.map(|colour| colour.0).or(colour);
            let mesh = match (&visual.mesh, &visual.shape) {
                (Some(file), None) => self.mesh(name, file, colour, &path)?,
                (None, Some(shape)) => self.shown_shape(shape, colour, &path.key("shape"))?,
                _ => {
                    let message = "a visual is either a `mesh` or a `shape`";
                    return Err(Problem::new(ErrorKind::Key, path, message));
                }
            };
            let rotation = orientation(&visual.orientation, &path.key("orientation"))?;
            let pose = Pose { rotation, translation: vec3(&visual.position) };
            let scale = visual.scale.factors();
            let of = |body: usize| Visual { body: BodyId(body as u32), mesh, pose, scale };
            self.looks.visuals.extend(bodies.clone().map(of));
        }
        Ok(())
    }

    /// Meshes and polyhedra that are touched are shown, unless there is something else to look at.
    fn show_meshes(
        &mut self,
        name: &str,
        spec: &BodySpec,
        colour: Option<[u8; 3]>,
        bodies: std::ops::Range<usize>,
        path: &Path,
    ) -> Result<(), Problem> {
        let single = spec.shape.iter().map(|shape| (shape, Pose::IDENTITY));
        let mut shown: Vec<(&ShapeSpec, Pose)> = single.collect();
        for part in spec.shapes.iter().flatten() {
            let rotation = orientation(&part.orientation, path)?;
            shown.push((&part.shape, Pose { rotation, translation: vec3(&part.position) }));
        }
        for (shape, pose) in shown {
            let (mesh, scale) = match shape {
                ShapeSpec::Mesh { file, scale, .. } => {
                    (self.mesh(name, file, colour, path)?, scale.factors())
                }
                ShapeSpec::Heightfield { .. } | ShapeSpec::Polyhedron { .. } => {
                    (self.shown_shape(shape, colour, path)?, Vec3::ONE)
                }
                _ => continue,
            };
            let of = |body: usize| Visual { body: BodyId(body as u32), mesh, pose, scale };
            self.looks.visuals.extend(bodies.clone().map(of));
        }
        Ok(())
    }

    /// Index of the mesh of a file, which is read once.
    fn mesh(&mut self, body: &str, file: &str, colour: Option<[u8; 3]>, path: &Path) -> Result<u32, Problem> {
        let key = (file.to_owned(), colour);
        if let Some(index) = self.looks.known.get(&key) {
            return Ok(*index);
        }
        let mut mesh = self.read_mesh(file, &path.key("mesh"))?;
        for warning in mesh.warnings.iter().map(|w| format!("`body.{body}.visual`: {file}: {w}")) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        if let Some(colour) = colour {
            mesh.paint(colour);
        }
        Ok(self.keep(key, mesh))
    }

    /// Index of the mesh of a shape that is only shown.
    fn shown_shape(
        &mut self,
        spec: &ShapeSpec,
        colour: Option<[u8; 3]>,
        path: &Path,
    ) -> Result<u32, Problem> {
        let (shape, _) = self.solid(spec, Pose::IDENTITY, path)?;
        if let Err(error) = shape.check() {
            return Err(Problem::new(ErrorKind::Value, path.clone(), error.to_string()));
        }
        // A colon keeps it apart from the names of files, which have none of this form.
        let key = (format!("shape: {spec:?}"), colour);
        if let Some(index) = self.looks.known.get(&key) {
            return Ok(*index);
        }
        let Some(mut mesh) = VisualMesh::of_shape(&shape) else {
            let message = format!("{} has no end, so it cannot be a visual", shape.noun());
            return Err(Problem::new(ErrorKind::Value, path.clone(), message));
        };
        if let Some(colour) = colour {
            mesh.paint(colour);
        }
        Ok(self.keep(key, mesh))
    }

    fn keep(&mut self, key: (String, Option<[u8; 3]>), mesh: VisualMesh) -> u32 {
        let index = self.looks.meshes.len() as u32;
        self.looks.meshes.push(mesh);
        self.looks.known.insert(key, index);
        index
    }

    pub(super) fn views(&self) -> Result<Vec<View>, Problem> {
        let view = |(name, spec): (&str, &crate::spec::ViewSpec)| {
            let path = Path::root().key("view").key(name);
            if spec.follow.is_some() && spec.from.is_some() {
                let message = "a view either follows a body or looks from it";
                return Err(Problem::new(ErrorKind::Key, path.key("from"), message));
            }
            let body = |name: &Option<String>, key: &str| {
                name.as_ref().map(|name| self.bodies.find(name, &path.key(key))).transpose()
            };
            let (eye, target) = (vec3(&spec.eye), vec3(&spec.target));
            if eye == target {
                let message = "the eye must be somewhere else than its target";
                return Err(Problem::new(ErrorKind::Value, path.key("eye"), message));
            }
            let (follow, from) = (body(&spec.follow, "follow")?, body(&spec.from, "from")?);
            Ok(View { name: name.into(), eye, target, follow, from })
        };
        self.spec.view.iter().map(view).collect()
    }
}

/// Pairs of bodies whose distance is watched.
pub(super) fn gaps(build: &Build<'_>, model: &Model) -> Result<Vec<[BodyId; 2]>, Problem> {
    let path = Path::root().key("frames").key("gaps");
    let mut gaps = Vec::new();
    for (i, names) in build.spec.frames.gaps.iter().enumerate() {
        let path = path.index(i);
        let pair =
            [build.bodies.find(&names[0], &path.index(0))?, build.bodies.find(&names[1], &path.index(1))?];
        let wrong = |path: Path, message: String| Err(Problem::new(ErrorKind::Value, path, message));
        if pair[0] == pair[1] {
            return wrong(path, "there is no gap between a body and itself".into());
        }
        let shapes = |body: BodyId| model.shapes.iter().filter(move |s| s.body == body).map(|s| &s.shape);
        for k in 0..2 {
            if shapes(pair[k]).next().is_none() {
                return wrong(path.index(k), format!("`{}` has no shape to measure from", names[k]));
            }
        }
        if pair.iter().all(|body| shapes(*body).all(Shape::is_endless)) {
            return wrong(path, "there is no gap between two shapes without end".into());
        }
        for a in shapes(pair[0]) {
            let unknown = |b: &&Shape| !(supported(a, b) || a.is_endless() && b.is_endless());
            if let Some(b) = shapes(pair[1]).find(unknown) {
                return wrong(
                    path,
                    format!("the gap between {} and {} is not supported", a.noun(), b.noun()),
                );
            }
        }
        gaps.push(pair);
    }
    Ok(gaps)
}

/// Values of the parameters, as text.
pub(super) fn parameters(build: &Build<'_>) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    build.spec.parameter.iter().map(|(name, value)| (name.into(), text(value))).collect()
}
