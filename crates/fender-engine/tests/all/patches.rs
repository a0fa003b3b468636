//! Contacts over a patch: rest, energy, restitution, friction that spins and rolls, tangents.

use crate::common::{
    GRAVITY, adaptive, all_integrators, assert_slopes, block, coulomb, frictionless, implicit, linear, run,
    wall,
};
use fender_contact::{Bristle, Bristles, Damping, Foundation, Linear, Normal};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{BodyId, BodyMotion, BodySpec, IntegratorSpec, MaterialId, Model, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, rotation};
use std::f64::consts::FRAC_PI_2;

fn foundation(stiffness: f64, restitution: f64) -> Foundation {
    Foundation::new(stiffness, restitution, Damping::Exact, 1e-3).unwrap()
}

const SIZE: Vec3 = Vec3::new(0.2, 0.16, 0.12);

/// A box of 4 kg over a floor; `fixed` puts a table of 60 × 50 × 40 cm with its top at z = 0 in the floor's place.
fn scene(pose: Pose, twist: Twist, law: Foundation, friction: f64, table: bool, gravity: bool) -> Model {
    let mut builder = ModelBuilder::new();
    if gravity {
        builder.gravity(GRAVITY);
    }
    let m = builder.material("m");
    builder.contact(m, m, law, if friction > 0.0 { coulomb(friction) } else { frictionless() });
    builder.body(BodySpec { twist, ..block("box", 4.0, SIZE, m, pose) });
    if table {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, -0.2));
        let top = block("table", 1.0, Vec3::new(0.6, 0.5, 0.4), m, at);
        builder.body(BodySpec { motion: BodyMotion::Fixed, ..top });
    } else {
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    }
    builder.build().unwrap()
}

fn turned(v: Vec3, angle: Vec3) -> Pose {
    Pose { translation: v, rotation: rotation::from_rotation_vector(angle) }
}

const BOX: BodyId = BodyId(0);

#[test]
fn a_box_that_is_dropped_askew_comes_to_rest_where_it_should() {
    let methods = [
        (IntegratorSpec::SemiImplicitEuler { step: 1e-3 }, 4.0),
        (IntegratorSpec::Rk4 { step: 5e-4 }, 4.0),
        (implicit(5e-3, AlphaMethod::GeneralizedAlpha { radius: 0.8 }), 4.0),
    ];
    for table in [false, true] {
        for (spec, end) in &methods {
            let pose = turned(Vec3::new(0.01, 0.02, 0.11), Vec3::new(0.3, -0.2, 0.1));
            let law = foundation(1e7, 0.3);
            let mut world = World::new(scene(pose, Twist::default(), law, 0.4, table, true));
            run(&mut world, &*spec.build(), *end);
            let twist = world.twist(BOX);
            let speed = twist.linear.length() + 0.1 * twist.angular.length();
            assert!(speed < 1e-6, "{spec:?} {table}: {speed:e} m/s");
            // m·g = k·A·δ.
            let depth = 4.0 * 9.81 / (1e7 * SIZE.x * SIZE.y);
            let height = world.pose(BOX).translation.z;
            assert!((height - (0.5 * SIZE.z - depth)).abs() < 1e-7, "{spec:?} {table}: {height}");
            assert_eq!(world.contacts().count(), 1);
            // What a step of 5 ms makes of touches of about that length.
            assert!(world.energy().relative_residual.abs() < 0.02, "{spec:?} {table}: {:?}", world.energy());
        }
    }
}

/// Energy made by one touch of a body with a table without losses, relative to what was there.
fn made(law: impl Into<Normal>, body: impl Fn(MaterialId) -> BodySpec, twist: Twist) -> f64 {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, law, frictionless());
    builder.body(BodySpec { twist, ..body(m) });
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, -0.2));
    let top = block("table", 1.0, Vec3::new(0.6, 0.5, 0.4), m, at);
    builder.body(BodySpec { motion: BodyMotion::Fixed, ..top });
    let mut world = World::new(builder.build().unwrap());
    world.refresh();
    let before = world.energy().kinetic;
    let method = IntegratorSpec::Rk4 { step: 1e-5 }.build();
    let mut touched = false;
    for _ in 0..2_000_000 {
        world.step(&*method, f64::INFINITY).unwrap();
        world.refresh();
        let touches = world.contacts().count() > 0;
        if touched && !touches {
            return (world.energy().kinetic - before) / before;
        }
        touched |= touches;
    }
    panic!("no touch that ends")
}

/// Where energy used to be made: solids of every kind over edges and corners of a table of 60 × 50 cm.
#[test]
fn one_touch_without_losses_makes_no_energy() {
    let tumbling = Twist { linear: Vec3::new(0.05, 0.02, -0.5), angular: Vec3::new(0.3, -0.4, 0.2) };
    let falling = Twist { linear: Vec3::Z * -0.5, angular: Vec3::ZERO };
    let corner = 0.5 * SIZE.length();
    let across = Vec3::X * FRAC_PI_2;
    let along = Vec3::Y * FRAC_PI_2;
    let boxed = |at: Vec3, angle: Vec3| (Shape::Box { half: SIZE * 0.5 }, turned(at, angle));
    let can =
        |at: Vec3, angle: Vec3| (Shape::Cylinder { radius: 0.05, half_height: 0.06 }, turned(at, angle));
    let capsule =
        |at: Vec3, angle: Vec3| (Shape::Capsule { radius: 0.05, half_height: 0.08 }, turned(at, angle));
    let cone = |at: Vec3, angle: Vec3| (Shape::Cone { radius: 0.05, half_height: 0.06 }, turned(at, angle));
    let v = Vec3::new;
    let scenes = [
        ("box level over an edge", boxed(v(0.29, 0.0, 0.061), Vec3::ZERO), tumbling),
        ("box falling level over an edge", boxed(v(0.31, 0.03, 0.061), Vec3::ZERO), falling),
        ("box turned over an edge", boxed(v(0.31, 0.03, 0.061), v(0.0, 0.0, 0.5)), falling),
        ("box over a corner of the table", boxed(v(0.28, 0.23, 0.061), v(0.0, 0.0, 0.4)), tumbling),
        ("corner beside an edge", boxed(v(0.298, 0.0, corner), v(0.78, 0.6, 0.2)), tumbling),
        ("edge on the table's edge", boxed(v(0.3, 0.0, 0.12), v(0.0, 0.7, 0.5)), tumbling),
        ("box in the middle", boxed(v(0.0, 0.0, 0.12), v(0.5, 0.3, 0.0)), tumbling),
        ("can on its cap, 7 mm outside", can(v(0.307, 0.0, 0.061), Vec3::ZERO), falling),
        ("can on its cap, 4 mm inside", can(v(0.296, 0.0, 0.061), Vec3::ZERO), falling),
        ("can on its cap, 30 mm inside", can(v(0.27, 0.0, 0.061), Vec3::ZERO), falling),
        ("can with its rim beside an edge", can(v(0.2505, 0.0, 0.061), v(0.0, 0.02, 0.0)), tumbling),
        ("can lying across an edge", can(v(0.29, 0.0, 0.051), along), tumbling),
        ("can lying along an edge", can(v(0.301, 0.0, 0.051), across + v(0.0, 0.0, 0.17)), tumbling),
        ("capsule level over an edge", capsule(v(0.31, 0.0, 0.051), along), tumbling),
        ("capsule along an edge past a corner", capsule(v(0.299, 0.22, 0.051), across), falling),
        ("cone on its cap over an edge", cone(v(0.305, 0.0, 0.061), Vec3::ZERO), falling),
        ("cone with its tip past an edge", cone(v(0.26, 0.0, 0.051), along + v(0.0, 0.39, 0.0)), tumbling),
    ];
    let laws: [(&str, &dyn Fn() -> Normal, f64); 2] = [
        ("foundation", &|| foundation(2e9, 1.0).into(), 1e-6),
        ("linear", &|| linear(1e6, 1.0).into(), 5e-6),
    ];
    let mut failed = Vec::new();
    for (name, (shape, pose), twist) in scenes {
        for (law, make, bound) in laws {
            let body = |m| BodySpec {
                shapes: vec![(shape.clone(), Pose::IDENTITY, m)],
                ..block("body", 4.0, SIZE, m, pose)
            };
            let made = made(make(), body, twist);
            println!("{name}, {law}: {made:e}");
            if made.abs() >= bound {
                failed.push((name, law, made));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn stiffness_and_damping_of_a_patch_are_the_slopes_of_its_forces() {
    let v = Vec3::new;
    let can = Shape::Cylinder { radius: 0.05, half_height: 0.06 };
    let capsule = Shape::Capsule { radius: 0.05, half_height: 0.08 };
    let boxed = Shape::Box { half: SIZE * 0.5 };
    // About 1 mm deep, on faces, edges and corners of a table of 60 × 50 cm.
    let scenes = [
        ("box on the face", &boxed, turned(v(0.05, 0.0, 0.059), v(1e-3, -2e-3, 0.3))),
        ("box over an edge", &boxed, turned(v(0.31, 0.03, 0.059), v(0.01, 0.004, 0.5))),
        ("box over a corner", &boxed, turned(v(0.29, 0.24, 0.059), v(0.003, 0.01, 0.4))),
        ("box on its edge", &boxed, turned(v(0.0, 0.0, 0.112), v(0.0, 0.8, 0.2))),
        ("can over an edge", &can, turned(v(0.296, 0.0, 0.059), v(0.004, 0.003, 0.0))),
        ("can lying across an edge", &can, turned(v(0.29, 0.0, 0.049), v(0.1, FRAC_PI_2, 0.0))),
        ("capsule over an edge", &capsule, turned(v(0.3, 0.1, 0.049), v(0.1, FRAC_PI_2, 0.02))),
    ];
    for (name, shape, pose) in scenes {
        for law in [Normal::from(foundation(2e9, 0.5)), linear(1e6, 0.5).into()] {
            let kind = law.name();
            let mut builder = ModelBuilder::new();
            let m = builder.material("m");
            builder.contact(m, m, law, coulomb(0.4));
            let shapes = vec![(shape.clone(), Pose::IDENTITY, m)];
            builder.body(BodySpec { shapes, ..block("body", 4.0, SIZE, m, pose) });
            // Free, so that the tangent of the soft body is tried too.
            let at = Pose::from_translation(v(0.0, 0.0, -0.2));
            builder.body(block("table", 9.0, v(0.6, 0.5, 0.4), m, at));
            let mut world = World::new(builder.build().unwrap());
            world.refresh();
            assert_eq!(world.contacts().count(), 1, "{name}");
            println!("{name}, {kind}");
            assert_slopes(&mut world, (1e-8, 1e-6), 1e-6);
        }
    }
}

#[test]
fn restitution_is_as_asked_on_a_face_an_edge_and_a_corner() {
    // A cube, so that what presses is straight below its middle and does not turn it.
    let edge = 0.12;
    let on_edge = rotation::from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_4);
    let lean = rotation::from_rotation_vector(Vec3::X * fender_math::float::atan2(1.0, 2.0_f64.sqrt()));
    let poses = [
        ("face", Pose::from_translation(Vec3::Z * 0.061)),
        ("edge", Pose { translation: Vec3::Z * (0.5 * edge * 2.0_f64.sqrt() + 1e-3), rotation: on_edge }),
        (
            "corner",
            Pose { translation: Vec3::Z * (0.5 * edge * 3.0_f64.sqrt() + 1e-3), rotation: lean * on_edge },
        ),
    ];
    for e in [0.2, 0.5, 0.9] {
        for (name, pose) in poses {
            let twist = Twist { linear: Vec3::Z * -0.4, angular: Vec3::ZERO };
            let mut builder = ModelBuilder::new();
            let m = builder.material("m");
            builder.contact(m, m, foundation(1e9, e), frictionless());
            builder.body(BodySpec { twist, ..block("box", 4.0, Vec3::splat(edge), m, pose) });
            builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
            let mut world = World::new(builder.build().unwrap());
            let method = adaptive(1e-11).build();
            run(&mut world, &*method, 0.1);
            assert_eq!(world.contacts().count(), 0, "{name}");
            let found = world.twist(BOX).linear.z / 0.4;
            let spin = world.twist(BOX).angular.length();
            assert!((found - e).abs() < 1e-4, "{name}: asked {e}, found {found}, turning at {spin}");
        }
    }
}

#[test]
fn a_box_that_spins_on_its_face_stops_as_its_radius_of_gyration_says() {
    let spin = 6.0;
    let depth = 4.0 * 9.81 / (1e8 * SIZE.x * SIZE.y);
    let pose = Pose::from_translation(Vec3::Z * (0.5 * SIZE.z - depth));
    let twist = Twist { linear: Vec3::ZERO, angular: Vec3::Z * spin };
    for spec in all_integrators(2e-4, 1e-8).into_iter().skip(1) {
        let mut world = World::new(scene(pose, twist, foundation(1e8, 0.5), 0.3, false, true));
        run(&mut world, &*spec.build(), 0.05);
        // I·dω/dt = −μ·m·g·ℓ, where ℓ² is I/m for a box on its whole face.
        let gyration = ((SIZE.x * SIZE.x + SIZE.y * SIZE.y) / 12.0).sqrt();
        let expected = spin - 0.3 * 9.81 / gyration * 0.05;
        let found = world.twist(BOX).angular.z;
        assert!((found - expected).abs() < 1e-3 * spin, "{spec:?}: {found} for {expected}");
        // And then it stands.
        run(&mut world, &*spec.build(), 0.3);
        assert!(world.twist(BOX).angular.length() < 1e-3, "{spec:?}: {:?}", world.twist(BOX));
        let energy = world.energy();
        assert!(energy.residual.abs() < 2e-2, "{spec:?}: {energy:?}");
    }
}

#[test]
fn a_crate_on_a_slope_stays_or_slides() {
    for (friction, slides) in [(0.4, false), (0.3, true)] {
        let angle: f64 = 0.35;
        let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, foundation(1e8, 0.3), coulomb(friction));
        let rotation = rotation::between(Vec3::Z, normal);
        builder.body(block("box", 4.0, SIZE, m, Pose { translation: normal * 0.06, rotation }));
        builder.body(wall("slope", Vec3::ZERO, normal, m));
        let mut world = World::new(builder.build().unwrap());
        let method = IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build();
        run(&mut world, &*method, 0.5);
        let speed = world.twist(BOX).linear.length();
        if slides {
            let expected = 9.81 * (angle.sin() - friction * angle.cos()) * 0.5;
            assert!((speed - expected).abs() < 0.02 * expected, "{speed} for {expected}");
        } else {
            assert!(speed < 1e-3, "{speed}");
        }
    }
}

#[test]
fn momentum_is_kept_between_two_boxes() {
    for spec in all_integrators(1e-4, 1e-9) {
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, foundation(1e9, 0.6), coulomb(0.5));
        let first = turned(Vec3::new(0.02, 0.01, 0.17), Vec3::new(0.4, 0.3, 0.2));
        let linear = Vec3::Z * -1.0;
        builder
            .body(BodySpec { twist: Twist { linear, angular: Vec3::X }, ..block("a", 4.0, SIZE, m, first) });
        builder.body(block("b", 3.0, SIZE, m, Pose::IDENTITY));
        let mut world = World::new(builder.build().unwrap());
        world.refresh();
        let sums = |world: &World| {
            let (a, b) = (world.twist(BodyId(0)), world.twist(BodyId(1)));
            let spin = |body: BodyId, mass: f64| {
                let (pose, twist) = (world.pose(body), world.twist(body));
                let s2 = SIZE * SIZE;
                let inertia = Vec3::new(s2.y + s2.z, s2.x + s2.z, s2.x + s2.y) * (mass / 12.0);
                let local = pose.rotation.inverse() * twist.angular;
                pose.rotation * (inertia * local) + pose.translation.cross(twist.linear) * mass
            };
            (a.linear * 4.0 + b.linear * 3.0, spin(BodyId(0), 4.0) + spin(BodyId(1), 3.0))
        };
        let before = sums(&world);
        run(&mut world, &*spec.build(), 0.05);
        let after = sums(&world);
        assert!(world.state.statistics.deepest > 0.0, "they touch");
        assert!((after.0 - before.0).length() < 1e-11, "{spec:?}");
        // Methods of first order keep the moment of what turns to their own order.
        assert!((after.1 - before.1).length() < 2e-3 * before.1.length(), "{spec:?}: {before:?} {after:?}");
    }
}

/// A cylinder of steel about z, with its centre at `position`.
fn can(
    mass: f64,
    radius: f64,
    half_height: f64,
    material: fender_engine::MaterialId,
    pose: Pose,
) -> BodySpec {
    let across = mass * (3.0 * radius * radius + 4.0 * half_height * half_height) / 12.0;
    let inertia = Mat3::from_diagonal(Vec3::new(across, across, 0.5 * mass * radius * radius));
    BodySpec {
        pose,
        shapes: vec![(Shape::Cylinder { radius, half_height }, Pose::IDENTITY, material)],
        ..crate::common::free("can", MassProperties { mass, center: Vec3::ZERO, inertia })
    }
}

fn speed(world: &World, body: BodyId) -> f64 {
    let twist = world.twist(body);
    twist.linear.length() + 0.1 * twist.angular.length()
}

/// Semi-implicit Euler with 1 ms, generalized-α with 5 ms.
fn large_steps() -> [IntegratorSpec; 2] {
    [
        IntegratorSpec::SemiImplicitEuler { step: 1e-3 },
        implicit(5e-3, AlphaMethod::GeneralizedAlpha { radius: 0.8 }),
    ]
}

/// Boxes on each other, askew by millimetres.
fn stack(count: u32) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    // Touches below 2 cm/s are set down within 0.2 s, a·m·g/k, and bristles do not creep.
    let law = Linear::new(1e5, 0.3, Damping::Exact, 2e-2).unwrap();
    let bristles = Bristles::per_load(1e4, 60.0, 0.0);
    let friction = Bristle::new(0.5, 0.5, bristles, 5e-2, 0.0, 5e-4).unwrap();
    builder.contact(m, m, Box::new(law), Box::new(friction));
    for i in 0..count {
        let aside = Vec3::new(0.004, -0.003, 0.0) * f64::from(i % 3);
        let pose = Pose::from_translation(aside + Vec3::Z * (0.0601 + 0.1202 * f64::from(i)));
        builder.body(block(&format!("{i}"), 1.0, SIZE, m, pose));
    }
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    builder.build().unwrap()
}

#[test]
fn a_stack_of_boxes_stands() {
    let count = 10;
    for spec in large_steps() {
        let mut world = World::new(stack(count));
        run(&mut world, &*spec.build(), 40.0);
        let fastest = (0..count).map(|i| speed(&world, BodyId(i))).fold(0.0, f64::max);
        assert!(fastest < 1e-6, "{spec:?}: {fastest:e} m/s");
        assert_eq!(world.contacts().count(), count as usize);
    }
}

/// A tower that has fallen from 10 cm sways. With damping for the speed of the fall it still does so with 6 cm/s after two
/// seconds; with that for its own motion it stops.
#[test]
fn a_tower_that_has_fallen_stops_swaying() {
    let mut builder = ModelBuilder::new();
    builder.gravity(GRAVITY);
    let m = builder.material("m");
    builder.contact(m, m, foundation(1e7, 0.3), coulomb(0.5));
    for i in 0..4 {
        let turn = rotation::from_rotation_vector(Vec3::new(0.01, -0.015, 0.02));
        let at = turn * (Vec3::Z * (0.06 + 0.12 * f64::from(i))) + Vec3::Z * 0.1;
        builder.body(block(&format!("{i}"), 1.0, SIZE, m, Pose { translation: at, rotation: turn }));
    }
    builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
    let mut world = World::new(builder.build().unwrap());
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-3 }.build();
    run(&mut world, &*integrator, 3.0);
    let fastest = (0..4).map(|i| speed(&world, BodyId(i))).fold(0.0, f64::max);
    assert!(fastest < 1e-3, "{fastest:e} m/s");
}

#[test]
fn a_can_rolls_off_a_table() {
    for spec in large_steps() {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, linear(1e5, 0.3), coulomb(0.4));
        let lying = rotation::from_rotation_vector(Vec3::X * FRAC_PI_2);
        let at = Vec3::new(0.2, 0.0, 0.05 - 9.81e-5);
        let rolling = Twist { linear: Vec3::X * 0.4, angular: Vec3::Y * (0.4 / 0.05) };
        let body = can(1.0, 0.05, 0.08, m, Pose { translation: at, rotation: lying });
        builder.body(BodySpec { twist: rolling, ..body });
        let top = Pose::from_translation(Vec3::new(0.0, 0.0, -0.2));
        let table = block("table", 1.0, Vec3::new(0.6, 0.5, 0.4), m, top);
        builder.body(BodySpec { motion: BodyMotion::Fixed, ..table });
        builder.body(wall("floor", Vec3::Z * -0.4, Vec3::Z, m));
        let mut world = World::new(builder.build().unwrap());
        let method = spec.build();
        run(&mut world, &*method, 0.2);
        // It rolls, and goes straight.
        let twist = world.twist(BOX);
        assert!((twist.angular.y * 0.05 - twist.linear.x).abs() < 1e-3 && twist.linear.y.abs() < 1e-6);
        assert!(twist.linear.x > 0.35, "{spec:?}: {twist:?}");
        run(&mut world, &*method, 8.0);
        let place = world.pose(BOX).translation;
        assert!(place.x > 0.35 && (place.z + 0.35).abs() < 0.04, "{spec:?}: {place:?}");
    }
}

#[test]
fn a_coin_that_spins_on_its_rim_lies_down() {
    for (spec, end) in
        [(IntegratorSpec::SemiImplicitEuler { step: 2e-4 }, 6.0), (IntegratorSpec::Rk4 { step: 2e-4 }, 6.0)]
    {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        let m = builder.material("m");
        builder.contact(m, m, linear(2e4, 0.3), coulomb(0.3));
        let upright = rotation::from_rotation_vector(Vec3::X * 1.4);
        let pose = Pose { translation: Vec3::Z * 0.0125, rotation: upright };
        let spinning = Twist { linear: Vec3::ZERO, angular: Vec3::Z * 30.0 };
        builder.body(BodySpec { twist: spinning, ..can(0.0075, 0.012, 0.001, m, pose) });
        builder.body(wall("floor", Vec3::ZERO, Vec3::Z, m));
        let mut world = World::new(builder.build().unwrap());
        run(&mut world, &*spec.build(), end);
        let up = (world.pose(BOX).rotation * Vec3::Z).z.abs();
        assert!(up > 1.0 - 1e-6, "{spec:?}: {up}");
        assert!(speed(&world, BOX) < 1e-6, "{spec:?}: {:e}", speed(&world, BOX));
        let depth = 0.0075 * 9.81 / 2e4;
        assert!((world.pose(BOX).translation.z - (0.001 - depth)).abs() < 1e-7);
        assert!(world.energy().relative_residual.abs() < 0.02, "{spec:?}: {:?}", world.energy());
    }
}
