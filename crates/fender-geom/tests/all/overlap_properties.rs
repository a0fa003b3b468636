//! What must hold for the overlaps of every pair of shapes, checked on random ones.

use crate::random_cases::random_cases;
use fender_contact::PointOverlap;
use fender_geom::narrow::{overlaps, supported};
use fender_geom::{Overlaps, Polyhedron, Shape};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::sync::Arc;

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
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
        polyhedron(),
        polyhedron(),
    ]
}

/// Points in a box, of which few or most are corners; some in its planes.
fn polyhedron() -> impl Strategy<Value = Shape> {
    let points = prop_oneof![
        proptest::collection::vec(vector(1.0), 4..8),
        proptest::collection::vec(vector(1.0), 8..40),
        proptest::collection::vec(vector(1.0).prop_map(|p| (p * 2.0).clamp(-Vec3::ONE, Vec3::ONE)), 20..40),
        proptest::collection::vec(vector(1.0).prop_map(|p| p.normalize_or(Vec3::X)), 20..60),
    ];
    (points, 0.3..1.0_f64, vector(0.5)).prop_filter_map("flat", |(points, size, at)| {
        let points: Vec<Vec3> = points.iter().map(|p| *p * size + at).collect();
        Polyhedron::hull(&points).ok().map(|p| Shape::Polyhedron(Arc::new(p)))
    })
}

/// A shape that meets spheres, and some of them half-spaces, with one of those; a sphere in a hole is small enough for it.
fn special() -> impl Strategy<Value = (Shape, Shape)> {
    let size = || 0.1..1.0_f64;
    let sized = (0..5_u8, size(), size(), size());
    (sized, 0.05..0.95_f64, any::<bool>(), any::<bool>()).prop_map(|((kind, a, b, c), ball, ground, swap)| {
        let sin = a / a.hypot(2.0 * b);
        let (shape, radius) = match kind {
            0 => (Shape::Ellipsoid { radii: Vec3::new(a, b, c) }, ball),
            1 => (Shape::Cone { radius: a, half_height: b }, ball),
            2 => (Shape::Bore { radius: a, half_height: b }, ball * a),
            3 => (Shape::Funnel { radius: a, half_height: b }, ball * b * sin),
            _ => (Shape::Edge { half_angle: a * std::f64::consts::FRAC_PI_2 }, ball),
        };
        let other = if ground && !shape.is_endless() { Shape::HalfSpace } else { Shape::Sphere { radius } };
        if swap { (other, shape) } else { (shape, other) }
    })
}

/// What rounding may change, in depths and forces of bodies of about 1 m at up to 20 m from the origin.
const EXACT: f64 = 1e-9;

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

    /// Force of a contact of stiffness 1 N/m on the first body and its moment about that body's centre. Rounding may
    /// double a point and split its share, which changes neither.
    fn wrench(&self) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for p in self.overlaps().points() {
            let f = p.normal * (p.share * p.depth);
            force += f;
            moment += (p.point - self.pose_a.translation).cross(f);
        }
        (force, moment)
    }

    fn has_half_space(&self) -> bool {
        matches!(self.a, Shape::HalfSpace) || matches!(self.b, Shape::HalfSpace)
    }

    /// The rim points that stand for a cap below the surface of a half-space do not include the deepest, nor do points that
    /// stand for several corners of a polyhedron.
    fn has_sampled_depth(&self) -> bool {
        let is_sampled = |s: &&Shape| match s {
            Shape::Cylinder { .. } | Shape::Cone { .. } => true,
            Shape::Polyhedron(p) => p.vertices().len() > 8,
            _ => false,
        };
        self.has_half_space() && [&self.a, &self.b].iter().any(is_sampled)
    }

    /// Whether a sphere is so near the tip of a funnel that it touches on both sides: then one normal does not part them.
    fn is_across(&self, p: &PointOverlap) -> bool {
        let (ball, funnel) = if matches!(self.a, Shape::Funnel { .. }) {
            (self.pose_b, self.pose_a)
        } else {
            (self.pose_a, self.pose_b)
        };
        let has_funnel = [&self.a, &self.b].iter().any(|s| matches!(s, Shape::Funnel { .. }));
        let away = if matches!(self.a, Shape::Funnel { .. }) { -p.normal } else { p.normal };
        let side = |center: Vec3| funnel.inverse_transform_point(center).truncate();
        let parted = ball.translation + away * p.depth;
        has_funnel && side(ball.translation).dot(side(parted)) <= 0.0
    }

    /// The normal is that of the least overlap only while it is small beside the bodies: deep inside, directions tie.
    fn is_shallow(&self, depth: f64) -> bool {
        depth < 0.3 * half_thickness(&self.a).min(half_thickness(&self.b))
    }

    /// Deeper than half the thinner one's thickness, the best of several directions on a rim may be missed.
    fn is_exact_at(&self, depth: f64) -> bool {
        let has_cylinder =
            matches!(self.a, Shape::Cylinder { .. }) || matches!(self.b, Shape::Cylinder { .. });
        !has_cylinder || depth < half_thickness(&self.a).min(half_thickness(&self.b))
    }
}

fn half_thickness(shape: &Shape) -> f64 {
    match *shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
        Shape::Box { half } => half.min_element(),
        Shape::Cylinder { radius, half_height } => radius.min(half_height),
        Shape::Ellipsoid { radii } => radii.min_element(),
        Shape::Cone { radius, half_height } => 0.5 * radius.min(half_height),
        Shape::Torus { tube, .. } | Shape::HalfTorus { tube, .. } | Shape::Link { tube, .. } => tube,
        Shape::HalfSpace
        | Shape::Bore { .. }
        | Shape::Funnel { .. }
        | Shape::Edge { .. }
        | Shape::Mesh(_) => f64::INFINITY,
        // How deep the middle of its vertices is in it.
        Shape::Polyhedron(ref p) => {
            let middle = p.vertices().iter().sum::<Vec3>() / p.vertices().len() as f64;
            -p.highest_face(middle).1
        }
    }
}

fn pair() -> impl Strategy<Value = Pair> {
    let common = (shape(), shape()).prop_filter("two half-spaces", |(a, b)| supported(a, b));
    let shapes = prop_oneof![2 => common, 1 => special()];
    (shapes, turn(), turn(), vector(1.0), 0.2..1.0_f64).prop_map(|((a, b), qa, qb, offset, closeness)| {
        let reach = |s: &Shape| match s {
            Shape::Bore { radius, .. } | Shape::Funnel { radius, .. } => 0.5 * radius,
            _ if s.is_endless() => 0.0,
            _ => s.bounding_radius(),
        };
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
        let deepest = found.points().iter().map(|p| p.depth).fold(0.0, f64::max);
        for p in found.points() {
            prop_assert!(p.depth > 0.0 && p.depth.is_finite());
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-12);
            prop_assert!(p.point.is_finite() && p.curvature >= 0.0 && p.curvature.is_finite());
            prop_assert!(p.normal.dot(p.elongation).abs() < 1e-9 * (1.0 + p.curvature), "{p:?}");
            prop_assert!(p.elongation.length() <= p.curvature * (1.0 + 1e-12), "{p:?}");
            prop_assert!(p.share >= 0.0 && p.share <= 1.0 + 1e-12, "{p:?}");
            // The point is in (or at the skin of) both bodies' bounding balls.
            if !pair.a.is_endless() {
                let far = (p.point - pair.pose_a.translation).length();
                // On a half-space the forces of a polyhedron act aside of its corners, all by as much (`polyhedron_shares.rs`).
                let is_aside = matches!(pair.a, Shape::Polyhedron(_)) && pair.has_half_space();
                let skin = if is_aside { deepest } else { p.depth };
                prop_assert!(far <= pair.a.bounding_radius() * (1.0 + 1e-9) + skin, "{skin}: {p:?}");
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
                    !pair.is_exact_at(p.depth.min(q.depth)) || (p.depth - q.depth).abs() < EXACT,
                    "{p:?} {q:?}"
                );
                if pair.is_shallow(p.depth) && !ties(&pair, &p) {
                    prop_assert!((p.normal + q.normal).length() < EXACT, "{p:?} {q:?}");
                }
            }
            (p, q) => {
                let depth = p.or(q).map_or(0.0, |p| p.depth);
                prop_assert!(depth < EXACT, "only one of {p:?} {q:?}");
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
                    !pair.is_exact_at(p.depth.min(m.depth)) || (p.depth - m.depth).abs() < EXACT,
                    "{p:?} {m:?}"
                );
                if pair.is_shallow(p.depth) && !ties(&pair, &p) {
                    prop_assert!((q * p.normal - m.normal).length() < EXACT, "{p:?} {m:?}");
                    let tolerance = 1e-6 * (1.0 + p.curvature);
                    prop_assert!((p.curvature - m.curvature).abs() < tolerance, "{p:?} {m:?}");
                    // Either way along its axis.
                    let turned = q * p.elongation;
                    let same = (turned - m.elongation).length().min((turned + m.elongation).length());
                    prop_assert!(same < tolerance, "{pair:?} {p:?} {m:?}");
                    let ((force, moment), (moved_force, moved_moment)) = (pair.wrench(), moved.wrench());
                    prop_assert!((q * force - moved_force).length() < EXACT, "{pair:?} {force} {moved_force}");
                    prop_assert!((q * moment - moved_moment).length() < EXACT, "{pair:?} {moment} {moved_moment}");
                }
            }
            (p, m) => {
                let depth = p.or(m).map_or(0.0, |p| p.depth);
                prop_assert!(depth < EXACT, "only one of {p:?} {m:?}");
            }
        }
    }

    #[test]
    fn turning_a_round_body_about_its_axis_changes_nothing(pair in pair(), a in -3.0..3.0_f64, b in -3.0..3.0_f64) {
        let spun = |shape: &Shape, pose: &Pose, angle: f64| {
            let is_round = matches!(
                shape,
                Shape::Cylinder { .. }
                    | Shape::Capsule { .. }
                    | Shape::Cone { .. }
                    | Shape::Bore { .. }
                    | Shape::Funnel { .. }
            );
            let turn = if is_round { rotation::from_axis_angle(Vec3::Z, angle) } else { Quat::IDENTITY };
            Pose { rotation: pose.rotation * turn, ..*pose }
        };
        let (pose_a, pose_b) = (spun(&pair.a, &pair.pose_a, a), spun(&pair.b, &pair.pose_b, b));
        let turned = Pair { pose_a, pose_b, ..pair.clone() };
        if pair.has_half_space() {
            // Rim points fixed to a cap are others, but their force and moment are not.
            let ((force, moment), (turned_force, turned_moment)) = (pair.wrench(), turned.wrench());
            prop_assert!((force - turned_force).length() < EXACT, "{force} {turned_force}");
            prop_assert!((moment - turned_moment).length() < EXACT, "{moment} {turned_moment}");
            return Ok(());
        }
        match (pair.deepest(), turned.deepest()) {
            (None, None) => {}
            (Some(p), Some(t)) => {
                prop_assert!(
                    !pair.is_exact_at(p.depth.min(t.depth)) || (p.depth - t.depth).abs() < EXACT,
                    "{p:?} {t:?}"
                );
                if pair.is_shallow(p.depth) && !ties(&pair, &p) {
                    prop_assert!((p.normal - t.normal).length() < EXACT, "{p:?} {t:?}");
                }
            }
            (p, t) => {
                let depth = p.or(t).map_or(0.0, |p| p.depth);
                prop_assert!(depth < EXACT, "only one of {p:?} {t:?}");
            }
        }
    }

    #[test]
    fn depth_is_what_it_takes_to_part_the_bodies(pair in pair(), part in 0.05..0.95_f64, m in vector(1.0)) {
        let Some(p) = pair.deepest().filter(|p| pair.is_exact_at(p.depth)) else { return Ok(()) };
        if pair.has_sampled_depth() || pair.is_across(&p) {
            return Ok(());
        }
        prop_assert!(pair.moved(p.normal * (p.depth + EXACT)).overlaps().points().is_empty());
        // Part of the way leaves the rest of the depth.
        let rest = pair.moved(p.normal * (p.depth * part)).deepest().map_or(0.0, |p| p.depth);
        prop_assert!((rest - p.depth * (1.0 - part)).abs() < EXACT, "{p:?}: {rest}");
        // No other way is shorter.
        let short = pair.moved(m.normalize_or(Vec3::X) * (p.depth * 0.99 - EXACT));
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
        later.is_none_or(|q| (q.normal - p.normal).length() > EXACT)
    })
}
