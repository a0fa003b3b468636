//! Float functions with the same bits on every platform.
//!
//! The standard library leaves `exp`, `ln`, `sin`, `cos`, `pow` to the platform's C library, whose last bit
//! differs from one system to the next. Everything that can change a simulated bit goes through here.

/// e^x.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// ln(1 + x), accurate for small x.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// e^x − 1, accurate for small x.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// x^y.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Sine and cosine of an angle [rad].
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Angle whose sine is `x` [rad]; `x` is clamped to [−1, 1].
pub fn asin(x: f64) -> f64 {
    libm::asin(x.clamp(-1.0, 1.0))
}

/// Angle of the point (x, y) [rad].
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}
