//! The step loop does not allocate once it is warm.
#![allow(unsafe_code)] // a counting allocator cannot be written without it; nothing else in the project uses it

mod common;

use common::{adaptive, pile};
use fender_engine::{IntegratorSpec, World};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_do_not_allocate_after_warm_up() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Inside the pool, so that starting work from outside it does not count.
        pool.install(|| {
            for (spec, warm_up) in [
                (IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, 4000),
                (IntegratorSpec::Rk4 { step: 5e-4 }, 4000),
                (adaptive(1e-4), 4000),
            ] {
                let mut world = World::new(pile(6));
                let integrator = spec.build();
                let mut step = |count: usize| {
                    for _ in 0..count {
                        world.step(&*integrator, f64::INFINITY).unwrap();
                        world.events.clear();
                    }
                };
                step(warm_up);
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                step(200);
                let count = ALLOCATIONS.load(Ordering::Relaxed) - before;
                assert_eq!(count, 0, "{spec:?} on {threads} threads allocated {count} times in 200 steps");
            }
        });
    }
}
