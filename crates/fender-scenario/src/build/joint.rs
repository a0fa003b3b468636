//! Joints.

use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{Vector, vec3};
use crate::spec::{AngleMotorSpec, AngleSpec, DistanceMotorSpec, DistanceSpec, JointSpec, MotionSpec};
use crate::tree::Path;
use fender_engine::BodyId;
use fender_engine::action::{Action, JointFriction, JointSpring, Motor, Stop, Target};
use fender_engine::joint::{
    Curve, Cylindrical, Fixed, Joint, Planar, Prismatic, Revolute, Screw, Spherical, Universal,
};
use fender_math::{Mat3, Pose, Profile, Quat, Vec3, rotation};
use std::sync::Arc;

/// What was said of one coordinate, in SI numbers.
#[derive(Default)]
struct Said {
    start: f64,
    rate: f64,
    actions: Vec<Box<dyn Action>>,
    guide: Option<Profile>,
}

/// Reads a coordinate; the same for angles and distances but for the types.
macro_rules! said {
    ($function:ident, $spec:ty, $motor:ident) => {
        fn $function(&mut self, spec: &$spec, path: &Path) -> Result<Said, BuildError> {
            let mut actions: Vec<Box<dyn Action>> = Vec::new();
            if let Some(spring) = &spec.spring {
                let (stiffness, damping) = (spring.stiffness.value, spring.damping.value);
                actions.push(Box::new(JointSpring { stiffness, damping, rest: spring.rest.value }));
            }
            if let Some(friction) = &spec.friction {
                let (level, viscous, v_eps) =
                    (friction.dry.value, friction.viscous.value, friction.v_eps.value);
                actions.push(Box::new(JointFriction { level, viscous, v_eps }));
            }
            if let Some(limits) = &spec.limits {
                let (low, high) = (limits.low.value, limits.high.value);
                if low >= high {
                    let message = format!("the limits are reversed: low is {low} and high is {high}");
                    return Err(Problem::new(ErrorKind::Value, path.key("limits").key("low"), message).into());
                }
                let (stiffness, damping) = (limits.stiffness.value, limits.damping.value);
                actions.push(Box::new(Stop { low, high, stiffness, damping }));
            }
            if let Some(motor) = &spec.motor {
                let at = path.key("motor");
                let (target, limit) = match motor {
                    $motor::Effort(effort) => {
                        (Target::Effort(self.profile(effort, &at.key("effort"))?), f64::INFINITY)
                    }
                    $motor::Rate { rate, gain, limit } => {
                        let rate = self.profile(rate, &at.key("rate").key("rate"))?;
                        (Target::Rate { rate, gain: gain.value }, limit.value)
                    }
                    $motor::Position { position, stiffness, damping, limit } => {
                        let position = self.profile(position, &at.key("position").key("position"))?;
                        let (stiffness, damping) = (stiffness.value, damping.value);
                        (Target::Position { position, stiffness, damping }, limit.value)
                    }
                };
                actions.push(Box::new(Motor { target, limit }));
            }
            let guide = match &spec.guide {
                None => None,
                Some(guide) => Some(self.motion_profile(guide, &path.key("guide"))?),
            };
            Ok(Said { start: spec.start.value, rate: spec.rate.value, actions, guide })
        }
    };
}

/// A unit vector along an axis that the user gave.
pub(super) fn axis(given: &Vector<crate::quantity::Number>, path: &Path) -> Result<Vec3, Problem> {
    let axis = vec3(given);
    if axis.length() > 0.0 {
        return Ok(axis.normalize());
    }
    Err(Problem::new(ErrorKind::Value, path.clone(), "the axis has no length")
        .help("such as [0, 0, 1]".to_string()))
}

impl Build<'_> {
    said!(angle, AngleSpec, AngleMotorSpec);
    said!(distance, DistanceSpec, DistanceMotorSpec);

    pub(super) fn joints(&mut self) -> Result<(), BuildError> {
        let spec = self.spec;
        for (name, joint) in spec.joint.iter() {
            let path = Path::root().key("joint").key(name);
            check_name(name, &path)?;
            self.joint(name, joint, &path)?;
        }
        Ok(())
    }

    fn joint(&mut self, name: &str, spec: &JointSpec, path: &Path) -> Result<(), BuildError> {
        let child = self.bodies.find(&spec.child, &path.key("child"))?;
        let parent = self.parent(&spec.parent, &path.key("parent"))?;
        let mut translation = vec3(&spec.point);
        let at = |kind: &str| path.key("motion").key(kind);
        let along = |axis: Vec3| rotation::between(Vec3::Z, axis);
        let (joint, rotation, said): (Arc<dyn Joint>, Quat, Vec<Said>) = match &spec.motion {
            MotionSpec::Fixed {} => (Arc::new(Fixed), Quat::IDENTITY, Vec::new()),
            MotionSpec::Revolute { axis: a, angle } => {
                let at = at("revolute");
                (
                    Arc::new(Revolute),
                    along(axis(a, &at.key("axis"))?),
                    vec![self.angle(angle, &at.key("angle"))?],
                )
            }
            MotionSpec::Prismatic { axis: a, distance } => {
                let at = at("prismatic");
                let said = vec![self.distance(distance, &at.key("distance"))?];
                (Arc::new(Prismatic), along(axis(a, &at.key("axis"))?), said)
            }
            MotionSpec::Cylindrical { axis: a, distance, angle } => {
                let at = at("cylindrical");
                let said =
                    vec![self.distance(distance, &at.key("distance"))?, self.angle(angle, &at.key("angle"))?];
                (Arc::new(Cylindrical), along(axis(a, &at.key("axis"))?), said)
            }
            MotionSpec::Universal { first_axis, second_axis, first, second } => {
                let at = at("universal");
                let x = axis(first_axis, &at.key("first_axis"))?;
                let y = axis(second_axis, &at.key("second_axis"))?;
                if x.dot(y).abs() > 1e-6 {
                    let message = "the axes of a universal joint must be square to each other";
                    return Err(Problem::new(ErrorKind::Value, at.key("second_axis"), message).into());
                }
                let said = vec![self.angle(first, &at.key("first"))?, self.angle(second, &at.key("second"))?];
                (Arc::new(Universal), Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))), said)
            }
            MotionSpec::Spherical { spin } => {
                // As drawn, the joint's frame has the axes of the child, in which the spin is given.
                let spin = vec3(spin).to_array().map(|rate| Said { rate, ..Said::default() });
                (Arc::new(Spherical), self.bodies.list[child.index()].1.rotation, spin.into())
            }
            MotionSpec::Planar { normal, angle } => {
                let at = at("planar");
                let angle = self.angle(angle, &at.key("angle"))?;
                let said = vec![Said::default(), Said::default(), angle];
                (Arc::new(Planar), along(axis(normal, &at.key("normal"))?), said)
            }
            MotionSpec::Screw { axis: a, lead, angle } => {
                let at = at("screw");
                let said = vec![self.angle(angle, &at.key("angle"))?];
                (Arc::new(Screw { lead: lead.value }), along(axis(a, &at.key("axis"))?), said)
            }
            MotionSpec::Curve { points, distance } => {
                let at = at("curve");
                let said = vec![self.distance(distance, &at.key("distance"))?];
                let points: Vec<Vec3> = points.iter().map(vec3).collect();
                translation = points.first().copied().unwrap_or_default();
                let from_first: Vec<Vec3> = points.iter().map(|p| *p - translation).collect();
                let curve = Curve::new(&from_first).map_err(|e| {
                    Problem::new(ErrorKind::Value, at.key("points"), format!("the curve: {e}"))
                })?;
                (Arc::new(curve), Quat::IDENTITY, said)
            }
        };
        let guided = said.iter().filter(|s| s.guide.is_some()).count();
        if guided > 0 && guided < said.len() {
            let message = "either all coordinates of a joint are guided, or none";
            return Err(Problem::new(ErrorKind::Key, path.key("motion"), message).into());
        }
        self.joints.push(joint.coordinates());
        let mut joint = fender_engine::JointSpec {
            name: name.into(),
            parent,
            child,
            joint,
            frame: Pose { rotation, translation },
            start: said.iter().map(|s| s.start).collect(),
            rates: said.iter().map(|s| s.rate).collect(),
            guide: None,
            actions: Vec::new(),
            keep: spec.keep,
        };
        let mut guides = Vec::new();
        for (i, coordinate) in said.into_iter().enumerate() {
            joint.actions.extend(coordinate.actions.into_iter().map(|action| (i, action)));
            guides.extend(coordinate.guide);
        }
        joint.guide = (guided > 0).then_some(guides);
        self.builder.joint(joint);
        Ok(())
    }

    pub(super) fn parent(&self, name: &str, path: &Path) -> Result<Option<BodyId>, Problem> {
        if name == "world" && !self.bodies.ids.contains_key(name) {
            return Ok(None);
        }
        self.bodies.find(name, path).map(Some)
    }
}
