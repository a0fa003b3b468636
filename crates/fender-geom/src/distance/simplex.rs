//! Up to four points of the difference of two solids, and which part of them is nearest to the origin.
//!
//! Signs of volumes and areas decide, as by Montanari, Petrinic and Barbieri (2017, "Improving the GJK algorithm for faster and more
//! reliable distance queries between convex objects"): products of long vectors, which Johnson's subalgorithm subtracts, lose the
//! digits of a thin simplex.

use fender_math::Vec3;

/// A tetrahedron whose volume is a smaller part of what its sides could enclose is taken to be flat.
const FLAT: f64 = 1e-14;

/// A point of the difference of two solids.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Difference of the two points [m].
    pub w: Vec3,
    /// The point of the first solid [m].
    pub on_a: Vec3,
}

/// Corners, the newest last, and how much each counts in the point that is nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub struct Simplex {
    corners: [Vertex; 4],
    parts: [f64; 4],
    len: usize,
}

/// Nearest point of a part of a simplex: numbers of its corners, rising, and how much each counts.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    corners: [u8; 3],
    parts: [f64; 3],
    len: usize,
    /// The point [m].
    pub v: Vec3,
}

impl Near {
    fn nearer(self, other: Self) -> Self {
        if other.v.length_squared() < self.v.length_squared() { other } else { self }
    }
}

impl Simplex {
    /// A single point.
    #[inline]
    pub fn new(first: Vertex) -> Self {
        Self { corners: [first; 4], parts: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    /// Whether a point is one of the corners already.
    #[inline]
    pub fn has(&self, w: Vec3) -> bool {
        self.corners[..self.len].iter().any(|c| c.w == w)
    }

    /// The point of the first solid that belongs to the nearest point [m].
    #[inline]
    pub fn on_a(&self) -> Vec3 {
        (0..self.len).map(|i| self.corners[i].on_a * self.parts[i]).sum()
    }

    /// What would be nearest to the origin with another point; `None` if the origin is inside then.
    #[inline]
    pub fn with(&mut self, vertex: Vertex) -> Option<Near> {
        // The place behind the last corner is free.
        self.corners[self.len] = vertex;
        match self.len {
            1 => Some(self.segment(0, 1)),
            2 => Some(self.triangle(0, 1, 2)),
            _ => self.tetrahedron(),
        }
    }

    /// Keeps the corners of that nearest place.
    #[inline]
    pub fn keep(&mut self, near: &Near) {
        // The numbers rise, so that nothing is overwritten before it is read.
        for (to, from) in near.corners[..near.len].iter().enumerate() {
            self.corners[to] = self.corners[*from as usize];
            self.parts[to] = near.parts[to];
        }
        self.len = near.len;
    }

    fn w(&self, i: u8) -> Vec3 {
        self.corners[i as usize].w
    }

    #[inline]
    fn segment(&self, a: u8, b: u8) -> Near {
        let (p, q) = (self.w(a), self.w(b));
        let along = q - p;
        let at = -p.dot(along) / along.length_squared();
        // Not a number if the ends are one.
        if at > 0.0 && at < 1.0 {
            Near { corners: [a, b, 0], parts: [1.0 - at, at, 0.0], len: 2, v: p + along * at }
        } else {
            let (end, v) = if at >= 1.0 { (b, q) } else { (a, p) };
            Near { corners: [end, 0, 0], parts: [1.0, 0.0, 0.0], len: 1, v }
        }
    }

    fn triangle(&self, a: u8, b: u8, c: u8) -> Near {
        let (p, q, r) = (self.w(a), self.w(b), self.w(c));
        let n = (p - r).cross(q - r);
        let nn = n.length_squared();
        // The foot of the origin in the plane, and the triangles that it forms with the sides.
        let foot = n * (n.dot(r) / nn);
        let (u, v, w) = (p - foot, q - foot, r - foot);
        let (of_p, of_q, of_r) = (n.dot(v.cross(w)), n.dot(w.cross(u)), n.dot(u.cross(v)));
        if of_p > 0.0 && of_q > 0.0 && of_r > 0.0 {
            let part = 1.0 / (of_p + of_q + of_r);
            let parts = [of_p * part, of_q * part, of_r * part];
            return Near { corners: [a, b, c], parts, len: 3, v: foot };
        }
        // Beyond one side or two, those at the newest corner first. Of a triangle without area nothing is above zero, and all are tried.
        let mut near: Option<Near> = None;
        for (part, i, k) in [(of_p, b, c), (of_q, a, c), (of_r, a, b)] {
            if part > 0.0 {
                continue;
            }
            let found = self.segment(i, k);
            near = Some(near.map_or(found, |other| other.nearer(found)));
        }
        near.unwrap_or_else(|| self.segment(b, c))
    }

    fn tetrahedron(&self) -> Option<Near> {
        let d = self.w(3);
        let (a, b, c) = (self.w(0) - d, self.w(1) - d, self.w(2) - d);
        let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
        let volume = a.dot(bc);
        // Volumes with the origin in the place of a corner.
        let parts = [-d.dot(bc), -d.dot(ca), -d.dot(ab)];
        let flat = FLAT * a.length() * bc.length();
        // Written so that what is not a number is flat.
        let is_solid = volume.abs() > flat;
        let sign = volume.signum();
        let beyond = parts.map(|part| !(is_solid && part * sign > 0.0));
        let last = (volume - parts[0] - parts[1] - parts[2]) * sign;
        if beyond == [false; 3] && last > 0.0 {
            return None;
        }
        // Faces that have the newest corner; the others were looked at when it was not there.
        let mut near: Option<Near> = None;
        for (is_beyond, i, k) in [(beyond[0], 1, 2), (beyond[1], 0, 2), (beyond[2], 0, 1)] {
            if !is_beyond {
                continue;
            }
            let found = self.triangle(i, k, 3);
            near = Some(near.map_or(found, |other| other.nearer(found)));
        }
        Some(near.unwrap_or_else(|| self.triangle(0, 1, 2)))
    }

    /// A point of the first solid for the origin inside the tetrahedron that [`Simplex::with`] found it in [m].
    pub fn common(&self) -> Vec3 {
        let d = self.w(3);
        let (a, b, c) = (self.w(0) - d, self.w(1) - d, self.w(2) - d);
        let volume = a.dot(b.cross(c));
        let parts = [b.cross(c), c.cross(a), a.cross(b)].map(|n| -n.dot(d) / volume);
        let last = self.corners[3].on_a;
        last + (0..3).map(|i| (self.corners[i].on_a - last) * parts[i]).sum::<Vec3>()
    }
}
