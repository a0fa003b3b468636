//! Cylinders over edges, under error control: the points of the base are chosen anew again and again there, and the step must
//! not follow each of these changes down to rounding.

use fender_engine::{BodyId, World};
use fender_scenario::{Assets, load_str};

const SCENE: &str = r#"
format = 1
title = "A can slides over the edge of a table, tips and comes to rest"

[run]
duration = 1
integrator.dormand_prince = { relative_tolerance = 1e-6, absolute_tolerance = 1e-6 }

[material.m]
density = 1000

[[contact]]
between = ["m", "m"]
normal.linear = { stiffness = 1e5, restitution = 0.5 }
friction.coulomb = { coefficient = 0.4 }

[body.table]
fixed = true
shape.box = { size = [1, 1, 0.2] }
material = "m"
position = [0, 0, -0.1]

[body.can]
shape.cylinder = { radius = 0.05, height = 0.2 }
material = "m"
position = [0.46, 0, 0.0999]
velocity = [0.3, 0, 0]
"#;

#[test]
fn error_control_does_not_crawl_where_points_of_contact_are_chosen_anew() {
    for method in ["dormand_prince", "rk45"] {
        let scenario = load_str("t", &SCENE.replace("dormand_prince", method), &Assets::none(), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        while world.state.time < 1.0 {
            world.step(&*integrator, 1.0).unwrap();
            // 15 031 and 21 143 when this was written; contact at rest costs some ten thousand per second in any place. It took 40 000
            // to come to 0.31 s before, with steps of 1e-15 s.
            assert!(world.state.step < 30_000, "{method}: 30000 steps to {} s", world.state.time);
        }
    }
}

/// Cans over an edge of a plateau, one within the length of its rim and one within its depth of it: they come to rest, and error control does not stop at them.
#[test]
fn cans_over_an_edge_come_to_rest() {
    for (integrator, most) in
        [("semi_implicit_euler = { step = \"0.1 ms\" }", 3001), ("dormand_prince = {}", 10_000)]
    {
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 0.3\nintegrator.{integrator}\n[material.m]\ndensity = 1000\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\nnormal.linear = {{ stiffness = 5e5, restitution = 0.2 }}\n\
             friction.bristle = {{ coefficient = 0.4 }}\n\
             [body.can]\nmaterial = \"m\"\nshape.cylinder = {{ radius = 0.05, height = 0.1 }}\nposition = [-0.24, 0.07, 0.2501]\n\
             [body.other]\nmaterial = \"m\"\nshape.cylinder = {{ radius = 0.05, height = 0.1 }}\nposition = [0.20001, -0.07, 0.2501]\n\
             [body.ground]\nmaterial = \"m\"\nfixed = true\nshape.heightfield = {{ depth = 0.3, spacing = [0.25, 0.25], heights = [\n\
             [0, 0, 0, 0, 0], [0, 0.2, 0.2, 0.2, 0], [0, 0.2, 0.2, 0.2, 0], [0, 0.2, 0.2, 0.2, 0], [0, 0, 0, 0, 0]] }}\n"
        );
        let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"));
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        while world.state.time < 0.3 {
            world.step(integrator.as_ref(), 0.3).expect("it steps");
            assert!(world.state.step < most, "t = {}", world.state.time);
        }
        for body in [BodyId(0), BodyId(1)] {
            let twist = world.twist(body);
            assert!(twist.linear.length() < 1e-6 && twist.angular.length() < 1e-6, "{twist:?}");
        }
    }
}

/// Cans and cones over a step that is lower than the looks along their rim are apart, with the centre of mass beyond its edge: they lean until the rim is on the lower ground.
#[test]
fn what_stands_over_a_step_leans_on_it() {
    let heights: Vec<f64> = (0..81).map(|i| if i <= 40 { 0.0 } else { -0.002 }).collect();
    for shape in ["cylinder", "cone"] {
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.semi_implicit_euler = {{ step = \"0.1 ms\" }}\n\
             [material.m]\ndensity = 1000\n[[contact]]\nbetween = [\"m\", \"m\"]\n\
             normal.linear = {{ stiffness = 1e6, restitution = 0.3 }}\nfriction.coulomb = {{ coefficient = 0.5 }}\n\
             [body.can]\nmaterial = \"m\"\nshape.{shape} = {{ radius = 0.05, height = 0.1 }}\nposition = [0.005, 0, 0.05]\n\
             [body.ground]\nmaterial = \"m\"\nfixed = true\nshape.heightfield = {{ depth = 0.1, spacing = [0.002, 0.2], \
             heights = [{heights:?}, {heights:?}] }}\n"
        );
        let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"));
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        while world.state.time < 1.0 {
            world.step(integrator.as_ref(), 1.0).expect("it steps");
        }
        // 2 mm over the 55 mm from the edge to the rim. It may have slid by a millimetre meanwhile, and sinks in by hundredths.
        let leans = (world.pose(BodyId(0)).rotation * fender_math::Vec3::Z).x;
        assert!((leans - 2.0 / 55.0).abs() < 0.03 * 2.0 / 55.0, "{shape}: {leans}");
        let turns = world.twist(BodyId(0)).angular.length();
        assert!(turns < 1e-3, "{shape}: {turns} rad/s");
    }
}
