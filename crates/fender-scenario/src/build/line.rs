//! Lines: what cables are made of.

use super::{Build, check_name};
use crate::error::{ErrorKind, Problem};
use crate::line_catalogue::{self, CatalogueLine, DEFAULT_DAMPING_RATIO};
use crate::spec::{AxialSpec, LineSpec};
use crate::suggest;
use crate::tree::Path;
use fender_engine::cable::{Axial, CableError, Line};
use fender_math::float;
use std::f64::consts::{FRAC_PI_4, PI};

/// A line with what depends on the cable still open.
#[derive(Clone, Debug)]
pub(super) struct Material {
    /// Without axial damping.
    line: Line,
    damping: Damping,
    /// What the file leaves open, for `fender check`: why the damping is what it is.
    unsaid: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Damping {
    /// [N·s]
    Fixed(f64),
    /// Part of the critical damping of the cable's first axial mode.
    Ratio(f64),
}

impl Material {
    /// Time that an axial wave takes along a length [m] of it [s].
    pub fn passage(&self, length: f64) -> f64 {
        length * (self.line.mass / self.line.axial.stiffness()).sqrt()
    }

    /// The line in a cable that an axial wave takes a time [s] to run along. Of a bar of that passage T with one end held and the other free the first axial mode
    /// has ω = π/2T (Rayleigh 1894, chapter VII), in which Kelvin-Voigt damping BA is ζ = BA·ω/2EA of the critical one: BA = ζ·(4/π)·EA·T, which is
    /// ζ·(4/π)·L·√(EA·m) for one line.
    pub fn in_cable(&self, passage: f64) -> Line {
        let axial_damping = match self.damping {
            Damping::Fixed(value) => value,
            Damping::Ratio(ratio) => ratio * (4.0 / PI) * self.line.axial.stiffness() * passage,
        };
        Line { axial_damping, ..self.line.clone() }
    }

    /// Why it is damped as it is, if the file does not say how.
    pub fn unsaid(&self) -> Option<&str> {
        self.unsaid.as_deref()
    }
}

impl Build<'_> {
    pub(super) fn lines(&mut self) -> Result<Vec<Material>, Problem> {
        let mut lines = Vec::new();
        for (name, spec) in self.spec.line.iter() {
            let material = material(name, spec, &Path::root().key("line").key(name))?;
            if spec.slack.is_none() && material.line.bending > 0.0 {
                self.chosen.push(format!(
                    "line.{name}: slack = true (it bends but does not push, as ropes; a rod says slack = false)"
                ));
            }
            lines.push(material);
        }
        Ok(lines)
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
    let axial = match (&spec.axial, &like) {
        (Some(AxialSpec::Linear { stiffness, .. }), _) => Axial::Linear { stiffness: stiffness.value },
        (Some(AxialSpec::Table { strain_tension, .. }), _) => {
            Axial::Table(strain_tension.iter().map(|(e, t)| (e.value, t.value)).collect())
        }
        (None, Some(like)) => Axial::Linear { stiffness: like.axial_stiffness },
        (None, None) => return Err(missing("axial", "axial.linear = { stiffness = \"10 MN\" }")),
    };
    let (damping, unsaid) = self::damping(name, spec, like.as_ref(), path)?;
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
        slack: spec.slack.unwrap_or(true),
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
    Ok(Material { line, damping, unsaid })
}

/// Axial damping: as the file gives it, as the catalogue has it, or the default; and which, if the file does not.
fn damping(
    name: &str,
    spec: &LineSpec,
    like: Option<&CatalogueLine>,
    path: &Path,
) -> Result<(Damping, Option<String>), Problem> {
    let (law, fixed, ratio) = spec.axial.as_ref().map_or(("linear", None, None), AxialSpec::damping);
    let within = path.key("axial").key(law);
    let given = [
        (spec.damping.map(|d| Damping::Fixed(d.value)), path.key("damping")),
        (spec.damping_ratio.map(|r| Damping::Ratio(r.value)), path.key("damping_ratio")),
        (fixed.map(Damping::Fixed), within.key("damping")),
        (ratio.map(Damping::Ratio), within.key("damping_ratio")),
    ];
    let mut given = given.into_iter().filter_map(|(damping, path)| Some((damping?, path)));
    let first = given.next();
    if let Some((_, path)) = given.next() {
        let message = "give either `damping` or `damping_ratio`, once";
        return Err(Problem::new(ErrorKind::Key, path, message));
    }
    Ok(match (first, like) {
        (Some((damping, _)), _) => (damping, None),
        (None, Some(like)) => {
            let (ratio, like) = (like.kind.damping_ratio(), &like.name);
            (Damping::Ratio(ratio), Some(format!("as `{like}` in line.{name}; damping = 0 for none")))
        }
        (None, None) => {
            let why = format!("line.{name} gives no damping; damping = 0 for none");
            (Damping::Ratio(DEFAULT_DAMPING_RATIO), Some(why))
        }
    })
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
