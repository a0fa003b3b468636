//! The scenes in Fender, through its public interface.

use crate::shared::{FRICTION, GRAVITY, RADIUS, RESTITUTION, grid, walls};
use fender_contact::{Coulomb, Damping, Linear};
use fender_engine::{BodyMotion, BodySpec, MaterialId, Model, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::{MassProperties, Pose, Twist, Vec3, rotation};

/// Stiffness of every contact [N/m].
pub const STIFFNESS: f64 = 4e5;

fn builder(gravity: f64) -> (ModelBuilder, MaterialId) {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::Z * -gravity);
    let material = builder.material("ball");
    let normal = Linear::new(STIFFNESS, RESTITUTION, Damping::Exact, 1e-3).expect("valid restitution");
    let friction = Coulomb::new(FRICTION, 1e-3).expect("valid coefficient");
    builder.contact(material, material, Box::new(normal), Box::new(friction));
    (builder, material)
}

fn wall(builder: &mut ModelBuilder, material: MaterialId, name: String, point: [f64; 3], normal: [f64; 3]) {
    builder.body(BodySpec {
        name,
        motion: BodyMotion::Fixed,
        pose: Pose { translation: point.into(), rotation: rotation::between(Vec3::Z, normal.into()) },
        twist: Twist::default(),
        shapes: vec![(Shape::HalfSpace, Pose::IDENTITY, material)],
        group: 0,
    });
}

fn ball(builder: &mut ModelBuilder, material: MaterialId, name: String, position: [f64; 3], speed: f64) {
    builder.body(BodySpec {
        name,
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(1.0, RADIUS) },
        pose: Pose::from_translation(position.into()),
        twist: Twist { linear: Vec3::X * speed, angular: Vec3::ZERO },
        shapes: vec![(Shape::Sphere { radius: RADIUS }, Pose::IDENTITY, material)],
        group: 0,
    });
}

fn world(builder: ModelBuilder) -> World {
    let model: Model = builder.build().expect("the scene is valid");
    World::new(model)
}

/// S1.
pub fn s1() -> World {
    let (mut b, m) = builder(GRAVITY);
    wall(&mut b, m, "floor".into(), [0.0; 3], [0.0, 0.0, 1.0]);
    ball(&mut b, m, "ball".into(), [0.0, 0.0, 1.0], 0.0);
    world(b)
}

/// S2 with `n`³ balls.
pub fn s2(n: u32) -> World {
    let (mut b, m) = builder(GRAVITY);
    for (i, (point, normal)) in walls(n).into_iter().enumerate() {
        wall(&mut b, m, format!("wall-{i}"), point, normal);
    }
    for (i, position) in grid(n).into_iter().enumerate() {
        ball(&mut b, m, format!("ball-{i}"), position, 0.0);
    }
    world(b)
}

/// Two balls that meet head-on with a relative speed [m/s].
pub fn impact(speed: f64) -> World {
    let (mut b, m) = builder(0.0);
    ball(&mut b, m, "left".into(), [-0.1013, 0.0, 0.0], speed);
    ball(&mut b, m, "right".into(), [0.1, 0.0, 0.0], 0.0);
    world(b)
}
