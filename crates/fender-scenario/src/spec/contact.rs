//! `[[contact]]`, `[[ignore]]` and `[[initial_contact]]`.

use crate::quantity::{
    Damping, HertzStiffness, Mass, NonNegative, Number, Positive, PositiveUnitInterval, Quantity, Stiffness,
    Velocity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which laws act between two materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSpec {
    /// The two materials, in any order; the same name twice for a material on itself.
    pub between: [String; 2],
    /// Law of the force along the normal.
    pub normal: NormalSpec,
    /// Law of the force across it.
    #[serde(default)]
    pub friction: FrictionSpec,
}

/// Law of the force along the normal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NormalSpec {
    /// Force with the power 3/2 of depth, for curved surfaces.
    Hertz(HertzSpec),
    /// Force with depth, and damping with depth times speed.
    Linear(LinearSpec),
    /// Force with depth, and damping with speed, never pulling.
    KelvinVoigt(KelvinVoigtSpec),
}

/// How restitution becomes damping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DampingForm {
    /// The factor that gives the requested restitution exactly (Gonthier 2007).
    #[default]
    Exact,
    /// 3(1 − e)/2 (Hunt and Crossley 1975): good near e = 1.
    HuntCrossley,
    /// 3(1 − e²)/4 (Lankarani and Nikravesh 1990): good near e = 1.
    LankaraniNikravesh,
}

/// Hertz' law with damping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HertzSpec {
    /// Stiffness k in k·depth^1.5; by default from Young's moduli, Poisson's ratios and radii.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<HertzStiffness, Positive>>,
    /// Coefficient of restitution.
    pub restitution: Quantity<Number, PositiveUnitInterval>,
    /// How restitution becomes damping.
    #[serde(default)]
    pub damping: DampingForm,
    /// Impact speed below which a touch is damped as a lasting contact.
    #[serde(default = "small_speed")]
    pub small_speed: Quantity<Velocity, Positive>,
}

fn small_speed() -> Quantity<Velocity, Positive> {
    Quantity::new(fender_contact::damping::DEFAULT_V_SMALL)
}

/// Linear stiffness with the same form of damping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinearSpec {
    /// Stiffness of the pair.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Coefficient of restitution.
    pub restitution: Quantity<Number, PositiveUnitInterval>,
    /// How restitution becomes damping.
    #[serde(default)]
    pub damping: DampingForm,
    /// Impact speed below which a touch is damped as a lasting contact.
    #[serde(default = "small_speed")]
    pub small_speed: Quantity<Velocity, Positive>,
}

/// Spring and dashpot, clamped at zero: give `damping`, or `restitution` with `reduced_mass`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KelvinVoigtSpec {
    /// Stiffness of the pair.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Quantity<Damping, NonNegative>>,
    /// Coefficient of restitution …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Quantity<Number, PositiveUnitInterval>>,
    /// … for two bodies with this reduced mass m₁m₂/(m₁ + m₂).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduced_mass: Option<Quantity<Mass, Positive>>,
}

/// Law of the force across the normal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FrictionSpec {
    /// No friction.
    #[default]
    None,
    /// Coulomb's law, smoothed near zero slip.
    Coulomb(CoulombSpec),
}

/// Coulomb's law, smoothed near zero slip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoulombSpec {
    /// Coefficient of friction.
    pub coefficient: Quantity<Number, NonNegative>,
    /// Slip speed above which friction is full.
    #[serde(default = "regularisation_speed")]
    pub regularisation_speed: Quantity<Velocity, Positive>,
}

fn regularisation_speed() -> Quantity<Velocity, Positive> {
    Quantity::new(fender_contact::Coulomb::DEFAULT_V_EPS)
}

/// What passes through each other: two bodies, or two groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IgnoreSpec {
    /// Two bodies; the name of an array stands for all of its bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<[String; 2]>,
    /// Two groups; the same name twice for a group with itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<[String; 2]>,
}

/// Memory of a contact that exists at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialContactSpec {
    /// The two bodies.
    pub between: [String; 2],
    /// Speed with which they met.
    pub impact_speed: Quantity<Velocity, NonNegative>,
}
