//! Scenes whose pairs are looked for: a pile of balls and the same balls apart, balls over many fixed boxes, and
//! bodies of many convex pieces.

use crate::shared::{FRICTION, GRAVITY, RADIUS, RESTITUTION};
use fender_contact::{Coulomb, Damping, Linear};
use fender_engine::{BodyMotion, BodySpec, MaterialId, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::{MassProperties, Pose, Twist, Vec3, rotation};

/// Collects bodies of one material.
struct Scene {
    builder: ModelBuilder,
    material: MaterialId,
    count: u32,
}

impl Scene {
    fn new(gravity: f64) -> Self {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::Z * -gravity);
        let material = builder.material("stone");
        let normal = Linear::new(crate::fender::STIFFNESS, RESTITUTION, Damping::Exact, 1e-3)
            .expect("valid restitution");
        let friction = Coulomb::new(FRICTION, 1e-3).expect("valid coefficient");
        builder.contact(material, material, Box::new(normal), Box::new(friction));
        Self { builder, material, count: 0 }
    }

    fn add(&mut self, is_free: bool, pose: Pose, shapes: impl IntoIterator<Item = (Shape, Pose)>) {
        let mass = MassProperties::solid_sphere(1.0, RADIUS);
        self.count += 1;
        self.builder.body(BodySpec {
            name: format!("body-{}", self.count),
            motion: if is_free { BodyMotion::Free { mass } } else { BodyMotion::Fixed },
            pose,
            twist: Twist::default(),
            shapes: shapes.into_iter().map(|(shape, pose)| (shape, pose, self.material)).collect(),
            group: 0,
        });
    }

    fn world(self) -> World {
        World::new(self.builder.build().expect("the scene is valid"))
    }
}

fn at(i: u32, step: f64) -> f64 {
    f64::from(i) * step
}

/// `n`³ balls that do not touch, without gravity.
pub fn apart(n: u32) -> World {
    let mut scene = Scene::new(0.0);
    let (ball, step) = (Shape::Sphere { radius: RADIUS }, 4.0 * RADIUS);
    for i in 0..n * n * n {
        let place = Vec3::new(at(i % n, step), at(i / n % n, step), at(i / n / n, step));
        scene.add(true, Pose::from_translation(place), [(ball.clone(), Pose::IDENTITY)]);
    }
    scene.world()
}

/// A hundred balls that fall on 100 × 100 fixed boxes, which are not all of one height.
pub fn scenery() -> World {
    let mut scene = Scene::new(GRAVITY);
    let stone = Shape::Box { half: Vec3::splat(0.12) };
    for i in 0..10_000_u32 {
        let place = Vec3::new(at(i % 100, 0.2), at(i / 100, 0.2), 0.004 * f64::from(i * 7919 % 11));
        scene.add(false, Pose::from_translation(place), [(stone.clone(), Pose::IDENTITY)]);
    }
    for i in 0..100 {
        let place = Vec3::new(0.5 + at(i % 10, 2.0), 0.5 + at(i / 10, 2.0), 0.5);
        scene.add(true, Pose::from_translation(place), [(Shape::Sphere { radius: RADIUS }, Pose::IDENTITY)]);
    }
    scene.world()
}

/// A hundred balls, each of 50 small boxes, which lie on one another in a pit or float apart.
pub fn pieces(in_a_pile: bool) -> World {
    const PIECES: u32 = 50;
    let mut scene = Scene::new(if in_a_pile { GRAVITY } else { 0.0 });
    // Places on a ball by the golden angle, π·(3 − √5).
    let pieces: Vec<(Shape, Pose)> = (0..PIECES)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(PIECES);
            let turn = 2.399_963_229_728_653 * f64::from(i);
            let across = (1.0 - z * z).sqrt();
            let out = Vec3::new(across * turn.cos(), across * turn.sin(), z);
            let pose = Pose { rotation: rotation::between(Vec3::Z, out), translation: 0.8 * RADIUS * out };
            (Shape::Box { half: Vec3::new(0.2, 0.2, 0.2) * RADIUS }, pose)
        })
        .collect();
    let (wide, step) = (5, if in_a_pile { 2.2 * RADIUS } else { 5.0 * RADIUS });
    if in_a_pile {
        let end = 4.0 * step + RADIUS;
        for (point, normal) in
            [(-RADIUS, Vec3::Z), (-RADIUS, Vec3::X), (-RADIUS, Vec3::Y), (-end, -Vec3::X), (-end, -Vec3::Y)]
        {
            let pose = Pose { translation: point * normal, rotation: rotation::between(Vec3::Z, normal) };
            scene.add(false, pose, [(Shape::HalfSpace, Pose::IDENTITY)]);
        }
    }
    for i in 0..100 {
        // Not one above the other.
        let aside = if i / 25 % 2 == 1 && in_a_pile { 0.3 * RADIUS } else { 0.0 };
        let place = Vec3::new(at(i % wide, step) - aside, at(i / wide % wide, step), at(i / 25, step));
        scene.add(true, Pose::from_translation(place), pieces.clone());
    }
    scene.world()
}
