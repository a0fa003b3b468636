//! A sphere against a triangle mesh.
//!
//! The sphere touches wherever its centre has a nearest place of its own on the surface: a place from which the surface leads
//! away in all directions. That is inside a face, on an edge if no face at it leads nearer, or at a vertex if no face around it does
//! (Luaces 2013, section 4.6.2, has faces and edges, and leaves open how to count a reaction once). So there is one contact on a
//! floor however finely it is divided, with the plane's own depth and normal also while the sphere rolls over edges of
//! triangles; and there are two in a groove.
//!
//! A closed mesh is touched from outside only. If the centre is inside, the nearest place pushes it out. An open mesh is a sheet
//! that pushes to the side on which the centre is.
//!
//! How contacts share the stiffness is in `basins.rs`.

use super::Overlaps;
use super::touch::{Touch, Touches};
use crate::TriMesh;
use crate::trimesh::triangle::{Region, nearest, on_segment};
use crate::trimesh::{Closest, Feature};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Places nearer to each other than this part of the radius are one.
const SAME: f64 = 1e-6;

/// A contact of a sphere with a part of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContact {
    /// What the laws need; the normal points to the sphere.
    pub overlap: PointOverlap,
    /// Part of the mesh that is touched. Stable while the sphere stays over it.
    pub feature: Feature,
}

/// The sphere while its touches are collected, in the mesh's frame.
struct Ball<'a> {
    mesh: &'a TriMesh,
    center: Vec3,
    /// Place on the side to which an open mesh pushes.
    seen_from: Vec3,
    radius: f64,
    /// How far nearest places are looked for [m]: behind an open mesh they may be farther than the radius.
    reach: f64,
    /// Squares of distances that differ by less than this are the same but for rounding [m²].
    rounding: f64,
    touches: Touches,
}

/// Overlaps of the sphere of `radius` [m] at `center` [m] with a mesh; normals point to the sphere.
pub fn overlaps(center: Vec3, radius: f64, mesh: &TriMesh, pose_wm: &Pose) -> Overlaps {
    let mut found = Overlaps::none();
    contacts(center, radius, mesh, pose_wm, |contact| found.push(contact.overlap));
    found
}

/// Gives every contact of the sphere of `radius` [m] at `center` [m] with a mesh to `visit`, at most [`MAX_POINTS`].
pub fn contacts(center: Vec3, radius: f64, mesh: &TriMesh, pose_wm: &Pose, visit: impl FnMut(MeshContact)) {
    contacts_from(center, center, radius, mesh, pose_wm, visit);
}

/// Like [`contacts`], with an open mesh pushing to the side on which the place `seen_from` [m] is: for a sphere that is part of
/// something larger.
pub(super) fn contacts_from(
    seen_from: Vec3,
    center: Vec3,
    radius: f64,
    mesh: &TriMesh,
    pose_wm: &Pose,
    mut visit: impl FnMut(MeshContact),
) {
    let c = pose_wm.inverse_transform_point(center);
    let from = pose_wm.inverse_transform_point(seen_from);
    let Some(mut ball) = Ball::of(mesh, c, from, radius) else { return };
    let distance = |e: u32| {
        let [a, b] = mesh.edges()[e as usize].vertices.map(|v| mesh.vertices()[v as usize]);
        on_segment(c, a, b).distance(c)
    };
    for (touch, share) in ball.touches.shared(mesh, (c, radius), radius, distance) {
        let normal = pose_wm.rotation * touch.normal;
        visit(MeshContact {
            overlap: PointOverlap {
                // On the sphere (Gonthier 2007, eq. 3.1), as on a half-space.
                point: center - normal * radius,
                normal,
                depth: radius - touch.distance,
                curvature: 1.0 / radius,
                elongation: Vec3::ZERO,
                share,
            },
            feature: touch.feature,
        });
    }
}

impl<'a> Ball<'a> {
    /// `None` if the sphere is away from the mesh, or its place is not finite.
    fn of(mesh: &'a TriMesh, center: Vec3, seen_from: Vec3, radius: f64) -> Option<Self> {
        let (low, high) = mesh.extent();
        let outside = (low - center).max(center - high).max(Vec3::ZERO);
        // Written so that what is not a number ends here.
        let reach = if mesh.is_closed() { radius } else { radius + seen_from.distance(center) };
        let is_near = outside.length_squared() < reach * reach;
        if !is_near {
            return None;
        }
        let rounding = 1e-14 * radius * (radius + center.length());
        let mut ball = Self { mesh, center, seen_from, radius, reach, rounding, touches: Touches::default() };
        if mesh.is_closed() {
            // Deep inside nothing needs to be near.
            let closest = mesh.closest_or_out(center, radius)?;
            if mesh.is_behind(center, &closest) {
                ball.add(ball.way_out(&closest));
            } else if closest.distance >= radius {
                return None;
            }
        }
        ball.collect();
        Some(ball)
    }

    /// The nearest place pushes the centre out, along the way to it.
    fn way_out(&self, closest: &Closest) -> Touch {
        let outward = self.mesh.outward(closest.feature).normalize_or_zero();
        let normal = match self.mesh.plane(closest.feature) {
            Some(normal) => normal,
            None => self.direction(closest.point - self.center, outward),
        };
        Touch {
            place: closest.point,
            normal,
            distance: -closest.distance,
            feature: closest.feature,
            triangle: closest.triangle,
        }
    }

    /// Unit vector along `way`, or another one if it has no length to speak of.
    fn direction(&self, way: Vec3, otherwise: Vec3) -> Vec3 {
        let length = way.length();
        if length * length > self.rounding { way / length } else { otherwise }
    }

    /// All places that are the nearest ones of their surroundings.
    fn collect(&mut self) {
        let (mesh, c) = (self.mesh, self.center);
        let from_middle = c - mesh.tree.center();
        let reach = self.reach * self.reach;
        mesh.tree.search(
            reach,
            |node| node.distance_squared(from_middle),
            |range, limit| {
                for f in range {
                    let (place, region) = nearest(c, mesh.corners(f as u32));
                    let sq = c.distance_squared(place);
                    if sq < reach && self.is_least(f as u32, region, sq) {
                        self.see(&mesh.describe(c, place, region, f as u32));
                    }
                }
                limit
            },
        );
    }

    /// Whether no other triangle at this part of the triangle `f` is nearer than the root of `sq` [m²].
    fn is_least(&self, f: u32, region: Region, sq: f64) -> bool {
        self.mesh.others_at(f, region, |g| {
            let place = nearest(self.center, self.mesh.corners(g)).0;
            self.center.distance_squared(place) >= sq - self.rounding
        })
    }

    /// Adds a nearest place if it is seen from the right side.
    fn see(&mut self, closest: &Closest) {
        let way = self.center - closest.point;
        let outward = self.mesh.outward(closest.feature);
        let height = outward.dot(way);
        if self.mesh.is_closed() && height < 0.0 {
            return;
        }
        let seen = if self.mesh.is_closed() { height } else { outward.dot(self.seen_from - closest.point) };
        let side = if seen < 0.0 { -1.0 } else { 1.0 };
        // Behind the sheet, as seen from elsewhere.
        let is_behind = seen * height < 0.0;
        let behind = if is_behind { -1.0 } else { 1.0 };
        let is_hidden = || self.mesh.cast(self.seen_from, self.center - self.seen_from, 1.0).is_some();
        if if is_behind { !is_hidden() } else { closest.distance >= self.radius } {
            return;
        }
        let normal = match self.mesh.plane(closest.feature) {
            Some(normal) => normal * side,
            None => self.direction(way * behind, outward.normalize_or(Vec3::Z) * side),
        };
        self.add(Touch {
            place: closest.point,
            normal,
            distance: closest.distance * behind,
            feature: closest.feature,
            triangle: closest.triangle,
        });
    }

    fn add(&mut self, touch: Touch) {
        let near = (SAME * self.radius).max(4.0 * self.rounding.sqrt());
        self.touches.add(touch, near);
    }
}
