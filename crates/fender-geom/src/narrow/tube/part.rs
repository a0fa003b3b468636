//! Arcs and straights of a spine, in the tube's frame, and where they are nearest to planes and lines.

use crate::tube::{Form, Tube};
use fender_math::{Vec3, float};
use smallvec::SmallVec;

/// Relative slack with which a place at the joint of two parts belongs to both.
const JOINT: f64 = 1e-9;
/// Sines below this are none: the part is level, and no place of it is lower than those beside it.
const LEVEL: f64 = 1e-11;

/// A part of a spine. An arc is looked at as the whole circle; which of its places belong to the part is told by [`Part::foot`].
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Arc {
        /// Middle of the circle on the x axis [m].
        middle: f64,
        radius: f64,
        /// Seen from the middle, the half of the circle that counts; zero for all of it.
        toward: Vec3,
    },
    /// Along x at this y [m], `half` [m] to both sides.
    Straight { y: f64, half: f64, slack: f64 },
}

/// Places of a part that matter beside a plane.
#[derive(Clone, Copy, Debug)]
pub enum Beside {
    /// The nearest one, and how high above the plane it is [m]; negative below.
    Nearest(Vec3, f64),
    /// Where it passes through the plane.
    Through([Option<Vec3>; 2]),
    /// All are as near.
    Level,
    /// The nearest is an end of the part.
    None,
}

impl Part {
    pub fn of(tube: &Tube) -> SmallVec<[Self; 4]> {
        let (radius, half) = (tube.radius, tube.straight);
        let arc = |middle: f64, toward: Vec3| Self::Arc { middle, radius, toward };
        let straight = |y: f64| Self::Straight { y, half, slack: JOINT * radius };
        match tube.form {
            Form::Ring => [arc(0.0, Vec3::ZERO)].into_iter().collect(),
            Form::Half => [arc(0.0, Vec3::Y)].into_iter().collect(),
            Form::Link => SmallVec::from_buf([
                arc(half, Vec3::X),
                straight(radius),
                arc(-half, -Vec3::X),
                straight(-radius),
            ]),
        }
    }

    /// The place of the part that is nearest to `q` [m], unless it is an end of the part.
    pub fn foot(&self, q: Vec3) -> Option<Vec3> {
        match *self {
            Self::Arc { middle, radius, toward } => {
                let x = q.x - middle;
                let rho = (x * x + q.y * q.y).sqrt();
                // On the axis all places are as near.
                let out = Vec3::new(x, q.y, 0.0) * (radius / rho);
                let is_own = rho > 0.0 && out.dot(toward) >= -JOINT * radius;
                is_own.then(|| out + Vec3::X * middle)
            }
            Self::Straight { y, half, slack } => {
                (q.x.abs() <= half + slack).then(|| Vec3::new(q.x.clamp(-half, half), y, 0.0))
            }
        }
    }

    /// Distance of `q` [m] from the circle or the straight: not more than that from the part [m].
    pub fn distance(&self, q: Vec3) -> f64 {
        let (aside, up) = match *self {
            Self::Arc { middle, radius, .. } => {
                let x = q.x - middle;
                ((x * x + q.y * q.y).sqrt() - radius, q.z)
            }
            Self::Straight { y, half, .. } => {
                let beyond = (q.x.abs() - half).max(0.0);
                ((beyond * beyond + (q.y - y) * (q.y - y)).sqrt(), q.z)
            }
        };
        (aside * aside + up * up).sqrt()
    }

    /// Between which heights above a plane with the unit normal `n` the circle or straight is, and the height of its middle [m]; `height` is that of
    /// the origin.
    fn heights(&self, n: Vec3, height: f64) -> (f64, f64) {
        match *self {
            Self::Arc { middle, radius, .. } => {
                (n.x * middle + height, radius * (n.x * n.x + n.y * n.y).sqrt())
            }
            Self::Straight { y, half, .. } => (n.y * y + height, half * n.x.abs()),
        }
    }

    /// Whether it is farther than `reach` [m] from the plane with the unit normal `n`, above which the origin is `height` [m].
    pub fn is_far_off(&self, n: Vec3, height: f64, reach: f64) -> bool {
        let (middle, spread) = self.heights(n, height);
        middle.abs() - spread >= reach
    }

    /// Its places that matter beside that plane.
    pub fn beside(&self, n: Vec3, height: f64) -> Beside {
        let (at, spread) = self.heights(n, height);
        let passes = at.abs() < spread;
        match *self {
            Self::Arc { middle, radius, toward } => {
                let sin = (n.x * n.x + n.y * n.y).sqrt();
                if sin <= LEVEL {
                    return Beside::Level;
                }
                // The highest place, seen from the middle.
                let up = Vec3::new(n.x, n.y, 0.0) * (radius / sin);
                let own = |out: Vec3| (out.dot(toward) >= -JOINT * radius).then(|| out + Vec3::X * middle);
                if passes {
                    let cos = -at / spread;
                    let aside = Vec3::new(-up.y, up.x, 0.0) * (1.0 - cos * cos).max(0.0).sqrt();
                    return Beside::Through([own(up * cos + aside), own(up * cos - aside)]);
                }
                let side = if at < 0.0 { 1.0 } else { -1.0 };
                own(up * side).map_or(Beside::None, |place| Beside::Nearest(place, at + side * spread))
            }
            Self::Straight { y, half, .. } => {
                if n.x.abs() <= LEVEL {
                    return Beside::Level;
                }
                if passes {
                    let x = (-at / n.x).clamp(-half, half);
                    return Beside::Through([Some(Vec3::new(x, y, 0.0)), None]);
                }
                Beside::None
            }
        }
    }

    /// Gives the places of the segment from `a` to `b` [m], its ends left out, that are nearer to the circle or straight than those beside them.
    pub fn nearest_of_segment(&self, a: Vec3, b: Vec3, mut visit: impl FnMut(Vec3)) -> Segment {
        let e = b - a;
        match *self {
            Self::Arc { middle, radius, .. } => {
                let shift = Vec3::X * middle;
                nearest_to_circle(a - shift, e, radius, |u| visit(a + e * u));
                Segment::Across
            }
            Self::Straight { y, .. } => {
                let (ey, ez) = (e.y, e.z);
                let across = ey * ey + ez * ez;
                if across <= LEVEL * LEVEL * e.length_squared() {
                    return Segment::Along;
                }
                let u = -((a.y - y) * ey + a.z * ez) / across;
                if u > 0.0 && u < 1.0 {
                    visit(a + e * u);
                }
                Segment::Across
            }
        }
    }
}

/// How a segment lies to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    Across,
    /// Parallel to a straight.
    Along,
}

/// Gives the parts u between 0 and 1 of the way `e` [m] from `a` at which the distance from the circle of `radius` [m] about the z axis is less than beside them.
///
/// With the distance ρ from the axis, half of the square of the distance is ½·(ρ² + z² + R²) − R·ρ. Its slope is g = q·e − R·ρ′, and the slope of that
/// |e|² − R·k·m²/ρ³, with the least ρ = m of the line, at u₀, and k = e_x² + e_y². So g falls between the two places where ρ³ = R·k·m²/|e|², on both sides of
/// u₀, and rises before and behind: there is no more than one nearest place on each side, and it is between known ends.
fn nearest_to_circle(a: Vec3, e: Vec3, radius: f64, mut visit: impl FnMut(f64)) {
    let sq = e.length_squared();
    let k = e.x * e.x + e.y * e.y;
    let (along, flat) = (a.dot(e), a.x * e.x + a.y * e.y);
    let start = a.x * a.x + a.y * a.y;
    let slope = |u: f64| {
        let rho = (start + u * (2.0 * flat + u * k)).max(0.0).sqrt();
        let out = if rho > 0.0 { (flat + u * k) / rho } else { 0.0 };
        along + u * sq - radius * out
    };
    let mut between = |low: f64, high: f64| {
        if low < high {
            let (at_low, at_high) = (slope(low), slope(high));
            if at_low < 0.0 && at_high > 0.0 {
                visit(super::search::root(low, high, at_low, at_high, sq * f64::EPSILON, slope));
            }
        }
    };
    // Nearest to the axis.
    let u0 = -flat / k;
    let least = (start + u0 * flat).max(0.0);
    // Not a number, and then rising everywhere, if it is along the axis.
    let falls = radius * k > least.sqrt() * sq;
    if !falls {
        between(0.0, 1.0);
        return;
    }
    let rho_sq = float::pow(radius * k * least / sq, 2.0 / 3.0);
    let width = ((rho_sq - least) / k).max(0.0).sqrt();
    between(0.0, (u0 - width).min(1.0));
    between((u0 + width).max(0.0), 1.0);
}
