//! What is doubtful about the start: bodies that begin deep in each other, cables that rest in compression or in an unstable position.

use fender_engine::{BodyId, BodyMotion, DeepStart, Model, World};

/// Pairs that are told one by one.
const MOST: usize = 5;

/// Bodies that would be thrown apart.
#[derive(Default)]
pub(super) struct Deep {
    /// Names of each two.
    pub pairs: Vec<[String; 2]>,
    /// What is said of them, with what would help.
    pub warnings: Vec<String>,
}

/// Cables that rest where they would not stay.
pub(super) fn doubtful_rest(model: &Model) -> Vec<String> {
    let mut warnings = Vec::new();
    for cable in &model.cables {
        let (Some(settled), name) = (&cable.settled, &cable.name) else { continue };
        if let Some(compression) = &settled.compression {
            warnings.push(format!("`cable.{name}` rests in compression, {compression}"));
        }
        if let Some(stretch) = &settled.stretch {
            warnings.push(format!("`cable.{name}` is {stretch}"));
        }
        if let Some(rate) = settled.instability {
            warnings.push(format!(
                "`cable.{name}` rests in an unstable position, and leaves it as exp(t / {:.3} s). Begin with `shape.through` points that are near to a stable one",
                1.0 / rate
            ));
        }
    }
    warnings
}

/// Who would be thrown apart. Takes the model and gives it back, because looking for contacts needs a world.
pub(super) fn deep_starts(model: Model) -> (Model, Deep) {
    if model.rules.is_empty() {
        return (model, Deep::default());
    }
    let world = World::new(model);
    let deep = world.deep_starts();
    let mut warnings: Vec<String> = deep.iter().take(MOST).map(|d| tell(&world, d)).collect();
    if deep.len() > MOST {
        warnings.push(format!("… and {} more pairs of bodies start deep in each other", deep.len() - MOST));
    }
    let name = |id: BodyId| world.model.bodies[id.index()].name.clone();
    let pairs = deep.iter().map(|d| [name(d.a), name(d.b)]).collect();
    (world.model, Deep { pairs, warnings })
}

fn tell(world: &World, deep: &DeepStart) -> String {
    let DeepStart { a, b, point, depth, normal, thickness, speed } = deep;
    let body = |id: &BodyId| &world.model.bodies[id.index()];
    // Who can be moved: the first body unless only the second is free.
    let is_free = |id: &BodyId| matches!(body(id).motion, BodyMotion::Free { .. });
    let parts_them = world.way_out(deep);
    let out = parts_them.unwrap_or(*normal * *depth);
    let (mover, other, out) = if is_free(a) { (a, b, out) } else { (b, a, -out) };
    let (name, other) = (&body(mover).name, &body(other).name);
    let way = if is_free(a) && is_free(b) {
        // Which of the two is wrong is not known.
        format!("move it, or `{other}` the other way,")
    } else if body(mover).free.is_some() {
        "move it".to_owned()
    } else {
        "move it, by its joint or by its drawing,".to_owned()
    };
    // Half-spaces and sheets have no thickness that the depth could be a part of.
    let part = if thickness.is_finite() {
        format!(", {:.0} % of the thinner of both", 100.0 * depth / thickness)
    } else {
        String::new()
    };
    let hint = if parts_them.is_some() {
        ""
    } else {
        ", as a first step: how far it takes to part them was not found"
    };
    // Without minus signs before zeros.
    let [x, y, z] = out.normalize_or_zero().to_array().map(|c| (c * 1e3).round() / 1e3 + 0.0);
    let speed = if *speed < 10.0 { format!("{speed:.2}") } else { format!("{speed:.0}") };
    format!(
        "`{name}` starts {} deep in `{other}` at ({:.4}, {:.4}, {:.4}) m{part}, and without losses would be thrown out at {speed} m/s: {way} by {} along ({x:.3}, \
         {y:.3}, {z:.3}){hint}",
        millimetres(*depth),
        point.x,
        point.y,
        point.z,
        millimetres(out.length()),
    )
}

fn millimetres(length: f64) -> String {
    format!("{:.3} mm", 1e3 * length)
}
