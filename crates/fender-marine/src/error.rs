//! Waters and winds that cannot be.

/// Why a water, a wave or a wind could not be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MarineError {
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
    /// Two points of a current profile have the same height.
    #[error("a current profile needs one velocity for each height, got two at {height} m")]
    SameHeight {
        /// The height [m].
        height: f64,
    },
    /// A current profile without points.
    #[error("a current profile needs one point or more")]
    NoProfile,
    /// A profile flows up or down.
    #[error(
        "a current that changes with height must be horizontal (water cannot be compressed), got {velocity} m/s upward at {height} m"
    )]
    Vertical {
        /// The height [m].
        height: f64,
        /// Its vertical velocity [m/s].
        velocity: f64,
    },
}

/// `value`, if it is finite and above zero; `range` says so with the unit.
pub(crate) fn positive(name: &'static str, range: &'static str, value: f64) -> Result<f64, MarineError> {
    within(value > 0.0 && value.is_finite(), name, range, value)
}

/// `value`, if it is `accepted` (a condition that is false for NaN).
pub(crate) fn within(
    accepted: bool,
    name: &'static str,
    range: &'static str,
    value: f64,
) -> Result<f64, MarineError> {
    if accepted { Ok(value) } else { Err(MarineError::Range { name, range, value }) }
}
