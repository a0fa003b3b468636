//! A spring with a damper on a coordinate.

use super::{Action, ActionForce};

/// force = −stiffness·(position − rest) − damping·rate. Stores and dissipates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpring {
    /// Stiffness [N·m/rad or N/m].
    pub stiffness: f64,
    /// Damping [N·m·s/rad or N·s/m].
    pub damping: f64,
    /// Position at which the spring is slack [rad or m].
    pub rest: f64,
}

impl Action for JointSpring {
    fn name(&self) -> &'static str {
        "spring"
    }

    fn apply(&self, _time: f64, position: f64, rate: f64) -> ActionForce {
        let stretch = position - self.rest;
        ActionForce {
            force: -self.stiffness * stretch - self.damping * rate,
            stored: 0.5 * self.stiffness * stretch * stretch,
            dissipated: self.damping * rate * rate,
            by_position: -self.stiffness,
            by_rate: -self.damping,
            ..ActionForce::default()
        }
    }
}
