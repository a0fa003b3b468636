//! `[joint.NAME]`: what it makes, and what it refuses.

use fender_engine::World;
use fender_scenario::{Assets, ScenarioError, load_str};

const ARM: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 0.001 }\n\
    [body.base]\nmass = 1\ninertia = [1, 1, 1]\n[body.arm]\nmass = 2\ninertia = [1, 2, 3]\nposition = [1, 0, 0]\n";

fn arm(joints: &str) -> Result<World, Box<ScenarioError>> {
    match load_str("t", &format!("{ARM}{joints}"), &Assets::none(), &[]) {
        Ok(scenario) => Ok(World::new(scenario.model)),
        Err(error) => Err(Box::new(error)),
    }
}

/// The message, without the place.
fn refused(joints: &str) -> String {
    let text = arm(joints).expect_err("the joint is wrong").to_string();
    text.split_once(": ").expect("the place comes first").1.to_owned()
}

#[test]
fn every_kind_of_joint_can_be_written() {
    let kinds = [
        ("fixed = {}", 0),
        ("revolute = { axis = [0, 1, 0], angle = { start = \"90 deg\", rate = \"2 rad/s\" } }", 1),
        ("prismatic = { axis = [1, 0, 0], distance = { start = \"10 cm\" } }", 1),
        ("cylindrical = { axis = [0, 0, 1], distance.rate = 1, angle.rate = 2 }", 2),
        ("universal = { first_axis = [1, 0, 0], second_axis = [0, 0, 2], second.start = 0.1 }", 2),
        ("spherical = { spin = [0, 0, \"60 rpm\"] }", 3),
        ("planar = { normal = [0, 0, 1] }", 3),
        ("screw = { axis = [0, 0, 1], lead = \"5 mm\", angle.rate = 1 }", 1),
        ("curve = { points = [[1, 0, 0], [2, 0, 0], [3, 1, 0]], distance.rate = \"1 m/s\" }", 1),
    ];
    for (motion, freedoms) in kinds {
        let world = arm(&format!("[joint.j]\nchild = \"arm\"\nmotion.{motion}\n")).unwrap();
        // The base floats with its six.
        assert_eq!(world.model.nv, 6 + freedoms, "{motion}");
    }
}

#[test]
fn the_joint_turns_the_child_about_its_point() {
    let world = arm(
        "[joint.j]\nparent = \"base\"\nchild = \"arm\"\nmotion.revolute = { axis = [0, 1, 0], angle = { \
                     start = \"90 deg\", rate = \"2 rad/s\" } }\n",
    )
    .unwrap();
    let arm = world.model.body_named("arm").unwrap();
    let (at, velocity) = (world.pose(arm).translation, world.twist(arm).linear);
    assert!(at.x.abs() < 1e-15 && (at.z + 1.0).abs() < 1e-15, "{at}");
    assert!((velocity.x + 2.0).abs() < 1e-14 && velocity.z.abs() < 1e-14, "{velocity}");
}

#[test]
fn what_acts_on_a_coordinate_is_read_with_its_units() {
    let world = arm("[joint.j]\nchild = \"arm\"\nmotion.revolute = { axis = [0, 1, 0], angle = { spring = { stiffness = \"2 \
                     N*m/rad\", damping = 0.1, rest = \"30 deg\" }, friction = { dry = \"1 N*m\" }, limits = { low = \"-90 \
                     deg\", high = \"90 deg\", stiffness = 100 }, motor.rate = { rate = \"10 rpm\", gain = 2, limit = \"5 \
                     N*m\" } } }\n")
    .unwrap();
    let names: Vec<&str> = world.model.actions.iter().map(|a| a.action.name()).collect();
    assert_eq!(names, ["spring", "friction", "limits", "motor"]);
    // Spring 2·π/6, motor limited? 2·(10 rpm) = 2.09 N·m: below its limit.
    let effort = world.data.links[world.model.joints[0].link].force[0];
    let expected = 2.0 * std::f64::consts::FRAC_PI_6 + 2.0 * 10.0 * std::f64::consts::TAU / 60.0;
    assert!((effort - expected).abs() < 1e-12, "{effort} {expected}");
}

#[test]
fn a_guided_joint_has_no_freedom_and_reports_its_effort() {
    let mut world = arm("[joint.j]\nchild = \"arm\"\nmotion.revolute = { axis = [0, 1, 0], angle.guide.points = [[-1, 0], [0, \
                         0.1], [1, 0.3], [2, 0.6]] }\n")
    .unwrap();
    assert_eq!(world.model.nv, 6);
    world.refresh();
    let joint = fender_engine::JointId(0);
    assert!((world.joint_position(joint, 0) - 0.1).abs() < 1e-15);
    assert!(world.joint_effort(joint, 0).abs() > 1.0);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let joint = |text: &str| format!("[joint.j]\n{text}\n");
    let cases = [
        ("child = \"amr\"\nmotion.fixed = {}", "`joint.j.child`: there is no body `amr`"),
        (
            "parent = \"bsae\"\nchild = \"arm\"\nmotion.fixed = {}",
            "`joint.j.parent`: there is no body `bsae`",
        ),
        (
            "child = \"arm\"\nmotion.revolute = { axis = [0, 0, 0] }",
            "`joint.j.motion.revolute.axis`: the axis has no length",
        ),
        (
            "child = \"arm\"\nmotion.revolute = { axis = [0, 0, 1], angle.limits = { low = 1, high = -1, stiffness = 1 } }",
            "`joint.j.motion.revolute.angle.limits.low`: the limits are reversed: low is 1 and high is -1",
        ),
        (
            "child = \"arm\"\nmotion.universal = { first_axis = [1, 0, 0], second_axis = [1, 1, 0] }",
            "`joint.j.motion.universal.second_axis`: the axes of a universal joint must be square to each other",
        ),
        (
            "child = \"arm\"\nmotion.revolute = { axis = [0, 0, 1], angle = { guide.points = [[0, 0], [1, 1]], motor.effort = 1 } }",
            "`joint.j`: joint 'j': a guided joint moves as prescribed: nothing can act on it",
        ),
        (
            "parent = \"arm\"\nchild = \"arm\"\nmotion.fixed = {}",
            "`joint.j`: joint 'j': a body cannot carry itself",
        ),
        (
            "child = \"arm\"\nmotion.cylindrical = { axis = [0, 0, 1], angle.guide.points = [[0, 0], [1, 1]] }",
            "`joint.j.motion`: either all coordinates of a joint are guided, or none",
        ),
        (
            "child = \"arm\"\nmotion.curve = { points = [[0, 0, 0]] }",
            "`joint.j.motion.curve.points`: the curve: a series needs at least two samples",
        ),
        (
            "child = \"arm\"\nmotion.revolute = { axis = [0, 0, 1], angle.guide.points = [[1, 0], [0, 1]] }",
            "`joint.j.motion.revolute.angle.guide.points[1]`: the times must increase, and sample 2 does not",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refused(&joint(text)), message);
    }
    let twice = "[joint.one]\nchild = \"arm\"\nmotion.fixed = {}\n[joint.two]\nparent = \"base\"\nchild = \"arm\"\nmotion.fixed = \
                 {}\n";
    assert!(refused(twice).contains("'arm' is already carried by joint 'one'"), "{}", refused(twice));
    let ring = "[joint.one]\nparent = \"base\"\nchild = \"arm\"\nmotion.fixed = {}\n[joint.two]\nparent = \"arm\"\nchild = \
                \"base\"\nmotion.fixed = {}\n";
    assert!(refused(ring).contains("carry each other in a ring"), "{}", refused(ring));
}
