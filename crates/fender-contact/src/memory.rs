//! What a contact remembers. It belongs to the engine's `State`; the laws only read it and give its rates.

use serde::{Deserialize, Serialize};

/// Numbers a law may integrate in time. Enough for a bristle deflection (3), dwell, relaxed depth and torsion.
pub const FLOW: usize = 6;

/// Place of the dwell state among the flowing numbers: how far stiction has built up, from 0 to 1.
pub const DWELL: usize = 3;

/// Place of the relaxed depth: what of the depth does not count yet [m]. Solvers keep it, not the laws.
pub const RELAXED: usize = 4;

/// Memory of one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Approach speed latched when the contact opened [m/s].
    pub impact_speed: f64,
    /// Quantities that flow: integrated with the motion, by the same scheme. Each law says what they are.
    pub flow: [f64; FLOW],
}
