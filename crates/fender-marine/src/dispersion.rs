//! Dispersion of gravity waves: how long a wave of a period is.
//!
//! # Models
//! The wave number of a free, linear gravity wave in water of constant depth.
//!
//! # Equation
//! `ω² = g k tanh(k d)`, solved for k·d by Newton's method from the guess of Guo 2002, which is within 0.75 %
//! at every depth. In deep water (`d` infinite, or k·d so large that tanh is 1) `k = ω²/g`.
//!
//! # Parameters
//! - `frequency` ω [rad/s]
//! - `depth` d [m]; infinite for deep water
//! - `gravity` g [m/s²]
//!
//! # Valid when
//! The wave is low against its length and against the depth, and the water does not flow (a current shifts the
//! frequency: give the period that is seen from the water).
//!
//! # Limits
//! No surface tension (waves shorter than a few centimetres), no effect of the wave's height.
//!
//! # References
//! Airy 1845, Tides and waves, Encyclopaedia Metropolitana; Dean and Dalrymple 1991, Water wave mechanics for engineers
//! and scientists, section 3.4; Guo 2002, Coastal Engineering 45, 71-74.

use fender_math::float;

/// Above this k·d, tanh is 1 to the last bit.
const DEEP: f64 = 20.0;

/// tanh x for x not below 0, by the function that is exact near 0 and cannot overflow.
pub(crate) fn tanh(x: f64) -> f64 {
    let e = float::exp_m1(-2.0 * x);
    -e / (2.0 + e)
}

/// Wave number k [rad/m] of a wave of a frequency ω [rad/s] in water of a depth [m] under gravity [m/s²], all positive.
pub fn wave_number(frequency: f64, depth: f64, gravity: f64) -> f64 {
    let deep = frequency * frequency / gravity;
    let a = deep * depth;
    if a >= DEEP {
        return deep;
    }
    // Guo's guess; for small a it tends to the shallow-water √a.
    let mut x = a / float::pow(-float::exp_m1(-float::pow(a, 1.25)), 0.4);
    // x tanh x − a is convex where it matters and the guess is close: three steps reach the last bit, the rest is margin.
    for _ in 0..8 {
        let t = tanh(x);
        let step = (x * t - a) / (t + x * (1.0 - t * t));
        x -= step;
        if step.abs() <= 1e-16 * x {
            break;
        }
    }
    x / depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn the_residual_is_at_rounding_from_shallow_to_deep() {
        let g = 9.80665;
        for i in -60..60 {
            // k·d from 1e-3 to beyond 1e3.
            let depth = 10.0 * 10f64.powf(f64::from(i) / 10.0);
            for period in [1.0, 8.0, 25.0] {
                let w = TAU / period;
                let k = wave_number(w, depth, g);
                let residual = g * k * (k * depth).tanh() / (w * w) - 1.0;
                assert!(residual.abs() < 1e-12, "depth {depth}, period {period}: {residual:e}");
            }
        }
    }

    #[test]
    fn it_meets_the_deep_and_the_shallow_limit() {
        let (g, w) = (9.81, 0.7);
        assert_eq!(wave_number(w, f64::INFINITY, g), w * w / g);
        let deep = wave_number(w, 350.0, g);
        assert!((deep / (w * w / g) - 1.0).abs() < 1e-14);
        // Shallow: c = √(g d)·(1 − (k d)²/6 + 19/360 (k d)⁴ − …).
        let d = 0.01;
        let k = wave_number(w, d, g);
        let c = (g * d).sqrt() * (1.0 - (k * d).powi(2) / 6.0);
        let next = 19.0 / 360.0 * (k * d).powi(4);
        assert!((w / k / c - 1.0 - next).abs() < 0.01 * next, "{}", w / k / c - 1.0);
    }

    /// Shore Protection Manual (US Army 1984), table C-1: d/L₀ = 0.1000 has d/L = 0.1410.
    #[test]
    fn it_agrees_with_the_shore_protection_manual() {
        let g = 9.81;
        let period = 10.0;
        let l0 = g * period * period / TAU;
        let k = wave_number(TAU / period, 0.1 * l0, g);
        assert!((0.1 * l0 * k / TAU - 0.1410).abs() < 5e-5);
    }

    #[test]
    fn tanh_is_tanh() {
        for x in [0.0, 1e-9, 0.3, 1.0, 7.0, 400.0, 1e6] {
            assert!((tanh(x) - x.tanh()).abs() <= 2e-16 * x.tanh().max(1e-300) * 2.0, "{x}");
        }
    }
}
