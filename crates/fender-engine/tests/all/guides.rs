//! Cables over wheels and through rings, hauled in by winches: where they stop, and what they tell.

use fender_engine::cable::{Along, AlongKind, CableSpec, Guide, Line, Payout, Point, Section, Tie};
use fender_engine::integrator::{AlphaMethod, StepError};
use fender_engine::{
    BodyId, BodyMotion, BodySpec, CableId, EventKind, Integrator, IntegratorSpec, Model, ModelBuilder,
    PayoutStop, Profile, World,
};
use fender_math::series::Series;
use fender_math::{MassProperties, Pose, Twist, Vec3};
use std::f64::consts::PI;
use std::sync::Arc;

const RADIUS: f64 = 0.4;

fn alpha(step: f64) -> Box<dyn Integrator> {
    let method = AlphaMethod::GeneralizedAlpha { radius: 0.7 };
    IntegratorSpec::Alpha { step, method, iterations: 30, halvings: 6, real_time: false }.build()
}

fn load(builder: &mut ModelBuilder, name: &str, mass: f64, at: Vec3) -> BodyId {
    builder.body(BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(mass, 0.1) },
        pose: Pose { translation: at, ..Pose::IDENTITY },
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    })
}

/// A wire of 5 MN that goes up `legs[0]`, over a wheel at the origin, and down `legs[1]`; at rest.
fn over(legs: [f64; 2], ends: [Option<Tie>; 2]) -> CableSpec {
    let rim = PI * RADIUS;
    let length = legs[0] + rim + legs[1];
    let line = Line { axial_damping: 2e4, bend_radius: Some(0.6), ..Line::new(0.4, 5e6) };
    let mut shape = vec![(0.0, Vec3::new(-RADIUS, 0.0, -legs[0]))];
    for i in 0..=20 {
        let b = PI * f64::from(i) / 20.0;
        shape.push((legs[0] + RADIUS * b, Vec3::new(-b.cos(), 0.0, b.sin()) * RADIUS));
    }
    shape.push((length, Vec3::new(RADIUS, 0.0, -legs[1])));
    let guide = Guide::Sheave { center: Point { body: None, at: Vec3::ZERO }, axis: Vec3::Y, radius: RADIUS };
    CableSpec {
        name: "wire".into(),
        sections: vec![Section { line: Arc::new(line), length, elements: 20 }],
        ends,
        along: vec![Along {
            at: legs[0] + 0.5 * rim,
            what: AlongKind::Guide { name: "top".into(), guide, rim },
        }],
        shape,
        velocity: Vec3::ZERO,
        settle: true,
        payout: None,
        resolution: None,
        pace: None,
    }
}

#[allow(clippy::unnecessary_wraps)] // as ends are given
fn tie(body: Option<BodyId>, at: Vec3) -> Option<Tie> {
    Some(Tie { point: Point { body, at }, clamp: None, attached: true })
}

/// A winch below on the left, and a load of 300 kg on the right.
fn hoist(speed: Profile, bounds: [f64; 2]) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let hook = load(&mut builder, "hook", 300.0, Vec3::new(RADIUS, 0.0, -3.003));
    let mut spec = over([6.0, 3.0], [tie(None, Vec3::new(-RADIUS, 0.0, -6.0)), tie(Some(hook), Vec3::ZERO)]);
    spec.payout = Some(Payout { end: 0, speed, shortest: bounds[0], longest: bounds[1] });
    builder.cable(spec);
    builder.build().expect("it is a model")
}

fn smooth(points: &[(f64, f64)]) -> Profile {
    let (times, values) = points.iter().map(|(t, v)| (*t, [*v])).unzip();
    Profile::Series(Series::monotone(times, values).expect("times increase"))
}

fn run(world: &mut World, until: f64) -> Result<(), StepError> {
    let integrator = alpha(0.004);
    while world.state.time < until - 1e-9 {
        world.step(integrator.as_ref(), f64::INFINITY)?;
    }
    world.refresh();
    Ok(())
}

fn stops(world: &World) -> Vec<(f64, PayoutStop)> {
    let stop = |e: &fender_engine::Event| match e.kind {
        EventKind::PayoutStopped { why, .. } => Some((e.time, why)),
        _ => None,
    };
    world.events.iter().filter_map(stop).collect()
}

#[test]
fn a_hook_that_comes_to_the_wheel_stops_the_winch() {
    let speed = smooth(&[(0.0, 0.0), (1.0, -0.4), (9.0, -0.4), (11.0, 0.4), (30.0, 0.4)]);
    let mut world = World::new(hoist(speed, [1.0, 20.0]));
    run(&mut world, 9.0).expect("it stops before the wheel");
    let told = stops(&world);
    // 3 m less half a radius at 0.4 m/s, which it has after 1 s and half of which it had meanwhile; slowed down at 0.5 m/s².
    let [(time, PayoutStop::Guide { guide: 0, .. })] = told[..] else { panic!("{told:?}") };
    assert!((time - (0.5 + 2.8 / 0.4 + 0.4)).abs() < 0.1, "{time}");
    let height = world.pose(BodyId(0)).translation.z;
    assert!(height > -0.25 && height < -0.1, "{height}");
    let length = world.cable(CableId(0)).length();
    // And goes down again as soon as it is told to.
    run(&mut world, 14.0).expect("it goes down");
    let lower = world.cable(CableId(0)).length() - length;
    // From 10 s on, half of 0.4 m/s for a second and then all of it.
    assert!((lower - 1.4).abs() < 0.05, "{lower}");
    assert_eq!(stops(&world).len(), 1);
}

#[test]
fn bounds_of_payout_are_told_once() {
    let speed = smooth(&[(0.0, 0.0), (1.0, -0.1), (8.0, -0.1), (10.0, 0.1), (22.0, 0.1), (23.0, 0.0)]);
    let mut world = World::new(hoist(speed, [9.8, 10.6]));
    run(&mut world, 24.0).expect("it moves");
    let told = stops(&world);
    assert!(matches!(told[..], [(_, PayoutStop::Shortest), (_, PayoutStop::Longest)]), "{told:?}");
    // The cable is 9 m and half a turn of 0.4 m, 10.257 m long.
    let length = 9.0 + PI * RADIUS;
    assert!((told[0].0 - (0.5 + (length - 9.8) / 0.1)).abs() < 0.02, "{told:?}");
    assert!((told[1].0 - (9.5 + 0.8 / 0.1)).abs() < 0.5, "{told:?}");
}

#[test]
fn a_weight_that_is_pulled_into_the_wheel_is_told() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let heavy = load(&mut builder, "heavy", 50.0, Vec3::new(-RADIUS, 0.0, -2.0));
    let light = load(&mut builder, "light", 5.0, Vec3::new(RADIUS, 0.0, -1.0));
    let mut spec = over([2.0, 1.0], [tie(Some(heavy), Vec3::ZERO), tie(Some(light), Vec3::ZERO)]);
    spec.sections[0].line = Arc::new(Line { axial_damping: 200.0, ..Line::new(0.4, 1e5) });
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let error = run(&mut world, 3.0).expect_err("it comes to the wheel after 0.5 s");
    let StepError::AtGuide { cable, guide, what, time } = &error else { panic!("{error:?}") };
    assert_eq!((cable.as_str(), guide.as_str(), *what), ("wire", "top", "its end"));
    // 1 m with g·45/55.
    assert!((time - (2.0_f64 / (9.81 * 45.0 / 55.0)).sqrt()).abs() < 0.06, "{time}");
}

#[test]
fn the_rim_counts_as_curvature() {
    let mut world = World::new(hoist(Profile::Constant(0.0), [1.0, 20.0]));
    world.refresh();
    let view = world.cable(CableId(0));
    let found = view.extremes();
    assert!((found.curvature.value - 1.0 / RADIUS).abs() < 1e-12, "{found:?}");
    assert!((found.bend_utilisation.value - 0.6 / RADIUS).abs() < 1e-12);
    // In the middle of the wheel, but not beyond where it leaves.
    let middle = 6.0 + 0.5 * PI * RADIUS;
    assert!((found.curvature.at - middle).abs() < 0.01, "{found:?}");
    let curvatures = [-0.6, -0.5, 0.0, 0.5, 0.6]
        .map(|part| view.at(middle + 2.0 * part * 0.98 * 0.5 * PI * RADIUS).curvature);
    assert_eq!(curvatures.map(|c| c > 2.0), [false, true, true, true, false], "{curvatures:?}");
}

#[test]
fn spans_and_lengths_beside_a_wheel_are_told() {
    let [passage] =
        hoist(Profile::Constant(0.0), [1.0, 20.0]).passages(CableId(0)).try_into().expect("one wheel");
    assert!((passage.angle - PI).abs() < 1e-6 && passage.guide == "top", "{passage:?}");
    // The load is hung 3 mm lower, which 10.26 m of wire cannot be stretched by its weight: 5 MN · 3/10257 is 1.46 kN.
    assert!((passage.spans[0] - 6.0).abs() < 1e-6 && (passage.spans[1] - 3.003).abs() < 1e-6, "{passage:?}");
    let strain = 0.003 / (9.0 + PI * RADIUS);
    for side in 0..2 {
        assert!((passage.lengths[side] * (1.0 + strain) - passage.spans[side]).abs() < 1e-4, "{passage:?}");
    }
    assert!((passage.tension - 5e6 * strain).abs() < 20.0, "{passage:?}");
}

#[test]
fn sliding_over_a_wheel_keeps_the_energy() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let a = load(&mut builder, "a", 3.0, Vec3::new(-RADIUS, 0.0, -6.0));
    let b = load(&mut builder, "b", 2.0, Vec3::new(RADIUS, 0.0, -9.0));
    let mut spec = over([6.0, 9.0], [tie(Some(a), Vec3::ZERO), tie(Some(b), Vec3::ZERO)]);
    let line = Line { axial_damping: 50.0, ..Line::new(0.2, 1e5) };
    spec.sections[0].line = Arc::new(line);
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    run(&mut world, 1.5).expect("it moves");
    let energy = world.energy();
    let moved = world.pose(a).translation.z + 6.0;
    assert!(moved.abs() > 0.4, "{moved}");
    // Nodes have come and gone at the wheel meanwhile; what that takes is small, and booked.
    assert!(energy.residual.abs() < 1e-3 * energy.kinetic, "{energy:?}");
    let source =
        world.model.sources.iter().position(|name| name == "cable.wire.mesh").expect("it has a source");
    let mesh = world.state.account.dissipated[source];
    assert!(mesh.abs() < 0.02 * energy.kinetic, "{mesh} {energy:?}");
}

#[test]
fn a_free_end_slides_out_of_a_ring() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let mut spec = over([3.0, 1.5], [tie(None, Vec3::new(-RADIUS, 0.0, -1.0)), None]);
    let line = Line { axial_damping: 50.0, ..Line::new(0.4, 2e4) };
    spec.sections[0] = Section { line: Arc::new(line), length: 4.5, elements: 18 };
    spec.shape = vec![
        (0.0, Vec3::new(-RADIUS, 0.0, -1.0)),
        (1.0, Vec3::new(-0.5 * RADIUS, 0.0, -2.0)),
        (3.0, Vec3::ZERO),
        (4.5, Vec3::new(0.0, 0.0, -1.5)),
    ];
    let guide = Guide::Ring(Point { body: None, at: Vec3::ZERO });
    spec.along = vec![Along { at: 3.0, what: AlongKind::Guide { name: "ring".into(), guide, rim: 0.0 } }];
    spec.settle = false;
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    run(&mut world, 3.0).expect("it goes on without the ring");
    let out = |e: &fender_engine::Event| matches!(e.kind, EventKind::SlidOut { guide: 0, .. });
    assert_eq!(world.events.iter().filter(|e| out(e)).count(), 1, "{:?}", world.events);
    assert!(world.state.cables[0].elements.iter().all(|e| !e.is_guided()));
    // It whips about afterwards, and the method damps what its step cannot follow; nothing is made.
    let energy = world.energy();
    assert!(energy.relative_residual < 1e-3 && energy.relative_residual > -0.1, "{energy:?}");
}
