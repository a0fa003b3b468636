//! What a file says and the program does not do: refused, or warned of with number, cause and remedy.

use fender_math::Vec3;
use fender_scenario::{Assets, Override, Scenario, ScenarioError, load_str};

const HEAD: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.generalized_alpha = { step = \"1 ms\" }\n\
    [material.steel]\nlike = \"steel\"\n[line.rope]\nmass = \"1 kg/m\"\ndiameter = \"1 cm\"\naxial.linear = { stiffness = \"1 MN\", damping = \"1 kN*s\" }\n";
const STEEL: &str =
    "[[contact]]\nbetween = [\"steel\", \"steel\"]\nnormal.linear = { stiffness = 1e4, restitution = 0.5 }\n";

fn load(text: &str) -> Result<Scenario, Box<ScenarioError>> {
    load_str("t", &format!("{HEAD}{text}"), &Assets::none(), &[]).map_err(Box::new)
}

#[track_caller]
fn warned(text: &str) -> Vec<String> {
    let mut warnings = load(text).unwrap().warnings;
    // Not every scene here needs the line and the material of the head.
    warnings.retain(|warning| !warning.ends_with("is not used"));
    warnings
}

#[test]
fn a_free_body_in_water_says_that_the_sea_leaves_it_alone() {
    let barge =
        |more: &str| format!("[water]\ndepth = 60\n[body.barge]\nmass = 6e5\ninertia = [1, 1, 1]\n{more}\n");
    let error = load(&barge("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t/scenario.toml:14:7: `body.barge`: the body is free in a scene with [water], and bodies do not float yet: it would sink through sea and bed"
    );
    let advice = error.advice().unwrap();
    for remedy in ["fixed = true", "driven", "joint", "`water = \"ignored\"`", "[force.NAME]"] {
        assert!(advice.contains(remedy), "'{remedy}' is not in {advice}");
    }
    assert_eq!(warned(&barge("water = \"ignored\"")), Vec::<String>::new());
    let joint = "[joint.heave]\nchild = \"barge\"\nmotion.prismatic = { axis = [0, 0, 1] }";
    assert!(load(&barge(joint)).is_ok(), "{}", load(&barge(joint)).unwrap_err());
    let fixed = "[water]\n[body.post]\nfixed = true\nwater = \"ignored\"\n";
    assert!(
        warned(fixed).iter().any(|w| w == "`body.post.water` has no effect, because the body is not free")
    );
    let dry = barge("water = \"ignored\"").replace("[water]\ndepth = 60\n", "");
    assert!(warned(&dry).iter().any(|w| w.contains("because there is no [water]")));
}

/// A rope over a bollard of 15 cm, drawn through or around it.
fn bollard(through: &str) -> String {
    format!(
        "[body.bollard]\nfixed = true\nmaterial = \"steel\"\nposition = [0, 0, 3]\nshape.cylinder = {{ radius = \"15 cm\", height = \"1 m\" }}\n\
         orientation.euler = {{ roll = \"90 deg\" }}\n[cable.c]\nline = \"rope\"\nlength = 4\nelements = 40\nstart = {{ fixed = [-1, 0, 3] }}\nend = {{ fixed = [1, 0, 3] }}\n\
         shape.through = [{through}]\n"
    )
}

#[test]
fn a_cable_that_passes_through_a_body_is_told() {
    let warnings = warned(&bollard("[-1, 0, 3], [0, 0, 3], [1, 0, 3]"));
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(
        warning.starts_with("the cable `c` passes through `bollard` at (-0.15, 0, 3) m, t = 0 s: cables do not touch bodies yet."),
        "{warning}"
    );
    assert!(warning.contains("`sheave`") && warning.contains("`ring`"), "{warning}");
    let around = bollard("[-1, 0, 3], [0, 0, 4], [1, 0, 3]");
    assert!(warned(&around).is_empty(), "{:?}", warned(&around));
    // What holds it is meant to be where it is.
    let tied =
        around.replace("start = { fixed = [-1, 0, 3] }", "start = { body = \"bollard\", at = [0, 0, 3] }");
    assert!(warned(&tied.replace("[-1, 0, 3], [0, 0, 4]", "[0, 0, 3], [0, 0, 4]")).is_empty());
}

#[test]
fn a_contact_rule_that_nothing_uses_is_noted() {
    let rope = "[material.rope]\nlike = \"rope\"\n[[contact]]\nbetween = [\"rope\", \"steel\"]\nnormal.linear = { stiffness = 1e4, restitution = 0.5 }\n";
    let ball = |name: &str, x: f64| {
        format!(
            "[body.{name}]\nshape.sphere = {{ radius = 0.1 }}\nmaterial = \"steel\"\nposition = [{x}, 0, 0]\n"
        )
    };
    let notes = load(&format!("{rope}{STEEL}{}{}", ball("a", 0.0), ball("b", 1.0))).unwrap().notes;
    assert_eq!(
        notes,
        [
            "the contact rule between `rope` and `steel` is not used: no body has a shape of `rope`; cables do not touch anything"
        ]
    );
    let notes = load(&format!("{STEEL}{}", ball("a", 0.0))).unwrap().notes;
    assert!(notes[0].contains("between `steel` and `steel` is not used: no two bodies"), "{notes:?}");
}

#[test]
fn a_driven_table_that_begins_with_a_jump_is_told() {
    let cable = "[cable.c]\nline = \"rope\"\nlength = 4\nstart = { body = \"boat\", at = [0, 0, 0] }\nend = { fixed = [3, 0, 0] }\n";
    let boat = |rows: &str| format!("[body.boat]\ndriven.points = [{rows}]\n");
    let told = |text: &str| warned(text).into_iter().filter(|w| w.contains("jump")).collect::<Vec<_>>();
    // At 0.5 m/s from the first instant.
    let warnings = told(&(boat("[0, 0, 0, 0], [10, 5, 0, 0]") + cable));
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(
        warning.starts_with(
            "the table of the driven body `boat` begins with a jump: it moves at 0.5 m/s at t = 0 s"
        ) && warning.contains("several equal rows"),
        "{warning}"
    );
    // A belt at constant speed, which holds nothing.
    assert!(told(&boat("[0, 0, 0, 0], [10, 5, 0, 0]")).is_empty());
    assert_eq!(told(&boat("[0, 0, 0, 0], [1, 1, 0, 0], [2, 0, 0, 0]")).len(), 1);
}

/// Runs take 1 s. z = t² comes to 2·0.8 m/s, but for what a natural spline makes of its last tenth.
#[test]
fn a_driven_table_that_ends_with_a_jump_before_the_run_is_told() {
    let plate = |end: u32| {
        let row = |i: u32| format!("[{0}, 0, 0, {1}]", f64::from(i) / 10.0, f64::from(i * i) / 100.0);
        let rows: Vec<String> = (0..=end).map(row).collect();
        warned(&format!("[body.plate]\ndriven.points = [{}]\n", rows.join(", ")))
    };
    let warnings = plate(8);
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    for part in [
        "the driven body `plate` ends with a jump: it moves at 1.5",
        " m/s up to t = 0.8 s",
        "of the run at 1 s",
    ] {
        assert!(warning.contains(part), "no '{part}' in {warning}");
    }
    // A run that ends with its table, or before it, sees no stop.
    assert_eq!((plate(10), plate(12)), (vec![], vec![]));
    // A sine goes on after a period.
    let sine = "[body.plate]\ndriven.motion.heave.sine = { amplitude = 0.1, period = 0.3, ramp = 0.2 }\n";
    assert_eq!(warned(sine), Vec::<String>::new());
}

#[test]
fn a_step_that_a_contact_does_not_allow_is_a_warning_of_the_scenario() {
    let ball = "[body.floor]\nfixed = true\nshape.half_space = { normal = [0, 0, 1] }\nmaterial = \"steel\"\n\
        [body.ball]\nshape.sphere = { radius = 0.1 }\nmass = 1\nmaterial = \"steel\"\nposition = [0, 0, 1]\n";
    assert_eq!(warned(&format!("{STEEL}{ball}")), Vec::<String>::new());
    // √(m/k) = √(1 kg / 1e8 N/m) = 0.1 ms.
    let stiff = STEEL.replace("1e4", "1e8");
    let warnings = warned(&format!("{stiff}{ball}"));
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(
        warning,
        "the step of 1 ms is more than the 100 µs that the contact rule steel-steel allows, whose stiffness is 1.000e8 N/m: take a step of 25 µs, or a \
         smaller stiffness"
    );
}

#[test]
fn a_point_on_a_body_is_given_in_the_world_or_in_its_frame() {
    let cable = |end: &str, along: &str| {
        format!(
            "[body.boat]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 5]\norientation.euler = {{ yaw = \"90 deg\" }}\n\
             [cable.c]\nline = \"rope\"\nlength = 8\nstart = {{ fixed = [0, -6, 5] }}\nend = {{ body = \"boat\", {end} }}\nshape = \"straight\"\n{along}"
        )
    };
    let tie = |point: &str| {
        format!("along = [{{ at = 2, name = \"t\", body = \"boat\", {point}, attached = false }}]\n")
    };
    let drawn = load(&cable("at = [0, 1, 5]", &tie("point = [0, 1, 5]"))).unwrap();
    let local = load(&cable("body_point = [1, 0, 0]", &tie("body_point = [1, 0, 0]"))).unwrap();
    for scenario in [&drawn, &local] {
        for tie in [1, 2] {
            let at = scenario.model.cables[0].ties[tie].1.point.at;
            assert!((at - Vec3::X).length() < 1e-12, "{tie}: {at}");
        }
    }
    let both = load(&cable("at = [0, 1, 5], body_point = [1, 0, 0]", "")).unwrap_err();
    assert!(
        both.to_string().contains("give either `at`, in the world, or `body_point`, in the body's frame")
    );
    let none = load(&cable("attached = true", "")).unwrap_err();
    assert!(none.to_string().ends_with("the key `at` is missing: where on the body"), "{none}");
    assert!(none.advice().unwrap().contains("body_point = [0, 0, 1]"));
}

#[test]
fn numbers_that_cannot_be_computed_with_are_refused() {
    let ball = "[body.ball]\nmass = 1\ninertia = [1, 1, 1]\n";
    let set = |value: &str| {
        let text = format!("{HEAD}{ball}").replace("mass = 1\n", &format!("mass = {value}\n"));
        load_str("t", &text, &Assets::none(), &[]).map_err(|e| e.to_string())
    };
    assert_eq!(
        set("\"1e308 kg\"").unwrap_err(),
        "t/scenario.toml:13:8: `body.ball.mass`: 1e308 kg is too large to compute with: at most 1e50 kg is allowed"
    );
    assert_eq!(
        set("5e-324").unwrap_err(),
        "t/scenario.toml:13:8: `body.ball.mass`: 5e-324 kg is too small to compute with: at least 1e-50 kg is allowed"
    );
    assert!(set("1e30").is_ok());
    let zero = [Override::new("body.ball.velocity", "[0, 0, 1e-60]")];
    let error = load_str("t", &format!("{HEAD}{ball}"), &Assets::none(), &zero).unwrap_err();
    assert!(error.to_string().ends_with("at least 1e-50 m/s or 0 is allowed"), "{error}");
}

#[test]
fn an_array_of_half_spaces_is_refused() {
    let floor = "[body.floor]\nfixed = true\nshape.half_space = { normal = [0, 0, 1] }\nmaterial = \"steel\"\narray.grid = { count = [20, 20, 20], spacing = [1, 1, 1] }\n";
    let error = load(floor).unwrap_err();
    assert!(error.to_string().contains("an array of half-spaces is one half-space"), "{error}");
    assert!(error.advice().unwrap().contains("take boxes"));
}
