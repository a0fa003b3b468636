//! Every mistake a file can have: the message names the file, the line, the key and what to do.

use fender_scenario::{Assets, ErrorKind, Override, ScenarioError, load, load_str};
use miette::Diagnostic as _;

const BALL: &str = include_str!("../data/ball-on-incline.toml");

fn fails(text: &str) -> ScenarioError {
    load_str("t", text, &Assets::none(), &[]).expect_err("the file is wrong")
}

/// The ball with one thing changed.
fn changed(from: &str, to: &str) -> ScenarioError {
    assert_eq!(BALL.matches(from).count(), 1, "'{from}' must be there once");
    fails(&BALL.replace(from, to))
}

/// The ball with a section added.
fn added(section: &str) -> ScenarioError {
    fails(&format!("{BALL}\n{section}\n"))
}

fn set(path: &str, value: &str) -> ScenarioError {
    load_str("t", BALL, &Assets::none(), &[Override::new(path, value)]).expect_err("the override is wrong")
}

#[track_caller]
fn says(error: &ScenarioError, message: &str, advice: &str) {
    assert_eq!(error.to_string(), message);
    assert_eq!(error.advice().unwrap_or(""), advice);
    // Whoever shows the source must be able to.
    if let Some(source) = error.source_code() {
        for label in error.labels().into_iter().flatten() {
            source.read_span(label.inner(), 1, 1).expect("labels are inside the source");
        }
    }
}

#[test]
fn unknown_key() {
    says(
        &changed("mass = \"2 kg\"", "mas = \"2 kg\""),
        "t/scenario.toml:19:1: `body.ball.mas`: unknown key `mas`",
        "did you mean `mass`?",
    );
    says(
        &changed("radius = ", "raduis = "),
        "t/scenario.toml:18:18: `body.ball.shape.sphere.raduis`: unknown key `raduis`",
        "did you mean `radius`?",
    );
    says(
        &changed("[world]", "[wrld]"),
        "t/scenario.toml:11:2: `wrld`: unknown key `wrld`",
        "did you mean `world`?",
    );
}

#[test]
fn settings_of_implicit_methods() {
    let scenario = |method: &str| {
        format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.{method}\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\n"
        )
    };
    let refused = |method: &str| {
        let error = load_str("t", &scenario(method), &Assets::none(), &[]).expect_err(method).to_string();
        error.split_once(": ").expect("the place comes first").1.to_owned()
    };
    assert_eq!(
        refused("hht = { step = 0.01, damping = 0.5 }"),
        "`run.integrator.hht.damping`: the damping goes from 0 to 1/3, and this is 0.5"
    );
    assert_eq!(
        refused("generalized_alpha = { step = 0.01, radius = 1.5 }"),
        "`run.integrator.generalized_alpha.radius`: the radius goes up to 1, which damps nothing, and this is 1.5"
    );
    assert_eq!(
        refused("newmark = { step = 0.01, iterations = 0 }"),
        "`run.integrator.newmark.iterations`: from 1 to 1000"
    );
    assert_eq!(
        refused("midpoint = { step = 0.01, halvings = 30 }"),
        "`run.integrator.midpoint.halvings`: from 0 to 20"
    );
    assert_eq!(
        refused("newmark = { step = 0.01, halvings = 50 }"),
        "`run.integrator.newmark.halvings`: from 0 to 20"
    );
    assert!(refused("generalized_alpha = { step = 0.01, radius = 0 }").contains("radius"));
}

#[test]
fn unknown_choice() {
    says(
        &changed("shape.sphere", "shape.spere"),
        "t/scenario.toml:18:7: `body.ball.shape.spere`: unknown choice `spere`",
        "did you mean `sphere`?",
    );
    says(
        &changed("restitution = 0.5 }", "restitution = 0.5, damping = \"hunt\" }"),
        "t/scenario.toml:31:64: `contact[0].normal.hertz.damping`: unknown choice `hunt`",
        "did you mean `hunt_crossley`?",
    );
    says(
        &changed("integrator.rk4 = {", "integrator.rk4 = { step = 1 }\nintegrator.rk3 = {"),
        "t/scenario.toml:10:12: `run.integrator`: expected exactly one of `explicit_euler`, `semi_implicit_euler`, \
         `rk3`, `rk4`, `rk5`, `newmark`, `hht`, `generalized_alpha`, `midpoint`, `sdirk4`, `rk45`, `dormand_prince`, got `rk4` and `rk3`",
        "",
    );
}

#[test]
fn an_orientation_as_a_list() {
    let list = added("[body.b]\nfixed = true\norientation = [1, 0, 0, 0]");
    assert_eq!(
        list.to_string(),
        "t/scenario.toml:47:15: `body.b.orientation`: expected one of `quaternion`, `axis_angle`, `euler`, got a list"
    );
    let advice = list.advice().unwrap();
    assert!(advice.contains("`orientation.quaternion = { w = 1, x = 0, y = 0, z = 0 }`"), "{advice}");
    assert!(
        advice.contains("`orientation.axis_angle = { axis = [0, 0, 1], angle = \"90 deg\" }`"),
        "{advice}"
    );
    says(
        &added("[body.b]\nfixed = true\norientation.quaternion = [1, 0, 0, 0]"),
        "t/scenario.toml:47:26: `body.b.orientation.quaternion`: expected a table, got a list",
        "write a table: `{ w = …, x = …, y = …, z = … }`",
    );
}

#[test]
fn a_choice_with_and_without_settings() {
    says(
        &changed("integrator.rk4 = { step = \"0.1 ms\" }", "integrator = \"rk4\""),
        "t/scenario.toml:9:14: `run.integrator`: `rk4` has settings: write `rk4 = { … }` below this key",
        "",
    );
    says(
        &changed("restitution = 0.5 }", "restitution = 0.5, damping.exact = {} }"),
        "t/scenario.toml:31:70: `contact[0].normal.hertz.damping.exact`: `exact` is a word: write \"exact\" without a table",
        "",
    );
}

#[test]
fn missing_key() {
    says(
        &changed("duration = \"3 s\"\n", ""),
        "t/scenario.toml:7:2: `run`: the key `duration` is missing",
        "",
    );
    says(
        &changed("{ radius = \"0.1 m\" }", "{}"),
        "t/scenario.toml:18:7: `body.ball.shape.sphere`: the key `radius` is missing",
        "",
    );
    says(
        &changed("format = 1\n", ""),
        "t/scenario.toml:1:1: the key `format` is missing",
        "start the file with format = 1",
    );
    says(
        &changed("why = \"rolling without slip keeps 5/7 of the entry speed across the slope\"\n", ""),
        "t/scenario.toml:38:1: `expect[0]`: the key `why` is missing",
        "",
    );
}

#[test]
fn another_format() {
    says(
        &changed("format = 1", "format = 2"),
        "t/scenario.toml:1:10: `format`: this file has format 2, and this program reads format 1",
        "a newer version of fender may read it",
    );
    says(
        &changed("format = 1", "format = \"1\""),
        "t/scenario.toml:1:10: `format`: expected the number 1, got a text",
        "",
    );
}

#[test]
fn wrong_unit() {
    says(
        &changed("\"0.1 m\"", "\"0.1 kg\""),
        "t/scenario.toml:18:27: `body.ball.shape.sphere.radius`: expected a length such as \"0.3 m\", got a mass (\"0.1 kg\")",
        "",
    );
    says(
        &changed("\"2 kg\"", "\"2\""),
        "t/scenario.toml:19:8: `body.ball.mass`: expected a mass such as \"2 kg\", got a plain number (\"2\"); a number \
         without quotes is in kg",
        "",
    );
    says(
        &changed("\"0.1 ms\"", "\"0.1 seconds\""),
        "t/scenario.toml:9:27: `run.integrator.rk4.step`: expected a time such as \"10 ms\", and \"seconds\" is not a unit \
         (did you mean \"s\"?)",
        "",
    );
    says(
        &changed("\"0.1 m\"", "\"0,1 m\""),
        "t/scenario.toml:18:27: `body.ball.shape.sphere.radius`: expected a length such as \"0.3 m\", and a number has a point for \
         its fraction, not a comma (did you mean \"0.1 m\"?)",
        "",
    );
    says(
        &changed("coefficient = 0.5", "coefficient = true"),
        "t/scenario.toml:32:36: `contact[0].friction.coulomb.coefficient`: expected a plain number, got true",
        "",
    );
}

#[test]
fn points_without_digits() {
    for (wrong, right) in
        [(".5", "0.5"), ("-.5", "-0.5"), ("5.", "5.0"), ("+.5e-3", "+0.5e-3"), ("5.e3", "5.0e3")]
    {
        says(
            &changed("\"2 kg\"", wrong),
            &format!("t/scenario.toml:19:8: `{wrong}` needs a digit on both sides of its point"),
            &format!("write `{right}`"),
        );
    }
}

#[test]
fn wrong_type_or_length() {
    says(
        &changed("[-1, 0.5, 0]", "[-1, 0.5]"),
        "t/scenario.toml:22:12: `body.ball.velocity`: expected a list of 3, got 2",
        "",
    );
    says(
        &changed("[-1, 0.5, 0]", "[-1, 0.5, 0, 0]"),
        "t/scenario.toml:22:12: `body.ball.velocity`: expected a list of 3, got 4",
        "",
    );
    says(
        &changed("[-1, 0.5, 0]", "[-1, \"0.5 m\", 0]"),
        "t/scenario.toml:22:17: `body.ball.velocity[1]`: expected a velocity such as \"1.5 m/s\", got a length (\"0.5 m\")",
        "",
    );
    says(
        &changed("fixed = true", "fixed = \"yes\""),
        "t/scenario.toml:25:9: `body.slope.fixed`: expected true or false, got the text \"yes\"",
        "",
    );
    says(
        &changed("{ radius = \"0.1 m\" }", "3"),
        "t/scenario.toml:18:16: `body.ball.shape.sphere`: expected a table, got a number",
        "write a table: `{ radius = … }`",
    );
    says(
        &added("[body.b]\nfixed = true\narray.grid = { count = [1.5, 1, 1], spacing = [1, 1, 1] }"),
        "t/scenario.toml:47:25: `body.b.array.grid.count[0]`: expected a whole number, zero or positive, got the number 1.5",
        "",
    );
    says(
        &changed("title = \"Ball on an incline\"", "title = 1979-05-27"),
        "t/scenario.toml:2:9: `title`: expected a text, got the date 1979-05-27",
        "",
    );
}

#[test]
fn impossible_mass() {
    says(
        &changed("\"2 kg\"", "-2"),
        "t/scenario.toml:19:8: `body.ball.mass`: must be positive and finite, and is -2 kg",
        "",
    );
    says(
        &changed("\"2 kg\"", "nan"),
        "t/scenario.toml:19:8: `body.ball.mass`: must be positive and finite, and is NaN kg",
        "",
    );
    says(
        &changed("\"2 kg\"", "inf"),
        "t/scenario.toml:19:8: `body.ball.mass`: must be positive and finite, and is inf kg",
        "",
    );
    let without = BALL.replace("mass = \"2 kg\"\n", "").replace("density = \"1100 kg/m^3\"", "");
    says(
        &fails(&without),
        "t/scenario.toml:17:7: `body.ball`: the mass of this free body is unknown: the key `mass` is missing",
        "give it a `mass`, or give its material a `density`, or `fixed = true`",
    );
    says(
        &changed("shape.sphere = { radius = \"0.1 m\" }\n", ""),
        "t/scenario.toml:17:7: `body.ball`: the inertia of this free body is unknown: the key `inertia` is missing",
        "give it an `inertia` such as [0.1, 0.1, 0.1], or a `shape`",
    );
}

#[test]
fn impossible_inertia() {
    says(
        &changed("mass = \"2 kg\"", "mass = \"2 kg\"\ninertia = [1, 1, 3]"),
        "t/scenario.toml:20:11: `body.ball.inertia`: no body has this inertia: its principal moments 1, 1 and 3 kg·m² \
         break the triangle inequality (the largest must not exceed the sum of the other two)",
        "",
    );
    says(
        &changed("mass = \"2 kg\"", "mass = \"2 kg\"\ninertia = { xx = 1, yy = 1, zz = -1 }"),
        "t/scenario.toml:20:1: `body.ball.inertia`: every principal moment of inertia must be positive; they are 1, 1 and \
         -1 kg·m²",
        "",
    );
    says(
        &changed("mass = \"2 kg\"", "mass = \"2 kg\"\ncenter_of_mass = [0, 0, 0.01]"),
        "t/scenario.toml:17:7: `body.ball`: `center_of_mass` is given, and the key `inertia` is missing",
        "give the inertia about that centre: that of the shapes is about another",
    );
}

#[test]
fn impossible_shape() {
    says(
        &changed("\"0.1 m\"", "0"),
        "t/scenario.toml:18:27: `body.ball.shape.sphere.radius`: must be positive and finite, and is 0 m",
        "",
    );
    says(
        &changed("normal = [0.342, 0, 0.940]", "normal = [0, 0, 0]"),
        "t/scenario.toml:26:31: `body.slope.shape.half_space.normal`: this vector gives a direction and must not be zero",
        "",
    );
    says(
        &changed("fixed = true\n", ""),
        "t/scenario.toml:25:1: `body.slope.shape`: a half_space has no mass, so the body cannot be free",
        "fix it (fixed = true), drive it, or give it another shape",
    );
}

#[test]
fn shapes_of_scenery() {
    let slope = "half_space = { normal = [0.342, 0, 0.940], offset = 0.4 }";
    says(
        &changed(slope, "edge = { normals = [[0, 0, 1], [0, 0, -1]] }"),
        "t/scenario.toml:26:1: `body.slope.shape`: the angle inside an edge must be above 0 and at most 180 degrees, and is 0 degrees",
        "",
    );
    says(
        &changed(slope, "edge = { normals = [[0, 0, 1], [0, 0, 0]] }"),
        "t/scenario.toml:26:38: `body.slope.shape.edge.normals[1]`: this vector gives a direction and must not be zero",
        "",
    );
    says(
        &changed(slope, "bore = { radius = \"5 cm\" }"),
        "t/scenario.toml:17:7: `body.ball`: the sphere of 'ball' has a radius of 0.1 m and does not fit into the bore of 'slope', whose \
         radius is 0.05 m",
        "",
    );
    says(
        &fails(
            &BALL
                .replace(slope, "funnel = { radius = 1, height = 1 }")
                .replace("sphere = { radius = \"0.1 m\" }", "box = { size = [1, 1, 1] }"),
        ),
        "t/scenario.toml:17:7: `body.ball`: bodies 'ball' (box) and 'slope' (funnel) can touch, and this pair of shapes is not supported",
        "`funnel` meets only `sphere`, `torus`, `half_torus` and `link`: make `ball` of these (`shapes` takes several), or give `slope` a `mesh` of the same \
         surface, which meets all solids; or let them pass: [[ignore]] bodies = [\"ball\", \"slope\"]",
    );
    says(
        &fails(
            &BALL.replace(slope, "edge = { normals = [[0, 0, 1], [1, 0, 0]] }").replace("fixed = true\n", ""),
        ),
        "t/scenario.toml:25:1: `body.slope.shape`: an edge has no mass, so the body cannot be free",
        "fix it (fixed = true), drive it, or give it another shape",
    );
}

/// What is proposed for a pair of shapes that do not meet does.
#[test]
fn what_is_to_meet_scenery_does() {
    let loads = |scenery: &str, shape: &str| {
        let text = BALL
            .replace("half_space = { normal = [0.342, 0, 0.940], offset = 0.4 }", scenery)
            .replace("sphere = { radius = \"0.1 m\" }", shape);
        load_str("t", &text, &Assets::none(), &[]).is_ok()
    };
    let sphere = "sphere = { radius = 0.1 }";
    let rings = [
        "torus = { radius = 0.1, tube = 0.02 }",
        "half_torus = { radius = 0.1, tube = 0.02 }",
        "link = { diameter = 0.01, length = 0.05, width = 0.02 }",
    ];
    let solids = [
        "box = { size = [1, 1, 1] }",
        "cylinder = { radius = 0.1, height = 1 }",
        "capsule = { radius = 0.1, height = 1 }",
        "ellipsoid = { radii = [1, 2, 3] }",
        "cone = { radius = 0.1, height = 1 }",
        "polyhedron = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }",
    ];
    // Solids with a convex cross-section meet an edge over a patch, but for what touches at a point with a curvature.
    let edge = "edge = { normals = [[0, 0, 1], [1, 0, 0]] }";
    for shape in rings.iter().chain([&sphere]).chain(&solids) {
        assert_eq!(loads(edge, shape), !shape.starts_with("ellipsoid"), "{shape}");
    }
    for scenery in ["bore = { radius = 1 }", "funnel = { radius = 1, height = 1 }"] {
        assert!(rings.iter().chain([&sphere]).all(|shape| loads(scenery, shape)), "{scenery}");
        assert!(!solids.iter().any(|shape| loads(scenery, shape)), "{scenery}");
    }
    // A field of heights is a mesh.
    let mesh = "heightfield = { heights = [[0, 0], [0, 0]], spacing = [1, 1] }";
    for shape in rings.iter().chain([&sphere]).chain(&solids).chain([&mesh]) {
        assert!(loads(mesh, shape), "{shape}");
    }
}

#[test]
fn rings_and_links() {
    let ball = "sphere = { radius = \"0.1 m\" }";
    says(
        &changed(ball, "torus = { radius = \"4 cm\", tube = \"5 cm\" }"),
        "t/scenario.toml:18:1: `body.ball.shape`: the bar of a torus must be thinner than its arc is wide: its radius is 0.05 m, that of the \
         arc 0.04 m",
        "",
    );
    says(
        &changed(ball, "link = { diameter = \"10 mm\", length = \"13 mm\", width = \"13.5 mm\" }"),
        "t/scenario.toml:18:45: `body.ball.shape.link.length`: the inner length of a link must be greater than its inner width",
        "for a round link use a torus",
    );
    says(
        &changed(ball, "torus = { radius = \"5 cm\", tube = \"5 cm\" }"),
        "t/scenario.toml:18:1: `body.ball.shape`: the bar of a torus must be thinner than its arc is wide: its radius is 0.05 m, that of the \
         arc 0.05 m",
        "",
    );
    // A link without a hole would cut itself.
    for (width, value) in [("0 mm", "0"), ("-1 mm", "-0.001")] {
        says(
            &changed(
                ball,
                &format!("link = {{ diameter = \"10 mm\", length = \"30 mm\", width = \"{width}\" }}"),
            ),
            &format!(
                "t/scenario.toml:18:62: `body.ball.shape.link.width`: must be positive and finite, and is {value} m"
            ),
            "",
        );
    }
    says(
        &changed(ball, "half_torus = { radius = \"4 cm\" }"),
        "t/scenario.toml:18:7: `body.ball.shape.half_torus`: the key `tube` is missing",
        "",
    );
}

/// A link through which its own bar does not fit is possible, but no chain.
#[test]
fn narrow_links_are_told_of() {
    let warnings = |width: &str| {
        let link = format!("link = {{ diameter = \"10 mm\", length = \"30 mm\", width = \"{width}\" }}");
        let text = BALL.replace("sphere = { radius = \"0.1 m\" }", &link);
        load_str("t", &text, &Assets::none(), &[]).expect("it is possible").warnings
    };
    assert_eq!(
        warnings("8 mm"),
        [
            "`body.ball.shape.link`: another link of the same bar does not fit through it: its inner width is 0.008 m, less than the \
             diameter of its bar, 0.01 m"
        ]
    );
    assert!(warnings("10 mm").is_empty());
}

#[test]
fn duplicate_name() {
    let error = added("[body.ball]\nfixed = true");
    says(
        &error,
        "t/scenario.toml:45:7: the name `ball` is defined twice",
        "give one of them another name, or join the two",
    );
    assert_eq!(error.kind(), ErrorKind::Key);
    assert_eq!(error.labels().unwrap().count(), 2, "the first place is shown too");
    let error = changed("mass = \"2 kg\"", "mass = \"2 kg\"\nmass = 3");
    says(
        &error,
        "t/scenario.toml:20:1: the name `mass` is defined twice",
        "give one of them another name, or join the two",
    );
    assert_eq!(error.labels().unwrap().nth(1).unwrap().offset(), BALL.find("mass = ").unwrap());
    says(
        &added(
            "[body.b]\nfixed = true\narray.grid = { count = [1, 1, 1], spacing = [1, 1, 1] }\n[body.b-0-0-0]\nfixed = true",
        ),
        "t/scenario.toml:48:7: `body.b-0-0-0`: the name `b-0-0-0` is used twice",
        "an array NAME makes bodies called NAME-0-0-0, NAME-1-0-0, …",
    );
}

#[test]
fn a_name_that_cannot_be_a_name() {
    says(
        &changed("[body.slope]", "[body.\"a.b\"]"),
        "t/scenario.toml:24:7: `body.a.b`: \"a.b\" cannot be a name: signals are called by it",
        "use letters, digits, `_` and `-`",
    );
}

#[test]
fn reference_to_a_body_that_is_not_there() {
    says(
        &added("[force.pull]\nload = { body = \"bal\", force = [1, 0, 0] }"),
        "t/scenario.toml:46:17: `force.pull.load.body`: there is no body `bal`",
        "did you mean `ball`?",
    );
    says(
        &added("[force.pull]\nspring = { between = [\"ball\", \"hook\"], stiffness = 1 }"),
        "t/scenario.toml:46:31: `force.pull.spring.between[1]`: there is no body `hook`",
        "bodies: `ball`, `slope`",
    );
    says(
        &added("[[ignore]]\nbodies = [\"ball\", \"slop\"]"),
        "t/scenario.toml:46:19: `ignore[0].bodies[1]`: there is no body `slop`",
        "did you mean `slope`?",
    );
    says(
        &added("[[ignore]]\ngroups = [\"x\", \"x\"]"),
        "t/scenario.toml:46:11: `ignore[0].groups[0]`: no body is in the group `x`",
        "there are no groups",
    );
    says(
        &added(
            "[body.b]\nfixed = true\narray.grid = { count = [2, 1, 1], spacing = [1, 1, 1] }\n[force.f]\ndrag.body = \"b\"",
        ),
        "t/scenario.toml:49:13: `force.f.drag.body`: `b` is an array of 2 bodies, and one is needed",
        "name one of them, such as `b-0-0-0`",
    );
}

#[test]
fn reference_to_a_material_or_parameter_that_is_not_there() {
    says(
        &changed("[\"rubber\", \"rubber\"]", "[\"rubber\", \"ruber\"]"),
        "t/scenario.toml:30:22: `contact[0].between[1]`: there is no material `ruber`",
        "did you mean `rubber`?",
    );
    says(
        &changed("material = \"rubber\"\nposition", "position"),
        "t/scenario.toml:17:7: `body.ball`: the key `material` is missing: a shape needs one",
        "materials: `rubber`",
    );
    says(
        &changed("\"$drop_height\"", "\"$dropheight\""),
        "t/scenario.toml:21:19: `body.ball.position[2]`: there is no parameter `dropheight`",
        "did you mean `drop_height`?",
    );
    says(
        &changed("drop_height = \"2 m\"", "drop_height = \"$a\"\na = [\"$drop_height\"]"),
        "t/scenario.toml:5:1: `parameter.drop_height[0]`: the parameter `a` is defined by itself: `a` → `drop_height` → `a`",
        "",
    );
    // The use is pointed at, and the definition too.
    let error = changed("\"2 m\"", "\"2 kg\"");
    says(
        &error,
        "t/scenario.toml:21:19: `body.ball.position[2]`: expected a length such as \"0.3 m\", got a mass (\"2 kg\")",
        "",
    );
    assert_eq!(error.labels().unwrap().count(), 2);
}

#[test]
fn override_that_does_not_fit() {
    says(
        &set("body.bal.mass", "3"),
        "--set:1:1: `body.bal.mass`: there is no `body.bal` in the file",
        "did you mean `ball`?",
    );
    says(&set("body.ball.mas", "3"), "--set:1:1: `body.ball.mas`: unknown key `mas`", "did you mean `mass`?");
    says(
        &set("bdy.ball.mass", "3"),
        "--set:1:1: `bdy.ball.mass`: there is no `bdy` in a scenario",
        "did you mean `body`?",
    );
    says(
        &set("dropheight", "3"),
        "--set:1:1: `dropheight`: there is no parameter or key `dropheight`",
        "did you mean `drop_height`?",
    );
    says(
        &set("contact[3].friction", "none"),
        "--set:1:1: `contact[3].friction`: `contact` has 1 entries, counted from 0",
        "",
    );
    says(
        &set("run.duration.x", "3"),
        "--set:1:1: `run.duration.x`: `run.duration` is a text, so nothing below it can be set",
        "",
    );
    says(
        &set("body.ball.mass", "-3"),
        "--set:1:1: `body.ball.mass`: must be positive and finite, and is -3 kg",
        "",
    );
    says(
        &set("run.integrator.rk3.step", "1e-3"),
        "--set:1:1: `run.integrator`: expected exactly one of `explicit_euler`, `semi_implicit_euler`, `rk3`, `rk4`, `rk5`, `newmark`, `hht`, `generalized_alpha`, `midpoint`, `sdirk4`, `rk45`, \
         `dormand_prince`, got `rk4` and `rk3`",
        "set the whole table, as in --set run.integrator={rk4={step=1e-3}}",
    );
    says(
        &set("drop_height", "3 kg"),
        "t/scenario.toml:21:19: `body.ball.position[2]`: expected a length such as \"0.3 m\", got a mass (\"3 kg\")",
        "the value comes from --set drop_height=3 kg",
    );
    says(
        &Override::parse("drop_height").unwrap_err(),
        "--set:1:1: expected path=value, got \"drop_height\"",
        "for instance --set body.ball.mass=3 or --set run.duration=\"2 s\"",
    );
}

#[test]
fn series_file_missing_or_damaged() {
    let moving = |name: &str| {
        BALL.replace(
            "position = [0, 0, \"$drop_height\"]\nvelocity = [-1, 0.5, 0]",
            &format!("driven.file = \"{name}\""),
        )
    };
    let with = |csv: &'static [u8]| {
        let assets = Assets::Embedded(vec![("motion.csv".into(), csv)]);
        load_str("t", &moving("motion.csv"), &assets, &[]).unwrap_err()
    };
    let assets = Assets::Embedded(vec![("motion.csv".into(), b"")]);
    says(
        &load_str("t", &moving("moton.csv"), &assets, &[]).unwrap_err(),
        "t/scenario.toml:21:15: `body.ball.driven.file`: cannot read the file `moton.csv`: there is no such file",
        "did you mean `motion.csv`?",
    );
    says(
        &load_str("t", &moving("../motion.csv"), &assets, &[]).unwrap_err(),
        "t/scenario.toml:21:15: `body.ball.driven.file`: cannot read the file `../motion.csv`: the path must be relative and \
         below the scenario's folder",
        "did you mean `motion.csv`?",
    );
    says(
        &with(b"time,x,y,z\n0,0,0,0\n1,0,zero,0\n"),
        "motion.csv:3:5: line 3, column 3 (`y`): expected a finite number, got \"zero\"",
        "",
    );
    says(
        &with(b"time,x,y\n0,0,0\n"),
        "motion.csv:1:1: line 1: the column `z` is missing",
        "the first line names the columns: time,x,y,z and qw,qx,qy,qz",
    );
    says(
        &with(b"time,x,y,z\n0,0,0,0\n2,0,0,0\n1,0,0,0\n"),
        "motion.csv:4:1: line 4: the times must increase, and sample 3 does not",
        "",
    );
    says(&with(b"time,x,y,z\n0,0,0,0\n"), "motion.csv: a series needs at least two samples", "");
    says(&with(b"\xff\xfe"), "motion.csv: line 1 is not UTF-8 text: this is no CSV file", "");
    says(
        &with(b"time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,0,0,0,0,0,0,0\n"),
        "motion.csv:3:1: line 3: sample 2 has a number that is not finite or a zero quaternion",
        "",
    );
}

#[test]
fn a_layer_that_no_rule_takes_is_warned_of() {
    let text = BALL.replace(
        "density = \"1100 kg/m^3\"",
        "density = \"1100 kg/m^3\"\nyoungs_modulus = \"10 MPa\"\nlayer = \"10 mm\"",
    );
    let warnings = |text: &str| load_str("t", text, &Assets::none(), &[]).expect("it is possible").warnings;
    let [warning] = &warnings(&text)[..] else { panic!("one warning") };
    assert!(warning.starts_with("the `layer` of the material `rubber` is not used"), "{warning}");
    let (before, rest) = text.split_once("normal.hertz").expect("the law");
    let (_, after) = rest.split_once('\n').expect("more lines");
    assert!(warnings(&format!("{before}normal.foundation = {{ restitution = 0.5 }}\n{after}")).is_empty());
}

#[test]
fn hertz_on_flat_faces_without_a_stiffness() {
    let text = BALL
        .replace("shape.sphere = { radius = \"0.1 m\" }", "shape.box = { size = [1, 1, 1] }")
        .replace("stiffness = 1e6, ", "")
        .replace("density = \"1100 kg/m^3\"", "youngs_modulus = \"10 MPa\"\npoisson_ratio = 0.49");
    says(
        &fails(&text),
        "t/scenario.toml:32:8: `contact[0].normal.hertz`: bodies 'ball' (box) and 'slope' (half_space) can touch along a line \
         or a face, where Hertz' law has no radius: give the law a `stiffness`, or use `foundation` or `linear`",
        "",
    );
}

#[test]
fn hertz_without_stiffness_or_modulus() {
    says(
        &changed("stiffness = 1e6, ", ""),
        "t/scenario.toml:31:8: `contact[0].normal.hertz`: without a `stiffness` it follows from the materials, and the material \
         `rubber` has no `youngs_modulus`",
        "add `youngs_modulus` to [material.rubber], or `like = \"steel\"` (see `fender materials`), or `stiffness` [N/m^1.5] here",
    );
}

#[test]
fn missing_or_doubled_contact_rule() {
    let start = BALL.find("[[contact]]").unwrap();
    let end = BALL.find("[[record]]").unwrap();
    let error = fails(&format!("{}{}", &BALL[..start], &BALL[end..]));
    assert_eq!(
        error.to_string(),
        "t/scenario.toml:17:7: `body.ball`: bodies 'ball' and 'slope' can touch, and there is no contact rule for 'rubber' on \
         'rubber'"
    );
    assert!(error.advice().unwrap().contains("between = [\"rubber\", \"rubber\"]"));
    says(
        &added(
            "[[contact]]\nbetween = [\"rubber\", \"rubber\"]\nnormal.linear = { stiffness = 1, restitution = 1 }",
        ),
        "t/scenario.toml:46:11: `contact[1].between`: there is already a rule for `rubber` on `rubber`",
        "",
    );
    says(
        &changed("restitution = 0.5", "restitution = 0"),
        "t/scenario.toml:31:49: `contact[0].normal.hertz.restitution`: must be above 0 and at most 1 (exactly 0 would need infinite damping; 0.01 is as good as it), and is 0",
        "",
    );
}

#[test]
fn things_that_exclude_each_other() {
    says(
        &changed("fixed = true", "fixed = true\ndriven.points = [[0, 0, 0, 0], [1, 0, 0, 0]]"),
        "t/scenario.toml:26:1: `body.slope.driven`: a body is either fixed or driven",
        "",
    );
    says(
        &changed("velocity = [-1, 0.5, 0]", "driven.points = [[0, 0, 0, 0], [1, 0, 0, 0]]"),
        "t/scenario.toml:21:12: `body.ball.position`: a driven body is where its series says, so it has no position of its own",
        "",
    );
    says(
        &changed("position = [0, 0, \"$drop_height\"]", "driven.points = [[0, 0, 0, 0], [0, 0, 0, 0]]"),
        "t/scenario.toml:21:32: `body.ball.driven.points[1]`: the times must increase, and sample 2 does not",
        "",
    );
    says(
        &changed("at = \"3 s\"", "at = \"3 s\"\nof = \"max\""),
        "t/scenario.toml:38:1: `expect[0]`: expected either `at` (a time or \"end\") or `of` (a figure over time)",
        "",
    );
    says(
        &changed("at = \"3 s\"", "at = \"4 s\""),
        "t/scenario.toml:40:6: `expect[0].at`: the run lasts from 0 to 3 s, and this is 4 s",
        "",
    );
    says(
        &changed("tolerance = 1e-3\n", ""),
        "t/scenario.toml:38:1: `expect[0]`: expected `value` with `tolerance` or `relative_tolerance`, or `above` and/or `below`",
        "",
    );
    says(
        &changed("\"0.1 ms\"", "\"4 s\""),
        "t/scenario.toml:9:1: `run.integrator`: the step (4 s) is longer than the run (3 s)",
        "",
    );
    says(
        &added("[body.b]\nfixed = true\narray.grid = { count = [100000, 1000, 0], spacing = [1, 1, 1] }"),
        "t/scenario.toml:47:24: `body.b.array.grid.count`: an array has between 1 and 1000000 bodies",
        "",
    );
}

#[test]
fn not_toml() {
    let error = changed("[world]", "[world");
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert_eq!(error.position().unwrap().0, 11);
}

#[test]
fn a_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = load(&folder.path().join("none.toml"), &[]).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Unreadable);
    assert!(missing.to_string().contains("none.toml: cannot be read: "));
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"a = 1\n\xff").unwrap();
    let error = load(&binary, &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert!(error.to_string().ends_with("binary.toml: line 2 is not UTF-8 text"));
}

#[test]
fn parameters_cannot_grow_without_end() {
    let mut text = String::from(
        "format = 1\ntitle = \"x\"\n[run]\nduration = 1\n[world]\ngravity = \"$p0\"\n[parameter]\n",
    );
    for i in 0..40 {
        let next = format!("\"$p{}\"", i + 1);
        text.extend([&format!("p{i} = ["), &next, ",", &next, ",", &next, "]\n"]);
    }
    text += "p40 = 1\n";
    assert!(fails(&text).to_string().contains("parameters are used more than 100000 times"));
}

#[test]
fn others_can_point_into_the_file_too() {
    let scenario = load_str("t", BALL, &Assets::none(), &[]).unwrap();
    let error = scenario.error_at("record[0].signals[1]", "there is no signal `ball.velocity`", None);
    says(&error, "t/scenario.toml:35:29: `record[0].signals[1]`: there is no signal `ball.velocity`", "");
}

/// The ball with lines added to it and with files beside it.
fn with_mesh(lines: &str, files: &[(&str, &'static [u8])]) -> ScenarioError {
    let text = BALL.replace("mass = \"2 kg\"\n", &format!("mass = \"2 kg\"\n{lines}\n"));
    let files = files.iter().map(|(name, bytes)| (std::path::PathBuf::from(name), *bytes)).collect();
    load_str("t", &text, &Assets::Embedded(files), &[]).expect_err("the file is wrong")
}

#[test]
fn meshes() {
    let visual = "visual = [{ mesh = \"hull.obj\" }]";
    let triangle: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    says(
        &with_mesh(visual, &[("hulls.obj", triangle)]),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the file `hull.obj`: there is no such file",
        "did you mean `hulls.obj`?",
    );
    says(
        &with_mesh(visual, &[("hull.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")]),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: hull.obj, line 4: vertex 4 does not exist: \
         there are 3",
        "",
    );
    says(
        &with_mesh(visual, &[("hull.obj", triangle)]),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: hull.obj: there are no triangles in it: \
         it has 3 vertices and no faces, which are lines such as `f 1 2 3`",
        "a mesh needs faces, and points, lines and curves have none: write it again as triangles from the program that made it, with the part selected",
    );
    let with_library: &[u8] = b"mtllib hull.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    says(
        &with_mesh(visual, &[("hull.obj", with_library), ("Hull.mtl", b"")]),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: hull.obj, line 1: it needs the file \
         `hull.mtl`: there is no such file",
        "did you mean `Hull.mtl`?",
    );
    says(
        &with_mesh(
            "visual = [{ mesh = \"a/hull.obj\" }]",
            &[("a/hull.obj", b"mtllib ../../secret.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")],
        ),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: a/hull.obj, line 1: it needs the file \
         `../../secret.mtl`: the path must be relative and below the scenario's folder",
        "copy it beside the file that names it and write `secret.mtl`",
    );
    let error = with_mesh(visual, &[("hull.obj", b"")]);
    assert_eq!(error.kind(), ErrorKind::Asset);
    says(
        &with_mesh("visual = [{ mesh = \"hull.step\" }]", &[("hull.step", b"x")]),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: hull.step: a mesh is a .stl, .obj, .gltf or \
         .glb file, and this is a .step file",
        "",
    );
    says(
        &with_mesh(
            "visual = [{ mesh = \"h.gltf\" }]",
            &[(
                "h.gltf",
                b"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_meshopt_compression\"]}",
            )],
        ),
        "t/scenario.toml:20:20: `body.ball.visual[0].mesh`: cannot read the mesh: h.gltf, extensionsRequired: the extension \
         EXT_meshopt_compression, without which the file cannot be shown, cannot be read",
        "write it again without this, or as another format",
    );
    says(
        &with_mesh("visual = [{ mesh = \"hull.obj\", scale = 0 }]", &[]),
        "t/scenario.toml:20:40: `body.ball.visual[0].scale`: must be positive and finite, and is 0",
        "",
    );
    says(
        &with_mesh("visual = [{ mesh = \"hull.obj\", scale = [1, 2] }]", &[]),
        "t/scenario.toml:20:40: `body.ball.visual[0].scale`: expected a list of 3, got 2",
        "",
    );
    for neither in ["{ scale = 1 }", "{ mesh = \"hull.obj\", shape.sphere = { radius = 1 } }"] {
        says(
            &with_mesh(&format!("visual = [{neither}]"), &[]),
            "t/scenario.toml:20:11: `body.ball.visual[0]`: a visual is either a `mesh` or a `shape`",
            "",
        );
    }
    says(
        &with_mesh("visual = [{ shape.half_space = { normal = [0, 0, 1] } }]", &[]),
        "t/scenario.toml:20:13: `body.ball.visual[0].shape`: a half_space has no end, so it cannot be a visual",
        "",
    );
    says(
        &with_mesh("visual = { mesh = \"hull.obj\" }", &[]),
        "t/scenario.toml:20:1: `body.ball.visual`: expected a list, got a table",
        "",
    );
}

#[test]
fn colours() {
    says(
        &with_mesh("colour = \"blue\"", &[]),
        "t/scenario.toml:20:10: `body.ball.colour`: expected a colour such as \"#3b7ddd\", got the text \"blue\"",
        "",
    );
    says(
        &with_mesh("color = \"#3b7ddd\"", &[]),
        "t/scenario.toml:20:1: `body.ball.color`: unknown key `color`",
        "did you mean `colour`?",
    );
}

#[test]
fn views() {
    says(
        &added("[view.side]\neye = [0, -5, 1]\nfollow = \"bal\""),
        "t/scenario.toml:47:10: `view.side.follow`: there is no body `bal`",
        "did you mean `ball`?",
    );
    says(
        &added("[view.side]\neye = [0, -5, 1]\nfollow = \"ball\"\nfrom = \"ball\""),
        "t/scenario.toml:48:8: `view.side.from`: a view either follows a body or looks from it",
        "",
    );
    says(
        &added("[view.side]\neye = [1, 2, 3]\ntarget = [1, 2, 3]"),
        "t/scenario.toml:46:7: `view.side.eye`: the eye must be somewhere else than its target",
        "",
    );
    says(&added("[view.side]"), "t/scenario.toml:45:7: `view.side`: the key `eye` is missing", "");
}

#[test]
fn gaps() {
    says(
        &added("[frames]\ngaps = [[\"ball\", \"slop\"]]"),
        "t/scenario.toml:46:18: `frames.gaps[0][1]`: there is no body `slop`",
        "did you mean `slope`?",
    );
    says(
        &added("[frames]\ngaps = [[\"ball\", \"ball\"]]"),
        "t/scenario.toml:46:9: `frames.gaps[0]`: there is no gap between a body and itself",
        "",
    );
    says(
        &added("[frames]\ngaps = [[\"ball\"]]"),
        "t/scenario.toml:46:9: `frames.gaps[0]`: expected a list of 2, got 1",
        "",
    );
    says(
        &added("[body.mark]\nfixed = true\n[frames]\ngaps = [[\"ball\", \"mark\"]]"),
        "t/scenario.toml:48:18: `frames.gaps[0][1]`: `mark` has no shape to measure from",
        "",
    );
    says(
        &added(
            "[body.wall]\nfixed = true\nshape.half_space.normal = [1, 0, 0]\nmaterial = \"rubber\"\n\
             [frames]\ngaps = [[\"wall\", \"slope\"]]",
        ),
        "t/scenario.toml:50:9: `frames.gaps[0]`: there is no gap between two shapes without end",
        "",
    );
}

/// Two balls whose touches are events, with this rule.
fn impacts(rule: &str) -> Result<fender_scenario::Scenario, ScenarioError> {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = 1e-3 }}\n[material.m]\n\
         [body.ball]\nshape.sphere = {{ radius = 0.1 }}\nmass = 2\nmaterial = \"m\"\n\
         [body.floor]\nfixed = true\nshape.half_space = {{ normal = [0, 0, 1] }}\nmaterial = \"m\"\nposition = [0, 0, -1]\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\n{rule}\n"
    );
    load_str("t", &text, &Assets::none(), &[])
}

/// Hunt and Crossley's law with a given damping: what is left out, and what is refused.
#[test]
fn a_given_damping() {
    let law = impacts("normal.hunt_crossley = { stiffness = 1e5, damping = 0.7 }").unwrap();
    assert_eq!(law.model.rules[0].normal.name(), "hunt_crossley");
    let written = impacts(
        "normal.hunt_crossley = { stiffness = 1e5, damping = 0.7, exponent = 1.5, depth_exponent = 1.5, speed_exponent = 1 }",
    );
    let said = |scenario: &fender_scenario::Scenario| format!("{:?}", scenario.model.rules[0].normal);
    assert_eq!(said(&law), said(&written.unwrap()));
    let says = |rule: &str, message: &str| {
        let error = impacts(rule).expect_err(rule);
        assert_eq!(error.to_string(), message);
    };
    says(
        "normal.hunt_crossley = { stiffness = 1e5, damping = 0.7, exponent = 0.5 }",
        "t/scenario.toml:18:8: `contact[0].normal.hunt_crossley`: exponent must be from 1 to 10, got 0.5",
    );
    says(
        "normal.hunt_crossley = { stiffness = 1e5, damping = -1 }",
        "t/scenario.toml:18:53: `contact[0].normal.hunt_crossley.damping`: must be zero or positive, and finite, and is -1",
    );
}

/// A box on a floor of rubber and steel with a foundation; `{}` stands for the keys of the two materials.
fn foundation(
    rubber: &str,
    steel: &str,
    rule: &str,
    shape: &str,
) -> Result<fender_scenario::Scenario, ScenarioError> {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = 1e-3 }}\n[material.rubber]\n{rubber}\n[material.steel]\n{steel}\n\
         [body.box]\nshape.{shape}\nmass = 2\nmaterial = \"rubber\"\nposition = [0, 0, 1]\n\
         [body.floor]\nfixed = true\nshape.half_space = {{ normal = [0, 0, 1] }}\nmaterial = \"steel\"\n\
         [[contact]]\nbetween = [\"rubber\", \"steel\"]\nnormal.foundation = {{ restitution = 0.5{rule} }}\n"
    );
    load_str("t", &text, &Assets::none(), &[])
}

#[test]
fn a_foundation_has_a_stiffness_from_one_source() {
    let cube = "box = { size = [0.2, 0.2, 0.2] }";
    let layer = "youngs_modulus = \"5 MPa\"\nlayer = \"20 mm\"";
    let stiffness = |scenario: &fender_scenario::Scenario| match &scenario.model.rules[0].normal {
        fender_contact::Normal::Foundation(law) => law.stiffness(),
        fender_contact::Normal::Depth(_) => panic!("another law"),
    };
    let found = |rubber: &str, steel: &str, rule: &str| {
        stiffness(&foundation(rubber, steel, rule, cube).unwrap_or_else(|error| panic!("{error}")))
    };
    assert!((found(layer, "", "") / 2.5e8 - 1.0).abs() < 1e-12);
    assert!((found(layer, layer, "") / 1.25e8 - 1.0).abs() < 1e-12);
    assert_eq!(found("", "", ", stiffness = \"1e9 N/m^3\""), 1e9);
    let tippe_top = ", patch = { load = 0.05886, radius = \"15 mm\", patch_radius = \"0.5 mm\" }";
    assert!((found("", "", tippe_top) / 1.798e10 - 1.0).abs() < 1e-4);
    let hertz = ", hertz = { load = \"100 N\", radius = \"50 mm\" }";
    assert!(found("like = \"steel\"", "like = \"steel\"", hertz) > 1e12);

    let says = |rubber: &str, rule: &str, shape: &str, parts: &[&str]| {
        let error = foundation(rubber, "", rule, shape).expect_err(rule);
        let all = format!("{error} {}", error.advice().unwrap_or_default());
        for part in parts {
            assert!(all.contains(part), "'{part}' is not in {all}");
        }
    };
    says(
        "",
        "",
        cube,
        &["both sides are rigid", "neither `rubber` nor `steel` has a `layer`", "youngs_modulus"],
    );
    says("layer = \"1 cm\"", "", cube, &["`rubber` has a `layer` and no `youngs_modulus`"]);
    says("", ", stiffness = 1e9, hertz = { load = 1, radius = 1 }", cube, &["only one of"]);
    says("", ", hertz = { load = 1, radius = 1 }", cube, &["`rubber` has no `youngs_modulus`", "N/m^3"]);
    let wide = ", patch = { load = 1, radius = 0.1, patch_radius = 0.2 }";
    says(
        "",
        wide,
        cube,
        &["`contact[0].normal.foundation.patch.patch_radius`: must be below the radius of the ball"],
    );
    let ring = "torus = { radius = 0.2, tube = 0.05 }";
    says(
        "",
        ", stiffness = 1e9",
        ring,
        &["`contact[0].normal.foundation`", "no patch between bodies 'box' (torus)", "linear"],
    );
}

#[test]
fn impossible_impacts() {
    let says = |rule: &str, message: &str| {
        let error = impacts(rule).expect_err(rule);
        assert_eq!(error.to_string(), message);
    };
    says(
        "impact = { restitution = 1.2, coefficient = 0.1 }",
        "t/scenario.toml:18:26: `contact[0].impact.restitution`: must be between 0 and 1, and is 1.2",
    );
    says(
        "impact = { restitution = 0.5, coefficient = -0.1 }",
        "t/scenario.toml:18:45: `contact[0].impact.coefficient`: must be zero or positive, and finite, and is -0.1",
    );
    says(
        "impact = { restitution = 0.5, coefficient = 0.3, static_coefficient = 0.2 }",
        "t/scenario.toml:18:71: `contact[0].impact.static_coefficient`: friction that sticks is not below friction that slips: 0.2 is below the coefficient 0.3",
    );
    says(
        "impact = { restitution = 0.5, coefficient = 0.3, small_speed = 0 }",
        "t/scenario.toml:18:64: `contact[0].impact.small_speed`: must be positive and finite, and is 0 m/s",
    );
    let error = impacts("friction.coulomb.coefficient = 0.1").expect_err("no law at all");
    assert_eq!(
        error.to_string(),
        "t/scenario.toml:16:1: `contact[0]`: the rule for `m` on `m` has neither `normal` nor `impact`"
    );
    assert!(error.advice().unwrap().contains("normal.linear"));
    // A rebound of nothing, and of everything, are possible here.
    for e in [0.0, 1.0] {
        let scenario = impacts(&format!("impact = {{ restitution = {e}, coefficient = 0.3 }}")).unwrap();
        assert!(
            scenario.chosen[0].starts_with("contact m-m: a lasting contact has the stiffness"),
            "{:?}",
            scenario.chosen
        );
        assert_eq!(scenario.model.rules[0].normal.name(), "kelvin_voigt");
        assert_eq!(scenario.model.rules[0].friction.name(), "bristle");
        assert!(scenario.chosen.iter().any(|line| line.contains("stribeck_speed")), "{:?}", scenario.chosen);
    }
    // Friction is optional.
    assert_eq!(impacts("impact = { restitution = 0.5 }").unwrap().model.rules[0].friction.name(), "none");
    // What is given is taken.
    let given = impacts(
        "impact = { restitution = 0.5, coefficient = 0.3 }\nnormal.linear = { stiffness = 1e5, restitution = 0.5 }\nfriction = \"none\"",
    )
    .unwrap();
    assert!(given.chosen.is_empty());
    assert_eq!(
        (given.model.rules[0].normal.name(), given.model.rules[0].friction.name()),
        ("linear", "none")
    );
}
