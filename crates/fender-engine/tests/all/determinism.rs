//! Same input, same bits: for any number of threads, after clearing the scratch, across save and restore.

use crate::common::{adaptive, all_integrators, heap, pile};
use fender_engine::{IntegratorSpec, State, World};

fn steps(world: &mut World, spec: &IntegratorSpec, count: usize) {
    let integrator = spec.build();
    for _ in 0..count {
        world.step(&*integrator, f64::INFINITY).unwrap();
    }
}

/// Many balls in contact, so that the parallel path is taken.
fn hash_after(threads: usize, count: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut world = World::new(pile(8));
        steps(&mut world, &IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, count);
        assert!(world.state.slots.len() > 500, "too few contacts to show anything");
        world.state.hash()
    })
}

/// The bits themselves: a change here is a change of results, meant or not. Recorded on x86-64.
#[cfg(target_arch = "x86_64")]
const GOLDEN: u64 = 0xfbae_dfb5_99c1_c9f5;

#[test]
fn one_two_and_eight_threads_give_the_same_bits() {
    let one = hash_after(1, 1400);
    #[cfg(target_arch = "x86_64")]
    assert_eq!(one, GOLDEN, "the hash is now {one:#018x}");
    assert_eq!(one, hash_after(2, 1400));
    assert_eq!(one, hash_after(8, 1400));
}

#[test]
fn patches_have_the_same_bits_for_any_number_of_threads() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new(heap());
            steps(&mut world, &IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, 600);
            assert!(world.state.slots.len() > 15, "too few contacts to show anything");
            world.state.hash()
        })
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(8));
}

#[test]
fn clearing_the_scratch_at_random_steps_changes_nothing() {
    let piles = all_integrators(5e-4, 1e-5).into_iter().map(|spec| (spec, pile(3), pile(3)));
    let heaps = [IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, IntegratorSpec::Rk4 { step: 1e-3 }]
        .map(|spec| (spec, heap(), heap()));
    for (spec, first, second) in piles.chain(heaps) {
        let mut kept = World::new(first);
        let mut cleared = World::new(second);
        let mut seed: u64 = 7;
        for _ in 0..60 {
            steps(&mut kept, &spec, 10);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let before = (seed >> 60) as usize % 10;
            steps(&mut cleared, &spec, before);
            cleared.data.clear();
            if seed & (1 << 40) != 0 {
                cleared.refresh();
            }
            steps(&mut cleared, &spec, 10 - before);
            assert_eq!(kept.state.hash(), cleared.state.hash(), "{spec:?} at t = {}", kept.state.time);
        }
    }
}

#[test]
fn a_saved_state_continues_bit_by_bit() {
    for spec in
        [IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, IntegratorSpec::Rk4 { step: 5e-4 }, adaptive(1e-5)]
    {
        let mut whole = World::new(pile(3));
        steps(&mut whole, &spec, 300);
        let bytes = whole.state.save();
        let restored = State::restore(&bytes).unwrap();
        assert_eq!(restored, whole.state);
        let mut second = World::resume(pile(3), restored).unwrap();
        steps(&mut whole, &spec, 300);
        steps(&mut second, &spec, 300);
        assert_eq!(whole.state.hash(), second.state.hash(), "{spec:?}");
        assert_eq!(whole.state.save(), second.state.save(), "{spec:?}");
    }
}

#[test]
fn a_damaged_or_foreign_state_is_refused() {
    let world = World::new(pile(2));
    let bytes = world.state.save();
    assert!(State::restore(&bytes[..bytes.len() - 3]).is_err());
    let state = State::restore(&bytes).unwrap();
    assert!(World::resume(pile(3), state).is_err());
}
