//! Every lowest place of a spine above a mesh that it does not go into.
//!
//! Where the spine is outside, or the mesh is a sheet, [`features`](super::features) gives the places that come into question. Those are lowest ones from which
//! nothing of the mesh is nearer. Inside a solid the distance has edges between the places to which two sides are as near, and is
//! searched along the spine ([`search`](super::search)).

use super::features::{Candidate, Seen, candidates};
use super::field::{Course, Field, Surroundings};
use super::search::{LEVEL, root};
use crate::TriMesh;
use crate::tube::Form;
use std::cell::RefCell;
use std::f64::consts::PI;

/// How far beside a place it is looked whether the distance grows, as parts of the bar's radius: and if rounding hides the place, farther.
const STEPS: [f64; 2] = [1e-6, 1e-3];
/// Places that differ by less than this part of the bar's radius are one.
const SAME: f64 = 1e-9;

thread_local! {
    /// Keeps its room from call to call, and nothing else.
    static SCRATCH: RefCell<Vec<Candidate>> = const { RefCell::new(Vec::new()) };
}

/// Gives every lowest place within `reach` [m] that is outside to `visit`, in the order of the spine; `false` if the spine goes into the mesh, and there may be others. Where
/// the distance is even, as [`lows`](super::search::lows) says.
pub fn lows_outside(course: &Course, mesh: &TriMesh, reach: f64, mut visit: impl FnMut(f64)) -> bool {
    SCRATCH.with_borrow_mut(|found| {
        found.clear();
        let is_outside = Outside { course, mesh, field: Field::Mesh(mesh), reach }.find(found);
        for low in found.iter() {
            visit(low.s);
        }
        is_outside
    })
}

struct Outside<'a> {
    course: &'a Course,
    mesh: &'a TriMesh,
    field: Field<'a>,
    reach: f64,
}

impl Outside<'_> {
    /// Leaves the lowest places that are outside in `found`; `false` if the spine goes into the mesh.
    fn find(&self, found: &mut Vec<Candidate>) -> bool {
        let (mesh, bar) = (self.mesh, self.course.tube.bar);
        let seen = candidates(self.course, mesh, self.reach, found);
        let mut is_inside = seen.goes_through && mesh.is_closed();
        self.ends_and_joints(seen, found);
        found.sort_unstable_by(|a, b| a.s.total_cmp(&b.s).then(a.distance.total_cmp(&b.distance)));
        found.dedup_by(|b, a| b.s - a.s <= SAME * bar && b.is_face == a.is_face);
        found.retain_mut(|low| {
            let p = self.course.at(low.s).point;
            let Some(closest) = mesh.closest_within(p, low.distance + low.rounding) else { return false };
            if closest.distance < low.distance - low.rounding {
                return false;
            }
            if mesh.is_closed() && (low.distance == 0.0 || mesh.is_behind(p, &closest)) {
                is_inside = true;
                return false;
            }
            low.is_face || self.settled(low.s, low.distance).map(|s| low.s = s).is_some()
        });
        if is_inside {
            return false;
        }
        !found.is_empty() || self.even(found)
    }

    /// Slope of the distance along the spine at `s` [m], if the mesh is within `limit` [m].
    fn slope(&self, s: f64, limit: f64) -> f64 {
        let tube = self.course.tube;
        let s = if tube.is_closed() { s.rem_euclid(tube.length()) } else { s.clamp(0.0, tube.length()) };
        let place = self.course.at(s);
        let near = self.field.near_in(0, place.point, f64::INFINITY, &Surroundings::within(limit));
        near.map_or(f64::NAN, |near| near.normal.dot(place.tangent))
    }

    /// Where the distance goes from falling or level to rising at `s` [m], if it does.
    fn settled(&self, s: f64, distance: f64) -> Option<f64> {
        for (i, step) in STEPS.into_iter().enumerate() {
            let step = step * self.course.tube.bar;
            let slope = |s: f64| self.slope(s, distance + 2.0 * step);
            let (before, after) = (slope(s - step), slope(s + step));
            if before <= LEVEL && after > LEVEL {
                let level = |s: f64| slope(s) - LEVEL;
                let exact = || root(s - step, s + step, before - LEVEL, after - LEVEL, f64::EPSILON, level);
                return Some(if i == 0 { s } else { exact() });
            }
        }
        None
    }

    /// Ends of a half torus, where a bar that is tilted touches, and joints of a link, at which level ground may end.
    fn ends_and_joints(&self, seen: Seen, found: &mut Vec<Candidate>) {
        let tube = self.course.tube;
        let length = tube.length();
        let mut see = |s: f64, counts: &dyn Fn(f64) -> bool, is_face: bool| {
            let place = self.course.at(s);
            let Some(near) =
                self.field.near_in(0, place.point, f64::INFINITY, &Surroundings::within(self.reach))
            else {
                return;
            };
            let distance = near.distance.abs();
            if distance < self.reach && counts(near.normal.dot(place.tangent)) {
                let rounding = 1e-12 * (distance + self.course.origin().length() + tube.spine_reach());
                found.push(Candidate { s, distance, rounding, is_face });
            }
        };
        match tube.form {
            Form::Half => {
                // Beyond the ends the distance counts as growing.
                see(0.0, &|slope| slope > LEVEL, true);
                see(length, &|slope| slope <= LEVEL, true);
            }
            Form::Link if seen.is_level => {
                let (arc, half) = (PI * tube.radius, 0.5 * length);
                for s in [0.0, arc, half, half + arc] {
                    see(s, &|slope| slope.abs() <= 2.0 * LEVEL, false);
                }
            }
            Form::Ring | Form::Link => {}
        }
    }

    /// Even all around, or so nearly that rounding hides the slope: a place fixed to the body. `false` if the spine is inside, or it is not even.
    fn even(&self, found: &mut Vec<Candidate>) -> bool {
        const LOOKS: u32 = 8;
        let distance = |s: f64| self.field.distance(self.course.at(s).point, self.reach);
        let first = distance(0.0);
        if first >= self.reach {
            return true;
        }
        let same = 1e-9 * self.course.tube.bar;
        let at = |k: u32| self.course.tube.length() * f64::from(k) / f64::from(LOOKS);
        let is_even = first >= 0.0 && (1..LOOKS).all(|k| (distance(at(k)) - first).abs() <= same);
        if is_even {
            found.push(Candidate { s: 0.0, distance: first, rounding: 0.0, is_face: true });
        }
        is_even
    }
}
