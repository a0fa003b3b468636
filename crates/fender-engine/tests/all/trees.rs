//! Trees: every algorithm against the others, and motions with known answers.

use crate::common::{self, on};
use fender_engine::action::{JointFriction, JointSpring, Motor, Stop, Target};
use fender_engine::joint::{self, Joint, Prismatic, Revolute, Spherical};
use fender_engine::tree;
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, IntegratorSpec, Model, ModelBuilder, ModelError, World,
};
use fender_math::series::{PoseSeries, Series};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::sync::Arc;

const G: f64 = 9.81;

struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn pose(&mut self) -> Pose {
        Pose { rotation: rotation::from_rotation_vector(self.vector() * 2.0), translation: self.vector() }
    }

    fn pick(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) * 0.5 * n as f64) as usize % n
    }
}

fn body(name: &str, mass: MassProperties, pose: Pose) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass },
        pose,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    }
}

/// A random tree of `n` bodies; floating or on the world, with every kind of joint.
fn random_tree(seed: u64, n: usize, floating: bool) -> World {
    let mut random = Random(seed);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let kinds: Vec<Arc<dyn Joint>> = joint::samples().into_iter().map(Arc::from).collect();
    for i in 0..n {
        let inertia = Mat3::from_diagonal(Vec3::new(0.3, 0.4, 0.5) + random.vector() * 0.05);
        let mass = MassProperties { mass: 1.5 + random.number(), center: random.vector() * 0.3, inertia };
        let mut spec = body(&format!("b{i}"), mass, random.pose());
        spec.twist = Twist { linear: random.vector(), angular: random.vector() };
        let child = builder.body(spec);
        if i == 0 && floating {
            continue;
        }
        let parent = (i > 0).then(|| BodyId(random.pick(i) as u32));
        let kind = kinds[random.pick(kinds.len())].clone();
        let mut spec = on(&format!("j{i}"), parent, child, kind, random.pose());
        spec.start = spec.start.iter().map(|_| random.number()).collect();
        spec.rates = spec.rates.iter().map(|_| random.number()).collect();
        builder.joint(spec);
    }
    let mut world = World::new(builder.build().unwrap());
    for i in 0..n {
        world.control.push.push((
            BodyId(i as u32),
            fender_math::Wrench { force: random.vector(), torque: random.vector() },
        ));
    }
    world.data.clear();
    world.refresh();
    world
}

#[test]
fn forward_and_inverse_dynamics_and_the_mass_matrix_agree() {
    for seed in 0..60 {
        let world = random_tree(seed, 2 + seed as usize % 9, seed % 3 == 0);
        let (model, data) = (&world.model, &world.data);
        let (links, bodies, d) = (&model.links, &data.bodies, &data.links);
        let rates = &data.rates.v;
        // Inverse dynamics of the accelerations found needs no force but the coordinates' own, which are zero.
        let needed = tree::inverse_dynamics(links, bodies, d, &data.wrenches, model.gravity, rates);
        let size = 1.0 + rates.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        assert!(needed.iter().all(|x| x.abs() < 1e-10 * size), "{seed}: {needed:?}");
        // M·q̈ = −(needed at zero acceleration).
        let matrix = tree::mass_matrix(links, bodies, d, model.nv);
        let zero = vec![0.0; model.nv];
        let bias = tree::inverse_dynamics(links, bodies, d, &data.wrenches, model.gravity, &zero);
        for (row, bias) in matrix.iter().zip(&bias) {
            let sum: f64 = row.iter().zip(rates).map(|(m, a)| m * a).sum();
            assert!((sum + bias).abs() < 1e-10 * size, "{seed}: {sum} {bias}");
        }
        // Kinetic energy is ½ vᵀMv.
        let v = &world.state.v;
        let quadratic: f64 = matrix
            .iter()
            .zip(v)
            .map(|(row, x)| 0.5 * x * row.iter().zip(v).map(|(m, y)| m * y).sum::<f64>())
            .sum();
        assert!(
            (quadratic - data.kinetic).abs() < 1e-10 * (1.0 + quadratic),
            "{seed}: {quadratic} {}",
            data.kinetic
        );
    }
}

#[test]
fn the_response_to_a_wrench_solves_with_the_mass_matrix() {
    for seed in 300..340 {
        let mut world = random_tree(seed, 2 + seed as usize % 9, seed % 3 == 0);
        tree::mobilities(&world.model.links, &mut world.data.links);
        let (model, data) = (&world.model, &world.data);
        let matrix = tree::mass_matrix(&model.links, &data.bodies, &data.links, model.nv);
        let mut random = Random(seed);
        for (i, link) in model.links.iter().enumerate() {
            let wrench = fender_math::Wrench { force: random.vector(), torque: random.vector() };
            let mut rates = vec![0.0; model.nv];
            tree::response(&model.links, &data.bodies, &data.links, i, &wrench, &mut rates);
            // M·rates is the wrench seen by the coordinates, Jᵀw.
            let center = data.bodies[link.body.index()].center;
            let columns = tree::jacobian(&model.links, &data.bodies, &data.links, i, center, model.nv);
            for (row, column) in matrix.iter().zip(&columns) {
                let moved: f64 = row.iter().zip(&rates).map(|(m, a)| m * a).sum();
                assert!((moved - wrench.power(column)).abs() < 1e-10, "{seed} {i}");
            }
            // And the link's own acceleration is that of its mobility.
            let mut own = Twist::default();
            for (column, rate) in columns.iter().zip(&rates) {
                own.linear += column.linear * *rate;
                own.angular += column.angular * *rate;
            }
            let expected = data.links[i].mobility.times(&wrench);
            assert!((own.linear - expected.linear).length() < 1e-10, "{seed} {i}");
            assert!((own.angular - expected.angular).length() < 1e-10, "{seed} {i}");
        }
    }
}

/// The collision matrix's columns: impulses on two links at once, also of one tree, against M⁻¹Jᵀ with the dense mass matrix.
#[test]
fn impulses_on_two_links_solve_with_the_mass_matrix() {
    for seed in 500..560 {
        let mut world = random_tree(seed, 2 + seed as usize % 9, seed % 3 == 0);
        let all: Vec<usize> = (0..world.model.links.len()).collect();
        let (model, data) = (&world.model, &mut world.data);
        tree::articulate(&model.links, &all, &mut data.links);
        let matrix = tree::mass_matrix(&model.links, &data.bodies, &data.links, model.nv);
        let mut random = Random(seed);
        let mut push = tree::Push::default();
        for i in 0..all.len() {
            let j = (i + 1 + seed as usize) % all.len();
            let (point, impulse) = (random.vector(), random.vector());
            let center = |link: usize| data.bodies[model.links[link].body.index()].center;
            let on =
                |link: usize, p: Vec3| (link, fender_math::Wrench::from_force_at(p, point - center(link)));
            let axes = [Vec3::X, Vec3::Y, Vec3::Z];
            let sides = [(i, axes.map(|a| on(i, a).1)), (j, axes.map(|a| on(j, -a).1))];
            let w = push.press(&model.links, &data.links, sides.into_iter());
            let mut jumps = vec![0.0; model.nv];
            push.spread(&model.links, &all, &data.bodies, &data.links, impulse, &mut jumps);
            let columns =
                |link: usize| tree::jacobian(&model.links, &data.bodies, &data.links, link, point, model.nv);
            let (first, second) = (columns(i), columns(j));
            let mut relative = Vec3::ZERO;
            for (k, row) in matrix.iter().enumerate() {
                let moved: f64 = row.iter().zip(&jumps).map(|(m, a)| m * a).sum();
                let expected = impulse.dot(first[k].linear - second[k].linear);
                assert!((moved - expected).abs() < 1e-10, "{seed} {i} {j}: {moved} {expected}");
                relative += (first[k].linear - second[k].linear) * jumps[k];
            }
            // J M⁻¹ Jᵀ of the inward pass is the jump of the contact's velocity.
            assert!((w * impulse - relative).length() < 1e-10, "{seed} {i} {j}: {} {relative}", w * impulse);
            let before = (push.motion(i), push.motion(j));
            // The jumps of the coordinates and those of the links say the same.
            push.follow(&model.links, &all, &data.bodies, &data.links, &jumps);
            assert!((push.motion(i).linear - before.0.linear).length() < 1e-11);
            assert!((push.motion(j).angular - before.1.angular).length() < 1e-11);
        }
    }
}

#[test]
fn jacobians_give_the_velocities_of_points() {
    for seed in 100..120 {
        let world = random_tree(seed, 6, seed % 2 == 0);
        let (model, data) = (&world.model, &world.data);
        for (i, link) in model.links.iter().enumerate() {
            let point = Vec3::new(0.3, -0.2, 0.5);
            let columns = tree::jacobian(&model.links, &data.bodies, &data.links, i, point, model.nv);
            let mut sum = Twist::default();
            for (column, speed) in columns.iter().zip(&world.state.v) {
                sum.linear += column.linear * *speed;
                sum.angular += column.angular * *speed;
            }
            let k = &data.bodies[link.body.index()];
            assert!((sum.linear - k.velocity_at(point)).length() < 1e-12);
            assert!((sum.angular - k.twist.angular).length() < 1e-12);
        }
    }
}

#[test]
fn accelerations_are_the_rates_of_velocities() {
    for seed in 200..220 {
        let mut world = random_tree(seed, 5, seed % 2 == 0);
        let expected: Vec<Twist> = (0..5).map(|i| world.acceleration(BodyId(i))).collect();
        let before: Vec<Twist> = (0..5).map(|i| world.twist(BodyId(i))).collect();
        let h = 1e-6;
        world.step(&*IntegratorSpec::Rk4 { step: h }.build(), f64::INFINITY).unwrap();
        world.refresh();
        for i in 0..5 {
            let after = world.twist(BodyId(i as u32));
            let linear = (after.linear - before[i].linear) / h;
            let angular = (after.angular - before[i].angular) / h;
            let size = 1.0 + linear.length() + angular.length();
            assert!((linear - expected[i].linear).length() < 1e-3 * size, "{seed} {i}");
            assert!((angular - expected[i].angular).length() < 1e-3 * size, "{seed} {i}");
        }
    }
}

#[test]
fn the_energy_account_of_a_random_tree_balances() {
    let tight = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-10, absolute: 1e-12, max_step: 0.01 });
    for seed in [1, 2, 3, 4] {
        let mut world = random_tree(seed, 5, seed % 2 == 0);
        world.control.push.clear();
        world.data.clear();
        while world.state.time < 0.5 {
            world.step(&*tight.build(), 0.5).unwrap();
        }
        world.refresh();
        let energy = world.energy();
        assert!(energy.relative_residual.abs() < 1e-7, "{seed}: {energy:?}");
    }
}

/// Point masses on massless rods, as near as can be.
fn pendulum(rods: &[(f64, f64)], angles: &[f64]) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let mut top = Vec3::ZERO;
    let mut parent = None;
    // Joint axes along y: z of the joint frame.
    let turned = rotation::between(Vec3::Z, Vec3::Y);
    for (i, ((length, mass), angle)) in rods.iter().zip(angles).enumerate() {
        let bob = MassProperties::solid_sphere(*mass, 1e-6);
        let child =
            builder.body(body(&format!("bob{i}"), bob, Pose::from_translation(top - Vec3::Z * *length)));
        let frame = Pose { rotation: turned, translation: top };
        let mut spec = on(&format!("joint{i}"), parent, child, Arc::new(Revolute), frame);
        spec.start = vec![*angle];
        builder.joint(spec);
        parent = Some(child);
        top -= Vec3::Z * *length;
    }
    builder.build().unwrap()
}

#[test]
fn a_pendulum_swings_and_pulls_as_it_should() {
    let mut world = World::new(pendulum(&[(2.0, 3.0)], &[1.0]));
    let spec = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-12, absolute: 1e-13, max_step: 0.01 });
    while world.state.time < 3.0 {
        world.step(&*spec.build(), 3.0).unwrap();
    }
    world.refresh();
    let (angle, rate) = (world.state.q[0], world.state.v[0]);
    // Energy gives the rate for the angle, and the pull on the rod.
    let from_energy = (2.0 * G / 2.0 * (angle.cos() - 1.0_f64.cos())).sqrt();
    assert!((rate.abs() - from_energy).abs() < 1e-9, "{rate} {from_energy}");
    let pull = 3.0 * (G * angle.cos() + 2.0 * rate * rate);
    let reaction = world.data.links[0].reaction().force.length();
    assert!((reaction - pull).abs() < 1e-8, "{reaction} {pull}");
}

#[test]
fn a_double_pendulum_has_the_accelerations_of_the_textbook() {
    let ((l1, m1), (l2, m2)) = ((1.0, 2.0), (0.7, 1.3));
    let mut world = World::new(pendulum(&[(l1, m1), (l2, m2)], &[0.4, 0.5]));
    world.state.v.copy_from_slice(&[0.7, -1.1]);
    world.data.clear();
    world.refresh();
    // Absolute angles a, b from the vertical; Lagrange's equations for point masses.
    let (a, b, w, u): (f64, f64, f64, f64) = (0.4, 0.9, 0.7, 0.7 - 1.1);
    let d = a - b;
    let den = 2.0 * m1 + m2 - m2 * (2.0 * d).cos();
    let aa = (-G * (2.0 * m1 + m2) * a.sin()
        - m2 * G * (a - 2.0 * b).sin()
        - 2.0 * d.sin() * m2 * (u * u * l2 + w * w * l1 * d.cos()))
        / (l1 * den);
    let ab = 2.0 * d.sin() * (w * w * l1 * (m1 + m2) + G * (m1 + m2) * a.cos() + u * u * l2 * m2 * d.cos())
        / (l2 * den);
    let rates = &world.data.rates.v;
    assert!((rates[0] - aa).abs() < 1e-8, "{} {aa}", rates[0]);
    assert!((rates[0] + rates[1] - ab).abs() < 1e-8, "{} {ab}", rates[0] + rates[1]);
}

#[test]
fn a_floating_tree_keeps_its_momenta() {
    let mut world = random_tree(12, 6, true);
    world.control.push.clear();
    world.model.gravity = Vec3::ZERO;
    world.data.clear();
    world.refresh();
    let momenta = |world: &World| {
        let (mut p, mut l) = (Vec3::ZERO, Vec3::ZERO);
        for (link, d) in world.model.links.iter().zip(&world.data.links) {
            let k = &world.data.bodies[link.body.index()];
            p += k.twist.linear * link.mass;
            l += k.center.cross(k.twist.linear * link.mass) + d.inertia * k.twist.angular;
        }
        (p, l)
    };
    let (p0, l0) = momenta(&world);
    let spec = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-11, absolute: 1e-12, max_step: 0.01 });
    while world.state.time < 0.5 {
        world.step(&*spec.build(), 0.5).unwrap();
    }
    world.refresh();
    let (p1, l1) = momenta(&world);
    assert!((p1 - p0).length() < 1e-8 && (l1 - l0).length() < 1e-7, "{p0} {p1} {l0} {l1}");
}

#[test]
fn a_guided_crank_does_the_work_that_the_tree_gains() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let crank = builder.body(body(
        "crank",
        MassProperties::solid_sphere(2.0, 0.1),
        Pose::from_translation(Vec3::X * 0.5),
    ));
    let bob =
        builder.body(body("bob", MassProperties::solid_sphere(1.0, 0.1), Pose::from_translation(Vec3::X)));
    let turned = rotation::between(Vec3::Z, Vec3::Y);
    let times: Vec<f64> = (0..41).map(|i| f64::from(i) * 0.05).collect();
    let angles = times.iter().map(|t| [1.2 * t * t * t / (1.0 + t)]).collect();
    let mut spec =
        on("drive", None, crank, Arc::new(Revolute), Pose { rotation: turned, translation: Vec3::ZERO });
    spec.guide = Some(vec![Series::new(times, angles).unwrap().into()]);
    builder.joint(spec);
    builder.joint(on(
        "hinge",
        Some(crank),
        bob,
        Arc::new(Revolute),
        Pose { rotation: turned, translation: Vec3::X * 0.5 },
    ));
    let mut world = World::new(builder.build().unwrap());
    let spec = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-10, absolute: 1e-12, max_step: 0.01 });
    while world.state.time < 1.8 {
        world.step(&*spec.build(), 1.8).unwrap();
    }
    world.refresh();
    let energy = world.energy();
    assert!(energy.work.abs() > 1.0 && energy.relative_residual.abs() < 1e-7, "{energy:?}");
    assert!((world.pose(BodyId(0)).translation.length() - 0.5).abs() < 1e-12);
}

#[test]
fn a_driven_body_carries_a_pendulum_along() {
    // A trolley that brakes and comes back: the work of the drivers is what the load gains.
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    // The series begins before the run, so that no jump of speed falls into it.
    let times: Vec<f64> = (0..31).map(|i| f64::from(i) * 0.1 - 1.0).collect();
    let poses: Vec<Pose> = times.iter().map(|t| Pose::from_translation(Vec3::X * (t * t))).collect();
    let trolley = builder.body(BodySpec {
        motion: BodyMotion::Driven { series: PoseSeries::new(times, &poses).unwrap() },
        ..body("trolley", MassProperties::solid_sphere(1.0, 1.0), Pose::IDENTITY)
    });
    let load = builder.body(body(
        "load",
        MassProperties::solid_sphere(5.0, 0.1),
        Pose::from_translation(Vec3::Z * -3.0),
    ));
    builder.joint(on("hook", Some(trolley), load, Arc::new(Spherical), Pose::IDENTITY));
    let mut world = World::new(builder.build().unwrap());
    let spec = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-10, absolute: 1e-12, max_step: 0.01 });
    while world.state.time < 1.9 {
        world.step(&*spec.build(), 1.9).unwrap();
    }
    world.refresh();
    let energy = world.energy();
    assert!(energy.work > 1.0 && energy.relative_residual.abs() < 1e-7, "{energy:?}");
}

#[test]
fn springs_friction_stops_and_motors_act_and_account() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let cart = builder.body(body("cart", MassProperties::solid_sphere(2.0, 0.1), Pose::IDENTITY));
    let arm = builder.body(body(
        "arm",
        MassProperties::solid_sphere(1.0, 0.1),
        Pose::from_translation(Vec3::Z * -0.8),
    ));
    let mut slide = on(
        "slide",
        None,
        cart,
        Arc::new(Prismatic),
        Pose { rotation: rotation::between(Vec3::Z, Vec3::X), translation: Vec3::ZERO },
    );
    slide.rates = vec![1.5];
    slide.actions = vec![
        (0, Box::new(JointSpring { stiffness: 60.0, damping: 0.5, rest: 0.1 })),
        (0, Box::new(JointFriction { level: 0.4, viscous: 0.1, v_eps: 0.02 })),
        (0, Box::new(Stop { low: -0.2, high: 0.15, stiffness: 4000.0, damping: 0.3 })),
    ];
    builder.joint(slide);
    let mut hinge = on(
        "hinge",
        Some(cart),
        arm,
        Arc::new(Revolute),
        Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::ZERO },
    );
    hinge.actions =
        vec![(0, Box::new(Motor { target: Target::Rate { rate: 2.0.into(), gain: 3.0 }, limit: 2.5 }))];
    builder.joint(hinge);
    let model = builder.build().unwrap();
    assert!(
        model.sources.iter().any(|s| s == "joint.slide.limits")
            && model.sources.iter().any(|s| s == "joint.hinge.motor")
    );
    let mut world = World::new(model);
    let spec = IntegratorSpec::DormandPrince(Adaptive { relative: 1e-9, absolute: 1e-11, max_step: 0.01 });
    let mut furthest = 0.0_f64;
    while world.state.time < 3.0 {
        world.step(&*spec.build(), 3.0).unwrap();
        furthest = furthest.max(world.state.q[0].abs());
    }
    world.refresh();
    let energy = world.energy();
    assert!(energy.relative_residual.abs() < 1e-6, "{energy:?}");
    assert!(energy.dissipated > 0.1 && furthest < 0.25 && furthest > 0.15, "{energy:?} {furthest}");
}

/// A plank hinged at one end above a fixed ball.
fn plank_over_ball() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -G);
    let m = builder.material("m");
    builder.contact(m, m, common::linear(1e5, 0.3), common::coulomb(0.4));
    let at = Pose::from_translation(Vec3::new(0.5, 0.0, 0.3));
    let plank = builder.body(common::block("plank", 3.0, Vec3::new(1.0, 0.2, 0.04), m, at));
    let ball = common::ball("ball", 1.0, 0.1, m, Vec3::new(0.9, 0.0, 0.1), Vec3::ZERO);
    builder.body(BodySpec { motion: BodyMotion::Fixed, ..ball });
    let frame = Pose { rotation: rotation::between(Vec3::Z, Vec3::Y), translation: Vec3::Z * 0.3 };
    builder.joint(on("hinge", None, plank, Arc::new(Revolute), frame));
    builder.build().unwrap()
}

#[test]
fn a_hinged_plank_comes_to_rest_on_a_ball() {
    for spec in [IntegratorSpec::SemiImplicitEuler { step: 5e-4 }, IntegratorSpec::Rk4 { step: 5e-4 }] {
        let mut world = World::new(plank_over_ball());
        let (integrator, plank, hinge) = (spec.build(), BodyId(0), Vec3::Z * 0.3);
        while world.state.time < 4.0 {
            world.step(&*integrator, f64::INFINITY).unwrap();
        }
        world.refresh();
        assert!(world.state.v[0].abs() < 1e-6, "{spec:?} {}", world.state.v[0]);
        // Moments about the hinge: weight at the middle, the ball's push at its own arm.
        let contact = world.contacts().next().expect("the plank lies on the ball");
        let push = if contact.body_a == plank { contact.force() } else { -contact.force() };
        let center = world.data.bodies[plank.index()].center - hinge;
        let moment = (contact.overlap.point - hinge).cross(push) + center.cross(Vec3::Z * (-3.0 * G));
        assert!(moment.y.abs() < 1e-3, "{spec:?} {moment}");
        assert!(world.energy().relative_residual.abs() < 0.02, "{spec:?} {:?}", world.energy());
    }
}

#[test]
fn impossible_joints_are_refused_by_name() {
    let bodies = || {
        let mut builder = ModelBuilder::new();
        let ball = MassProperties::solid_sphere(1.0, 0.1);
        let a = builder.body(body("a", ball, Pose::IDENTITY));
        let b = builder.body(body("b", ball, Pose::IDENTITY));
        let f = builder.body(BodySpec { motion: BodyMotion::Fixed, ..body("f", ball, Pose::IDENTITY) });
        (builder, a, b, f)
    };
    let revolute = || Arc::new(Revolute);
    let said = |builder: ModelBuilder| match builder.build() {
        Err(ModelError::Joint { joint, why }) => format!("{joint}: {why}"),
        other => panic!("{other:?}"),
    };
    let (mut builder, a, b, _) = bodies();
    builder.joint(on("one", None, a, revolute(), Pose::IDENTITY));
    builder.joint(on("two", Some(b), a, revolute(), Pose::IDENTITY));
    assert!(said(builder).starts_with("two: 'a' is already carried by joint 'one'"));
    let (mut builder, a, b, _) = bodies();
    builder.joint(on("one", Some(b), a, revolute(), Pose::IDENTITY));
    builder.joint(on("two", Some(a), b, revolute(), Pose::IDENTITY));
    assert!(said(builder).contains("in a ring"));
    let (mut builder, _, _, f) = bodies();
    builder.joint(on("one", None, f, revolute(), Pose::IDENTITY));
    assert!(said(builder).contains("'f' is fixed or driven"));
    let (mut builder, a, _, _) = bodies();
    builder.joint(on("one", Some(a), a, revolute(), Pose::IDENTITY));
    assert!(said(builder).contains("cannot carry itself"));
}

#[test]
fn a_joint_that_diverges_is_named_with_its_coordinate() {
    let mut builder = ModelBuilder::new();
    let arm = builder.body(body("arm", MassProperties::solid_sphere(1.0, 0.1), Pose::IDENTITY));
    let mut spec = on("hinge", None, arm, Arc::new(Revolute), Pose::IDENTITY);
    // A spring far too stiff for the step, let go beside its rest.
    spec.actions.push((0, Box::new(JointSpring { stiffness: 1e6, damping: 0.0, rest: 0.1 })));
    builder.joint(spec);
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::ExplicitEuler { step: 1e-2 }.build();
    let error = loop {
        if let Err(error) = world.step(&*integrator, f64::INFINITY) {
            break error.to_string();
        }
        assert!(world.state.time < 10.0, "it must diverge");
    };
    assert!(error.contains("coordinate 'angle' of joint 'hinge', which carries body 'arm'"), "{error}");
}
