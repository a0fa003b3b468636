//! Files that are right, and what they become.

use fender_engine::integrator::Adaptive;
use fender_engine::{BodyMotion, IntegratorSpec};
use fender_math::Vec3;
use fender_scenario::{Assets, Check, Override, Scenario, Statistic, When, load, load_str};
use std::path::Path;

const BALL: &str = include_str!("../data/ball-on-incline.toml");

fn data(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

fn ball(overrides: &[Override]) -> Scenario {
    load_str("ball", BALL, &Assets::none(), overrides).unwrap()
}

fn body<'a>(scenario: &'a Scenario, name: &str) -> &'a fender_engine::Body {
    scenario.model.bodies.iter().find(|b| b.name == name).unwrap()
}

#[test]
fn the_ball_on_an_incline() {
    let scenario = load(&data("ball-on-incline.toml"), &[]).unwrap();
    assert_eq!(scenario.name, "ball-on-incline");
    assert_eq!(scenario.title, "Ball on an incline");
    assert_eq!(scenario.run.duration, 3.0);
    assert_eq!(scenario.run.integrator, IntegratorSpec::Rk4 { step: 1e-4 });
    assert_eq!(scenario.frames, Some(0.04));
    assert_eq!(scenario.warnings, [""; 0]);
    assert_eq!(scenario.records[0].every, 0.01);
    assert_eq!(scenario.records[0].signals[2], "contact.*.force");
    assert_eq!(scenario.expects[0].when, When::At(3.0));
    assert_eq!(scenario.expects[0].check, Check::Near { value: 0.35714, tolerance: 1e-3 });

    let ball = body(&scenario, "ball");
    assert_eq!(ball.pose.translation, Vec3::new(0.0, 0.0, 2.0));
    assert_eq!(ball.twist.linear, Vec3::new(-1.0, 0.5, 0.0));
    let BodyMotion::Free { mass } = &ball.motion else { panic!("the ball is free") };
    assert_eq!(mass.mass, 2.0);
    assert!((mass.inertia.x_axis.x - 0.4 * 2.0 * 0.01).abs() < 1e-15);

    // The plane is normal·p = offset.
    let slope = &scenario.model.shapes[1];
    let normal = Vec3::new(0.342, 0.0, 0.940).normalize();
    assert!((slope.pose_bs.rotation * Vec3::Z - normal).length() < 1e-15);
    assert!((slope.pose_bs.translation - normal * 0.4).length() < 1e-15);
}

#[test]
fn a_loaded_scenario_moves() {
    let scenario = ball(&[]);
    let integrator = scenario.run.integrator.build();
    let mut world = fender_engine::World::new(scenario.model);
    while world.state.time < 0.2 - 1e-9 {
        world.step(integrator.as_ref(), scenario.run.duration).unwrap();
    }
    world.refresh();
    let fallen = Vec3::new(-0.2, 0.1, 2.0 - 0.5 * 9.81 * 0.2 * 0.2);
    assert!((world.pose(fender_engine::BodyId(0)).translation - fallen).length() < 1e-9);
}

#[test]
fn every_key_of_the_format() {
    let scenario = load(&data("everything.toml"), &[]).unwrap();
    let starts = |warning: &String, text: &str| warning.starts_with(text);
    let [plate, arm, words] = scenario.warnings.as_slice() else { panic!("{:?}", scenario.warnings) };
    assert!(starts(plate, "the table of the driven body `plate` begins with a jump: it moves at 0.2333 m/s"));
    assert!(starts(arm, "the table of the driven body `arm` begins with a jump: it moves at 1.5 m/s"));
    assert_eq!(words, "the parameter `words` is not used");
    assert_eq!(scenario.description.as_deref(), Some("Two\nlines"));
    assert_eq!(scenario.frames, None);
    assert_eq!(scenario.model.gravity, Vec3::new(0.0, 0.0, -9.81));
    let adaptive = Adaptive { relative: 1e-9, absolute: 1e-10, max_step: 0.01 };
    assert_eq!(scenario.run.integrator, IntegratorSpec::DormandPrince(adaptive));

    // Bodies come in the order of the file; arrays are counted out.
    let names: Vec<_> = scenario.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names[..6], ["crate", "floor", "plate", "arm", "dumbbell", "ball-0-0-0"]);
    assert_eq!(names[10], "ball-1-2-0");
    assert_eq!(names.len(), 11);

    let crate_ = body(&scenario, "crate");
    assert_eq!(crate_.pose.translation.z, 1.5);
    assert!((crate_.pose.rotation * Vec3::X - Vec3::Y).length() < 1e-15);
    assert!((crate_.twist.angular.x - 10.0 * std::f64::consts::TAU / 60.0).abs() < 1e-15);
    let BodyMotion::Free { mass } = &crate_.motion else { panic!("the crate is free") };
    assert!((mass.mass - 7850.0 * 0.2 * 0.3 * 0.4).abs() < 1e-9);

    let BodyMotion::Free { mass } = &body(&scenario, "dumbbell").motion else { panic!("it is free") };
    assert_eq!(mass.center, Vec3::new(0.0, 0.0, 0.1));
    assert_eq!(mass.inertia.x_axis.y, 0.01);

    let BodyMotion::Driven { series } = &body(&scenario, "plate").motion else { panic!("it is driven") };
    assert!((series.sample(0.5).pose.translation.z - 5.1).abs() < 1e-12);
    let BodyMotion::Driven { series } = &body(&scenario, "arm").motion else { panic!("it is driven") };
    let turned = series.sample(2.0).pose.rotation * Vec3::X;
    assert!((turned - Vec3::NEG_X).length() < 1e-12);

    // Jitter stays within its bounds, moves what it should and nothing else.
    let positions: Vec<Vec3> =
        (0..2).map(|i| body(&scenario, &format!("ball-{i}-2-0")).pose.translation).collect();
    for (i, p) in positions.iter().enumerate() {
        let off = *p - Vec3::new(0.2 * i as f64, 0.4, 10.0);
        assert!(off.x.abs() <= 0.01 && off.y.abs() <= 0.01 && off.z == 0.0 && off.x != 0.0, "{off}");
    }

    let forces = &scenario.model.forces;
    assert_eq!(
        forces.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(),
        ["rope", "thruster", "shake", "gust", "air"]
    );
    // The rope is as long as the way it spans at the start: from (0, 0, 1.7) to (0, 0, 5).
    assert!(format!("{:?}", forces[0].1).contains("rest_length: 3.3"), "{:?}", forces[0].1);
    assert_eq!(scenario.model.initial_contacts[0].impact_speed, 0.5);
    assert_eq!(scenario.expects[0].when, When::Over { of: Statistic::Max, from: 0.5, until: 2.0 });
    assert_eq!(scenario.expects[0].check, Check::Near { value: 1.5, tolerance: 0.015 });
    assert_eq!(scenario.expects[1].when, When::At(2.0));
    assert_eq!(scenario.expects[1].check, Check::Within { above: Some(-1e-6), below: Some(1e-6) });
    assert_eq!(
        scenario.assets.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(),
        ["meshes/wedge.obj", "meshes/wedge.mtl", "tip.stl", "arm.csv", "gust.csv"]
    );
}

#[test]
fn meshes_colours_views_and_gaps() {
    let scenario = load(&data("everything.toml"), &[]).unwrap();
    // One mesh for each file and colour: the six balls share theirs.
    let sizes: Vec<_> = scenario.meshes.iter().map(|m| (m.triangles.len(), m.parts[0].colour)).collect();
    assert_eq!(sizes, [(4, [51, 102, 153, 255]), (1, [200, 200, 205, 255]), (1, [0x3b, 0x7d, 0xdd, 255])]);
    let of = |body: u32| scenario.visuals.iter().filter(move |v| v.body.0 == body).map(|v| v.mesh);
    assert_eq!(of(0).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((5..11).flat_map(of).collect::<Vec<_>>(), [2; 6]);
    let wedge = &scenario.visuals[0];
    assert_eq!(wedge.scale, Vec3::splat(0.01));
    assert!((wedge.pose.rotation * Vec3::Y - Vec3::Z).length() < 1e-15);
    let tip = &scenario.visuals[1];
    assert_eq!((tip.scale, tip.pose.translation.z), (Vec3::new(1.0, 2.0, 3.0), 0.2));
    assert_eq!(scenario.colours.len(), scenario.model.bodies.len());
    assert_eq!((scenario.colours[0], scenario.colours[7]), (None, Some([0x3b, 0x7d, 0xdd])));

    let [above, behind, cab] = &scenario.views[..] else { panic!("{:?}", scenario.views) };
    assert_eq!((above.name.as_str(), above.eye.z, above.target), ("above", 10.0, Vec3::ZERO));
    let name =
        |body: Option<fender_engine::BodyId>| body.map(|b| scenario.model.bodies[b.index()].name.as_str());
    assert_eq!((name(behind.follow), name(behind.from)), (Some("crate"), None));
    assert_eq!((name(cab.follow), name(cab.from)), (None, Some("dumbbell")));
    assert_eq!(scenario.gaps, [[0, 1], [10, 4]].map(|pair| pair.map(fender_engine::BodyId)));
    assert_eq!(scenario.parameters[1], ("g".to_string(), "9.81".to_string()));
    assert_eq!(scenario.parameters[2], ("lift".to_string(), "1.5 m".to_string()));

    let expected = [
        "colour = \"#3B7ddd\"\n",
        "visual = [{ mesh = \"tip.stl\", scale = 0.1, position = [0.0, 0.0, 0.0], orientation = { quaternion = { w = 1.0,",
        "\n[view.above]\neye = [0, 0, \"10 m\"]\ntarget = [0.0, 0.0, 0.0]\n",
        "gaps = [[\"crate\", \"floor\"], [\"ball-1-2-0\", \"dumbbell\"]]\n",
    ];
    for line in expected {
        assert!(scenario.expanded.contains(line), "{line}\n{}", scenario.expanded);
    }
}

#[test]
fn shapes_can_be_shown_without_colliding() {
    let visual = "visual = [{ shape.box = { size = [2, 4, 6] }, colour = \"#ff0000\" }, \
                  { shape.box = { size = [2, 4, 6] }, position = [0, 0, 1] }, \
                  { shape.box = { size = [2, 4, 6] } }]\ncolour = \"#0000ff\"\n";
    let text = BALL.replace("mass = \"2 kg\"\n", &format!("mass = \"2 kg\"\n{visual}"));
    let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap();
    let colours: Vec<_> = scenario.meshes.iter().map(|m| m.parts[0].colour).collect();
    assert_eq!(colours, [[255, 0, 0, 255], [0, 0, 255, 255]], "its own colour, or the body's");
    assert_eq!(scenario.visuals.iter().map(|v| v.mesh).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(scenario.meshes[0].extent(), ([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]));
    assert_eq!(scenario.visuals[1].pose.translation, Vec3::Z);
    assert_eq!(scenario.model.shapes.len(), ball(&[]).model.shapes.len());
}

#[test]
fn looks_are_part_of_the_hash_and_not_of_the_model() {
    let text = std::fs::read_to_string(data("everything.toml")).unwrap();
    let plain = load_str("e", &text, &Assets::Dir(data("")), &[]).unwrap();
    let painted =
        load_str("e", &text, &Assets::Dir(data("")), &[Override::new("body.ball.colour", "#000000")])
            .unwrap();
    assert_ne!(plain.hash, painted.hash);
    assert_eq!(format!("{:?}", plain.model), format!("{:?}", painted.model));
}

#[test]
fn the_expanded_file_loads_to_the_same_scenario() {
    for file in ["ball-on-incline.toml", "everything.toml", "shapes.toml"] {
        let first = load(&data(file), &[]).unwrap();
        let assets = Assets::Dir(data(""));
        let second = load_str("again", &first.expanded, &assets, &[]).unwrap();
        assert_eq!(first.expanded, second.expanded);
        assert_eq!(first.hash, second.hash);
        assert_eq!(format!("{:?}", first.model), format!("{:?}", second.model));
        assert_eq!(first.expects, second.expects);
    }
}

#[test]
fn the_expanded_file_has_defaults_overrides_and_parameters() {
    let scenario = ball(&[Override::new("run.duration", "4 s"), Override::new("drop_height", "3 m")]);
    let expected = [
        "duration = \"4 s\"",
        "[parameter]\ndrop_height = \"3 m\"",
        "position = [0, 0, \"$drop_height\"]",
        "orientation.quaternion = { w = 1.0, x = 0.0, y = 0.0, z = 0.0 }",
        "damping = \"exact\"",
        "friction.coulomb = { coefficient = 0.5, regularisation_speed = 0.001 }",
        "[frames]\nevery = 0.04\noff = false",
    ];
    for line in expected {
        assert!(scenario.expanded.contains(line), "{line}\n{}", scenario.expanded);
    }
    assert_ne!(scenario.hash, ball(&[]).hash);
}

#[test]
fn overrides_reach_every_kind_of_place() {
    let z = |s: &Scenario| s.model.bodies[0].pose.translation.z;
    assert_eq!(z(&ball(&[Override::new("drop_height", "3")])), 3.0);
    assert_eq!(z(&ball(&[Override::new("parameter.drop_height", "250 cm")])), 2.5);
    assert_eq!(z(&ball(&[Override::new("body.ball.position[2]", "4")])), 4.0);
    assert_eq!(z(&ball(&[Override::new("body.ball.position", "[0, 0, \"-$drop_height\"]")])), -2.0);
    let whole = ball(&[Override::new("run.integrator", "{ semi_implicit_euler = { step = 1e-3 } }")]);
    assert_eq!(whole.run.integrator, IntegratorSpec::SemiImplicitEuler { step: 1e-3 });
    // A key that the file leaves out, and one in a section that it leaves out.
    let added = ball(&[
        Override::new("frames.every", "20 ms"),
        Override::new("contact.0.normal.hertz.damping", "hunt_crossley"),
    ]);
    assert_eq!(added.frames, Some(0.02));
    assert!(added.expanded.contains("damping = \"hunt_crossley\""));
    assert_eq!(Override::parse("body.ball.mass = 3").unwrap(), Override::new("body.ball.mass", "3"));
    // The last word counts.
    assert_eq!(z(&ball(&[Override::new("drop_height", "3"), Override::new("drop_height", "5")])), 5.0);
}

#[test]
fn shapes_have_the_sizes_of_the_file() {
    use fender_geom::Shape;
    let scenario = load(&data("shapes.toml"), &[]).unwrap();
    let shape = |name: &str| {
        let body = scenario.model.body_named(name).unwrap();
        let found = scenario.model.shapes.iter().find(|s| s.body == body).unwrap();
        (found.shape.clone(), found.pose_bs)
    };
    assert_eq!(shape("egg").0, Shape::Ellipsoid { radii: Vec3::new(0.03, 0.02, 0.01) });
    assert_eq!(shape("top").0, Shape::Cone { radius: 0.03, half_height: 0.04 });
    assert_eq!(shape("pipe").0, Shape::Bore { radius: 0.05, half_height: f64::INFINITY });
    assert_eq!(shape("plate").0, Shape::Bore { radius: 0.05, half_height: 0.1 });
    assert_eq!(shape("hopper").0, Shape::Funnel { radius: 0.3, half_height: 0.2 });
    assert_eq!(shape("ring").0, Shape::Torus { radius: 0.04, tube: 0.005 });
    assert_eq!(shape("shackle").0, Shape::HalfTorus { radius: 0.04, tube: 0.005 });
    // Inner width and bar make the arc in the middle of the bar; length beyond the width is straight.
    let Shape::Link { radius, half_straight, tube } = shape("link").0 else { panic!("{:?}", shape("link")) };
    assert!((radius - 0.01175).abs() < 1e-15 && (half_straight - 0.00725).abs() < 1e-15 && tube == 0.005);
    let (edge, frame) = shape("table");
    let Shape::Edge { half_angle } = edge else { panic!("{edge:?}") };
    assert!((half_angle - std::f64::consts::FRAC_PI_4).abs() < 1e-12);
    // Its outward bisector is between the two normals, and the line along y.
    assert!((frame.rotation * Vec3::Z - Vec3::new(1.0, 0.0, 1.0).normalize()).length() < 1e-12);
    assert!(((frame.rotation * Vec3::Y).y.abs() - 1.0).abs() < 1e-12);
    // A cone's centre of mass is a quarter of its height above the base.
    let top = scenario.model.body_named("top").unwrap();
    let BodyMotion::Free { mass } = &scenario.model.bodies[top.index()].motion else { panic!("it is free") };
    assert!((mass.center - Vec3::Z * -0.02).length() < 1e-15);
    assert!((mass.mass - 7800.0 * std::f64::consts::PI * 0.03 * 0.03 * 0.08 / 3.0).abs() < 1e-12);
}

#[test]
fn a_seed_is_a_scene() {
    let assets = Assets::Dir(data(""));
    let text = std::fs::read_to_string(data("everything.toml")).unwrap();
    let place = |seed: &str| {
        let set = [Override::new("body.ball.array.grid.seed", seed)];
        load_str("e", &text, &assets, &set).unwrap().model.bodies[7].pose.translation
    };
    assert_eq!(place("3"), place("3"));
    assert_ne!(place("3"), place("4"));
}

#[test]
fn a_folder_stands_for_the_scenario_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("drop");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("scenario.toml"), BALL).unwrap();
    assert_eq!(load(&inner, &[]).unwrap().name, "drop");
}

#[test]
fn embedded_assets_are_found_by_their_relative_path() {
    let text = BALL
        .replace("position = [0, 0, \"$drop_height\"]\nvelocity", "driven.file = \"./a/m.csv\"\nvelocity");
    let assets = Assets::Embedded(vec![("a/m.csv".into(), b"time,x,y,z\n0,1,2,3\n1,1,2,4\n")]);
    let scenario = load_str("e", &text, &assets, &[]).unwrap();
    assert_eq!(scenario.model.bodies[0].pose.translation, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(scenario.warnings.len(), 3, "{:?}", scenario.warnings);
}

#[test]
fn the_committed_schema_is_up_to_date() {
    let committed = include_str!("../../schema/scenario.schema.json");
    assert!(
        committed == fender_scenario::schema_text(),
        "run `cargo run -p fender-scenario --example schema` and commit the result"
    );
    // The list of top-level keys serves `--set`; it must be the format's.
    let schema = fender_scenario::schema();
    let mut keys: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let mut known = fender_scenario::spec::TOP_LEVEL.to_vec();
    keys.sort_unstable();
    known.sort_unstable();
    assert_eq!(keys, known);
}

/// A file that names no method has one that suits its cables; `check` says which, whatever the file names.
#[test]
fn the_method_follows_from_the_cables() {
    let scene = |end: &str, event: &str| {
        let text = format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[line.l]\nmass = 1\naxial.linear = {{ stiffness = 1e5 }}\n[body.post]\nfixed = true\n\
             [cable.c]\nline = \"l\"\nlength = 2\nstart = {{ fixed = [0, 0, 0] }}\nend = {end}\n{event}"
        );
        load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|error| panic!("{error}"))
    };
    let held = scene("{ body = \"post\", at = [1, 0, 0] }", "");
    assert_eq!(held.run.integrator.name(), "generalized_alpha");
    assert!(
        held.expanded.contains("generalized_alpha") && held.suited.method.starts_with("generalized_alpha")
    );
    let free = scene("{ free = [1, 0, 0] }", "");
    assert_eq!(free.run.integrator.name(), "midpoint");
    let let_go = scene("{ body = \"post\", at = [1, 0, 0] }", "[[event]]\nat = 0.5\ndetach = \"c.end\"\n");
    assert_eq!((let_go.run.integrator.name(), let_go.suited.method), ("midpoint", "midpoint, 1 ms"));
    let bare = load_str("t", BALL, &Assets::none(), &[]).expect("it is a scenario");
    assert!(!bare.suited.why.is_empty());
}
