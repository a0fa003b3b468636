//! Motors: a drive with a limited effort.

use super::{Action, ActionForce};

/// What a motor aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A constant effort [N·m or N].
    Effort(f64),
    /// A rate [rad/s or m/s].
    Rate {
        /// Wanted rate.
        rate: f64,
        /// Effort per error of the rate [N·m·s/rad or N·s/m].
        gain: f64,
    },
    /// A position [rad or m].
    Position {
        /// Wanted position.
        position: f64,
        /// Effort per error [N·m/rad or N/m].
        stiffness: f64,
        /// Effort per rate, against it [N·m·s/rad or N·s/m].
        damping: f64,
    },
}

/// Drives a coordinate with an effort that is cut off at a limit. All of its power is work, given or taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// What it aims at.
    pub target: Target,
    /// Greatest effort [N·m or N].
    pub limit: f64,
}

impl Action for Motor {
    fn name(&self) -> &'static str {
        "motor"
    }

    fn apply(&self, _time: f64, position: f64, rate: f64) -> ActionForce {
        let effort = match self.target {
            Target::Effort(effort) => effort,
            Target::Rate { rate: wanted, gain } => gain * (wanted - rate),
            Target::Position { position: wanted, stiffness, damping } => {
                stiffness * (wanted - position) - damping * rate
            }
        };
        let force = effort.clamp(-self.limit, self.limit);
        let (by_position, by_rate) = match self.target {
            _ if force != effort => (0.0, 0.0),
            Target::Effort(_) => (0.0, 0.0),
            Target::Rate { gain, .. } => (0.0, -gain),
            Target::Position { stiffness, damping, .. } => (-stiffness, -damping),
        };
        ActionForce { force, work: force * rate, by_position, by_rate, ..ActionForce::default() }
    }

    fn needs_position(&self) -> bool {
        matches!(self.target, Target::Position { .. })
    }
}
