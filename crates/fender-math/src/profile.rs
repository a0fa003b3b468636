//! A number over time: what a guide prescribes, a motor aims at, a winch pays out, a current follows.
//!
//! # Equation
//! With S(s) = 10 s³ − 15 s⁴ + 6 s⁵, kept at 0 before and at 1 after, whose first two derivatives vanish at both ends:
//!
//! - `Sine`: mean + amplitude · S((t − start)/ramp) · sin(2π (t − start)/period + phase)
//! - `Ramp`: from + (to − from) · S((t − start)/duration); its greatest rate is 15/8 of the mean one
//! - `Rate`: from + ∫ rate · (S((t − start)/ramp) − S((t − start − duration)/ramp)) dt
//!
//! All rates and accelerations are the exact derivatives of these.

use crate::float;
use crate::series::{Series, SeriesError};
use std::f64::consts::TAU;

/// A number over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Profile {
    /// The same at all times.
    Constant(f64),
    /// Each value from its time [s] on, the first one also before; times increase.
    Steps(Vec<(f64, f64)>),
    /// Samples joined by a cubic spline, at rest before and after.
    Series(Series<1>),
    /// To and fro.
    Sine(Sine),
    /// Smoothly from one value to another, at rest before and after.
    Ramp(Ramp),
    /// At a constant rate.
    Rate(Rate),
}

/// To and fro. Before its start it rests: at the mean if it has a ramp, else at its first value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sine {
    /// Mean value.
    pub mean: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// Period [s].
    pub period: f64,
    /// Phase at the start [rad].
    pub phase: f64,
    /// When it starts [s]; by default it has always been there or, with a ramp, starts at 0.
    pub start: Option<f64>,
    /// Time over which it builds up [s]; 0 for none.
    pub ramp: f64,
}

/// Smoothly from one value to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Value before.
    pub from: f64,
    /// Value after.
    pub to: f64,
    /// When it starts [s].
    pub start: f64,
    /// How long it takes [s].
    pub duration: f64,
}

/// At a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Value at the start.
    pub from: f64,
    /// Rate [1/s].
    pub rate: f64,
    /// When it starts [s]; by default it has always moved or, with a ramp or a duration, starts at 0.
    pub start: Option<f64>,
    /// Time over which the rate builds up, and dies away at the end [s]; 0 for none.
    pub ramp: f64,
    /// Time from the start to when the rate begins to die away [s]: all in all it goes rate · duration. Infinite for ever.
    pub duration: f64,
}

/// S(s), with its first two derivatives.
fn smooth(s: f64) -> [f64; 3] {
    if s <= 0.0 {
        return [0.0; 3];
    }
    if s >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let rest = 1.0 - s;
    [s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * rest * rest, 60.0 * s * rest * (rest - s)]
}

/// S(t/ramp) and its first two derivatives by t; a step at 0 without a ramp.
fn build_up(t: f64, ramp: f64) -> [f64; 3] {
    if ramp > 0.0 {
        let [value, first, second] = smooth(t / ramp);
        return [value, first / ramp, second / (ramp * ramp)];
    }
    [if t >= 0.0 { 1.0 } else { 0.0 }, 0.0, 0.0]
}

/// ∫ S(t/ramp) dt from 0.
fn built_up(t: f64, ramp: f64) -> f64 {
    if t <= 0.0 {
        return 0.0;
    }
    if t >= ramp {
        return t - 0.5 * ramp;
    }
    let s = t / ramp;
    ramp * s * s * s * s * (2.5 + s * (s - 3.0))
}

impl Sine {
    fn sample(&self, time: f64) -> [f64; 3] {
        let Self { mean, amplitude: a, period, phase, start, ramp } = *self;
        let t = time - start.unwrap_or(0.0);
        if t < 0.0 && (start.is_some() || ramp > 0.0) {
            let held = if ramp > 0.0 { 0.0 } else { float::sin_cos(phase).0 };
            return [mean + a * held, 0.0, 0.0];
        }
        let [f, f1, f2] = if ramp > 0.0 { build_up(t, ramp) } else { [1.0, 0.0, 0.0] };
        let omega = TAU / period;
        let (sin, cos) = float::sin_cos(omega * t + phase);
        let wave = [sin, omega * cos, -omega * omega * sin];
        [
            mean + a * f * wave[0],
            a * (f1 * wave[0] + f * wave[1]),
            a * (f2 * wave[0] + 2.0 * f1 * wave[1] + f * wave[2]),
        ]
    }
}

impl Ramp {
    fn sample(&self, time: f64) -> [f64; 3] {
        let by = self.to - self.from;
        let [value, rate, acceleration] = build_up(time - self.start, self.duration);
        // Exactly `to` at the end.
        let value = if value == 1.0 { self.to } else { self.from + by * value };
        [value, by * rate, by * acceleration]
    }
}

impl Rate {
    fn always(&self) -> bool {
        self.start.is_none() && self.ramp == 0.0 && self.duration == f64::INFINITY
    }

    fn sample(&self, time: f64) -> [f64; 3] {
        let Self { from, rate, start, ramp, duration } = *self;
        let t = time - start.unwrap_or(0.0);
        if self.always() {
            return [from + rate * t, rate, 0.0];
        }
        // After an infinite duration nothing dies away.
        let (gone, [b, b1, _]) = (built_up(t - duration, ramp), build_up(t - duration, ramp));
        let [a, a1, _] = build_up(t, ramp);
        [from + rate * (built_up(t, ramp) - gone), rate * (a - b), rate * (a1 - b1)]
    }
}

impl Profile {
    /// Values that hold from their times [s] on.
    pub fn steps(steps: Vec<(f64, f64)>) -> Result<Self, SeriesError> {
        if steps.is_empty() {
            return Err(SeriesError::TooShort);
        }
        for (i, (time, value)) in steps.iter().enumerate() {
            if !(time.is_finite() && value.is_finite()) {
                return Err(SeriesError::NotFinite(i));
            }
            if i > 0 && *time <= steps[i - 1].0 {
                return Err(SeriesError::NotIncreasing(i));
            }
        }
        Ok(Self::Steps(steps))
    }

    /// Value, rate of change and acceleration at a time [s].
    pub fn sample(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Constant(value) => [*value, 0.0, 0.0],
            Self::Steps(steps) => {
                let next = steps.partition_point(|(t, _)| *t <= time);
                [steps.get(next.saturating_sub(1)).map_or(0.0, |(_, value)| *value), 0.0, 0.0]
            }
            Self::Series(series) => {
                let sample = series.sample(time);
                [sample.value[0], sample.rate[0], sample.acceleration[0]]
            }
            Self::Sine(sine) => sine.sample(time),
            Self::Ramp(ramp) => ramp.sample(time),
            Self::Rate(rate) => rate.sample(time),
        }
    }

    /// Times at which it jumps or has a kink [s].
    pub fn time_events(&self) -> Vec<f64> {
        match self {
            Self::Constant(_) | Self::Sine(Sine { start: None, ramp: 0.0, .. }) => Vec::new(),
            Self::Steps(steps) => steps.iter().skip(1).map(|(time, _)| *time).collect(),
            Self::Series(series) => vec![series.span().0, series.span().1],
            Self::Sine(Sine { start, ramp, .. }) => ends(start.unwrap_or(0.0), *ramp),
            Self::Ramp(ramp) => ends(ramp.start, ramp.duration),
            Self::Rate(rate) if rate.always() => Vec::new(),
            Self::Rate(rate) => {
                let start = rate.start.unwrap_or(0.0);
                let mut times = ends(start, rate.ramp);
                if rate.duration.is_finite() {
                    times.extend(ends(start + rate.duration, rate.ramp));
                }
                times
            }
        }
    }

    /// First and last time [s] between which it shows how it moves; of a sine, a period after it has built up.
    pub fn span(&self) -> (f64, f64) {
        let events = self.time_events();
        let (first, last) = match (self, events.as_slice()) {
            (Self::Steps(steps), _) => (steps[0].0, steps[steps.len() - 1].0),
            (_, []) => (0.0, 0.0),
            (_, times) => (times[0], times[times.len() - 1]),
        };
        if let Self::Sine(sine) = self { (first, last + sine.period) } else { (first, last) }
    }
}

fn ends(start: f64, duration: f64) -> Vec<f64> {
    if duration > 0.0 { vec![start, start + duration] } else { vec![start] }
}

impl From<f64> for Profile {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<Series<1>> for Profile {
    fn from(series: Series<1>) -> Self {
        Self::Series(series)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_and_a_series_has_a_rate() {
        let steps = Profile::steps(vec![(1.0, 5.0), (2.0, 7.0)]).unwrap();
        for (time, value) in [(-3.0, 5.0), (1.0, 5.0), (1.999, 5.0), (2.0, 7.0), (9.0, 7.0)] {
            assert_eq!(steps.sample(time), [value, 0.0, 0.0], "{time}");
        }
        assert_eq!(steps.time_events(), [2.0]);
        let line = Profile::Series(Series::new(vec![0.0, 2.0], vec![[0.0], [6.0]]).unwrap());
        assert_eq!(line.sample(1.0), [3.0, 3.0, 0.0]);
        assert_eq!(line.time_events(), [0.0, 2.0]);
        assert_eq!(Profile::steps(Vec::new()), Err(SeriesError::TooShort));
        assert_eq!(Profile::steps(vec![(1.0, 0.0), (1.0, 2.0)]), Err(SeriesError::NotIncreasing(1)));
        assert_eq!(Profile::steps(vec![(1.0, f64::NAN)]), Err(SeriesError::NotFinite(0)));
    }

    fn moving() -> Vec<Profile> {
        let sine = Sine { mean: 0.3, amplitude: 2.0, period: 3.0, phase: 0.7, start: None, ramp: 0.0 };
        let rate = Rate { from: 0.5, rate: -2.0, start: None, ramp: 0.0, duration: f64::INFINITY };
        vec![
            Profile::Sine(sine),
            Profile::Sine(Sine { ramp: 4.0, ..sine }),
            Profile::Sine(Sine { start: Some(1.0), ramp: 2.5, ..sine }),
            Profile::Sine(Sine { start: Some(1.0), ..sine }),
            Profile::Ramp(Ramp { from: -1.0, to: 3.0, start: 0.5, duration: 5.0 }),
            Profile::Rate(rate),
            Profile::Rate(Rate { start: Some(1.0), ..rate }),
            Profile::Rate(Rate { ramp: 2.0, ..rate }),
            Profile::Rate(Rate { start: Some(0.5), ramp: 1.0, duration: 3.0, ..rate }),
            Profile::Rate(Rate { duration: 3.0, ..rate }),
        ]
    }

    /// By differences of h = 1e-4: their error is h²/6 of a third derivative below 2·(2π/3)³ + the ramps', some 1e-6.
    #[test]
    fn rates_and_accelerations_are_derivatives() {
        let h = 1e-4;
        for profile in moving() {
            let kinks = profile.time_events();
            for i in -20..160 {
                let time = 0.0513 * f64::from(i);
                if kinks.iter().any(|kink| (kink - time).abs() < 2.0 * h) {
                    continue;
                }
                let [before, now, after] = [-h, 0.0, h].map(|d| profile.sample(time + d));
                for d in 0..2 {
                    let difference = (after[d] - before[d]) / (2.0 * h);
                    assert!((difference - now[d + 1]).abs() < 2e-6, "{profile:?} {time} {d}");
                }
            }
        }
    }

    #[test]
    fn values_never_jump_and_ramps_begin_at_rest() {
        for profile in moving() {
            let smooth = match &profile {
                Profile::Sine(Sine { ramp, .. }) | Profile::Rate(Rate { ramp, .. }) => *ramp > 0.0,
                _ => true,
            };
            for event in profile.time_events() {
                let (before, after) = (profile.sample(event - 1e-9), profile.sample(event + 1e-9));
                assert!((before[0] - after[0]).abs() < 1e-7, "{profile:?}");
                if smooth {
                    assert!((before[1] - after[1]).abs() < 1e-7, "{profile:?}");
                    assert!((before[2] - after[2]).abs() < 1e-6, "{profile:?}");
                }
            }
        }
    }

    #[test]
    fn closed_forms() {
        let [always, _, late, cut, ramp, on, started, _, stopped, short] =
            <[Profile; 10]>::try_from(moving()).unwrap();
        assert_eq!(always.sample(0.0)[0], 0.3 + 2.0 * 0.7_f64.sin());
        assert!((always.sample(1.0)[1] - 2.0 * TAU / 3.0 * (TAU / 3.0 + 0.7).cos()).abs() < 1e-14);
        assert_eq!(late.sample(0.9), [0.3, 0.0, 0.0]);
        assert_eq!(cut.sample(0.9), [0.3 + 2.0 * 0.7_f64.sin(), 0.0, 0.0]);
        // Halfway: S = 1/2, S' = 15/8, S'' = 0.
        assert_eq!(ramp.sample(3.0), [1.0, 4.0 * 1.875 / 5.0, 0.0]);
        assert_eq!((ramp.sample(0.5), ramp.sample(5.5)), ([-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]));
        assert_eq!(on.sample(-2.0), [4.5, -2.0, 0.0]);
        assert_eq!((started.sample(0.5), started.sample(3.0)), ([0.5, 0.0, 0.0], [-3.5, -2.0, 0.0]));
        // All in all rate · duration, with or without a ramp.
        for stopped in [stopped, short] {
            let [value, rate, acceleration] = stopped.sample(99.0);
            assert!((value + 5.5).abs() < 1e-12 && rate == 0.0 && acceleration == 0.0, "{value}");
        }
    }
}
