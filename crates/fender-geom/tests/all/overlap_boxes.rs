//! Boxes against boxes: separating axes against brute force, and contacts that keep still.

use crate::random_cases::random_cases;
use fender_geom::{Shape, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn half() -> impl Strategy<Value = Vec3> {
    (0.05..1.0, 0.05..1.0, 0.05..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { translation: Vec3::new(x, y, z), rotation: Quat::IDENTITY }
}

/// Overlap of the two boxes along `n`, from their corners.
fn along(n: Vec3, a: Vec3, pose_a: &Pose, b: Vec3, pose_b: &Pose) -> f64 {
    let corners = |half: Vec3, pose: &Pose| {
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let heights =
            (0..8).map(|i| n.dot(pose.transform_point(half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2)))));
        heights.fold((f64::MAX, f64::MIN), |(low, high), h| (low.min(h), high.max(h)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (corners(a, pose_a), corners(b, pose_b));
    (high_b - low_a).min(high_a - low_b)
}

fn deepest(a: Vec3, pose_a: &Pose, b: Vec3, pose_b: &Pose) -> f64 {
    let found = overlaps(&Shape::Box { half: a }, pose_a, &Shape::Box { half: b }, pose_b);
    found.points().iter().map(|p| p.depth).fold(0.0, f64::max)
}

/// Luaces 2013, figure 4.12: no corner of one box is in the other.
#[test]
fn crossed_boxes_without_a_corner_inside_collide() {
    let bar = Vec3::new(1.0, 0.1, 0.1);
    let crossed = Pose { rotation: rotation::from_axis_angle(Vec3::Z, 1.2), ..at(0.1, 0.05, 0.15) };
    let found = overlaps(&Shape::Box { half: bar }, &crossed, &Shape::Box { half: bar }, &Pose::IDENTITY);
    let [p] = found.points() else { panic!("{found:?}") };
    assert!((p.depth - 0.05).abs() < 1e-12 && p.normal == Vec3::Z);
    // Edge to edge as well.
    let on_edge = |axis: Vec3| rotation::from_axis_angle(axis, std::f64::consts::FRAC_PI_4);
    let turned = rotation::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2) * on_edge(Vec3::X);
    let above = Pose { translation: Vec3::new(0.3, 0.2, 0.2 * 2.0_f64.sqrt() - 0.01), rotation: turned };
    let below = Pose { translation: Vec3::ZERO, rotation: on_edge(Vec3::X) };
    let found = overlaps(&Shape::Box { half: bar }, &above, &Shape::Box { half: bar }, &below);
    let [p] = found.points() else { panic!("{found:?}") };
    assert!((p.depth - 0.01).abs() < 1e-12 && p.normal.distance(Vec3::Z) < 1e-12);
    assert!((p.point - Vec3::new(0.3, 0.0, 0.1 * 2.0_f64.sqrt() - 0.005)).length() < 1e-9, "{p:?}");
}

proptest! {
    #![proptest_config(random_cases(2000))]

    /// No direction of the fifteen, nor of many others, is shorter, and the one found is as long as it says.
    #[test]
    fn depth_is_the_least_of_all_directions(a in half(), b in half(), offset in vector(1.5), turn in vector(3.0), other in vector(1.0)) {
        let pose_a = Pose { translation: offset, rotation: rotation::from_rotation_vector(turn) };
        let pose_b = Pose { translation: Vec3::ZERO, rotation: rotation::from_rotation_vector(other) };
        let axes = [pose_a, pose_b].map(|p| Vec3::AXES.map(|axis| p.rotation * axis));
        let mut directions: Vec<Vec3> = axes.concat();
        for u in axes[0] {
            directions.extend(axes[1].iter().filter_map(|v| u.cross(*v).try_normalize()));
        }
        let least = directions.iter().map(|n| along(*n, a, &pose_a, b, &pose_b)).fold(f64::MAX, f64::min);
        let depth = deepest(a, &pose_a, b, &pose_b);
        prop_assert!((depth - least.max(0.0)).abs() < 1e-9, "{depth} {least}");
        for i in 0..if least > 0.0 { 500 } else { 0 } {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 500.0;
            let (sin, cos) = (2.399_963 * f64::from(i)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            prop_assert!(along(Vec3::new(r * cos, r * sin, z), a, &pose_a, b, &pose_b) >= least - 1e-12);
        }
    }

    /// Anywhere in the world and at any size it is the same contact, but for rounding.
    #[test]
    fn size_and_place_change_nothing(a in half(), b in half(), offset in vector(1.0), turn in vector(3.0), size in -4.0..4.0_f64) {
        let scale = 10.0_f64.powf(size);
        let rotation = rotation::from_rotation_vector(turn);
        let one = deepest(a, &Pose { translation: offset, rotation }, b, &Pose::IDENTITY);
        let far = Vec3::splat(scale * 3.0);
        let other = deepest(a * scale, &Pose { translation: offset * scale + far, rotation }, b * scale, &at(far.x, far.y, far.z));
        prop_assert!((other / scale - one).abs() < 1e-9, "{one} {}", other / scale);
    }
}
