//! The part of a solid that faces a contact: a face or a line.

use super::placed::Placed;
use fender_math::Vec3;

/// Facing part of a core, in coordinates from a common origin.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    points: [Vec3; 4],
    len: usize,
    /// Outward normal of a face.
    pub normal: Vec3,
    /// Whether this is the line of a capsule that touches with its end.
    is_end: bool,
}

/// Cosine of the angle to the axis at which the view of a round solid changes from its end to its side. Near it only
/// the rim or end point that belongs to both can touch, unless the contact is deeper than half the height.
const END_OR_SIDE: f64 = 0.5;

/// A cap counts as flat when its rim is level to this part of the contact's depth.
const FLAT: f64 = 1e-7;

impl Feature {
    /// Corners in order around a face, or ends of a line.
    pub fn points(&self) -> &[Vec3] {
        &self.points[..self.len]
    }

    pub fn is_face(&self) -> bool {
        self.len == 4
    }

    pub fn is_line(&self) -> bool {
        self.len == 2
    }

    /// Whether this is the line of a side.
    pub fn is_side(&self) -> bool {
        self.is_line() && !self.is_end
    }

    fn face(center: Vec3, u: Vec3, v: Vec3, normal: Vec3) -> Self {
        Self { points: [center + u, center + v, center - u, center - v], len: 4, normal, is_end: false }
    }

    fn line(from: Vec3, to: Vec3) -> Self {
        Self { points: [from, to, to, to], len: 2, normal: Vec3::ZERO, is_end: false }
    }

    /// What of `solid`, whose centre is at `center` [m], faces the unit direction `n` when the contact is `depth` [m]
    /// deep.
    pub fn toward(solid: &Placed, center: Vec3, n: Vec3, depth: f64) -> Self {
        if solid.is_box() {
            return Self::of_box(solid, center, n);
        }
        let axis = solid.axis();
        let cos = axis.dot(n);
        let end = axis * solid.half.z.copysign(cos);
        let radial = n - axis * cos;
        if cos.abs() < END_OR_SIDE {
            let side = if solid.is_cylinder() { radial.normalize() * solid.round } else { Vec3::ZERO };
            return Self::line(center + side - end, center + side + end);
        }
        if solid.is_capsule() {
            return Self { is_end: true, ..Self::line(center - end, center + end) };
        }
        // The square of rim points starts at the deepest one, so that a tilted cylinder rolls without bumps. A cap that
        // lies flat has no deepest point: its square is fixed to the body. (Why that changes no force is said at
        // `half_space::cylinder`.)
        let sin = radial.length();
        let flat = solid.round * sin < FLAT * depth;
        let first = if flat { solid.axes[0] } else { radial / sin } * solid.round;
        Self::face(center + end, first, axis.cross(first), axis * 1.0_f64.copysign(cos))
    }

    fn of_box(solid: &Placed, center: Vec3, n: Vec3) -> Self {
        let along = solid.axes.map(|axis| axis.dot(n));
        let mut i = 0;
        for k in [1, 2] {
            // A tie goes to the earlier axis also when rounding says otherwise.
            if along[k].abs() > along[i].abs() + 1e-12 {
                i = k;
            }
        }
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let normal = solid.axes[i] * 1.0_f64.copysign(along[i]);
        let u = solid.axes[j] * solid.half[j];
        let v = solid.axes[k] * solid.half[k];
        // The diagonals: corners u + v, v − u, and their opposites.
        Self::face(center + normal * solid.half[i], u + v, v - u, normal)
    }
}
