//! Cost of one step, warmed to a typical state.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use fender_bench::fender;
use fender_engine::{IntegratorSpec, World};

fn step(c: &mut Criterion) {
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 5e-4 }.build();
    for (name, scene, warm_up) in [
        ("s1 resting", fender::s1 as fn() -> World, 6000),
        ("s2 settling", || fender::s2(10), 1500),
        ("s2 at rest", || fender::s2(10), 9000),
    ] {
        let mut world = scene();
        let advance = |world: &mut World| {
            world.step(&*integrator, f64::INFINITY).expect("the scene does not diverge");
            world.events.clear();
        };
        (0..warm_up).for_each(|_| advance(&mut world));
        let warm = world.state.clone();
        c.bench_function(name, |b| {
            b.iter_batched(
                || warm.clone(),
                |state| {
                    world.state = state;
                    world.data.clear();
                    (0..20).for_each(|_| advance(&mut world));
                },
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, step);
criterion_main!(benches);
