//! `[line.NAME]`: what cables are made of.

use crate::line_catalogue::{DEFAULT_DAMPING_RATIO, catalogue_line};
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
    /// Tension per rate of strain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Quantity<AxialDamping, NonNegative>>,
    /// The same as part of the critical damping of the cable's first axial mode, with one end held and the other free: damping =
    /// ratio·(4/π)·L·√(EA·mass), with the cable's length L. By default that of the catalogue's line, or 0.01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_ratio: Option<Quantity<Number, NonNegative>>,
    /// Whether it goes slack instead of pushing back when it is shortened, as ropes and chains do; true by default. A rod says false.
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
        /// Tension per rate of strain, as `damping` of the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping: Option<Quantity<AxialDamping, NonNegative>>,
        /// As `damping_ratio` of the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping_ratio: Option<Quantity<Number, NonNegative>>,
    },
    /// Tension from a table.
    Table {
        /// Rows of strain and tension, both increasing, with a row 0, 0; straight between the rows and beyond.
        strain_tension: Vec<(Quantity<Number>, Quantity<ForceKind>)>,
        /// Tension per rate of strain, as `damping` of the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping: Option<Quantity<AxialDamping, NonNegative>>,
        /// As `damping_ratio` of the line, with the stiffness at no strain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        damping_ratio: Option<Quantity<Number, NonNegative>>,
    },
}

impl AxialSpec {
    /// Its name in the file, `damping` and `damping_ratio`.
    pub fn damping(&self) -> (&'static str, Option<f64>, Option<f64>) {
        let (name, fixed, ratio) = match self {
            Self::Linear { damping, damping_ratio, .. } => ("linear", damping, damping_ratio),
            Self::Table { damping, damping_ratio, .. } => ("table", damping, damping_ratio),
        };
        (name, fixed.map(|d| d.value), ratio.map(|r| r.value))
    }
}

impl LineSpec {
    /// Writes out whether it goes slack, and its damping, so that the expanded file shows them.
    pub(crate) fn write_out_defaults(&mut self) {
        self.slack.get_or_insert(true);
        let axial = self.axial.as_ref().map(AxialSpec::damping);
        let given = axial.is_some_and(|(_, fixed, ratio)| fixed.is_some() || ratio.is_some());
        if !given && self.damping.is_none() {
            let like = self.like.as_deref().and_then(catalogue_line);
            let ratio = like.map_or(DEFAULT_DAMPING_RATIO, |line| line.kind.damping_ratio());
            self.damping_ratio.get_or_insert(Quantity::new(ratio));
        }
    }
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
