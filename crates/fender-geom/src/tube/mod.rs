//! Tubes: all points within the radius of the bar of a plane curve, the *spine*. Tori, half tori and chain links are tubes.
//!
//! The spine lies in the x–y plane. Of a torus it is a circle, of a half torus the half of it with y ≥ 0, and of a link two half circles
//! joined by straights along x, without a kink. A half torus ends in half balls, because a ball is what is swept.

mod mass;

use crate::Shape;
use fender_math::{Vec3, float};
use std::f64::consts::{FRAC_PI_2, PI};

/// Relative slack with which a place at the joint of two parts belongs to both.
const JOINT: f64 = 1e-9;

/// A tube in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tube {
    /// Radius of the circle or half circles of the spine [m].
    pub radius: f64,
    /// Half of the length of the straights [m]; zero for tori.
    pub straight: f64,
    /// Radius of the bar [m].
    pub bar: f64,
    pub form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Ring,
    Half,
    Link,
}

/// Place on a spine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub point: Vec3,
    /// Unit tangent, the way `s` grows.
    pub tangent: Vec3,
    /// Unit direction away from the middle of the arc; zero on a straight.
    pub outward: Vec3,
    /// −1 where an open spine begins, 1 where it ends, else 0.
    pub end: f64,
}

/// Nearest place of a part of a spine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    pub point: Vec3,
    /// Whether it is a nearest place of the whole spine's surroundings too, rather than one at which the next part goes on.
    pub is_own: bool,
}

impl Tube {
    /// `None` for other shapes.
    pub fn of(shape: &Shape) -> Option<Self> {
        let (radius, straight, bar, form) = match *shape {
            Shape::Torus { radius, tube } => (radius, 0.0, tube, Form::Ring),
            Shape::HalfTorus { radius, tube } => (radius, 0.0, tube, Form::Half),
            Shape::Link { radius, half_straight, tube } => (radius, half_straight, tube, Form::Link),
            _ => return None,
        };
        Some(Self { radius, straight, bar, form })
    }

    pub fn is_closed(&self) -> bool {
        self.form != Form::Half
    }

    /// Length of the spine [m].
    pub fn length(&self) -> f64 {
        let arcs = if self.is_closed() { 2.0 } else { 1.0 };
        arcs * PI * self.radius + 4.0 * self.straight
    }

    /// Radius about the frame's origin that holds the spine [m].
    pub fn spine_reach(&self) -> f64 {
        self.radius + self.straight
    }

    /// The place at the length `s` [m] along the spine, from 0 to its whole length.
    pub fn at(&self, s: f64) -> Place {
        let r = self.radius;
        if self.form != Form::Link {
            let end = match self.form {
                Form::Half if s <= 0.0 => -1.0,
                Form::Half if s >= self.length() => 1.0,
                _ => 0.0,
            };
            return Place { end, ..arc(0.0, r, s / r) };
        }
        // From the lower end of the arc at +x, counter-clockwise.
        let (arc_length, line) = (PI * r, 2.0 * self.straight);
        let along_line = |part: f64, y: f64, way: f64| Place {
            point: Vec3::new(way * (part - self.straight), y, 0.0),
            tangent: Vec3::X * way,
            outward: Vec3::ZERO,
            end: 0.0,
        };
        let half = arc_length + line;
        if s < arc_length {
            arc(self.straight, r, s / r - FRAC_PI_2)
        } else if s < half {
            along_line(s - arc_length, r, -1.0)
        } else if s < half + arc_length {
            arc(-self.straight, r, (s - half) / r + FRAC_PI_2)
        } else {
            along_line((s - half - arc_length).min(line), -r, 1.0)
        }
    }

    /// Number of parts whose distances are known by formulas.
    pub fn parts(&self) -> usize {
        match self.form {
            Form::Ring => 1,
            Form::Half => 3,
            Form::Link => 4,
        }
    }

    /// Nearest place to `p` [m] on a part of the spine.
    pub fn nearest(&self, part: usize, p: Vec3) -> Foot {
        let r = self.radius;
        match (self.form, part) {
            (Form::Ring, _) => Foot { point: on_circle(p, r), is_own: true },
            (Form::Half, 0) => {
                let point = if p.y >= 0.0 { on_circle(p, r) } else { Vec3::X * r.copysign(p.x) };
                Foot { point, is_own: p.y >= -JOINT * r }
            }
            // Its ends are parts of their own: a place between them may be near to both.
            (Form::Half, _) => {
                let point = Vec3::X * if part == 1 { r } else { -r };
                Foot { point, is_own: p.y <= JOINT * r }
            }
            (Form::Link, 0 | 1) => {
                let side = if part == 0 { 1.0 } else { -1.0 };
                let center = Vec3::X * (side * self.straight);
                let q = p - center;
                let out = side * q.x;
                let point = if out >= 0.0 { on_circle(q, r) } else { Vec3::Y * r.copysign(q.y) };
                Foot { point: center + point, is_own: out >= -JOINT * r }
            }
            (Form::Link, _) => {
                let y = if part == 2 { r } else { -r };
                let point = Vec3::new(p.x.clamp(-self.straight, self.straight), y, 0.0);
                Foot { point, is_own: p.x.abs() <= self.straight + JOINT * r }
            }
        }
    }

    /// How far `p` [m] is from the spine [m]: the least of the distances from its parts, at once.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f64 {
        let aside = match self.form {
            Form::Half if p.y < 0.0 => {
                let x = p.x.abs() - self.radius;
                (x * x + p.y * p.y).sqrt()
            }
            // Beyond the straights, or along them.
            _ => {
                let x = (p.x.abs() - self.straight).max(0.0);
                (x * x + p.y * p.y).sqrt() - self.radius
            }
        };
        (aside * aside + p.z * p.z).sqrt()
    }

    /// The way from the nearest place of the spine to `p` [m]. On the axis of an arc it is not a number.
    #[inline]
    pub fn way_out(&self, p: Vec3) -> Vec3 {
        if self.form == Form::Half && p.y < 0.0 {
            return Vec3::new(p.x - self.radius.copysign(p.x), p.y, p.z);
        }
        let x = p.x - p.x.clamp(-self.straight, self.straight);
        let part = 1.0 - self.radius / (x * x + p.y * p.y).sqrt();
        Vec3::new(x * part, p.y * part, p.z)
    }

    /// A distance from the spine that nothing within `size` [m] of `p` [m] falls below, given how far it reaches from there toward the spine: `toward` is given the unit
    /// vector away from it.
    ///
    /// The distance D changes by no more than the way. It is bounded by its slope too, where it is less than R: it bends down by 1/(R − D) at the most, in the hole of an arc.
    #[inline]
    pub fn at_least(&self, p: Vec3, size: f64, toward: impl Fn(Vec3) -> f64) -> f64 {
        let out = self.way_out(p);
        let distance = out.length();
        let room = self.radius - distance - size;
        // On the spine there is no slope. What is not a number is on an axis.
        if room > 0.0 && distance > 0.0 {
            let by_slope = distance - toward(out / distance) - 0.5 * size * size / room;
            return by_slope.max(distance - size);
        }
        self.distance(p) - size
    }

    /// Nearest place to `p` [m] on the whole spine.
    pub fn nearest_of_all(&self, p: Vec3) -> Vec3 {
        let first = self.nearest(0, p).point;
        (1..self.parts())
            .map(|part| self.nearest(part, p).point)
            .fold(first, |best, q| if p.distance_squared(q) < p.distance_squared(best) { q } else { best })
    }

    /// How far along the spine its point `q` [m] is [m].
    pub fn length_at(&self, q: Vec3) -> f64 {
        let r = self.radius;
        let angle = |x: f64, y: f64| float::atan2(y, x);
        match self.form {
            Form::Ring => r * angle(q.x, q.y).rem_euclid(2.0 * PI),
            Form::Half => r * angle(q.x, q.y).clamp(0.0, PI),
            Form::Link => {
                let (h, half) = (self.straight, PI * r + 2.0 * self.straight);
                if q.x >= h {
                    r * (angle(q.x - h, q.y) + FRAC_PI_2)
                } else if q.x <= -h {
                    half + r * (angle(-h - q.x, -q.y) + FRAC_PI_2)
                } else if q.y > 0.0 {
                    PI * r + (h - q.x)
                } else {
                    half + PI * r + (q.x + h)
                }
            }
        }
    }
}

fn arc(middle: f64, radius: f64, angle: f64) -> Place {
    let (sin, cos) = float::sin_cos(angle);
    let outward = Vec3::new(cos, sin, 0.0);
    let tangent = Vec3::new(-sin, cos, 0.0);
    Place { point: Vec3::X * middle + outward * radius, tangent, outward, end: 0.0 }
}

/// Nearest place to `p` on the circle; on its axis every one is as good as any other.
fn on_circle(p: Vec3, radius: f64) -> Vec3 {
    let rho = (p.x * p.x + p.y * p.y).sqrt();
    if rho > 0.0 { Vec3::new(p.x, p.y, 0.0) * (radius / rho) } else { Vec3::X * radius }
}
