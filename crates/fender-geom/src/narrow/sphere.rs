//! A sphere against everything but a sphere and a half-space. The normal points to the sphere.

use super::bend::Bend;
use super::{ellipsoid, revolved, sphere_sphere};
use crate::{Polyhedron, Shape};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// What the other shape's surface looks like where it is closest to the sphere's centre, in its own frame.
pub struct Nearest {
    /// Point of the surface [m].
    pub surface: Vec3,
    /// Outward unit normal there.
    pub normal: Vec3,
    /// Distance of the centre from the surface, negative when it is inside [m].
    pub distance: f64,
    /// Bend of the surface there.
    pub bend: Bend,
}

/// Nearest place to `p` [m] on the surface of a shape in its own frame; `None` for meshes and tubes.
pub fn nearest(shape: &Shape, p: Vec3) -> Option<Nearest> {
    Some(match *shape {
        Shape::Sphere { radius } => around(p, Vec3::ZERO, Vec3::Z, radius, Bend::ball(radius)),
        Shape::HalfSpace => {
            Nearest { surface: Vec3::new(p.x, p.y, 0.0), normal: Vec3::Z, distance: p.z, bend: Bend::FLAT }
        }
        Shape::Box { half } => on_box(p, half),
        Shape::Cylinder { radius, half_height } => on_cylinder(p, radius, half_height),
        Shape::Capsule { radius, half_height } => on_capsule(p, radius, half_height),
        Shape::Ellipsoid { radii } => ellipsoid::nearest(p, radii),
        Shape::Cone { radius, half_height } => revolved::cone(p, radius, half_height),
        Shape::Bore { radius, half_height } => revolved::bore(p, radius, half_height),
        Shape::Funnel { radius, half_height } => revolved::funnel(p, radius, half_height),
        Shape::Edge { half_angle } => revolved::edge(p, half_angle),
        Shape::Polyhedron(ref polyhedron) if p.is_finite() => {
            let found = polyhedron.nearest(p);
            let (normal, distance) = (found.normal, found.distance);
            Nearest { surface: found.point, normal, distance, bend: Bend::FLAT }
        }
        _ => return None,
    })
}

/// Sphere of `radius` [m] at `center` [m] against one of the shapes of [`nearest`].
pub fn other(center: Vec3, radius: f64, shape: &Shape, pose_wb: &Pose) -> Option<PointOverlap> {
    let nearest = nearest(shape, pose_wb.inverse_transform_point(center))?;
    let mut found = overlap(radius, &nearest, pose_wb)?;
    if !shape.is_round() {
        // On the sphere (Gonthier 2007, eq. 3.1), as on a half-space.
        found.point = center - found.normal * radius;
    }
    Some(found)
}

/// Sphere of `radius` [m] at `center` [m] against a box of half lengths `half` [m].
pub fn cuboid(center: Vec3, radius: f64, half: Vec3, pose_wb: &Pose) -> Option<PointOverlap> {
    let p = pose_wb.inverse_transform_point(center);
    if (p - p.clamp(-half, half)).length_squared() >= radius * radius {
        return None;
    }
    overlap(radius, &on_box(p, half), pose_wb)
}

#[inline]
fn on_box(p: Vec3, half: Vec3) -> Nearest {
    let clamped = p.clamp(-half, half);
    let out = p - clamped;
    let sq = out.length_squared();
    if sq > 0.0 {
        let distance = sq.sqrt();
        return Nearest { surface: clamped, normal: out / distance, distance, bend: Bend::FLAT };
    }
    // Inside: out through the nearest face.
    let room = half - p.abs();
    let axis = if room.x <= room.y && room.x <= room.z {
        Vec3::X
    } else if room.y <= room.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let distance = -room.dot(axis);
    let normal = axis * 1.0_f64.copysign(p.dot(axis));
    Nearest { surface: p - normal * distance, normal, distance, bend: Bend::FLAT }
}

/// Sphere of `radius` [m] at `center` [m] against a cylinder of radius `round` [m].
pub fn cylinder(
    center: Vec3,
    radius: f64,
    round: f64,
    half_height: f64,
    pose_wb: &Pose,
) -> Option<PointOverlap> {
    let p = pose_wb.inverse_transform_point(center);
    let nearest = on_cylinder(p, round, half_height);
    if nearest.distance < radius { overlap(radius, &nearest, pose_wb) } else { None }
}

#[inline]
fn on_cylinder(p: Vec3, round: f64, half_height: f64) -> Nearest {
    let across = Vec3::new(p.x, p.y, 0.0);
    let rho = across.length();
    // On the axis every direction is as good as any other.
    let radial = if rho > 0.0 { across / rho } else { Vec3::X };
    // The rim counts as a line that bends less as the normal turns to the cap.
    let tangent = Vec3::Z.cross(radial);
    let side = |part: f64, normal: Vec3| Bend::single(part / round, tangent, tangent.cross(normal));
    if rho > round || p.z.abs() > half_height {
        let clamped = radial * rho.min(round) + Vec3::Z * p.z.clamp(-half_height, half_height);
        let out = p - clamped;
        let distance = out.length();
        // By rounding it may be on the surface all the same.
        let normal = if distance > 0.0 { out / distance } else { radial };
        let sin = normal.dot(radial);
        Nearest { surface: clamped, normal, distance, bend: side(sin * sin, normal) }
    } else if round - rho < half_height - p.z.abs() {
        Nearest {
            surface: p + radial * (round - rho),
            normal: radial,
            distance: rho - round,
            bend: side(1.0, radial),
        }
    } else {
        let normal = Vec3::Z * 1.0_f64.copysign(p.z);
        let distance = p.z.abs() - half_height;
        Nearest { surface: p - normal * distance, normal, distance, bend: Bend::FLAT }
    }
}

fn on_capsule(p: Vec3, radius: f64, half_height: f64) -> Nearest {
    let core = Vec3::Z * p.z.clamp(-half_height, half_height);
    let normal = (p - core).normalize_or(Vec3::X);
    let bend = if p.z.abs() < half_height {
        Bend::single(1.0 / radius, Vec3::Z.cross(normal), Vec3::Z)
    } else {
        Bend::ball(radius)
    };
    around(p, core, Vec3::X, radius, bend)
}

/// The ball of `radius` [m] about `core` [m]; `otherwise` is its normal where it has none of its own.
fn around(p: Vec3, core: Vec3, otherwise: Vec3, radius: f64, bend: Bend) -> Nearest {
    let out = p - core;
    let far = out.length();
    let normal = if far > 0.0 { out / far } else { otherwise };
    Nearest { surface: core + normal * radius, normal, distance: far - radius, bend }
}

/// Sphere of `radius` [m] at `center` [m] against a polyhedron.
pub fn polyhedron(
    center: Vec3,
    radius: f64,
    polyhedron: &Polyhedron,
    pose_wb: &Pose,
) -> Option<PointOverlap> {
    let p = pose_wb.inverse_transform_point(center);
    // A position that is not a number fails this test.
    let may_touch = polyhedron.highest_face(p).1 < radius && p.is_finite();
    let found = may_touch.then(|| polyhedron.nearest(p))?;
    let (normal, distance) = (found.normal, found.distance);
    overlap(radius, &Nearest { surface: found.point, normal, distance, bend: Bend::FLAT }, pose_wb)
}

/// Sphere of `radius` [m] at `center` [m] against a capsule of radius `round` [m].
pub fn capsule(
    center: Vec3,
    radius: f64,
    round: f64,
    half_height: f64,
    pose_wb: &Pose,
) -> Option<PointOverlap> {
    let axis = pose_wb.rotation * Vec3::Z;
    let along = axis.dot(center - pose_wb.translation);
    let on_side = along.abs() < half_height;
    let core = pose_wb.translation + axis * along.clamp(-half_height, half_height);
    let mut overlap = sphere_sphere(center, radius, core, round)?;
    if on_side {
        overlap.curvature = 1.0 / radius + 0.5 / round;
        overlap.elongation = axis * (0.5 / round);
        if center == core {
            // Centre on the axis: out across it, not along it.
            overlap.normal = pose_wb.rotation * Vec3::X;
            overlap.point = core + overlap.normal * (round - 0.5 * overlap.depth);
        }
    }
    Some(overlap)
}

fn overlap(radius: f64, nearest: &Nearest, pose_wb: &Pose) -> Option<PointOverlap> {
    let depth = radius - nearest.distance;
    let bend = fitting(nearest.bend, radius);
    // A position that is not a number fails this test, and gives no overlap.
    (depth > 0.0).then(|| PointOverlap {
        point: pose_wb.transform_point(nearest.surface - nearest.normal * (0.5 * depth)),
        normal: pose_wb.rotation * nearest.normal,
        depth,
        curvature: 1.0 / radius + bend.mean,
        elongation: pose_wb.rotation * bend.elongation,
        share: 1.0,
    })
}

/// A hollow that is narrower than the sphere of `radius` [m], as near the tip of a funnel, counts as just wide enough: the gap
/// opens everywhere.
fn fitting(hollow: Bend, radius: f64) -> Bend {
    const ALMOST: f64 = 1.0 - 1e-6;
    let tightest = -0.5 * ALMOST / radius;
    if hollow.mean < tightest {
        let part = tightest / hollow.mean;
        return Bend { mean: tightest, elongation: hollow.elongation * part };
    }
    hollow
}
