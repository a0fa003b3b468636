//! A polyhedron against a half-space: its vertices below the surface. The normal points to the polyhedron.
//!
//! Their shares of the stiffness, by which the contact has a potential, are in `polyhedron_shares.rs`.

use super::half_space::{QUARTER, Surface};
use super::polyhedron_shares::Shares;
use super::together::Together;
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
    let mut sectors = together(polyhedron, pose_wa, surface, &below);
    // Many vertices in one direction can have more than the stiffness, but a point cannot: two or more at one place can. The weakest make room for them.
    while sectors.iter().map(count).sum::<usize>() > MAX_POINTS {
        sectors.sort_by(|a, b| b.share().total_cmp(&a.share()));
        let used = sectors.iter().filter(|s| !s.is_empty()).count();
        if used < 2 {
            break;
        }
        let weakest = std::mem::take(&mut sectors[used - 1]);
        sectors[used - 2].add(&weakest);
    }
    for sector in sectors.iter().filter(|s| !s.is_empty()) {
        let count = count(sector);
        let (place, depth) = sector.place();
        let point = PointOverlap {
            point: place,
            normal: surface.normal,
            depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: sector.share() / count as f64,
        };
        for _ in 0..count {
            found.push(point);
        }
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
    let (factor, slope) = polyhedron.standing(lowest, down);
    let weight = QUARTER * factor;
    let shares = Shares::new(depth(lowest), below.iter().map(|v| (weight, depth(*v))));
    let aside = pose_wa.rotation * shares.aside(slope, down);
    let point = |v: &u32| {
        let depth = depth(*v);
        let point = PointOverlap {
            point: pose_wa.transform_point(polyhedron.vertices()[*v as usize]) + aside,
            normal: surface.normal,
            depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: weight * shares.part(depth),
        };
        (*v, point)
    };
    below.iter().map(point).collect()
}

/// How many points it takes.
fn count(sector: &Together) -> usize {
    sector.share().ceil() as usize
}

/// [`MAX_POINTS`] sectors about the middle of the face that looks down most, which moves with the body.
fn together(
    polyhedron: &Polyhedron,
    pose_wa: &Pose,
    surface: &Surface,
    below: &[(u32, PointOverlap)],
) -> [Together; MAX_POINTS] {
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
    let mut sectors = [Together::default(); MAX_POINTS];
    for (v, point) in below {
        let from = at(*v) - middle;
        let (u, w) = (x.dot(from), y.dot(from));
        let octant = usize::from(u < 0.0) + 2 * usize::from(w < 0.0) + 4 * usize::from(u.abs() < w.abs());
        sectors[octant].add(&Together::one(point));
    }
    sectors
}
