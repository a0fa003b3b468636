//! When to sample. How many samples have been taken is part of `State`, so that a resumed run goes on bit by bit.

use fender_math::float;

/// A rule that says when samples are due.
#[derive(Clone, Debug, PartialEq)]
pub enum Clock {
    /// At every n-th step, for fixed steps.
    EverySteps(u64),
    /// At every multiple of a period [s]; error control is made to stop there.
    EverySeconds(f64),
    /// At given steps, increasing.
    Steps(Vec<u64>),
    /// At given times, increasing [s].
    Times(Vec<f64>),
}

impl Clock {
    /// Samples every `period` [s]; with a fixed step, at the whole number of steps nearest to it, at least one.
    pub fn every(period: f64, fixed_step: Option<f64>) -> Self {
        match fixed_step {
            Some(step) => Self::EverySteps(((period / step).round() as u64).max(1)),
            None => Self::EverySeconds(period),
        }
    }

    /// Samples at given times [s]; with a fixed step, at the steps on both sides of a time that lies between two.
    pub fn at(times: &[f64], fixed_step: Option<f64>) -> Self {
        if let Some(step) = fixed_step {
            let mut steps = Vec::with_capacity(2 * times.len());
            for time in times {
                let exact = time / step;
                let nearest = exact.round();
                if (exact - nearest).abs() < 1e-6 {
                    steps.push(nearest as u64);
                } else {
                    steps.extend([exact.floor() as u64, exact.ceil() as u64]);
                }
            }
            steps.sort_unstable();
            steps.dedup();
            return Self::Steps(steps);
        }
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        times.dedup();
        Self::Times(times)
    }

    /// Whether sample number `taken` (from 0) is due at this step and time [s].
    pub fn due(&self, taken: u64, step: u64, time: f64) -> bool {
        match self {
            Self::EverySteps(n) => step >= taken * n,
            // A step that was told to stop at a sample may miss it by rounding.
            Self::EverySeconds(period) => time >= taken as f64 * period - 1e-9 * period,
            Self::Steps(steps) => steps.get(taken as usize).is_some_and(|s| step >= *s),
            Self::Times(times) => {
                times.get(taken as usize).is_some_and(|t| time >= t - 1e-12 * (1.0 + t.abs()))
            }
        }
    }

    /// Time of sample number `taken` [s], where error control has to stop; infinite if there is none.
    pub fn next_time(&self, taken: u64) -> f64 {
        match self {
            Self::EverySteps(_) | Self::Steps(_) => f64::INFINITY,
            Self::EverySeconds(period) => taken as f64 * period,
            Self::Times(times) => times.get(taken as usize).copied().unwrap_or(f64::INFINITY),
        }
    }

    /// Interval between samples [s], if it is regular.
    pub fn interval(&self, fixed_step: Option<f64>) -> Option<f64> {
        match self {
            Self::EverySteps(n) => fixed_step.map(|s| s * *n as f64),
            Self::EverySeconds(period) => Some(*period),
            Self::Steps(_) | Self::Times(_) => None,
        }
    }
}

/// The largest of 1, 2 and 5 times a power of ten that is not above `x`.
pub fn nice(x: f64) -> f64 {
    let power = (float::ln(x) / std::f64::consts::LN_10).floor();
    let unit = float::pow(10.0, power);
    // Rounding in the logarithm must not push a power of ten below itself.
    let ratio = x / unit * (1.0 + 1e-12);
    let factor = if ratio >= 10.0 {
        10.0
    } else if ratio >= 5.0 {
        5.0
    } else if ratio >= 2.0 {
        2.0
    } else {
        1.0
    };
    // Powers of ten below one are exact as the reciprocal of a whole power.
    if power < 0.0 { factor / float::pow(10.0, -power).round() } else { factor * unit.round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_becomes_whole_steps_and_at_least_one() {
        assert_eq!(Clock::every(0.01, Some(1e-3)), Clock::EverySteps(10));
        assert_eq!(Clock::every(0.0096, Some(1e-3)), Clock::EverySteps(10));
        assert_eq!(Clock::every(1e-5, Some(1e-3)), Clock::EverySteps(1));
        assert_eq!(Clock::every(0.01, None), Clock::EverySeconds(0.01));
    }

    #[test]
    fn a_time_between_two_steps_is_sampled_on_both_sides() {
        assert_eq!(Clock::at(&[0.3, 0.1], Some(0.2)), Clock::Steps(vec![0, 1, 2]));
        assert_eq!(Clock::at(&[0.4], Some(0.2)), Clock::Steps(vec![2]));
    }

    #[test]
    fn rounding_does_not_lose_a_sample() {
        let clock = Clock::EverySeconds(0.1);
        assert!(clock.due(3, 7, 0.1 + 0.1 + 0.1));
        assert!(clock.due(3, 7, 0.3 - 1e-12));
        assert!(!clock.due(3, 7, 0.299));
        assert_eq!(clock.next_time(4), 0.4);
    }

    #[test]
    fn nice_numbers_are_one_two_or_five() {
        for (x, expected) in
            [(0.006, 0.005), (0.002, 0.002), (0.0099, 0.005), (1.0, 1.0), (37.0, 20.0), (1e-3, 1e-3)]
        {
            assert_eq!(nice(x), expected, "{x}");
        }
    }
}
