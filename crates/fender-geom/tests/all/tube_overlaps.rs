//! Tubes against everything: what is found against a ball moved along the spine in small steps.

use crate::random_cases::random_cases;
use crate::spines::{bar, is_tube, length, spine};
use fender_contact::PointOverlap;
use fender_geom::{Shape, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;

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

fn tube() -> impl Strategy<Value = Shape> {
    (0..3_u8, 0.1..1.0_f64, 0.1..0.9_f64, 0.05..1.0_f64).prop_map(|(kind, radius, part, half_straight)| {
        let tube = part * radius;
        match kind {
            0 => Shape::Torus { radius, tube },
            1 => Shape::HalfTorus { radius, tube },
            _ => Shape::Link { radius, half_straight, tube },
        }
    })
}

/// Everything that a tube meets, but half-spaces (which have shares of their own) and meshes.
fn other() -> impl Strategy<Value = Shape> {
    let size = || 0.1..1.0_f64;
    prop_oneof![
        4 => tube(),
        1 => size().prop_map(|radius| Shape::Sphere { radius }),
        1 => (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
        1 => (size(), size()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
        1 => (size(), size()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
        1 => (size(), size()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
        1 => (size(), size(), size()).prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
        1 => (size(), size()).prop_map(|(radius, half_height)| Shape::Bore { radius, half_height }),
        1 => (size(), size()).prop_map(|(radius, half_height)| Shape::Funnel { radius, half_height }),
        1 => size().prop_map(|a| Shape::Edge { half_angle: a * std::f64::consts::FRAC_PI_2 }),
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
    fn points(&self) -> Vec<PointOverlap> {
        overlaps(&self.a, &self.pose_a, &self.b, &self.pose_b).points().to_vec()
    }

    fn swapped(&self) -> Self {
        Self { a: self.b.clone(), pose_a: self.pose_b, b: self.a.clone(), pose_b: self.pose_a }
    }

    fn deepest(&self) -> Option<PointOverlap> {
        self.points().into_iter().reduce(|p, q| if q.depth > p.depth { q } else { p })
    }

    /// Depth of the ball at the part `t` of the spine, not positive if it is apart by so much.
    fn ball_depth(&self, t: f64) -> f64 {
        let center = self.pose_a.transform_point(spine(&self.a, t));
        let radius = bar(&self.a);
        if is_tube(&self.b) {
            // The other spine in small steps, then between its neighbours.
            let own = self.pose_b.inverse_transform_point(center);
            let count = 400;
            let at = |u: f64| own.distance(spine(&self.b, u));
            let best = (0..=count)
                .map(|k| f64::from(k) / f64::from(count))
                .reduce(|u, v| if at(v) < at(u) { v } else { u });
            let best = best.unwrap_or(0.0);
            let (mut low, mut high) = (best - 1.0 / f64::from(count), best + 1.0 / f64::from(count));
            for _ in 0..60 {
                let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if at(u) < at(v) { high = v } else { low = u }
            }
            return radius + bar(&self.b) - at(0.5 * (low + high));
        }
        let ball = Shape::Sphere { radius };
        let pose = Pose { translation: center, rotation: Quat::IDENTITY };
        // A larger ball, so that the depth is known also when they are apart.
        let more = 0.5;
        let larger = Shape::Sphere { radius: radius + more };
        let found = overlaps(&ball, &pose, &self.b, &self.pose_b);
        if let [p] = found.points() {
            return p.depth;
        }
        overlaps(&larger, &pose, &self.b, &self.pose_b).points().first().map_or(-more, |p| p.depth - more)
    }

    /// The deepest depth along the spine, and its place.
    fn sampled(&self) -> (f64, f64) {
        let count = 300;
        let at = |t: f64| self.ball_depth(t);
        let best = (0..=count)
            .map(|k| f64::from(k) / f64::from(count))
            .map(|t| (at(t), t))
            .reduce(|x, y| if y.0 > x.0 { y } else { x });
        let (_, best) = best.unwrap_or((0.0, 0.0));
        let (mut low, mut high) = (best - 1.0 / f64::from(count), best + 1.0 / f64::from(count));
        for _ in 0..50 {
            let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(u) > at(v) { high = v } else { low = u }
        }
        let t = 0.5 * (low + high);
        (at(t), t)
    }
}

fn pair_of(a: Shape, b: Shape, (qa, qb): (Quat, Quat), offset: Vec3, closeness: f64) -> Pair {
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
}

fn pair() -> impl Strategy<Value = Pair> {
    (tube(), other(), (turn(), turn()), vector(1.0), 0.05..1.0_f64)
        .prop_map(|(a, b, turns, offset, closeness)| pair_of(a, b, turns, offset, closeness))
}

const EXACT: f64 = 1e-9;

proptest! {
    #![proptest_config(random_cases(2000))]

    /// Nothing that a ball finds on its way along the spine is missed, and nothing else is found.
    #[test]
    fn the_deepest_place_is_that_of_a_ball_moved_along_the_spine(pair in pair()) {
        let (depth, t) = pair.sampled();
        let found = pair.deepest().map_or(0.0, |p| p.depth);
        let size = pair.a.bounding_radius() + 1.0;
        // With the spine inside the other, the distance has edges, and the deepest of several lows beside each other may be missed.
        let close = if depth < bar(&pair.a) { EXACT * size } else { 0.02 * depth };
        prop_assert!(found > depth.max(0.0) - close, "{pair:?}: {found}, and {depth} at {t}");
        let step = length(&pair.a) / 300.0;
        prop_assert!(found <= depth.max(0.0) + step, "{pair:?}: {found}, and {depth} at {t}");
    }

    #[test]
    fn points_are_sound(pair in pair()) {
        let radius = bar(&pair.a);
        for p in pair.points() {
            prop_assert!(p.depth > 0.0 && p.depth.is_finite());
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-12);
            prop_assert!(p.point.is_finite() && p.curvature >= 0.0 && p.curvature.is_finite(), "{pair:?} {p:?}");
            prop_assert!(p.normal.dot(p.elongation).abs() < 1e-6 * (1.0 + p.curvature), "{p:?}");
            prop_assert!(p.elongation.length() <= p.curvature * (1.0 + 1e-12), "{p:?}");
            prop_assert!(p.share > 0.0 && p.share <= 1.0 + 1e-12, "{p:?}");
            // It is where the ball at the nearest place of the spine is that deep: on the bar, or half as deep in it.
            let own = pair.pose_a.inverse_transform_point(p.point);
            let count = 2000;
            let far = (0..=count).map(|k| own.distance(spine(&pair.a, f64::from(k) / f64::from(count)))).fold(f64::INFINITY, f64::min);
            let step = length(&pair.a) / f64::from(count);
            let down = [radius, (radius - 0.5 * p.depth).abs()];
            prop_assert!(down.iter().any(|d| far <= d + step), "{pair:?} {p:?} {far} {down:?}");
        }
    }

    /// Shares of contacts on one side add up to one.
    #[test]
    fn contacts_on_one_side_share_the_stiffness(pair in pair()) {
        let points = pair.points();
        for p in &points {
            let same_side: f64 = points.iter().filter(|q| p.normal.dot(q.normal) > 0.99).map(|q| q.share).sum();
            // Deep down normals turn from one point to the next: not all are on the same side of each other.
            prop_assert!(same_side <= 1.1, "{points:?}");
        }
        let deepest = points.iter().map(|p| p.depth).fold(0.0, f64::max);
        if !points.is_empty() {
            let sum: f64 = points.iter().map(|p| p.share).sum();
            // Little is lost where a station is almost on the side of the lowest place, more where normals turn fast.
            let least = if deepest < 0.5 * bar(&pair.a) { 0.9 } else { 0.5 };
            prop_assert!(sum > least, "{pair:?}: {points:?}");
        }
    }

    #[test]
    fn exchanging_the_bodies_turns_the_normals(pair in pair()) {
        let (p, q) = (pair.deepest(), pair.swapped().deepest());
        let depth = |p: Option<PointOverlap>| p.map_or(0.0, |p| p.depth);
        prop_assert!((depth(p) - depth(q)).abs() < EXACT, "{p:?} {q:?}");
        if !is_tube(&pair.b) {
            let (p, mut q) = (pair.points(), pair.swapped().points());
            for q in &mut q {
                q.normal = -q.normal;
            }
            prop_assert_eq!(p, q);
        } else if let ([p], [q]) = (&pair.points()[..], &pair.swapped().points()[..]) {
            prop_assert!(p.depth < EXACT || p.depth > 0.9 * bar(&pair.a).min(bar(&pair.b)) || (p.normal + q.normal).length() < 1e-6, "{p:?} {q:?}");
        }
    }

    #[test]
    fn a_common_motion_changes_nothing(pair in pair(), by in vector(20.0), q in turn()) {
        let motion = Pose { translation: by, rotation: q };
        let moved = Pair { pose_a: motion * pair.pose_a, pose_b: motion * pair.pose_b, ..pair.clone() };
        let (p, m) = (pair.points(), moved.points());
        let deep = |p: &[PointOverlap]| p.iter().map(|p| p.depth).fold(0.0, f64::max);
        prop_assert!((deep(&p) - deep(&m)).abs() < EXACT, "{pair:?}: {p:?} {m:?}");
        if let ([p], [m]) = (&p[..], &m[..]) {
            // Along a stretch that is level, or where the normal has ties, rounding decides.
            let is_level = p.curvature - p.elongation.length() < 1e-3 * p.curvature;
            if !is_level && p.depth < 0.5 * bar(&pair.a) && p.depth > EXACT {
                prop_assert!((q * p.normal - m.normal).length() < 1e-6, "{pair:?}: {p:?} {m:?}");
                prop_assert!(motion.transform_point(p.point).distance(m.point) < 1e-6, "{pair:?}: {p:?} {m:?}");
                prop_assert!((p.curvature - m.curvature).abs() < 1e-4 * p.curvature, "{pair:?}: {p:?} {m:?}");
            }
        }
    }

    /// From 1e-4 m to 1e4 m the same up to the unit.
    #[test]
    fn size_does_not_matter(pair in pair(), power in -4..=4_i32) {
        let k = 10.0_f64.powi(power);
        let large = Pair {
            a: scaled(&pair.a, k),
            b: scaled(&pair.b, k),
            pose_a: Pose { translation: pair.pose_a.translation * k, ..pair.pose_a },
            pose_b: pair.pose_b,
        };
        let (p, q) = (pair.deepest(), large.deepest());
        let depth = |p: Option<PointOverlap>| p.map_or(0.0, |p| p.depth);
        // With the spine inside the other, rounding may decide between lows beside each other.
        if depth(p) < bar(&pair.a) {
            prop_assert!((depth(p) - depth(q) / k).abs() < EXACT, "{pair:?}: {p:?} {q:?}");
        }
    }

    #[test]
    fn tubes_far_away_and_places_that_are_no_numbers_touch_nothing(pair in pair(), way in vector(1.0)) {
        let mut apart = pair.clone();
        if !apart.b.is_endless() {
            let far = pair.a.bounding_radius() + pair.b.bounding_radius();
            apart.pose_a.translation = way.normalize_or(Vec3::X) * (far * 1.001);
            prop_assert!(apart.points().is_empty());
        }
        for bad in [f64::NAN, f64::INFINITY] {
            let mut nowhere = pair.clone();
            nowhere.pose_a.translation.y = bad;
            prop_assert!(nowhere.points().is_empty());
            prop_assert!(nowhere.swapped().points().is_empty());
        }
    }
}

fn scaled(shape: &Shape, k: f64) -> Shape {
    match *shape {
        Shape::Torus { radius, tube } => Shape::Torus { radius: radius * k, tube: tube * k },
        Shape::HalfTorus { radius, tube } => Shape::HalfTorus { radius: radius * k, tube: tube * k },
        Shape::Link { radius, half_straight, tube } => {
            Shape::Link { radius: radius * k, half_straight: half_straight * k, tube: tube * k }
        }
        Shape::Sphere { radius } => Shape::Sphere { radius: radius * k },
        Shape::Box { half } => Shape::Box { half: half * k },
        Shape::Cylinder { radius, half_height } => {
            Shape::Cylinder { radius: radius * k, half_height: half_height * k }
        }
        Shape::Capsule { radius, half_height } => {
            Shape::Capsule { radius: radius * k, half_height: half_height * k }
        }
        Shape::Cone { radius, half_height } => {
            Shape::Cone { radius: radius * k, half_height: half_height * k }
        }
        Shape::Ellipsoid { radii } => Shape::Ellipsoid { radii: radii * k },
        Shape::Bore { radius, half_height } => {
            Shape::Bore { radius: radius * k, half_height: half_height * k }
        }
        Shape::Funnel { radius, half_height } => {
            Shape::Funnel { radius: radius * k, half_height: half_height * k }
        }
        ref same => same.clone(),
    }
}
