//! A convex solid among triangles: what the search for contacts with a mesh asks of it, in its own frame.

use crate::Shape;
use fender_math::Vec3;

/// The part of the segment from `a` to `b` that is in the solid, as fractions of it; `None` if none is.
pub fn inside(shape: &Shape, a: Vec3, b: Vec3) -> Option<(f64, f64)> {
    if let Shape::Polyhedron(polyhedron) = shape {
        return polyhedron.inside(a, b);
    }
    let d = b - a;
    // Places where the segment may cross the surface; between two of them it is inside or not.
    let mut cuts = [0.0, 1.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
    let mut count = 2;
    let mut cut = |t: f64| {
        if t > 0.0 && t < 1.0 && count < cuts.len() {
            cuts[count] = t;
            count += 1;
        }
    };
    let quadratic = |p: f64, q: f64, r: f64| {
        // p·t² + 2·q·t + r = 0, the root that does not cancel first.
        let root = (q * q - p * r).sqrt();
        let large = if q < 0.0 { root - q } else { -root - q };
        (large / p, r / large)
    };
    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
    match *shape {
        Shape::Box { half } => {
            for i in 0..3 {
                cut((half[i] - a[i]) / d[i]);
                cut((-half[i] - a[i]) / d[i]);
            }
        }
        Shape::Cylinder { radius, half_height } => {
            let (u, v) = (flat(a), flat(d));
            let (s, t) = quadratic(v.dot(v), u.dot(v), u.dot(u) - radius * radius);
            cut(s);
            cut(t);
            cut((half_height - a.z) / d.z);
            cut((-half_height - a.z) / d.z);
        }
        Shape::Cone { radius, half_height } => {
            // The radius at the height z is slope·(half_height − z).
            let slope = 0.5 * radius / half_height;
            let (u, v) = (flat(a), flat(d));
            let (w, x) = (slope * (half_height - a.z), -slope * d.z);
            let (s, t) = quadratic(v.dot(v) - x * x, u.dot(v) - w * x, u.dot(u) - w * w);
            cut(s);
            cut(t);
            cut((-half_height - a.z) / d.z);
        }
        Shape::Ellipsoid { radii } => {
            let (u, v) = (a / radii, d / radii);
            let (s, t) = quadratic(v.dot(v), u.dot(v), u.dot(u) - 1.0);
            cut(s);
            cut(t);
        }
        _ => return None,
    }
    let cuts = &mut cuts[..count];
    cuts.sort_by(f64::total_cmp);
    let mut part: Option<(f64, f64)> = None;
    for pair in cuts.windows(2) {
        if pair[1] > pair[0] && holds(shape, a + d * (0.5 * (pair[0] + pair[1]))) {
            // What lies between two pieces of a convex solid is in it.
            part = Some((part.map_or(pair[0], |p| p.0), pair[1]));
        }
    }
    part
}

/// Whether a solid holds `p` [m].
pub fn holds(shape: &Shape, p: Vec3) -> bool {
    let rho = Vec3::new(p.x, p.y, 0.0).length();
    match *shape {
        Shape::Box { half } => p.abs().cmple(half).all(),
        Shape::Cylinder { radius, half_height } => rho <= radius && p.z.abs() <= half_height,
        Shape::Cone { radius, half_height } => {
            p.z >= -half_height && rho <= 0.5 * radius * (half_height - p.z) / half_height
        }
        Shape::Ellipsoid { radii } => (p / radii).length_squared() <= 1.0,
        Shape::Polyhedron(ref polyhedron) => polyhedron.holds(p),
        _ => false,
    }
}

/// How far a solid reaches from its origin along the unit direction `n` [m].
pub fn reach(shape: &Shape, n: Vec3) -> f64 {
    let across = Vec3::new(n.x, n.y, 0.0).length();
    match *shape {
        Shape::Box { half } => n.abs().dot(half),
        Shape::Cylinder { radius, half_height } => radius * across + half_height * n.z.abs(),
        Shape::Cone { radius, half_height } => (half_height * n.z).max(radius * across - half_height * n.z),
        Shape::Ellipsoid { radii } => (radii * n).length(),
        Shape::Capsule { radius, half_height } => radius + half_height * n.z.abs(),
        Shape::Sphere { radius } => radius,
        Shape::Polyhedron(ref polyhedron) => polyhedron.reach(n),
        _ => f64::INFINITY,
    }
}

/// Outward normals of the flat faces.
pub fn faces(shape: &Shape) -> &[Vec3] {
    const ALL: [Vec3; 6] = [Vec3::NEG_Z, Vec3::Z, Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y];
    match shape {
        Shape::Box { .. } => &ALL,
        Shape::Cylinder { .. } => &ALL[..2],
        Shape::Cone { .. } => &ALL[..1],
        Shape::Polyhedron(polyhedron) => polyhedron.normals(),
        _ => &[],
    }
}
