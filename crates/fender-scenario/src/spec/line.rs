//! `[line.NAME]`: what cables are made of.

use crate::quantity::{
    Angle, Area, AxialDamping, AxialRange, BendingDamping, BendingStiffness, ForceKind, InertiaPerLength,
    Length, MassPerLength, NonNegative, Number, PerLength, Positive, Quantity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of cable: everything per unit of unstretched length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// A line of the catalogue, for what is not given here; `fender lines` lists them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Mass per length, in air.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Quantity<MassPerLength, Positive>>,
    /// Diameter that water, wind and seabed see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<Quantity<Length, NonNegative>>,
    /// Displaced volume per length; by default that of a round bar of the diameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Quantity<Area, NonNegative>>,
    /// How it resists being stretched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axial: Option<AxialSpec>,
    /// Whether it goes slack instead of pushing back when it is shortened; by default unless it resists bending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<bool>,
    /// How it resists being bent; by default it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending: Option<BendingSpec>,
    /// How it resists being twisted; by default it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion: Option<TorsionSpec>,
    /// Drag coefficients (Morison); by default there is no drag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<LineDragSpec>,
    /// Added mass coefficients, of the displaced volume; by default there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_mass: Option<AddedMassSpec>,
    /// Tension at which it breaks, to say how much of it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaking_load: Option<Quantity<ForceKind, Positive>>,
    /// Smallest radius to which it may be bent, to say how much of it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend_radius: Option<Quantity<Length, Positive>>,
}

/// How a line resists being stretched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum AxialSpec {
    /// Tension = EA·strain.
    Linear {
        /// EA.
        stiffness: Quantity<ForceKind, AxialRange>,
        /// Tension per rate of strain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping: Option<Quantity<AxialDamping, NonNegative>>,
        /// The same as part of the critical damping of an element's axial mode: damping = ratio·L·√(EA·mass), with the
        /// element's length L.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping_ratio: Option<Quantity<Number, NonNegative>>,
    },
    /// Tension from a table.
    Table {
        /// Rows of strain and tension, both increasing, with a row 0, 0; straight between the rows and beyond.
        strain_tension: Vec<(Quantity<Number>, Quantity<ForceKind>)>,
        /// Tension per rate of strain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping: Option<Quantity<AxialDamping, NonNegative>>,
        /// The same as part of the critical damping of an element's axial mode, with the stiffness at no strain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping_ratio: Option<Quantity<Number, NonNegative>>,
    },
}

/// How a line resists being bent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BendingSpec {
    /// EI.
    pub stiffness: Quantity<BendingStiffness, NonNegative>,
    /// Bending moment per rate of curvature.
    #[serde(default)]
    pub damping: Quantity<BendingDamping, NonNegative>,
    /// Curvature of the unloaded line; it turns with the line, which then needs torsional stiffness too.
    #[serde(default)]
    pub curvature: Quantity<PerLength>,
    /// Direction of that curvature around the line.
    #[serde(default)]
    pub direction: Quantity<Angle>,
}

/// How a line resists being twisted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorsionSpec {
    /// GJ.
    pub stiffness: Quantity<BendingStiffness, NonNegative>,
    /// Torque per rate of twist.
    #[serde(default)]
    pub damping: Quantity<BendingDamping, NonNegative>,
    /// Moment of inertia about its axis; by default that of a round bar, mass·diameter²/8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Quantity<InertiaPerLength, Positive>>,
}

/// Drag coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineDragSpec {
    /// Across: force per length = ½·density·diameter·coefficient·speed².
    pub normal: Quantity<Number, NonNegative>,
    /// Along: force per length = ½·density·π·diameter·coefficient·speed².
    #[serde(default)]
    pub tangential: Quantity<Number, NonNegative>,
}

/// Added mass coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddedMassSpec {
    /// Across: mass per length = density·volume·coefficient.
    pub normal: Quantity<Number, NonNegative>,
    /// Along, in the same way.
    #[serde(default)]
    pub tangential: Quantity<Number, NonNegative>,
}
