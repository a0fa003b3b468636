//! Friction in scenario files: numbers that are chosen, warnings, and what is refused.

use fender_scenario::{Assets, Scenario, ScenarioError, load_str};

fn text(materials: &str, friction: &str) -> String {
    format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = \"1 ms\" }}\n\
         {materials}\n[body.floor]\nfixed = true\nshape.half_space = {{ normal = [0, 0, 1] }}\nmaterial = \"a\"\n\
         [body.ball]\nmass = 1\nshape.sphere = {{ radius = 0.1 }}\nmaterial = \"b\"\nposition = [0, 0, 1]\n\
         [[contact]]\nbetween = [\"a\", \"b\"]\nnormal.linear = {{ stiffness = 1e5, restitution = 0.5 }}\n{friction}\n"
    )
}

const PLAIN: &str = "[material.a]\n[material.b]";

fn good(friction: &str) -> Scenario {
    load_str("t", &text(PLAIN, friction), &Assets::none(), &[]).expect(friction)
}

fn bad(materials: &str, friction: &str) -> ScenarioError {
    load_str("t", &text(materials, friction), &Assets::none(), &[]).expect_err(friction)
}

#[track_caller]
fn refused(friction: &str, place: &str, message: &str) {
    let error = bad(PLAIN, friction).to_string();
    assert!(error.starts_with("t/scenario.toml:"), "{error}");
    assert!(error.contains(place) && error.contains(message), "{error}");
}

#[test]
fn numbers_that_are_not_given_are_chosen_and_told() {
    let scenario = good("friction.bristle = { coefficient = 0.4, static_coefficient = 0.5 }");
    assert!(scenario.warnings.is_empty(), "{:?}", scenario.warnings);
    // μ_S/0.1 mm; 20√(σ₀/g) with 9.81 m/s²; 5μ_S/σ₁ would be 5.5 mm/s.
    assert_eq!(
        scenario.chosen,
        [
            "contact a-b: stiffness = 5000 1/m (μ_S over a pre_slip of 0.1 mm)",
            "contact a-b: damping = 451.5236 s/m (ten times critical for a block under its own weight, 20√(σ₀/g): a load put on suddenly is held)",
            "contact a-b: stribeck_speed = 20 mm/s (slow against most sliding, fast against the rocking of what is put down)",
            "contact a-b: tolerance_speed = 0.2 mm/s (a hundredth of the Stribeck speed)",
        ]
    );
    // The reference and the book say the same.
    let schema = fender_scenario::schema();
    let book = include_str!("../../../../book/src/theory/friction.md");
    for (key, default) in [
        ("pre_slip", "0.1 mm"),
        ("damping", "20√(σ₀/g), ten times"),
        ("stribeck_speed", "20 mm/s, or 5μ_S/σ₁ if that is more"),
    ] {
        let text = schema["$defs"]["BristleSpec"]["properties"][key]["description"].as_str().unwrap();
        assert!(text.contains(default), "{key}: {text}");
        let row = book.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).unwrap();
        assert!(row.contains(default), "{row}");
    }
    let scenario = good(
        "friction.bristle = { coefficient = 0.4, stiffness = \"1e4 1/m\", damping = \"400 s/m\", stribeck_speed = \"1 mm/s\", \
         tolerance_speed = \"0.01 mm/s\" }",
    );
    assert!(scenario.chosen.is_empty() && scenario.warnings.is_empty());
    let scenario = good("friction.luaces = { coefficient = 0.02, mass = \"1 kg\", steps = 5 }");
    // k = m/(N h)², c = 2√(k m), v = N μ g h with h = 1 ms.
    assert_eq!(scenario.chosen[0], "contact a-b: stiffness = 40000 N/m (stops 1 kg within 5 steps)");
    assert_eq!(scenario.chosen[1], "contact a-b: damping = 400 N*s/m (stops 1 kg within 5 steps)");
    assert!(
        scenario.chosen[2].starts_with("contact a-b: transition_speed = 0.981 mm/s"),
        "{:?}",
        scenario.chosen
    );
}

#[test]
fn published_numbers_that_break_a_rule_are_warned_of_with_ones_that_do_not() {
    let scenario = good(
        "friction.bristle = { coefficient = 0.1, static_coefficient = 0.15, stiffness = \"1e4 1/m\", damping = \"31.62 s/m\", \
         stribeck_speed = \"1 mm/s\", dwell_time = \"2 s\" }",
    );
    assert_eq!(scenario.warnings.len(), 1, "{:?}", scenario.warnings);
    let warning = &scenario.warnings[0];
    assert!(warning.contains("create energy") && warning.contains("stribeck_speed ≥ μ_C/(2σ₁)"), "{warning}");
    // What it offers is passive.
    let offered = good(
        "friction.bristle = { coefficient = 0.1, static_coefficient = 0.15, stiffness = \"1e4 1/m\", damping = \"50.05 s/m\", \
         stribeck_speed = \"1 mm/s\", dwell_time = \"2 s\" }",
    );
    assert!(warning.contains("damping = \"50.05 s/m\""), "{warning}");
    assert!(offered.warnings.is_empty(), "{:?}", offered.warnings);
    let hasty = good(
        "friction.bristle = { coefficient = 0.4, stiffness = \"1e5 1/m\", damping = \"1e4 s/m\", stribeck_speed = \"0.1 m/s\", \
         dwell_time = \"0.01 s\" }",
    );
    assert!(
        hasty.warnings[0].contains("less than 10 times") && hasty.warnings[0].contains("at least 1 s"),
        "{:?}",
        hasty.warnings
    );
}

#[test]
fn impossible_friction_is_refused_with_the_key() {
    refused(
        "friction.bristle = { coefficient = 0.5, static_coefficient = 0.4 }",
        "`contact[0].friction.bristle.static_coefficient`",
        "must be at least the sliding one, 0.5, and finite, got 0.4",
    );
    refused(
        "friction.bristle = { coefficient = 0.5, stiffness = -1 }",
        "`contact[0].friction.bristle.stiffness`",
        "must be positive and finite",
    );
    refused(
        "friction.bristle = { coefficient = 0.5, damping = \"3 m/s\" }",
        "damping`",
        "a number per speed",
    );
    refused(
        "friction.bristle = { coefficient = 0.5, damping = \"3 s/m\", fixed_stiffness = \"1e5 N/m\" }",
        "`contact[0].friction.bristle.fixed_stiffness`",
        "`damping` goes with the load and `fixed_stiffness` does not",
    );
    refused(
        "friction.bristle = { coefficient = 0.5, fixed_stiffness = \"1e5 N/m\" }",
        "`contact[0].friction.bristle`",
        "need both `fixed_stiffness` and `fixed_damping`",
    );
    refused(
        "friction.bristle = { coefficient = 0.5, stiffness = \"1e4 1/m\", pre_slip = \"0.1 mm\" }",
        "`contact[0].friction.bristle.pre_slip`",
        "say the same thing twice",
    );
    refused(
        "friction.lugre = { coefficient = 0.5, dwell_time = \"1 s\" }",
        "lugre.dwell_time`",
        "has no `dwell_time`",
    );
    refused(
        "friction.luaces = { coefficient = 0.5 }",
        "`contact[0].friction.luaces`",
        "expected `mass`, or all of",
    );
    refused("relaxation = 0", "`contact[0].relaxation`", "must be positive");
}

#[test]
fn the_library_gives_what_is_missing_and_says_what_it_has() {
    let steel = "[material.a]\nlike = \"steel\"\n[material.b]\nlike = \"steel\"\ndensity = \"7000 kg/m^3\"";
    let wet = text(steel, "friction.library = { surface = \"dry\" }").replace(
        "normal.linear = { stiffness = 1e5, restitution = 0.5 }",
        "normal.hertz = { restitution = 0.5 }",
    );
    let scenario = load_str("t", &wet.replace("mass = 1\n", ""), &Assets::none(), &[]).unwrap();
    // Its own density, not that of what it is like.
    let mass = scenario.model.bodies.iter().find_map(fender_engine::Body::mass).unwrap();
    assert!((mass / (7000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3) - 1.0).abs() < 1e-12, "{mass}");
    assert!(scenario.chosen[0].contains("0.74 static, 0.57 sliding (Avallone"), "{:?}", scenario.chosen);
    let error = bad(steel, "friction.library = { surface = \"wet\" }");
    assert!(error.to_string().contains("no friction of steel on steel, wet"), "{error}");
    assert_eq!(error.advice(), Some("it has them dry, oiled"));
    let error = bad("[material.a]\nlike = \"stele\"\n[material.b]", "");
    assert!(error.to_string().contains("`material.a.like`: the library has no material `stele`"), "{error}");
    assert!(error.advice().unwrap().contains("steel"));
    let error = bad(PLAIN, "friction.library = { surface = \"dry\" }");
    assert!(error.to_string().contains("does not say what it is like"), "{error}");
}

/// Crates put down at rest, with the numbers that are chosen: they stay below the static limit and slide above it.
#[test]
fn what_is_put_on_a_slope_stays_with_the_chosen_numbers() {
    // tan 24° = 0.445 and tan 28° = 0.532, about a static coefficient of 0.5.
    for (degrees, friction, stays) in [
        (24.0_f64, "friction.bristle = { coefficient = 0.3, static_coefficient = 0.5 }", true),
        (28.0, "friction.bristle = { coefficient = 0.3, static_coefficient = 0.5 }", false),
        (
            25.0,
            "friction.bristle = { coefficient = 0.3, static_coefficient = 0.5, dwell_time = \"1 s\" }",
            false,
        ),
        // LuGre lets go in the same rocking, and slides without diverging at this step.
        (20.0, "friction.lugre = { coefficient = 0.3, static_coefficient = 0.5 }", false),
        (15.0, "friction.lugre = { coefficient = 0.3, static_coefficient = 0.5 }", true),
    ] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = \"1 ms\" }}\n\
             [world]\ngravity = [{}, 0, {}]\n{PLAIN}\n[body.floor]\nfixed = true\nshape.half_space = {{ normal = [0, 0, 1] }}\n\
             material = \"a\"\n[body.crate]\nmass = \"200 kg\"\nshape.box = {{ size = [1, 1, 1] }}\nmaterial = \"b\"\n\
             position = [0, 0, {}]\n[[contact]]\nbetween = [\"a\", \"b\"]\n\
             normal.linear = {{ stiffness = \"5 MN/m\", restitution = 0.1 }}\n{friction}\n",
            9.81 * sin,
            -9.81 * cos,
            0.5 - 200.0 * 9.81 * cos / 5e6,
        );
        let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap();
        let mut world = fender_engine::World::new(scenario.model);
        let integrator = scenario.run.integrator.build();
        while world.state.time < 2.0 {
            world.step(&*integrator, f64::INFINITY).unwrap();
        }
        world.refresh();
        let crate_body = world.model.body_named("crate").unwrap();
        let moved = world.pose(crate_body).translation.x;
        assert!(moved < 10.0, "{moved}");
        assert_eq!(moved < 5e-3, stays, "{degrees}° {friction}: moved {moved} m");
    }
}
