//! A round solid in a soft one that is round too.
//!
//! Everything is an integral over the surface of the rigid solid A in the soft one B. Push and section are so
//! by definition. Volume integrals ∫f dV over A∩B become surface integrals by the divergence theorem with a
//! vector field U, div U = f, along the rays of the soft solid ([`soft_solid::SoftSolid`]):
//!
//! U = −(x − k)/(t·w(t))·∫ f(k + τ·e)·w(τ) dτ between t and 1,
//!
//! for the place x = k + t·e on the ray from the place k of the core, where w is how the rays spread. U is
//! zero on the surface of B and has no component across the borders between rays of different kind, so that
//! no other surfaces count. Where A holds a part of the core, the field has its sources ([`sources`]). The
//! integrals along a ray are polynomials of the depth.

mod faces;
mod quadrature;
mod soft_solid;
mod sources;

use super::PatchMoments;
use super::tangent::{PatchTangent, TangentSum};
use crate::Shape;
use crate::narrow::convex::reach;
use faces::{Disc, Dome, Face, Side, SurfacePoint};
use fender_contact::PatchOverlap;
use fender_math::{Mat3, Pose, Quat, Vec3};
use quadrature::{Sizes, SurfaceSink, Windows};
use smallvec::SmallVec;
use soft_solid::{RayPlace, SoftSolid};

/// Whether a shape can be soft, and rigid, here.
pub(super) fn is_curved(shape: &Shape) -> bool {
    SoftSolid::new(shape).is_some()
}

/// Takes the faces of a solid one after the other.
trait FaceVisitor {
    fn visit<F: Face>(&mut self, face: &F);
}

/// The rigid solid in the frame of the soft one.
#[derive(Clone, Copy, Debug)]
struct RigidSolid<'a> {
    shape: &'a Shape,
    pose: Pose,
    axes: Mat3,
}

impl<'a> RigidSolid<'a> {
    fn new(shape: &'a Shape, pose: Pose) -> Self {
        Self { shape, pose, axes: Mat3::from_quat(pose.rotation) }
    }

    fn visit_faces(&self, visitor: &mut impl FaceVisitor) {
        let center = self.pose.translation;
        let axis = self.axes.z_axis;
        let side = |radius: f64, slope: f64, half_height: f64| {
            let axes = [self.axes.x_axis, self.axes.y_axis, axis];
            Side { center, axes, radius, slope, half_height }
        };
        let disc = |radius: f64, height: f64| {
            // Chords along the soft solid's axis as far as they can be.
            let across = axis.cross(Vec3::Z).normalize_or(self.axes.y_axis);
            let normal = axis * 1.0_f64.copysign(height);
            Disc { center: center + axis * height, normal, axes: [across.cross(axis), across], radius }
        };
        match *self.shape {
            Shape::Sphere { radius } => visitor.visit(&Dome::ball(center, radius)),
            Shape::Cylinder { radius, half_height } => {
                visitor.visit(&side(radius, 0.0, half_height));
                visitor.visit(&disc(radius, half_height));
                visitor.visit(&disc(radius, -half_height));
            }
            Shape::Cone { radius, half_height } => {
                visitor.visit(&side(0.5 * radius, 0.5 * radius / half_height, half_height));
                visitor.visit(&disc(radius, -half_height));
            }
            Shape::Capsule { radius, half_height } => {
                visitor.visit(&side(radius, 0.0, half_height));
                for end in [axis, -axis] {
                    for part in Dome::half_ball(center + end * half_height, radius, end) {
                        visitor.visit(&part);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Finds the parts of the faces that are in the soft solid.
struct WindowSearch<'a> {
    soft: &'a SoftSolid,
    windows: SmallVec<[Windows; 5]>,
}

impl FaceVisitor for WindowSearch<'_> {
    fn visit<F: Face>(&mut self, face: &F) {
        self.windows.push(Windows::new(face, self.soft));
    }
}

/// Integrates over these parts.
struct Integration<'a, S> {
    soft: &'a SoftSolid,
    windows: std::slice::Iter<'a, Windows>,
    /// Depth of the deepest place [m].
    depth: f64,
    /// About those of the integrals over all faces.
    sizes: Sizes,
    sink: S,
}

impl<S: SurfaceSink> FaceVisitor for Integration<'_, S> {
    fn visit<F: Face>(&mut self, face: &F) {
        if let Some(windows) = self.windows.next() {
            quadrature::integrate(face, self.soft, windows, self.depth, &mut self.sizes, &mut self.sink);
        }
    }
}

/// Sums of the overlap, about an origin in it.
#[derive(Clone, Copy)]
struct OverlapSink<'a> {
    soft: &'a SoftSolid,
    origin: Vec3,
    volume: f64,
    moment: f64,
    first: Vec3,
    /// Diagonal of the second moments, and the others: xy, yz and zx.
    second: [Vec3; 2],
    push: [Vec3; 2],
    section: [Vec3; 2],
}

impl<'a> OverlapSink<'a> {
    fn new(soft: &'a SoftSolid, origin: Vec3) -> Self {
        let none = [Vec3::ZERO; 2];
        let (volume, moment, first) = (0.0, 0.0, Vec3::ZERO);
        Self { soft, origin, volume, moment, first, second: none, push: none, section: none }
    }

    /// Adds the sums to those of the sources.
    fn finish(&self, sum: &mut PatchMoments) {
        let [Vec3 { x: xx, y: yy, z: zz }, Vec3 { x: xy, y: yz, z: zx }] = self.second;
        let columns = [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)];
        let [x, y, z] = columns;
        sum.add_volume(self.volume, self.moment, self.first, Mat3::from_cols(x, y, z));
        sum.add_surface(self.push, self.section);
    }
}

/// xxᵀ.
fn square(x: Vec3) -> Mat3 {
    Mat3::from_cols(x * x.x, x * x.y, x * x.z)
}

impl SurfaceSink for OverlapSink<'_> {
    const HAS_BORDER: bool = false;

    fn empty(&self) -> Self {
        Self::new(self.soft, self.origin)
    }

    fn join(&mut self, other: &Self) {
        self.volume += other.volume;
        self.moment += other.moment;
        self.first += other.first;
        for i in 0..2 {
            self.second[i] += other.second[i];
            self.push[i] += other.push[i];
            self.section[i] += other.section[i];
        }
    }

    fn add(&mut self, point: &SurfacePoint, ray: &RayPlace, field: &[f64; 3], area: f64) {
        let [zeroth, first, second] = field.map(|moment| moment * area);
        let x = point.place - self.origin;
        self.volume += zeroth;
        self.moment += ray.depth * zeroth - self.soft.inradius * first;
        // ∫ y dη and ∫ y η dη of the places y = x + η·e on the ray: ∫ yyᵀ dη = x aᵀ + e bᵀ.
        let (a, b) = (x * zeroth + ray.along * first, x * first + ray.along * second);
        self.first += a;
        self.second[0] += x * a + ray.along * b;
        let next = |v: Vec3| Vec3::new(v.y, v.z, v.x);
        self.second[1] += x * next(a) + ray.along * next(b);
        let section = point.normal * area;
        let moment = x.cross(section);
        self.push[0] -= section * ray.depth;
        self.push[1] -= moment * ray.depth;
        self.section[0] -= section;
        self.section[1] -= moment;
    }

    fn add_border(&mut self, _: &SurfacePoint, _: f64) {}
}

/// Sums of the tangent, about a point.
struct TangentSink<'a> {
    soft: &'a SoftSolid,
    about: Vec3,
    sum: TangentSum,
}

impl SurfaceSink for TangentSink<'_> {
    const HAS_BORDER: bool = true;

    fn empty(&self) -> Self {
        Self { soft: self.soft, about: self.about, sum: TangentSum::default() }
    }

    fn join(&mut self, other: &Self) {
        self.sum.join(&other.sum);
    }

    fn add(&mut self, point: &SurfacePoint, ray: &RayPlace, _: &[f64; 3], area: f64) {
        let gradient = self.soft.gradient(point.place);
        self.sum.add_surface(point.normal * area, point.place - self.about, ray.depth, gradient);
    }

    fn add_border(&mut self, point: &SurfacePoint, weight: f64) {
        let gradient = self.soft.gradient(point.place);
        self.sum.add_border(point.normal, point.place - self.about, -gradient, weight);
    }
}

/// Whether a plane parts two solids, the second one in its own frame: across one of the axes, or along both.
fn are_parted(a: &Shape, center: Vec3, axis: Vec3, to_a: &impl Fn(Vec3) -> Vec3, b: &Shape) -> bool {
    let across = |from: Vec3, axis: Vec3| from - axis * axis.dot(from);
    let directions = [axis, Vec3::Z, across(center, axis), across(center, Vec3::Z), axis.cross(Vec3::Z)];
    directions.into_iter().filter_map(Vec3::try_normalize).any(|n| {
        let n = n * 1.0_f64.copysign(n.dot(center));
        n.dot(center) >= reach(a, to_a(-n)) + reach(b, n)
    })
}

/// Two solids in the frame of the soft one.
struct Placed<'a> {
    rigid: RigidSolid<'a>,
    soft: SoftSolid,
    /// Pose of the frame.
    frame: Pose,
}

impl<'a> Placed<'a> {
    /// `None` if the solids are obviously apart.
    fn new(rigid: &'a Shape, rigid_pose: &Pose, shape: &Shape, soft_pose: &Pose) -> Option<Self> {
        let mut frame = *soft_pose;
        if matches!(shape, Shape::Sphere { .. }) {
            // A ball's axis may be any: across the line of centres, so that the overlap is far from the
            // poles.
            let way = rigid_pose.translation - soft_pose.translation;
            frame.rotation =
                Quat::from_rotation_arc(Vec3::Z, way.normalize_or(Vec3::X).any_orthonormal_vector());
        }
        let soft = SoftSolid::new(shape)?;
        let rigid = RigidSolid::new(rigid, frame.inv_mul(rigid_pose));
        let local = |n: Vec3| rigid.pose.rotation.inverse() * n;
        let is_parted = are_parted(rigid.shape, rigid.pose.translation, rigid.axes.z_axis, &local, shape);
        (!is_parted).then_some(Self { rigid, soft, frame })
    }
}

/// The parts of the rigid solid's faces that are in the soft one, and the deepest place.
fn windows(rigid: &RigidSolid<'_>, soft: &SoftSolid) -> (SmallVec<[Windows; 5]>, (f64, Vec3)) {
    let mut search = WindowSearch { soft, windows: SmallVec::new() };
    rigid.visit_faces(&mut search);
    let deepest = search.windows.iter().map(|w| w.deepest).max_by(|a, b| a.0.total_cmp(&b.0));
    (search.windows, deepest.unwrap_or((0.0, rigid.pose.translation)))
}

/// About the sizes of the integrals over all faces.
fn rough_sizes(windows: &[Windows]) -> Sizes {
    windows.iter().fold(Sizes::default(), |sum, windows| sum.join(&windows.sizes))
}

/// Overlap of a rigid solid with a soft one, both round; `None` if they are apart or the shapes are others.
pub(super) fn overlap(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
) -> Option<PatchOverlap> {
    let Placed { rigid, soft, frame } = Placed::new(rigid, rigid_pose, soft, soft_pose)?;
    let (windows, (depth, origin)) = windows(&rigid, &soft);
    let sink = OverlapSink::new(&soft, origin);
    let sizes = rough_sizes(&windows);
    let mut integration = Integration { soft: &soft, windows: windows.iter(), depth, sizes, sink };
    rigid.visit_faces(&mut integration);
    let mut sum = PatchMoments::new(origin);
    sources::add(&rigid, &soft, origin, &mut sum);
    integration.sink.finish(&mut sum);
    sum.finish(&frame, soft_is_first)
}

/// The tangent of the overlap of a rigid solid with a soft one, both round. That of the section counts only
/// those parts of the border which cross the curves of a face: it lacks a border that lies along such a
/// curve, as that of a ball in a flat cap does, and loses digits as a border comes near to that.
pub(super) fn tangent(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
    about: Vec3,
) -> Option<PatchTangent> {
    let Placed { rigid, soft, frame } = Placed::new(rigid, rigid_pose, soft, soft_pose)?;
    let (windows, (depth, _)) = windows(&rigid, &soft);
    let sink =
        TangentSink { soft: &soft, about: frame.inverse_transform_point(about), sum: TangentSum::default() };
    let sizes = rough_sizes(&windows);
    let mut integration = Integration { soft: &soft, windows: windows.iter(), depth, sizes, sink };
    rigid.visit_faces(&mut integration);
    integration.sink.sum.finish_surface(&frame, soft_is_first)
}
