//! Faces of the rigid solid as families of curves: an outer parameter chooses the curve, an inner one the
//! place on it.

use super::soft_solid::{InnerPiece, InnerPieces, Segment, SoftSolid};
use fender_math::{Vec2, Vec3, float};
use smallvec::SmallVec;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A place on a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    /// The place [m].
    pub place: Vec3,
    /// Outward unit normal of the rigid solid.
    pub normal: Vec3,
    /// Area by both parameters.
    pub density: f64,
}

/// Values of a face's outer parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterRange {
    pub ends: [f64; 2],
    /// Whether one end is the other.
    pub is_closed: bool,
    /// How far a place moves at most when the parameter changes by 1 [m].
    pub speed: f64,
    /// Longest interval over which directions on the face change little.
    pub longest: f64,
}

/// A face of the rigid solid, in the frame of the soft one.
pub(super) trait Face {
    type Curve: Curve;

    fn range(&self) -> OuterRange;

    fn curve(&self, outer: f64) -> Self::Curve;
}

/// One curve of a face.
pub(super) trait Curve {
    /// The parts of the curve in the soft solid.
    fn pieces(&self, soft: &SoftSolid) -> InnerPieces;

    /// The greatest depth on the curve, negative outside [m], and the place.
    fn deepest(&self, soft: &SoftSolid) -> (f64, Vec3);

    fn point(&self, inner: f64) -> SurfacePoint;

    /// Derivative of the place by the inner parameter.
    fn rate(&self, inner: f64) -> Vec3;

    /// Longest piece that one rule of integration is good for.
    fn longest(&self) -> f64;
}

/// A straight curve with one normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct StraightCurve {
    segment: Segment,
    normal: Vec3,
    /// Area by both parameters is `density`·(1 − `taper`·s).
    density: f64,
    taper: f64,
}

impl Curve for StraightCurve {
    fn pieces(&self, soft: &SoftSolid) -> InnerPieces {
        soft.line_pieces(&self.segment)
    }

    fn deepest(&self, soft: &SoftSolid) -> (f64, Vec3) {
        let (depth, s) = soft.line_depth(&self.segment);
        (depth, self.segment.at + self.segment.along * s)
    }

    fn point(&self, inner: f64) -> SurfacePoint {
        SurfacePoint {
            place: self.segment.at + self.segment.along * inner,
            normal: self.normal,
            density: self.density * (1.0 - self.taper * inner),
        }
    }

    fn rate(&self, _: f64) -> Vec3 {
        self.segment.along
    }

    fn longest(&self) -> f64 {
        f64::INFINITY
    }
}

/// Side of a cylinder or cone: outer parameter is the angle, curves are the straight lines up the side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Centre of the axis [m].
    pub center: Vec3,
    /// Two unit vectors across the axis, and the one along it.
    pub axes: [Vec3; 3],
    /// Radius in the middle of the height [m].
    pub radius: f64,
    /// Loss of radius per height.
    pub slope: f64,
    pub half_height: f64,
}

impl Face for Side {
    type Curve = StraightCurve;

    fn range(&self) -> OuterRange {
        let speed = self.radius + self.slope * self.half_height;
        OuterRange { ends: [0.0, TAU], is_closed: true, speed, longest: FRAC_PI_2 }
    }

    fn curve(&self, outer: f64) -> StraightCurve {
        let (sin, cos) = float::sin_cos(outer);
        let [x, y, z] = self.axes;
        let out = x * cos + y * sin;
        let length = (1.0 + self.slope * self.slope).sqrt();
        StraightCurve {
            segment: Segment {
                at: self.center + out * self.radius,
                along: z - out * self.slope,
                ends: [-self.half_height, self.half_height],
            },
            normal: (out + z * self.slope) / length,
            density: self.radius * length,
            taper: self.slope / self.radius,
        }
    }
}

/// A flat disc: curves are parallel chords, outer parameter is the angle on the rim at which they end. So all
/// places move at a limited speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub center: Vec3,
    pub normal: Vec3,
    /// Unit vectors along the chords and across them.
    pub axes: [Vec3; 2],
    pub radius: f64,
}

impl Face for Disc {
    type Curve = StraightCurve;

    fn range(&self) -> OuterRange {
        OuterRange { ends: [0.0, PI], is_closed: false, speed: self.radius, longest: PI }
    }

    fn curve(&self, outer: f64) -> StraightCurve {
        let (sin, cos) = float::sin_cos(outer);
        let half = self.radius * sin.max(0.0);
        let [along, across] = self.axes;
        StraightCurve {
            segment: Segment { at: self.center - across * (self.radius * cos), along, ends: [-half, half] },
            normal: self.normal,
            density: half,
            taper: 0.0,
        }
    }
}

/// Part of a ball between two parallel planes across the soft solid's axis, as far as it belongs to the half
/// on one side of a plane through the centre. Curves are circles around a parallel of that axis, so that the
/// distance from the axis is a cosine along each of them; outer parameter is their angle from the pole, or in
/// the band where the half's rim is, the angle on the rim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dome {
    center: Vec3,
    radius: f64,
    /// Axis of the half, or zero for a part that is whole.
    half: Vec3,
    /// Values of the outer parameter.
    ends: [f64; 2],
    /// Half of the angle over which the band reaches; zero for a whole part.
    lean: f64,
}

impl Dome {
    /// A whole ball.
    pub fn ball(center: Vec3, radius: f64) -> Self {
        Self { center, radius, half: Vec3::ZERO, ends: [0.0, PI], lean: 0.0 }
    }

    /// The half of a ball on the side of a unit vector: its whole part, and the band that has a part of the
    /// rim in every circle.
    pub fn half_ball(center: Vec3, radius: f64, axis: Vec3) -> impl Iterator<Item = Self> {
        let lean = float::atan2(axis.truncate().length(), axis.z.abs());
        let ends = if axis.z >= 0.0 { [0.0, FRAC_PI_2 - lean] } else { [FRAC_PI_2 + lean, PI] };
        let whole = Self { center, radius, half: Vec3::ZERO, ends, lean: 0.0 };
        let band = Self { center, radius, half: axis, ends: [-FRAC_PI_2, FRAC_PI_2], lean };
        [whole, band].into_iter().filter(|part| part.half == Vec3::ZERO || part.lean > 0.0)
    }
}

/// Part of a circle around a parallel of the axis. The inner parameter is the angle from the place that is
/// nearest to the axis.
#[derive(Clone, Debug)]
pub(super) struct Arc {
    center: Vec3,
    /// Of the ball [m].
    ball_radius: f64,
    /// Height above the ball's centre, and radius of the circle [m].
    height: f64,
    radius: f64,
    /// Unit vector from the circle's centre to the axis.
    inward: Vec2,
    /// Distance of the circle's centre from the axis [m].
    distance: f64,
    /// Middle and half of the angles that belong to the face.
    middle: f64,
    half: f64,
    /// Area by both parameters.
    density: f64,
}

impl Face for Dome {
    type Curve = Arc;

    fn range(&self) -> OuterRange {
        // Places on the rim move by the angle on it at most, those on the circles by that times the lean.
        let speed = if self.lean > 0.0 { FRAC_PI_2 * self.radius } else { self.radius };
        OuterRange { ends: self.ends, is_closed: false, speed, longest: FRAC_PI_2 }
    }

    fn curve(&self, outer: f64) -> Arc {
        let (sin, cos, rate) = if self.lean > 0.0 {
            let (part, rate) = float::sin_cos(outer);
            let (sin, cos) = float::sin_cos(self.lean * part);
            // From the equator downwards.
            (cos, -sin, self.lean * rate.max(0.0))
        } else {
            let (sin, cos) = float::sin_cos(outer);
            (sin, cos, 1.0)
        };
        let flat = self.center.truncate();
        let distance = flat.length();
        let inward = if distance > 0.0 { -flat / distance } else { Vec2::X };
        let (height, radius) = (self.radius * cos, self.radius * sin.max(0.0));
        let (mut middle, mut half) = (0.0, PI);
        if self.half != Vec3::ZERO {
            let lean = self.half.truncate();
            let (along, across) = (lean.dot(inward), inward.perp_dot(lean));
            // cos(angle from the middle) ≥ least
            let least = -self.half.z * cos / (lean.length() * sin);
            if least.abs() < 1.0 {
                middle = float::atan2(across, along);
                half = float::atan2(((1.0 - least) * (1.0 + least)).sqrt(), least);
            } else if least >= 1.0 {
                middle = float::atan2(across, along);
                half = 0.0;
            }
        }
        let center = self.center;
        let density = radius * self.radius * rate;
        Arc { center, ball_radius: self.radius, height, radius, inward, distance, middle, half, density }
    }
}

impl Arc {
    /// Half of the angle within which the circle is nearer to the axis than `rho`; `None` if it is not
    /// anywhere, π if it is everywhere.
    fn half_angle(&self, rho: f64) -> Option<f64> {
        let nearest = (self.distance - self.radius).abs();
        if rho <= nearest {
            return None;
        }
        // sin² of a quarter of the angle.
        let square = (rho - nearest) * (rho + nearest) / (4.0 * self.distance * self.radius);
        if square >= 1.0 || square.is_nan() {
            return Some(PI);
        }
        Some(2.0 * float::atan2(square.sqrt(), (1.0 - square).sqrt()))
    }
}

impl Curve for Arc {
    fn pieces(&self, soft: &SoftSolid) -> InnerPieces {
        let mut found = InnerPieces::default();
        let z = self.center.z + self.height;
        let Some(radii) = soft.level_radii(z) else { return found };
        let Some(border) = self.half_angle(radii[0]) else { return found };
        if self.half <= 0.0 {
            return found;
        }
        // Angles at which cells change.
        let mut changes = SmallVec::<[(f64, u64); 8]>::new();
        for (i, radius) in radii.iter().enumerate().skip(1) {
            if let Some(angle) = self.half_angle(*radius).filter(|angle| *angle < border) {
                changes.extend([(-angle, i as u64), (angle, i as u64)]);
            }
        }
        changes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut add = |from: f64, to: f64, is_border: [bool; 2]| {
            if from >= to {
                return;
            }
            found.sign(1 + u64::from(is_border[0]));
            let mut piece = InnerPiece { ends: [from, to], is_border: [is_border[0], false] };
            for (angle, number) in changes.iter().filter(|(angle, _)| *angle > from && *angle < to) {
                piece.ends[1] = *angle;
                found.pieces.push(piece);
                found.sign(2 + number);
                piece = InnerPiece { ends: [*angle, to], is_border: [false; 2] };
            }
            piece.is_border[1] = is_border[1];
            found.pieces.push(piece);
            found.sign(1 + u64::from(is_border[1]));
        };
        // Beyond the angle π the circle goes on at −π: an arc that passes there is cut.
        let is_whole = border >= PI;
        for turn in [-TAU, 0.0, TAU] {
            let own = [self.middle - self.half + turn, self.middle + self.half + turn];
            let is_border = [own[0] < -border && !is_whole, own[1] > border && !is_whole];
            add(own[0].max(-border), own[1].min(border), is_border);
        }
        if !found.pieces.is_empty() {
            found.sign(soft.level(z));
            found.sign(soft.side_of_axis(self.distance - self.radius));
        }
        found
    }

    fn deepest(&self, soft: &SoftSolid) -> (f64, Vec3) {
        let nearest = (self.middle.abs() - self.half).max(0.0).copysign(self.middle);
        let place = self.point(nearest).place;
        (soft.depth(place), place)
    }

    fn point(&self, inner: f64) -> SurfacePoint {
        let (sin, cos) = float::sin_cos(inner);
        let out = self.inward * cos + self.inward.perp() * sin;
        let arm = (out * self.radius).extend(self.height);
        SurfacePoint { place: self.center + arm, normal: arm / self.ball_radius, density: self.density }
    }

    fn rate(&self, inner: f64) -> Vec3 {
        let (sin, cos) = float::sin_cos(inner);
        ((self.inward.perp() * cos - self.inward * sin) * self.radius).extend(0.0)
    }

    fn longest(&self) -> f64 {
        1.01 * PI
    }
}
