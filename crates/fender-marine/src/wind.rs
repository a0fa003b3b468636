//! Air that moves.
//!
//! # Models
//! A uniform, steady wind, or air at rest.
//!
//! # Equation
//! The same velocity everywhere; no surface.
//!
//! # Parameters
//! - `density` [kg/m³], 1.225 in the standard atmosphere at sea level
//! - `velocity` [m/s]
//!
//! # Valid when
//! The heights that matter are near that at which the wind was measured, and gusts do not matter.
//!
//! # Limits
//! No profile over the height, no gusts.
//!
//! # References
//! ISO 2533:1975 (density); DNV-RP-C205 (2010), section 2, for what is left out.

use crate::error::{MarineError, positive, within};
use fender_engine::{Fluid, FluidMotion};
use fender_math::Vec3;

/// A uniform, steady wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    density: f64,
    velocity: Vec3,
}

impl Wind {
    /// Density of the standard atmosphere at sea level [kg/m³].
    pub const DENSITY: f64 = 1.225;

    /// A wind of a density [kg/m³] and velocity [m/s].
    pub fn new(density: f64, velocity: Vec3) -> Result<Self, MarineError> {
        positive("the density of air", "positive and finite [kg/m³]", density)?;
        within(velocity.is_finite(), "the speed of the wind", "finite [m/s]", velocity.length())?;
        Ok(Self { density, velocity })
    }
}

impl Fluid for Wind {
    fn density(&self) -> f64 {
        self.density
    }

    fn surface(&self, _x: f64, _y: f64, _time: f64) -> f64 {
        f64::INFINITY
    }

    fn motion(&self, _place: Vec3, _time: f64) -> FluidMotion {
        FluidMotion { velocity: self.velocity, acceleration: Vec3::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_everywhere_and_nonsense_is_refused() {
        let wind = Wind::new(Wind::DENSITY, Vec3::new(5.0, 0.0, 0.0)).unwrap();
        let there = wind.motion(Vec3::new(1.0, 2.0, 300.0), 7.0);
        assert_eq!(there, FluidMotion { velocity: Vec3::new(5.0, 0.0, 0.0), acceleration: Vec3::ZERO });
        assert_eq!((wind.density(), wind.surface(1.0, 2.0, 3.0)), (1.225, f64::INFINITY));
        assert!(Wind::new(0.0, Vec3::ZERO).is_err());
        assert!(Wind::new(1.2, Vec3::splat(f64::NAN)).is_err());
    }
}
