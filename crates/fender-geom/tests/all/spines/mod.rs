//! Spines of tubes, written down apart from the code under test.

use fender_geom::Shape;
use fender_math::Vec3;
use std::f64::consts::PI;

/// Radius of a tube's bar [m].
pub fn bar(shape: &Shape) -> f64 {
    match *shape {
        Shape::Torus { tube, .. } | Shape::HalfTorus { tube, .. } | Shape::Link { tube, .. } => tube,
        _ => panic!("{shape:?} is no tube"),
    }
}

pub fn is_tube(shape: &Shape) -> bool {
    matches!(shape, Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. })
}

pub fn is_closed(shape: &Shape) -> bool {
    !matches!(shape, Shape::HalfTorus { .. })
}

/// Length of a tube's spine [m].
pub fn length(shape: &Shape) -> f64 {
    match *shape {
        Shape::Torus { radius, .. } => 2.0 * PI * radius,
        Shape::HalfTorus { radius, .. } => PI * radius,
        Shape::Link { radius, half_straight, .. } => 2.0 * PI * radius + 4.0 * half_straight,
        _ => panic!("{shape:?} is no tube"),
    }
}

/// Place on a tube's spine, after the part `t` of its length. A link begins in the middle of its upper straight.
pub fn spine(shape: &Shape, t: f64) -> Vec3 {
    let circle = |x: f64, r: f64, angle: f64| Vec3::new(x + r * angle.cos(), r * angle.sin(), 0.0);
    match *shape {
        Shape::Torus { radius, .. } => circle(0.0, radius, 2.0 * PI * t),
        Shape::HalfTorus { radius, .. } => circle(0.0, radius, PI * t.clamp(0.0, 1.0)),
        Shape::Link { radius: r, half_straight: h, .. } => {
            let mut s = t.rem_euclid(1.0) * length(shape);
            if s < h {
                return Vec3::new(-s, r, 0.0);
            }
            s -= h;
            if s < PI * r {
                return circle(-h, r, PI / 2.0 + s / r);
            }
            s -= PI * r;
            if s < 2.0 * h {
                return Vec3::new(s - h, -r, 0.0);
            }
            s -= 2.0 * h;
            if s < PI * r {
                return circle(h, r, s / r - PI / 2.0);
            }
            Vec3::new(h - (s - PI * r), r, 0.0)
        }
        _ => panic!("{shape:?} is no tube"),
    }
}
