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
//! # Shares
//! A groove that is nearly flat, as between the facets of a hollow, would push twice; so contacts whose normals are nearly the
//! same share one stiffness: wholly up to 15° apart, not at all from 30° on. And a facet would begin to push with a jump when the sphere
//! comes over its edge. Just then the way to it ends in the plane of the facet before, which is nearer: seen from a contact
//! at the distance d_k, one at d_j with the angle Δ between the normals lies d_k − d_j·cos Δ above the plane, and the other way
//! round d_j − d_k·cos Δ. The quotient of the two goes from zero at the edge to one where both are equally near. A contact grows
//! from nothing to whole while it goes from zero to a half.

use super::{MAX_POINTS, Overlaps};
use crate::TriMesh;
use crate::trimesh::triangle::{Region, nearest};
use crate::trimesh::{Closest, Feature};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Cosines of the angles between normals up to which contacts are one, and from which on they are two: 15° and 30°.
const ONE: f64 = 0.965_925_826_289_068_3;
const TWO: f64 = 0.866_025_403_784_438_6;
/// Places nearer to each other than this part of the radius are one.
const SAME: f64 = 1e-6;
/// Contacts that are looked at, before the deepest are taken.
const MOST: usize = 2 * MAX_POINTS;

/// A contact of a sphere with a part of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContact {
    /// What the laws need; the normal points to the sphere.
    pub overlap: PointOverlap,
    /// Part of the mesh that is touched. Stable while the sphere stays over it.
    pub feature: Feature,
}

/// Nearest place of the surface, in the mesh's frame.
#[derive(Clone, Copy, Debug)]
struct Touch {
    place: Vec3,
    normal: Vec3,
    /// Of the centre, along the normal: negative if it is behind.
    distance: f64,
    feature: Feature,
}

/// Touches while they are collected.
struct Touches<'a> {
    mesh: &'a TriMesh,
    center: Vec3,
    /// Place on the side to which an open mesh pushes.
    seen_from: Vec3,
    radius: f64,
    /// How far nearest places are looked for [m]: behind an open mesh they may be farther than the radius.
    reach: f64,
    /// Squares of distances that differ by less than this are the same but for rounding [m²].
    rounding: f64,
    found: [Option<Touch>; MOST],
    len: usize,
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
    let Some(mut touches) = Touches::of(mesh, c, from, radius) else { return };
    for (touch, share) in touches.shared() {
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

impl<'a> Touches<'a> {
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
        let mut touches =
            Self { mesh, center, seen_from, radius, reach, rounding, found: [None; MOST], len: 0 };
        if mesh.is_closed() {
            // Deep inside nothing needs to be near.
            let closest = mesh.closest_or_out(center, radius)?;
            if mesh.is_behind(center, &closest) {
                touches.add(touches.way_out(&closest));
            } else if closest.distance >= radius {
                return None;
            }
        }
        touches.collect();
        Some(touches)
    }

    /// The nearest place pushes the centre out, along the way to it.
    fn way_out(&self, closest: &Closest) -> Touch {
        let outward = self.mesh.outward(closest.feature).normalize_or_zero();
        let normal = match self.mesh.plane(closest.feature) {
            Some(normal) => normal,
            None => self.direction(closest.point - self.center, outward),
        };
        Touch { place: closest.point, normal, distance: -closest.distance, feature: closest.feature }
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
        let mesh = self.mesh;
        let is_farther = |g: u32| {
            g == f || {
                let place = nearest(self.center, mesh.corners(g)).0;
                self.center.distance_squared(place) >= sq - self.rounding
            }
        };
        match region {
            Region::Face => true,
            Region::Edge(k) => mesh.around_edge(mesh.edges_of(f)[k]).all(is_farther),
            Region::Corner(k) => {
                let v = mesh.triangles()[f as usize][k];
                mesh.fan(v).iter().all(|g| is_farther(*g))
            }
        }
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
        });
    }

    /// Adds a place, unless it is there; when all room is taken, the farthest gives way.
    fn add(&mut self, touch: Touch) {
        let near = (SAME * self.radius).max(4.0 * self.rounding.sqrt());
        let known = &mut self.found[..self.len];
        let same = |t: &&mut Touch| t.place.distance_squared(touch.place) <= near * near;
        let taken = if let Some(same) = known.iter_mut().flatten().find(same) {
            Some(same)
        } else if self.len == MOST {
            known.iter_mut().flatten().reduce(|a, b| if b.distance > a.distance { b } else { a })
        } else {
            self.found[self.len] = Some(touch);
            self.len += 1;
            None
        };
        if let Some(taken) = taken.filter(|t| touch.distance < t.distance) {
            *taken = touch;
        }
    }

    /// The touches, nearest first, with their shares.
    fn shared(&mut self) -> impl Iterator<Item = (Touch, f64)> + '_ {
        self.found[..self.len].sort_by(|a, b| match (a, b) {
            (Some(a), Some(b)) => a.distance.total_cmp(&b.distance),
            _ => std::cmp::Ordering::Equal,
        });
        let found = &self.found[..self.len];
        // How far each is a contact of its own beside the nearer ones.
        let mut whole = [1.0; MOST];
        for (j, touch) in found.iter().enumerate() {
            for (k, nearer) in found[..j].iter().enumerate() {
                if let (Some(touch), Some(nearer)) = (touch, nearer) {
                    whole[j] *= 1.0 - whole[k] * (1.0 - touch.growth_beside(nearer));
                }
            }
        }
        found.iter().enumerate().filter_map(move |(i, touch)| {
            let one = (*touch)?;
            let alike = |other: &Option<Touch>| other.map_or(0.0, |o| alike(one.normal.dot(o.normal)));
            let others = |j: &usize| *j != i;
            let sum: f64 = (0..found.len()).filter(others).map(|j| alike(&found[j]) * whole[j]).sum();
            let share = whole[i] / (whole[i] + sum);
            // What has not begun yet is none; alone it cannot be.
            (share > 0.0).then_some((one, share))
        })
    }
}

impl Touch {
    /// How far it has become a contact of its own beside one that is nearer: zero where it begins at the edge of the other.
    fn growth_beside(&self, nearer: &Self) -> f64 {
        let cos = self.normal.dot(nearer.normal);
        let (above, below) = (nearer.distance - self.distance * cos, self.distance - nearer.distance * cos);
        // Both vanish together for contacts that are one.
        if below > 0.0 { (2.0 * above / below).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// How far two contacts with this cosine between their normals are one.
pub(super) fn alike(cos: f64) -> f64 {
    let t = ((cos - TWO) / (ONE - TWO)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
