//! Length of a cable from one node through a ring or over a wheel to the next, and how it changes.
//!
//! Without friction the tension is the same on both sides, so that an element may go through or over something: its energy
//! depends on the whole length alone. Forces are minus tension times the gradient of the length; what guides takes the
//! opposite of both, in their lines of action, so that force and moment balance.

use fender_math::{Vec3, float};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Length of an element and its gradient.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    /// Length [m].
    pub(crate) length: f64,
    /// By the place of the first node.
    pub(crate) by_a: Vec3,
    /// By the place of the second node.
    pub(crate) by_b: Vec3,
    /// Distance of the nodes from where the guide begins [m]; the whole length for an element without one.
    pub(crate) sides: [f64; 2],
    /// The same without what lies on the guide [m].
    pub(crate) free: [f64; 2],
    /// Angle by which it lies around a wheel [rad]; none for an element that touches none.
    pub(crate) around: Option<f64>,
    /// Its centre of mass [m].
    pub(crate) middle: Vec3,
}

/// Between two nodes.
#[inline]
pub(crate) fn straight(a: Vec3, b: Vec3) -> Course {
    let span = b - a;
    let length = span.length();
    let d = if length > 0.0 { span / length } else { Vec3::ZERO };
    let middle = (a + b) * 0.5;
    Course { length, by_a: -d, by_b: d, sides: [length; 2], free: [length; 2], around: None, middle }
}

/// Through a ring.
pub(crate) fn ring(a: Vec3, b: Vec3, ring: Vec3) -> Course {
    let (first, second) = (straight(a, ring), straight(ring, b));
    let length = first.length + second.length;
    let middle = (first.middle * first.length + second.middle * second.length) / length.max(1e-300);
    Course {
        length,
        by_a: first.by_a,
        by_b: second.by_b,
        sides: [first.length, second.length],
        free: [first.length, second.length],
        around: None,
        middle,
    }
}

/// How a cable goes around a wheel.
struct Wrap {
    /// Straight lengths on both sides [m], and their gradients.
    sides: [f64; 2],
    gradients: [Vec3; 2],
    /// Angle on the rim at which it arrives, and how far it goes around [rad]; negative if it does not touch the wheel.
    from: f64,
    angle: f64,
    /// Directions from which angles are counted, and towards which they grow.
    axes: [Vec3; 2],
}

fn wrap(a: Vec3, b: Vec3, center: Vec3, axis: Vec3, radius: f64) -> Wrap {
    let u = axis.any_orthonormal_vector();
    let w = axis.cross(u);
    let half = |p: Vec3, sign: f64| -> (f64, f64, Vec3) {
        let p = p - center;
        let (x, y, h) = (p.dot(u), p.dot(w), p.dot(axis));
        // A node on the rim or inside stays just outside: it is taken out of the way before it comes so near.
        let rho = (x * x + y * y).sqrt().max(1.001 * radius);
        let tangent = (rho * rho - radius * radius).sqrt();
        let length = (tangent * tangent + h * h).sqrt();
        let place = float::atan2(y, x) + sign * float::atan2(tangent, radius);
        let outward = (u * x + w * y) / rho;
        let around = axis.cross(outward);
        let gradient = outward * (rho / length - radius * radius / (rho * tangent))
            - around * (sign * radius / rho)
            + axis * (h / length);
        (length, place, gradient)
    };
    let (la, from, by_a) = half(a, 1.0);
    let (lb, to, by_b) = half(b, -1.0);
    let mut angle = (to - from) % TAU;
    if angle < -FRAC_PI_2 {
        angle += TAU;
    }
    if angle >= 1.5 * PI {
        angle -= TAU;
    }
    Wrap { sides: [la, lb], gradients: [by_a, by_b], from, angle, axes: [u, w] }
}

/// Over a wheel: straight to it, along its rim by the right-hand rule about the axis, straight from it. Off the wheel where
/// a straight line is free of it.
pub(crate) fn sheave(a: Vec3, b: Vec3, center: Vec3, axis: Vec3, radius: f64) -> Course {
    let Wrap { sides: [la, lb], gradients: [by_a, by_b], angle, from, axes: [u, w] } =
        wrap(a, b, center, axis, radius);
    if angle < 0.0 {
        let course = straight(a, b);
        let part = la / (la + lb);
        let sides = [course.length * part, course.length * (1.0 - part)];
        return Course { sides, free: sides, ..course };
    }
    let length = la + radius * angle + lb;
    let rim = |angle: f64| {
        let (sin, cos) = float::sin_cos(angle);
        (u * cos + w * sin) * radius
    };
    let half = 0.5 * angle;
    // The centre of an arc is nearer to the axis by sin(α/2)/(α/2).
    let nearer = if half > 1e-6 { float::sin_cos(half).0 / half } else { 1.0 };
    let arc = center + rim(from + half) * nearer;
    let legs = (a + center + rim(from)) * (0.5 * la) + (b + center + rim(from + angle)) * (0.5 * lb);
    Course {
        length,
        by_a,
        by_b,
        sides: [la + 0.5 * radius * angle, lb + 0.5 * radius * angle],
        free: [la, lb],
        around: Some(angle),
        middle: (legs + arc * (radius * angle)) / length,
    }
}

/// Points on the rim of a wheel, at equal angles from where the cable arrives to where it leaves; on the straight line if it does
/// not touch.
pub(crate) fn rim(
    [a, b]: [Vec3; 2],
    center: Vec3,
    axis: Vec3,
    radius: f64,
    points: usize,
) -> impl Iterator<Item = Vec3> {
    let Wrap { from, angle, axes: [u, w], .. } = wrap(a, b, center, axis, radius);
    let last = points.saturating_sub(1).max(1) as f64;
    (0..points).map(move |i| {
        let part = i as f64 / last;
        if angle < 0.0 {
            return a + (b - a) * part;
        }
        let (sin, cos) = float::sin_cos(from + angle * part);
        center + (u * cos + w * sin) * radius
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_those_of_the_length() {
        let axis = Vec3::new(0.2, 1.0, -0.1).normalize();
        let center = Vec3::new(0.5, 0.3, 2.0);
        let (a, b) = (Vec3::new(-0.3, 0.35, -1.0), Vec3::new(1.4, 0.2, 0.5));
        let over = |a: Vec3, b: Vec3| sheave(a, b, center, axis, 0.4);
        let through = |a: Vec3, b: Vec3| ring(a, b, center);
        let courses: [&dyn Fn(Vec3, Vec3) -> Course; 3] = [&over, &through, &straight];
        for course in courses {
            let here = course(a, b);
            for axis in Vec3::AXES {
                let h = 1e-6;
                let da = (course(a + axis * h, b).length - course(a - axis * h, b).length) / (2.0 * h);
                let db = (course(a, b + axis * h).length - course(a, b - axis * h).length) / (2.0 * h);
                assert!((da - here.by_a.dot(axis)).abs() < 1e-8, "{da} {}", here.by_a.dot(axis));
                assert!((db - here.by_b.dot(axis)).abs() < 1e-8, "{db} {}", here.by_b.dot(axis));
            }
        }
    }

    #[test]
    fn half_a_turn_over_a_wheel() {
        // From below on the left, over the top, to below on the right: about −y by the right-hand rule is from left to right over the top... the
        // rim's upper half.
        let (a, b) = (Vec3::new(-0.4, 0.0, -3.0), Vec3::new(0.4, 0.0, -2.0));
        let course = sheave(a, b, Vec3::ZERO, Vec3::Y, 0.4);
        assert!((course.length - (5.0 + 0.4 * PI)).abs() < 1e-12, "{}", course.length);
        assert!((course.by_a - Vec3::new(0.0, 0.0, -1.0)).length() < 1e-12, "{:?}", course.by_a);
    }

    #[test]
    fn the_middle_is_that_of_its_points() {
        let (a, b) = (Vec3::new(-0.9, 0.0, -2.0), Vec3::new(1.4, 0.0, 0.5));
        let points: Vec<Vec3> = rim([a, b], Vec3::ZERO, Vec3::Y, 0.4, 2000).collect();
        let all = [&[a], points.as_slice(), &[b]].concat();
        let (mut sum, mut length) = (Vec3::ZERO, 0.0);
        for pair in all.windows(2) {
            let step = (pair[1] - pair[0]).length();
            sum += (pair[0] + pair[1]) * (0.5 * step);
            length += step;
        }
        let course = sheave(a, b, Vec3::ZERO, Vec3::Y, 0.4);
        assert!((course.middle - sum / length).length() < 1e-6, "{} {}", course.middle, sum / length);
    }

    #[test]
    fn the_rim_is_where_the_length_says() {
        let (a, b) = (Vec3::new(-0.9, 0.1, -2.0), Vec3::new(1.4, -0.2, 0.5));
        let over = |axis: Vec3| {
            let points: Vec<Vec3> = rim([a, b], Vec3::ZERO, axis, 0.4, 400).collect();
            let all = [&[a], points.as_slice(), &[b]].concat();
            let along: f64 = all.windows(2).map(|p| (p[1] - p[0]).length()).sum();
            (along, sheave(a, b, Vec3::ZERO, axis, 0.4).length)
        };
        let (along, length) = over(Vec3::Y);
        assert!((along - length).abs() < 1e-5 && length > (b - a).length(), "{along} {length}");
        // By the other hand it would go below the wheel, which is not in its way.
        let (along, length) = over(-Vec3::Y);
        assert!((along - length).abs() < 1e-12, "{along} {length}");
    }
}
