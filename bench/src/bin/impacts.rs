//! `cargo run --release -p fender-bench --bin impacts`: an impact of a mechanism beside one evaluation of its accelerations,
//! the best of many windows of each in turn.

use fender_bench::impacts::Chain;
use std::time::Instant;

/// Time of one call [µs], over a window of many.
fn window(mut call: impl FnMut() -> f64) -> f64 {
    const CALLS: u32 = 2000;
    let start = Instant::now();
    for _ in 0..CALLS {
        std::hint::black_box(call());
    }
    1e6 * start.elapsed().as_secs_f64() / f64::from(CALLS)
}

fn main() {
    if fender_bench::help::is_asked("An impact of a mechanism beside one evaluation of its accelerations.") {
        return;
    }
    println!("| Chain of | accelerations [µs] | impact [µs] | ratio |\n|---|---|---|---|");
    for n in [2, 7, 30] {
        let mut chain = Chain::new(n);
        let (mut accelerations, mut impact) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..200 {
            accelerations = accelerations.min(window(|| chain.accelerate()));
            impact = impact.min(window(|| chain.hit()));
        }
        println!("| {n} | {accelerations:.2} | {impact:.2} | {:.2} |", impact / accelerations);
    }
}
