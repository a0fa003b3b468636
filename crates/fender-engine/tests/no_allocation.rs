//! The step loop does not allocate once it is warm.
//!
//! A program of its own: the allocator that counts is the whole program's, and tests beside this one would be
//! counted too.
#![allow(unsafe_code)] // a counting allocator cannot be written without it; nothing else in the project uses it

#[path = "all/common/mod.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod common;

use common::{GRAVITY, adaptive, ball, block, coulomb, free, heap, implicit, linear, on, pile, wall};
use fender_contact::ImpactLaw;
use fender_engine::Profile;
use fender_engine::cable::{CableSpec, Line as CableLine, Pace, Point, Section, Tie};
use fender_engine::closure::{Anchor, Line};
use fender_engine::integrator::AlphaMethod;
use fender_engine::joint::Revolute;
use fender_engine::{
    Adaptive, BodyId, EventKind, ImpactRule, IntegratorSpec, LoopKind, LoopSpec, Model, ModelBuilder, Seabed,
    Surroundings, World,
};
use fender_math::{MassProperties, Pose, Vec3, rotation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
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
    impacts_do_not_allocate_after_warm_up();
    cables_do_not_allocate_after_warm_up();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Inside the pool, so that starting work from outside it does not count.
        pool.install(|| {
            for (spec, warm_up, scene) in [
                (IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, 6000, pile as fn(u32) -> Model),
                (IntegratorSpec::Rk4 { step: 5e-4 }, 4000, pile),
                (adaptive(1e-4), 4000, pile),
                (IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, 2000, |_| heap()),
                (IntegratorSpec::Rk4 { step: 5e-4 }, 3000, |_| heap()),
            ] {
                let mut world = World::new(scene(6));
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

/// A cable that bends and twists, partly on the seabed, swings with a weight that hangs on it.
fn cables_do_not_allocate_after_warm_up() {
    let step = 1e-3;
    let settings = Adaptive { relative: 1e-6, absolute: 1e-8, max_step: 0.01 };
    let own = Some(Pace { step: 5e-3, radius: 0.8 });
    for (spec, pace) in [
        (IntegratorSpec::Rk4 { step: 1e-4 }, None),
        (IntegratorSpec::SemiImplicitEuler { step: 1e-4 }, None),
        (implicit(step, AlphaMethod::GeneralizedAlpha { radius: 0.8 }), None),
        (IntegratorSpec::Midpoint { step, halvings: 6 }, None),
        (IntegratorSpec::Sdirk4(settings), None),
        (IntegratorSpec::Rk4 { step }, own),
        (implicit(0.02, AlphaMethod::GeneralizedAlpha { radius: 0.8 }), own),
    ] {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let mut weight = free("weight", MassProperties::solid_sphere(20.0, 0.1));
        weight.pose.translation = Vec3::new(0.5, 0.0, -0.8);
        let weight = builder.body(weight);
        let tie = |body, at| Some(Tie { point: Point { body, at }, clamp: None, attached: true });
        let line = CableLine {
            bending: 0.01,
            torsion: 0.01,
            inertia: 1e-3,
            bending_damping: 1e-4,
            axial_damping: 5.0,
            diameter: 0.01,
            ..CableLine::new(0.5, 2e3)
        };
        let seabed = Seabed { height: -1.0, stiffness: 1e5, damping: 100.0, friction: 0.5, shear: 1e5 };
        builder.surroundings(Surroundings { seabed: Some(seabed), ..Surroundings::default() });
        builder.cable(CableSpec {
            name: "cable".into(),
            sections: vec![Section { line: Arc::new(line), length: 1.5, elements: 12 }],
            ends: [tie(None, Vec3::ZERO), tie(Some(weight), Vec3::ZERO)],
            along: Vec::new(),
            shape: vec![
                (0.0, Vec3::ZERO),
                (0.8, Vec3::new(0.2, 0.0, -0.8)),
                (1.5, Vec3::new(0.5, 0.0, -0.8)),
            ],
            velocity: Vec3::ZERO,
            settle: false,
            payout: None,
            resolution: None,
            pace,
        });
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        let mut step = |count: usize| {
            for _ in 0..count {
                world.step(&*integrator, f64::INFINITY).unwrap();
                world.events.clear();
            }
        };
        // Until it has been slack and taut: what is told of that needs room once.
        step(1500);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        step(200);
        let count = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(count, 0, "{spec:?}, own rate {pace:?}: allocated {count} times in 200 steps");
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
            let line = Line { anchors, length: Profile::Constant(1.0) };
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

/// A hinged plank and a ball on it, both bouncing for good.
fn impacts_do_not_allocate_after_warm_up() {
    for spec in
        [IntegratorSpec::Rk4 { step: 1e-3 }, IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, adaptive(1e-6)]
    {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        let rule = builder.contact(m, m, linear(1e5, 0.5), coulomb(0.1));
        let law = ImpactLaw::new(1.0, 0.0, 0.0).unwrap();
        builder.impact(rule, ImpactRule::new(law, 1e-3).unwrap());
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let plank = block(
            "plank",
            1.0,
            Vec3::new(1.0, 0.2, 0.05),
            m,
            Pose::from_translation(Vec3::new(0.5, 0.0, 0.3)),
        );
        let plank = builder.body(plank);
        let frame =
            Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::new(0.0, 0.0, 0.3) };
        builder.joint(on("hinge", None, plank, Arc::new(Revolute), frame));
        builder.body(ball("ball", 1.0, 0.1, m, Vec3::new(1.5, 0.0, 0.5), Vec3::ZERO));
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        let (mut impacts, mut count) = (0, 0);
        for i in 0..4000 {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            world.step(&*integrator, f64::INFINITY).unwrap();
            if i >= 2000 {
                impacts += world.events.iter().filter(|e| matches!(e.kind, EventKind::Impact { .. })).count();
                count += ALLOCATIONS.load(Ordering::Relaxed) - before;
            }
            world.events.clear();
        }
        assert!(impacts > 2, "{spec:?}: {impacts}");
        assert_eq!(count, 0, "{spec:?} allocated {count} times");
    }
}
