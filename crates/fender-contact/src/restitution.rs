//! Coefficients of restitution: constant, or falling with the speed of the impact.

use crate::parameter::{ParameterError, not_negative};
use crate::{Damping, RestitutionError};

/// How much of the approach speed a free impact gives back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// The same at every speed.
    Constant(f64),
    /// e = `at_rest` − `slope`·v, not below [`LEAST`] (Hunt and Crossley 1975; Gonthier 2007, eq. 3.12, who quotes slopes of
    /// 0.08 to 0.32 s/m for steel, bronze and ivory).
    Falling {
        /// Restitution of the slowest impacts.
        at_rest: f64,
        /// Loss per speed [s/m].
        slope: f64,
    },
}

/// Least restitution that a falling one comes down to.
pub const LEAST: f64 = 0.01;

impl Restitution {
    /// The value at an impact speed [m/s].
    #[inline]
    pub fn at(self, speed: f64) -> f64 {
        match self {
            Self::Constant(e) => e,
            Self::Falling { at_rest, slope } => (at_rest - slope * speed).max(LEAST.min(at_rest)),
        }
    }

    /// Itself, if every value it takes can be given by a damping.
    pub fn check(self) -> Result<Self, ParameterError> {
        match self {
            Self::Constant(e) => RestitutionError::check(e)?,
            Self::Falling { at_rest, slope } => {
                RestitutionError::check(at_rest)?;
                not_negative("slope of the restitution", "zero or positive [s/m]", slope)?
            }
        };
        Ok(self)
    }

    /// Dimensionless damping factor y = a·v of an impact at `speed` [m/s], within the error of [`Damping::quick_factor`].
    #[inline]
    pub(crate) fn factor_at(self, damping: Damping, speed: f64) -> f64 {
        damping.quick_factor(self.at(speed))
    }
}

impl From<f64> for Restitution {
    fn from(e: f64) -> Self {
        Self::Constant(e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_with_the_speed_and_stays_possible() {
        let e = Restitution::Falling { at_rest: 1.0, slope: 0.2 };
        assert_eq!(e.at(0.0), 1.0);
        assert!((e.at(2.0) - 0.6).abs() < 1e-15);
        assert_eq!(e.at(5.0), LEAST);
        assert_eq!(e.at(1e300), LEAST);
        assert_eq!(Restitution::from(0.3).at(77.0), 0.3);
    }

    #[test]
    fn impossible_values_are_errors() {
        for bad in [
            Restitution::Constant(0.0),
            Restitution::Falling { at_rest: 1.2, slope: 0.1 },
            Restitution::Falling { at_rest: 0.9, slope: -0.1 },
            Restitution::Falling { at_rest: 0.9, slope: f64::NAN },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
        assert!(Restitution::Falling { at_rest: 0.9, slope: 0.0 }.check().is_ok());
    }
}
