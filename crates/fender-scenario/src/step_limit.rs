//! What contact rules ask of the step.

use fender_contact::{Normal, PointOverlap};
use fender_engine::{BodyId, BodyShape, ContactRule, IntegratorSpec, MaterialId, Model};
use fender_geom::Shape;
use fender_math::Vec3;

/// Depth at which a rule's stiffness is taken, as a part of the smaller body: where a scene should stay.
const DEPTH: f64 = 0.01;
/// Part of the limit that resolves a contact.
const GOOD: f64 = 0.25;

/// What a contact rule asks of the step, for the lightest bodies that it can act on.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimit {
    /// Names of the materials: "steel-wood".
    pub between: String,
    /// Name of the normal law.
    pub normal: &'static str,
    /// Name of the friction law.
    pub friction: &'static str,
    /// Stiffness [N/m]...
    pub stiffness: f64,
    /// ...at this depth [m].
    pub depth: f64,
    /// Longest step: the inverse of the contact's frequency [s].
    pub step: f64,
}

impl StepLimit {
    /// `None` if no two bodies meet under this rule.
    pub fn of(model: &Model, rule: &ContactRule) -> Option<Self> {
        let inverse_mass = |s: &BodyShape| model.bodies[s.body.index()].mass().map_or(0.0, f64::recip);
        let (first, second) = rule.between;
        let (a, b) = (lightest(model, first, None)?, lightest(model, second, None)?);
        // A body does not meet itself: one of the two is the next lightest then.
        let (a, b) = if a.body == b.body {
            let others = [
                lightest(model, second, Some(a.body)).map(|b| (a, b)),
                lightest(model, first, Some(b.body)).map(|a| (a, b)),
            ];
            let sum = |(a, b): &(&BodyShape, &BodyShape)| inverse_mass(a) + inverse_mass(b);
            others.into_iter().flatten().max_by(|x, y| sum(x).total_cmp(&sum(y)))?
        } else {
            (a, b)
        };
        let inverse = inverse_mass(a) + inverse_mass(b);
        if inverse == 0.0 {
            return None;
        }
        let size = a.shape.bounding_radius().min(b.shape.bounding_radius());
        let overlap = PointOverlap {
            point: Vec3::ZERO,
            normal: Vec3::Z,
            depth: DEPTH * size,
            curvature: curvature(&a.shape) + curvature(&b.shape),
            elongation: Vec3::ZERO,
            share: 1.0,
        };
        let stiffness = match &rule.normal {
            Normal::Depth(law) => law.stiffness_bound(&overlap),
            // Faces are stiff from the first touch.
            Normal::Foundation(law) => {
                let [a, b] = [a, b].map(|s| s.shape.largest_section(overlap.depth));
                law.stiffness_bound(a.min(b))
            }
        };
        let name = |material: MaterialId| &model.materials[material.index()];
        Some(Self {
            between: format!("{}-{}", name(rule.between.0), name(rule.between.1)),
            normal: rule.normal.name(),
            friction: rule.friction.name(),
            stiffness,
            depth: overlap.depth,
            step: (stiffness * inverse).sqrt().recip(),
        })
    }

    /// Those of all rules that can act.
    pub fn all(model: &Model) -> Vec<Self> {
        model.rules.iter().filter_map(|rule| Self::of(model, rule)).collect()
    }

    /// A step that resolves the contact [s].
    pub fn good(&self) -> f64 {
        GOOD * self.step
    }

    /// What to say if a fixed step is longer than the tightest limit.
    pub(crate) fn warning(model: &Model, integrator: &IntegratorSpec) -> Option<String> {
        let step = integrator.fixed_step()?;
        let limit = Self::all(model).into_iter().min_by(|a, b| a.step.total_cmp(&b.step))?;
        (step > limit.step).then(|| {
            format!(
                "the step of {} is more than the {} that the contact rule {} allows, whose stiffness is {:.3e} N/m: take a step of {}, or a smaller \
                 stiffness",
                time(step),
                time(limit.step),
                limit.between,
                limit.stiffness,
                time(limit.good())
            )
        })
    }
}

/// A shape of the lightest body of a material, but for one body; bodies that cannot be moved are the heaviest.
fn lightest(model: &Model, material: MaterialId, without: Option<BodyId>) -> Option<&BodyShape> {
    let mass = |s: &BodyShape| model.bodies[s.body.index()].mass().unwrap_or(f64::INFINITY);
    let shapes = model.shapes.iter().filter(|s| s.material == material && Some(s.body) != without);
    shapes.min_by(|a, b| mass(a).total_cmp(&mass(b)))
}

/// Curvature of a shape, about [1/m].
fn curvature(shape: &Shape) -> f64 {
    let radius = shape.bounding_radius();
    if radius.is_finite() { radius.recip() } else { 0.0 }
}

/// A step for people.
fn time(seconds: f64) -> String {
    let (value, unit) = if seconds < 1e-3 { (1e6 * seconds, "µs") } else { (1e3 * seconds, "ms") };
    format!("{} {unit}", crate::build::short(value))
}
