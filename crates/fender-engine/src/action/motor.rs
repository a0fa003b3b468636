//! Motors: a drive with a limited effort.

use super::{Action, ActionForce};
use fender_math::Profile;

/// What a motor aims at.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An effort [N·m or N].
    Effort(Profile),
    /// A rate [rad/s or m/s].
    Rate {
        /// Wanted rate.
        rate: Profile,
        /// Effort per error of the rate [N·m·s/rad or N·s/m].
        gain: f64,
    },
    /// A position [rad or m].
    Position {
        /// Wanted position.
        position: Profile,
        /// Effort per error [N·m/rad or N/m].
        stiffness: f64,
        /// Effort per rate relative to that of the wanted position, against it [N·m·s/rad or N·s/m].
        damping: f64,
    },
}

/// Drives a coordinate with an effort that is cut off at a limit. All of its power is work, given or taken.
///
/// A motor has no memory: one that must hold a load without an error is a `Controller` with a PID law.
#[derive(Clone, Debug, PartialEq)]
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

    fn apply(&self, time: f64, position: f64, rate: f64) -> ActionForce {
        let effort = match &self.target {
            Target::Effort(effort) => effort.sample(time)[0],
            Target::Rate { rate: wanted, gain } => gain * (wanted.sample(time)[0] - rate),
            Target::Position { position: wanted, stiffness, damping } => {
                let [wanted, wanted_rate, _] = wanted.sample(time);
                stiffness * (wanted - position) + damping * (wanted_rate - rate)
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

    fn time_events(&self) -> Vec<f64> {
        match &self.target {
            Target::Effort(target)
            | Target::Rate { rate: target, .. }
            | Target::Position { position: target, .. } => target.time_events(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::series::Series;

    #[test]
    fn a_target_may_change_over_time() {
        let line = Profile::Series(Series::new(vec![0.0, 2.0], vec![[0.0], [6.0]]).unwrap());
        let position = Target::Position { position: line.clone(), stiffness: 10.0, damping: 2.0 };
        let motor = Motor { target: position, limit: 100.0 };
        // At 1 s the wanted position is 3 and moves at 3: 10·(3 − 2.5) + 2·(3 − 4).
        assert_eq!(motor.apply(1.0, 2.5, 4.0).force, 3.0);
        assert_eq!(motor.time_events(), [0.0, 2.0]);
        let motor = Motor { target: Target::Rate { rate: line.clone(), gain: 4.0 }, limit: 100.0 };
        assert_eq!(motor.apply(1.0, 0.0, 1.0).force, 8.0);
        let motor = Motor { target: Target::Effort(line), limit: 2.0 };
        assert_eq!((motor.apply(0.5, 0.0, 0.0).force, motor.apply(1.0, 0.0, 0.0).force), (1.5, 2.0));
    }
}
