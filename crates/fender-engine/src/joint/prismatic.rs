//! Prismatic: sliding along z.

use super::{AlongZ, Coordinate, Joint, JointMotion};

/// Sliding along z: cylinders, telescopes, slides.
#[derive(Clone, Copy, Debug)]
pub struct Prismatic;

impl Prismatic {
    const ALONG_Z: AlongZ = AlongZ { turn: 0.0, rise: 1.0 };
}

impl Joint for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance("distance")]
    }

    fn along_z(&self) -> Option<AlongZ> {
        Some(Self::ALONG_Z)
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        Self::ALONG_Z.motion(q[0], v)
    }
}
