//! Cables.

use super::cable_step::check_step;
use super::course::{self, Kind, Lost, Station, Stop};
use super::lay;
use super::line::Material;
use super::payout::resolution_of;
use super::tie::{End, Ties};
use super::water::Heights;
use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::scenario::RunSettings;
use crate::spec::{CableEndSpec, CableShapeSpec, CableSpec, ScenarioSpec};
use crate::tree::Path;
use fender_engine::cable::{Along, AlongKind, CableError, CableSpec as Spec, Pace, Section};
use fender_math::Vec3;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

/// Most elements that a cable may have.
pub(super) const MOST_ELEMENTS: u32 = 100_000;

impl Build<'_> {
    pub(super) fn cables(&mut self, heights: &Heights, run: &RunSettings) -> Result<(), BuildError> {
        let spec = self.spec;
        let lines = self.lines()?;
        let mut used = vec![false; lines.len()];
        for (name, cable) in spec.cable.iter() {
            let path = Path::root().key("cable").key(name);
            check_name(name, &path)?;
            let sections = self.sections(name, cable, &lines, &mut used, &path)?;
            if cable.own_rate.is_none() {
                check_step(cable, &sections, run, &path)?;
            }
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
        name: &str,
        spec: &CableSpec,
        lines: &[Material],
        used: &mut [bool],
        path: &Path,
    ) -> Result<Vec<Section>, Problem> {
        let missing = |key: &str, help: &str| {
            let message = format!("the key `{key}` is missing");
            Problem::new(ErrorKind::Key, path.clone(), message).help(help.to_string())
        };
        let pieces = if let Some(list) = &spec.section {
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
        } else {
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
        };
        let mut made_of = Vec::new();
        for (line, _, _, path) in &pieces {
            made_of.push(self.line_named(line, &path.key("line"))?);
        }
        let whole: f64 = pieces.iter().map(|(_, length, _, _)| length).sum();
        let passage =
            pieces.iter().zip(&made_of).map(|((_, length, _, _), i)| lines[*i].passage(*length)).sum::<f64>();
        let mut sections = Vec::new();
        for (piece, ((_, length, elements, path), index)) in pieces.into_iter().zip(&made_of).enumerate() {
            let index = *index;
            if !(1..=MOST_ELEMENTS).contains(&elements) {
                let message = format!("from 1 to {MOST_ELEMENTS} elements, and this is {elements}");
                return Err(Problem::new(ErrorKind::Value, path.key("elements"), message));
            }
            used[index] = true;
            let line = Arc::new(lines[index].in_cable(passage));
            if let (Some(why), false) = (lines[index].unsaid(), made_of[..piece].contains(&index)) {
                let ratio = line.axial_damping * PI / (4.0 * line.axial.stiffness() * passage);
                self.chosen.push(format!(
                    "cable.{name}: damping = {} N*s, {} % of critical in the first axial mode of its {} m ({why})",
                    short(line.axial_damping),
                    short(100.0 * ratio),
                    short(whole)
                ));
            }
            sections.push(Section { line, length, elements: elements as usize });
        }
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
        let gravity = vec3(&self.spec.world.gravity);
        let rest = spec.shape == CableShapeSpec::Rest;
        let (parts, stations) = self.along_cable(spec, length, [&start, &end], &mut ties, path)?;
        let beside = course::straight(&stations, gravity);
        let stops = course::check(&stations, &beside)
            .and_then(|()| course::find(&stations, &beside, length, rest))
            .map_err(|lost| lost_way(spec, &lost, path))?;
        let along = placed(parts, &stops, path)?;
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

        let laid = lay::Cable { sections: &sections, along: &along, gravity, heights: *heights, length };
        self.check_span(name, &laid, &stops, [&start, &end], spec, path)?;
        let shape = match &spec.shape {
            CableShapeSpec::Rest | CableShapeSpec::Catenary => laid.catenaries(&stations, &stops),
            CableShapeSpec::Straight => laid.straight(&stops),
            CableShapeSpec::Through(points) => {
                laid.through(&stops, &points.iter().map(vec3).collect::<Vec<_>>())
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
            settle: rest,
            payout,
            resolution,
            pace: spec.own_rate.as_ref().map(|own| Pace { step: own.step.value, radius: own.radius.value }),
        });
        self.ties.push(Ties(ties));
        Ok(())
    }

    /// What is along a cable, each with its place in the file and its arc length if that is given, in order; and the stations of its way.
    fn along_cable(
        &mut self,
        spec: &CableSpec,
        length: f64,
        [start, end]: [&End; 2],
        ties: &mut Vec<(String, Option<bool>)>,
        path: &Path,
    ) -> Result<(Vec<Part>, Vec<Station>), BuildError> {
        let mut ordered: Vec<_> = spec.along.iter().enumerate().collect();
        // As they are listed, if the list has to say the order.
        if ordered.iter().all(|(_, point)| point.at.is_some()) {
            ordered.sort_by(|a, b| {
                a.1.at.map(|x| x.value).partial_cmp(&b.1.at.map(|x| x.value)).unwrap_or(Ordering::Equal)
            });
        }
        let mut names = BTreeSet::new();
        let (mut parts, mut stations) = (Vec::new(), Vec::new());
        stations.extend(start.place.map(|p| Station { at: Some(0.0), along: None, kind: Kind::Tie(p) }));
        for (i, point) in ordered {
            let path = path.key("along").index(i);
            let at = point.at.map(|at| at.value);
            if let Some(at) = at.filter(|at| *at > length) {
                let message = format!("this is {at} m along a cable of {length} m");
                let help = "arc lengths are counted from the start of the cable, unstretched".to_string();
                return Err(Problem::new(ErrorKind::Value, path.key("at"), message).help(help).into());
            }
            let what = self.along(point, &path)?;
            if at.is_none() && !matches!(what, AlongKind::Guide { .. }) {
                let message = "the key `at` is missing: how far along the cable";
                let help = "unstretched, from its start; only rings and sheaves do without".to_string();
                return Err(Problem::new(ErrorKind::Key, path, message).help(help).into());
            }
            if let AlongKind::Tie { name, .. } | AlongKind::Guide { name, .. } = &what {
                if !names.insert(name.clone()) || name == "start" || name == "end" {
                    let message = format!("the name `{name}` is used twice along this cable");
                    return Err(Problem::new(ErrorKind::Key, path.key("name"), message).into());
                }
                if let AlongKind::Tie { tie, .. } = &what {
                    ties.push((name.clone(), Some(tie.attached)));
                }
            }
            stations.extend(self.station(at, i, &what, point));
            parts.push(Part { index: i, at, what });
        }
        stations.extend(end.place.map(|p| Station { at: Some(length), along: None, kind: Kind::Tie(p) }));
        Ok((parts, stations))
    }

    /// A cable that is shorter than what it must span is stretched: how much, and whether it can be.
    fn check_span(
        &mut self,
        name: &str,
        laid: &lay::Cable<'_>,
        stops: &[Stop],
        ends: [&End; 2],
        spec: &CableSpec,
        path: &Path,
    ) -> Result<(), Problem> {
        let holds = ends.map(|end| end.tie.is_some_and(|tie| tie.attached));
        for piece in laid.pieces(stops, holds, false) {
            let strain = piece.way / piece.length - 1.0;
            if strain.is_nan() || strain <= 1e-9 {
                continue;
            }
            let tension = laid.tension(&piece);
            let said = format!(
                "it is {} m long and must span {} m, a strain of {} %",
                short(piece.length),
                short(piece.way),
                short(100.0 * strain)
            );
            if strain > 0.2 {
                let key = if spec.section.is_some() { "section" } else { "length" };
                let message = format!("the cable is too short: {said}, and no line stretches so far");
                let help = format!("make it longer than {} m, or bring its ends nearer", short(piece.way));
                return Err(Problem::new(ErrorKind::Model, path.key(key), message).help(help));
            }
            let breaking = laid.sections.iter().filter_map(|s| s.line.breaking_load).reduce(f64::min);
            let breaks = breaking.filter(|load| tension > *load);
            let said = format!("cable.{name}: {said}, which takes {} N", short(tension));
            match breaks {
                Some(load) => {
                    let load = short(load);
                    self.warnings.push(format!("{said}: more than the {load} N at which it breaks"));
                }
                None if strain > 0.05 => self.warnings.push(said),
                None => self.chosen.push(said),
            }
        }
        // What leads it is where it is along the cable; nothing has slid yet.
        let short_side = laid.pieces(stops, holds, true).into_iter().find(|p| p.way > 1.2 * p.length);
        if let Some(side) = short_side {
            let message = format!(
                "what leads the cable is at the wrong place along it: the {} m from {} m on must span {} m",
                short(side.length),
                short(side.from),
                short(side.way)
            );
            let help = "`at` is how much of the cable, from its start, is before the ring, the tie or the middle of the wrap; rings and \
                        sheaves do without it"
                .to_string();
            return Err(Problem::new(ErrorKind::Model, path.key("along"), message).help(help));
        }
        Ok(())
    }
}

/// Why there is no way for a cable.
fn lost_way(spec: &CableSpec, lost: &Lost, path: &Path) -> Problem {
    match lost {
        Lost::Unknown { along } => {
            let message = "the key `at` is missing: an end of the cable has no place, so that it is not known how much of it is on \
                           which side";
            let help =
                "give the unstretched length from the start to there, or say where the end is".to_string();
            Problem::new(ErrorKind::Key, path.key("along").index(*along), message).help(help)
        }
        Lost::Reversed { along, angle, other } => {
            let path = path.key("along").index(*along).key("sheave").key("axis");
            let degrees = |angle: f64| short(angle.to_degrees());
            let how = if *angle < 0.0 {
                "would not touch it".to_string()
            } else {
                format!("would go {}° around it", degrees(*angle))
            };
            let message = format!(
                "by the right-hand rule about this axis, from start to end, the cable {how}; about the opposite axis it goes {}° around",
                degrees(*other)
            );
            let axis = spec.along[*along].sheave.as_ref().map_or(Vec3::ZERO, |s| vec3(&s.axis));
            let turned = axis.to_array().map(|x| if x == 0.0 { 0.0 } else { -x });
            let mut help = format!("turn it around: axis = [{}, {}, {}]", turned[0], turned[1], turned[2]);
            if *angle > 0.0 {
                help += "; if it does go so far around, say so with long_way = true";
            }
            Problem::new(ErrorKind::Value, path, message).help(help)
        }
    }
}

/// Something along a cable.
struct Part {
    /// Which in the file's list.
    index: usize,
    /// Arc length, if it is given [m].
    at: Option<f64>,
    what: AlongKind,
}

/// What is along a cable, at the arc lengths that its way gave.
fn placed(parts: Vec<Part>, stops: &[Stop], path: &Path) -> Result<Vec<Along>, Problem> {
    let mut along: Vec<Along> = Vec::new();
    for Part { index, at, mut what } in parts {
        let stop = stops.iter().find(|stop| stop.along == Some(index));
        if let (AlongKind::Guide { rim, .. }, Some(stop)) = (&mut what, stop) {
            *rim = stop.rim;
        }
        let at = stop.map(|stop| stop.at).or(at).unwrap_or(0.0);
        if along.last().is_some_and(|last| last.at > at) {
            let message = format!(
                "this is {} m along the cable, before what is listed before it, at {} m",
                short(at),
                short(along.last().map_or(0.0, |last| last.at))
            );
            let help =
                "list what is along a cable from its start to its end, or give `at` everywhere".to_string();
            return Err(Problem::new(ErrorKind::Value, path.key("along").index(index), message).help(help));
        }
        along.push(Along { at, what });
    }
    Ok(along)
}

/// A number with four digits.
pub(crate) fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 9) };
    let text = format!("{x:.*}", digits as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// Where the file speaks of what the engine finds wrong with a cable, and what to do about it.
pub(super) fn place(spec: &ScenarioSpec, name: &str, error: &CableError) -> (Path, Option<String>) {
    let path = Path::root().key("cable").key(name);
    let sections = spec.cable.iter().any(|(n, cable)| n == name && cable.section.is_some());
    let whole = |key: &str| path.key(if sections { "section" } else { key });
    match error {
        CableError::PayoutBounds { .. } | CableError::PayoutFree { .. } => (path.key("payout"), None),
        CableError::BadPace { .. } => (path.key("own_rate"), None),
        CableError::TooTight { .. } => (
            path.key("own_rate").key("step"),
            Some("take a shorter step, or leave `own_rate` out: then the cable goes with the bodies".into()),
        ),
        CableError::Beyond { .. } => (path.key("along"), None),
        CableError::NoRoom { .. } => (
            path.key("along"),
            Some("make the cable longer there, or leave out `at` of rings and sheaves: it follows from the way".into()),
        ),
        CableError::Blocked { .. } => (
            path.key("along"),
            Some("make it longer, or begin with shape = \"catenary\"".into()),
        ),
        CableError::NoShape => (path.key("shape"), None),
        CableError::Restless { .. } => (
            path.key("shape"),
            Some(
                "begin with shape = \"catenary\" or `through` points, and let it come to rest during the run"
                    .into(),
            ),
        ),
        CableError::NotHeld => (
            path.key("shape"),
            Some("choose another shape (\"straight\", `through` points), or hold it somewhere".into()),
        ),
        CableError::LateClamp { name } => (path.key(name).key("clamp"), None),
        CableError::TooShort { .. } | CableError::NoLength { .. } => (whole("length"), None),
        _ => (path, None),
    }
}
