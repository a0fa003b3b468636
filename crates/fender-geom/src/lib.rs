//! Shapes and what geometry tells physics: mass properties, bounds, candidate pairs and overlaps.
//!
//! `parry` is an implementation detail of this crate and appears in no public signature.

pub mod bounds;
pub mod broad;
pub mod narrow;
pub mod shape;

pub use bounds::Bounds;
pub use broad::BroadPhase;
pub use narrow::{Overlaps, overlaps};
pub use shape::{Shape, ShapeError};

#[cfg(test)]
#[path = "../tests/random_cases/mod.rs"]
mod random_cases;
