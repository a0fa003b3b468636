//! The sides of two cylinders or capsules.
//!
//! Parallel sides touch along a line, crossed ones at a point, and there is everything in between. The line is
//! represented by the two ends of the stretch in which the sides are beside each other; where they cross, the surfaces
//! curve away from each other towards those ends, whose depth then goes to zero and leaves the crossing.

use super::feature::Feature;
use fender_math::Vec3;

/// Two lines of surface points, the first above the second along `n`.
pub struct Lines<'a> {
    pub a: &'a Feature,
    pub b: &'a Feature,
    /// Unit normal from b to a.
    pub n: Vec3,
    /// Radii of the two sides, each where its line begins and where it ends [m].
    pub radii: [[f64; 2]; 2],
}

/// One end of the common stretch: the points of both lines.
pub struct End {
    pub on_a: Vec3,
    pub on_b: Vec3,
    /// How much farther apart than the lines themselves the surfaces are, because they curve away [m].
    pub retreat: f64,
    /// How much of that is the first one's.
    pub part: f64,
}

impl Lines<'_> {
    fn across(&self, v: Vec3) -> Vec3 {
        v - self.n * self.n.dot(v)
    }

    /// Ends of the stretch of `a` that is beside `b`, or nothing when the lines pass each other.
    ///
    /// Beside means that the nearest point of `b`'s line is within its length. For parallel sides that is the stretch they have in
    /// common; sides that cross at a right angle are beside each other everywhere, and their surfaces curve away long before the ends.
    pub fn ends(&self) -> Option<[End; 2]> {
        self.stretch().map(|(low, high)| [self.end(low), self.end(high)])
    }

    /// That stretch, as parts of `a`.
    fn stretch(&self) -> Option<(f64, f64)> {
        let (a, b) = (self.a.points(), self.b.points());
        let along = self.across(b[1] - b[0]);
        let sq = along.length_squared();
        // A line seen end-on has no places.
        if sq == 0.0 || self.across(a[1] - a[0]) == Vec3::ZERO {
            return None;
        }
        let place = |p: Vec3| along.dot(p - b[0]) / sq;
        let (from, to) = (place(a[0]), place(a[1]));
        // Part of `a` at which the place on `b` is 0, and at which it is 1.
        let (first, second) = (-from / (to - from), (1.0 - from) / (to - from));
        let (low, high) = if first.is_finite() && second.is_finite() {
            (first.min(second).max(0.0), first.max(second).min(1.0))
        } else if (0.0..=1.0).contains(&from) {
            (0.0, 1.0)
        } else {
            return None;
        };
        (low <= high).then_some((low, high))
    }

    fn end(&self, place: f64) -> End {
        let (a, b) = (self.a.points(), self.b.points());
        let on_a = a[0].lerp(a[1], place);
        let along = self.across(b[1] - b[0]);
        let t = along.dot(on_a - b[0]) / along.length_squared();
        let on_b = b[0].lerp(b[1], t.clamp(0.0, 1.0));
        let beside = self.across(on_a - on_b).length_squared();
        // A cone's side is narrower toward its tip.
        let [of_a, of_b] = self.radii;
        let radius = |[from, to]: [f64; 2], at: f64| from + (to - from) * at;
        let (radius_a, radius_b) = (radius(of_a, place), radius(of_b, t.clamp(0.0, 1.0)));
        let radii = radius_a + radius_b;
        // Beyond both radii nothing is left of the surfaces; farther away, still less.
        let left = (radii * radii - beside).max(0.0).sqrt();
        let retreat = if left > 0.0 { radii - left } else { beside.sqrt() };
        let part = if radii > 0.0 { radius_a / radii } else { 0.5 };
        End { on_a, on_b, retreat, part }
    }

    /// Cosine of the angle between the lines, seen along `n`: 1 if they are parallel.
    pub fn parallel(&self) -> f64 {
        let [u, v] = [self.a, self.b].map(|line| self.across(line.points()[1] - line.points()[0]));
        (u.normalize_or_zero().dot(v.normalize_or_zero())).abs()
    }

    /// Where the lines cross, as a point of `a`: within the stretch that is beside `b`, if there is one.
    pub fn crossing(&self) -> Vec3 {
        let (a, b) = (self.a.points(), self.b.points());
        let u = self.across(a[1] - a[0]);
        let v = self.across(b[1] - b[0]);
        let w = self.across(b[0] - a[0]);
        let turn = u.cross(v).dot(self.n);
        let s = if turn == 0.0 { 0.5 } else { w.cross(v).dot(self.n) / turn };
        let (low, high) = self.stretch().unwrap_or((0.0, 1.0));
        a[0].lerp(a[1], s.clamp(low, high))
    }
}
