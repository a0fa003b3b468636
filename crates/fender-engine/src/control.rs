//! Control: the inputs of one step, from an operator, a script or another program.

use crate::{BodyId, CableId, Change};
use fender_math::Wrench;

/// Inputs of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// Extra force and torque about the centre of mass on chosen bodies, in the world. Its work is the account's
    /// source `control`.
    pub push: Vec<(BodyId, Wrench)>,
    /// Changes to make before the step, in this order; the world takes them.
    pub changes: Vec<Change>,
    /// Payout speeds of cables, instead of the model's, from now on; `None` gives a cable back to the model [m/s].
    pub payout: Vec<(CableId, Option<f64>)>,
}
