//! Rapier in doubles.

#[path = "../../src/shared.rs"]
mod shared;

mod command;
mod scenes;

use rapier3d_f64 as rapier;

fn main() {
    command::run();
}
