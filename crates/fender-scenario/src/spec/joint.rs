//! `[joint.NAME]`.

use super::profile::ProfileSpec;
use crate::quantity::{
    Angle, AngularVelocity, Damping, ForceKind, Length, NonNegative, Number, Positive, Quantity,
    RotationalDamping, RotationalStiffness, Stiffness, Torque, Vector, Velocity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint: one body carries another. The bodies' positions are those of the mechanism as drawn, where the joint's
/// coordinates are zero. The two bodies do not touch each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpec {
    /// Body that carries, or "world".
    #[serde(default = "world")]
    pub parent: String,
    /// Body that is carried.
    pub child: String,
    /// Point of the joint in the world, as drawn.
    #[serde(default)]
    pub point: Vector<Length>,
    /// How the child can move.
    pub motion: MotionSpec,
    /// Where loops are to be closed at the start, leave this joint's start and rates as they are, and move others.
    #[serde(default)]
    pub keep: bool,
}

fn world() -> String {
    "world".into()
}

/// How a joint lets the child move. Axes are in the world, as drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MotionSpec {
    /// Not at all.
    Fixed {},
    /// Turning about an axis.
    Revolute {
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Angle about it.
        #[serde(default)]
        angle: AngleSpec,
    },
    /// Sliding along an axis.
    Prismatic {
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Distance along it.
        #[serde(default)]
        distance: DistanceSpec,
    },
    /// Sliding along an axis and turning about it.
    Cylindrical {
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Distance along it.
        #[serde(default)]
        distance: DistanceSpec,
        /// Angle about it.
        #[serde(default)]
        angle: AngleSpec,
    },
    /// Turning about an axis of the parent, then about an axis of the child square to it.
    Universal {
        /// Axis on the parent, of any length.
        first_axis: Vector<Number>,
        /// Axis on the child, of any length, square to the first.
        second_axis: Vector<Number>,
        /// Angle about the first axis.
        #[serde(default)]
        first: AngleSpec,
        /// Angle about the second axis.
        #[serde(default)]
        second: AngleSpec,
    },
    /// Turning about the point.
    Spherical {
        /// Angular velocity at the start, in the child's axes.
        #[serde(default)]
        spin: Vector<AngularVelocity>,
    },
    /// Sliding in a plane and turning about its normal.
    Planar {
        /// Normal of the plane, of any length.
        normal: Vector<Number>,
        /// Angle about the normal.
        #[serde(default)]
        angle: AngleSpec,
    },
    /// Turning about an axis and sliding along it in proportion.
    Screw {
        /// Axis, of any length.
        axis: Vector<Number>,
        /// Distance per turn.
        lead: Quantity<Length>,
        /// Angle about it.
        #[serde(default)]
        angle: AngleSpec,
    },
    /// A point of the child on a curve of the parent; the child does not turn. As drawn, the child is at the first point.
    Curve {
        /// Points of the curve in the world, as drawn, joined by a cubic spline.
        points: Vec<Vector<Length>>,
        /// Distance along the chords between the points.
        #[serde(default)]
        distance: DistanceSpec,
    },
}

/// Defines what can be said of a coordinate: once for angles, once for distances, with their own units.
macro_rules! coordinate {
    (
        $name:ident, $words:literal, $spring:ident, $friction:ident, $limits:ident, $motor:ident,
        $position:ty, $rate:ty, $effort:ty, $stiffness:ty, $damping:ty, $small:literal
    ) => {
        #[doc = concat!("A joint's ", $words, ".")]
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Value at the start, from the drawn position.
            #[serde(default)]
            pub start: Quantity<$position>,
            /// Rate at the start.
            #[serde(default)]
            pub rate: Quantity<$rate>,
            /// Spring and damper.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub spring: Option<$spring>,
            /// Friction.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub friction: Option<$friction>,
            /// Compliant stops.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub limits: Option<$limits>,
            /// A drive with limited effort.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub motor: Option<$motor>,
            /// Prescribed motion, whatever effort it takes.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub guide: Option<ProfileSpec<$position>>,
        }

        #[doc = concat!("Spring and damper on a ", $words, ".")]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $spring {
            /// Stiffness.
            #[serde(default)]
            pub stiffness: Quantity<$stiffness, NonNegative>,
            /// Damping.
            #[serde(default)]
            pub damping: Quantity<$damping, NonNegative>,
            /// Where the spring is slack.
            #[serde(default)]
            pub rest: Quantity<$position>,
        }

        #[doc = concat!("Friction on a ", $words, ".")]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $friction {
            /// Dry friction, whatever the speed.
            #[serde(default)]
            pub dry: Quantity<$effort, NonNegative>,
            /// Friction in proportion to the speed.
            #[serde(default)]
            pub viscous: Quantity<$damping, NonNegative>,
            /// Rate at which dry friction is fully developed.
            #[serde(default = $small)]
            pub v_eps: Quantity<$rate, Positive>,
        }

        #[doc = concat!("Compliant stops of a ", $words, ".")]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $limits {
            /// Least value.
            pub low: Quantity<$position>,
            /// Greatest value.
            pub high: Quantity<$position>,
            /// Stiffness of the stops.
            pub stiffness: Quantity<$stiffness, Positive>,
            /// Relative growth of the stop's force with the rate into it, in seconds per unit.
            #[serde(default)]
            pub damping: Quantity<Number, NonNegative>,
        }

        #[doc = concat!("What drives a ", $words, ".")]
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case", deny_unknown_fields)]
        pub enum $motor {
            /// An effort, constant or over time.
            Effort(ProfileSpec<$effort>),
            /// Towards a rate.
            Rate {
                /// Wanted rate.
                rate: ProfileSpec<$rate>,
                /// Effort per error of the rate.
                gain: Quantity<$damping, Positive>,
                /// Greatest effort.
                limit: Quantity<$effort, Positive>,
            },
            /// Towards a position.
            Position {
                /// Wanted position.
                position: ProfileSpec<$position>,
                /// Effort per error.
                stiffness: Quantity<$stiffness, Positive>,
                /// Effort per rate relative to that of the wanted position, against it.
                #[serde(default)]
                damping: Quantity<$damping, NonNegative>,
                /// Greatest effort.
                limit: Quantity<$effort, Positive>,
            },
        }
    };
}

fn milliradian_per_second() -> Quantity<AngularVelocity, Positive> {
    Quantity::new(1e-3)
}

fn millimetre_per_second() -> Quantity<Velocity, Positive> {
    Quantity::new(1e-3)
}

coordinate!(
    AngleSpec,
    "angle",
    AngleSpringSpec,
    AngleFrictionSpec,
    AngleLimitsSpec,
    AngleMotorSpec,
    Angle,
    AngularVelocity,
    Torque,
    RotationalStiffness,
    RotationalDamping,
    "milliradian_per_second"
);
coordinate!(
    DistanceSpec,
    "distance",
    DistanceSpringSpec,
    DistanceFrictionSpec,
    DistanceLimitsSpec,
    DistanceMotorSpec,
    Length,
    Velocity,
    ForceKind,
    Stiffness,
    Damping,
    "millimetre_per_second"
);
