//! Direction of a slip, smoothed near zero.

use fender_math::{Mat3, Vec3};

/// φ(|v|/v_ε)·v/|v| with φ(r) = r(3 − r²)/2 below r = 1 and 1 above: magnitude and slope are continuous, no transcendental
/// function is needed, and below `v_ε` no square root either.
///
/// Gonthier 2007 prints u/ε·(3/2·r − 1/2·r³) in eq. 3.33, whose slope jumps at r = 1; this is the smooth cubic that was
/// probably meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// φ/|v| [s/m].
    pub secant: f64,
    /// −(1/|v|)·d(φ/|v|)/d|v| [s³/m³].
    pub curl: f64,
}

impl Direction {
    /// Of a slip with the square `speed2` [m²/s²].
    #[inline]
    pub fn new(speed2: f64, inverse_v_eps: f64) -> Self {
        let r2 = speed2 * inverse_v_eps * inverse_v_eps;
        if r2 < 1.0 {
            // The cubic needs no root.
            Self { secant: inverse_v_eps * (1.5 - 0.5 * r2), curl: inverse_v_eps.powi(3) }
        } else {
            let inverse_speed = 1.0 / speed2.sqrt();
            Self { secant: inverse_speed, curl: inverse_speed * inverse_speed * inverse_speed }
        }
    }

    /// ∂(φ v/|v|)/∂v = secant·I − curl·v vᵀ [s/m].
    #[inline]
    pub fn by_slip(&self, slip: Vec3) -> Mat3 {
        Mat3::from_diagonal(Vec3::splat(self.secant)) - outer(slip * self.curl, slip)
    }
}

/// Root x ≥ 0 of x·a + b·φ(x/v_ε) = c, for a > 0 and b, c ≥ 0.
pub(super) fn creep(a: f64, b: f64, c: f64, v_eps: f64) -> f64 {
    let sliding = (c - b) / a;
    if sliding >= v_eps {
        return sliding;
    }
    // Concave on [0, v_ε]: Newton from the slope at zero stays below the root and rises to it.
    let p = b / v_eps;
    let mut x = c / (a + 1.5 * p);
    for _ in 0..8 {
        let r2 = (x / v_eps) * (x / v_eps);
        let value = x * (a + p * (1.5 - 0.5 * r2)) - c;
        let step = value / (a + 1.5 * p * (1.0 - r2));
        x = (x - step).clamp(0.0, v_eps);
        if step.abs() <= 1e-14 * v_eps {
            break;
        }
    }
    x
}

/// a bᵀ.
#[inline]
pub(super) fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// I − n nᵀ.
#[inline]
pub(super) fn across(normal: Vec3) -> Mat3 {
    Mat3::IDENTITY - outer(normal, normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creep_solves_its_equation() {
        for a in [0.5, 1.0, 30.0] {
            for b in [0.0, 1e-6, 1e-3, 10.0] {
                for c in [0.0, 1e-9, 1e-4, 1e-3, 2.0, 15.0] {
                    let x = creep(a, b, c, 1e-3);
                    let phi = Direction::new(x * x, 1e3).secant * x;
                    assert!((x * a + b * phi - c).abs() < 1e-9 * (b + c + 1e-9), "{a} {b} {c}: {x}");
                }
            }
        }
    }
}
