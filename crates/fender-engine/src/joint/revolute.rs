//! Revolute: turning about z.

use super::{AlongZ, Coordinate, Joint, JointMotion};

/// Turning about z: hinges, slewing rings, elbows.
#[derive(Clone, Copy, Debug)]
pub struct Revolute;

impl Revolute {
    const ALONG_Z: AlongZ = AlongZ { turn: 1.0, rise: 0.0 };
}

impl Joint for Revolute {
    fn name(&self) -> &'static str {
        "revolute"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle("angle")]
    }

    fn along_z(&self) -> Option<AlongZ> {
        Some(Self::ALONG_Z)
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        Self::ALONG_Z.motion(q[0], v)
    }
}
