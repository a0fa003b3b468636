//! A disc cut by half-planes: its boundary of arcs and chords, and its moments.

use super::segment::Segment;
use fender_math::{Vec2, float};
use smallvec::SmallVec;
use std::f64::consts::PI;

/// Edge that is an arc of the circle.
pub(super) const ARC: u32 = u32::MAX;

/// A corner of the boundary and the edge that follows it, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Its place [m].
    pub at: Vec2,
    /// Number of the half-plane whose chord follows, or [`ARC`].
    pub edge: u32,
}

/// An edge of the boundary that is not an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    /// Number of its half-plane.
    pub edge: u32,
    /// Its ends [m].
    pub ends: [Vec2; 2],
    /// Whether they are on the circle.
    pub is_on_circle: [bool; 2],
}

/// Part of a disc about the origin that is in some half-planes.
#[derive(Clone, Debug)]
pub(super) struct DiscPart {
    radius: f64,
    is_whole: bool,
    corners: SmallVec<[Corner; 16]>,
}

/// Moments of a plane region about a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AreaMoments {
    /// The place [m].
    pub about: Vec2,
    /// Area [m²].
    pub area: f64,
    /// ∫x dA [m³].
    pub first: Vec2,
    /// ∫x² dA and ∫y² dA [m⁴].
    pub squares: Vec2,
    /// ∫xy dA [m⁴].
    pub product: f64,
}

impl AreaMoments {
    /// Adds a triangle with one corner at the place and the other two at `a` and `b` from it.
    fn add_triangle(&mut self, a: Vec2, b: Vec2) {
        let area = 0.5 * a.perp_dot(b);
        let sum = a + b;
        self.area += area;
        self.first += sum * (area / 3.0);
        self.squares += (a * a + b * b + sum * sum) * (area / 12.0);
        self.product += (a.x * a.y + b.x * b.y + sum.x * sum.y) * (area / 12.0);
    }

    /// Adds what is between the arc from `a` to `b` of a circle of `radius` about the origin and its chord.
    fn add_segment(&mut self, a: Vec2, b: Vec2, radius: f64) {
        let chord = b - a;
        let length = chord.length();
        if length <= SHORTEST * radius {
            return;
        }
        let along = chord / length;
        let out = -along.perp();
        let middle = 0.5 * (a + b);
        let unit = Segment::new(0.5 * length / radius, middle.dot(out) / radius);
        let square = radius * radius;
        let (area, first) = (unit.area * square, out * (unit.first * square * radius));
        let (along_sq, across_sq) = (unit.along * square * square, unit.across * square * square);
        let m = middle - self.about;
        self.area += area;
        self.first += m * area + first;
        self.squares += m * m * area + m * first * 2.0 + along * along * along_sq + out * out * across_sq;
        self.product += m.x * m.y * area
            + m.x * first.y
            + m.y * first.x
            + along.x * along.y * along_sq
            + out.x * out.y * across_sq;
    }
}

/// Arcs with a shorter chord, in parts of the radius, have no length: their ends are one place but for
/// rounding. An arc that is nearly the whole circle has a chord of 1e-8 at least, because its half-plane is a
/// rounding away from the circle.
const SHORTEST: f64 = 1e-14;

/// Whether the direction `to` is on the arc that goes counter-clockwise from `a` to `b`.
fn holds(a: Vec2, b: Vec2, to: Vec2) -> bool {
    let (turn, cosine) = (a.perp_dot(b), a.dot(b));
    if cosine > 0.0 && turn.abs() <= SHORTEST * cosine {
        false
    } else if turn >= 0.0 {
        // At most half of the circle; for exactly half, both products have the sign of the side.
        a.perp_dot(to) >= 0.0 && to.perp_dot(b) >= 0.0
    } else {
        !(b.perp_dot(to) > 0.0 && to.perp_dot(a) > 0.0)
    }
}

/// The place on the arc from `a` to `b` that is meant by `at`: one of its ends if rounding has put it beside
/// the arc.
fn on_arc(a: Vec2, b: Vec2, at: Vec2) -> Vec2 {
    if holds(a, b, at) {
        at
    } else if at.distance_squared(a) <= at.distance_squared(b) {
        a
    } else {
        b
    }
}

impl DiscPart {
    /// The whole disc of a radius [m].
    pub fn new(radius: f64) -> Self {
        Self { radius, is_whole: true, corners: SmallVec::new() }
    }

    /// Makes it the whole disc of a radius [m].
    pub fn reset(&mut self, radius: f64) {
        self.radius = radius;
        self.is_whole = true;
        self.corners.clear();
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        !self.is_whole && self.corners.is_empty()
    }

    /// The corners of the boundary; none if the disc is whole.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The chords that half-planes leave.
    pub fn chords(&self) -> impl Iterator<Item = Chord> + '_ {
        let count = self.corners.len();
        (0..count).filter(|i| self.corners[*i].edge != ARC).map(move |i| {
            let (from, to) = (&self.corners[i], &self.corners[(i + 1) % count]);
            let before = &self.corners[(i + count - 1) % count];
            Chord {
                edge: from.edge,
                ends: [from.at, to.at],
                is_on_circle: [before.edge == ARC, to.edge == ARC],
            }
        })
    }

    /// The arcs: the angles at which they begin and end, the second one the larger [rad].
    pub fn arcs(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let angle = |v: Vec2| float::atan2(v.y, v.x);
        let count = self.corners.len();
        let parts = (0..count).filter(|i| self.corners[*i].edge == ARC).map(move |i| {
            let (from, to) = (angle(self.corners[i].at), angle(self.corners[(i + 1) % count].at));
            (from, if to < from { to + 2.0 * PI } else { to })
        });
        parts.chain(self.is_whole.then_some((0.0, 2.0 * PI)))
    }

    /// Keeps what has u·x ≤ p for the unit vector `u` and the distance `p` [m].
    ///
    /// Which edges are crossed follows from the sides of their ends, so that the boundary stays closed
    /// whatever rounding does to the places.
    pub fn cut(&mut self, u: Vec2, p: f64, edge: u32) {
        let r = self.radius;
        let square = (r - p) * (r + p);
        if self.is_empty() || (p > 0.0 && square <= 0.0) {
            return;
        }
        if square <= 0.0 {
            self.is_whole = false;
            self.corners.clear();
            return;
        }
        let half = u.perp() * square.sqrt();
        let leave = Corner { at: u * p - half, edge };
        let enter = Corner { at: u * p + half, edge: ARC };
        if self.is_whole {
            self.is_whole = false;
            self.corners.push(leave);
            self.corners.push(enter);
            return;
        }
        let mut kept = SmallVec::<[Corner; 16]>::new();
        let Some(&last) = self.corners.last() else { return };
        let (mut a, mut depth_a) = (last, p - u.dot(last.at));
        // The edges in the order of their ends: the first is that which ends at the first corner.
        for &b in &self.corners {
            let depth_b = p - u.dot(b.at);
            let (is_a_in, is_b_in) = (depth_a >= 0.0, depth_b >= 0.0);
            if is_a_in {
                kept.push(a);
            }
            if a.edge == ARC {
                let on_arc = |corner: Corner| Corner { at: on_arc(a.at, b.at, corner.at), ..corner };
                match (is_a_in, is_b_in) {
                    (true, true) => {
                        if holds(a.at, b.at, u) {
                            kept.extend([on_arc(leave), on_arc(enter)]);
                        }
                    }
                    (true, false) => kept.push(on_arc(leave)),
                    (false, true) => kept.push(on_arc(enter)),
                    (false, false) => {
                        if holds(a.at, b.at, -u) {
                            kept.extend([on_arc(enter), on_arc(leave)]);
                        }
                    }
                }
            } else if is_a_in != is_b_in {
                let at = a.at + (b.at - a.at) * (depth_a / (depth_a - depth_b));
                kept.push(Corner { at, edge: if is_a_in { edge } else { a.edge } });
            }
            (a, depth_a) = (b, depth_b);
        }
        self.corners = kept;
    }

    /// Area and moments about a corner of the boundary, or about the centre of a whole disc: sums of
    /// triangles and segments, which are all positive.
    pub fn moments(&self) -> AreaMoments {
        let Some(first) = self.corners.first() else {
            let area = if self.is_whole { PI * self.radius * self.radius } else { 0.0 };
            let squares = Vec2::splat(0.25 * area * self.radius * self.radius);
            return AreaMoments { area, squares, ..AreaMoments::default() };
        };
        let mut sum = AreaMoments { about: first.at, ..AreaMoments::default() };
        let next = self.corners.iter().skip(1).chain([first]);
        for (i, (a, b)) in self.corners.iter().zip(next).enumerate() {
            if i > 0 && i + 1 < self.corners.len() {
                sum.add_triangle(a.at - first.at, b.at - first.at);
            }
            if a.edge == ARC {
                sum.add_segment(a.at, b.at, self.radius);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers between −1 and 1.
    struct Chance(u64);

    impl Chance {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    #[test]
    fn moments_are_those_of_a_sum_over_small_squares() {
        let mut chance = Chance(7);
        for _ in 0..60 {
            let count = 1 + (chance.next().abs() * 5.0) as u32;
            let planes: Vec<(Vec2, f64)> = (0..count)
                .map(|_| {
                    let (sin, cos) = (chance.next() * PI).sin_cos();
                    (Vec2::new(cos, sin), chance.next() * 0.8 + 0.3)
                })
                .collect();
            let mut part = DiscPart::new(1.0);
            for (i, (u, p)) in planes.iter().enumerate() {
                part.cut(*u, *p, i as u32);
            }
            let found = part.moments();
            let n = 700;
            let mut sums = [0.0; 6];
            for i in 0..n * n {
                let x = (Vec2::new(f64::from(i % n), f64::from(i / n)) + 0.5) * (2.0 / f64::from(n)) - 1.0;
                if x.length() > 1.0 || planes.iter().any(|(u, p)| u.dot(x) > *p) {
                    continue;
                }
                let y = x - found.about;
                for (sum, value) in sums.iter_mut().zip([1.0, y.x, y.y, y.x * y.x, y.y * y.y, y.x * y.y]) {
                    *sum += value * 4.0 / f64::from(n * n);
                }
            }
            let AreaMoments { area, first, squares, product, .. } = found;
            let found = [area, first.x, first.y, squares.x, squares.y, product];
            for (found, exact) in found.into_iter().zip(sums) {
                // Squares on the boundary.
                assert!((found - exact).abs() < 3e-3, "{planes:?}: {found} {exact}");
            }
        }
    }

    #[test]
    fn cuts_through_the_same_places_leave_a_closed_boundary() {
        let up = Vec2::Y;
        let mut part = DiscPart::new(2.0);
        part.cut(up, 0.0, 0);
        part.cut(up, 0.0, 1);
        assert!((part.moments().area - 2.0 * PI).abs() < 1e-14);
        part.cut(-up, 0.0, 2);
        assert!(part.moments().area.abs() < 1e-14);
        let mut part = DiscPart::new(2.0);
        part.cut(up, 2.0, 0);
        part.cut(Vec2::X, -2.0, 0);
        assert!(part.is_empty());
    }
}
