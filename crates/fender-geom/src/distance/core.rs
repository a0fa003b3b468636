//! Convex solids as the searches for distances see them: a core in its own frame, with a border of constant width around it.

use super::gjk::Convex;
use super::round::Solid;
use crate::narrow::ellipsoid;
use crate::trimesh::triangle;
use crate::{Polyhedron, Shape};
use fender_math::{Mat3, Pose, Vec3};

/// A solid without its border: of a sphere only the centre, of a capsule only the segment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'a> {
    Point,
    /// Along z, with half its length [m].
    Segment(f64),
    /// Half lengths [m].
    Box(Vec3),
    Cylinder {
        radius: f64,
        half_height: f64,
    },
    Cone {
        radius: f64,
        half_height: f64,
    },
    /// Half axes [m].
    Ellipsoid(Vec3),
    Polyhedron(&'a Polyhedron),
}

impl<'a> Core<'a> {
    /// The core of a shape and the width of the border around it [m]; `None` for shapes that are not convex or have no end.
    #[inline]
    pub fn of(shape: &'a Shape) -> Option<(Self, f64)> {
        Some(match *shape {
            Shape::Sphere { radius } => (Self::Point, radius),
            Shape::Capsule { radius, half_height } => (Self::Segment(half_height), radius),
            Shape::Box { half } => (Self::Box(half), 0.0),
            Shape::Cylinder { radius, half_height } => (Self::Cylinder { radius, half_height }, 0.0),
            Shape::Cone { radius, half_height } => (Self::Cone { radius, half_height }, 0.0),
            Shape::Ellipsoid { radii } => (Self::Ellipsoid(radii), 0.0),
            Shape::Polyhedron(ref polyhedron) => (Self::Polyhedron(polyhedron), 0.0),
            Shape::HalfSpace
            | Shape::Bore { .. }
            | Shape::Funnel { .. }
            | Shape::Edge { .. }
            | Shape::Torus { .. }
            | Shape::HalfTorus { .. }
            | Shape::Link { .. }
            | Shape::Mesh(_) => return None,
        })
    }

    /// Whether a part of its surface is curved, so that nearest points are found by approximation.
    #[inline]
    pub fn is_curved(&self) -> bool {
        matches!(self, Self::Cylinder { .. } | Self::Cone { .. } | Self::Ellipsoid(_))
    }

    /// Half lengths of the box along its own axes that holds it [m].
    #[inline]
    pub fn half(&self) -> Vec3 {
        match *self {
            Self::Point => Vec3::ZERO,
            Self::Segment(half) => Vec3::Z * half,
            Self::Box(half) | Self::Ellipsoid(half) => half,
            Self::Cylinder { radius, half_height } | Self::Cone { radius, half_height } => {
                Vec3::new(radius, radius, half_height)
            }
            Self::Polyhedron(polyhedron) => {
                let (low, high) = polyhedron.extent();
                low.abs().max(high.abs())
            }
        }
    }

    /// Nearest point of it to `p` [m], which is `p` itself inside.
    #[inline]
    pub fn nearest_to(&self, p: Vec3) -> Vec3 {
        match *self {
            Self::Point => Vec3::ZERO,
            Self::Segment(half) => Vec3::Z * p.z.clamp(-half, half),
            Self::Box(half) => p.clamp(-half, half),
            Self::Cylinder { radius, half_height } => {
                let across = (p.x * p.x + p.y * p.y).sqrt();
                let scale = if across > radius { radius / across } else { 1.0 };
                Vec3::new(p.x * scale, p.y * scale, p.z.clamp(-half_height, half_height))
            }
            Self::Cone { radius, half_height } => on_cone(radius, half_height, p),
            Self::Ellipsoid(radii) if (p / radii).length_squared() > 1.0 => {
                ellipsoid::nearest(p, radii).surface
            }
            Self::Ellipsoid(_) => p,
            Self::Polyhedron(polyhedron) => {
                let found = polyhedron.nearest(p);
                if found.distance > 0.0 { found.point } else { p }
            }
        }
    }
}

/// Nearest point of a cone to `p`, in the half-plane through both.
fn on_cone(radius: f64, half_height: f64, p: Vec3) -> Vec3 {
    let rho = (p.x * p.x + p.y * p.y).sqrt();
    // From the rim, and along the side from there to the tip.
    let (out, up) = (rho - radius, p.z + half_height);
    let height = 2.0 * half_height;
    let is_over_side = out * height + up * radius > 0.0;
    let (distance, z) = if is_over_side {
        let part = (up * height - out * radius) / (height * height + radius * radius);
        let part = part.clamp(0.0, 1.0);
        (radius * (1.0 - part), height * part - half_height)
    } else {
        (rho.min(radius), p.z.max(-half_height))
    };
    let scale = if rho > 0.0 { distance / rho } else { 0.0 };
    Vec3::new(p.x * scale, p.y * scale, z)
}

impl Convex for Core<'_> {
    #[inline]
    fn support(&self, n: Vec3) -> Vec3 {
        let toward = |half: f64| half.copysign(n.z);
        let rim = |radius: f64, z: f64| {
            let across = (n.x * n.x + n.y * n.y).sqrt();
            // Along the axis all points of a cap are as far.
            let scale = if across > 0.0 { radius / across } else { 0.0 };
            Vec3::new(n.x * scale, n.y * scale, z)
        };
        match *self {
            Self::Point => Vec3::ZERO,
            Self::Segment(half) => Vec3::new(0.0, 0.0, toward(half)),
            Self::Box(half) => Vec3::new(half.x.copysign(n.x), half.y.copysign(n.y), half.z.copysign(n.z)),
            Self::Cylinder { radius, half_height } => rim(radius, toward(half_height)),
            Self::Cone { radius, half_height } => {
                let rim = rim(radius, -half_height);
                if n.dot(rim) > n.z * half_height { rim } else { Vec3::new(0.0, 0.0, half_height) }
            }
            Self::Ellipsoid(radii) => {
                let scaled = radii * n;
                let length = scaled.length();
                if length > 0.0 { radii * scaled / length } else { Vec3::new(radii.x, 0.0, 0.0) }
            }
            Self::Polyhedron(polyhedron) => polyhedron.vertices()[polyhedron.farthest(n) as usize],
        }
    }
}

/// A solid in another frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved<'a> {
    pub core: &'a Core<'a>,
    pub turn: Mat3,
    pub at: Vec3,
}

impl<'a> Moved<'a> {
    #[inline]
    pub fn new(core: &'a Core<'a>, pose: &Pose) -> Self {
        Self { core, turn: Mat3::from_quat(pose.rotation), at: pose.translation }
    }

    #[inline]
    pub fn in_own(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.turn.x_axis.dot(v), self.turn.y_axis.dot(v), self.turn.z_axis.dot(v))
    }

    #[inline]
    pub fn nearest_to(&self, p: Vec3) -> Vec3 {
        self.turn * self.core.nearest_to(self.in_own(p - self.at)) + self.at
    }
}

impl Convex for Moved<'_> {
    #[inline]
    fn support(&self, n: Vec3) -> Vec3 {
        self.turn * self.core.support(self.in_own(n)) + self.at
    }
}

impl Solid for Core<'_> {
    #[inline]
    fn nearest(&self, p: Vec3) -> Vec3 {
        self.nearest_to(p)
    }
}

impl Solid for Moved<'_> {
    #[inline]
    fn nearest(&self, p: Vec3) -> Vec3 {
        self.nearest_to(p)
    }
}

impl Solid for Triangle {
    #[inline]
    fn nearest(&self, p: Vec3) -> Vec3 {
        triangle::nearest(p, self.0).0
    }
}

/// Three corners.
pub(crate) struct Triangle(pub [Vec3; 3]);

impl Convex for Triangle {
    #[inline]
    fn support(&self, n: Vec3) -> Vec3 {
        let [a, b, c] = self.0;
        let (x, y, z) = (n.dot(a), n.dot(b), n.dot(c));
        if x >= y {
            if x >= z { a } else { c }
        } else if y >= z {
            b
        } else {
            c
        }
    }
}
