//! Stretch: T = f(ε) + BA·ε̇ with ε = l/L − 1, along the chord of each element.

use super::evaluate::{CableData, Powers};
use super::{Cable, CableState};
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
    /// Tension by speed of lengthening [N·s/m].
    pub(crate) by_speed: f64,
}

impl Cable {
    /// Forces of stretch on the nodes.
    pub(super) fn stretch(&self, state: &CableState, data: &mut CableData, powers: &mut Powers) {
        let paying = self.paying(state);
        data.stretch.clear();
        for (e, element) in state.elements.iter().enumerate() {
            let line = &self.lines[element.line as usize];
            let (course, length) = (&data.course[e], data.length[e]);
            let by = data.lengthening[e];
            let strain = course.length / length - 1.0;
            let flow = if paying == Some(e) { data.speed } else { 0.0 };
            let rate = (by - (1.0 + strain) * flow) / length;
            let pull = line.axial.pull(strain);
            let viscous = line.axial_damping * rate;
            let mut tension = pull.tension + viscous;
            let slack = line.slack && (strain <= 0.0 || tension <= 0.0);
            let mut stretch = Stretch {
                tension,
                strain,
                by_length: pull.stiffness / length,
                by_speed: line.axial_damping / length,
            };
            if slack {
                tension = 0.0;
                stretch = Stretch { strain, ..Stretch::default() };
            }
            let stored = if line.slack && strain <= 0.0 { 0.0 } else { pull.stored };
            powers.stored += stored * length;
            // What does not go into the stretch is lost.
            let elastic = if line.slack && strain <= 0.0 { 0.0 } else { pull.tension };
            powers.dissipated += (tension - elastic) * rate * length;
            // Unstretched length enters at tension T: the stored energy changes by (w − T(1 + ε)) per length.
            powers.payout += flow * (stored - tension * (1.0 + strain));
            data.force[e] -= course.by_a * tension;
            data.force[e + 1] -= course.by_b * tension;
            data.stretch.push(stretch);
        }
    }

    /// Mass that enters with payout, and where.
    pub(super) fn entering(&self, state: &CableState, gravity: Vec3, data: &CableData, powers: &mut Powers) {
        let Some(e) = self.paying(state).filter(|_| data.speed != 0.0) else { return };
        let node = if e == 0 { 1 } else { e };
        let line = &self.lines[state.elements[e].line as usize];
        let v = data.velocity[node];
        let energy = 0.5 * v.length_squared() - gravity.dot(data.position[node]);
        powers.payout += data.speed * line.mass * energy;
    }
}
