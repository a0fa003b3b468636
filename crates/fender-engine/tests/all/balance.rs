//! Tangents against finite differences, positions of rest and modes with known answers.

use crate::common::{assert_slopes, on};
use fender_contact::{Coulomb, Damping, Linear as LinearLaw};
use fender_engine::Profile;
use fender_engine::action::{JointSpring, Motor, Target};
use fender_engine::balance::{modes, rest};
use fender_engine::closure::{Anchor, Frame, Line, Turning};
use fender_engine::controller::{Drive, StateFeedback};
use fender_engine::force::{Drag, Load, LoadCurve, Spring};
use fender_engine::joint::{Prismatic, Revolute, Spherical, Universal};
use fender_engine::sensor::Axes;
use fender_engine::{
    BodyId, BodyMotion, BodySpec, Controller, JointId, LoopKind, LoopSpec, ModelBuilder, World,
};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;

fn body(name: &str, pose: Pose) -> BodySpec {
    let inertia = Mat3::from_diagonal(Vec3::new(0.02, 0.1, 0.09));
    let mass = MassProperties { mass: 1.5, center: Vec3::new(0.05, -0.02, 0.03), inertia };
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass },
        pose,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    }
}

fn pose(x: f64, y: f64, z: f64) -> Pose {
    let rotation = rotation::from_rotation_vector(Vec3::new(0.3 * y + 0.1, 0.5 * z - 0.2, 0.4 * x));
    Pose { rotation, translation: Vec3::new(x, y, z) }
}

/// A floating body with a tree on it, a free body, and everything that makes forces between them.
fn scene() -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.3, -0.2, -G));
    let base = builder.body(body("base", pose(0.0, 0.1, 0.2)));
    let arm = builder.body(body("arm", pose(0.7, 0.0, 0.3)));
    let hand = builder.body(body("hand", pose(1.2, 0.3, 0.1)));
    let tip = builder.body(body("tip", pose(1.5, 0.8, 0.4)));
    let ball = builder.body(body("ball", pose(0.5, 1.5, 1.0)));
    let mut spec = on("arm", Some(base), arm, Arc::new(Revolute), pose(0.4, 0.1, 0.2));
    spec.start = vec![0.4];
    spec.actions.push((0, Box::new(JointSpring { stiffness: 20.0, damping: 0.5, rest: 0.1 })));
    let target = Target::Position { position: 0.2.into(), stiffness: 5.0, damping: 0.1 };
    spec.actions.push((0, Box::new(Motor { target, limit: 50.0 })));
    builder.joint(spec);
    let mut spec = on("hand", Some(arm), hand, Arc::new(Universal), pose(1.0, 0.2, 0.2));
    spec.start = vec![-0.3, 0.5];
    builder.joint(spec);
    builder.joint(on("tip", Some(hand), tip, Arc::new(Spherical), pose(1.4, 0.5, 0.3)));
    let spring = |a, b, tension_only| {
        Box::new(Spring {
            a,
            point_a: Vec3::new(0.1, 0.2, -0.1),
            b,
            point_b: Vec3::new(-0.2, 0.1, 0.3),
            stiffness: 70.0,
            damping: 3.0,
            rest_length: 0.4,
            tension_only,
        })
    };
    builder.force("first", spring(base, ball, false));
    builder.force("second", spring(tip, ball, true));
    builder.force("third", spring(arm, tip, false));
    let load = |body, in_body| {
        let curve = LoadCurve::Constant([3.0, -2.0, 1.0, 0.5, 0.4, -0.3]);
        let (from, until) = (0.0, f64::INFINITY);
        Box::new(Load { body, point: Vec3::new(0.1, 0.3, 0.2), in_body, curve, from, until })
    };
    builder.force("dead", load(hand, false));
    builder.force("following", load(tip, true));
    let mut drive = |name: &str, drive| {
        let law = Box::new(StateFeedback { offset: 2.0, terms: Vec::new() });
        builder.controller(Controller { name: name.into(), law, drive, period: 0.0, low: -9.0, high: 9.0 });
    };
    let (point, direction) = (Vec3::new(-0.1, 0.2, 0.3), Vec3::new(0.6, 0.0, -0.8));
    drive("dead", Drive::Force { body: arm, point, direction, axes: Axes::World });
    drive("following", Drive::Force { body: ball, point, direction, axes: Axes::Body });
    drive("torque", Drive::Torque { body: tip, direction, axes: Axes::World });
    drive("turning", Drive::Torque { body: hand, direction, axes: Axes::Body });
    drive("coordinate", Drive::Joint { joint: JointId(1), coordinate: 1 });
    let medium_velocity = Vec3::new(0.5, 0.2, 0.0);
    builder.force(
        "drag",
        Box::new(Drag { body: hand, linear: 0.7, quadratic: 0.9, rotational: 0.2, medium_velocity }),
    );
    World::new(builder.build().unwrap())
}

#[test]
fn stiffness_and_damping_are_the_slopes_of_the_forces() {
    let mut world = scene();
    world.state.v.fill(0.0);
    assert_slopes(&mut world, (1e-6, 1e-6), 2e-6);
}

fn pendulum(length: f64) -> ModelBuilder {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let mass = MassProperties::solid_sphere(2.0, 1e-3);
    let bob = BodySpec {
        motion: BodyMotion::Free { mass },
        ..body("bob", Pose::from_translation(Vec3::X * length))
    };
    builder.body(bob);
    builder
}

#[test]
fn a_pendulum_hangs_down_and_swings_with_its_frequency() {
    // On a hinge, and on a rod closed as a loop: the same frequency, once and twice.
    for looped in [false, true] {
        let mut builder = pendulum(0.8);
        if looped {
            let anchors = vec![
                Anchor { body: None, point: Vec3::ZERO },
                Anchor { body: Some(BodyId(0)), point: Vec3::ZERO },
            ];
            let line = Line { anchors, length: Profile::Constant(0.8) };
            builder.closed_loop(LoopSpec { name: "rod".into(), kind: LoopKind::Bodies(Box::new(line)) });
        } else {
            let frame = Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::ZERO };
            builder.joint(on("hinge", None, BodyId(0), Arc::new(Revolute), frame));
        }
        let mut world = World::new(builder.build().unwrap());
        let found = rest(&mut world).unwrap();
        world.refresh();
        let at = world.pose(BodyId(0)).translation;
        assert!((at - Vec3::Z * -0.8).length() < 1e-8, "{at} {found:?}");
        let all = modes(&mut world);
        let expected = (G / 0.8).sqrt() / std::f64::consts::TAU;
        let near = all.iter().filter(|m| (m.frequency() - expected).abs() < 1e-6 * expected).count();
        assert_eq!((all.len(), near), if looped { (5, 2) } else { (1, 1) }, "{all:?}");
    }
}

#[test]
fn two_masses_on_three_springs_have_their_two_frequencies() {
    // k = 200, m = 1.5: ω² = k/m and 3k/m; a damper c on the first gives it ζ through both modes.
    let mut builder = ModelBuilder::new();
    let a = builder.body(body("a", Pose::from_translation(Vec3::X)));
    let b = builder.body(body("b", Pose::from_translation(Vec3::X * 2.0)));
    let along = Pose { rotation: rotation::between(Vec3::Z, Vec3::X), translation: Vec3::ZERO };
    let mut spec = on("a", None, a, Arc::new(Prismatic), along);
    spec.actions.push((0, Box::new(JointSpring { stiffness: 200.0, damping: 0.3, rest: 0.0 })));
    builder.joint(spec);
    let mut spec = on("b", None, b, Arc::new(Prismatic), along);
    spec.actions.push((0, Box::new(JointSpring { stiffness: 200.0, damping: 0.3, rest: 0.0 })));
    builder.joint(spec);
    let (point_a, point_b) = (Vec3::ZERO, Vec3::ZERO);
    let (stiffness, damping, rest_length, tension_only) = (200.0, 0.0, 1.0, false);
    builder.force(
        "middle",
        Box::new(Spring { a, point_a, b, point_b, stiffness, damping, rest_length, tension_only }),
    );
    let mut world = World::new(builder.build().unwrap());
    world.state.q[0] = 0.05;
    rest(&mut world).unwrap();
    let all = modes(&mut world);
    assert!((all[0].square - 200.0 / 1.5).abs() < 1e-9 && (all[1].square - 600.0 / 1.5).abs() < 1e-9);
    assert!(
        (all[0].shape[0] - all[0].shape[1]).abs() < 1e-9 && (all[1].shape[0] + all[1].shape[1]).abs() < 1e-9
    );
    for mode in &all {
        let expected = 0.3 / (2.0 * 1.5 * mode.square.sqrt());
        assert!((mode.damping - expected).abs() < 1e-12);
    }
}

#[test]
fn a_body_sinks_into_the_floor_as_deep_as_its_weight_asks_for() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let stone = builder.material("stone");
    let law = LinearLaw::new(5e4, 0.5, Damping::Exact, 1e-3).unwrap();
    builder.contact(stone, stone, Box::new(law), Box::new(Coulomb::new(0.5, 1e-3).unwrap()));
    let mut floor = body("floor", Pose::IDENTITY);
    floor.motion = BodyMotion::Fixed;
    floor.shapes = vec![(fender_geom::Shape::HalfSpace, Pose::IDENTITY, stone)];
    builder.body(floor);
    let mass = MassProperties::solid_sphere(2.0, 0.1);
    let mut ball = body("ball", Pose::from_translation(Vec3::Z * 0.15));
    ball.motion = BodyMotion::Free { mass };
    ball.shapes = vec![(fender_geom::Shape::Sphere { radius: 0.1 }, Pose::IDENTITY, stone)];
    builder.body(ball);
    let mut world = World::new(builder.build().unwrap());
    rest(&mut world).unwrap();
    world.refresh();
    let depth = 0.1 - world.pose(BodyId(1)).translation.z;
    assert!((depth - 2.0 * G / 5e4).abs() < 1e-9, "{depth}");
    let stiffest = modes(&mut world).last().unwrap().frequency();
    let expected = (5e4_f64 / 2.0).sqrt() / std::f64::consts::TAU;
    assert!((stiffest - expected).abs() < 1e-6 * expected, "{stiffest} {expected}");
}

#[test]
fn what_falls_for_ever_is_named() {
    let mut world = World::new(pendulum(1.0).build().unwrap());
    let error = rest(&mut world).unwrap_err();
    assert!(error.to_string().contains("'bob'"), "{error}");
}

#[test]
fn a_closed_four_bar_hangs_in_its_lowest_position() {
    // Symmetric: two hangers of 1 m, 1 m apart, and a bar between them, started askew.
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let hinge = |x: f64, z: f64| Pose {
        rotation: rotation::between(Vec3::Z, Vec3::Y),
        translation: Vec3::new(x, 0.0, z),
    };
    let thin = |name: &str, x: f64, z: f64| {
        let mut spec = body(name, Pose::from_translation(Vec3::new(x, 0.0, z)));
        spec.motion = BodyMotion::Free { mass: MassProperties::solid_sphere(1.0, 0.1) };
        spec
    };
    let left = builder.body(thin("left", 0.0, -0.5));
    let right = builder.body(thin("right", 1.0, -0.5));
    let bar = builder.body(thin("bar", 0.5, -1.0));
    let mut spec = on("left", None, left, Arc::new(Revolute), hinge(0.0, 0.0));
    spec.start = vec![0.5];
    builder.joint(spec);
    builder.joint(on("right", None, right, Arc::new(Revolute), hinge(1.0, 0.0)));
    builder.joint(on("bar", Some(left), bar, Arc::new(Revolute), hinge(0.0, -1.0)));
    let frame = |p: Vec3| Pose::from_translation(p);
    let closure = Frame {
        a: Some(bar),
        b: Some(right),
        frame_a: frame(Vec3::X * 0.5),
        frame_b: frame(Vec3::Z * -0.5),
        locked: [true; 3],
        turning: Turning::Free,
        kind: "point",
    };
    builder.closed_loop(LoopSpec { name: "pin".into(), kind: LoopKind::Bodies(Box::new(closure)) });
    let mut world = World::new(builder.build().unwrap());
    assert!(world.joint_position(JointId(0), 0).abs() > 0.1);
    rest(&mut world).unwrap();
    for joint in 0..3 {
        assert!(world.joint_position(JointId(joint), 0).abs() < 1e-7);
    }
    // A swing of parallel hangers: the bar only moves along. 1·1² + 2·(½² + I) against 1·g·1 + 2·½·g.
    let all = modes(&mut world);
    assert_eq!(all.len(), 1);
    let inertia = 1.0 + 2.0 * (0.25 + 0.4 * 0.01);
    let expected = (2.0 * G / inertia).sqrt() / std::f64::consts::TAU;
    assert!((all[0].frequency() - expected).abs() < 1e-7, "{} {expected}", all[0].frequency());
}
