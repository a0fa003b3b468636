use fender_bench::cables::{Case, alpha, run};
use fender_engine::World;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let h: f64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let reps: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let r: f64 = std::env::args().nth(4).unwrap().parse().unwrap();
    let stiff = std::env::args().nth(5).is_some();
    let case = if stiff { Case::Stiff } else { Case::Soft };
    let start = World::new(case.model(n)).state;
    let t = std::time::Instant::now();
    for _ in 0..reps {
        let mut w = World::resume(case.model(n), start.clone()).unwrap();
        let t0 = std::time::Instant::now();
        run(case, &mut w, &alpha(h, r)).unwrap();
        println!(
            "{:?} steps {} eval {} rejected {}",
            t0.elapsed(),
            w.state.step,
            w.state.integrator.evaluations,
            w.state.integrator.rejected
        );
    }
    println!("{:?}", t.elapsed());
}
