//! Tubes in positions whose contacts are known, against meshes, and their distances.

use crate::meshes::{self, triangle_distance};
use crate::random_cases::random_cases;
use crate::spines::{bar, is_closed, length, spine};
use fender_contact::PointOverlap;
use fender_geom::distance::closest;
use fender_geom::narrow::{Method, method};
use fender_geom::{Shape, TriMesh, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn turned(pose: Pose, axis: Vec3, angle: f64) -> Pose {
    Pose { rotation: rotation::from_axis_angle(axis, angle), ..pose }
}

fn points(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<PointOverlap> {
    overlaps(a, pose_a, b, pose_b).points().to_vec()
}

/// A chain link of a bar of 10 mm.
const LINK: Shape = Shape::Link { radius: 0.01175, half_straight: 0.00725, tube: 0.005 };
const RING: Shape = Shape::Torus { radius: 0.4, tube: 0.1 };
const HALF: Shape = Shape::HalfTorus { radius: 0.4, tube: 0.1 };

#[test]
fn two_linked_links_in_tension_touch_at_one_point_in_the_middle() {
    // The inner edges of the crowns meet where the frames' origins are an inner length apart: twice 14 mm.
    let pitch = 2.0 * (0.01175 + 0.00725 - 0.005);
    for stretch in [1e-7, 1e-5, 1e-3] {
        // Near a right angle; farther off the crowns touch beside the middle, as their hollows are narrow.
        for turn in [FRAC_PI_2, 1.5, 1.45] {
            let lower = at(0.0, 0.0, 0.0);
            let upper = turned(at(pitch + stretch, 0.0, 0.0), Vec3::X, turn);
            let found = points(&LINK, &upper, &LINK, &lower);
            let [p] = found[..] else { panic!("{stretch} {turn}: {found:?}") };
            // The crowns' bars overlap by how far they are pulled beyond the pitch.
            assert!((p.depth - stretch).abs() < 1e-15, "{p:?}");
            assert!((p.normal - Vec3::X).length() < 1e-9 || (p.normal + Vec3::X).length() < 1e-9, "{p:?}");
            assert!(p.normal.x < 0.0, "the lower link pulls the upper one toward itself: {p:?}");
            assert!((p.point - Vec3::X * 0.5 * (pitch + stretch)).length() < 1e-10, "{p:?}");
            assert_eq!(p.share, 1.0);
        }
    }
    // Just not pulled.
    let upper = turned(at(pitch - 1e-9, 0.0, 0.0), Vec3::X, FRAC_PI_2);
    assert!(points(&LINK, &upper, &LINK, &Pose::IDENTITY).is_empty());
}

/// Crossed crowns: 1/r across each, −1/(R − r) along each; turned by a right angle the sum is round.
#[test]
fn crossed_crowns_bend_as_textbooks_say() {
    let pitch = 2.0 * (0.01175 + 0.00725 - 0.005);
    let upper = turned(at(pitch + 1e-6, 0.0, 0.0), Vec3::X, FRAC_PI_2);
    let found = points(&LINK, &upper, &LINK, &Pose::IDENTITY);
    let exact = 1.0 / 0.005 - 1.0 / (0.01175 - 0.005);
    assert!((found[0].curvature - exact).abs() < 1e-9 * exact, "{found:?}");
    assert!(found[0].elongation.length() < 1e-6 * exact, "{found:?}");
}

#[test]
fn a_ring_that_lies_touches_evenly() {
    let block = Shape::Box { half: Vec3::new(2.0, 2.0, 1.0) };
    let ball = Shape::Sphere { radius: 1.0 };
    // On the ground, on a block, on another ring, and over a ball: its centre 0.8 below, at the distance √(0.4² + 1.02²).
    let cases = [
        (RING, at(0.1, 0.2, 0.09), Shape::HalfSpace, 0.01),
        (RING, at(0.1, 0.2, 1.09), block, 0.01),
        (RING, at(0.0, 0.0, 0.19), RING, 0.01),
        (RING, at(0.0, 0.0, 1.02), ball, 1.1 - 0.4_f64.hypot(1.02)),
    ];
    for (ring, pose, other, depth) in cases {
        let found = points(&ring, &pose, &other, &Pose::IDENTITY);
        assert_eq!(found.len(), 4, "{other:?}: {found:?}");
        let mut middle = Vec3::ZERO;
        for p in &found {
            assert!((p.depth - depth).abs() < 1e-12, "{other:?}: {p:?}");
            assert!((p.share - 0.25).abs() < 1e-9, "{other:?}: {p:?}");
            assert!(p.normal.z > 0.9, "{p:?}");
            middle += (p.point - pose.translation) * 0.25;
        }
        assert!(middle.truncate().length() < 1e-12, "{other:?}: {middle}");
    }
}

#[test]
fn a_link_lies_on_four_joints_and_stands_on_two() {
    let link = Shape::Link { radius: 0.4, half_straight: 0.3, tube: 0.1 };
    let block = Shape::Box { half: Vec3::new(2.0, 2.0, 1.0) };
    let found = points(&link, &at(0.0, 0.0, 1.09), &block, &Pose::IDENTITY);
    assert_eq!(found.len(), 4, "{found:?}");
    for p in &found {
        assert!((p.point.abs().truncate() - Vec3::new(0.3, 0.4, 0.0).truncate()).length() < 1e-12, "{p:?}");
        assert!((p.share - 0.25).abs() < 1e-9 && (p.depth - 0.01).abs() < 1e-12, "{p:?}");
    }
    let standing = turned(at(0.0, 0.0, 1.49), Vec3::X, FRAC_PI_2);
    let found = points(&link, &standing, &block, &Pose::IDENTITY);
    assert_eq!(found.len(), 2, "{found:?}");
    for p in &found {
        assert!((p.point.x.abs() - 0.3).abs() < 1e-9 && (p.share - 0.5).abs() < 1e-9, "{p:?}");
    }
    // On its crown it stands on one point.
    let upright = turned(at(0.0, 0.0, 1.79), Vec3::Y, FRAC_PI_2);
    let found = points(&link, &upright, &block, &Pose::IDENTITY);
    let [p] = found[..] else { panic!("{found:?}") };
    assert!((p.depth - 0.01).abs() < 1e-12 && (p.share - 1.0).abs() < 1e-9, "{p:?}");
}

#[test]
fn a_ring_around_a_post_touches_where_it_leans() {
    let post = Shape::Cylinder { radius: 0.2, half_height: 2.0 };
    let found = points(&RING, &at(0.11, 0.0, 0.0), &post, &Pose::IDENTITY);
    let [p] = found[..] else { panic!("{found:?}") };
    // The inner edge at −0.3 + 0.11 against the post's at −0.2.
    assert!((p.depth - 0.01).abs() < 1e-12 && (p.normal + Vec3::X).length() < 1e-9, "{p:?}");
    // Around a square post that is too thick, all four corners touch.
    let square = Shape::Box { half: Vec3::new(0.22, 0.22, 2.0) };
    let found = points(&RING, &at(0.0, 0.0, 0.0), &square, &Pose::IDENTITY);
    assert_eq!(found.len(), 4, "{found:?}");
    for p in &found {
        assert!(
            (p.depth - (0.22 * 2.0_f64.sqrt() - 0.3)).abs() < 1e-12 && (p.share - 1.0).abs() < 1e-9,
            "{p:?}"
        );
    }
}

/// A bar between the two straights of a narrow link touches both.
#[test]
fn a_bar_in_a_narrow_link_touches_both_sides() {
    let narrow = Shape::Link { radius: 0.19, half_straight: 0.5, tube: 0.1 };
    let ring = Shape::Torus { radius: 0.8, tube: 0.1 };
    // The ring's bar passes through the hole across the plane of the link.
    let pose = turned(at(0.8, 0.0, 0.0), Vec3::X, FRAC_PI_2);
    for found in
        [points(&ring, &pose, &narrow, &Pose::IDENTITY), points(&narrow, &Pose::IDENTITY, &ring, &pose)]
    {
        assert_eq!(found.len(), 2, "{found:?}");
        for p in &found {
            assert!((p.depth - 0.01).abs() < 1e-12 && (p.share - 1.0).abs() < 1e-9, "{p:?}");
            assert!(p.normal.y.abs() > 1.0 - 1e-9, "{p:?}");
        }
        assert!(found[0].normal.dot(found[1].normal) < 0.0);
    }
}

#[test]
fn spines_that_cross_are_parted_across_both() {
    let found = points(&RING, &turned(at(0.4, 0.0, 0.0), Vec3::X, FRAC_PI_2), &RING, &at(0.0, 0.0, 0.0));
    // The first one's spine passes through the second's at (0.4 ± 0.4, 0, 0): at the origin there is nothing, at 0.8 neither; the
    // second's at 0.4 is the middle of the first.
    assert!(found.is_empty());
    let crossed = turned(at(0.8, 0.0, 0.0), Vec3::X, FRAC_PI_2);
    let found = points(&RING, &crossed, &RING, &at(0.0, 0.0, 0.0));
    let deepest = found.iter().map(|p| p.depth).fold(0.0, f64::max);
    assert!((deepest - 0.2).abs() < 1e-9, "{found:?}");
    for p in &found {
        assert!(p.point.is_finite() && (p.normal.length() - 1.0).abs() < 1e-12);
        assert!(p.normal.x > 1.0 - 1e-9, "{p:?}");
    }
    // At one place altogether they have no normal of their own, but some.
    let found = points(&RING, &Pose::IDENTITY, &RING, &Pose::IDENTITY);
    assert!(!found.is_empty());
    for p in found {
        assert!(
            p.point.is_finite() && (p.depth - 0.2).abs() < 1e-9 && (p.normal.length() - 1.0).abs() < 1e-12
        );
    }
}

#[test]
fn every_pair_has_a_method() {
    let mesh = Shape::Mesh(Arc::new(meshes::cuboid(Vec3::ONE, 1).mesh()));
    let others = [
        Shape::Sphere { radius: 1.0 },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::ONE },
        Shape::Cylinder { radius: 1.0, half_height: 1.0 },
        Shape::Capsule { radius: 1.0, half_height: 1.0 },
        Shape::Ellipsoid { radii: Vec3::ONE },
        Shape::Cone { radius: 1.0, half_height: 1.0 },
        Shape::Bore { radius: 1.0, half_height: 1.0 },
        Shape::Funnel { radius: 1.0, half_height: 1.0 },
        Shape::Edge { half_angle: 0.5 },
        mesh,
        RING,
        HALF,
        LINK,
    ];
    for tube in [RING, HALF, LINK] {
        for other in &others {
            assert_eq!(method(&tube, other), Ok(Method::NearestOnSpine));
            assert_eq!(method(other, &tube), Ok(Method::NearestOnSpine));
            assert!(!tube.can_meet_flat(other));
        }
    }
}

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn turn() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(rotation::from_rotation_vector)
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

/// Least distance of places on the spine from what `far` measures, by small steps and then between neighbours.
fn nearest_on_spine(tube: &Shape, pose: &Pose, far: impl Fn(Vec3) -> f64) -> f64 {
    let at = |t: f64| far(pose.transform_point(spine(tube, t)));
    let count = 400;
    // From every place that is nearer than those beside it: of two that are almost as near the samples may prefer the wrong one.
    let step = 1.0 / f64::from(count);
    let samples: Vec<f64> = (-1..=count + 1).map(|k| at(step * f64::from(k))).collect();
    let is_low = |k: &usize| samples[*k] <= samples[k - 1] && samples[*k] <= samples[k + 1];
    let lows = (1..samples.len() - 1).filter(is_low).map(|k| step * (k as f64 - 1.0));
    let refined = lows.map(|t| {
        // Not beyond the ends of an open spine, where a search for the least would stay on level ground.
        let inside = |t: f64| if is_closed(tube) { t } else { t.clamp(0.0, 1.0) };
        let (mut low, mut high) = (inside(t - step), inside(t + step));
        for _ in 0..60 {
            let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(u) < at(v) { high = v } else { low = u }
        }
        at(0.5 * (low + high))
    });
    refined.fold(f64::INFINITY, f64::min)
}

/// A ring that stands in a flat groove, deeper in one facet than in the other: the deepest place has most of the stiffness, and nothing jumps as the ring
/// moves over until it touches one facet only. (A station at the deepest place once belonged to the other one, which then had all.)
#[test]
fn a_ring_in_a_flat_groove_is_held_at_its_deepest_place() {
    let slope: f64 = 0.125;
    let groove = Shape::Mesh(Arc::new(meshes::sheet(2, 2, |x, _| slope * x.abs()).mesh()));
    let ring = Shape::Torus { radius: 0.22, tube: 0.07 };
    let tilt = slope.atan();
    // Deep by this in both when it is in the middle.
    let deep = 2e-3;
    let height = (0.29 - deep) / tilt.cos();
    let mut last: Option<f64> = None;
    for i in 0..400 {
        let x = f64::from(i) * 5e-5;
        let pose = turned(at(x, 0.0, height), Vec3::X, FRAC_PI_2);
        let found = points(&ring, &pose, &groove, &Pose::IDENTITY);
        let force: f64 = found.iter().map(|p| p.share * p.depth).sum();
        let deepest = deep + x * tilt.sin();
        let most = found.iter().map(|p| p.depth).fold(0.0, f64::max);
        assert!((most - deepest).abs() < 1e-6, "{x}: {most} {deepest} {found:?}");
        assert!(force > 0.5 * deepest && force < 2.0 * deepest, "{x}: {force} {deepest} {found:?}");
        assert!(last.is_none_or(|last| (force - last).abs() < 0.02 * deepest), "{x}: {last:?} {force}");
        last = Some(force);
    }
}

/// A ring that lies across two ridges is held at four places, also where a place is opposite of another.
#[test]
fn a_ring_on_two_ridges_touches_at_four_places() {
    let ridges = meshes::sheet(8, 2, |x, _| -2.0 * (x.abs() - 0.5).abs()).mapped(|p| p * 0.3).mesh();
    let ridges = Shape::Mesh(Arc::new(ridges));
    let ring = Shape::Torus { radius: 0.2, tube: 0.04 };
    for aside in [Vec3::ZERO, Vec3::new(0.003, 0.01, 0.0), Vec3::new(-0.002, -0.001, 0.0)] {
        let pose = Pose::from_translation(aside + Vec3::Z * 0.039);
        let found = overlaps(&ring, &pose, &ridges, &Pose::IDENTITY);
        // A station beside a place may take some of its share.
        for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let here = || found.points().iter().filter(|p| p.point.x * x > 0.0 && p.point.y * y > 0.0);
            let deepest = here().map(|p| p.depth).fold(0.0, f64::max);
            let share: f64 = here().map(|p| p.share).sum();
            assert!((deepest - 1e-3).abs() < 1e-9 && (share - 0.25).abs() < 1e-3, "{aside}: {found:?}");
        }
    }
}

proptest! {
    #![proptest_config(random_cases(1000))]

    /// As Luaces 2013, section 4.6.4, with the nearest place found by trying.
    #[test]
    fn a_tube_and_a_triangle(
        tube in tube(), pose in (turn(), vector(0.8)), corners in (vector(1.0), vector(1.0), vector(1.0)),
    ) {
        let corners = [corners.0, corners.1, corners.2];
        let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
        prop_assume!(area > 1e-2);
        let pose = Pose { rotation: pose.0, translation: pose.1 };
        let mesh = Shape::Mesh(Arc::new(TriMesh::new(&corners, &[[0, 1, 2]]).unwrap()));
        let found = points(&tube, &pose, &mesh, &Pose::IDENTITY);
        let exact = bar(&tube) - nearest_on_spine(&tube, &pose, |p| triangle_distance(p, corners));
        let deepest = found.iter().map(|p| p.depth).fold(0.0, f64::max);
        let step = length(&tube) / 400.0;
        let close = 1e-9;
        prop_assert!(deepest > exact.max(0.0) - close, "{tube:?} {pose:?} {corners:?}: {deepest}, not {exact}: {found:?}");
        prop_assert!(deepest < exact.max(0.0) + step, "{tube:?} {pose:?} {corners:?}: {deepest}, not {exact}: {found:?}");
        for p in &found {
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-12 && p.share > 0.0 && p.share <= 1.0 + 1e-12);
            prop_assert!(p.curvature.is_finite() && p.elongation.length() <= p.curvature * (1.0 + 1e-12), "{p:?}");
        }
    }

    /// A closed mesh is a solid: the cube as triangles and the box.
    #[test]
    fn a_tube_and_a_cube_of_triangles(tube in tube(), half in vector(1.0), pose in (turn(), vector(1.2))) {
        let half = half.abs() + Vec3::splat(0.1);
        let pose = Pose { rotation: pose.0, translation: pose.1 };
        let cuboid = Shape::Box { half };
        let mesh = Shape::Mesh(Arc::new(meshes::cuboid(half, 1).mesh()));
        let (on_box, on_mesh) =
            (points(&tube, &pose, &cuboid, &Pose::IDENTITY), points(&tube, &pose, &mesh, &Pose::IDENTITY));
        let deepest = |p: &[PointOverlap]| p.iter().map(|p| p.depth).fold(0.0, f64::max);
        // With the spine inside, lows are close to each other.
        let depth = deepest(&on_box);
        let close = if depth < bar(&tube) { 1e-9 } else { 0.02 * depth };
        prop_assert!((depth - deepest(&on_mesh)).abs() < close, "{tube:?} {pose:?} {half}: {on_box:?} {on_mesh:?}");
    }

    /// Finely divided or not, a floor is a floor.
    #[test]
    fn a_tube_on_a_floor_of_triangles(tube in tube(), turned in turn(), sink in 0.001..0.05_f64, shift in vector(0.1)) {
        let floor = |n: u32| Shape::Mesh(Arc::new(meshes::sheet(n, n, |_, _| 0.0).mapped(|p| p * 3.0).mesh()));
        let lowest = nearest_on_spine(&tube, &Pose { rotation: turned, translation: Vec3::ZERO }, |p| p.z);
        let height = bar(&tube) - lowest - sink * bar(&tube);
        let pose = Pose { rotation: turned, translation: Vec3::new(shift.x, shift.y, height) };
        let (coarse, fine) = (points(&tube, &pose, &floor(1), &Pose::IDENTITY), points(&tube, &pose, &floor(37), &Pose::IDENTITY));
        let wrench = |points: &[PointOverlap]| points.iter().fold((Vec3::ZERO, Vec3::ZERO), |(f, m), p| {
            let force = p.normal * (p.depth * p.share);
            (f + force, m + p.point.cross(force))
        });
        let (a, b) = (wrench(&coarse), wrench(&fine));
        prop_assert!(a.0.z > 0.0);
        let size = 1e-6 * sink * bar(&tube);
        prop_assert!((a.0 - b.0).length() < size && (a.1 - b.1).length() < size, "{tube:?} {pose:?}: {coarse:?} {fine:?}");
    }

    #[test]
    fn nearest_points(a in tube(), b in tube(), kind in 0..8_u8, size in (0.1..1.0_f64, 0.1..1.0_f64), pose in (turn(), vector(2.5))) {
        let pose = Pose { rotation: pose.0, translation: pose.1 };
        let (s, t) = size;
        let other = match kind {
            0 | 1 => b,
            2 => Shape::Sphere { radius: s },
            3 => Shape::Box { half: Vec3::new(s, t, 0.5) },
            4 => Shape::Cylinder { radius: s, half_height: t },
            5 => Shape::HalfSpace,
            6 => Shape::Cone { radius: s, half_height: t },
            _ => Shape::Mesh(Arc::new(meshes::cuboid(Vec3::new(s, t, 0.5), 1).mesh())),
        };
        let [p, q] = closest(&a, &pose, &other, &Pose::IDENTITY).unwrap();
        let [r, s] = closest(&other, &Pose::IDENTITY, &a, &pose).unwrap();
        prop_assert!((p.distance(q) - s.distance(r)).abs() < 1e-9, "{p} {q}, {s} {r}");
        // A ball moved along the spine is nowhere nearer, and the points are on the surfaces.
        let ball = |center: Vec3| {
            let at = Pose::from_translation(center);
            let [p, q] = closest(&Shape::Sphere { radius: 1e-9 }, &at, &other, &Pose::IDENTITY).unwrap();
            p.distance(q)
        };
        let exact = (nearest_on_spine(&a, &pose, ball) + 1e-9 - bar(&a)).max(0.0);
        prop_assert!((p.distance(q) - exact).abs() < 2e-9, "{a:?} {pose:?} {other:?}: {} {exact}", p.distance(q));
        if exact > 1e-6 {
            prop_assert!(nearest_on_spine(&a, &pose, |c| c.distance(p)) < bar(&a) + 1e-9);
            prop_assert!(ball(q) < 2e-9, "{q} is {} off {other:?}", ball(q));
        }
    }
}
