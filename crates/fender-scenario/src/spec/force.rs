//! `[force.NAME]`.

use crate::quantity::{
    Angle, Damping, ForceKind, Frequency, Length, NonNegative, QuadraticDrag, Quantity, RotationalDamping,
    Stiffness, Time, Torque, Vector, Velocity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A force element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ForceSpec {
    /// Spring and damper between two points.
    Spring(SpringSpec),
    /// A given force and torque.
    Load(LoadSpec),
    /// Resistance of air or water.
    Drag(DragSpec),
}

/// Spring and damper between two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The two bodies.
    pub between: [String; 2],
    /// Point on the first body, in its frame.
    #[serde(default)]
    pub point_a: Vector<Length>,
    /// Point on the second body, in its frame.
    #[serde(default)]
    pub point_b: Vector<Length>,
    /// Stiffness.
    pub stiffness: Quantity<Stiffness, NonNegative>,
    /// Damping.
    #[serde(default)]
    pub damping: Quantity<Damping, NonNegative>,
    /// Length without force; by default the distance of the points at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<Quantity<Length, NonNegative>>,
    /// Slack below the rest length, as a rope.
    #[serde(default)]
    pub tension_only: bool,
}

/// A given force and torque: constant, a sine, or from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSpec {
    /// Body.
    pub body: String,
    /// Point of action in the body's frame.
    #[serde(default)]
    pub point: Vector<Length>,
    /// Force, or its amplitude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vector<ForceKind>>,
    /// Torque, or its amplitude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Vector<Torque>>,
    /// CSV file beside the scenario with the columns time, fx, fy, fz and optionally tx, ty, tz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Makes force and torque vary as sin(2π·frequency·t + phase).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<SineSpec>,
    /// Axes of force and torque.
    #[serde(rename = "in", default)]
    pub frame: LoadFrame,
    /// When it starts.
    #[serde(default)]
    pub from: Quantity<Time>,
    /// When it stops; by default never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Quantity<Time>>,
}

/// Axes of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadFrame {
    /// The world's.
    #[default]
    World,
    /// The body's.
    Body,
}

/// A sine over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SineSpec {
    /// Frequency.
    pub frequency: Quantity<Frequency, NonNegative>,
    /// Phase at time zero.
    #[serde(default)]
    pub phase: Quantity<Angle>,
}

/// Resistance of air or water: f = −(linear + quadratic·|u|)·u, torque = −rotational·ω.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragSpec {
    /// Body.
    pub body: String,
    /// Linear coefficient.
    #[serde(default)]
    pub linear: Quantity<Damping, NonNegative>,
    /// Quadratic coefficient.
    #[serde(default)]
    pub quadratic: Quantity<QuadraticDrag, NonNegative>,
    /// Rotational coefficient.
    #[serde(default)]
    pub rotational: Quantity<RotationalDamping, NonNegative>,
    /// Velocity of the medium.
    #[serde(default)]
    pub medium_velocity: Vector<Velocity>,
}
