//! `[[event]]`, and bodies that come and go by themselves.

use crate::quantity::{Length, NonNegative, Positive, Quantity, Time, Velocity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that comes or goes at a time: at the end of the first step that reaches it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventSpec {
    /// When.
    pub at: Quantity<Time, NonNegative>,
    /// A loop that holds no longer, or a place of a cable that is let go: `CABLE.start`, `CABLE.end`, `CABLE.TIE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detach: Option<String>,
    /// A loop that holds from now on, or a place of a cable that is tied, everything where it is then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attach: Option<String>,
    /// A force that acts no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disable: Option<String>,
    /// A force that acts again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable: Option<String>,
    /// A body that stops and stays where it is from now on, with what is attached to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave: Option<String>,
    /// A body that moves again, with what is attached to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enter: Option<String>,
}

/// The body waits where it is, as if fixed, until others come near, and stays again where it comes to rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdleSpec {
    /// Bodies, or arrays of bodies, that wake it when their boxes come near its own.
    pub near: Vec<String>,
    /// How near.
    #[serde(default = "margin")]
    pub margin: Quantity<Length, Positive>,
    /// Speed below which it is at rest.
    #[serde(default = "rest_speed")]
    pub rest_speed: Quantity<Velocity, Positive>,
    /// How long it must be at rest before it stays.
    #[serde(default = "rest_time")]
    pub rest_time: Quantity<Time, NonNegative>,
}

fn margin() -> Quantity<Length, Positive> {
    Quantity::new(0.1)
}

fn rest_speed() -> Quantity<Velocity, Positive> {
    Quantity::new(0.01)
}

fn rest_time() -> Quantity<Time, NonNegative> {
    Quantity::new(0.5)
}
