//! Hysteretic damping shared by the laws `f = elastic·(1 + a·approach)`.

use crate::parameter::{ParameterError, positive};
use crate::{Damping, Memory, Motion, NormalForce, Restitution};

/// Damping in proportion to the elastic force, so that the force starts and ends at zero and never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hysteresis {
    /// Requested restitution.
    pub restitution: Restitution,
    /// How the damping follows from it.
    pub damping: Damping,
    /// Least impact speed the damping is made for [m/s].
    pub v_small: f64,
    /// y = a·v of the slowest impacts, solved once.
    pub factor: f64,
}

impl Hysteresis {
    pub fn new(restitution: Restitution, damping: Damping, v_small: f64) -> Result<Self, ParameterError> {
        let factor = damping.factor(restitution.check()?.at(0.0))?;
        let v_small = positive("v_small", "a positive speed [m/s]", v_small)?;
        Ok(Self { restitution, damping, v_small, factor })
    }

    /// Adds the damping to an elastic force with its energy and slope.
    #[inline]
    pub fn damp(
        &self,
        elastic: f64,
        stored: f64,
        slope: f64,
        motion: &Motion,
        memory: &Memory,
    ) -> NormalForce {
        let speed = memory.impact_speed.max(self.v_small);
        let factor = match self.restitution {
            Restitution::Constant(_) => self.factor,
            Restitution::Falling { .. } => self.restitution.factor_at(self.damping, speed),
        };
        let a = factor / speed;
        // Parting faster than the damping was made for (pulled apart, or latched at a slow touch): the surfaces let go
        // rather than pull, and what was stored is lost. Written as selections, so that a NaN is passed on and the
        // usual cases share one path.
        let relative = a * motion.approach;
        let holds = relative > -1.0;
        let relative = if relative < -1.0 { -1.0 } else { relative };
        let gain = 1.0 + relative;
        NormalForce {
            force: elastic * gain,
            elastic,
            stored,
            dissipated: elastic * relative * motion.approach,
            stiffness: slope * gain,
            damping: if holds { elastic * a } else { 0.0 },
            viscosity: elastic * a,
        }
    }
}
