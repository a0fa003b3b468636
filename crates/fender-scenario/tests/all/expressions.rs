//! Arithmetic with parameters, whole numbers that come as floats, and what is refused.

use fender_scenario::{Assets, Override, Scenario, ScenarioError, load_str};

/// A ball whose place is three expressions, with parameters that refer to each other.
const BALL: &str = r#"
format = 1
title = "$$5 ball"
description = "a ball of $radius"

[parameter]
radius = "20 cm"
lift = "$height - $radius"
height = "2 m + 2*$radius"
ratio = "$height / $radius"
count = 3
drop-height = "7 m"

[run]
duration = "1 s"

[material.steel]
density = "7.8 t/m^3"

[body.ball]
shape.sphere = { radius = "$radius" }
material = "steel"
position = ["-$lift", "sqrt($radius^2 + (15 cm)^2)", "$drop-height - 1 m*$count"]
orientation.euler = { yaw = "pi/2 * 1 rad" }

[sensor.tilt]
measure.velocity = { body = "ball" }
period = "10 ms"
noise = { deviation = "1 m/s * $ratio / 12", seed = "$drop-height / 1 m - 4" }
"#;

fn load(text: &str, overrides: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let overrides: Vec<Override> =
        overrides.iter().map(|(path, value)| Override::new(*path, *value)).collect();
    load_str("t", text, &Assets::none(), &overrides)
}

fn position(overrides: &[(&str, &str)]) -> [f64; 3] {
    load(BALL, overrides).expect("the file is right").model.bodies[0].pose.translation.to_array()
}

#[test]
fn parameters_are_calculated_with() {
    for (got, asked) in position(&[]).into_iter().zip([-2.2, 0.25, 4.0]) {
        assert!((got - asked).abs() < 1e-15, "{got} {asked}");
    }
    let scenario = load(BALL, &[]).unwrap();
    assert_eq!(
        (scenario.title.as_str(), scenario.description.as_deref()),
        ("$5 ball", Some("a ball of $radius"))
    );
    let turned = scenario.model.bodies[0].pose.rotation * fender_math::Vec3::X;
    assert!((turned - fender_math::Vec3::Y).length() < 1e-15);
    let noise = scenario.model.sensors[0].noise;
    // 7 − 4 is a count, though it was calculated from lengths; 2.4 m/0.2 m/12 is 1 but for the last bit.
    assert!((noise.deviation - 1.0).abs() < 1e-15);
    assert_eq!(noise.seed, 3);
}

#[test]
fn overrides_are_calculated_and_followed() {
    // h = 2 + 2·0.5 = 3, lift = 2.5.
    assert_eq!(position(&[("radius", "0.5 m")])[0], -2.5);
    assert_eq!(position(&[("radius", "$drop-height / 14")])[0], -2.5);
    // 2.4 − 0.2 rounds.
    assert!((position(&[("body.ball.position", "[0, 0, \"2*$lift\"]")])[2] - 4.4).abs() < 1e-15);
    assert_eq!(position(&[("count", "2+2")])[2], 3.0);
}

#[test]
fn the_expanded_file_shows_values_and_keeps_expressions() {
    let scenario = load(BALL, &[]).unwrap();
    for line in [
        "height = \"2 m + 2*$radius\"    # 2 m + 2*$radius = 2.4 m",
        "    # $drop-height - 1 m*$count = 4 m, sqrt($radius^2 + (15 cm)^2) = 0.25 m",
        "deviation = \"1 m/s * $ratio / 12\"",
    ] {
        assert!(scenario.expanded.contains(line), "{line}\n{}", scenario.expanded);
    }
    let again = load(&scenario.expanded, &[("radius", "0.5 m")]).unwrap();
    assert_eq!(again.model.bodies[0].pose.translation.x, -2.5);
    assert_eq!(load(&scenario.expanded, &[]).unwrap().expanded, scenario.expanded);
}

#[test]
fn expressions_that_make_no_sense_are_refused_at_their_place() {
    for (value, message, advice) in [
        ("$height + 1 s", "\"$height + 1 s\": cannot add 2.4 m (a length) and 1 s (a time)", ""),
        (
            "$height + 1",
            "\"$height + 1\": cannot add 2.4 m (a length) and 1 (a plain number)",
            "give the number its unit, such as \"1 m\"",
        ),
        ("$height / ($radius - 20 cm)", "\"$height / ($radius - 20 cm)\": cannot divide 2.4 m by zero", ""),
        ("1e300*$height^9*1e300", "\"1e300*$height^9*1e300\": the result is not a finite number", ""),
        ("$heigt * 2", "there is no parameter `heigt`", "did you mean `height`?"),
        ("$height*$height", "expected a length such as \"0.3 m\", got an area (\"5.76 m^2\")", ""),
        (
            "$height/$radius",
            "expected a length such as \"0.3 m\", got a plain number (\"11.999999999999998\"); a number without quotes is in m",
            "",
        ),
        (
            "2 m + 1 s",
            "expected a length such as \"0.3 m\", and cannot add 2 m (a length) and 1 s (a time)",
            "",
        ),
    ] {
        let text = BALL.replace("\"-$lift\"", &format!("\"{value}\""));
        let error = load(&text, &[]).expect_err(value);
        assert_eq!(error.to_string(), format!("t/scenario.toml:23:13: `body.ball.position[0]`: {message}"));
        assert_eq!(error.advice().unwrap_or(""), advice, "{value}");
    }
    let error = load(BALL, &[("body.ball.position", "[\"$height +\", 0, 0]")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "--set:1:1: `body.ball.position[0]`: the expression \"$height +\" cannot be read: expected a number, a `$parameter`, \
         `pi`, `(` or a function such as `sqrt(`, got the end"
    );
    let error = load(&BALL.replace("count = 3", "count = [1, 2]"), &[]).unwrap_err();
    assert!(error.message().contains("the parameter `count` is a list, and not a number"), "{error}");
    let error = load(&BALL.replace("count = 3", "count = \"many\""), &[]).unwrap_err();
    assert!(error.message().starts_with("the parameter `count` is no number: \"many\""), "{error}");
}

#[test]
fn a_circle_of_parameters_is_told_as_a_chain() {
    let error = load(&BALL.replace("radius = \"20 cm\"", "radius = \"0.1*$lift\""), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t/scenario.toml:7:10: `parameter.radius`: the parameter `lift` is defined by itself: `lift` → `height` → \
         `radius` → `lift`"
    );
}

#[test]
fn sums_of_sums_do_not_grow_without_end() {
    let mut text = String::from("format = 1\ntitle = \"x\"\n[run]\nduration = \"$p0\"\n[parameter]\n");
    for i in 0..40 {
        text += &format!("p{i} = \"$p{} + $p{}\"\n", i + 1, i + 1);
    }
    text += "p40 = 1\n";
    assert!(load(&text, &[]).unwrap_err().message().contains("more than 100000 times"));
}

#[test]
fn whole_numbers_may_come_as_floats() {
    let seed =
        |value: &str| load(BALL, &[("sensor.tilt.noise.seed", value)]).map(|s| s.model.sensors[0].noise.seed);
    for (value, whole) in [
        ("2.0", 2),
        ("8.0", 8),
        ("7", 7),
        ("1e3", 1000),
        ("$count*2", 6),
        ("\"5\"", 5),
        ("7.999999999999999", 8),
    ] {
        assert_eq!(seed(value).unwrap(), whole, "{value}");
    }
    for (value, got) in [
        ("2.5", "the number 2.5"),
        ("-2.0", "the number -2"),
        ("7.99999999999", "the number 7.99999999999"),
        ("1e300", "the number 1"),
        ("$height", "the text \"2.4 m\""),
        ("\"2.5\"", "the text \"2.5\""),
    ] {
        let error = seed(value).unwrap_err().to_string();
        let expected = "expected a whole number, zero or positive, got ";
        assert!(error.contains(&format!("`sensor.tilt.noise.seed`: {expected}{got}")), "{error}");
    }
}
