//! `[[contact]]`, `[[ignore]]` and `[[initial_contact]]`.

use crate::quantity::{
    Damping, ForceKind, FoundationStiffness, HertzStiffness, Length, Mass, NonNegative, Number, PerLength,
    PerVelocity, Positive, PositiveUnitInterval, Quantity, Stiffness, Time, UnitInterval, Velocity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which laws act between two materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSpec {
    /// The two materials, in any order; the same name twice for a material on itself.
    pub between: [String; 2],
    /// Law of the force along the normal. With `impact` it is for contacts that last, and is chosen if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<NormalSpec>,
    /// Law of the force across it; by default none, with `impact` Coulomb's with the impact's coefficient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionSpec>,
    /// Makes events of fast touches: velocities jump at the instant of the touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<ImpactSpec>,
    /// Time in which the depth at which a fixed step sees the contact first comes to count; by default it counts at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relaxation: Option<Quantity<Time, Positive>>,
}

/// Fast touches as events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpactSpec {
    /// Energetic coefficient of restitution: the square root of the part of the work of compression that comes back.
    pub restitution: Quantity<Number, UnitInterval>,
    /// Coefficient of friction while it slips; by default none.
    #[serde(default)]
    pub coefficient: Quantity<Number, NonNegative>,
    /// Coefficient of friction while it sticks; by default the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub static_coefficient: Option<Quantity<Number, NonNegative>>,
    /// Speed up to which a touch is no event and begins a lasting contact.
    #[serde(default = "small_speed")]
    pub small_speed: Quantity<Velocity, Positive>,
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
    /// Force with a power of depth, and a given damping with powers of depth and speed, never pulling.
    HuntCrossley(HuntCrossleySpec),
    /// Force with the volume of overlap, for faces, edges, corners and round sides.
    Foundation(FoundationSpec),
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
    /// Coefficient of restitution; with a slope that of the slowest impacts.
    pub restitution: Quantity<Number, PositiveUnitInterval>,
    /// Loss of restitution per impact speed: e = restitution − slope·speed, down to 0.01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution_slope: Option<Quantity<PerVelocity, NonNegative>>,
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
    /// Coefficient of restitution; with a slope that of the slowest impacts.
    pub restitution: Quantity<Number, PositiveUnitInterval>,
    /// Loss of restitution per impact speed: e = restitution − slope·speed, down to 0.01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution_slope: Option<Quantity<PerVelocity, NonNegative>>,
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

/// Hunt and Crossley's force k·depth^n + a·k·depth^p·speed^q, with a given damping a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HuntCrossleySpec {
    /// Stiffness k of the pair, in N/m^n.
    pub stiffness: Quantity<Number, Positive>,
    /// Damping a, in s/m (with other exponents p and q in s^q/m^(p + q − n)).
    pub damping: Quantity<Number, NonNegative>,
    /// Exponent n of the depth, from 1 to 10; by default 1.5, that of balls.
    #[serde(default = "exponent")]
    pub exponent: Quantity<Number, Positive>,
    /// Exponent p of the depth in the damping, up to 10; by default n.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_exponent: Option<Quantity<Number, Positive>>,
    /// Exponent q of the speed in the damping, from 1 to 10; by default 1.
    #[serde(default = "one")]
    pub speed_exponent: Quantity<Number, Positive>,
}

/// Elastic foundation: give `stiffness`, or `hertz`, or `patch`; without these it follows from the materials' `youngs_modulus`
/// and `layer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundationSpec {
    /// Stiffness per volume of the pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<FoundationStiffness, Positive>>,
    /// Such that a ball is as deep under a load as by Hertz' law with the materials' moduli.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<HertzMatchSpec>,
    /// Such that a ball stands on a patch of a given radius under a load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<PatchMatchSpec>,
    /// Coefficient of restitution; with a slope that of the slowest impacts.
    pub restitution: Quantity<Number, PositiveUnitInterval>,
    /// Loss of restitution per impact speed: e = restitution − slope·speed, down to 0.01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution_slope: Option<Quantity<PerVelocity, NonNegative>>,
    /// How restitution becomes damping.
    #[serde(default)]
    pub damping: DampingForm,
    /// Impact speed below which a touch is damped as a lasting contact.
    #[serde(default = "small_speed")]
    pub small_speed: Quantity<Velocity, Positive>,
}

/// A ball on a plane, as deep as by Hertz' law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HertzMatchSpec {
    /// Working load.
    pub load: Quantity<ForceKind, Positive>,
    /// Radius of the ball.
    pub radius: Quantity<Length, Positive>,
}

/// A ball on a plane, with a patch of a given size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchMatchSpec {
    /// Working load.
    pub load: Quantity<ForceKind, Positive>,
    /// Radius of the ball.
    pub radius: Quantity<Length, Positive>,
    /// Radius of the patch, smaller than that of the ball.
    pub patch_radius: Quantity<Length, Positive>,
}

fn exponent() -> Quantity<Number, Positive> {
    Quantity::new(fender_contact::HuntCrossley::DEFAULT_EXPONENT)
}

fn one() -> Quantity<Number, Positive> {
    Quantity::new(1.0)
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
    /// Bristles that stick, let go and remember rest (Gonthier 2007).
    Bristle(BristleSpec),
    /// The LuGre model, for comparison; without `dwell_time` and `tolerance_speed`.
    Lugre(BristleSpec),
    /// Coulomb friction with a stiction point (Luaces 2013).
    Luaces(LuacesSpec),
    /// Bristles with the coefficients that the library has for what the two materials are `like`.
    Library(LibrarySpec),
}

/// Friction from the library; `fender materials` lists what there is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibrarySpec {
    /// State of the surfaces: `dry`, `wet` or `oiled`.
    pub surface: String,
}

/// Friction of bristles. Stiffness, damping and viscosity are per load, or fixed; what is not given is chosen, and told by
/// `fender check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BristleSpec {
    /// Coefficient of sliding friction μ_C.
    pub coefficient: Quantity<Number, NonNegative>,
    /// Coefficient of static friction μ_S; by default that of sliding, which switches stick–slip off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub static_coefficient: Option<Quantity<Number, NonNegative>>,
    /// Slip before break-away, for the stiffness: σ₀ = μ_S/pre_slip. By default 0.1 mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre_slip: Option<Quantity<Length, Positive>>,
    /// Stiffness per load σ₀.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<PerLength, Positive>>,
    /// Damping per load σ₁; by default 20√(σ₀/g), ten times what damps a block under its own weight critically.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Quantity<PerVelocity, Positive>>,
    /// Viscous friction per load σ₂.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscosity: Option<Quantity<PerVelocity, NonNegative>>,
    /// Stiffness at every load, instead of the three above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_stiffness: Option<Quantity<Stiffness, Positive>>,
    /// Damping that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_damping: Option<Quantity<Damping, Positive>>,
    /// Viscous friction that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_viscosity: Option<Quantity<Damping, NonNegative>>,
    /// Slip speed v_S at which 37 % still stick; by default 20 mm/s, or 5μ_S/σ₁ if that is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stribeck_speed: Option<Quantity<Velocity, Positive>>,
    /// Time τ_dw in which stiction builds up; by default it does so at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dwell_time: Option<Quantity<Time, NonNegative>>,
    /// Slip speed below which directions are smoothed; by default a hundredth of the Stribeck speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance_speed: Option<Quantity<Velocity, Positive>>,
}

impl BristleSpec {
    /// Bristles of which only the coefficients of static and sliding friction are known.
    pub fn of(fixed: f64, sliding: f64) -> Self {
        Self {
            coefficient: Quantity::new(sliding),
            static_coefficient: Some(Quantity::new(fixed)),
            pre_slip: None,
            stiffness: None,
            damping: None,
            viscosity: None,
            fixed_stiffness: None,
            fixed_damping: None,
            fixed_viscosity: None,
            stribeck_speed: None,
            dwell_time: None,
            tolerance_speed: None,
        }
    }
}

/// Coulomb friction with a stiction point. What is not given follows from the step and the lightest body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LuacesSpec {
    /// Coefficient of sliding friction.
    pub coefficient: Quantity<Number, NonNegative>,
    /// Coefficient of static friction; by default that of sliding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub static_coefficient: Option<Quantity<Number, NonNegative>>,
    /// Mass that one contact carries, for the numbers that are not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Quantity<Mass, Positive>>,
    /// Steps in which such a mass is stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Quantity<Number, Positive>>,
    /// Stiffness to the stiction point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<Stiffness, Positive>>,
    /// Damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Quantity<Damping, Positive>>,
    /// Viscous friction.
    #[serde(default)]
    pub viscosity: Quantity<Damping, NonNegative>,
    /// Slip speed between sticking and sliding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition_speed: Option<Quantity<Velocity, Positive>>,
    /// How far behind the contact the stiction point is dragged.
    #[serde(default = "drag")]
    pub drag: Quantity<Number, PositiveUnitInterval>,
}

fn drag() -> Quantity<Number, PositiveUnitInterval> {
    Quantity::new(1.0)
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
    #[serde(default)]
    pub impact_speed: Quantity<Velocity, NonNegative>,
    /// How far stiction has built up.
    #[serde(default)]
    pub dwell: Quantity<Number, UnitInterval>,
}
