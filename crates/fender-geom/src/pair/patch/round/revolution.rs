//! A solid of revolution about the z axis between two heights.

use super::cut::Cut;
use fender_math::{Vec2, Vec3};

/// How the radius changes along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Profile {
    /// The same radius everywhere.
    Cylinder {
        /// The radius [m].
        radius: f64,
    },
    /// A radius that grows downwards from zero at the tip.
    Cone {
        /// Height of the tip [m].
        tip: f64,
        /// Radius per depth below the tip.
        slope: f64,
    },
    /// A ball between its two poles.
    Ball {
        /// Height of the lower pole [m].
        south: f64,
        /// Height of the upper pole [m].
        north: f64,
    },
}

/// The solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Revolution {
    /// How its radius changes.
    pub profile: Profile,
    /// Height of its lower end [m].
    pub low: f64,
    /// Height of its upper end [m].
    pub high: f64,
}

impl Revolution {
    /// Between two heights alike above and below the origin [m].
    pub fn new(profile: Profile, half_height: f64) -> Self {
        Self { profile, low: -half_height, high: half_height }
    }

    /// The solid with all heights above `height` [m].
    pub fn above(&self, height: f64) -> Self {
        let profile = match self.profile {
            Profile::Cylinder { radius } => Profile::Cylinder { radius },
            Profile::Cone { tip, slope } => Profile::Cone { tip: tip - height, slope },
            Profile::Ball { south, north } => Profile::Ball { south: south - height, north: north - height },
        };
        Self { profile, low: self.low - height, high: self.high - height }
    }

    /// A length that is at least half of the solid's extent in every direction [m].
    pub fn size(&self) -> f64 {
        let radius = match self.profile {
            Profile::Cylinder { radius } => radius,
            Profile::Cone { .. } => self.radius(self.low),
            Profile::Ball { south, north } => 0.5 * (north - south),
        };
        radius + 0.5 * (self.high - self.low)
    }

    /// Radius of the slice at a height between the ends [m].
    pub fn radius(&self, height: f64) -> f64 {
        match self.profile {
            Profile::Cylinder { radius } => radius,
            Profile::Cone { tip, slope } => (slope * (tip - height)).max(0.0),
            Profile::Ball { south, north } => ((height - south) * (north - height)).max(0.0).sqrt(),
        }
    }

    /// A vector along the outward normal at a place on the round side, whose part across the axis is a unit
    /// vector.
    pub fn side(&self, place: Vec2, height: f64) -> Vec3 {
        let radius = self.radius(height);
        let rise = match self.profile {
            Profile::Cylinder { .. } => 0.0,
            Profile::Cone { slope, .. } => slope,
            Profile::Ball { south, north } => (height - 0.5 * (south + north)) / radius,
        };
        (place / radius).extend(rise)
    }

    /// The highest value of normal·x of the cut over the solid [m], or over the whole of a ball.
    pub fn reach(&self, normal: Vec3, sine: f64) -> f64 {
        let ends = (normal.z * self.low).max(normal.z * self.high);
        match self.profile {
            Profile::Cylinder { radius } => ends + sine * radius,
            Profile::Cone { .. } => {
                (normal.z * self.low + sine * self.radius(self.low)).max(normal.z * self.high)
            }
            Profile::Ball { south, north } => {
                let (center, radius) = (0.5 * (south + north), 0.5 * (north - south));
                let top = center + normal.z * radius;
                if top > self.high {
                    normal.z * self.high + sine * self.radius(self.high)
                } else if top < self.low {
                    normal.z * self.low + sine * self.radius(self.low)
                } else {
                    normal.z * center + radius
                }
            }
        }
    }

    /// Where the plane touches the circles of the slices, from within and from without. Not finite where it
    /// does not. Heights have all their digits for a plane through the origin, however level it is.
    pub fn tangencies(&self, cut: &Cut) -> [Vec3; 2] {
        let Cut { normal, offset, sine, trace } = *cut;
        let at = |flat: Vec2, height: f64| flat.extend(height);
        match self.profile {
            Profile::Cylinder { radius } => {
                [radius, -radius].map(|p| at(trace * p, (offset - p * sine) / normal.z))
            }
            Profile::Cone { tip, slope } => [slope, -slope].map(|slope| {
                let height = (offset - sine * slope * tip) / (normal.z - sine * slope);
                at(trace * (slope * (tip - height)), height)
            }),
            Profile::Ball { south, north } => {
                let (center, radius) = (0.5 * (south + north), 0.5 * (north - south));
                let distance = offset - normal.z * center;
                let wide = ((radius - distance) * (radius + distance)).max(0.0).sqrt();
                [wide, -wide].map(|w| {
                    let height = center * sine * sine + offset * normal.z + w * sine;
                    at(trace * (distance * sine - w * normal.z), height)
                })
            }
        }
    }

    /// Part of the line from `place` along the unit vector `along` that is in the solid.
    pub fn span(&self, place: Vec3, along: Vec3) -> Option<(f64, f64)> {
        let (flat, flat_along) = (place.truncate(), along.truncate());
        let (a, b, c) = match self.profile {
            Profile::Cylinder { radius } => {
                (flat_along.length_squared(), flat.dot(flat_along), flat.length_squared() - radius * radius)
            }
            Profile::Cone { tip, slope } => {
                let (k, z) = (slope * slope, place.z - tip);
                (
                    flat_along.length_squared() - k * along.z * along.z,
                    flat.dot(flat_along) - k * z * along.z,
                    flat.length_squared() - k * z * z,
                )
            }
            Profile::Ball { south, north } => {
                let from_poles = (place.z - south) * (place.z - north);
                let z = place.z - 0.5 * (south + north);
                (1.0, flat.dot(flat_along) + z * along.z, flat.length_squared() + from_poles)
            }
        };
        // a λ² + 2 b λ + c ≤ 0.
        let discriminant = b * b - a * c;
        if discriminant < -1e-9 * (b * b + (a * c).abs()) {
            return None;
        }
        let root = discriminant.max(0.0).sqrt();
        let q = -(b + root.copysign(b));
        let (one, two) = (q / a, c / q);
        let (mut from, mut to) = if a > 0.0 {
            (one.min(two), one.max(two))
        } else if a < 0.0 {
            // In both nappes of the cone: that below the tip.
            if along.z > 0.0 { (f64::NEG_INFINITY, one.min(two)) } else { (one.max(two), f64::INFINITY) }
        } else if b == 0.0 {
            if c > 0.0 {
                return None;
            }
            (f64::NEG_INFINITY, f64::INFINITY)
        } else if b > 0.0 {
            (f64::NEG_INFINITY, two)
        } else {
            (two, f64::INFINITY)
        };
        if along.z == 0.0 {
            if place.z < self.low || place.z > self.high {
                return None;
            }
        } else {
            let ends = [(self.low - place.z) / along.z, (self.high - place.z) / along.z];
            from = from.max(ends[0].min(ends[1]));
            to = to.min(ends[0].max(ends[1]));
        }
        (from <= to).then_some((from, to))
    }
}
