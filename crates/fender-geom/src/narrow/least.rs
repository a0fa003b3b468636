//! The direction along which any two convex solids overlap least, or their cores are farthest apart.
//!
//! The cores are apart by `gap(n) = n·(c_a − c_b) − reach_a(−n) − reach_b(n)` along a unit direction n from the second to the
//! first, and the largest gap is asked for. Here a guess comes first: from the algorithm of Gilbert, Johnson and Keerthi (1988) for cores that are
//! apart, and from an expanding polytope (`expand.rs`) for those that overlap, which finds the best of all directions, but for
//! round shapes to a few digits only. Then what the surfaces have around the guess says where the best direction is exactly:
//! - the normal of a face of either;
//! - the direction across a straight line of each, such as two edges;
//! - a direction across a straight line of one along which the gap neither grows nor shrinks;
//! - one where that is so in every direction.
//!
//! Faces keep the contact if the others are as good, so that rounding does not make the normal flicker.

use super::placed::Placed;
use super::{expand, gjk};
use fender_math::Vec3;
use parry3d_f64::query::gjk::GJKResult;
use parry3d_f64::shape::SupportMap;
use smallvec::SmallVec;

/// Most steps from face to face; after them a search of all directions begins anyway.
const MOST_FACES: usize = 16;
/// Nearer than this part of their size, cores count as touching.
const TOUCHING: f64 = 1e-7;
/// How far off the guess may be from a line or its crossing with another (a cosine).
const AROUND: f64 = 0.05;

/// Best direction found so far.
pub struct Least<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
    /// From the centre of `b` to that of `a` [m].
    offset: Vec3,
    size: f64,
    /// A later direction must be better by this much [m].
    clearly: f64,
    /// Unit direction from `b` to `a`.
    pub normal: Vec3,
    /// Distance of the cores along it, negative when they overlap [m].
    pub gap: f64,
}

/// Circle of directions: those with the cosine `cos` from `axis`.
#[derive(Clone, Copy)]
struct Circle {
    axis: Vec3,
    cos: f64,
}

/// A core whose lengths are parts of `size`.
struct Scaled<'a> {
    core: &'a Placed<'a>,
    per_size: f64,
}

impl SupportMap for Scaled<'_> {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        self.core.support(dir) * self.per_size
    }
}

impl<'a> Least<'a> {
    /// The best direction among the normals of faces, found by going from face to face, and that from centre to centre: often the
    /// right one. `None` when the solids are apart along one of them.
    pub fn start(a: &'a Placed<'a>, b: &'a Placed<'a>) -> Option<Self> {
        let size = a.size() + b.size();
        let offset = a.center - b.center;
        let clearly = 1e-10 * size;
        let mut least = Self { a, b, offset, size, clearly, normal: Vec3::Z, gap: f64::NEG_INFINITY };
        // Faces that look away from the other are left to later searches.
        a.few_faces(|normal, reach| {
            let toward = -normal.dot(offset);
            if toward > 0.0 {
                least.take(-normal, toward - reach - b.reach(-normal));
            }
        });
        b.few_faces(|normal, reach| {
            let toward = normal.dot(offset);
            if toward > 0.0 {
                least.take(normal, toward - reach - a.reach(-normal));
            }
        });
        if least.is_apart() {
            return None;
        }
        // A position that is not a number has no better direction than none.
        least.try_direction(offset.try_normalize()?);
        for _ in 0..MOST_FACES {
            let from = least.normal;
            least.try_faces(from);
            if least.is_apart() {
                return None;
            }
            if least.normal == from {
                break;
            }
        }
        Some(least)
    }

    /// Looks around the best direction so far. `None` when the solids are apart.
    pub fn around(mut self) -> Option<Self> {
        self.refine(self.normal);
        (!self.is_apart()).then_some(self)
    }

    /// The best of all directions. `None` when the solids are apart.
    pub fn of_all(mut self) -> Option<Self> {
        let border = (self.a.border + self.b.border) / self.size;
        let apart = if border > 0.0 { self.try_nearest(border)? } else { 0.0 };
        // Where cores overlap or all but touch, the way from the nearest point to the other is no way to part them.
        if self.gap < (apart - TOUCHING) * self.size || apart < TOUCHING {
            // From the farthest point of `a` to that of `b` leads out of both.
            self.refine(expand::least(|n| -self.slope(n), self.normal, &self.b.axes, self.size)?);
        }
        (!self.is_apart()).then_some(self)
    }

    /// Tries the direction between the nearest points of cores that are apart, and says how far that is, in parts of the size. `None`
    /// if it is more than `border`.
    fn try_nearest(&mut self, border: f64) -> Option<f64> {
        let per_size = 1.0 / self.size;
        let (core_a, core_b) = (Scaled { core: self.a, per_size }, Scaled { core: self.b, per_size });
        let reach = border + self.clearly * per_size;
        let (guess, apart) = match gjk::nearest(&core_a, &core_b, -self.offset * per_size, reach) {
            GJKResult::NoIntersection(_) => return None,
            GJKResult::Intersection => return Some(0.0),
            GJKResult::Proximity(direction) => (-direction, reach),
            GJKResult::ClosestPoints(p, q, direction) => {
                ((p - q).try_normalize().unwrap_or(-direction), p.distance(q))
            }
        };
        self.refine(guess);
        Some(apart)
    }

    /// Depth of the overlap [m].
    pub fn depth(&self) -> f64 {
        self.a.border + self.b.border - self.gap
    }

    fn is_apart(&self) -> bool {
        self.depth() <= 0.0
    }

    fn gap_along(&self, n: Vec3) -> f64 {
        n.dot(self.offset) - self.a.reach(-n) - self.b.reach(n)
    }

    /// Gradient of the gap: from the farthest point of `b` along `n` to that of `a` against it [m].
    fn slope(&self, n: Vec3) -> Vec3 {
        self.offset + self.a.support(-n) - self.b.support(n)
    }

    fn try_direction(&mut self, n: Vec3) {
        self.take(n, self.gap_along(n));
    }

    fn take(&mut self, n: Vec3, gap: f64) {
        if gap > self.gap + self.clearly {
            (self.gap, self.normal) = (gap, n);
        }
    }

    /// Tries the faces at the farthest points along a guess.
    fn try_faces(&mut self, guess: Vec3) {
        self.a.faces_toward(-guess, |normal| self.try_direction(-normal));
        self.b.faces_toward(guess, |normal| self.try_direction(normal));
    }

    /// Tries all that there is around a guess.
    fn refine(&mut self, guess: Vec3) {
        let (a, b) = (self.a, self.b);
        self.try_faces(guess);
        let (mut of_a, mut of_b) = (SmallVec::<[Circle; 8]>::new(), SmallVec::<[Circle; 8]>::new());
        let take = |list: &mut SmallVec<[Circle; 8]>, axis: Vec3, cos: f64| {
            if (axis.dot(guess) - cos).abs() < AROUND {
                list.push(Circle { axis, cos });
            }
        };
        // Directions against `a` are the opposite ones.
        a.lines_toward(-guess, |axis, cos| take(&mut of_a, axis, -cos));
        b.lines_toward(guess, |axis, cos| take(&mut of_b, axis, cos));
        for on_a in &of_a {
            for on_b in &of_b {
                if let Some(n) = on_a.crossing(on_b, guess) {
                    self.try_direction(n);
                }
            }
        }
        // Between flat bodies that is all there is.
        if !(a.is_flat() && b.is_flat()) {
            for circle in of_a.iter().chain(&of_b) {
                if let Some(n) = self.along(circle, guess) {
                    self.try_direction(n);
                }
            }
            self.try_direction(self.climb(guess));
        }
        self.try_direction(guess);
    }

    /// Where the gap is largest on a circle near a guess.
    fn along(&self, circle: &Circle, guess: Vec3) -> Option<Vec3> {
        let x = (guess - circle.axis * circle.axis.dot(guess)).try_normalize()?;
        let y = circle.axis.cross(x);
        let sin = (1.0 - circle.cos * circle.cos).max(0.0).sqrt();
        // By the tangent of the half angle.
        let part = |t: f64| {
            let scale = 1.0 / (1.0 + t * t);
            ((1.0 - t * t) * scale, 2.0 * t * scale)
        };
        let at = |t: f64| {
            let (c, s) = part(t);
            circle.axis * circle.cos + (x * c + y * s) * sin
        };
        let look = |t: f64| {
            let (c, s) = part(t);
            let slope = self.slope(at(t));
            (slope.dot(at(t)), slope.dot(y * c - x * s) * sin)
        };
        let mut reach = 1e-4;
        while reach < 0.5 {
            let ((gap_low, low), (gap_high, high)) = (look(-reach), look(reach));
            if low >= 0.0 && high <= 0.0 {
                // Twice the tangent is less than the angle, and the gap never bends up more than it is deep.
                let turn = 4.0 * reach;
                let bend = 0.5 * gap_low.abs().max(gap_high.abs()) * turn * turn;
                let bound = (gap_low + low * turn).min(gap_high - high * turn) + bend;
                let is_worth = bound > self.gap + self.clearly;
                return is_worth.then(|| at(root(|t| look(t).1, (-reach, low), (reach, high), 1e-12)));
            }
            reach *= 8.0;
        }
        None
    }

    /// Newton's method from `start` to a place where the gap is larger than around.
    fn climb(&self, start: Vec3) -> Vec3 {
        const STEPS: usize = 20;
        const FAR: f64 = 0.1;
        let mut n = start;
        let mut gap = self.gap_along(n);
        for _ in 0..STEPS {
            let (u, v) = n.any_orthonormal_pair();
            let slope = self.slope(n);
            let (bend_a, bend_b) = (self.a.support_bend(-n), self.b.support_bend(n));
            let bend = |s: Vec3, t: Vec3| -bend_a(s, t) - bend_b(s, t);
            let level = slope.dot(n);
            let (slope_u, slope_v) = (slope.dot(u), slope.dot(v));
            let (uu, vv, uv) = (bend(u, u) - level, bend(v, v) - level, bend(u, v));
            // Where the gap is not rounded like a hill, it is taken to be: the step then leads up, not to a saddle.
            let half = 0.5 * (uu - vv);
            let largest = 0.5 * (uu + vv) + (half * half + uv * uv).sqrt();
            let shift = if largest < -1e-9 * self.size { 0.0 } else { largest + 0.1 * self.size };
            let (uu, vv) = (uu - shift, vv - shift);
            let det = uu * vv - uv * uv;
            let step = u * ((uv * slope_v - vv * slope_u) / det) + v * ((uv * slope_u - uu * slope_v) / det);
            let length = step.length();
            // Not a number where a rim turns into a cap.
            if length.is_nan() || length < 1e-15 {
                break;
            }
            let mut part = (FAR / length).min(1.0);
            let at = |part: f64| (n + step * part).normalize();
            // The last steps change less than rounding does.
            let enough = if length < 1e-6 { gap - 1e-14 * self.size } else { gap };
            while self.gap_along(at(part)) < enough && part > 1e-3 {
                part *= 0.5;
            }
            let higher = self.gap_along(at(part));
            if higher < enough {
                break;
            }
            (n, gap) = (at(part), higher);
        }
        n
    }
}

impl Circle {
    /// The direction on both that is nearer to a guess, if it is near.
    fn crossing(&self, other: &Self, guess: Vec3) -> Option<Vec3> {
        let across = self.axis.cross(other.axis);
        let sq = across.length_squared();
        // Parallel lines: faces cover them.
        if sq < 1e-20 {
            return None;
        }
        let cos = self.axis.dot(other.axis);
        let (p, q) = ((self.cos - other.cos * cos) / sq, (other.cos - self.cos * cos) / sq);
        let foot = self.axis * p + other.axis * q;
        let rest = (1.0 - foot.length_squared()) / sq;
        if rest < 0.0 {
            return None;
        }
        let n = foot + across * rest.sqrt().copysign(across.dot(guess));
        (n.dot(guess) > 1.0 - AROUND).then(|| n.normalize())
    }
}

/// Where `f` changes its sign between two places at which its values, given with them, have different ones. Regula falsi
/// in the Illinois form (Dowell and Jarratt 1971): where `f` is made of straight pieces it needs far fewer steps than
/// bisection, and a jump does not disturb it.
///
/// It ends when the two places are as near as `near`.
fn root(f: impl Fn(f64) -> f64, low: (f64, f64), high: (f64, f64), near: f64) -> f64 {
    let ((mut low, mut f_low), (mut high, mut f_high)) = (low, high);
    let starts_negative = f_low < 0.0;
    let mut last_side = 0;
    let mut t = low;
    for _ in 0..100 {
        t = (low * f_high - high * f_low) / (f_high - f_low);
        let value = f(t);
        if value == 0.0 || high - low <= near {
            break;
        }
        let side = if (value < 0.0) == starts_negative { -1 } else { 1 };
        if side < 0 {
            (low, f_low) = (t, value);
        } else {
            (high, f_high) = (t, value);
        }
        if side == last_side {
            if side > 0 {
                f_low *= 0.5;
            } else {
                f_high *= 0.5;
            }
        }
        last_side = side;
    }
    t
}
