//! Scenes shared by the benchmarks and the side-by-side runs.
//!
//! S1: a ball of radius 0.1 m and 1 kg released at z = 1 m over a plane, then resting.
//! S2: n³ such balls in a grid of 0.21 m with ±4 mm jitter in x and y, first layer at 0.15 m, in a square pit.

pub mod cables;
pub mod fender;
pub mod help;
pub mod impacts;
pub mod mechanisms;
pub mod pairs;
pub mod patches;
pub mod shared;
pub mod trees;
