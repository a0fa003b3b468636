//! PID control.
//!
//! # Models
//! The common controller of machines: output in proportion to the error, to its integral and to a derivative.
//! # Equation
//! With the error e = r − y and the time h since the last action,
//! u = kp·e + I + D;
//! I ← I + ki·h·e;
//! D ← (T·D + kd·(x − x₋)) / (T + h), where x is −y, or e with `derivative_of_error`: a derivative through a filter of first
//! order with the time constant T, by backward differences. The first action has no derivative.
//! # Windup
//! The integral grows no further than to where the output meets its limit (conditional integration): once the error turns, so
//! does the output.
//! # Parameters
//! kp [output/reading], ki [output/(reading·s)], kd [output·s/reading], T [s].
//! # Limits
//! A derivative without a filter multiplies the noise of a sensor by kd/h.
//! # References
//! Åström and Hägglund 2006, Advanced PID Control, sections 3.4–3.5 and 13.

use super::{ControlLaw, Input, Moment};
use fender_math::Profile;

/// A PID law.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    /// What it looks at.
    pub input: Input,
    /// What the reading should be.
    pub target: Profile,
    /// Output per error.
    pub kp: f64,
    /// Output per integral of the error.
    pub ki: f64,
    /// Output per rate of the error.
    pub kd: f64,
    /// Time constant of the derivative's filter [s].
    pub filter: f64,
    /// The derivative is that of the error. Otherwise it is that of the reading alone, and a jump of the target makes no kick.
    pub derivative_of_error: bool,
}

/// Places in the memory.
const INTEGRAL: usize = 0;
const DERIVATIVE: usize = 1;
const BEFORE: usize = 2;

impl ControlLaw for Pid {
    fn name(&self) -> &'static str {
        "pid"
    }

    fn inputs(&self) -> Vec<Input> {
        vec![self.input]
    }

    fn memory(&self) -> usize {
        3
    }

    fn check(&self) -> Result<(), String> {
        if ![self.kp, self.ki, self.kd].iter().all(|x| x.is_finite()) {
            return Err("a gain is not finite".into());
        }
        if !(self.filter.is_finite() && self.filter >= 0.0) {
            return Err("the filter of the derivative must have a time constant of zero or more".into());
        }
        Ok(())
    }

    fn act(&self, moment: &Moment, read: &dyn Fn(Input) -> f64, memory: &mut [f64]) -> f64 {
        let y = read(self.input);
        let error = self.target.sample(moment.time)[0] - y;
        let x = if self.derivative_of_error { error } else { -y };
        let mut growth = 0.0;
        if let Some(h) = moment.elapsed {
            growth = self.ki * h * error;
            memory[DERIVATIVE] =
                (self.filter * memory[DERIVATIVE] + self.kd * (x - memory[BEFORE])) / (self.filter + h);
        }
        memory[BEFORE] = x;
        let without = self.kp * error + memory[INTEGRAL] + memory[DERIVATIVE];
        let room = if growth > 0.0 { moment.high - without } else { without - moment.low };
        let growth = growth.signum() * growth.abs().min(room.max(0.0));
        memory[INTEGRAL] += growth;
        without + growth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SensorId;

    const INPUT: Input = Input { sensor: SensorId(0), component: 0 };

    fn pid() -> Pid {
        Pid {
            input: INPUT,
            target: 1.0.into(),
            kp: 2.0,
            ki: 4.0,
            kd: 0.5,
            filter: 0.0,
            derivative_of_error: false,
        }
    }

    /// Outputs for readings a tenth of a second apart.
    fn outputs(pid: &Pid, limit: f64, readings: &[f64]) -> Vec<f64> {
        let mut memory = vec![0.0; pid.memory()];
        let act = |(i, y): (usize, &f64)| {
            let moment =
                Moment { time: 0.1 * i as f64, elapsed: (i > 0).then_some(0.1), low: -limit, high: limit };
            pid.act(&moment, &|_| *y, &mut memory).clamp(-limit, limit)
        };
        readings.iter().enumerate().map(act).collect()
    }

    #[track_caller]
    fn near(got: &[f64], expected: &[f64]) {
        assert!(
            got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{got:?}"
        );
    }

    #[test]
    fn the_three_parts_by_hand() {
        // P: 2, 1.6, 0.8. I: 0, 4·0.1·0.8 = 0.32, + 4·0.1·0.4 = 0.48. D: 0, −0.5·0.2/0.1 = −1, −0.5·0.4/0.1 = −2.
        near(&outputs(&pid(), 99.0, &[0.0, 0.2, 0.6]), &[2.0, 1.6 + 0.32 - 1.0, 0.8 + 0.48 - 2.0]);
    }

    #[test]
    fn the_filter_is_of_first_order() {
        // A ramp of 1/s through kd = 0.5 with T = 0.3 s: D_n = −0.5·(1 − 0.75ⁿ).
        let law = Pid { kp: 0.0, ki: 0.0, filter: 0.3, ..pid() };
        let ramp: Vec<f64> = (0..20).map(|i| 0.1 * f64::from(i)).collect();
        let expected: Vec<f64> = (0..20).map(|n| -0.5 * (1.0 - 0.75_f64.powi(n))).collect();
        near(&outputs(&law, 99.0, &ramp), &expected);
    }

    #[test]
    fn a_jump_of_the_target_kicks_only_if_asked_to() {
        let target = Profile::Steps(vec![(0.0, 0.0), (0.05, 1.0)]);
        let quiet = Pid { target: target.clone(), kp: 0.0, ki: 0.0, ..pid() };
        near(&outputs(&quiet, 99.0, &[0.0, 0.0]), &[0.0, 0.0]);
        let kicked = Pid { derivative_of_error: true, ..quiet };
        near(&outputs(&kicked, 99.0, &[0.0, 0.0]), &[0.0, 5.0]);
    }

    #[test]
    fn the_integral_stops_at_the_limit_and_comes_back_at_once() {
        // Held off its target for long, then beyond it: with windup the output would stay at the limit for as long again.
        let law = Pid { kp: 1.0, ki: 1.0, kd: 0.0, ..pid() };
        let mut readings = vec![0.0; 200];
        readings.push(1.5);
        let got = outputs(&law, 1.4, &readings);
        assert_eq!(got[199], 1.4);
        // The integral stopped at 0.4, just where kp·e + I reached the limit: −0.5 + 0.4 − 0.05.
        assert!((got[200] - -0.15).abs() < 1e-12, "{}", got[200]);
        // The other way round it is the same.
        let mirrored = Pid { target: (-1.0).into(), ..law };
        let readings: Vec<f64> = readings.iter().map(|y| -y).collect();
        assert!((outputs(&mirrored, 1.4, &readings)[200] - 0.15).abs() < 1e-12);
    }
}
