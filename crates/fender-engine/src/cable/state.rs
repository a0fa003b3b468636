//! What of a cable can change: how many nodes it has, how long its elements are, what holds it.

use super::PaceState;
use fender_math::Vec3;
use serde::{Deserialize, Serialize};

/// No tie, no lump, no guide.
pub(crate) const NONE: u32 = u32::MAX;

/// How a cable is divided and held now. Positions and velocities of its nodes are in `State::q` and `State::v`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CableState {
    /// Nodes, from the start on.
    pub nodes: Vec<NodeState>,
    /// Elements; one fewer than nodes.
    pub elements: Vec<ElementState>,
    /// What holds it: the start's tie, the end's, those along it.
    pub ties: Vec<TieState>,
    /// When the lengths of elements at payout were those given here [s].
    pub since: f64,
    /// Payout speed ordered by the control, instead of the model's [m/s].
    pub ordered: Option<f64>,
    /// Unstretched length paid out since the beginning [m].
    pub paid: f64,
    /// What it remembers if it has a rate of its own.
    pub pace: Option<PaceState>,
    /// Guide that something came to while the cable was hauled in, and the node that it is at: until it is paid out again, nothing is hauled in.
    pub blocked: Option<(u32, u32)>,
    /// How fast it may be hauled in so that it stops before something comes to a guide [m/s], if that is near.
    pub bound: Option<f64>,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeState {
    /// The tie that holds it, or `NONE`.
    pub(crate) tie: u32,
    /// The lump it carries, or `NONE`.
    pub(crate) lump: u32,
    /// Angle between the directions across of the elements before and after it at the end of the last step, with all full
    /// turns [rad].
    pub(crate) offset: f64,
    /// Place on the seabed that friction holds it to [m], if it lies there.
    pub(crate) grip: Option<[f64; 2]>,
}

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementState {
    /// Unstretched length [m].
    pub length: f64,
    /// Unstretched length it was given at the beginning [m]: elements at payout and at guides are kept near it.
    pub(crate) target: f64,
    /// What it is made of.
    pub(crate) line: u32,
    /// What it goes through or over, or `NONE`.
    pub(crate) guide: u32,
    /// Its direction at the end of the last step, and a direction across from which its twist is counted.
    pub(crate) along: Vec3,
    pub(crate) across: Vec3,
}

impl ElementState {
    /// Whether it goes through a ring or over a wheel.
    pub fn is_guided(&self) -> bool {
        self.guide != NONE
    }
}

/// What holds a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieState {
    /// Whether it holds now.
    pub active: bool,
    /// Where, in the body's frame [m].
    pub at: Vec3,
    /// Angle of the clamped frame about the direction, from the body's [rad].
    pub(crate) turned: f64,
}

impl CableState {
    /// Takes another over without new memory where there is enough.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self { nodes, elements, ties, since, ordered, paid, pace, blocked, bound } = other;
        self.nodes.clone_from(nodes);
        self.elements.clone_from(elements);
        self.ties.clone_from(ties);
        (self.since, self.ordered, self.paid) = (*since, *ordered, *paid);
        match (&mut self.pace, pace) {
            (Some(to), Some(from)) => to.copy_from(from),
            (to, from) => to.clone_from(from),
        }
        (self.blocked, self.bound) = (*blocked, *bound);
    }

    /// The tie that holds a node now.
    #[inline]
    pub(crate) fn holds(&self, node: usize) -> Option<usize> {
        let tie = self.nodes[node].tie;
        (tie != NONE && self.ties[tie as usize].active).then_some(tie as usize)
    }

    /// Unstretched length at the end of the last step [m].
    pub fn length(&self) -> f64 {
        self.elements.iter().map(|e| e.length).sum()
    }
}
