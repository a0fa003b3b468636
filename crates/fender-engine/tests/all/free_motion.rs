//! Motion without contact, against closed forms.

use crate::common::{GRAVITY, adaptive, all_integrators, free, id, run};
use fender_engine::force::{Drag, Load, LoadCurve, Spring};
use fender_engine::{BodyMotion, BodySpec, IntegratorSpec, ModelBuilder, World};
use fender_math::series::PoseSeries;
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};

#[test]
fn a_projectile_follows_the_parabola() {
    let exact = 1e-12;
    let tolerances = [2e-2, 2e-2, exact, exact, exact, exact, exact, exact, exact, exact, exact];
    for (spec, tolerance) in all_integrators(1e-3, 1e-9).into_iter().zip(tolerances) {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let v = Vec3::new(3.0, -1.0, 4.0);
        let mut stone = free("stone", MassProperties::solid_sphere(2.0, 0.1));
        stone.twist.linear = v;
        builder.body(stone);
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 1.0);
        let expected = v + 0.5 * GRAVITY;
        let got = world.pose(id(&world.model, "stone")).translation;
        assert!((got - expected).length() < tolerance, "{spec:?}: {got}");
        assert!((world.acceleration(id(&world.model, "stone")).linear - GRAVITY).length() < 1e-12);
    }
}

/// Mass on a spring, damped or not; returns position and energy residual at `end`.
fn oscillator(spec: IntegratorSpec, damping: f64, end: f64) -> (f64, f64) {
    let mut builder = ModelBuilder::new();
    let anchor = builder.body(BodySpec {
        motion: BodyMotion::Fixed,
        ..free("anchor", MassProperties::solid_sphere(1.0, 1.0))
    });
    let mut mass = free("mass", MassProperties::solid_sphere(2.0, 0.1));
    mass.pose = Pose::from_translation(Vec3::X * 1.3);
    let mass = builder.body(mass);
    builder.force(
        "spring",
        Box::new(Spring {
            a: anchor,
            point_a: Vec3::ZERO,
            b: mass,
            point_b: Vec3::ZERO,
            stiffness: 200.0,
            damping,
            rest_length: 1.0,
            tension_only: false,
        }),
    );
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*spec.build(), end);
    (world.pose(mass).translation.x, world.energy().relative_residual)
}

#[test]
fn an_oscillator_keeps_its_phase_and_the_account_closes() {
    let (omega, end): (f64, f64) = (10.0, 2.0);
    let exact = 1.0 + 0.3 * (omega * end).cos();
    let (x, residual) = oscillator(adaptive(1e-11), 0.0, end);
    assert!((x - exact).abs() < 1e-9, "{x} {exact}");
    assert!(residual.abs() < 1e-9);
    // Damped: ω_d = √(ω² − δ²), x = e^(−δt)(cos + δ/ω_d sin).
    let delta: f64 = 8.0 / 4.0;
    let wd = (omega * omega - delta * delta).sqrt();
    let exact = 1.0 + 0.3 * (-delta * end).exp() * ((wd * end).cos() + delta / wd * (wd * end).sin());
    let (x, residual) = oscillator(adaptive(1e-11), 8.0, end);
    assert!((x - exact).abs() < 1e-9);
    assert!(residual.abs() < 1e-9);
}

#[test]
fn every_method_has_its_order() {
    let exact = 1.0 + 0.3 * (10.0_f64 * 2.0).cos();
    // The fixed-step methods are the first four; semi-implicit Euler's velocities lag half a step: order 1.
    for (i, order) in [1.0, 1.0, 3.0, 4.0].into_iter().enumerate() {
        let error = |h: f64| (oscillator(all_integrators(h, 1.0)[i], 0.0, 2.0).0 - exact).abs();
        let slope = (error(2e-3) / error(1e-3)).log2();
        assert!((slope - order).abs() < 0.15, "{:?}: slope {slope}", all_integrators(1e-3, 1.0)[i]);
    }
}

#[test]
fn a_free_asymmetric_top_keeps_energy_and_angular_momentum_over_1000_turns() {
    let inertia = Vec3::new(1.0, 2.0, 2.6);
    let mut builder = ModelBuilder::new();
    // Turned axes: the inertia given is not diagonal, and the centre is not the origin.
    let r = Mat3::from_quat(rotation::from_axis_angle(Vec3::new(1.0, 0.4, -0.3), 0.8));
    let mut top = free(
        "top",
        MassProperties {
            mass: 3.0,
            center: Vec3::new(0.1, 0.2, -0.3),
            inertia: r * Mat3::from_diagonal(inertia) * r.transpose(),
        },
    );
    // Mostly about the intermediate axis: tumbling.
    top.twist.angular = r * Vec3::new(0.05, 6.0, 0.1);
    builder.body(top);
    let mut world = World::new(builder.build().unwrap());
    let momentum = |world: &World| {
        let free = world.model.bodies[0].free.unwrap();
        free.pose_wc(&world.state.q).rotation * (free.inertia * free.velocity(&world.state.v).1)
    };
    world.refresh();
    let (l0, e0) = (momentum(&world), world.energy().kinetic);
    let turns = 1000.0 * std::f64::consts::TAU / 6.0;
    run(&mut world, &*adaptive(1e-13).build(), turns);
    let (l1, e1) = (momentum(&world), world.energy().kinetic);
    assert!((l1 - l0).length() / l0.length() < 1e-9, "momentum {:e}", (l1 - l0).length() / l0.length());
    assert!((e1 - e0).abs() / e0 < 1e-9, "energy {:e}", (e1 - e0) / e0);
}

#[test]
fn the_centre_of_mass_of_an_eccentric_body_flies_straight() {
    let mut builder = ModelBuilder::new();
    let center = Vec3::new(0.3, 0.0, 0.1);
    let mut body = free("club", MassProperties { center, ..MassProperties::solid_sphere(1.0, 0.2) });
    body.twist = Twist { linear: Vec3::new(1.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 5.0) };
    let v = body.twist.at(center);
    builder.body(body);
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*adaptive(1e-11).build(), 1.5);
    let got = world.pose(id(&world.model, "club")).transform_point(center);
    assert!((got - (center + v * 1.5)).length() < 1e-9);
    // The reported acceleration of the frame's origin is centripetal: ω² times the distance.
    let a = world.acceleration(id(&world.model, "club")).linear;
    assert!((a.length() - 25.0 * 0.3).abs() < 1e-9);
}

#[test]
fn a_falling_body_reaches_terminal_velocity_and_the_account_closes() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let body = builder.body(free("drop", MassProperties::solid_sphere(0.5, 0.1)));
    let wind = Vec3::new(2.0, 0.0, 0.0);
    builder.force(
        "air",
        Box::new(Drag { body, linear: 0.0, quadratic: 0.2, rotational: 0.01, medium_velocity: wind }),
    );
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*adaptive(1e-10).build(), 20.0);
    let expected = wind - Vec3::Z * (0.5 * 9.81 / 0.2_f64).sqrt();
    assert!((world.twist(body).linear - expected).length() < 1e-8);
    assert!(world.energy().relative_residual.abs() < 1e-8);
}

#[test]
fn loads_do_the_work_they_say() {
    let mut builder = ModelBuilder::new();
    let body = builder.body(free("sled", MassProperties::solid_sphere(2.0, 0.1)));
    let load = |curve, from, until| Load { body, point: Vec3::ZERO, in_body: false, curve, from, until };
    builder.force("push", Box::new(load(LoadCurve::Constant([4.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 1.0, 2.0)));
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*adaptive(1e-9).build(), 5.0);
    // 4 N for 1 s on 2 kg: 2 m/s, whatever the steps, because the method stops where the load starts and ends.
    assert!((world.twist(body).linear - Vec3::X * 2.0).length() < 1e-12);
    assert!(
        (world.state.account.work[world.model.force_source(fender_engine::ForceId(0))] - 4.0).abs() < 1e-12
    );
    assert!(world.energy().residual.abs() < 1e-12);

    let mut builder = ModelBuilder::new();
    let body = builder.body(free("sled", MassProperties::solid_sphere(2.0, 0.1)));
    let amplitude = [0.0, 3.0, 0.0, 0.0, 0.0, 0.0];
    let curve = LoadCurve::Sine { amplitude, frequency: 0.5, phase: 0.0 };
    builder.force(
        "shake",
        Box::new(Load { body, point: Vec3::ZERO, in_body: false, curve, from: 0.0, until: f64::INFINITY }),
    );
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*adaptive(1e-10).build(), 1.0);
    // v(T/2) = 2 F/(m ω).
    assert!((world.twist(body).linear.y - 2.0 * 3.0 / (2.0 * std::f64::consts::PI)).abs() < 1e-8);
}

#[test]
fn a_driven_body_moves_as_told_and_its_driver_does_the_work() {
    let mut builder = ModelBuilder::new();
    let times: Vec<f64> = (0..=100).map(|i| 0.02 * f64::from(i)).collect();
    let poses: Vec<Pose> =
        times.iter().map(|t| Pose::from_translation(Vec3::X * (1.0 - (3.0 * t).cos()))).collect();
    let series = PoseSeries::new(times, &poses).unwrap();
    let hand = builder.body(BodySpec {
        motion: BodyMotion::Driven { series },
        ..free("hand", MassProperties::solid_sphere(1.0, 1.0))
    });
    let mut mass = free("mass", MassProperties::solid_sphere(1.0, 0.1));
    mass.pose.translation = Vec3::X;
    let mass = builder.body(mass);
    builder.force(
        "spring",
        Box::new(Spring {
            a: hand,
            point_a: Vec3::ZERO,
            b: mass,
            point_b: Vec3::ZERO,
            stiffness: 50.0,
            damping: 1.0,
            rest_length: 1.0,
            tension_only: false,
        }),
    );
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*adaptive(1e-9).build(), 1.7);
    let t = 1.7_f64;
    assert!((world.pose(hand).translation.x - (1.0 - (3.0 * t).cos())).abs() < 1e-4);
    assert!((world.twist(hand).linear.x - 3.0 * (3.0 * t).sin()).abs() < 1e-2);
    let energy = world.energy();
    assert!(energy.work.abs() > 1.0, "the driver must have worked: {energy:?}");
    assert!(energy.relative_residual.abs() < 1e-6, "{energy:?}");
}

#[test]
fn a_push_from_the_control_counts_as_work() {
    let mut builder = ModelBuilder::new();
    let body = builder.body(free("sled", MassProperties::solid_sphere(2.0, 0.1)));
    let mut world = World::new(builder.build().unwrap());
    let force = fender_math::Wrench { force: Vec3::X * 6.0, torque: Vec3::ZERO };
    world.control.push.push((body, force));
    let rk4 = IntegratorSpec::Rk4 { step: 1e-2 }.build();
    run(&mut world, &*rk4, 1.0);
    world.control.push.clear();
    run(&mut world, &*rk4, 2.0);
    assert!((world.twist(body).linear.x - 3.0).abs() < 1e-12);
    assert!((world.energy().work - 9.0).abs() < 1e-12);
}

#[test]
fn a_rope_pulls_and_does_not_push() {
    for (start, pulls) in [(1.2, true), (0.8, false)] {
        let mut builder = ModelBuilder::new();
        let anchor = builder.body(BodySpec {
            motion: BodyMotion::Fixed,
            ..free("anchor", MassProperties::solid_sphere(1.0, 1.0))
        });
        let mut mass = free("mass", MassProperties::solid_sphere(2.0, 0.1));
        mass.pose = Pose::from_translation(Vec3::X * start);
        let b = builder.body(mass);
        let point_a = Vec3::ZERO;
        builder.force(
            "rope",
            Box::new(Spring {
                a: anchor,
                point_a,
                b,
                point_b: point_a,
                stiffness: 100.0,
                damping: 1.0,
                rest_length: 1.0,
                tension_only: true,
            }),
        );
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*adaptive(1e-9).build(), 0.05);
        assert_eq!(world.twist(b).linear.x < 0.0, pulls);
    }
}
