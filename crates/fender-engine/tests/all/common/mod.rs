//! Small scenes shared by the engine's tests.

use fender_contact::{
    Coulomb, Damping, Foundation, FrictionLaw, Frictionless, Hertz, HertzStiffness, Linear, NormalLaw,
};
use fender_engine::balance::{Mode, displaced, linearize};
use fender_engine::integrator::AlphaMethod;
use fender_engine::joint::Joint;
use fender_engine::{
    Adaptive, BodyId, BodyMotion, BodySpec, Integrator, IntegratorSpec, JointSpec, MaterialId, Model,
    ModelBuilder, World,
};
use fender_geom::{Polyhedron, Shape};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::sync::Arc;

/// A free body without a shape, at the origin.
pub fn free(name: &str, mass: MassProperties) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass },
        pose: Pose::IDENTITY,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    }
}

/// A solid ball.
pub fn ball(
    name: &str,
    mass: f64,
    radius: f64,
    material: MaterialId,
    position: Vec3,
    velocity: Vec3,
) -> BodySpec {
    BodySpec {
        pose: Pose::from_translation(position),
        twist: Twist { linear: velocity, angular: Vec3::ZERO },
        shapes: vec![(Shape::Sphere { radius }, Pose::IDENTITY, material)],
        ..free(name, MassProperties::solid_sphere(mass, radius))
    }
}

/// A box of density such that it has `mass`, with edges `size`.
pub fn block(name: &str, mass: f64, size: Vec3, material: MaterialId, pose: Pose) -> BodySpec {
    let s2 = size * size;
    let inertia = Vec3::new(s2.y + s2.z, s2.x + s2.z, s2.x + s2.y) * (mass / 12.0);
    BodySpec {
        pose,
        shapes: vec![(Shape::Box { half: size * 0.5 }, Pose::IDENTITY, material)],
        ..free(name, MassProperties { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(inertia) })
    }
}

/// A fixed half-space through `point` with outward `normal`.
pub fn wall(name: &str, point: Vec3, normal: Vec3, material: MaterialId) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Fixed,
        pose: Pose { translation: point, rotation: rotation::between(Vec3::Z, normal) },
        twist: Twist::default(),
        shapes: vec![(Shape::HalfSpace, Pose::IDENTITY, material)],
        group: 0,
    }
}

/// A joint with its coordinates at rest and nothing acting on them.
pub fn on(
    name: &str,
    parent: Option<BodyId>,
    child: BodyId,
    joint: Arc<dyn Joint>,
    frame: Pose,
) -> JointSpec {
    let n = joint.nv();
    JointSpec {
        name: name.into(),
        parent,
        child,
        joint,
        frame,
        start: vec![0.0; n],
        rates: vec![0.0; n],
        guide: None,
        actions: Vec::new(),
        keep: false,
    }
}

pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

pub fn linear(stiffness: f64, restitution: f64) -> Box<dyn NormalLaw> {
    Box::new(Linear::new(stiffness, restitution, Damping::Exact, 1e-3).unwrap())
}

pub fn hertz(stiffness: f64, restitution: f64) -> Box<dyn NormalLaw> {
    Box::new(Hertz::new(HertzStiffness::Given(stiffness), restitution, Damping::Exact, 1e-3).unwrap())
}

pub fn coulomb(coefficient: f64) -> Box<dyn FrictionLaw> {
    Box::new(Coulomb::new(coefficient, 1e-3).unwrap())
}

pub fn frictionless() -> Box<dyn FrictionLaw> {
    Box::new(Frictionless)
}

/// Dormand–Prince with one tolerance for everything.
pub fn adaptive(tolerance: f64) -> IntegratorSpec {
    IntegratorSpec::DormandPrince(Adaptive { relative: tolerance, absolute: tolerance, max_step: 0.1 })
}

/// Every integrator, with this step or tolerance.
pub fn all_integrators(step: f64, tolerance: f64) -> Vec<IntegratorSpec> {
    vec![
        IntegratorSpec::ExplicitEuler { step },
        IntegratorSpec::SemiImplicitEuler { step },
        IntegratorSpec::Rk3 { step },
        IntegratorSpec::Rk4 { step },
        IntegratorSpec::Rk45(Adaptive { relative: tolerance, absolute: tolerance, max_step: 0.1 }),
        adaptive(tolerance),
        IntegratorSpec::Rk5 { step },
        IntegratorSpec::Sdirk4(Adaptive { relative: tolerance, absolute: tolerance, max_step: 0.1 }),
        implicit(step, AlphaMethod::Newmark),
        implicit(step, AlphaMethod::Hht { damping: 0.1 }),
        implicit(step, AlphaMethod::GeneralizedAlpha { radius: 0.8 }),
    ]
}

/// An implicit method of fixed step.
pub fn implicit(step: f64, method: AlphaMethod) -> IntegratorSpec {
    IntegratorSpec::Alpha { step, method, iterations: 20, halvings: 6, real_time: false }
}

/// Runs to `end` [s] and brings the data up to date.
pub fn run(world: &mut World, integrator: &dyn Integrator, end: f64) {
    while world.state.time < end - 1e-9 {
        world.step(integrator, end).unwrap();
    }
    world.refresh();
}

pub fn id(model: &Model, name: &str) -> BodyId {
    model.body_named(name).unwrap()
}

/// A pile: a grid of balls with jitter over a pit of five half-spaces (the scene S2 with `n`³ balls).
pub fn pile(n: u32) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("ball");
    builder.contact(m, m, linear(2e5, 0.5), coulomb(0.5));
    let half = 0.105 * f64::from(n) + 0.1;
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    for (name, axis) in [("x-", Vec3::X), ("x+", Vec3::NEG_X), ("y-", Vec3::Y), ("y+", Vec3::NEG_Y)] {
        builder.body(wall(name, axis * -half, axis, m));
    }
    let mut seed: u64 = 1;
    let mut jitter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 0.008
    };
    for k in 0..n {
        for j in 0..n {
            for i in 0..n {
                let at = |i: u32| (f64::from(i) - 0.5 * (f64::from(n) - 1.0)) * 0.21;
                let position = Vec3::new(at(i) + jitter(), at(j) + jitter(), 0.15 + 0.21 * f64::from(k));
                builder.body(ball(&format!("ball-{i}-{j}-{k}"), 1.0, 0.1, m, position, Vec3::ZERO));
            }
        }
    }
    builder.build().unwrap()
}

/// Solids of all kinds that touch over patches fall into a pit of five half-spaces.
pub fn heap() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    let law = Foundation::new(2e7, 0.3, Damping::Exact, 1e-3).unwrap();
    builder.contact(m, m, law, coulomb(0.5));
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    for (name, axis) in [("x-", Vec3::X), ("x+", Vec3::NEG_X), ("y-", Vec3::Y), ("y+", Vec3::NEG_Y)] {
        builder.body(wall(name, axis * -0.25, axis, m));
    }
    let (radius, half_height) = (0.06, 0.07);
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z].map(|v| v * 0.09);
    let shapes = [
        Shape::Box { half: Vec3::new(0.07, 0.06, 0.05) },
        Shape::Cylinder { radius, half_height },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners).unwrap())),
        Shape::Capsule { radius, half_height },
        Shape::Cone { radius: 0.09, half_height },
        Shape::Sphere { radius: 0.07 },
        Shape::Cylinder { radius: 0.09, half_height: 0.04 },
    ];
    for i in 0..14 {
        let shape = &shapes[i % shapes.len()];
        let number = i as f64;
        let x = if i % 2 == 0 { 0.11 } else { -0.12 };
        let y = if i / 2 % 2 == 0 { 0.12 } else { -0.11 };
        let pose = Pose {
            translation: Vec3::new(x, y, 0.15 + 0.2 * (number / 4.0).floor()),
            rotation: rotation::from_rotation_vector(Vec3::new(0.3, -0.2, 0.1) * number),
        };
        let body = block(&format!("{i}"), 1.0, Vec3::splat(0.13), m, pose);
        builder.body(BodySpec { shapes: vec![(shape.clone(), Pose::IDENTITY, m)], ..body });
    }
    builder.build().unwrap()
}

/// Generalised forces of everything but inertia: what M·a is at rest.
fn forces(world: &mut World) -> Vec<f64> {
    world.data.clear();
    world.refresh();
    let linear = linearize(world);
    linear.mass.iter().map(|row| row.iter().zip(&world.data.rates.v).map(|(m, a)| m * a).sum()).collect()
}

/// Compares stiffness and damping with central differences of the forces over displacements and velocities of the given sizes,
/// to a part of the largest slope.
pub fn assert_slopes(world: &mut World, (shift, speed): (f64, f64), tolerance: f64) {
    world.data.clear();
    let linear = linearize(world);
    let n = world.model.nv;
    let start = world.state.clone();
    let mut compare = |name: &str, size: f64, found: &[Vec<f64>], set: &dyn Fn(&mut World, usize, f64)| {
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let mut at = |amount: f64| {
                    world.state = start.clone();
                    set(world, j, amount);
                    forces(world)
                };
                let (minus, plus) = (at(-size), at(size));
                minus.iter().zip(&plus).map(|(m, p)| (m - p) / (2.0 * size)).collect()
            })
            .collect();
        let largest = columns.iter().flatten().fold(1.0_f64, |largest, slope| largest.max(slope.abs()));
        for (j, column) in columns.iter().enumerate() {
            for (i, slope) in column.iter().enumerate() {
                let error = (slope - found[i][j]).abs();
                assert!(error < tolerance * largest, "{name} {i} {j}: {slope} {}, {error:e}", found[i][j]);
            }
        }
    };
    compare("K", shift, &linear.stiffness, &|world, j, amount| {
        let shape: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
        let mode = Mode { square: 0.0, damping: 0.0, shape };
        world.state.q = displaced(world, &mode, amount);
    });
    compare("C", speed, &linear.damping, &|world, j, amount| world.state.v[j] += amount);
}
