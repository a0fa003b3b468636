//! Balls on edges, cones, in bores and funnels, and an ellipsoid on the ground: memory that lasts from face to edge, energy, and what
//! a model refuses.

use crate::common::{GRAVITY, adaptive, ball, block, coulomb, free, frictionless, id, linear, run, wall};
use fender_contact::Damping;
use fender_engine::{BodyMotion, BodySpec, EventKind, MaterialId, Model, ModelBuilder, ModelError, World};
use fender_geom::Shape;
use fender_math::{Pose, Twist, Vec3, rotation};

fn fixed(name: &str, shape: Shape, pose: Pose, material: MaterialId) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Fixed,
        pose,
        twist: Twist::default(),
        shapes: vec![(shape, Pose::IDENTITY, material)],
        group: 0,
    }
}

fn position(world: &World, name: &str) -> Vec3 {
    world.data.bodies[id(&world.model, name).index()].pose.translation
}

/// Rolls a ball over the border of a table until it leaves, and checks that its only contact was one and the same.
fn roll_over(table: impl Fn(MaterialId) -> BodySpec, velocity: Vec3) {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, linear(1e6, 0.1), coulomb(0.6));
    builder.body(table(m));
    // It drops a little, so that there is an impact speed to remember.
    builder.body(ball("ball", 1.0, 0.1, m, Vec3::new(-0.1, -0.1, 0.1002), velocity));
    let mut world = World::new(builder.build().unwrap());
    let integrator = adaptive(1e-8).build();
    let mut last = None;
    let mut tilt = 1.0_f64;
    while position(&world, "ball").z > 0.0 {
        world.step(&*integrator, 3.0).unwrap();
        world.refresh();
        assert!(world.state.time < 2.9, "it stays on the table");
        if world.state.time < 0.15 {
            continue;
        }
        // One slot with one number; what it remembers of the landing is kept.
        if let [slot] = &world.state.slots[..] {
            let kept = (slot.slot, slot.memory.impact_speed);
            assert_eq!(*last.get_or_insert(kept), kept);
            let contact = world.data.contacts().next().expect("the slot's contact");
            tilt = tilt.min(contact.overlap.normal.z.abs());
        }
    }
    let (_, speed) = last.expect("it lands on the table first");
    // It landed with 63 mm/s, bounced without coming apart, and is damped critically since: f y/v = 2√(k m) under its weight.
    let critical = Damping::Exact.factor(0.1).unwrap() * 9.81 / (2.0 * 1e6_f64.sqrt());
    assert!((speed / critical - 1.0).abs() < 1e-4, "{speed} {critical}");
    assert!(tilt < 0.8, "it rolls around the border: {tilt}");
    let late = world.events.iter().filter(|e| e.time > 0.15);
    let touches = late.filter(|e| matches!(e.kind, EventKind::Touch { .. })).count();
    assert_eq!(touches, 0, "no new contact on the way");
}

#[test]
fn memory_lasts_from_face_to_edge() {
    let (shape, rotation) = Shape::edge(Vec3::Z, Vec3::X);
    let pose = Pose { translation: Vec3::ZERO, rotation };
    roll_over(|m| fixed("table", shape.clone(), pose, m), Vec3::new(0.3, 0.0, 0.0));
}

#[test]
fn memory_lasts_from_face_to_corner() {
    let slab = Shape::Box { half: Vec3::splat(0.5) };
    let pose = Pose::from_translation(Vec3::splat(-0.5));
    roll_over(|m| fixed("table", slab.clone(), pose, m), Vec3::new(0.25, 0.25, 0.0));
}

/// Without friction a ball in a bore is a pendulum of the length of the clearance.
#[test]
fn a_ball_in_a_bore_swings() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, linear(1e7, 1.0), frictionless());
    let lying = rotation::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2);
    let pose = Pose { translation: Vec3::ZERO, rotation: lying };
    builder.body(fixed("pipe", Shape::Bore { radius: 0.5, half_height: f64::INFINITY }, pose, m));
    let (mass, radius, angle) = (1.0, 0.1, 0.05_f64);
    let length = 0.5 - radius + 9.81 / 1e7;
    let start = Vec3::new(angle.sin(), 0.0, -angle.cos()) * length;
    builder.body(ball("ball", mass, radius, m, start, Vec3::Y * 0.1));
    let mut world = World::new(builder.build().unwrap());
    // A quarter of the period of a pendulum, with the first term for its amplitude.
    let period = std::f64::consts::TAU * (length / 9.81).sqrt() * (1.0 + angle * angle / 16.0);
    run(&mut world, &*adaptive(1e-9).build(), 0.25 * period);
    let at = position(&world, "ball");
    assert!(at.x.abs() < 2e-5 && (at.y - 0.1 * 0.25 * period).abs() < 1e-6, "{at}");
    run(&mut world, &*adaptive(1e-9).build(), 0.5 * period);
    let at = position(&world, "ball");
    assert!((at.x + start.x).abs() < 2e-5, "{at}");
    assert!(world.energy().residual.abs() < 1e-6, "{:?}", world.energy());
}

/// An ellipsoid that rocks on the ground without friction: only its height and tilt change, and energy stays.
#[test]
fn an_ellipsoid_rocks() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, linear(1e6, 1.0), frictionless());
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let radii = Vec3::new(0.3, 0.2, 0.1);
    let egg = Shape::Ellipsoid { radii };
    let mass = egg.mass_properties(1000.0).unwrap();
    let (x, z) = (0.05_f64.sin() * 0.3, 0.05_f64.cos() * 0.1);
    let height = x.hypot(z);
    let sunk = mass.mass * 9.81 / 1e6;
    let rotation = rotation::from_axis_angle(Vec3::Y, 0.05);
    builder.body(BodySpec {
        pose: Pose { translation: Vec3::Z * (height - sunk), rotation },
        shapes: vec![(egg, Pose::IDENTITY, m)],
        ..free("egg", mass)
    });
    let mut world = World::new(builder.build().unwrap());
    // Small rocking: the centre rises by ½·(a²/c − c)·θ², and the moment of inertia is m·(a² + c²)/5.
    let stiffness: f64 = 9.81 * (0.09 / 0.1 - 0.1);
    let omega = (stiffness / (0.1 / 5.0)).sqrt();
    run(&mut world, &*adaptive(1e-9).build(), std::f64::consts::PI / omega);
    let egg = id(&world.model, "egg");
    let axis = world.data.bodies[egg.index()].pose.rotation * Vec3::X;
    // Half a period later it leans the other way as much (within what the finite angle does).
    assert!((axis.z - 0.05).abs() < 2e-3, "{axis}");
    assert!(position(&world, "egg").truncate().length() < 1e-9);
    let energy = world.energy();
    assert!(energy.residual.abs() < 1e-5, "{energy:?}");
    assert_eq!(world.state.slots.len(), 1);
}

fn with(shapes: &[(&str, Shape)], add: impl Fn(&mut ModelBuilder, MaterialId)) -> Result<Model, ModelError> {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, linear(1e5, 0.5), frictionless());
    for (name, shape) in shapes {
        builder.body(fixed(name, shape.clone(), Pose::IDENTITY, m));
    }
    add(&mut builder, m);
    builder.build()
}

#[test]
fn what_does_not_fit_or_has_no_formula_is_refused() {
    let bore = Shape::Bore { radius: 0.2, half_height: 1.0 };
    let funnel = Shape::Funnel { radius: 0.2, half_height: 1.0 };
    let small = |b: &mut ModelBuilder, m| {
        b.body(ball("small", 1.0, 0.19, m, Vec3::ZERO, Vec3::ZERO));
    };
    assert!(with(&[("pipe", bore.clone())], small).is_ok());
    // The third ball of a kind is looked at too.
    let found = with(&[("pipe", bore.clone())], |b, m| {
        small(b, m);
        b.body(ball("other", 1.0, 0.1, m, Vec3::Z, Vec3::ZERO));
        b.body(ball("large", 1.0, 0.2, m, Vec3::Z * 2.0, Vec3::ZERO));
    });
    let Err(error) = found else { panic!("it does not fit") };
    assert_eq!(
        error.to_string(),
        "the sphere of 'large' has a radius of 0.2 m and does not fit into the bore of 'pipe', whose radius is 0.2 m"
    );
    let cube = |b: &mut ModelBuilder, m| {
        b.body(block("cube", 1.0, Vec3::splat(0.1), m, Pose::IDENTITY));
    };
    for shape in [bore, funnel.clone()] {
        let found = with(&[("thing", shape.clone())], cube);
        assert!(matches!(found, Err(ModelError::UnsupportedPair { .. })), "{shape:?}");
    }
    // An edge has a patch with a cube.
    assert!(with(&[("thing", Shape::Edge { half_angle: 0.5 })], cube).is_ok());
    // Scenery may overlap scenery.
    assert!(with(&[("a", funnel), ("b", Shape::HalfSpace)], small).is_ok());
    // Without end there is no mass.
    for shape in [Shape::Bore { radius: 0.1, half_height: 0.1 }, Shape::Edge { half_angle: 0.5 }] {
        let found = with(&[], |b, m| {
            let shapes = vec![(shape.clone(), Pose::IDENTITY, m)];
            b.body(BodySpec { shapes, ..ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO) });
        });
        let Err(error) = found else { panic!("{shape:?}") };
        let expected = format!(
            "body 'x' is free and has {}, which has no mass: fix it, drive it or give it another shape",
            shape.noun()
        );
        assert_eq!(error.to_string(), expected);
    }
}
