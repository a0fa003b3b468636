//! The law of lasting contacts where only `impact` is given: a spring and a damper that no one has to choose.

use super::Build;
use fender_contact::{KelvinVoigt, NormalLaw};
use fender_engine::{BodyMotion, MaterialId};

/// Depth at rest, as a part of the smallest shape that can touch.
const DEPTH: f64 = 1e-4;
/// Step times the contact's rate √(k/m), at most: four steps per radian.
const RESOLVED: f64 = 0.25;

impl Build<'_> {
    /// A spring so stiff that the heaviest body rests no deeper than a ten-thousandth of the smallest shape, but no stiffer than
    /// a fixed step resolves for the lightest, with the damping that is critical for the lightest; says so among what was chosen.
    pub(super) fn lasting(&mut self, materials: [MaterialId; 2], names: [&str; 2]) -> Box<dyn NormalLaw> {
        let (mut light, mut heavy, mut size) = (f64::INFINITY, 0.0_f64, f64::INFINITY);
        for body in self.builder.bodies() {
            let BodyMotion::Free { mass } = &body.motion else { continue };
            for (shape, _, _) in body.shapes.iter().filter(|(_, _, m)| materials.contains(m)) {
                light = light.min(mass.mass);
                heavy = heavy.max(mass.mass);
                size = size.min(shape.bounding_radius());
            }
        }
        let rule = format!("{}-{}", names[0], names[1]);
        // Nothing can touch by this rule: any law will do.
        if !(light.is_finite() && size.is_finite()) {
            (light, heavy, size) = (1.0, 1.0, 1.0);
        }
        let gravity = crate::quantity::vec3(&self.spec.world.gravity).length();
        // Without weight there is no rest depth: as if there were that of the earth.
        let pull = if gravity > 0.0 { gravity } else { 9.81 };
        let wanted = heavy * pull / (DEPTH * size);
        let step = super::run::settings(self.spec).ok().and_then(|run| run.integrator.fixed_step());
        let limit = step.map_or(f64::INFINITY, |h| light * (RESOLVED / h) * (RESOLVED / h));
        let stiffness = wanted.min(limit).clamp(1e-9, 1e15);
        let damping = 2.0 * (stiffness * light).sqrt();
        let depth = 1e3 * heavy * pull / stiffness;
        let why = if wanted <= limit {
            format!("the heaviest body, {heavy} kg, rests {depth:.2e} mm deep, 1e-4 of the smallest shape")
        } else {
            let step = 1e3 * step.unwrap_or_default();
            format!(
                "it is the most that a step of {step} ms resolves for the lightest body, {light} kg; the heaviest, {heavy} kg, rests \
                 {depth:.2e} mm deep"
            )
        };
        self.chosen.push(format!(
            "contact {rule}: a lasting contact has the stiffness {stiffness:.3e} N/m because {why}; its damping {damping:.3e} N*s/m is \
             critical for the lightest (give `normal` for another law)"
        ));
        // Both numbers are positive and finite: the mass is, and the stiffness was kept so.
        Box::new(KelvinVoigt::new(stiffness, damping).expect("positive and finite"))
    }
}
