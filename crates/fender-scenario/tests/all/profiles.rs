//! Sines, ramps and constant rates from a file, against closed forms, wherever something changes over time.

use fender_engine::{BodyMotion, JointId, World};
use fender_math::Vec3;
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};
use std::f64::consts::{PI, TAU};

/// A ship that heaves and rolls, a guided arm, a driven rod, a winch, a motor and a tide.
const SCENE: &str = r#"
format = 1
title = "Profiles"

[run]
duration = "2 s"

[water]
density = "1025 kg/m^3"
current = { velocity = [0.5, 0, 0], factor.sine = { mean = 1, amplitude = 0.5, period = "100 s" } }

[body.ship]
position = [1, 2, 3]
orientation.euler = { yaw = "90 deg" }
driven.motion.surge.rate = { rate = "2 m/s" }
driven.motion.heave.sine = { amplitude = "1 m", period = "8 s", ramp = "24 s" }
driven.motion.roll.sine = { amplitude = "10 deg", period = "6 s", phase = "30 deg", mean = "2 deg" }

[body.arm]
mass = 1
inertia = [1, 1, 1]

[joint.hinge]
parent = "world"
child = "arm"
motion.revolute = { axis = [0, 0, 1], angle.guide.ramp = { to = "90 deg", start = "0.5 s", duration = "1 s" } }

[body.load]
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 5]

[joint.slide]
parent = "world"
child = "load"
motion.prismatic = { axis = [1, 0, 0], distance.motor.effort.constant = "3 N" }
"#;

fn load(text: &str) -> Result<Scenario, ScenarioError> {
    load_str("t", text, &Assets::none(), &[])
}

/// The scene with one thing changed.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(SCENE.matches(from).count(), 1, "'{from}' must be there once");
    load(&SCENE.replace(from, to)).expect_err(to).to_string().split_once(": ").expect("a place").1.to_owned()
}

#[test]
fn a_driven_body_follows_its_degrees() {
    let model = load(SCENE).unwrap().model;
    let BodyMotion::Driven { series } = &model.bodies[0].motion else { panic!("the ship is driven") };
    for time in [0.0, 3.0, 12.0, 30.0] {
        let at = series.sample(time);
        let s: f64 = (time / 24.0_f64).min(1.0);
        let (f, f1) = (s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * (s * (1.0 - s)).powi(2) / 24.0);
        let omega = TAU / 8.0;
        let (sin, cos) = (omega * time).sin_cos();
        // The heading is +y: surge goes there.
        let place = Vec3::new(1.0, 2.0 + 2.0 * time, 3.0 + f * sin);
        // Rounding of the turned vector: 1e-14 of 60 m.
        assert!((at.pose.translation - place).length() < 1e-12, "{time}");
        let velocity = Vec3::new(0.0, 2.0, f1 * sin + f * omega * cos);
        assert!((at.twist.linear - velocity).length() < 1e-12, "{time}");
        if time >= 24.0 {
            let acceleration = Vec3::new(0.0, 0.0, -omega * omega * sin);
            assert!((at.acceleration.linear - acceleration).length() < 1e-12, "{time}");
        }
        // Roll about the ship's x, which points along +y.
        let rate = PI / 18.0 * TAU / 6.0 * (TAU / 6.0 * time + PI / 6.0).cos();
        assert!((at.twist.angular - Vec3::new(0.0, rate, 0.0)).length() < 1e-14, "{time}");
    }
    // Its first pose has the roll of the first instant: 2° + 10°·sin 30° = 7°, so that z leans to +x.
    let up = model.bodies[0].pose.rotation * Vec3::Z;
    assert!((up.x - (7.0_f64).to_radians().sin()).abs() < 1e-14, "{up}");
}

#[test]
fn guides_motors_and_currents_take_the_same_words() {
    let scenario = load(SCENE).unwrap();
    let water = scenario.model.surroundings.water.as_ref().unwrap();
    let tide = water.motion(Vec3::new(0.0, 0.0, -5.0), 10.0);
    let (sin, cos) = (TAU / 10.0).sin_cos();
    assert!((tide.velocity.x - 0.5 * (1.0 + 0.5 * sin)).abs() < 1e-15);
    assert!((tide.acceleration.x - 0.25 * TAU / 100.0 * cos).abs() < 1e-15);
    let mut world = World::new(scenario.model);
    for (time, angle, rate) in [(0.0, 0.0, 0.0), (1.0, PI / 4.0, 1.875 * PI / 2.0), (1.9, PI / 2.0, 0.0)] {
        world.state.time = time;
        let (got, got_rate) = (world.joint_position(JointId(0), 0), world.joint_rate(JointId(0), 0));
        assert!((got - angle).abs() < 1e-15 && (got_rate - rate).abs() < 1e-14, "{time}: {got} {got_rate}");
    }
}

#[test]
fn the_expanded_file_loads_to_the_same_scenario() {
    let scenario = load(SCENE).unwrap();
    assert_eq!(load(&scenario.expanded).expect(&scenario.expanded).expanded, scenario.expanded);
}

#[test]
fn mistakes_are_told_at_their_key() {
    let ship = "`body.ship.driven.motion.";
    assert_eq!(
        changed("heave.sine = { amplitude = \"1 m\"", "heave.sine = { amplitude = \"1 s\""),
        format!("{ship}heave.sine.amplitude`: expected a length such as \"0.3 m\", got a time (\"1 s\")")
    );
    assert_eq!(
        changed("rate = { rate = \"2 m/s\" }", "rate = { rate = \"2 m\" }"),
        format!("{ship}surge.rate.rate`: expected a velocity such as \"1.5 m/s\", got a length (\"2 m\")")
    );
    assert_eq!(
        changed("period = \"8 s\", ramp", "period = \"0 s\", ramp"),
        format!("{ship}heave.sine.period`: must be positive and finite, and is 0 s")
    );
    assert_eq!(
        changed("amplitude = \"1 m\", period", "amplitud = \"1 m\", period"),
        format!("{ship}heave.sine.amplitud`: unknown key `amplitud`")
    );
    assert_eq!(changed("heave.sine =", "heave.sin ="), format!("{ship}heave.sin`: unknown choice `sin`"));
    assert_eq!(
        changed(
            "angle.guide.ramp = { to = \"90 deg\", start = \"0.5 s\", duration = \"1 s\" }",
            "angle.guide.steps = [[0, 1]]"
        ),
        "`joint.hinge.motion.revolute.angle.guide.steps`: a prescribed motion cannot jump, as steps do"
    );
    assert_eq!(
        changed("velocity = [0.5, 0, 0], ", ""),
        "`water.current`: the key `velocity` or `profile` is missing"
    );
}

#[test]
fn a_controllers_target_has_the_unit_of_its_sensor() {
    let control = r#"
[sensor.place]
measure.joint_position = "slide"

[controller.hold]
period = "10 ms"
drive.joint = "slide"
law.pid = { sensor = "place", target.sine = { amplitude = "1 rad", period = "2 s" }, kp = "80 N/m" }
"#;
    let error = load(&format!("{SCENE}{control}")).expect_err("a distance is not in rad").to_string();
    assert!(
        error.ends_with("target.sine.amplitude`: expected a length, got an angle (\"1 rad\")"),
        "{error}"
    );
}
