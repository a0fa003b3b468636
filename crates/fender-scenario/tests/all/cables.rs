//! `[water]`, `[wind]`, `[seabed]`, `[line.NAME]` and `[cable.NAME]`: what they make, and what they refuse.

use fender_engine::cable::{Axial, Guide, Pace};
use fender_engine::{CableId, Change, Seabed, World};
use fender_math::Vec3;
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};

const ALL: &str = include_str!("../data/cables.toml");

/// A body, a line and water of 20 m.
const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 10\nintegrator.rk4 = { step = 0.0001 }\n\
    [water]\ndepth = 20\n[seabed]\n\
    [body]\nboat = { mass = 1, inertia = [1, 1, 1], position = [0, 0, 1], water = \"ignored\" }\n\n\n\
    [line.rope]\nmass = \"2 kg/m\"\ndiameter = \"2 cm\"\naxial.linear = { stiffness = \"1 MN\", damping = 0 }\n";

fn load(text: &str) -> Result<Scenario, Box<ScenarioError>> {
    load_str("t", text, &Assets::none(), &[]).map_err(Box::new)
}

fn scene(text: &str) -> Result<Scenario, Box<ScenarioError>> {
    load(&format!("{SCENE}{text}"))
}

/// A cable of the rope between two fixed ends 10 m apart, with more keys.
fn cable(length: f64, more: &str) -> String {
    format!(
        "[cable.c]\nline = \"rope\"\nlength = {length}\nstart = {{ fixed = [0, 0, -5] }}\nend = {{ fixed = [10, 0, -5] }}\n{more}\n"
    )
}

#[track_caller]
fn says(error: &ScenarioError, message: &str, advice: &str) {
    assert_eq!(error.to_string(), message);
    assert_eq!(error.advice().unwrap_or(""), advice);
}

#[test]
fn every_key_can_be_written() {
    let scenario = load(ALL).unwrap();
    // The crane's table begins at the speed of its spline.
    let (jump, unused) = scenario.warnings.split_first().unwrap();
    assert!(jump.starts_with("the table of the driven body `crane` begins with a jump"), "{jump}");
    assert_eq!(unused, ["the parameter `g` is not used", "the parameter `size` is not used"]);
    let model = &scenario.model;
    let names: Vec<_> = model.cables.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["mooring", "hoist", "tow", "tail"]);

    let mooring = &model.cables[0];
    assert!(!mooring.settle);
    assert_eq!(
        mooring.ties.iter().map(|(n, t)| (n.as_str(), t.attached)).collect::<Vec<_>>(),
        [("start", true), ("end", true), ("buoy", false)]
    );
    let boat = model.body_named("boat").unwrap();
    assert_eq!(
        (mooring.ties[1].1.point.body, mooring.ties[1].1.point.at),
        (Some(boat), Vec3::new(-2.0, 0.0, 0.0))
    );
    // What the catalogue says, but for what is given.
    let chain = fender_scenario::line_catalogue::look_up("studless-chain-76mm").unwrap();
    assert_eq!(mooring.lines[0].mass, chain.mass);
    assert_eq!(mooring.lines[0].axial, Axial::Linear { stiffness: chain.axial_stiffness });
    assert_eq!((mooring.lines[0].volume, mooring.lines[0].diameter), (chain.volume, chain.drag_diameter));
    assert_eq!(
        (mooring.lines[0].breaking_load, mooring.lines[0].bend_radius),
        (chain.breaking_load, Some(1.0))
    );
    // Damping by ratio: 5 % of (4/π)·EA·T, with EA = 10 kN/2 % and the time T that an axial wave takes along the whole cable.
    let rope = &mooring.lines[1];
    let passage = 60.0 * (chain.mass / chain.axial_stiffness).sqrt() + 40.0 * (3.0 / 5e5f64).sqrt();
    let expected = 0.05 * 4.0 / std::f64::consts::PI * 5e5 * passage;
    assert!((rope.axial_damping / expected - 1.0).abs() < 1e-12);
    assert_eq!((rope.volume, rope.added_tangential, rope.drag_tangential), (25e-4, 0.1, 0.05));
    assert_eq!((mooring.lumps[0].mass, mooring.lumps[0].drag_area), (500.0, 0.3));
    assert_eq!(mooring.resolution.unwrap().most, 200);

    let hoist = &model.cables[1];
    assert!((hoist.lines[0].curvature[1] - 0.1).abs() < 1e-15 && hoist.lines[0].curvature[0].abs() < 1e-15);
    assert!(!hoist.lines[0].slack && hoist.twists && hoist.bends);
    // In order of arc length.
    assert_eq!(hoist.guides.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(), ["ring", "sheave"]);
    assert!(matches!(hoist.guides[1].1, Guide::Sheave { radius: 0.3, .. }));
    let payout = hoist.payout.as_ref().unwrap();
    assert_eq!((payout.end, payout.shortest, payout.longest), (0, 5.0, 30.0));
    assert_eq!(payout.speed.sample(1.5)[0], 0.5);
    // The clamp is in the body's frame.
    assert_eq!(hoist.ties[0].1.clamp, Some(Vec3::Z));
    assert!(!model.cables[2].ties[1].1.attached && model.cables[2].ties[1].1.point.body.is_some());
    assert!(model.cables[3].settle);

    let water = model.surroundings.water.as_ref().unwrap();
    assert_eq!(water.density(), 1025.0);
    assert_eq!(water.time_events(), [-1.0, 4.0]);
    assert!((water.motion(Vec3::new(0.0, 0.0, -100.0), 0.0).velocity.x - 0.2).abs() < 0.05);
    assert_eq!(model.surroundings.air.as_ref().unwrap().density(), 1.2);
    let bed = Seabed { height: -49.0, stiffness: 5e4, damping: 5e3, friction: 0.5, shear: 2e4 };
    assert_eq!(model.surroundings.seabed, Some(bed));
}

#[test]
fn written_out_and_read_again_it_is_the_same() {
    let scenario = load(ALL).unwrap();
    let again = load(&scenario.expanded).unwrap();
    assert_eq!(again.hash, scenario.hash);
    assert_eq!(format!("{:?}", again.model.cables), format!("{:?}", scenario.model.cables));
    assert!(scenario.expanded.contains("[cable.tail]"), "{}", scenario.expanded);
}

/// Where the nodes of a cable are at the start.
fn places(scenario: &Scenario, cable: CableId) -> Vec<Vec3> {
    let world = World::new(load(&scenario.expanded).unwrap().model);
    let nodes = world.state.cables[cable.index()].nodes.len();
    let first: usize =
        world.state.q.len() - world.state.cables.iter().map(|c| 3 * c.nodes.len()).sum::<usize>();
    assert_eq!(world.state.cables.len(), 1, "the helper knows one cable");
    (0..nodes).map(|i| Vec3::from_slice(&world.state.q[first + 3 * i..])).collect()
}

#[test]
fn a_cable_hangs_as_a_catenary() {
    // Half the length of an inextensible catenary of 10 m span and 12 m length: a sinh(5/a) = 6.
    // EA = 1 MN gives way by a millimetre.
    let scenario = scene(&cable(12.0, "elements = 40\nshape = \"catenary\"")).unwrap();
    let places = places(&scenario, CableId(0));
    let mut a = 5.0f64;
    for _ in 0..50 {
        a -= (a * (5.0 / a).sinh() - 6.0) / ((5.0 / a).sinh() - 5.0 / a * (5.0 / a).cosh());
    }
    let sag = a * ((5.0 / a).cosh() - 1.0);
    assert!(
        (places[20].x - 5.0).abs() < 1e-9 && (places[20].z + 5.0 + sag).abs() < 2e-3,
        "{} {sag}",
        places[20]
    );
}

#[test]
fn a_free_end_hangs_down_and_lies_on_the_bottom() {
    let text = "[cable.c]\nline = \"rope\"\nlength = 30\nelements = 30\nstart = { fixed = [0, 0, 0] }\nshape = \"catenary\"\n";
    let places = places(&scene(text).unwrap(), CableId(0));
    assert!((places[10] - Vec3::new(0.0, 0.0, -10.0)).length() < 0.01, "{}", places[10]);
    assert!(
        (places[30].z + 20.0).abs() < 1e-9 && (places[30].x.hypot(places[30].y) - 10.0).abs() < 0.05,
        "{}",
        places[30]
    );
}

#[test]
fn a_stretched_cable_is_told_of() {
    let told = scene(&cable(9.9, "")).unwrap();
    assert_eq!(
        told.chosen,
        ["cable.c: it is 9.9 m long and must span 10 m, a strain of 1.01 %, which takes 10101 N"]
    );
    assert!(told.warnings.is_empty(), "{:?}", told.warnings);
    let warned = scene(&cable(9.0, "")).unwrap();
    assert_eq!(
        warned.warnings,
        ["cable.c: it is 9 m long and must span 10 m, a strain of 11.11 %, which takes 111111 N"]
    );
    says(
        &scene(&cable(8.0, "")).unwrap_err(),
        "t/scenario.toml:19:10: `cable.c.length`: the cable is too short: it is 8 m long and must span 10 m, a strain of 25 %, and \
         no line stretches so far",
        "make it longer than 10 m, or bring its ends nearer",
    );
    // Around a ring it is the whole way that counts for the tension, and each side for where the ring is.
    let ring = |at: f64| format!("along = [{{ at = {at}, name = \"r\", ring.point = [5, 0, -5] }}]");
    assert!(scene(&cable(10.5, &ring(5.25))).unwrap().chosen.is_empty());
    // At rest it slides through the ring until it is in balance; laid as it is drawn it cannot.
    assert!(scene(&cable(10.5, &ring(2.0))).is_ok());
    says(
        &scene(&cable(10.5, &(ring(2.0) + "\nshape = \"catenary\""))).unwrap_err(),
        "t/scenario.toml:22:9: `cable.c.along`: what leads the cable is at the wrong place along it: the 2 m from 0 m on must span 5 m",
        "`at` is how much of the cable, from its start, is before the ring, the tie or the middle of the wrap; rings and sheaves do \
         without it",
    );
}

#[test]
fn a_cable_that_breaks_at_once_is_warned_of() {
    let text = SCENE.replace("axial.linear", "breaking_load = \"5 kN\"\naxial.linear") + &cable(9.9, "");
    let warnings = load(&text).unwrap().warnings;
    assert!(
        warnings[0].ends_with("which takes 10101 N: more than the 5000 N at which it breaks"),
        "{warnings:?}"
    );
}

#[test]
fn names_that_stand_for_nothing() {
    says(
        &scene(&cable(12.0, "").replace("\"rope\"", "\"rop\"")).unwrap_err(),
        "t/scenario.toml:18:8: `cable.c.line`: there is no line `rop`",
        "did you mean `rope`?",
    );
    says(
        &scene(
            &cable(12.0, "")
                .replace("end = { fixed = [10, 0, -5] }", "end = { body = \"baot\", at = [1, 0, 1] }"),
        )
        .unwrap_err(),
        "t/scenario.toml:21:16: `cable.c.end.body`: there is no body `baot`",
        "did you mean `boat`?",
    );
    says(
        &scene(&cable(
            12.0,
            "along = [{ at = 3, name = \"r\", ring = { body = \"bota\", point = [1, 0, 1] } }]",
        ))
        .unwrap_err(),
        "t/scenario.toml:22:48: `cable.c.along[0].ring.body`: there is no body `bota`",
        "did you mean `boat`?",
    );
    says(
        &scene("[line.x]\nlike = \"studles-chain-76mm\"\n").unwrap_err(),
        "t/scenario.toml:18:8: `line.x.like`: the catalogue has no line `studles-chain-76mm`",
        "did you mean `studless-chain`? `fender lines` lists the catalogue",
    );
}

#[test]
fn lines_that_cannot_be() {
    let line = |keys: &str| scene(&format!("[line.x]\n{keys}\n")).unwrap_err();
    says(
        &line("mass = 1\naxial.linear.stiffness = 0"),
        "t/scenario.toml:19:26: `line.x.axial.linear.stiffness`: must be positive and finite (EA is some 10 kN for a tether, 5 MN \
         for a steel wire of 10 mm, 1 GN for a heavy chain; a line that only pulls is `slack = true`), and is 0 N",
        "",
    );
    says(
        &line("axial.linear.stiffness = 1e6"),
        "t/scenario.toml:17:7: `line.x`: the key `mass` is missing",
        "such as mass = \"20 kg/m\", or `like` a line of the catalogue",
    );
    says(
        &line("mass = 1"),
        "t/scenario.toml:17:7: `line.x`: the key `axial` is missing",
        "such as axial.linear = { stiffness = \"10 MN\" }, or `like` a line of the catalogue",
    );
    says(
        &line("mass = \"1 kg\"\naxial.linear.stiffness = 1e6"),
        "t/scenario.toml:18:8: `line.x.mass`: expected a mass per length such as \"20 kg/m\", got a mass (\"1 kg\")",
        "",
    );
    says(
        &line("mass = 1\naxial.table.strain_tension = [[0, 0], [0.1, -5]]"),
        "t/scenario.toml:19:30: `line.x.axial.table.strain_tension`: its table of strain and tension needs two rows or more, both \
         columns increasing, and the row 0, 0",
        "",
    );
    says(
        &line("mass = 1\naxial.linear = { stiffness = 1e6, damping = 1, damping_ratio = 0.1 }"),
        "t/scenario.toml:19:64: `line.x.axial.linear.damping_ratio`: give either `damping` or `damping_ratio`, once",
        "",
    );
    says(
        &line("mass = 1\naxial.linear.stiffness = 1e6\nbending = { stiffness = 1, curvature = 2 }"),
        "t/scenario.toml:20:40: `line.x.bending.curvature`: initial curvature turns with the line: it needs bending and torsional \
         stiffness",
        "add torsion = { stiffness = … }",
    );
    says(
        &line("mass = 1\naxial.linear.stiffness = 1e6\ntorsion.stiffness = 1"),
        "t/scenario.toml:20:1: `line.x.torsion`: its inertia about its axis is 0; it must be positive",
        "give `inertia`, or the `diameter` it follows from",
    );
}

#[test]
fn cables_that_cannot_be() {
    let section = "section = [{ line = \"rope\", length = 5 }]";
    says(
        &scene(&cable(12.0, section)).unwrap_err(),
        "t/scenario.toml:18:8: `cable.c.line`: give either `line` or a list of sections, which have their own",
        "",
    );
    says(
        &scene("[cable.c]\nlength = 3\n").unwrap_err(),
        "t/scenario.toml:17:8: `cable.c`: the key `line` is missing",
        "name a [line.NAME] that it is made of, or give a list `section`",
    );
    says(
        &scene(&cable(12.0, "along = [{ at = \"13 m\", mass = 1 }]")).unwrap_err(),
        "t/scenario.toml:22:17: `cable.c.along[0].at`: this is 13 m along a cable of 12 m",
        "arc lengths are counted from the start of the cable, unstretched",
    );
    says(
        &scene(&cable(12.0, "along = [{ at = 3, mass = 1, ring.point = [0, 0, 0] }]")).unwrap_err(),
        "t/scenario.toml:22:10: `cable.c.along[0]`: what is along a cable is one of: a weight or float (`mass`, `volume`, \
         `drag_area`, `added_mass`), a tie (`body`, `point`), a `ring`, a `sheave`",
        "for a weight at a tie add two entries with the same `at`",
    );
    says(
        &scene(&cable(12.0, "along = [{ at = 3, ring.point = [0, 0, 0] }]")).unwrap_err(),
        "t/scenario.toml:22:10: `cable.c.along[0]`: the key `name` is missing: ties, rings and sheaves have one",
        "",
    );
    says(
        &scene(&cable(12.0, "elements = 0")).unwrap_err(),
        "t/scenario.toml:22:12: `cable.c.elements`: from 1 to 100000 elements, and this is 0",
        "",
    );
}

#[test]
fn elements_too_short_for_the_step() {
    // 2/L·√(EA/m) = 2/0.025·√(1e6/2) = 56569 rad/s with elements of 2.5 cm: RK4 holds √8 over that, 0.05 ms.
    says(
        &scene(&cable(12.0, "elements = 480")).unwrap_err(),
        "t/scenario.toml:22:12: `cable.c.elements`: the elements, 0.025 m long, are too short for the step: stretching them has a \
         frequency of 9003 Hz, which needs steps below 0.05 ms, and these are 0.1 ms",
        "take an implicit method, such as run.integrator.generalized_alpha = { step = 0.0001 }, a step of 0.04 ms, or 227 elements",
    );
    let implicit = SCENE.replace("rk4", "generalized_alpha") + &cable(12.0, "elements = 480");
    assert!(load(&implicit).is_ok());
    // Just held, and just not: the limit is at 5 cm, 240 elements.
    assert!(scene(&cable(12.0, "elements = 239")).is_ok());
    assert!(scene(&cable(12.0, "elements = 241")).is_err());
    let stiff = SCENE.replace("axial.linear", "bending.stiffness = \"100 MN*m^2\"\naxial.linear")
        + &cable(12.0, "elements = 20");
    let message = load(&stiff).unwrap_err().to_string();
    assert!(message.contains("bending them has a frequency of 21658 Hz"), "{message}");
}

#[test]
fn ends_that_cannot_be() {
    let end = |end: &str| {
        scene(&format!(
            "[cable.c]\nline = \"rope\"\nlength = 30\nstart = {{ fixed = [0, 0, 0] }}\nend = {end}\n"
        ))
        .unwrap_err()
    };
    says(
        &end("{ fixed = [10, 0, -30] }"),
        "t/scenario.toml:21:17: `cable.c.end.fixed`: this end is at a height of -30 m, below the seabed at -20 m",
        "make the water deeper (30 m would do), or lift the end",
    );
    says(
        &end("{ body = \"boat\" }"),
        "t/scenario.toml:21:1: `cable.c.end`: the key `at` is missing: where on the body",
        "in the world, as drawn, such as at = [0, 0, 1], or in the body's frame: body_point = [0, 0, 1]",
    );
    says(
        &end("{ fixed = [0, 0, 0], body = \"boat\", at = [0, 0, 0] }"),
        "t/scenario.toml:21:1: `cable.c.end`: an end has exactly one of `fixed`, `body` and `free`",
        "such as { fixed = [0, 0, 0] }, or { body = \"boat\", at = [1, 0, 2] }",
    );
    says(
        &end("{ free = [1, 0, 0], clamp = [1, 0, 0] }"),
        "t/scenario.toml:21:35: `cable.c.end.clamp`: a free end is not clamped",
        "",
    );
    says(
        &end("{ body = \"boat\", at = [5, 0, 1], clamp = [1, 0, 0], attached = false }"),
        "t/scenario.toml:21:48: `cable.c.end.clamp`: cable 'c': tie 'end' is made later: it holds the place, and cannot clamp the \
         direction",
        "",
    );
    let loose = "[cable.c]\nline = \"rope\"\nlength = 30\nstart = { free = [0, 0, 0] }\nend = { free = [30, 0, 0] }\n";
    says(
        &scene(loose).unwrap_err(),
        "t/scenario.toml:17:8: `cable.c.shape`: cable 'c': nothing holds it: it cannot begin at rest",
        "choose another shape (\"straight\", `through` points), or hold it somewhere",
    );
    let nowhere = "[cable.c]\nline = \"rope\"\nlength = 30\n";
    says(
        &scene(nowhere).unwrap_err(),
        "t/scenario.toml:17:8: `cable.c.shape`: neither end has a place, so that it is not known where the cable is",
        "say where: start = { free = [x, y, z] }",
    );
    says(
        &scene(&format!("{nowhere}start = {{ fixed = [0, 0, 0] }}\nshape = \"straight\"\n")).unwrap_err(),
        "t/scenario.toml:21:9: `cable.c.shape`: one end has no place, so that no straight line is known",
        "say where it is: end = { free = [x, y, z] }",
    );
    says(
        &scene(&cable(12.0, "shape = \"strait\"")).unwrap_err(),
        "t/scenario.toml:22:9: `cable.c.shape`: unknown choice `strait`",
        "did you mean `straight`?",
    );
}

#[test]
fn payouts_that_cannot_be() {
    let payout = |keys: &str| scene(&cable(12.0, &format!("payout = {{ {keys} }}")));
    says(
        &payout("speed = -1, minimum = 15").unwrap_err(),
        "t/scenario.toml:22:34: `cable.c.payout.minimum`: the shortest length is 15 m, but the cable is only 12 m long",
        "",
    );
    says(
        &payout("speed = 1, maximum = 5").unwrap_err(),
        "t/scenario.toml:22:33: `cable.c.payout.maximum`: the greatest length is 5 m, but the cable is already 12 m long",
        "",
    );
    let hauled = payout("speed = \"-2 m/s\", minimum = \"4 m\"").unwrap();
    assert_eq!(
        hauled.warnings,
        ["the payout of the cable `c` would haul in 20.000 m, but stops at its shortest length of 4 m"]
    );
    // Two elements of the 20 by default, and what is paid out during the run.
    let out = payout("at = \"end\", speed.points = [[0, 0], [5, 1], [10, 0]]").unwrap();
    let payout_ = out.model.cables[0].payout.as_ref().unwrap();
    assert_eq!(payout_.shortest, 1.2);
    assert!(payout_.longest > 12.0 + 4.0 && payout_.longest < 12.0 + 7.0, "{}", payout_.longest);
    // Far between, the curve still stays between the points.
    let far = payout("speed.points = [[0, 0], [1, 1], [8, 1], [9, 0], [10, 0]]").unwrap();
    let speed = &far.model.cables[0].payout.as_ref().unwrap().speed;
    for i in 0..=1000 {
        let value = speed.sample(0.01 * f64::from(i))[0];
        assert!((-1e-12..=1.0 + 1e-12).contains(&value), "{i}: {value}");
        assert!(!(100..=800).contains(&i) || (value - 1.0).abs() < 1e-12, "{i}: {value}");
    }
    let free = "[cable.c]\nline = \"rope\"\nlength = 30\nstart = { fixed = [0, 0, 0] }\npayout = { at = \"end\", speed = 1 }\n";
    says(
        &scene(free).unwrap_err(),
        "t/scenario.toml:21:1: `cable.c.payout`: nothing holds the end of the cable, so that nothing can be paid out there",
        "hold it (end = { fixed = … } or { body = … }), or pay out at the other end",
    );
}

#[test]
fn a_cable_can_have_a_rate_of_its_own() {
    let own = scene(&cable(12.0, "own_rate = { step = \"20 ms\" }")).unwrap();
    assert_eq!(own.model.cables[0].pace, Some(Pace { step: 0.02, radius: 0.5 }));
    says(
        &scene(&cable(12.0, "own_rate = { step = \"20 ms\", radius = 1.5 }")).unwrap_err(),
        "t/scenario.toml:22:1: `cable.c.own_rate`: cable 'c': its own step is 0.02 s with a spectral radius of 1.5; the step must be positive, the radius above \
         0 and up to 1",
        "",
    );
    let tight = "[cable.c]\nline = \"rope\"\nlength = 6\nstart = { fixed = [0, 0, -5] }\nend = { body = \"boat\", at = [0, 0, 1] }\n\
        own_rate = { step = 0.02 }\n";
    let error = scene(tight).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "t/scenario.toml:22:21: `cable.c.own_rate.step`: cable 'c': body 'boat' feels it as "
        ),
        "{error}"
    );
    assert_eq!(
        error.advice(),
        Some("take a shorter step, or leave `own_rate` out: then the cable goes with the bodies")
    );
}

#[test]
fn cables_are_tied_and_let_go() {
    let text = |events: &str| {
        let tie =
            "along = [{ at = 6, name = \"clip\", body = \"boat\", point = [1, 0, -5], attached = false }]";
        format!("{}{events}", cable(12.0, tie))
    };
    let scenario = scene(&text(
        "[[event]]\nat = 2\ndetach = \"c.end\"\n[[event]]\nat = 1\nattach = \"c.clip\"\n[[event]]\nat = 3\ndetach = \"c.clip\"\n",
    ))
    .unwrap();
    let c = CableId(0);
    assert_eq!(
        scenario.model.changes.timeline,
        [(1.0, Change::Tie(c, 2)), (2.0, Change::Untie(c, 1)), (3.0, Change::Untie(c, 2))]
    );
    let refused = |event: &str| scene(&text(&format!("[[event]]\nat = 1\n{event}\n"))).unwrap_err();
    says(
        &refused("attach = \"c.clop\""),
        "t/scenario.toml:25:10: `event[0].attach`: the cable `c` has no tie `clop`",
        "did you mean `clip`?",
    );
    says(
        &refused("attach = \"d.end\""),
        "t/scenario.toml:25:10: `event[0].attach`: there is no cable `d`",
        "cables: `c`",
    );
    says(
        &refused("detach = \"c\""),
        "t/scenario.toml:25:10: `event[0].detach`: `c` is a cable, which is attached at one place at a time",
        "its places: `c.start`, `c.end`, `c.clip`",
    );
    says(
        &refused("attach = \"c.end\""),
        "t/scenario.toml:25:10: `event[0].attach`: `c.end` is already attached at 1 s",
        "let it start loose: `attached = false` where the cable says what holds it",
    );
    let free = "[cable.c]\nline = \"rope\"\nlength = 30\nstart = { fixed = [0, 0, 0] }\n[[event]]\nat = 1\nattach = \"c.end\"\n";
    says(
        &scene(free).unwrap_err(),
        "t/scenario.toml:23:10: `event[0].attach`: nothing says what the end of the cable `c` could be attached to",
        "such as [cable.c] end = { body = \"…\", at = [0, 0, 0], attached = false }",
    );
}

#[test]
fn a_cable_begins_where_joints_put_its_bodies() {
    // An arm of 1 m, drawn along x, that starts turned by 90° upward: its tip is at (0, 0, 1).
    let arm = "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0.5, 0, 0]\n[joint.arm]\nchild = \"arm\"\n\
        motion.revolute = { axis = [0, -1, 0], angle.start = \"90 deg\" }\n\
        [cable.c]\nline = \"rope\"\nlength = 4\nelements = 8\nstart = { body = \"arm\", at = [1, 0, 0] }\nend = { free = [4, 0, 1] }\n\
        shape.straight = true\n";
    let places = places(&scene(arm).unwrap(), CableId(0));
    assert!((places[4] - Vec3::new(2.0, 0.0, 1.0)).length() < 1e-9, "{}", places[4]);
}

/// Scenarios of a page of the guide: each block that is one, the first with all fragments of the page.
fn scenarios_of(text: &str) -> Vec<String> {
    let (mut whole, mut fragments): (Vec<String>, String) = (Vec::new(), String::new());
    for block in text.split("```toml\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        if block.starts_with("format") {
            whole.push(block.to_string());
        } else {
            fragments += block;
        }
    }
    if whole.is_empty() {
        whole.push("format = 1\ntitle = \"t\"\n[run]\nduration = 60\nintegrator.rk4.step = 1e-4\n".into());
    }
    // What is complete also stands for itself.
    let first = format!("{}{fragments}", whole[0]);
    whole.push(first);
    whole
}

#[test]
fn the_guide_is_true() {
    for (page, text) in [
        ("cables", include_str!("../../../../book/src/guide/cables.md")),
        ("waters", include_str!("../../../../book/src/guide/waters.md")),
    ] {
        for (i, text) in scenarios_of(text).iter().enumerate() {
            let scenario = load(text).unwrap_or_else(|error| panic!("{page} {i}: {error}"));
            assert!(scenario.warnings.is_empty(), "{page} {i}: {:?}", scenario.warnings);
            let integrator = scenario.run.integrator.build();
            let mut world = World::new(scenario.model);
            for _ in 0..20 {
                world.step(&*integrator, f64::INFINITY).unwrap_or_else(|error| panic!("{page} {i}: {error}"));
            }
        }
    }
}

#[test]
fn waters_that_cannot_be() {
    let water = |keys: &str| load(&SCENE.replace("depth = 20", keys)).unwrap_err();
    says(
        &water("surface = 1"),
        "t/scenario.toml:8:2: `seabed`: the height of the seabed is not known",
        "give `height`, or `depth` in [water]",
    );
    says(
        &water("depth = 20\ncurrent = [1, 0]"),
        "t/scenario.toml:8:11: `water.current`: expected a list of 3, got 2",
        "",
    );
    says(
        &water("depth = 20\ncurrent.profile = [[0, [1, 0, 0]], [0, [2, 0, 0]]]"),
        "t/scenario.toml:8:19: `water.current.profile`: a current profile needs one velocity for each height, got two at 0 m",
        "",
    );
    says(
        &water("depth = 20\ncurrent.profil = 1"),
        "t/scenario.toml:8:9: `water.current.profil`: unknown key `profil`",
        "did you mean `profile`?",
    );
    says(
        &water("depth = 20\nwave.airy = { height = 1, period = 0 }"),
        "t/scenario.toml:8:36: `water.wave.airy.period`: must be positive and finite, and is 0 s",
        "",
    );
    says(
        &water("depth = 20\nwave.airy = { height = 1, period = 5 }\n[world]\ngravity = [0, 0, 0]"),
        "t/scenario.toml:8:6: `water.wave.airy`: waves need gravity that pulls down, along -z",
        "waves are made by gravity: set world.gravity = [0, 0, -9.81]",
    );
    says(
        &water("depth = -5"),
        "t/scenario.toml:7:9: `water.depth`: must be positive and finite, and is -5 m",
        "",
    );
    let warned = |wave: &str| {
        let text = SCENE.replace("depth = 20", &format!("depth = 20\nwave.airy = {wave}"));
        load(&format!("{text}{}", cable(12.0, ""))).unwrap().warnings
    };
    let steep = warned("{ height = 9, period = 5 }");
    assert!(
        steep[0].starts_with("`water.wave.airy`: a wave of this period breaks at a height of 5."),
        "{steep:?}"
    );
    let flat = warned("{ height = 9, period = 15 }");
    assert!(flat[0].contains("Ursell number"), "{flat:?}");
    assert!(warned("{ height = 1, period = 8 }").is_empty());
    let two = |bed: &str| load(&SCENE.replace("[seabed]", bed)).unwrap().warnings;
    assert_eq!(
        two("[seabed]\nheight = -15")[0],
        "the seabed is at -15 m, but the bottom of the water, which waves feel, at -20 m"
    );
    assert_eq!(two("[seabed]\nheight = -19.9"), ["the line `rope` is not used"]);
}
