//! Distances of all pairs of shapes, proved in another way than they are found: the two points are in the shapes, and a plane across
//! the line between them has one shape on either side, so that nothing is nearer.

use crate::inside::holds;
use crate::meshes;
use crate::pairs::{Chance, Library, Pair, reach};
use crate::random_cases::random_cases;
use fender_geom::distance::{closest, has_distance, meet};
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Vec3, float};
use proptest::prelude::*;
use std::sync::Arc;

const SOLIDS: [&str; 6] = ["sphere", "box", "capsule", "cylinder", "cone", "ellipsoid"];

/// Whether a solid, grown by a part of 1e-9, holds a point.
fn nearly_holds(shape: &Shape, pose: &Pose, p: Vec3) -> bool {
    let inward = pose.translation - p;
    holds(shape, pose, p) || holds(shape, pose, p + inward * 1e-9)
}

/// Checks the distance of two convex shapes that are not much nearer than their size.
fn proved(pair: &Pair, size: f64) -> Result<(), TestCaseError> {
    let [a, b] = &pair.shapes;
    let [pose_a, pose_b] = &pair.poses;
    let [p, q] = closest(a, pose_a, b, pose_b).expect("they have a distance");
    let distance = p.distance(q);
    let text = pair.text();
    prop_assert_eq!(meet(a, pose_a, b, pose_b), distance == 0.0, "{}", text);
    // The projections end early between sides that are nearly parallel: in about one of 10⁶ pairs, by up to 1e-10.
    let is_round = |s: &Shape| matches!(s.name(), "cylinder" | "cone" | "ellipsoid");
    let near = if is_round(a) || is_round(b) { 1e-10 } else { 1e-13 } * size;
    let [s, r] = closest(b, pose_b, a, pose_a).expect("they have a distance");
    prop_assert!((r.distance(s) - distance).abs() <= near, "{} {} {}", distance, r.distance(s), text);
    // A common motion changes nothing.
    let motion = Pose { translation: Vec3::new(0.3, -0.2, 0.5) * size, rotation: pair.poses[0].rotation };
    let [s, r] = closest(a, &(motion * *pose_a), b, &(motion * *pose_b)).expect("they have a distance");
    prop_assert!((r.distance(s) - distance).abs() <= near, "{} {} {}", distance, r.distance(s), text);
    if distance > 1e-3 * size {
        prop_assert!(nearly_holds(a, pose_a, p) && nearly_holds(b, pose_b, q), "{}", text);
        let n = (q - p) / distance;
        let between = -reach(b, pose_b, -n) - reach(a, pose_a, n);
        // Round surfaces tell the direction to half of the digits, and long sides turn that into a gap.
        prop_assert!((between - distance).abs() <= 1e-9 * size, "{} {} {}", between, distance, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(1000))]

    /// Each pair of kinds, at any scale.
    #[test]
    fn nothing_is_nearer(seed in any::<u64>(), e in -4.0..4.0_f64) {
        let mut library = Library::default();
        let scale = float::pow(10.0, e);
        let mut chance = Chance(seed);
        for (i, a) in SOLIDS.iter().enumerate() {
            for b in &SOLIDS[i..] {
                proved(&chance.pair([a, b], [0.4, 1.5], scale, &mut library), scale)?;
            }
        }
    }

    /// A triangle, often without area, is the nearest of several as it is alone.
    #[test]
    fn triangles_and_solids(seed in any::<u64>(), e in -4.0..4.0_f64, thin in 0..5_u8) {
        let mut library = Library::default();
        let scale = float::pow(10.0, e);
        let mut chance = Chance(seed);
        let mut vertices = Vec::new();
        for _ in 0..7 {
            let (a, b, c) = (chance.vector(), chance.vector(), chance.vector());
            let c = match thin { 0 => a.lerp(b, 0.3), 1 => a.lerp(b, 0.3) + c * 1e-7, _ => c };
            vertices.extend([a, b, c].map(|p| p * (0.7 * scale)));
        }
        let triangles: Vec<[u32; 3]> = (0..7).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let whole = Shape::Mesh(Arc::new(TriMesh::new(&vertices, &triangles).expect("triangles")));
        let alone: Vec<Shape> = triangles
            .iter()
            .map(|t| Shape::Mesh(Arc::new(TriMesh::new(&vertices, &[*t]).expect("a triangle"))))
            .collect();
        for kind in SOLIDS {
            let mut pair = chance.pair([kind, "half_space"], [0.0, 1.5], scale, &mut library);
            pair.poses[1].rotation = pair.poses[0].rotation;
            let mut least = f64::INFINITY;
            for triangle in &alone {
                pair.shapes[1] = triangle.clone();
                pair.names[1] = "triangle".to_owned();
                let [p, q] = closest(&pair.shapes[0], &pair.poses[0], triangle, &pair.poses[1]).expect("a distance");
                proved_flat(&pair, [p, q], scale)?;
                least = least.min(p.distance(q));
            }
            let [p, q] = closest(&pair.shapes[0], &pair.poses[0], &whole, &pair.poses[1]).expect("a distance");
            prop_assert!((p.distance(q) - least).abs() <= 1e-13 * scale, "{} {} {}", p.distance(q), least, pair.text());
            prop_assert_eq!(meet(&whole, &pair.poses[1], &pair.shapes[0], &pair.poses[0]), least == 0.0);
        }
        // The triangles with each other.
        let turned = Pose { translation: chance.direction() * (1.5 * scale), rotation: chance.turn() };
        let mut least = f64::INFINITY;
        for a in &alone {
            for b in &alone {
                let [p, q] = closest(a, &turned, b, &Pose::IDENTITY).expect("a distance");
                let distance = p.distance(q);
                least = least.min(distance);
                prop_assert_eq!(meet(a, &turned, b, &Pose::IDENTITY), distance == 0.0);
                if distance > 1e-3 * scale {
                    let n = (q - p) / distance;
                    let between = -reach(b, &Pose::IDENTITY, -n) - reach(a, &turned, n);
                    prop_assert!((between - distance).abs() <= 1e-10 * scale, "{} {}", between, distance);
                }
            }
        }
        let [p, q] = closest(&whole, &turned, &whole, &Pose::IDENTITY).expect("a distance");
        prop_assert!((p.distance(q) - least).abs() <= 1e-13 * scale, "{} {}", p.distance(q), least);
    }
}

/// The same for a triangle, whose plane may be anywhere.
fn proved_flat(pair: &Pair, [p, q]: [Vec3; 2], size: f64) -> Result<(), TestCaseError> {
    let distance = p.distance(q);
    if distance > 1e-3 * size {
        prop_assert!(nearly_holds(&pair.shapes[0], &pair.poses[0], p), "{}", pair.text());
        let n = (q - p) / distance;
        let between = -reach(&pair.shapes[1], &pair.poses[1], -n) - reach(&pair.shapes[0], &pair.poses[0], n);
        prop_assert!((between - distance).abs() <= 1e-9 * size, "{} {} {}", between, distance, pair.text());
    }
    Ok(())
}

/// Pairs with distances and nearest points by coal 3.0.3 (the former hpp-fcl), written by
/// `cargo run --release -p fender-geom --example distances -- --peers VENV --reference FILE`.
#[test]
fn distances_are_those_of_coal() {
    let mut library = Library::default();
    let mut count = 0;
    for line in include_str!("../coal/distances.txt").lines().filter(|line| !line.starts_with('#')) {
        let (pair, answer) = line.split_once('=').expect("a pair and an answer");
        let pair = Pair::read(&mut pair.split_whitespace(), &mut library).expect("a pair");
        let numbers: Vec<f64> = answer.split_whitespace().map(|w| w.parse().expect("a number")).collect();
        let [p, q] =
            closest(&pair.shapes[0], &pair.poses[0], &pair.shapes[1], &pair.poses[1]).expect("a distance");
        assert!((p.distance(q) - numbers[0]).abs() < 1e-8, "{line}: {}", p.distance(q));
        let [r, s] = [1, 4].map(|i| Vec3::from_slice(&numbers[i..i + 3]));
        // coal's points on round surfaces have half the digits of its distances.
        let round = pair.shapes.iter().any(|s| matches!(s.name(), "cylinder" | "cone" | "ellipsoid"));
        let near = if round { 2e-4 } else { 1e-7 };
        assert!(p.distance(r).max(q.distance(s)) < near, "{line}: {p} {q}");
        count += 1;
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn pairs_without_a_distance_say_so() {
    let mesh = Shape::Mesh(Arc::new(meshes::potato(2).mesh()));
    let endless = [
        Shape::Bore { radius: 0.3, half_height: 0.5 },
        Shape::Funnel { radius: 0.3, half_height: 0.5 },
        Shape::Edge { half_angle: 0.6 },
    ];
    let mut all = vec![Shape::HalfSpace, mesh];
    all.extend(endless);
    let (mut chance, mut library) = (Chance(1), Library::default());
    all.extend(SOLIDS.map(|kind| chance.shape(kind, 1.0, &mut library)));
    let high = Pose::from_translation(Vec3::new(0.01, 0.02, 9.0));
    for a in &all {
        for b in &all {
            let found = closest(a, &high, b, &Pose::IDENTITY);
            assert_eq!(found.is_some(), has_distance(a, b), "{} {}", a.name(), b.name());
            let bad = Pose::from_translation(Vec3::new(f64::NAN, 0.0, 0.0));
            assert_eq!(closest(a, &bad, b, &Pose::IDENTITY), None, "{} {}", a.name(), b.name());
            assert!(!meet(a, &bad, b, &Pose::IDENTITY), "{} {}", a.name(), b.name());
        }
    }
}

#[test]
fn what_is_inside_meets_a_solid() {
    let ball = |n: u32, radius: f64| Shape::Mesh(Arc::new(meshes::ball(n, |_| radius).mesh()));
    let (large, small) = (ball(8, 1.0), ball(4, 0.2));
    let at = Pose::from_translation(Vec3::new(0.1, 0.2, -0.1));
    let grain = Shape::Sphere { radius: 0.1 };
    let brick = Shape::Box { half: Vec3::splat(0.1) };
    for inner in [&small, &grain, &brick] {
        assert!(meet(&large, &Pose::IDENTITY, inner, &at) && meet(inner, &at, &large, &Pose::IDENTITY));
        let [p, q] = closest(&large, &Pose::IDENTITY, inner, &at).expect("a distance");
        assert_eq!(p, q);
    }
    let cube = Shape::Box { half: Vec3::splat(2.0) };
    assert!(meet(&cube, &Pose::IDENTITY, &small, &at));
}
