//! Motion of a frame by six degrees of freedom, as of a ship: surge, sway, heave, roll, pitch, yaw.
//!
//! # Equation
//! In the frame at rest: translation (surge, sway, heave), rotation Rz(yaw)·Ry(pitch)·Rx(roll). With ψ, θ, φ for yaw, pitch, roll
//! and e_z, e_y = Rz·y, e_x = Rz·Ry·x the axes that they turn about:
//! ω = ψ̇ e_z + θ̇ e_y + φ̇ e_x, and ω̇ = ψ̈ e_z + θ̈ e_y + φ̈ e_x + ψ̇ e_z × θ̇ e_y + (ψ̇ e_z + θ̇ e_y) × φ̇ e_x.

use crate::rotation::from_axis_angle;
use crate::series::PoseSample;
use crate::{Pose, Profile, Twist, Vec3};

/// Motion of a frame by six degrees of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct SixDegrees {
    /// Pose at rest, in the world: with all degrees at zero.
    pub rest: Pose,
    /// Surge, sway, heave [m] along the axes at rest.
    pub translation: [Profile; 3],
    /// Roll, pitch, yaw [rad].
    pub rotation: [Profile; 3],
}

impl SixDegrees {
    fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.translation.iter().chain(&self.rotation)
    }

    /// Times at which a degree starts, stops or has a kink [s].
    pub fn time_events(&self) -> Vec<f64> {
        self.profiles().flat_map(Profile::time_events).collect()
    }

    /// First and last time [s] between which it shows how it moves.
    pub fn span(&self) -> (f64, f64) {
        let moving = self.profiles().filter(|p| !matches!(p, Profile::Constant(_))).map(Profile::span);
        let joined = moving.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        joined.unwrap_or_default()
    }

    /// Pose, velocity and acceleration at `time` [s].
    pub fn sample(&self, time: f64) -> PoseSample {
        let [x, y, z] = self.translation.each_ref().map(|profile| profile.sample(time));
        let [roll, pitch, yaw] = self.rotation.each_ref().map(|profile| profile.sample(time));
        let turned = self.rest.rotation;
        let along = |order: usize| turned * Vec3::new(x[order], y[order], z[order]);
        let after_yaw = turned * from_axis_angle(Vec3::Z, yaw[0]);
        let after_pitch = after_yaw * from_axis_angle(Vec3::Y, pitch[0]);
        let (e_z, e_y, e_x) = (turned * Vec3::Z, after_yaw * Vec3::Y, after_pitch * Vec3::X);
        let by_yaw = e_z * yaw[1];
        let by_both = by_yaw + e_y * pitch[1];
        let angular = e_z * yaw[2]
            + e_y * pitch[2]
            + e_x * roll[2]
            + by_yaw.cross(e_y * pitch[1])
            + by_both.cross(e_x * roll[1]);
        PoseSample {
            pose: Pose {
                rotation: (after_pitch * from_axis_angle(Vec3::X, roll[0])).normalize(),
                translation: self.rest.translation + along(0),
            },
            twist: Twist { linear: along(1), angular: by_both + e_x * roll[1] },
            acceleration: Twist { linear: along(2), angular },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Sine;

    fn ship() -> SixDegrees {
        let sine = |amplitude: f64, period: f64, phase: f64| {
            Profile::Sine(Sine { mean: 0.1, amplitude, period, phase, start: None, ramp: 3.0 })
        };
        SixDegrees {
            rest: Pose {
                rotation: from_axis_angle(Vec3::new(0.2, -0.5, 1.0), 0.8),
                translation: Vec3::new(1.0, 2.0, 3.0),
            },
            translation: [sine(1.0, 9.0, 0.3), Profile::Constant(0.0), sine(2.0, 7.0, 1.0)],
            rotation: [sine(0.4, 6.0, 0.0), sine(0.3, 5.0, 2.0), sine(0.5, 8.0, -1.0)],
        }
    }

    /// By differences of h = 1e-5: h² of a third derivative of order 1, and rounding 1e-16/h.
    #[test]
    fn velocity_and_acceleration_are_derivatives_of_the_pose() {
        let (ship, h) = (ship(), 1e-5);
        for i in 1..80 {
            let t = 0.13 * f64::from(i);
            let (a, now, b) = (ship.sample(t - h), ship.sample(t), ship.sample(t + h));
            let velocity = (b.pose.translation - a.pose.translation) / (2.0 * h);
            assert!((velocity - now.twist.linear).length() < 1e-9);
            let acceleration = (b.twist.linear - a.twist.linear) / (2.0 * h);
            assert!((acceleration - now.acceleration.linear).length() < 1e-9);
            let turn = b.pose.rotation * a.pose.rotation.conjugate();
            let omega = Vec3::new(turn.x, turn.y, turn.z) * turn.w.signum() / h;
            assert!((omega - now.twist.angular).length() < 1e-9, "{omega} {}", now.twist.angular);
            let alpha = (b.twist.angular - a.twist.angular) / (2.0 * h);
            assert!((alpha - now.acceleration.angular).length() < 1e-9, "{t}");
        }
        assert_eq!(ship.span(), (0.0, 12.0));
    }

    #[test]
    fn a_ship_that_only_heaves_keeps_its_heading() {
        let mut ship = ship();
        ship.rest.rotation = from_axis_angle(Vec3::Z, 0.8);
        ship.rotation = [0.0, 0.0, 0.0].map(Profile::Constant);
        ship.translation = [Profile::Constant(2.0), Profile::Constant(0.0), ship.translation[2].clone()];
        let at = ship.sample(5.0);
        assert_eq!((at.twist.angular, at.twist.linear.x), (Vec3::ZERO, 0.0));
        assert_eq!(at.pose.rotation, ship.rest.rotation.normalize());
        // Surge goes along the heading.
        assert!((at.pose.translation.x - (1.0 + 2.0 * 0.8_f64.cos())).abs() < 1e-14);
        // Turning a vector by a quaternion rounds.
        assert!((at.pose.translation.z - (3.0 + ship.translation[2].sample(5.0)[0])).abs() < 1e-14);
    }
}
