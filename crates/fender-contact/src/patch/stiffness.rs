//! Stiffness per volume of an elastic foundation, from what is known of the surfaces.

use fender_math::float;
use std::f64::consts::PI;

/// Of a layer of Young's modulus E [Pa] and thickness h [m] on something stiff, free to bulge sideways: E/h [N/m³] (Gonthier 2007,
/// section 2.3.1).
pub fn of_layer(young: f64, thickness: f64) -> f64 {
    young / thickness
}

/// Of two foundations in series, each [N/m³]; a rigid one is infinite (eq. 4.132).
pub fn in_series(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// Of a ball of radius R [m] on a plane, so that at the load [N] the depth is that of Hertz: with f = 4/3·E*·√R·δ^1.5 and f =
/// k·π·R·δ² it is k = 4·E*/(3π·√(R·δ)) [N/m³], for the effective modulus E* [Pa]. Force grows with δ² instead of δ^1.5: so only there.
pub fn of_hertz(modulus: f64, radius: f64, load: f64) -> f64 {
    let depth = float::pow(0.75 * load / (modulus * radius.sqrt()), 2.0 / 3.0);
    4.0 * modulus / (3.0 * PI * (radius * depth).sqrt())
}

/// Of a ball of radius R [m] that stands on a patch of a radius [m] under a load [N]: k = f/V with the volume of the cap
/// (Gonthier 2007, section 5.2.2). `None` if the patch is not smaller than the ball.
pub fn of_patch(radius: f64, patch: f64, load: f64) -> Option<f64> {
    if !(patch > 0.0 && patch < radius) {
        return None;
    }
    // R − √(R² − a²) without cancellation.
    let height = patch * patch / (radius + ((radius - patch) * (radius + patch)).sqrt());
    Some(load / (PI * height * height * (3.0 * radius - height) / 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tippe_top_has_the_stiffness_of_the_thesis() {
        // Gonthier 2007, table 5.7: 6 g on a cap of 0.5 mm radius of a ball of 15 mm.
        let k = of_patch(0.015, 5e-4, 0.006 * 9.81).unwrap();
        assert!((k / 1.798e10 - 1.0).abs() < 5e-5, "{k:e}");
        assert_eq!(of_patch(0.1, 0.1, 1.0), None);
    }

    #[test]
    fn matched_to_hertz_depth_and_load_agree() {
        let (modulus, radius, load): (f64, f64, f64) = (1e9, 0.05, 100.0);
        let depth = (0.75 * load / (modulus * radius.sqrt())).powf(2.0 / 3.0);
        let k = of_hertz(modulus, radius, load);
        assert!((k * PI * radius * depth * depth / load - 1.0).abs() < 1e-12);
    }

    #[test]
    fn series_are_softer_than_either() {
        assert!((in_series(2e7, 2e7) - 1e7).abs() < 1e-6);
        assert_eq!(in_series(3e8, f64::INFINITY), 3e8);
        assert_eq!(of_layer(5e6, 0.02), 2.5e8);
    }
}
