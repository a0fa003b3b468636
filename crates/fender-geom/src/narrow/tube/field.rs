//! How far a point is from what a tube meets.

use crate::narrow::bend::Bend;
use crate::narrow::sphere::nearest;
use crate::tube::{Place, Tube};
use crate::{Shape, TriMesh};
use fender_math::{Pose, Vec3};
use smallvec::SmallVec;

/// The other shape, in its own frame.
#[derive(Clone, Copy)]
pub enum Field<'a> {
    /// Another tube: each part of its spine for itself, because a bar can touch several.
    Tube(Tube),
    Mesh(&'a TriMesh),
    /// Any shape that has a nearest place to every point.
    Other(&'a Shape),
}

/// What is known of the surface around some places: a mesh need not be searched as a whole again for each of them.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The surface is within this distance of each place, infinite if that is not known [m].
    within: f64,
    /// All triangles that are so near, if they are not many.
    triangles: SmallVec<[u32; Self::MOST]>,
}

impl Surroundings {
    /// More triangles take longer than the tree.
    const MOST: usize = 24;

    /// Nothing is known but that the surface is within this distance [m].
    pub fn within(distance: f64) -> Self {
        // Rounding must not hide it.
        Self { within: distance * (1.0 + 1e-9), triangles: SmallVec::new() }
    }

    pub fn unknown() -> Self {
        Self::within(f64::INFINITY)
    }
}

/// A point as seen from the surface.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// From the surface, negative inside [m].
    pub distance: f64,
    /// Outward unit normal: the way on which the distance grows.
    pub normal: Vec3,
    /// Whether the nearest place of the part is one of the whole too.
    pub is_own: bool,
}

impl<'a> Field<'a> {
    pub fn of(shape: &'a Shape) -> Self {
        match (Tube::of(shape), shape) {
            (Some(tube), _) => Self::Tube(tube),
            (None, Shape::Mesh(mesh)) => Self::Mesh(mesh),
            (None, _) => Self::Other(shape),
        }
    }

    /// Whether two places of it can be equally near to a point outside, within one part.
    pub fn is_hollow(&self) -> bool {
        matches!(self, Self::Mesh(_) | Self::Other(Shape::Bore { .. } | Shape::Funnel { .. }))
    }

    /// Whether it is convex and has many features, so that there may be several lows of the distance close to each other outside of it.
    pub fn is_facetted(&self) -> bool {
        matches!(self, Self::Other(Shape::Polyhedron(_)))
    }

    /// Whether the normal may jump at places that are at least at the distance `nearest` [m] and less than `reach` [m] from the surface: where it changes which part of the surface is nearest.
    pub fn jumps(&self, nearest: f64, reach: f64) -> bool {
        match self {
            Self::Mesh(_) => true,
            // Two places of a spine are as near to a point only as far away as its radius.
            Self::Tube(tube) => reach + tube.bar > tube.radius,
            Self::Other(_) => nearest < 0.0,
        }
    }

    /// Size of what a spine can run along [m]: two places that are nearest are not nearer to each other.
    pub fn grain(&self) -> f64 {
        match self {
            Self::Tube(tube) => tube.radius,
            Self::Other(shape) => 0.5 * shape.bounding_radius(),
            Self::Mesh(_) => f64::INFINITY,
        }
    }

    pub fn parts(&self) -> usize {
        if let Self::Tube(tube) = self { tube.parts() } else { 1 }
    }

    /// What is around all places within `half` [m] of one that is at the `distance` [m] from the surface.
    pub fn surroundings(&self, p: Vec3, distance: f64, half: f64) -> Surroundings {
        let mut known = Surroundings::within(distance.abs() + half);
        if let Self::Mesh(mesh) = self {
            let mut is_whole = true;
            mesh.around(p, known.within + half, |f| {
                is_whole = known.triangles.len() < Surroundings::MOST;
                if is_whole {
                    known.triangles.push(f);
                }
                is_whole
            });
            if !is_whole {
                known.triangles.clear();
            }
        }
        known
    }

    /// Distance of `p` [m] from a part; `None` if it is farther than `limit` [m] (then a mesh need not be searched), or nowhere.
    pub fn near(&self, part: usize, p: Vec3, limit: f64) -> Option<Near> {
        self.near_in(part, p, limit, &Surroundings::unknown())
    }

    /// The same for one of the places of which something is known.
    pub fn near_in(&self, part: usize, p: Vec3, limit: f64, known: &Surroundings) -> Option<Near> {
        match self {
            Self::Tube(tube) => {
                let foot = tube.nearest(part, p);
                let out = p - foot.point;
                let sq = out.length_squared();
                let far_off = limit + tube.bar;
                if sq > far_off * far_off {
                    return None;
                }
                let far = sq.sqrt();
                let normal = if far > 0.0 { out / far } else { Vec3::Z };
                Some(Near { distance: far - tube.bar, normal, is_own: foot.is_own })
            }
            Self::Mesh(mesh) => {
                let is_closed = mesh.is_closed();
                // Deep inside nothing needs to be near.
                let closest = if !known.triangles.is_empty() {
                    mesh.closest_among(p, &known.triangles)?
                } else if known.within < f64::INFINITY {
                    mesh.closest_within(p, known.within)?
                } else {
                    mesh.closest_or_out(p, limit.max(0.0))?
                };
                let side = if is_closed && mesh.is_behind(p, &closest) { -1.0 } else { 1.0 };
                let outward = mesh.outward(closest.feature).normalize_or(Vec3::Z);
                let way = (p - closest.point) * side;
                // On a face the plane's own normal is more accurate than a short way.
                let normal = match closest.feature {
                    crate::trimesh::Feature::Face(_) if way.dot(outward) >= 0.0 => outward,
                    crate::trimesh::Feature::Face(_) => -outward,
                    _ => way.normalize_or(outward),
                };
                Some(Near { distance: side * closest.distance, normal, is_own: true })
            }
            Self::Other(shape) => {
                let found = nearest(shape, p)?;
                Some(Near { distance: found.distance, normal: found.normal, is_own: true })
            }
        }
    }

    /// Distance of `p` [m] from the whole; infinite if it is farther than `limit` [m].
    pub fn distance(&self, p: Vec3, limit: f64) -> f64 {
        self.distance_in(p, limit, &Surroundings::unknown())
    }

    /// The same for one of the places of which something is known.
    pub fn distance_in(&self, p: Vec3, limit: f64, known: &Surroundings) -> f64 {
        if let Self::Tube(tube) = self {
            return tube.distance(p) - tube.bar;
        }
        self.near_in(0, p, limit, known).map_or(f64::INFINITY, |near| near.distance)
    }

    /// Bend of the surface at its place nearest to `p` [m], whose outward normal is `normal`.
    pub fn bend(&self, part: usize, p: Vec3, normal: Vec3) -> Bend {
        match self {
            Self::Tube(tube) => {
                let place = tube.at(tube.length_at(tube.nearest(part, p).point));
                tube_bend(tube, &place, normal)
            }
            Self::Mesh(_) => Bend::FLAT,
            Self::Other(shape) => nearest(shape, p).map_or(Bend::FLAT, |found| found.bend),
        }
    }
}

/// Bend of a tube at the place of its spine where its outward normal is `out`: 1/bar across the spine, and along it cos φ/(R + bar·cos φ), with the
/// angle φ between the normal and the way out of the arc.
pub fn tube_bend(tube: &Tube, place: &Place, out: Vec3) -> Bend {
    const ACROSS: f64 = 1e-7;
    let ahead = out.dot(place.tangent);
    if ahead * place.end > ACROSS {
        // The end of a half torus.
        return Bend::ball(tube.bar);
    }
    // A station may touch a little ahead.
    let across = (out - place.tangent * ahead).normalize_or(out);
    let cos = place.outward.dot(across);
    let along = cos / (tube.radius + tube.bar * cos);
    let mut bend = Bend::of_form(along, 0.0, 1.0 / tube.bar, place.tangent, across.cross(place.tangent));
    if ahead.abs() > ACROSS {
        bend.elongation -= out * out.dot(bend.elongation);
    }
    bend
}

/// The spine of a tube in the frame of the other shape.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub tube: Tube,
    origin: Vec3,
    x: Vec3,
    y: Vec3,
}

impl Course {
    /// `pose` is that of the tube in the other's frame.
    pub fn new(tube: &Tube, pose: &Pose) -> Self {
        Self { tube: *tube, origin: pose.translation, x: pose.rotation * Vec3::X, y: pose.rotation * Vec3::Y }
    }

    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Axes of the tube.
    pub fn frame(&self) -> [Vec3; 3] {
        [self.x, self.y, self.x.cross(self.y)]
    }

    /// Place at the length `s` [m].
    #[inline]
    pub fn at(&self, s: f64) -> Place {
        let own = self.tube.at(s);
        let turned = |v: Vec3| self.x * v.x + self.y * v.y;
        Place {
            point: self.origin + turned(own.point),
            tangent: turned(own.tangent),
            outward: turned(own.outward),
            end: own.end,
        }
    }
}
