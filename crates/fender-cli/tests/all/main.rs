//! The tests of `fender-cli`, one module per subject, in one program: they are linked once.

mod bad_input;
mod balance;
mod cable_results;
mod catalogues;
mod common;
mod comparing;
mod fitting;
mod importing;
mod plots;
mod running;
mod scenarios;
mod stopping;
mod sweeps;
mod validation;
mod viewing;
