//! Moments of a segment of the unit circle, the region between an arc and its chord, about the middle of the
//! chord.

use fender_math::float;

/// Moments of the segment of the unit circle with a given half chord; along the chord they are symmetric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Area.
    pub area: f64,
    /// First moment of the distance from the chord.
    pub first: f64,
    /// Second moment along the chord.
    pub along: f64,
    /// Second moment of the distance from the chord.
    pub across: f64,
}

/// Largest square of the half chord for which the series below are used. Ten terms are then right to 1e-13,
/// while the closed form loses about eleven digits of the highest moment at a hundredth of this value.
const MAX_SERIES_SQ: f64 = 1.0 / 16.0;

/// Coefficients of s³, s⁵, … in the area.
const AREA: [f64; 11] = [
    0.6666666666666666,
    0.2,
    0.10714285714285714,
    0.06944444444444445,
    0.04971590909090909,
    0.03786057692307692,
    0.030078125,
    0.024643841911764705,
    0.02067164370888158,
    0.017663864862351192,
    0.015321482782778532,
];

/// Coefficients of s⁵, s⁷, … in the first moment.
const FIRST: [f64; 11] = [
    0.13333333333333333,
    0.0761904761904762,
    0.050793650793650794,
    0.03694083694083694,
    0.028416028416028416,
    0.022732822732822733,
    0.01872114813291284,
    0.015765177375084496,
    0.013513009178643854,
    0.011750442764038133,
    0.010340389632353557,
];

/// Coefficients of s⁵, s⁷, … in the second moment along the chord.
const ALONG: [f64; 11] = [
    0.13333333333333333,
    0.047619047619047616,
    0.027777777777777776,
    0.01893939393939394,
    0.014022435897435898,
    0.0109375,
    0.008846507352941176,
    0.007349917763157895,
    0.006234305245535714,
    0.005375958871150362,
    0.004698588053385417,
];

/// Coefficients of s⁷, s⁹, … in the second moment across the chord.
const ACROSS: [f64; 11] = [
    0.0380952380952381,
    0.031746031746031744,
    0.025252525252525252,
    0.020396270396270396,
    0.016826923076923076,
    0.014154411764705882,
    0.012105746904024767,
    0.010499882518796992,
    0.009215929493400622,
    0.008171457484148551,
    0.007308914749710648,
];

/// Sum of c_k x^k.
fn series(coefficients: &[f64; 11], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

impl Segment {
    /// Of the half chord `sin` and the distance `cos` of the chord from the centre, negative where the
    /// segment is more than half of the circle. All moments are integrals of positive quantities: nothing
    /// cancels for a thin segment.
    pub fn new(sin: f64, cos: f64) -> Self {
        let square = sin * sin;
        if cos > 0.0 && square < MAX_SERIES_SQ {
            let cube = square * sin;
            let fifth = cube * square;
            return Self {
                area: cube * series(&AREA, square),
                first: fifth * series(&FIRST, square),
                along: fifth * series(&ALONG, square),
                across: fifth * square * series(&ACROSS, square),
            };
        }
        let angle = float::atan2(sin, cos);
        let product = sin * cos;
        let area = angle - product;
        let first_of_center = 2.0 / 3.0 * square * sin;
        Self {
            area,
            first: first_of_center - cos * area,
            along: (3.0 * area - 2.0 * square * product) / 12.0,
            across: 0.25 * (angle - product * (1.0 - 2.0 * square))
                + cos * (cos * area - 2.0 * first_of_center),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Segment;
    use std::f64::consts::PI;

    /// Midpoint rule over the chord: ∫ η, ½η², x²η, ⅓η³ with the height η.
    fn summed(half_angle: f64) -> [f64; 4] {
        let (sin, cos) = half_angle.sin_cos();
        let count = 400_000;
        let mut sums = [0.0; 4];
        for i in 0..count {
            // x = sin·sin(u): the ends of the chord are smooth then.
            let u = PI * ((f64::from(i) + 0.5) / f64::from(count) - 0.5);
            let (x, weight) = (sin * u.sin(), sin * u.cos() * PI / f64::from(count));
            let height = sin * sin * u.cos() * u.cos() / ((1.0 - x * x).sqrt() + cos);
            sums[0] += weight * height;
            sums[1] += weight * height * height / 2.0;
            sums[2] += weight * x * x * height;
            sums[3] += weight * height * height * height / 3.0;
        }
        sums
    }

    #[test]
    fn moments_are_those_of_a_sum() {
        for half_angle in [1e-6_f64, 1e-3, 0.1, 0.25, 0.2526, 0.2528, 0.3, 1.0, 1.5] {
            let segment = Segment::new(half_angle.sin(), half_angle.cos());
            let found = [segment.area, segment.first, segment.along, segment.across];
            for (found, exact) in found.into_iter().zip(summed(half_angle)) {
                // The sum is right to 1e-11, the closed form loses ten digits of the last moment at the
                // smallest angle.
                assert!((found / exact - 1.0).abs() < 2e-10, "{half_angle}: {found} {exact}");
            }
        }
    }

    #[test]
    fn a_large_segment_is_the_circle_without_a_small_one() {
        let (sin, cos) = 0.4_f64.sin_cos();
        let (small, large) = (Segment::new(sin, cos), Segment::new(sin, -cos));
        assert!((small.area + large.area - PI).abs() < 1e-15);
        assert!((large.first - small.first - PI * cos).abs() < 1e-14);
        assert!((small.along + large.along - PI / 4.0).abs() < 1e-15);
        assert!((small.across + large.across - PI / 4.0 - PI * cos * cos).abs() < 1e-14);
    }
}
