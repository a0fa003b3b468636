//! What happened during a step, for people and for the results.

use crate::{BodyId, CableId, ForceId, LoopId};
use fender_contact::impact::Path;
use serde::{Deserialize, Serialize};

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When [s].
    pub time: f64,
    /// What.
    pub kind: EventKind,
}

/// Kinds of event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// Two bodies that were apart touch.
    Touch {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
        /// Approach speed [m/s].
        speed: f64,
    },
    /// Two bodies that touched are apart.
    Release {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
    },
    /// Two bodies that stuck to each other begin to slide.
    Slip {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
    },
    /// A loop was attached.
    Attached {
        /// The loop.
        closed: LoopId,
        /// Energy that it took [J].
        lost: f64,
    },
    /// A loop was detached.
    Detached {
        /// The loop.
        closed: LoopId,
    },
    /// A loop broke.
    Broke {
        /// The loop.
        closed: LoopId,
        /// Its load, as part of the one it can bear.
        load: f64,
    },
    /// A place of a cable was tied.
    Tied {
        /// The cable.
        cable: CableId,
        /// Which of its ties.
        tie: u32,
        /// Energy that it took [J].
        lost: f64,
    },
    /// A place of a cable was let go.
    Untied {
        /// The cable.
        cable: CableId,
        /// Which of its ties.
        tie: u32,
    },
    /// A force element was switched on.
    Enabled {
        /// The force element.
        force: ForceId,
    },
    /// A force element was switched off.
    Disabled {
        /// The force element.
        force: ForceId,
    },
    /// A body entered the dynamics.
    Entered {
        /// The body.
        body: BodyId,
    },
    /// A body left the dynamics.
    Left {
        /// The body.
        body: BodyId,
    },
    /// The step is too large for a contact; told once.
    StepTooLarge {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
        /// Step in use [s].
        step: f64,
        /// Largest step that resolves this contact [s].
        limit: f64,
        /// A step that would do [s].
        suggested: f64,
    },
    /// A patch is deeper than its law is valid for; told once for each pair of bodies.
    TooDeep {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
        /// Depth [m].
        depth: f64,
        /// Depth up to which the law is valid [m].
        limit: f64,
    },
    /// Two bodies collided, and their velocities jumped.
    Impact {
        /// First body.
        a: BodyId,
        /// Second body.
        b: BodyId,
        /// Approach speed [m/s].
        speed: f64,
        /// Size of the impulse [N·s].
        impulse: f64,
        /// When the slip stopped.
        path: Path,
    },
    /// A cable went slack.
    Slack {
        /// The cable.
        cable: CableId,
        /// Arc length of the first element that did [m].
        at: f64,
    },
    /// A slack cable is taut again.
    Taut {
        /// The cable.
        cable: CableId,
        /// Arc length of the element that is stretched fastest [m].
        at: f64,
        /// Its rate of strain [1/s].
        rate: f64,
    },
    /// The largest tension after a cable became taut again has passed.
    Snap {
        /// The cable.
        cable: CableId,
        /// The tension [N].
        peak: f64,
        /// When it was [s].
        when: f64,
        /// Arc length of it [m].
        at: f64,
        /// Step with which it was found [s].
        step: f64,
    },
    /// A free end slid out of a ring or off a wheel.
    SlidOut {
        /// The cable.
        cable: CableId,
        /// The guide.
        guide: u32,
    },
    /// Payout or haul-in stopped at a bound, or because something on the cable came to a guide.
    PayoutStopped {
        /// The cable.
        cable: CableId,
        /// Its unstretched length [m].
        length: f64,
        /// Why.
        why: PayoutStop,
    },
}

/// Why payout stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PayoutStop {
    /// The cable has its shortest length.
    Shortest,
    /// The cable has its greatest length.
    Longest,
    /// What cannot go through a guide came to it (two-blocking): which guide, and which node of the cable.
    Guide {
        /// The guide.
        guide: u32,
        /// The node.
        node: u32,
    },
}
