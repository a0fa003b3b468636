//! Friction that remembers, in the engine: it holds, breaks away, turns with what it holds, and keeps its account.

use crate::common::{self, GRAVITY, all_integrators, free, id, linear, run, wall};
use fender_contact::{Bristle, Bristles, Damping, FrictionLaw, LuGre, Luaces};
use fender_engine::force::{Load, LoadCurve};
use fender_engine::model::InitialContact;
use fender_engine::{BodyId, BodyMotion, BodySpec, IntegratorSpec, MaterialId, Model, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::series::{PoseSeries, Series};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};

const MU_S: f64 = 0.6;
const MU_C: f64 = 0.4;
const SIGMA_0: f64 = 1e4;

fn bristle() -> Box<dyn FrictionLaw> {
    Box::new(Bristle::new(MU_S, MU_C, Bristles::per_load(SIGMA_0, 60.0, 0.0), 5e-3, 0.0, 5e-5).unwrap())
}

/// Laws that stick, with about the same numbers for a load of 10 N.
fn sticking_laws() -> Vec<Box<dyn FrictionLaw>> {
    vec![
        bristle(),
        Box::new(Bristle::new(MU_S, MU_C, Bristles::per_load(SIGMA_0, 60.0, 0.0), 5e-3, 0.2, 5e-5).unwrap()),
        Box::new(Bristle::new(MU_S, MU_C, Bristles::fixed(1e5, 600.0, 0.0), 5e-3, 0.0, 5e-5).unwrap()),
        Box::new(LuGre::new(MU_S, MU_C, Bristles::per_load(SIGMA_0, 60.0, 0.0), 5e-3).unwrap()),
        Box::new(Luaces::new((MU_S, MU_C), 1e5, 600.0, 0.0, 5e-3, 1.0).unwrap()),
    ]
}

/// A block of 1 kg that stands for a point: it does not turn, as its moments are those of a planet.
fn slider(builder: &mut ModelBuilder, material: MaterialId, position: Vec3, velocity: Vec3) -> BodyId {
    spinning(builder, material, position, velocity, Vec3::ZERO)
}

fn spinning(
    builder: &mut ModelBuilder,
    material: MaterialId,
    position: Vec3,
    velocity: Vec3,
    angular: Vec3,
) -> BodyId {
    builder.body(BodySpec {
        pose: Pose::from_translation(position),
        twist: Twist { linear: velocity, angular },
        shapes: vec![(Shape::Sphere { radius: 0.05 }, Pose::IDENTITY, material)],
        ..free(
            "block",
            MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(1e9)) },
        )
    })
}

/// The slider at rest on a slope, as deep as its weight presses it.
fn slope(angle: f64, friction: Box<dyn FrictionLaw>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let (floor, block) = (builder.material("floor"), builder.material("block"));
    builder.contact(floor, block, linear(1e5, 0.5), friction);
    let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
    let ground = builder.body(wall("floor", Vec3::ZERO, normal, floor));
    let depth = 9.81 * angle.cos() / 1e5;
    let body = slider(&mut builder, block, normal * (0.05 - depth), Vec3::ZERO);
    builder.initial_contact(InitialContact { between: (ground, body), impact_speed: 0.0, dwell: 1.0 });
    builder.build().unwrap()
}

fn position(world: &World, name: &str) -> Vec3 {
    world.pose(id(&world.model, name)).translation
}

#[test]
fn a_block_on_a_slope_stays_where_its_bristles_hold_it() {
    // tan 20° = 0.364.
    let angle = 20.0_f64.to_radians();
    for friction in sticking_laws() {
        let name = format!("{friction:?}");
        let mut world = World::new(slope(angle, friction));
        let start = position(&world, "block");
        run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 1.0);
        let settled = position(&world, "block");
        run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 5.0);
        let held = position(&world, "block");
        // Down the slope by the deflection that carries it: tan(angle)/σ₀ per load, that of a newton's worth else.
        let pre_slip = (settled - start).length();
        assert!((1e-5..3e-4).contains(&pre_slip), "{name}: {pre_slip}");
        let creep = (held - settled).length();
        assert!(creep < 1e-8, "{name}: crept by {creep}");
        assert!(world.energy().residual.abs() < 1e-5, "{name}: {:?}", world.energy());
    }
}

#[test]
fn every_method_holds_the_block_at_the_same_place() {
    let angle = 20.0_f64.to_radians();
    for spec in all_integrators(5e-4, 1e-8) {
        let mut world = World::new(slope(angle, bristle()));
        run(&mut world, &*spec.build(), 1.0);
        let flow = world.state.slots[0].memory.flow;
        let deflection = Vec3::new(flow[0], flow[1], flow[2]).length();
        let expected = angle.tan() / SIGMA_0;
        assert!((deflection - expected).abs() < 2e-3 * expected, "{spec:?}: {deflection:e} {expected:e}");
        assert!(world.energy().residual.abs() < 2e-5, "{spec:?}: {}", world.energy().residual);
    }
}

#[test]
fn a_steeper_slope_breaks_it_loose_and_then_it_slides() {
    // tan 32° = 0.625: just above static friction.
    let angle = 32.0_f64.to_radians();
    for spec in all_integrators(2e-4, 1e-8) {
        let mut world = World::new(slope(angle, bristle()));
        run(&mut world, &*spec.build(), 1.0);
        let speed = world.twist(id(&world.model, "block")).linear.length();
        // From rest with g (sin − μ_C cos), once it has let go.
        let expected = 9.81 * (angle.sin() - MU_C * angle.cos());
        assert!((speed / expected - 1.0).abs() < 0.02, "{spec:?}: {speed} {expected}");
        assert!(world.energy().relative_residual.abs() < 2e-3, "{spec:?}: {:?}", world.energy());
    }
}

/// A block that rides on a turntable is held by friction m ω² r, whose direction turns with it: bristles must too.
#[test]
fn bristles_turn_with_what_they_hold() {
    let (omega, radius) = (4.0, 0.2);
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let (floor, block) = (builder.material("floor"), builder.material("block"));
    builder.contact(floor, block, linear(1e5, 0.5), bristle());
    let times: Vec<f64> = (0..=2400).map(|i| f64::from(i) * 5e-3 - 1.0).collect();
    let turned = |t: &f64| Pose {
        translation: Vec3::Z * -0.5,
        rotation: rotation::from_rotation_vector(Vec3::Z * (omega * t)),
    };
    let poses: Vec<Pose> = times.iter().map(turned).collect();
    let table = builder.body(BodySpec {
        name: "table".into(),
        motion: BodyMotion::Driven { series: PoseSeries::new(times, &poses).unwrap() },
        pose: Pose::IDENTITY,
        twist: Twist::default(),
        shapes: vec![(Shape::Cylinder { radius: 1.0, half_height: 0.5 }, Pose::IDENTITY, floor)],
        group: 0,
    });
    // It turns with the table, and its great moment keeps that up.
    let position_at_start = Vec3::new(radius, 0.0, 0.05 - 9.81e-5);
    let body = spinning(&mut builder, block, position_at_start, Vec3::Y * (omega * radius), Vec3::Z * omega);
    builder.initial_contact(InitialContact { between: (table, body), impact_speed: 0.0, dwell: 1.0 });
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 1.0);
    let distance = |world: &World| (position(world, "block") * Vec3::new(1.0, 1.0, 0.0)).length();
    let first = distance(&world);
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 9.0);
    let drift = distance(&world) - first;
    // Without turning, the deflection would lag by a radian within a quarter of a second.
    assert!(drift.abs() < 1e-5, "drift {drift:e}");
    let expected = omega * omega * radius / 9.81 / SIGMA_0;
    assert!((first - radius - expected).abs() < 0.2 * expected, "{first} {expected:e}");
}

/// Pull with 2 N under a load that goes up and down: the bristles stay bent as the load changes, and the work that
/// does is on its own line.
#[test]
fn a_changing_load_on_bent_bristles_has_its_own_line() {
    for spec in all_integrators(1e-4, 1e-9) {
        let mut model = slope_builder();
        let body = model.1;
        model.0.force(
            "pull",
            Box::new(Load {
                body,
                point: Vec3::ZERO,
                in_body: false,
                curve: LoadCurve::Constant([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
                from: 0.0,
                until: 10.0,
            }),
        );
        let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.02).collect();
        let down = |t: &f64| [0.0, 0.0, -10.0 * (1.0 - (std::f64::consts::PI * t).cos()), 0.0, 0.0, 0.0];
        let presses: Vec<[f64; 6]> = times.iter().map(down).collect();
        model.0.force(
            "press",
            Box::new(Load {
                body,
                point: Vec3::ZERO,
                in_body: false,
                curve: LoadCurve::Series(Series::new(times, presses).unwrap()),
                from: 0.0,
                until: 10.0,
            }),
        );
        let mut world = World::new(model.0.build().unwrap());
        run(&mut world, &*spec.build(), 1.0);
        let source = world.model.sources.iter().position(|s| s == "contact.floor-block.load").unwrap();
        let made = -world.dissipated_by(source);
        // Quasi-static: N σ₀ z = 2 N, so that ∫ σ₀z²/2 dN = 2²/(2σ₀) ∫ dN/N², from 9.81 N up to 29.81 N.
        let expected = 2.0 / SIGMA_0 * (1.0 / 9.81 - 1.0 / 29.81);
        // Friction in the bristles as they straighten adds 1.7 %, the same for every method.
        assert!((made / expected - 1.017).abs() < 0.015, "{spec:?}: {made:e} {expected:e}");
        assert!(world.energy().residual.abs() < 0.03 * expected, "{spec:?}: {:?}", world.energy());
    }
}

fn slope_builder() -> (ModelBuilder, BodyId) {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let (floor, block) = (builder.material("floor"), builder.material("block"));
    builder.contact(floor, block, linear(1e5, 0.5), bristle());
    let ground = builder.body(wall("floor", Vec3::ZERO, Vec3::Z, floor));
    let body = slider(&mut builder, block, Vec3::Z * (0.05 - 9.81e-5), Vec3::ZERO);
    builder.initial_contact(InitialContact { between: (ground, body), impact_speed: 0.0, dwell: 1.0 });
    (builder, body)
}

/// The depth at which a fixed step sees a contact first does not count until it has relaxed: no force at first, and a ball that
/// lies there sinks to its place within the time constant.
#[test]
fn relaxation_lets_a_contact_begin_without_force() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    let rule = builder.contact(m, m, linear(1e5, 0.1), common::frictionless());
    builder.relaxation(rule, 0.5);
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    builder.body(common::ball("ball", 1.0, 0.1, m, Vec3::Z * 0.1, Vec3::Z * -1.0));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::Rk4 { step: 2e-4 }.build();
    world.step(&*integrator, 1.0).unwrap();
    world.refresh();
    let slot = world.state.slots[0];
    assert!(slot.depth > 1.8e-4 && slot.memory.flow[fender_contact::RELAXED] == slot.depth, "{slot:?}");
    assert_eq!(world.contacts().next().unwrap().normal_force, 0.0);
    run(&mut world, &*integrator, 0.3);
    let hidden = world.state.slots[0].memory.flow[fender_contact::RELAXED];
    assert!((hidden - slot.depth * (-0.2998_f64 / 0.5).exp()).abs() < 1e-2 * hidden, "{hidden}");
    let depth = 0.1 - position(&world, "ball").z;
    // It is lifted at hidden/0.5 s, which the damping resists.
    let memory = world.state.slots[0].memory;
    let damped = 1.0 - Damping::Exact.factor(0.1).unwrap() / memory.impact_speed * hidden / 0.5;
    assert!((depth - hidden - 9.81e-5 / damped).abs() < 3e-7, "{depth} {hidden} {memory:?}");
    run(&mut world, &*integrator, 6.0);
    assert!((0.1 - position(&world, "ball").z - 9.81e-5).abs() < 1e-8);
    let source = world.model.sources.iter().position(|s| s.ends_with(".relaxation")).unwrap();
    // The ball is lifted from the depth that did not count: m g times that, less what the impact's own loss took with it.
    let (lifted, work) = (9.81 * slot.depth, world.state.account.work[source]);
    assert!(work > 0.5 * lifted && work < 3.0 * lifted, "{work} {lifted}");
    assert!(world.energy().residual.abs() < 1e-2 * 0.5, "{:?}", world.energy());
}

/// About a block that sticks, bristles are springs and dampers: N σ₀ and N σ₁ (Gonthier 2007, eq. 3.47).
#[test]
fn bristles_are_springs_to_small_motions() {
    let (builder, _) = slope_builder();
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.1);
    let linear = fender_engine::balance::linearize(&mut world);
    assert!((linear.stiffness[0][0] / (9.81 * SIGMA_0) - 1.0).abs() < 1e-4, "{}", linear.stiffness[0][0]);
    assert!((linear.damping[0][0] / (9.81 * 60.0) - 1.0).abs() < 1e-4, "{}", linear.damping[0][0]);
    assert!((linear.stiffness[2][2] / 1e5 - 1.0).abs() < 1e-6);
}
