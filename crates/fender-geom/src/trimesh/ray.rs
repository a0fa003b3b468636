//! Where a ray meets a mesh.

use super::TriMesh;
use fender_math::Vec3;

/// First place where a ray meets a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// From the origin, in lengths of the direction: metres for a unit direction.
    pub distance: f64,
    /// The place [m].
    pub point: Vec3,
    /// Triangle that is met.
    pub triangle: u32,
    /// Whether it is met from outside, against its normal.
    pub from_outside: bool,
}

/// A ray with its axes put in order, so that two triangles see their common edge alike and no ray slips through between them
/// (Woop, Benthin and Wald 2013, "Watertight ray/triangle intersection").
pub(crate) struct Ray {
    origin: Vec3,
    direction: Vec3,
    inverse: Vec3,
    /// Axes, the longest component of the direction last.
    axes: [usize; 3],
    /// Slants the other two along the last.
    shear: Vec3,
}

impl Ray {
    /// `None` for a direction without length, or numbers that are not finite.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        if !origin.is_finite() || !direction.is_finite() || direction == Vec3::ZERO {
            return None;
        }
        let size = direction.abs();
        let z = (1..3).fold(0, |best, i| if size[i] > size[best] { i } else { best });
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        if direction[z] < 0.0 {
            (x, y) = (y, x);
        }
        let d = direction;
        let shear = Vec3::new(d[x] / d[z], d[y] / d[z], 1.0 / d[z]);
        Some(Self { origin, direction, inverse: direction.recip(), axes: [x, y, z], shear })
    }

    /// Where the ray meets a triangle, in lengths of its direction, and whether against its normal. Edges count to both sides.
    pub fn meets(&self, corners: [Vec3; 3]) -> Option<(f64, bool)> {
        let [x, y, z] = self.axes;
        let flat = corners.map(|p| {
            let p = p - self.origin;
            Vec3::new(p[x] - self.shear.x * p[z], p[y] - self.shear.y * p[z], self.shear.z * p[z])
        });
        let [a, b, c] = flat;
        let u = c.x * b.y - c.y * b.x;
        let v = a.x * c.y - a.y * c.x;
        let w = b.x * a.y - b.y * a.x;
        let sum = u + v + w;
        let is_in = u >= 0.0 && v >= 0.0 && w >= 0.0 || u <= 0.0 && v <= 0.0 && w <= 0.0;
        if !is_in || sum == 0.0 {
            return None;
        }
        let t = (u * a.z + v * b.z + w * c.z) / sum;
        (t >= 0.0).then_some((t, sum > 0.0))
    }

    /// From where on the ray is in a box, in lengths of its direction; infinite if never.
    fn enters(&self, low: Vec3, high: Vec3) -> f64 {
        let (a, b) = ((low - self.origin) * self.inverse, (high - self.origin) * self.inverse);
        // Along a side of the box 0·∞ is not a number, and does not count.
        let pick = |f: fn(f64, f64) -> f64, start: f64, v: Vec3| f(f(f(start, v.x), v.y), v.z);
        let least = |p: Vec3, q: Vec3| Vec3::new(p.x.min(q.x), p.y.min(q.y), p.z.min(q.z));
        let most = |p: Vec3, q: Vec3| Vec3::new(p.x.max(q.x), p.y.max(q.y), p.z.max(q.z));
        let enter = pick(f64::max, 0.0, least(a, b));
        let leave = pick(f64::min, f64::INFINITY, most(a, b));
        // Rounding must not lose a box that is only touched.
        if enter <= leave * (1.0 + 4.0 * f64::EPSILON) {
            enter * (1.0 - 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }
}

impl TriMesh {
    /// First place, up to `limit` (in lengths of `direction`), where a ray from `origin` [m] meets the mesh, from either side.
    pub fn cast(&self, origin: Vec3, direction: Vec3, limit: f64) -> Option<Hit> {
        let ray = Ray::new(origin, direction)?;
        let middle = self.tree.center();
        let mut best: Option<Hit> = None;
        self.tree.search(
            // Never infinite: that is the bound of a box that is missed.
            limit.min(f64::MAX),
            |node| {
                let (low, high) = node.corners();
                ray.enters(low + middle, high + middle)
            },
            |range, mut nearest| {
                for f in range {
                    let found = ray.meets(self.corners(f as u32));
                    let nearer = |(t, _): &(f64, bool)| *t < nearest || best.is_none() && *t <= nearest;
                    if let Some((distance, from_outside)) = found.filter(nearer) {
                        let point = origin + ray.direction * distance;
                        best = Some(Hit { distance, point, triangle: f as u32, from_outside });
                        nearest = distance;
                    }
                }
                nearest
            },
        );
        best
    }
}
