//! Cables and loops that come to rest although they are stiff, slack, half wet or of very different masses; and what is doubtful about that.

use fender_engine::balance::{compressions, instability, rest};
use fender_engine::cable::{Compression, Settled};
use fender_engine::{CableId, World};
use fender_math::Vec3;
use fender_scenario::{Assets, Scenario, load_str};

const HEAD: &str =
    "format = 1\ntitle = \"t\"\n[run]\nduration = 0.1\nintegrator.generalized_alpha = { step = \"1 ms\" }\n";
const G: f64 = 9.81;

#[track_caller]
fn load(text: &str) -> Scenario {
    load_str("t", &format!("{HEAD}{text}"), &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// A world at its start, and how its one cable came to rest.
#[track_caller]
fn settled(text: &str) -> (World, Settled) {
    let world = World::new(load(text).model);
    let settled = world.model.cables[0].settled.expect("it begins at rest");
    println!("{} steps, {:.3e} N left", settled.steps, settled.force);
    (world, settled)
}

/// What both ends of a cable put on what holds them [N].
fn ends(world: &World) -> [Vec3; 2] {
    [0, 1].map(|end| world.cable(CableId(0)).on_holder(end).force)
}

/// Horizontal tension of an inextensible catenary of a span and a length between ends at one height [N], for a weight [N/m].
fn horizontal(span: f64, length: f64, weight: f64) -> f64 {
    // sinh(x)/x = length/span with x = w·span/2H.
    let (mut low, mut high) = (1e-9_f64, 50.0_f64);
    for _ in 0..200 {
        let x = 0.5 * (low + high);
        *(if x.sinh() / x < length / span { &mut low } else { &mut high }) = x;
    }
    weight * span / (2.0 * low)
}

fn line(mass: f64, diameter: f64, stiffness: f64) -> String {
    format!(
        "[line.l]\nmass = {mass}\ndiameter = {diameter}\naxial.linear = {{ stiffness = {stiffness}, damping_ratio = 0.1 }}\n"
    )
}

fn cable(length: f64, elements: usize, start: &str, end: &str) -> String {
    format!(
        "[cable.c]\nline = \"l\"\nlength = {length}\nelements = {elements}\nstart = {{ {start} }}\nend = {{ {end} }}\n"
    )
}

#[test]
fn a_light_stiff_line_rests_over_a_sheave() {
    for elements in [24, 48, 96] {
        let sheave =
            "along = [{ name = \"top\", sheave = { center = [0, 0, 6], axis = [0, 1, 0], radius = 0.2 } }]\n";
        let text = line(0.02, 0.005, 2e6)
            + &cable(12.8, elements, "fixed = [-2, 0, 1]", "fixed = [2, 0, 1.5]")
            + sheave;
        let (mut world, _) = settled(&text);
        // Statics agrees that it rests, and moves nothing.
        let before = ends(&world);
        assert_eq!(rest(&mut world).unwrap().steps, 0);
        world.refresh();
        for (a, b) in before.iter().zip(ends(&world)) {
            assert!((*a - b).length() <= 1e-12 * a.length(), "{a} {b}");
        }
        // Without friction the tension differs by the weight of the height alone.
        let [start, end] = [0, 1].map(|i| world.cable(CableId(0)).end_tension(i));
        let element = 0.02 * G * 12.8 / elements as f64;
        assert!((end - start - 0.5 * 0.02 * G).abs() < element, "{start} {end}");
    }
}

#[test]
fn a_load_on_a_light_line_over_a_sheave_comes_to_rest() {
    for shape in ["rest", "catenary"] {
        for elements in [24, 48, 96] {
            let text = "[body.load]\nmass = 5\ninertia = [0.1, 0.1, 0.1]\nposition = [0.2, 0, 0]\n"
                .to_owned()
                + &line(0.02, 0.005, 2e6)
                + &cable(12.8, elements, "fixed = [-0.2, 0, 0]", "body = \"load\", at = [0.2, 0, 0]")
                + &format!("shape = \"{shape}\"\n")
                + "along = [{ name = \"top\", sheave = { center = [0, 0, 6], axis = [0, 1, 0], radius = 0.2 } }]\n";
            let mut world = World::new(load(&text).model);
            let found = rest(&mut world).unwrap();
            println!("{shape} {elements}: {found:?}");
            world.data.clear();
            world.refresh();
            let tension = ends(&world)[1];
            assert!((tension - Vec3::new(0.0, 0.0, 5.0 * G)).length() < 1e-4, "{tension}");
        }
    }
}

/// A line of 130 m on a bed 30 m down, with its ends at the surface.
fn slack_u(line: &str, elements: usize, half: f64) -> String {
    "[seabed]\nheight = -30\nstiffness = \"100 kPa/m\"\n".to_owned()
        + line
        + &cable(130.0, elements, &format!("fixed = [{}, 0, 0]", -half), &format!("fixed = [{half}, 0, 0]"))
}

#[test]
fn a_stiff_slack_u_on_the_bed_hangs_in_two_catenaries() {
    for half in [30.0, 10.0, 2.0] {
        let (world, settled) = settled(&slack_u(&line(100.0 / G, 0.04, 1e9), 260, half));
        assert_eq!((settled.compression, settled.instability), (None, None));
        // Each leg bears the 30 m that hang from it, to an element's weight.
        let [start, end] = ends(&world);
        assert!((start - Vec3::new(-end.x, end.y, end.z)).length() < 1e-3 * start.length(), "{start} {end}");
        let tension = world.cable(CableId(0)).end_tension(0);
        let horizontal = start.x.abs();
        assert!((tension - horizontal - 30.0 * 100.0).abs() < 50.0, "{tension} {horizontal}");
    }
}

#[test]
fn a_slack_wire_on_the_bed_rests_in_compression_and_is_warned_of() {
    let wire = "[line.l]\nlike = \"wire-rope-6x19-iwrc-12mm\"\n";
    let rod = format!("{wire}slack = false\n");
    for half in [30.0, 10.0, 2.0] {
        let scenario = load(&slack_u(&rod, 300, half));
        let warning = scenario.warnings.iter().find(|w| w.starts_with("`cable.c` rests in compression, "));
        assert!(warning.is_some_and(|w| w.contains("`slack = true`")), "{:?}", scenario.warnings);
        let world = World::new(scenario.model);
        assert_eq!(compressions(&world).len(), 1);
        let low = (0..300).map(|e| world.cable(CableId(0)).element_tension(e)).fold(f64::INFINITY, f64::min);
        assert!((low + compressions(&world)[0].1.force).abs() < 1e-9, "{low}");
        // As a rope it hangs alike, and has nothing to be warned of.
        let rope = load(&slack_u(wire, 300, half));
        assert!(rope.warnings.is_empty(), "{:?}", rope.warnings);
        let (a, b) = (ends(&world)[0], ends(&World::new(rope.model))[0]);
        assert!((a - b).length() < 0.03 * a.length(), "{a} {b}");
    }
}

/// 10 cm more wire than the span: a rope is slack below and bears its own weight above; it does not push with the 152 kN of EA times 0.5 %.
#[test]
fn a_wire_that_is_longer_than_its_span_is_slack() {
    let wire = "[line.l]\nlike = \"wire-rope-6x36-iwrc-28mm\"\n";
    let hoist = cable(21.3, 20, "fixed = [0, 0, 25]", "fixed = [0, 0, 3.8]");
    let (world, found) = settled(&format!("{wire}{hoist}"));
    assert_eq!(found.compression, None);
    let weight = 21.3 * world.model.cables[0].lines[0].mass * G;
    let tensions: Vec<f64> = (0..20).map(|e| world.cable(CableId(0)).element_tension(e)).collect();
    assert!(tensions.iter().all(|t| *t >= 0.0 && *t < weight), "{tensions:?}");
    // As a rod it pushes, and that is said: with how much, beyond which load, and what to do.
    let rod = load(&format!("{wire}slack = false\n{hoist}"));
    let warned: Vec<_> = rod.warnings.iter().filter(|w| w.contains("compression")).collect();
    assert_eq!(warned.len(), 1, "{warned:?}");
    for part in
        ["`cable.c` rests in compression, 1526", " N at 20.77 m", "Euler load of 0.7001 N", "`slack = true`"]
    {
        assert!(warned[0].contains(part), "no '{part}' in {}", warned[0]);
    }
}

#[test]
fn a_small_euler_load_is_told_by_its_digits() {
    let told = |euler| Compression { at: 2.0, force: 0.25, euler, half_wave: 0.0 }.to_string();
    assert!(
        told(3.2e-5).starts_with("0.2500 N at 2.00 m and an Euler load of 3.2e-5 N:"),
        "{}",
        told(3.2e-5)
    );
    assert!(told(0.0012).contains("load of 0.0012 N") && told(0.0).contains("load of 0.0000 N"));
}

/// A column below its Euler load only shortens: π²EI/L² with hinges, four times that between clamps (Timoshenko and Gere 1961, 2.2), and its four elements
/// are enough to show that.
#[test]
fn compression_below_the_euler_load_is_not_warned_of() {
    let line = "[line.l]\nmass = 0.1\naxial.linear.stiffness = 1e6\nbending.stiffness = 100\nslack = false\n";
    let column = |load: f64, clamp: &str| {
        let span = 2.0 * (1.0 - load / 1e6);
        let ends = [format!("fixed = [0, 0, 0]{clamp}"), format!("fixed = [{span}, 0, 0]{clamp}")];
        let text = format!("[world]\ngravity = [0, 0, 0]\n{line}{}", cable(2.0, 4, &ends[0], &ends[1]));
        settled(&text).1.compression.map(|found| (found.force, found.euler))
    };
    let euler = std::f64::consts::PI.powi(2) * 100.0 / 4.0;
    assert_eq!(column(0.9 * euler, ""), None);
    let (force, limit) = column(1.1 * euler, "").unwrap();
    assert!(
        (force / (1.1 * euler) - 1.0).abs() < 1e-6 && (limit / euler - 1.0).abs() < 1e-9,
        "{force} {limit}"
    );
    let clamp = ", clamp = [1, 0, 0]";
    assert_eq!(column(3.6 * euler, clamp), None);
    assert!(column(4.4 * euler, clamp).is_some());
}

/// Bending takes r″ for how fast the direction turns, which is off by the strain: that is said where bending matters.
#[test]
fn a_rod_that_is_stretched_by_more_than_a_percent_is_warned_of() {
    let warned = |stiffness: f64, bending: f64| {
        let line = format!(
            "[line.l]\nmass = 0.1\naxial.linear.stiffness = {stiffness}\nbending.stiffness = {bending}\nslack = false\n"
        );
        // 1.5 % and what the weight of 1 N adds of 15 N.
        let text = line + &cable(1.0, 20, "fixed = [0, 0, 0], clamp = [0, 0, -1]", "fixed = [0, 0, -1.015]");
        let scenario = load(&text);
        scenario.warnings.iter().filter(|w| w.starts_with("`cable.c` is stretched by 1.5")).count()
    };
    assert_eq!(warned(1e3, 1.0), 1);
    // A bending stiffness that acts over a millimetre does not matter.
    assert_eq!(warned(1e3, 1e-5), 0);
}

#[test]
fn a_slack_wire_that_lies_on_the_bed_is_carried_by_it() {
    for (start, end) in [
        ("[-20, 0, -30]", "[20, 0, -30]"),
        ("[-20, 0, -29.9]", "[20, 0, -29.9]"),
        ("[-20, 0, 0]", "[20, 0, -30]"),
    ] {
        let text = "[seabed]\nheight = -30\nstiffness = \"100 kPa/m\"\n[line.l]\nlike = \"wire-rope-6x19-iwrc-12mm\"\n".to_owned()
            + &cable(130.0, 300, &format!("fixed = {start}"), &format!("fixed = {end}"));
        let (world, _) = settled(&text);
        let line = &world.model.cables[0].lines[0];
        let piece = 130.0 / 300.0;
        let depths = (1..300).map(|i| (-30.0 - world.cable(CableId(0)).node(i).z).max(0.0));
        let bed = 1e5 * line.diameter * piece * depths.sum::<f64>();
        let [a, b] = ends(&world);
        let weight = 130.0 * line.mass * G;
        assert!((bed - a.z - b.z - weight).abs() < 1e-6 * weight, "{bed} {a} {b} {weight}");
    }
}

#[test]
fn ropes_rest_half_in_water() {
    let area = std::f64::consts::FRAC_PI_4 * 0.04 * 0.04;
    for density in [0.5, 1.0, 3.0] {
        for (start, end) in [
            ("fixed = [-8, 0, 2]", "fixed = [8, 0, 2]"),
            ("fixed = [-8, 0, 5]", "fixed = [8, 0, -5]"),
            ("fixed = [-8, 0, 0]", "fixed = [8, 0, 0]"),
            ("fixed = [0, 0, 10]", "free = [0, 0, -10]"),
        ] {
            for (elements, stiffness) in [(20, 2e4), (20, 2e6), (100, 2e4), (100, 2e6)] {
                let mass = density * 1025.0 * area;
                let text = "[water]\ndensity = 1025\ndepth = 60\n".to_owned()
                    + &line(mass, 0.04, stiffness)
                    + &cable(20.0, elements, start, end);
                let (world, _) = settled(&text);
                // What the ends bear is weight without buoyancy: between that of a dry and of a wet rope.
                let held = ends(&world);
                let down = -(held[0].z + held[1].z);
                let (dry, wet) = (20.0 * mass * G, 20.0 * (mass - 1025.0 * area) * G);
                assert!(down <= dry * (1.0 + 1e-9) && down >= wet - 1e-6 * dry, "{down} {wet} {dry}");
                let sideways = (held[0] + held[1]).x.hypot((held[0] + held[1]).y);
                assert!(sideways <= 1e-6 * dry, "{sideways}");
            }
        }
    }
}

#[test]
fn an_all_but_inextensible_line_hangs_as_a_catenary() {
    let exact = horizontal(16.0, 20.0, G);
    for stiffness in [1e8, 1e10, 1e12, 1e14] {
        for elements in [20, 100] {
            let text = line(1.0, 0.04, stiffness)
                + &cable(20.0, elements, "fixed = [-8, 0, 0]", "fixed = [8, 0, 0]");
            let (mut world, settled) = settled(&text);
            assert_eq!((settled.compression, settled.instability), (None, None), "{stiffness}");
            let [start, end] = ends(&world);
            // Places are known to 1e-15 m, and tensions to as many strains times EA.
            let unsure = stiffness * 1e-14 * elements as f64 / 20.0;
            let near = 3.0 * exact / (elements * elements) as f64 + unsure;
            assert!((start.x.abs() - exact).abs() < near, "{stiffness} {elements}: {} {exact}", start.x);
            let weight = -(start.z + end.z);
            assert!((weight - 20.0 * G).abs() < 1e-6 + elements as f64 * unsure, "{weight}");
            assert_eq!(rest(&mut world).unwrap().steps, 0);
        }
    }
}

/// A four-bar linkage whose parts are drawn apart, with the masses of crank, rocker and coupler.
fn four_bar(masses: [f64; 3], rate: f64) -> String {
    let [a, b, c] = masses;
    let body = |name: &str, m: f64, center: &str, position: &str, [x, y, z]: [f64; 3]| {
        format!(
            "[body.{name}]\nmass = {m:e}\ncenter_of_mass = {center}\ninertia = [{:e}, {:e}, {:e}]\nposition = {position}\n",
            m * x,
            m * y,
            m * z
        )
    };
    let joint = |name: &str, more: &str| format!("[joint.{name}]\nchild = \"{name}\"\n{more}\n");
    body("crank", a, "[0, 0, 0.5]", "[0, 0, 0]", [0.08, 0.08, 0.001])
        + &joint(
            "crank",
            &format!(
                "point = [0, 0, 0]\nkeep = true\nmotion.revolute = {{ axis = [0, 1, 0], angle = {{ start = 0.6, rate = {rate} }} }}"
            ),
        )
        + &body("rocker", b, "[0, 0, 0.7]", "[1.6, 0, 0]", [0.16, 0.16, 0.001])
        + &joint("rocker", "point = [1.6, 0, 0]\nmotion.revolute = { axis = [0, 1, 0] }")
        + &body("coupler", c, "[0.7, 0, 0]", "[0, 0, 1]", [0.001, 0.16, 0.16])
        + &joint("coupler", "parent = \"crank\"\npoint = [0, 0, 1]\nmotion.revolute = { axis = [0, 1, 0] }")
        + "[loop.window]\nclose.point = { between = [\"coupler\", \"rocker\"], at = [1.4, 0, 1], to = [1.6, 0, 1.4] }\n"
}

#[test]
fn loops_of_very_different_masses_are_assembled() {
    for rate in [1.0, 30.0, 1000.0] {
        let alike = World::new(load(&four_bar([1.0; 3], rate)).model);
        for ratio in [1e3, 1e6, 1e9] {
            for light in [0b001, 0b010, 0b100, 0b011, 0b101, 0b110] {
                let masses = [0, 1, 2].map(|i| if light >> i & 1 == 1 { 1.0 / ratio } else { 1.0 });
                let world = World::new(load(&four_bar(masses, rate)).model);
                // The crank is kept, so that nothing depends on the masses.
                let pairs = alike.state.q.iter().zip(&world.state.q);
                let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let pairs = alike.state.v.iter().zip(&world.state.v);
                let faster = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-9 && faster < 1e-8 * (1.0 + rate), "{masses:?}: {apart:e} {faster:e}");
            }
        }
    }
}

#[test]
fn an_unstable_position_of_rest_is_told_with_what_leaves_it() {
    let pole = |up: f64| {
        format!(
            "[body.pole]\nmass = 2\ncenter_of_mass = [0, 0, {up}]\ninertia = [0.1, 0.1, 0.01]\n\
             [joint.hinge]\nchild = \"pole\"\npoint = [0, 0, 0]\nmotion.revolute = {{ axis = [0, 1, 0] }}\n\
             [body.weight]\nmass = 1\ncenter_of_mass = [0, 0, -2]\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 0, 0]\n\
             [joint.swing]\nchild = \"weight\"\npoint = [1, 0, 0]\nmotion.revolute = {{ axis = [0, 1, 0] }}\n"
        )
    };
    let mut world = World::new(load(&pole(0.5)).model);
    rest(&mut world).unwrap();
    let found = instability(&mut world).expect("it stands on its tip");
    // m·g·l/(I + m·l²).
    let rate = (2.0 * G * 0.5 / (0.1 + 2.0 * 0.25_f64)).sqrt();
    assert!(found.name == "pole" && (found.rate - rate).abs() < 1e-6 * rate, "{found:?}");
    let mut world = World::new(load(&pole(-0.5)).model);
    rest(&mut world).unwrap();
    assert_eq!(instability(&mut world), None);
}
