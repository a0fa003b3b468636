//! Coordinates of joints tied to each other: gears, racks, joints that mimic others, prescribed angles.
//!
//! φ = Σ c_i q_i − value(t).

use super::{Closure, Instant, LoopState, Rows};
use fender_math::Profile;

/// A coordinate with its factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Where the coordinate is in `State::q`.
    pub q: usize,
    /// Where its rate is in `State::v`.
    pub v: usize,
    /// Factor.
    pub factor: f64,
}

/// A linear equation between coordinates of joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Left-hand side.
    pub terms: Vec<Term>,
    /// Right-hand side [rad or m].
    pub value: Profile,
}

impl Closure for Coupling {
    fn name(&self) -> &'static str {
        "coupling"
    }

    fn count(&self) -> usize {
        1
    }

    fn coordinates(&self) -> Vec<usize> {
        self.terms.iter().map(|term| term.v).collect()
    }

    fn rows(&self, at: &Instant<'_>, out: &mut Rows) {
        let [value, rate, acceleration] = self.value.sample(at.time);
        let sum: f64 = self.terms.iter().map(|term| term.factor * at.q[term.q]).sum();
        out.row(sum - value - at.state.offset, -rate, -acceleration);
        for (i, term) in self.terms.iter().enumerate() {
            out.term(i, term.factor);
        }
    }

    fn hold(&self, at: &Instant<'_>) -> LoopState {
        let sum: f64 = self.terms.iter().map(|term| term.factor * at.q[term.q]).sum();
        LoopState { offset: sum - self.value.sample(at.time)[0], ..LoopState::HOLDS }
    }

    fn drives(&self) -> bool {
        !matches!(self.value, Profile::Constant(_))
    }

    fn effort(&self, multiplier: f64) -> f64 {
        -multiplier * self.terms.first().map_or(1.0, |term| term.factor)
    }

    fn time_events(&self) -> Vec<f64> {
        self.value.time_events()
    }
}
