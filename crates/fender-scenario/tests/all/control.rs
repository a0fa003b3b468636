//! `[sensor.NAME]`, `[controller.NAME]` and targets over time: what they make, and what they refuse.

use fender_engine::controller::Drive;
use fender_engine::sensor::{Axes, Measure};
use fender_engine::{BodyId, JointId, World};
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};

const CART: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 0.001 }\n[material.steel]\n\
    [body.cart]\nmass = 1\nshape.box = { size = [1, 1, 1] }\nmaterial = \"steel\"\n\
    [body.pole]\nmass = 2\ninertia = [1, 2, 3]\nposition = [1, 0, 0]\n\
    [body.ball]\nmass = 1\nshape.sphere = { radius = 0.1 }\nmaterial = \"steel\"\nposition = [0, 0, 9]\n\
    [joint.rail]\nchild = \"cart\"\nmotion.prismatic = { axis = [1, 0, 0] }\n\
    [joint.hinge]\nparent = \"cart\"\nchild = \"pole\"\nmotion.spherical = {}\n[[ignore]]\nbodies = [\"cart\", \"ball\"]\n";

const SENSORS: &str = "[sensor.x]\nmeasure.joint_position = \"rail\"\n\
    [sensor.gyro]\nmeasure.angular_velocity = { body = \"pole\", in = \"body\" }\n\
    [sensor.spin]\nmeasure.joint_rate = \"hinge.y\"\n";

fn load(more: &str) -> Result<Scenario, Box<ScenarioError>> {
    let files = Assets::Embedded(vec![("up.csv".into(), b"time,value\n0,1\n2,5\n")]);
    load_str("t", &format!("{CART}{more}"), &files, &[]).map_err(Box::new)
}

/// The message and the help, without the place.
fn refused(more: &str) -> (String, String) {
    let error = load(more).expect_err("it is wrong");
    let text = error.to_string();
    assert!(error.position().is_some(), "{text}");
    (
        text.split_once(": ").expect("the place comes first").1.to_owned(),
        error.advice().unwrap_or("").to_owned(),
    )
}

#[track_caller]
fn says(more: &str, message: &str, help: &str) {
    assert_eq!(refused(more), (message.to_owned(), help.to_owned()));
}

#[test]
fn every_measure_can_be_written() {
    let measures = [
        ("position = { body = \"pole\", point = [\"10 cm\", 0, 0] }", "m", 3),
        ("orientation = { body = \"pole\" }", "1", 4),
        ("velocity = { body = \"pole\", in = \"body\" }", "m/s", 3),
        ("angular_velocity = { body = \"pole\" }", "rad/s", 3),
        ("acceleration = { body = \"pole\" }", "m/s²", 3),
        ("angular_acceleration = { body = \"pole\", in = \"body\" }", "rad/s²", 3),
        ("accelerometer = { body = \"pole\", point = [0, 0, 1] }", "m/s²", 3),
        ("joint_position = \"rail.distance\"", "m", 1),
        ("joint_rate = \"rail\"", "m/s", 1),
        ("joint_rate = \"hinge.z\"", "rad/s", 1),
        ("joint_effort = \"rail\"", "N", 1),
        ("joint_effort = \"hinge.x\"", "N·m", 1),
        ("cut_force = { joint = \"hinge\" }", "N", 3),
        ("cut_torque = { joint = \"hinge\", in = \"body\" }", "N·m", 3),
        ("distance = { between = [\"cart\", \"pole\"], point_a = [0, 0, 1] }", "m", 1),
        ("clearance = { between = [\"cart\", \"ball\"] }", "m", 1),
        ("range = { body = \"pole\", direction = [0, 0, -1], maximum = \"2 m\" }", "m", 1),
        ("inside = { body = \"pole\", point = [0, 0, 1], of = \"ball\" }", "1", 1),
    ];
    for (measure, unit, width) in measures {
        let scenario = load(&format!("[sensor.s]\nmeasure.{measure}\n")).unwrap();
        let sensor = &scenario.model.sensors[0];
        assert_eq!(
            (sensor.measure.unit(&scenario.model), sensor.measure.width()),
            (unit, width),
            "{measure}"
        );
        assert_eq!((sensor.period, sensor.delay, sensor.noise.deviation), (0.0, 0.0, 0.0));
    }
}

#[test]
fn what_is_said_of_a_sensor_is_kept() {
    let scenario = load(
        "[sensor.s]\nmeasure.velocity = { body = \"pole\", point = [\"10 cm\", 0, 0], in = \"body\" }\nperiod = \"2 ms\"\n\
         delay = \"5 ms\"\nnoise = { deviation = \"3 mm/s\", seed = 9 }\n",
    )
    .unwrap();
    let sensor = &scenario.model.sensors[0];
    let point = fender_math::Vec3::X * 0.1;
    assert_eq!(sensor.measure, Measure::Velocity { body: BodyId(1), point, axes: Axes::Body });
    assert_eq!(
        (sensor.period, sensor.delay, sensor.noise.deviation, sensor.noise.seed),
        (0.002, 0.005, 0.003, 9)
    );
}

#[test]
fn controllers_read_sensors_and_drive_what_they_say() {
    let scenario = load(&format!(
        "{SENSORS}[controller.a]\ndrive.joint = \"rail\"\nperiod = \"10 ms\"\nlimits = {{ low = \"-5 N\", high = \"1 kN\" }}\n\
         law.state_feedback = {{ offset = \"2 N\", terms = [{{ sensor = \"x\", gain = \"3 N/m\", target = \"50 cm\" }}, {{ sensor = \
         \"gyro.y\", gain = \"4 N*s/rad\" }}] }}\n[controller.b]\ndrive.force = {{ body = \"ball\", direction = [0, 0, 2], in = \"body\" \
         }}\nlaw.pid = {{ sensor = \"x\", kp = \"2 N/m\", ki = \"1 N/m/s\", kd = \"3 N*s/m\", filter = \"10 ms\" }}\n[controller.c]\n\
         drive.torque = {{ body = \"ball\", direction = [1, 0, 0] }}\nlaw.pid = {{ sensor = \"spin\", kp = \"1 N*m*s\" }}\n"
    ))
    .unwrap();
    let [a, b, c] = scenario.model.controllers.as_slice() else { panic!("three controllers") };
    assert_eq!(a.drive, Drive::Joint { joint: JointId(0), coordinate: 0 });
    assert_eq!((a.low, a.high, a.period), (-5.0, 1000.0, 0.01));
    assert!((b.low, b.high, b.period) == (f64::NEG_INFINITY, f64::INFINITY, 0.0));
    assert!(matches!(b.drive, Drive::Force { direction: fender_math::Vec3::Z, axes: Axes::Body, .. }));
    assert!(matches!(c.drive, Drive::Torque { axes: Axes::World, .. }));
    // At the start the slide is at 0 and nothing turns: 2 − 3·(0 − 0.5).
    let world = World::new(scenario.model);
    assert_eq!(world.state.outputs[0], 3.5);
}

#[test]
fn targets_may_change_over_time() {
    let effort = |course: &str, time: f64| {
        let joint = format!(
            "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joint.arm]\nchild = \"arm\"\nmotion.prismatic = {{ axis = [1, 0, 0], \
             distance.motor.effort{course} }}\n"
        );
        let model = load(&joint).unwrap().model;
        model.actions[0].action.apply(time, 0.0, 0.0).force
    };
    assert_eq!(effort(" = \"2 kN\"", 0.0), 2000.0);
    assert_eq!(effort(".points = [[0, 1], [\"2 s\", \"5 N\"]]", 1.0), 3.0);
    assert_eq!(effort(".file = \"up.csv\"", 1.0), 3.0);
    let steps = ".steps = [[0, 1], [\"500 ms\", 5]]";
    assert_eq!((effort(steps, 0.4), effort(steps, 0.5)), (1.0, 5.0));
    let motor = |motor: &str| {
        let joint = format!(
            "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joint.arm]\nchild = \"arm\"\nmotion.revolute = {{ axis = [0, 1, 0], \
                     angle.motor.{motor} }}\n"
        );
        load(&joint).unwrap().model.actions[0].action.apply(1.0, 0.0, 0.0).force
    };
    let degree = std::f64::consts::PI / 180.0;
    let rate = motor("rate = { rate.points = [[0, 0], [2, \"2 deg/s\"]], gain = 10, limit = 99 }");
    assert!((rate - 10.0 * degree).abs() < 1e-12);
    // Half-way, with the rate of the target: a spline that starts and ends at rest is 1.5 times as fast there as a line.
    let position = motor(
        "position = { position.points = [[0, 0], [2, \"2 deg\"]], stiffness = 10, damping = 1, limit = 99 }",
    );
    assert!((position - 11.5 * degree).abs() < 1e-12);
}

#[test]
fn the_expanded_file_is_the_same_scenario() {
    let text = format!(
        "{CART}{SENSORS}[controller.a]\ndrive.joint = \"rail\"\nlaw.pid = {{ sensor = \"x\", kp = 2, target.steps = [[0, 0], \
         [1, \"20 cm\"]] }}\n[controller.b]\ndrive.force = {{ body = \"ball\", direction = [0, 0, 2] }}\nlaw.state_feedback.terms = [{{ \
         sensor = \"gyro.x\", gain = 1, target.points = [[0, 0], [1, 2]] }}]\n"
    );
    let first = load_str("t", &text, &Assets::none(), &[]).unwrap();
    let second = load_str("t", &first.expanded, &Assets::none(), &[]).unwrap();
    assert_eq!(first.hash, second.hash);
    assert_eq!(first.expanded, second.expanded);
    assert_eq!(format!("{:?}", first.model.controllers), format!("{:?}", second.model.controllers));
}

#[test]
fn wrong_sensors_are_told() {
    says(
        "[sensor.s]\nmeasure.joint_position = \"rial\"\n",
        "`sensor.s.measure.joint_position`: there is no joint `rial`",
        "did you mean `rail`?",
    );
    says(
        "[sensor.s]\nmeasure.joint_rate = \"rail.angle\"\n",
        "`sensor.s.measure.joint_rate`: joint `rail` has no coordinate `angle`",
        "such as `rail.distance`; it has: distance",
    );
    says(
        "[sensor.s]\nmeasure.joint_rate = \"hinge\"\n",
        "`sensor.s.measure.joint_rate`: joint `hinge` has several coordinates, and one is needed",
        "such as `hinge.x`; it has: x, y, z",
    );
    says(
        "[sensor.s]\nmeasure.joint_position = \"hinge.x\"\n",
        "`sensor.s.measure.joint_position`: joint `hinge` has neither an angle nor a distance",
        "it has spins, and they have rates only",
    );
    says(
        "[sensor.s]\nmeasure.cut_force.joint = \"hing\"\n",
        "`sensor.s.measure.cut_force.joint`: there is no joint `hing`",
        "did you mean `hinge`?",
    );
    says(
        "[sensor.s]\nmeasure.position = { body = \"pol\" }\n",
        "`sensor.s.measure.position.body`: there is no body `pol`",
        "did you mean `pole`?",
    );
    says(
        "[sensor.s]\nmeasure.clearance = { between = [\"cart\", \"pole\"] }\n",
        "`sensor.s`: sensor 's': 'pole' has no shape that could have a clearance",
        "",
    );
    says(
        "[sensor.s]\nmeasure.inside = { body = \"cart\", of = \"pole\" }\n",
        "`sensor.s`: sensor 's': 'pole' has no shape that a point could be inside",
        "",
    );
    says(
        "[sensor.s]\nmeasure.inside = { body = \"cart\", of = \"bal\" }\n",
        "`sensor.s.measure.inside.of`: there is no body `bal`",
        "did you mean `ball`?",
    );
    says(
        "[sensor.s]\nmeasure.inside = { body = \"cart\", of = \"cart\" }\n",
        "`sensor.s`: sensor 's': a point is looked for in another body than its own",
        "",
    );
    says(
        "[sensor.s]\nmeasure.speed = { body = \"pole\" }\n",
        "`sensor.s.measure.speed`: unknown choice `speed`",
        "possible choices: `position`, `orientation`, `velocity`, `angular_velocity`, `acceleration`, `angular_acceleration`, \
         `accelerometer`, `joint_position`, `joint_rate`, `joint_effort`, `cut_force`, `cut_torque`, …",
    );
    let with = |key: &str| format!("[sensor.s]\nmeasure.velocity = {{ body = \"pole\" }}\n{key}\n");
    says(
        &with("period = \"-1 ms\""),
        "`sensor.s.period`: must be zero or positive, and finite, and is -0.001 s",
        "",
    );
    says(
        &with("period = \"1 ps\""),
        "`sensor.s`: sensor 's': its period must be 0 (every step) or at least 0.000000001 s, and is 0.000000000001 s",
        "",
    );
    says(&with("delay = -1"), "`sensor.s.delay`: must be zero or positive, and finite, and is -1 s", "");
    says(
        &with("noise = { deviation = \"1 deg\" }"),
        "`sensor.s.noise.deviation`: expected a velocity, got an angle (\"1 deg\")",
        "the sensor is in m/s, and so is a number without quotes",
    );
    says(
        &with("noise.deviation = -1"),
        "`sensor.s.noise.deviation`: must be zero or positive, and finite, and is -1",
        "",
    );
    says(
        &with("noise = { deviation = 1, seed = -1 }"),
        "`sensor.s.noise.seed`: expected a whole number, zero or positive, got the number -1",
        "",
    );
    let (message, _) = refused("[sensor.\"a b\"]\nmeasure.orientation = { body = \"pole\" }\n");
    assert!(message.contains("\"a b\" cannot be a name"), "{message}");
}

#[test]
fn wrong_controllers_are_told() {
    let with = |key: &str| format!("{SENSORS}[controller.c]\ndrive.joint = \"rail\"\n{key}\n");
    let pid = |keys: &str| with(&format!("law.pid = {{ {keys} }}"));
    says(
        &pid("sensor = \"y\""),
        "`controller.c.law.pid.sensor`: there is no sensor `y`",
        "sensors: `x`, `gyro`, `spin`",
    );
    says(
        &pid("sensor = \"gyr.x\""),
        "`controller.c.law.pid.sensor`: there is no sensor `gyr`",
        "did you mean `gyro`?",
    );
    says(
        &pid("sensor = \"gyro\""),
        "`controller.c.law.pid.sensor`: the sensor `gyro` shows 3 numbers, and one is needed",
        "name one of them, such as `gyro.x`",
    );
    says(
        &pid("sensor = \"gyro.w\""),
        "`controller.c.law.pid.sensor`: the sensor `gyro` has no component `w`",
        "components: `x`, `y`, `z`",
    );
    says(
        &pid("sensor = \"x.x\""),
        "`controller.c.law.pid.sensor`: the sensor `x` shows one number, without components",
        "write `x`",
    );
    says(
        &pid("sensor = \"x\", target = \"10 deg\""),
        "`controller.c.law.pid.target`: expected a length, got an angle (\"10 deg\")",
        "the sensor is in m, and so is a number without quotes",
    );
    says(
        &pid("sensor = \"x\", target.steps = [[0, 0], [1, \"1 kg\"]]"),
        "`controller.c.law.pid.target.steps[1][1]`: expected a length, got a mass (\"1 kg\")",
        "the sensor is in m, and so is a number without quotes",
    );
    says(
        &pid("sensor = \"x\", kd = \"3 N/m\""),
        "`controller.c.law.pid.kd`: expected a damping, got a stiffness (\"3 N/m\")",
        "the gain is in N/m*s, and so is a number without quotes",
    );
    says(
        &pid("sensor = \"x\", target.steps = []"),
        "`controller.c.law.pid.target.steps`: there must be at least one step",
        "",
    );
    says(
        &pid("sensor = \"x\", target.steps = [[1, 0], [1, 2]]"),
        "`controller.c.law.pid.target.steps[1]`: the times must increase, and sample 2 does not",
        "",
    );
    says(
        &pid("sensor = \"x\", target.points = [[1, 0]]"),
        "`controller.c.law.pid.target.points`: a series needs at least two samples",
        "",
    );
    says(
        &pid("sensor = \"x\", target = { points = [[0, 0], [1, 1]], steps = [[0, 0]] }"),
        "`controller.c.law.pid.target`: expected exactly one of `constant`, `points`, `steps`, `file`, `sine`, `ramp`, `rate`",
        "",
    );
    says(
        &pid("sensor = \"x\", target = {}"),
        "`controller.c.law.pid.target`: expected exactly one of `constant`, `points`, `steps`, `file`, `sine`, `ramp`, `rate`",
        "",
    );
    says(
        &pid("sensor = \"x\", target.point = [[0, 0], [1, 1]]"),
        "`controller.c.law.pid.target.point`: unknown choice `point`",
        "did you mean `points`?",
    );
    says(
        &pid("sensor = \"x\", target = true"),
        "`controller.c.law.pid.target`: expected a number, or one of `constant`, `points`, `steps`, `file`, `sine`, `ramp`, `rate`, got true",
        "",
    );
    says(
        &with("law.pid.sensor = \"x\"\nlimits = { low = 3, high = 3 }"),
        "`controller.c.limits.low`: the limits are reversed: low is 3 and high is 3",
        "",
    );
    says(
        &with("law.pid.sensor = \"x\"\nlimits = { low = \"-3 N*m\", high = 3 }"),
        "`controller.c.limits.low`: expected a force, got a torque or energy (\"-3 N*m\")",
        "the output is in N, and so is a number without quotes",
    );
    says(
        &with(
            "law.state_feedback.terms = [{ sensor = \"x\", gain = 1 }, { sensor = \"spin\", gain = \"1 kg\" }]",
        ),
        "`controller.c.law.state_feedback.terms[1].gain`: expected a quantity in kg*m*s^-1*rad^-1, got a mass (\"1 kg\")",
        "the gain is in N/(rad/s), and so is a number without quotes",
    );
    let drive = |drive: &str| format!("{SENSORS}[controller.c]\ndrive.{drive}\nlaw.pid.sensor = \"x\"\n");
    says(
        &drive("joint = \"hing\""),
        "`controller.c.drive.joint`: there is no joint `hing`",
        "did you mean `hinge`?",
    );
    says(
        &drive("force = { body = \"cart\", direction = [0, 0, 0] }"),
        "`controller.c.drive.force.direction`: the axis has no length",
        "such as [0, 0, 1]",
    );
    says(
        &drive("torque = { body = \"cat\", direction = [0, 0, 1] }"),
        "`controller.c.drive.torque.body`: there is no body `cat`",
        "did you mean `cart`?",
    );
    let wall = "[body.wall]\nfixed = true\n[controller.c]\ndrive.force = { body = \"wall\", direction = [0, 0, 1] }\n\
                law.state_feedback = { offset = 1, terms = [] }\n";
    says(wall, "`controller.c`: controller 'c': 'wall' is fixed or driven: no force moves it", "");
    let guided = "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\n[joint.arm]\nchild = \"arm\"\nmotion.revolute = { axis = [0, 0, 1], \
                  angle.guide.points = [[0, 0], [1, 1]] }\n[controller.c]\ndrive.joint = \"arm\"\nlaw.state_feedback.terms = []\n";
    says(guided, "`controller.c`: controller 'c': joint 'arm' is guided: nothing can act on it", "");
}

#[test]
fn a_period_below_the_step_is_warned_of() {
    let scenario =
        load(&format!("{SENSORS}[sensor.fast]\nmeasure.orientation.body = \"pole\"\nperiod = \"0.1 ms\"\n"))
            .unwrap();
    let expected = "`sensor.fast.period` is shorter than the step of 0.001 s: it will be as long as the step";
    assert_eq!(scenario.warnings, [expected]);
}

/// The snippets of the guide, in a scene with what they name.
#[test]
fn the_snippets_of_the_guide_are_scenarios() {
    let guide = include_str!("../../../../book/src/guide/sensors.md");
    let base = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 0.001 }\n[material.steel]\n\
        [body.cart]\nmass = 1\ninertia = [1, 1, 1]\n[body.pole]\nmass = 2\nmaterial = \"steel\"\nshape.box = { size = [0.1, 0.1, 1] }\n\
        [body.wall]\nfixed = true\nmaterial = \"steel\"\nshape.box = { size = [1, 1, 1] }\nposition = [5, 0, 0]\n\
        [[ignore]]\nbodies = [\"pole\", \"wall\"]\n[joint.slide]\nchild = \"cart\"\nmotion.prismatic = { axis = [1, 0, 0] }\n\
        [joint.hinge]\nparent = \"cart\"\nchild = \"pole\"\nmotion.revolute = { axis = [0, 1, 0] }\n";
    let others = "[sensor.place]\nmeasure.joint_position = \"slide\"\n[sensor.speed]\nmeasure.joint_rate = \"slide\"\n";
    let blocks: Vec<&str> =
        guide.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert_eq!(blocks.len(), 3);
    let all = format!("{base}{others}{}", blocks.concat());
    let scenario = load_str("t", &all, &Assets::none(), &[]).unwrap();
    assert_eq!((scenario.model.sensors.len(), scenario.model.controllers.len()), (7, 2));
}
