//! Water that flows.
//!
//! # Models
//! A current: the same everywhere, or a velocity that depends on the height; steady, or times a factor that changes over time, as a tide.
//!
//! # Equation
//! Linear between the heights that are given; above the highest and below the lowest constant. All of it times the factor f(t);
//! the water accelerates by f′(t) times the velocity.
//!
//! # Parameters
//! - height [m] in the world and velocity [m/s], any number of pairs
//! - factor over time, by default 1
//!
//! # Valid when
//! The current changes slowly against the time and the extent of what is simulated.
//!
//! # Limits
//! No turbulence. The factor is the same at all heights: a boundary layer does not grow. It does not act on waves and is not carried along by their surface.
//!
//! # References
//! DNV-RP-C205 (2010), section 4.1.

use crate::error::{MarineError, within};
use fender_engine::FluidMotion;
use fender_math::{Profile, Vec3};

/// A current.
#[derive(Clone, Debug, PartialEq)]
pub struct Current {
    /// Height and velocity, upward; never empty.
    points: Vec<(f64, Vec3)>,
    factor: Profile,
}

impl Default for Current {
    fn default() -> Self {
        Self::STILL
    }
}

impl Current {
    /// Water at rest.
    pub const STILL: Self = Self { points: Vec::new(), factor: Profile::Constant(1.0) };

    /// The same velocity [m/s] everywhere.
    pub fn uniform(velocity: Vec3) -> Result<Self, MarineError> {
        finite(velocity)?;
        Ok(Self { points: vec![(0.0, velocity)], ..Self::STILL })
    }

    /// Velocities [m/s] at heights [m] in any order.
    pub fn profile(mut points: Vec<(f64, Vec3)>) -> Result<Self, MarineError> {
        if points.is_empty() {
            return Err(MarineError::NoProfile);
        }
        for (height, velocity) in &points {
            within(height.is_finite(), "a height of a current profile", "finite [m]", *height)?;
            finite(*velocity)?;
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(pair) = points.windows(2).find(|p| p[0].0 == p[1].0) {
            return Err(MarineError::SameHeight { height: pair[0].0 });
        }
        if points.len() > 1
            && let Some((height, velocity)) = points.iter().find(|(_, v)| v.z != 0.0)
        {
            return Err(MarineError::Vertical { height: *height, velocity: velocity.z });
        }
        Ok(Self { points, ..Self::STILL })
    }

    /// The same times a factor.
    pub fn with_factor(mut self, factor: Profile) -> Self {
        self.factor = factor;
        self
    }

    /// Motion at a height [m] and time [s].
    #[inline]
    pub fn motion(&self, height: f64, time: f64) -> FluidMotion {
        let velocity = self.velocity(height);
        let [factor, rate, _] = self.factor.sample(time);
        FluidMotion { velocity: velocity * factor, acceleration: velocity * rate }
    }

    /// Times at which it starts, stops or has a kink [s].
    pub fn time_events(&self) -> Vec<f64> {
        self.factor.time_events()
    }

    /// Velocity at a height [m] where the factor is 1.
    #[inline]
    fn velocity(&self, height: f64) -> Vec3 {
        match self.points.as_slice() {
            [] => Vec3::ZERO,
            [(_, velocity)] => *velocity,
            points => {
                let above = points.partition_point(|(z, _)| *z <= height);
                if above == 0 {
                    return points[0].1;
                }
                let (z0, v0) = points[above - 1];
                let Some((z1, v1)) = points.get(above) else { return v0 };
                v0 + (*v1 - v0) * ((height - z0) / (z1 - z0))
            }
        }
    }
}

fn finite(velocity: Vec3) -> Result<(), MarineError> {
    let worst = velocity.to_array().into_iter().find(|x| !x.is_finite());
    within(worst.is_none(), "a velocity of a current", "finite [m/s]", worst.unwrap_or(0.0))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_linear_between_heights_and_constant_beyond() {
        let x = |v: f64| Vec3::new(v, 0.0, 0.0);
        let current = Current::profile(vec![(0.0, x(1.0)), (-50.0, x(0.5)), (-10.0, x(0.9))]).unwrap();
        for (height, v) in
            [(5.0, 1.0), (0.0, 1.0), (-5.0, 0.95), (-10.0, 0.9), (-30.0, 0.7), (-50.0, 0.5), (-99.0, 0.5)]
        {
            assert!((current.velocity(height) - x(v)).length() < 1e-15, "{height}");
        }
        assert_eq!(Current::STILL.velocity(3.0), Vec3::ZERO);
        let up = Vec3::new(0.1, 0.2, 0.3);
        assert_eq!(Current::uniform(up).unwrap().velocity(-7.0), up);
        assert_eq!(Current::profile(vec![(1.0, up)]).unwrap().velocity(-7.0), up);
    }

    #[test]
    fn a_factor_scales_and_accelerates_it() {
        let ramp = fender_math::profile::Ramp { from: 0.0, to: 2.0, start: 1.0, duration: 4.0 };
        let current = Current::uniform(Vec3::X).unwrap().with_factor(Profile::Ramp(ramp));
        // Halfway the ramp is at half, and its rate 15/8 of the mean one.
        let half = current.motion(-7.0, 3.0);
        assert_eq!(half, FluidMotion { velocity: Vec3::X, acceleration: Vec3::X * (2.0 / 4.0 * 1.875) });
        assert_eq!(current.motion(0.0, 99.0).velocity, Vec3::X * 2.0);
        assert_eq!(current.time_events(), [1.0, 5.0]);
    }

    #[test]
    fn nonsense_is_refused() {
        let v = Vec3::X;
        assert_eq!(Current::profile(vec![]), Err(MarineError::NoProfile));
        assert_eq!(Current::profile(vec![(1.0, v), (1.0, v)]), Err(MarineError::SameHeight { height: 1.0 }));
        let vertical = Current::profile(vec![(1.0, v), (2.0, Vec3::Z)]);
        assert_eq!(vertical, Err(MarineError::Vertical { height: 2.0, velocity: 1.0 }));
        assert!(Current::profile(vec![(f64::NAN, v)]).is_err());
        assert!(Current::uniform(Vec3::splat(f64::INFINITY)).is_err());
    }
}
