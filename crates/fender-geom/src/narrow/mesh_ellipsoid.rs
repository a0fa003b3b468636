//! An ellipsoid against a triangle mesh: as a ball, in a space that is stretched until it is one.
//!
//! There every place has a distance g from the centre, 1 on the ellipsoid, and the ball touches wherever that is least around
//! (`mesh_sphere.rs`): inside faces, on edges and at corners, at any depth. The way out is across the level of g through that place; on a face that is its
//! own normal n. Along it the ellipsoid reaches as far as h = √(n·radii²·n) from its centre, and it is h·(1 − g) deep, on a face as in the half-space below it.
//!
//! On faces this has the potential of a half-space. At edges and corners the levels of g are not parallel to the ellipsoid, so that force and gradient of the energy
//! differ by about the part that the depth is of the size. Parallel surfaces would have none of that, but no levels at all beyond the least radius of
//! curvature.
//!
//! A closed mesh is touched from outside only; if the centre is inside, the place with the least g pushes it out. An open mesh is a sheet that pushes to the side
//! on which the centre is.

use super::touch::{Touch, Touches};
use super::{Overlaps, ellipsoid};
use crate::TriMesh;
use crate::trimesh::triangle::{Region, nearest, on_segment};
use crate::trimesh::{Closest, Feature};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Places nearer to each other than this part of the radius are one.
const SAME: f64 = 1e-6;

/// An ellipsoid in the mesh's frame.
struct Ball<'a> {
    mesh: &'a TriMesh,
    radii: Vec3,
    pose: Pose,
    /// Squares of distances, in radii, that differ by less than this are the same but for rounding.
    rounding: f64,
}

/// Overlaps of an ellipsoid of half axes `radii` [m] with a mesh; normals point to the ellipsoid.
pub fn overlaps(radii: Vec3, pose_we: &Pose, mesh: &TriMesh, pose_wm: &Pose) -> Overlaps {
    let mut found = Overlaps::none();
    let pose = pose_wm.inverse() * *pose_we;
    let least = radii.min_element();
    let rounding = 1e-14 * (1.0 + pose.translation.length() / least);
    let ball = Ball { mesh, radii, pose, rounding };
    let mut touches = ball.touches();
    let within = (pose.translation, radii.max_element());
    let distance = |e: u32| ball.distance_of_edge(e);
    // The distance from a plane is not to the last digit that of the place by which it was found.
    for (touch, share) in
        touches.shared(mesh, within, 1.0, distance).filter(|(touch, _)| touch.distance < 1.0)
    {
        // Across the level, in the ellipsoid's frame, and how far the ellipsoid reaches there.
        let normal = (touch.normal / radii).normalize();
        let reach = (radii * normal).length();
        let bend = ellipsoid::bend(radii, -normal, reach);
        found.push(PointOverlap {
            point: pose_we.transform_point(touch.normal * -radii),
            normal: pose_we.rotation * normal,
            depth: reach * (1.0 - touch.distance),
            curvature: bend.mean,
            elongation: pose_we.rotation * bend.elongation,
            share,
        });
    }
    found
}

impl Ball<'_> {
    /// A place of the mesh in the space where the ellipsoid is a ball of radius 1 about the origin.
    fn seen(&self, p: Vec3) -> Vec3 {
        self.pose.inverse_transform_point(p) / self.radii
    }

    fn corners(&self, f: u32) -> [Vec3; 3] {
        self.mesh.corners(f).map(|p| self.seen(p))
    }

    /// Unit normal of a plane of the mesh as it is seen, and how far the ellipsoid reaches along it [m].
    fn across(&self, normal: Vec3) -> (Vec3, f64) {
        let across = self.radii * (self.pose.rotation.inverse() * normal);
        let reach = across.length();
        (across / reach, reach)
    }

    /// All places that are nearest around.
    fn touches(&self) -> Touches {
        let mut touches = Touches::default();
        if !self.pose.translation.is_finite() || !self.pose.rotation.is_finite() {
            return touches;
        }
        let near = SAME.max(4.0 * self.rounding.sqrt());
        if self.mesh.is_closed() {
            // Deep inside nothing needs to be near.
            let is_deep = || self.mesh.closest_or_out(self.pose.translation, 0.0).is_some();
            let nearest = self.nearest(1.0).or_else(|| is_deep().then(|| self.nearest(f64::INFINITY))?);
            let Some(closest) = nearest else { return touches };
            if self.outward(closest.feature).dot(closest.point) > 0.0 {
                touches.add(self.touch(&closest, -1.0, 1.0), near);
            }
        }
        self.search(1.0, |f, limit| {
            let (place, region) = nearest(Vec3::ZERO, self.corners(f));
            let sq = place.length_squared();
            if sq < 1.0 && self.is_least(f, region, sq) {
                let closest = self.described(place, region, f);
                let height = -self.outward(closest.feature).dot(place);
                if !self.mesh.is_closed() || height >= 0.0 {
                    touches.add(self.touch(&closest, 1.0, if height < 0.0 { -1.0 } else { 1.0 }), near);
                }
            }
            limit
        });
        touches
    }

    /// A place of a triangle.
    fn described(&self, point: Vec3, region: Region, triangle: u32) -> Closest {
        let feature = self.mesh.part(triangle, region);
        Closest { point, distance: point.length(), feature, triangle }
    }

    /// Visits the triangles that may be nearer than `limit`, which each visit may lower.
    fn search(&self, limit: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        let mesh = self.mesh;
        let from_middle = self.pose.translation - mesh.tree.center();
        // Nowhere is a radius longer than the largest.
        let most = self.radii.max_element();
        mesh.tree.search(
            limit * limit * most * most,
            |node| node.distance_squared(from_middle),
            |range, limit| {
                let lower = |limit: f64, f: usize| {
                    let found = visit(f as u32, limit.sqrt() / most) * most;
                    found * found
                };
                range.fold(limit, lower)
            },
        );
    }

    /// The nearest place of all, if it is within `limit`.
    fn nearest(&self, limit: f64) -> Option<Closest> {
        let mut best: Option<Closest> = None;
        self.search(limit, |f, limit| {
            let (place, region) = nearest(Vec3::ZERO, self.corners(f));
            let least = best.map_or(limit, |best| best.distance);
            if place.length() < least {
                best = Some(self.described(place, region, f));
            }
            best.map_or(limit, |best| best.distance)
        });
        best
    }

    /// Distance of the nearest place of an edge.
    fn distance_of_edge(&self, e: u32) -> f64 {
        let [a, b] =
            self.mesh.edges()[e as usize].vertices.map(|v| self.seen(self.mesh.vertices()[v as usize]));
        on_segment(Vec3::ZERO, a, b).length()
    }

    /// Whether no other triangle at this part of the triangle `f` is nearer than the root of `sq`.
    fn is_least(&self, f: u32, region: Region, sq: f64) -> bool {
        self.mesh.others_at(f, region, |g| {
            nearest(Vec3::ZERO, self.corners(g)).0.length_squared() >= sq - self.rounding
        })
    }

    /// Direction away from the surface as it is seen: as [`TriMesh::outward`].
    fn outward(&self, feature: Feature) -> Vec3 {
        self.mesh.outward_seen(feature, |f| self.across(self.mesh.normal(f)).0, |f| self.corners(f))
    }

    /// Touch at a place, with the centre `behind` it (1, or −1 if it is inside) and on this `side` of the mesh.
    fn touch(&self, closest: &Closest, behind: f64, side: f64) -> Touch {
        let mesh = self.mesh;
        let (normal, distance) = if let Some(plane) = mesh.plane(closest.feature) {
            // By the plane, which is more accurate than the place in it.
            let (normal, reach) = self.across(plane * side);
            let height = plane.dot(self.pose.translation - mesh.corners(closest.triangle)[0]);
            (normal, height * side / reach)
        } else {
            let way = closest.point * -behind;
            let otherwise = || self.outward(closest.feature).normalize_or(Vec3::Z) * side;
            let has_way = way.length_squared() > self.rounding;
            let normal = if has_way { way / closest.distance } else { otherwise() };
            (normal, closest.distance * behind)
        };
        Touch { place: closest.point, normal, distance, feature: closest.feature, triangle: closest.triangle }
    }
}
