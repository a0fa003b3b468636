//! The scenes in Rapier, in doubles or in single precision.

use crate::rapier::math::Real;
use crate::rapier::prelude::*;
use crate::shared::{
    BOX, BOX_MASS, FRICTION, GRAVITY, RADIUS, RESTITUTION, box_grid, box_walls, grid, walls,
};

fn vector(v: [f64; 3]) -> Vector {
    Vector::new(v[0] as Real, v[1] as Real, v[2] as Real)
}

fn world(gravity: f64, dt: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = vector([0.0, 0.0, -gravity]);
    world.integration_parameters.dt = dt as Real;
    world
}

fn wall(world: &mut PhysicsWorld, point: [f64; 3], normal: [f64; 3]) {
    let shape = SharedShape::halfspace(vector(normal));
    let collider = ColliderBuilder::new(shape)
        .translation(vector(point))
        .restitution(RESTITUTION as Real)
        .friction(FRICTION as Real);
    world.insert_collider(collider, None);
}

fn ball(world: &mut PhysicsWorld, p: [f64; 3], speed: f64) {
    let body =
        RigidBodyBuilder::dynamic().translation(vector(p)).linvel(vector([speed, 0.0, 0.0])).can_sleep(false);
    let collider = ColliderBuilder::ball(RADIUS as Real)
        .mass(1.0)
        .restitution(RESTITUTION as Real)
        .friction(FRICTION as Real);
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

/// S3 with `n`³ boxes and a step [s].
pub fn s3(n: u32, dt: f64) -> PhysicsWorld {
    let mut w = world(GRAVITY, dt);
    for (point, normal) in box_walls(n) {
        wall(&mut w, point, normal);
    }
    let half = (0.5 * BOX) as Real;
    for (position, turn) in box_grid(n) {
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(position))
            .rotation(vector(turn))
            .can_sleep(false);
        let collider = ColliderBuilder::cuboid(half, half, half)
            .mass(BOX_MASS as Real)
            .restitution(RESTITUTION as Real)
            .friction(FRICTION as Real);
        w.insert(body, collider);
    }
    w
}

/// Largest kinetic energy of a box [J] and its mean, deepest overlap of two boxes or of a box and a wall [m], mean height [m].
pub fn rest_of_boxes(w: &PhysicsWorld) -> [f64; 4] {
    let doubles = |v: Vector| [v.x, v.y, v.z].map(f64::from);
    let square = |v: Vector| doubles(v).iter().map(|c| c * c).sum::<f64>();
    let inertia = BOX_MASS * BOX * BOX / 6.0;
    let (mut most, mut sum, mut height, mut count) = (0.0_f64, 0.0, 0.0, 0.0);
    let mut deepest = 0.0_f64;
    for (_, body) in w.bodies.iter() {
        let energy = 0.5 * (BOX_MASS * square(body.linvel()) + inertia * square(body.angvel()));
        (most, sum, height, count) =
            (most.max(energy), sum + energy, height + doubles(body.translation())[2], count + 1.0);
    }
    // As its own narrow phase sees them.
    for pair in w.narrow_phase.contact_pairs() {
        for manifold in pair.manifolds() {
            deepest = manifold.points.iter().map(|p| -f64::from(p.dist)).fold(deepest, f64::max);
        }
    }
    [most, sum / count, deepest, height / count]
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
    let doubles = |v: Vector| [v.x, v.y, v.z].map(f64::from);
    let square = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>();
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let balls: Vec<_> =
        w.bodies.iter().map(|(_, b)| [b.translation(), b.linvel(), b.angvel()].map(doubles)).collect();
    let inertia = 0.4 * RADIUS * RADIUS;
    let energy = |v: [f64; 3], o: [f64; 3]| 0.5 * (square(v) + inertia * square(o));
    let most = balls.iter().map(|[_, v, o]| energy(*v, *o)).fold(0.0, f64::max);
    let mut deepest: f64 = 0.0;
    for (i, [p, ..]) in balls.iter().enumerate() {
        for [q, ..] in &balls[..i] {
            deepest = deepest.max(2.0 * RADIUS - square(minus(*p, *q)).sqrt());
        }
        for (point, normal) in walls(n) {
            let from_wall = minus(*p, point);
            deepest = deepest.max(RADIUS - (0..3).map(|c| normal[c] * from_wall[c]).sum::<f64>());
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
    let v: Vec<f64> = w.bodies.iter().map(|(_, b)| f64::from(b.linvel().x)).collect();
    (v[1] - v[0]).abs() / speed
}
