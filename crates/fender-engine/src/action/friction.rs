//! Friction on a coordinate: a level that does not depend on the speed, and a part in proportion to it.

use super::{Action, ActionForce};

/// force = −level·φ(rate/v_ε) − viscous·rate, with the smooth φ(r) = r(3 − r²)/2 up to 1. Dissipates. As for contacts, a
/// joint that should stand still creeps slower than v_ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Dry friction [N·m or N].
    pub level: f64,
    /// Viscous friction [N·m·s/rad or N·s/m].
    pub viscous: f64,
    /// Rate at which dry friction is fully developed [rad/s or m/s].
    pub v_eps: f64,
}

impl Action for JointFriction {
    fn name(&self) -> &'static str {
        "friction"
    }

    fn apply(&self, _time: f64, _position: f64, rate: f64) -> ActionForce {
        let r = (rate / self.v_eps).clamp(-1.0, 1.0);
        let force = -self.level * r * (1.5 - 0.5 * r * r) - self.viscous * rate;
        let by_rate = -self.level * 1.5 * (1.0 - r * r) / self.v_eps - self.viscous;
        ActionForce { force, dissipated: -force * rate, by_rate, ..ActionForce::default() }
    }

    fn needs_position(&self) -> bool {
        false
    }
}
