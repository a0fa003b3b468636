//! Things that come and go: attach, detach, break, enter, leave, and what stays untouched by it.

use crate::common::{GRAVITY, ball, block, coulomb, frictionless, linear, run, wall};
use fender_engine::Profile;
use fender_engine::closure::{Anchor, Frame, Line, Turning};
use fender_engine::force::{Load, LoadCurve, Spring};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, Change, EventKind, Fence, IntegratorSpec, Limit, LoopId,
    LoopKind, LoopSpec, Model, ModelBuilder, ModelError, State, World,
};
use fender_math::series::{PoseSeries, Series};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};

fn tight() -> Adaptive {
    Adaptive { relative: 1e-10, absolute: 1e-11, max_step: 0.02 }
}

/// Explicit, implicit and error-controlled.
fn methods() -> Vec<IntegratorSpec> {
    let alpha =
        |method| IntegratorSpec::Alpha { step: 1e-3, method, iterations: 20, halvings: 3, real_time: false };
    vec![
        IntegratorSpec::SemiImplicitEuler { step: 1e-3 },
        IntegratorSpec::Rk4 { step: 1e-3 },
        IntegratorSpec::Rk5 { step: 1e-3 },
        IntegratorSpec::DormandPrince(tight()),
        IntegratorSpec::Sdirk4(tight()),
        alpha(AlphaMethod::Newmark),
        alpha(AlphaMethod::GeneralizedAlpha { radius: 0.8 }),
    ]
}

fn flying(name: &str, mass: f64, inertia: Vec3, position: Vec3, linear: Vec3, angular: Vec3) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free {
            mass: MassProperties { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(inertia) },
        },
        pose: Pose { translation: position, rotation: rotation::from_rotation_vector(position) },
        twist: Twist { linear, angular },
        shapes: Vec::new(),
        group: 0,
    }
}

fn frame(name: &str, a: Option<BodyId>, b: Option<BodyId>, turning: Turning) -> LoopSpec {
    let (frame_a, frame_b) = (Pose::IDENTITY, Pose::IDENTITY);
    let closure = Frame { a, b, frame_a, frame_b, locked: [true; 3], turning, kind: "weld" };
    LoopSpec { name: name.into(), kind: LoopKind::Bodies(Box::new(closure)) }
}

const A: (f64, Vec3) = (2.0, Vec3::new(0.1, 0.2, 0.15));
const B: (f64, Vec3) = (3.0, Vec3::new(0.3, 0.25, 0.4));

/// Two bodies that fly past each other, a loop to join them, and a third body that has nothing to do with it.
fn pair(turning: Turning, timeline: &[(f64, bool)]) -> Model {
    let mut builder = ModelBuilder::new();
    let a = builder.body(flying(
        "a",
        A.0,
        A.1,
        Vec3::new(-0.3, 0.1, 0.2),
        Vec3::new(1.0, 0.2, -0.1),
        Vec3::new(0.5, -1.0, 2.0),
    ));
    let b = builder.body(flying(
        "b",
        B.0,
        B.1,
        Vec3::new(0.4, -0.2, 0.1),
        Vec3::new(-0.5, 0.1, 0.3),
        Vec3::new(-1.0, 0.3, 0.7),
    ));
    builder.body(flying(
        "c",
        1.0,
        Vec3::new(0.2, 0.3, 0.1),
        Vec3::Z,
        Vec3::new(0.3, -0.7, 0.2),
        Vec3::new(3.0, 0.1, -0.2),
    ));
    let joined = builder.closed_loop(frame("grip", Some(a), Some(b), turning));
    builder.detached(joined);
    for (time, attach) in timeline {
        builder.at(*time, if *attach { Change::Attach(joined) } else { Change::Detach(joined) });
    }
    builder.build().unwrap()
}

/// Linear and angular momentum about the world's origin, and kinetic energy, of bodies 0 and 1.
fn momenta(world: &World) -> (Vec3, Vec3, f64) {
    let (mut linear, mut angular, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (i, (mass, inertia)) in [A, B].into_iter().enumerate() {
        let id = BodyId(i as u32);
        let (pose, twist) = (world.pose(id), world.twist(id));
        let spin = pose.rotation * (inertia * (pose.rotation.conjugate() * twist.angular));
        linear += twist.linear * mass;
        angular += pose.translation.cross(twist.linear * mass) + spin;
        energy += 0.5 * (mass * twist.linear.length_squared() + twist.angular.dot(spin));
    }
    (linear, angular, energy)
}

/// What a rigid body made of the two would have: angular velocity and kinetic energy, from the momenta before.
fn composite(world: &World) -> (Vec3, f64) {
    let (p, l, _) = momenta(world);
    let mass = A.0 + B.0;
    let poses = [world.pose(BodyId(0)), world.pose(BodyId(1))];
    let center = (poses[0].translation * A.0 + poses[1].translation * B.0) / mass;
    let mut inertia = Mat3::ZERO;
    for ((m, moments), pose) in [A, B].into_iter().zip(poses) {
        let r = Mat3::from_quat(pose.rotation);
        let d = pose.translation - center;
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        inertia += r * Mat3::from_diagonal(moments) * r.transpose()
            + (Mat3::from_diagonal(Vec3::splat(d.length_squared())) - outer) * m;
    }
    let about_center = l - center.cross(p);
    let omega = inertia.inverse() * about_center;
    (omega, 0.5 * (p.length_squared() / mass + omega.dot(about_center)))
}

#[test]
fn a_weld_in_flight_is_a_plastic_impact() {
    for spec in methods() {
        let mut world = World::new(pair(Turning::Locked, &[]));
        let integrator = spec.build();
        run(&mut world, &*integrator, 0.1);
        let (p, l, before) = momenta(&world);
        let (omega, after) = composite(&world);
        let q = world.state.q.clone();
        let other = world.state.v[12..18].to_vec();
        let residual = world.energy().residual;
        // The change alone: from the control, seen before the next step.
        world.control.changes.push(Change::Attach(LoopId(0)));
        let mut seen = World::resume(pair(Turning::Locked, &[]), world.state.clone()).unwrap();
        seen.control.changes.push(Change::Attach(LoopId(0)));
        seen.make_changes();
        seen.refresh();
        assert_eq!(seen.state.q, q, "{spec:?}: positions jumped");
        assert_eq!(seen.state.v[12..18], other, "{spec:?}: the third body was touched");
        let (p1, l1, kinetic) = momenta(&seen);
        assert!((p1 - p).length() < 1e-14 && (l1 - l).length() < 1e-14, "{spec:?}: {} {}", p1 - p, l1 - l);
        assert!((kinetic - after).abs() < 1e-13, "{spec:?}: {kinetic} {after}");
        for body in [BodyId(0), BodyId(1)] {
            assert!((seen.twist(body).angular - omega).length() < 1e-13, "{spec:?}");
        }
        let energy = seen.energy();
        assert!((energy.dissipated - (before - after)).abs() < 1e-13 && before - after > 0.5, "{spec:?}");
        assert!((energy.residual - residual).abs() < 1e-13, "{spec:?}: {}", energy.residual);
        let source = seen.model.sources.iter().position(|s| s == "loop.grip.attach").unwrap();
        assert!((seen.state.account.dissipated[source] - (before - after)).abs() < 1e-13);
        let told: Vec<_> = seen.events.iter().map(|e| &e.kind).collect();
        assert!(
            matches!(told[..], [EventKind::Attached { lost, .. }] if (lost - (before - after)).abs() < 1e-13)
        );
        // And on: they fly as one.
        run(&mut world, &*integrator, 0.5);
        let (p2, l2, _) = momenta(&world);
        let slack = if matches!(spec, IntegratorSpec::SemiImplicitEuler { .. }) { 2e-3 } else { 2e-5 };
        assert!((p2 - p).length() < 1e-12 && (l2 - l).length() < slack, "{spec:?}: {} {}", p2 - p, l2 - l);
        let relative = world.pose(BodyId(0)).inverse() * world.pose(BodyId(1));
        let held = world.state.loops[0].pose.unwrap();
        assert!((relative.translation - held.translation).length() < 1e-11, "{spec:?}");
        assert!((1.0 - relative.rotation.dot(held.rotation).abs()) < 1e-12, "{spec:?}");
        assert!(world.loop_violation(LoopId(0)) < 1e-10, "{spec:?}");
    }
}

#[test]
fn a_point_attached_in_flight_stops_the_point_only() {
    let mut world = World::new(pair(Turning::Free, &[(0.05, true)]));
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.049);
    let (p, l, before) = momenta(&world);
    let spin = world.twist(BodyId(1)).angular - world.twist(BodyId(0)).angular;
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.05);
    let (p1, l1, after) = momenta(&world);
    assert!((p1 - p).length() < 1e-13 && (l1 - l).length() < 1e-10);
    assert!(after < before);
    // The point of the first body's origin, on both.
    let at = world.pose(BodyId(0)).translation;
    let velocity = |id| {
        let t = world.twist(id);
        t.linear + t.angular.cross(at - world.pose(id).translation)
    };
    assert!((velocity(BodyId(0)) - velocity(BodyId(1))).length() < 1e-13);
    assert!((world.twist(BodyId(1)).angular - world.twist(BodyId(0)).angular - spin).length() > 1e-3);
    assert!(
        (world.twist(BodyId(1)).angular - world.twist(BodyId(0)).angular).length() > 0.1,
        "it may still turn"
    );
}

#[test]
fn what_is_let_go_flies_a_parabola() {
    for spec in methods() {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let start = Vec3::new(0.7, 0.0, 0.0);
        let mut weight =
            flying("weight", 1.5, Vec3::splat(0.02), start, Vec3::new(0.0, 0.0, 1.2), Vec3::ZERO);
        weight.pose.rotation = fender_math::Quat::IDENTITY;
        let weight = builder.body(weight);
        let anchors =
            vec![Anchor { body: None, point: Vec3::ZERO }, Anchor { body: Some(weight), point: Vec3::ZERO }];
        let line = Line { anchors, length: Profile::Constant(0.7) };
        let rod =
            builder.closed_loop(LoopSpec { name: "rod".into(), kind: LoopKind::Bodies(Box::new(line)) });
        builder.at(0.3, Change::Detach(rod));
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        run(&mut world, &*integrator, 0.3);
        assert!((world.pose(weight).translation.length() - 0.7).abs() < 1e-11, "{spec:?}");
        let (x, v) = (world.pose(weight).translation, world.twist(weight).linear);
        let energy = world.energy();
        run(&mut world, &*integrator, 0.8);
        let (t, last) = (0.5, world.energy());
        let slack = if matches!(spec, IntegratorSpec::SemiImplicitEuler { .. }) { 3e-3 } else { 1e-12 };
        let expected = x + v * t + GRAVITY * (0.5 * t * t);
        let error = (world.pose(weight).translation - expected).length();
        assert!(error < slack, "{spec:?}: {error}");
        assert!((world.twist(weight).linear - v - GRAVITY * t).length() < 1e-12, "{spec:?}");
        let made = (last.residual - energy.residual).abs();
        assert!(made < if slack > 1e-3 { 0.04 } else { 1e-11 }, "{spec:?}: {made}");
        let told: Vec<_> = world.events.iter().map(|e| (e.time, e.kind.clone())).collect();
        assert_eq!(told.len(), 1, "{spec:?}");
        assert!((told[0].0 - 0.3).abs() < 1e-12 && told[0].1 == EventKind::Detached { closed: rod });
    }
}

#[test]
fn a_rod_breaks_at_its_load() {
    // A weight of 2 kg on a rod, pulled down by a force that grows by 100 N/s: the rod bears 2·9.81 + 100·t.
    let limit = 75.0;
    let due = (limit - 2.0 * 9.81) / 100.0;
    for spec in methods() {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let mut weight = flying("weight", 2.0, Vec3::splat(0.02), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        weight.pose.translation = Vec3::new(0.0, 0.0, -1.0);
        let weight = builder.body(weight);
        let values = vec![[0.0; 6], [0.0, 0.0, -200.0, 0.0, 0.0, 0.0]];
        builder.force(
            "pull",
            Box::new(Load {
                body: weight,
                point: Vec3::ZERO,
                in_body: false,
                curve: LoadCurve::Series(Series::new(vec![0.0, 2.0], values).unwrap()),
                from: 0.0,
                until: f64::INFINITY,
            }),
        );
        let anchors =
            vec![Anchor { body: None, point: Vec3::ZERO }, Anchor { body: Some(weight), point: Vec3::ZERO }];
        let line = Line { anchors, length: Profile::Constant(1.0) };
        let rod =
            builder.closed_loop(LoopSpec { name: "rod".into(), kind: LoopKind::Bodies(Box::new(line)) });
        builder.limit(rod, Limit { force: limit, ..Limit::default() });
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 1.0);
        let broke: Vec<_> =
            world.events.iter().filter(|e| matches!(e.kind, EventKind::Broke { .. })).collect();
        assert_eq!(broke.len(), 1, "{spec:?}: {:?}", world.events);
        let EventKind::Broke { closed, load } = broke[0].kind else { unreachable!() };
        assert_eq!(closed, rod);
        // Error control finds the time; fixed steps see it at their end.
        let slack = if spec.fixed_step().is_some() { 1.01e-3 } else { 1e-6 };
        assert!(
            broke[0].time >= due - 1e-9 && broke[0].time < due + slack,
            "{spec:?}: {} {due}",
            broke[0].time
        );
        assert!(load >= 1.0 && load < 1.0 + 100.0 * slack / limit + 2e-6, "{spec:?}: {load}");
        assert!(world.pose(weight).translation.z < -2.0, "{spec:?}: it falls");
    }
}

#[test]
fn a_weld_breaks_by_its_torque() {
    // A beam of 1 m, 4 kg, welded to the world at its end: the weld bears 4·9.81 N and 19.62 N·m.
    let beam = |torque: f64| {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let mut beam =
            flying("beam", 4.0, Vec3::new(0.01, 1.0 / 3.0, 1.0 / 3.0), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        beam.pose.translation = Vec3::new(0.5, 0.0, 0.0);
        let beam = builder.body(beam);
        let frame_b = Pose::from_translation(Vec3::new(-0.5, 0.0, 0.0));
        let closure = Frame {
            a: None,
            b: Some(beam),
            frame_a: Pose::IDENTITY,
            frame_b,
            locked: [true; 3],
            turning: Turning::Locked,
            kind: "weld",
        };
        let weld =
            builder.closed_loop(LoopSpec { name: "weld".into(), kind: LoopKind::Bodies(Box::new(closure)) });
        builder.limit(weld, Limit { torque, ..Limit::default() });
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.1);
        world.state.loops[0].active
    };
    assert!(beam(19.7));
    assert!(!beam(19.5));
}

/// A plate driven along x towards a panel that stands on a floor, beyond it a ball that falls.
fn scene(with_fence: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("steel");
    builder.contact(m, m, linear(2e5, 0.2), coulomb(0.4));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let size = Vec3::new(0.1, 1.0, 0.6);
    let panel = builder.body(block("panel", 8.0, size, m, Pose::from_translation(Vec3::new(1.0, 0.0, 0.3))));
    let times = vec![0.0, 1.0, 2.0];
    let places = [-0.6, 1.3, -0.6].map(|x| Pose::from_translation(Vec3::new(x, 0.0, 0.5)));
    let plate = builder.body(BodySpec {
        motion: BodyMotion::Driven { series: PoseSeries::new(times, &places).unwrap() },
        ..block("plate", 1.0, Vec3::new(0.1, 0.3, 0.1), m, places[0])
    });
    builder.body(ball("ball", 1.0, 0.1, m, Vec3::new(0.0, 3.0, 0.5), Vec3::new(0.2, 0.0, 0.0)));
    if with_fence {
        builder.fence(Fence {
            body: panel,
            near: vec![plate],
            margin: 0.05,
            rest_speed: 0.02,
            rest_time: 0.2,
        });
    }
    builder.build().unwrap()
}

#[test]
fn a_fence_enters_when_reached_and_leaves_at_rest() {
    for spec in [
        IntegratorSpec::SemiImplicitEuler { step: 1e-3 },
        IntegratorSpec::Rk4 { step: 1e-3 },
        IntegratorSpec::DormandPrince(Adaptive { relative: 1e-6, absolute: 1e-7, max_step: 0.05 }),
    ] {
        let mut world = World::new(scene(true));
        let panel = world.model.body_named("panel").unwrap();
        let start = world.pose(panel);
        assert!(world.state.activity.is_idle(panel));
        assert!(!world.contacts().any(|c| c.body_a == panel || c.body_b == panel), "idle on a fixed floor");
        let integrator = spec.build();
        let slots = |world: &World| world.state.slots.len();
        run(&mut world, &*integrator, 0.3);
        assert!(world.state.activity.is_idle(panel), "{spec:?}");
        assert_eq!(world.pose(panel), start, "{spec:?}: it stays where it is, to the last bit");
        run(&mut world, &*integrator, 5.0);
        assert!(world.state.activity.is_idle(panel), "{spec:?}: it lies still");
        let told: Vec<_> = world
            .events
            .iter()
            .filter(|e| matches!(e.kind, EventKind::Entered { .. } | EventKind::Left { .. }))
            .collect();
        assert_eq!(told.len(), 2, "{spec:?}: {told:?}");
        assert!(matches!(told[0].kind, EventKind::Entered { body } if body == panel));
        assert!(matches!(told[1].kind, EventKind::Left { body } if body == panel));
        assert!(told[0].time > 0.5 && told[0].time < 1.0 && told[1].time > told[0].time + 0.2, "{spec:?}");
        // It lies on its side, and costs nothing any more.
        assert!(
            (world.pose(panel).translation.z - 0.05).abs() < 5e-3,
            "{spec:?}: {}",
            world.pose(panel).translation
        );
        assert_eq!(world.twist(panel), Twist::default());
        assert_eq!(slots(&world), 1, "{spec:?}: only the ball touches");
        let energy = world.energy();
        assert!(energy.relative_residual.abs() < 0.02, "{spec:?}: {energy:?}");
    }
}

#[test]
fn what_is_idle_is_still_in_the_way() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("steel");
    builder.contact(m, m, linear(2e5, 0.2), coulomb(0.4));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let size = Vec3::new(1.0, 1.0, 0.2);
    let shelf = builder.body(block("shelf", 8.0, size, m, Pose::from_translation(Vec3::new(0.0, 0.0, 1.0))));
    let weight = builder.body(ball("weight", 1.0, 0.1, m, Vec3::new(0.0, 0.0, 1.199), Vec3::ZERO));
    builder.at(0.0, Change::Leave(shelf));
    builder.at(1.0, Change::Enter(shelf));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build();
    run(&mut world, &*integrator, 0.99);
    assert!((world.pose(weight).translation.z - 1.2).abs() < 1e-3, "it lies on the shelf that does not fall");
    assert_eq!(world.pose(shelf).translation.z, 1.0);
    run(&mut world, &*integrator, 3.0);
    assert!((world.pose(shelf).translation.z - 0.1).abs() < 1e-3, "now it has fallen");
}

/// A ball that bounces without loss on a shelf that is idle, for as long as it is.
#[test]
fn implicit_methods_see_what_is_idle_as_fixed() {
    for spec in methods() {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("steel");
        builder.contact(m, m, linear(5e3, 1.0), frictionless());
        let pose = Pose {
            rotation: rotation::from_rotation_vector(Vec3::new(0.0, 0.0, 0.3)),
            translation: Vec3::ZERO,
        };
        let shelf = builder.body(block("shelf", 8.0, Vec3::new(1.0, 1.0, 0.2), m, pose));
        let weight = builder.body(ball("weight", 1.0, 0.1, m, Vec3::new(0.0, 0.0, 0.3), Vec3::ZERO));
        // In a tree, as loops need it.
        let tie = builder.closed_loop(frame("tie", None, Some(shelf), Turning::Locked));
        builder.detached(tie);
        builder.at(0.0, Change::Leave(shelf));
        let mut world = World::new(builder.build().unwrap());
        let start = world.pose(shelf);
        let integrator = spec.build();
        let mut highest: f64 = 0.0;
        while world.state.time < 0.8 {
            world.step(&*integrator, 0.8).unwrap();
            world.refresh();
            if world.state.time > 0.4 {
                highest = highest.max(world.pose(weight).translation.z);
            }
        }
        assert_eq!(world.pose(shelf), start, "{spec:?}");
        assert!((highest - 0.3).abs() < 2e-3, "{spec:?}: {highest}");
    }
}

#[test]
fn what_is_tied_enters_and_leaves_together() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("steel");
    builder.contact(m, m, linear(2e5, 0.2), coulomb(0.4));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let size = Vec3::new(0.2, 0.4, 0.2);
    let mut blocks = Vec::new();
    for i in 0..3 {
        let pose = Pose::from_translation(Vec3::new(0.0, 0.5 * f64::from(i), 0.1));
        blocks.push(builder.body(block(&format!("block-{i}"), 2.0, size, m, pose)));
    }
    let near = builder.body(ball("near", 1.0, 0.1, m, Vec3::new(-1.0, 0.0, 0.1), Vec3::new(1.0, 0.0, 0.0)));
    let tie = |name: &str, a: usize| {
        let frame_a = Pose::from_translation(Vec3::new(0.0, 0.5, 0.0));
        let closure = Frame {
            a: Some(blocks[a]),
            b: Some(blocks[a + 1]),
            frame_a,
            frame_b: Pose::IDENTITY,
            locked: [true; 3],
            turning: Turning::Locked,
            kind: "weld",
        };
        LoopSpec { name: name.into(), kind: LoopKind::Bodies(Box::new(closure)) }
    };
    let first = builder.closed_loop(tie("first", 0));
    let second = builder.closed_loop(tie("second", 1));
    builder.changing(first);
    builder.detached(second);
    for body in [blocks[0], blocks[2]] {
        builder.fence(Fence { body, near: vec![near], margin: 0.1, rest_speed: 0.01, rest_time: 0.1 });
    }
    let mut world = World::new(builder.build().unwrap());
    assert_eq!(world.state.activity.idle, blocks, "the second waits with the first, to which it is tied");
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 5e-4 }.build();
    while world.state.activity.is_idle(blocks[0]) {
        world.step(&*integrator, 10.0).unwrap();
        assert!(world.state.time < 1.0);
    }
    assert_eq!(world.state.activity.idle, [blocks[2]], "both entered, the third is not tied");
    run(&mut world, &*integrator, 4.0);
    assert!(world.pose(blocks[0]).translation.x > 1e-3, "it was pushed");
    assert_eq!(world.pose(blocks[2]).translation, Vec3::new(0.0, 1.0, 0.1));
    // The ball rolls on against the block or rests on it: it is near, so the block stays in until the ball is gone.
    let near_now = world.pose(near).translation.x;
    assert!(world.state.activity.is_idle(blocks[0]) == (near_now < -0.3), "{near_now}");
}

#[test]
fn a_tree_leaves_and_enters_whole() {
    use fender_engine::JointSpec;
    use fender_engine::joint::Revolute;
    let model = || {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let mut parent = None;
        for i in 0..2 {
            let position = Vec3::new(0.5 + f64::from(i), 0.0, 0.0);
            let arm =
                flying(&format!("arm-{i}"), 1.0, Vec3::new(0.01, 0.1, 0.1), position, Vec3::ZERO, Vec3::ZERO);
            let arm = builder.body(BodySpec { pose: Pose::from_translation(position), ..arm });
            let frame = Pose {
                rotation: rotation::between(Vec3::Z, Vec3::Y),
                translation: Vec3::new(f64::from(i), 0.0, 0.0),
            };
            builder.joint(JointSpec {
                name: format!("hinge-{i}"),
                parent,
                child: arm,
                joint: std::sync::Arc::new(Revolute),
                frame,
                start: vec![0.0],
                rates: vec![0.0],
                guide: None,
                actions: Vec::new(),
                keep: false,
            });
            parent = Some(arm);
        }
        builder.at(0.5, Change::Leave(BodyId(1)));
        builder.at(1.0, Change::Enter(BodyId(0)));
        builder.build().unwrap()
    };
    for spec in methods() {
        let mut world = World::new(model());
        let integrator = spec.build();
        run(&mut world, &*integrator, 0.499);
        let kinetic = world.data.kinetic;
        run(&mut world, &*integrator, 0.5);
        let q = world.state.q.clone();
        assert_eq!(world.state.v, [0.0, 0.0], "{spec:?}");
        let lost = world.energy().dissipated;
        assert!((lost - kinetic).abs() < 0.02 * kinetic, "{spec:?}: {lost} {kinetic}");
        run(&mut world, &*integrator, 0.999);
        assert_eq!(world.state.q, q, "{spec:?}");
        run(&mut world, &*integrator, 1.2);
        assert!(world.state.v[0].abs() > 0.1, "{spec:?}: it swings again");
        let slack = if matches!(spec, IntegratorSpec::SemiImplicitEuler { .. }) { 0.1 } else { 1e-4 };
        assert!(world.energy().residual.abs() < slack, "{spec:?}: {}", world.energy().residual);
    }
}

#[test]
fn what_is_idle_has_no_modes_and_does_not_sag() {
    use fender_engine::balance::{modes, rest};
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let idle = builder.body(flying("idle", 1.0, Vec3::ONE, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO));
    let weight = builder.body(flying("weight", 2.0, Vec3::ONE, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO));
    for (i, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        for (j, side) in [1.0, -1.0].into_iter().enumerate() {
            let spring = Spring {
                a: idle,
                point_a: axis * side * 3.0,
                b: weight,
                point_b: axis * side,
                stiffness: 200.0,
                damping: 0.0,
                rest_length: 1.0,
                tension_only: false,
            };
            builder.force(format!("spring-{i}-{j}"), Box::new(spring));
        }
    }
    builder.at(0.0, Change::Leave(idle));
    let mut world = World::new(builder.build().unwrap());
    rest(&mut world).unwrap();
    world.refresh();
    assert_eq!(world.pose(idle).translation, Vec3::ZERO);
    assert!(world.pose(weight).translation.z < -0.01);
    assert_eq!(modes(&mut world).len(), 6);
}

#[test]
fn a_loop_that_is_made_holds_everything_where_it_is() {
    use fender_engine::closure::{self, Instant, LoopState, Rows};
    let world = World::new(pair(Turning::Locked, &[]));
    for closure in closure::samples(BodyId(0), BodyId(1)) {
        let at = |state| Instant { time: 0.0, q: &world.state.q, bodies: &world.data.bodies, state };
        let mut rows = Rows::default();
        closure.rows(&at(&LoopState::HOLDS), &mut rows);
        assert!(rows.all().iter().any(|row| row.value.abs() > 0.01), "{closure:?} was open");
        let held = closure.hold(&at(&LoopState::HOLDS));
        rows.clear();
        closure.rows(&at(&held), &mut rows);
        assert!(held.active && rows.all().iter().all(|row| row.value.abs() < 1e-14), "{closure:?}");
    }
}

#[test]
fn a_spring_is_switched_off_and_on() {
    for spec in methods() {
        let mut builder = ModelBuilder::new();
        let weight =
            builder.body(flying("weight", 1.0, Vec3::splat(0.1), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO));
        let base = builder.body(BodySpec {
            motion: BodyMotion::Fixed,
            pose: Pose::from_translation(Vec3::new(0.0, 0.0, 2.0)),
            ..flying("base", 1.0, Vec3::ONE, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO)
        });
        let spring = Spring {
            a: base,
            point_a: Vec3::ZERO,
            b: weight,
            point_b: Vec3::ZERO,
            stiffness: 50.0,
            damping: 0.0,
            rest_length: 1.0,
            tension_only: false,
        };
        let spring = builder.force("spring", Box::new(spring));
        builder.at(0.1, Change::Disable(spring));
        builder.at(0.2, Change::Enable(spring));
        let mut world = World::new(builder.build().unwrap());
        let integrator = spec.build();
        let energy = |world: &World| 25.0 * (1.0 - world.pose(weight).translation.z).powi(2);
        run(&mut world, &*integrator, 0.1);
        let v = world.twist(weight).linear;
        assert!(
            (world.energy().dissipated - energy(&world)).abs() < 1e-12,
            "{spec:?}: what was stored is lost"
        );
        run(&mut world, &*integrator, 0.2);
        assert!((world.twist(weight).linear - v).length() < 1e-14, "{spec:?}: nothing acts");
        assert!((world.energy().work - energy(&world)).abs() < 1e-12, "{spec:?}: what it brings is work");
        run(&mut world, &*integrator, 0.3);
        assert!((world.twist(weight).linear - v).length() > 0.1, "{spec:?}");
        let told: Vec<_> = world.events.iter().map(|e| e.kind.clone()).collect();
        assert_eq!(
            told,
            [EventKind::Disabled { force: spring }, EventKind::Enabled { force: spring }],
            "{spec:?}"
        );
    }
}

/// Two mechanisms with loops, two bodies with a loop between them, and a ball that bounces.
fn crowd(timeline: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("steel");
    // Soft enough for implicit methods with a step of a millisecond.
    builder.contact(m, m, linear(5e3, 1.0), frictionless());
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    builder.body(ball("ball", 1.0, 0.1, m, Vec3::new(5.0, 0.0, 0.5), Vec3::new(0.2, 0.0, 0.0)));
    for k in 0..2 {
        let top = Vec3::new(10.0 + 5.0 * f64::from(k), 0.0, 3.0);
        let mut upper = None;
        for i in 0..2 {
            let position = top + Vec3::new(0.3 + 0.6 * f64::from(i), 0.1, -0.2);
            let body =
                flying(&format!("link-{k}-{i}"), 1.0, Vec3::splat(0.02), position, Vec3::ZERO, Vec3::ZERO);
            let body = builder.body(BodySpec { pose: Pose::from_translation(position), ..body });
            let from = if i == 0 { top } else { top + Vec3::new(0.6, 0.1, -0.2) };
            let anchors = vec![
                Anchor {
                    body: upper,
                    point: if i == 0 { from } else { from - (top + Vec3::new(0.3, 0.1, -0.2)) },
                },
                Anchor { body: Some(body), point: Vec3::new(-0.1, 0.0, 0.05) },
            ];
            let length = Profile::Constant((position + Vec3::new(-0.1, 0.0, 0.05) - from).length());
            let kind = LoopKind::Bodies(Box::new(Line { anchors, length }));
            builder.closed_loop(LoopSpec { name: format!("line-{k}-{i}"), kind });
            upper = Some(body);
        }
    }
    let a = builder.body(flying("a", 1.0, Vec3::splat(0.1), Vec3::new(0.0, 0.0, 9.0), Vec3::X, Vec3::Y));
    let b = builder.body(flying("b", 2.0, Vec3::splat(0.1), Vec3::new(1.0, 0.0, 9.0), -Vec3::X, Vec3::Z));
    let grip = builder.closed_loop(frame("grip", Some(a), Some(b), Turning::Locked));
    builder.detached(grip);
    if timeline {
        builder.at(0.1, Change::Attach(grip));
        builder.at(0.3, Change::Detach(grip));
        builder.at(0.35, Change::Attach(grip));
    } else {
        // The model is the same but for the times.
        builder.at(1e6, Change::Attach(grip));
    }
    builder.build().unwrap()
}

#[test]
fn what_is_not_concerned_keeps_its_bits() {
    for spec in [
        IntegratorSpec::ExplicitEuler { step: 1e-3 },
        IntegratorSpec::SemiImplicitEuler { step: 1e-3 },
        IntegratorSpec::Rk4 { step: 1e-3 },
    ] {
        let (mut with, mut without) = (World::new(crowd(true)), World::new(crowd(false)));
        let integrator = spec.build();
        for world in [&mut with, &mut without] {
            run(world, &*integrator, 0.6);
        }
        let places = |world: &World, name: &str| {
            let free = world.model.bodies[world.model.body_named(name).unwrap().index()].free.unwrap();
            (world.state.q[free.q..free.q + 7].to_vec(), world.state.v[free.v..free.v + 6].to_vec())
        };
        assert_ne!(places(&with, "a"), places(&without, "a"));
        for name in ["ball", "link-0-0", "link-0-1", "link-1-0", "link-1-1"] {
            let bits = |world| {
                let (q, v) = places(world, name);
                q.into_iter().chain(v).map(f64::to_bits).collect::<Vec<_>>()
            };
            assert_eq!(bits(&with), bits(&without), "{spec:?}: {name}");
        }
        assert_eq!(with.state.slots, without.state.slots, "{spec:?}");
    }
}

#[test]
fn snapshots_work_across_changes() {
    // Stopped before, between and after the changes.
    let whole = |model: fn() -> Model, spec: &IntegratorSpec, stops: &[usize]| {
        let integrator = spec.build();
        let mut world = World::new(model());
        for i in 0..1500 {
            world.step(&*integrator, 2.0_f64.max(world.state.time + 1.0)).unwrap();
            if stops.contains(&i) {
                world = World::resume(model(), State::restore(&world.state.save()).unwrap()).unwrap();
            }
        }
        world.state.save()
    };
    let stiff = [
        IntegratorSpec::SemiImplicitEuler { step: 1e-3 },
        IntegratorSpec::Rk4 { step: 1e-3 },
        IntegratorSpec::DormandPrince(Adaptive { relative: 1e-6, absolute: 1e-7, max_step: 0.05 }),
    ];
    for spec in stiff {
        let stops = [300, 800, 1100, 1300];
        assert_eq!(whole(|| scene(true), &spec, &[]), whole(|| scene(true), &spec, &stops), "{spec:?}");
    }
}

#[test]
fn a_run_that_was_interrupted_goes_on_the_same() {
    for spec in methods() {
        let integrator = spec.build();
        let mut whole = World::new(crowd(true));
        let mut parts = World::new(crowd(true));
        for _ in 0..12 {
            for _ in 0..40 {
                whole.step(&*integrator, 10.0).unwrap();
                parts.step(&*integrator, 10.0).unwrap();
            }
            let bytes = parts.state.save();
            parts = World::resume(crowd(true), State::restore(&bytes).unwrap()).unwrap();
            assert_eq!(whole.state.save(), bytes, "{spec:?} at {}", whole.state.time);
        }
        assert!(whole.state.time > 0.1, "{spec:?}");
    }
}

#[test]
fn threads_do_not_matter() {
    let hash = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new(crowd(true));
            run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-3 }.build(), 0.5);
            world.state.hash()
        })
    };
    assert_eq!(hash(1), hash(8));
}

#[test]
fn what_a_loop_joins_touches_again_when_it_is_gone() {
    let mut builder = ModelBuilder::new();
    let m = builder.material("steel");
    builder.contact(m, m, linear(2e4, 1.0), frictionless());
    // They overlap by a millimetre.
    let a = builder.body(ball("a", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO));
    let b = builder.body(ball("b", 1.0, 0.1, m, Vec3::new(0.199, 0.0, 0.0), Vec3::ZERO));
    let weld = builder.closed_loop(frame("weld", Some(a), Some(b), Turning::Locked));
    builder.detached(weld);
    builder.at(0.0, Change::Attach(weld));
    builder.at(0.1, Change::Detach(weld));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::DormandPrince(tight()).build();
    run(&mut world, &*integrator, 0.05);
    assert_eq!(world.contacts().count(), 0);
    assert_eq!(world.twist(a), Twist::default());
    run(&mut world, &*integrator, 0.3);
    // The energy ½·k·δ² that came back drives them apart.
    let speed = (2e4_f64 * 1e-6 / 2.0).sqrt();
    assert!((world.twist(b).linear.x - speed).abs() < 1e-6, "{}", world.twist(b).linear);
    let energy = world.energy();
    assert!(energy.residual.abs() < 1e-9, "{energy:?}");
}

#[test]
fn impossible_changes_are_refused() {
    let build = |make: &dyn Fn(&mut ModelBuilder, MaterialsAndBodies)| {
        let mut builder = ModelBuilder::new();
        let m = builder.material("steel");
        builder.contact(m, m, linear(2e5, 0.2), coulomb(0.4));
        let floor = builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let a = builder.body(ball("a", 1.0, 0.1, m, Vec3::Z, Vec3::ZERO));
        let b = builder.body(ball("b", 1.0, 0.1, m, Vec3::X + Vec3::Z, Vec3::X));
        let weld = builder.closed_loop(frame("weld", Some(a), None, Turning::Free));
        builder.detached(weld);
        make(&mut builder, MaterialsAndBodies { floor, a, b, weld });
        builder.build()
    };
    let fence = |body, near| Fence { body, near, margin: 0.1, rest_speed: 0.01, rest_time: 0.1 };
    assert!(build(&|_, _| ()).is_ok());
    let refused = |make: &dyn Fn(&mut ModelBuilder, MaterialsAndBodies), word: &str| {
        let error = build(make).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        error
    };
    refused(&|builder, x| builder.at(-1.0, Change::Attach(x.weld)), "cannot happen");
    refused(&|builder, x| builder.at(f64::NAN, Change::Attach(x.weld)), "cannot happen");
    refused(&|builder, x| builder.at(1.0, Change::Leave(x.floor)), "fixed");
    refused(&|builder, x| builder.fence(fence(x.floor, vec![x.a])), "fixed");
    refused(&|builder, x| builder.fence(fence(x.a, vec![])), "empty");
    refused(&|builder, x| builder.fence(fence(x.a, vec![x.floor])), "no shape with a box");
    refused(&|builder, x| builder.fence(fence(x.b, vec![x.a])), "at rest");
    refused(&|builder, x| builder.fence(Fence { margin: 0.0, ..fence(x.a, vec![x.b]) }), "positive");
    let zero = Limit { force: 0.0, ..Limit::default() };
    let error = refused(&|builder, x| builder.limit(x.weld, zero), "zero");
    assert!(matches!(error, ModelError::Loop { .. }));
}

struct MaterialsAndBodies {
    floor: BodyId,
    a: BodyId,
    b: BodyId,
    weld: LoopId,
}

#[test]
fn a_state_of_other_changes_is_refused() {
    let world = World::new(scene(true));
    assert!(World::resume(scene(false), world.state.clone()).is_err());
    let mut state = world.state.clone();
    state.activity.idle.push(BodyId(99));
    assert!(World::resume(scene(true), state).is_err());
    assert!(World::resume(scene(true), world.state).is_ok());
}

#[test]
fn what_is_already_so_changes_nothing() {
    let mut world = World::new(pair(Turning::Locked, &[]));
    let mut same = World::new(pair(Turning::Locked, &[]));
    let integrator = IntegratorSpec::Rk4 { step: 1e-3 }.build();
    world.control.changes.extend([Change::Detach(LoopId(0)), Change::Enter(BodyId(0))]);
    world.step(&*integrator, 1.0).unwrap();
    same.step(&*integrator, 1.0).unwrap();
    assert_eq!(world.state, same.state);
    assert!(world.events.is_empty() && world.control.changes.is_empty());
}
