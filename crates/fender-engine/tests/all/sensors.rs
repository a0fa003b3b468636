//! Sensors: every measure against a value known in another way, and when a sensor shows what.

use crate::common::{self, GRAVITY, all_integrators, ball, block, coulomb, free, id, linear, on, run, wall};
use fender_engine::action::{Motor, Target};
use fender_engine::joint::{Fixed, Revolute, Spherical};
use fender_engine::sensor::{Axes, Measure, Noise};
use fender_engine::{
    BodyId, BodyMotion, BodySpec, IntegratorSpec, JointId, ModelBuilder, ModelError, Sensor, SensorId, State,
    World,
};
use fender_geom::{Shape, TriMesh};
use fender_math::{MassProperties, Mat3, Pose, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;

fn mass(mass: f64, inertia: Vec3) -> MassProperties {
    MassProperties { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(inertia) }
}

/// What an ideal sensor shows at the start.
fn shows(mut builder: ModelBuilder, measure: Measure) -> Vec<f64> {
    let sensor = builder.sensor(Sensor::ideal("s", measure));
    World::new(builder.build().unwrap()).reading(sensor).to_vec()
}

#[track_caller]
fn near(got: &[f64], expected: &[f64], tolerance: f64) {
    let close =
        got.len() == expected.len() && got.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance);
    assert!(close, "got {got:?}, expected {expected:?}");
}

#[test]
fn an_accelerometer_at_rest_reads_g_upward_and_in_free_fall_nothing() {
    // Turned by 90° about y: up is along the body's −x.
    let turned =
        Pose { rotation: rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2), ..Pose::IDENTITY };
    for motion in [BodyMotion::Fixed, BodyMotion::Free { mass: mass(1.0, Vec3::ONE) }] {
        let falls = matches!(motion, BodyMotion::Free { .. });
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let body = builder.body(BodySpec { motion, pose: turned, ..free("b", mass(1.0, Vec3::ONE)) });
        let up = if falls { 0.0 } else { 9.81 };
        near(&shows(builder, Measure::Accelerometer { body, point: Vec3::X }), &[-up, 0.0, 0.0], 1e-14);
    }
    // Carried by a joint that does not move, and measured off its centre.
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let body = builder.body(free("b", mass(1.0, Vec3::ONE)));
    builder.joint(on("j", None, body, Arc::new(Fixed), Pose::from_translation(Vec3::Y)));
    near(&shows(builder, Measure::Accelerometer { body, point: Vec3::X }), &[0.0, 0.0, 9.81], 1e-14);
}

/// A rotor about z with a motor on it, turned by 0.4 rad.
fn centrifuge() -> (ModelBuilder, BodyId, JointId) {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let body = builder.body(free("rotor", mass(2.0, Vec3::new(1.0, 1.0, 0.5))));
    let mut joint = on("axle", None, body, Arc::new(Revolute), Pose::IDENTITY);
    joint.rates = vec![3.0];
    joint.start = vec![0.4];
    joint.actions = vec![(0, Box::new(Motor { target: Target::Effort(2.0.into()), limit: 9.0 }))];
    let joint = builder.joint(joint);
    (builder, body, joint)
}

#[test]
fn a_centrifuge_reads_what_turning_adds() {
    // ω = 3 rad/s, α = τ/I = 2/0.5 = 4 rad/s², at 0.7 m along the body's x.
    let point = Vec3::X * 0.7;
    let (omega, alpha, r) = (3.0, 4.0, 0.7);
    let case = |measure: fn(BodyId, JointId, Vec3) -> Measure, expected: &[f64]| {
        let (builder, body, joint) = centrifuge();
        near(&shows(builder, measure(body, joint, point)), expected, 1e-13);
    };
    let (s, c) = 0.4_f64.sin_cos();
    case(|body, _, point| Measure::Accelerometer { body, point }, &[-omega * omega * r, alpha * r, 9.81]);
    case(
        |body, _, point| Measure::Acceleration { body, point, axes: Axes::Body },
        &[-omega * omega * r, alpha * r, 0.0],
    );
    case(
        |body, _, point| Measure::Acceleration { body, point, axes: Axes::World },
        &[-omega * omega * r * c - alpha * r * s, -omega * omega * r * s + alpha * r * c, 0.0],
    );
    case(|body, _, point| Measure::Velocity { body, point, axes: Axes::Body }, &[0.0, omega * r, 0.0]);
    case(
        |body, _, point| Measure::Velocity { body, point, axes: Axes::World },
        &[-omega * r * s, omega * r * c, 0.0],
    );
    case(|body, _, point| Measure::Position { body, point }, &[r * c, r * s, 0.0]);
    case(|body, _, _| Measure::AngularVelocity { body, axes: Axes::Body }, &[0.0, 0.0, omega]);
    case(|body, _, _| Measure::AngularAcceleration { body, axes: Axes::World }, &[0.0, 0.0, alpha]);
    case(|body, _, _| Measure::Orientation { body }, &[0.2_f64.cos(), 0.0, 0.0, 0.2_f64.sin()]);
    case(|_, joint, _| Measure::JointPosition { joint, coordinate: 0 }, &[0.4]);
    case(|_, joint, _| Measure::JointRate { joint, coordinate: 0 }, &[omega]);
    case(|_, joint, _| Measure::JointEffort { joint, coordinate: 0 }, &[2.0]);
}

#[test]
fn acceleration_is_the_derivative_of_velocity_for_a_tumbling_body() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let mut spec = free("b", mass(1.0, Vec3::new(1.0, 2.0, 2.5)));
    spec.twist.angular = Vec3::new(2.0, -1.0, 3.0);
    spec.twist.linear = Vec3::new(0.3, 0.2, 0.1);
    let body = builder.body(spec);
    let point = Vec3::new(0.4, -0.3, 0.2);
    let velocity = builder.sensor(Sensor::ideal("v", Measure::Velocity { body, point, axes: Axes::World }));
    let acceleration =
        builder.sensor(Sensor::ideal("a", Measure::Acceleration { body, point, axes: Axes::World }));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::Rk4 { step: 1e-4 }.build();
    run(&mut world, &*integrator, 0.5);
    let before = world.reading(velocity).to_vec();
    world.step(&*integrator, f64::INFINITY).unwrap();
    let now = world.reading(acceleration).to_vec();
    world.step(&*integrator, f64::INFINITY).unwrap();
    let slope: Vec<f64> = world.reading(velocity).iter().zip(&before).map(|(b, a)| (b - a) / 2e-4).collect();
    // Central differences: h²/6 of the third derivative, about 1e-8·50.
    near(&now, &slope, 1e-6);
}

#[test]
fn the_cut_of_a_chain_carries_what_hangs_below_it() {
    // 2 kg below 3 kg, and the lower one 0.5 m out along x: a weight and a moment.
    let build = |measure: fn(JointId, JointId) -> Measure| {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let turned = rotation::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2);
        let upper = builder.body(BodySpec {
            pose: Pose { rotation: turned, translation: Vec3::ZERO },
            ..free("upper", mass(3.0, Vec3::ONE))
        });
        let lower = builder.body(BodySpec {
            pose: Pose::from_translation(Vec3::X * 0.5),
            ..free("lower", mass(2.0, Vec3::ONE))
        });
        let top = builder.joint(on("top", None, upper, Arc::new(Fixed), Pose::from_translation(Vec3::Z)));
        let low = builder.joint(on("low", Some(upper), lower, Arc::new(Fixed), Pose::IDENTITY));
        shows(builder, measure(top, low))
    };
    near(&build(|top, _| Measure::CutForce { joint: top, axes: Axes::World }), &[0.0, 0.0, 5.0 * G], 1e-12);
    near(&build(|_, low| Measure::CutForce { joint: low, axes: Axes::World }), &[0.0, 0.0, 2.0 * G], 1e-12);
    // The joint turns the nose of the arm up: about −y, by 2·g·0.5 in both cuts.
    near(&build(|_, low| Measure::CutTorque { joint: low, axes: Axes::World }), &[0.0, -G, 0.0], 1e-12);
    near(&build(|top, _| Measure::CutTorque { joint: top, axes: Axes::World }), &[0.0, -G, 0.0], 1e-12);
    // The upper body's x is along the world's y.
    near(&build(|top, _| Measure::CutTorque { joint: top, axes: Axes::Body }), &[-G, 0.0, 0.0], 1e-12);
}

#[test]
fn distance_and_clearance_have_closed_forms() {
    // Two arms of 1 and 2 m at an angle of 0.4 rad: the law of cosines.
    let (mut builder, body, _) = centrifuge();
    let base = builder.body(BodySpec { motion: BodyMotion::Fixed, ..free("base", mass(1.0, Vec3::ONE)) });
    let (point_a, point_b) = (Vec3::X, Vec3::X * 2.0);
    let expected = (1.0 + 4.0 - 4.0 * 0.4_f64.cos()).sqrt();
    near(&shows(builder, Measure::Distance { a: body, point_a, b: base, point_b }), &[expected], 1e-14);

    // The ball touches nothing, two shapes of the block are looked at, the nearer one counts; sunk in, it is negative.
    for (height, clearance) in [(2.0, 2.0 - 0.1 - 0.5), (0.65, 0.05), (0.55, -0.05)] {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, linear(1e4, 0.5), coulomb(0.0));
        let mut spec = block("block", 1.0, Vec3::ONE, m, Pose::IDENTITY);
        spec.shapes.push((Shape::Sphere { radius: 0.2 }, Pose::from_translation(Vec3::X * 3.0), m));
        let a = builder.body(spec);
        let b = builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * height, Vec3::ZERO));
        near(&shows(builder, Measure::Clearance { a, b }), &[clearance], 1e-9);
    }
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, linear(1e4, 0.5), coulomb(0.0));
    let b = builder.body(ball("ball", 1.0, 0.1, m, Vec3::Z * 0.75, Vec3::ZERO));
    let a = builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    near(&shows(builder, Measure::Clearance { a, b }), &[0.65], 1e-15);
}

#[test]
fn a_range_finder_sees_the_first_surface() {
    // From 2 m up, slanting down at 30°, past its own ball to a box on the floor, over it to the floor, and into the sky.
    let range = |direction: Vec3, point: Vec3| {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, linear(1e4, 0.5), coulomb(0.0));
        let mut spec = ball("eye", 1.0, 0.1, m, Vec3::Z * 2.0, Vec3::ZERO);
        spec.pose.rotation = fender_math::rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
        let body = builder.body(spec);
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        builder.body(block("box", 1.0, Vec3::ONE, m, Pose::from_translation(Vec3::new(1.5, 0.0, 0.5))));
        shows(builder, Measure::Range { body, point, direction: direction.normalize(), maximum: 10.0 })[0]
    };
    // The body's x is down, its z is along the world's x.
    let down = Vec3::new(1.0, 0.0, 1.0);
    assert!(
        (range(down, Vec3::ZERO) - 2.0_f64.sqrt()).abs() < 1e-12,
        "the top of the box, 1 m below and aside"
    );
    assert!((range(Vec3::X, Vec3::ZERO) - 2.0).abs() < 1e-12);
    assert_eq!(range(Vec3::NEG_X, Vec3::ZERO), 10.0);
    // Begun inside the box it is at once there.
    assert_eq!(range(Vec3::X, Vec3::new(1.5, 0.0, 1.5)), 0.0);
}

/// A bowl: a cube of 2 m with a pit of 1 m width and 1.5 m depth from its top, as a closed mesh.
fn bowl() -> TriMesh {
    // Rings of four corners: outer bottom, outer top, rim of the pit, its bottom.
    let mut vertices = Vec::new();
    for (half, z) in [(1.0, -1.0), (1.0, 1.0), (0.5, 1.0), (0.5, -0.5)] {
        vertices.extend(
            [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec3::new(x, y, z)),
        );
    }
    let mut triangles = vec![[0, 2, 1], [0, 3, 2], [12, 13, 14], [12, 14, 15]];
    for ring in 0..3 {
        for k in 0..4 {
            let (a, b) = (4 * ring + k, 4 * ring + (k + 1) % 4);
            triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    TriMesh::new(&vertices, &triangles).unwrap()
}

#[test]
fn a_point_is_inside_a_hollow_solid_or_not() {
    let mesh = Arc::new(bowl());
    assert!(mesh.is_closed());
    assert!((mesh.volume().unwrap() - 6.5).abs() < 1e-12, "8 m³ less the pit's 1.5");
    // Far from the origin, turned about z by 30°.
    let pose_wb = Pose {
        translation: Vec3::new(3e3, -2e3, 1e3),
        rotation: rotation::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_6),
    };
    let shown = |p: Vec3| {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        let mut bowl = block("bowl", 1.0, Vec3::ONE, m, pose_wb);
        bowl.shapes[0].0 = Shape::Mesh(Arc::clone(&mesh));
        let of = builder.body(bowl);
        let mut probe = free("probe", mass(1.0, Vec3::ONE));
        // The point of the probe that is looked for is off its origin.
        probe.pose.translation = pose_wb.transform_point(p) - Vec3::X;
        let body = builder.body(probe);
        shows(builder, Measure::Inside { body, point: Vec3::X, of })
    };
    let (inside, outside) = (vec![1.0], vec![0.0]);
    // In the bottom and in a wall; in the pit, just above its bottom, beside, below, and far away.
    assert_eq!(shown(Vec3::new(0.0, 0.0, -0.75)), inside);
    assert_eq!(shown(Vec3::new(0.75, 0.2, 0.9)), inside);
    assert_eq!(shown(Vec3::new(0.0, 0.0, -0.5 - 1e-9)), inside);
    assert_eq!(shown(Vec3::new(0.0, 0.0, -0.5 + 1e-9)), outside);
    assert_eq!(shown(Vec3::new(0.0, 0.0, 0.9)), outside);
    assert_eq!(shown(Vec3::new(1.1, 0.0, 0.0)), outside);
    assert_eq!(shown(Vec3::new(0.0, 0.0, -1e6)), outside);
}

#[test]
fn an_open_mesh_has_no_inside() {
    let whole = bowl();
    let refused = |triangles: &[[u32; 3]]| {
        let mesh = TriMesh::new(whole.vertices(), triangles).unwrap();
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        let mut bowl = block("bowl", 1.0, Vec3::ONE, m, Pose::IDENTITY);
        bowl.shapes[0].0 = Shape::Mesh(Arc::new(mesh));
        let of = builder.body(bowl);
        let body = builder.body(free("probe", mass(1.0, Vec3::ONE)));
        builder.sensor(Sensor::ideal("s", Measure::Inside { body, point: Vec3::ZERO, of }));
        builder.build().unwrap_err().to_string()
    };
    let triangles = whole.triangles();
    let told = refused(&triangles[1..]);
    assert!(
        told.contains("the mesh of 'bowl' is not closed (open, 3 edges around 1 hole or rim, first at ("),
        "{told}"
    );
    let mut turned = triangles.to_vec();
    turned[4].swap(0, 1);
    let told = refused(&turned);
    assert!(
        told.contains("is not closed (turned triangles at 3 edges, first at (") && !told.contains("open"),
        "{told}"
    );
    let doubled = [triangles, &triangles[..1]].concat();
    let told = refused(&doubled);
    assert!(
        told.contains("(doubled or inner triangles at 3 edges, first at (") && !told.contains("open"),
        "{told}"
    );
}

/// A body that moves at 1 m/s along x, so that its position is the time; a sensor of that.
fn clock(period: f64, delay: f64) -> (World, SensorId) {
    let mut builder = ModelBuilder::new();
    let mut spec = free("b", mass(1.0, Vec3::ONE));
    spec.twist.linear = Vec3::X;
    let body = builder.body(spec);
    let measure = Measure::Position { body, point: Vec3::ZERO };
    let sensor = builder.sensor(Sensor { period, delay, ..Sensor::ideal("clock", measure) });
    (World::new(builder.build().unwrap()), sensor)
}

#[test]
fn a_sensor_samples_and_holds_and_is_late_by_its_delay() {
    for (period, delay) in [(0.0, 0.0), (0.01, 0.0), (0.0, 0.03), (0.01, 0.03), (0.01, 0.025), (0.05, 0.11)] {
        for spec in all_integrators(1e-3, 1e-6) {
            let (mut world, sensor) = clock(period, delay);
            let integrator = spec.build();
            let fixed = integrator.fixed_step().is_some();
            for _ in 0..300 {
                world.step(&*integrator, f64::INFINITY).unwrap();
                let time = world.state.time;
                let shown = world.reading(sensor)[0];
                if period == 0.0 {
                    if fixed || delay == 0.0 {
                        let expected = (time - delay).max(0.0);
                        assert!((shown - expected).abs() < 1e-12, "{spec:?} {delay}: {shown} at {time}");
                    }
                } else {
                    let expected = (((time - delay) / period + 1e-9).floor() * period).max(0.0);
                    assert!((shown - expected).abs() < 1e-12, "{spec:?} {period} {delay}: {shown} at {time}");
                }
            }
        }
    }
}

#[test]
fn error_control_stops_where_samples_are_taken_and_arrive() {
    let (mut world, _) = clock(0.05, 0.11);
    let integrator = common::adaptive(1e-6).build();
    let mut ends = Vec::new();
    while world.state.time < 0.5 {
        world.step(&*integrator, 10.0).unwrap();
        ends.push(world.state.time);
    }
    for i in 1..10 {
        let sample = 0.05 * f64::from(i);
        assert!(ends.contains(&sample), "{sample} is not in {ends:?}");
    }
    for arrival in [0.11, 0.16, 0.21] {
        assert!(ends.iter().any(|t| (t - arrival).abs() < 1e-15), "{arrival}");
    }
}

#[test]
fn a_step_longer_than_the_period_passes_samples_by() {
    let (mut world, sensor) = clock(1e-3, 0.0);
    let integrator = IntegratorSpec::Rk4 { step: 0.0105 }.build();
    for i in 1..20 {
        world.step(&*integrator, f64::INFINITY).unwrap();
        assert!((world.reading(sensor)[0] - 0.0105 * f64::from(i)).abs() < 1e-12);
    }
}

/// A ball that drops on others, watched by noisy, late and slow sensors of every kind of need.
fn watched(seed: u64) -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, linear(2e4, 0.5), coulomb(0.5));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let a = builder.body(ball("a", 1.0, 0.1, m, Vec3::new(0.0, 0.0, 0.11), Vec3::ZERO));
    let b = builder.body(ball("b", 1.0, 0.1, m, Vec3::new(0.03, 0.0, 0.35), Vec3::new(0.1, 0.2, 0.0)));
    let noise = Noise { deviation: 0.01, seed };
    let point = Vec3::X * 0.05;
    let mut add = |name: &str, measure, period, delay| {
        builder.sensor(Sensor { name: name.into(), measure, noise, period, delay });
    };
    add("imu", Measure::Accelerometer { body: b, point }, 2e-3, 5e-3);
    add("gyro", Measure::AngularVelocity { body: b, axes: Axes::Body }, 0.0, 3e-3);
    add("gap", Measure::Clearance { a, b }, 7e-3, 0.0);
    World::new(builder.build().unwrap())
}

fn steps(world: &mut World, spec: &IntegratorSpec, count: usize) {
    let integrator = spec.build();
    for _ in 0..count {
        world.step(&*integrator, f64::INFINITY).unwrap();
    }
}

#[test]
fn saved_cleared_and_threaded_runs_show_the_same_bits() {
    for spec in all_integrators(5e-4, 1e-6) {
        let mut whole = watched(1);
        steps(&mut whole, &spec, 150);
        let mut resumed =
            World::resume(watched(1).model, State::restore(&whole.state.save()).unwrap()).unwrap();
        let mut cleared = World::resume(watched(1).model, whole.state.clone()).unwrap();
        steps(&mut whole, &spec, 150);
        steps(&mut resumed, &spec, 150);
        for _ in 0..15 {
            steps(&mut cleared, &spec, 10);
            cleared.data.clear();
        }
        let eight = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap().install(|| {
            let mut world = watched(1);
            steps(&mut world, &spec, 300);
            world.state.hash()
        });
        assert_eq!(whole.state.hash(), resumed.state.hash(), "{spec:?}");
        assert_eq!(whole.state.hash(), cleared.state.hash(), "{spec:?}");
        assert_eq!(whole.state.hash(), eight, "{spec:?}");
        let mut other = watched(2);
        steps(&mut other, &spec, 300);
        assert_ne!(whole.state.sensors, other.state.sensors, "{spec:?}");
        assert_eq!(whole.state.q, other.state.q, "a sensor changes nothing");
    }
}

#[test]
fn the_noise_of_a_run_has_its_mean_and_deviation() {
    const N: usize = 20_000;
    let mut builder = ModelBuilder::new();
    let body = builder.body(BodySpec { motion: BodyMotion::Fixed, ..free("b", mass(1.0, Vec3::ONE)) });
    let measure = Measure::Position { body, point: Vec3::new(1.0, 2.0, 3.0) };
    let noise = Noise { deviation: 0.5, seed: 4 };
    let sensor = builder.sensor(Sensor { noise, ..Sensor::ideal("s", measure) });
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::ExplicitEuler { step: 1e-3 }.build();
    let (mut sum, mut square) = ([0.0; 3], [0.0; 3]);
    for _ in 0..N {
        world.step(&*integrator, f64::INFINITY).unwrap();
        for (i, true_value) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let error = world.reading(sensor)[i] - true_value;
            sum[i] += error;
            square[i] += error * error;
        }
    }
    let n = N as f64;
    for i in 0..3 {
        // Four standard errors.
        assert!((sum[i] / n).abs() < 4.0 * 0.5 / n.sqrt(), "{}", sum[i] / n);
        assert!((square[i] / n / 0.25 - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{}", square[i] / n);
    }
}

#[test]
fn impossible_sensors_are_refused() {
    let refused = |change: fn(&mut Sensor, BodyId, JointId)| {
        let (mut builder, body, _) = centrifuge();
        let ball = builder.body(free("ball", mass(1.0, Vec3::ONE)));
        let joint = builder.joint(on("ball joint", Some(body), ball, Arc::new(Spherical), Pose::IDENTITY));
        let mut sensor = Sensor::ideal("s", Measure::JointRate { joint, coordinate: 0 });
        change(&mut sensor, body, joint);
        builder.sensor(sensor);
        match builder.build() {
            Err(ModelError::Sensor { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refused(|s, _, _| s.period = -1.0),
        "its period must be 0 (every step) or at least 0.000000001 s, and is -1 s"
    );
    assert_eq!(refused(|s, _, _| s.delay = f64::NAN), "its delay must be zero or positive");
    assert_eq!(
        refused(|s, _, _| s.noise.deviation = -0.1),
        "the deviation of its noise must be zero or positive"
    );
    assert_eq!(
        refused(|s, _, joint| s.measure = Measure::JointPosition { joint, coordinate: 1 }),
        "'y' of joint 'ball joint' is a component of an angular velocity: it has a rate, and no position"
    );
    assert_eq!(
        refused(|s, _, joint| s.measure = Measure::JointRate { joint, coordinate: 3 }),
        "joint 'ball joint' has no coordinate 3"
    );
    assert_eq!(
        refused(|s, body, _| s.measure = Measure::Clearance { a: body, b: body }),
        "a clearance is between two different bodies"
    );
    assert_eq!(
        refused(|s, body, _| s.measure = Measure::Clearance { a: body, b: BodyId(1) }),
        "'rotor' has no shape that could have a clearance"
    );
    assert_eq!(
        refused(|s, body, _| s.measure = Measure::Position { body, point: Vec3::NAN }),
        "its point is not finite"
    );
    let mut builder = ModelBuilder::new();
    let body = builder.body(free("b", mass(1.0, Vec3::ONE)));
    builder.sensor(Sensor::ideal("s", Measure::Orientation { body }));
    builder.sensor(Sensor::ideal("s", Measure::Orientation { body }));
    assert_eq!(builder.build().unwrap_err().to_string(), "sensor 's': there is another sensor of this name");
}

#[test]
fn a_state_with_other_sensors_is_refused() {
    let state = watched(1).state;
    let (other, _) = clock(0.0, 0.0);
    assert!(World::resume(other.model, state).is_err());
    let mut fewer = watched(1);
    fewer.state.sensors.pop();
    assert!(World::resume(watched(1).model, fewer.state).is_err());
    assert!(id(&watched(1).model, "b").index() == 2);
}
