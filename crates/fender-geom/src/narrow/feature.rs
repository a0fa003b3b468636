//! The part of a solid that faces a contact: a face or a line.

use super::placed::{Kind, Placed};
use crate::Polyhedron;
use fender_math::{Vec3, float};
use smallvec::{SmallVec, smallvec};
use std::f64::consts::TAU;

/// Corners of a polygon: most have few.
pub type Corners = SmallVec<[Vec3; 8]>;

/// Facing part of a core, in coordinates from a common origin.
#[derive(Clone, Debug)]
pub struct Feature {
    points: Corners,
    /// Outward normal of a face.
    pub normal: Vec3,
    /// Radius of a cap, whose corners are a square on its rim [m]; else zero.
    pub round: f64,
    /// Whether this is the line of a capsule that touches with its end.
    is_end: bool,
}

/// Cosine of the angle to the axis at which the view of a round solid changes from its end to its side. Near it only
/// the rim or end point that belongs to both can touch, unless the contact is deeper than half the height.
const END_OR_SIDE: f64 = 0.5;

/// Corners of the polygon that stands for a cap under another cap.
pub const RIM: usize = 24;

/// A cap counts as flat when its rim is level to this part of the contact's depth.
const FLAT: f64 = 1e-7;

impl Feature {
    /// Corners in order around a face, or ends of a line.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    pub fn is_face(&self) -> bool {
        self.points.len() > 2
    }

    /// Whether this is a cap.
    pub fn is_cap(&self) -> bool {
        self.round > 0.0
    }

    /// Corners of a face; of a cap, of a polygon around it that is fixed to the body with the `axes`.
    pub fn outline(&self, axes: &[Vec3; 3]) -> SmallVec<[Vec3; RIM]> {
        if !self.is_cap() {
            return self.points.iter().copied().collect();
        }
        let middle = 0.5 * (self.points[0] + self.points[2]);
        let far = self.round / float::sin_cos(0.5 * TAU / RIM as f64).1;
        let corner = |i: usize| {
            let (sin, cos) = float::sin_cos(TAU * i as f64 / RIM as f64);
            middle + (axes[0] * cos + axes[1] * sin) * far
        };
        (0..RIM).map(corner).collect()
    }

    pub fn is_line(&self) -> bool {
        self.points.len() == 2
    }

    /// Whether this is the line of a side.
    pub fn is_side(&self) -> bool {
        self.is_line() && !self.is_end
    }

    fn face(center: Vec3, u: Vec3, v: Vec3, normal: Vec3) -> Self {
        let points = smallvec![center + u, center + v, center - u, center - v];
        Self { points, normal, round: 0.0, is_end: false }
    }

    /// The line between two points.
    pub fn line(from: Vec3, to: Vec3) -> Self {
        Self { points: smallvec![from, to], normal: Vec3::ZERO, round: 0.0, is_end: false }
    }

    /// What of `solid`, whose centre is at `center` [m], faces the unit direction `n` when the contact is `depth` [m]
    /// deep.
    pub fn toward(solid: &Placed, center: Vec3, n: Vec3, depth: f64) -> Self {
        match solid.kind {
            Kind::Box => return Self::box_face(solid, center, n, Self::box_axis(solid, n)),
            Kind::Polyhedron(polyhedron) => {
                let face = polyhedron.facing(solid.in_own_axes(n));
                return Self::polyhedron_face(polyhedron, solid, center, face);
            }
            Kind::Cone => return Self::of_cone(solid, center, n, depth),
            Kind::Ellipsoid => {
                let point = center + solid.support(n);
                return Self { points: smallvec![point], normal: n, round: 0.0, is_end: false };
            }
            Kind::Cylinder | Kind::Capsule => {}
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
        Self::cap(solid, center + end, n, depth)
    }

    /// The cap about `middle` of a cylinder or cone.
    fn cap(solid: &Placed, middle: Vec3, n: Vec3, depth: f64) -> Self {
        let axis = solid.axis();
        // The square of rim points starts at the deepest one, so that a tilted cylinder rolls without bumps. A cap that
        // lies flat has no deepest point: its square is fixed to the body. (Why that changes no force is said at
        // `half_space::cylinder`.)
        let tangent = axis.cross(n);
        let sin = tangent.length();
        let flat = solid.round * sin < FLAT * depth;
        // By a product with the axis, so that the square is in the cap's plane: `n` less its part along the axis loses by rounding what a
        // small tilt raises and lowers the rim.
        let first = if flat { solid.axes[0] } else { (tangent / sin).cross(axis) } * solid.round;
        let normal = axis * 1.0_f64.copysign(axis.dot(n));
        Self { round: solid.round, ..Self::face(middle, first, axis.cross(first), normal) }
    }

    /// The base of a cone, or the line of its side, whichever the direction is nearer to.
    fn of_cone(solid: &Placed, center: Vec3, n: Vec3, depth: f64) -> Self {
        let axis = solid.axis();
        let along = axis.dot(n);
        let (radial, out) = (n - axis * along, (1.0 - along * along).max(0.0).sqrt());
        let (tip, base) = (center + axis * solid.half.z, center - axis * solid.half.z);
        let cos = solid.side_cos();
        let with_side = along * cos + out * (1.0 - cos * cos).sqrt();
        if -along > with_side {
            return Self::cap(solid, base, n, depth);
        }
        // On the axis every direction is as good as any other.
        Self::line(base + radial.normalize_or(solid.axes[0]) * solid.round, tip)
    }

    /// The other faces of a flat solid that have all its farthest points along `n`, each with the `part` that it has by the cosine between its normal and `n`, if it has one.
    pub fn beside(
        solid: &Placed,
        center: Vec3,
        n: Vec3,
        part: impl Fn(f64) -> f64,
        mut each: impl FnMut(Self, f64),
    ) {
        match solid.kind {
            Kind::Box => {
                let best = Self::box_axis(solid, n);
                for i in (0..3).filter(|i| *i != best) {
                    let part = part(solid.axes[i].dot(n).abs());
                    if part > 0.0 {
                        each(Self::box_face(solid, center, n, i), part);
                    }
                }
            }
            Kind::Polyhedron(polyhedron) => {
                let along = solid.in_own_axes(n);
                let best = polyhedron.facing(along);
                let (v, level) = polyhedron.level_with(along);
                let has_all = |f: &&u32| level.iter().all(|w| polyhedron.corners(**f).contains(w));
                for f in polyhedron.faces_at(v).iter().filter(|f| **f != best) {
                    let part = part(polyhedron.normals()[*f as usize].dot(along));
                    if part > 0.0 && has_all(&f) {
                        each(Self::polyhedron_face(polyhedron, solid, center, *f), part);
                    }
                }
            }
            _ => {}
        }
    }

    fn polyhedron_face(polyhedron: &Polyhedron, solid: &Placed, center: Vec3, face: u32) -> Self {
        let place =
            |v: &u32| center + solid.in_world_axes(polyhedron.vertices()[*v as usize] - polyhedron.middle());
        let points = polyhedron.corners(face).iter().map(place).collect();
        let normal = solid.in_world_axes(polyhedron.normals()[face as usize]);
        Self { points, normal, round: 0.0, is_end: false }
    }

    fn box_axis(solid: &Placed, n: Vec3) -> usize {
        let along = solid.axes.map(|axis| axis.dot(n));
        let mut i = 0;
        for k in [1, 2] {
            // A tie goes to the earlier axis also when rounding says otherwise.
            if along[k].abs() > along[i].abs() + 1e-12 {
                i = k;
            }
        }
        i
    }

    fn box_face(solid: &Placed, center: Vec3, n: Vec3, i: usize) -> Self {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let normal = solid.axes[i] * 1.0_f64.copysign(solid.axes[i].dot(n));
        let u = solid.axes[j] * solid.half[j];
        let v = solid.axes[k] * solid.half[k];
        // The diagonals: corners u + v, v − u, and their opposites.
        Self::face(center + normal * solid.half[i], u + v, v - u, normal)
    }
}
