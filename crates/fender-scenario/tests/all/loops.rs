//! `[loop.NAME]`: what it makes, and what it refuses.

use fender_engine::{LoopId, World};
use fender_scenario::{Assets, ScenarioError, load_str};

/// Two arms on hinges, side by side, and a slider.
const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 0.001 }\n\
    [body.a]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 1]\n\
    [body.b]\nmass = 2\ninertia = [1, 2, 3]\nposition = [1, 0, 1]\n\
    [body.c]\nmass = 2\ninertia = [1, 2, 3]\nposition = [2, 0, 1]\n\
    [body.post]\nfixed = true\nshape.box = { size = [1, 1, 1] }\nmaterial = \"m\"\nposition = [9, 0, 0]\n\
    [material.m]\n\
    [joint.a]\nchild = \"a\"\nmotion.revolute = { axis = [0, 1, 0], angle.rate = 1 }\n\
    [joint.b]\nchild = \"b\"\npoint = [1, 0, 0]\nmotion.revolute = { axis = [0, 1, 0] }\n\
    [joint.c]\nchild = \"c\"\nmotion.cylindrical = { axis = [0, 0, 1] }\n";

fn scene(text: &str) -> Result<World, Box<ScenarioError>> {
    match load_str("t", &format!("{SCENE}{text}"), &Assets::none(), &[]) {
        Ok(scenario) => Ok(World::new(scenario.model)),
        Err(error) => Err(Box::new(error)),
    }
}

/// The message, without the place.
fn refused(text: &str) -> String {
    let text = scene(text).expect_err("the loop is wrong").to_string();
    text.split_once(": ").expect("the place comes first").1.to_owned()
}

#[test]
fn every_kind_of_loop_can_be_written() {
    let kinds = [
        ("point = { between = [\"a\", \"b\"], at = [0, 0, 1], to = [0, 0, 1] }", 3),
        ("axis = { between = [\"c\", \"world\"], at = [2, 0, 1], axis = [0, 0, 2] }", 4),
        ("hinge = { between = [\"a\", \"b\"], at = [0, 0, 1], axis = [0, 1, 0] }", 5),
        ("weld = { between = [\"a\", \"b\"] }", 6),
        ("distance = { between = [\"a\", \"b\"], from = [0, 0, 1], to = [1, 0, 1] }", 1),
        (
            "distance = { between = [\"a\", \"world\"], from = [0, 0, 1], to = [1, 0, 3], guide.points = [[0, \"2.3 m\"], [1, 2.2]] }",
            1,
        ),
        ("rope = { through = [[\"a\", [0, 0, 1]], [\"post\", [9, 0, 3]], [\"b\", [1, 0, 1]]] }", 1),
        ("gear = { joints = [\"a\", \"b\"], ratio = -2 }", 1),
        ("rack = { pinion = \"a\", rack = \"c.distance\", radius = \"5 cm\" }", 1),
        ("coupling = { terms = [[\"a\", 1], [\"c.angle\", -3]], value = 0.1 }", 1),
        ("coupling = { terms = [[\"a\", 1]], guide.points = [[0, 0], [1, 1]] }", 1),
    ];
    for (close, rows) in kinds {
        let world = scene(&format!("[loop.l]\nclose.{close}\n")).unwrap_or_else(|e| panic!("{close}: {e}"));
        assert_eq!(world.model.loops[0].closure.count(), rows, "{close}");
        assert!(world.loop_violation(LoopId(0)) < 1e-9, "{close}");
    }
}

#[test]
fn a_gear_turns_the_second_joint_by_its_ratio() {
    let world = scene("[loop.l]\nclose.gear = { joints = [\"a\", \"b\"], ratio = -2 }\n").unwrap();
    let rates = &world.state.v;
    assert!((rates[1] + 2.0 * rates[0]).abs() < 1e-12 && rates[0] > 0.1, "{rates:?}");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let cases = [
        (
            "[loop.l]\nclose.point = { between = [\"a\", \"d\"], at = [0, 0, 1] }\n",
            "`loop.l.close.point.between[1]`: there is no body `d`",
        ),
        (
            "[loop.l]\nclose.weld = { between = [\"a\", \"a\"] }\n",
            "`loop.l.close.weld.between`: a loop closes between two different bodies",
        ),
        (
            "[loop.l]\nclose.hinge = { between = [\"a\", \"b\"], at = [0, 0, 1], axis = [0, 0, 0] }\n",
            "`loop.l.close.hinge.axis`: the axis has no length",
        ),
        (
            "[loop.l]\nclose.point = { between = [\"world\", \"post\"], at = [0, 0, 1] }\n",
            "`loop.l`: loop 'l': none of its bodies can move",
        ),
        (
            "[loop.l]\nclose.distance = { between = [\"a\", \"b\"], from = [0, 0, 1], to = [0, 0, 1] }\n",
            "`loop.l.close.distance.from`: the points coincide as drawn: give a `length`, or use `close.point`",
        ),
        (
            "[loop.l]\nclose.rope = { through = [[\"a\", [0, 0, 1]]] }\n",
            "`loop.l.close.rope.through`: a rope runs through two points at least",
        ),
        (
            "[loop.l]\nclose.gear = { joints = [\"a\", \"d\"], ratio = 1 }\n",
            "`loop.l.close.gear.joints[1]`: there is no joint `d`",
        ),
        (
            "[loop.l]\nclose.gear = { joints = [\"a\", \"c\"], ratio = 1 }\n",
            "`loop.l.close.gear.joints[1]`: joint `c` has several coordinates, and one is needed",
        ),
        (
            "[loop.l]\nclose.gear = { joints = [\"a\", \"a\"], ratio = 1 }\n",
            "`loop.l.close.gear.joints`: a gear joins two different joints",
        ),
        (
            "[loop.l]\nclose.gear = { joints = [\"a\", \"b\"], ratio = 0 }\n",
            "`loop.l.close.gear.ratio`: a ratio of zero holds the second joint: make it `fixed` instead",
        ),
        (
            "[loop.l]\nclose.rack = { pinion = \"a\", rack = \"b\", radius = 1 }\n",
            "`loop.l.close.rack.rack`: the pinion is a joint that turns, the rack one that slides",
        ),
        (
            "[loop.l]\nclose.coupling = { terms = [[\"a\", 0]] }\n",
            "`loop.l.close.coupling.terms`: a coupling needs a term with a factor that is not zero",
        ),
        (
            "[loop.l]\nclose.distance = { between = [\"a\", \"b\"], from = [0, 0, 1], to = [1, 0, 1], length = 5 }\n",
            "`loop.l`: loop 'l' cannot be closed: nearest to the start given, it stays open by",
        ),
        (
            "[loop.one]\nclose.coupling = { terms = [[\"a\", 1]], guide.points = [[0, 0], [1, 1]] }\n\
             [loop.two]\nclose.coupling = { terms = [[\"a\", 1]], guide.points = [[0, 0], [1, 1]] }\n",
            "`loop.two`: loop 'two' prescribes a motion that is already determined",
        ),
        (
            "[joint.again]\nchild = \"b\"\nmotion.revolute = { axis = [0, 1, 0] }\n",
            "`joint.again`: joint 'again': 'b' is already carried by joint 'b', and a body has one joint that carries \
             it: make this one a loop, such as [loop.again] close.hinge",
        ),
    ];
    for (text, expected) in cases {
        let message = refused(text);
        assert!(message.starts_with(expected), "{text}\n{message}\n{expected}");
    }
}
