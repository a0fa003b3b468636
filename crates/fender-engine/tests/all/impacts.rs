//! Impacts as events: balls that bounce and come to rest, chains, mechanisms with and without loops, random scenes.

use crate::common::{
    GRAVITY, adaptive, all_integrators, ball, block, coulomb, free, frictionless, linear, on, run, wall,
};
use fender_contact::ImpactLaw;
use fender_contact::impact::{Path, planar};
use fender_engine::closure::{Frame, Turning};
use fender_engine::joint::Revolute;
use fender_engine::{
    BodyId, BodyMotion, BodySpec, EventKind, ImpactRule, IntegratorSpec, JointId, LoopId, LoopKind, LoopSpec,
    MaterialId, Model, ModelBuilder, State, World,
};
use fender_geom::Shape;
use fender_math::series::{PoseSeries, Series};
use fender_math::{MassProperties, Mat3, Pose, Quat, Twist, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;

fn rule(restitution: f64, coefficient: f64) -> ImpactRule {
    ImpactRule::new(ImpactLaw::new(restitution, coefficient, coefficient).unwrap(), 1e-3).unwrap()
}

/// One material whose touches are events; lasting contacts are linear springs with little rebound.
fn scene(gravity: Vec3, restitution: f64, coefficient: f64) -> (ModelBuilder, MaterialId) {
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let m = builder.material("m");
    let contact = builder.contact(m, m, linear(1e5, 0.7), coulomb(coefficient.max(1e-6)));
    builder.impact(contact, rule(restitution, coefficient));
    (builder, m)
}

fn impacts(world: &World) -> Vec<(f64, f64, f64, Path)> {
    let told = world.events.iter().filter_map(|event| match event.kind {
        EventKind::Impact { speed, impulse, path, .. } => Some((event.time, speed, impulse, path)),
        _ => None,
    });
    told.collect()
}

/// A ball dropped from 1 m: the times of its bounces, the time at which it has come to rest, and the rest.
#[test]
fn a_ball_bounces_to_its_zeno_end() {
    const E: f64 = 0.6;
    for spec in all_integrators(1e-3, 1e-9) {
        let (mut builder, m) = scene(GRAVITY, E, 0.0);
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let ball = builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * 1.1, Vec3::ZERO));
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 2.5);
        let euler =
            matches!(spec, IntegratorSpec::ExplicitEuler { .. } | IntegratorSpec::SemiImplicitEuler { .. });
        let exact = !euler;
        let tolerance = if exact { 1e-8 } else { 3e-2 };
        let told = impacts(&world);
        let (mut time, mut speed) = ((2.0 / G).sqrt(), (2.0 * G).sqrt());
        for (i, (at, fast, impulse, path)) in told.iter().enumerate() {
            if exact || i < 6 {
                assert!((at - time).abs() < tolerance, "{spec:?}: bounce {i} at {at}, not {time}");
                assert!((fast - speed).abs() < if exact { 1e-6 } else { 0.1 }, "{spec:?}: {fast} {speed}");
                assert!((impulse - (1.0 + E) * fast).abs() < 1e-9 && *path == Path::Never);
            }
            time += 2.0 * E * speed / G;
            speed *= E;
        }
        // Every touch above 1 mm/s is an impact, the next is not.
        if exact {
            let expected = ((1e-3 / (2.0 * G).sqrt()).ln() / E.ln()).ceil() as usize;
            assert_eq!(told.len(), expected, "{spec:?}");
        }
        if matches!(spec, IntegratorSpec::ExplicitEuler { .. }) {
            // It gains g·h in speed with every bounce within a step, and so keeps bouncing with about that speed.
            assert!(world.twist(ball).linear.length() < 5.0 * G * 1e-3);
            continue;
        }
        let touch = world.events.iter().find(|e| matches!(e.kind, EventKind::Touch { .. }));
        let touch = touch.unwrap_or_else(|| panic!("{spec:?}: it never rests"));
        let zeno = (2.0 / G).sqrt() * (1.0 + E) / (1.0 - E);
        assert!(
            (touch.time - zeno).abs() < if exact { 1e-3 } else { 6e-2 },
            "{spec:?}: {} {zeno}",
            touch.time
        );
        // It rests at the depth its spring asks for.
        let depth = 0.1 - world.pose(ball).translation.z;
        assert!((depth - G / 1e5).abs() < 1e-6, "{spec:?}: {depth}");
        assert!(world.twist(ball).linear.length() < 1e-4, "{spec:?}");
        let energy = world.energy();
        let limit = if exact { 1e-6 } else { 2e-2 };
        assert!(energy.relative_residual.abs() < limit, "{spec:?}: {energy:?}");
        // What was lost is in the account of the impacts.
        let source = world.model.sources.iter().position(|s| s == "contact.m-m.impact").unwrap();
        let lost = world.state.account.dissipated[source];
        assert!((lost - G).abs() < if exact { 1e-3 } else { 0.2 }, "{spec:?}: {lost}");
        assert_eq!(world.state.account.dissipated[source + 1], 0.0);
    }
}

/// The grid of times stays, whatever happens within the steps.
#[test]
fn fixed_steps_keep_their_grid() {
    for spec in all_integrators(1e-2, 1e-6).iter().filter(|s| s.fixed_step().is_some()) {
        let (mut builder, m) = scene(GRAVITY, 0.9, 0.3);
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * 0.3, Vec3::X));
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        for i in 1..=100_u64 {
            world.step(&*integrator, f64::INFINITY).unwrap();
            assert_eq!((world.state.time, world.state.step), (i as f64 * 1e-2, i), "{spec:?}");
        }
        assert!(impacts(&world).len() > 2);
    }
}

/// Newton's cradle: with e = 1 the last ball leaves with the speed of the first, and nothing else moves.
#[test]
fn the_last_ball_of_a_cradle_leaves() {
    for spec in
        [IntegratorSpec::Rk4 { step: 1e-3 }, IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, adaptive(1e-9)]
    {
        for count in [1, 2] {
            let (mut builder, m) = scene(Vec3::ZERO, 1.0, 0.0);
            for i in 0..5 {
                let first = i < count;
                let x = 0.2 * f64::from(i) - if first { 0.1 } else { 0.0 };
                let v = if first { Vec3::X } else { Vec3::ZERO };
                builder.body(ball(&format!("{i}"), 1.0, 0.1, m, Vec3::X * x, v));
            }
            let mut world = World::new(builder.build().unwrap());
            run(&mut world, &*spec.build(), 0.3);
            for i in 0..5 {
                let v = world.twist(BodyId(i)).linear;
                let expected = if i + (count as u32) >= 5 { Vec3::X } else { Vec3::ZERO };
                assert!((v - expected).length() < 1e-9, "{spec:?}, {count}: ball {i} has {v}");
            }
        }
    }
}

/// A ball of speed 1 m/s along x runs into a rack of touching balls, at exactly the same time into the first two of them; the
/// centres of all are 0.2 m apart in rows, less 1e-12 m, so that all touch whatever rounding says. `order` says in which order they are made. Velocities of the balls, the cue ball
/// first, and the world.
fn break_shot(rows: u32, order: &[usize], restitution: f64, coefficient: f64) -> (Vec<Vec3>, World) {
    let apart = 0.2 - 1e-12;
    let mut at = vec![-Vec3::X * (0.2 * 0.75_f64.sqrt() + 1e-6)];
    for row in 1..=rows {
        for i in 0..=row {
            let y = apart * (f64::from(i) - 0.5 * f64::from(row));
            at.push(Vec3::new(apart * 0.75_f64.sqrt() * f64::from(row - 1), y, 0.0));
        }
    }
    let (mut builder, m) = scene(Vec3::ZERO, restitution, coefficient);
    let mut ids = vec![BodyId(0); at.len()];
    for &i in order {
        let v = if i == 0 { Vec3::X } else { Vec3::ZERO };
        ids[i] = builder.body(ball(&format!("{i}"), 1.0, 0.1, m, at[i], v));
    }
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::Rk4 { step: 1e-5 }.build();
    while world.state.time < 1.5e-5 {
        world.step(&*integrator, f64::INFINITY).unwrap();
    }
    world.refresh();
    (ids.iter().map(|id| world.twist(*id).linear).collect(), world)
}

/// A ball that hits two at once, elastic and without friction: by symmetry, momentum and energy each leaves with
/// 2 cos 30°/(1 + 2 cos² 30°) = 0.6928 of its speed along its line of centres, and it comes back with 0.2 of it. With
/// restitution e the impulses are (1 + e)/2 of that.
#[test]
fn a_symmetric_break_shot_is_symmetric() {
    for e in [1.0, 0.5, 0.0] {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let (v, _) = break_shot(1, &order, e, 0.0);
            let speed = 0.5 * (1.0 + e) * 3.0_f64.sqrt() / 2.5;
            assert!((v[0] - Vec3::X * (1.0 - 3.0_f64.sqrt() * speed)).length() < 1e-9, "{e} {v:?}");
            for (v, side) in [(v[1], -1.0), (v[2], 1.0)] {
                let expected = Vec3::new(0.75_f64.sqrt(), 0.5 * side, 0.0) * speed;
                assert!((v - expected).length() < 1e-9, "{e} {order:?}: {v}, not {expected}");
            }
        }
    }
}

/// A rack of three rows behind the two: the result is that of the mirrored scene mirrored, and does not depend on the order of
/// the bodies but for rounding, which a chain of many rounds of impacts amplifies as billiards do; momentum stays, energy does not grow, and none is lost if all is elastic.
#[test]
fn renaming_bodies_permutes_a_break_shot() {
    for (e, mu) in [(1.0, 0.0), (0.9, 0.0), (0.8, 0.3), (0.0, 0.5)] {
        let straight: Vec<usize> = (0..10).collect();
        let (v, world) = break_shot(3, &straight, e, mu);
        let (linear, angular) = momenta(&world);
        assert!((linear - Vec3::X).length() < 1e-12 && angular.length() < 1e-12, "{linear} {angular}");
        let kinetic = world.data.kinetic;
        assert!(kinetic <= 0.5 * (1.0 + 1e-12) && (e < 1.0 || kinetic > 0.5 * (1.0 - 1e-12)), "{kinetic}");
        assert!(world.energy().residual.abs() < 1e-12, "{:?}", world.energy());
        // Rows of 2, 3 and 4 balls: the mirror image of the ball `i` of a row of `n` is the ball n − 1 − i.
        for (start, n) in [(0, 1), (1, 2), (3, 3), (6, 4)] {
            for i in 0..n {
                let [a, b] = [v[start + i], v[start + n - 1 - i]];
                assert!((a - b.with_y(-b.y)).length() < 1e-7, "e = {e}, μ = {mu}: {a} {b}");
            }
        }
        for order in [[9, 8, 7, 6, 5, 4, 3, 2, 1, 0], [3, 1, 4, 0, 5, 9, 2, 6, 8, 7]] {
            let (other, _) = break_shot(3, &order, e, mu);
            for (a, b) in v.iter().zip(&other) {
                assert!((*a - *b).length() < 1e-7, "e = {e}, μ = {mu}, {order:?}: {a} {b}");
            }
        }
    }
}

/// As stiff springs: impacts of one instant are those of equal elastic springs whose stiffness grows, also where nothing is
/// symmetric (the second ball that is hit is heavier) and with friction.
#[test]
fn impacts_of_one_instant_are_those_of_stiff_springs() {
    let velocities = |stiff: Option<f64>, coefficient: f64| {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        let stiffness = stiff.unwrap_or(1e5);
        let contact = builder.contact(m, m, linear(stiffness, 1.0), coulomb(coefficient));
        if stiff.is_none() {
            builder.impact(contact, rule(1.0, coefficient));
        }
        // Apart, so that they do not touch each other.
        let y = 0.11_f64;
        let x = (0.04 - y * y).sqrt();
        builder.body(ball("cue", 1.0, 0.1, m, Vec3::X * -(x + 0.01), Vec3::X));
        for (mass, y) in [(1.0, y), (3.0, -y)] {
            builder.body(ball(&format!("{y}"), mass, 0.1, m, Vec3::Y * y, Vec3::ZERO));
        }
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*adaptive(1e-9).build(), 0.05);
        [0, 1, 2].map(|i| world.twist(BodyId(i)))
    };
    for coefficient in [1e-9, 0.2] {
        let (impact, spring) = (velocities(None, coefficient), velocities(Some(1e8), coefficient));
        for (a, b) in impact.iter().zip(&spring) {
            let off = (a.linear - b.linear).length() + 0.1 * (a.angular - b.angular).length();
            // Pieces of the path, and regularised friction: 1 mm/s each; the springs give by 0.1 mm.
            assert!(off < 2e-3, "{coefficient}: {off} {a:?} {b:?}");
        }
    }
}

/// A box that falls flat rebounds flat, though it touches at four corners.
#[test]
fn a_box_falls_flat_and_comes_to_rest() {
    let (mut builder, m) = scene(GRAVITY, 0.5, 0.4);
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let size = Vec3::new(0.4, 0.3, 0.2);
    let body = builder.body(block("box", 2.0, size, m, Pose::from_translation(Vec3::Z * 0.4)));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::Rk4 { step: 1e-3 }.build();
    while impacts(&world).is_empty() {
        world.step(&*integrator, f64::INFINITY).unwrap();
        world.refresh();
    }
    assert_eq!(impacts(&world).len(), 1);
    assert!(world.twist(body).angular.length() < 1e-9 && world.twist(body).linear.z > 0.8);
    run(&mut world, &*integrator, 2.0);
    let pose = world.pose(body);
    assert!((pose.translation.z - 0.1).abs() < 1e-3 && world.twist(body).linear.length() < 1e-3);
    assert!(world.energy().relative_residual.abs() < 1e-3, "{:?}", world.energy());
}

/// What a body has after it has fallen on a floor with 1 m/s, without gravity and friction, and the number of impacts.
fn after_a_fall(shape: &Shape, pose: Pose, spin: Vec3, spec: &IntegratorSpec) -> (Twist, usize) {
    const E: f64 = 0.5;
    let (mut builder, m) = scene(Vec3::ZERO, E, 0.0);
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let twist = Twist { linear: Vec3::Z * -1.0, angular: spin };
    let spec_of_body = block("body", MASS, SIZE, m, pose);
    let shapes = vec![(shape.clone(), Pose::IDENTITY, m)];
    let body = builder.body(BodySpec { twist, shapes, ..spec_of_body });
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*spec.build(), 0.022);
    (world.twist(body), impacts(&world).len())
}

const MASS: f64 = 2.0;
/// The box that all bodies of [`after_a_fall`] have the inertia of.
const SIZE: Vec3 = Vec3::new(0.1, 0.08, 0.1);

/// Faces, edges, corners, rims and ends: touched below the middle a body comes back with e·u and does not turn.
#[test]
fn solids_rebound_as_asked_from_whatever_they_touch_with() {
    let box_ = Shape::Box { half: Vec3::splat(0.05) };
    let can = Shape::Cylinder { radius: 0.05, half_height: 0.04 };
    let capsule = Shape::Capsule { radius: 0.05, half_height: 0.04 };
    let cone = Shape::Cone { radius: 0.05, half_height: 0.04 };
    let to = |down: Vec3| rotation::between(down.normalize(), -Vec3::Z);
    let (face, edge, corner) = (-Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, -1.0, 1.0));
    let scenes = [
        ("box on a face", &box_, face, 0.05),
        ("box on an edge", &box_, edge, 0.05 * 2.0_f64.sqrt()),
        ("box on a corner", &box_, corner, 0.05 * 3.0_f64.sqrt()),
        ("can on its cap", &can, face, 0.04),
        ("can on its side", &can, Vec3::X, 0.05),
        ("can on its rim", &can, Vec3::new(0.05, 0.0, 0.04), 0.05_f64.hypot(0.04)),
        ("capsule on its end", &capsule, face, 0.09),
        ("capsule on its side", &capsule, Vec3::Y, 0.05),
        ("cone on its tip", &cone, Vec3::Z, 0.04),
    ];
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, adaptive(1e-9)] {
        for (name, shape, down, below) in scenes {
            let pose = Pose { rotation: to(down), translation: Vec3::Z * (below + 0.0203) };
            let (twist, count) = after_a_fall(shape, pose, Vec3::ZERO, &spec);
            // A touch is solved 1e-12 m deep, where the rounding of the pose, 1e-17 m, moves the middle of a face by 1e-5 of its size.
            let error = (twist.linear - Vec3::Z * 0.5).length() + 1e-2 * twist.angular.length();
            assert!(error < 1e-5 && count == 1, "{name}, {spec:?}: {twist:?}, {count} impacts");
        }
    }
}

/// Beside the middle the impulse is (1 + e)·u over 1/m + x²/I.
#[test]
fn a_box_that_falls_on_its_edge_turns_as_its_inertia_says() {
    const TILT: f64 = 0.3;
    let shape = Shape::Box { half: SIZE * 0.5 };
    let rotation = rotation::from_rotation_vector(Vec3::Y * TILT);
    let arm = rotation * Vec3::new(0.05, 0.0, -0.05);
    let inertia = MASS * (SIZE.x * SIZE.x + SIZE.z * SIZE.z) / 12.0;
    let impulse = 1.5 / (1.0 / MASS + arm.x * arm.x / inertia);
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, adaptive(1e-9)] {
        let pose = Pose { rotation, translation: Vec3::Z * (0.0203 - arm.z) };
        let (twist, count) = after_a_fall(&shape, pose, Vec3::ZERO, &spec);
        let expected = Vec3::Y * (-arm.x * impulse / inertia);
        assert!((twist.angular - expected).length() < 1e-5, "{spec:?}: {twist:?} {expected} {count}");
        assert!((twist.linear.z - (impulse / MASS - 1.0)).abs() < 1e-6, "{spec:?}: {twist:?}");
    }
}

/// A box dropped on a corner, with friction, tumbles and comes to rest.
#[test]
fn a_tumbling_box_loses_energy_only() {
    let (mut builder, m) = scene(GRAVITY, 0.4, 0.5);
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let tilt = rotation::from_rotation_vector(Vec3::new(0.5, 0.3, 0.2));
    let pose = Pose { rotation: tilt, translation: Vec3::Z * 0.6 };
    let body = builder.body(block("box", 2.0, Vec3::new(0.4, 0.3, 0.2), m, pose));
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 4.0);
    assert!(world.twist(body).linear.length() < 1e-2, "{:?}", world.twist(body));
    assert!(world.state.statistics.deepest < 2e-3, "{}", world.state.statistics.deepest);
    assert!(world.energy().relative_residual.abs() < 5e-3, "{:?}", world.energy());
}

/// The double pendulum of Morgan 2011, section 2.1, as a mechanism in space: bars along x at angle 0, turning about −y (so that
/// angles count from x to z), with a floor through the tip of the second bar.
fn double_pendulum(q: [f64; 2], u: [f64; 2], impact: ImpactRule) -> World {
    // The tip is a small ball about the end of the bar; the floor is one radius below its centre.
    const R: f64 = 1e-9;
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    let contact = builder.contact(m, m, linear(1e5, 0.1), frictionless());
    builder.impact(contact, impact);
    let tip = q[0].sin() + (q[0] + q[1]).sin();
    builder.body(wall("floor", Vec3::Z * (tip - R + 1e-13), Vec3::Z, m));
    let bar = |name: &str, x: f64| BodySpec {
        pose: Pose::from_translation(Vec3::X * x),
        ..free(
            name,
            MassProperties {
                mass: 1.0,
                center: Vec3::ZERO,
                inertia: Mat3::from_diagonal(Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0)),
            },
        )
    };
    let upper = builder.body(bar("upper", 0.5));
    let mut lower = bar("lower", 1.5);
    lower.shapes.push((Shape::Sphere { radius: R }, Pose::from_translation(Vec3::X * 0.5), m));
    let lower = builder.body(lower);
    let hinge =
        |x: f64| Pose { rotation: rotation::between(Vec3::Z, -Vec3::Y), translation: Vec3::new(x, 0.0, 0.0) };
    for (i, (parent, child)) in [(None, upper), (Some(upper), lower)].into_iter().enumerate() {
        let mut joint = on(&format!("{i}"), parent, child, Arc::new(Revolute), hinge(i as f64));
        (joint.start, joint.rates) = (vec![q[i]], vec![u[i]]);
        builder.joint(joint);
    }
    World::new(builder.build().unwrap())
}

/// Cases D1–D7 and D13 of the planar solver's own test, as mechanisms: the collision matrix comes from the tree, and the speeds
/// after the impact are those found there with another program.
#[test]
fn a_double_pendulum_hits_the_floor_as_in_the_plane() {
    type Row = ([f64; 2], [f64; 2], f64, f64, f64, [f64; 2]);
    let rows: [Row; 8] = [
        ([-2.8, 0.4], [2.0, 0.0], 0.2, 0.2, 0.5, [2.16536949, -6.87812195]),
        ([-2.3, 0.6], [1.0, 0.0], 0.5, 0.5, 0.5, [-0.667392355, 1.16925342]),
        ([-1.4, -0.5], [-3.0, 3.0], 0.8, 0.8, 0.6, [1.61130111, -3.28926381]),
        ([-2.0, -0.2], [4.0, -1.0], 0.5, 0.5, 0.8, [6.52881023, -14.3802863]),
        ([-1.4, 0.4], [-1.0, -3.0], 1.0, 1.0, 0.8, [-2.52042333, 5.47210025]),
        ([-1.8, 1.0], [-2.0, -2.0], 0.2, 0.2, 0.8, [-3.18760783, 4.82632743]),
        ([-2.1, 0.8], [2.0, 0.0], 0.2, 0.2, 0.8, [1.00804837, 2.31407809]),
        ([-2.8, 0.4], [2.0, 0.0], 0.2, 0.9, 0.5, [-1.60924469, 2.40733098]),
    ];
    for (q, u, mu, mu_s, e, after) in rows {
        let law = ImpactLaw::new(e, mu, mu_s).unwrap();
        let mut world = double_pendulum(q, u, ImpactRule::new(law, 1e-3).unwrap());
        world.step(&*IntegratorSpec::Rk4 { step: 1e-12 }.build(), f64::INFINITY).unwrap();
        assert_eq!(impacts(&world).len(), 1);
        for (found, expected) in world.state.v.iter().zip(after) {
            assert!((found - expected).abs() < 1e-7, "{q:?}: {:?} is not {after:?}", world.state.v);
        }
        world.refresh();
        assert!(world.energy().residual.abs() < 1e-9, "{:?}", world.energy());
    }
}

/// A four-bar linkage whose coupler carries a ball falls on the floor: the loop stays closed through every impact.
#[test]
fn a_linkage_stays_closed_through_impacts() {
    for spec in [IntegratorSpec::Rk4 { step: 1e-3 }, adaptive(1e-9)] {
        let (mut builder, m) = scene(GRAVITY, 0.7, 0.3);
        builder.body(wall("floor", Vec3::Z * -0.6, Vec3::Z, m));
        let rod = |name: &str, from: Vec3, to: Vec3| {
            let line = to - from;
            let inertia = line.length_squared() / 12.0;
            let mass = MassProperties {
                mass: 1.0,
                center: Vec3::ZERO,
                inertia: Mat3::from_diagonal(Vec3::new(1e-3, inertia, inertia)),
            };
            let rotation = rotation::between(Vec3::X, line.normalize());
            BodySpec { pose: Pose { rotation, translation: (from + to) * 0.5 }, ..free(name, mass) }
        };
        let (a, b, c, d) = (Vec3::ZERO, Vec3::X * -1.0, Vec3::new(1.0, 0.0, -0.2), Vec3::X * 0.8);
        let crank = builder.body(rod("crank", a, b));
        let mut coupler = rod("coupler", b, c);
        coupler.shapes.push((Shape::Sphere { radius: 0.2 }, Pose::from_translation(Vec3::Z * -0.2), m));
        let coupler = builder.body(coupler);
        let rocker = builder.body(rod("rocker", c, d));
        let hinge = |p: Vec3| Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: p };
        builder.joint(on("crank", None, crank, Arc::new(Revolute), hinge(a)));
        builder.joint(on("elbow", Some(crank), coupler, Arc::new(Revolute), hinge(b)));
        builder.joint(on("rocker", None, rocker, Arc::new(Revolute), hinge(d)));
        let half = |from: Vec3, to: Vec3| Vec3::X * (0.5 * (to - from).length());
        builder.closed_loop(LoopSpec {
            name: "close".into(),
            kind: LoopKind::Bodies(Box::new(Frame {
                a: Some(coupler),
                b: Some(rocker),
                frame_a: Pose::from_translation(half(b, c)),
                frame_b: Pose::from_translation(-half(c, d)),
                locked: [true; 3],
                turning: Turning::Free,
                kind: "point",
            })),
        });
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        let mut seen = 0;
        while world.state.time < 1.5 {
            world.step(&*integrator, 1.5).unwrap();
            world.refresh();
            let now = impacts(&world).len();
            if now > seen {
                // The ends of the loop have one velocity, also just after the impact.
                let end = world.data.bodies[coupler.index()].velocity_at(world.pose(coupler) * half(b, c));
                let other = world.data.bodies[rocker.index()].velocity_at(world.pose(rocker) * -half(c, d));
                assert!((end - other).length() < 1e-10, "{spec:?}: {end} {other}");
                seen = now;
            }
            assert!(world.loop_violation(LoopId(0)) < 1e-9);
        }
        assert!(seen > 2, "{spec:?}: {seen}");
        assert!(world.energy().relative_residual.abs() < 1e-5, "{spec:?}: {:?}", world.energy());
    }
}

/// A driven plate strikes a ball: the ball leaves with twice the plate's speed, and the drive is seen to work.
#[test]
fn a_driven_bat_does_the_work() {
    let (mut builder, m) = scene(Vec3::ZERO, 1.0, 0.0);
    let poses = vec![Pose::from_translation(Vec3::Z * -1.0), Pose::from_translation(Vec3::Z)];
    let series = PoseSeries::new(vec![0.0, 1.0], &poses).unwrap();
    builder.body(BodySpec {
        name: "bat".into(),
        motion: BodyMotion::Driven { series },
        pose: Pose::IDENTITY,
        twist: Twist::default(),
        shapes: vec![(Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, Pose::IDENTITY, m)],
        group: 0,
    });
    let ball = builder.body(ball("ball", 2.0, 0.1, m, Vec3::Z * 0.2, Vec3::ZERO));
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.9);
    assert!((world.twist(ball).linear.z - 4.0).abs() < 1e-9, "{:?}", world.twist(ball));
    let energy = world.energy();
    assert!((energy.work - 16.0).abs() < 1e-8 && energy.residual.abs() < 1e-8, "{energy:?}");
}

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn rotation(&mut self) -> Quat {
        rotation::from_rotation_vector(self.vector(3.0))
    }

    fn mass(&mut self) -> MassProperties {
        let [a, b, c] = [(); 3].map(|()| self.between(0.01, 0.1));
        let mass = self.between(0.5, 3.0);
        MassProperties {
            mass,
            center: self.vector(0.1),
            inertia: Mat3::from_diagonal(Vec3::new(a + b, b + c, a + c)),
        }
    }
}

/// Two floating chains of hinged bodies, or single bodies, whose last members run into each other.
fn colliding(seed: u64) -> (Model, f64, f64) {
    let mut random = Random(seed);
    let (e, mu) = (random.unit(), random.between(0.0, 1.0));
    let (mut builder, m) = scene(Vec3::ZERO, e, mu);
    for side in [-1.0, 1.0] {
        let count = 1 + (random.unit() * 4.0) as u32;
        let mut parent: Option<BodyId> = None;
        for i in 0..count {
            let at = Vec3::new(side * (0.101 + 0.3 * f64::from(count - 1 - i)), 0.0, 0.0);
            let mass = random.mass();
            let pose = Pose { rotation: random.rotation(), translation: at };
            let mut spec = BodySpec { pose, ..free(&format!("{side}-{i}"), mass) };
            if i + 1 == count {
                let r = 0.1;
                // A ball about the body's origin, which is not its centre of mass, beside the line of approach.
                let off = spec.pose.rotation.conjugate() * Vec3::new(0.0, random.between(-0.05, 0.05), 0.0);
                spec.shapes.push((Shape::Sphere { radius: r }, Pose::from_translation(off), m));
            }
            if parent.is_none() {
                let linear = Vec3::new(-side, 0.0, 0.0) + random.vector(0.3);
                spec.twist = Twist { linear, angular: random.vector(0.5) };
            }
            let body = builder.body(spec);
            if let Some(parent) = parent {
                let frame = Pose { rotation: random.rotation(), translation: at - Vec3::X * (side * -0.15) };
                let mut joint = on(&format!("{side}-{i}"), Some(parent), body, Arc::new(Revolute), frame);
                joint.rates = vec![random.between(-1.0, 1.0)];
                builder.joint(joint);
            }
            parent = Some(body);
        }
    }
    (builder.build().unwrap(), e, mu)
}

fn momenta(world: &World) -> (Vec3, Vec3) {
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for (body, k) in world.model.bodies.iter().zip(&world.data.bodies) {
        let BodyMotion::Free { mass } = &body.motion else { continue };
        let r = Mat3::from_quat(k.pose.rotation);
        linear += k.twist.linear * mass.mass;
        angular +=
            k.center.cross(k.twist.linear) * mass.mass + r * mass.inertia * r.transpose() * k.twist.angular;
    }
    (linear, angular)
}

/// Random mechanisms in space that run into each other: energy never grows, momentum stays, the contact parts, friction is in
/// its cone, and all of it is in the account. Many more with `cargo xtask test --long`.
#[test]
fn random_mechanisms_collide_by_the_rules() {
    let many = if std::env::var_os("FENDER_LONG").is_some() { 100_000 } else { 1_000 };
    let integrator = IntegratorSpec::Rk4 { step: 1e-3 }.build();
    let mut hits = 0;
    for seed in 0..many {
        let (model, _, mu) = colliding(seed);
        let mut world = World::new(model);
        world.refresh();
        for _ in 0..60 {
            let before = (momenta(&world), world.data.kinetic, world.state.clone());
            world.events.clear();
            world.step(&*integrator, f64::INFINITY).unwrap();
            world.refresh();
            let told = impacts(&world);
            if told.is_empty() {
                continue;
            }
            hits += 1;
            let after = momenta(&world);
            // Within the step things also turn: a method of order four keeps the momenta to a small part.
            assert!((after.0 - before.0.0).length() < 1e-9, "{seed}: {after:?} {:?}", before.0);
            assert!((after.1 - before.0.1).length() < 1e-8, "{seed}: {after:?} {:?}", before.0);
            assert!(
                world.data.kinetic <= before.1 * (1.0 + 1e-9),
                "{seed}: {} {}",
                world.data.kinetic,
                before.1
            );
            for contact in world.contacts() {
                assert!(contact.motion.approach <= 1e-3, "{seed}: {contact:?}");
            }
            // A slow touch in the same step begins a lasting contact, whose force adds to the impulse.
            let alone = world.state.slots.is_empty() && before.2.slots.is_empty();
            if told.len() == 1 && alone {
                // The impulse, from the momentum of one side.
                let side = |world: &World| {
                    let of = world
                        .model
                        .bodies
                        .iter()
                        .zip(&world.data.bodies)
                        .filter(|(b, _)| b.name.starts_with('1'));
                    let mut sum = Vec3::ZERO;
                    for (body, k) in of {
                        sum += k.twist.linear * body.mass().unwrap();
                    }
                    sum
                };
                let now = side(&world);
                let mut back = World::resume(colliding(seed).0, before.2).unwrap();
                back.refresh();
                let p = now - side(&back);
                assert!((p.length() - told[0].2).abs() < 1e-9, "{seed}: {} {}", p.length(), told[0].2);
                // The normal is along the line of the balls' centres, which turns a little until the step ends.
                let ball = |name: char| {
                    let shape = world
                        .model
                        .shapes
                        .iter()
                        .find(|s| world.model.bodies[s.body.index()].name.starts_with(name));
                    let shape = shape.unwrap();
                    world.data.bodies[shape.body.index()].pose * shape.pose_bs.translation
                };
                let n = (ball('1') - ball('-')).normalize();
                let along = p.dot(n);
                let across = (p - n * along).length();
                assert!(along > 0.0 && across <= (mu + 2e-2) * along, "{seed}: {across} {along} {mu}");
            }
            break;
        }
        let energy = world.energy();
        assert!(energy.residual.abs() < 1e-9 * (1.0 + world.data.kinetic), "{seed}: {energy:?}");
    }
    assert!(hits > many * 9 / 10, "{hits} of {many} met");
}

/// A planar contact inside a mechanism in space gives what the planar solver gives.
#[test]
fn a_planar_contact_in_space_is_planar() {
    let mut random = Random(7);
    for _ in 0..200 {
        let q = [random.between(-3.0, -0.2), random.between(-2.5, 2.5)];
        let u = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
        let (s1, c1, s12, c12, c2) =
            (q[0].sin(), q[0].cos(), (q[0] + q[1]).sin(), (q[0] + q[1]).cos(), q[1].cos());
        let j = [[-s1 - s12, -s12], [c1 + c12, c12]];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let v = (dot(j[0], u), dot(j[1], u));
        if v.1 > -0.01 {
            continue;
        }
        let mass = [[c2 + 5.0 / 3.0, 0.5 * c2 + 1.0 / 3.0], [0.5 * c2 + 1.0 / 3.0, 1.0 / 3.0]];
        let det = mass[0][0] * mass[1][1] - mass[0][1] * mass[0][1];
        let solve = |x: [f64; 2]| {
            [(mass[1][1] * x[0] - mass[0][1] * x[1]) / det, (mass[0][0] * x[1] - mass[0][1] * x[0]) / det]
        };
        let (l_t, l_n) = (solve(j[0]), solve(j[1]));
        let law = ImpactLaw::new(random.unit(), random.between(0.0, 1.0), 1.0).unwrap();
        let impact = planar(dot(j[1], l_n), dot(j[0], l_t), dot(j[0], l_n), v, &law);
        let mut world = double_pendulum(q, u, ImpactRule::new(law, 1e-3).unwrap());
        world.step(&*IntegratorSpec::Rk4 { step: 1e-12 }.build(), f64::INFINITY).unwrap();
        for i in 0..2 {
            let expected = u[i] + l_t[i] * impact.impulse.x + l_n[i] * impact.impulse.z;
            let size = 1.0 + impact.impulse.length() + expected.abs();
            assert!(
                (world.state.v[i] - expected).abs() < 1e-7 * size,
                "{q:?} {u:?}: {:?} {expected}",
                world.state.v
            );
        }
    }
}

/// A pile whose touches are events: the same bits on any number of threads, after clearing the scratch, and after a restart.
#[test]
fn impacts_are_deterministic_and_restart() {
    let pile = || {
        let (mut builder, m) = scene(GRAVITY, 0.5, 0.4);
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let mut random = Random(3);
        for i in 0..27 {
            let at =
                Vec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) * 0.21 + Vec3::Z * 0.2;
            builder.body(ball(&format!("{i}"), 1.0, 0.1, m, at + random.vector(0.003), Vec3::ZERO));
        }
        builder.build().unwrap()
    };
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, IntegratorSpec::Rk4 { step: 1e-3 }] {
        let integrator = spec.build();
        let run = |threads: usize, restart: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = World::new(pile());
                for i in 0..600 {
                    if restart && i % 97 == 0 {
                        let bytes = world.state.save();
                        world = World::resume(pile(), State::restore(&bytes).unwrap()).unwrap();
                    }
                    world.step(&*integrator, f64::INFINITY).unwrap();
                }
                world.refresh();
                assert!(world.energy().relative_residual.abs() < 2e-2, "{:?}", world.energy());
                world.state.hash()
            })
        };
        let first = run(1, false);
        assert_eq!(first, run(2, false));
        assert_eq!(first, run(1, true));
    }
}

#[test]
fn a_guide_is_not_moved_by_impacts() {
    // A guided crank carries a hinged bat that strikes a free ball.
    let (mut builder, m) = scene(Vec3::ZERO, 0.8, 0.2);
    let rod = MassProperties {
        mass: 1.0,
        center: Vec3::ZERO,
        inertia: Mat3::from_diagonal(Vec3::new(1e-3, 0.1, 0.1)),
    };
    let crank = builder.body(BodySpec { pose: Pose::from_translation(Vec3::X * 0.5), ..free("crank", rod) });
    let mut bat = BodySpec { pose: Pose::from_translation(Vec3::X * 1.5), ..free("bat", rod) };
    bat.shapes.push((Shape::Sphere { radius: 0.1 }, Pose::from_translation(Vec3::X * 0.5), m));
    let bat = builder.body(bat);
    let frame = |x: f64| Pose::from_translation(Vec3::X * x);
    let mut joint = on("crank", None, crank, Arc::new(Revolute), frame(0.0));
    joint.guide = Some(vec![Series::new(vec![-1.0, 10.0], vec![[-1.0], [10.0]]).unwrap().into()]);
    builder.joint(joint);
    builder.joint(on("wrist", Some(crank), bat, Arc::new(Revolute), frame(1.0)));
    let ball = builder.body(ball("ball", 0.5, 0.1, m, Vec3::new(1.9, 0.6, 0.0), Vec3::ZERO));
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.5);
    assert_eq!(impacts(&world).len(), 1);
    assert!(world.twist(ball).linear.y > 1.0);
    assert!((world.joint_rate(JointId(0), 0) - 1.0).abs() < 1e-9);
    assert!(world.energy().relative_residual.abs() < 1e-6, "{:?}", world.energy());
}

#[test]
fn impossible_rules_are_refused() {
    let law = ImpactLaw::new(0.5, 0.3, 0.3).unwrap();
    for small in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(ImpactRule::new(law, small).unwrap_err().to_string().contains("small_speed"));
    }
}
