//! Cables: chains of nodes with mass, joined by elements that stretch, bend and twist.
//!
//! Nodes P_i at unstretched arc lengths s_i; the mass of half an element is at each of its nodes. What is at a node that a body
//! holds goes with the body (`carried`). Each force is minus the gradient of an energy, or dissipates:
//! - `axial`: tension by the strain of the chord, ε = l/L − 1, also through rings and over wheels (`guide`);
//! - `bending`: the centre line is a cubic spline, whose bending energy is exact (`bending`);
//! - `torsion`: an angle per element, counted from a frame that is carried along without twist (Bergou et al. 2010);
//! - `loads`: weight, water, wind, seabed.
//!
//! Cables may step at their own rate (`pace`). What can be read off a cable is in `observe`, what is followed over a run in `statistics`.
//!
//! The derivation is in the book (theory, cables). Nodes' coordinates are in `State::q` and `State::v`, so that every integrator
//! moves them; how the cable is divided is in [`CableState`]. Implicit methods solve a block-tridiagonal system (`system`).

mod augmented;
mod axial;
pub(crate) mod balance;
mod bending;
mod carried;
mod change;
mod compile;
mod doubt;
mod error;
mod evaluate;
mod guide;
mod line;
mod loads;
mod observe;
mod pace;
mod place;
mod remesh;
mod settle;
mod spec;
mod spline;
mod state;
mod statistics;
mod step;
mod system;
#[cfg(test)]
mod tests;
mod through;
mod torsion;

pub(crate) use augmented::Augmented;
pub(crate) use carried::{Carried, carried_work};
pub(crate) use change::switch;
pub use doubt::{BentStretch, CableDoubts, Compression};
pub(crate) use doubt::{bent_stretch, compressed};
pub use error::CableError;
pub(crate) use evaluate::{CableData, forces, kinematics};
pub use line::{Axial, Line, Lump, Point, Pull};
pub use observe::{CableView, CurvePoint, Extremes, Found, Passage, Station};
pub use pace::{Pace, PaceState};
pub(crate) use pace::{PaceData, begin as begin_paces, check as check_pace, keep_up, renew};
pub(crate) use remesh::{arrived, remesh, stuck};
pub use settle::Settled;
pub(crate) use settle::{hidden_length, settle, to_guides};
pub use spec::{Along, AlongKind, CableSpec, Guide, Payout, Resolution, Section, Tie};
pub use state::{CableState, ElementState, NodeState, TieState};
pub use statistics::{CableStatistics, Extreme};
pub(crate) use statistics::{FINE, begin as begin_statistics, watch};
pub(crate) use step::after_step;
pub(crate) use system::{CableSystem, PortKind, force_on};
pub use through::CableThroughBody;

use fender_math::Profile;
use fender_math::Vec3;
use std::sync::Arc;

/// A cable in the model.
#[derive(Clone, Debug)]
pub struct Cable {
    /// Unique name.
    pub name: String,
    /// What its sections are made of.
    pub lines: Vec<Arc<Line>>,
    /// What can hold it: the start's tie, the end's, those along it, each with its name.
    pub ties: Vec<(String, Tie)>,
    /// What it goes through or over.
    pub guides: Vec<(String, Guide)>,
    /// What it carries.
    pub lumps: Vec<Lump>,
    /// Payout.
    pub payout: Option<Payout>,
    /// Adaptive resolution.
    pub resolution: Option<Resolution>,
    /// A rate of its own.
    pub pace: Option<Pace>,
    /// Whether it begins at rest in equilibrium.
    pub settle: bool,
    /// Nodes at most.
    pub capacity: usize,
    /// Whether any line resists bending.
    pub bends: bool,
    /// Whether any line resists twist.
    pub twists: bool,
    /// Index of its first coordinate in `State::q`: places of all nodes, then angles of all elements if it twists.
    pub(crate) q: usize,
    /// Index of its first velocity in `State::v`.
    pub(crate) v: usize,
    /// First of its sources in the account.
    pub(crate) source: usize,
    /// How it came to rest before the start, if it did.
    pub settled: Option<Settled>,
    /// How it is divided at the start.
    pub(crate) start: CableState,
    /// Where its nodes are at the start [m], and how fast [m/s].
    pub(crate) places: Vec<Vec3>,
    pub(crate) velocity: Vec3,
    /// Angles of its elements at the start, if they are not zero [rad].
    pub(crate) angles: Vec<f64>,
}

/// Sources of a cable in the account, after `cable.NAME.`.
pub(crate) const SOURCES: [&str; 5] = ["damping", "fluid", "seabed", "payout", "mesh"];
pub(crate) const DAMPING: usize = 0;
pub(crate) const FLUID: usize = 1;
pub(crate) const SEABED: usize = 2;
pub(crate) const PAYOUT: usize = 3;
pub(crate) const MESH: usize = 4;

impl Cable {
    /// Names of its sources in the account.
    pub(crate) fn sources(&self) -> impl Iterator<Item = String> {
        let coupling = self.pace.is_some().then_some("coupling");
        SOURCES.into_iter().chain(coupling).map(|source| format!("cable.{}.{source}", self.name))
    }

    /// Numbers it has in `State::q`, and as many in `State::v`.
    pub(crate) fn coordinates(&self) -> usize {
        3 * self.capacity + if self.twists { self.capacity } else { 0 }
    }

    /// Where an element's angle is, from the cable's first coordinate.
    #[inline]
    pub(crate) fn angle(&self, element: usize) -> usize {
        3 * self.capacity + element
    }

    /// Payout speed that is asked for at a time [m/s].
    pub(crate) fn ordered(&self, state: &CableState, time: f64) -> f64 {
        let asked = self.payout.as_ref().map_or(0.0, |payout| payout.speed.sample(time)[0]);
        state.ordered.unwrap_or(asked)
    }

    /// Payout speed [m/s] at a time [s], and how much was paid out since the state's lengths were written [m].
    pub(crate) fn paid(&self, state: &CableState, time: f64) -> (f64, f64) {
        let Some(payout) = &self.payout else { return (0.0, 0.0) };
        let speed = |time: f64| {
            let speed = self.ordered(state, time);
            match (state.blocked, state.bound) {
                (Some(_), _) => speed.max(0.0),
                (None, Some(bound)) => speed.max(-bound),
                (None, None) => speed,
            }
        };
        let (now, then) = (speed(time), speed(state.since));
        // Steps of the speed are met by the step's end: within a step the speed is as at its beginning.
        let now = if matches!(payout.speed, Profile::Steps(_)) { then } else { now };
        let length = state.length();
        let paid = 0.5 * (now + then) * (time - state.since);
        let wanted = length + paid;
        let bounded = wanted.clamp(payout.shortest.min(length), payout.longest.max(length));
        if bounded == wanted { (now, paid) } else { (0.0, bounded - length) }
    }
}
