//! Where implicit steps used to find no end: lines that go slack and snap, winches that start under load, frictional impacts. Each at three steps, held to what
//! does not depend on the step.

use fender_engine::{BodyId, CableId, World};
use fender_scenario::{Assets, Override, load, load_str};
use std::path::Path;

/// Runs a scene with generalized-α at a step [ms] for a time [s], and looks after every step.
fn run(text: &str, step: f64, end: f64, mut look: impl FnMut(&World)) -> World {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = {end}\nintegrator.generalized_alpha = {{ step = \"{step} ms\", radius = 0.6 }}\n{text}"
    );
    let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let integrator = scenario.run.integrator.build();
    let mut world = World::new(scenario.model);
    while world.state.time < end - 1e-9 {
        world.step(integrator.as_ref(), end).unwrap_or_else(|error| panic!("{step} ms: {error}"));
        world.refresh();
        look(&world);
    }
    assert_eq!(world.state.integrator.effort.unconverged, 0, "{step} ms");
    world
}

/// A winch starts at once with 0.4 m/s under 300 kg: the wire bounces by v·√(EA·M/l) about the weight (Newton 1687).
#[test]
fn a_winch_starts_under_load() {
    let text = "[line.wire]\nmass = \"0.4 kg/m\"\naxial.linear = { stiffness = \"5 MN\", damping = \"20 kN*s\" }\nslack = true\n\
        [body.load]\nmass = \"300 kg\"\ninertia = [5, 5, 5]\nposition = [0, 0, -10.006]\n\
        [cable.wire]\nline = \"wire\"\nlength = \"10 m\"\nelements = 20\nstart = { fixed = [0, 0, 0] }\nend = { body = \"load\", at = [0, 0, -10.006] }\n\
        payout = { at = \"start\", speed = -0.4, minimum = \"2 m\" }\n";
    let weight = 9.81 * 304.0;
    let bounce = 0.4 * (5e6 * 302.0 / 10.0_f64).sqrt();
    for (step, tolerance) in [(10.0, 0.15), (5.0, 0.1), (2.5, 0.1)] {
        let mut most = 0.0_f64;
        let world = run(text, step, 3.0, |world| most = most.max(world.cable(CableId(0)).end_tension(1)));
        assert!(
            (most / (weight + bounce) - 1.0).abs() < tolerance,
            "{step} ms: {most} N, not {}",
            weight + bounce
        );
        // Hauled in by 1.2 m; what is left of the bounce is millimetres.
        let height = world.pose(BodyId(0)).translation.z;
        assert!((height + 8.806).abs() < 0.02, "{step} ms: {height} m");
    }
}

/// Two light lines half in water, nearly weightless there, whose lower ends are moved up and down: they go slack and taut without a stop.
#[test]
fn two_lines_half_in_water_go_slack() {
    let line = |name: &str, y: f64| {
        format!(
            "[cable.{name}]\nline = \"rope\"\nlength = \"10 m\"\nelements = 20\nstart = {{ fixed = [0, {y}, 5] }}\nend = {{ body = \"buoy\", at = [0, {y}, -5] }}\n"
        )
    };
    let text = format!(
        "[water]\ndensity = 1025\n[line.rope]\nmass = \"0.16 kg/m\"\ndiameter = \"14 mm\"\naxial.linear = {{ stiffness = \"300 kN\", damping = \"1 kN*s\" }}\n\
         slack = true\ndrag = {{ normal = 1.2 }}\nadded_mass = {{ normal = 1 }}\n\
         [body.buoy]\nmass = \"100 kg\"\ninertia = [5, 5, 5]\nposition = [0, 0, -5]\nvelocity = [0, 0, 2]\nwater = \"ignored\"\n{}{}",
        line("left", -0.3),
        line("right", 0.3)
    );
    for step in [10.0, 5.0, 2.5] {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        run(&text, step, 3.0, |world| {
            let tension = world.cable(CableId(0)).end_tension(1);
            (least, most) = (least.min(tension), most.max(tension));
        });
        // Thrown up by 2 m/s it comes back with that and snaps: v·√(k·m) and the weight, shared by two, less what water takes.
        let snap = 0.5 * (2.0 * (2.0 * 3e4 * 100.0_f64).sqrt() + 100.0 * 9.81);
        assert!((0.0..1.0).contains(&least), "{step} ms: {least} N");
        assert!(most > 0.6 * snap && most < 1.1 * snap, "{step} ms: {most} N, not {snap} N");
    }
}

/// A folded chain falls, whips, and hangs in the end: whatever the step, by its weight.
#[test]
fn a_chain_is_whipped_and_caught() {
    let text = "[line.chain]\nmass = \"0.2 kg/m\"\ndiameter = \"6 mm\"\naxial.linear = { stiffness = \"5 kN\", damping = \"5 N*s\" }\nslack = true\n\
        [body.beam]\nfixed = true\n\
        [cable.chain]\nline = \"chain\"\nlength = \"2 m\"\nelements = 40\nstart = { fixed = [0, 0, 0] }\nend = { body = \"beam\", at = [0.1, 0, 0] }\n\
        [[event]]\nat = \"10 ms\"\ndetach = \"chain.end\"\n";
    for step in [5.0, 2.0, 1.0] {
        let (mut lowest, mut most) = (0.0_f64, 0.0_f64);
        run(text, step, 1.5, |world| {
            let cable = world.cable(CableId(0));
            lowest = lowest.min(cable.node(cable.nodes() - 1).z);
            most = most.max(cable.end_tension(0));
        });
        // It comes down to its length and is stretched a little; the whip pulls with many times its weight of 3.9 N.
        assert!(lowest < -1.95 && lowest > -2.2, "{step} ms: {lowest} m");
        assert!(most > 20.0, "{step} ms: {most} N");
    }
}

/// A mass slides down a guide into its slack line: it is caught with v·√(k·M) and its weight (the line's 0.2 kg beside 50 kg are nothing).
#[test]
fn a_mass_on_a_guide_snaps_its_line() {
    let text = "[line.rope]\nmass = \"0.1 kg/m\"\naxial.linear = { stiffness = \"100 kN\", damping = \"200 N*s\" }\nslack = true\n\
        [body.mass]\nmass = \"50 kg\"\ninertia = [1, 1, 1]\nposition = [0, 0, -1]\n\
        [joint.guide]\nchild = \"mass\"\npoint = [0, 0, -1]\nmotion.prismatic = { axis = [0, 0, 1] }\n\
        [cable.rope]\nline = \"rope\"\nlength = \"2 m\"\nelements = 16\nstart = { fixed = [0, 0, 0] }\nend = { body = \"mass\", at = [0, 0, -1] }\n";
    // The fall by a metre, and the work of the weight over the stretch; damped by ζ = c/(2√(k·M)) over a quarter of a period.
    let (k, weight) = (5e4, 50.0 * 9.81);
    let damped = (-std::f64::consts::FRAC_PI_2 * 100.0 / (2.0 * (k * 50.0_f64).sqrt())).exp();
    let expected = weight + damped * (weight * weight + 2.0 * k * weight * 1.0_f64).sqrt();
    for (step, tolerance) in [(10.0, 0.05), (5.0, 0.03), (2.5, 0.03)] {
        let mut most = 0.0_f64;
        let world = run(text, step, 0.7, |world| most = most.max(world.cable(CableId(0)).end_tension(1)));
        assert!((most / expected - 1.0).abs() < tolerance, "{step} ms: {most} N, not {expected} N");
        assert!(world.state.cable_statistics[0].snaps > 0, "{step} ms");
    }
}

/// Bristles of Gonthier's table 5.2 (2007) on the incline of section 5.1.3: once it rolls, its speed across is 5/7 of that at the start.
#[test]
fn bristles_on_the_incline() {
    let text = "[material.rubber]\n[body.ball]\nshape.sphere = { radius = 0.1 }\nmass = \"2 kg\"\nmaterial = \"rubber\"\nposition = [0, 0, 2]\nvelocity = [-1, 0.5, 0]\n\
        [body.slope]\nfixed = true\nshape.half_space = { normal = [0.3420201433256687, 0, 0.9396926207859084], offset = 0.4 }\nmaterial = \"rubber\"\n\
        [[contact]]\nbetween = [\"rubber\", \"rubber\"]\nnormal.hertz = { stiffness = 1e6, restitution = 0.5, small_speed = \"1 mm/s\" }\n\
        friction.bristle = { static_coefficient = 0.45, coefficient = 0.4, stiffness = \"1e5 1/m\", damping = \"1e4 s/m\", viscosity = 0, stribeck_speed = \"0.1 m/s\", \
        dwell_time = \"10 ms\", tolerance_speed = \"1 mm/s\" }\n";
    // What is left of an impact that few steps resolve goes with the step.
    for (step, tolerance) in [(5.0, 0.05), (2.0, 0.02), (1.0, 0.01)] {
        let world = run(text, step, 3.0, |_| ());
        let v = world.twist(BodyId(0)).linear;
        assert!((v.y / 0.357_143 - 1.0).abs() < tolerance, "{step} ms: {v:?}");
        assert!((v.x / 6.125_427 - 1.0).abs() < tolerance, "{step} ms: {v:?}");
    }
}

/// Those whose point is the method, or which are not resolved by milliseconds, with the reason.
const NOT_ALIKE: [(&str, &str); 3] = [
    ("andrews", "a whole run lasts 30 ms"),
    (
        "gear-mesh-contact",
        "forces of two meshes jump where a tooth goes over an edge, so that there is no end to find",
    ),
    ("pile", "a thousand balls: its point is what a step without a matrix can do"),
];
/// Those of machines: they run at 5 ms too.
const MACHINES: [&str; 10] = [
    "boom-crane",
    "fence-push",
    "flyball-governor",
    "four-bar",
    "peg-in-hole",
    "pick-and-place",
    "robot-arm",
    "robot-probe",
    "slider-crank",
    "stewart-platform",
];

/// Runs the beginning of a shipped scenario with generalized-α.
fn begins(name: &str, step: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name);
    let method = format!("{{ generalized_alpha = {{ step = \"{step}\" }} }}");
    let overrides = [Override::new("run.integrator", method)];
    let scenario =
        load(&folder.join("scenario.toml"), &overrides).unwrap_or_else(|error| panic!("{name}: {error}"));
    let end = scenario.run.duration.min(2.0);
    let integrator = scenario.run.integrator.build();
    let mut world = World::new(scenario.model);
    while world.state.time < end - 1e-9 {
        world.step(integrator.as_ref(), end).unwrap_or_else(|error| panic!("{name} at {step}: {error}"));
    }
    let effort = world.state.integrator.effort;
    println!("{name:20} {step} {} steps {effort:?}", world.state.step);
    assert!(100 * effort.unconverged <= world.state.step.max(100), "{name} at {step}: {effort:?}");
}

#[test]
fn shipped_scenarios_run_with_generalized_alpha() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the scenarios are there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is a name"))
        .collect();
    names.sort();
    for (name, _) in NOT_ALIKE {
        assert!(names.iter().any(|other| other == name), "there is no scenario {name}");
    }
    for name in names.iter().filter(|name| !NOT_ALIKE.iter().any(|(other, _)| other == name)) {
        begins(name, "1 ms");
    }
}

#[test]
fn machines_run_with_generalized_alpha_at_five_milliseconds() {
    for name in MACHINES {
        begins(name, "5 ms");
    }
}

/// A load of 5 t falls into its slings and shakes a tag line that hangs slack beside it. The island's energy is a thousand times the line's, so that
/// only the line's own balance shows what a step makes of it: without it the line was pulled with 6 kN at 10 ms.
#[test]
fn a_slack_line_beside_a_heavy_lift_makes_no_energy() {
    let corners = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let slings = corners.iter().enumerate().map(|(i, (x, y))| {
        format!(
            "[cable.sling{i}]\nline = \"sling\"\nlength = \"2.8 m\"\nelements = 4\nstart = {{ body = \"hook\", at = [0, 0, 3.85] }}\n\
             end = {{ body = \"load\", at = [{x}, {y}, 1.5] }}\n"
        )
    });
    let text = format!(
        "[line.wire]\nmass = \"3 kg/m\"\naxial.linear = {{ stiffness = \"30 MN\", damping = \"20 kN*s\" }}\nslack = true\n\
         [line.sling]\nmass = \"1 kg/m\"\naxial.linear = {{ stiffness = \"10 MN\", damping = \"2 kN*s\" }}\nslack = true\n\
         [line.tag]\nmass = \"0.35 kg/m\"\naxial.linear = {{ stiffness = \"400 kN\", damping = 0 }}\nslack = true\n\
         [body.load]\nmass = \"5 t\"\ninertia = [2600, 2600, 3300]\nposition = [0, 0, 0.75]\n\
         [body.hook]\nmass = \"300 kg\"\ninertia = [10, 10, 10]\nposition = [0, 0, 3.85]\n\
         [cable.tag]\nline = \"tag\"\nlength = \"16 m\"\nelements = 20\nstart = {{ body = \"load\", at = [1, 0, 0.75] }}\nend = {{ fixed = [14, 0, 0.5] }}\n\
         [cable.hoist]\nline = \"wire\"\nlength = \"21.15 m\"\nelements = 20\nstart = {{ fixed = [0, 0, 25] }}\nend = {{ body = \"hook\", at = [0, 0, 3.85] }}\n{}",
        slings.collect::<String>()
    );
    for step in [10.0, 5.0] {
        let mut most = 0.0_f64;
        run(&text, step, 3.0, |world| most = most.max(world.cable(CableId(0)).extremes().largest.value));
        // 640 N at 1 ms; the fall by 0.2 m gives the line's end 2 m/s, and ½·v·√(EA·m) = 370 N.
        assert!(most < 700.0, "{step} ms: {most} N");
    }
}
