//! Rotations: from the ways people write them, and the rates that integrators need.

use crate::{Quat, Vec3, float};

/// Rotation by `angle` [rad] about `axis` (any length but zero).
pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
    let (s, c) = float::sin_cos(0.5 * angle);
    let axis = axis.normalize() * s;
    Quat::from_xyzw(axis.x, axis.y, axis.z, c)
}

/// Rotation by the vector `phi` [rad]: the exponential map.
#[inline]
pub fn from_rotation_vector(phi: Vec3) -> Quat {
    let angle2 = phi.length_squared();
    // Below this the two-term series is exact to the last bit and costs no trigonometry: the usual case in a step.
    let (scale, w) = if angle2 < 1e-4 {
        let a = angle2 * 0.25;
        (
            0.5 * (1.0 - a * (1.0 / 6.0 - a * (1.0 / 120.0 - a / 5040.0))),
            1.0 - a * (0.5 - a * (1.0 / 24.0 - a / 720.0)),
        )
    } else {
        let angle = angle2.sqrt();
        let (s, c) = float::sin_cos(0.5 * angle);
        (s / angle, c)
    };
    Quat::from_xyzw(phi.x * scale, phi.y * scale, phi.z * scale, w)
}

/// Shortest rotation that takes the direction `from` to the direction `to` (both of any non-zero length).
pub fn between(from: Vec3, to: Vec3) -> Quat {
    let (from, to) = (from.normalize(), to.normalize());
    let w = 1.0 + from.dot(to);
    if w < 1e-12 {
        // Opposite directions: half a turn about any perpendicular axis.
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    Quat::from_xyzw(axis.x, axis.y, axis.z, w).normalize()
}

/// Time derivative of a quaternion for an angular velocity given in the *turned* frame: q̇ = ½ q ω_b.
#[inline]
pub fn rate_body(q: Quat, omega_b: Vec3) -> Quat {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    let o = omega_b * 0.5;
    Quat::from_xyzw(
        w * o.x + y * o.z - z * o.y,
        w * o.y + z * o.x - x * o.z,
        w * o.z + x * o.y - y * o.x,
        -(x * o.x + y * o.y + z * o.z),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_map_agrees_with_axis_angle_on_both_branches() {
        for angle in [1e-9, 9e-3, 1.1e-2, 0.5, 3.0] {
            let axis = Vec3::new(1.0, -2.0, 0.5).normalize();
            let a = from_rotation_vector(axis * angle);
            let b = from_axis_angle(axis, angle);
            assert!((a.x - b.x).abs() + (a.y - b.y).abs() + (a.z - b.z).abs() + (a.w - b.w).abs() < 1e-15);
        }
    }

    #[test]
    fn rate_is_the_derivative_of_a_turn() {
        let omega = Vec3::new(0.3, -1.2, 0.8);
        let q0 = from_axis_angle(Vec3::new(1.0, 1.0, 0.0), 0.7);
        let h = 1e-6;
        let q1 = q0 * from_rotation_vector(omega * h);
        let rate = rate_body(q0, omega);
        assert!(((q1.x - q0.x) / h - rate.x).abs() < 1e-6);
        assert!(((q1.w - q0.w) / h - rate.w).abs() < 1e-6);
    }

    #[test]
    fn between_turns_one_direction_into_the_other() {
        for to in [Vec3::X, Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.3, -0.2, 0.9)] {
            let turned = between(Vec3::Z, to) * Vec3::Z;
            assert!((turned - to.normalize()).length() < 1e-12);
        }
    }
}
