//! Free rotation of bodies with unequal moments of inertia under fixed steps: the tennis racket.

use crate::common::{GRAVITY, adaptive, block, coulomb, linear, run, wall};
use fender_engine::force::{Load, LoadCurve};
use fender_engine::{IntegratorSpec, Model, ModelBuilder, State, StepError, World};
use fender_math::{Pose, Quat, Vec3, rotation};

/// A box of 0.1 × 0.2 × 0.3 m that turns about nearly its middle axis [rad/s]: it turns over again and again.
fn racket(speed: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let material = builder.material("wood");
    let mut body = block("racket", 3.0, Vec3::new(0.1, 0.2, 0.3), material, Pose::IDENTITY);
    body.pose.rotation = rotation::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), 0.7);
    body.twist.angular = body.pose.rotation * (Vec3::new(0.01, 1.0, 0.01) * speed);
    builder.body(body);
    builder.build().unwrap()
}

/// Angular momentum in the world [kg·m²/s] and kinetic energy [J] of the first body.
fn kept(world: &World) -> (Vec3, f64) {
    let free = world.model.bodies[0].free.unwrap();
    let (v, omega) = free.velocity(&world.state.v);
    let momentum = free.inertia * omega;
    let energy = 0.5 * (free.mass * v.length_squared() + omega.dot(momentum));
    (free.pose_wc(&world.state.q).rotation * momentum, energy)
}

/// Greatest relative change of momentum and energy over so many steps, and how often the body turned over.
fn drift(spec: IntegratorSpec, speed: f64, steps: usize) -> (f64, f64, usize) {
    let mut world = World::new(racket(speed));
    let integrator = spec.build();
    let (l0, e0) = kept(&world);
    let (mut of_momentum, mut of_energy, mut turned_over) = (0.0_f64, 0.0_f64, 0);
    let free = world.model.bodies[0].free.unwrap();
    let mut side = 1.0;
    for _ in 0..steps {
        if world.step(&*integrator, f64::INFINITY).is_err() {
            return (f64::INFINITY, f64::INFINITY, turned_over);
        }
        let (l, e) = kept(&world);
        of_momentum = of_momentum.max((l - l0).length() / l0.length());
        of_energy = of_energy.max((e - e0).abs() / e0);
        let y = free.velocity(&world.state.v).1.y / speed;
        if y * side < -0.5 {
            (side, turned_over) = (-side, turned_over + 1);
        }
    }
    (of_momentum, of_energy, turned_over)
}

#[test]
fn semi_implicit_euler_keeps_energy_and_momentum_over_a_hundred_thousand_steps() {
    // 0.1 rad per step, and 0.8: two parts. Rounding of 10⁵ steps, a few 1e-16 each, all the same way at worst.
    for speed in [100.0, 800.0] {
        let (momentum, energy, turned_over) =
            drift(IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, speed, 100_000);
        assert!(momentum < 1e-10, "{speed} rad/s: momentum {momentum:e}");
        assert!(energy < 1e-10, "{speed} rad/s: energy {energy:e}");
        // 100 s are about 10⁴ rad and more; it turns over every 15 rad or so.
        assert!(turned_over > 300, "{speed} rad/s: turned over {turned_over} times");
    }
}

/// Orientation and angular velocity (body's axes) at the end [s].
fn end(model: Model, spec: IntegratorSpec, end: f64) -> (Quat, Vec3) {
    let mut world = World::new(model);
    run(&mut world, &*spec.build(), end);
    let free = world.model.bodies[0].free.unwrap();
    (free.pose_wc(&world.state.q).rotation, free.velocity(&world.state.v).1)
}

/// How the error of the orientation falls when the step is halved, as a power of the step.
fn order(model: impl Fn() -> Model) -> f64 {
    let (exact, _) = end(model(), adaptive(1e-13), 0.5);
    let error = |step: f64| {
        let (r, _) = end(model(), IntegratorSpec::SemiImplicitEuler { step }, 0.5);
        (exact.conjugate() * r).xyz().length()
    };
    (error(1e-4) / error(0.5e-4)).log2()
}

#[test]
fn free_rotation_is_of_order_two_and_forced_rotation_of_order_one_at_least() {
    let free = order(|| racket(20.0));
    assert!((free - 2.0).abs() < 0.05, "free: {free}");
    // A force that goes with the body, beside its centre: a torque about all three axes. Kick and turning are split: order 1, with
    // velocities that lag half a step.
    let forced = order(|| {
        let mut builder = ModelBuilder::new();
        let material = builder.material("wood");
        let mut body = block("racket", 3.0, Vec3::new(0.1, 0.2, 0.3), material, Pose::IDENTITY);
        body.twist.angular = Vec3::new(1.0, 20.0, 2.0);
        let body = builder.body(body);
        let curve = LoadCurve::Constant([10.0, -5.0, 7.0, 0.3, -0.2, 0.4]);
        let point = Vec3::new(0.02, 0.03, -0.05);
        builder.force(
            "push",
            Box::new(Load { body, point, in_body: true, curve, from: 0.0, until: f64::INFINITY }),
        );
        builder.build().unwrap()
    });
    assert!(forced > 0.95, "forced: {forced}");
}

/// Long blocks that fall on a floor, turning.
fn tumbling() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("wood");
    builder.contact(m, m, linear(1e5, 0.5), coulomb(0.4));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    for i in 0..40 {
        let x = f64::from(i);
        let place = Pose::from_translation(Vec3::new(0.6 * (x % 7.0), 0.6 * (x / 7.0).floor(), 0.5));
        let mut body = block(&format!("block-{i}"), 1.0, Vec3::new(0.1, 0.2, 0.4), m, place);
        body.pose.rotation = rotation::from_axis_angle(Vec3::new(1.0, 0.1 * x, -0.5), 0.3 * x);
        body.twist.angular = Vec3::new(0.5 * x, 30.0 - x, 0.2 * x);
        builder.body(body);
    }
    builder.build().unwrap()
}

#[test]
fn turning_bodies_have_the_same_bits_for_any_threads_and_after_a_save() {
    let after = |threads: usize, saved: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let integrator = IntegratorSpec::SemiImplicitEuler { step: 5e-4 }.build();
            let mut world = World::new(tumbling());
            for step in 0..1500 {
                if saved && step == 700 {
                    let state = State::restore(&world.state.save()).unwrap();
                    world = World::resume(tumbling(), state).unwrap();
                }
                world.step(&*integrator, f64::INFINITY).unwrap();
            }
            assert!(!world.state.slots.is_empty(), "nothing touches, so little is shown");
            world.state.hash()
        })
    };
    let one = after(1, false);
    assert_eq!(one, after(2, false));
    assert_eq!(one, after(8, false));
    assert_eq!(one, after(1, true));
}

#[test]
fn blocks_that_tumble_on_a_floor_do_not_gain_energy() {
    let mut world = World::new(tumbling());
    world.refresh();
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 5e-4 }.build();
    let energy = |world: &World| world.energy().kinetic + world.energy().potential + world.energy().stored;
    let mut highest = energy(&world);
    let first = highest;
    for _ in 0..200 {
        for _ in 0..20 {
            world.step(&*integrator, f64::INFINITY).unwrap();
        }
        world.refresh();
        let now = energy(&world);
        // The velocity lags half a step, so the energy of a fall shows m·g·v·h/2 too little or too much: 40 kg·9.81·5 m/s·0.25 ms = 0.5 J.
        assert!(now < highest + 0.5, "at {} s: {now} J after {highest} J", world.state.time);
        highest = highest.min(now);
    }
    assert!(highest < 0.5 * first, "they came to rest: {highest} J of {first} J");
}

#[test]
fn the_energy_account_of_free_rotation_is_measured_by_what_moves() {
    let relative = |spec: IntegratorSpec, end: f64| {
        let mut world = World::new(racket(100.0));
        run(&mut world, &*spec.build(), end);
        world.energy().relative_residual
    };
    // Nothing acts: what rk4 loses, 4e-7 of the kinetic energy in 10 s, is nothing to warn of (fender-run warns from 2 %).
    let rk4 = relative(IntegratorSpec::Rk4 { step: 1e-3 }, 10.0);
    assert!((-1e-6..-1e-8).contains(&rk4), "{rk4:e}");
    assert!(relative(IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, 10.0).abs() < 1e-12);
    // What explicit Euler makes in 2 s is.
    let euler = relative(IntegratorSpec::ExplicitEuler { step: 1e-3 }, 2.0);
    assert!(euler > 0.05, "{euler}");
}

#[test]
fn a_spin_that_diverges_is_named() {
    let mut world = World::new(racket(100.0));
    let integrator = IntegratorSpec::ExplicitEuler { step: 1e-3 }.build();
    let error = loop {
        if let Err(error) = world.step(&*integrator, f64::INFINITY) {
            break error;
        }
        assert!(world.state.time < 10.0, "explicit Euler must diverge");
    };
    assert!(matches!(&error, StepError::SpinDiverged { time, body, .. } if *time > 1.0 && body == "racket"));
    let text = error.to_string();
    assert!(
        text.contains("diverged at t = ") && text.contains("angular velocity of body 'racket'"),
        "{text}"
    );
}
