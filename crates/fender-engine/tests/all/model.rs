//! What a model refuses, and what it lets pass.

use crate::common::{self, ball, block, frictionless, linear, wall};
use fender_contact::{Damping, Hertz, HertzStiffness};
use fender_engine::{BodyMotion, BodySpec, ModelBuilder, ModelError};
use fender_geom::Shape;
use fender_math::{Pose, Vec3};

fn builder() -> (ModelBuilder, fender_engine::MaterialId) {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, linear(1e5, 0.5), frictionless());
    (builder, m)
}

#[test]
fn two_bodies_with_one_name() {
    let (mut b, m) = builder();
    b.body(ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO));
    b.body(ball("x", 1.0, 0.1, m, Vec3::X, Vec3::ZERO));
    assert_eq!(b.build().unwrap_err(), ModelError::DuplicateName("x".into()));
}

#[test]
fn impossible_masses_and_shapes() {
    for mass in [0.0, -1.0, f64::NAN] {
        let (mut b, m) = builder();
        b.body(ball("x", mass, 0.1, m, Vec3::ZERO, Vec3::ZERO));
        assert!(matches!(b.build(), Err(ModelError::Mass { .. })), "{mass}");
    }
    let (mut b, m) = builder();
    let shapes = vec![(Shape::Sphere { radius: 0.0 }, Pose::IDENTITY, m)];
    b.body(BodySpec { shapes, ..ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO) });
    assert!(matches!(b.build(), Err(ModelError::Shape { .. })));
    let (mut b, m) = builder();
    let shapes = vec![(Shape::HalfSpace, Pose::IDENTITY, m)];
    b.body(BodySpec { shapes, ..ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO) });
    assert!(matches!(b.build(), Err(ModelError::FreeEndless { .. })));
    let (mut b, m) = builder();
    b.body(ball("x", 1.0, 0.1, m, Vec3::new(f64::NAN, 0.0, 0.0), Vec3::ZERO));
    assert!(matches!(b.build(), Err(ModelError::NotFinite { .. })));
}

#[test]
fn pairs_that_can_touch_need_a_rule_that_can_serve_them() {
    let mut b = ModelBuilder::new();
    let (m, n) = (b.material("m"), b.material("n"));
    b.contact(m, m, linear(1e5, 0.5), frictionless());
    b.body(ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO));
    b.body(ball("y", 1.0, 0.1, n, Vec3::X, Vec3::ZERO));
    assert!(matches!(b.build(), Err(ModelError::NoRule { .. })));

    let hertz = |b: &mut ModelBuilder| {
        let m = b.material("m");
        let law = Hertz::new(HertzStiffness::Material { e_star: 1e9 }, 0.5, Damping::Exact, 1e-3).unwrap();
        b.contact(m, m, Box::new(law), frictionless());
        m
    };
    let mut b = ModelBuilder::new();
    let m = hertz(&mut b);
    b.body(block("box", 1.0, Vec3::ONE, m, Pose::IDENTITY));
    b.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let error = b.build().unwrap_err();
    assert!(matches!(error, ModelError::FlatHertz { .. }));
    assert!(error.to_string().contains("stiffness"), "{error}");
    // A ball has a radius: fine.
    let mut b = ModelBuilder::new();
    let m = hertz(&mut b);
    b.body(ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO));
    b.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    assert!(b.build().is_ok());
    // Ignored pairs need nothing.
    let mut b = ModelBuilder::new();
    let (m, n) = (b.material("m"), b.material("n"));
    let x = b.body(ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::ZERO));
    let y = b.body(ball("y", 1.0, 0.1, n, Vec3::X, Vec3::ZERO));
    b.ignore(y, x);
    assert!(b.build().is_ok());
}

#[test]
fn ignored_bodies_and_groups_pass_through_each_other() {
    for by_group in [false, true] {
        let (mut b, m) = builder();
        let x = b.body(BodySpec { group: 1, ..ball("x", 1.0, 0.1, m, Vec3::ZERO, Vec3::X) });
        let y = b.body(BodySpec { group: 2, ..ball("y", 1.0, 0.1, m, Vec3::X * 0.5, Vec3::ZERO) });
        b.body(BodySpec {
            group: 3,
            motion: BodyMotion::Fixed,
            ..ball("z", 1.0, 0.1, m, Vec3::X, Vec3::ZERO)
        });
        if by_group {
            b.ignore_groups(2, 1);
        } else {
            b.ignore(x, y);
        }
        let mut world = fender_engine::World::new(b.build().unwrap());
        common::run(&mut world, &*fender_engine::IntegratorSpec::Rk4 { step: 1e-3 }.build(), 1.0);
        assert_eq!(world.twist(y).linear, Vec3::ZERO, "the second ball must not be touched");
        assert!(world.twist(x).linear.x < 0.0, "the third must be");
    }
}
