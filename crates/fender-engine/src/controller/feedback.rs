//! State feedback.
//!
//! # Models
//! A linear controller designed elsewhere (pole placement, LQR): every reading has a gain.
//! # Equation
//! u = u₀ − Σ kᵢ·(yᵢ − rᵢ).
//! # Parameters
//! u₀ [output], kᵢ [output/reading], rᵢ [reading].
//! # References
//! Franklin, Powell and Workman 1998, Digital Control of Dynamic Systems, chapter 8.

use super::{ControlLaw, Input, Moment};
use fender_math::Profile;

/// One reading with its gain.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it looks at.
    pub input: Input,
    /// Output per reading, against it.
    pub gain: f64,
    /// What the reading should be.
    pub target: Profile,
}

/// A law that is linear in the readings.
#[derive(Clone, Debug, PartialEq)]
pub struct StateFeedback {
    /// Output when every reading is at its target.
    pub offset: f64,
    /// The readings with their gains.
    pub terms: Vec<Term>,
}

impl ControlLaw for StateFeedback {
    fn name(&self) -> &'static str {
        "state_feedback"
    }

    fn inputs(&self) -> Vec<Input> {
        self.terms.iter().map(|term| term.input).collect()
    }

    fn check(&self) -> Result<(), String> {
        if self.offset.is_finite() && self.terms.iter().all(|term| term.gain.is_finite()) {
            return Ok(());
        }
        Err("a gain or the offset is not finite".into())
    }

    fn act(&self, moment: &Moment, read: &dyn Fn(Input) -> f64, _memory: &mut [f64]) -> f64 {
        let away = |term: &Term| term.gain * (read(term.input) - term.target.sample(moment.time)[0]);
        self.offset - self.terms.iter().map(away).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SensorId;

    #[test]
    fn every_reading_counts_with_its_gain_from_its_target() {
        let input = |sensor| Input { sensor: SensorId(sensor), component: 0 };
        let law = StateFeedback {
            offset: 1.0,
            terms: vec![
                Term { input: input(0), gain: 2.0, target: 5.0.into() },
                Term { input: input(1), gain: -3.0, target: 0.0.into() },
            ],
        };
        let moment = Moment { time: 0.0, elapsed: None, low: -9.0, high: 9.0 };
        // 1 − 2·(4 − 5) + 3·7.
        assert_eq!(law.act(&moment, &|i| [4.0, 7.0][i.sensor.index()], &mut []), 24.0);
    }
}
