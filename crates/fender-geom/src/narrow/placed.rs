//! A convex solid in the world, reduced to what the search for the contact needs.

use super::{ellipsoid, revolved};
use crate::{Polyhedron, Shape};
use fender_math::{Mat3, Pose, Vec3};
use parry3d_f64::shape::SupportMap;

/// Part of a length, or sine of an angle, below which directions count as along a face or an edge.
const PARALLEL: f64 = 1e-7;

/// Solid made of a core and a `border` around it.
///
/// The core of the first three is the sum of a box `half` and of a disc across z of radius `round`: a box has no disc, a cylinder has a box
/// that is only as long as the axis, a capsule is such an axis with a border. A cone has its half height and its radius, an ellipsoid its half axes in the same places.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    pub center: Vec3,
    /// The shape's axes in the world.
    pub axes: [Vec3; 3],
    pub half: Vec3,
    pub round: f64,
    pub border: f64,
    pub kind: Kind<'a>,
}

/// What a core is.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    Box,
    Cylinder,
    Capsule,
    Cone,
    Ellipsoid,
    Polyhedron(&'a Polyhedron),
}

impl<'a> Placed<'a> {
    /// `None` for shapes that other files take care of.
    pub fn new(shape: &'a Shape, pose_ws: &Pose) -> Option<Self> {
        let along = |half_height: f64| Vec3::Z * half_height;
        let mut center = pose_ws.translation;
        let (kind, half, round, border) = match *shape {
            Shape::Box { half } => (Kind::Box, half, 0.0, 0.0),
            Shape::Cylinder { radius, half_height } => (Kind::Cylinder, along(half_height), radius, 0.0),
            Shape::Capsule { radius, half_height } => (Kind::Capsule, along(half_height), 0.0, radius),
            Shape::Cone { radius, half_height } => (Kind::Cone, along(half_height), radius, 0.0),
            Shape::Ellipsoid { radii } => (Kind::Ellipsoid, radii, 0.0, 0.0),
            Shape::Polyhedron(ref polyhedron) => {
                // Its frame's origin may be far away.
                center = pose_ws.transform_point(polyhedron.middle());
                let (low, high) = polyhedron.extent();
                (Kind::Polyhedron(polyhedron), 0.5 * (high - low), 0.0, 0.0)
            }
            _ => return None,
        };
        let r = Mat3::from_quat(pose_ws.rotation);
        let axes = [r.x_axis, r.y_axis, r.z_axis];
        Some(Self { center, axes, half, round, border, kind })
    }

    pub fn is_capsule(&self) -> bool {
        matches!(self.kind, Kind::Capsule)
    }

    /// Whether all of its surface is flat.
    pub fn is_flat(&self) -> bool {
        matches!(self.kind, Kind::Box | Kind::Polyhedron(_))
    }

    /// Axis of revolution (of a cylinder or capsule).
    pub fn axis(&self) -> Vec3 {
        self.axes[2]
    }

    /// Radius of a cylinder or capsule, and of a cone halfway up [m].
    pub fn radius(&self) -> f64 {
        if matches!(self.kind, Kind::Cone) { 0.5 * self.round } else { self.round + self.border }
    }

    /// Cosine of the angle between the axis of a cone and the normals of its side.
    pub fn side_cos(&self) -> f64 {
        self.round / (self.round * self.round + 4.0 * self.half.z * self.half.z).sqrt()
    }

    pub fn in_own_axes(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.axes[0].dot(v), self.axes[1].dot(v), self.axes[2].dot(v))
    }

    pub fn in_world_axes(&self, v: Vec3) -> Vec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    /// Size of the whole solid [m], for tolerances.
    pub fn size(&self) -> f64 {
        self.half.max_element() + self.round + self.border
    }

    /// How far the core reaches from its centre along the unit direction `n` [m].
    pub fn reach(&self, n: Vec3) -> f64 {
        let along = self.in_own_axes(n);
        let across = || (along.x * along.x + along.y * along.y).sqrt();
        match self.kind {
            Kind::Box | Kind::Capsule => along.abs().dot(self.half),
            Kind::Cylinder => along.abs().dot(self.half) + self.round * across(),
            Kind::Cone => (self.half.z * along.z).max(self.round * across() - self.half.z * along.z),
            Kind::Ellipsoid => (along * self.half).length(),
            Kind::Polyhedron(polyhedron) => {
                let v = polyhedron.farthest(along);
                along.dot(polyhedron.vertices()[v as usize] - polyhedron.middle())
            }
        }
    }

    /// Farthest point of the core along `n` (any length), from the centre [m].
    pub fn support(&self, n: Vec3) -> Vec3 {
        let along = self.in_own_axes(n);
        let rim = || {
            let across = (along.x * along.x + along.y * along.y).sqrt();
            let out = if across > 0.0 { self.round / across } else { 0.0 };
            Vec3::new(along.x * out, along.y * out, 0.0)
        };
        let p = match self.kind {
            Kind::Box | Kind::Capsule => along.signum() * self.half,
            Kind::Cylinder => along.signum() * self.half + rim(),
            Kind::Cone => {
                let rim = rim() - self.half;
                if along.dot(rim) > self.half.z * along.z { rim } else { self.half }
            }
            Kind::Ellipsoid => {
                let reach = (along * self.half).length();
                if reach > 0.0 { self.half * self.half * along / reach } else { Vec3::ZERO }
            }
            Kind::Polyhedron(polyhedron) => {
                polyhedron.vertices()[polyhedron.farthest(along) as usize] - polyhedron.middle()
            }
        };
        self.in_world_axes(p)
    }

    /// How [`Placed::support`] moves with the unit direction `n`, as a form of two changes of it: rim and ellipsoid [m].
    pub fn support_bend(&self, n: Vec3) -> impl Fn(Vec3, Vec3) -> f64 + use<> {
        let rim = match self.kind {
            Kind::Cone if self.side_cos() < self.axis().dot(n) => Vec3::ZERO,
            Kind::Cylinder | Kind::Cone => self.rim_bend(n),
            _ => Vec3::ZERO,
        };
        let radii = if matches!(self.kind, Kind::Ellipsoid) { self.half } else { Vec3::ZERO };
        let axes = self.axes;
        let inside = move |v: Vec3| Vec3::new(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v)) * radii;
        let along = inside(n);
        let reach = along.length();
        move |s: Vec3, t: Vec3| {
            let round = if reach > 0.0 {
                let (s, t) = (inside(s), inside(t));
                (s.dot(t) - s.dot(along) * t.dot(along) / (reach * reach)) / reach
            } else {
                0.0
            };
            rim.dot(s) * rim.dot(t) + round
        }
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
        let along = self.in_own_axes(n);
        let across = along.x.abs().max(along.y.abs()) > PARALLEL;
        match self.kind {
            Kind::Box => along.abs().min_element() > PARALLEL,
            Kind::Capsule => along.z.abs() > PARALLEL,
            Kind::Cylinder => along.z.abs() > PARALLEL && across,
            Kind::Cone => {
                let over = along.z - self.side_cos();
                over > PARALLEL || over < -PARALLEL && across
            }
            Kind::Ellipsoid => true,
            Kind::Polyhedron(polyhedron) => polyhedron.level_with(along).1.is_empty(),
        }
    }

    /// Outward normals of all faces, if they are not many, and how far the solid reaches along them [m].
    pub fn few_faces(&self, mut each: impl FnMut(Vec3, f64)) {
        const FEW: usize = 12;
        match self.kind {
            Kind::Box => {
                for (i, axis) in self.axes.into_iter().enumerate() {
                    each(axis, self.half[i]);
                    each(-axis, self.half[i]);
                }
            }
            Kind::Cylinder => {
                each(self.axis(), self.half.z);
                each(-self.axis(), self.half.z);
            }
            Kind::Cone => each(-self.axis(), self.half.z),
            Kind::Polyhedron(polyhedron) if polyhedron.normals().len() <= FEW => {
                for (f, normal) in polyhedron.normals().iter().enumerate() {
                    let reach = -polyhedron.height(f as u32, polyhedron.middle());
                    each(self.in_world_axes(*normal), reach);
                }
            }
            Kind::Polyhedron(_) | Kind::Capsule | Kind::Ellipsoid => {}
        }
    }

    /// Whether its surface is round where it faces the unit direction `n`, or nearly: an inner ball then touches it there.
    pub fn is_round_toward(&self, n: Vec3) -> bool {
        const NEARLY: f64 = 0.05;
        match self.kind {
            Kind::Capsule | Kind::Ellipsoid => true,
            Kind::Cylinder => self.axis().dot(n).abs() < NEARLY,
            Kind::Cone => (self.axis().dot(n) - self.side_cos()).abs() < NEARLY,
            Kind::Box | Kind::Polyhedron(_) => false,
        }
    }

    /// Outward normals of the faces that touch the farthest point along the unit direction `n`.
    pub fn faces_toward(&self, n: Vec3, mut each: impl FnMut(Vec3)) {
        match self.kind {
            Kind::Box => {
                for axis in self.axes {
                    each(axis * 1.0_f64.copysign(axis.dot(n)));
                }
            }
            Kind::Cylinder => each(self.axis() * 1.0_f64.copysign(self.axis().dot(n))),
            Kind::Cone => each(-self.axis()),
            Kind::Polyhedron(polyhedron) => {
                let v = polyhedron.farthest(self.in_own_axes(n));
                for f in polyhedron.faces_at(v) {
                    each(self.in_world_axes(polyhedron.normals()[*f as usize]));
                }
            }
            Kind::Capsule | Kind::Ellipsoid => {}
        }
    }

    /// Straight lines on the surface that touch the farthest point along the unit direction `n`, as the circles of directions along which they
    /// are farthest: the axis of the circle and the cosine of the angle from it.
    pub fn lines_toward(&self, n: Vec3, mut each: impl FnMut(Vec3, f64)) {
        match self.kind {
            Kind::Box => self.axes.iter().for_each(|axis| each(*axis, 0.0)),
            Kind::Cylinder | Kind::Capsule => each(self.axis(), 0.0),
            Kind::Cone => each(self.axis(), self.side_cos()),
            Kind::Polyhedron(polyhedron) => {
                let v = polyhedron.farthest(self.in_own_axes(n));
                let at = polyhedron.vertices()[v as usize];
                for w in polyhedron.beside(v) {
                    let along = (polyhedron.vertices()[*w as usize] - at).normalize_or_zero();
                    each(self.in_world_axes(along), 0.0);
                }
            }
            Kind::Ellipsoid => {}
        }
    }

    /// Radius of a ball inside the solid that touches its surface from within above the point `from_center` [m] seen
    /// along the unit direction `n`, outward. Zero at an edge, negative where nothing of the solid faces `n`.
    pub fn inner_radius(&self, from_center: Vec3, n: Vec3) -> f64 {
        const LEVEL: f64 = 1e-9;
        const ON_LINE: f64 = 1e-6;
        let p = self.in_own_axes(from_center);
        let n = self.in_own_axes(n);
        let along = n.abs();
        let room = self.half - p.abs();
        // Both are zero on the line of a side that faces the direction.
        let beside = |round: f64| (p.x * n.y - p.y * n.x).abs() > ON_LINE * round;
        let rho = || (p.x * p.x + p.y * p.y).sqrt();
        match self.kind {
            Kind::Capsule => self.border,
            Kind::Box => {
                let face = (0..3).find(|i| along[*i] > 1.0 - LEVEL);
                face.map_or(0.0, |i| room[(i + 1) % 3].min(room[(i + 2) % 3]).min(self.half[i]))
            }
            Kind::Cylinder if along.z > 1.0 - LEVEL => (self.round - rho()).min(self.half.z),
            Kind::Cylinder if along.z > LEVEL => 0.0,
            Kind::Cylinder if beside(self.round) => f64::NEG_INFINITY,
            Kind::Cylinder => room.z.min(self.round),
            Kind::Cone => {
                // A ball on one plane reaches another as far as it is beside it over 1 − the cosine between the normals.
                let cos = self.side_cos();
                let sin = (1.0 - cos * cos).sqrt();
                if n.z < LEVEL - 1.0 {
                    ((self.round - rho()) * sin / (1.0 + cos)).min(2.0 * self.half.z)
                } else if (n.z - cos).abs() > LEVEL {
                    0.0
                } else if beside(self.round) {
                    f64::NEG_INFINITY
                } else {
                    // Places are on the side, as high as the axis lets them be; a deep one may be beyond the axis.
                    let toward_side = (p.x * n.x + p.y * n.y) / sin;
                    let down = (self.half.z - p.z) * sin * sin + toward_side * cos * sin;
                    let out = down * cos / sin;
                    (out / sin).min((2.0 * self.half.z - down) / (1.0 + cos))
                }
            }
            Kind::Ellipsoid => {
                let least = self.half.min_element();
                least * least / self.half.max_element()
            }
            Kind::Polyhedron(polyhedron) => {
                let face = polyhedron.facing(n);
                let normal = polyhedron.normals()[face as usize];
                if normal.dot(n) < 1.0 - LEVEL {
                    return 0.0;
                }
                let p = p + polyhedron.middle();
                let on_face = p - normal * polyhedron.height(face, p);
                let mut room = f64::INFINITY;
                for (f, other) in polyhedron.normals().iter().enumerate().filter(|(f, _)| *f as u32 != face) {
                    room = room.min(-polyhedron.height(f as u32, on_face) / (1.0 - other.dot(normal)));
                }
                room
            }
        }
    }

    /// Whether the core has one of its farthest points along the unit direction `n` over the point `from_center` [m], seen along it.
    ///
    /// A place beside that point changes a depth by the square of how far it is beside, one below it by all that it is below.
    pub fn is_farthest_over(&self, from_center: Vec3, n: Vec3) -> bool {
        const BESIDE: f64 = 1e-6;
        const BELOW: f64 = 1e-10;
        let on_plane = self.center + from_center + n * (self.reach(n) - n.dot(from_center));
        let near = match self.kind {
            // One point only.
            Kind::Ellipsoid => self.center + self.support(n),
            _ => self.nearest(on_plane),
        };
        let (off, size) = (on_plane - near, self.size());
        off.length_squared() < (BESIDE * size) * (BESIDE * size) && n.dot(off) < BELOW * size
    }

    /// Point of the core nearest to the world point `p` [m].
    pub fn nearest(&self, p: Vec3) -> Vec3 {
        let local = self.in_own_axes(p - self.center);
        let q = match self.kind {
            Kind::Box | Kind::Capsule => local.clamp(-self.half, self.half),
            Kind::Cylinder => {
                let across = (local.x * local.x + local.y * local.y).sqrt();
                let scale = if across > self.round { self.round / across } else { 1.0 };
                Vec3::new(local.x * scale, local.y * scale, local.z.clamp(-self.half.z, self.half.z))
            }
            // A point inside is its own nearest.
            Kind::Cone => {
                let found = revolved::cone(local, self.round, self.half.z);
                if found.distance <= 0.0 { local } else { found.surface }
            }
            Kind::Ellipsoid => {
                let found = ellipsoid::nearest(local, self.half);
                if found.distance <= 0.0 { local } else { found.surface }
            }
            Kind::Polyhedron(polyhedron) => {
                let found = polyhedron.nearest(local + polyhedron.middle());
                if found.distance <= 0.0 { local } else { found.point - polyhedron.middle() }
            }
        };
        self.center + self.in_world_axes(q)
    }
}

/// The core about its own centre, in the world's axes, for parry's algorithms.
impl SupportMap for Placed<'_> {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        self.support(dir)
    }
}
