//! Solids against a half-space. The normal points to the solid.
//!
//! Each touches with points that have fixed shares of the pair's stiffness, or such that forces answer for their change (`lean.rs`,
//! `polyhedron_shares.rs`), so that Σ ½·k·share·depth² is a potential and the contact conserves energy exactly (the module's page says what that costs).

use super::lean::{STANDS, leaning};
use super::{Overlaps, ellipsoid, polyhedron_half_space};
use crate::Shape;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Share of a corner or rim point: a face pressed evenly has four.
pub const QUARTER: f64 = 0.25;
/// Share of a capsule's end: a capsule that lies has two.
const HALF: f64 = 0.5;

/// Surface of a half-space.
#[derive(Clone, Copy)]
pub struct Surface {
    /// A point of it [m].
    pub origin: Vec3,
    /// Outward unit normal.
    pub normal: Vec3,
}

/// The solid `shape` at `pose_wa` against a half-space; nothing for shapes that do not meet one here.
pub fn solid(shape: &Shape, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    match *shape {
        Shape::Ellipsoid { radii } => Overlaps::one(ellipsoid::half_space(radii, pose_wa, surface)),
        Shape::Capsule { radius, half_height } => capsule(radius, half_height, pose_wa, surface),
        Shape::Cylinder { radius, half_height } => cylinder(radius, half_height, pose_wa, surface),
        Shape::Cone { radius, half_height } => cone(radius, half_height, pose_wa, surface),
        Shape::Box { half } => cuboid(half, pose_wa, surface),
        Shape::Polyhedron(ref polyhedron) => polyhedron_half_space::solid(polyhedron, pose_wa, surface),
        _ => Overlaps::none(),
    }
}

impl Surface {
    pub fn of(pose_wh: &Pose) -> Self {
        Self { origin: pose_wh.translation, normal: pose_wh.rotation * Vec3::Z }
    }

    /// How far a point is below it [m].
    pub fn depth(&self, p: Vec3) -> f64 {
        self.normal.dot(self.origin - p)
    }

    /// The solid's surface point `p`, if it is below.
    fn overlap(&self, p: Vec3, share: f64, curvature: f64) -> Option<PointOverlap> {
        let depth = self.depth(p);
        (depth > 0.0).then_some(PointOverlap {
            point: p,
            normal: self.normal,
            depth,
            curvature,
            elongation: Vec3::ZERO,
            share,
        })
    }

    fn push(&self, p: Vec3, share: f64, curvature: f64, found: &mut Overlaps) {
        if let Some(point) = self.overlap(p, share, curvature) {
            found.push(point);
        }
    }
}

/// Capsule: its two end spheres. A segment of no length would give one sphere with the whole stiffness.
fn capsule(radius: f64, half_height: f64, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let axis = pose_wa.rotation * Vec3::new(0.0, 0.0, half_height);
    let lowest = pose_wa.translation - surface.normal * radius;
    let mut found = Overlaps::none();
    for end in [-axis, axis] {
        surface.push(lowest + end, HALF, 1.0 / radius, &mut found);
    }
    found
}

/// Box: its corners.
fn cuboid(half: Vec3, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let mut found = Overlaps::none();
    let x = pose_wa.rotation * Vec3::new(half.x, 0.0, 0.0);
    let y = pose_wa.rotation * Vec3::new(0.0, half.y, 0.0);
    let z = pose_wa.rotation * Vec3::new(0.0, 0.0, half.z);
    let n = surface.normal;
    if surface.depth(pose_wa.translation) + n.dot(x).abs() + n.dot(y).abs() + n.dot(z).abs() <= 0.0 {
        return found;
    }
    for z in [-z, z] {
        for y in [-y, y] {
            for x in [-x, x] {
                surface.push(pose_wa.translation + x + y + z, QUARTER, 0.0, &mut found);
            }
        }
    }
    found
}

/// Cylinder: four points on each rim, a quarter turn apart, the first at the lowest point of the rim. They follow the
/// tilt and not the material, so a tilted cylinder rolls without bumps; lying on its side it touches with the
/// lowest point of each rim, which then count more (`lean.rs`).
///
/// Once a whole cap is below the surface its points are fixed to the body, which is right for friction. This changes
/// neither force nor moment: for four points a quarter turn apart both Σ depth·position and Σ depth² are the same
/// whatever the first one's direction, so there is no jump.
fn cylinder(radius: f64, half_height: f64, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let mut found = Overlaps::none();
    for end in [-half_height, half_height] {
        cap(radius, end, pose_wa, surface, |point| found.push(point));
    }
    found
}

/// Cone: four points on the rim of its base as for a cylinder, and the tip. Lying on its side it touches with the tip and the
/// lowest point of the rim.
fn cone(radius: f64, half_height: f64, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let mut found = Overlaps::none();
    cap(radius, -half_height, pose_wa, surface, |point| found.push(point));
    let tip = pose_wa.transform_point(Vec3::Z * half_height);
    if let Some(point) = surface.overlap(tip, QUARTER, 0.0) {
        found.push(leaning(pose_wa.rotation * Vec3::Z, point));
    }
    found
}

/// The rim points of the cap at the height `end` [m] on the axis.
pub fn cap(radius: f64, end: f64, pose_wa: &Pose, surface: &Surface, mut push: impl FnMut(PointOverlap)) {
    let axis = pose_wa.rotation * Vec3::Z;
    let cos = surface.normal.dot(axis);
    // Down the surface of the cap; its length is the sine of the tilt.
    let down = axis * cos - surface.normal;
    let sin = down.length();
    let curvature = sin * sin / radius;
    let center = pose_wa.translation + axis * end;
    let depth = surface.depth(center);
    if depth + radius * sin > 0.0 {
        let is_whole = depth > radius * sin && sin <= STANDS;
        let first = if is_whole { pose_wa.rotation * Vec3::X } else { down / sin } * radius;
        let second = axis.cross(first);
        for (i, rim) in [first, second, -first, -second].into_iter().enumerate() {
            if let Some(point) = surface.overlap(center + rim, QUARTER, curvature) {
                push(if i == 0 { leaning(axis, point) } else { point });
            }
        }
    }
}
