//! Where a spine is nearest to a shape: every local minimum of the distance along it.
//!
//! Let f(s) be the signed distance of the spine's place at the length s from the other shape. Moving by δ along the spine changes it by δ at
//! most, so that over a stretch of the length 2·h about s it is nowhere less than f(s) − h. Stretches that cannot come within reach are left
//! out, the others halved, until they are so short that f has one minimum in them: then its slope, the normal times the tangent, goes
//! from negative to positive, and the place where it does so is found by a bracketing root search. Outside of a polyhedron, where lows may be as close to each other as its
//! features, a stretch is walked over in steps within which there is none, or where that would take too many, in steps of a hundredth of the spine's radius.
//!
//! In the same way the surface is not farther from any place of a stretch than f(s) + h. So a half is looked at up to there only, and of a mesh a short stretch
//! looks at those triangles alone that are near to it.

use super::field::{Course, Field, Surroundings};

/// Slopes below this are level.
pub const LEVEL: f64 = 1e-12;
/// Shortest and longest step that is taken where it is not sure that nothing is passed over, as parts of the spine's radius. A low that is nearer to a high than the shortest one is lower by
/// less than 2e-10 of the radius; the longest is for ground that is nearly level.
const ASIDE: f64 = 2e-5;
const FARTHEST: f64 = 0.01;
/// Stretches that wait: one for each halving.
const STACK: usize = 24;

/// A local minimum.
#[derive(Clone, Copy, Debug)]
pub struct Low {
    /// Place on the spine [m].
    pub s: f64,
    /// Part of the other shape to which it is near.
    pub part: usize,
}

/// Gives every local minimum of the distance that is less than `reach` [m] to `visit`. Where the distance is even along a stretch, its end;
/// where it is so all around, one place that is fixed to the tube.
pub fn lows(course: &Course, field: &Field, reach: f64, mut visit: impl FnMut(Low)) {
    let length = course.tube.length();
    // Not longer than a turn by 16°, nor than the bar's radius or the other's: halves of it are looked at. Hollows have places from
    // which two sides are as near.
    let part = if field.is_hollow() { 0.5 } else { 1.3 };
    let shortest =
        (part * course.tube.bar.min(field.grain())).min(0.28 * course.tube.radius).max(length / 256.0);
    // Ends, and within which distance the surface is from the middle.
    let mut stack = [(0.0, 0.0, f64::INFINITY); STACK];
    stack[0] = (0.0, length, f64::INFINITY);
    let mut top = 1;
    let mut found = false;
    let mut lowest = (reach, 0.0);
    // End of the stretch before.
    let mut before: Option<Stand> = None;
    while top > 0 {
        top -= 1;
        let (a, b, within) = stack[top];
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let place = course.at(middle);
        let p = place.point;
        let distance = field.distance_in(p, reach + half, &Surroundings::within(within));
        // Written so that what is not a number is left out.
        let may_reach = distance - half < reach;
        if !may_reach {
            continue;
        }
        if b - a > shortest && top + 2 <= STACK {
            let within = distance.abs() + 0.5 * half;
            stack[top] = (middle, b, within);
            stack[top + 1] = (a, middle, within);
            top += 2;
            continue;
        }
        if distance < lowest.0 {
            lowest = (distance, middle);
        }
        let known = &field.surroundings(p, distance, half);
        let jumps = field.jumps(distance - half, reach);
        if field.is_facetted() && !jumps {
            let slopes = Slopes { course, field, part: 0, known, jumps };
            let start = before.filter(|before| before.s == a).unwrap_or_else(|| slopes.stand(a));
            let end = slopes.stand(b);
            before = Some(end);
            slopes.walk(start, end, &mut |s| {
                if field.distance(course.at(s).point, reach) < reach {
                    found = true;
                    visit(Low { s, part: 0 });
                }
            });
            continue;
        }
        for part in 0..field.parts() {
            let near =
                field.near_in(part, p, reach + half, known).filter(|near| near.distance - half < reach);
            let Some(near) = near else { continue };
            let is_true = |s: f64| {
                let near = field.near_in(part, course.at(s).point, reach, known);
                near.is_some_and(|near| near.distance < reach && near.is_own)
            };
            let slopes = Slopes { course, field, part, known, jumps };
            let ends = [(a, slopes.at(a)), (middle, near.normal.dot(place.tangent)), (b, slopes.at(b))];
            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[2])] {
                slopes.look(from, to, if jumps { 4 } else { 3 }, &mut |s| {
                    if is_true(s) {
                        found = true;
                        visit(Low { s, part });
                    }
                });
            }
        }
    }
    if !found && lowest.0 < reach {
        // Even all around, or so nearly that rounding hides the slope: a place fixed to the body if it is as low.
        let even = field.distance(course.at(0.0).point, reach) <= lowest.0 + 1e-9 * course.tube.bar;
        let s = if even { 0.0 } else { lowest.1 };
        let p = course.at(s).point;
        let depth = |part: &usize| field.near(*part, p, reach).map_or(f64::INFINITY, |near| near.distance);
        let part = (0..field.parts()).reduce(|i, k| if depth(&k) < depth(&i) { k } else { i });
        visit(Low { s, part: part.unwrap_or(0) });
    }
}

/// A place on the spine outside of a convex shape.
#[derive(Clone, Copy, Debug)]
struct Stand {
    s: f64,
    slope: f64,
    /// How far uphill it goes on uphill for sure [m].
    sure: f64,
}

/// Slope of the distance from a part along the spine.
struct Slopes<'a> {
    course: &'a Course,
    field: &'a Field<'a>,
    part: usize,
    /// What is around the places that are looked at.
    known: &'a Surroundings,
    /// Whether it may jump there.
    jumps: bool,
}

impl Slopes<'_> {
    fn at(&self, s: f64) -> f64 {
        let place = self.course.at(s);
        let near = self.field.near_in(self.part, place.point, f64::INFINITY, self.known);
        near.map_or(f64::NAN, |near| near.normal.dot(place.tangent))
    }

    /// Gives lows between two places, with the slopes there, to `visit`. Beside a convex shape the slope falls along the spine by no more than the
    /// spine turns: if it could have gone through zero twice in between, halves are looked at. Inside a mesh it falls faster, by one over the distance
    /// from a groove, and where the nearest face changes, or the nearest side of a ring, it jumps: then two lows can be beside each other with little between them, and what is left on both
    /// sides of one is looked at again.
    fn look(&self, from: (f64, f64), to: (f64, f64), depth: u32, visit: &mut dyn FnMut(f64)) {
        let (jumps, tube) = (self.jumps, &self.course.tube);
        let bend = 1.0 / tube.radius + if jumps { 2.0 / tube.bar } else { 0.0 };
        let turn = (to.0 - from.0) * bend;
        if depth > 0 && turn > from.1.abs().min(to.1.abs()) {
            let s = 0.5 * (from.0 + to.0);
            let middle = (s, self.at(s));
            self.look(from, middle, depth - 1, visit);
            self.look(middle, to, depth - 1, visit);
        } else if let Some(s) = self.low_between(from, to) {
            visit(s);
            if jumps && depth > 0 {
                let aside = 1e-6 * tube.bar;
                let place = |s: f64| (s, self.at(s));
                if s - aside > from.0 {
                    self.look(from, place(s - aside), depth - 1, visit);
                }
                if s + aside < to.0 {
                    self.look(place(s + aside), to, depth - 1, visit);
                }
            }
        }
    }

    /// A place outside of a convex shape.
    ///
    /// There the distance is a convex function of the point, so the slope falls only as the spine bends away from the shape: per length by −c/R, where c is the part of the normal toward the
    /// middle of the arc. As the normal turns by no more than 1/distance and the way to the middle by 1/R, c falls by no more than k = 1/distance + 1/R, and uphill the distance does not
    /// get less. So the slope keeps its sign over a way x with |slope|·R + c·x − ½·k·x² ≥ 0; if c is positive, where a straight gives no rise, over c/k and a way from there on; and always over |slope|·R,
    /// because −c is 1 at the most.
    fn stand(&self, s: f64) -> Stand {
        let place = self.course.at(s);
        let Some(near) = self.field.near_in(self.part, place.point, f64::INFINITY, self.known) else {
            return Stand { s, slope: f64::NAN, sure: f64::NAN };
        };
        let (slope, c) = (near.normal.dot(place.tangent), -near.normal.dot(place.outward));
        let radius = self.course.tube.radius;
        let least = slope.abs() * radius;
        let k = 1.0 / near.distance.max(0.0) + 1.0 / radius;
        // Not a number on the surface, where the normal may turn at once.
        let away = c.min(0.0);
        let sure = least.max((c + (away * away + 2.0 * k * least).sqrt()) / k);
        Stand { s, slope, sure }
    }

    /// Gives the lows between two places outside of a convex shape to `visit`, in their order. Two may be close to each other with little between them, so what is left on both sides of one is
    /// walked over, from both ends uphill.
    fn walk(&self, from: Stand, to: Stand, visit: &mut dyn FnMut(f64)) {
        let tube = &self.course.tube;
        let is_end = |stand: &Stand, end: f64| !tube.is_closed() && stand.s == end;
        // Beyond the ends of an open spine the distance counts as growing.
        if is_end(&from, 0.0) && from.slope > LEVEL {
            visit(from.s);
        }
        self.walk_within(from, to, visit);
        if is_end(&to, tube.length()) && to.slope <= LEVEL {
            visit(to.s);
        }
    }

    fn walk_within(&self, mut from: Stand, mut to: Stand, visit: &mut dyn FnMut(f64)) {
        let aside = ASIDE * self.course.tube.radius;
        // There may be as many lows as a shape has faces, so what is left after one is not a call within a call.
        while let Some(start) = self.uphill(from, to.s)
            && let Some(end) = self.uphill(to, start.s)
            && let Some(s) = self.low_between((start.s, start.slope), (end.s, end.slope))
        {
            if s - aside > start.s {
                self.walk_within(start, self.stand(s - aside), visit);
            }
            let after = (s + aside < end.s).then(|| self.stand(s + aside));
            // Of level ground only the end counts.
            let is_level = after.is_some_and(|after| after.slope.abs() <= LEVEL);
            if !is_level {
                visit(s);
            }
            let Some(after) = after else { return };
            (from, to) = (after, end);
        }
    }

    /// The first place from `start` toward `end` [m] from which it does not go on uphill; `None` if there is none.
    fn uphill(&self, start: Stand, end: f64) -> Option<Stand> {
        let radius = self.course.tube.radius;
        let is_ahead = end > start.s;
        let goes_up = |stand: &Stand| if is_ahead { stand.slope > LEVEL } else { stand.slope <= LEVEL };
        let mut stand = start;
        let mut least = if start.slope.abs() > LEVEL { ASIDE } else { FARTHEST };
        while goes_up(&stand) {
            let step = stand.sure.max(least * radius);
            let s = if is_ahead { stand.s + step } else { stand.s - step };
            if (s < end) != is_ahead {
                return None;
            }
            stand = self.stand(s);
            least = (2.0 * least).min(FARTHEST);
        }
        Some(stand)
    }

    /// The place between `a` and `b` [m], with the slopes there, where it goes from falling or level to rising.
    fn low_between(&self, (a, low): (f64, f64), (b, high): (f64, f64)) -> Option<f64> {
        let is_open = !self.course.tube.is_closed();
        // Beyond the ends of an open spine the distance counts as growing.
        if is_open && a == 0.0 && low > LEVEL {
            return Some(a);
        }
        if is_open && b == self.course.tube.length() && high <= LEVEL {
            return Some(b);
        }
        // Written so that what is not a number is no change.
        let turns = low <= LEVEL && high > LEVEL;
        if !turns {
            return None;
        }
        if low < -LEVEL {
            return Some(root(a, b, low, high, f64::EPSILON, |s| self.at(s)));
        }
        // Just here, or at the end of level ground.
        if self.at(a + 1e-3 * (b - a)) > LEVEL {
            return Some(a);
        }
        Some(root(a, b, low - LEVEL, high - LEVEL, f64::EPSILON, |s| self.at(s) - LEVEL))
    }
}

/// Where `f` goes from not positive at `a` to positive at `b`: by the secant with the weight of a value that stays halved (Illinois), and by
/// halves where that is slow. Values up to `none` are zero.
pub fn root(mut a: f64, mut b: f64, mut fa: f64, mut fb: f64, none: f64, f: impl Fn(f64) -> f64) -> f64 {
    let end = 4.0 * f64::EPSILON * b.abs();
    let mut last = b - a;
    let mut kept = 0;
    for i in 1..200 {
        let mut s = b - fb * (b - a) / (fb - fa);
        let is_slow = i % 3 == 0 && {
            let slow = b - a > 0.5 * last;
            last = b - a;
            slow
        };
        let is_between = s > a && s < b;
        if is_slow || !is_between {
            s = 0.5 * (a + b);
        }
        let value = f(s);
        if value > 0.0 {
            (b, fb) = (s, value);
            if kept == 1 {
                fa *= 0.5;
            }
            kept = 1;
        } else if value <= 0.0 {
            (a, fa) = (s, value);
            if kept == -1 {
                fb *= 0.5;
            }
            kept = -1;
        } else {
            break;
        }
        if value.abs() <= none || b - a <= end {
            return s;
        }
    }
    0.5 * (a + b)
}
