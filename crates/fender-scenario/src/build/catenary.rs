//! Shapes of hanging lines, to start from.
//!
//! # Models
//! A uniform elastic line between two points under its weight in the fluid, in the plane of the chord and the weight; the
//! same, not stretched, where it reaches a flat bottom; a line that hangs from one point.
//!
//! # Equation
//! With the horizontal tension H and the vertical tension V + w s at the arc length s, upward:
//! - `x(s) = H s/EA + H/w·(asinh((V + w s)/H) − asinh(V/H))`
//! - `z(s) = V s/EA + w s²/(2 EA) + (√(H² + (V + w s)²) − √(H² + V²))/w`
//!
//! x(L) = l and z(L) = h by Newton's method, whose matrix is symmetric and positive; the start is the inextensible catenary,
//! `sinh ξ/ξ = √(L² − h²)/l` with `H = w l/(2 ξ)`, or a straight line if it is taut. On a bottom, legs of height hᵢ
//! have the length `sᵢ = hᵢ √(1 + 2 H/(w hᵢ))` and the width `xᵢ = H/w·asinh(w sᵢ/H)`; H makes
//! `x₁ + x₂ + L − s₁ − s₂ = l`.
//!
//! # Parameters
//! - weight per length w [N/m] as a vector: where it pulls is down, also for a line that floats
//! - axial stiffness EA [N], length L [m], the two points [m], height of the bottom [m]
//!
//! # Valid when
//! The line has one weight and stiffness; bending, current and point masses are small. As a start for the search for
//! equilibrium none of it has to hold.
//!
//! # Limits
//! On the bottom the line is not stretched and there is no friction. A line that is longer than needed even with vertical
//! legs is pushed together on the bottom.
//!
//! # References
//! Irvine 1981, Cable Structures, section 1.3; Jonkman 2007, NREL/TP-500-41958, section 2.6 (start of the iteration).

use fender_math::{Vec3, float};

/// A piece of line between two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub from: Vec3,
    pub to: Vec3,
    /// Unstretched length [m].
    pub length: f64,
    /// Weight less buoyancy per length, and where it pulls [N/m].
    pub weight: Vec3,
    /// Axial stiffness [N].
    pub stiffness: f64,
    /// Height of the bottom [m].
    pub bottom: Option<f64>,
    /// Height above which it does not float [m].
    pub top: Option<f64>,
}

/// Where each part of a piece is: `count` + 1 pairs of arc length [m], from 0, and place.
pub(super) fn hanging(span: &Span, count: usize) -> Vec<(f64, Vec3)> {
    let w = span.weight.length();
    // Without weight it hangs as a heavy one would that cannot be stretched.
    let (down, w, flexibility) =
        if w > 0.0 { (span.weight / w, w, 1.0 / span.stiffness) } else { (Vec3::NEG_Z, 1.0, 0.0) };
    let chord = span.to - span.from;
    let h = -chord.dot(down);
    let across = chord + h * down;
    let l = across.length();
    let forward = if l > 0.0 { across / l } else { down.any_orthonormal_vector() };
    let plane = Plane { l, h, length: span.length, w, flexibility };

    let steps = |shape: &dyn Fn(f64) -> (f64, f64)| -> Vec<(f64, Vec3)> {
        let place = |i: usize| {
            let s = span.length * i as f64 / count as f64;
            let (x, z) = shape(s);
            (s, span.from + forward * x - down * z)
        };
        (0..=count).map(place).collect()
    };
    let vertical = down.z < -1.0 + 1e-9;
    let mut points = match plane.solve() {
        Some((tension, lift)) => {
            let lowest = plane.lowest(tension, lift);
            let depth = span.bottom.map(|bottom| bottom - span.from.z);
            match depth.filter(|depth| vertical && lowest < depth - 1e-6 * span.length) {
                None => steps(&|s| plane.at(tension, lift, s)),
                Some(depth) => match Bed::new(&plane, -depth) {
                    Some(bed) => steps(&|s| bed.at(&plane, s)),
                    None => steps(&|s| plane.at(tension, lift, s)),
                },
            }
        }
        // Taut, or both ends above each other.
        None => steps(&|s| plane.folded(s)),
    };
    if let (Some((_, first)), true) = (points.first_mut(), count > 0) {
        *first = span.from;
    }
    if let Some((_, last)) = points.last_mut() {
        *last = span.to;
    }
    keep_between(&mut points, span.bottom, span.top);
    points
}

/// A line of a length [m] that hangs from a point: straight down, or up if it floats, then along the bottom or the top
/// that it meets, `towards` there. The pairs are as in [`hanging`].
pub(super) fn dangling(span: &Span, towards: Vec3, count: usize) -> Vec<(f64, Vec3)> {
    let w = span.weight.length();
    let down = if w > 0.0 { span.weight / w } else { Vec3::NEG_Z };
    let border = if down.z < 0.0 { span.bottom } else { span.top };
    // Length down to what it meets.
    let room = border.filter(|_| down.z.abs() > 1e-9).map_or(f64::INFINITY, |z| (z - span.from.z) / down.z);
    let room = room.max(0.0);
    let flat = Vec3::new(towards.x, towards.y, 0.0).normalize_or(Vec3::X);
    let stretched = |s: f64| s + w / span.stiffness * (span.length * s - 0.5 * s * s);
    let place = |i: usize| {
        let s = span.length * i as f64 / count as f64;
        let way = stretched(s);
        (s, span.from + down * way.min(room) + flat * (way - room).max(0.0))
    };
    (0..=count).map(place).collect()
}

/// What is between the ends goes neither below the bottom nor above the top.
fn keep_between(points: &mut [(f64, Vec3)], bottom: Option<f64>, top: Option<f64>) {
    let last = points.len().saturating_sub(1);
    for (_, p) in points.iter_mut().take(last).skip(1) {
        p.z = p.z.max(bottom.unwrap_or(f64::NEG_INFINITY)).min(top.unwrap_or(f64::INFINITY));
    }
}

/// A line in its plane: x forward, z against the weight.
struct Plane {
    /// Horizontal and vertical distance of the ends [m].
    l: f64,
    h: f64,
    length: f64,
    /// Weight per length [N/m].
    w: f64,
    /// 1/EA [1/N].
    flexibility: f64,
}

impl Plane {
    /// Horizontal tension and vertical tension at the start [N], for a line that is neither straight nor folded.
    fn solve(&self) -> Option<(f64, f64)> {
        let Self { l, h, length, w, flexibility } = *self;
        if l.is_nan() || l <= 1e-7 * length {
            return None;
        }
        let chord = norm(l, h);
        let (mut tension, mut lift) = if length * length > h * h + l * l * (1.0 + 1e-9) {
            let xi = stretch_parameter((length * length - h * h).sqrt() / l);
            let coth = -1.0 - 2.0 / float::exp_m1(-2.0 * xi);
            (0.5 * w * l / xi, 0.5 * w * (h * coth.abs() - length))
        } else if flexibility > 0.0 {
            let pull = (chord / length - 1.0) / flexibility;
            ((pull * l / chord).max(2.5 * w * l), pull * h / chord - 0.5 * w * length)
        } else {
            return None;
        };
        let miss = |t: f64, v: f64| {
            let (x, z) = self.at(t, v, length);
            (x - l, z - h)
        };
        let (mut x, mut z) = miss(tension, lift);
        for _ in 0..100 {
            let before = norm(x, z);
            if before <= 1e-12 * (length + chord) {
                break;
            }
            let [a, b, c] = self.slopes(tension, lift);
            let determinant = a * c - b * b;
            let (dt, dv) = (-(c * x - b * z) / determinant, -(a * z - b * x) / determinant);
            if !(dt.is_finite() && dv.is_finite()) {
                break;
            }
            // Halve the step until it helps and keeps the line pulled.
            let mut part = 1.0;
            loop {
                let (t, v) = (tension + part * dt, lift + part * dv);
                let (x1, z1) = if t > 0.0 { miss(t, v) } else { (f64::INFINITY, 0.0) };
                if norm(x1, z1) < before {
                    (tension, lift, x, z) = (t, v, x1, z1);
                    break;
                }
                part *= 0.5;
                if part < 1e-12 {
                    return (before < 1e-6 * length).then_some((tension, lift));
                }
            }
        }
        (norm(x, z) < 1e-6 * length).then_some((tension, lift))
    }

    /// Place of an arc length for given tensions.
    fn at(&self, tension: f64, lift: f64, s: f64) -> (f64, f64) {
        let (w, f) = (self.w, self.flexibility);
        let end = lift + w * s;
        let x = tension * s * f + tension / w * (asinh(end / tension) - asinh(lift / tension));
        // The difference of the two roots, without cancellation.
        let roots = (end - lift) * (end + lift) / (norm(tension, end) + norm(tension, lift));
        (x, (lift + 0.5 * w * s) * s * f + roots / w)
    }

    /// ∂x/∂H, ∂x/∂V = ∂z/∂H, ∂z/∂V at the end.
    fn slopes(&self, tension: f64, lift: f64) -> [f64; 3] {
        let (w, elastic) = (self.w, self.length * self.flexibility);
        let end = lift + w * self.length;
        let (t0, t1) = (norm(tension, lift), norm(tension, end));
        let turn = asinh(end / tension) - asinh(lift / tension);
        let lean = end / t1 - lift / t0;
        [elastic + (turn - lean) / w, tension / w * (1.0 / t1 - 1.0 / t0), elastic + lean / w]
    }

    /// Height of its lowest place over the start.
    fn lowest(&self, tension: f64, lift: f64) -> f64 {
        let s = (-lift / self.w).clamp(0.0, self.length);
        self.at(tension, lift, s).1
    }

    /// Straight if it is taut, two legs if it is longer and its ends are above each other.
    fn folded(&self, s: f64) -> (f64, f64) {
        let part = s / self.length;
        if self.length <= norm(self.l, self.h) {
            return (self.l * part, self.h * part);
        }
        let down = 0.5 * (self.length - self.h);
        (self.l * part, (s - down).abs() - down)
    }
}

/// Two legs and what lies on the bottom between them.
struct Bed {
    depth: f64,
    /// H/w [m].
    a: f64,
    /// Lengths and widths of the legs.
    s: [f64; 2],
    x: [f64; 2],
}

impl Bed {
    /// A line whose start is a height above the bottom; `None` if it does not lie on it.
    fn new(plane: &Plane, depth: f64) -> Option<Self> {
        let heights = [depth.max(0.0), (depth + plane.h).max(0.0)];
        let legs = |a: f64| {
            let s = heights.map(|h| (h * (h + 2.0 * a)).sqrt());
            let x = s.map(|s| if a > 0.0 { a * asinh(s / a) } else { 0.0 });
            Self { depth, a, s, x }
        };
        let miss = |bed: &Self| bed.x[0] + bed.x[1] + plane.length - bed.s[0] - bed.s[1] - plane.l;
        let slack = legs(0.0);
        if slack.s[0] + slack.s[1] > plane.length {
            return None;
        }
        if miss(&slack) >= 0.0 {
            return Some(slack);
        }
        // It grows with H: halve the exponent's range until it is found to rounding.
        let (mut low, mut high) = (1e-9 * plane.length, 1e9 * plane.length);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            *(if miss(&legs(middle)) < 0.0 { &mut low } else { &mut high }) = middle;
        }
        let bed = legs(low);
        (bed.s[0] + bed.s[1] <= plane.length && miss(&bed).abs() < 1e-6 * plane.length).then_some(bed)
    }

    fn at(&self, plane: &Plane, s: f64) -> (f64, f64) {
        // A leg from its foot: width and height after a length.
        let leg = |u: f64| {
            if self.a > 0.0 {
                (self.a * asinh(u / self.a), u * u / (self.a + norm(self.a, u)))
            } else {
                (0.0, u)
            }
        };
        let rest = plane.length - s;
        let bottom = -self.depth;
        if s < self.s[0] {
            let (x, z) = leg(self.s[0] - s);
            (self.x[0] - x, bottom + z)
        } else if rest < self.s[1] {
            let (x, z) = leg(self.s[1] - rest);
            (plane.l - self.x[1] + x, bottom + z)
        } else {
            let part = (s - self.s[0]) / (plane.length - self.s[0] - self.s[1]).max(1e-300);
            (self.x[0] + part * (plane.l - self.x[0] - self.x[1]), bottom)
        }
    }
}

/// ξ with sinh ξ/ξ = ratio, for a ratio above 1.
fn stretch_parameter(ratio: f64) -> f64 {
    // Near 1 from the series; far away from ξ = ln(2 ratio ξ), repeated.
    let mut xi = if ratio < 3.0 {
        (6.0 * (ratio - 1.0)).sqrt()
    } else {
        let first = float::ln(2.0 * ratio);
        first + float::ln(first)
    };
    for _ in 0..50 {
        // ln(sinh ξ/ξ) − ln ratio: no overflow, and nearly linear.
        let e = float::exp_m1(-2.0 * xi);
        let value = xi + float::ln(-e / (2.0 * xi * ratio));
        let slope = -(2.0 + e) / e - 1.0 / xi;
        let step = value / slope;
        xi = (xi - step).max(0.1 * xi);
        if step.abs() < 1e-14 * xi {
            break;
        }
    }
    xi
}

/// √(a² + b²). Not `hypot`, which is the system's.
fn norm(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

fn asinh(x: f64) -> f64 {
    let a = x.abs();
    let value = float::ln_1p(a + a * a / (1.0 + norm(a, 1.0)));
    if x < 0.0 { -value } else { value }
}

#[cfg(test)]
#[path = "catenary_tests.rs"]
mod tests;
