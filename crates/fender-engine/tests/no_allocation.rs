//! The step loop does not allocate once it is warm.
#![allow(unsafe_code)] // a counting allocator cannot be written without it; nothing else in the project uses it

mod common;

use common::{GRAVITY, adaptive, free, implicit, pile};
use fender_engine::closure::{Anchor, Course, Line};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{Adaptive, BodyId, IntegratorSpec, LoopKind, LoopSpec, ModelBuilder, World};
use fender_math::{MassProperties, Pose, Vec3};
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

// The counter sees every thread, so there is one test only.
#[test]
fn steps_do_not_allocate_after_warm_up() {
    mechanisms_do_not_allocate_after_warm_up();
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

fn mechanisms_do_not_allocate_after_warm_up() {
    let step = 1e-3;
    let settings = Adaptive { relative: 1e-6, absolute: 1e-8, max_step: 0.01 };
    for spec in [
        IntegratorSpec::Rk4 { step },
        implicit(step, AlphaMethod::Newmark),
        implicit(step, AlphaMethod::GeneralizedAlpha { radius: 0.5 }),
        IntegratorSpec::Sdirk4(settings),
        IntegratorSpec::DormandPrince(settings),
    ] {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let mass = MassProperties::solid_sphere(1.0, 0.1);
        let ends: Vec<BodyId> = (0..2)
            .map(|i| {
                let mut end = free(&format!("end{i}"), mass);
                end.pose = Pose::from_translation(Vec3::X * f64::from(i + 1));
                builder.body(end)
            })
            .collect();
        for (name, bodies) in [("first", [None, Some(ends[0])]), ("second", [Some(ends[0]), Some(ends[1])])] {
            let anchors = bodies.map(|body| Anchor { body, point: Vec3::ZERO }).to_vec();
            let line = Line { anchors, length: Course::Constant(1.0) };
            builder.closed_loop(LoopSpec { name: name.into(), kind: LoopKind::Bodies(Box::new(line)) });
        }
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        let mut step = |count: usize| {
            for _ in 0..count {
                world.step(&*integrator, f64::INFINITY).unwrap();
            }
        };
        step(100);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        step(200);
        let count = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(count, 0, "{spec:?} allocated {count} times in 200 steps");
    }
}
