//! Where a spine is nearest to a shape: every local minimum of the distance along it.
//!
//! Let f(s) be the signed distance of the spine's place at the length s from the other shape. Moving by δ along the spine changes it by δ at
//! most, so that over a stretch of the length 2·h about s it is nowhere less than f(s) − h. Stretches that cannot come within reach are left
//! out, the others halved, until they are so short that f has one minimum in them: then its slope, the normal times the tangent, goes
//! from negative to positive, and the place where it does so is found by a bracketing root search.

use super::field::{Course, Field};

/// Slopes below this are level.
const LEVEL: f64 = 1e-12;
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
    // Not longer than an eighth of a turn, nor than half the bar's radius: what it meets changes no faster. Hollows have places from which two
    // sides are as near.
    let part = if field.is_hollow() { 0.25 } else { 0.5 };
    let shortest = (part * course.tube.bar).clamp(length / 256.0, length / 16.0);
    let mut stack = [(0.0, 0.0); STACK];
    stack[0] = (0.0, length);
    let mut top = 1;
    let mut found = false;
    let mut lowest = (reach, 0.0);
    while top > 0 {
        top -= 1;
        let (a, b) = stack[top];
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let p = course.at(middle).point;
        let distance = field.distance(p, reach + half);
        // Written so that what is not a number is left out.
        let may_reach = distance - half < reach;
        if !may_reach {
            continue;
        }
        if b - a > shortest && top + 2 <= STACK {
            stack[top] = (middle, b);
            stack[top + 1] = (a, middle);
            top += 2;
            continue;
        }
        if distance < lowest.0 {
            lowest = (distance, middle);
        }
        for part in 0..field.parts() {
            let may_reach =
                field.near(part, p, reach + half).is_some_and(|near| near.distance - half < reach);
            let low = if may_reach { low_between(course, field, part, a, b) } else { None };
            let is_true = |s: &f64| {
                let near = field.near(part, course.at(*s).point, reach);
                near.is_some_and(|near| near.distance < reach && near.is_own)
            };
            if let Some(s) = low.filter(is_true) {
                found = true;
                visit(Low { s, part });
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

/// The place between `a` and `b` [m] where the slope goes from falling or level to rising.
fn low_between(course: &Course, field: &Field, part: usize, a: f64, b: f64) -> Option<f64> {
    let length = course.tube.length();
    let is_open = !course.tube.is_closed();
    let slope = |s: f64| {
        let place = course.at(s);
        let near = field.near(part, place.point, f64::INFINITY);
        near.map_or(f64::NAN, |near| near.normal.dot(place.tangent))
    };
    // Beyond the ends of an open spine the distance counts as growing.
    let (low, high) = (slope(a), slope(b));
    let (falls, rises) = (is_open && a == 0.0 || low <= LEVEL, is_open && b == length || high > LEVEL);
    if !(falls && rises) {
        return None;
    }
    if low > LEVEL {
        return Some(a);
    }
    if high <= LEVEL {
        return Some(b);
    }
    // From level ground its end is looked for.
    let over = if low >= -LEVEL { LEVEL } else { 0.0 };
    Some(root(a, b, low - over, high - over, |s| slope(s) - over))
}

/// Where `f` goes from not positive at `a` to positive at `b`: by the secant with the weight of a value that stays halved (Illinois), and by
/// halves where that is slow.
fn root(mut a: f64, mut b: f64, mut fa: f64, mut fb: f64, f: impl Fn(f64) -> f64) -> f64 {
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
        // As exact as the product of two unit vectors is.
        if value.abs() <= f64::EPSILON || b - a <= end {
            return s;
        }
    }
    0.5 * (a + b)
}
