//! Cables.

use super::joint::axis;
use super::lay::{self, Held, Station};
use super::line::Material;
use super::water::Heights;
use super::{Build, BuildError, cable_step, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::scenario::RunSettings;
use crate::spec::{
    AlongSpec, CableEndSpec, CableShapeSpec, CableSpec, EndSpec, PayoutSpec, ResolutionSpec, ScenarioSpec,
};
use crate::tree::Path;
use fender_engine::cable::{
    Along, AlongKind, CableError, CableSpec as Spec, Guide, Lump, Payout, Point, Resolution, Section, Tie,
};
use fender_engine::{BodyId, Setpoint};
use fender_math::{Pose, Vec3};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most elements that a cable may have.
const MOST_ELEMENTS: u32 = 100_000;

/// What a section of a cable bears, where that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineLimits {
    /// Tension at which it breaks [N].
    pub breaking_load: Option<f64>,
    /// Smallest radius to which it may be bent [m].
    pub bend_radius: Option<f64>,
}

/// Names of a cable's ties, in the order of the engine: start, end, those along it; and whether each holds at the start, if
/// there is something that can.
pub(super) struct Ties(pub Vec<(String, Option<bool>)>);

impl Ties {
    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl Build<'_> {
    pub(super) fn cables(&mut self, heights: &Heights, run: &RunSettings) -> Result<(), BuildError> {
        let spec = self.spec;
        let lines = self.lines()?;
        let mut used = vec![false; lines.len()];
        for (name, cable) in spec.cable.iter() {
            let path = Path::root().key("cable").key(name);
            check_name(name, &path)?;
            let sections = self.sections(cable, &lines, &mut used, &path)?;
            check_step(cable, &sections, run, &path)?;
            self.cable(name, cable, sections, heights, run.duration, &path)?;
        }
        for (used, name) in used.iter().zip(spec.line.names()) {
            if !used {
                self.warnings.push(format!("the line `{name}` is not used"));
            }
        }
        Ok(())
    }

    fn sections(
        &mut self,
        spec: &CableSpec,
        lines: &[Material],
        used: &mut [bool],
        path: &Path,
    ) -> Result<Vec<Section>, Problem> {
        let missing = |key: &str, help: &str| {
            let message = format!("the key `{key}` is missing");
            Problem::new(ErrorKind::Key, path.clone(), message).help(help.to_string())
        };
        let pieces = match &spec.section {
            Some(list) => {
                let whole = [
                    ("line", spec.line.is_some()),
                    ("length", spec.length.is_some()),
                    ("elements", spec.elements.is_some()),
                ];
                if let Some((key, _)) = whole.iter().find(|(_, given)| *given) {
                    let message = format!("give either `{key}` or a list of sections, which have their own");
                    return Err(Problem::new(ErrorKind::Key, path.key(*key), message));
                }
                if list.is_empty() {
                    return Err(Problem::new(
                        ErrorKind::Value,
                        path.key("section"),
                        "there must be one section or more",
                    ));
                }
                let piece = |(i, s): (usize, &crate::spec::SectionSpec)| {
                    let path = path.key("section").index(i);
                    (s.line.clone(), s.length.value, s.elements, path)
                };
                list.iter().enumerate().map(piece).collect()
            }
            None => {
                let Some(line) = &spec.line else {
                    return Err(missing(
                        "line",
                        "name a [line.NAME] that it is made of, or give a list `section`",
                    ));
                };
                let Some(length) = spec.length else {
                    return Err(missing("length", "such as length = \"50 m\""));
                };
                vec![(line.clone(), length.value, spec.elements.unwrap_or(20), path.clone())]
            }
        };
        let mut sections = Vec::new();
        let mut limits = Vec::new();
        for (line, length, elements, path) in pieces {
            let index = self.line_named(&line, &path.key("line"))?;
            if !(1..=MOST_ELEMENTS).contains(&elements) {
                let message = format!("from 1 to {MOST_ELEMENTS} elements, and this is {elements}");
                return Err(Problem::new(ErrorKind::Value, path.key("elements"), message));
            }
            used[index] = true;
            let material = &lines[index];
            let line = Arc::new(material.in_elements(length / f64::from(elements)));
            limits.push(LineLimits {
                breaking_load: material.breaking_load,
                bend_radius: material.bend_radius,
            });
            sections.push(Section { line, length, elements: elements as usize });
        }
        self.limits.push(limits);
        Ok(sections)
    }

    fn cable(
        &mut self,
        name: &str,
        spec: &CableSpec,
        sections: Vec<Section>,
        heights: &Heights,
        duration: f64,
        path: &Path,
    ) -> Result<(), BuildError> {
        let length: f64 = sections.iter().map(|s| s.length).sum();
        let start = self.end(spec.start.as_ref(), heights, &sections, &path.key("start"))?;
        let end = self.end(spec.end.as_ref(), heights, &sections, &path.key("end"))?;
        let mut ties = vec![
            ("start".to_string(), start.tie.map(|t| t.attached)),
            ("end".to_string(), end.tie.map(|t| t.attached)),
        ];
        let mut names = BTreeSet::new();
        let (mut along, mut stations) = (Vec::new(), Vec::new());
        let mut ordered: Vec<_> = spec.along.iter().enumerate().collect();
        ordered.sort_by(|a, b| a.1.at.value.total_cmp(&b.1.at.value));
        for (i, point) in ordered {
            let path = path.key("along").index(i);
            if point.at.value > length {
                let message = format!("this is {} m along a cable of {length} m", point.at.value);
                let help = "arc lengths are counted from the start of the cable, unstretched".to_string();
                return Err(Problem::new(ErrorKind::Value, path.key("at"), message).help(help).into());
            }
            let what = self.along(point, &path)?;
            if let AlongKind::Tie { name, .. } | AlongKind::Guide { name, .. } = &what {
                if !names.insert(name.clone()) || name == "start" || name == "end" {
                    let message = format!("the name `{name}` is used twice along this cable");
                    return Err(Problem::new(ErrorKind::Key, path.key("name"), message).into());
                }
                if let AlongKind::Tie { tie, .. } = &what {
                    ties.push((name.clone(), Some(tie.attached)));
                }
            }
            stations.extend(self.station(point.at.value, &what));
            along.push(Along { at: point.at.value, what });
        }
        let payout = match &spec.payout {
            None => None,
            Some(payout) => {
                let holds = ties[usize::from(payout.at == CableEndSpec::End)].1 == Some(true);
                Some(self.payout(name, payout, &sections, holds, duration, &path.key("payout"))?)
            }
        };
        let resolution = spec.resolution.as_ref();
        let resolution =
            resolution.map(|r| resolution_of(r, &sections, &path.key("resolution"))).transpose()?;

        let gravity = vec3(&self.spec.world.gravity);
        let laid = lay::Cable { sections: &sections, along: &along, gravity, heights: *heights, length };
        let held = Held { start: start.place, end: end.place, stations };
        self.check_span(name, &laid, &held, [&start, &end], spec, path)?;
        let shape = match &spec.shape {
            CableShapeSpec::Rest | CableShapeSpec::Catenary => laid.catenaries(&held),
            CableShapeSpec::Straight => laid.straight(&held),
            CableShapeSpec::Through(points) => {
                laid.through(&held, &points.iter().map(vec3).collect::<Vec<_>>())
            }
        };
        let Some(shape) = shape else {
            let (message, help) = match &spec.shape {
                CableShapeSpec::Through(_) => {
                    ("the points make no line", "give two points or more that differ")
                }
                CableShapeSpec::Straight if start.place.is_some() || end.place.is_some() => (
                    "one end has no place, so that no straight line is known",
                    "say where it is: end = { free = [x, y, z] }",
                ),
                _ => (
                    "neither end has a place, so that it is not known where the cable is",
                    "say where: start = { free = [x, y, z] }",
                ),
            };
            let problem = Problem::new(ErrorKind::Value, path.key("shape"), message).help(help.to_string());
            return Err(problem.into());
        };
        self.builder.cable(Spec {
            name: name.into(),
            sections,
            ends: [start.tie, end.tie],
            along,
            shape,
            velocity: vec3(&spec.velocity),
            settle: spec.shape == CableShapeSpec::Rest,
            payout,
            resolution,
        });
        self.ties.push(Ties(ties));
        Ok(())
    }

    /// What holds an end, and where it is.
    fn end(
        &self,
        spec: Option<&EndSpec>,
        heights: &Heights,
        sections: &[Section],
        path: &Path,
    ) -> Result<End, Problem> {
        let Some(spec) = spec else { return Ok(End { tie: None, place: None }) };
        let wrong = |key: &str, message: &str| Err(Problem::new(ErrorKind::Key, path.key(key), message));
        let (body, place) = match (&spec.fixed, &spec.body, &spec.free) {
            (Some(place), None, None) => (None, vec3(place)),
            (None, Some(body), None) => {
                let body = self.parent(body, &path.key("body"))?;
                let Some(at) = &spec.at else {
                    let message = "the key `at` is missing: where on the body";
                    let help = "in the world, as drawn, such as at = [0, 0, 1]".to_string();
                    return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
                };
                (body, vec3(at))
            }
            (None, None, Some(place)) => {
                if spec.clamp.is_some() {
                    return wrong("clamp", "a free end is not clamped");
                }
                if !spec.attached {
                    return wrong(
                        "attached",
                        "a free end has nothing that it could be attached to: name a `body`, or `fixed`",
                    );
                }
                if spec.at.is_some() {
                    return wrong("at", "`at` goes with `body`: `free` says where the end is");
                }
                return Ok(End { tie: None, place: Some(vec3(place)) });
            }
            _ => {
                let message = "an end has exactly one of `fixed`, `body` and `free`";
                let help =
                    "such as { fixed = [0, 0, 0] }, or { body = \"boat\", at = [1, 0, 2] }".to_string();
                return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
            }
        };
        if spec.fixed.is_some() && spec.at.is_some() {
            return wrong("at", "`at` goes with `body`: `fixed` says where the end is");
        }
        if body.is_none() {
            let thick = sections.iter().map(|s| s.line.diameter).fold(0.0, f64::max);
            let key = if spec.fixed.is_some() { "fixed" } else { "at" };
            above_bottom(heights, place, thick, &path.key(key))?;
        }
        let pose = self.drawn(body).inverse();
        let clamp = spec.clamp.as_ref().map(|c| axis(c, &path.key("clamp"))).transpose()?;
        let point = Point { body, at: pose.transform_point(place) };
        let tie = Tie { point, clamp: clamp.map(|c| pose.rotation * c), attached: spec.attached };
        // Where the body is at the start; joints may have moved it away from the drawing.
        let place = self.starting(body).transform_point(point.at);
        Ok(End { tie: Some(tie), place: Some(place) })
    }

    fn along(&self, spec: &AlongSpec, path: &Path) -> Result<AlongKind, Problem> {
        let lump = [
            ("mass", spec.mass.map(|x| x.value)),
            ("volume", spec.volume.map(|x| x.value)),
            ("drag_area", spec.drag_area.map(|x| x.value)),
            ("added_mass", spec.added_mass.map(|x| x.value)),
        ];
        let is_lump = lump.iter().any(|(_, given)| given.is_some());
        let kinds = [is_lump, spec.body.is_some(), spec.ring.is_some(), spec.sheave.is_some()];
        if kinds.iter().filter(|kind| **kind).count() != 1 {
            let message = "what is along a cable is one of: a weight or float (`mass`, `volume`, `drag_area`, `added_mass`), a tie \
                           (`body`, `point`), a `ring`, a `sheave`";
            let help = "for a weight at a tie add two entries with the same `at`".to_string();
            return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
        }
        if spec.body.is_none() {
            let only_ties = [("point", spec.point.is_some()), ("attached", !spec.attached)];
            if let Some((key, _)) = only_ties.iter().find(|(_, given)| *given) {
                let message = format!("`{key}` goes with `body`");
                return Err(Problem::new(ErrorKind::Key, path.key(*key), message));
            }
        }
        if is_lump {
            let [mass, volume, drag_area, added_mass] = lump.map(|(_, given)| given.unwrap_or(0.0));
            return Ok(AlongKind::Lump(Lump { mass, volume, drag_area, added_mass }));
        }
        let Some(name) = spec.name.clone() else {
            let message = "the key `name` is missing: ties, rings and sheaves have one";
            return Err(Problem::new(ErrorKind::Key, path.clone(), message));
        };
        check_name(&name, &path.key("name"))?;
        let local = |body: Option<BodyId>, at: Vec3| Point {
            body,
            at: self.drawn(body).inverse().transform_point(at),
        };
        if let Some(ring) = &spec.ring {
            let body = self.parent(&ring.body, &path.key("ring").key("body"))?;
            return Ok(AlongKind::Guide { name, guide: Guide::Ring(local(body, vec3(&ring.point))) });
        }
        if let Some(sheave) = &spec.sheave {
            let path = path.key("sheave");
            let body = self.parent(&sheave.body, &path.key("body"))?;
            let axis = self.drawn(body).inverse().rotation * axis(&sheave.axis, &path.key("axis"))?;
            let center = local(body, vec3(&sheave.center));
            return Ok(AlongKind::Guide {
                name,
                guide: Guide::Sheave { center, axis, radius: sheave.radius.value },
            });
        }
        let body = self.parent(spec.body.as_deref().unwrap_or("world"), &path.key("body"))?;
        let Some(point) = &spec.point else {
            let message = "the key `point` is missing: where on the body";
            return Err(Problem::new(ErrorKind::Key, path.clone(), message));
        };
        let tie = Tie { point: local(body, vec3(point)), clamp: None, attached: spec.attached };
        Ok(AlongKind::Tie { name, tie })
    }

    /// Pose of a body at the start of the run.
    fn starting(&self, body: Option<BodyId>) -> Pose {
        body.and_then(|id| self.start.get(id.index()).copied()).unwrap_or_else(|| self.drawn(body))
    }

    /// Where something holds or leads the cable, at the start of the run.
    fn station(&self, at: f64, what: &AlongKind) -> Option<Station> {
        let drawn = |point: &Point| self.starting(point.body).transform_point(point.at);
        match what {
            AlongKind::Tie { tie, .. } if tie.attached => Some(Station::Tie { at, place: drawn(&tie.point) }),
            AlongKind::Lump(_) | AlongKind::Tie { .. } => None,
            AlongKind::Guide { guide: Guide::Ring(point), .. } => {
                Some(Station::Ring { at, place: drawn(point) })
            }
            AlongKind::Guide { guide: Guide::Sheave { center, axis, radius }, .. } => Some(Station::Sheave {
                at,
                center: drawn(center),
                axis: self.starting(center.body).rotation * *axis,
                radius: *radius,
            }),
        }
    }

    fn payout(
        &mut self,
        name: &str,
        spec: &PayoutSpec,
        sections: &[Section],
        holds: bool,
        duration: f64,
        path: &Path,
    ) -> Result<Payout, BuildError> {
        let length: f64 = sections.iter().map(|s| s.length).sum();
        let end = usize::from(spec.at == CableEndSpec::End);
        let word = ["start", "end"][end];
        if !holds {
            let message =
                format!("nothing holds the {word} of the cable, so that nothing can be paid out there");
            let help =
                format!("hold it ({word} = {{ fixed = … }} or {{ body = … }}), or pay out at the other end");
            return Err(Problem::new(ErrorKind::Value, path.clone(), message).help(help).into());
        }
        let at_end = if end == 0 { sections.first() } else { sections.last() };
        let element = at_end.map_or(length, |s| s.length / s.elements as f64);
        let shortest = spec.minimum.map_or((2.0 * element).min(length), |m| m.value);
        if shortest > length {
            let message =
                format!("the shortest length is {shortest} m, but the cable is only {length} m long");
            return Err(Problem::new(ErrorKind::Value, path.key("minimum"), message).into());
        }
        let speed = self.setpoint(&spec.speed, &path.key("speed"))?;
        let [most, least] = extremes(&speed, duration);
        let longest = spec.maximum.map_or(length + most + element, |m| m.value);
        if longest < length {
            let message =
                format!("the greatest length is {longest} m, but the cable is already {length} m long");
            return Err(Problem::new(ErrorKind::Value, path.key("maximum"), message).into());
        }
        if length + least < shortest * (1.0 - 1e-9) {
            self.warnings.push(format!(
                "the payout of the cable `{name}` would haul in {:.3} m, but stops at its shortest length of {shortest} m",
                -least
            ));
        }
        Ok(Payout { end, speed, shortest, longest })
    }

    /// A cable that is shorter than what it must span is stretched: how much, and whether it can be.
    fn check_span(
        &mut self,
        name: &str,
        laid: &lay::Cable<'_>,
        held: &Held,
        ends: [&End; 2],
        spec: &CableSpec,
        path: &Path,
    ) -> Result<(), Problem> {
        let holds = ends.map(|end| end.tie.is_some_and(|tie| tie.attached));
        for piece in laid.pieces(held, holds) {
            let strain = piece.way / piece.length - 1.0;
            if !(strain > 1e-9) {
                continue;
            }
            let tension = laid.tension(&piece);
            let said = format!(
                "it is {} m long and must span {} m, a strain of {} %",
                short(piece.length),
                short(piece.way),
                short(100.0 * strain)
            );
            if !(strain <= 0.2) {
                let key = if spec.section.is_some() { "section" } else { "length" };
                let message = format!("the cable is too short: {said}, and no line stretches so far");
                let help = format!("make it longer than {} m, or bring its ends nearer", short(piece.way));
                return Err(Problem::new(ErrorKind::Model, path.key(key), message).help(help));
            }
            let breaking =
                self.limits.last().into_iter().flatten().filter_map(|l| l.breaking_load).reduce(f64::min);
            let breaks = breaking.filter(|load| tension > *load);
            let said = format!("cable.{name}: {said}, which takes {} N", short(tension));
            match breaks {
                Some(load) => {
                    self.warnings.push(format!("{said}: more than the {} N at which it breaks", short(load)))
                }
                None if strain > 0.05 => self.warnings.push(said),
                None => self.chosen.push(said),
            }
        }
        Ok(())
    }
}

/// What holds an end, and where the end is at the start.
struct End {
    tie: Option<Tie>,
    place: Option<Vec3>,
}

/// A number with four digits.
fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 9) };
    let text = format!("{x:.*}", digits as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

fn above_bottom(heights: &Heights, place: Vec3, thick: f64, path: &Path) -> Result<(), Problem> {
    let Some(bottom) = heights.bottom.filter(|bottom| place.z < bottom - thick - 1e-9 * (1.0 + bottom.abs()))
    else {
        return Ok(());
    };
    let what = if heights.carries { "the seabed" } else { "the bottom of the water" };
    let message = format!("this end is at a height of {} m, below {what} at {bottom} m", place.z);
    let help = match heights.water {
        Some((_, surface)) => {
            format!("make the water deeper ({} m would do), or lift the end", surface - place.z)
        }
        None => "lower the seabed, or lift the end".to_string(),
    };
    Err(Problem::new(ErrorKind::Value, path.clone(), message).help(help))
}

/// A step that is too long for an element makes the run diverge at once.
fn check_step(spec: &CableSpec, sections: &[Section], run: &RunSettings, path: &Path) -> Result<(), Problem> {
    let Some(quick) = cable_step::too_quick(sections, &run.integrator) else { return Ok(()) };
    let (path, which) = match &spec.section {
        Some(_) => (path.key("section").index(quick.section), format!(" of section {}", quick.section + 1)),
        None => (path.key(if spec.elements.is_some() { "elements" } else { "length" }), String::new()),
    };
    let message = format!(
        "the elements{which}, {} m long, are too short for the step: {} them has a frequency of {} Hz, which needs steps below {} ms, and \
         these are {} ms",
        short(quick.element),
        quick.mode,
        short(quick.frequency),
        short(1e3 * quick.limit),
        short(1e3 * quick.step)
    );
    let help = format!(
        "take an implicit method, such as run.integrator.generalized_alpha = {{ step = {} }}, a step of {} ms, or {} elements",
        quick.step,
        short(0.8e3 * quick.limit),
        quick.elements
    );
    Err(Problem::new(ErrorKind::Model, path, message).help(help))
}

/// Most and least that a payout comes to during a run [m].
fn extremes(speed: &Setpoint, duration: f64) -> [f64; 2] {
    const STEPS: usize = 2000;
    let dt = duration / STEPS as f64;
    let (mut now, mut most, mut least) = (0.0f64, 0.0f64, 0.0f64);
    let mut last = speed.sample(0.0)[0];
    for i in 1..=STEPS {
        let next = speed.sample(i as f64 * dt)[0];
        now += 0.5 * (last + next) * dt;
        last = next;
        (most, least) = (most.max(now), least.min(now));
    }
    [most, least]
}

fn resolution_of(spec: &ResolutionSpec, sections: &[Section], path: &Path) -> Result<Resolution, Problem> {
    let sizes = || sections.iter().map(|s| s.length / s.elements as f64);
    let shortest = spec.shortest.map_or(0.25 * sizes().fold(f64::INFINITY, f64::min), |l| l.value);
    let longest = spec.longest.map_or(sizes().fold(0.0, f64::max), |l| l.value);
    if shortest > 0.5 * longest {
        let message = format!(
            "the shortest element, {shortest} m, must be at most half the longest, {longest} m: one that is split makes two"
        );
        return Err(Problem::new(ErrorKind::Value, path.key("shortest"), message));
    }
    let elements: usize = sections.iter().map(|s| s.elements).sum();
    let most = spec.most.map_or(4 * elements + 1, |n| n as usize);
    if most <= elements || most > MOST_ELEMENTS as usize {
        let message = format!("from {} nodes, which it has at the start, to {MOST_ELEMENTS}", elements + 1);
        return Err(Problem::new(ErrorKind::Value, path.key("most"), message));
    }
    Ok(Resolution { angle: spec.angle.value, shortest, longest, most })
}

/// Where the file speaks of what the engine finds wrong with a cable, and what to do about it.
pub(super) fn place(spec: &ScenarioSpec, name: &str, error: &CableError) -> (Path, Option<String>) {
    let path = Path::root().key("cable").key(name);
    let sections = spec.cable.iter().any(|(n, cable)| n == name && cable.section.is_some());
    let whole = |key: &str| path.key(if sections { "section" } else { key });
    match error {
        CableError::TooFewElements { .. } => {
            (whole("elements"), Some("give it more `elements`, or hold it at fewer places".into()))
        }
        CableError::PayoutBounds { .. } | CableError::PayoutFree { .. } => (path.key("payout"), None),
        CableError::Beyond { .. } => (path.key("along"), None),
        CableError::NoShape => (path.key("shape"), None),
        CableError::TooShort { .. } | CableError::NoLength { .. } => (whole("length"), None),
        _ => (path, None),
    }
}
