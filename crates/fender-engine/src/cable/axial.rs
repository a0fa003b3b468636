//! Stretch: T = f(ε) + BA·ε̇ with ε = l/L − 1, along the chord of each element; rounded off where a line goes slack.

use super::evaluate::{CableData, Powers};
use super::state::NONE;
use super::{Cable, CableState, Line, Pull};
use fender_math::Vec3;

/// Tension of an element and how it changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    /// Tension [N].
    pub(crate) tension: f64,
    /// Strain.
    pub(crate) strain: f64,
    /// Tension by length [N/m].
    pub(crate) by_length: f64,
    /// Direction along which the length counts: that of the element, or the one it will have at the end of the step.
    pub(crate) toward: Vec3,
    /// Tension by speed of lengthening [N·s/m].
    pub(crate) by_speed: f64,
}

/// The pull in the middle of a step whose work over it is that of the stored energy: T = 2ΔU/Δ(l²)·l = 2T̄·l/(l₀ + l₁) with the mean tension T̄
/// over the strains of the step, from the lengths in the middle, unstretched, at the start and at the end of the step [m].
fn over_step(line: &Line, middle: Pull, (l, unstretched): (f64, f64), (before, after): (f64, f64)) -> Pull {
    let (first, last) = (before / unstretched - 1.0, after / unstretched - 1.0);
    let (mean, by_last) = line.mean_pull(first, last);
    let ratio = 2.0 * mean / (before + after);
    let slope = 2.0 * by_last / (unstretched * (before + after)) - ratio / (before + after);
    Pull { tension: ratio * l, stiffness: (ratio + 2.0 * l * slope) * unstretched, stored: middle.stored }
}

/// Viscous part of a tension and how it changes.
struct Viscous {
    /// [N].
    tension: f64,
    /// By the rate of strain [N·s].
    by_rate: f64,
    /// By the elastic tension.
    by_pull: f64,
}

impl Viscous {
    /// BA·ε̇. A line that can go slack is damped by no more than its elastic tension T, T·x/(1 + x⁴)^¼ with x = BA·ε̇/T: so it never pushes, nothing
    /// jumps where it becomes taut, and up to x = 0.3 the damping is that of the law within 0.2 %.
    #[inline]
    fn of(line: &Line, elastic: f64, rate: f64) -> Self {
        let viscous = line.axial_damping * rate;
        if !line.slack || viscous == 0.0 {
            return Self { tension: viscous, by_rate: line.axial_damping, by_pull: 0.0 };
        }
        // By the larger of the two, so that no power overflows or vanishes.
        let size = elastic.max(viscous.abs());
        let (t, c) = (elastic / size, viscous / size);
        let quarter = (t * t * t * t + c * c * c * c).sqrt().sqrt();
        let (t, c) = (t / quarter, c / quarter);
        let fifth = |x: f64| x * x * x * x * x;
        Self { tension: elastic * c, by_rate: line.axial_damping * fifth(t), by_pull: fifth(c) }
    }
}

impl Cable {
    /// Forces of stretch on the nodes. `half` is half the step if this is its middle [s].
    pub(super) fn stretch(
        &self,
        state: &CableState,
        data: &mut CableData,
        half: Option<f64>,
        powers: &mut Powers,
    ) {
        let paying = self.paying(state);
        data.stretch.clear();
        for (e, element) in state.elements.iter().enumerate() {
            let line = &self.lines[element.line as usize];
            let (course, length) = (&data.course[e], data.length[e]);
            let by = data.lengthening[e];
            let strain = course.length / length - 1.0;
            let flow = if paying == Some(e) { data.speed } else { 0.0 };
            let rate = (by - (1.0 + strain) * flow) / length;
            let mut pull = data.augmented.pull(line, e, strain).unwrap_or_else(|| line.pull(strain));
            let mut toward = course.by_b;
            if let Some(half) = half {
                let ends = if element.guide == NONE {
                    let (span, change) =
                        (data.position[e + 1] - data.position[e], data.velocity[e + 1] - data.velocity[e]);
                    let end = span + change * half;
                    toward = end.normalize_or(toward);
                    ((span - change * half).length(), end.length())
                } else {
                    (course.length - half * by, course.length + half * by)
                };
                pull = over_step(line, pull, (course.length, length), ends);
            }
            let Viscous { tension: viscous, by_rate, by_pull } = Viscous::of(line, pull.tension, rate);
            let stretch = Stretch {
                tension: pull.tension + viscous,
                strain,
                by_length: (1.0 + by_pull) * pull.stiffness / length,
                toward,
                by_speed: by_rate / length,
            };
            let (tension, stored) = (stretch.tension, pull.stored);
            powers.stored += stored * length;
            // What does not go into the stretch is lost.
            powers.dissipated += (tension - pull.tension) * rate * length;
            // Unstretched length enters at tension T: the stored energy changes by (w − T(1 + ε)) per length.
            powers.payout += flow * (stored - tension * (1.0 + strain));
            data.force[e] -= course.by_a * tension;
            data.force[e + 1] -= course.by_b * tension;
            data.stretch.push(stretch);
        }
    }

    /// Mass that enters with payout, half of it at each node of its element.
    pub(super) fn entering(&self, state: &CableState, gravity: Vec3, data: &CableData, powers: &mut Powers) {
        let Some(e) = self.paying(state).filter(|_| data.speed != 0.0) else { return };
        let line = &self.lines[state.elements[e].line as usize];
        for node in [e, e + 1] {
            let energy = 0.5 * data.velocity[node].length_squared() - gravity.dot(data.position[node]);
            powers.payout += 0.5 * data.speed * line.mass * energy;
        }
    }
}
