//! `[loop.NAME]`.

use super::ProfileSpec;
use crate::quantity::{ForceKind, Length, NonNegative, Number, Positive, Quantity, Torque, Vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A loop: what holds bodies or joints together beyond the joints that carry them. At the start the mechanism is
/// assembled: moved to the nearest configuration that closes all loops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopSpec {
    /// What closes it.
    pub close: CloseSpec,
    /// Whether it holds at the start; otherwise an event attaches it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub attached: bool,
    /// Force with which it breaks; by default it never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_at: Option<Quantity<ForceKind, Positive>>,
    /// Torque with which it breaks; by default it never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_torque: Option<Quantity<Torque, Positive>>,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_yes(value: &bool) -> bool {
    *value
}

/// What closes a loop. Points and axes are in the world, as drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CloseSpec {
    /// A point of one body stays on a point of another: a ball joint, or a pin in a planar mechanism.
    Point {
        /// The two bodies, or "world".
        between: [String; 2],
        /// The point on the first body.
        at: Vector<Length>,
        /// The point on the second body, if it is elsewhere as drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Vector<Length>>,
    },
    /// Two bodies share an axis: they can slide along it and turn about it.
    Axis(SharedAxisSpec),
    /// Two bodies share an axis and a point on it: they can turn about it.
    Hinge(SharedAxisSpec),
    /// Two bodies are held as drawn.
    Weld {
        /// The two bodies, or "world".
        between: [String; 2],
    },
    /// Two points keep their distance: a rod, or a cylinder if it is guided.
    Distance {
        /// The two bodies, or "world".
        between: [String; 2],
        /// Point on the first body.
        from: Vector<Length>,
        /// Point on the second body.
        to: Vector<Length>,
        /// The distance; by default as drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<Quantity<Length, Positive>>,
        /// The distance over time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guide: Option<ProfileSpec<Length>>,
    },
    /// A rope of given length through points, without friction.
    Rope {
        /// Bodies (or "world") and points on them, from one end to the other.
        through: Vec<(String, Vector<Length>)>,
        /// Length of the rope; by default as drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<Quantity<Length, Positive>>,
        /// The length over time: a winch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guide: Option<ProfileSpec<Length>>,
    },
    /// The coordinate of the second joint is a multiple of the first's.
    Gear {
        /// The two joints: `NAME`, or `NAME.COORDINATE` for a joint with several.
        joints: [String; 2],
        /// Second per first; negative for wheels that turn against each other.
        ratio: Quantity<Number>,
    },
    /// The distance of one joint is a radius times the angle of another.
    Rack {
        /// Joint that turns.
        pinion: String,
        /// Joint that slides.
        rack: String,
        /// Radius of the pinion; negative for the other direction.
        radius: Quantity<Length>,
    },
    /// A sum of multiples of joints' coordinates has a given value.
    Coupling {
        /// Joints (`NAME` or `NAME.COORDINATE`) and factors.
        terms: Vec<(String, Quantity<Number>)>,
        /// The sum, in rad or m.
        #[serde(default)]
        value: Quantity<Number>,
        /// The sum over time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guide: Option<ProfileSpec<Number>>,
    },
}

/// An axis that two bodies share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedAxisSpec {
    /// The two bodies, or "world".
    pub between: [String; 2],
    /// Point of the axis on the first body.
    pub at: Vector<Length>,
    /// Axis on the first body, of any length.
    pub axis: Vector<Number>,
    /// Point of the axis on the second body, if it is elsewhere as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vector<Length>>,
    /// Axis on the second body, if it is another as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_axis: Option<Vector<Number>>,
}

/// How loops are closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopsSpec {
    /// By which formulation.
    #[serde(default)]
    pub method: LoopMethodSpec,
    /// Penalty factor.
    #[serde(default = "penalty")]
    pub penalty: Quantity<Number, Positive>,
    /// What the penalty factor is multiplied with.
    #[serde(default)]
    pub scale: PenaltyScaleSpec,
}

impl Default for LoopsSpec {
    fn default() -> Self {
        Self { method: LoopMethodSpec::default(), penalty: penalty(), scale: PenaltyScaleSpec::default() }
    }
}

fn penalty() -> Quantity<Number, Positive> {
    Quantity::new(1e7)
}

/// A formulation of closed loops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LoopMethodSpec {
    /// Augmented Lagrangian with projections: loops are closed to rounding.
    Augmented {},
    /// Penalty alone, for comparison: loops are stiff springs.
    Penalty {
        /// ω of each row, in rad/s.
        #[serde(default = "ten")]
        frequency: Quantity<Number, Positive>,
        /// ξ of each row.
        #[serde(default = "one")]
        damping: Quantity<Number, NonNegative>,
    },
}

impl Default for LoopMethodSpec {
    fn default() -> Self {
        Self::Augmented {}
    }
}

fn ten() -> Quantity<Number, Positive> {
    Quantity::new(10.0)
}

fn one() -> Quantity<Number, NonNegative> {
    Quantity::new(1.0)
}

/// What the penalty factor is multiplied with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyScaleSpec {
    /// The mass that the bodies of each equation have against it.
    #[default]
    Mass,
    /// Nothing: the factor is in kilograms.
    Uniform,
}
