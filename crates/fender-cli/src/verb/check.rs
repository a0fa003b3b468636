//! `fender check`: what a scenario contains, and whether it could run.

use crate::args::Check;
use crate::catalog::Source;
use crate::failure::Failure;
use crate::load;
use crate::table::{columns, length};
use fender_engine::{BodyId, BodyMotion, CableId, IntegratorSpec, MaterialId, Model, World};
use fender_geom::{Shape, TriMesh};
use fender_run::plot::{figure, number};
use fender_scenario::{Scenario, StepLimit};
use std::io::Write;

/// Contacts at the start that are listed.
const MOST_TOUCHES: usize = 12;

/// Prints what the scenario contains, or the scenario itself with every default.
pub fn perform(args: &Check) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let scenario = load::scenario(&source, &args.set)?;
    // What is recorded and expected is part of the scenario: a signal that does not exist is an error here already.
    fender_run::check(&scenario).map_err(Failure::run)?;
    load::tell_notes(&scenario);
    for warning in &scenario.warnings {
        crate::tell!("warning: {warning}");
    }
    let text = if args.expand { scenario.expanded } else { describe(&scenario) + &touching(scenario.model) };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn describe(scenario: &Scenario) -> String {
    let model = &scenario.model;
    let mass: f64 = model.bodies.iter().filter_map(fender_engine::Body::mass).sum();
    let g = model.gravity;
    let mut rows = vec![
        ("title", scenario.title.clone()),
        ("duration", format!("{} s", scenario.run.duration)),
        ("integrator", method(&scenario.run.integrator)),
        ("method that suits", format!("{}: {}", scenario.suited.method, scenario.suited.why)),
        ("gravity", format!("({}, {}, {}) m/s²", g.x, g.y, g.z)),
        ("bodies", bodies(model)),
        ("mass", format!("{} kg", number(mass))),
        ("shapes", shapes(model)),
        ("joints", joints(model)),
        ("loops", loops(model)),
        ("cables", cables(model)),
        ("sensors", some(model.sensors.len())),
        ("controllers", some(model.controllers.len())),
        ("forces", format!("{}", model.forces.len())),
        ("changes", changes(model)),
        ("impacts", impacts(model)),
        ("expectations", format!("{}", scenario.expects.len())),
    ];
    rows.retain(|(_, value)| !value.is_empty());
    let rows: Vec<_> = rows.into_iter().map(|(label, value)| vec![label.to_string(), value]).collect();
    let mut text = columns(&rows, &[]);
    let meshes = meshes(model);
    if meshes.len() > 1 {
        text += &format!("\n{}", columns(&meshes, &[1, 3, 4, 5]));
    }
    let guided = guided(model);
    if guided.len() > 1 {
        text += &format!("\n{}", columns(&guided, &[2, 3, 4, 5, 6, 7]));
    }
    let rules = StepLimit::all(model);
    if !rules.is_empty() {
        let head = [
            "contact rule",
            "normal",
            "friction",
            "stiffness",
            "at depth",
            "step limit",
            "step that would do",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        rows.extend(rules.iter().map(rule));
        text += &format!("\n{}", columns(&rows, &[3, 4, 5, 6]));
    }
    if !scenario.chosen.is_empty() {
        text += "\nNumbers that the file does not give:\n";
        for line in &scenario.chosen {
            text += &format!("  {line}\n");
        }
    }
    text
}

/// Who touches whom at the start, and with what; empty if nobody does.
fn touching(model: Model) -> String {
    let world = World::new(model);
    let model = &world.model;
    let count = world.contacts().count();
    if count == 0 {
        return String::new();
    }
    let head = ["touching at the start", "with its", "and", "with its", "depth", "at"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for contact in world.contacts().take(MOST_TOUCHES) {
        let [part_a, part_b] = world
            .parts(contact)
            .map(|part| part.map_or_else(|| "round side".to_string(), |feature| feature.to_string()));
        let name = |body: BodyId| model.bodies[body.index()].name.clone();
        let p = contact.overlap.point;
        rows.push(vec![
            name(contact.body_a),
            part_a,
            name(contact.body_b),
            part_b,
            length(contact.overlap.depth),
            format!("({}, {}, {}) m", number(p.x), number(p.y), number(p.z)),
        ]);
    }
    let mut text = format!("\n{}", columns(&rows, &[4]));
    if count > MOST_TOUCHES {
        text += &format!("… and {} more places\n", count - MOST_TOUCHES);
    }
    text
}

/// Which touches are events, and how they go; empty if none are.
fn impacts(model: &Model) -> String {
    let told = model.rules.iter().filter_map(|rule| {
        let impact = rule.impact.as_ref()?;
        let name = |material: MaterialId| &model.materials[material.index()];
        let (mu, mu_s) = (impact.law.coefficient(), impact.law.static_coefficient());
        let sticking = if mu_s > mu { format!(", {mu_s} sticking") } else { String::new() };
        Some(format!(
            "{}-{} above {} mm/s, restitution {}, friction {mu}{sticking}",
            name(rule.between.0),
            name(rule.between.1),
            number(1e3 * impact.small_speed()),
            impact.law.restitution()
        ))
    });
    told.collect::<Vec<_>>().join("; ")
}

/// What each mesh is that bodies touch with, under a heading. One that several bodies share is there once.
fn meshes(model: &Model) -> Vec<Vec<String>> {
    let mut rows =
        vec![["mesh of", "triangles", "surface", "parts", "volume", "memory"].map(String::from).to_vec()];
    let mut known: Vec<&TriMesh> = Vec::new();
    for shape in &model.shapes {
        let Shape::Mesh(mesh) = &shape.shape else { continue };
        if known.iter().any(|other| std::ptr::eq(*other, &raw const **mesh)) {
            continue;
        }
        known.push(mesh);
        let found = mesh.diagnostics();
        let surface = mesh.why_not_closed().unwrap_or_else(|| "closed".into());
        let volume = mesh.volume().map_or("–".into(), |volume| format!("{} m³", number(volume)));
        rows.push(vec![
            model.bodies[shape.body.index()].name.clone(),
            mesh.triangles().len().to_string(),
            surface,
            found.parts.to_string(),
            volume,
            format!("{} kB", (mesh.bytes() + 512) / 1024),
        ]);
    }
    rows
}

/// How many cables there are, how long, in how many elements; empty if there are none.
fn cables(model: &Model) -> String {
    if model.cables.is_empty() {
        return String::new();
    }
    let length: f64 = model.cables.iter().map(fender_engine::Cable::length).sum();
    let elements: usize = model.cables.iter().map(fender_engine::Cable::elements).sum();
    let resting = model.cables.iter().filter(|cable| cable.settle).count();
    format!(
        "{}: {} m in {elements} elements; {resting} in equilibrium at the start",
        model.cables.len(),
        number(length)
    )
}

/// How cables go through rings and over sheaves at the start: a table with its head.
fn guided(model: &Model) -> Vec<Vec<String>> {
    let head =
        ["cable", "through", "span before", "cable before", "span after", "cable after", "around", "tension"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (i, cable) in model.cables.iter().enumerate().filter(|(_, cable)| !cable.guides.is_empty()) {
        for passage in model.passages(CableId(i as u32)) {
            let metres = |x: f64| format!("{x:.3} m");
            rows.push(vec![
                cable.name.clone(),
                passage.guide,
                metres(passage.spans[0]),
                metres(passage.lengths[0]),
                metres(passage.spans[1]),
                metres(passage.lengths[1]),
                format!("{:.1}°", passage.angle.to_degrees()),
                format!("{} N", figure(passage.tension)),
            ]);
        }
    }
    rows
}

/// How many bodies move in which way.
fn bodies(model: &Model) -> String {
    let count = |of: fn(&BodyMotion) -> bool| model.bodies.iter().filter(|b| of(&b.motion)).count();
    let jointed = model.joints.len();
    let joints = if jointed > 0 { format!(", {jointed} on joints") } else { String::new() };
    format!(
        "{}: {} free{joints}, {} fixed, {} driven",
        model.bodies.len(),
        // Each joint carries one body.
        count(|m| matches!(m, BodyMotion::Free { .. })) - jointed,
        count(|m| matches!(m, BodyMotion::Fixed)),
        count(|m| matches!(m, BodyMotion::Driven { .. })),
    )
}

/// The method with its settings, by the names it has in scenario files.
fn method(integrator: &IntegratorSpec) -> String {
    let name = integrator.name();
    match integrator.error_control() {
        Some(a) => format!(
            "{name}, tolerance {:e} relative, {:e} absolute, step up to {}",
            a.relative,
            a.absolute,
            time(a.max_step)
        ),
        None => format!("{name}, step {}", time(integrator.fixed_step().unwrap_or_default())),
    }
}

/// A count; empty for none.
fn some(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// How many joints, and the freedoms they leave; empty without any.
fn joints(model: &Model) -> String {
    if model.joints.is_empty() {
        return String::new();
    }
    let freedoms: usize = model.joints.iter().map(|joint| model.links[joint.link].nv).sum();
    format!("{}, with {freedoms} degrees of freedom", model.joints.len())
}

/// How much comes and goes; empty if nothing does.
fn changes(model: &Model) -> String {
    let breaking = model.loops.iter().filter(|l| l.limit.is_some()).count();
    let counts = [
        (model.changes.timeline.len(), "by the timeline"),
        (breaking, "loops that can break"),
        (model.changes.fences.len(), "bodies that wait until something comes near"),
    ];
    let told = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    told.collect::<Vec<_>>().join(", ")
}

/// How many loops, what they leave free, and which equations are redundant; empty without any.
fn loops(model: &Model) -> String {
    let Some(rank) = model.assembly.as_ref().map(|assembly| &assembly.rank) else { return String::new() };
    let mut text = format!(
        "{} with {} equations on {} degrees of freedom, of which {} remain",
        model.loops.len(),
        rank.rows,
        rank.freedoms,
        rank.freedoms - rank.rank
    );
    if !rank.redundant.is_empty() {
        let names: Vec<String> =
            rank.redundant.iter().map(|(i, n)| format!("{n} in {}", model.loops[*i].name)).collect();
        text += &format!("; redundant at the start: {}", names.join(", "));
    }
    text
}

/// How many shapes of each kind.
fn shapes(model: &Model) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for shape in &model.shapes {
        match kinds.iter_mut().find(|(name, _)| *name == shape.shape.name()) {
            Some((_, count)) => *count += 1,
            None => kinds.push((shape.shape.name(), 1)),
        }
    }
    kinds.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// A row of the table of contact rules.
fn rule(limit: &StepLimit) -> Vec<String> {
    vec![
        limit.between.clone(),
        limit.normal.into(),
        limit.friction.into(),
        format!("{:.3e} N/m", limit.stiffness),
        length(limit.depth),
        time(limit.step),
        time(limit.good()),
    ]
}

/// A step for people.
fn time(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{} µs", number(seconds * 1e6))
    } else {
        format!("{} ms", number(seconds * 1e3))
    }
}
