//! `[run]`: how long and by which method.

use super::LoopsSpec;
use crate::quantity::{Length, NonNegative, Number, Positive, Quantity, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long and by which method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// Simulated time.
    pub duration: Quantity<Time, Positive>,
    /// Method that advances the motion in time; by default the implicit midpoint rule with 1 ms if a cable has a free end, generalized-α with 5 ms if there
    /// are other cables, and classical Runge–Kutta with 0.1 ms otherwise.
    #[serde(default)]
    pub integrator: Option<MethodSpec>,
    /// How loops are closed.
    #[serde(default)]
    pub loops: LoopsSpec,
}

/// Method that advances the motion in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MethodSpec {
    /// Explicit Euler, order 1: for comparison.
    ExplicitEuler(FixedStepSpec),
    /// Semi-implicit Euler, order 1: cheap and robust, the choice for many contacts.
    SemiImplicitEuler(FixedStepSpec),
    /// Bogacki–Shampine, order 3.
    Rk3(FixedStepSpec),
    /// Classical Runge–Kutta, order 4.
    Rk4(FixedStepSpec),
    /// The fifth-order method of Dormand and Prince with a fixed step.
    Rk5(FixedStepSpec),
    /// Newmark's implicit method (trapezoidal rule), order 2: no numerical damping.
    Newmark(ImplicitSpec),
    /// Hilber, Hughes and Taylor's implicit method, order 2: damps what the step cannot resolve.
    Hht(HhtSpec),
    /// Chung and Hulbert's implicit method, order 2: damps what the step cannot resolve, and little else.
    GeneralizedAlpha(GeneralizedAlphaSpec),
    /// The implicit midpoint rule, which keeps the energy of cables.
    Midpoint(MidpointSpec),
    /// SDIRK 4(3), L-stable, with error control and location of events: for stiff springs and contacts.
    Sdirk4(AdaptiveSpec),
    /// Runge–Kutta–Fehlberg 4(5) with error control and location of events.
    Rk45(AdaptiveSpec),
    /// Dormand–Prince 5(4) with error control and location of events.
    DormandPrince(AdaptiveSpec),
}

impl MethodSpec {
    /// The method of a file that names none.
    pub(crate) fn for_cables(any: bool, free_end: bool) -> Self {
        match (any, free_end) {
            (_, true) => Self::Midpoint(MidpointSpec { step: Quantity::new(1e-3), halvings: halvings() }),
            (true, false) => Self::GeneralizedAlpha(GeneralizedAlphaSpec {
                step: Quantity::new(5e-3),
                radius: radius(),
                iterations: iterations(),
                halvings: halvings(),
                real_time: None,
            }),
            (false, false) => Self::Rk4(FixedStepSpec { step: Quantity::new(1e-4) }),
        }
    }
}

/// Settings of a method with a fixed step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedStepSpec {
    /// Step.
    pub step: Quantity<Time, Positive>,
}

/// Settings of an implicit method with a fixed step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImplicitSpec {
    /// Step.
    pub step: Quantity<Time, Positive>,
    /// Newton steps at most.
    #[serde(default = "iterations")]
    pub iterations: u32,
    /// How often a step that does not converge may be halved.
    #[serde(default = "halvings")]
    pub halvings: u32,
    /// For real time: this many Newton steps at most; what they have found is accepted and counted if velocities changed by less than 1 mm/s, relative
    /// to the fastest, and the step is halved only otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_time: Option<u32>,
}

/// Settings of the method of Hilber, Hughes and Taylor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HhtSpec {
    /// Step.
    pub step: Quantity<Time, Positive>,
    /// Numerical damping, from 0 to 1/3.
    #[serde(default = "hht_damping")]
    pub damping: Quantity<Number, NonNegative>,
    /// Newton steps at most.
    #[serde(default = "iterations")]
    pub iterations: u32,
    /// How often a step that does not converge may be halved.
    #[serde(default = "halvings")]
    pub halvings: u32,
    /// For real time: this many Newton steps at most; what they have found is accepted and counted if velocities changed by less than 1 mm/s, relative
    /// to the fastest, and the step is halved only otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_time: Option<u32>,
}

/// Settings of the generalized-α method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralizedAlphaSpec {
    /// Step.
    pub step: Quantity<Time, Positive>,
    /// Spectral radius at infinite frequency, above 0 and up to 1: 1 damps nothing, small ones much.
    #[serde(default = "radius")]
    pub radius: Quantity<Number, Positive>,
    /// Newton steps at most.
    #[serde(default = "iterations")]
    pub iterations: u32,
    /// How often a step that does not converge may be halved.
    #[serde(default = "halvings")]
    pub halvings: u32,
    /// For real time: this many Newton steps at most; what they have found is accepted and counted if velocities changed by less than 1 mm/s, relative
    /// to the fastest, and the step is halved only otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real_time: Option<u32>,
}

/// Settings of the implicit midpoint rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MidpointSpec {
    /// Step.
    pub step: Quantity<Time, Positive>,
    /// How often a step that does not converge may be halved.
    #[serde(default = "halvings")]
    pub halvings: u32,
}

fn iterations() -> u32 {
    50
}

fn halvings() -> u32 {
    10
}

fn hht_damping() -> Quantity<Number, NonNegative> {
    Quantity::new(0.1)
}

fn radius() -> Quantity<Number, Positive> {
    Quantity::new(0.8)
}

/// Settings of a method with error control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdaptiveSpec {
    /// Error per step relative to the size of each coordinate and velocity.
    #[serde(default = "relative")]
    pub relative_tolerance: Quantity<Number, Positive>,
    /// Error per step near zero [m, m/s, rad/s].
    #[serde(default = "absolute")]
    pub absolute_tolerance: Quantity<Length, Positive>,
    /// Largest step.
    #[serde(default = "max_step")]
    pub max_step: Quantity<Time, Positive>,
}

fn relative() -> Quantity<Number, Positive> {
    Quantity::new(1e-8)
}

fn absolute() -> Quantity<Length, Positive> {
    Quantity::new(1e-10)
}

fn max_step() -> Quantity<Time, Positive> {
    Quantity::new(1e-2)
}
