//! Runs one benchmark scene in Rapier and prints the figures, for `fender-bench`.
//!
//! `s1 STEP COUNT` prints steps per second. `s2 STEP N SECONDS` prints the real-time factor, the largest kinetic energy
//! of a ball [J] and the deepest overlap [m] at the end. `s3 STEP N SECONDS` prints the real-time factor, largest and mean
//! kinetic energy of a box [J], the deepest overlap [m] and the mean height [m] at the end. `impact STEP SPEED` prints the restitution.

use crate::scenes;
use std::time::Instant;

/// Processor time of this thread [s]; the machine is not ours alone.
fn clock() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split_whitespace().next().and_then(|w| w.parse().ok()).unwrap_or(f64::NAN);
    nanoseconds * 1e-9
}

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
        Some("s3") => {
            let (dt, n, seconds) = (number(1), number(2) as u32, number(3));
            let mut world = scenes::s3(n, dt);
            let start = clock();
            (0..(seconds / dt) as usize).for_each(|_| world.step());
            let factor = seconds / (clock() - start);
            let [most, mean, deepest, height] = scenes::rest_of_boxes(&world);
            println!("{factor} {most} {mean} {deepest} {height}");
        }
        Some("impact") => println!("{}", scenes::restitution(number(2), number(1))),
        _ => eprintln!("usage: fender-bench-rapier s1 STEP COUNT | s2 STEP N SECONDS | s3 STEP N SECONDS | impact STEP SPEED"),
    }
}
