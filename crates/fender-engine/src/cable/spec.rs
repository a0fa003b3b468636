//! What a user says of a cable.

use super::{Line, Lump, Pace, Point};
use fender_math::Profile;
use fender_math::Vec3;
use std::sync::Arc;

/// A cable, from its start (s = 0) to its end.
#[derive(Clone, Debug)]
pub struct CableSpec {
    /// Unique name.
    pub name: String,
    /// What it is made of, from its start on.
    pub sections: Vec<Section>,
    /// What holds its start and its end.
    pub ends: [Option<Tie>; 2],
    /// What is along it, in order of arc length.
    pub along: Vec<Along>,
    /// How it lies at the start: unstretched arc lengths, from 0 to its length, and where the cable is there [m]; straight between.
    pub shape: Vec<(f64, Vec3)>,
    /// Velocity of all its nodes that nothing holds, at the start [m/s].
    pub velocity: Vec3,
    /// Whether it begins at rest in equilibrium, which is looked for from the shape given.
    pub settle: bool,
    /// Payout.
    pub payout: Option<Payout>,
    /// Adaptive resolution.
    pub resolution: Option<Resolution>,
    /// A rate of its own; none goes with the bodies.
    pub pace: Option<Pace>,
}

/// A piece of one line.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it is made of.
    pub line: Arc<Line>,
    /// Unstretched length [m].
    pub length: f64,
    /// Elements.
    pub elements: usize,
}

/// What holds a place of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// Where.
    pub point: Point,
    /// Direction of the cable there, from its start to its end, in the body's frame, if it is held: with it the twist is.
    pub clamp: Option<Vec3>,
    /// Whether it holds at the start.
    pub attached: bool,
}

/// Something along a cable.
#[derive(Clone, Debug)]
pub struct Along {
    /// Unstretched arc length from the start [m].
    pub at: f64,
    /// What it is.
    pub what: AlongKind,
}

/// What can be along a cable.
#[derive(Clone, Debug)]
pub enum AlongKind {
    /// A mass that goes with it.
    Lump(Lump),
    /// It is tied to a body there.
    Tie {
        /// Name, unique along the cable.
        name: String,
        /// To what.
        tie: Tie,
    },
    /// It slides through or over something, without friction.
    Guide {
        /// Name, unique along the cable.
        name: String,
        /// Through or over what.
        guide: Guide,
        /// Length that lies on it at the start, half of it on each side of `at` [m]; 0 for a ring.
        rim: f64,
    },
}

/// Something a cable slides through or over without friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guide {
    /// A ring: a point.
    Ring(Point),
    /// A wheel without inertia.
    Sheave {
        /// Its centre.
        center: Point,
        /// Its axis, in the body's frame; the cable goes around it by the right-hand rule.
        axis: Vec3,
        /// Radius of the cable's centre line on it [m].
        radius: f64,
    },
}

impl Guide {
    /// The body it is on; `None` for the world.
    pub fn body(&self) -> Option<crate::BodyId> {
        match self {
            Self::Ring(point) | Self::Sheave { center: point, .. } => point.body,
        }
    }
}

/// Payout and haul-in at an end.
#[derive(Clone, Debug, PartialEq)]
pub struct Payout {
    /// 0 for the start, 1 for the end.
    pub end: usize,
    /// Speed, positive out [m/s].
    pub speed: Profile,
    /// Shortest length [m]: there it stops.
    pub shortest: f64,
    /// Greatest length [m]: there it stops.
    pub longest: f64,
}

/// Where nodes are added and removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Angle between neighbouring elements above which they are split [rad]; they are merged below a quarter of it.
    pub angle: f64,
    /// Residual of an element, as part of the cable's largest tension, above which it is split; they are merged below a sixteenth of it. It is the
    /// force that balances nothing in an element because curvature changes along it.
    pub residual: f64,
    /// Shortest element [m].
    pub shortest: f64,
    /// Longest element [m].
    pub longest: f64,
    /// Nodes at most.
    pub most: usize,
}
