//! An ellipsoid against a half-space and a sphere.

use super::bend::Bend;
use super::half_space::Surface;
use super::sphere::Nearest;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use std::cmp::Ordering;

/// Ellipsoid of half axes `radii` [m] against a half-space: its lowest point. The normal points to the ellipsoid.
pub fn half_space(radii: Vec3, pose_wa: &Pose, surface: &Surface) -> Option<PointOverlap> {
    let normal = surface.normal;
    let down = pose_wa.rotation.inverse() * -normal;
    // Of the points with this outward normal, x = radii²·n/√(n·radii²·n).
    let reach = (radii * down).length();
    let lowest = radii * radii * down / reach;
    let depth = reach + surface.depth(pose_wa.translation);
    // A position that is not a number fails this test, and gives no overlap.
    (depth > 0.0).then(|| {
        let bend = bend(radii, down, reach);
        PointOverlap {
            point: pose_wa.transform_point(lowest),
            normal,
            depth,
            curvature: bend.mean,
            elongation: pose_wa.rotation * bend.elongation,
            share: 1.0,
        }
    })
}

/// Bend where the outward unit normal is `n` and the tangent plane is `reach` [m] from the centre. The surface is a level of
/// Σ x²/radii², so its form is the Hessian over the length of the gradient, seen in the tangent plane: reach·t·radii⁻²·t.
pub fn bend(radii: Vec3, n: Vec3, reach: f64) -> Bend {
    let (u, v) = n.any_orthonormal_pair();
    let (a, b) = (u / radii, v / radii);
    Bend::of_form(reach * a.dot(a), reach * a.dot(b), reach * b.dot(b), u, v)
}

/// Nearest place to `p` [m] on the ellipsoid of half axes `radii` [m].
///
/// It is x = radii²·p/(radii² + t), with the t for which x is on the surface. Beyond −(least radius)² the sum of (x/radii)² falls with t and is
/// convex, so that Newton's method from the left of the only root climbs to it and cannot miss it (as in Eberly 2013, "Distance from
/// a point to an ellipse, an ellipsoid, or a hyperellipsoid", who bisects).
pub fn nearest(p: Vec3, radii: Vec3) -> Nearest {
    let least = (0..3).fold(0, |least, i| if radii[i] < radii[least] { i } else { least });
    // t is counted from −(least radius)², so that it does not cancel there.
    let over = radii * radii - Vec3::splat(radii[least] * radii[least]);
    let scaled = radii * p.abs();
    let mut t = (scaled - over).max_element();
    let place = |i: usize, t: f64| if scaled[i] > 0.0 { scaled[i] / (over[i] + t) } else { 0.0 };
    let on_ball_at = |t: f64| Vec3::new(place(0, t), place(1, t), place(2, t));
    let mut on_ball = on_ball_at(t);
    for _ in 0..100 {
        let excess = on_ball.length_squared() - 1.0;
        // Its rate of change with t, negative.
        let per = |i: usize| if scaled[i] > 0.0 { on_ball[i] * on_ball[i] / (over[i] + t) } else { 0.0 };
        let next = t + 0.5 * excess / (per(0) + per(1) + per(2));
        // Rounding ends the climb; so does the middle, where this is not a number.
        if next.partial_cmp(&t) != Some(Ordering::Greater) {
            break;
        }
        t = next;
        on_ball = on_ball_at(t);
    }
    let rest = 1.0 - on_ball.length_squared();
    if rest > 0.0 && scaled[least] == 0.0 {
        // In a plane of symmetry, so near the middle that the nearest places are beside it, one on either side.
        on_ball[least] = rest.sqrt();
    }
    let signed = Vec3::new(on_ball.x.copysign(p.x), on_ball.y.copysign(p.y), on_ball.z.copysign(p.z));
    let surface = signed * radii;
    let normal = (signed / radii).normalize();
    let distance = normal.dot(p - surface);
    Nearest { surface, normal, distance, bend: bend(radii, normal, (radii * normal).length()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest of many points of the surface: distance without sign.
    fn sampled(p: Vec3, radii: Vec3) -> f64 {
        let mut best = f64::INFINITY;
        let count = 400;
        for i in 0..=count {
            for k in 0..2 * count {
                let (polar, around) = (f64::from(i) / f64::from(count), f64::from(k) / f64::from(count));
                let (sp, cp) = (polar * std::f64::consts::PI).sin_cos();
                let (sa, ca) = (around * std::f64::consts::PI).sin_cos();
                best = best.min(p.distance(Vec3::new(sp * ca, sp * sa, cp) * radii));
            }
        }
        best
    }

    #[test]
    fn nearest_places_are_on_the_surface_and_nothing_is_nearer() {
        let radii = Vec3::new(0.5, 0.3, 0.1);
        for p in [
            Vec3::new(1.0, -0.5, 0.3),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(0.0, 0.0, 0.02),
            Vec3::new(0.1, 0.05, 0.0),
            Vec3::new(0.49, 0.0, 0.0),
            Vec3::new(0.3, 0.1, 1e-12),
            Vec3::new(-0.2, 0.1, -0.03),
            Vec3::new(0.499, 1e-9, 0.0),
            Vec3::ZERO,
        ] {
            let found = nearest(p, radii);
            assert!(((found.surface / radii).length() - 1.0).abs() < 1e-12, "{p}: {:?}", found.surface);
            assert!((found.surface + found.normal * found.distance - p).length() < 1e-9, "{p}");
            let exact = sampled(p, radii);
            let distance = found.distance.abs();
            assert!(distance <= exact + 1e-12 && distance > exact - 2e-3, "{p}: {distance} {exact}");
            let inside = (p / radii).length() < 1.0;
            assert_eq!(found.distance < 0.0, inside, "{p}");
        }
        // A ball's middle has no nearest place of its own.
        let ball = nearest(Vec3::ZERO, Vec3::splat(0.5));
        assert!((ball.distance + 0.5).abs() < 1e-15 && (ball.bend.mean - 2.0).abs() < 1e-12);
    }
}
