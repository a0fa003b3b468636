//! What a controller's output is.

use crate::data::BodyKinematics;
use crate::joint::Coordinate;
use crate::sensor::Axes;
use crate::tangent::TangentSink;
use crate::{BodyId, Data, JointId, Model, State};
use fender_math::{Vec3, Wrench};

/// What a controller's output is. All of its power is work, given or taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// The effort along a joint's coordinate [N or N·m], against the parent.
    Joint {
        /// Joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// A force on a body [N], from outside.
    Force {
        /// Body.
        body: BodyId,
        /// Point of action in the body's frame [m].
        point: Vec3,
        /// Direction of a positive output, of length 1.
        direction: Vec3,
        /// Axes of the direction.
        axes: Axes,
    },
    /// A torque on a body [N·m], from outside.
    Torque {
        /// Body.
        body: BodyId,
        /// Axis of a positive output, of length 1.
        direction: Vec3,
        /// Axes of the direction.
        axes: Axes,
    },
}

impl Drive {
    /// Unit of the output.
    pub fn unit(&self, model: &Model) -> &'static str {
        match *self {
            Self::Joint { joint, coordinate } => match model.joint_coordinates(joint).get(coordinate) {
                Some(Coordinate::Distance(_)) => "N",
                _ => "N·m",
            },
            Self::Force { .. } => "N",
            Self::Torque { .. } => "N·m",
        }
    }

    /// The body that it moves.
    pub(crate) fn body(&self, model: &Model) -> BodyId {
        match *self {
            Self::Joint { joint, .. } => model.links[model.joints[joint.index()].link].body,
            Self::Force { body, .. } | Self::Torque { body, .. } => body,
        }
    }

    /// Why it is impossible in this model, if so.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        let (body, direction, point) = match *self {
            Self::Joint { joint, coordinate } => {
                let name = &model.joints[joint.index()].name;
                if coordinate >= model.joint_coordinates(joint).len() {
                    return Err(format!("joint '{name}' has no coordinate {coordinate}"));
                }
                if model.joints[joint.index()].guide.is_some() {
                    return Err(format!("joint '{name}' is guided: nothing can act on it"));
                }
                return Ok(());
            }
            Self::Force { body, direction, point, .. } => (body, direction, point),
            Self::Torque { body, direction, .. } => (body, direction, Vec3::ZERO),
        };
        // Written so that a NaN fails.
        if !((direction.length() - 1.0).abs() < 1e-9 && point.is_finite()) {
            return Err(
                "the direction of its force must have the length 1, and its point must be finite".into()
            );
        }
        let body = &model.bodies[body.index()];
        if !body.yields() {
            return Err(format!("'{}' is fixed or driven: no force moves it", body.name));
        }
        Ok(())
    }

    /// Adds the output to the forces of this instant; returns its power [W].
    pub(crate) fn apply(&self, output: f64, model: &Model, state: &State, data: &mut Data) -> f64 {
        if let Self::Joint { joint, coordinate } = *self {
            let at = model.joints[joint.index()].link;
            data.links[at].force[coordinate] += output;
            return output * state.v[model.links[at].v + coordinate];
        }
        let Some(push) = self.push(output, &data.bodies) else { return 0.0 };
        let k = &data.bodies[push.body.index()];
        let power = push.force.dot(k.velocity_at(push.point)) + push.torque.dot(k.twist.angular);
        let mut wrench = Wrench::from_force_at(push.force, push.point - k.center);
        wrench.torque += push.torque;
        data.wrenches[push.body.index()] += wrench;
        power
    }

    /// How the forces of the output change when coordinates turn the body. Along a coordinate they do not.
    pub(crate) fn tangent(&self, output: f64, bodies: &[BodyKinematics], sink: &mut TangentSink<'_>) {
        let Some(push) = self.push(output, bodies) else { return };
        sink.dead(push.body, push.point, push.force);
        sink.dead_torque(push.body, push.torque);
        if let Self::Force { axes: Axes::Body, .. } | Self::Torque { axes: Axes::Body, .. } = self {
            sink.following(push.body, push.point, push.force, push.torque);
        }
    }

    /// What the output does to a body, if it is not along a coordinate.
    fn push(&self, output: f64, bodies: &[BodyKinematics]) -> Option<Push> {
        let (body, point, force, torque, axes) = match *self {
            Self::Joint { .. } => return None,
            Self::Force { body, point, direction, axes } => {
                (body, point, direction * output, Vec3::ZERO, axes)
            }
            Self::Torque { body, direction, axes } => {
                (body, Vec3::ZERO, Vec3::ZERO, direction * output, axes)
            }
        };
        let pose = &bodies[body.index()].pose;
        let seen = |v: Vec3| if axes == Axes::Body { pose.rotation * v } else { v };
        Some(Push { body, point: pose.transform_point(point), force: seen(force), torque: seen(torque) })
    }
}

/// A force at a point and a torque on a body, all in the world.
struct Push {
    body: BodyId,
    point: Vec3,
    force: Vec3,
    torque: Vec3,
}
