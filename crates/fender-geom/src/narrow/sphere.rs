//! A sphere against a box, a cylinder or a capsule. The normal points to the sphere.

use super::sphere_sphere;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// What the other shape's surface looks like where it is closest to the sphere's centre, in its own frame.
struct Nearest {
    /// Point of the surface [m].
    surface: Vec3,
    /// Outward unit normal there.
    normal: Vec3,
    /// Distance of the centre from the surface, negative when it is inside [m].
    distance: f64,
    /// Mean curvature that the surface adds [1/m].
    curvature: f64,
}

/// Sphere of `radius` [m] at `center` [m] against a box of half lengths `half` [m].
pub fn cuboid(center: Vec3, radius: f64, half: Vec3, pose_wb: &Pose) -> Option<PointOverlap> {
    let p = pose_wb.inverse_transform_point(center);
    let clamped = p.clamp(-half, half);
    let out = p - clamped;
    let sq = out.length_squared();
    if sq >= radius * radius {
        return None;
    }
    let nearest = if sq > 0.0 {
        let distance = sq.sqrt();
        Nearest { surface: clamped, normal: out / distance, distance, curvature: 0.0 }
    } else {
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
        Nearest { surface: p - normal * distance, normal, distance, curvature: 0.0 }
    };
    overlap(radius, &nearest, pose_wb)
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
    let across = Vec3::new(p.x, p.y, 0.0);
    let rho = across.length();
    // On the axis every direction is as good as any other.
    let radial = if rho > 0.0 { across / rho } else { Vec3::X };
    let clamped = radial * rho.min(round) + Vec3::Z * p.z.clamp(-half_height, half_height);
    let out = p - clamped;
    let sq = out.length_squared();
    if sq >= radius * radius {
        return None;
    }
    let side = 0.5 / round;
    let nearest = if rho > round || p.z.abs() > half_height {
        let distance = sq.sqrt();
        let normal = out / distance;
        let sin = normal.dot(radial);
        Nearest { surface: clamped, normal, distance, curvature: side * sin * sin }
    } else if round - rho < half_height - p.z.abs() {
        Nearest {
            surface: p + radial * (round - rho),
            normal: radial,
            distance: rho - round,
            curvature: side,
        }
    } else {
        let normal = Vec3::Z * 1.0_f64.copysign(p.z);
        let distance = p.z.abs() - half_height;
        Nearest { surface: p - normal * distance, normal, distance, curvature: 0.0 }
    };
    overlap(radius, &nearest, pose_wb)
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
    // A position that is not a number fails this test, and gives no overlap.
    (depth > 0.0).then(|| PointOverlap {
        point: pose_wb.transform_point(nearest.surface - nearest.normal * (0.5 * depth)),
        normal: pose_wb.rotation * nearest.normal,
        depth,
        curvature: 1.0 / radius + nearest.curvature,
        elongation: Vec3::ZERO,
        share: 1.0,
    })
}
