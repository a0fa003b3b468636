//! Controllers: closed loops against exact recursions, limits, energy, and the same bits after every stop.

use crate::common::{GRAVITY, adaptive, all_integrators, free, on, run};
use fender_engine::controller::{ControlLaw, Drive, Input, Pid, StateFeedback, Term};
use fender_engine::integrator::AlphaMethod;
use fender_engine::joint::{Prismatic, Revolute};
use fender_engine::sensor::{Axes, Measure, Noise};
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, Controller, ControllerId, IntegratorSpec, JointId, LoopKind,
    LoopSpec, ModelBuilder, ModelError, Profile, Sensor, SensorId, State, World,
};
use fender_math::series::Series;
use fender_math::{MassProperties, Mat3, Pose, Vec3, rotation};
use std::sync::Arc;

const MASS: f64 = 2.0;
const T: f64 = 0.02;

fn body() -> MassProperties {
    MassProperties { mass: MASS, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::new(0.3, 0.4, 0.5)) }
}

fn first(sensor: SensorId) -> Input {
    Input { sensor, component: 0 }
}

/// A slide along z with sensors of its position and rate, to be controlled. Under gravity.
fn slide(sensor: impl Fn(Sensor) -> Sensor) -> (ModelBuilder, JointId, [SensorId; 2]) {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let child = builder.body(free("slider", body()));
    let joint = builder.joint(on("slide", None, child, Arc::new(Prismatic), Pose::IDENTITY));
    let position = Sensor::ideal("position", Measure::JointPosition { joint, coordinate: 0 });
    let rate = Sensor::ideal("rate", Measure::JointRate { joint, coordinate: 0 });
    let sensors = [builder.sensor(sensor(position)), builder.sensor(sensor(rate))];
    (builder, joint, sensors)
}

fn controller(law: impl ControlLaw + 'static, drive: Drive, period: f64) -> Controller {
    Controller {
        name: "c".into(),
        law: Box::new(law),
        drive,
        period,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    }
}

fn pid(input: Input) -> Pid {
    Pid { input, target: 0.5.into(), kp: 60.0, ki: 40.0, kd: 25.0, filter: 0.03, derivative_of_error: false }
}

/// Exact motion over one period under a constant force: a mass in the field of gravity.
fn fall([x, v]: [f64; 2], force: f64, h: f64) -> [f64; 2] {
    let a = force / MASS - 9.81;
    [x + v * h + 0.5 * a * h * h, v + a * h]
}

#[test]
fn a_pid_loop_follows_the_exact_recursion() {
    // Between samples the force is constant, so the motion is a parabola; the law is written out here by itself.
    const LIMIT: f64 = 23.0;
    let mut exact = vec![[0.0, 0.0]];
    let (mut integral, mut derivative, mut before, mut saturated) = (0.0, 0.0, 0.0, 0);
    for k in 0..400 {
        let [x, v] = exact[k];
        let error = 0.5 - x;
        let mut growth = 0.0;
        if k > 0 {
            growth = 40.0 * T * error;
            derivative = (0.03 * derivative - 25.0 * (x - before)) / (0.03 + T);
        }
        before = x;
        // At the limit the integral takes what the output can still show, and no more.
        let rest: f64 = 60.0 * error + integral + derivative;
        let wanted: f64 = rest + growth;
        saturated += u32::from(wanted.abs() > LIMIT);
        if wanted.abs() <= LIMIT {
            integral += growth;
        } else if rest.abs() < LIMIT {
            integral += wanted.clamp(-LIMIT, LIMIT) - rest;
        } else if rest * growth < 0.0 {
            integral += growth;
        }
        let force = wanted.clamp(-LIMIT, LIMIT);
        exact.push(fall([x, v], force, T));
    }
    assert!(saturated > 5, "the limit must be felt");
    // Controlled up, past the weight of 19.62 N, to the target; its integral holds the weight in the end.
    assert!((exact[400][0] - 0.5).abs() < 1e-3, "{:?}", exact[400]);
    // The trapezoidal rule is exact on parabolas as well, if it starts each one with its own acceleration.
    let (method, iterations, halvings) = (AlphaMethod::Newmark, 10, 2);
    let sdirk = Adaptive { relative: 1e-9, absolute: 1e-9, max_step: 0.1 };
    for spec in [
        IntegratorSpec::Rk4 { step: T / 8.0 },
        IntegratorSpec::Rk3 { step: T },
        IntegratorSpec::Alpha { step: T / 2.0, method, iterations, halvings, real_time: false },
        IntegratorSpec::Sdirk4(sdirk),
        adaptive(1e-9),
    ] {
        let (mut builder, joint, [position, _]) = slide(|s| s);
        let mut c = controller(pid(first(position)), Drive::Joint { joint, coordinate: 0 }, T);
        (c.low, c.high) = (-LIMIT, LIMIT);
        builder.controller(c);
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        for (k, [x, v]) in exact.iter().enumerate() {
            run(&mut world, &*integrator, T * k as f64);
            let got = [world.joint_position(joint, 0), world.joint_rate(joint, 0)];
            assert!(
                (got[0] - x).abs() < 1e-11 && (got[1] - v).abs() < 1e-10,
                "{spec:?} step {k}: {got:?} {x} {v}"
            );
        }
        let residual = world.energy().residual;
        assert!(residual.abs() < 1e-9, "{spec:?}: {residual}");
    }
}

#[test]
fn state_feedback_through_slow_and_late_sensors_follows_the_exact_recursion() {
    // Samples arrive one period late: u_k = m·g − 30·(x_{k−1} − r(t_k)) − 12·v_{k−1}.
    let target = |k: usize| if T * k as f64 >= 1.0 - 1e-9 { 0.3 } else { 0.1 };
    let mut exact = vec![[0.0, 0.0]];
    for k in 0..300 {
        let [x, v] = exact[k.max(1) - 1];
        let force = MASS * 9.81 - 30.0 * (x - target(k)) - 12.0 * v;
        exact.push(fall(exact[k], force, T));
    }
    for spec in [IntegratorSpec::Rk4 { step: T / 5.0 }, adaptive(1e-9)] {
        let (mut builder, joint, [position, rate]) = slide(|s| Sensor { period: T, delay: T, ..s });
        let steps = Profile::steps(vec![(0.0, 0.1), (1.0, 0.3)]).unwrap();
        let law = StateFeedback {
            offset: MASS * 9.81,
            terms: vec![
                Term { input: first(position), gain: 30.0, target: steps },
                Term { input: first(rate), gain: 12.0, target: 0.0.into() },
            ],
        };
        builder.controller(controller(law, Drive::Joint { joint, coordinate: 0 }, T));
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        for (k, [x, v]) in exact.iter().enumerate() {
            run(&mut world, &*integrator, T * k as f64);
            let got = [world.joint_position(joint, 0), world.joint_rate(joint, 0)];
            assert!((got[0] - x).abs() < 1e-11 && (got[1] - v).abs() < 1e-10, "{spec:?} step {k}");
        }
    }
}

#[test]
fn without_a_period_a_controller_acts_at_every_step() {
    // Continuous PD on a double integrator: x = 0.5·(1 − (1 + 3t)·e^{−3t}) for k = 9m, c = 6m, without gravity's weight.
    let (mut builder, joint, [position, rate]) = slide(|s| s);
    let law = StateFeedback {
        offset: MASS * 9.81,
        terms: vec![
            Term { input: first(position), gain: 9.0 * MASS, target: 0.5.into() },
            Term { input: first(rate), gain: 6.0 * MASS, target: 0.0.into() },
        ],
    };
    builder.controller(controller(law, Drive::Joint { joint, coordinate: 0 }, 0.0));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::Rk4 { step: 1e-4 }.build();
    for t in [0.2, 0.5, 1.0, 2.0_f64] {
        run(&mut world, &*integrator, t);
        let expected = 0.5 * (1.0 - (1.0 + 3.0 * t) * (-3.0 * t).exp());
        // Holding for a step is a delay of half of it: 0.05 ms at speeds of up to 0.6 m/s.
        assert!((world.joint_position(joint, 0) - expected).abs() < 5e-5, "{t}");
    }
}

#[test]
fn forces_and_torques_act_where_and_along_what_they_say() {
    let turned = rotation::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2);
    let push = |drive: fn(BodyId) -> Drive| {
        let mut builder = ModelBuilder::new();
        let id = builder
            .body(BodySpec { pose: Pose { rotation: turned, translation: Vec3::X }, ..free("b", body()) });
        builder.controller(controller(StateFeedback { offset: 6.0, terms: Vec::new() }, drive(id), 0.0));
        let world = World::new(builder.build().unwrap());
        let a = world.acceleration(id);
        (a.linear, a.angular)
    };
    // 6 N along the body's x (the world's y) at the body's (0, 1, 0): 3 m/s², and a torque of −6 N·m about z.
    let (linear, angular) =
        push(|body| Drive::Force { body, point: Vec3::Y, direction: Vec3::X, axes: Axes::Body });
    assert!((linear - Vec3::Y * 3.0).length() < 1e-14, "{linear}");
    assert!((angular + Vec3::Z * 12.0).length() < 1e-13, "{angular}");
    let (linear, angular) =
        push(|body| Drive::Force { body, point: Vec3::Y, direction: Vec3::X, axes: Axes::World });
    assert!((linear - Vec3::X * 3.0).length() < 1e-14 && angular.length() < 1e-13, "{linear} {angular}");
    // About the body's x the moment is 0.3, about the world's x (the body's −y) it is 0.4.
    let (linear, angular) = push(|body| Drive::Torque { body, direction: Vec3::X, axes: Axes::Body });
    assert!(linear.length() == 0.0 && (angular - Vec3::Y * 20.0).length() < 1e-13, "{angular}");
    let (_, angular) = push(|body| Drive::Torque { body, direction: Vec3::X, axes: Axes::World });
    assert!((angular - Vec3::X * 15.0).length() < 1e-13, "{angular}");
}

#[test]
fn the_work_of_a_controller_is_its_own_line_of_the_account() {
    for drive in [
        (|body, _| Drive::Force { body, point: Vec3::Y * 0.2, direction: Vec3::Z, axes: Axes::Body })
            as fn(BodyId, JointId) -> Drive,
        |_, joint| Drive::Joint { joint, coordinate: 0 },
        |body, _| Drive::Torque { body, direction: Vec3::Z, axes: Axes::World },
    ] {
        for spec in all_integrators(1e-4, 1e-9) {
            let mut builder = ModelBuilder::new();
            builder.gravity(GRAVITY);
            let id = builder.body(free("arm", body()));
            let joint = builder.joint(on(
                "hinge",
                None,
                id,
                Arc::new(Revolute),
                Pose { rotation: rotation::from_axis_angle(Vec3::X, 1.2), translation: Vec3::X * 0.3 },
            ));
            let angle = builder.sensor(Sensor {
                period: 0.01,
                ..Sensor::ideal("angle", Measure::JointPosition { joint, coordinate: 0 })
            });
            let law = Pid { kp: 20.0, ..pid(first(angle)) };
            let c = builder.controller(controller(law, drive(id, joint), 0.01));
            let mut world = World::new(builder.build().unwrap());
            let source = world.model.controller_source(c);
            assert_eq!(world.model.sources[source], "controller.c");
            run(&mut world, &*spec.build(), 0.5);
            let (energy, work) = (world.energy(), world.state.account.work[source]);
            assert!(work.abs() > 0.05 && energy.work == work, "{spec:?} {work}");
            // Euler's methods are of first order: a few steps' share of the work. Newmark's and its kin are of second.
            let part = match spec {
                IntegratorSpec::ExplicitEuler { .. } | IntegratorSpec::SemiImplicitEuler { .. } => 2e-3,
                IntegratorSpec::Alpha { .. } => 1e-5,
                _ => 1e-8,
            };
            assert!(energy.residual.abs() < part * work.abs(), "{spec:?} {}", energy.residual);
        }
    }
}

#[test]
fn a_controller_drives_through_a_gear_and_a_sensor_sees_the_other_side() {
    // Wheels with 0.5 kg·m² about z; the second turns twice as fast: 3 N·m on the first give 3/(0.5 + 4·0.5) rad/s² there.
    let mut builder = ModelBuilder::new();
    let joints = ["a", "b"].map(|name| {
        let wheel = builder.body(free(name, body()));
        builder.joint(on(name, None, wheel, Arc::new(Revolute), Pose::IDENTITY))
    });
    let terms = vec![(joints[1], 0, 1.0), (joints[0], 0, -2.0)];
    let kind = LoopKind::Coupling { terms, value: Profile::Constant(0.0) };
    builder.closed_loop(LoopSpec { name: "gear".into(), kind });
    let measure = Measure::AngularAcceleration { body: BodyId(1), axes: Axes::World };
    let fast = builder.sensor(Sensor { period: 0.01, ..Sensor::ideal("fast", measure) });
    let law = StateFeedback { offset: 3.0, terms: Vec::new() };
    builder.controller(controller(law, Drive::Joint { joint: joints[0], coordinate: 0 }, 0.01));
    let mut world = World::new(builder.build().unwrap());
    // At the very start the sensor comes before the controller.
    assert_eq!(world.reading(fast)[2], 0.0);
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.1);
    assert!((world.reading(fast)[2] - 2.0 * 1.2).abs() < 1e-9, "{:?}", world.reading(fast));
    let energy = world.energy();
    // ½·2.5·(1.2·0.1)²
    assert!((energy.kinetic - 0.018).abs() < 1e-9 && (energy.work - 0.018).abs() < 1e-9, "{energy:?}");
}

/// A loop with everything that remembers: noise, delay, slow sensors, PID.
fn busy() -> World {
    let (mut builder, joint, [position, _]) = slide(|s| {
        let noise = Noise { deviation: 1e-3, seed: 5 };
        Sensor { period: 3e-3, delay: 7e-3, noise, ..s }
    });
    let reference = Series::new(vec![0.0, 0.1, 0.2, 0.4], vec![[0.0], [0.2], [0.1], [0.3]]).unwrap();
    let law = Pid { target: Profile::Series(reference), ..pid(first(position)) };
    let mut c = controller(law, Drive::Joint { joint, coordinate: 0 }, 4e-3);
    (c.low, c.high) = (-30.0, 30.0);
    builder.controller(c);
    World::new(builder.build().unwrap())
}

fn steps(world: &mut World, spec: &IntegratorSpec, count: usize) {
    let integrator = spec.build();
    for _ in 0..count {
        world.step(&*integrator, f64::INFINITY).unwrap();
    }
}

#[test]
fn a_saved_loop_continues_bit_by_bit_and_the_scratch_does_not_matter() {
    for spec in all_integrators(1e-3, 1e-7) {
        let mut whole = busy();
        steps(&mut whole, &spec, 123);
        let saved = State::restore(&whole.state.save()).unwrap();
        assert_eq!(saved, whole.state);
        assert!(!saved.sensors[0].queue.is_empty() && saved.controllers[0].law[0] != 0.0);
        let mut resumed = World::resume(busy().model, saved.clone()).unwrap();
        let mut cleared = World::resume(busy().model, saved).unwrap();
        steps(&mut whole, &spec, 200);
        steps(&mut resumed, &spec, 200);
        for i in 0..40 {
            steps(&mut cleared, &spec, 5);
            cleared.data.clear();
            if i % 3 == 0 {
                cleared.refresh();
            }
        }
        assert_eq!(whole.state.save(), resumed.state.save(), "{spec:?}");
        assert_eq!(whole.state.save(), cleared.state.save(), "{spec:?}");
    }
}

#[test]
fn what_is_seen_after_a_step_has_the_new_output() {
    let mut world = busy();
    let integrator = IntegratorSpec::Rk4 { step: 1e-3 }.build();
    let mut changed = 0;
    for _ in 0..100 {
        let before = world.output(ControllerId(0));
        world.step(&*integrator, f64::INFINITY).unwrap();
        world.refresh();
        changed += usize::from(world.output(ControllerId(0)) != before);
        assert!((world.joint_effort(JointId(0), 0) - world.output(ControllerId(0))).abs() < 1e-12);
    }
    // Every 4 ms in 100 ms.
    assert_eq!(changed, 25);
}

#[test]
fn impossible_controllers_are_refused() {
    let refused = |change: fn(&mut Controller)| {
        let (mut builder, _, _) = slide(|s| s);
        let fixed = builder.body(BodySpec { motion: BodyMotion::Fixed, ..free("wall", body()) });
        let child = builder.body(free("guided", body()));
        let mut guided = on("guided", None, child, Arc::new(Prismatic), Pose::IDENTITY);
        guided.guide = Some(vec![Series::new(vec![0.0, 1.0], vec![[0.0], [1.0]]).unwrap().into()]);
        builder.joint(guided);
        assert_eq!(fixed, BodyId(1));
        let mut c =
            controller(pid(first(SensorId(0))), Drive::Joint { joint: JointId(0), coordinate: 0 }, 0.0);
        change(&mut c);
        builder.controller(c);
        match builder.build() {
            Err(ModelError::Controller { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refused(|c| c.period = f64::INFINITY),
        "its period must be 0 (every step) or at least 0.000000001 s, and is inf s"
    );
    assert_eq!(
        refused(|c| (c.low, c.high) = (1.0, -1.0)),
        "its limits are reversed: low is 1 and high is -1"
    );
    assert_eq!(refused(|c| c.high = f64::NAN), "its limits are reversed: low is -inf and high is NaN");
    assert_eq!(refused(|c| c.law = Box::new(pid(first(SensorId(7))))), "there is no sensor 7");
    assert_eq!(
        refused(|c| c.law = Box::new(pid(Input { sensor: SensorId(0), component: 1 }))),
        "sensor 'position' has no component 1"
    );
    assert_eq!(
        refused(|c| c.law = Box::new(Pid { kd: f64::NAN, ..pid(first(SensorId(0))) })),
        "a gain is not finite"
    );
    assert_eq!(
        refused(|c| c.drive = Drive::Joint { joint: JointId(0), coordinate: 1 }),
        "joint 'slide' has no coordinate 1"
    );
    assert_eq!(
        refused(|c| c.drive = Drive::Joint { joint: JointId(1), coordinate: 0 }),
        "joint 'guided' is guided: nothing can act on it"
    );
    assert_eq!(
        refused(|c| c.drive = Drive::Torque { body: BodyId(1), direction: Vec3::X, axes: Axes::World }),
        "'wall' is fixed or driven: no force moves it"
    );
    assert_eq!(
        refused(|c| c.drive = Drive::Torque { body: BodyId(0), direction: Vec3::ZERO, axes: Axes::World }),
        "the direction of its force must have the length 1, and its point must be finite"
    );
}
