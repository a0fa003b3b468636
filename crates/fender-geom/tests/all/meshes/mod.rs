//! Meshes to test with.

use fender_geom::TriMesh;
use fender_math::{Pose, Vec3, float};
use std::f64::consts::TAU;

/// Vertices and triangles.
#[derive(Clone, Debug)]
pub struct Soup(pub Vec<Vec3>, pub Vec<[u32; 3]>);

impl Soup {
    pub fn mesh(&self) -> TriMesh {
        TriMesh::new(&self.0, &self.1).unwrap()
    }

    pub fn mapped(mut self, f: impl Fn(Vec3) -> Vec3) -> Self {
        self.0.iter_mut().for_each(|p| *p = f(*p));
        self
    }

    pub fn moved(self, pose: &Pose) -> Self {
        self.mapped(|p| pose.transform_point(p))
    }

    pub fn plus(mut self, other: &Self) -> Self {
        let first = self.0.len() as u32;
        self.0.extend(&other.0);
        self.1.extend(other.1.iter().map(|t| t.map(|v| v + first)));
        self
    }

    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.1.iter().map(|t| t.map(|v| self.0[v as usize]))
    }

    /// How often the surface goes around `p`.
    pub fn winding(&self, p: Vec3) -> f64 {
        winding(self.corners(), p)
    }

    /// Nearest distance, by trying every triangle in another way than the code under test: the plane if the foot is on the inner
    /// side of all sides, and the sides.
    pub fn distance(&self, p: Vec3) -> f64 {
        self.corners().map(|t| triangle_distance(p, t)).fold(f64::INFINITY, f64::min)
    }
}

/// How often triangles go around `p`: the sum of their solid angles (Van Oosterom and Strackee 1983) over 4π.
pub fn winding(triangles: impl Iterator<Item = [Vec3; 3]>, p: Vec3) -> f64 {
    let angle = |[a, b, c]: [Vec3; 3]| {
        let [a, b, c] = [a - p, b - p, c - p];
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    triangles.map(angle).sum::<f64>() / (2.0 * TAU)
}

pub fn triangle_distance(p: Vec3, t: [Vec3; 3]) -> f64 {
    let n = (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let inside = n != Vec3::ZERO && (0..3).all(|k| n.cross(t[(k + 1) % 3] - t[k]).dot(p - t[k]) >= 0.0);
    if inside {
        return n.dot(p - t[0]).abs();
    }
    (0..3).map(|k| segment_distance(p, t[k], t[(k + 1) % 3])).fold(f64::INFINITY, f64::min)
}

pub fn segment_distance(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let s = (p - a).dot(b - a) / (b - a).length_squared();
    let s = if s.is_nan() { 0.0 } else { s.clamp(0.0, 1.0) };
    p.distance(a + (b - a) * s)
}

/// A grid of (columns + 1)·(rows + 1) vertices, z given by `height`, from (−1, −1) to (1, 1). Diagonals change from cell to cell.
pub fn sheet(columns: u32, rows: u32, height: impl Fn(f64, f64) -> f64) -> Soup {
    let mut soup = Soup(Vec::new(), Vec::new());
    for i in 0..=rows {
        for k in 0..=columns {
            let x = 2.0 * f64::from(k) / f64::from(columns) - 1.0;
            let y = 2.0 * f64::from(i) / f64::from(rows) - 1.0;
            soup.0.push(Vec3::new(x, y, height(x, y)));
        }
    }
    for i in 0..rows {
        for k in 0..columns {
            let a = i * (columns + 1) + k;
            let [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
            if (i + k) % 2 == 0 {
                soup.1.extend([[a, b, c], [a, c, d]]);
            } else {
                soup.1.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    soup
}

/// Box with `n`·`n` cells on each face; corners are there once for each face.
pub fn cuboid(half: Vec3, n: u32) -> Soup {
    let mut soup = Soup(Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let face = sheet(n, n, |_, _| 1.0).mapped(|p| {
                let mut q = Vec3::ZERO;
                q[axis] = side;
                q[(axis + 1) % 3] = p.x * side;
                q[(axis + 2) % 3] = p.y;
                q * half
            });
            soup = soup.plus(&face);
        }
    }
    soup
}

/// A torus about z, as a grid of `n` times `m`.
pub fn torus(ring: f64, tube: f64, n: u32, m: u32) -> Soup {
    let mut soup = Soup(Vec::new(), Vec::new());
    for i in 0..n {
        for k in 0..m {
            let (si, ci) = float::sin_cos(TAU * f64::from(i) / f64::from(n));
            let (sk, ck) = float::sin_cos(TAU * f64::from(k) / f64::from(m));
            soup.0.push(Vec3::new((ring + tube * ck) * ci, (ring + tube * ck) * si, tube * sk));
            let at = |i: u32, k: u32| (i % n) * m + k % m;
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            soup.1.extend([[a, b, c], [a, c, d]]);
        }
    }
    soup
}

/// A ball of `radius(direction)`, a cube's grid blown up.
pub fn ball(n: u32, radius: impl Fn(Vec3) -> f64) -> Soup {
    cuboid(Vec3::ONE, n).mapped(|p| p.normalize() * radius(p.normalize()))
}

/// A bumpy ball that is neither convex nor regular.
pub fn potato(n: u32) -> Soup {
    ball(n, |d| 0.7 + 0.2 * (5.0 * d.x).sin() * (4.0 * d.y + 1.0).cos() + 0.1 * (7.0 * d.z).sin())
}
