//! The rim of a cylinder or a cone against a triangle mesh.
//!
//! Against a plane a rim has four points, a quarter turn apart from its lowest on: the lowest with the depth M, two beside it that are as deep as the
//! centre of the cap, and the highest with the depth m (`half_space.rs`). All of these can be asked of a mesh too: M is a greatest depth along the rim, m the least if
//! all of the rim is in the mesh, and the centre is a place of the body. None of them changes in the first order when its place along the rim
//! does, so the energies ½·k·share·depth² are a potential of the forces at these places, also on uneven ground.
//!
//! Where a greatest depth is at a ridge, below which the nearest place changes from one face to the other, the depth changes with a mean of both normals that is
//! across the rim. In its direction the ridge itself is away by the depth over the length of that mean, and that is the depth of the point.
//!
//! Two greatest depths M₁ and M₂ with S between them may become one: then S has come up to the shallower one, which must have gone. So of the two S² is taken,
//! from each the more, the less it sticks out beyond S. Apart, with the rim out of the mesh between them, each counts fully.

use super::half_space::{self, QUARTER, Surface};
use super::lean::leaning;
use super::mesh_convex::{Level, Search};
use crate::trimesh::NONE;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3, float};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Places of the rim that are looked at first. What is between two of them is found if it is alone there.
const LOOKS: usize = 48;
/// Looks at one place until it is found.
const MAX_LOOKS: usize = 40;
/// Normals that differ by less than this are one.
const FLAT: f64 = 1e-9;
/// Angles that differ by less than this are one [rad].
const SAME: f64 = 1e-11;
/// Sines of half angles of edges below this are not told apart: the edge of a sheet has none.
const SHARP: f64 = 0.1;
/// Angle by which places beside a kink are looked at [rad].
const BESIDE: f64 = 1e-9;

/// A rim, in the mesh's frame.
pub struct Rim {
    pub center: Vec3,
    /// Unit axis of the solid.
    axis: Vec3,
    /// Unit direction from which angles are counted.
    first: Vec3,
    radius: f64,
    /// Height of its cap on the axis [m].
    end: f64,
}

/// A place on a rim.
#[derive(Clone, Copy, Debug)]
struct Place {
    angle: f64,
    p: Vec3,
    level: Level,
    /// The nearest triangle on the other side of a kink.
    beside: u32,
}

impl Rim {
    pub fn new(pose: &Pose, radius: f64, end: f64) -> Self {
        let axis = pose.rotation * Vec3::Z;
        Self { center: pose.translation + axis * end, axis, first: pose.rotation * Vec3::X, radius, end }
    }

    fn at(&self, angle: f64) -> Vec3 {
        let (sin, cos) = float::sin_cos(angle);
        self.center + (self.first * cos + self.axis.cross(self.first) * sin) * self.radius
    }

    /// The place at an angle; the depth there is not farther from zero than `limit` [m].
    fn place(&self, search: &Search, angle: f64, limit: f64) -> Option<Place> {
        let p = self.at(angle);
        Some(Place { angle, p, level: search.level(p, limit)?, beside: NONE })
    }

    /// How far from zero the depth at an angle can be, given a place.
    fn limit(&self, from: &Place, angle: f64) -> f64 {
        from.level.depth.abs() + (angle - from.angle).abs() * self.radius
    }

    /// How the depth changes with the angle [m/rad].
    fn slope(&self, place: &Place) -> f64 {
        -place.level.normal.dot(self.axis.cross(place.p - self.center))
    }

    /// Angle where the depth below the plane that a place has for its nearest is greatest, as near to `around` as turns allow.
    fn lowest(&self, normal: Vec3, around: f64) -> f64 {
        let angle = float::atan2(-normal.dot(self.axis.cross(self.first)), -normal.dot(self.first));
        angle + TAU * ((around - angle) / TAU).round()
    }

    /// Angle between those of two places where the depths below their planes are the same.
    fn crossing(&self, a: &Place, b: &Place) -> Option<f64> {
        let turn = b.level.normal - a.level.normal;
        let (x, y) = (turn.dot(self.first), turn.dot(self.axis.cross(self.first)));
        let length = x.hypot(y) * self.radius;
        let rest = b.level.normal.dot(b.p - self.center) - a.level.normal.dot(a.p - self.center)
            + b.level.depth
            - a.level.depth;
        // Nowhere, if the planes are parallel across the rim.
        let cos = Some(rest / length).filter(|cos| cos.abs() <= 1.0)?;
        let (middle, half) = (float::atan2(y, x), FRAC_PI_2 - float::asin(cos));
        let (low, high) = (a.angle.min(b.angle), a.angle.max(b.angle));
        [middle - half, middle + half]
            .map(|angle| angle + TAU * ((0.5 * (low + high) - angle) / TAU).round())
            .into_iter()
            .find(|angle| *angle >= low - SAME && *angle <= high + SAME)
    }

    /// The extreme depth (`sign` 1: the greatest, −1: the least) near `best`, which is beyond those at `ends`; with the normal along which it
    /// changes, not a unit vector at a kink.
    fn extreme(&self, search: &Search, sign: f64, ends: [Place; 2], mut best: Place) -> Place {
        let [mut left, mut right] = ends;
        for look in 0..MAX_LOOKS {
            let slope = sign * self.slope(&best);
            let end = if slope > 0.0 { right } else { left };
            let (low, high) = (best.angle.min(end.angle), best.angle.max(end.angle));
            if slope.abs() <= 1e-12 * self.radius || high - low <= 2.0 * BESIDE {
                break;
            }
            let within = |angle: &f64| *angle > low + SAME && *angle < high - SAME;
            let own = self.lowest(best.level.normal * sign, best.angle);
            let crossing = self.crossing(&best, &end);
            let is_kink = crossing.is_some_and(|angle| (angle - best.angle).abs() <= SAME);
            // Where the nearest place seems to change just here, a look close by tells.
            let angle = if is_kink {
                best.angle + BESIDE * (end.angle - best.angle).signum()
            } else if look % 2 == 1 {
                0.5 * (low + high)
            } else {
                Some(own).filter(within).or(crossing.filter(within)).unwrap_or(0.5 * (low + high))
            };
            let Some(found) = self.place(search, angle, self.limit(&best, angle)) else { break };
            let is_better = sign * found.level.depth > sign * best.level.depth;
            // What is farther out on the same side bounds the search.
            match (is_better, found.angle > best.angle) {
                (true, true) => (left, best) = (best, found),
                (true, false) => (right, best) = (best, found),
                (false, true) => right = found,
                (false, false) => left = found,
            }
        }
        // At a kink the mean of the normals on both sides that is across the rim.
        let slope = self.slope(&best);
        let end = if sign * slope > 0.0 { right } else { left };
        let other = self.slope(&end);
        if sign > 0.0 && slope * other < 0.0 {
            best.level.normal =
                (best.level.normal * other.abs() + end.level.normal * slope.abs()) / (other - slope).abs();
            best.beside = end.level.triangle;
        }
        best
    }
}

impl Search<'_> {
    /// Adds the points of a rim.
    pub fn rim(&mut self, rim: &Rim) {
        let step = TAU / LOOKS as f64;
        let angle = |i: usize| step * i as f64;
        let level = Level { depth: 0.0, normal: Vec3::Z, triangle: NONE };
        let mut places = [Place { angle: 0.0, p: Vec3::ZERO, level, beside: NONE }; LOOKS];
        let Some(center) = self.level(rim.center, f64::INFINITY).filter(|center| center.depth > -rim.radius)
        else {
            return;
        };
        // Nowhere does the depth change faster than the place: what is farther outside than half-way to the next look is out of play.
        let (way, out) = (step * rim.radius, -0.5 * step * rim.radius);
        // From the centre to the first, and then from each to the next.
        let (mut bound, mut limit) = (f64::INFINITY, center.depth.abs() + rim.radius);
        for (i, place) in places.iter_mut().enumerate() {
            if bound > out {
                let Some(found) = rim.place(self, angle(i), limit) else { return };
                *place = found;
                (bound, limit) = (found.level.depth, found.level.depth.abs());
            } else {
                place.level.depth = bound;
            }
            (bound, limit) = (bound + way, limit + way);
        }
        let depth = |i: usize| places[i % LOOKS].level.depth;
        let is_whole = (0..LOOKS).all(|i| depth(i) > 0.0);
        let first = places[0].level;
        let is_flat = places.iter().all(|p| p.level.normal.distance_squared(first.normal) < FLAT * FLAT);
        if is_whole && is_flat {
            let surface = Surface { origin: places[0].p + first.normal * first.depth, normal: first.normal };
            let pose = self.pose;
            half_space::cap(rim.radius, rim.end, &pose, &surface, |point| {
                self.add_at([first.triangle, NONE], point);
            });
            return;
        }
        // Around the turn, so that the two beside it have angles below and above.
        let turned = |i: usize, by: f64| Place { angle: angle(i) + by, ..places[i % LOOKS] };
        let beside = |i: usize| {
            [
                turned((i + LOOKS - 1) % LOOKS, if i == 0 { -TAU } else { 0.0 }),
                turned((i + 1) % LOOKS, if i + 1 == LOOKS { TAU } else { 0.0 }),
            ]
        };
        let mut peaks = [(0, places[0]); LOOKS];
        let mut count = 0;
        for i in 0..LOOKS {
            let is_peak = depth(i) >= depth(i + LOOKS - 1) && depth(i) > depth(i + 1) && depth(i) > out;
            if is_peak {
                let found = rim.extreme(self, 1.0, beside(i), places[i]);
                if found.level.depth > 0.0 {
                    peaks[count] = (i, found);
                    count += 1;
                }
            }
        }
        let peaks = &peaks[..count];
        for (k, (i, peak)) in peaks.iter().enumerate() {
            let mut part = 1.0;
            for (from, to, other) in [
                (*i, peaks[(k + 1) % count].0, &peaks[(k + 1) % count].1),
                (peaks[(k + count - 1) % count].0, *i, &peaks[(k + count - 1) % count].1),
            ] {
                part *= beside_another(peak, other, least_between(&places, from, to));
            }
            self.add_rim_point(rim, peak, part);
        }
        let Some((_, deepest)) =
            peaks.iter().reduce(|a, b| if b.1.level.depth > a.1.level.depth { b } else { a })
        else {
            return;
        };
        if center.depth > 0.0 {
            // As much force at the centre as at the two sides.
            let aside = rim.axis.cross(deepest.p - rim.center);
            for p in [rim.center + aside, rim.center - aside] {
                self.add_at([center.triangle, NONE], rim.overlap(p, center, QUARTER));
            }
        }
        if is_whole {
            let least = (0..LOOKS).reduce(|a, b| if depth(b) < depth(a) { b } else { a }).unwrap_or_default();
            let found = rim.extreme(self, -1.0, beside(least), places[least]);
            if found.level.depth > 0.0 {
                self.add_at([found.level.triangle, NONE], rim.overlap(found.p, found.level, QUARTER));
            }
        }
    }

    fn add_rim_point(&mut self, rim: &Rim, peak: &Place, part: f64) {
        // Shorter than a unit vector at a kink: that far along it is the edge of the mesh.
        let length = peak.level.normal.length();
        let Some(normal) = peak.level.normal.try_normalize() else { return };
        let level = Level { normal, depth: peak.level.depth / length.clamp(SHARP, 1.0), ..peak.level };
        let point = leaning(rim.axis, rim.overlap(peak.p, level, QUARTER));
        let share = point.share * part;
        if share > 0.0 {
            self.add_at([level.triangle, peak.beside], PointOverlap { share, ..point });
        }
    }
}

impl Rim {
    fn overlap(&self, point: Vec3, level: Level, share: f64) -> PointOverlap {
        let sin = self.axis.cross(level.normal).length();
        PointOverlap {
            point,
            normal: level.normal,
            depth: level.depth,
            curvature: sin * sin / self.radius,
            elongation: Vec3::ZERO,
            share,
        }
    }
}

/// Least depth between two places of the rim, from one on to the other; all around if they are one.
fn least_between(places: &[Place; LOOKS], from: usize, to: usize) -> f64 {
    let count = (to + LOOKS - from - 1) % LOOKS;
    (1..=count).map(|k| places[(from + k) % LOOKS].level.depth).fold(f64::INFINITY, f64::min).max(0.0)
}

/// What is left of a greatest depth beside another one, with `between` the least depth between them.
fn beside_another(peak: &Place, other: &Place, between: f64) -> f64 {
    if std::ptr::eq(peak, other) || between <= 0.0 {
        return 1.0;
    }
    let (own, their) = (peak.level.depth - between, other.level.depth - between);
    // Two of no height are one.
    let part = if own + their > 0.0 { their.max(0.0) / (own.max(0.0) + their.max(0.0)) } else { 0.5 };
    let both = (between / peak.level.depth).min(1.0);
    1.0 - part * both * both
}
