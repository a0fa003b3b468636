//! How a body goes on turning when nothing acts on it: energy and angular momentum stay what they are.
//!
//! Models: Euler's equations I ω̇ = −ω × Iω in the axes of the moments of inertia, for a given time.
//!
//! Equation: the body turns about the mean of its angular velocities, ω̄ = ½(ω₀ + ω₁), by the rotation exp(hω̄), and its momentum Π = Iω stays in
//! the world: Π₁ = exp(−hω̄)·Π₀. That keeps
//!
//! - the momentum in the world, whatever ω̄ is, because body and momentum turn by the same rotation;
//! - the energy, because T₁ − T₀ = (Π₁ − Π₀)·ω̄, and turning about ω̄ changes Π across ω̄ only.
//!
//! It is of order 2 and symmetric in time, and exact for turning about a principal axis. With Cayley's rotation in place of the exponential it is
//! the algorithm of Simo and Wong 1991 (Int. J. Numer. Methods Eng. 31, 19–52) and of Austin, Krishnaprasad and Wang 1993 (J. Comput. Phys. 107,
//! 105–117); see also Hairer, Lubich and Wanner 2006, section VII.5.
//!
//! Limits: ω̄ is found by Newton's method. Should that not get there, the momentum is kept all the same, and with it the energy has the bound
//! |Π|²/(2·least moment): nothing can grow.

use fender_math::{Mat3, Quat, Vec3, rotation};

/// A body that would turn by more than this in a step [rad] is turned in parts: Newton's method needs three or four steps for each.
const ANGLE: f64 = 0.5;
/// Parts at most: what turns many times in a step is not followed by it in any case.
const PARTS: usize = 256;
/// Newton steps at most.
const ITERATIONS: usize = 8;
/// Changes of ω̄ that are rounding, relative.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Energy that a part may make or lose, relative: more than rounding leaves for a needle, whose spin is a small difference of large momenta.
const KEPT: f64 = 1e-13;

/// The rotation of a body with the moments `inertia` [kg·m²] (and their `inverse`) that turns by `omega` [rad/s] at first and is left alone for the
/// time `h` [s], and its angular velocity then; both angular velocities in the body's principal axes.
pub(super) fn turn(inertia: Vec3, inverse: Vec3, omega: Vec3, h: f64) -> (Quat, Vec3) {
    // A speed that is not finite is taken as it is; whoever asked finds it in the result.
    let mut parts = ((h * omega.length() / ANGLE) as usize + 1).min(PARTS);
    loop {
        let (result, kept) = turn_in_parts(inertia, inverse, omega, h, parts);
        // Needles may need smaller parts for Newton's method to get there.
        if kept || parts == PARTS {
            return result;
        }
        parts = (2 * parts).min(PARTS);
    }
}

fn turn_in_parts(inertia: Vec3, inverse: Vec3, omega: Vec3, h: f64, parts: usize) -> ((Quat, Vec3), bool) {
    let mut result = (Quat::IDENTITY, omega);
    let mut kept = true;
    for _ in 0..parts {
        let (part, after, keeps) = turn_a_little(inertia, inverse, result.1, h / parts as f64);
        result = (result.0 * part, after);
        kept &= keeps;
    }
    (result, kept)
}

/// Rotation, angular velocity afterwards, and whether the energy was kept.
fn turn_a_little(inertia: Vec3, inverse: Vec3, omega: Vec3, h: f64) -> (Quat, Vec3, bool) {
    let momentum = inertia * omega;
    let energy = omega.dot(momentum);
    let mut mean = omega - 0.5 * h * inverse * omega.cross(momentum);
    let mut result = (Quat::IDENTITY, omega, false);
    for _ in 0..ITERATIONS {
        let turned = rotation::from_rotation_vector(mean * h);
        let after = turned.conjugate() * momentum;
        // Differences, so that what does not change keeps its bits.
        let change = after - momentum;
        let omega_after = omega + inverse * change;
        let miss = mean - 0.5 * (omega + omega_after);
        result = (turned, omega_after, change.dot(miss).abs() <= KEPT * energy);
        if miss.length() <= ROUNDING * omega.length() {
            break;
        }
        // d(after)/d(mean) = h·[after]×·J(−h·mean), with J the left Jacobian of the exponential,
        // 1 + (1 − cos φ)/φ²·[φ]× + (φ − sin φ)/φ³·[φ]×², here by its series: a needle needs it to many digits.
        let phi = cross(mean * -h);
        let a = (mean * h).length_squared();
        let (first, second) =
            (0.5 - a * (1.0 / 24.0 - a / 720.0), 1.0 / 6.0 - a * (1.0 / 120.0 - a / 5040.0));
        let left = Mat3::IDENTITY + phi * first + phi * phi * second;
        let slope = Mat3::from_diagonal(inverse * (0.5 * h)) * cross(after) * left;
        // Its eigenvalues are about 1 + an imaginary number: it can be inverted.
        mean -= (Mat3::IDENTITY - slope).inverse() * miss;
        // The mean of two motions of the same energy has no more than that: further away is no solution.
        let ratio = mean.dot(inertia * mean) / energy;
        if ratio > 1.0 {
            mean /= ratio.sqrt();
        }
        if !mean.is_finite() {
            break;
        }
    }
    result
}

/// The matrix that does `v ×`.
fn cross(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INERTIA: Vec3 = Vec3::new(13.0, 10.0, 5.0);

    fn after(inertia: Vec3, omega: Vec3, h: f64, steps: usize) -> (Quat, Vec3) {
        let mut state = (Quat::IDENTITY, omega);
        for _ in 0..steps {
            let (turned, omega) = turn(inertia, inertia.recip(), state.1, h);
            state = ((state.0 * turned).normalize(), omega);
        }
        state
    }

    #[test]
    fn energy_and_momentum_stay_for_any_step_and_any_body() {
        // A block, a needle, a plate, a ball that is nearly round.
        for inertia in [
            INERTIA,
            Vec3::new(1e-6, 1.0, 1.0 + 5e-7),
            Vec3::new(1.0, 1.0, 2.0),
            Vec3::new(1.0, 1.0 + 1e-12, 1.0),
        ] {
            let omega = Vec3::new(0.3, 100.0, -2.0);
            let (l0, e0) = (inertia * omega, omega.dot(inertia * omega));
            // Up to 5 rad per step: ten parts.
            for h in [1e-6, 1e-4, 1e-3, 1e-2, 0.05] {
                let (r, omega) = after(inertia, omega, h, 2000);
                let (l, e) = (r * (inertia * omega), omega.dot(inertia * omega));
                // Rounding of 2000 steps, each by a few 1e-16.
                assert!((l - l0).length() < 1e-12 * l0.length(), "{inertia} {h}: {:e}", (l - l0).length());
                assert!((e - e0).abs() < 1e-12 * e0, "{inertia} {h}: {:e}", (e - e0) / e0);
            }
        }
    }

    #[test]
    fn turning_about_a_principal_axis_is_exact() {
        let (turned, omega) = turn(INERTIA, INERTIA.recip(), Vec3::Y * 100.0, 4e-3);
        assert_eq!(omega, Vec3::Y * 100.0);
        assert_eq!(turned, rotation::from_rotation_vector(Vec3::Y * 0.4));
    }

    #[test]
    fn order_is_two() {
        let omega = Vec3::new(1.0, 10.0, -2.0);
        let (exact, _) = after(INERTIA, omega, 1e-5, 100_000);
        let error = |steps: usize| {
            let (r, _) = after(INERTIA, omega, 1.0 / steps as f64, steps);
            (exact.conjugate() * r).xyz().length()
        };
        let slope = (error(500) / error(1000)).log2();
        assert!((slope - 2.0).abs() < 0.05, "{slope}");
    }

    #[test]
    fn what_is_not_finite_or_absurd_comes_back_without_a_panic() {
        let inverse = INERTIA.recip();
        assert!(turn(INERTIA, inverse, Vec3::NAN, 1e-3).1.is_nan());
        assert!(!turn(INERTIA, inverse, Vec3::X * f64::INFINITY, 1e-3).1.is_finite());
        // A hundred thousand turns in a step: the momentum is kept, so the speed cannot grow by more than √(greatest/least moment).
        let omega = turn(INERTIA, inverse, Vec3::new(1e8, 2e8, 3e8), 1e-2).1;
        assert!(omega.length() < 1e9, "{omega}");
    }
}
