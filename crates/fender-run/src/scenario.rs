//! What a run needs of a scenario, under one roof.

pub use fender_scenario::{
    Check, Expect, Override, Record, RunSettings, Scenario, Statistic, View, Visual, When,
};
