//! What holds and leads cables: ends, ties, rings, sheaves, and what they carry.

use super::course::{Kind, Sheave, Station};
use super::joint::axis;
use super::water::Heights;
use super::{Build, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{Length, Vector, vec3};
use crate::spec::{AlongSpec, EndSpec};
use crate::tree::Path;
use fender_engine::BodyId;
use fender_engine::cable::{AlongKind, Guide, Lump, Point, Section, Tie};
use fender_math::{Pose, Vec3};

/// Names of a cable's ties, in the order of the engine: start, end, those along it; and whether each holds at the start, if
/// there is something that can.
pub(super) struct Ties(pub Vec<(String, Option<bool>)>);

impl Ties {
    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// What holds an end, and where the end is at the start.
pub(super) struct End {
    pub tie: Option<Tie>,
    pub place: Option<Vec3>,
}

impl Build<'_> {
    /// What holds an end, and where it is.
    pub(super) fn end(
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
                let place = self.point_on(body, ["at", "body_point"], [&spec.at, &spec.body_point], path)?;
                (body, place)
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
                if let Some(key) = point_key(spec) {
                    return wrong(key, &format!("`{key}` goes with `body`: `free` says where the end is"));
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
        if let Some(key) = point_key(spec).filter(|_| spec.fixed.is_some()) {
            return wrong(key, &format!("`{key}` goes with `body`: `fixed` says where the end is"));
        }
        if body.is_none() {
            let thick = sections.iter().map(|s| s.line.diameter).fold(0.0, f64::max);
            let key = point_key(spec).unwrap_or("fixed");
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

    /// A point on a body, in the world as drawn: given there, or in the body's frame, by the first or the second of `keys`.
    fn point_on(
        &self,
        body: Option<BodyId>,
        keys: [&str; 2],
        given: [&Option<Vector<Length>>; 2],
        path: &Path,
    ) -> Result<Vec3, Problem> {
        let [drawn, local] = keys;
        match given {
            [Some(at), None] => Ok(vec3(at)),
            [None, Some(at)] => Ok(self.drawn(body).transform_point(vec3(at))),
            [Some(_), Some(_)] => {
                let message =
                    format!("give either `{drawn}`, in the world, or `{local}`, in the body's frame");
                Err(Problem::new(ErrorKind::Key, path.key(local), message))
            }
            [None, None] => {
                let message = format!("the key `{drawn}` is missing: where on the body");
                let help = format!(
                    "in the world, as drawn, such as {drawn} = [0, 0, 1], or in the body's frame: {local} = [0, 0, 1]"
                );
                Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help))
            }
        }
    }

    pub(super) fn along(&self, spec: &AlongSpec, path: &Path) -> Result<AlongKind, Problem> {
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
            let only_ties = [
                ("point", spec.point.is_some()),
                ("body_point", spec.body_point.is_some()),
                ("attached", !spec.attached),
            ];
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
            let guide = Guide::Ring(local(body, vec3(&ring.point)));
            return Ok(AlongKind::Guide { name, guide, rim: 0.0 });
        }
        if let Some(sheave) = &spec.sheave {
            let path = path.key("sheave");
            let body = self.parent(&sheave.body, &path.key("body"))?;
            let axis = self.drawn(body).inverse().rotation * axis(&sheave.axis, &path.key("axis"))?;
            let center = local(body, vec3(&sheave.center));
            return Ok(AlongKind::Guide {
                name,
                guide: Guide::Sheave { center, axis, radius: sheave.radius.value },
                rim: 0.0,
            });
        }
        let body = self.parent(spec.body.as_deref().unwrap_or("world"), &path.key("body"))?;
        let point = self.point_on(body, ["point", "body_point"], [&spec.point, &spec.body_point], path)?;
        let tie = Tie { point: local(body, point), clamp: None, attached: spec.attached };
        Ok(AlongKind::Tie { name, tie })
    }

    /// Pose of a body at the start of the run.
    fn starting(&self, body: Option<BodyId>) -> Pose {
        body.and_then(|id| self.start.get(id.index()).copied()).unwrap_or_else(|| self.drawn(body))
    }

    /// Where something holds or leads the cable, at the start of the run.
    pub(super) fn station(
        &self,
        at: Option<f64>,
        along: usize,
        what: &AlongKind,
        spec: &AlongSpec,
    ) -> Option<Station> {
        let drawn = |point: &Point| self.starting(point.body).transform_point(point.at);
        let kind = match what {
            AlongKind::Tie { tie, .. } if tie.attached => Kind::Tie(drawn(&tie.point)),
            AlongKind::Lump(_) | AlongKind::Tie { .. } => return None,
            AlongKind::Guide { guide: Guide::Ring(point), .. } => Kind::Ring(drawn(point)),
            AlongKind::Guide { guide: Guide::Sheave { center, axis, radius }, .. } => Kind::Sheave(Sheave {
                center: drawn(center),
                axis: self.starting(center.body).rotation * *axis,
                radius: *radius,
                long_way: spec.sheave.as_ref().is_some_and(|s| s.long_way),
            }),
        };
        Some(Station { at, along: Some(along), kind })
    }
}

/// The key that says where on the body an end is, if one does.
fn point_key(spec: &EndSpec) -> Option<&'static str> {
    let given = [("at", spec.at.is_some()), ("body_point", spec.body_point.is_some())];
    given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
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
