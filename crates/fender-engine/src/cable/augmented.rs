//! Tensions as unknowns of their own, for the search for equilibrium.
//!
//! A node that moves by δ across an element of length l stretches it by δ²/2l², so that Newton's steps on the places alone must stay below l·√(T/EA): in a
//! stiff line they lead nowhere. So the law T = f(ε) is met as a constraint, by the augmented Lagrangian (Hestenes 1969; Powell 1969): an element has the
//! multiplier λ and the tension λ + k·(ε − f⁻¹(λ)) with a stiffness k that is low enough for Newton's steps, and where these have come to rest λ becomes that
//! tension. At the end ε = f⁻¹(λ), whatever k was. Where it converges slowly, as for a taut line whose tension follows from its stretch alone, k grows up to
//! the law's own stiffness, and then the law itself acts. A line that can go slack has λ ≥ 0 (Rockafellar 1973).

use super::evaluate::CableData;
use super::line::round;
use super::{Cable, CableState, Line, Pull};

/// Stiffness at the beginning, as a multiple of the force that the cable bears.
const SOFT: f64 = 1e3;
/// A line that is softer than this multiple of that force is taken as it is.
const TRACTABLE: f64 = 1e5;
/// By how much the stiffness grows where the multipliers do not change by `SLOW` times less than a round before.
const STIFFER: f64 = 10.0;
const SLOW: f64 = 0.1;
/// Rounds without success after which rounding is all that is left.
const STALLED: usize = 4;

/// Multipliers of a cable's elements; none if the law acts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Augmented {
    multiplier: Vec<f64>,
    /// Tension by strain in place of the law's [N].
    stiffness: f64,
    /// Largest change of a multiplier a round before [N].
    before: f64,
    /// Rounds in which that did not halve.
    stalled: usize,
}

impl Augmented {
    /// For a cable that bears about a force [N].
    pub(crate) fn new(cable: &Cable, own: &CableState, force: f64) -> Self {
        let stiffest = own.elements.iter().map(|e| cable.lines[e.line as usize].axial.stiffness());
        if stiffest.fold(0.0, f64::max) <= TRACTABLE * force {
            return Self::default();
        }
        let multiplier = vec![0.0; own.elements.len()];
        Self { multiplier, stiffness: SOFT * force, before: f64::INFINITY, stalled: 0 }
    }

    /// Whether the law itself acts everywhere.
    pub(crate) fn is_exact(&self) -> bool {
        self.multiplier.is_empty()
    }

    /// Axial stiffness of an element of a line [N].
    pub(super) fn stiffness(&self, line: &Line) -> f64 {
        let law = line.axial.stiffness();
        if self.is_exact() { law } else { law.min(self.stiffness) }
    }

    /// An element's multiplier and its tension before that is rounded, if they take the place of the law.
    #[inline]
    fn tension(&self, line: &Line, element: usize, strain: f64) -> Option<(f64, f64)> {
        let multiplier = *self.multiplier.get(element)?;
        (self.stiffness < line.axial.stiffness())
            .then(|| (multiplier, multiplier + self.stiffness * (strain - line.axial.strain(multiplier))))
    }

    /// What takes the place of the law's pull, if something does.
    #[inline]
    pub(super) fn pull(&self, line: &Line, element: usize, strain: f64) -> Option<Pull> {
        let (_, tension) = self.tension(line, element, strain)?;
        let (tension, slope) = if line.slack { round(tension, line.rounding) } else { (tension, 1.0) };
        Some(Pull { tension, stiffness: slope * self.stiffness, stored: 0.0 })
    }

    /// An element's multiplier, and what it becomes.
    fn next(&self, cable: &Cable, own: &CableState, data: &CableData, element: usize) -> Option<(f64, f64)> {
        let line = &cable.lines[own.elements[element].line as usize];
        let (now, tension) = self.tension(line, element, data.stretch[element].strain)?;
        Some((now, if line.slack { tension.max(0.0) } else { tension }))
    }

    /// The largest change that a multiplier needs [N].
    pub(crate) fn mismatch(&self, cable: &Cable, own: &CableState, data: &CableData) -> f64 {
        let changes = (0..own.elements.len()).filter_map(|e| self.next(cable, own, data, e));
        changes.map(|(now, next)| (next - now).abs()).fold(0.0, f64::max)
    }

    /// Whether the strains are those of the multipliers, to an uncertainty of lengths [m] and to one of tensions [N]; or come no nearer. Forces on nodes alone
    /// would not tell: a tension that is wrong everywhere turns little from node to node.
    pub(crate) fn is_met(
        &self,
        cable: &Cable,
        own: &CableState,
        data: &CableData,
        (length, force): (f64, f64),
    ) -> bool {
        let met = |e: usize| {
            let Some((now, next)) = self.next(cable, own, data, e) else { return true };
            let law = cable.lines[own.elements[e].line as usize].axial.stiffness();
            let strain = (next - now).abs() / self.stiffness;
            strain <= length / data.length[e] + force / law
        };
        self.stalled >= STALLED || (0..own.elements.len()).all(met)
    }

    /// Elements came and went: the multipliers are to be found anew.
    pub(crate) fn reset(&mut self, elements: usize) {
        if !self.is_exact() {
            (self.multiplier, self.before) = (vec![0.0; elements], f64::INFINITY);
        }
    }

    /// The multipliers become the tensions.
    pub(crate) fn update(&mut self, cable: &Cable, own: &CableState, data: &CableData) {
        let mut change = 0.0_f64;
        for e in 0..own.elements.len() {
            let Some((now, next)) = self.next(cable, own, data, e) else { continue };
            self.multiplier[e] = next;
            change = change.max((next - now).abs());
        }
        if change > SLOW * self.before {
            self.stiffness *= STIFFER;
        }
        self.stalled = if change > 0.5 * self.before { self.stalled + 1 } else { 0 };
        self.before = change;
    }
}
