//! Water that flows.
//!
//! # Models
//! A steady current: the same everywhere, or a velocity that depends on the height.
//!
//! # Equation
//! Linear between the heights that are given; above the highest and below the lowest constant.
//!
//! # Parameters
//! - height [m] in the world and velocity [m/s], any number of pairs
//!
//! # Valid when
//! The current changes slowly against the time and the extent of what is simulated.
//!
//! # Limits
//! Steady, no turbulence. It does not act on waves and is not carried along by their surface.
//!
//! # References
//! DNV-RP-C205 (2010), section 4.1.

use crate::error::{MarineError, within};
use fender_math::Vec3;

/// A steady current.
#[derive(Clone, Debug, PartialEq)]
pub struct Current {
    /// Height and velocity, upward; never empty.
    points: Vec<(f64, Vec3)>,
}

impl Default for Current {
    fn default() -> Self {
        Self::STILL
    }
}

impl Current {
    /// Water at rest.
    pub const STILL: Self = Self { points: Vec::new() };

    /// The same velocity [m/s] everywhere.
    pub fn uniform(velocity: Vec3) -> Result<Self, MarineError> {
        finite(velocity)?;
        Ok(Self { points: vec![(0.0, velocity)] })
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
        Ok(Self { points })
    }

    /// Velocity at a height [m].
    #[inline]
    pub fn velocity(&self, height: f64) -> Vec3 {
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
