//! Axial damping of lines: by the length of the cable, whatever its elements; and what is said of it.

use fender_engine::World;
use fender_engine::cable::Line;
use fender_math::float;
use fender_scenario::{Assets, Scenario, load_str};
use std::f64::consts::PI;

fn scenario(line: &str, cable: &str) -> Result<Scenario, fender_scenario::ScenarioError> {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 3\nintegrator.generalized_alpha = {{ step = \"0.25 ms\", radius = 1 }}\n\
         [world]\ngravity = [0, 0, 0]\n[line.l]\n{line}\n[cable.c]\n{cable}\nstart.fixed = [0, 0, 0]\nend.free = [10, 0, 0]\n\
         shape.straight = true\n"
    );
    load_str("t", &text, &Assets::none(), &[])
}

#[track_caller]
fn load(line: &str, cable: &str) -> Scenario {
    scenario(line, cable).unwrap_or_else(|e| panic!("{e}"))
}

fn damping(scenario: &Scenario) -> f64 {
    let line: &Line = &scenario.model.cables[0].lines[0];
    line.axial_damping
}

const BAR: &str = "mass = 1\naxial.linear.stiffness = 1e4\n";
const WHOLE: &str = "line = \"l\"\nlength = 10\n";

/// One end held, the other free, let go along itself: the first mode, of π/2·c/L = 15.71 rad/s, dies out as exp(−ζωt), its energy as exp(−2ζωt);
/// higher ones, with their damping as their frequency, are gone after a second. 1 % for the frequency in ten elements and what is left of the third.
#[test]
fn the_first_axial_mode_is_damped_as_asked_in_any_mesh() {
    for elements in [10, 40] {
        let cable = format!("{WHOLE}elements = {elements}\nvelocity = [0.01, 0, 0]");
        let scenario = load(&format!("{BAR}slack = false\ndamping_ratio = 0.05"), &cable);
        assert!((damping(&scenario) - 0.05 * (4.0 / PI) * 10.0 * 100.0).abs() < 1e-9);
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        let mut energies = Vec::new();
        // At whole periods of 0.4 s.
        for until in [1.2, 2.4] {
            while world.state.time < until - 1e-9 {
                world.step(&*integrator, f64::INFINITY).unwrap();
            }
            world.refresh();
            let energy = world.energy();
            energies.push(energy.kinetic + energy.stored);
            // All modes are there at the start, and the shortest has ωh = 0.2: 2.4e-4 with 40 elements, by the square of the step.
            assert!(energy.relative_residual.abs() < 1e-3, "{}", energy.relative_residual);
        }
        let expected = float::exp(-2.0 * 0.05 * 0.5 * PI * 10.0 * 1.2);
        let ratio = energies[1] / energies[0];
        assert!((ratio / expected - 1.0).abs() < 0.01, "{elements} elements: {ratio} {expected}");
    }
}

/// The same cable in two sections, and one of two lines: the mode is that of the whole cable.
#[test]
fn sections_are_damped_by_the_length_of_the_whole_cable() {
    let ratio = format!("{BAR}damping_ratio = 0.02");
    let parts = "section = [{ line = \"l\", length = 4, elements = 3 }, { line = \"l\", length = 6, elements = 9 }]\n";
    let (whole, parts) = (load(&ratio, WHOLE), load(&ratio, parts));
    assert!((damping(&whole) / damping(&parts) - 1.0).abs() < 1e-12);
}

#[test]
fn a_line_without_damping_has_one_percent_and_check_says_so() {
    let scenario = load(BAR, WHOLE);
    assert!((damping(&scenario) - 0.01 * (4.0 / PI) * 10.0 * 100.0).abs() < 1e-9);
    let said = "cable.c: damping = 12.73 N*s, 1 % of critical in the first axial mode of its 10 m (line.l gives no damping; damping = 0 for none)";
    assert_eq!(scenario.chosen, [said]);
    assert!(scenario.expanded.contains("damping_ratio = 0.01\nslack = true"), "{}", scenario.expanded);
    // What the expanded file says is the same scenario.
    let again = load_str("t", &scenario.expanded, &Assets::none(), &[]).unwrap();
    assert_eq!((damping(&again), again.chosen.len()), (damping(&scenario), 0));
    // None if the file says none.
    let none = load(&format!("{BAR}damping = 0"), WHOLE);
    assert_eq!((damping(&none), none.chosen.len()), (0.0, 0));
    assert!(!none.expanded.contains("damping_ratio"), "{}", none.expanded);
}

#[test]
fn a_line_of_the_catalogue_is_damped_and_its_damping_alone_can_be_given() {
    let like = "like = \"umbilical-100mm\"\n";
    let catalogue = load(like, WHOLE);
    let line = &catalogue.model.cables[0].lines[0];
    let critical = (4.0 / PI) * 10.0 * (line.axial.stiffness() * line.mass).sqrt();
    assert!((line.axial_damping / critical - 0.05).abs() < 1e-12);
    assert!(
        catalogue.chosen.iter().any(|s| s.contains("5 % of critical") && s.contains("`umbilical-100mm`"))
    );
    for (key, expected) in
        [("damping = \"3 kN*s\"", 3000.0), ("damping_ratio = 0.1", 0.1 * critical), ("damping = 0", 0.0)]
    {
        let given = load(&format!("{like}{key}"), WHOLE);
        let own = &given.model.cables[0].lines[0];
        assert!((own.axial_damping - expected).abs() < 1e-9 * critical, "{key}: {}", own.axial_damping);
        assert_eq!((own.mass, &own.axial, own.bending), (line.mass, &line.axial, line.bending), "{key}");
        assert!(!given.chosen.iter().any(|s| s.contains("damping")), "{:?}", given.chosen);
    }
    // Another stiffness keeps the catalogue's part of critical.
    let stiff = load(&format!("{like}axial.linear.stiffness = \"1 MN\""), WHOLE);
    let critical = (4.0 / PI) * 10.0 * (1e6 * line.mass).sqrt();
    assert!((damping(&stiff) / critical - 0.05).abs() < 1e-12);
}

#[test]
fn damping_is_given_once() {
    for line in
        ["damping = 1\ndamping_ratio = 0.1", "damping = 1\naxial.linear = { stiffness = 1e4, damping = 2 }"]
    {
        let error = scenario(
            &format!(
                "mass = 1\n{line}{}",
                if line.contains("axial") { "" } else { "\naxial.linear.stiffness = 1e4" }
            ),
            WHOLE,
        )
        .expect_err("it is given twice");
        assert!(error.to_string().contains("give either `damping` or `damping_ratio`, once"), "{error}");
    }
}
