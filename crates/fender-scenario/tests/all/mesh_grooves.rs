//! Meshes in grooves of meshes: floor and wall push each on its own, as two half-spaces would.

use fender_engine::{BodyId, World};
use fender_math::Vec3;
use fender_scenario::{Assets, load_str};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// A prism of `sides` sides at the distance `radius` [m] from the axis, one of them towards x, from z = 0 up to `height` [m].
fn peg(sides: u32, radius: f64, height: f64) -> String {
    let mut text = format!("v 0 0 0\nv 0 0 {height}\n");
    for z in [0.0, height] {
        ring(&mut text, sides, radius, z);
    }
    for k in 0..sides {
        let (p, q) = (3 + k, 3 + (k + 1) % sides);
        let (r, s) = (p + sides, q + sides);
        writeln!(text, "f 1 {q} {p}\nf 2 {r} {s}\nf {p} {q} {s}\nf {p} {s} {r}").unwrap();
    }
    text
}

/// A block with a hole for it: 0.1 m thick below z = 0, which is the bottom of the hole, and around it.
fn hole(sides: u32, radius: f64, height: f64) -> String {
    let mut text = String::from("v 0 0 0\nv 0 0 -0.1\n");
    for (r, z) in [(radius + 0.1, -0.1), (radius + 0.1, height), (radius, height), (radius, 0.0)] {
        ring(&mut text, sides, r, z);
    }
    for k in 0..sides {
        let next = (k + 1) % sides;
        let row = |i: u32| (3 + i * sides + k, 3 + i * sides + next);
        let ((p, q), (inner, inner_next)) = (row(0), row(3));
        writeln!(text, "f 2 {q} {p}\nf 1 {inner} {inner_next}").unwrap();
        for i in 0..3 {
            let ((p, q), (r, s)) = (row(i), row(i + 1));
            writeln!(text, "f {p} {q} {s}\nf {p} {s} {r}").unwrap();
        }
    }
    text
}

fn ring(text: &mut String, sides: u32, radius: f64, z: f64) {
    let out = radius / (PI / f64::from(sides)).cos();
    for k in 0..sides {
        let angle = (f64::from(k) - 0.5) * 2.0 * PI / f64::from(sides);
        writeln!(text, "v {} {} {z}", out * angle.cos(), out * angle.sin()).unwrap();
    }
}

/// A peg of 0.1 m in a hole that is wider by 0.02 m, on its bottom, without friction.
struct InHole<'a> {
    sides: u32,
    integrator: &'a str,
    restitution: f64,
    /// [m/s]
    velocity: Vec3,
}

impl InHole<'_> {
    fn world(&self) -> (World, Box<dyn fender_engine::Integrator>) {
        let Self { sides, integrator, restitution, velocity: v } = self;
        let leak = |text: String| &*Box::leak(text.into_bytes().into_boxed_slice());
        let files = vec![
            ("peg.obj".into(), leak(peg(*sides, 0.05, 0.1))),
            ("hole.obj".into(), leak(hole(*sides, 0.06, 0.12))),
        ];
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 9\nintegrator.{integrator}\n[material.m]\ndensity = 1000\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\nnormal.linear = {{ stiffness = 1e6, restitution = {restitution} }}\n\
             [body.peg]\nmaterial = \"m\"\nshape.mesh = {{ file = \"peg.obj\" }}\nposition = [0, 0, -1e-5]\nvelocity = [{}, {}, {}]\n\
             [body.block]\nmaterial = \"m\"\nfixed = true\nshape.mesh = {{ file = \"hole.obj\" }}\n",
            v.x, v.y, v.z
        );
        let scenario = load_str("t", &text, &Assets::Embedded(files), &[]).unwrap_or_else(|e| panic!("{e}"));
        let integrator = scenario.run.integrator.build();
        (World::new(scenario.model), integrator)
    }

    /// Velocity after some time [s], and the largest residual of the energy account until then, as a part of the energy of motion.
    fn run(&self, end: f64) -> (Vec3, f64) {
        let (mut world, integrator) = self.world();
        world.refresh();
        let start = world.energy().kinetic;
        let mut worst = 0.0_f64;
        while world.state.time < end {
            world.step(integrator.as_ref(), end).expect("it steps");
            world.refresh();
            worst = worst.max(world.energy().residual.abs() / start);
        }
        (world.twist(BodyId(0)).linear, worst)
    }
}

const PUSHED: InHole<'static> =
    InHole { sides: 4, integrator: "rk4 = { step = \"10 us\" }", restitution: 0.7, velocity: Vec3::X };

#[test]
fn a_peg_comes_back_from_the_side_of_a_hole() {
    for sides in [4, 16] {
        let (v, residual) = InHole { sides, ..PUSHED }.run(0.015);
        // To what the step resolves.
        assert!((v + 0.7 * Vec3::X).length() < 2e-3 && residual < 1e-3, "{sides}: {v} {residual}");
    }
}

/// Twenty touches.
#[test]
fn what_goes_to_and_fro_between_two_walls_keeps_its_energy() {
    let (v, residual) = InHole { restitution: 1.0, ..PUSHED }.run(0.4);
    // 2·10⁻⁶ for each touch, by the step.
    assert!((v.length() - 1.0).abs() < 2e-4 && residual < 2e-4, "{v} {residual}");
}

/// In a corner of the hole it touches three faces.
#[test]
fn so_it_does_from_two_sides_at_once() {
    let velocity = Vec3::new(1.0, 1.0, 0.0);
    let (v, residual) = InHole { velocity, ..PUSHED }.run(0.015);
    assert!((v + 0.7 * velocity).length() < 2e-3 && residual < 1e-3, "{v} {residual}");
}
