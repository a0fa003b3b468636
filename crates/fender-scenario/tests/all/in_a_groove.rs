//! Bodies with corners and rims where two faces of one mesh meet: they behave as between as many half-spaces.

use fender_engine::{BodyId, World};
use fender_scenario::{Assets, load_str};
use std::f64::consts::TAU;
use std::fmt::Write;

/// A floor 1.1 m long, from y = −0.3 to 0.3 m, with a wall from x = 0.3 m on, at this angle to it [rad]; closed.
fn corner(angle: f64) -> String {
    let lean = -0.3 / angle.tan();
    let profile = [[-0.3, -0.1], [0.8, -0.1], [0.8, 0.3], [0.3 + lean, 0.3], [0.3, 0.0], [-0.3, 0.0]];
    let mut text = String::new();
    for y in [-0.3, 0.3] {
        for [x, z] in profile {
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
    }
    text += "f 5 6 1\nf 5 1 2\nf 5 2 3\nf 5 3 4\nf 11 7 12\nf 11 8 7\nf 11 9 8\nf 11 10 9\n\
        f 1 7 8\nf 1 8 2\nf 2 8 9\nf 2 9 3\nf 3 9 10\nf 3 10 4\nf 4 10 11\nf 4 11 5\nf 5 11 12\nf 5 12 6\nf 6 12 7\nf 6 7 1\n";
    text
}

/// A plate below and one above, 0.1 m apart but for 2·`squeeze` [m]; closed.
fn slot(squeeze: f64) -> String {
    let mut text = String::new();
    for (at, z) in [(0, [-0.2, -0.05 + squeeze]), (8, [0.05 - squeeze, 0.2])] {
        for i in 0..8_usize {
            let side = |bit: usize| if i & bit == 0 { -0.3 } else { 0.3 };
            writeln!(text, "v {} {} {}", side(1), side(2), z[i / 4]).unwrap();
        }
        for [a, b, c, d] in
            [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]]
        {
            let [a, b, c, d] = [a + at, b + at, c + at, d + at];
            writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
        }
    }
    text
}

/// An upright prism of regular polygons, 0.1 m high.
fn prism(sides: u32, radius: f64) -> String {
    let mut points = String::new();
    for i in 0..sides {
        let angle = TAU * f64::from(i) / f64::from(sides);
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        write!(points, "[{x}, {y}, -0.05], [{x}, {y}, 0.05], ").unwrap();
    }
    format!("polyhedron = {{ points = [{points}] }}")
}

const STEPS: &str = "rk4 = { step = \"10 us\" }";
const LINEAR: &str = "normal.linear = { stiffness = 1e7, restitution = 0.7 }";

/// A body of 1 kg on the ground, `depth` [m] in it.
struct Trial<'a> {
    integrator: &'a str,
    law: &'a str,
    shape: &'a str,
    /// Half of its height [m].
    half_height: f64,
    depth: f64,
    /// The place of its middle and its speed, along x.
    start: [f64; 2],
    more: &'a str,
    ground: &'a str,
    mesh: String,
    duration: f64,
}

impl Trial<'_> {
    /// Where the body is at the end, and its velocity [m, m/s].
    fn run(self) -> [[f64; 3]; 2] {
        let Self { integrator, law, shape, more, ground, start: [x, speed], .. } = self;
        let z = self.half_height - self.depth;
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.{integrator}\n{more}\n[material.m]\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\n{law}\n\
             [body.moved]\nmaterial = \"m\"\nmass = 1\nshape.{shape}\nposition = [{x}, 0.013, {z}]\nvelocity = [{speed}, 0, 0]\n\
             [body.ground]\nmaterial = \"m\"\nfixed = true\n{ground}\n"
        );
        let assets = Assets::Embedded(vec![("ground.obj".into(), self.mesh.leak().as_bytes())]);
        let scenario = load_str("t", &text, &assets, &[]).unwrap_or_else(|error| panic!("{error}"));
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        while world.state.time < self.duration {
            world.step(integrator.as_ref(), self.duration).expect("it steps");
        }
        world.refresh();
        let body = BodyId(0);
        [world.pose(body).translation.to_array(), world.twist(body).linear.to_array()]
    }
}

const MESH: &str = "shape.mesh = { file = \"ground.obj\" }";

/// Pushed along the floor against a wall, which it touches after 20 ms.
fn push<'a>(shape: &'a str, half_height: f64, degrees: f64, ground: &'a str) -> Trial<'a> {
    Trial {
        integrator: STEPS,
        law: LINEAR,
        shape,
        half_height,
        // As deep as its weight presses it in.
        depth: 9.81e-7,
        start: [0.23, 1.0],
        more: "",
        ground,
        mesh: corner(degrees.to_radians()),
        duration: 0.03,
    }
}

/// The normals are 90°, 60° and 45° apart: each wall has contacts of its own beside the floor's.
#[test]
fn a_wall_of_the_same_mesh_is_as_a_half_space() {
    let prism = prism(16, 0.05);
    for (shape, half_height) in [
        ("box = { size = [0.1, 0.1, 0.1] }", 0.05),
        ("cylinder = { radius = 0.05, height = 0.08 }", 0.04),
        ("cone = { radius = 0.05, height = 0.08 }", 0.04),
        (&prism, 0.05),
    ] {
        for degrees in [90.0_f64, 120.0, 135.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let halves = format!(
                "shape.half_space = {{ normal = [0, 0, 1] }}\n[body.wall]\nmaterial = \"m\"\nfixed = true\nposition = [0.3, 0, 0]\n\
                 shape.half_space = {{ normal = [{}, 0, {}] }}",
                -sin, -cos
            );
            let [_, found] = push(shape, half_height, degrees, MESH).run();
            let [_, wanted] = push(shape, half_height, degrees, &halves).run();
            for (found, wanted) in found.iter().zip(wanted) {
                // On half-spaces solids have a patch, in a mesh points: the rim of a cone, which meets the wall as a corner, is softer with
                // a patch. With the memory of the floor's contact 0.2 to 0.4 are missing.
                let bound = if shape.starts_with("cone") { 0.03 } else { 0.01 };
                assert!((found - wanted).abs() < bound, "{shape}, {degrees}: {found}, not {wanted}");
            }
        }
    }
}

#[test]
fn impacts_there_have_the_restitution_of_their_law() {
    let prism = prism(16, 0.05);
    for (shape, half_height) in [
        ("box = { size = [0.1, 0.1, 0.1] }", 0.05),
        ("cylinder = { radius = 0.05, height = 0.08 }", 0.04),
        (&prism, 0.05),
    ] {
        let law = "impact = { restitution = 0.7 }";
        let [_, [x, y, z]] = Trial { law, depth: 0.0, ..push(shape, half_height, 90.0, MESH) }.run();
        // A rim is found to 1e-4 of its depth. With one normal for both the box had −0.10 and was thrown up with 0.64.
        assert!((x + 0.7).abs() < 1e-3 && y.abs() < 1e-3 && z.abs() < 1e-3, "{shape}: {x}, {y}, {z}");
    }
}

#[test]
fn implicit_methods_find_a_prism_at_a_wall() {
    let prism = prism(16, 0.05);
    for method in ["newmark", "hht", "generalized_alpha"] {
        let integrator = format!("{method} = {{ step = \"10 us\" }}");
        let [_, [x, _, z]] = Trial { integrator: &integrator, ..push(&prism, 0.05, 90.0, MESH) }.run();
        // Newmark's own damping aside; the wall is touched for 1.4 ms.
        assert!((x + 0.7).abs() < 0.01 && z.abs() < 0.01, "{method}: {x}, {z}");
    }
}

const STUCK: &str =
    "normal.linear = { stiffness = 1e6, restitution = 0.5 }\nfriction.bristle = { coefficient = 0.5 }";

/// More corners than a contact has points: the same ones count together in every step, so that friction holds.
#[test]
fn prisms_of_many_sides_stick() {
    for sides in [9, 16, 24] {
        let prism = prism(sides, 0.05);
        // On a slope of 14°, half as steep as the friction's.
        let slope = "[world]\ngravity = [2.373, 0, -9.519]";
        let trial = |duration: f64| Trial {
            integrator: "semi_implicit_euler = { step = \"200 us\" }",
            law: STUCK,
            more: slope,
            depth: 9.52e-6,
            start: [-0.1, 0.0],
            duration,
            ..push(&prism, 0.05, 90.0, MESH)
        };
        let [[first, ..], _] = trial(1.0).run();
        let [[last, ..], _] = trial(1.5).run();
        // It crept by 10 to 30 µm/s. What is left of the swing of the bristles is less.
        assert!((last - first).abs() < 1e-7, "{sides} on a slope: {}", last - first);

        // Squeezed with 30 N between two plates, which holds 30 N across, three times its weight.
        let squeezed = |duration: f64| Trial {
            integrator: "rk4 = { step = \"100 us\" }",
            law: STUCK,
            shape: &prism,
            half_height: 0.0,
            depth: 0.0,
            start: [0.0, 0.0],
            more: "[world]\ngravity = [9.81, 0, 0]",
            ground: MESH,
            mesh: slot(30e-6),
            duration,
        };
        let [[first, ..], _] = squeezed(0.3).run();
        let [[last, ..], _] = squeezed(0.5).run();
        // It sank by 0.25 to 0.55 mm/s.
        assert!((last - first).abs() < 2e-6, "{sides} in a slot: {}", last - first);
    }
}
