//! What is doubtful about the start: bodies that begin deep in each other.

use fender_engine::{BodyId, BodyMotion, DeepStart, Model, World};

/// Pairs that are told one by one.
const MOST: usize = 5;

/// A warning for each pair of bodies that would be thrown apart, with what would help. Takes the model and gives it back, because looking for
/// contacts needs a world.
pub(super) fn deep_starts(model: Model) -> (Model, Vec<String>) {
    if model.rules.is_empty() {
        return (model, Vec::new());
    }
    let world = World::new(model);
    let deep = world.deep_starts();
    let mut warnings: Vec<String> = deep.iter().take(MOST).map(|d| tell(&world.model, d)).collect();
    if deep.len() > MOST {
        warnings.push(format!("… and {} more pairs of bodies start deep in each other", deep.len() - MOST));
    }
    (world.model, warnings)
}

fn tell(model: &Model, deep: &DeepStart) -> String {
    let DeepStart { a, b, point, depth, normal, thickness, speed } = deep;
    let body = |id: &BodyId| &model.bodies[id.index()];
    // Who can be moved: the first body unless only the second is free.
    let is_free = |id: &BodyId| matches!(body(id).motion, BodyMotion::Free { .. });
    let (mover, other, out) = if is_free(a) { (a, b, *normal) } else { (b, a, -*normal) };
    let (name, other) = (&body(mover).name, &body(other).name);
    let way = if body(mover).free.is_some() { "move it" } else { "move it, by its joint or by its drawing," };
    // Half-spaces and sheets have no thickness that the depth could be a part of.
    let part = if thickness.is_finite() {
        format!(", {:.0} % of the thinner of both", 100.0 * depth / thickness)
    } else {
        String::new()
    };
    format!(
        "`{name}` starts {} deep in `{other}` at ({:.4}, {:.4}, {:.4}) m{part}, and would be thrown out at {speed:.2e} m/s: {way} by {} along ({:.3}, \
         {:.3}, {:.3})",
        millimetres(*depth),
        point.x,
        point.y,
        point.z,
        millimetres(*depth),
        out.x,
        out.y,
        out.z
    )
}

fn millimetres(length: f64) -> String {
    format!("{:.3} mm", 1e3 * length)
}
