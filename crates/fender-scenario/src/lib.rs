//! Scenario files: TOML to a model, with units, parameters, overrides, assets and errors that point at the key.
//!
//! ```
//! use fender_scenario::{Assets, Override, load_str};
//!
//! let text = r#"
//! format = 1
//! title = "Falling ball"
//!
//! [parameter]
//! height = "2 m"
//!
//! [run]
//! duration = "1 s"
//!
//! [material.steel]
//! density = "7.8 t/m^3"
//!
//! [body.ball]
//! shape.sphere = { radius = "5 cm" }
//! material = "steel"
//! position = [0, 0, "$height"]
//! "#;
//! let scenario = load_str("fall", text, &Assets::none(), &[Override::new("height", "3 m")])?;
//! assert_eq!(scenario.model.bodies[0].pose.translation.z, 3.0);
//! # Ok::<(), fender_scenario::ScenarioError>(())
//! ```
//!
//! The way of a file: text → tree of values with places → overrides → parameters and expressions → [`spec::ScenarioSpec`]
//! → model. What the user wrote plus every default is written back as [`Scenario::expanded`].

mod assets;
mod build;
mod de;
mod error;
mod expression;
pub mod import;
pub mod library;
pub mod line_catalogue;
mod look;
mod lookup;
mod overrides;
mod parameter;
pub mod quantity;
mod scenario;
mod schema;
mod series;
pub mod spec;
mod step_limit;
pub mod suggest;
mod suits;
mod syntax;
mod tree;
pub mod units;

pub use assets::Assets;
pub use build::passing_cables;
pub use error::{ErrorKind, ScenarioError};
pub use look::{View, Visual};
pub use lookup::Found;
pub use overrides::Override;
pub use scenario::{Check, Expect, Record, RunSettings, Scenario, When, load, load_str};
pub use schema::{schema, schema_text};
pub use spec::Statistic;
pub use step_limit::StepLimit;
pub use suits::Suited;
