//! The part of a cap that lies over another face, seen along the contact normal.
//!
//! It is bounded by sides of the face and by arcs of the rim. Points weigh as the boundary beside them is long and deep: at the corners half of each side, along arcs
//! by integrals, so that it does not matter where an arc is divided, nor how the cap is turned about its axis. (Points fixed to a cap or to its tilt did matter: a cap over an
//! edge jumped when others were chosen.)

use super::feature::Feature;
use fender_math::{Vec3, float};
use smallvec::SmallVec;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A piece of the boundary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Piece {
    /// Integral of the depth [m²].
    pub share: f64,
    /// Integral of the depth squared [m³].
    pub force: f64,
    /// The same, times the place [m⁴].
    pub moment: Vec3,
}

impl Piece {
    /// A `length` [m] of the boundary at one place, as deep as `depth` [m]; nothing if it is not below the surface.
    pub fn at(place: Vec3, depth: f64, length: f64) -> Self {
        let share = length * depth.max(0.0);
        let force = share * depth;
        Self { share, force, moment: place * force }
    }

    /// Both together.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            share: self.share + other.share,
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }

    /// Mean depth [m].
    pub fn depth(&self) -> f64 {
        self.force / self.share
    }

    pub fn place(&self) -> Vec3 {
        self.moment / self.force
    }

    fn less(&self, other: &Self) -> Self {
        Self {
            share: self.share - other.share,
            force: self.force - other.force,
            moment: self.moment - other.moment,
        }
    }
}

/// A side that is in the rim for less than this part of its radius on both sides of a place touches it there: caps of one size one on the other.
const BARELY: f64 = 1e-5;

/// Parts of a rim that are one point each, where there are many.
const SECTORS: usize = 6;
/// Depths that differ by less than this part are the same.
const LEVEL: f64 = 1e-9;

/// Most boundaries have few; there is room for those of two caps.
pub type Pieces = SmallVec<[Piece; 64]>;

/// A cap and how deep its places are: `level` + slope·x [m] at the place x, where the radius is 1 and the coordinates are along `u` and `v`.
struct Disc {
    middle: Vec3,
    /// Half diagonals of the square of rim points [m].
    u: Vec3,
    v: Vec3,
    radius: f64,
    level: f64,
    /// Toward the deepest place of the rim, of length 1, and at a right angle to it; in the coordinates.
    down: Vec3,
    side: Vec3,
    /// How much deeper than its middle the cap is there [m].
    fall: f64,
    /// Angle of the body's first axis from the deepest place [rad]: from there on the rim is divided into [`SECTORS`].
    first: f64,
}

/// Corner of the boundary, and whether the rim leads from it to the next.
struct Corner {
    at: Vec3,
    is_left_by_rim: bool,
}

/// Boundary of the part of a cap that lies over the polygon `face`, seen along `n`; `depth` [m] tells how deep places in the plane of the cap are, and must be linear. Corners
/// count `least` [m] longer than they are. Arcs are divided from the `first` axis of the body on, so that they do not change with what is below them.
pub fn cap_over(
    (cap, first): (&Feature, Vec3),
    face: &[Vec3],
    n: Vec3,
    depth: impl Fn(Vec3) -> f64,
    least: f64,
) -> Pieces {
    let disc = Disc::of(cap, first, &depth);
    let mut sides: SmallVec<[Vec3; 24]> = face.iter().map(|p| disc.seen(*p, cap.normal, n)).collect();
    let cross = |p: Vec3, q: Vec3| p.x * q.y - p.y * q.x;
    let next = |i: usize, len: usize| if i + 1 < len { i + 1 } else { 0 };
    let area: f64 = (0..sides.len()).map(|i| cross(sides[i], sides[next(i, sides.len())])).sum();
    if area < 0.0 {
        sides.reverse();
    }
    let holds_middle = (0..sides.len()).all(|i| cross(sides[i], sides[next(i, sides.len())]) >= 0.0);
    let corners = corners(&sides);
    let mut pieces = Pieces::new();
    if corners.is_empty() {
        if holds_middle {
            disc.whole(cap, depth, &mut pieces);
        }
        return pieces;
    }
    let length = |i: usize| {
        if corners[i].is_left_by_rim {
            0.0
        } else {
            (corners[next(i, corners.len())].at - corners[i].at).length() * disc.radius
        }
    };
    let around: f64 = (0..corners.len()).map(length).sum();
    let mut before = length(corners.len() - 1);
    for (i, corner) in corners.iter().enumerate() {
        let after = length(i);
        let place = disc.place(corner.at);
        pieces.push(Piece::at(place, depth(place), 0.5 * (before + after) + least));
        before = after;
        if corner.is_left_by_rim {
            let to = corners[next(i, corners.len())].at;
            let turn = float::atan2(cross(corner.at, to), corner.at.dot(to));
            let mut turn = if turn < 0.0 { turn + TAU } else { turn };
            // Two corners at one place, but for rounding: all of the rim is between them only if the sides barely touch it.
            if turn > TAU - 1e-6 && !(holds_middle && around < 1e-3 * disc.radius) {
                turn = 0.0;
            }
            disc.arc(corner.at, turn, &mut pieces);
        }
    }
    pieces
}

/// Makes pieces of a cap's boundary one that are in one direction from its middle, by `axes` across its own axis, if there are more than `most`. The deepest stays alone, so that its depth is
/// told.
pub fn join_around(pieces: &mut Pieces, cap: &Feature, axes: [Vec3; 2], most: usize) {
    if pieces.len() <= most {
        return;
    }
    let deeper = |best: usize, i: usize| if pieces[i].depth() > pieces[best].depth() { i } else { best };
    let deepest = (1..pieces.len()).fold(0, deeper);
    let shallowest = pieces.iter().map(Piece::depth).fold(f64::INFINITY, f64::min);
    // On a cap that is level rounding would say which.
    let is_level = pieces[deepest].depth() - shallowest < LEVEL * shallowest;
    let deepest = (!is_level).then(|| pieces.remove(deepest));
    let middle = 0.5 * (cap.points()[0] + cap.points()[2]);
    let mut sectors = [Piece::default(); SECTORS];
    for piece in pieces.iter() {
        let from = piece.place() - middle;
        let turn = 0.5 + float::atan2(axes[1].dot(from), axes[0].dot(from)) / TAU;
        let sector = &mut sectors[(turn.clamp(0.0, 0.999) * SECTORS as f64) as usize];
        *sector = sector.and(piece);
    }
    pieces.clear();
    pieces.extend(deepest);
    pieces.extend(sectors.into_iter().filter(|sector| sector.share > 0.0));
}

/// Corners of the common part of the unit disc and a polygon, in order. Which corners of the polygon are in the disc is asked once, so that rounding does not open the
/// boundary.
fn corners(polygon: &[Vec3]) -> SmallVec<[Corner; 24]> {
    let mut found = SmallVec::new();
    let mut push = |at: Vec3, is_left_by_rim: bool| found.push(Corner { at, is_left_by_rim });
    for (i, p) in polygon.iter().enumerate() {
        let q = polygon[if i + 1 < polygon.len() { i + 1 } else { 0 }];
        let d = q - *p;
        let (is_in, stays_in) = (p.length_squared() < 1.0, q.length_squared() < 1.0);
        if is_in && stays_in {
            push(q, false);
            continue;
        }
        // Where the side crosses the circle.
        let (a, b, c) = (d.length_squared(), p.dot(d), p.length_squared() - 1.0);
        let root = (b * b - a * c).max(0.0).sqrt();
        let (enters, leaves) = ((-b - root) / a, (root - b) / a);
        if is_in {
            push(*p + d * leaves.clamp(0.0, 1.0), true);
        } else if stays_in {
            push(*p + d * enters.clamp(0.0, 1.0), false);
            push(q, false);
        } else if root * root > BARELY * BARELY * a && enters > 0.0 && leaves < 1.0 {
            push(*p + d * enters, false);
            push(*p + d * leaves, true);
        }
    }
    found
}

impl Disc {
    fn of(cap: &Feature, first: Vec3, depth: impl Fn(Vec3) -> f64) -> Self {
        let [p, q, r, s] = [0, 1, 2, 3].map(|i| cap.points()[i]);
        let (middle, u, v) = (0.5 * (p + r), 0.5 * (p - r), 0.5 * (q - s));
        let level = depth(middle);
        let slope = Vec3::new(depth(middle + u) - level, depth(middle + v) - level, 0.0);
        let fall = slope.length();
        let down = if fall > 0.0 { slope / fall } else { Vec3::X };
        let side = Vec3::new(-down.y, down.x, 0.0);
        let first = Vec3::new(u.dot(first), v.dot(first), 0.0);
        let first = float::atan2(side.dot(first), down.dot(first));
        Self { middle, u, v, radius: cap.round, level, down, side, fall, first }
    }

    /// Where in the plane of the cap `p` [m] is seen along `n`.
    fn seen(&self, p: Vec3, normal: Vec3, n: Vec3) -> Vec3 {
        let from = p - self.middle;
        let flat = from - n * (normal.dot(from) / normal.dot(n));
        Vec3::new(self.u.dot(flat), self.v.dot(flat), 0.0) / (self.radius * self.radius)
    }

    fn place(&self, at: Vec3) -> Vec3 {
        self.middle + self.u * at.x + self.v * at.y
    }

    /// All of the cap. If all of it is below the surface four points do what the whole rim does, whichever they are: their squares have the same mean in every direction.
    fn whole(&self, cap: &Feature, depth: impl Fn(Vec3) -> f64, pieces: &mut Pieces) {
        if self.level < self.fall {
            self.arc(-self.down, TAU, pieces);
            return;
        }
        let quarter = FRAC_PI_2 * self.radius;
        pieces.extend(cap.points().iter().map(|p| Piece::at(*p, depth(*p), quarter)));
    }

    /// The part that is below the surface of an arc from `from` on, as long as the angle `turn`, in pieces, each in one sector, and its deepest place.
    fn arc(&self, from: Vec3, turn: f64, pieces: &mut Pieces) {
        // Angles are from the deepest place of the rim, where it is below the surface up to `below` on both sides.
        let start = float::atan2(self.side.dot(from), self.down.dot(from));
        let below = if self.level >= self.fall {
            PI
        } else if self.level <= -self.fall {
            return;
        } else {
            let cos = -self.level / self.fall;
            float::atan2((1.0 - cos * cos).sqrt(), cos)
        };
        for around in [0.0, TAU] {
            let low = (start - around).max(-below);
            let high = (start + turn - around).min(below);
            if low >= high {
                continue;
            }
            let sector = TAU / SECTORS as f64;
            let begins = ((low - self.first) / sector).floor();
            for i in 0..=SECTORS {
                let border = |k: usize| self.first + sector * (begins + k as f64);
                let (from, to) = (border(i).max(low), border(i + 1).min(high));
                if from >= to {
                    continue;
                }
                let piece = self.sum(from, to);
                // What is so short or shallow is rounding.
                if piece.share <= 1e-12 * self.radius * (self.level.abs() + self.fall) {
                    continue;
                }
                if from <= 0.0 && to > 0.0 {
                    // A quarter of it is at the deepest place, so that this is one of the points.
                    let share = 0.25 * piece.share;
                    let depth = self.level + self.fall;
                    let deepest = Piece::at(self.place(self.down), depth, share / depth);
                    pieces.push(deepest);
                    pieces.push(piece.less(&deepest));
                } else {
                    pieces.push(piece);
                }
            }
        }
    }

    /// Integrals over the rim between two angles. The depth is level + fall·cos.
    fn sum(&self, low: f64, high: f64) -> Piece {
        let ((sin_low, cos_low), (sin_high, cos_high)) = (float::sin_cos(low), float::sin_cos(high));
        let (l, f) = (self.level, self.fall);
        let turn = high - low;
        let cos = sin_high - sin_low;
        let cos_cos = 0.5 * (turn + sin_high * cos_high - sin_low * cos_low);
        let cos_cos_cos = cos - (sin_high.powi(3) - sin_low.powi(3)) / 3.0;
        let sin = cos_low - cos_high;
        let sin_cos = 0.5 * (sin_high * sin_high - sin_low * sin_low);
        let sin_cos_cos = (cos_low.powi(3) - cos_high.powi(3)) / 3.0;
        let r = self.radius;
        let force = r * (l * l * turn + 2.0 * l * f * cos + f * f * cos_cos);
        let down = r * (l * l * cos + 2.0 * l * f * cos_cos + f * f * cos_cos_cos);
        let side = r * (l * l * sin + 2.0 * l * f * sin_cos + f * f * sin_cos_cos);
        let at = self.down * down + self.side * side;
        let moment = self.middle * force + self.u * at.x + self.v * at.y;
        Piece { share: r * (l * turn + f * cos), force, moment }
    }
}
