//! The part of a line that is in a solid, with the normals where it enters and leaves.
//!
//! Solids are put together from parts that a line is in at most once. Because ends are compared and not places, no ray slips through
//! between a side and a cap, whatever rounding does.

use fender_math::Vec3;

/// A place where a line passes the surface.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Along the line, in lengths of its direction.
    pub t: f64,
    /// Outward normal, of any length.
    pub normal: Vec3,
}

/// Part of a line; its ends may be at infinity.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub enter: End,
    pub leave: End,
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub origin: Vec3,
    pub direction: Vec3,
}

impl Line {
    pub fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }

    /// Where a·t² + 2·b·t + c ≤ 0 for a > 0, without loss by cancellation; `None` if nowhere.
    fn roots(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
        let square = b * b - a * c;
        let meets = square >= 0.0;
        if !meets {
            return None;
        }
        let large = -(b + square.sqrt().copysign(b));
        let (s, t) = (large / a, if large == 0.0 { 0.0 } else { c / large });
        Some(if s < t { (s, t) } else { (t, s) })
    }

    fn between(ends: (f64, f64), normal: impl Fn(f64) -> Vec3) -> Span {
        let end = |t: f64| End { t, normal: if t.is_finite() { normal(t) } else { Vec3::ZERO } };
        Span { enter: end(ends.0), leave: end(ends.1) }
    }

    /// Below the plane n·x = height.
    pub fn below(&self, n: Vec3, height: f64) -> Option<Span> {
        let (rate, rest) = (n.dot(self.direction), height - n.dot(self.origin));
        let ends = if rate > 0.0 {
            (f64::NEG_INFINITY, rest / rate)
        } else if rate < 0.0 {
            (rest / rate, f64::INFINITY)
        } else if rest >= 0.0 {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            return None;
        };
        Some(Self::between(ends, |_| n))
    }

    /// Between the planes n·x = ±half.
    pub fn slab(&self, n: Vec3, half: f64) -> Option<Span> {
        if half.is_infinite() {
            return Some(Self::between((f64::NEG_INFINITY, f64::INFINITY), |_| n));
        }
        self.below(n, half)?.and(self.below(-n, half)?)
    }

    /// In the ellipsoid of half axes `radii` about `center`; a radius may be infinite, which makes it a tube.
    pub fn ellipsoid(&self, center: Vec3, radii: Vec3) -> Option<Span> {
        let scale = radii.recip();
        let (o, d) = ((self.origin - center) * scale, self.direction * scale);
        let (a, b, c) = (d.length_squared(), o.dot(d), o.length_squared() - 1.0);
        if a == 0.0 {
            // Along the tube.
            return (c <= 0.0).then(|| Self::between((f64::NEG_INFINITY, f64::INFINITY), |_| Vec3::ZERO));
        }
        let ends = Self::roots(a, b, c)?;
        Some(Self::between(ends, |t| (self.at(t) - center) * scale * scale))
    }

    /// In the cone without end that opens from the tip at `height` on the z axis downwards, or upwards, its radius growing by `slope`
    /// per length.
    pub fn cone(&self, height: f64, slope: f64, downwards: bool) -> Option<Span> {
        let sign = if downwards { 1.0 } else { -1.0 };
        // Coordinates from the tip, with the third along the axis into the cone.
        let (o, d) = (self.origin - Vec3::Z * height, self.direction);
        let (w, dw) = (-sign * o.z, -sign * d.z);
        let sq = slope * slope;
        let flat = d.x * d.x + d.y * d.y;
        let a = flat - sq * dw * dw;
        let b = o.x * d.x + o.y * d.y - sq * w * dw;
        let c = o.x * o.x + o.y * o.y - sq * w * w;
        let normal = |t: f64| {
            let p = o + d * t;
            Vec3::new(p.x, p.y, sign * sq * (w + dw * t))
        };
        let ends = if a.abs() <= 1e-14 * (flat + sq * dw * dw) {
            // Along a side: once in, never out again, or the other way round.
            let t = -0.5 * c / b;
            if b < 0.0 {
                (t, f64::INFINITY)
            } else if b > 0.0 {
                (f64::NEG_INFINITY, t)
            } else if c <= 0.0 {
                // On the side itself, through the tip.
                let t = -w / dw;
                if dw > 0.0 { (t, f64::INFINITY) } else { (f64::NEG_INFINITY, t) }
            } else {
                return None;
            }
        } else if a > 0.0 {
            let (s, t) = Self::roots(a, b, c)?;
            // The whole of it is in this cone or in its mirror image.
            if w + dw * (0.5 * (s + t)) < 0.0 {
                return None;
            }
            (s, t)
        } else {
            // Steep: in one of the two cones before the first root, in the other behind the second.
            let (s, t) = Self::roots(-a, -b, (-c).min(b * b / -a))?;
            if dw > 0.0 { (t, f64::INFINITY) } else { (f64::NEG_INFINITY, s) }
        };
        // Beyond the tip is the mirror image.
        let tip = -w / dw;
        let ends = match dw {
            _ if dw > 0.0 && ends.1 < tip || dw < 0.0 && ends.0 > tip => return None,
            _ => ends,
        };
        Some(Self::between(ends, normal))
    }
}

impl Span {
    /// What is in both.
    pub fn and(self, other: Self) -> Option<Self> {
        let enter = if other.enter.t > self.enter.t { other.enter } else { self.enter };
        let leave = if other.leave.t < self.leave.t { other.leave } else { self.leave };
        (enter.t <= leave.t).then_some(Self { enter, leave })
    }

    /// From where either begins to where the later ends; for parts of something convex.
    pub fn or(self, other: Self) -> Self {
        Self {
            enter: if other.enter.t < self.enter.t { other.enter } else { self.enter },
            leave: if other.leave.t > self.leave.t { other.leave } else { self.leave },
        }
    }

    /// What is left without another part, before it and behind it. The surface of a hole looks into it.
    pub fn without(self, hole: Option<Self>) -> [Option<Self>; 2] {
        let Some(hole) = hole else { return [Some(self), None] };
        let turned = |end: End| End { t: end.t, normal: -end.normal };
        let before = Self { enter: End { t: f64::NEG_INFINITY, ..self.enter }, leave: turned(hole.enter) };
        let behind = Self { enter: turned(hole.leave), leave: End { t: f64::INFINITY, ..self.leave } };
        [self.and(before), self.and(behind)]
    }

    /// The first end from 0 on, and whether the line enters there.
    pub fn first(&self) -> Option<(End, bool)> {
        if self.enter.t >= 0.0 {
            Some((self.enter, true))
        } else if self.leave.t >= 0.0 {
            Some((self.leave, false))
        } else {
            None
        }
    }
}
