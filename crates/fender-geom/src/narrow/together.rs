//! Points of a contact that count together.

use fender_contact::PointOverlap;
use fender_math::Vec3;

/// Points of one normal: one that has the force, the moment and, with a linear law, the energy of all.
#[derive(Clone, Copy, Default)]
pub struct Together {
    /// Sum of share·depth [m].
    force: f64,
    /// Sum of share·depth² [m²].
    energy: f64,
    /// Sum of share·depth·place [m²].
    moment: Vec3,
}

impl Together {
    pub fn one(point: &PointOverlap) -> Self {
        let force = point.share * point.depth;
        Self { force, energy: force * point.depth, moment: point.point * force }
    }

    pub fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.energy += other.energy;
        self.moment += other.moment;
    }

    pub fn is_empty(&self) -> bool {
        self.force <= 0.0
    }

    pub fn share(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.force * (self.force / self.energy) }
    }

    /// Place [m] and depth [m].
    pub fn place(&self) -> (Vec3, f64) {
        (self.moment / self.force, self.energy / self.force)
    }
}

/// Which quarter of a plane a direction is in, from 0 to 3. Corners of regular polygons and of boxes are on no limit.
pub fn quarter(u: f64, v: f64) -> usize {
    let (u, v) = (u + 0.123 * v, v - 0.123 * u);
    usize::from(u < 0.0) + 2 * usize::from(v < 0.0)
}
