//! Contact laws: from a geometric overlap and a relative motion to forces, energies and memory rates.
//!
//! Three questions are kept apart. *Geometry* answers with an overlap ([`PointOverlap`]); a *law* answers with
//! force, stored energy, dissipated power and memory ([`NormalLaw`], [`FrictionLaw`]); a *solver*, elsewhere,
//! uses both. Nothing here knows a body, a shape or a time step, so the crate can serve any other engine.
//!
//! Sign convention: the contact normal points from the second body to the first; depth and approach speed are
//! positive when the bodies overlap and close; forces are those on the first body.

pub mod damping;
pub mod friction;
pub mod law;
pub mod memory;
pub mod normal;
pub mod overlap;
mod parameter;

pub use damping::{Damping, RestitutionError};
pub use friction::{Coulomb, Frictionless, friction_laws};
pub use law::{FrictionForce, FrictionLaw, FrictionUpdate, NormalForce, NormalLaw, NormalUpdate, Promises};
pub use memory::{FLOW, Memory};
pub use normal::{Elasticity, Hertz, HertzStiffness, KelvinVoigt, Linear, normal_laws};
pub use overlap::{Motion, PointOverlap};
pub use parameter::ParameterError;
