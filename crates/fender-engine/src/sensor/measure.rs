//! What a sensor looks at.

use super::clearance::{clearance, is_inside, range};
use crate::evaluate::acceleration;
use crate::joint::Coordinate;
use crate::observe::{joint_coordinate, joint_effort, joint_reaction};
use crate::tree::Carrier;
use crate::{BodyId, BodyShape, Data, JointId, Model, State};
use fender_geom::Shape;
use fender_math::{Twist, Vec3};

/// Most numbers that a sensor reads at once: a quaternion.
pub const WIDTH: usize = 4;

/// The numbers of one sample; those beyond the measure's components are zero.
pub type Reading = [f64; WIDTH];

/// Along which axes a vector's components are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// The world's.
    World,
    /// The body's; for a cut, those of the joint's child.
    Body,
}

/// What a sensor looks at. Points are in the body's frame [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Position of a point, in the world [m].
    Position {
        /// Body.
        body: BodyId,
        /// Point of the body.
        point: Vec3,
    },
    /// Orientation of a body: quaternion w x y z from its frame to the world.
    Orientation {
        /// Body.
        body: BodyId,
    },
    /// Velocity of a point [m/s].
    Velocity {
        /// Body.
        body: BodyId,
        /// Point of the body.
        point: Vec3,
        /// Axes of the components.
        axes: Axes,
    },
    /// Angular velocity [rad/s]; with the body's axes a gyroscope.
    AngularVelocity {
        /// Body.
        body: BodyId,
        /// Axes of the components.
        axes: Axes,
    },
    /// Acceleration of a point relative to the world [m/s²].
    Acceleration {
        /// Body.
        body: BodyId,
        /// Point of the body.
        point: Vec3,
        /// Axes of the components.
        axes: Axes,
    },
    /// Angular acceleration [rad/s²].
    AngularAcceleration {
        /// Body.
        body: BodyId,
        /// Axes of the components.
        axes: Axes,
    },
    /// What an accelerometer reads [m/s²]: acceleration of a point less gravity, in the body's axes. At rest it reads g
    /// upward, in free fall nothing.
    Accelerometer {
        /// Body.
        body: BodyId,
        /// Point of the body.
        point: Vec3,
    },
    /// A joint's coordinate [rad or m].
    JointPosition {
        /// Joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Rate of a joint's coordinate [rad/s or m/s].
    JointRate {
        /// Joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Force or torque along a joint's coordinate [N or N·m].
    JointEffort {
        /// Joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
    },
    /// Force through the cut at a joint, on the child [N].
    CutForce {
        /// Joint.
        joint: JointId,
        /// Axes of the components.
        axes: Axes,
    },
    /// Torque through the cut at a joint, on the child about the joint's point [N·m].
    CutTorque {
        /// Joint.
        joint: JointId,
        /// Axes of the components.
        axes: Axes,
    },
    /// Distance between two points [m].
    Distance {
        /// First body.
        a: BodyId,
        /// Point of the first body.
        point_a: Vec3,
        /// Second body.
        b: BodyId,
        /// Point of the second body.
        point_b: Vec3,
    },
    /// Least distance between the shapes of two bodies [m]; negative where they overlap.
    Clearance {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
    },
    /// Distance along a ray from a point of a body to the first surface of another body [m].
    Range {
        /// Body that carries it.
        body: BodyId,
        /// Where the ray begins.
        point: Vec3,
        /// Unit direction, in the body's frame.
        direction: Vec3,
        /// How far it sees, which it shows when there is nothing [m].
        maximum: f64,
    },
    /// Whether a point of a body is inside another body: 1 or 0.
    Inside {
        /// Body that has the point.
        body: BodyId,
        /// Point of the body.
        point: Vec3,
        /// The other body.
        of: BodyId,
    },
}

impl Measure {
    /// Names of the components; none for a single number.
    pub fn components(&self) -> &'static [&'static str] {
        match self {
            Self::Orientation { .. } => &["w", "x", "y", "z"],
            Self::Position { .. }
            | Self::Velocity { .. }
            | Self::AngularVelocity { .. }
            | Self::Acceleration { .. }
            | Self::AngularAcceleration { .. }
            | Self::Accelerometer { .. }
            | Self::CutForce { .. }
            | Self::CutTorque { .. } => &["x", "y", "z"],
            Self::JointPosition { .. }
            | Self::JointRate { .. }
            | Self::JointEffort { .. }
            | Self::Distance { .. }
            | Self::Clearance { .. }
            | Self::Range { .. }
            | Self::Inside { .. } => &[],
        }
    }

    /// How many numbers it gives.
    pub fn width(&self) -> usize {
        self.components().len().max(1)
    }

    /// Unit of its numbers.
    pub fn unit(&self, model: &Model) -> &'static str {
        let angle = |joint: &JointId, i: &usize| {
            !matches!(model.joint_coordinates(*joint).get(*i), Some(Coordinate::Distance(_)))
        };
        match self {
            Self::JointPosition { joint, coordinate } if angle(joint, coordinate) => "rad",
            Self::JointRate { joint, coordinate } if angle(joint, coordinate) => "rad/s",
            Self::JointEffort { joint, coordinate } if angle(joint, coordinate) => "N·m",
            Self::Position { .. }
            | Self::JointPosition { .. }
            | Self::Distance { .. }
            | Self::Clearance { .. }
            | Self::Range { .. } => "m",
            Self::Orientation { .. } | Self::Inside { .. } => "1",
            Self::Velocity { .. } | Self::JointRate { .. } => "m/s",
            Self::AngularVelocity { .. } => "rad/s",
            Self::Acceleration { .. } | Self::Accelerometer { .. } => "m/s²",
            Self::AngularAcceleration { .. } => "rad/s²",
            Self::JointEffort { .. } | Self::CutForce { .. } => "N",
            Self::CutTorque { .. } => "N·m",
        }
    }

    /// What it is, in words.
    pub fn describe(&self, model: &Model) -> String {
        let body = |id: &BodyId| model.bodies[id.index()].name.as_str();
        let joint = |id: &JointId| model.joints[id.index()].name.as_str();
        match self {
            Self::Position { body: b, .. } => format!("Position of a point of {}", body(b)),
            Self::Orientation { body: b } => format!("Orientation quaternion of {}", body(b)),
            Self::Velocity { body: b, .. } => format!("Velocity of a point of {}", body(b)),
            Self::AngularVelocity { body: b, .. } => format!("Angular velocity of {}", body(b)),
            Self::Acceleration { body: b, .. } => format!("Acceleration of a point of {}", body(b)),
            Self::AngularAcceleration { body: b, .. } => format!("Angular acceleration of {}", body(b)),
            Self::Accelerometer { body: b, .. } => {
                format!("Acceleration less gravity of a point of {}", body(b))
            }
            Self::JointPosition { joint: j, .. } => format!("Coordinate of joint {}", joint(j)),
            Self::JointRate { joint: j, .. } => format!("Rate of joint {}", joint(j)),
            Self::JointEffort { joint: j, .. } => format!("Effort along joint {}", joint(j)),
            Self::CutForce { joint: j, .. } => format!("Force through joint {}", joint(j)),
            Self::CutTorque { joint: j, .. } => format!("Torque through joint {}", joint(j)),
            Self::Distance { a, b, .. } => format!("Distance of points of {} and {}", body(a), body(b)),
            Self::Clearance { a, b } => format!("Clearance between {} and {}", body(a), body(b)),
            Self::Range { body: b, .. } => format!("Distance seen from {}", body(b)),
            Self::Inside { body: b, of, .. } => {
                format!("Whether a point of {} is inside {}", body(b), body(of))
            }
        }
    }

    /// Whether it needs forces and accelerations, not only positions and velocities.
    pub fn needs_forces(&self) -> bool {
        matches!(
            self,
            Self::Acceleration { .. }
                | Self::AngularAcceleration { .. }
                | Self::Accelerometer { .. }
                | Self::JointEffort { .. }
                | Self::CutForce { .. }
                | Self::CutTorque { .. }
        )
    }

    /// Why it cannot be measured in this model, if so.
    pub(crate) fn check(&self, model: &Model) -> Result<(), String> {
        match *self {
            Self::JointPosition { joint, coordinate }
            | Self::JointRate { joint, coordinate }
            | Self::JointEffort { joint, coordinate } => {
                let name = &model.joints[joint.index()].name;
                match model.joint_coordinates(joint).get(coordinate) {
                    None => Err(format!("joint '{name}' has no coordinate {coordinate}")),
                    Some(Coordinate::Spin(spin)) if matches!(self, Self::JointPosition { .. }) => {
                        Err(format!(
                            "'{spin}' of joint '{name}' is a component of an angular velocity: it has a rate, and no position"
                        ))
                    }
                    Some(_) => Ok(()),
                }
            }
            Self::Clearance { a, b } => {
                if a == b {
                    return Err("a clearance is between two different bodies".into());
                }
                for body in [a, b].map(|id| &model.bodies[id.index()]) {
                    if body.shapes.is_empty() {
                        return Err(format!("'{}' has no shape that could have a clearance", body.name));
                    }
                }
                let shapes = |body: BodyId| {
                    let shapes = model.bodies[body.index()].shapes.clone();
                    &model.shapes[shapes.start as usize..shapes.end as usize]
                };
                let pairs =
                    || shapes(a).iter().flat_map(|a| shapes(b).iter().map(move |b| (&a.shape, &b.shape)));
                if pairs().all(|(a, b)| a.is_endless() && b.is_endless()) {
                    return Err("two shapes without end have no clearance".into());
                }
                let unknown = |(a, b): &(&Shape, &Shape)| {
                    !(fender_geom::narrow::supported(a, b) || a.is_endless() && b.is_endless())
                };
                pairs().find(unknown).map_or(Ok(()), |(a, b)| {
                    Err(format!("the clearance between {} and {} is not supported", a.noun(), b.noun()))
                })
            }
            Self::Position { point, .. }
            | Self::Velocity { point, .. }
            | Self::Acceleration { point, .. }
            | Self::Accelerometer { point, .. } => finite(&[point]),
            Self::Distance { point_a, point_b, .. } => finite(&[point_a, point_b]),
            Self::Range { point, direction, .. } => finite(&[point, direction]),
            Self::Inside { body, point, of } => {
                finite(&[point])?;
                let other = &model.bodies[of.index()];
                if body == of {
                    return Err("a point is looked for in another body than its own".into());
                }
                if other.shapes.is_empty() {
                    return Err(format!("'{}' has no shape that a point could be inside", other.name));
                }
                let shapes = &model.shapes[other.shapes.start as usize..other.shapes.end as usize];
                let why = |s: &BodyShape| match &s.shape {
                    Shape::Mesh(mesh) => mesh.why_not_closed(),
                    _ => None,
                };
                shapes.iter().find_map(why).map_or(Ok(()), |why| {
                    Err(format!(
                        "the mesh of '{}' is not closed ({why}), so that it has no inside",
                        other.name
                    ))
                })
            }
            _ => Ok(()),
        }
    }

    /// Its value now; `data` must be up to date with `state`, with forces if it needs them.
    pub fn read(&self, model: &Model, state: &State, data: &Data) -> Reading {
        let at = |body: BodyId, point: Vec3| data.bodies[body.index()].pose.transform_point(point);
        let velocity = |body: BodyId, point: Vec3| data.bodies[body.index()].velocity_at(at(body, point));
        let seen = |body: BodyId, axes: Axes, v: Vec3| match axes {
            Axes::World => three(v),
            Axes::Body => three(data.bodies[body.index()].pose.rotation.conjugate() * v),
        };
        let cut_axes = |joint: JointId, axes, v| {
            let link = &model.links[model.joints[joint.index()].link];
            seen(link.body, axes, v)
        };
        let coordinate = |joint, i| joint_coordinate(model, state, joint, i).unwrap_or([f64::NAN; 2]);
        match *self {
            Self::Position { body, point } => three(at(body, point)),
            Self::Orientation { body } => {
                let q = data.bodies[body.index()].pose.rotation;
                [q.w, q.x, q.y, q.z]
            }
            Self::Velocity { body, point, axes } => seen(body, axes, velocity(body, point)),
            Self::AngularVelocity { body, axes } => seen(body, axes, data.bodies[body.index()].twist.angular),
            Self::Acceleration { body, point, axes } => {
                seen(body, axes, point_acceleration(model, state, data, body, point))
            }
            Self::AngularAcceleration { body, axes } => {
                seen(body, axes, acceleration(model, state, data, body).angular)
            }
            Self::Accelerometer { body, point } => {
                let a = point_acceleration(model, state, data, body, point);
                seen(body, Axes::Body, a - model.gravity)
            }
            Self::JointPosition { joint, coordinate: i } => one(coordinate(joint, i)[0]),
            Self::JointRate { joint, coordinate: i } => one(coordinate(joint, i)[1]),
            Self::JointEffort { joint, coordinate } => one(joint_effort(model, data, joint, coordinate)),
            Self::CutForce { joint, axes } => cut_axes(joint, axes, joint_reaction(model, data, joint).force),
            Self::CutTorque { joint, axes } => {
                cut_axes(joint, axes, joint_reaction(model, data, joint).torque)
            }
            Self::Distance { a, point_a, b, point_b } => one(at(a, point_a).distance(at(b, point_b))),
            Self::Clearance { a, b } => one(clearance(model, data, a, b)),
            Self::Range { body, point, direction, maximum } => {
                let direction = data.bodies[body.index()].pose.rotation * direction;
                one(range(model, data, body, at(body, point), direction, maximum))
            }
            Self::Inside { body, point, of } => {
                one(f64::from(u8::from(is_inside(model, data, at(body, point), of))))
            }
        }
    }
}

/// Acceleration of a body's point: that of the frame's origin, and what turning adds.
fn point_acceleration(model: &Model, state: &State, data: &Data, body: BodyId, point: Vec3) -> Vec3 {
    let origin: Twist = acceleration(model, state, data, body);
    let k = &data.bodies[body.index()];
    let (r, omega) = (k.pose.rotation * point, k.twist.angular);
    origin.at(r) + omega.cross(omega.cross(r))
}

fn finite(points: &[Vec3]) -> Result<(), String> {
    if points.iter().all(|p| p.is_finite()) { Ok(()) } else { Err("its point is not finite".into()) }
}

fn one(x: f64) -> Reading {
    [x, 0.0, 0.0, 0.0]
}

fn three(v: Vec3) -> Reading {
    [v.x, v.y, v.z, 0.0]
}

impl Model {
    /// The velocity coordinates of a joint, guided or not.
    pub fn joint_coordinates(&self, joint: JointId) -> &'static [Coordinate] {
        match &self.links[self.joints[joint.index()].link].carrier {
            Carrier::Joint { joint, .. } => joint.coordinates(),
            Carrier::Nothing(_) => &[],
        }
    }
}
