//! Quantities given by samples in time, joined by cubic splines (continuous second derivative).
//!
//! Before the first and after the last sample the end value holds, at rest. At the last sample itself the rate is still that of the curve, the
//! limit from the left: a run that ends with its table ends in motion, and its last row does not show the shock of a sudden stop. The second
//! derivative is 0 there: that of a spline that is free to move at its ends from both sides, of one that ends at rest from the right.

use crate::six_degrees::SixDegrees;
use crate::{Pose, Quat, Twist, Vec3};

/// Why a series of samples cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum SeriesError {
    /// Fewer than two samples.
    TooShort,
    /// The times do not increase at this sample (counted from 0).
    NotIncreasing(usize),
    /// A number at this sample is not finite, or a quaternion there is zero.
    NotFinite(usize),
}

impl std::fmt::Display for SeriesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooShort => write!(f, "a series needs at least two samples"),
            Self::NotIncreasing(i) => write!(f, "the times must increase, and sample {} does not", i + 1),
            Self::NotFinite(i) => {
                write!(f, "sample {} has a number that is not finite or a zero quaternion", i + 1)
            }
        }
    }
}

impl std::error::Error for SeriesError {}

/// `N` quantities over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Series<const N: usize> {
    times: Vec<f64>,
    values: Vec<[f64; N]>,
    /// Second derivatives at both ends of each interval.
    curvatures: Vec<[[f64; N]; 2]>,
}

/// Value and first two derivatives of a series at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const N: usize> {
    /// Value.
    pub value: [f64; N],
    /// First derivative [1/s].
    pub rate: [f64; N],
    /// Second derivative [1/s²].
    pub acceleration: [f64; N],
}

impl<const N: usize> Series<N> {
    /// Joins the samples by a natural spline, free to move at its ends; times [s] must increase.
    pub fn new(times: Vec<f64>, values: Vec<[f64; N]>) -> Result<Self, SeriesError> {
        Self::joined(times, values, false)
    }

    /// Joins the samples by a spline that starts and ends at rest, so that the rate does not jump; times [s] must increase.
    pub fn resting(times: Vec<f64>, values: Vec<[f64; N]>) -> Result<Self, SeriesError> {
        Self::joined(times, values, true)
    }

    /// Joins the samples by cubics that stay between them (Fritsch and Carlson 1980; slopes as Fritsch and Butland 1984): where the samples
    /// rise the curve rises, and it turns only at samples. At rest at both ends; the rate is continuous, its rate is not. Times [s] must
    /// increase.
    pub fn monotone(times: Vec<f64>, values: Vec<[f64; N]>) -> Result<Self, SeriesError> {
        check(&times, &values)?;
        let n = times.len();
        let step = |i: usize| times[i + 1] - times[i];
        let secant = |i: usize, c: usize| (values[i + 1][c] - values[i][c]) / step(i);
        let mut slopes = vec![[0.0; N]; n];
        for i in 1..n - 1 {
            for c in 0..N {
                let (a, b) = (secant(i - 1, c), secant(i, c));
                // The weighted harmonic mean; none where the samples turn.
                if a * b > 0.0 {
                    let (h0, h1) = (step(i - 1), step(i));
                    slopes[i][c] = 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / a + (h1 + 2.0 * h0) / b);
                }
            }
        }
        let mut curvatures = vec![[[0.0; N]; 2]; n - 1];
        for (i, ends) in curvatures.iter_mut().enumerate() {
            for c in 0..N {
                let (s, d0, d1) = (secant(i, c), slopes[i][c], slopes[i + 1][c]);
                ends[0][c] = (6.0 * s - 4.0 * d0 - 2.0 * d1) / step(i);
                ends[1][c] = (-6.0 * s + 2.0 * d0 + 4.0 * d1) / step(i);
            }
        }
        Ok(Self { times, values, curvatures })
    }

    fn joined(times: Vec<f64>, values: Vec<[f64; N]>, resting: bool) -> Result<Self, SeriesError> {
        check(&times, &values)?;
        let curvatures = spline(&times, &values, resting).windows(2).map(|m| [m[0], m[1]]).collect();
        Ok(Self { times, values, curvatures })
    }

    /// First and last time [s].
    pub fn span(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// Value and derivatives at `time` [s].
    pub fn sample(&self, time: f64) -> Sample<N> {
        let (first, last) = self.span();
        if time <= first || time > last {
            let end = if time <= first { 0 } else { self.values.len() - 1 };
            return Sample { value: self.values[end], rate: [0.0; N], acceleration: [0.0; N] };
        }
        let i = (self.times.partition_point(|t| *t <= time) - 1).min(self.times.len() - 2);
        let h = self.times[i + 1] - self.times[i];
        let (a, b) = ((self.times[i + 1] - time) / h, (time - self.times[i]) / h);
        let mut sample = Sample { value: [0.0; N], rate: [0.0; N], acceleration: [0.0; N] };
        for c in 0..N {
            let (y0, y1) = (self.values[i][c], self.values[i + 1][c]);
            let (m0, m1) = (self.curvatures[i][0][c], self.curvatures[i][1][c]);
            sample.value[c] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
            sample.rate[c] = (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0;
            sample.acceleration[c] = if time < last { a * m0 + b * m1 } else { 0.0 };
        }
        sample
    }
}

/// Whether samples can be joined.
fn check<const N: usize>(times: &[f64], values: &[[f64; N]]) -> Result<(), SeriesError> {
    if times.len() < 2 || times.len() != values.len() {
        return Err(SeriesError::TooShort);
    }
    for i in 0..times.len() {
        if !times[i].is_finite() || values[i].iter().any(|v| !v.is_finite()) {
            return Err(SeriesError::NotFinite(i));
        }
        if i > 0 && times[i] <= times[i - 1] {
            return Err(SeriesError::NotIncreasing(i));
        }
    }
    Ok(())
}

/// Second derivatives of the cubic spline, zero at both ends (natural) or such that its rate is zero there (resting): the
/// tridiagonal system, solved by Thomas.
fn spline<const N: usize>(t: &[f64], y: &[[f64; N]], resting: bool) -> Vec<[f64; N]> {
    let n = t.len();
    let mut m = vec![[0.0; N]; n];
    let mut upper = vec![0.0; n];
    let slope = |i: usize, c: usize| (y[i + 1][c] - y[i][c]) / (t[i + 1] - t[i]);
    if resting {
        upper[0] = 0.5;
        for c in 0..N {
            m[0][c] = 3.0 * slope(0, c) / (t[1] - t[0]);
        }
    }
    for i in 1..n - 1 {
        let (h0, h1) = (t[i] - t[i - 1], t[i + 1] - t[i]);
        let pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        for c in 0..N {
            let right = 6.0 * (slope(i, c) - slope(i - 1, c));
            m[i][c] = (right - h0 * m[i - 1][c]) / pivot;
        }
    }
    if resting {
        let h = t[n - 1] - t[n - 2];
        for c in 0..N {
            m[n - 1][c] = (-6.0 * slope(n - 2, c) - h * m[n - 2][c]) / (h * (2.0 - upper[n - 2]));
        }
    }
    for i in (0..n - 1).rev() {
        for c in 0..N {
            m[i][c] -= upper[i] * m[i + 1][c];
        }
    }
    m
}

/// Prescribed motion of a frame: position and orientation over time, by samples or by its six degrees of freedom.
///
/// The orientation by samples is a spline through the quaternions' components (signs aligned), normalised: twice
/// continuously differentiable, so angular velocity and acceleration follow exactly from the same curve.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseSeries(Prescribed);

#[derive(Clone, Debug, PartialEq)]
enum Prescribed {
    Samples(Series<7>),
    Degrees(Box<SixDegrees>),
}

/// Where a prescribed frame is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseSample {
    /// Pose in the world.
    pub pose: Pose,
    /// Velocity of the frame's origin and angular velocity, in the world.
    pub twist: Twist,
    /// Linear [m/s²] and angular [rad/s²] acceleration, in the world.
    pub acceleration: Twist,
}

impl PoseSeries {
    /// Joins poses at times [s].
    pub fn new(times: Vec<f64>, poses: &[Pose]) -> Result<Self, SeriesError> {
        let mut values: Vec<[f64; 7]> = Vec::with_capacity(poses.len());
        let mut previous = Quat::IDENTITY;
        for (i, pose) in poses.iter().enumerate() {
            let mut q = pose.rotation;
            if !(q.length_squared() > 1e-12 && q.is_finite()) {
                return Err(SeriesError::NotFinite(i));
            }
            q = q.normalize();
            // q and −q are one rotation: take the one nearer to the last, so that the spline goes the short way.
            if q.dot(previous) < 0.0 {
                q = -q;
            }
            previous = q;
            let p = pose.translation;
            values.push([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
        }
        Ok(Self(Prescribed::Samples(Series::new(times, values)?)))
    }

    /// Motion by six degrees of freedom.
    pub fn degrees(degrees: SixDegrees) -> Self {
        Self(Prescribed::Degrees(Box::new(degrees)))
    }

    /// First and last time [s] of its samples, or between which it shows how it moves.
    pub fn span(&self) -> (f64, f64) {
        match &self.0 {
            Prescribed::Samples(series) => series.span(),
            Prescribed::Degrees(degrees) => degrees.span(),
        }
    }

    /// Times at which it starts, stops or has a kink [s].
    pub fn time_events(&self) -> Vec<f64> {
        match &self.0 {
            Prescribed::Samples(series) => vec![series.span().0, series.span().1],
            Prescribed::Degrees(degrees) => degrees.time_events(),
        }
    }

    /// Pose, velocity and acceleration at `time` [s].
    pub fn sample(&self, time: f64) -> PoseSample {
        let Sample { value, rate, acceleration } = match &self.0 {
            Prescribed::Samples(series) => series.sample(time),
            Prescribed::Degrees(degrees) => return degrees.sample(time),
        };
        let vector = |a: &[f64; 7]| Vec3::new(a[0], a[1], a[2]);
        let quat = |a: &[f64; 7]| Quat::from_xyzw(a[3], a[4], a[5], a[6]);
        let (s, s1, s2) = (quat(&value), quat(&rate), quat(&acceleration));
        // q = s/|s|. The radial part of ṡ does not turn anything: ω = 2 (ṡ s⁻¹)_v, ω̇ = 2 (s̈ s⁻¹ − (ṡ s⁻¹)²)_v.
        let inverse = s.conjugate() * (1.0 / s.length_squared());
        let u = s1 * inverse;
        let w = s2 * inverse;
        let uu = u * u;
        let angular = Vec3::new(u.x, u.y, u.z) * 2.0;
        let angular_acceleration = Vec3::new(w.x - uu.x, w.y - uu.y, w.z - uu.z) * 2.0;
        PoseSample {
            pose: Pose { rotation: s.normalize(), translation: vector(&value) },
            twist: Twist { linear: vector(&rate), angular },
            acceleration: Twist { linear: vector(&acceleration), angular: angular_acceleration },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_monotone_series_stays_between_its_samples() {
        let (times, values) = (vec![0.0, 1.0, 4.0, 4.5, 6.0], vec![[0.0], [2.0], [2.5], [8.0], [8.0]]);
        let series = Series::monotone(times.clone(), values.clone()).unwrap();
        let mut last = 0.0;
        for i in 0..=6000 {
            let value = series.sample(f64::from(i) * 1e-3).value[0];
            assert!(value >= last - 1e-12 && value <= 8.0 + 1e-12, "{i}: {last} {value}");
            last = value;
        }
        let h = 1e-7;
        for (time, value) in times.iter().zip(&values) {
            let (before, after) = (series.sample(time - h), series.sample(time + h));
            assert!(
                (after.value[0] - value[0]).abs() < 1e-5 && (before.rate[0] - after.rate[0]).abs() < 1e-4,
                "{time}"
            );
        }
        // The spline through the same samples overshoots.
        let spline = Series::resting(times, values).unwrap();
        assert!((0..=6000).any(|i| spline.sample(f64::from(i) * 1e-3).value[0] > 8.1));
        assert_eq!(Series::monotone(vec![1.0], vec![[0.0]]), Err(SeriesError::TooShort));
    }

    #[test]
    fn a_resting_series_starts_and_ends_without_a_jump() {
        let series = Series::resting(vec![0.0, 1.0, 2.5, 3.0], vec![[1.0], [2.0], [0.5], [0.7]]).unwrap();
        let h = 1e-9;
        for (time, value) in [(0.0, 1.0), (1.0, 2.0), (2.5, 0.5), (3.0, 0.7)] {
            assert!((series.sample(time + h).value[0] - value).abs() < 1e-8);
            let (before, after) = (series.sample(time - h), series.sample(time + h));
            assert!((before.rate[0] - after.rate[0]).abs() < 1e-7, "{time}");
        }
        // One piece is the cubic 3x² − 2x³.
        let step = Series::resting(vec![0.0, 1.0], vec![[0.0], [1.0]]).unwrap();
        assert!((step.sample(0.25).value[0] - 0.156_25).abs() < 1e-15);
    }
    use crate::rotation::from_axis_angle;

    fn wobble() -> PoseSeries {
        let times: Vec<f64> = (0..20).map(|i| 0.1 * f64::from(i)).collect();
        let poses: Vec<Pose> = times
            .iter()
            .map(|t| Pose {
                rotation: from_axis_angle(Vec3::new(1.0, *t, 0.3), 3.0 * t) * from_axis_angle(Vec3::Z, t * t),
                translation: Vec3::new(t.sin(), t * t, 1.0 - t),
            })
            .collect();
        PoseSeries::new(times, &poses).unwrap()
    }

    #[test]
    fn velocity_and_acceleration_are_derivatives_of_the_pose() {
        let series = wobble();
        let h = 1e-5;
        for t in [0.33, 0.71, 1.234] {
            let (a, now, b) = (series.sample(t - h), series.sample(t), series.sample(t + h));
            let v = (b.pose.translation - a.pose.translation) / (2.0 * h);
            assert!((v - now.twist.linear).length() < 1e-7);
            let turn = b.pose.rotation * a.pose.rotation.conjugate();
            let omega = Vec3::new(turn.x, turn.y, turn.z) * (2.0 * turn.w.signum()) / (2.0 * h);
            assert!((omega - now.twist.angular).length() < 1e-6);
            let alpha = (b.twist.angular - a.twist.angular) / (2.0 * h);
            assert!(
                (alpha - now.acceleration.angular).length() < 1e-5,
                "{alpha} {}",
                now.acceleration.angular
            );
            let acc = (b.twist.linear - a.twist.linear) / (2.0 * h);
            assert!((acc - now.acceleration.linear).length() < 1e-6);
        }
    }

    #[test]
    fn acceleration_is_continuous_across_a_sample() {
        let series = wobble();
        let (a, b) = (series.sample(0.7 - 1e-9), series.sample(0.7 + 1e-9));
        assert!((a.acceleration.angular - b.acceleration.angular).length() < 1e-5);
    }

    #[test]
    fn passes_through_samples_and_rests_outside() {
        let series = Series::new(vec![0.0, 1.0, 3.0], vec![[1.0], [2.0], [-1.0]]).unwrap();
        assert!((series.sample(1.0).value[0] - 2.0).abs() < 1e-14);
        assert_eq!(series.sample(9.0).value[0], -1.0);
        assert_eq!(series.sample(9.0).rate[0], 0.0);
    }

    /// A curve that moves at its last sample ends there as it came, without a stop in the very last instant.
    #[test]
    fn at_the_last_sample_the_curve_still_moves() {
        let series = Series::new(vec![0.0, 1.0, 3.0], vec![[1.0], [2.0], [-1.0]]).unwrap();
        let (before, end) = (series.sample(3.0 - 1e-9), series.sample(3.0));
        assert_eq!(end.value[0], -1.0);
        // Its slope changes by 1e-9 times its curvature, which is of order 1.
        assert!(end.rate[0] < -1.0 && (end.rate[0] - before.rate[0]).abs() < 1e-8, "{end:?} {before:?}");
        assert_eq!(series.sample(3.0 + 1e-9).rate[0], 0.0);
        assert_eq!(series.sample(0.0).rate[0], 0.0);
        // One that ends at rest is at rest, up to rounding.
        let end = Series::resting(vec![0.0, 1.0, 3.0], vec![[1.0], [2.0], [-1.0]]).unwrap().sample(3.0);
        assert!(end.rate[0].abs() < 1e-14 && end.acceleration[0] == 0.0, "{end:?}");
    }

    #[test]
    fn bad_series_are_refused() {
        assert_eq!(Series::new(vec![0.0], vec![[1.0]]), Err(SeriesError::TooShort));
        assert_eq!(Series::new(vec![0.0, 0.0], vec![[1.0], [1.0]]), Err(SeriesError::NotIncreasing(1)));
        assert_eq!(Series::new(vec![0.0, 1.0], vec![[1.0], [f64::NAN]]), Err(SeriesError::NotFinite(1)));
    }
}
