//! What acts on a joint's coordinate: springs, dampers, friction, stops, motors. One file each.

mod friction;
mod motor;
mod spring;
mod stop;

pub use friction::JointFriction;
pub use motor::{Motor, Target};
pub use spring::JointSpring;
pub use stop::Stop;

use std::fmt::Debug;

/// What an action does at one instant. A generalised force is a force [N] on a distance and a torque [N·m] on an angle;
/// units below are those of an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActionForce {
    /// Generalised force [N·m].
    pub force: f64,
    /// Energy stored [J].
    pub stored: f64,
    /// Power lost [W].
    pub dissipated: f64,
    /// Power delivered to the scene [W].
    pub work: f64,
    /// ∂force/∂position [N·m/rad].
    pub by_position: f64,
    /// ∂force/∂rate [N·m·s/rad].
    pub by_rate: f64,
}

/// Acts on one coordinate and accounts for its energy: force·rate = work − dissipated − d(stored)/dt.
pub trait Action: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// What it does at the time [s] for the coordinate [rad or m] and its rate.
    fn apply(&self, time: f64, position: f64, rate: f64) -> ActionForce;

    /// Whether it looks at the position: a spin has none.
    fn needs_position(&self) -> bool {
        true
    }

    /// Times at which it starts, stops or has a kink [s].
    fn time_events(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// One of each, for the contract test.
pub fn samples() -> Vec<Box<dyn Action>> {
    vec![
        Box::new(JointSpring { stiffness: 40.0, damping: 0.3, rest: 0.2 }),
        Box::new(JointFriction { level: 1.5, viscous: 0.2, v_eps: 0.05 }),
        Box::new(Stop { low: -0.5, high: 0.4, stiffness: 300.0, damping: 2.0 }),
        Box::new(Motor { target: Target::Effort(2.0.into()), limit: 1.5 }),
        Box::new(Motor { target: Target::Rate { rate: 0.4.into(), gain: 3.0 }, limit: 2.0 }),
        Box::new(Motor {
            target: Target::Position { position: 0.3.into(), stiffness: 20.0, damping: 1.0 },
            limit: 4.0,
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_accounts_for_its_energy() {
        const H: f64 = 1e-7;
        for action in samples() {
            for i in 0..40 {
                for j in 0..20 {
                    let (x, v) = (f64::from(i) * 0.05 - 1.0 + 1e-3, f64::from(j) * 0.2 - 2.0 + 1e-3);
                    let now = action.apply(0.0, x, v);
                    let stored = |h: f64| action.apply(0.0, x + h * v, v).stored;
                    let storing = (stored(H) - stored(-H)) / (2.0 * H);
                    let balance = now.force * v - (now.work - now.dissipated - storing);
                    assert!(
                        balance.abs() < 1e-5 * (1.0 + (now.force * v).abs()),
                        "{action:?} {x} {v} {balance}"
                    );
                    assert!(now.dissipated >= 0.0, "{action:?}");
                    let slope = |dx: f64, dv: f64| {
                        let at = |s: f64| action.apply(0.0, x + s * dx, v + s * dv).force;
                        (at(H) - at(-H)) / (2.0 * H)
                    };
                    let (by_position, by_rate) = (slope(1.0, 0.0), slope(0.0, 1.0));
                    assert!((by_position - now.by_position).abs() < 1e-4, "{action:?} {x} {v}");
                    assert!((by_rate - now.by_rate).abs() < 1e-4, "{action:?} {x} {v}");
                }
            }
        }
    }
}
