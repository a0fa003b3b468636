//! What is stored in a contact with a mesh is what it took to press the bodies together, at every moment of a touch.

use fender_engine::World;
use fender_scenario::{Assets, load_str};

/// A cube of 0.1 m about the origin.
const CUBE: &[u8] = b"v -0.05 -0.05 -0.05\nv 0.05 -0.05 -0.05\nv 0.05 0.05 -0.05\nv -0.05 0.05 -0.05\n\
    v -0.05 -0.05 0.05\nv 0.05 -0.05 0.05\nv 0.05 0.05 0.05\nv -0.05 0.05 0.05\n\
    f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

/// Largest residual of the energy account while a body falls without loss on a cube of 1 m, whose top is at the height 0, as a part of its energy of motion.
fn worst(body: &str) -> f64 {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = \"10 us\" }}\n[world]\ngravity = [0, 0, 0]\n\
         [material.m]\ndensity = 1000\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nnormal.linear = {{ stiffness = 1e6, restitution = 1 }}\n\
         [body.falling]\nmaterial = \"m\"\nvelocity = [0, 0, -0.5]\n{body}\n\
         [body.ground]\nmaterial = \"m\"\nfixed = true\nshape.mesh = {{ file = \"cube.obj\", scale = 10 }}\nposition = [0, 0, -0.5]\n"
    );
    let assets = Assets::Embedded(vec![("cube.obj".into(), CUBE)]);
    let scenario = load_str("t", &text, &assets, &[]).unwrap_or_else(|error| panic!("{error}"));
    let integrator = scenario.run.integrator.build();
    let mut world = World::new(scenario.model);
    world.refresh();
    let (start, end) = (world.energy().kinetic, 0.15);
    let (mut worst, mut stored) = (0.0_f64, 0.0_f64);
    while world.state.time < end {
        world.step(integrator.as_ref(), end).expect("it steps");
        world.refresh();
        worst = worst.max(world.energy().residual.abs() / start);
        stored = stored.max(world.energy().stored / start);
    }
    assert!(stored > 0.1, "{body}: it has not touched");
    worst
}

#[test]
fn what_is_stored_is_what_was_put_in() {
    for (orientation, name) in [
        ("", "a face"),
        ("orientation.axis_angle = { axis = [0, 1, 0], angle = \"45 deg\" }", "an edge"),
        ("orientation.axis_angle = { axis = [1, -1, 0], angle = \"54.7356 deg\" }", "a corner"),
        ("orientation.axis_angle = { axis = [0, 1, 0], angle = \"30 deg\" }", "an edge, askew"),
    ] {
        let worst = worst(&format!(
            "shape.mesh = {{ file = \"cube.obj\" }}\nposition = [0.013, 0.007, 0.09]\n{orientation}"
        ));
        // A third was missing on an edge, half on a corner. What is left is the integrals' rounding and the step.
        assert!(worst < 1e-4, "{name}: {worst}");
    }
}

#[test]
fn what_lies_over_an_edge_bounces_with_its_energy() {
    for shape in ["cylinder", "capsule"] {
        // Half over the edge, and with the end of its side on either side of it, nearer to it than the contact becomes deep.
        for x in [0.5, 0.47, 0.4004, 0.3996] {
            let worst = worst(&format!(
                "shape.{shape} = {{ radius = 0.06, height = 0.2 }}\nposition = [{x}, 0.007, 0.065]\n\
                 orientation.axis_angle = {{ axis = [0, 1, 0], angle = \"90 deg\" }}"
            ));
            // It had made up to twenty times its energy. What is left is the step.
            assert!(worst < 1e-4, "{shape} at {x}: {worst}");
        }
    }
}

#[test]
fn what_is_turned_over_an_edge_bounces_with_its_energy() {
    // With five points over the edge, and with six over the corner of the table.
    for (x, y) in [(0.46, 0.007), (0.47, 0.46)] {
        let worst = worst(&format!(
            "shape.box = {{ size = [0.1, 0.1, 0.2] }}\nposition = [{x}, {y}, 0.105]\n\
             orientation.axis_angle = {{ axis = [0, 0, 1], angle = \"40 deg\" }}"
        ));
        // While all of them shared one stiffness it was a third. What is left is that points where edges cross move along both.
        assert!(worst < 0.01, "{x} {y}: {worst}");
    }
}
