//! What happened during a step, for people and for the results.

use crate::BodyId;
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
}
