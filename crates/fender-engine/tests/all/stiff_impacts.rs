//! The compliant law as its stiffness grows, beside the algebraic impact, at the tip of a double pendulum.
//!
//! In the limit the configuration no longer changes during the contact, and both follow the same path of velocities with
//! the same friction. They differ in when the impact ends. The algebraic law gives back e² of the work of compression,
//! whatever friction does. The compliant one loses energy to its damping all along: its e is that of a mass which nothing
//! but the contact acts on. So they agree where friction does not change during the impact (then all definitions of
//! restitution are one), without any damping (e = 1), and where nothing comes back (e → 0); elsewhere they are two hypotheses.

use crate::common::{free, linear, on, wall};
use fender_contact::{Coulomb, ImpactLaw};
use fender_engine::joint::Revolute;
use fender_engine::{Adaptive, BodyId, BodySpec, EventKind, ImpactRule, IntegratorSpec, ModelBuilder, World};
use fender_geom::Shape;
use fender_math::{MassProperties, Mat3, Pose, Vec3, rotation};
use std::sync::Arc;

/// Radius of the ball at the tip [m].
const R: f64 = 0.01;

/// Where it hits (rad), how fast (rad/s), friction and restitution.
#[derive(Clone, Copy)]
struct Hit {
    q: [f64; 2],
    u: [f64; 2],
    mu: f64,
    e: f64,
}

/// The pendulum of Morgan 2011, section 2.1, with its tip on the floor.
fn pendulum(hit: &Hit, stiffness: f64, impact: bool) -> World {
    let mut builder = ModelBuilder::new();
    let m = builder.material("m");
    let friction = Coulomb::new(hit.mu, 2e-4).unwrap();
    let rule = builder.contact(m, m, linear(stiffness, hit.e), Box::new(friction));
    if impact {
        let law = ImpactLaw::new(hit.e, hit.mu, hit.mu).unwrap();
        builder.impact(rule, ImpactRule::new(law, 1e-3).unwrap());
    }
    let tip = hit.q[0].sin() + (hit.q[0] + hit.q[1]).sin();
    builder.body(wall("floor", Vec3::Z * (tip - R + 1e-13), Vec3::Z, m));
    let inertia = Mat3::from_diagonal(Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0));
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia };
    let mut parent = None;
    for i in 0..2 {
        let x = i as f64;
        let mut bar =
            BodySpec { pose: Pose::from_translation(Vec3::X * (x + 0.5)), ..free(&i.to_string(), mass) };
        if i == 1 {
            bar.shapes.push((Shape::Sphere { radius: R }, Pose::from_translation(Vec3::X * 0.5), m));
        }
        let body = builder.body(bar);
        let frame = Pose { rotation: rotation::between(Vec3::Z, -Vec3::Y), translation: Vec3::X * x };
        let mut joint = on(&i.to_string(), parent, body, Arc::new(Revolute), frame);
        (joint.start, joint.rates) = (vec![hit.q[i]], vec![hit.u[i]]);
        builder.joint(joint);
        parent = Some(body);
    }
    World::new(builder.build().unwrap())
}

/// Velocity of the ball's lowest point along the floor and away from it.
fn tip(world: &mut World) -> [f64; 2] {
    world.refresh();
    let lower = BodyId(2);
    let point = world.pose(lower) * (Vec3::X * 0.5) - Vec3::Z * R;
    let v = world.data.bodies[lower.index()].velocity_at(point);
    [v.x, v.z]
}

fn algebraic(hit: &Hit) -> [f64; 2] {
    let mut world = pendulum(hit, 1e6, true);
    world.step(&*IntegratorSpec::Rk4 { step: 1e-12 }.build(), f64::INFINITY).unwrap();
    assert!(world.events.iter().any(|e| matches!(e.kind, EventKind::Impact { .. })));
    tip(&mut world)
}

/// The same with a spring and damping, until they are apart.
fn compliant(hit: &Hit, stiffness: f64) -> [f64; 2] {
    let mut world = pendulum(hit, stiffness, false);
    let tolerances = Adaptive { relative: 1e-7, absolute: 1e-9, max_step: 1e-3 };
    let integrator = IntegratorSpec::DormandPrince(tolerances).build();
    for _ in 0..2_000_000 {
        world.step(&*integrator, f64::INFINITY).unwrap();
        if world.events.iter().any(|e| matches!(e.kind, EventKind::Release { .. })) {
            return tip(&mut world);
        }
    }
    panic!("they never part");
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

const D1: Hit = Hit { q: [-2.8, 0.4], u: [2.0, 0.0], mu: 0.2, e: 0.5 };
const D3: Hit = Hit { q: [-1.4, -0.5], u: [-3.0, 3.0], mu: 0.8, e: 0.6 };
const D6: Hit = Hit { q: [-1.8, 1.0], u: [-2.0, -2.0], mu: 0.2, e: 0.8 };
const D7: Hit = Hit { q: [-2.1, 0.8], u: [2.0, 0.0], mu: 0.2, e: 0.8 };

/// Where the hypotheses agree, the compliant law comes to the algebraic one as the stiffness grows.
#[test]
fn a_stiff_spring_comes_to_the_algebraic_impact() {
    let agree = [
        ("slip that lasts", D6),
        ("slip that is driven away", D7),
        ("e = 1, slip that reverses", Hit { e: 1.0, ..D1 }),
        ("e = 1, a jam that sticks", Hit { e: 1.0, ..D3 }),
        ("e near 0, slip that reverses", Hit { e: 0.01, ..D1 }),
    ];
    for (name, hit) in agree {
        let expected = algebraic(&hit);
        let off = [1e6, 1e8].map(|k| distance(compliant(&hit, k), expected));
        assert!(off[1] < 0.3 * off[0] && off[1] < 0.03, "{name}: {off:?}");
    }
}

/// Elsewhere they do not: a gap in the parting speed that no stiffness closes.
#[test]
fn elsewhere_they_are_two_hypotheses_of_restitution() {
    // Parting speeds: algebraic, compliant.
    for (name, hit, algebraic_speed, compliant_speed) in
        [("slip reverses", D1, 1.4325, 1.532), ("a jam that sticks", D3, 0.8229, 0.480)]
    {
        let expected = algebraic(&hit)[1];
        let found = [1e6, 1e8].map(|k| compliant(&hit, k)[1]);
        assert!((expected - algebraic_speed).abs() < 1e-4, "{name}: {expected}");
        assert!((found[1] - compliant_speed).abs() < 5e-3, "{name}: {found:?}");
        assert!((found[1] - found[0]).abs() < 0.25 * (found[1] - expected).abs(), "{name}: it has converged");
    }
}
