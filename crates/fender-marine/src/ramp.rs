//! A smooth start.
//!
//! # Models
//! Waves that build up from nothing, so that what is in them is not hit by a full wave at the first instant.
//!
//! # Equation
//! With `s = (t − from)/duration` kept between 0 and 1, the factor is `10 s³ − 15 s⁴ + 6 s⁵`: its first and second
//! derivatives vanish at both ends, so velocity, acceleration and the change of acceleration have no jump.
//!
//! # Parameters
//! - `from` [s]: when it starts
//! - `duration` [s]: how long it takes; 0 for a jump
//!
//! # Valid when
//! The duration is a period or more.
//!
//! # Limits
//! While it lasts, the sum of wave and ramp is not a free wave: it fulfils continuity, but not the dispersion relation.
//!
//! # References
//! The polynomial of least order with these six end values; DNV-RP-C205 (2010) recommends ramps, not this one.

use crate::error::{MarineError, within};

/// A smooth start: a factor from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    from: f64,
    duration: f64,
}

impl Default for Ramp {
    fn default() -> Self {
        Self::NONE
    }
}

impl Ramp {
    /// Full from the beginning.
    pub const NONE: Self = Self { from: f64::NEG_INFINITY, duration: 0.0 };

    /// From 0 at a time [s] to 1 a duration [s] later.
    pub fn new(from: f64, duration: f64) -> Result<Self, MarineError> {
        within(from.is_finite(), "the start of a ramp", "a finite time [s]", from)?;
        let fits = duration >= 0.0 && duration.is_finite();
        within(fits, "the duration of a ramp", "zero or positive and finite [s]", duration)?;
        Ok(Self { from, duration })
    }

    /// The factor at a time [s], and its rate [1/s].
    #[inline]
    pub fn factor(self, time: f64) -> (f64, f64) {
        let t = time - self.from;
        if t >= self.duration {
            return (1.0, 0.0);
        }
        if t <= 0.0 {
            return (0.0, 0.0);
        }
        let s = t / self.duration;
        let value = s * s * s * (10.0 + s * (6.0 * s - 15.0));
        let slope = 30.0 * s * s * (1.0 - s) * (1.0 - s);
        (value, slope / self.duration)
    }

    /// When it starts and ends [s]; nothing if it is full from the beginning.
    pub fn time_events(self) -> Vec<f64> {
        if self.from.is_finite() { vec![self.from, self.from + self.duration] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_smoothly_from_0_to_1() {
        let ramp = Ramp::new(2.0, 10.0).unwrap();
        assert_eq!(ramp.factor(-5.0), (0.0, 0.0));
        assert_eq!(ramp.factor(2.0), (0.0, 0.0));
        assert_eq!(ramp.factor(12.0), (1.0, 0.0));
        assert_eq!(ramp.factor(7.0).0, 0.5);
        let h = 1e-5;
        for i in 0..120 {
            let t = 1.0 + 0.1 * f64::from(i);
            let difference = (ramp.factor(t + h).0 - ramp.factor(t - h).0) / (2.0 * h);
            assert!((difference - ramp.factor(t).1).abs() < 1e-9);
        }
        assert_eq!(ramp.time_events(), [2.0, 12.0]);
    }

    #[test]
    fn no_ramp_is_full_at_every_time() {
        assert_eq!(Ramp::NONE.factor(-1e9), (1.0, 0.0));
        assert!(Ramp::NONE.time_events().is_empty());
        let jump = Ramp::new(3.0, 0.0).unwrap();
        assert_eq!((jump.factor(2.999).0, jump.factor(3.0).0), (0.0, 1.0));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Ramp::new(f64::NAN, 1.0).is_err());
        assert!(Ramp::new(0.0, -1.0).is_err());
    }
}
