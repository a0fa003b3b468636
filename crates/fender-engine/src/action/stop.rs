//! Compliant stops at the ends of a coordinate's range.

use super::{Action, ActionForce};

/// Beyond its end a stop pushes back with stiffness·depth·(1 + damping·rate into it), and never pulls. Stores and
/// dissipates; the damping grows with the depth, so that the force starts and ends at zero (Hunt and Crossley 1975).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Lower end [rad or m].
    pub low: f64,
    /// Upper end [rad or m].
    pub high: f64,
    /// Stiffness [N·m/rad or N/m].
    pub stiffness: f64,
    /// Damping per stiffness [s/rad or s/m].
    pub damping: f64,
}

impl Action for Stop {
    fn name(&self) -> &'static str {
        "limits"
    }

    fn apply(&self, _time: f64, position: f64, rate: f64) -> ActionForce {
        let (depth, sign) = if position > self.high {
            (position - self.high, 1.0)
        } else if position < self.low {
            (self.low - position, -1.0)
        } else {
            return ActionForce::default();
        };
        let into = sign * rate;
        let elastic = self.stiffness * depth;
        let push = elastic * (1.0 + self.damping * into).max(0.0);
        let pushes = if push > 0.0 { 1.0 } else { 0.0 };
        ActionForce {
            force: -sign * push,
            stored: 0.5 * elastic * depth,
            dissipated: (push - elastic) * into,
            by_position: -self.stiffness * (1.0 + self.damping * into).max(0.0),
            by_rate: -pushes * elastic * self.damping,
            ..ActionForce::default()
        }
    }
}
