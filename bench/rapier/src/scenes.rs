//! The scenes in Rapier.

use crate::shared::{FRICTION, GRAVITY, RADIUS, RESTITUTION, grid, walls};
use rapier3d_f64::prelude::*;

fn world(gravity: f64, dt: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, 0.0, -gravity);
    world.integration_parameters.dt = dt;
    world
}

fn wall(world: &mut PhysicsWorld, point: [f64; 3], normal: [f64; 3]) {
    let shape = SharedShape::halfspace(Vector::new(normal[0], normal[1], normal[2]));
    let collider = ColliderBuilder::new(shape)
        .translation(Vector::new(point[0], point[1], point[2]))
        .restitution(RESTITUTION)
        .friction(FRICTION);
    world.insert_collider(collider, None);
}

fn ball(world: &mut PhysicsWorld, p: [f64; 3], speed: f64) {
    let body = RigidBodyBuilder::dynamic()
        .translation(Vector::new(p[0], p[1], p[2]))
        .linvel(Vector::new(speed, 0.0, 0.0))
        .can_sleep(false);
    let collider = ColliderBuilder::ball(RADIUS).mass(1.0).restitution(RESTITUTION).friction(FRICTION);
    world.insert(body, collider);
}

/// S1 with a step [s].
pub fn s1(dt: f64) -> PhysicsWorld {
    let mut w = world(GRAVITY, dt);
    wall(&mut w, [0.0; 3], [0.0, 0.0, 1.0]);
    ball(&mut w, [0.0, 0.0, 1.0], 0.0);
    w
}

/// S2 with `n`³ balls and a step [s].
pub fn s2(n: u32, dt: f64) -> PhysicsWorld {
    let mut w = world(GRAVITY, dt);
    for (point, normal) in walls(n) {
        wall(&mut w, point, normal);
    }
    for p in grid(n) {
        ball(&mut w, p, 0.0);
    }
    w
}

/// Two balls that meet head-on, with a step [s].
pub fn impact(speed: f64, dt: f64) -> PhysicsWorld {
    let mut w = world(0.0, dt);
    ball(&mut w, [-0.1013, 0.0, 0.0], speed);
    ball(&mut w, [0.1, 0.0, 0.0], 0.0);
    w
}

/// Largest kinetic energy of a body [J] and deepest overlap of two balls or of a ball and a wall [m].
pub fn rest(w: &PhysicsWorld, n: u32) -> (f64, f64) {
    let balls: Vec<_> = w.bodies.iter().map(|(_, b)| (b.translation(), b.linvel(), b.angvel())).collect();
    let inertia = 0.4 * RADIUS * RADIUS;
    let energy = |v: Vector, o: Vector| 0.5 * (v.length_squared() + inertia * o.length_squared());
    let most = balls.iter().map(|(_, v, o)| energy(*v, *o)).fold(0.0, f64::max);
    let mut deepest: f64 = 0.0;
    for (i, (p, ..)) in balls.iter().enumerate() {
        for (q, ..) in &balls[..i] {
            deepest = deepest.max(2.0 * RADIUS - (*p - *q).length());
        }
        for (point, normal) in walls(n) {
            let (o, m) = (Vector::new(point[0], point[1], point[2]), Vector::new(normal[0], normal[1], normal[2]));
            deepest = deepest.max(RADIUS - m.dot(*p - o));
        }
    }
    (most, deepest)
}

/// Relative speed after / before of two balls.
pub fn restitution(speed: f64, dt: f64) -> f64 {
    let mut w = impact(speed, dt);
    for _ in 0..(0.1 / dt) as usize {
        w.step();
    }
    let v: Vec<f64> = w.bodies.iter().map(|(_, b)| b.linvel().x).collect();
    (v[1] - v[0]).abs() / speed
}
