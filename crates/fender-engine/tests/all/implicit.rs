//! Implicit methods: order, damping, stiffness, loops.

use crate::common::on;
use fender_engine::Profile;
use fender_engine::action::{JointSpring, Stop};
use fender_engine::closure::{Anchor, Line};
use fender_engine::integrator::AlphaMethod;
use fender_engine::joint::{Prismatic, Revolute, Spherical};
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, IntegratorSpec, JointId, LoopId, LoopKind, LoopSpec,
    ModelBuilder, StepError, World,
};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;

fn alpha(step: f64, method: AlphaMethod) -> IntegratorSpec {
    IntegratorSpec::Alpha { step, method, iterations: 15, halvings: 4, real_time: false }
}

fn methods() -> [AlphaMethod; 4] {
    [
        AlphaMethod::Newmark,
        AlphaMethod::Hht { damping: 0.2 },
        AlphaMethod::GeneralizedAlpha { radius: 0.8 },
        AlphaMethod::GeneralizedAlpha { radius: 0.3 },
    ]
}

fn tight() -> IntegratorSpec {
    IntegratorSpec::DormandPrince(Adaptive { relative: 1e-12, absolute: 1e-13, max_step: 0.01 })
}

fn run(world: &mut World, integrator: &IntegratorSpec, until: f64) {
    let integrator = integrator.build();
    while world.state.time < until - 1e-9 {
        world.step(&*integrator, until).unwrap();
    }
    world.refresh();
}

fn body(name: &str, pose: Pose) -> BodySpec {
    let inertia = Mat3::from_diagonal(Vec3::new(0.02, 0.1, 0.09));
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass: MassProperties { mass: 1.0, center: Vec3::ZERO, inertia } },
        pose,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    }
}

fn hinge_at(x: f64) -> Pose {
    Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::X * x }
}

/// An oscillator of 1 kg with ω = 10 /s, from 0.1 m.
fn oscillator(stiffness: f64, damping: f64) -> World {
    let mut builder = ModelBuilder::new();
    let mass = builder.body(body("mass", Pose::IDENTITY));
    let mut spec = on("slide", None, mass, Arc::new(Prismatic), Pose::IDENTITY);
    spec.start = vec![0.1];
    spec.actions.push((0, Box::new(JointSpring { stiffness, damping, rest: 0.0 })));
    builder.joint(spec);
    World::new(builder.build().unwrap())
}

/// A chain of a hinge, a ball joint and a hinge whose end is held by a rod: a loop in space.
fn chain() -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let a = builder.body(body("a", Pose::from_translation(Vec3::X * 0.5)));
    let b = builder.body(body("b", Pose::from_translation(Vec3::X * 1.5)));
    let c = builder.body(body("c", Pose::from_translation(Vec3::X * 2.5)));
    builder.joint(on("a", None, a, Arc::new(Revolute), hinge_at(0.0)));
    let mut ball = on("b", Some(a), b, Arc::new(Spherical), hinge_at(1.0));
    ball.rates = vec![0.3, -0.2, 0.4];
    builder.joint(ball);
    builder.joint(on("c", Some(b), c, Arc::new(Revolute), hinge_at(2.0)));
    let anchors = vec![
        Anchor { body: None, point: Vec3::new(3.0, 0.0, 2.0) },
        Anchor { body: Some(c), point: Vec3::X * 0.5 },
    ];
    let line = Line { anchors, length: Profile::Constant(2.0) };
    builder.closed_loop(LoopSpec { name: "rod".into(), kind: LoopKind::Bodies(Box::new(line)) });
    World::new(builder.build().unwrap())
}

#[test]
fn oscillators_follow_the_recurrence_of_their_method() {
    // x, v, ā of the linear recurrence, by hand: unit mass, force −k x.
    let (k, h, n) = (100.0, 0.02, 60);
    for method in methods() {
        let c = method.coefficients();
        let (mut x, mut v) = (0.1, 0.0);
        let mut bar = -k * x;
        for _ in 0..n {
            let a0 = -k * x;
            // x₁ is linear in ā₁, and ā₁ in a₁ = −k x₁: solve the scalar equation.
            let free = x + h * v + h * h * (0.5 - c.beta) * bar;
            let part = (1.0 - c.force) / (1.0 - c.mass);
            let lag = (c.force * a0 - c.mass * bar) / (1.0 - c.mass);
            let x1 = (free + h * h * c.beta * lag) / (1.0 + h * h * c.beta * part * k);
            let bar1 = part * -k * x1 + lag;
            v += h * ((1.0 - c.gamma) * bar + c.gamma * bar1);
            (x, bar) = (x1, bar1);
        }
        let mut world = oscillator(k, 0.0);
        run(&mut world, &alpha(h, method), h * f64::from(n));
        let found = world.joint_position(JointId(0), 0);
        assert!((found - x).abs() < 1e-9, "{method:?}: {found} {x}");
    }
}

#[test]
fn newmark_keeps_the_energy_of_an_oscillator_and_the_others_damp_high_frequencies() {
    let left = |method, stiffness: f64| {
        let mut world = oscillator(stiffness, 0.0);
        let start = world.energy();
        run(&mut world, &alpha(1e-2, method), 1.0);
        let end = world.energy();
        (end.kinetic + end.stored) / (start.kinetic + start.stored)
    };
    assert!((left(AlphaMethod::Newmark, 1e8) - 1.0).abs() < 1e-6);
    // ωh = 100: the amplitude falls by about ρ∞ a step, times the number of steps as the two roots fall together.
    assert!(left(AlphaMethod::GeneralizedAlpha { radius: 0.8 }, 1e8) < 1e-12);
    assert!(left(AlphaMethod::Hht { damping: 0.3 }, 1e8) < 1e-10);
    // A slow one hardly feels it.
    assert!(left(AlphaMethod::GeneralizedAlpha { radius: 0.8 }, 1.0) > 0.999_99);
}

/// Slope of the error of a coordinate over the step.
fn slope(make: fn() -> World, spec: impl Fn(f64) -> IntegratorSpec, steps: [f64; 2], until: f64) -> f64 {
    let mut exact = make();
    run(&mut exact, &tight(), until);
    let error = |step: f64| {
        let mut world = make();
        run(&mut world, &spec(step), until);
        let end = world.model.bodies.len() - 1;
        (world.pose(BodyId(end as u32)).translation - exact.pose(BodyId(end as u32)).translation).length()
    };
    let (coarse, fine) = (error(steps[0]), error(steps[1]));
    (coarse / fine).ln() / (steps[0] / steps[1]).ln()
}

#[test]
fn every_method_has_its_order_on_a_loop_in_space() {
    for method in methods() {
        let order = slope(chain, |step| alpha(step, method), [1e-3, 5e-4], 0.4);
        assert!((1.85..2.2).contains(&order), "{method:?}: {order}");
    }
    let order = slope(chain, |step| IntegratorSpec::Rk5 { step }, [2e-2, 1e-2], 0.4);
    assert!(order > 4.6, "{order}");
}

#[test]
fn loops_stay_closed_at_five_milliseconds() {
    for method in methods() {
        let mut world = chain();
        let integrator = alpha(5e-3, method).build();
        for _ in 0..200 {
            world.step(&*integrator, f64::INFINITY).unwrap();
            world.refresh();
            assert!(world.loop_violation(LoopId(0)) < 1e-9, "{method:?}");
            let c = &world.data.bodies[2];
            let tip = c.pose.transform_point(Vec3::X * 0.5);
            let along = (tip - Vec3::new(3.0, 0.0, 2.0)).normalize();
            assert!(along.dot(c.velocity_at(tip)).abs() < 1e-9, "{method:?}");
        }
    }
}

#[test]
fn sdirk_follows_the_tight_reference_and_its_tolerance() {
    let mut exact = chain();
    run(&mut exact, &tight(), 0.5);
    let error = |tolerance: f64| {
        let settings = Adaptive { relative: tolerance, absolute: tolerance, max_step: 0.1 };
        let mut world = chain();
        run(&mut world, &IntegratorSpec::Sdirk4(settings), 0.5);
        (world.pose(BodyId(2)).translation - exact.pose(BodyId(2)).translation).length()
    };
    let (coarse, fine) = (error(1e-5), error(1e-8));
    assert!(coarse < 1e-3 && fine < 1e-6 && fine < 0.05 * coarse, "{coarse} {fine}");
}

#[test]
fn sdirk_takes_large_steps_where_explicit_methods_cannot() {
    // A stiff, strongly damped spring (rate 1e6 /s) that pulls a mass to rest: after the transient nothing happens.
    let steps = |spec: IntegratorSpec| {
        let mut world = oscillator(1e6, 1e6);
        world.state.q[0] = 1e-3;
        world.data.clear();
        run(&mut world, &spec, 5.0);
        let expected = 1e-3 * (-5.0_f64).exp();
        let found = world.joint_position(JointId(0), 0);
        assert!((found - expected).abs() < 1e-7, "{found} {expected}");
        world.state.step
    };
    let settings = Adaptive { relative: 1e-6, absolute: 1e-9, max_step: 1.0 };
    assert!(steps(IntegratorSpec::Sdirk4(settings)) < 200);
}

#[test]
fn a_hard_stop_is_met_by_every_implicit_method() {
    // A pendulum that swings into a stiff stop: no method may blow up, and all lose about the same.
    let make = || {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::Z * -G);
        let arm = builder.body(body("arm", Pose::from_translation(Vec3::X * 0.5)));
        let mut spec = on("hinge", None, arm, Arc::new(Revolute), hinge_at(0.0));
        let stop = Stop { low: -10.0, high: 1.0, stiffness: 1e5, damping: 0.1 };
        spec.actions.push((0, Box::new(stop)));
        builder.joint(spec);
        World::new(builder.build().unwrap())
    };
    let mut exact = make();
    run(&mut exact, &tight(), 1.0);
    let expected = exact.joint_position(JointId(0), 0);
    let settings = Adaptive { relative: 1e-6, absolute: 1e-8, max_step: 0.01 };
    for spec in methods().map(|m| alpha(2.5e-4, m)).into_iter().chain([IntegratorSpec::Sdirk4(settings)]) {
        let mut world = make();
        run(&mut world, &spec, 1.0);
        let found = world.joint_position(JointId(0), 0);
        assert!((found - expected).abs() < 3e-3, "{spec:?}: {found} {expected}");
    }
}

#[test]
fn error_control_gives_up_where_damping_leaves_it_no_step() {
    // A time constant of 1 kg / 1e12 N·s/m = 1 ps, which explicit steps must follow to be stable: 10⁴ of them take about 30 ns.
    let mut world = oscillator(100.0, 1e12);
    let settings = Adaptive { relative: 1e-8, absolute: 1e-10, max_step: 0.01 };
    let explicit = IntegratorSpec::DormandPrince(settings).build();
    let error = loop {
        if let Err(error) = world.step(&*explicit, 1.0) {
            break error;
        }
        assert!(world.state.step < 20_000, "it goes on at t = {} s", world.state.time);
    };
    let StepError::Stalled { steps, advance, ref cause, .. } = error else { panic!("{error}") };
    assert!(steps == 10_000 && advance < 1e-5, "{error}");
    assert!(cause.contains("'mass'"), "{error}");
    // As the message advises.
    run(&mut oscillator(100.0, 1e12), &IntegratorSpec::Sdirk4(settings), 1.0);
}
