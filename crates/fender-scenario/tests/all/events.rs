//! `[[event]]` and what else comes and goes: what it makes, and what it refuses.

use fender_engine::{Change, EventKind, ForceId, LoopId, World};
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};

const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 0.001 }\n\
    [material.m]\n\
    [[contact]]\nbetween = [\"m\", \"m\"]\nnormal.linear = { stiffness = 1e4, restitution = 0.5 }\n\
    [body.a]\nmass = 1\nshape.sphere = { radius = 0.1 }\nmaterial = \"m\"\nposition = [0, 0, 1]\n\
    [body.b]\nmass = 2\nshape.sphere = { radius = 0.1 }\nmaterial = \"m\"\nposition = [1, 0, 1]\n\
    [body.floor]\nfixed = true\nshape.half_space = { normal = [0, 0, 1] }\nmaterial = \"m\"\nposition = [0, 0, -50]\n\
    [body.arm]\nmass = 1\nshape.box = { size = [1, 1, 1] }\nmaterial = \"m\"\nposition = [0, 9, 0]\n\
    [joint.arm]\nchild = \"arm\"\nmotion.revolute = { axis = [0, 1, 0], angle.guide.points = [[0, 0], [1, 1]] }\n\
    [force.push]\nload = { body = \"a\", force = [1, 0, 0] }\n\
    [loop.grip]\nclose.weld = { between = [\"a\", \"b\"] }\n";

fn scene(text: &str) -> Result<Scenario, Box<ScenarioError>> {
    load_str("t", &format!("{SCENE}{text}"), &Assets::none(), &[]).map_err(Box::new)
}

fn refused(text: &str) -> String {
    scene(text).expect_err("it is wrong").to_string()
}

#[test]
fn a_timeline_is_made_in_the_order_of_time() {
    let scenario = scene(
        "attached = false\n[[event]]\nat = \"0.5 s\"\ndetach = \"grip\"\n[[event]]\nat = \"100 ms\"\nattach = \"grip\"\n\
         disable = \"push\"\n[[event]]\nat = 0.7\nenable = \"push\"\nleave = \"a\"\n[[event]]\nat = 0.8\nenter = \"a\"\n",
    )
    .unwrap();
    let (grip, push) = (LoopId(0), ForceId(0));
    let a = scenario.model.body_named("a").unwrap();
    let expected = [
        (0.1, Change::Attach(grip)),
        (0.1, Change::Disable(push)),
        (0.5, Change::Detach(grip)),
        (0.7, Change::Enable(push)),
        (0.7, Change::Leave(a)),
        (0.8, Change::Enter(a)),
    ];
    assert_eq!(scenario.model.changes.timeline, expected);
    assert!(!scenario.model.loops[0].attached);
    let mut world = World::new(scenario.model);
    let integrator = scenario.run.integrator.build();
    while world.state.time < 1.0 - 1e-9 {
        world.step(&*integrator, 1.0).unwrap();
    }
    let told: Vec<_> = world.events.iter().map(|e| (e.time, &e.kind)).collect();
    assert_eq!(told.len(), 6);
    assert!(matches!(told[0], (t, EventKind::Attached { .. }) if (t - 0.1).abs() < 1e-9), "{told:?}");
    assert!(matches!(told[5], (t, EventKind::Entered { .. }) if (t - 0.8).abs() < 1e-9), "{told:?}");
}

#[test]
fn loops_break_and_bodies_wait() {
    let scenario = scene("break_at = \"5 kN\"\nbreak_torque = \"20 N*m\"\n").unwrap();
    let limit = scenario.model.loops[0].limit.unwrap();
    assert_eq!((limit.force, limit.torque), (5000.0, 20.0));
    let fence = "[body.post]\nmass = 1\nshape.box = { size = [1, 1, 1] }\nmaterial = \"m\"\nposition = [5, 0, 0]\n\
        idle = { near = [\"a\", \"arm\"], margin = \"20 cm\" }\n";
    let scenario = scene(fence).unwrap();
    let fence = &scenario.model.changes.fences[0];
    assert_eq!((fence.near.len(), fence.margin, fence.rest_speed, fence.rest_time), (2, 0.2, 0.01, 0.5));
    // Written out and read again it is the same.
    let again = load_str("t", &scenario.expanded, &Assets::none(), &[]).unwrap();
    assert_eq!(&again.model.changes.fences[0], fence);
}

#[test]
fn an_event_after_the_end_is_warned_of() {
    let scenario = scene("[[event]]\nat = 3\ndetach = \"grip\"\n").unwrap();
    assert!(
        scenario.warnings.iter().any(|w| w.contains("3 s comes after the end")),
        "{:?}",
        scenario.warnings
    );
}

#[test]
fn wrong_events_are_refused_with_their_place() {
    let cases = [
        ("[[event]]\nat = 0.5\ndetach = \"gripp\"\n", "there is no loop `gripp`"),
        ("[[event]]\nat = 0.5\ndisable = \"pull\"\n", "there is no force `pull`"),
        ("[[event]]\nat = 0.5\nenter = \"c\"\n", "there is no body `c`"),
        ("[[event]]\nat = -1\ndetach = \"grip\"\n", "-1"),
        ("[[event]]\nat = 0.5\n", "nothing happens"),
        ("[[event]]\nat = 0.5\nattach = \"grip\"\n", "`grip` is already attached at 0.5 s"),
        ("attached = false\n[[event]]\nat = 0.5\ndetach = \"grip\"\n", "`grip` is already detached"),
        ("[[event]]\nat = 0.5\nenable = \"push\"\n", "`push` is already enabled"),
        ("[[event]]\nat = 0.5\nleave = \"a\"\n[[event]]\nat = 0.6\nleave = \"a\"\n", "`a` is already out of"),
        ("[[event]]\nat = 0.5\nleave = \"floor\"\n", "fixed or driven"),
        ("[[event]]\nat = 0.5\nleave = \"arm\"\n", "guided"),
        ("[[event]]\nat = 0.5\ndetatch = \"grip\"\n", "detatch"),
        ("break_at = \"0 N\"\n", "0 N"),
        ("break_at = \"5 kg\"\n", "5 kg"),
        (
            "[body.p]\nfixed = true\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [\"a\"] }\n",
            "fixed or driven",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [] }\n",
            "nothing can wake it",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [\"p\"] }\n",
            "wake itself",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [\"x\"] }\n",
            "there is no body `x`",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [\"floor\"] }\n",
            "no shape with a box",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nvelocity = [1, 0, 0]\nidle = { near = [\"a\"] }\n",
            "must start at rest",
        ),
        (
            "[body.p]\nmass = 1\nmaterial = \"m\"\nshape.sphere.radius = 1\nidle = { near = [\"a\"], margin = 0 }\n",
            "0",
        ),
    ];
    for (text, words) in cases {
        let message = refused(text);
        assert!(message.contains(words), "{text}: {message}");
        assert!(message.starts_with("t/scenario.toml:"), "{message}");
    }
}
