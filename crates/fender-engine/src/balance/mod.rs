//! Balance: positions in which everything rests, and how it swings about them.

mod linear;
mod modes;
mod statics;

pub use linear::{Linear, linearize};
pub use modes::{Mode, displaced, modes};
pub use statics::{Rest, StaticsError, rest};
