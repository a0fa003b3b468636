//! What geometry tells of a pair of shapes.

pub mod patch;
