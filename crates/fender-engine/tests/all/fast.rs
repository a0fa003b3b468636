//! Fast bodies: they hit what is in their way however far they go in a step, and come back from deeper than it is thick.

use crate::common::{adaptive, all_integrators, ball, block, frictionless, hertz, linear, run};
use fender_contact::{Damping, Foundation, ImpactLaw, Normal, NormalLaw};
use fender_engine::{
    BodyId, BodyMotion, BodySpec, ImpactRule, IntegratorSpec, MaterialId, ModelBuilder, ModelError, World,
};
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Twist, Vec3, rotation};
use std::sync::Arc;

/// Of the published kind: a steel ball of 10 mm.
const MASS: f64 = 4.1e-3;
const RADIUS: f64 = 5e-3;
/// Of steel on steel, 4/3·E*·√R [N/m^1.5].
const STEEL: f64 = 4.0 / 3.0 * 1.15e11 * 0.070_71;
const SPEED: f64 = 500.0;

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

/// A plate across x, 0.2 m wide.
fn plate(thickness: f64) -> Shape {
    Shape::Box { half: Vec3::new(0.5 * thickness, 0.1, 0.1) }
}

/// The same as triangles.
fn plate_mesh(thickness: f64) -> Shape {
    let corner = |i: u32| {
        let side = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        Vec3::new(0.5 * thickness * side(1), 0.1 * side(2), 0.1 * side(4))
    };
    let corners: Vec<_> = (0..8).map(corner).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<_> = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let mesh = TriMesh::new(&corners, &triangles).unwrap();
    assert!(mesh.is_closed());
    Shape::Mesh(Arc::new(mesh))
}

/// One side of it only.
fn sheet() -> Shape {
    let corners =
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(y, z)| Vec3::new(0.0, y, z) * 0.1);
    Shape::Mesh(Arc::new(TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap()))
}

struct Shot {
    law: Normal,
    bullet: BodySpec,
    target: Shape,
    fast: bool,
}

impl Shot {
    fn ball(law: Box<dyn NormalLaw>, target: Shape, speed: f64) -> Self {
        let bullet =
            ball("bullet", MASS, RADIUS, MaterialId(0), Vec3::new(-0.3, 0.01, 0.02), Vec3::X * speed);
        Self { law: law.into(), bullet, target, fast: true }
    }

    fn world(self) -> (World, BodyId) {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, self.law, frictionless());
        builder.body(fixed("target", self.target, Pose::IDENTITY, m));
        let id = builder.body(self.bullet);
        if self.fast {
            builder.fast(id);
        }
        (World::new(builder.build().unwrap()), id)
    }

    /// Velocity after 4 ms, and how deep it was.
    fn after(self, spec: &IntegratorSpec) -> (Vec3, f64) {
        let (mut world, id) = self.world();
        run(&mut world, &*spec.build(), 4e-3);
        world.refresh();
        (world.twist(id).linear, world.state.statistics.deepest)
    }
}

const STEP: IntegratorSpec = IntegratorSpec::SemiImplicitEuler { step: 1e-3 };

#[test]
fn a_steel_ball_comes_back_from_a_plate_thinner_than_its_dent() {
    // Hertz: the dent of a ball that stops is (5/4·m·v²/K)^(2/5), and longer than the plate is thick.
    let dent = (1.25 * MASS * SPEED * SPEED / STEEL).powf(0.4);
    assert!(dent > 1e-3);
    for spec in all_integrators(1e-3, 1e-8) {
        for target in [plate(1e-3), plate_mesh(1e-3), sheet()] {
            let name = format!("{} on {}", spec.name(), target.name());
            let (velocity, deepest) = Shot::ball(hertz(STEEL, 1.0), target, SPEED).after(&spec);
            // Explicit Euler gains energy in any spring.
            let tolerance = if matches!(spec, IntegratorSpec::ExplicitEuler { .. }) { 0.2 } else { 0.01 };
            assert!((velocity + Vec3::X * SPEED).length() < tolerance * SPEED, "{name}: {velocity}");
            assert!((deepest / dent - 1.0).abs() < tolerance, "{name}: {deepest} {dent}");
        }
    }
    // Without being fast it jumps over the plate.
    let slow = Shot { fast: false, ..Shot::ball(hertz(STEEL, 1.0), plate(1e-3), SPEED) };
    assert_eq!(slow.after(&STEP).0, Vec3::X * SPEED);
}

#[test]
fn a_soft_plate_is_left_on_the_side_of_the_touch() {
    // Deeper than ball and plate together: the ball is on the far side of the plate while it turns round.
    let stiffness = MASS * SPEED * SPEED / (30e-3_f64 * 30e-3);
    for target in [plate(1e-3), plate_mesh(1e-3), sheet()] {
        let name = target.name();
        let (velocity, deepest) = Shot::ball(linear(stiffness, 1.0), target, SPEED).after(&STEP);
        assert!((velocity + Vec3::X * SPEED).length() < 0.01 * SPEED, "{name}: {velocity}");
        assert!((deepest / 30e-3 - 1.0).abs() < 0.01, "{name}: {deepest}");
    }
}

/// Also where the step is short enough to see the plate, and far too long for the touch.
#[test]
fn slower_hits_are_resolved_too() {
    for speed in [1.0, 5.0, 15.0, 30.0, 60.0, 110.0, 150.0] {
        for target in [plate(10e-3), plate_mesh(10e-3)] {
            let mut shot = Shot::ball(linear(1e7, 0.5), target, speed);
            shot.bullet.pose.translation.x = -0.012 - 1.3e-3 * speed;
            let (velocity, _) = shot.after(&IntegratorSpec::Rk4 { step: 1e-4 });
            assert!((-velocity.x / speed - 0.5).abs() < 0.01, "{speed}: {velocity}");
        }
    }
}

/// A method that keeps energy with equal steps must get equal steps within a touch, whatever part of it a step is.
#[test]
fn a_touch_is_divided_evenly() {
    // ω = √(k/m) = 4.4·10⁴ rad/s: steps from 0.2/ω, which follow the touch by themselves, to 4.4/ω.
    let stiffness = 4.4e4 * 4.4e4 * MASS;
    for step in [1e-4, 5e-5, 2e-5, 1e-5, 7e-6, 5e-6] {
        for target in [plate(0.1), plate_mesh(0.1)] {
            let mut shot = Shot::ball(linear(stiffness, 1.0), target, 20.0);
            shot.bullet.pose.translation.x = -0.0777;
            let (velocity, _) = shot.after(&IntegratorSpec::SemiImplicitEuler { step });
            // It was up to a tenth.
            assert!((velocity.x / 20.0 + 1.0).abs() < 0.005, "{step}: {velocity}");
        }
    }
}

#[test]
fn damping_is_the_laws_own() {
    for (restitution, tolerance) in [(0.5, 0.01), (0.1, 0.02)] {
        let (velocity, _) = Shot::ball(hertz(STEEL, restitution), plate(1e-3), SPEED).after(&STEP);
        assert!((-velocity.x / SPEED - restitution).abs() < tolerance, "{restitution}: {velocity}");
    }
}

#[test]
fn a_box_is_not_pushed_out_on_the_far_side() {
    let stiffness = MASS * SPEED * SPEED / (2e-3_f64 * 2e-3);
    let per_area = Foundation::new(stiffness / (8e-3 * 8e-3), 1.0, Damping::Exact, 1e-3).unwrap();
    let plates: [(Shape, Normal); 3] = [
        (plate(1e-3), linear(stiffness, 1.0).into()),
        (plate_mesh(1e-3), linear(stiffness, 1.0).into()),
        (plate(1e-3), per_area.into()),
    ];
    for (target, law) in plates {
        let name = format!("{} {}", target.name(), law.name());
        let pose = Pose::from_translation(Vec3::new(-0.3, 0.01, 0.02));
        let mut bullet = block("bullet", MASS, Vec3::splat(8e-3), MaterialId(0), pose);
        bullet.twist.linear = Vec3::X * SPEED;
        let (velocity, deepest) = Shot { law, bullet, target, fast: true }.after(&STEP);
        assert!((velocity + Vec3::X * SPEED).length() < 0.02 * SPEED, "{name}: {velocity}");
        assert!(deepest > 1e-3, "{name}: {deepest}");
    }
}

#[test]
fn what_is_not_in_the_way_is_not_hit() {
    for (y, hits) in [(0.1 + 0.9 * RADIUS, true), (0.1 + 1.01 * RADIUS, false)] {
        let mut shot = Shot::ball(hertz(STEEL, 1.0), plate(1e-3), SPEED);
        shot.bullet.pose.translation.y = y;
        let (velocity, _) = shot.after(&STEP);
        assert_eq!(velocity != Vec3::X * SPEED, hits, "{velocity}");
    }
}

#[test]
fn two_bullets_meet_in_the_air() {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, hertz(STEEL / 2.0_f64.sqrt(), 1.0), frictionless());
    let ids = [-1.0, 1.0].map(|side| {
        let name = if side < 0.0 { "left" } else { "right" };
        let id = builder.body(ball(name, MASS, RADIUS, m, Vec3::X * (side * 0.4), Vec3::X * (-side * SPEED)));
        builder.fast(id);
        id
    });
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*STEP.build(), 4e-3);
    world.refresh();
    for (id, side) in ids.into_iter().zip([-1.0, 1.0]) {
        let velocity = world.twist(id).linear;
        assert!((velocity - Vec3::X * (side * SPEED)).length() < 0.01 * SPEED, "{velocity}");
    }
}

#[test]
fn a_turning_rod_hits_with_its_tip() {
    // 2·10⁴ rad/s: more than three turns in a step.
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, linear(1e9, 1.0), frictionless());
    builder.body(fixed("target", Shape::Sphere { radius: 2e-3 }, Pose::from_translation(Vec3::Y * 0.045), m));
    let mut rod = block("rod", 0.1, Vec3::new(0.1, 0.01, 0.01), m, Pose::IDENTITY);
    rod.twist.angular = Vec3::Z * 2e4;
    let id = builder.body(rod);
    builder.fast(id);
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*STEP.build(), 1e-3);
    assert!(world.events.iter().any(|e| matches!(e.kind, fender_engine::EventKind::Touch { .. })));
    world.refresh();
    let energy = world.energy();
    assert!(energy.residual.abs() < 0.02 * world.state.account.initial, "{energy:?}");
}

#[test]
fn touches_as_events_are_found_too() {
    for spec in [STEP, IntegratorSpec::Rk4 { step: 1e-3 }, adaptive(1e-8)] {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        let contact = builder.contact(m, m, hertz(STEEL, 0.6), frictionless());
        let impact = ImpactRule::new(ImpactLaw::new(0.6, 0.0, 0.0).unwrap(), 1e-3).unwrap();
        builder.impact(contact, impact);
        builder.body(fixed("target", plate(1e-3), Pose::IDENTITY, m));
        let id = builder.body(ball("bullet", MASS, RADIUS, m, Vec3::X * -0.3, Vec3::new(SPEED, 0.0, 10.0)));
        builder.fast(id);
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), 4e-3);
        world.refresh();
        let velocity = world.twist(id).linear;
        assert!((velocity - Vec3::new(-0.6 * SPEED, 0.0, 10.0)).length() < 1e-6 * SPEED, "{velocity}");
    }
}

#[test]
fn a_fast_body_at_rest_costs_no_more_steps() {
    let mut shot = Shot::ball(hertz(1e6, 0.5), plate(1.0), 0.0);
    shot.bullet.pose.translation = Vec3::new(-0.5 - RADIUS, 0.0, 0.0);
    let (mut world, id) = shot.world();
    world.control.push.push((id, fender_math::Wrench { force: Vec3::X, torque: Vec3::ZERO }));
    run(&mut world, &*STEP.build(), 1.0);
    assert!(
        world.state.integrator.effort.evaluations < 1100,
        "{}",
        world.state.integrator.effort.evaluations
    );
}

#[test]
fn the_same_bits_after_a_stop_within_the_hit() {
    let stiffness = MASS * SPEED * SPEED / (30e-3_f64 * 30e-3);
    let shot = || {
        let mut shot = Shot::ball(linear(stiffness, 1.0), plate_mesh(1e-3), SPEED);
        shot.bullet.pose.rotation = rotation::from_axis_angle(Vec3::Z, 0.3);
        shot
    };
    let fine = IntegratorSpec::SemiImplicitEuler { step: 2e-5 }.build();
    let (mut whole, _) = shot().world();
    run(&mut whole, &*fine, 1e-3);
    for stop in [5.9e-4, 6.4e-4, 7e-4] {
        let (mut first, _) = shot().world();
        run(&mut first, &*fine, stop);
        let saved = first.state.save();
        let mut second =
            World::resume(shot().world().0.model, fender_engine::State::restore(&saved).unwrap()).unwrap();
        run(&mut second, &*fine, 1e-3);
        assert_eq!(second.state.hash(), whole.state.hash(), "{stop}");
    }
}

#[test]
fn only_solid_free_bodies_can_be_fast() {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    let id = builder.body(fixed("target", plate(1.0), Pose::IDENTITY, m));
    builder.fast(id);
    assert!(matches!(builder.build(), Err(ModelError::Fast { body, .. }) if body == "target"));
}
