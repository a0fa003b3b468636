//! Loops: every closure against finite differences, and mechanisms with known answers.

use crate::common::on;
use fender_engine::Profile;
use fender_engine::closure::{
    self, Anchor, Closure, Frame, Instant, Line, LoopMethod, LoopSettings, LoopState, PenaltyScale, Rows,
    Turning,
};
use fender_engine::data::BodyKinematics;
use fender_engine::joint::{Prismatic, Revolute, Spherical};
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, IntegratorSpec, JointId, LoopId, LoopKind, LoopSpec,
    ModelBuilder, ModelError, World,
};
use fender_math::series::Series;
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;
const HOLDS: LoopState = LoopState::HOLDS;

fn tight() -> IntegratorSpec {
    IntegratorSpec::DormandPrince(Adaptive { relative: 1e-11, absolute: 1e-12, max_step: 0.01 })
}

fn rod(name: &str, mass: f64, length: f64, pose: Pose) -> BodySpec {
    let across = mass * length * length / 12.0;
    let inertia = Mat3::from_diagonal(Vec3::new(1e-3 * across, across, across));
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass: MassProperties { mass, center: Vec3::ZERO, inertia } },
        pose,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    }
}

/// A joint frame with its z axis along y, at a point in the x–z plane.
fn hinge_at(x: f64, z: f64) -> Pose {
    Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::new(x, 0.0, z) }
}

fn rod_between(name: &str, mass: f64, from: Vec3, to: Vec3) -> BodySpec {
    let line = to - from;
    let rotation = rotation::between(Vec3::X, line.normalize());
    rod(name, mass, line.length(), Pose { rotation, translation: (from + to) * 0.5 })
}

fn point_loop(name: &str, a: Option<BodyId>, b: Option<BodyId>, point_a: Vec3, point_b: Vec3) -> LoopSpec {
    let frame_a = Pose::from_translation(point_a);
    let frame_b = Pose::from_translation(point_b);
    let closure = Frame { a, b, frame_a, frame_b, locked: [true; 3], turning: Turning::Free, kind: "point" };
    LoopSpec { name: name.into(), kind: LoopKind::Bodies(Box::new(closure)) }
}

fn run(world: &mut World, integrator: &IntegratorSpec, until: f64) {
    let integrator = integrator.build();
    while world.state.time < until - 1e-12 {
        world.step(&*integrator, until).unwrap();
    }
    world.refresh();
}

#[test]
fn every_closure_agrees_with_finite_differences() {
    const H: f64 = 1e-5;
    let motion = |k: usize, t: f64| -> BodyKinematics {
        // Any smooth motion will do; constant acceleration of neither centre nor axis, so that the bias is seen.
        let s = if k == 0 { 1.0 } else { -0.6 };
        let omega = Vec3::new(0.7, -0.4, 0.9) * s;
        let start = rotation::from_rotation_vector(Vec3::new(0.2, 0.3, -0.1) * s);
        let rotation = rotation::from_rotation_vector(omega * t) * start;
        let velocity = Vec3::new(0.3, 0.8, -0.5) * s;
        let translation = Vec3::new(0.1, -0.2, 0.4) * s + velocity * t;
        BodyKinematics {
            pose: Pose { rotation, translation },
            center: translation,
            twist: Twist { linear: velocity, angular: omega },
            ..BodyKinematics::default()
        }
    };
    let at = |closure: &dyn Closure, t: f64| -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let bodies = [motion(0, t), motion(1, t)];
        let mut rows = Rows::default();
        closure.rows(&Instant { time: t, q: &[], bodies: &bodies, state: &HOLDS }, &mut rows);
        let ids = closure.bodies();
        let (mut values, mut rates, mut biases) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows.all() {
            values.push(row.value);
            let power = rows.arms(row).iter().filter_map(|(which, wrench)| {
                ids[*which as usize].map(|id| wrench.power(&bodies[id.index()].twist))
            });
            rates.push(row.drift + power.sum::<f64>());
            biases.push(row.bias);
        }
        (values, rates, biases)
    };
    for closure in closure::samples(BodyId(0), BodyId(1)) {
        for t in [0.0, 0.3, 1.1] {
            let (values, rates, biases) = at(closure.as_ref(), t);
            assert_eq!(values.len(), closure.count(), "{closure:?}");
            let (before, after) = (at(closure.as_ref(), t - H), at(closure.as_ref(), t + H));
            for i in 0..values.len() {
                let rate = (after.0[i] - before.0[i]) / (2.0 * H);
                let bias = (after.1[i] - before.1[i]) / (2.0 * H);
                assert!((rate - rates[i]).abs() < 1e-8, "{closure:?} row {i}: {rate} {}", rates[i]);
                assert!((bias - biases[i]).abs() < 1e-8, "{closure:?} row {i}: {bias} {}", biases[i]);
            }
        }
    }
}

/// A four-bar in the x–z plane: ground pivots at 0 and 3, crank 1, coupler and rocker as drawn.
fn four_bar(settings: LoopSettings) -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    builder.loop_settings(settings);
    let (a, b, c, d) =
        (Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0), Vec3::new(2.5, 0.0, 2.0), Vec3::new(3.0, 0.0, 0.0));
    let crank = builder.body(rod_between("crank", 1.0, a, b));
    let coupler = builder.body(rod_between("coupler", 2.0, b, c));
    let rocker = builder.body(rod_between("rocker", 1.5, c, d));
    let mut spec = on("crank", None, crank, Arc::new(Revolute), hinge_at(0.0, 0.0));
    spec.rates = vec![2.0];
    spec.keep = true;
    builder.joint(spec);
    builder.joint(on("elbow", Some(crank), coupler, Arc::new(Revolute), hinge_at(0.0, 1.0)));
    builder.joint(on("rocker", None, rocker, Arc::new(Revolute), hinge_at(3.0, 0.0)));
    let half = |from: Vec3, to: Vec3| Vec3::X * (0.5 * (to - from).length());
    builder.closed_loop(point_loop("close", Some(coupler), Some(rocker), half(b, c), -half(c, d)));
    World::new(builder.build().unwrap())
}

#[test]
fn a_four_bar_keeps_its_energy_and_stays_closed() {
    let mut world = four_bar(LoopSettings::default());
    assert!((world.joint_rate(JointId(0), 0) - 2.0).abs() < 1e-12, "the crank's rate is kept");
    let rank = &world.model.assembly.as_ref().unwrap().rank;
    assert_eq!((rank.freedoms, rank.rows, rank.rank), (3, 3, 2));
    assert_eq!(rank.redundant, vec![(0, 1)], "the row across the plane");
    run(&mut world, &tight(), 3.0);
    assert!(world.loop_violation(LoopId(0)) < 1e-11);
    let energy = world.energy();
    assert!(energy.relative_residual.abs() < 1e-8, "{energy:?}");
    // What the loop puts on the rocker's end balances it: the reaction at the pivot carries the rest.
    let rocker = BodyId(2);
    let total = world.loop_reaction(LoopId(0)).force + world.joint_reaction(JointId(2)).force;
    let expected = (world.acceleration(rocker).linear + Vec3::Z * G) * 1.5;
    assert!((total - expected).length() < 1e-8 * expected.length(), "{total} {expected}");
}

#[test]
fn at_a_step_of_five_milliseconds_loops_stay_closed() {
    for spec in [IntegratorSpec::Rk4 { step: 5e-3 }, IntegratorSpec::SemiImplicitEuler { step: 5e-3 }] {
        let mut world = four_bar(LoopSettings::default());
        let integrator = spec.build();
        let before = world.energy();
        for _ in 0..400 {
            world.step(&*integrator, f64::INFINITY).unwrap();
            world.refresh();
            assert!(world.loop_violation(LoopId(0)) < 1e-9);
            let crossing = velocity_gap(&world);
            assert!(crossing < 1e-9, "{crossing}");
        }
        let after = world.energy();
        let drift = (after.residual / (before.kinetic + before.potential)).abs();
        assert!(drift < 2e-2, "{spec:?}: {drift}");
    }
}

/// Speed with which the coupler's end leaves the rocker's.
fn velocity_gap(world: &World) -> f64 {
    let (coupler, rocker) = (&world.data.bodies[1], &world.data.bodies[2]);
    let point = coupler.pose.transform_point(Vec3::X * (0.5 * 7.25_f64.sqrt()));
    (coupler.velocity_at(point) - rocker.velocity_at(point)).length()
}

#[test]
fn the_penalty_formulation_comes_near_the_augmented_one() {
    let mut exact = four_bar(LoopSettings::default());
    run(&mut exact, &tight(), 1.0);
    let expected = exact.joint_position(JointId(0), 0);
    let error = |penalty: f64| {
        let method = LoopMethod::Penalty { frequency: 10.0, damping: 1.0 };
        let mut world = four_bar(LoopSettings { method, penalty, scale: PenaltyScale::Mass });
        run(&mut world, &tight(), 1.0);
        ((world.joint_position(JointId(0), 0) - expected).abs(), world.loop_violation(LoopId(0)))
    };
    let (coarse, fine) = (error(1e3), error(1e5));
    assert!(coarse.0 < 1e-2 && coarse.1 > 1e-6, "{coarse:?}");
    // A hundred times the penalty, a hundredth of the error.
    for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
        assert!((50.0..200.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }
}

#[test]
fn a_body_on_a_rod_swings_like_one_on_a_ball_joint() {
    let start = Pose::from_translation(Vec3::new(0.6, 0.0, -0.8));
    let mass = MassProperties::solid_sphere(2.0, 0.05);
    let body = BodySpec {
        name: "bob".into(),
        motion: BodyMotion::Free { mass },
        pose: start,
        twist: Twist { linear: Vec3::new(0.0, 1.0, 0.0), angular: Vec3::ZERO },
        shapes: Vec::new(),
        group: 0,
    };
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let bob = builder.body(body);
    let anchors =
        vec![Anchor { body: None, point: Vec3::ZERO }, Anchor { body: Some(bob), point: Vec3::ZERO }];
    let line = Line { anchors, length: Profile::Constant(1.0) };
    builder.closed_loop(LoopSpec { name: "rod".into(), kind: LoopKind::Bodies(Box::new(line)) });
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &tight(), 2.0);
    // A point mass on a massless rod, from its own equations.
    let (mut p, mut v) = (Vec3::new(0.6, 0.0, -0.8), Vec3::Y);
    let n = 200_000;
    let h = 2.0 / f64::from(n);
    let acceleration = |p: Vec3, v: Vec3| {
        let g = Vec3::Z * -G;
        g - p * ((v.length_squared() + g.dot(p)) / p.length_squared())
    };
    for _ in 0..n {
        let (pm, vm) = (p + v * (0.5 * h), v + acceleration(p, v) * (0.5 * h));
        p += vm * h;
        v += acceleration(pm, vm) * h;
    }
    let found = world.pose(bob).translation;
    assert!((found - p).length() < 1e-8, "{found} {p}");
    let tension = 2.0 * (v.length_squared() - G * p.z);
    assert!(
        (world.loop_effort(LoopId(0)) - tension).abs() < 1e-6,
        "{} {tension}",
        world.loop_effort(LoopId(0))
    );
}

#[test]
fn a_driven_distance_does_the_work_that_the_account_says() {
    // A boom raised by a cylinder: one hinge, one driven distance, no freedom left.
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let boom = builder.body(rod_between("boom", 10.0, Vec3::ZERO, Vec3::X * 2.0));
    builder.joint(on("foot", None, boom, Arc::new(Revolute), hinge_at(0.0, 0.0)));
    let anchors = vec![
        Anchor { body: None, point: Vec3::new(1.0, 0.0, -1.0) },
        Anchor { body: Some(boom), point: Vec3::ZERO },
    ];
    let series = Series::resting(vec![0.0, 0.5, 1.0, 1.5], vec![[1.0], [1.1], [1.3], [1.4]]).unwrap();
    let line = Line { anchors, length: Profile::Series(series) };
    builder.closed_loop(LoopSpec { name: "cylinder".into(), kind: LoopKind::Bodies(Box::new(line)) });
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &tight(), 1.2);
    let energy = world.energy();
    assert!(energy.work > 1.0, "{energy:?}");
    assert!(energy.relative_residual.abs() < 1e-7, "{energy:?}");
    assert!(world.loop_violation(LoopId(0)) < 1e-11);
}

#[test]
fn gears_share_torque_and_racks_turn_rotation_into_sliding() {
    // Two wheels, 1 : −3, the first under a constant torque: α₁ = τ/(I₁ + 9 I₂).
    let wheel = |name: &str, x: f64| {
        let mass =
            MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(0.2)) };
        BodySpec {
            motion: BodyMotion::Free { mass },
            ..rod(name, 1.0, 1.0, Pose::from_translation(Vec3::X * x))
        }
    };
    let mut builder = ModelBuilder::new();
    let (a, b, slide) =
        (builder.body(wheel("a", 0.0)), builder.body(wheel("b", 1.0)), builder.body(wheel("slide", 2.0)));
    let ja = builder.joint(on("a", None, a, Arc::new(Revolute), Pose::IDENTITY));
    let jb = builder.joint(on("b", None, b, Arc::new(Revolute), Pose::from_translation(Vec3::X)));
    let js = builder.joint(on("slide", None, slide, Arc::new(Prismatic), Pose::IDENTITY));
    let couple = |name: &str, terms: Vec<(JointId, usize, f64)>| LoopSpec {
        name: name.into(),
        kind: LoopKind::Coupling { terms, value: Profile::Constant(0.0) },
    };
    builder.closed_loop(couple("gear", vec![(jb, 0, 1.0), (ja, 0, 3.0)]));
    builder.closed_loop(couple("rack", vec![(js, 0, 1.0), (jb, 0, -0.5)]));
    let mut world = World::new(builder.build().unwrap());
    world.control.push.push((a, fender_math::Wrench { force: Vec3::ZERO, torque: Vec3::Z * 4.0 }));
    world.data.clear();
    world.refresh();
    // Reduced inertia: 0.2 + 9·0.2 + 1·(1.5)².
    let expected = 4.0 / (0.2 + 1.8 + 2.25);
    assert!((world.data.rates.v[0] - expected).abs() < 1e-12);
    run(&mut world, &IntegratorSpec::Rk4 { step: 1e-3 }, 0.5);
    let angle = world.joint_position(ja, 0);
    assert!((angle - expected * 0.125).abs() < 1e-10);
    assert!((world.joint_position(jb, 0) + 3.0 * angle).abs() < 1e-12);
    assert!((world.joint_position(js, 0) + 1.5 * angle).abs() < 1e-12);
}

#[test]
fn two_masses_on_a_rope_over_a_pulley_are_atwoods_machine() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let weight = |name: &str, mass: f64, x: f64| BodySpec {
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(mass, 0.05) },
        ..rod(name, mass, 1.0, Pose::from_translation(Vec3::new(x, 0.0, -1.0)))
    };
    let (a, b) = (builder.body(weight("a", 3.0, 0.0)), builder.body(weight("b", 1.0, 0.5)));
    let over = Anchor { body: None, point: Vec3::ZERO };
    let anchors = vec![
        Anchor { body: Some(a), point: Vec3::ZERO },
        over,
        Anchor { body: None, point: Vec3::X * 0.5 },
        Anchor { body: Some(b), point: Vec3::ZERO },
    ];
    let line = Line { anchors, length: Profile::Constant(2.5) };
    builder.closed_loop(LoopSpec { name: "rope".into(), kind: LoopKind::Bodies(Box::new(line)) });
    let mut world = World::new(builder.build().unwrap());
    world.refresh();
    assert!((world.acceleration(a).linear.z + 0.5 * G).abs() < 1e-10);
    assert!((world.acceleration(b).linear.z - 0.5 * G).abs() < 1e-10);
    assert!((world.loop_effort(LoopId(0)) - 1.5 * G).abs() < 1e-9, "2·3·1/(3 + 1) g");
}

#[test]
fn assembly_finds_the_nearest_closed_configuration_or_says_what_stays_open() {
    // A crank at 40° and a coupler drawn flat: the loop is far from closed as given.
    let build = |reach: f64| {
        let mut builder = ModelBuilder::new();
        let crank = builder.body(rod_between("crank", 1.0, Vec3::ZERO, Vec3::X));
        let coupler = builder.body(rod_between("coupler", 1.0, Vec3::X, Vec3::X * 3.0));
        let mut spec = on("crank", None, crank, Arc::new(Revolute), hinge_at(0.0, 0.0));
        spec.start = vec![-0.7];
        spec.keep = true;
        builder.joint(spec);
        builder.joint(on("elbow", Some(crank), coupler, Arc::new(Revolute), hinge_at(1.0, 0.0)));
        let slider = builder.body(rod("slider", 1.0, 0.1, Pose::from_translation(Vec3::X * 3.0)));
        let mut frame = hinge_at(3.0, reach);
        frame.rotation = rotation::between(Vec3::Z, Vec3::X);
        builder.joint(on("slide", None, slider, Arc::new(Prismatic), frame));
        builder.closed_loop(point_loop("pin", Some(coupler), Some(slider), Vec3::X, Vec3::Z * reach));
        builder.build()
    };
    let world = World::new(build(0.0).unwrap());
    assert_eq!(world.joint_position(JointId(0), 0), -0.7, "the crank is kept to the bit");
    // x = cos φ + √(4 − sin² φ), measured from the drawn 3.
    let x = 0.7_f64.cos() + (4.0 - 0.7_f64.sin().powi(2)).sqrt() - 3.0;
    assert!((world.joint_position(JointId(2), 0) - x).abs() < 1e-11);
    match build(-4.0) {
        Err(ModelError::LoopOpen { name, gap }) => {
            assert_eq!(name, "pin");
            // The crank's end is at height sin 0.7, and the coupler reaches 2 m down to −4.
            assert!(gap > 1.0, "{gap}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn two_drives_of_one_motion_are_refused() {
    let mut builder = ModelBuilder::new();
    let boom = builder.body(rod_between("boom", 10.0, Vec3::ZERO, Vec3::X * 2.0));
    let foot = builder.joint(on("foot", None, boom, Arc::new(Revolute), hinge_at(0.0, 0.0)));
    for name in ["one", "two"] {
        let series = Series::new(vec![0.0, 1.0], vec![[0.0], [1.0]]).unwrap();
        let kind = LoopKind::Coupling { terms: vec![(foot, 0, 1.0)], value: Profile::Series(series) };
        builder.closed_loop(LoopSpec { name: name.into(), kind });
    }
    assert!(matches!(builder.build(), Err(ModelError::OverDriven { name }) if name == "two"));
}

#[test]
fn a_weld_across_a_tree_holds_a_tower_together() {
    // Two columns joined at the top by a weld: one of its equations is redundant, and it still stands.
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let left = builder.body(rod_between("left", 4.0, Vec3::ZERO, Vec3::Z));
    let right = builder.body(rod_between("right", 4.0, Vec3::X, Vec3::new(1.0, 0.0, 1.0)));
    builder.joint(on("left", None, left, Arc::new(Spherical), Pose::IDENTITY));
    builder.joint(on("right", None, right, Arc::new(Spherical), Pose::from_translation(Vec3::X)));
    let top = Pose::from_translation(Vec3::new(0.5, 0.0, 1.0));
    let pose =
        |x: f64| Pose { rotation: rotation::between(Vec3::X, Vec3::Z), translation: Vec3::new(x, 0.0, 0.5) };
    let closure = Frame {
        a: Some(left),
        b: Some(right),
        frame_a: pose(0.0).inverse() * top,
        frame_b: pose(1.0).inverse() * top,
        locked: [true; 3],
        turning: Turning::Locked,
        kind: "weld",
    };
    builder.closed_loop(LoopSpec { name: "top".into(), kind: LoopKind::Bodies(Box::new(closure)) });
    let mut world = World::new(builder.build().unwrap());
    let rank = world.model.assembly.as_ref().unwrap().rank.clone();
    assert_eq!(
        (rank.freedoms, rank.rows, rank.rank),
        (6, 6, 5),
        "it can still turn about the line of the feet"
    );
    run(&mut world, &tight(), 0.3);
    // A rigid frame that tips about the line of its feet, from upright: it stays, being in balance.
    assert!((world.pose(left).translation - Vec3::Z * 0.5).length() < 1e-9);
    assert!(world.loop_violation(LoopId(0)) < 1e-10);
}
