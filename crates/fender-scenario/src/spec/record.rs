//! `[[record]]` and `[frames]`.

use crate::quantity::{Positive, Quantity, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which signals are recorded, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSpec {
    /// Names of signals; `*` stands for any text, dots included.
    pub signals: Vec<String>,
    /// Time between samples.
    #[serde(default = "every")]
    pub every: Quantity<Time, Positive>,
}

fn every() -> Quantity<Time, Positive> {
    Quantity::new(0.01)
}

/// Poses and contacts for a viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FramesSpec {
    /// Time between frames; by default 40 ms (25 Hz).
    #[serde(default = "frame")]
    pub every: Quantity<Time, Positive>,
    /// Keep none.
    #[serde(default)]
    pub off: bool,
    /// Pairs of bodies whose nearest points are kept with each frame, to see their distance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<[String; 2]>,
}

fn frame() -> Quantity<Time, Positive> {
    Quantity::new(0.04)
}

impl Default for FramesSpec {
    fn default() -> Self {
        Self { every: frame(), off: false, gaps: Vec::new() }
    }
}
