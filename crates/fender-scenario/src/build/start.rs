//! What is doubtful about the start: bodies that begin deep in each other, cables that pass through bodies or rest in compression or in an unstable
//! position, driven bodies that begin or end with a jump, contact rules that nothing uses.

use super::cable::short;
use fender_engine::cable::CableThroughBody;
use fender_engine::{BodyId, BodyMotion, Cable, DeepStart, MaterialId, Model, World};

/// Pairs that are told one by one.
const MOST: usize = 5;

/// Part of its greatest speed that a driven body may have at the start of its table (a spline through samples of a motion that begins at
/// rest has up to a few per cent), and the speeds [m/s, rad/s] below which that does not matter.
const JUMP: f64 = 0.05;
/// Part by which the speed of a body at constant speed may vary.
const STEADY: f64 = 0.01;
const JUMP_MATTERS: f64 = 1e-3;
/// Instants at which the greatest speed of a driven body is looked for.
const LOOKS: u32 = 1000;

/// What the first look at the scene finds.
#[derive(Default)]
pub(super) struct FirstLook {
    /// Names of each two bodies that would be thrown apart.
    pub deep: Vec<[String; 2]>,
    /// What is said of them and of cables that pass through bodies, with what would help.
    pub warnings: Vec<String>,
    /// Whether cables pass through bodies.
    pub cables_pass: bool,
}

/// Driven bodies that are at rest before their table and move at its first time, or move at its last time and are at rest after it, before the run
/// ends at `duration` [s]. Bodies at constant speed that hold no cable are left out: belts.
pub(super) fn driven_jumps(model: &Model, duration: f64) -> Vec<String> {
    let mut warnings = Vec::new();
    for (i, body) in model.bodies.iter().enumerate() {
        let BodyMotion::Driven { series } = &body.motion else { continue };
        let (first, last) = series.span();
        // Just after the first row: at it the body may still be at rest.
        let start = first.max(0.0);
        let instant = 1e-9 * (last - start).max(0.0);
        let soon = start + instant;
        let speeds = |time: f64| {
            let twist = series.sample(time).twist;
            [twist.linear.length(), twist.angular.length()]
        };
        let [jump, turn] = speeds(soon);
        let (mut least, mut most) = ([jump, turn], [jump, turn]);
        for k in 0..LOOKS {
            let now = speeds(soon + (last - soon).max(0.0) * f64::from(k) / f64::from(LOOKS));
            for c in 0..2 {
                (least[c], most[c]) = (least[c].min(now[c]), most[c].max(now[c]));
            }
        }
        let steady = (0..2).all(|c| least[c] >= (1.0 - STEADY) * most[c]);
        let holds = |cable: &Cable| cable.ties.iter().any(|(_, t)| t.point.body == Some(BodyId(i as u32)));
        if steady && !model.cables.iter().any(holds) {
            continue;
        }
        let jumps = |c: usize, now: f64| now > JUMP_MATTERS && now > JUMP * most[c];
        let told = |[jump, turn]: [f64; 2]| match (jumps(0, jump), jumps(1, turn)) {
            (true, _) => Some(format!("{} m/s", short(jump))),
            (false, true) => Some(format!("{} rad/s", short(turn))),
            (false, false) => None,
        };
        if let Some(by) = told([jump, turn]) {
            warnings.push(format!(
                "the table of the driven body `{}` begins with a jump: it moves at {by} at t = {} s, and what it holds or carries begins at rest. Let the table begin at rest: \
                 several equal rows, then rows that follow a smooth ramp",
                body.name,
                short(start)
            ));
        }
        if last <= start || last >= duration {
            continue;
        }
        // What goes on after its span, such as a sine, does not change there.
        let [before, after] = [last - instant, last + instant].map(|time| series.sample(time).twist);
        let stop = [(before.linear - after.linear).length(), (before.angular - after.angular).length()];
        if let Some(by) = told(stop) {
            warnings.push(format!(
                "the table of the driven body `{}` ends with a jump: it moves at {by} up to t = {} s and is at rest from then on, which is a shock to what it holds or \
                 carries. Let the table end at rest, by rows of a smooth ramp and several equal ones, or go on to the end of the run at {} s",
                body.name,
                short(last),
                short(duration)
            ));
        }
    }
    warnings
}

/// Contact rules under which no two bodies can meet.
pub(super) fn unused_rules(model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    for rule in &model.rules {
        let materials = [rule.between.0, rule.between.1];
        let of = |material: MaterialId| {
            let shapes = model.shapes.iter().filter(move |shape| shape.material == material);
            let mut bodies: Vec<BodyId> = shapes.map(|shape| shape.body).collect();
            bodies.dedup();
            bodies
        };
        let bodies = materials.map(of);
        let meets = |[from, to]: [&Vec<BodyId>; 2]| {
            let others = |body: &BodyId| to.iter().any(|other| other != body);
            from.iter().any(|body| model.bodies[body.index()].yields() && others(body))
        };
        if meets([&bodies[0], &bodies[1]]) || meets([&bodies[1], &bodies[0]]) {
            continue;
        }
        let [a, b] = materials.map(|material| &model.materials[material.index()]);
        let lacking = [(a, &bodies[0]), (b, &bodies[1])].into_iter().find(|(_, bodies)| bodies.is_empty());
        let why = match lacking {
            Some((name, _)) => format!("no body has a shape of `{name}`; cables do not touch anything"),
            None => "no two bodies of these materials, of which one is free, can meet".to_owned(),
        };
        notes.push(format!("the contact rule between `{a}` and `{b}` is not used: {why}"));
    }
    notes
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

/// Who would be thrown apart, and which cables pass through bodies. Takes the model and gives it back, because looking around needs a world.
pub(super) fn look_around(model: Model) -> (Model, FirstLook) {
    if model.rules.is_empty() && (model.cables.is_empty() || model.shapes.is_empty()) {
        return (model, FirstLook::default());
    }
    let world = World::new(model);
    let deep = world.deep_starts();
    let mut warnings: Vec<String> = deep.iter().take(MOST).map(|d| tell(&world, d)).collect();
    if deep.len() > MOST {
        warnings.push(format!("… and {} more pairs of bodies start deep in each other", deep.len() - MOST));
    }
    let name = |id: BodyId| world.model.bodies[id.index()].name.clone();
    let deep = deep.iter().map(|d| [name(d.a), name(d.b)]).collect();
    let passing = passing_cables(&world);
    let cables_pass = passing.is_some();
    warnings.extend(passing);
    (world.model, FirstLook { deep, warnings, cables_pass })
}

/// What to say of cables that pass through bodies at this instant of an evaluated world.
pub fn passing_cables(world: &World) -> Option<String> {
    let found = world.cables_through_bodies();
    let CableThroughBody { cable, body, place } = *found.first()?;
    let (cable, body) = (&world.model.cables[cable.index()].name, &world.model.bodies[body.index()].name);
    let more = if found.len() > 1 { format!(" ({} more pairs do)", found.len() - 1) } else { String::new() };
    // Without minus signs before zeros.
    let [x, y, z] = place.to_array().map(|c| (c * 1e3).round() / 1e3 + 0.0);
    Some(format!(
        "the cable `{cable}` passes through `{body}` at ({x}, {y}, {z}) m, t = {} s{more}: cables do not touch bodies yet. Lead it over a `sheave` or through \
         a `ring` (`along`), or around the body",
        short(world.state.time)
    ))
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
