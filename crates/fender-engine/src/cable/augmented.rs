//! Tensions as unknowns of their own, for the search for equilibrium.
//!
//! A node that moves by δ across an element of length l stretches it by δ²/2l², so that Newton's steps on the places alone must stay below l·√(T/EA): in a
//! stiff line they lead nowhere. So the law T = f(ε) is met as a constraint, by the augmented Lagrangian (Hestenes 1969; Powell 1969): an element has the
//! multiplier λ and the tension λ + k·(ε − f⁻¹(λ)) with a stiffness k that is low enough for Newton's steps, and where these have come to rest λ becomes that
//! tension. At the end ε = f⁻¹(λ), whatever k was. Where it converges slowly, as for a taut line whose tension follows from its stretch alone, k grows up to
//! the law's own stiffness, and then the law itself acts. A line that can go slack has λ ≥ 0 (Rockafellar 1973).

use super::evaluate::CableData;
use super::line::round;
use super::{Cable, CableState};

/// Stiffness at the beginning, as a multiple of the force that the cable bears.
const SOFT: f64 = 1e3;
/// A line that is softer than this multiple of that force is taken as it is.
const TRACTABLE: f64 = 1e5;
/// By how much the stiffness grows where the multipliers do not change by `SLOW` times less than a round before.
const STIFFER: f64 = 10.0;
const SLOW: f64 = 0.1;

/// Multipliers of a cable's elements; none if the law acts.
#[derive(Clone, Debug, Default)]
pub(super) struct Augmented {
    multiplier: Vec<f64>,
    /// Tension by strain in place of the law's [N].
    stiffness: f64,
    /// Largest change of a multiplier a round before [N].
    before: f64,
}

impl Augmented {
    /// For a cable that bears about a force [N].
    pub(super) fn new(cable: &Cable, own: &CableState, force: f64) -> Self {
        let stiffest = own.elements.iter().map(|e| cable.lines[e.line as usize].axial.stiffness());
        if stiffest.fold(0.0, f64::max) <= TRACTABLE * force {
            return Self::default();
        }
        Self { multiplier: vec![0.0; own.elements.len()], stiffness: SOFT * force, before: f64::INFINITY }
    }

    /// Axial stiffness of an element's line [N].
    pub(super) fn stiffness(&self, cable: &Cable, own: &CableState, element: usize) -> f64 {
        let law = cable.lines[own.elements[element].line as usize].axial.stiffness();
        if self.multiplier.is_empty() { law } else { law.min(self.stiffness) }
    }

    /// The law's tension before it is rounded, and the multiplier, where they take the place of the law.
    fn tension(&self, cable: &Cable, own: &CableState, data: &CableData, e: usize) -> Option<(f64, f64)> {
        let axial = &cable.lines[own.elements[e].line as usize].axial;
        let multiplier = *self.multiplier.get(e)?;
        let strain = data.stretch[e].strain - axial.strain(multiplier);
        (self.stiffness < axial.stiffness()).then(|| (multiplier + self.stiffness * strain, multiplier))
    }

    /// Puts these tensions in place of the law's. Returns the largest change that a multiplier needs [N].
    pub(super) fn apply(&self, cable: &Cable, own: &CableState, data: &mut CableData) -> f64 {
        let mut mismatch = 0.0_f64;
        for e in 0..own.elements.len() {
            let Some((pull, multiplier)) = self.tension(cable, own, data, e) else { continue };
            let line = &cable.lines[own.elements[e].line as usize];
            let (tension, slope) = if line.slack { round(pull, line.rounding) } else { (pull, 1.0) };
            let next = if line.slack { pull.max(0.0) } else { pull };
            mismatch = mismatch.max((next - multiplier).abs());
            let (course, stretch) = (&data.course[e], &mut data.stretch[e]);
            let more = tension - line.pull(stretch.strain).tension;
            stretch.tension += more;
            stretch.by_length = slope * self.stiffness / data.length[e];
            data.force[e] -= course.by_a * more;
            data.force[e + 1] -= course.by_b * more;
        }
        mismatch
    }

    /// Elements came and went: the multipliers are to be found anew.
    pub(super) fn reset(&mut self, elements: usize) {
        if !self.multiplier.is_empty() {
            (self.multiplier, self.before) = (vec![0.0; elements], f64::INFINITY);
        }
    }

    /// The multipliers become the tensions.
    pub(super) fn update(&mut self, cable: &Cable, own: &CableState, data: &CableData) {
        let mut change = 0.0_f64;
        for e in 0..own.elements.len() {
            let Some((pull, before)) = self.tension(cable, own, data, e) else { continue };
            let slack = cable.lines[own.elements[e].line as usize].slack;
            self.multiplier[e] = if slack { pull.max(0.0) } else { pull };
            change = change.max((self.multiplier[e] - before).abs());
        }
        if change > SLOW * self.before {
            self.stiffness *= STIFFER;
        }
        self.before = change;
    }
}
