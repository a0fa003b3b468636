//! `[world]` and `[material.NAME]`.

use crate::library::{self, LibraryMaterial};
use crate::quantity::{
    Acceleration, Density, Length, Number, PoissonRange, Positive, Pressure, Quantity, Vector,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What surrounds the bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// Acceleration of gravity [m/s²]; by default (0, 0, −9.81).
    #[serde(default = "gravity")]
    pub gravity: Vector<Acceleration>,
}

fn gravity() -> Vector<Acceleration> {
    [Quantity::new(0.0), Quantity::new(0.0), Quantity::new(-9.81)]
}

impl Default for WorldSpec {
    fn default() -> Self {
        Self { gravity: gravity() }
    }
}

/// A material. What it is made of matters where mass or contact stiffness is derived from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSpec {
    /// A material of the library, for what is not given here; `fender materials` lists them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Density, for bodies whose mass is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Quantity<Density, Positive>>,
    /// Young's modulus, for Hertz contacts whose stiffness is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub youngs_modulus: Option<Quantity<Pressure, Positive>>,
    /// Poisson's ratio, for the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson_ratio: Option<Quantity<Number, PoissonRange>>,
    /// Thickness of the layer that yields, for `normal.foundation`; without it the material is rigid there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Quantity<Length, Positive>>,
}

impl MaterialSpec {
    fn library(&self) -> Option<&'static LibraryMaterial> {
        self.like.as_deref().and_then(library::material)
    }

    /// Density [kg/m³], its own or that of what it is like.
    pub fn density(&self) -> Option<f64> {
        self.density.map(|d| d.value).or_else(|| self.library().map(|m| m.density))
    }

    /// Young's modulus [Pa], its own or that of what it is like.
    pub fn youngs_modulus(&self) -> Option<f64> {
        self.youngs_modulus.map(|e| e.value).or_else(|| self.library().map(|m| m.young))
    }

    /// Poisson's ratio, its own or that of what it is like.
    pub fn poisson_ratio(&self) -> Option<f64> {
        self.poisson_ratio.map(|nu| nu.value).or_else(|| self.library().map(|m| m.poisson))
    }
}
