//! Screw: turning about z and sliding along it in proportion.

use super::{AlongZ, Coordinate, Joint, JointMotion};

/// Turning about z, sliding along it by `lead` [m] per turn.
#[derive(Clone, Copy, Debug)]
pub struct Screw {
    /// Distance per turn [m].
    pub lead: f64,
}

impl Screw {
    fn in_short(self) -> AlongZ {
        AlongZ { turn: 1.0, rise: self.lead / std::f64::consts::TAU }
    }
}

impl Joint for Screw {
    fn name(&self) -> &'static str {
        "screw"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle("angle")]
    }

    fn along_z(&self) -> Option<AlongZ> {
        Some(self.in_short())
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        self.in_short().motion(q[0], v)
    }
}
