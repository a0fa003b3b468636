//! Curvature and elongation against the gap itself: two surfaces that just touch are measured around the point, by bisection along
//! the normal with nothing but the question whether a point is inside.

use crate::inside::holds;
use crate::random_cases::random_cases;
use fender_geom::{Shape, overlaps};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;

/// Gap of two touching surfaces over the point `at`, along `n` from the second to the first [m].
fn gap(a: (&Shape, &Pose), b: (&Shape, &Pose), at: Vec3, n: Vec3, reach: f64) -> f64 {
    let surface = |inside: &dyn Fn(f64) -> bool| {
        let (mut out, mut within) = (-reach, reach);
        for _ in 0..80 {
            let middle = 0.5 * (out + within);
            if inside(middle) {
                within = middle;
            } else {
                out = middle;
            }
        }
        0.5 * (out + within)
    };
    let above = surface(&|h| holds(a.0, a.1, at + n * h));
    let below = surface(&|h| holds(b.0, b.1, at - n * h));
    above + below
}

/// Compares curvature and elongation with the gap at `step` [m] from the point, all around.
#[track_caller]
fn compare(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose, step: f64, tolerance: f64) {
    let found = overlaps(a, &pose_a, b, &pose_b);
    let [p] = found.points() else { panic!("{a:?} {b:?}: {found:?}") };
    let touching = Pose { translation: pose_a.translation + p.normal * p.depth, ..pose_a };
    let (u, v) = p.normal.any_orthonormal_pair();
    // From the surface of the first, wherever on the normal the point is.
    let reach = 20.0 * step;
    let on_surface = {
        let (mut out, mut within) = (-p.depth - reach, p.depth + reach);
        for _ in 0..80 {
            let middle = 0.5 * (out + within);
            if holds(a, &touching, p.point + p.normal * middle) { within = middle } else { out = middle }
        }
        p.point + p.normal * (0.5 * (out + within))
    };
    for i in 0..12 {
        let (sin, cos) = (f64::from(i) * std::f64::consts::PI / 12.0).sin_cos();
        let along = u * cos + v * sin;
        // Both ways, so that odd terms cancel.
        let side = |s: f64| gap((a, &touching), (b, &pose_b), on_surface + along * s, p.normal, reach);
        let measured = 0.5 * (side(step) + side(-step)) / (step * step);
        // A·x² + B·y² with A + B and B − A, x along the elongation.
        let length = p.elongation.length();
        let double = if length > 0.0 { 2.0 * (along.dot(p.elongation) / length).powi(2) - 1.0 } else { 0.0 };
        let expected = 0.5 * (p.curvature - length * double);
        assert!(
            (measured - expected).abs() < tolerance * p.curvature,
            "{a:?} {pose_a:?} {b:?} {pose_b:?}: {p:?} along {along}: {measured}, not {expected}"
        );
    }
}

fn at(translation: Vec3) -> Pose {
    Pose { translation, rotation: Quat::IDENTITY }
}

fn turn() -> impl Strategy<Value = Quat> {
    (-3.0..3.0, -3.0..3.0, -3.0..3.0).prop_map(|(x, y, z)| rotation::from_rotation_vector(Vec3::new(x, y, z)))
}

/// Compares with both in a common random position, in either order.
fn compare_turned(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose, by: Quat) {
    let motion = Pose { translation: Vec3::new(0.3, -0.2, 0.1), rotation: by };
    compare(a, motion * pose_a, b, motion * pose_b, 3e-4, 2e-4);
    compare(b, motion * pose_b, a, motion * pose_a, 3e-4, 2e-4);
}

/// The same with bodies whose smallest radius is `size` [m]: steps in proportion to it.
fn compare_near(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose, size: f64, by: Quat) {
    let motion = Pose { translation: Vec3::new(0.3, -0.2, 0.1), rotation: by };
    compare(a, motion * pose_a, b, motion * pose_b, 1e-3 * size, 1e-3);
    compare(b, motion * pose_b, a, motion * pose_a, 1e-3 * size, 1e-3);
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn sphere_on_the_side_of_a_cylinder_and_a_capsule(r in 0.1..1.0_f64, round in 0.1..1.0_f64, q in turn()) {
        let ball = Shape::Sphere { radius: r };
        let pose = at(Vec3::new(0.6, 0.8, 0.0) * ((r + round) * 0.999) + Vec3::Z * 0.2);
        compare_turned(&ball, pose, &Shape::Cylinder { radius: round, half_height: 0.5 }, Pose::IDENTITY, q);
        compare_turned(&ball, pose, &Shape::Capsule { radius: round, half_height: 0.5 }, Pose::IDENTITY, q);
    }

    #[test]
    fn sphere_in_a_bore(hole in 0.2..1.0_f64, part in 0.1..0.9_f64, q in turn()) {
        let ball = Shape::Sphere { radius: part * hole };
        let pose = at(Vec3::new(0.6, 0.8, 0.0) * (hole * (1.001 - part)) + Vec3::Z * 0.2);
        compare_turned(&ball, pose, &Shape::Bore { radius: hole, half_height: 0.5 }, Pose::IDENTITY, q);
        compare_turned(&ball, pose, &Shape::Bore { radius: hole, half_height: f64::INFINITY }, Pose::IDENTITY, q);
    }

    /// The curvature depends on how far from the tip the sphere touches.
    #[test]
    fn sphere_on_a_cone_and_in_a_funnel(
        r in 0.1..1.0_f64, radius in 0.3..1.0_f64, half in 0.2..1.0_f64, place in 0.3..0.9_f64, q in turn(),
    ) {
        let slant = radius.hypot(2.0 * half);
        let (sin, cos) = (radius / slant, 2.0 * half / slant);
        let (out, normal) = (Vec3::new(0.6, 0.8, 0.0), 0.999 * r);
        let touch = out * (place * radius) + Vec3::Z * (half - 2.0 * half * place);
        let pose = at(touch + (out * cos + Vec3::Z * sin) * normal);
        compare_turned(&Shape::Sphere { radius: r }, pose, &Shape::Cone { radius, half_height: half }, Pose::IDENTITY, q);
        // Inside, a ball that is clear of the opposite wall: its centre stays on this side of the axis.
        let r = 0.9 * r * place * radius / cos;
        let touch = out * (place * radius) + Vec3::Z * (2.0 * half * place - half);
        let pose = at(touch + (Vec3::Z * sin - out * cos) * (0.999 * r));
        compare_turned(&Shape::Sphere { radius: r }, pose, &Shape::Funnel { radius, half_height: half }, Pose::IDENTITY, q);
    }

    #[test]
    fn ellipsoid_on_a_plane_and_on_a_sphere(
        x in 0.2..1.0_f64, y in 0.2..1.0_f64, z in 0.2..1.0_f64, r in 0.1..1.0_f64, turned in turn(), q in turn(),
    ) {
        let radii = Vec3::new(x, y, z);
        let egg = Shape::Ellipsoid { radii };
        // Its height over the plane, and a sphere outside of its lowest point.
        let down = turned.inverse() * -Vec3::Z;
        let reach = (radii * down).length();
        let pose = Pose { translation: Vec3::Z * (reach - 1e-4), rotation: turned };
        compare_turned(&egg, pose, &Shape::HalfSpace, Pose::IDENTITY, q);
        let lowest = pose.transform_point(radii * radii * down / reach);
        let ball = Shape::Sphere { radius: r };
        compare_turned(&egg, pose, &ball, at(lowest - Vec3::Z * (r - 1e-4)), q);
    }

    /// Outside, above and in the hole of a torus, where it is hollow the one way and round the other.
    #[test]
    fn sphere_on_a_torus(
        r in 0.1..0.5_f64, radius in 0.3..1.0_f64, part in 0.2..0.7_f64, side in -3.1..3.1_f64, around in 0.1..3.0_f64, q in turn(),
    ) {
        let tube = part * radius;
        // Small enough for the hole.
        let r = if side.cos() < 0.0 { r * (radius - tube) } else { r };
        let out = Vec3::new(around.cos(), around.sin(), 0.0);
        let up = out * side.cos() + Vec3::Z * side.sin();
        let center = out * radius + up * (tube + r - 1e-4 * r);
        let ball = Shape::Sphere { radius: r };
        compare_near(&ball, at(center), &Shape::Torus { radius, tube }, Pose::IDENTITY, r.min(tube), q);
        compare_near(&ball, at(center), &Shape::HalfTorus { radius, tube }, Pose::IDENTITY, r.min(tube), q);
        // The arc of a link, and its straight, which is a cylinder.
        let link = Shape::Link { radius, half_straight: 0.3, tube };
        let arc = at(center + Vec3::X * 0.3_f64.copysign(out.x));
        if out.x.abs() > 0.1 {
            compare_near(&ball, arc, &link, Pose::IDENTITY, r.min(tube), q);
        }
        let up = Vec3::Y * side.cos() + Vec3::Z * side.sin();
        let straight = at(Vec3::new(0.05, radius, 0.0) + up * (tube + r - 1e-4 * r));
        compare_near(&ball, straight, &link, Pose::IDENTITY, r.min(tube), q);
    }

    /// Two tori that touch outside each other with their bars at any angle.
    #[test]
    fn torus_on_torus(
        ra in 0.3..1.0_f64, rb in 0.3..1.0_f64, parts in (0.2..0.7_f64, 0.2..0.7_f64),
        sides in (-1.4..1.4_f64, -1.4..1.4_f64), angle in -3.0..3.0_f64, q in turn(),
    ) {
        let (ta, tb) = (parts.0 * ra, parts.1 * rb);
        // Both with the contact at the origin and the normal along z, from the second to the first.
        let placed = |radius: f64, tube: f64, side: f64, down: Vec3| {
            let up = Vec3::new(side.cos(), 0.0, side.sin());
            let rotation = rotation::between(up, down);
            Pose { translation: -(rotation * (Vec3::X * radius + up * tube)), rotation }
        };
        let pose_b = placed(rb, tb, sides.1, Vec3::Z);
        let spin = Pose { translation: Vec3::Z * (-1e-4 * ta), rotation: rotation::from_axis_angle(Vec3::Z, angle) };
        let pose_a = spin * placed(ra, ta, sides.0, -Vec3::Z);
        let (a, b) = (Shape::Torus { radius: ra, tube: ta }, Shape::Torus { radius: rb, tube: tb });
        if overlaps(&a, &pose_a, &b, &pose_b).points().len() == 1 {
            compare_near(&a, pose_a, &b, pose_b, ta.min(tb), q);
        }
    }

    /// The crowns of two links that hang in each other.
    #[test]
    fn links_in_tension(turned in -0.1..0.1_f64, pull in 1e-5..1e-4_f64, q in turn()) {
        let link = Shape::Link { radius: 1.175, half_straight: 0.725, tube: 0.5 };
        let rotation = rotation::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2 + turned);
        let pose = Pose { translation: Vec3::X * (2.8 + pull), rotation };
        compare_near(&link, pose, &link, Pose::IDENTITY, 0.5, q);
    }

    #[test]
    fn a_torus_that_stands_on_the_ground(radius in 0.3..1.0_f64, part in 0.2..0.7_f64, tilt in -0.5..0.5_f64, q in turn()) {
        let tube = part * radius;
        let rotation = rotation::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2 + tilt);
        let pose = Pose { translation: Vec3::Z * (radius * tilt.cos() + tube - 1e-4 * tube), rotation };
        compare_near(&Shape::Torus { radius, tube }, pose, &Shape::HalfSpace, Pose::IDENTITY, tube, q);
    }

    #[test]
    fn the_end_of_a_capsule_is_a_ball(r in 0.1..0.5_f64, round in 0.1..1.0_f64, tilt in 0.1..1.5_f64, q in turn()) {
        let capsule = Shape::Capsule { radius: r, half_height: 0.5 };
        let axis = Vec3::new(tilt.cos(), 0.0, tilt.sin());
        let end = Vec3::X * ((r + round) - 1e-4);
        let pose = Pose { translation: end + axis * 0.5, rotation: rotation::between(Vec3::Z, axis) };
        let side = Shape::Cylinder { radius: round, half_height: 2.0 };
        let found = overlaps(&capsule, &pose, &side, &Pose::IDENTITY);
        for p in found.points() {
            prop_assert!((p.curvature - (1.0 / r + 0.5 / round)).abs() < 1e-9 * p.curvature, "{found:?}");
            prop_assert!((p.elongation.abs() - Vec3::Z * (0.5 / round)).length() < 1e-9 * p.curvature);
        }
        if found.points().len() == 1 {
            compare_turned(&capsule, pose, &side, Pose::IDENTITY, q);
        }
    }
}
