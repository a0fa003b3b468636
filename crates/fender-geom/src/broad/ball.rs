//! A ball that holds something.

use fender_math::{Pose, Vec3};

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Its centre [m].
    pub center: Vec3,
    /// Its radius [m].
    pub radius: f64,
}

impl Ball {
    /// The smallest ball that holds two (Luaces 2013, eqs. 4.12 to 4.14, with the factor 2 that is missing there in the centre). If one holds
    /// the other, that one.
    pub fn around(a: &Self, b: &Self) -> Self {
        let d = a.center.distance(b.center);
        if d <= (a.radius - b.radius).abs() {
            return if a.radius >= b.radius { *a } else { *b };
        }
        let radius = 0.5 * (d + a.radius + b.radius);
        // From the first centre towards the second, until its far side is touched: c₁·(d + r₁ − r₂)/2d + c₂·(d − r₁ + r₂)/2d.
        let center = a.center + (b.center - a.center) * ((radius - a.radius) / d);
        Self { center, radius }
    }

    /// As it is in another frame.
    #[inline]
    pub fn transformed(&self, pose: &Pose) -> Self {
        Self { center: pose.transform_point(self.center), radius: self.radius }
    }

    /// Whether two come as near as `gap` [m].
    #[inline]
    pub fn is_near(&self, other: &Self, gap: f64) -> bool {
        let reach = self.radius + other.radius + gap;
        self.center.distance_squared(other.center) <= reach * reach
    }

    /// Whether it comes as near as `gap` [m] to the box between two corners [m].
    #[inline]
    pub fn is_near_box(&self, min: Vec3, max: Vec3, gap: f64) -> bool {
        let reach = self.radius + gap;
        self.center.distance_squared(self.center.max(min).min(max)) <= reach * reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use proptest::prelude::*;

    fn any_ball() -> impl Strategy<Value = Ball> {
        (-3.0..3.0, -3.0..3.0, -3.0..3.0, 0.0..2.0)
            .prop_map(|(x, y, z, radius)| Ball { center: Vec3::new(x, y, z), radius })
    }

    proptest! {
        #![proptest_config(random_cases(1000))]

        #[test]
        fn both_balls_touch_the_one_around_them_from_inside(a in any_ball(), b in any_ball()) {
            let around = Ball::around(&a, &b);
            let d = a.center.distance(b.center);
            let past = |inner: &Ball| around.center.distance(inner.center) + inner.radius - around.radius;
            if d > (a.radius - b.radius).abs() {
                prop_assert!(past(&a).abs() < 1e-14 && past(&b).abs() < 1e-14, "{} {}", past(&a), past(&b));
                // The printed weights, doubled denominator.
                let center = (a.center * (d + a.radius - b.radius) + b.center * (d - a.radius + b.radius)) / (2.0 * d);
                prop_assert!(around.center.distance(center) < 1e-13);
            } else {
                let larger = if a.radius >= b.radius { a } else { b };
                prop_assert_eq!(around, larger);
                prop_assert!(past(&a) < 1e-14 && past(&b) < 1e-14);
            }
        }
    }

    #[test]
    fn one_ball_in_another_and_twice_the_same() {
        let large = Ball { center: Vec3::new(1.0, 2.0, 3.0), radius: 2.0 };
        let small = Ball { center: Vec3::new(1.0, 2.0, 4.0), radius: 1.0 };
        assert_eq!(Ball::around(&large, &small), large);
        assert_eq!(Ball::around(&small, &large), large);
        assert_eq!(Ball::around(&small, &small), small);
    }

    #[test]
    fn near_a_box_by_face_edge_and_corner() {
        let ball = |x: f64, y: f64, z: f64| Ball { center: Vec3::new(x, y, z), radius: 1.0 };
        let near = |b: Ball, gap: f64| b.is_near_box(-Vec3::ONE, Vec3::ONE, gap);
        // A face 1.5 m away, an edge √2·1.5 m, a corner √3·1.5 m.
        for (b, distance) in [
            (ball(2.5, 0.0, 0.0), 1.5_f64),
            (ball(2.5, -2.5, 0.3), 1.5 * 2_f64.sqrt()),
            (ball(-2.5, 2.5, 2.5), 1.5 * 3_f64.sqrt()),
        ] {
            assert!(near(b, distance - 1.0 + 1e-9) && !near(b, distance - 1.0 - 1e-9));
        }
        assert!(near(ball(0.1, 0.2, 0.3), 0.0));
    }
}
