//! Meshes from files: read once, to be looked at or to be touched.

use super::Build;
use crate::error::{ErrorKind, Problem};
use crate::spec::{ScaleSpec, ShapeSpec};
use crate::tree::Path;
use fender_geom::mesh::{self, MeshProblem};
use fender_geom::parts::{self, Doubled};
use fender_geom::trimesh::{Heightfield, TriMeshError};
use fender_geom::{TriMesh, VisualMesh};
use fender_math::Pose;
use std::sync::Arc;

/// What to do about a file that ends too early.
const CUT_SHORT: &str = "the file is not whole: copy or download it again, or write it again from the program that made it. If it is no mesh of this kind at all, give it the \
     ending of what it is";
/// What to do about a file without triangles.
const NO_TRIANGLES: &str = "a mesh needs faces, and points, lines and curves have none: write it again as triangles from the program that made it, with \
                            the part selected";

impl Build<'_> {
    /// Reads a mesh, with what it names.
    pub(super) fn read_mesh(&mut self, file: &str, path: &Path) -> Result<VisualMesh, Problem> {
        let bytes = self.asset(file, path)?;
        // What a mesh names is relative to it.
        let folder = file.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let mut beside = Vec::new();
        let read = mesh::read(file, &bytes, &mut |name| {
            let name = format!("{folder}{name}");
            let bytes = self.assets.read(&name).map_err(|error| error.to_string())?;
            beside.push((name, bytes.clone()));
            Ok(bytes)
        });
        let mesh = read.map_err(|error| {
            let help = match &error.problem {
                MeshProblem::Companion { name, .. } => self.assets.near(name),
                MeshProblem::Unsupported(_) => {
                    Some("write it again without this, or as another format".into())
                }
                MeshProblem::Truncated { .. } => Some(CUT_SHORT.into()),
                MeshProblem::Empty(_) => Some(NO_TRIANGLES.into()),
                // Text files end within a facet rather than within so many bytes.
                MeshProblem::Malformed(what) if what.contains("cut short") => Some(CUT_SHORT.into()),
                _ => None,
            };
            Problem::new(ErrorKind::Asset, path.clone(), format!("cannot read the mesh: {error}")).help(help)
        })?;
        for (name, bytes) in beside {
            self.remember(&name, bytes);
        }
        Ok(mesh)
    }

    /// A mesh to be touched; what is doubtful about it is a warning.
    pub(super) fn collision_mesh(
        &mut self,
        file: &str,
        scale: &ScaleSpec,
        path: &Path,
    ) -> Result<Arc<TriMesh>, Problem> {
        let factors = scale.factors();
        let key = (file.to_owned(), factors.to_array().map(f64::to_bits));
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(Arc::clone(mesh));
        }
        let read = self.read_mesh(file, path)?;
        let mesh = TriMesh::of_visual(&read, factors, &Pose::IDENTITY).map_err(|error| {
            let help = match error {
                TriMeshError::Empty => Some(NO_TRIANGLES.to_string()),
                TriMeshError::TooFar { .. } => {
                    Some("coordinates are those of the file times `scale`: look at both".into())
                }
                _ => None,
            };
            Problem::new(ErrorKind::Asset, path.clone(), format!("{file} cannot be touched: {error}"))
                .help(help)
        })?;
        for doubt in mesh.diagnostics().doubts() {
            self.warnings.push(format!("`{path}`: {file}: {doubt}"));
        }
        if let Some(Doubled { triangles: [f, g], point: p, parts }) = parts::doubled(&mesh)
            && self.noted.insert(format!("parts of {file}"))
        {
            self.notes.push(format!(
                "`{path}`: {file} has {parts} closed parts, and two of them overlap at ({:.4}, {:.4}, {:.4}) m, triangles {f} and {g}: what they share counts \
                 twice in its volume, and in the mass that follows from it. Unite them in the program that made it, or give the body its `mass`, `inertia` and `center_of_mass`",
                p.x, p.y, p.z
            ));
        }
        let mesh = Arc::new(mesh);
        self.meshes.insert(key, Arc::clone(&mesh));
        Ok(mesh)
    }
}

impl Build<'_> {
    /// A mesh whose triangles are touched. One with open edges is a sheet, which is right as often as not: whether it is meant is not known, so it is
    /// noted, once for each file. A file that was cut off between two lines shows itself by nothing else.
    pub(super) fn touched_mesh(
        &mut self,
        file: &str,
        scale: &ScaleSpec,
        path: &Path,
    ) -> Result<Arc<TriMesh>, Problem> {
        let mesh = self.collision_mesh(file, scale, path)?;
        if mesh.diagnostics().boundary.count > 0
            && let Some(why) = mesh.why_not_closed()
            && self.noted.insert(file.to_owned())
        {
            self.notes.push(format!(
                "`{path}`: {file} is not closed ({why}): it is a sheet, touched from both sides. If it should be a solid, its file was cut off, or has holes to \
                 close in the program that made it"
            ));
        }
        Ok(mesh)
    }
}

impl Build<'_> {
    /// Ground over a grid of heights.
    pub(super) fn ground(&mut self, spec: &ShapeSpec, path: &Path) -> Result<Arc<TriMesh>, Problem> {
        let ShapeSpec::Heightfield { file, heights, spacing, depth } = spec else {
            return Err(Problem::new(ErrorKind::Value, path.clone(), "this is no field of heights"));
        };
        let spacing = spacing.as_ref().map(|[x, y]| [x.value, y.value]);
        let field = match (file, heights) {
            (Some(file), None) => {
                let path = path.key("file");
                let bytes = self.asset(file, &path)?;
                Heightfield::read(file, &bytes, spacing).map_err(|error| {
                    Problem::new(ErrorKind::Asset, path, format!("cannot read the heights: {error}"))
                })?
            }
            (None, Some(rows)) => {
                let Some(spacing) = spacing else {
                    let message = "the key `spacing` is missing: how far apart the heights are";
                    return Err(Problem::new(ErrorKind::Key, path.clone(), message));
                };
                let path = path.key("heights");
                let columns = rows.first().map_or(0, Vec::len);
                if let Some(i) = rows.iter().position(|row| row.len() != columns) {
                    let message =
                        format!("expected {columns} heights as in the first row, got {}", rows[i].len());
                    return Err(Problem::new(ErrorKind::Value, path.index(i), message));
                }
                if rows.len() < 2 || columns < 2 {
                    let message = "a field has at least 2 rows of 2 heights";
                    return Err(Problem::new(ErrorKind::Value, path, message));
                }
                Heightfield { columns, heights: rows.iter().flatten().map(|h| h.value).collect(), spacing }
            }
            _ => {
                let message = "give either a `file` or a list of `heights`";
                return Err(Problem::new(ErrorKind::Key, path.clone(), message));
            }
        };
        let side = |n: usize, spacing: f64| (n - 1) as f64 * spacing;
        let shorter = side(field.columns, field.spacing[0]).min(side(field.rows(), field.spacing[1]));
        let solid = field.solid(depth.as_ref().map_or(shorter, |depth| depth.value));
        let solid = solid.map_err(|error| Problem::new(ErrorKind::Value, path.clone(), error.to_string()))?;
        Ok(Arc::new(solid))
    }
}
