//! Contact: restitution, rest, friction, rolling, and that the account closes.

use crate::common::{
    GRAVITY, adaptive, all_integrators, ball, block, coulomb, frictionless, hertz, id, linear, pile, run,
    wall,
};
use fender_engine::{BodyMotion, EventKind, IntegratorSpec, Model, ModelBuilder, World};
use fender_math::series::PoseSeries;
use fender_math::{Pose, Vec3, rotation};

/// Two balls in space meet head-on.
fn two_balls(speed: f64, law: Box<dyn fender_contact::NormalLaw>) -> Model {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, law, coulomb(0.5));
    builder.body(ball("left", 1.0, 0.1, m, Vec3::new(-0.1012, 0.0, 0.0), Vec3::X * speed));
    builder.body(ball("right", 1.0, 0.1, m, Vec3::new(0.1, 0.0, 0.0), Vec3::ZERO));
    builder.build().unwrap()
}

fn restitution(mut world: World, spec: IntegratorSpec, speed: f64) -> f64 {
    run(&mut world, &*spec.build(), 0.1);
    let (left, right) = (id(&world.model, "left"), id(&world.model, "right"));
    (world.twist(right).linear.x - world.twist(left).linear.x) / speed
}

#[test]
fn a_free_impact_returns_exactly_what_was_asked() {
    for e in [0.1, 0.5, 0.9, 1.0] {
        for law in [linear(2e5, e), hertz(6e6, e)] {
            let got = restitution(World::new(two_balls(1.3, law)), adaptive(1e-11), 1.3);
            assert!((got - e).abs() < 1e-6, "asked {e}, got {got}");
        }
    }
}

#[test]
fn restitution_of_the_pile_s_balls_at_its_step_is_within_two_percent() {
    for speed in [0.5, 0.7, 1.0, 1.3, 2.0] {
        let spec = IntegratorSpec::SemiImplicitEuler { step: 5e-4 };
        let got = restitution(World::new(two_balls(speed, linear(2e5, 0.5))), spec, speed);
        assert!((got - 0.5).abs() < 0.01, "{speed} m/s: {got}");
    }
}

#[test]
fn momentum_is_kept_and_events_tell_touch_and_release() {
    for spec in all_integrators(1e-4, 1e-9) {
        let mut world = World::new(two_balls(1.0, linear(2e5, 0.7)));
        run(&mut world, &*spec.build(), 0.1);
        let total: Vec3 = (0..2).map(|i| world.twist(fender_engine::BodyId(i)).linear).sum();
        assert!((total - Vec3::X).length() < 1e-12, "{spec:?}");
        let kinds: Vec<_> = world.events.iter().map(|e| &e.kind).collect();
        assert!(
            matches!(kinds[..], [EventKind::Touch { .. }, EventKind::Release { .. }]),
            "{spec:?}: {kinds:?}"
        );
        if let EventKind::Touch { speed, .. } = kinds[0] {
            assert!((speed - 1.0).abs() < 1e-9, "{spec:?}: {speed}");
        }
    }
}

#[test]
fn error_control_locates_the_touch() {
    let mut world = World::new(two_balls(1.0, linear(2e5, 0.7)));
    run(&mut world, &*adaptive(1e-9).build(), 0.1);
    assert!((world.events[0].time - 0.0012).abs() < 1e-9, "{}", world.events[0].time);
}

fn ball_on_floor(height: f64, law: Box<dyn fender_contact::NormalLaw>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, law, coulomb(0.5));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * height, Vec3::ZERO));
    builder.build().unwrap()
}

#[test]
fn a_ball_comes_to_rest_at_the_depth_of_its_weight() {
    for spec in all_integrators(5e-4, 1e-8) {
        let mut world = World::new(ball_on_floor(0.3, linear(2e5, 0.5)));
        run(&mut world, &*spec.build(), 3.0);
        let ball = id(&world.model, "ball");
        let depth = 0.1 - world.pose(ball).translation.z;
        assert!((depth - 9.81 / 2e5).abs() < 1e-7, "{spec:?}: depth {depth}");
        assert!(world.twist(ball).linear.length() < 1e-6, "{spec:?}: {}", world.twist(ball).linear);
        assert!(!world.events.iter().any(|e| matches!(e.kind, EventKind::StepTooLarge { .. })), "{spec:?}");
    }
}

#[test]
fn the_account_closes_through_impacts() {
    // Explicit Euler gains (ωh)²/2 of the energy in each step of a contact: here up to a twelfth per impact.
    let limits = [1e-1, 2e-2, 2e-3, 2e-3, 1e-6, 1e-6, 2e-3, 1e-5, 2e-2, 2e-2, 2e-2];
    for (spec, limit) in all_integrators(1e-4, 1e-9).into_iter().zip(limits) {
        let mut world = World::new(ball_on_floor(0.5, hertz(1e6, 0.6)));
        run(&mut world, &*spec.build(), 2.0);
        let residual = world.energy().relative_residual.abs();
        assert!(residual < limit, "{spec:?}: {residual:e}");
    }
}

#[test]
fn a_ball_put_down_rolling_slips_then_rolls_with_five_sevenths_of_its_speed() {
    for (spec, limit) in [
        (IntegratorSpec::SemiImplicitEuler { step: 2e-4 }, 2e-4),
        (IntegratorSpec::Rk4 { step: 2e-4 }, 2e-4),
        (adaptive(1e-8), 1e-5),
    ] {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, linear(2e5, 0.5), coulomb(0.4));
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let z = 0.1 - 9.81 / 2e5;
        builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * z, Vec3::new(1.0, 0.4, 0.0)));
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 1.0);
        let twist = world.twist(id(&world.model, "ball"));
        let expected = Vec3::new(1.0, 0.4, 0.0) * (5.0 / 7.0);
        assert!((twist.linear - expected).length() < limit, "{spec:?}: {}", twist.linear);
        assert!((twist.angular - Vec3::Z.cross(twist.linear) / 0.1).length() < 1e-2, "{spec:?}");
    }
}

#[test]
fn a_box_sticks_below_the_friction_angle_and_slides_above() {
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, IntegratorSpec::Rk4 { step: 1e-3 }] {
        for (angle, slides) in [(20.0_f64, false), (30.0, true)] {
            let tilt = rotation::from_axis_angle(Vec3::Y, angle.to_radians());
            let normal = tilt * Vec3::Z;
            let mut builder = ModelBuilder::new();
            builder.gravity(GRAVITY);
            let m = builder.material("m");
            builder.contact(m, m, linear(2e5, 0.3), coulomb(0.45));
            builder.body(wall("slope", Vec3::ZERO, normal, m));
            let size = Vec3::new(0.4, 0.3, 0.2);
            let pose = Pose { rotation: tilt, translation: normal * 0.0999 };
            builder.body(block("block", 2.0, size, m, pose));
            let mut world = World::new(builder.build().unwrap());
            run(&mut world, &*spec.build(), 1.0);
            let block = id(&world.model, "block");
            let along = world.pose(block).translation.dot(tilt * Vec3::X);
            if slides {
                let expected = 0.5 * 9.81 * (angle.to_radians().sin() - 0.45 * angle.to_radians().cos());
                assert!(
                    (along - expected).abs() < 0.02 * expected,
                    "{spec:?}: slid {along}, expected {expected}"
                );
            } else {
                // Regularised friction creeps, at most at the regularisation speed.
                assert!(along.abs() < 1.5e-3, "{spec:?}: crept {along}");
            }
            assert!(world.twist(block).angular.length() < 1e-3, "{spec:?}");
        }
    }
}

#[test]
fn it_does_not_matter_where_on_a_body_that_is_not_free_a_contact_is() {
    for driven in [false, true] {
        for spec in all_integrators(1e-4, 1e-9) {
            let rebound = [0.0, -3.0].map(|x: f64| {
                let mut builder = ModelBuilder::new();
                builder.gravity(GRAVITY);
                let m = builder.material("m");
                builder.contact(m, m, linear(1e6, 0.3), coulomb(0.5));
                let mut deck = block("deck", 1.0, Vec3::new(8.0, 6.0, 0.2), m, Pose::IDENTITY);
                deck.motion = if driven {
                    let poses = [Pose::IDENTITY; 2];
                    BodyMotion::Driven { series: PoseSeries::new(vec![0.0, 9.0], &poses).unwrap() }
                } else {
                    BodyMotion::Fixed
                };
                builder.body(deck);
                builder.body(ball("ball", 5.0, 0.1, m, Vec3::new(x, 0.5, 0.25), -Vec3::Z * 3.0));
                let mut world = World::new(builder.build().unwrap());
                run(&mut world, &*spec.build(), 0.05);
                world.twist(id(&world.model, "ball")).linear.z
            });
            assert!((rebound[0] - rebound[1]).abs() < 1e-6, "{spec:?}, driven {driven}: {rebound:?}");
            // Explicit Euler gains energy in a contact of 40 steps; the others return what was asked, less gravity.
            assert!((rebound[0] - 0.9).abs() < 0.35, "{spec:?}: {rebound:?}");
        }
    }
}

#[test]
fn what_a_box_loses_when_it_is_set_down_is_booked() {
    for (spec, limit) in [
        (IntegratorSpec::SemiImplicitEuler { step: 1e-4 }, 1e-2),
        (IntegratorSpec::Rk3 { step: 1e-4 }, 5e-2),
        (IntegratorSpec::Rk4 { step: 1e-4 }, 5e-2),
    ] {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, linear(1e6, 0.3), coulomb(0.5));
        builder.body(wall("floor", Vec3::new(5.0, 2.0, 0.0), Vec3::Z, m));
        builder.body(block(
            "box",
            200.0,
            Vec3::new(1.0, 1.0, 0.5),
            m,
            Pose::from_translation(Vec3::Z * 0.25),
        ));
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 0.5);
        let energy = world.energy();
        // On its way down to m g/k it loses most of what gravity does: all of that is turned over.
        let sunk = 0.25 - world.pose(id(&world.model, "box")).translation.z;
        assert!(sunk > 0.3 * 200.0 * 9.81 / 1e6, "{spec:?}: {sunk}");
        assert!(energy.dissipated > 0.5 * 200.0 * 9.81 * sunk, "{spec:?}: {energy:?}");
        assert!(energy.relative_residual.abs() < limit, "{spec:?}: {energy:?}");
    }
}

#[test]
fn a_small_pile_comes_to_rest() {
    let mut world = World::new(pile(4));
    let spec = IntegratorSpec::SemiImplicitEuler { step: 5e-4 };
    run(&mut world, &*spec.build(), 4.0);
    let kinetic = world.energy().kinetic / 64.0;
    assert!(kinetic < 1e-3, "kinetic energy per ball {kinetic} J");
    let deepest = world.contacts().map(|c| c.overlap.depth).fold(0.0, f64::max);
    assert!(deepest < 1e-3, "{deepest}");
    // Nothing left the pit.
    for free in &world.model.free {
        let p = world.pose(free.body).translation;
        assert!(p.x.abs() < 0.52 && p.y.abs() < 0.52 && p.z > 0.09, "{p}");
    }
}

#[test]
fn a_block_that_is_pushed_too_hard_slips_once() {
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, IntegratorSpec::Rk4 { step: 5e-4 }] {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, linear(1e5, 0.5), coulomb(0.5));
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let at = Pose::from_translation(Vec3::Z * 0.05);
        let block = builder.body(block("block", 1.0, Vec3::splat(0.1), m, at));
        let mut world = World::new(builder.build().unwrap());
        let push = |world: &mut World, force: f64, end: f64| {
            // At the floor, so that it does not rock.
            let at_floor = fender_math::Wrench::from_force_at(Vec3::X * force, Vec3::Z * -0.05);
            world.control.push = vec![(block, at_floor)];
            run(world, &*spec.build(), end);
            world.events.drain(..).filter(|e| matches!(e.kind, EventKind::Slip { .. })).count()
        };
        // Friction holds 4.9 N.
        assert_eq!(push(&mut world, 0.0, 0.5), 0, "{spec:?}");
        assert_eq!(push(&mut world, 2.0, 1.0), 0, "{spec:?}");
        assert_eq!(push(&mut world, 6.0, 1.2), 1, "{spec:?}");
        // It stops, rocks a little, and rests.
        push(&mut world, 0.0, 2.0);
        assert_eq!(push(&mut world, 6.0, 2.2), 1, "{spec:?}");
    }
}

#[test]
fn a_step_that_is_too_large_is_told_once() {
    let mut world = World::new(ball_on_floor(0.2, linear(1e7, 0.5)));
    run(&mut world, &*IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build(), 1.0);
    let told: Vec<_> =
        world.events.iter().filter(|e| matches!(e.kind, EventKind::StepTooLarge { .. })).collect();
    assert_eq!(told.len(), 1);
    let EventKind::StepTooLarge { limit, suggested, .. } = told[0].kind else { unreachable!() };
    assert!((limit - 1.0 / 1e7_f64.sqrt()).abs() < 1e-9 && suggested < limit);
}

#[test]
fn initial_memory_of_a_contact_is_used() {
    let model = |speed| {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, linear(2e5, 0.5), frictionless());
        let floor = builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let ball = builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * 0.099, Vec3::ZERO));
        builder.initial_contact(fender_engine::model::InitialContact {
            between: (ball, floor),
            impact_speed: speed,
            dwell: 0.0,
        });
        builder.build().unwrap()
    };
    // Released from compression: a fast latched impact has little damping and gives back more.
    let mut speeds = [0.05, 5.0].map(|speed| {
        let mut world = World::new(model(speed));
        assert_eq!(world.state.slots[0].memory.impact_speed, speed);
        run(&mut world, &*adaptive(1e-9).build(), 0.1);
        world.twist(id(&world.model, "ball")).linear.z
    });
    speeds.sort_by(f64::total_cmp);
    assert!(speeds[1] > 1.2 * speeds[0], "{speeds:?}");
}
