//! What a controller's output is.

use crate::joint::Coordinate;
use crate::sensor::Axes;
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
        let seen = |data: &Data, body: BodyId, axes: Axes, v: Vec3| match axes {
            Axes::World => v * output,
            Axes::Body => data.bodies[body.index()].pose.rotation * v * output,
        };
        match *self {
            Self::Joint { joint, coordinate } => {
                let at = model.joints[joint.index()].link;
                data.links[at].force[coordinate] += output;
                output * state.v[model.links[at].v + coordinate]
            }
            Self::Force { body, point, direction, axes } => {
                let force = seen(data, body, axes, direction);
                let k = &data.bodies[body.index()];
                let point = k.pose.transform_point(point);
                let (r, power) = (point - k.center, force.dot(k.velocity_at(point)));
                data.wrenches[body.index()] += Wrench::from_force_at(force, r);
                power
            }
            Self::Torque { body, direction, axes } => {
                let torque = seen(data, body, axes, direction);
                data.wrenches[body.index()].torque += torque;
                torque.dot(data.bodies[body.index()].twist.angular)
            }
        }
    }
}
