//! Loops.

use super::joint::axis;
use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{Length, Vector, vec3};
use crate::spec::{CloseSpec, LoopMethodSpec, LoopsSpec, PenaltyScaleSpec, ProfileSpec, SharedAxisSpec};
use crate::tree::Path;
use fender_engine::closure::{Anchor, Frame, Line, LoopMethod, LoopSettings, PenaltyScale, Turning};
use fender_engine::{BodyId, JointId, Limit, LoopKind, LoopSpec};
use fender_math::{Pose, Profile, Vec3, rotation};

/// Two frames, as drawn, that a loop holds together.
struct Held {
    between: [Option<BodyId>; 2],
    frames: [Pose; 2],
}

impl Build<'_> {
    pub(super) fn loops(&mut self) -> Result<(), BuildError> {
        let spec = self.spec;
        self.builder.loop_settings(settings(&spec.run.loops));
        for (name, closed) in spec.closed_loop.iter() {
            let path = Path::root().key("loop").key(name);
            check_name(name, &path)?;
            let kind = self.close(&closed.close, &path.key("close"))?;
            let id = self.builder.closed_loop(LoopSpec { name: name.into(), kind });
            if !closed.attached {
                self.builder.detached(id);
            }
            if closed.break_at.is_some() || closed.break_torque.is_some() {
                let force = closed.break_at.map_or(f64::INFINITY, |f| f.value);
                let torque = closed.break_torque.map_or(f64::INFINITY, |t| t.value);
                self.builder.limit(id, Limit { force, torque });
            }
        }
        Ok(())
    }

    fn close(&mut self, spec: &CloseSpec, path: &Path) -> Result<LoopKind, BuildError> {
        Ok(match spec {
            CloseSpec::Point { between, at, to } => {
                let path = path.key("point");
                let between = self.pair(between, &path.key("between"))?;
                let frames = [at, to.as_ref().unwrap_or(at)].map(|p| Pose::from_translation(vec3(p)));
                self.frame("point", &Held { between, frames }, [true; 3], Turning::Free)
            }
            CloseSpec::Axis(shared) => {
                let held = self.shared_axis(shared, &path.key("axis"))?;
                self.frame("axis", &held, [true, true, false], Turning::About)
            }
            CloseSpec::Hinge(shared) => {
                let held = self.shared_axis(shared, &path.key("hinge"))?;
                self.frame("hinge", &held, [true; 3], Turning::About)
            }
            CloseSpec::Weld { between } => {
                let between = self.pair(between, &path.key("weld").key("between"))?;
                let drawn = self.drawn(between[1]);
                self.frame("weld", &Held { between, frames: [drawn; 2] }, [true; 3], Turning::Locked)
            }
            CloseSpec::Distance { between, from, to, length, guide } => {
                let path = path.key("distance");
                let between = self.pair(between, &path.key("between"))?;
                let through = [(between[0], vec3(from)), (between[1], vec3(to))];
                let length = length.as_ref().map(|l| l.value);
                self.line(&through, length, guide.as_ref(), &path, "from")?
            }
            CloseSpec::Rope { through, length, guide } => {
                let path = path.key("rope");
                let mut points: Vec<(Option<BodyId>, Vec3)> = Vec::new();
                for (i, (body, point)) in through.iter().enumerate() {
                    let body = self.parent(body, &path.key("through").index(i).index(0))?;
                    points.push((body, vec3(point)));
                }
                if points.len() < 2 {
                    let message = "a rope runs through two points at least";
                    return Err(Problem::new(ErrorKind::Value, path.key("through"), message).into());
                }
                self.line(&points, length.as_ref().map(|l| l.value), guide.as_ref(), &path, "through")?
            }
            CloseSpec::Gear { joints, ratio } => {
                let path = path.key("gear");
                let (first, i, _) = self.position(&joints[0], &path.key("joints").index(0))?;
                let (second, j, _) = self.position(&joints[1], &path.key("joints").index(1))?;
                if (first, i) == (second, j) {
                    let message = "a gear joins two different joints";
                    return Err(Problem::new(ErrorKind::Value, path.key("joints"), message).into());
                }
                if ratio.value == 0.0 {
                    let message = "a ratio of zero holds the second joint: make it `fixed` instead";
                    return Err(Problem::new(ErrorKind::Value, path.key("ratio"), message).into());
                }
                coupled(vec![(first, i, -ratio.value), (second, j, 1.0)])
            }
            CloseSpec::Rack { pinion, rack, radius } => {
                let path = path.key("rack");
                let (pinion, i, turns) = self.position(pinion, &path.key("pinion"))?;
                let (rack, j, turning) = self.position(rack, &path.key("rack"))?;
                if !turns || turning {
                    let key = if turns { "rack" } else { "pinion" };
                    let message = "the pinion is a joint that turns, the rack one that slides";
                    return Err(Problem::new(ErrorKind::Value, path.key(key), message).into());
                }
                coupled(vec![(rack, j, 1.0), (pinion, i, -radius.value)])
            }
            CloseSpec::Coupling { terms, value, guide } => {
                let path = path.key("coupling");
                let mut found = Vec::new();
                for (i, (joint, factor)) in terms.iter().enumerate() {
                    let (joint, coordinate, _) =
                        self.position(joint, &path.key("terms").index(i).index(0))?;
                    found.push((joint, coordinate, factor.value));
                }
                if found.iter().all(|(_, _, factor)| *factor == 0.0) {
                    let message = "a coupling needs a term with a factor that is not zero";
                    return Err(Problem::new(ErrorKind::Value, path.key("terms"), message).into());
                }
                let path = path.key("guide");
                let value = match guide {
                    None => Profile::Constant(value.value),
                    Some(guide) => self.motion_profile(guide, &path)?,
                };
                LoopKind::Coupling { terms: found, value }
            }
        })
    }

    /// Two different bodies, or the world.
    fn pair(&self, names: &[String; 2], path: &Path) -> Result<[Option<BodyId>; 2], Problem> {
        let pair = [self.parent(&names[0], &path.index(0))?, self.parent(&names[1], &path.index(1))?];
        if pair[0] == pair[1] {
            let message = "a loop closes between two different bodies";
            return Err(Problem::new(ErrorKind::Value, path.clone(), message));
        }
        Ok(pair)
    }

    /// Pose of a body as drawn.
    pub(super) fn drawn(&self, body: Option<BodyId>) -> Pose {
        body.map_or(Pose::IDENTITY, |id| self.bodies.list[id.index()].1)
    }

    fn shared_axis(&self, spec: &SharedAxisSpec, path: &Path) -> Result<Held, Problem> {
        let between = self.pair(&spec.between, &path.key("between"))?;
        let first = axis(&spec.axis, &path.key("axis"))?;
        let second = spec.to_axis.as_ref().map_or(Ok(first), |a| axis(a, &path.key("to_axis")))?;
        let at = |point: &Vector<Length>, axis| Pose {
            rotation: rotation::between(Vec3::Z, axis),
            translation: vec3(point),
        };
        let frames = [at(&spec.at, first), at(spec.to.as_ref().unwrap_or(&spec.at), second)];
        Ok(Held { between, frames })
    }

    fn frame(&self, kind: &'static str, held: &Held, locked: [bool; 3], turning: Turning) -> LoopKind {
        let [a, b] = held.between;
        let [frame_a, frame_b] = [0, 1].map(|i| self.drawn(held.between[i]).inverse() * held.frames[i]);
        LoopKind::Bodies(Box::new(Frame { a, b, frame_a, frame_b, locked, turning, kind }))
    }

    fn line(
        &mut self,
        through: &[(Option<BodyId>, Vec3)],
        length: Option<f64>,
        guide: Option<&ProfileSpec<Length>>,
        path: &Path,
        key: &str,
    ) -> Result<LoopKind, BuildError> {
        if let Some(pair) = through.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1) {
            let message = format!("the line has no length between two points at {}", pair[0].1);
            return Err(Problem::new(ErrorKind::Value, path.key(key), message).into());
        }
        let drawn: f64 = through.windows(2).map(|pair| (pair[1].1 - pair[0].1).length()).sum();
        let length = match guide {
            None if drawn == 0.0 && length.is_none() => {
                let message = "the points coincide as drawn: give a `length`, or use `close.point`";
                return Err(Problem::new(ErrorKind::Value, path.key(key), message).into());
            }
            None => Profile::Constant(length.unwrap_or(drawn)),
            Some(guide) => self.motion_profile(guide, &path.key("guide"))?,
        };
        let anchors = through
            .iter()
            .map(|(body, point)| Anchor {
                body: *body,
                point: self.drawn(*body).inverse().transform_point(*point),
            })
            .collect();
        Ok(LoopKind::Bodies(Box::new(Line { anchors, length })))
    }
}

fn coupled(terms: Vec<(JointId, usize, f64)>) -> LoopKind {
    LoopKind::Coupling { terms, value: Profile::Constant(0.0) }
}

fn settings(spec: &LoopsSpec) -> LoopSettings {
    LoopSettings {
        method: match &spec.method {
            LoopMethodSpec::Augmented {} => LoopMethod::Augmented,
            LoopMethodSpec::Penalty { frequency, damping } => {
                LoopMethod::Penalty { frequency: frequency.value, damping: damping.value }
            }
        },
        penalty: spec.penalty.value,
        scale: match spec.scale {
            PenaltyScaleSpec::Mass => PenaltyScale::Mass,
            PenaltyScaleSpec::Uniform => PenaltyScale::Uniform,
        },
    }
}
