//! Contact laws: from a geometric overlap and a relative motion to forces, energies and memory rates.
//!
//! Three questions are kept apart. *Geometry* answers with an overlap ([`PointOverlap`]); a *law* answers with
//! force, stored energy, dissipated power and memory ([`NormalLaw`], [`FrictionLaw`]); a *solver*, elsewhere,
//! uses both. Nothing here knows a body, a shape or a time step, so the crate can serve any other engine.
//!
//! Sign convention: the contact normal points from the second body to the first; depth and approach speed are
//! positive when the bodies overlap and close; forces are those on the first body.
//!
//! ```
//! use fender_contact::{Damping, Hertz, HertzStiffness, Memory, Motion, NormalLaw, PointOverlap};
//! use fender_math::Vec3;
//!
//! # fn main() -> Result<(), fender_contact::ParameterError> {
//! let law = Hertz::new(HertzStiffness::Given(1e6), 0.5, Damping::Exact, 1e-3)?;
//! // A ball 1 mm deep in the floor, on its way back up at 0.2 m/s from an impact at 1 m/s.
//! let overlap = PointOverlap { point: Vec3::ZERO, normal: Vec3::Z, depth: 1e-3, curvature: 10.0, elongation: Vec3::ZERO, share: 1.0 };
//! let motion = Motion { approach: -0.2, slip: Vec3::ZERO };
//! let answer = law.rate(&overlap, &motion, &Memory { impact_speed: 1.0, ..Memory::default() });
//! assert!(answer.force > 0.0 && answer.force < answer.elastic && answer.dissipated > 0.0);
//! # Ok(())
//! # }
//! ```

mod cubic;
pub mod damping;
pub mod friction;
pub mod impact;
pub mod law;
pub mod memory;
pub mod normal;
pub mod overlap;
mod parameter;
pub mod patch;
pub mod restitution;

pub use damping::{Damping, RestitutionError};
pub use friction::{Bristle, Bristles, Coulomb, Frictionless, LuGre, Luaces, LuacesRule, friction_laws};
pub use impact::{Impact, ImpactLaw};
pub use law::{FrictionForce, FrictionLaw, FrictionUpdate, NormalForce, NormalLaw, NormalUpdate, Promises};
pub use memory::{DWELL, FLOW, Memory, RELAXED};
pub use normal::{
    Elasticity, Ellipse, Foundation, Hertz, HertzStiffness, HuntCrossley, KelvinVoigt, Linear, Normal, Patch,
    normal_laws,
};
pub use overlap::{Motion, PatchOverlap, PointOverlap};
pub use parameter::ParameterError;
pub use patch::{PatchGradient, Rolling, Spread};
pub use restitution::Restitution;
