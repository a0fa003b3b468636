//! Water: a surface, a current, waves.
//!
//! # Models
//! Water of constant density and depth, at rest, flowing, with waves on it.
//!
//! # Equation
//! Surface: the still surface plus the elevations of all waves. Motion: current at the height of the place, plus the
//! motions of all waves; the waves' at the height z over the still surface, which is changed by [`Stretching`] first:
//!
//! - `Constant`: z, but 0 above the still surface. Below it this is linear theory unchanged, so that velocities fulfil
//!   continuity and are a gradient. The default.
//! - `Wheeler`: `(z + d)·d/(d + η) − d = (z − η)·d/(d + η)`, which puts bottom to bottom and the momentary surface to the still surface;
//!   `z − η` in deep water. 0 above the surface.
//!
//! # Parameters
//! - `density` [kg/m³]
//! - `surface` [m]: height of the still surface
//! - `depth` [m]; infinite without bottom
//! - `current`, `waves`, `stretching`
//!
//! # Valid when
//! What is in the water is small against the waves' length (Morison's range: diameter below a fifth of it).
//!
//! # Limits
//! Current and waves are added without acting on each other. With `Wheeler`, accelerations are those of linear theory at
//! the stretched height, as is usual; they are then not exactly the derivative of the velocity, and continuity holds to
//! first order in the amplitude only. `Constant` gives at a crest less than second-order theory does, `Wheeler` less still.
//!
//! # References
//! Wheeler 1970, J. Petroleum Technology 22, 359-367; DNV-RP-C205 (2010), section 3.3.3; Dean and Dalrymple 1991, Water
//! wave mechanics for engineers and scientists, section 4.6.

use crate::error::{MarineError, positive, within};
use crate::{Current, Wave};
use fender_engine::{Fluid, FluidMotion};
use fender_math::Vec3;

/// How waves go on above the still surface, where linear theory says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stretching {
    /// As at the still surface.
    #[default]
    Constant,
    /// Heights are stretched so that the momentary surface has what the still surface had.
    Wheeler,
}

/// Water at rest, flowing, with waves on it.
#[derive(Debug)]
pub struct Water {
    density: f64,
    surface: f64,
    depth: f64,
    current: Current,
    waves: Vec<Box<dyn Wave>>,
    stretching: Stretching,
}

impl Water {
    /// Usual density of sea water [kg/m³].
    pub const DENSITY: f64 = 1025.0;

    /// Still water of a density [kg/m³] whose surface is at a height [m], of a depth [m] or infinite.
    pub fn still(density: f64, surface: f64, depth: f64) -> Result<Self, MarineError> {
        positive("the density of water", "positive and finite [kg/m³]", density)?;
        within(surface.is_finite(), "the height of the water's surface", "finite [m]", surface)?;
        within(depth > 0.0, "the depth of water", "positive [m]", depth)?;
        let (current, stretching) = (Current::STILL, Stretching::Constant);
        Ok(Self { density, surface, depth, current, waves: Vec::new(), stretching })
    }

    /// The same with a current.
    pub fn with_current(mut self, current: Current) -> Self {
        self.current = current;
        self
    }

    /// The same with one more wave.
    pub fn with_wave(mut self, wave: Box<dyn Wave>) -> Self {
        self.waves.push(wave);
        self
    }

    /// The same with another way of going on above the still surface.
    pub fn with_stretching(mut self, stretching: Stretching) -> Self {
        self.stretching = stretching;
        self
    }

    /// Sum of the waves' elevations [m].
    #[inline]
    fn elevation(&self, x: f64, y: f64, time: f64) -> f64 {
        self.waves.iter().map(|wave| wave.elevation(x, y, time)).sum()
    }

    /// Height below the still surface at which the waves are asked [m].
    #[inline]
    fn stretched(&self, place: Vec3, time: f64) -> f64 {
        let z = place.z - self.surface;
        let z = match self.stretching {
            Stretching::Constant => z,
            Stretching::Wheeler => {
                let eta = self.elevation(place.x, place.y, time);
                // The quotient is not a number at an infinite depth, nor positive if a trough bares the bottom.
                if self.depth.is_finite() {
                    (z - eta) * (self.depth / (self.depth + eta).max(1e-3 * self.depth))
                } else {
                    z - eta
                }
            }
        };
        z.min(0.0)
    }
}

impl Fluid for Water {
    fn density(&self) -> f64 {
        self.density
    }

    fn surface(&self, x: f64, y: f64, time: f64) -> f64 {
        self.surface + self.elevation(x, y, time)
    }

    fn still(&self) -> bool {
        self.waves.is_empty()
    }

    fn motion(&self, place: Vec3, time: f64) -> FluidMotion {
        let mut motion = self.current.motion(place.z, time);
        if !self.waves.is_empty() {
            let z = self.stretched(place, time);
            for wave in &self.waves {
                let part = wave.motion(place.x, place.y, z, time);
                motion.velocity += part.velocity;
                motion.acceleration += part.acceleration;
            }
        }
        motion
    }

    fn time_events(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.waves.iter().flat_map(|wave| wave.time_events()).collect();
        times.extend(self.current.time_events());
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Airy, AiryWave, Ramp};

    fn wave(depth: f64) -> AiryWave {
        let said = Airy {
            amplitude: 2.0,
            period: 8.0,
            direction: 0.0,
            phase: 0.0,
            depth,
            gravity: 9.81,
            ramp: Ramp::NONE,
        };
        AiryWave::new(said).unwrap()
    }

    #[test]
    fn current_and_waves_are_added_at_the_height_of_the_surface() {
        let x = |v: f64| Vec3::new(v, 0.0, 0.0);
        let current = Current::profile(vec![(3.0, x(1.0)), (-17.0, x(0.0))]).unwrap();
        let water = Water::still(1000.0, 3.0, 20.0)
            .unwrap()
            .with_current(current)
            .with_wave(Box::new(wave(20.0)))
            .with_wave(Box::new(wave(20.0)));
        assert_eq!(water.density(), 1000.0);
        // Two waves of 2 m, crest at the origin at time 0.
        assert!((water.surface(0.0, 0.0, 0.0) - 7.0).abs() < 1e-14);
        let one = wave(20.0).motion(5.0, 0.0, -10.0, 1.0);
        let all = water.motion(Vec3::new(5.0, 0.0, -7.0), 1.0);
        assert!((all.velocity - (2.0 * one.velocity + x(0.5))).length() < 1e-14);
        assert!((all.acceleration - 2.0 * one.acceleration).length() < 1e-14);
    }

    #[test]
    fn above_the_surface_it_is_as_at_the_surface() {
        for stretching in [Stretching::Constant, Stretching::Wheeler] {
            let water = Water::still(1025.0, 0.0, 20.0)
                .unwrap()
                .with_wave(Box::new(wave(20.0)))
                .with_stretching(stretching);
            for t in [0.0, 1.0, 2.0, 3.3] {
                let eta = water.surface(1.0, 0.0, t);
                let top = water.motion(Vec3::new(1.0, 0.0, eta.max(0.0)), t);
                assert_eq!(top, water.motion(Vec3::new(1.0, 0.0, eta.max(0.0) + 5.0), t));
                // No jump on the way up.
                let mut last = water.motion(Vec3::new(1.0, 0.0, -20.0), t).velocity;
                for i in 0..500 {
                    let here = water.motion(Vec3::new(1.0, 0.0, -20.0 + 0.05 * f64::from(i)), t).velocity;
                    assert!((here - last).length() < 0.02);
                    last = here;
                }
            }
        }
    }

    #[test]
    fn wheeler_puts_surface_to_surface_and_bottom_to_bottom() {
        let wheeler = |depth: f64| {
            let water = Water::still(1025.0, 0.0, depth).unwrap();
            water.with_wave(Box::new(wave(depth))).with_stretching(Stretching::Wheeler)
        };
        for depth in [20.0, 1e6, f64::INFINITY] {
            let water = wheeler(depth);
            for t in [0.0, 1.0, 4.0] {
                let eta = water.surface(0.0, 0.0, t);
                let top = water.motion(Vec3::new(0.0, 0.0, eta), t);
                let linear = wave(depth).motion(0.0, 0.0, 0.0, t);
                assert!((top.velocity - linear.velocity).length() < 1e-14);
            }
        }
        let bottom = wheeler(20.0).motion(Vec3::new(0.0, 0.0, -20.0), 1.0);
        let linear = wave(20.0).motion(0.0, 0.0, -20.0, 1.0);
        assert!((bottom.velocity - linear.velocity).length() < 1e-14);
        // Under a crest in deep water it is slower than linear theory at the same height, by e^(−kη).
        let ratio = wheeler(f64::INFINITY).motion(Vec3::new(0.0, 0.0, -5.0), 0.0).velocity.x
            / wave(f64::INFINITY).motion(0.0, 0.0, -5.0, 0.0).velocity.x;
        assert!((ratio - (-wave(f64::INFINITY).number() * 2.0).exp()).abs() < 1e-14);
    }

    #[test]
    fn it_says_when_its_waves_start() {
        let ramped = |from: f64| {
            let ramp = Ramp::new(from, 5.0).unwrap();
            let said = Airy {
                amplitude: 1.0,
                period: 8.0,
                direction: 0.0,
                phase: 0.0,
                depth: 10.0,
                gravity: 9.81,
                ramp,
            };
            Box::new(AiryWave::new(said).unwrap())
        };
        let water = Water::still(1025.0, 0.0, 10.0).unwrap().with_wave(ramped(5.0)).with_wave(ramped(0.0));
        assert_eq!(water.time_events(), [0.0, 5.0, 10.0]);
        assert_eq!(water.surface(3.0, 3.0, 0.0), 0.0);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Water::still(0.0, 0.0, 1.0).is_err());
        assert!(Water::still(1025.0, f64::NAN, 1.0).is_err());
        assert!(Water::still(1025.0, 0.0, -1.0).is_err());
    }
}
