//! Lines: what cables are made of.

use super::{Build, check_name};
use crate::error::{ErrorKind, Problem};
use crate::line_catalogue;
use crate::spec::{AxialSpec, LineSpec};
use crate::suggest;
use crate::tree::Path;
use fender_engine::cable::{Axial, CableError, Line};
use fender_math::float;
use std::f64::consts::FRAC_PI_4;

/// A line with what depends on the elements still open.
#[derive(Clone, Debug)]
pub(super) struct Material {
    /// Without axial damping.
    line: Line,
    damping: Damping,
}

#[derive(Clone, Copy, Debug)]
enum Damping {
    /// [N·s]
    Fixed(f64),
    /// Part of the critical damping of an element's axial mode.
    Ratio(f64),
}

impl Material {
    /// The line in elements of a length [m].
    pub fn in_elements(&self, length: f64) -> Line {
        let axial_damping = match self.damping {
            Damping::Fixed(value) => value,
            Damping::Ratio(ratio) => ratio * length * (self.line.axial.stiffness() * self.line.mass).sqrt(),
        };
        Line { axial_damping, ..self.line.clone() }
    }
}

impl Build<'_> {
    pub(super) fn lines(&self) -> Result<Vec<Material>, Problem> {
        let lines = self.spec.line.iter();
        lines.map(|(name, line)| material(name, line, &Path::root().key("line").key(name))).collect()
    }

    /// Index of the line with this name.
    pub(super) fn line_named(&self, name: &str, path: &Path) -> Result<usize, Problem> {
        self.spec.line.position(name).ok_or_else(|| {
            let help = suggest::help(name, self.spec.line.names(), "lines");
            let message = format!("there is no line `{name}`");
            Problem::new(ErrorKind::Reference, path.clone(), message).help(help)
        })
    }
}

fn material(name: &str, spec: &LineSpec, path: &Path) -> Result<Material, Problem> {
    check_name(name, path)?;
    let like = match &spec.like {
        None => None,
        Some(like) => Some(line_catalogue::look_up(like).map_err(|error| {
            Problem::new(ErrorKind::Reference, path.key("like"), error.to_string()).help(error.help())
        })?),
    };
    let missing = |key: &str, example: &str| {
        let message = format!("the key `{key}` is missing");
        let help = format!("such as {example}, or `like` a line of the catalogue");
        Problem::new(ErrorKind::Key, path.clone(), message).help(help)
    };
    let Some(mass) = spec.mass.map(|m| m.value).or(like.as_ref().map(|l| l.mass)) else {
        return Err(missing("mass", "mass = \"20 kg/m\""));
    };
    let (axial, damping) = match (&spec.axial, &like) {
        (Some(axial), _) => self::axial(axial, &path.key("axial"))?,
        (None, Some(like)) => (Axial::Linear { stiffness: like.axial_stiffness }, Damping::Fixed(0.0)),
        (None, None) => return Err(missing("axial", "axial.linear = { stiffness = \"10 MN\" }")),
    };
    let diameter = spec.diameter.map(|d| d.value).or(like.as_ref().map(|l| l.drag_diameter)).unwrap_or(0.0);
    // The catalogue's volume goes with its diameter.
    let round = FRAC_PI_4 * diameter * diameter;
    let volume = match (spec.volume, spec.diameter, &like) {
        (Some(volume), _, _) => volume.value,
        (None, None, Some(like)) => like.volume,
        (None, _, _) => round,
    };
    let drag = match (&spec.drag, &like) {
        (Some(drag), _) => [drag.normal.value, drag.tangential.value],
        (None, Some(like)) => [like.drag_normal, like.drag_tangential],
        (None, None) => [0.0; 2],
    };
    let added = match (&spec.added_mass, &like) {
        (Some(added), _) => [added.normal.value, added.tangential.value],
        // The catalogue's are of the circle of the drag diameter, the engine's of the volume.
        (None, Some(like)) if volume > 0.0 => {
            [like.added_mass_normal, like.added_mass_tangential].map(|c| c * round / volume)
        }
        (None, _) => [0.0; 2],
    };
    let (bending, bending_damping, curvature) = match (&spec.bending, &like) {
        (Some(bending), _) => {
            let (sin, cos) = float::sin_cos(bending.direction.value);
            let curvature = bending.curvature.value;
            (bending.stiffness.value, bending.damping.value, [curvature * cos, curvature * sin])
        }
        (None, Some(like)) => (like.bending_stiffness, 0.0, [0.0; 2]),
        (None, None) => (0.0, 0.0, [0.0; 2]),
    };
    // The catalogue's torsion is not taken unasked: twist costs time, and few cables need it.
    let (torsion, torsion_damping, inertia) = match &spec.torsion {
        Some(torsion) => {
            let inertia = torsion.inertia.map_or(mass * diameter * diameter / 8.0, |i| i.value);
            (torsion.stiffness.value, torsion.damping.value, inertia)
        }
        None => (0.0, 0.0, 0.0),
    };
    let line = Line {
        mass,
        diameter,
        volume,
        axial,
        axial_damping: 0.0,
        slack: spec.slack.unwrap_or(bending == 0.0),
        rounding: 0.0,
        bending,
        bending_damping,
        curvature,
        torsion,
        torsion_damping,
        inertia,
        drag_normal: drag[0],
        drag_tangential: drag[1],
        added_normal: added[0],
        added_tangential: added[1],
        breaking_load: spec.breaking_load.map(|f| f.value).or(like.as_ref().and_then(|l| l.breaking_load)),
        bend_radius: spec.bend_radius.map(|r| r.value).or(like.as_ref().and_then(|l| l.bend_radius)),
    };
    line.check().map_err(|error| line_problem(spec, &error, path))?;
    Ok(Material { line, damping })
}

fn axial(spec: &AxialSpec, path: &Path) -> Result<(Axial, Damping), Problem> {
    let (axial, fixed, ratio, path) = match spec {
        AxialSpec::Linear { stiffness, damping, damping_ratio } => {
            (Axial::Linear { stiffness: stiffness.value }, damping, damping_ratio, path.key("linear"))
        }
        AxialSpec::Table { strain_tension, damping, damping_ratio } => {
            let rows = strain_tension.iter().map(|(strain, tension)| (strain.value, tension.value)).collect();
            (Axial::Table(rows), damping, damping_ratio, path.key("table"))
        }
    };
    match (fixed, ratio) {
        (Some(_), Some(_)) => {
            let message = "give either `damping` or `damping_ratio`";
            Err(Problem::new(ErrorKind::Key, path.key("damping_ratio"), message))
        }
        (Some(value), None) => Ok((axial, Damping::Fixed(value.value))),
        (None, Some(ratio)) => Ok((axial, Damping::Ratio(ratio.value))),
        (None, None) => Ok((axial, Damping::Fixed(0.0))),
    }
}

/// Says in the file's terms what the engine says of a line.
fn line_problem(spec: &LineSpec, error: &CableError, path: &Path) -> Problem {
    let (path, help) = match error {
        CableError::BadTable => (path.key("axial").key("table").key("strain_tension"), None),
        CableError::CurvatureNeedsTorsion => {
            (path.key("bending").key("curvature"), Some("add torsion = { stiffness = … }".to_string()))
        }
        CableError::BadNumber { .. } if spec.torsion.is_some() => {
            (path.key("torsion"), Some("give `inertia`, or the `diameter` it follows from".to_string()))
        }
        _ => (path.clone(), None),
    };
    Problem::new(ErrorKind::Value, path, error.to_string()).help(help)
}
