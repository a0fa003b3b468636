//! Mass properties of free bodies: given, or from shapes and densities.

use super::body::{Part, Weight};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::spec::{BodySpec, InertiaSpec};
use crate::tree::Path;
use fender_math::{MassError, MassProperties, Mat3, Vec3};

/// Mass, centre and inertia of a free body.
pub(super) fn mass_properties(
    spec: &BodySpec,
    parts: &[Part],
    path: &Path,
) -> Result<MassProperties, Problem> {
    let missing =
        |message: String, help: String| Problem::new(ErrorKind::Key, path.clone(), message).help(help);
    let from_shapes = from_shapes(parts, spec.mass.is_some());

    let mass = match (spec.mass, from_shapes) {
        (Some(mass), _) => mass.value,
        (None, Some(shapes)) => shapes.mass,
        (None, None) => {
            let message = "the mass of this free body is unknown: the key `mass` is missing".to_string();
            let help = if parts.is_empty() {
                "give it a `mass` and an `inertia`, or a `shape` of a material with a density, or `fixed = true`"
            } else {
                "give it a `mass`, or give its material a `density`, or `fixed = true`"
            };
            return Err(missing(message, help.into()));
        }
    };
    let properties = match (&spec.inertia, from_shapes) {
        (Some(inertia), shapes) => {
            let center = spec.center_of_mass.as_ref().map(vec3);
            let center = center.or(shapes.map(|s| s.center)).unwrap_or(Vec3::ZERO);
            MassProperties { mass, center, inertia: matrix(inertia) }
        }
        (None, Some(shapes)) if spec.center_of_mass.is_none() => shapes.with_mass(mass),
        (None, Some(_)) => {
            let message = "`center_of_mass` is given, and the key `inertia` is missing".to_string();
            let help = "give the inertia about that centre: that of the shapes is about another".to_string();
            return Err(missing(message, help));
        }
        (None, None) => {
            let message =
                "the inertia of this free body is unknown: the key `inertia` is missing".to_string();
            let help = "give it an `inertia` such as [0.1, 0.1, 0.1], or a `shape`".to_string();
            return Err(missing(message, help));
        }
    };
    properties.check().map_err(|error| {
        let key = match error {
            MassError::Mass(_) if spec.mass.is_some() => "mass",
            MassError::Mass(_) => "shape",
            _ if spec.inertia.is_some() => "inertia",
            _ => "shape",
        };
        Problem::new(ErrorKind::Value, path.key(key), error.to_string())
    })?;
    Ok(properties)
}

/// Mass properties of the shapes, if every density is known. Where the mass is given anyway, only the ratio of the
/// densities counts, and a common one does if they are not all known.
fn from_shapes(parts: &[Part], mass_given: bool) -> Option<MassProperties> {
    let known = parts.iter().all(|p| p.density.is_some());
    if !known && !mass_given {
        return None;
    }
    let part = |p: &Part| {
        let density = if known { p.density.unwrap_or(1.0) } else { 1.0 };
        let mass = match &p.weight {
            Weight::Mesh(mesh) => mesh.mass_properties(density),
            Weight::Own | Weight::None => p.shape.mass_properties(density),
        };
        mass.map(|m| m.transformed(&p.pose))
    };
    let heavy = parts.iter().filter(|p| !matches!(p.weight, Weight::None));
    let all: Option<Vec<MassProperties>> = heavy.map(part).collect();
    MassProperties::sum(all?.into_iter())
}

fn matrix(spec: &InertiaSpec) -> Mat3 {
    let d = vec3(&spec.moments);
    let p = spec.products.as_ref().map_or(Vec3::ZERO, vec3);
    let (xy, xz, yz) = (p.x, p.y, p.z);
    Mat3::from_cols(Vec3::new(d.x, xy, xz), Vec3::new(xy, d.y, yz), Vec3::new(xz, yz, d.z))
}
