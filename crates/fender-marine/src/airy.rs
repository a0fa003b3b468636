//! Regular waves of linear theory.
//!
//! # Models
//! A train of long-crested waves of one period on water of constant depth, low against its length and against the depth.
//!
//! # Equation
//! With `θ = k·(x cos β + y sin β) − ω t + φ` and k from [`crate::dispersion`]:
//!
//! - elevation `η = A cos θ`
//! - potential `Φ = A ω/k · cosh k(z+d)/sinh kd · sin θ`
//! - velocity along the direction `A ω · cosh k(z+d)/sinh kd · cos θ`, upward `A ω · sinh k(z+d)/sinh kd · sin θ`
//! - acceleration: the derivative of that by time at a fixed place, as linear theory has it
//!
//! In deep water both profiles are `e^(kz)`. They are computed as `(E ± Q/E)/(1 − Q)` with `E = e^(kz)`, `Q = e^(−2kd)`:
//! no term grows beyond 1, whatever the depth. Elevation and velocity are multiplied by a [`Ramp`] r; the acceleration
//! is then `r ∂v/∂t + ṙ v`.
//!
//! # Parameters
//! - `amplitude` A [m], half the height from trough to crest
//! - `period` [s], as seen from the water at rest; ω = 2π/period
//! - `direction` β [rad], where it goes, from +x towards +y
//! - `phase` φ [rad]
//! - `depth` d [m]; infinite for deep water
//! - `gravity` g [m/s²]
//! - `ramp`
//!
//! # Valid when
//! The steepness H/L is small (below about 1/50 in deep water; it breaks at `0.142 tanh kd`, see
//! [`AiryWave::breaking`]) and the Ursell number `H L²/d³` is below about 26 (see [`AiryWave::ursell`]).
//!
//! # Limits
//! Crests are as low as troughs are deep; no drift; particle acceleration without the convective part, which is of second
//! order in the amplitude. How it goes on above the still surface is [`crate::Stretching`]'s. A current neither shifts
//! the frequency nor carries the wave.
//!
//! # References
//! Airy 1845, Tides and waves, Encyclopaedia Metropolitana; Dean and Dalrymple 1991, Water wave mechanics for engineers
//! and scientists, chapters 3 and 4; DNV-RP-C205 (2010), sections 3.2.2 and 3.4.6; Miche 1944, Annales des Ponts et
//! Chaussées 114 (breaking); Ursell 1953, Proc. Cambridge Phil. Soc. 49.

use crate::dispersion::{tanh, wave_number};
use crate::error::{MarineError, positive, within};
use crate::{Ramp, Wave};
use fender_engine::FluidMotion;
use fender_math::{Vec3, float};
use std::f64::consts::TAU;

/// What is said of a regular wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Airy {
    /// Half the height from trough to crest [m].
    pub amplitude: f64,
    /// Period [s].
    pub period: f64,
    /// Where it goes, from +x towards +y [rad].
    pub direction: f64,
    /// Phase φ of `A cos(k·x − ωt + φ)` [rad].
    pub phase: f64,
    /// Depth of the water [m]; infinite for deep water.
    pub depth: f64,
    /// Gravity [m/s²].
    pub gravity: f64,
    /// Its start.
    pub ramp: Ramp,
}

/// A regular wave of linear theory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AiryWave {
    amplitude: f64,
    frequency: f64,
    number: f64,
    phase: f64,
    depth: f64,
    /// Direction (cos β, sin β).
    along: [f64; 2],
    /// Q = e^(−2kd); 0 in deep water.
    q: f64,
    ramp: Ramp,
}

impl AiryWave {
    /// A regular wave.
    pub fn new(said: Airy) -> Result<Self, MarineError> {
        let Airy { amplitude, period, direction, phase, depth, gravity, ramp } = said;
        let fits = amplitude >= 0.0 && amplitude.is_finite();
        within(fits, "the amplitude of a wave", "zero or positive and finite [m]", amplitude)?;
        positive("the period of a wave", "positive and finite [s]", period)?;
        positive("gravity", "positive where there are waves [m/s²]", gravity)?;
        within(depth > 0.0, "the depth of water with waves", "positive [m]", depth)?;
        within(direction.is_finite(), "the direction of a wave", "a finite angle [rad]", direction)?;
        within(phase.is_finite(), "the phase of a wave", "a finite angle [rad]", phase)?;
        let frequency = TAU / period;
        let number = wave_number(frequency, depth, gravity);
        within(
            number > 0.0 && number.is_finite(),
            "the period of a wave",
            "such that its length is finite [s]",
            period,
        )?;
        let (sin, cos) = float::sin_cos(direction);
        // An infinite depth gives exactly 0.
        let q = float::exp(-2.0 * number * depth);
        Ok(Self { amplitude, frequency, number, phase, depth, along: [cos, sin], q, ramp })
    }

    /// Wave number k [rad/m].
    pub fn number(&self) -> f64 {
        self.number
    }

    /// Angular frequency ω [rad/s].
    pub fn frequency(&self) -> f64 {
        self.frequency
    }

    /// Length from crest to crest [m].
    pub fn length(&self) -> f64 {
        TAU / self.number
    }

    /// Its steepness H/L as part of that at which it breaks, 0.142 tanh kd (Miche 1944): above 1 there is no such wave.
    pub fn breaking(&self) -> f64 {
        2.0 * self.amplitude / self.length() / (0.142 * tanh(self.number * self.depth))
    }

    /// Ursell number H L²/d³; above about 26 linear theory does not hold.
    pub fn ursell(&self) -> f64 {
        let ratio = self.length() / self.depth;
        2.0 * self.amplitude / self.depth * ratio * ratio
    }

    #[inline]
    fn theta(&self, x: f64, y: f64, time: f64) -> f64 {
        self.number * (x * self.along[0] + y * self.along[1]) - self.frequency * time + self.phase
    }

    /// cosh k(z+d)/sinh kd and sinh k(z+d)/sinh kd; below the bottom as at the bottom.
    #[inline]
    fn profile(&self, z: f64) -> (f64, f64) {
        let e = float::exp(self.number * z.max(-self.depth));
        if self.q == 0.0 {
            return (e, e);
        }
        let lower = self.q / e;
        let scale = 1.0 / (1.0 - self.q);
        ((e + lower) * scale, (e - lower) * scale)
    }
}

impl Wave for AiryWave {
    fn elevation(&self, x: f64, y: f64, time: f64) -> f64 {
        let (r, _) = self.ramp.factor(time);
        if r == 0.0 {
            return 0.0;
        }
        let (_, cos) = float::sin_cos(self.theta(x, y, time));
        r * self.amplitude * cos
    }

    fn motion(&self, x: f64, y: f64, z: f64, time: f64) -> FluidMotion {
        let (r, rate) = self.ramp.factor(time);
        if r == 0.0 {
            return FluidMotion::default();
        }
        let (sin, cos) = float::sin_cos(self.theta(x, y, time));
        let (c, s) = self.profile(z);
        let speed = self.amplitude * self.frequency;
        // Along the direction and upward, then their derivatives by time.
        let (u, w) = (speed * c * cos, speed * s * sin);
        let (du, dw) = (speed * self.frequency * c * sin, -speed * self.frequency * s * cos);
        let [ax, ay] = self.along;
        let (acc_u, acc_w) = (r * du + rate * u, r * dw + rate * w);
        FluidMotion {
            velocity: Vec3::new(r * u * ax, r * u * ay, r * w),
            acceleration: Vec3::new(acc_u * ax, acc_u * ay, acc_w),
        }
    }

    fn time_events(&self) -> Vec<f64> {
        self.ramp.time_events()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(depth: f64) -> Airy {
        Airy {
            amplitude: 1.3,
            period: 7.0,
            direction: 0.6,
            phase: 2.1,
            depth,
            gravity: 9.81,
            ramp: Ramp::new(0.5, 20.0).unwrap(),
        }
    }

    /// Φ as it is written in books, which overflows in deep water.
    fn potential(said: &Airy, wave: &AiryWave, p: Vec3, t: f64) -> f64 {
        let (k, w, d) = (wave.number(), wave.frequency(), said.depth);
        let theta = k * (p.x * said.direction.cos() + p.y * said.direction.sin()) - w * t + said.phase;
        let amplitude = said.amplitude * said.ramp.factor(t).0;
        amplitude * w / k * (k * (p.z + d)).cosh() / (k * d).sinh() * theta.sin()
    }

    const PLACES: [Vec3; 3] =
        [Vec3::new(3.0, -7.0, -2.0), Vec3::new(100.0, 40.0, -0.01), Vec3::new(-31.0, 8.0, -11.5)];

    #[test]
    fn the_velocity_is_the_gradient_of_the_potential() {
        for depth in [12.0, 60.0] {
            let said = wave(depth);
            let wave = AiryWave::new(said).unwrap();
            for p in PLACES {
                for t in [3.0, 17.0, 40.0] {
                    let v = wave.motion(p.x, p.y, p.z, t).velocity;
                    let h = 1e-4;
                    for (axis, value) in [(Vec3::X, v.x), (Vec3::Y, v.y), (Vec3::Z, v.z)] {
                        let at = |h: f64| potential(&said, &wave, p + h * axis, t);
                        let difference = (at(h) - at(-h)) / (2.0 * h);
                        // Rounding of the potential, 1e-15, over h.
                        assert!((difference - value).abs() < 1e-9, "{difference} {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn water_is_neither_made_nor_lost() {
        let h = 1e-4;
        for depth in [12.0, 60.0, f64::INFINITY] {
            let wave = AiryWave::new(wave(depth)).unwrap();
            for p in PLACES {
                let v = |p: Vec3| wave.motion(p.x, p.y, p.z, 13.0).velocity;
                let d = |axis: Vec3| (v(p + h * axis) - v(p - h * axis)) / (2.0 * h);
                let divergence = d(Vec3::X).x + d(Vec3::Y).y + d(Vec3::Z).z;
                assert!(divergence.abs() < 1e-9, "{divergence:e}");
                // No vorticity either.
                let curl = Vec3::new(
                    d(Vec3::Y).z - d(Vec3::Z).y,
                    d(Vec3::Z).x - d(Vec3::X).z,
                    d(Vec3::X).y - d(Vec3::Y).x,
                );
                assert!(curl.length() < 1e-9, "{curl}");
            }
        }
    }

    #[test]
    fn the_acceleration_is_the_derivative_of_the_velocity_also_while_it_builds_up() {
        let h = 1e-5;
        for depth in [12.0, f64::INFINITY] {
            let wave = AiryWave::new(wave(depth)).unwrap();
            for p in PLACES {
                for t in [1.0, 6.0, 15.0, 19.0, 33.0] {
                    let v = |t: f64| wave.motion(p.x, p.y, p.z, t).velocity;
                    let difference = (v(t + h) - v(t - h)) / (2.0 * h);
                    let a = wave.motion(p.x, p.y, p.z, t).acceleration;
                    assert!((difference - a).length() < 1e-9, "{difference} {a}");
                }
            }
        }
    }

    #[test]
    fn the_surface_moves_with_the_water_and_the_bottom_holds_it() {
        let wave = AiryWave::new(wave(12.0)).unwrap();
        let h = 1e-5;
        for t in [5.0, 30.0] {
            let rise = (wave.elevation(4.0, 5.0, t + h) - wave.elevation(4.0, 5.0, t - h)) / (2.0 * h);
            let (r, rate) = wave.ramp.factor(t);
            // The ramp lifts the surface itself, which is not a motion of the water.
            let lift = rate / r * wave.elevation(4.0, 5.0, t);
            assert!((rise - lift - wave.motion(4.0, 5.0, 0.0, t).velocity.z).abs() < 1e-9);
            for z in [-12.0, -13.0, -1e9] {
                assert!(wave.motion(4.0, 5.0, z, t).velocity.z.abs() < 1e-15);
            }
        }
    }

    /// Dean and Dalrymple 1991, section 4.2: orbits of half axes A cosh k(z+d)/sinh kd and A sinh k(z+d)/sinh kd.
    #[test]
    fn particles_run_on_ellipses() {
        let said = Airy { ramp: Ramp::NONE, direction: 0.0, phase: 0.0, ..wave(12.0) };
        let wave = AiryWave::new(said).unwrap();
        let (k, w, z) = (wave.number(), wave.frequency(), -5.0);
        let (b, c) = ((k * 7.0).cosh() / (k * 12.0).sinh(), (k * 7.0).sinh() / (k * 12.0).sinh());
        for i in 0..50 {
            let m = wave.motion(0.0, 0.0, z, 0.17 * f64::from(i));
            // In linear theory the displacement is −acceleration/ω².
            let d = m.acceleration / (-w * w);
            let ellipse = (d.x / (1.3 * b)).powi(2) + (d.z / (1.3 * c)).powi(2);
            assert!((ellipse - 1.0).abs() < 1e-12, "{ellipse}");
        }
    }

    #[test]
    fn deep_orbits_are_circles_and_shallow_ones_flat() {
        let deep = AiryWave::new(Airy { ramp: Ramp::NONE, ..wave(f64::INFINITY) }).unwrap();
        let speed = |wave: &AiryWave, z: f64, t: f64| wave.motion(1.0, 2.0, z, t).velocity.length();
        let (k, w) = (deep.number(), deep.frequency());
        for t in [0.0, 1.0, 2.7] {
            assert!((speed(&deep, -10.0, t) - 1.3 * w * (-10.0 * k).exp()).abs() < 1e-14);
        }
        // Finite but deep: the same to rounding, and nothing overflows however deep.
        for depth in [500.0, 1e4, 1e7] {
            let wave = AiryWave::new(Airy { ramp: Ramp::NONE, ..wave(depth) }).unwrap();
            assert!((speed(&wave, -10.0, 1.0) - speed(&deep, -10.0, 1.0)).abs() < 1e-14);
            assert!(speed(&wave, -depth, 1.0) < 1e-9);
        }
        // Shallow: u = A ω/(k d) at every height.
        let said =
            Airy { ramp: Ramp::NONE, depth: 0.02, direction: 0.0, phase: 0.0, amplitude: 1e-3, ..wave(1.0) };
        let shallow = AiryWave::new(said).unwrap();
        let u = |z: f64| shallow.motion(0.0, 0.0, z, 0.0).velocity.x;
        let kd = shallow.number() * 0.02;
        for z in [0.0, -0.01, -0.02] {
            assert!((u(z) * kd / (1e-3 * shallow.frequency()) - 1.0).abs() < kd * kd, "{z}");
        }
    }

    #[test]
    fn it_goes_where_it_is_sent() {
        let said = Airy { ramp: Ramp::NONE, direction: 0.6, ..wave(30.0) };
        let wave = AiryWave::new(said).unwrap();
        let c = wave.frequency() / wave.number();
        let (dx, dy) = (0.6f64.cos() * c * 2.0, 0.6f64.sin() * c * 2.0);
        let moved = wave.elevation(3.0 + dx, 4.0 + dy, 9.0);
        assert!((moved - wave.elevation(3.0, 4.0, 7.0)).abs() < 1e-12);
    }

    #[test]
    fn steep_and_shallow_waves_are_recognised() {
        // DNV-RP-C205: in deep water a wave breaks at H/L = 1/7.
        let said = Airy { depth: f64::INFINITY, ..wave(1.0) };
        let length = AiryWave::new(said).unwrap().length();
        let steep = AiryWave::new(Airy { amplitude: length / 14.0, ..said }).unwrap();
        assert!((steep.breaking() - 1.0).abs() < 0.01);
        assert_eq!(steep.ursell(), 0.0);
        let flat = AiryWave::new(Airy { amplitude: 1.0, depth: 5.0, period: 15.0, ..said }).unwrap();
        assert!(flat.ursell() > 100.0);
    }

    #[test]
    fn nonsense_is_refused() {
        let good = wave(10.0);
        let bad = [
            Airy { amplitude: -1.0, ..good },
            Airy { period: 0.0, ..good },
            Airy { period: f64::NAN, ..good },
            Airy { period: 1e300, ..good },
            Airy { gravity: 0.0, ..good },
            Airy { depth: 0.0, ..good },
            Airy { depth: f64::NAN, ..good },
            Airy { direction: f64::INFINITY, ..good },
            Airy { phase: f64::NAN, ..good },
        ];
        for said in bad {
            assert!(AiryWave::new(said).is_err(), "{said:?}");
        }
    }
}
