//! Cables: chains of nodes with mass, joined by elements that stretch, bend and twist.

mod error;
mod line;
mod spec;

pub use error::CableError;
pub use line::{Axial, Line, Lump, Point, Pull};
pub use spec::{Along, AlongKind, CableSpec, Guide, Payout, Resolution, Section, Tie};
