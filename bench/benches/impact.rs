//! Cost of one impact of a mechanism in a plane, with its collision matrix and the jump of all rates, against one
//! evaluation of its accelerations; and of the solutions in contact space alone.

use criterion::{Criterion, criterion_group, criterion_main};
use fender_bench::impacts::Chain;
use fender_contact::ImpactLaw;
use fender_contact::impact::solve;
use fender_math::{Mat3, Vec3};

fn impacts(c: &mut Criterion) {
    for n in [2, 7, 30] {
        let mut chain = Chain::new(n);
        c.bench_function(&format!("chain of {n}: accelerations"), |b| b.iter(|| chain.accelerate()));
        c.bench_function(&format!("chain of {n}: impact"), |b| b.iter(|| chain.hit()));
    }
    let law = ImpactLaw::new(0.5, 0.3, 0.3).expect("all in range");
    let matrix = |xy: f64, yz: f64| {
        Mat3::from_cols(Vec3::new(3.0, xy, 0.5), Vec3::new(xy, 2.0, yz), Vec3::new(0.5, yz, 1.5))
    };
    for (name, w, v) in [
        ("planar solution", matrix(0.0, 0.0), Vec3::new(0.6, 0.0, -2.0)),
        ("spatial solution, slides", matrix(0.2, -0.4), Vec3::new(2.0, 1.0, -2.0)),
        ("spatial solution, sticks", matrix(0.2, -0.4), Vec3::new(0.6, 0.3, -2.0)),
    ] {
        c.bench_function(name, |b| b.iter(|| solve(std::hint::black_box(&w), v, &law)));
    }
}

criterion_group!(benches, impacts);
criterion_main!(benches);
