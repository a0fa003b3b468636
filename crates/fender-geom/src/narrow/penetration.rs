//! The direction along which two solids overlap least, or are farthest apart.
//!
//! Along a unit direction n from the second to the first, the cores are apart by
//! `gap(n) = n·(c_a − c_b) − reach_a(n) − reach_b(n)`. Where they are disjoint the largest gap is their distance; where
//! they overlap its negative is the depth. Any n gives a bound, so directions are tried and the best is kept:
//! normals of faces, products of edges (Gottschalk, Lin, Manocha 1996, section 5, for boxes), and those special to
//! round shapes. For a box and a box, and for capsules whose segment is outside the other's core, these are all there are.

use super::placed::Placed;
use fender_math::Vec3;
use parry3d_f64::math::Pose;
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{self, GJKResult, VoronoiSimplex};
use std::cell::RefCell;

/// Best direction found so far.
pub struct Best<'a> {
    a: &'a Placed,
    b: &'a Placed,
    /// From the centre of `b` to that of `a` [m].
    offset: Vec3,
    /// A later direction must be better by this much [m]: faces are tried first and keep the contact when an edge is
    /// as good, so that rounding does not make the normal flicker.
    clearly: f64,
    /// Unit direction from `b` to `a`.
    pub normal: Vec3,
    /// Distance of the cores along it, negative when they overlap [m].
    pub gap: f64,
}

impl<'a> Best<'a> {
    /// Tries all directions that can be written down. `None` when the solids are apart.
    pub fn of(a: &'a Placed, b: &'a Placed) -> Option<Self> {
        let mut best = Self {
            a,
            b,
            offset: a.center - b.center,
            clearly: 1e-10 * (a.size() + b.size()),
            normal: Vec3::Z,
            gap: f64::NEG_INFINITY,
        };
        for axis in a.faces().iter().chain(b.faces()) {
            best.try_direction(*axis);
            if best.is_apart() {
                return None;
            }
        }
        for edge_a in a.edges() {
            for edge_b in b.edges() {
                best.try_direction(edge_a.cross(*edge_b));
                if best.is_apart() {
                    return None;
                }
            }
        }
        best.try_round_shapes();
        // A position that is not a number leaves the gap at −∞.
        if best.is_apart() || best.gap == f64::NEG_INFINITY { None } else { Some(best) }
    }

    /// Depth of the overlap [m].
    pub fn depth(&self) -> f64 {
        self.a.border + self.b.border - self.gap
    }

    fn is_apart(&self) -> bool {
        self.depth() <= 0.0
    }

    fn try_direction(&mut self, direction: Vec3) {
        let length = direction.length();
        // Parallel edges have no product, and nothing is lost: the faces and the round directions cover them.
        if length < 1e-10 * (self.a.size() + self.b.size()).min(1.0) {
            return;
        }
        let n = direction / length;
        let gap = self.gap_along(n);
        if gap > self.gap + self.clearly {
            self.gap = gap;
            self.normal = if n.dot(self.offset) < 0.0 { -n } else { n };
        }
    }

    fn try_round_shapes(&mut self) {
        let (a, b) = (self.a, self.b);
        for (line, other) in [(a, b), (b, a)] {
            // Between two segments one search finds the nearest points of both.
            if line.is_capsule() && !(other.is_capsule() && std::ptr::eq(line, b)) {
                let on_segment = nearest_on_segment(line, other);
                self.try_direction(on_segment - other.nearest(on_segment));
            }
            if line.is_box() {
                continue;
            }
            // Across the axis: to the middle and ends of the other's axis, or to each corner of a box.
            let across = |v: Vec3| v - line.axis() * line.axis().dot(v);
            for place in [-1.0, 0.0, 1.0] {
                let end = other.center + other.axis() * (other.half.z * place);
                self.try_direction(across(end - line.center));
            }
            if other.is_box() {
                let corner = other.half;
                for i in 0..8 {
                    let sign = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
                    let from_center = other.axes[0] * (corner.x * sign(1))
                        + other.axes[1] * (corner.y * sign(2))
                        + other.axes[2] * (corner.z * sign(4));
                    self.try_direction(across(other.center + from_center - line.center));
                }
            }
        }
    }

    fn pose_ab(&self) -> Pose {
        Pose::from_translation(-self.offset)
    }

    /// Whether the solids are apart along a direction that has not been tried, by parry's GJK.
    pub fn cores_are_apart(&mut self) -> bool {
        let border = self.a.border + self.b.border;
        let mut simplex = VoronoiSimplex::new();
        let reach = border + self.clearly;
        match gjk::closest_points(&self.pose_ab(), self.a, self.b, reach, true, &mut simplex) {
            GJKResult::Intersection => false,
            GJKResult::ClosestPoints(_, _, direction)
            | GJKResult::Proximity(direction)
            | GJKResult::NoIntersection(direction) => {
                self.try_direction(direction);
                self.is_apart()
            }
        }
    }

    /// Looks for a better direction on the rims of cylinders that overlap.
    ///
    /// Where a rim meets an edge or a side, the normal is across that edge: one angle is to be found. Where two rims
    /// meet it is free, and parry's EPA gives the start. (EPA alone can stop early on round shapes: errors of 1e-3 of the
    /// size were seen.)
    pub fn refine_on_rims(&mut self) {
        thread_local! {
            // Only to keep its buffers, which stop growing after some use: it is cleared at the start of every search.
            static WORKSPACE: RefCell<EPA> = RefCell::new(EPA::new());
        }
        let (a, b) = (self.a, self.b);
        for (rim, other) in [(a, b), (b, a)] {
            if rim.is_cylinder() {
                for edge in other.edges() {
                    self.try_across(*edge);
                }
            }
        }
        if a.is_cylinder() && b.is_cylinder() {
            let pose_ab = self.pose_ab();
            let mut simplex = VoronoiSimplex::new();
            gjk::closest_points(&pose_ab, a, b, 0.0, true, &mut simplex);
            let start = WORKSPACE.with_borrow_mut(|epa| epa.closest_points(&pose_ab, a, b, &simplex));
            if let Some((_, _, direction)) = start {
                self.try_near(direction);
            }
            self.try_near(self.normal);
        }
    }

    fn gap_along(&self, n: Vec3) -> f64 {
        n.dot(self.offset).abs() - self.a.reach(n) - self.b.reach(n)
    }

    /// Best direction across `edge`: a look around, then a golden-section search about the best places.
    fn try_across(&mut self, edge: Vec3) {
        const LOOKS: usize = 32;
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let (x, y) = edge.any_orthonormal_pair();
        // Directions are as good as their opposites, so half a turn is enough. A pseudo-angle t in [0, 2) avoids
        // trigonometry: a quarter turn for each unit.
        let direction = |t: f64| {
            let t = t.rem_euclid(2.0);
            let (u, v) = if t < 1.0 { (1.0 - t, t) } else { (1.0 - t, 2.0 - t) };
            (x * u + y * v).normalize()
        };
        let step = 2.0 / LOOKS as f64;
        let mut gaps = [0.0; LOOKS];
        for (i, gap) in gaps.iter_mut().enumerate() {
            *gap = self.gap_along(direction(step * i as f64));
        }
        for i in 0..LOOKS {
            let (before, after) = (gaps[(i + LOOKS - 1) % LOOKS], gaps[(i + 1) % LOOKS]);
            if gaps[i] < before || gaps[i] < after {
                continue;
            }
            let (mut low, mut high) = (step * (i as f64 - 1.0), step * (i as f64 + 1.0));
            let at = |t: f64| self.gap_along(direction(t));
            let (mut p, mut q) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            let (mut gap_p, mut gap_q) = (at(p), at(q));
            while high - low > 1e-9 {
                if gap_p > gap_q {
                    (high, q, gap_q) = (q, p, gap_p);
                    p = high - GOLDEN * (high - low);
                    gap_p = at(p);
                } else {
                    (low, p, gap_p) = (p, q, gap_q);
                    q = low + GOLDEN * (high - low);
                    gap_q = at(q);
                }
            }
            let best = direction(0.5 * (low + high));
            self.try_direction(best);
        }
    }

    /// Best direction near `start`: walks to better neighbours on the sphere with ever smaller steps.
    fn try_near(&mut self, start: Vec3) {
        let mut n = start;
        let mut gap = self.gap_along(n);
        let mut step = 0.05;
        // The number of steps is bounded for the sake of real time; a few dozen are usual.
        for _ in 0..400 {
            let (u, v) = n.any_orthonormal_pair();
            let neighbours = [u, v, -u, -v].map(|d| (n + d * step).normalize());
            let better = neighbours.into_iter().find(|m| self.gap_along(*m) > gap);
            if let Some(m) = better {
                n = m;
                gap = self.gap_along(m);
            } else {
                step *= 0.5;
                if step < 1e-9 {
                    break;
                }
            }
        }
        self.try_direction(n);
    }
}

/// Point of the capsule's segment nearest to the other's core. The distance to a convex set is convex along the
/// segment, so its slope has one root.
fn nearest_on_segment(capsule: &Placed, other: &Placed) -> Vec3 {
    let at = |t: f64| capsule.center + capsule.axis() * t;
    let slope = |t: f64| {
        let p = at(t);
        (p - other.nearest(p)).dot(capsule.axis())
    };
    let end = capsule.half.z;
    let (mut low, mut high) = (-end, end);
    let (mut slope_low, mut slope_high) = (slope(low), slope(high));
    if slope_low >= 0.0 {
        return at(low);
    }
    if slope_high <= 0.0 {
        return at(high);
    }
    // Regula falsi in the Illinois form (Dowell and Jarratt 1971): against a box the slope is made of straight pieces,
    // so that it needs far fewer steps than bisection.
    let mut last_side = 0;
    let mut t = 0.0;
    for _ in 0..100 {
        t = (low * slope_high - high * slope_low) / (slope_high - slope_low);
        let s = slope(t);
        if s.abs() <= 1e-16 * end || high - low <= 1e-15 * end {
            break;
        }
        let side = if s > 0.0 { 1 } else { -1 };
        if side > 0 {
            (high, slope_high) = (t, s);
        } else {
            (low, slope_low) = (t, s);
        }
        if side == last_side {
            if side > 0 {
                slope_low *= 0.5;
            } else {
                slope_high *= 0.5;
            }
        }
        last_side = side;
    }
    at(t)
}
