//! Laws with flowing memory: integrated with the motion by every method, saved, and lost when the contact is.

use crate::common::{GRAVITY, all_integrators, ball, frictionless, id, linear, run, wall};
use fender_contact::{FrictionForce, FrictionLaw, FrictionUpdate, Memory, Motion};
use fender_engine::{ModelBuilder, World};
use fender_math::{Mat3, Vec3};

/// The simplest law with memory: an odometer that also pulls back, weakly. Flow 0 to 2 is the slip vector, integrated.
#[derive(Debug)]
struct Odometer;

const PULL: f64 = 0.5; // [N/m]

impl Odometer {
    fn deflection(memory: &Memory) -> Vec3 {
        Vec3::new(memory.flow[0], memory.flow[1], memory.flow[2])
    }
}

impl FrictionLaw for Odometer {
    fn name(&self) -> &'static str {
        "odometer"
    }

    fn flows(&self) -> usize {
        3
    }

    fn rate(&self, _load: f64, _normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce {
        let z = Self::deflection(memory);
        let mut flow = [0.0; fender_contact::FLOW];
        flow[..3].copy_from_slice(&motion.slip.to_array());
        let (stored, storing) = (0.5 * PULL * z.length_squared(), PULL * z.dot(motion.slip));
        FrictionForce { force: z * -PULL, stored, storing, dissipated: 0.0, flow }
    }

    fn update(&self, load: f64, normal: Vec3, motion: &Motion, memory: &Memory, dt: f64) -> FrictionUpdate {
        let mut memory = *memory;
        for i in 0..3 {
            memory.flow[i] += dt * motion.slip[i];
        }
        let force = self.rate(load, normal, motion, &memory);
        FrictionUpdate { force, memory, by_slip: Mat3::IDENTITY * (-PULL * dt), by_normal: Vec3::ZERO }
    }

    fn bound(&self, _load: f64, _slip_speed: f64) -> f64 {
        1.0
    }

    fn sticking_speed(&self) -> f64 {
        0.0
    }
}

fn world() -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let (a, b) = (builder.material("a"), builder.material("b"));
    builder.contact(a, b, linear(2e5, 0.5), Box::new(Odometer));
    builder.contact(a, a, linear(2e5, 0.5), frictionless());
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, b));
    builder.body(ball("ball", 1.0, 0.1, a, Vec3::Z * (0.1 - 9.81 / 2e5), Vec3::X));
    World::new(builder.build().unwrap())
}

#[test]
fn every_method_integrates_the_memory_with_the_motion() {
    for spec in all_integrators(1e-4, 1e-10) {
        let mut world = world();
        run(&mut world, &*spec.build(), 0.5);
        // Slip of the contact point of a ball pulled back by PULL·z: a harmonic motion with the mass 2/7 m.
        let omega = (PULL * 3.5_f64).sqrt();
        // The floor is the first body: the slip is its velocity relative to the ball.
        let expected = -(omega * 0.5).sin() / omega;
        let z = world.state.slots[0].memory.flow;
        assert!((z[0] - expected).abs() < 2e-4 && z[1].abs() < 1e-9, "{spec:?}: {z:?} {expected}");
        let residual = world.energy().residual.abs();
        assert!(residual < 2e-4, "{spec:?}: {residual}");
    }
}

#[test]
fn memory_is_saved_and_goes_with_the_contact() {
    let spec = all_integrators(1e-4, 1e-9)[3];
    let mut whole = world();
    run(&mut whole, &*spec.build(), 0.2);
    let saved = fender_engine::State::restore(&whole.state.save()).unwrap();
    assert_ne!(saved.slots[0].memory.flow[0], 0.0);
    let mut resumed = World::resume(world().model, saved).unwrap();
    run(&mut whole, &*spec.build(), 0.4);
    run(&mut resumed, &*spec.build(), 0.4);
    assert_eq!(whole.state.hash(), resumed.state.hash());
    // Lift the ball off: the slot closes, and a new touch starts afresh.
    let ball = id(&whole.model, "ball");
    let free = whole.model.bodies[ball.index()].free.unwrap();
    whole.state.q[free.q + 2] += 0.01;
    whole.data.clear();
    whole.step(&*spec.build(), f64::INFINITY).unwrap();
    assert!(whole.state.slots.is_empty());
    run(&mut whole, &*spec.build(), 0.5);
    assert!(whole.state.slots[0].memory.flow[0].abs() < 0.1, "{:?}", whole.state.slots);
}
