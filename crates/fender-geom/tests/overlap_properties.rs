//! What must hold for the overlaps of every pair of shapes, checked on random ones.

mod random_cases;

use fender_contact::PointOverlap;
use fender_geom::narrow::{overlaps, supported};
use fender_geom::{Overlaps, Shape};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use random_cases::random_cases;

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn turn() -> impl Strategy<Value = Quat> {
    // Some turns are special on purpose: none, a quarter, an eighth.
    prop_oneof![
        6 => vector(3.0).prop_map(rotation::from_rotation_vector),
        1 => Just(Quat::IDENTITY),
        1 => (0..3_usize, 1..4_u8).prop_map(|(axis, k)| {
            rotation::from_axis_angle(Vec3::AXES[axis], f64::from(k) * std::f64::consts::FRAC_PI_4)
        }),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let size = || 0.1..1.0_f64;
    prop_oneof![
        size().prop_map(|radius| Shape::Sphere { radius }),
        Just(Shape::HalfSpace),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
    ]
}

#[derive(Clone, Debug)]
struct Pair {
    a: Shape,
    pose_a: Pose,
    b: Shape,
    pose_b: Pose,
}

impl Pair {
    fn overlaps(&self) -> Overlaps {
        overlaps(&self.a, &self.pose_a, &self.b, &self.pose_b)
    }

    fn moved(&self, by: Vec3) -> Self {
        let mut moved = self.clone();
        moved.pose_a.translation += by;
        moved
    }

    fn deepest(&self) -> Option<PointOverlap> {
        self.overlaps().points().iter().copied().reduce(|p, q| if q.depth > p.depth { q } else { p })
    }

    fn has_half_space(&self) -> bool {
        matches!(self.a, Shape::HalfSpace) || matches!(self.b, Shape::HalfSpace)
    }

    /// Deep inside each other, two cylinders may find one of several local least overlaps.
    fn is_exact_at(&self, depth: f64) -> bool {
        let is_cylinder = |s: &Shape| matches!(s, Shape::Cylinder { .. });
        self.is_shallow(depth) || !(is_cylinder(&self.a) && is_cylinder(&self.b))
    }

    /// The rim points that stand for a cap below the surface of a half-space do not include the deepest.
    fn has_sampled_depth(&self) -> bool {
        self.has_half_space()
            && (matches!(self.a, Shape::Cylinder { .. }) || matches!(self.b, Shape::Cylinder { .. }))
    }

    /// The normal is that of the least overlap only while it is small beside the bodies: deep inside, directions tie.
    fn is_shallow(&self, depth: f64) -> bool {
        let size = |s: &Shape| match *s {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
            Shape::HalfSpace => f64::INFINITY,
            Shape::Box { half } => half.min_element(),
            Shape::Cylinder { radius, half_height } => radius.min(half_height),
        };
        depth < 0.3 * size(&self.a).min(size(&self.b))
    }
}

fn pair() -> impl Strategy<Value = Pair> {
    (shape(), shape(), turn(), turn(), vector(1.0), 0.2..1.0_f64)
        .prop_filter("two half-spaces", |(a, b, ..)| supported(a, b))
        .prop_map(|(a, b, qa, qb, offset, closeness)| {
            let reach = |s: &Shape| if s.bounding_radius().is_finite() { s.bounding_radius() } else { 0.0 };
            let far = closeness * (reach(&a) + reach(&b));
            let direction = (offset + Vec3::splat(1e-3)).normalize();
            Pair {
                a,
                pose_a: Pose { translation: direction * far, rotation: qa },
                b,
                pose_b: Pose { translation: Vec3::ZERO, rotation: qb },
            }
        })
}

proptest! {
    #![proptest_config(random_cases(4000))]

    #[test]
    fn points_are_sound(pair in pair()) {
        let found = pair.overlaps();
        let mut sum = 0.0;
        for p in found.points() {
            prop_assert!(p.depth > 0.0 && p.depth.is_finite());
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-12);
            prop_assert!(p.point.is_finite() && p.curvature >= 0.0 && p.curvature.is_finite());
            prop_assert!(p.share >= 0.0 && p.share <= 1.0 + 1e-12, "{p:?}");
            // The point is in (or at the skin of) both bodies' bounding balls.
            if let Shape::Box { .. } | Shape::Cylinder { .. } | Shape::Capsule { .. } | Shape::Sphere { .. } = pair.a {
                let far = (p.point - pair.pose_a.translation).length();
                prop_assert!(far <= pair.a.bounding_radius() * (1.0 + 1e-9) + p.depth, "{p:?}");
            }
            sum += p.share;
        }
        if !found.points().is_empty() && !pair.has_half_space() {
            prop_assert!((sum - 1.0).abs() < 1e-9, "shares add up to {sum}");
        }
    }

    #[test]
    fn exchanging_the_bodies_turns_the_normals(pair in pair()) {
        let swapped = Pair { a: pair.b.clone(), pose_a: pair.pose_b, b: pair.a.clone(), pose_b: pair.pose_a };
        match (pair.deepest(), swapped.deepest()) {
            (None, None) => {}
            (Some(p), Some(q)) => {
                prop_assert!(
                    !pair.is_exact_at(p.depth.min(q.depth)) || (p.depth - q.depth).abs() < 1e-8,
                    "{p:?} {q:?}"
                );
                if pair.is_shallow(p.depth) && !ties(&pair, &p) {
                    prop_assert!((p.normal + q.normal).length() < 1e-4, "{p:?} {q:?}");
                }
            }
            (p, q) => {
                let depth = p.or(q).map_or(0.0, |p| p.depth);
                prop_assert!(depth < 1e-9, "only one of {p:?} {q:?}");
            }
        }
    }

    #[test]
    fn a_common_motion_changes_nothing(pair in pair(), by in vector(20.0), q in turn()) {
        let motion = Pose { translation: by, rotation: q };
        let moved = Pair { pose_a: motion * pair.pose_a, pose_b: motion * pair.pose_b, ..pair.clone() };
        match (pair.deepest(), moved.deepest()) {
            (None, None) => {}
            (Some(p), Some(m)) => {
                prop_assert!(
                    !pair.is_exact_at(p.depth.min(m.depth)) || (p.depth - m.depth).abs() < 1e-8,
                    "{p:?} {m:?}"
                );
                if pair.is_shallow(p.depth) && !ties(&pair, &p) {
                    prop_assert!((q * p.normal - m.normal).length() < 1e-4, "{p:?} {m:?}");
                    let mean = |o: &Overlaps| o.points().iter().map(|p| p.share * p.depth).sum::<f64>();
                    let (p, m) = (mean(&pair.overlaps()), mean(&moved.overlaps()));
                    // Where a line almost runs along the side it is clipped by, the place where it is cut hangs on the last
                    // digits of the normal.
                    prop_assert!((p - m).abs() < 1e-6 + 0.01 * p, "{:?} {:?}", pair.overlaps(), moved.overlaps());
                }
            }
            (p, m) => {
                let depth = p.or(m).map_or(0.0, |p| p.depth);
                prop_assert!(depth < 1e-9, "only one of {p:?} {m:?}");
            }
        }
    }

    #[test]
    fn depth_is_what_it_takes_to_part_the_bodies(pair in pair(), part in 0.05..0.95_f64, m in vector(1.0)) {
        let Some(p) = pair.deepest().filter(|p| pair.is_exact_at(p.depth)) else { return Ok(()) };
        if pair.has_sampled_depth() {
            return Ok(());
        }
        prop_assert!(pair.moved(p.normal * (p.depth * (1.0 + 1e-9) + 1e-9)).overlaps().points().is_empty());
        // Part of the way leaves the rest of the depth.
        let rest = pair.moved(p.normal * (p.depth * part)).deepest().map_or(0.0, |p| p.depth);
        prop_assert!((rest - p.depth * (1.0 - part)).abs() < 1e-7, "{p:?}: {rest}");
        // No other way is shorter.
        let short = pair.moved(m.normalize_or(Vec3::X) * (p.depth * 0.99 - 1e-7));
        prop_assert!(p.depth < 1e-6 || !short.overlaps().points().is_empty(), "{p:?}");
    }

    #[test]
    fn earlier_questions_leave_no_trace(pair in pair(), other in pair()) {
        let first = pair.overlaps();
        other.overlaps();
        pair.moved(Vec3::new(1e-4, -2e-4, 1e-4)).overlaps();
        let again = pair.overlaps();
        prop_assert_eq!(first.points(), again.points());
        let elsewhere = std::thread::scope(|s| s.spawn(|| pair.overlaps()).join());
        let elsewhere = elsewhere.map_err(|_| TestCaseError::fail("panic"))?;
        prop_assert_eq!(first.points(), elsewhere.points());
    }
}

/// Whether another direction is as good as the normal found, so that rounding decides: seen by moving along the normal
/// until the bodies nearly part, where a rival has the same depth left but another direction.
fn ties(pair: &Pair, p: &PointOverlap) -> bool {
    [0.5, 0.9].iter().any(|part| {
        let later = pair.moved(p.normal * (p.depth * part)).deepest();
        later.is_none_or(|q| (q.normal - p.normal).length() > 1e-4)
    })
}
