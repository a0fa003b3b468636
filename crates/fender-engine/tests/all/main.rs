//! The tests of `fender-engine`, one module per subject, in one program: they are linked once.

mod balance;
mod bristles;
mod cable_views;
mod cables;
mod changes;
mod closures;
mod common;
mod contact;
mod controllers;
mod determinism;
mod fast;
mod free_motion;
mod free_rotation;
mod guides;
mod impacts;
mod implicit;
mod joints;
mod memory;
mod model;
mod own_rate;
mod patches;
mod properties;
mod scenery;
mod sensors;
mod stiff_impacts;
mod trees;
