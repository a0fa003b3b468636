//! `[controller.NAME]`.

use super::force::LoadFrame;
use super::profile::ProfileSpec;
use crate::quantity::{AnyKind, Length, NonNegative, Number, Quantity, Time, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A controller: from what sensors show to a force or torque, held until it acts again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControllerSpec {
    /// What its output is.
    pub drive: DriveSpec,
    /// From readings to the output.
    pub law: ControlLawSpec,
    /// Time between actions. By default 0: every step.
    #[serde(default)]
    pub period: Quantity<Time, NonNegative>,
    /// Least and greatest output; by default there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<OutputLimitsSpec>,
}

/// Least and greatest output of a controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputLimitsSpec {
    /// Least output.
    pub low: Quantity<AnyKind>,
    /// Greatest output.
    pub high: Quantity<AnyKind>,
}

/// What a controller's output is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DriveSpec {
    /// The torque or force along a joint's coordinate: "JOINT", or "JOINT.COORDINATE" if it has several.
    Joint(String),
    /// A force on a body, from outside.
    Force {
        /// Body.
        body: String,
        /// Point of action in the body's frame.
        #[serde(default)]
        point: Vector<Length>,
        /// Direction of a positive output, of any length.
        direction: Vector<Number>,
        /// Axes of the direction.
        #[serde(rename = "in", default)]
        frame: LoadFrame,
    },
    /// A torque on a body, from outside.
    Torque {
        /// Body.
        body: String,
        /// Axis of a positive output, of any length.
        direction: Vector<Number>,
        /// Axes of the direction.
        #[serde(rename = "in", default)]
        frame: LoadFrame,
    },
}

/// From readings to an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ControlLawSpec {
    /// In proportion to the error, to its integral and to a derivative.
    Pid(PidSpec),
    /// Every reading with a gain of its own: offset − Σ gain·(reading − target).
    StateFeedback(StateFeedbackSpec),
}

/// PID control of one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PidSpec {
    /// Sensor, with its component if it has several: "gyro.z".
    pub sensor: String,
    /// What it should show.
    #[serde(default)]
    pub target: ProfileSpec<AnyKind>,
    /// Output per error.
    #[serde(default)]
    pub kp: Quantity<AnyKind>,
    /// Output per integral of the error.
    #[serde(default)]
    pub ki: Quantity<AnyKind>,
    /// Output per rate of the error.
    #[serde(default)]
    pub kd: Quantity<AnyKind>,
    /// Time constant of the derivative's filter; by default 0: none.
    #[serde(default)]
    pub filter: Quantity<Time, NonNegative>,
    /// Whether the derivative is that of the error. By default it is that of the reading alone, and a jump of the target makes no kick.
    #[serde(default)]
    pub derivative_of_error: bool,
}

/// Feedback of several readings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateFeedbackSpec {
    /// Output when every reading is at its target.
    #[serde(default)]
    pub offset: Quantity<AnyKind>,
    /// The readings with their gains.
    pub terms: Vec<TermSpec>,
}

/// A reading with its gain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TermSpec {
    /// Sensor, with its component if it has several: "gyro.z".
    pub sensor: String,
    /// Output per reading, against it.
    pub gain: Quantity<AnyKind>,
    /// What it should show.
    #[serde(default)]
    pub target: ProfileSpec<AnyKind>,
}
