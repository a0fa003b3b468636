//! Balance: positions in which everything rests, and how it swings about them.

mod linear;
mod modes;
mod stability;
mod statics;

pub use linear::{Linear, linearize};
pub use modes::{Mode, displaced, modes};
pub use stability::{Instability, bent_stretches, compressions, instability};
pub(crate) use stability::{Pencil, SLOWEST, unstable_direction};
pub use statics::{Rest, StaticsError, rest};
