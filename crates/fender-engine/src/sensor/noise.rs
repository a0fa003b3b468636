//! Noise of a sensor.
//!
//! There is no generator whose state would have to be kept: a value follows from seed, name of the sensor, number of the
//! sample and component alone. So it does not depend on threads, on what else is measured, or on stops and resumes.

use fender_math::{StateHasher, float};

/// Gaussian noise, drawn afresh with each sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Standard deviation, in the unit of what is measured.
    pub deviation: f64,
    /// Which of the possible runs of noise.
    pub seed: u64,
}

impl Noise {
    /// The noise in one component of one sample of the sensor that has this key (see [`key`]).
    pub fn draw(&self, key: u64, sample: u64, component: usize) -> f64 {
        if self.deviation == 0.0 {
            return 0.0;
        }
        let start = mix(self.seed ^ mix(key));
        let start = mix(start.wrapping_add(mix(sample.wrapping_mul(8).wrapping_add(component as u64))));
        // Two independent numbers in (0, 1] and [0, 1): Box and Muller 1958.
        let unit = |bits: u64| (bits >> 11) as f64 / (1_u64 << 53) as f64;
        let (u, v) = (1.0 - unit(start), unit(mix(start ^ 0xa5a5_5a5a_c3c3_3c3c)));
        let (_, cos) = float::sin_cos(std::f64::consts::TAU * v);
        self.deviation * (-2.0 * float::ln(u)).sqrt() * cos
    }
}

/// What stands for a sensor's name.
pub fn key(name: &str) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.bytes(name.as_bytes());
    hasher.finish()
}

/// The finalizer of Steele, Lea and Flood 2014 (SplitMix64): every bit of the input changes about half of the output.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u64 = 100_000;

    fn draws(seed: u64, name: &str, component: usize) -> Vec<f64> {
        let (noise, key) = (Noise { deviation: 2.0, seed }, key(name));
        (0..N).map(|i| noise.draw(key, i, component)).collect()
    }

    fn mean(of: impl Iterator<Item = f64>) -> f64 {
        of.sum::<f64>() / N as f64
    }

    #[test]
    fn mean_deviation_tails_and_correlation_are_those_of_white_gaussian_noise() {
        let x = draws(1, "gyro", 0);
        // Four standard errors: σ/√N, σ²√(2/N), √(24/N), 1/√N.
        let root = (N as f64).sqrt();
        let variance = mean(x.iter().map(|x| x * x)) / 4.0;
        assert!(mean(x.iter().copied()).abs() < 4.0 * 2.0 / root);
        assert!((variance - 1.0).abs() < 4.0 * 2.0_f64.sqrt() / root, "{variance}");
        let kurtosis = mean(x.iter().map(|x| (x / 2.0).powi(4)));
        assert!((kurtosis - 3.0).abs() < 4.0 * 24.0_f64.sqrt() * 2.0 / root, "{kurtosis}");
        // P(|x| < σ) = 0.682689.
        let inside = mean(x.iter().map(|x| f64::from(u8::from(x.abs() < 2.0))));
        assert!((inside - 0.682_689).abs() < 4.0 * 0.47 / root, "{inside}");
        for other in [x[1..].to_vec(), draws(1, "gyro", 1), draws(2, "gyro", 0), draws(1, "gyra", 0)] {
            let correlation = mean(x.iter().zip(&other).map(|(x, y)| x * y)) / 4.0;
            assert!(correlation.abs() < 4.0 / root, "{correlation}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_noise() {
        assert_eq!(draws(7, "tilt", 2), draws(7, "tilt", 2));
        assert_ne!(draws(7, "tilt", 2), draws(8, "tilt", 2));
        assert_eq!(Noise::default().draw(3, 4, 0), 0.0);
    }
}
