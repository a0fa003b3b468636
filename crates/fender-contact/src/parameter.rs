//! Parameters that a law cannot work with.

use crate::RestitutionError;

/// Why a law could not be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// A number is outside its range, infinite or not a number.
    #[error("{name} must be {range}, got {value}")]
    Range {
        /// Name of the parameter.
        name: &'static str,
        /// What would be accepted, with the unit.
        range: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// Static friction is weaker than sliding friction.
    #[error(
        "the static coefficient must be at least the sliding one, {sliding}, and finite, got {fixed}; equal coefficients switch the break-away peak off"
    )]
    Static {
        /// The static coefficient that was given.
        fixed: f64,
        /// The sliding coefficient.
        sliding: f64,
    },
    /// The restitution is impossible.
    #[error(transparent)]
    Restitution(#[from] RestitutionError),
}

/// `value`, if it is finite and above zero; `range` says so with the unit.
pub(crate) fn positive(name: &'static str, range: &'static str, value: f64) -> Result<f64, ParameterError> {
    within(value > 0.0 && value.is_finite(), name, range, value)
}

/// `value`, if it is finite and not below zero; `range` says so with the unit.
pub(crate) fn not_negative(
    name: &'static str,
    range: &'static str,
    value: f64,
) -> Result<f64, ParameterError> {
    within(value >= 0.0 && value.is_finite(), name, range, value)
}

/// `value`, if it is `accepted` (a condition that is false for NaN).
pub(crate) fn within(
    accepted: bool,
    name: &'static str,
    range: &'static str,
    value: f64,
) -> Result<f64, ParameterError> {
    if accepted { Ok(value) } else { Err(ParameterError::Range { name, range, value }) }
}
