//! A polyhedron against a half-space: its vertices below the surface. The normal points to the polyhedron.
//!
//! Each has a quarter of the stiffness, as the corners of a box have. Where that would add up to more than all, as on a face with many corners, they
//! share it, each counted with the part that its depth is of the deepest: one that appears changes nothing.

use super::half_space::{QUARTER, Surface};
use super::{MAX_POINTS, Overlaps};
use crate::Polyhedron;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use smallvec::{SmallVec, smallvec};

/// At most [`MAX_POINTS`] points; where there are more vertices, those in one direction from the middle of the face below count together.
pub fn solid(polyhedron: &Polyhedron, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let mut found = Overlaps::none();
    let below = below(polyhedron, pose_wa, surface);
    if below.len() <= MAX_POINTS {
        for (_, point) in &below {
            found.push(*point);
        }
        return found;
    }
    for point in together(polyhedron, pose_wa, surface, &below).into_iter().filter(|p| p.depth > 0.0) {
        found.push(point);
    }
    found
}

/// All vertices below the surface, as points of the contact.
fn below(polyhedron: &Polyhedron, pose_wa: &Pose, surface: &Surface) -> SmallVec<[(u32, PointOverlap); 8]> {
    let down = pose_wa.rotation.inverse() * -surface.normal;
    let start = surface.depth(pose_wa.translation);
    let depth = |v: u32| start + down.dot(polyhedron.vertices()[v as usize]);
    let lowest = polyhedron.farthest(down);
    let mut below: SmallVec<[u32; 16]> = SmallVec::new();
    if depth(lowest) > 0.0 {
        below.push(lowest);
    }
    // Those below hang together, and are few if the contact is shallow.
    let count = if below.is_empty() { 0 } else { polyhedron.vertices().len() };
    let mut known: SmallVec<[bool; 64]> = smallvec![false; count];
    let mut next = 0;
    while next < below.len() {
        let v = below[next];
        known[v as usize] = true;
        next += 1;
        for w in polyhedron.beside(v) {
            if !known[*w as usize] {
                known[*w as usize] = true;
                if depth(*w) > 0.0 {
                    below.push(*w);
                }
            }
        }
    }
    // In an order that does not depend on which is lowest.
    below.sort_unstable();
    let sum: f64 = below.iter().map(|v| QUARTER * depth(*v) / depth(lowest)).sum();
    let point = |v: &u32| {
        let depth = depth(*v);
        let point = PointOverlap {
            point: pose_wa.transform_point(polyhedron.vertices()[*v as usize]),
            normal: surface.normal,
            depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: QUARTER / sum.max(1.0),
        };
        (*v, point)
    };
    below.iter().map(point).collect()
}

/// Points in [`MAX_POINTS`] sectors about the middle of the face that looks down most, which moves with the body; those of a sector have
/// the force and moment of all in it.
fn together(
    polyhedron: &Polyhedron,
    pose_wa: &Pose,
    surface: &Surface,
    below: &[(u32, PointOverlap)],
) -> [PointOverlap; MAX_POINTS] {
    let down = pose_wa.rotation.inverse() * -surface.normal;
    let face = polyhedron.facing(down);
    let corners = polyhedron.corners(face);
    let at = |v: u32| polyhedron.vertices()[v as usize];
    let middle = corners.iter().map(|v| at(*v)).sum::<Vec3>() / corners.len() as f64;
    let normal = polyhedron.normals()[face as usize];
    // Regular polygons have no corner on the limits of sectors that begin beside one.
    let side = (at(corners[0]) - middle).normalize_or(Vec3::X);
    let x = side + normal.cross(side) * 0.123;
    let y = normal.cross(x);
    let empty = PointOverlap {
        point: Vec3::ZERO,
        normal: surface.normal,
        depth: 0.0,
        curvature: 0.0,
        elongation: Vec3::ZERO,
        share: 0.0,
    };
    let mut sectors = [empty; MAX_POINTS];
    for (v, point) in below {
        let from = at(*v) - middle;
        let (u, w) = (x.dot(from), y.dot(from));
        let octant = usize::from(u < 0.0) + 2 * usize::from(w < 0.0) + 4 * usize::from(u.abs() < w.abs());
        let sector = &mut sectors[octant];
        let force = point.share * point.depth;
        sector.point += point.point * force;
        sector.share += point.share;
        sector.depth += force;
    }
    for sector in sectors.iter_mut().filter(|s| s.depth > 0.0) {
        sector.point /= sector.depth;
        // Many that hardly touch have more shares than force.
        sector.share = sector.share.min(1.0);
        sector.depth /= sector.share;
    }
    sectors
}
