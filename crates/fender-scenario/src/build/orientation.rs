//! Orientations and directions.

use crate::error::{ErrorKind, Problem};
use crate::spec::OrientationSpec;
use crate::tree::Path;
use fender_math::rotation::from_axis_angle;
use fender_math::{Quat, Vec3};

/// The direction of a vector of any length but zero.
pub(super) fn direction(v: Vec3, path: &Path) -> Result<Vec3, Problem> {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        let message = "this vector gives a direction and must not be zero";
        return Err(Problem::new(ErrorKind::Value, path.clone(), message));
    }
    // The square of a large or small number would leave the range of floats.
    Ok((v / largest).normalize())
}

/// The rotation that was written.
pub(super) fn orientation(spec: &OrientationSpec, path: &Path) -> Result<Quat, Problem> {
    match spec {
        OrientationSpec::Quaternion { w, x, y, z } => {
            let q = [x.value, y.value, z.value, w.value];
            let largest = q.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
            if largest == 0.0 {
                let path = path.key("quaternion");
                return Err(Problem::new(ErrorKind::Value, path, "a quaternion of zeros is no orientation"));
            }
            let [x, y, z, w] = q.map(|c| c / largest);
            let q = Quat::from_xyzw(x, y, z, w);
            // What is a unit quaternion already stays as it was typed, bit by bit.
            let typed = q * largest;
            Ok(if (typed.length_squared() - 1.0).abs() < 1e-15 { typed } else { q.normalize() })
        }
        OrientationSpec::AxisAngle { axis, angle } => {
            let axis = direction(crate::quantity::vec3(axis), &path.key("axis_angle").key("axis"))?;
            Ok(from_axis_angle(axis, angle.value))
        }
        OrientationSpec::Euler { roll, pitch, yaw } => Ok(from_axis_angle(Vec3::Z, yaw.value)
            * from_axis_angle(Vec3::Y, pitch.value)
            * from_axis_angle(Vec3::X, roll.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Quantity;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn three_ways_to_write_one_orientation() {
        let q = Quantity::new;
        let path = Path::root();
        let euler = OrientationSpec::Euler { roll: q(0.0), pitch: q(0.0), yaw: Quantity::new(FRAC_PI_2) };
        let axis = OrientationSpec::AxisAngle {
            axis: [Quantity::new(0.0), Quantity::new(0.0), Quantity::new(7.0)],
            angle: Quantity::new(FRAC_PI_2),
        };
        let quaternion = OrientationSpec::Quaternion {
            w: Quantity::new(2.0),
            x: Quantity::new(0.0),
            y: Quantity::new(0.0),
            z: Quantity::new(2.0),
        };
        for spec in [euler, axis, quaternion] {
            let turned = orientation(&spec, &path).unwrap() * Vec3::X;
            assert!((turned - Vec3::Y).length() < 1e-15);
        }
    }

    #[test]
    fn euler_angles_turn_in_the_order_yaw_pitch_roll() {
        let spec = OrientationSpec::Euler {
            roll: Quantity::new(0.0),
            pitch: Quantity::new(FRAC_PI_2),
            yaw: Quantity::new(FRAC_PI_2),
        };
        // The nose (x) is pitched down, about the y axis that yaw has turned.
        let nose = orientation(&spec, &Path::root()).unwrap() * Vec3::X;
        assert!((nose - Vec3::NEG_Z).length() < 1e-15);
        let wing = orientation(&spec, &Path::root()).unwrap() * Vec3::Y;
        assert!((wing - Vec3::NEG_X).length() < 1e-15);
    }

    #[test]
    fn nothing_is_no_direction() {
        assert!(direction(Vec3::ZERO, &Path::root()).is_err());
        assert_eq!(direction(Vec3::new(1e300, 0.0, 0.0), &Path::root()).unwrap(), Vec3::X);
    }
}
