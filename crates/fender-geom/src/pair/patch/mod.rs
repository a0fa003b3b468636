//! Overlaps of two solids in a volume.
//!
//! One of the two is soft: it is cut into cells ([`cells`]), one for each of its faces, in which the depth below the
//! surface is linear. The other one is rigid and is cut by the planes of the cells. Every function here is pure.

pub mod cells;
mod moments;
mod polygon;
pub mod round;

pub use moments::{CellMoments, PatchMoments, SectionMoments};
