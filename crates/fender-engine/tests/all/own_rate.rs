//! Cables at their own rate.

use fender_engine::cable::{CableSpec, Line, Pace, Point, Section, Tie};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{
    BodyId, BodyMotion, BodySpec, CableId, Change, IntegratorSpec, Model, ModelBuilder, State, World,
};
use fender_math::series::PoseSeries;
use fender_math::{MassProperties, Pose, Quat, Twist, Vec3};
use std::sync::Arc;

const CABLE: CableId = CableId(0);
const BODY: BodyId = BodyId(0);
const LENGTH: f64 = 10.0;

fn alpha(step: f64, radius: f64) -> IntegratorSpec {
    let method = AlphaMethod::GeneralizedAlpha { radius };
    IntegratorSpec::Alpha { step, method, iterations: 30, halvings: 6, real_time: false }
}

fn at(translation: Vec3) -> Pose {
    Pose { translation, rotation: Quat::IDENTITY }
}

fn body(motion: BodyMotion, place: Vec3, velocity: Vec3) -> BodySpec {
    let twist = Twist { linear: velocity, angular: Vec3::ZERO };
    BodySpec { name: "body".into(), motion, pose: at(place), twist, shapes: Vec::new(), group: 0 }
}

/// Ten metres of rope from the world to a body at some distance.
fn model(on: BodySpec, line: Line, pace: Option<Pace>) -> Result<Model, fender_engine::ModelError> {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let to = on.pose.translation;
    let body = builder.body(on);
    let tie = |body, at| Some(Tie { point: Point { body, at }, clamp: None, attached: true });
    builder.cable(CableSpec {
        name: "rope".into(),
        sections: vec![Section { line: Arc::new(line), length: LENGTH, elements: 20 }],
        ends: [tie(None, Vec3::ZERO), tie(Some(body), Vec3::ZERO)],
        along: Vec::new(),
        shape: vec![(0.0, Vec3::ZERO), (LENGTH, to)],
        velocity: Vec3::ZERO,
        settle: true,
        payout: None,
        resolution: None,
        pace,
    });
    builder.build()
}

/// A body that is moved to and fro.
fn driven() -> BodySpec {
    let times: Vec<f64> = (0..=400).map(|i| 0.01 * f64::from(i)).collect();
    let place = |t: f64| Vec3::new(8.0 + 0.5 * t * (1.0 - (3.0 * t).cos()), 0.3 * t * (2.0 * t).sin(), 0.0);
    let poses: Vec<Pose> = times.iter().map(|t| at(place(*t))).collect();
    let series = PoseSeries::new(times, &poses).expect("times increase");
    body(BodyMotion::Driven { series }, place(0.0), Vec3::ZERO)
}

/// A heavy body that is thrown.
fn thrown() -> BodySpec {
    let mass = MassProperties::solid_sphere(50.0, 0.2);
    body(BodyMotion::Free { mass }, Vec3::new(8.0, 0.0, 0.0), Vec3::new(-1.0, 0.5, 3.0))
}

fn rope() -> Line {
    Line { axial_damping: 50.0, bending: 0.1, ..Line::new(0.1, 2e3) }
}

fn ran(model: Model, method: IntegratorSpec, end: f64) -> World {
    let mut world = World::new(model);
    let integrator = method.build();
    while world.state.time < end - 1e-9 {
        world.step(integrator.as_ref(), end).expect("it steps");
    }
    world.refresh();
    world
}

#[test]
fn on_a_driven_body_it_is_as_if_it_were_alone() {
    let (step, radius) = (0.01, 0.8);
    let alone = ran(model(driven(), rope(), None).expect("it is a model"), alpha(step, radius), 2.0);
    let pace = Some(Pace { step, radius });
    for method in [IntegratorSpec::Rk4 { step: 0.001 }, alpha(0.0005, 0.9), alpha(0.04, 0.9)] {
        let own = ran(model(driven(), rope(), pace).expect("it is a model"), method, 2.0);
        // Steps of the bodies that are longer leave a cubic between their ends.
        let close = if method.fixed_step() > Some(step) { 1e-4 } else { 1e-9 };
        for node in 0..=20 {
            let (a, b) = (alone.cable(CABLE).node(node), own.cable(CABLE).node(node));
            assert!(a.distance(b) < close, "{} {node}: {a} {b}", method.name());
        }
        let forces = [&alone, &own].map(|w| w.cable(CABLE).on_holder(1).force);
        assert!(forces[0].distance(forces[1]) < 1e3 * close, "{forces:?}");
        let [a, b] = [&alone, &own].map(World::energy);
        assert!(
            (a.residual - b.residual).abs() < 10.0 * close.max(1e-6),
            "{} {} {}",
            method.name(),
            a.residual,
            b.residual
        );
    }
}

/// Place of the thrown body, and what the coupling made.
fn throw(step: f64) -> (Vec3, f64) {
    let pace = Some(Pace { step, radius: 0.9 });
    let world =
        ran(model(thrown(), rope(), pace).expect("it is a model"), IntegratorSpec::Rk4 { step: 0.0005 }, 0.8);
    let e = world.energy();
    assert!(e.relative_residual.abs() < 1e-3, "{}", e.relative_residual);
    let source = world.model.sources.iter().position(|s| s == "cable.rope.coupling").expect("it is booked");
    (world.pose(BODY).translation, world.state.account.work[source])
}

#[test]
fn on_a_free_body_it_comes_near_what_goes_together() {
    let together = ran(model(thrown(), rope(), None).expect("it is a model"), alpha(0.0005, 0.9), 0.8);
    let exact = together.pose(BODY).translation;
    let [coarse, fine] = [0.02, 0.01].map(throw);
    let (far, near) = (coarse.0.distance(exact), fine.0.distance(exact));
    println!("{far} {near} {} {}", coarse.1, fine.1);
    // The rope's pull moves the body by some centimetres in this time.
    assert!(near < 2e-4, "{near}");
    assert!(far > 2.5 * near, "second order: {far} {near}");
    assert!(fine.1.abs() < 0.5 && fine.1.abs() < 0.6 * coarse.1.abs(), "{} {}", coarse.1, fine.1);
}

#[test]
fn what_a_light_body_would_notice_is_refused() {
    let light = body(
        BodyMotion::Free { mass: MassProperties::solid_sphere(0.5, 0.1) },
        Vec3::new(10.5, 0.0, 0.0),
        Vec3::ZERO,
    );
    let error = model(light, rope(), Some(Pace { step: 0.02, radius: 0.9 })).expect_err("it is too light");
    assert!(error.to_string().contains("body 'body' feels it as"), "{error}");
    let error = model(thrown(), rope(), Some(Pace { step: 0.0, radius: 0.9 })).expect_err("it is no step");
    assert!(error.to_string().contains("own step"), "{error}");
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    let pace = Some(Pace { step: 0.01, radius: 0.9 });
    let build = || model(thrown(), rope(), pace).expect("it is a model");
    let integrator = IntegratorSpec::Rk4 { step: 0.003 }.build();
    let mut world = World::new(build());
    let go = |world: &mut World| {
        for _ in 0..37 {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
    };
    go(&mut world);
    let saved = State::restore(&world.state.save()).expect("it was saved");
    let mut other = World::resume(build(), saved).expect("it is its own");
    world.refresh();
    for node in 0..=20 {
        assert_eq!(world.cable(CABLE).node(node), other.cable(CABLE).node(node));
    }
    assert_eq!(world.cable(CABLE).on_holder(1), other.cable(CABLE).on_holder(1));
    go(&mut world);
    go(&mut other);
    assert_eq!(world.state.hash(), other.state.hash());
}

#[test]
fn it_can_be_let_go_between_its_steps() {
    let pace = Some(Pace { step: 0.02, radius: 1.0 });
    let mut world = World::new(model(thrown(), rope(), pace).expect("it is a model"));
    let integrator = IntegratorSpec::Rk4 { step: 0.001 }.build();
    let go = |world: &mut World, steps: usize| {
        for _ in 0..steps {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
        world.refresh();
    };
    go(&mut world, 50);
    let last = world.cable(CABLE).node(20);
    world.control.changes.push(Change::Untie(CABLE, 1));
    go(&mut world, 1);
    assert!(world.cable(CABLE).node(20).distance(last) < 0.05, "it stays where it is");
    go(&mut world, 200);
    assert_eq!(world.cable(CABLE).on_holder(1).force, Vec3::ZERO);
    // Nothing but its weight is left on the body.
    let a = world.acceleration(BODY).linear;
    assert!((a - Vec3::new(0.0, 0.0, -9.81)).length() < 1e-12, "{a}");
    assert!(world.energy().relative_residual.abs() < 2e-2, "{}", world.energy().relative_residual);
}
