//! A box, cylinder or capsule in the world, reduced to what the search for the contact needs.

use crate::Shape;
use fender_math::{Mat3, Pose, Vec3};
use parry3d_f64::shape::SupportMap;

/// Solid made of a core and a `border` around it. The core is the sum of a box `half` and of a disc across z of radius
/// `round`: a box has no disc, a cylinder has a box that is only as long as the axis, a capsule is such an axis with a
/// border. All are symmetric about the centre, which halves the work below.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub center: Vec3,
    /// The shape's axes in the world.
    pub axes: [Vec3; 3],
    pub half: Vec3,
    pub round: f64,
    pub border: f64,
}

impl Placed {
    /// `None` for shapes that other files take care of.
    pub fn new(shape: &Shape, pose_ws: &Pose) -> Option<Self> {
        let (half, round, border) = match *shape {
            Shape::Box { half } => (half, 0.0, 0.0),
            Shape::Cylinder { radius, half_height } => (Vec3::Z * half_height, radius, 0.0),
            Shape::Capsule { radius, half_height } => (Vec3::Z * half_height, 0.0, radius),
            _ => return None,
        };
        let r = Mat3::from_quat(pose_ws.rotation);
        let axes = [r.x_axis, r.y_axis, r.z_axis];
        Some(Self { center: pose_ws.translation, axes, half, round, border })
    }

    pub fn is_box(&self) -> bool {
        self.half.x > 0.0
    }

    pub fn is_cylinder(&self) -> bool {
        self.round > 0.0
    }

    pub fn is_capsule(&self) -> bool {
        self.border > 0.0
    }

    /// Axis of revolution (of a cylinder or capsule).
    pub fn axis(&self) -> Vec3 {
        self.axes[2]
    }

    /// Radius of a cylinder or capsule [m].
    pub fn radius(&self) -> f64 {
        self.round + self.border
    }

    fn in_own_axes(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.axes[0].dot(v), self.axes[1].dot(v), self.axes[2].dot(v))
    }

    fn in_world_axes(&self, v: Vec3) -> Vec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    /// Directions of the edges of the core: all axes of a box, else the axis of revolution.
    pub fn edges(&self) -> &[Vec3] {
        if self.is_box() { &self.axes } else { &self.axes[2..] }
    }

    /// Normals of the flat faces.
    pub fn faces(&self) -> &[Vec3] {
        if self.is_capsule() { &[] } else { self.edges() }
    }

    /// Size of the whole solid [m], for tolerances.
    pub fn size(&self) -> f64 {
        self.half.max_element() + self.radius()
    }

    /// How far the core reaches from its centre along the unit direction `n` [m].
    pub fn reach(&self, n: Vec3) -> f64 {
        let along = self.in_own_axes(n);
        let disc =
            if self.round > 0.0 { self.round * (along.x * along.x + along.y * along.y).sqrt() } else { 0.0 };
        along.abs().dot(self.half) + disc
    }

    /// Farthest point of the core along `n` (any length), from the centre [m].
    pub fn support(&self, n: Vec3) -> Vec3 {
        let along = self.in_own_axes(n);
        let mut p = along.signum() * self.half;
        if self.round > 0.0 {
            let across = (along.x * along.x + along.y * along.y).sqrt();
            if across > 0.0 {
                p += Vec3::new(along.x, along.y, 0.0) * (self.round / across);
            }
        }
        self.in_world_axes(p)
    }

    /// How [`Placed::support`] moves along the rim of a disc as `n` turns: by this vector times its product with the turn.
    /// Zero without a disc; not a number along the disc's axis, where every point of the rim is as far.
    pub fn rim_bend(&self, n: Vec3) -> Vec3 {
        if self.round == 0.0 {
            return Vec3::ZERO;
        }
        let tangent = self.axis().cross(n);
        let across = tangent.length();
        tangent * ((self.round / across).sqrt() / across)
    }

    /// Whether a single point of the core is farthest along the unit direction `n`.
    pub fn has_one_support(&self, n: Vec3) -> bool {
        const PARALLEL: f64 = 1e-7;
        let along = self.in_own_axes(n).abs();
        let corner = if self.is_box() { along.min_element() } else { along.z };
        corner > PARALLEL && (self.round == 0.0 || along.x.max(along.y) > PARALLEL)
    }

    /// Radius of a ball inside the solid that touches its surface from within above or below the point `from_center` [m] seen
    /// along the unit direction `n`. Zero at an edge, negative where nothing of the solid faces `n`.
    pub fn inner_radius(&self, from_center: Vec3, n: Vec3) -> f64 {
        const PARALLEL: f64 = 1e-9;
        const ON_LINE: f64 = 1e-6;
        if self.is_capsule() {
            return self.border;
        }
        let p = self.in_own_axes(from_center);
        let n = self.in_own_axes(n);
        let along = n.abs();
        let room = self.half - p.abs();
        if self.is_box() {
            let face = (0..3).find(|i| along[*i] > 1.0 - PARALLEL);
            return face.map_or(0.0, |i| room[(i + 1) % 3].min(room[(i + 2) % 3]).min(self.half[i]));
        }
        if along.z > 1.0 - PARALLEL {
            return (self.round - (p.x * p.x + p.y * p.y).sqrt()).min(self.half.z);
        }
        // A side is across the direction on one line only.
        let beside = (p.x * n.y - p.y * n.x).abs();
        if along.z > PARALLEL {
            0.0
        } else if beside < ON_LINE * self.round {
            room.z.min(self.round)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Point of the core nearest to the world point `p` [m].
    pub fn nearest(&self, p: Vec3) -> Vec3 {
        let local = self.in_own_axes(p - self.center);
        let mut q = local.clamp(-self.half, self.half);
        if self.round > 0.0 {
            let across = (local.x * local.x + local.y * local.y).sqrt();
            let scale = if across > self.round { self.round / across } else { 1.0 };
            (q.x, q.y) = (local.x * scale, local.y * scale);
        }
        self.center + self.in_world_axes(q)
    }
}

/// The core about its own centre, in the world's axes, for parry's algorithms.
impl SupportMap for Placed {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        self.support(dir)
    }
}
