//! Cost of one evaluation of a tree's accelerations: kinematics and the articulated-body algorithm.

use criterion::{Criterion, criterion_group, criterion_main};
use fender_bench::trees::{Branching, Kind, Tree};
use fender_engine::tree;
use fender_math::Twist;

fn forward_dynamics(c: &mut Criterion) {
    for n in [7, 30, 100] {
        for (name, branching) in [("chain", Branching::Serial), ("tree", Branching::Random)] {
            let mut world = Tree::random(7, n, &[Kind::Revolute], branching, false).world();
            let mut out = vec![0.0; world.model.nv];
            c.bench_function(&format!("{name} of {n}"), |b| {
                b.iter(|| {
                    let (model, state, data) = (&world.model, &world.state, &mut world.data);
                    tree::kinematics(
                        &model.links,
                        0.0,
                        &state.q,
                        &state.v,
                        &mut data.bodies,
                        &mut data.links,
                    );
                    tree::accelerations(
                        &model.links,
                        &data.bodies,
                        &data.wrenches,
                        model.gravity,
                        |_| Twist::default(),
                        &mut data.links,
                        &mut out,
                    );
                    out[0]
                });
            });
        }
    }
}

criterion_group!(benches, forward_dynamics);
criterion_main!(benches);
