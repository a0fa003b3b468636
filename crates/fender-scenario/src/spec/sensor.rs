//! `[sensor.NAME]`.

use super::force::LoadFrame;
use crate::quantity::{AnyKind, Length, NonNegative, Number, Positive, Quantity, Time, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A sensor: takes samples of something at its own pace, adds its noise, and shows each one a while later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SensorSpec {
    /// What it looks at.
    pub measure: MeasureSpec,
    /// Time between samples; held in between. By default 0: every step.
    #[serde(default)]
    pub period: Quantity<Time, NonNegative>,
    /// Age of what it shows; by default 0.
    #[serde(default)]
    pub delay: Quantity<Time, NonNegative>,
    /// What it adds to each sample; by default nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<NoiseSpec>,
}

/// Gaussian noise, drawn afresh for each sample and component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoiseSpec {
    /// Standard deviation, in the unit of what is measured.
    pub deviation: Quantity<AnyKind, NonNegative>,
    /// Another number gives other noise, with the same statistics.
    #[serde(default)]
    pub seed: u32,
}

/// What a sensor looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MeasureSpec {
    /// Position of a point of a body, in the world.
    Position(PointMeasureSpec),
    /// Orientation of a body: quaternion w x y z from its frame to the world.
    Orientation {
        /// Body.
        body: String,
    },
    /// Velocity of a point of a body.
    Velocity(VectorMeasureSpec),
    /// Angular velocity of a body; with in = "body" a gyroscope.
    AngularVelocity {
        /// Body.
        body: String,
        /// Axes of the components.
        #[serde(rename = "in", default)]
        frame: LoadFrame,
    },
    /// Acceleration of a point of a body, relative to the world.
    Acceleration(VectorMeasureSpec),
    /// Angular acceleration of a body.
    AngularAcceleration {
        /// Body.
        body: String,
        /// Axes of the components.
        #[serde(rename = "in", default)]
        frame: LoadFrame,
    },
    /// Acceleration less gravity of a point of a body, in the body's axes: at rest it reads 9.81 m/s² upward.
    Accelerometer(PointMeasureSpec),
    /// Angle or distance of a joint: "JOINT", or "JOINT.COORDINATE" if it has several.
    JointPosition(String),
    /// Its rate.
    JointRate(String),
    /// Torque or force along it, by everything that acts on it.
    JointEffort(String),
    /// Force that a joint passes on to its child.
    CutForce(CutSpec),
    /// Torque that a joint passes on to its child, about the joint's point.
    CutTorque(CutSpec),
    /// Distance between two points.
    Distance {
        /// The two bodies.
        between: [String; 2],
        /// Point of the first body, in its frame.
        #[serde(default)]
        point_a: Vector<Length>,
        /// Point of the second body, in its frame.
        #[serde(default)]
        point_b: Vector<Length>,
    },
    /// Least distance between the shapes of two bodies; negative where they overlap.
    Clearance {
        /// The two bodies.
        between: [String; 2],
    },
    /// Distance along a ray from a point of a body to the first surface of another body; zero inside one.
    Range {
        /// Body that carries the sensor; its own shapes are not seen.
        body: String,
        /// Point of the body where the ray begins, in its frame.
        #[serde(default)]
        point: Vector<Length>,
        /// Direction in the body's frame, of any length.
        direction: Vector<Number>,
        /// How far it sees, which it shows when there is nothing.
        maximum: Quantity<Length, Positive>,
    },
    /// Whether a point of a body is inside another body: 1 if it is, else 0; just on a surface rounding decides.
    /// Meshes must be closed.
    Inside {
        /// Body that has the point.
        body: String,
        /// Point of the body, in its frame.
        #[serde(default)]
        point: Vector<Length>,
        /// The other body.
        of: String,
    },
}

/// A point of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointMeasureSpec {
    /// Body.
    pub body: String,
    /// Point in the body's frame.
    #[serde(default)]
    pub point: Vector<Length>,
}

/// A point of a body, and the axes along which its motion is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorMeasureSpec {
    /// Body.
    pub body: String,
    /// Point in the body's frame.
    #[serde(default)]
    pub point: Vector<Length>,
    /// Axes of the components.
    #[serde(rename = "in", default)]
    pub frame: LoadFrame,
}

/// The cut at a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutSpec {
    /// Joint.
    pub joint: String,
    /// Axes of the components: the world's, or those of the joint's child.
    #[serde(rename = "in", default)]
    pub frame: LoadFrame,
}
