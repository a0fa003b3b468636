//! One triangle: its nearest place to a point.

use fender_math::Vec3;

/// Part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Face,
    /// From this corner to the next.
    Edge(usize),
    Corner(usize),
}

/// A triangle whose height is a smaller part of its longest side than this has no area worth a normal.
const THIN: f64 = 1e-10;
/// Below this part, its nearest place is found in another way.
const SLIM: f64 = 1e-3;

/// Nearest place of the triangle to `p`, and the part it is on (Ericson 2005, section 5.1.5). A triangle without area is its sides.
#[inline]
pub(crate) fn nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Region) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let longest = ab.length_squared().max(ac.length_squared()).max(b.distance_squared(c));
    if ab.cross(ac).length_squared() <= (SLIM * longest) * (SLIM * longest) {
        return on_slim(p, [a, b, c]);
    }
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Region::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Region::Corner(1));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Region::Corner(2));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Region::Edge(0));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Region::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    let (to_c, to_b) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && to_b >= 0.0 {
        return (b + (c - b) * (to_c / (to_c + to_b)), Region::Edge(1));
    }
    // The sum is the square of twice the area.
    let sum = va + vb + vc;
    (a + ab * (vb / sum) + ac * (vc / sum), Region::Face)
}

/// Nearest place of a triangle with a small angle, for which the products above would cancel: by its plane, or else its sides.
#[cold]
fn on_slim(p: Vec3, corners: [Vec3; 3]) -> (Vec3, Region) {
    let side = |k: usize| (corners[k], corners[(k + 1) % 3]);
    if let Some(n) = normal(corners) {
        let inside = |k: usize| n.cross(side(k).1 - side(k).0).dot(p - corners[k]) > 0.0;
        if (0..3).all(inside) {
            return (p - n * n.dot(p - corners[0]), Region::Face);
        }
    }
    (0..3)
        .map(|k| on_side(p, side(k).0, side(k).1, k))
        .reduce(|x, y| if p.distance_squared(y.0) < p.distance_squared(x.0) { y } else { x })
        .unwrap_or((corners[0], Region::Corner(0)))
}

/// Nearest place of the side `k` from `a` to `b`.
fn on_side(p: Vec3, a: Vec3, b: Vec3, k: usize) -> (Vec3, Region) {
    let along = b - a;
    let t = along.dot(p - a) / along.length_squared();
    // Not a number if the side has no length.
    if t > 0.0 && t < 1.0 {
        (a + along * t, Region::Edge(k))
    } else if t >= 1.0 {
        (b, Region::Corner((k + 1) % 3))
    } else {
        (a, Region::Corner(k))
    }
}

/// Nearest place of the segment from `a` to `b`.
pub(crate) fn on_segment(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    on_side(p, a, b, 0).0
}

/// Unit normal, counter-clockwise; none for a triangle that is a line or a point.
pub(crate) fn normal([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let (u, v, w) = (b - a, c - b, a - c);
    let longest = u.length_squared().max(v.length_squared()).max(w.length_squared());
    // Between the two shorter sides, where least is lost by rounding.
    let across = if u.length_squared() == longest {
        v.cross(w)
    } else if v.length_squared() == longest {
        w.cross(u)
    } else {
        u.cross(v)
    };
    let length = across.length();
    (length > THIN * longest && longest > f64::MIN_POSITIVE).then(|| across / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cases::random_cases;
    use proptest::prelude::*;

    fn vector(r: f64) -> impl Strategy<Value = Vec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #![proptest_config(random_cases(2000))]

        /// Nothing of the triangle is nearer, the part is the right one, and the size does not matter.
        #[test]
        fn no_other_place_is_nearer(
            a in vector(1.0), b in vector(1.0), c in vector(1.0), p in vector(2.0), e in -4.0..4.0_f64, thin in 0..6_u8,
        ) {
            let size = fender_math::float::pow(10.0, e);
            // Some are lines, some points.
            let c = match thin { 0 => a.lerp(b, 0.3), 1 => a, 2 => a.lerp(b, 0.3) + c * 1e-6, _ => c };
            let t = [a, b, c].map(|v| v * size);
            let p = p * size;
            let (q, region) = nearest(p, t);
            let distance = p.distance(q);
            for i in 0..=20 {
                for k in 0..=20 - i {
                    let (u, v) = (f64::from(i) / 20.0, f64::from(k) / 20.0);
                    let place = t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v;
                    prop_assert!(distance <= p.distance(place) + 1e-12 * size, "{region:?}");
                }
            }
            match region {
                Region::Corner(k) => prop_assert_eq!(q, t[k]),
                Region::Edge(k) => {
                    let along = t[(k + 1) % 3] - t[k];
                    prop_assert!(along.cross(q - t[k]).length() <= 1e-12 * size * size);
                }
                Region::Face => {
                    let n = normal(t).unwrap();
                    prop_assert!((n * n.dot(p - t[0]) - (p - q)).length() < 1e-6 * size);
                }
            }
        }
    }
}
