//! The rim of a cylinder or a cone against a triangle mesh.
//!
//! Against a plane a rim has four points, a quarter turn apart from its lowest on: the lowest with the depth M, two beside it that are as deep as the
//! centre of the cap, and the highest with the depth m (`half_space.rs`). All of these can be asked of a mesh too: M is a greatest depth along the rim, m the least if
//! all of the rim is in the mesh, and the centre is a place of the body. None of them changes in the first order when its place along the rim
//! does, so the energies ½·k·share·depth² are a potential of the forces at these places, also on uneven ground.
//!
//! Here the depth along the rim is found: looks at the mesh all around, and between two of them that see different planes more, until the kinks are known. What is made of it is in
//! `rim_lobes.rs`.

use super::groove::{self, REACH, Way, Ways};
use super::half_space::{self, QUARTER, Surface};
use super::mesh_convex::{Level, Search};
use super::rim_lobes::{End, Plane, Span, Spans};
use crate::trimesh::{CREASE, Feature, NONE};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3, float};
use std::cell::RefCell;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Places of the rim that are looked at first, all around. What is between two of them is found if it is alone there, or lowest below a triangle.
const LOOKS: usize = 48;
/// Places that are looked at too: where the rim is lowest below a triangle that the looks beside do not see.
const MORE: usize = 16;
/// How often the way between two of them is divided at the most, and how often all ways are.
const DIVISIONS: usize = 12;
const MOST_DIVISIONS: usize = 8 * LOOKS;
/// What is bent is divided until its depth is known to this part, and ways are divided down to this angle [rad].
const BENT: f64 = 1e-4;
const SHORT: f64 = 1e-7;
/// Normals that differ by less than this are one.
const FLAT: f64 = 1e-9;
/// Planes that meet in grooves around a rim: floor and walls of a pocket.
const PLANES: usize = 6;
/// Angles that differ by less than this are one [rad].
const SAME: f64 = 1e-11;

/// A rim, in the mesh's frame.
pub struct Rim {
    pub center: Vec3,
    /// Unit axis of the solid.
    pub axis: Vec3,
    /// Unit directions across it from which angles are counted, and a quarter turn on.
    first: Vec3,
    second: Vec3,
    pub radius: f64,
    /// Height of its cap on the axis [m].
    pub end: f64,
}

/// A place on a rim, and the mesh there.
#[derive(Clone, Copy, Debug)]
struct Place {
    angle: f64,
    p: Vec3,
    level: Level,
    /// Whether the rim is lowest below a triangle there.
    is_low: bool,
}

thread_local! {
    /// Filled and emptied in every call: they keep their room, nothing else.
    static SCRATCH: RefCell<Spans> = RefCell::default();
}

impl Rim {
    pub fn new(pose: &Pose, radius: f64, end: f64) -> Self {
        let axis = pose.rotation * Vec3::Z;
        let (first, second) = (pose.rotation * Vec3::X, pose.rotation * Vec3::Y);
        Self { center: pose.translation + axis * end, axis, first, second, radius, end }
    }

    pub fn at(&self, angle: f64) -> Vec3 {
        let (sin, cos) = float::sin_cos(angle);
        self.center + (self.first * cos + self.second * sin) * self.radius
    }

    /// The place at an angle; the depth there is not farther from zero than `limit` [m].
    fn place(&self, search: &Search, angle: f64, limit: f64) -> Option<Place> {
        let p = self.at(angle);
        Some(Place { angle, p, level: search.level(p, limit)?, is_low: false })
    }

    /// How the depth below a plane changes along the rim: by these [m] times the cosine and the sine of the angle.
    pub fn tilt(&self, plane: &Plane) -> [f64; 2] {
        [-self.radius * plane.normal.dot(self.first), -self.radius * plane.normal.dot(self.second)]
    }

    /// How the depth below a plane changes at a place [m/rad].
    pub fn slope(&self, plane: &Plane, p: Vec3) -> f64 {
        -plane.normal.dot(self.axis.cross(p - self.center))
    }

    /// Angle between those of two places where the depths below their planes are the same.
    fn crossing(&self, a: &Place, b: &Place) -> Option<f64> {
        let planes = [a.plane(), b.plane()];
        let [p, q] = planes.map(|plane| self.tilt(&plane));
        let (x, y) = (q[0] - p[0], q[1] - p[1]);
        let rest = planes[0].depth(self.center) - planes[1].depth(self.center);
        // Nowhere, if the planes are parallel across the rim.
        let cos = Some(rest / x.hypot(y)).filter(|cos| cos.abs() <= 1.0)?;
        let (middle, half) = (float::atan2(y, x), FRAC_PI_2 - float::asin(cos));
        [middle - half, middle + half]
            .map(|angle| angle + TAU * ((0.5 * (a.angle + b.angle) - angle) / TAU).round())
            .into_iter()
            .find(|angle| *angle > a.angle + SAME && *angle < b.angle - SAME)
    }

    /// Adds the way from one place to the next, divided where the nearest plane changes.
    fn divide(&self, search: &Search, a: &Place, b: &Place, divisions: usize, spans: &mut Spans) {
        let planes = [a.plane(), b.plane()];
        // The depth changes no faster than the place.
        let turn = b.angle - a.angle;
        let whole = span(a, b, planes);
        if a.level.depth + b.level.depth + turn * self.radius <= 0.0 {
            spans.add_gap(&whole);
            return;
        }
        let off = |plane: &Plane, place: &Place| (plane.depth(place.p) - place.level.depth).abs();
        let is_one = a.level.normal.distance_squared(b.level.normal) < FLAT * FLAT
            && off(&planes[0], b) <= search.near;
        if is_one {
            spans.add(self, &span(a, b, [planes[0]; 2]));
            return;
        }
        // Where the crossing is of no use, halves are.
        let crossing = self.crossing(a, b).filter(|_| divisions.is_multiple_of(2));
        let limit = a.level.depth.abs() + turn * self.radius;
        let goes_on = divisions > 0 && turn > SHORT && spans.len() < MOST_DIVISIONS;
        let look = || self.place(search, crossing.unwrap_or(0.5 * (a.angle + b.angle)), limit);
        let Some(c) = goes_on.then(look).flatten() else {
            spans.add(self, &whole);
            return;
        };
        let is_kink = planes.iter().all(|plane| off(plane, &c) <= search.near);
        let is_bend = (whole.depth(c.angle, c.p) - c.level.depth).abs() <= BENT * c.level.depth;
        if is_kink {
            spans.add(self, &span(a, &c, [planes[0]; 2]));
            spans.add(self, &span(&c, b, [planes[1]; 2]));
        } else if is_bend && crossing.is_none() {
            spans.add(self, &span(a, &c, [planes[0], c.plane()]));
            spans.add(self, &span(&c, b, [c.plane(), planes[1]]));
        } else {
            self.divide(search, a, &c, divisions - 1, spans);
            self.divide(search, &c, b, divisions - 1, spans);
        }
    }

    /// A point of contact.
    pub fn overlap(&self, point: Vec3, normal: Vec3, depth: f64, share: f64) -> PointOverlap {
        let sin = self.axis.cross(normal).length();
        PointOverlap {
            point,
            normal,
            depth,
            curvature: sin * sin / self.radius,
            elongation: Vec3::ZERO,
            share,
        }
    }
}

impl Place {
    /// The plane that it has for its nearest.
    fn plane(&self) -> Plane {
        let Level { depth, normal, triangle, .. } = self.level;
        Plane { height: depth + normal.dot(self.p), normal, triangle }
    }
}

fn span(a: &Place, b: &Place, planes: [Plane; 2]) -> Span {
    let end = |place: &Place| End {
        angle: place.angle,
        p: place.p,
        depth: place.level.depth,
        is_low: place.is_low,
    };
    let ends = [end(a), end(b)];
    Span { ends, planes }
}

impl Search<'_> {
    /// Adds the points of a rim.
    pub fn rim(&mut self, rim: &Rim) {
        let step = TAU / LOOKS as f64;
        let angle = |i: usize| step * i as f64;
        let level = Level { depth: 0.0, normal: Vec3::Z, feature: Feature::Face(NONE), triangle: NONE };
        let mut places = [Place { angle: 0.0, p: Vec3::ZERO, level, is_low: false }; LOOKS + MORE + 1];
        let Some(center) = self.level(rim.center, f64::INFINITY).filter(|center| center.depth > -rim.radius)
        else {
            return;
        };
        // Nowhere does the depth change faster than the place: what is farther outside than half-way to the next look is out of play.
        let (way, out) = (step * rim.radius, -0.5 * step * rim.radius);
        // From the centre to the first, and then from each to the next.
        let (mut bound, mut limit) = (f64::INFINITY, center.depth.abs() + rim.radius);
        for (i, place) in places[..LOOKS].iter_mut().enumerate() {
            if bound > out {
                let Some(found) = rim.place(self, angle(i), limit) else { return };
                *place = found;
                (bound, limit) = (found.level.depth, found.level.depth.abs());
            } else {
                let level = Level { depth: bound, ..level };
                *place = Place { angle: angle(i), p: rim.at(angle(i)), level, is_low: false };
            }
            (bound, limit) = (bound + way, limit + way);
        }
        places[LOOKS] = Place { angle: TAU, ..places[0] };
        let thirds = [0, LOOKS / 3, 2 * LOOKS / 3].map(|i| places[i]);
        let len = self.look_between(rim, &mut places);
        let places = &places[..len];
        let deepest =
            places.iter().fold(&places[0], |a, b| if b.level.depth > a.level.depth { b } else { a });
        if let Some(planes) = rim.planes(self, places, out).filter(|_| deepest.level.depth > 0.0) {
            let pose = self.pose;
            for plane in planes.iter() {
                let surface = Surface { origin: plane.normal * plane.height, normal: plane.normal };
                half_space::cap(rim.radius, rim.end, &pose, &surface, |point| {
                    self.add_at([plane.triangle, NONE], point.depth, point);
                });
            }
            return;
        }
        SCRATCH.with_borrow_mut(|spans| {
            spans.clear();
            for pair in places.windows(2) {
                rim.divide(self, &pair[0], &pair[1], DIVISIONS, spans);
            }
            let (mesh, near) = (self.mesh, self.near);
            let ways = |p: Vec3, normal: Vec3, depth: f64| {
                let closest = mesh.closest_within(p, depth + near);
                closest.map_or(Ways::one(normal, depth), |c| groove::ways(mesh, p, c.feature, normal, depth))
            };
            spans.points(rim, ways, |triangles, counted, point| self.add_at(triangles, counted, point));
            if center.depth > 0.0 && spans.is_in_play() {
                self.add_middle(rim, &center, &thirds);
            }
        });
    }
}

impl Search<'_> {
    /// Adds places where the rim is lowest below a triangle, if it is in the mesh there and neither of the looks beside sees that plane: a can that stands on a floor comes against a wall between two of them.
    /// Gives how many there are, in order.
    fn look_between(&mut self, rim: &Rim, places: &mut [Place; LOOKS + MORE + 1]) -> usize {
        let mut len = LOOKS + 1;
        let mesh = self.mesh;
        let deepest = places[..LOOKS].iter().map(|place| place.level.depth).fold(0.0, f64::max);
        // Farther than that from the looks nothing is hidden.
        let hidden = rim.radius * TAU / LOOKS as f64;
        self.for_triangles_within(REACH * deepest, |search, f| {
            let [a, b, c] = mesh.corners(f);
            let normal = mesh.normal(f) * search.side(a, || mesh.normal(f));
            let plane = Plane { height: normal.dot(a), normal, triangle: f };
            let [cos, sin] = rim.tilt(&plane);
            let slope = cos.hypot(sin);
            let depth = plane.depth(rim.center) + slope;
            let is_deep = depth > 0.0 && depth < hidden && slope > 0.0;
            if !is_deep || len == places.len() {
                return;
            }
            let p = rim.center + (rim.first * cos + rim.second * sin) * (rim.radius / slope);
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            if (low - p).max(p - high).max_element() > depth + REACH * deepest + search.near {
                return;
            }
            let angle = float::atan2(sin, cos);
            let angle = if angle < 0.0 { angle + TAU } else { angle };
            let next = places[..len].partition_point(|place| place.angle <= angle).clamp(1, len - 1);
            let beside = [places[next - 1], places[next]];
            let is_same = |a: Vec3, b: Vec3| a.distance_squared(b) < FLAT * FLAT;
            if let Some(i) = [next - 1, next].into_iter().find(|i| (places[*i].angle - angle).abs() <= SAME) {
                places[i % (len - 1)].is_low = true;
                return;
            }
            if beside.iter().any(|place| is_same(place.level.normal, normal)) {
                return;
            }
            // Below a floor it may be behind the wall too.
            let is_other = |place: &Place| {
                let Level { depth, normal, feature, .. } = place.level;
                let is_new = || beside.iter().all(|b| !is_same(normal, b.level.normal));
                depth > 0.0
                    && (is_new() || groove::ways(mesh, place.p, feature, normal, depth).iter().count() > 1)
            };
            // In a groove its bottom is nearest.
            let limit = depth + deepest;
            if let Some(place) = rim.place(search, angle, limit).filter(is_other) {
                places.copy_within(next..len, next + 1);
                places[next] = Place { is_low: true, ..place };
                len += 1;
            }
        });
        len
    }

    /// Adds the points of the centre of a cap, which has as much force as two sides of it. They are around it, so that damping acts on a cap that rocks, towards three places of the rim a third of a turn
    /// apart; all the way if there is something below these, half-way if there is below the places between, and else at the centre.
    fn add_middle(&mut self, rim: &Rim, center: &Level, ends: &[Place; 3]) {
        let is_below = |depths: [f64; 3]| {
            let least = depths.into_iter().fold(f64::INFINITY, f64::min);
            (least / center.depth).clamp(0.0, 1.0)
        };
        let limit = center.depth + 0.5 * rim.radius;
        let depth = |p: Vec3| self.level(p, limit).map_or(0.0, |level| level.depth);
        let half_way = ends.map(|end| depth(rim.center.midpoint(end.p)));
        let part = 0.5 * (is_below(half_way) + is_below(ends.map(|end| end.level.depth)));
        let mut add = |p: Vec3, share: f64| {
            let point = rim.overlap(p, center.normal, center.depth, share);
            self.add_at([center.triangle, NONE], center.depth, point);
        };
        if part > 0.0 {
            for end in ends {
                add(rim.center.lerp(end.p, part), 2.0 / 3.0 * QUARTER);
            }
        } else {
            add(rim.center, 2.0 * QUARTER);
        }
    }
}

/// Planes that meet in grooves, as floor and walls of a room.
#[derive(Default)]
struct Planes {
    planes: [Option<Plane>; PLANES],
}

impl Planes {
    fn iter(&self) -> impl Iterator<Item = &Plane> {
        self.planes.iter().flatten()
    }

    /// Adds a plane if it is another one; false if it is parallel to one that is there or hardly bent from it, or there is no room.
    fn add(&mut self, plane: Plane, near: f64) -> bool {
        let is_parallel = |p: &&Plane| p.normal.distance_squared(plane.normal) < FLAT * FLAT;
        if let Some(same) = self.iter().find(is_parallel) {
            return (same.height - plane.height).abs() <= near;
        }
        if self.iter().any(|p| p.normal.dot(plane.normal) > CREASE) {
            return false;
        }
        let room = self.planes.iter_mut().find(|place| place.is_none());
        room.map(|place| *place = Some(plane)).is_some()
    }

    /// Whether a place is as deep in the mesh as behind these planes: not less, and not at all where it is before all of them.
    fn hold(&self, place: &Place, near: f64) -> bool {
        let deepest = self.iter().map(|plane| plane.depth(place.p)).fold(f64::NEG_INFINITY, f64::max);
        deepest <= place.level.depth.max(0.0) + near && (deepest > 0.0 || place.level.depth <= near)
    }
}

impl Rim {
    /// The planes that are all there is to the mesh around the rim; nothing if there is more.
    fn planes(&self, search: &Search, places: &[Place], out: f64) -> Option<Planes> {
        let mesh = search.mesh;
        let mut planes = Planes::default();
        for place in places.iter().filter(|place| place.level.depth > out) {
            let Level { normal, feature, .. } = place.level;
            let mut has_room = true;
            let is_simple = groove::visit_faces(mesh, feature, normal, |f| {
                let turned = mesh.normal(f);
                // Seen from the solid: in a groove all faces look to its side.
                let normal = if mesh.is_closed() || turned.dot(normal) > 0.0 { turned } else { -turned };
                let plane = Plane { height: normal.dot(mesh.corners(f)[0]), normal, triangle: f };
                has_room = has_room && planes.add(plane, search.near);
            });
            if place.is_low && place.level.depth > 0.0 {
                for Way { normal, depth, .. } in
                    groove::ways(mesh, place.p, feature, normal, place.level.depth).iter()
                {
                    let plane =
                        Plane { height: depth + normal.dot(place.p), normal, triangle: place.level.triangle };
                    has_room = has_room && planes.add(plane, search.near);
                }
            }
            if !is_simple || !has_room {
                return None;
            }
        }
        if !places.iter().all(|place| planes.hold(place, search.near)) {
            return None;
        }
        // Between the looks there may be more.
        let is_right = |plane: &Plane| {
            let [cos, sin] = self.tilt(plane);
            let limit = plane.depth(self.center).abs() + TAU * self.radius;
            self.place(search, float::atan2(sin, cos), limit).is_some_and(|p| planes.hold(&p, search.near))
        };
        let are_all = planes.iter().all(is_right);
        are_all.then_some(planes)
    }
}
