//! `cargo run --release -p fender-bench --bin pairs`: what it takes to find pairs, beside a step and the contact forces.
//! One thread, the best of many.

use fender_bench::{fender, pairs};
use fender_engine::{Integrator, IntegratorSpec, World};
use std::time::Instant;

/// Step [s], that of S2 in the other benchmarks.
const STEP: f64 = 6e-4;
/// Steps before anything is measured: 1.8 s.
const WARM: usize = 3000;

fn main() {
    if fender_bench::help::is_asked("What it takes to find pairs, beside a step and the contact forces.") {
        return;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(table);
}

fn table() {
    println!(
        "| Scene | pairs | search, µs | searches per step | per step, µs | contact forces, µs | step, µs |"
    );
    println!("|---|---|---|---|---|---|---|");
    for n in [10, 22] {
        let mut bare = pairs::apart(n);
        let (without, _) = evaluation(&mut bare);
        row(&format!("pile of {} balls", n * n * n), fender::s2(n), Some(without));
    }
    row("100 balls on 10 000 fixed boxes", pairs::scenery(), None);
    row("100 bodies of 50 boxes, in a pile", pairs::pieces(true), None);
    row("100 bodies of 50 boxes, apart", pairs::pieces(false), None);
}

/// Prints what one scene takes. `without` is the time of an evaluation of as many bodies without contacts [µs].
fn row(name: &str, mut world: World, without: Option<f64>) {
    let integrator = IntegratorSpec::SemiImplicitEuler { step: STEP }.build();
    (0..WARM).for_each(|_| advance(&mut world, &*integrator));
    world.refresh();
    let (kept, search) = evaluation(&mut world);
    let before = world.data.pair_searches();
    let mut step = f64::INFINITY;
    let (windows, steps) = (5, 100);
    for _ in 0..windows {
        let start = Instant::now();
        (0..steps).for_each(|_| advance(&mut world, &*integrator));
        step = step.min(1e6 * start.elapsed().as_secs_f64() / f64::from(steps));
    }
    let searches = (world.data.pair_searches() - before) as f64 / f64::from(windows * steps);
    let forces = without.map_or_else(String::new, |without| format!("{:.0}", kept - without));
    let found = world.data.candidate_pairs();
    println!(
        "| {name} | {found} | {search:.0} | {searches:.3} | {:.1} | {forces} | {step:.0} |",
        search * searches
    );
}

fn advance(world: &mut World, integrator: &dyn Integrator) {
    world.step(integrator, f64::INFINITY).expect("the scene does not diverge");
    world.events.clear();
}

/// Time of one evaluation with the pairs it has, and what it takes longer to find them anew [µs].
fn evaluation(world: &mut World) -> (f64, f64) {
    let timed = |world: &mut World| {
        let start = Instant::now();
        world.refresh();
        1e6 * start.elapsed().as_secs_f64()
    };
    let (mut kept, mut anew) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..100 {
        world.data.invalidate();
        kept = kept.min(timed(world));
        world.data.forget_pairs();
        anew = anew.min(timed(world));
    }
    (kept, anew - kept)
}
