//! A soft solid of revolution: the depth below its surface, and where curves pass its surfaces.

use crate::Shape;
use fender_math::{Mat3, Vec3};
use smallvec::SmallVec;
use std::f64::consts::PI;

/// A soft solid of revolution about the z axis.
///
/// The depth below its surface is constant on surfaces around a *core*, the places that are deepest: of a
/// cylinder an interval of the axis, or a disc if it is flat, of a capsule its segment, of a cone the centre
/// of the largest ball inside. Straight *rays* lead from the core to the surface, along which the depth falls
/// linearly from the inradius S to zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoftSolid {
    profile: SoftProfile,
    /// Greatest depth S [m].
    pub inradius: f64,
    /// Radius of the core, if it is a disc [m].
    pub core_radius: f64,
    /// Half of the core's length, if it is a segment [m].
    pub core_half: f64,
    /// Height of the core's centre [m].
    pub core_center: f64,
}

#[derive(Clone, Copy, Debug)]
enum SoftProfile {
    /// d = min(R − ρ, H − |z|).
    Cylinder { radius: f64, half_height: f64 },
    /// d = R − the distance from the segment; a ball has a segment without length.
    Capsule { radius: f64, half_height: f64 },
    /// d = min(`cos`·(`slope`·(H − z) − ρ), z + H).
    Cone { half_height: f64, slope: f64, cos: f64, switch: Conical },
}

/// The surface ρ = `radius` + `growth`·z, where that is not negative.
#[derive(Clone, Copy, Debug)]
struct Conical {
    radius: f64,
    growth: f64,
}

/// How a place lies on its ray from the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayPlace {
    /// Depth below the surface [m].
    pub depth: f64,
    /// The ray from the core to the surface [m].
    pub along: Vec3,
    /// Part t of the way from the core to the surface.
    pub part: f64,
    /// The rays spread: the area across them at a part t of the way from the core to the surface goes with
    /// (1 + λ₁·η)·(1 + λ₂·η) at the part t + η.
    pub spread: [f64; 2],
}

impl RayPlace {
    /// Moments of the field against a direction: what passes a unit of area from outside, with the weights 1,
    /// η and η² of the way along the ray, in parts of its length.
    pub fn field(&self, normal: Vec3) -> [f64; 3] {
        let [one, two] = self.spread;
        let (left, sum, product) = (1.0 - self.part, one + two, one * two);
        // Integrals of ηᵐ·(1 + λ₁η)(1 + λ₂η) from 0 to what is left of the ray.
        let flux = -normal.dot(self.along) * left;
        [
            flux * (1.0 + left * (sum * (1.0 / 2.0) + left * product * (1.0 / 3.0))),
            flux * left * (1.0 / 2.0 + left * (sum * (1.0 / 3.0) + left * product * (1.0 / 4.0))),
            flux * left * left * (1.0 / 3.0 + left * (sum * (1.0 / 4.0) + left * product * (1.0 / 5.0))),
        ]
    }
}

/// What the rays fill that begin at one place of the core, in all directions or in half of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreEnd {
    /// The place [m].
    pub place: Vec3,
    /// Volume [m³].
    pub volume: f64,
    /// Its centroid [m].
    pub centroid: Vec3,
    /// Second moments about it [m⁵].
    pub second: Mat3,
}

/// A straight line `at` + s·`along` with ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub at: Vec3,
    pub along: Vec3,
    pub ends: [f64; 2],
}

/// A part of an inner curve in which the depth is analytic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InnerPiece {
    /// Parameters of its ends.
    pub ends: [f64; 2],
    /// Whether the curve leaves the soft solid there.
    pub is_border: [bool; 2],
}

/// The parts of an inner curve that are in the soft solid.
#[derive(Clone, Debug, Default)]
pub(super) struct InnerPieces {
    pub pieces: SmallVec<[InnerPiece; 8]>,
    /// Which surfaces divide the curve, in which order: while it stays the same, the ends of the pieces are
    /// analytic functions of the curve's place. Zero for no pieces.
    pub signature: u64,
}

impl InnerPieces {
    /// Adds the number of a surface to the signature.
    pub fn sign(&mut self, number: u64) {
        self.signature = self.signature.wrapping_mul(31).wrapping_add(number);
    }
}

/// Numbers of surfaces in signatures.
mod number {
    /// The face's own end.
    pub const FACE: u64 = 1;
    pub const SIDE: u64 = 2;
    pub const LID: u64 = 3;
    pub const BASE: u64 = 4;
    pub const CORE_HEIGHT: u64 = 5;
    pub const CORE_RADIUS: u64 = 6;
    pub const SWITCH: u64 = 7;
    pub const AXIS: u64 = 8;
    /// Plus the cell of the first piece.
    pub const CELL: u64 = 9;
}

/// Part of a segment's length within which its own end counts as the one that limits it, as long as its
/// distance from the axis; a short segment far out has more, as rounding moves the other end more. It decides
/// about the signature only, not about the end's place.
const SAME_END: f64 = 1e-12;

/// Roots of a·s² + 2·b·s + c in ascending order, if there are any.
fn quadratic(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || (a == 0.0 && b == 0.0) {
        return None;
    }
    let q = -(b + discriminant.sqrt().copysign(b));
    if q == 0.0 {
        return Some([0.0; 2]);
    }
    let (one, two) = (q / a, c / q);
    Some([one.min(two), one.max(two)])
}

/// ρ² = `a`·s² + 2·`b`·s + `c` along a line.
#[derive(Clone, Copy)]
struct SquaredRadius {
    a: f64,
    b: f64,
    c: f64,
}

impl SquaredRadius {
    fn of(line: &Segment) -> Self {
        let (p, v) = (line.at, line.along);
        Self { a: v.x * v.x + v.y * v.y, b: p.x * v.x + p.y * v.y, c: p.x * p.x + p.y * p.y }
    }

    /// Where the line is nearest to the axis.
    fn nearest(&self) -> f64 {
        -self.b / self.a
    }
}

impl Conical {
    /// Where a line passes the surface, in ascending order; not a number for a place that there is not.
    fn roots(&self, line: &Segment, squared: &SquaredRadius) -> [f64; 2] {
        let (level, growth) = (self.radius + self.growth * line.at.z, self.growth * line.along.z);
        let roots =
            quadratic(squared.a - growth * growth, squared.b - growth * level, squared.c - level * level);
        let is_on = |s: f64| s.is_finite() && level + growth * s >= 0.0;
        roots.map_or([f64::NAN; 2], |roots| roots.map(|s| if is_on(s) { s } else { f64::NAN }))
    }

    /// The part of a line that is nearer to the axis than the surface.
    fn inside(&self, line: &Segment, squared: &SquaredRadius) -> Option<[f64; 2]> {
        let roots = self.roots(line, squared);
        match roots.map(f64::is_nan) {
            [false, false] => Some(roots),
            [true, true] => {
                let is_inside =
                    self.growth == 0.0 && squared.a == 0.0 && squared.c <= self.radius * self.radius;
                is_inside.then_some([f64::NEG_INFINITY, f64::INFINITY])
            }
            [is_second, _] => {
                let root = roots[usize::from(is_second)];
                let is_open = self.growth * line.along.z > 0.0;
                Some(if is_open { [root, f64::INFINITY] } else { [f64::NEG_INFINITY, root] })
            }
        }
    }
}

impl SoftSolid {
    /// `None` for a shape that cannot be soft here.
    pub fn new(shape: &Shape) -> Option<Self> {
        Some(match *shape {
            Shape::Sphere { radius } => Self::capsule(radius, 0.0),
            Shape::Capsule { radius, half_height } => Self::capsule(radius, half_height),
            Shape::Cylinder { radius, half_height } => {
                let inradius = radius.min(half_height);
                Self {
                    profile: SoftProfile::Cylinder { radius, half_height },
                    inradius,
                    core_radius: radius - inradius,
                    core_half: half_height - inradius,
                    core_center: 0.0,
                }
            }
            Shape::Cone { radius, half_height } => {
                let slope = radius / (2.0 * half_height);
                let cos = 1.0 / (1.0 + slope * slope).sqrt();
                let inradius = radius * cos / (1.0 + slope * cos);
                let switch =
                    Conical { radius: half_height * (slope - 1.0 / cos), growth: -(1.0 / cos + slope) };
                Self {
                    profile: SoftProfile::Cone { half_height, slope, cos, switch },
                    inradius,
                    core_radius: 0.0,
                    core_half: 0.0,
                    core_center: inradius - half_height,
                }
            }
            _ => return None,
        })
    }

    fn capsule(radius: f64, half_height: f64) -> Self {
        let profile = SoftProfile::Capsule { radius, half_height };
        Self { profile, inradius: radius, core_radius: 0.0, core_half: half_height, core_center: 0.0 }
    }

    /// Depth at a distance from the axis and a height, negative outside [m]. Outside it is at most the
    /// distance from the surface.
    pub fn depth_at(&self, rho: f64, z: f64) -> f64 {
        match self.profile {
            SoftProfile::Cylinder { radius, half_height } => (radius - rho).min(half_height - z.abs()),
            SoftProfile::Capsule { radius, half_height } => {
                let beyond = (z.abs() - half_height).max(0.0);
                if beyond == 0.0 { radius - rho } else { radius - (rho * rho + beyond * beyond).sqrt() }
            }
            SoftProfile::Cone { half_height, slope, cos, .. } => {
                (cos * (slope * (half_height - z) - rho)).min(z + half_height)
            }
        }
    }

    /// Depth of a place, negative outside [m].
    pub fn depth(&self, place: Vec3) -> f64 {
        self.depth_at(place.truncate().length(), place.z)
    }

    /// Derivative of the depth by the place.
    pub fn gradient(&self, place: Vec3) -> Vec3 {
        let rho = place.truncate().length();
        let outward = (place.truncate() / rho).extend(0.0);
        match self.profile {
            SoftProfile::Cylinder { radius, half_height } => {
                if radius - rho < half_height - place.z.abs() {
                    -outward
                } else {
                    Vec3::Z * -1.0_f64.copysign(place.z)
                }
            }
            SoftProfile::Capsule { half_height, .. } => {
                let nearest = Vec3::Z * place.z.clamp(-half_height, half_height);
                -(place - nearest).normalize_or_zero()
            }
            SoftProfile::Cone { half_height, slope, cos, .. } => {
                if cos * (slope * (half_height - place.z) - rho) < place.z + half_height {
                    -cos * (outward + Vec3::Z * slope)
                } else {
                    Vec3::Z
                }
            }
        }
    }

    /// A place inside on its ray.
    pub fn ray_place(&self, place: Vec3) -> RayPlace {
        let rho = place.truncate().length();
        let height = place.z - self.core_center;
        let above = height - height.clamp(-self.core_half, self.core_half);
        let (depth, out) = match self.profile {
            SoftProfile::Cylinder { radius, half_height } => {
                ((radius - rho).min(half_height - place.z.abs()), (rho - self.core_radius).max(0.0))
            }
            SoftProfile::Capsule { radius, .. } => {
                (radius - if above == 0.0 { rho } else { (rho * rho + above * above).sqrt() }, rho)
            }
            SoftProfile::Cone { .. } => (self.depth_at(rho, place.z), rho),
        };
        let part = 1.0 - depth / self.inradius;
        let out_part = if out == 0.0 { 0.0 } else { out / rho };
        let scale = 1.0 / part;
        // From a disc the rays are parallel, from a segment they spread in one plane, from its ends and from
        // a point in all directions, and from the border of a disc in a plane through the axis.
        let spread = if self.core_radius > 0.0 {
            if out == 0.0 { [0.0; 2] } else { [scale, out_part * scale] }
        } else if above == 0.0 && self.core_half > 0.0 {
            [scale, 0.0]
        } else {
            [scale; 2]
        };
        let (out_scale, along_z) = (out_part * scale, above * scale);
        let along = Vec3::new(place.x * out_scale, place.y * out_scale, along_z);
        RayPlace { depth, along, part, spread }
    }

    /// Which form depth and rays have at a place.
    fn cell(&self, place: Vec3) -> u64 {
        let rho = place.truncate().length();
        let is_side = match self.profile {
            SoftProfile::Cylinder { radius, half_height } => radius - rho < half_height - place.z.abs(),
            SoftProfile::Capsule { .. } => true,
            SoftProfile::Cone { half_height, slope, cos, .. } => {
                cos * (slope * (half_height - place.z) - rho) < place.z + half_height
            }
        };
        self.level(place.z) + 4 * u64::from(is_side) + 8 * u64::from(rho > self.core_radius)
    }

    /// The part of a line that is in the solid, and the surfaces that limit it.
    fn span(&self, line: &Segment, squared: &SquaredRadius) -> Option<([f64; 2], [u64; 2])> {
        let (mut ends, mut numbers) = (line.ends, [number::FACE; 2]);
        let length = (ends[1] - ends[0]).abs();
        let slack = SAME_END * (length + squared.c / length);
        let mut limit = |[from, to]: [f64; 2], surfaces: [u64; 2]| {
            if from > ends[0] {
                if from > ends[0] + slack || numbers[0] != number::FACE {
                    numbers[0] = surfaces[0];
                }
                ends[0] = from;
            }
            if to < ends[1] {
                if to < ends[1] - slack || numbers[1] != number::FACE {
                    numbers[1] = surfaces[1];
                }
                ends[1] = to;
            }
        };
        let (z, climb) = (line.at.z, line.along.z);
        // Where the line is between two heights.
        let level = |low: f64, high: f64| {
            if climb == 0.0 {
                (low <= z && z <= high).then_some([f64::NEG_INFINITY, f64::INFINITY])
            } else {
                let (one, two) = ((low - z) / climb, (high - z) / climb);
                Some([one.min(two), one.max(two)])
            }
        };
        let lids = if climb > 0.0 { [number::BASE, number::LID] } else { [number::LID, number::BASE] };
        let sides = [number::SIDE; 2];
        match self.profile {
            SoftProfile::Cylinder { radius, half_height } => {
                limit(Conical { radius, growth: 0.0 }.inside(line, squared)?, sides);
                limit(level(-half_height, half_height)?, lids);
            }
            SoftProfile::Cone { half_height, slope, .. } => {
                let side = Conical { radius: slope * half_height, growth: -slope };
                limit(side.inside(line, squared)?, sides);
                limit(level(-half_height, f64::INFINITY)?, lids);
            }
            SoftProfile::Capsule { radius, half_height } => {
                let mut found = [f64::INFINITY, f64::NEG_INFINITY];
                let mut unite = |[from, to]: [f64; 2]| found = [found[0].min(from), found[1].max(to)];
                let square = squared.a + climb * climb;
                for end in [half_height, -half_height] {
                    let (above, reach) = (z - end, radius * radius);
                    let ball =
                        quadratic(square, squared.b + above * climb, squared.c + above * above - reach);
                    ball.into_iter().for_each(&mut unite);
                    if half_height == 0.0 {
                        break;
                    }
                }
                if half_height > 0.0
                    && let Some([from, to]) = (Conical { radius, growth: 0.0 }).inside(line, squared)
                    && let Some([low, high]) = level(-half_height, half_height)
                    && from.max(low) < to.min(high)
                {
                    // Where the side ends at the height of an end of the segment, a ball goes on.
                    unite([from.max(low), to.min(high)]);
                }
                // By the height, as the cells are: balls and side are tangent, so that rounding decides which
                // one a line meets first.
                let surface = |s: f64| match z + climb * s {
                    z if half_height > 0.0 && z > half_height => number::LID,
                    z if half_height > 0.0 && z < -half_height => number::BASE,
                    _ => number::SIDE,
                };
                let surfaces = found.map(surface);
                limit(found, surfaces);
            }
        }
        (ends[0] < ends[1]).then_some((ends, numbers))
    }

    /// The ends of the core, unless that is a disc.
    pub fn core_ends(&self) -> SmallVec<[CoreEnd; 2]> {
        let size = self.inradius;
        let (volume, height, squares) = match self.profile {
            SoftProfile::Cone { half_height, slope, .. } => {
                let (height, radius) = (2.0 * half_height, 2.0 * slope * half_height);
                let squares =
                    Vec3::new(0.15 * radius * radius, 0.15 * radius * radius, 0.0375 * height * height);
                let volume = PI / 3.0 * radius * radius * height;
                let end = CoreEnd {
                    place: Vec3::Z * self.core_center,
                    volume,
                    centroid: Vec3::Z * (-0.5 * half_height),
                    second: Mat3::from_diagonal(squares * volume),
                };
                return SmallVec::from_iter([end]);
            }
            // Half a ball.
            SoftProfile::Capsule { .. } => {
                (2.0 / 3.0 * PI * size.powi(3), 0.375 * size, Vec3::new(0.2, 0.2, 0.2 - 0.140625))
            }
            // A cylinder as high as its radius.
            SoftProfile::Cylinder { .. } => {
                (PI * size.powi(3), 0.5 * size, Vec3::new(0.25, 0.25, 1.0 / 12.0))
            }
        };
        let end = |way: f64| CoreEnd {
            place: Vec3::Z * (way * self.core_half),
            volume,
            centroid: Vec3::Z * (way * (self.core_half + height)),
            second: Mat3::from_diagonal(squares * (size * size * volume)),
        };
        SmallVec::from_iter([end(1.0), end(-1.0)])
    }

    /// The part of a line that is in the solid.
    pub fn chord(&self, line: &Segment) -> Option<[f64; 2]> {
        self.span(line, &SquaredRadius::of(line)).map(|(ends, _)| ends)
    }

    /// The parts of a line in the solid.
    pub fn line_pieces(&self, line: &Segment) -> InnerPieces {
        let squared = SquaredRadius::of(line);
        let mut found = InnerPieces::default();
        let Some((ends, limits)) = self.span(line, &squared) else { return found };
        let mut cuts = SmallVec::<[(f64, u64); 10]>::new();
        let mut cut = |s: f64, surface: u64| {
            if s > ends[0] && s < ends[1] {
                cuts.push((s, surface));
            }
        };
        let heights = ends.map(|s| line.at.z + line.along.z * s - self.core_center);
        let (low, high) = (heights[0].min(heights[1]), heights[0].max(heights[1]));
        let core = self.core_half;
        let height = |z: f64| (z + self.core_center - line.at.z) / line.along.z;
        match self.profile {
            SoftProfile::Cylinder { .. } => {
                if high > core {
                    let switch = Conical { radius: self.core_radius - core, growth: 1.0 };
                    let is_above = |s: &f64| line.at.z + line.along.z * s >= core;
                    let roots = switch.roots(line, &squared).into_iter();
                    roots.filter(is_above).for_each(|s| cut(s, number::SWITCH));
                }
                if low < -core {
                    let switch = Conical { radius: self.core_radius - core, growth: -1.0 };
                    let is_below = |s: &f64| line.at.z + line.along.z * s <= -core;
                    let roots = switch.roots(line, &squared).into_iter();
                    roots.filter(is_below).for_each(|s| cut(s, number::SWITCH));
                }
                if low < core && high > core {
                    cut(height(core), number::CORE_HEIGHT);
                }
                if low < -core && high > -core && core > 0.0 {
                    cut(height(-core), number::CORE_HEIGHT);
                }
                if self.core_radius > 0.0 {
                    let border = Conical { radius: self.core_radius, growth: 0.0 };
                    border.roots(line, &squared).into_iter().for_each(|s| cut(s, number::CORE_RADIUS));
                }
            }
            SoftProfile::Capsule { .. } => {
                if core > 0.0 {
                    for core in [core, -core] {
                        if low < core && high > core {
                            cut(height(core), number::CORE_HEIGHT);
                        }
                    }
                }
            }
            SoftProfile::Cone { switch, .. } => {
                switch.roots(line, &squared).into_iter().for_each(|s| cut(s, number::SWITCH));
                cut(squared.nearest(), number::AXIS);
            }
        }
        if cuts.len() > 1 {
            cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        }
        found.sign(limits[0]);
        let mut from = ends[0];
        let is_border = |surface: u64| surface != number::FACE;
        for (s, surface) in &cuts {
            found.sign(*surface);
            found.pieces.push(InnerPiece { ends: [from, *s], is_border: [false; 2] });
            from = *s;
        }
        found.pieces.push(InnerPiece { ends: [from, ends[1]], is_border: [false; 2] });
        found.sign(limits[1]);
        let middle = 0.5 * (found.pieces[0].ends[0] + found.pieces[0].ends[1]);
        found.sign(self.cell(line.at + line.along * middle));
        found.sign(self.side_of_axis(line.at.x * line.along.y - line.at.y * line.along.x));
        if let Some(first) = found.pieces.first_mut() {
            first.is_border[0] = is_border(limits[0]);
        }
        if let Some(last) = found.pieces.last_mut() {
            last.is_border[1] = is_border(limits[1]);
        }
        found
    }

    /// The greatest depth on a line and where, negative if it is outside. The depth is a concave function,
    /// so that its maximum is at an end, where it is stationary in a cell, or where the cell changes.
    pub fn line_depth(&self, line: &Segment) -> (f64, f64) {
        let squared = SquaredRadius::of(line);
        let [from, to] = line.ends;
        if let SoftProfile::Cylinder { radius, half_height } = self.profile {
            // The least of two depths: where one of them is greatest and the lesser one, that is it.
            let below = |s: f64| {
                let flat = (line.at + line.along * s).truncate();
                (radius - flat.length(), half_height - (line.at.z + s * line.along.z).abs())
            };
            let nearest = squared.nearest().max(from).min(to);
            let (side, cap) = below(nearest);
            if side <= cap {
                return (side, nearest);
            }
            let middle = (-line.at.z / line.along.z).max(from).min(to);
            let (side, cap) = below(middle);
            if cap <= side {
                return (cap, middle);
            }
        }
        let mut found = (f64::NEG_INFINITY, from);
        let mut consider = |s: f64| {
            // Not a number for a line without a place like this.
            if s.is_nan() {
                return;
            }
            let s = s.clamp(from, to);
            let z = line.at.z + s * line.along.z;
            let flat = (line.at + line.along * s).truncate();
            let depth = self.depth_at(flat.length(), z);
            if depth > found.0 {
                found = (depth, s);
            }
        };
        consider(from);
        consider(to);
        match self.profile {
            SoftProfile::Cylinder { .. } => {
                let heights = [from, to].map(|s| line.at.z + s * line.along.z);
                for growth in [1.0, -1.0] {
                    if heights.iter().any(|z| z * growth > self.core_half) {
                        let switch = Conical { radius: self.core_radius - self.core_half, growth };
                        switch.roots(line, &squared).into_iter().for_each(&mut consider);
                    }
                }
            }
            SoftProfile::Capsule { half_height, .. } => {
                consider(squared.nearest());
                let square = line.along.length_squared();
                for end in [half_height, -half_height] {
                    consider(-(squared.b + (line.at.z - end) * line.along.z) / square);
                }
            }
            SoftProfile::Cone { slope, switch, .. } => {
                // dρ/ds = −slope·dz/ds.
                let rate = -slope * line.along.z;
                let wide = (squared.a * squared.c - squared.b * squared.b).max(0.0);
                let reach = (wide / (squared.a - rate * rate)).sqrt();
                consider((rate * reach - squared.b) / squared.a);
                consider(squared.nearest());
                switch.roots(line, &squared).into_iter().for_each(&mut consider);
            }
        }
        (found.0, found.1)
    }

    /// Distances from the axis at a height at which the solid ends and at which its cells change, the first
    /// one first; `None` outside.
    pub fn level_radii(&self, z: f64) -> Option<SmallVec<[f64; 3]>> {
        let mut radii = SmallVec::new();
        match self.profile {
            SoftProfile::Cylinder { radius, half_height } => {
                if z.abs() > half_height {
                    return None;
                }
                radii.push(radius);
                let beyond = z.abs() - self.core_half;
                if beyond > 0.0 {
                    radii.push(self.core_radius + beyond);
                }
                if self.core_radius > 0.0 {
                    radii.push(self.core_radius);
                }
            }
            SoftProfile::Capsule { radius, half_height } => {
                let beyond = z.abs() - half_height;
                if beyond > radius {
                    return None;
                }
                let beyond = beyond.max(0.0);
                radii.push(if beyond > 0.0 {
                    ((radius - beyond) * (radius + beyond)).sqrt()
                } else {
                    radius
                });
            }
            SoftProfile::Cone { half_height, slope, switch, .. } => {
                let radius = slope * (half_height - z);
                if z < -half_height || radius < 0.0 {
                    return None;
                }
                radii.push(radius);
                let change = switch.radius + switch.growth * z;
                if change > 0.0 {
                    radii.push(change);
                }
            }
        }
        Some(radii)
    }

    /// The side on which a curve passes the axis, if the depth is not smooth there, by a quantity that changes
    /// its sign where the curve meets the axis.
    pub fn side_of_axis(&self, distance: f64) -> u64 {
        u64::from(distance > 0.0 && matches!(self.profile, SoftProfile::Cone { .. }))
    }

    /// Between which of the heights at which cells end a height is.
    pub fn level(&self, z: f64) -> u64 {
        let height = z - self.core_center;
        number::CELL + 1 + u64::from(height > self.core_half) - u64::from(height < -self.core_half)
    }
}
