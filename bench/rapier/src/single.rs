//! Rapier in single precision, as it comes.

#[path = "../../src/shared.rs"]
mod shared;

mod command;
mod scenes;

use rapier3d as rapier;

fn main() {
    command::run();
}
