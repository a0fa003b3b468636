//! The direction along which two solids overlap least, or are farthest apart.
//!
//! Along a unit direction n from the second to the first, the cores are apart by
//! `gap(n) = n·(c_a − c_b) − reach_a(n) − reach_b(n)`. Where they are disjoint the largest gap is their distance; where
//! they overlap its negative is the depth. Any n gives a bound, so directions are tried and the best is kept:
//! normals of faces, products of edges (Gottschalk, Lin, Manocha 1996, section 5, for boxes), and those special to
//! round shapes. For a box and a box, and for capsules whose segment is outside the other's core, these are all there are.

use super::gjk;
use super::placed::Placed;
use fender_math::Vec3;
use parry3d_f64::query::gjk::GJKResult;

/// Newton's method has converged when its steps are shorter than this and get no shorter.
const NEAR: f64 = 1e-8;
/// How far beside a crease of the gap a search starts.
const BESIDE: f64 = 0.03;
/// Longest step of Newton's method.
const FAR: f64 = 0.1;

/// Best direction found so far.
pub struct Best<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
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
    pub fn of(a: &'a Placed<'a>, b: &'a Placed) -> Option<Self> {
        let mut best = Self {
            a,
            b,
            offset: a.center - b.center,
            clearly: 1e-10 * (a.size() + b.size()),
            normal: Vec3::Z,
            gap: f64::NEG_INFINITY,
        };
        if a.is_box() && b.is_box() {
            return best.of_boxes();
        }
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

    /// The 15 axes of two boxes, all from the cosines between their axes. An edge pair that looks better is looked at again: where the edges
    /// are almost parallel, rounding is large beside what is left of the product.
    fn of_boxes(mut self) -> Option<Self> {
        let (a, b) = (self.a, self.b);
        let cos = a.axes.map(|u| Vec3::new(u.dot(b.axes[0]), u.dot(b.axes[1]), u.dot(b.axes[2])));
        let abs = cos.map(Vec3::abs);
        let (along_a, along_b) = (a.in_own_axes(self.offset), b.in_own_axes(self.offset));
        for i in 0..3 {
            self.take_axis(a.axes[i], along_a[i], a.half[i] + abs[i].dot(b.half));
        }
        for k in 0..3 {
            let reach = a.half.x * abs[0][k] + a.half.y * abs[1][k] + a.half.z * abs[2][k];
            self.take_axis(b.axes[k], along_b[k], b.half[k] + reach);
        }
        // A position that is not a number leaves the gap at −∞.
        if self.gap > 0.0 || self.gap == f64::NEG_INFINITY {
            return None;
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for k in 0..3 {
                let (k1, k2) = ((k + 1) % 3, (k + 2) % 3);
                let apart = (along_a[i2] * cos[i1][k] - along_a[i1] * cos[i2][k]).abs();
                let reach = a.half[i1] * abs[i2][k]
                    + a.half[i2] * abs[i1][k]
                    + b.half[k1] * abs[i][k2]
                    + b.half[k2] * abs[i][k1];
                let length = (1.0 - cos[i][k] * cos[i][k]).max(0.0).sqrt();
                if apart - reach > self.gap * length {
                    self.try_direction(a.axes[i].cross(b.axes[k]));
                    if self.gap > 0.0 {
                        return None;
                    }
                }
            }
        }
        Some(self)
    }

    fn take_axis(&mut self, axis: Vec3, along: f64, reach: f64) {
        let gap = along.abs() - reach;
        if gap > self.gap + self.clearly {
            self.gap = gap;
            self.normal = if along < 0.0 { -axis } else { axis };
        }
    }

    /// Depth of the overlap [m].
    pub fn depth(&self) -> f64 {
        self.a.border + self.b.border - self.gap
    }

    /// Whether the solids are apart along the best direction.
    pub fn is_apart(&self) -> bool {
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
            self.normal = self.toward_a(n);
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

    /// Whether the solids are apart along a direction that has not been tried, by parry's GJK.
    pub fn cores_are_apart(&mut self) -> bool {
        let border = self.a.border + self.b.border;
        match gjk::nearest(self.a, self.b, -self.offset, border + self.clearly) {
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
    /// meet it is free. Both are searched from many starts, as there can be several directions that are better than
    /// their neighbours. (parry's EPA finds one of them, and stops early on round shapes.)
    pub fn refine_on_rims(&mut self) {
        let (a, b) = (self.a, self.b);
        for (rim, other) in [(a, b), (b, a)] {
            if rim.is_cylinder() {
                for edge in other.edges() {
                    self.try_across(*edge);
                }
            }
        }
        if a.is_cylinder() && b.is_cylinder() {
            self.try_crossing_rims();
            self.try_around();
            // A hill beside a crease may be low and narrow: from the cap the steepest way, from a side both ways.
            for cylinder in [a, b] {
                let cap = self.toward_a(cylinder.axis());
                let slope = self.slope(cap);
                let steepest = (slope - cap * cap.dot(slope)).normalize_or_zero();
                self.try_direction(self.climb((cap + steepest * BESIDE).normalize()));
                let side = self.normal;
                if side.dot(cylinder.axis()).abs() < BESIDE {
                    for beside in [-BESIDE, BESIDE] {
                        self.try_direction(self.climb((side + cylinder.axis() * beside).normalize()));
                    }
                }
            }
        }
    }

    /// Climbs from where caps that are nearly parallel meet with a crossing of their rims.
    ///
    /// Let n ∝ c + ν with the normal c of the cap of `b`, and α the ν of the other cap. For small ones the gap is a constant + o·ν − R_a·|ν − α| − R_b·|ν|, with
    /// the offset o of the caps' middles. Its slope is zero for o = R_b·u + R_a·w with the unit vectors u along ν and w along ν − α: from the
    /// middles to a crossing of the rims. The two rays cross at ν. That may be so near both caps that a search from elsewhere passes by.
    fn try_crossing_rims(&mut self) {
        const PARALLEL: f64 = 0.8;
        let (a, b) = (self.a, self.b);
        let cap = self.toward_a(b.axis());
        let cos = a.axis().dot(cap);
        let cap_a = a.axis() * 1.0_f64.copysign(cos);
        if cos.abs() < PARALLEL {
            return;
        }
        let alpha = cap_a / cos.abs() - cap;
        let middles = self.offset - cap_a * a.half.z - cap * b.half.z;
        let apart = middles - cap * cap.dot(middles);
        let Some(along) = apart.try_normalize() else { return };
        let beside = cap.cross(along);
        let length = apart.length();
        let x = (length * length + b.round * b.round - a.round * a.round) / (2.0 * length);
        let y = (b.round * b.round - x * x).sqrt();
        // Not a number if one rim is inside the other.
        if y.is_nan() {
            return;
        }
        for y in [-y, y] {
            let on_b = along * x + beside * y;
            let on_a = apart - on_b;
            let cross = |p: Vec3, q: Vec3| cap.dot(p.cross(q));
            let turn = cross(on_b, on_a);
            let (s, t) = (cross(alpha, on_a) / turn, cross(alpha, on_b) / turn);
            if s > 0.0 && t > 0.0 && s.is_finite() {
                self.try_direction(self.climb((cap + on_b * s).normalize()));
            }
        }
    }

    /// Climbs from the best few of directions spread over the half sphere, none near another.
    fn try_around(&mut self) {
        const COUNT: usize = 5;
        const SPACING: f64 = 2.0 / COUNT as f64;
        const CLIMBS: usize = 4;
        let mut looks = [(f64::NEG_INFINITY, Vec3::ZERO); 3 * COUNT * COUNT];
        // Squares on three sides of a cube that moves with one of the bodies, so that a motion of both changes nothing.
        for (i, look) in looks.iter_mut().enumerate() {
            let (face, row, column) = (i % 3, i / 3 % COUNT, i / 3 / COUNT);
            let at = |k: usize| SPACING * (k as f64 + 0.5) - 1.0;
            let axes = &self.b.axes;
            let direction = axes[face] + axes[(face + 1) % 3] * at(row) + axes[(face + 2) % 3] * at(column);
            let n = direction.normalize();
            *look = (self.gap_along(n), n);
        }
        for _ in 0..CLIMBS {
            let (gap, start) =
                looks.iter().fold(looks[0], |best, look| if look.0 > best.0 { *look } else { best });
            if gap == f64::NEG_INFINITY {
                return;
            }
            self.try_direction(self.climb(start));
            for look in &mut looks {
                if look.1.dot(start).abs() > 0.9 {
                    look.0 = f64::NEG_INFINITY;
                }
            }
        }
    }

    fn gap_along(&self, n: Vec3) -> f64 {
        n.dot(self.offset).abs() - self.a.reach(n) - self.b.reach(n)
    }

    /// Best direction across `edge`: a look around for places where the gap stops growing, then a search for each that
    /// can be better than what is known.
    fn try_across(&mut self, edge: Vec3) {
        const LOOKS: usize = 32;
        const STEP: f64 = 2.0 / LOOKS as f64;
        let x = edge.any_orthonormal_vector();
        let y = edge.cross(x);
        // Directions are as good as their opposites, so half a turn is enough. A pseudo-angle t in [0, 2) avoids
        // trigonometry: a quarter turn for each unit.
        let direction = |t: f64| {
            let (u, v) = if t < 1.0 { (1.0 - t, t) } else { (1.0 - t, 2.0 - t) };
            (x * u + y * v).normalize()
        };
        let look = |t: f64| {
            let n = self.toward_a(direction(t));
            let slope = self.slope(n);
            (slope.dot(n), slope.dot(edge.cross(n)))
        };
        let mut best = None;
        let mut best_gap = self.gap + self.clearly;
        let (mut gap, mut slope) = look(0.0);
        for i in 0..LOOKS {
            let (low, high) = (STEP * i as f64, STEP * (i + 1) as f64);
            let (gap_low, slope_low) = (gap, slope);
            (gap, slope) = look(if i + 1 < LOOKS { high } else { 0.0 });
            // A unit of t is at most a turn by 2, and the gap never bends up more than it is deep.
            let turn = 2.0 * STEP;
            let bound = gap_low + slope_low * turn + 0.5 * gap_low.abs() * turn * turn;
            if slope_low > 0.0 && slope <= 0.0 && bound > best_gap {
                let n = direction(root(|t| look(t).1, (low, slope_low), (high, slope), 1e-15 * high));
                let found = self.gap_along(n);
                if found > best_gap {
                    (best, best_gap) = (Some(n), found);
                }
            }
        }
        if let Some(n) = best {
            self.try_direction(n);
        }
    }

    fn toward_a(&self, n: Vec3) -> Vec3 {
        if n.dot(self.offset) < 0.0 { -n } else { n }
    }

    /// Gradient of the gap at the direction `n` from `b` to `a`: from the farthest point of `b` to that of `a` [m].
    fn slope(&self, n: Vec3) -> Vec3 {
        self.offset - self.a.support(n) - self.b.support(n)
    }

    /// Newton's method from `start` to a place where the gap is larger than around. Comparing gaps would find that place to
    /// the root of the rounding only, as the gap is level there; its slope finds it to the rounding.
    fn climb(&self, start: Vec3) -> Vec3 {
        let rounding = 1e-14 * (self.a.size() + self.b.size());
        let mut n = self.toward_a(start);
        let mut gap = self.gap_along(n);
        let mut last_length = 2.0 * FAR;
        for _ in 0..20 {
            let (u, v) = n.any_orthonormal_pair();
            let (x, y) = self.newton_step(n, u, v);
            let length = (x * x + y * y).sqrt();
            // The step is not a number where a rim turns into a cap: there the gap has no slope.
            if length.is_nan() || length >= last_length && length < NEAR {
                break;
            }
            let mut part = (FAR / length).min(1.0);
            let at = |part: f64| (n + (u * x + v * y) * part).normalize();
            // Too far where the gap has a crease or is not yet like a hill.
            let enough = if length < 1e-6 { gap - rounding } else { gap };
            while self.gap_along(at(part)) < enough && part > 0.1 {
                part *= 0.5;
            }
            let higher = self.gap_along(at(part));
            if higher < enough {
                break;
            }
            (n, gap, last_length) = (at(part), higher, length);
            if length < 1e-16 {
                break;
            }
        }
        n
    }

    /// Step along the tangents `u` and `v` of the sphere of directions at `n` to where the slope of the gap vanishes.
    ///
    /// The reach of a solid grows by its farthest point times the change of direction; the rest is how that point
    /// moves along the rim, and that the sphere is round.
    fn newton_step(&self, n: Vec3, u: Vec3, v: Vec3) -> (f64, f64) {
        let slope = self.slope(n);
        let rims = [self.a.rim_bend(n), self.b.rim_bend(n)];
        let bend = |s: Vec3, t: Vec3| -rims.map(|rim| rim.dot(s) * rim.dot(t)).iter().sum::<f64>();
        let level = slope.dot(n);
        let (slope_u, slope_v) = (slope.dot(u), slope.dot(v));
        let (uu, vv, uv) = (bend(u, u) - level, bend(v, v) - level, bend(u, v));
        // Where the gap is not rounded like a hill, it is taken to be: the step then leads up, not to a saddle.
        let rounded = 0.1 * (self.a.size() + self.b.size());
        let half = 0.5 * (uu - vv);
        let largest = 0.5 * (uu + vv) + (half * half + uv * uv).sqrt();
        let shift = if largest < 0.0 { 0.0 } else { largest + rounded };
        let (uu, vv) = (uu - shift, vv - shift);
        let det = uu * vv - uv * uv;
        ((uv * slope_v - vv * slope_u) / det, (uv * slope_u - uu * slope_v) / det)
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
    let (slope_low, slope_high) = (slope(-end), slope(end));
    if slope_low >= 0.0 {
        return at(-end);
    }
    if slope_high <= 0.0 {
        return at(end);
    }
    at(root(slope, (-end, slope_low), (end, slope_high), 1e-15 * end))
}

/// Where `f` changes its sign between two places at which its values, given with them, have different ones. Regula falsi
/// in the Illinois form (Dowell and Jarratt 1971): where `f` is made of straight pieces it needs far fewer steps than
/// bisection, and a jump does not disturb it.
///
/// It ends when the two places are as near as `near`.
pub fn root(f: impl Fn(f64) -> f64, low: (f64, f64), high: (f64, f64), near: f64) -> f64 {
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
