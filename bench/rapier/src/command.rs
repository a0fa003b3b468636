//! Runs one benchmark scene in Rapier and prints the figures, for `fender-bench`.
//!
//! `s1 STEP COUNT` prints steps per second. `s2 STEP N SECONDS` prints the real-time factor, the largest kinetic energy
//! of a ball [J] and the deepest overlap [m] at the end. `impact STEP SPEED` prints the restitution.

use crate::scenes;
use std::time::Instant;

/// Does what the command line asks for.
pub fn run() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|a| a.parse::<f64>().ok()).expect("a number");
    match args.first().map(String::as_str) {
        Some("s1") => {
            let mut world = scenes::s1(number(1));
            let count = number(2) as usize;
            let start = Instant::now();
            (0..count).for_each(|_| world.step());
            println!("{}", count as f64 / start.elapsed().as_secs_f64());
        }
        Some("s2") => {
            let (dt, n, seconds) = (number(1), number(2) as u32, number(3));
            let mut world = scenes::s2(n, dt);
            let start = Instant::now();
            (0..(seconds / dt) as usize).for_each(|_| world.step());
            let factor = seconds / start.elapsed().as_secs_f64();
            let (energy, deepest) = scenes::rest(&world, n);
            println!("{factor} {energy} {deepest}");
        }
        Some("impact") => println!("{}", scenes::restitution(number(2), number(1))),
        _ => eprintln!("usage: fender-bench-rapier s1 STEP COUNT | s2 STEP N SECONDS | impact STEP SPEED"),
    }
}
