//! Properties of whole motions, over random pairs of bodies that meet in space.

use crate::common::{coulomb, free, linear, run};
use fender_engine::{BodyId, BodySpec, IntegratorSpec, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::{Mat3, Pose, Quat, Twist, Vec3};

/// The SplitMix64 generator with a fixed seed: a failing case can be found again.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn rotation(&mut self) -> Quat {
        fender_math::rotation::from_rotation_vector(self.vector(3.0))
    }

    fn shape(&mut self) -> Shape {
        let (a, b) = (self.between(0.05, 0.15), self.between(0.05, 0.15));
        match (self.unit() * 4.0) as u32 {
            0 => Shape::Sphere { radius: a },
            1 => Shape::Box { half: Vec3::new(a, b, self.between(0.05, 0.15)) },
            2 => Shape::Cylinder { radius: a, half_height: b },
            _ => Shape::Capsule { radius: a, half_height: b },
        }
    }

    /// Two bodies a little apart, on their way to each other.
    fn scene(&mut self) -> [BodySpec; 2] {
        [-1.0, 1.0].map(|side| {
            let shape = self.shape();
            let mass = shape.mass_properties(self.between(200.0, 2000.0)).unwrap();
            let toward = Vec3::X * (-side * self.between(0.5, 2.0));
            BodySpec {
                pose: Pose {
                    translation: Vec3::X * (side * 0.3) + self.vector(0.05),
                    rotation: self.rotation(),
                },
                twist: Twist { linear: toward + self.vector(0.2), angular: self.vector(5.0) },
                shapes: vec![(shape, Pose::IDENTITY, fender_engine::MaterialId(0))],
                ..free(if side < 0.0 { "left" } else { "right" }, mass)
            }
        })
    }
}

fn cases() -> u32 {
    if std::env::var_os("FENDER_LONG").is_some() { 3000 } else { 60 }
}

/// Runs until after the impact. Returns whether there was one.
fn collide(bodies: [BodySpec; 2]) -> (World, bool) {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    builder.contact(m, m, linear(2e4, 0.6), coulomb(0.3));
    for body in bodies {
        builder.body(body);
    }
    let mut world = World::new(builder.build().unwrap());
    run(&mut world, &*IntegratorSpec::Rk4 { step: 1e-4 }.build(), 0.25);
    let touched = !world.events.is_empty();
    (world, touched)
}

/// Momentum, angular momentum about the origin, kinetic energy.
fn invariants(world: &World) -> (Vec3, Vec3, f64) {
    let (mut momentum, mut angular, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (i, body) in world.model.bodies.iter().enumerate() {
        let (free, k) = (body.free.unwrap(), &world.data.bodies[i]);
        let rotation = Mat3::from_quat((k.pose * free.pose_bc).rotation);
        let spin = rotation * (free.inertia * (rotation.transpose() * k.twist.angular));
        momentum += k.twist.linear * free.mass;
        angular += spin + k.center.cross(k.twist.linear * free.mass);
        energy += 0.5 * (free.mass * k.twist.linear.length_squared() + spin.dot(k.twist.angular));
    }
    (momentum, angular, energy)
}

#[test]
fn momenta_are_kept_and_energy_does_not_grow() {
    let mut random = Random(1);
    let mut touches = 0;
    for case in 0..cases() {
        let scene = random.scene();
        let mut builder = ModelBuilder::new();
        let m = builder.material("m");
        builder.contact(m, m, linear(2e4, 0.6), coulomb(0.3));
        for body in scene.clone() {
            builder.body(body);
        }
        let (p0, l0, e0) = invariants(&World::new(builder.build().unwrap()));
        let (world, touched) = collide(scene);
        touches += u32::from(touched);
        let (p1, l1, e1) = invariants(&world);
        assert!((p1 - p0).length() < 1e-11 * (1.0 + p0.length()), "case {case}: momentum {p0} {p1}");
        // Runge–Kutta keeps linear invariants exactly and this one to its order.
        assert!((l1 - l0).length() < 1e-6 * (1.0 + l0.length()), "case {case}: angular momentum {l0} {l1}");
        assert!(e1 + world.data.stored <= e0 * (1.0 + 1e-3), "case {case}: energy {e0} {e1}");
    }
    assert!(touches > cases() / 2, "only {touches} pairs met");
}

#[test]
fn it_does_not_matter_where_the_scene_is_and_how_it_is_turned() {
    let mut random = Random(2);
    let mut outliers = Vec::new();
    for case in 0..cases() {
        let scene = random.scene();
        let frame = Pose { translation: random.vector(3.0), rotation: random.rotation() };
        let moved = scene.clone().map(|body| BodySpec {
            pose: frame * body.pose,
            twist: Twist {
                linear: frame.rotation * body.twist.linear,
                angular: frame.rotation * body.twist.angular,
            },
            ..body
        });
        let kinds = [0, 1].map(|i: usize| scene[i].shapes[0].0.name());
        let ((here, _), (there, _)) = (collide(scene), collide(moved));
        let error =
            |i| ((frame * here.pose(BodyId(i))).translation - there.pose(BodyId(i)).translation).length();
        let error = error(0).max(error(1));
        // The search for the least overlap of rims ends at 1e-9 of the size; an impact on edges magnifies that a
        // thousandfold.
        if error > 1e-5 {
            outliers.push((case, error, kinds));
        }
    }
    // Four motions of a thousand differ, all of them with a rim or a capsule's side on edges. In the two that were followed step
    // by step, points that coincide split and were matched with slots differently, and so remembered other speeds; the rest
    // were not followed. Other pairs of shapes must show nothing of it.
    let edgy = |k: &[&str; 2]| k.contains(&"cylinder") || (k.contains(&"box") && k.contains(&"capsule"));
    assert!(outliers.iter().all(|(_, error, kinds)| edgy(kinds) && *error < 2e-3), "{outliers:?}");
    // Expected are 0.4 %: one more than a hundredth leaves room for chance in the short set, where that is none.
    assert!(outliers.len() <= 1 + cases() as usize / 100, "{outliers:?}");
}
